"""The lettering of a sheet as a title block is read: lines and ruled cells in upright axes, labels told from the rest.

Glossary
  item        one line of lettering; of an MTEXT, one of its lines.
  label cell  a cell that holds a label; its value stands in it too, or in a neighbour: the value cell.
  block       the part of the sheet where labels crowd: at a border, mostly the lower right corner.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, can_be, is_distinctive
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_notice, is_template_text
from spatial.knowledge.title_labels import OTHER, Wording
from spatial.knowledge.value_forms import paper_format
from spatial.models.sheet.drawing import Array, Box, Indices, Sheet, Text
from spatial.models.sheet.extents import area_of, box_around
from spatial.understanding.sheet.cells.baseline import on_baseline
from spatial.understanding.sheet.cells.border import zone_texts
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.cells.orientation import turned

MOST_ITEMS: Final = 20_000
"""Lines of lettering on a sheet; a page with more is no drawing."""
MOST_LABELS: Final = 400
"""Labels of a sheet that are compared with each other."""
_CROWD: Final = 24
"""Items of a cell beyond which it is no form's cell."""
_REACH: Final = 0.055
"""Of the sheet's diagonal, from a label of a block to its next."""
_NET_REACH: Final = 0.2
"""The same, where both stand in one net of rules."""


@dataclass(slots=True, eq=False)
class Item:
    """A line of lettering in upright axes."""

    text: str
    box: Box
    height: float
    source: str
    order: int
    cell: int = -1
    """Place of its cell; -1 outside all cells."""
    wording: Wording | None = None
    """What it says as a label; None of what is no label."""
    angle: int = 0
    """Its direction of reading, relative to the block's."""

    @property
    def middle(self) -> tuple[float, float]:
        """Of its box."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


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


def layouts(sheet: Sheet, grids: Sequence[Grid], claimed: Collection[str], *, unlabelled: bool = False) -> list[Layout]:
    """`sheet` in each direction of reading that has labels, the one with most of them first; `unlabelled`: upright at least."""
    if len(sheet.texts) > MOST_ITEMS or not sheet.texts:
        return []
    zones = zone_texts(sheet)
    shut_out = set(claimed) | (zones - _headed(grids, zones))
    placed = list(_placed(sheet, grids, shut_out))
    angles: dict[int, int] = defaultdict(int, {0: 1} if unlabelled else {})
    for text, _ in placed:
        for line in text.text.splitlines()[:40]:
            wording = title_labels.read(line)
            angles[_quarter(text)] += wording is not None and wording.key != OTHER
    return [
        _layout(sheet, grids, placed, angle)
        for angle in sorted(angles, key=lambda each: -angles[each])
        if angles[angle] >= 1
    ]


def _quarter(text: Text) -> int:
    return round(text.angle / 90) * 90 % 360 if np.isfinite(text.angle) else 0


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
    return (
        bool(text.text.strip())
        and bool(np.isfinite(text.box).all())
        and abs(text.angle - round(text.angle / 90) * 90) < 2
    )


def _layout(sheet: Sheet, grids: Sequence[Grid], placed: Sequence[tuple[Text, int]], angle: int) -> Layout:
    cells = [turned(cell.box, angle) for grid in grids for cell in grid.cells]
    items: list[Item] = []
    aside: list[Item] = []
    for text, cell in placed:
        lies = (_quarter(text) - angle) % 360
        (items if lies == 0 else aside).extend(_lines(text, _box(text, angle, lies), cell, lies, len(items), cells))
    items = _settled(items)
    nets = [place for place, grid in enumerate(grids) for _ in grid.cells]
    layout = Layout(sheet.page, angle, turned(sheet.box, angle), items, aside, cells, nets, _signs(sheet, angle))
    for item in items:
        if item.cell >= 0:
            layout.inside.setdefault(item.cell, []).append(item)
    layout.values = np.array([item.middle for item in items if item.wording is None], float).reshape(-1, 2)
    return layout


def _settled(items: list[Item]) -> list[Item]:
    """`items` with labels of two or three lines as one, and without the wording of values that are words of labels."""
    by_cell: dict[int, list[Item]] = defaultdict(list)
    for item in items:
        if item.cell >= 0:
            by_cell[item.cell].append(item)
    for item in [item for item in items if item.cell < 0 and _stating(item)][:_CROWD]:
        if numbered(item, items):
            item.wording = None
    gone: set[int] = set()
    for inside in by_cell.values():
        if 2 <= len(inside) <= _CROWD:
            gone |= set(_wrapped_labels(inside))
            for item in inside:
                if item.wording is not None and (any(_labels(other, item) for other in inside) or _amid(item, inside)):
                    item.wording = None
    return [item for item in items if id(item) not in gone]


def _stating(item: Item) -> bool:
    return item.wording is not None and item.wording.colon and _outside_rules(item.wording) == "after a colon"


def _outside_rules(wording: Wording) -> str:
    """Which values may follow the label outside the rules of a ruled block: "Sheet size: A3", "MATERIAL: ALUMINIUM"."""
    return FIELDS[wording.key].outside_rules if wording.is_field else ""


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


_MARK: Final = re.compile(r"\(?\d{1,2}\)?[.):]?")


def numbered(line: Item, items: Iterable[Item]) -> bool:
    """Whether a note's number stands before it."""
    return any(
        abs(item.middle[1] - line.middle[1]) < 0.6 * line.height
        and 0 <= line.box[0] - item.box[2] + 0.5 * line.height < 8 * line.height
        and _MARK.fullmatch(item.text) is not None
        for item in items
    )


