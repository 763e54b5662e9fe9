"""What is drawn near a piece of lettering, seen from it.

Glossary
  frame    of a text: its origin, u along the baseline, v up, in letter heights: a capital stands from v = 0 to v = 1.
  word     characters of a text without a space between; signs fit into the gaps before and behind words.
  round    a whole circle, or a closed curve that is nearly one (an ellipse, a polygon of many sides).
  piece    a stroke, a round, or an open arc.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.geometry.columns import bounds, every, greatest, least
from spatial.geometry.index import CellIndex
from spatial.models.sheet.drawing import Array, Box, Flags, Indices, Sheet, Text
from spatial.understanding.sheet.symbols.circles import drawn_circles, whole

REACH: Final = 6.0
"""Letter heights to the left and right of a text where its signs are looked for."""
BELOW, ABOVE = 2.2, 3.0
"""The same below the baseline and above it, of the middles of strokes: the short leg of a texture sign ends 3 letter heights below its
value, and, upside down, 4 above it."""
SAMPLES: Final = 64
"""A stroke stands in at most this many cells; longer ones are frames of sheets and edges of parts."""
LONGEST: Final = 5.4
"""Letter heights of the longest stroke of a sign: the side of a cell; the long leg of a texture sign is the longest."""
PLACES: Final = 2_000_000
"""Cells of a sheet that are counted in; a larger one is searched text by text."""
CROWD: Final = 3000
"""More strokes near one text are a hatch or a picture: no sign is looked for there."""

AT_ONCE: Final = 250
"""Texts whose surroundings are held together."""
_NONE: Final = np.zeros(0, np.int64)


@dataclass(slots=True)
class Frame:
    """The frame of a text."""

    x: float
    y: float
    cosine: float
    sine: float
    height: float
    angle: float

    @classmethod
    def of(cls, text: Text) -> Frame:
        """Of one text."""
        turn = np.radians(text.angle)
        return cls(*text.origin, float(np.cos(turn)), float(np.sin(turn)), text.height, text.angle)

    def seen(self, points: Array) -> Array:
        """Points (…, 2) of the sheet as (u, v)."""
        x, y = points[..., 0] - self.x, points[..., 1] - self.y
        return np.stack([x * self.cosine + y * self.sine, y * self.cosine - x * self.sine], axis=-1) / self.height

    def box(self, box: Box) -> Box:
        """The upright box on the sheet round a box in the frame."""
        u = np.array([box[0], box[2], box[2], box[0]]) * self.height
        v = np.array([box[1], box[1], box[3], box[3]]) * self.height
        x, y = self.x + u * self.cosine - v * self.sine, self.y + u * self.sine + v * self.cosine
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())


@dataclass(slots=True)
class Word:
    """A word of a text, in its frame."""

    text: str
    begin: float
    end: float
    free: float
    """Where the word before it ends: signs before this word stand right of it."""


@dataclass(slots=True)
class Near:
    """The pieces near a text, in its frame; strokes up to LONGEST."""

    frame: Frame
    words: list[Word]
    lines: Array
    """(n, 4) u1, v1, u2, v2 with u1 <= u2."""
    line: Indices
    """(n,) number of each stroke on the sheet."""
    rounds: Array
    """(m, 3) u, v, radius."""
    round: Indices
    bows: Array
    """(k, 5) open arcs: u, v, radius, start and end angle."""
    bow: Indices
    length: Array
    """(n,) of the lines."""
    slope: Array
    """(n,) direction of the lines in degrees, in (-90, 90]."""
    pieces: SheetStrokes

    def alone(self, members: Indices, box: Box) -> bool:
        """Whether no other stroke ends where one of some strokes ends: signs are not joined to edges of the part."""
        region = self.frame.box((box[0] - 0.1, box[1] - 0.1, box[2] + 0.1, box[3] + 0.1))
        tips = self.pieces.tips().in_box(region)
        of, end = tips // 2, tips % 2
        other = ~np.isin(of, self.line[members])
        points = self.frame.seen(self.pieces.ends.reshape(-1, 2, 2)[of[other], end[other]])
        own = self.lines[members].reshape(-1, 2)
        return not (np.abs(points[:, None] - own[None]).max(axis=2, initial=0.0) < 0.06).any()

    def level(self) -> Array:
        """(n, 4) the strokes of any length near the text that run along its baseline."""
        region = self.frame.box((-REACH, -3.0, 1.0, 4.0))
        lines = self.frame.seen(self.pieces.ends[self.pieces.ruling().in_box(region)].reshape(-1, 2, 2)).reshape(-1, 4)
        lines = lines[np.abs(lines[:, 1] - lines[:, 3]) < 0.05]
        return np.where((lines[:, 0] > lines[:, 2])[:, None], lines[:, [2, 3, 0, 1]], lines)


@dataclass(slots=True)
class Surroundings:
    """The pieces near several texts, each in the frame of its text; members as those of `Near`, in the order of the texts."""

    texts: list[Text]
    lines: Array
    line: Indices
    of: Indices
    """(n,) number of the text of each line."""
    length: Array
    slope: Array
    rounds: Array
    round: Indices
    round_of: Indices
    bows: Array
    bow: Indices
    bow_of: Indices
    pieces: SheetStrokes
    _known: dict[int, Near] = field(default_factory=dict)
    _words: dict[int, list[Word]] = field(default_factory=dict)
    _ends: list[list[int]] = field(default_factory=list)
    """Of the lines, the rounds and the bows, where those of each text begin, and where the last end."""

    def __post_init__(self) -> None:
        texts = np.arange(len(self.texts) + 1)
        self._ends = [np.searchsorted(of, texts).tolist() for of in (self.of, self.round_of, self.bow_of)]

    def __len__(self) -> int:
        return len(self.texts)

    def first(self, place: int) -> int:
        """The first line of a text."""
        return self._ends[0][place]

    def words(self, place: int) -> list[Word]:
        """The words of one text."""
        if place not in self._words:
            self._words[place] = words(self.texts[place])
        return self._words[place]

    def near(self, place: int) -> Near:
        """What is near one text."""
        if place not in self._known:
            text = self.texts[place]
            line, ring, bow = (slice(ends[place], ends[place + 1]) for ends in self._ends)
            self._known[place] = Near(
                Frame.of(text), self.words(place), self.lines[line], self.line[line], self.rounds[ring], self.round[ring],
                self.bows[bow], self.bow[bow], self.length[line], self.slope[line], self.pieces,
            )  # fmt: skip
        return self._known[place]


class _Frames:
    """The frames of several texts."""

    def __init__(self, texts: list[Text]) -> None:
        turn = np.radians([text.angle for text in texts])
        self.origin = np.array([text.origin for text in texts]).reshape(-1, 2)
        self.cosine, self.sine = np.cos(turn), np.sin(turn)
        self.angle = np.array([text.angle for text in texts])
        self.height = np.array([text.height for text in texts])
        self.width = np.array([text.width for text in texts]) / self.height

    def seen(self, columns: Sequence[Array], of: Indices) -> list[Array]:
        """Columns x, y and so on of points, each (n,), as u, v and so on: every row as its text `of` sees it."""
        left, foot = (np.ascontiguousarray(part)[of] for part in self.origin.T)
        cosine, sine, height = (part[of] for part in (self.cosine, self.sine, self.height))
        found: list[Array] = []
        for place in range(0, len(columns), 2):
            x, y = columns[place] - left, columns[place + 1] - foot
            found += [(x * cosine + y * sine) / height, (y * cosine - x * sine) / height]
        return found

    def around(self, before: float, below: float, behind: float, above: float) -> Array:
        """(n, 4) the upright box on the sheet round each text, in letter heights to the left, below, right and above."""
        low, high = np.full(len(self.width), -before), self.width + behind
        u = np.stack([low, high, high, low], axis=1) * self.height[:, None]
        v = np.array([-below, -below, above, above]) * self.height[:, None]
        x = self.origin[:, :1] + u * self.cosine[:, None] - v * self.sine[:, None]
        y = self.origin[:, 1:] + u * self.sine[:, None] + v * self.cosine[:, None]
        return np.stack([least(x), least(y), greatest(x), greatest(y)], axis=1)


def words(text: Text) -> list[Word]:
    """The words of a text's first line; one word where it is not known how wide its characters are."""
    line = text.text.split("\n", 1)[0]
    advances: list[float] = [] if text.advances is None else text.advances.tolist()
    if len(advances) <= len(line) or not all(map(math.isfinite, advances)):
        return [Word(line.strip(), 0.0, text.width / text.height, -REACH)] if line.strip() else []
    if line.split() == [line]:
        return [Word(line, advances[0] / text.height, advances[len(line)] / text.height, -REACH)]
    found: list[Word] = []
    free, at = -REACH, 0
    while at < len(line):
        stop = at
        while stop < len(line) and not line[stop].isspace():
            stop += 1
        if stop > at:
            begin, end = advances[at] / text.height, advances[stop] / text.height
            found.append(Word(line[at:stop], begin, end, free))
            free = end
        at = max(stop, at + 1)
    return found


