"""Which holes of the model each request means: an assignment of greatest total score, in which a request for 4 holes has four places.

Requests of one size are one: a hole may be called out in several views. A place that must be taken counts ten times one that may.
Source of the assignment: D. F. Crouse, "On implementing 2D rectangular assignment algorithms", IEEE TAES 52 (2016), as
scipy.optimize.linear_sum_assignment has it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from spatial.counting import count_of
from spatial.reasoning.link.asked import Asked
from spatial.reasoning.link.finding import Binding, Difference, Unbound
from spatial.reasoning.link.fitting import Fit, fit
from spatial.reasoning.link.offered import Hole

MAY: Final = 0.1
"""Weight of a place that need not be taken."""

ALIKE: Final = 1e-3
"""Millimetres within which two bores of one thread are drilled alike."""

PLACES: Final = 3_000
"""Most places and most holes of one assignment."""


@dataclass
class Request:
    """Requests of one size, treatment and depth."""

    asked: list[Asked]
    taken: list[tuple[Hole, Fit]] = field(default_factory=list)

    @property
    def counts(self) -> list[int]:
        """The quantities that are written."""
        return [each.quantity for each in self.asked if each.quantity is not None]

    @property
    def least(self) -> int:
        """Fewest holes: two callouts of 4 may be of the same holes."""
        return max(self.counts, default=1)

    @property
    def most(self) -> float:
        """Most holes; a callout without a quantity may stand for any number of equal ones."""
        is_open = any(each.quantity is None or each.typical for each in self.asked)
        return float("inf") if is_open else float(sum(self.counts))


@dataclass
class HoleLink:
    """bound, missing: of the requests. rest: holes that none explains."""

    bound: list[Binding] = field(default_factory=list)
    missing: list[Unbound] = field(default_factory=list)
    rest: list[Hole] = field(default_factory=list)


def link_holes(asked: Sequence[Asked], holes: Sequence[Hole]) -> HoleLink:
    """The holes of every request."""
    requests = _merged(asked)
    coaxial: dict[tuple[float, ...], list[Hole]] = defaultdict(list)
    for hole in holes:
        coaxial[hole.line].append(hole)
    beside = {hole.feature: [each for each in coaxial[hole.line] if each is not hole] for hole in holes}
    fits = [[fit(request.asked[0], hole, beside[hole.feature]) for hole in holes] for request in requests]
    left = _assign(requests, holes, fits)
    left = _absorb(requests, holes, fits, left)
    found = HoleLink(rest=[holes[place] for place in left])
    for request in requests:
        if request.taken:
            found.bound += _bindings(request)
        else:
            found.missing += [Unbound(each, "no hole of the model is near this size") for each in request.asked]
    return found


def _merged(asked: Sequence[Asked]) -> list[Request]:
    """One request per size; a callout that says nothing but a diameter joins the first that has it."""
    found: dict[tuple[object, ...], Request] = {}
    plain: list[Asked] = []
    for each in asked:
        is_bare = each.quantity is None and not each.treatments and each.depth is None and not each.through
        if is_bare and each.thread is None:
            plain.append(each)
        else:
            found.setdefault(_key(each), Request([])).asked.append(each)
    for each in plain:
        alike = next((request for request in found.values() if _diameter(request.asked[0]) == _diameter(each)), None)
        if alike is None:
            found[_key(each)] = Request([each])
        else:
            alike.asked.append(each)
    return list(found.values())


def _diameter(asked: Asked) -> float | None:
    return None if asked.size is None else round(asked.size.nominal, 6)


def _key(asked: Asked) -> tuple[object, ...]:
    treated = tuple(
        (each.kind, each.diameter and each.diameter.nominal, each.depth and each.depth.nominal, each.angle)
        for each in asked.treatments
    )
    name = asked.thread.designation if asked.thread else None
    return _diameter(asked), name, treated, asked.depth and asked.depth.nominal, asked.through


def _assign(requests: Sequence[Request], holes: Sequence[Hole], fits: Sequence[Sequence[Fit | None]]) -> list[int]:
    """Fills the places of the requests. Returns the places of the holes that are left."""
    rows: list[int] = []
    weights: list[float] = []
    for place, request in enumerate(requests):
        exact = [hole for hole, each in zip(holes, fits[place], strict=True) if each is not None and each.is_exact]
        doubled = sum(hole.walls * hole.count - 1 for hole in exact)
        must = min(max(request.least - doubled, 1), PLACES)
        may = max(0, int(min(request.most, len(exact))) - must)
        rows += [place] * (must + may)
        weights += [1.0] * must + [MAY] * may
    rows, weights = rows[:PLACES], weights[:PLACES]
    gains = np.zeros((len(rows), len(holes)))
    for row, (place, weight) in enumerate(zip(rows, weights, strict=True)):
        for column, each in enumerate(fits[place]):
            if each is not None and (weight == 1.0 or each.is_exact):
                gains[row, column] = weight * (1.0 - each.cost) + 1e-9
    left = set(range(len(holes)))
    for row, column in zip(*linear_sum_assignment(gains, maximize=True), strict=True):
        each = fits[rows[row]][column]
        if gains[row, column] > 0.0 and each is not None:
            requests[rows[row]].taken.append((holes[column], each))
            left.discard(int(column))
    return sorted(left)


def _absorb(
    requests: Sequence[Request], holes: Sequence[Hole], fits: Sequence[Sequence[Fit | None]], left: Sequence[int]
) -> list[int]:
    """Gives each hole that is left to the request that it fits exactly and best. Returns the others.

    One that lacks what is asked is another hole of that size where the written number has been found.
    """
    others = []
    for place in left:
        offers = [
            (each.cost, number)
            for number, row in enumerate(fits)
            if (each := row[place]) is not None
            and each.is_exact
            and _is_alike(requests[number], holes[place])
            and not (each.differences and _is_found(requests[number]))
        ]
        if not offers:
            others.append(place)
            continue
        # One that may have any number of holes comes before one whose number is written.
        number = min(offers, key=lambda each: (requests[each[1]].most != float("inf"), each))[1]
        each = fits[number][place]
        if each is not None:
            requests[number].taken.append((holes[place], each))
    return others


def _is_found(request: Request) -> bool:
    """Whether as many holes as are written have been found, as they are asked."""
    return bool(request.counts) and sum(not each.differences for _, each in request.taken) >= request.least


def _is_alike(request: Request, hole: Hole) -> bool:
    """Whether a hole has the diameter of those that a thread has: bores of one thread are drilled alike."""
    if request.asked[0].size is not None or not request.taken:
        return True
    return any(abs(hole.diameter - other.diameter) <= ALIKE for other, _ in request.taken)


def _bindings(request: Request) -> list[Binding]:
    """One pair per callout of a request, its differences with the first."""
    holes = [hole for hole, _ in request.taken]
    differences = [*_joined([each for _, found in request.taken for each in found.differences])]
    counted = _quantity(request, holes)
    if counted is not None:
        differences.append(counted)
    worst = max((found for _, found in request.taken), key=lambda each: each.cost)
    terms = dict(worst.terms)
    if counted is not None:
        terms["quantity"] = 0.1
    first = holes[0]
    measured: dict[str, Any] = {
        "diameter": first.diameter,
        "through": first.through,
        "depth": first.depth,
        "quantity": len(holes),
    }
    if first.thread is not None:
        measured["thread"] = first.thread.name
    lead = max(range(len(request.asked)), key=lambda place: (bool(request.asked[place].quantity), -place))
    return [
        Binding(
            asked=each,
            features=tuple(hole.feature for hole in holes),
            faces=tuple(face for hole in holes for face in hole.faces),
            measured=measured,
            deviation=worst.deviation,
            score=max(0.0, 1.0 - sum(terms.values())),
            terms=terms,
            differences=tuple(differences) if place == lead else (),
        )
        for place, each in enumerate(request.asked)
    ]


def _joined(differences: Sequence[Difference]) -> list[Difference]:
    """Equal differences of several features as one."""
    groups: dict[tuple[object, ...], list[Difference]] = defaultdict(list)
    for each in differences:
        measured = round(each.measured, 6) if isinstance(each.measured, float) else each.measured
        groups[each.what, each.asked, measured, each.remark].append(each)
    return [
        Difference(
            first.what,
            first.asked,
            first.measured,
            tuple(name for each in rows for name in each.features),
            first.position,
            first.remark,
        )
        for rows in groups.values()
        for first in rows[:1]
    ]


def _quantity(request: Request, holes: Sequence[Hole]) -> Difference | None:
    """A number of holes that no way of counting makes the written one."""
    if not request.counts:
        return None
    fewest = len({hole.line for hole in holes})
    most = sum(hole.walls * hole.count for hole in holes)
    if fewest <= request.most and most >= request.least:
        return None
    asked = request.least if most < request.least else request.most
    return Difference(
        "quantity",
        float(asked),
        float(len(holes)),
        tuple(hole.feature for hole in holes),
        None,
        count_of(len(holes), "hole"),
    )
