"""Area, volume and centre of mass of a body, integrated over its exact faces.

Faces are integrated by kind: planes over their edges in space, cylinders, cones, spheres and tori together over their
pcurves, splines, extrusions and revolutions one by one; triangles as they are. Straight and circular boundaries come out
exact to rounding; others as exact as the file's curves follow the faces (docs/formats.md has figures). What has no arrays
(offset surfaces, faces without pcurves) is left to the kernel's own adaptive quadrature. Bounds follow from the gaps between the
boundaries that the faces were integrated up to (docs/decisions/0041-error-bounds.md).

Glossary
  coedge              an edge as it bounds one face, with the direction in which that face takes it.
  signed cone volume  of a face: the volume between it and a fixed point; over a closed shell it adds up to the volume inside.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepGProp import BRepGProp, BRepGProp_Domain, BRepGProp_Face, BRepGProp_Vinert
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps

from spatial.contract.extraction import SurfaceType
from spatial.geometry.curves import CurveTable, Lines, at_fractions, rectangles
from spatial.geometry.integrals import (
    COMPONENTS,
    TOLERANCE,
    Coedges,
    Planes,
    Revolutes,
    area_vectors,
    freeform_integrals,
    triangle_integrals,
)
from spatial.geometry.quadrature import Array, Index
from spatial.geometry.surfaces import Extrusion, Revolution, SplineFaces, SplineSurface
from spatial.geometry.unrolled import unroll
from spatial.geometry.vectors import cross
from spatial.models.brep.body import Body, BodyFace, add_pcurves
from spatial.models.brep.curves import Unusable
from spatial.models.brep.gaps import FRACTIONS, Boundaries
from spatial.models.brep.joint import JointBodies, Normalisation, coedges_of, joint
from spatial.models.brep.kernel_errors import KERNEL_ERRORS
from spatial.models.brep.surfaces import extrusion, frame, profile, rectangle, revolution, spline_surface

KERNEL_ERROR: Final = 1e-7
"""Relative error that the kernel's quadrature is asked for, for the faces that are left to it; it may miss it."""

KERNEL_BOUND: Final = 1e-4
"""Relative error that such a face may have: thirty times the worst by which the kernel missed what it was asked for (decision 35)."""

ROUNDING: Final = 1e-14
"""Of sums of some hundred terms, as a part of the area."""

FREEFORM_BOUND: Final = 1e-9
"""Relative error of the integrals over a freeform face: the estimates stop at 1e-11 and have been seen to be ten times too small."""

LEAST_THICKNESS: Final = 1e-9
"""A volume below this part of area times size is the rounding of none: real sheets are a millionth as thick as they are long."""


@dataclass(frozen=True)
class Errors:
    """Bounds of what a body's measures may be off by; millimetres and their powers."""

    area: float
    volume: float
    free_gap: float
    """The widest gap between free edges; 0 where there are none, infinite where a face is missing."""


@dataclass(frozen=True)
class Mass:
    """What was integrated over the faces of a body; millimetres and their powers."""

    areas: list[float | None]
    """Of each face, in the body's order; None where it could not be integrated."""
    volume: float
    """Signed: negative where the faces look inwards. Meaningless unless the body is closed."""
    first_moment: Array
    """(3,) of the volume, about the origin."""
    gap: float
    """How far the area vectors are from adding up to nothing, relative to the area: 0 for a closed body."""
    size: float
    """Diagonal of the box around its edges."""
    spread: Array
    """(3, 3) second moments of the volume about its centre; NaN where a face gave none."""
    errors: Errors

    @property
    def area(self) -> float:
        """Of all faces that could be integrated."""
        return sum(area for area in self.areas if area is not None)

    @property
    def complete(self) -> bool:
        """Whether every face could be integrated."""
        return all(area is not None for area in self.areas)

    @property
    def finite(self) -> bool:
        """Whether volume and moment are numbers; those of a body beyond 1e70 mm are not."""
        return bool(np.isfinite(self.volume) and np.isfinite(self.first_moment).all())

    @property
    def encloses(self) -> bool:
        """Whether there is a volume, so that it has a centre."""
        return self.finite and bool(abs(self.volume) > LEAST_THICKNESS * self.area * self.size)

    @property
    def inertia(self) -> Array | None:
        """(3, 3) about the centre, at a density of 1, along the body's own axes; None where it is not known."""
        if not (self.encloses and np.isfinite(self.spread).all()):
            return None
        spread = self.spread * np.sign(self.volume)
        return np.asarray(np.trace(spread) * np.eye(3) - spread)

    @property
    def center_error(self) -> float:
        """Bound of the centre: an error of the volume acts at most as far from it as the body is long."""
        return 2.0 * self.errors.volume * self.size / abs(self.volume) if self.volume else np.inf

    @property
    def center(self) -> tuple[float, float, float]:
        """Centre of mass."""
        x, y, z = (self.first_moment / self.volume).tolist()
        return x, y, z


