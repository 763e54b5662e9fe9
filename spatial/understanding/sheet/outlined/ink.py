"""What is drawn small enough to be a part of a letter, and what of it touches: the components that glyphs are made of.

Glossary
  piece      one filled outline, or one straight piece of a stroke or arc.
  component  pieces that touch.
  barrier    a stroke too long to be of a letter: a rule line, an edge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import shapely

from spatial.geometry.raster import pen
from spatial.models.sheet.drawing import Array, Flags, Indices, Sheet, Strokes
from spatial.understanding.sheet.outlined.cut_letters import fills_along
from spatial.understanding.sheet.outlined.leaders import find_landings
from spatial.understanding.sheet.outlined.letters import FACET, LARGEST, TOUCHING
from spatial.understanding.sheet.outlined.steps import without_steps
from spatial.understanding.sheet.outlined.touching import TooMuchInk, Touching, find_touching, polygons

MANY_PIECES: Final = 60_000
"""Pieces of a sheet, without the steps of its curves, from which its lettering is not read: there would be no end to it."""
LONG: Final = 0.5
"""Part of the largest letter from which a stroke is longer than those of usual lettering: a barrier."""
SLACK: Final = 1.3
"""Part of the largest letter that a component is large at most."""
THIN_PEN: Final = 0.075
"""Pen that strokes without a width are drawn with, in heights of what they are of."""
LEANING, OFF_CROSS, UNEVEN_CROSS = 0.05, 0.12, 0.35
"""Widths of the cross of a ± by which its strokes lean, by which they and its bar are off their places, and by which one is longer."""
MANY_OUTLINES: Final = 60
"""Outlines of one component from which it is no letter, and its counters need not be told."""
ARROWHEAD, WHOLE = 5, 3
"""Corners of a filled arrowhead at most, and pieces of what is cut off a long line and may be a letter: a shelf or a barb is fewer."""
THIN_RULE: Final = 0.08
"""Part of the largest letter that a filled rule line is thick at most."""
PIECES_OF_RULE, PIECE_OF_RULE = 3, 0.1
"""Pieces of a rule line that is drawn cell by cell at least, and part of the length of a barrier that each of them is long."""
ARC_STEP: Final = 20.0
"""Degrees of an arc that one piece stands for."""


@dataclass(slots=True)
class Ink:
    """The small drawn things of a sheet, k components."""

    boxes: Array
    """(k, 4) x least, y least, x greatest, y greatest, without the width of strokes."""
    width: Array
    """(k,) of the pen; -1 of filled ones."""
    bars: Flags
    """(k,) whether it is one straight stroke of a width that no long stroke has: a filled bar, as I and - are."""
    edges: Array
    """(e, 4) of closed outlines that turn as the winding rule needs; of strokes, their middle lines."""
    of: Indices
    """(e,) component of each edge, ascending."""
    barriers: Array
    """(b, 4)"""
    largest: float
    """How high a letter may be, in the sheet's units."""
    fills: Indices
    """(f,) component of each fill of the sheet; -1 of none."""
    strokes: Indices
    """(s,) component of each stroke of the sheet; -1 of none."""
    arcs: Indices
    """(a,) component of each arc of the sheet; -1 of none."""
    freed: Flags | None = None
    """(k,) which were cut off larger components; None where none was. A corner of a view that was cut off looks like a letter too."""
    dividers: Array = field(default_factory=lambda: np.zeros((0, 4)))
    """(d, 4) short rule lines between the cells of a row, which stand upright on two barriers."""
    filled_rules: Array = field(default_factory=lambda: np.zeros((0, 4)))
    """(r, 4) the middle lines of fills that are as thin as rule lines and longer than letters: old plotters paint wide lines so."""
    apart: Ink | None = None
    """The strokes alone, of one component only where their middle lines meet: letters whose pens touch are apart. None where all meet."""


