"""Tables in ruled cells: a header of known words and rows whose cells stand under, or over, its columns."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, takewhile
from typing import Final, Literal

from spatial.knowledge.table_headers import concepts, is_title_block_label, kind_of_title, kinds
from spatial.knowledge.table_kinds import CHANGE_COLUMNS
from spatial.knowledge.value_forms import has_digit
from spatial.models.sheet.drawing import Text
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.grid import Cell, Grid
from spatial.understanding.sheet.cells.orientation import turned
from spatial.understanding.sheet.tables.changes import are_changes
from spatial.understanding.sheet.tables.check import first_table
from spatial.understanding.sheet.tables.crossed_cells import whole_cells
from spatial.understanding.sheet.tables.found_table import (
    Entry,
    FoundTable,
    Row,
    ascending,
    can_be_row,
    entry,
    is_continuation,
    joined_row,
    key_column,
    meanings,
    repeats_header,
    without_unfilled,
)
from spatial.understanding.sheet.tables.margin_strips import without_strips
from spatial.understanding.sheet.tables.parts import are_parts, counting_column
from spatial.understanding.sheet.tables.row_splitting import split_rows

Way = Literal["down", "up"]

_WAYS: Final[tuple[Way, ...]] = ("down", "up")
_MOST_HEADERS: Final = 60
"""Runs of cells of one grid and direction that are tried as headers."""
_MOST_COLUMNS: Final = 40
"""Columns of a table."""
_COVERED: Final = 0.5
"""Part of a table's width that the cells of a row take at least; what is narrower stands beside the table."""
_SAME_WIDTH: Final = 3.0
"""Slacks of the grid by which a column of a continuation may be wider or narrower."""
_ADJOINING: Final = 4.0
"""Slacks of the grid between two cells that are neighbours: two rules may be drawn for one."""
_NEAREST_SIDES: Final = 6
"""Rules about the far side of a band that are compared with it."""
_FEWEST_COLUMNS: Final = 3
"""Columns that a name stands over."""
_LARGER: Final = 1.1
"""How much larger than the table such a name is lettered."""
_INDENT: Final = 0.6
"""Letter heights between the left ends of two lines of one name."""
_FEWEST_HEADLESS: Final = 3
"""Figures of a column whose head is not between rule lines."""
_UNEVEN: Final = 1.5
"""How much higher than another a cell is that is not of one row of changes with it."""
_OF_GROUP: Final = " / "
"""Between the head of a group of columns and that of one of them; each of both says what the column holds."""
_FIGURES: Final = re.compile(r"\d+(?:[.,]\d+)?")
_EMPTY: Final = 3
"""Columns behind the word for a sum that have nothing: how many and of what are a part's."""
_CHANGE_CELLS: Final = (3, 8)
"""Columns of a table of changes that its rows tell."""
_CONFIDENCE: Final = 0.97
"""Of a ruled table whose columns are all known."""
_UNKNOWN: Final = 0.15
"""What is taken from it where no column is known, in proportion for some."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """A grid's cells by the place of their upper and of their lower side."""

    grid: Grid
    by_top: dict[int, list[Cell]]
    by_bottom: dict[int, list[Cell]]
    tops: list[int]
    """In order, as those below."""
    bottoms: list[int]


def _plan_of(grid: Grid) -> _Plan:
    by_top, by_bottom = _by(grid, 0), _by(grid, 1)
    return _Plan(grid, by_top, by_bottom, sorted(by_top), sorted(by_bottom))


def find(grid: Grid) -> list[FoundTable]:
    """Tables of `grid`, each cell used once; those with most to say first."""
    plan = _plan_of(grid)
    runs = [(without_strips(plan.grid, run), way) for way in _WAYS for run in islice(_runs(plan, way), _MOST_HEADERS)]
    runs += [(wider, way) for run, way in runs if (wider := _widened(plan, run, way))]
    runs += [(parted, way) for run, way in runs if (parted := _parted(plan, run, way))]
    candidates = [found for run, way in runs if (found := _table(plan, run, way))]
    changes = [(run, way) for way in _WAYS for run in islice(_bands(plan, way), _MOST_HEADERS)]
    candidates += [found for run, way in changes if (found := _table(plan, run, way, by_body=True))]
    chosen: list[FoundTable] = []
    taken: set[str] = set()
    for found in sorted(candidates, key=lambda each: (-each.filled, -each.confidence)):
        used = set(found.sources)
        if not used & taken:
            chosen.append(found)
            taken |= used
    return chosen


