"""How far the faces of a body are from meeting, and what that may cost its measures.

Each face is integrated up to a boundary of its own: a plane up to the edge in space, a cylinder up to its pcurve. Where two
boundaries of one edge are the same, they are where the surfaces meet, and the integrals are exact; where they differ, there is a strip
between them that no face covers, or both. Its width is measured, not taken from the tolerance that the file states.

Glossary
  gap       the distance between the two boundaries of an edge; of a free edge, to the nearest other free edge.
  free      an edge with one face.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from spatial.geometry.curves import Group, at_fractions
from spatial.geometry.quadrature import Array, Index

FRACTIONS: Final = np.array([0.02, 0.15, 0.33, 0.5, 0.67, 0.85, 0.98])
"""Where along an edge its two boundaries are compared."""

SAFETY: Final = 2.0
"""Between two of these places a gap may be wider than at them."""

FREE_GAP: Final = 1e-3
"""Widest gap between free edges, as a part of the body's size, that is a gap: beyond, a face is missing."""

MOST_FREE: Final = 200
"""Free edges that are compared with each other; of more, faces are missing."""

_FREE_FRACTIONS: Final = np.linspace(0.0, 1.0, 33)


@dataclass
class Boundaries:
    """The points of each edge as the faces' integrals see them, in normalised coordinates; edges of one body or of several."""

    count: int
    """Of edges."""
    groups: list[Group]
    """The edges' curves, normalised."""
    _points: dict[int, list[tuple[Array, Array]]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self.in_space = at_fractions(self.groups, FRACTIONS, self.count)
        """(edges, k, 3)."""

    def add(self, curve: int, points: Array, away: Array) -> None:
        """One boundary of an edge. points: (k, 3); away: (k,) how far they are from the face's surface. A pole has none: -1."""
        if curve >= 0:
            self._points[curve].append((points, away))

    def add_all(self, curves: Index, points: Array, away: Array) -> None:
        """Boundaries of many edges at once."""
        for row, curve in enumerate(curves.tolist()):
            self.add(curve, points[row], away[row])

    def reach(self, curves: slice) -> float:
        """How far the edges of a body are from the origin at most."""
        return float(np.sqrt(np.nan_to_num((self.in_space[curves] ** 2).sum(axis=2)).max(initial=0.0)))

    @cached_property
    def _lengths(self) -> Array:
        """(edges,) the edges' lengths, by chords: short by a few per cent where curved."""
        return np.asarray(np.linalg.norm(np.diff(self._polylines, axis=1), axis=2).sum(axis=1))

    @cached_property
    def _polylines(self) -> Array:
        """(edges, 33, 3)."""
        return at_fractions(self.groups, _FREE_FRACTIONS, self.count)

    @cached_property
    def _widths(self) -> Array:
        """(edges,) the widest gap between the boundaries of each edge; 0 of free ones."""
        widths = np.zeros(self.count)
        pairs = [(curve, sides[0], side) for curve, sides in self._points.items() for side in sides[1:]]
        if pairs:
            apart = np.array([side[0] for *_, side in pairs]) - np.array([first[0] for _, first, _ in pairs])
            away = np.array([first[1] + side[1] for _, first, side in pairs])
            gaps = np.linalg.norm(apart, axis=2) + away
            np.maximum.at(widths, [curve for curve, *_ in pairs], np.nan_to_num(gaps, nan=np.inf).max(axis=1))
        return widths

    @cached_property
    def _free(self) -> Index:
        return np.array([curve for curve, sides in self._points.items() if len(sides) == 1], dtype=np.intp)

    def strips(self, curves: slice) -> tuple[float, float, float]:
        """Area of the strips along edges with two faces, area of those along free edges, and the widest of these; of one body.

        The width of the latter is infinite where a face is missing, and 0 where there is no free edge.
        """
        widths, lengths = self._widths[curves], self._lengths
        free = self._free[(self._free >= curves.start) & (self._free < curves.stop)]
        missed = self._apart(free)
        inner = float((widths * lengths[curves])[widths > 0.0].sum())
        return SAFETY * inner, SAFETY * float((missed * lengths[free]).sum()), float(missed.max(initial=0.0))

    def _apart(self, free: Index) -> Array:
        """For each free edge, the greatest distance of its points from the other free edges; infinite beyond FREE_GAP."""
        if not 2 <= len(free) <= MOST_FREE:
            return np.full(len(free), np.inf)
        # scipy takes a third of a second to import, which a closed body does not spend.
        from spatial.models.brep.polylines import greatest_distance

        points = self._polylines[free]
        found = np.array([greatest_distance(points[row], np.delete(points, row, axis=0)) for row in range(len(free))])
        return np.where(found <= FREE_GAP, found, np.inf)
