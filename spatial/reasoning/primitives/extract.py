"""Extract primitives from a cloud, the one with the most inliers first, until too few points are left.

All candidates are compared once; a candidate that is taken loses its inliers to the surface (Schnabel et al. 2007, without their octree:
clouds have some thousand points). A more general kind has to explain more points than a simpler one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.reasoning.primitives.candidates import LARGEST_RADIUS, NARROWEST, propose
from spatial.reasoning.primitives.cloud import Cloud
from spatial.reasoning.primitives.refine import refine
from spatial.reasoning.primitives.surfaces import Kind, Surface, Surfaces, batch_alignment, batch_distances
from spatial.reasoning.scene.model import Array

TOLERANCE_NOISE: Final = 3.5
"""Tolerance in standard deviations: 1 of 2,000 points of a Gaussian lies beyond."""

TOLERANCE_LEAST: Final = 3e-3
"""Smallest tolerance, in scales: above the chords of tessellated surfaces, a thousandth of the diagonal."""

TOLERANCE_MOST: Final = 0.1
"""Largest tolerance, in scales: beyond it, every surface fits."""

COARSE: Final = 0.06
"""Distance at which candidates are compared, in scales: their parameters come from two or three noisy normals."""

ALIGNED: Final = np.cos(np.radians(25))
"""Cosine between the normal of a point and that of a candidate."""

CROSSING: Final = np.cos(np.radians(60))
"""A point next to an edge has a normal between those of two faces, and still belongs to one of them; a point of another face that the
surface crosses is turned further."""

LEAST_POINTS: Final = 24
"""Fewest inliers of a primitive."""

LEAST_SHARE: Final = 0.01
"""Fewest inliers of a primitive, as a part of the cloud."""

DENSE: Final = 0.55
"""Part of the nearest points of the inliers that are on the surface too: less where the surface only cuts through others."""

DENSE_POINTS: Final = 6
"""A point and its nearest ones, of which DENSE is asked."""

CLOSE: Final = 0.75
"""Least mean of 1 - (distance / tolerance)^2 over the inliers: 0.92 for noise, 0.67 for a surface that passes through at an angle."""

MOST_PRIMITIVES: Final = 24
"""Most primitives of one cloud: with a hundredth of the points each, more would not be told from chance."""

MOST_REFUSED: Final = 6
"""Most candidates of one kind that may fail in one round."""

HOPE: Final = 1.5
"""Factor by which refinement may improve a candidate: a kind that cannot pass the best found so far is not refined."""

PREFERENCE: Final[Mapping[Kind, float]] = {"plane": 1.0, "sphere": 0.8, "cylinder": 0.75, "cone": 0.65}
"""Factor on the score of each kind, since a more general one can follow several simpler ones at once, as a cylinder two planes."""

POINTS_COMPARED: Final = 768
"""Points on which candidates are compared."""

POINTS_REFINED: Final = 512
"""Points of the coarse steps of refinement."""

COARSE_STEPS: Final = 3
"""Gauss-Newton steps where the inliers change anyway, or hardly change."""

COMPARABLE: Final = 0.25
"""Noise in spacings, from which on neighbours tell too little of it: the nearest ones are those that deviate in the same direction."""

WIDENED: Final = 1.4
"""Factor by which a surface may widen the tolerance where the noise is comparable with the spacing."""


@dataclass(frozen=True, eq=False)
class Primitive:
    """A surface and its points. inliers: indices into the cloud; tolerance: in scales."""

    surface: Surface
    inliers: NDArray[np.int64]
    tolerance: float

    def residual(self, cloud: Cloud) -> float:
        """Root mean square distance of the inliers, in scales."""
        return float(np.sqrt((self.surface.distances(cloud.points[self.inliers]) ** 2).mean()))


def tolerance_of(cloud: Cloud) -> float:
    """Distance up to which a point counts as on a surface, in scales."""
    return float(np.clip(TOLERANCE_NOISE * cloud.noise, TOLERANCE_LEAST, TOLERANCE_MOST))


def extract(cloud: Cloud, tolerance: float | None, seed: int) -> list[Primitive]:
    """The primitives, the largest first. tolerance: in scales; None to take it from the noise."""
    search = _Search(cloud, tolerance or tolerance_of(cloud), propose(cloud, np.random.default_rng(seed)))
    found: list[_Found] = []
    while len(found) < MOST_PRIMITIVES and (best := search.best()) is not None:
        found.append(best)
    return _assigned(cloud, found)


@dataclass(frozen=True, eq=False)
class _Found:
    """A surface, the points that it takes, and its tolerance in scales."""

    surface: Surface
    inliers: NDArray[np.bool_]
    tolerance: float
    score: float


class _Search:
    """Candidates with the points that speak for them, and the points that are still free."""

    def __init__(self, cloud: Cloud, tolerance: float, proposed: list[Surfaces]) -> None:
        self._cloud = cloud
        self._tolerance = tolerance
        self._proposed = proposed
        self._free = np.ones(len(cloud), bool)
        self._least = max(LEAST_POINTS, LEAST_SHARE * len(cloud))
        self._compared = np.linspace(0, len(cloud) - 1, min(POINTS_COMPARED, len(cloud))).astype(int)
        self._support = [self._supporters(each) for each in proposed]

    def _supporters(self, surfaces: Surfaces) -> NDArray[np.float32]:
        """(m, n) 1 where a point is next to a candidate and faces the same way."""
        points, normals = self._cloud.points[self._compared], self._cloud.normals[self._compared]
        away, rho = batch_distances(surfaces.kind, surfaces.point, surfaces.axis, surfaces.size, points)
        near = np.abs(away) <= max(COARSE, self._tolerance)
        agrees = batch_alignment(surfaces, points, normals, rho) >= ALIGNED
        return np.asarray(near & agrees, dtype=np.float32)

    def best(self) -> _Found | None:
        """The surface with the most free points, which it takes; None if none has enough."""
        best: _Found | None = None
        value = 0.0
        hopes = [self._hope(place) for place in range(len(self._proposed))]
        for place in sorted(range(len(hopes)), key=lambda place: -hopes[place]):
            if HOPE * hopes[place] <= value:
                break
            found = self._best_of(place)
            if found is not None and PREFERENCE[found.surface.kind] * found.score > value:
                best, value = found, PREFERENCE[found.surface.kind] * found.score
        if best is not None:
            self._free &= ~self._near(best.surface, best.tolerance, CROSSING)
        return best

    def _counts(self, place: int) -> NDArray[np.float32]:
        """Of each candidate of a kind, the free points of the whole cloud that speak for it, estimated from those compared."""
        if not len(self._proposed[place]):
            return np.zeros(1, np.float32)
        free = self._free[self._compared].astype(np.float32)
        return np.asarray(self._support[place] @ free * (len(self._cloud) / len(self._compared)), dtype=np.float32)

    def _hope(self, place: int) -> float:
        """The preference times the points of the best candidate of a kind, before refinement."""
        return PREFERENCE[self._proposed[place].kind] * float(self._counts(place).max())

    def _best_of(self, place: int) -> _Found | None:
        """The best candidate of one kind, after refinement."""
        surfaces, support = self._proposed[place], self._support[place]
        for _ in range(MOST_REFUSED):
            counts = self._counts(place)
            best = int(np.argmax(counts))
            if counts[best] < self._least:
                return None
            found = self._refined(surfaces[best])
            if found is not None:
                return found
            support[best] = 0
        return None

    def _refined(self, surface: Surface) -> _Found | None:
        """A candidate after refinement with its inliers; None if it does not stand."""
        for reach in (COARSE, COARSE / 3):
            chosen = self._near(surface, max(reach, self._tolerance), ALIGNED)
            some = self._cloud.points[chosen]
            if len(some) < self._least:
                return None
            surface = refine(surface, some[:: max(1, len(some) // POINTS_REFINED)], COARSE_STEPS)
        tolerance = self._own_tolerance(surface)
        chosen = self._near(surface, tolerance, ALIGNED)
        if chosen.sum() < self._least or not _is_plausible(surface) or not self._is_dense(surface, chosen, tolerance):
            return None
        surface = self._settled(surface, self._cloud.points[chosen])
        closeness, score = self._scored(surface, chosen, tolerance)
        return _Found(surface, chosen, tolerance, score) if closeness >= CLOSE else None

    def _settled(self, surface: Surface, points: Array) -> Surface:
        """The surface of some of its inliers, then of all."""
        some = points[:: max(1, len(points) // POINTS_REFINED)]
        return refine(refine(surface, some), points, 2) if len(some) < len(points) else refine(surface, points)

    def _scored(self, surface: Surface, chosen: NDArray[np.bool_], tolerance: float) -> tuple[float, float]:
        """How close the inliers are, on average; and the sum of their closeness, each weighted by how well its normal agrees."""
        points, normals = self._cloud.points[chosen], self._cloud.normals[chosen]
        close = 1 - np.minimum(surface.distances(points) / tolerance, 1) ** 2
        cosine = np.abs((surface.normals(points) * normals).sum(axis=1))
        agreed = np.clip((cosine - ALIGNED) / (1 - ALIGNED), 0, 1)
        return float(close.mean()), float((close * agreed).sum())

    def _own_tolerance(self, surface: Surface) -> float:
        """The cloud's, widened to the deviations that the inliers of the surface have."""
        if self._cloud.noise < COMPARABLE * self._cloud.spacing:
            return self._tolerance
        away = np.abs(surface.distances(self._cloud.points[self._near(surface, WIDENED * self._tolerance, ALIGNED)]))
        inner = away[away <= self._tolerance]
        noise = np.sqrt((inner**2).mean()) if len(inner) else 0.0
        return float(np.clip(TOLERANCE_NOISE * noise, self._tolerance, WIDENED * self._tolerance))

    def _near(self, surface: Surface, reach: float, cosine: float) -> NDArray[np.bool_]:
        """Which free points are next to a surface and face the same way."""
        points, normals = self._cloud.points, self._cloud.normals
        near = self._free & (np.abs(surface.distances(points)) <= reach)
        places = np.flatnonzero(near)
        near[places] = np.abs((surface.normals(points[places]) * normals[places]).sum(axis=1)) >= cosine
        return near

    def _is_dense(self, surface: Surface, chosen: NDArray[np.bool_], tolerance: float) -> bool:
        on_surface = np.abs(surface.distances(self._cloud.points)) <= tolerance
        return bool(on_surface[self._cloud.neighbours[chosen, :DENSE_POINTS]].mean() >= DENSE)


