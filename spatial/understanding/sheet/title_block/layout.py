"""The lettering of a sheet as a title block is read: lines and ruled cells in upright axes, labels told from the rest.

Glossary
  item  one line of lettering; of an MTEXT, one of its lines.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.title_labels import OTHER
from spatial.models.sheet.drawing import Array, Box, Sheet, Text
from spatial.understanding.sheet.cells.border import zone_texts
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.cells.orientation import quarter_turn, turned
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.lines import box_of, lines_of, with_words_whole
from spatial.understanding.sheet.title_block.wordings import settled

MOST_ITEMS: Final = 20_000
"""Lines of lettering on a sheet; a page with more is no drawing."""

_FORM_CELLS: Final = 4
"""Lettered cells of a form, at least."""


@dataclass(slots=True)
class Layout:
    """A sheet in the axes in which one direction of its lettering is upright."""

    page: int
    angle: int
    box: Box
    items: list[Item]
    """That read in this direction."""
    aside: list[Item]
    """That read in another: an upside-down drawing number."""
    cells: list[Box]
    nets: list[int]
    """Of each cell, the place of its grid."""
    signs: list[Item]
    """Signs that are drawn as strokes, without a source."""
    pictures: list[Box]
    """Boxes of the pictures on the sheet."""
    slanted: list[Text]
    """The lettering that reads in none of the four directions of a form: sizes of arcs and at leaders."""
    inside: dict[int, list[Item]] = field(default_factory=dict)
    """Place of a cell to the items in it."""
    boxes: Array = field(default_factory=lambda: np.zeros((0, 4)), repr=False)
    """(n, 4) `cells`, made when it is first asked for neighbours."""
    values: Array = field(default_factory=lambda: np.zeros((0, 2)), repr=False)
    """(n, 2) middles of the items that are no labels."""

    @property
    def diagonal(self) -> float:
        """Of the sheet."""
        return float(np.hypot(self.box[2] - self.box[0], self.box[3] - self.box[1]))

    @property
    def labels(self) -> list[Item]:
        """The items that are labels."""
        return [item for item in self.items if item.wording is not None]

    def beside(self, cell: int) -> Iterator[int]:
        """Cells that share the right side of `cell`, the best overlap first."""
        yield from self._neighbours(cell, 0)

    def below(self, cell: int) -> Iterator[int]:
        """Cells that share the lower side of `cell`, the best overlap first."""
        yield from self._neighbours(cell, 1)

    def _neighbours(self, cell: int, axis: int) -> Iterator[int]:
        if len(self.boxes) != len(self.cells):
            self.boxes = np.array(self.cells, float).reshape(-1, 4)
        own, other, boxes = self.boxes[cell], 1 - axis, self.boxes
        gap = np.abs(boxes[:, 0] - own[2]) if axis == 0 else np.abs(own[1] - boxes[:, 3])
        shared = np.minimum(own[other + 2], boxes[:, other + 2]) - np.maximum(own[other], boxes[:, other])
        length, wide = own[other + 2] - own[other], boxes[:, other + 2] - boxes[:, other]
        least = np.minimum(length, wide)
        near = np.flatnonzero((gap <= 0.004 * self.diagonal) & (least > 0) & (shared > 0.6 * least))
        near = near[near != cell]
        part = shared[near] / np.maximum(length, wide[near])
        yield from near[np.argsort(-part, kind="stable")].tolist()


def layouts(
    sheet: Sheet,
    grids: Sequence[Grid],
    claimed: Collection[str],
    pictures: Sequence[Box] = (),
    *,
    unlabelled: bool = False,
) -> list[Layout]:
    """`sheet` in each direction of reading that has labels, the one with most of them first.

    pictures: boxes of those on the sheet.
    unlabelled: upright, then each direction in which several ruled cells are lettered, whatever they say.
    """
    if len(sheet.texts) > MOST_ITEMS or not sheet.texts:
        return []
    zones = zone_texts(sheet)
    # An earlier stage may have claimed them as zones already.
    shut_out = (set(claimed) | zones) - _headed(grids, zones)
    placed = list(_placed(sheet, grids, shut_out))
    angles = _lettered_angles(placed) if unlabelled else _labelled_angles(placed)
    return [_layout(sheet, grids, placed, pictures, angle) for angle in angles]


def _labelled_angles(placed: Sequence[tuple[Text, int]]) -> list[int]:
    """The directions that have labels, the one with most of them first."""
    angles: Counter[int] = Counter()
    for text, _ in placed:
        for line in text.text.splitlines()[:40]:
            wording = title_labels.read(line)
            angles[_quarter(text)] += wording is not None and wording.key != OTHER
    return [angle for angle in sorted(angles, key=lambda each: -angles[each]) if angles[angle]]


def _lettered_angles(placed: Sequence[tuple[Text, int]]) -> list[int]:
    """Upright, then the directions of reading of several cells, that of most of them first."""
    cells = Counter(angle for angle, cell in {(_quarter(text), cell) for text, cell in placed} if cell >= 0)
    return [0, *(angle for angle, count in cells.most_common() if angle and count >= _FORM_CELLS)]


def _quarter(text: Text) -> int:
    return quarter_turn(text.angle) if math.isfinite(text.angle) else 0


def _placed(sheet: Sheet, grids: Sequence[Grid], shut_out: Collection[str]) -> Iterator[tuple[Text, int]]:
    """Each text, or each part of it that a cell holds, with the place of that cell among all cells of `grids`."""
    held: set[str] = set()
    place = 0
    for grid in grids:
        for cell in grid.cells:
            for text in cell.texts:
                held.add(text.id)
                if _readable(text, shut_out):
                    yield text, place
            place += 1
    for text in sheet.texts:
        if text.id not in held and _readable(text, shut_out):
            yield text, -1


def _readable(text: Text, shut_out: Collection[str]) -> bool:
    if text.id in shut_out or not text.visible or text.kind in ("dimension", "tolerance", "attdef"):
        return False
    return bool(text.text.strip()) and all(map(math.isfinite, text.box)) and _is_square(text)


def _is_square(text: Text) -> bool:
    return math.isfinite(text.angle) and abs(text.angle - round(text.angle / 90) * 90) < 2


def _layout(
    sheet: Sheet, grids: Sequence[Grid], placed: Sequence[tuple[Text, int]], pictures: Sequence[Box], angle: int
) -> Layout:
    cells = [turned(cell.box, angle) for grid in grids for cell in grid.cells]
    items: list[Item] = []
    aside: list[Item] = []
    for text, cell in placed:
        lies = (_quarter(text) - angle) % 360
        (items if lies == 0 else aside).extend(lines_of(text, box_of(text, angle, lies), cell, lies, len(items), cells))
    items = settled(with_words_whole(items, cells))
    nets = [place for place, grid in enumerate(grids) for _ in grid.cells]
    shown = [turned(box, angle) for box in pictures]
    slanted = [text for text in sheet.texts if text.visible and text.text.strip() and not _is_square(text)]
    layout = Layout(
        sheet.page, angle, turned(sheet.box, angle), items, aside, cells, nets, _signs(sheet, angle), shown, slanted
    )
    for item in items:
        if item.cell >= 0:
            layout.inside.setdefault(item.cell, []).append(item)
    layout.values = np.array([item.middle for item in items if item.wording is None], float).reshape(-1, 2)
    return layout


def _headed(grids: Sequence[Grid], zones: Collection[str]) -> set[str]:
    """Those of `zones` that stand in the cell right under a label: the number under "Лист" is a sheet's, not a zone's."""
    found: set[str] = set()
    for grid in grids if zones else ():
        marks = [cell for cell in grid.cells if len(cell.texts) == 1 and cell.texts[0].id in zones]
        wanted = {(cell.rows[0], cell.columns) for cell in marks}
        over = {
            (cell.rows[1], cell.columns)
            for cell in grid.cells
            if (cell.rows[1], cell.columns) in wanted
            and len(cell.texts) == 1
            and (word := title_labels.read(cell.text)) is not None
            and word.key in ("sheet", title_labels.SHEET_COUNT)
        }
        found |= {cell.texts[0].id for cell in marks if (cell.rows[0], cell.columns) in over}
    return found


def _signs(sheet: Sheet, angle: int) -> list[Item]:
    found = []
    for symbol in sheet.symbols[:MOST_ITEMS]:
        if np.isfinite(symbol.box).all():
            box = turned(symbol.box, angle)
            found.append(Item(symbol.text, box, box[3] - box[1], "", 0))
    return found


def stands_at_top(layout: Layout, label: Item, under: float, over: float) -> bool:
    """Whether a label stands at the top of its cell: more than `under` label heights are free under it, and over it a part of that."""
    _, bottom, _, top = layout.cells[label.cell]
    free = label.box[1] - bottom
    return free > under * label.height and top - label.box[3] < over * free
