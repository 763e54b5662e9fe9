"""What is arranged: the objects of a scene as boxes of a frame, and rigid transforms that move them into place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from shapely import MultiPoint, Polygon

from spatial.reasoning.packing.boxes import Array, Orientation, Rotations
from spatial.reasoning.scene.model import SceneObject
from spatial.reasoning.shape.body import Body, body_of

GAIN: Final = 0.99
"""An object is turned into its own smallest box only if that saves 1 % of the volume: less is noise of a sampled surface."""

FACETS: Final = 24
"""Largest flat sides of a hull on which an object is set when its smallest box is sought."""

EDGES: Final = 64
"""Most directions of a footprint's edges that are tried for its smallest rectangle."""


@dataclass(frozen=True, eq=False)
class Subject:
    """An object to arrange.

    turned: (3, 3) rotation from the scene to the frame of its box; lower: (3,) the box's lower corner there; size: (3,) its extents.
    """

    id: str
    body: Body
    turned: Array
    lower: Array
    size: Array

    @property
    def volume(self) -> float:
        """Volume of its box."""
        return float(self.size.prod())


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


def subject_of(item: SceneObject, frame: Array, rotations: Rotations) -> Subject | None:
    """An object in a frame, whose rows are its directions; None if it has no extent.

    It is turned into its own smallest box where the rotations allow that and it saves volume.
    """
    body = body_of(item)
    if body is None:
        return None
    turned = frame
    for found in _turns(body, frame, rotations):
        if _volume(body, found) < (GAIN if turned is frame else 1 - 1e-9) * _volume(body, turned):
            turned = found
    lower = -body.outer.heights(-turned)
    return Subject(item.id, body, turned, lower, body.outer.heights(turned) - lower)


def moved(subject: Subject, orientation: Orientation, corner: Array, frame: Array, number: int = 0) -> Move:
    """The transform that puts a subject's box, in an orientation, with its lower corner at (3,) coordinates of the frame."""
    turn = rotation_of(orientation)
    lower = np.minimum(turn @ subject.lower, turn @ (subject.lower + subject.size))
    return Move(subject.id, frame.T @ turn @ subject.turned, frame.T @ (corner - lower), number)


def rotation_of(orientation: Orientation) -> Array:
    """(3, 3) the proper rotation by quarters of a turn that brings the axes of an item into an orientation."""
    turn = np.zeros((3, 3))
    turn[np.arange(3), list(orientation)] = 1.0
    if np.linalg.det(turn) < 0:
        turn[0 if orientation[0] != 0 else 1] *= -1
    return turn


def _volume(body: Body, turned: Array) -> float:
    return float(body.outer.widths(turned).prod())


def _turns(body: Body, frame: Array, rotations: Rotations) -> list[Array]:
    """Frames in which the object's box may be small, each reached by allowed rotations."""
    if rotations == "none" or body.basis in ("bounds", "flat"):
        return []
    vertices = body.outer.vertices
    found = [_upright(vertices, frame)]
    if rotations == "all" and body.hull is not None:
        found += [_upright(vertices, _frame_along(facet.normal)) for facet in body.hull.largest(FACETS)]
    return found


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
