"""General tolerances by the number of decimal places, told by the form of their entries where no label names them: `.XX ±0.01`.

Source: ASME Y14.5-2018, 5.1 (tolerances in a note or the title block); every X stands for a decimal place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeAlias

from spatial.knowledge.value_forms import tidy
from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.tolerance_box import with_signs

_Entry: TypeAlias = tuple[str, list[Item]]
"""What is printed, and the texts that it was read from."""
_PLACES: Final = r"(?<![\w.])(?:0?\.X{1,5}|X\.X{0,4})(?![X°.])"
_OF_ANGLES: Final = r"(?<![\w.])(?:0?\.X{1,5}|X\.?X{0,4})°\.?"
"""The same of angles: `X.X°`."""
_MINUTES: Final = r"\s*\d{1,2}\s?['\u2019\u2032](?:\s*\d{1,2}\s?[\"\u201d\u2033])?"
_DEVIATION: Final = rf"(?:±|\+\s?/?\s?-)\s*\d*[.,]?\d+(?:/\d+)?(?:\s*°(?:{_MINUTES})?)?(?:\s*\[\d*[.,]?\d+\])?"
"""Inches and degrees may be fractions, and degrees have minutes: `±1/2°`, `±0°30'`."""
_ENTRY: Final = re.compile(rf"(?:{_PLACES}|{_OF_ANGLES}|(?<!\w)ANG\w{{0,6}}\.?)\s*[:=]?\s*{_DEVIATION}")
"""The angular deviation goes with the list (ASME Y14.5: "angles")."""
_PART: Final = re.compile(r"±|X[.°]|\.X")
"""What is left of an entry whose other characters were not read."""
_LONE_NAME: Final = re.compile(r"(?<![^\W_])X\b")
_NAME: Final = re.compile(rf"{_PLACES}|ANG\w{{0,6}}\.?")
_VALUE: Final = re.compile(_DEVIATION)
_OF_PLACES: Final = re.compile(_PLACES)
_OF_PLACES_OF_ANGLES: Final = re.compile(_OF_ANGLES)
_STATED: Final = re.compile(r"[±-]\s*[\d.,°]*[1-9]")
"""A deviation that is more than a place to be filled in: `.XX = ±.0` states none."""
_ANGLES: Final = re.compile(rf"ANG\w{{0,6}}\.?\s*[:=]?\s*{_DEVIATION}(?:\s*DEG\w*\.?)?", re.IGNORECASE)
_TOUCH: Final = 0.004
"""Of the sheet's diagonal, between two cells that share a side."""
_FEWEST: Final = 2
"""Entries by decimal places of a list."""
_COLUMN: Final = 3.0
"""Letter heights between the beginnings of entries of one column."""


def names_places(text: str) -> bool:
    """Whether a number of decimal places stands in `text`."""
    return _OF_PLACES.search(text) is not None


def has_part_of_list(layout: Layout, label: Item) -> bool:
    """Whether an entry stands behind a label of tolerances and others elsewhere in its cell: no part of a list is the list."""
    word = label.wording
    return (
        word is not None and word.key == "tolerances" and bool(word.value) and is_begun(layout, label, (label.source,))
    )


def is_begun(layout: Layout, label: Item, ids: Sequence[str]) -> bool:
    """Whether the cell goes on with names of decimal places that were not read with the entry behind the label: a part of a list."""
    inside = layout.inside.get(label.cell, ()) if label.cell >= 0 else ()
    return any(names_places(item.text) for item in inside if item.source not in ids)


def is_part_of_list(block: Block, read: FieldReading) -> bool:
    """Whether the cells that touch those of a reading, which names a number of decimal places, name others that it has not."""
    if not names_places(read.value):
        return False
    layout = block.layout
    own = {item.cell for item in layout.items if item.source in read.sources and item.cell >= 0}
    return any(
        names_places(item.text) and item.source not in read.sources
        for cell in _in_line_with(own, layout)
        for item in layout.inside[cell]
    )


