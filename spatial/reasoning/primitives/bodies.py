"""Closed primitives: box, cylinder, sphere, cone and frustum, fitted to all points of a cloud at once.

A body is convex, so that the signed distance of a point next to it is the largest of those to its faces. Its parameters are fitted by
Gauss-Newton; their covariance gives the standard error of the volume.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from spatial.reasoning.primitives.cloud import Cloud
from spatial.reasoning.primitives.extract import CLOSE, TOLERANCE_LEAST, Primitive
from spatial.reasoning.primitives.surfaces import Kind, Surface
from spatial.reasoning.scene.model import Array

BodyKind = Literal["box", "cylinder", "sphere", "cone", "frustum"]

STEPS: Final = 8
"""Gauss-Newton steps; the assignment of points to faces settles in the first few."""

LAST_STEPS: Final = 3
"""Gauss-Newton steps with all points."""

POINTS_FITTED: Final = 400
"""Points of the first steps."""

ROUGHLY_EXPLAINED: Final = 0.85
"""Part of these points that lie within twice the tolerance, before all points are asked."""

CLUSTER_NEIGHBOURS: Final = 6
"""A point and its nearest ones, among which others off the body are looked for."""

CLUSTER_BESIDE: Final = 2
"""Others off the body among the nearest 5: of 3 % outliers, one point in 120 has so many."""

CLUSTER_LEAST: Final = 5
"""Points with others beside them that are a surface of their own."""

CONVERGED: Final = 1e-10
"""Change of the parameters, in scales of the cloud, at which the steps end."""

DIFFERENCE: Final = 1e-6
"""Step of the numeric derivatives, in scales: the root of the precision of float64, enlarged."""

EXPLAINED: Final = 0.97
"""Part of the points that lie on the body; the rest may be outliers."""

FACE_SHARE: Final = 0.25
"""Least points of each face, as a part of those that its area promises; a face that was not measured has fewer."""

EXPECTED_LEAST: Final = 12
"""A face that has fewer points by its area is not required: none of 12 is chance in one of 100,000 clouds."""

SECTORS: Final = 12
"""Sectors of a round face that need points: a face that was measured from one side has empty ones."""

STANDARD_ERRORS: Final = 3
"""Standard errors of the bound on the volume: 99.7 % for Gaussian noise."""

ROUND_SHARE: Final = 0.4
"""Part of the points on round surfaces, from which on the body is no box and no disc; noise makes few points of a box look round."""

PERPENDICULAR: Final = 0.1
"""Largest cosine between the normals of adjacent sides of a box, before the fit makes them perpendicular."""


@dataclass(frozen=True, eq=False)
class Body:
    """A closed primitive in the cloud's frame.

    origin: (3,) centre of the bounding box of the body in its own frame.
    frame: (3, 3) its axes as columns; the axis of rotation is the last one.
    sizes: box (x, y, z), cylinder (radius, height), sphere (radius), cone (radius, height), frustum (radius, radius on top, height).
    """

    kind: BodyKind
    origin: Array
    frame: Array
    sizes: Array

    def local(self, points: Array) -> Array:
        """(n, 3) in the body's own frame."""
        return (points - self.origin) @ self.frame

    def faces(self, points: Array) -> Array:
        """(n, m) signed distances to the unbounded faces, positive outside."""
        return _FACES[self.kind](self.local(points), self.sizes)

    def distances(self, points: Array) -> Array:
        """(n,) signed distances, positive outside."""
        if self.kind == "box":
            return np.asarray(np.maximum.reduce((np.abs(self.local(points)) - self.sizes / 2).T))
        return np.asarray(np.maximum.reduce(self.faces(points).T))

    @property
    def volume(self) -> float:
        """In cubes of the scale."""
        return _VOLUMES[self.kind](self.sizes)

    @property
    def areas(self) -> Array:
        """Of the faces, in the order of `faces`."""
        return np.array(_AREAS[self.kind](self.sizes))


@dataclass(frozen=True, eq=False)
class BodyFit:
    """A body, how well the points lie on it, and why it is not accepted (None if it is).

    residual: root mean square distance of the points on it, in scales. volume_error: in cubes of the scale.
    """

    body: Body
    residual: float
    explained: float
    volume_error: float
    problem: str | None = None