def _wrapped_labels(inside: list[Item]) -> Iterator[int]:
    """Makes one label of "Units unless" over "specified"; answers what is no item any more."""
    lines = sorted(inside, key=lambda item: -item.middle[1])
    for place, first in enumerate(lines[:-1]):
        for count in (2, 3):
            run = lines[place : place + count]
            if len(run) < count or any(item.wording for item in run[1:]) or not _stacked(run):
                continue
            found = title_labels.read(" ".join(item.text for item in run))
            begun = first.wording.key if first.wording else None
            if found is not None and found.is_field and not found.value and begun in (None, found.key):
                first.wording = found
                first.box = box_around([item.box for item in run])
                yield from (id(item) for item in run[1:])
                return


def _amid(label: Item, inside: Sequence[Item]) -> bool:
    """Whether a word of labels is a line under a title: among others centred like it, or the kind of a document (GOST 2.104)."""
    word = label.wording
    if word is None or word.value or word.colon:
        return False
    first = max(inside, key=lambda item: item.middle[1])
    if title_labels.folded(label.text) in title_labels.DOCUMENT_KINDS:
        return first.wording is None and first.height > 1.1 * label.height
    if not (word.weak or word.key == OTHER) or len(inside) < 3:
        return False
    alike = [item for item in inside if abs(item.middle[0] - label.middle[0]) < label.height]
    return first is not label and first.wording is None and first.height >= label.height and len(alike) == len(inside)


def _stacked(run: Sequence[Item]) -> bool:
    """Whether they stand one close under the other in one size."""
    return all(
        abs(above.height - below.height) < 0.1 * above.height
        and 0 < above.middle[1] - below.middle[1] < 2.4 * above.height
        for above, below in pairwise(run)
    )


def _labels(label: Item, value: Item) -> bool:
    """Whether `value`, a word of labels, is what `label` in the same cell names: "DWG No." over "Assembly" in large letters."""
    word, own = label.wording, value.wording
    if word is None or own is None or label is value or word.value or own.value or own.colon:
        return False
    return (
        (own.weak or own.key == OTHER)
        and value.height > 1.25 * label.height
        and value.box[3] < label.box[1] + 0.2 * label.height
    )


def _box(text: Text, angle: int, lies: int) -> Box:
    return on_baseline(text, angle) if lies == 0 and "\n" not in text.text.strip() else turned(text.box, angle)


def _signs(sheet: Sheet, angle: int) -> list[Item]:
    found = []
    for symbol in sheet.symbols[:MOST_ITEMS]:
        if np.isfinite(symbol.box).all():
            box = turned(symbol.box, angle)
            found.append(Item(symbol.text, box, box[3] - box[1], "", 0))
    return found


