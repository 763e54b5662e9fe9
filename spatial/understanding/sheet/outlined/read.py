"""Lettering that is drawn as outlines or strokes, as texts.

What is not sure is not reported: a line is left out, with its place, where its glyphs are not letters beyond doubt or where there is
too little of it to tell letters from geometry.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array, Box, Flags, Indices, Text
from spatial.models.sheet.repairs import FROM_OUTLINES, UNKNOWN
from spatial.understanding.sheet.outlined.agreement import with_lines_read
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.cyrillic import is_cyrillic
from spatial.understanding.sheet.outlined.in_line import Standing
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.line_reader import LineReaderUnavailable
from spatial.understanding.sheet.outlined.recognise import ReadRow, read_apart, read_rows
from spatial.understanding.sheet.outlined.rows import find_rows, turned, turned_boxes
from spatial.understanding.sheet.outlined.spelled import Spelled
from spatial.understanding.sheet.outlined.spelling import spell
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
OPEN_SIGNS: Final = "-/"
"""How a line ends that a digit goes on."""
SAME_HEIGHT: Final = 0.04
"""Part by which the heights of lettering of one style differ."""
SINGLE: Final = 0.985
"""Chance from which a glyph that stands alone is believed."""
FILLED_LINES: Final = 5
"""Lines of filled letters that make a sheet one that is lettered so."""
LEFT_OUT, LEFT_OUT_AROUND = (0.05, 1.0), 0.2
"""Capital heights of what may be a part of a letter among the letters of a line, and how far over and under them it may be."""
CUT_HEIGHT, CUT_GAP = (0.6, 1.25), 0.3
"""Capital heights of what may be a letter that a line goes on with, and of the gap before it."""
NUMBER_GAP, POINT_HIGH = 0.8, 0.25
"""Capital heights of the gap between a digit and a point, and of how high a point reaches."""
APART: Final = 1.45
"""Capital heights between two words from which they are two texts."""

_PLAIN_SHAPES: Final = frozenset("0OoIl1|ı.,:;'\"-_/\\()[]{}+=<>TLVXvxcCUuDΔ□°~*YГ")
"""Characters that parts of views look like."""


@dataclass(slots=True)
class FoundLettering:
    """The drawn lettering of one sheet."""

    texts: list[Text] = field(default_factory=list)
    unread: list[Box] = field(default_factory=list)
    """Around what looks like lettering and could not be read."""
    fills: Flags | None = None
    """Which fills of the sheet are of texts that were read."""
    strokes: Flags | None = None
    arcs: Flags | None = None
    without_lines: str = ""
    """Why the reader of lines was not asked; empty where it was, or had not to be."""


@dataclass(slots=True)
class _Line:
    read: ReadRow
    words: list[list[int]]
    spelled: list[Spelled]
    filled: bool
    pen: float

    def signs(self) -> list[str]:
        return [each.sign for each in self.spelled]

    @property
    def sure(self) -> float:
        return sum(sign != UNREAD for sign in self.signs()) / len(self.spelled)

    @property
    def distinct(self) -> int:
        plain = sum(sign.isalnum() and sign not in _PLAIN_SHAPES for sign in self.signs())
        return plain + sum(self.is_flagged_one(place) for place in range(len(self.spelled)))

    @property
    def is_told(self) -> bool:
        """Whether the reader of lines and the glyphs are certain of the same characters, of which there are too many kinds for geometry."""
        signs = self.signs()
        return (
            self.read.is_certain
            and self.sure == 1.0
            and (len(signs) >= LETTERED or self.distinct > 1)
            and len(set(signs)) > 1
            and any(sign.isalnum() for sign in signs)
        )

    def is_flagged_one(self, place: int) -> bool:
        """Whether a glyph is a filled 1 with a flag, which no stroke and no I or l looks like."""
        chance = float(self.read.chances[place, CLASSES.index("1")])
        return self.filled and self.spelled[place].sign == "1" and chance >= SINGLE


def read_ink(ink: Ink, page: int) -> FoundLettering:
    """The texts that the components of a sheet are."""
    if not len(ink.boxes):
        return FoundLettering()
    reads = read_apart(ink, read_rows(ink, find_rows(ink)))
    cyrillic, without_lines = is_cyrillic(reads), ""
    if not cyrillic:
        try:
            reads = with_lines_read(ink, reads)
        except LineReaderUnavailable as error:
            without_lines = str(error)
    steps = [even_step(read.boxes) for read in reads]
    known = [(read.height, step) for read, step in zip(reads, steps, strict=True) if step is not None]
    lines = [
        _line(ink, read, _usual_step(read, known) if step is None else step, cyrillic=cyrillic)
        for read, step in zip(reads, steps, strict=True)
    ]
    certain = [
        line for line in lines
        if (line.sure >= MOSTLY and line.distinct >= LETTERED) or (line.is_told and len(line.spelled) >= STYLED)
    ]  # fmt: skip
    good = _with_short(lines, [line for line in lines if _is_good(line, certain)])
    used = [place for line in good for glyph in line.read.row.glyphs for place in glyph]
    others = np.setdiff1d(np.arange(len(ink.boxes)), used)
    single = [line.read.row.glyphs[0] for line in good if len(line.read.boxes) == 1]
    found = FoundLettering(without_lines=without_lines)
    for line in good:
        _mark_left_out(ink, line, others)
        alone = np.array(
            [place for glyph in single if glyph is not line.read.row.glyphs[0] for place in glyph], np.int64
        )
        found.texts += _texts(line, page, _continues(ink, line, others, alone))
    left = [line for line in lines if not any(line is each for each in good)]
    found.unread = [_sheet_box(line) for line in left if _looks_lettered(line, certain)]
    taken = np.zeros(len(ink.boxes) + 1, bool)
    taken[used] = True
    taken[-1] = False
    found.fills, found.strokes, found.arcs = taken[ink.fills], taken[ink.strokes], taken[ink.arcs]
    return found


def _usual_step(read: ReadRow, known: list[tuple[float, float]]) -> float | None:
    """The step of the lines of the height of one too short to tell its own; None where there are none, or it is long.

    known: capital height and step of the lines whose glyphs stand at even steps.
    """
    alike = [step for height, step in known if abs(height - read.height) <= SAME_HEIGHT * read.height]
    return float(np.median(alike)) if alike and len(read.boxes) < FEW else None


def _line(ink: Ink, read: ReadRow, step: float | None, *, cyrillic: bool) -> _Line:
    """A line with its words; step: from one glyph to the next where they stand at even steps."""
    words = find_words(read.boxes, read.height, step)
    spelled = spell(read, words, cyrillic=cyrillic)
    if cyrillic:
        words = join_yery(read, words, spelled)
    pens = ink.width[[place for glyph in read.row.glyphs for place in glyph]]
    return _Line(read, words, spelled, bool(np.median(pens) < 0), float(np.median(pens)))


def _is_good(line: _Line, certain: list[_Line]) -> bool:
    """Whether a line is lettering beyond doubt, by itself or because lettering of its style is."""
    if line.sure < MOSTLY:
        return False
    if line.distinct >= LETTERED or line.is_told:
        return True
    if not _has_style(line, certain):
        return _is_certainly_filled(line, certain)
    signs = line.signs()
    if len(signs) > 1:
        return (
            line.sure == 1.0
            and any(sign.isalnum() for sign in signs)
            and (line.distinct > 0 or any(sign.isdigit() for sign in signs))
        )
    is_told = signs[0] not in _PLAIN_SHAPES or line.is_flagged_one(0)
    return signs[0].isalnum() and is_told and line.spelled[0].chance >= SINGLE


def _with_short(lines: list[_Line], good: list[_Line]) -> list[_Line]:
    """The good lines with those, sure in every glyph, that are too short to be told by themselves and go on with one of them."""
    chosen = {id(line) for line in good}
    filled, pens = np.array([line.filled for line in good], bool), np.array([line.pen for line in good], float)
    standing = Standing.of([line.read for line in good], [line.spelled[-1].sign in OPEN_SIGNS for line in good])
    found = list(good)
    for line in lines:
        if id(line) in chosen or line.sure < 1.0 or not any(sign.isalnum() for sign in line.signs()):
            continue
        mates = (filled == line.filled) & (np.abs(pens - line.pen) <= SAME_PEN * np.abs(pens))
        if standing.goes_on(line.read, mates):
            found.append(line)
    return found


def _has_pen(line: _Line, other: _Line) -> bool:
    return line.filled == other.filled and abs(line.pen - other.pen) <= SAME_PEN * abs(line.pen)


def _is_certainly_filled(line: _Line, certain: list[_Line]) -> bool:
    """Whether a line in a height of its own is of filled letters, every one beyond doubt, on a sheet that is lettered so.

    Fills are of letters, arrowheads and pictures; strokes are of anything.
    """
    return (
        line.filled
        and sum(each.filled for each in certain) >= FILLED_LINES
        and line.distinct > 0
        and min(each.chance for each in line.spelled) >= SINGLE
    )


def _mark_left_out(ink: Ink, line: _Line, others: Indices) -> None:
    """Mark the glyphs of a line beside which something stands that is not read: it may be a point, or a part of them."""
    boxes, height, glyphs = turned_boxes(ink.boxes[others], line.read.quarter), line.read.height, line.read.boxes
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    size = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0)
    low, high = line.read.baseline - LEFT_OUT_AROUND * height, line.read.baseline + (1 + LEFT_OUT_AROUND) * height
    inside = (
        (middle[:, 1] > low) & (middle[:, 1] < high) & (size > LEFT_OUT[0] * height) & (size < LEFT_OUT[1] * height)
    )
    inside &= (middle[:, 0] > glyphs[:, 0].min()) & (middle[:, 0] < glyphs[:, 2].max())
    for x in middle[inside, 0].tolist():
        nearest = int(np.abs(np.clip(x, glyphs[:, 0], glyphs[:, 2]) - x).argmin())
        line.spelled[nearest] = Spelled(UNREAD, 0.0)


def _continues(ink: Ink, line: _Line, others: Indices, single: Indices) -> tuple[bool, bool]:
    """Whether something as high as a letter, which was not read with it, stands close before a line and close behind it.

    others: components that were not read; single: those of characters that were read alone.
    """
    height = line.read.height
    tall, points = _as_high(ink, line, others)
    alone = _as_high(ink, line, single)[0]
    ends = (-line.read.boxes[:, 0].min(), line.spelled[0].sign), (line.read.boxes[:, 2].max(), line.spelled[-1].sign)
    before, behind = (
        _goes_on(end, tall[:, way] * turn, points[:, way] * turn, sign, height)
        or (sign.isdigit() and _stands_at(end, alone[:, way] * turn, NUMBER_GAP, height))
        for (end, sign), way, turn in zip(ends, ([1, 0], [0, 1]), (-1, 1), strict=True)
    )
    return before, behind


def _as_high(ink: Ink, line: _Line, places: Indices) -> tuple[Array, Array]:
    """Where those of the components begin and end (n, 2) that are as high as letters of a line, and those that are as low as its points."""
    alike = places[(ink.width[places] < 0) == line.filled]
    boxes, height = turned_boxes(ink.boxes[alike], line.read.quarter), line.read.height
    low, high = boxes[:, 1] - line.read.baseline, boxes[:, 3] - line.read.baseline
    fits = (high - low >= CUT_HEIGHT[0] * height) & (high - low <= CUT_HEIGHT[1] * height)
    fits &= (np.minimum(high, height) - np.maximum(low, 0.0)) >= CUT_HEIGHT[0] * (high - low)
    points = (high <= POINT_HIGH * height) & (low >= -POINT_HIGH * height)
    spans = boxes[:, [0, 2]]
    return spans[fits], spans[points]


def _goes_on(end: float, tall: Array, points: Array, sign: str, height: float) -> bool:
    """Whether something that is not read follows the end of a line: close to it, or behind a point that follows a digit.

    tall, points: (n, 2) where things as high as a letter and as low as a point begin and end, in the direction in which the line goes on.
    """
    ends = [(end, CUT_GAP)]
    if sign.isdigit():
        near = (points[:, 0] > end) & (points[:, 0] < end + NUMBER_GAP * height)
        ends += [(float(each), NUMBER_GAP) for each in points[near, 1]]
    return any(_stands_at(each, tall, reach, height) for each, reach in ends)


def _stands_at(end: float, spans: Array, reach: float, height: float) -> bool:
    """Whether one of these spans begins close to an end."""
    return bool(((spans[:, 0] > end - CUT_GAP * height) & (spans[:, 0] < end + reach * height)).any())


def _has_style(line: _Line, certain: list[_Line]) -> bool:
    return any(
        _has_pen(each, line) and abs(each.read.height - line.read.height) <= SAME_HEIGHT * each.read.height
        for each in certain
    )


def _looks_lettered(line: _Line, certain: list[_Line]) -> bool:
    """Whether a person would take it for lettering: some of it reads, or it has the height of lettering."""
    if len(line.spelled) < 2:
        return False
    return line.distinct >= 2 or (line.distinct >= 1 and _has_style(line, certain))


def _sheet_box(line: _Line) -> Box:
    boxes = turned_boxes(line.read.boxes, -line.read.quarter)
    (left, bottom), (right, top) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return left, bottom, right, top


def _texts(line: _Line, page: int, continues: tuple[bool, bool]) -> list[Text]:
    """The texts of a line: words that stand near one another."""
    boxes, groups = line.read.boxes, [[line.words[0]]]
    for word in line.words[1:]:
        gap = boxes[word[0], 0] - boxes[groups[-1][-1][-1], 2]
        if gap > APART * line.read.height:
            groups.append([])
        groups[-1].append(word)
    cuts = [(continues[0] and group is groups[0], continues[1] and group is groups[-1]) for group in groups]
    return [
        text for group, cut in zip(groups, cuts, strict=True) if (text := _text(line, group, page, cut)) is not None
    ]


def _text(line: _Line, words: list[list[int]], page: int, cut: tuple[bool, bool]) -> Text | None:
    read, boxes = line.read, line.read.boxes
    signs: list[str] = []
    begins: list[float] = []
    left = float(boxes[words[0][0], 0])
    for word in words:
        if signs:
            signs.append(" ")
            begins.append(float(boxes[word[0] - 1, 2]) - left)
        for place in word:
            signs.append(line.spelled[place].sign)
            begins.append(float(boxes[place, 0]) - left)
    right = float(boxes[words[-1][-1], 2])
    if cut[0]:
        signs.insert(0, UNREAD)
        begins.insert(0, 0.0)
    if cut[1]:
        signs.append(UNREAD)
        begins.append(right - left)
    if all(sign in (UNREAD, " ") for sign in signs):
        return None
    members = [place for word in words for place in word]
    x, y = turned(np.array([[left, read.baseline]]), -read.quarter)[0].tolist()
    return Text(
        id="", text="".join(signs), page=page, origin=(x, y), angle=90.0 * read.quarter, height=read.height, width=right - left,
        box=_box_of(boxes[members], read.quarter), advances=np.array([*begins, right - left]),
        repairs=(FROM_OUTLINES, UNKNOWN) if UNREAD in signs else (FROM_OUTLINES,),
    )  # fmt: skip


def _box_of(boxes: Array, quarter: int) -> Box:
    of = turned_boxes(boxes, -quarter)
    (left, bottom), (right, top) = of[:, :2].min(axis=0).tolist(), of[:, 2:].max(axis=0).tolist()
    return left, bottom, right, top
