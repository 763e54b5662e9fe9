"""Fields in a line that bars part, as pages of catalogues have it at their head: TARNOW | MODEL: T-4 | DESCRIPTION: PUMP | page 2 of 3."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import can_be
from spatial.knowledge.value_forms import has_digit, tidy
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, rows
from spatial.understanding.sheet.title_block.layout import Layout

_BAR: Final = "|"
_PARTS, _LABELLED = 4, 3
"""Fewest parts of such a line, and fewest of them with a label and a value."""


def readings(layout: Layout, known: Collection[str]) -> Iterator[FieldReading]:
    """The fields of the only line of several parts in open space most of which are a label and its value; the first may be the company."""
    open_ = [item for item in layout.items if item.cell < 0]
    levels = [item for item in open_ if item.text.count(_BAR) and item.text.strip(f" {_BAR}")]
    lines = {id(line[0]): line for item in levels for line in [_line_of(item, open_)]}
    found = [read for line in lines.values() if (read := _fields(line))]
    if len(found) == 1:
        yield from (field for field in found[0] if field.key not in known)


def _line_of(item: Item, items: Sequence[Item]) -> list[Item]:
    """The texts at the height of `item`, lettered as it."""
    level = [each for each in items if abs(each.middle[1] - item.middle[1]) < 0.5 * item.height]
    return [each for row in rows(level) for each in row if abs(each.height - item.height) < 0.1 * item.height]


def _fields(line: Sequence[Item]) -> list[FieldReading]:
    parts = [(tidy(part), item) for item in line for part in item.text.split(_BAR) if part.strip()]
    told = {place: field for place, (text, item) in enumerate(parts) if (field := _field(text, item))}
    if len(parts) < _PARTS or len(told) < _LABELLED:
        return []
    owner, item = parts[0]
    is_owner = 0 not in told and can_be("company", owner) and not has_digit(owner)
    named = [FieldReading("company", owner, (item.source,), "combined line", True)] if is_owner else []
    return [*named, *told.values()]


def _field(text: str, item: Item) -> FieldReading | None:
    word = title_labels.read(text)
    if word is None or not word.is_field or not can_be(word.key, word.value):
        return None
    return FieldReading(word.key, word.value, (item.source,), "combined line", word.weak)
