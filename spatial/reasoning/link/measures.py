"""Which diameters, radii, chamfers and lengths of the model a request means, where it is no hole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import dist
from typing import Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from spatial.knowledge.screw_holes import AS_NOMINAL, DEEPEST
from spatial.reasoning.link.asked import Asked, Thread
from spatial.reasoning.link.finding import Binding, Difference, Findings, Unbound
from spatial.reasoning.link.fitting import ANOTHER_SIZE, NEAR, TOLERATED
from spatial.reasoning.link.offered import Bevel, Hole, Measure, Part, Shank
from spatial.reasoning.link.size import Size

PAIRS: Final = 200
"""Holes up to which the distances of all pairs are taken as circles of centres."""

OF_FACES: Final = ("cylinder", "sphere", "torus", "circle", "arc")
"""Words of measures that faces and edges have, and not features."""

ANOTHER_PITCH: Final = 0.7
"""Score of a thread of the same diameter with another pitch."""

CHAMFER_ANGLE: Final = 1.0
"""Degrees by which the angle of a chamfer may differ."""

FREEFORM: Final = "the model has freeform faces, whose radii nothing tells; compare it by eye"


def exact(asked: Asked, measures: Sequence[Measure]) -> list[Measure]:
    """Measures that meet the size of a request: those that are the nominal, else those within its tolerance."""
    size = asked.size
    if size is None:
        return []
    fitting = [each for each in measures if asked.side is None or each.side in (None, asked.side)]
    found = [each for each in fitting if size.is_exact(each.value)]
    return found or [each for each in fitting if size.accepts(each.value)]


def binding(asked: Asked, found: Sequence[Measure]) -> Binding:
    """A request with measures that meet it."""
    size = asked.size
    # A face may lie in several features; the feature that has the size by itself is meant.
    found = [each for each in found if each.word not in OF_FACES] or found
    first = min(found, key=lambda each: (not each.features, size.relative(each.value) if size else 0.0))
    terms = {} if size is None or size.is_exact(first.value) else {"size": TOLERATED}
    return Binding(
        asked=asked,
        features=tuple(dict.fromkeys(name for each in found for name in each.features)),
        faces=tuple(dict.fromkeys(name for each in found for name in each.faces)),
        measured={_name(asked): first.value},
        deviation=first.value - size.nominal if size else None,
        score=1.0 - sum(terms.values()),
        terms=terms,
        word=first.word,
    )


def diameters(asked: Asked, part: Part) -> Binding | None:
    """A diameter that is no hole's own: of a shaft, a step, a boss, a circle of centres, or across the flats of teeth."""
    found = exact(asked, part.rounds) or exact(asked, list(_circles(part.holes)))
    if not found and not asked.is_certain:
        found = exact(asked, [Measure(each, "size across flats") for each in part.flats])
    return binding(asked, found) if found else None


def outer_thread(asked: Asked, part: Part) -> Binding | None:
    """The shaft that a thread stands on: as wide as the thread, or as its core."""
    thread = asked.thread
    if thread is None or asked.depth is not None or asked.through:
        return None
    shank = _shank(thread, part.shanks)
    if shank is not None:
        return _threaded(asked, thread, shank)
    least = thread.diameter - DEEPEST * (thread.pitch or 0.2 * thread.diameter)
    most = thread.diameter * (1.0 + AS_NOMINAL)
    found = [each for each in part.rounds if each.side == "outer" and least <= each.value <= most]
    if not found:
        return None
    first = min(found, key=lambda each: abs(each.value - thread.diameter))
    return Binding(
        asked,
        first.features,
        first.faces,
        {"diameter": first.value},
        first.value - thread.diameter,
        1.0,
        word=first.word,
    )


def _shank(thread: Thread, shanks: Sequence[Shank]) -> Shank | None:
    """The threaded shaft that is meant: the same thread, else one of the same diameter with another pitch."""
    same = [each for each in shanks if each.thread.is_size(thread.diameter)]
    return next((each for each in same if each.thread.meets(thread.diameter, thread.pitch)), same[0] if same else None)


