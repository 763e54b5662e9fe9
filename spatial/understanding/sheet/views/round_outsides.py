"""Diameters of circles that bound a part: outwards of a hole the part goes on, to an edge in every direction; outwards of the part itself
no outline follows.

Glossary
  direction     from the centre of the circle.
  unobstructed  a direction in which the circle is drawn, and no outline of its view lies beyond it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np

from spatial.models.sheet.drawing import Array, Box, Dimensioning, Flags, Sheet
from spatial.understanding.sheet.leaders.arrowheads import diagonal
from spatial.understanding.sheet.views.clusters import cluster_boxes, is_frame, merged
from spatial.understanding.sheet.views.dimension_ends import ends_of

ON_CIRCLE: Final = 1e-3
"""Diagonals of the sheet between a circle and what is on it."""
SAME_SIZE: Final = 0.005
"""Of its radius by which the circle that a leader measures may differ from the one that is drawn."""
WHOLE: Final = 359.0
"""Degrees of an arc that is a whole circle."""
DIRECTIONS: Final = 72
LEAST_UNOBSTRUCTED: Final = 24
"""Of the directions that must be unobstructed: a third of a turn. A hole beside a break or the middle of half a view has fewer."""
INSIDE: Final = 0.95
"""Radii within which something must be drawn: a circle without it may be a hole of a layout."""
FEWEST_ALIKE: Final = 2
"""Further circles of one size that make a pattern."""
MOST_OUTLINES: Final = 20_000
"""Of one view that are looked at."""
MOST_DIAMETERS: Final = 200

Circle: TypeAlias = tuple[float, float, float]
"""Centre and radius."""


def round_outsides(ends: Array, sheet: Sheet, dimensions: Sequence[Dimensioning], *, are_wide: bool) -> frozenset[str]:
    """Ids of the diameters whose circle bounds the part, and is no lone hole of a layout: something of the part is inside it.

    ends: (n, 4) the outlines of the sheet.
    are_wide: whether they are no other lines; else only a circle inside is surely of the part.
    """
    slack = ON_CIRCLE * diagonal(sheet)
    diameters = [each for each in dimensions if each.type == "diameter"][:MOST_DIAMETERS]
    circles = [(each.id, circle) for each in diameters if (circle := _circle(each, sheet.arcs.circles, slack))]
    if not circles or not len(ends):
        return frozenset()
    boxes = merged([box for box in cluster_boxes(ends, diagonal(sheet)) if not is_frame(box, sheet.box)])
    return frozenset(
        name
        for name, circle in circles
        if (box := _view_of(boxes, circle, slack))
        and not _is_encircled(circle, sheet.arcs.circles, slack)
        and not _is_of_pattern(circle, sheet.arcs.circles, box, slack)
        and _bounds(circle, _within(ends, box, slack), None if are_wide else sheet.arcs.circles, slack)
    )


def _circle(dimension: Dimensioning, drawn: Array, slack: float) -> Circle | None:
    """The drawn circle that a diameter is across, or that its leader points at."""
    x, y, radius = drawn[:, 0], drawn[:, 1], drawn[:, 2]
    if (between := ends_of(dimension)) is not None:
        (x0, y0), (x1, y1) = (place[:2] for place in between)
        half = np.hypot(x1 - x0, y1 - y0) / 2
        off = np.hypot(x - (x0 + x1) / 2, y - (y0 + y1) / 2) + np.abs(radius - half)
    elif len(tips := dimension.further.get("arrow_tips", ())) == 1 and dimension.value:
        off = np.abs(np.hypot(x - tips[0][0], y - tips[0][1]) - radius)
        off = np.where(np.abs(2 * radius - dimension.value) < SAME_SIZE * dimension.value, off, np.inf)
    else:
        return None
    best = int(off.argmin()) if len(off) else -1
    return (float(x[best]), float(y[best]), float(radius[best])) if best >= 0 and off[best] < slack else None


def _view_of(boxes: Sequence[Box], circle: Circle, slack: float) -> Box | None:
    """The view that holds the centre of a circle, which is the outline of a part of it or within it."""
    x, y, _ = circle
    return next((b for b in boxes if b[0] - slack <= x <= b[2] + slack and b[1] - slack <= y <= b[3] + slack), None)


def _within(ends: Array, box: Box, slack: float) -> Array:
    low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
    inside = (low >= np.array(box[:2]) - slack) & (high <= np.array(box[2:]) + slack)
    return ends[inside.all(axis=1)]


def _is_encircled(circle: Circle, drawn: Array, slack: float) -> bool:
    """Whether another circle of any width lies around it: the border of a detail, beyond which the part is not shown."""
    x, y, radius = circle
    around = np.hypot(drawn[:, 0] - x, drawn[:, 1] - y) + radius < drawn[:, 2] - slack
    return bool((around & _are_whole(drawn)).any())


def _is_of_pattern(circle: Circle, drawn: Array, box: Box, slack: float) -> bool:
    """Whether its view has circles of its size elsewhere: a pattern of holes, of which a layout shows no outline."""
    x, y, radius = circle
    within = (drawn[:, 0] > box[0]) & (drawn[:, 0] < box[2]) & (drawn[:, 1] > box[1]) & (drawn[:, 1] < box[3])
    alike = within & (np.abs(drawn[:, 2] - radius) < slack) & _are_whole(drawn)
    return int((alike & (np.hypot(drawn[:, 0] - x, drawn[:, 1] - y) > slack)).sum()) >= FEWEST_ALIKE


def _are_whole(circles: Array) -> Flags:
    return np.asarray(circles[:, 4] - circles[:, 3] >= WHOLE)


def _bounds(circle: Circle, outlines: Array, drawn: Array | None, slack: float) -> bool:
    x, y, radius = circle
    about = outlines - (x, y, x, y)
    if not len(about) or len(about) > MOST_OUTLINES:
        return False
    one, other = np.hypot(about[:, 0], about[:, 1]), np.hypot(about[:, 2], about[:, 3])
    on = (np.abs(one - radius) < slack) & (np.abs(other - radius) < slack)
    has_inside = _has_inside(about[~on], radius, slack) if drawn is None else _has_circle_inside(circle, drawn)
    if not has_inside:
        return False
    unobstructed = _directions_of(about[on]) & ~_blocked(about[~on], radius + slack)
    return int(unobstructed.sum()) >= LEAST_UNOBSTRUCTED


def _has_inside(about: Array, radius: float, slack: float) -> bool:
    """Whether something is drawn inside, but a cross through the centre."""
    x0, y0, x1, y1 = about.T
    long = np.hypot(x1 - x0, y1 - y0)
    inside = (np.hypot(x0, y0) < INSIDE * radius) & (np.hypot(x1, y1) < INSIDE * radius)
    return bool((inside & (np.abs(x0 * y1 - y0 * x1) > slack * long)).any())


def _has_circle_inside(circle: Circle, drawn: Array) -> bool:
    x, y, radius = circle
    inside = np.hypot(drawn[:, 0] - x, drawn[:, 1] - y) + drawn[:, 2] < INSIDE * radius
    return bool((inside & _are_whole(drawn)).any())


def _directions_of(pieces: Array) -> Flags:
    """(DIRECTIONS,) the directions in which a circle is drawn, in pieces about its centre."""
    found = np.zeros(DIRECTIONS, bool)
    for place in (pieces[:, :2], pieces[:, 2:], (pieces[:, :2] + pieces[:, 2:]) / 2):
        turn = np.arctan2(place[:, 1], place[:, 0]) / (2 * np.pi)
        found[np.rint(DIRECTIONS * turn).astype(np.int64) % DIRECTIONS] = True
    return found


def _blocked(about: Array, beyond: float) -> Flags:
    """(DIRECTIONS,) whether a line crosses each direction farther than so from the centre."""
    return np.array([bool((_crossings(about, direction) > beyond).any()) for direction in _directions()])


def _directions() -> Iterator[tuple[float, float]]:
    turns = 2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    yield from zip(np.cos(turns).tolist(), np.sin(turns).tolist(), strict=True)


def _crossings(about: Array, direction: tuple[float, float]) -> Array:
    """(n,) how far from the centre lines cross a direction; minus infinity where they do not."""
    x0, y0, x1, y1 = about.T
    side, other = direction[0] * y0 - direction[1] * x0, direction[0] * y1 - direction[1] * x1
    along, along_other = direction[0] * x0 + direction[1] * y0, direction[0] * x1 + direction[1] * y1
    crosses = side * other <= 0
    with np.errstate(divide="ignore", invalid="ignore"):
        part = np.where(side == other, 0.0, side / (side - other))
    far: Array = np.where(crosses, along + part * (along_other - along), -np.inf)
    return far
