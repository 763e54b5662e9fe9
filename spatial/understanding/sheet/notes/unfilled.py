"""Numbered labels of a template, `1. MATERIAL:` over `2. STOCK SIZE:` over `3. FINISH:`, with nothing behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import WRAP, Draft

_MOST_WORDS: Final = 3
"""Of such a label."""
_FEWEST: Final = 2
"""Labels right under one another: one alone may be the heading of what stands under it."""


def without_unfilled(drafts: Sequence[Draft]) -> list[Draft]:
    """The notes of a list without labels that nobody filled in; a label over its own parts stays."""
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
    return [*found, *_kept(group)]


def _kept(group: Sequence[Draft]) -> Sequence[Draft]:
    return group if len(group) < _FEWEST else ()


def _is_label(draft: Draft) -> bool:
    text = draft.text.rstrip()
    return (
        draft.number is not None and draft.letter is None and text.endswith(COLONS) and len(text.split()) <= _MOST_WORDS
    )


def _is_right_under(over: Draft, draft: Draft) -> bool:
    return 0 < over.last.level - draft.first.level < WRAP * over.last.height
