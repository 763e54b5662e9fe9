"""Numbered lists of notes: lines that count on, one under the other, with their further lines and lettered items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import PARAGRAPH, SPOKEN_WORDS, WRAP, Draft, is_about_whole_part
from spatial.understanding.sheet.notes.headings import heading_above
from spatial.understanding.sheet.notes.line import NOTE_WORDS, Line, word_count
from spatial.understanding.sheet.notes.miscounted import is_miscounted
from spatial.understanding.sheet.notes.sentences import is_note
from spatial.understanding.sheet.notes.unread_marks import unread_letter

_SAME_HEIGHT: Final = (0.7, 1.43)
"""Ratio of the letter heights of a mark and of the lines of its note: drafters letter some lines smaller."""
_MARK_SHIFT, _TEXT_SHIFT = 2.2, 1.2
"""Letter heights between the left ends of two marks, and of two texts after marks: 9. and 10. align at either."""
_FLAGGED_SHIFT, _FLAGGED_MARK_SHIFT = 0.3, 0.5
"""Letter heights between the left ends of two texts of one list of which one number has a point and the other a flag around it;
and of their numbers, of which one may have a digit more."""
_NEXT_NUMBER: Final = 60.0
"""Letter heights from a number to the next: a note may be long."""
_LOOSE_LIST: Final = 3
"""Numbers without point or bracket that are a list without a heading; fewer are balloons."""
_LOOSE_WORDS: Final = 2.5
"""Words of such a note, on average; rows of a table have fewer."""
_CAPTION_DROP: Final = 12.0
"""Letter heights from one number to the next beyond which a few words over a drawing are the name of what is drawn there."""
_LEFT_OF_MARK, _RIGHT_OF_TEXT = 1.5, 6.0
"""Letter heights by which a further line may begin before its note's mark and after its text."""
_PAST_FIRST: Final = 2.0
"""Letter heights by which a line set further in may end past the first line of the last note of a list."""
_BELOW_MARK: Final = 0.3
"""Letter heights below the middle of a mark at which further lines of its note begin."""
_SURE_HEADED, _SURE_MARKED, _SURE_LOOSE = 0.97, 0.93, 0.88
"""Confidence of numbered notes: under a heading, without one, and without point or bracket."""
_NESTED: Final = 0.5
"""Letter heights by which the mark of a nested list may stand before the text of the note that holds it."""
_HEADING_WORDS, _ANNOUNCING_WORDS = 3, 6
"""Words of a heading between two notes of a list, and of one that ends with a colon."""
_SET_APART, _SET_APART_MORE = 2.0, 1.3
"""Letter heights from the note over such a heading, and how much larger that step is than the one to the note below."""
_OTHER_LETTERING: Final = 0.1
"""Part by which the letters of a picture or table are larger or smaller than those of the note over it."""
_SURE_ITEM: Final = 0.02
"""What a lettered part lacks to the confidence of its note."""


def numbered_lists(free: Sequence[Line], headings: Sequence[Line]) -> list[list[Line]]:
    """Numbered lines that count on, one under the other; the first columns first."""
    runs: list[list[Line]] = []
    for line in free:
        if line.number is None:
            continue
        lists = (run for run in runs if _counts_on(run[-1], line))
        owner = min(lists, key=lambda run: (_aside(run[-1], line), run[-1].level), default=None)
        owner = owner or next((run for run in runs if is_miscounted(run, line, free)), None)
        if owner is not None:
            owner.append(line)
        else:
            runs.append([line])
    runs.sort(key=lambda run: (run[0].series, run[0].number or 0))
    of_parts = _words_of_parts(free)
    kept: list[list[Line]] = []
    for run in runs:
        ends = {each[-1].number or 0 for each in kept if not each[0].series}
        is_headed = run[0].heading_begin is not None or heading_above(run[0], headings) is not None
        is_headed |= any(_is_column_beside(each, run) for each in kept)
        if _is_list(run, is_headed, ends, of_parts) or _is_lone_sentence(run, free):
            kept.append(run)
    return kept