class SheetStrokes:
    """All pieces of a sheet by place."""

    def __init__(self, sheet: Sheet, texts: list[Text]) -> None:
        heights = np.array([text.height for text in texts])
        self.cell = 2.0 * float(np.median(heights)) if len(heights) else 1.0
        edges, owners = _edges(sheet)
        self.ends = np.concatenate([sheet.strokes.ends, edges])
        self.owner = np.concatenate([sheet.strokes.entity, owners])
        most = float(heights.max(initial=1e-9))
        self.circles, self.members = drawn_circles(sheet, most)
        self.whole = whole(self.circles)
        with np.errstate(all="ignore"):
            length = np.hypot(self.ends[:, 2] - self.ends[:, 0], self.ends[:, 3] - self.ends[:, 1])
            short = np.flatnonzero((length <= LONGEST * most) & (length > 0.0))
            sound = np.flatnonzero(every(np.isfinite(self.circles)) & (self.circles[:, 2] < 6.0 * most))
        self.length = length
        self.middle = (self.ends[:, :2] + self.ends[:, 2:]) / 2.0
        self._columns = [np.ascontiguousarray(column) for column in self.ends.T]
        self._places = [np.ascontiguousarray(column) for column in self.middle.T]
        self.strokes = CellIndex(self.middle[short], self.cell, short)
        self.arcs = CellIndex(self.circles[sound, :2], self.cell, sound)
        self._ruling: CellIndex | None = None
        self._tips: CellIndex | None = None

    def with_strokes_near(self, texts: list[Text]) -> list[Text]:
        """The texts that have something of a sign's size about them; most of a title block's have not."""
        usual = 0.75 * self.cell
        along = np.abs(self.ends[:, 2:] - self.ends[:, :2])
        oblique = least(along) > 0.05 * self.length
        with np.errstate(all="ignore"):
            small = (self.length <= 1.8 * usual) | (oblique & (self.length <= 4.6 * usual))
        seeds = np.concatenate([self.middle[small & (self.length > 0.0)], self.circles[:, :2]])
        seeds = seeds[every(np.isfinite(seeds))]
        if not len(seeds):
            return [text for text in texts if text.height > usual]
        low, _ = bounds(seeds)
        place = ((seeds - low) / self.cell).astype(np.int64) + 1
        columns, rows = (int(column.max()) + 1 for column in place.T)
        if columns * rows > PLACES:
            return texts
        counted = np.bincount(place[:, 1] * columns + place[:, 0], minlength=columns * rows).reshape(rows, columns)
        total = counted.cumsum(axis=0).cumsum(axis=1)
        boxes = _Frames(texts).around(REACH, BELOW, 3.0, ABOVE)
        cells = np.clip(np.floor((boxes - np.tile(low, 2)) / self.cell), -1, max(columns, rows)).astype(np.int64) + 1
        left, right = np.clip(cells[:, 0] - 1, 0, columns - 1), np.clip(cells[:, 2], 0, columns - 1)
        bottom, top = np.clip(cells[:, 1] - 1, 0, rows - 1), np.clip(cells[:, 3], 0, rows - 1)
        inside = total[top, right] - total[top, left] - total[bottom, right] + total[bottom, left]
        return [text for text, many in zip(texts, inside.tolist(), strict=True) if many or text.height > usual]

    def ruling(self) -> CellIndex:
        """Strokes of any length by the cells that they pass."""
        if self._ruling is None:
            self._ruling = index_strokes(self.ends, self.cell)
        return self._ruling

    def tips(self) -> CellIndex:
        """Both ends of all strokes; the number of an end is twice its stroke's, and one more for the second."""
        if self._tips is None:
            points = self.ends.reshape(-1, 2)
            sound = np.flatnonzero(every(np.isfinite(points)))
            self._tips = CellIndex(points[sound], self.cell, sound)
        return self._tips

    def entity(self, stroke: int) -> int:
        """The place of a stroke's entity."""
        return int(self.owner[stroke])

    def surroundings(self, texts: list[Text], sideways: float = REACH) -> Iterator[Surroundings]:
        """What is near texts, some at a time; a text with far too much about it sees nothing."""
        for begin in range(0, len(texts), AT_ONCE):
            yield self._surroundings(texts[begin : begin + AT_ONCE], sideways)

    def _surroundings(self, texts: list[Text], sideways: float) -> Surroundings:
        frames = _Frames(texts)
        region = frames.around(sideways, BELOW, sideways, ABOVE)
        of, strokes, crowded = self._strokes_in(region, frames.height)
        first_u, first_v, last_u, last_v = frames.seen([column[strokes] for column in self._columns], of)
        back = first_u > last_u
        # Column by column in memory: most questions are about one column of all lines.
        lines = np.array([
            np.where(back, last_u, first_u), np.where(back, last_v, first_v),
            np.where(back, first_u, last_u), np.where(back, first_v, last_v),
        ]).T  # fmt: skip
        slope = np.degrees(np.arctan2(lines[:, 3] - lines[:, 1], lines[:, 2] - lines[:, 0]))
        slope[slope <= -89.9] = 90.0
        parts = list(self.arcs.in_boxes(region))
        arc_of, arcs = (np.concatenate([_NONE, *(part[axis] for part in parts)]) for axis in (0, 1))
        arc_of, arcs = arc_of[~crowded[arc_of]], arcs[~crowded[arc_of]]
        circles = self.circles[arcs]
        circles[:, 0], circles[:, 1] = frames.seen([circles[:, 0], circles[:, 1]], arc_of)
        circles[:, 2] /= frames.height[arc_of]
        circles[:, 3:] -= frames.angle[arc_of][:, None]
        whole = self.whole[arcs]
        part = ~whole
        return Surroundings(
            texts, lines, strokes, of, self.length[strokes] / frames.height[of], slope,
            circles[whole, :3], arcs[whole], arc_of[whole], circles[part], arcs[part], arc_of[part], self,
        )  # fmt: skip

    def _strokes_in(self, region: Array, height: Array) -> tuple[Indices, Indices, Flags]:
        """Short strokes with their middle in the region of a text, behind the text's number; which texts have too many."""
        found: list[tuple[Indices, Indices]] = [(_NONE, _NONE)]
        crowded = np.zeros(len(region), bool)
        left, bottom, right, top = (np.ascontiguousarray(column) for column in region.T)
        longest = LONGEST * height
        for of, strokes in self.strokes.in_boxes(region):
            x, y = (column[strokes] for column in self._places)
            kept = np.flatnonzero(
                (y > bottom[of])
                & (y < top[of])
                & (x > left[of])
                & (x < right[of])
                & (self.length[strokes] <= longest[of])
            )
            of, strokes = of[kept], strokes[kept]  # noqa: PLW2901
            crowded |= np.bincount(of, minlength=len(region)) > CROWD
            if crowded.any():
                alone = ~crowded[of]
                of, strokes = of[alone], strokes[alone]  # noqa: PLW2901
            found.append((of, strokes))
        of, strokes = (np.concatenate([part[axis] for part in found]) for axis in (0, 1))
        return of, strokes, crowded