def _lines(text: Text, box: Box, cell: int, angle: int, order: int, cells: Sequence[Box]) -> Iterator[Item]:
    """The lines of `text`, each also cut where wide gaps part a label from what follows."""
    lines = [line for line in text.text.splitlines() if line.strip()][:60]
    step = (box[3] - box[1]) / max(len(lines), 1)
    for row, line in enumerate(lines):
        top = box[3] - row * step
        upright = (box[0], top - step, box[2], top) if len(lines) > 1 else box
        for part, own in _gapped(line, upright):
            yield Item(
                part,
                own,
                text.height,
                text.id,
                order,
                cell if own is upright else _cell_of_part(own, cell, cells),
                _wording(part),
                angle,
            )


def _cell_of_part(own: Box, cell: int, cells: Sequence[Box]) -> int:
    """The cell that a part of a text stands in: that of the text, or the smallest other one."""
    x, y = (own[0] + own[2]) / 2, (own[1] + own[3]) / 2
    if cell < 0 or (cells[cell][0] <= x <= cells[cell][2] and cells[cell][1] <= y <= cells[cell][3]):
        return cell
    around = [place for place, box in enumerate(cells) if box[0] <= x <= box[2] and box[1] <= y <= box[3]]
    return min(
        around,
        key=lambda place: area_of(cells[place]),
        default=cell,
    )


_GAP: Final = re.compile(r"\s{3,}|\t+")
_COLONS: Final = re.compile(r"[^\W\d][^:\uff1a\d]{1,24}[:\uff1a](?:\s+[^\W\d][^:\uff1a\d]{1,24}[:\uff1a]){1,3}")
"""Labels of neighbouring cells that the exporter wrote as one text: "Modifica: Foglio:"."""
_COLON: Final = re.compile(r"(?<=[:\uff1a])\s+")


def _gapped(line: str, box: Box) -> Iterator[tuple[str, Box]]:
    parts = [part for part in _GAP.split(line.strip()) if part]
    if len(parts) == 1 and _COLONS.fullmatch(line.strip()):
        parts = _COLON.split(line.strip())
    colons = len(parts) > 1 and all(part[-1] in ":\uff1a" for part in parts)
    if not colons and (len(parts) < 2 or len(parts) > 12 or all(title_labels.read(part) is None for part in parts)):
        parts = _two_labels(line.strip())
    if len(parts) < 2:
        yield " ".join(line.split()), box
        return
    step = (box[2] - box[0]) / max(len(line), 1)
    at = 0
    for part in parts:
        at = line.index(part, at)
        yield part, (box[0] + at * step, box[1], box[0] + (at + len(part)) * step, box[3])
        at += len(part)


def _two_labels(line: str) -> list[str]:
    """ "SCALEUNIT": the labels of two cells, that the exporter wrote as one text."""
    if 6 <= len(line) <= 40 and title_labels.read(line) is None:
        for cut in range(3, len(line) - 2):
            left, right = title_labels.read(line[:cut]), title_labels.read(line[cut:])
            if left and right and left.key != right.key and all(_named(each) for each in (left, right)):
                return [line[:cut].strip(), line[cut:].strip()]
    return [line]


def _named(wording: Wording) -> bool:
    return wording.is_field and not wording.weak and not wording.value


def _wording(text: str) -> Wording | None:
    """What `text` says as a label; "Sheet 2.0 Steel" says nothing."""
    found = title_labels.read(text)
    if found is None or not found.value:
        return found
    if not found.is_field:
        return found if found.colon else None
    looks = can_be if found.colon else is_distinctive
    if looks(found.key, found.value):
        return found
    return (
        Wording(found.key, found.weak, "", True)
        if found.colon and is_template_text(found.value)
        else (found if found.colon else None)
    )


