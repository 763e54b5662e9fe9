"""What is arranged: the objects of a scene as boxes of a frame, and rigid transforms that move them into place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from shapely import MultiPoint, Polygon

from spatial.reasoning.packing.boxes import ROTATIONS, Array, Orientation, Rotations, orientations_of
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import Body, body_of

GAIN: Final = 0.99
"""An object is turned into its own smallest box only if that saves 1 % of the volume: less is noise of a sampled surface."""

FACETS: Final = 24
"""Largest flat sides of a hull on which an object is set when its smallest box is sought."""

EDGES: Final = 64
"""Most directions of a footprint's edges that are tried for its smallest rectangle."""


@dataclass(frozen=True, eq=False)
class Pose:
    """One way to turn an object.

    rotation: (3, 3) from the scene to the axes of the bin. lower: (3,) the lower corner of its box then; size: (3,) its extents.
    level: index in ROTATIONS of the least that allows it.
    """

    rotation: Array
    lower: Array
    size: Array
    level: int


@dataclass(frozen=True, eq=False)
class Subject:
    """An object to arrange.

    poses: how it may be turned, by ascending level; the first is as it is. smallest: (3,) extents of its own smallest box.
    """

    id: str
    body: Body
    poses: tuple[Pose, ...]
    smallest: Array

    @property
    def size(self) -> Array:
        """(3,) its extents as it is."""
        return self.poses[0].size

    @property
    def volume(self) -> float:
        """Volume of its own smallest box, whatever turns are allowed, so that its measure does not depend on them."""
        return float(self.smallest.prod())

    @property
    def footprint(self) -> float:
        """Area of the footprint of an object without height."""
        return float(self.size[:2].prod())


@dataclass(frozen=True, eq=False)
class Move:
    """A rigid transform x ↦ rotation x + translation of one object; bin: index of the shelf, where there are several."""

    id: str
    rotation: Array
    translation: Array
    bin: int = 0

    @property
    def rows(self) -> list[float]:
        """The 3 x 4 matrix, row by row, as `transform` in the rest of the contract."""
        found: list[float] = np.column_stack([self.rotation, self.translation]).ravel().tolist()
        return found


def subject_of(item: SceneObject, frame: Array, rotations: Rotations, *, measured: bool = False) -> Subject | None:
    """An object in a frame, whose rows are its directions; None if it has no extent.

    measured: whether its own smallest box is needed, in addition to those that the rotations allow.
    """
    body = body_of(item)
    if body is None:
        return None
    boxes = _boxes(body, frame, "all" if measured else rotations)
    found = [_turned(box, order, level) for box in boxes for level, order in orientations_of(rotations)]
    poses: dict[tuple[float, ...], Pose] = {}
    for pose in sorted(found, key=lambda pose: pose.level):
        if pose.level <= ROTATIONS.index(rotations):
            poses.setdefault(tuple(pose.size), pose)
    return Subject(item.id, body, tuple(poses.values()), boxes[-1].size)


def _turned(box: Pose, order: Orientation, level: int) -> Pose:
    turn = rotation_of(order)
    lower = np.minimum(turn @ box.lower, turn @ (box.lower + box.size))
    return Pose(turn @ box.rotation, lower, box.size[list(order)], max(level, box.level))


def moved(subject: Subject, choice: int, corner: Array, frame: Array, number: int = 0) -> Move:
    """The transform that puts a subject's box, in a pose, with its lower corner at (3,) coordinates of the frame."""
    pose = subject.poses[choice]
    return Move(subject.id, frame.T @ pose.rotation, frame.T @ (corner - pose.lower), number)


def rotation_of(orientation: Orientation) -> Array:
    """(3, 3) the proper rotation by quarters of a turn that brings the axes of an item into an orientation."""
    turn = np.zeros((3, 3))
    turn[np.arange(3), list(orientation)] = 1.0
    if np.linalg.det(turn) < 0:
        turn[0 if orientation[0] != 0 else 1] *= -1
    return turn


def _boxes(body: Body, frame: Array, rotations: Rotations) -> list[Pose]:
    """The object as it is, and turned into smaller boxes, the smallest last."""
    found = [_pose(body, frame, 0)]
    if rotations == "none" or body.basis in ("bounds", "flat"):
        return found
    vertices = body.outer.vertices
    turns = {1: [_upright(vertices, frame)]}
    if rotations == "all" and body.hull is not None:
        turns[2] = [_upright(vertices, _frame_along(facet.normal)) for facet in body.hull.largest(FACETS)]
    least = GAIN * float(found[0].size.prod())
    for level, candidates in turns.items():
        best = min((_pose(body, turn, level) for turn in candidates), key=lambda pose: float(pose.size.prod()))
        if best.size.prod() < least:
            found.append(best)
            least = (1 - 1e-9) * float(best.size.prod())
    return found


def _pose(body: Body, rotation: Array, level: int) -> Pose:
    lower = -body.outer.heights(-rotation)
    return Pose(rotation, lower, body.outer.heights(rotation) - lower, level)


def _upright(vertices: Array, frame: Array) -> Array:
    """The frame turned about its third direction so that the rectangle around the footprint is smallest."""
    rows = vertices @ frame.T
    hull = MultiPoint(rows[:, :2]).convex_hull
    outline = np.array(hull.exterior.coords if isinstance(hull, Polygon) else hull.coords)  # of a line, or of one point
    edges = np.diff(outline, axis=0)
    if not len(edges):
        return frame
    longest = edges[np.argsort(-np.hypot(edges[:, 0], edges[:, 1]), kind="stable")[:EDGES]]
    angles = np.arctan2(longest[:, 1], longest[:, 0])
    along = np.stack([np.cos(angles), np.sin(angles)])
    across = np.stack([-along[1], along[0]])
    areas = np.ptp(outline @ along, axis=0) * np.ptp(outline @ across, axis=0)
    best = float(angles[int(np.argmin(areas))])
    turn = np.array([[np.cos(best), np.sin(best), 0], [-np.sin(best), np.cos(best), 0], [0, 0, 1.0]])
    return np.asarray(turn @ frame)


def _frame_along(normal: Array) -> Array:
    """(3, 3) a right-handed frame whose third direction is opposite to a unit normal: the facet lies below."""
    least = np.eye(3)[int(np.argmin(np.abs(normal)))]
    right = np.cross(least, -normal)
    right = right / np.linalg.norm(right)
    return np.array([right, np.cross(-normal, right), -normal])


def around(subjects: Sequence[Subject], frame: Array) -> Array:
    """(2, 3) the extent of the subjects as they are, along a frame."""
    lower = np.min([-subject.body.outer.heights(-frame) for subject in subjects], axis=0)
    upper = np.max([subject.body.outer.heights(frame) for subject in subjects], axis=0)
    return np.array([lower, upper])
