"""Which lettering stands nearest to each label of a block: in its cell, in its row, or in open space."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, can_be
from spatial.knowledge.value_forms import has_letter
from spatial.understanding.sheet.title_block import open_rows
from spatial.understanding.sheet.title_block.addresses import holds_address
from spatial.understanding.sheet.title_block.best_value import NUMBERS
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.items import (
    Item,
)
from spatial.understanding.sheet.title_block.label_cells import (
    AROUND,
    SAME_SIZE,
    cost_of,
    is_lettered_as,
    is_ruled,
)
from spatial.understanding.sheet.title_block.layout import Layout

LINE_STEP: Final = 2.4
"""Label heights from a line of a value to the next."""
_AS_NEAR: Final = 1.5
"""Part by which a second label may be further than the nearest one, and is as near."""
SPACE: Final = 1.5
"""Letter heights, the widest space between two words of one label."""


def nearest_items(block: Block, labels: Sequence[Item]) -> dict[int, list[Item]]:
    """Each label with the items that stand nearer to it than to any other, in its cell or in open space."""
    layout, given = block.layout, defaultdict[int, list[Item]](list)
    rivals = defaultdict[int, list[Item]](list)
    for label in block.labels:
        if not _is_address(label):
            rivals[_region(layout, label)].append(label)
    own = {id(label) for label in labels}
    margin = AROUND * layout.diagonal
    left: list[Item] = []
    for item in layout.items:
        if item.wording is not None or not block.holds(item, margin) or _begins_label(item, block.labels):
            continue
        region = _region(layout, item)
        ranked = [
            (cost, place)
            for place, label in enumerate(rivals[region])
            if (cost := cost_of(label, item, region >= 0, len(rivals[region]))) is not None
        ]
        nearest = _nearest(item, sorted(ranked), rivals[region]) if ranked else None
        if nearest is None and region >= 0:
            nearest = _head_of_column(item, rivals[region])
        if nearest is not None and id(nearest) in own:
            given[id(nearest)].append(item)
        elif nearest is None:
            left.append(item)
    left = _given_by_rows(layout, block.labels, labels, given, left)
    titles = {id(label) for label in labels if label.wording is not None and label.wording.key == "title"}
    for item in sorted(left, key=lambda each: -each.middle[1]):
        over = next(
            (
                items
                for label, items in given.items()
                if items and (item.cell >= 0 or label in titles) and _goes_on(items, item)
            ),
            None,
        )
        if over is not None:
            over.append(item)
    return given


def _given_by_rows(
    layout: Layout, every: Sequence[Item], labels: Sequence[Item], given: dict[int, list[Item]], left: list[Item]
) -> list[Item]:
    """Give those of `labels` without an item the value under them in rows without rules; what is then still `left`."""
    under = open_rows.values_under(layout, every)
    for label in labels:
        value = under.get(id(label))
        if value is not None and not given[id(label)] and any(value is item for item in left):
            given[id(label)].append(value)
            left = [item for item in left if item is not value]
    return left


def _is_address(label: Item) -> bool:
    """Whether it is the word before a telephone number or a web address in the lines under a name: it names no other field there."""
    word = label.wording
    return word is not None and word.key == title_labels.OTHER and bool(word.value) and holds_address(word.value)


def _goes_on(value: Sequence[Item], item: Item) -> bool:
    """Whether `item` is the next line of a value in its cell: lettered as its last one, right under it, and set by its middle."""
    last = min(value, key=lambda each: each.middle[1])
    drop = last.middle[1] - item.middle[1]
    return (
        item.cell == last.cell
        and is_lettered_as(item, last)
        and 0.5 * last.height < drop < LINE_STEP * last.height
        and abs(item.middle[0] - last.middle[0]) < last.height
    )


def _head_of_column(item: Item, labels: Sequence[Item]) -> Item | None:
    """The label over `item` in the lowest row of several in one cell with no rule between: the last one that begins before it."""
    over = [label for label in labels if label.box[1] > item.middle[1]]
    lowest = min((label.middle[1] for label in over), default=0.0)
    row = [label for label in over if label.middle[1] - lowest < label.height]
    before = [label for label in row if label.box[0] <= item.box[0] + label.height]
    return max(before, key=lambda label: label.box[0]) if len(row) > 1 and before else None


def number_before_revision(layout: Layout, labels: Sequence[Item], given: dict[int, list[Item]]) -> None:
    """Give the only value of a ruled cell with the labels of a number and of its revision to the number: a revision alone is of nothing."""
    for label in labels:
        if label.wording is None or label.wording.key not in NUMBERS or label.wording.value or given[id(label)]:
            continue
        inside = layout.inside[label.cell] if is_ruled(layout, label) else []
        others = [item for item in inside if item is not label]
        keys = [item.wording.key if item.wording is not None and not item.wording.value else "" for item in others]
        if sorted(keys) == ["", "revision"] and can_be(label.wording.key, (value := others[keys.index("")]).text):
            given[id(label)], given[id(others[keys.index("revision")])] = [value], []


def _nearest(item: Item, ranked: Sequence[tuple[float, int]], labels: Sequence[Item]) -> Item:
    """The nearest of `labels`, (cost, place) by `ranked`; of two nearly as near in one cell, the one whose form `item` has."""
    first = labels[ranked[0][1]]
    if item.cell < 0 or len(ranked) < 2 or ranked[1][0] > _AS_NEAR * ranked[0][0]:
        return first
    second = labels[ranked[1][1]]
    named = first.wording is not None and first.wording.is_field and can_be(first.wording.key, item.text)
    return second if _could_name(second, item) and not named else first


def _could_name(label: Item, item: Item) -> bool:
    word = label.wording
    return word is not None and word.is_field and FIELDS[word.key].is_formed and can_be(word.key, item.text)


def _begins_label(item: Item, labels: Sequence[Item]) -> bool:
    """Whether a text stands a space before a label, on its line and lettered as it: the first word of that label."""
    return any(
        item.cell == label.cell
        and 0 <= label.box[0] - item.box[2] < SPACE * label.height
        and abs(item.middle[1] - label.middle[1]) < SAME_SIZE * label.height
        and abs(item.height - label.height) < SAME_SIZE * label.height
        and has_letter(item.text)
        for label in labels
    )


def _region(layout: Layout, item: Item) -> int:
    return item.cell if is_ruled(layout, item) else -1
