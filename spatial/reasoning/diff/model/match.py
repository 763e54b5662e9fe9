"""Which body of the previous model became which body of the current one, and the alignment of the models.

Bodies of one shape have one signature. Where a signature occurs once on both sides the pair is certain; bodies of a
repeated shape (a hundred equal bolts) are assigned by place, name and assembly. What is left has changed its shape, and is
assigned by everything that describes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.spatial import cKDTree

from spatial.reasoning.diff.alignment import Alignment, choose
from spatial.reasoning.diff.assignment import Match, Weight, assign, placed, rest, total_cost
from spatial.reasoning.diff.model.body import Body
from spatial.reasoning.diff.model.congruence import Fits, register
from spatial.reasoning.diff.model.surfaces import LENGTH, TYPES
from spatial.reasoning.diff.rigid import IDENTITY, Rigid
from spatial.reasoning.diff.similarity import LARGE, difference, distances, number_distances, text_distances
from spatial.reasoning.scene.model import Array

EQUAL_SHAPE: Final = {
    "place": Weight(0.5, "most bodies stay where they are"),
    "path": Weight(0.3, "bodies move with their assembly"),
    "name": Weight(0.2, "equal bodies mostly have equal names"),
}
"""Terms of the cost of two bodies of one shape; all of them are paired, at any cost."""

CHANGED_SHAPE: Final = {
    "name": Weight(0.25, "parts keep their name over revisions"),
    "surfaces": Weight(0.20, "an edit keeps most surfaces"),
    "place": Weight(0.15, "most bodies stay where they are"),
    "volume": Weight(0.15, "an edit changes little of the volume"),
    "size": Weight(0.10, "and of the size of the box"),
    "path": Weight(0.10, "bodies move with their assembly"),
    "type": Weight(0.05, "a shell may have been closed to a solid"),
}
"""Terms of the cost of two bodies of different shape."""

LIMIT: Final = 0.5
"""Cost above which two bodies are different ones: less than half of what describes them agrees."""

MOST_TRIALS: Final = 24
"""Most pairs of bodies from which candidates for the alignment are taken."""


def match_bodies(
    previous: Sequence[Body], current: Sequence[Body], fits: Fits, *, is_fixed: bool = False
) -> tuple[list[Match], Alignment]:
    """Pairs of places in both sequences, and the alignment."""
    groups = _groups(previous, current)
    alignment = _align(previous, current, groups, fits, is_fixed)
    found: list[Match] = []
    for before, after in groups:
        found += _equal_shapes(previous, current, before, after, alignment.transform)
    before = rest(len(previous), [match.previous for match in found])
    after = rest(len(current), [match.current for match in found])
    found += _changed_shapes(previous, current, before, after, alignment.transform)
    return sorted(found, key=lambda match: match.previous), alignment


def _groups(previous: Sequence[Body], current: Sequence[Body]) -> list[tuple[list[int], list[int]]]:
    """Places of the bodies of one signature, for signatures that both sides have; the rarest first."""
    found: dict[tuple[object, ...], tuple[list[int], list[int]]] = {}
    for side, bodies in enumerate((previous, current)):
        for place, body in enumerate(bodies):
            found.setdefault(body.signature, ([], []))[side].append(place)
    both = [group for group in found.values() if group[0] and group[1]]
    return sorted(both, key=lambda group: (len(group[0]) * len(group[1]), group[0]))


def _align(
    previous: Sequence[Body],
    current: Sequence[Body],
    groups: Sequence[tuple[list[int], list[int]]],
    fits: Fits,
    is_fixed: bool,
) -> Alignment:
    """By how many bodies a transform takes to the place of a body of the same shape."""
    trees = [cKDTree([current[place].center for place in after]) for _, after in groups]

    def explain(transform: Rigid) -> list[float | None]:
        found: list[float | None] = []
        for (before, after), tree in zip(groups, trees, strict=True):
            centres = transform.points(np.array([previous[place].center for place in before]))
            gaps, nearest = tree.query(centres)
            for place, gap, other in zip(before, gaps, nearest, strict=True):
                body = current[after[int(other)]]
                near = gap <= 10 * LENGTH * body.size and fits.of(previous[place], body, transform).is_same
                found.append(float(gap) if near else None)
        return found

    if is_fixed or all(each is not None for each in explain(IDENTITY)):
        return choose([], explain)
    return choose(_candidates(previous, current, groups), explain)


def _candidates(
    previous: Sequence[Body], current: Sequence[Body], groups: Sequence[tuple[list[int], list[int]]]
) -> list[Rigid]:
    """Transforms between bodies of one shape, from the rarest shapes, without near duplicates."""
    found: list[Rigid] = []
    trials = ((previous[row], current[column]) for before, after in groups for row in before for column in after)
    for number, (first, second) in enumerate(trials):
        if number == MOST_TRIALS:
            break
        registered = register(first, second, IDENTITY)
        transform = registered.transform
        is_new = not any(_is_near(transform, other, second.size) for other in found)
        if registered.is_same and not registered.is_mirrored and is_new:
            found.append(transform)
    return found


def _is_near(first: Rigid, second: Rigid, size: float) -> bool:
    gap = np.abs(first.translation - second.translation).max()
    return bool(gap <= LENGTH * size and np.abs(first.rotation - second.rotation).max() <= 1e-6)


def _equal_shapes(
    previous: Sequence[Body], current: Sequence[Body], before: Sequence[int], after: Sequence[int], alignment: Rigid
) -> list[Match]:
    if len(before) == len(after) == 1:
        return [Match(before[0], after[0])]
    first, second = [previous[place] for place in before], [current[place] for place in after]
    found = _same_place(first, second, alignment)
    rows = rest(len(first), [match.previous for match in found])
    columns = rest(len(second), [match.current for match in found])
    if rows and columns and len(rows) * len(columns) <= LARGE:
        terms = _shared_terms([first[row] for row in rows], [second[column] for column in columns], alignment)
        cost = total_cost(EQUAL_SHAPE, terms)
        found += placed(assign(cost, 1.0, swapped=_is_swapped(first, second)), rows, columns)
    return placed(found, before, after)


def _same_place(first: Sequence[Body], second: Sequence[Body], alignment: Rigid) -> list[Match]:
    """Pairs that have not moved, and have kept their name and assembly."""
    keys = {(body.name, body.path, *_cell(body.center, body.size)): column for column, body in enumerate(second)}
    found = []
    for row, body in enumerate(first):
        center = alignment.points(body.center)
        column = keys.pop((body.name, body.path, *_cell(center, body.size)), None)
        if column is not None and np.linalg.norm(second[column].center - center) <= 10 * LENGTH * body.size:
            found.append(Match(row, column))
    return found


def _cell(center: Array, size: float) -> tuple[int, ...]:
    return tuple(np.round(center / (1e-3 * size) + 0.25).astype(int).tolist())


def _changed_shapes(
    previous: Sequence[Body], current: Sequence[Body], before: Sequence[int], after: Sequence[int], alignment: Rigid
) -> list[Match]:
    if not before or not after or len(before) * len(after) > LARGE:
        return []
    first, second = [previous[place] for place in before], [current[place] for place in after]
    kinds = [np.bincount(body.surfaces.types, minlength=len(TYPES)) for body in (*first, *second)]
    counts = np.array(
        [[*kind, len(body.surfaces.freeform)] for kind, body in zip(kinds, (*first, *second), strict=True)]
    )
    one, other = counts[: len(first), None], counts[None, len(first) :]
    shared = 2.0 * np.minimum(one, other).sum(axis=2) / np.maximum((one + other).sum(axis=2), 1)
    terms = _shared_terms(first, second, alignment) | {
        "surfaces": 1.0 - shared,
        "volume": number_distances([body.volume for body in first], [body.volume for body in second]),
        "size": number_distances([body.size for body in first], [body.size for body in second]),
        "type": difference([body.type for body in first], [body.type for body in second]),
    }
    cost = total_cost(CHANGED_SHAPE, terms)
    return placed(assign(cost, LIMIT, swapped=_is_swapped(first, second)), before, after)


def _shared_terms(first: Sequence[Body], second: Sequence[Body], alignment: Rigid) -> dict[str, Array]:
    centres = alignment.points(np.array([body.center for body in first]))
    reach = np.array([body.size for body in first])[:, None] + np.array([body.size for body in second])[None, :]
    paths = ["/".join(body.path) for body in first], ["/".join(body.path) for body in second]
    names = [body.name or "" for body in first], [body.name or "" for body in second]
    return {
        "place": distances(centres, np.array([body.center for body in second]), reach),
        "path": text_distances(*paths),
        "name": text_distances(*names),
    }


def _is_swapped(first: Sequence[Body], second: Sequence[Body]) -> bool:
    """Whether to solve the transposed problem, so that equal alternatives are decided alike in both directions."""
    return [body.order[:3] for body in first] > [body.order[:3] for body in second]
