"""The unit of length of a block that no label names: the sentence that states it, or the unit alone in a cell."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from spatial.knowledge.value_forms import UNIT_STATEMENT, has_digit, is_decimal, tidy
from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.title_block import values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, is_bulleted, joined, rows, sources
from spatial.understanding.sheet.title_block.names import LARGER

_REACH: Final = 3.0
"""Letter heights down to a next line, and some more."""
_NUMBER: Final = re.compile(r"(\d{1,2})[.)]\s*(?=[^\W\d_])")
"""Of an item of a list, before its words."""
_HEADING: Final = 3
"""Words of the heading of a list of tolerances."""


def units(block: Block) -> Iterator[FieldReading]:
    """ "DIMENSIONS ARE IN MILLIMETERS", on one line or two."""
    near, notes = 0.02 * block.layout.diagonal, block.under_title() | block.exempted()
    held = [item for item in block.layout.items if block.holds(item) or (item.cell >= 0 and block.holds(item, near))]
    ruled = sum(label.cell >= 0 for label in block.labels) * 2 > len(block.labels)
    # A sentence outside the cells of a ruled block is a note, and so is one of a bulleted or numbered list in a cell.
    held = [item for item in held if item.source not in notes and (item.cell >= 0 or not ruled)]
    numbers = {(item.cell, number) for item in held if (number := _number(item)) is not None}
    held = [item for item in held if not (is_bulleted(item.text) or _is_counted(item, numbers))]
    lines = [item for row in rows(held) for item in row]
    cells = _by_cell(lines)
    for item in lines:
        found = UNIT_STATEMENT.search(item.text)
        if found:
            yield FieldReading("units", found.group(1), (item.source,), "typical place", True)
            continue
        place = _next_line(item, cells.get(item.cell))
        under = lines[place] if place is not None else None
        found = UNIT_STATEMENT.search(f"{item.text} {under.text}") if under else None
        if under and found and UNIT_STATEMENT.search(under.text) is None:
            yield FieldReading("units", found.group(1), (item.source, under.source), "typical place", True)


def _number(item: Item) -> int | None:
    """The number of a list that an item begins with."""
    found = _NUMBER.match(item.text)
    return int(found[1]) if found else None


def _is_counted(item: Item, numbers: Collection[tuple[int, int]]) -> bool:
    """Whether the number before or after that of an item begins another item of its cell."""
    number = _number(item)
    return number is not None and any((item.cell, number + step) in numbers for step in (-1, 1))


class _Cell(NamedTuple):
    """The lines of one cell, from the lowest."""

    places: Array
    """(n,) among all lines."""
    levels: Array
    """(n,) heights of their middles."""
    sides: Array
    """(n, 2) their left ends and their middles."""


def _by_cell(lines: Sequence[Item]) -> dict[int, _Cell]:
    """Of the lines that are in one cell, or all in open space."""
    found: dict[int, list[tuple[float, int]]] = {}
    for place, item in enumerate(lines):
        found.setdefault(item.cell, []).append((item.middle[1], place))
    cells = {}
    for number, held in found.items():
        levels, places = zip(*sorted(held), strict=True)
        sides = [(lines[place].box[0], lines[place].middle[0]) for place in places]
        cells[number] = _Cell(np.array(places), np.array(levels), np.array(sides))
    return cells


def _next_line(line: Item, cell: _Cell | None) -> int | None:
    """The place of the first line that is the next of a cell, set as `line` or centred under it."""
    if cell is None:
        return None
    (middle, level), height = line.middle, line.height
    low, high = np.searchsorted(cell.levels, (level - _REACH * height, level)).tolist()
    drop = level - cell.levels[low:high]
    aside = np.abs(cell.sides[low:high] - (line.box[0], middle)).min(axis=1)
    next_ = (aside < 2 * height) & (drop > 0.5 * height) & (drop < 2.5 * height)
    return int(cell.places[low:high][next_].min()) if next_.any() else None


def of_tolerances(block: Block, tolerances: FieldReading) -> Iterator[FieldReading]:
    """The only unit that ends a heading without figures in the cells of the list of tolerances: "DECIMAL mm"."""
    listed = set(tolerances.sources)
    cells = {item.cell for item in block.layout.items if item.source in listed and item.cell >= 0}
    heads = [
        (words[-1].strip("()[]"), item.source)
        for cell in sorted(cells)
        for item in block.layout.inside[cell]
        if 1 < len(words := item.text.split()) <= _HEADING and not has_digit(item.text)
    ]
    found = [(unit, source) for unit, source in heads if values.is_unit(unit)]
    if len({unit.casefold() for unit, _ in found}) == 1:
        yield FieldReading("units", found[0][0], (found[0][1],), "typical place", True)


def unit_alone(block: Block, free: Sequence[Sequence[Item]], known: Collection[str]) -> Iterator[FieldReading]:
    """ "[mm]" alone in a cell of a block that does not say its unit elsewhere."""
    found = [items for items in free if values.is_unit(_plain_unit(items))]
    if "units" in known or len(found) != 1:
        return
    if not (_is_one_of_several(block, found[0]) or _is_of_number(block, found[0][0])):
        yield FieldReading("units", _plain_unit(found[0]), sources(found[0]), "typical place")


def _is_of_number(block: Block, unit: Item) -> bool:
    """Whether a number stands in the cell left of a unit's, in its row: the row of a table of properties."""
    layout, slack = block.layout, 0.004 * block.layout.diagonal
    own = layout.cells[unit.cell]
    return any(
        is_decimal(tidy(joined(items))) or joined(items).strip().isdecimal()
        for cell, items in layout.inside.items()
        for box in [layout.cells[cell]]
        if max(abs(box[2] - own[0]), abs(box[1] - own[1]), abs(box[3] - own[3])) < slack
    )


def _is_one_of_several(block: Block, unit: Sequence[Item]) -> bool:
    """Whether another unit stands on the line of one: both head columns, of tolerances in millimetres and in inches."""
    own = {item.source for item in unit}
    return any(
        item.source not in own
        and block.holds(item)
        and abs(item.middle[1] - unit[0].middle[1]) < unit[0].height
        and values.is_unit(item.text.replace(" ", ""))
        for item in block.layout.items
    )


def _plain_unit(items: Sequence[Item]) -> str:
    """What a cell says, without brackets; where it has one smaller line over one larger, a label of no known word, the larger."""
    lines = rows(items)
    labelled = len(lines) == 2 and lines[0][0].height * LARGER < min(item.height for item in lines[1])
    return joined(lines[1] if labelled else items).strip().strip("[]()").strip()