@dataclass(slots=True)
class Block:
    """Where the labels of a layout crowd."""

    layout: Layout
    box: Box
    labels: list[Item]
    score: float

    def holds(self, item: Item, margin: float = 0.0) -> bool:
        """Whether the middle of `item` lies in the block, or within `margin` of it."""
        x, y = item.middle
        return self.box[0] - margin <= x <= self.box[2] + margin and self.box[1] - margin <= y <= self.box[3] + margin

    def remarks(self) -> set[str]:
        """Ids of what stands in a cell "COMMENTS:" that says something, or is a paragraph without a label: a note, no field."""
        found: set[str] = set()
        for label in self.labels:
            if label.cell >= 0 and _REMARKS.fullmatch(label.text.strip()) is not None:
                items = self.layout.inside.get(label.cell, [])
                rest = [item for item in items if item is not label]
                said = sum(len(word) > 1 and word.isalpha() for item in rest for word in item.text.split())
                if said >= _SAYING and not any(item.wording for item in rest):
                    found |= {item.source for item in items}
        for items in self.layout.inside.values():
            if _is_paragraph(items) and any(self.holds(item) for item in items):
                found |= {item.source for item in items}
        return found

    def lettering(self) -> set[str]:
        """Ids of what stands in the small cells of the block and of the strip that it fills, labelled or not."""
        layout = self.layout
        slack = 0.006 * layout.diagonal
        largest = SMALL_CELL * area_of(layout.box)
        x1, y1, x2, y2 = self.box
        found: set[str] = set()
        for cell, items in layout.inside.items():
            left, low, right, high = layout.cells[cell]
            across = left > x1 - slack and right < x2 + slack
            along = low > y1 - slack and high < y2 + slack
            touches = left < x2 + slack and right > x1 - slack and low < y2 + slack and high > y1 - slack
            listed = any(_LISTED.match(item.text) for item in items)
            if (
                touches
                and (across or along)
                and (right - left) * (high - low) < largest
                and ((across and along) or not listed)
                and not is_notice(joined(items)[:100])
            ):
                found |= {item.source for item in items}
        return found


_LISTED: Final = re.compile(rf"\s*(?:\d{{1,2}}\s*[.)]|{alternatives('notes_begin')})", re.IGNORECASE)
"""How notes begin, that may stand in a cell right against the block."""
_REMARKS: Final = re.compile(rf"{alternatives('remarks')}\s*:", re.IGNORECASE)
_PARAGRAPH: Final = 6
"""Words of a paragraph, of several lines that end with a full stop; most of them begin with small letters."""
_SAYING: Final = 4
"""Words of a remark that is a note."""
SMALL_CELL: Final = 0.05
"""Of the sheet: a larger cell is drawing space."""


def _is_paragraph(items: Sequence[Item]) -> bool:
    """Whether a cell holds a sentence of several lines in one lettering, and no label."""
    if len(items) < 2 or any(item.wording for item in items) or not items[-1].text.rstrip().endswith("."):
        return False
    words = joined(items).split()
    small = sum(word[:1].islower() for word in words)
    even = max(item.height for item in items) < 1.1 * min(item.height for item in items)
    return even and len(words) >= _PARAGRAPH and 2 * small > len(words)


def blocks(layout: Layout) -> list[Block]:
    """The crowds of labels in `layout`, the likeliest title block first."""
    labels = layout.labels[:MOST_LABELS]
    if not labels:
        return []
    boxes = np.array([_extent(layout, label) for label in labels])
    nets = np.array([layout.nets[label.cell] if label.cell >= 0 else -1 for label in labels])
    found = []
    for crowd in _with_paper(layout, labels, _crowds(boxes, nets, layout.diagonal), boxes):
        kept = _ruled_first(layout, [(labels[place], place) for place in crowd], boxes)
        found.append(_block(layout, [label for label, _ in kept], boxes[[place for _, place in kept]]))
    return sorted(found, key=lambda block: -block.score)


def _with_paper(layout: Layout, labels: Sequence[Item], crowds: list[list[int]], boxes: Array) -> list[list[int]]:
    """`crowds`, a lone label of the paper format under a ruled one joined to it."""
    alone = [crowd for crowd in crowds if len(crowd) == 1 and _of_paper(labels[crowd[0]], layout)]
    if len(alone) != 1:
        return crowds
    x, y = labels[alone[0][0]].middle
    for crowd in crowds:
        (x1, y1), (x2, _) = boxes[crowd, :2].min(0), boxes[crowd, 2:].max(0)
        if len(crowd) >= _MANY and x1 <= x <= x2 and 0 < y1 - y < 0.5 * _REACH * layout.diagonal:
            return [sorted([*each, *alone[0]]) if each is crowd else each for each in crowds if each is not alone[0]]
    return crowds


_MANY: Final = 5
"""Labels of a crowd that a paper format under it belongs to."""


def _extent(layout: Layout, label: Item) -> Box:
    """The label's cell, if it is not a large one, else the label itself."""
    if label.cell < 0:
        return label.box
    cell = layout.cells[label.cell]
    large = area_of(cell) > 0.08 * area_of(layout.box)
    return label.box if large else cell