def unknown(faces: int) -> Mass:
    """Of a body of so many faces that could not be integrated."""
    return Mass(
        [None] * faces,
        np.nan,
        np.full(3, np.nan),
        np.nan,
        np.nan,
        np.full((3, 3), np.nan),
        Errors(np.inf, np.inf, np.inf),
    )


def measure(body: Body) -> Mass:
    """Integrate a body."""
    return measure_together([body])[0]


def measure_together(bodies: Sequence[Body]) -> list[Mass]:
    """Integrate several bodies, each as by itself."""
    those = joint(bodies)
    rows = np.full((len(those.faces), COMPONENTS), np.nan)
    kinds_of = [face.measured_as(those.place(n).length) for n, face in enumerate(those.faces)]
    boundaries = Boundaries(those.curve_count, those.groups)
    _integrate_planes(those, rows, kinds_of, boundaries)
    _integrate_recognised(those, rows, kinds_of, boundaries)
    for kinds in (("cylinder", "cone"), ("sphere", "torus")):
        _integrate_revolutes(those, rows, kinds, boundaries)
    _integrate_freeform(those, rows, boundaries)
    rows[[face.crosses_itself for face in those.faces]] = np.nan
    left = [n for n, row in enumerate(rows) if np.isnan(row[0]) and not those.faces[n].crosses_itself]
    for number in left:
        rows[number] = _integrals_of(those.faces[number], those.place(number))
    _integrate_area_vectors(those, rows, [number for number in left if those.faces[number].coedges])
    _add_tolerances(those, left, boundaries)
    # A boundary that runs the wrong way round turns the sign of everything; the surface's side is known all the same.
    rows *= np.where(rows[:, :1] < 0.0, -1.0, 1.0)
    found = []
    for body, place, faces, curves in those.each():
        own = [number - faces.start for number in left if faces.start <= number < faces.stop]
        errors = _errors(body, place, rows[faces], own, boundaries, curves)
        found.append(_mass(body, place, rows[faces], errors))
    return found


def _add_tolerances(those: JointBodies, left: list[int], boundaries: Boundaries) -> None:
    """Faces that were left to the kernel end within the tolerances of their edges."""
    for number in left:
        coedges = those.faces[number].coedges
        for coedge, curve in zip(coedges, those.edges_of([number]).tolist(), strict=True):
            if curve >= 0:
                points = boundaries.in_space[curve]
                away = np.full(len(points), BRep_Tool.Tolerance_s(coedge.edge) * those.place(number).factor)
                boundaries.add(curve, points, away)


def _integrate_area_vectors(those: JointBodies, rows: Array, chosen: list[int]) -> None:
    """Area vectors of the faces that were left to the kernel."""
    if chosen:
        rows[chosen, 1:4] = area_vectors(those.groups, those.in_space(chosen), len(chosen))


def _integrate_planes(those: JointBodies, rows: Array, kinds: list[SurfaceType], boundaries: Boundaries) -> None:
    chosen = [n for n, face in enumerate(those.faces) if kinds[n] == "plane" and face.coedges]
    if not chosen:
        return
    frames = np.array([_plane_frame(those.faces[n]) for n in chosen])
    planes = Planes((frames[:, 0] - those.origins(chosen)) * those.factors(chosen), frames[:, 1], frames[:, 2])
    coedges = those.in_space(chosen)
    rows[chosen] = planes.near(those.groups, coedges).integrals(those.groups, coedges)
    points = boundaries.in_space[coedges.curve]
    normal = cross(planes.x, planes.y)[coedges.face]
    away = np.einsum("nki,ni->nk", points - planes.origin[coedges.face][:, None], normal)
    boundaries.add_all(coedges.curve, points, np.abs(away))


def _plane_frame(face: BodyFace) -> Array:
    return face.canonical.frame if face.canonical else frame(face.surface.Plane().Position())


