"""Sizes and masses of both models, and how they differ."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial.reasoning.diff.fields import amounts, delta
from spatial.reasoning.diff.model.body import Body
from spatial.reasoning.members import Members
from spatial.reasoning.scene.model import Array
from spatial.reasoning.units import metres_of


def totals(previous: Sequence[Body], current: Sequence[Body], units: str, goal: Members) -> dict[str, Any]:
    """Number of bodies, volume, area, size, centre of mass and, with goal.density, mass in kilograms.

    Raises: InputRejected for a density that is not a positive number.
    """
    sides = previous, current
    volumes = [_sum([body.volume for body in bodies]) for bodies in sides]
    centres = [_center(bodies) for bodies in sides]
    found: dict[str, Any] = {
        "objects": amounts(float(len(previous)), float(len(current))),
        "volume": amounts(*volumes),
        "surface_area": amounts(*(_sum([body.area for body in bodies]) for bodies in sides)),
        "size": delta(*(_size(bodies) for bodies in sides)),
        "center_of_mass": delta(*centres),
    }
    if centres[0] is not None and centres[1] is not None:
        found["center_of_mass"]["delta"] = centres[1] - centres[0]
    density = goal.number_or_none("density", above=0.0)
    metres = metres_of(units)
    if density is not None and metres is not None:
        masses = [None if volume is None else volume * metres**3 * density for volume in volumes]
        found["mass"] = amounts(*masses)
    return {name: value for name, value in found.items() if value}


def _sum(values: Sequence[float | None]) -> float | None:
    """None where one of them is not known: a sum of the others would look like a loss."""
    known = [value for value in values if value is not None]
    return math.fsum(known) if values and len(known) == len(values) else None


def _center(bodies: Sequence[Body]) -> Array | None:
    if not bodies or any(body.volume is None or body.center_of_mass is None for body in bodies):
        return None
    weights = np.array([body.volume for body in bodies], dtype=np.float64)
    if weights.sum() <= 0:
        return None
    centres = np.array([body.center_of_mass for body in bodies])
    found: Array = (weights[:, None] * centres).sum(axis=0) / weights.sum()
    return found


def _size(bodies: Sequence[Body]) -> Array | None:
    boxes = [body.bounds for body in bodies if body.bounds is not None]
    if not boxes:
        return None
    found: Array = np.max([box[1] for box in boxes], axis=0) - np.min([box[0] for box in boxes], axis=0)
    return found