def _is_lone_sentence(run: Sequence[Line], free: Sequence[Line]) -> bool:
    """Whether the only number, with its point, stands before a sentence in open space, whose further lines are flush or centred."""
    first = run[0]
    if len(run) > 1 or first.number != 1 or first.loose or first.series or first.cell >= 0:
        return False
    h, said, last = max(first.height, 1e-9), first.text, first
    for line in free:
        if line.marked or line.page != first.page or not 0 < last.level - line.level < WRAP * h:
            continue
        is_flush = abs(line.box[0] - first.begin) < _TEXT_SHIFT * h
        is_centred = abs(line.box[0] + line.box[2] - first.begin - first.box[2]) < 2 * _TEXT_SHIFT * h
        if (
            not said.endswith(".")
            and (is_flush or is_centred)
            and abs(line.height - first.height) < _OTHER_LETTERING * h
        ):
            said, last = f"{said} {line.text}", line
    return said.endswith(".") and is_note(said)


def _is_column_beside(run: Sequence[Line], further: Sequence[Line]) -> bool:
    """Whether a list counts on in a second column: its first number stands beside the first of the list, in lettering as high."""
    first, begin = run[0], further[0]
    h = max(first.height, 1e-9)
    return (
        begin.number == (run[-1].number or 0) + 1
        and begin.series == first.series
        and begin.loose == first.loose
        and first.page == begin.page
        and begin.box[0] > first.box[2]
        and abs(first.level - begin.level) < _NESTED * h
        and abs(begin.height - first.height) < _OTHER_LETTERING * h
    )


def _words_of_parts(free: Sequence[Line]) -> Counter[int]:
    """Words of the parts that stand right under each note or under one another, `1.1` below `1.`; chapters stand apart."""
    words: Counter[int] = Counter()
    levels: dict[int, float] = {}
    for line in free:
        if line.number is not None:
            levels[line.number] = line.level
        elif line.within is not None:
            if 0 < levels.get(line.within, math.inf) - line.level < PARAGRAPH * line.height:
                words[line.within] += word_count(line.text)
            levels[line.within] = line.level
    return words


def _aside(last: Line, line: Line) -> float:
    """Letter heights, in halves, by which a number stands left or right of another: lists within a note are set in."""
    return round(2 * abs(last.box[0] - line.box[0]) / max(last.height, line.height, 1e-9))


def _counts_on(last: Line, line: Line) -> bool:
    h = max(last.height, line.height)
    aligned = abs(last.box[0] - line.box[0]) < _MARK_SHIFT * h or abs(last.begin - line.begin) < _TEXT_SHIFT * h
    alike = _SAME_HEIGHT[0] < last.height / max(line.height, 1e-9) < _SAME_HEIGHT[1]
    return (
        line.number == (last.number or 0) + 1
        and line.series == last.series
        and aligned
        and alike
        and (last.loose == line.loose or _is_flagged(last, line))
        and last.level > line.level
        and last.level - line.level < _NEXT_NUMBER * h
    )


def _is_flagged(last: Line, line: Line) -> bool:
    """Whether two numbers of one list may stand in line though one has a point and the other none, but a flag around it."""
    h = max(last.height, line.height)
    return abs(last.begin - line.begin) < _FLAGGED_SHIFT * h or abs(last.box[0] - line.box[0]) < _FLAGGED_MARK_SHIFT * h


def _is_list(run: Sequence[Line], headed: bool, ends: set[int], of_parts: Mapping[int, int]) -> bool:
    """Whether numbered lines are notes: not balloons, rows of a table, steps on a scale.

    of_parts: words of the parts of each note, `1.1` below `1.`; a note with parts may be one word.
    """
    first = run[0].number or 0
    if run[0].series:
        return first == 1 and len(run) >= 2
    words = [word_count(line.text) + of_parts.get(line.number or 0, 0) for line in run]
    if headed and first == 1 and not run[0].loose and run[0].text.endswith(COLONS) and words[0]:
        return True
    if _are_subjects(run) and first == 1:
        return True
    goes_on = first == 1 or first - 1 in ends or (headed and first <= 2) or _is_part_of_list(run, words)
    if not any(count >= NOTE_WORDS for count in words) or not goes_on:
        return False
    if all(line.loose for line in run):
        return len(run) >= 2 and (headed or (len(run) >= _LOOSE_LIST and sum(words) / len(words) >= _LOOSE_WORDS))
    if headed:
        return True
    if _are_captions(run, words):
        return False
    return ((len(run) >= 2 or first > 1) and max(words) >= SPOKEN_WORDS) or is_about_whole_part(run[0].text)


