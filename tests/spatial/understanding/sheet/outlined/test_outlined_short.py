"""Short lines of drawn lettering: numbers in brackets, units, words upside down, single letters between words, slanted GOST letters."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pymupdf as _pymupdf
import pytest

from spatial.models.sheet.drawing import Fill
from spatial.understanding.sheet.outlined.agreement import is_overturned
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.ink import find_ink
from spatial.understanding.sheet.outlined.lines import glyphs_read
from spatial.understanding.sheet.outlined.read_character import ReadCharacter
from spatial.understanding.sheet.outlined.recognise import ReadRow, in_frames_of, in_usual_directions
from spatial.understanding.sheet.outlined.spelling import vocabulary_words
from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import STROKES, Pen, lettered, page

pymupdf: Any = _pymupdf
LONG = "MATERIAL OF THE HOUSING AND CONTACTS"
"""A line that says how the sheet is lettered."""


def read(*lines: str) -> list[str]:
    """The texts of lines that are printed as outlines."""
    return [text.text for text in lettered(as_outlines(page((LONG, *lines)))).sheets[0].texts]


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize(
    "line",
    [
        "0.33[.013]",
        "11.43±0.05",
        "(3/11)",
        "R11",
        "1.10",
        "100 kHz",
        "color.",
        "temp rise.",
        "[.000050]",
        "1:1",
        "1 : 1",
        "1:10",
        "+0",
        "R.030 X 8",
        "10u MIN",
        "1000/BAG",
        "+85°C",
        "±.005 [±0.15]",
    ],
)
def test_a_short_line_is_read_as_it_was_printed(line: str) -> None:
    assert " ".join(read(line)[1:]) == line


@pytest.mark.requirement("outlined.read")
def test_a_letter_or_digit_alone_between_words_is_read() -> None:
    assert " ".join(
        read("Held for 1 minute at a working voltage", "Category B, degree 2, defined by IEC61010-1")[1:]
    ) == ("Held for 1 minute at a working voltage Category B, degree 2, defined by IEC61010-1")


def ring(left: float, low: float, width: float, height: float) -> list[tuple[float, float]]:
    """A closed ellipse of straight pieces."""
    turns = [2 * math.pi * place / 16 for place in range(17)]
    return [(left + width * (1 + math.cos(turn)) / 2, low + height * (1 + math.sin(turn)) / 2) for turn in turns]


BOWL = [(0.0, 0.7), (0.0, 0.2), (0.05, 0.06), (0.18, 0.0), (0.3, 0.0), (0.42, 0.06), (0.47, 0.2), (0.47, 0.7)]
LOOP = [(0.0, 0.35), (0.0, 0.88), (0.05, 0.97), (0.15, 1.0), (0.25, 0.97), (0.3, 0.88), (0.27, 0.78), (0.06, 0.58)]
GOST = {
    "а": [ring(0, 0, 0.47, 0.7), [(0.47, 0.7), (0.47, 0.0)]],
    "б": [ring(0, 0, 0.47, 0.7), [(0.02, 0.45), (0.06, 0.62), (0.4, 1.0), (0.0, 1.0)]],
    "в": [ring(0, 0, 0.47, 0.7), LOOP],
    "д": [ring(0, 0, 0.47, 0.7), [(0.47, 0.35), (0.47, 0.85), (0.4, 0.96), (0.3, 1.0), (0.05, 1.0)]],
    "и": [BOWL, [(0.47, 0.2), (0.47, 0.0)]],
    "й": [BOWL, [(0.47, 0.2), (0.47, 0.0)], [(0.12, 1.0), (0.36, 1.0)]],
    "о": [ring(0, 0, 0.47, 0.7)],
}  # fmt: skip
"""Small letters of GOST 2.304-81, type B, in capital heights."""

SQUARE = [(0.0, 0.0), (0.12, 0.0), (0.12, 0.12), (0.0, 0.12), (0.0, 0.0)]
POINT = [SQUARE, [(0.04 + x / 3, 0.04 + y / 3) for x, y in SQUARE]]
"""A full stop of two outlines, one within the other: some programs fill a point by going around it twice."""


def drawn(words: tuple[str, ...], slant: float = 0.268) -> list[str]:
    """The texts of words of these letters, one under the other."""
    pen = Pen([])
    for row, word in enumerate(words):
        x = 100.0
        for letter in word:
            for corners in POINT if letter == "." else GOST[letter]:
                points = [(x + 14 * (a + slant * b), 300 - 30 * row + 14 * b) for a, b in corners]
                pen.lines += [(*one, *two) for one, two in itertools.pairwise(points)]
            x += 0.67 * 14
    return [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts]


@pytest.mark.requirement("outlined.strokes")
def test_a_point_that_is_drawn_twice_is_one() -> None:
    words = ("водой.", "ибави", "бидоидай", "обвивай.", "воваов")
    assert drawn(words) == list(words)


@pytest.mark.requirement("outlined.strokes")
def test_slanted_letters_of_gost_are_read() -> None:
    words = ("водой", "ибави", "бидоидай", "обвивай", "воваов")
    assert drawn(words) == list(words)


WORDS = ("MATTE 47", "HEFT 747", "ZEHN FETT", "KATZEN", "NAHTE 4", "HEMMEN")


def rows_of(words: tuple[str, ...]) -> list[ReadRow]:
    """The rows of words under each other, as their glyphs are read."""
    pen = Pen([])
    for number, word in enumerate(words):
        pen.write(word, 100, 400 - 30 * number)
    sheet = pen.drawing().sheets[0]
    return glyphs_read(find_ink(sheet, np.zeros(0, bool), np.ones(len(sheet.strokes.ends), bool)))


@pytest.mark.requirement("outlined.turned")
def test_a_doubtful_row_stands_as_the_rows_beyond_doubt_do() -> None:
    rows = rows_of(WORDS)
    assert all(row.quarter == 0 and row.certainty > 0.97 for row in rows)
    [overturned] = in_frames_of(rows[:1], [2])
    assert overturned.certainty < 0.97
    assert [row.quarter for row in in_usual_directions([overturned, *rows[1:]])] == [0] * len(rows)
    assert in_usual_directions([overturned, *rows[1:4]])[0].quarter == 2, "three rows are too few"
    others = [replace(row, quarter=2) for row in rows[1:]]
    assert in_usual_directions([overturned, *others])[0].quarter == 2, "the sheet is lettered upside down"


EIGHT = [
    (0.17, 0.5), (0.0, 0.66), (0.0, 0.83), (0.17, 1.0), (0.5, 1.0), (0.68, 0.83), (0.68, 0.66), (0.5, 0.5),
    (0.68, 0.34), (0.68, 0.17), (0.5, 0.0), (0.17, 0.0), (0.0, 0.17), (0.0, 0.34), (0.17, 0.5), (0.5, 0.5),
]  # fmt: skip
TXT = {
    "0": [(0.14, 0.0), (0.0, 0.17), (0.0, 0.83), (0.14, 1.0), (0.4, 1.0), (0.54, 0.83), (0.54, 0.17), (0.4, 0.0), (0.14, 0.0)],
    "6": [(0.54, 1.0), (0.38, 1.0), (0.0, 0.66), (0.0, 0.17), (0.17, 0.0), (0.5, 0.0), (0.68, 0.17), (0.68, 0.34), (0.5, 0.5), (0.0, 0.5)],
    "8": EIGHT,
    ".": [(0.1, 0.0), (0.1, 0.22)],
}  # fmt: skip
"""Digits that read upside down too, and the point, as AutoCAD's txt.shx draws them: the point is a stroke, as an apostrophe is."""


