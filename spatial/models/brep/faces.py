"""The faces of a body as the document lists them, for any number of its instances."""

from __future__ import annotations

from functools import cached_property
from math import isfinite
from typing import Any, Final

import numpy as np

from spatial.contract.extraction import Face
from spatial.geometry import rounding
from spatial.geometry.placement import Placement
from spatial.geometry.quadrature import Array
from spatial.models.brep.body import Body
from spatial.models.brep.mass import Mass

_LENGTHS: Final = ("radius", "major_radius", "minor_radius")
_VECTORS: Final = ("origin", "axis", "normal")


class FaceTable:
    """Areas and analytic parameters of a body's faces, as arrays that an instance transforms at once."""

    def __init__(self, body: Body, mass: Mass) -> None:
        self._body = body
        self._mass = mass
        self._scaled: dict[float, list[dict[str, Any]]] = {}

    def faces(self, place: Placement, places: int, outward: float) -> list[Face]:
        """Faces of an instance, in document units; positions to so many decimals.

        outward: -1 where the body is inside out, so that planes' normals point out of the material all the same.
        """
        rows = [dict(row) for row in self._at_scale(place.factor, outward)]
        for name, (index, vectors) in self._vectors.items():
            if name == "origin":
                placed = rounding.positions(place.points(vectors), places)
            else:
                turned = place.directions(vectors)
                placed = rounding.positions(turned * outward if name == "normal" else turned, rounding.DIGITS)
            for at, vector in zip(index, placed, strict=True):
                if all(map(isfinite, vector)):
                    rows[at][name] = vector
        return [Face(**row) for row in rows]

    @cached_property
    def _vectors(self) -> dict[str, tuple[list[int], Array]]:
        """For each vector parameter, the faces that have it, and their vectors (n, 3)."""
        found = {}
        for name in _VECTORS:
            index = [n for n, face in enumerate(self._body.faces) if name in face.parameters]
            signs = [self._body.faces[n].sign if name == "normal" else 1.0 for n in index]
            vectors = np.array([self._body.faces[n].parameters[name] for n in index]).reshape(-1, 3)
            found[name] = index, vectors * np.array(signs)[:, None]
        return found

    def _at_scale(self, factor: float, outward: float) -> list[dict[str, Any]]:
        """What does not depend on where an instance stands."""
        if factor not in self._scaled:
            self._scaled[factor] = [self._row(number, factor, outward) for number in range(len(self._body.faces))]
        return self._scaled[factor]

    def _row(self, number: int, factor: float, outward: float) -> dict[str, Any]:
        face, area = self._body.faces[number], self._mass.areas[number]
        row: dict[str, Any] = {"id": f"face-{number + 1}", "type": face.type}
        if face.canonical:
            deviation = rounding.significant(face.canonical.fitted.deviation * factor)
            row |= {"modelled_as": face.kind, "recognised": True, "deviation": deviation}
        if face.bulge:
            row["curvature"] = "convex" if face.bulge * outward > 0.0 else "concave"
        if area is not None:
            row["area"] = rounding.significant(area * factor**2)
        for name, value in face.parameters.items():
            if name not in _VECTORS and not isfinite(value):
                continue
            if name in _LENGTHS:
                row[name] = rounding.significant(value * factor)
            elif name == "half_angle":
                row[name] = rounding.significant(value)
        return row
