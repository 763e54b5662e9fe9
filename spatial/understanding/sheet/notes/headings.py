"""Headings of notes, and the lines under a heading that nothing numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_notice
from spatial.knowledge.value_forms import COLONS, UNREAD
from spatial.understanding.sheet.notes.draft import BEGINS, OPEN_END, WRAP, Draft, is_about_whole_part
from spatial.understanding.sheet.notes.line import NOTE_WORDS, OPEN_SPACE, Line, word_count
from spatial.understanding.sheet.notes.sentences import is_exception
from spatial.understanding.sheet.notes.table_rows import are_row_heads
from spatial.understanding.sheet.notes.titled import (
    says_something,
    with_further_statements_apart,
    with_statements_apart,
)
from spatial.understanding.sheet.notes.wrapping import (
    begins_anew,
    first_word,
    first_words_alike,
    gaps,
    is_wrapped,
    texts_after_short_lines,
)

_SAME_HEIGHT_UNMARKED: Final = (0.75, 1.34)
"""Ratio of the letter heights of two lines that only a heading holds together."""
_LONGEST_HEADING: Final = 90
"""Characters of a heading, with what it goes on with."""
_HEADING_DROP: Final = 6.0
"""Letter heights from a heading to its first note."""
_HEADING_SHIFT: Final = 12.0
"""Letter heights between the left ends of a heading and its first note: headings are centred."""
_COLUMN: Final = 3.0
"""Letter heights between the left ends of lines of one column under a heading."""
_CENTRED: Final = 1.5
"""Letter heights between the middles of such lines where they are centred."""
_STANDS_OUT: Final = 0.5
"""Letter heights by which a heading of a part of a list stands out to the left."""
_COLUMN_STEP: Final = 3.7
"""Letter heights from one such line to the next."""
_UNKNOWN_WORDS, _UNKNOWN_DROP = 4, 3.0
"""Words of a heading of no known word, and letter heights from it to its first note, which only the marks under it tell."""
_MOST_ANNOUNCED: Final = 20
"""Lines of a note among which one that ends with a colon is looked for."""
_FEWEST_SPOKEN: Final = 2
"""Notes of several words under a heading, among which others may be one word behind its bullet."""
_FEWEST_ANNOUNCED, _ANNOUNCED_WORDS = 2, 5
"""Notes under words with a colon that are no heading in a known language, and words of most of them."""
_BULLET_TEXT: Final = 0.5
"""Letter heights by which a further line may begin before the text of its bullet."""
_FULL_LINE: Final = 0.8
"""Part of the width of the next line that a line takes which was wrapped."""
_LONG_LINE: Final = 40
"""Characters of a line that was wrapped where the next begins with a capital."""
_CONFIDENCE: Final = 0.86
"""Confidence of a note without a number under a heading."""
_DECORATION: Final = " -\u2013\u2014*_=[];\"'\u201c\u201d\u201e\u00ab\u00bb"
_SPACED: Final = 4
"""Letters of a word that is lettered with blanks between them."""
_BESIDE: Final = r"[^\W\d_]+(?: [^\W\d_]+)?"
"""Words beside a heading: the same in a second language, or what the list is about as well."""
_HEADING: Final = re.compile(
    rf"(?:{_BESIDE} ?[/|&] ?)?(?:{alternatives('note_subject')} )?{alternatives('note_heading')}(?: ?[/|] ?{_BESIDE})?"
    rf"\s*(?:[(:,-]{{0,2}}\s*\(?{alternatives('unless')}.{{0,60}})?\s*[:.)\uff1a]?",
    re.IGNORECASE,
)
_SINGLE_HEADING: Final = re.compile(rf"{alternatives('note_single')}\s*[:.\uff1a]?", re.IGNORECASE)
_SIGNAL: Final = re.compile(rf"{alternatives('signal_word')}\s*[:!.\uff1a]?", re.IGNORECASE)
_REMARKS: Final = re.compile(rf"{alternatives('remarks')}\s*[:.\uff1a]?", re.IGNORECASE)
"""The heading of a cell of the block, where names and mottos stand as well as notes: a note there is a sentence."""
_SENTENCE_ENDS: Final = (".", "\u3002")


def is_heading(line: Line) -> bool:
    """Whether notes stand under `line`: "NOTES:", "HINWEISE"."""
    if line.marked:
        return False
    text = _without_decoration(line.text.replace(UNREAD, ":"))
    # No heading begins with a figure, and most lettering does.
    return len(text) < _LONGEST_HEADING and not text[:1].isdecimal() and _HEADING.fullmatch(text) is not None


def heads_numbers(line: Line, free: Sequence[Line]) -> bool:
    """Whether a line of a ruled cell says what is not held for right over a note with the number 1: `UNLESS OTHERWISE SPECIFIED,`."""
    if line.cell < 0 or line.marked or not is_exception(line.text.rstrip(", ;")):
        return False
    h = max(line.height, 1e-9)
    return any(each.number == 1 and each.cell == line.cell and 0 < line.level - each.level < WRAP * h for each in free)


def _without_decoration(text: str) -> str:
    """`text` without dashes, stars, brackets and quotation marks around it, and without the blanks of spaced lettering."""
    said = text.strip(_DECORATION)
    letters = said.split()
    return "".join(letters) if len(letters) >= _SPACED and all(len(each) == 1 for each in letters) else said


def heading_above(line: Line, headings: Sequence[Line]) -> Line | None:
    """The first of `headings` that `line` stands right under."""
    return next((heading for heading in headings if is_under(heading, line)), None)


def unknown_heading(first: Line, free: Sequence[Line]) -> Line | None:
    """Of `free` the few words without a figure, or the words with a colon, that stand right over a list, whatever the language."""
    return next((line for line in free if _may_be_heading(line, first)), None)


def _may_be_heading(line: Line, first: Line) -> bool:
    h = max(first.height, 1e-9)
    overlaps = min(line.box[2], first.box[2]) - max(line.box[0], first.box[0]) > 0
    text = line.text.strip()
    announces = text.endswith(COLONS) or (
        0 < word_count(text) <= _UNKNOWN_WORDS and not any(sign.isdigit() for sign in text) and text[-1:].isalpha()
    )
    return (
        line.page == first.page
        and line.cell in (OPEN_SPACE, first.cell)
        and 0 < line.level - first.level < _UNKNOWN_DROP * h
        and overlaps
        and line.height > _SAME_HEIGHT_UNMARKED[0] * h
        and not line.marked
        and text[:1].isalpha()
        and len(text) < _LONGEST_HEADING
        and announces
    )


def is_under(heading: Line, line: Line) -> bool:
    """Whether `line` is where the first note under `heading` stands."""
    h = max(heading.height, line.height)
    drop = heading.level - line.level
    overlaps = min(heading.box[2], line.box[2]) - max(heading.box[0], line.box[0]) > 0
    aligned = overlaps or abs(heading.box[0] - line.box[0]) < _HEADING_SHIFT * h
    return heading.page == line.page and 0 < drop < _HEADING_DROP * h and aligned


def may_announce(line: Line) -> bool:
    """Whether a line in open space is any words with a colon behind them: no label of a block, no head of tolerances."""
    text = line.text.strip()
    return (
        line.cell < 0
        and text.endswith(COLONS)
        and text[:1].isalpha()
        and not (line.marked or line.bullet)
        and len(text) <= _LONGEST_HEADING
        and title_labels.read(text) is None
        and not is_exception(text)
    )


def notes_announced(line: Line, free: Sequence[Line]) -> list[Draft]:
    """The notes in open space under any words with a colon: two or more that are set in from them, most of them sentences.

    What is announced in fewer words are names: connectors, layers, parts.
    """
    drafts = notes_under(line, free)
    inset = _STANDS_OUT * max(line.height, 1e-9)
    spoken = sum(word_count(draft.text) >= _ANNOUNCED_WORDS for draft in drafts)
    is_set_in = all(draft.first.box[0] > line.box[0] + inset for draft in drafts)
    return drafts if len(drafts) >= _FEWEST_ANNOUNCED and is_set_in and 2 * spoken > len(drafts) else []


def notes_under(heading: Line, free: Sequence[Line]) -> list[Draft]:
    """The lines under a heading that nothing numbers: a note for each paragraph or bullet; none where the rows of a table stand there."""
    drafts = _cut(_column_under(heading, free))
    if are_row_heads([line for draft in drafts for line in draft.lines], free):
        return []
    drafts = [
        draft for place, draft in enumerate(drafts) if not _is_subheading(draft, next(iter(drafts[place + 1 :]), None))
    ]
    read = [line for draft in drafts for line in draft.lines]
    if _is_one_text(read):
        drafts = [Draft(read[0], None, _CONFIDENCE, parts=read[1:])]
    drafts = with_further_statements_apart(with_statements_apart(drafts))
    if _REMARKS.fullmatch(heading.text.strip()) and not (heading.cell < 0 and len(drafts) > 1):
        drafts = [draft for draft in drafts if draft.text.endswith(_SENTENCE_ENDS) or is_about_whole_part(draft.text)]
    return _with_signal_word(heading, _spoken(drafts))


def _column_under(heading: Line, free: Sequence[Line]) -> list[Draft]:
    """The lines of the column under a heading, a draft for each that goes on none before it."""
    drafts: list[Draft] = []
    last = heading
    column: Line | None = None
    is_over_cell = _has_its_row(heading, free)
    for line in free:
        if line.page != heading.page or line.level >= heading.level or line.marked:
            continue
        same = bool(set(line.sources) & set(last.sources))
        if column is None:
            is_its_cell = heading.cell in (OPEN_SPACE, line.cell) or is_over_cell
            if not same and not (is_under(heading, line) and is_its_cell):
                continue
            column = line
        elif not same and not _is_in_column(last, line, column):
            if drafts and _is_set_in(drafts[-1], last, line):
                drafts[-1].parts.append(line)
                last = line
            continue
        if drafts and _continues(drafts[-1], line, heading):
            drafts[-1].parts.append(line)
        else:
            drafts.append(Draft(line, None, _CONFIDENCE))
        last = line
    return drafts


def _with_signal_word(heading: Line, drafts: list[Draft]) -> list[Draft]:
    """The only note under a word for a hazard with that word: `CAUTION:` over `Do not puncture`."""
    if len(drafts) != 1 or drafts[0].first.bullet or _SIGNAL.fullmatch(_without_decoration(heading.text)) is None:
        return drafts
    return [replace(drafts[0], first=heading, parts=list(drafts[0].lines))]


def _spoken(drafts: Sequence[Draft]) -> list[Draft]:
    """Those of `drafts` that say something; none where one does not, unless several do, among which a bullet may stand before one word."""
    said = [draft for draft in drafts if not is_notice(draft.text)]
    spoken = [draft for draft in said if says_something(draft)]
    if len(spoken) < _FEWEST_SPOKEN:
        return spoken if len(spoken) == len(drafts) else []
    return [draft for draft in said if draft in spoken or (draft.first.bullet and word_count(draft.text))]


def _is_one_text(lines: Sequence[Line]) -> bool:
    """Whether the lines under a heading are one text that was wrapped: nothing sets any of them off.

    Nobody wraps a text in open space after every second word.
    """
    if not is_wrapped(lines) or gaps(lines) or first_words_alike(lines):
        return False
    are_short = lines[0].cell < 0 and all(word_count(line.text) <= NOTE_WORDS for line in lines)
    return not are_short and not any(line.bullet or _announces(line) for line in lines)


def _cut(drafts: Sequence[Draft]) -> list[Draft]:
    """`drafts` cut where clearly larger steps tell the notes of a list apart, and where most of its lines begin with one word.

    Where neither tells anything, nor a bullet, a note ends with a line that has space for the next word.
    """
    read = [line for draft in drafts for line in draft.lines]
    alike = first_words_alike(read)
    wide = {id(read[place]) for place in gaps(read) if not read[place].text[:1].islower()}
    wide |= {id(line) for line in read if first_word(line) in alike}
    if not wide and not any(line.bullet for line in read):
        wide = {id(read[place]) for place in texts_after_short_lines(read)}
    found: list[Draft] = []
    for draft in drafts:
        found.append(replace(draft, parts=[]))
        for line in draft.parts:
            is_set_in = line.box[0] > found[-1].first.box[0] + _STANDS_OUT * line.height
            if id(line) in wide and not is_set_in:
                found.append(Draft(line, None, _CONFIDENCE))
            else:
                found[-1].parts.append(line)
    return found


def _announces(line: Line) -> bool:
    """Whether a sentence ends with a colon, so that what is set in below it is part of it; a few words with one are a heading."""
    return line.text.rstrip().endswith(COLONS) and word_count(line.text) > _UNKNOWN_WORDS


def _has_its_row(heading: Line, free: Sequence[Line]) -> bool:
    """Whether nothing stands in a cell beside a heading, nor under it in its own: it is that of the cell below, and heads no column."""
    return heading.cell > OPEN_SPACE and not any(
        (line.cell > OPEN_SPACE and line is not heading and abs(line.level - heading.level) < heading.height)
        or (line.cell == heading.cell and line.level < heading.level)
        for line in free
    )


def _is_in_column(last: Line, line: Line, column: Line) -> bool:
    """Whether `line` stands close under `last` and in line with `column`, the first of its column."""
    h = max(column.height, 1e-9)
    # The first line of a paragraph may be set in.
    shift = min(abs(line.box[0] - each.box[0]) for each in (column, last))
    middles = abs(sum(line.box[::2]) - sum(column.box[::2])) / 2
    return (
        (shift < _COLUMN * h or middles < _CENTRED * h)
        and _SAME_HEIGHT_UNMARKED[0] < line.height / h < _SAME_HEIGHT_UNMARKED[1]
        and 0 < last.level - line.level < _COLUMN_STEP * h
        and line.cell == column.cell
    )


def _is_subheading(draft: Draft, after: Draft | None) -> bool:
    """Whether a few words without a figure stand out to the left of the note below them."""
    if after is None or draft.parts:
        return False
    text, out = draft.text.strip(), after.first.box[0] - draft.first.box[0]
    is_name = word_count(text) <= _UNKNOWN_WORDS and text[-1:].isalpha() and not any(sign.isdigit() for sign in text)
    return is_name and out > _STANDS_OUT * draft.first.height


def _is_set_in(draft: Draft, last: Line, line: Line) -> bool:
    """Whether a line of words begins further in than the note over it and under its first line, as values after a colon do."""
    first, h = draft.first, max(draft.first.height, 1e-9)
    return (
        line.cell == first.cell
        and first.begin < line.box[0] < first.box[2]
        and _SAME_HEIGHT_UNMARKED[0] < line.height / h < _SAME_HEIGHT_UNMARKED[1]
        and 0 < last.level - line.level < WRAP * h
        and word_count(line.text) >= NOTE_WORDS
    )


def _continues(draft: Draft, line: Line, heading: Line) -> bool:
    """Whether a line under an unnumbered one is its second line: the first has no end, or the second no beginning."""
    if line.bullet:
        return False
    if any(_announces(each) for each in draft.lines[:_MOST_ANNOUNCED]):
        return line.box[0] > draft.first.box[0] + _STANDS_OUT * line.height
    if draft.first.bullet:
        return line.text[:1].islower() or line.box[0] >= draft.first.begin - _BULLET_TEXT * line.height
    if BEGINS.match(line.text):
        return OPEN_END.search(draft.last.text.rstrip()) is not None
    if begins_anew(line) and is_about_whole_part(draft.text) and is_about_whole_part(line.text):
        return OPEN_END.search(draft.last.text.rstrip()) is not None
    ended = draft.last.text.rstrip().endswith((".", "!", ";"))
    if OPEN_END.search(draft.last.text.rstrip()) or _SINGLE_HEADING.fullmatch(heading.text.strip()):
        return not (ended and begins_anew(line))
    long = draft.last.box[2] - draft.last.box[0] > _FULL_LINE * (line.box[2] - line.box[0])
    return not ended and long and (line.text[:1].islower() or len(draft.last.text) > _LONG_LINE)
