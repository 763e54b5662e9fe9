"""The parts of a sheet where labels crowd: at a border, mostly in the lower right corner."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.knowledge.fields import FIELDS, can_be, is_distinctive
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_notice, is_reservation
from spatial.knowledge.value_forms import COLONS, paper_format
from spatial.models.sheet.drawing import Array, Box, Flags, Indices
from spatial.models.sheet.extents import area_of, box_around
from spatial.understanding.sheet.notes.line import word_count
from spatial.understanding.sheet.notes.sentences import is_stated_in_cell
from spatial.understanding.sheet.title_block.exempted_lists import exempted_list
from spatial.understanding.sheet.title_block.items import Item, before_statement, joined
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.wordings import outside_rules

MOST_LABELS: Final = 400
"""Labels of a sheet that are compared with each other."""
_REACH: Final = 0.055
"""Of the sheet's diagonal, from a label of a block to its next."""
_NET_REACH: Final = 0.2
"""The same, where both stand in one net of rules."""
_ONE_LETTERING: Final = 0.02
"""Of the height: letterings that differ less are one."""
_LARGER_VALUE: Final = 1.3
"""How much larger than its label such a value is lettered."""
_ONE_LINE: Final = 0.2
"""Of the height: labels of a row that stand or are lettered so alike are of one line, as outlines of letters are read."""
_ONE_ROW: Final = 0.002
"""Of the sheet's diagonal, between the upper or the lower sides of two cells of one row."""
_AGAINST: Final = 0.035
"""The same, from the ruled labels to one in open space right over or under them."""
_LOW: Final = 0.25
"""Of the sheet's height: a net of rules that is lower holds one block."""
_LISTED: Final = re.compile(rf"\s*(?:\d{{1,2}}\s*[.)]|{alternatives('notes_begin')})", re.IGNORECASE)
"""How notes begin, that may stand in a cell right against the block."""
_COUNTED: Final = re.compile(r"(\d{1,2})\s*[.)]\s*[^\W\d]")
"""How a numbered note begins: 4. WITHOUT."""
_LISTED_NOTES: Final = 3
"""Fewest of a list in a cell of the block."""
_REMARKS: Final = re.compile(rf"{alternatives('remarks')}\s*:", re.IGNORECASE)
_HEADING: Final = re.compile(rf"{alternatives('note_heading')}\s*[:.\uff1a]?", re.IGNORECASE)
"""What stands over notes: "TECHNICAL REQUIREMENTS"."""
_PARAGRAPH: Final = 6
"""Words of a paragraph, of several lines that end with a full stop; most of them begin with small letters."""
_STATEMENT: Final = 2
"""Words of one statement under a heading of notes."""
_SAYING: Final = 4
"""Words of a remark that is a note."""
SMALL_CELL: Final = 0.05
"""Of the sheet: a larger cell is drawing space."""
_MANY: Final = 5
"""Labels of a crowd that a paper format under it belongs to."""


@dataclass(slots=True)
class Block:
    """Where the labels of a layout crowd."""

    layout: Layout
    box: Box
    labels: list[Item]
    score: float
    connected: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []), init=False, repr=False)
    """Cells of labels, and places of the small cells that hang together with them, when they were asked for."""

    def holds(self, item: Item, margin: float = 0.0) -> bool:
        """Whether the middle of `item` lies in the block, or within `margin` of it."""
        x, y = item.middle
        return self.box[0] - margin <= x <= self.box[2] + margin and self.box[1] - margin <= y <= self.box[3] + margin

    def under_title(self) -> set[str]:
        """Ids of the sentences under the title in the cell of its label, and of what follows them: notes."""
        found: set[str] = set()
        for label in self.labels:
            if label.cell >= 0 and label.wording is not None and label.wording.key == "title":
                under = [item for item in self.layout.inside.get(label.cell, []) if item.box[1] < label.box[1]]
                kept = {id(item) for item in before_statement(under)} if under else set()
                found |= {item.source for item in under if id(item) not in kept}
        return found

    def remarks(self) -> set[str]:
        """Ids of sentences under the title, of what a cell "COMMENTS:" says, of a paragraph, a list, a specification or notes: no field."""
        found = self.under_title()
        for label in self.labels:
            if label.cell >= 0 and _REMARKS.fullmatch(label.text.strip()) is not None:
                items = self.layout.inside.get(label.cell, [])
                rest = [item for item in items if item is not label]
                said = sum(len(word) > 1 and word.isalpha() for item in rest for word in item.text.split())
                if said >= _SAYING and not any(item.wording for item in rest):
                    found |= {item.source for item in items}
        for items in self.layout.inside.values():
            is_note = _is_paragraph(items) or _is_list(items) or _is_specification(items) or _is_headed(items)
            if is_note and any(self.holds(item) for item in items):
                found |= {item.source for item in items}
        return found | self.exempted()

    def exempted(self) -> set[str]:
        """Ids of notes in a cell that begins with what its tolerances do not hold for."""
        cells = (items for items in self.layout.inside.values() if any(self.holds(item) for item in items))
        return {item.source for items in cells for item in exempted_list(items)}

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
                and not _are_sentences(items)
            ):
                found |= {item.source for item in items}
        return found


