"""Signs that stand with a word: which strokes look like one, in the frame of the text.

Shapes are those of ASME Y14.5-2018 Annex C, ISO 129-1 and ISO 1302; sizes are in letter heights. `_strokes_near` has the
glossary.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.geometry.columns import every, greatest, scalar_products
from spatial.geometry.index import portions, whole_numbers
from spatial.models.sheet.drawing import Array, Box, Flags, Indices
from spatial.understanding.sheet.symbols.near import Near, Surroundings

PLENTY: Final = 120
"""Legs of texture signs beside one text that are looked at."""
SHORT_LEG: Final = (0.4, 2.6)
LONG_LEG: Final = (0.8, 5.3)
"""Letter heights of the legs of a texture sign: ISO 1302 has 1.6 and 3.5 at least; a sign may be drawn for larger lettering."""
MEET: Final = 0.08
"""Letter heights between ends that meet."""
SLACK: Final = 1.1 * MEET
"""The same with room for rounding."""
STRIP: Final = 8.0 * MEET
"""Width of the strips by which ends that meet are found."""
STEM: Final = (0.9, 2.2)
"""Least and greatest letter heights of the upright of a square bracket."""
STEM_FROM: Final = (-0.7, 0.2)
"""Letter heights above the baseline between which it begins; it ends above a capital's middle."""
DEGREE: Final = (0.07, 0.24)
DEGREE_UP: Final = (0.6, 1.3)
"""Letter heights of the radius of °, and of its middle above the baseline."""
OFF_DEGREE: Final = 0.25
"""Of that radius by which the ends of its own chords may miss the circle."""
MOST_PARTS: Final = 8
"""Strokes near the middle of a circle that are looked at as parts of one slash."""
FOOT: Final = (0.08, 0.7)
"""Letter heights of the two strokes at its ends."""
SAME_SLOPE: Final = 4.0
"""Degrees between strokes of one direction."""
BESIDE_SLASH: Final = 0.3
HATCHES: Final = 2
"""Strokes beside the slash of a circle, by so many radii from its middle, from which it is hatched."""
MIDDLE_OF_DIAMETER: Final = (-0.35, 1.35)
"""Letter heights above the baseline of the middle of Ø: before two limits over each other it is half a line off both (ASME Y14.5)."""


@dataclass(slots=True)
class Mark:
    """A sign in the frame of a text."""

    text: str
    box: Box
    strokes: frozenset[int] = field(default_factory=frozenset)
    circles: frozenset[int] = field(default_factory=frozenset)
    radius: float = 0.0
    """Of a bracket's arc; of a square bracket, its height: what both of a pair have alike."""
    is_turned: bool = False
    """Of a texture sign, whether it stands on its head."""


def beside(surroundings: Surroundings) -> Iterator[tuple[int, Mark]]:
    """Everything near texts that looks like a sign in a line of lettering, but for signs of straight strokes that touch."""
    v, radius, of = surroundings.rounds[:, 1], surroundings.rounds[:, 2], surroundings.round_of
    yield from _of_each(surroundings, _with_slashed_circles(surroundings), _diameters)
    yield from _textures(surroundings)
    yield from _turned_textures(surroundings)
    yield from _of_each(surroundings, surroundings.bow_of[_bows(surroundings.bows)], _brackets)
    yield from _of_each(surroundings, _with_square_brackets(surroundings), _square_brackets)
    small = (radius >= DEGREE[0]) & (radius <= DEGREE[1])
    yield from _of_each(surroundings, of[small & (v >= DEGREE_UP[0]) & (v <= DEGREE_UP[1])], _degrees)


def _of_each(
    surroundings: Surroundings, places: Indices, find: Callable[[Near], Iterator[Mark]]
) -> Iterator[tuple[int, Mark]]:
    for place in np.unique(places).tolist():
        for mark in find(surroundings.near(place)):
            yield place, mark


