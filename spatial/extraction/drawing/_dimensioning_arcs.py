"""Angular dimensions: arcs with a head at each end; and circles that a leader comes to."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from spatial.extraction.drawing._dimensioning_arrows import Heads
from spatial.extraction.drawing._dimensioning_spans import Span
from spatial.extraction.drawing.sheet import Array, Flags, Sheet

MOST: Final = 20_000
"""Arcs of a sheet that are looked at."""
HEADS: Final = 3000


def _arcs(sheet: Sheet) -> Array:
    circles = sheet.arcs.circles[:MOST]
    return circles[np.isfinite(circles).all(axis=1) & (circles[:, 2] > 0)]


def angular(arrows: Heads, sheet: Sheet) -> list[Span]:
    """Two heads along one circle of which an arc is drawn, pointing apart or at each other."""
    circles = _arcs(sheet)
    circles = circles[circles[:, 4] - circles[:, 3] < 359]
    if not len(circles) or len(arrows) < 2:
        return []
    held: dict[int, list[int]] = {}
    for head in range(min(len(arrows), HEADS)):
        for circle in np.flatnonzero(_runs_into(circles, arrows, head))[:4].tolist():
            held.setdefault(circle, []).append(head)
    return _pairs(_together(held, circles), circles, arrows)


def _runs_into(circles: Array, arrows: Heads, head: int) -> Flags:
    """Arcs whose circle goes through a tip along its head, and that end near it."""
    tip, way, length = arrows.tips[head], arrows.ways[head], float(arrows.lengths[head])
    off = tip - circles[:, :2]
    distance = np.hypot(off[:, 0], off[:, 1])
    on = np.abs(distance - circles[:, 2]) < 0.12 * length
    with np.errstate(divide="ignore", invalid="ignore"):
        # A straight head leans inwards on its arc by half the angle that it covers.
        lean = np.abs(off @ way) / distance
    along = on & (lean < 0.08 + length / circles[:, 2])
    if not along.any():
        return np.asarray(along, bool)
    ends = np.radians(circles[:, 3:5])
    x = circles[:, :1] + circles[:, 2:3] * np.cos(ends)
    y = circles[:, 1:2] + circles[:, 2:3] * np.sin(ends)
    near = np.hypot(x - tip[0], y - tip[1]).min(axis=1) < 1.4 * length
    return np.asarray(along & near, bool)


def _together(held: dict[int, list[int]], circles: Array) -> dict[int, set[int]]:
    """Heads of arcs of one circle, which its text may break, by its first arc."""
    found: dict[int, set[int]] = {}
    for circle, at in held.items():
        slack = 0.01 * circles[circle, 2] + 1e-9
        same = next((c for c in found if np.abs(circles[c, :3] - circles[circle, :3]).max() < slack), circle)
        found.setdefault(same, set()).update(at)
        if len(found) > 500:
            break
    return found


def _pairs(held: dict[int, set[int]], circles: Array, arrows: Heads) -> list[Span]:
    found = []
    for circle, at in held.items():
        if not 2 <= len(at) <= 12:
            continue
        centre = circles[circle, :2]
        places = np.array(sorted(at))
        off = arrows.tips[places] - centre
        turn = np.degrees(np.arctan2(off[:, 1], off[:, 0])) % 360
        ahead = off[:, 0] * arrows.ways[places, 1] - off[:, 1] * arrows.ways[places, 0] > 0
        order = np.argsort(turn, kind="stable")
        for one, other in zip(order, np.roll(order, -1), strict=True):
            angle = float((turn[other] - turn[one]) % 360)
            inside = not ahead[one] and ahead[other]
            outside = ahead[one] and not ahead[other] and angle < 180
            if (inside or outside) and 0.5 < angle < 350 and _drawn(circles, circle, turn[one], angle, inside):
                found.append(_span(arrows.tips[places[one]], arrows.tips[places[other]], angle, centre))
    return found


def _drawn(circles: Array, circle: int, begin: float, angle: float, inside: bool) -> bool:
    """Whether arcs of the circle lie between two heads that point apart."""
    if not inside:
        return True
    same = np.abs(circles[:, :3] - circles[circle, :3]).max(axis=1) < 0.01 * circles[circle, 2] + 1e-9
    low = (circles[same, 3] - begin + 5) % 360 - 5
    length = circles[same, 4] - circles[same, 3]
    return bool(np.clip(np.minimum(low + length, angle) - np.maximum(low, 0), 0, None).sum() > 0.3 * angle)


def _span(first: Array, last: Array, angle: float, centre: Array) -> Span:
    return Span(
        (float(first[0]), float(first[1])),
        (float(last[0]), float(last[1])),
        angle,
        (0.0, angle),
        0.9,
        (float(centre[0]), float(centre[1])),
    )


def on_circle(tip: tuple[float, float], tail: tuple[float, float], sheet: Sheet) -> float | None:
    """Radius of the circle that a leader points at square to it; None where it points at none."""
    circles = _arcs(sheet)
    off = np.array(tip) - circles[:, :2]
    distance = np.hypot(off[:, 0], off[:, 1])
    way = np.array(tail) - np.array(tip)
    long = math.hypot(*way)
    if not len(circles) or not long:
        return None
    slack = 0.004 * circles[:, 2] + 0.02 * long
    with np.errstate(divide="ignore", invalid="ignore"):
        square = np.abs(off @ way) / (distance * long)
    hit = (np.abs(distance - circles[:, 2]) < np.minimum(slack, 0.1 * circles[:, 2])) & (square > 0.98)
    return float(circles[hit][np.argmin(np.abs(distance - circles[:, 2])[hit]), 2]) if hit.any() else None
