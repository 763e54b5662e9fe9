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
from spatial.understanding.sheet.outlined.words import ON_A_GRID, WITH_BLANK, steady_step

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
FEWEST_EVEN, LIKE_STEP = 3, 0.1
"""Rows of letters of even width that tell the step of others, and part by which the heights of these differ."""
SAME_STEP: Final = 0.03
"""Part by which the steps of two rows of one line differ."""
SHORT: Final = 4
"""Letters of a row that does not tell its baseline and its capital height: all of them may be small ones or reach below the line."""
LEAST, HIGHEST = 0.55, 1.15
"""Capital heights of the tops of the highest letter of such a row."""


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
    ends: Array
    """(k, 2) the middles of the first and the last letter of the rows"""
    steps: Array
    """(k,) from one letter to the next where all take the same width; not a number of others."""
    reached: Array
    """(k, 3) lowest and highest foot, and highest top, of the letters of short rows; not numbers of longer ones."""


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
        _minus(boxes, frames, spans[:, 0]), _stacked(boxes, frames, spans[:, 0]), bars,
        np.array([read.boxes[[0, -1]][:, [0, 2]].mean(axis=1) for read in rows]), _steps(rows),
        np.array([_reached(read) for read in rows]),
    )  # fmt: skip


def _steps(rows: Sequence[ReadRow]) -> Array:
    """(k,) the steps of rows, those of rows that do not show theirs as that of longer ones in lettering as high, where most have it."""
    own = np.array([np.nan if (step := steady_step(read.boxes)) is None else step for read in rows])
    shown, heights = own.copy(), np.array([read.height for read in rows])
    long = np.array([len(read.boxes) > SHORT for read in rows], bool)
    for place in np.flatnonzero(np.isnan(own)).tolist():
        alike = shown[long & (np.abs(heights - heights[place]) <= LIKE_STEP * heights[place])]
        if np.count_nonzero(~np.isnan(alike)) >= max(FEWEST_EVEN, len(alike) / 2):
            own[place] = np.nanmedian(alike)
    return own


def _reached(read: ReadRow) -> tuple[float, float, float]:
    if len(read.boxes) > SHORT:
        return np.nan, np.nan, np.nan
    low, high = read.boxes[:, 1], read.boxes[:, 3]
    return float(low.min()), float(low.max()), float(high.max())


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
    step = float(parts.steps[seed])
    first, last = parts.ends[seed].tolist()
    within = _within_line(parts, seed) & ~done & ~near
    within[seed] = False
    is_short = ~np.isnan(parts.reached[:, 0])
    as_wide = is_short | np.isnan(parts.steps) | (np.abs(parts.steps - step) <= SAME_STEP * step)
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
    middles = parts.boxes[:, [0, 2]].mean(axis=1)
    while True:
        on_step = _on_step(parts.ends, (near | within) & as_wide, first, last, step)
        reach = np.where(on_step, np.inf, height * NEXT)
        row, row_gap = _nearest(parts.spans, near | (within & on_step), left, right, reach, walls)
        on_step = _on_step(np.stack([middles, middles], axis=1), fits, first, last, step)
        reach = np.where(on_step, np.inf, height * LOOSE)
        piece, piece_gap = _nearest(parts.boxes[:, [0, 2]], fits, left, right, reach, walls)
        if row < 0 and piece < 0:
            return rows, pieces
        if piece >= 0 and piece_gap <= row_gap:
            pieces.append(piece)
            fits[piece] = False
            first, last = min(first, float(middles[piece])), max(last, float(middles[piece]))
            left, right = min(left, parts.boxes[piece, 0]), max(right, parts.boxes[piece, 2])
        else:
            rows.append(row)
            near[row] = within[row] = False
            first, last = min(first, float(parts.ends[row, 0])), max(last, float(parts.ends[row, 1]))
            left, right = min(left, parts.spans[row, 0]), max(right, parts.spans[row, 1])


def _within_line(parts: _Parts, seed: int) -> Flags:
    """(k,) which short rows of the lettering of a row may be of its line though they do not tell where that stands: `you` has a foot lower
    than its line, and no capital.
    """
    base, height = parts.frames[seed]
    lowest, foot, top = ((each - base) / height for each in parts.reached.T)
    fits = (lowest >= -BELOW) & (np.abs(foot) <= LEVEL) & (top >= LEAST) & (top <= HIGHEST)
    return np.asarray(fits & (parts.filled == parts.filled[seed]) & (parts.flags[0] == parts.flags[0][seed]), bool)


def _on_step(ends: Array, chosen: Flags, first: float, last: float, step: float) -> Flags:
    """(m,) which of the chosen stand beside a line as its next letter does, or the one behind a blank, where all take the same width.

    ends: (m, 2) the middles of the first and the last letter of each; first, last: those of the line.
    """
    found = np.zeros(len(chosen), bool)
    if np.isnan(step):
        return found
    places = np.flatnonzero(chosen)
    behind, before = (ends[places, 0] - last) / step, (first - ends[places, 1]) / step
    away = np.maximum(behind, before)
    count = np.rint(away)
    found[places] = (np.abs(away - count) <= ON_A_GRID) & (count >= 1) & (count <= WITH_BLANK)
    return found


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


def _nearest(spans: Array, chosen: Flags, left: float, right: float, reach: Array, walls: Array) -> tuple[int, float]:
    """Which of the chosen spans is the nearest to a line from `left` to `right` with no wall before it, and how far away; -1 of none.

    reach: (m,) how far away each may be.
    """
    places = np.flatnonzero(chosen)
    if not len(places):
        return -1, np.inf
    of = spans[places]
    gaps = np.maximum(np.maximum(of[:, 0] - right, left - of[:, 1]), 0.0)
    for at in np.argsort(gaps, kind="stable").tolist():
        if gaps[at] > reach[places[at]]:
            continue
        begin, end = (right, of[at, 0]) if of[at, 0] > right else (of[at, 1], left)
        if gaps[at] == 0.0 or not ((walls > begin) & (walls < end)).any():
            return int(places[at]), float(gaps[at])
    return -1, np.inf
