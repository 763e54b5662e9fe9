"""What makes a table one of changes (ASME Y14.35, ISO 7200): a row per revision, marks that count up, words that say what was changed.

Lists of documents and of parts have columns for a revision and a date as well. There the mark belongs to the thing that the row names,
so that marks repeat or go up and down, and the thing stands before its mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from spatial.knowledge.table_headers import concepts, label
from spatial.knowledge.table_kinds import CHANGE_COLUMNS
from spatial.knowledge.value_forms import FULL_DATE, SHEET_OF_SEVERAL, has_digit, has_letter
from spatial.understanding.sheet.tables.found_table import NOTHING_SAID, Entry, FoundTable, Row, key_column, meanings

Step: TypeAlias = "tuple[int, int]"
"""From one mark to the next: up or down, and how far where they differ in their last part alone."""

_MARK: Final = re.compile(r"[^\W\d_]\d{0,2}|\d{1,3}")
_HEADINGS: Final = 4
"""Known headings of a change table whose one row is a mark alone."""
TELLING: Final = frozenset({"change", "description", "ecn", "zone"})
"""What says what was changed, or where."""
_PERSONS: Final = frozenset({"by", "approved"})
"""Who made a change or agreed to it."""
_BEFORE_MARKS: Final = frozenset({"change", "ecn", "zone", "date", "by", "approved", "sheet"})
"""What stands before the mark of a change; before that of a document or a part stands its name or number."""
_OF_PARTS: Final = frozenset({"quantity", "material", "weight"})
"""What a change has none of."""
_THING: Final = frozenset({"document", "part_number"})
"""What a list of documents or of parts names in each row."""
_FEWEST: Final = 2
"""Rows that show an order."""
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_PHRASE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4,}")
_PART_OF_MARK: Final = re.compile(r"[^\W\d_]+|\d+")
_WITH_FIGURE: Final = re.compile(r"([A-Z])([lIO])")
_FIGURES: Final = str.maketrans("lIO", "110")
_SIZE: Final = re.compile(r"\d{1,3}(?:[.,]\d)?")
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def are_revisions(found: FoundTable) -> bool:
    """Whether a table headed like one of changes is one, by its title or by its rows."""
    if found.is_titled:
        return True
    if any(_counts_sheets(row, found.heads) or _has_size_for_date(row, found.heads) for row in found.rows):
        return False
    key = key_column(found.heads, found.kind)
    if len(found.rows) == 1 and not (_begins_with_mark(found.rows[0]) or _tells_what(found.heads)):
        return False
    is_history = len(found.rows) >= _FEWEST or (found.foreseen >= _FEWEST and _has_date(found.rows[0], found.heads))
    event = _begins_event(found.heads, key) if is_history else len(found.heads)
    numbering = _numbering(found)
    if any(
        is_foreign(found.heads[place].text) for place in _filled(found.rows) if place < event and place != numbering
    ):
        return False
    if key is None:
        return not _are_of_parts(found.heads, found.rows)
    marks = [row[key].text for row in found.rows]
    is_marked = any(marks) or _is_first_issue(found)
    return is_marked and not _list_things(found.heads, found.rows, key) and _are_borne_out(found, key, marks)


def _numbering(found: FoundTable) -> int | None:
    """Place of a first column that numbers changes, which a heading says they are: 1, 2, 3 under a word for the number of a row."""
    known = meanings(found.heads)
    says_change = any("change" in meaning for meaning in known[1:])
    return 0 if says_change and "item" in known[0] and all(_MARK.fullmatch(row[0].text) for row in found.rows) else None


def _is_first_issue(found: FoundTable) -> bool:
    """Whether the one row of a ruled table that heads nothing but changes is the first issue, which has no mark yet, or a dash for it.

    It has its date and what ordered it (ASME Y14.35).
    """
    known = meanings(found.heads)
    if (
        len(found.rows) != 1
        or not found.borders
        or len(known) < _HEADINGS
        or not all(each & CHANGE_COLUMNS for each in known)
    ):
        return False
    said = list(zip(found.rows[0], known, strict=True))
    is_dated = any("date" in meaning and FULL_DATE.fullmatch(each.text) for each, meaning in said)
    return is_dated and any("ecn" in meaning and has_digit(each.text) for each, meaning in said)


def drawn_mark(text: str) -> str:
    """The mark that a drawn one is: behind a letter a small l or a large O is a figure, since no mark has I or O (ASME Y14.35)."""
    found = _WITH_FIGURE.fullmatch(text)
    return found[1] + found[2].translate(_FIGURES) if found else text


def is_lone_mark(found: FoundTable) -> bool:
    """Whether all that is filled in of a ruled change table is the mark of one change.

    A form may have several marks printed, or the number of its first row under a word for numbers.
    """
    filled = [(place, each.text) for row in found.rows for place, each in enumerate(row) if each.text]
    meaning = meanings(found.heads)
    known = sum(bool(each & CHANGE_COLUMNS) for each in meaning)
    key = key_column(found.heads, found.kind)
    if found.kind != "revisions" or not found.borders or known < _HEADINGS or [place for place, _ in filled] != [key]:
        return False
    place, mark = filled[0]
    return not (mark.isdigit() and "item" in meaning[place])


def are_changes(heads: Sequence[Entry], rows: Sequence[Row]) -> bool:
    """Whether a heading is known and each of `rows` has a mark of its own, one date and words, as changes have in any language."""
    marks = [row[0].text for row in rows]
    known = any(meaning & CHANGE_COLUMNS for meaning in meanings(heads))
    return known and bool(rows) and len(set(marks)) == len(marks) and all(_is_change(row) for row in rows)


def are_counted(marks: Sequence[str]) -> bool:
    """Whether `marks` go on one by one in one direction, each of one form: A, B, C or 3, 2, 1."""
    steps = [_step(first, second) for first, second in pairwise(marks)]
    return (
        all(_MARK.fullmatch(mark) for mark in marks) and len(set(steps)) <= 1 and steps[:1] in ([], [(1, 1)], [(-1, 1)])
    )


def is_foreign(text: str) -> bool:
    """Whether a column headed `text` has no place among revisions: the row of labels over a title block's values has such."""
    known = concepts(text)
    return not known & CHANGE_COLUMNS if known else label(text) == "title block"


