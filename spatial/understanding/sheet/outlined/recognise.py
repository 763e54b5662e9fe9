"""What the glyphs of a row are: their chances in the four quarter turns, and the frame that the row stands in."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.raster import pen
from spatial.models.sheet.drawing import Array, Flags
from spatial.understanding.sheet.outlined.classes import CHARACTERISTICS, CLASSES, DIGITS, LOOK_ALIKES
from spatial.understanding.sheet.outlined.features import PLACES, Floats, Indices, features, grey_pictures, places
from spatial.understanding.sheet.outlined.ink import THIN_PEN, Ink
from spatial.understanding.sheet.outlined.network import network
from spatial.understanding.sheet.outlined.rows import Row, regrouped, turned

SURE_SHAPE: Final = 0.6
"""Chance of a character from which its glyph says where the baseline is."""
STEADY: Final = 0.03
"""Capital heights by which the reach of a character may differ from font to font where it says where the baseline is."""
SMALL_ONLY: Final = 1.37
"""Capital heights in the height of a row that has small letters alone: ISO 3098-1 has 10/7."""
UPRIGHT, BETTER = 0.97, 0.05
"""Mean chance of the best characters from which the first direction of reading is not doubted, and how much more the opposite one must
have."""

REACH, REACH_SPREAD = 0.14, 4.0
"""Capital heights by which a glyph may reach lower or higher than usual, and how often the usual difference between fonts on top."""
DESCENDS: Final = {"J": 0.3}
"""Capital heights by which a capital reaches below the baseline in some typefaces and not in others."""
TALL_CYRILLIC: Final = "вбдй"
TALL_REACH: Final = (0.0, 1.05)
"""Small letters that lettering of GOST 2.304 draws as high as capitals, and how low and high they reach there in capital heights."""
DIAMETER: Final = "⌀"
DIAMETER_HIGH: Final = (0.7, 1.6)
"""Capital heights from end to end of the sign's stroke: GOST 2.304 draws it below the baseline as far as over the capitals."""
CHARACTERISTIC_REACH, CHARACTERISTIC_HIGH = (-0.3, 1.3), 0.4
"""Capital heights between which the sign of a geometric characteristic stands, and that it is high at least: some programs draw it as high
as its compartment, some as high as letters."""
RAISED_SIGNS: Final = "°\"'"
RAISED, RAISED_HIGH = (0.6, 1.4), 0.55
"""Capital heights between which these signs stand, and that they are high: fonts raise them to the capitals or over them."""
FEWEST: Final = 4
"""Glyphs of a line that may stand upside down: dp and qp are the same."""
SEVERAL: Final = 5
"""Rows beyond doubt that tell from where the lettering of a sheet is read."""

SAME: Final = np.zeros((len(CLASSES), len(CLASSES)), np.float32)
"""(c, c) 1 of look-alikes and of each class with itself."""
np.fill_diagonal(SAME, 1.0)
for _group in LOOK_ALIKES:
    _members = [CLASSES.index(sign) for sign in dict.fromkeys(_group) if sign in CLASSES]
    SAME[np.ix_(_members, _members)] = 1.0
_DIGITS: Final = [CLASSES.index(sign) for sign in DIGITS]
SURE_DIGIT: Final = 0.97
"""Chance of a digit from which its row has no small letters alone."""
ALONE: Final = SAME.sum(axis=1) == 1.0
"""Whether a class has no look-alikes."""
NO_FRAME: Final = np.array([sign == "±" for sign in CLASSES], bool)
"""Whether a class says nothing of how high a line is: stroke fonts put ± at heights of their own."""


def _classes(signs: str) -> NDArray[np.bool_]:
    """(c,) whether a class is one of these characters."""
    return np.isin(np.arange(len(CLASSES)), [CLASSES.index(sign) for sign in signs])


FIGURE, TALL, STEM, RING = _classes("23456789"), _classes("()[]{}/\\|"), _classes("1Il|"), _classes("0Oo")
"""Digits that are as high as capitals in any lettering; what is higher than a line; what a number may be of alone, as 100."""
LEVEL: Final = 0.04
"""Part by which the heights of a stem and a ring of one number differ."""


