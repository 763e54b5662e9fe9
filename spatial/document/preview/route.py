"""Where a connector runs, as nearly as the document lets it be known.

draw.io computes the bends of connectors that run along the axes when it draws them and does not store them. Here they leave
a shape on the side that faces where they go, and bend half way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spatial.contract.diagram import Rectangle
from spatial.document.preview import svg

Point = tuple[float, float]


@dataclass(frozen=True)
class End:
    """One end: on a shape, at a fixed point of it, or loose at a point."""

    box: Rectangle | None
    point: Sequence[float] | None

    @property
    def at(self) -> Point | None:
        """The fixed point, or the middle of the shape; None where neither is known."""
        if self.point is not None:
            return self.point[0], self.point[1]
        return None if self.box is None else (self.box.x + self.box.width / 2, self.box.y + self.box.height / 2)


def trail(source: End, waypoints: Sequence[Point], target: End, *, squared: bool) -> list[Point]:
    """Points from border to border; empty where an end is nowhere."""
    start, end = source.at, target.at
    if start is None or end is None:
        return []
    if not squared:
        first, last = (waypoints[0], waypoints[-1]) if waypoints else (end, start)
        return [_border(source, start, first), *waypoints, _border(target, end, last)]
    if waypoints:
        return _bent([_facing(source, start, waypoints[0]), *waypoints, _facing(target, end, waypoints[-1])])
    return _direct(source, start, target, end)


def curved(points: Sequence[Point]) -> str:
    """Path data of a curve that is drawn towards the inner points."""
    if len(points) < 3:
        return svg.path(points)
    n, inner = svg.number, points[1:-1]
    steps = [f"M{n(points[0][0])} {n(points[0][1])}"]
    for place, (x, y) in enumerate(inner):
        last = place == len(inner) - 1
        after = points[-1] if last else ((x + inner[place + 1][0]) / 2, (y + inner[place + 1][1]) / 2)
        steps.append(f"Q{n(x)} {n(y)} {n(after[0])} {n(after[1])}")
    return " ".join(steps)


def _border(end: End, inside: Point, towards: Point) -> Point:
    """Where a line from the middle of a shape leaves it; a fixed point stays."""
    dx, dy = towards[0] - inside[0], towards[1] - inside[1]
    if end.box is None or end.point is not None or (not dx and not dy):
        return inside
    reach = [end.box.width / 2 / abs(dx)] if dx else []
    reach += [end.box.height / 2 / abs(dy)] if dy else []
    part = min([*reach, 1.0])
    return inside[0] + part * dx, inside[1] + part * dy


def _facing(end: End, inside: Point, towards: Point) -> Point:
    """Where a shape is left along an axis towards a point."""
    box = end.box
    if box is None or end.point is not None:
        return inside
    if box.y <= towards[1] <= box.y + box.height:
        return (box.x + box.width if towards[0] > inside[0] else box.x), towards[1]
    if box.x <= towards[0] <= box.x + box.width:
        return towards[0], (box.y + box.height if towards[1] > inside[1] else box.y)
    return _border(end, inside, (inside[0], towards[1]))


def _direct(source: End, start: Point, target: End, end: Point) -> list[Point]:
    """Without waypoints: straight where the shapes face each other, else with a bend or two."""
    one, two = source.box, target.box
    if one is not None and two is not None and source.point is None and target.point is None:
        low, high = max(one.y, two.y), min(one.y + one.height, two.y + two.height)
        if low < high:
            y = (low + high) / 2
            return [_facing(source, start, (end[0], y)), _facing(target, end, (start[0], y))]
        low, high = max(one.x, two.x), min(one.x + one.width, two.x + two.width)
        if low < high:
            x = (low + high) / 2
            return [_facing(source, start, (x, end[1])), _facing(target, end, (x, start[1]))]
    level = [_level(each, at, other) for each, at, other in ((source, start, end), (target, end, start))]
    a = _border(source, start, (end[0], start[1]) if level[0] else (start[0], end[1]))
    b = _border(target, end, (start[0], end[1]) if level[1] else (end[0], start[1]))
    if level[0] != level[1]:
        return [a, (b[0], a[1]) if level[0] else (a[0], b[1]), b]
    if level[0]:
        x = (a[0] + b[0]) / 2
        return [a, (x, a[1]), (x, b[1]), b]
    y = (a[1] + b[1]) / 2
    return [a, (a[0], y), (b[0], y), b]


def _level(end: End, at: Point, other: Point) -> bool:
    """Whether an end leaves sideways: a fixed point by the side it is on, another by where it goes."""
    if end.box is not None and end.point is not None:
        sides = min(at[0] - end.box.x, end.box.x + end.box.width - at[0])
        return sides <= min(at[1] - end.box.y, end.box.y + end.box.height - at[1])
    return abs(other[0] - at[0]) >= abs(other[1] - at[1])


def _bent(points: list[Point]) -> list[Point]:
    """With a corner wherever two points are not on one axis."""
    found = points[:1]
    for after in points[1:]:
        before = found[-1]
        if abs(before[0] - after[0]) > 1 and abs(before[1] - after[1]) > 1:
            came_level = len(found) > 1 and abs(found[-2][1] - before[1]) < 1
            found.append((before[0], after[1]) if came_level else (after[0], before[1]))
        found.append(after)
    return found