def with_list(told: Sequence[FieldReading], block: Block) -> list[FieldReading]:
    """`told` with the list of deviations of the block, where nothing else was told of its tolerances or no more entries of them."""
    listed = reading(block)
    others = [each for each in told if each.key == "tolerances"]
    count = max((len(_VALUE.findall(each.value)) for each in others), default=0)
    if listed is None or count > listed.value.count(";") + 1:
        return list(told)
    return [*(each for each in told if each.key != "tolerances"), listed]


def reading(block: Block) -> FieldReading | None:
    """The only list of deviations by decimal places in the cells of a block: in cells side by side, or each entry in a cell or two."""
    entries = _entries(block)
    items = [item for _, members in entries for item in members if item.source]
    listed_text = "; ".join(text for text, _ in entries)
    return FieldReading("tolerances", listed_text, sources(items), "typical place", True) if entries else None


def _entries(block: Block) -> list[_Entry]:
    """The entries of that list; none where there are two lists, or a part of it was not read."""
    layout = block.layout
    cells = [cell for cell, items in layout.inside.items() if any(block.holds(item) for item in items)]
    lists = [(layout.cells[cell], listed) for cell in cells if (listed := _in_cell(with_signs(layout, cell)))]
    entries = [entry for _, listed in sorted(lists, key=lambda pair: pair[0][0]) for entry in listed]
    if not _are_level([box for box, _ in lists]):
        return []
    alone = [entry for cell in cells if (entry := _alone(with_signs(layout, cell)))]
    if not entries and _by_places(alone) >= _FEWEST:
        return [] if _has_half_read(block, alone) else _by_column(alone)
    in_rows = [entry for cell in cells if (entry := _in_row(block, cell))]
    if _by_places(in_rows) < _FEWEST:
        return entries if _by_places(entries) else []
    if entries or _has_lone_deviation(block, in_rows):
        return []
    in_rows.sort(key=lambda entry: -entry[1][0].middle[1])
    return [*in_rows, *_angles_under(block, [layout.cells[entry[1][0].cell] for entry in in_rows])]


def _alone(items: Sequence[Item]) -> _Entry | None:
    """The entry that a cell consists of: lists of lengths and of angles are ruled entry by entry."""
    text = tidy(joined(items))
    return (text, [*items]) if _ENTRY.fullmatch(text) and _STATED.search(text) else None


def _has_half_read(block: Block, entries: Sequence[_Entry]) -> bool:
    """Whether a cell that touches one of a list, and is as wide or as high, holds a sign of deviation, or of places, and is no entry."""
    layout = block.layout
    own = {item.cell for _, members in entries for item in members if item.source}
    return any(_PART.search(joined(with_signs(layout, cell))) is not None for cell in _in_line_with(own, layout))


def _in_line_with(own: Collection[int], layout: Layout) -> Iterator[int]:
    """The other cells with lettering that touch some cells and have one row or one column with them."""
    slack, boxes = _TOUCH * layout.diagonal, [layout.cells[cell] for cell in own]
    for cell in layout.inside:
        if cell not in own and any(_is_in_line(layout.cells[cell], box, slack) for box in boxes):
            yield cell


def _is_in_line(one: Box, other: Box, slack: float) -> bool:
    """Whether two cells touch and have one row or one column."""
    across, along = (max(one[axis], other[axis]) - min(one[axis + 2], other[axis + 2]) for axis in (0, 1))
    in_row, in_column = (max(abs(one[axis] - other[axis]), abs(one[axis + 2] - other[axis + 2])) for axis in (1, 0))
    return (in_row < slack and abs(across) < slack) or (in_column < slack and abs(along) < slack)


