"""The rigid motion between two clouds of the same object.

Sources: Kabsch, "A solution for the best rotation to relate two sets of vectors", Acta Crystallographica A32 (1976), for points that
correspond; Besl and McKay, "A method for registration of 3-D shapes", IEEE PAMI 14 (1992), for points that do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, Literal

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

from spatial.reasoning.scene.model import Array

SAME_POINTS: Final = 1e-3
"""Largest root mean square residual of points that correspond, as a share of the object's size: ten times the noise of a good scanner."""

SPACINGS: Final = 1.5
"""Largest mean distance of registered surfaces, in spacings of their points: two samples of one surface come out at 0.5 to 1."""

ROUNDS: Final = 40
"""Most rounds of a registration from one start."""

REGISTERED: Final = 700
"""Most points that a registration uses, spread evenly over the cloud."""

LEAST: Final = 4
"""Fewest points that determine a rigid motion in space and confirm it."""


@dataclass(frozen=True, eq=False)
class Rigid:
    """The motion x ↦ rotation x + translation. residual: root mean square distance after it, in the scene's units."""

    rotation: Array
    translation: Array
    residual: float
    method: Literal["corresponding points", "registration"]

    @property
    def turn(self) -> Array:
        """(3,) axis times angle, in radians."""
        found: Array = Rotation.from_matrix(self.rotation).as_rotvec()
        return found


def rigid_motion(before: Array, after: Array) -> Rigid | None:
    """The motion from (n, 3) to (m, 3) points of one object; None if no rigid motion explains them."""
    if min(len(before), len(after)) < LEAST:
        return None
    size = float(np.linalg.norm(np.ptp(after, axis=0)))
    if len(before) == len(after):
        found = _kabsch(before, after)
        if found.residual <= SAME_POINTS * size:
            return found
    return _registered(before, after)


def _kabsch(before: Array, after: Array) -> Rigid:
    centre, other = before.mean(axis=0), after.mean(axis=0)
    left, _, right = np.linalg.svd((before - centre).T @ (after - other))
    flip = np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right)) or 1.0])
    turn = (left @ flip @ right).T
    shift = other - turn @ centre
    residual = float(np.sqrt(((before @ turn.T + shift - after) ** 2).sum(axis=1).mean()))
    return Rigid(turn, shift, residual, "corresponding points")


def _registered(before: Array, after: Array) -> Rigid | None:
    """Iterated closest points from the present orientation and from the principal axes; of equal ones the smallest turn."""
    rows, tree = _thinned(before), cKDTree(after)
    spacing = float(np.mean(tree.query(_thinned(after), k=2)[0][:, 1]))
    found = [_iterated(rows, after, tree, turn) for turn in _starts(before, after)]
    least = min(each.residual for each in found)
    close = [each for each in found if each.residual <= 1.2 * least]
    best = min(close, key=lambda each: float(np.linalg.norm(each.turn)))
    return best if best.residual <= SPACINGS * spacing else None


def _thinned(points: Array) -> Array:
    return points[:: max(1, len(points) // REGISTERED)]


def _starts(before: Array, after: Array) -> list[Array]:
    axes = [np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2] for points in (before, after)]
    turns = [np.eye(3)]
    for signs in product((1.0, -1.0), repeat=3):
        turn = axes[1].T @ np.diag(signs) @ axes[0]
        if np.linalg.det(turn) > 0:
            turns.append(turn)
    return turns


def _iterated(rows: Array, after: Array, tree: cKDTree, turn: Array) -> Rigid:
    found = Rigid(turn, after.mean(axis=0) - turn @ rows.mean(axis=0), np.inf, "registration")
    for _ in range(ROUNDS):
        _, nearest = tree.query(rows @ found.rotation.T + found.translation)
        step = _kabsch(rows, after[nearest])
        distances, _ = tree.query(rows @ step.rotation.T + step.translation)
        residual = float(np.sqrt((distances**2).mean()))
        if residual >= found.residual * (1 - 1e-4):
            return found
        found = Rigid(step.rotation, step.translation, residual, "registration")
    return found
