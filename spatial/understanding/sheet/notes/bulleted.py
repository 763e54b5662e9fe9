"""Lists whose notes are set off by a sign and nothing else: dashes or points, one under the other, with a heading or without one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge.phrases import has_placeholder
from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import PARAGRAPH, SPOKEN_WORDS, WRAP, Draft
from spatial.understanding.sheet.notes.line import NOTE_WORDS, Line, word_count

_FEWEST: Final = 2
"""Notes of such a list."""
_SHIFT: Final = 0.5
"""Letter heights between the left ends of two bullets, and by which a further line may begin before the text of its bullet."""
_SAME_HEIGHT: Final = (0.8, 1.25)
"""Ratio of the letter heights of two lines of one list."""
_HEADING_WORDS: Final = 4
"""Words of a heading, and of a part of a sentence."""
_SURE: Final = 0.88
"""Confidence of a note that a bullet sets off."""


def bulleted_lists(free: Sequence[Line]) -> Iterator[list[Draft]]:
    """Lists of bullets, a note each with its further lines; none of what has too few words for notes."""
    for run in _runs(free):
        drafts = [draft for draft in run if word_count(draft.text) >= NOTE_WORDS]
        spoken = sum(word_count(draft.text) >= SPOKEN_WORDS for draft in drafts)
        has_blank = any(has_placeholder(draft.text) for draft in run)
        if len(run) >= _FEWEST and 2 * len(drafts) > len(run) and spoken >= _FEWEST and not has_blank:
            yield run


def heading_of(drafts: Sequence[Draft], free: Sequence[Line]) -> Line | None:
    """The line with a colon that stands right over a list, in line with its bullets or over them."""
    first = drafts[0].first
    h = max(first.height, 1e-9)
    for line in free:
        drop = line.level - first.level
        overlaps = min(line.box[2], first.box[2]) - max(line.box[0], first.box[0]) > 0
        if line.page == first.page and 0 < drop < WRAP * h and overlaps and line.text.rstrip().endswith(COLONS):
            return line
    return None


def within_sentence(over: Line, drafts: list[Draft]) -> list[Draft]:
    """The short parts of a list as one note with the sentence over them that announces them; under a few words they are notes.

    `Limits of sizes without a tolerance:` over `- holes: H13` and `- shafts: h13`.
    """
    is_sentence = word_count(over.text) > _HEADING_WORDS
    if not is_sentence or any(word_count(draft.text) > _HEADING_WORDS for draft in drafts):
        return drafts
    return [Draft(over, None, _SURE, parts=[line for draft in drafts for line in draft.lines])]


def _runs(free: Sequence[Line]) -> Iterator[list[Draft]]:
    """Bullets one under the other, with the lines between them that are theirs."""
    runs: list[list[Draft]] = []
    for line in free:
        if line.bullet:
            run = next((run for run in runs if _is_next(run, line)), None)
            if run is None:
                runs.append([Draft(line, None, _SURE)])
            else:
                run.append(Draft(line, None, _SURE))
        elif not line.marked:
            owner = next((run[-1] for run in runs if _goes_on(run[-1], line)), None)
            if owner is not None:
                owner.parts.append(line)
    yield from runs


def _is_next(run: Sequence[Draft], line: Line) -> bool:
    first, last = run[0].first, run[-1].last
    h = max(first.height, 1e-9)
    return (
        _is_alike(first, line)
        and abs(line.box[0] - first.box[0]) < _SHIFT * h
        and 0 < last.level - line.level < PARAGRAPH * h
    )


def _goes_on(draft: Draft, line: Line) -> bool:
    h = max(draft.first.height, 1e-9)
    is_indented = abs(line.box[0] - draft.first.begin) < 2 * _SHIFT * h
    is_flush = abs(line.box[0] - draft.first.box[0]) < _SHIFT * h and line.text[:1].islower()
    # Values under one another after a colon stand far in.
    is_under = draft.first.begin < line.box[0] < draft.first.box[2] and any(
        colon in draft.first.text for colon in COLONS
    )
    return (
        _is_alike(draft.first, line)
        and (is_indented or is_flush or is_under)
        and 0 < draft.last.level - line.level < WRAP * h
    )


def _is_alike(first: Line, line: Line) -> bool:
    ratio = line.height / max(first.height, 1e-9)
    return first.page == line.page and first.cell == line.cell and _SAME_HEIGHT[0] < ratio < _SAME_HEIGHT[1]
