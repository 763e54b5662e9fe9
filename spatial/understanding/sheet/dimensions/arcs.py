"""Angular dimensions: arcs with a head at each end; and circles that a leader comes to."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.geometry.arcs import on_arcs, sweeps
from spatial.geometry.index import CellIndex
from spatial.models.sheet.drawing import Array, Flags, Indices, Sheet
from spatial.understanding.sheet.dimensions.span import Span
from spatial.understanding.sheet.leaders.arrowheads import Heads
from spatial.understanding.sheet.lettering.pieces import FARTHEST

SMALLEST: Final = 1e-9
"""Sheet units of a radius; what is smaller is a point, beside whose radius lengths have no ratio."""
MOST: Final = 20_000
"""Arcs of a sheet that are looked at."""
HEADS: Final = 3000
CIRCLES: Final = 500
"""With heads on them."""
CLOSED: Final = 359.0
"""Degrees of an arc that is a whole circle."""
ARCS_OF_HEAD: Final = 4
"""Arcs that are tried for one head."""
ON_CIRCLE: Final = 0.12
"""Lengths of a head between its tip and its circle."""
LEAN: Final = 0.08
"""Sine of the angle by which a head may lean beside what a straight head on an arc leans."""
SAME_CIRCLE: Final = 0.01
"""Radii by which centre and radius of one circle may differ."""
BINARY_NOISE: Final = 1e-9
"""Sheet units by which equal numbers may differ."""
HEADS_OF_CIRCLE: Final = (2, 12)
"""Heads on one circle: more are a gear or a hatch."""
NEIGHBOURS: Final = 4
"""Heads further on the same circle up to which the other end of a dimension is looked for: two may have their tips at one place."""
ANGLES: Final = (0.5, 350.0)
"""Degrees of an angular dimension."""
HALF_TURN: Final = 180.0
OUTSIDE_BEGIN: Final = 5.0
"""Degrees by which an arc may begin before its head."""
DRAWN_PART: Final = 0.3
"""Of the arc between two heads that is drawn at least: its text may break it."""
CONFIDENCE: Final = 0.9
"""Of an angular dimension; arcs of the part look alike."""
POINTS_AT: Final = (0.004, 0.02, 0.1)
"""A leader points at a circle where its tip is off by at most so many radii and leader lengths together, and so many radii."""
SQUARE_TO: Final = 0.98
"""Cosine of the angle between a leader and the radius that it points along."""
NEAR: Final = 1.4
"""Lengths of a head between its tip and where its arc ends."""
MOST_PLACES: Final = 64
"""Along an arc that are looked at."""


def _arcs(sheet: Sheet) -> Array:
    circles = sheet.arcs.circles[:MOST]
    return circles[(np.abs(circles) < FARTHEST).all(axis=1) & (circles[:, 2] > SMALLEST)]


def angular(arrows: Heads, sheet: Sheet) -> list[Span]:
    """Two heads along one circle of which an arc is drawn, pointing apart or at each other."""
    circles = _arcs(sheet)
    circles = circles[sweeps(circles) < CLOSED]
    if not len(circles) or len(arrows) < 2:
        return []
    held: dict[int, list[int]] = {}
    for head, circle in _running_into(circles, arrows):
        held.setdefault(circle, []).append(head)
    return pairs_on(_together(held, circles), circles, arrows)


def _running_into(circles: Array, arrows: Heads) -> Iterator[tuple[int, int]]:
    """Heads, each with the first few arcs that go to its tip, or on as the line behind another head, along it."""
    count = min(len(arrows), HEADS)
    reach = NEAR * float(arrows.lengths[:count].max())
    owners, places = _along(circles, reach)
    for heads, near in CellIndex(places, reach).near(arrows.tips[:count]):
        pair = np.unique(heads * len(circles) + owners[near])
        head, circle = pair // len(circles), pair % len(circles)
        runs = np.flatnonzero(_run_into(circles[circle], arrows, head))
        few = runs[np.arange(len(runs)) - np.searchsorted(head[runs], head[runs]) < ARCS_OF_HEAD]
        yield from zip(head[few].tolist(), circle[few].tolist(), strict=True)


def _along(circles: Array, step: float) -> tuple[Indices, Array]:
    """Places of arcs, their ends and those between a step apart, and the arc of each."""
    sweep = sweeps(circles)
    pieces = np.clip(np.ceil(np.radians(sweep) * circles[:, 2] / step), 1, MOST_PLACES).astype(np.int64)
    owners = np.repeat(np.arange(len(circles)), pieces + 1)
    number = np.arange(len(owners)) - np.repeat(np.cumsum(pieces + 1) - pieces - 1, pieces + 1)
    return owners, on_arcs(circles[owners], number / pieces[owners])


def _run_into(circles: Array, arrows: Heads, head: Indices) -> Flags:
    """Whether the circle of each arc (k, 5) goes through the tip of a head (k,) along it, and the arc is drawn up to near there."""
    tip, way, length = arrows.tips[head], arrows.ways[head], arrows.lengths[head]
    off = tip - circles[:, :2]
    distance = np.hypot(off[:, 0], off[:, 1])
    on = np.abs(distance - circles[:, 2]) < ON_CIRCLE * length
    with np.errstate(divide="ignore", invalid="ignore"):
        # A straight head leans inwards on its arc by half the angle that it covers.
        lean = np.abs((off * way).sum(axis=1)) / distance
    slack = np.degrees(NEAR * length / circles[:, 2])
    ahead = (np.degrees(np.arctan2(off[:, 1], off[:, 0])) - circles[:, 3] + slack) % 360.0
    return np.asarray(on & (lean < LEAN + length / circles[:, 2]) & (ahead < sweeps(circles) + 2 * slack))


def _together(held: dict[int, list[int]], circles: Array) -> dict[int, set[int]]:
    """Heads of arcs of one circle, which its text may break, by its first arc."""
    found: dict[int, set[int]] = {}
    known = np.zeros((CIRCLES, 3))
    for circle, at in held.items():
        alike = (
            np.abs(known[: len(found)] - circles[circle, :3]).max(axis=1)
            < SAME_CIRCLE * circles[circle, 2] + BINARY_NOISE
        )
        same = list(found)[int(alike.argmax())] if alike.any() else circle
        if same == circle:
            known[len(found)] = circles[circle, :3]
        found.setdefault(same, set()).update(at)
        if len(found) == CIRCLES:
            break
    return found


def pairs_on(held: dict[int, set[int]], circles: Array, arrows: Heads) -> list[Span]:
    """The angular dimensions of heads on one circle; held: the numbers of its heads by that of an arc of it."""
    found = []
    for circle, at in held.items():
        if not HEADS_OF_CIRCLE[0] <= len(at) <= HEADS_OF_CIRCLE[1]:
            continue
        centre = circles[circle, :2]
        places = np.array(sorted(at))
        off = arrows.tips[places] - centre
        turn = np.degrees(np.arctan2(off[:, 1], off[:, 0])) % 360
        ahead = off[:, 0] * arrows.ways[places, 1] - off[:, 1] * arrows.ways[places, 0] > 0
        order = np.argsort(turn, kind="stable")
        same = circles[
            np.abs(circles[:, :3] - circles[circle, :3]).max(axis=1) < SAME_CIRCLE * circles[circle, 2] + BINARY_NOISE
        ]
        for place, one in enumerate(order.tolist()):
            for step in range(1, min(NEIGHBOURS, len(order))):
                other = int(order[(place + step) % len(order)])
                angle = float((turn[other] - turn[one]) % 360)
                inside = not ahead[one] and ahead[other]
                outside = ahead[one] and not ahead[other] and angle < HALF_TURN
                drawn = outside or (inside and _drawn(same, float(turn[one]), angle))
                if drawn and ANGLES[0] < angle < ANGLES[1]:
                    found.append(_span(arrows.tips[places[one]], arrows.tips[places[other]], angle, centre))
                    break
    return found


def _drawn(same: Array, begin: float, angle: float) -> bool:
    """Whether arcs of one circle lie between two heads that point apart."""
    low = (same[:, 3] - begin + OUTSIDE_BEGIN) % 360 - OUTSIDE_BEGIN
    length = sweeps(same)
    return bool(np.clip(np.minimum(low + length, angle) - np.maximum(low, 0), 0, None).sum() > DRAWN_PART * angle)


def _span(first: Array, last: Array, angle: float, centre: Array) -> Span:
    return Span(
        (float(first[0]), float(first[1])),
        (float(last[0]), float(last[1])),
        angle,
        (0.0, angle),
        CONFIDENCE,
        (float(centre[0]), float(centre[1])),
    )


class Circles:
    """The circles of a sheet, for leaders that point at one."""

    def __init__(self, sheet: Sheet) -> None:
        """Arcs count as their circle."""
        self._centres, self._radii = (part := _arcs(sheet))[:, :2], part[:, 2]

    def radii(self, tip: tuple[float, ...], tail: tuple[float, ...]) -> list[float]:
        """Of the circles that a leader points at square to them, the nearest to its tip first."""
        x, y = self._centres.T
        across, up = tip[0] - x, tip[1] - y
        distance = np.hypot(across, up)
        dx, dy = tail[0] - tip[0], tail[1] - tip[1]
        long = math.hypot(dx, dy)
        off = np.abs(distance - self._radii)
        of_radius, of_leader, most = POINTS_AT
        hit = np.flatnonzero(off < np.minimum(of_radius * self._radii + of_leader * long, most * self._radii))
        hit = hit[np.abs(across[hit] * dx + up[hit] * dy) > SQUARE_TO * distance[hit] * long]
        found: list[float] = self._radii[hit[np.argsort(off[hit], kind="stable")]].tolist() if long else []
        return found
