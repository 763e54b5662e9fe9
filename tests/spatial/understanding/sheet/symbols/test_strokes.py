"""Signs that are drawn as strokes: drawn here at any angle and in the styles of several exporters, read back from a PDF."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from spatial.models.sheet.drawing import Arcs, Strokes, Text
from spatial.understanding.sheet.symbols.strokes import Ruling, boxed, find, struck
from tests.spatial.understanding.sheet.symbols.drawn import Pen, diameter

ANGLES = [0.0, 90.0, 180.0, 270.0, 37.0, 315.0]


def depth(pen: Pen, u: float = -0.9) -> None:
    pen.line((u - 0.5, 1), (u + 0.5, 1))
    pen.line((u, 1), (u, 0))
    pen.line((u - 0.35, 0.6), (u, 0), (u + 0.35, 0.6))


def depth_with_a_filled_head(pen: Pen, u: float = -0.9) -> None:
    pen.line((u - 0.5, 1), (u + 0.5, 1))
    pen.line((u, 1), (u, 0.1))
    pen.fill((u - 0.2, 0.5), (u, 0), (u + 0.2, 0.5))


def counterbore(pen: Pen, u: float = -1.2) -> None:
    pen.line((u - 0.7, 0.75), (u - 0.7, 0), (u + 0.7, 0), (u + 0.7, 0.75))


def wide_counterbore(pen: Pen) -> None:
    """Of AutoCAD's stroke fonts."""
    pen.line((-2.1, 1.0), (-2.1, 0.0), (-0.1, 0.0), (-0.1, 1.0))


def countersink(pen: Pen, u: float = -1.2) -> None:
    pen.line((u - 0.6, 0.8), (u, 0.05), (u + 0.6, 0.8))


def square(pen: Pen, u: float = -0.8) -> None:
    pen.line((u - 0.4, 0.05), (u + 0.4, 0.05), (u + 0.4, 0.85), (u - 0.4, 0.85), (u - 0.4, 0.05))


def plus_minus(pen: Pen, u: float = -0.6) -> None:
    pen.line((u - 0.35, 0.6), (u + 0.35, 0.6))
    pen.line((u, 0.25), (u, 0.95))
    pen.line((u - 0.35, 0.1), (u + 0.35, 0.1))


def texture_behind(pen: Pen) -> None:
    """Of Creo: the value over the short leg, the long one in two pieces."""
    places = ((0.6, -0.5), (1.75, -2.5), (2.9, -0.5), (4.05, 1.5))
    for begin, end in pairwise(places):
        pen.line(begin, end)


def texture(pen: Pen) -> None:
    pen.line((-2.0, 0.4), (-1.5, -0.45), (-0.5, 1.3), (4.0, 1.3))


def large_texture(pen: Pen) -> None:
    """Drawn for lettering half as large again, the value behind the long leg."""
    pen.line((-1.6, -0.9), (-3.9, -0.9), (-2.75, -2.9), (-0.2, 1.5), (5.0, 1.5))


