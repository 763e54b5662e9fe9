"""Lines of drawn lettering: components that stand side by side, of like height and on one baseline, in the four quarter turns.

Glossary
  frame   the sheet turned by -quarter * 90 degrees, so that a line reads to the right.
  body    a component large enough to carry a line; dots, accents and strokes of signs join the line of the nearest one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import shapely

from spatial.models.sheet.drawing import Array, Indices
from spatial.understanding.sheet.outlined.glyphs import DOT, POINT_OFF, QUOTE, glyphs_of, is_quote
from spatial.understanding.sheet.outlined.ink import Ink

GAP, WIDE_GAP = 1.0, 1.4
"""Heights of the larger letter between two neighbours of one line; between two of the same height."""
LAP: Final = 0.35
"""Heights of the larger letter by which two neighbours may overlap along the line."""
LIKE, LIKE_WORD, SAME = 0.55, 0.69, 0.93
"""Height of the smaller neighbour in heights of the larger one: a small letter beside a capital one; over a blank; of the same height."""
BLANK: Final = 0.55
"""Heights of the larger letter from which a gap may be a blank."""
ALIGNED: Final = 0.16
"""Heights of the larger letter by which feet or tops of neighbours differ."""
SMALL_AT_TOP, SMALL_AT_SIDE = 0.66, 0.6
"""Height of the smaller of two neighbours whose tops are aligned, in heights of the larger one: a small letter has its foot on the line of
the capital ones. A line along y reads up or down: which side its feet are on is open."""
CENTRED, BETWEEN = 0.1, 0.6
"""Heights of a stroke or bracket, which reaches over and under the letters beside it, by which its middle differs from theirs, and
height of such a letter."""
TALL_WIDTH: Final = 0.6
"""Width of such a one in its heights."""
UPRIGHT_FIRST: Final = 0.12
"""Heights that a neighbour above counts as further away than one beside."""
LEAST: Final = 0.012
"""Part of the largest letter from which a component is a body, in its larger side."""
LONGER: Final = 3
"""Components of a group that two of the other direction are dissolved for: the zeros of two deviations, one over the other."""
LARGEST_POINT: Final = 0.1
"""Part of the largest letter that a point, or a dot of a colon, is large at most."""
DOTS_AROUND: Final = 0.4
"""Heights of a line around it in which dots are of its letters: those of Ä."""
ROUND: Final = 2.0
"""Extents of a point in its shorter one, at most: a dash is longer."""
DASH, MIDDLE, FURTHER = 3.0, (0.25, 0.75), 0.4
"""Width of a dash in its heights, part of the height of its line at which it stands, and heights of the line that another one counts as
further away."""
SIDES, SLANTED_SIDE = (3, 12), 0.1
"""Sides of a flag, and part of its longer extent that the shorter one of a side is that is neither level nor upright."""
IN_FLAG: Final = 0.2
"""Part of the larger side of a flag that the larger side of what stands in it is at least."""
UNEVEN_SIGN, BAR, SIGN_GAP = 0.1, 0.25, 0.6
"""Widths of a sign of two pieces, as ± and =, by which these differ, that its bar is thick at most, and that they are apart."""
STEM: Final = (0.15, 1.05, 0.06, 0.6)
"""Heights of a line: width and height of the stem of an i at most, by which its dot is off its middle, and from the one to the other."""
OFF_LEVEL: Final = 0.15
"""Heights of a line over and under it that such a sign of it reaches."""
UNEVEN_CROSS, CROSS = 0.4, 0.4
"""Part of its height by which the width of a + differs, which is narrow in narrow lettering, and heights of its line that it is high."""
ABOVE, BELOW, BESIDE = 0.6, 0.45, 1.6
"""Heights of the line over its tops, below its feet and beyond its ends within which small pieces are of it: a minus, a point."""


_TURNED_SIDES: Final = {
    1: ((1, 2, 3, 0), (1.0, -1.0, 1.0, -1.0)),
    2: ((2, 3, 0, 1), (-1.0, -1.0, -1.0, -1.0)),
    3: ((3, 0, 1, 2), (-1.0, 1.0, -1.0, 1.0)),
}
"""Which side of a box is each side of it in the frame of a quarter, and with which sign."""


@dataclass(slots=True)
class Row:
    """Glyphs of one line from the left, in the frame of its quarter."""

    quarter: int
    glyphs: list[list[int]]
    """Components of each glyph."""
    height: float
    """Of its largest letters."""

    @property
    def pieces(self) -> list[int]:
        """The components of its glyphs."""
        return [piece for glyph in self.glyphs for piece in glyph]


def turned(points: Array, quarter: int) -> Array:
    """(n, 2) or (n, 4) coordinates in the frame of a quarter."""
    if quarter % 2 == 0:
        return points.copy() if quarter % 4 == 0 else -points
    pairs = points.reshape(-1, 2)
    turned_pairs = np.empty(pairs.shape)
    turned_pairs[:, 0], turned_pairs[:, 1] = pairs[:, 1], pairs[:, 0]
    column = turned_pairs[:, 1 if quarter % 4 == 1 else 0]
    np.negative(column, out=column)
    return turned_pairs.reshape(points.shape)


def turned_boxes(boxes: Array, quarter: int) -> Array:
    """(n, 4) boxes in the frame of a quarter."""
    one, two = boxes[:, :2], boxes[:, 2:]
    corners = np.concatenate([np.minimum(one, two), np.maximum(one, two)], axis=1)
    if quarter % 4 == 0:
        return corners
    sides, signs = _TURNED_SIDES[quarter % 4]
    return np.take(corners, sides, axis=1) * signs


def find_rows(ink: Ink, directions: tuple[int, ...] = (0, 1), known: Sequence[tuple[int, list[int]]] = ()) -> list[Row]:
    """Lines of lettering; each component is of one line at most.

    directions: 0 for lines that run along x, 1 for lines that run along y; a component joins its nearer neighbour.
    known: direction and components of lines that are found already; small pieces beside them join them.
    """
    size = (ink.boxes[:, 2:] - ink.boxes[:, :2]).max(axis=1, initial=0.0)
    sought = np.ones(len(size), bool)
    sought[[place for _, members in known for place in members]] = False
    flag = flags(ink)
    places = np.flatnonzero((size >= LEAST * ink.largest) & sought & (flag != np.arange(len(flag))))
    links = [
        link for direction in directions for link in _links(ink, places, direction) if flag[link[1]] == flag[link[2]]
    ]
    grouped, apart = _grouped(len(ink.boxes), sorted(links))
    around = [_around_turned(ink, group) for group in grouped]
    groups = [*known, *_without_dots(ink, [group for group in grouped if not _is_sign_of(ink, group, grouped, around)])]
    taken = np.zeros(len(ink.boxes), bool)
    for _, members in groups:
        taken[members] = True
    apart = {place: direction for place, direction in apart.items() if not taken[place]}
    apart |= _over_others(ink, groups, np.setdiff1d(np.flatnonzero(~taken), list(apart)))
    taken[list(apart)] = True
    rows = _with_small(ink, groups, np.flatnonzero(~taken))
    taken[[place for row in rows for glyph in row.glyphs for place in glyph]] = True
    heights = turned_boxes(ink.boxes, directions[0])
    rows += [Row(direction, [[place]], _height(ink, place, direction)) for place, direction in apart.items()]
    rows += [
        Row(directions[0], [[place]], float(heights[place, 3] - heights[place, 1]))
        for place in places.tolist()
        if not taken[place]
    ]
    return rows


def flags(ink: Ink) -> Indices:
    """(k,) the flag that each component stands in; -1 of none, and the flag itself of one that something stands in.

    A flag is a triangle, a hexagon, or several that touch: a number in it refers to a note or to a revision, and is no part of the line
    beside it. A 2 whose strokes hold a dot is none.
    """
    flag = np.full(len(ink.boxes), -1)
    spans = np.abs(ink.edges[:, 2:] - ink.edges[:, :2])
    slanted = spans.min(axis=1) > SLANTED_SIDE * spans.max(axis=1)
    sides, slants = (np.bincount(ink.of[kept], minlength=len(flag)) for kept in (slice(None), slanted))
    fits = (ink.width >= 0) & (sides >= SIDES[0]) & (sides <= SIDES[1]) & (2 * slants >= sides)
    polygons = np.flatnonzero(fits)
    if not len(polygons):
        return flag
    tree = shapely.STRtree(shapely.box(*ink.boxes.T))
    polygon, within = tree.query(shapely.box(*ink.boxes[polygons].T), predicate="contains_properly")
    size = (ink.boxes[:, 2:] - ink.boxes[:, :2]).max(axis=1)
    is_text = size[within] >= IN_FLAG * size[polygons[polygon]]
    polygon, within = polygon[is_text], within[is_text]
    flag[within], flag[polygons[polygon]] = polygons[polygon], polygons[polygon]
    return flag


def _around_turned(ink: Ink, group: tuple[int, list[int]]) -> tuple[float, float, float, float]:
    """The box around a group, in the frame of its direction."""
    direction, members = group
    return _around(turned_boxes(ink.boxes[members], direction))


def _is_sign_of(
    ink: Ink,
    group: tuple[int, list[int]],
    others: list[tuple[int, list[int]]],
    around: list[tuple[float, float, float, float]],
) -> bool:
    """Whether a group is the two pieces of a sign that stand over each other, such as ± and =, beside a line across it.

    around: the box of each of the others, in the frame of its direction.
    """
    direction, members = group
    if len(members) != 2 or not _is_sign(turned_boxes(ink.boxes[members], direction)):
        return False
    across = 1 - direction
    sign = _around(turned_boxes(ink.boxes[members], across))
    for (way, places), (left, low, right, high) in zip(others, around, strict=True):
        if way == across and len(places) > 1:
            height = high - low
            is_level = sign[1] >= low - OFF_LEVEL * height and sign[3] <= high + OFF_LEVEL * height
            if is_level and -BLANK * height <= max(sign[0] - right, left - sign[2]) <= BLANK * height:
                return True
    return False


def _is_sign(boxes: Array) -> bool:
    """Whether two pieces beside each other are a bar and something as high as it is."""
    one, two = sorted(boxes, key=lambda box: float(box[2] - box[0]))
    high = max(float(box[3] - box[1]) for box in (one, two))
    is_even = max(abs(one[1] - two[1]), abs(one[3] - two[3])) <= UNEVEN_SIGN * high
    is_flat = one[2] - one[0] <= BAR * high and two[2] - two[0] <= high * (1.0 + UNEVEN_SIGN)
    return bool(is_even and is_flat and max(one[0] - two[2], two[0] - one[2]) <= SIGN_GAP * high)


def _over_others(ink: Ink, groups: list[tuple[int, list[int]]], free: np.ndarray) -> dict[int, int]:
    """Of the free pieces, those that stand right over or under the beginning of a row and are as high: the zeros of deviations.

    Returns: the direction of that row for each.
    """
    found: dict[int, int] = {}
    for direction in (0, 1):
        left, low, right, high = turned_boxes(ink.boxes[free], direction).T
        for way, members in groups:
            if way != direction or len(members) < LONGER or not len(free):
                continue
            row = turned_boxes(ink.boxes[members], direction)
            begin, base, top = float(row[:, 0].min()), float(row[:, 1].min()), float(row[:, 3].max())
            gap, middle = np.maximum(low - top, base - high), (left + right) / 2
            stacked = (np.abs(high - low - (top - base)) <= ALIGNED * (top - base)) & (right - left <= high - low)
            stacked &= (gap >= 0) & (gap <= top - base) & (middle >= begin) & (middle <= begin + 2 * (top - base))
            found |= dict.fromkeys(free[stacked].tolist(), direction)
    return found


def _height(ink: Ink, place: int, direction: int) -> float:
    low, high = ink.boxes[place, [1 - direction, 3 - direction]].tolist()
    return float(high - low)


def regrouped(ink: Ink, places: list[int], quarter: int, height: float) -> Row:
    """A row of these components, in the frame of a quarter."""
    return Row(quarter, glyphs_of(turned_boxes(ink.boxes, quarter), places, height), height)


def _links(ink: Ink, places: np.ndarray, direction: int) -> list[tuple[float, int, int, int]]:
    """(distance in heights, one, its right neighbour, direction) of each pair that may be of one line."""
    boxes = turned_boxes(ink.boxes[places], direction)
    left, low, right, high = boxes.T
    height = high - low
    tree = shapely.STRtree(shapely.box(left, low, right, high))
    one, two = tree.query(shapely.box(left, low, right + 2 * WIDE_GAP * height / LIKE, high))
    keep = one != two
    one, two = one[keep], two[keep]
    larger, smaller = np.maximum(height[one], height[two]), np.minimum(height[one], height[two])
    gap = left[two] - right[one]
    wide = np.flatnonzero((gap > GAP * larger) & (gap <= 2 * GAP * larger))
    gap[wide] = _gaps_beside_points(ink, boxes, one[wide], two[wide], direction)
    feet, tops = np.abs(low[one] - low[two]), np.abs(high[one] - high[two])
    overlap = np.minimum(high[one], high[two]) - np.maximum(low[one], low[two])
    least = SMALL_AT_SIDE if direction % 2 else SMALL_AT_TOP
    aligned = (feet <= ALIGNED * larger) | ((tops <= ALIGNED * larger) & (smaller >= least * larger))
    aligned |= (smaller >= 0.85 * larger) & (overlap >= 0.55 * larger)
    centred = np.abs(low[one] + high[one] - low[two] - high[two]) <= 2 * CENTRED * larger
    # ф is higher than wide; и, seen from the side, is not: it would make a line with what stands over it in й.
    upright = np.where(height[one] > height[two], (right - left)[one], (right - left)[two]) <= larger
    aligned |= centred & upright & (smaller >= BETWEEN * larger) & (gap <= BLANK * larger)
    ahead = left[one] + right[one] < left[two] + right[two]
    good = aligned & ahead & (smaller >= np.where(gap > BLANK * larger, LIKE_WORD, LIKE) * larger)
    same = (smaller >= SAME * larger) & (feet <= (1.0 - SAME) * larger)
    good &= (gap <= np.where(same, WIDE_GAP, GAP) * larger) & (gap >= -LAP * larger)
    filled, bars = ink.width[places] < 0, ink.bars[places]
    good &= (filled[one] == filled[two]) | bars[one] | bars[two]
    one, two, gap, larger = one[good], two[good], gap[good], larger[good]
    free = ~_barred(ink, boxes, one, two, direction)
    one, two, cost = one[free], two[free], np.maximum(gap, 0.0)[free] / larger[free] + direction * UPRIGHT_FIRST
    return [
        (cost, int(places[first]), int(places[second]), direction)
        for cost, first, second in zip(cost.tolist(), one.tolist(), two.tolist(), strict=True)
    ]


def _gaps_beside_points(ink: Ink, boxes: Array, one: np.ndarray, two: np.ndarray, direction: int) -> Array:
    """The gap of each pair; where a point stands between the two, the wider one of those before and behind it."""
    gaps: Array = boxes[two, 0] - boxes[one, 2]
    size = (ink.boxes[:, 2:] - ink.boxes[:, :2]).max(axis=1, initial=0.0)
    small = size < LARGEST_POINT * ink.largest
    points = turned_boxes(ink.boxes[small], direction)
    if not len(one) or not len(points):
        return gaps
    feet, height = boxes[one, 1], boxes[one, 3] - boxes[one, 1]
    zones = shapely.box(boxes[one, 2], feet - POINT_OFF * height, boxes[two, 0], feet + DOT * height)
    pair, point = shapely.STRtree(shapely.box(*points.T)).query(zones, predicate="contains")
    fits = size[small][point] <= DOT * height[pair]
    pair, point = pair[fits], point[fits]
    beside = np.maximum(points[point, 0] - boxes[one[pair], 2], boxes[two[pair], 0] - points[point, 2])
    np.minimum.at(gaps, pair, beside)
    return gaps


def _barred(ink: Ink, boxes: Array, one: np.ndarray, two: np.ndarray, direction: int) -> np.ndarray:
    """Whether a rule line stands between two neighbours."""
    if not len(ink.barriers) or not len(one):
        return np.zeros(len(one), bool)
    barriers = turned(ink.barriers, direction)
    steep = np.abs(barriers[:, 2] - barriers[:, 0]) < 0.1 * np.abs(barriers[:, 3] - barriers[:, 1])
    if not steep.any():
        return np.zeros(len(one), bool)
    tree = shapely.STRtree(shapely.linestrings(barriers[steep].reshape(-1, 2, 2)))
    middle = (np.maximum(boxes[one, 1], boxes[two, 1]) + np.minimum(boxes[one, 3], boxes[two, 3])) / 2
    begin, end = np.minimum(boxes[one, 2], boxes[two, 0]), np.maximum(boxes[two, 0], boxes[one, 2])
    between = np.stack([begin, middle, end, middle], axis=1).reshape(-1, 2, 2)
    hit = tree.query(shapely.linestrings(between), predicate="intersects")[0]
    barred = np.zeros(len(one), bool)
    barred[hit] = True
    return barred


def _grouped(
    count: int, links: list[tuple[float, int, int, int]]
) -> tuple[list[tuple[int, list[int]]], dict[int, int]]:
    """Components that are linked in one direction, the nearest first; no two of which one goes on with a longer group of the other, and
    of these two the direction of that one.
    """
    groups = _joined(count, links)
    way = np.full(count, -1)
    size = np.zeros(count, np.int64)
    for direction, members in groups:
        way[members], size[members] = direction, len(members)
    ends = np.array([link[1:] for link in links], np.int64).reshape(-1, 3)
    crossed = np.zeros(count, bool)
    for place, other in ((ends[:, 0], ends[:, 1]), (ends[:, 1], ends[:, 0])):
        goes_on = (
            (way[other] == ends[:, 2]) & (way[place] == 1 - ends[:, 2]) & (size[other] >= LONGER) & (size[place] == 2)
        )
        crossed[place[goes_on]] = True
    pairs = {tuple(sorted(members)) for _, members in groups if len(members) == 2 and crossed[members].any()}
    columns = _columns(groups, ends, way, size)
    if columns:
        # The numbers of a list stand nearer to each other than to the lines that they begin.
        links = [link for link in links if link[3] != way[link[1]] or link[1] not in columns or link[2] not in columns]
    if not pairs:
        return (_joined(count, links) if columns else groups), {}
    apart = {place: 1 - int(way[place]) for pair in pairs for place in pair}
    return _joined(count, [link for link in links if tuple(sorted(link[1:3])) not in pairs]), apart


def _columns(groups: list[tuple[int, list[int]]], ends: Indices, way: Indices, size: Indices) -> set[int]:
    """The components of the groups each of whose members a line of the other direction goes on behind.

    ends: (l, 3) one, its right neighbour and the direction of each link; way, size: direction and length of the group of each component.
    """
    one, two, direction = ends.T
    begins = np.zeros(len(way), bool)
    begins[one[(way[two] == direction) & (way[one] == 1 - direction) & (size[two] >= LONGER)]] = True
    return {place for _, members in groups if len(members) >= LONGER and begins[members].all() for place in members}


def _joined(count: int, links: list[tuple[float, int, int, int]]) -> list[tuple[int, list[int]]]:
    """The same with each link taken as it comes."""
    parent, way = list(range(count)), [-1] * count
    follows: set[tuple[int, int]] = set()

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    for _, first, second, direction in links:
        one, two = root(first), root(second)
        if one == two or (first, direction) in follows:
            continue
        if {way[one], way[two]} - {-1, direction}:
            continue
        follows.add((first, direction))
        parent[two] = one
        way[one] = direction
    groups: dict[int, list[int]] = {}
    for place in range(count):
        if way[root(place)] >= 0:
            groups.setdefault(root(place), []).append(place)
    return [(way[top], members) for top, members in groups.items()]


def _without_dots(ink: Ink, groups: list[tuple[int, list[int]]]) -> list[tuple[int, list[int]]]:
    """Groups without those that are parts of the glyphs of a larger one: the dots of a colon, the bars of =.

    What stands within a larger group, but is drawn otherwise or beside its glyphs, is a size between its two arrows.
    """
    kept = []
    boxes = np.array([_around(ink.boxes[members]) for _, members in groups]).reshape(-1, 4)
    heights = np.array([
        np.percentile(ink.boxes[members][:, 3 - way] - ink.boxes[members][:, 1 - way], 90) if way in (0, 1) else 0.0
        for way, members in groups
    ])  # fmt: skip
    ways = np.array([way for way, _ in groups])
    filled = np.array([bool(np.median(ink.width[members]) < 0) for _, members in groups], bool)
    for place, (way, members) in enumerate(groups):
        if len(members) > 3:
            kept.append((way, members))
            continue
        wide = DOTS_AROUND * heights
        within = (boxes[:, :2] - wide[:, None] <= boxes[place, :2]) & (boxes[:, 2:] + wide[:, None] >= boxes[place, 2:])
        larger = (boxes[place, 2:] - boxes[place, :2]).max() <= 0.8 * heights
        other = (ways != way) | (heights[place] <= DOT * heights)
        alike = (filled == filled[place]) | bool(ink.bars[members].all())
        beside = within.all(axis=1) & larger & alike
        dotted = any(
            ways[row] != way or _stands_over(ink, members, groups[row])
            for row in np.flatnonzero(beside & other).tolist()
        )
        high = np.flatnonzero(beside & (ways == way) & (heights[place] <= QUOTE * heights)).tolist()
        if not dotted and not any(
            is_quote(turned_boxes(ink.boxes[members], way), turned_boxes(ink.boxes[groups[row][1]], way))
            for row in high
        ):
            kept.append((way, members))
    return kept


def _stands_over(ink: Ink, dots: list[int], row: tuple[int, list[int]]) -> bool:
    """Whether one of these pieces stands over or under a glyph of a row, as a dot of Ä does."""
    way, members = row
    dot, glyph = ink.boxes[dots][:, None], ink.boxes[members][None]
    return bool(((dot[..., way] < glyph[..., way + 2]) & (dot[..., way + 2] > glyph[..., way])).any())


def _around(boxes: Array) -> tuple[float, float, float, float]:
    left, bottom = boxes[:, :2].min(axis=0).tolist()
    right, top = boxes[:, 2:].max(axis=0).tolist()
    return left, bottom, right, top


def _with_small(ink: Ink, rows: list[tuple[int, list[int]]], small: np.ndarray) -> list[Row]:
    """Rows with the small pieces that stand with them, as glyphs from the left."""
    members = [list(places) for _, places in rows]
    boxes = [turned_boxes(ink.boxes, direction) for direction in (0, 1)]
    extents: list[tuple[float, ...]] = []
    heights: list[float] = []
    for direction, places in rows:
        of = boxes[direction][places]
        height = float(np.percentile(of[:, 3] - of[:, 1], 90))
        heights.append(max(height, 1e-9))
        extents.append((of[:, 0].min(), of[:, 1].min(), of[:, 2].max(), of[:, 3].max()))
    if len(small) and rows:
        points = _nearest(ink, rows, extents, heights, boxes, small, points=True)
        for place, row in points:
            members[row].append(place)
        others = np.setdiff1d(small, [place for place, _ in points])
        rows = [(direction, list(places)) for (direction, _), places in zip(rows, members, strict=True)]
        for place, row in _nearest(ink, rows, extents, heights, boxes, others, points=False):
            members[row].append(place)
    return [
        Row(direction, glyphs_of(boxes[direction], places, height), height)
        for (direction, _), places, height in zip(rows, members, heights, strict=True)
    ]


def _nearest(
    ink: Ink, rows: list[tuple[int, list[int]]], extents: list[tuple[float, ...]], heights: list[float], boxes: list[Array],
    small: np.ndarray, *, points: bool,
) -> list[tuple[int, int]]:  # fmt: skip
    """(small piece, row that it is of), where there is one. points: whether those alone are looked at that are points of a row."""
    best: dict[int, tuple[float, int]] = {}
    filled = [bool(np.median(ink.width[members]) < 0) for _, members in rows]
    for direction in (0, 1):
        chosen = [row for row, (way, _) in enumerate(rows) if way == direction]
        if not chosen:
            continue
        tree = shapely.STRtree(shapely.box(*boxes[direction][small].T))
        zones = np.array([
            (extents[row][0] - BESIDE * heights[row], extents[row][1] - BELOW * heights[row],
             extents[row][2] + BESIDE * heights[row], extents[row][3] + ABOVE * heights[row]) for row in chosen
        ])  # fmt: skip
        found, hits = tree.query(shapely.box(*zones.T), predicate="contains")
        for which, hit in zip(found.tolist(), hits.tolist(), strict=True):
            row, place = chosen[which], int(small[hit])
            piece, of = boxes[direction][place], boxes[direction][rows[row][1]]
            fits = max(piece[2:] - piece[:2]) <= 1.2 * heights[row] or _is_tall(piece, extents[row], heights[row])
            if not fits or ((ink.width[place] < 0) != filled[row] and not ink.bars[place]):
                continue
            if points and not _is_point(piece, extents[row], heights[row]):
                continue
            away = np.maximum(np.maximum(of[:, :2] - piece[2:], piece[:2] - of[:, 2:]), 0.0)
            distance = float(np.hypot(*away.T).min()) / heights[row] + _off_middle(piece, extents[row])
            if _is_over_stem(piece, of, heights[row]):
                distance = 0.0
            if distance < best.get(place, (0.95, 0))[0]:
                best[place] = (distance, row)
    return [(place, row) for place, (_, row) in best.items()]


def _is_point(piece: Array, row: tuple[float, ...], height: float) -> bool:
    """Whether a piece is small and stands at the foot of a row."""
    short, long = sorted((piece[2:] - piece[:2]).tolist())
    return bool(long <= min(DOT * height, ROUND * short) and abs(piece[1] - row[1]) <= POINT_OFF * height)


def _is_over_stem(piece: Array, row: Array, height: float) -> bool:
    """Whether a piece is a dot right over a bare stroke of a row that is no higher than it: that of an i, under it upside down.

    Where lines stand close it is nearer to the line over it. row: (n, 4).
    """
    off = np.abs(row[:, [0, 2]].mean(axis=1) - piece[[0, 2]].mean())
    gap = np.maximum(piece[1] - row[:, 3], row[:, 1] - piece[3])
    stems = (row[:, 2] - row[:, 0] <= STEM[0] * height) & (row[:, 3] - row[:, 1] <= STEM[1] * height)
    is_dot = max(piece[2:] - piece[:2]) <= DOT * height
    return bool(is_dot and (stems & (off <= STEM[2] * height) & (gap > 0) & (gap <= STEM[3] * height)).any())


def _off_middle(piece: Array, row: tuple[float, ...]) -> float:
    """How much further away a dash or a cross counts that is not half as high as the letters of a row: the sign of those beside it."""
    wide, high = piece[2:] - piece[:2]
    is_cross = abs(wide - high) <= UNEVEN_CROSS * high and high >= CROSS * (row[3] - row[1])
    if wide < DASH * high and not is_cross:
        return 0.0
    middle = ((piece[1] + piece[3]) / 2 - row[1]) / max(row[3] - row[1], 1e-9)
    return 0.0 if MIDDLE[0] <= middle <= MIDDLE[1] else FURTHER


def _is_tall(piece: Array, row: tuple[float, ...], height: float) -> bool:
    """Whether a piece is as a bracket or a stroke is: narrow, over and under the letters of its row, and close to them."""
    off_middle = abs(piece[1] + piece[3] - row[1] - row[3]) / 2
    beyond = max(piece[0] - row[2], row[0] - piece[2])
    return bool(
        height < piece[3] - piece[1] <= height / BETWEEN
        and piece[2] - piece[0] <= TALL_WIDTH * (piece[3] - piece[1])
        and off_middle <= CENTRED * height
        and beyond <= BLANK * height
    )