def body(grid: Grid, borders: Sequence[float]) -> Iterator[list[Cell]]:
    """Bands of cells of `grid` that stand between exactly these column rules, counted from the leftmost rule; from the top."""
    plan = _plan_of(grid)
    wide = [right - left for left, right in pairwise(borders)]
    for _, band in sorted(plan.by_top.items()):
        for start in range(len(band) - len(wide) + 1):
            cells = band[start : start + len(wide)]
            boxes = [turned(cell.box, grid.angle) for cell in cells]
            if all(
                abs(box[2] - box[0] - size) <= _SAME_WIDTH * grid.slack for box, size in zip(boxes, wide, strict=True)
            ):
                yield cells
                break


def _by(grid: Grid, side: int) -> dict[int, list[Cell]]:
    found: dict[int, list[Cell]] = defaultdict(list)
    for cell in grid.cells:
        found[cell.rows[side]].append(cell)
    for cells in found.values():
        cells.sort(key=lambda cell: cell.columns[0])
    return found


def _runs(plan: _Plan, way: Way) -> Iterator[list[Cell]]:
    """Neighbouring cells in a line that may be a header, whole and cut to its known words."""
    for band in (plan.by_bottom if way == "down" else plan.by_top).values():
        known = [bool(cell.texts) and bool(concepts(cell.text)) for cell in band]
        if sum(known) < 2:
            continue
        start = 0
        for place in range(1, len(band) + 1):
            if place == len(band) or not _adjoin(plan.grid, band[place - 1], band[place]):
                run, marks = band[start:place], known[start:place]
                start = place
                if sum(marks) >= 2:
                    yield from _cuts(run, marks)


def _adjoin(grid: Grid, left: Cell, right: Cell) -> bool:
    return abs(turned(right.box, grid.angle)[0] - turned(left.box, grid.angle)[2]) <= _ADJOINING * grid.slack


def _cuts(run: list[Cell], known: list[bool]) -> Iterator[list[Cell]]:
    """The whole run, the run without nameless cells at its ends, and from the first known word to the last.

    A run with a label such as `Scale` stays whole: it heads the values of a title block, unless its known words are those of changes.
    """
    spans = {(0, len(run)), _trim([bool(cell.texts) for cell in run])}
    first, last = _trim(known)
    if not any(is_title_block_label(cell.text) for cell in run) or _head_changes(run[first:last]):
        spans.add((first, last))
    for start, end in sorted(spans):
        if 2 <= end - start <= _MOST_COLUMNS:
            yield run[start:end]


def _head_changes(run: Sequence[Cell]) -> bool:
    """Whether each cell heads something of a change, what was changed among it: the block that stands beside has no part in it."""
    known = [concepts(cell.text) for cell in run]
    held = frozenset().union(*known)
    return {"revision", "change", "date"} <= held and all(meaning & CHANGE_COLUMNS for meaning in known)


def _widened(plan: _Plan, header: list[Cell], way: Way) -> list[Cell]:
    """A header with a cell for the column behind its last one, which rows have and no head, as a side of it is not drawn; empty of none."""
    last = header[-1]
    if any(
        cell.columns[0] == last.columns[1] and cell.rows[1] > last.rows[0] and cell.rows[0] < last.rows[1]
        for cell in plan.grid.cells
    ):
        return []
    beyond = [cell for cell in plan.grid.cells if cell.columns == last.columns and cell is not last]
    if way == "down":
        under = sorted((cell for cell in beyond if cell.rows[0] >= last.rows[1]), key=lambda cell: cell.rows[0])
    else:
        under = sorted((cell for cell in beyond if cell.rows[1] <= last.rows[0]), key=lambda cell: -cell.rows[1])
    at = {cell.rows: cell for cell in plan.grid.cells if cell.columns[0] == last.columns[1]}
    own = [at[cell.rows] for cell in takewhile(lambda cell: cell.rows in at, under)]
    if len({cell.columns for cell in own}) != 1 or sum(has_digit(cell.text) for cell in own) < _FEWEST_HEADLESS:
        return []
    _, low, _, high = turned(last.box, plan.grid.angle)
    left, _, right, _ = turned(own[0].box, plan.grid.angle)
    box = (left, low, right, high)
    return [*header, Cell(turned(box, (360 - plan.grid.angle) % 360), last.rows, own[0].columns)]


def _parted(plan: _Plan, header: Sequence[Cell], way: Way) -> list[Cell]:
    """A header whose cell has the heads of several columns, as the rule between them is not drawn, cut as its rows are; empty of none."""
    parts = [part for cell in header for part in _parts(plan, cell, way)]
    return parts if len(parts) > len(header) else []