def _counts_sheets(row: Row, heads: Sequence[Entry]) -> bool:
    """Whether a row says under the heading of the sheet which of how many it is, as a sheet says of itself and no change does: 1/3."""
    return any(
        "sheet" in meaning and SHEET_OF_SEVERAL.fullmatch(each.text.strip())
        for each, meaning in zip(row, meanings(heads), strict=True)
    )


def _has_size_for_date(row: Row, heads: Sequence[Entry]) -> bool:
    """Whether a number stands under the heading of the date that is none, nor a year: a size of the view beside an empty table."""
    return any(
        "date" in meaning and _SIZE.fullmatch(each.text) for each, meaning in zip(row, meanings(heads), strict=True)
    )


def _has_date(row: Row, heads: Sequence[Entry]) -> bool:
    return any("date" in meaning and has_digit(each.text) for each, meaning in zip(row, meanings(heads), strict=True))


def _begins_with_mark(row: Row) -> bool:
    return _MARK.fullmatch(row[0].text) is not None


def _tells_what(heads: Sequence[Entry]) -> bool:
    """Whether a column says what was changed: without one, a single row under `Drawn, Checked, Date, Rev` is of a title block."""
    return any(meaning & TELLING and "revision" not in meaning for meaning in meanings(heads))


def _is_change(row: Row) -> bool:
    dates = sum(FULL_DATE.fullmatch(each.text) is not None for each in row)
    worded = any(_are_words(each.text) for each in row[1:])
    return _begins_with_mark(row) and dates == 1 and worded


def _are_words(text: str) -> bool:
    """Whether `text` is several words without figures; ideographs have no blanks between words, and a name has hardly four of them."""
    return not has_digit(text) and (len(text.split()) > 1 or _PHRASE.fullmatch(text) is not None)


def _list_things(heads: Sequence[Entry], rows: Sequence[Row], key: int) -> bool:
    """Whether the rows list documents or parts: numbered beside their marks, counted, identified, or named before the mark.

    Changes may be numbered too where a heading says that they are changes; what stands behind its date is an event, and no thing.
    """
    known = meanings(heads)
    beside = [place for place in range(len(heads)) if place != key]
    said = [[row[place].text for row in rows] for place in range(len(heads))]
    is_history = any("change" in known[place] for place in beside)
    dated = next((place for place in range(key) if "date" in known[place]), key)
    event = _begins_event(heads, key)
    return (
        _are_of_parts(heads, rows)
        or (not is_history and any(_counts(known[place], said[place]) for place in beside))
        or any(_identifies(known[place], said[place]) for place in beside if place < event)
        or any(_names(known[place], said[place]) and not _counts(known[place], said[place]) for place in range(dated))
    )