def _with_slashed_circles(surroundings: Surroundings) -> Indices:
    """The texts near which an oblique stroke lies about the middle of a circle of letter size, and what may be its slash through another or
    the same."""
    v, radius = surroundings.rounds[:, 1], surroundings.rounds[:, 2]
    low, high = MIDDLE_OF_DIAMETER
    rounds = np.flatnonzero((radius >= 0.2) & (radius <= 0.8) & (v >= low) & (v <= high))
    slashes = np.flatnonzero((surroundings.slope > 25.0) & (surroundings.slope < 86.0))
    of, lines, length = surroundings.round_of[rounds], surroundings.lines[slashes], surroundings.length[slashes]
    middle = (lines[:, :2] + lines[:, 2:]) / 2.0
    (is_about, has_whole), parts = np.zeros((2, len(rounds)), bool), np.zeros(len(rounds), np.int64)
    for one, two in _pairs_of_texts(of, surroundings.of[slashes]):
        place, wide = surroundings.rounds[rounds[one]], radius[rounds[one]]
        off = np.maximum(np.abs(middle[two, 0] - place[:, 0]), np.abs(middle[two, 1] - place[:, 1]))
        is_about[one[(off < 1.2 * wide) & (length[two] > 0.9 * wide)]] = True
        has_whole[one[(off < 0.36 * wide) & (length[two] > 1.8 * wide) & (length[two] < 4.7 * wide)]] = True
        # The middle of a stroke with both ends about the circle is there too.
        about = np.flatnonzero((off < 2.4 * wide) & (length[two] > 0.29 * wide))
        ends = lines[two[about]].reshape(-1, 2, 2) - place[about, None, :2]
        is_part = greatest(np.hypot(ends[..., 0], ends[..., 1])) < 2.31 * wide[about]
        parts += np.bincount(one[about[is_part]], minlength=len(rounds))
    return np.intersect1d(of[is_about], of[has_whole | (parts >= 2)])


def _pairs_of_texts(of: Indices, others: Indices) -> Iterator[tuple[Indices, Indices]]:
    """Some at a time, the places of all pairs of things that are of one text; of, others: (n,), (m,) their texts, in order."""
    firsts, lasts = (np.searchsorted(others, of, side) for side in ("left", "right"))
    for part in portions(lasts - firsts):
        one, two = whole_numbers(firsts[part], lasts[part])
        yield one + part.start, two


def _pairs_that_meet(
    of: Indices, points: Array, others: Indices, other_points: Array
) -> Iterator[tuple[Indices, Indices]]:
    """The places of points (n, 2) and (m, 2) of one text that are MEET apart or less along both axes, in no order, each pair once."""
    if not len(points) or not len(other_points):
        return
    (u, v), (other_u, other_v) = points.T, other_points.T
    left, foot = min(u.min(), other_u.min()) - 2.0 * MEET, min(v.min(), other_v.min())
    high, other_high = v - foot, other_v - foot
    column, last, other_column = (np.floor((each - left) / STRIP) for each in (u - SLACK, u + SLACK, other_u))
    columns = max(last.max(), other_column.max()) + 1.0
    height = max(high.max(), other_high.max()) + 2.0 * SLACK
    # By text, by strip, and upwards: what may meet a point stands together in its strip, or in two beside whose border it is.
    keys = (others * columns + other_column) * height + other_high
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    both = np.flatnonzero(last > column)
    asked = np.concatenate([np.arange(len(u)), both])
    wanted = (of[asked] * columns + np.concatenate([column, last[both]])) * height + high[asked]
    firsts, lasts = np.searchsorted(keys, wanted - SLACK), np.searchsorted(keys, wanted + SLACK)
    for part in portions(lasts - firsts):
        one, two = whole_numbers(firsts[part], lasts[part])
        one, two = asked[one + part.start], order[two]
        near = (
            (others[two] == of[one]) & (np.abs(u[one] - other_u[two]) < MEET) & (np.abs(v[one] - other_v[two]) < MEET)
        )
        yield one[near], two[near]