def _are_sentences(items: Sequence[Item]) -> bool:
    """Whether a cell holds sentences and nothing else: a maker says that what is drawn may change, or what something is."""
    if any(map(_is_label, items)):
        return False
    texts = [item.text.strip() for item in items]
    return is_reservation(joined(items)) or is_stated_in_cell(joined(items)) or all(map(is_stated_in_cell, texts))


def _is_list(items: Sequence[Item]) -> bool:
    """Whether a cell holds a list that counts from one: 1. 2. 3."""
    numbers = [int(found[1]) for item in items if (found := _COUNTED.match(item.text.strip()))]
    return len(numbers) >= _LISTED_NOTES and numbers == list(range(1, len(numbers) + 1))


def _is_specification(items: Sequence[Item]) -> bool:
    """Whether a cell holds subjects beside a column of values that begin with colons, none of them a field's."""
    stated = sum(item.text.lstrip().startswith(COLONS) for item in items)
    return stated >= _LISTED_NOTES and not any(item.wording is not None and item.wording.is_field for item in items)


def _is_headed(items: Sequence[Item]) -> bool:
    """Whether a heading of notes stands over words in a cell, none of them a label by itself, or with a colon over one statement."""
    top, *rest = sorted(items, key=lambda item: -item.middle[1])
    words = sum(word_count(item.text) for item in rest)
    heading = top.text.strip()
    if _HEADING.fullmatch(heading) is None or _REMARKS.fullmatch(heading) is not None:
        return False
    is_over_one = heading.endswith(COLONS) and len(rest) == 1 and words >= _STATEMENT and _states(rest[0])
    return is_over_one or (words >= _PARAGRAPH and not any(map(_is_label, rest)))


def _states(item: Item) -> bool:
    """Whether a text is more than a label: it is none, or has its value behind it."""
    return item.wording is None or bool(item.wording.value)


def _is_label(item: Item) -> bool:
    """Whether it can be nothing but a label: "no" and "surface" are words of a sentence as well."""
    return item.wording is not None and not item.wording.weak


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
    low = _low_nets(layout)
    whole = np.isin(nets, list(low))
    found = []
    for crowd in _with_paper(layout, labels, _crowds(boxes, nets, whole, layout.diagonal, _in_rows(labels)), boxes):
        kept = _ruled_first(layout, [(labels[place], place) for place in crowd], boxes)
        own = {layout.nets[label.cell] for label, _ in kept if label.cell >= 0}
        around = [low[net] for net in own if net in low]
        found.append(_block(layout, [label for label, _ in kept], boxes[[place for _, place in kept]], around))
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

    heights = [label.height for label, _ in crowd if label.cell >= 0]
    near = _AGAINST * layout.diagonal

    def is_against(label: Item) -> bool:
        """Whether a label with its value beside or under it stands right over or under the ruled ones, lettered as they are."""
        x, y = label.middle
        within = x1 <= x <= x2 and y1 - near <= y <= y2 + near
        alike = any(abs(label.height - height) < _ONE_LETTERING * height for height in heights)
        return within and alike and _is_stated(layout, label)

    def belongs(label: Item) -> bool:
        x, y = label.middle
        word = label.wording
        told = word is not None and (
            (outside_rules(word) == "distinctive" and is_distinctive(word.key, word.value))
            or (word.key == "part_number" and word.colon and is_distinctive(word.key, word.value))
            or (
                outside_rules(word) == "after a colon" and word.colon and not word.weak and can_be(word.key, word.value)
            )
        )
        inside = bool(x1 <= x <= x2 and y1 <= y <= y2)
        beside = x1 - near <= x <= x2 + near and y1 <= y <= y2 and _is_head(layout, label, heights)
        return label.cell >= 0 or told or _of_paper(label, layout) or inside or is_against(label) or beside

    return [each for each in crowd if belongs(each[0])]


