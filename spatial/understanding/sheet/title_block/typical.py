"""Values that no label names: by their place in a block, and by their form."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from spatial.knowledge.fields import ROLES
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.title_block import (
    company_places,
    loose_numbers,
    number_over_row,
    owner_lines,
    prominent_titles,
    sheet_places,
    students,
    turned_labels,
)
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.captions import has_caption
from spatial.understanding.sheet.title_block.copied_number import copied_number
from spatial.understanding.sheet.title_block.departments import with_owner
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.formed_cells import formed, projects
from spatial.understanding.sheet.title_block.free_cells import free_cells, outline
from spatial.understanding.sheet.title_block.headings import field_labels
from spatial.understanding.sheet.title_block.items import Item, joined, sources
from spatial.understanding.sheet.title_block.listed_lines import listed_lines
from spatial.understanding.sheet.title_block.names import before_sheet, under_title
from spatial.understanding.sheet.title_block.only_values import only_date, only_number, sheet_of_several
from spatial.understanding.sheet.title_block.open_statements import stated_in_the_open
from spatial.understanding.sheet.title_block.open_titles import title_of_cell, title_over
from spatial.understanding.sheet.title_block.owner_notice import of_copyright, of_permission, of_property
from spatial.understanding.sheet.title_block.role_rows import cells_of_role_rows
from spatial.understanding.sheet.title_block.stated_tolerances import tolerance_line
from spatial.understanding.sheet.title_block.unit_statements import unit_alone, units


def readings(block: Block, known: Sequence[FieldReading]) -> Iterator[FieldReading]:
    """What the cells without labels in and around `block` hold.

    known: what its labels name.
    """
    named = {label.wording.key for label in field_labels(block) if label.wording}
    valued = {reading.key for reading in known}
    yield from units(block)
    free = free_cells(block, {source for reading in known for source in reading.sources})
    number = copied_number(block)
    if number is not None and not _is_stated(number, known):
        yield FieldReading("drawing_number", number.text, (number.source,), "typical place")
        free = [items for items in free if number.source not in sources(items)]
    own = projects(free) if "project" not in valued | named else ()
    told = list(own)
    in_projects = {source for reading in told for source in reading.sources}
    free = [left for items in free if (left := [item for item in items if item.source not in in_projects])]
    told += _by_form_and_place(block, free, known, named, told, has_copy=number is not None)
    told = _with_owner_by_place(block, free, known, named, told)
    told += students.readings(block, free, valued | named | _keys(told), [*known, *told])
    told += title_of_cell(block, valued | named | _keys(told))
    yield from told
    yield from listed_lines(block, valued | named | _keys(told))
    rest = _rest(block, free, known, told)
    found = valued | _keys(told)
    holders = list(_owner(block, rest, known, found | named))
    yield from holders
    owners = {source for reading in told if reading.key == "company" for source in reading.sources}
    height = max((item.height for item in block.layout.items if item.source in owners), default=0.0)
    if not prominent_titles.is_between_names(block.layout, prominent_titles.as_large_as_names(rest), height):
        titles = list(prominent_titles.largest(block, rest, found | ({"drawing_number"} if number else set()), named))
        yield from titles or prominent_titles.only_name(rest, found | named | _keys(holders))
        yield from _beside_title(block, rest, [*known, *titles], found | named | _keys(holders)) if titles else ()


def _beside_title(
    block: Block, rest: Sequence[Sequence[Item]], known: Sequence[FieldReading], keys: Collection[str]
) -> Iterator[FieldReading]:
    """The company where the title is told by its lettering alone: the other large name, in an owner's place."""
    titles = {source for each in known if each.key == "title" for source in each.sources}
    others = [items for items in rest if not titles & set(sources(items))]
    owner = company_places.alone(block, others, known, outline(block)) if titles and "company" not in keys else None
    if owner is not None:
        yield owner


def _keys(found: Sequence[FieldReading]) -> set[str]:
    return {reading.key for reading in found}


