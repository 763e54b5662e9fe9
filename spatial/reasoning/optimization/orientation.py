"""The orientation in which an object is printed with least support: on which flat side of its hull it stands.

Candidates are the flat sides of the hull over which the centre of mass lies. The overhang counts first, then the height.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from spatial.reasoning.answer import UNKNOWN, Answer
from spatial.reasoning.optimization.surface import Surface, surface_of
from spatial.reasoning.packing.boxes import SLACK
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body, body_of

OVERHANG_ANGLE: Final = 45.0
"""Degrees from the vertical up to which layers of most processes carry themselves: the usual rule, which `goal.overhang_angle` replaces."""

SAME_OVERHANG: Final = 0.01
"""Orientations whose overhang differs by less than this share of the surface are equal, and the lower one is better."""

SAME_HEIGHT: Final = 1e-3
"""Relative difference of heights that gains nothing."""

CANDIDATES: Final = 200
"""Largest flat sides of the hull that are tried."""

LISTED: Final = 10
"""Orientations that the proof lists."""


@dataclass(frozen=True, eq=False)
class Pose:
    """One orientation. down: (3,) the object's direction that points down. Lengths in the scene's units."""

    down: Array
    overhang: float
    height: float
    contact: float
    is_stable: bool

    def plain(self) -> dict[str, Any]:
        """As the answer writes it."""
        return {
            "down": self.down, "overhang_area": self.overhang, "height": self.height, "contact_area": self.contact,
            "is_stable": self.is_stable,
        }  # fmt: skip


def orient(question: Question) -> Answer:
    """The best orientation of one object for printing. Raises: InputRejected."""
    item = question.primary()
    angle = question.goal.number("overhang_angle", OVERHANG_ANGLE, at_least=0.0, at_most=89.0)
    data = {"objective": "print", "object_id": item.id}
    body = body_of(item)
    surface = None if body is None else surface_of(item, body)
    if body is None or surface is None:
        reason = f"the surface of {item.id} is not known; send its faces, or points on all of it"
        return Answer.unknown(reason, data=data)
    now = _pose(body, surface, np.array([0.0, 0.0, -1.0]), angle)
    poses = sorted(
        (_pose(body, surface, down, angle) for down in _sides(body)), key=lambda pose: (pose.overhang, pose.height)
    )
    stable = [pose for pose in poses if pose.is_stable]
    best = _best([*stable, now] if now.is_stable or not stable else stable, surface)
    better = _is_better(best, now, surface)
    verdict, reason = "improved" if better else "no_better", ""
    if not surface.is_whole:
        verdict, reason = (
            UNKNOWN,
            f"the points of {item.id} do not show its pockets, whose overhang counts; send its faces",
        )
    chosen = best if better else now
    turn = _turn(chosen.down)
    return Answer(
        {
            **data, "unit": question.scene.units, "overhang_angle": angle, "before": now.plain(), "after": chosen.plain(),
            "placements": [{"object_id": item.id, "transform": _transform(body, chosen.down, turn)}],
        },
        proof={
            "surface": {"basis": surface.basis, "area": surface.area, "is_whole": surface.is_whole},
            "candidates": [pose.plain() for pose in poses[:LISTED]],
            "tried": len(poses),
            "check": {"is_proper_rotation": bool(np.allclose(turn @ turn.T, np.eye(3)) and np.linalg.det(turn) > 0)},
        },
        verdict=verdict,
        reason=reason or None,
    )  # fmt: skip


def _sides(body: Body) -> Iterator[Array]:
    """The directions of the sides that the object can stand on."""
    if body.hull is not None:
        yield from (facet.normal for facet in body.hull.largest(CANDIDATES))
    elif body.outer.axis is not None:
        axis = body.outer.axis
        across = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
        yield from (axis, -axis, across / np.linalg.norm(across))


def _pose(body: Body, surface: Surface, down: Array, angle: float) -> Pose:
    shape = body.inner or body.outer
    lowest, highest = shape.heights(np.array([down, -down]))
    reach = 10 * SLACK * body.size
    facets = body.hull.largest(CANDIDATES) if body.hull else ()
    contact = [facet for facet in facets if facet.normal @ down > 1 - 1e-9]
    stable = any(_is_over(facet.polygon, facet.normal, body.centre) for facet in contact)
    if body.hull is None:
        stable = body.outer.axis is not None and bool(abs(body.outer.axis @ down) > 1 - 1e-9)
    return Pose(
        down, surface.overhang(down, float(np.sin(np.radians(angle))), float(lowest), reach), float(lowest + highest),
        float(sum(facet.area for facet in contact)), stable,
    )  # fmt: skip


def _is_over(polygon: Array, normal: Array, centre: Array | None) -> bool:
    """Whether a centre of mass lies over a facet, whose corners are counterclockwise seen from outside."""
    if centre is None:
        return False
    edges = np.roll(polygon, -1, axis=0) - polygon
    sides = np.cross(edges, centre - polygon) @ normal
    return bool((sides > 0).all())


def _best(poses: list[Pose], surface: Surface) -> Pose:
    least = min(pose.overhang for pose in poses)
    close = [pose for pose in poses if pose.overhang <= least + SAME_OVERHANG * surface.area]
    return min(close, key=lambda pose: pose.height)


def _is_better(best: Pose, now: Pose, surface: Surface) -> bool:
    if best.is_stable and not now.is_stable:
        return True  # what balances on an edge or a tip cannot be printed as it is
    gain = now.overhang - best.overhang
    if abs(gain) > SAME_OVERHANG * surface.area:
        return gain > 0
    return best.height < now.height * (1 - SAME_HEIGHT)


def _turn(down: Array) -> Array:
    """(3, 3) the smallest rotation that brings a unit vector to -z; half a turn about x for +z."""
    target = np.array([0.0, 0.0, -1.0])
    cosine = float(down @ target)
    if cosine < -1 + 1e-12:
        return np.diag([1.0, -1.0, -1.0])
    axis = np.cross(down, target)
    skew = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.asarray(np.eye(3) + skew + skew @ skew / (1 + cosine))


def _transform(body: Body, down: Array, turn: Array) -> list[float]:
    """The 3 x 4 matrix that turns the object and keeps its lowest height and, seen from above, the middle of its extent."""
    before = body.outer.bounds
    after = body.outer.moved(turn).bounds
    shift = np.append((before.sum(axis=0) - after.sum(axis=0))[:2] / 2, before[0, 2] - after[0, 2])
    rows: list[float] = np.column_stack([turn, shift]).ravel().tolist()
    return rows
