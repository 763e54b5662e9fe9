"""Values of which a part may be missing: read from lettering that is drawn as outlines, or beside the logo that has the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge.value_forms import lacks_own_name
from spatial.models.sheet.drawing import Sheet, Text
from spatial.models.sheet.repairs import FROM_OUTLINES
from spatial.understanding.sheet.title_block.field_reading import FieldReading

_GAP: Final = 2.0
"""Letter heights between two pieces of a name that a word stood between."""
_LEVEL: Final = 1.8
"""Letter heights across the pieces of one line, which stand a little higher or lower."""

_NUMBERS: Final = frozenset({"drawing_number", "part_number"})
_CUT: Final = re.compile(r"^-\w|\w-$")
"""A hyphen at the beginning or the end of a number parts it from characters that were not read."""


def without(found: Sequence[FieldReading], sheet: Sheet) -> list[FieldReading]:
    """`found` without what may be the rest of more: a whole number of a ratio, one letter of a title, a name with a gap in it, a
    number of which a hyphen is the end, or what stands behind a name.
    """
    outlined = {text.id: text for text in sheet.texts if FROM_OUTLINES in text.repairs}
    return [each for each in found if not _may_be_rest(each, outlined)]


def _may_be_rest(reading: FieldReading, outlined: dict[str, Text]) -> bool:
    """Whether a value has the form of what is left of one that was not read whole."""
    if reading.key == "company":
        return lacks_own_name(reading.value) or _has_gap(
            [outlined[source] for source in reading.sources if source in outlined]
        )
    if reading.key in _NUMBERS:
        return _CUT.search(reading.value) is not None
    is_letter = reading.key == "title" and len(reading.value) == 1 and reading.value.isascii()
    is_part = is_letter or (reading.key == "scale" and reading.value.isdecimal())
    return is_part and bool(outlined.keys() & set(reading.sources[-1:]))


def _has_gap(pieces: Sequence[Text]) -> bool:
    """Whether two pieces of one line stand further apart than words do: those between them were not read."""
    if len(pieces) < 2:
        return False
    height = max(piece.height for piece in pieces)
    along, across = sorted((0, 1), key=lambda axis: -_extent(pieces, axis))
    spans = sorted((piece.box[along], piece.box[along + 2]) for piece in pieces)
    return _extent(pieces, across) < _LEVEL * height and any(
        after[0] - before[1] > _GAP * height for before, after in pairwise(spans)
    )


def _extent(pieces: Sequence[Text], axis: int) -> float:
    return max(piece.box[axis + 2] for piece in pieces) - min(piece.box[axis] for piece in pieces)
