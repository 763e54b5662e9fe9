"""Sizes that a letter names, for which a table of the sheet, or of another document, gives numbers (ISO 129-1, tabular dimensioning).

A letter names views, datums and sections too, so that it must stand on a dimension line of its own, over its middle or in its gap, and
others must do so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress
from typing import Final

import numpy as np

from spatial.understanding.sheet.dimensions.one_tail import are_at_witnesses
from spatial.understanding.sheet.dimensions.span import SHARED, Span
from spatial.understanding.sheet.dimensions.texts import COST_OF_DOUBT, Assignment, assign_texts, find_ties
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.leaders.lines import Lines

FEWEST: Final = 2
"""Different names on a sheet: one alone is of a view or a section."""
MOST_COST: Final = 1.3
"""Letter heights of cost of a name on a dimension line."""
BEYOND: Final = 0.1
"""Letter heights by which an extension line goes on beyond its dimension line at least; the line of a section ends at its arrow."""
_NAME: Final = re.compile(r"~?\s?(?:S?[Øø⌀∅φ]|□)?\s?(?:DIM\.?\s?)?(?!(?:mm|cm|in|km|µm|um)$)[A-Za-z][A-Za-z0-9]?['′]?")


def is_name(label: Label) -> bool:
    """Whether a label can name a size: `A`, `d1`, `ØD`, `DIM B`."""
    return label.role == "free" and _NAME.fullmatch(label.text) is not None


def assign_names(
    names: Sequence[Label], spans: Sequence[Span], assigned: Sequence[Assignment], lines: Lines
) -> list[Assignment]:
    """Names on the lengths that have no size, between two extension lines: the arrows of sections point at none."""
    sized = {place for tie in assigned for place in (tie.span.first, tie.span.last)}
    free = [
        span for span in spans if span.centre is None and span.sure > SHARED and not {span.first, span.last} & sized
    ]
    if len(names) < FEWEST or not free:
        return []
    near = [tie for tie in assign_texts(names, free, find_ties(names, free)) if _is_on_line(tie)]
    found = list(compress(near, _have_witnesses(near, names, lines)))
    return found if len({names[tie.label].text for tie in found}) >= FEWEST else []


def _is_on_line(tie: Assignment) -> bool:
    return tie.confidence >= tie.span.sure * (1 - COST_OF_DOUBT * MOST_COST)


def _have_witnesses(ties: Sequence[Assignment], names: Sequence[Label], lines: Lines) -> list[bool]:
    """Of each tie whether a line square to it goes to both of its ends."""
    ends = np.array([(tie.span.first, tie.span.last) for tie in ties], float).reshape(-1, 2, 2)
    ways = (ends[:, 1] - ends[:, 0]) / np.array([tie.span.measured for tie in ties]).reshape(-1, 1)
    heights = np.array([names[tie.label].height for tie in ties])
    both = [are_at_witnesses(ends[:, end], ways, heights, lines, BEYOND) for end in (0, 1)]
    witnessed: list[bool] = (both[0] & both[1]).tolist()
    return witnessed
