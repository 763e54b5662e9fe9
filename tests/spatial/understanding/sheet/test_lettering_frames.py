"""Feature control frames, boxed sizes and datum signs round lettering."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from spatial.models.sheet.drawing import Fill
from spatial.models.sheet.repairs import DRAWN
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.lettering.labels import find_frames, find_labels, framed_texts
from spatial.understanding.sheet.symbols.dashed_sides import with_dashed_sides
from spatial.understanding.sheet.tables.parameters import parameter_values
from tests.spatial.lettered import HEIGHT, LETTER, Board

H = HEIGHT


@pytest.mark.requirement("lettering.frame")
@pytest.mark.parametrize("angle", [0.0, 90.0, 270.0])
def test_a_frame_has_its_cells_from_the_left(angle: float) -> None:
    board = Board(angle)
    board.boxes([100, 108, 126, 134], 98, 98 + 2.2 * H)
    board.symbol("◎", 102, 100)
    x = board.symbol("Ø", 109.5, 100)
    board.text("0.02", x + 0.5, 100)
    board.text("A", 129, 100)
    (frame,) = find_labels(board.sheet(), frozenset(), [])
    assert (frame.role, frame.cells, frame.text) == ("frame", ("◎", "Ø0.02", "A"), "◎ Ø0.02 A")


@pytest.mark.requirement("lettering.frame")
@pytest.mark.parametrize("angle", [0.0, 90.0])
def test_a_text_over_several_cells_is_cut_at_their_sides(angle: float) -> None:
    board = Board(angle)
    step = LETTER * H
    board.boxes([100, 108, 110 + 3 * step, 110 + 4 * step, 110 + 6 * step], 98, 98 + 2.2 * H)
    board.symbol("⊥", 102, 100)
    board.text("0,1AB", 110, 100)
    (frame,) = find_labels(board.sheet(), frozenset(), [])
    assert (frame.role, frame.cells) == ("frame", ("⊥", "0,1", "A", "B"))


@pytest.mark.requirement("lettering.frame")
@pytest.mark.parametrize("angle", [0.0, 90.0])
def test_the_sides_of_a_frame_may_be_drawn_in_parts_that_end_within_a_cell(angle: float) -> None:
    board = Board(angle)
    low, high = 98.0, 98 + 2.2 * H
    for begin, end in ((100, 108), (108, 111), (111, 126), (126, 134)):
        board.line(begin, low, end, low)
        board.line(begin, high, end, high)
    for x in (100, 108, 126, 134):
        board.line(x, low, x, high)
    board.symbol("⌖", 102, 100)
    board.text("0.02", 114, 100)
    board.text("A", 129, 100)
    (frame,) = find_labels(board.sheet(), frozenset(), [])
    assert (frame.role, frame.cells) == ("frame", ("⌖", "0.02", "A"))


def dashed_frame(board: Board, low: float, sides: tuple[float, ...]) -> None:
    high = low + 2.2 * H
    for y in (low, high):
        board.dashes(sides[0], y, sides[-1], y)
    for x in sides:
        board.dashes(x, low, x, high)


@pytest.mark.requirement("lettering.frame")
@pytest.mark.parametrize("angle", [0.0, 90.0])
def test_the_sides_of_a_frame_may_be_drawn_as_dashes(angle: float) -> None:
    board = Board(angle)
    dashed_frame(board, 98, (100, 108, 126, 134))
    board.symbol("⊥", 102, 100)
    board.text("0.2", 114, 100)
    board.text("C", 129, 100)
    (frame,) = find_labels(board.sheet(), frozenset(), [])
    assert (frame.role, frame.cells) == ("frame", ("⊥", "0.2", "C"))


@pytest.mark.requirement("lettering.frame")
def test_two_dashed_frames_over_each_other_share_a_side() -> None:
    board = Board()
    for low, sides in ((98.0, (100, 108, 126, 134)), (98 + 2.2 * H, (100, 108, 126))):
        dashed_frame(board, low, sides)
        board.symbol("↗" if len(sides) == 4 else "⏥", 102, low + 2)
        board.text("0.2", 114, low + 2)
    board.text("C", 129, 100)
    found = [label.cells for label in find_labels(board.sheet(), frozenset(), [])]
    assert sorted(found) == [("↗", "0.2", "C"), ("⏥", "0.2")]


@pytest.mark.requirement("lettering.frame")
def test_dashed_lines_that_close_no_row_of_cells_are_no_sides() -> None:
    board = Board()
    for y in (98, 98 + 2.2 * H):
        board.dashes(90, y, 150, y)  # hidden edges
    board.dashes(108, 60, 108, 140)
    board.text("0.2", 114, 100)
    sheet = board.sheet()
    assert with_dashed_sides(sheet) is sheet


@pytest.mark.requirement("lettering.frame")
@pytest.mark.parametrize(("dash", "are_sides"), [(2.4, True), (0.5, False)])
def test_dots_with_wider_gaps_than_they_are_long_are_no_sides(dash: float, are_sides: bool) -> None:
    board = Board()
    for y in (98, 98 + 2.2 * H):
        board.dashes(100, y, 134, y, dash, 1.2)
    for x in (100, 108, 126, 134):
        board.dashes(x, 98, x, 98 + 2.2 * H, dash, 1.2)
    board.text("0.2", 114, 100)
    sheet = board.sheet()
    assert (with_dashed_sides(sheet) is not sheet) is are_sides


@pytest.mark.requirement("lettering.frame")
def test_dashed_lines_that_only_others_without_an_end_meet_are_no_sides() -> None:
    board = Board()
    levels = [98 + 2.2 * H * row for row in range(3)]
    for y in levels:
        board.dashes(100, y, 134, y)
    for row, places in enumerate([(102, 112), (107, 117)]):
        for x in places:
            board.dashes(x, levels[row], x, levels[row + 1])
    board.text("0.2", 114, 100)
    sheet = board.sheet()
    assert with_dashed_sides(sheet) is sheet


@pytest.mark.requirement("lettering.frame")
def test_a_letter_in_a_circle_is_the_modifier_alone() -> None:
    board = Board()
    board.boxes([100, 108, 126, 134], 98, 98 + 2.2 * H)
    board.symbol("⌖", 102, 100)
    board.text(".020", 109, 100)
    x = board.text("M", 119, 100)
    board.symbol("Ⓜ", (119 + x) / 2 - H / 2, 100)
    board.text("B", 129, 100)
    (frame,) = find_labels(board.sheet(), frozenset(), [])
    assert frame.cells == ("⌖", ".020 Ⓜ", "B")


@pytest.mark.requirement("lettering.frame")
def test_the_frames_of_claimed_texts_are_found_and_nothing_else_of_them() -> None:
    board = Board()
    board.boxes([100, 108, 126], 98, 98 + 2.2 * H)
    board.symbol("⌓", 102, 100)
    board.text("Ø1 CZ", 110, 100)
    board.text("for the entire part", 130, 100)
    sheet = board.sheet()
    assert [frame.cells for frame in find_frames(sheet, {text.id for text in sheet.texts})] == [("⌓", "Ø1 CZ")]
    assert find_frames(sheet, {sheet.texts[1].id}) == []


@pytest.mark.requirement("lettering.frame")
def test_a_frame_of_which_something_else_claims_a_part_is_read_whole() -> None:
    board = Board()
    board.boxes([100, 108, 126, 134], 98, 98 + 2.2 * H)
    board.symbol("∥", 102, 100)
    board.text("0.02", 114, 100)
    board.text("A", 129, 100)
    sheet = board.sheet()
    width, letter = (text.id for text in sheet.texts)
    assert [frame.cells for frame in find_frames(sheet, {letter})] == [("∥", "0.02", "A")]
    assert framed_texts(sheet, frozenset((letter,))) == {letter}
    assert framed_texts(sheet, frozenset((width, letter))) == {width, letter}


@pytest.mark.requirement("lettering.frame")
def test_cells_without_a_datum_may_be_of_a_form() -> None:
    board = Board()
    board.boxes([100, 108, 126], 98, 98 + 2.2 * H)
    board.symbol("⏤", 102, 100)
    board.text("0.02", 114, 100)
    sheet = board.sheet()
    assert framed_texts(sheet, frozenset((sheet.texts[0].id,))) == frozenset()


@pytest.mark.requirement("lettering.frame")
def test_a_composite_frame_is_two_labels() -> None:
    board = Board()
    for row in (0, 1):
        low = 98 - row * 2.2 * H
        board.boxes([100, 108, 126, 134], low, low + 2.2 * H)
        board.symbol("⌖", 102, low + 2)
        board.text(f"0.{row + 1}", 112, low + 2)
        board.text("A", 129, low + 2)
    found = [label.cells for label in find_labels(board.sheet(), frozenset(), []) if label.role == "frame"]
    assert found == [("⌖", "0.1", "A"), ("⌖", "0.2", "A")]


@pytest.mark.requirement("lettering.frame")
def test_of_three_lines_of_a_tolerance_behind_one_cell_two_share_its_characteristic() -> None:
    board, high = Board(), 2.2 * H
    for row in range(3):
        low = 98 + row * high
        board.boxes([108, 118, 126], low, low + high)
        board.text(f"0.{row + 1}", 110, low + 2)
        board.text("A", 120, low + 2)
    board.boxes([100, 108], 98, 98 + 3 * high)
    found = [label for label in find_labels(board.sheet(), frozenset(), []) if label.role == "frame"]
    assert sorted(label.cells[-2:] for label in found) == [("0.1", "A"), ("0.2", "A")]


@pytest.mark.requirement("lettering.frame")
def test_a_datum_in_a_cell_as_high_as_two_frames_is_of_both() -> None:
    board = Board()
    high = 2.2 * H
    for row, sign in ((0, "⊥"), (1, "⌖")):
        low = 98 + row * high
        board.boxes([100, 108, 126], low, low + high)
        board.symbol(sign, 102, low + 2)
        board.text("0.07", 110, low + 2)
    board.boxes([126, 134], 98, 98 + 2 * high)
    board.text("A", 129, 98 + high - H / 2)
    board.boxes([134, 142], 98 + high, 98 + 2 * high)
    board.text("B", 136, 100 + high)
    sheet = board.sheet()
    assert parameter_values(find_grids(sheet)) == frozenset()
    found = [label.cells for label in find_labels(sheet, frozenset(), []) if label.role == "frame"]
    assert sorted(found) == [("⊥", "0.07", "A"), ("⌖", "0.07", "A", "B")]


@pytest.mark.requirement("lettering.stack")
@pytest.mark.parametrize(("second", "boxed"), [("[10.6]", True), ("[12.5]", False)])
def test_a_size_over_itself_in_the_other_unit_in_one_box_is_boxed(second: str, boxed: bool) -> None:
    board = Board()
    board.boxes([100, 124], 98, 98 + 3.2 * H)
    board.text(".419", 102, 98 + 1.8 * H)
    board.text(second, 102, 98 + 0.4 * H)
    labels = find_labels(board.sheet(), frozenset(), [])
    assert [label.text for label in labels if label.boxed] == ([f".419 {second}"] if boxed else [])


@pytest.mark.requirement("lettering.stack")
@pytest.mark.parametrize(
    ("under", "width", "boxed"),
    [("TYP", 17, True), ("2 PLC", 17, True), ("8.2", 17, False), ("of the cover", 60, False), ("TYP", 60, False)],
)
def test_a_size_over_its_word_or_count_in_one_box_is_boxed(under: str, width: float, boxed: bool) -> None:
    board = Board()
    board.boxes([100, 100 + width], 98, 98 + 3.2 * H)
    board.text("14.61", 103, 98 + 1.8 * H)
    board.text(under, 103, 98 + 0.4 * H)
    labels = find_labels(board.sheet(), frozenset(), [])
    assert [label.text for label in labels if label.boxed] == ([f"14.61 {under}"] if boxed else [])


@pytest.mark.requirement("lettering.stack")
@pytest.mark.parametrize(("end", "boxed"), [(124.0, True), (110.0, False)])
def test_a_box_is_measured_by_the_letters_drawn_for_a_text_that_is_narrower(end: float, boxed: bool) -> None:
    board = Board()
    board.boxes([100, 128], 98, 98 + 2.2 * H)
    board.text("54.24", 103, 100)
    board.texts[0].repairs = (DRAWN,)
    board.line(103, 100, 105, 100 + H)
    board.line(end - 2, 100, end, 100 + H)
    labels = find_labels(board.sheet(), frozenset(), [])
    assert [label.text for label in labels if label.boxed] == (["54.24"] if boxed else [])


@pytest.mark.requirement("lettering.datum")
def test_datum_boxed_and_struck() -> None:
    board = Board()
    board.boxes([100, 108], 98, 98 + 2.2 * H)
    board.text("A", 103, 100)
    board.line(104, 98, 104, 80)
    board.fills.append(Fill(np.array([board.at(104, 80), board.at(101, 76), board.at(107, 76)])))
    board.boxes([200, 216], 98, 98 + 2.2 * H)
    board.text("9.30", 203, 100)
    x = board.text("12.5", 300, 100)
    board.line(299, 100 + H / 2, x + 1, 100 + H / 2)
    datum, basic, struck = find_labels(board.sheet(), frozenset(), [])
    assert (datum.role, datum.text) == ("datum", "A")
    assert (basic.boxed, basic.text, basic.role) == (True, "9.30", "free")
    assert struck.struck and not basic.struck


@pytest.mark.requirement("lettering.frame")
@pytest.mark.parametrize("sign", ["⌖", ""])
def test_one_characteristic_before_two_lines_is_of_both(sign: str) -> None:
    board = Board()
    high = 2.2 * H
    for row, (zone, datums) in enumerate((("0.2", "CD"), ("1", "ACB"))):
        low = 98 + row * high
        board.boxes([108, *(126 + 8 * place for place in range(len(datums) + 1))], low, low + high)
        board.text(zone, 116, low + 2)
        for place, datum in enumerate(datums):
            board.text(datum, 129 + 8 * place, low + 2)
        if row:
            board.symbol("Ø", 110, low + 2)
    board.boxes([100, 108], 98, 98 + 2 * high)
    if sign:
        board.symbol(sign, 102, 98 + high - H / 2)
    found = [label.cells for label in find_labels(board.sheet(), frozenset(), []) if label.role == "frame"]
    assert sorted(found) == sorted([(sign, "Ø1", "A", "C", "B"), (sign, "0.2", "C", "D")])


@pytest.mark.requirement("lettering.frame")
def test_sides_drawn_as_dashes_are_looked_for_again_where_the_lettering_is_of_another_height() -> None:
    board = Board()
    dashed_frame(board, 98, (100, 108, 126, 134))
    board.text("0.2", 114, 100)
    sheet = board.sheet()
    once, again = with_dashed_sides(sheet), with_dashed_sides(sheet)
    np.testing.assert_array_equal(once.strokes.ends, again.strokes.ends)
    assert len(once.strokes.ends) > len(sheet.strokes.ends)
    small = replace(sheet, texts=[replace(text, height=text.height / 10) for text in sheet.texts])
    assert with_dashed_sides(small) is small
