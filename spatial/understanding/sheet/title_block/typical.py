"""Values that no label names: by their place in a block, and by their form.

Glossary
  turned copy   the drawing number repeated upside down (or on its side) in a corner: GOST 2.104.
"""

# ruff: noqa: E501 - a form is one line

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import FIELDS, ROLES, can_be, is_distinctive
from spatial.knowledge.phrases import is_form_sentence, is_template_text
from spatial.knowledge.title_labels import OTHER
from spatial.knowledge.value_forms import (
    GENERAL_TOLERANCE,
    VERSION,
    has_letter,
    paper_format,
    tidy,
)
from spatial.models.sheet.drawing import Box
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.title_block import (
    company,
    loose_numbers,
    number_over_row,
    owner_lines,
    sheet_places,
    turned_labels,
    values,
)
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.captions import has_caption
from spatial.understanding.sheet.title_block.departments import with_owner
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.headings import field_labels
from spatial.understanding.sheet.title_block.items import (
    Item,
    goes_on_note,
    joined,
    numbered,
    rows,
    sources,
    without_labelled,
)
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.names import (
    LABELLED,
    LARGER,
    before_sheet,
    by_prominence,
    could_be_title,
    is_code,
    is_in_list,
    is_labelled_value,
    is_spelled,
    under_title,
)
from spatial.understanding.sheet.title_block.only_values import only_date, only_number, sheet_of_several
from spatial.understanding.sheet.title_block.open_statements import stated_in_the_open
from spatial.understanding.sheet.title_block.open_titles import title_over
from spatial.understanding.sheet.title_block.owner_notice import (
    is_mark,
    of_copyright,
    of_permission,
    of_property,
    owners,
)
from spatial.understanding.sheet.title_block.role_rows import cells_of_role_rows
from spatial.understanding.sheet.title_block.stated_tolerances import tolerance_line
from spatial.understanding.sheet.title_block.unit_statements import unit_alone, units

_LARGE: Final = 3.0
"""Cells of labels that the cell of a title is as large as."""
_AS_A_NAME: Final = 0.5
"""Part of the height of the largest lettering without a label that a name has; a form's own lettering is smaller."""
_CENTRAL: Final = 0.5
"""Part of half the height of its cell by which a title may stand off the middle."""
_ROOMIER: Final = 1.5
"""How much larger than the cells of other names that of a title is."""
_TALLER, _FAR_ROOMIER = 1.1, 2.0
"""The same of its lettering and its cell, where its lettering is not clearly larger."""
_STRIP, _BESIDE_CORNER = 0.1, 0.25
"""Of the sheet's diagonal, from its sides to the copy of the number: 70 x 14 mm in the corner of the frame (GOST 2.104)."""
_FEWEST: Final = 4
"""Labels of a block, or its fields that form and place tell, beside which the largest lettering is the title."""
_MOST_WORDS: Final = 10
"""Of a title that no label names."""
_CELL: Final = 0.07
"""Of the sheet: a larger cell is no cell of a title block."""

_TEMPERATURE: Final = re.compile(r"[-+\u2212\u00b1]?\d+\s*°")
_SIGNS_OF_RIGHTS: Final = frozenset({"\u00a9", "\u00ae", "\u2122", "TM"})
"""Signs of copyright and of trade marks, that stand beside a name."""
_RATIO: Final = re.compile(r"\(?\d+(?:[.,]\d+)?\s*[:\uff1a]\s*\d+(?:[.,]\d+)?\)?")


