"""What was read, as the document's structure: solids, open shells, free faces, wireframe, counts, and what to be warned of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from math import ceil, floor, isfinite, log10
from typing import Any, Final, TypeVar

import numpy as np

from spatial.contract.extraction import BoundingBox, Curve, Face, Shell, Solid, Structure
from spatial.counting import count_of, listed
from spatial.geometry import rounding
from spatial.geometry.placement import Placement
from spatial.geometry.quadrature import Array
from spatial.models.brep import parts, wires
from spatial.models.brep.definition import Definition, placement
from spatial.models.brep.duplicates import duplicates
from spatial.models.brep.instances import FlattenedAssembly, Instance
from spatial.models.brep.mass import Mass
from spatial.models.brep.topology import unplaced
from spatial.models.guard import attempt
from spatial.models.reading import Reading, Units

T = TypeVar("T", Solid, Shell, Face, Curve)

FACES_LISTED: Final = 100_000
"""Most faces that one document lists; instances beyond that refer to their definition."""

CURVES_LISTED: Final = 5_000
"""Most wireframe curves that one document lists; the others are counted."""

LEAST_SIZE: Final = 0.05
"""Millimetres: smaller than any part that is modelled on its own; a millimetre model read as micrometres is."""

LARGEST_SIZE: Final = 1e6
"""Millimetres: the longest machines and bridges are models of a kilometre."""

NAMES_SHOWN: Final = 5
"""How many bodies a warning names."""


@dataclass
class Draft:
    """The structure while it is built."""

    flattened: FlattenedAssembly
    scale: float
    """Document units per millimetre."""
    warnings: list[str]
    places_of: dict[str, Placement] = field(default_factory=dict)
    """Where each body stands."""
    places: int = rounding.DIGITS
    """Decimals of positions."""
    low: Array = field(default_factory=lambda: np.full(3, np.inf))
    high: Array = field(default_factory=lambda: np.full(3, -np.inf))
    inertias: dict[tuple[str, bytes, float], dict[str, Any]] = field(default_factory=dict)
    """By definition, turn and scale."""
    repeated: dict[str, str] = field(default_factory=dict)
    """Solids that repeat another one."""
    listed: int = 0
    doubts: dict[str, list[str]] = field(default_factory=dict)
    """Warnings about single bodies: what is the matter, and with which."""

    def doubt(self, what: str, body: Instance) -> None:
        """Note what is the matter with a body; several bodies with the same trouble share a warning."""
        self.doubts.setdefault(what, []).append(f"{body.id} ({body.name})" if body.name else body.id)


def reading(
    flattened: FlattenedAssembly,
    units: Units,
    scale: float,
    source_format: str,
    warnings: list[str],
    *,
    is_partial: bool,
) -> Reading:
    """The facts of a file in document units. is_partial: whether the file states more than was read."""
    draft = Draft(flattened, scale, list(warnings))
    draft.places_of = {body.id: placement(body.transform, scale) for body in flattened.instances}
    boxes = _boxes(draft)
    draft.repeated = attempt("repeated bodies", partial(duplicates, flattened, draft.places_of), {}, draft.warnings)
    structure = Structure(
        kind="brep",
        solids=_listed(draft, flattened.of_kind("solid"), boxes, _solid, Solid),
        shells=_listed(draft, flattened.of_kind("shell"), boxes, _shell, Shell) or None,
        free_faces=_listed(draft, flattened.of_kind("face"), boxes, _free_face, Face) or None,
        curves=_listed(draft, flattened.of_kind("edge")[:CURVES_LISTED], boxes, _curve, Curve) or None,
        parts=parts.listed(flattened, scale, draft.warnings) or None,
        assembly=flattened.tree or None,
    )
    _conclude(draft)
    return Reading(
        source_format=source_format,
        units=units,
        structure=structure,
        entity_counts=_counts(flattened),
        bbox=_box(draft, draft.low, draft.high),
        warnings=draft.warnings,
        partial=is_partial,
    )


def _listed(
    draft: Draft,
    bodies: list[Instance],
    boxes: dict[str, BoundingBox | None],
    describe: Callable[[Draft, Instance, BoundingBox | None], T],
    kind: type[T],
) -> list[T]:
    """A record of each body; one that cannot be described has its id alone, and a warning."""
    return [
        attempt(f"facts of {body.id}", partial(describe, draft, body, boxes[body.id]), kind(id=body.id), draft.warnings)
        for body in bodies
    ]


def _boxes(draft: Draft) -> dict[str, BoundingBox | None]:
    """The box of every body; the box of the document is that of its solids, or if there are none, of what there is."""
    bounds = {body.id: body.definition.bounds(draft.places_of[body.id]) for body in draft.flattened.instances}
    counted = draft.flattened.of_kind("solid") or draft.flattened.of_kind("shell", "face") or draft.flattened.instances
    for low, high in (bounds[body.id] for body in counted):
        if np.isfinite(low).all() and np.isfinite(high).all():
            draft.low, draft.high = np.minimum(draft.low, low), np.maximum(draft.high, high)
    if np.isfinite(draft.low).all():
        draft.places = rounding.decimals(float(max(np.abs(draft.low).max(), np.abs(draft.high).max())))
    return {name: _box(draft, low, high) for name, (low, high) in bounds.items()}


def _box(draft: Draft, low: Array, high: Array) -> BoundingBox | None:
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return None
    return BoundingBox(min=rounding.position(low, draft.places), max=rounding.position(high, draft.places))


def _solid(draft: Draft, body: Instance, box: BoundingBox | None) -> Solid:
    definition, place = body.definition, draft.places_of[body.id]
    facts: dict[str, Any] = _area(definition, place, "surface_area")
    if definition.has_volume:
        facts |= _volume(draft, body, place)
        if definition.sewn:
            draft.doubt("the boundary closes only after its faces are sewn edge to edge", body)
    if definition.nearly_closed:
        gap = rounding.significant(definition.mass.errors.free_gap * place.factor)
        draft.doubt(
            f"the boundary has gaps of up to {gap:.3g}, so that the volume is only known within volume_error", body
        )
    elif definition.off_its_edges:
        draft.doubt(
            "the faces miss the edges that they share, so that the volume is only known within volume_error", body
        )
    elif definition.body.faces and not definition.closed:
        draft.doubt("the boundary is not closed, so that there is no volume", body)
    _doubt_measures(draft, body, box)
    if step := _coarse_step(definition, place):
        for bound in ("volume_error", "center_of_mass_error", "surface_area_error"):
            facts.pop(bound, None)
        draft.doubt(
            f"it stands so far from the origin that coordinates there are steps of {step:.2g} apart, so that its sizes and its"
            " centre of mass are not exact; move the body to the origin",
            body,
        )
    if definition.tessellated:
        draft.doubt("the surfaces are triangles and not exact", body)
    return Solid(
        id=body.id,
        name=body.name,
        bbox=box,
        representation="tessellated" if definition.tessellated else "exact",
        is_closed=definition.closed,
        faces=_colored(_faces(draft, definition, place), body),
        shells=_inner_shells(definition),
        part=body.part,
        instance=body.instance,
        color=body.color,
        duplicate_of=_duplicate_of(draft, body),
        mirrored=bool(np.linalg.det(place.turn) < 0.0) or None,
        **_instance_of(draft, body),
        **facts,
    )


def _coarse_step(definition: Definition, place: Placement) -> float | None:
    """How far numbers of double precision are apart at a body, where that is no small part of its size; None where it is."""
    low, high = definition.bounds(place)
    if not definition.body.faces or not (np.isfinite(low).all() and np.isfinite(high).all()):
        return None
    step = float(np.spacing(max(np.abs(low).max(), np.abs(high).max())))
    return step if step > _COARSE * float(np.linalg.norm(high - low)) else None


def _area(definition: Definition, place: Placement, name: str) -> dict[str, float | None]:
    """The area under a name, where any face could be measured and none is without a boundary."""
    if not np.isfinite(definition.bounds(place)).all():
        return {}
    area = definition.mass.area * place.factor**2
    if not 0.0 < area < np.inf:
        return {}
    return {name: rounding.significant(area), f"{name}_error": _bound(definition.mass.errors.area * place.factor**2)}


def _doubt_measures(draft: Draft, body: Instance, box: BoundingBox | None) -> None:
    """Note what a solid or a shell lacks, and why."""
    definition = body.definition
    faces = definition.body.faces
    if not faces:
        draft.doubt("there is no face, so that nothing can be measured", body)
    elif any(face.crosses_itself for face in faces):
        draft.doubt(
            "a face of a spindle torus is not limited where it crosses its axis, so that there is no box and no volume",
            body,
        )
    elif not definition.mass.complete:
        draft.doubt("some faces could not be measured; area and volume leave them out", body)
    elif box is None:
        draft.doubt("the extent is not finite, so that there is no box", body)


def _volume(draft: Draft, body: Instance, place: Placement) -> dict[str, Any]:
    mass = body.definition.mass
    if not mass.encloses:
        what = "the faces are flat and enclose no volume" if mass.finite else "the volume is not a finite number"
        draft.doubt(f"{what}, so that there is no centre of mass either", body)
        return {}
    reversed_in_file = body.definition.reversed and not body.definition.sewn
    if reversed_in_file:
        draft.doubt("the faces look inwards in the file; volume is a magnitude", body)
    return {
        "volume": rounding.significant(abs(mass.volume) * place.factor**3),
        "volume_error": _bound(mass.errors.volume * place.factor**3),
        "center_of_mass": _point(draft, place, mass.center),
        "center_of_mass_error": _bound(mass.center_error * place.factor),
        **_turned_inertia(draft, body.definition, place),
        "orientation": "reversed" if reversed_in_file else "forward",
    }


def _bound(error: float) -> float | None:
    """A bound to two digits, rounded up; absent where there is none."""
    if not isfinite(error) or error <= 0.0:
        return None
    digits = 1 - floor(log10(error))
    return float(f"{ceil(error * 10.0**digits) / 10.0**digits:.1e}")


def _turned_inertia(draft: Draft, definition: Definition, place: Placement) -> dict[str, Any]:
    """Of an instance; those that are turned alike share it."""
    key = definition.name, place.turn.tobytes(), place.factor
    if key not in draft.inertias:
        draft.inertias[key] = _inertia(definition.mass, place)
    return draft.inertias[key]


def _inertia(mass: Mass, place: Placement) -> dict[str, Any]:
    """Inertia about the centre of mass at a density of 1, along the document's axes, and its principal moments and axes."""
    own = mass.inertia
    if own is None:
        return {}
    tensor = place.turn @ own @ place.turn.T * place.factor**5
    moments, axes = np.linalg.eigh(tensor)
    size = float(np.abs(moments).max())
    rows = [
        [0.0 if abs(value) < _NEGLIGIBLE * size else rounding.significant(value) for value in row]
        for row in tensor.tolist()
    ]
    found: dict[str, Any] = {
        "inertia": tuple(value for row in rows for value in row),
        "principal_moments": tuple(rounding.significant(value) for value in moments.tolist()),
    }
    if min(np.diff(moments)) > _EQUAL_MOMENTS * size:
        axes = axes * np.sign(np.linalg.det(axes))
        found["principal_axes"] = rounding.positions(axes.T, rounding.DIGITS - 3)
    return found