SIGNS: dict[str, tuple[str, Callable[[Pen], None]]] = {
    "diameter": ("Ø", diameter),
    "depth": ("↧", depth),
    "depth, filled head": ("↧", depth_with_a_filled_head),
    "counterbore": ("⌴", counterbore),
    "counterbore, wide": ("⌴", wide_counterbore),
    "countersink": ("⌵", countersink),
    "square": ("□", square),
    "plus-minus": ("±", plus_minus),
    "texture": ("√", texture),
    "texture in three pieces": ("√", texture_behind),
    "large texture": ("√", large_texture),
}


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize("name", SIGNS)
def test_signs_before_a_number(name: str, angle: float) -> None:
    sign, draw = SIGNS[name]
    pen = Pen(angle)
    pen.write("12,5")
    draw(pen)
    symbols = find(pen.sheet())
    assert [symbol.text for symbol in symbols] == [sign]
    assert symbols[0].angle == angle
    assert symbols[0].entities


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("style", ["curves", "halves", "ellipse", "16", "24", "64"])
@pytest.mark.parametrize("height", [4.0, 9.0, 20.0])
def test_the_diameter_sign_in_every_style(style: str, height: float) -> None:
    pen = Pen(90.0, height, style)
    pen.write("10 H7")
    diameter(pen)
    assert pen.signs() == "Ø"


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
def test_brackets_and_degrees(angle: float) -> None:
    pen = Pen(angle)
    pen.write("45")
    pen.arc(-0.4 + 1.9, 0.5, 1.9, 155, 205)
    pen.arc(2.0 - 1.9, 0.5, 1.9, -25, 25)
    pen.circle(1.5, 1.0, 0.14)
    assert pen.signs() == "(°)"


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
@pytest.mark.parametrize(("up", "shown"), [(1.25, "°"), (1.5, "")])
def test_degrees_stand_at_the_top_of_the_capitals_or_just_over_it(angle: float, up: float, shown: str) -> None:
    pen = Pen(angle)
    pen.write("45")
    pen.circle(1.5, up, 0.14)
    assert pen.signs() == shown
    said = Pen(angle)
    said.write("45 °")
    said.circle(1.5, up, 0.14)
    assert said.signs() == "", "the text has it"


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
def test_brackets_of_a_few_chords(angle: float) -> None:
    pen = Pen(angle)
    pen.write("5.875")
    pen.line((-0.1, -0.15), (-0.26, 0.1), (-0.31, 0.51), (-0.26, 0.93), (-0.1, 1.18))
    pen.line((3.1, -0.15), (3.26, 0.1), (3.31, 0.51), (3.26, 0.93), (3.1, 1.18))
    assert pen.signs() == "()"


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
def test_square_brackets_round_the_size_in_the_other_unit(angle: float) -> None:
    pen = Pen(angle)
    pen.write(".343")
    pen.line((-0.05, -0.2), (-0.3, -0.2), (-0.3, 1.2), (-0.05, 1.2))
    pen.line((2.4, -0.2), (2.65, -0.2), (2.65, 1.2), (2.4, 1.2))
    assert pen.signs() == "[]"


@pytest.mark.requirement("strokes.signs")
def test_a_box_and_a_lone_bracket_are_no_square_brackets() -> None:
    pen = Pen()
    pen.write(".343")
    pen.line((-0.05, -0.2), (-0.3, -0.2), (-0.3, 1.2), (-0.05, 1.2))
    pen.line((3.0, -0.2), (2.4, -0.2), (2.4, 1.2), (3.0, 1.2), (3.0, -0.2))
    assert pen.signs() == ""


@pytest.mark.requirement("strokes.signs")
def test_a_texture_sign_on_its_head_has_its_value_under_its_bar() -> None:
    pen = Pen()
    pen.write("2.5")
    pen.line((-0.1, 1.12), (1.9, 1.12), (2.85, 2.78), (3.43, 1.8))
    assert pen.signs() == "√"
    assert find(pen.sheet())[0].angle == 180.0


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
def test_a_texture_sign_on_its_head_may_have_its_value_under_its_check(angle: float) -> None:
    pen = Pen(angle)
    pen.write("0.4")
    pen.line((2.0, 1.7), (-0.3, 1.7))
    pen.line((2.0, 1.7), (0.85, 3.7), (-1.7, -0.7))
    assert pen.signs() == "√"


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
def test_a_value_between_the_legs_of_a_texture_sign_does_not_cover_it(angle: float) -> None:
    pen = Pen(angle)
    pen.write("63")
    pen.line((-0.05, -0.15), (0.85, -1.15), (2.4, 0.95))
    assert pen.signs() == "√"


@pytest.mark.requirement("strokes.signs")
def test_a_zigzag_is_no_bracket() -> None:
    pen = Pen()
    pen.write("5.875")
    pen.line((-0.1, -0.15), (-0.5, 0.1), (-0.1, 0.51), (-0.5, 0.93), (-0.1, 1.18))
    pen.line((3.1, -0.15), (3.5, 0.1), (3.1, 0.51), (3.5, 0.93), (3.1, 1.18))
    assert pen.signs() == ""