def ink_of(ink: Ink, places: Indices) -> Ink:
    """Some of the components of a sheet, ascending, among its barriers."""
    first = np.searchsorted(ink.of, np.arange(len(ink.boxes) + 1))
    edges = [ink.edges[first[place] : first[place + 1]] for place in places.tolist()]
    of = np.repeat(np.arange(len(edges)), [len(each) for each in edges])
    none = np.zeros(0, np.int64)
    return Ink(
        ink.boxes[places], ink.width[places], ink.bars[places], np.concatenate(edges), of,
        ink.barriers, ink.largest, none, none, none,
    )  # fmt: skip


def find_ink(sheet: Sheet, fills: Flags, strokes: Flags, arcs: Flags | None = None) -> Ink:
    """The components of a sheet.

    fills, strokes, arcs: which of the sheet's fills, strokes and arcs may be of letters; arcs where not given: all, if any stroke may be.
    Raises: TooMuchInk.
    """
    try:
        return _found_ink(sheet, fills, strokes, arcs, is_smoothed=False)
    except TooMuchInk:
        return _found_ink(sheet, fills, strokes, arcs, is_smoothed=True)


def _found_ink(sheet: Sheet, fills: Flags, strokes: Flags, arcs: Flags | None, *, is_smoothed: bool) -> Ink:
    """The components of a sheet. is_smoothed: whether strokes are joined that are steps of one curve.

    Raises: TooMuchInk.
    """
    left, bottom, right, top = sheet.box
    largest = LARGEST * min(right - left, top - bottom)
    length = np.hypot(*(sheet.strokes.ends[:, 2:] - sheet.strokes.ends[:, :2]).T)
    small = (length <= largest) & strokes & ~sheet.strokes.dashed
    in_pieces = _drawn_in_pieces(sheet.strokes, small, LONG * largest, TOUCHING * largest)
    dividers = _dividers(sheet.strokes, small, (length > LONG * largest) | in_pieces, TOUCHING * largest)
    small &= ~dividers
    length[in_pieces] = np.inf  # each parts lettering as the whole line does
    small &= ~find_landings(sheet, small, TOUCHING * largest)
    filled = _small_fills([fill.points for fill in sheet.fills], fills, largest)
    outlines = [_closed(sheet.fills[place].points) for place in filled]
    facet = np.array([len(points) <= FACET for points in outlines], bool)
    along, short = np.full(len(small), -1, np.int64), length <= largest
    along[short] = fills_along(sheet.strokes.ends[short], outlines, facet, TOUCHING * largest)
    chosen = np.flatnonzero(small & (along < 0))
    if arcs is None:
        stroked = strokes if sheet.strokes.filled is None else strokes & ~sheet.strokes.filled
        arcs = np.full(len(sheet.arcs.circles), bool(stroked.any()))
    round_ = np.flatnonzero(arcs & (sheet.arcs.circles[:, 2] * 2 <= largest) & ~sheet.arcs.dashed)
    chords, of_arc = _chords(sheet.arcs.circles[round_])
    straight, of_stroke = sheet.strokes.ends[chosen], np.arange(len(chosen))
    if is_smoothed:
        straight, of_stroke = without_steps(straight, sheet.strokes.width[chosen], TOUCHING * largest)
    if len(straight) + len(filled) + len(chords) > MANY_PIECES:
        raise TooMuchInk(len(straight) + len(filled) + len(chords))
    drawn = chosen[np.searchsorted(of_stroke, np.arange(len(straight)))]
    lines = np.concatenate([straight, chords])
    widths = np.concatenate([sheet.strokes.width[drawn], sheet.arcs.width[round_][of_arc]])
    touching = find_touching(outlines, facet, lines, widths, TOUCHING * largest)
    places = (np.array(filled, np.int64), drawn, round_, of_arc)
    of_rules = np.concatenate([in_pieces[drawn], np.zeros(len(chords), bool)])
    label, freed = _components(touching, outlines, lines, of_rules, largest)
    label = _with_bars(label, lines, len(outlines))
    ink = _ink(sheet, outlines, lines, widths, label, largest, length, places, dividers, of_rules)
    if freed.any():
        of = np.concatenate([ink.fills[filled], ink.strokes[drawn], ink.arcs[round_][of_arc]])[freed]
        ink.freed = np.isin(np.arange(len(ink.boxes)), of)
    ink.strokes[chosen] = ink.strokes[drawn[of_stroke]]
    ink.strokes[along >= 0] = ink.fills[places[0]][along[along >= 0]]
    ink.filled_rules = _filled_rules(sheet, largest)
    if not touching.meet.all():
        apart = _with_bars(touching.components_of_lines(), lines, 0)
        ink.apart = _ink(
            sheet, [], lines, widths, apart, largest, length, (np.zeros(0, np.int64), *places[1:]), dividers, of_rules
        )
    return ink


