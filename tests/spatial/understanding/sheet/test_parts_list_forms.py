"""Forms in which parts lists come: at the strip for binding, in further languages, beside other rows."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.tables.margin_strips import without_strips
from tests.spatial.drawn_tables import Paper, table
from tests.spatial.read_tables import read, rows_of

PARTS = [
    ["ITEM", "QTY", "DESCRIPTION", "MATERIAL"],
    ["1", "2", "SIDE PLATE", "S235JR"],
    ["2", "4", "SPACER", "CuZn39Pb3"],
    ["3", "1", "COVER", "PMMA"],
]


@pytest.mark.requirement("tables.margin-strip")
@pytest.mark.parametrize("angle", [0, 270])
@pytest.mark.parametrize("upwards", [False, True])
@pytest.mark.parametrize("behind", [False, True])
def test_cells_of_the_strip_for_binding_are_no_column_of_the_list_beside_them(
    angle: int, upwards: bool, behind: bool
) -> None:
    paper = Paper()
    table(paper, PARTS, 40, 60 if upwards else 100, [20.0, 20.0, 50.0, 40.0], upwards=upwards, step=10.0)
    strip = 170 if behind else 30
    for near, far, said in (
        (0, 10, "DATE"),
        (10, 16, "ZORG"),
        (16, 23, "SIGN"),
        (23, 27, ""),
        (27, 35, "COPY"),
        (35, 40, "FILE"),
    ):
        low, high = (60 + near, 60 + far) if upwards else (100 - far, 100 - near)
        paper.rectangle(strip, low, strip + 10, high)
        if said:
            paper.write(said, strip + 0.5, (low + high) / 2, height=2.0)
    (found,) = read(paper.sheet(angle)).bom
    assert rows_of(found, PARTS[0]) == PARTS[1:]


@pytest.mark.requirement("tables.margin-strip")
def test_a_cell_over_several_rows_of_a_list_is_of_its_column() -> None:
    paper = Paper()
    rows = [*PARTS, ["4", "1", "PIN", "A2"], ["5", "1", "NUT", "A2"]]
    table(paper, [row[:3] for row in rows], 40, 100, [20.0, 20.0, 50.0])
    paper.rectangle(130, 94, 170, 100)
    paper.write("MATERIAL", 131, 97)
    for high, low, said in ((94, 82, "S235JR"), (82, 76, "PMMA"), (76, 64, "A2")):
        paper.rectangle(130, low, 170, high)
        paper.write(said, 131, (high + low) / 2)
    (found,) = read(paper.sheet()).bom
    assert found.columns == rows[0]
    assert [row["ITEM"] for row in found.rows] == ["1", "2", "3", "4", "5"]
    assert "PMMA" in {row.get("MATERIAL") for row in found.rows}


@pytest.mark.requirement("tables.margin-strip")
@pytest.mark.parametrize(
    ("own", "beside", "is_strip"),
    [
        (((1, 3), (3, 5), (5, 8)), ((1, 4), (4, 8)), True),
        (((1, 3), (3, 8)), ((1, 4), (4, 8)), False),
        (((1, 3), (3, 4), (4, 6), (6, 8)), ((1, 4), (4, 8)), False),
        (((1, 3), (3, 5), (5, 8)), ((1, 8),), False),
    ],
    ids=["no rule in common", "one rule", "one rule in common", "one row"],
)
def test_a_strip_has_several_rules_of_which_none_goes_on_in_a_list_of_several_rows(
    own: tuple[tuple[int, int], ...], beside: tuple[tuple[int, int], ...], is_strip: bool
) -> None:
    header = [Cell((0, 0, 1, 1), (0, 1), (column, column + 1)) for column in range(3)]
    columns = (own, beside, beside)
    cells = [Cell((0, 0, 1, 1), rows, header[place].columns) for place in range(3) for rows in columns[place]]
    kept = without_strips(Grid(1, (0, 0, 1, 1), [*header, *cells]), header)
    assert kept == (header[1:] if is_strip else header)
