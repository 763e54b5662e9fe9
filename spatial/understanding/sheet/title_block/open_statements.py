"""Fields that a sheet states in open space beside its block, under a label of their own.

The standard of general tolerances under its label (DIN 6784 sheets write it over the block), the unit in a corner of the frame, and in a
line of its own what the part is made of, is covered with or weighs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge.fields import can_be
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, numbered

_OF_THE_PART: Final = frozenset({"material", "finish", "weight"})
_LISTED: Final = 2
"""Fewest lines of a list of deviations."""
_NAMED_DEVIATION: Final = re.compile(r"[^±\s][^±]{0,23}±\s*[\d.,]*\d\s*\S{0,3}")
_DROP: Final = (0.5, 2.5)
"""Letter heights from a label down to its value."""


def stated_in_the_open(block: Block, valued: Collection[str]) -> Iterator[FieldReading]:
    """The general tolerance and the unit, where the block has none and one place outside all cells states it."""
    open_ = [item for item in block.layout.items if item.cell < 0]
    labels = [item for item in open_ if item.wording is not None]
    named = {label.wording.key for label in block.labels if label.wording is not None}
    for key in _OF_THE_PART - set(valued) - named:
        yield from _only([found for label in labels if (found := _statement(key, label, open_)) is not None])
    if "tolerances" not in valued:
        yield from tolerances_of(labels, open_)
    if "units" not in valued:
        yield from unit_of(labels)


def _statement(key: str, label: Item, open_: Sequence[Item]) -> FieldReading | None:
    """What a line alone states of `key` behind its label and a colon: "Surface Treatment: Black Powder"; a line of a list is a note."""
    word = label.wording
    if word is None or word.key != key or word.weak or not word.colon or not can_be(key, word.value):
        return None
    if numbered(label, open_) or any(_is_next_line(label, item) for item in open_ if item.wording is None):
        return None
    return FieldReading(key, word.value, (label.source,), "cell label", True)


def _is_next_line(label: Item, item: Item) -> bool:
    """Whether a text stands right over or under a label, beginning where it does."""
    drop = abs(label.middle[1] - item.middle[1])
    return 0.5 * label.height < drop < _DROP[1] * label.height and abs(label.box[0] - item.box[0]) < label.height


def tolerances_of(labels: Sequence[Item], open_: Sequence[Item]) -> Sequence[FieldReading]:
    """What `labels` in open space say of general tolerances, where all that say something say the same."""
    return _only([found for label in labels if (found := _tolerance_under(label, open_))])


def unit_of(labels: Sequence[Item]) -> Sequence[FieldReading]:
    """The unit that `labels` state, where all that state one state the same."""
    return _only([found for label in labels if (found := _unit_at(label))])


def _only(found: Sequence[FieldReading]) -> Sequence[FieldReading]:
    return found if len({reading.value for reading in found}) == 1 else ()


def _tolerance_under(label: Item, open_: Sequence[Item]) -> FieldReading | None:
    """The designation of a standard right under a label of general tolerances, or the list of deviations that it heads."""
    if label.wording is None or label.wording.key != "tolerances" or label.wording.value:
        return None
    if len(listed := _list_under(label, open_)) >= _LISTED:
        text = "; ".join(tidy(item.text) for item in listed)
        return FieldReading("tolerances", text, (label.source, *(item.source for item in listed)), "label above")
    h = label.height
    under = next(
        (
            item
            for item in open_
            if _DROP[0] * h < label.middle[1] - item.middle[1] < _DROP[1] * h
            and abs(item.box[0] - label.box[0]) < h
            and values.is_general_tolerance(item.text)
        ),
        None,
    )
    return FieldReading("tolerances", under.text, (label.source, under.source), "label above") if under else None


def _list_under(label: Item, open_: Sequence[Item]) -> list[Item]:
    """The lines that go on under a label with a colon, each a deviation behind its name: "X.X ±0.1" under "Tolerance:"."""
    if label.wording is None or not label.wording.colon:
        return []
    found = [label]
    flush = [item for item in open_ if abs(item.box[0] - label.box[0]) < label.height and item is not label]
    for item in sorted(flush, key=lambda each: -each.middle[1]):
        drop = found[-1].middle[1] - item.middle[1]
        if drop <= 0:
            continue
        if drop > _DROP[1] * label.height or not _NAMED_DEVIATION.fullmatch(item.text.strip()):
            break
        found.append(item)
    return found[1:]


def _unit_at(label: Item) -> FieldReading | None:
    """The unit behind its label and a colon: "Unit: mm"; "ALL DIMENSIONS IN MM" is a note, and "Dimensions: [mm]" stands over a view."""
    wording = label.wording
    if wording is None or wording.key != "units" or not wording.colon or not can_be("units", wording.value):
        return None
    if wording.value.startswith(("[", "(")):
        return None
    return FieldReading("units", wording.value, (label.source,), "cell label", True)
