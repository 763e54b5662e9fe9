"""The general notes of a sheet: numbered lists, lists under a heading, and sentences that stand for the whole sheet.

Glossary
  list      notes numbered one after the other, one under the other; a second column goes on counting.
  item      a lettered part of a note: "5a"; it is listed as a note of its own, with the number of its note.
  free note a sentence about the whole part that no list holds: "ALL UNITS IN MM".

Sources: ASME Y14.100-2017 §4.26 (notes), GOST 2.316 (technical requirements), spec `notes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from spatial.contract.drawing import Note, Notes
from spatial.knowledge import title_labels
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_advertisement, is_notice
from spatial.knowledge.value_forms import UNIT_STATEMENT
from spatial.models.sheet.drawing import Sheet
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.notes.lines import Line, lines

MOST_SHEETS: Final = 40
"""Sheets that are looked at for notes."""
MOST_NOTES: Final = 300
"""Notes of a document."""
_OPEN: Final = 60
"""Paragraphs side by side that a line may go on; what has more is a table."""
_WRAP: Final = 2.3
"""Letter heights from one line of a note to its next."""
_PARAGRAPH: Final = 4.6
"""Letter heights from one note to the next."""
_PARAGRAPH_LINE: Final = 2.0
"""Letter heights from one line of a paragraph in open space to its next; nothing but closeness holds it together."""
_SAME_HEIGHT: Final = (0.7, 1.43)
"""Ratio of the letter heights of a mark and of the lines of its note: drafters letter some lines smaller."""
_SAME_HEIGHT_UNMARKED: Final = (0.75, 1.34)
"""The same of lines that only a heading holds together."""
_SAME_HEIGHT_FREE: Final = (0.8, 1.25)
"""The same of lines in open space."""
_LONGEST_HEADING: Final = 90
"""Characters of a heading, with what it goes on with."""
_HEADING_DROP: Final = 6.0
"""Letter heights from a heading to its first note."""
_HEADING_SHIFT: Final = 12.0
"""Letter heights between the left ends of a heading and its first note: headings are centred."""
_MARK_SHIFT, _TEXT_SHIFT = 2.2, 1.2
"""Letter heights between the left ends of two marks, and of two texts after marks: 9. and 10. align at either."""
_NEXT_NUMBER: Final = 60.0
"""Letter heights from a number to the next: a note may be long."""
_LOOSE_LIST: Final = 3
"""Numbers without point or bracket that are a list without a heading; fewer are balloons."""
_LOOSE_WORDS: Final = 2.5
"""Words of such a note, on average; rows of a table have fewer."""
_SPOKEN_WORDS: Final = 3
"""Words of the longest note of a list without a heading."""
_NOTE_WORDS: Final = 2
"""Words of a note."""
_SENTENCE_WORDS, _NOTICE_WORDS = 9, 8
"""Words of a sentence, and of a property notice, that is a note by itself."""
_LONGEST_STATEMENT: Final = 1200
"""Characters of a note about the whole part; what is longer is a licence."""
_BEGINNING: Final = 400
"""Characters at the beginning of a note that are looked at."""
_NOTICE_BEGINNING: Final = 100
"""Characters in which a property notice says that it is one."""
_LEFT_OF_MARK, _RIGHT_OF_TEXT = 1.5, 6.0
"""Letter heights by which a further line may begin before its note's mark and after its text."""
_BELOW_MARK: Final = 0.3
"""Letter heights below the middle of a mark at which further lines of its note begin."""
_COLUMN: Final = 3.0
"""Letter heights between the left ends of lines of one column under a heading."""
_CENTRED: Final = 1.5
"""Letter heights between the middles of such lines where they are centred."""
_COLUMN_STEP: Final = 3.7
"""Letter heights from one such line to the next."""
_ALIGNED: Final = 0.8
"""Letter heights between left ends, or middles, of the lines of a paragraph in open space."""
_RIGHT_ALIGNED: Final = 0.5
"""The same of right ends: text is hardly ever set so, and boxes end by chance."""
_ANNOUNCED: Final = (-0.5, 8.0)
"""Letter heights by which lines are indented that a colon announces."""
_BULLET_TEXT: Final = 0.5
"""Letter heights by which a further line may begin before the text of its bullet."""
_FULL_LINE: Final = 0.8
"""Part of the width of the next line that a line takes which was wrapped."""
_LONG_LINE: Final = 40
"""Characters of a line that was wrapped where the next begins with a capital."""
_SURE_HEADED, _SURE_MARKED, _SURE_LOOSE = 0.97, 0.93, 0.88
"""Confidence of numbered notes: under a heading, without one, and without point or bracket."""
_SURE_ITEM: Final = 0.02
"""What a lettered part lacks to the confidence of its note."""
_SURE_UNNUMBERED, _SURE_PARAGRAPH, _SURE_INLINE = 0.86, 0.85, 0.84
"""Confidence of notes without numbers: under a heading, in open space, and after `NOTE:`."""


