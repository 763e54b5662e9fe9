"""Values that a label names: in its own cell, in the next one, or beside it where nothing is ruled."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, ROLES, can_be, states_none
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_form_sentence
from spatial.knowledge.title_labels import SHEET_COUNT
from spatial.knowledge.value_forms import DASHES, STANDS_IN_TABLE, UNIT_STATEMENT, tidy
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.title_block import file_names, values, worded_units
from spatial.understanding.sheet.title_block.best_value import NUMBERS
from spatial.understanding.sheet.title_block.blocks import SMALL_CELL, Block
from spatial.understanding.sheet.title_block.directions import directions, is_filled_inside, values_across, values_over
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.headings import field_labels
from spatial.understanding.sheet.title_block.items import (
    Item,
    is_labelled,
    joined,
    rows,
    sources,
)
from spatial.understanding.sheet.title_block.label_cells import (
    FEW,
    cost_of,
    is_flush_with,
    is_lettered_as,
    is_ruled,
    label_count,
)
from spatial.understanding.sheet.title_block.label_columns import name_columns
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.nearest_items import (
    LINE_STEP,
    SPACE,
    nearest_items,
    number_before_revision,
)
from spatial.understanding.sheet.title_block.neighbour_cells import in_neighbour_cell
from spatial.understanding.sheet.title_block.own_values import (
    number_as_title,
    own_value,
    stated_elsewhere,
    words_as_number,
)
from spatial.understanding.sheet.title_block.place_tolerances import has_part_of_list, is_begun, is_part_of_list
from spatial.understanding.sheet.title_block.role_rows import role_readings
from spatial.understanding.sheet.title_block.roles import name_roles
from spatial.understanding.sheet.title_block.tolerance_box import (
    classes_beside,
    columns_under,
    is_entry,
    listed_items,
    listing_cells,
)

_TOUCH: Final = 0.3
"""Letter heights, the widest space between two letters of one word."""
_STATED: Final = re.compile(r"[^\W\d_][^:\uff1a]{1,50}[:\uff1a]\s*\S.*")
"""A label of any words, a colon and what stands behind it."""
_LISTED: Final = 3
"""Fewest lines of a list."""
_LEFT_EMPTY: Final = ("finish", "part_number", "title")
"""Fields that no weak label fills where a strong one of the block has none: MODEL beside an empty PART NO."""
_LONGEST_OF: Final = 4
"""Letters of a word between the number of a sheet and their count: of, de, von."""
_COUNT_OF: Final = re.compile(alternatives("count_of"), re.IGNORECASE)
_OF_ONE: Final = re.compile(rf"({alternatives('count_of')})\s+0*1", re.IGNORECASE)
_CLOSE_TO_LABEL: Final = re.compile(r"([^\W\d_]{3,})(\d{1,3})")
_REFERENCE: Final = re.compile(rf"\s*{alternatives('reference')}\s*:?\s*", re.IGNORECASE)
"""The item's in French; REFERENCE in English may be any other drawing's."""


def readings(block: Block) -> list[FieldReading]:
    """What the labels of `block` name."""
    name_columns(block)
    name_roles(block)
    if across := values_across(block):
        return across
    layout = block.layout
    labels = [label for label in field_labels(block) if not _is_of_specification(layout, label)]
    given = nearest_items(block, labels)
    ways = directions(block)
    number_before_revision(layout, labels, given)
    found: list[FieldReading] = []
    for label in labels:
        items = (
            _tolerance_box(block, label) if label.wording and label.wording.key == "tolerances" else given[id(label)]
        )
        behind = _inline(layout, label)
        if not behind and has_part_of_list(layout, label):
            continue
        found.extend(
            behind
            or own_value(label, items)
            or words_as_number(layout, label, items)
            or number_as_title(layout, label, items)
            or stated_elsewhere(layout, label, items)
            or worded_units.readings(layout, label, items)
            or ([] if ways.is_over or is_filled_inside(layout, label, ways) else in_neighbour_cell(block, label))
        )
    if ways.is_over:
        found.extend(values_over(block, ways))
    found.extend(role_readings(block, labels, given))
    empty = {key for key in _LEFT_EMPTY if _empty(layout, labels, key)}
    people = {each.value for each in found if each.key in ROLES}
    # Under the heading NAME of the roles stands who drew it, not the thing.
    found = [
        each
        for each in found
        if not (each.weak and (each.key in empty or (each.key == "title" and each.value in people)))
    ]
    # What a weak label may not name at all, it does not say that there is none of.
    found = [each for each in found if not each.weak or each.key == "scale" or not states_none(each.key, each.value)]
    # A table that has a number for each of several parts gives none to the drawing.
    found = [each for each in found if each.key not in NUMBERS or STANDS_IN_TABLE.fullmatch(each.value) is None]
    if not _is_of_contractor(block) or _dashes(block) > 1:
        found = [each for each in found if each.value not in DASHES]
    numbered = any(reading.key == "drawing_number" and not reading.weak for reading in found)
    found = file_names.as_number(found, block, given)
    titled = any(reading.key == "title" and not reading.weak for reading in found)
    found = _with_count(_without_sentences(found, labels), labels, layout)
    found = [each for each in found if each.key != "tolerances" or not is_part_of_list(block, each)]
    found = [*found, *_of_both_numbers(found, labels)]
    return [_renamed(reading, block, numbered=numbered) for reading in _with_part(found, titled=titled)]


def _is_of_specification(layout: Layout, label: Item) -> bool:
    """Whether a labelled line outside the small cells goes on a list of such lines, most of which name no field: what a data sheet says.

    Contact material, insulator material, plating: the finish is of one of several parts.
    """
    if label.wording is None or not label.wording.value or is_form_sentence(label.text):
        return False
    room = area_of(layout.cells[label.cell]) if label.cell >= 0 else math.inf
    if room < SMALL_CELL * area_of(layout.box):
        return False
    lines = sorted(
        (item for item in layout.items if item.cell == label.cell and is_flush_with(item, label)),
        key=lambda item: -item.middle[1],
    )
    at = next((place for place, item in enumerate(lines) if item is label), None)
    if at is None:
        return False
    found = [label]
    for side in (reversed(lines[:at]), lines[at + 1 :]):
        last = label
        for item in side:
            if (
                _STATED.fullmatch(item.text.strip()) is None
                or abs(item.middle[1] - last.middle[1]) > LINE_STEP * label.height
            ):
                break
            found.append(item)
            last = item
    named = sum(item.wording is not None and item.wording.is_field for item in found)
    return len(found) >= _LISTED and 2 * named < len(found)


def _without_sentences(found: Sequence[FieldReading], labels: Sequence[Item]) -> list[FieldReading]:
    """`found` without the unit that a form's sentence states ("DIMENSIONS ARE IN INCHES"), where a label of the unit has another."""
    sentences = {label.source for label in labels if UNIT_STATEMENT.match(label.text.strip(" ([")) is not None}
    named = any(reading.key == "units" and reading.sources[0] not in sentences for reading in found)
    return [reading for reading in found if not (named and reading.key == "units" and reading.sources[0] in sentences)]


