"""Parts lists over several sheets, and specifications with their sections (GOST 2.106)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from spatial.models.sheet.drawing import Sheet
from tests.spatial.drawn_tables import Paper, table
from tests.spatial.read_tables import read, rows_of


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize("angle", [0, 90, 270])
def test_a_name_goes_on_in_the_next_row_of_a_specification_and_headings_of_groups_do_not(angle: int) -> None:
    head = ["Поз.", "Обозначение", "Наименование", "Кол."]
    drawn = [
        head,
        ["", "", "Прочие изделия", ""],
        ["1", "", "Стойка для плат,", "4"],
        ["", "", "HTP-325", ""],
        ["2", "", "Гайка ГОСТ 10657-80", ""],
        ["", "", "М4-6Н.5.05", "8"],
        ["", "", "Шайбы ГОСТ 6402-70", ""],
        ["3", "", "4Л", "2"],
    ]
    paper = Paper()
    table(paper, drawn, 30, 260, [15, 50, 80, 15])
    assert rows_of(read(paper.sheet(angle)).bom[0], head) == [
        ["", "", "Прочие изделия", ""],
        ["1", "", "Стойка для плат, HTP-325", "4"],
        ["2", "", "Гайка ГОСТ 10657-80 М4-6Н.5.05", "8"],
        ["", "", "Шайбы ГОСТ 6402-70", ""],
        ["3", "", "4Л", "2"],
    ]


@pytest.mark.requirement("tables.ruled")
@pytest.mark.parametrize("angle", [0, 90])
def test_cells_that_are_ruled_each_for_itself_are_one_list(angle: int) -> None:
    head = ["Поз.", "Обозначение", "Наименование", "Кол."]
    rows = [
        head,
        ["1", "КС.10", "Рычаг", "1"],
        ["", "", "", ""],
        ["2", "Втулка 8 мм", "", "4"],
        ["", "ГОСТ 1978-81", "", ""],
        ["3", "", "Ось", "2"],
    ]
    paper = Paper()
    for place, row in enumerate(rows):
        top, left = 260 - 7.0 * place, 30.0
        for width, said in zip([15, 50, 60, 15], row, strict=True):
            paper.rectangle(left, top - 7.8, left + width, top)
            if said:
                paper.write(said, left + 1, top - 3.9)
            left += width
    assert rows_of(read(paper.sheet(angle)).bom[0], head) == [
        ["1", "КС.10", "Рычаг", "1"],
        ["2", "Втулка 8 мм ГОСТ 1978-81", "", "4"],
        ["3", "", "Ось", "2"],
    ]


@pytest.mark.requirement("tables.continued")
def test_a_list_on_several_sheets_comes_in_the_order_of_its_pages() -> None:
    head = ["ITEM", "QTY", "DESCRIPTION"]
    sheets = []
    for page, numbers in ((1, [1, 2]), (2, [3, 4, 5, 6])):
        paper = Paper(page=page)
        table(paper, [head, *[[str(number), "1", f"PLATE {number}"] for number in numbers]], 30, 260, [15, 15, 60])
        sheets.append(paper.sheet())
    assert [row["ITEM"] for found in read(*sheets).bom for row in found.rows] == list("123456")


SPECIFICATION = [
    ["Поз.", "Обозначение", "Наименование", "Кол."],
    ["", "", "", ""],
    ["1", "AB.01", "Корпус", "1"],
    ["2", "AB.02", "Крышка верхняя", "2"],
    ["", "", "", ""],
    ["3", "", "Винт М4", "8"],
]
"""Its headings, which stand in the empty rows, are written over it."""


def specification(headings: Sequence[tuple[int, str]], *, centred: bool, underlined: bool, angle: int = 0) -> Sheet:
    paper = Paper()
    table(paper, SPECIFICATION, 30, 260, [15, 50, 80, 15])
    head = next(text for text in paper.texts if text.text == "Наименование")
    shift = 135 - (head.box[0] + head.box[2]) / 2
    head.box = (head.box[0] + shift, head.box[1], head.box[2] + shift, head.box[3])
    head.origin = (head.origin[0] + shift, head.origin[1])
    for row, title in headings:
        middle = 260 - 6 * row - 3
        wide = len(title) * 2.5 * 0.6
        text = paper.write(title, 135 - wide / 2 if centred else 96, middle)
        if underlined:
            paper.line(text.box[0], text.box[1] - 0.6, text.box[2], text.box[1] - 0.6)
    return paper.sheet(angle)


@pytest.mark.requirement("tables.sections")
@pytest.mark.parametrize(
    ("centred", "underlined", "angle"), [(True, False, 0), (True, False, 90), (False, True, 0), (True, True, 0)]
)
def test_headings_in_the_middle_or_underlined_are_sections_and_no_rows(
    centred: bool, underlined: bool, angle: int
) -> None:
    headings = [(1, "Qwert"), (4, "Zuiop asdf")]
    sheet = specification(headings, centred=centred, underlined=underlined, angle=angle)
    found = read(sheet)
    list_ = found.bom[0]
    assert [row["Поз."] for row in list_.rows] == ["1", "2", "3"]
    assert (list_.model_extra or {})["sections"] == [
        {"title": "Qwert", "first_row": 0},
        {"title": "Zuiop asdf", "first_row": 2},
    ]
    assert {text.id for text in sheet.texts if text.text in ("Qwert", "Zuiop asdf")} <= found.claimed


@pytest.mark.requirement("tables.sections")
def test_a_name_alone_in_its_row_at_the_left_is_a_row() -> None:
    found = read(specification([(4, "Винты ГОСТ 1491-80")], centred=False, underlined=False)).bom[0]
    assert [row.get("Наименование") for row in found.rows][2] == "Винты ГОСТ 1491-80"
    assert "sections" not in (found.model_extra or {})


@pytest.mark.requirement("tables.continued")
def test_sheets_of_one_list_that_differ_in_empty_columns_come_in_the_order_of_their_pages() -> None:
    sheets = []
    for page, head in ((1, ["ITEM", "QTY", "DESCRIPTION", "REMARK"]), (2, ["ITEM", "QTY", "DESCRIPTION"])):
        paper = Paper(page=page)
        numbers = [1, 2] if page == 1 else [3, 4, 5, 6]
        rows = [[str(number), "1", f"PLATE {number}", "X"][: len(head)] for number in numbers]
        table(paper, [head, *rows], 30, 260, [15, 15, 60, 30][: len(head)])
        sheets.append(paper.sheet())
    assert [row["ITEM"] for found in read(*sheets).bom for row in found.rows] == list("123456")


@pytest.mark.requirement("tables.continued")
def test_rows_whose_numbers_go_on_are_the_same_list_on_another_sheet() -> None:
    header = ["ITEM", "QTY", "DESCRIPTION"]
    rows = [[str(number), "1", f"PART {number}"] for number in range(1, 8)]
    first, second = Paper(), Paper(page=2)
    table(first, [header, *rows[:4]], 30, 200, [15, 15, 60])
    table(second, rows[4:], 130, 250, [15, 15, 60])
    found = read(first.sheet(), second.sheet())
    assert [row["ITEM"] for part in found.bom for row in part.rows] == ["1", "2", "3", "4", "5", "6", "7"]


@pytest.mark.requirement("tables.ruled")
def test_a_specification_of_equipment_is_a_parts_list_although_its_headings_are_broken() -> None:
    """GOST 21.110, form 1."""
    head = [
        "Пози- ция", "Наименование и техническая характеристика", "Завод- изготовитель", "Единица измерения", "Коли- чество",
    ]  # fmt: skip
    rows = [["GI1..GI3", "Датчик положения", "Banner", "шт.", "3"], ["GI4", "Датчик уровня", "Banner", "шт.", "1"]]
    paper = Paper()
    table(paper, [head, *rows], 30, 260, [25, 80, 35, 35, 25])
    assert rows_of(read(paper.sheet()).bom[0], head) == rows