def _parts(plan: _Plan, cell: Cell, way: Way) -> list[Cell]:
    """A cell cut where the cells of the next row are, where each of those has one text of it over it; else the cell itself."""
    beyond = plan.by_top.get(cell.rows[1], ()) if way == "down" else plan.by_bottom.get(cell.rows[0], ())
    under = [each for each in beyond if cell.columns[0] <= each.columns[0] and each.columns[1] <= cell.columns[1]]
    if len(under) < 2 or len(under) != len(cell.texts):
        return [cell]
    _, low, _, high = turned(cell.box, plan.grid.angle)
    parts = []
    for each in under:
        left, _, right, _ = turned(each.box, plan.grid.angle)
        own = [
            text for text, box in zip(cell.texts, (turned(text.box, plan.grid.angle) for text in cell.texts), strict=True)
            if left <= box[0] and box[2] <= right
        ]  # fmt: skip
        box = turned((left, low, right, high), (360 - plan.grid.angle) % 360)
        parts.append(Cell(box, cell.rows, each.columns, own))
    return parts if all(len(part.texts) == 1 for part in parts) else [cell]


def _trim(marks: list[bool]) -> tuple[int, int]:
    return marks.index(True), len(marks) - marks[::-1].index(True)


def _bands(plan: _Plan, way: Way) -> Iterator[list[Cell]]:
    """Neighbouring cells in a line, each with words and no figures, that may head changes although hardly a word is known."""
    for band in (plan.by_bottom if way == "down" else plan.by_top).values():
        start = 0
        for place in range(1, len(band) + 1):
            if place == len(band) or not _adjoin(plan.grid, band[place - 1], band[place]):
                run, start = band[start:place], place
                worded = all(cell.texts and not has_digit(cell.text) for cell in run)
                if _CHANGE_CELLS[0] <= len(run) <= _CHANGE_CELLS[1] and worded:
                    yield run


def _table(plan: _Plan, header: list[Cell], way: Way, *, by_body: bool = False) -> FoundTable | None:
    heads = [_head(plan, header, cell) for cell in header]
    title = _title(plan, header, way)
    names = kinds(meanings(heads), title.text)
    if not names and by_body:
        rows, _ = _rows(plan, header, heads, "revisions", way)
        names = ["revisions"] if are_changes(heads, rows) else ["bom"] if are_parts(heads, rows) else []
    found = first_table(names, lambda name: _of_kind(plan, header, heads, title, name, way))
    return None if found is None else _without_sum(found)


def _head(plan: _Plan, header: Sequence[Cell], cell: Cell) -> Entry:
    """What heads a column: its own cell, behind the one over it that several columns share: `WEIGHT / EACH`."""
    top = min(each.rows[0] for each in header)
    shared = [
        over
        for over in plan.by_bottom.get(cell.rows[0], ())
        if over.rows[0] >= top and _is_over(over, cell) and sum(_is_over(over, each) for each in header) > 1
    ]
    own = entry(cell.texts)
    if not shared or kind_of_title(shared[0].text):
        return own
    group = entry(shared[0].texts)
    return Entry(_OF_GROUP.join(filter(None, (group.text, own.text))), (*group.sources, *own.sources))


def _is_over(group: Cell, cell: Cell) -> bool:
    return group.columns[0] <= cell.columns[0] and cell.columns[1] <= group.columns[1]


def _of_kind(plan: _Plan, header: list[Cell], heads: list[Entry], title: Entry, name: str, way: Way) -> FoundTable:
    rows, cells = _rows(plan, header, heads, name, way)
    box = box_around([cell.box for cell in (*header, *cells)])
    known = sum(bool(concepts(head.text)) for head in heads)
    confidence = _CONFIDENCE - _UNKNOWN * (1 - known / len(heads))
    boxes = [turned(cell.box, plan.grid.angle) for cell in header]
    borders = (*(each[0] for each in boxes), boxes[-1][2])
    key = key_column(heads, name)
    whole = len(rows)
    rows = without_unfilled(rows, key) if name == "revisions" else rows
    foreseen = whole - len(rows)
    rows = ascending(rows, counting_column(rows) if key is None else key)
    confidence = round(confidence, 3)
    return FoundTable(
        plan.grid.page, name, heads, rows, confidence, box, title, borders, plan.grid.angle, foreseen=foreseen
    )


def _title(plan: _Plan, header: list[Cell], way: Way) -> Entry:
    """A cell right over or under the header that spans all of it and says what table it is."""
    first, last = header[0].columns[0], header[-1].columns[1]
    over = min(cell.rows[0] for cell in header)
    under = max(cell.rows[1] for cell in header)
    for cell in [*plan.by_bottom.get(over, []), *plan.by_top.get(under, [])]:
        if cell.texts and cell.columns[0] <= first and cell.columns[1] >= last and kind_of_title(cell.text):
            return entry(cell.texts)
    return Entry()


