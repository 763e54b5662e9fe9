"""The floor of a scene: the object that does not tip, because it carries all others and nothing is known to carry it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from shapely import MultiPoint, Polygon

from spatial.reasoning.contact.patches import Plane, lowest
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Array, Convex, box
from spatial.reasoning.shape.tolerances import CONTACT, PARALLEL

STEEPEST: Final = 0.5**0.5
"""Cosine of the steepest inclination of a floor, 45 degrees: beyond it another side of a block looks more down."""


SIDES: Final = 24
"""Largest flat sides that are looked at."""


def floor_of(bodies: Mapping[str, Body], plane: Plane) -> str | None:
    """The id of an object that is an inclined floor; None where there is none.

    It has a flat side that looks down, not level but inclined by less than 45 degrees, and all other objects stand in the column over
    that side. On level ground such an object cannot tip, because every load is above its base; where it is inclined, its lowest edge
    alone would touch level ground, which therefore is not what carries it.
    """
    if len(bodies) < 2:
        return None
    below = min(
        bodies, key=lambda name: lowest(bodies[name], plane)
    )  # what stands in the column over its side is higher
    return below if _is_floor(below, bodies, plane) else None


def _is_floor(name: str, bodies: Mapping[str, Body], plane: Plane) -> bool:
    hull = bodies[name].hull
    if hull is None:
        return False
    side = max(hull.largest(SIDES), key=lambda facet: (round(-float(facet.normal @ plane.up), 9), facet.area))
    fall = -float(side.normal @ plane.up)
    if not STEEPEST < fall < 1 - PARALLEL**2:
        return False
    across = Plane.across(side.normal)
    reach = CONTACT * bodies[name].size
    base = Polygon(across.flat(side.polygon)).buffer(reach)
    others = [body.inner or body.outer for each, body in bodies.items() if each != name]
    return all(
        base.covers(MultiPoint(across.flat(_corners(shape))))
        and float(shape.heights(side.normal[None])[0]) <= side.offset + reach
        for shape in others
    )


def _corners(shape: Convex) -> Array:
    return shape.vertices if shape.is_polytope else np.asarray(box(shape.bounds[0], shape.bounds[1]).vertices)
