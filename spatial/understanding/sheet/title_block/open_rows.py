"""Rows of labels over rows of their values with no rules between: a block of an outer frame alone, or of none.

Glossary
  column  a label and the first text right under it, which begins where the label begins.
  proof   a column whose value has the form of the label's key: 1:2 under SCALE, a date under DATE.

How far under its label a value stands is then the same for all: `cells` asks it where the nearest label is too far away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.items import Item, rows
from spatial.understanding.sheet.title_block.label_cells import SAME_LETTERING, is_ruled
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.values import form_of

_FEWEST: Final = 3
"""Columns of a row, and rows of labels' columns that a block has at least."""
_DROP: Final = 9.0
"""Label heights from a label down to the top of its value."""
_FLUSH: Final = 1.0
"""Label heights between the left ends of a label and its value."""
_LEVEL: Final = 0.5
"""Letter heights between the feet of the values of one row."""
_LARGER: Final = 1.1
"""Times the height of the labels that values are lettered, at least."""


def values_under(layout: Layout, labels: Sequence[Item]) -> dict[int, Item]:
    """The value of each label, by the label's id; empty where the forms of values do not prove that they stand so."""
    bare = [
        label
        for label in labels
        if label.wording is not None and not label.wording.value and not is_ruled(layout, label)
    ]
    found = [columns for row in rows(bare) if len(columns := list(_columns(layout, row, bare))) >= _FEWEST]
    proofs = [label for columns in found for label, value in columns if _is_proof(label, value)]
    return {id(label): value for columns in found for label, value in columns} if len(proofs) > 1 else {}


def _columns(layout: Layout, row: Sequence[Item], labels: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """The columns of a row of labels whose values stand on one line and are lettered larger, all or all but one."""
    own = [label for label in row if abs(label.height - row[0].height) <= SAME_LETTERING * row[0].height]
    found = [(label, value) for label in own if (value := _first_under(layout, label, labels)) is not None]
    feet = [value.box[1] for _, value in found]
    usual = min(feet, key=lambda foot: sum(abs(foot - other) for other in feet), default=0.0)
    level = [
        (label, value)
        for label, value in found
        if abs(value.box[1] - usual) < _LEVEL * value.height and value.height > _LARGER * label.height
    ]
    if len(level) >= len(own) - 1:
        yield from level


def _first_under(layout: Layout, label: Item, labels: Sequence[Item]) -> Item | None:
    """The first text under `label` that begins where it begins; None where that is a label, or far away."""
    under = [
        item
        for item in (*layout.items, *labels)
        if item is not label
        and abs(item.box[0] - label.box[0]) < _FLUSH * label.height
        and 0 < label.box[1] - item.box[3] < _DROP * label.height
    ]
    first = max(under, key=lambda item: item.box[3], default=None)
    return first if first is not None and first.wording is None and first.cell == label.cell else None


def _is_proof(label: Item, value: Item) -> bool:
    return label.wording is not None and form_of(tidy(value.text)) == label.wording.key
