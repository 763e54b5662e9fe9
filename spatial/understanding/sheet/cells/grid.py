"""Ruled cells: the rectangles that the rules of title blocks and tables enclose, and the texts inside.

Glossary
  ruling   a horizontal or vertical line, whatever number of pieces it is drawn in.
  grid     a connected net of rulings with the cells that it encloses.
  cell     a smallest rectangle of a grid.
  frame    the border round the drawing space; outside it lie the zone strips.
  upright  the frame of axes in which a cell's lettering reads from left to right: a sheet may be turned by quarters.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Flags, Sheet, Text
from spatial.understanding.sheet.cells.border import frame, zone_texts
from spatial.understanding.sheet.cells.faces import faces
from spatial.understanding.sheet.cells.rule_lines import Net, nets, rulings, slack

__all__ = ["Cell", "Grid", "frame", "grids", "lines", "quarter", "turned", "zone_texts"]

_WIDEST: Final = 0.3
"""Of the sheet: a larger rectangle is drawing space, not a cell."""

_MOST_CELLS: Final = 15_000
"""Of one net, the largest first: a mesh has more, a table has not."""

_PAIRS: Final = 1_000_000
"""Pairs of a text and a cell that are looked at in one go."""


@dataclass(slots=True, eq=False)
class Cell:
    """A ruled rectangle."""

    box: Box
    rows: tuple[int, int] = (0, 1)
    """First row and the row after the last, counted from the top as the grid reads."""
    columns: tuple[int, int] = (0, 1)
    """First column and the column after the last, counted from the left as the grid reads."""
    texts: list[Text] = field(default_factory=list)
    """In reading order. One that was written across several cells is cut: each cell has its part, under the same id."""

    @property
    def text(self) -> str:
        """Its lines from the top, separated by newlines."""
        return "\n".join(lines(self.texts))

    @property
    def angle(self) -> int:
        """Direction that most of its lettering reads in: 0, 90, 180 or 270."""
        return quarter(self.texts)


@dataclass(slots=True, eq=False)
class Grid:
    """A net of rulings and its cells; neighbours are found as the grid reads."""

    page: int
    box: Box
    cells: list[Cell]
    """In reading order."""
    angle: int = 0
    """Direction that most of its lettering reads in: 0, 90, 180 or 270."""
    slack: float = 0.0
    """How far apart sides may lie that are one rule."""
    _upright: Array = field(default_factory=lambda: np.zeros((0, 4)), repr=False)

    def left_of(self, cell: Cell) -> list[Cell]:
        """Cells that share `cell`'s left side, from the top."""
        return self._beside(cell, 0, (-1, 0))

    def right_of(self, cell: Cell) -> list[Cell]:
        """Cells that share `cell`'s right side, from the top."""
        return self._beside(cell, 0, (1, 0))

    def above(self, cell: Cell) -> list[Cell]:
        """Cells that share `cell`'s upper side, from the left."""
        return self._beside(cell, 1, (1, 0))

    def below(self, cell: Cell) -> list[Cell]:
        """Cells that share `cell`'s lower side, from the left."""
        return self._beside(cell, 1, (-1, 0))

    def _beside(self, cell: Cell, axis: int, way: tuple[int, int]) -> list[Cell]:
        if len(self._upright) != len(self.cells):
            self._upright = np.array([turned(each.box, self.angle) for each in self.cells])
        own, other, boxes = turned(cell.box, self.angle), 1 - axis, self._upright
        near, far = (axis, axis + 2) if way[0] < 0 else (axis + 2, axis)
        shared = np.minimum(own[other + 2], boxes[:, other + 2]) - np.maximum(own[other], boxes[:, other])
        beside = (np.abs(boxes[:, far] - own[near]) <= 2 * self.slack) & (shared > self.slack)
        return [self.cells[place] for place in np.flatnonzero(beside) if self.cells[place] is not cell]