def index_strokes(ends: Array, cell: float) -> CellIndex:
    """Strokes (n, 4) by the cells that they pass."""
    points, numbers = _sampled(ends, every(np.isfinite(ends)), cell)
    return CellIndex(points, cell, numbers)


def _edges(sheet: Sheet) -> tuple[Array, Indices]:
    """The sides of filled triangles and squares, which are heads of arrows in signs, and their entities."""
    small = [fill for fill in sheet.fills if 3 <= len(fill.points) <= 5]
    if not small:
        return np.zeros((0, 4)), np.zeros(0, np.int64)
    points = np.concatenate([fill.points for fill in small])
    counts = np.array([len(fill.points) for fill in small])
    last = np.cumsum(counts) - 1
    first = last - counts + 1
    closed = (counts > 3) & (points[first] == points[last]).all(axis=1)
    # A closed outline has its first corner twice: the side behind its last but one is there, that behind its last is none.
    following = np.arange(1, len(points) + 1)
    following[last] = first
    of = np.repeat(np.arange(len(small)), counts)
    kept = ((counts <= 4) | closed)[of]
    kept[last[closed]] = False
    owners = np.array([fill.entity for fill in small], np.int64)
    return np.concatenate([points, points[following]], axis=1)[kept], owners[of[kept]]


def _sampled(ends: Array, finite: Flags, cell: float) -> tuple[Array, Indices]:
    """Points along strokes, a cell apart at most, and the strokes that they are of."""
    number = np.flatnonzero(finite)
    ends = ends[number]
    length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    count = np.clip(np.ceil(length / cell), 1, SAMPLES).astype(np.int64)
    which = np.repeat(np.arange(len(ends)), count)
    step = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    part = ((step + 0.5) / count[which])[:, None]
    return ends[which, :2] * (1.0 - part) + ends[which, 2:] * part, number[which]
