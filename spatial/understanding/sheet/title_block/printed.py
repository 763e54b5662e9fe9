"""Fields of a title block whose label no vocabulary knows: told by the lettering of its cells, reported under the label as printed.

Glossary
  head   the first line of a ruled cell, lettered smaller than what stands under it: a label in any language.

A cell counts where other labels of the block, known or not, are lettered as its head is: a form has one lettering for all labels.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.knowledge.fields import FIELDS
from spatial.knowledge.phrases import is_form_sentence, is_notice, is_template_text
from spatial.understanding.sheet.title_block.layout import SMALL_CELL, Block, Item, joined, rows

_SMALLER: Final = 0.85
"""Height of a head, as a part of that of its value."""
_ALIKE: Final = (0.85, 1.18)
"""Ratio of the heights of two labels of one block."""
_TOUCH: Final = 0.004
"""Of the sheet's diagonal, between two cells that share a side."""
_FELLOWS: Final = 2
"""Other labels of the block that are lettered as a head is."""
_LONGEST_LABEL: Final = 40
_LONGEST_VALUE: Final = 200
_LETTERS: Final = re.compile(r"[^\W\d_]")
_FEWEST_LETTERS: Final = 2
_COLON: Final = re.compile(r"([^:\uff1a=]{2,40}?)\s*[:\uff1a]\s*(\S.*)")


@dataclass(frozen=True, slots=True)
class PrintedField:
    """A label as it is printed, and its value."""

    label: str
    value: str
    sources: tuple[str, ...]
    """Of the label, then of the value."""


@dataclass(frozen=True, slots=True)
class _Pair:
    head: Item
    label: str
    value: str
    items: Sequence[Item]


def printed_fields(block: Block, used: Collection[str]) -> list[PrintedField]:
    """The fields of the block that nothing names; a label that stands twice is left out.

    used: ids of texts that belong to other fields.
    """
    pairs = list(_pairs(block, used))
    heights = [label.height for label in block.labels] + [pair.head.height for pair in pairs]
    found: dict[str, PrintedField] = {}
    twice: set[str] = set()
    for pair in pairs:
        alike = sum(_ALIKE[0] <= pair.head.height / max(height, 1e-9) <= _ALIKE[1] for height in heights) - 1
        if alike < _FELLOWS:
            continue
        if pair.label in found:
            twice.add(pair.label)
        sources = (pair.head.source, *(item.source for item in pair.items if item.source != pair.head.source))
        found[pair.label] = PrintedField(pair.label, pair.value, tuple(dict.fromkeys(sources)))
    return [field for label, field in found.items() if label not in twice]


def _pairs(block: Block, used: Collection[str]) -> Iterator[_Pair]:
    inside = block.layout.inside
    for cell in _cells(block):
        items = inside.get(cell, [])
        if not items or any(item.wording or item.source in used for item in items):
            continue
        pair = _stacked(items) or _with_colon(items)
        if pair is not None and _is_label(pair.label) and _is_value(pair.value):
            yield pair


def _cells(block: Block) -> list[int]:
    """The small cells that hang together with those of the block's labels, side by side."""
    layout = block.layout
    boxes = np.array(layout.cells, float).reshape(-1, 4)
    if not len(boxes):
        return []
    largest = SMALL_CELL * (layout.box[2] - layout.box[0]) * (layout.box[3] - layout.box[1])
    small = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]) < largest
    reach = _TOUCH * layout.diagonal
    reached = np.zeros(len(boxes), bool)
    waiting = [label.cell for label in block.labels if label.cell >= 0 and small[label.cell]]
    reached[waiting] = True
    while waiting:
        own = boxes[waiting.pop()]
        apart = np.maximum(boxes[:, :2] - own[2:], own[:2] - boxes[:, 2:])
        # Cells that share a side overlap along it; at a corner they only meet.
        beside = (apart <= reach).all(axis=1) & (apart < -reach).any(axis=1) & small & ~reached
        reached |= beside
        waiting += np.flatnonzero(beside).tolist()
    return np.flatnonzero(reached).tolist()


def _stacked(items: Sequence[Item]) -> _Pair | None:
    """A small head over larger lettering."""
    lines = rows(items)
    if len(lines) < 2 or len(lines[0]) != 1:
        return None
    head, below = lines[0][0], [item for line in lines[1:] for item in line]
    if head.height >= _SMALLER * min(item.height for item in below):
        return None
    return _Pair(head, head.text.strip().rstrip(":\uff1a").rstrip(), joined(below), items)


def _with_colon(items: Sequence[Item]) -> _Pair | None:
    """ "Zorg: 12": label and value in one line, alone in its cell."""
    found = _COLON.fullmatch(items[0].text.strip()) if len(items) == 1 else None
    return _Pair(items[0], found[1].strip(), found[2].strip(), items) if found is not None else None


def _is_label(text: str) -> bool:
    letters = len(_LETTERS.findall(text))
    return (
        len(text) <= _LONGEST_LABEL
        and letters >= _FEWEST_LETTERS
        and letters * 2 >= len(text.replace(" ", ""))
        and text.casefold() not in FIELDS
        and not is_template_text(text)
        and not is_form_sentence(text)
    )


def _is_value(text: str) -> bool:
    return (
        0 < len(text) <= _LONGEST_VALUE
        and any(sign.isalnum() for sign in text)
        and not is_template_text(text)
        and not is_form_sentence(text)
        and not is_notice(text)
    )