def grids(sheet: Sheet) -> list[Grid]:
    """The grids of `sheet` that hold any text, the largest first."""
    tolerance = slack(sheet)
    found = [_cells(net, sheet, tolerance) for net in nets(*rulings(sheet, tolerance), tolerance)]
    _fill([cell for cells in found for cell in cells], sheet.texts)
    ready = [_grid(sheet.page, cells, tolerance) for cells in found if any(cell.texts for cell in cells)]
    return sorted(ready, key=lambda grid: -len(grid.cells))


def quarter(texts: Iterable[Text]) -> int:
    """Direction that most characters of `texts` read in: 0, 90, 180 or 270."""
    votes: Counter[int] = Counter()
    for text in texts:
        if math.isfinite(text.angle):
            votes[round(text.angle / 90) * 90 % 360] += len(text.text.strip())
    return votes.most_common(1)[0][0] if votes else 0


def turned(box: Box, angle: int) -> Box:
    """`box` in the upright frame of lettering that reads at `angle` (a multiple of 90)."""
    x1, y1, x2, y2 = box
    return {0: (x1, y1, x2, y2), 90: (y1, -x2, y2, -x1), 180: (-x2, -y2, -x1, -y1), 270: (-y2, x1, -y1, x2)}[angle]


def lines(texts: Sequence[Text]) -> list[str]:
    """What `texts` say, line by line from the top as they read; pieces of one line are joined by a space."""
    return [" ".join(" ".join(text.text.split(" ")) for text in line).strip() for line in _lined(texts)]


def _lined(texts: Sequence[Text]) -> list[list[Text]]:
    """`texts` line by line from the top, each line from the left."""
    angle = quarter(texts)
    placed = [(text, turned(text.box, angle)) for text in texts]
    placed.sort(key=lambda each: -(each[1][1] + each[1][3]))
    found: list[list[tuple[Text, Box]]] = []
    for text, box in placed:
        if found and _level(found[-1][0][1], box):
            found[-1].append((text, box))
        else:
            found.append([(text, box)])
    return [[text for text, _ in sorted(line, key=lambda each: each[1][0])] for line in found]


def _level(first: Box, second: Box) -> bool:
    """Whether two boxes stand on one line: they share most of the lower one's height."""
    shared = min(first[3], second[3]) - max(first[1], second[1])
    return shared > 0.55 * max(min(first[3] - first[1], second[3] - second[1]), 1e-12)


def _cells(net: Net, sheet: Sheet, tolerance: float) -> list[Cell]:
    boxes = faces(net)
    if not len(boxes):
        return []
    size = boxes[:, 2:] - boxes[:, :2]
    largest = _WIDEST * (sheet.box[2] - sheet.box[0]) * (sheet.box[3] - sheet.box[1])
    # The gap between the two lines of a double rule is no cell.
    real = (size.min(1) > 3 * tolerance) & (size.prod(1) < largest)
    boxes, size = boxes[real], size[real]
    boxes = boxes[np.argsort(-size.prod(1), kind="stable")[:_MOST_CELLS]]
    return [Cell((x1, y1, x2, y2)) for x1, y1, x2, y2 in boxes.tolist()]


def _grid(page: int, cells: list[Cell], tolerance: float) -> Grid:
    angle = quarter(text for cell in cells for text in cell.texts)
    boxes = np.array([turned(cell.box, angle) for cell in cells])
    across, down = np.unique(boxes[:, (0, 2)]), np.unique(-boxes[:, (1, 3)])
    columns = np.searchsorted(across, boxes[:, (0, 2)]).tolist()
    rows = np.searchsorted(down, -boxes[:, (3, 1)]).tolist()
    for cell, (left, right), (top, bottom) in zip(cells, columns, rows, strict=True):
        cell.columns, cell.rows = (left, right), (top, bottom)
        if len(cell.texts) > 1:
            cell.texts = [text for line in _lined(cell.texts) for text in line]
    cells = sorted(cells, key=lambda cell: (cell.rows[0], cell.columns[0]))
    whole = np.array([cell.box for cell in cells])
    x1, y1 = whole[:, :2].min(0).tolist()
    x2, y2 = whole[:, 2:].max(0).tolist()
    return Grid(page, (x1, y1, x2, y2), cells, angle, tolerance)


