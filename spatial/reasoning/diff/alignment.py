"""Which rigid transform takes the previous scene to the current one: the identity, or one that most pairs agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from spatial.reasoning.diff.rigid import IDENTITY, Rigid
from spatial.reasoning.scene.model import Array

IDENTITY_SHARE: Final = 0.1
"""Part of the pairs that is enough to keep the identity: revisions keep their coordinate system, and what did not move
shows it. A scene that was moved as a whole leaves at most a few symmetric things where they were."""

MAJORITY: Final = 0.5
"""Part of the pairs that a transform other than the identity must explain: more than half, so that only one can."""

LEAST_PAIRS: Final = 2
"""Fewest pairs of such a transform, unless it explains every pair: a single pair of several is a moved thing."""

MOST_CANDIDATES: Final = 3
"""Most shifts that are checked: a second may be the true one where the first is split by rounding."""


@dataclass(frozen=True)
class Alignment:
    """The transform of the whole scene, and what it rests on.

    explained: number of the `pairs` that it takes to their place. residual: largest distance that it leaves in those
    pairs, in the scene's units; None where nothing was measured.
    """

    transform: Rigid = IDENTITY
    explained: int = 0
    pairs: int = 0
    residual: float | None = None

    @property
    def is_identity(self) -> bool:
        """Whether positions are compared as they are."""
        return self.transform is IDENTITY

    def as_json(self) -> dict[str, Any]:
        """The transform with its support."""
        found = self.transform.as_json() | {"explained": self.explained, "pairs": self.pairs}
        return found if self.residual is None else found | {"residual": self.residual}


def choose(candidates: Sequence[Rigid], explain: Callable[[Rigid], Sequence[float | None]]) -> Alignment:
    """The alignment of a scene.

    explain: for a transform, the residual of every pair, None for a pair that it does not take to its place.
    """
    kept = _of(IDENTITY, explain(IDENTITY))
    if kept.explained == kept.pairs:
        return kept
    others = [_of(each, explain(each)) for each in candidates if each is not IDENTITY]
    best = max(others, key=lambda each: (each.explained, -(each.residual or 0.0)), default=kept)
    if best.explained == best.pairs:
        return best
    if kept.explained >= IDENTITY_SHARE * kept.pairs:
        return kept
    has_majority = best.explained > MAJORITY * best.pairs and best.explained >= LEAST_PAIRS
    return best if has_majority else kept


def _of(transform: Rigid, residuals: Sequence[float | None]) -> Alignment:
    found = [each for each in residuals if each is not None]
    return Alignment(transform, len(found), len(residuals), max(found, default=None))


def common_shift(shifts: Array, tolerance: float) -> Alignment:
    """The alignment of flat things by the shift that most pairs share; drawings and diagrams are not rotated.

    shifts: (n, 2) from the previous to the current place of every pair.
    """
    steps = np.round(shifts / tolerance)
    counted = Counter(map(tuple, steps.tolist()))
    common = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:MOST_CANDIDATES]
    members = [shifts[(steps == key).all(axis=1)] for key, _ in common]
    candidates = [Rigid(np.eye(3), np.array([*np.median(rows, axis=0), 0.0])) for rows in members]

    def explain(transform: Rigid) -> list[float | None]:
        gaps = np.linalg.norm(shifts - transform.translation[:2], axis=1)
        return [float(gap) if gap <= tolerance else None for gap in gaps]

    return choose(candidates, explain)
