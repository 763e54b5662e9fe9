"""Groups of statements that are set in under what they are about: `Electrical:` over `Voltage: 50 V`, `Material:` over `Shell: steel`.

What stands set in under words with a colon is part of what they announce, so that each group is one note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import PARAGRAPH, WRAP, Draft
from spatial.understanding.sheet.notes.line import NOTE_WORDS, Line, word_count
from spatial.understanding.sheet.notes.titled import states_subject

_FEWEST: Final = 2
"""Groups, and statements of most of them: one alone is a heading with its list."""
_MOST_WORDS: Final = 8
"""Words of what heads a group, in two languages."""
_FLUSH, _SET_IN = 0.3, (0.5, 12.0)
"""Letter heights between the left ends of two heads, and by which what stands under them is set in."""
_SAME_HEIGHT: Final = (0.9, 1.12)
"""Ratio of the letter heights of two lines of such groups."""
_SURE: Final = 0.86
"""Confidence of such a note."""


def grouped_statements(left: Sequence[Line]) -> Iterator[list[Draft]]:
    """Each row of groups in open space below one another, a note a group."""
    plain = [line for line in left if line.cell < 0 and not line.marked and not line.bullet]
    groups = [group for line in plain if _may_head(line) and (group := _group(line, plain)).parts]
    inner = {id(line) for group in groups for line in group.parts}
    rows: list[list[Draft]] = []
    for group in groups:
        if id(group.first) in inner:
            continue
        row = next((row for row in rows if _is_below(row[-1], group)), None)
        if row is not None:
            row.append(group)
        else:
            rows.append([group])
    yield from filter(_are_statements, rows)


def _may_head(line: Line) -> bool:
    text = line.text.rstrip()
    return text.endswith(COLONS) and text[:1].isalpha() and 0 < word_count(text) <= _MOST_WORDS


def _group(head: Line, plain: Sequence[Line]) -> Draft:
    """`head` with the lines under it down to the first of its column that is not set in."""
    group = Draft(head, None, _SURE)
    h = max(head.height, 1e-9)
    for line in plain:
        shift = (line.box[0] - head.box[0]) / h
        drop = (group.last.level - line.level) / h
        if not (drop > 0 and line.page == head.page and -_SET_IN[1] < shift < _SET_IN[1]):
            continue
        if drop > WRAP or shift < _SET_IN[0] or not _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]:
            break
        group.parts.append(line)
    return group


def _is_below(last: Draft, group: Draft) -> bool:
    first, other = last.first, group.first
    h = max(first.height, 1e-9)
    return (
        first.page == other.page
        and abs(first.box[0] - other.box[0]) < _FLUSH * h
        and _SAME_HEIGHT[0] < other.height / h < _SAME_HEIGHT[1]
        and 0 < last.last.level - other.level < PARAGRAPH * h
    )


def _are_statements(row: Sequence[Draft]) -> bool:
    """Whether there are several groups of which most hold several lines, most of which state something of a named subject."""
    parts = [line for group in row for line in group.parts]
    stated = sum(states_subject(line) and word_count(line.text) >= NOTE_WORDS for line in parts)
    are_several = sum(len(group.parts) >= _FEWEST for group in row)
    return len(row) >= _FEWEST and 2 * are_several > len(row) and 2 * stated > len(parts)
