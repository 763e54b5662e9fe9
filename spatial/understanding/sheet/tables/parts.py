"""What makes a table a list of parts, or of documents, by its rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from spatial.knowledge.table_headers import is_weak_bom, label
from spatial.knowledge.table_kinds import BOM_COLUMNS
from spatial.knowledge.value_forms import has_digit, has_letter
from spatial.understanding.sheet.tables.found_table import Entry, FoundTable, Row, key_column, meanings

_FEWEST_COUNTED: Final = 3
"""Rows that count up or down."""
_USED: Final = 0.85
"""Part of the numbers up to the last that rows have, at least."""
_PART_HEADINGS: Final = frozenset({"quantity", "material"})
"""What a column of parts holds and one of pins, steps or points does not."""
_NOT_OF_DOCUMENTS: Final = frozenset({"quantity", "material", "weight"})
_PERSONS: Final = frozenset({"by", "approved"})
"""Who made a change or agreed to it."""
_LETTER: Final = re.compile(r"[A-Za-z]\d?")
_DECIMAL: Final = re.compile(r"\d*[.,]\d+")
_SIZE: Final = re.compile(r"[ØøΦ⌀RM]?\d+(?:[.,]\d+)?")
_DASHED: Final = re.compile(r"[-\s]+")
_STEM: Final = 4
"""Fewest characters of the number that variants share."""
_NUMBERED: Final = re.compile(r"\d{1,5}")


def counting_column(rows: Sequence[Row]) -> int | None:
    """Place of the column that numbers the rows of a parts list in any language: 1, 2, 3 up or down, and words beside it in each.

    Numbers of parts that were taken out may be missing.
    """
    for place in range(len(rows[0]) if rows else 0):
        marks = [row[place].text for row in rows]
        filled = [mark for mark in marks if mark]
        if len(filled) < _FEWEST_COUNTED or not all(_NUMBERED.fullmatch(mark) for mark in filled):
            continue
        numbers = [int(mark) for mark in filled]
        up = sorted(set(numbers))
        counts = up[0] == 1 and len(up) >= _USED * up[-1] and numbers in (up, up[::-1])
        worded = any(
            all(has_letter(row[other].text) for row in rows) for other in range(len(rows[0])) if other != place
        )
        if counts and worded:
            return place
    return None


def are_parts(heads: Sequence[Entry], rows: Sequence[Row]) -> bool:
    """Whether `rows` count parts and a heading is one that a parts list has: how many, or of what."""
    known = meanings(heads)
    return counting_column(rows) is not None and any(
        meaning & _PART_HEADINGS and meaning <= BOM_COLUMNS for meaning in known
    )


def are_made_of(found: FoundTable) -> bool:
    """Whether several rows say of each thing what it is made of, and nothing is left out: a list of parts without a number or a count."""
    of_material = any("material" in meaning for meaning in meanings(found.heads))
    return of_material and len(found.rows) >= _FEWEST_COUNTED and all(each.text for row in found.rows for each in row)


def are_listed(found: FoundTable) -> bool:
    """Whether a bill is one: a single row under `Part name, Material, Quantity, Scale` is a title block."""
    key = key_column(found.heads, found.kind)
    whole = sum(sum(bool(each.text) for each in row) > 1 for row in found.rows)
    known = meanings(found.heads)
    if found.is_titled:
        return True
    if _sizes(found) > 1 or _records_changes(known) or are_variants(found):
        return False
    if any(label(head.text) == "title block" and not meaning for head, meaning in zip(found.heads, known, strict=True)):
        return key is not None and whole > 1
    return whole > 1 or (key is not None and not is_weak_bom(known))


def _records_changes(known: Sequence[frozenset[str]]) -> bool:
    """Whether columns say when and by whom, and none how many: a change or a signature has these, a part has not."""
    held = [meaning for meaning in known if meaning and not meaning & _PART_HEADINGS]
    dated = [meaning for meaning in held if "date" in meaning]
    signed = [meaning for meaning in held if meaning <= _PERSONS]
    return bool(dated and signed) and len(held) == sum(map(bool, known))


def are_variants(found: FoundTable) -> bool:
    """Whether the rows are forms of one part, numbered by what follows its number (ASME Y14.24, tabulated drawing): 6368062-1, 6368062-2.

    A list of parts says of each how many there are, or counts its rows.
    """
    known = meanings(found.heads)
    if len(found.rows) < _FEWEST_COUNTED or any(meaning & {"item", "quantity"} for meaning in known):
        return False
    numbered = (place for place, meaning in enumerate(known) if "part_number" in meaning)
    return any(_share_stem([row[place].text for row in found.rows]) for place in numbered)


def _share_stem(numbers: Sequence[str]) -> bool:
    """Whether all `numbers` have a part between their dashes in common that is a number by itself, and differ."""
    parts = [set(_DASHED.split(number)) for number in numbers]
    common = [part for part in set.intersection(*parts) if len(part) >= _STEM and has_digit(part)]
    return bool(common) and len(set(numbers)) == len(numbers)


def _sizes(found: FoundTable) -> int:
    """Columns headed by one letter with a size in each row: sizes of the variants of one part (ISO 129-1, tabular).

    Where a column says how many, parts may have a length and a width in whole numbers.
    """
    counted = any("quantity" in meaning for meaning in meanings(found.heads))
    form = _DECIMAL if counted else _SIZE
    return sum(
        _LETTER.fullmatch(head.text.rsplit("/")[-1].strip()) is not None
        and all(form.fullmatch(row[place].text.strip()) for row in found.rows)
        for place, head in enumerate(found.heads)
    )


def are_documents(found: FoundTable) -> bool:
    """Whether a table of documents is one: several rows, each with its document, and none of what parts have."""
    known = meanings(found.heads)
    named = [place for place, meaning in enumerate(known) if "document" in meaning]
    return (
        len(found.rows) > 1
        and not any(meaning and meaning <= _NOT_OF_DOCUMENTS for meaning in known)
        and all(any(row[place].text for place in named) for row in found.rows)
    )
