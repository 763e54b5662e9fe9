"""Integrals over trimmed surfaces by their boundaries: what area, volume and centre of mass are made of.

A face's integral is a boundary integral in the surface's parameters (Green): of g(u, v) it is minus the integral, around the
boundary with the face on its left, of G du, where G is the integral of g along v up to the boundary. Volume and its first
moment follow from the surface by the divergence theorem, face by face, so that a closed shell needs no interior.

Glossary
  coedge     one curve in the boundary of one face, with +1 or -1 for the direction in which the face takes it.
  isoline    the curve of a surface at one u, along which G is taken.
  flux       point · normal of an element of a surface: three times the signed volume of the cone from the origin to it.
  integrals  (n, 14) for n faces: area; area vector (3), whose sum over a closed shell is zero; signed cone volume, from the
             origin; its first moment (3); its second moments xx, yy, zz, xy, xz, yz (6).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.curves import Group, Lines, Splines, joined
from spatial.geometry.quadrature import (
    KRONROD_7,
    KRONROD_15,
    Array,
    Index,
    error_estimate,
    gauss,
    integrate,
    integrate_fixed,
)
from spatial.geometry.surfaces import Freeform, Isolines
from spatial.geometry.vectors import cross

TOLERANCE: Final = 1e-12
"""Estimated absolute error at which one panel's integral is accepted; lengths are in units of the body's size."""

FREEFORM_TOLERANCE: Final = 1e-11
"""The same over freeform surfaces."""

COMPONENTS: Final = 14
_BLOCK: Final = 1024
"""Panels that are integrated together: bounds the memory of one step."""
_FREEFORM_BLOCK: Final = 512
"""The same over freeform surfaces, whose nodes are more."""
_ISOLINE_HALVINGS: Final = 5
"""Most halvings of isolines that miss the tolerance."""


@dataclass(frozen=True)
class Coedges:
    """Which curve bounds which face, and in which direction."""

    curve: Index
    face: Index
    sign: Array

    def of_faces(self, faces: list[int]) -> Coedges:
        """Those of some faces, which are then counted from 0 in the given order."""
        place = np.full(int(self.face.max()) + 1, -1, dtype=np.intp)
        place[faces] = np.arange(len(faces))
        kept = place[self.face] >= 0
        return Coedges(self.curve[kept], place[self.face[kept]], self.sign[kept])


def components(point: Array, normal: Array) -> Array:
    """Integrands (..., 14) at points with (not normalised) normals."""
    area = np.sqrt(np.einsum("...i,...i->...", normal, normal))
    flux = np.einsum("...i,...i->...", point, normal)[..., None]
    second = products(point, point) * (flux / 5.0)
    return np.concatenate([area[..., None], normal, flux / 3.0, point * (flux / 4.0), second], axis=-1)


def products(first: Array, second: Array) -> Array:
    """(..., 6) the symmetric products xx, yy, zz, xy, xz, yz of vectors (..., 3)."""
    return np.asarray((first[..., _FIRST] * second[..., _SECOND] + first[..., _SECOND] * second[..., _FIRST]) / 2.0)


_FIRST: Final = [0, 1, 2, 0, 0, 1]
_SECOND: Final = [0, 1, 2, 1, 2, 2]


@dataclass(frozen=True)
class Planes:
    """Planes origin + u · x + v · y; their boundary curves are curves in space."""

    origin: Array
    """(n, 3)."""
    x: Array
    y: Array

    def near(self, groups: list[Group], coedges: Coedges) -> Planes:
        """The same planes with origins on the boundaries: what gaps between edges cost grows with the distance."""
        origin = self.origin.copy()
        for group in groups:
            panel, coedge = joined(group.curve, coedges.curve)
            face = coedges.face[coedge]
            away = group.points(panel, group.start[panel][:, None])[:, 0] - self.origin[face]
            x, y = self.x[face], self.y[face]
            origin[face] = self.origin[face] + _dot(away, x)[:, None] * x + _dot(away, y)[:, None] * y
        return replace(self, origin=origin)

    def integrals(self, groups: list[Group], coedges: Coedges) -> Array:
        """Area, first and second moments of area in the plane, from which the rest follows."""
        flat = np.zeros((len(self.origin), 6))
        for group in groups:
            panel, coedge = joined(group.curve, coedges.curve)
            if len(panel):
                self._add(flat, group, panel, coedges.face[coedge], coedges.sign[coedge])
        return self._from_plane(flat)

    def _add(self, flat: Array, group: Group, panel: Index, face: Index, sign: Array) -> None:
        def integrand(i: Index, parameter: Array) -> Array:
            point, tangent = group.evaluate(panel[i], parameter)
            x, y, origin = self.x[face[i]], self.y[face[i]], self.origin[face[i]]
            local = point - origin[:, None]
            u, v = np.einsum("mki,mi->mk", local, x), np.einsum("mki,mi->mk", local, y)
            du, dv = np.einsum("mki,mi->mk", tangent, x), np.einsum("mki,mi->mk", tangent, y)
            first = (u * dv - v * du) / 2.0, u * u * dv / 2.0, -v * v * du / 2.0
            return np.stack([*first, u * u * u * dv / 3.0, -v * v * v * du / 3.0, u * u * v * dv / 2.0], axis=-1)

        start, stop = group.start[panel], group.stop[panel]
        if isinstance(group, Lines):
            parts = integrate_fixed(integrand, start, stop, 3)
        else:
            parts = integrate(integrand, start, stop, TOLERANCE)
        np.add.at(flat, face, sign[:, None] * parts)

    def _from_plane(self, flat: Array) -> Array:
        normal = cross(self.x, self.y)
        area = flat[:, :1]
        height = np.einsum("ni,ni->n", self.origin, normal)[:, None]
        along, across = flat[:, 1:2], flat[:, 2:3]
        first = area * self.origin + along * self.x + across * self.y
        o, x, y = self.origin, self.x, self.y
        second = area * products(o, o) + 2.0 * (along * products(o, x) + across * products(o, y))
        second += flat[:, 3:4] * products(x, x) + flat[:, 4:5] * products(y, y) + 2.0 * flat[:, 5:] * products(x, y)
        return np.concatenate(
            [area, area * normal, height * area / 3.0, height * first / 4.0, height * second / 5.0], axis=1
        )


@dataclass(frozen=True)
class Revolutes:
    """Cylinders and cones, or spheres and tori: a point at distance a(v) from an axis, at height b(v) along it.

    a = a0 + a1 v + a2 cos v,  b = b1 v + b2 sin v,  point = origin + a (cos u · x + sin u · y) + b · z.
    """

    frame: Array
    """(n, 4, 3): origin, x, y, z; z may point either way, x × y decides."""
    profile: Array
    """(n, 5): a0, a1, a2, b1, b2; either a1 and b1 or a2 and b2 are zero, in all of them."""
    from_apex: NDArray[np.bool_] | None = None
    """(n,) cones that hold their apex and have no boundary curve there: their isolines start at it."""

    def integrals(self, groups: list[Group], coedges: Coedges) -> Array:
        """By boundary curves in (u, v)."""
        total = np.zeros((len(self.frame), COMPONENTS))
        floor, side = self._start(groups, coedges)
        along = Trigonometric(self, floor) if self.profile[:, 2].any() else Polynomial(self, floor)
        for group in _by_slope(groups):
            panel, coedge = joined(group.curve, coedges.curve)
            for at in range(0, len(panel), _BLOCK):
                block = slice(at, at + _BLOCK)
                face = coedges.face[coedge[block]]
                parts = self._over_panels(group, panel[block], face, along)
                np.add.at(total, face, coedges.sign[coedge[block]][:, None] * parts)
        total[:, 0] *= side
        return total

    def points(self, face: Index, parameters: Array) -> Array:
        """(m, k, 3) at parameters (m, k, 2) of faces (m,)."""
        u, v = parameters[..., 0], parameters[..., 1]
        a0, a1, a2, b1, b2 = (self.profile[face, i][:, None] for i in range(5))
        origin, x, y, z = (self.frame[face, i][:, None] for i in range(4))
        a, b = a0 + a1 * v + a2 * np.cos(v), b1 * v + b2 * np.sin(v)
        radial = np.cos(u)[..., None] * x + np.sin(u)[..., None] * y
        return np.asarray(origin + a[..., None] * radial + b[..., None] * z)

    def _start(self, groups: list[Group], coedges: Coedges) -> tuple[Array, Array]:
        """(n,) a v from which isolines start, on the boundary; and the sign of a, as in the other half of a cone."""
        floor, widest = np.zeros(len(self.frame)), np.zeros(len(self.frame))
        a0, a1, a2 = self.profile[:, 0], self.profile[:, 1], self.profile[:, 2]
        for group in groups:
            panel, coedge = joined(group.curve, coedges.curve)
            face = coedges.face[coedge]
            v = group.points(panel, group.start[panel][:, None])[:, 0, 1]
            floor[face] = v
            distance = a0[face] + a1[face] * v + a2[face] * np.cos(v)
            order = np.argsort(np.abs(distance))
            wider = order[np.abs(distance[order]) >= np.abs(widest[face[order]])]
            widest[face[wider]] = distance[wider]
        if self.from_apex is not None:
            floor = np.where(self.from_apex, -a0 / np.where(a1 != 0.0, a1, 1.0), floor)
        return floor, np.where(widest < 0.0, -1.0, 1.0)

    def _over_panels(self, group: Group, panel: Index, face: Index, along: Polynomial | Trigonometric) -> Array:
        def integrand(i: Index, parameter: Array) -> Array:
            point, tangent = group.evaluate(panel[i], parameter)
            v = point[:, :1, 1] if isinstance(group, LevelLines) else point[..., 1]
            return -tangent[..., :1] * self._turned(face[i], point[..., 0], along.up_to(face[i], v))

        rule = KRONROD_7 if isinstance(group, Splines) else KRONROD_15
        return integrate(integrand, group.start[panel], group.stop[panel], TOLERANCE, rule)

    def products(self, face: Index, v: Array) -> Array:
        """(m, k, 19) the products of a, b and their derivatives that `_turned` needs, at v (m, k)."""
        a0, a1, a2, b1, b2 = (self.profile[face, i][:, None] for i in range(5))
        cosine, sine = np.cos(v), np.sin(v)
        a, b = a0 + a1 * v + a2 * cosine, b1 * v + b2 * sine
        slope, rise = a1 - a2 * sine, b1 + b2 * cosine
        p, r = a * slope, a * rise
        stretch = a * np.hypot(slope, rise)
        ar, bp, ap, br, aa, ab, bb = a * r, b * p, a * p, b * r, a * a, a * b, b * b
        terms = (stretch, r, p, ar, bp, ap, br, a * ar, a * bp, a * br, b * bp)
        more = (aa * ar, aa * bp, aa * p, aa * br, ab * bp, bb * r, ab * br, bb * bp)
        return np.stack([*terms, *more], axis=-1)

    def _turned(self, face: Index, u: Array, profile: Array) -> Array:
        """G (m, k, 14) at u: point·normal and its moments, multiplied out into what depends on u and what on v.

        With e the radial direction at u, up = x × y and h = ±1 where z = h · up:
        normal = h a b' e - a a' up,  point = origin + a e + b z.
        """
        origin, x, y, z = (self.frame[face, i][:, None] for i in range(4))
        up = cross(x, y)
        turn, height = _dot(up, z), _dot(origin, up)
        radial = np.cos(u)[..., None] * x + np.sin(u)[..., None] * y
        reach = _dot(origin, radial)
        area, r, p, ar, bp, ap, br, aar, abp, abr, bbp, *more = profile.transpose(2, 0, 1)
        aaar, aabp, aap, aabr, abbp, bbr, abbr, bbbp = more
        flux = turn * (reach * r + ar - bp) - height * p
        flux_by_a = turn * (reach * ar + aar - abp) - height * ap
        flux_by_b = turn * (reach * br + abr - bbp) - height * bp
        normal = (turn * r)[..., None] * radial - p[..., None] * up
        moment = flux[..., None] * origin + flux_by_a[..., None] * radial + flux_by_b[..., None] * z
        second = flux[..., None] * products(origin, origin)
        second = second + 2.0 * flux_by_a[..., None] * products(origin, radial)
        second += 2.0 * flux_by_b[..., None] * products(origin, z)
        second += (turn * (reach * aar + aaar - aabp) - height * aap)[..., None] * products(radial, radial)
        second += 2.0 * (turn * (reach * abr + aabr - abbp) - height * abp)[..., None] * products(radial, z)
        second += (turn * (reach * bbr + abbr - bbbp) - height * bbp)[..., None] * products(z, z)
        area = np.broadcast_to(area, u.shape)
        return np.concatenate([area[..., None], normal, flux[..., None] / 3.0, moment / 4.0, second / 5.0], axis=-1)


class Polynomial:
    """Integrals along the isolines of cylinders and cones, where the products are polynomials in v of degree 4."""

    def __init__(self, faces: Revolutes, floor: Array) -> None:
        self._faces, self._floor = faces, floor

    def up_to(self, face: Index, v: Array) -> Array:
        """(m, k, 19) from the floor up to v (m, k)."""
        nodes, weights = gauss(3)
        floor = self._floor[face][:, None]
        rise = (v - floor)[..., None]
        parts = [w * self._faces.products(face, floor + t * rise[..., 0]) for t, w in zip(nodes, weights, strict=True)]
        return np.asarray(rise * sum(parts))


class Trigonometric:
    """Integrals along the isolines of spheres and tori, where the products are trigonometric polynomials of degree 5."""

    def __init__(self, faces: Revolutes, floor: Array) -> None:
        every = np.arange(len(floor))
        around = 2.0 * np.pi * np.arange(_SAMPLES) / _SAMPLES
        values = faces.products(every, np.broadcast_to(around, (len(floor), _SAMPLES)))
        waves = np.concatenate([np.cos(_ORDERS[:, None] * around), np.sin(_ORDERS[:, None] * around)]) * 2.0
        transform = np.concatenate([np.ones((1, _SAMPLES)), waves]) / _SAMPLES
        self._coefficients = np.einsum("wj,njt->nwt", transform, values)
        self._base = _wave_integrals(floor)

    def up_to(self, face: Index, v: Array) -> Array:
        """(m, k, 19) from the floor up to v (m, k)."""
        integrals: Array = (_wave_integrals(v) - self._base[face][:, None]) @ self._coefficients[face]
        return integrals


_ORDERS: Final = np.arange(1.0, 6.0)
_SAMPLES: Final = 11
"""Values that determine a trigonometric polynomial of degree 5."""


def _wave_integrals(v: Array) -> Array:
    """Antiderivatives of 1, cos v … cos 5v, sin v … sin 5v: v.shape + (11,)."""
    angle = v[..., None] * _ORDERS
    return np.concatenate([v[..., None], np.sin(angle) / _ORDERS, -np.cos(angle) / _ORDERS], axis=-1)


def _dot(first: Array, second: Array) -> Array:
    product: Array = np.einsum("...i,...i->...", first, second)
    return product


class LevelLines(Lines):
    """Lines along which v does not change."""


def _by_slope(groups: list[Group]) -> list[Group]:
    """Without the lines along isolines, over which nothing is integrated, and with those at right angles for themselves."""
    found: list[Group] = []
    for group in groups:
        if isinstance(group, Lines):
            across = group.across(0)
            level = across.ends[:, 0, 1] == across.ends[:, 1, 1]
            found += [LevelLines(across.curve[level], across.ends[level]), across.of(~level)]
        else:
            found.append(group)
    return found


def freeform_integrals(faces: Freeform, groups: list[Group], coedges: Coedges, outer: int) -> Array:
    """Integrals (n, 14) over trimmed freeform faces; isolines are refined until their error is within the tolerance.

    outer: the coordinate of the boundary curves that is the faces' outer parameter, 0 (u) or 1 (v).
    """
    boundary = _Boundary(faces, [_cut(group, coedges, faces.outer_breaks, outer) for group in groups], coedges, outer)
    lines = faces.isolines
    total, error = boundary.integrals(lines)
    for _ in range(_ISOLINE_HALVINGS):
        if error <= FREEFORM_TOLERANCE:
            break
        lines = lines.halved()
        total, error = boundary.integrals(lines)
    if outer == 1:
        total = -total  # in (v, u) the boundary runs the other way round
    return total


def _cut(group: Group, coedges: Coedges, breaks: list[Array], outer: int) -> Group:
    """Lines, cut where they pass from one span of their face into another."""
    if not isinstance(group, Lines):
        return group
    across = group.of(np.isin(group.curve, coedges.curve)).across(outer)
    face_of = dict(zip(coedges.curve.tolist(), coedges.face.tolist(), strict=True))
    return across.split(outer, [breaks[face_of[curve]] for curve in across.curve.tolist()])


@dataclass(frozen=True)
class _Boundary:
    faces: Freeform
    groups: list[Group]
    coedges: Coedges
    outer: int

    def integrals(self, lines: Isolines) -> tuple[Array, float]:
        """Integrals (n, 14), and the greatest estimated error of an isoline under the boundary."""
        total, worst = np.zeros((len(lines.offset) - 1, COMPONENTS)), 0.0
        for group in self.groups:
            panel, coedge = joined(group.curve, self.coedges.curve)
            for at in range(0, len(panel), _FREEFORM_BLOCK):
                block = slice(at, at + _FREEFORM_BLOCK)
                face = self.coedges.face[coedge[block]]
                parts, error = self._over_panels(group, panel[block], face, lines)
                np.add.at(total, face, self.coedges.sign[coedge[block]][:, None] * parts)
                worst = max(worst, error)
        return total, worst

    def _over_panels(self, group: Group, panel: Index, face: Index, lines: Isolines) -> tuple[Array, float]:
        worst = 0.0

        def integrand(i: Index, parameter: Array) -> Array:
            nonlocal worst
            point, tangent = group.evaluate(panel[i], parameter)
            slope = tangent[..., self.outer]
            node = np.repeat(face[i], parameter.shape[1])
            along, error = self._along(lines, node, point[..., self.outer].ravel(), point[..., 1 - self.outer].ravel())
            worst = max(worst, float((error * np.abs(slope.ravel())).max(initial=0.0)))
            return -slope[..., None] * along.reshape(*parameter.shape, COMPONENTS)

        rule = KRONROD_7 if isinstance(group, Splines) else KRONROD_15
        parts = integrate(integrand, group.start[panel], group.stop[panel], FREEFORM_TOLERANCE, rule)
        return parts, worst

    def _along(self, lines: Isolines, face: Index, outer: Array, inner: Array) -> tuple[Array, Array]:
        """G (m, 14) of boundary points, and an estimate of its error."""
        node, interval = _pairs(lines.offset, face)
        low = lines.low[interval]
        width = np.clip(inner[node], low, lines.high[interval]) - low
        kept = width > 0.0
        node, interval, low, width = node[kept], interval[kept], low[kept], width[kept]
        rule = self.faces.rule
        at = low[:, None] + width[:, None] * rule.nodes
        point, du, dv = self.faces.derivatives(face[node], outer[node], lines.span[interval], at)
        values = components(point, cross(du, dv) * (1.0 if self.outer == 0 else -1.0)) * width[:, None, None]
        along, error = np.zeros((len(face), COMPONENTS)), np.zeros(len(face))
        np.add.at(along, node, np.einsum("n,mnk->mk", rule.weights, values))
        difference = np.einsum("n,mnk->mk", rule.difference, values)
        np.add.at(error, node, error_estimate(difference).max(axis=1, initial=0.0))
        return along, error


def _pairs(offset: Index, face: Index) -> tuple[Index, Index]:
    """Every node with every interval of its face."""
    count = (offset[1:] - offset[:-1])[face]
    node = np.repeat(np.arange(len(face)), count)
    within = np.arange(len(node)) - np.repeat(np.cumsum(count) - count, count)
    return node, offset[face][node] + within


def area_vectors(groups: list[Group], coedges: Coedges, count: int) -> Array:
    """(count, 3) area vectors of faces on any surface, from their boundaries in space: half the integral of r × dr."""
    total = np.zeros((count, 3))
    for group in groups:
        panel, coedge = joined(group.curve, coedges.curve)

        def integrand(i: Index, parameter: Array, group: Group = group, panel: Index = panel) -> Array:
            point, tangent = group.evaluate(panel[i], parameter)
            return cross(point, tangent) / 2.0

        parts = integrate(integrand, group.start[panel], group.stop[panel], FREEFORM_TOLERANCE)
        np.add.at(total, coedges.face[coedge], coedges.sign[coedge][:, None] * parts)
    return total


def triangle_integrals(corners: Array) -> Array:
    """Integrals (14,) over triangles (n, 3, 3)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = cross(b - a, c - a) / 2.0
    volume = np.einsum("ni,ni->n", a, normal)[:, None] / 3.0
    second = products(a, a) + products(b, b) + products(c, c) + products(a + b + c, a + b + c)
    parts = [
        np.linalg.norm(normal, axis=1)[:, None],
        normal,
        volume,
        volume * (a + b + c) / 4.0,
        volume * second / 20.0,
    ]
    total: Array = np.concatenate(parts, axis=1).sum(axis=0)
    return total