def _is_stated(number: Item, known: Sequence[FieldReading]) -> bool:
    """Whether a label names the number that is repeated in a corner, or another one surely."""
    return any(
        (reading.key == "drawing_number" and not reading.weak) or reading.value == number.text for reading in known
    )


def _by_form_and_place(
    block: Block,
    free: Sequence[Sequence[Item]],
    known: Sequence[FieldReading],
    named: Collection[str],
    projects_told: Sequence[FieldReading],
    *,
    has_copy: bool,
) -> list[FieldReading]:
    """What form and place tell of the cells `free` and of the lines in open space.

    named: keys that labels of the block name; has_copy: whether the number is repeated in a corner.
    """
    valued, asked = _keys(known), _keys(known) | set(named)
    found = list(formed(block, free, valued | (set(named) & {"material"})))
    found += sheet_places.at_paper_size(block.layout, free, found, valued)
    found += only_date(block, free, asked)
    found += sheet_of_several(free, valued | _keys([*projects_told, *found]))
    found += sheet_places.around_count(block, valued)
    found += sheet_places.counted_in_words(block, valued)
    found += sheet_places.identified(block, valued, named)
    found += turned_labels.readings(block, asked)
    found += loose_numbers.readings(block, asked)
    if not has_copy:
        found += number_over_row.readings(block, asked | _keys([*projects_told, *found]))
    found += unit_alone(block, free, asked)
    found += list(before_sheet(block, free, known)) or under_title(block, free, known)
    found += only_number(block, free, asked | _keys([*projects_told, *found]))
    found += [each for each in tolerance_line(block) if "tolerances" not in valued]
    found += title_over(block, asked)
    found += stated_in_the_open(block, valued | _keys([*projects_told, *found]))
    return found


def _with_owner_by_place(
    block: Block,
    free: Sequence[Sequence[Item]],
    known: Sequence[FieldReading],
    named: Collection[str],
    told: list[FieldReading],
) -> list[FieldReading]:
    """`told` with the company, where no label names it: over its department, its address or its notice, beside its mark, over the title."""
    if "title" in _keys(known):
        told = with_owner(block, free, told)
    asked = _keys(known) | set(named)
    if "company" not in asked and (owner := company_places.over_address(block, free)):
        told = [each for each in told if each.key != "company"] + [owner]
    if "company" in asked | _keys(told):
        return told
    by_place = (
        company_places.of_host(block, free),
        company_places.over_notice(block),
        company_places.beside_picture(block, free),
        company_places.over_title(block, free, known),
        owner_lines.over_labelled_lines(block),
    )
    return [*told, *[owner for owner in by_place if owner][:1]]


def _owner(
    block: Block, rest: Sequence[Sequence[Item]], known: Sequence[FieldReading], keys: Collection[str]
) -> Iterator[FieldReading]:
    """The company, where nothing else tells it: the only large name, or the holder of rights that a notice names.

    keys: of all that is read or has a label.
    """
    if "company" in keys:
        return
    alone = company_places.alone(block, rest, known, outline(block)) if "title" in _keys(known) else None
    holder = alone or of_copyright(block.layout.items) or of_property(block) or of_permission(block)
    if holder:
        yield holder


def _rest(
    block: Block, free: Sequence[Sequence[Item]], known: Sequence[FieldReading], told: Sequence[FieldReading]
) -> list[Sequence[Item]]:
    """Those of `free` that could name the thing: nothing was read from them, and no label's value says the same."""
    owners = {source for reading in told if reading.key == "company" for source in reading.sources}
    in_rows = cells_of_role_rows(block)
    # A cell that says the drafter's name with a class or a school is no title.
    people = {reading.value for reading in known if reading.key in ROLES and len(reading.value) > 1}
    # What a label's value says too names no more than that.
    said = {reading.value for reading in known}
    return [
        items
        for items in free
        if not any(reading.sources == sources(items) for reading in told)
        and not owners & set(sources(items))
        and not has_caption(block.layout, items[0].cell)
        and not any(name in joined(items) for name in people)
        and tidy(joined(items)) not in said
        and items[0].cell not in in_rows
    ]
