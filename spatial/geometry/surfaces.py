"""Freeform surfaces in pieces: B-splines, extrusions and revolutions of a curve.

Glossary
  patch   the Bézier form of one span in u and one in v.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from spatial.geometry.curves import Group, Lines
from spatial.geometry.quadrature import Array, Index
from spatial.geometry.splines import bernstein, bezier_points, placed_poles, spans


@dataclass(frozen=True)
class SplineSurface:
    """A (rational) B-spline surface, cut to a rectangle of its parameters."""

    u_breaks: Array
    v_breaks: Array
    patches: Array
    """(nu, nv, p + 1, q + 1, 4) homogeneous control points."""

    def placed(self, origin: Array, factor: float) -> SplineSurface:
        """The same surface after p -> (p - origin) * factor."""
        return replace(self, patches=placed_poles(self.patches, origin, factor))

    def evaluate(self, u: Array, v_span: Index, v: Array) -> tuple[Array, Array]:
        """Points and normals (m, q, 3) at u (m,) and v (m, q) in v-spans (m,)."""
        point, du, dv = self.derivatives(u, v_span, v)
        return point, np.cross(du, dv)

    def derivatives(self, u: Array, v_span: Index, v: Array) -> tuple[Array, Array, Array]:
        """Points and first derivatives, three arrays (m, q, 3)."""
        u_span = np.clip(np.searchsorted(self.u_breaks, u, side="right") - 1, 0, len(self.u_breaks) - 2)
        patch = self.patches[u_span, v_span]
        (u_values, u_slopes), u_width = _local(self.u_breaks, u_span, u[:, None], patch.shape[1] - 1)
        (v_values, v_slopes), v_width = _local(self.v_breaks, v_span, v, patch.shape[2] - 1)
        row = np.einsum("mp,mpqd->mqd", u_values[:, 0], patch)
        slope = np.einsum("mp,mpqd->mqd", u_slopes[:, 0], patch) / u_width[:, None, None]
        value, by_u, by_v = v_values @ row, v_values @ slope, v_slopes @ row / v_width[:, None, None]
        weight = value[..., 3:]
        point = value[..., :3] / weight
        return point, (by_u[..., :3] - point * by_u[..., 3:]) / weight, (by_v[..., :3] - point * by_v[..., 3:]) / weight


def _local(breaks: Array, span: Index, parameter: Array, degree: int) -> tuple[tuple[Array, Array], Array]:
    width = breaks[span + 1] - breaks[span]
    return bernstein(degree, (parameter - breaks[span][:, None]) / width[:, None]), width


@dataclass(frozen=True)
class KnotVector:
    """Flat knots and degree of one direction, and the range that is wanted of it."""

    flat: Array
    degree: int
    first: float
    last: float

    def cut(self) -> tuple[Index, Array]:
        """The spans of the range, and the parameters between which they lie."""
        index = spans(self.flat, self.degree, self.first, self.last)
        return index, np.concatenate([[self.first], self.flat[index[1:]], [self.last]])


def spline_surface(u: KnotVector, v: KnotVector, poles: Array) -> SplineSurface:
    """A surface from its flat knots and homogeneous poles (nu, nv, 4)."""
    u_index, u_breaks = u.cut()
    v_index, v_breaks = v.cut()
    rows = _bezier(u, u_index, u_breaks, poles)
    columns = _bezier(v, v_index, v_breaks, np.moveaxis(rows, 2, 0))
    return SplineSurface(u_breaks, v_breaks, np.ascontiguousarray(columns.transpose(2, 0, 3, 1, 4)))


def _bezier(knots: KnotVector, index: Index, breaks: Array, poles: Array) -> Array:
    """Bézier form (spans, degree + 1, ...) along the first axis of the poles."""
    window = index[:, None] + np.arange(-knots.degree, 1)
    around = index[:, None] + np.arange(1 - knots.degree, knots.degree + 1)
    return bezier_points(knots.flat[around], poles[window], breaks[:-1], breaks[1:])


@dataclass(frozen=True)
class Basis:
    """The curve that an extrusion or a revolution is made from, by its own parameter."""

    group: Group
    first: float
    last: float

    def placed(self, origin: Array, factor: float) -> Basis:
        """The same curve after p -> (p - origin) * factor."""
        return replace(self, group=self.group.placed(origin, factor))

    def breaks(self) -> Array:
        """Parameters between which the curve is smooth."""
        if isinstance(self.group, Lines):
            return np.array([self.first, self.last])
        return np.append(self.group.start, self.group.stop[-1])

    def evaluate(self, parameter: Array) -> tuple[Array, Array]:
        """Points and tangents (m, q, 3) at parameters (m, q); a row lies within one panel."""
        if isinstance(self.group, Lines):
            length = self.last - self.first
            local = (parameter - self.first) / length
            point, tangent = self.group.evaluate(np.zeros(len(parameter), dtype=np.intp), local)
            return point, tangent / length
        middle = parameter.mean(axis=1)
        panel = np.clip(np.searchsorted(self.group.start, middle, side="right") - 1, 0, len(self.group.start) - 1)
        return self.group.evaluate(panel, parameter)


@dataclass(frozen=True)
class Extrusion:
    """curve(u) + v · direction."""

    curve: Basis
    direction: Array
    v_breaks: Array

    @property
    def u_breaks(self) -> Array:
        """Parameters u between which the surface is smooth."""
        return self.curve.breaks()

    def placed(self, origin: Array, factor: float) -> Extrusion:
        """The same surface after p -> (p - origin) * factor."""
        return replace(self, curve=self.curve.placed(origin, factor), direction=self.direction * factor)

    def evaluate(self, u: Array, v_span: Index, v: Array) -> tuple[Array, Array]:
        """Points and normals (m, q, 3) at u (m,) and v (m, q)."""
        point, du, dv = self.derivatives(u, v_span, v)
        return point, np.cross(du, dv)

    def derivatives(self, u: Array, v_span: Index, v: Array) -> tuple[Array, Array, Array]:
        """Points and first derivatives, three arrays (m, q, 3)."""
        del v_span
        point, tangent = self.curve.evaluate(u[:, None])
        shape = (*v.shape, 3)
        return (
            point + v[..., None] * self.direction,
            np.broadcast_to(tangent, shape),
            np.broadcast_to(self.direction, shape),
        )


@dataclass(frozen=True)
class Revolution:
    """curve(v), turned about an axis by u."""

    curve: Basis
    origin: Array
    axis: Array
    u_breaks: Array

    @property
    def v_breaks(self) -> Array:
        """Parameters v between which the surface is smooth."""
        return self.curve.breaks()

    def placed(self, origin: Array, factor: float) -> Revolution:
        """The same surface after p -> (p - origin) * factor."""
        return replace(self, curve=self.curve.placed(origin, factor), origin=(self.origin - origin) * factor)

    def evaluate(self, u: Array, v_span: Index, v: Array) -> tuple[Array, Array]:
        """Points and normals (m, q, 3) at u (m,) and v (m, q)."""
        point, du, dv = self.derivatives(u, v_span, v)
        return point, np.cross(du, dv)

    def derivatives(self, u: Array, v_span: Index, v: Array) -> tuple[Array, Array, Array]:
        """Points and first derivatives, three arrays (m, q, 3)."""
        del v_span
        point, tangent = self.curve.evaluate(v)
        turned = self._turned(u, point - self.origin)
        return self.origin + turned, np.cross(self.axis, turned), self._turned(u, tangent)

    def _turned(self, u: Array, vector: Array) -> Array:
        cosine, sine = np.cos(u)[:, None, None], np.sin(u)[:, None, None]
        along = (vector @ self.axis)[..., None] * self.axis
        turned: Array = along + cosine * (vector - along) + sine * np.cross(self.axis, vector)
        return turned


FreeformSurface = SplineSurface | Extrusion | Revolution
