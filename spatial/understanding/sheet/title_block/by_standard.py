"""Values in the cells of a standard's own form, which need no label there: the material under the title (GOST 2.104)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from spatial.knowledge.fields import can_be
from spatial.knowledge.phrases import has_placeholder, is_template_text
from spatial.knowledge.standard_forms import FORMS, Cell, StandardForm
from spatial.knowledge.title_labels import DOCUMENT_KINDS, SHEET_COUNT, folded, is_label
from spatial.knowledge.value_forms import has_digit, is_decimal, paper_format, tidy
from spatial.models.sheet.drawing import Array
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, is_labelled, joined, sources
from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.values import is_company, is_document_number, is_material

_FEWEST: Final = 5
"""Labels of a form that must stand where the form has them."""
_ASIDE: Final = 4.0
"""Millimetres of the form by which a label may stand beside the middle of its cell: drafters set it to the left."""
_FITTING: Final = 0.7
"""Part of the labels of the form that must stand where the form has them."""
_DRAWN: Final = 0.75
"""Part of the cells of a form that are drawn where the form has them, whatever words stand in them."""
_OFF: Final = 0.8
"""Millimetres of the form by which a side of a cell may be drawn off its place."""
_MOST_CELLS: Final = 3000
"""Cells of a sheet that are compared with those of forms."""
_QUOTED: Final = re.compile(r"[\u201c\"\u300c]([^\u201c\u201d\"\u300c\u300d]{2,20})[\u201d\"\u300d]")
_NUMBER: Final = re.compile(r"(?<!\d)\d{1,4}$")
_SHORTEST: Final = 3
"""Letters and figures of a drawing's number; "2 件" are two pieces."""
_NUMBERED: Final = ("sheet", SHEET_COUNT)
"""Fields whose number may stand behind the words of the cell: `of Sheets 1`."""

_MOST_WORDS: Final = 4
"""Of a drawing's number."""
_OF_ONE_STANDARD: Final = frozenset({"drawing_number", "material"})
"""Fields whose cells hold the building and a mark by GOST R 21.101, in a form that is drawn alike."""


def readings(block: Block) -> Iterator[FieldReading]:
    """What the cells of the form hold that `block` is drawn by; nothing where it is drawn by none that is known."""
    for form in FORMS:
        placed = _place(block, form) or _place_of_cells(block.layout, form)
        if placed is None:
            continue
        held = {key: _held(block, cell, *placed) for key, cell in form.fields.items()}
        held = _named_by_number(held) if form.names_part else held
        kinds: dict[str, list[Item]] = {}
        for key, cell in form.instead.items():
            if folded(joined(held[key])) in DOCUMENT_KINDS and (items := _held(block, cell, *placed)):
                kinds[key], held[key] = held[key], items
        # With prose in the place of the number the form is filled in by another standard: the site there, a mark under the title.
        other = len(joined(held.get("drawing_number", ())).split()) > _MOST_WORDS
        if other:
            held |= {"project": held["drawing_number"], "part_number": held.get("material", [])}
        for key, items in held.items():
            text = tidy(joined(items))
            if key in _NUMBERED:
                number = _NUMBER.search(text)
                text = number.group() if number else ""
            signs = sum(map(str.isalnum, text))
            numbered = paper_format(text) is None and not is_decimal(text) and signs >= _SHORTEST
            told = numbered if key == "drawing_number" else can_be(key, text)
            told &= key != "part_number" or not is_material(text)
            told &= key != "drawing_number" or not _is_name_again(form, text, tidy(joined(held.get("title", ()))))
            # A drafter who leaves the owner's cell empty states other things in it, each under a label.
            told &= key != "company" or not any(is_labelled(item.text) for item in items)
            if not items or not told or (other and key in _OF_ONE_STANDARD):
                continue
            if not (is_template_text(text) or has_placeholder(text) or _is_quoted_label(text)):
                ids = (*sources(kinds.get(key, ())), *sources(items))
                yield FieldReading(_key_of(key, text), text, ids, "typical place")
        return


def _is_name_again(form: StandardForm, text: str, name: str) -> bool:
    """Whether `text` is the name once more, or its first words where programs fill in what the part's file is called: no number."""
    begun = text.casefold().split()
    return not has_digit(text) and (
        text == name or (form.names_part and name.casefold().split()[: len(begun)] == begun)
    )


def _key_of(key: str, text: str) -> str:
    """A site that is a company's is whom the drawing was made for."""
    return "customer" if key == "project" and is_company(text) else key


def _held(block: Block, cell: Cell, scale: float, corner: Array) -> list[Item]:
    """What stands in a cell of the form besides labels."""
    return [item for item in block.layout.items if item.wording is None and _holds(cell, item, scale, corner)]


def _named_by_number(held: dict[str, list[Item]]) -> dict[str, list[Item]]:
    """`held`, words in the number's cell as the title where the title's holds a number or nothing: a program names a part's file there."""
    number, title = held.get("drawing_number", []), held.get("title", [])
    is_name = not is_document_number(joined(number)) if title else not has_digit(joined(number))
    if not number or not is_name or (title and not is_document_number(joined(title))):
        return held
    return held | {"title": number, "drawing_number": title}