def _is_plausible(surface: Surface) -> bool:
    if surface.kind in ("sphere", "cylinder"):
        return 0 < surface.size < LARGEST_RADIUS
    return surface.kind == "plane" or surface.size > NARROWEST


def _assigned(cloud: Cloud, found: list[_Found]) -> list[Primitive]:
    """Every point to its nearest surface within the tolerance, among those whose normal it has; then each surface once more."""
    primitives = []
    for place, points in _members(cloud, found):
        surface = refine(found[place].surface, cloud.points[points], COARSE_STEPS)
        primitives.append(Primitive(surface, points, found[place].tolerance))
    return sorted(primitives, key=lambda each: -len(each.inliers))


def _members(cloud: Cloud, found: list[_Found]) -> list[tuple[int, NDArray[np.int64]]]:
    if not found:
        return []
    points, normals = cloud.points, cloud.normals
    away = np.abs(np.array([each.surface.distances(points) / each.tolerance for each in found]))
    turned = 1 - np.array([np.abs((each.surface.normals(points) * normals).sum(axis=1)) for each in found])
    owner = np.argmin(np.where(away <= 1, away + turned, np.inf), axis=0)
    is_near = away[owner, np.arange(len(cloud))] <= 1
    sets = [np.flatnonzero(is_near & (owner == place)) for place in range(len(found))]
    return [(place, points) for place, points in enumerate(sets) if len(points) >= LEAST_POINTS]


def explained(cloud: Cloud, primitives: list[Primitive]) -> float:
    """Part of the cloud's points that are inliers of a primitive."""
    return sum(len(each.inliers) for each in primitives) / len(cloud)


def own_frame(surface: Surface, cloud: Cloud) -> tuple[Array, Array, float]:
    """Point, axis and size of a surface in the units and frame of the input; the angle of a cone as it is."""
    size = surface.size if surface.kind == "cone" else surface.size * cloud.scale
    return surface.point * cloud.scale + cloud.centre, surface.axis, size