def _has_lone_deviation(block: Block, entries: Sequence[_Entry]) -> bool:
    """Whether the column of the deviations goes on over the first or under the last one with a deviation whose name was not read."""
    layout, slack = block.layout, _TOUCH * block.layout.diagonal
    own = {item.cell for _, members in entries for item in members}
    stated = [layout.cells[members[-1].cell] for _, members in entries]
    return any(
        cell not in own
        and max(abs(box[0] - at[0]), abs(box[2] - at[2])) < slack
        and min(abs(box[1] - at[3]), abs(box[3] - at[1])) < slack
        and _VALUE.fullmatch(tidy(joined(with_signs(layout, cell)))) is not None
        for cell, box in ((cell, layout.cells[cell]) for cell in layout.inside)
        for at in stated
    )


def _angles_under(block: Block, names: Sequence[Box]) -> list[_Entry]:
    """The entry of angles that ends the rows of a list, in a cell right under the last name that begins where it does."""
    layout, last = block.layout, min(names, key=lambda box: box[1])
    slack = _TOUCH * layout.diagonal
    for cell, items in layout.inside.items():
        box, text = layout.cells[cell], tidy(joined(items))
        below = abs(box[3] - last[1]) < slack and abs(box[0] - last[0]) < slack
        if below and _ANGLES.fullmatch(text) and _STATED.search(text):
            return [(text, list(items))]
    return []


def _are_level(boxes: Sequence[Box]) -> bool:
    """Whether cells stand side by side."""
    return not boxes or max(box[1] for box in boxes) < min(box[3] for box in boxes)


def _by_places(entries: Sequence[_Entry]) -> int:
    return sum(_OF_PLACES.match(text) is not None for text, _ in entries)


def _in_cell(items: Sequence[Item]) -> list[_Entry]:
    """The entries of a cell, column by column from the top, where there are enough of them."""
    lines = [line for row in rows(items) for line in _texts(row)]
    found = [
        (tidy(entry), members)
        for text, members in _by_column(lines)
        for entry in _ENTRY.findall(text)
        if _STATED.search(entry)
    ]
    return found if sum(map(_is_named_by_places, found)) >= _FEWEST and not _has_more(lines) else []


def _is_named_by_places(entry: _Entry) -> bool:
    return any(form.match(entry[0]) is not None for form in (_OF_PLACES, _OF_PLACES_OF_ANGLES))


def _has_more(lines: Sequence[_Entry]) -> bool:
    """Whether a deviation, or a name beside an entry, stands alone: a part of a list states less than it."""
    return any(
        _VALUE.fullmatch(tidy(text)) or (_ENTRY.search(text) and _LONE_NAME.search(_ENTRY.sub("", text)))
        for text, _ in lines
    )


def _texts(row: Sequence[Item]) -> Iterator[_Entry]:
    """The texts of a row where each holds whole entries, else the row as one text: drawn signs stand between its pieces."""
    written = [item for item in row if item.source]
    if all(_ENTRY.search(item.text) for item in written):
        yield from ((item.text, [item]) for item in written)
    else:
        yield joined(row), list(row)


def _by_column(lines: Sequence[_Entry]) -> list[_Entry]:
    """The lines with entries, column by column from the top."""
    entries = [line for line in lines if _ENTRY.search(line[0])]
    columns: list[float] = []
    for begin in sorted(members[0].box[0] for _, members in entries):
        if not columns or begin - columns[-1] > _COLUMN * entries[0][1][0].height:
            columns.append(begin)

    def place(entry: _Entry) -> tuple[int, float]:
        first = entry[1][0]
        return sum(begin <= first.box[0] for begin in columns), -first.middle[1]

    return sorted(entries, key=place)


def _in_row(block: Block, cell: int) -> _Entry | None:
    """The entry of a name alone in its cell and the deviation in the next cell."""
    layout = block.layout
    name = layout.inside[cell]
    if len(name) != 1 or _NAME.fullmatch(name[0].text.strip()) is None:
        return None
    for beside in layout.beside(cell):
        value = [item for row in rows(with_signs(layout, beside)) for item in row]
        text = tidy("".join(item.text.strip() for item in value))
        if _VALUE.fullmatch(text) and _STATED.search(text):
            return f"{name[0].text.strip()} {text}", [*name, *value]
    return None
