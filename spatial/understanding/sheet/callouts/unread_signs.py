"""Signs of drawn lettering that could not be told: a label with one says no size, unless the size is whole without it.

An unread sign may be a digit, a Ø or a point. None of these stands, behind a blank, beside the brackets of a reference size (ISO 129-1),
nor among the letters of a remark in brackets behind a size. Right behind an abbreviation that ends a label (`REF`) only its point stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge.value_forms import UNREAD
from spatial.models.sheet.repairs import FROM_OUTLINES
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering.words import is_suffix

_BESIDE_BRACKETS: Final = re.compile(
    rf"(?:[{UNREAD}-]{{1,4}}\s)?(?P<size>\((?:\d{{1,2}}\s?[xX×]\s?)?\d{{0,4}}[.,]?\d{{1,4}}°?\))(?:\s[{UNREAD}-]{{1,4}})?"
)
"""A reference size with its brackets; a dash is the end of a line that is drawn beside it."""
_REMARK: Final = re.compile(rf"(?P<size>[^{UNREAD}()]*\d)\s?\([^()]*[^\W\d_]{{2}}[^()]*\)")
"""A size with a remark in brackets behind it, some of whose letters may be unread."""

_ABBREVIATED: Final = re.compile(rf"(?P<size>[^{UNREAD}]+(?<![^\W\d_])(?P<word>[^\W\d_]{{3,4}}))[{UNREAD}]")


def without_unread(labels: Sequence[Label]) -> list[Label]:
    """The labels without those that have an unread sign in their size, and without such signs beside it."""
    return [read for label in labels if (read := _read(label)) is not None]


def _read(label: Label) -> Label | None:
    if FROM_OUTLINES not in label.repairs:
        return label
    found = _BESIDE_BRACKETS.fullmatch(label.text) if len(label.lines) == 1 else None
    if found is not None:
        return label if found["size"] == label.text else replace(label, lines=(found["size"],))
    found = _ABBREVIATED.fullmatch(label.text) if len(label.lines) == 1 else None
    if found is not None and is_suffix(found["word"]):
        return replace(label, lines=(found["size"] + ".",))
    return label if UNREAD not in label.text or _REMARK.fullmatch(label.text) else None