def _filled_rules(sheet: Sheet, largest: float) -> Array:
    """The middle lines (r, 4) of fills that are thin and long, along a side of the sheet."""
    plain = [fill.points for fill in sheet.fills if len(fill.points) <= ARROWHEAD]
    boxes = np.array([(*points.min(axis=0), *points.max(axis=0)) for points in plain]).reshape(-1, 4)
    size = boxes[:, 2:] - boxes[:, :2]
    boxes = boxes[(size.min(axis=1) <= THIN_RULE * largest) & (size.max(axis=1) > LONG * largest)]
    middles, is_level = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2] - boxes[:, 0]) > (boxes[:, 3] - boxes[:, 1])
    level = np.stack([boxes[:, 0], middles[:, 1], boxes[:, 2], middles[:, 1]], axis=1)
    upright = np.stack([middles[:, 0], boxes[:, 1], middles[:, 0], boxes[:, 3]], axis=1)
    return np.where(is_level[:, None], level, upright)


def _components(
    touching: Touching, outlines: list[Array], lines: Array, of_rules: Flags, largest: float
) -> tuple[Indices, Flags]:
    """The component of each outline and then of each line, and which of them were cut off a larger one.

    A letter that a dimension line or a leader touches is not of one with it. of_rules: which lines are pieces of a rule line.
    """
    label = touching.components()
    length = np.hypot(*(lines[:, 2:] - lines[:, :2]).T)
    none = np.zeros(len(outlines), bool)
    long = np.concatenate([none, (length > LONG * largest) | of_rules])
    whole = np.array([len(points) > ARROWHEAD for points in outlines] + [False] * len(lines), bool)
    is_large = _sizes(outlines, lines, label) > SLACK * largest
    is_large[label[len(outlines) :][of_rules]] = True
    has_both = np.isin(np.arange(len(is_large)), label[long]) & np.isin(np.arange(len(is_large)), label[whole])
    cut = (is_large | has_both)[label]
    if not cut.any():
        return label, cut
    parts = touching.components_cut(cut, long)
    pieces = [WHOLE if each else 1 for each in whole.tolist()]
    is_letter = (np.bincount(parts, pieces) >= WHOLE) & (_sizes(outlines, lines, parts) <= LONG * largest)
    rest = cut & (long | ~is_letter[parts])
    parts[rest] = len(is_letter) + np.where(
        is_large[label[rest]], 0, 1 + label[rest]
    )  # of the large ones one, which is no letter
    return np.asarray(np.unique(parts, return_inverse=True)[1], np.int64), cut & ~rest


def _sizes(outlines: list[Array], lines: Array, label: Indices) -> Array:
    """(k,) the larger side of each component."""
    boxes = _boxes(outlines, lines, label)[0]
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0))