def _rows(plan: _Plan, header: list[Cell], heads: list[Entry], name: str, way: Way) -> tuple[list[Row], list[Cell]]:
    """Rows from the header outwards until a band of cells no longer stands in its columns."""
    starts = {cell.columns[0]: place for place, cell in enumerate(header)}
    ends = {cell.columns[1]: place for place, cell in enumerate(header)}
    key = key_column(heads, name)
    at = max(cell.rows[1] for cell in header) if way == "down" else min(cell.rows[0] for cell in header)
    side = plan.by_top if way == "down" else plan.by_bottom
    rows: list[Row] = []
    used: list[Cell] = []
    last: list[Cell] = []
    spanning: list[Cell] = []
    highest = _highest(header)
    seen: set[int] = set()
    for _ in range(len(side)):
        at = _next_row(plan, header, last or header, at, way)
        band = _between(side.get(at, []), header)
        if band:
            beyond = max(cell.rows[1] for cell in band) if way == "down" else min(cell.rows[0] for cell in band)
            band = whole_cells(band, header, _between(side.get(beyond, []), header))
        if not band or any(cell.columns[0] not in starts or cell.columns[1] not in ends for cell in band):
            break
        spanning = [cell for cell in spanning if cell.rows[0] < at < cell.rows[1]]
        if _width(plan.grid, [*band, *spanning]) < _COVERED * _width(plan.grid, header):
            break
        inner = list(_within(plan, band, header))
        more = _read([*(cell for cell in band if id(cell) not in seen), *inner], header, key, plan.grid.angle)
        seen |= set(map(id, inner))
        if any(not can_be_row(row, heads, name, key) for row in more) or _merged(band, ends, key):
            break
        if _is_name(band, max(ends) - min(starts), highest) or (
            name == "revisions" and _are_uneven(band, plan.grid.angle)
        ):
            break
        more = [row for row in more if not repeats_header(row, heads)]
        if (
            way == "down"
            and rows
            and len(more) == 1
            and is_continuation(rows[-1], more[0], heads)
            and _aligned(last, band, plan.grid.angle)
        ):
            rows[-1] = joined_row(rows[-1], more[0])
        else:
            rows += more
        used += band
        highest = max(highest, _highest(band))
        last = band
        spanning += band
        at = min(cell.rows[1] for cell in spanning) if way == "down" else max(cell.rows[0] for cell in spanning)
    return rows, used


def _between(cells: Sequence[Cell], header: Sequence[Cell]) -> list[Cell]:
    """The cells that stand under or over the columns of a header."""
    first, last = min(cell.columns[0] for cell in header), max(cell.columns[1] for cell in header)
    return [cell for cell in cells if first <= cell.columns[0] and cell.columns[1] <= last]


def _within(plan: _Plan, band: Sequence[Cell], header: Sequence[Cell]) -> Iterator[Cell]:
    """The one filled cell within a row in each column that has none of the row's height: a triangle round a mark closes it off."""
    filled = [cell.rows for cell in band if cell.texts]
    top, bottom = max((rows[0] for rows in filled), default=0), min((rows[1] for rows in filled), default=0)
    for head in header:
        own = [cell for cell in band if cell.columns[0] <= head.columns[0] and head.columns[1] <= cell.columns[1]]
        if any(cell.texts or (cell.rows[0] <= top and bottom <= cell.rows[1]) for cell in own):
            continue
        inner = [
            cell for cell in plan.grid.cells
            if cell.texts and cell.columns == head.columns and top <= cell.rows[0] and cell.rows[1] <= bottom
        ]  # fmt: skip
        if len(inner) == 1:
            yield inner[0]


def _next_row(plan: _Plan, header: Sequence[Cell], above: Sequence[Cell], at: int, way: Way) -> int:
    """Where the band behind `above` begins: at its far side, or behind the second of two rules that are drawn for one."""
    side, near, far = (plan.by_top, 3, 1) if way == "down" else (plan.by_bottom, 1, 3)
    reached = [turned(cell.box, plan.grid.angle)[far] for cell in above]
    first, last = header[0].columns[0], header[-1].columns[1]
    sides_in_order = plan.tops if way == "down" else plan.bottoms
    place = bisect_left(sides_in_order, at)
    about = sides_in_order[max(0, place - _NEAREST_SIDES) : place + _NEAREST_SIDES]
    for begin in sorted(about, key=lambda row: abs(row - at))[:_NEAREST_SIDES]:
        own = [cell for cell in side[begin] if first <= cell.columns[0] and cell.columns[1] <= last]
        ahead = begin >= at if way == "down" else begin <= at
        sides = [turned(cell.box, plan.grid.angle)[near] for cell in own]
        if ahead and any(abs(one - two) <= _ADJOINING * plan.grid.slack for one in sides for two in reached):
            return begin
    return at


