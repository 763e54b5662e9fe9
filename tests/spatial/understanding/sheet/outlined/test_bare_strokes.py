"""Bare strokes: the last letter of a word, and the stem of an i, whose dot may stand nearer to the line above."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from spatial.understanding.sheet.outlined.rows import find_rows
from spatial.understanding.sheet.outlined.spelling import spell
from tests.spatial.understanding.sheet.outlined.test_lines import read_as, with_boxes

STEP, WIDE = 11.0, 8.0


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
