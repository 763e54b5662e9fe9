"""The entities that a document lists of a PDF page: sections of its paths, in plain numbers.

Glossary: see `_pdfpaths`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spatial.extraction.drawing.sheet import Array, Indices
from spatial.geometry.arcs import ellipse

POINTS_A_PAGE: Final = 200_000
"""Points of the polylines, curves and fills that are listed of one page."""
SQUARE: Final = 0.02
"""Cosine of the angle that two sides of a rectangle may have."""


@dataclass(slots=True)
class Sections:
    """What is joined and of one sort, k sections."""

    ends: Array
    """(n, 4) of all pieces."""
    curve: Indices
    """(n,) row in `control`; -1 of a line."""
    control: Array
    """(m, 8)"""
    first: Indices
    """(k,) first piece of each."""
    path: Indices
    """(k,)"""
    sort: Indices
    """(k,) 0 straight, 1 curves that are no arcs, 2 + a an arc, -1 filled only."""
    arcs: Array
    """(a, 5)"""
    of_arc: Indices
    """(a,) the section of each arc."""
    outlines: dict[int, Array] = field(default_factory=dict)
    """Section to the filled outline that begins with it."""
    bars: dict[int, tuple[float, float, float, float, float]] = field(default_factory=dict)
    """Section to the line x1, y1, x2, y2, width that it fills."""
    kinds: list[str] = field(default_factory=list)
    """(k,) type of entity."""
    ellipses: dict[int, tuple[float, float, float, float, float]] = field(default_factory=dict)

    def last(self) -> Indices:
        """(k,) the piece after the last of each."""
        return np.append(self.first[1:], len(self.ends))

    def name(self) -> None:
        """Say of each section what type of entity it is."""
        last = self.last()
        closed = np.abs(self.ends[self.first, :2] - self.ends[last - 1, 2:]).max(axis=1) <= 0.02
        four = closed & (last - self.first == 4)
        rectangles = four & self._right_angled()
        for place, (sort, begin, stop, box, loop) in enumerate(
            zip(*(part.tolist() for part in (self.sort, self.first, last, rectangles, four)), strict=True)
        ):
            self.kinds.append(self._kind(place, sort, begin, stop, box, loop))

    def _kind(self, place: int, sort: int, begin: int, stop: int, box: bool, loop: bool) -> str:
        if sort == 0:
            return "rectangle" if box else "line" if stop - begin == 1 else "polyline"
        if sort >= 2:
            return "circle" if self.arcs[sort - 2, 4] == 360.0 and self.arcs[sort - 2, 3] == 0.0 else "arc"
        if sort == -1:
            return "line" if place in self.bars else "fill"
        axes = ellipse(self.control[self.curve[begin:stop]]) if loop else None
        if axes is not None:
            self.ellipses[place] = axes
        return "bezier" if axes is None else "ellipse"

    def _right_angled(self) -> Any:
        """(k,) whether the first three pieces of each stand at right angles."""
        along = self.ends[:, 2:] - self.ends[:, :2]
        length = np.hypot(along[:, 0], along[:, 1])
        top = len(along) - 1
        one, two, three = (np.minimum(self.first + step, top) for step in range(3))
        slack = SQUARE * length
        corner = np.abs((along[one] * along[two]).sum(axis=1)) <= slack[one] * length[two]
        return corner & (np.abs((along[two] * along[three]).sum(axis=1)) <= slack[two] * length[three])


def entities(
    sections: Sections, styles: list[dict[str, Any]], page: int, before: int, limit: int
) -> tuple[list[dict[str, Any]], Indices]:
    """The entities of a page, and of each section the place of its entity in the document; -1 of one that is not listed."""
    places = np.full(len(sections.kinds), -1, np.int64)
    rounded = _Rounded(sections)
    made: list[dict[str, Any]] = []
    left = POINTS_A_PAGE
    last = sections.last().tolist()
    for place, (kind, begin, stop) in enumerate(zip(sections.kinds, sections.first.tolist(), last, strict=True)):
        left -= len(sections.outlines[place]) if kind == "fill" and place in sections.outlines else stop - begin
        if len(made) >= limit or left < 0:
            break
        entity: dict[str, Any] = {"id": f"entity-{before + len(made) + 1}", "type": kind, "page": page}
        entity.update(styles[sections.path[place]])
        if kind == "fill":
            entity.pop("fill", None)
            entity.pop("width", None)
        entity.update(rounded.geometry(place, kind, begin, stop))
        places[place] = before + len(made)
        made.append(entity)
    return made, places


class _Rounded:
    """Geometry in plain numbers of three decimals."""

    def __init__(self, sections: Sections) -> None:
        self.sections = sections
        self.ends = (np.round(sections.ends, 3) + 0.0).tolist()
        self.arcs = (np.round(sections.arcs, 3) + 0.0).tolist()

    def geometry(self, place: int, kind: str, begin: int, stop: int) -> dict[str, Any]:
        if kind == "line":
            x1, y1, x2, y2 = self._bar(place) or self.ends[begin]
            return {"start": [x1, y1], "end": [x2, y2]}
        if kind in {"circle", "arc"}:
            x, y, radius, start, end = self.arcs[int(self.sections.sort[place]) - 2]
            circle: dict[str, Any] = {"center": [x, y], "radius": radius}
            return circle if kind == "circle" else circle | {"start_angle": start, "end_angle": end}
        if kind == "ellipse":
            x, y, major, minor, angle = (round(part, 3) + 0.0 for part in self.sections.ellipses[place])
            return {"center": [x, y], "radii": [major, minor], "angle": angle}
        if kind == "fill":
            points = self.sections.outlines.get(place, np.zeros((0, 2)))
            return {"points": (np.round(points, 3) + 0.0).tolist()}
        if kind == "bezier":
            return {"points": self._control(begin, stop)}
        return self._chain(kind, begin, stop)

    def _bar(self, place: int) -> list[float] | None:
        bar = self.sections.bars.get(place)
        return None if bar is None else [round(part, 3) + 0.0 for part in bar[:4]]

    def _control(self, begin: int, stop: int) -> list[list[float]]:
        control = self.sections.control[self.sections.curve[begin:stop]].reshape(-1, 4, 2)
        points = np.concatenate([control[:1, 0], control[:, 1:].reshape(-1, 2)])
        listed: list[list[float]] = (np.round(points, 3) + 0.0).tolist()
        return listed

    def _chain(self, kind: str, begin: int, stop: int) -> dict[str, Any]:
        ends = self.ends[begin:stop]
        points = [end[:2] for end in ends]
        if kind == "rectangle":
            return {"points": points}
        final = ends[-1][2:]
        closed = max(abs(final[0] - points[0][0]), abs(final[1] - points[0][1])) <= 0.02
        return {"points": points if closed else [*points, final], "closed": closed}
