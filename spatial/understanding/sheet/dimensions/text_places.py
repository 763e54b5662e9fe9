"""Where the text of a dimension stands: how far a label is from there, as a cost in letter heights."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from spatial.understanding.sheet.dimensions.span import SHARED, Place, Span
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.pieces import apart

ABOVE: Final = 2.4
"""Letter heights from the dimension line to the middle of a text that stands on it."""
REACH: Final = 8.0
"""Letter heights round a dimension line within which its text is looked for."""
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
COST_BESIDE: Final = 2.5
"""Cost of a text to scale that stands beside a line where none usually does."""
FARTHEST_BESIDE: Final = 3.0
"""Letter heights between a line and such a text."""
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


def arc_middle(span: Span) -> tuple[float, float]:
    """Half way along the arc of an angular dimension."""
    if span.centre is None:
        return span.first
    x, y = span.centre
    radius = math.dist(span.first, span.centre)
    turn = math.atan2(span.first[1] - y, span.first[0] - x) + math.radians(span.measured / 2)
    return x + radius * math.cos(turn), y + radius * math.sin(turn)


def level_of(labels: Sequence[Label]) -> float:
    """Degrees of what reads level: 90 on a sheet that was turned with all its lettering, else 0."""
    upright = sum(apart(label.angle, 90.0, 180) < PARALLEL for label in labels)
    return 90.0 if upright >= ONE_WAY * len(labels) else 0.0


def cost_at(label: Label, span: Span, level: float) -> float | None:
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
    long, way = math.dist(begin, end), way_between(begin, end)
    along, aside = _off(label, begin, way)
    if apart(label.angle, math.degrees(math.atan2(way[1], way[0])), 180) >= PARALLEL:
        return None
    half, h = _half_along(label, way), label.height
    gap = along - half - long
    if aside < BESIDE_SHOULDER * h and GAP_AT_SHOULDER[0] * h < gap < GAP_AT_SHOULDER[1] * h:
        return COST_LEVEL + (aside + abs(gap)) / h
    if aside < ON_SHOULDER * h * len(label.lines) and along - half > -h and along + half < long + h:
        return COST_LEVEL + aside / h
    return None


def way_between(first: Place, last: Place) -> Place:
    """From one place to another, of length 1."""
    long = math.dist(first, last)
    return (last[0] - first[0]) / long, (last[1] - first[1]) / long


def _off(label: Label, place: Place, way: Place) -> tuple[float, float]:
    """How far the middle of a label is from a place along a way, and aside of it."""
    x, y = label.position[0] - place[0], label.position[1] - place[1]
    return x * way[0] + y * way[1], abs(y * way[0] - x * way[1])


def _half_along(label: Label, way: Place) -> float:
    """Half of what a label takes along a way."""
    wide, tall = label.box[2] - label.box[0], label.box[3] - label.box[1]
    return abs(way[0]) * wide / 2 + abs(way[1]) * tall / 2


def _cost_on_line(label: Label, span: Span, level: float) -> float | None:
    """The same for the line itself."""
    long, way = math.dist(span.first, span.last), way_between(span.first, span.last)
    along, aside = _off(label, span.first, way)
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


def cost_beside(label: Label, span: Span, level: float) -> float | None:
    """The same of a text that stands beside a line where none usually does: level, with its edge at the line, or farther above it."""
    if span.centre is not None or span.sure <= SHARED or words.has_radius(label.text):
        return None
    way = way_between(span.first, span.last)
    along, aside = _off(label, span.first, way)
    turn, h = apart(label.angle, math.degrees(math.atan2(way[1], way[0])), 180), label.height
    if turn >= PARALLEL and apart(label.angle, level, 180) >= PARALLEL:
        return None
    gap = aside - _half_along(label, (way[1], way[0])) if turn >= PARALLEL else aside - h / 2
    begin, end = span.text_range
    outside = max(begin - along, along - end, 0.0)
    if gap > FARTHEST_BESIDE * h or outside > 0:
        return None
    return COST_BESIDE + max(gap, 0.0) / h


def _cost_on_arc(label: Label, span: Span) -> float | None:
    if "°" not in label.text and not label.text.replace(",", "").replace(".", "").isdecimal():
        return None
    if span.centre is None:
        return None
    h = label.height
    far = math.dist(label.position, span.centre)
    aside = max(abs(far - math.dist(span.first, span.centre)) - _lengthwise(label, span.centre, far), 0.0) / h
    away = math.dist(label.position, arc_middle(span)) / h
    if aside >= BESIDE_ARC or away >= REACH:
        return None
    return aside + COST_ALONG_ARC * away - (WITH_DEGREES if "°" in label.text else 0.0)


def _lengthwise(label: Label, centre: tuple[float, float], far: float) -> float:
    """How much further than half a letter height a label reaches from its middle towards a point: a wide one beside it, half its width."""
    wide, tall = label.box[2] - label.box[0], label.box[3] - label.box[1]
    across, up = abs(label.position[0] - centre[0]), abs(label.position[1] - centre[1])
    return max((across * wide + up * tall) / (2 * far) - label.height / 2, 0.0) if far else 0.0
