"""The check of an arrangement, which shares no code with the search: it moves the objects and measures what comes out.

Rotations must be proper and allowed, objects must lie in their bin, and the boxes around them must not overlap, nor come closer than the
gap. Objects whose boxes are apart are apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from spatial.reasoning.optimization.subjects import Move
from spatial.reasoning.packing.boxes import Array, Rotations
from spatial.reasoning.shape.body import Body


@dataclass(frozen=True)
class Rules:
    """What an arrangement must keep. Lengths in the scene's units.

    frame: (3, 3) rows are the directions of the bin. lower, upper: (3,) its corners along them; infinite where it is open.
    reach: lengths up to it are zero.
    """

    frame: Array
    lower: Array
    upper: Array
    rotations: Rotations
    gap: float
    supported: bool
    reach: float


@dataclass(frozen=True)
class Check:
    """What the check measured, and what it found wrong.

    largest_overlap: depth of the deepest overlap of two boxes. least_gap: smallest distance of two boxes; None with fewer than two.
    largest_excess: how far an object reaches out of its bin. support: share of the base that rests on the floor or on others, by object.
    """

    faults: tuple[str, ...]
    pairs: int
    largest_overlap: float
    least_gap: float | None
    largest_excess: float
    support: Mapping[str, float]

    @property
    def is_valid(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


def check(moves: Sequence[Move], bodies: Mapping[str, Body], rules: Rules) -> Check:
    """Check moved objects, those of each bin among themselves."""
    boxes = np.array([_box(bodies[move.id], move, rules.frame) for move in moves]).reshape(-1, 2, 3)
    faults = [fault for move in moves for fault in _turned(move, rules)]
    excess = np.maximum(rules.lower - boxes[:, 0], boxes[:, 1] - rules.upper).max(axis=1, initial=-np.inf)
    faults += [f"{moves[i].id} reaches out of the bin" for i in np.flatnonzero(excess > rules.reach).tolist()]
    apart = _distances(boxes, np.array([move.bin for move in moves]))
    close = apart < rules.gap - rules.reach
    faults += [f"{moves[i].id} and {moves[j].id} are too close" for i, j in np.argwhere(np.triu(close, 1)).tolist()]
    support = {move.id: share for move, share in zip(moves, _support(boxes, moves, rules), strict=True)}
    if rules.supported:
        faults += [f"{name} does not rest with its whole base" for name, share in support.items() if share < 1 - 1e-6]
    found = apart[np.triu_indices(len(moves), 1)]
    least = float(found.min()) if len(found) and np.isfinite(found.min()) else None
    return Check(
        tuple(faults), len(found), max(0.0, -(least or 0.0)), None if least is None else max(0.0, least),
        max(0.0, float(excess.max(initial=0.0))), support,
    )  # fmt: skip


def _box(body: Body, move: Move, frame: Array) -> Array:
    """(2, 3) extent of the moved body along the frame."""
    shape = body.moved(move.rotation, move.translation).outer
    return np.array([-shape.heights(-frame), shape.heights(frame)])


def _turned(move: Move, rules: Rules) -> list[str]:
    turn = move.rotation
    proper = np.allclose(turn @ turn.T, np.eye(3), atol=1e-9) and np.linalg.det(turn) > 0
    up = rules.frame[2]
    kept = {"none": np.allclose(turn, np.eye(3), atol=1e-9), "z": np.allclose(turn @ up, up, atol=1e-9), "all": True}
    return [] if proper and kept[rules.rotations] else [f"{move.id} is turned as the goal does not allow"]


def _distances(boxes: Array, bins: Array) -> Array:
    """(n, n) the largest gap of two boxes along an axis, negative where they overlap; infinite in different bins."""
    gaps = np.maximum(boxes[:, None, 0] - boxes[None, :, 1], boxes[None, :, 0] - boxes[:, None, 1]).max(axis=2)
    gaps[bins[:, None] != bins[None]] = np.inf
    return np.asarray(gaps)


def _support(boxes: Array, moves: Sequence[Move], rules: Rules) -> list[float]:
    """The share of each base that lies on the floor of the bin or, at most a gap above, on other boxes, which do not overlap."""
    bins = np.array([move.bin for move in moves])
    shares = []
    for place, (lower, upper) in enumerate(boxes):
        base = float(np.prod(upper[:2] - lower[:2]))
        if lower[2] - rules.lower[2] <= rules.reach or base <= 0:
            shares.append(1.0)
            continue
        near = np.abs(boxes[:, 1, 2] - lower[2]) <= rules.gap + rules.reach
        near &= (bins == bins[place]) & (np.arange(len(boxes)) != place)
        sides = np.minimum(boxes[near, 1, :2], upper[:2]) - np.maximum(boxes[near, 0, :2], lower[:2])
        shares.append(min(1.0, float(np.clip(sides, 0, None).prod(axis=1).sum()) / base))
    return shares
