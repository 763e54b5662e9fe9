"""On which side of its label a value stands in a block: told by the values whose form proves whose they are, and so for all of them.

Glossary
  proof  a label of scale, date, sheet or paper format, and one value of that form in its cell or in a neighbour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from spatial.knowledge.fields import can_be
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block.best_value import best
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.headings import field_labels
from spatial.understanding.sheet.title_block.items import Item, joined, sources
from spatial.understanding.sheet.title_block.label_cells import is_ruled
from spatial.understanding.sheet.title_block.layout import Layout, stands_at_top
from spatial.understanding.sheet.title_block.values import form_of

_PROVING: Final = frozenset({"scale", "date", "sheet", "size"})
"""Keys whose values have a form that no other field has."""
_OF_CHANGES: Final = frozenset({"date", "revision"})
"""Keys that head the columns of a change table."""
_AS_WIDE: Final = 0.006
"""Of the sheet's diagonal, between the sides of a label's cell and of its value's."""
_SURE: Final = 2
"""Proofs of one direction after which values without a form follow it too."""
_FILLED: Final = 3
"""Proofs that values stand in the cells of their labels."""
_ROOM: Final = 1.5
"""Label heights under a label at the top of its cell that are room for a line of value."""
_NEXT_LINE: Final = 2.0
"""Label heights from a label to the value right under it, with a rule between them."""
_AT_TOP: Final = 0.5
"""Part of that room that may be left over the label."""


@dataclass(frozen=True, slots=True)
class Directions:
    """Proofs for each place of a value."""

    inside: int
    beside: int
    under: int
    over: int

    @property
    def is_over(self) -> bool:
        """Whether values stand over their labels."""
        return self.over > 0 and not (self.inside or self.beside or self.under)

    @property
    def is_inside(self) -> bool:
        """Whether values stand in the cells of their labels, and nowhere else."""
        return self.inside >= _FILLED and not (self.beside or self.under or self.over)


def directions(block: Block) -> Directions:
    """The proofs of the labels of `block`."""
    found = Counter(way for label in _naming(block) for way in _proofs(block.layout, label))
    return Directions(found["inside"], found["beside"], found["under"], found["over"])


def _naming(block: Block) -> Iterator[Item]:
    """The labels of fields, and headings of columns but for dates: a change table has its headings at the foot too."""
    fields = {id(label) for label in field_labels(block)}
    for label in block.labels:
        if id(label) in fields or (label.wording and label.wording.is_field and label.wording.key not in _OF_CHANGES):
            yield label


def _proofs(layout: Layout, label: Item) -> Iterator[str]:
    """Where a value stands that has the form of the key of `label`."""
    word = label.wording
    if word is None or word.key not in _PROVING or not is_ruled(layout, label):
        return
    others = [item for item in layout.inside[label.cell] if item is not label]
    if word.value or others:
        if form_of(tidy(word.value or joined(others))) == word.key:
            yield "inside"
        return
    neighbours = {
        "beside": _first_free(layout, layout.beside(label.cell)),
        "under": _first_free(layout, layout.below(label.cell)),
        "over": over(layout, label.cell),
    }
    yield from (way for way, items in neighbours.items() if items and form_of(tidy(joined(items))) == word.key)


def _first_free(layout: Layout, cells: Iterator[int]) -> list[Item]:
    """What stands in the first of `cells`, where that is no label."""
    items = layout.inside.get(next(cells, -1), [])
    return [] if any(item.wording is not None for item in items) else items


def over(layout: Layout, cell: int) -> list[Item]:
    """What stands in the cell right over `cell`, as wide as it, where that is no label."""
    own, slack = layout.cells[cell], _AS_WIDE * layout.diagonal
    for other, items in layout.inside.items():
        box = layout.cells[other]
        if max(abs(box[0] - own[0]), abs(box[2] - own[2]), abs(box[1] - own[3])) < slack:
            return [] if any(item.wording is not None for item in items) else items
    return []


def values_over(block: Block, found: Directions) -> Iterator[FieldReading]:
    """The values that stand over their labels; those without a form where several of others prove the direction."""
    for label in _naming(block):
        word, layout = label.wording, block.layout
        if word is None or word.value or not is_ruled(layout, label) or len(layout.inside[label.cell]) > 1:
            continue
        value = tidy(joined(items := over(layout, label.cell)))
        formed = word.key in _PROVING and form_of(value) == word.key
        plain = found.over >= _SURE and form_of(value) is None and can_be(word.key, value)
        if items and (formed or plain):
            yield FieldReading(word.key, value, (label.source, *sources(items)), "label above", word.weak, label.order)


def values_across(block: Block) -> list[FieldReading]:
    """The values that stand right under their labels beyond the rule at the foot of the labels' cells, where their forms prove it.

    What stands over such a label in its cell is the value of the label over that: a name over SCALE, a date over SIZE.
    """
    layout, labels = block.layout, [label for label in field_labels(block) if is_ruled(block.layout, label)]
    if any(label.wording and label.wording.value for label in labels):
        return []
    pairs = [(label, label.wording.key, _beyond_rule(layout, label)) for label in labels if label.wording]
    mates = {id(label): [item for item in layout.inside[label.cell] if item is not label] for label in labels}
    if any(item.middle[1] < label.box[3] for label in labels for item in mates[id(label)]):
        return []
    forms = [(key, form_of(tidy(joined(mates[id(label)])))) for label, key, _ in pairs if mates[id(label)]]
    foreign = [form for key, form in forms if key in _PROVING and form != key]
    proofs = [key for _, key, item in pairs if item and key in _PROVING and form_of(item.text.strip()) == key]
    if not (foreign and proofs) or any(form == key for key, form in forms):
        return []
    return [
        FieldReading(key, value, (label.source, *sources(used)), "label above", order=label.order)
        for label, key, item in pairs
        if item
        for value, used in (best(key, [item]),)
        if value
    ]


def _beyond_rule(layout: Layout, label: Item) -> Item | None:
    """The text of another cell that stands right under `label` and begins where it begins."""
    near = [
        item
        for item in layout.items
        if item.wording is None
        and item.cell != label.cell
        and abs(item.box[0] - label.box[0]) < label.height
        and 0 < label.box[1] - item.box[3] < _NEXT_LINE * label.height
    ]
    return max(near, key=lambda item: item.box[3], default=None)


def is_filled_inside(layout: Layout, label: Item, found: Directions) -> bool:
    """Whether an empty cell of `label` is an empty field: all values stand in their labels' cells, and it has room under it."""
    return found.is_inside and stands_at_top(layout, label, _ROOM, _AT_TOP)