def _are_subjects(run: Sequence[Line]) -> bool:
    """Whether each of several notes with a point or bracket announces what stands under it: `1. MATERIAL:` over `2. ELECTRICAL:`."""
    return len(run) >= 2 and all(
        not line.loose and line.text.endswith(COLONS) and word_count(line.text) for line in run
    )


def _are_captions(run: Sequence[Line], words: Sequence[int]) -> bool:
    """Whether numbered lines of a few words each stand far below one another: names of parts, each under its views."""
    drops = [(last.level - line.level) / max(line.height, 1e-9) for last, line in pairwise(run)]
    return bool(drops) and min(drops) > _CAPTION_DROP and max(words) <= SPOKEN_WORDS


def _is_part_of_list(run: Sequence[Line], words: Sequence[int]) -> bool:
    """Whether marked sentences are the rest of a list whose first notes are on another sheet or could not be read."""
    return len(run) >= 2 and not any(line.loose for line in run) and sum(words) >= SPOKEN_WORDS * len(run)


def with_further_lines(
    run: Sequence[Line], free: Sequence[Line], headed: bool, runs: Sequence[Sequence[Line]] = ()
) -> list[Draft]:
    """The notes of a numbered list with their further lines and lettered items. runs: all numbered lists."""
    sure = _SURE_HEADED if headed else _SURE_LOOSE if run[0].loose else _SURE_MARKED
    drafts: list[Draft] = []
    marks, counted = {id(line) for line in run}, {id(line) for each in runs for line in each}
    for place, mark in enumerate(run):
        drafts.append(Draft(mark, mark.number, sure))
        floor = run[place + 1].level if place + 1 < len(run) else _next_list(mark, [each[0] for each in runs])
        last = place + 1 == len(run)
        between = [
            line
            for line in free
            if id(line) not in marks
            and line.page == mark.page
            and floor < line.level < mark.level - _BELOW_MARK * mark.height
        ]
        nested = 0
        for line in between:
            if _counts_nothing(line, mark, nested, counted) and _continues_note(drafts[-1], line, mark, last=last):
                line.take_back_mark()
            if line.number is not None and not (_is_nested(line, mark, nested) and not _goes_beyond(line, floor, runs)):
                continue
            if not _continues_note(drafts[-1], line, mark, last=last):
                continue
            if _is_of_picture(drafts[-1], line, between):
                break
            if _heads_next(drafts[-1], line, mark, [each for own in runs for each in own]):
                break
            if line.number is not None:
                nested = line.number
                drafts.append(Draft(line, mark.number, sure - _SURE_ITEM, f".{nested}"))
            elif letter := _letter(drafts[-1], line, mark):
                drafts.append(Draft(line, mark.number, sure - _SURE_ITEM, letter))
            else:
                drafts[-1].parts.append(line)
    return drafts


def _letter(draft: Draft, line: Line, mark: Line) -> str | None:
    """The letter of a part of a note, also where it could not be read; None of what is no part."""
    if line.letter and line.within in (None, mark.number):
        return line.letter
    return unread_letter(draft, line)


def _is_of_picture(draft: Draft, line: Line, between: Sequence[Line]) -> bool:
    """Whether a line in other lettering is of the picture or table that a note announces with a colon: `as per following scheme:`.

    Drawn lettering without tall letters is lower than that of the next line, which stands flush with it.
    """
    if not draft.text.rstrip().endswith(COLONS) or not _is_other_lettering(draft, line):
        return False
    h = max(line.height, 1e-9)
    below = (
        each
        for each in between
        if abs(each.box[0] - line.box[0]) < _NESTED * h and 0 < line.level - each.level < WRAP * h
    )
    return all(_is_other_lettering(draft, each) for each in below)