@dataclass(slots=True)
class ReadRow:
    """A row with what its glyphs may be; coordinates are in the frame of its quarter."""

    row: Row
    quarter: int
    boxes: Array
    """(n, 4)"""
    chances: Floats
    """(n, c)"""
    alike: Floats
    """(n, c) the chance that a glyph is of a class or of one that looks like it."""
    baseline: float
    height: float
    """Of a capital letter."""
    framed: bool
    """Whether characters without look-alikes say where the baseline is and how high capitals are."""
    drawn: tuple[Ink, Row] | None = None
    """What its glyphs are drawn of: components, and the row as `row`, or where its strokes make more glyphs if only those that meet are of
    one, as these. None of a row that is a text of the sheet."""
    told: tuple[str, ...] = ()
    """The characters that the reader of lines is sure of among characters of their kind, empty of the other glyphs; none where it was
    not asked."""
    is_certain: bool = False
    """Whether the reader of lines is sure of a character for every glyph, and of none without one."""

    @property
    def ink(self) -> Ink:
        """Whose components `parts` are of."""
        return self._drawn()[0]

    @property
    def parts(self) -> Row:
        """The row as its glyphs are drawn."""
        return self._drawn()[1]

    def _drawn(self) -> tuple[Ink, Row]:
        if self.drawn is None:
            raise ValueError("the row is a text of the sheet: nothing is drawn for it")
        return self.drawn

    @property
    def certainty(self) -> float:
        """Mean over the glyphs of the best chance of a character and its look-alikes."""
        return float(self.alike[:, 1:].max(axis=1).mean())

    @property
    def fit(self) -> float:
        """The same over the characters that reach as low and as high as the glyphs do: a line upside down has few of them."""
        return float(np.where(self.usual, self.alike, 0.0)[:, 1:].max(axis=1).mean())

    @property
    def usual(self) -> Flags:
        """(n, c) the classes whose glyphs reach as low and as high as each glyph does, in some font."""
        reach = (self.boxes[:, [1, 3]] - self.baseline) / self.height
        slack = REACH + REACH_SPREAD * network().spread
        low, high = reach.T
        lowest, highest = network().extents.T
        off = np.maximum(np.abs(low[:, None] - lowest), np.abs(high[:, None] - highest))
        usual = np.asarray(off <= slack)
        for sign, depth in DESCENDS.items():
            number = CLASSES.index(sign)
            descends = (low >= -depth) & (low <= REACH)
            usual[:, number] |= descends & (np.abs(high - network().extents[number, 1]) <= slack[number])
        is_tall = np.abs(reach - TALL_REACH).max(axis=1) <= REACH
        usual[:, [CLASSES.index(sign) for sign in TALL_CYRILLIC]] |= is_tall[:, None]
        is_diameter = (np.abs((low + high - 1.0) / 2.0) <= REACH) & (high - low >= DIAMETER_HIGH[0])
        usual[:, CLASSES.index(DIAMETER)] |= is_diameter & (high - low <= DIAMETER_HIGH[1])
        is_within = (low >= CHARACTERISTIC_REACH[0]) & (high <= CHARACTERISTIC_REACH[1])
        is_characteristic = is_within & (high - low >= CHARACTERISTIC_HIGH)
        usual[:, [CLASSES.index(sign) for sign in CHARACTERISTICS]] |= is_characteristic[:, None]
        if self.told:  # before the direction of a line is certain, a point upside down is a °
            is_raised = (low >= RAISED[0]) & (high <= RAISED[1]) & (high - low <= RAISED_HIGH)
            usual[:, [CLASSES.index(sign) for sign in RAISED_SIGNS]] |= is_raised[:, None]
        for place, sign in enumerate(self.told):
            # A line may have lettering of two heights: a size and, smaller, its deviation.
            usual[place, [CLASSES.index(sign)] if sign in CLASSES and sign else []] = True
        return usual