@pytest.mark.requirement("strokes.lettering")
def test_a_comment_round_real_texts_does_not_hide_their_signs() -> None:
    pen = Pen()
    pen.write("4.0")
    wide_counterbore(pen)
    box = (*pen.at(-6.0, -0.7), *pen.at(6.0, 2.0))
    pen.texts.append(Text("comment", "v4.0", 1, (box[0], box[1]), 0.0, box[3] - box[1], box[2] - box[0], box))
    assert pen.signs() == "⌴"


@pytest.mark.requirement("strokes.together")
def test_a_counterbore_as_wide_as_signs_are_stands_before_a_diameter() -> None:
    pen = Pen()
    pen.write("11")
    diameter(pen)
    pen.line((-5.13, 1.05), (-5.13, -0.1), (-2.76, -0.1), (-2.76, 1.05))
    assert pen.signs() == "⌴Ø"


@pytest.mark.requirement("strokes.together")
def test_several_signs_before_one_number() -> None:
    pen = Pen(37.0)
    pen.write("18")
    pen.write("THRU", 3.0)
    diameter(pen)
    counterbore(pen, -2.4)
    depth(pen, 2.2)
    assert pen.signs() == "⌴Ø↧"


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", [0.0, 90.0, 37.0])
@pytest.mark.parametrize("parts", [(0.65,), (0.3, 0.7), (0.2,)])
def test_the_slash_of_the_diameter_sign_may_be_drawn_in_parts(angle: float, parts: tuple[float, ...]) -> None:
    pen = Pen(angle)
    pen.write("42")
    pen.circle(-0.8, 0.5, 0.42)
    for begin, end in pairwise((0.0, *parts, 1.0)):
        pen.line(*((-1.07 + 0.54 * at, -0.2 + 1.4 * at) for at in (begin, end)))
    assert pen.signs() == "Ø"


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize(
    "lines",
    [
        (((-1.07, -0.2), (-0.8, 0.5)),),  # half of a slash
        (((-1.07, -0.2), (-0.9, 0.24)), ((-0.7, 0.76), (-0.53, 1.2))),  # a gap in the circle
        (((-1.07, -0.2), (-0.8, 0.5)), ((-0.8, 0.5), (-0.2, 0.9))),  # a bend
    ],
)
def test_strokes_at_a_circle_that_are_no_one_line_through_it_are_no_slash(
    lines: tuple[tuple[tuple[float, float], tuple[float, float]], ...],
) -> None:
    pen = Pen()
    pen.write("42")
    pen.circle(-0.8, 0.5, 0.42)
    for line in lines:
        pen.line(*line)
    assert pen.signs() == ""


@pytest.mark.requirement("strokes.together")
def test_a_sign_in_a_gap_within_a_text() -> None:
    pen = Pen()
    pen.write("4 x     6.6")
    diameter(pen, 3.2)
    assert pen.signs() == "Ø"


@pytest.mark.requirement("strokes.circled")
def test_a_letter_in_a_circle_is_a_sign_in_line_with_a_number() -> None:
    pen = Pen(90.0)
    pen.write("0.2")
    pen.write("M", 2.7)
    pen.circle(3.0, 0.5, 0.8)
    assert pen.signs() == "Ⓜ"


@pytest.mark.requirement("strokes.circled")
def test_a_balloon_is_no_sign() -> None:
    pen = Pen()
    pen.write("0.2", -12.0)
    pen.write("M", 2.7)
    pen.circle(3.0, 0.5, 0.9)
    assert not pen.signs()


def hole(pen: Pen) -> None:
    pen.circle(-1.0, 0.5, 0.5)
    pen.line((-1.8, 0.5), (-0.2, 0.5))
    pen.line((-1.0, -0.3), (-1.0, 1.3))


def hole_with_turned_centre_lines(pen: Pen) -> None:
    pen.circle(-1.0, 0.5, 0.5)
    pen.line((-1.6, -0.1), (-0.4, 1.1))
    pen.line((-1.6, 1.1), (-0.4, -0.1))


