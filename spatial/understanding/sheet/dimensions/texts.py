"""Which text belongs to which dimension line: the nearest one that reads along it, or upright beside it, each only once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.understanding.sheet.dimensions.spans import SHARED, Place, Span
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import apart, median_height
from spatial.understanding.sheet.lettering.printed_size import printed_size

ABOVE: Final = 2.4
"""Letter heights from the dimension line to the middle of a text that stands on it."""
CLOSE: Final = 0.02
"""Relative difference of a printed size from a measured one to scale."""
SAME_ANGLE: Final = 0.5
"""Degrees between a printed and a measured angle, at least."""
SAME_PART_OF_ANGLE: Final = 0.03
"""The same, of a large one."""
REACH: Final = 8.0
"""Letter heights round a dimension line within which its text is looked for."""
CELL: Final = 4.0
"""Letter heights of a cell of the index."""
MOST_STEPS: Final = 40
"""Places along one dimension line at which texts are looked up."""
PARALLEL: Final = 4.0
"""Degrees between a text and the line that it reads along, or between a level text and level."""
BEYOND: Final = 1.5
"""Letter heights that a text may stand beyond the end of its range."""
GAP_HALF: Final = 0.35
"""Of the size of a level text across its line: how far its middle may lie off the line whose gap it stands in."""
SKEWED: Final = 0.4
"""Letter heights from a line to the middle of a text in its gap that reads neither along it nor level."""
GAP_SLACK: Final = 0.5
"""Letter heights beside that."""
TO_SCALE: Final = -1.0
"""Cost, in letter heights, of a length that fits the scale of the sheet: it outweighs one letter height of distance."""
TO_SCALE_SHARED: Final = -0.5
"""The same of a line whose heads more likely belong to others."""
LEAST_SURE: Final = 0.5
COST_OF_DOUBT: Final = 0.08
"""A text is as sure as its line, less this per letter height of cost, and at least LEAST_SURE of it."""
ONE_WAY: Final = 0.9
"""Part of the texts of a turned sheet that read upright at least, so that upright is level there."""
COST_LEVEL: Final = 0.6
"""Cost of a level text at a line that it does not read along: ASME's way, less usual."""
ON_SHOULDER: Final = 1.6
"""Letter heights from a shoulder to the middle of a text that stands on it."""
BESIDE_SHOULDER: Final = 0.6
"""The same of a text that it leads to."""
GAP_AT_SHOULDER: Final = (-0.5, 1.5)
"""Letter heights between a shoulder and a text that it leads to; the box of a text may be too wide."""
COST_OUTSIDE: Final = 0.3
"""Cost per letter height outside of the heads."""
MOST_OUTSIDE: Final = 6.0
"""Letter heights outside that cost."""
COST_OFF_MIDDLE: Final = 0.8
"""Cost of a text at the end of its line, beside one in the middle."""
BESIDE_ARC: Final = 2.4
"""Letter heights between an arc and the middle of a text of one letter at it."""
COST_ALONG_ARC: Final = 0.15
"""Cost per letter height from the middle of an arc."""
WITH_DEGREES: Final = 0.5
"""What a degree sign takes off the cost at an arc."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A text and what it is the size of."""

    label: int
    """Its place among the labels."""
    span: Span
    confidence: float