def _with_count(found: Sequence[FieldReading], labels: Sequence[Item], layout: Layout) -> list[FieldReading]:
    """`found`, number and count of sheets on both sides of the word between them as printed: "01 de 03"."""
    number = next((reading for reading in found if reading.key == "sheet"), None)
    count = next((reading for reading in found if reading.key == SHEET_COUNT), None)
    word = next((label for label in labels if count is not None and label.source == count.sources[0]), None)
    if number is None and count is not None and word is not None and _is_of_one(word.text.strip()):
        whole = replace(count, key="sheet", value=f"1 {word.text.strip()}")
        return [whole, *(each for each in found if each is not count)]
    if count is None or word is None or _COUNT_OF.fullmatch(word.text.strip()) is None:
        return list(found)
    number = number or _before_count(layout, word)
    if number is None:
        return list(found)
    text = f"{number.value} {word.text.strip()} {count.value}"
    # "Листов 1" in a cell of its own is a label with its value, and stands between nothing.
    if len(word.text.strip()) > _LONGEST_OF or not can_be("sheet", text):
        return list(found)
    whole = replace(number, value=text, sources=(*number.sources, *count.sources))
    return [whole, *(each for each in found if each is not number and each is not count)]


def _is_of_one(text: str) -> bool:
    """Whether a text is "OF 1": before it stands the number of the only sheet, whether that was read or not."""
    found = _OF_ONE.fullmatch(text)
    return found is not None and len(found[1]) <= _LONGEST_OF


