"""Lines of lettering out of single glyphs: what shares a baseline, a direction and a size, and stands together.

Glossary
  run    glyphs that follow one another in the file and on the baseline.
  line   runs that stand together on one baseline: one Text.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from itertools import pairwise
from typing import Final

import numpy as np

from spatial.formats.pdf.fonts import Fonts
from spatial.formats.pdf.glyphs import INVISIBLE, Glyphs
from spatial.models.sheet.drawing import Array, Box, Flags, Text

SHOWN_GAP, BLANK_GAP, MERGED_GAP = 0.75, 2.5, 0.5
"""Font sizes between two glyphs of one line: shown one after another, with a blank between, from elsewhere in the file."""
WORD_GAP: Final = 0.17
"""Font sizes, beyond the usual gap of the line, from which a gap is a blank."""
ON_A_GRID: Final = 3
"""Steps from glyph to glyph that show whether glyphs stand on a grid."""
OFF_GRID: Final = 0.05
CELL_GAP: Final = 0.08
"""Font sizes, beyond the usual gap of the line, round the border of a cell; a witness line crosses a size between two digits."""
PIECE, TOUCHING = 0.7, 0.3
"""Font sizes of a piece of a ruled line; points between pieces that follow one another."""
OVERLAP: Final = 0.35
OFF_LINE: Final = 0.12
ALIKE: Final = 1.3
"""How much larger one glyph of a line may be than its neighbour."""
ROOM, SPILL = 0.4, 0.1
"""Font sizes of a gap in which another glyph may stand; how far that glyph may reach over its ends."""
DESCENT: Final = 0.22
FOREIGN, FOREIGN_SHARE = 12, 0.2
"""Letters that are Cyrillic beyond doubt, and their part of all Cyrillic ones, on a page lettered in Cyrillic words."""

_LIGATURES: Final = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st", "\xad": "-"}
_DESCENDING: Final = frozenset("gjpqyQ,;()[]{}|/_µ↧⌀Ø")
_LOOK_ALIKE: Final = dict(
    zip("АВСЕНІЈКМОРЅТХаеосрхіјΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABCEHIJKMOPSTXaeocpxijABEZHIKMNOPTX", strict=True)
)
_CYRILLIC_READ_AS_LATIN: Final = dict(zip("ÀÂÅÊÌÍÎÐÑÒÕ", "ABEKMHOPCTX", strict=True))
"""GOST fonts hold Cyrillic in the places of code page 1251; А comes out as À."""


def texts(glyphs: Glyphs, fonts: Fonts, page: int, ends: Array) -> list[Text]:
    """All lines of a page from the top, from the left; ids are given later.

    ends: (n, 4) the strokes of the page; ruled lines keep neighbouring cells apart.
    """
    if not glyphs.signs:
        return []
    plain = _Plain(glyphs)
    foreign = _is_foreign(glyphs.signs)
    found = [_text(plain, members, fonts, page, foreign=foreign) for members in _parted(_lines(glyphs), plain, ends)]
    return sorted((text for text in found if text.text), key=lambda text: (-round(text.box[1] / 3.0), text.box[0]))


class _Plain:
    """Glyphs in lists: a line has too few of them for numpy to pay."""

    def __init__(self, glyphs: Glyphs) -> None:
        self.glyphs = glyphs
        self.origin: list[tuple[float, float]] = list(map(tuple, glyphs.origin.tolist()))
        self.direction: list[tuple[float, float]] = list(map(tuple, glyphs.direction.tolist()))
        self.advance: list[float] = glyphs.advance.tolist()
        self.size: list[float] = glyphs.size.tolist()
        self.span: list[int] = glyphs.span.tolist()
        self.spaced: list[bool] = glyphs.spaced.tolist()
        self.doubled: list[bool] = glyphs.doubled.tolist()
        self.any_doubled = bool(glyphs.doubled.any())


def _median(numbers: list[float]) -> float:
    ordered, half = sorted(numbers), len(numbers) // 2
    return ordered[half] if len(numbers) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _lines(glyphs: Glyphs) -> list[list[int]]:
    """Glyphs of each line in reading order."""
    along = (glyphs.origin * glyphs.direction).sum(axis=1)
    across = glyphs.origin[:, 1] * glyphs.direction[:, 0] - glyphs.origin[:, 0] * glyphs.direction[:, 1]
    breaks = np.flatnonzero(~_follows(glyphs, along, across)) + 1
    runs = [run.tolist() for run in np.split(np.arange(len(along)), breaks)]
    return _merged(runs, glyphs, along, across)


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
    for at in np.flatnonzero(follows & (ahead > ROOM * size) & ~glyphs.spaced[right]).tolist():
        follows[at] = not _stands_between(glyphs, along, across, at, float(size[at]))
    return follows


def _stands_between(glyphs: Glyphs, along: Array, across: Array, at: int, size: float) -> bool:
    """Whether a glyph from elsewhere in the file fills the gap after this one: Inventor shows the 4 of `(Ø4)` first."""
    low, high = along[at] + glyphs.advance[at] - SPILL * size, along[at + 1] + SPILL * size
    fills = (along > low) & (along + glyphs.advance < high) & (np.abs(across - across[at]) < OFF_LINE * size)
    fills[[at, at + 1]] = False
    return bool((fills & ((glyphs.direction * glyphs.direction[at]).sum(axis=1) > 0.9995)).any())


def _merged(runs: list[list[int]], glyphs: Glyphs, along: Array, across: Array) -> list[list[int]]:
    """Runs that stand next to each other, from wherever in the file."""
    heading = np.degrees(np.arctan2(glyphs.direction[:, 1], glyphs.direction[:, 0]))
    rows: dict[tuple[int, int], list[tuple[float, int]]] = defaultdict(list)
    for number, run in enumerate(runs):
        rows[round(heading[run[0]]) % 360, math.floor(across[run[0]])].append((float(along[run[0]]), number))
    for row in rows.values():
        row.sort()
    after: dict[int, int] = {}
    taken: set[int] = set()
    for number in sorted(range(len(runs)), key=lambda one: float(along[runs[one][0]])):
        last = runs[number][-1]
        size, end = float(glyphs.size[last]), float(along[last] + glyphs.advance[last])
        best: tuple[float, int] | None = None
        for near in (-1, 0, 1):
            row = rows.get((round(heading[last]) % 360, math.floor(across[last]) + near), [])
            place = bisect_left(row, (end - OVERLAP * size, -1))
            for begin, other in row[place : place + 8]:
                if begin > end + MERGED_GAP * size:
                    break
                first = runs[other][0]
                fits = abs(across[first] - across[last]) < OFF_LINE * size and other != number and other not in taken
                if fits and 1 / ALIKE < glyphs.size[first] / size < ALIKE and begin > along[last]:
                    best = min(best or (math.inf, 0), (abs(begin - end), other))
        if best:
            after[number] = best[1]
            taken.add(best[1])
    return [_chain(start, runs, after) for start in range(len(runs)) if start not in taken]


def _parted(lines: list[list[int]], plain: _Plain, ends: Array) -> list[list[int]]:
    """Lines cut where a ruled line crosses them between two glyphs; upright and quarter-turned ones."""
    rules = _rules(ends, 0), _rules(ends, 1)
    places: tuple[list[float], ...] = tuple(rule[:, 0].tolist() for rule in rules)
    return [part for line in lines for part in _cut(line, plain, rules, places)]


def _rules(ends: Array, axis: int) -> Array:
    """(n, 3) strokes across an axis, sorted: where they cross it, from where to where they go."""
    straight = ends[np.abs(ends[:, axis] - ends[:, axis + 2]) < 0.2]
    low, high = np.sort(straight[:, [1 - axis, 3 - axis]], axis=1).T
    found = np.column_stack([straight[:, axis], low, high])
    return found[np.argsort(found[:, 0])]


def _cut(
    line: list[int], plain: _Plain, rules: tuple[Array, Array], places: tuple[list[float], ...]
) -> list[list[int]]:
    cos, sin = plain.direction[line[0]]
    axis = 0 if abs(cos) > 0.999 else 1 if abs(sin) > 0.999 else None
    if axis is None or len(line) < 2 or not places[axis]:
        return [line]
    rule, place = rules[axis], places[axis]
    heading = math.copysign(1.0, (cos, sin)[axis])
    begins = [plain.origin[member][axis] for member in line]
    gaps = [
        (begins[number + 1] - begins[number]) * heading - plain.advance[member]
        for number, member in enumerate(line[:-1])
    ]
    size = _median([plain.size[member] for member in line])
    least = max(_median(gaps), 0.0) + CELL_GAP * size
    upward, foot = (cos if axis == 0 else -sin), plain.origin[line[0]][1 - axis]
    foot, head = sorted((foot - 0.25 * upward * size, foot + 0.95 * upward * size))
    crossed = [0]
    for number, gap in enumerate(gaps, 1):
        if gap > least:
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


def _text(plain: _Plain, members: list[int], fonts: Fonts, page: int, *, foreign: bool) -> Text:
    first = members[0]
    (cos, sin), (x, y) = plain.direction[first], plain.origin[first]
    place = [(plain.origin[member][0] - x) * cos + (plain.origin[member][1] - y) * sin for member in members]
    ends = [begin + plain.advance[member] for begin, member in zip(place, members, strict=True)]
    size = _median([plain.size[member] for member in members])
    written, advances = _written(plain, members, place, ends, size)
    spans = [plain.glyphs.spans[number] for number in dict.fromkeys(plain.span[member] for member in members)]
    span = spans[0]
    height = size * fonts.cap(span["font"])
    width = max(ends[-1], 0.0)
    text, mended = _readable(written, span["font"], foreign=foreign)
    if plain.glyphs.mended:
        mended |= {plain.glyphs.mended[member] for member in members if member in plain.glyphs.mended}
    if plain.any_doubled and any(plain.doubled[member] for member in members):
        mended.add("doubled glyphs")
    descent = 0.0 if _DESCENDING.isdisjoint(text) else DESCENT * size
    return Text(
        id="",
        text=text,
        page=page,
        origin=(x, y),
        angle=math.degrees(math.atan2(sin, cos)) % 360.0,
        height=height,
        width=width,
        box=_box((x, y), cos, sin, (width, -descent, height)),
        layer=span.get("layer") or None,
        style=span["font"],
        advances=advances,
        visible=any(span["type"] != INVISIBLE for span in spans),
        mended=tuple(sorted(mended)),
    )


def _written(
    plain: _Plain, members: list[int], place: list[float], ends: list[float], size: float
) -> tuple[str, Array]:
    """Signs with their blanks, and where each begins."""
    gaps = [begin - end for begin, end in zip(place[1:], ends, strict=False)]
    blank = max(_median(gaps) if len(gaps) > 3 else 0.0, 0.0) + WORD_GAP * size
    step = _step(place)
    wide = [end - begin > 1.5 * step for begin, end in pairwise(place)] if step else [gap > blank for gap in gaps]
    shown, spaced, least = plain.glyphs.signs, plain.spaced, 0.05 * size
    signs, begins = [], []
    for number, member in enumerate(members):
        if number and (wide[number - 1] or (spaced[member] and gaps[number - 1] > least)):
            signs.append(" ")
            begins.append(ends[number - 1])
        sign = shown[member]
        begins.append(place[number])
        if sign in _LIGATURES:
            sign = _LIGATURES[sign]
            begins += [place[number] + part * plain.advance[member] / len(sign) for part in range(1, len(sign))]
        signs.append(sign)
    return "".join(signs), np.array([*begins, ends[-1]])


def _step(place: list[float]) -> float:
    """From glyph to glyph where all stand on a grid of equal steps, whatever their own widths are; 0 where they do not."""
    steps = [end - begin for begin, end in pairwise(place)]
    usual = _median(steps) if len(steps) >= ON_A_GRID else 0.0
    if usual <= 0:
        return 0.0
    for step in steps:
        part = step / usual
        if abs(part - round(part)) > OFF_GRID:
            return 0.0
    return usual


def _is_foreign(signs: list[str]) -> bool:
    """Whether a page is lettered in Cyrillic words: there a letter that looks Latin need not be."""
    letters = [sign for sign in signs if "\u0400" <= sign[0] <= "\u052f"]
    own = sum(sign not in _LOOK_ALIKE for sign in letters)
    return own >= FOREIGN and own > FOREIGN_SHARE * len(letters)


def _readable(text: str, font: str, *, foreign: bool) -> tuple[str, set[str]]:
    """Letters that only look Latin as Latin, where everything else is, on this page too."""
    if text.isascii():
        return text, set()
    table: dict[str, str] = {} if foreign else _LOOK_ALIKE
    if "gost" in font.lower() and all(
        not sign.isalpha() or sign in _CYRILLIC_READ_AS_LATIN or sign.isascii() for sign in text
    ):
        table = table | _CYRILLIC_READ_AS_LATIN
    folded = "".join(table.get(sign, sign) for sign in text)
    other = any("\u0370" <= sign <= "\u052f" for sign in folded)
    return (text, set()) if other or folded == text else (folded, {"homoglyph"})


def _box(origin: tuple[float, float], cos: float, sin: float, sides: tuple[float, float, float]) -> Box:
    width, low, high = sides
    corners = [
        (origin[0] + x * cos - y * sin, origin[1] + x * sin + y * cos)
        for x, y in ((0.0, low), (width, low), (width, high), (0.0, high))
    ]
    xs, ys = zip(*corners, strict=True)
    return min(xs), min(ys), max(xs), max(ys)