_NEGLIGIBLE: Final = 1e-12
_COARSE: Final = 1e-9
"""Part of a body's size from which the distance between numbers of double precision at its place matters to what is computed of it."""
_EQUAL_MOMENTS: Final = 1e-9
"""Principal moments that differ by less, as a part of the largest, leave their axes open."""


def _point(draft: Draft, place: Placement, where: tuple[float, float, float]) -> tuple[float, ...]:
    return rounding.position(place.points(np.array([where]))[0], draft.places)


def _instance_of(draft: Draft, body: Instance) -> dict[str, Any]:
    """Only where there is something to be a placement of."""
    if not draft.flattened.tree:
        return {}
    place = draft.places_of[body.id]
    rows = np.column_stack([place.linear / draft.scale, place.shift])
    transform = tuple(rounding.significant(value) + 0.0 for value in rows.ravel().tolist())
    return {"instance_of": body.definition.name, "transform": transform}


def _faces(draft: Draft, definition: Definition, place: Placement) -> list[Face]:
    count = len(definition.body.faces)
    if draft.listed + count > FACES_LISTED:
        draft.doubts.setdefault(f"listed without faces: a document lists {FACES_LISTED:,}", []).append(definition.name)
        return []
    draft.listed += count
    return definition.faces(place, draft.places)


