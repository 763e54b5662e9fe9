"""Lettering that stands alone in a ruled cell: the mark of a change, the number of a part, a dash where there is nothing to say.

A letter alone looks like a part of a view, and a dash like anything. Between four rule lines that enclose nothing else it is lettering,
where lettering beyond doubt stands in another cell of its row, or in its own as its label: no view is drawn within the rows of a
table or the cells of a form (ISO 7200, ISO 7573).
The last row of a table that grows may be open at its far side, where the rules between its columns run on.

Glossary
  band   what is between the two rule lines below and over a cell; the cells of a row have it in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Flags
from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.lines import SINGLE, Line, is_cut_off, line_of, shares_pen
from spatial.understanding.sheet.outlined.recognise import in_frames
from spatial.understanding.sheet.outlined.rows import Row, regrouped, turned_boxes
from spatial.understanding.sheet.outlined.ruled_cells import Rules
from spatial.understanding.sheet.outlined.same_drawing import with_drawn_alike
from spatial.understanding.sheet.outlined.spelled import Spelled

HIGH, WIDE = 5.0, 40.0
"""Heights of the letter that its cell is high and wide at most."""
COLUMN: Final = 40.0
"""The same of a column of a table without rules between its rows."""
LEVEL: Final = 0.15
"""Heights of the letter by which the baseline and the height of lettering of its row differ in such a table."""
FLAG: Final = 3.0
"""Heights of a letter that the triangle or circle around it is wide and high at most."""
LIKE: Final = (0.5, 2.0)
"""Heights of the letters in another cell of the row, in those of the letter."""
LABEL: Final = (0.2, 2.0)
"""Heights of the letters of its label, which is in the same cell, in those of the letter: values are lettered a few times as high as
their labels (ASME Y14.1, ISO 7200)."""
RING_OR_BAR: Final = frozenset("OI")
LIKELY: Final = 0.9
"""Chance from which a glyph alone is a 1, where it can be nothing else but a small l."""
MOST_SIGNS: Final = 3
"""Characters of lettering that is told by its cell alone."""
DASHES: Final = frozenset("-_")
"""What a dash reads as that stands alone, and is at no height above a baseline."""
MOST_DASHES: Final = 6
"""Dashes of a cell."""
DASH, MIDDLE = (0.15, 1.3), 0.4
"""Capital heights of the row that a dash is long, and by which it is off the middle of the row's letters."""
FEW: Final = 0.1
"""Part of the sheet's lines of lettering that read in a direction which is looked at."""


def _is_word(line: Line) -> bool:
    return sum(sign.isalpha() for sign in line.signs()) > 1


def _is_letter(line: Line) -> bool:
    """Whether no ring or bar of a view is read as it: the same shapes are zeros and ones."""
    return line.distinct > 0 or all(sign.isupper() and sign not in RING_OR_BAR for sign in line.signs())


def _with_one(line: Line) -> Line:
    """A line of one glyph that is a 1 or, hardly, a small l, as letters with serifs have them: nothing is marked or counted by an l."""
    one, small = (line.read.chances[0, CLASSES.index(sign)] for sign in "1l")
    if len(line.spelled) > 1 or one < LIKELY or one + small < SINGLE:
        return line
    return replace(line, spelled=[Spelled("1", float(one + small))])


def _has_any(ratios: Array, within: tuple[float, float]) -> bool:
    return bool(((ratios >= within[0]) & (ratios <= within[1])).any())


@dataclass(frozen=True, slots=True)
class _Good:
    """Where the lines that are lettering beyond doubt stand, in the frame of a quarter."""

    boxes: Array
    """(n, 4)"""
    frames: Array
    """(n, 2) baseline and capital height"""
    words: Flags
    """(n,) which have two letters or more, as a label has"""

    @classmethod
    def of(cls, lines: Sequence[Line], beside: Sequence[Ideographic]) -> _Good:
        reads = [line.read for line in lines]
        boxes = [[*read.boxes[:, :2].min(axis=0), *read.boxes[:, 2:].max(axis=0)] for read in reads]
        frames = [(read.baseline, read.height) for read in reads] + [(each.baseline, each.height) for each in beside]
        return cls(
            np.array([*boxes, *(each.box for each in beside)]).reshape(-1, 4),
            np.array(frames).reshape(-1, 2),
            np.array([_is_word(line) for line in lines] + [True] * len(beside), bool),
        )

    def in_row(self, cell: Box, rules: Rules, sides: tuple[float, ...] = ()) -> Array:
        """(m, 2) baseline and capital height of those in other cells of the row of a cell. sides: its level rules, where one is open."""
        left, below, right, above = cell
        within = (self.boxes[:, 1] >= below) & (self.boxes[:, 3] <= above)
        within &= (self.boxes[:, 2] <= left) | (self.boxes[:, 0] >= right)
        middles = (self.boxes[:, 0] + self.boxes[:, 2]) / 2
        own = [
            place
            for place in np.flatnonzero(within).tolist()
            if all(rules.run_by(side, float(middles[place])) for side in sides or (below, above))
        ]
        return self.frames[own]

    def in_cell(self, cell: Box) -> Array:
        """(m, 2) the same of words in the cell itself, of which one may be its label."""
        left, below, right, above = cell
        within = (
            self.words
            & (self.boxes[:, :2] >= (left, below)).all(axis=1)
            & (self.boxes[:, 2:] <= (right, above)).all(axis=1)
        )
        return self.frames[within]

    def in_column(self, cell: Box) -> Array:
        """(m, 2) the same of those in the next cells of its column, which may be headings."""
        left, below, right, above = cell
        within = (self.boxes[:, 0] >= left) & (self.boxes[:, 2] <= right)
        within &= (self.boxes[:, 1] >= 2 * below - above) & (self.boxes[:, 3] <= 2 * above - below)
        within &= (self.boxes[:, 3] <= below) | (self.boxes[:, 1] >= above)
        return self.frames[within]


