"""Whether a body goes into a cavity: with the shape that it cannot reach beyond, and with the one that it certainly has."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.cavity import Cavity
from spatial.reasoning.shape.cells import right_angled
from spatial.reasoning.shape.convex import Array, Convex
from spatial.reasoning.shape.hull import plane_axes
from spatial.reasoning.shape.inclusion import Room, Turning, is_excluded, most_room
from spatial.reasoning.shape.tolerances import COPLANAR

FitVerdict = Literal["fits", "does_not_fit", "unknown"]

ORDER: Final[tuple[FitVerdict, ...]] = ("fits", "unknown", "does_not_fit")
"""From best to worst."""


@dataclass(frozen=True, eq=False)
class Assessment:
    """How a body goes into one cavity.

    room: for the shape that decided; excluded_by: the proof that no orientation fits, None where that rests on the search.
    needed: the clearance that was asked for.
    """

    verdict: FitVerdict
    cavity: Cavity
    shape: Convex
    room: Room
    excluded_by: str | None
    needed: float


def assess(body: Body, cavity: Cavity, turning: Turning, may_protrude: bool, needed: float) -> Assessment:
    """Whether a body goes into a cavity with a clearance.

    What is not known of an opening's rim counts for the body: it is not blocked there, and may stick out by the rim's error.
    """
    tolerance = COPLANAR * max(cavity.shape.size, body.size)
    least, axes, space = needed - tolerance, own_axes(body), _with_rim(cavity)
    outer = most_room(body.outer, axes, space, turning, may_protrude, least)
    if outer.clearance >= least:
        return Assessment("fits", space, body.outer, outer, None, needed)
    inner = body.inner
    room = (
        outer if inner is None or inner is body.outer else most_room(inner, axes, space, turning, may_protrude, least)
    )
    if inner is None or room.clearance >= least:
        return Assessment("unknown", space, body.outer, outer, None, needed)
    return Assessment("does_not_fit", space, inner, room, is_excluded(inner, space, may_protrude, least), needed)


def _with_rim(cavity: Cavity) -> Cavity:
    """The cavity with its open ends as far out as they may be."""
    if not cavity.error:
        return cavity
    low = np.array([cavity.sides[2 * axis] == "open" for axis in range(3)])
    high = np.array([cavity.sides[2 * axis + 1] == "open" for axis in range(3)])
    return replace(cavity, lower=cavity.lower - low * cavity.error, upper=cavity.upper + high * cavity.error)


def own_axes(body: Body) -> Array:
    """(3, 3) the directions of a body: those of its largest flat sides at right angles, its axis, or the principal ones of its corners."""
    shape = body.inner or body.outer
    if shape.axis is not None:
        return np.array([*plane_axes(shape.axis), shape.axis])
    if body.hull is not None:
        found = right_angled(body.hull.planes(_PLANES)[0])
        if found is not None:
            return found
    if len(shape.vertices) < 3:
        return np.eye(3)
    centred = shape.vertices - shape.vertices.mean(axis=0)
    axes = np.linalg.eigh(centred.T @ centred)[1].T[::-1]
    return np.asarray(axes if np.linalg.det(axes) > 0 else -axes)


_PLANES: Final = 12
"""Largest flat sides among which right angles are looked for."""
