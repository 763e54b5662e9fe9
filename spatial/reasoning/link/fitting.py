"""How well a hole of the model fits a request, term by term, and where it differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from spatial.knowledge.screw_holes import is_clearance, is_insert_bore, is_thread_bore, thread_bores
from spatial.reasoning.link.asked import Asked, Thread, Treatment
from spatial.reasoning.link.finding import Difference
from spatial.reasoning.link.offered import Cut, Hole
from spatial.reasoning.link.size import Size
from spatial.reasoning.link.treatments import Widening

NEAR: Final = 0.25
"""Deviation as a part of the size, up to which a feature is taken for the one that was asked, with another size."""

ANOTHER_SIZE: Final = 0.3
"""Least cost of a size that is not met: more than all that may differ besides, so that equal sizes are paired first."""

TOLERATED: Final = 0.05
"""Cost of a size at the limit of its general tolerance."""

TERMS: Final = {"treatment": 0.08, "depth": 0.05, "through": 0.05, "unasked": 0.02}
"""Costs of what differs besides the size: a treatment is told from another by its size, a depth is dimensioned apart at times."""

ANGLE: Final = 1.0
"""Degrees by which the angle of a countersink may differ."""

LEAST_WHOLE: Final = 60.0
"""Degrees of the sharpest countersink: a drawing that says less gives the angle between its axis and its side."""


@dataclass(frozen=True)
class Fit:
    """One hole as the answer to one request. cost: from 0 to 1, the sum of the terms."""

    terms: dict[str, float]
    differences: tuple[Difference, ...]
    deviation: float
    is_exact: bool

    @property
    def cost(self) -> float:
        return min(sum(self.terms.values()), 1.0)


def fit(asked: Asked, hole: Hole, beside: Sequence[Hole] = ()) -> Fit | None:
    """The fit of a hole; None where its size is another altogether. beside: holes on the same axis."""
    size = _size_term(asked, hole)
    if size is None:
        return None
    cost, difference, deviation, is_exact = size
    found = [difference] if difference else []
    treated = list(_treatments(asked, hole, beside))
    sunk = list(_depths(asked, hole))
    terms = {"size": cost}
    terms["treatment"] = TERMS["treatment"] * len(treated)
    terms["depth"] = sum(TERMS["through" if each.what == "through" else "depth"] for each in sunk)
    if not asked.treatments and any(not each.is_cone for each in hole.widenings):
        terms["unasked"] = TERMS["unasked"]
    return Fit({name: value for name, value in terms.items() if value}, (*found, *sunk, *treated), deviation, is_exact)


def is_bored_for(thread: Thread, hole: Hole) -> bool:
    """Whether a hole may be that of a thread: it has this thread, or none and the bore of it."""
    if hole.thread is not None:
        return hole.thread.meets(thread.diameter, thread.pitch)
    if thread.is_insert:
        return is_insert_bore(hole.diameter, thread.diameter)
    return is_thread_bore(hole.diameter, thread.diameter, thread.pitch)


def _size_term(asked: Asked, hole: Hole) -> tuple[float, Difference | None, float, bool] | None:
    if asked.size is not None:
        return _of_size(asked.size, hole)
    thread = asked.thread
    if thread is None:
        return None
    if hole.thread is not None:
        return _of_thread(thread, hole.thread, hole)
    drill = thread.diameter - (thread.pitch or 0.2 * thread.diameter)
    deviation = hole.diameter - drill
    if is_bored_for(thread, hole):
        return min(abs(deviation) / drill, 0.25) * TOLERATED, None, deviation, True
    least, most = thread_bores(thread.diameter, thread.pitch)
    off = max(least - hole.diameter, hole.diameter - most) / thread.diameter
    if off > NEAR:
        return None
    remark = (
        f"which is a clearance hole of {thread.designation} (ISO 273)"
        if is_clearance(hole.diameter, thread.diameter)
        else None
    )
    difference = Difference("thread", thread.designation, hole.diameter, (hole.feature,), hole.position, remark)
    return ANOTHER_SIZE + (1.0 - ANOTHER_SIZE) * off / NEAR, difference, deviation, False


def _of_thread(asked: Thread, cut: Cut, hole: Hole) -> tuple[float, Difference | None, float, bool] | None:
    """By the thread that the model has, not by its bore."""
    deviation = cut.diameter - asked.diameter
    if cut.meets(asked.diameter, asked.pitch):
        return 0.0, None, deviation, True
    off = abs(deviation) / asked.diameter
    if off > NEAR:
        return None
    difference = Difference("thread", asked.designation, cut.name, (hole.feature,), hole.position)
    return ANOTHER_SIZE + (1.0 - ANOTHER_SIZE) * off / NEAR, difference, deviation, False


def _of_size(size: Size, hole: Hole) -> tuple[float, Difference | None, float, bool] | None:
    deviation = hole.diameter - size.nominal
    if size.is_exact(hole.diameter):
        return 0.0, None, deviation, True
    relative = size.relative(hole.diameter)
    if size.accepts(hole.diameter):
        return TOLERATED * min(1.0, relative / NEAR) + 0.01, None, deviation, False
    if relative > NEAR:
        return None
    difference = Difference("diameter", size.nominal, hole.diameter, (hole.feature,), hole.position)
    return ANOTHER_SIZE + (1.0 - ANOTHER_SIZE) * relative / NEAR, difference, deviation, False


def _depths(asked: Asked, hole: Hole) -> Iterator[Difference]:
    if asked.through and not hole.through:
        yield Difference("through", "through", hole.depth, (hole.feature,), hole.position)
    depth = asked.depth
    # Where a hole goes through, a depth that is written with it is that of its thread.
    if depth is None or (asked.through and hole.through):
        return
    whole = hole.length if hole.through else hole.depth
    if whole is None:
        return
    # A depth below a counterbore or a chamfer is given from the surface, from its floor, or along the wall alone; some give it to the tip.
    values = [
        whole,
        whole + hole.point,
        *(whole - each.depth for each in hole.widenings if each.depth),
        *([hole.wall] if hole.wall else []),
    ]
    if any(_is_deep(asked, depth, value) for value in values):
        return
    if not hole.through:
        yield Difference("depth", depth.nominal, whole, (hole.feature,), hole.position)
    elif asked.depth_is != "min" and min(values) > depth.nominal:
        # A drill that goes deeper than the wall goes through it, too; a thread need not go as deep as its hole.
        yield Difference("depth", depth.nominal, "through", (hole.feature,), hole.position)


def _is_deep(asked: Asked, depth: Size, value: float) -> bool:
    if asked.depth_is == "min" and value > depth.nominal:
        return True
    if asked.other_depth is not None and asked.other_depth.accepts(value):
        return True
    return (asked.depth_is == "max" and value < depth.nominal) or depth.accepts(value)


def _treatments(asked: Asked, hole: Hole, beside: Sequence[Hole]) -> Iterator[Difference]:
    for treatment in asked.treatments:
        if treatment.kind == "countersink":
            yield from _countersink(treatment, hole)
        else:
            yield from _counterbore(treatment, hole, beside)


def _counterbore(treatment: Treatment, hole: Hole, beside: Sequence[Hole]) -> Iterator[Difference]:
    offered = [each for each in hole.widenings if not each.is_cone]
    offered += [Widening(False, each.diameter, each.depth) for each in beside if each.diameter > hole.diameter]
    best = _nearest(treatment.diameter, offered)
    if best is None:
        # A spotface without a depth only cleans the surface, and is seldom modelled (ASME Y14.5-2018, 6.3.2.6).
        if treatment.kind == "counterbore" or treatment.depth is not None:
            asked = treatment.diameter.nominal if treatment.diameter else treatment.kind
            yield Difference(treatment.kind, asked, None, (hole.feature,), hole.position)
        return
    if treatment.diameter is not None and not treatment.diameter.accepts(best.diameter):
        yield Difference(
            f"{treatment.kind} diameter", treatment.diameter.nominal, best.diameter, (hole.feature,), hole.position
        )
    if treatment.depth is not None and best.depth is not None and not treatment.depth.accepts(best.depth):
        yield Difference(f"{treatment.kind} depth", treatment.depth.nominal, best.depth, (hole.feature,), hole.position)


def _countersink(treatment: Treatment, hole: Hole) -> Iterator[Difference]:
    best = _nearest(treatment.diameter, [each for each in hole.widenings if each.is_cone])
    if best is None:
        asked = treatment.diameter.nominal if treatment.diameter else treatment.kind
        yield Difference("countersink", asked, None, (hole.feature,), hole.position)
        return
    if treatment.diameter is not None and not treatment.diameter.accepts(best.diameter):
        yield Difference(
            "countersink diameter", treatment.diameter.nominal, best.diameter, (hole.feature,), hole.position
        )
    if treatment.angle is not None and best.angle is not None and not _is_angle(treatment.angle, best.angle):
        yield Difference("countersink angle", treatment.angle, best.angle, (hole.feature,), hole.position)


def _is_angle(asked: float, measured: float) -> bool:
    """Whether a cone has an angle; one that no countersink has as a whole is that of its side: `Ø6.4 X 45°`."""
    whole = (asked, 2.0 * asked) if asked < LEAST_WHOLE else (asked,)
    return any(abs(each - measured) <= ANGLE for each in whole)


def _nearest(size: Size | None, offered: Sequence[Widening]) -> Widening | None:
    if not offered:
        return None
    return offered[0] if size is None else min(offered, key=lambda each: size.relative(each.diameter))
