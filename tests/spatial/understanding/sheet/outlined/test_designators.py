"""Figures behind the letters of designators, which words of letters look like, and rows of equal shapes, which are no words."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.designators import settle_designators
from spatial.understanding.sheet.outlined.lines import Line, certain_lines, good_lines
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import Row
from spatial.understanding.sheet.outlined.same_shape import SameShapes
from spatial.understanding.sheet.outlined.spelled import Spelled
from tests.spatial.understanding.sheet.outlined.test_signs_beside_letters import spelled, sure

ZERO, OPEN, LETTER = 0.62, 0.67, 0.75
"""Widths over heights of the zeros of a sheet, of what may be either, and of its capital O."""


def line(text: str, width: float = OPEN, share: float = 0.4, flag: float = 0.99) -> Line:
    """A line that was read as `text`, whose O and 0 are as wide, and alike, as told. flag: chance of a 1 of its stems."""
    chances = np.zeros((len(text), len(CLASSES)), np.float32)
    boxes = np.zeros((len(text), 4))
    for place, sign in enumerate(text):
        boxes[place] = place, 0.0, place + (width if sign in "O0" else 0.6), 1.0
        of = (
            {"0": share, "O": 1.0 - share}
            if sign in "O0"
            else {"1": flag, "l": 1.0 - flag}
            if sign in "1l"
            else {sign: 1.0}
        )
        for each, chance in of.items():
            chances[place, CLASSES.index(each)] = chance
    row = Row(0, [[place] for place in range(len(text))], 1.0)
    read = ReadRow(row, 0, boxes, chances, chances, 0.0, 1.0, True)
    return Line(read, [list(range(len(text)))], [Spelled(sign, 0.99) for sign in text], False, 0.5)


def settled(*lines: Line) -> list[str]:
    settle_designators(lines, SameShapes.of(lines))
    return ["".join(each.signs()) for each in lines]


SHAPES = (line("10.50", ZERO), line("2.07", ZERO), line("MOTOR", LETTER), line("BOARD", LETTER))


@pytest.mark.requirement("outlined.designators")
def test_a_stroke_with_a_flag_behind_capitals_is_a_figure_whatever_word_they_make_with_a_letter() -> None:
    one = {"1": 0.99, "l": 0.01}
    assert spelled([*sure("E"), one]) == "E1"
    assert spelled([*sure("F"), one, {"0": 0.98, "O": 0.02}]) == "F10"
    assert spelled([*sure("N"), {"O": 0.7, "0": 0.3}]) == "NO"


@pytest.mark.requirement("outlined.designators")
def test_a_ring_behind_capitals_is_a_zero_where_the_page_counts_from_it() -> None:
    assert settled(line("EO"), line("E1"))[0] == "E0"
    assert settled(line("EO"), line("F1"))[0] == "EO"
    assert settled(line("(PDO)"), line("PD7", share=0.6))[0] == "(PDO)"
    assert settled(line("(PDO)", share=0.6), line("PD7"))[0] == "(PD0)"
    assert settled(line("NO"), line("N1"))[0] == "NO"


@pytest.mark.requirement("outlined.designators")
def test_the_shape_of_the_zeros_of_the_page_tells_the_zero_of_a_designator() -> None:
    assert settled(line("(AO)", ZERO, share=0.05), line("A3"), *SHAPES)[0] == "(A0)"
    assert settled(line("EO", LETTER, share=0.9), line("E1"), *SHAPES)[0] == "EO"
    assert settled(line("KO", ZERO, share=0.7), *SHAPES)[0] == "K0"
    assert settled(line("LOGO", ZERO, share=0.7), *SHAPES)[0] == "LOGO"


@pytest.mark.requirement("outlined.designators")
def test_a_row_of_equal_shapes_is_no_word() -> None:
    rows, text = [line("ZZZZZL"), line("WWWW")], line("MATTE47")
    assert good_lines([*rows, text], certain_lines([*rows, text])) == [text]
    assert rows[0].is_pattern
    assert not line(".XXXX").is_pattern
    assert not line("10000").is_pattern


@pytest.mark.requirement("outlined.deviations")
def test_a_deviation_right_behind_its_size_and_smaller_is_lettering_however_few_lines_are_as_high() -> None:
    text, size, deviation = line("MATTE47"), line("74.5"), line("-0.2")
    deviation.read.height = 0.6
    for off, is_read in ((3.9, True), (5.9, False)):
        deviation.read.boxes = np.array([(0.6 * x, 0.0, 0.6 * x + 0.36, 0.6) for x in range(4)])
        deviation.read.boxes[:, [0, 2]] += off
        good = good_lines([size, deviation, text], certain_lines([text]))
        assert (id(deviation) in map(id, good)) == is_read