def _dividers(strokes: Strokes, small: Flags, long: Flags, slack: float) -> Flags:
    """(n,) which small strokes stand upright on two long ones, one at either end: rule lines between the cells of a row.

    small, long: (n,) which strokes may be of letters, and which part them; slack: how near pieces touch.
    """
    dividers = np.zeros(len(small), bool)
    spans = np.abs(strokes.ends[:, 2:] - strokes.ends[:, :2])
    lines = shapely.linestrings(strokes.ends.reshape(-1, 2, 2))
    for along in (0, 1):
        upright = np.flatnonzero(small & (spans[:, along] <= LEANING * spans[:, 1 - along]))
        level = np.flatnonzero(long & (spans[:, 1 - along] <= LEANING * spans[:, along]))
        if not len(upright) or not len(level):
            continue
        tree = shapely.STRtree(lines[level])
        meets = np.ones(len(upright), bool)
        for end in (slice(0, 2), slice(2, 4)):
            reach = slack + float(strokes.width[level].max()) / 2
            hit = tree.query(shapely.points(strokes.ends[upright, end]), predicate="dwithin", distance=reach)[0]
            meets &= np.isin(np.arange(len(upright)), hit)
        dividers[upright[meets]] = True
    return dividers


def _drawn_in_pieces(strokes: Strokes, small: Flags, least: float, slack: float) -> Flags:
    """(n,) which small strokes are pieces of one rule line: programs that draw tables cell by cell put a piece at each cell.

    least: how long the line is that PIECES_OF_RULE of them or more make, end to end along a side of the sheet; slack: how near ends touch.
    """
    found = np.zeros(len(small), bool)
    one, two = strokes.ends[:, :2], strokes.ends[:, 2:]
    low, high = np.minimum(one, two), np.maximum(one, two)
    for along in (0, 1):
        is_level = high[:, 1 - along] - low[:, 1 - along] <= slack
        places = np.flatnonzero(small & is_level & (high[:, along] - low[:, along] > PIECE_OF_RULE * least))
        line = np.rint(low[places, 1 - along] / slack).astype(np.int64)
        order = np.lexsort((low[places, along], line))
        for run in _runs(places[order], line[order], low[:, along], high[:, along], slack):
            found[run] = len(run) >= PIECES_OF_RULE and high[run[-1], along] - low[run[0], along] > least
    return found


def _runs(places: Indices, line: Indices, low: Array, high: Array, slack: float) -> list[Indices]:
    """Strokes in the order of the lines that they are on, parted where one does not begin at the end of the one before."""
    ends = (np.diff(line) != 0) | (np.abs(low[places[1:]] - high[places[:-1]]) > slack)
    return np.split(places, np.flatnonzero(ends) + 1) if len(places) else []


def _with_bars(label: Indices, lines: Array, first: int) -> Indices:
    """The components, with the bar of a drawn ± of one with its cross.

    label: of the outlines and then of the lines; first: place of the first line in it.
    """
    of, count = label[first:], np.bincount(label, minlength=1)
    pairs = np.flatnonzero((count == 2) & (np.bincount(of, minlength=len(count)) == 2))
    two = np.argsort(of, kind="stable")[np.isin(np.sort(of), pairs)].reshape(-1, 2)
    alone = np.flatnonzero(count[of] == 1)
    middles, spans = (lines[:, :2] + lines[:, 2:]) / 2, np.abs(lines[:, 2:] - lines[:, :2])
    result = label.copy()
    for one, other in (*two.tolist(), *two[:, ::-1].tolist()):
        wide, deep = float(spans[one].max()), float(spans[other].max())
        along = int(spans[one].argmax())
        is_cross = (
            wide > 0
            and spans[one].min() <= LEANING * wide
            and spans[other, along] <= LEANING * deep
            and np.abs(middles[one] - middles[other]).max() <= OFF_CROSS * wide
            and abs(deep / wide - 1) <= UNEVEN_CROSS
        )
        if not is_cross:
            continue
        off = np.abs(middles[alone] - middles[one])
        bars = (spans[alone, 1 - along] <= LEANING * wide) & (np.abs(spans[alone, along] - wide) <= OFF_CROSS * wide)
        near = bars & (off[:, along] <= OFF_CROSS * wide) & (off[:, 1 - along] > deep / 2) & (off[:, 1 - along] < deep)
        if near.sum() == 1:
            result[first + alone[near]] = label[first + one]
    return np.asarray(np.unique(result, return_inverse=True)[1], np.int64)


