"""General tolerances as a ruled table of ranges of size, anywhere on the sheet, in any language: `6 to 30 | ±0.2`.

The table is told by its body: deviations in one column or row, and beside each the sizes that it holds for, where each range
begins with the size that the one before ends with (ISO 2768-1, table 1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from spatial.contract.drawing import TitleBlock
from spatial.knowledge.general_tolerances import CLASSES
from spatial.knowledge.value_forms import tidy
from spatial.understanding.sheet.cells.grid import Cell, Grid

_DEVIATION: Final = re.compile(r"±\s?\d*[.,]?\d+\s?(?:mm|°)?(?:\s?\d*['′])?")
_SIZE: Final = re.compile(r"\d+(?:[.,]\d+)?")
_FEWEST: Final = 2
"""Ranges that go on with the one before."""
_LONGEST: Final = 40
"""Characters of a range."""
_CLASSES: Final = frozenset(CLASSES)
"""Letters of the classes of ISO 2768-1."""
_CONFIDENCE: Final = 0.9


@dataclass(frozen=True, slots=True)
class _Entry:
    name: Cell
    deviation: Cell

    @property
    def sizes(self) -> list[float]:
        """The bounds that its name states."""
        return [float(number.replace(",", ".")) for number in _SIZE.findall(self.name.text)]

    @property
    def text(self) -> str:
        return f"{tidy(self.name.text)} {tidy(self.deviation.text)}"


@dataclass(frozen=True, slots=True)
class Ranges:
    """A table of deviations by ranges of size."""

    page: int
    text: str
    sources: tuple[str, ...]
    """Of its entries."""
    lettering: frozenset[str]
    """Its headings too."""
    name: str = ""
    """What stands in the cell before its rows: what its sizes are of."""
    rows: tuple[int, int] = (0, 0)
    """Of its entries in the table."""


def find_ranges(grids: Iterable[Grid]) -> Ranges | None:
    """The only such table; None where there is none, or several that say different things and no names."""
    seen = [(grid, ranges) for grid in grids if (ranges := list(_of_grid(grid)))]
    found = [each for _, ranges in seen for each in ranges]
    if len({each.text for each in found}) == 1:
        return found[0]
    return _of_several(*seen[0]) if len(seen) == 1 else None


def _of_several(grid: Grid, found: Sequence[Ranges]) -> Ranges | None:
    """Rows of ranges of one table, each behind its name, and the class that holds for all of them where a cell over all rows has one."""
    if len(found) < _FEWEST or not all(each.name for each in found) or len({each.name for each in found}) < len(found):
        return None
    said = [f"{each.name}: {each.text}" for each in found]
    first, last = min(each.rows[0] for each in found), max(each.rows[1] for each in found)
    classes = [
        cell for cell in grid.cells if tidy(cell.text) in _CLASSES and cell.rows[0] <= first and cell.rows[1] >= last
    ]
    said = [tidy(cell.text) for cell in classes[:1]] + said
    sources = [source for each in found for source in each.sources]
    sources += [text.id for cell in classes[:1] for text in cell.texts]
    lettering = frozenset(sources).union(*(each.lettering for each in found))
    return Ranges(found[0].page, "; ".join(said), tuple(dict.fromkeys(sources)), lettering)


def with_ranges(block: TitleBlock, ranges: Ranges | None) -> TitleBlock:
    """`block` with the tolerances that a table beside it states, where nothing in the block does."""
    if ranges is None or "tolerances" in block.fields or (block.model_extra or {}).get("page") != ranges.page:
        return block
    further = block.model_extra or {}
    return block.model_copy(
        update={
            "fields": block.fields | {"tolerances": ranges.text},
            "sources": block.sources | {"tolerances": list(ranges.sources)},
            "confidences": further["confidences"] | {"tolerances": _CONFIDENCE},
            "evidence": further["evidence"] | {"tolerances": "typical place"},
        }
    )


def _of_grid(grid: Grid) -> Iterator[Ranges]:
    filled = [cell for cell in grid.cells if cell.texts]
    deviations = [cell for cell in filled if _DEVIATION.fullmatch(tidy(cell.text))]
    for beside in (_left_of, _above):
        entries = [_Entry(names[0], cell) for cell in deviations if len(names := list(beside(cell, filled))) == 1]
        for run in _runs(entries, by_rows=beside is _left_of):
            heads = _heads(run, filled, by_rows=beside is _left_of)
            sources = [text.id for each in run for cell in (each.name, each.deviation) for text in cell.texts]
            said = "; ".join(each.text for each in run)
            lettering = frozenset(sources) | {text.id for cell in heads for text in cell.texts}
            names = [] if beside is _left_of else _names_before(run[0], filled)
            lettering |= {text.id for cell in names for text in cell.texts}
            name = tidy(names[0].text) if len(names) == 1 else ""
            rows = (
                min(run[0].name.rows[0], run[0].deviation.rows[0]),
                max(run[0].name.rows[1], run[0].deviation.rows[1]),
            )
            yield Ranges(grid.page, said, tuple(dict.fromkeys(sources)), lettering, name, rows)


def _names_before(entry: _Entry, cells: Sequence[Cell]) -> list[Cell]:
    """The cell as high as a row of sizes and the row of their deviations, right before the first ones."""
    low, high = min(entry.name.rows[0], entry.deviation.rows[0]), max(entry.name.rows[1], entry.deviation.rows[1])
    return [each for each in cells if each.rows == (low, high) and each.columns[1] == entry.name.columns[0]]


def _left_of(cell: Cell, cells: Sequence[Cell]) -> Iterator[Cell]:
    return (each for each in cells if each.rows == cell.rows and each.columns[1] == cell.columns[0])


def _above(cell: Cell, cells: Sequence[Cell]) -> Iterator[Cell]:
    return (each for each in cells if each.columns == cell.columns and each.rows[1] == cell.rows[0])


def _runs(entries: Sequence[_Entry], *, by_rows: bool) -> Iterator[list[_Entry]]:
    """Entries one after the other whose ranges go on with each other, with an angle at their end."""

    def place(entry: _Entry) -> tuple[int, int]:
        rows, columns = entry.deviation.rows, entry.deviation.columns
        return (columns[0], rows[0]) if by_rows else (rows[0], columns[0])

    ordered = sorted(entries, key=place)
    starts = [
        0,
        *(at + 1 for at, pair in enumerate(pairwise(ordered)) if not _touch(*pair, by_rows=by_rows)),
        len(ordered),
    ]
    for start, end in pairwise(starts):
        run = ordered[start:end]
        if sum(_goes_on(first, second) for first, second in pairwise(run)) >= _FEWEST and all(map(_is_entry, run)):
            yield run


def _touch(first: _Entry, second: _Entry, *, by_rows: bool) -> bool:
    one, other = first.deviation, second.deviation
    if by_rows:
        return one.columns == other.columns and one.rows[1] == other.rows[0]
    return one.rows == other.rows and one.columns[1] == other.columns[0]


def _goes_on(first: _Entry, second: _Entry) -> bool:
    before, after = first.sizes, second.sizes
    return bool(before) and len(after) > 1 and before[-1] == after[0] < after[-1]


def _is_entry(entry: _Entry) -> bool:
    """Whether it is a range of sizes, or words with a deviation of angles."""
    return len(entry.name.text) <= _LONGEST and (bool(entry.sizes) or "°" in entry.deviation.text)


def _heads(run: Sequence[_Entry], cells: Sequence[Cell], *, by_rows: bool) -> list[Cell]:
    """The cells over the columns of a run, or before its rows."""
    first, within = run[0], (run[0].name, run[0].deviation)
    if by_rows:
        left, right = first.name.columns[0], first.deviation.columns[1]
        return [
            each for each in cells
            if each.rows[1] == first.name.rows[0] and left <= each.columns[0] and each.columns[1] <= right
        ]  # fmt: skip
    return [
        each for each in cells if any(each.rows == own.rows and each.columns[1] == own.columns[0] for own in within)
    ]
