"""The bodies of a model: solids and open shells, with their place in the product tree."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np

from spatial.contract.extraction import AssemblyNode, BoundingBox, CadExtraction, Shell, Solid
from spatial.reasoning.diff.model.surfaces import TYPES, Surfaces, surfaces_of
from spatial.reasoning.diff.rigid import Rigid, of_matrix
from spatial.reasoning.scene.build import corners
from spatial.reasoning.scene.model import Array

COMPARED: Final = ("is_closed", "representation", "orientation", "material", "density", "feature_type")
"""Members of a solid that are compared as they are."""

GENERATED: Final = re.compile(r"Open CASCADE STEP translator [\d. ]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Names that a program gives a product without one, another in every export: Open CASCADE counts, CadQuery draws a UUID."""

SIGNATURE: Final = 1e-4
"""Step of the logarithms of volume and area in a signature, ten times the tolerance of both."""


@dataclass(frozen=True, eq=False)
class Body:
    """A solid or an open shell, in the units of the comparison.

    path: names of the assemblies above it, from the root. placement: of its definition, for an instance.
    """

    id: str
    type: str
    name: str | None
    path: tuple[str, ...]
    surfaces: Surfaces
    volume: float | None = None
    area: float | None = None
    center_of_mass: Array | None = None
    bounds: Array | None = None
    placement: Rigid | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def center(self) -> Array:
        """Centre of mass; of the box where there is none; the origin without either."""
        if self.center_of_mass is not None:
            return self.center_of_mass
        return self.bounds.mean(axis=0) if self.bounds is not None else np.zeros(3)

    @cached_property
    def size(self) -> float:
        """Diagonal of the box; of a cube of the same area where there is none."""
        if self.bounds is not None:
            return max(float(np.linalg.norm(self.bounds[1] - self.bounds[0])), 1e-9)
        return max(math.sqrt((self.area or 0.0) / 2.0), 1e-9)

    @cached_property
    def signature(self) -> tuple[object, ...]:
        """Equal for bodies of the same shape, wherever they are; equality is checked face by face afterwards."""
        kinds = np.bincount(self.surfaces.types, minlength=len(TYPES)).tolist()
        return self.type, *kinds, len(self.surfaces.freeform), _step(self.volume), _step(self.area)

    @cached_property
    def vectors(self) -> Array:
        """(n, 9) what its surfaces are, seen from its centre."""
        return self.surfaces.vectors(self.center, self.size)

    @property
    def assembly(self) -> tuple[str, ...]:
        """Names of the assemblies above it that have one."""
        return tuple(name for name in self.path[:-1] if name)

    @property
    def label(self) -> str:
        """The body in a sentence."""
        return f"{self.name!r} ({self.id})" if self.name else self.id

    @property
    def order(self) -> tuple[object, ...]:
        """Content for sorting, so that the order of the file never decides."""
        return (self.type, self.name or "", self.path, tuple(np.round(self.center, 9)), self.volume or 0.0, self.id)


def bodies_of(document: CadExtraction, factor: float) -> list[Body]:
    """Solids and open shells of a document, lengths times `factor`, sorted by content."""
    structure = document.structure
    if structure is None:
        return []
    paths = dict(_paths(structure.assembly or (), ()))
    found = [_of_solid(solid, paths.get(solid.id, ()), factor) for solid in structure.solids or ()]
    found += [_of_shell(shell, factor) for shell in structure.shells or ()]
    if structure.free_faces:
        found.append(_of_shell(Shell(id="free_faces", faces=structure.free_faces), factor))
    return sorted(found, key=lambda body: body.order)


def _paths(nodes: list[AssemblyNode] | tuple[()], above: tuple[str, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for node in nodes:
        name = (node.model_extra or {}).get("instance") or node.name
        path = (*above, "" if GENERATED.fullmatch(name) else name)
        for solid in node.solids or ():
            yield solid, path
        yield from _paths(node.children or [], path)


def _of_solid(solid: Solid, path: tuple[str, ...], factor: float) -> Body:
    faces = [*solid.faces, *(face for shell in solid.shells or () for face in shell.faces)]
    bounds = _scaled(solid.bbox, factor)
    further = solid.model_extra or {}
    members = {name: further.get(name, getattr(solid, name, None)) for name in COMPARED}
    center = solid.center_of_mass
    return Body(
        id=solid.id,
        type="solid",
        name=None if GENERATED.fullmatch(solid.name or "") else solid.name or None,
        path=path,
        surfaces=surfaces_of(faces, factor, _size(bounds)),
        volume=None if solid.volume is None else solid.volume * factor**3,
        area=None if solid.surface_area is None else solid.surface_area * factor**2,
        center_of_mass=None if center is None else np.array(center) * factor,
        bounds=bounds,
        placement=None if solid.transform is None else of_matrix(solid.transform, factor),
        properties={name: value for name, value in members.items() if value is not None},
    )


def _of_shell(shell: Shell, factor: float) -> Body:
    bounds = _scaled(shell.bbox, factor)
    area = shell.area if shell.area is not None else sum(face.area or 0.0 for face in shell.faces)
    return Body(
        id=shell.id,
        type="shell",
        name=None,
        path=(),
        surfaces=surfaces_of(shell.faces, factor, _size(bounds)),
        area=area * factor**2,
        bounds=bounds,
        properties={} if shell.is_closed is None else {"is_closed": shell.is_closed},
    )


def _scaled(box: BoundingBox | None, factor: float) -> Array | None:
    return None if box is None else corners(box) * factor


def _size(bounds: Array | None) -> float:
    return 1.0 if bounds is None else max(float(np.linalg.norm(bounds[1] - bounds[0])), 1e-9)


def _step(value: float | None) -> int | None:
    return None if not value else round(math.log(abs(value)) / SIGNATURE)
