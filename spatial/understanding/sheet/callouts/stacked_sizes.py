"""Plain sizes one over the other that are dimensions of their own, as of ordinates, and no limits of one size.

The two limits of a size stand close, and alone (ISO 129-1 §9, ASME Y14.5-2018 §5.3.2). A column of ordinates (ISO 129-1 §9.5) has more than
two sizes at equal steps, and a quantity before one of them is its own. Sizes of parallel dimension lines (ISO 129-1 §9.2) may each
name what they are of: `55.50±0.20(LCD BL)` over `55.00±0.20(RTP OD)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from spatial.models.sheet.drawing import Box
from spatial.understanding.sheet.callouts.prefix import LISTED
from spatial.understanding.sheet.cells.orientation import quarter_turn, turned
from spatial.understanding.sheet.label import Label, upright_box

STEP_SPREAD: Final = 0.15
"""Part of the step of a column by which the gap to its next size differs."""

_PLAIN: Final = re.compile(r"\s*(?:\d{1,3}\s?[xX]\s)?\d{0,5}[.,]?\d{1,5}\s*")
_NAMED: Final = re.compile(r"\s*\d{0,5}[.,]?\d{1,5}\s*(?:±\s*[\d.,]+\s*)?\([^\W\d].*\)\s*")
"""A size and what it is of in brackets."""
_FEWEST_NAMED: Final = 3
"""Of such lines over one another; two may be one size in two units."""
_COUNTED: Final = re.compile(r"\s*\d{1,3}\s?[xX]\s")
"""A quantity on the upper line alone: one of two limits stands before both."""


def with_sizes_apart(labels: Sequence[Label]) -> list[Label]:
    """The labels, those of plain sizes or of named ones that are dimensions of their own as a label each."""
    stacks = [label for label in labels if _is_stack(label)]
    return [
        part
        for label in labels
        for part in (
            _lines(label)
            if _are_named(label) or _are_listed(label) or (_is_stack(label) and _are_apart(label, stacks))
            else [label]
        )
    ]


def _is_stack(label: Label) -> bool:
    has_own = len(label.lines) == len(label.sources) == 2
    return has_own and not label.boxed and all(_PLAIN.fullmatch(line) for line in label.lines)


def _are_named(label: Label) -> bool:
    has_own = len(label.lines) == len(label.sources) >= _FEWEST_NAMED
    return has_own and not label.boxed and all(_NAMED.fullmatch(line) for line in label.lines)


def _are_listed(label: Label) -> bool:
    """Whether lines are a list of holes, each with its letter, perhaps under a heading: `A- 8 HOLES DRILL M3 THRU`."""
    has_own = len(label.lines) == len(label.sources) > 1
    lines = label.lines[label.lines[0].rstrip().endswith(":") :]
    return has_own and all(LISTED.match(line.strip()) for line in lines)


def _are_apart(label: Label, stacks: Sequence[Label]) -> bool:
    box = upright_box(label)
    step = box[3] - box[1] - label.height
    if _COUNTED.match(label.lines[0]):
        return True
    return any(
        abs(gap + label.height - step) < STEP_SPREAD * step
        for other in stacks
        if other is not label and other.page == label.page and (gap := _gap(box, upright_box(other))) is not None
    )


def _gap(one: Box, other: Box) -> float | None:
    """Between two labels of one column."""
    overlaps = min(one[2], other[2]) > max(one[0], other[0])
    return max(one[1] - other[3], other[1] - one[3]) if overlaps else None


def _lines(label: Label) -> Iterator[Label]:
    quarter = quarter_turn(label.angle)
    left, bottom, right, top = upright_box(label)
    step = (top - bottom - label.height) / (len(label.lines) - 1)
    for place, (line, source) in enumerate(zip(label.lines, label.sources, strict=True)):
        low = top - label.height - place * step
        box = turned((left, low, right, low + label.height), -quarter % 360)
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        yield replace(label, lines=(line,), sources=(source,), box=box, position=middle)
