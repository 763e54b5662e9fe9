"""The characteristics in the cells of feature control frames."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tests.spatial.understanding.sheet.symbols.drawn import Pen, diameter


def frame(pen: Pen) -> None:
    pen.write("0,02")
    pen.write("A", 3.5)
    pen.line((-2.6, -0.5), (5, -0.5), (5, 1.5), (-2.6, 1.5), (-2.6, -0.5))
    pen.line((-0.6, -0.5), (-0.6, 1.5))
    pen.line((3.0, -0.5), (3.0, 1.5))


CHARACTERISTICS: dict[str, list[tuple[Any, ...]]] = {
    "⌖": [("circle", -1.6, 0.5, 0.4), ("line", (-2.3, 0.5), (-0.9, 0.5)), ("line", (-1.6, -0.2), (-1.6, 1.2))],
    "◎": [("circle", -1.6, 0.5, 0.7), ("circle", -1.6, 0.5, 0.4)],
    "○": [("circle", -1.6, 0.5, 0.6)],
    "⌭": [("circle", -1.6, 0.5, 0.4), ("line", (-2.3, 0), (-1.7, 1.2)), ("line", (-1.5, -0.2), (-0.9, 1))],
    "⏥": [("line", (-2.3, 0.1), (-1.3, 0.1), (-0.9, 0.9), (-1.9, 0.9), (-2.3, 0.1))],
    "⏤": [("line", (-2.3, 0.5), (-0.9, 0.5))],
    "∥": [("line", (-2.1, -0.1), (-1.6, 1.1)), ("line", (-1.6, -0.1), (-1.1, 1.1))],
    "⊥": [("line", (-2.3, -0.1), (-0.9, -0.1)), ("line", (-1.6, -0.1), (-1.6, 1.1))],
    "∠": [("line", (-1.0, 0.8), (-2.3, 0.1), (-0.9, 0.1))],
    "⌯": [("line", (-2, 0.1), (-1.2, 0.1)), ("line", (-2.3, 0.5), (-0.9, 0.5)), ("line", (-2, 0.9), (-1.2, 0.9))],
    "＝": [("line", (-2.3, 0.2), (-0.9, 0.2)), ("line", (-2.3, 0.8), (-0.9, 0.8))],
    "⌒": [("arc", -1.6, 0.2, 0.65, 0, 180)],
    "⌓": [("arc", -1.6, 0.2, 0.65, 0, 180), ("line", (-2.25, 0.2), (-0.95, 0.2))],
    "↗": [("arrow", -1.6)],
    "⌰": [("arrow", -1.9), ("arrow", -1.2), ("line", (-2.3, -0.1), (-1.6, -0.1))],
}


@pytest.mark.requirement("strokes.characteristics")
@pytest.mark.parametrize("angle", [0.0, 90.0, 37.0])
@pytest.mark.parametrize("sign", CHARACTERISTICS)
def test_characteristics_in_a_frame(sign: str, angle: float) -> None:
    pen = Pen(angle)
    frame(pen)
    for name, *where in CHARACTERISTICS[sign]:
        getattr(pen, name)(*where)
    assert pen.signs() == sign


@pytest.mark.requirement("strokes.characteristics")
@pytest.mark.parametrize("sign", ["⏥", "⏤", "⊥", "⌖"])
def test_the_sides_of_the_cell_may_be_dashes(sign: str) -> None:
    pen = Pen(0.0)
    pen.write("0,02")
    for step in range(13):
        u = -2.6 + 0.44 * step
        for v in (-0.5, 1.5):
            pen.line((u, v), (u + 0.32, v))
    for u in (-2.6, -0.6, 3.0):
        pen.line((u, -0.5), (u, 0.25))
        pen.line((u, 0.75), (u, 1.5))
    for name, *where in CHARACTERISTICS[sign]:
        getattr(pen, name)(*where)
    assert pen.signs() == sign


@pytest.mark.requirement("strokes.characteristics")
@pytest.mark.parametrize("foot", [-2.5, -0.5])
def test_a_side_may_go_on_along_the_frame_under_it(foot: float) -> None:
    pen = Pen(0.0)
    pen.write("0,02")
    pen.line((3.0, 1.5), (-2.6, 1.5), (-2.6, foot), (3.0, foot))
    pen.line((-2.6, -0.5), (3.0, -0.5))
    pen.line((-0.6, -0.5), (-0.6, 1.5))
    for name, *where in CHARACTERISTICS["∥"]:
        getattr(pen, name)(*where)
    assert pen.signs() == "∥"


@pytest.mark.requirement("strokes.characteristics")
def test_three_sides_of_a_cell_drawn_in_one_are_no_arc_through_its_corners() -> None:
    pen = Pen(0.0)
    pen.write("0,02")
    pen.line((-0.6, 1.5), (-2.6, 1.5), (-2.6, -0.5), (-0.6, -0.5))
    pen.line((3.0, 1.5), (-0.6, 1.5), (-0.6, -0.5), (3.0, -0.5), (3.0, 1.5))
    for name, *where in CHARACTERISTICS["⌖"]:
        getattr(pen, name)(*where)
    assert pen.signs() == "⌖"


@pytest.mark.requirement("strokes.characteristics")
@pytest.mark.parametrize("angle", [0.0, 90.0])
def test_arrows_of_a_runout_may_have_heads_in_outlines(angle: float) -> None:
    circular, total = Pen(angle), Pen(angle)
    for pen, places in ((circular, (-1.6,)), (total, (-1.95, -1.25))):
        frame(pen)
        for u in places:
            pen.arrow_with_head(u)
    total.line((-2.55, -0.1), (-1.85, -0.1))
    assert circular.signs() == "↗" and total.signs() == "⌰"


@pytest.mark.requirement("strokes.characteristics")
def test_a_circle_of_chords_that_are_drawn_there_and_back_twice_over() -> None:
    pen = Pen(style="22")
    frame(pen)
    turns = np.radians(np.linspace(0, 720, 45)).tolist()
    points = [(-1.6 + 0.7 * np.cos(turn), 0.5 + 0.7 * np.sin(turn)) for turn in turns]
    for one, other in pairwise(points):
        pen.line(one, other, one)
    assert pen.signs() == "○"


@pytest.mark.requirement("strokes.characteristics")
def test_a_diameter_zone_in_a_frame() -> None:
    pen = Pen()
    pen.write("0,02")
    pen.line((-4.2, -0.5), (3, -0.5), (3, 1.5), (-4.2, 1.5), (-4.2, -0.5))
    pen.line((-2.2, -0.5), (-2.2, 1.5))
    pen.circle(-3.2, 0.5, 0.7)
    pen.circle(-3.2, 0.5, 0.4)
    diameter(pen)
    assert pen.signs() == "◎Ø"


@pytest.mark.requirement("strokes.characteristics")
@pytest.mark.parametrize("below", [False, True])
def test_a_characteristic_in_a_cell_as_high_as_two_lines(below: bool) -> None:
    low, high = (-2.5, 1.5) if below else (-0.5, 3.5)
    pen = Pen()
    pen.write("0,02")
    pen.line((-2.6, low), (3, low), (3, high), (-2.6, high), (-2.6, low))
    pen.line((-0.6, -0.5), (-0.6, 1.5))
    pen.line(*(((-0.6, -0.5), (-0.6, low)) if below else ((-0.6, 1.5), (-0.6, high))))
    middle = (low + high) / 2
    pen.circle(-1.6, middle, 0.4)
    pen.line((-2.3, middle), (-0.9, middle))
    pen.line((-1.6, middle - 0.7), (-1.6, middle + 0.7))
    assert pen.signs() == "⌖"


@pytest.mark.requirement("strokes.characteristics")
@pytest.mark.parametrize(("wide", "sign"), [(3.0, "⏤"), (5.0, "")])
def test_a_line_in_a_wide_cell_is_no_characteristic(wide: float, sign: str) -> None:
    pen = Pen()
    pen.write("0,02")
    left = -0.6 - wide
    pen.line((left, -0.5), (3, -0.5), (3, 1.5), (left, 1.5), (left, -0.5))
    pen.line((-0.6, -0.5), (-0.6, 1.5))
    pen.line((left / 2 - 1.0, 0.5), (left / 2 + 0.4, 0.5))
    assert pen.signs() == sign
