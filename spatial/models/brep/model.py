"""A file that was read as a boundary representation, whatever format it came in.

Glossary
  definition   one modelled body; an assembly places it any number of times.
  instance     a definition under a transform: what the document calls a solid.
  open shape   a shell that belongs to no solid, or a face that belongs to no shell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from OCP.gp import gp_Trsf
from OCP.TopoDS import TopoDS_Shape

from spatial.models.brep.definition import Definition, measure_together
from spatial.models.brep.delegated import delegate_masses, delegate_triangles
from spatial.models.brep.instances import FlattenedAssembly, Instance
from spatial.models.brep.pmi import NamedFaces, Pmi
from spatial.models.brep.reading import reading
from spatial.models.brep.tessellation import Tessellation
from spatial.models.brep.topology import unplaced
from spatial.models.reading import Reading, Units


@dataclass(frozen=True)
class SolidModel:
    """One solid as it stands in the world."""

    id: str
    name: str
    shape: TopoDS_Shape
    """Located where it stands; millimetres."""
    definition: str
    """The same for all instances of one definition."""
    transform: gp_Trsf
    """From the definition's own place to where this instance stands; millimetres."""
    closed: bool = True
    """Whether its shells close, so that it has a volume."""
    tessellated: bool = False
    """Whether its faces are triangles and not surfaces."""


@dataclass(frozen=True)
class OpenShape:
    """A shell or a face outside of any solid, as it stands in the world; millimetres."""

    id: str
    shape: TopoDS_Shape


@dataclass
class BrepModel:
    """What a B-rep reader makes of one file."""

    reading: Reading
    solids: list[SolidModel]
    open_shapes: list[OpenShape] = field(default_factory=list)
    definitions: dict[str, Definition] = field(default_factory=dict)
    """The bodies of the solids, by their names."""
    scale: float = 1.0
    """Document units per millimetre: number in the document = millimetres * scale."""
    bodies: list[Instance] = field(default_factory=list)
    """Every body, as the file places it."""
    pmi: Pmi | None = None
    """None where the format or the file has none."""
    named: list[NamedFaces] = field(default_factory=list)
    """Faces whose names may say a thread."""
    delegated_triangles: Callable[[], dict[str, Tessellation]] | None = None
    """Waits for the triangles that another process makes: by the definition of a solid, by the id of an open shape."""


def measure(
    flattened: FlattenedAssembly,
    units: Units,
    scale: float,
    source_format: str,
    warnings: list[str],
    *,
    is_partial: bool = False,
) -> BrepModel:
    """The model of the bodies that a file places, with everything measured that the document reports.

    is_partial: whether the file states more than was read; a warning says what.
    """
    bodies = {id(body.definition): body.definition for body in flattened.of_kind("solid", "shell", "face")}
    triangles = delegate_triangles(_outer_shapes(flattened))
    delegate_masses(list(bodies.values()))
    measure_together(bodies.values())
    found = reading(flattened, units, scale, source_format, warnings, is_partial=is_partial)
    solids = [
        SolidModel(
            id=body.id,
            name=body.name or body.id,
            shape=body.shape,
            definition=body.definition.name,
            transform=body.transform,
            closed=body.definition.closed,
            tessellated=body.definition.tessellated,
        )
        for body in flattened.of_kind("solid")
    ]
    return BrepModel(
        reading=found,
        solids=solids,
        open_shapes=[OpenShape(body.id, body.shape) for body in flattened.of_kind("shell", "face")],
        definitions={body.definition.name: body.definition for body in flattened.of_kind("solid")},
        scale=scale,
        bodies=flattened.of_kind("solid", "shell"),
        delegated_triangles=triangles,
    )


def _outer_shapes(flattened: FlattenedAssembly) -> dict[str, TopoDS_Shape]:
    """What points are taken from, where it was modelled: by the definition of a solid, by the id of an open shape."""
    solids = {body.definition.name: unplaced(body.shape) for body in flattened.of_kind("solid")}
    return solids | {body.id: unplaced(body.shape) for body in flattened.of_kind("shell", "face")}
