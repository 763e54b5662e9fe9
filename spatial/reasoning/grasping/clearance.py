"""How far convex solids stay from what is around them while they move straight on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from spatial.reasoning.contact.patches import Plane
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import Body
from spatial.reasoning.shape.convex import Convex, box
from spatial.reasoning.shape.distance import proximity
from spatial.reasoning.shape.hull import hull_of


@dataclass(frozen=True, eq=False)
class Clearance:
    """The smallest distance, negative for an overlap; nearest: id of what is there, "ground", or None with nothing around."""

    distance: float
    nearest: str | None


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What may be in the way. ground: level below which nothing may go; None for none. reach: lengths up to it are zero."""

    others: tuple[Body, ...]
    plane: Plane
    ground: float | None
    reach: float

    def clearance(self, solids: Sequence[Convex], way: Array, *, known: float = np.inf) -> Clearance:
        """The smallest distance of solids on a straight way; distances above `known` are not measured."""
        best = Clearance(known, None)
        swept = [solid.swept(way) for solid in solids]
        if self.ground is not None:
            low = min(-float(solid.heights(-self.plane.up[None])[0]) for solid in swept) - self.ground
            best = Clearance(low, "ground") if low < best.distance else best
        pairs = [(_apart(solid.bounds, body.outer.bounds), place, solid, body) for body in self.others
                 for place, solid in enumerate(swept)]  # fmt: skip
        for apart, _, solid, body in sorted(pairs, key=lambda pair: pair[0]):
            if apart > 0 and apart >= best.distance:
                break
            found = distance_to(solid, body)
            if found < best.distance:
                best = Clearance(found, body.id)
        return best


def distance_to(solid: Convex, body: Body) -> float:
    """The distance of a solid from a body; of a body of unknown inside, from its points."""
    shapes = body.parts or body.cover
    if not shapes and body.fills_hull and body.inner is not None:
        shapes = (body.inner,)
    if not shapes and len(body.points):
        return _from_points(solid, body.points)
    shapes = shapes or (body.outer,)
    near = sorted((_apart(solid.bounds, shape.bounds), place) for place, shape in enumerate(shapes))
    best = np.inf
    for apart, place in near:
        if apart > 0 and apart >= best:
            break
        best = min(best, proximity(solid, shapes[place]).distance)
    return float(best)


def _from_points(solid: Convex, points: Array) -> float:
    """A lower bound of the distance of points from a solid; negative if one is inside."""
    hull = hull_of(solid.vertices if solid.is_polytope else box(solid.bounds[0], solid.bounds[1]).vertices)
    if hull is None:
        return 0.0
    return float(hull.heights(points).min())


def _apart(first: Array, second: Array) -> float:
    """The distance of two axis-aligned boxes along the axis where they are farthest apart."""
    return max(0.0, float(np.maximum(first[0] - second[1], second[0] - first[1]).max()))