def _duplicate_of(draft: Draft, body: Instance) -> str | None:
    other = draft.repeated.get(body.id)
    if other is not None:
        draft.doubt(f"the same body as {other}, written twice; count one of them", body)
    return other


def _colored(faces: list[Face], body: Instance) -> list[Face]:
    """The faces of a body, with their colours where they are not that of the body."""
    colors = {hash(unplaced(shape)): color for shape, color in body.face_colors if color != body.color}
    if not colors or not faces:
        return faces
    found = [colors.get(hash(unplaced(face.face))) for face in body.definition.body.faces]
    return [
        face.model_copy(update={"color": color}) if color else face for face, color in zip(faces, found, strict=True)
    ]


def _inner_shells(definition: Definition) -> list[Shell] | None:
    """Worth saying only where there are voids."""
    if len(definition.shells) < 2:
        return None
    return [Shell(id=f"shell-{n}", is_closed=closed) for n, closed in enumerate(definition.shells_closed, start=1)]


def _shell(draft: Draft, body: Instance, box: BoundingBox | None) -> Shell:
    definition, place = body.definition, draft.places_of[body.id]
    facts: dict[str, Any] = ({"name": body.name} if body.name else {}) | _area(definition, place, "area")
    if definition.closed and definition.mass.complete and definition.mass.encloses:
        facts["enclosed_volume"] = rounding.significant(abs(definition.mass.volume) * place.factor**3)
        facts["center_of_mass"] = _point(draft, place, definition.mass.center)
        what = "the boundary closes when sewn edge to edge" if definition.sewn else "the boundary is closed"
        draft.doubt(f"{what}, but the file does not call it a solid; its volume is in enclosed_volume", body)
    else:
        draft.doubt(
            "this closed shell bounds no volume" if definition.closed else "an open shell bounds no volume", body
        )
    _doubt_measures(draft, body, box)
    return Shell(
        id=body.id,
        is_closed=definition.closed,
        bbox=box,
        faces=_faces(draft, definition, place),
        **facts,
    )


