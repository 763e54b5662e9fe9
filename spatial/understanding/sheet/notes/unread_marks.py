"""Notes of a numbered list whose own numbers could not be read, as in triangles: they stand in line with the texts of the others."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from spatial.knowledge.value_forms import UNREAD
from spatial.understanding.sheet.notes.draft import PARAGRAPH, SPOKEN_WORDS, WRAP, Draft
from spatial.understanding.sheet.notes.line import NOTE_WORDS, Line, word_count
from spatial.understanding.sheet.notes.wrapping import ENDS, begins_anew

_FEWEST: Final = 3
"""Notes of a list whose numbers were read."""
_ALIGNED: Final = 0.5
"""Letter heights between the left ends of the texts of two notes."""
_MOST_LEFT_OUT, _INDENT = 8, 0.5
"""Numbers that a list leaves out, and letter heights by which the texts of its notes are set in from the numbers."""
_WIDER: Final = 1.3
"""By how much the step before a note exceeds those between its lines."""
_MOST_BESIDE: Final = 40
"""Numbers of other columns between two of one."""
_ESTIMATED: Final = 1.5
"""Letter heights by which a text may begin away from where the width of a number lets expect it."""
_SET_OFF: Final = 1.2
"""Letter heights by which the numbers of a list stand before its texts, at least."""
_LETTER_SHIFT: Final = 1.2
"""Letter heights between the texts of two lettered parts: where one begins is estimated from the width of its letters."""
_SEMICOLONS: Final = (";", "\uff1b")
"""How a part ends before the next."""
_UNREAD_MARK: Final = re.compile(rf"(?:{UNREAD}|(?P<bars>[Il|]{{1,2}}))\s*[.)]\s*(?=[^\W\d_]{{2}})")
"""A mark of which nothing was read, or bars: a 1 that is a bare stroke looks as a capital I does."""
_BEFORE_FIGURE: Final = re.compile(r"(\d{1,2})[.)\u3001\uff0e\uff09](?=\d)")
"""A number with its point right before a figure: it may as well begin a size, `13\u300114` two items of a list."""
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
    """`free` with the numbers that could not be read (`\ufffd. TEXT`) between two notes that leave out one, or over the second.

    One that was read as bars (`I. TEXT`) is a 1 or an 11 where that is the number left out.

    A number that a figure follows right behind its point is a mark where it is the one that is left out: `3.2 holes` between 2. and 4.
    """
    counted = [line for line in free if line.number is not None]
    return [_numbered(line, counted) for line in free]


def with_left_out(free: Sequence[Line]) -> list[Line]:
    """`free` with the numbers between two notes of one column that leave some out, where as many texts are set in between them.

    They begin where the texts of the list do, and as texts do; what goes on stands flush with the numbers or in small letters.
    """
    ordered = sorted(free, key=lambda each: -each.level)
    drops = [-line.level for line in ordered]
    counted = [line for line in ordered if line.number is not None]
    given: dict[int, Line] = {}
    for place, over in enumerate(counted):
        below = counted[place + 1 : place + 1 + _MOST_BESIDE]
        under = next((each for each in below if each.level < over.level and _is_flush(each, over)), None)
        missing = (under.number or 0) - (over.number or 0) - 1 if under is not None else 0
        if under is None or not 0 < missing <= _MOST_LEFT_OUT or under.series != over.series:
            continue
        between = ordered[bisect_right(drops, -over.level) : bisect_left(drops, -under.level)]
        texts = _set_in(over, between, missing)
        if len(texts) != missing:
            texts = _after_gaps(over, between, under)
        if len(texts) == missing:
            given |= {
                id(line): replace(line, number=(over.number or 0) + count, loose=over.loose, begin=line.box[0])
                for count, line in enumerate(texts, 1)
            }
    return [given.get(id(line), line) for line in free]


def _set_in(over: Line, between: Sequence[Line], missing: int) -> list[Line]:
    """Of the lines `between` a note and the next those that begin where its text does, from the top; none if one of them goes on.

    Where there are no more lines than numbers left out, each has one, unless it begins with a small letter.
    """
    left, right = over.box[0] - over.height, over.box[2]
    plain = [line for line in between if not line.marked and not line.bullet and line.cell == over.cell]
    column = [over, *(line for line in plain if left < line.box[0] < right)]
    found: list[Line] = []
    is_one_each = len(column) == missing + 1
    for last, line in pairwise(column):
        if line.box[0] < over.box[0] + _INDENT * line.height:
            continue
        h = over.height
        is_of_list = (
            _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]
            and abs(line.box[0] - over.begin) < _ESTIMATED * h
            and abs(line.box[0] - (found or [line])[0].box[0]) < _ALIGNED * h
        )
        is_begun = begins_anew(line) or (is_one_each and not line.text[:1].islower())
        if not is_of_list or not (is_begun or last.text.rstrip().endswith(ENDS)):
            return []
        found.append(line)
    return found


def _after_gaps(over: Line, between: Sequence[Line], under: Line) -> list[Line]:
    """Of the plain lines `between` two notes those that a gap stands before, as one stands before the second note; none without them."""
    left, right = over.box[0] + _INDENT * over.height, over.box[2]
    plain = [line for line in between if not line.marked and not line.bullet and line.cell == over.cell]
    column = [over, *(line for line in plain if left < line.box[0] < right), under]
    drops = [last.level - line.level for last, line in pairwise(column)]
    least = _WIDER * min(drops)
    if drops[-1] <= least or any(not 0 < drop < PARAGRAPH * over.height for drop in drops):
        return []
    return [line for drop, line in zip(drops[:-1], column[1:-1], strict=True) if drop > least]


def _numbered(line: Line, counted: Sequence[Line]) -> Line:
    """`line` with its number, where lines that have theirs, above and below it, leave one out."""
    found = _UNREAD_MARK.match(line.text) or _BEFORE_FIGURE.match(line.text) if not line.marked else None
    if found is None:
        return line
    read = int(found[1]) if found.re is _BEFORE_FIGURE else None
    flush = [each for each in counted if _is_flush(each, line)]
    over = min((each for each in flush if each.level > line.level), key=lambda each: each.level, default=None)
    under = max((each for each in flush if each.level < line.level), key=lambda each: each.level, default=None)
    if under is None or (under.number or 0) - (over.number or 0 if over is not None else 0) != 2:
        return line
    number = (under.number or 0) - 1
    if read is not None and (over is None or read != number):
        return line
    if found.re is _UNREAD_MARK and found["bars"] and "1" * len(found["bars"]) != str(number):
        return line
    if over is None and (line.level - under.level) > PARAGRAPH * line.height:
        return line
    return replace(line, text=line.text[found.end() :], number=number, begin=under.begin)


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


def with_numbered_first(heading: Line, drafts: Sequence[Draft], free: Sequence[Line]) -> list[Draft]:
    """The notes under a heading with the one over them that has the number 1, of which alone the number was read.

    The others begin where its text does, behind its number.
    """
    below = drafts[0].first if drafts else None
    if below is None:
        return []
    for line in free:
        if line.number != 1 or not _is_set_off(line) or word_count(line.text) < NOTE_WORDS:
            continue
        is_between = heading.level > line.level > below.level > line.level - PARAGRAPH * line.height
        if is_between and _is_in_line(below, line):
            return [Draft(line, line.number, drafts[0].sure), *drafts]
    return list(drafts)


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


def unread_letter(draft: Draft, line: Line) -> str | None:
    """The letter that the line under a lettered part must have, if it is a part whose letter could not be read; else None.

    It begins where the text of the part over it does, and that ends with a semicolon, as the items of a list do (ISO/IEC Directives 2,
    GB/T 1.1).
    """
    is_item = draft.letter is not None and len(draft.letter) == 1 and "a" <= draft.letter < "z"
    is_below = abs(line.box[0] - draft.first.begin) < _LETTER_SHIFT * max(line.height, 1e-9)
    if draft.letter is None or not is_item or not is_below or line.bullet:
        return None
    return chr(ord(draft.letter) + 1) if draft.text.rstrip().endswith(_SEMICOLONS) else None
