"""Tables without rules: a line of known words and lines whose pieces stand under, or over, those words."""

from __future__ import annotations

import math
import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

import numpy as np

from spatial.knowledge.table_headers import concepts, is_title_block_label, is_weak_bom, kind_of_title, kinds
from spatial.models.sheet.drawing import Box, Sheet, Text
from spatial.models.sheet.extents import box_around
from spatial.understanding.sheet.cells.border import zone_texts
from spatial.understanding.sheet.cells.orientation import turned
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
    repeats_header,
)
from spatial.understanding.sheet.tables.parts import are_made_of
from spatial.understanding.sheet.tables.row_rules import row_rules, rows_between
from spatial.understanding.sheet.tables.row_splitting import BACK, group_by_level, level_of, split_lines

Way = Literal["down", "up"]

_MOST_TEXTS: Final = 30_000
"""Texts of a sheet that are looked at."""
_MOST_HEADERS: Final = 60
"""Lines of a sheet that are tried as headers."""
_MOST_LINES: Final = 600
"""Lines of a table."""
_MOST_PIECES: Final = 30
"""Pieces of a line of a table, and columns."""
_FEWEST_PIECES: Final = 4
"""Pieces of a table: two headings and a row of two."""
_LONGEST_HEADING: Final = 60
"""Characters of a piece that may be a heading."""
_APART: Final = 40.0
"""Widest gap between two heads, in letter heights."""
_STEP: Final = 5.0
"""Widest step between two lines, in letter heights."""
_EVEN_STEP: Final = 2.5
"""The same as a multiple of the table's median step: what follows after more is another thing."""
_BASELINE: Final = 0.5
"""Letter heights between the middles of pieces of one line."""
_SECOND_LINE: Final = (0.8, 2.0)
"""Letter heights from a line of a header to the other one."""
_BESIDE_HEADER: Final = 2.0
"""Letter heights by which the other line of a header may stand out at its ends."""
_TITLE_REACH: Final = 4.0
"""Letter heights from a header to its title."""
_LEFT_OF_HEADER, _RIGHT_OF_HEADER = 4.0, 3.0
"""Letter heights by which rows may stand out at the ends of the header; left-aligned marks stand out further."""
_FIRST_STEP: Final = 0.6
"""Letter heights from a header to its first row."""
_BEGINS: Final = 0.3
"""Letter heights by which a piece may begin before its column."""
_CONFIDENCE: Final = 0.6
"""Of a table without rules, none of whose rows has two entries."""
_FULL_ROWS: Final = 0.25
"""What is added where all rows have two entries, in proportion for some."""
_FEWEST_FULL: Final = 0.6
"""Part of the rows that have two entries at least; lines of prose have one."""
_MARK: Final = re.compile(r"[\w*.\-/]{1,8}")
_WIDE: Final = re.compile(r"\s*\t\s*|\s{3,}")


@dataclass(frozen=True, slots=True, eq=False)
class _Piece:
    """A line of text in the upright frame."""

    text: Text
    box: Box
    more: tuple[Text, ...] = ()
    """Of a head: further lines of it."""

    @property
    def entry(self) -> Entry:
        """All its lines."""
        return entry([self.text, *self.more])

    @property
    def level(self) -> float:
        """Height of its middle."""
        return (self.box[1] + self.box[3]) / 2

    @property
    def middle(self) -> float:
        """Place of its middle along the line."""
        return (self.box[0] + self.box[2]) / 2


def find(sheet: Sheet, claimed: frozenset[str], cell_of: Mapping[str, int]) -> list[FoundTable]:
    """Tables among the texts of `sheet` that are not `claimed`; `cell_of` numbers the ruled cell that a text stands in."""
    outside = claimed | zone_texts(sheet)
    free = [text for text in sheet.texts if text.id not in outside and _readable(text)]
    chosen: list[FoundTable] = []
    taken: set[str] = set()
    for angle in (0, 90, 270, 180):
        pieces = [
            piece for text in free[:_MOST_TEXTS] if round(text.angle) % 360 == angle for piece in _pieces(text, angle)
        ]
        if len(pieces) < _FEWEST_PIECES:
            continue
        pieces.sort(key=lambda piece: -piece.level)
        candidates = [
            found
            for header in _headers(pieces)
            for way in ("down", "up")
            if (found := _table(sheet, pieces, header, way, angle, cell_of))
        ]
        for found in sorted(candidates, key=lambda each: -each.filled):
            if not taken & set(found.sources):
                chosen.append(found)
                taken |= set(found.sources)
    return chosen