def _before_count(layout: Layout, word: Item) -> FieldReading | None:
    """The number of the sheet right before the word for their count, set close to its own label: "Sheet1" before "of"."""
    near = [
        item
        for item in layout.items
        if item.cell == word.cell and item.box[2] <= word.box[0] and abs(item.middle[1] - word.middle[1]) < word.height
    ]
    last = max(near, key=lambda item: item.box[2], default=None)
    parts = _CLOSE_TO_LABEL.fullmatch(last.text.strip()) if last is not None else None
    label = title_labels.read(parts[1]) if parts is not None else None
    if last is None or parts is None or label is None or label.key != "sheet":
        return None
    return FieldReading("sheet", parts[2], (last.source,), "cell label", label.weak, last.order)


def _with_part(found: Sequence[FieldReading], *, titled: bool) -> Iterator[FieldReading]:
    """`found`, a number at a weak label of the title ("PART: 2CN000-000000") as the part's where another label names the title."""
    for reading in found:
        numbered = reading.key == "title" and reading.weak and values.is_assigned(reading.value)
        yield replace(reading, key="part_number", weak=False) if titled and numbered else reading


def _of_both_numbers(found: Sequence[FieldReading], labels: Sequence[Item]) -> Iterator[FieldReading]:
    """The number of a label that names the drawing and the part, once more as the other of the two."""
    named = {reading.key for reading in found}
    for reading in found:
        label = next((label for label in labels if label.source == reading.sources[0]), None)
        other = title_labels.second_number(label.text, reading.key) if label is not None else None
        # A text is the value of one key, but where its label in the cell names two.
        if other is not None and other not in named and reading.evidence == "cell label":
            yield replace(reading, key=other)


def _empty(layout: Layout, labels: Sequence[Item], key: str) -> bool:
    """Whether a strong label of `key` stands alone in a cell of its own: a roughness or a model does not fill it."""
    return any(
        label.wording is not None
        and label.wording.key == key
        and not label.wording.weak
        and not label.wording.value
        and is_ruled(layout, label)
        and len(layout.inside[label.cell]) == 1
        for label in labels
    )


def _is_of_contractor(block: Block) -> bool:
    """Whether the block has the field of a CAGE code: ASME Y14.35 gives a first issue a dash; elsewhere it fills an empty field.

    Templates that name a standard of ASME for dimensions have the dash as what stands there before the first revision.
    """
    return any(label.wording is not None and label.wording.key == "cage_code" for label in block.labels)


def _dashes(block: Block) -> int:
    """Cells that hold a dash alone: where there are several, a dash says that a field is empty."""
    return sum(item.text.strip() in DASHES for item in block.layout.items if block.holds(item))


def _renamed(reading: FieldReading, block: Block, *, numbered: bool) -> FieldReading:
    """A thing's number ("Sachnummer", DIN 6771-1; "Codice") is the drawing's where the block names no other."""
    if reading.key != ("drawing_number" if numbered else "part_number") or (numbered and not reading.weak):
        return reading
    named = {
        label.source
        for label in block.labels
        if title_labels.folded(label.text) in title_labels.ITEM_NUMBERS or _REFERENCE.fullmatch(label.text)
    }
    other = "part_number" if numbered else "drawing_number"
    return replace(reading, key=other) if reading.sources[0] in named else reading


