"""Whether a load stands on a support polygon, by how much, and how far it can be tilted.

A rigid body on a support with friction stands if the vertical through its centre of mass meets the support polygon. The margin is the
distance to the nearest edge; tilted about that edge, the body topples at atan(margin / height of the centre of mass).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from shapely import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from spatial.reasoning.contact.patches import Patch, Plane
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.tolerances import CONTACT

Verdict = Literal["stable", "marginal", "unstable", "unknown"]

ORDER: Final[tuple[Verdict, ...]] = ("stable", "marginal", "unknown", "unstable")
"""From best to worst."""


@dataclass(frozen=True, eq=False)
class Balance:
    """How a load stands.

    margin: distance of the projected centre of mass from the nearest edge; negative outside.
    margin_bounds: its smallest and largest value where the contact is not known exactly.
    height: of the centre of mass above the contact; tilt: degrees at which it topples, negative if it does by itself.
    edge: (2, 2) the edge over which it topples first, None for a contact without an area.
    """

    verdict: Verdict
    margin: float
    margin_bounds: tuple[float, float]
    height: float
    tilt: float
    edge: Array | None


def balance(patch: Patch, centre: Array, plane: Plane, size: float) -> Balance:
    """How a load with a centre of mass, (3,), stands on a patch."""
    place = Point(plane.flat(centre[None])[0])
    inner, outer = patch.inner.convex_hull, patch.outer.convex_hull
    high = -size if outer.is_empty else margin_of(place, outer)
    low = high if patch.is_exact else min(high, -size) if inner.is_empty else min(high, margin_of(place, inner))
    reach = CONTACT * size
    height = float(centre @ plane.up) - float(patch.levels(_row(place))[0])
    edge = _edge(place, inner)
    above = height if edge is None else float(centre @ plane.up) - _level(place, edge, patch)
    return Balance(
        _verdict(low, high, reach),
        low,
        (low, high),
        height,
        math.degrees(math.atan2(low, max(above, 0.0))),
        edge,
    )


def _row(place: Point) -> Array:
    return np.array([[place.x, place.y]])


def _level(place: Point, edge: Array, patch: Patch) -> float:
    """The level of a contact at the point of an edge that is nearest to a place."""
    line = LineString(edge)
    return float(patch.levels(_row(line.interpolate(line.project(place))))[0])


def margin_of(place: Point, support: BaseGeometry) -> float:
    """The signed distance of a point from the edge of a convex support: positive inside."""
    if isinstance(support, Polygon) and support.covers(place):
        return float(place.distance(support.exterior))
    return -float(place.distance(support))


def _verdict(low: float, high: float, reach: float) -> Verdict:
    if low > reach:
        return "stable"
    if high < -reach:
        return "unstable"
    return "marginal" if abs(low) <= reach and abs(high) <= reach else "unknown"


def _edge(place: Point, support: BaseGeometry) -> Array | None:
    if not isinstance(support, Polygon):
        return None
    corners = np.asarray(support.exterior.coords)
    lines = [LineString(corners[k : k + 2]) for k in range(len(corners) - 1)]
    nearest = min(range(len(lines)), key=lambda k: lines[k].distance(place))
    return np.asarray(corners[nearest : nearest + 2])
