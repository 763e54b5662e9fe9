"""Trimmed curves in 2 or 3 dimensions, gathered one by one and then evaluated all at once.

Glossary
  curve   one trimmed curve; its number is the order in which it was added.
  panel   a stretch of a curve on which it is smooth: a whole line or arc, one span of a spline.
  group   panels of curves of one kind, in arrays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.quadrature import Array, Index
from spatial.geometry.splines import Pieces, Spline, pieces

PointAndTangent = Callable[[float], tuple[tuple[float, ...], tuple[float, ...]]]


class Group(Protocol):
    """Panels of one kind."""

    @property
    def curve(self) -> Index:
        """(n,) the curve that each panel belongs to, ascending."""
        ...

    @property
    def dimension(self) -> int:
        """d: 2 or 3."""
        ...

    @property
    def start(self) -> Array:
        """(n,) the parameter at which each panel begins."""
        ...

    @property
    def stop(self) -> Array:
        """(n,) the parameter at which it ends."""
        ...

    def placed(self, origin: Array, factor: float) -> Group:
        """The same curves after p -> (p - origin) * factor."""
        ...

    def evaluate(self, panel: Index, parameter: Array) -> tuple[Array, Array]:
        """Points and tangents at parameters (m, k) of panels (m,): two arrays (m, k, d)."""
        ...

    def points(self, panel: Index, parameter: Array) -> Array:
        """The points alone."""
        ...


@dataclass(frozen=True)
class Lines:
    """Straight segments; the parameter runs from 0 to 1."""

    curve: Index
    ends: Array
    """(n, 2, d)."""

    @property
    def dimension(self) -> int:
        return int(self.ends.shape[-1])

    @property
    def start(self) -> Array:
        return np.zeros(len(self.curve))

    @property
    def stop(self) -> Array:
        return np.ones(len(self.curve))

    def placed(self, origin: Array, factor: float) -> Lines:
        return replace(self, ends=(self.ends - origin) * factor)

    def evaluate(self, panel: Index, parameter: Array) -> tuple[Array, Array]:
        begin = self.ends[panel, None, 0]
        along = self.ends[panel, None, 1] - begin
        return begin + parameter[..., None] * along, np.broadcast_to(along, (*parameter.shape, along.shape[-1]))

    def points(self, panel: Index, parameter: Array) -> Array:
        begin = self.ends[panel, None, 0]
        return np.asarray(begin + parameter[..., None] * (self.ends[panel, None, 1] - begin))

    def across(self, axis: int) -> Lines:
        """Those that are not at right angles to an axis."""
        return self.of(self.ends[:, 0, axis] != self.ends[:, 1, axis])

    def of(self, kept: NDArray[np.bool_]) -> Lines:
        """Some of them."""
        return Lines(self.curve[kept], self.ends[kept])

    def split(self, axis: int, breaks: list[Array]) -> Lines:
        """The same lines, each cut where its coordinate along an axis passes one of its breaks."""
        curves, ends = [], []
        for curve, (begin, end), marks in zip(self.curve, self.ends, breaks, strict=True):
            low, high = sorted((begin[axis], end[axis]))
            inside = marks[(marks > low) & (marks < high)]
            cuts = np.sort((inside - begin[axis]) / (end[axis] - begin[axis])) if len(inside) else inside
            along = np.concatenate([[0.0], cuts, [1.0]])[:, None]
            points = begin + along * (end - begin)
            ends.append(np.stack([points[:-1], points[1:]], axis=1))
            curves.append(np.full(len(points) - 1, curve))
        if not ends:
            return self
        return Lines(np.concatenate(curves), np.concatenate(ends))


@dataclass(frozen=True)
class Arcs:
    """Circles and ellipses: center + cos t · x + sin t · y."""

    curve: Index
    frame: Array
    """(n, 3, d): center, x, y; x and y are as long as the semi-axes."""
    start: Array
    stop: Array

    @property
    def dimension(self) -> int:
        return int(self.frame.shape[-1])

    def placed(self, origin: Array, factor: float) -> Arcs:
        frame = self.frame * factor
        frame[:, 0] -= origin * factor
        return replace(self, frame=frame)

    def evaluate(self, panel: Index, parameter: Array) -> tuple[Array, Array]:
        center, x, y = (self.frame[panel, None, i] for i in range(3))
        cosine, sine = np.cos(parameter)[..., None], np.sin(parameter)[..., None]
        return center + cosine * x + sine * y, cosine * y - sine * x

    def points(self, panel: Index, parameter: Array) -> Array:
        center, x, y = (self.frame[panel, None, i] for i in range(3))
        return np.asarray(center + np.cos(parameter)[..., None] * x + np.sin(parameter)[..., None] * y)


@dataclass(frozen=True)
class Splines:
    """Bézier pieces of B-splines of one degree."""

    curve: Index
    pieces: Pieces

    @property
    def dimension(self) -> int:
        return int(self.pieces.points.shape[-1]) - 1

    @property
    def start(self) -> Array:
        return self.pieces.start

    @property
    def stop(self) -> Array:
        return self.pieces.stop

    def placed(self, origin: Array, factor: float) -> Splines:
        return replace(self, pieces=self.pieces.placed(origin, factor))

    def evaluate(self, panel: Index, parameter: Array) -> tuple[Array, Array]:
        return self.pieces.evaluate(panel, parameter)

    def points(self, panel: Index, parameter: Array) -> Array:
        return self.pieces.points_at(panel, parameter)


@dataclass(frozen=True)
class Sampled:
    """Curves of any other kind, evaluated point by point."""

    curve: Index
    functions: list[PointAndTangent]
    start: Array
    stop: Array
    origin: Array
    factor: float = 1.0

    @property
    def dimension(self) -> int:
        return len(self.origin)

    def placed(self, origin: Array, factor: float) -> Sampled:
        return replace(self, origin=self.origin + origin / self.factor, factor=self.factor * factor)

    def evaluate(self, panel: Index, parameter: Array) -> tuple[Array, Array]:
        rows = [[self.functions[i](t) for t in row] for i, row in zip(panel, parameter.tolist(), strict=True)]
        both = np.array(rows, dtype=float)
        return (both[:, :, 0] - self.origin) * self.factor, both[:, :, 1] * self.factor

    def points(self, panel: Index, parameter: Array) -> Array:
        return self.evaluate(panel, parameter)[0]


@dataclass
class CurveTable:
    """Gathers curves; `groups` gives them as arrays."""

    count: int = 0
    _lines: dict[int, tuple[tuple[float, ...], tuple[float, ...]]] = field(default_factory=dict)
    _arcs: dict[int, tuple[tuple[tuple[float, ...], ...], float, float]] = field(default_factory=dict)
    _splines: dict[int, dict[int, Spline]] = field(default_factory=lambda: defaultdict(dict))
    _sampled: dict[int, tuple[PointAndTangent, float, float]] = field(default_factory=dict)

    def line(self, begin: tuple[float, ...], end: tuple[float, ...]) -> int:
        """Add a straight segment."""
        self._lines[self.count] = (begin, end)
        return self._next()

    def arc(self, frame: tuple[tuple[float, ...], ...], start: float, stop: float) -> int:
        """Add center + cos t · x + sin t · y for t from start to stop; frame is (center, x, y)."""
        self._arcs[self.count] = (frame, start, stop)
        return self._next()

    def spline(self, spline: Spline) -> int:
        """Add a B-spline."""
        self._splines[spline.degree][self.count] = spline
        return self._next()

    def sampled(self, function: PointAndTangent, start: float, stop: float) -> int:
        """Add a curve that is known by a function only."""
        self._sampled[self.count] = (function, start, stop)
        return self._next()

    def _next(self) -> int:
        self.count += 1
        return self.count - 1

    def groups(self) -> list[Group]:
        """All panels of all curves: lines, arcs, splines by their degrees, and others."""
        found: list[Group] = []
        if self._lines:
            found.append(Lines(_keys(self._lines), np.array(list(self._lines.values()), dtype=float)))
        if self._arcs:
            frames, start, stop = zip(*self._arcs.values(), strict=True)
            found.append(Arcs(_keys(self._arcs), np.array(frames, dtype=float), np.array(start), np.array(stop)))
        for _, splines in sorted(self._splines.items()):
            cut, owner = pieces(list(splines.values()))
            found.append(Splines(_keys(splines)[owner], cut))
        if self._sampled:
            functions, start, stop = zip(*self._sampled.values(), strict=True)
            origin = np.zeros(len(functions[0](start[0])[0]))
            found.append(Sampled(_keys(self._sampled), list(functions), np.array(start), np.array(stop), origin))
        return found


def counted_through(tables: Sequence[list[Group]], first: Sequence[int]) -> list[Group]:
    """The groups of several tables as those of one. first: the number that the first curve of each table gets.

    Their order is that of `CurveTable.groups`, so that what is summed group by group has the same sum.
    """
    alike: dict[tuple[int, int], list[Any]] = defaultdict(list)
    for groups, begin in zip(tables, first, strict=True):
        for group in groups:
            # Points of curves that are known by functions are placed group by group.
            degree = group.pieces.points.shape[1] if isinstance(group, Splines) else begin * isinstance(group, Sampled)
            alike[_ORDER.index(type(group)), degree].append(replace(cast(Any, group), curve=group.curve + begin))
    return [
        each[0] if len(each) == 1 else _CONCATENATED[type(each[0])](each)
        for _, each in sorted(alike.items(), key=lambda item: item[0])
    ]


def _concatenated(groups: Sequence[Any], name: str) -> Any:
    return np.concatenate([getattr(group, name) for group in groups])


_ORDER: Final = (Lines, Arcs, Splines, Sampled)
_CONCATENATED: Final[dict[type, Callable[[list[Any]], Group]]] = {
    Lines: lambda groups: Lines(*(_concatenated(groups, name) for name in ("curve", "ends"))),
    Arcs: lambda groups: Arcs(*(_concatenated(groups, name) for name in ("curve", "frame", "start", "stop"))),
    Splines: lambda groups: Splines(
        _concatenated(groups, "curve"),
        Pieces(*(_concatenated([each.pieces for each in groups], name) for name in ("points", "start", "stop"))),
    ),
}


def _keys(curves: Iterable[int]) -> Index:
    return np.fromiter(curves, dtype=np.intp)


def joined(panel_curve: Index, coedge_curve: Index) -> tuple[Index, Index]:
    """Every panel with every coedge of its curve: two index arrays, into the panels and into the coedges."""
    order = np.argsort(coedge_curve, kind="stable")
    ascending = coedge_curve[order]
    begin = np.searchsorted(ascending, panel_curve, side="left")
    count = np.searchsorted(ascending, panel_curve, side="right") - begin
    panel = np.repeat(np.arange(len(panel_curve)), count)
    within = np.arange(len(panel)) - np.repeat(np.cumsum(count) - count, count)
    return panel, order[np.repeat(begin, count) + within]


def samples(group: Group, count: int) -> Array:
    """(n, count, d) points on each panel of a group, ends included."""
    return group.points(np.arange(len(group.curve)), _between(group.start, group.stop, count))


def _between(start: Array, stop: Array, count: int) -> Array:
    """(n, count) evenly spaced numbers, both ends included."""
    found = np.arange(count) * ((stop - start) / (count - 1))[:, None] + start[:, None]
    found[:, -1] = stop
    return found


def first_panels(curve: Index) -> Index:
    """The places at which another curve begins in an ascending list (n,) of panels' curves."""
    is_first = np.empty(len(curve), dtype=bool)
    is_first[:1] = True
    np.not_equal(curve[1:], curve[:-1], out=is_first[1:])
    return np.flatnonzero(is_first)


