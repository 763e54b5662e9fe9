"""Lines put together from what is read of them: rows on one baseline, and the loose pieces between and beside them.

Rows are found by the sizes of their pieces, and break where a letter has pieces of another size: the two parts of ±, a descender, a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Array, Flags, Indices
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import DASH, MIDDLE, Row, flags, regrouped, turned, turned_boxes
from spatial.understanding.sheet.outlined.words import FEW, even_step

LEVEL, LIKE = 0.15, 0.2
"""Capital heights between the baselines of two parts of one line, and part by which their heights differ."""
BELOW, ABOVE = 0.4, 0.3
"""Capital heights below the baseline and over the capitals within which the middles of the pieces of a line are."""
LOW, BESIDE = 0.5, 0.45
"""Capital heights of a piece that may be of geometry, as a dash or a point, and of the gap from which it is at the end of a line."""
OUTSIDE, OTHER, BESIDE_OTHER = 0.1, 0.6, 4.0
"""Capital heights over or under the letters of a line of what is of another one, between the baselines of the two at least, and from the
small piece to the letters of that one which are found already."""
SMALLER: Final = 0.8
"""Capital heights that those of deviations are high at most."""
NEXT, LOOSE = 1.0, 0.8
"""Capital heights of the gap before the next row of a line, and before the next loose piece."""
WIDEST: Final = 1.3
"""Capital heights of the width of a loose piece that is of a letter."""
TALL: Final = 1.4
"""Capital heights from which a piece that stands in a gap parts two lines."""
EVEN_ROWS, FEWEST_EVEN, OFF_GRID = 0.7, 5, 0.15
"""Part of the rows of a height whose letters all take the same width, and how many, where the lettering of that height is of even width;
steps by which a letter of it is off its place."""
BARE, TALL_STROKE = 0.12, (0.5, 1.1)
"""Capital heights of the width and of the height of a bare stroke: an l, an I, an i without its dot."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """What lines of one quarter may consist of: k rows that read well and n loose pieces, in the frame of the quarter."""

    frames: Array
    """(k, 2) baseline and capital height of the rows."""
    spans: Array
    """(k, 2)"""
    filled: Flags
    """(k,)"""
    loose: Indices
    """(n,) components"""
    boxes: Array
    """(n, 4)"""
    is_fill: Flags
    """(n,)"""
    flags: tuple[Indices, Indices]
    """(k,) and (n,) the triangle that each row and each loose piece stands in; -1 of none."""
    minus: Flags
    """(n,) which are flat and stand before a row as its minus."""
    stacked: Array
    """(n,) the least height of the letters of a row at whose beginning each stands, over or under it and as high; infinite of none."""
    bars: Array
    """(b, 3) place, lowest and highest of what parts lines: rule lines that stand upright."""
    steps: Array
    """(k,) from the middle of one letter to that of the next in lettering of even width; not a number in other lettering."""
    ends: Array
    """(k, 2) middles of the first and the last letter of the rows."""


def complete(ink: Ink, reads: Sequence[ReadRow], well: Flags) -> list[tuple[list[int], Row]]:
    """The lines that consist of more than one row: places of its rows in `reads`, and the row of all its pieces.

    well: (n,) which rows read well.
    """
    lines: list[tuple[list[int], Row]] = []
    flag = flags(ink)
    for quarter in range(4):
        chosen = [
            place for place, read in enumerate(reads) if well[place] and read.quarter == quarter and read.ink is ink
        ]
        if chosen:
            lines += _lines(ink, reads, chosen, _parts(ink, reads, chosen, well, quarter, flag))
    return lines


def _parts(ink: Ink, reads: Sequence[ReadRow], chosen: list[int], well: Flags, quarter: int, flag: Indices) -> _Parts:
    """flag: (k,) the triangle that each component stands in."""
    taken = np.zeros(len(ink.boxes), bool)
    for place in np.flatnonzero(well).tolist():
        taken[_own(ink, reads[place])] = True
    loose = np.flatnonzero(~taken)
    barriers = turned(ink.barriers, quarter)
    steep = np.abs(barriers[:, 2] - barriers[:, 0]) < 0.1 * np.abs(barriers[:, 3] - barriers[:, 1])
    upright = barriers[steep]
    bars = np.stack([
        upright[:, [0, 2]].mean(axis=1), upright[:, [1, 3]].min(axis=1), upright[:, [1, 3]].max(axis=1)
    ], axis=1)  # fmt: skip
    rows = [reads[place] for place in chosen]
    frames = np.array([(read.baseline, read.height) for read in rows])
    spans = np.array([(read.boxes[:, 0].min(), read.boxes[:, 2].max()) for read in rows])
    boxes = turned_boxes(ink.boxes[loose], quarter)
    return _Parts(
        frames,
        spans,
        np.array([bool(np.median(ink.width[read.row.pieces]) < 0) for read in rows]),
        loose, boxes, ink.width[loose] < 0,
        (np.array([flag[read.row.glyphs[0][0]] for read in rows], np.int64), flag[loose]),
        _minus(boxes, frames, spans[:, 0]), _stacked(boxes, frames, spans[:, 0]), bars, _steps(rows),
        np.array([read.boxes[[0, -1]][:, [0, 2]].mean(axis=1) for read in rows]),
    )  # fmt: skip


def _steps(rows: Sequence[ReadRow]) -> Array:
    """(k,) the step of each row, which is the usual one of the rows as high as it."""
    heights = np.array([read.height for read in rows])
    own = np.array([even_step(read.boxes) or np.nan for read in rows], float)
    is_long = np.array([len(read.boxes) >= FEW for read in rows], bool)
    steps = np.full(len(rows), np.nan)
    for place, height in enumerate(heights.tolist()):
        alike = own[is_long & (np.abs(heights - height) <= LEVEL * height)]
        is_even = np.isfinite(alike)
        if is_even.sum() >= max(FEWEST_EVEN, EVEN_ROWS * len(alike)):
            steps[place] = np.median(alike[is_even])
    return steps


def _own(ink: Ink, read: ReadRow) -> list[int]:
    """The pieces of a row that stand where its letters do: a point of the line over it may have joined it."""
    pieces = read.row.pieces
    boxes = turned_boxes(ink.boxes[pieces], read.quarter)
    within = _within(boxes, read.baseline, read.height)
    return [piece for piece, fits in zip(pieces, within.tolist(), strict=True) if fits]


def _within(boxes: Array, base: float, height: float) -> Flags:
    middle = (boxes[:, 1] + boxes[:, 3]) / 2 - base
    return np.asarray((middle >= -BELOW * height) & (middle <= (1.0 + ABOVE) * height))


def _lines(ink: Ink, reads: Sequence[ReadRow], chosen: list[int], parts: _Parts) -> list[tuple[list[int], Row]]:
    done = np.zeros(len(chosen), bool)
    used = np.zeros(len(parts.loose), bool)
    lines = []
    for seed in np.argsort(parts.spans[:, 0], kind="stable").tolist():
        if done[seed]:
            continue
        rows, pieces = _grown(parts, seed, done, used)
        pieces = _without_ends(parts, rows, pieces)
        done[rows] = True
        used[pieces] = True
        before = [piece for row in rows for glyph in reads[chosen[row]].row.glyphs for piece in glyph]
        own = [piece for row in rows for piece in _own(ink, reads[chosen[row]])]
        if len(rows) + len(pieces) > 1 or len(own) < len(before):
            whole = own + parts.loose[pieces].tolist()
            first = reads[chosen[seed]]
            lines.append(([chosen[row] for row in rows], regrouped(ink, whole, first.quarter, first.height)))
    return lines


def _grown(parts: _Parts, seed: int, done: Flags, used: Flags) -> tuple[list[int], list[int]]:
    """The rows and the loose pieces of the line that one row is of."""
    base, height = parts.frames[seed]
    rows = [seed]
    pieces: list[int] = []
    near = np.abs(parts.frames[:, 0] - base) <= LEVEL * height
    near &= (np.abs(parts.frames[:, 1] - height) <= LIKE * height) & (parts.filled == parts.filled[seed]) & ~done
    near &= parts.flags[0] == parts.flags[0][seed]
    near[seed] = False
    low, high = parts.boxes[:, 1] - base, parts.boxes[:, 3] - base
    fits = _within(parts.boxes, base, height) & (high - low <= TALL * height) & ~used
    fits &= (parts.boxes[:, 2] - parts.boxes[:, 0] <= WIDEST * height) & (parts.is_fill == parts.filled[seed])
    fits &= parts.flags[1] == parts.flags[0][seed]
    fits &= ~_minus_of_others(parts, base, height) & ~_small_of_others(parts, seed)
    fits &= parts.stacked >= SMALLER * height  # else zeros of deviations
    walls = parts.bars[(parts.bars[:, 1] <= base + height / 2) & (parts.bars[:, 2] >= base + height / 2), 0]
    tall = (high - low >= TALL * height) & (low <= 0.2 * height) & (high >= 0.8 * height)
    walls = np.concatenate([walls, parts.boxes[tall][:, [0, 2]].mean(axis=1)])
    left, right = parts.spans[seed]
    ends, step = parts.ends[seed].tolist(), float(parts.steps[seed])
    strokes = fits & _are_bare_strokes(parts, base, height)
    middles = parts.boxes[:, [0, 2]].mean(axis=1)
    while True:
        row, row_gap = _nearest(parts.spans, near, left, right, height * NEXT, walls)
        piece, piece_gap = _nearest(parts.boxes[:, [0, 2]], fits, left, right, height * LOOSE, walls)
        if row < 0 and piece < 0:
            piece = _next_on_grid(np.stack([middles, middles], axis=1), fits & strokes, ends, step, walls)
            row = _next_on_grid(parts.ends, near, ends, step, walls) if piece < 0 else -1
        if row < 0 and piece < 0:
            return rows, pieces
        if piece >= 0 and (row < 0 or piece_gap <= row_gap):
            pieces.append(piece)
            fits[piece] = False
            left, right = min(left, parts.boxes[piece, 0]), max(right, parts.boxes[piece, 2])
            ends = [min(ends[0], middles[piece]), max(ends[1], middles[piece])]
        else:
            rows.append(row)
            near[row] = False
            left, right = min(left, parts.spans[row, 0]), max(right, parts.spans[row, 1])
            ends = [min(ends[0], parts.ends[row, 0]), max(ends[1], parts.ends[row, 1])]


def _are_bare_strokes(parts: _Parts, base: float, height: float) -> Flags:
    """(n,) which loose pieces are upright strokes that stand on a baseline, as high as letters."""
    left, low, right, high = parts.boxes.T
    is_tall = (high - low >= TALL_STROKE[0] * height) & (high - low <= TALL_STROKE[1] * height)
    return np.asarray(is_tall & (right - left <= BARE * height) & (np.abs(low - base) <= LEVEL * height), bool)


def _next_on_grid(middles: Array, chosen: Flags, ends: Sequence[float], step: float, walls: Array) -> int:
    """Which of the chosen begins or ends one step from the line whose first and last letters have their middles at `ends`; -1 of none.

    In lettering of even width a bare stroke stands a whole step from its neighbours, further than letters of other lettering do.
    middles: (n, 2) of the first and the last letter of each.
    """
    for end, other, ahead in ((ends[1], 0, 1.0), (ends[0], 1, -1.0)):
        off = np.abs(ahead * (middles[:, other] - end) - step)
        for place in np.flatnonzero(chosen & (off <= OFF_GRID * step)).tolist():
            begin, behind = sorted((end, float(middles[place, other])))
            if not ((walls > begin) & (walls < behind)).any():
                return int(place)
    return -1


def _minus_of_others(parts: _Parts, base: float, height: float) -> Flags:
    """(n,) which loose pieces are no dash of a line, by where they stand, but the minus of a row behind them: of a lower deviation."""
    middle = (parts.boxes[:, 1] + parts.boxes[:, 3]) / 2
    off = (middle < base + MIDDLE[0] * height) | (middle > base + MIDDLE[1] * height)
    return np.asarray(parts.minus & off, bool)


def _small_of_others(parts: _Parts, seed: int) -> Flags:
    """(n,) which loose pieces are small and over or under the letters of the line of a row, and at those of a row over or under that.

    Where lines stand close, the bar of a ± and a comma are nearer to the line below than their own digits are.
    """
    left, low, right, high = parts.boxes.T
    (base, height), (begin, end) = parts.frames[seed], parts.spans[seed]
    middle = (low + high) / 2
    bases, heights = parts.frames.T
    lap = np.minimum(parts.spans[:, 1], end) - np.maximum(parts.spans[:, 0], begin)
    others = (np.abs(bases - base) >= OTHER * height) & (lap >= (end - begin) / 2)
    part = (middle[:, None] - bases) / heights
    away = np.maximum(parts.spans[:, 0] - right[:, None], left[:, None] - parts.spans[:, 1])
    within = (part >= -OUTSIDE) & (part <= 1 + OUTSIDE) & (away <= BESIDE_OTHER * heights) & others
    outside = (middle < base - OUTSIDE * height) | (middle > base + (1 + OUTSIDE) * height)
    return np.asarray((high - low <= LOW * height) & outside & within.any(axis=1), bool)


def _minus(boxes: Array, frames: Array, begins: Array) -> Flags:
    """(n,) which loose pieces are flat and stand before a row as its minus. boxes: (n, 4); frames: (k, 2), begins: (k,) of the rows."""
    left, low, right, high = boxes.T
    minus = right - left >= DASH * (high - low)
    places = np.flatnonzero(minus)
    bases, heights = frames.T
    part = ((low + high)[places, None] / 2 - bases) / heights
    before = (begins - right[places, None]) / heights
    is_before = (part >= MIDDLE[0]) & (part <= MIDDLE[1]) & (before >= 0) & (before <= LOOSE)
    minus[places] = is_before.any(axis=1)
    return np.asarray(minus, bool)


def _stacked(boxes: Array, frames: Array, begins: Array) -> Array:
    """(n,) the `stacked` of loose pieces. boxes: (n, 4); frames: (k, 2), begins: (k,) of the rows."""
    left, low, right, high = boxes.T
    middle, size, least = (left + right) / 2, high - low, np.full(len(boxes), np.inf)
    for (base, of), begin in zip(frames.tolist(), begins.tolist(), strict=True):
        gap = np.maximum(low - (base + of), base - high)
        stacked = (gap >= 0) & (gap <= of) & (middle >= begin) & (middle <= begin + 2 * of)
        stacked &= np.abs(size - of) <= LIKE * of
        least[stacked & (least > of)] = of
    return least


def _without_ends(parts: _Parts, rows: list[int], pieces: list[int]) -> list[int]:
    """The loose pieces of a line without what may be geometry beside it."""
    height, kept = parts.frames[rows[0], 1], list(pieces)
    while kept:
        spans = np.concatenate([parts.spans[rows], parts.boxes[kept][:, [0, 2]]])
        for place, piece in enumerate(kept):
            box, others = parts.boxes[piece], np.delete(spans, len(rows) + place, axis=0)
            gap = max(float(box[0] - others[:, 1].max()), float(others[:, 0].min() - box[2]))
            if gap > BESIDE * height and box[3] - box[1] < LOW * height:
                kept.remove(piece)
                break
        else:
            return kept
    return kept


def _nearest(spans: Array, chosen: Flags, left: float, right: float, reach: float, walls: Array) -> tuple[int, float]:
    """Which of the chosen spans is the nearest to a line from `left` to `right` with no wall before it, and how far away; -1 of none."""
    places = np.flatnonzero(chosen)
    if not len(places):
        return -1, np.inf
    of = spans[places]
    gaps = np.maximum(np.maximum(of[:, 0] - right, left - of[:, 1]), 0.0)
    for at in np.argsort(gaps, kind="stable").tolist():
        if gaps[at] > reach:
            return -1, np.inf
        begin, end = (right, of[at, 0]) if of[at, 0] > right else (of[at, 1], left)
        if gaps[at] == 0.0 or not ((walls > begin) & (walls < end)).any():
            return int(places[at]), float(gaps[at])
    return -1, np.inf