def write(pen: Pen, size: str, left: float) -> float:
    """Write a size on the baseline 200, in digits as TXT; where it ends."""
    for sign in size:
        for corners in [TXT[sign]] if sign in TXT else STROKES[sign]:
            points = [(left + 10 * a, 200 + 10 * b) for a, b in corners]
            pen.lines += [(*one, *two) for one, two in itertools.pairwise(points)]
        left = max(line[place] for line in pen.lines if line[1] < 250 for place in (0, 2)) + 2.8
    return left - 2.8


@pytest.mark.requirement("outlined.turned")
@pytest.mark.parametrize("number", ["0.0680", "0.0860", "0.8660", "6.80"])
def test_a_number_is_not_read_upside_down_where_its_point_would_be_an_apostrophe(number: str) -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 340)
    write(pen, number, 300.0)
    texts = with_drawn_lettering(pen.drawing()).sheets[0].texts
    assert [(text.text, text.angle) for text in texts] == [("MATTE 47 HEFT", 0.0), (number, 0.0)]


@pytest.mark.requirement("outlined.turned")
@pytest.mark.parametrize(
    ("font", "size", "angle"), [("tiro", "6.000", 180), ("tiro", "6.000", 270), ("hebo", "0.90", 270)]
)
def test_a_number_is_not_read_upside_down_where_the_reader_sees_few_of_its_glyphs(
    font: str, size: str, angle: int
) -> None:
    document = pymupdf.open()
    sheet = document.new_page(width=400, height=300)
    sheet.insert_text((40, 40), LONG, fontsize=9, fontname=font)
    sheet.insert_text((200, 150), size, fontsize=9, fontname=font, rotate=angle)
    texts = lettered(as_outlines(document.tobytes())).sheets[0].texts
    assert [(text.text, text.angle) for text in texts] == [(LONG, 0.0), (size, float(angle))]


