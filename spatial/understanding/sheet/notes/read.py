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


def find(sheets: Sequence[Sheet], grids: Mapping[int, list[Grid]], claimed: frozenset[str]) -> FoundNotes | None:
    """The notes of all sheets in order; one that stands on several sheets is listed once.

    Args:
        sheets: in the order of the file.
        grids: the ruled cells of each sheet, by page.
        claimed: ids of texts that belong to tables and the title block.
    """
    drafts: list[_Draft] = []
    used: set[str] = set()
    for sheet in sheets[:MOST_SHEETS]:
        found, headings = _of(lines(sheet, grids.get(sheet.page, []), claimed))
        drafts.extend(found)
        used.update(source for heading in headings for source in heading.sources)
    once = list({_said(draft): draft for draft in reversed(drafts)}.values())[::-1][:MOST_NOTES]
    if not once:
        return None
    notes = Notes(items=list(_items(once)), confidence=round(sum(draft.sure for draft in once) / len(once), 3))
    return FoundNotes(notes, frozenset(used | {source for draft in drafts for source in draft.sources}))


def _said(draft: _Draft) -> tuple[int | None, str | None, str]:
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


def _of(free: list[Line]) -> tuple[list[_Draft], list[Line]]:
    """The notes of one sheet, and the headings that they stand under."""
    headings = [line for line in free if _heading(line)]
    used = {id(line) for line in headings}
    listed: list[_Draft] = []
    for run in _lists([line for line in free if id(line) not in used], headings):
        drafts = _filled(run, [line for line in free if id(line) not in used], bool(_above(run[0], headings)))
        used |= {id(line) for draft in drafts for line in (draft.first, *draft.parts)}
        listed.extend(drafts)
    for heading in headings:
        if not any(_under(heading, draft.first) for draft in listed):
            drafts = _unnumbered(heading, [line for line in free if id(line) not in used])
            used |= {id(line) for draft in drafts for line in (draft.first, *draft.parts)}
            listed.extend(drafts)
    inline = [draft for line in free if id(line) not in used and (draft := _inline(line))]
    used |= {id(draft.first) for draft in inline}
    return [*listed, *inline, *_free([line for line in free if id(line) not in used])], headings


