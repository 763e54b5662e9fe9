"""Shapes that only the reader of lines knows."""

from __future__ import annotations

import numpy as np
import pytest

from spatial.understanding.sheet.outlined.alignment import Cell
from spatial.understanding.sheet.outlined.ink import find_ink
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import find_rows
from spatial.understanding.sheet.outlined.taught_shapes import taught_signs
from tests.spatial.understanding.sheet.outlined.test_lines import alike, character
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen


def taught(words: list[tuple[str, str, str]]) -> list[dict[int, str]]:
    """What is taught of words: each as it is drawn, as the classifier sees it, and as the reader of lines does."""
    pen = Pen([])
    for number, (drawn, _, _) in enumerate(words):
        pen.write(drawn, 100, 500 - 40 * number)
    sheet = pen.drawing().sheets[0]
    ink = find_ink(sheet, np.zeros(0, bool), np.ones(len(pen.lines), bool))
    rows = sorted(find_rows(ink), key=lambda row: -float(ink.boxes[row.glyphs[0][0], 1]))
    assert [len(row.glyphs) for row in rows] == [len(drawn) for drawn, _, _ in words]
    reads, cells = [], []
    for row, (_, own, seen) in zip(rows, words, strict=True):
        boxes = np.array([ink.boxes[glyph].mean(axis=0) for glyph in row.glyphs])
        reads.append(ReadRow(row, 0, boxes, alike(own), alike(own), boxes[0, 1], 10.0, True, (ink, row)))
        cells.append([Cell((place,), character(sign, float(place))) for place, sign in enumerate(seen)])
    return [dict(signs) for signs in taught_signs(reads, cells)]


@pytest.mark.requirement("outlined.taught-shapes")
def test_a_shape_is_the_letter_that_line_after_line_has_in_its_place() -> None:
    lines = [("HEZH", "WEZW", "AEZA"), ("EHT", "EWT", "EAT"), ("TEHH", "TEWW", "TEAA"), ("NEH", "WEW", "WEA")]
    assert taught(lines) == [{0: "A", 3: "A"}, {1: "A"}, {2: "A", 3: "A"}, {2: "A"}]


@pytest.mark.requirement("outlined.taught-shapes")
def test_a_shape_that_is_two_letters_to_the_reader_of_lines_is_taught_as_none() -> None:
    assert not any(taught([("HEZH", "WEZW", "AEZA"), ("EHT", "EWT", "EAT"), ("TEHH", "TEWW", "TEAM")]))


@pytest.mark.requirement("outlined.taught-shapes")
def test_a_shape_that_stands_in_few_lines_is_taught_as_none() -> None:
    assert not any(taught([("HEHH", "WEWW", "AEAA"), ("HEHH", "WEWW", "AEAA")]))
