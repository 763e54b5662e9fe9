"""Fields of a title block whose labels no vocabulary knows: told by the structure of the form, reported under the label as printed.

Glossary
  pair  a label and its value (`pairs`).
  form  small cells that hang together in a corner of the sheet and hold several pairs: a block in a language that is not known.

A pair counts where other labels of the block, known or not, are lettered as its own: a form has one lettering for all labels. What its form
tells (a scale, a paper format, `1 of 2`, a general tolerance) is named; of a form also its date.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.fields import ROLES, can_be
from spatial.knowledge.value_forms import FILE_NAME, has_digit, paper_format, tidy
from spatial.models.sheet.drawing import Array, Box, Flags, Indices
from spatial.models.sheet.extents import area_of, box_around
from spatial.understanding.sheet.title_block.addresses import is_address_alone
from spatial.understanding.sheet.title_block.blocks import SMALL_CELL, Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, is_bulleted, joined, rows, sources
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.names import is_code
from spatial.understanding.sheet.title_block.pairs import ALIKE, SMALLER, TOUCH, Pair, lone_labels, same_span
from spatial.understanding.sheet.title_block.place_tolerances import names_places
from spatial.understanding.sheet.title_block.properties import field_pairs
from spatial.understanding.sheet.title_block.tolerance_box import listed_items, listing_cells, tolerances, with_signs
from spatial.understanding.sheet.title_block.values import (
    form_of,
    is_assigned,
    is_company,
    is_document_number,
    is_material,
    is_unit,
)

_FELLOWS: Final = 2
"""Other labels of the block that are lettered as a head is."""
_NEAR: Final = 1.4
"""Height of the largest label of a block, by that of the next largest."""
_EDGE: Final = 0.12
"""Of the sheet's diagonal, from a corner of the sheet to the form in it, along both sides; or from one of all ruled cells."""
_LARGER: Final = 4
"""Area of the box around all ruled cells, of a sheet that does not fill its page, by that of the form in its corner."""
_FEWEST: Final = 4
"""Pairs of a form in which no label is known."""
_LEAST, _MANY_LABELS = 2, 6
"""Pairs of such a form that has cells with a label alone, and its labels, of cells and pairs together."""
_SHORTEST_UNIT: Final = 4
"""Letters of the unit at the end of a sentence: "DIMENSIONS ARE IN" ends with no unit."""
_DASHES: Final = ("-", "\u2013", "=")
"""Signs between a sentence and the symbol of the unit."""
_SENTENCE: Final = 3
"""Words of a sentence that ends with a unit."""
_DEVIATION: Final = re.compile(r"±\s*[.,]?\d|[+]\s*(?:[.,]\d|\d{1,2}(?!\d))")
_LABELLED_DEVIATION: Final = re.compile(
    r"[^\W\d_][^:\uff1a]{1,24}[:\uff1a]\s*(?:±|\+\s*[.,]?\d[\d.,]*\s*/?\s*-)\s*[.,]?\d[\d.,]*\s*°?"
)
""" "LINEAR: +0.1/-0.1"."""
_CLEAR: Final = 1.15
"""How much larger a title is lettered than what else stands in the block."""
_ROOMY, SMALLEST_TITLE = 1.8, 0.95
"""Area of a title's cell by that of the next largest of a pair, and its lettering by the largest, where lettering does not tell."""
_LEAST_ROOM: Final = 0.95
"""The same by that of the largest empty field, where its lettering tells."""
_TITLE_WORD: Final = re.compile(r"[^\W\d_]{4}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
_ASSIGNED: Final = re.compile(r"[A-Z]{0,5}\d{2,}[-._/][\w.-]+|[A-Z]{1,5}[-._]?\d{3,}[\w.-]*")
_NUMBER_LARGER: Final = 1.2
"""How much larger than its label the drawing's number is lettered."""
_FOOT: Final = 0.06
"""Of the sheet's height, from its lower edge: the frame's margin."""
_MOST_CELLS: Final = 600
_OF_A_SHEET: Final = frozenset({"scale", "size", "sheet", "date", "tolerances"})
"""Keys of which a form states one at least; what states none is a table of properties, a legend, a list of files."""


_MARKED: Final = re.compile(r"\d{1,2}[.)]\s?[^\W\d]")
"""How a line of a list of notes begins."""
_VALUE: Final = re.compile(r"[:\uff1a]\s*\d[\d.,]*\s*±\s*\d")
"""A property with its own deviation, which says nothing of other sizes: `Travel: 3.2 ±0.25mm`."""


@dataclass(frozen=True, slots=True)
class PrintedField:
    """A label as it is printed, and its value."""

    label: str
    value: str
    sources: tuple[str, ...]
    """Of the label, then of the value."""


@dataclass(frozen=True, slots=True)
class Form:
    """A block without a known label."""

    fields: tuple[PrintedField, ...]
    named: tuple[FieldReading, ...]
    """What the form of a value names."""
    lettering: frozenset[str]
    """Ids of all that stands in its cells."""


def printed_fields(block: Block, used: Collection[str]) -> list[PrintedField]:
    """The fields of the block that nothing names; a label that stands twice is left out.

    used: ids of texts that belong to other fields.
    """
    return _once(_counting(field_pairs(block.layout, _cells_of(block), used), block.labels))


def _cells_of(block: Block) -> list[int]:
    """The small cells that hang together with those of the labels of `block`, sought once."""
    starts = [label.cell for label in block.labels if label.cell >= 0]
    if starts != block.connected[0]:
        block.connected = starts, _hanging_together(block.layout, _small(block.layout), starts)
    return block.connected[1]


def told_by_form(block: Block, used: Collection[str]) -> list[FieldReading]:
    """What form and place name among the labels of no known word in a block with other labels, and what no label names.

    The title, the list of a tolerance box, the paper format under the frame, who drew the sheet, its number, its unit and its date.

    used: ids of texts that belong to other fields.
    """
    cells = _cells_of(block)
    pairs = list(_counting(field_pairs(block.layout, cells, used), block.labels))
    found = (
        _title(block.layout, cells, [pair for pair in pairs if not _is_role(pair, block)]),
        _tolerances(block.layout, cells, used),
        _paper(block.layout),
        _drafter(pairs),
        _number(pairs),
        _unit([item for cell in cells for item in block.layout.inside.get(cell, ())]),
        _dated(pairs),
    )
    return [reading for reading in found if reading is not None]


def _is_role(pair: Pair, block: Block) -> bool:
    """Whether its label stands in a column of cells with two known roles: its value is a person too."""
    layout, reach = block.layout, TOUCH * block.layout.diagonal
    own = layout.cells[pair.head.cell] if pair.head.cell >= 0 else None
    roles = [label for label in block.labels if label.cell >= 0 and label.wording and label.wording.key in ROLES]
    return own is not None and sum(same_span(layout.cells[label.cell], own, 0, reach) for label in roles) > 1


def _title(layout: Layout, cells: Sequence[int], pairs: Sequence[Pair]) -> FieldReading | None:
    found = _title_pair(layout, cells, pairs)
    return FieldReading("title", found.value, found.sources, "typical place", True) if found else None


def _title_pair(layout: Layout, cells: Sequence[int], pairs: Sequence[Pair]) -> Pair | None:
    """The pair whose value is the title: lettered clearly larger than all else in the block, or alone in the largest cell of the pairs."""
    fit = [pair for pair in pairs if _could_be_title(pair)]
    if not fit:
        return None
    best = max(fit, key=_height)
    own = {id(item) for item in best.items} | {id(best.head)}
    others = [
        item.height
        for cell in cells
        for item in layout.inside.get(cell, ())
        if id(item) not in own and form_of(tidy(item.text)) is None
    ]
    if _height(best) > _CLEAR * max(others, default=0.0):
        # An empty field with more room may be the title's: numbers are often lettered as large.
        empty = [area_of(layout.cells[label.cell]) for label in lone_labels(layout, cells)]
        return best if _room(layout, best) > _LEAST_ROOM * max(empty, default=0.0) else None
    by_room = sorted(fit, key=lambda pair: -_room(layout, pair))
    rooms = sorted((_room(layout, pair) for pair in pairs if pair is not by_room[0]), reverse=True)
    even = _height(by_room[0]) > SMALLEST_TITLE * max((_height(pair) for pair in pairs), default=0.0)
    return by_room[0] if rooms and even and _room(layout, by_room[0]) > _ROOMY * rooms[0] else None


def _could_be_title(pair: Pair) -> bool:
    return (
        can_be("title", pair.value)
        and not set(pair.value) & set(":\uff1a")
        and _TITLE_WORD.search(pair.value) is not None
        and not is_code(pair.value)
        and not (pair.date or FILE_NAME.fullmatch(pair.value) or form_of(pair.value))
        and not (is_document_number(pair.value) or is_assigned(pair.value))
        and not (is_company(pair.value) or is_material(pair.value))
    )


def _height(pair: Pair) -> float:
    return max(item.height for item in pair.items)


def _room(layout: Layout, pair: Pair) -> float:
    """Area of the cell of a value."""
    return area_of(layout.cells[pair.items[0].cell]) if pair.items[0].cell >= 0 else 0.0


def find_form(layout: Layout) -> Form | None:
    """The fullest form in a corner of the sheet; None where there is none."""
    found = [form for cells in _groups(layout) if (form := _form(layout, cells))]
    return max(found, key=lambda form: len(form.fields) + len(form.named), default=None)


def named(fields: Sequence[PrintedField], known: Collection[str]) -> dict[str, PrintedField]:
    """Those of `fields` whose value has the form of a key that is not `known` and that no other field has."""
    found: dict[str, list[PrintedField]] = {}
    for field in fields:
        if key := form_of(field.value):
            found.setdefault(key, []).append(field)
    return {key: own[0] for key, own in found.items() if key not in known and len({each.value for each in own}) == 1}


def _form(layout: Layout, cells: Sequence[int]) -> Form | None:
    lone = lone_labels(layout, cells)
    pairs = list(_counting(field_pairs(layout, cells), lone))
    fields = _once(pairs)
    labels = len(lone) + len(fields)
    if len(fields) < _FEWEST and (len(fields) < _LEAST or labels < _MANY_LABELS):
        return None
    if not _is_in_corner(
        layout, box_around([layout.cells[item.cell] for pair in pairs for item in (pair.head, *pair.items)])
    ):
        return None
    by_key = named(fields, ())
    readings = [FieldReading(key, field.value, field.sources, "typical place") for key, field in by_key.items()]
    items = [item for cell in cells for item in layout.inside.get(cell, ())]
    further = (
        _date(pairs, items),
        _unit(items),
        _tolerances(layout, cells, frozenset()),
        _paper(layout) or _alone(layout, cells, "size"),
        _alone(layout, cells, "scale"),
        _drafter(pairs),
        _number(pairs),
        _title(layout, cells, pairs),
    )
    readings += [read for read in further if read is not None and read.key not in by_key]
    if not any(reading.key in _OF_A_SHEET for reading in readings):
        return None
    told = {source for reading in readings for source in reading.sources}
    rest = tuple(field for field in fields if not told >= set(field.sources))
    return Form(rest, tuple(readings), frozenset(item.source for item in items))


def _date(pairs: Sequence[Pair], items: Sequence[Item]) -> FieldReading | None:
    """The only date of a form, however often it stands there."""
    alone = [item for item in items if form_of(item.text.strip()) == "date"]
    dates = {item.text.strip(): item.source for item in alone} | {
        pair.date: pair.sources[-1]
        for pair in pairs
        if pair.date and pair.date not in {item.text.strip() for item in alone}
    }
    if len(dates) != 1:
        return None
    date, source = next(iter(dates.items()))
    return FieldReading("date", date, (source,), "typical place")


def _dated(pairs: Sequence[Pair]) -> FieldReading | None:
    """The value of the only label of which a word says that it is a date: "ISSUED DATE", "FECHA DE EMISIÓN"."""
    found = [
        pair
        for pair in pairs
        if can_be("date", pair.value)
        and any((word := title_labels.read(part)) is not None and word.key == "date" for part in pair.label.split())
    ]
    return FieldReading("date", found[0].value, found[0].sources, "typical place", True) if len(found) == 1 else None


def _unit(items: Sequence[Item]) -> FieldReading | None:
    """The unit at the end of the only sentence that ends with one; with its symbol where both stand there: Milímetros (mm)."""
    found = [
        (" ".join(words[-2:] if is_unit(words[-2]) and words[-1][:1] in "([" else words[-1:]), item.source)
        for item in items
        if len(words := item.text.strip().rstrip(".").split()) >= _SENTENCE
        and is_unit(words[-1])
        and (len(words[-1]) >= _SHORTEST_UNIT or words[-2] in _DASHES)
        and not (has_digit(item.text) or is_bulleted(item.text))
    ]
    return FieldReading("units", found[0][0], (found[0][1],), "typical place") if len(found) == 1 else None


def _tolerances(layout: Layout, cells: Sequence[int], used: Collection[str]) -> FieldReading | None:
    """The list of the only cell that holds several deviations, or one behind a label: a tolerance box."""
    found = [(cell, lines) for cell in cells if (lines := _deviations(layout, cell, used))]
    if not found:
        return None
    first, stating = max(found, key=lambda each: layout.cells[each[0]][3])
    box = listing_cells(layout, first)
    if not all(cell in box for cell, _ in found):
        return None
    listed = [item for cell in box for item in listed_items(layout, cell)]
    text = tidy(joined(stating[0]))
    if len(stating) == 1 and ":" not in text and not names_places(text) and (sign := _DEVIATION.search(text)):
        return FieldReading("tolerances", text[sign.start() :], sources(stating[0]), "typical place")
    value = tolerances(listed)
    is_list = value and not is_address_alone(value)
    return FieldReading("tolerances", value, sources(listed), "typical place") if is_list else None


def _deviations(layout: Layout, cell: int, used: Collection[str]) -> list[list[Item]]:
    """The lines of a cell that state deviations, where they are several or a label stands before the only one."""
    lines = [row for row in rows(with_signs(layout, cell)) if not any(item.source in used for item in row)]
    texts = [joined(row).strip() for row in lines]
    if sum(_MARKED.match(text) is not None for text in texts) > 1 or any(map(_VALUE.search, texts)):
        return []
    stating = [(row, len(_DEVIATION.findall(joined(row)))) for row in lines if _DEVIATION.search(joined(row))]
    labelled = any(_LABELLED_DEVIATION.fullmatch(joined(row).strip()) for row, _ in stating)
    return [row for row, _ in stating] if labelled or sum(count for _, count in stating) > 1 else []


def _paper(layout: Layout) -> FieldReading | None:
    """The paper format under the frame, alone or behind a word or two (GOST 2.104): "Format A3"."""
    foot = layout.box[1] + _FOOT * (layout.box[3] - layout.box[1])
    low = [item for item in layout.items if item.middle[1] < foot]
    found = [(size, item.source) for item in low if (size := _last_size(item.text))]
    # ISO 5457, 4.5: the designation of the size stands alone in the border.
    found = found or [(size, item.source) for item in low if item.cell < 0 and (size := paper_format(item.text))]
    return FieldReading("size", found[0][0], (found[0][1],), "typical place") if len(found) == 1 else None


def _alone(layout: Layout, cells: Sequence[int], key: str) -> FieldReading | None:
    """What has the form of `key` and a cell to itself; nothing where several cells have."""
    held = [items for cell in cells if (items := layout.inside.get(cell, [])) and form_of(tidy(joined(items))) == key]
    return FieldReading(key, tidy(joined(held[0])), sources(held[0]), "typical place") if len(held) == 1 else None


def _drafter(pairs: Sequence[Pair]) -> FieldReading | None:
    """The name in the first row of a label column, with a date in the row: who drew the sheet."""
    first = next((pair for pair in pairs if pair.is_first_of_column), None)
    if first is None or not first.date or not can_be("drawn_by", first.value) or has_digit(first.value):
        return None
    return FieldReading("drawn_by", first.value, first.sources, "typical place", True)


def _number(pairs: Sequence[Pair]) -> FieldReading | None:
    """The only value that is a number as companies assign them, with letters or separators among its digits: the drawing's."""
    found = [pair for pair in pairs if is_document_number(pair.value) and _ASSIGNED.fullmatch(pair.value)]
    found = [pair for pair in found if form_of(pair.value) is None]
    if len(found) != 1 or _height(found[0]) < _NUMBER_LARGER * found[0].head.height:
        return None
    return FieldReading("drawing_number", found[0].value, found[0].sources, "typical place", True)


def _last_size(text: str) -> str | None:
    words = text.split()
    return (paper_format(text) or paper_format(words[-1])) if 1 < len(words) <= _SENTENCE else None


def _counting(pairs: Sequence[Pair], labels: Sequence[Item]) -> Iterator[Pair]:
    """The pairs whose label is lettered as others of the block, ends with a colon as others do, or stands in the cell of its value.

    The last where the block has several others: the title's label is often lettered somewhat larger than those of small cells.
    """
    heights = [label.height for label in labels] + [pair.head.height for pair in pairs]
    colons = sum(pair.has_colon for pair in pairs)
    sure = [
        max(
            sum(ALIKE[0] <= pair.head.height / max(height, 1e-9) <= ALIKE[1] for height in heights),
            colons if pair.has_colon else 0,
        )
        > _FELLOWS
        for pair in pairs
    ]
    known = [pair.head.height for pair, counts in zip(pairs, sure, strict=True) if counts]
    for pair, counts in zip(pairs, sure, strict=True):
        if counts or (len(known) > _FELLOWS and _is_head_of_cell(pair) and pair.head.height < _NEAR * max(known)):
            yield pair


def _is_head_of_cell(pair: Pair) -> bool:
    """Whether a label stands over its larger value in one cell."""
    return (
        pair.head.cell >= 0
        and all(item.cell == pair.head.cell and item.box[1] < pair.head.box[1] for item in pair.items)
        and pair.head.height < SMALLER * min(item.height for item in pair.items)
    )


def _once(pairs: Iterable[Pair]) -> list[PrintedField]:
    found: dict[str, PrintedField] = {}
    twice: set[str] = set()
    for pair in pairs:
        if pair.label in found:
            twice.add(pair.label)
        found[pair.label] = PrintedField(pair.label, pair.value, pair.sources)
    return [field for label, field in found.items() if label not in twice]


def _small(layout: Layout) -> list[int]:
    """Places of the cells that are no drawing space."""
    largest = SMALL_CELL * area_of(layout.box)
    return [place for place, box in enumerate(layout.cells) if area_of(box) < largest]


def _hanging_together(layout: Layout, small: Sequence[int], starts: Sequence[int]) -> list[int]:
    """Those of the cells `small` that are reached from `starts` over shared sides."""
    places = {cell: place for place, cell in enumerate(small)}
    reached = _neighbours(layout, small).reached_from([places[cell] for cell in starts if cell in places])
    return [small[place] for place in reached]


def _neighbours(layout: Layout, cells: Sequence[int]) -> _Neighbours:
    boxes = np.array([layout.cells[cell] for cell in cells], float).reshape(-1, 4)
    return _Neighbours(boxes, TOUCH * layout.diagonal)


class _Neighbours:
    """Cells by the sides that they share, which are sought among those that are level with each other, or in one column."""

    def __init__(self, boxes: Array, reach: float) -> None:
        """`boxes`: (n, 4); reach: how far from each other sides may be that are one."""
        self._boxes, self._reach = boxes, reach
        self._orders = [np.argsort(boxes[:, axis], kind="stable") for axis in (0, 1)]
        self._begins = [boxes[order, axis] for axis, order in enumerate(self._orders)]
        self._longest = (boxes[:, 2:] - boxes[:, :2]).max(axis=0, initial=0.0) + self._reach

    def reached_from(self, starts: Sequence[int]) -> list[int]:
        """Places of the cells that are reached from `starts` over shared sides, in order."""
        reached, waiting = set(starts), list(starts)
        while waiting:
            beside = set(self._beside(waiting.pop())) - reached
            reached |= beside
            waiting += beside
        return sorted(reached)

    def _beside(self, place: int) -> list[int]:
        own = self._boxes[place]
        near = min((self._near(own, axis) for axis in (0, 1)), key=len)
        found: list[int] = near[_sharing_a_side(own, self._boxes[near], self._reach)].tolist()
        return found

    def _near(self, own: Array, axis: int) -> Indices:
        """Places of the cells that may meet a box along one axis."""
        begins = self._begins[axis]
        first = np.searchsorted(begins, own[axis] - self._longest[axis], side="left")
        return self._orders[axis][first : np.searchsorted(begins, own[axis + 2] + self._reach, side="right")]


def _sharing_a_side(own: Array, boxes: Array, reach: float) -> Flags:
    across, along = np.maximum(boxes[:, :2] - own[2:], own[:2] - boxes[:, 2:]).T
    # Cells that share a side overlap along it; at a corner they only meet.
    return np.asarray((across <= reach) & (along <= reach) & ((across < -reach) | (along < -reach)))


def _groups(layout: Layout) -> Iterator[list[int]]:
    """Small cells that hang together."""
    small = _small(layout)[: 8 * _MOST_CELLS]
    neighbours, grouped = _neighbours(layout, small), set[int]()
    for place in range(len(small)):
        if place not in grouped:
            places = neighbours.reached_from([place])
            grouped.update(places)
            if _LEAST <= len(places) <= _MOST_CELLS:
                yield [small[each] for each in places]


def _is_in_corner(layout: Layout, box: Box) -> bool:
    """Whether `box` lies in a corner of the sheet, or of all ruled cells where the sheet does not fill its page."""
    ruled = box_around(layout.cells)
    frames = [layout.box, *([ruled] if area_of(ruled) > _LARGER * area_of(box) else [])]
    edge = _EDGE * layout.diagonal
    return any(
        min(box[0] - frame[0], frame[2] - box[2]) < edge and min(box[1] - frame[1], frame[3] - box[3]) < edge
        for frame in frames
    )