def _diameters(near: Near) -> Iterator[Mark]:
    """Ø: a circle of letter size and one stroke through its middle, oblique and longer than the circle is wide."""
    if not len(near.rounds):
        return
    slope = near.slope
    oblique = (slope > 25.0) & (slope < 86.0)
    for (u, v, radius), number in zip(near.rounds.tolist(), near.round.tolist(), strict=True):
        if not (0.2 <= radius <= 0.8 and MIDDLE_OF_DIAMETER[0] <= v <= MIDDLE_OF_DIAMETER[1]):
            continue
        slash = _slash(near, oblique, (u, v, radius))
        if not slash.any():
            continue
        direction = slope[slash.argmax()]
        through = _through(near.lines, u, v, 0.3 * radius)
        if (np.abs(slope[through] - direction) > SAME_SLOPE).any() or _is_hatched(near, (u, v, radius), direction):
            continue
        reach = max(radius, float(np.abs(near.lines[slash][:, [1, 3]] - v).max()))
        box = (u - radius, v - reach, u + radius, v + reach)
        yield Mark("Ø", box, frozenset(near.line[slash].tolist()), frozenset([number]))


def _is_hatched(near: Near, circle: tuple[float, float, float], direction: float) -> bool:
    """Whether strokes beside the middle of a circle, within it, lean as the one through it does: it is a pin or a wire in section."""
    u, v, radius = circle
    middle = (near.lines[:, :2] + near.lines[:, 2:]) / 2.0
    beside = np.hypot(middle[:, 0] - u, middle[:, 1] - v)
    alike = (np.abs(near.slope - direction) < SAME_SLOPE) & (near.length > radius) & (near.length < 2.0 * radius)
    return int(np.count_nonzero(alike & (beside > BESIDE_SLASH * radius) & (beside < radius))) >= HATCHES


def _slash(near: Near, oblique: Flags, circle: tuple[float, float, float]) -> Flags:
    """The stroke through the middle of a circle, longer than it is wide and as long on both sides, or the parts of such a stroke."""
    u, v, radius = circle
    long = (near.length > 1.9 * radius) & (near.length < 4.6 * radius) & oblique
    middle = (near.lines[:, :2] + near.lines[:, 2:]) / 2.0
    whole = long & (np.hypot(middle[:, 0] - u, middle[:, 1] - v) < 0.35 * radius)
    if whole.any():
        whole &= _through(near.lines, u, v, 0.3 * radius)
    return whole if whole.any() else _parts_of_slash(near, oblique, circle)


def _parts_of_slash(near: Near, oblique: Flags, circle: tuple[float, float, float]) -> Flags:
    """Strokes of one direction, each begun where another ends, that are together such a stroke: CATIA draws the slash of Ø in two."""
    u, v, radius = circle
    parts, nothing = oblique & (near.length > 0.3 * radius), np.zeros(len(oblique), bool)
    if np.count_nonzero(parts) < 2:
        return nothing
    ends = near.lines.reshape(-1, 2, 2) - np.array([u, v])
    parts &= np.hypot(ends[..., 0], ends[..., 1]).max(axis=1) < 2.3 * radius
    if not 2 <= parts.sum() <= MOST_PARTS:
        return nothing
    angle = math.radians(float(near.slope[parts][near.length[parts].argmax()]))
    along, across = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    parts &= np.abs(ends @ across).max(axis=1) < 0.3 * radius
    spans = np.sort(ends[parts] @ along, axis=1)
    spans = spans[np.argsort(spans[:, 0])]
    if len(spans) < 2 or np.abs(spans[1:, 0] - spans[:-1, 1]).max() > MEET:
        return nothing
    first, last = float(spans[0, 0]), float(spans[-1, 1])
    is_slash = 1.9 * radius < last - first < 4.6 * radius and abs(first + last) / 2.0 < 0.35 * radius
    return parts if is_slash else nothing


