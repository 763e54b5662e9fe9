"""How the shapes of a page lie to each other: few enough to be read, enough to know the layout.

The rule, among shapes that have the same parent and are visible:
  contains            every parent of its children; and the smallest other shape that a shape lies within entirely.
  overlaps            two shapes whose insides meet, neither within the other.
  left_of, above      a shape and the nearest one to its right (below it) that it shares some height (width) with.
  right_of, below     likewise to its left (above it), where that neighbour does not already say so the other way round.
Two shapes that an edge connects are related even where they are not neighbours, by the direction in which they are farther
apart; `via_edge` names the edge. Everything is near-linear in the number of shapes: rows and columns are looked up in bins.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from spatial.extraction.diagram.boxes import Box

RELATED: Final = 50_000
"""Most relations of a page."""

CROWD: Final = 64
"""Most shapes of one cell of the grid that are compared with each other."""

MEET: Final = 0.5
"""Shapes that overlap by no more than this many pixels touch."""


class Shape(NamedTuple):
    """A shape and its edges: left, top, right, bottom."""

    id: str
    x0: float
    y0: float
    x1: float
    y1: float


Pair = tuple[str, str]


def relations(
    placed: Mapping[str, Box], parents: Mapping[str, str | None], edges: Iterable[Mapping[str, Any]]
) -> tuple[list[dict[str, str]], bool]:
    """What the page's shapes are to each other, and whether there were more than RELATED."""
    joined = {(edge["source"], edge["target"]): edge["id"] for edge in edges if edge["source"] and edge["target"]}
    families: dict[str | None, list[Shape]] = defaultdict(list)
    for name, parent in parents.items():
        x, y, width, height = placed[name]
        families[parent].append(Shape(name, x, y, x + width, y + height))
    found: dict[tuple[str, str, str], None] = {}
    for name, parent in parents.items():
        if parent is not None:
            found[("contains", parent, name)] = None
    for family in families.values():
        for relation in _of_family(family):
            found[relation] = None
    _by_edges(found, joined, {shape.id: (shape, parent) for parent, family in families.items() for shape in family})
    told = [_record(relation, joined) for relation in list(found)[:RELATED]]
    return told, len(found) > RELATED


def _record(relation: tuple[str, str, str], joined: Mapping[Pair, str]) -> dict[str, str]:
    kind, subject, other = relation
    edge = joined.get((subject, other)) or joined.get((other, subject))
    record = {"type": kind, "subject": subject, "object": other}
    return record | {"via_edge": edge} if edge and kind != "contains" else record


def _of_family(family: Sequence[Shape]) -> Iterator[tuple[str, str, str]]:
    """Relations of shapes with the same parent."""
    if len(family) < 2:
        return
    meeting = list(_meeting(family))
    within: dict[str, Shape] = {}
    for one, other in meeting:
        inner, outer = (one, other) if _area(one) <= _area(other) else (other, one)
        if _holds(outer, inner):
            if inner.id not in within or _area(outer) < _area(within[inner.id]):
                within[inner.id] = outer
        else:
            yield "overlaps", one.id, other.id
    yield from (("contains", outer.id, inner) for inner, outer in within.items())
    solid = [shape for shape in family if shape.x1 > shape.x0 and shape.y1 > shape.y0]
    yield from _neighbours(solid, "left_of", "right_of")
    yield from _neighbours([_turned(shape) for shape in solid], "above", "below")


def _turned(shape: Shape) -> Shape:
    """With x and y exchanged, so that below becomes right."""
    return Shape(shape.id, shape.y0, shape.x0, shape.y1, shape.x1)


def _area(shape: Shape) -> float:
    return (shape.x1 - shape.x0) * (shape.y1 - shape.y0)


def _holds(outer: Shape, inner: Shape) -> bool:
    return (
        outer.x0 - MEET <= inner.x0
        and outer.y0 - MEET <= inner.y0
        and inner.x1 <= outer.x1 + MEET
        and inner.y1 <= outer.y1 + MEET
        and _area(outer) > _area(inner)
    )


