"""Lines of drawn lettering: what rows are read as, and which of them are lettering beyond doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Flags
from spatial.understanding.sheet.outlined.agreement import with_lines_read
from spatial.understanding.sheet.outlined.classes import CHARACTERISTICS, CLASSES
from spatial.understanding.sheet.outlined.cyrillic import is_cyrillic
from spatial.understanding.sheet.outlined.deviations import BESIDE, SMALLER, with_parts_apart
from spatial.understanding.sheet.outlined.in_line import Standing
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.line_reader import LineReaderUnavailable
from spatial.understanding.sheet.outlined.recognise import ReadRow, in_usual_directions, read_apart, read_rows
from spatial.understanding.sheet.outlined.rows import find_rows, turned
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled
from spatial.understanding.sheet.outlined.spelling import spell
from spatial.understanding.sheet.outlined.stroked_signs import with_stroked_signs
from spatial.understanding.sheet.outlined.words import FEW, even_step, find_words
from spatial.understanding.sheet.outlined.yery import join_yery

MOSTLY: Final = 0.75
"""Part of the glyphs of a line that must be sure for the line to be reported."""
LETTERED: Final = 3
"""Letters and digits of distinctive shape that make a line lettering beyond doubt."""
STYLED: Final = 5
"""Characters of a line that tells what its lettering looks like, where the reader of lines is certain of them."""
SAME_PEN: Final = 0.03
"""Part by which the pens of lettering of one style differ."""
PATTERN: Final = 4
"""Times that one letter stands in a row of equal shapes."""
PLACEHOLDERS: Final = "Xx"
"""Letters that stand for the figures of any number: .XXXX"""
OPEN_SIGNS: Final = "-/"
"""How a line ends that a digit goes on."""
WITHIN_NUMBER: Final = 0.8
"""Capital heights between the point of a number and the digit behind it, at most."""
SAME_HEIGHT: Final = 0.04
"""Part by which the heights of lettering of one style differ."""
STACKED: Final = 0.1
"""Part by which the heights of the two deviations of a size differ."""
SINGLE: Final = 0.985
"""Chance from which a glyph that stands alone is believed."""
FLAG: Final = 0.15
"""Capital heights from which a 1 of strokes is wide enough to have a flag."""
ALIKE: Final = 2
"""Lines with the pen and the height of a 1 that stands alone from which it is lettering."""
FILLED_LINES: Final = 5
"""Lines of filled letters that make a sheet one that is lettered so."""
FEWEST_DIGITS: Final = 2
"""Digits of distinctive shape of a number with a decimal point that is lettering beyond doubt."""
FEW_LINES: Final = 3
"""Lines that make a sheet which has texts too one that is lettered so."""

_PLAIN_SHAPES: Final = frozenset("0OoIl1|ı.,:;'\"-_/\\()[]{}+=<>TLVXvxcCUuDΔ□°~*YГ")
"""Characters that parts of views look like."""


_UNSIGNED: Final = re.compile(r"\d*[.,]?\d+")
_LIKE_DIGITS: Final = "OoIl"
_LIKE_DIGIT: Final = re.compile(rf"[\d{_LIKE_DIGITS}|]")
_BEGUN_NUMBER: Final = re.compile(rf"(?:\d+[.,]\d+±)?[-+±(\[Ø⌀]*[\d{_LIKE_DIGITS}|]{{0,4}}[.,]")
_BEGUN_SIZE: Final = re.compile(r"[(\[]?S?(?:R[0Oo]?|[Ø⌀][\dOoIl|]{0,4})[.,]")
"""The same behind the sign of a size, with which no item of a list begins."""
_SIZE_ALONE: Final = re.compile(r"S?R[\dOoIl|]{1,3}[.,][\dOoIl|]{1,3}")
"""A radius that is all of its line, by shapes."""
EVEN_GAPS: Final = 0.7
"""Part of the wider gap beside a point that the narrower one is where it stands in the middle between two digits of one number."""
WITHIN_SIGN: Final = 0.6
"""Capital heights between these two at most."""
_DECIMAL: Final = re.compile(r"\d{1,4}[.,]\d{1,4}")
_SIGN_OF_TWO: Final = re.compile(r"mm|MM|A[0-4]")
"""A unit and the sizes of paper: alone in a line their two characters are one word."""
_RATIO: Final = re.compile(r"\d{1,4}:\d{1,4}")
_DEVIATION: Final = re.compile(r"[+-]\d*[.,]\d+")
_TOLERANCE: Final = re.compile(rf"[{CHARACTERISTICS}][Ø⌀]?\d*[.,]\d+[A-Z]?")
_LETTERS: Final = np.array([sign.isalpha() and sign not in "Ilı" for sign in CLASSES])


@dataclass(slots=True)
class Line:
    """A line of lettering."""

    read: ReadRow
    words: list[list[int]]
    spelled: list[Spelled]
    filled: bool
    pen: float

    @property
    def pieces(self) -> list[int]:
        """Its components."""
        return [place for glyph in self.read.row.glyphs for place in glyph]

    def signs(self) -> list[str]:
        """What each glyph is read as."""
        return [each.sign for each in self.spelled]

    @property
    def sure(self) -> float:
        """Part of its glyphs that are read."""
        return sum(sign != UNREAD for sign in self.signs()) / len(self.spelled)

    @property
    def distinct(self) -> int:
        """How many of its letters and digits no part of a view looks like."""
        if self.is_pattern:
            return 0
        plain = sum(sign.isalnum() and sign not in _PLAIN_SHAPES for sign in self.signs())
        return plain + sum(self.is_flagged_one(place) for place in range(len(self.spelled)))

    @property
    def is_pattern(self) -> bool:
        """Whether one letter makes up all of it but one glyph at most, as hatching and rows of pads do: no word of letters does."""
        signs = self.signs()
        usual = max(set(signs), key=signs.count)
        return usual.isalpha() and usual not in PLACEHOLDERS and signs.count(usual) >= max(PATTERN, len(signs) - 1)

    @property
    def is_told(self) -> bool:
        """Whether the reader of lines and the glyphs are certain of the same characters, of which there are too many kinds for geometry."""
        signs = self.signs()
        return (
            self.read.is_certain
            and not self.is_pattern
            and self.sure == 1.0
            and (len(signs) >= LETTERED or self.distinct > 1)
            and len(set(signs)) > 1
            and any(sign.isalnum() for sign in signs)
        )

    def is_flagged_one(self, place: int) -> bool:
        """Whether a glyph is a 1 with a flag, which no line of a view and no I or l looks like."""
        chance = float(self.read.chances[place, CLASSES.index("1")])
        left, _, right, _ = self.read.boxes[place].tolist()
        is_bent = self.filled or right - left >= FLAG * self.read.height
        return is_bent and self.spelled[place].sign == "1" and chance >= SINGLE


def glyphs_read(ink: Ink, known: Sequence[tuple[int, list[int]]] = ()) -> list[ReadRow]:
    """All rows of components as their glyphs alone are read. known: direction and components of rows that are found already."""
    if not len(ink.boxes):
        return []
    return read_apart(ink, with_stroked_signs(ink, read_rows(ink, find_rows(ink, known=known))))


def read_lines_of(ink: Ink, reads: list[ReadRow]) -> tuple[list[Line], str]:
    """The rows as lines, and why the reader of lines was not asked; empty where it was, or had not to be.

    reads: the rows as their glyphs alone are read.
    """
    cyrillic, without_lines = is_cyrillic(reads), ""
    if cyrillic:
        reads = in_usual_directions(reads)
    else:
        try:
            reads = with_lines_read(ink, reads)
        except LineReaderUnavailable as error:
            without_lines = str(error)
        reads = with_parts_apart(reads)
    steps = [even_step(read.boxes) for read in reads]
    known = [(read.height, step) for read, step in zip(reads, steps, strict=True) if step is not None]
    lines = [
        line_of(ink, read, _usual_step(read, known) if step is None else step, cyrillic=cyrillic)
        for read, step in zip(reads, steps, strict=True)
    ]
    return lines, without_lines


def certain_lines(lines: list[Line]) -> list[Line]:
    """The lines that say what the lettering of their sheet looks like."""
    return [
        line for line in lines
        if (line.sure >= MOSTLY and line.distinct >= LETTERED) or (line.is_told and len(line.spelled) >= STYLED)
    ]  # fmt: skip


def good_lines(lines: list[Line], certain: list[Line]) -> list[Line]:
    """The lines that are lettering beyond doubt."""
    good = _with_short(lines, [line for line in lines if is_good(line, certain)])
    return _with_zeros(lines, _with_deviations(lines, good))


def lines_by_glyphs(ink: Ink, reads: list[ReadRow]) -> list[Line]:
    """The lines of a sheet with texts that are letters beyond doubt by their glyphs alone: words, and numbers with a decimal point.

    reads: its rows as these are read.
    """
    cyrillic = is_cyrillic(reads)
    lines = [line_of(ink, read, None, cyrillic=cyrillic) for read in reads]
    return [line for line in lines if (line.sure >= MOSTLY and line.distinct >= LETTERED) or _is_decimal(line)]


def _is_decimal(line: Line) -> bool:
    """Whether a line is a number with a decimal point, two digits of which no part of a view looks like: the point tells the rest."""
    return line.distinct >= FEWEST_DIGITS and _DECIMAL.fullmatch("".join(line.signs())) is not None


def is_lettered(certain: list[Line]) -> bool:
    """Whether lines that are letters beyond doubt are so many that a sheet with texts has lettering beside them.

    Of outlines as many letters count in fewer lines: a title and a name are two. Strokes are of anything.
    """
    filled = sum(line.distinct for line in certain if line.filled)
    return len(certain) >= FEW_LINES or filled >= FEW_LINES * LETTERED


def _usual_step(read: ReadRow, known: list[tuple[float, float]]) -> float | None:
    """The step of the lines of the height of one too short to tell its own; None where there are none, or it is long.

    known: capital height and step of the lines whose glyphs stand at even steps.
    """
    alike = [step for height, step in known if abs(height - read.height) <= SAME_HEIGHT * read.height]
    return float(np.median(alike)) if alike and len(read.boxes) < FEW else None


def line_of(ink: Ink, read: ReadRow, step: float | None, *, cyrillic: bool) -> Line:
    """A line with its words; step: from one glyph to the next where they stand at even steps."""
    words = find_words(read.boxes, read.height, _letters(read), step)
    spelled = spell(read, words, cyrillic=cyrillic)
    if len(whole := _with_whole_numbers(read, words)) < len(words):
        words, spelled = whole, spell(read, whole, cyrillic=cyrillic)
    if cyrillic:
        words = join_yery(read, words, spelled)
    if len(words) == 2 and _is_one_word(read, spelled):
        words = [words[0] + words[1]]
    pen = float(np.median(ink.width[[place for glyph in read.row.glyphs for place in glyph]]))
    return Line(read, words, spelled, pen < 0, pen)


def _is_one_word(read: ReadRow, spelled: Sequence[Spelled]) -> bool:
    """Whether a line of two words is one: a scale, which has a blank on both sides of its colon, or on none; a unit or a paper size."""
    text = "".join(each.sign for each in spelled)
    is_near = len(text) == 2 and float(read.boxes[1, 0] - read.boxes[0, 2]) <= WITHIN_SIGN * read.height
    return bool(_RATIO.fullmatch(text)) or (is_near and _SIGN_OF_TWO.fullmatch(text) is not None)


def _with_whole_numbers(read: ReadRow, words: list[list[int]]) -> list[list[int]]:
    """The words of a line of numbers alone, those in one that a point parts: it stands far from the digit behind it in some lettering.

    `2. 50` alone is a number, and `2. 4X M3` an item of a list.
    """
    shapes = [CLASSES[number] for number in read.chances.argmax(axis=1).tolist()]
    if len(words) == 1:
        return words
    words = _with_points_between(read, words, shapes)
    has_letters = any(sign.isalpha() and sign not in _LIKE_DIGITS for sign in shapes)
    is_radius = _SIZE_ALONE.fullmatch("".join(shapes)) is not None
    whole = [words[0]]
    for word in words[1:]:
        before = "".join(shapes[place] for place in whole[-1])
        gap = float(read.boxes[word[0], 0] - read.boxes[whole[-1][-1], 2])
        is_begun = (not has_letters and _BEGUN_NUMBER.fullmatch(before)) or _BEGUN_SIZE.fullmatch(before) or is_radius
        if is_begun and _LIKE_DIGIT.match(shapes[word[0]]) and gap <= WITHIN_NUMBER * read.height:
            whole[-1] = [*whole[-1], *word]
        else:
            whole.append(word)
    return whole


def _with_points_between(read: ReadRow, words: list[list[int]], shapes: list[str]) -> list[list[int]]:
    """The words, those of a number in one whose point stands in the middle between two digits: in lettering of even steps it is far from
    both. The point of a list item stands at the number before it, and that of a size without a zero at the digit behind it.
    """
    of_one: set[int] = set()
    left, right = read.boxes[:, 0], read.boxes[:, 2]
    for at in range(1, len(shapes) - 1):
        gaps = float(left[at] - right[at - 1]), float(left[at + 1] - right[at])
        is_even = EVEN_GAPS * max(gaps) <= min(gaps) and max(gaps) <= WITHIN_NUMBER * read.height
        is_between = _LIKE_DIGIT.match(shapes[at - 1]) and shapes[at] in ".," and _LIKE_DIGIT.match(shapes[at + 1])
        if is_even and is_between:
            of_one |= {at, at + 1}
    whole = [words[0]]
    for word in words[1:]:
        if word[0] in of_one and whole[-1][-1] == word[0] - 1:
            whole[-1] = [*whole[-1], *word]
        else:
            whole.append(word)
    return whole


def _letters(read: ReadRow) -> Flags:
    """(n,) whether each glyph of a row is a letter, by its shape alone, that no 1 looks like."""
    return np.asarray(_LETTERS[read.chances.argmax(axis=1)] & (read.alike.max(axis=1) >= SURE), bool)


def is_good(line: Line, certain: list[Line]) -> bool:
    """Whether a line is lettering beyond doubt, by itself or because lettering of its style is."""
    if line.sure < MOSTLY:
        return False
    if line.distinct >= LETTERED or line.is_told:
        return True
    signs = line.signs()
    if len(signs) > 1 and line.read.is_certain and line.sure == 1.0 and line.distinct and shares_pen(line, certain):
        return True
    if _is_tolerance(line) or (_is_ratio(line) and shares_pen(line, certain)):
        return True
    if not has_style(line, certain):
        return _is_certainly_filled(line, certain)
    if len(signs) > 1:
        return (
            line.sure == 1.0
            and any(sign.isalnum() for sign in signs)
            and (line.distinct > 0 or any(sign.isdigit() for sign in signs))
        )
    is_told = (signs[0] not in _PLAIN_SHAPES or line.is_flagged_one(0)) and not is_cut_off(line)
    return signs[0].isalnum() and is_told and line.spelled[0].chance >= SINGLE


def is_cut_off(line: Line) -> bool:
    """Whether a line is what was cut off something larger."""
    freed = line.read.ink.freed
    return freed is not None and bool(freed[line.pieces].any())


def _is_ratio(line: Line) -> bool:
    """Whether a line is two numbers with a colon between them, each beyond doubt: a scale may be lettered in a height of its own."""
    return bool(_RATIO.fullmatch("".join(line.signs()))) and min(each.chance for each in line.spelled) >= SINGLE


def _is_tolerance(line: Line) -> bool:
    """Whether a line is a geometric characteristic and its tolerance, each glyph beyond doubt."""
    return bool(_TOLERANCE.fullmatch("".join(line.signs()))) and min(each.chance for each in line.spelled) >= SURE


def _with_short(lines: list[Line], good: list[Line]) -> list[Line]:
    """The good lines with those, sure in every glyph, that are too short to be told by themselves and go on with one of them."""
    chosen = {id(line) for line in good}
    filled, pens = np.array([line.filled for line in good], bool), np.array([line.pen for line in good], float)
    standing = Standing.of([line.read for line in good], [line.spelled[-1].sign in OPEN_SIGNS for line in good])
    found = list(good)
    for line in lines:
        if id(line) in chosen or line.sure < 1.0 or line.is_pattern or not any(sign.isalnum() for sign in line.signs()):
            continue
        mates = (filled == line.filled) & (np.abs(pens - line.pen) <= SAME_PEN * np.abs(pens))
        alike = mates & (np.abs(standing.frames[:, 1] - line.read.height) <= SAME_HEIGHT * line.read.height)
        is_one = len(line.spelled) == 1 and line.is_flagged_one(0) and alike.sum() >= ALIKE
        if is_one or standing.goes_on(line.read, mates):
            found.append(line)
    return found


def _with_deviations(lines: list[Line], good: list[Line]) -> list[Line]:
    """The good lines with the signed numbers, sure in every glyph, that stand in smaller lettering right behind one of them."""
    chosen = {id(line) for line in good}
    sizes = [line for line in good if line.spelled[-1].sign.isdigit()]
    return good + [
        line
        for line in lines
        if id(line) not in chosen
        and _DEVIATION.fullmatch("".join(line.signs()))
        and any(_is_behind(line, size) for size in sizes)
    ]


def _is_behind(line: Line, size: Line) -> bool:
    """Whether a deviation stands right behind its size, and smaller: on its baseline, or lower or higher where the other one is 0."""
    height = size.read.height
    gap = float(line.read.boxes[0, 0] - size.read.boxes[-1, 2])
    return bool(
        line.read.quarter == size.read.quarter
        and has_pen(size, line)
        and SMALLER[0] * height <= line.read.height <= SMALLER[1] * height
        and abs(line.read.baseline - size.read.baseline) <= BESIDE * height
        and 0 <= gap <= WITHIN_NUMBER * height
    )


def _with_zeros(lines: list[Line], good: list[Line]) -> list[Line]:
    """The good lines with the zeros that are deviations: 0 has no sign (ISO 129-1) and stands over or under the digit of the other one."""
    chosen = {id(line) for line in good}
    signed = [line for line in good if len(line.spelled) > 1 and line.spelled[0].sign in "+-"]
    zeros = [
        line
        for line in lines
        if id(line) not in chosen
        and len(line.spelled) == 1
        and line.read.alike[0, CLASSES.index("0")] >= SURE
        and any(_is_stacked(line, other) for other in signed)
    ]
    for line in zeros:
        line.spelled[0] = Spelled("0", SURE)
    return good + zeros


def zeros_of_deviations(lines: list[Line]) -> set[int]:
    """The identities of the zeros alone among lines that stand over or under the digit of a signed number: no digits of their sizes."""
    signed = [line for line in lines if len(line.spelled) > 1 and line.spelled[0].sign in "+-"]
    return {id(line) for line in lines if line.signs() == ["0"] and any(_is_stacked(line, other) for other in signed)}


def without_signs(lines: list[Line]) -> list[Line]:
    """The deviations of sizes of which one has lost its sign, both of each: only a zero needs none (ISO 129-1)."""
    texts = ["".join(line.signs()) for line in lines]
    signed = [
        line
        for line, text in zip(lines, texts, strict=True)
        if text[:1] in ("+", "-") and _UNSIGNED.fullmatch(text[1:])
    ]
    found = []
    for line, text in zip(lines, texts, strict=True):
        if _UNSIGNED.fullmatch(text) and text.strip("0.,"):
            mates = [other for other in signed if _is_under_digits(line, other)]
            found += [line, *mates] if mates else []
    return found


def _is_under_digits(line: Line, other: Line) -> bool:
    """Whether a number begins right over or under the digits of a signed one of its height, not its sign."""
    if other.read.quarter != line.read.quarter or not has_pen(line, other):
        return False
    height, begin = other.read.height, float(line.read.boxes[0, 0])
    gap = abs(other.read.baseline - line.read.baseline) - height
    return bool(
        abs(line.read.height - height) <= STACKED * height
        and 0 <= gap <= height
        and other.read.boxes[0, 2] <= begin <= other.read.boxes[1, 2]
        and not _are_parted(line, other)
    )


def _are_parted(line: Line, other: Line) -> bool:
    """Whether a long level line runs between two lines of lettering where the first begins: the dimension line of one of them."""
    low, high = sorted((line.read.baseline, other.read.baseline))
    begin, base, end, top = turned(line.read.ink.barriers, line.read.quarter).T
    over = (np.minimum(base, top) > low) & (np.maximum(base, top) < high)
    across = (np.minimum(begin, end) <= line.read.boxes[0, 0]) & (np.maximum(begin, end) >= line.read.boxes[0, 2])
    return bool((over & across).any())


def _is_stacked(line: Line, other: Line) -> bool:
    """Whether a digit alone stands right over or under the sign or the first digit of a signed number, and is as high."""
    left, low, right, high = line.read.boxes[0].tolist()
    _, base, end, top = other.read.boxes[1].tolist()
    begin = float(other.read.boxes[0, 0])
    height = max(top - base, 1e-9)
    gap, beside = max(low - top, base - high), min(right, end) - max(left, begin)
    is_level = other.read.quarter == line.read.quarter and abs(high - low - height) <= SAME_HEIGHT * height
    return bool(is_level and has_pen(line, other) and 0 <= gap <= height and beside > 0)


def has_pen(line: Line, other: Line) -> bool:
    """Whether two lines are drawn with one pen, or both are filled."""
    return line.filled == other.filled and abs(line.pen - other.pen) <= SAME_PEN * abs(line.pen)


def shares_pen(line: Line, certain: list[Line]) -> bool:
    """Whether a line is drawn with the pen of one that is certain."""
    return any(has_pen(each, line) for each in certain)


def _is_certainly_filled(line: Line, certain: list[Line]) -> bool:
    """Whether a line in a height of its own is of filled letters, every one beyond doubt, on a sheet that is lettered so.

    Fills are of letters, arrowheads and pictures; strokes are of anything.
    """
    return (
        line.filled
        and sum(each.filled for each in certain) >= FILLED_LINES
        and line.distinct > 0
        and min(each.chance for each in line.spelled) >= SINGLE
    )


def has_style(line: Line, certain: list[Line]) -> bool:
    """Whether a line is drawn with the pen, and as high, as one that is certain."""
    return any(
        has_pen(each, line) and abs(each.read.height - line.read.height) <= SAME_HEIGHT * each.read.height
        for each in certain
    )
