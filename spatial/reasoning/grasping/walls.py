"""Hollow objects of which no more than corners is known: every side of their hull may be a thin wall, or open."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from spatial.reasoning.contact.patches import Plane
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import Body, body_of
from spatial.reasoning.shape.convex import Convex
from spatial.reasoning.shape.sampled import sampled_shape
from spatial.reasoning.shape.tolerances import PARALLEL


def has_unknown_walls(item: SceneObject, hollow: Collection[str]) -> bool:
    """Whether an object is known by its corners, and is a container or one of the ids that a goal takes as hollow."""
    if item.faces or not (item.kind == "container" or item.id in hollow):
        return False
    found = sampled_shape(item.points)
    return found is not None and found.basis == "corners"


def walled(item: SceneObject, plane: Plane, *, is_open_above: bool) -> Body | None:
    """The object as thin walls on all sides of its hull, or on all but the one that faces up best; None without geometry."""
    body = body_of(item)
    if body is None or body.hull is None:
        return body
    facets = body.hull.facets
    best = max(float(facet.normal @ plane.up) for facet in facets)
    kept = [facet for facet in facets if not is_open_above or float(facet.normal @ plane.up) < best - PARALLEL]
    walls = tuple(Convex(np.asarray(facet.polygon)) for facet in kept)
    return replace(body, parts=walls, cover=(), inner=None, fills_hull=False)