def _through(lines: Array, u: float, v: float, slack: float) -> Flags:
    """Which lines pass a point."""
    along = lines[:, 2:] - lines[:, :2]
    offset = np.array([u, v]) - lines[:, :2]
    square = np.maximum(scalar_products(along, along), 1e-12)
    at = scalar_products(along, offset) / square
    miss = np.abs(along[:, 0] * offset[:, 1] - along[:, 1] * offset[:, 0]) / np.sqrt(square)
    return np.asarray((miss < slack) & (at > 0.0) & (at < 1.0))


def _degrees(near: Near) -> Iterator[Mark]:
    """°: a small circle at the top right of a number."""
    for (u, v, radius), number in zip(near.rounds.tolist(), near.round.tolist(), strict=True):
        if not (DEGREE[0] <= radius <= DEGREE[1] and DEGREE_UP[0] <= v <= DEGREE_UP[1]):
            continue
        if any(word.text[-1].isdigit() and -0.1 <= u - radius - word.end <= 0.8 for word in near.words):
            away = np.hypot(near.lines[:, [0, 2]] - u, near.lines[:, [1, 3]] - v)
            is_chord = (np.abs(away - radius) < OFF_DEGREE * radius).all(axis=1)
            is_inside = away.min(axis=1, initial=9.0) < 2.0 * radius
            if not ((is_inside | _through(near.lines, u, v, 2.0 * radius)) & ~is_chord).any():
                box = (u - radius, v - radius, u + radius, v + radius)
                yield Mark("°", box, circles=frozenset([number]))


def _brackets(near: Near) -> Iterator[Mark]:
    """( and ): arcs that stand upright, bend little and join nothing; whether they come in pairs is seen later."""
    u, v, radius = near.bows[:, 0], near.bows[:, 1], near.bows[:, 2]
    span = (near.bows[:, 4] - near.bows[:, 3]) % 360.0
    half, inner = radius * np.sin(np.radians(span / 2.0)), radius * np.cos(np.radians(span / 2.0))
    opens = np.abs((near.bows[:, 3] + span / 2.0) % 360.0 - 180.0) < 12.0
    likely = _bows(near.bows)
    at = u + np.where(opens, -1.0, 1.0) * (radius + inner) / 2.0
    for word in near.words:
        likely &= (at < word.begin + 0.4) | (at > word.end - 0.4)
    chosen = np.flatnonzero(likely)
    if not len(chosen):
        return
    tips = _tips(near.bows)
    for place in chosen.tolist():
        others = near.lines[~_chords(near.lines, near.bows[place])]
        if _joined(np.concatenate([others.reshape(-1, 2), tips.reshape(-1, 2)]), tips[place]):
            continue
        far, close = float(radius[place]), float(inner[place])
        left, right = (-far, -close) if opens[place] else (close, far)
        middle_u, up, tall = float(u[place]), float(v[place]), float(half[place])
        box = (middle_u + left, up - tall, middle_u + right, up + tall)
        yield Mark("(" if opens[place] else ")", box, frozenset(), frozenset([int(near.bow[place])]), far)


def _with_square_brackets(surroundings: Surroundings) -> Indices:
    """The texts near which strokes stand that two square brackets may be made of."""
    enough = [
        np.bincount(surroundings.of[strokes], minlength=len(surroundings)) >= least
        for strokes, least in ((_stems(surroundings), 1), (_feet(surroundings), 2))
    ]
    return np.flatnonzero(enough[0] & enough[1])


