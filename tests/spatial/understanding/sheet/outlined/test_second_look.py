"""Drawn lettering that the first rows miss: columns, deviations off the level of their size, letters of two heights, long lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pymupdf as _pymupdf
import pytest

from spatial.formats.pdf import reader
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.ink import find_ink
from spatial.understanding.sheet.outlined.line_pictures import HIGH, LONGEST, line_picture, line_pictures
from spatial.understanding.sheet.outlined.rows import find_rows
from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen

pymupdf: Any = _pymupdf
FILLER = ("Hook room 2030 boot", "FOOT ZOOM 4050 BOOK", "Section view of shaft", "Heat treated 7080 JOB")


def lettered(*placed: tuple[str, float, float, float]) -> list[str]:
    """The texts of a page in outlines but for those that say how it is lettered. placed: text, x, y from above, size."""
    made = pymupdf.open()
    drawn = made.new_page(width=600, height=600)
    for number, line in enumerate(FILLER):
        drawn.insert_text((60, 60 + 30 * number), line, fontsize=10)
    for text, x, y, size in placed:
        drawn.insert_text((x, y), text, fontsize=size)
    sheet = with_drawn_lettering(reader.read(as_outlines(made.tobytes()), "sheet.pdf")).sheets[0]
    return [text.text for text in sheet.texts if text.text not in FILLER]


def width(text: str, size: float) -> float:
    return float(pymupdf.Font("helv").text_length(text, fontsize=size))


@pytest.mark.requirement("outlined.agreement")
def test_letters_that_are_larger_than_the_rest_of_their_line_are_read() -> None:
    assert lettered(("SECTION", 60, 300, 10), ("A-A", 60 + width("SECTION ", 10), 300, 14))[0].endswith("A-A")


@pytest.mark.requirement("outlined.deviations")
@pytest.mark.parametrize("size", [7.0, 8.0, 10.0])
def test_deviations_as_high_as_their_size_are_texts_of_their_own_with_their_signs(size: float) -> None:
    behind = 60 + width("6.69", 10) + 0.5
    texts = lettered(
        ("6.69", 60, 300, 10),
        ("+0.045", behind, 300 - 0.62 * size, size),
        ("-0.055", behind, 300 + 0.25 * size, size),
    )
    assert {"6.69", "+0.045", "-0.055"} <= set(texts), texts


@pytest.mark.requirement("outlined.lines")
def test_the_numbers_of_a_list_far_from_its_lines_are_no_line_of_their_own() -> None:
    items = ("REMOVE BURRS", "BREAK EDGES", "HEAT TREAT", "CLEAN PARTS", "MARK PART")
    numbers = [(f"{number}.", 60.0, 300.0 + 12 * number, 10.0) for number in range(1, 6)]
    texts = lettered(*numbers, *((item, 110.0, 312.0 + 12 * number, 10.0) for number, item in enumerate(items)))
    assert "12345" not in "".join(texts).replace(" ", "").replace(".", ""), texts


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize("pitch", [11.0, 13.0])
def test_figures_that_stand_over_each_other_are_read_across(pitch: float) -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 400)
    pen.write("747 474 77", 100, 370)
    column = ["47", "74", "77", "47", "74"]
    for number, figures in enumerate(column):
        pen.write(figures, 300, 300 - pitch * number)
    texts = [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts]
    assert sorted(texts) == sorted(["MATTE 47 HEFT", "747 474 77", *column])


@pytest.mark.requirement("outlined.lines")
def test_a_line_too_long_for_one_picture_is_drawn_in_several_cut_at_blanks() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT " * 10, 20, 300, 4.0)
    sheet = pen.drawing().sheets[0]
    ink = find_ink(sheet, np.zeros(0, bool), np.ones(len(sheet.strokes.ends), bool))
    row = max(find_rows(ink), key=lambda row: len(row.glyphs))
    pictures = line_pictures(ink, row, row.quarter)
    assert line_picture(ink, row, row.quarter) is None and len(pictures) > 1
    assert all(picture.pixels.shape[1] <= (LONGEST + 1) * HIGH for picture in pictures)
    lefts = [picture.left for picture in pictures]
    assert lefts == sorted(lefts)


@pytest.mark.requirement("outlined.geometry")
@pytest.mark.parametrize(("word", "are_drawn"), [("Z" * 19 + "M", False), ("THREE NEAT HAMMERFEAT ZEN", True)])
def test_a_row_of_holes_is_not_drawn_for_the_reader_of_lines(word: str, are_drawn: bool) -> None:
    pen = Pen([])
    pen.write(word, 20, 300, 4.0)
    sheet = pen.drawing().sheets[0]
    ink = find_ink(sheet, np.zeros(0, bool), np.ones(len(sheet.strokes.ends), bool))
    row = max(find_rows(ink), key=lambda row: len(row.glyphs))
    assert bool(line_pictures(ink, row, row.quarter)) is are_drawn


@pytest.mark.requirement("outlined.lines")
def test_dots_that_lie_on_each_other_are_no_cross() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 400)
    pen.lines += [(50.0, 50.0, 50.0, 50.0)] * 2 + [(60.0, 50.0, 70.0, 50.0)]
    texts = [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts]
    assert texts == ["MATTE 47 HEFT"]