def _is_other_lettering(draft: Draft, line: Line) -> bool:
    return abs(line.height / max(draft.last.height, 1e-9) - 1) > _OTHER_LETTERING


def _heads_next(draft: Draft, line: Line, mark: Line, counted: Sequence[Line]) -> bool:
    """Whether a few words without a figure stand between two notes as the heading of the second: flush with the numbers, over one of them.

    They stand nearer to the note below them than to the one above; those with a colon may be flush with the texts.
    """
    text, h = line.text.rstrip(), max(mark.height, 1e-9)
    announces = text.endswith(COLONS)
    is_short = 0 < word_count(text) <= (_ANNOUNCING_WORDS if announces else _HEADING_WORDS)
    if not is_short or any(map(str.isdigit, text)) or line.marked or line.bullet:
        return False
    if not (text[-1:].isalpha() or announces) or not text[:1].isupper():
        return False
    is_flush = abs(line.box[0] - mark.box[0]) <= _NESTED * h
    is_flush |= announces and abs(line.box[0] - mark.begin) < _TEXT_SHIFT * h
    if not is_flush or draft.last.level - line.level < _SET_APART * h:
        return False
    below = [
        each
        for each in counted
        if abs(each.box[0] - mark.box[0]) < _MARK_SHIFT * h and 0 < line.level - each.level < WRAP * h
    ]
    return bool(below) and draft.last.level - line.level > _SET_APART_MORE * (line.level - below[0].level)


def _is_nested(line: Line, mark: Line, last: int) -> bool:
    """Whether a number counts within a note: it begins again with 1, or goes on, where the text of the note begins or further in."""
    return line.number == last + 1 and line.series == mark.series and line.box[0] > mark.begin - _NESTED * mark.height


def _counts_nothing(line: Line, mark: Line, last: int, counted: set[int]) -> bool:
    """Whether a number is of no list, and none within its note, where the text of the note stands: it is a word of that text.

    counted: ids of the lines of all lists.
    """
    is_set_in = line.box[0] > mark.begin - _NESTED * mark.height
    return line.number is not None and id(line) not in counted and is_set_in and not _is_nested(line, mark, last)


def _goes_beyond(line: Line, floor: float, runs: Sequence[Sequence[Line]]) -> bool:
    """Whether `line` begins a list that goes on below the note which ends at the height `floor`: it stands beside that note."""
    return any(run[0] is line and run[-1].level < floor for run in runs)


def _next_list(mark: Line, begins: Sequence[Line]) -> float:
    """Height at which the next list of the same column begins; the last note of a list ends above it."""
    below = [
        each.level
        for each in begins
        if each.page == mark.page
        and each.level < mark.level
        and abs(each.box[0] - mark.box[0]) < _MARK_SHIFT * mark.height
    ]
    return max(below, default=float("-inf"))


def _continues_note(draft: Draft, line: Line, mark: Line, *, last: bool) -> bool:
    """Whether `line` goes on where `draft` stopped."""
    h = max(mark.height, 1e-9)
    same = bool(set(line.sources) & set(draft.last.sources)) and not line.after_blank
    drop = (draft.last.level - line.level) / h
    alike = _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]
    left = line.box[0]
    # What stands under the first line goes on, however far in: values under one another after a colon.
    under = left < draft.first.box[2] and (not last or line.box[2] < draft.first.box[2] + _PAST_FIRST * h)
    under |= not last and left < draft.last.box[2]
    under |= draft.last.box[0] < left and line.box[2] < draft.last.box[2]
    near = left < max(mark.begin, draft.first.begin) + _RIGHT_OF_TEXT * h
    begin = mark.box[0] if mark.heading_begin is None else min(mark.box[0], mark.heading_begin)
    placed = begin - _LEFT_OF_MARK * h < left and (near or under)
    return same or (alike and placed and line.cell == mark.cell and 0 < drop < (WRAP if last else PARAGRAPH))