@dataclass(frozen=True, slots=True)
class FoundNotes:
    """The notes, and the texts that they are made of."""

    notes: Notes
    claimed: frozenset[str]
    """Ids of all lines of the notes, and of their headings."""


@dataclass(slots=True)
class _Draft:
    """A note while its lines are gathered."""

    first: Line
    number: int | None
    sure: float
    letter: str | None = None
    parts: list[Line] = field(default_factory=list)

    @property
    def last(self) -> Line:
        return self.parts[-1] if self.parts else self.first

    @property
    def text(self) -> str:
        return " ".join(line.text for line in (self.first, *self.parts) if line.text).strip()

    @property
    def sources(self) -> list[str]:
        return list(dict.fromkeys(source for line in (self.first, *self.parts) for source in line.sources))


def find_notes(sheets: Sequence[Sheet], grids: Mapping[int, list[Grid]], claimed: frozenset[str]) -> FoundNotes | None:
    """The notes of all sheets in order; one that stands on several sheets is listed once.

    Args:
        sheets: in the order of the file.
        grids: the ruled cells of each sheet, by page.
        claimed: ids of texts that belong to tables and the title block.
    """
    drafts: list[_Draft] = []
    used: set[str] = set()
    for sheet in sheets[:MOST_SHEETS]:
        found, headings = _notes_of_sheet(lines(sheet, grids.get(sheet.page, []), claimed))
        drafts.extend(found)
        used.update(source for heading in headings for source in heading.sources)
    once = list({_identity(draft): draft for draft in reversed(drafts)}.values())[::-1][:MOST_NOTES]
    if not once:
        return None
    notes = Notes(items=list(_items(once)), confidence=round(sum(draft.sure for draft in once) / len(once), 3))
    return FoundNotes(notes, frozenset(used | {source for draft in drafts for source in draft.sources}))


def _identity(draft: _Draft) -> tuple[int | None, str | None, str]:
    """What a note says, however it is spaced."""
    return draft.number, draft.letter, "".join(draft.text.split())


def _items(drafts: Sequence[_Draft]) -> Iterator[Note]:
    last = 0
    for draft in drafts:
        number = draft.number if draft.number is not None else last + 1
        last = max(last, number)
        further: dict[str, object] = {"page": draft.first.page}
        if draft.letter:
            further["item"] = f"{number}{draft.letter}"
        if draft.number is None:
            further["numbered"] = False
        yield Note.model_validate({"number": number, "text": draft.text, "sources": draft.sources, **further})


def _notes_of_sheet(free: list[Line]) -> tuple[list[_Draft], list[Line]]:
    """The notes of one sheet, and the headings that they stand under."""
    headings = [line for line in free if _is_heading(line)]
    used = {id(line) for line in headings}
    listed: list[_Draft] = []
    for run in _lists([line for line in free if id(line) not in used], headings):
        drafts = _with_further_lines(
            run, [line for line in free if id(line) not in used], bool(_heading_above(run[0], headings))
        )
        used |= {id(line) for draft in drafts for line in (draft.first, *draft.parts)}
        listed.extend(drafts)
    for heading in headings:
        if not any(_is_under(heading, draft.first) for draft in listed):
            drafts = _notes_under(heading, [line for line in free if id(line) not in used])
            used |= {id(line) for draft in drafts for line in (draft.first, *draft.parts)}
            listed.extend(drafts)
    inline = [draft for line in free if id(line) not in used and (draft := _inline_note(line))]
    used |= {id(draft.first) for draft in inline}
    return [*listed, *inline, *_free_notes([line for line in free if id(line) not in used])], headings


