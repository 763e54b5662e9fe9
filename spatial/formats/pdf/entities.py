"""The entities that a document lists of a PDF page: sections of its paths, in plain numbers.

Glossary: see `paths`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spatial.formats.pdf.pieces import Pieces
from spatial.geometry.arcs import ellipse
from spatial.geometry.columns import greatest, scalar_products
from spatial.models.sheet.drawing import Array, Indices

POINTS_A_PAGE: Final = 1_000_000
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

    def classify(self) -> None:
        """Set the type of entity of each section."""
        last = self.last()
        closed = greatest(np.abs(self.ends[self.first, :2] - self.ends[last - 1, 2:])) <= 0.02
        four = closed & (last - self.first == 4)
        rectangles = four & self._right_angled()
        single = last - self.first == 1
        straight = np.where(rectangles, "rectangle", np.where(single, "line", "polyline"))
        self.kinds = np.select(
            [self.sort == 0, self.sort == 1, self.sort == -1], [straight, "bezier", "fill"], "arc"
        ).tolist()
        for place in (self.of_arc[(self.arcs[:, 3] == 0.0) & (self.arcs[:, 4] == 360.0)]).tolist():
            self.kinds[place] = "circle"
        for place in self.bars:
            self.kinds[place] = "line"
        for place in np.flatnonzero(four & (self.sort == 1)).tolist():
            axes = ellipse(self.control[self.curve[self.first[place] : last[place]]])
            if axes is not None:
                self.ellipses[place] = axes
                self.kinds[place] = "ellipse"

    def _right_angled(self) -> Any:
        """(k,) whether the first three pieces of each stand at right angles."""
        along = self.ends[:, 2:] - self.ends[:, :2]
        length = np.hypot(along[:, 0], along[:, 1])
        top = len(along) - 1
        one, two, three = (np.minimum(self.first + step, top) for step in range(3))
        slack = SQUARE * length
        corner = np.abs(scalar_products(along[one], along[two])) <= slack[one] * length[two]
        return corner & (np.abs(scalar_products(along[two], along[three])) <= slack[two] * length[three])


def entities(
    sections: Sections, pieces: Pieces, page: int, before: int, limit: int
) -> tuple[list[dict[str, Any]], Indices]:
    """The entities of a page, and of each section the place of its entity in the document; -1 of one that is not listed."""
    listed = _listed(sections, limit)
    rounded = _Rounded(sections)
    looks = [_members(style, page) for style in pieces.styles]
    bare = [{name: value for name, value in look.items() if name not in {"fill", "width"}} for look in looks]
    lines = [{"id": "", "type": "line", **look, "start": None, "end": None} for look in looks]
    made: list[dict[str, Any]] = []
    own = pieces.style[sections.path].tolist()
    rows = zip(sections.kinds[:listed], sections.first.tolist(), sections.last().tolist(), own)  # noqa: B905
    for place, (kind, begin, stop, key) in enumerate(rows):
        name = f"entity-{before + place + 1}"
        if kind == "line" and place not in sections.bars:
            line = lines[key].copy()
            line["id"] = name
            line["start"], line["end"] = rounded.ends[begin]
            made.append(line)
            continue
        look = (bare if kind == "fill" else looks)[key]
        made.append({"id": name, "type": kind, **look, **rounded.geometry(place, kind, begin, stop)})
    places = np.full(len(sections.kinds), -1, np.int64)
    places[:listed] = before + np.arange(listed)
    return made, places


def unlisted(sections: Sections, listed: int) -> dict[str, Any]:
    """Of the sections that are not listed: how many, of which types, and the box that they lie in; the last that the page draws."""
    first = int(sections.first[listed])
    bent = sections.curve[first:]
    places = np.concatenate([sections.ends[first:].reshape(-1, 2), sections.control[bent[bent >= 0]].reshape(-1, 2)])
    return {
        "count": len(sections.kinds) - listed,
        "types": dict(Counter(sections.kinds[listed:]).most_common()),
        "bbox": _plain(np.concatenate([places.min(axis=0), places.max(axis=0)])).tolist(),
    }


def _members(style: dict[str, Any], page: int) -> dict[str, Any]:
    """What entities of a style have between their type and their geometry, in the order of the contract."""
    layer = {"layer": style["layer"]} if "layer" in style else {}
    return {**layer, "page": page, **style}


def _listed(sections: Sections, limit: int) -> int:
    """How many entities are listed: as many as have no more points than a page may list."""
    points = sections.last() - sections.first
    for place, outline in sections.outlines.items():
        points[place] = len(outline)
    return min(int(np.searchsorted(points.cumsum(), POINTS_A_PAGE, side="right")), limit)


class _Rounded:
    """Geometry in plain numbers of three decimals."""

    def __init__(self, sections: Sections) -> None:
        self.sections = sections
        self.ends: list[list[list[float]]] = _plain(sections.ends).reshape(-1, 2, 2).tolist()
        self.arcs = _plain(sections.arcs).tolist()
        self.arc = (sections.sort - 2).tolist()

    def geometry(self, place: int, kind: str, begin: int, stop: int) -> dict[str, Any]:
        if kind == "line":
            start, end = self._bar(place)
            return {"start": start, "end": end}
        if kind == "arc":
            x, y, radius, first, last = self.arcs[self.arc[place]]
            return {"center": [x, y], "radius": radius, "start_angle": first, "end_angle": last}
        if kind == "circle":
            x, y, radius, _, _ = self.arcs[self.arc[place]]
            return {"center": [x, y], "radius": radius}
        if kind == "ellipse":
            x, y, major, minor, angle = (round(part, 3) + 0.0 for part in self.sections.ellipses[place])
            return {"center": [x, y], "radii": [major, minor], "angle": angle}
        if kind == "fill":
            points = self.sections.outlines.get(place, np.zeros((0, 2)))
            return {"points": _plain(points).tolist()}
        if kind == "bezier":
            return {"points": self._control(begin, stop)}
        return self._chain(kind, begin, stop)

    def _bar(self, place: int) -> list[list[float]]:
        x1, y1, x2, y2 = (round(part, 3) + 0.0 for part in self.sections.bars[place][:4])
        return [[x1, y1], [x2, y2]]

    def _control(self, begin: int, stop: int) -> list[list[float]]:
        control = self.sections.control[self.sections.curve[begin:stop]].reshape(-1, 4, 2)
        points = np.concatenate([control[:1, 0], control[:, 1:].reshape(-1, 2)])
        listed: list[list[float]] = _plain(points).tolist()
        return listed

    def _chain(self, kind: str, begin: int, stop: int) -> dict[str, Any]:
        points = [end[0] for end in self.ends[begin:stop]]
        if kind == "rectangle":
            return {"points": points}
        first, final = points[0], self.ends[stop - 1][1]
        closed = abs(final[0] - first[0]) <= 0.02 and abs(final[1] - first[1]) <= 0.02
        return {"points": points if closed else [*points, final], "closed": closed}


def _plain(numbers: Array) -> Array:
    """To three decimals, without -0."""
    return np.asarray(np.round(numbers, 3) + 0.0)
