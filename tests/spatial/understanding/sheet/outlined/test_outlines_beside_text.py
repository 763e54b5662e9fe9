"""A title and a name that a program wrote as outlines, pressed into their cells, beside the text of a sheet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Array, Drawing, Fill, Text
from spatial.understanding.sheet.outlined.filled_strings import lettering_fills
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.words import find_words
from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import page

TITLE, NAME = "Hollow pulley bell housing", "Wilhelmina Oddgeirsson"


def beside_text(lines: tuple[str, ...], pressed: float = 1.0) -> Drawing:
    """A sheet with one line of text and these lines as outlines, so much narrower than their font."""
    drawing = reader.read(as_outlines(page(lines)), "sheet.pdf")
    sheet = drawing.sheets[0]
    sheet.fills = [replace(fill, points=fill.points * (pressed, 1.0)) for fill in sheet.fills]
    sheet.strokes.ends = sheet.strokes.ends * (pressed, 1.0, pressed, 1.0)
    box = (400.0, 40.0, 460.0, 50.0)
    sheet.texts = [Text("annotation-1", "Created by", 1, box[:2], 0.0, 10.0, box[2] - box[0], box)]
    return replace(drawing, sheets=[replace(sheet, text_layer="vector")])


def shown(drawing: Drawing) -> list[str]:
    return [text.text for text in with_drawn_lettering(drawing).sheets[0].texts][1:]


@pytest.mark.requirement("outlined.beside-text")
@pytest.mark.parametrize("pressed", [1.0, 0.8, 0.65, 0.5])
def test_two_lines_of_outlines_beside_text_are_read_however_narrow_they_are_pressed(pressed: float) -> None:
    assert shown(beside_text((TITLE, NAME), pressed)) == [TITLE, NAME]


@pytest.mark.requirement("outlined.beside-text")
def test_two_letters_of_a_kind_side_by_side_are_two_where_they_are_pressed() -> None:
    lines = ("Smooth wooden spoon", "Balloon committee book")
    assert shown(beside_text(lines, 0.5)) == list(lines)


@pytest.mark.requirement("outlined.bars")
def test_straight_letters_beside_text_are_of_their_words_and_lines_of_views_are_not() -> None:
    drawing = beside_text((TITLE, NAME))
    sheet = drawing.sheets[0]
    assert sheet.strokes.filled is not None and sheet.strokes.filled.any()
    count = len(sheet.strokes.ends)
    far = np.array([(60.0 + 4 * n, 200.0, 60.0 + 4 * n, 206.0) for n in range(30)])
    for name in ("width", "entity", "dashed", "curved", "filled"):
        values = getattr(sheet.strokes, name)
        setattr(sheet.strokes, name, np.concatenate([values, np.repeat(values[:1], len(far))]))
    sheet.strokes.ends = np.concatenate([sheet.strokes.ends, far])
    assert not lettering_fills(sheet)[1][count:].any()
    assert shown(drawing) == [TITLE, NAME]


def marks(count: int, corners: int, row: int) -> list[Fill]:
    """Filled discs side by side, as of the holes of a board: `row` of them on each line."""
    angles = np.linspace(0.0, 2 * np.pi, corners)
    disc = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 3
    return [Fill(disc + np.array([60.0 + 9 * (n % row), 300.0 - 9 * (n // row)])) for n in range(count)]


@pytest.mark.requirement("outlined.beside-text")
@pytest.mark.parametrize(("count", "row"), [(40, 20), (120, 12)])
def test_filled_marks_in_rows_beside_text_are_no_lettering(count: int, row: int) -> None:
    drawing = beside_text((TITLE, NAME))
    drawing.sheets[0].fills = marks(count, 17, row)
    assert shown(drawing) == []


@pytest.mark.requirement("outlined.beside-text")
def test_one_word_of_a_logo_is_no_lettering_of_its_sheet() -> None:
    assert shown(beside_text(("Brem",))) == []


@pytest.mark.requirement("outlined.words")
def test_words_are_parted_where_the_gaps_between_letters_are_of_two_widths() -> None:
    gaps = np.array([0.1, 0.18, 0.05, 0.33, 0.15, 0.1, 0.2, 0.12])
    assert [len(word) for word in find_words(spaced(gaps), 1.0, np.ones(9, bool))] == [4, 5]


@pytest.mark.requirement("outlined.words")
@pytest.mark.parametrize(
    "gaps", [[0.23, 0.17, 0.23, 0.2, 0.33, 0.23, 0.19, 0.22], [0.1, 0.15, 0.2, 0.24, 0.28, 0.2, 0.12, 0.1]]
)
def test_letters_that_are_spaced_unevenly_are_of_one_word(gaps: list[float]) -> None:
    assert [len(word) for word in find_words(spaced(np.array(gaps)), 1.0, np.ones(9, bool))] == [9]


@pytest.mark.requirement("outlined.words")
def test_the_gap_between_two_ones_is_no_blank() -> None:
    gaps = np.array([0.1, 0.1, 0.25, 0.4, 0.25, 0.12, 0.1, 0.1])
    widths = np.array([0.6, 0.6, 0.6, 0.22, 0.22, 0.6, 0.6, 0.6, 0.6])
    assert [len(word) for word in find_words(spaced(gaps, widths), 1.0, np.zeros(9, bool))] == [9]


@pytest.mark.requirement("outlined.words")
@pytest.mark.parametrize(
    ("gap", "words"), [(0.46, [2]), (0.8, [1, 1])], ids=["as of figures of even width", "as wide as a blank"]
)
def test_a_one_and_a_figure_of_even_width_are_one_number(gap: float, words: list[int]) -> None:
    boxes = spaced(np.array([gap]), np.array([0.3, 0.7]))
    assert [len(word) for word in find_words(boxes, 1.0, np.zeros(2, bool))] == words


def spaced(gaps: Array, widths: Array | float = 0.6) -> Array:
    """Boxes (n, 4) of letters so wide and 1 high, with these gaps (n - 1,) between them."""
    wide = np.broadcast_to(widths, len(gaps) + 1)
    left = np.concatenate([[0.0], np.cumsum(gaps + wide[:-1])])
    return np.stack([left, np.zeros_like(left), left + wide, np.ones_like(left)], axis=1)


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize("word", ["Älplerhütte", "Ålandshav", "Öldruckschalter"])
def test_a_straight_letter_behind_the_capital_of_a_word_of_small_letters_is_small(word: str) -> None:
    assert shown(beside_text((word, NAME))) == [word, NAME]