def assign_texts(labels: list[Label], spans: list[Span], per_unit: float | None = None) -> list[Assignment]:
    """The cheapest ties first; a text has one dimension, a dimension one text.

    per_unit: the scale of the sheet where it is known: spans whose heads are shared are then thought of where it fits them, and
    a text near a span to scale is of no other: the line between two dimensions of small sizes has a head at either end too.
    """
    height = median_height([label.height for label in labels])
    grid: GrowingCellIndex[int] = GrowingCellIndex(CELL * height)
    for place, label in enumerate(labels):
        grid.add(*label.position, place)
    sizes = [printed_size(label.text) for label in labels]
    level = _level(labels)
    costs = []
    to_scale: set[int] = set()
    for number, span in enumerate(spans):
        for place in set(_near(span, grid, labels, height)):
            cost = _cost(labels[place], span, level)
            if cost is not None and (fits := _fits(sizes[place], span, per_unit)) is not None:
                costs.append((cost + fits, number, place))
                to_scale |= {place} if fits < 0 else set()
    costs = [tie for tie in costs if tie[2] not in to_scale or _is_to_scale(sizes[tie[2]], spans[tie[1]], per_unit)]
    used_labels: set[int] = set()
    used_spans: set[int] = set()
    found = []
    for cost, number, place in sorted(costs):
        if number not in used_spans and place not in used_labels:
            used_spans.add(number)
            used_labels.add(place)
            found.append(
                Assignment(place, spans[number], spans[number].sure * max(LEAST_SURE, 1 - COST_OF_DOUBT * cost))
            )
    return found


def _fits(printed: float | None, span: Span, per_unit: float | None) -> float | None:
    """What a tie costs for its length; None where the heads belong to another and the length does not speak for it."""
    if _is_to_scale(printed, span, per_unit):
        return TO_SCALE if span.sure > SHARED else TO_SCALE_SHARED
    return None if span.sure <= SHARED or span.only_to_scale else 0.0


def _is_to_scale(printed: float | None, span: Span, per_unit: float | None) -> bool:
    """Whether a span is as long as a printed size by the scale of the sheet, or as large as a printed angle."""
    if span.centre is not None:
        return printed is not None and abs(span.measured - printed) < max(SAME_ANGLE, SAME_PART_OF_ANGLE * printed)
    if per_unit is None or not printed or not math.isfinite(per_unit * span.measured):
        return False
    return abs(per_unit * span.measured / printed - 1) < CLOSE


def _near(span: Span, grid: GrowingCellIndex[int], labels: list[Label], height: float) -> list[int]:
    """Labels near the text_range of a dimension, looked up along it."""
    found: list[int] = []
    reach = REACH * height
    for x, y in (*_along(span, 2 * reach), *(end for _, end in span.shoulders)):
        found += grid.in_box(x - reach, y - reach, x + reach, y + reach)
    return found


def _along(span: Span, step: float) -> list[tuple[float, float]]:
    if span.centre is not None:
        return [_arc_middle(span)]
    long = math.dist(span.first, span.last)
    way = (span.last[0] - span.first[0]) / long, (span.last[1] - span.first[1]) / long
    begin, end = span.text_range
    count = min(int((end - begin) / step) + 1, MOST_STEPS)
    places = (begin + (end - begin) * (i / count) for i in range(count + 1))
    return [(span.first[0] + way[0] * at, span.first[1] + way[1] * at) for at in places]


def _arc_middle(span: Span) -> tuple[float, float]:
    """Half way along the arc of an angular dimension."""
    if span.centre is None:
        return span.first
    x, y = span.centre
    radius = math.dist(span.first, span.centre)
    turn = math.atan2(span.first[1] - y, span.first[0] - x) + math.radians(span.measured / 2)
    return x + radius * math.cos(turn), y + radius * math.sin(turn)


def _level(labels: list[Label]) -> float:
    """Degrees of what reads level: 90 on a sheet that was turned with all its lettering, else 0."""
    upright = sum(apart(label.angle, 90.0, 180) < PARALLEL for label in labels)
    return 90.0 if upright >= ONE_WAY * len(labels) else 0.0


def _cost(label: Label, span: Span, level: float) -> float | None:
    """How far a label is from where the text of a dimension stands, in letter heights; None where it is too far.

    level: degrees of texts that read level.
    """
    if span.centre is not None:
        return _cost_on_arc(label, span)
    if words.has_radius(label.text):
        return None  # a radius has one head
    costs = (_cost_on_line(label, span, level), *(_cost_at_shoulder(label, *shoulder) for shoulder in span.shoulders))
    return min((cost for cost in costs if cost is not None), default=None)


