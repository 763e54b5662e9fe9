"""The orientations in which a body rests on a support."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial.transform import Rotation

from spatial.reasoning.contact.balance import balance
from spatial.reasoning.contact.outlines import footprint
from spatial.reasoning.contact.patches import Patch, Plane, bottom, corners_of
from spatial.reasoning.contact.resting import rest_poses
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Array
from spatial.reasoning.shape.inclusion import Turning
from spatial.reasoning.shape.tolerances import CONTACT

REST_POSES: Final = 6
"""Rest poses that are tried, most probable first."""


@dataclass(frozen=True, eq=False)
class Turned:
    """A body in one orientation: its rotation from the present one, its outline, and the patch that it stands on."""

    rotation: Array
    body: Body
    outline: Array
    patch: Patch
    is_present: bool = False


def orientations(body: Body, plane: Plane, turning: Turning) -> Iterator[Turned]:
    """The orientations in which a body rests: the present one first, then its rest poses, each turned by quarters about `up`."""
    seen: list[Array] = []
    ways = np.vstack(
        [plane.up, plane.right, plane.forward, _ODD_WAYS @ np.array([plane.right, plane.forward, plane.up])]
    )
    turns = [np.eye(3)]
    if turning != "none":
        turns += [pose.rotation for pose in rest_poses(body, plane, REST_POSES)[:REST_POSES]]
    for turn in turns:
        for quarter in range(1 if turning == "none" else 4):
            rotation = Rotation.from_rotvec(plane.up * quarter * np.pi / 2).as_matrix() @ turn
            moved = body.moved(rotation, np.zeros(3))
            reach = _signature(moved, ways)
            if any(np.abs(reach - other).max() <= CONTACT * body.size for other in seen):
                continue
            seen.append(reach)
            patch = bottom(moved, plane)
            if not corners_of(patch.inner).shape[0] or (
                moved.centre is not None and balance(patch, moved.centre, plane, moved.size).margin < 0
            ):
                continue
            yield Turned(rotation, moved, footprint(moved, plane), patch, turn is turns[0])


def _signature(body: Body, ways: Array) -> Array:
    """Heights of a body above and below its centre: orientations of a symmetric body that look the same have the same ones."""
    shape, centre = body.inner or body.outer, body.centre if body.centre is not None else body.outer.middle
    return np.concatenate([shape.heights(ways) - ways @ centre, shape.heights(-ways) + ways @ centre])


_ODD_WAYS: Final = np.array([[0.48, 0.64, 0.6], [-0.36, 0.48, 0.8], [0.8, -0.36, 0.48], [-0.6, -0.64, 0.48]])
"""Unit vectors that no symmetry of a simple part has in common."""

SAME: Final = 1e-6
"""Largest difference of two rotation matrices that are the same orientation."""


def alignments(turned: Turned, corners: Array) -> list[float]:
    """Angles about `up`, in radians: 0 for the present orientation, and those that turn a longest edge of the outline to the region's."""
    edges = longest_edges(turned.outline)
    if len(edges) > MOST_EDGES:
        return [0.0]  # it is round
    found = [0.0] if turned.is_present else []
    target = longest_edges(corners)[0]
    for own in edges:
        angle = float((target - own + np.pi / 4) % (np.pi / 2) - np.pi / 4)
        if not any(abs(angle - known) < SAME for known in found):
            found.append(angle)
    return found


MOST_EDGES: Final = 8
"""Edges of equal length from which an outline is round."""


def longest_edges(corners: Array) -> list[float]:
    """The directions of the longest edges of an outline, as angles in radians; several where they are equally long."""
    along = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(along, axis=1)
    chosen = along[lengths >= lengths.max() * (1 - SAME)]
    found: list[float] = np.arctan2(chosen[:, 1], chosen[:, 0]).tolist()
    return found


def about_up(turned: Turned, angle: float, plane: Plane) -> Turned:
    """The same turned by an angle about `up`, in radians."""
    turn = Rotation.from_rotvec(plane.up * angle).as_matrix()
    moved = turned.body.moved(turn, np.zeros(3))
    return Turned(turn @ turned.rotation, moved, footprint(moved, plane), bottom(moved, plane), turned.is_present)
