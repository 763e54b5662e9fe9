"""A body measured once, and what an instance of it is.

Everything an instance needs follows from its definition and a similarity transform: volumes scale with the cube, areas with
the square, points move, directions turn. Only the box must be found again when an instance is turned, from the same extent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, partial
from typing import Final, TypeVar

import numpy as np
from OCP.gp import gp_Trsf
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from spatial.contract.extraction import Face, SurfaceType
from spatial.geometry import rounding, triangles
from spatial.geometry.extent import Extent, box
from spatial.geometry.placement import Placement
from spatial.geometry.quadrature import Array
from spatial.models.brep import body, boxes, mass, wires
from spatial.models.brep.edges import EdgeTable
from spatial.models.brep.faces import FaceTable
from spatial.models.brep.faults import Fault, faults_of
from spatial.models.brep.mass import Mass
from spatial.models.brep.topology import count_of_kind, faces_of, is_closed, is_mesh, matrix, subshapes
from spatial.models.guard import attempt

T = TypeVar("T")

NOWHERE: Final = (np.full(3, np.inf), np.full(3, -np.inf))
"""The bounds of nothing."""

CLOSED_GAP: Final = 1e-5
"""Area vectors of a closed body add up to nothing; a gap beyond this, relative to the area, says that faces are missing."""

VOLUME_ERROR: Final = 1e-2
"""Largest relative error with which a volume of a boundary with gaps is given."""


def placement(transform: gp_Trsf, scale: float) -> Placement:
    """From a kernel transform in millimetres, and document units per millimetre."""
    rows = matrix(transform)
    return Placement(rows[:, :3] * scale, rows[:, 3] * scale)


class Definition:
    """One body, taken from the kernel and measured at the first question."""

    def __init__(self, name: str, shape: TopoDS_Shape, sewn: bool = False) -> None:
        self.name = name
        self.shape = shape
        self.sewn = sewn
        """Whether its faces share their edges only because they were sewn here."""
        self.faults: list[str] = []
        """What could not be found out about it, and why; for warnings."""
        self._boxes: dict[bytes, tuple[Array, Array]] = {}
        self._checked: Callable[[], list[Fault] | None] | None = None
        self._measured: Callable[[], Mass | None] | None = None

    @cached_property
    def body(self) -> body.Body:
        """Its faces and edges."""
        return self._attempt("faces", lambda: body.body_of(self.shape), body.Body())

    @cached_property
    def kernel_faults(self) -> list[Fault]:
        """What the kernel's check finds wrong with it."""
        found = self._checked() if self._checked else None
        return faults_of(self.shape) if found is None else found

    def delegate_check(self, checked: Callable[[], list[Fault] | None]) -> None:
        """Take what the check finds from elsewhere; where that gives None, the check is done here."""
        self._checked = checked

    @cached_property
    def edges(self) -> EdgeTable:
        """How its faces meet."""
        return EdgeTable(self.body)

    @cached_property
    def mass(self) -> Mass:
        """Its area, volume and centre."""
        found = self._measured() if self._measured else None
        if found is not None:
            return found
        return self._attempt("area and volume", lambda: mass.measure(self.body), mass.unknown(len(self.body.faces)))

    def delegate_mass(self, measured: Callable[[], Mass | None]) -> None:
        """Take area, volume and centre from elsewhere; where that gives None, they are found here."""
        self._measured = measured

    @property
    def is_unmeasured(self) -> bool:
        """Whether area, volume and centre are not known, and nobody finds them elsewhere."""
        return "mass" not in self.__dict__ and self._measured is None

    @cached_property
    def extent(self) -> Extent:
        """What bounds it."""
        return self._attempt("extent", self._find_extent, Extent(np.zeros((0, 3)), [], []))

    def _find_extent(self) -> Extent:
        if self.shape.ShapeType() in (TopAbs_ShapeEnum.TopAbs_EDGE, TopAbs_ShapeEnum.TopAbs_VERTEX):
            return Extent(wires.point(self.shape), wires.table(self.shape).groups(), [])
        return boxes.extent(self.body)

    @cached_property
    def shells(self) -> list[TopoDS_Shape]:
        """Its shells."""
        return subshapes(self.shape, TopAbs_ShapeEnum.TopAbs_SHELL)

    @cached_property
    def shells_closed(self) -> list[bool]:
        """Whether all edges of each shell are shared."""
        return [is_closed(shell) for shell in self.shells]

    @cached_property
    def closed(self) -> bool:
        """Whether its faces close: every edge is shared, and the faces' area vectors cancel, but for what the edges are off."""
        return self._attempt("closed boundary", self._is_closed, False)

    @property
    def off_its_edges(self) -> bool:
        """Whether it is closed by its edges, which its faces miss so far that the area vectors show it."""
        return self.closed and not self.tessellated and self.mass.gap > CLOSED_GAP

    @property
    def nearly_closed(self) -> bool:
        """Whether its faces only miss each other by gaps so narrow that the volume is known within VOLUME_ERROR."""
        mass = self.mass
        return (
            not self.closed
            and not self.tessellated
            and mass.complete
            and mass.encloses
            and 0.0 < mass.errors.free_gap < np.inf
            and mass.errors.volume <= VOLUME_ERROR * abs(mass.volume)
        )

    @property
    def has_volume(self) -> bool:
        """Whether a volume can be given."""
        return (self.closed and self.mass.complete) or self.nearly_closed

    def _is_closed(self) -> bool:
        if self.tessellated:
            signed = [face.triangles[:, :: int(face.sign)] for face in self.body.faces if face.triangles is not None]
            return triangles.is_closed(np.concatenate(signed))
        return is_closed(self.shape) and (not self.mass.gap > CLOSED_GAP or self._is_explained)

    @property
    def _is_explained(self) -> bool:
        """Whether the strips between its faces and their edges are wide enough for what the area vectors miss, and the volume is known."""
        mass = self.mass
        if not (mass.complete and mass.encloses):
            return False
        return mass.gap * mass.area <= mass.errors.area and mass.errors.volume <= VOLUME_ERROR * abs(mass.volume)

    @cached_property
    def vertex_count(self) -> int:
        """How many different vertices it has."""
        return count_of_kind(self.shape, TopAbs_ShapeEnum.TopAbs_VERTEX)

    @cached_property
    def tessellated(self) -> bool:
        """Whether it is made of triangles only."""
        return bool(self._faces) and all(map(is_mesh, self._faces))

    @property
    def face_count(self) -> int:
        """How many faces it has."""
        return len(self._faces)

    @cached_property
    def _faces(self) -> list[TopoDS_Face]:
        return faces_of(self.shape)

    @cached_property
    def surface_types(self) -> Counter[SurfaceType]:
        """How many faces of each type it has."""
        return Counter(face.type for face in self.body.faces)

    def bounds(self, place: Placement) -> tuple[Array, Array]:
        """Least and greatest coordinates of an instance, in document units.

        Instances that are turned alike share the search.
        """
        key = np.round(place.turn, rounding.DIGITS).tobytes()
        if key not in self._boxes:
            self._boxes[key] = self._attempt("box", lambda: box(self.extent, place.turn), NOWHERE)
        low, high = self._boxes[key]
        return low * place.factor + place.shift, high * place.factor + place.shift

    @property
    def reversed(self) -> bool:
        """Whether it is closed and inside out."""
        return (self.closed or self.nearly_closed) and self.mass.encloses and self.mass.volume < 0.0

    @cached_property
    def _face_table(self) -> FaceTable:
        return FaceTable(self.body, self.mass)

    def faces(self, place: Placement, places: int) -> list[Face]:
        """The faces of an instance; planes' normals point out of the material even if the file turned it inside out."""
        outward = -1.0 if self.reversed else 1.0
        return self._attempt("list of faces", lambda: self._face_table.faces(place, places, outward), [])

    def _attempt(self, what: str, stage: Callable[[], T], otherwise: T) -> T:
        """What a stage finds, or `otherwise`, and a fault: one body that cannot be measured costs no other."""
        return attempt(f"{what} of {self.name}", stage, otherwise, self.faults)


FACES_TOGETHER: Final = 500
"""Faces of bodies that are integrated together: bounds the memory of their arrays."""


def measure_together(definitions: Iterable[Definition]) -> None:
    """Let bodies that are not measured be integrated together, as soon as one of them is asked for."""
    chosen: list[Definition] = []
    faces = 0
    for definition in definitions:
        if not definition.is_unmeasured:
            continue
        if faces >= FACES_TOGETHER:
            _join(chosen)
            chosen, faces = [], 0
        chosen.append(definition)
        faces += definition.face_count
    _join(chosen)


def _join(definitions: list[Definition]) -> None:
    if len(definitions) < 2:
        return
    found = cache(partial(_masses, definitions))
    for number, definition in enumerate(definitions):
        definition.delegate_mass(partial(lambda place: found()[place], number))


def _masses(definitions: list[Definition]) -> Sequence[Mass | None]:
    """Where one cannot be measured, none is: each is then measured by itself."""
    bodies = [each.body for each in definitions]
    none: Sequence[Mass | None] = [None] * len(bodies)
    return attempt("areas and volumes", partial(mass.measure_together, bodies), none, [])
