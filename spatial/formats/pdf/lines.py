"""Groups the glyphs of a PDF page into lines: what shares a baseline, a direction and a size, and stands together.

Glossary
  run        glyphs that follow one another in the file and on the baseline.
  line       runs that stand together on one baseline: one Text.
  rule line  a drawn line that separates cells of a table.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from itertools import chain, pairwise
from typing import Final

import numpy as np

from spatial.formats.pdf.glyphs import Glyphs
from spatial.models.sheet.drawing import Array, Flags, Indices

SHOWN_GAP, BLANK_GAP, MERGED_GAP = 0.75, 2.5, 0.5
"""Font sizes between two glyphs of one line: shown one after another, with a blank between, from elsewhere in the file."""
CELL_GAP: Final = 0.08
"""Font sizes, beyond the usual gap of the line, round the border of a cell; a witness line crosses a size between two digits."""
FOOT, HEAD = 0.1, 0.95
"""Font sizes below and over the baseline between which such a border runs; the room of descenders may reach over the border below."""
SQUARE: Final = 0.999
"""Cosine of the angle by which an upright or turned line may lean."""
PIECE, TOUCHING = 0.7, 0.3
"""Font sizes of a piece of a ruled line; points between pieces that follow one another."""
OVERLAP: Final = 0.35
DECIMAL_SIGNS: Final = frozenset(".,")
_SIZE: Final = re.compile(r"\d+[.,]\d+")
SIZES_GAP: Final = 0.15
"""Font sizes between two numbers with decimals that were painted apart and are two sizes; less is a number that was painted in parts."""
OVERPRINT: Final = 0.05
"""Font sizes by which a glyph may begin before the end of the one before it, where it was painted first: SIZE A under a long number."""
OFF_LINE: Final = 0.12
ALIKE: Final = 1.3
"""How much larger one glyph of a line may be than its neighbour."""
ROOM, BLANK_ROOM, SPILL = 0.4, 0.7, 0.1
"""Font sizes of a gap in which another glyph may stand, without and with a blank; how far that glyph may reach over its ends."""


class GlyphLists:
    """Glyphs in lists: a line has too few of them for numpy to pay."""

    def __init__(self, glyphs: Glyphs) -> None:
        self.glyphs = glyphs
        self.origin: list[tuple[float, float]] = list(zip(*glyphs.origin.T.tolist(), strict=True))
        self.direction: list[tuple[float, float]] = list(zip(*glyphs.direction.T.tolist(), strict=True))
        self.advance: list[float] = glyphs.advance.tolist()
        self.size: list[float] = glyphs.size.tolist()
        self.shape: list[int] = glyphs.shape.tolist()
        self.span: list[int] = glyphs.span.tolist()
        self.spaced: list[bool] = glyphs.spaced.tolist()
        self.doubled = frozenset(np.flatnonzero(glyphs.doubled).tolist())
        """Places of those that were painted more than once."""


def median(numbers: list[float]) -> float:
    """The median; faster than numpy's on the few glyphs of a line."""
    ordered, half = sorted(numbers), len(numbers) // 2
    return ordered[half] if len(numbers) % 2 else (ordered[half - 1] + ordered[half]) / 2


def usual_size(sizes: list[float]) -> float:
    """The median of sizes, which are nearly always one."""
    return sizes[0] if sizes.count(sizes[0]) == len(sizes) else median(sizes)


def glyph_lines(plain: GlyphLists, ends: Array) -> list[list[int]]:
    """Places of the glyphs of each line, in reading order.

    ends: (n, 4) the strokes of the page; rule lines keep neighbouring cells apart.
    """
    return _split_at_rules(_lines(plain.glyphs), plain, ends)


def _lines(glyphs: Glyphs) -> list[list[int]]:
    """Glyphs of each line in reading order, whatever rule lines cross them."""
    along = (glyphs.origin * glyphs.direction).sum(axis=1)
    across = glyphs.origin[:, 1] * glyphs.direction[:, 0] - glyphs.origin[:, 0] * glyphs.direction[:, 1]
    breaks: list[int] = (np.flatnonzero(~_follows(glyphs, along, across)) + 1).tolist()
    runs = [list(range(begin, end)) for begin, end in pairwise([0, *breaks, len(along)])]
    return _merge_runs(runs, glyphs, along, across)


