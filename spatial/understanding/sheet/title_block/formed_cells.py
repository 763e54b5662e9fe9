"""Values of cells without a label that their form tells: A3, 1:2, ISO 2768-m, a material, a company, the name of a project."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.value_forms import GENERAL_TOLERANCE, VERSION, has_letter, paper_format, tidy
from spatial.understanding.sheet.title_block import company, values
from spatial.understanding.sheet.title_block.blocks import Block
from spatial.understanding.sheet.title_block.field_reading import FieldReading
from spatial.understanding.sheet.title_block.items import Item, joined, rows, sources
from spatial.understanding.sheet.title_block.names import is_in_list

_RATIO: Final = re.compile(r"\(?\d+(?:[.,]\d+)?\s*[:\uff1a]\s*\d+(?:[.,]\d+)?\)?")


def formed(block: Block, free: Sequence[Sequence[Item]], valued: Collection[str]) -> Iterator[FieldReading]:
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
        elif (_RATIO.fullmatch(text) or values.is_no_scale(text)) and "scale" not in valued:
            yield FieldReading("scale", text, ids, "typical place")
        elif "tolerances" not in valued and (stated := _general_tolerance(items)):
            yield stated
        elif "material" not in valued and values.is_material(text) and not values.is_company(text):
            yield FieldReading("material", text, ids, "typical place")
        elif "company" not in valued and (owner := company.reading(items)):
            yield owner


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


def _sheet_and_size(items: Sequence[Item]) -> tuple[str, str] | None:
    """ "1" over "A4": the corner of Inventor's DIN block."""
    lines = [tidy(" ".join(item.text for item in row)) for row in rows(items)]
    if len(lines) != 2 or not re.fullmatch(r"\d{1,3}", lines[0]):
        return None
    size = paper_format(lines[1])
    return (lines[0], size) if size else None


def projects(free: Sequence[Sequence[Item]]) -> Iterator[FieldReading]:
    """The only line over or under a company in its cell that begins with the word for a project before a name: "Projekt Tarnow"."""
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