_HEADING: Final = re.compile(
    rf"(?:{alternatives('note_subject')} )?{alternatives('note_heading')}\s*(?:[(:,-]?\s*{alternatives('unless')}.{{0,60}})?\s*[:.)]?",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(rf"{alternatives('note_inline')}\s*:\s*(?=\S+\s)", re.IGNORECASE)


def _is_heading(line: Line) -> bool:
    return not line.marked and len(line.text) < _LONGEST_HEADING and _HEADING.fullmatch(line.text.strip()) is not None


def _heading_above(line: Line, headings: Sequence[Line]) -> Line | None:
    return next((heading for heading in headings if _is_under(heading, line)), None)


def _is_under(heading: Line, line: Line) -> bool:
    """Whether `line` is where the first note under `heading` stands."""
    h = max(heading.height, line.height)
    drop = heading.level - line.level
    overlaps = min(heading.box[2], line.box[2]) - max(heading.box[0], line.box[0]) > 0
    aligned = overlaps or abs(heading.box[0] - line.box[0]) < _HEADING_SHIFT * h
    return heading.page == line.page and 0 < drop < _HEADING_DROP * h and aligned


def _lists(free: Sequence[Line], headings: Sequence[Line]) -> list[list[Line]]:
    """Numbered lines that count on, one under the other; the first columns first."""
    runs: list[list[Line]] = []
    for line in free:
        if line.number is None:
            continue
        owner = next((run for run in runs if _counts_on(run[-1], line)), None)
        if owner is not None:
            owner.append(line)
        else:
            runs.append([line])
    runs.sort(key=lambda run: run[0].number or 0)
    kept: list[list[Line]] = []
    for run in runs:
        if _is_list(run, bool(_heading_above(run[0], headings)), {each[-1].number or 0 for each in kept}):
            kept.append(run)
    return kept


def _counts_on(last: Line, line: Line) -> bool:
    h = max(last.height, line.height)
    aligned = abs(last.box[0] - line.box[0]) < _MARK_SHIFT * h or abs(last.begin - line.begin) < _TEXT_SHIFT * h
    alike = _SAME_HEIGHT[0] < last.height / max(line.height, 1e-9) < _SAME_HEIGHT[1]
    return (
        line.number == (last.number or 0) + 1
        and aligned
        and alike
        and last.loose == line.loose
        and last.level > line.level
        and last.level - line.level < _NEXT_NUMBER * h
    )


def _is_list(run: Sequence[Line], headed: bool, ends: set[int]) -> bool:
    """Whether numbered lines are notes: not balloons, rows of a table, steps on a scale."""
    first = run[0].number or 0
    words = [_words(line.text) for line in run]
    if not any(count >= _NOTE_WORDS for count in words) or (
        first != 1 and first - 1 not in ends and not (headed and first <= 2)
    ):
        return False
    if any(line.loose for line in run):
        return len(run) >= 2 and (headed or (len(run) >= _LOOSE_LIST and sum(words) / len(words) >= _LOOSE_WORDS))
    if headed:
        return True
    return ((len(run) >= 2 or first > 1) and max(words) >= _SPOKEN_WORDS) or _is_about_whole_part(run[0].text)


def _words(text: str) -> int:
    return len(re.findall(r"[^\W\d_]{2,}", text))


def _with_further_lines(run: Sequence[Line], free: Sequence[Line], headed: bool) -> list[_Draft]:
    """The notes of a numbered list with their further lines and lettered items."""
    sure = _SURE_HEADED if headed else _SURE_LOOSE if run[0].loose else _SURE_MARKED
    drafts: list[_Draft] = []
    marks = {id(line) for line in run}
    for place, mark in enumerate(run):
        drafts.append(_Draft(mark, mark.number, sure))
        floor = run[place + 1].level if place + 1 < len(run) else float("-inf")
        between = [
            line
            for line in free
            if id(line) not in marks
            and line.page == mark.page
            and floor < line.level < mark.level - _BELOW_MARK * mark.height
        ]
        for line in between:
            if line.number is not None or not _continues_note(drafts[-1], line, mark, last=floor == float("-inf")):
                continue
            if line.letter:
                drafts.append(_Draft(line, mark.number, sure - _SURE_ITEM, line.letter))
            else:
                drafts[-1].parts.append(line)
    return drafts


def _continues_note(draft: _Draft, line: Line, mark: Line, *, last: bool) -> bool:
    """Whether `line` goes on where `draft` stopped."""
    h = max(mark.height, 1e-9)
    same = bool(set(line.sources) & set(draft.last.sources))
    drop = (draft.last.level - line.level) / h
    alike = _SAME_HEIGHT[0] < line.height / h < _SAME_HEIGHT[1]
    left = line.box[0]
    placed = mark.box[0] - _LEFT_OF_MARK * h < left < max(mark.begin, draft.first.begin) + _RIGHT_OF_TEXT * h
    return same or (alike and placed and line.cell == mark.cell and 0 < drop < (_WRAP if last else _PARAGRAPH))


def _notes_under(heading: Line, free: Sequence[Line]) -> list[_Draft]:
    """The lines under a heading that nothing numbers: a note for each paragraph or bullet."""
    drafts: list[_Draft] = []
    last = heading
    column: Line | None = None
    for line in free:
        if line.page != heading.page or line.level >= heading.level or line.marked:
            continue
        same = bool(set(line.sources) & set(last.sources))
        if column is None:
            if not same and not (_is_under(heading, line) and heading.cell in (-1, line.cell)):
                continue
            column = line
        elif not same and not _is_in_column(last, line, column):
            continue
        if drafts and _continues(drafts[-1], line, heading):
            drafts[-1].parts.append(line)
        else:
            drafts.append(_Draft(line, None, _SURE_UNNUMBERED))
        last = line
    spoken = [draft for draft in drafts if _words(draft.text) >= _NOTE_WORDS and not is_notice(draft.text)]
    return spoken if len(spoken) == len(drafts) or len(spoken) >= 2 else []


def _is_in_column(last: Line, line: Line, column: Line) -> bool:
    """Whether `line` stands close under `last` and in line with `column`, the first of its column."""
    h = max(column.height, 1e-9)
    shift = abs(line.box[0] - column.box[0])
    middles = abs(sum(line.box[::2]) - sum(column.box[::2])) / 2
    return (
        (shift < _COLUMN * h or middles < _CENTRED * h)
        and _SAME_HEIGHT_UNMARKED[0] < line.height / h < _SAME_HEIGHT_UNMARKED[1]
        and 0 < last.level - line.level < _COLUMN_STEP * h
        and line.cell == column.cell
    )


_SINGLE_HEADING: Final = re.compile(rf"{alternatives('note_single')}\s*[:.]?", re.IGNORECASE)
_OPEN_END: Final = re.compile(rf"(?:[,(/&-]|\b{alternatives('line_goes_on')})$", re.IGNORECASE)
"""How a line ends that goes on."""


def _continues(draft: _Draft, line: Line, heading: Line) -> bool:
    """Whether a line under an unnumbered one is its second line: the first has no end, or the second no beginning."""
    if line.bullet:
        return False
    if draft.first.bullet:
        return line.box[0] >= draft.first.begin - _BULLET_TEXT * line.height
    if _SINGLE_HEADING.fullmatch(heading.text.strip()) or _OPEN_END.search(draft.last.text.rstrip()):
        return True
    ended = draft.last.text.rstrip().endswith((".", "!", ";"))
    long = draft.last.box[2] - draft.last.box[0] > _FULL_LINE * (line.box[2] - line.box[0])
    return not ended and long and (line.text[:1].islower() or len(draft.last.text) > _LONG_LINE)


def _inline_note(line: Line) -> _Draft | None:
    """ "NOTE: weld all round" is a note without a list."""
    found = _INLINE.match(line.text) if not line.marked else None
    if found is None or _words(line.text[found.end() :]) < _NOTE_WORDS:
        return None
    line.text = line.text[found.end() :]
    return _Draft(line, None, _SURE_INLINE)


_WHOLE_PART: Final = re.compile(alternatives("whole_part"), re.IGNORECASE)
"""What a sentence says that holds for the whole part."""


def _is_about_whole_part(text: str) -> bool:
    """Whether `text` is about the whole part."""
    return (
        len(text) <= _LONGEST_STATEMENT
        and _words(text) >= _SPOKEN_WORDS
        and _WHOLE_PART.search(text[:_BEGINNING]) is not None
        and not is_notice(text)
    )


def _free_notes(left: Sequence[Line]) -> Iterator[_Draft]:
    """Paragraphs outside all lists that are about the whole part, and the lines that stand in one list with them."""
    for paragraph in _paragraphs(left):
        drafts = list(_split_paragraph(paragraph))
        if any(_is_note(draft.text) for draft in drafts):
            yield from (draft for draft in drafts if _words(draft.text) >= _NOTE_WORDS)


def _is_note(text: str) -> bool:
    """Whether `text` is a note by itself: about the whole part, a sentence, or a property notice in open space."""
    if is_notice(text[:_NOTICE_BEGINNING]):
        return _words(text) >= _NOTICE_WORDS and not is_advertisement(text)
    return not is_notice(text) and (
        _is_about_whole_part(text) or (_words(text) >= _SENTENCE_WORDS and text.rstrip().endswith("."))
    )


def _split_paragraph(draft: _Draft) -> Iterator[_Draft]:
    """The notes of a paragraph: a line ends one if the next line's first word would have fitted behind it."""
    lines = [draft.first, *draft.parts]
    if is_notice(draft.text):
        yield draft
        return
    widest = max(line.box[2] - line.box[0] for line in lines)
    own = _Draft(draft.first, None, draft.sure)
    for last, line in pairwise(lines):
        if _is_end(last, line, widest):
            yield own
            own = _Draft(line, None, draft.sure)
        else:
            own.parts.append(line)
    yield own


_BEGINS: Final = re.compile(alternatives("note_begins"), re.IGNORECASE)
"""How a note begins and no line goes on."""


def _is_end(last: Line, line: Line, widest: float) -> bool:
    if title_labels.read(last.text) is not None or _BEGINS.match(line.text):
        return not _OPEN_END.search(last.text.rstrip())
    wide = (line.box[2] - line.box[0]) / max(len(line.text), 1)
    left_over = widest - (last.box[2] - last.box[0])
    first = line.text.split(" ", 1)[0]
    begins = first[:1].isupper() or first[:1].isdigit()
    ended = last.text.rstrip()
    return (
        begins
        and left_over > (len(first) + 1) * wide + line.height
        and not ended.endswith(":")
        and not _OPEN_END.search(ended)
    )


def _paragraphs(left: Sequence[Line]) -> list[_Draft]:
    found: list[_Draft] = []
    open_: list[_Draft] = []
    for line in left:
        if line.marked:
            continue
        open_ = [
            draft for draft in open_ if draft.last.level - line.level < _PARAGRAPH * max(draft.last.height, line.height)
        ]
        open_ = open_[-_OPEN:]
        owner = next((draft for draft in open_ if _continues_paragraph(draft, line)), None)
        if owner is not None:
            owner.parts.append(line)
        else:
            draft = _Draft(line, None, _SURE_PARAGRAPH)
            found.append(draft)
            open_.append(draft)
    return found


def _continues_paragraph(draft: _Draft, line: Line) -> bool:
    """Whether `line` is the next of a paragraph; after a colon what it announces may be set off and indented."""
    h = max(draft.first.height, 1e-9)
    drop = (draft.last.level - line.level) / h
    shift = (line.box[0] - draft.first.box[0]) / h
    if (
        not drop > 0
        or not _SAME_HEIGHT_FREE[0] < line.height / h < _SAME_HEIGHT_FREE[1]
        or line.cell != draft.first.cell
    ):
        return False
    announced = any(part.text.endswith(":") for part in (draft.first, *draft.parts))
    if announced and _ANNOUNCED[0] < shift < _ANNOUNCED[1]:
        return drop < (_PARAGRAPH if draft.last.text.endswith(":") else _WRAP)
    middle = abs(sum(line.box[::2]) - sum(draft.first.box[::2])) / 2 / h
    right = abs(line.box[2] - draft.first.box[2]) / h
    return drop < _PARAGRAPH_LINE and (abs(shift) < _ALIGNED or middle < _ALIGNED or right < _RIGHT_ALIGNED)


def general_statements(notes: Notes | None) -> dict[str, dict[str, object]]:
    """What the notes say in place of an empty field of the title block: `tolerances`, `finish`, `units`, each with text and sources."""
    found: dict[str, dict[str, object]] = {}
    for note in notes.items if notes else ():
        for key, form in _GENERAL:
            match = form.search(note.text[:_BEGINNING])
            if match and key not in found:
                found[key] = {
                    "text": next(group for group in match.groups() if group).strip(" .:;"),
                    "sources": note.sources or [],
                    "number": note.number,
                }
    return found


_GENERAL: Final = (
    ("tolerances", re.compile(rf"({alternatives('general_tolerances')}\d.*|.*\bISO ?2768.*)", re.IGNORECASE)),
    (
        "finish",
        re.compile(
            rf"\b{alternatives('surface_treatment')}\b\s*[:=-]\s*(.+)|^({alternatives('treated')}.*)", re.IGNORECASE
        ),
    ),
    ("units", UNIT_STATEMENT),
)
