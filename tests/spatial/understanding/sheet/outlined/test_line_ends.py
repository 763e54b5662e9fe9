"""Sizes that stand in the gap of their dimension line, at its arrowheads, or at the landing of a leader: these are no letters of them."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.models.sheet.drawing import Fill
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.ink import find_ink
from spatial.understanding.sheet.outlined.line_ends import find_line_ends, without_line_ends
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen
from tests.spatial.understanding.sheet.outlined.test_outlined_parts import STYLE, texts_of

HEAD, HALF = 7.0, 1.2
"""Length of an arrowhead and half of its width."""
MIDDLE = 203.0
"""Height at which the dimension line runs: the middle of letters that are 6 high and stand at 200."""


def sized(size: str = "47") -> Pen:
    """A sheet with a size at (320, 200) between two extension lines, at 303 and at 350, and two lines that say how it is lettered."""
    pen = Pen([(303.0, 190.0, 303.0, 240.0), (350.0, 190.0, 350.0, 240.0)])
    pen.write(STYLE, 100, 300)
    pen.write("74 77", 100, 100, 6.0)
    pen.write(size, 320, 200, 6.0)
    return pen


def arrowhead(tip: float, way: float, y: float = MIDDLE) -> list[tuple[float, float]]:
    back = tip - way * HEAD
    return [(tip, y), (back, y + HALF), (back, y - HALF)]


def filled(corners: list[tuple[float, float]]) -> Fill:
    return Fill(np.array([*corners, corners[0]]))


def drawn(corners: list[tuple[float, float]]) -> list[tuple[float, ...]]:
    """The wings of an open arrowhead."""
    return [(*corners[0], *corner) for corner in corners[1:]]


@pytest.mark.requirement("outlined.line-ends")
def test_the_pieces_of_a_dimension_line_on_both_sides_of_its_size_are_no_minus() -> None:
    pen = sized()
    pen.lines += [(310.0, MIDDLE, 317.0, MIDDLE), (343.0, MIDDLE, 333.0, MIDDLE)]
    sheet = pen.drawing().sheets[0]
    sheet.fills = [filled(arrowhead(303.0, -1.0)), filled(arrowhead(350.0, 1.0))]
    ink = find_ink(sheet, np.zeros(2, bool), np.ones(len(pen.lines), bool))
    assert np.flatnonzero(find_line_ends(sheet, ink)).tolist() == sorted(ink.strokes[-2:].tolist())
    sheet.fills = []
    assert not find_line_ends(sheet, ink).any(), "no arrowhead is before them"


@pytest.mark.requirement("outlined.line-ends")
def test_an_open_arrowhead_that_stands_close_to_a_size_is_no_letter_of_it() -> None:
    pen = sized()
    pen.lines += [(318.0, 190.0, 318.0, 240.0), (318.0, MIDDLE, 308.0, MIDDLE), *drawn(arrowhead(318.0, 1.0))]
    sheet = pen.drawing().sheets[0]
    ink = find_ink(sheet, np.zeros(0, bool), np.ones(len(pen.lines), bool))
    found = find_line_ends(sheet, ink)
    assert found.sum() == 1
    left = without_line_ends(sheet, ink)
    assert len(left.boxes) == len(ink.boxes) - 1
    assert (left.strokes[-2:] == -1).all(), "the wings are of no component"
    assert (left.strokes[2:-4] >= 0).all(), "the letters are"
    assert texts_of(pen) == [STYLE, "47", "74 77"]


@pytest.mark.requirement("outlined.line-ends")
@pytest.mark.parametrize("gone", ["line across", "shaft"])
def test_two_strokes_are_an_arrowhead_only_at_a_line_across_them_and_before_a_shaft(gone: str) -> None:
    wings, across, shaft = drawn(arrowhead(318.0, 1.0)), (318.0, 160.0, 318.0, 240.0), (318.0, MIDDLE, 278.0, MIDDLE)
    for lines, count in (([*wings, across, shaft], 1), ([*wings, shaft if gone == "line across" else across], 0)):
        sheet = Pen(list(lines)).drawing().sheets[0]
        ink = find_ink(sheet, np.zeros(0, bool), np.ones(len(lines), bool))
        assert find_line_ends(sheet, ink).sum() == count


@pytest.mark.requirement("outlined.line-ends")
def test_the_landing_of_a_leader_is_no_minus_of_what_it_says() -> None:
    pen = sized()
    pen.lines += [(310.0, MIDDLE, 318.0, MIDDLE), (310.0, MIDDLE, 260.0, 150.0)]
    assert texts_of(pen) == [STYLE, "47", "74 77"]


@pytest.mark.requirement("outlined.line-ends")
def test_a_minus_that_touches_nothing_stays_one() -> None:
    pen = sized()
    pen.lines.append((314.0, MIDDLE, 318.0, MIDDLE))
    [*_, number, _] = with_drawn_lettering(pen.drawing()).sheets[0].texts
    assert number.text == "-47"


@pytest.mark.requirement("outlined.line-ends")
@pytest.mark.parametrize(("half", "count"), [(7.0, 1), (4.0, 0)])
def test_an_extension_line_may_be_shorter_than_letters_are_on_other_sheets_but_not_than_arrowheads(
    half: float, count: int
) -> None:
    lines = [(318.0, MIDDLE - half, 318.0, MIDDLE + half), (311.0, MIDDLE, 304.0, MIDDLE)]
    sheet = Pen(list(lines)).drawing().sheets[0]
    sheet.fills = [filled(arrowhead(318.0, 1.0))]
    ink = find_ink(sheet, np.zeros(1, bool), np.array([False, True]))
    assert find_line_ends(sheet, ink).sum() == count


@pytest.mark.requirement("outlined.line-ends")
def test_a_filled_arrowhead_that_is_outlined_in_many_steps_is_an_end_of_a_line_with_its_shaft() -> None:
    back = 318.0 - HEAD
    wings = [(back, MIDDLE + side * HALF, 318.0, MIDDLE) for side in (1.0, -1.0)]
    lines = [
        (318.0, 160.0, 318.0, 240.0),
        (back, MIDDLE, 290.0, MIDDLE),
        *(step for wing in wings for step in steps(*wing)),
    ]
    sheet = Pen(lines).drawing().sheets[0]
    sheet.fills = [filled(arrowhead(318.0, 1.0))]
    sheet.strokes.width[:] = 0.1
    ink = find_ink(sheet, np.ones(1, bool), np.ones(len(lines), bool))
    assert len(ink.edges) > 40
    assert find_line_ends(sheet, ink).all()


def steps(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, ...]]:
    """A line in eight steps."""
    points = np.linspace((x0, y0), (x1, y1), 9)
    return [tuple(step) for step in np.concatenate([points[:-1], points[1:]], axis=1).tolist()]


@pytest.mark.requirement("outlined.line-ends")
def test_an_extension_line_no_longer_than_a_letter_is_an_end_of_a_line_with_its_arrowhead() -> None:
    wings, shaft, across = drawn(arrowhead(318.0, 1.0)), (318.0, MIDDLE, 306.0, MIDDLE), (318.0, 196.0, 318.0, 206.6)
    for lines, count in (
        ([*wings, shaft, across], 1),
        ([*wings, shaft, across, (318.0, 196.0, 312.0, 196.0)], 0),
        ([shaft, across], 0),
    ):
        sheet = Pen(list(lines)).drawing().sheets[0]
        ink = find_ink(sheet, np.zeros(0, bool), np.ones(len(lines), bool))
        assert find_line_ends(sheet, ink).sum() == count
