"""Numbered labels of a template, `1. MATERIAL:` over `2. STOCK SIZE:` over `3. FINISH:`, with nothing behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import WRAP, Draft
from spatial.understanding.sheet.notes.line import Line

_MOST_WORDS: Final = 3
"""Of such a label."""
_UNDER, _BEHIND = 4.0, 20.0
"""Letter heights below such a label and behind it in which something is looked for that it announces."""
_FEWEST: Final = 2
"""Labels right under one another: one alone may be the heading of what stands under it."""


def without_unfilled(drafts: Sequence[Draft], free: Sequence[Line] = ()) -> list[Draft]:
    """The notes of a list without labels that nobody filled in; a label over its own parts stays.

    The last one of a list is such a label if no other line of `free` stands under it in its cell.
    """
    found: list[Draft] = []
    group: list[Draft] = []
    for place, draft in enumerate(drafts):
        after = drafts[place + 1] if place + 1 < len(drafts) else None
        if _is_label(draft) and (after is None or after.number != draft.number):
            if group and not _is_right_under(group[-1], draft):
                found += _kept(group)
                group = []
            group.append(draft)
            continue
        found += [*_kept(group), draft]
        group = []
    return found if _is_lone_label(group, drafts, free) else [*found, *_kept(group)]


def _is_lone_label(group: Sequence[Draft], drafts: Sequence[Draft], free: Sequence[Line]) -> bool:
    """Whether the last note of a list is its only label, and nothing stands under it."""
    return (
        len(group) == 1
        and len(drafts) > 1
        and not any(_is_label(draft) for draft in drafts if draft is not group[0])
        and not any(_is_below(group[0], line) for line in free)
    )


def _is_below(over: Draft, line: Line) -> bool:
    """Whether a line stands right under a label, or beside it as what it stands before does."""
    drop, h = over.last.level - line.level, max(over.last.height, 1e-9)
    is_over = min(over.last.box[2], line.box[2]) > max(over.last.box[0], line.box[0])
    is_near = 0 < drop < _UNDER * h and (is_over or over.last.box[0] <= line.box[0] < over.last.box[2] + _UNDER * h)
    is_behind = abs(drop) < h / 2 and 0 < line.box[0] - over.last.box[2] < _BEHIND * h
    return (is_near or is_behind) and line.cell == over.last.cell and line.page == over.last.page


def _kept(group: Sequence[Draft]) -> Sequence[Draft]:
    return group if len(group) < _FEWEST else ()


def _is_label(draft: Draft) -> bool:
    text = draft.text.rstrip()
    return (
        draft.number is not None and draft.letter is None and text.endswith(COLONS) and len(text.split()) <= _MOST_WORDS
    )


def _is_right_under(over: Draft, draft: Draft) -> bool:
    return 0 < over.last.level - draft.first.level < WRAP * over.last.height
