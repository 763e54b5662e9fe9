"""Lines, circles and other entities: equal geometry first, then the nearest of one type."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from spatial.contract.drawing import Entity
from spatial.reasoning.diff.assignment import Match, Weight, assign, placed, rest, total_cost
from spatial.reasoning.diff.fields import changed_fields, fields_text
from spatial.reasoning.diff.section import Change, Lone, PairScore, Section
from spatial.reasoning.diff.similarity import LARGE, difference, distances
from spatial.reasoning.scene.model import Array

PLACED: Final = frozenset(
    {"center", "start", "end", "points", "position", "outlines", "lines", "outline", "control_points", "fit_points"}
)
"""Members that are positions, which move with the sheet."""

STYLE: Final = frozenset({"color", "linetype", "width", "layer", "dash", "fill", "visible", "pattern", "solid"})
"""Members that say how an entity is drawn."""

IGNORED: Final = frozenset({"id", "insert", "viewport_id"})
"""Members that number things in the order of the file."""

SAME: Final = 1e-5
"""Distance up to which two points are the same, as a part of the sheet's diagonal: 5 µm on A3."""

REACH: Final = 0.02
"""Distance at which two entities have nothing in common, as a part of the sheet's diagonal: 10 mm on A3."""

WEIGHTS: Final = {
    "place": Weight(0.4, "an edit moves an entity by little"),
    "shape": Weight(0.4, "or changes its size by little"),
    "style": Weight(0.1, "layer, colour and line"),
    "page": Weight(0.1, "entities stay on their sheet"),
}
"""Terms of the cost of two entities of one type."""

LIMIT: Final = 0.45
"""Cost above which two entities are different ones: only the place or only the shape may have changed altogether."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """One entity, its positions aligned. diagonal: of the sheet."""

    entity: Entity
    shift: Array
    factor: float
    diagonal: float

    @cached_property
    def members(self) -> dict[str, Any]:
        """All that is compared."""
        return {name: value for name, value in self.entity.model_dump(exclude_none=True).items() if name not in IGNORED}

    @cached_property
    def points(self) -> Array:
        """(n, 2) its positions; of a line the two ends in ascending order."""
        values = [point for name in sorted(PLACED & set(self.members)) for point in _points(self.members[name])]
        rows = np.array(values, dtype=np.float64).reshape(-1, 2) * self.factor + self.shift
        if self.entity.type == "line" and len(rows) == 2:
            rows = rows[np.lexsort(np.round(rows / (SAME * self.diagonal)).T[::-1])]
        return rows

    @cached_property
    def scalars(self) -> dict[str, Any]:
        """Radius, angles and other members that are neither positions nor style."""
        return {name: value for name, value in self.members.items() if name not in PLACED and name not in STYLE}

    @cached_property
    def style(self) -> dict[str, Any]:
        """How it is drawn."""
        return {name: value for name, value in self.members.items() if name in STYLE}

    @cached_property
    def key(self) -> Hashable:
        """Equal for equal geometry, but for rounding at the border of two steps."""
        step = SAME * self.diagonal
        return self.entity.type, np.round(self.points / step).tobytes(), repr(_rounded(self.scalars, step, self.factor))

    @cached_property
    def box(self) -> Array:
        """(4,) centre, width and height."""
        if not len(self.points):
            return np.full(4, np.nan)
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        radius = float(self.members.get("radius", 0.0)) * self.factor
        return np.concatenate([(low + high) / 2, high - low + 2 * radius])


def compare_entities(previous: Sequence[Drawn], current: Sequence[Drawn]) -> Section:
    """The section of two sheets' entities."""
    first, second = _sorted(previous), _sorted(current)
    matches = _equal(first, second)
    for kind in sorted({str(each.entity.type) for each in first}):
        taken = {match.previous for match in matches}, {match.current for match in matches}
        rows = [place for place, each in enumerate(first) if str(each.entity.type) == kind and place not in taken[0]]
        columns = [
            place for place, each in enumerate(second) if str(each.entity.type) == kind and place not in taken[1]
        ]
        if rows and columns and len(rows) * len(columns) <= LARGE:
            found = _assigned([first[row] for row in rows], [second[column] for column in columns])
            matches += placed(found, rows, columns)
    changes = [list(_changes(first[each.previous], second[each.current])) for each in matches]
    return Section(
        "entities",
        "entity",
        added=[_lone(second[place]) for place in rest(len(second), [match.current for match in matches])],
        removed=[_lone(first[place]) for place in rest(len(first), [match.previous for match in matches])],
        changes=[change for rows in changes for change in rows],
        unchanged=sum(not rows for rows in changes),
        pairs=[PairScore(_id(first[each.previous]), _id(second[each.current]), 1.0 - each.cost) for each in matches],
    )


