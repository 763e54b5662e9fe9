"""Dimensions of a sheet whose file names none: from arrowheads, the lines between them and the text there, and from rows of ordinates.

Glossary
  head       an arrowhead.
  dimension line  the line, or arc, between two heads; from outside, the line that each head brings with it.
  witness    an extension line: what a head points at.
  printed    the number that the text gives, in the text's own unit.
  scale      printed over measured: how much one unit of the sheet stands for, where most dimensions agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, Final

import numpy as np

from spatial.models.sheet.drawing import Dimensioning, Leader, Sheet
from spatial.understanding.sheet.dimensions.arcs import Circles, angular
from spatial.understanding.sheet.dimensions.at_leaders import at_leaders
from spatial.understanding.sheet.dimensions.between_strokes import spans_between
from spatial.understanding.sheet.dimensions.dimensioning import dimensioning
from spatial.understanding.sheet.dimensions.flattened_arcs import flattened
from spatial.understanding.sheet.dimensions.from_origin import spans_from_origin
from spatial.understanding.sheet.dimensions.named_sizes import assign_names, is_name
from spatial.understanding.sheet.dimensions.one_tail import spans_of_one_tail
from spatial.understanding.sheet.dimensions.ordinates import Row, find_rows
from spatial.understanding.sheet.dimensions.scales import AGREE, Scale, beliefs, common_scale
from spatial.understanding.sheet.dimensions.span import Span, are_tips_of
from spatial.understanding.sheet.dimensions.spans import spans
from spatial.understanding.sheet.dimensions.texts import Assignment, assign_texts, find_ties
from spatial.understanding.sheet.dimensions.unwritten_zeros import rows_without_zero
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.leaders.along_lines import along_lines
from spatial.understanding.sheet.leaders.arrowheads import heads, squared
from spatial.understanding.sheet.leaders.leaders import of_heads
from spatial.understanding.sheet.leaders.lines import Lines
from spatial.understanding.sheet.leaders.oblique_strokes import oblique_strokes
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.labels import join_texts
from spatial.understanding.sheet.lettering.printed_size import printed_size

_PARTED: Final = re.compile(r"(\d{1,6})\s(\d{1,6})")
LONGEST: Final = 120
"""Characters of the text of a dimension."""
UPRIGHT: Final = 0.01
"""Of its length by which a linear dimension may be off level or upright."""
SAME_TIP: Final = 1e-4
"""Diagonals of the sheet between two places of one tip."""


def find_dimensions(
    sheet: Sheet, lettered: Sequence[Label] | None = None, stated_per_unit: float | None = None
) -> list[Dimensioning]:
    """Dimensions in the order of their texts; a text without arrows or a row is none, arrows without a text are none either.

    lettered: what `join_texts` made of the texts that may be of dimensions; without it, all texts may.
    stated_per_unit: printed per unit of the sheet, as its lettering states unit and scale; None where it does not.
    """
    lettered = join_texts(sheet) if lettered is None else lettered
    labels, names = [label for label in lettered if _is_short(label)], list(filter(is_name, lettered))
    if not labels and not names:
        return []
    lines = Lines(sheet)
    rows = find_rows(labels, lines)
    if bars := [row for row in rows if row.is_even and row.is_scale_bar(sheet.fills)]:
        labels = _without(labels, bars)
        rows = find_rows(labels, lines)
    proven = [row for row in rows if not row.is_even]
    found = [dimension for row in proven for dimension in row.dimensions(labels)]
    found += _at_ends(sheet, lines, [label for label in _without(labels, proven) if _is_size(label)], names)
    agreed = common_scale(found)
    even = [row for row in rows if row.is_even and (row.has_scale(stated_per_unit) or _is_to_scale(row, agreed))]
    found = [*_of_other_texts(found, labels, even), *(each for row in even for each in row.dimensions(labels))]
    per_unit = _per_unit(agreed, proven, stated_per_unit)
    if per_unit is not None:
        tied = {source for dimension in found for source in dimension.sources}
        taken = {place for place, label in enumerate(labels) if not tied.isdisjoint(label.sources)}
        found += [each for row in rows_without_zero(labels, lines, taken, per_unit) for each in row.dimensions(labels)]
    _settle_parted(found, agreed)
    return _in_order(found, sheet)


def _settle_parted(found: list[Dimensioning], agreed: Scale | None) -> None:
    """A number that a blank parts is its first figures or all of them, as the scale of the sheet says; else it is not said."""
    for dimension in found:
        parts = _PARTED.fullmatch(dimension.text or "")
        if parts is None or dimension.further.pop("printed", None) is None or agreed is None or not dimension.value:
            continue
        length = agreed.printed_per_unit * dimension.value
        fitting = [size for size in (float(parts[1]), float(parts[1] + parts[2])) if abs(length - size) < AGREE * size]
        if fitting:
            dimension.further["printed"] = fitting[0]


def _at_ends(sheet: Sheet, lines: Lines, labels: list[Label], names: list[Label]) -> list[Dimensioning]:
    """Dimensions between arrowheads or oblique strokes, and radii and diameters at leaders."""
    labels = [
        label for label in labels if printed_size(label.text) != 0.0
    ]  # nothing is between two ends of a line and measures 0
    if not (labels or names):
        return []
    drawn, strokes = heads(sheet), oblique_strokes(sheet, lines)
    if not len(drawn) and sheet.leaders is None:
        sheet.leaders = []
    if not (len(drawn) or len(strokes)):
        return []
    lined, arrows = along_lines(drawn, lines), squared(drawn)
    between = spans(lined, lines)
    between += spans_of_one_tail(lined, lines, between)
    candidates = [
        *angular(arrows, sheet),
        *(flattened(arrows, sheet) if any("°" in label.text for label in labels) else ()),
        *between,
        *spans_between(strokes, lines),
    ]
    ties = find_ties(labels, candidates)
    assigned = assign_texts(labels, candidates, ties)
    agreed = common_scale([_dimension(labels[assignment.label], assignment) for assignment in assigned])
    if agreed is not None:
        of_one_head = spans_from_origin(lined, lines, between) if len(assigned) < len(labels) else []
        ties += find_ties(labels, of_one_head, len(candidates))
        candidates += of_one_head
        assigned = assign_texts(labels, candidates, ties, agreed.printed_per_unit)
        left = beliefs(_sizes(labels, assigned), agreed)
        assigned = [
            replace(tie, confidence=part * tie.confidence) for tie, part in zip(assigned, left, strict=True) if part
        ]
    dimensioned = {assignment.label for assignment in assigned}
    free = [label for place, label in enumerate(labels) if place not in dimensioned]
    found = [_dimension(labels[assignment.label], assignment) for assignment in assigned]
    found += [_dimension(names[tie.label], tie) for tie in assign_names(names, candidates, assigned, lines)]
    if sheet.leaders is None:
        sheet.leaders = of_heads(lined, lines)
    leaders = _of_other_heads(sheet.leaders, assigned, lines.size)
    return found + at_leaders(free, leaders, Circles(sheet), _sizes(labels, assigned), agreed)


def _of_other_heads(leaders: list[Leader], assigned: Sequence[Assignment], size: float) -> list[Leader]:
    """Leaders whose heads are of no dimension line."""
    tips = np.array([leader[0] for leader in leaders], float).reshape(-1, 2)
    taken = are_tips_of(tips, (tie.span for tie in assigned), SAME_TIP * size)
    return list(compress(leaders, ~taken))


def _sizes(labels: Sequence[Label], assigned: Sequence[Assignment]) -> list[tuple[float, float]]:
    """Printed and measured length of each tie; NaN where one has none to compare."""
    return [
        (_comparable(labels[tie.label].text), math.nan if tie.span.centre else tie.span.measured) for tie in assigned
    ]


def _per_unit(agreed: Scale | None, proven: Sequence[Row], stated: float | None) -> float | None:
    """Printed per unit of the sheet: what its dimensions agree on, else what a row proves, else what its lettering states."""
    per_unit = agreed.printed_per_unit if agreed else proven[0].printed_per_unit if proven else stated
    return per_unit if per_unit and math.isfinite(1 / per_unit) else None


def _comparable(text: str) -> float:
    """The printed size; NaN where there is none, or a blank leaves open which figures are it."""
    return math.nan if _PARTED.fullmatch(text) else printed_size(text) or math.nan


def _without(labels: Sequence[Label], rows: Iterable[Row]) -> list[Label]:
    """Labels that are no ordinates of rows."""
    taken = {place for row in rows for place in row.labels}
    return [label for place, label in enumerate(labels) if place not in taken]


def _is_to_scale(row: Row, agreed: Scale | None) -> bool:
    return agreed is not None and row.has_scale(agreed.printed_per_unit)


def _of_other_texts(found: list[Dimensioning], labels: Sequence[Label], rows: Iterable[Row]) -> list[Dimensioning]:
    """Dimensions whose texts are no ordinates of rows."""
    taken = {source for row in rows for place in row.labels for source in labels[place].sources}
    return [dimension for dimension in found if taken.isdisjoint(dimension.sources)]


def _in_order(found: list[Dimensioning], sheet: Sheet) -> list[Dimensioning]:
    """In the order of their texts, numbered."""
    order = {text.id: place for place, text in enumerate(sheet.texts)}
    found.sort(key=lambda d: order.get(d.sources[0], 0))
    for number, dimension in enumerate(found, 1):
        dimension.id = f"dimension-{number}"
    return found


def _is_short(label: Label) -> bool:
    """Whether a label can be the text of a dimension by its role and length."""
    return label.role == "free" and len(label.text) < LONGEST and words.has_digit(label.text)


def _is_size(label: Label) -> bool:
    """Whether a label gives a size."""
    return printed_size(label.text) is not None


def _dimension(label: Label, assignment: Assignment) -> Dimensioning:
    span = assignment.span
    further: dict[str, Any] = {
        "arrow_tips": [list(span.first), list(span.last)],
        "confidence": round(min(assignment.confidence, 1.0), 2),
    }
    if span.centre is not None:
        further["center"] = list(span.centre)
    return dimensioning(label, _kind(label, span), span.measured, further)


def _kind(label: Label, span: Span) -> str:
    if span.centre is not None:
        return "angular" if "°" in label.text or not words.has_radius(label.text) else "arc_length"
    if words.has_diameter(label.text):
        return "diameter"
    upright = min(abs(span.first[0] - span.last[0]), abs(span.first[1] - span.last[1]))
    return "linear" if upright < UPRIGHT * span.measured else "aligned"
