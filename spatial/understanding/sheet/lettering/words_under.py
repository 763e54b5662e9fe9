"""Words in the lines under a size at a leader: what it is of, and in how many places, as REMOVABLE KNOB over 3 PLACES.

The lines at a leader are one block of lettering, in one height, at even spacing, from one left edge (ISO 3098-1, ASME Y14.2).
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from spatial.knowledge.callout_words import words as callout_words
from spatial.understanding.sheet.label import Label, are_read_alike, joined, upright_box
from spatial.understanding.sheet.lettering.words import has_diameter, is_quantity

SPACING: Final = (1.2, 2.2)
"""Letter heights between the baselines of two lines."""
ALIGNED: Final = 0.4
"""Letter heights by which two lines begin apart: a Ø is drawn wider than a letter."""
SAME_HEIGHT: Final = 0.06
"""Part by which the heights of their letters differ."""
LINES: Final = 4
"""Of such words under one size."""
MOST: Final = 200
"""Sizes at leaders of one sheet."""

_TIED: Final = frozenset(("leader", "dimension"))
_WORDS: Final = re.compile(r"\(?[^\W\d_]{3,20}(?:[\s/-]{1,2}[^\W\d_]{1,20}){0,5}\)?[.,]?")
"""Words without a figure."""
_REMARK: Final = re.compile(r"\(.{3,60}\)")
"""A line in brackets under all of it: (SEE NOTE 1 BELOW)."""
_TREATED: Final = re.compile("|".join(callout_words(each) for each in ("counterbore", "countersink", "spotface")))
"""A hole that words name: COUNTERBORED MOUNTING HOLE."""


def join_words_under(labels: list[Label]) -> list[Label]:
    """The labels of sizes at leaders with the lines of words, and of how often they apply, that stand under them."""
    tops = [label for label in labels if _is_top(label)][:MOST]
    under = [label for label in labels if _is_under(label)] if tops else []
    if not under:
        return labels
    begins = np.array([upright_box(label)[0] for label in under])
    whole: dict[int, Label] = {}
    gone: set[int] = set()
    for top in tops:
        size = top
        while (lower := _next(size, under, begins, gone)) is not None and len(size.lines) - len(top.lines) < LINES:
            size = joined(size, lower, size, size.lines + _without_remark(lower.lines))
            gone.add(id(lower))
        whole[id(top)] = size
    return [whole.get(id(label), label) for label in labels if id(label) not in gone]


def _is_top(label: Label) -> bool:
    if label.boxed or label.role not in _TIED:
        return False
    return has_diameter(label.lines[0]) or _TREATED.match(label.lines[0]) is not None


def _is_under(label: Label) -> bool:
    is_tied = label.role not in ("free", "leader")  # the leader of a size also ends near the line under it
    lines = _without_remark(label.lines)
    return not is_tied and not label.boxed and all(_WORDS.fullmatch(line) or is_quantity(line) for line in lines)


def _without_remark(lines: tuple[str, ...]) -> tuple[str, ...]:
    return lines[:-1] if len(lines) > 1 and _REMARK.fullmatch(lines[-1]) else lines


def _next(size: Label, under: list[Label], begins: np.ndarray, gone: set[int]) -> Label | None:
    """The words that begin in the next line under a size."""
    near = np.flatnonzero(np.abs(begins - upright_box(size)[0]) <= ALIGNED * size.height).tolist()
    return next((under[at] for at in near if id(under[at]) not in gone and _is_next_line(size, under[at])), None)


def _is_next_line(size: Label, lower: Label) -> bool:
    if not are_read_alike(size, lower) or abs(lower.height - size.height) > SAME_HEIGHT * size.height:
        return False
    drop = (upright_box(size)[1] - upright_box(lower)[3] + lower.height) / size.height
    return SPACING[0] <= drop <= SPACING[1]