def read_rows(ink: Ink, rows: list[Row]) -> list[ReadRow]:
    """What the glyphs of rows may be, each row in the direction in which it reads best."""
    first = in_frames(ink, rows, [row.quarter for row in rows])
    doubtful = [place for place, read in enumerate(first) if read.certainty < UPRIGHT]
    turned_rows = [(place, rows[place], rows[place].quarter + 2) for place in doubtful]
    again = in_frames(ink, [row for _, row, _ in turned_rows], [quarter % 4 for _, _, quarter in turned_rows])
    for (place, _, _), read in zip(turned_rows, again, strict=True):
        if len(read.boxes) >= FEWEST and read.fit > first[place].fit + BETTER:
            first[place] = read
    return first


def in_usual_directions(reads: list[ReadRow]) -> list[ReadRow]:
    """The rows, those upside down that do not read beyond doubt turned where no certain row of the sheet is upside down.

    Lettering is read from the bottom or from the right of a sheet (ISO 3098-1, ISO 129-1), and several Cyrillic letters are others upside
    down: ип and ни, шу and hm.
    """
    certain = Counter(read.quarter for read in reads if len(read.boxes) > FEWEST and read.certainty >= UPRIGHT)
    doubtful = [
        place
        for place, read in enumerate(reads)
        if len(read.boxes) >= FEWEST
        and read.certainty < UPRIGHT
        and read.quarter in (2, 3)
        and not certain[read.quarter]
        and certain[read.quarter - 2] >= SEVERAL
    ]
    turned_reads = list(reads)
    others = in_frames_of([reads[place] for place in doubtful], [reads[place].quarter - 2 for place in doubtful])
    for place, other in zip(doubtful, others, strict=True):
        turned_reads[place] = other
    return turned_reads


def directions_of(reads: list[ReadRow]) -> tuple[int, int]:
    """The quarter turns in which level and upright lettering is read: as most of its certain glyphs are.

    A page that is turned to the left on its paper has level lettering that is read from the left of the page.
    """
    certain: Counter[int] = Counter()
    for read in reads:
        if len(read.boxes) > FEWEST and read.certainty >= UPRIGHT:
            certain[read.quarter] += len(read.boxes)
    level, upright = (turn if certain[turn] >= certain[turn + 2] else turn + 2 for turn in (0, 1))
    return level, upright


def read_apart(ink: Ink, reads: list[ReadRow]) -> list[ReadRow]:
    """Rows read again where their strokes make more glyphs if only those that meet are of one, and kept where that reads better."""
    tight = ink.apart
    if tight is None:
        return reads
    finer = _finer(ink, tight)
    again = []
    for place, read in enumerate(reads):
        apart = sorted({piece for glyph in read.row.glyphs for part in glyph for piece in finer.get(part, ())})
        whole = [part for glyph in read.row.glyphs for part in glyph]
        if len(apart) > len(whole) and all(part in finer for part in whole):
            again.append((place, regrouped(tight, apart, read.quarter, read.row.height)))
    others = in_frames(tight, [row for _, row in again], [row.quarter for _, row in again])
    better = list(reads)
    for (place, _), other in zip(again, others, strict=True):
        read = reads[place]
        if len(other.boxes) > len(read.boxes) and other.certainty > read.certainty:
            better[place] = replace(other, row=read.row)
    return better


def _finer(ink: Ink, tight: Ink) -> dict[int, set[int]]:
    """The components of `tight` that each component of strokes consists of."""
    finer: dict[int, set[int]] = {}
    for of, parts in ((ink.strokes, tight.strokes), (ink.arcs, tight.arcs)):
        for whole, part in zip(of.tolist(), parts.tolist(), strict=True):
            if whole >= 0 and part >= 0 and ink.width[whole] >= 0:
                finer.setdefault(whole, set()).add(part)
    return finer