def _small_fills(points: list[Array], chosen: Flags, largest: float) -> list[int]:
    """Places of the outlines that are no larger than a letter."""
    if not points:
        return []
    starts = np.cumsum([0, *(len(each) for each in points[:-1])])
    corners = np.concatenate(points)
    extent = np.maximum.reduceat(corners, starts) - np.minimum.reduceat(corners, starts)
    places: list[int] = np.flatnonzero(chosen & (extent.max(axis=1) <= largest)).tolist()
    return places


def _closed(points: Array) -> Array:
    if len(points) > 3 and points[0, 0] == points[-1, 0] and points[0, 1] == points[-1, 1]:
        return points[:-1]
    return points


def _chords(circles: Array) -> tuple[Array, Indices]:
    """Arcs as straight pieces, and the arc that each is of."""
    if not len(circles):
        return np.zeros((0, 4)), np.zeros(0, np.int64)
    sweep = np.where(circles[:, 4] - circles[:, 3] == 360.0, 360.0, (circles[:, 4] - circles[:, 3]) % 360.0)
    counts = np.maximum(np.ceil(sweep / ARC_STEP), 2).astype(np.int64)
    of = np.repeat(np.arange(len(circles)), counts)
    number = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    angles = np.radians(circles[of, 3, None] + (number[:, None] + np.array([0, 1])) * (sweep / counts)[of, None])
    points = circles[of, None, :2] + circles[of, 2, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=2)
    return points.reshape(-1, 4), of


def _ink(
    sheet: Sheet, outlines: list[Array], lines: Array, widths: Array, label: Indices, largest: float, length: Array,
    places: tuple[Indices, Indices, Indices, Indices], dividers: Flags, of_rules: Flags,
) -> Ink:  # fmt: skip
    filled, chosen, round_, of_arc = places
    boxes, count = _boxes(outlines, lines, label)
    fits = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0.0) <= SLACK * largest
    fits[label[len(outlines) :][of_rules]] = False
    number = np.where(fits, np.cumsum(fits) - 1, -1)
    of_piece = number[label] if count else label
    of_fill, of_line = of_piece[: len(outlines)], of_piece[len(outlines) :]
    pens = np.full(int(fits.sum()), -1.0)
    np.maximum.at(pens, of_line[of_line >= 0], widths[of_line >= 0])
    pens[of_fill[of_fill >= 0]] = -1.0
    if sheet.strokes.filled is not None:
        pens[_of_bars_alone(of_line, sheet.strokes.filled[chosen], len(pens))] = -1.0
    paths = np.array([sheet.fills[place].path for place in filled.tolist()], np.int64)
    edges, of = _edges(outlines, of_fill, paths, lines, of_line, widths, pens)
    fill_place, stroke_place = np.full(len(sheet.fills), -1, np.int64), np.full(len(length), -1, np.int64)
    arc_place = np.full(len(sheet.arcs.circles), -1, np.int64)
    fill_place[filled] = of_fill
    stroke_place[chosen] = of_line[: len(chosen)]
    arc_place[round_[of_arc]] = of_line[len(chosen) :]
    barriers = sheet.strokes.ends[length > LONG * largest]
    bars = (np.bincount(of, minlength=len(pens)) == 1) & (pens > 0)
    bars &= ~np.isin(np.round(pens, 3), np.round(sheet.strokes.width[length > LONG * largest], 3))
    return Ink(
        boxes[fits],
        pens,
        bars,
        edges,
        of,
        barriers,
        largest,
        fill_place,
        stroke_place,
        arc_place,
        dividers=sheet.strokes.ends[dividers],
    )


