"""Values in ruled cells whose label was read: one string alone in its cell, read as one line in the direction of its label.

Lettering of a value may be a single stroke, have wide gaps, or read upside down as well: what it is by itself is open, or wrong. Its cell
says which pieces are of it, its label in which direction it reads and which form it has (ISO 7200). The form chooses among the characters
that the shapes support alone; where none of it, or more than one, is supported, the value is left as it was.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.fields import ROLES
from spatial.knowledge.lettered_values import FORMS, INITIAL, NAMES, OF, WORDED_COUNT
from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array, Box
from spatial.understanding.sheet.outlined.agreement import read_together
from spatial.understanding.sheet.outlined.classes import CLASSES, NO_LETTER
from spatial.understanding.sheet.outlined.in_cells import quarters_of
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.lines import Line
from spatial.understanding.sheet.outlined.recognise import ReadRow, in_frames
from spatial.understanding.sheet.outlined.rows import regrouped, turned_boxes
from spatial.understanding.sheet.outlined.ruled_cells import Rules
from spatial.understanding.sheet.outlined.spelled import SURE, Spelled

HIGH, WIDE = 12.0, 60.0
"""Heights of a label that its cell is high and wide at most."""
LIKE: Final = (0.6, 3.0)
"""Heights of a value in those of its label."""
LEVEL: Final = 0.35
"""Heights of a value by which its pieces reach over its tops or below its feet at most."""
POINT: Final = 0.35
"""Heights of a label that the points of its colon are large at most."""
WALL: Final = 0.95
"""Part of the width or height of a cell from which what is drawn in it is of its walls."""
MOST: Final = 30
"""Pieces of a value."""
SUPPORTED: Final = 0.2
"""Chance of a character, to both readers together, from which the shape of a glyph supports it."""
CLEAR: Final = 4.0
"""Times that the characters of the chosen reading are more likely than those of any other one of the form."""
MOST_READINGS: Final = 4096
"""Readings of a value that are compared."""
NO_LETTER_AT_ALL: Final = 0.6
"""Chance of a glyph to be no letter, from which none is chosen for it."""
SHORTEST_LABEL: Final = 4
"""Characters of a label right behind which its value stands."""
INLINE: Final = frozenset(("sheet", "scale"))
"""Fields whose values stand behind their labels in one line."""
_RINGS: Final = [CLASSES.index(sign) for sign in "0O"]
FIGURE_TWINS: Final = frozenset("0Oo1Il|2Zz5Ss8B")
"""What a figure looks like as well."""


@dataclass(frozen=True, slots=True)
class _Value:
    """What stands in a cell beside its label."""

    key: str
    form: re.Pattern[str]
    pieces: list[int]
    label: Line


class _Supported(NamedTuple):
    """A character that a glyph may be."""

    sign: str
    alike: float
    """Chance of it and its look-alikes."""
    chance: float


def with_labelled_values(ink: Ink, good: list[Line]) -> list[Line]:
    """The good lines with those that are values of labelled cells, in place of the ones that are parts of these."""
    values = [value for quarter in quarters_of(good) for value in _values(ink, good, quarter)]
    rows = [_row(ink, value) for value in values]
    found: list[Line] = []
    taken: set[int] = set()
    for value, read in zip(values, read_together(rows), strict=True):
        signs = _chosen(read, value.form)
        if signs is not None and taken.isdisjoint(value.pieces):
            found.append(_line(read, signs))
            taken.update(value.pieces)
    others = [_with_value_behind_label(line) for line in good if taken.isdisjoint(line.pieces)]
    return [_with_count_in_words(line) for line in others] + found


def _values(ink: Ink, good: Sequence[Line], quarter: int) -> Iterator[_Value]:
    """The values of the labels that read in one direction, which are not read as what their labels name."""
    lines = [line for line in good if line.read.quarter == quarter and line.read.ink is ink]
    labels = [(line, key) for line in lines if (key := _key(line))]
    if not labels:
        return
    rules, boxes = Rules.with_pieces(ink, quarter), turned_boxes(ink.boxes, quarter)
    lettered = {piece: line for line in good if line.read.ink is ink for piece in line.pieces}
    others = {piece for line in lines if _names_field(line) for piece in line.pieces}
    for label, key in labels:
        form = FORMS.get(key, NAMES)
        for cell in _cells(rules, boxes, label):
            pieces = _inside(boxes, cell, label)
            if not others.isdisjoint(pieces) or not _is_value(ink, boxes, pieces, label):
                continue
            if not _is_read(pieces, lettered, quarter, form):
                yield _Value(key, form, pieces, label)


def _key(label: Line) -> str:
    """The field that a line names as its label, if its values have one of few forms; empty of any other line."""
    text = _text(label)
    wording = title_labels.read(text)
    if len(text) < 2 or wording is None or wording.value or (wording.key not in FORMS and wording.key not in ROLES):
        return ""
    return wording.key


def _names_field(line: Line) -> bool:
    """Whether a line is a label; the OF of a number of sheets is a part of the value."""
    wording = title_labels.read(_text(line))
    return wording is not None and wording.is_field and OF.fullmatch(_text(line)) is None


def _text(line: Line) -> str:
    return " ".join("".join(line.spelled[place].sign for place in word) for word in line.words)


def _cells(rules: Rules, boxes: Array, label: Line) -> Iterator[Box]:
    """The cell of a label, then the ones behind and below it, whose value it may name."""
    left, low = label.read.boxes[:, :2].min(axis=0).tolist()
    right, top = label.read.boxes[:, 2:].max(axis=0).tolist()
    high, wide = HIGH * label.read.height, WIDE * label.read.height
    own = rules.cell(np.array([left, low, right, top]), high, wide)
    if own is None:
        return
    yield own
    step = label.read.height / 2
    beside = np.array([own[2] + step, low, own[2] + step, top])
    below = np.array([left, own[1] - step, right, own[1] - step])
    for place in (beside, below):
        cell = rules.cell(place, high, wide)
        if cell is not None:
            yield cell


def _inside(boxes: Array, cell: Box, label: Line) -> list[int]:
    """The pieces whose middles are in a cell, but for its walls and its label with the points right behind it."""
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    inside = (x > cell[0]) & (x < cell[2]) & (y > cell[1]) & (y < cell[3])
    inside &= (boxes[:, 2] - boxes[:, 0] < WALL * (cell[2] - cell[0])) & (
        boxes[:, 3] - boxes[:, 1] < WALL * (cell[3] - cell[1])
    )
    inside[label.pieces] = False
    own, height = label.read.boxes, label.read.height
    small = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0) <= POINT * height
    behind = (x > own[:, 0].min()) & (x < own[:, 2].max() + height) & (y > own[:, 1].min()) & (y < own[:, 3].max())
    return [int(place) for place in np.flatnonzero(inside & ~(small & behind))]


def _is_value(ink: Ink, boxes: Array, pieces: list[int], label: Line) -> bool:
    """Whether pieces are all of one string, which may be of letters that are drawn as a label is."""
    if not 0 < len(pieces) <= MOST or (ink.freed is not None and ink.freed[pieces].any()):
        return False
    own = boxes[pieces]
    heights = own[:, 3] - own[:, 1]
    largest = int(heights.argmax())
    height, low, top = float(heights[largest]), float(own[largest, 1]), float(own[largest, 3])
    is_level = bool((own[:, 1] >= low - LEVEL * height).all() and (own[:, 3] <= top + LEVEL * height).all())
    widths = own[:, 2] - own[:, 0]
    return is_level and LIKE[0] <= height / label.read.height <= LIKE[1] and float(widths.max()) <= 2 * height


def _is_read(pieces: list[int], lettered: dict[int, Line], quarter: int, form: re.Pattern[str]) -> bool:
    """Whether one line of the direction has all the pieces, and the form."""
    lines = {id(lettered[piece]): lettered[piece] for piece in pieces if piece in lettered}
    if len(lines) != 1 or not all(piece in lettered for piece in pieces):
        return False
    line = next(iter(lines.values()))
    return line.read.quarter == quarter and form.fullmatch("".join(line.signs())) is not None


def _row(ink: Ink, value: _Value) -> ReadRow:
    quarter = value.label.read.quarter
    boxes = turned_boxes(ink.boxes[value.pieces], quarter)
    height = float((boxes[:, 3] - boxes[:, 1]).max())
    return in_frames(ink, [regrouped(ink, value.pieces, quarter, height)], [quarter])[0]


def _chosen(read: ReadRow, form: re.Pattern[str], first: int = 0) -> list[str] | None:
    """The characters of a value of a form that its shapes support, from the first of its glyphs; None where none is, or none is clear."""
    choices = [_supported(read, place) for place in range(first, len(read.boxes))]
    if not all(choices) or math.prod(len(each) for each in choices) > MOST_READINGS:
        return None
    likely: dict[str, tuple[float, float, list[str]]] = {}
    for chosen in itertools.product(*choices):
        signs = [each.sign for each in chosen]
        if not form.fullmatch(text := "".join(signs)) or (form is not NAMES and _has_two_cases(text)):
            continue
        of = (math.prod(each.alike for each in chosen), math.prod(each.chance for each in chosen), signs)
        likely[text.casefold()] = max(likely.get(text.casefold(), of), of)
    found = sorted(likely.values(), reverse=True)
    if not found or (len(found) > 1 and found[0][0] < CLEAR * found[1][0]):
        return None
    signs = found[0][2]
    return None if form is NAMES and sum(sign not in FIGURE_TWINS for sign in signs) < 2 else signs


def _has_two_cases(text: str) -> bool:
    return text != text.upper() and text != text.lower()


def _with_value_behind_label(line: Line) -> Line:
    """A line that is a label and, right behind it, a value that was not read in its form: SHEET 1 OF 1."""
    signs = line.signs()
    if not any(sign in FIGURE_TWINS | {UNREAD} for sign in signs):
        return line
    for first in range(SHORTEST_LABEL, len(signs)):
        if signs[first].isalpha() or UNREAD in signs[:first]:
            continue
        wording = title_labels.read("".join(signs[:first]))
        if wording is None or wording.value or wording.key not in INLINE:
            continue
        form = FORMS[wording.key]
        if form.fullmatch("".join(signs[first:])) or (value := _chosen(line.read, form, first)) is None:
            return line
        spelled = [*line.spelled[:first], *(Spelled(sign, SURE) for sign in value)]
        return replace(line, words=[list(range(first)), *_words(value, first)], spelled=spelled)
    return line


def _with_count_in_words(line: Line) -> Line:
    """A line that is a number of sheets, or its label and one, with a blank on each side of the `of`: beside a 1 it is hardly a gap."""
    signs = line.signs()
    for first in (0, *range(SHORTEST_LABEL, len(signs))):
        if WORDED_COUNT.fullmatch("".join(signs[first:])) and (not first or _is_label_of_sheets(signs[:first])):
            label = [[place for place in word if place < first] for word in line.words]
            return replace(line, words=[*filter(None, label), *_words(signs[first:], first)])
    return line


def _is_label_of_sheets(signs: list[str]) -> bool:
    wording = title_labels.read("".join(signs))
    return wording is not None and wording.key == "sheet" and not wording.value


def _supported(read: ReadRow, place: int) -> list[_Supported]:
    """The characters that the shape of a glyph supports, with their look-alikes; fonts of straight strokes draw a ring as a rectangle."""
    chances, alike = read.chances[place], read.alike[place].copy()
    if float(chances[CLASSES.index(NO_LETTER)]) >= NO_LETTER_AT_ALL:
        return []
    alike[_RINGS] += alike[CLASSES.index("□")]
    return [
        _Supported(CLASSES[number], float(alike[number]), float(chances[number]))
        for number in np.flatnonzero(alike >= SUPPORTED).tolist()
        if CLASSES[number] != NO_LETTER
    ]


def _line(read: ReadRow, signs: list[str]) -> Line:
    """A value as a line."""
    pen = float(np.median(read.ink.width[read.row.pieces]))
    return Line(read, _words(signs, 0), [Spelled(sign, SURE) for sign in signs], pen < 0, pen)


def _words(signs: list[str], first: int) -> list[list[int]]:
    """Places of the words of a value, counted from the first one: one word, but for a number of sheets and an initial with a name."""
    text = "".join(signs)
    found = WORDED_COUNT.fullmatch(text) or INITIAL.fullmatch(text)
    spans = [found.span(number + 1) for number in range(len(found.groups()))] if found else [(0, len(signs))]
    return [list(range(first + begin, first + end)) for begin, end in spans]