@dataclass(frozen=True, slots=True)
class Ideographic:
    """Where ideographs beyond doubt stand, which no line of glyphs is."""

    quarter: int
    box: Box
    """In the frame of the quarter, as what follows."""
    baseline: float
    height: float
    """Of the capital letters beside them."""


def alone_in_cells(
    ink: Ink, lines: Sequence[Line], good: Sequence[Line], certain: list[Line], beside: Sequence[Ideographic] = ()
) -> list[Line]:
    """Lines that are lettering by the cells that they stand in, of those that are not good. beside: other lettering of the sheet."""
    chosen = {id(line) for line in good}
    left = [line for line in lines if id(line) not in chosen and line.read.ink is ink and shares_pen(line, certain)]
    lettered = np.zeros(len(ink.boxes), dtype=bool)
    lettered[[piece for line in good if line.read.ink is ink for piece in line.pieces]] = True
    found: list[Line] = []
    for quarter in quarters_of(good) if left else ():
        own = [line for line in good if line.read.quarter == quarter]
        stands = _Good.of(own, [each for each in beside if each.quarter == quarter])
        cells = _Cells(ink, quarter, Rules.of(ink, quarter), stands, turned_boxes(ink.boxes, quarter), lettered, own)
        done = {piece for line in found for piece in line.pieces}
        open_ = [line for line in left if not done.intersection(line.pieces)]
        found += [*cells.marks(open_), *cells.dashes(open_)]
    return found


def quarters_of(good: Sequence[Line]) -> list[int]:
    """The directions in which lettering reads, most of it first."""
    counts = np.bincount([line.read.quarter for line in good], minlength=4)
    return [int(quarter) for quarter in np.argsort(-counts, kind="stable") if counts[quarter] > FEW * len(good)]


