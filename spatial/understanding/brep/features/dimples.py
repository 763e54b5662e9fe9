"""Dimples: pockets that close themselves, as a ball mill, a drill's point or a countersink without a hole leaves them."""

from __future__ import annotations

from math import degrees
from typing import Any

import numpy as np

from spatial.geometry.quadrature import Array
from spatial.understanding.brep.features.outlines import is_round
from spatial.understanding.brep.features.shape import FeatureShape, Loop


def dimple(shape: FeatureShape, mouth: Loop, walls: list[int], up: Array) -> dict[str, Any] | None:
    """Diameter of a round mouth, depth and what closes it: pieces of one sphere, or of one cone along `up`; None of anything else."""
    surface = shape.surfaces[walls[0]] if is_round(shape, walls) else None
    circles = [(edge.center, edge.radius) for edge in mouth.edges]
    centre, radius = circles[0]
    if surface is None or centre is None or radius is None or surface.kind == "cylinder":
        return None
    if any(each is None or float(np.linalg.norm(each - centre)) > shape.tolerance for each, _ in circles):
        return None
    members: dict[str, Any] = {"diameter": 2.0 * radius, "through": False, "axis": -up}
    level = float(centre @ up)
    if surface.kind == "sphere":
        deepest = float(surface.origin @ up) - surface.radius
        return members | {"depth": level - deepest, "floor_radius": surface.radius, "bottom": {"shape": "spherical"}}
    if not shape.is_along(surface.axis, up):
        return None
    bottom = {"shape": "conical", "angle": 2.0 * degrees(surface.half_angle)}
    return members | {"depth": level - shape.extent(walls, up)[0], "bottom": bottom}
