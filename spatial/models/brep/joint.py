"""Several bodies whose faces and curves are counted through, so that the arrays of each step of a measurement hold all of them.

The arrays of a small body hold a few numbers each, and numpy takes ten times as long for a call as for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from spatial.geometry.curves import Group, counted_through, samples
from spatial.geometry.integrals import Coedges
from spatial.geometry.quadrature import Array, Index
from spatial.models.brep.body import Body, BodyFace


@dataclass(frozen=True)
class Normalisation:
    """Brings a body to the size of 1 around the origin, where errors are absolute and cancellation is least."""

    origin: Array
    length: float

    @property
    def factor(self) -> float:
        """From millimetres."""
        return 1.0 / self.length


@dataclass(frozen=True)
class JointBodies:
    """Bodies, each brought to the size of 1 by itself."""

    bodies: Sequence[Body]
    places: list[Normalisation]
    faces: list[BodyFace]
    """Of all bodies, one body after the other."""
    owner: list[int]
    """The body of each face."""
    first_face: list[int]
    """The number of the first face of each body, and how many there are."""
    first_curve: list[int]
    """The number of the first curve of each body, and how many there are."""
    groups: list[Group]
    """The edges' curves, normalised."""

    @property
    def curve_count(self) -> int:
        """How many curves there are."""
        return self.first_curve[-1]

    def place(self, face: int) -> Normalisation:
        """That of a face."""
        return self.places[self.owner[face]]

    def origins(self, faces: list[int]) -> Array:
        """(n, 3) of some faces."""
        return np.array([self.place(face).origin for face in faces])

    def factors(self, faces: list[int]) -> Array:
        """(n, 1) of some faces."""
        return np.array([[self.place(face).factor] for face in faces])

    def each(self) -> Iterator[tuple[Body, Normalisation, slice, slice]]:
        """Every body with its place, its faces and its curves."""
        for number, (body, place) in enumerate(zip(self.bodies, self.places, strict=True)):
            faces, curves = (slice(*first[number : number + 2]) for first in (self.first_face, self.first_curve))
            yield body, place, faces, curves

    def edges_of(self, faces: list[int]) -> Index:
        """The curve of every coedge of some faces, in their order; -1 of one that is a point."""
        return np.array(
            [
                -1 if coedge.curve is None else coedge.curve + self.first_curve[self.owner[n]]
                for n in faces
                for coedge in self.faces[n].coedges
            ],
            dtype=np.intp,
        )

    def in_space(self, faces: list[int]) -> Coedges:
        """The edges in space around some faces, which are counted from 0 in the given order."""
        return coedges_of(
            [
                (coedge.curve + self.first_curve[self.owner[n]], at, coedge.sign)
                for at, n in enumerate(faces)
                for coedge in self.faces[n].coedges
                if coedge.curve is not None
            ]
        )


def joint(bodies: Sequence[Body]) -> JointBodies:
    """Bodies, counted through."""
    places = [normalisation(body) for body in bodies]
    first_curve = [0, *accumulate(body.edges.count for body in bodies)]
    placed = [
        [group.placed(place.origin, place.factor) for group in body.groups]
        for body, place in zip(bodies, places, strict=True)
    ]
    return JointBodies(
        bodies=bodies,
        places=places,
        faces=[face for body in bodies for face in body.faces],
        owner=[number for number, body in enumerate(bodies) for _ in body.faces],
        first_face=[0, *accumulate(len(body.faces) for body in bodies)],
        first_curve=first_curve,
        groups=counted_through(placed, first_curve[:-1]),
    )


def normalisation(body: Body) -> Normalisation:
    """From the middle and the rough size of what edges and triangles run through."""
    points = [samples(group, 3).reshape(-1, 3) for group in body.groups]
    points += [face.triangles.reshape(-1, 3) for face in body.faces if face.triangles is not None]
    if not points:
        return Normalisation(np.zeros(3), 1.0)
    every = np.concatenate(points)
    low, high = every.min(axis=0), every.max(axis=0)
    return Normalisation((low + high) / 2.0, float(np.linalg.norm(high - low)) or 1.0)


def coedges_of(rows: list[tuple[int, int, float]]) -> Coedges:
    """Coedges from curve, face and sign of each."""
    curve, face, sign = zip(*rows, strict=True) if rows else ((), (), ())
    return Coedges(np.array(curve, dtype=np.intp), np.array(face, dtype=np.intp), np.array(sign, dtype=float))