def _follows(glyphs: Glyphs, along: Array, across: Array) -> Flags:
    """Of each glyph but the last, whether the next one in the file goes on with its line."""
    left, right = slice(None, -1), slice(1, None)
    size = np.minimum(glyphs.size[left], glyphs.size[right])
    turn = (glyphs.direction[left] * glyphs.direction[right]).sum(axis=1) > 0.9995
    step = glyphs.origin[right] - glyphs.origin[left]
    ahead = (step * glyphs.direction[left]).sum(axis=1) - glyphs.advance[left]
    aside = np.abs(step[:, 1] * glyphs.direction[left, 0] - step[:, 0] * glyphs.direction[left, 1])
    limit = np.where(glyphs.spaced[right], BLANK_GAP, SHOWN_GAP) * size
    alike = np.maximum(glyphs.size[left], glyphs.size[right]) < ALIKE * size
    follows: Flags = turn & alike & (aside < OFF_LINE * size) & (ahead < limit) & (ahead > -OVERLAP * size)
    room = np.where(glyphs.spaced[right], BLANK_ROOM, ROOM) * size
    # Blanks within one piece of text may be a form's, which a number fills: `SHEET   OF` stays one text.
    is_apart = ~glyphs.spaced[right] | (glyphs.span[left] != glyphs.span[right])
    gaps = np.flatnonzero(follows & (ahead > room) & is_apart).tolist()
    by_level = np.argsort(across, kind="stable") if gaps else np.zeros(0, np.int64)
    levels = across[by_level]
    for at in gaps:
        reach = 1.01 * OFF_LINE * float(size[at])
        first, last = np.searchsorted(levels, (across[at] - reach, across[at] + reach)).tolist()
        follows[at] = not _stands_between(glyphs, along, across, at, float(size[at]), by_level[first:last])
    return follows


def _stands_between(glyphs: Glyphs, along: Array, across: Array, at: int, size: float, beside: Indices) -> bool:
    """Whether a glyph from elsewhere in the file fills the gap after this one: Inventor shows the 4 of `(Ø4)` and of `Ø4 2 шт.` first.

    beside: the glyphs on the level of this one, and perhaps some more.
    """
    low, high = along[at] + glyphs.advance[at] - SPILL * size, along[at + 1] + SPILL * size
    begin = along[beside]
    fills = (
        (begin > low)
        & (begin + glyphs.advance[beside] < high)
        & (np.abs(across[beside] - across[at]) < OFF_LINE * size)
    )
    fills &= (beside != at) & (beside != at + 1)
    return bool(((glyphs.direction[beside[fills]] * glyphs.direction[at]).sum(axis=1) > 0.9995).any())


def _merge_runs(runs: list[list[int]], glyphs: Glyphs, along: Array, across: Array) -> list[list[int]]:
    """Runs that stand next to each other, from wherever in the file."""
    turn = np.degrees(np.arctan2(glyphs.direction[:, 1], glyphs.direction[:, 0]))
    heading: list[int] = (np.rint(turn).astype(np.int64) % 360).tolist()
    level: list[int] = np.floor(across).astype(np.int64).tolist()
    begins, ends, offs, sizes = along.tolist(), (along + glyphs.advance).tolist(), across.tolist(), glyphs.size.tolist()
    rows: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
    for number, run in enumerate(runs):
        rows[heading[run[0]], level[run[0]]].append((begins[run[0]], number))
    for row in rows.values():
        row.sort()
    after: dict[int, int] = {}
    taken: set[int] = set()
    first_of = [run[0] for run in runs]
    for number in sorted(range(len(runs)), key=[begins[first] for first in first_of].__getitem__):
        last = runs[number][-1]
        size, end, off, turned = sizes[last], ends[last], offs[last], heading[last]
        best: tuple[float, int] | None = None
        for near in (level[last] - 1, level[last], level[last] + 1):
            beside = rows.get((turned, near))
            if beside is None:
                continue
            place = bisect_left(beside, (end - OVERLAP * size, -1))
            for begin, other in beside[place : place + 8]:
                if begin > end + MERGED_GAP * size:
                    break
                first = first_of[other]
                fits = abs(offs[first] - off) < OFF_LINE * size and other != number and other not in taken
                # Who writes a line begins with its first word: what was painted before and runs into it is another text.
                # But a decimal sign is no text, and sizes are painted from the right as well.
                fits &= first > last or begin > end - OVERPRINT * size or glyphs.signs[first] in DECIMAL_SIGNS
                fits = fits and not (begin > end + SIZES_GAP * size and _are_sizes(glyphs, runs[number], runs[other]))
                if fits and 1 / ALIKE < sizes[first] / size < ALIKE and begin > begins[last]:
                    best = min(best or (math.inf, 0), (abs(begin - end), other))
        if best:
            after[number] = best[1]
            taken.add(best[1])
    return [_chain(start, runs, after) for start in range(len(runs)) if start not in taken]


def _are_sizes(glyphs: Glyphs, *runs: list[int]) -> bool:
    """Whether each run is a number with decimals: sizes of two dimension lines that stand beside each other."""
    return all(_SIZE.fullmatch("".join(glyphs.signs[member] for member in run)) is not None for run in runs)


