"""Title blocks that label nothing, or too little to be read by labels: the form and the size of each value tell what it is.

Glossary
  corner block  ruled cells side by side in a lower corner of the sheet, none of them large.
  formed        what its form alone tells: a ratio, a paper format, a date, a company's legal form.

A corner block counts where it states scale or paper and something else of a form. Names of persons stay unread: no form tells who
drew and who approved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.knowledge import title_labels
from spatial.knowledge.fields import can_be
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_form_sentence, is_template_text
from spatial.knowledge.value_forms import UNREAD, has_digit, paper_format, tidy
from spatial.models.sheet.drawing import Box
from spatial.models.sheet.extents import area_of
from spatial.understanding.sheet.title_block import company, values
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, is_labelled, joined, rows, sources
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.students import is_of_student

_CELL: Final = 0.05
"""Of the sheet: a larger cell is no cell of a corner block."""
_FOOT: Final = 0.4
"""Of the sheet's height, from its lower edge: where a corner block stands."""
_EDGE: Final = 0.09
"""Of the sheet's diagonal, from the sheet's lower side and from its left or right one to the block."""
_FAR_LARGER: Final = 1.6
"""The same where the block states one thing by form alone."""
_LEAST: Final = 2
"""Forms that a block without such a title states, and cells of one with a label of the sheet."""
_FEWEST: Final = 3
"""Cells of a corner block, and forms that one without a name states."""
_RULED: Final = 6
"""Cells of a form, lettered or not, that has nothing but its sheet and one name."""
_MOST: Final = 40
"""Cells with lettering that a corner block has."""
_SIDE: Final = 0.004
"""Of the sheet's diagonal, between the sides of two cells of one row or column."""
_ROWS: Final = 3
"""Fewest rows of a form that nobody filled in."""
_CLEAR: Final = 1.15
"""How much larger the title is lettered than what else could be one."""

_MONTH: Final = re.compile(rf"{alternatives('month')}[^\W\d_]{{0,7}}\.?[ ,.-]{{1,3}}(?:19|20)\d\d", re.IGNORECASE)
""" "Dec 2019"."""
_LABELLED_RATIO: Final = re.compile(r"[^\W\d_][^:\uff1a\d]{1,20}[:\uff1a]\s*(\d+\s*:\s*\d+)")
""" "Tỉ lệ: 1:2": a label in any language, and a ratio."""
_FORMS: Final = (*values.FORMS, ("units", values.is_unit))


@dataclass(frozen=True, slots=True)
class _Cell:
    items: list[Item]
    text: str
    box: Box

    @property
    def height(self) -> float:
        return max(item.height for item in self.items)


def readings(layout: Layout) -> list[FieldReading]:
    """What the likeliest corner block of `layout` states; nothing where none does."""
    found = [read for places in _groups(layout) if (read := _read(layout, places))]
    return max(found, key=len, default=[])


def _groups(layout: Layout) -> Iterator[list[int]]:
    """Places of the small cells that hang together in a lower corner."""
    sheet = layout.box
    largest = _CELL * area_of(sheet)
    foot = sheet[1] + _FOOT * (sheet[3] - sheet[1])
    places = [place for place, box in enumerate(layout.cells) if box[3] <= foot and area_of(box) < largest][
        : 10 * _MOST
    ]
    if len(places) < _LEAST:
        return
    boxes = np.array([layout.cells[place] for place in places])
    reach = 0.004 * layout.diagonal
    across = np.maximum(boxes[:, None, 0] - boxes[None, :, 2], boxes[None, :, 0] - boxes[:, None, 2])
    along = np.maximum(boxes[:, None, 1] - boxes[None, :, 3], boxes[None, :, 1] - boxes[:, None, 3])
    near, edge = np.maximum(across, along) <= reach, _EDGE * layout.diagonal
    left = np.ones(len(places), bool)
    while left.any():
        group = np.zeros(len(places), bool)
        group[int(np.argmax(left))] = True
        while not np.array_equal(wider := near[group].any(0), group):
            group = wider
        left &= ~group
        low, sides = (
            boxes[group, 1].min() - sheet[1],
            (boxes[group, 0].min() - sheet[0], sheet[2] - boxes[group, 2].max()),
        )
        if low < edge and min(sides) < edge:
            yield [place for place, own in zip(places, group, strict=True) if own]