def in_frames(ink: Ink, rows: list[Row], quarters: list[int]) -> list[ReadRow]:
    """The rows, each in the frame of a quarter turn."""
    if not rows:
        return []
    boxes, seen, counts = _seen(ink, rows, quarters)
    chances = network().chances(seen)
    starts = np.cumsum([0, *counts])
    parts = [slice(begin, end) for begin, end in itertools.pairwise(starts)]
    frames = [frame_of(boxes[part], chances[part]) for part in parts]
    reads = _with_frames(ink, rows, quarters, boxes, seen, parts, frames)
    open_ = [place for place, (_, _, framed) in enumerate(frames) if not framed and not _has_digit(reads[place])]
    small = [(frames[place][0], frames[place][1] * SMALL_ONLY, False) for place in open_]
    others = _with_frames(
        ink,
        [rows[place] for place in open_],
        [quarters[place] for place in open_],
        boxes,
        seen,
        [parts[place] for place in open_],
        small,
    )
    for place, other in zip(open_, others, strict=True):
        if other.certainty > reads[place].certainty + 0.05:
            reads[place] = other
    return reads


def in_frames_of(reads: list[ReadRow], quarters: list[int]) -> list[ReadRow]:
    """Rows in other directions of reading."""
    turned_reads = list(reads)
    for ink in {id(read.ink): read.ink for read in reads}.values():
        places = [place for place, read in enumerate(reads) if read.ink is ink]
        others = in_frames(ink, [reads[place].parts for place in places], [quarters[place] for place in places])
        for place, other in zip(places, others, strict=True):
            turned_reads[place] = replace(other, row=reads[place].row)
    return turned_reads


def reframed(read: ReadRow, frame: tuple[float, float, bool]) -> ReadRow:
    """A row with the chances that its glyphs have in another frame: baseline, capital height, and whether they are beyond doubt."""
    glyphs = read.parts.glyphs if read.quarter == read.parts.quarter else read.parts.glyphs[::-1]
    row = Row(read.quarter, glyphs, read.parts.height)
    boxes, seen, _ = _seen(read.ink, [row], [read.quarter])
    again = _with_frames(read.ink, [row], [read.quarter], boxes, seen, [slice(0, len(boxes))], [frame])[0]
    return replace(again, row=read.row, drawn=read.drawn, boxes=read.boxes)


def pictures_of(reads: list[ReadRow]) -> list[Floats]:
    """(n, p) of each row: the grey pictures that the classifier sees of its glyphs."""
    pictures: list[Floats] = [np.zeros((0, 0), np.float32)] * len(reads)
    for ink in {id(read.ink): read.ink for read in reads}.values():
        places = [place for place, read in enumerate(reads) if read.ink is ink]
        rows = [reads[place].parts for place in places]
        _, seen, counts = _seen(ink, rows, [reads[place].quarter for place in places])
        ends = np.cumsum(counts).tolist()
        for place, count, end in zip(places, counts, ends, strict=True):
            pictures[place] = grey_pictures(seen[end - count : end])
    return pictures


def _has_digit(read: ReadRow) -> bool:
    """Whether a glyph is a digit beyond doubt: digits are as high as capitals."""
    return bool((read.chances[:, _DIGITS].max(axis=1, initial=0.0) >= SURE_DIGIT).any())


def _with_frames(
    ink: Ink,
    rows: list[Row],
    quarters: list[int],
    boxes: Array,
    seen: Floats,
    parts: list[slice],
    frames: list[tuple[float, float, bool]],
) -> list[ReadRow]:
    """Rows with the chances that their glyphs have where they stand over a baseline.

    boxes: (n, 4), seen: (n, f) of the glyphs of all rows; parts: those of each row; frames: its baseline and capital height, and whether
    these are known beyond doubt.
    """
    if not rows:
        return []
    chosen = np.concatenate([np.arange(part.start, part.stop) for part in parts])
    of = np.concatenate([np.full(part.stop - part.start, place) for place, part in enumerate(parts)])
    placed = seen[chosen]
    placed[:, -PLACES:] = places(boxes[chosen], np.array([frame[:2] for frame in frames])[of])
    chances = network().chances(placed)
    alike = chances @ SAME
    ends = np.cumsum([part.stop - part.start for part in parts])
    reads = []
    for row, quarter, part, (base, height, framed), end in zip(
        rows, quarters, parts, frames, ends.tolist(), strict=True
    ):
        own = slice(end - (part.stop - part.start), end)
        reads.append(ReadRow(row, quarter, boxes[part], chances[own], alike[own], base, height, framed, (ink, row)))
    return reads


