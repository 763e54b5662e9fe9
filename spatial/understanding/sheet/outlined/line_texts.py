"""The texts of a line of drawn lettering, with U+FFFD where something of it was not read."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.drawing import Array, Box, Flags, Indices, Text
from spatial.models.sheet.repairs import FROM_OUTLINES, UNKNOWN
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.lines import Line
from spatial.understanding.sheet.outlined.rows import turned, turned_boxes
from spatial.understanding.sheet.outlined.spelled import Spelled
from spatial.understanding.sheet.outlined.words import is_over_blank, steady_step

LEFT_OUT, LEFT_OUT_AROUND = (0.05, 1.0), 0.2
"""Capital heights of what may be a part of a letter among the letters of a line, and how far over and under them it may be."""
SLIVER: Final = 0.05
"""Capital heights that a hairline along the edge of a letter is wide at most."""
TWICE: Final = 0.8
"""Part of the height and of the width of a letter that one which is drawn over it has."""
CUT_HEIGHT, CUT_GAP = (0.6, 1.25), 0.3
"""Capital heights of what may be a letter that a line goes on with, and of the gap before it."""
NUMBER_GAP, POINT_HIGH = 0.8, 0.25
"""Capital heights of the gap between a digit and a point, and of how high a point reaches."""
APART: Final = 1.45
"""Capital heights between two words from which they are two texts."""
_BEGUN: Final = re.compile(r"(?:.*\s)?[-+±(Ø⌀R]*(?:0[.,]|\.)|.*[-+±=(\[]0[.,]")
""" "." and "0.", which only a number goes on: no list counts from 0."""
_POINT_LOST: Final = re.compile(r"[(\[]?0\d+±")
"""How a size begins that has lost its point: no size has a zero before its other digits (030±.002)."""
_BEGUN_NUMBER: Final = re.compile(r".*\d[.,]")


def texts_of(ink: Ink, line: Line, page: int, others: Indices, single: Indices, *, is_cut: bool = False) -> list[Text]:
    """The texts of a line: words that stand near one another.

    others: components that were not read; single: those of characters that were read alone; is_cut: whether its beginning was not read.
    """
    _mark_left_out(ink, line, others)
    _mark_last_bar(line)
    is_cut = is_cut or _POINT_LOST.match("".join(line.signs())) is not None
    continues = _continues(ink, line, others, single)
    boxes, groups = line.read.boxes, [[line.words[0]]]
    step = steady_step(boxes)
    for word in line.words[1:]:
        gap = boxes[word[0], 0] - boxes[groups[-1][-1][-1], 2]
        if gap > APART * line.read.height and not _is_one_blank(boxes, word[0], step):
            groups.append([])
        groups[-1].append(word)
    cuts = [((continues[0] or is_cut) and group is groups[0], continues[1] and group is groups[-1]) for group in groups]
    return [
        text for group, cut in zip(groups, cuts, strict=True) if (text := _text(line, group, page, cut)) is not None
    ]


def _is_one_blank(boxes: Array, place: int, step: float | None) -> bool:
    """Whether one blank is before a glyph of a line whose glyphs all take the same width, which a narrow letter leaves wide."""
    if step is None:
        return False
    one, other = boxes[[place - 1, place]][:, [0, 2]].mean(axis=1).tolist()
    return is_over_blank(step, one, other)


def _mark_last_bar(line: Line) -> None:
    """A bar at the foot of a number, or a plus behind it, that nothing follows may be the sign of a deviation which was not read."""
    if len(line.spelled) > 1 and line.spelled[-1].sign in ("_", "+") and line.spelled[-2].sign.isdigit():
        line.spelled[-1] = Spelled(UNREAD, 0.0)


def _mark_left_out(ink: Ink, line: Line, others: Indices) -> None:
    """Mark the glyphs of a line beside which something stands that is not read: it may be a point, or a part of them.

    A part of a filled letter is filled: the dashes of a ring around a number are no parts of its outlines.
    """
    others = others[(ink.width[others] < 0) | ink.bars[others] | (not line.filled)]
    boxes, height, glyphs = turned_boxes(ink.boxes[others], line.read.quarter), line.read.height, line.read.boxes
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    size = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0)
    low, high = line.read.baseline - LEFT_OUT_AROUND * height, line.read.baseline + (1 + LEFT_OUT_AROUND) * height
    inside = (
        (middle[:, 1] > low) & (middle[:, 1] < high) & (size > LEFT_OUT[0] * height) & (size < LEFT_OUT[1] * height)
    )
    inside &= (middle[:, 0] > glyphs[:, 0].min()) & (middle[:, 0] < glyphs[:, 2].max())
    certain = np.array([line.read.is_certain or sign != "" for sign in line.read.told or [""] * len(glyphs)], bool)
    inside[inside] = ~_slivers(boxes[inside], glyphs[certain], height)
    for x in middle[inside, 0].tolist():
        nearest = int(np.abs(np.clip(x, glyphs[:, 0], glyphs[:, 2]) - x).argmin())
        line.spelled[nearest] = Spelled(UNREAD, 0.0)


def _slivers(boxes: Array, glyphs: Array, height: float) -> Flags:
    """(k,) which pieces are within the box of one glyph, and thinner than a point or nearly as large as it.

    Exporters draw hairlines along the edges of a letter, and letters that are to look bold twice.
    """
    low = (boxes[:, None, :2] >= glyphs[:, :2]).all(axis=2)
    high = (boxes[:, None, 2:] <= glyphs[:, 2:]).all(axis=2)
    thin = (boxes[:, 2:] - boxes[:, :2]).min(axis=1, initial=np.inf) <= SLIVER * height
    sizes = (boxes[:, 2:] - boxes[:, :2])[:, None]
    large = (sizes >= TWICE * (glyphs[:, 2:] - glyphs[:, :2])).all(axis=2)
    return np.asarray(np.any(low & high & (thin[:, None] | large), axis=1), bool)


def _continues(ink: Ink, line: Line, others: Indices, single: Indices) -> tuple[bool, bool]:
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


def _as_high(ink: Ink, line: Line, places: Indices) -> tuple[Array, Array]:
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


def _text(line: Line, words: list[list[int]], page: int, cut: tuple[bool, bool]) -> Text | None:
    read, boxes = line.read, line.read.boxes
    signs: list[str] = []
    begins: list[float] = []
    left = float(boxes[words[0][0], 0])
    is_number = not any(line.spelled[place].sign.isalpha() for word in words for place in word)
    for word in words:
        if signs and not _goes_on_with("".join(signs), line.spelled[word[0]].sign, is_number=is_number):
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


def _goes_on_with(written: str, sign: str, *, is_number: bool) -> bool:
    """Whether a digit goes on a number behind its point: a point stands far from the digit behind it in some lettering.

    is_number: whether no letter is in the text: `2. 50` alone is a number, and `2. 4X M3` an item of a list.
    """
    begun = _BEGUN.fullmatch(written) or (is_number and _BEGUN_NUMBER.fullmatch(written))
    return sign.isdigit() and bool(begun)


def _box_of(boxes: Array, quarter: int) -> Box:
    of = turned_boxes(boxes, -quarter)
    (left, bottom), (right, top) = of[:, :2].min(axis=0).tolist(), of[:, 2:].max(axis=0).tolist()
    return left, bottom, right, top
