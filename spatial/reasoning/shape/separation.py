"""How far apart two bodies are: between what is certain and what is possible.

For exact bodies both ends are the same. A sampled body may reach beyond its hull (lower end), and has its points (upper end).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scipy.spatial import cKDTree

from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Convex
from spatial.reasoning.shape.distance import Proximity, are_closer, is_clear, proximity
from spatial.reasoning.shape.tolerances import CONTACT

State = Literal["apart", "touching", "overlapping", "unknown"]


@dataclass(frozen=True, eq=False)
class Separation:
    """The distance of two bodies lies from `lower` to `upper`; negative distances are penetration depths.

    nearest: the closest pair of what is known; None where the bodies were found far apart by their bounds alone.
    reach: largest gap of surfaces that touch, in the scene's units.
    """

    lower: float
    upper: float
    nearest: Proximity
    reach: float

    @property
    def state(self) -> State:
        """Whether they overlap, as far as that is certain."""
        if self.upper < -self.reach:
            return "overlapping"
        if self.lower > self.reach:
            return "apart"
        return "touching" if self.lower >= -self.reach and self.upper <= self.reach else "unknown"

    @property
    def is_free(self) -> bool:
        """Whether they certainly do not overlap; they may touch."""
        return self.lower >= -self.reach


def separation(first: Body, second: Body) -> Separation:
    """How far apart two bodies are."""
    reach = CONTACT * max(first.size, second.size)
    if first.is_exact and second.is_exact:
        near = nearest(first.parts, second.parts)
        return Separation(near.distance, near.distance, near, reach)
    near = nearest(_outside(first), _outside(second))
    if near.distance > 0:
        return Separation(near.distance, max(near.distance, _upper(first, second)), near, reach)
    return Separation(
        near.distance, max(near.distance, min(_upper(first, second), _inside(first, second))), near, reach
    )


def are_clear(first: Body, second: Body, clearance: float) -> bool:
    """Whether two bodies are certainly `clearance` apart, or touch where it is 0: the same as `separation` says, and faster."""
    least = max(clearance, 0.0) - CONTACT * max(first.size, second.size)
    return all(is_clear(one, other, least) for one in _outside(first) for other in _outside(second))


def nearest(first: Sequence[Convex], second: Sequence[Convex]) -> Proximity:
    """The nearest pair of two lists of convex shapes; the deepest where some overlap."""
    best: Proximity | None = None
    for one in first:
        for other in second:
            if best is None or are_closer(one, other, max(best.distance, 0.0)):
                found = proximity(one, other)
                best = found if best is None or found.distance < best.distance else best
    assert best is not None
    return best


def _outside(body: Body) -> tuple[Convex, ...]:
    return body.parts or body.cover or (body.outer,)


def _inside(first: Body, second: Body) -> float:
    """The distance of what both fill for certain; infinite where one fills nothing for certain."""
    filled = [
        body.parts or ((body.inner,) if body.fills_hull and body.inner is not None else ()) for body in (first, second)
    ]
    return nearest(filled[0], filled[1]).distance if all(filled) else float("inf")


def _upper(first: Body, second: Body) -> float:
    """The distance of the known points, which the surfaces cannot exceed; infinite where a body has no points."""
    if not len(first.points) or not len(second.points):
        return float("inf")
    return float(cKDTree(first.points).query(second.points)[0].min())
