"""Notes of a numbered list whose own numbers could not be read, as in triangles: they stand in line with the texts of the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge.value_forms import UNREAD
from spatial.understanding.sheet.notes.draft import PARAGRAPH, SPOKEN_WORDS, WRAP, Draft
from spatial.understanding.sheet.notes.line import Line, word_count

_FEWEST: Final = 3
"""Notes of a list whose numbers were read."""
_ALIGNED: Final = 0.5
"""Letter heights between the left ends of the texts of two notes."""
_SET_OFF: Final = 2.0
"""Letter heights by which the numbers of a list stand before its texts, at least."""
_UNREAD_MARK: Final = re.compile(rf"{UNREAD}\s*[.)]\s*(?=[^\W\d_]{{2}})")
_SAME_HEIGHT: Final = (0.9, 1.12)
"""Ratio of the letter heights of two notes of one list."""


def with_first_mark(free: Sequence[Line]) -> list[Line]:
    """`free` with the number 1 before the lines right over a list that begins with 2, in line with its texts."""
    marked = list(free)
    for second in [line for line in free if line.number == 2 and _is_set_off(line)]:
        if len(_run(second, free)) < _FEWEST or any(_is_first(line, second) for line in free):
            continue
        above = _above(second, free)
        if above and word_count(above[-1].text) >= SPOKEN_WORDS:
            first = above[-1]
            marked[marked.index(first)] = replace(first, number=1, loose=second.loose, begin=first.box[0])
    return marked


def with_marks_between(free: Sequence[Line]) -> list[Line]:
    """`free` with the numbers that could not be read (`\ufffd. TEXT`) between two notes that leave out one, or over the second."""
    return [_numbered(line, free) for line in free]


def _numbered(line: Line, free: Sequence[Line]) -> Line:
    found = _UNREAD_MARK.match(line.text) if not line.marked else None
    if found is None:
        return line
    flush = [each for each in free if each.number is not None and _is_flush(each, line)]
    over = min((each for each in flush if each.level > line.level), key=lambda each: each.level, default=None)
    under = max((each for each in flush if each.level < line.level), key=lambda each: each.level, default=None)
    if under is None or (under.number or 0) - (over.number or 0 if over is not None else 0) != 2:
        return line
    if over is None and (line.level - under.level) > PARAGRAPH * line.height:
        return line
    return replace(line, text=line.text[found.end() :], number=(under.number or 0) - 1, begin=under.begin)


def _is_flush(mark: Line, line: Line) -> bool:
    """Whether a mark stands where that of `line` does."""
    h = max(line.height, 1e-9)
    return (
        mark.page == line.page
        and mark.cell == line.cell
        and _SAME_HEIGHT[0] < mark.height / h < _SAME_HEIGHT[1]
        and abs(mark.box[0] - line.box[0]) < _ALIGNED * h
    )


def with_unread_last(drafts: Sequence[Draft], free: Sequence[Line]) -> list[Draft]:
    """The notes of a list with those set off below the last one, in line with its texts; without a number."""
    found = list(drafts)
    mark = drafts[-1].first
    if len(drafts) < _FEWEST or not _is_set_off(mark):
        return found
    for line in free:
        last = found[-1]
        drop = (last.last.level - line.level) / max(mark.height, 1e-9)
        if line.number is not None or not _is_in_line(line, mark) or not 0 < drop < PARAGRAPH:
            continue
        if line.text[:1].islower() or (drop < WRAP and last.number is None):
            last.parts.append(line)
        elif drop >= WRAP and word_count(line.text) >= SPOKEN_WORDS:
            found.append(Draft(line, None, last.sure))
    return found


def _run(second: Line, free: Sequence[Line]) -> list[Line]:
    """The lines that count on from one."""
    run = [second]
    for line in free:
        last = run[-1]
        if line.number == (last.number or 0) + 1 and line.level < last.level and _is_alike(line, second):
            run.append(line)
    return run


def _is_set_off(mark: Line) -> bool:
    return mark.begin - mark.box[0] >= _SET_OFF * mark.height


def _is_alike(line: Line, mark: Line) -> bool:
    h = max(mark.height, 1e-9)
    return (
        line.page == mark.page
        and line.cell == mark.cell
        and line.series == mark.series
        and _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]
        and abs(line.begin - mark.begin) < _ALIGNED * h
    )


def _is_in_line(line: Line, mark: Line) -> bool:
    """Whether an unmarked line begins where the texts of a list do."""
    return not line.marked and not line.bullet and _is_alike(replace(line, begin=line.box[0], series=mark.series), mark)


def _is_first(line: Line, second: Line) -> bool:
    return line.number == 1 and line.series == second.series and _is_alike(line, second)


def _above(second: Line, free: Sequence[Line]) -> list[Line]:
    """The unmarked lines right over a note and in line with its text, from the lowest."""
    above = [second]
    for line in sorted(free, key=lambda each: each.level):
        drop = (line.level - above[-1].level) / max(second.height, 1e-9)
        if 0 < drop < PARAGRAPH and _is_in_line(line, second):
            above.append(line)
    return above[1:]
