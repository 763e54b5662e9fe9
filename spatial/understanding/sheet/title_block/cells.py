"""Values that a label names: in its own cell, in the next one, or beside it where nothing is ruled."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, ROLES, can_be, states_none
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_form_sentence
from spatial.knowledge.title_labels import SHEET_COUNT
from spatial.knowledge.value_forms import DASHES, NOT_APPLICABLE, STANDS_ELSEWHERE, UNIT_STATEMENT, has_letter, tidy
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.title_block import company, file_names, open_rows, values, worded_units
from spatial.understanding.sheet.title_block.best_value import NUMBERS, best, name_over_number
from spatial.understanding.sheet.title_block.blocks import SMALL_CELL, Block
from spatial.understanding.sheet.title_block.company import holds_address, is_address_alone
from spatial.understanding.sheet.title_block.directions import directions, is_filled_inside, values_across, values_over
from spatial.understanding.sheet.title_block.field_reading import Evidence, FieldReading
from spatial.understanding.sheet.title_block.headings import field_labels
from spatial.understanding.sheet.title_block.items import (
    Item,
    before_statement,
    is_labelled,
    joined,
    rows,
    sources,
)
from spatial.understanding.sheet.title_block.label_cells import (
    AROUND,
    FEW,
    SAME_SIZE,
    cost_of,
    is_count,
    is_flush_with,
    is_lettered_as,
    is_ruled,
    label_count,
)
from spatial.understanding.sheet.title_block.label_columns import name_columns
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.neighbour_cells import in_neighbour_cell
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

_LINE_STEP: Final = 2.4
"""Label heights from a line of a value to the next."""
_AS_NEAR: Final = 1.5
"""Part by which a second label may be further than the nearest one, and is as near."""
_SPACE: Final = 1.5
"""Letter heights, the widest space between two words of one label."""
_TOUCH: Final = 0.3
"""Letter heights, the widest space between two letters of one word."""
_OWNERS: Final = frozenset({"company", "customer"})
_FIGURES: Final = 3
"""Fewest figures of a number that is a title."""
_STATED: Final = re.compile(r"[^\W\d_][^:\uff1a]{1,50}[:\uff1a]\s*\S.*")
"""A label of any words, a colon and what stands behind it."""
_LISTED: Final = 3
"""Fewest lines of a list."""
_MARK: Final = re.compile(r"[A-Z]{1,3}-\d{1,2}")
"""The mark of a part that has no name: A-6."""
_LEFT_EMPTY: Final = ("finish", "part_number", "title")
"""Fields that no weak label fills where a strong one of the block has none: MODEL beside an empty PART NO."""
_LONGEST_OF: Final = 4
"""Letters of a word between the number of a sheet and their count: of, de, von."""
_COUNT_OF: Final = re.compile(alternatives("count_of"), re.IGNORECASE)
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
    given = _given(block, labels)
    ways = directions(block)
    _number_before_revision(layout, labels, given)
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
            or _own(label, items)
            or _worded(layout, label, items)
            or _numbered(layout, label, items)
            or _referred(layout, label, items)
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
                or abs(item.middle[1] - last.middle[1]) > _LINE_STEP * label.height
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
        if item.wording is None and level and is_lettered_as(item, label) and -_TOUCH < gap < _SPACE:
            yield " " if gap > _TOUCH else "", item
            edge = item.box[2]


def _lines_under(layout: Layout, label: Item) -> list[list[Item]]:
    """The lines under a label and its value to the foot of the cell, where all begin and are lettered as it; else none."""
    inside = layout.inside.get(label.cell, ()) if label.cell >= 0 else ()
    lines = rows(item for item in inside if item.middle[1] < label.box[1])
    for above, line in pairwise([[label], *lines]):
        close = 0 < above[0].middle[1] - line[0].middle[1] < _LINE_STEP * label.height
        if not (close and is_flush_with(line[0], label)) or (
            is_form_sentence(joined(line)) and not is_entry(joined(line))
        ):
            return []
    return lines


def _given(block: Block, labels: Sequence[Item]) -> dict[int, list[Item]]:
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
        and 0.5 * last.height < drop < _LINE_STEP * last.height
        and abs(item.middle[0] - last.middle[0]) < last.height
    )


def _head_of_column(item: Item, labels: Sequence[Item]) -> Item | None:
    """The label over `item` in the lowest row of several in one cell with no rule between: the last one that begins before it."""
    over = [label for label in labels if label.box[1] > item.middle[1]]
    lowest = min((label.middle[1] for label in over), default=0.0)
    row = [label for label in over if label.middle[1] - lowest < label.height]
    before = [label for label in row if label.box[0] <= item.box[0] + label.height]
    return max(before, key=lambda label: label.box[0]) if len(row) > 1 and before else None


def _number_before_revision(layout: Layout, labels: Sequence[Item], given: dict[int, list[Item]]) -> None:
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
        and 0 <= label.box[0] - item.box[2] < _SPACE * label.height
        and abs(item.middle[1] - label.middle[1]) < SAME_SIZE * label.height
        and abs(item.height - label.height) < SAME_SIZE * label.height
        and has_letter(item.text)
        for label in labels
    )


def _region(layout: Layout, item: Item) -> int:
    return item.cell if is_ruled(layout, item) else -1


def _own(label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """The value among the items that stand nearest to `label`."""
    wording = label.wording
    if wording is None or wording.key in ROLES or not given:
        return []
    below = [item for item in given if item.box[1] < label.box[3]]
    own = before_statement(below or given) if wording.key == "title" else below or given
    if wording.key == "title" and not wording.weak and label.cell >= 0 and _is_letter(own):
        return [
            FieldReading("title", own[0].text.strip(), (label.source, own[0].source), "cell label", order=label.order)
        ]
    if wording.key in _OWNERS:
        own = _over_address(own)
    value, used = best(wording.key, own if wording.key == "tolerances" else _without_second_line(label, own))
    if not value or (wording.key == "tolerances" and is_address_alone(value)):
        return []
    if wording.key == "sheet" and is_count(label) and not values.is_sheet_of_several(value):
        return []
    if label.cell >= 0:
        evidence: Evidence = "cell label"
    else:
        evidence = "label left" if used[0].middle[1] > label.box[1] else "label above"
    found = FieldReading(wording.key, value, (label.source, *sources(used)), evidence, wording.weak, label.order)
    named = name_over_number(own)[0] if wording.key in NUMBERS and label.cell >= 0 else ()
    return [found, *([FieldReading("title", tidy(joined(named)), sources(named), "label above")] if named else [])]


def _over_address(items: Sequence[Item]) -> Sequence[Item]:
    """The lines of a name over its address, where its legal form ends them: "Tarnow" and "Ltd." over street and town."""
    lines = rows(items)
    named = company.reading(items) if len(lines) > 1 else None
    names = (lines[:count] for count in range(1, len(lines)))
    own = next((name for name in names if named is not None and tidy(" ".join(map(joined, name))) == named.value), None)
    return [item for line in own for item in line] if own is not None else items


def _is_letter(items: Sequence[Item]) -> bool:
    """Whether one letter is all that stands there: the name of a part after its shape or its axis, "U"."""
    text = items[0].text.strip()
    return len(items) == 1 and len(text) == 1 and text.isalpha()


def _without_second_line(label: Item, given: Sequence[Item]) -> list[Item]:
    """`given` without the second line of the label, where the value stands beside both: "Materials" over "Required"."""
    beside = [item for item in given if item.box[0] > label.box[2]]
    second = [
        item
        for item in given
        if abs(item.box[0] - label.box[0]) < 0.5 * label.height
        and is_lettered_as(item, label)
        and 0 < label.middle[1] - item.middle[1] < _LINE_STEP * label.height
    ]
    level = [item for item in beside if second and second[0].middle[1] <= item.middle[1] <= label.middle[1]]
    return [item for item in given if item not in second] if level else list(given)


def _worded(layout: Layout, label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """A drawing number of words, as CATIA fills in a part's name: only from the label's own cell."""
    wording = label.wording
    if wording is None or wording.key != "drawing_number" or wording.weak or not given or not is_ruled(layout, label):
        return []
    text = tidy(joined(given))
    counted = values.is_one_of_several(text) and _has_label_of_sheet(layout)
    if label_count(layout, label.cell) > 1 or len(text.split()) > 6 or not (counted or can_be("title", text)):
        return []
    return [FieldReading("drawing_number", text, (label.source, *sources(given)), "cell label", True, label.order)]


def _has_label_of_sheet(layout: Layout) -> bool:
    """Whether a ruled label names the sheet, so that "2 OF 4" under another label counts drawings."""
    return any(
        label.cell >= 0 and label.wording is not None and label.wording.key == "sheet" for label in layout.labels
    )


def _numbered(layout: Layout, label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """A title that is a number, as parts without a name have it: only from the label's own cell, under it."""
    wording = label.wording
    if wording is None or wording.key != "title" or wording.weak or len(given) != 1 or not is_ruled(layout, label):
        return []
    text = tidy(given[0].text)
    under = given[0].box[1] < label.box[1] and label_count(layout, label.cell) == 1
    figures = sum(map(str.isdigit, text)) >= _FIGURES or _MARK.fullmatch(text) is not None
    told = under and figures and can_be("drawing_number", text)
    if not told or values.form_of(text) is not None:
        return []
    return [FieldReading("title", text, (label.source, given[0].source), "cell label", True, label.order)]


def _referred(layout: Layout, label: Item, given: Sequence[Item]) -> list[FieldReading]:
    """What the own cell of a number says where it has none: that it stands elsewhere ("SEE NOTES"), or does not apply ("N/A")."""
    wording = label.wording
    if wording is None or wording.key not in NUMBERS or wording.weak or not is_ruled(layout, label):
        return []
    text = tidy(joined(given))
    told = STANDS_ELSEWHERE.fullmatch(text) or NOT_APPLICABLE.fullmatch(text)
    if not told or label_count(layout, label.cell) > 1:
        return []
    return [FieldReading(wording.key, text, (label.source, *sources(given)), "cell label", True, label.order)]


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
