"""Points on the surfaces of a boundary representation: one cloud per solid, free face or open shell.

A definition is meshed and sampled once, and every instance of it has the same points under its transform. The points of
planes, cylinders, cones, spheres and tori are on the surface itself, those of other surfaces within the mesh's linear
deflection (LINEAR_DEFLECTION of the definition's size); by no more than that may a point be beyond a curved edge of its
face. Which points they are depends on the file and the plan alone.

`kind` is `surface` for what encloses nothing, `box` for a rectangular block, `container` for a body around one cavity
that is bigger than the body (spatial.understanding.brep.kind has both rules), and `unknown` for everything else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from OCP.TopoDS import TopoDS_Shape

from spatial.contract.points import PointCloud, PointCloudKind, PointCloudScene
from spatial.geometry.sampling import Floats, quantum, rounded, scatter, shares
from spatial.models.brep.model import BrepModel
from spatial.models.brep.tessellation import NO_TRIANGLES, Tessellation, tessellate
from spatial.models.brep.topology import is_closed, matrix, transformed, unplaced
from spatial.models.guard import attempt
from spatial.models.sampling_plan import SamplingPlan
from spatial.understanding.brep.kind import kind_of


@dataclass(frozen=True)
class _Body:
    """One object that gets a cloud."""

    id: str
    definition: str
    shape: TopoDS_Shape
    """Located where it stands."""
    closed: bool

    @property
    def factor(self) -> float:
        """By how much its placement enlarges the definition."""
        return abs(float(self.shape.Location().Transformation().ScaleFactor()))


def sample(source: BrepModel, plan: SamplingPlan) -> PointCloudScene:
    """Points on every solid, then on every open shape, in the document's units.

    An object without any surface to put a point on has no cloud.
    """
    bodies = list(_bodies(source))
    delegated = source.delegated_triangles
    meshes: dict[str, Tessellation] = delegated() if delegated is not None else {}
    for body in bodies:
        if body.definition not in meshes:
            meshes[body.definition] = attempt(
                f"triangles of {body.id}", partial(tessellate, unplaced(body.shape)), NO_TRIANGLES, []
            )
    bodies = [body for body in bodies if meshes[body.definition].area > 0]
    counts = _counts(bodies, meshes, plan)
    return PointCloudScene(point_clouds=list(_clouds(bodies, meshes, counts, source.scale, plan.seed)))


def _bodies(source: BrepModel) -> Iterator[_Body]:
    for solid in source.solids:
        yield _Body(solid.id, solid.definition, solid.shape, solid.closed)
    for open_shape in source.open_shapes:
        yield _Body(open_shape.id, open_shape.id, open_shape.shape, is_closed(open_shape.shape))


def _counts(bodies: list[_Body], meshes: dict[str, Tessellation], plan: SamplingPlan) -> list[int]:
    areas = np.array([meshes[body.definition].area * body.factor**2 for body in bodies])
    given: list[int] = shares(areas, plan.points_per_object, plan.points_total).tolist()
    return given


def _clouds(
    bodies: list[_Body], meshes: dict[str, Tessellation], counts: list[int], scale: float, seed: int
) -> Iterator[PointCloud]:
    """Each body's cloud: the first points of its definition's sample, which are a fair sample themselves."""
    most: dict[str, int] = defaultdict(int)
    for body, count in zip(bodies, counts, strict=True):
        most[body.definition] = max(most[body.definition], count)
    samples = {
        definition: attempt(
            f"points of {definition}",
            partial(on_mesh, meshes[definition], count, generator(seed, ordinal)),
            np.empty((0, 3)),
            [],
        )
        for ordinal, (definition, count) in enumerate(most.items())
    }
    kinds: dict[str, PointCloudKind] = {}
    for body, count in zip(bodies, counts, strict=True):
        mesh = meshes[body.definition]
        if body.definition not in kinds:
            kinds[body.definition] = _kind(body, mesh)
        points = placed(samples[body.definition][:count], body.shape) * scale
        if not len(points) or not np.isfinite(points).all():
            continue  # the document says that there are no points
        yield PointCloud.of(
            body.id, rounded(points, quantum(mesh.size * body.factor * scale)).tolist(), kinds[body.definition]
        )


def _kind(body: _Body, mesh: Tessellation) -> PointCloudKind:
    if not body.closed:
        return "surface"
    return attempt(f"kind of {body.id}", partial(kind_of, unplaced(body.shape), mesh), "unknown", [])


def on_mesh(mesh: Tessellation, count: int, chance: np.random.Generator) -> Floats:
    """(count, 3) area-weighted points on a mesh, moved onto the surfaces that are known in closed form."""
    points, triangles = scatter(mesh.corners, mesh.areas, count, chance)
    return mesh.on_surface(points, triangles)


def generator(seed: int, ordinal: int) -> np.random.Generator:
    """The chance of one definition: the same in every process, whatever the other definitions are."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed % 2**64, ordinal])))


def placed(points: Floats, shape: TopoDS_Shape) -> Floats:
    """Points of a definition where the shape's location puts them."""
    location = shape.Location()
    return points if location.IsIdentity() else transformed(points, matrix(location.Transformation()))
