"""The title that no label names, told by its lettering or its cell: larger than all else, or alone in room."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import can_be, is_distinctive
from spatial.knowledge.phrases import is_statement
from spatial.knowledge.value_forms import has_digit, has_letter, tidy
from spatial.models.sheet.drawing import Box
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.title_block import company, values
from spatial.understanding.sheet.title_block.best_value import name_over_number
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.free_cells import outline
from spatial.understanding.sheet.title_block.items import Item, is_label_alone, joined, rows, sources
from spatial.understanding.sheet.title_block.label_cells import is_flush_with
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.names import (
    LABELLED,
    LARGER,
    by_prominence,
    could_be_title,
    is_code,
    is_in_list,
    is_labelled_value,
    is_spelled,
)
from spatial.understanding.sheet.title_block.owner_notice import is_mark, owners

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
_FEWEST: Final = 4
"""Labels of a block, known or not, or its fields that form and place tell, beside which the largest lettering is the title."""
_COLUMN: Final = 3
"""Labels of a column that has a heading."""
_MOST_WORDS: Final = 10
"""Of a title that no label names."""
_NAME_WORDS: Final = 3
"""Words of a name beside which a number with a word behind it is none."""
_EDGE: Final = 0.006
"""Of the sheet's diagonal, between the sides of a block and of a cell that runs along one."""
_EVEN: Final = 0.95
"""Part of the height of a title that another name is lettered at least as large as."""
_FIGURES: Final = 3
"""Of a number under a name."""
_IN_BRACKETS: Final = re.compile(r"\([^()]+\)")
"""What stands under a title in brackets says more of it, whatever its lettering: (FOR REAR BEARING)."""
_TEMPERATURE: Final = re.compile(r"[-+\u2212\u00b1]?\d+\s*°")


def largest(
    block: Block, free: Sequence[Sequence[Item]], valued: Collection[str], named: Collection[str]
) -> Iterator[FieldReading]:
    """The title in a block that labels none: the largest lettering of its unlabelled cells."""
    if "title" in valued or "title" in named or max(_label_count(block), len(valued)) < _FEWEST:
        return
    usual = _usual_height(block)
    named_owners = owners(block)
    candidates = [
        items
        for items in by_prominence(block, [items for items in free if not is_labelled_value(items, usual)])
        if _could_name(items, {*valued, *named})
        and not any(is_mark(joined(items), owner) for owner in named_owners)
        and not is_in_list(block.layout, items)
    ]
    titled = False
    candidates = [cell for cell in candidates if not _is_designation(cell, candidates[:3], LARGER * usual)]
    for cell in candidates[:3]:
        if max(item.height for item in cell) < LARGER * usual:
            if not titled:
                yield from _largest_cell(block, free, {*valued, *named})
            return
        names, number = _numbered(cell)
        items = names or _headed(cell)
        text = tidy(joined(items))
        if (
            LABELLED.match(text) is None
            and can_be("title", text)
            and sum(any(map(str.isalnum, word)) for word in text.split()) <= _MOST_WORDS
            and not values.is_company(text)
        ):
            if not is_distinctive("drawing_number", text) or is_spelled(text):
                height = max(item.height for item in items)
                if not titled and (
                    _is_under_unknown_label(free, usual, height) or _heads_block(block, cell, candidates)
                ):
                    return
                if not titled:
                    yield FieldReading("title", text, sources(items), "typical place")
                    yield from _number_under(number, {*valued, *named})
                titled = True
                continue
            if (
                "drawing_number" not in valued
                and "drawing_number" not in named
                and (sum(sign.isdigit() for sign in text) >= 3 or re.search(r"[\w)][-_][\w(]", text))
            ):
                yield FieldReading("drawing_number", text, sources(items), "typical place", True)


def _is_under_unknown_label(free: Sequence[Sequence[Item]], usual: float, height: float) -> bool:
    """Whether a name as large as one of `height` stands under a label of no known word: that one may be the title."""
    pairs = [rows(items)[1:] for items in free if is_labelled_value(items, usual)]
    values_ = [[item for line in lines for item in line] for lines in pairs]
    return any(
        could_be_title(own)
        and not has_digit(joined(own).split()[0])
        and min(item.height for item in own) >= _EVEN * height
        for own in values_
    )


def _heads_block(block: Block, cell: Sequence[Item], candidates: Sequence[Sequence[Item]]) -> bool:
    """Whether a cell runs along the whole upper edge of the block, with another name in it: what it says may be of all the sheets."""
    left, _, right, top = outline(block)
    own, slack = block.layout.cells[cell[0].cell], _EDGE * block.layout.diagonal
    others = [items for items in candidates if items is not cell and could_be_title(items)]
    return bool(others) and max(abs(own[0] - left), abs(own[2] - right), abs(own[3] - top)) < slack


def _numbered(cell: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item]]:
    """The lines of a cell that name the thing, and the last one, with the number that its maker gave it; both empty of other cells."""
    names, number = name_over_number(cell)
    text = tidy(joined(number))
    is_given = sum(map(str.isdigit, text)) >= _FIGURES and has_letter(text) and not values.is_material(text)
    return (names, number) if is_given else ((), ())