def hatch(pen: Pen) -> None:
    for step in range(40):
        pen.line((-6 + 0.3 * step, -2), (-4.5 + 0.3 * step, 2.5))


def hatched_hole(pen: Pen) -> None:
    pen.circle(-0.7, 0.5, 0.36)
    for off in (-0.24, -0.12, 0.0, 0.12, 0.24):
        half, (u, v) = math.sqrt((0.36**2 - off**2) / 2), (-0.7 + off / math.sqrt(2), 0.5 - off / math.sqrt(2))
        pen.line((u - half, v - half), (u + half, v + half))


def table(pen: Pen) -> None:
    for row in range(5):
        pen.line((-2, 1.5 - 2 * row), (4, 1.5 - 2 * row))
    for column in (-2, -0.4, 4):
        pen.line((column, 1.5), (column, -6.5))


def slot(pen: Pen) -> None:
    pen.arc(-0.5, 0.5, 0.8, 90, 270)
    pen.arc(3.0, 0.5, 0.8, -90, 90)
    pen.line((-0.5, 1.3), (3.0, 1.3))
    pen.line((-0.5, -0.3), (3.0, -0.3))


def groove(pen: Pen) -> None:
    pen.line((-9, 0.8), (-2.0, 0.8), (-1.4, 0.05), (-0.8, 0.8), (6, 0.8))


NO_SIGNS = [hole, hole_with_turned_centre_lines, hatch, hatched_hole, table, slot, groove]


@pytest.mark.requirement("strokes.geometry")
@pytest.mark.parametrize("angle", [0.0, 90.0, 37.0])
@pytest.mark.parametrize("draw", NO_SIGNS)
def test_geometry_beside_a_number_is_no_sign(draw: Callable[[Pen], None], angle: float) -> None:
    pen = Pen(angle)
    pen.write("12,5")
    draw(pen)
    assert not pen.signs()


@pytest.mark.requirement("strokes.geometry")
def test_signs_far_from_lettering_are_geometry() -> None:
    pen = Pen()
    pen.write("12,5", 20.0, 9.0)
    diameter(pen)
    square(pen, 5.0)
    assert not pen.signs()


@pytest.mark.requirement("strokes.lettering")
def test_strokes_that_the_text_says_already_are_no_signs() -> None:
    pen = Pen()
    pen.write("Ø12,5", -1.1)
    pen.write("7")
    diameter(pen, -0.8)
    assert not pen.signs()


@pytest.mark.requirement("strokes.boxed")
@pytest.mark.parametrize("angle", [0.0, 90.0, 180.0, 270.0])
def test_a_tight_rectangle_is_a_box(angle: float) -> None:
    pen = Pen(angle)
    pen.write("90.00")
    pen.line((-0.3, -0.4), (3.3, -0.4), (3.3, 1.4), (-0.3, 1.4), (-0.3, -0.4))
    sheet = pen.sheet()
    assert boxed(sheet, pen.texts[0].box, angle)
    assert Ruling(sheet).boxed(pen.texts[0].box, angle)
    assert not struck(sheet, pen.texts[0].box, angle)


@pytest.mark.requirement("strokes.boxed")
def test_a_far_larger_cell_is_no_box() -> None:
    pen = Pen()
    pen.write("90.00")
    pen.line((-5, -2), (12, -2), (12, 3), (-5, 3), (-5, -2))
    assert not boxed(pen.sheet(), pen.texts[0].box)


@pytest.mark.requirement("strokes.struck")
@pytest.mark.parametrize("angle", [0.0, 90.0])
@pytest.mark.parametrize(("low", "expected"), [(0.5, True), (-0.25, False)])
def test_a_line_through_a_value(angle: float, low: float, expected: bool) -> None:
    pen = Pen(angle)
    pen.write("90.00")
    pen.line((-0.2, low), (3.2, low))
    sheet = pen.sheet()
    assert struck(sheet, pen.texts[0].box, angle) is expected
    assert Ruling(sheet).struck(pen.texts[0].box, angle) is expected


