"""Tables whose rows are block references: each carries its cells as attributes, and the blocks stand one over the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from spatial.knowledge.table_headers import concepts, kinds
from spatial.models.sheet.drawing import Text
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.orientation import quarter, turned
from spatial.understanding.sheet.tables.check import first_table
from spatial.understanding.sheet.tables.found_table import (
    Entry,
    FoundTable,
    Row,
    ascending,
    can_be_row,
    entry,
    key_column,
    meanings,
)

_NUMBERED: Final = re.compile(r"(.*?[A-Za-z])[_\- ]?(\d{1,2})(?:[_\-]([A-Za-z]+))?")
_MOST_BLOCKS: Final = 5000
"""Block references of a sheet that are compared."""
_ALIGNED: Final = 10.0
"""Letter heights between the left ends of blocks that are rows of one table: attributes are placed by hand."""
_CONFIDENCE: Final = 0.85
"""Tags name the columns, but no rule and no heading confirms them."""


def find(texts: Sequence[Text], claimed: frozenset[str]) -> list[FoundTable]:
    """Tables of one sheet among attributes that are not `claimed`."""
    blocks: dict[str, list[Text]] = defaultdict(list)
    for text in texts:
        if text.kind == "attrib" and text.tag and text.owner and text.id not in claimed:
            blocks[text.owner].append(text)
    alike: dict[tuple[str, ...], list[list[Text]]] = defaultdict(list)
    for block in list(blocks.values())[:_MOST_BLOCKS]:
        alike[tuple(str(text.tag) for text in block)].append(block)
    stacked = [found for tags, same in alike.items() if (found := _stacked(tags, same))]
    used = {name for found in stacked for name in found.sources}
    inner = [found for block in blocks.values() if not used & {t.id for t in block} for found in _inner(block)]
    return stacked + inner


def _stacked(tags: tuple[str, ...], blocks: list[list[Text]]) -> FoundTable | None:
    """Blocks of one kind in a column, each a row."""
    if len(tags) < 2 or len(set(tags)) < len(tags):
        return None
    angle = quarter(blocks[0])
    lefts = [turned((*block[0].origin, *block[0].origin), angle)[0] for block in blocks]
    if max(lefts) - min(lefts) > _ALIGNED * max(text.height for text in blocks[0]):
        return None
    rows = sorted(blocks, key=lambda block: -turned((*block[0].origin, *block[0].origin), angle)[1])
    return _table(tags, [{str(text.tag): text for text in block} for block in rows])


def _inner(block: list[Text]) -> list[FoundTable]:
    """Rows inside one block, told apart by the numbers of their tags: REV1, DATE1, REV2, DATE2."""
    rows: dict[int, dict[str, Text]] = defaultdict(dict)
    for text in block:
        match = _NUMBERED.fullmatch(str(text.tag))
        if match:
            rows[int(match[2])].setdefault(match[1] + (f" {match[3]}" if match[3] else ""), text)
    columns = tuple(dict.fromkeys(name for row in rows.values() for name in row if concepts(_heading_of(name))))
    found = _table(columns, [row for _, row in sorted(rows.items())]) if len(rows) > 1 and len(columns) > 1 else None
    return [found] if found else []


def _heading_of(tag: str) -> str:
    return tag.replace("_", " ").strip()


def _table(tags: Sequence[str], rows: Sequence[Mapping[str, Text]]) -> FoundTable | None:
    heads = [Entry(_heading_of(tag)) for tag in tags]
    texts = [text for row in rows for text in row.values() if text.text.strip()]
    return first_table(kinds(meanings(heads)), lambda name: _of_kind(name, tags, heads, rows, texts)) if texts else None


def _of_kind(
    name: str, tags: Sequence[str], heads: list[Entry], rows: Sequence[Mapping[str, Text]], texts: Sequence[Text]
) -> FoundTable:
    key = key_column(heads, name)
    read: list[Row] = [
        [entry([row[tag]]) if tag in row and row[tag].text.strip() else Entry() for tag in tags] for row in rows
    ]
    read = [row for row in read if any(each.text for each in row) and can_be_row(row, heads, name, key)]
    box = box_around([text.box for text in texts])
    return FoundTable(texts[0].page, name, heads, ascending(read, key), _CONFIDENCE, box)