def fit_bodies(cloud: Cloud, primitives: Sequence[Primitive], tolerance: float) -> BodyFit | None:
    """The body that all points lie on, or the best that its faces do not all have points of; None if the points lie on none."""
    fits = [_fitted(start, cloud, tolerance) for start in _starts(cloud, primitives)]
    whole = [fit for fit in fits if fit is not None]
    return min(whole, key=lambda fit: (fit.problem is not None, fit.residual), default=None)


def _starts(cloud: Cloud, primitives: Sequence[Primitive]) -> Iterator[Body]:
    """First guesses from the largest primitive of each kind."""
    first: dict[Kind, Surface] = {}
    for each in primitives:
        first.setdefault(each.surface.kind, each.surface)
    planes = [each.surface for each in primitives if each.surface.kind == "plane"]
    round_share = sum(len(each.inliers) for each in primitives if each.surface.kind != "plane") / len(cloud)
    if planes and round_share < ROUND_SHARE:
        yield _box(cloud, _box_axes(planes, cloud))
        yield _round("cylinder", cloud, planes[0].axis, None)
    if "sphere" in first:
        yield Body("sphere", first["sphere"].point, np.eye(3), np.array([first["sphere"].size]))
    if "cylinder" in first:
        yield _round("cylinder", cloud, first["cylinder"].axis, first["cylinder"])
    if "cone" in first:
        yield _round("cone", cloud, -first["cone"].axis, first["cone"])
        yield _round("frustum", cloud, -first["cone"].axis, first["cone"])


def _box_axes(planes: Sequence[Surface], cloud: Cloud) -> Array:
    """(3, 3) the normals of two adjacent sides and their product; one side alone is turned to the smallest rectangle."""
    first = planes[0].axis
    second = next((each.axis for each in planes if abs(each.axis @ first) < PERPENDICULAR), None)
    frame = _frame(first)
    if second is not None:
        second = second - (second @ first) * first
        second = second / np.linalg.norm(second)
        return np.column_stack([second, np.cross(first, second), first])
    flat = cloud.points @ frame[:, :2]
    with contextlib.suppress(QhullError):  # of points that are on one line in this view, all are turned
        flat = flat[ConvexHull(flat).vertices]
    angles = np.linspace(0, np.pi / 2, 90, endpoint=False)
    turned = np.array([_area_of_box(flat, angle) for angle in angles])
    angle = angles[int(np.argmin(turned))]
    across = np.cos(angle) * frame[:, 0] + np.sin(angle) * frame[:, 1]
    return np.column_stack([across, np.cross(first, across), first])


def _area_of_box(flat: Array, angle: float) -> float:
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return float(np.prod(np.ptp(flat @ turn, axis=0)))


def _box(cloud: Cloud, frame: Array) -> Body:
    local = cloud.points @ frame
    low, high = local.min(axis=0), local.max(axis=0)
    return Body("box", frame @ ((low + high) / 2), frame, high - low)


def _round(kind: BodyKind, cloud: Cloud, axis: Array, surface: Surface | None) -> Body:
    """A body of rotation between the outermost points along the axis."""
    frame = _frame(axis)
    local = cloud.points @ frame
    low, high = local[:, 2].min(), local[:, 2].max()
    on_axis = (
        (local[:, :2].min(axis=0) + local[:, :2].max(axis=0)) / 2 if surface is None else (surface.point @ frame)[:2]
    )
    origin = frame @ np.array([*on_axis, (low + high) / 2])
    if kind == "cylinder":
        radius = float(np.linalg.norm(local[:, :2] - on_axis, axis=1).max()) if surface is None else surface.size
        return Body(kind, origin, frame, np.array([radius, high - low]))
    assert surface is not None
    slope = np.tan(surface.size)
    apex = float((surface.point @ frame)[2])
    if kind == "cone":
        origin = frame @ np.array([*on_axis, (low + apex) / 2])
        return Body(kind, origin, frame, np.array([max(apex - low, 0) * slope, abs(apex - low)]))
    return Body(kind, origin, frame, np.array([max(apex - low, 0) * slope, max(apex - high, 0) * slope, high - low]))