def _integrate_recognised(those: JointBodies, rows: Array, kinds: list[SurfaceType], boundaries: Boundaries) -> None:
    """Cylinders and cones that are written as other surfaces: their pcurves are of those, so the edges in space are unrolled."""
    chosen = [
        n
        for n, face in enumerate(those.faces)
        if face.canonical and kinds[n] in ("cylinder", "cone") and any(c.curve is not None for c in face.coedges)
    ]
    found = [those.faces[n].canonical for n in chosen]
    if not chosen:
        return
    factors = those.factors(chosen)
    frames = np.array([each.frame for each in found if each])
    frames[:, 0] = (frames[:, 0] - those.origins(chosen)) * factors
    profiles = np.array([each.profile for each in found if each])
    profiles[:, :1] *= factors
    in_space = those.in_space(chosen)
    unrolled, coedges = unroll(those.groups, in_space, frames, profiles[:, 3])
    pointed = [any(coedge.curve is None for coedge in those.faces[n].coedges) for n in chosen]
    rows[chosen] = Revolutes(frames, profiles, np.array(pointed)).integrals(unrolled, coedges)
    for at, n in enumerate(chosen):
        curves, analytic, place = in_space.curve[in_space.face == at], those.faces[n].analytic, those.place(n)
        points = boundaries.in_space[curves]
        away = np.full(points.shape[:2], np.nan)
        if analytic:
            away = analytic.distances((points / place.factor + place.origin).reshape(-1, 3)).reshape(away.shape)
        boundaries.add_all(curves, points, away * place.factor)


def _integrate_revolutes(
    those: JointBodies, rows: Array, kinds: tuple[SurfaceType, ...], boundaries: Boundaries
) -> None:
    chosen, table, coedges = _with_pcurves(those.faces, [n for n, face in enumerate(those.faces) if face.kind in kinds])
    if not chosen:
        return
    shapes = [profile(those.faces[n].kind, those.faces[n].surface) for n in chosen]
    factors = those.factors(chosen)
    frames = np.array([where for where, _ in shapes])
    frames[:, 0] = (frames[:, 0] - those.origins(chosen)) * factors
    revolutes = Revolutes(frames, np.array([radii for _, radii in shapes]) * factors)
    groups = table.groups()
    rows[chosen] = revolutes.integrals(groups, coedges)
    ends = at_fractions(groups, FRACTIONS, table.count)[coedges.curve]
    points = revolutes.points(coedges.face, ends)
    boundaries.add_all(those.edges_of(chosen), points, np.zeros(points.shape[:2]))


def _with_pcurves(faces: list[BodyFace], wanted: list[int]) -> tuple[list[int], CurveTable, Coedges]:
    """Those of some faces that have pcurves all around, the pcurves, and which bounds which."""
    table = CurveTable()
    chosen: list[int] = []
    coedges: list[tuple[int, int, float]] = []
    for number in wanted:
        face = faces[number]
        if not face.coedges:
            continue
        try:
            numbers = add_pcurves(table, face)
        except Unusable:
            continue
        coedges += [(curve, len(chosen), coedge.sign) for curve, coedge in zip(numbers, face.coedges, strict=True)]
        chosen.append(number)
    return chosen, table, coedges_of(coedges)


def _owners(table: CurveTable, coedges: Coedges) -> Index:
    """The face of each pcurve; curves of a face that was given up have none, and go to the first."""
    owner = np.zeros(table.count, dtype=np.intp)
    owner[coedges.curve] = coedges.face
    return owner


def _on_surface(surface: Any, parameters: Array) -> Array:
    """(k, 3) points at parameters (k, 2); NaN where the kernel fails."""
    try:
        return np.array([surface.Value(u, v).Coord() for u, v in parameters.tolist()])
    except KERNEL_ERRORS:
        return np.full((len(parameters), 3), np.nan)


def _integrate_freeform(those: JointBodies, rows: Array, boundaries: Boundaries) -> None:
    left = [n for n, face in enumerate(those.faces) if face.kind in _FREEFORM and np.isnan(rows[n, 0])]
    chosen, table, coedges = _with_pcurves(those.faces, left)
    if not chosen:
        return
    groups = table.groups()
    ends = at_fractions(groups, FRACTIONS, table.count)
    edges = those.edges_of(chosen).tolist()
    for pcurve, at, edge in zip(coedges.curve.tolist(), coedges.face.tolist(), edges, strict=True):
        place = those.place(chosen[at])
        points = _on_surface(those.faces[chosen[at]].surface, ends[pcurve])
        boundaries.add(edge, (points - place.origin) * place.factor, np.zeros(len(points)))
    boxes = rectangles(groups, _owners(table, coedges), len(chosen))
    batches: dict[tuple[int, ...], list[tuple[int, SplineSurface]]] = defaultdict(list)
    for at, n in enumerate(chosen):
        face, place = those.faces[n], those.place(n)
        try:
            within = rectangle(face.surface, boxes[0][at], boxes[1][at])
            if face.kind in ("bspline", "bezier"):
                wanted = spline_surface(face.kind, face.surface, face.spline, face.poles, within)
                outer, spline = _along_cheaper(wanted)
                key = (outer, spline.outer.degree, spline.inner.degree)
                batches[key].append((at, spline.placed(place.origin, place.factor)))
            else:
                swept = _SWEPT[face.kind](face.surface, within).placed(place.origin, place.factor)
                rows[n] = freeform_integrals(swept, groups, coedges.of_faces([at]), 0)[0]
        except Unusable:
            continue
    for (outer, *_), batch in batches.items():
        members = [at for at, _ in batch]
        faces = SplineFaces([spline for _, spline in batch])
        rows[[chosen[at] for at in members]] = freeform_integrals(faces, groups, coedges.of_faces(members), outer)