def _split_at_rules(lines: list[list[int]], plain: GlyphLists, ends: Array) -> list[list[int]]:
    """Lines cut where a rule line crosses them between two glyphs; only upright and quarter-turned lines are cut.

    Glyphs that do not follow one another in the file need no gap: a heading that fills its cell touches the one in the next.
    """
    rules = _rules(ends, 0), _rules(ends, 1)
    places: tuple[list[float], ...] = tuple(rule[:, 0].tolist() for rule in rules)
    looked_at = _with_gaps(lines, plain.glyphs)
    return [
        part
        for line, has_gaps in zip(lines, looked_at, strict=True)
        for part in (_cut(line, plain, rules, places) if has_gaps else (line,))
    ]


def _with_gaps(lines: list[list[int]], glyphs: Glyphs) -> list[bool]:
    """Of each line, upright or turned by a quarter, whether a border may stand in one of its gaps; most lines are one close run."""
    members = np.array(list(chain.from_iterable(lines)), np.int64)
    of = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    starts = np.searchsorted(of, np.arange(len(lines)))
    cos, sin = glyphs.direction[members[starts]].T
    level, upright = np.abs(cos) > SQUARE, np.abs(sin) > SQUARE
    x, y = glyphs.origin[members].T
    place, heading = np.where(level[of], x, y), np.copysign(1.0, np.where(level, cos, sin))
    gaps = (place[1:] - place[:-1]) * heading[of[:-1]] - glyphs.advance[members[:-1]]
    least = CELL_GAP * np.minimum.reduceat(glyphs.size[members], starts)
    wide = (gaps > least[of[:-1]]) | (members[1:] != members[:-1] + 1)
    found = np.zeros(len(lines), bool)
    found[of[1:][wide & (of[1:] == of[:-1])]] = True
    looked_at: list[bool] = (found & (level | upright)).tolist()
    return looked_at


def _rules(ends: Array, axis: int) -> Array:
    """(n, 3) strokes across an axis, sorted: where they cross it, from where to where they go."""
    straight = ends[np.abs(ends[:, axis] - ends[:, axis + 2]) < 0.2]
    low, high = np.sort(straight[:, [1 - axis, 3 - axis]], axis=1).T
    found = np.column_stack([straight[:, axis], low, high])
    return found[np.argsort(found[:, 0])]


def _cut(
    line: list[int], plain: GlyphLists, rules: tuple[Array, Array], places: tuple[list[float], ...]
) -> list[list[int]]:
    cos, sin = plain.direction[line[0]]
    axis = 0 if abs(cos) > SQUARE else 1 if abs(sin) > SQUARE else None
    if axis is None or len(line) < 2 or not places[axis]:
        return [line]
    rule, place = rules[axis], places[axis]
    heading = math.copysign(1.0, (cos, sin)[axis])
    begins = [plain.origin[member][axis] for member in line]
    gaps = [
        (begins[number + 1] - begins[number]) * heading - plain.advance[member]
        for number, member in enumerate(line[:-1])
    ]
    size = usual_size([plain.size[member] for member in line])
    least = max(median(gaps), 0.0) + CELL_GAP * size
    upward, foot = (cos if axis == 0 else -sin), plain.origin[line[0]][1 - axis]
    foot, head = sorted((foot - FOOT * upward * size, foot + HEAD * upward * size))
    crossed = [0]
    for number, gap in enumerate(gaps, 1):
        is_from_elsewhere = line[number] != line[number - 1] + 1
        if gap > least or is_from_elsewhere:
            low, high = sorted((begins[number], begins[number] - heading * gap))
            met = rule[bisect_left(place, low - 0.1 * size) : bisect_left(place, high + 0.1 * size)]
            if len(met) and _ruled(met, foot, head, PIECE * size):
                crossed.append(number)
    return [line[begin:end] for begin, end in pairwise([*crossed, len(line)])]


def _ruled(met: Array, foot: float, head: float, least: float) -> bool:
    """Whether strokes across a line, each a piece of some length, go from its foot to its head.

    SolidWorks and KOMPAS draw the border of a column in pieces, one a row, that are shorter than a tall letter and its descender.
    """
    reached = foot
    for low, high in sorted(met[met[:, 2] - met[:, 1] > least][:, 1:].tolist()):
        if low > reached + TOUCHING:
            return False
        reached = max(reached, high)
        if reached >= head:
            return True
    return False


def _chain(start: int, runs: list[list[int]], after: dict[int, int]) -> list[int]:
    members = list(runs[start])
    while start in after:
        start = after[start]
        members += runs[start]
    return members
