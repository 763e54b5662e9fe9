"""Tables of properties: rows of a name and a quantity, which stand against a title block and are none of its fields."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from spatial.understanding.sheet.title_block.layout import Layout
from spatial.understanding.sheet.title_block.pairs import Pair, find_pairs
from spatial.understanding.sheet.title_block.values import form_of

_QUANTITY: Final = re.compile(
    r"[<>≤≥=~≈±+-]{0,2}\s*\d[\d.,]*\s?(?:%|°\s?[CF]?|[^\W\d_]{1,4}(?:/[^\W\d_]{1,3})?)?(?:\s*(?:[~–…\[]|to\b).*)?"
)
"""A number with its sign and unit, or a range of such; 830-00011 is a document's number."""
_DEVIATION: Final = re.compile(r"[±+-]\s*[\d.,]+\s*[^\W\d_°'%]{0,2}[°'%]?.{0,6}")
_FEWEST: Final = 4
"""Rows of a table of properties."""
_MOST: Final = 0.6
"""Part of the rows of one column that state a quantity where it is such a table."""


def field_pairs(layout: Layout, cells: Sequence[int], used: Collection[str] = frozenset()) -> list[Pair]:
    """The labels with their values in `cells`, without rows of tables of properties and tolerances, and halves of a text in brackets.

    used: ids of texts that belong to other fields.
    """
    pairs = find_pairs(layout, cells, used)
    tables = {id(pair) for pair in pairs if _is_table([other for other in pairs if _is_below(pair, other)])}
    return [
        pair
        for pair in pairs
        if id(pair) not in tables
        and _DEVIATION.fullmatch(pair.value) is None
        and _is_whole(pair.label)
        and _is_whole(pair.value)
    ]


def _is_below(pair: Pair, other: Pair) -> bool:
    """Whether two labels begin at one place of their rows, in one lettering."""
    h = pair.head.height
    return abs(pair.head.box[0] - other.head.box[0]) < 0.5 * h and abs(pair.head.height - other.head.height) < 0.1 * h


def _is_table(column: Sequence[Pair]) -> bool:
    stated = sum(_QUANTITY.fullmatch(pair.value) is not None and form_of(pair.value) is None for pair in column)
    return len(column) >= _FEWEST and stated > _MOST * len(column)


def _is_whole(text: str) -> bool:
    """Whether every bracket that opens in `text` closes in it."""
    return all(text.count(opening) == text.count(closing) for opening, closing in ("()", "[]"))
