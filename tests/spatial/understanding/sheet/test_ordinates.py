"""Ordinate dimensions of sheets whose file names none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.models.sheet.drawing import Dimensioning, Fill
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from spatial.understanding.sheet.units import SheetUnit, stated_per_point
from tests.spatial.lettered import HEIGHT, LETTER, Board

H = HEIGHT
WITNESS = 40.0
PLATE = (0.0, 25.0, 39.9, 160.1, 175.0, 200.0)
EVEN = (0.0, 25.0, 50.0, 75.0, 100.0)


def written(value: float) -> str:
    return f"{value:g}".replace(".", ",")


def number(board: Board, text: str, y: float, right: float = 300.0) -> None:
    """A text whose middle is level with y and which ends before its extension line."""
    board.text(text, right - 2 - LETTER * H * len(text), y - H / 2)


def column(board: Board, values: Sequence[float], per_value: float = 2.0, *, length: float = WITNESS) -> None:
    """Ordinates one above another, the zero at y = 300."""
    for value in values:
        number(board, written(value), 300 + value * per_value)
        board.line(300, 300 + value * per_value, 300 + length, 300 + value * per_value)


def found(board: Board, per_unit: float | None = None) -> list[Dimensioning]:
    return find_dimensions(board.sheet(), None, per_unit)


def values(dimensions: Sequence[Dimensioning]) -> list[tuple[str, float, float]]:
    return sorted(
        ((d.type, d.further["printed"], round(d.value or 0.0, 4)) for d in dimensions), key=lambda row: row[1]
    )


@pytest.mark.requirement("dimensioning.ordinate")
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_numbers_to_scale_from_a_zero_are_ordinates(angle: float) -> None:
    board = Board(angle)
    column(board, PLATE)
    assert values(found(board)) == [("ordinate", value, round(2 * value, 4)) for value in PLATE]


@pytest.mark.requirement("dimensioning.ordinate-boxed")
@pytest.mark.parametrize(("boxed", "count"), [(True, 3), (False, 0)])
def test_boxed_numbers_on_both_sides_of_a_centre_line_are_ordinates(boxed: bool, count: int) -> None:
    board = Board()
    for y, text, dash in ((265, "2.3", 40.0), (300, "0", 2.0), (335, "2.3", 40.0)):
        number(board, text, y, 297)
        board.line(300, y, 300 + dash, y)
        left, low, high = 294 - LETTER * H * len(text), y - 0.9 * H, y + 0.9 * H
        sides = ((left, low, left, high), (300, low, 300, high), (left, low, 300, low), (left, high, 300, high))
        for side in sides if boxed else ():
            board.line(*side)
    assert [each.type for each in found(board)] == ["ordinate"] * count


@pytest.mark.requirement("dimensioning.ordinate")
def test_an_ordinate_names_its_points_as_one_of_a_dxf_does() -> None:
    board = Board()
    column(board, PLATE)
    (third,) = (d for d in found(board) if d.text == "39,9")
    assert third.sources == ("annotation-3",)
    assert third.further["points"] == {
        "definition": [340.0, 300.0],
        "first": [340.0, pytest.approx(379.8)],
        "second": [300.0, pytest.approx(379.8)],
    }


@pytest.mark.requirement("dimensioning.ordinate")
@settings(max_examples=30, deadline=None)
@given(
    tenths=st.sets(st.integers(100, 1500), min_size=3, max_size=7),
    per_value=st.floats(2.0, 4.0),
    places=st.integers(1, 3),
)
def test_any_row_to_scale_is_read_whatever_the_exporter_rounds(tenths: set[int], per_value: float, places: int) -> None:
    sizes = [0.0, *(tenth / 10 for tenth in sorted(tenths))]
    if any(other - one < 5 for one, other in pairwise(sizes)) or is_even(sizes):  # closer texts are read as limits
        return
    board = Board()
    for value in sizes:
        y = round(300 + value * per_value, places)
        number(board, written(value), y)
        board.line(300, y, 340, y)
    assert [row[1] for row in values(found(board))] == sizes


def is_even(sizes: Sequence[float]) -> bool:
    steps = [other - one for one, other in pairwise(sizes)]
    return max(steps) - min(steps) < 2


@pytest.mark.requirement("dimensioning.ordinate")
def test_a_line_with_a_jog_is_followed_to_its_feature() -> None:
    board = Board()
    column(board, (0, 25, 100))
    number(board, "27", 361)
    board.line(300, 361, 310, 361)
    board.line(310, 361, 315, 354)
    board.line(315, 354, 340, 354)
    assert ("ordinate", 27.0, 54.0) in values(found(board))


@pytest.mark.requirement("dimensioning.ordinate")
def test_the_line_of_a_section_that_stands_over_an_extension_line_is_not_taken_for_it() -> None:
    board = Board()
    board.line(303, 350, 335, 350)
    column(board, PLATE)
    second = next(d for d in found(board) if d.text == "25")
    assert second.further["points"]["second"] == [300.0, 350.0]


@pytest.mark.requirement("dimensioning.ordinate")
def test_numbers_on_both_sides_of_the_zero_with_and_without_their_sign() -> None:
    for texts in (("0", "-30", "20", "55"), ("0", "30", "20", "55")):
        board = Board()
        for text, y in zip(texts, (300, 240, 340, 410), strict=True):
            number(board, text, y)
            board.line(300, y, 340, y)
        assert values(found(board)) == [
            ("ordinate", 0.0, 0.0),
            ("ordinate", 20.0, 40.0),
            ("ordinate", 30.0, 60.0),
            ("ordinate", 55.0, 110.0),
        ]


@pytest.mark.requirement("dimensioning.ordinate")
def test_two_views_beside_each_other_have_a_zero_each() -> None:
    board = Board()
    for start, sizes in ((100, (0, 20, 70)), (500, (0, 35, 50))):
        for value in sizes:
            y = start + 2 * value
            number(board, written(value), y)
            board.line(300, y, 340, y)
    assert [row[1:] for row in values(found(board))] == [
        (0, 0), (0, 0), (20, 40), (35, 70), (50, 100), (70, 140),
    ]  # fmt: skip


@pytest.mark.requirement("dimensioning.ordinate-scale")
def test_equal_steps_count_only_where_they_have_the_scale_of_the_sheet() -> None:
    board = Board()
    column(board, EVEN)
    assert found(board) == []
    assert found(board, per_unit=0.25) == []
    assert [d.type for d in found(board, per_unit=0.5)] == ["ordinate"] * len(EVEN)


@pytest.mark.requirement("dimensioning.ordinate-scale")
def test_equal_steps_count_beside_dimensions_to_the_same_scale() -> None:
    for per_value, expected in ((2.0, len(EVEN)), (3.0, 0)):
        board = Board()
        column(board, EVEN, per_value)
        for y, long in ((700, 60), (740, 84), (780, 97)):
            board.inside(600, 600 + long, y)
            board.text(written(long / 2), 600 + long / 2 - H, y + 1)
        assert sum(d.type == "ordinate" for d in found(board)) == expected


@pytest.mark.requirement("dimensioning.ordinate-scale")
@pytest.mark.parametrize(("filled", "count"), [((1, 3), 0), ((), len(EVEN))])
def test_a_scale_bar_is_told_from_ordinates_by_its_filled_parts(filled: Sequence[int], count: int) -> None:
    """It has the scale of the sheet."""
    board = Board()
    beside_dimensions(board)
    column(board, EVEN)
    step = 2 * (EVEN[1] - EVEN[0])
    for place in filled:
        y = 300 + place * step
        corners = [board.at(*at) for at in ((300, y), (340, y), (340, y + step), (300, y + step))]
        board.fills.append(Fill(np.array(corners)))
    assert sum(d.type == "ordinate" for d in found(board)) == count


@pytest.mark.requirement("dimensioning.ordinate-scale")
def test_the_stated_scale_needs_a_unit() -> None:
    assert stated_per_point(SheetUnit("inch", "stated"), "1:2") == pytest.approx(2 / 72)
    assert stated_per_point(None, "1:2") is None
    assert stated_per_point(SheetUnit("inch", "stated"), "as noted") is None


def beside_dimensions(board: Board) -> None:
    """Three dimensions to the scale of 2 sheet units for one printed."""
    for y, long in ((700, 60), (740, 84), (780, 97)):
        board.inside(600, 600 + long, y)
        board.text(written(long / 2), 600 + long / 2 - H, y + 1)


def ordinates(board: Board) -> list[tuple[str, float]]:
    return sorted((d.text or "", round(d.value or 0.0, 3)) for d in found(board) if d.type == "ordinate")


@pytest.mark.requirement("dimensioning.ordinate-origin")
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
@pytest.mark.parametrize("way", [1, -1])
def test_numbers_to_the_scale_of_the_sheet_need_no_zero(angle: float, way: int) -> None:
    board = Board(angle)
    beside_dimensions(board)
    column(board, PLATE[1:], 2.0 * way)
    assert ordinates(board) == sorted((written(value), 2 * value) for value in PLATE[1:])
    places = {
        tuple(round(at) for at in d.further["points"]["definition"]) for d in found(board) if d.type == "ordinate"
    }
    assert len(places) == 1


@pytest.mark.requirement("dimensioning.ordinate-origin")
def test_a_number_of_another_row_counts_from_the_same_origin() -> None:
    board = Board()
    beside_dimensions(board)
    column(board, PLATE[1:])
    board.text("60", 402, 420 - H / 2)
    board.line(400, 420, 360, 420)
    assert ("60", 120.0) in ordinates(board)


@pytest.mark.requirement("dimensioning.ordinate-origin")
@pytest.mark.parametrize(
    ("sizes", "per_value"), [(PLATE[1:4], 2.0), (PLATE[1:], 2.2), (EVEN[1:], 2.0), ((1, 2, 3, 4, 5, 6), 2.0)]
)
def test_few_numbers_another_scale_and_equal_steps_prove_no_origin(sizes: Sequence[float], per_value: float) -> None:
    board = Board()
    beside_dimensions(board)
    for value in sizes:
        y = 300 + value * per_value
        board.text(written(value), 298 - LETTER * H * len(written(value)), y - H / 2, height=H / 4)
        board.line(300, y, 340, y)
    assert ordinates(board) == []


@pytest.mark.requirement("dimensioning.ordinate-origin")
def test_where_most_numbers_of_a_row_do_not_fit_the_others_are_chance() -> None:
    board = Board()
    beside_dimensions(board)
    column(board, PLATE[1:5])
    for y in (322, 345, 364, 403, 440, 581):
        number(board, "13", y)
        board.line(300, y, 340, y)
    assert ordinates(board) == []


def not_to_scale(board: Board) -> None:
    for text, y in zip(("0", "25", "40", "160"), (300, 340, 380, 420), strict=True):
        number(board, text, y)
        board.line(300, y, 340, y)


def without_zero(board: Board) -> None:
    column(board, PLATE[1:])


def without_lines(board: Board) -> None:
    for value in PLATE:
        number(board, written(value), 300 + 2 * value)


def ticks(board: Board) -> None:
    column(board, PLATE, length=H)
    board.line(300, 300, 300, 700)


def axis_of_a_graph(board: Board) -> None:
    column(board, EVEN, length=200)
    for x in range(300, 501, 40):
        board.line(x, 300, x, 500)
        board.text(written(x - 300), x - 2, 300 - 3 * H)


def zones_of_the_border(board: Board) -> None:
    for zone in range(1, 9):
        board.text(str(zone), 100 * zone + 48, 992)
        board.line(100 * zone, 990, 100 * zone, 1000)


def table(board: Board) -> None:
    for row, text in enumerate(("0", "12,5", "30", "45", "80")):
        number(board, text, 305 - 10 * row)
        board.line(270, 300 - 10 * row, 400, 300 - 10 * row)
    board.line(270, 260, 270, 310)


def balloons(board: Board) -> None:
    for item, y in enumerate((300, 342, 371, 455)):
        number(board, str(item), y)
        board.arcs.append((296, y, 5, 0, 360))
        board.line(301, y, 360, y + 20)


@pytest.mark.requirement("dimensioning.ordinate-none")
@pytest.mark.parametrize(
    "draw",
    [
        not_to_scale,
        without_zero,
        without_lines,
        ticks,
        axis_of_a_graph,
        zones_of_the_border,
        table,
        balloons,
    ],
)
def test_other_rows_of_numbers_are_none(draw: Callable[[Board], None]) -> None:
    board = Board()
    draw(board)
    assert found(board) == []


numbers = st.tuples(
    st.floats(-50, 1050), st.floats(-50, 1050), st.sampled_from(["0", "5", "-7,5", "100", "0,0", "1/2"])
)


@pytest.mark.requirement("dimensioning.none")
@settings(max_examples=30, deadline=None)
@given(
    st.lists(numbers, max_size=30),
    st.lists(st.tuples(*[st.floats(allow_nan=True, allow_infinity=True)] * 4), max_size=10),
)
def test_any_numbers_and_lines_are_survived(
    texts: list[tuple[float, float, str]], lines: list[tuple[float, float, float, float]]
) -> None:
    board = Board()
    for x, y, text in texts:
        board.text(text, x, y)
        board.line(x, y, x + 30, y)
    board.lines += lines
    found(board)