def readings(block: Block, known: Sequence[FieldReading]) -> Iterator[FieldReading]:
    """What the cells without labels in and around `block` hold."""
    taken = {source for reading in known for source in reading.sources}
    named = {label.wording.key for label in field_labels(block) if label.wording}
    valued = {reading.key for reading in known}
    yield from units(block)
    free = _unlabelled(block, taken)
    number = _copied_number(block)
    stated = any(
        (reading.key == "drawing_number" and not reading.weak) or (number is not None and reading.value == number.text)
        for reading in known
    )
    if number is not None and not stated:
        yield FieldReading("drawing_number", number.text, (number.source,), "typical place")
        taken |= {number.source}
    free = [items for items in free if not {item.source for item in items} & taken]
    named_projects = [each for each in _projects(free) if "project" not in valued | named]
    own = {source for reading in named_projects for source in reading.sources}
    free = [left for items in free if (left := [item for item in items if item.source not in own])]
    formed = [*named_projects, *_formed(block, free, valued | (named & {"material"}))]
    formed += sheet_places.at_paper_size(block.layout, free, formed, valued)
    formed += only_date(block, free, valued | named)
    formed += sheet_of_several(free, valued | {reading.key for reading in formed})
    formed += sheet_places.around_count(block, valued)
    formed += sheet_places.counted_in_words(block, valued)
    formed += sheet_places.identified(block, valued, named)
    formed += turned_labels.readings(block, valued | named)
    formed += loose_numbers.readings(block, valued | named)
    if number is None:
        formed += number_over_row.readings(block, valued | named | {reading.key for reading in formed})
    formed += unit_alone(block, free, valued | named)
    formed += list(before_sheet(block, free, known)) or under_title(block, free, known)
    formed += only_number(free, valued | named | {reading.key for reading in formed})
    formed += [each for each in tolerance_line(block) if "tolerances" not in valued]
    formed += title_over(block, valued | named)
    formed += stated_in_the_open(block, valued | {reading.key for reading in formed})
    if "title" in valued:
        formed = with_owner(block, free, formed)
    if "company" not in valued | named and (owner := company.over_address(block, free)):
        formed = [each for each in formed if each.key != "company"] + [owner]
    if "company" not in valued | named | {reading.key for reading in formed}:
        owners_by_place = (
            company.over_notice(block),
            company.beside_picture(block, free),
            company.over_title(block, free, known),
            owner_lines.over_labelled_lines(block),
        )
        formed += [owner for owner in owners_by_place if owner][:1]
    yield from formed
    yield from _loose(block, valued | named | {reading.key for reading in formed})
    # A cell that says the drafter's name with a class or a school is no title.
    owners = {source for reading in formed if reading.key == "company" for source in reading.sources}
    in_rows = cells_of_role_rows(block)
    people = {reading.value for reading in known if reading.key in ROLES and len(reading.value) > 1}
    # What a label's value says too names no more than that.
    said = {reading.value for reading in known}
    rest = [
        items
        for items in free
        if not any(reading.sources == sources(items) for reading in formed)
        and not owners & set(sources(items))
        and not has_caption(block.layout, items[0].cell)
        and not any(name in joined(items) for name in people)
        and tidy(joined(items)) not in said
        and items[0].cell not in in_rows
    ]
    found = valued | {reading.key for reading in formed}
    if (
        "title" in valued
        and "company" not in found | named
        and (owner := company.alone(block, rest, known, outline(block)))
    ):
        yield owner
    elif "company" not in found | named and (
        holder := of_copyright(block.layout.items) or of_property(block) or of_permission(block)
    ):
        yield holder
    if not _is_between_names(
        block.layout,
        _as_large_as_names(rest),
        max((item.height for item in block.layout.items if item.source in owners), default=0.0),
    ):
        titles = list(_largest(block, rest, found | ({"drawing_number"} if number else set()), named))
        yield from titles or _only_name(rest, found | named)


def _unlabelled(block: Block, taken: Collection[str]) -> list[list[Item]]:
    """The items of each small cell in or against the block that holds no label."""
    layout = block.layout
    reach = 0.006 * layout.diagonal
    largest = _CELL * area_of(layout.box)
    found = []
    around = outline(block)
    for cell, items in layout.inside.items():
        box = layout.cells[cell]
        if (
            _touch(box, around, reach)
            and area_of(box) < largest
            and not any(map(_is_label, items))
            and not _are_worded(items)
            and not any(item.source in taken for item in items)
        ):
            # A sign of copyright alone beside a name makes no notice of it, nor is that of a trade mark a word of it.
            lettered = [item for item in items if item.text.strip() not in _SIGNS_OF_RIGHTS]
            kept = [item for item in lettered if not is_template_text(item.text) and not is_form_sentence(item.text)]
            if kept and is_form_sentence(joined(lettered)):
                kept = [item for item in kept if values.named_tolerance(item.text)][:1]
            if kept:
                found.append(without_labelled(kept))
    return found


def _are_worded(items: Sequence[Item]) -> bool:
    """Whether all that is no sentence of a form begins with a word of the vocabulary, as telephone number and web address alone do."""
    own = [item for item in items if not is_form_sentence(item.text)]
    return bool(own) and all(item.wording for item in own)


def _is_label(item: Item) -> bool:
    """Whether it is a label; a form's sentence is none, nor is the word before a telephone number or a web address."""
    word = item.wording
    if word is None or is_form_sentence(item.text):
        return False
    return not (word.key == OTHER and word.value and company.holds_address(word.value))