def _is_head(layout: Layout, label: Item, heights: Sequence[float]) -> bool:
    """Whether a strong label is lettered as ruled ones, over a larger value of its field's form: its cell is open at the frame."""
    word, h = label.wording, label.height
    if word is None or not word.is_field or word.weak or word.value:
        return False
    alike = any(abs(h - height) < _ONE_LETTERING * height for height in heights)
    under = [
        item
        for item in layout.items
        if item.cell < 0
        and abs(item.middle[0] - label.middle[0]) < 3 * h
        and 0 < label.box[1] - item.box[3] < 2 * h
        and item.height > _LARGER_VALUE * h
    ]
    return alike and len(under) == 1 and under[0].wording is None and is_distinctive(word.key, under[0].text)


def _is_stated(layout: Layout, label: Item) -> bool:
    """Whether a strong label ends with a colon, and the nearest text beside or under it could be its value."""
    word, h = label.wording, label.height
    if word is None or not word.is_field or word.weak or word.value or not word.colon:
        return False
    near = [
        item
        for item in layout.items
        if item.cell < 0
        and (
            (abs(item.middle[1] - label.middle[1]) < 0.5 * h and -0.5 * h < item.box[0] - label.box[2] < 4 * h)
            or (abs(item.box[0] - label.box[0]) < 3 * h and 0 < label.box[1] - item.box[3] < 2 * h)
        )
    ]
    return len(near) == 1 and near[0].wording is None and can_be(word.key, near[0].text)


def _low_nets(layout: Layout) -> dict[int, Box]:
    """Nets of rules that are no higher than a title block, with the box around each: all of their labels are one block's."""
    nets: dict[int, list[Box]] = defaultdict(list)
    for net, box in zip(layout.nets, layout.cells, strict=True):
        nets[net].append(box)
    around = {net: box_around(boxes) for net, boxes in nets.items()}
    highest = _LOW * (layout.box[3] - layout.box[1])
    return {net: box for net, box in around.items() if box[3] - box[1] < highest}


def _in_rows(labels: Sequence[Item]) -> Flags:
    """Which labels stand in one row of a form: two different fields on one line in one lettering."""
    low = np.array([label.box[1] for label in labels])
    height = np.array([label.height for label in labels])
    keys = np.array([label.wording.key if label.wording and label.wording.is_field else "" for label in labels])
    level = np.abs(low[:, None] - low[None, :]) < _ONE_LINE * height[:, None]
    alike = np.abs(height[:, None] - height[None, :]) < _ONE_LINE * height[:, None]
    different = (keys[:, None] != keys[None, :]) & (keys[:, None] != "") & (keys[None, :] != "")
    return np.asarray(level & alike & different)


def _crowds(boxes: Array, nets: Indices, whole: Flags, diagonal: float, rows: Flags) -> list[list[int]]:
    """Places of `boxes` that are chained by short gaps; by wider ones within one net or row, and by any within a `whole` net."""
    across = np.maximum(boxes[:, None, 0] - boxes[None, :, 2], boxes[None, :, 0] - boxes[:, None, 2])
    along = np.maximum(boxes[:, None, 1] - boxes[None, :, 3], boxes[None, :, 1] - boxes[:, None, 3])
    one_net = (nets[:, None] == nets[None, :]) & (nets[:, None] >= 0)
    reach = np.where(one_net, np.where(whole[:, None], np.inf, _NET_REACH), np.where(rows, _NET_REACH, _REACH))
    low, high = boxes[:, 1], boxes[:, 3]
    slack = _ONE_ROW * diagonal
    one_row = (np.abs(low[:, None] - low[None, :]) <= slack) & (np.abs(high[:, None] - high[None, :]) <= slack)
    reach = np.where(one_net & one_row, np.inf, reach)
    near = np.maximum(across, along) <= reach * diagonal
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


def _block(layout: Layout, labels: list[Item], boxes: Array, around: Sequence[Box]) -> Block:
    """around: boxes of whole nets of rules that belong to it."""
    x1, y1, x2, y2 = box_around([*boxes.tolist(), *around])
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
