"""Freeform surfaces: B-splines, extrusions and revolutions of a curve, evaluated along isolines.

Glossary
  outer, inner   the two parameters: an isoline runs along the inner one at a fixed outer one. Which of u and v is which
                 is the caller's choice, so that isolines cross few spans.
  interval       a stretch of the inner parameter on which the surface is smooth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.curves import Group, Lines
from spatial.geometry.quadrature import KRONROD_7, KRONROD_15, Array, Index, Rule
from spatial.geometry.splines import basis, offsets, placed_poles, spans
from spatial.geometry.vectors import cross


@dataclass(frozen=True)
class Isolines:
    """Intervals of the inner parameter, face after face."""

    offset: Index
    """(n + 1,): the intervals of face i are offset[i] to offset[i + 1]."""
    low: Array
    high: Array
    span: Index
    """What the surface needs to know to evaluate within the interval."""

    @property
    def floor(self) -> Array:
        """(n,) the inner parameter at which each face's isolines start."""
        return self.low[self.offset[:-1]]

    def halved(self) -> Isolines:
        """Every interval in two."""
        middle = (self.low + self.high) / 2.0
        return Isolines(
            self.offset * 2,
            np.stack([self.low, middle], axis=1).ravel(),
            np.stack([middle, self.high], axis=1).ravel(),
            np.repeat(self.span, 2),
        )


def isolines(breaks: list[Array], span: list[Index]) -> Isolines:
    """From the breaks of each face, and what names the intervals between them."""
    counts = [len(found) - 1 for found in breaks]
    return Isolines(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.intp),
        np.concatenate([found[:-1] for found in breaks]),
        np.concatenate([found[1:] for found in breaks]),
        np.concatenate(span),
    )


class Freeform(Protocol):
    """Faces of freeform surfaces."""

    @property
    def outer_breaks(self) -> list[Array]:
        """For each face, ascending outer parameters between which its surface is smooth."""
        ...

    @property
    def isolines(self) -> Isolines:
        """The intervals of the inner parameter."""
        ...

    @property
    def rule(self) -> Rule:
        """What is enough for one interval, mostly."""
        ...

    def derivatives(self, face: Index, outer: Array, span: Index, inner: Array) -> tuple[Array, Array, Array]:
        """Points and first derivatives (m, q, 3) on faces (m,) at outer (m,), inner (m, q) within the spans (m,)."""
        ...


def isoline_rule(degree: int) -> Rule:
    """What is mostly enough for one interval of a surface of a degree."""
    return KRONROD_7 if degree == 1 else KRONROD_15


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

    def cost(self) -> int:
        """How many nodes an isoline along this direction takes."""
        return len(spans(self.flat, self.degree, self.first, self.last)) * len(isoline_rule(self.degree).nodes)


@dataclass(frozen=True)
class SplineSurface:
    """A (rational) B-spline surface within a rectangle."""

    outer: KnotVector
    inner: KnotVector
    poles: Array
    """(n outer, n inner, 4) homogeneous."""

    def placed(self, origin: Array, factor: float) -> SplineSurface:
        """The same surface after p -> (p - origin) * factor."""
        return replace(self, poles=placed_poles(self.poles, origin, factor))

    def swapped(self) -> SplineSurface:
        """Outer for inner."""
        return SplineSurface(self.inner, self.outer, self.poles.transpose(1, 0, 2))