def _square_brackets(near: Near) -> Iterator[Mark]:
    """[ and ]: an upright with a short stroke at either end, both to one side, that join nothing."""
    feet = np.flatnonzero(_feet(near))
    for stem in np.flatnonzero(_stems(near)).tolist():
        u, *ends = near.lines[stem, [0, 1, 3]].tolist()
        low, high = min(ends), max(ends)
        for sign, end, far in (("[", 0, 2), ("]", 2, 0)):
            at = np.abs(near.lines[feet][:, end] - u) < MEET
            lower, upper = (feet[at & (np.abs(near.lines[feet][:, 1] - v) < MEET)] for v in (low, high))
            if not len(lower) or not len(upper):
                continue
            members = np.unique([stem, *lower.tolist(), *upper.tolist()])
            side = float(near.lines[members][:, far].min() if sign == "]" else near.lines[members][:, far].max())
            box = (min(u, side), low, max(u, side), high)
            if near.alone(members, box):
                yield Mark(sign, box, frozenset(near.line[members].tolist()), radius=high - low)


def _stems(near: Near | Surroundings) -> Flags:
    low, high = np.minimum(near.lines[:, 1], near.lines[:, 3]), np.maximum(near.lines[:, 1], near.lines[:, 3])
    upright = np.abs(near.lines[:, 2] - near.lines[:, 0]) < MEET / 2
    tall = (near.length > STEM[0]) & (near.length < STEM[1])
    return np.asarray(upright & tall & (low > STEM_FROM[0]) & (low < STEM_FROM[1]) & (high > 0.7))


def _feet(near: Near | Surroundings) -> Flags:
    level = np.abs(near.lines[:, 3] - near.lines[:, 1]) < MEET / 2
    return np.asarray(level & (near.length > FOOT[0]) & (near.length < FOOT[1]))


def _chords(lines: Array, bow: Array) -> Flags:
    """Which lines end on an arc with both ends: it is drawn with them."""
    off = np.hypot(lines[:, [0, 2]] - bow[0], lines[:, [1, 3]] - bow[1]) - bow[2]
    return every(np.abs(off) < 0.07)


def _bows(bows: Array) -> Flags:
    """Which arcs bend and stand as brackets do."""
    v, radius, begin, end = bows[:, 1:].T
    span = (end - begin) % 360.0
    middle = (begin + span / 2.0) % 360.0
    half = radius * np.sin(np.radians(span / 2.0))
    likely = (span >= 20.0) & (span <= 115.0) & (half >= 0.45) & (half <= 2.0) & (v >= -0.9) & (v <= 1.3)
    level = np.minimum(np.abs(middle - 180.0), np.minimum(middle, 360.0 - middle)) < 12.0
    return np.asarray(likely & level)


def _joined(points: Array, tips: Array) -> bool:
    """Whether other pieces end at one of the two ends of an arc, which are among the points themselves."""
    met = 0
    for u, v in tips.tolist():
        column = points[np.abs(points[:, 0] - u) < 0.08, 1]
        met += int((np.abs(column - v) < 0.08).sum())
    return met > 2


def _tips(bows: Array) -> Array:
    """(n, 2, 2) where arcs begin and end."""
    turn = np.radians(bows[:, 3:5])
    tips: Array = bows[:, None, :2] + bows[:, 2, None, None] * np.stack([np.cos(turn), np.sin(turn)], axis=2)
    return tips


def _textures(surroundings: Surroundings) -> Iterator[tuple[int, Mark]]:
    """√: two strokes that meet below, both some 60 degrees to the baseline, the right one about twice as long."""
    lines, line = surroundings.lines, surroundings.line
    short, long = _legs(surroundings)
    met = _all_pairs(_pairs_that_meet(surroundings.of[short], lines[short, 2:], surroundings.of[long], lines[long, :2]))
    left, lower = short[met[0]], long[met[1]]
    found = np.column_stack([left, lower, lower])
    found = np.concatenate([found, _with_upper_halves(surroundings, long, left, lower)])
    one, two = lines[found[:, 1]], lines[found[:, 2]]
    ratio = np.hypot(two[:, 2] - one[:, 0], two[:, 3] - one[:, 1]) / surroundings.length[found[:, 0]]
    found = found[(ratio > 1.5) & (ratio < 3.0)]
    parted = found[:, 1] != found[:, 2]
    for left, lower, upper in found[np.lexsort((found[:, 2], found[:, 1], parted, found[:, 0]))].tolist():
        box = (float(lines[left, 0]), float(lines[lower, 1]), float(lines[upper, 2]), float(lines[upper, 3]))
        yield int(surroundings.of[left]), Mark("√", box, frozenset(line[[left, lower, upper]].tolist()))