def _touch(box: Box, around: Box, reach: float) -> bool:
    return (
        box[0] <= around[2] + reach
        and box[2] >= around[0] - reach
        and box[1] <= around[3] + reach
        and box[3] >= around[1] - reach
    )


def outline(block: Block) -> Box:
    """The box of the labels, drawn out over the small cells without labels that stand in the same strip, and under it down to the frame."""
    layout, around = block.layout, block.box
    reach, largest = 0.006 * layout.diagonal, _CELL * area_of(layout.box)
    small = [box for cell in layout.inside if area_of(box := layout.cells[cell]) < largest]
    strip = [box for box in small if box[1] >= around[1] - reach and box[3] <= around[3] + reach]
    for _ in range(3):
        for box in strip:
            if _touch(box, around, reach):
                around = (min(around[0], box[0]), around[1], max(around[2], box[2]), around[3])
    foot = [box for box in small if box[0] >= around[0] - reach and box[2] <= around[2] + reach and box[1] < around[1]]
    for box in sorted(foot, key=lambda each: -each[3]):
        if _touch(box, around, reach):
            around = (around[0], min(around[1], box[1]), around[2], around[3])
    return around


def _copied_number(block: Block) -> Item | None:
    """The text of the block that stands turned in a corner as well."""
    turned = {
        tidy(item.text) for item in block.layout.aside if item.angle in (90, 180, 270) and _is_cornered(item, block)
    }
    margin, strip = 0.06 * block.layout.diagonal, outline(block)
    for item in sorted(block.layout.items, key=lambda each: -each.height):
        text = tidy(item.text)
        if (
            text in turned
            and item.wording is None
            and (block.holds(item, margin) or (item.cell >= 0 and _touch(block.layout.cells[item.cell], strip, 0.0)))
            and is_distinctive("drawing_number", text)
        ):
            return item
    return None


def _is_cornered(item: Item, block: Block) -> bool:
    """Whether a text stands in a corner of the sheet as the copy of a number does: along one side, near another."""
    (x, y), (left, low, right, high) = item.middle, block.layout.box
    near = sorted((min(x - left, right - x), min(y - low, high - y)))
    return near[0] < _STRIP * block.layout.diagonal and near[1] < _BESIDE_CORNER * block.layout.diagonal


def _formed(block: Block, free: Sequence[Sequence[Item]], valued: Collection[str]) -> Iterator[FieldReading]:
    """Values that their form tells: A3, 1:2, ISO 2768-m, a material, a company."""
    for items in free:
        text, ids = tidy(joined(items)), sources(items)
        size = paper_format(text)
        if size and "size" not in valued:
            yield FieldReading("size", size, ids, "typical place")
        elif (both := _sheet_and_size(items)) and not {"size", "sheet"} & set(valued):
            yield FieldReading("sheet", both[0], ids, "typical place")
            yield FieldReading("size", both[1], ids, "typical place")
        elif "revision" not in valued and VERSION.fullmatch(text) and not is_in_list(block.layout, items):
            yield FieldReading("revision", text, ids, "typical place", True)
        elif _RATIO.fullmatch(text) and "scale" not in valued:
            yield FieldReading("scale", text, ids, "typical place")
        elif "tolerances" not in valued and (stated := _general_tolerance(items)):
            yield stated
        elif "material" not in valued and values.is_material(text) and not values.is_company(text):
            yield FieldReading("material", text, ids, "typical place")
        elif "company" not in valued and (owner := company.reading(items)):
            yield owner


def _projects(free: Sequence[Sequence[Item]]) -> Iterator[FieldReading]:
    """The only line over or under a company in a cell that begins with the word for a project and goes on with its name: "Projekt Tarnow"."""
    cells = [rows(items) for items in free]
    owned = [lines for lines in cells if any(values.is_company(joined(line)) for line in lines)]
    found = []
    for line in (line for lines in owned for line in lines if len(lines) > 1):
        first, _, name = joined(line).strip().partition(" ")
        word = title_labels.read(first)
        if word is not None and word.key == "project" and has_letter(name):
            found.append(line)
    if len(found) == 1:
        yield FieldReading("project", tidy(joined(found[0])), sources(found[0]), "typical place", True)