def at_fractions(groups: list[Group], fractions: Array, count: int) -> Array:
    """(count, k, d) points at fractions (k,) of the parameter range of each curve; NaN where there is no curve of a number."""
    dimension = next((group.dimension for group in groups if len(group.curve)), 3)
    found = np.full((count, len(fractions), dimension), np.nan)
    for group in groups:
        first = first_panels(group.curve)
        after = np.append(first[1:], len(group.curve))
        rank, last = np.repeat(np.arange(len(first)), after - first), after - 1
        low, span = group.start[first], group.stop[last] - group.start[first]
        begins = rank + (group.start - low[rank]) / np.where(span[rank] != 0.0, span[rank], 1.0)
        asked = np.arange(len(first))[:, None] + np.clip(fractions, 0.0, 1.0 - 1e-12)
        panel = np.clip(np.searchsorted(begins, asked, side="right") - 1, first[:, None], last[:, None])
        parameter = low[:, None] + fractions * span[:, None]
        points = group.points(panel.ravel(), parameter.reshape(-1, 1))
        found[group.curve[first]] = points.reshape(len(first), len(fractions), dimension)
    return found


_HULL_SAMPLES: Final = 33
"""Points that stand for the hull of a curve without control points."""

_BOX_SAMPLES: Final = 9
"""Points on a panel, of which a box has to hold all."""