def _fill(cells: list[Cell], texts: Sequence[Text]) -> None:
    """Give each text, or each part of it, to the smallest cell that holds it."""
    if not cells:
        return
    boxes = np.array([cell.box for cell in cells])
    order = np.argsort((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]), kind="stable")
    boxes = boxes[order]
    held = [text for text in texts if text.text.strip() and all(map(math.isfinite, text.box))]
    if not held:
        return
    crossed = _crossed(held, boxes).tolist()
    parts = [part for text, cut in zip(held, crossed, strict=True) for part in (_parts(text, boxes) if cut else [text])]
    for part, place in zip(parts, _homes(parts, boxes), strict=True):
        if place is not None:
            cells[int(order[place])].texts.append(part)


def _crossed(texts: Sequence[Text], boxes: Array) -> Flags:
    """(texts,) whether a side of one of `boxes` may run between the letters of a text that reads at a multiple of 90°."""
    reach = np.array([0.1 * abs(text.height) if math.isfinite(text.height) else 0.0 for text in texts])[:, None]
    own = np.array([text.box for text in texts])
    plumb = np.array([math.isfinite(text.angle) and round(text.angle / 90) % 2 == 1 for text in texts])
    found = np.zeros(len(texts), bool)
    for part in _portions(len(texts), len(boxes)):
        x1, y1, x2, y2 = (own[part, side, None] for side in range(4))
        meets = (boxes[:, 0] < x2) & (boxes[:, 2] > x1) & (boxes[:, 1] < y2) & (boxes[:, 3] > y1)
        with np.errstate(over="ignore"):
            across = (boxes[:, 0] > x1 - reach[part]) | (boxes[:, 2] < x2 + reach[part])
            along = (boxes[:, 1] > y1 - reach[part]) | (boxes[:, 3] < y2 + reach[part])
        found[part] = (meets & np.where(plumb[part, None], along, across)).any(axis=1)
    return found


