"""Dimensions of sheets whose file names none."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from spatial.models.sheet.drawing import Fill
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from spatial.understanding.sheet.dimensions.scales import common_scale
from tests.spatial.dimensioned import LENGTH, TIPS, only
from tests.spatial.lettered import HEIGHT, Board, taken

H = HEIGHT


HOLLOW_BACK = [
    (0.0, 0.0),
    *((4 - 1.2 * math.cos(turn), math.sin(turn)) for turn in np.linspace(-math.pi / 2, math.pi / 2, 17)),
]


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


def to_scale(*radii: float) -> Board:
    """Three lengths to scale 1:1, and a level leader to circles about one centre."""
    board = Board()
    for place, size in enumerate((31, 47, 58)):
        board.inside(100, 100 + size, 100 + 30 * place)
        board.text(str(size), 100 + size / 2, 100 + 30 * place + 0.4 * H)
    for radius in radii:
        board.arcs.append((300, 300, radius, 0, 360))
    board.head(340, 300, 180)
    board.line(340, 300, 400, 300)
    return board


@pytest.mark.requirement("dimensioning.radial-scale")
@pytest.mark.parametrize(
    ("text", "value", "confidence"),
    [
        ("Ø80", 80, 0.85),
        ("R40", 40, 0.85),
        ("Ø78", 80, 0.85),
        ("Ø40", 80, 0.85),
        ("Ø30", None, 0.7),
        ("R68", None, 0.7),
    ],
)
def test_the_scale_of_the_sheet_may_speak_against_the_circle_of_a_leader(
    text: str, value: float | None, confidence: float
) -> None:
    board = to_scale(40)
    board.text(text, 402, 299)
    found = next(one for one in find_dimensions(board.sheet()) if one.text == text)
    assert (found.value, found.further["confidence"]) == (value and pytest.approx(value), confidence)


@pytest.mark.requirement("dimensioning.radial-scale")
@pytest.mark.parametrize(("text", "value"), [("Ø80", 80), ("Ø82.6", 82.6)])
def test_a_leader_measures_that_circle_of_several_that_is_to_scale(text: str, value: float) -> None:
    board = to_scale(40, 41.3)
    board.text(text, 402, 299)
    found = next(one for one in find_dimensions(board.sheet()) if one.text == text)
    assert found.value == pytest.approx(value)


@pytest.mark.requirement("dimensioning.radial-scale")
def test_of_two_leaders_at_a_text_the_one_to_a_circle_of_its_size_is_its_own() -> None:
    board = to_scale(40)
    board.arcs.append((400, 260, 6, 0, 360))
    board.head(400, 266, -90)
    board.line(400, 266, 400, 296)
    board.text("Ø12", 402, 299)
    found = next(one for one in find_dimensions(board.sheet()) if one.text == "Ø12")
    assert found.value == pytest.approx(12)


@pytest.mark.requirement("dimensioning.none")
def test_text_or_arrows_alone_are_no_dimension() -> None:
    text, arrows, far = Board(), Board(), Board()
    text.text("40", 200, 300)
    arrows.inside(200, 300, 300)
    far.inside(200, 300, 300)
    far.text("40", 240, 400)
    assert [find_dimensions(board.sheet()) for board in (text, arrows, far)] == [[], [], []]


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


@pytest.mark.requirement("dimensioning.radial")
def test_a_radius_beside_a_dimension_line_is_no_length() -> None:
    board = Board()
    board.inside(100, 140, 100)
    board.text("R2.5", 115, 100 + 0.4 * H)
    assert [dimension.type for dimension in find_dimensions(board.sheet()) if dimension.value] == []


@pytest.mark.requirement("dimensioning.taken-line")
def test_a_text_may_take_the_line_at_one_head_where_its_size_is_to_scale() -> None:
    found = {each.text: each.value for each in find_dimensions(taken(Board(), "30.00").sheet())}
    assert found["30.00"] == pytest.approx(30)


@pytest.mark.requirement("dimensioning.taken-line")
def test_a_text_that_takes_the_line_at_one_head_is_no_size_that_is_not_to_scale() -> None:
    assert "47.00" not in {each.text for each in find_dimensions(taken(Board(), "47.00").sheet())}


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


@pytest.mark.requirement("dimensioning.linear")
def test_lines_beside_each_other_in_a_flight_of_small_steps_are_told_apart() -> None:
    board = Board()
    for number in range(8):
        board.inside(100 + 90 * number, 185 + 90 * number, 300 + 0.35 * number)
        board.text("40", 140 + 90 * number, 301 + 0.35 * number)
    assert [found.text for found in find_dimensions(board.sheet())] == ["40"] * 8
