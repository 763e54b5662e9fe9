"""Cells that hold labels, and how far from a label its value may stand.

Glossary
  label cell  a cell that holds a label; its value stands in it too, or in a neighbour: the value cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.title_labels import SHEET_COUNT
from spatial.knowledge.value_forms import COLONS, has_letter
from spatial.understanding.sheet.title_block.items import Item
from spatial.understanding.sheet.title_block.layout import Layout

FEW: Final = 7
"""Labels in one cell beyond which it is no form's cell but open space."""
ACROSS: Final = 14.0
"""Label heights from a label to its value on the same line, where nothing is ruled."""
_DOWN: Final = 4.5
"""Label heights from a label to its value below, where nothing is ruled."""
AROUND: Final = 0.15
"""Of the sheet's diagonal, from the labels of a block to a value in open space."""
SAME_SIZE: Final = 0.1
"""Difference of the letter heights of the lines of one value, as a part of them."""
SAME_LETTERING: Final = 0.05
"""Difference of the letter heights of two labels of one row, as a part of them."""


def is_lettered_as(item: Item, other: Item) -> bool:
    """Whether an item is as large as another one."""
    return abs(item.height - other.height) <= SAME_SIZE * other.height


def is_flush_with(item: Item, other: Item) -> bool:
    """Whether an item begins where another one does, and is as large as it."""
    return is_lettered_as(item, other) and abs(item.box[0] - other.box[0]) < other.height


_OFF_MIDDLE, _SAME_PLACE = 1.0, 0.3
"""Label heights by which a label is off the middle of its cell at least, and by which two labels may stand differently in theirs."""


def is_placed_as(layout: Layout, item: Item, label: Item) -> bool:
    """Whether an item in another cell stands in it where `label` stands in its own, off its middle, and as large: it is a label too.

    What stands in the middle of its cell may be a value, and what stands beside a label with a colon is one.
    """
    if min(item.cell, label.cell) < 0 or item.cell == label.cell or not is_lettered_as(item, label):
        return False
    if label.text.rstrip().endswith(COLONS) and not item.text.rstrip().endswith(COLONS):
        return False
    (under, over), (low, high) = _clearances(layout, label), _clearances(layout, item)
    if abs(under - over) < _OFF_MIDDLE * label.height or (under < over) != (low < high):
        return False
    is_flush = abs(label.box[0] - layout.cells[label.cell][0] - item.box[0] + layout.cells[item.cell][0]) < label.height
    return is_flush and abs(min(under, over) - min(low, high)) < _SAME_PLACE * label.height


def _clearances(layout: Layout, item: Item) -> tuple[float, float]:
    """How far an item is from the lower and from the upper side of its cell."""
    _, bottom, _, top = layout.cells[item.cell]
    return item.box[1] - bottom, top - item.box[3]


_NEXT, _SET_OFF = 1.5, 0.8
"""Letter heights behind a label in which a value may stand lower or higher than it, and by how much."""


def is_ruled(layout: Layout, item: Item) -> bool:
    """Whether it stands in a form's cell, not in open space."""
    return item.cell >= 0 and label_count(layout, item.cell) < FEW


def label_count(layout: Layout, cell: int) -> int:
    """How many labels stand in a cell."""
    return sum(item.wording is not None for item in layout.inside.get(cell, ()))


def is_whole_cell(layout: Layout, label: Item) -> bool:
    """Whether all lettering of its cell is `label`, or the same label in a second language: 单位 over UNITS."""
    return all(item is label or _is_translation(label, item) for item in layout.inside[label.cell])


def _is_translation(label: Item, item: Item) -> bool:
    """Whether `item` says what `label` says: by its word, or in another script under or over it where its word is weak or not known."""
    word, own = item.wording, label.wording
    if word is not None and (word.value or (own is not None and word.key == own.key)):
        return not word.value
    parted = min(abs(item.box[1] - label.box[3]), abs(label.box[1] - item.box[3])) < label.height
    return parted and (word is None or word.weak) and _has_ideograph(item.text) != _has_ideograph(label.text)