def _is_quoted_label(text: str) -> bool:
    """Whether a label stands in quotation marks: the place of a field that the template names."""
    return any(is_label(part) for part in _QUOTED.findall(text))


def _place(block: Block, form: StandardForm) -> tuple[float, Array] | None:
    """Sheet units of a millimetre of the form, and (2,) its lower left corner; None where `block` is not this form."""
    phrases = Counter(folded(label.text) for label in block.labels)
    known = [
        (form.labels[phrase], label)
        for label in block.labels
        if (phrase := folded(label.text)) in form.labels and phrases[phrase] == 1
    ]
    there = np.array([_middle(cell) for cell, _ in known]).reshape(-1, 2)
    here = np.array([_middle_of(label, block) for _, label in known]).reshape(-1, 2)
    least = max(_FEWEST, math.ceil(_FITTING * len(known)))
    while len(there) >= least:
        fitted = _fit(there, here)
        if fitted is None:
            return None
        scale, corner, beside = fitted
        worst = int(np.argmax(beside))
        if beside[worst] < _ASIDE * scale:
            whole = len(there) == len(known)
            return (scale, corner) if whole or _are_drawn(block.layout, form, scale, corner) else None
        # Templates move a word or two of the standard's form to other cells.
        there, here = np.delete(there, worst, axis=0), np.delete(here, worst, axis=0)
    return None


def _are_drawn(layout: Layout, form: StandardForm, scale: float, corner: Array) -> bool:
    """Whether the cells of the fields of the form are drawn where it has them, but for one or two."""
    boxes = np.array(layout.cells[:_MOST_CELLS], float).reshape(-1, 4)
    cells = np.tile(corner, 2) + scale * np.array(sorted(form.fields.values()))
    off = np.abs(cells[:, None] - boxes[None]).max(axis=2).min(axis=1) if len(boxes) else np.array([np.inf])
    return bool((off < 2 * _OFF * scale).mean() >= _DRAWN)


def _fit(there: Array, here: Array) -> tuple[float, Array, Array] | None:
    """Scale and corner by which points of a form fall on those of the sheet, and (n,) how far each lies beside; None without a scale.

    there, here: (n, 2), millimetres of the form and sheet units.
    """
    middle, centre = there.mean(axis=0), here.mean(axis=0)
    spread = float(((there - middle) ** 2).sum())
    scale = float(((there - middle) * (here - centre)).sum()) / spread if spread else 0.0
    if scale <= 0.0:
        return None
    corner = centre - scale * middle
    return scale, corner, np.abs(here - corner - scale * there).max(axis=1)


def _place_of_cells(layout: Layout, form: StandardForm) -> tuple[float, Array] | None:
    """The same, told by the cells that are drawn; None where fewer than _DRAWN of them are."""
    boxes = np.array(layout.cells[:_MOST_CELLS], float).reshape(-1, 4)
    cells = np.array(sorted({*form.labels.values(), *form.fields.values()}))
    anchor = np.array(form.fields["title"])
    width, height = (anchor[2:] - anchor[:2]).tolist()
    wide, high = (boxes[:, 2:] - boxes[:, :2]).T
    best, found = 0.0, None
    for place in np.flatnonzero(np.abs(wide * height - high * width) < _OFF * (wide + high)).tolist():
        scale = float(wide[place] / width)
        if scale <= 0.0:
            continue
        corner = boxes[place, :2] - scale * anchor[:2]
        there = np.tile(corner, 2) + scale * cells
        left, bottom, right, top = np.abs(there.T[:, :, None] - boxes.T[:, None])
        off = np.maximum(np.maximum(left, bottom), np.maximum(right, top)).min(axis=1)
        drawn = float((off < _OFF * scale).mean())
        if drawn > max(best, _DRAWN):
            best, found = drawn, (scale, corner)
    return found


def _middle(cell: Cell) -> tuple[float, float]:
    return (cell[0] + cell[2]) / 2, (cell[1] + cell[3]) / 2


def _middle_of(label: Item, block: Block) -> tuple[float, float]:
    """Of the label's cell where no other label stands in it, else of the label."""
    alone = label.cell >= 0 and sum(item.wording is not None for item in block.layout.inside.get(label.cell, ())) == 1
    return _middle(block.layout.cells[label.cell]) if alone else label.middle


def _holds(cell: Cell, item: Item, scale: float, corner: Array) -> bool:
    """Whether the middle of `item` lies in a cell of the form."""
    x, y = ((np.array(item.middle) - corner) / scale).tolist()
    return bool(cell[0] < x < cell[2] and cell[1] < y < cell[3])


def without(known: Sequence[FieldReading], found: Sequence[FieldReading]) -> list[FieldReading]:
    """Those of `found` whose field and texts are not of `known`."""
    keys = {reading.key for reading in known}
    taken = {source for reading in known for source in reading.sources}
    return [each for each in found if each.key not in keys and not set(each.sources) & taken]