def _meeting(family: Sequence[Shape]) -> Iterator[tuple[Shape, Shape]]:
    """Pairs whose insides meet, each once."""
    step = _step([shape.x1 - shape.x0 for shape in family] + [shape.y1 - shape.y0 for shape in family])
    grid: dict[tuple[int, int], list[int]] = defaultdict(list)
    large: list[int] = []
    for place, shape in enumerate(family):
        columns = range(int(shape.x0 // step), int(shape.x1 // step) + 1)
        rows = range(int(shape.y0 // step), int(shape.y1 // step) + 1)
        if len(columns) * len(rows) > CROWD:
            large.append(place)
            continue
        for column in columns:
            for row in rows:
                grid[column, row].append(place)
    pairs = {
        (one, other)
        for crowd in grid.values()
        for at, one in enumerate(crowd[:CROWD])
        for other in crowd[at + 1 : CROWD]
    }
    pairs |= {
        (min(one, other), max(one, other)) for one in large[:CROWD] for other in range(len(family)) if one != other
    }
    for one, other in sorted(pairs):
        if _meet(family[one], family[other]):
            yield family[one], family[other]


def _meet(one: Shape, other: Shape) -> bool:
    return min(one.x1, other.x1) - max(one.x0, other.x0) > MEET and min(one.y1, other.y1) - max(one.y0, other.y0) > MEET


def _step(lengths: Sequence[float]) -> float:
    """Size of a bin: twice the middle size of what goes in."""
    middle = sorted(lengths)[len(lengths) // 2]
    return max(2.0 * middle, 1.0)


def _neighbours(family: Sequence[Shape], forward: str, backward: str) -> Iterator[tuple[str, str, str]]:
    """Each shape's nearest to the right, and where that one's nearest to the left is another, that one too."""
    right = dict(_nearest(family))
    mirrored = [Shape(shape.id, -shape.x1, shape.y0, -shape.x0, shape.y1) for shape in family]
    yield from ((forward, one, other) for one, other in right.items())
    yield from ((backward, one, other) for one, other in _nearest(mirrored) if right.get(other) != one)


def _nearest(family: Sequence[Shape]) -> Iterator[Pair]:
    """Each shape that has one, and the shape that begins next to the right of it at a common height."""
    if not family:
        return
    step = _step([shape.y1 - shape.y0 for shape in family])
    rows: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for place, shape in enumerate(family):
        for row in _rows(shape, step):
            rows[row].append((shape.x0, place))
    for starts in rows.values():
        starts.sort()
    for place, shape in enumerate(family):
        best = min(filter(None, (_next(rows[row], family, shape, place) for row in _rows(shape, step))), default=None)
        if best is not None:
            yield shape.id, family[best[1]].id


def _rows(shape: Shape, step: float) -> range:
    first = int(shape.y0 // step)
    return range(first, min(int(shape.y1 // step), first + CROWD) + 1)


def _next(row: list[tuple[float, int]], family: Sequence[Shape], shape: Shape, place: int) -> tuple[float, int] | None:
    for at in range(
        bisect_left(row, (shape.x1 - MEET, -1)), min(len(row), bisect_left(row, (shape.x1 - MEET, -1)) + CROWD)
    ):
        start, other = row[at]
        if other != place and min(shape.y1, family[other].y1) - max(shape.y0, family[other].y0) > MEET:
            return start, other
    return None


def _by_edges(
    found: dict[tuple[str, str, str], None],
    joined: Mapping[Pair, str],
    shapes: Mapping[str, tuple[Shape, str | None]],
) -> None:
    """Relate what edges connect."""
    related = {frozenset((subject, other)) for _, subject, other in found}
    for source, target in joined:
        if source == target or source not in shapes or target not in shapes or frozenset((source, target)) in related:
            continue
        (one, parent), (other, parent_of_other) = shapes[source], shapes[target]
        if parent == parent_of_other and (relation := _apart(one, other)) is not None:
            found[relation, source, target] = None
            related.add(frozenset((source, target)))


def _apart(one: Shape, other: Shape) -> str | None:
    """The direction in which two shapes are farther apart; None where they meet."""
    gaps = {
        "left_of": other.x0 - one.x1,
        "right_of": one.x0 - other.x1,
        "above": other.y0 - one.y1,
        "below": one.y0 - other.y1,
    }
    direction = max(gaps, key=lambda name: gaps[name])
    return direction if gaps[direction] >= -MEET else None
