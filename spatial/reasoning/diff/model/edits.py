"""Which surfaces of a body changed, after the two bodies were aligned.

Surfaces that coincide are pairs. The others are assigned by type, place, direction and size: a hole with another
diameter keeps its axis, a side that was moved keeps its normal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from spatial.reasoning.diff.assignment import Match, Weight, assign, placed, rest, total_cost
from spatial.reasoning.diff.model.body import Body
from spatial.reasoning.diff.model.congruence import Fit
from spatial.reasoning.diff.model.surfaces import AREA, CONE, CYLINDER, PLANE, TORUS, TYPES, Surfaces, is_close
from spatial.reasoning.diff.similarity import LARGE, number_distances
from spatial.reasoning.scene.model import Array

WEIGHTS: Final = {
    "direction": Weight(0.35, "an edit seldom turns a surface"),
    "place": Weight(0.35, "an edit moves few surfaces, and by little"),
    "size": Weight(0.20, "radii of one feature stay near each other"),
    "area": Weight(0.10, "changes with the neighbours, too"),
}
"""Terms of the cost of two surfaces of one type."""

LIMIT: Final = 0.5
"""Cost above which two surfaces are different ones."""

REACH: Final = 0.1
"""Distance at which the place of two surfaces has nothing in common, as a part of the body's size."""

TURN: Final = 0.1
"""Difference of two unit directions (about 6 degrees) at which they have nothing in common."""

Action = Literal["changed", "moved", "added", "removed", "trimmed"]


@dataclass(frozen=True, eq=False)
class Edit:
    """One surface that is not as it was. Places in the surfaces of the previous (aligned) and the current body; None: has none.

    trimmed: the same surface with another area, as the faces around a changed hole have it.
    """

    action: Action
    type: int
    previous: int | None
    current: int | None


@dataclass(frozen=True, eq=False)
class Edits:
    """All edits of a body. before: the previous surfaces, aligned; after: the current ones.

    freeform: areas of the faces without parameters that only the previous, and only the current body has.
    """

    before: Surfaces
    after: Surfaces
    rows: tuple[Edit, ...]
    freeform: tuple[Array, Array]
    pairs: tuple[tuple[int, int], ...]
    """Places of all surfaces with a pair, changed or not."""


def find_edits(previous: Body, current: Body, fit: Fit) -> Edits:
    """The edits of two bodies under the transform of their fit."""
    before, after = previous.surfaces.transformed(fit.transform), current.surfaces
    coincident = [Match(int(row), int(column)) for row, column in fit.pairs]
    assigned = list(_assigned(before, after, coincident, current))
    rows = [*_trimmed(before, after, coincident), *(_edit(before, after, each) for each in assigned)]
    matches = [*coincident, *assigned]
    lonely = rest(len(before), [match.previous for match in matches])
    rows += [Edit("removed", int(before.types[place]), place, None) for place in lonely]
    lonely = rest(len(after), [match.current for match in matches])
    rows += [Edit("added", int(after.types[place]), None, place) for place in lonely]
    pairs = tuple((match.previous, match.current) for match in matches)
    return Edits(before, after, tuple(rows), _freeform(before.freeform, after.freeform), pairs)


def _trimmed(before: Surfaces, after: Surfaces, matches: list[Match]) -> Iterator[Edit]:
    for match in matches:
        if not is_close(before.areas[match.previous], after.areas[match.current]):
            yield Edit("trimmed", int(before.types[match.previous]), match.previous, match.current)


def _edit(before: Surfaces, after: Surfaces, match: Match) -> Edit:
    kind = int(before.types[match.previous])
    # The radius of a cone depends on where its origin is; another one of the same angle is the same cone elsewhere.
    first = 1 if kind == CONE else 0
    same_size = np.allclose(
        before.sizes[match.previous, first:], after.sizes[match.current, first:], rtol=1e-6, atol=0.0
    )
    action: Action = "moved" if same_size or kind == PLANE else "changed"
    return Edit(action, kind, match.previous, match.current)


def _assigned(before: Surfaces, after: Surfaces, matches: list[Match], body: Body) -> Iterator[Match]:
    first = rest(len(before), [match.previous for match in matches])
    second = rest(len(after), [match.current for match in matches])
    for kind in range(len(TYPES)):
        rows = [place for place in first if before.types[place] == kind]
        columns = [place for place in second if after.types[place] == kind]
        if not rows or not columns or len(rows) * len(columns) > LARGE:
            continue
        swapped = before.areas[rows].tolist() > after.areas[columns].tolist()
        cost = _cost(before, after, rows, columns, body)
        yield from placed(assign(cost, LIMIT, swapped=swapped), rows, columns)


def _cost(before: Surfaces, after: Surfaces, rows: list[int], columns: list[int], body: Body) -> Array:
    kind = before.types[rows[0]]
    gaps = np.linalg.norm(before.feet(body.center)[rows][:, None] - after.feet(body.center)[columns][None], axis=2)
    turns = before.directions[rows][:, None] - after.directions[columns][None]
    if kind in (CYLINDER, TORUS):
        other = before.directions[rows][:, None] + after.directions[columns][None]
        turns = np.where(
            np.linalg.norm(turns, axis=2)[..., None] < np.linalg.norm(other, axis=2)[..., None], turns, other
        )
    column = 1 if kind == CONE else 0
    terms = {
        "direction": np.minimum(np.linalg.norm(turns, axis=2) / TURN, 1.0),
        "place": np.minimum(gaps / (REACH * body.size), 1.0),
        "size": number_distances(before.sizes[rows, column].tolist(), after.sizes[columns, column].tolist()),
        "area": number_distances(before.areas[rows].tolist(), after.areas[columns].tolist()),
    }
    return total_cost(WEIGHTS, terms)


def _freeform(before: Array, after: Array) -> tuple[Array, Array]:
    """Areas that only one side has; both are sorted."""
    left, right = list(before), list(after)
    lonely: tuple[list[float], list[float]] = ([], [])
    row = column = 0
    while row < len(left) and column < len(right):
        if np.isclose(left[row], right[column], rtol=AREA, atol=0.0):
            row, column = row + 1, column + 1
        elif left[row] < right[column]:
            lonely[0].append(left[row])
            row += 1
        else:
            lonely[1].append(right[column])
            column += 1
    return np.array(lonely[0] + left[row:]), np.array(lonely[1] + right[column:])