def _free_face(draft: Draft, body: Instance, _: BoundingBox | None) -> Face:
    draft.doubt("a face that belongs to no shell bounds no volume", body)
    faces = body.definition.faces(draft.places_of[body.id], draft.places)
    return faces[0].model_copy(update={"id": body.id}) if faces else Face(id=body.id)


def _curve(draft: Draft, body: Instance, box: BoundingBox | None) -> Curve:
    kind, length = wires.describe(body.definition.shape)
    facts = {} if length is None else {"length": rounding.significant(length * draft.places_of[body.id].factor)}
    return Curve(id=body.id, type=kind, bbox=box, **facts)


def _conclude(draft: Draft) -> None:
    draft.warnings += [fault for each in _definitions(draft.flattened) for fault in each.faults]
    for what, bodies in draft.doubts.items():
        draft.warnings.append(f"{listed(bodies, NAMES_SHOWN)}: {what}")
    curves = len(draft.flattened.of_kind("edge"))
    if curves > CURVES_LISTED:
        draft.warnings.append(f"only the first {CURVES_LISTED:,} of {count_of(curves, 'wireframe curve')} are listed")
    if not draft.flattened.of_kind("solid"):
        draft.warnings.append("the file has no solid")
    size = float(np.linalg.norm(draft.high - draft.low)) / draft.scale
    if np.isfinite(size) and not LEAST_SIZE <= size <= LARGEST_SIZE and size > 0.0:
        draft.warnings.append(
            f"the model is {size:.3g} mm in size, which suggests that its unit is wrong; compare it with a known length"
        )


def _definitions(flattened: FlattenedAssembly) -> list[Definition]:
    """Each definition once, in the order of its first instance."""
    return list({id(body.definition): body.definition for body in flattened.instances}.values())


def _counts(flattened: FlattenedAssembly) -> dict[str, int]:
    """How many there are in the world; of definitions, how many there are in the file."""
    bodies = [body for body in flattened.instances if body.kind in ("solid", "shell", "face")]
    types: Counter[str] = Counter()
    for body in bodies:
        for kind, count in body.definition.surface_types.items():
            types[f"{kind}_faces"] += count
    counts = {
        "solids": len(flattened.of_kind("solid")),
        "shells": sum(len(body.definition.shells) for body in bodies),
        "faces": _sum(len(body.definition.body.faces) for body in bodies),
        "edges": _sum(body.definition.body.edge_count for body in bodies),
        "vertices": _sum(body.definition.vertex_count for body in bodies),
        "definitions": len({id(body.definition) for body in bodies}),
        "free_faces": len(flattened.of_kind("face")),
        "curves": len(flattened.of_kind("edge")),
        "points": len(flattened.of_kind("vertex")),
    }
    always = ("solids", "faces")
    return {name: count for name, count in {**counts, **types}.items() if count or name in always}


def _sum(counts: Iterable[int]) -> int:
    return sum(counts)