_HEADING: Final = re.compile(
    rf"(?:{alternatives('note_subject')} )?{alternatives('note_heading')}\s*(?:[(:,-]?\s*{alternatives('unless')}.{{0,60}})?\s*[:.)]?",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(rf"{alternatives('note_inline')}\s*:\s*(?=\S+\s)", re.IGNORECASE)


def _heading(line: Line) -> bool:
    return not line.marked and len(line.text) < 90 and _HEADING.fullmatch(line.text.strip()) is not None


def _above(line: Line, headings: Sequence[Line]) -> Line | None:
    return next((heading for heading in headings if _under(heading, line)), None)


def _under(heading: Line, line: Line) -> bool:
    """Whether `line` is where the first note under `heading` stands."""
    h = max(heading.height, line.height)
    drop = heading.level - line.level
    overlaps = min(heading.box[2], line.box[2]) - max(heading.box[0], line.box[0]) > 0
    return heading.page == line.page and 0 < drop < 6 * h and (abs(heading.box[0] - line.box[0]) < 12 * h or overlaps)


def _lists(free: Sequence[Line], headings: Sequence[Line]) -> list[list[Line]]:
    """Numbered lines that count on, one under the other; the first columns first."""
    runs: list[list[Line]] = []
    for line in free:
        if line.number is None:
            continue
        home = next((run for run in runs if _counts_on(run[-1], line)), None)
        if home is not None:
            home.append(line)
        else:
            runs.append([line])
    runs.sort(key=lambda run: run[0].number or 0)
    kept: list[list[Line]] = []
    for run in runs:
        if _is_list(run, bool(_above(run[0], headings)), {each[-1].number or 0 for each in kept}):
            kept.append(run)
    return kept


def _counts_on(last: Line, line: Line) -> bool:
    h = max(last.height, line.height)
    aligned = abs(last.box[0] - line.box[0]) < 2.2 * h or abs(last.begin - line.begin) < 1.2 * h
    alike = 0.7 < last.height / max(line.height, 1e-9) < 1.43
    return (
        line.number == (last.number or 0) + 1
        and aligned
        and alike
        and last.loose == line.loose
        and last.level > line.level
        and last.level - line.level < 60 * h
    )


def _is_list(run: Sequence[Line], headed: bool, ends: set[int]) -> bool:
    """Whether numbered lines are notes: not balloons, rows of a table, steps on a scale."""
    first = run[0].number or 0
    words = [_words(line.text) for line in run]
    if not any(count >= 2 for count in words) or (first != 1 and first - 1 not in ends and not (headed and first <= 2)):
        return False
    if any(line.loose for line in run):
        return len(run) >= 2 and (headed or (len(run) >= 3 and sum(words) / len(words) >= 2.5))
    if headed:
        return True
    return (len(run) >= 2 and max(words) >= 3) or (first > 1 and max(words) >= 3) or _speaks(run[0].text)


def _words(text: str) -> int:
    return len(re.findall(r"[^\W\d_]{2,}", text))


def _filled(run: Sequence[Line], free: Sequence[Line], headed: bool) -> list[_Draft]:
    """The notes of a numbered list with their further lines and lettered items."""
    sure = 0.97 if headed else 0.88 if run[0].loose else 0.93
    drafts: list[_Draft] = []
    marks = {id(line) for line in run}
    for place, mark in enumerate(run):
        drafts.append(_Draft(mark, mark.number, sure))
        floor = run[place + 1].level if place + 1 < len(run) else float("-inf")
        between = [
            line
            for line in free
            if id(line) not in marks and line.page == mark.page and floor < line.level < mark.level - 0.3 * mark.height
        ]
        for line in between:
            if line.number is not None or not _wraps(drafts[-1], line, mark, last=floor == float("-inf")):
                continue
            if line.letter:
                drafts.append(_Draft(line, mark.number, sure - 0.02, line.letter))
            else:
                drafts[-1].parts.append(line)
    return drafts


def _wraps(draft: _Draft, line: Line, mark: Line, *, last: bool) -> bool:
    """Whether `line` goes on where `draft` stopped."""
    h = max(mark.height, 1e-9)
    same = bool(set(line.sources) & set(draft.last.sources))
    drop = (draft.last.level - line.level) / h
    alike = 0.7 < line.height / h < 1.43
    left = line.box[0]
    placed = mark.box[0] - 1.5 * h < left < max(mark.begin, draft.first.begin) + 6 * h
    return same or (alike and placed and line.cell == mark.cell and 0 < drop < (_WRAP if last else _PARAGRAPH))


def _unnumbered(heading: Line, free: Sequence[Line]) -> list[_Draft]:
    """The lines under a heading that nothing numbers: a note for each paragraph or bullet."""
    drafts: list[_Draft] = []
    last = heading
    column: Line | None = None
    for line in free:
        if line.page != heading.page or line.level >= heading.level or line.marked:
            continue
        same = bool(set(line.sources) & set(last.sources))
        if column is None:
            if not same and not (_under(heading, line) and heading.cell in (-1, line.cell)):
                continue
            column = line
        elif not same and not _beneath(last, line, column):
            continue
        if drafts and _continues(drafts[-1], line, heading):
            drafts[-1].parts.append(line)
        else:
            drafts.append(_Draft(line, None, 0.86))
        last = line
    spoken = [draft for draft in drafts if _words(draft.text) >= 2 and not is_notice(draft.text)]
    return spoken if len(spoken) == len(drafts) or len(spoken) >= 2 else []


def _beneath(last: Line, line: Line, column: Line) -> bool:
    h = max(column.height, 1e-9)
    aligned = abs(line.box[0] - column.box[0]) < 3 * h or abs(sum(line.box[::2]) - sum(column.box[::2])) / 2 < 1.5 * h
    return (
        aligned and 0.75 < line.height / h < 1.34 and 0 < last.level - line.level < 3.7 * h and line.cell == column.cell
    )


_ONE: Final = re.compile(rf"{alternatives('note_single')}\s*[:.]?", re.IGNORECASE)
_OPEN_END: Final = re.compile(rf"(?:[,(/&-]|\b{alternatives('line_goes_on')})$", re.IGNORECASE)
"""How a line ends that goes on."""


def _continues(draft: _Draft, line: Line, heading: Line) -> bool:
    """Whether a line under an unnumbered one is its second line: the first has no end, or the second no beginning."""
    if line.bullet:
        return False
    if draft.first.bullet:
        return line.box[0] >= draft.first.begin - 0.5 * line.height
    if _ONE.fullmatch(heading.text.strip()) or _OPEN_END.search(draft.last.text.rstrip()):
        return True
    ended = draft.last.text.rstrip().endswith((".", "!", ";"))
    long = draft.last.box[2] - draft.last.box[0] > 0.8 * (line.box[2] - line.box[0])
    return not ended and long and (line.text[:1].islower() or len(draft.last.text) > 40)


def _inline(line: Line) -> _Draft | None:
    """ "NOTE: weld all round" is a note without a list."""
    found = _INLINE.match(line.text) if not line.marked else None
    if found is None or _words(line.text[found.end() :]) < 2:
        return None
    line.text = line.text[found.end() :]
    return _Draft(line, None, 0.84)


_WHOLE: Final = re.compile(alternatives("whole_part"), re.IGNORECASE)
"""What a sentence says that holds for the whole part."""


def _speaks(text: str) -> bool:
    """Whether `text` is about the whole part."""
    return len(text) <= 1200 and _words(text) >= 3 and _WHOLE.search(text[:400]) is not None and not is_notice(text)


def _free(left: Sequence[Line]) -> Iterator[_Draft]:
    """Paragraphs outside all lists that are about the whole part, and the lines that stand in one list with them."""
    for paragraph in _paragraphs(left):
        drafts = list(_parted(paragraph))
        if any(_stands(draft.text) for draft in drafts):
            yield from (draft for draft in drafts if _words(draft.text) >= 2)


def _stands(text: str) -> bool:
    """Whether `text` is a note by itself: about the whole part, a sentence, or a property notice in open space."""
    if is_notice(text[:100]):
        return _words(text) >= 8 and not is_advertisement(text)
    return not is_notice(text) and (_speaks(text) or (_words(text) >= 9 and text.rstrip().endswith(".")))


def _parted(draft: _Draft) -> Iterator[_Draft]:
    """The notes of a paragraph: a line ends one if the next line's first word would have found room behind it."""
    lines = [draft.first, *draft.parts]
    if is_notice(draft.text):
        yield draft
        return
    widest = max(line.box[2] - line.box[0] for line in lines)
    own = _Draft(draft.first, None, draft.sure)
    for last, line in pairwise(lines):
        if _ends(last, line, widest):
            yield own
            own = _Draft(line, None, draft.sure)
        else:
            own.parts.append(line)
    yield own


_BEGINS: Final = re.compile(alternatives("note_begins"), re.IGNORECASE)
"""How a note begins and no line goes on."""


def _ends(last: Line, line: Line, widest: float) -> bool:
    if title_labels.read(last.text) is not None or _BEGINS.match(line.text):
        return not _OPEN_END.search(last.text.rstrip())
    wide = (line.box[2] - line.box[0]) / max(len(line.text), 1)
    room = widest - (last.box[2] - last.box[0])
    first = line.text.split(" ", 1)[0]
    begins = first[:1].isupper() or first[:1].isdigit()
    ended = last.text.rstrip()
    return (
        begins
        and room > (len(first) + 1) * wide + line.height
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
        home = next((draft for draft in open_ if _stacked(draft, line)), None)
        if home is not None:
            home.parts.append(line)
        else:
            draft = _Draft(line, None, 0.85)
            found.append(draft)
            open_.append(draft)
    return found


def _stacked(draft: _Draft, line: Line) -> bool:
    """Whether `line` is the next of a paragraph; after a colon what it announces may be set off and indented."""
    h = max(draft.first.height, 1e-9)
    drop = (draft.last.level - line.level) / h
    shift = (line.box[0] - draft.first.box[0]) / h
    if not drop > 0 or not 0.8 < line.height / h < 1.25 or line.cell != draft.first.cell:
        return False
    announced = any(part.text.endswith(":") for part in (draft.first, *draft.parts))
    if announced and -0.5 < shift < 8:
        return drop < (_PARAGRAPH if draft.last.text.endswith(":") else _WRAP)
    middle = abs(sum(line.box[::2]) - sum(draft.first.box[::2])) / 2 / h
    right = abs(line.box[2] - draft.first.box[2]) / h
    return drop < 2.0 and (abs(shift) < 0.8 or middle < 0.8 or right < 0.5)


def general(notes: Notes | None) -> dict[str, dict[str, object]]:
    """What the notes say in place of an empty field of the title block: `tolerances`, `finish`, `units`, each with text and sources."""
    found: dict[str, dict[str, object]] = {}
    for note in notes.items if notes else ():
        for key, form in _GENERAL:
            said = form.search(note.text[:400])
            if said and key not in found:
                found[key] = {
                    "text": next(group for group in said.groups() if group).strip(" .:;"),
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