def _number_under(number: Sequence[Item], known: set[str]) -> Iterator[FieldReading]:
    if number and not known & {"drawing_number", "part_number"}:
        yield FieldReading("drawing_number", tidy(joined(number)), sources(number), "typical place", True)


def _label_count(block: Block) -> int:
    """How many labels a block has, with those of unknown words that a colon tells."""
    lone = [items for items in block.layout.inside.values() if items[0].wording is None and block.holds(items[0])]
    return len(block.labels) + sum(map(is_label_alone, lone))


def _is_designation(items: Sequence[Item], others: Sequence[Sequence[Item]], least: float) -> bool:
    """Whether a cell says which one of a kind is drawn, and one of `others`, as large as a title, of what kind it is.

    It is said again at the end of the name ("EI 38" and "TRANSFORMER EI 38"), or is a number with one word behind it beside a name of
    three words ("TK-2-SV SERIES").
    """
    text = tidy(joined(items))
    closed = "".join(text.split())
    names = [
        tidy(joined(other))
        for other in others
        if other is not items and max(item.height for item in other) >= least and could_be_title(other)
    ]
    said_again = has_digit(text) and any("".join(name.split()).endswith(closed) and name != text for name in names)
    number, *behind = text.split()
    is_series = len(behind) == 1 and behind[0].isalpha() and values.is_assigned(number)
    return said_again or (is_series and any(sum(map(str.isalpha, name.split())) >= _NAME_WORDS for name in names))


def _could_name(items: Sequence[Item], known: Collection[str]) -> bool:
    """Whether a cell could hold the title, or a number where none is known; marks, labels of numbers and temperatures are neither."""
    text = tidy(joined(items))
    if is_distinctive("drawing_number", text) and not is_spelled(text):
        return "drawing_number" not in known
    return (
        len(text) > 1 and not is_code(text) and not title_labels.is_of_number(text) and _TEMPERATURE.match(text) is None
    )


def _largest_cell(block: Block, free: Sequence[Sequence[Item]], named: Collection[str]) -> Iterator[FieldReading]:
    """The title in a block all of one lettering: the only words in a cell far larger than those of the labels, and the number likewise."""
    cells = block.layout.cells
    sizes = sorted(area_of(cells[label.cell]) for label in block.labels if label.cell >= 0)
    if not sizes:
        return
    large = [
        items
        for items in free
        if area_of(cells[items[0].cell]) > _LARGE * sizes[len(sizes) // 2]
        and _is_central(items, cells[items[0].cell])
        and not _heads_labels(block, items)
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


def _heads_labels(block: Block, items: Sequence[Item]) -> bool:
    """Whether one line stands over a column of labels, flush with them and lettered as they are: it says what they are of."""
    under = [label for label in block.labels if label.cell >= 0 and is_flush_with(label, items[0])]
    return len(items) == 1 and sum(label.middle[1] < items[0].box[1] for label in under) >= _COLUMN


def _headed(items: Sequence[Item]) -> Sequence[Item]:
    """The first line where it is lettered larger than those under it: part over group over machine.

    What GOST 2.104 sets under a name belongs to it.
    """
    lines = rows(items)
    first, rest = lines[0], [item for row in lines[1:] for item in row]
    if not rest or company.CYRILLIC.search(first[0].text):
        return items
    if _tallest(first) * LARGER < min(item.height for item in rest):
        # A course or a machine in smaller lettering over the name.
        return rest
    larger = min(item.height for item in first) > 1.1 * max(item.height for item in rest)
    said_more = _IN_BRACKETS.fullmatch(tidy(joined(rest))) is not None
    return first if larger and not said_more and can_be("title", tidy(joined(first))) else items


def only_name(free: Sequence[Sequence[Item]], known: Collection[str]) -> Iterator[FieldReading]:
    """The title in a block that names its company and has one name more without a label, beside a number at most."""
    numbers = [items for items in free if values.is_assigned(tidy(joined(items)))]
    rest = [items for items in free if items not in numbers and not is_statement(tidy(joined(items)))]
    names = [items for items in rest if could_be_title(items)]
    if "company" not in known or "title" in known or not len(names) == len(rest) == 1 or len(numbers) > 1:
        return
    yield FieldReading("title", tidy(joined(names[0])), sources(names[0]), "typical place", True)
    if numbers and "drawing_number" not in known:
        yield FieldReading("drawing_number", tidy(joined(numbers[0])), sources(numbers[0]), "typical place", True)


def is_between_names(layout: Layout, free: Sequence[Sequence[Item]], owner: float) -> bool:
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


def as_large_as_names(free: Sequence[Sequence[Item]]) -> list[Sequence[Item]]:
    """Those of `free` that are lettered at least half as large as the largest of them."""
    largest = max((item.height for items in free for item in items), default=0.0)
    return [items for items in free if max(item.height for item in items) >= _AS_A_NAME * largest]


def _tallest(items: Sequence[Item]) -> float:
    return max(item.height for item in items)


def _usual_height(block: Block) -> float:
    """Height of the letters of a label, as most of `block` have it."""
    return sorted(label.height for label in block.labels)[len(block.labels) // 2]