def _threaded(asked: Asked, thread: Thread, shank: Shank) -> Binding:
    is_met = shank.thread.meets(thread.diameter, thread.pitch)
    difference = Difference("thread", thread.designation, shank.thread.name, (shank.feature,))
    return Binding(
        asked,
        (shank.feature,),
        shank.faces,
        {"thread": shank.thread.name, "diameter": shank.thread.diameter},
        shank.thread.diameter - thread.diameter,
        1.0 if is_met else ANOTHER_PITCH,
        {} if is_met else {"thread": 1.0 - ANOTHER_PITCH},
        () if is_met else (difference,),
        word="thread",
    )


def _circles(holes: Sequence[Hole]) -> Iterator[Measure]:
    """Circles through the centres of equal holes: two that face each other, or one about a hole in the middle."""
    if len(holes) > PAIRS:
        return
    for first, second in combinations(holes, 2):
        if first.line[:3] != second.line[:3]:
            continue
        between = dist(first.line[3:], second.line[3:])
        factor = 1.0 if abs(first.diameter - second.diameter) < 1e-6 else 2.0
        if between > 0.0:
            yield Measure(factor * between, "circle of centres", (first.feature, second.feature), (), "centres")


def radii(asked: Sequence[Asked], part: Part, found: Findings) -> None:
    """Binds radii: those that the model has, then the nearest that no other request has."""
    open_: list[Asked] = []
    explained: set[str] = set()
    # A radius at a hole is a slip of who drew it, yet it says how wide the hole is.
    bored = [Measure(0.5 * hole.diameter, "hole", (hole.feature,), ()) for hole in part.holes]
    for each in asked:
        matches = exact(each, part.radii) or exact(each, bored)
        if matches:
            bound = binding(each, matches)
            explained.update(bound.features)
            found.bound.append(_counted(bound, matches))
        elif each.is_general:
            continue
        elif each.size is not None and each.size.basis == "bound" and each.size.lower == 0.0:
            found.not_compared.append(Unbound(each, "a sharp corner meets an upper limit, too"))
        else:
            open_.append(each)
    offered = [each for each in part.radii if each.word == "fillet" and not explained.intersection(each.features)]
    _nearest(open_, offered, part, found, "radius")


def _counted(bound: Binding, matches: Sequence[Measure]) -> Binding:
    """The same, with a difference where fewer faces have the radius than the callout says."""
    quantity = bound.asked.quantity
    faces = {name for each in matches if each.word in ("cylinder", "torus", "sphere") for name in each.faces}
    if quantity is None or not faces or len(faces) >= quantity:
        return bound
    missing = Difference("quantity", float(quantity), float(len(faces)), bound.features)
    return Binding(
        bound.asked,
        bound.features,
        bound.faces,
        {**bound.measured, "quantity": len(faces)},
        bound.deviation,
        bound.score - 0.1,
        {**bound.terms, "quantity": 0.1},
        (missing,),
        bound.word,
    )


def chamfers(asked: Sequence[Asked], part: Part, found: Findings) -> None:
    """Binds chamfers by their legs and angles."""
    open_: list[Asked] = []
    explained: set[str] = set()
    for each in asked:
        matches = [bevel for bevel in part.bevels if _is_bevel(each, bevel)]
        if matches:
            features = tuple(dict.fromkeys(name for bevel in matches for name in bevel.features))
            explained.update(features)
            found.bound.append(_beveled(each, matches, features))
        elif each.is_general:
            continue
        elif _has_slanted_edge(each, part):
            found.not_compared.append(
                Unbound(each, "faces of this width are in the model, and it does not tell which is the chamfer")
            )
        elif each.angle is not None and any(
            min(abs(each.angle - slant), abs(90.0 - each.angle - slant)) <= CHAMFER_ANGLE for slant in part.slants
        ):
            found.not_compared.append(
                Unbound(each, "faces at this angle may be it: with its edges listed, the model tells how wide they are")
            )
        else:
            open_.append(each)
    offered = [
        Measure(min(each.legs), "chamfer", each.features, each.faces)
        for each in part.bevels
        if not explained.intersection(each.features)
    ]
    _nearest(open_, offered, part, found, "chamfer")