@pytest.mark.requirement("outlined.turned")
def test_a_number_whose_point_stands_at_the_heads_of_its_digits_is_upside_down() -> None:
    pen = Pen([])
    write(pen, "0.680", 300.0)
    sheet = pen.drawing().sheets[0]
    [upright] = glyphs_read(find_ink(sheet, np.zeros(0, bool), np.ones(len(sheet.strokes.ends), bool)))
    [overturned] = in_frames_of([upright], [2])
    assert not is_overturned(upright, seen_at(upright, "0.680"))
    assert is_overturned(overturned, seen_at(overturned, "089.0"))


def seen_at(row: ReadRow, signs: str) -> list[ReadCharacter]:
    """What a reader sees that takes each glyph of a row for one of these."""
    sides = row.boxes[:, [0, 2]].tolist()
    return [ReadCharacter(sign, 1.0, left, right, ()) for sign, (left, right) in zip(signs, sides, strict=True)]


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize("up", [-1, 1])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("size", ["R0.0460", "7.408"])
def test_the_landing_of_a_leader_is_no_letter_of_the_size_beside_it(size: str, side: int, up: int) -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 340)
    end = write(pen, size, 300.0)
    near = 300.0 - 4 if side < 0 else end + 4
    bend = near + side * 9.3
    pen.lines += [(bend, 205 + up * 9.6, bend, 205), (bend, 205, near, 205)]
    back = 205 + up * 10.2
    drawing = pen.drawing()
    drawing.sheets[0].fills = [
        Fill(np.array([(bend - 2.0, back), (bend + 2.0, back), (bend, back + up * 12.0), (bend - 2.0, back)]))
    ]
    assert [text.text for text in with_drawn_lettering(drawing).sheets[0].texts] == ["MATTE 47 HEFT", size]


@pytest.mark.requirement("outlined.same-shape")
def test_a_zero_behind_a_capital_is_no_letter_of_a_piece_of_a_pattern_of_the_vocabulary() -> None:
    lines = ("DRAWING NO OF THE ROOM", "MATTE 47 HEFT", "400 X 20.05", "A0", "A0 SIZE", "REV A0")
    texts = [text.text for text in lettered(as_outlines(page(lines, font="tiro"))).sheets[0].texts]
    assert {"A0", "A0 SIZE", "REV A0"} <= set(texts), texts


@pytest.mark.requirement("outlined.same-shape")
def test_words_of_the_vocabulary_are_whole() -> None:
    words = vocabulary_words()
    assert {"SCALE", "NO", "HOLES", "RAD", "TOL", "BLATT"} <= words
    assert not words & {"AO", "TOD", "OA", "OI", "IO", "OUBKA", "EUR"}, (
        "pieces of patterns, as of tod[ao]s and hl(?:oubka)?"
    )