def _readable(text: Text) -> bool:
    return (
        text.visible
        and text.kind not in ("dimension", "tolerance", "table_cell")
        and bool(text.text.strip())
        and all(map(math.isfinite, (*text.box, text.angle, text.height)))
    )


def _pieces(text: Text, angle: int) -> list[_Piece]:
    return [_Piece(part, turned(part.box, angle)) for line in split_lines(text, angle) for part in _apart(line, angle)]


def _apart(text: Text, angle: int) -> list[Text]:
    """`text` cut at tabs and wide gaps."""
    if not _WIDE.search(text.text.strip()):
        return [text]
    own = turned(text.box, angle)
    known = text.advances is not None and len(text.advances) == len(text.text) + 1
    steps = (
        text.advances if known and text.advances is not None else np.linspace(0, own[2] - own[0], len(text.text) + 1)
    )
    parts, start = [], 0
    for gap in [*(match.span() for match in _WIDE.finditer(text.text)), (len(text.text), len(text.text))]:
        if text.text[start : gap[0]].strip():
            low, high = own[0] + float(steps[start]), own[0] + float(steps[gap[0]])
            box = turned((low, own[1], high, own[3]), BACK[angle])
            parts.append(
                replace(text, text=text.text[start : gap[0]].strip(), box=box, width=high - low, advances=None)
            )
        start = gap[1]
    return parts


