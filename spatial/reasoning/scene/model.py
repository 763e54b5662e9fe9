"""The scene: objects with their geometry in one frame and one unit, without the format that they came from.

Coordinates are in the scene's `units`; z points up for models, and y points as drawn for drawings and diagrams, whose objects are flat
(z = 0). Arrays are float64 and read-only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from spatial.contract.extraction import CadExtraction, Face
from spatial.contract.points import PointCloudKind
from spatial.errors import InputRejected

Array = NDArray[np.float64]

Origin = Literal["solid", "shell", "point_cloud", "depth_map", "node", "sheet", "view"]
"""What an object was in the input."""

NAMED_IDS = 20
"""Maximum number of known ids that an error names."""


@dataclass(frozen=True, eq=False)
class SceneObject:
    """One thing in the scene.

    bounds: (2, 3) minimum and maximum corner; None if the input tells no extent.
    points: (n, 3) points on the surface, in the order of the input; n = 0 if it has none.
    faces: analytic surfaces, for a solid of an exact model; they have no trimming curves.
    volume, surface_area: as the document reports them, in the scene's units; None where it reports none.
    """

    id: str
    origin: Origin
    name: str | None = None
    kind: PointCloudKind = "unknown"
    bounds: Array | None = None
    points: Array = field(default_factory=lambda: np.empty((0, 3)))
    faces: tuple[Face, ...] = ()
    volume: float | None = None
    surface_area: float | None = None
    center_of_mass: Array | None = None
    is_closed: bool | None = None
    parent: str | None = None
    properties: Mapping[str, object] = field(default_factory=dict)
    """Further facts for the solvers of one kind of document, for example the shape of a diagram node."""

    @property
    def has_geometry(self) -> bool:
        """Whether there is anything to measure: points, faces or an extent."""
        return len(self.points) > 0 or bool(self.faces) or self.bounds is not None

    @cached_property
    def size(self) -> Array | None:
        """Extent along x, y and z."""
        return None if self.bounds is None else self.bounds[1] - self.bounds[0]


@dataclass(frozen=True, eq=False)
class Scene:
    """Objects by id, in the order of the input.

    document: the extraction that the scene was built from; None for a scene of point clouds.
    """

    units: str
    objects: Mapping[str, SceneObject]
    document: CadExtraction | None = None
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[SceneObject]:
        return iter(self.objects.values())

    def __len__(self) -> int:
        return len(self.objects)

    def find(self, object_id: str, field_name: str = "object_id") -> SceneObject:
        """The object of an id. Raises: InputRejected that names the known ids."""
        if object_id in self.objects:
            return self.objects[object_id]
        raise self._id_error(field_name, f"the scene has no object {object_id!r}")

    def unnamed(self, field_name: str, why: str) -> InputRejected:
        """The error for an id that a request should have given; it names the known ids."""
        return self._id_error(field_name, f"is missing, and {why}")

    def _id_error(self, field_name: str, problem: str) -> InputRejected:
        known = list(self.objects)
        named = ", ".join(known[:NAMED_IDS]) + (" …" if len(known) > NAMED_IDS else "")
        advice = f"use one of {named}" if known else "send a scene that has objects"
        details = {"field": f"input.{field_name}", "known_ids": known[:NAMED_IDS]}
        return InputRejected(f"input.{field_name}: {problem}; {advice}", details=details)