class SplineFaces:
    """Any number of B-spline surfaces of the same two degrees."""

    def __init__(self, surfaces: list[SplineSurface]) -> None:
        self._degrees = surfaces[0].outer.degree, surfaces[0].inner.degree
        outer, inner = [s.outer.cut() for s in surfaces], [s.inner.cut() for s in surfaces]
        outer_at = offsets([len(s.outer.flat) for s in surfaces])
        inner_at = offsets([len(s.inner.flat) for s in surfaces])
        self.outer_breaks = [breaks for _, breaks in outer]
        self.isolines = isolines(
            [breaks for _, breaks in inner],
            [index + at for (index, _), at in zip(inner, inner_at, strict=True)],
        )
        self.rule = isoline_rule(self._degrees[1])
        self._outer_flat = np.concatenate([s.outer.flat for s in surfaces])
        self._inner_flat = np.concatenate([s.inner.flat for s in surfaces])
        self._outer_spans = _padded([index + at for (index, _), at in zip(outer, outer_at, strict=True)])
        self._outer_starts = _padded([breaks[:-1] for _, breaks in outer], np.inf)
        self._poles = np.concatenate([s.poles.reshape(-1, 4) for s in surfaces])
        self._columns = np.array([s.poles.shape[1] for s in surfaces])
        sizes = offsets([s.poles.shape[0] * s.poles.shape[1] for s in surfaces])
        self._pole_at = sizes - outer_at * self._columns - inner_at
        """So that pole (i, j) of a face, counted in its flat knots, is at _pole_at + i * columns + j."""

    def points(self, outer: Array, inner: Array) -> Array:
        """Points (m, 3) on the first face at outer (m,) and inner (m,)."""
        starts = self.isolines.low[: self.isolines.offset[1]]
        span = self.isolines.span[np.maximum(np.searchsorted(starts, inner, side="right") - 1, 0)]
        face = np.zeros(len(outer), dtype=np.intp)
        values, _, poles = self._across(face, outer, span)
        knots = self._inner_flat[span[:, None] + np.arange(1 - self._degrees[1], self._degrees[1] + 1)]
        point = basis(knots[:, None], inner[:, None])[0] @ np.einsum("mp,mpqd->mqd", values, poles)
        return np.asarray(point[:, 0, :3] / point[:, 0, 3:])

    def derivatives(self, face: Index, outer: Array, span: Index, inner: Array) -> tuple[Array, Array, Array]:
        """Points and first derivatives (m, q, 3) on faces (m,) at outer (m,), inner (m, q) within the spans (m,)."""
        q = self._degrees[1]
        values, slopes, poles = self._across(face, outer, span)
        row, slope = np.einsum("mp,mpqd->mqd", values, poles), np.einsum("mp,mpqd->mqd", slopes, poles)
        knots = self._inner_flat[span[:, None] + np.arange(1 - q, q + 1)]
        values, slopes = basis(knots[:, None], inner)
        point, by_outer, by_inner = values @ row, values @ slope, slopes @ row
        weight = point[..., 3:]
        point = point[..., :3] / weight
        return (
            point,
            (by_outer[..., :3] - point * by_outer[..., 3:]) / weight,
            (by_inner[..., :3] - point * by_inner[..., 3:]) / weight,
        )

    def _across(self, face: Index, outer: Array, span: Index) -> tuple[Array, Array, Array]:
        """The outer basis functions that are not zero (m, p + 1), their derivatives, and the poles (m, p + 1, q + 1, 4) of both spans."""
        p, q = self._degrees
        place = np.maximum((outer[:, None] >= self._outer_starts[face]).sum(axis=1) - 1, 0)
        outer_span = self._outer_spans[face, place]
        values, slopes = basis(self._outer_flat[outer_span[:, None] + np.arange(1 - p, p + 1)], outer)
        rows = (self._pole_at[face] + outer_span * self._columns[face] + span)[:, None, None]
        rows = rows + (np.arange(-p, 1) * self._columns[face][:, None])[..., None] + np.arange(-q, 1)
        return values, slopes, self._poles[rows]


def _padded(rows: Sequence[NDArray[Any]], fill: float = 0) -> NDArray[Any]:
    table: NDArray[Any] = np.full((len(rows), max(len(row) for row in rows)), fill, dtype=rows[0].dtype)
    for at, row in enumerate(rows):
        table[at, : len(row)] = row
    return table


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
    """curve(u) + v · direction, one face; outer u, inner v."""

    curve: Basis
    direction: Array
    heights: Array
    """Least and greatest v."""
    rule: Rule = KRONROD_7

    @property
    def outer_breaks(self) -> list[Array]:
        """Parameters of the curve between which it is smooth."""
        return [self.curve.breaks()]

    @property
    def isolines(self) -> Isolines:
        """One interval."""
        return isolines([self.heights], [np.zeros(1, dtype=np.intp)])

    def placed(self, origin: Array, factor: float) -> Extrusion:
        """The same surface after p -> (p - origin) * factor."""
        return replace(self, curve=self.curve.placed(origin, factor), direction=self.direction * factor)

    def derivatives(self, face: Index, outer: Array, span: Index, inner: Array) -> tuple[Array, Array, Array]:
        """Points and first derivatives (m, q, 3)."""
        del face, span
        point, tangent = self.curve.evaluate(outer[:, None])
        shape = (*inner.shape, 3)
        surface = point + inner[..., None] * self.direction
        return surface, np.broadcast_to(tangent, shape), np.broadcast_to(self.direction, shape)


@dataclass(frozen=True)
class Revolution:
    """curve(v) turned about an axis by u, one face; outer u, inner v."""

    curve: Basis
    origin: Array
    axis: Array
    angles: Array
    """Least and greatest u."""
    rule: Rule = KRONROD_15

    @property
    def outer_breaks(self) -> list[Array]:
        """It is smooth all around."""
        return [self.angles]

    @property
    def isolines(self) -> Isolines:
        """The panels of the curve."""
        breaks = self.curve.breaks()
        return isolines([breaks], [np.arange(len(breaks) - 1)])

    def placed(self, origin: Array, factor: float) -> Revolution:
        """The same surface after p -> (p - origin) * factor."""
        return replace(self, curve=self.curve.placed(origin, factor), origin=(self.origin - origin) * factor)

    def points(self, outer: Array, inner: Array) -> Array:
        """Points (m, 3) at outer (m,) and inner (m,)."""
        none = np.zeros(len(outer), dtype=np.intp)
        return self.derivatives(none, outer, none, inner[:, None])[0][:, 0]

    def derivatives(self, face: Index, outer: Array, span: Index, inner: Array) -> tuple[Array, Array, Array]:
        """Points and first derivatives (m, q, 3)."""
        del face, span
        point, tangent = self.curve.evaluate(inner)
        turned = self._turned(outer, point - self.origin)
        return self.origin + turned, cross(self.axis, turned), self._turned(outer, tangent)

    def _turned(self, angle: Array, vector: Array) -> Array:
        cosine, sine = np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
        along = (vector @ self.axis)[..., None] * self.axis
        turned: Array = along + cosine * (vector - along) + sine * cross(self.axis, vector)
        return turned
