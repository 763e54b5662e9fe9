"""Signs that are drawn as others on the sheet are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from spatial.knowledge.value_forms import UNREAD
from spatial.understanding.sheet.outlined.ink import find_ink
from spatial.understanding.sheet.outlined.lines import Line
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import find_rows
from spatial.understanding.sheet.outlined.same_drawing import settle_by_words, settle_same_drawing, with_drawn_alike
from spatial.understanding.sheet.outlined.spelled import Spelled
from tests.spatial.understanding.sheet.outlined.test_lines import alike
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen


def lines_of(words: Sequence[tuple[str, str]]) -> list[Line]:
    """A line of each word: as it is drawn, and as it was read."""
    pen = Pen([])
    for number, (drawn, _) in enumerate(words):
        pen.write(drawn, 100, 560 - 30 * number)
    sheet = pen.drawing().sheets[0]
    ink = find_ink(sheet, np.zeros(0, bool), np.ones(len(pen.lines), bool))
    rows = sorted(find_rows(ink), key=lambda row: -float(ink.boxes[row.glyphs[0][0], 1]))
    made = []
    for row, (drawn, said) in zip(rows, words, strict=True):
        assert len(row.glyphs) == len(drawn) == len(said)
        boxes = np.array([ink.boxes[glyph].mean(axis=0) for glyph in row.glyphs])
        seen = alike(said.replace(UNREAD, "A"))
        read = ReadRow(row, 0, boxes, seen, seen, boxes[0, 1], 10.0, True, (ink, row))
        spelled = [Spelled(sign, 0.0 if sign == UNREAD else 1.0) for sign in said]
        made.append(Line(read, [list(range(len(said)))], spelled, filled=False, pen=0.7))
    return made


def said(lines: Sequence[Line]) -> list[str]:
    return ["".join(line.signs()) for line in lines]


@pytest.mark.requirement("outlined.same-drawing")
@pytest.mark.parametrize(
    ("read", "told"),
    [
        (["HEZH", "EHT", f"TE{UNREAD}"], "TEH"),
        (["HEZH", "ENT", f"TE{UNREAD}"], f"TE{UNREAD}"),
        (["HEZH", "EKT", f"TE{UNREAD}"], f"TE{UNREAD}"),
    ],
    ids=["told", "too few", "of two letters"],
)
def test_a_sign_that_was_left_open_is_the_letter_that_is_drawn_so_in_other_lines(read: list[str], told: str) -> None:
    drawn = ["HEZH", "ENT" if read[1] == "ENT" else "EHT", "TEH"]
    lines = lines_of(list(zip(drawn, read, strict=True)))
    settle_same_drawing(lines)
    assert said(lines) == [*read[:2], told]


TOLD = [("REMARK", "REMARX"), ("KANTEN", "XANTEN"), ("TEKENAAR", "TEXENAAR")]


@pytest.mark.requirement("outlined.same-drawing")
def test_the_letter_of_a_shape_is_the_one_that_makes_words_of_what_is_none() -> None:
    lines = lines_of([*TOLD, ("KA7", "XA7"), ("TREATMENT", "TREATMENT")])
    settle_by_words(lines)
    assert said(lines) == ["REMARK", "KANTEN", "TEKENAAR", "KA7", "TREATMENT"]


@pytest.mark.requirement("outlined.same-drawing")
@pytest.mark.parametrize(
    "words",
    [TOLD[:2], [*TOLD, ("EKAEFT", "EXCEPT")], [*TOLD[:2], ("TEZENAAR", "TEXENAAR")]],
    ids=["two words", "a word as it was read", "another drawing"],
)
def test_a_letter_stays_where_few_words_speak_against_it_or_one_for_it(words: list[tuple[str, str]]) -> None:
    lines = lines_of(words)
    settle_by_words(lines)
    assert said(lines) == [read for _, read in words]


@pytest.mark.requirement("outlined.same-drawing")
@pytest.mark.parametrize(
    ("drawn", "others", "told"),
    [("H", ["HEZH", "EHT"], "H"), ("H", ["HEZ", "EHT"], UNREAD), ("K", ["HEZH", "EHT"], UNREAD)],
    ids=["told", "too few", "another letter"],
)
def test_a_letter_alone_is_the_one_that_is_drawn_so_in_lines_beyond_doubt(
    drawn: str, others: list[str], told: str
) -> None:
    alone, *good = lines_of([(drawn, UNREAD), *((each, each) for each in others)])
    assert said([with_drawn_alike(alone, good)]) == [told]
    assert said([alone]) == [UNREAD]
