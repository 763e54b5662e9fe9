"""Whether a cylinder or cone that changed is a hole or a boss: the document does not say on which side the material is.

Two rules, each with a proof; where neither applies the surface is a "cylinder":
  planes   a wider hole takes an annulus from the planes that it opens in, and a blind one gives it to its floor, which lies
           below; a boss gives it to its cap, which lies above.
  volume   by the divergence theorem 3 V is the sum over all faces of the integral of x · n. Planes and whole cylinders and
           cones have theirs in closed form, so only one choice of sides fits the change of the volume.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final, Literal

import numpy as np

from spatial.reasoning.diff.model.body import Body
from spatial.reasoning.diff.model.edits import Edit, Edits
from spatial.reasoning.diff.model.surfaces import CONE, CYLINDER, PLANE, Surfaces
from spatial.reasoning.scene.model import Array

Role = Literal["hole", "boss"]

MOST_SIDES: Final = 10
"""Most surfaces whose sides are tried: 1,024 choices."""

CLOSE: Final = 1e-4
"""Part of an expected change by which the measured one may differ."""


def roles_of(edits: Edits, previous: Body, current: Body) -> Mapping[int, Role]:
    """Role by place in `edits.rows`; surfaces that stay undecided are left out."""
    by_planes = _by_planes(edits, current)
    open_rows = [
        place for place, row in enumerate(edits.rows) if row.type in (CYLINDER, CONE) and place not in by_planes
    ]
    return {**_by_volume(edits, previous, current, by_planes, open_rows), **by_planes}


def _by_planes(edits: Edits, body: Body) -> dict[int, Role]:
    groups: dict[tuple[float, ...], list[int]] = {}
    for place, row in enumerate(edits.rows):
        if row.type == CYLINDER and row.action in ("changed", "added", "removed"):
            axis = np.abs(_direction(edits, row)).round(5)
            groups.setdefault((*_radii(edits, row), *axis.tolist()), []).append(place)
    found: dict[int, Role] = {}
    for key, places in groups.items():
        annulus = np.pi * (key[1] ** 2 - key[0] ** 2) * len(places)
        role = _role_of_annulus(edits, _direction(edits, edits.rows[places[0]]), annulus, body)
        if role is not None:
            found |= dict.fromkeys(places, role)
    return found


def _role_of_annulus(edits: Edits, axis: Array, annulus: float, body: Body) -> Role | None:
    """By the planes across an axis that lost or gained just this area."""
    across = [each for each in _plane_changes(edits, body) if abs(abs(float(each[0] @ axis)) - 1.0) < 1e-6]
    lost = [each for each in across if abs(each[2] + annulus) <= CLOSE * abs(annulus)]
    gained = [each for each in across if abs(each[2] - annulus) <= CLOSE * abs(annulus)]
    for normal, height, _ in lost:
        facing = [each for each in gained if float(each[0] @ normal) > 0]
        if facing:
            return "hole" if all(each[1] < height for each in facing) else "boss"
        unclear = [each for each in across if float(each[0] @ normal) > 0 and each[1] > height]
        if not unclear:
            return "hole"
    return None


def _plane_changes(edits: Edits, body: Body) -> list[tuple[Array, float, float]]:
    """Normal, height along it and change of area of every plane whose area changed."""
    found = []
    for row in edits.rows:
        if row.type == PLANE:
            surfaces, place = (edits.after, row.current) if row.current is not None else (edits.before, row.previous)
            normal = surfaces.directions[place]
            height = float(normal @ (surfaces.origins[place] - body.center))
            found.append((normal, height, _area(edits, row)))
    return found


def _area(edits: Edits, row: Edit) -> float:
    after = 0.0 if row.current is None else float(edits.after.areas[row.current])
    return after - (0.0 if row.previous is None else float(edits.before.areas[row.previous]))


def _by_volume(
    edits: Edits, previous: Body, current: Body, known: Mapping[int, Role], places: Sequence[int]
) -> dict[int, Role]:
    if previous.volume is None or current.volume is None or not 0 < len(places) <= MOST_SIDES:
        return {}
    rows = edits.rows
    terms = np.array([_flux(edits, row, current.center) for row in rows])
    signs = {"boss": 1.0, "hole": -1.0}
    fixed = sum(term for row, term in zip(rows, terms, strict=True) if row.type == PLANE)
    fixed += sum(signs[role] * terms[place] for place, role in known.items())
    wanted = 3.0 * (current.volume - previous.volume) - fixed
    choices = np.array(list(product((1.0, -1.0), repeat=len(places))))
    gaps = np.abs(choices @ terms[list(places)] - wanted)
    order = np.argsort(gaps)
    allowed = CLOSE * float(np.abs(terms).max())
    is_clear = gaps[order[0]] <= allowed and (len(order) == 1 or gaps[order[1]] > 10 * allowed)
    if not is_clear:
        return {}
    return {place: "boss" if side > 0 else "hole" for place, side in zip(places, choices[order[0]], strict=True)}


def _flux(edits: Edits, row: Edit, where: Array) -> float:
    """Change of the integral of (x - where) · n, n pointing away from the axis."""
    after = 0.0 if row.current is None else _flux_of(edits.after, row.current, where)
    return after - (0.0 if row.previous is None else _flux_of(edits.before, row.previous, where))


def _flux_of(surfaces: Surfaces, place: int, where: Array) -> float:
    area, (radius, angle) = float(surfaces.areas[place]), surfaces.sizes[place]
    gap, direction = surfaces.origins[place] - where, surfaces.directions[place]
    if surfaces.types[place] == PLANE:
        return float(gap @ direction) * area
    if surfaces.types[place] == CYLINDER:
        return float(radius) * area
    if surfaces.types[place] == CONE:
        apex = float(gap @ direction) - float(radius) / float(np.tan(angle))
        return -apex * float(np.sin(angle)) * area
    return 0.0


def _radii(edits: Edits, row: Edit) -> tuple[float, float]:
    """Radius before and after; 0 where there is no cylinder."""
    before = 0.0 if row.previous is None else float(edits.before.sizes[row.previous, 0])
    after = 0.0 if row.current is None else float(edits.after.sizes[row.current, 0])
    return round(before, 9), round(after, 9)


def _direction(edits: Edits, row: Edit) -> Array:
    found: Array = (
        edits.after.directions[row.current] if row.current is not None else edits.before.directions[row.previous]
    )
    return found
