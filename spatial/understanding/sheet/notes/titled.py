"""Lists of statements, each after what it states: `Shell: stainless steel` over `Mating force: 5 to 20 N`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge import title_labels
from spatial.understanding.sheet.notes.draft import PARAGRAPH, SPOKEN_WORDS, WRAP, Draft
from spatial.understanding.sheet.notes.line import NOTE_WORDS, Line, word_count

_FEWEST: Final = 3
"""Statements of such a list, their subjects no labels of a title block."""
_FLUSH: Final = 0.3
"""Letter heights between the left ends of two statements, and by which a further line begins behind them."""
_SAME_HEIGHT: Final = (0.9, 1.12)
"""Ratio of the letter heights of two lines of such a list."""
_SURE: Final = 0.85
"""Confidence of a statement of such a list."""
_SUBJECT: Final = re.compile(r"(?P<subject>[^\W\d_][^:=\uff1a]{2,40})[:\uff1a]\s*\S")


def titled_lists(left: Sequence[Line]) -> Iterator[list[Draft]]:
    """Lists in open space or in one cell whose lines begin below each other and state something of a named subject each.

    Most lines of the list do; lines that are set in go on.
    """
    for run in _runs([line for line in left if not line.marked]):
        subjects = [found["subject"] for draft in run if (found := _SUBJECT.match(draft.first.text)) is not None]
        own = [subject for subject in subjects if title_labels.read(subject) is None]
        spoken = sum(word_count(draft.text) >= SPOKEN_WORDS for draft in run)
        if len(own) >= _FEWEST and len(set(own)) == len(own) and 2 * len(subjects) > len(run) and 2 * spoken > len(run):
            yield [draft for draft in run if word_count(draft.text) >= NOTE_WORDS]


def _runs(left: Sequence[Line]) -> Iterator[list[Draft]]:
    runs: list[list[Draft]] = []
    for line in left:
        owner = next((run for run in runs if _is_next(run, line)), None)
        if owner is not None:
            owner.append(Draft(line, None, _SURE))
        elif (further := next((run for run in runs if _goes_on(run[-1], line)), None)) is not None:
            further[-1].parts.append(line)
        elif _SUBJECT.match(line.text):
            runs.append([Draft(line, None, _SURE)])
    yield from runs


def _is_next(run: Sequence[Draft], line: Line) -> bool:
    first, h = run[0].first, max(run[0].first.height, 1e-9)
    return (
        _is_alike(first, line)
        and abs(line.box[0] - first.box[0]) < _FLUSH * h
        and 0 < run[-1].last.level - line.level < PARAGRAPH * h
    )


def _goes_on(draft: Draft, line: Line) -> bool:
    """Whether a line that is set in stands under the statement that it goes on."""
    first, h = draft.first, max(draft.first.height, 1e-9)
    is_set_in = first.box[0] + _FLUSH * h < line.box[0] < first.box[2]
    return _is_alike(first, line) and is_set_in and 0 < draft.last.level - line.level < WRAP * h


def _is_alike(first: Line, line: Line) -> bool:
    ratio = line.height / max(first.height, 1e-9)
    in_one = first.cell == line.cell or max(first.cell, line.cell) < 0
    return first.page == line.page and in_one and _SAME_HEIGHT[0] < ratio < _SAME_HEIGHT[1]
