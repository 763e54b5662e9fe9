"""What a body stands for in a scene: a rectangular block, a container, or unknown. Claimed only where it is certain.

Glossary
  block     a solid whose whole boundary lies in six planes, three parallel pairs at right angles. A closed boundary in
            six such planes bounds nothing but the rectangular block, however its sides are split into faces.
  void      a shell inside the outer one: a closed cavity.
  top       a plane with a part of the boundary in it and the whole body on one side.
  recess    what the boundary leaves open below a top: take the faces in the top away and the boundary falls into
            pieces, each with its rim in the top; a piece that has the material outside of itself is a recess. A hole
            that goes through joins the inside to the outside, so that no piece is left: then there is no recess.
  container a solid with exactly one void or recess of a top that holds more than the solid has material. A bracket with
            a blind hole is none, a cup, a tray or a hollow sphere is. A rounded rim has no face in the top: unknown.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.GeomLib import GeomLib_IsPlanarSurface
from OCP.TopAbs import TopAbs_EDGE, TopAbs_SHELL, TopAbs_WIRE
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape
from OCP.TopTools import TopTools_IndexedMapOfShape

from spatial.contract.points import PointCloudKind
from spatial.geometry.sampling import Floats, Integers
from spatial.geometry.triangles import normals_of, signed_volumes
from spatial.geometry.vectors import cross
from spatial.models.brep.tessellation import FREEFORM, Tessellation
from spatial.models.brep.topology import faces_of, is_closed, subshapes

ANGLE: Final = 1e-5
"""Largest deviation of a block's normals from parallel or perpendicular, in radians."""

DISTANCE: Final = 1e-6
"""Largest deviation from a block's side or a top, as a part of the body's size."""

MOST_FACES: Final = 5_000
MOST_TOPS: Final = 256
"""Bodies with more faces or tops are not checked for a container: each triangle of a meshed ball is both."""

_SAME_SIDE: Final = 0.5
"""Cosine that tells the normals of one side from those of the five others, which are at right angles or opposite."""

_PLANAR: Final = ("plane", FREEFORM)


def kind_of(solid: TopoDS_Shape, mesh: Tessellation) -> PointCloudKind:
    """The kind of a closed solid, from its exact faces and its triangles."""
    if mesh.bare or not len(mesh.corners) or not is_closed(solid):
        return "unknown"
    if is_block(solid, mesh):
        return "box"
    return "container" if is_container(solid, mesh) else "unknown"


def is_block(solid: TopoDS_Shape, mesh: Tessellation) -> bool:
    """Whether the boundary lies in the six planes of a rectangular block."""
    if any(kind not in _PLANAR for kind in mesh.kinds):
        return False
    _, normals, corners = _facets(mesh)
    axes = _right_angled(normals)
    if axes is None or not _six_planes(normals, corners, axes, DISTANCE * mesh.size):
        return False
    freeform = (face for face, kind in zip(faces_of(solid), mesh.kinds, strict=True) if kind == FREEFORM)
    return all(_is_flat(face, DISTANCE * mesh.size) for face in freeform)


def _facets(mesh: Tessellation) -> tuple[Integers, Floats, Floats]:
    """Numbers, unit normals and corners of the triangles, largest first, without slivers, whose normals mean nothing."""
    areas = mesh.areas
    order = np.argsort(-areas, kind="stable")
    triangles = order[areas[order] > (DISTANCE * mesh.size) ** 2]
    corners = mesh.corners[triangles]
    return triangles, normals_of(corners), corners


def _right_angled(normals: Floats) -> Floats | None:
    """The three axes that all normals keep to, from the largest triangle on; None where they do not."""
    first = normals[0]
    across = normals[np.abs(normals @ first) < ANGLE]
    if not len(across):
        return None
    axes = np.stack([first, across[0], cross(first, across[0])])
    along = np.abs(normals @ axes.T)
    return axes if bool(np.all((along < ANGLE) | (along > 1 - ANGLE**2))) else None


def _six_planes(normals: Floats, corners: Floats, axes: Floats, tolerance: float) -> bool:
    """Whether each of the six directions has triangles, all of them in one plane."""
    for axis in (*axes, *-axes):
        heights = corners[normals @ axis > _SAME_SIDE] @ axis
        if not heights.size or np.ptp(heights) > tolerance:
            return False
    return True


def _is_flat(face: TopoDS_Face, tolerance: float) -> bool:
    """Whether a spline is a plane in disguise, as IGES writers like; a face of triangles is as flat as they are."""
    surface = BRep_Tool.Surface_s(face)
    return surface is None or bool(GeomLib_IsPlanarSurface(surface, tolerance).IsPlanar())