def _turned_textures(surroundings: Surroundings) -> Iterator[tuple[int, Mark]]:
    """The same upside down, as at a surface that faces down: the legs meet above, the left one is the longer (GOST 2.309)."""
    lines, line = surroundings.lines, surroundings.line
    short, long = _legs(surroundings)
    met = _all_pairs(_pairs_that_meet(surroundings.of[short], lines[short, :2], surroundings.of[long], lines[long, 2:]))
    one, two = short[met[0]], long[met[1]]
    ratio = surroundings.length[two] / surroundings.length[one]
    fit = (ratio > 1.5) & (ratio < 3.0)
    one, two = one[fit], two[fit]
    order = np.lexsort((two, one))
    for right, left in zip(one[order].tolist(), two[order].tolist(), strict=True):
        box = (float(lines[left, 0]), float(lines[left, 1]), float(lines[right, 2]), float(lines[left, 3]))
        yield int(surroundings.of[right]), Mark("√", box, frozenset(line[[right, left]].tolist()), is_turned=True)


def _legs(surroundings: Surroundings) -> tuple[Indices, Indices]:
    """The short and the long legs, of each text the first PLENTY."""
    short, long = (np.flatnonzero(legs(surroundings)) for legs in (_short_legs, _long_legs))
    return _first(short, surroundings.of[short]), _first(long, surroundings.of[long])


def _first(places: Indices, of: Indices) -> Indices:
    """The first PLENTY of each text."""
    return places[np.arange(len(of)) - np.searchsorted(of, of) < PLENTY]


def _all_pairs(parts: Iterator[tuple[Indices, Indices]]) -> tuple[Indices, Indices]:
    held = [(np.zeros(0, np.int64), np.zeros(0, np.int64)), *parts]
    return np.concatenate([one for one, _ in held]), np.concatenate([two for _, two in held])


def _with_upper_halves(surroundings: Surroundings, long: Indices, left: Indices, lower: Indices) -> Indices:
    """(n, 3) pairs of a short leg and the long one at its foot, with the stroke that goes on with this one: Creo draws a long leg as two
    strokes, each as long as the short leg."""
    lines, slope, of = surroundings.lines, surroundings.slope, surroundings.of
    halves = np.unique(lower)
    one, two = _all_pairs(_pairs_that_meet(of[halves], lines[halves, 2:], of[long], lines[long, :2]))
    one, two = halves[one], long[two]
    goes_on = np.abs(slope[one] - slope[two]) < 2.0
    one, two = one[goes_on], two[goes_on]
    order = np.argsort(one, kind="stable")
    one, two = one[order], two[order]
    pair, at = whole_numbers(np.searchsorted(one, lower), np.searchsorted(one, lower, side="right"))
    return np.column_stack([left[pair], lower[pair], two[at]])


def _short_legs(near: Near | Surroundings) -> Flags:
    slope, length = near.slope, near.length
    return np.asarray((slope > -76.0) & (slope < -44.0) & (length > SHORT_LEG[0]) & (length < SHORT_LEG[1]))


def _long_legs(near: Near | Surroundings) -> Flags:
    slope, length = near.slope, near.length
    return np.asarray((slope > 44.0) & (slope < 76.0) & (length > LONG_LEG[0]) & (length < LONG_LEG[1]))