def _cost_at_shoulder(label: Label, begin: Place, end: Place) -> float | None:
    """The same for a shoulder: its text reads along it, at its end or on it."""
    long = math.dist(begin, end)
    way = (end[0] - begin[0]) / long, (end[1] - begin[1]) / long
    off = label.position[0] - begin[0], label.position[1] - begin[1]
    along, aside = off[0] * way[0] + off[1] * way[1], abs(off[1] * way[0] - off[0] * way[1])
    if apart(label.angle, math.degrees(math.atan2(way[1], way[0])), 180) >= PARALLEL:
        return None
    half, h = _half_along(label, way), label.height
    gap = along - half - long
    if aside < BESIDE_SHOULDER * h and GAP_AT_SHOULDER[0] * h < gap < GAP_AT_SHOULDER[1] * h:
        return COST_LEVEL + (aside + abs(gap)) / h
    if aside < ON_SHOULDER * h * len(label.lines) and along - half > -h and along + half < long + h:
        return COST_LEVEL + aside / h
    return None


def _half_along(label: Label, way: Place) -> float:
    """Half of what a label takes along a way."""
    wide, tall = label.box[2] - label.box[0], label.box[3] - label.box[1]
    return abs(way[0]) * wide / 2 + abs(way[1]) * tall / 2


def _cost_on_line(label: Label, span: Span, level: float) -> float | None:
    """The same for the line itself."""
    long = math.dist(span.first, span.last)
    way = (span.last[0] - span.first[0]) / long, (span.last[1] - span.first[1]) / long
    off = label.position[0] - span.first[0], label.position[1] - span.first[1]
    along = off[0] * way[0] + off[1] * way[1]
    aside = abs(off[1] * way[0] - off[0] * way[1])
    turn = apart(label.angle, math.degrees(math.atan2(way[1], way[0])), 180)
    wide, tall = label.box[2] - label.box[0], label.box[3] - label.box[1]
    half = _half_along(label, way)
    h = label.height
    if turn < PARALLEL:
        lying = ABOVE * h if len(label.lines) == 1 else ABOVE * h * len(label.lines)
    elif apart(label.angle, level, 180) < PARALLEL:
        # ASME writes all texts level, in a gap of the line; beside a line only at its end.
        lying = GAP_HALF * (abs(way[1]) * wide + abs(way[0]) * tall) + GAP_SLACK * h
    else:
        lying = SKEWED * h  # in an isometric view a text may lean with a face that the line does not run along
    begin, end = span.text_range
    beyond = max(begin - half - BEYOND * h - along, along - end - half - BEYOND * h, 0.0)
    if aside > lying or beyond > 0:
        return None
    middle = abs(along - long / 2)
    outside = max(middle - long / 2, 0.0)
    return (
        (COST_LEVEL if turn >= PARALLEL else 0.0)
        + aside / h
        + min(outside / h, MOST_OUTSIDE) * COST_OUTSIDE
        + min(middle / max(long, h), 1) * COST_OFF_MIDDLE
    )


def _cost_on_arc(label: Label, span: Span) -> float | None:
    if "°" not in label.text and not label.text.replace(",", "").replace(".", "").isdecimal():
        return None
    if span.centre is None:
        return None
    h = label.height
    far = math.dist(label.position, span.centre)
    aside = max(abs(far - math.dist(span.first, span.centre)) - _lengthwise(label, span.centre, far), 0.0) / h
    away = math.dist(label.position, _arc_middle(span)) / h
    if aside >= BESIDE_ARC or away >= REACH:
        return None
    return aside + COST_ALONG_ARC * away - (WITH_DEGREES if "°" in label.text else 0.0)


def _lengthwise(label: Label, centre: tuple[float, float], far: float) -> float:
    """How much further than half a letter height a label reaches from its middle towards a point: a wide one beside it, half its width."""
    wide, tall = label.box[2] - label.box[0], label.box[3] - label.box[1]
    across, up = abs(label.position[0] - centre[0]), abs(label.position[1] - centre[1])
    return max((across * wide + up * tall) / (2 * far) - label.height / 2, 0.0) if far else 0.0
