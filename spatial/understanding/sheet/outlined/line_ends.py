"""Ends of dimension lines and of leaders among the components of a sheet: beside a size they look like a sign or a letter of it.

ISO 129-1 and ASME Y14.5 end a dimension line in an arrowhead whose tip stands on an extension line, interrupt the line for its size, and
let a leader end in a level landing beside what it says. The size then stands between pieces that are as low, as high or as long as a
minus, a point or a bracket is.

Glossary
  shaft    the line behind an arrowhead, along its axis.
  landing  the last part of a leader, which begins where a long line ends and ends free.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import shapely

from spatial.models.sheet.drawing import Array, Flags, Indices, Sheet
from spatial.understanding.sheet.leaders.arrowheads import Heads, heads
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.letters import TOUCHING

NEAR: Final = 0.05
"""Lengths of an arrowhead within which what is drawn at it touches it: exporters round, and pens have a width."""
HALF_WIDTH: Final = 0.62
"""Half of its width in its lengths, at most."""
WINGS: Final = (0.8, 1.1)
"""Lengths of an arrowhead behind its tip where its corners are."""
INSIDE: Final = (0.5, 1.2)
"""Lengths of an arrowhead behind its tip where it is, and where its shaft is."""
SHAFT: Final = 0.4
"""Lengths of an arrowhead that its shaft is long at least."""
ACROSS: Final = 0.6
"""Sine of the angle from the axis of an arrowhead from which a line runs across it."""
ALONG: Final = 0.05
"""The same within which a line runs along it."""
MOST_EDGES, MOST_OUTLINED = 40, 200
"""Of a component that is an arrowhead: filled areas are drawn as fans of strokes, and an outline goes round the ends of its lines."""
EXTENSION: Final = 1.5
"""Lengths of an arrowhead from which a line at its tip is an extension line."""
SLENDER: Final = 8.0
"""Length of a stroke in its thickness, at least, where it is drawn as its outline."""


def without_line_ends(sheet: Sheet, ink: Ink) -> Ink:
    """The components that are no ends of dimension lines and of leaders."""
    found = find_line_ends(sheet, ink)
    return _without(ink, found) if found.any() else ink


def find_line_ends(sheet: Sheet, ink: Ink) -> Flags:
    """(k,) which components are arrowheads at extension lines, with these or without, the shaft behind one, or a landing that goes on
    with a long line.
    """
    found = _landings(sheet, ink)
    arrows = _arrows(sheet, ink)
    if not len(arrows):
        return found
    first = np.searchsorted(ink.of, np.arange(len(ink.boxes) + 1))
    for place, numbers in _beside_arrows(ink, np.diff(first), arrows).items():
        found[place] |= _is_of_arrows(ink.edges[first[place] : first[place + 1]], arrows, numbers)
    return found


def _beside_arrows(ink: Ink, edges: Indices, arrows: Heads) -> dict[int, list[int]]:
    """The arrowheads that each component may be of, or the shaft behind. edges: (k,) how many each has."""
    few = edges <= np.where(ink.width < 0, MOST_OUTLINED, MOST_EDGES)
    boxes = shapely.STRtree(shapely.box(*ink.boxes[few].T))
    places = np.flatnonzero(few)
    pairs: set[tuple[int, int]] = set()
    for reach in INSIDE:
        middles = arrows.tips - reach * arrows.lengths[:, None] * arrows.ways
        arrow, hit = boxes.query(shapely.points(middles), predicate="dwithin", distance=NEAR * arrows.lengths)
        pairs.update(zip(places[hit].tolist(), arrow.tolist(), strict=True))
    beside: dict[int, list[int]] = {}
    for place, number in sorted(pairs):
        beside.setdefault(place, []).append(number)
    return beside


def _is_of_arrows(edges: Array, arrows: Heads, numbers: list[int]) -> bool:
    """Whether edges are arrowheads, their shafts, and the extension lines at which these stand, or some of them."""
    explained, is_end = np.zeros(2 * len(edges), bool), False
    for number in numbers:
        tip, way, length = arrows.tips[number], arrows.ways[number], arrows.lengths[number]
        points = tip - edges.reshape(-1, 2)
        behind, aside = points @ way / length, (points[:, 0] * way[1] - points[:, 1] * way[0]) / length
        in_head = (behind >= -NEAR) & (behind <= WINGS[1])
        in_head &= np.abs(aside) <= HALF_WIDTH * np.maximum(behind, 0) + NEAR
        on_axis = (behind >= -NEAR) & (np.abs(aside) <= NEAR)
        explained |= in_head | on_axis | (np.abs(behind) <= NEAR)
        wings = in_head & (behind >= WINGS[0])
        has_both = bool((wings & (aside > NEAR)).any() and (wings & (aside < -NEAR)).any())
        is_end |= bool((has_both and np.abs(behind).min() <= NEAR) or on_axis.all())
    return is_end and bool(explained.all())


def _arrows(sheet: Sheet, ink: Ink) -> Heads:
    """The arrowheads whose tip stands on a line that runs across them, and behind which a line runs along their axis."""
    every = heads(sheet)
    straight = sheet.strokes.ends[~sheet.strokes.curved]
    lines = np.concatenate([ink.barriers, straight])
    if not len(every) or not len(lines):
        return _chosen(every, np.zeros(len(every), bool))
    at_line = _chosen(every, _meets(lines, every, every.tips, across=True))
    return _chosen(
        at_line, _meets(straight, at_line, at_line.tips - at_line.ways * at_line.lengths[:, None], across=False)
    )


def _meets(lines: Array, every: Heads, points: Array, *, across: bool) -> Flags:
    """(n,) whether a line meets the point of each arrowhead: one that runs across it, or one that goes on behind it along its axis."""
    met = np.zeros(len(every), bool)
    tree = shapely.STRtree(shapely.linestrings(lines.reshape(-1, 2, 2)))
    head, line = tree.query(shapely.points(points), predicate="dwithin", distance=NEAR * every.lengths)
    spans = lines[line, 2:] - lines[line, :2]
    run, ways = np.hypot(spans[:, 0], spans[:, 1]), every.ways[head]
    sine = np.abs(spans[:, 0] * ways[:, 1] - spans[:, 1] * ways[:, 0])
    if across:
        met[head[(sine >= ACROSS * run) & (run >= EXTENSION * every.lengths[head])]] = True
        return met
    ends = points[head][:, None] - lines[line].reshape(-1, 2, 2)
    beyond = (ends * ways[:, None]).sum(axis=2).max(axis=1)
    lengths = every.lengths[head]
    met[head[(sine <= ALONG * run) & (run >= SHAFT * lengths) & (beyond >= NEAR * lengths)]] = True
    return met


def _chosen(every: Heads, which: Flags) -> Heads:
    return Heads(every.tips[which], every.ways[which], every.lengths[which])


def _landings(sheet: Sheet, ink: Ink) -> Flags:
    """(k,) which components are one slender stroke that begins where a line ends which is longer than any letter."""
    found = np.zeros(len(ink.boxes), bool)
    spans = sheet.strokes.ends[:, 2:] - sheet.strokes.ends[:, :2]
    long = (np.hypot(spans[:, 0], spans[:, 1]) > ink.largest) & ~sheet.strokes.curved
    low, high = _extents(ink)
    length, thickness = (high - low).max(axis=1, initial=0.0), (high - low).min(axis=1, initial=np.inf)
    slender = np.flatnonzero((length > 0) & (length >= SLENDER * thickness))
    if not long.any() or not len(slender):
        return found
    tree = shapely.STRtree(shapely.points(sheet.strokes.ends[long].reshape(-1, 2)))
    low, high = low[slender], high[slender]
    along = np.arange(2) == (high - low).argmax(axis=1)[:, None]
    reach = TOUCHING * ink.largest + thickness[slender]
    for side in (low, high):
        ends = np.where(along, side, (low + high) / 2)
        found[slender[tree.query(shapely.points(ends), predicate="dwithin", distance=reach)[0]]] = True
    return found


def _extents(ink: Ink) -> tuple[Array, Array]:
    """(k, 2) the least and the greatest corner of each component as it is drawn: outlines have the width of their strokes."""
    low, high = ink.boxes[:, :2].copy(), ink.boxes[:, 2:].copy()
    for ends in (ink.edges[:, :2], ink.edges[:, 2:]):
        np.minimum.at(low, ink.of, ends)
        np.maximum.at(high, ink.of, ends)
    return low, high


def _without(ink: Ink, left_out: Flags) -> Ink:
    """The ink without some of its components."""
    kept = ~left_out
    moved = np.append(np.where(kept, np.cumsum(kept) - 1, -1), -1)
    stays = kept[ink.of]
    gone = [np.append(left_out, False)[of] for of in (ink.fills, ink.strokes, ink.arcs)]
    return replace(
        ink,
        boxes=ink.boxes[kept],
        width=ink.width[kept],
        bars=ink.bars[kept],
        edges=ink.edges[stays],
        of=moved[ink.of[stays]],
        fills=moved[ink.fills],
        strokes=moved[ink.strokes],
        arcs=moved[ink.arcs],
        freed=None if ink.freed is None else ink.freed[kept],
        apart=None if ink.apart is None else _without(ink.apart, _all_gone(ink.apart, gone)),
    )


def _all_gone(ink: Ink, gone: list[Flags]) -> Flags:
    """(k,) of which components all is gone. gone: whether each fill, stroke and arc of the sheet is."""
    stays = np.zeros(len(ink.boxes) + 1, bool)
    has = np.zeros(len(ink.boxes) + 1, bool)
    for of, left in zip((ink.fills, ink.strokes, ink.arcs), gone, strict=True):
        has[of], stays[of[~left]] = True, True
    return np.asarray(has[:-1] & ~stays[:-1], bool)