def _headers(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Lines of pieces with at least two known words, from the left."""
    seeds = [
        n for n, piece in enumerate(pieces) if len(piece.text.text) <= _LONGEST_HEADING and concepts(piece.text.text)
    ]
    worded, seen = set(seeds), set[int]()
    tried = 0
    for n in seeds:
        if n in seen or tried >= _MOST_HEADERS:
            continue
        line = [m for m in _line(pieces, n) if len(pieces[m].text.text) <= _LONGEST_HEADING]
        known = [m for m in line if m in worded]
        seen.update(known)
        if len(known) < 2:
            continue
        tried += 1
        yield from (_stacked(pieces, run) for run in _close([pieces[m] for m in line]))


def _line(pieces: Sequence[_Piece], n: int) -> list[int]:
    """Places of the pieces that stand on a line with the `n`th."""
    own, reach = pieces[n], _BASELINE * pieces[n].text.height
    first = last = n
    while first > 0 and pieces[first - 1].level - own.level <= reach:
        first -= 1
    while last + 1 < len(pieces) and own.level - pieces[last + 1].level <= reach:
        last += 1
    return list(range(first, last + 1))


def _close(line: list[_Piece]) -> Iterator[list[_Piece]]:
    """Stretches of a line without a gap too wide for one table, cut to their known words."""
    line = sorted(line, key=lambda piece: piece.box[0])
    start = 0
    for place in range(1, len(line) + 1):
        if place == len(line) or line[place].box[0] - line[place - 1].box[2] > _APART * line[place].text.height:
            run = line[start:place]
            marks = [bool(concepts(piece.text.text)) for piece in run]
            start = place
            if sum(marks) >= 2 and not any(is_title_block_label(piece.text.text) for piece in run):
                yield run[marks.index(True) : len(marks) - marks[::-1].index(True)]


def _stacked(pieces: Sequence[_Piece], run: list[_Piece]) -> list[_Piece]:
    """`run` with the line over or under it, where both together are known words: `PART` over `NUMBER`."""
    height, level = run[0].text.height, run[0].level
    left, right = run[0].box[0] - _BESIDE_HEADER * height, run[-1].box[2] + _BESIDE_HEADER * height
    nearest, furthest = (steps * height for steps in _SECOND_LINE)
    for side in (1, -1):
        beside = [
            p for p in pieces if nearest < side * (p.level - level) < furthest and p.box[0] < right and p.box[2] > left
        ]
        if beside and len(beside) <= len(run) and (both := _both(run, beside)):
            return both
    return run


def _both(run: list[_Piece], beside: list[_Piece]) -> list[_Piece]:
    """Heads of two lines each; empty where a piece has no head of its own or the two make no known word."""
    heads = list(run)
    for piece in beside:
        shared = [min(piece.box[2], head.box[2]) - max(piece.box[0], head.box[0]) for head in run]
        place = int(np.argmax(shared))
        if shared[place] <= 0 or heads[place].more:
            return []
        own = heads[place].box
        heads[place] = _Piece(heads[place].text, box_around((own, piece.box)), (piece.text,))
        if not concepts(heads[place].entry.text):
            return []
    return heads


def _table(
    sheet: Sheet, pieces: Sequence[_Piece], header: list[_Piece], way: Way, angle: int, cell_of: Mapping[str, int]
) -> FoundTable | None:
    heads = [piece.entry for piece in header]
    title = _title(pieces, header)
    known = meanings(heads)
    names = kinds(known, title.text)
    if not names or len(header) > _MOST_PIECES:
        return None
    rules = row_rules(sheet, header[0].box[0], header[-1].box[2], angle)
    body = _body(pieces, header, way, cell_of, rules)
    columns = _columns(header, body)
    if columns is None or not body:
        return None
    box = box_around([text.box for piece in (*header, *body) for text in (piece.text, *piece.more)])

    def make(name: str) -> FoundTable:
        key = key_column(heads, name)
        rows = _rows(columns, heads, name, key, angle, way, rules)
        confidence = round(_CONFIDENCE + _FULL_ROWS * _full(rows) / max(len(rows), 1), 3)
        return FoundTable(header[0].text.page, name, heads, ascending(rows, key), confidence, box, title, (), angle)

    found = first_table(names, make)
    if found is None or (found.kind == "bom" and is_weak_bom(known) and not title.text and not are_made_of(found)):
        return None
    return found if _full(found.rows) >= _FEWEST_FULL * len(found.rows) else None


def _full(rows: Sequence[Row]) -> int:
    """How many of `rows` have two entries."""
    return sum(sum(bool(each.text) for each in row) > 1 for row in rows)


def _title(pieces: Sequence[_Piece], header: list[_Piece]) -> Entry:
    """A text close over or under the header that says what table it is."""
    left, right, level = header[0].box[0], header[-1].box[2], header[0].level
    reach = _TITLE_REACH * max(piece.text.height for piece in header)
    for piece in pieces:
        near = abs(piece.level - level) <= reach and left - reach <= piece.middle <= right + reach
        if near and piece not in header and kind_of_title(piece.text.text):
            return entry([piece.text])
    return Entry()


def _body(
    pieces: Sequence[_Piece], header: list[_Piece], way: Way, cell_of: Mapping[str, int], rules: Sequence[float]
) -> list[_Piece]:
    """Pieces line by line from the header, until a step is too wide or a line does not stand in its columns.

    rules: heights of the rule lines between rows, from the lowest, over which steps are uneven: rows have several lines.
    """
    height = max(piece.text.height for piece in header)
    left, right = header[0].box[0] - _LEFT_OF_HEADER * height, header[-1].box[2] + _RIGHT_OF_HEADER * height
    sign = -1 if way == "down" else 1
    level = max((piece.box[1] if way == "down" else piece.box[3]) * sign for piece in header) * sign - sign * height / 2
    beyond = [
        p for p in pieces if sign * (p.level - level) > _FIRST_STEP * height and p.box[2] > left and p.box[0] < right
    ]
    beyond.sort(key=lambda piece: sign * piece.level)
    own = {cell_of.get(piece.text.id) for piece in header}
    found: list[_Piece] = []
    line: list[_Piece] = []
    steps: list[float] = []
    for piece in [*beyond[: _MOST_LINES * _MOST_PIECES], None]:
        if line and (piece is None or abs(piece.level - line[0].level) > _BASELINE * height):
            if any(_foreign(each, header, own, cell_of) for each in line):
                break
            found += line
            steps.append(abs(line[0].level - level))
            level, line = line[0].level, []
        if piece is None:
            break
        next_row = _is_between(rules, min(level, piece.level), max(level, piece.level))
        even = _EVEN_STEP * float(np.median(steps)) if steps and not next_row else np.inf
        if abs(piece.level - level) > min(_STEP * height, even):
            break
        line.append(piece)
    return found


def _is_between(rules: Sequence[float], low: float, high: float) -> bool:
    """Whether a rule line, of those from the lowest, is between two heights."""
    above = bisect(rules, low)
    return above < len(rules) and rules[above] < high


def _foreign(piece: _Piece, header: Sequence[_Piece], own: set[int | None], cell_of: Mapping[str, int]) -> bool:
    """Whether `piece` runs over two heads, or stands in a ruled cell that is none of the header's."""
    covered = sum(piece.box[0] < head.middle < piece.box[2] for head in header)
    cell = cell_of.get(piece.text.id)
    return covered > 1 or (own != {None} and cell is not None and cell not in own)


def _columns(header: list[_Piece], body: Sequence[_Piece]) -> list[list[Text]] | None:
    """The body's texts column by column; None where no place between two heads parts them."""
    sides: list[float] = []
    for left, right in pairwise(header):
        sides.append(_side(left, right, body))
    columns: list[list[Text]] = [[] for _ in header]
    for piece in body:
        place = int(np.searchsorted(sides, piece.middle))
        # Left-aligned text that is longer than its head may reach beyond the next side; where it begins is what counts.
        begins = int(np.searchsorted(sides, piece.box[0] + _BEGINS * piece.text.height))
        columns[min(begins, place)].append(piece.text)
    return columns


def _side(left: _Piece, right: _Piece, body: Sequence[_Piece]) -> float:
    """The place between two heads that cuts the fewest pieces, in the middle of the widest such gap."""
    low, high = left.middle, right.middle
    spans = np.array([(piece.box[0], piece.box[2]) for piece in (*body, left, right)])
    edges = np.unique(np.clip(spans, low, high))
    if len(edges) < 2:
        return (low + high) / 2
    middles = (edges[:-1] + edges[1:]) / 2
    cut = ((spans[:, :1] < middles) & (spans[:, 1:] > middles)).sum(0)
    least = np.flatnonzero(cut == cut.min())
    best = least[np.argmax(np.diff(edges)[least])]
    return float(middles[best])


def _rows(
    columns: list[list[Text]],
    heads: list[Entry],
    name: str,
    key: int | None,
    angle: int,
    way: Way,
    rules: Sequence[float],
) -> list[Row]:
    rows: list[Row] = []
    ordered = rows_between(columns, rules, angle) or group_by_level(columns, _levels(columns, key, angle), angle)
    for texts in ordered if way == "down" else ordered[::-1]:
        row = [entry(each) for each in texts]
        if not any(each.text for each in row) or repeats_header(row, heads):
            continue
        if not can_be_row(row, heads, name, key):
            break
        rows.append(row)
    return rows


def _levels(columns: list[list[Text]], key: int | None, angle: int) -> list[float]:
    """Where rows stand that no rule lines part: at the marks of the key column, or each line one."""
    levels = [level_of(text, angle) for text in columns[key or 0] if _MARK.fullmatch(text.text.strip())]
    if key is None or not levels:
        return _lines([text for texts in columns for text in texts], angle)
    return levels


def _lines(texts: Sequence[Text], angle: int) -> list[float]:
    """Levels of the lines that `texts` stand on."""
    levels: list[float] = []
    for text in sorted(texts, key=lambda each: -level_of(each, angle)):
        if not levels or levels[-1] - level_of(text, angle) > _BASELINE * text.height:
            levels.append(level_of(text, angle))
    return levels