def _inline(layout: Layout, label: Item) -> list[FieldReading]:
    wording = label.wording
    if wording is None or not wording.value or wording.key in ROLES:
        return []
    lines = _lines_under(layout, label) if FIELDS[wording.key].has_lines else []
    texts = [joined(line) for line in lines]
    behind = list(_right_behind(layout, label)) if not FIELDS[wording.key].is_formed else []
    if wording.key == "tolerances":
        count = len(list(takewhile(is_entry, texts)))
        value = "; ".join(map(tidy, (wording.value, *texts[:count])))
    else:
        count = 0 if any(map(is_labelled, texts)) else len(lines)
        value = tidy(" ".join((wording.value + "".join(blank + item.text for blank, item in behind), *texts[:count])))
    ids = (
        label.source,
        *(item.source for _, item in behind),
        *sources([item for line in lines[:count] for item in line]),
    )
    if not can_be(wording.key, value) or (wording.key == "tolerances" and is_begun(layout, label, ids)):
        return []
    return [FieldReading(wording.key, value, ids, "cell label", wording.weak, label.order)]


def _right_behind(layout: Layout, label: Item) -> Iterator[tuple[str, Item]]:
    """The rest of the line of a label and its value, where it was read in pieces: each with the blank before it."""
    edge = label.box[2]
    inside = layout.inside.get(label.cell, ()) if label.cell >= 0 else ()
    for item in sorted(inside, key=lambda each: each.box[0]):
        gap = (item.box[0] - edge) / label.height
        level = abs(item.middle[1] - label.middle[1]) < 0.5 * label.height
        if item.wording is None and level and is_lettered_as(item, label) and -_TOUCH < gap < SPACE:
            yield " " if gap > _TOUCH else "", item
            edge = item.box[2]


def _lines_under(layout: Layout, label: Item) -> list[list[Item]]:
    """The lines under a label and its value to the foot of the cell, where all begin and are lettered as it; else none."""
    inside = layout.inside.get(label.cell, ()) if label.cell >= 0 else ()
    lines = rows(item for item in inside if item.middle[1] < label.box[1])
    for above, line in pairwise([[label], *lines]):
        close = 0 < above[0].middle[1] - line[0].middle[1] < LINE_STEP * label.height
        if not (close and is_flush_with(line[0], label)) or (
            is_form_sentence(joined(line)) and not is_entry(joined(line))
        ):
            return []
    return lines


def _tolerance_box(block: Block, label: Item) -> list[Item]:
    """All that stands below a tolerance label in its cell, drawn signs too, and in the cells right below that go on listing."""
    layout = block.layout
    if not is_ruled(layout, label) and (label.cell < 0 or label_count(layout, label.cell) > 3 * FEW):
        return [
            item
            for item in layout.items
            if item.cell == label.cell and (cost := cost_of(label, item, False, 2)) is not None and cost < 3
        ]
    found = [
        item for cell in listing_cells(layout, label.cell) for item in listed_items(layout, cell) if item is not label
    ] or columns_under(layout, label.cell)
    below = [item for item in found if item.cell != label.cell or item.middle[1] < label.box[3]]
    return [*_before_next_label(label, below), *classes_beside(layout, label.cell, below)]


def _before_next_label(label: Item, items: Sequence[Item]) -> list[Item]:
    """`items` down to the label of another field that stands under them in the cell of `label`, lettered and flush as it."""
    further = [
        item
        for item in items
        if item.cell == label.cell
        and item.wording is not None
        and item.wording.is_field
        and item.wording.key not in ("tolerances", "units")
        and not item.wording.value
        and is_flush_with(item, label)
    ]
    end = max((item.middle[1] for item in further), default=-math.inf)
    kept = [item for item in items if item.cell != label.cell or item.middle[1] > end]
    return kept or list(items)
