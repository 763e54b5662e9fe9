"""Integrals over trimmed surfaces by their boundaries: what area, volume and centre of mass are made of.

A face's integral is a boundary integral in the surface's parameters (Green): of g(u, v) it is minus the integral, around the
boundary with the face on its left, of G du, where G is the integral of g along v up to the boundary. Volume and its first
moment follow from the surface by the divergence theorem, face by face, so that a closed shell needs no interior.

Glossary
  use        one curve in the boundary of one face, with +1 or -1 for the direction in which the face takes it.
  isoline    the curve of a surface at one u, along which G is taken.
  integrals  (n, 8) for n faces: area; area vector (3), whose sum over a closed shell is zero; volume of the cone from the
             origin; its first moment (3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from spatial.geometry.curves import Group, Lines, joined
from spatial.geometry.quadrature import DIFFERENCE, NODES, WEIGHTS, Array, Index, error_bound, gauss, integrate, integrate_fixed

TOLERANCE: Final = 1e-12
"""Absolute error of one panel's integral; lengths are in units of the body's size."""

FREEFORM_TOLERANCE: Final = 1e-11
"""The same over freeform surfaces."""

COMPONENTS: Final = 8
_BLOCK: Final = 1024
_FREEFORM_BLOCK: Final = 128
_ISOLINE_HALVINGS: Final = 5


@dataclass(frozen=True)
class Uses:
    """Which curve bounds which face, and in which direction."""

    curve: Index
    face: Index
    sign: Array


def components(point: Array, normal: Array) -> Array:
    """Integrands (..., 8) at points with (not normalised) normals."""
    area = np.sqrt(np.einsum("...i,...i->...", normal, normal))
    cone = np.einsum("...i,...i->...", point, normal)
    return np.concatenate([area[..., None], normal, cone[..., None] / 3.0, point * (cone[..., None] / 4.0)], axis=-1)


@dataclass(frozen=True)
class Planes:
    """Planes origin + u · x + v · y; their boundary curves are curves in space."""

    origin: Array
    """(n, 3)."""
    x: Array
    y: Array

    def integrals(self, groups: list[Group], uses: Uses) -> Array:
        """Area and first moment of area in the plane, from which the rest follows."""
        flat = np.zeros((len(self.origin), 3))
        for group in groups:
            panel, use = joined(group.curve, uses.curve)
            if len(panel):
                self._add(flat, group, panel, uses.face[use], uses.sign[use])
        return self._from_plane(flat)

    def _add(self, flat: Array, group: Group, panel: Index, face: Index, sign: Array) -> None:
        def integrand(i: Index, parameter: Array) -> Array:
            point, tangent = group.evaluate(panel[i], parameter)
            x, y, origin = self.x[face[i]], self.y[face[i]], self.origin[face[i]]
            local = point - origin[:, None]
            u, v = np.einsum("mki,mi->mk", local, x), np.einsum("mki,mi->mk", local, y)
            du, dv = np.einsum("mki,mi->mk", tangent, x), np.einsum("mki,mi->mk", tangent, y)
            return np.stack([(u * dv - v * du) / 2.0, u * u * dv / 2.0, -v * v * du / 2.0], axis=-1)

        start, stop = group.start[panel], group.stop[panel]
        if isinstance(group, Lines):
            parts = integrate_fixed(integrand, start, stop, 2)
        else:
            parts, _ = integrate(integrand, start, stop, TOLERANCE)
        np.add.at(flat, face, sign[:, None] * parts)

    def _from_plane(self, flat: Array) -> Array:
        normal = np.cross(self.x, self.y)
        area = flat[:, :1]
        height = np.einsum("ni,ni->n", self.origin, normal)[:, None]
        first = area * self.origin + flat[:, 1:2] * self.x + flat[:, 2:] * self.y
        return np.concatenate([area, area * normal, height * area / 3.0, height * first / 4.0], axis=1)


@dataclass(frozen=True)
class Revolutes:
    """Cylinders, cones, spheres and tori, all as one: a point at distance a(v) from an axis, at height b(v) along it.

    a = a0 + a1 v + a2 cos v,  b = b1 v + b2 sin v,  point = origin + a (cos u · x + sin u · y) + b · z.
    """

    frame: Array
    """(n, 4, 3): origin, x, y, z; z may point either way, x × y decides."""
    profile: Array
    """(n, 5): a0, a1, a2, b1, b2."""
    def integrals(self, groups: list[Group], uses: Uses, isoline_nodes: int) -> Array:
        """By boundary curves in (u, v)."""
        total = np.zeros((len(self.frame), COMPONENTS))
        floor = self._floors(groups, uses)
        for group in groups:
            across = group.across(0) if isinstance(group, Lines) else group
            panel, use = joined(across.curve, uses.curve)
            for at in range(0, len(panel), _BLOCK):
                block = slice(at, at + _BLOCK)
                face, sign = uses.face[use[block]], uses.sign[use[block]]
                parts = self._over_panels(across, panel[block], face, floor[face], isoline_nodes)
                np.add.at(total, face, sign[:, None] * parts)
        return total

    def _floors(self, groups: list[Group], uses: Uses) -> Array:
        """(n,) the v from which isolines start: any v, the same for a whole face; one on its boundary is near."""
        floor = np.zeros(len(self.frame))
        for group in groups:
            panel, use = joined(group.curve, uses.curve)
            point, _ = group.evaluate(panel, group.start[panel][:, None])
            floor[uses.face[use]] = point[:, 0, 1]
        return floor

    def _over_panels(self, group: Group, panel: Index, face: Index, floor: Array, isoline_nodes: int) -> Array:
        nodes, weights = gauss(isoline_nodes)

        def integrand(i: Index, parameter: Array) -> Array:
            point, tangent = group.evaluate(panel[i], parameter)
            rise = point[..., 1] - floor[i][:, None]
            v = floor[i][:, None, None] + rise[..., None] * nodes
            along = np.einsum("q,mkqc->mkc", weights, self._components(face[i], point[..., 0], v))
            return -(tangent[..., 0] * rise)[..., None] * along

        parts, _ = integrate(integrand, group.start[panel], group.stop[panel], TOLERANCE)
        return parts

    def _components(self, face: Index, u: Array, v: Array) -> Array:
        """At u (m, k) and v (m, k, q): (m, k, q, 8)."""
        origin, x, y, z = (self.frame[face, i][:, None] for i in range(4))
        a0, a1, a2, b1, b2 = (self.profile[face, i][:, None, None] for i in range(5))
        cosine, sine = np.cos(v), np.sin(v)
        a, b = a0 + a1 * v + a2 * cosine, b1 * v + b2 * sine
        da, db = a1 - a2 * sine, b1 + b2 * cosine
        radial = np.cos(u)[..., None] * x + np.sin(u)[..., None] * y
        up = np.cross(x, y)
        height = b[..., None] * z[:, :, None]
        point = (origin[:, :, None] + a[..., None] * radial[:, :, None]) + height
        turn = np.einsum("mki,mki->mk", up, z)[..., None]
        normal = a[..., None] * (turn * db)[..., None] * radial[:, :, None] - (a * da)[..., None] * up[:, :, None]
        return components(point, normal)


class Freeform(Protocol):
    """A surface in pieces, evaluated along isolines."""

    @property
    def u_breaks(self) -> Array:
        """Ascending u between which the surface is smooth."""
        ...

    @property
    def v_breaks(self) -> Array:
        """Ascending v between which the surface is smooth; the face lies between the first and the last."""
        ...

    def evaluate(self, u: Array, v_span: Index, v: Array) -> tuple[Array, Array]:
        """Points and normals (m, q, 3) at u (m,) and v (m, q), where v lies in [v_breaks[i], v_breaks[i + 1]]."""
        ...


def freeform_integrals(surface: Freeform, groups: list[Group], uses: Uses) -> Array:
    """Integrals (8,) over one trimmed freeform surface; isolines are refined until their error is within the tolerance."""
    cut = [_cut(group, surface.u_breaks) for group in groups]
    lines = _Isolines(surface.v_breaks, np.arange(len(surface.v_breaks) - 1))
    total, error = _over_boundary(surface, cut, uses, lines)
    for _ in range(_ISOLINE_HALVINGS):
        if error <= FREEFORM_TOLERANCE:
            break
        lines = lines.halved()
        total, error = _over_boundary(surface, cut, uses, lines)
    return total


def _cut(group: Group, u_breaks: Array) -> Group:
    return group.across(0).split(0, u_breaks) if isinstance(group, Lines) else group


@dataclass(frozen=True)
class _Isolines:
    breaks: Array
    span: Index
    """The surface's own v-span in which each interval of `breaks` lies."""

    def halved(self) -> _Isolines:
        middle = (self.breaks[:-1] + self.breaks[1:]) / 2.0
        return _Isolines(np.sort(np.concatenate([self.breaks, middle])), np.repeat(self.span, 2))