def _begins_event(heads: Sequence[Entry], key: int | None) -> int:
    """Place from which columns say what happened: behind the mark and its date stands an event, and no thing."""
    dates = [place for place, meaning in enumerate(meanings(heads)) if "date" in meaning]
    return len(heads) if key is None or not dates else max(key, dates[0])


def _counts(meaning: frozenset[str], said: Sequence[str]) -> bool:
    """Whether a column numbers the rows, beside their marks."""
    filled = [text for text in said if text]
    return "item" in meaning and bool(filled) and all(map(str.isdigit, filled))


def _are_of_parts(heads: Sequence[Entry], rows: Sequence[Row]) -> bool:
    known = meanings(heads)
    return any(known[place] & _OF_PARTS and not known[place] & CHANGE_COLUMNS for place in _filled(rows))


def _filled(rows: Sequence[Row]) -> list[int]:
    """Places of the columns that say something in some row; a form has columns that an office leaves empty."""
    width = len(rows[0]) if rows else 0
    return [place for place in range(width) if any(row[place].text.strip(NOTHING_SAID) for row in rows)]


def _identifies(meaning: frozenset[str], said: Sequence[str]) -> bool:
    """Whether a column has the number of a document or part in each row, another in each."""
    own = meaning & _THING and not meaning & TELLING
    return bool(own) and len(said) >= _FEWEST and all(said) and len(set(said)) == len(said)


def _names(meaning: frozenset[str], said: Sequence[str]) -> bool:
    """Whether a column before the mark names what the mark belongs to; of an unknown heading all cells are words then."""
    if meaning:
        return any(said) and not meaning & _BEFORE_MARKS
    return all(_WORD.search(text) for text in said)


def _are_borne_out(found: FoundTable, key: int, marks: Sequence[str]) -> bool:
    """Whether the marks count one way, and where no column says what was changed, one by one and with their dates."""
    steps = [step for first, second in pairwise(marks) if (step := _step(first, second)) is not None]
    if {1, -1} <= {way for way, _ in steps}:
        return False
    known = meanings(found.heads)
    if any(meaning & TELLING for place, meaning in enumerate(known) if place != key):
        return True
    counted = "item" not in known[key] and all(far == 1 for _, far in steps) and _is_dated(found.rows, known, steps)
    return counted and (
        any(meaning & _PERSONS for meaning in known)
        or _are_marks_and_dates(found.rows, known, key, steps)
        or (all(way for way, _ in steps) and all(_is_change(row) for row in found.rows))
    )


def _are_marks_and_dates(rows: Sequence[Row], known: Sequence[frozenset[str]], key: int, steps: Sequence[Step]) -> bool:
    """Whether the rows have a mark and a date each and nothing else, and there are several: REV over 6B and 6A, DATE beside it."""
    own = {key, *(place for place, meaning in enumerate(known) if "date" in meaning)}
    return (
        len(steps) + 1 == len(rows) >= _FEWEST
        and set(_filled(rows)) == own
        and all(has_digit(row[place].text) for row in rows for place in own - {key})
        and all(way for way, _ in steps)
    )


def _is_dated(rows: Sequence[Row], known: Sequence[frozenset[str]], steps: Sequence[Step]) -> bool:
    """Whether later marks have no earlier year."""
    years = [year for row in rows for year in _years(row, known)]
    fall = any(first > second for first, second in pairwise(years))
    rise = any(first < second for first, second in pairwise(years))
    return not (fall and any(way > 0 for way, _ in steps)) and not (rise and any(way < 0 for way, _ in steps))


def _years(row: Row, known: Sequence[frozenset[str]]) -> Iterator[int]:
    for each, meaning in zip(row, known, strict=True):
        found = _YEAR.search(each.text) if "date" in meaning else None
        if found:
            yield int(found[0])
            return


def _step(first: str, second: str) -> Step | None:
    """From one mark to the next; None where they are of different forms: `-` or `X2` before `A`."""
    before, after = _parts(first), _parts(second)
    if not before or [kind for kind, _ in before] != [kind for kind, _ in after]:
        return None
    if before == after:
        return 0, 1
    place = next(n for n, (one, other) in enumerate(zip(before, after, strict=True)) if one != other)
    distance = after[place][1] - before[place][1]
    return (1 if distance > 0 else -1), abs(distance)


def _parts(mark: str) -> list[tuple[bool, int]]:
    """Letters and numbers of a mark as numbers that can be compared, with which of both each is."""
    return [
        (has_letter(part), sum(ord(sign) * 100_000**place for place, sign in enumerate(part[::-1])))
        if has_letter(part)
        else (False, int(part))
        for part in _PART_OF_MARK.findall(mark.casefold())
    ]