def _fitted(body: Body, cloud: Cloud, tolerance: float) -> BodyFit | None:
    """The body after the fit; None if the points do not lie on it."""
    some = cloud.points[:: max(1, len(cloud) // POINTS_FITTED)]
    settled = _settled(body, some, tolerance, STEPS)
    if settled is None or (np.abs(settled.distances(some)) <= 2 * tolerance).mean() < ROUGHLY_EXPLAINED:
        return None
    settled = _settled(settled, cloud.points, tolerance, LAST_STEPS)
    if settled is None:
        return None
    body = settled
    distances = body.distances(cloud.points)
    on_body = np.abs(distances) <= tolerance
    if on_body.mean() < EXPLAINED or holds_cluster(cloud, ~on_body):
        return None
    residual = float(np.sqrt((distances[on_body] ** 2).mean()))
    if tolerance > TOLERANCE_LEAST and 1 - (residual / tolerance) ** 2 < CLOSE:
        return None
    points = cloud.points[on_body]
    return BodyFit(body, residual, float(on_body.mean()), _volume_error(body, points, residual), _missing(body, points))


def _settled(body: Body, points: Array, tolerance: float, steps: int) -> Body | None:
    """The body of least squares; None if a size becomes negative."""
    for _ in range(steps):
        if (body.sizes <= 0).any():
            return None
        jacobian, residuals = _derivatives(body, points)
        away = np.abs(residuals)
        close = away <= max(4 * tolerance, float(np.quantile(away, EXPLAINED)))
        step = np.linalg.lstsq(jacobian[close], -residuals[close], rcond=1e-9)[0]
        body = _moved(body, np.clip(step, -1, 1))
        if np.abs(step).max() < CONVERGED:
            break
    return None if (body.sizes <= 0).any() else body


def holds_cluster(cloud: Cloud, off: NDArray[np.bool_]) -> bool:
    """Whether points off a body lie side by side, as on the wall of a hole; outliers lie apart."""
    beside = off[cloud.neighbours[:, 1:CLUSTER_NEIGHBOURS]].sum(axis=1) >= CLUSTER_BESIDE
    return bool((off & beside).sum() >= CLUSTER_LEAST)


def _missing(body: Body, points: Array) -> str | None:
    """Why the points do not cover the body; None if they do."""
    owner = body.faces(points).argmax(axis=1)
    areas = body.areas
    expected = areas / areas.sum() * len(points)
    counts = np.bincount(owner, minlength=len(areas))
    lacking = (expected >= EXPECTED_LEAST) & (counts < FACE_SHARE * expected)
    if lacking.any():
        return f"{int(lacking.sum())} of its {len(areas)} faces have too few points"
    local = body.local(points)
    if body.kind == "box":
        return None
    side = local[owner == 0]
    if _has_gap(np.arctan2(side[:, 1], side[:, 0])) or (body.kind == "sphere" and not _is_around(local)):
        return "its round face has parts without points"
    return None


def _has_gap(angles: Array) -> bool:
    """Whether a sector has no points."""
    sectors = np.floor((angles / (2 * np.pi) + 0.5) * SECTORS).astype(int) % SECTORS
    return bool((np.bincount(sectors, minlength=SECTORS) == 0).any())


def _is_around(local: Array) -> bool:
    """Whether points on a sphere lie in every octant of two frames, whose corners differ."""
    turn = np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3
    octants = [np.unique((local @ frame > 0) @ np.array([1, 2, 4])) for frame in (np.eye(3), turn)]
    return all(len(found) == 8 for found in octants)


def _volume_error(body: Body, points: Array, noise: float) -> float:
    """STANDARD_ERRORS of the volume, by the covariance of the sizes, and the bias at edges.

    The distance to the farther of two faces is positive on average within one deviation of their edge: E max(a, b) = noise / sqrt(pi).
    """
    jacobian, _ = _derivatives(body, points)
    sizes = noise**2 * np.linalg.pinv(jacobian.T @ jacobian)[6:, 6:]
    steps = np.eye(len(body.sizes)) * DIFFERENCE
    slope = np.array([(replace(body, sizes=body.sizes + step).volume - body.volume) / DIFFERENCE for step in steps])
    return float(STANDARD_ERRORS * np.sqrt(slope @ sizes @ slope)) + _EDGES[body.kind](body.sizes) * noise**2


def _derivatives(body: Body, points: Array) -> tuple[Array, Array]:
    """Of the distances, by origin, rotation and sizes; and the distances."""
    base = body.distances(points)
    count = 6 + len(body.sizes)
    columns = [(_moved(body, row).distances(points) - base) / DIFFERENCE for row in np.eye(count) * DIFFERENCE]
    return np.column_stack(columns), base


def _moved(body: Body, step: Array) -> Body:
    angle = float(np.linalg.norm(step[3:6]))
    frame = body.frame @ _rotation(step[3:6] / angle, angle) if angle > 0 else body.frame
    return Body(body.kind, body.origin + step[:3], frame, body.sizes + step[6:])


def _rotation(axis: Array, angle: float) -> Array:
    """(3, 3) by Rodrigues' formula."""
    x, y, z = axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    found: Array = np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * (skew @ skew)
    return found


def _frame(axis: Array) -> Array:
    """(3, 3) with the axis as last column."""
    axis = axis / np.linalg.norm(axis)
    first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    first = first / np.linalg.norm(first)
    return np.column_stack([first, np.cross(axis, first), axis])


def _box_faces(q: Array, sizes: Array) -> Array:
    return np.hstack([q - sizes / 2, -q - sizes / 2])


def _cylinder_faces(q: Array, sizes: Array) -> Array:
    rho = np.hypot(q[:, 0], q[:, 1])
    return np.column_stack([rho - sizes[0], q[:, 2] - sizes[1] / 2, -q[:, 2] - sizes[1] / 2])


def _sphere_faces(q: Array, sizes: Array) -> Array:
    return np.asarray((np.linalg.norm(q, axis=1) - sizes[0])[:, None])


def _cone_faces(q: Array, sizes: Array) -> Array:
    return _frustum_faces(q, np.array([sizes[0], 0.0, sizes[1]]))[:, :2]


def _frustum_faces(q: Array, sizes: Array) -> Array:
    bottom, top, height = sizes
    rho = np.hypot(q[:, 0], q[:, 1])
    radius = bottom + (top - bottom) * (q[:, 2] / height + 0.5)
    slant = np.hypot(height, bottom - top)
    return np.column_stack([(rho - radius) * height / slant, -q[:, 2] - height / 2, q[:, 2] - height / 2])


def _frustum_volume(bottom: float, top: float, height: float) -> float:
    return float(np.pi * height / 3 * (bottom**2 + bottom * top + top**2))


def _frustum_areas(bottom: float, top: float, height: float) -> list[float]:
    side = np.pi * (bottom + top) * np.hypot(height, bottom - top)
    return [float(side), float(np.pi * bottom**2), float(np.pi * top**2)]


_FACES: Final[Mapping[BodyKind, Callable[[Array, Array], Array]]] = {
    "box": _box_faces,
    "cylinder": _cylinder_faces,
    "sphere": _sphere_faces,
    "cone": _cone_faces,
    "frustum": _frustum_faces,
}
_VOLUMES: Final[Mapping[BodyKind, Callable[[Array], float]]] = {
    "box": lambda s: float(np.prod(s)),
    "cylinder": lambda s: float(np.pi * s[0] ** 2 * s[1]),
    "sphere": lambda s: float(4 / 3 * np.pi * s[0] ** 3),
    "cone": lambda s: _frustum_volume(s[0], 0.0, s[1]),
    "frustum": lambda s: _frustum_volume(*s),
}
_AREAS: Final[Mapping[BodyKind, Callable[[Array], Sequence[float]]]] = {
    "box": lambda s: [s[1] * s[2], s[0] * s[2], s[0] * s[1]] * 2,
    "cylinder": lambda s: [2 * np.pi * s[0] * s[1], np.pi * s[0] ** 2, np.pi * s[0] ** 2],
    "sphere": lambda s: [4 * np.pi * s[0] ** 2],
    "cone": lambda s: _frustum_areas(s[0], 0.0, s[1])[:2],
    "frustum": lambda s: _frustum_areas(*s),
}
_EDGES: Final[Mapping[BodyKind, Callable[[Array], float]]] = {
    "box": lambda s: float(4 * s.sum()),
    "cylinder": lambda s: float(4 * np.pi * s[0]),
    "sphere": lambda _: 0.0,
    "cone": lambda s: float(2 * np.pi * s[0]),
    "frustum": lambda s: float(2 * np.pi * (s[0] + s[1])),
}
"""Total length of the edges."""