def _general_tolerance(items: Sequence[Item]) -> FieldReading | None:
    """The standard for general tolerances that a cell is, that its statement names, or that one of its lines ends with."""
    text = tidy(joined(items))
    if values.is_general_tolerance(text):
        return FieldReading("tolerances", text, sources(items), "typical place")
    line = next((item for item in items[::-1] if values.is_tolerance_statement(item.text)), None)
    if line is not None:
        stated = [item for item in items if item is line or GENERAL_TOLERANCE.search(item.text)]
        return FieldReading("tolerances", tidy(joined(stated)), sources(stated), "typical place")
    named = ((item, values.named_tolerance(item.text)) for item in items)
    return next(
        (FieldReading("tolerances", name, (item.source,), "typical place") for item, name in named if name), None
    )


_LISTED: Final = frozenset(key for key, field in FIELDS.items() if field.may_be_listed)


def _loose(block: Block, known: Collection[str]) -> Iterator[FieldReading]:
    """Labelled lines in open space: a material that only one line names; others only in a list with a second such line."""
    lines = [
        item
        for item in block.layout.items
        if item.cell < 0 and item.wording and item.wording.colon and item.wording.value and item.wording.key in _LISTED
    ]
    lines = [
        line
        for line in lines[:40]
        if not numbered(line, block.layout.items) and not goes_on_note(line, block.layout.items)
    ]
    for key in sorted(_LISTED - set(known)):
        own = [item for item in lines if item.wording and item.wording.key == key]
        if len(own) != 1 or own[0].wording is None:
            continue
        value = tidy(own[0].wording.value)
        # A list that names two materials is of several parts, and so is its finish.
        fellows = [item for item in lines if _next_to(own[0], item)]
        kinds = [item.wording.key for item in fellows if item.wording]
        listed = bool(fellows) and len(set(kinds)) == len(kinds)
        if can_be(key, value) and len(value) <= 60 and (listed or (key == "material" and not own[0].wording.weak)):
            yield FieldReading(key, value, (own[0].source,), "combined line")


def _next_to(one: Item, other: Item) -> bool:
    """Whether they are lines of one list."""
    apart = abs(one.middle[1] - other.middle[1])
    return other is not one and abs(one.box[0] - other.box[0]) < one.height and apart < 3 * one.height


def _sheet_and_size(items: Sequence[Item]) -> tuple[str, str] | None:
    """ "1" over "A4": the corner of Inventor's DIN block."""
    lines = [tidy(" ".join(item.text for item in row)) for row in rows(items)]
    if len(lines) != 2 or not re.fullmatch(r"\d{1,3}", lines[0]):
        return None
    size = paper_format(lines[1])
    return (lines[0], size) if size else None


def _is_between_names(layout: Layout, free: Sequence[Sequence[Item]], owner: float) -> bool:
    """Whether several cells could hold the title and the company, `owner` high, is lettered larger: one of them is its department.

    One that is lettered clearly larger than the others, in the largest cell, is the title.
    """
    names = sorted((items for items in free if could_be_title(items)), key=_tallest)
    if len(names) < 2 or owner <= _tallest(names[-1]):
        return False
    rooms = [area_of(layout.cells[items[0].cell]) for items in names]
    next_room, next_height = max(rooms[:-1]), _tallest(names[-2])
    if _tallest(names[-1]) < LARGER * next_height:
        return _tallest(names[-1]) < _TALLER * next_height or rooms[-1] < _FAR_ROOMIER * next_room
    return rooms[-1] < _ROOMIER * next_room


def _tallest(items: Sequence[Item]) -> float:
    return max(item.height for item in items)


def _as_large_as_names(free: Sequence[Sequence[Item]]) -> list[Sequence[Item]]:
    """Those of `free` that are lettered at least half as large as the largest of them."""
    largest = max((item.height for items in free for item in items), default=0.0)
    return [items for items in free if max(item.height for item in items) >= _AS_A_NAME * largest]