def _seen(ink: Ink, rows: list[Row], quarters: list[int]) -> tuple[Array, Floats, list[int]]:
    """Boxes (n, 4) and features (n, f) of the glyphs of all rows, from the left, and how many glyphs each has."""
    glyphs = [
        glyph
        for row, quarter in zip(rows, quarters, strict=True)
        for glyph in (row.glyphs if quarter == row.quarter else row.glyphs[::-1])
    ]
    counts = [len(row.glyphs) for row in rows]
    sizes = np.array([len(glyph) for glyph in glyphs], np.int64)
    heights = np.repeat(np.array([row.height for row in rows]), counts)
    edges, piece = outlines(ink, [place for glyph in glyphs for place in glyph], np.repeat(heights, sizes))
    of = np.repeat(np.arange(len(glyphs)), sizes)[piece]
    quarter = np.repeat(np.array(quarters, np.int64), counts)[of]
    for each in np.unique(quarter).tolist():
        edges[quarter == each] = turned(edges[quarter == each], each)
    starts = np.searchsorted(of, np.arange(len(glyphs)))
    low = np.minimum.reduceat(np.minimum(edges[:, :2], edges[:, 2:]), starts)
    high = np.maximum.reduceat(np.maximum(edges[:, :2], edges[:, 2:]), starts)
    boxes = np.concatenate([low, high], axis=1)
    return boxes, features(edges, of, boxes, np.full((len(boxes), 2), np.nan)), counts


def outlines(ink: Ink, places: list[int], heights: Array) -> tuple[Array, Indices]:
    """The closed outlines (e, 4) of k components, one after the other, and which of the components (e,) each edge is of; of strokes, what
    their pen draws.

    heights: (k,) of the rows that they are of, which are drawn with a pen no thinner than lettering has.
    """
    first, last = (np.searchsorted(ink.of, places, side=side) for side in ("left", "right"))
    counts = last - first
    of = np.repeat(np.arange(len(places)), counts)
    chosen = np.arange(len(of)) + np.repeat(first - np.cumsum(counts) + counts, counts)
    width = ink.width[places][of]
    is_drawn = width >= 0
    whole, lines = chosen[~is_drawn], chosen[is_drawn]
    penned = pen(ink.edges[lines], np.maximum(width, THIN_PEN * heights[of])[is_drawn])
    edges = np.concatenate([ink.edges[whole], penned])
    each = np.concatenate([of[~is_drawn], np.repeat(of[is_drawn], len(penned) // max(len(lines), 1))])
    order = np.argsort(each, kind="stable")
    return edges[order], each[order]


def frame_of(boxes: Array, chances: Floats) -> tuple[float, float, bool]:
    """Baseline and capital height of a row, from the characters whose reach is the same in all fonts."""
    model = network()
    top = chances.argmax(axis=1)
    reach = model.extents[top, 1] - model.extents[top, 0]
    chance = chances[np.arange(len(top)), top]
    steady = (chance > SURE_SHAPE) & (model.spread[top] < STEADY) & (reach > 0.5) & (top > 0)
    good = steady & ALONE[top] & ~NO_FRAME[top]
    if not good.any():
        good = steady & FIGURE[top]
    low, high = boxes[:, 1], boxes[:, 3]
    if not good.any():
        return _frame_of_tallest(low, high, top)
    height = _median((high - low)[good] / reach[good])
    baseline = _median(low[good] - model.extents[top[good], 0] * height)
    return baseline, max(height, 1e-9), True


def _median(values: Array) -> float:
    """Of a few numbers, for which `numpy.median` takes ten times as long."""
    ordered: list[float] = np.sort(values).tolist()
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _frame_of_tallest(low: Array, high: Array, top: Indices) -> tuple[float, float, bool]:
    """The frame of a row that no character tells: from its tallest glyph, brackets and strokes left out, or of a stem and rings as high."""
    tall = np.where(TALL[top] & ~TALL[top].all(), 0.0, high - low)
    tallest = int(tall.argmax())
    height = float(max(tall[tallest], 1e-9))
    alike = np.abs(tall - height) <= LEVEL * height
    is_number = bool((alike & STEM[top]).any() and (alike & RING[top]).any())
    return float(low[tallest]), height, is_number