def _portions(texts: int, boxes: int) -> list[slice]:
    step = max(_PAIRS // boxes, 1)
    return [slice(start, start + step) for start in range(0, texts, step)]


def _homes(texts: Sequence[Text], boxes: Array) -> list[int | None]:
    """Place of the first of `boxes` that holds each text: by its middle, or by its beginning where it runs out of its cell."""
    own = np.array([text.box for text in texts])
    with np.errstate(over="ignore"):
        middles = _holders((own[:, :2] + own[:, 2:]) / 2, boxes)
    begins = _holders(np.array([_first_letter(text) for text in texts]), boxes)
    return [_home(text.box, *held, boxes) for text, held in zip(texts, zip(middles, begins, strict=True), strict=True)]


def _home(own: Box, middle: int, begin: int, boxes: Array) -> int | None:
    """Place of the box that a text is in; middle, begin: the box that holds its middle and its first letter, -1 for none."""
    if middle >= 0 and _overlap(own, boxes[middle].tolist()) > 0.8:
        return middle
    if begin < 0:
        return middle if middle >= 0 else None
    if middle < 0:
        return begin if _overlap(own, boxes[begin].tolist()) > 0.3 else None
    return begin if _overlap(own, boxes[begin].tolist()) > 0.25 else middle


def _first_letter(text: Text) -> tuple[float, float]:
    """Middle of the first letter of its first line."""
    way = math.radians(text.angle) if math.isfinite(text.angle) else math.nan
    along, up = min(0.4 * text.height, text.width / 2), 0.5 * text.height
    x = text.origin[0] + along * math.cos(way) - up * math.sin(way)
    return x, text.origin[1] + along * math.sin(way) + up * math.cos(way)


def _holders(places: Array, boxes: Array) -> list[int]:
    """Place of the first of `boxes` that holds each of `places` (n, 2); -1 where none does."""
    found: list[int] = []
    for part in _portions(len(places), len(boxes)):
        x, y = places[part, :1], places[part, 1:]
        inside = (boxes[:, 0] <= x) & (x <= boxes[:, 2]) & (boxes[:, 1] <= y) & (y <= boxes[:, 3])
        found += np.where(inside.any(axis=1), inside.argmax(axis=1), -1).tolist()
    return found


def _overlap(own: Box, box: Sequence[float]) -> float:
    """How much of `own` lies in `box`."""
    width, height = max(own[2] - own[0], 1e-12), max(own[3] - own[1], 1e-12)
    shared = max(min(own[2], box[2]) - max(own[0], box[0]), 0) * max(min(own[3], box[3]) - max(own[1], box[1]), 0)
    return shared / (width * height)


def _parts(text: Text, boxes: Array) -> list[Text]:
    """`text` cut where a rule runs between two of its letters: some exporters write neighbouring cells as one line."""
    if "\n" in text.text or not math.isfinite(text.angle) or round(text.angle) % 90 or len(text.text) > 2000:
        return [text]
    steps = _steps(text)
    if steps is None:
        return [text]
    angle = round(text.angle) % 360
    own = turned(text.box, angle)
    level = (own[1] + own[3]) / 2
    begin = turned((*text.origin, *text.origin), angle)[0]
    upright = (turned((x1, y1, x2, y2), angle) for x1, y1, x2, y2 in _near(text.box, boxes).tolist())
    sides = {side for box in upright if box[1] < level < box[3] for side in (box[0], box[2])}
    cuts = sorted({cut for side in sides if (cut := _cut(text, steps, side - begin)) is not None})
    return _cut_at(text, steps, cuts, angle) if cuts else [text]


def _near(own: Box, boxes: Array) -> Array:
    """Those of `boxes` that meet `own`."""
    meets = (boxes[:, 0] < own[2]) & (boxes[:, 2] > own[0]) & (boxes[:, 1] < own[3]) & (boxes[:, 3] > own[1])
    return boxes[meets]


def _steps(text: Text) -> list[float] | None:
    """Where each letter begins, along the baseline; None where it is neither known nor to be told from wide gaps."""
    if text.advances is not None and len(text.advances) == len(text.text) + 1:
        steps: list[float] = text.advances.tolist()
        return steps
    return np.linspace(0, text.width, len(text.text) + 1).tolist() if "  " in text.text or "\t" in text.text else None


def _cut(text: Text, steps: list[float], at: float) -> int | None:
    """The letter that begins after a rule at `at`, if the rule runs through a gap before it; None if it cuts a letter."""
    place = bisect_left(steps, at + 0.1 * text.height)
    if not 0 < place < len(text.text):
        return None
    before, after = text.text[:place], text.text[place:]
    if not before.strip() or not after.strip():
        return None
    known = text.advances is not None
    if before[-1:].isspace() or after[:1].isspace():
        gap = len(before) - len(before.rstrip()) + len(after) - len(after.lstrip())
        first, last = len(before.rstrip()), place + len(after) - len(after.lstrip())
        wide = steps[last] - steps[first] > 0.9 * text.height if known else gap >= 2
        return place if wide else None
    if not known:
        return None
    usual = median(after - before for before, after in pairwise(steps))
    return place if steps[place] - steps[place - 1] > 1.4 * usual else None


def _cut_at(text: Text, steps: list[float], cuts: Sequence[int], angle: int) -> list[Text]:
    """`text` in parts that begin at `cuts`, each with its own place."""
    parts = []
    back = {0: 0, 90: 270, 180: 180, 270: 90}[angle]
    own = turned(text.box, angle)
    x0, y0 = turned((*text.origin, *text.origin), angle)[:2]
    for start, end in zip((0, *cuts), (*cuts, len(text.text)), strict=True):
        written = text.text[start:end]
        first = start + len(written) - len(written.lstrip())
        low, high = steps[first], steps[start + len(written.rstrip())]
        origin = turned((x0 + low, y0, x0 + low, y0), back)[:2]
        box = turned((x0 + low, own[1], x0 + high, own[3]), back)
        parts.append(replace(text, text=written.strip(), origin=origin, box=box, width=high - low, advances=None))
    return parts