_FREEFORM: Final[tuple[SurfaceType, ...]] = ("bspline", "bezier", "extrusion", "revolution")
_SWEPT: Final[dict[SurfaceType, Callable[..., Extrusion | Revolution]]] = {
    "extrusion": extrusion,
    "revolution": revolution,
}


def _along_cheaper(spline: SplineSurface) -> tuple[int, SplineSurface]:
    """With isolines in the direction in which they cost less; and which of u (0) and v (1) is then the outer one."""
    return (0, spline) if spline.inner.cost() <= spline.outer.cost() else (1, spline.swapped())


def _integrals_of(face: BodyFace, place: Normalisation) -> Array:
    """One face that was not done together with others."""
    if face.triangles is not None:
        return triangle_integrals((face.triangles - place.origin) * place.factor)
    if face.surface is None or not face.bounded:
        return np.full(COMPONENTS, np.nan)
    return _by_kernel(face, place)


def _by_kernel(face: BodyFace, place: Normalisation) -> Array:
    """By the kernel's adaptive quadrature; the area vector, which it does not return, follows in `_integrate_area_vectors`."""
    surface, origin = GProp_GProps(), gp_Pnt(*place.origin)
    try:
        BRepGProp.SurfaceProperties_s(face.face, surface, KERNEL_ERROR)
        # VolumeProperties measures the cone volume from a point of its own choice, another one for each face.
        volume = BRepGProp_Vinert(BRepGProp_Face(face.face), BRepGProp_Domain(face.face), origin, KERNEL_ERROR)
    except KERNEL_ERRORS:
        return np.full(COMPONENTS, np.nan)
    moment = volume.Mass() * (np.array(volume.CentreOfMass().Coord()) - place.origin)
    powers = place.factor ** np.array([2, 2, 2, 2, 3, 4, 4, 4, *(5,) * 6])
    return np.asarray(powers * np.array([surface.Mass(), *(np.nan,) * 3, volume.Mass(), *moment, *(np.nan,) * 6]))


def _mass(body: Body, place: Normalisation, rows: Array, errors: Errors) -> Mass:
    signs = np.array([face.sign for face in body.faces])
    total = signs @ rows[:, 1:] if len(rows) else np.zeros(COMPONENTS - 1)
    area = rows[:, 0].sum()
    volume = float(total[3]) * place.length**3
    areas = rows[:, 0] * np.float64(place.length) ** 2
    return Mass(
        areas=[value if isfinite(value) else None for value in areas.tolist()],
        volume=volume,
        first_moment=total[4:7] * place.length**4 + place.origin * volume,
        gap=float(np.linalg.norm(total[:3]) / area) if area else 0.0,
        size=place.length,
        spread=_spread(total) * place.length**5,
        errors=errors,
    )


def _errors(
    body: Body, place: Normalisation, rows: Array, left: list[int], boundaries: Boundaries, curves: slice
) -> Errors:
    """Bounds, from what strips between faces hold at most, the tolerance of each integral, and rounding.

    left: the faces that were left to the kernel. The cone from the origin to a strip has a third of its area times its distance.
    Behind a gap between free edges there may be a slot as deep as the body.
    """
    strips, free, widest = boundaries.strips(curves)
    kernel = KERNEL_BOUND * float(rows[left, 0].sum()) if left else 0.0
    kinds = [face.measured_as(place.length) for face in body.faces]
    recognised = sum(
        float(rows[n, 0]) * face.canonical.fitted.deviation * place.factor
        for n, face in enumerate(body.faces)
        if face.canonical and kinds[n] != face.kind
    )
    curved = sum(len(group.curve) for group in body.groups if not isinstance(group, Lines))
    freeform = sum(float(rows[n, 0]) for n, kind in enumerate(kinds) if kind in _FREEFORM)
    quadrature = 2.0 * curved * TOLERANCE + FREEFORM_BOUND * freeform
    rounding = ROUNDING * float(rows[:, 0].sum())
    area = strips + free + kernel + quadrature + rounding
    volume = boundaries.reach(curves) / 3.0 * strips + free + kernel + recognised + quadrature + rounding
    return Errors(area * place.length**2, volume * place.length**3, widest * place.length)


def _spread(total: Array) -> Array:
    """(3, 3) second moments about the centre, from volume, first and second moments about the origin."""
    volume, first, (xx, yy, zz, xy, xz, yz) = total[3], total[4:7], total[7:]
    second = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return second - np.outer(first, first) / volume if volume else np.full((3, 3), np.nan)
