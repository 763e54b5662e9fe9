"""The surface of an object as areas with outward normals, for what depends on the direction of a face alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial.contract.extraction import Face
from spatial.reasoning.scene.model import Array, SceneObject
from spatial.reasoning.shape.body import Body

TURNS: Final = 180
"""Parts of a full turn into which a round face is divided: an area is off by 1/180 of the face at most."""

KNOWN: Final = 0.98
"""Least share of the surface whose normals are known: what is left cannot change which orientation is best by more than 2 %."""


@dataclass(frozen=True, eq=False)
class Surface:
    """Normals (k, 3), areas (k,), and heights (k,) of flat parts along their own normal; NaN for parts that are not flat.

    is_whole: whether it is the whole surface of the object, pockets included.
    """

    normals: Array
    areas: Array
    offsets: Array
    basis: Literal["faces", "shape", "hull"]
    is_whole: bool

    @property
    def area(self) -> float:
        """Total."""
        return float(self.areas.sum())

    def overhang(self, down: Array, steepness: float, lowest: float, reach: float) -> float:
        """The area that needs support when `down`, (3,) unit, points down.

        steepness: sine of the largest angle from the vertical that needs none. lowest: largest down · x, where the bed is.
        """
        facing = self.normals @ down
        on_bed = (facing > 1 - 1e-9) & (np.abs(self.offsets - lowest) <= reach)
        return float(self.areas[(facing > steepness + 1e-6) & ~on_bed].sum())


def surface_of(item: SceneObject, body: Body) -> Surface | None:
    """The surface of an object; None if no part of it is known."""
    found = _of_faces(item)
    if found is not None:
        return found
    if body.hull is None:
        return None
    hull = body.hull
    spans = np.cross(hull.triangles[:, 1] - hull.triangles[:, 0], hull.triangles[:, 2] - hull.triangles[:, 0])
    offsets = np.einsum("ij,ij->i", hull.normals, hull.triangles[:, 0])
    whole = body.is_exact or (body.fills_hull and not item.faces)
    basis: Literal["shape", "hull"] = "shape" if body.is_exact else "hull"
    return Surface(hull.normals, np.linalg.norm(spans, axis=1) / 2, offsets, basis, whole)


def _of_faces(item: SceneObject) -> Surface | None:
    rows = [row for face in item.faces for row in _parts(face)]
    total = item.surface_area or sum(face.area or 0.0 for face in item.faces)
    if not rows or not total or sum(area for _, area, _ in rows) < KNOWN * total:
        return None
    normals, areas, offsets = (np.array(column) for column in zip(*rows, strict=True))
    return Surface(normals, areas, offsets, "faces", True)


def _parts(face: Face) -> Iterator[tuple[Array, float, float]]:
    """Normal, area and offset of the parts of a face; none for a face whose normals are unknown.

    A round face is taken as a full turn, half of it facing each way, which the document does not say.
    """
    if not face.area:
        return
    if face.type == "plane" and face.normal is not None and face.origin is not None:
        normal = np.array(face.normal)
        yield normal, face.area, float(normal @ np.array(face.origin))
    elif face.type in ("cylinder", "cone") and face.axis is not None:
        tilt = np.radians(face.half_angle or 0.0) if face.type == "cone" else 0.0
        for normal in _ring(np.array(face.axis), tilt):
            yield normal, face.area / TURNS, np.nan
    elif face.type == "sphere":
        for normal in _sphere():
            yield normal, face.area / TURNS, np.nan


def _ring(axis: Array, tilt: float) -> Array:
    """(TURNS, 3) unit vectors around an axis, inclined by a tilt from the plane across it."""
    unit = axis / np.linalg.norm(axis)
    right = np.cross(unit, np.eye(3)[int(np.argmin(np.abs(unit)))])
    right = right / np.linalg.norm(right)
    turns = (np.arange(TURNS) + 0.5) * 2 * np.pi / TURNS
    around = np.outer(np.cos(turns), right) + np.outer(np.sin(turns), np.cross(unit, right))
    found: Array = around * np.cos(tilt) - unit * np.sin(tilt)
    return found


def _sphere() -> Array:
    """(TURNS, 3) unit vectors spread evenly: the spiral of the golden angle."""
    heights = 1 - (2 * np.arange(TURNS) + 1) / TURNS
    turns = np.arange(TURNS) * np.pi * (3 - np.sqrt(5))
    radii = np.sqrt(1 - heights**2)
    return np.column_stack([radii * np.cos(turns), radii * np.sin(turns), heights])