@dataclass(frozen=True, slots=True)
class _Cells:
    """The ruled cells of a sheet in the frame of a quarter."""

    ink: Ink
    quarter: int
    rules: Rules
    good: _Good
    boxes: Array
    """(k, 4) of the components"""
    lettered: Flags
    """(k,) which of them are of lettering beyond doubt"""
    lines: Sequence[Line]
    """That lettering, in the direction of the cells."""

    def marks(self, lines: Sequence[Line]) -> Iterator[Line]:
        """Letters and figures."""
        for line in lines:
            if len(line.spelled) > MOST_SIGNS or is_cut_off(line):
                continue
            box = self._around(line.pieces)
            height = float(box[3] - box[1])
            cell, sides = self._cell(box, height)
            column = self.rules.cell(box, COLUMN * height, WIDE * height) if cell is None else None
            around = cell or column
            if around is None or not self._is_alone(around, line.pieces):
                continue
            upright = self._upright(line)
            if not all(each.sign.isalnum() and each.chance >= SINGLE for each in upright.spelled):
                continue
            if self._is_in_cell(cell, sides, upright, height) if cell else self._is_in_column(around, box, upright):
                yield upright

    def _upright(self, line: Line) -> Line:
        """A line as it reads in the direction of the cells."""
        if line.read.quarter != self.quarter:
            return _with_one(self._turned(line))
        return _with_one(with_drawn_alike(line, self.lines))

    def _is_in_cell(self, cell: Box, sides: tuple[float, ...], upright: Line, height: float) -> bool:
        """Whether letters in other cells of its row or its column, or its label, say that what stands in a cell is lettering."""
        in_row = self.good.in_row(cell, self.rules, sides)[:, 1]
        in_column = self.good.in_column(cell)[:, 1] if upright.distinct else in_row  # a ring under a size is a hole
        heights = np.concatenate([in_row, in_column])
        is_value = _is_letter(upright) and _has_any(self.good.in_cell(cell)[:, 1] / height, LABEL)
        return is_value or _has_any(heights / height, LIKE)

    def _is_in_column(self, column: Box, box: Array, upright: Line) -> bool:
        """Whether a letter under the heading of a column stands on the line of lettering, as high, in another column of its table.

        The rows of such a table have no rules between them.
        """
        height = float(box[3] - box[1])
        if not (_is_letter(upright) and len(self.good.in_cell(column))):
            return False
        bases, heights = self.good.in_row(column, self.rules).T
        return bool(((np.abs(bases - box[1]) <= LEVEL * height) & (np.abs(heights - height) <= LEVEL * height)).any())

    def _cell(self, box: Array, height: float) -> tuple[Box | None, tuple[float, ...]]:
        """The cell around a letter, and its one level rule where it is open."""
        closed = self.rules.cell(box, HIGH * height, WIDE * height)
        found = None if closed else self.rules.open_cell(box, WIDE * height)
        if found is None or found[0][3] - found[0][1] > HIGH * height:
            return closed, ()
        return found[0], (found[1],)

    def dashes(self, lines: Sequence[Line]) -> Iterator[Line]:
        """Dashes, all those of a cell as one line."""
        for cell, pieces in self._dashes_by_cell(lines).items():
            if len(pieces) <= MOST_DASHES and self._is_alone(cell, pieces):
                frame = self._frame_of_dashes(cell, pieces)
                if frame is not None:
                    yield self._of_dashes(pieces, *frame)

    def _dashes_by_cell(self, lines: Sequence[Line]) -> dict[Box, list[int]]:
        """The cells in which something may be a dash, with its pieces."""
        found: dict[Box, list[int]] = {}
        for line in lines:
            if {each.sign for each in line.spelled} <= DASHES and not is_cut_off(line):
                box = self._around(line.pieces)
                highest = float(box[2] - box[0]) / DASH[1] / DASH[0]
                cell = self.rules.cell(box, HIGH * highest, WIDE * highest)
                if cell is not None:
                    found.setdefault(cell, []).extend(line.pieces)
        return found

    def _frame_of_dashes(self, cell: Box, pieces: Sequence[int]) -> tuple[float, float] | None:
        """Baseline and capital height of lettering in the row of a cell whose dashes these pieces can be; None of none."""
        boxes = self.boxes[list(pieces)]
        middle, length = float(boxes[:, [1, 3]].mean()), float(np.median(boxes[:, 2] - boxes[:, 0]))
        for base, height in self.good.in_row(cell, self.rules).tolist():
            is_level = abs(middle - base - height / 2) <= MIDDLE * height
            is_long = DASH[0] * height <= length <= DASH[1] * height
            if is_level and is_long and cell[3] - cell[1] <= HIGH * height:
                return base, height
        return None

    def _around(self, pieces: Sequence[int]) -> Array:
        boxes = self.boxes[list(pieces)]
        return np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])

    def _is_alone(self, cell: Box, pieces: Sequence[int]) -> bool:
        """Whether nothing that may be of letters is drawn in a cell beside these, but for what flags a mark, and a label beyond doubt."""
        x, y = (self.boxes[:, 0] + self.boxes[:, 2]) / 2, (self.boxes[:, 1] + self.boxes[:, 3]) / 2
        inside = (x > cell[0]) & (x < cell[2]) & (y > cell[1]) & (y < cell[3])
        inside[list(pieces)] = False
        inside &= ~self.lettered
        return not inside.any() or (int(inside.sum()) == 1 and self._is_flag(int(np.flatnonzero(inside)[0]), pieces))

    def _is_flag(self, piece: int, pieces: Sequence[int]) -> bool:
        """Whether a component goes closely round these: the triangle or circle of the mark of a change (JIS B 0001)."""
        own, around = self._around(pieces), self.boxes[piece]
        height = own[3] - own[1]
        is_close = max(around[3] - around[1], around[2] - around[0]) <= FLAG * height
        return bool(is_close and (around[:2] < own[:2]).all() and (around[2:] > own[2:]).all())

    def _turned(self, line: Line) -> Line:
        """A line read in the direction of the cells."""
        box = self._around(line.pieces)
        row = regrouped(self.ink, line.pieces, self.quarter, float(box[3] - box[1]))
        return line_of(self.ink, in_frames(self.ink, [row], [self.quarter])[0], None, cyrillic=False)

    def _of_dashes(self, pieces: list[int], base: float, height: float) -> Line:
        """base, height: of the letters in another cell of the row."""
        order = sorted(pieces, key=lambda piece: float(self.boxes[piece, 0]))
        row = Row(self.quarter, [[piece] for piece in order], height)
        read = replace(in_frames(self.ink, [row], [self.quarter])[0], baseline=base, height=height)
        pen = float(np.median(self.ink.width[order]))
        return Line(read, [list(range(len(order)))], [Spelled("-", SINGLE) for _ in order], pen < 0, pen)