def _lettered(layout: Layout, places: Sequence[int]) -> Iterator[_Cell]:
    """The cells with lettering that is no label."""
    for place in places:
        lines = layout.inside.get(place, ())
        items = [item for item in lines if not is_template_text(item.text) and not _is_label(item)]
        if items:
            yield _Cell(items, tidy(joined(items)), layout.cells[place])


def _is_label(item: Item) -> bool:
    """Whether it is a label of a field and nothing else."""
    return item.wording is not None and item.wording.is_field and not item.wording.value


def _read(layout: Layout, places: Sequence[int]) -> list[FieldReading]:
    cells = list(_lettered(layout, places))
    if owner := _owner_over_empty_rows(layout, places):
        return [owner]
    named = _labelled(layout, places)
    is_sole = len(places) >= _RULED and _has_sole_name(cells)
    if not (_LEAST if "sheet" in named or is_sole else _FEWEST) <= len(cells) <= _MOST:
        return []
    labels = sum(item.wording is not None for place in places for item in layout.inside.get(place, ()))
    found = dict(_formed(cells))
    found |= {"drawn_by": signed[0], "date": signed[1]} if (signed := _signed(cells)) and "date" not in found else {}
    lines = sum(is_labelled(cell.text) for cell in cells)
    is_sole = is_sole and "sheet" in found
    told = found.keys() & {"scale", "size", "drawn_by"} or "sheet" in named or ("sheet" in found and lines >= _LEAST)
    if not (told or is_sole) or (len(found) < _LEAST and not is_sole and not _is_headed(cells)):
        return []
    rest = [cell for cell in cells if cell not in found.values() and not is_form_sentence(cell.text)]
    if drafter := found.get("drawn_by"):
        # Below the row of who drew stand the owner and a course, a class or a postal box.
        rest = [cell for cell in rest if cell.box[1] > drafter.box[1] + 0.5 * (drafter.box[3] - drafter.box[1])]
    # Where others have labels, a number without one may be the part's.
    number = _number(rest) if labels <= 1 else None
    if number and "company" in found and is_of_student(_value("company", found["company"]), number.text):
        student, number = _name_over(layout, number, rest), None
        rest = [cell for cell in rest if cell is not student]
        found |= {"drawn_by": student} if student and "drawn_by" not in found else {}
    found |= {key: cell for key, cell in (("drawing_number", number), ("title", _title(rest))) if cell}
    if not found.keys() & {"drawing_number", "title"} and len(found) < _FEWEST:
        return []
    return [FieldReading(key, _value(key, cell), sources(cell.items), "typical place") for key, cell in found.items()]


def _name_over(layout: Layout, number: _Cell, cells: Sequence[_Cell]) -> _Cell | None:
    """The person's name in the cell right over that of the number that a student is registered under."""
    slack = _SIDE * layout.diagonal
    over = [
        cell
        for cell in cells
        if abs(cell.box[1] - number.box[3]) < slack
        and min(cell.box[2], number.box[2]) - max(cell.box[0], number.box[0]) > slack
        and can_be("drawn_by", cell.text)
        and not has_digit(cell.text)
    ]
    return over[0] if len(over) == 1 else None


def _owner_over_empty_rows(layout: Layout, places: Sequence[int]) -> FieldReading | None:
    """The company in the cell across the head of a form whose other rows are a label and an empty cell each: nobody filled it in."""
    slack = _SIDE * layout.diagonal
    top, *rest = sorted(places, key=lambda place: -layout.cells[place][3])
    head, labels = layout.cells[top], [place for place in rest if layout.inside.get(place)]
    empty = [layout.cells[place] for place in rest if not layout.inside.get(place)]
    if not layout.inside.get(top) or len(labels) < _ROWS or len(empty) != len(labels):
        return None
    in_rows = all(
        abs(box[0] - head[0]) < slack
        and any(
            max(abs(other[1] - box[1]), abs(other[3] - box[3]), abs(other[0] - box[2]), abs(other[2] - head[2])) < slack
            for other in empty
        )
        for box in (layout.cells[place] for place in labels)
    )
    return company.reading(layout.inside[top]) if in_rows else None