def _beveled(asked: Asked, matches: Sequence[Bevel], features: tuple[str, ...]) -> Binding:
    first = matches[0]
    size = asked.size
    leg = min(first.legs, key=lambda each: size.relative(each) if size else 0.0)
    faces = tuple(dict.fromkeys(name for bevel in matches for name in bevel.faces))
    measured = {"leg": leg, "angle": first.angle}
    return Binding(asked, features, faces, measured, leg - size.nominal if size else None, word="chamfer")


def _is_bevel(asked: Asked, bevel: Bevel) -> bool:
    if asked.size is None:
        return False
    for first, second, angle in ((*bevel.legs, bevel.angle), (*bevel.legs[::-1], 90.0 - bevel.angle)):
        fits = asked.size.accepts(first) and (asked.second is None or asked.second.accepts(second))
        # Both angles of a chamfer are its own: it depends on the face from which one counts.
        if fits and (
            asked.angle is None or min(abs(asked.angle - angle), abs(90.0 - asked.angle - angle)) <= CHAMFER_ANGLE
        ):
            return True
    return False


def _has_slanted_edge(asked: Asked, part: Part) -> bool:
    """Whether a straight edge is as long as the chamfer is wide: one that is wider than half of its neighbours is no feature."""
    if asked.size is None or asked.angle is None or not 0.0 < asked.angle < 90.0:
        return False
    width = asked.size.nominal / float(np.cos(np.radians(asked.angle)))
    other = asked.size.nominal / float(np.sin(np.radians(asked.angle)))
    return any(abs(length - each) <= 1e-3 for length in part.line_lengths for each in (width, other))


def _nearest(asked: Sequence[Asked], offered: Sequence[Measure], part: Part, found: Findings, what: str) -> None:
    """Pairs requests that nothing meets with the nearest that no request explains, for the least total deviation."""
    names = list(dict.fromkeys(each.features for each in offered))
    groups = [[each for each in offered if each.features == name] for name in names]
    costs = np.ones((len(asked), len(groups)))
    for row, each in enumerate(asked):
        for column, group in enumerate(groups):
            costs[row, column] = min(_relative(each.size, group) / NEAR, 1.0)
    taken = {row: column for row, column in zip(*linear_sum_assignment(costs), strict=True) if costs[row, column] < 1.0}
    for row, each in enumerate(asked):
        if row in taken and each.size is not None:
            nominal = each.size.nominal
            nearest = min(groups[taken[row]], key=lambda one: abs(one.value - nominal))
            found.bound.append(_differing(each, nearest, what, float(costs[row, taken[row]])))
        elif part.has_freeform:
            found.not_compared.append(Unbound(each, FREEFORM))
        else:
            found.missing.append(Unbound(each, f"the model has no {what} of this size"))


def _relative(size: Size | None, group: Sequence[Measure]) -> float:
    return min((size.relative(each.value) for each in group), default=1.0) if size else 1.0


def _differing(asked: Asked, measure: Measure, what: str, cost: float) -> Binding:
    nominal = asked.size.nominal if asked.size else 0.0
    terms = {"size": ANOTHER_SIZE + (1.0 - ANOTHER_SIZE) * cost}
    return Binding(
        asked,
        measure.features,
        measure.faces,
        {what: measure.value},
        measure.value - nominal,
        1.0 - terms["size"],
        terms,
        (Difference(what, nominal, measure.value, measure.features),),
        measure.word,
    )


def near_diameter(asked: Asked, part: Part, explained: set[str]) -> Binding | None:
    """The nearest shaft, boss or step that no request explains, with the difference."""
    size = asked.size
    offered = [
        each
        for each in part.rounds
        if each.features and not explained.intersection(each.features) and each.side == (asked.side or "outer")
    ]
    if size is None or not offered:
        return None
    nearest = min(offered, key=lambda each: size.relative(each.value))
    relative = size.relative(nearest.value)
    return _differing(asked, nearest, "diameter", relative / NEAR) if relative <= NEAR else None


def _name(asked: Asked) -> str:
    return {"radius": "radius", "chamfer": "leg"}.get(
        asked.kind, "diameter" if asked.kind in ("hole", "diameter") else "length"
    )
