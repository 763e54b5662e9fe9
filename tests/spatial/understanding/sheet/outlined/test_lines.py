"""Rows of drawn lettering that are read as lines: what the reader of lines and the glyphs say together, and where lines break."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.outlined.agreement import _reads_surely
from spatial.understanding.sheet.outlined.alignment import Cell, align
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.cyrillic import is_cyrillic
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.fusion import _fused
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.line_texts import texts_of
from spatial.understanding.sheet.outlined.lines import Line, line_of
from spatial.understanding.sheet.outlined.read_character import ReadCharacter
from spatial.understanding.sheet.outlined.recognise import SAME, ReadRow
from spatial.understanding.sheet.outlined.rows import Row, regrouped
from spatial.understanding.sheet.outlined.second_look import _are_brackets
from spatial.understanding.sheet.outlined.spelled import Spelled
from spatial.understanding.sheet.outlined.spelling import spell
from spatial.understanding.sheet.outlined.touching import find_touching
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen

SEVEN_WIDTH, STEP = 6.5, 9.3
"""Width of a 7 of `Pen`, and how far the next character is from it."""


def texts(pen: Pen) -> list[str]:
    return [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts]


def point(pen: Pen, x: float, y: float) -> None:
    """A full stop, a square of strokes as stroke fonts have it."""
    corners = [(x, y), (x + 0.9, y), (x + 0.9, y + 0.9), (x, y + 0.9), (x, y)]
    pen.lines += [(*one, *two) for one, two in itertools.pairwise(corners)]


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(
    ("before", "apart", "number"),
    [("7", 114, "7.74"), ("R", 117, "R.74")],
    ids=["a number", "behind the sign of a radius"],
)
def test_a_number_whose_digits_stand_wide_apart_is_one_text_with_its_point(
    before: str, apart: int, number: str
) -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 340)
    pen.write(before, 100, 300)
    point(pen, 109.5, 300)
    pen.write("74", apart, 300)
    assert number in texts(pen)


@pytest.mark.requirement("outlined.lines")
def test_a_digit_that_a_dimension_line_touches_is_read_with_its_number() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 340)
    pen.write("477", 300, 300)
    pen.lines += [(265.0, 303.0, 299.6, 303.0), (265.0, 280.0, 265.0, 303.0), (265.0, 303.0, 265.0, 335.0)]
    assert "477" in texts(pen)


@pytest.mark.requirement("outlined.lines")
def test_the_point_of_a_number_is_its_own_where_another_line_stands_close_below() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 340)
    pen.write("7", 100, 300)
    point(pen, 109.5, 300)
    pen.write("74", 114, 300)
    pen.write("TEMTE", 100, 286.5)
    assert {"7.74", "TEMTE"} <= set(texts(pen))


@pytest.mark.requirement("outlined.lines")
def test_letters_that_touch_are_read_one_by_one() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 340)
    pen.write("ZENTNAHT", 100, 300)
    # The bar of the first T goes on to the N behind it: both are one component.
    pen.lines.append((100 + 2 * 9.3 + 9.3 + 7.0 - 1.0, 310.0, 100 + 4 * 9.3 + 1.2, 310.0))
    assert "ZENTNAHT" in texts(pen)


def character(sign: str, middle: float, chance: float = 0.99) -> ReadCharacter:
    return ReadCharacter(sign, chance, middle - 0.1, middle + 0.1, ())


def alike(signs: str) -> np.ndarray:
    """(n, c) of glyphs that the classifier is sure of."""
    chances = np.zeros((len(signs), len(CLASSES)), np.float32)
    chances[np.arange(len(signs)), [CLASSES.index(sign) for sign in signs]] = 1.0
    return chances


@pytest.mark.requirement("outlined.agreement")
def test_a_point_that_nothing_is_drawn_for_has_no_glyph() -> None:
    boxes = np.array([[0.0, 0.0, 0.4, 1.0], [0.7, 0.0, 1.3, 1.0]])
    cells = align(boxes, alike("15"), 1.0, [character("1", 0.2), character(".", 0.55), character("5", 1.0)])
    assert [cell.glyphs for cell in cells] == [(0,), (), (1,)]


@pytest.mark.requirement("outlined.agreement")
def test_a_glyph_that_no_character_is_seen_of_stays_without_one() -> None:
    boxes = np.array([[0.0, 0.0, 0.6, 1.0], [0.8, 0.0, 0.9, 0.1], [1.1, 0.0, 1.7, 1.0]])
    cells = align(boxes, alike("2.5"), 1.0, [character("2", 0.3), character("5", 1.4)])
    assert [cell.character.sign if cell.character else "" for cell in cells] == ["2", "", "5"]


@pytest.mark.requirement("outlined.agreement")
def test_two_characters_of_one_glyph_share_it_and_two_pieces_of_one_character_are_of_it() -> None:
    boxes = np.array([[0.0, 0.0, 1.3, 1.0], [1.5, 0.0, 1.7, 1.0], [1.72, 0.0, 2.1, 1.0], [2.4, 0.0, 3.0, 1.0]])
    known = alike("\x00\x00\x007")
    read = [character("4", 0.3), character("2", 1.0), character("H", 1.8), character("7", 2.7)]
    cells = align(boxes, known, 1.0, read)
    assert [(cell.glyphs, cell.part) for cell in cells] == [
        ((0,), (0, 2)),
        ((0,), (1, 2)),
        ((1, 2), (0, 1)),
        ((3,), (0, 1)),
    ]


@pytest.mark.requirement("outlined.agreement")
def test_a_point_that_is_not_seen_is_no_piece_of_the_digit_beside_it() -> None:
    boxes = np.array([[0.0, 0.0, 0.5, 1.0], [0.52, 0.0, 0.6, 0.08], [0.7, 0.0, 1.3, 1.0]])
    cells = align(boxes, alike("6\x004"), 1.0, [character("6", 0.3), character("4", 1.0)])
    assert [cell.glyphs for cell in cells] == [(0,), (1,), (2,)]


@pytest.mark.requirement("outlined.agreement")
def test_two_zeros_with_a_stroke_are_two_glyphs_although_the_classifier_takes_each_for_a_diameter_sign() -> None:
    boxes = np.array([[0.0, 0.0, 0.6, 1.0], [0.8, 0.0, 1.4, 1.0], [1.6, 0.0, 2.2, 1.0]])
    read = [character("3", 0.3), character("0", 1.1), character("0", 1.9)]
    cells = align(boxes, alike("3ØØ"), 1.0, read)
    assert [cell.glyphs for cell in cells] == [(0,), (1,), (2,)]


@pytest.mark.requirement("outlined.agreement")
def test_a_small_piece_within_a_letter_is_of_it_and_a_point_within_the_box_of_a_digit_is_not() -> None:
    boxes = np.array([[0.0, 0.0, 0.7, 1.0], [0.45, 0.02, 0.65, 0.2], [0.9, 0.0, 1.5, 1.0]])
    letters = align(boxes, alike("K\x00F"), 1.0, [character("K", 0.3), character("F", 1.2)])
    digits = align(boxes, alike("4\x007"), 1.0, [character("4", 0.3), character("7", 1.2)])
    assert [cell.glyphs for cell in letters] == [(0, 1), (2,)]
    assert [cell.glyphs for cell in digits] == [(0,), (1,), (2,)]


@pytest.mark.requirement("outlined.agreement")
def test_a_diameter_sign_that_no_character_is_seen_of_is_no_piece_of_the_digit_behind_it() -> None:
    boxes = np.array([[0.0, 0.0, 0.67, 1.0], [0.76, 0.0, 1.42, 1.0], [1.5, 0.0, 2.1, 1.0]])
    cells = align(boxes, alike("⌀47"), 1.0, [character("4", 0.8), character("7", 1.8)])
    assert [(cell.glyphs, cell.character.sign if cell.character else "") for cell in cells] == [
        ((0,), ""),
        ((1,), "4"),
        ((2,), "7"),
    ]


def slashed(pen: Pen, digits: str, x: float, y: float) -> None:
    """Write digits with zeros of eight sides that a stroke crosses."""
    ring = [
        (0.2, 0.0),
        (0.0, 0.25),
        (0.0, 0.75),
        (0.2, 1.0),
        (0.45, 1.0),
        (0.65, 0.75),
        (0.65, 0.25),
        (0.45, 0.0),
        (0.2, 0.0),
    ]
    for digit in digits:
        if digit == "0":
            pen.lines += [
                (x + 10 * a, y + 10 * b, x + 10 * c, y + 10 * d) for (a, b), (c, d) in itertools.pairwise(ring)
            ]
            pen.lines.append((x + 0.6, y + 0.8, x + 5.9, y + 9.2))
        else:
            pen.write(digit, x, y)
        x += 9.3


@pytest.mark.requirement("outlined.agreement")
def test_zeros_with_a_stroke_are_read_within_numbers() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 380)
    pen.write("ZENTNAHT 747", 100, 340)
    for number, digits in enumerate(("4700", "74047", "7004")):
        slashed(pen, digits, 100, 300 - 40 * number)
    assert texts(pen)[-3:] == ["4700", "74047", "7004"]


def with_boxes(boxes: Array, width: Array | None = None) -> Ink:
    """Components in these places. width: of their pens; without it they are filled."""
    none, no_lines = np.zeros(0, np.int64), np.zeros((0, 4))
    widths = np.full(len(boxes), -1.0) if width is None else width
    return Ink(boxes, widths, np.zeros(len(boxes), bool), no_lines, none, no_lines, 2.0, none, none, none)


def read_beside(piece: tuple[float, float, float, float], *, bar: bool = True) -> str:
    """What a certain line `28` of filled letters says beside a stroke that is not read.

    piece: box of the stroke, in capital heights; bar: whether it may be a filled one, as I is.
    """
    boxes = np.array([[0.0, 0.0, 0.6, 1.0], [0.8, 0.0, 1.4, 1.0], piece])
    ink, none = with_boxes(boxes, np.array([-1.0, -1.0, 0.0])), np.zeros(0, np.int64)
    ink.bars[2] = bar
    row = Row(0, [[0], [1]], 1.0)
    known = alike("28")
    read = ReadRow(row, 0, boxes[:2], known, known, 0.0, 1.0, True, (ink, row), ("2", "8"), True)
    line = Line(read, [[0, 1]], [Spelled("2", 1.0), Spelled("8", 1.0)], True, -1.0)
    [text] = texts_of(ink, line, 1, np.array([2]), none)
    return text.text


@pytest.mark.requirement("outlined.agreement")
def test_a_hairline_within_a_letter_leaves_it_read_and_a_thicker_piece_or_one_beyond_it_does_not() -> None:
    assert read_beside((0.9, 0.2, 0.93, 0.6)) == "28"
    assert read_beside((0.9, 0.2, 1.2, 0.6)) == "2\ufffd"
    assert read_beside((0.62, 0.2, 0.65, 0.6)) == "\ufffd8"


@pytest.mark.requirement("outlined.agreement")
def test_a_dash_of_a_ring_around_filled_letters_is_no_part_of_them() -> None:
    assert read_beside((0.9, 0.2, 1.2, 0.6), bar=False) == "28"
    assert read_beside((0.62, 0.2, 0.65, 0.6), bar=False) == "28"


WITHOUT_RUNTIME = """
import sys
sys.modules["onnxruntime"] = None
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen
pen = Pen([])
pen.write("MATTE 47 HEFT", 100, 340)
made = with_drawn_lettering(pen.drawing())
print([text.text for text in made.sheets[0].texts])
print([warning for warning in made.warnings if "glyph by glyph alone: onnxruntime cannot be loaded" in warning])
"""


@pytest.mark.requirement("outlined.without-lines")
def test_without_the_reader_of_lines_glyphs_are_read_alone_and_a_warning_says_so() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", WITHOUT_RUNTIME], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    read, warnings = done.stdout.splitlines()
    assert read == "['MATTE 47 HEFT']"
    assert warnings != "[]"


def read_as(text: str) -> ReadRow:
    """A row whose glyphs are sure to be these characters."""
    chances = np.zeros((len(text), len(CLASSES)), np.float32)
    chances[np.arange(len(text)), [CLASSES.index(sign) for sign in text]] = 1.0
    boxes = np.array([(8.0 * place, 0.0, 8.0 * place + 6.0, 10.0) for place in range(len(text))])
    return ReadRow(Row(0, [[place] for place in range(len(text))], 10.0), 0, boxes, chances, chances, 0.0, 10.0, True)


@pytest.mark.requirement("outlined.read")
def test_sizes_whose_2_and_3_are_drawn_like_letters_make_no_sheet_cyrillic() -> None:
    sizes = ["г.гo±o.гo", "3.з5±o.гo", "г4.ЭO", "гз.oo", "8.г8±O.гo", "ШШ", "10.00"]
    assert not is_cyrillic([read_as(size) for size in sizes])
    assert is_cyrillic([read_as(line) for line in [*sizes, "Плamaпeчamнaя", "Пoдп.", "Изм."]])


@pytest.mark.requirement("outlined.lines")
def test_the_comma_that_stands_partly_under_a_slanted_zero_is_a_glyph_of_its_own() -> None:
    boxes = np.array([[0.0, 0.0, 0.72, 1.0], [0.54, -0.2, 0.78, 0.15], [1.1, 0.0, 1.8, 1.0]])
    cedilla = np.array([[0.0, 0.0, 0.72, 1.0], [0.2, -0.25, 0.44, 0.1], [1.1, 0.0, 1.8, 1.0]])
    assert [len(glyph) for glyph in regrouped(with_boxes(boxes), [0, 1, 2], 0, 1.0).glyphs] == [1, 1, 1]
    assert [len(glyph) for glyph in regrouped(with_boxes(cedilla), [0, 1, 2], 0, 1.0).glyphs] == [2, 1]


@pytest.mark.requirement("outlined.lines")
def test_short_lines_whose_pens_touch_stay_one_where_a_long_line_is_cut_off() -> None:
    lines = np.array([(0, 0, 0, 8), (0.8, 0, 0.8, 8), (1.6, 4, 90, 4), (9, 4, 10, 5)], float)
    touching = find_touching([], np.zeros(0, bool), lines, np.full(4, 1.0), 0.01)
    cut = touching.components_cut(np.ones(4, bool), np.array([False, False, True, False]))
    assert len(set(touching.components().tolist())) == 1
    assert cut[0] == cut[1] != cut[2] == cut[3]


@pytest.mark.requirement("outlined.agreement")
def test_a_diameter_sign_that_is_seen_as_another_sign_with_a_stroke_is_one() -> None:
    read = read_as("⌀39")
    cells = [Cell((place,), character(sign, 8.0 * place + 3.0)) for place, sign in enumerate("$39")]
    fused = _fused(read, cells, slashed=False, taught={})
    assert [CLASSES[number] for number in fused.argmax(axis=1)] == ["⌀", "3", "9"]


@pytest.mark.requirement("outlined.lines")
def test_a_characteristic_as_high_as_letters_is_read_with_its_tolerance_and_apart_from_what_it_stands_at() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 380)
    pen.write("ZENTNAHT 747", 100, 340)
    corners = [(100.0, 300.0), (112.0, 300.0), (119.0, 310.0), (107.0, 310.0), (100.0, 300.0)]
    pen.lines += [(*one, *two) for one, two in itertools.pairwise(corners)]
    pen.write("7", 127, 300)
    point(pen, 135.8, 300)
    pen.write("74", 139, 300)
    assert "⏥ 7.74" in texts(pen)


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(("row", "told", "is_sure"), [("Ø22", "22", True), ("⌀5", "5", True), ("422", "22", False)])
def test_a_diameter_that_the_reader_of_lines_passes_over_leaves_no_doubt_about_its_row(
    row: str, told: str, is_sure: bool
) -> None:
    line = [
        ReadCharacter(sign, 0.99, 8.0 * place, 8.0 * place + 6.0, ())
        for place, sign in enumerate(told, len(row) - len(told))
    ]
    assert _reads_surely(read_as(row), line) is is_sure


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(
    ("row", "are_brackets"), [("[.]", True), ("()", True), ("[4]", False), ("..", False), ("47", False)]
)
def test_brackets_alone_hold_no_pieces_of_the_lines_that_they_stand_round(row: str, are_brackets: bool) -> None:
    assert _are_brackets(read_as(row)) is are_brackets


def seen_as(glyphs: str, line: str) -> list[str]:
    """What the glyphs of a row are read as whose classes are these and of which the reader of lines is certain."""
    read = read_as(glyphs)
    cells = [Cell((place,), character(sign, 8.0 * place + 3.0)) for place, sign in enumerate(line)]
    return [CLASSES[number] for number in _fused(read, cells, slashed=False, taught={}).argmax(axis=1)]


@pytest.mark.requirement("outlined.agreement")
@pytest.mark.parametrize(
    ("glyphs", "line", "is_read"),
    [
        ("0.2SG", "0.256", True),
        ("[6.2]t0.02", "[6.2]±0.02", False),
        ("6.2t0.02", "6.2±0.02", True),
        ("12G34", "12634", False),  # a part number may have a letter among its digits
        ("0.2D6", "0.256", False),
        ("0.236", "0.256", False),
    ],
)
def test_a_letter_within_a_decimal_number_is_the_figure_that_straight_strokes_draw_like_it(
    glyphs: str, line: str, is_read: bool
) -> None:
    assert (seen_as(glyphs, line) == list(line)) is is_read


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize(
    ("signs", "place", "chances", "read"),
    [
        ("Ø84", 0, {"⌀": 0.86, "ó": 0.14}, "⌀84"),
        ("Ø84", 0, {"⌀": 0.4, "ó": 0.6}, "⌀84"),
        ("4-Ø42", 2, {"⌀": 0.84, "ó": 0.16}, "4-⌀42"),
        ("Ø84", 0, {"⌀": 0.05, "ó": 0.95}, "ó84"),
        ("Ø84", 0, {"⌀": 0.6, "6": 0.4}, "\ufffd84"),
    ],
)
def test_a_circle_with_a_bar_before_a_number_is_a_diameter_sign_and_no_letter_with_an_accent(
    signs: str, place: int, chances: dict[str, float], read: str
) -> None:
    row = read_as(signs)
    row.chances[place] = 0.0
    row.chances[place, [CLASSES.index(sign) for sign in chances]] = list(chances.values())
    row = replace(row, alike=row.chances @ SAME, framed=False)
    assert "".join(each.sign for each in spell(row, [list(range(len(signs)))], cyrillic=False)) == read


@pytest.mark.requirement("outlined.deviations")
@pytest.mark.parametrize(("foot", "read"), [(3.0, "8±0.5"), (6.0, "8±0\ufffd5")])
def test_the_point_of_a_deviation_that_stands_higher_than_its_size_is_at_the_foot_of_its_own_digits(
    foot: float, read: str
) -> None:
    row = replace(read_as("8±0.5"), told=("8", "±", "0", "", "5"))
    for place in (2, 4):
        row.boxes[place, 1], row.boxes[place, 3] = 3.0, 9.0
    row.boxes[3] = 24.0, foot, 25.2, foot + 1.2
    assert "".join(each.sign for each in spell(row, [[0, 1, 2, 3, 4]], cyrillic=False)) == read


@pytest.mark.requirement("outlined.words")
@pytest.mark.parametrize(
    ("before", "behind", "is_whole"), [(6.0, 6.0, True), (6.0, 1.0, False), (1.0, 6.0, False), (9.0, 9.0, False)],
    ids=["in the middle", "a size without a zero", "an item of a list", "too far"],
)  # fmt: skip
def test_a_point_in_the_middle_between_two_digits_parts_no_number(before: float, behind: float, is_whole: bool) -> None:
    read = read_as("4.5H7")
    begins = np.cumsum([0.0, 6.0 + before, 2.0 + behind, 8.0, 8.0])
    wide = np.array([6.0, 2.0, 6.0, 6.0, 6.0])
    boxes = np.stack([begins, np.zeros(5), begins + wide, np.array([10.0, 2.0, 10.0, 10.0, 10.0])], axis=1)
    line = line_of(with_boxes(boxes), replace(read, boxes=boxes), None, cyrillic=False)
    assert (len(line.words) == 1) is is_whole


@pytest.mark.requirement("outlined.words")
@pytest.mark.parametrize(
    ("signs", "is_whole"), [("Ø12,5", True), ("R9,7", True), ("R9,R7", False), ("M9,7", False), ("4X9,7", False)]
)
def test_a_blank_behind_the_comma_of_a_size_with_its_sign_parts_no_number(signs: str, is_whole: bool) -> None:
    read = read_as(signs)
    at = signs.index(",")
    boxes = read.boxes.copy()
    boxes[at] = 8.0 * at, -1.0, 8.0 * at + 2.0, 1.5
    boxes[at + 1 :, [0, 2]] += 1.0
    line = line_of(with_boxes(boxes), replace(read, boxes=boxes), None, cyrillic=False)
    assert (len(line.words) == 1) is is_whole


@pytest.mark.requirement("outlined.words")
@pytest.mark.parametrize(
    ("signs", "gap", "is_whole"),
    [("MM", 5.0, True), ("A4", 5.0, True), ("MM", 7.0, False), ("A7", 5.0, False)],
)
def test_the_two_characters_of_a_unit_or_a_paper_size_are_one_word(signs: str, gap: float, is_whole: bool) -> None:
    read = read_as(signs)
    boxes = np.array([[0.0, 0.0, 6.0, 10.0], [6.0 + gap, 0.0, 12.0 + gap, 10.0]])
    line = line_of(with_boxes(boxes), replace(read, boxes=boxes), None, cyrillic=False)
    assert (len(line.words) == 1) is is_whole