def cost_of(label: Item, item: Item, ruled: bool, rivals: int) -> float | None:
    """How far `item` is from where a value of `label` stands; None where it cannot be one."""
    h = max(label.height, 1e-9)
    height = max(h, item.height)
    is_next = abs(item.box[0] - label.box[2]) < _NEXT * height
    level = abs(item.middle[1] - label.middle[1]) < (_SET_OFF if is_next else 0.6) * height
    if level and item.box[0] >= label.box[2] - 0.4 * h:
        gap = max(item.box[0] - label.box[2], 0.0) / h
        return gap * 0.6 if ruled or gap <= ACROSS else None
    drop = (label.box[1] - item.box[3]) / h
    if item.middle[1] < label.box[1] + 0.2 * h and drop > -max(1.0, 0.5 * item.height / h):
        shift = min(abs(item.box[0] - label.box[0]), abs(item.middle[0] - label.middle[0])) / h
        overlap = min(item.box[2], label.box[2]) - max(item.box[0], label.box[0])
        if ruled and rivals == 1:
            return 1.0 + max(drop, 0.0)
        if (ruled or drop <= _DOWN) and (overlap > 0 or shift < 3 or (ruled and drop < 3 and shift < 12)):
            return 0.8 + max(drop, 0.0) + 0.15 * shift
        return None
    if ruled and rivals == 1 and item.box[1] >= label.box[3] - 0.3 * h and not _is_line_over(label, item):
        return 50.0 + (item.box[1] - label.box[3]) / h
    return None


def is_in_two_scripts(items: Iterable[Item]) -> bool:
    """Whether some of `items` are in East Asian and some in other letters."""
    return len({_has_ideograph(item.text) for item in items if has_letter(item.text)}) > 1


_IDEOGRAPH: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def _has_ideograph(text: str) -> bool:
    return _IDEOGRAPH.search(text) is not None


def _is_line_over(label: Item, item: Item) -> bool:
    """Whether `item` is lettered as `label` right under it: the first line of a label of two, or its word in another language."""
    alike = abs(item.height - label.height) <= SAME_LETTERING * label.height
    return alike and item.box[1] - label.box[3] < label.height


def alike_cells(layout: Layout, label: int, value: int, evidence: str) -> bool:
    """Whether the value cell lies as a value cell does: as high as the label's beside it, as wide as the label's below it."""
    own, box = layout.cells[label], layout.cells[value]
    axis = 1 if evidence == "label left" else 0
    length, other = own[axis + 2] - own[axis], box[axis + 2] - box[axis]
    return 0.5 < other / max(length, 1e-9) < 2.5


def is_count(label: Item) -> bool:
    """Whether a label ends with the word before the count of sheets, and that has no number behind it: "OF", "SHEET OF"."""
    word = label.wording
    if word is None or word.value or word.key not in ("sheet", SHEET_COUNT):
        return False
    last = title_labels.read(label.text.split()[-1])
    return last is not None and last.key == SHEET_COUNT


_ZONES: Final = 3
"""Zones that count up or down side by side."""


def is_zone(layout: Layout, cell: int) -> bool:
    """Whether a cell holds the number or letter of a zone of the border (ISO 5457): cells in one row, each with the next one."""
    own = layout.cells[cell]
    slack = 0.002 * layout.diagonal
    row = [
        (layout.cells[other][0], items[0].text.strip().upper())
        for other, items in layout.inside.items()
        if max(abs(layout.cells[other][1] - own[1]), abs(layout.cells[other][3] - own[3])) <= slack and len(items) == 1
    ]
    if not any(left == own[0] for left, _ in row):
        return False
    places = [
        int(text) if text.isdecimal() else ord(text) for _, text in sorted(row) if text.isdecimal() or len(text) == 1
    ]
    steps = {after - before for before, after in pairwise(places)}
    return len(row) == len(places) >= _ZONES and steps in ({1}, {-1})