def _over_boundary(surface: Freeform, groups: list[Group], uses: Uses, lines: _Isolines) -> tuple[Array, float]:
    total, worst = np.zeros(COMPONENTS), 0.0
    for group in groups:
        panel, use = joined(group.curve, uses.curve)
        for at in range(0, len(panel), _FREEFORM_BLOCK):
            block = slice(at, at + _FREEFORM_BLOCK)
            parts, error = _over_panels(surface, group, panel[block], lines)
            total += uses.sign[use[block]] @ parts
            worst = max(worst, error)
    return total, worst


def _over_panels(surface: Freeform, group: Group, panel: Index, lines: _Isolines) -> tuple[Array, float]:
    """Integrals (m, 8) along panels, and the greatest error of an isoline under them."""
    worst = 0.0

    def integrand(i: Index, parameter: Array) -> Array:
        nonlocal worst
        point, tangent = group.evaluate(panel[i], parameter)
        along, error = _along_isolines(surface, lines, point[..., 0].ravel(), point[..., 1].ravel())
        worst = max(worst, float((error * np.abs(tangent[..., 0].ravel())).max(initial=0.0)))
        return -tangent[..., :1] * along.reshape(*parameter.shape, COMPONENTS)

    parts, _ = integrate(integrand, group.start[panel], group.stop[panel], FREEFORM_TOLERANCE)
    return parts, worst


