"""Which text belongs to which dimension line: the nearest one that reads along it, or upright beside it, each only once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from spatial.geometry.index import GrowingCellIndex
from spatial.understanding.sheet.dimensions.span import SHARED, Span
from spatial.understanding.sheet.dimensions.text_places import (
    REACH,
    arc_middle,
    cost_at,
    cost_beside,
    level_of,
    way_between,
)
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering.pieces import median_height
from spatial.understanding.sheet.lettering.printed_size import printed_size

CLOSE: Final = 0.02
"""Relative difference of a printed size from a measured one to scale."""
SAME_ANGLE: Final = 0.5
"""Degrees between a printed and a measured angle, at least."""
SAME_PART_OF_ANGLE: Final = 0.03
"""The same, of a large one."""
CELL: Final = 4.0
"""Letter heights of a cell of the index."""
MOST_STEPS: Final = 40
"""Places along one dimension line at which texts are looked up."""
TO_SCALE: Final = -1.0
"""Cost, in letter heights, of a length that fits the scale of the sheet: it outweighs one letter height of distance."""
TO_SCALE_SHARED: Final = -0.5
"""The same of a line whose heads more likely belong to others."""
LEAST_SURE: Final = 0.5
COST_OF_DOUBT: Final = 0.08
"""A text is as sure as its line, less this per letter height of cost, and at least LEAST_SURE of it."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """A text and what it is the size of."""

    label: int
    """Its place among the labels."""
    span: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class Tie:
    """A text near a dimension line."""

    span: int
    """The place of the line among those that were asked."""
    label: int
    cost: float | None
    """None where the text does not stand where one usually does: the scale of the sheet must speak for it then."""


def find_ties(labels: Sequence[Label], spans: Sequence[Span], first: int = 0) -> list[Tie]:
    """Every text that is near a dimension line; first: the number of the first line."""
    height = median_height([label.height for label in labels])
    grid: GrowingCellIndex[int] = GrowingCellIndex(CELL * height)
    for place, label in enumerate(labels):
        grid.add(*label.position, place)
    level = level_of(labels)
    return [
        Tie(number, place, cost_at(labels[place], span, level))
        for number, span in enumerate(spans, first)
        for place in set(_near(span, grid, height))
    ]


def assign_texts(
    labels: Sequence[Label], spans: Sequence[Span], ties: Sequence[Tie], per_unit: float | None = None
) -> list[Assignment]:
    """The cheapest ties first; a text has one dimension, a dimension one text.

    per_unit: the scale of the sheet where it is known: spans whose heads are shared are then thought of where it fits them, and
    a text near a span to scale is of no other: the line between two dimensions of small sizes has a head at either end too.
    """
    sizes = [printed_size(label.text) for label in labels]
    usual = [tie for tie in ties if tie.cost is not None]
    fits = [_fits(sizes[tie.label], spans[tie.span], per_unit) for tie in usual]
    to_scale = {tie.label for tie, fit in zip(usual, fits, strict=True) if fit is not None and fit < 0}
    costs = [
        ((tie.cost or 0.0) + fit, tie.span, tie.label)
        for tie, fit in zip(usual, fits, strict=True)
        if fit is not None and (fit < 0 or tie.label not in to_scale)
    ]
    level = level_of(labels)
    for tie in ties if per_unit is not None else ():
        if tie.cost is None and _is_to_scale(sizes[tie.label], spans[tie.span], per_unit):
            beside = cost_beside(labels[tie.label], spans[tie.span], level)
            costs += [] if beside is None else [(beside, tie.span, tie.label)]
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


def _near(span: Span, grid: GrowingCellIndex[int], height: float) -> list[int]:
    """Labels near the text_range of a dimension, looked up along it."""
    found: list[int] = []
    reach = REACH * height
    for x, y in (*_along(span, 2 * reach), *(end for _, end in span.shoulders)):
        found += grid.in_box(x - reach, y - reach, x + reach, y + reach)
    return found


def _along(span: Span, step: float) -> list[tuple[float, float]]:
    if span.centre is not None:
        return [arc_middle(span)]
    way = way_between(span.first, span.last)
    begin, end = span.text_range
    count = min(int((end - begin) / step) + 1, MOST_STEPS)
    places = (begin + (end - begin) * (i / count) for i in range(count + 1))
    return [(span.first[0] + way[0] * at, span.first[1] + way[1] * at) for at in places]