def _of_bars_alone(of_line: Indices, filled: Flags, count: int) -> Flags:
    """(count,) whether a component is of filled bars alone, as the stem of an l is.

    of_line: (n,) component of each line; filled: (m,) whether the first of them are bars.
    """
    others = np.bincount(of_line[of_line >= 0], minlength=count)
    bars = of_line[: len(filled)][filled]
    own = np.bincount(bars[bars >= 0], minlength=count)
    return np.asarray((own > 0) & (own == others))


def _boxes(outlines: list[Array], lines: Array, label: Indices) -> tuple[Array, int]:
    count = int(label.max(initial=-1)) + 1
    boxes = np.tile([np.inf, np.inf, -np.inf, -np.inf], (count, 1))
    counts = [len(points) for points in outlines]
    points = np.concatenate([*outlines, lines.reshape(-1, 2)])
    of = np.concatenate([np.repeat(label[: len(outlines)], counts), np.repeat(label[len(outlines) :], 2)])
    order = np.argsort(of, kind="stable")
    own, starts = np.unique(of[order], return_index=True)
    if len(own):
        boxes[own, :2] = np.minimum.reduceat(points[order], starts)
        boxes[own, 2:] = np.maximum.reduceat(points[order], starts)
    return boxes, count


def _edges(
    outlines: list[Array], of_fill: Indices, paths: Indices, lines: Array, of_line: Indices, widths: Array, pens: Array
) -> tuple[Array, Indices]:
    """Closed outlines of fills, each turning by how deep it is nested, then strokes as they are."""
    kept = of_fill >= 0
    sides, of_sides = _sides([outlines[place] for place in np.flatnonzero(kept)], of_fill[kept], paths[kept])
    line = np.flatnonzero(of_line >= 0)
    beside = line[pens[of_line[line]] < 0]
    drawn = line[pens[of_line[line]] >= 0]
    edges = np.concatenate([sides, pen(lines[beside], widths[beside]), lines[drawn]])
    of = np.concatenate([of_sides, np.repeat(of_line[beside], 8), of_line[drawn]]).astype(np.int64)
    order = np.argsort(of, kind="stable")
    return edges[order], of[order]


def _sides(outlines: list[Array], of: Indices, paths: Indices) -> tuple[Array, Indices]:
    """The sides (n, 4) of outlines that turn counter-clockwise where an even number of others of their component and path is around
    them, else clockwise; and the component of each side.
    """
    if not outlines:
        return np.zeros((0, 4)), np.zeros(0, np.int64)
    counts = np.array([len(points) for points in outlines])
    starts = np.cumsum(counts) - counts
    corners = np.concatenate(outlines)
    following = np.arange(len(corners)) + 1
    following[starts + counts - 1] = starts
    (x, y), (x_next, y_next) = corners.T, corners[following].T
    areas = np.add.reduceat(x * y_next - x_next * y, starts)
    turned = np.repeat((areas > 0) != (_depths(outlines, of, paths, areas) % 2 == 0), counts)
    sides = np.concatenate([corners, corners[following]], axis=1)
    sides[turned] = sides[turned][:, [2, 3, 0, 1]]
    return sides, np.repeat(of, counts)


def _depths(outlines: list[Array], of: Indices, paths: Indices, areas: Array) -> Indices:
    """How many larger outlines of its component and path are around each: what another path paints hides nothing."""
    depths = np.zeros(len(outlines), np.int64)
    members: dict[tuple[int, int], list[int]] = {}
    for place, key in enumerate(zip(of.tolist(), paths.tolist(), strict=True)):
        members.setdefault(key, []).append(place)
    for group in members.values():
        if 1 < len(group) <= MANY_OUTLINES and any(len(outlines[place]) > FACET for place in group):
            shapes = polygons([outlines[place] for place in group])
            firsts = shapely.points([outlines[place][0] for place in group])
            larger = np.abs(areas[group])[:, None] > np.abs(areas[group])[None, :]
            depths[group] = (shapely.contains(shapes[:, None], firsts[None, :]) & larger).sum(axis=0)
    return depths