def hulls(group: Group) -> Array:
    """(n, m, d) points for each panel whose hull holds it: control points of a spline, ends of a line."""
    if isinstance(group, Splines):
        poles = group.pieces.points
        return poles[..., :-1] / poles[..., -1:]
    if isinstance(group, Arcs):
        reach = np.hypot(group.frame[:, 1], group.frame[:, 2])
        return np.stack([group.frame[:, 0] - reach, group.frame[:, 0] + reach], axis=1)
    return samples(group, _HULL_SAMPLES if isinstance(group, Sampled) else 2)


def rectangles(groups: list[Group], owner: Index, count: int) -> tuple[Array, Array]:
    """Boxes (count, 2, d) around the curves of each owner: one that certainly holds them, and one of points on them.

    owner: (number of curves,) the owner of each curve.
    """
    outside, inside = _empty(groups, count), _empty(groups, count)
    for group in groups:
        for box, points in ((outside, hulls(group)), (inside, samples(group, _BOX_SAMPLES))):
            np.minimum.at(box[:, 0], owner[group.curve], points.min(axis=1))
            np.maximum.at(box[:, 1], owner[group.curve], points.max(axis=1))
    return outside, inside


def _empty(groups: list[Group], count: int) -> Array:
    dimension = groups[0].dimension if groups else 2
    box = np.full((count, 2, dimension), np.inf)
    box[:, 1] = -np.inf
    return box