def _along_isolines(surface: Freeform, lines: _Isolines, u: Array, v: Array) -> tuple[Array, Array]:
    """G (m, 8) of the boundary points (u, v), and a bound of its error."""
    low, high = lines.breaks[:-1], np.clip(v[:, None], lines.breaks[:-1], lines.breaks[1:])
    node, interval = np.nonzero(high > low)
    width = (high - low)[node, interval]
    at = low[interval][:, None] + width[:, None] * NODES
    values = components(*surface.evaluate(u[node], lines.span[interval], at)) * width[:, None, None]
    along, error = np.zeros((len(u), COMPONENTS)), np.zeros(len(u))
    np.add.at(along, node, np.einsum("n,mnk->mk", WEIGHTS, values))
    np.add.at(error, node, error_bound(np.einsum("n,mnk->mk", DIFFERENCE, values)).max(axis=1, initial=0.0))
    return along, error


def triangle_integrals(corners: Array) -> Array:
    """Integrals (8,) over triangles (n, 3, 3)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a) / 2.0
    cone = np.einsum("ni,ni->n", a, normal)[:, None] / 3.0
    parts = [np.linalg.norm(normal, axis=1)[:, None], normal, cone, cone * (a + b + c) / 4.0]
    total: Array = np.concatenate(parts, axis=1).sum(axis=0)
    return total
