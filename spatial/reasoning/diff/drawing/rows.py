"""Match and describe what is written on a sheet: callouts, dimensions and free texts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spatial.reasoning.diff.assignment import Match, Weight, assign, placed, rest, total_cost, unique_matches
from spatial.reasoning.diff.drawing.general import GeneralTolerance
from spatial.reasoning.diff.drawing.written import decimals_of, is_same_text, squeezed
from spatial.reasoning.diff.fields import changed_fields, delta, fields_text
from spatial.reasoning.diff.section import Change, Lone, PairScore, Section
from spatial.reasoning.diff.similarity import LARGE, difference, distances, number_distances, text_distances
from spatial.reasoning.scene.model import Array

WEIGHTS: Final = {
    "text": Weight(0.35, "an edit changes a part of the text"),
    "place": Weight(0.30, "what is written at one place is about one feature"),
    "value": Weight(0.15, "the nominal stays where a tolerance or fit class is edited"),
    "type": Weight(0.15, "a callout seldom becomes one of another type"),
    "page": Weight(0.05, "views move between sheets"),
}
"""Terms of the cost of two writings."""

LIMIT: Final = 0.5
"""Cost above which two writings are different ones: less than half of what describes them agrees."""

REACH: Final = 0.05
"""Distance at which two places have nothing in common, as a part of the sheet's diagonal."""

SAME_PLACE: Final = 0.002
"""Distance up to which a writing is in its place, as a part of the sheet's diagonal: 1 mm on A3."""


@dataclass(frozen=True)
class Writing:
    """One text of a sheet. fields: what is compared; value: its nominal; position: aligned, None if it has none."""

    id: str
    text: str
    type: str
    page: int
    position: tuple[float, float] | None
    value: float | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Context:
    """What a comparison of writings needs to know. diagonal: of the sheet; tolerances: before and after."""

    diagonal: float
    is_placed: bool
    """Whether positions of the two sheets can be compared."""
    tolerance: GeneralTolerance


def sort_writings(writings: Sequence[Writing]) -> list[Writing]:
    """By content, so that the order of the file never decides."""
    return sorted(writings, key=lambda each: (each.page, each.type, each.text, each.position or (), each.id))


def match_writings(previous: Sequence[Writing], current: Sequence[Writing], context: Context) -> list[Match]:
    """The same text that occurs once; the same text nearest to its place; then the assignment of least cost."""
    found = unique_matches(_keys(previous), _keys(current))
    for is_exact in (True, False):
        before = rest(len(previous), [match.previous for match in found])
        after = rest(len(current), [match.current for match in found])
        if not before or not after or len(before) * len(after) > LARGE:
            break
        first, second = [previous[place] for place in before], [current[place] for place in after]
        cost = total_cost(WEIGHTS, _terms(first, second, context))
        if is_exact:
            # A repeated text is the same writing where its text is the same, however far it moved.
            cost[difference(_keys(first), _keys(second)) > 0] = 2.0
        limit = 1.0 if is_exact else LIMIT
        found += placed(assign(cost, limit, swapped=_keys(first) > _keys(second)), before, after)
    return sorted(found, key=lambda match: match.previous)


def compare_writings(
    name: str, noun: str, previous: Sequence[Writing], current: Sequence[Writing], context: Context
) -> Section:
    """The section of two sequences of writings."""
    first, second = sort_writings(previous), sort_writings(current)
    matches = match_writings(first, second, context)
    changes = [list(_changes(noun, first[each.previous], second[each.current], context)) for each in matches]
    return Section(
        name,
        noun,
        added=[_lone(second[place]) for place in rest(len(second), [match.current for match in matches])],
        removed=[_lone(first[place]) for place in rest(len(first), [match.previous for match in matches])],
        changes=[change for rows in changes for change in rows],
        unchanged=sum(not rows for rows in changes),
        pairs=[PairScore(first[each.previous].id, second[each.current].id, 1.0 - each.cost) for each in matches],
    )


def _keys(writings: Sequence[Writing]) -> list[tuple[str, str]]:
    return [(each.type, squeezed(each.text)) for each in writings]


def _terms(first: Sequence[Writing], second: Sequence[Writing], context: Context) -> dict[str, Array]:
    places = [np.array([each.position or (np.nan, np.nan) for each in rows]) for rows in (first, second)]
    shape = (len(first), len(second))
    gaps = distances(places[0], places[1], REACH * context.diagonal) if context.is_placed else np.full(shape, 0.5)
    keys: list[list[Hashable]] = [[each.type for each in rows] for rows in (first, second)]
    return {
        "text": text_distances([each.text for each in first], [each.text for each in second]),
        "place": gaps,
        "value": number_distances([each.value for each in first], [each.value for each in second]),
        "type": difference(*keys),
        "page": difference([each.page for each in first], [each.page for each in second]),
    }


def _changes(noun: str, previous: Writing, current: Writing, context: Context) -> Iterator[Change]:
    ids = {"id": current.id, "previous_id": previous.id, "text": current.text}
    fields = changed_fields(previous.fields, current.fields)
    if not is_same_text(previous.text, current.text):
        fields = {"text": delta(previous.text, current.text)} | fields
    decimals = decimals_of(previous.text, current.text)
    if decimals is not None:
        yield _decimals(noun, previous, current, decimals, context.tolerance, ids | {"fields": fields})
    elif fields:
        shown = fields if "text" not in fields else {name: each for name, each in fields.items() if name == "text"}
        text = f"{noun} {previous.text!r} changed: {fields_text(shown)}"
        yield Change("changed", ids | {"fields": fields}, text)
    shift = _shift(previous, current, context)
    if shift is not None:
        text = f"{noun} {current.text!r} was moved by ({shift[0]:.6g}, {shift[1]:.6g})"
        yield Change("moved", ids | {"by": shift}, text)


def _decimals(
    noun: str,
    previous: Writing,
    current: Writing,
    decimals: tuple[int, int],
    tolerance: GeneralTolerance,
    details: dict[str, Any],
) -> Change:
    reason = tolerance.reason(*decimals)
    further = {"decimals": delta(*decimals), "tolerance": tolerance.effect(*decimals), "reason": reason}
    text = f"{noun} {previous.text!r} changed to {current.text!r}, the same nominal: {reason}"
    return Change("changed", details | further, text)


def _shift(previous: Writing, current: Writing, context: Context) -> tuple[float, float] | None:
    if not context.is_placed or previous.position is None or current.position is None:
        return None
    shift = (current.position[0] - previous.position[0], current.position[1] - previous.position[1])
    return shift if max(map(abs, shift)) > SAME_PLACE * context.diagonal else None


def _lone(writing: Writing) -> Lone:
    details = {
        "id": writing.id,
        "type": writing.type,
        "text": writing.text,
        "page": writing.page,
        "position": writing.position,
    }
    return Lone(details, repr(writing.text))