def usual_height(block: Block) -> float:
    """Height of the letters of a label, as most of `block` have it."""
    return sorted(label.height for label in block.labels)[len(block.labels) // 2]


def _largest(
    block: Block, free: Sequence[Sequence[Item]], valued: Collection[str], named: Collection[str]
) -> Iterator[FieldReading]:
    """The title in a block that labels none: the largest lettering of its unlabelled cells."""
    if "title" in valued or "title" in named or max(len(block.labels), len(valued)) < _FEWEST:
        return
    usual = usual_height(block)
    named_owners = owners(block)
    candidates = [
        items
        for items in by_prominence(block, [items for items in free if not is_labelled_value(items, usual)])
        if _could_name(items, {*valued, *named})
        and not any(is_mark(joined(items), owner) for owner in named_owners)
        and not is_in_list(block.layout, items)
    ]
    titled = False
    for cell in candidates[:3]:
        if max(item.height for item in cell) < LARGER * usual:
            if not titled:
                yield from _largest_cell(block, free, {*valued, *named})
            return
        items = _headed(cell)
        text = tidy(joined(items))
        if (
            LABELLED.match(text) is None
            and can_be("title", text)
            and len(text.split()) <= _MOST_WORDS
            and not values.is_company(text)
        ):
            if not is_distinctive("drawing_number", text) or is_spelled(text):
                if not titled:
                    yield FieldReading("title", text, sources(items), "typical place")
                titled = True
                continue
            if (
                "drawing_number" not in valued
                and "drawing_number" not in named
                and (sum(sign.isdigit() for sign in text) >= 3 or re.search(r"[\w)][-_][\w(]", text))
            ):
                yield FieldReading("drawing_number", text, sources(items), "typical place", True)


def _could_name(items: Sequence[Item], known: Collection[str]) -> bool:
    """Whether a cell could hold the title, or a number where none is known; marks, labels of numbers and temperatures are neither."""
    text = tidy(joined(items))
    if is_distinctive("drawing_number", text) and not is_spelled(text):
        return "drawing_number" not in known
    return (
        len(text) > 1 and not is_code(text) and not title_labels.is_of_number(text) and _TEMPERATURE.match(text) is None
    )


def _only_name(free: Sequence[Sequence[Item]], known: Collection[str]) -> Iterator[FieldReading]:
    """The title in a block that names its company and has one name more without a label, beside a number at most."""
    numbers = [items for items in free if values.is_assigned(tidy(joined(items)))]
    rest = [items for items in free if items not in numbers]
    names = [items for items in rest if could_be_title(items)]
    if "company" not in known or "title" in known or not len(names) == len(rest) == 1 or len(numbers) > 1:
        return
    yield FieldReading("title", tidy(joined(names[0])), sources(names[0]), "typical place", True)
    if numbers and "drawing_number" not in known:
        yield FieldReading("drawing_number", tidy(joined(numbers[0])), sources(numbers[0]), "typical place", True)


def _largest_cell(block: Block, free: Sequence[Sequence[Item]], named: Collection[str]) -> Iterator[FieldReading]:
    """The title in a block all of one lettering: the only words in a cell far larger than those of the labels, and the number likewise."""
    cells = block.layout.cells
    sizes = sorted(area_of(cells[label.cell]) for label in block.labels if label.cell >= 0)
    if not sizes:
        return
    large = [
        items
        for items in free
        if area_of(cells[items[0].cell]) > _LARGE * sizes[len(sizes) // 2] and _is_central(items, cells[items[0].cell])
    ]
    numbers = [items for items in large if values.is_assigned(tidy(joined(items)))]
    if len(numbers) == 1 and "drawing_number" not in named:
        yield FieldReading("drawing_number", tidy(joined(numbers[0])), sources(numbers[0]), "typical place", True)
    large = [items for items in large if items not in numbers]
    name = _headed(large[0]) if len(large) == 1 else ()
    text = tidy(joined(name))
    words = sum(any(map(str.isalnum, word)) for word in text.split())
    if text and can_be("title", text) and words <= _MOST_WORDS and not (values.is_company(text) or is_code(text)):
        yield FieldReading("title", text, sources(name), "typical place", True)


def _is_central(items: Sequence[Item], cell: Box) -> bool:
    """Whether `items` stand in the middle of their cell; labels stand in its corner."""
    bottom, top = min(item.box[1] for item in items), max(item.box[3] for item in items)
    return abs(bottom + top - cell[1] - cell[3]) < _CENTRAL * (cell[3] - cell[1])


def _headed(items: Sequence[Item]) -> Sequence[Item]:
    """The first line where it is lettered larger than the lines under it: part over group over machine. What GOST 2.104 sets under a name belongs to it."""
    lines = rows(items)
    first, rest = lines[0], [item for row in lines[1:] for item in row]
    if not rest or company.CYRILLIC.search(first[0].text):
        return items
    if _tallest(first) * LARGER < min(item.height for item in rest):
        # A course or a machine in smaller lettering over the name.
        return rest
    larger = min(item.height for item in first) > 1.1 * max(item.height for item in rest)
    return first if larger and can_be("title", tidy(joined(first))) else items