def _labelled(layout: Layout, places: Sequence[int]) -> set[str]:
    """The fields that labels of these cells name."""
    items = (item for place in places for item in layout.inside.get(place, ()))
    return {item.wording.key for item in items if item.wording is not None and _is_label(item)}


def _is_headed(cells: Sequence[_Cell]) -> bool:
    """Whether one name is lettered far larger than all else in the block: a scale beside it is the sheet's, and no gear's."""
    named = sorted(cells, key=lambda cell: -cell.height)
    return named[0].height > _FAR_LARGER * named[1].height and _title([named[0]]) is not None


def _has_sole_name(cells: Sequence[_Cell]) -> bool:
    """Whether one cell alone has words: in a form that only numbers its sheet beside it, the name is the title."""
    worded = [cell for cell in cells if any(sign.isalpha() for sign in cell.text)]
    return len(worded) == 1 and _title(worded) is not None


def _formed(cells: Sequence[_Cell]) -> Iterator[tuple[str, _Cell]]:
    """The only cell of each form; of two ratios or two dates none is known to be the sheet's."""
    holders: dict[str, list[_Cell]] = {}
    for cell in cells:
        key = next((key for key, has in _FORMS if has(_value(key, cell))), None)
        if key:
            holders.setdefault(key, []).append(cell)
    if "company" not in holders:
        holders["company"] = [cell for cell in cells if company.reading(cell.items) is not None]
    yield from ((key, own[0]) for key, own in holders.items() if len(own) == 1)


def _signed(cells: Sequence[_Cell]) -> tuple[_Cell, _Cell] | None:
    """The name and the only month with a year, in cells of one row side by side: who drew, and when."""
    dates = [cell for cell in cells if _MONTH.fullmatch(cell.text)]
    if len(dates) != 1:
        return None
    date, box = dates[0], dates[0].box
    slack = 0.1 * (box[3] - box[1])
    names = [
        cell
        for cell in cells
        if max(abs(cell.box[2] - box[0]), abs(cell.box[1] - box[1]), abs(cell.box[3] - box[3])) < slack
        and len(cell.text.split()) > 1
        and can_be("drawn_by", cell.text)
        and not has_digit(cell.text)
    ]
    return (names[0], date) if len(names) == 1 else None


def _value(key: str, cell: _Cell) -> str:
    """Its text; of a company's cell the line with the name, without the address."""
    if key == "size":
        return paper_format(cell.text) or cell.text
    if key == "scale" and (labelled := _LABELLED_RATIO.fullmatch(cell.text)):
        return labelled[1]
    if key == "company":
        if (owner := company.reading(cell.items)) is not None:
            return owner.value
        lines = (tidy(" ".join(item.text for item in row)) for row in rows(cell.items))
        return next((line for line in lines if values.is_company(line)), cell.text)
    return cell.text


def _number(cells: Sequence[_Cell]) -> _Cell | None:
    fit = [cell for cell in cells if values.is_document_number(cell.text) and not is_labelled(cell.text)]
    return _tallest(fit)


def _title(cells: Sequence[_Cell]) -> _Cell | None:
    """The name that is lettered clearly larger than all others; none where that one has letters that were not read."""
    fit = [cell for cell in cells if UNREAD in cell.text or _can_be_title(cell.text)]
    tallest = _tallest(fit)
    return tallest if tallest and UNREAD not in tallest.text else None


def _can_be_title(text: str) -> bool:
    named = can_be("title", text) and len(text.split()) <= 10
    return named and not (values.is_document_number(text) or is_labelled(text) or title_labels.is_numbered(text))


def _tallest(cells: Sequence[_Cell]) -> _Cell | None:
    """The one that is lettered clearly larger than the others."""
    ranked = sorted(cells, key=lambda cell: -cell.height)
    if not ranked or (len(ranked) > 1 and ranked[0].height < _CLEAR * ranked[1].height):
        return None
    return ranked[0]