def is_container(solid: TopoDS_Shape, mesh: Tessellation) -> bool:
    """Whether exactly one cavity, closed or open at one top, holds more than the solid has material."""
    volumes = signed_volumes(mesh.corners)
    material = float(volumes.sum())
    room = float(np.prod(mesh.sides)) - material
    if material <= 0 or room <= material or len(mesh.kinds) > MOST_FACES:
        return False
    shells, tops = subshapes(solid, TopAbs_SHELL), _tops(mesh)
    if (len(shells) == 1 and not tops) or len(tops) > MOST_TOPS:
        return False
    faces = _Faces(solid)
    holds = _voids(shells, faces, mesh, volumes) + [hold for top in tops for hold in _recesses(faces, mesh, top)]
    return sum(hold > material for hold in holds) == 1


class _Faces:
    """A solid's faces by number, and which of them share an edge."""

    def __init__(self, solid: TopoDS_Shape) -> None:
        self.numbers, edges = TopTools_IndexedMapOfShape(), TopTools_IndexedMapOfShape()
        numbered = [(self.numbers.Add(face) - 1, face) for face in faces_of(solid)]
        self.order = np.array([number for number, _ in numbered])
        along: dict[int, list[int]] = defaultdict(list)
        for number, face in numbered:
            for edge in subshapes(face, TopAbs_EDGE):
                along[edges.Add(edge)].append(number)
        self.neighbours = list(along.values())

    def is_disc(self, number: int) -> bool:
        """Whether a face has one boundary: the rest of a closed shell hangs together without it."""
        return len(subshapes(self.numbers.FindKey(number + 1), TopAbs_WIRE)) == 1

    def of(self, mesh: Tessellation) -> Integers:
        """The face of each triangle, by number."""
        return np.asarray(self.order[mesh.face_of], dtype=np.int64)

    def pieces(self, without: set[int]) -> Integers:
        """The (faces,) connected piece that each face is in, once some faces are taken away."""
        leader = list(range(self.numbers.Extent()))

        def lead(face: int) -> int:
            while leader[face] != face:
                leader[face] = leader[leader[face]]
                face = leader[face]
            return face

        for faces in self.neighbours:
            kept = [lead(face) for face in faces if face not in without]
            for face in kept[1:]:
                leader[lead(face)] = lead(kept[0])
        return np.array([lead(face) for face in range(len(leader))])


def _voids(shells: list[TopoDS_Shape], faces: _Faces, mesh: Tessellation, volumes: Floats) -> list[float]:
    """What each shell encloses that has the material outside of itself."""
    found = []
    for shell in shells:
        own = {faces.numbers.FindIndex(face) - 1 for face in faces_of(shell)}
        inside = -float(volumes[np.isin(faces.of(mesh), list(own))].sum())
        found += [inside] if inside > 0 else []
    return found


def _tops(mesh: Tessellation) -> list[tuple[Floats, float]]:
    """The planes (unit normal, height) that hold a planar face and have the whole body below them."""
    points = mesh.corners.reshape(-1, 3)
    reach = DISTANCE * mesh.size
    outer = points[[int(np.argmax(points @ way)) for way in _WAYS]]
    found: list[tuple[Floats, float]] = []
    for normal, height in _planes(mesh):
        known = any(normal @ other > 1 - ANGLE and abs(height - level) <= reach for other, level in found)
        if known or (outer @ normal).max() > height + reach or (points @ normal).max() > height + reach:
            continue
        found.append((normal, height))
        if len(found) > MOST_TOPS:
            break
    return found


def _planes(mesh: Tessellation) -> list[tuple[Floats, float]]:
    """Normal and height of each planar face, from its largest triangle; in the order of those triangles' size."""
    triangles, normals, corners = _facets(mesh)
    _, largest = np.unique(mesh.face_of[triangles], return_index=True)
    return [
        (normals[place], float(corners[place, 0] @ normals[place]))
        for place in np.sort(largest).tolist()
        if mesh.kinds[mesh.face_of[triangles[place]]] == "plane"
    ]


def _recesses(faces: _Faces, mesh: Tessellation, top: tuple[Floats, float]) -> list[float]:
    """What each recess below a top holds: the volume between its faces and the top."""
    normal, height = top
    in_top = np.abs(mesh.corners @ normal - height).max(axis=1) <= DISTANCE * mesh.size
    numbers = faces.of(mesh)
    lids = set(numbers[in_top].tolist()) - set(numbers[~in_top].tolist())
    if len(lids) == 1 and faces.is_disc(*lids):
        return []
    piece_of = faces.pieces(lids)[numbers]
    below = signed_volumes(mesh.corners - height * normal)
    holds = [-float(below[(piece_of == piece) & ~in_top].sum()) for piece in np.unique(piece_of[~in_top])]
    return [hold for hold in holds if hold > 0]


_STEPS: Final = (-1.0, 0.0, 1.0)
_WAYS: Final = np.array([(x, y, z) for x in _STEPS for y in _STEPS for z in _STEPS if (x, y, z) != (0, 0, 0)])
"""The 26 directions whose farthest points rule out most planes at once."""
