"""The company that its place in a block tells: over the title or an address, beside a picture, in a corner, or as the owner of a notice."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from spatial.knowledge.phrases import is_notice
from spatial.knowledge.value_forms import MAIL, UNREAD, has_digit, tidy
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.addresses import HOST, WEB, WORD, is_address, is_host
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.captions import has_caption
from spatial.understanding.sheet.title_block.company import ALIKE, LARGER, is_name, is_owner, name_of
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.pictured import is_within

_COPYRIGHT: Final = re.compile(r"\u00a9\s*(?:19|20)\d\d")
_LABELS: Final = 5
"""Labels of fields of a block in which a name without a label is told by its place."""
_TALL: Final = 1.7
"""How much taller its cell is than those with labels, at a side of the block: it stands over several rows of fields."""
_AS_VALUE: Final = 1.15
"""How much larger than the labels values are lettered."""


def over_title(block: Block, free: Sequence[Sequence[Item]], known: Sequence[FieldReading]) -> FieldReading | None:
    """The only words without a label in the cell right over that of the labelled title, as wide as it, at the upper edge of the labels."""
    layout, slack = block.layout, 0.004 * block.layout.diagonal
    ids = {
        source
        for each in known
        if each.key == "title" and each.evidence == "cell label" and not each.weak
        for source in each.sources
    }
    titles = {item.cell for item in layout.items if item.source in ids and item.cell >= 0}
    labels = [label for label in block.labels if label.wording and label.wording.is_field]
    if len(titles) != 1 or len(labels) < _LABELS:
        return None
    left, _, right, top = layout.cells[titles.pop()]
    highest = max(label.box[3] for label in labels)
    first = [
        layout.cells[label.cell][1]
        for label in labels
        if label.cell >= 0 and left - slack < layout.cells[label.cell][0] < right and label.middle[1] > top
    ]
    found = [
        items
        for items in free
        if _is_wording(items, labels)
        and ((box := layout.cells[items[0].cell])[3] + slack >= highest or _is_under_row(box[3], first, slack))
        and max(abs(box[0] - left), abs(box[2] - right), abs(box[1] - top)) <= slack
    ]
    if len(found) != 1 or UNREAD in joined(found[0]):
        return None
    return FieldReading("company", name_of(found[0]), sources(found[0]), "typical place", True)


def _is_under_row(top: float, feet: Sequence[float], slack: float) -> bool:
    """Whether the cells of the labels over a title, `feet` their lower sides, stand in one row that ends at `top`."""
    return bool(feet) and all(abs(foot - top) <= slack for foot in feet)


def _is_wording(items: Sequence[Item], labels: Sequence[Item]) -> bool:
    """Whether `items` are words, with a number among them at most (TEAM 4774), or one word lettered larger than the labels."""
    text = tidy(joined(items))
    words = [word for word in text.split() if not has_digit(word)]
    numbers = len(text.split()) - len(words)
    usual = float(np.median([label.height for label in labels]))
    several = numbers <= 1 < len(words) or (not numbers and max(item.height for item in items) > _AS_VALUE * usual)
    return several and WORD.search(text) is not None and is_owner(" ".join(words), items)


def over_notice(block: Block) -> FieldReading | None:
    """The only name over a notice of rights or over whose company it is, larger than it, in a cell of the block that says nothing else."""
    lettering = block.lettering()
    found = [
        head
        for cell, items in block.layout.inside.items()
        if any(block.holds(item) or item.source in lettering for item in items) and len(lines := rows(items)) > 1
        for head, rest in [(lines[0], lines[1:])]
        if all(_is_rights(joined(line)) for line in rest)
        and min(item.height for item in head) > LARGER * max(item.height for line in rest for item in line)
        and not any(item.wording for item in head)
        and is_name(head)
        and not has_caption(block.layout, cell)
    ]
    if len(found) != 1 or UNREAD in joined(found[0]):
        return None
    return FieldReading("company", name_of(found[0]), sources(found[0]), "typical place", True)


def _is_rights(line: str) -> bool:
    return is_notice(line) or _COPYRIGHT.search(line) is not None or values.is_of_group(line)


def beside_picture(block: Block, free: Sequence[Sequence[Item]]) -> FieldReading | None:
    """The only name in the cells `free` of labels that stands beside a picture, its logo, and nothing else."""
    layout = block.layout
    found = [
        items
        for items in free
        if is_name(items)
        and len(layout.inside[items[0].cell]) == len(items)
        and any(is_within(picture, layout.cells[items[0].cell]) for picture in layout.pictures)
        and not has_caption(layout, items[0].cell)
    ]
    if len(found) != 1 or UNREAD in joined(found[0]):
        return None
    return FieldReading("company", tidy(joined(found[0])), sources(found[0]), "typical place", True)


def over_address(block: Block, free: Sequence[Sequence[Item]]) -> FieldReading | None:
    """The only name alone in a cell right over another one, as wide, in which its address stands in smaller lettering."""
    layout, slack = block.layout, 0.006 * block.layout.diagonal
    addressed = [
        (layout.cells[cell], max(item.height for item in items))
        for cell, items in layout.inside.items()
        if any(is_address(item.text.strip()) for item in items)
    ]
    found = [
        items
        for items in free
        if is_name(items)
        and len(layout.inside[items[0].cell]) == len(items)
        and any(
            max(abs(own[0] - box[0]), abs(own[2] - box[2]), abs(own[1] - box[3])) < slack
            and min(item.height for item in items) > LARGER * height
            for own in (layout.cells[items[0].cell],)
            for box, height in addressed
        )
    ]
    if len(found) != 1 or UNREAD in joined(found[0]) or has_caption(layout, found[0][0].cell):
        return None
    return FieldReading("company", name_of(found[0]), sources(found[0]), "typical place", True)


def of_host(block: Block, free: Sequence[Sequence[Item]]) -> FieldReading | None:
    """The only name in the cells `free` of labels whose words stand in the host of a web or e-mail address anywhere on the sheet."""
    layout = block.layout
    addresses = [WEB.search(item.text) or MAIL.search(item.text) for item in (*layout.items, *layout.aside)]
    hosts = [address.group(1).casefold().replace("-", "") for address in addresses if address]
    found = [items for items in free if hosts and is_name(items) and is_host(tidy(joined(items)), hosts)]
    if len(found) != 1 or UNREAD in joined(found[0]) or has_caption(layout, found[0][0].cell):
        return None
    return FieldReading("company", name_of(found[0]), sources(found[0]), "typical place", True)


def alone(
    block: Block, free: Sequence[Sequence[Item]], known: Sequence[FieldReading], around: Box
) -> FieldReading | None:
    """The only name in the cells `free` of labels, lettered large, whose cell has an owner's place.

    That is: as wide as title or number at the edge of the block or right over the title, a corner, or over several rows at a side.

    around: the block's outline.
    """
    layout = block.layout
    labels = [label for label in block.labels if label.cell >= 0 and label.wording and label.wording.is_field]
    if len(labels) < _LABELS:
        return None
    heights = [label.height for label in labels]
    names = [
        items
        for items in free
        if is_name(items)
        and _is_larger(max(item.height for item in items), heights)
        and not _is_under_label(items, heights)
    ]
    if len(names) != 1 or UNREAD in joined(names[0]) or HOST.search(joined(names[0])):
        return None
    items, box = names[0], layout.cells[names[0][0].cell]
    slack = 0.006 * layout.diagonal
    ids = {source for each in known if each.key in ("title", "drawing_number") for source in each.sources}
    cells = [layout.cells[item.cell] for item in layout.items if item.source in ids and item.cell >= 0]
    column = [own for own in cells if max(abs(box[0] - own[0]), abs(box[2] - own[2])) < slack]
    at_edge = (
        box[3] > around[3] - slack or box[1] < around[1] + slack or any(abs(box[1] - own[3]) < slack for own in column)
    )
    labelled = [layout.cells[label.cell] for label in labels]
    has_place = _is_corner(box, around, slack) or (column and at_edge) or _is_tall_at_side(box, labelled, around, slack)
    if not (has_place or (box[3] > around[3] - slack and _is_largest(block, items))):
        return None
    if has_caption(layout, items[0].cell):
        return None
    return FieldReading("company", name_of(items), sources(items), "typical place", True)


def _is_largest(block: Block, items: Sequence[Item]) -> bool:
    """Whether one line is lettered clearly larger than all else in the block, title and number too: the mark of a firm."""
    others = [
        item.height
        for item in block.layout.items
        if item not in items and item.cell >= 0 and block.holds(item) and any(map(str.isalnum, item.text))
    ]
    return len(items) == 1 and items[0].height > LARGER * max(others, default=math.inf)


def _is_corner(box: Box, around: Box, slack: float) -> bool:
    """Whether a cell is an upper corner of the block."""
    at_top = abs(box[3] - around[3]) < slack
    return at_top and (abs(box[0] - around[0]) < slack or abs(box[2] - around[2]) < slack)


def _is_tall_at_side(box: Box, labelled: Sequence[Box], around: Box, slack: float) -> bool:
    """Whether a cell is as tall as two of the cells with labels and stands at the left or right side of the block."""
    usual = float(np.median([own[3] - own[1] for own in labelled]))
    at_side = abs(box[0] - around[0]) < slack or abs(box[2] - around[2]) < slack
    return at_side and box[3] - box[1] > _TALL * usual


def _is_under_label(items: Sequence[Item], of_labels: Sequence[float]) -> bool:
    """Whether a cell says a value under a label of no known word: larger lettering under one line as high as the labels."""
    first, *others = rows(items)
    usual = float(np.median(of_labels))
    return len(others) > 0 and abs(first[0].height / usual - 1) <= ALIKE and others[0][0].height > LARGER * usual


def _is_larger(height: float, of_labels: Sequence[float]) -> bool:
    """Whether lettering is larger than that of the labels, and than each that is nearly so high: a label of no known word is not."""
    return height >= LARGER * float(np.median(of_labels)) and all(abs(height / own - 1) > ALIKE for own in of_labels)
