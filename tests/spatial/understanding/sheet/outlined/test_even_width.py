"""Bare strokes in lettering whose letters all take the same width: they stand a whole step from each other, further than letters do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.completion import complete
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import Row, find_rows
from spatial.understanding.sheet.outlined.spelling import spell
from tests.spatial.understanding.sheet.outlined.test_lines import read_as, with_boxes

STEP, WIDE, HIGH = 11.0, 8.0, 10.0


def letter(place: float, base: float, wide: float = WIDE) -> list[float]:
    """The box of a letter or a stroke whose middle is this many steps from the left."""
    middle = STEP * place
    return [middle - wide / 2, base, middle + wide / 2, base + HIGH]


def joined(stroke: float, *, others: int = 5) -> list[list[int]]:
    """The rows that are of one line: an l that ends one, a bare stroke this many steps from the left, and letters behind it.

    others: how many lines of the sheet are of letters at even steps.
    """
    boxes = [
        letter(0, 0),
        letter(1, 0),
        letter(2, 0),
        letter(3, 0, 0.0),
        letter(5, 0),
        letter(6, 0),
        letter(stroke, 0, 0.0),
    ]
    members = [[0, 1, 2, 3], [4, 5]]
    for number in range(others):
        members.append([len(boxes) + place for place in range(6)])
        boxes += [letter(place, 40.0 + 30 * number) for place in range(6)]
    placed = np.array(boxes)
    ink = with_boxes(placed, np.full(len(placed), 0.5))
    reads = [_row(ink, placed, places) for places in members]
    return [sorted(rows) for rows, _ in complete(ink, reads, np.ones(len(reads), bool))]


def _row(ink: Ink, boxes: Array, places: list[int]) -> ReadRow:
    read, own = read_as("H" * len(places)), boxes[places]
    row = Row(0, [[place] for place in places], HIGH)
    return replace(read, row=row, boxes=own, baseline=float(own[0, 1]), drawn=(ink, row))


@pytest.mark.requirement("outlined.lines")
def test_a_bare_stroke_one_step_behind_another_one_is_of_its_line() -> None:
    assert joined(4.0) == [[0, 1]]


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(("stroke", "others"), [(3.8, 5), (4.3, 5), (4.0, 0)], ids=["near", "far", "uneven lettering"])
def test_a_bare_stroke_off_the_steps_is_of_no_line(stroke: float, others: int) -> None:
    assert [0, 1] not in joined(stroke, others=others)


@pytest.mark.requirement("outlined.words")
@pytest.mark.parametrize(("signs", "said"), [("ReI", "Rel"), ("DetaI.", "Detal."), ("REI", "REI"), ("FIn", "FIn")])
def test_no_capital_ends_a_word_behind_a_small_letter(signs: str, said: str) -> None:
    read = replace(read_as(signs), framed=False)
    assert "".join(each.sign for each in spell(read, [list(range(len(signs)))], cyrillic=False)) == said


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize("off", [0.0, 3.0])
def test_the_dot_of_an_i_is_of_its_line_where_the_one_above_is_nearer(off: float) -> None:
    low = [[STEP * place, 0.0, STEP * place + (0.0 if place == 2 else WIDE), 7.0] for place in range(5)]
    above = [[STEP * place, 11.0, STEP * place + WIDE, 21.0] for place in range(5)]
    dot = [2 * STEP + off - 0.4, 9.4, 2 * STEP + off + 0.4, 10.2]
    ink = with_boxes(np.array([*low, *above, dot]), np.full(11, 0.5))
    ink.largest = 36.0
    [own] = [row for row in find_rows(ink) if 10 in row.pieces]
    assert (2 in own.pieces) is (off == 0.0)
