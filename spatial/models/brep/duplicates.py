"""Bodies that a file holds twice: the same part as surfaces and as triangles, or written twice at one place."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import numpy as np

from spatial.geometry.placement import Placement
from spatial.geometry.quadrature import Array
from spatial.models.brep.instances import FlattenedAssembly, Instance

SAME: Final = 1e-6
"""Relative difference up to which the measures of two exact bodies are the same."""

SAME_TRIANGLES: Final = 1e-2
"""The same where one of them is triangles, which approximate the other."""


def duplicates(flattened: FlattenedAssembly, places: dict[str, Placement]) -> dict[str, str]:
    """The id of each solid that repeats another of the same part at the same place, and the id of that one."""
    groups: dict[tuple[str | None, str | None], list[Instance]] = defaultdict(list)
    for body in flattened.of_kind("solid"):
        groups[body.part, body.instance].append(body)
    found: dict[str, str] = {}
    for bodies in groups.values():
        if len(bodies) > 1:
            found |= _repeated(bodies[:MOST_COMPARED], places)
    return found


MOST_COMPARED: Final = 200
"""Bodies of one part that are compared with each other."""


def _repeated(bodies: list[Instance], places: dict[str, Placement]) -> dict[str, str]:
    exact_first = sorted(bodies, key=lambda body: body.definition.tessellated)
    measures = {body.id: _measures(body, places[body.id]) for body in bodies}
    found: dict[str, str] = {}
    for place, body in enumerate(exact_first):
        for other in exact_first[:place]:
            rough = body.definition.tessellated or other.definition.tessellated
            tolerance = SAME_TRIANGLES if rough else SAME
            if other.id not in found and _is_same(measures[body.id], measures[other.id], tolerance):
                found[body.id] = other.id
                break
    return found


def _measures(body: Instance, place: Placement) -> tuple[Array, float, float]:
    """Box (2, 3), volume and area."""
    mass = body.definition.mass
    return np.array(body.definition.bounds(place)), abs(mass.volume) * place.factor**3, mass.area * place.factor**2


def _is_same(first: tuple[Array, float, float], second: tuple[Array, float, float], tolerance: float) -> bool:
    size = float(np.linalg.norm(first[0][1] - first[0][0]))
    if not (np.isfinite(first[0]).all() and np.isfinite(second[0]).all()):
        return False
    alike = all(abs(a - b) <= tolerance * max(abs(a), abs(b)) for a, b in zip(first[1:], second[1:], strict=True))
    return alike and bool(np.abs(first[0] - second[0]).max() <= tolerance * size)