def _points(value: Any) -> Iterator[Sequence[float]]:
    """All positions in nested lists; positions may be keyed, too."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple) and len(value) >= 2 and all(isinstance(each, int | float) for each in value):
        yield value[:2]
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _points(each)


def _rounded(value: Any, step: float, factor: float) -> Any:
    if isinstance(value, dict):
        return {
            name: _rounded(value[name], step, factor if name in ("radius", "size") else 1.0) for name in sorted(value)
        }
    if isinstance(value, list | tuple):
        return [_rounded(each, step, factor) for each in value]
    if isinstance(value, float | int) and not isinstance(value, bool):
        return round(value * factor / step)
    return value


def _sorted(entities: Sequence[Drawn]) -> list[Drawn]:
    return sorted(entities, key=lambda each: (repr(each.key), repr(each.style), each.entity.id or ""))


def _equal(first: Sequence[Drawn], second: Sequence[Drawn]) -> list[Match]:
    """Entities of equal geometry, those of equal style first; of several equal ones each takes one."""
    found: list[Match] = []
    for with_style in (True, False):
        taken = {match.previous for match in found}, {match.current for match in found}
        columns: dict[Hashable, list[int]] = {}
        for place, each in enumerate(second):
            if place not in taken[1]:
                columns.setdefault((each.key, repr(each.style) if with_style else ""), []).append(place)
        for place, each in enumerate(first):
            queue = columns.get((each.key, repr(each.style) if with_style else "")) if place not in taken[0] else None
            if queue:
                found.append(Match(place, queue.pop(0)))
    return found


def _assigned(first: Sequence[Drawn], second: Sequence[Drawn]) -> list[Match]:
    boxes, others = np.array([each.box for each in first]), np.array([each.box for each in second])
    reach = REACH * first[0].diagonal
    terms = {
        "place": distances(boxes[:, :2], others[:, :2], reach),
        "shape": distances(boxes[:, 2:], others[:, 2:], reach),
        "style": difference([repr(each.style) for each in first], [repr(each.style) for each in second]),
        "page": difference([each.members.get("page") for each in first], [each.members.get("page") for each in second]),
    }
    return assign(total_cost(WEIGHTS, terms), LIMIT, swapped=boxes.tolist() > others.tolist())


def _changes(previous: Drawn, current: Drawn) -> Iterator[Change]:
    ids = {"id": _id(current), "previous_id": _id(previous), "type": current.entity.type}
    style = changed_fields(previous.style, current.style)
    if style:
        yield Change("restyled", ids | {"fields": style}, f"{_name(current)} was restyled: {fields_text(style)}")
    if previous.key == current.key:
        return
    same_points = previous.points.shape == current.points.shape
    tolerance = SAME * current.diagonal
    scalars = {
        name: each
        for name, each in changed_fields(previous.scalars, current.scalars).items()
        if not _is_close(each, tolerance)
    }
    if scalars:
        yield Change("changed", ids | {"fields": scalars}, f"{_name(current)} changed: {fields_text(scalars)}")
    if same_points and np.abs(previous.points - current.points).max(initial=0.0) <= tolerance:
        return
    gaps = current.points - previous.points if same_points else np.empty((0, 2))
    if len(gaps) and np.abs(gaps - gaps[0]).max() <= tolerance:
        text = f"{_name(current)} was moved by ({gaps[0, 0]:.6g}, {gaps[0, 1]:.6g})"
        yield Change("moved", ids | {"by": gaps[0]}, text)
    else:
        yield Change("changed", ids | {"points": True}, f"{_name(current)} changed its shape")


def _is_close(change: dict[str, Any], tolerance: float) -> bool:
    before, after = change.get("previous"), change.get("current")
    if not isinstance(before, float | int) or not isinstance(after, float | int):
        return False
    return abs(before - after) <= tolerance


def _lone(drawn: Drawn) -> Lone:
    members = drawn.members
    shown: dict[str, Any] = {name: members[name] for name in ("radius", "block") if name in members}
    details: dict[str, Any] = {
        "id": _id(drawn),
        "type": drawn.entity.type,
        "layer": drawn.entity.layer,
        "page": members.get("page"),
        "center": drawn.box[:2] if len(drawn.points) else None,
        **shown,
    }
    return Lone(details, _name(drawn))


def _id(drawn: Drawn) -> str:
    return drawn.entity.id or ""


def _name(drawn: Drawn) -> str:
    where = f" at ({drawn.box[0]:.6g}, {drawn.box[1]:.6g})" if len(drawn.points) else ""
    return f"{drawn.entity.type or 'entity'}{where}"