def _aligned(above: Sequence[Cell], band: Sequence[Cell], angle: int) -> bool:
    """Whether the longest text of `band` begins where the one over it does: a name that goes on, no section's heading in the middle."""
    lower = max((text for cell in band for text in cell.texts), key=lambda text: len(text.text), default=None)
    if lower is None:
        return False
    place = next(cell.columns for cell in band if lower in cell.texts)
    upper = [text for cell in above if cell.columns == place for text in cell.texts]
    left = turned(lower.box, angle)[0]
    return any(abs(turned(text.box, angle)[0] - left) < _INDENT * lower.height for text in upper)


def _width(grid: Grid, cells: Sequence[Cell]) -> float:
    boxes = [turned(cell.box, grid.angle) for cell in cells]
    return sum(box[2] - box[0] for box in boxes)


def _read(band: list[Cell], header: list[Cell], key: int | None, angle: int) -> list[Row]:
    """The rows of one band of cells: more than one where no rules are drawn between them."""
    texts: list[list[Text]] = [[] for _ in header]
    for cell in band:
        first = next(place for place, head in enumerate(header) if head.columns[0] == cell.columns[0])
        for text, place in _by_column(cell, header, first, angle):
            texts[place].append(text)
    return [row for row in split_rows(texts, key) if any(each.text for each in row)]


def _by_column(cell: Cell, header: list[Cell], first: int, angle: int) -> Iterator[tuple[Text, int]]:
    """Texts of a cell with the place of their column; of one over several columns, whose rule is not drawn, each in its own."""
    sides = [(box[0], box[2]) for box in (turned(head.box, angle) for head in header)]
    places = []
    for text in cell.texts:
        left, _, right, _ = turned(text.box, angle)
        within = [place for place, (low, high) in enumerate(sides) if low <= left and right <= high]
        places.append(within[0] if within else None)
    apart = None not in places and len(set(places)) > 1
    yield from (
        (text, place if apart and place is not None else first) for text, place in zip(cell.texts, places, strict=True)
    )


def _are_uneven(band: Sequence[Cell], angle: int) -> bool:
    """Whether filled cells of a row are of other heights, as where the rows of those who drew and checked stand beside rows of changes."""
    boxes = [turned(cell.box, angle) for cell in band if cell.texts]
    heights = [box[3] - box[1] for box in boxes]
    return bool(heights) and max(heights) > _UNEVEN * min(heights)


def _is_name(band: Sequence[Cell], widest: int, highest: float) -> bool:
    """Whether a band is one cell over all columns, lettered larger than all of the table: the name in a block that it stands on.

    widest: columns of the table; highest: of its letters.
    """
    one = len(band) == 1 and band[0].columns[1] - band[0].columns[0] == widest and widest >= _FEWEST_COLUMNS
    return one and all(text.height > _LARGER * highest for text in band[0].texts)


def _highest(cells: Sequence[Cell]) -> float:
    return max((text.height for cell in cells for text in cell.texts), default=0.0)


def _without_sum(found: FoundTable) -> FoundTable:
    """A bill without its last row where that is no part: words, no quantity or anything else in the columns behind, and sums."""
    first, *others = found.rows[-1]
    said = [each.text.strip() for each in others]
    is_sum = (
        len(found.rows) > 1
        and bool(first.text)
        and not has_digit(first.text)
        and not any(said[:_EMPTY])
        and any(said)
        and all(_FIGURES.fullmatch(text) for text in said if text)
    )
    return replace(found, rows=found.rows[:-1]) if found.kind == "bom" and is_sum else found


def _merged(band: list[Cell], ends: dict[int, int], key: int | None) -> bool:
    """Whether the mark's place is one with its neighbour's: another block begins there, with columns of its own."""
    if key is None:
        return False
    return any(
        cell.texts and cell.columns[1] in ends and cell.columns[0] < cell.columns[1] and _holds(cell, ends, key)
        for cell in band
    )


def _holds(cell: Cell, ends: dict[int, int], key: int) -> bool:
    last = ends[cell.columns[1]]
    inside = sum(1 for end in ends if cell.columns[0] < end <= cell.columns[1])
    return inside > 1 and last - inside + 1 <= key <= last