@pytest.mark.requirement("strokes.many")
def test_a_hundred_thousand_strokes() -> None:
    pen = Pen()
    pen.write("12,5")
    diameter(pen)
    sheet = pen.sheet()
    random = np.random.default_rng(7)
    begin = random.uniform(0, 6000, (100_000, 2))
    ends = np.concatenate([begin, begin + random.uniform(-6, 6, (100_000, 2))], axis=1)
    many = len(ends)
    flags = np.zeros(many, bool)
    sheet.strokes = Strokes(
        np.concatenate([sheet.strokes.ends, ends]),
        np.zeros(many + len(sheet.strokes.ends)),
        np.full(many + len(sheet.strokes.ends), -1),
        flags,
        flags,
    )
    for place in range(2000):
        x, y = 3 * place % 6000, 1000 + 40 * (place // 20)
        sheet.texts.append(Text(f"t{place}", "7.5", 1, (x, y), 0.0, 9.0, 16.0, (x, y, x + 16, y + 9)))
    began = time.process_time()
    find(sheet)
    assert time.process_time() - began < 20.0


@pytest.mark.requirement("strokes.damage")
def test_damage_gives_no_signs_and_no_error() -> None:
    pen = Pen()
    assert find(pen.sheet()) == []
    pen.write("12")
    diameter(pen)
    sheet = pen.sheet()
    sheet.strokes.ends[0] = np.nan
    sheet.texts.append(Text("bad", "9", 1, (np.inf, 0.0), 0.0, 9.0, 5.0, (0, 0, 1, 1)))
    sheet.texts.append(Text("flat", "9", 1, (0.0, 0.0), 0.0, 0.0, 5.0, (0, 0, 1, 1)))
    sheet.arcs.circles[0] = np.nan
    assert find(sheet) == []
    assert not boxed(sheet, (0, 0, 0, 0))


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
def test_a_circle_of_arcs_and_the_chords_between_them_is_one(angle: float) -> None:
    pen = Pen(angle)
    pen.write("200.00")
    u, v, radius = -0.8, 0.5, 0.42
    spans = [(5.0, 160.0), (185.0, 340.0)]
    for begin, end in ((160.0, 172.0), (172.0, 185.0), (340.0, 352.0), (352.0, 365.0)):
        turns = np.radians((begin, end)).tolist()
        pen.line(*((u + radius * np.cos(turn), v + radius * np.sin(turn)) for turn in turns))
    pen.line((u - 0.27, -0.2), (u + 0.27, 1.2))
    sheet = pen.sheet()
    sheet.arcs = Arcs(
        np.array([[*pen.at(u, v), radius * pen.height, begin + angle, end + angle] for begin, end in spans]),
        np.zeros(2), np.arange(2) + 100, np.zeros(2, bool),
    )  # fmt: skip
    assert [symbol.text for symbol in find(sheet)] == ["Ø"]
    sheet.arcs = Arcs(sheet.arcs.circles[:1], np.zeros(1), np.arange(1), np.zeros(1, bool))
    assert find(sheet) == []


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("angle", ANGLES)
def test_a_plus_minus_may_be_a_third_higher_than_the_lettering_says(angle: float) -> None:
    pen = Pen(angle)
    pen.write("3.6", -2.9)
    pen.write("0.25")
    pen.line((-0.6, 0.0), (-0.6, 1.4))
    pen.line((-1.25, 0.7), (0.05, 0.7))
    pen.line((-1.25, 0.0), (0.05, 0.0))
    assert pen.signs() == "±"


@pytest.mark.requirement("strokes.signs")
@pytest.mark.parametrize("rise", [-0.6, 0.6])
def test_the_diameter_sign_half_a_line_off_as_before_two_limits(rise: float) -> None:
    pen = Pen()
    pen.write("4.80")
    pen.circle(-0.9, 0.5 + rise, 0.4)
    pen.line((-1.2, rise - 0.1), (-0.6, 1.1 + rise))
    assert pen.signs() == "Ø"