def _of_paper(label: Item, layout: Layout) -> bool:
    """ "Формат", and apart from it "A4", under the frame (GOST 2.104)."""
    word = label.wording
    if word is None or word.key != "size" or word.weak or word.value or label.cell >= 0:
        return False
    return any(
        item.cell < 0
        and abs(item.middle[1] - label.middle[1]) < 0.5 * label.height
        and 0 < item.box[0] - label.box[2] < 4 * label.height
        and paper_format(item.text) is not None
        for item in layout.items
    )


def _ruled_first(layout: Layout, crowd: list[tuple[Item, int]], boxes: Array) -> list[tuple[Item, int]]:
    """`crowd` without the unruled lettering round a ruled block: notes that begin like labels."""
    ruled = [place for label, place in crowd if label.cell >= 0]
    if len(ruled) < 4:
        return crowd
    (x1, y1), (x2, y2) = boxes[ruled, :2].min(0), boxes[ruled, 2:].max(0)

    def belongs(label: Item) -> bool:
        x, y = label.middle
        word = label.wording
        told = word is not None and (
            (_outside_rules(word) == "distinctive" and is_distinctive(word.key, word.value))
            or (word.key == "part_number" and word.colon and is_distinctive(word.key, word.value))
            or (
                _outside_rules(word) == "after a colon"
                and word.colon
                and not word.weak
                and can_be(word.key, word.value)
            )
        )
        return label.cell >= 0 or told or _of_paper(label, layout) or bool(x1 <= x <= x2 and y1 <= y <= y2)

    return [each for each in crowd if belongs(each[0])]


def _crowds(boxes: Array, nets: Indices, diagonal: float) -> list[list[int]]:
    """Places of `boxes` that are chained by short gaps; by wider ones within one net of rules."""
    across = np.maximum(boxes[:, None, 0] - boxes[None, :, 2], boxes[None, :, 0] - boxes[:, None, 2])
    along = np.maximum(boxes[:, None, 1] - boxes[None, :, 3], boxes[None, :, 1] - boxes[:, None, 3])
    one_net = (nets[:, None] == nets[None, :]) & (nets[:, None] >= 0)
    near = np.maximum(across, along) <= np.where(one_net, _NET_REACH, _REACH) * diagonal
    left, found = set(range(len(boxes))), []
    while left:
        crowd: set[int] = set()
        edge = {min(left)}
        while edge:
            crowd |= edge
            edge = {int(place) for each in edge for place in np.flatnonzero(near[each])} - crowd
        left -= crowd
        found.append(sorted(crowd))
    return found


def _block(layout: Layout, labels: list[Item], boxes: Array) -> Block:
    x1, y1 = boxes[:, :2].min(0).tolist()
    x2, y2 = boxes[:, 2:].max(0).tolist()
    keys = {label.wording.key for label in labels if label.wording and label.wording.is_field}
    strong = {
        label.wording.key for label in labels if label.wording and label.wording.is_field and not label.wording.weak
    }
    score = sum(1.0 if FIELDS[key].is_core else 0.6 for key in strong) + 0.3 * len(keys - strong)
    at = (
        ((x1 + x2) / 2 - layout.box[0]) / max(layout.box[2] - layout.box[0], 1e-9),
        ((y1 + y2) / 2 - layout.box[1]) / max(layout.box[3] - layout.box[1], 1e-9),
    )
    return Block(layout, (x1, y1, x2, y2), labels, score * (1 + 0.25 * at[0] + 0.35 * (1 - at[1])))


def rows(items: Iterable[Item]) -> list[list[Item]]:
    """`items` line by line from the top, each line from the left."""
    found: list[list[Item]] = []
    for item in sorted(items, key=lambda each: (-each.middle[1], each.box[0])):
        level = found[-1][0] if found else None
        if level is not None and abs(level.middle[1] - item.middle[1]) < 0.55 * max(
            min(level.height, item.height), 1e-9
        ):
            found[-1].append(item)
        else:
            found.append([item])
    return [sorted(row, key=lambda each: each.box[0]) for row in found]


def joined(items: Iterable[Item]) -> str:
    """What `items` say, line by line, parted by spaces."""
    return " ".join(item.text.strip() for row in rows(items) for item in row)
