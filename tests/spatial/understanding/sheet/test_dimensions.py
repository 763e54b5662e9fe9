"""Dimensions of sheets whose file names none."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spatial.models.sheet.drawing import Dimensioning, Fill
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from spatial.understanding.sheet.dimensions.scales import Scale, are_alone, are_believable, common_scale
from spatial.understanding.sheet.leaders.along_lines import along_lines
from spatial.understanding.sheet.leaders.arrowheads import heads as heads_of
from spatial.understanding.sheet.leaders.lines import Lines
from spatial.understanding.sheet.lettering.labels import join_texts
from spatial.understanding.sheet.lettering.printed_size import printed_size
from tests.spatial.lettered import HEIGHT, Board

H = HEIGHT
LENGTH = 6.0
"""Of an arrowhead."""
TIPS = 1e-6
"""Relative error of what is measured between tips."""


def only(board: Board) -> Dimensioning:
    (found,) = find_dimensions(board.sheet())
    return found


@pytest.mark.requirement("dimensioning.linear")
@settings(max_examples=40, deadline=None)
@given(angle=st.floats(0, 359.9) | st.floats(-0.6, 0.6) | st.floats(89.4, 90.6), long=st.floats(30, 300))
def test_heads_that_point_apart_are_a_dimension_at_any_angle(angle: float, long: float) -> None:
    board = Board(angle)
    board.inside(200, 200 + long, 300)
    board.text("40", 200 + long / 2 - H / 2, 301)
    found = only(board)
    assert found.text == "40" and found.further["printed"] == 40.0 and found.sources == ("annotation-1",)
    assert found.value == pytest.approx(long, rel=1e-4)


@pytest.mark.requirement("dimensioning.linear")
@pytest.mark.parametrize("lean", [-1.0, -0.7, 0.7, 1.0])
def test_heads_whose_corners_a_printer_rounded_lie_on_one_line(lean: float) -> None:
    board = Board()
    board.line(200, 300, 300, 300)
    board.head(200, 300, 180 + lean)
    board.head(300, 300, -lean)
    board.text("100", 246, 301)
    assert only(board).value == pytest.approx(100, rel=TIPS)


@pytest.mark.requirement("dimensioning.linear")
@settings(max_examples=40, deadline=None)
@example(angle=1.0, one=2.0, other=-2.0, ends=False)
@given(angle=st.floats(0, 359.9), one=st.floats(-3.5, 3.5), other=st.floats(-3.5, 3.5), ends=st.booleans())
def test_heads_whose_corners_a_coarse_printer_rounded_point_along_their_line(
    angle: float, one: float, other: float, ends: bool
) -> None:
    board = Board(angle)
    at = 0 if ends else LENGTH  # the line ends at the tips, or at the bases
    board.line(200 + at, 300, 320 - at, 300)
    board.head(200, 300, 180 + one, length=LENGTH)
    board.head(320, 300, other, length=LENGTH)
    board.text("60", 254, 301)
    assert only(board).value == pytest.approx(120, rel=1e-4)


def flank(board: Board, x: float, y: float, tip: float) -> None:
    """Draw a flat arc from a corner of a head to its tip on the line y = 300."""
    dx, dy = tip - x, 300 - y
    long, bulge = math.hypot(dx, dy), 3.0
    centre = ((x + tip) / 2 - dy / long * bulge * long, (y + 300) / 2 + dx / long * bulge * long)
    first, last = sorted(math.degrees(math.atan2(b - centre[1], a - centre[0])) % 360 for a, b in ((x, y), (tip, 300)))
    board.arcs.append((*centre, math.dist(centre, (tip, 300)), first, last))


@pytest.mark.requirement("dimensioning.open-heads")
def test_the_flanks_of_a_hollow_head_may_be_flat_arcs() -> None:
    board = Board()
    for tip, back in ((200, LENGTH), (300, -LENGTH)):
        for side in (1, -1):
            flank(board, tip + back, 300 + side * LENGTH / 4, tip)
    board.line(200 + LENGTH, 300, 300 - LENGTH, 300)
    board.text("50", 246, 301)
    assert only(board).value == pytest.approx(100, rel=1e-4)


@pytest.mark.requirement("dimensioning.open-heads")
def test_heads_on_a_sheet_that_is_no_larger_than_its_part_are_large() -> None:
    board = Board()
    board.line(100, 300, 900, 300)
    board.head(100, 300, 180, filled=False, length=60)
    board.head(900, 300, 0, filled=False, length=60)
    board.text("50", 490, 301)
    assert only(board).value == pytest.approx(800, rel=TIPS)
    for place in range(9):  # with more heads of a usual size there, these are none
        board.head(100 + 50 * place, 100, 0)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.open-heads")
def test_a_wing_and_the_line_between_two_wings_are_no_head_beside_theirs() -> None:
    board = Board()
    for x, way in ((200, 180), (300, 0)):  # a third stroke as long as the wings lies between them
        board.head(x, 300, way, filled=False, length=LENGTH)
        board.line(x, 300, x + (LENGTH if way else -LENGTH) * 1.014, 300)
    board.line(200, 300, 300, 300)
    board.line(180, 300, 200, 300)
    board.line(300, 300, 320, 300)
    board.text("50", 246, 301)
    drawn = board.sheet()
    assert len(along_lines(heads_of(drawn), Lines(drawn))) == len(heads_of(drawn)) // 3 == 2
    assert only(board).value == pytest.approx(100, rel=TIPS)


@pytest.mark.requirement("dimensioning.linear")
def test_a_text_over_the_line_that_begins_behind_a_head_of_a_small_size() -> None:
    board = Board()
    board.head(200, 300, 0, length=LENGTH)
    board.head(201, 300, 180, length=LENGTH)
    board.line(200 - 2 * LENGTH, 300, 200 - LENGTH, 300)
    board.line(201 + LENGTH, 300, 250, 300)
    board.text("0.5", 236, 301)
    found = only(board)
    assert found.text == "0.5" and found.value == pytest.approx(1, rel=TIPS)


def one_tail(*, witnesses: bool) -> Board:
    """Two heads from outside, of which one has a line behind it, under the text."""
    board = Board()
    board.head(200, 300, 0, length=LENGTH)
    board.head(210, 300, 180, length=LENGTH)
    board.line(210, 300, 250, 300)
    board.text("5", 236, 301)
    if witnesses:
        for x in (200, 210):
            board.line(x, 200, x, 304)
    return board


@pytest.mark.requirement("dimensioning.one-tail")
def test_one_head_from_outside_needs_no_line_behind_it_where_both_point_at_extension_lines() -> None:
    found = only(one_tail(witnesses=True))
    assert found.text == "5" and found.value == pytest.approx(10, rel=TIPS)


@pytest.mark.requirement("dimensioning.one-tail")
def test_two_heads_with_one_line_and_no_extension_lines_are_no_dimension() -> None:
    assert find_dimensions(one_tail(witnesses=False).sheet()) == []


@pytest.mark.requirement("dimensioning.linear")
def test_heads_from_outside_and_a_text_beside_them() -> None:
    board = Board()
    board.head(200, 300, 0)
    board.head(206, 300, 180)
    board.line(180, 300, 200, 300)
    board.line(206, 300, 240, 300)
    board.text("2.5", 222, 301)
    found = only(board)
    assert (found.type, found.text, found.id) == ("linear", "2.5", "dimension-1")
    assert found.value == pytest.approx(6, rel=TIPS)


@pytest.mark.requirement("dimensioning.linear")
def test_a_line_that_its_text_breaks() -> None:
    board = Board()
    board.line(200, 300, 240, 300)
    board.line(256, 300, 300, 300)
    board.head(200, 300, 180)
    board.head(300, 300, 0)
    board.text("Ø100", 244, 300 - H / 2)
    assert only(board).type == "diameter"
    assert only(board).value == pytest.approx(100)


@pytest.mark.requirement("dimensioning.open-heads")
def test_open_heads_are_heads() -> None:
    board = Board()
    board.inside(200, 300, 300, filled=False)
    board.text("50", 248, 301)
    assert only(board).value == pytest.approx(100, rel=TIPS)


@pytest.mark.requirement("dimensioning.chain")
def test_a_chain_is_told_apart() -> None:
    board = Board()
    for x0, x1, text in ((100, 160, "60"), (160, 227, "67"), (227, 313, "86")):
        board.inside(x0, x1, 300)
        board.text(text, (x0 + x1) / 2 - H / 2, 301)
    found = find_dimensions(board.sheet())
    assert [(d.text, round(d.value or 0, 6)) for d in found] == [("60", 60), ("67", 67), ("86", 86)]
    scale = common_scale(found)
    assert scale is not None and (scale.count, scale.of) == (3, 3)
    assert scale.printed_per_unit == pytest.approx(1)


@pytest.mark.requirement("dimensioning.angular")
def test_an_arc_between_heads_is_an_angle() -> None:
    board = Board()
    board.arcs.append((300, 300, 80, 20, 70))
    for angle, way in ((20, -70), (70, 160)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way, length=3)
    board.text("50°", 300 + 83 * math.cos(math.pi / 4) - H, 300 + 83 * math.sin(math.pi / 4))
    found = only(board)
    assert (found.type, found.text) == ("angular", "50°")
    assert found.value == pytest.approx(50, abs=0.01)


@pytest.mark.requirement("dimensioning.angular")
@pytest.mark.parametrize(("at", "found"), [(12.0, True), (26.0, False)])
def test_a_wide_text_stands_beside_its_arc_where_its_edge_is_near(at: float, found: bool) -> None:
    """Its middle is further away than the middle of a narrow one would be."""
    board = Board()
    board.arcs.append((300, 300, 80, -15, 15))
    for angle, way in ((-15, -105), (15, 105)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way, length=3)
    text = "30° ±0.5°"
    board.text(text, 380 + at - len(text) * 0.3 * H, 300 - H / 2)
    assert [each.text for each in find_dimensions(board.sheet())] == ([text] if found else [])


@pytest.mark.requirement("dimensioning.radial")
@pytest.mark.parametrize(("text", "kind", "value"), [("R20", "radius", 40), ("Ø40", "diameter", 80)])
def test_a_leader_to_a_circle_measures_it(text: str, kind: str, value: float) -> None:
    board = Board()
    board.arcs.append((300, 300, 40, 0, 360))
    board.head(340, 300, 180)
    board.line(340, 300, 400, 300)
    board.text(text, 402, 299)
    found = only(board)
    assert found.type == kind
    assert found.value == pytest.approx(value)


@pytest.mark.requirement("dimensioning.open-heads")
def test_the_arrow_of_a_sign_is_no_head() -> None:
    board = Board()
    board.head(202, 300, 270, filled=False, length=2)
    board.line(202, 300, 202, 320)
    board.symbol("↧", 200, 300)
    board.text("R5", 205, 300)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.none")
def test_text_or_arrows_alone_are_no_dimension() -> None:
    text, arrows, far = Board(), Board(), Board()
    text.text("40", 200, 300)
    arrows.inside(200, 300, 300)
    far.inside(200, 300, 300)
    far.text("40", 240, 400)
    assert [find_dimensions(board.sheet()) for board in (text, arrows, far)] == [[], [], []]


@pytest.mark.requirement("dimensioning.scale")
def test_no_scale_where_dimensions_disagree() -> None:
    def sized(value: float, printed: float) -> Dimensioning:
        return Dimensioning("d", "linear", 1, "", value, None, further={"printed": printed})

    assert common_scale([sized(10, 10), sized(10, 20), sized(10, 30), sized(10, 40)]) is None
    assert common_scale([]) is None
    agreed = common_scale([sized(10, 5), sized(20, 10), sized(30, 15), sized(10, 77)])
    assert agreed is not None and (agreed.printed_per_unit, agreed.count, agreed.of) == (0.5, 3, 4)


@pytest.mark.requirement("dimensioning.none")
@pytest.mark.parametrize("radius", [5e-324, 1e300])
def test_an_arc_of_no_size_or_of_an_endless_one_is_damage(radius: float) -> None:
    board = Board()
    board.head(200, 300, 0)
    board.head(300, 300, 180)
    board.text("12", 240, 400)
    board.arcs.append((200, 300, radius, 0, 90))
    assert find_dimensions(board.sheet()) == []


heads = st.tuples(st.floats(0, 1000), st.floats(0, 1000), st.floats(0, 360), st.booleans(), st.floats(0.1, 30))


@pytest.mark.requirement("dimensioning.none")
@settings(max_examples=50, deadline=None)
@given(
    st.lists(heads, max_size=30),
    st.lists(st.tuples(*[st.floats(allow_nan=True, allow_infinity=True)] * 4), max_size=10),
)
def test_anything_drawn_is_survived(
    drawn: list[tuple[float, float, float, bool, float]], lines: list[tuple[float, float, float, float]]
) -> None:
    board = Board()
    for x, y, way, filled, length in drawn:
        board.head(x, y, way, filled=filled, length=length)
        board.text("12", x, y)
    board.lines += [line for line in lines if all(abs(v) < 1e300 or v != v for v in line)]
    board.arcs += [(a, b, c, 0, d) for a, b, c, d in lines]
    for found in find_dimensions(board.sheet()):
        assert found.value is None or math.isfinite(found.value)


@pytest.mark.requirement("dimensioning.whole")
@pytest.mark.parametrize(
    "text", ["2. 12", "2\ufffd2", "4\ufffd \ufffd7\ufffd", "570\ufffd", "5.\ufffd8 REF", "1 1.43±0.05", "1 11/2"]
)
def test_a_number_with_an_unread_sign_or_a_blank_in_it_is_no_size(text: str) -> None:
    assert printed_size(text) is None


@pytest.mark.requirement("dimensioning.whole")
@pytest.mark.parametrize(
    "text",
    [
        "(4x)",
        "3X",
        "6x Slots for M3",
        "7/21",
        "30.2(GLASS) 28.9(VIEW)",
        "4 PL R5",
        "4-M3",
        "50-37 -5153",
        "7261 -15 -14",
    ],
)
def test_a_quantity_alone_numbers_of_parts_and_sizes_of_several_dimensions_are_no_size(text: str) -> None:
    assert printed_size(text) is None


@pytest.mark.requirement("dimensioning.whole")
@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("12.5 \ufffd0.05", 12.5),
        ("2 X 12.5", 12.5),
        ("10.5 12.5", 10.5),
        ("Ø5 2 places", 5.0),
        ("8 - Ø6.5", 6.5),
        ("3-2.40", 2.4),
        ("4-R1", 1.0),
        ("2R3", 3.0),
        ("4 R1.5", 1.5),
        ("4-Φ2.3", 2.3),
        ("2-SR5", 5.0),
        ("4-C0.5", 0.5),
        ("4-□5", 5.0),
        ("50 -1 -2", 50.0),
        ("7x1.27=8.89", 8.89),
        ('9/16"', 0.5625),
        ("2 X Ø1 3/8", 1.375),
        (".315/.310", 0.315),
        ("(2) 19", 19.0),
        ("(4x) Ø6", 6.0),
        ("(51) 2.01", 51.0),
        ("80 0.00 -0.25", 80.0),
        ("3'-6 1/2\"", 42.5),
        ("7'-0\"", 84.0),
        ('1⁄2" PIN', 0.5),
    ],
)
def test_a_whole_number_is_a_size_whatever_follows_it(text: str, size: float) -> None:
    assert printed_size(text) == size


@pytest.mark.requirement("dimensioning.scale")
def test_a_length_between_the_heads_of_two_small_sizes_is_of_neither() -> None:
    board = Board()
    for x in (100, 200):  # two slots 6 wide: a head on either side of each, and lines that meet between them
        board.head(x, 100, 0)
        board.head(x + 6, 100, 180)
        board.text("6", x + 14, 100 + 0.4 * H)
    board.line(80, 100, 100, 100)
    board.line(106, 100, 200, 100)
    board.line(206, 100, 230, 100)
    for place, size in enumerate((31, 47, 58)):
        y = 200 + 30 * place
        board.inside(100, 100 + size, y)
        board.text(str(size), 100 + size / 2, y + 0.4 * H)
    found = {dimension.text: dimension.value for dimension in find_dimensions(board.sheet()) if dimension.text == "6"}
    assert found == {"6": pytest.approx(6)}


@pytest.mark.requirement("dimensioning.scale")
def test_a_length_is_longer_than_its_size_by_a_usual_factor_or_with_a_witness() -> None:
    agreed = Scale(1.0, 0.0, 6, 9)
    enlarged, alone, together, broken = (10.0, 50.0), (7.0, 25.9), [(9.0, 30.6), (20.0, 68.3)], (700.0, 90.0)
    assert are_believable([enlarged, alone, *together, broken], agreed) == [True, False, True, True, True]
    assert are_believable([alone], Scale(1.0, 0.0, 4, 9)) == [True]
    assert are_alone([enlarged, alone, *together, broken], agreed) == [False, True, False, False, True]
    assert are_alone([alone], Scale(1.0, 0.0, 4, 9)) == [False]


@pytest.mark.requirement("dimensioning.radial")
def test_a_radius_beside_a_dimension_line_is_no_length() -> None:
    board = Board()
    board.inside(100, 140, 100)
    board.text("R2.5", 115, 100 + 0.4 * H)
    assert [dimension.type for dimension in find_dimensions(board.sheet()) if dimension.value] == []


def bent(board: Board, text: str, x: float, *, on: bool) -> None:
    """Heads from outside on an upright line that ends in a level shoulder, and a text at its end or on it."""
    board.head(300, 300, -90)
    board.head(300, 294, 90)
    board.line(300, 300, 300, 330)
    board.line(300, 294, 300, 280)
    board.line(300, 330, x, 330)
    wide = 0.6 * H * len(text)
    if on:
        board.text(text, (300 + x - wide) / 2, 331)
    else:
        board.text(text, x + 1 if x > 300 else x - 1 - wide, 330 - H / 2)


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
@pytest.mark.parametrize(("x", "on"), [(315, False), (285, False), (325, True), (275, True)])
def test_a_text_at_the_shoulder_of_a_dimension_line_is_its_text(angle: float, x: float, on: bool) -> None:
    board = Board(angle)
    bent(board, "2.5", x, on=on)
    assert only(board).text == "2.5"
    assert only(board).value == pytest.approx(6, rel=1e-4)


@pytest.mark.requirement("dimensioning.shoulder")
def test_a_text_beside_a_shoulder_is_not_its_text() -> None:
    board = Board()
    bent(board, "2.5", 350, on=False)
    board.texts.clear()
    board.text("12", 340, 330 + 3 * H)
    board.text("13", 340, 330 - 4 * H)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.shoulder")
def test_where_two_strokes_go_on_from_a_dimension_line_neither_is_its_shoulder() -> None:
    board = Board()
    bent(board, "2.5", 315, on=False)
    board.line(300, 330, 285, 330)
    assert find_dimensions(board.sheet()) == []


def led(board: Board, *, leaders: int) -> None:
    """Heads from outside on an upright line, leaders from the middle between them, and a text on the level end of the first."""
    board.head(300, 300, -90)
    board.head(300, 294, 90)
    board.line(300, 300, 300, 315)
    board.line(300, 294, 300, 280)
    for number in range(leaders):
        board.line(300, 297, 330, 270 - 40 * number)
        board.line(330, 270 - 40 * number, 350, 270 - 40 * number)
    board.text("2.5", 336, 271)


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
def test_a_text_on_the_end_of_a_leader_from_the_middle_of_a_dimension_line_is_its_text(angle: float) -> None:
    board = Board(angle)
    led(board, leaders=1)
    assert only(board).text == "2.5"
    assert only(board).value == pytest.approx(6, rel=1e-4)


@pytest.mark.requirement("dimensioning.shoulder")
def test_where_two_leaders_begin_at_the_middle_of_a_dimension_line_neither_has_its_text() -> None:
    board = Board()
    led(board, leaders=2)
    assert find_dimensions(board.sheet()) == []


def taken(board: Board, text: str) -> Board:
    """Sizes to scale, and one whose text takes all of its line between one head and what is left of the line at the other."""
    for row in range(4):
        board.inside(200, 240 + 10 * row, 500 + 20 * row)
        board.text(str(40 + 10 * row), 215, 501 + 20 * row)
    board.head(200, 300, 180)
    board.head(230, 300, 0)
    board.line(218, 300, 230, 300)
    board.text(text, 205, 300 - H / 2)
    return board


@pytest.mark.requirement("dimensioning.taken-line")
def test_a_text_may_take_the_line_at_one_head_where_its_size_is_to_scale() -> None:
    found = {each.text: each.value for each in find_dimensions(taken(Board(), "30.00").sheet())}
    assert found["30.00"] == pytest.approx(30)


@pytest.mark.requirement("dimensioning.taken-line")
def test_a_text_that_takes_the_line_at_one_head_is_no_size_that_is_not_to_scale() -> None:
    assert "47.00" not in {each.text for each in find_dimensions(taken(Board(), "47.00").sheet())}


@pytest.mark.requirement("dimensioning.scale")
@pytest.mark.parametrize(("printed", "is_sure"), [("30", True), ("30.6", True), ("15", True), ("22", False)])
def test_a_size_whose_scale_no_other_has_is_less_sure(printed: str, is_sure: bool) -> None:
    board = taken(Board(), "")
    board.line(200, 300, 230, 300)
    board.text(printed, 212, 301)
    (found,) = (each for each in find_dimensions(board.sheet()) if each.text == printed)
    assert (found.further["confidence"] > 0.8) is is_sure


@pytest.mark.requirement("dimensioning.radial")
@pytest.mark.parametrize("is_taken", [True, False])
def test_a_head_of_a_dimension_line_leads_to_no_radius(is_taken: bool) -> None:
    board = Board()
    board.arcs.append((170, 300, 30, 0, 360))
    board.head(200, 300, 180)
    board.line(200, 300, 260, 300)
    board.text("R30", 262, 300 - H / 2)
    if is_taken:
        board.head(240, 300, 0)
        board.text("40", 216, 301)
    assert {each.text for each in find_dimensions(board.sheet())} == ({"40"} if is_taken else {"R30"})


@pytest.mark.requirement("dimensioning.linear")
@pytest.mark.parametrize("angle", [0, 90, 270])
def test_texts_that_read_across_their_lines_are_theirs_on_a_sheet_that_was_turned(angle: float) -> None:
    board = Board(angle)
    board.line(300, 200, 300, 240)
    board.line(300, 256, 300, 300)
    board.head(300, 200, -90)
    board.head(300, 300, 90)
    board.text("100", 300 - 3 * 0.3 * H, 248 - H / 2)
    assert only(board).value == pytest.approx(100)


@pytest.mark.requirement("dimensioning.linear")
def test_small_triangles_of_a_filled_area_do_not_hide_a_dimension() -> None:
    board = Board()
    for row in range(85):
        for column in range(85):
            board.head(600 + 0.9 * column, 600 + 0.9 * row, 0, length=0.8)
    board.inside(200, 300, 300)
    board.text("40", 248, 301)
    assert only(board).text == "40"


@pytest.mark.requirement("dimensioning.linear")
@pytest.mark.parametrize("angle", [30, 64, 150])
@pytest.mark.parametrize("lean", [-4, 3])
@pytest.mark.parametrize("back", [0, 4])
def test_heads_of_a_slanted_line_that_rounding_turned_lie_on_it(angle: float, lean: float, back: float) -> None:
    board = Board(angle)
    board.line(200 + back, 300, 300 - back, 300)
    board.head(200, 300, 180 + lean)
    board.head(300, 300, lean)
    board.text("100", 246, 301)
    assert only(board).value == pytest.approx(100, rel=1e-4)


def outlined(board: Board, x: float, way: int, outline: list[tuple[float, float]]) -> None:
    """A filled head with its tip at x, that points to the right (1) or to the left (-1); outline: back from the tip, aside."""
    board.fills.append(Fill(np.array([board.at(x - way * back, 300 + aside) for back, aside in outline])))


HOLLOW_BACK = [
    (0.0, 0.0),
    *((4 - 1.2 * math.cos(turn), math.sin(turn)) for turn in np.linspace(-math.pi / 2, math.pi / 2, 17)),
]


@pytest.mark.requirement("dimensioning.heads")
@pytest.mark.parametrize("angle", [0, 40])
@pytest.mark.parametrize(
    "outline",
    [[(0.0, 0.0), (4.0, -2.0), (4.0, 2.0)], [(0.0, 0.0), (4.0, -0.6), (4.0, 0.6)], HOLLOW_BACK],
    ids=["53 degrees", "17 degrees", "a curved hollow back"],
)
def test_heads_of_any_usual_outline_are_heads(angle: float, outline: list[tuple[float, float]]) -> None:
    board = Board(angle)
    board.line(200, 300, 300, 300)
    outlined(board, 200, -1, outline)
    outlined(board, 300, 1, outline)
    board.text("40", 248, 301)
    assert only(board).value == pytest.approx(100, rel=1e-4)


@pytest.mark.requirement("dimensioning.heads")
def test_triangles_of_equal_sides_are_no_heads() -> None:
    board = Board()
    board.line(200, 300, 300, 300)
    for x, way in ((200, -1), (300, 1)):
        outlined(board, x, way, [(0.0, 0.0), (4 * math.sqrt(0.75), -2.0), (4 * math.sqrt(0.75), 2.0)])
    board.text("40", 248, 301)
    assert find_dimensions(board.sheet()) == []


def flattened_angle(board: Board, text: str, *, broken: bool) -> None:
    """An angular dimension of 40° whose arc is drawn as pieces, in two stretches where its text breaks it."""
    for begin, end in ((20, 34), (46, 60)) if broken else ((20, 60),):
        board.flattened_arc(300, 300, 80, begin, end, 6)
    for angle, way in ((20, -73), (60, 153)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way)
    away = 80 if broken else 84
    board.text(text, 300 + away * math.cos(math.radians(40)) - H, 300 + away * math.sin(math.radians(40)) - H / 2)


@pytest.mark.requirement("dimensioning.angular-flattened")
@pytest.mark.parametrize("angle", [0, 77])
@pytest.mark.parametrize("broken", [False, True])
def test_an_angle_whose_arc_is_drawn_in_short_strokes_is_measured(angle: float, broken: bool) -> None:
    board = Board(angle)
    flattened_angle(board, "40°", broken=broken)
    assert only(board).type == "angular"
    assert only(board).value == pytest.approx(40, abs=0.5)


@pytest.mark.requirement("dimensioning.angular-flattened")
def test_such_an_arc_of_another_angle_is_no_dimension() -> None:
    board = Board()
    flattened_angle(board, "55°", broken=True)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.angular")
def test_a_second_head_with_its_tip_at_the_same_place_does_not_part_the_heads_of_an_angle() -> None:
    board = Board()
    board.arcs.append((300, 300, 80, 20, 70))
    for angle, way in ((20, -73), (20, 113), (70, 163)):
        turn = math.radians(angle)
        board.head(300 + 80 * math.cos(turn), 300 + 80 * math.sin(turn), way)
    board.text("50°", 300 + 83 * math.cos(math.pi / 4) - H, 300 + 83 * math.sin(math.pi / 4))
    assert only(board).value == pytest.approx(50, abs=0.01)


@pytest.mark.requirement("dimensioning.parted")
@pytest.mark.parametrize(("text", "long", "printed"), [("9 8", 196, 98.0), ("98 5", 196, 98.0), ("9 8", 150, None)])
def test_the_scale_says_which_figures_of_a_parted_number_are_the_size(
    text: str, long: float, printed: float | None
) -> None:
    board = Board()
    for y, other in ((700, 60), (740, 84), (780, 97), (820, 120)):
        board.inside(600, 600 + other, y)
        board.text(f"{other / 2:g}", 600 + other / 2 - H, y + 1)
    board.inside(100, 100 + long, 300)
    board.text("77", 100 + long / 2 - H, 301)
    sheet = board.sheet()
    lettered = [replace(each, lines=(text,)) if each.text == "77" else each for each in join_texts(sheet)]
    (found,) = (each for each in find_dimensions(sheet, lettered) if each.text == text)
    assert found.further.get("printed") == printed
    assert found.value == pytest.approx(long, rel=TIPS)


@pytest.mark.requirement("dimensioning.slanted")
@pytest.mark.parametrize("lean", [-0.5, 0.5])
def test_a_head_that_leans_does_not_part_the_heads_of_other_slanted_lines(lean: float) -> None:
    board = Board(30)
    board.head(700, 500, lean)
    for y, text in ((300, "100"), (340, "110")):
        board.inside(200, 500, y)
        board.text(text, 340, y + 1)
    assert [d.text for d in find_dimensions(board.sheet())] == ["100", "110"]


@pytest.mark.requirement("dimensioning.slanted")
@pytest.mark.parametrize("turned", [330, 30])
@pytest.mark.parametrize(("up", "expected"), [(0.0, ["100"]), (1.5 * H, [])])
def test_a_text_in_the_gap_of_its_line_may_lean_with_another_face(turned: int, up: float, expected: list[str]) -> None:
    board = Board(90)
    board.line(200, 300, 290, 300)
    board.line(310, 300, 400, 300)
    board.head(200, 300, 180)
    board.head(400, 300, 0)
    wide = 0.6 * H * 3
    board.text("100", 300 - wide / 2, 300 - H / 2 + up)
    text = board.texts.pop()
    x, y = board.at(300, 300 + up)
    way = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    origin = x - way[0] * wide / 2 + way[1] * H / 2, y - way[1] * wide / 2 - way[0] * H / 2
    board.texts.append(
        replace(text, origin=origin, angle=float(turned), box=(x - wide / 2, y - H, x + wide / 2, y + H))
    )
    assert [d.text for d in find_dimensions(board.sheet())] == expected


@pytest.mark.requirement("dimensioning.shoulder")
@pytest.mark.parametrize("angle", [0, 90, 30])
@pytest.mark.parametrize("on", [False, True])
def test_a_leader_from_the_middle_of_a_dimension_line_comes_to_its_text(angle: float, on: bool) -> None:
    board = Board(angle)
    board.inside(200, 300, 300)
    board.line(250, 300, 270, 340)
    board.line(270, 340, 290, 340)
    board.text("40", *((276, 341) if on else (291, 340 - H / 2)))
    assert only(board).text == "40"
    assert only(board).value == pytest.approx(100, rel=1e-4)


@pytest.mark.requirement("dimensioning.shoulder")
def test_a_leader_from_elsewhere_brings_a_dimension_line_no_text() -> None:
    board = Board()
    board.inside(200, 300, 300)
    board.line(262, 303, 280, 340)
    board.line(280, 340, 300, 340)
    board.text("40", 301, 340 - H / 2)
    assert find_dimensions(board.sheet()) == []


@pytest.mark.requirement("dimensioning.linear")
def test_strokes_and_outlines_that_end_nowhere_do_not_cost_a_dimension() -> None:
    board = Board()
    board.lines += [(math.inf, 0.0, math.inf, 1.0), (math.nan, 0.0, 5.0, 1e12)]
    board.curves += [(math.inf, 0.0, -math.inf, 1.0), (1e12, 0.0, 5.0, 1e12)]
    board.fills += [Fill(np.array([(math.inf, 0.0), (-math.inf, 1.0), (3.0, math.inf), (4.0, 4.0)]))]
    board.inside(200, 300, 300)
    board.text("40", 248, 301)
    board.text("30°", 600, 600)
    assert only(board).text == "40"
