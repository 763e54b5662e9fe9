"""Notes that no list holds: paragraphs in open space, and sentences after `NOTE:`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import ROLES
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import has_placeholder, is_advertisement, is_notice
from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import OPEN_END, PARAGRAPH, SPOKEN_WORDS, WRAP, Draft, is_about_whole_part
from spatial.understanding.sheet.notes.excluded import is_caption, is_centred_caption, is_no_note
from spatial.understanding.sheet.notes.instructions import is_instruction
from spatial.understanding.sheet.notes.line import (
    NOTE_WORDS,
    OPEN_SPACE,
    Line,
    plain_words,
    statement_count,
    word_count,
)
from spatial.understanding.sheet.notes.paragraphs import SURE_PARAGRAPH, aligned_lists, paragraphs
from spatial.understanding.sheet.notes.remarks import is_in_places
from spatial.understanding.sheet.notes.sentences import (
    LETTERED,
    PROSE_WORDS,
    is_note,
    is_spoken,
    is_stated_in_cell,
    says_nothing,
    states_tolerance,
)
from spatial.understanding.sheet.notes.splitting import (
    are_parallel_statements,
    is_end,
    is_running_text,
    split_paragraph,
)
from spatial.understanding.sheet.notes.table_rows import are_row_heads
from spatial.understanding.sheet.notes.titled import states_subject
from spatial.understanding.sheet.notes.wrapping import WEB, begins_anew, width

_OWNERS: Final = frozenset({"company", *ROLES})
"""Fields that name who made or owns a part."""
_SAME_ENDING: Final = 3
"""Last words that a sentence has in common with no other lettering of the sheet."""
_FLUSH: Final = 0.3
"""Letter heights between the left ends of the lines of such a sentence in open space."""
_ALIGNED: Final = 0.8
"""Letter heights between the left ends of a size and of what is said of it under it."""
_ONE_LETTERING: Final = 1.05
"""Ratio of the letter heights of two texts that are lettered as one."""
_OTHER_LETTERING: Final = 1.12
"""Ratio of the letter heights of two texts that are lettered apart."""
_SURE_INLINE: Final = 0.84
"""Confidence of a sentence after `NOTE:`."""
_INLINE: Final = re.compile(rf"{alternatives('note_inline')}(?:\s*:\s*[-–]?|\s[-–]\s)\s*(?=\S+\s)", re.IGNORECASE)
_PROJECTION: Final = re.compile(alternatives("stated_projection"), re.IGNORECASE)


def inline_notes(left: Sequence[Line]) -> Iterator[Draft]:
    """Each note that says of itself that it is one, with its further lines: "NOTE: weld all round"."""
    if not any(_INLINE.match(line.text) for line in left):
        return
    for paragraph in paragraphs(left):
        own: Draft | None = None
        notes = {id(line): _inline_note(line) for line in paragraph.lines}
        widest = width(paragraph.lines)
        for line in paragraph.lines:
            if (begun := notes[id(line)]) is not None:
                if own is not None:
                    yield own
                own = begun
            elif own is not None and not is_end(own, line, widest) and not _is_aside(own.last, line):
                own.parts.append(line)
            elif own is not None:
                yield own
                own = Draft(line, None, _SURE_INLINE) if _states_more(own.last, line) else None
        if own is not None:
            yield own


def _states_more(last: Line, line: Line) -> bool:
    """Whether the line under a note says something of a subject that it names, in line with it: `MATERIAL: PA12` under `NOTE: ...`."""
    is_below = abs(line.box[0] - last.box[0]) < _FLUSH * line.height
    return is_below and states_subject(line) and statement_count(line.text) >= NOTE_WORDS


def _inline_note(line: Line) -> Draft | None:
    found = _INLINE.match(line.text) if not line.marked else None
    if found is None or word_count(line.text[found.end() :]) < NOTE_WORDS:
        return None
    line.text = line.text[found.end() :]
    if line.hanging is not None:
        line.box = (line.hanging, *line.box[1:])
    return Draft(line, None, _SURE_INLINE)


def free_notes(left: Sequence[Line]) -> Iterator[Draft]:
    """Paragraphs outside all lists that are about the whole part, and the lines that stand in one list with them."""
    listed = [
        draft for run in aligned_lists(left) if not are_row_heads(run, left) for draft in _with_wrapped_lines(run)
    ]
    yield from (draft for draft in listed if _is_beside_note(draft.text) and not has_placeholder(draft.text))
    taken = {id(line) for draft in listed for line in draft.lines}
    found = paragraphs([line for line in left if id(line) not in taken])
    endings: Counter[tuple[str, ...]] = Counter()
    for paragraph in found:
        if is_no_note(paragraph):
            continue
        drafts = list(split_paragraph(_without_address(paragraph)))
        if is_running_text(drafts):
            drafts = [paragraph]
        noted = [draft for draft in drafts if is_note(draft.text)]
        if noted and (_names_one_of_several(paragraph, found) or is_centred_caption(drafts)):
            continue
        if noted and all(states_tolerance(draft.text) for draft in noted):
            yield from noted if len(noted) == len(drafts) else ()  # under the caption of a view it is said of that view
        elif noted:
            kept = [draft for draft in _without_caption(drafts) if _is_beside_note(draft.text)]
            yield from kept
            yield from _statements_under(kept, found)
        elif (instructions := _instructions(paragraph, drafts)) and not _ends_callout(paragraph, found):
            yield from instructions
        elif _is_sentence(paragraph, left):
            endings = endings or Counter(map(_ending, found))
            if endings[_ending(paragraph)] == 1:
                yield from _said_locally(paragraph, drafts)


def _said_locally(paragraph: Draft, drafts: Sequence[Draft]) -> list[Draft]:
    """A paragraph as what is said at one place, or its lines where they are statements of one list."""
    said = list(drafts) if are_parallel_statements(drafts) else [paragraph]
    for draft in said:
        draft.is_local = True
    return said


def _statements_under(kept: Sequence[Draft], found: Sequence[Draft]) -> Iterator[Draft]:
    """Of paragraphs in open space those of one line that state something of a named subject, set flush under notes as a further one.

    `Stock material: bar 1/4"` a blank line under `All edges must be broken and smooth.`
    """
    if not kept or kept[-1].first.cell >= 0 or is_notice(kept[-1].text):
        return
    last = kept[-1].last
    for other in found:
        line = other.first
        if (
            not other.parts
            and 0 < last.level - line.level < PARAGRAPH * line.height
            and line.cell == last.cell
            and 1 / _ONE_LETTERING < line.height / max(last.height, 1e-9) < _ONE_LETTERING
            and _states_more(last, line)
            and not is_note(other.text)
            and title_labels.read(line.text) is None
        ):
            yield other
            last = line


def _is_sentence(paragraph: Draft, left: Sequence[Line]) -> bool:
    """Whether a paragraph is a sentence of its own: in open space, or alone in a ruled cell."""
    if paragraph.first.cell >= 0:
        return is_stated_in_cell(paragraph.text) and not _is_row(paragraph, left)
    return is_spoken(paragraph) and not are_row_heads(paragraph.lines, left)


def _is_row(paragraph: Draft, left: Sequence[Line]) -> bool:
    """Whether another text stands in a ruled cell of its own beside a cell: a row of a table, whose cells say one thing together."""
    top, bottom = paragraph.first.box[3], paragraph.last.box[1]
    return any(
        line.cell >= 0
        and line.cell != paragraph.first.cell
        and bottom < line.level < top
        and line.page == paragraph.first.page
        for line in left
    )


def _without_address(paragraph: Draft) -> Draft:
    """`paragraph` without the address on the web that stands over a notice and nothing else on its line."""
    if not paragraph.parts or WEB.fullmatch(paragraph.first.text.strip()) is None:
        return paragraph
    return replace(paragraph, first=paragraph.parts[0], parts=paragraph.parts[1:])


def _names_one_of_several(paragraph: Draft, found: Sequence[Draft]) -> bool:
    """Whether a paragraph in open space ends as another does that begins otherwise: `Left motor and 4 inputs.`, `Right motor and 4 inputs.`

    Such are names, whatever stands behind them; what is about the whole part is none.
    """
    if paragraph.first.cell >= 0 or is_about_whole_part(paragraph.text) or is_notice(paragraph.text):
        return False
    ending, begin = _ending(paragraph), paragraph.text.split()[0]
    return any(_ending(other) == ending and other.text.split()[0] != begin for other in found if other.text.strip())


def _instructions(paragraph: Draft, drafts: Sequence[Draft]) -> list[Draft]:
    """What says in open space how something is made: the whole paragraph, or its lines where most do."""
    if paragraph.first.cell >= 0:
        return []
    found = [paragraph] if is_instruction(paragraph.text) else [draft for draft in drafts if is_instruction(draft.text)]
    if 2 * len(found) <= len(drafts) and found != [paragraph]:
        return []
    for draft in found:
        draft.is_local = True
    return found


def _ends_callout(paragraph: Draft, found: Sequence[Draft]) -> bool:
    """Whether a remark on places stands right under a size, in line with it: what the size is of, and how often."""
    first, h = paragraph.first, max(paragraph.first.height, 1e-9)
    return is_in_places(paragraph.text) and any(
        0 < other.last.level - first.level < WRAP * h
        and abs(other.last.box[0] - first.box[0]) < _ALIGNED * h
        and any(map(str.isdigit, other.last.text))
        and not plain_words(other.last.text)
        for other in found
    )


def _without_caption(drafts: Sequence[Draft]) -> list[Draft]:
    """`drafts` from the first on that is a note, where the lines over it name what it is about: no sentence, no figure."""
    return list(dropwhile(is_caption, drafts))


def _is_beside_note(text: str) -> bool:
    """Whether a text of a paragraph that holds notes is one: names of nets and pins, and what a form states, are none."""
    return (
        statement_count(text) >= NOTE_WORDS
        and not text.rstrip().endswith(COLONS)
        and not _is_statement(text)
        and not _is_field(text)
        and (is_note(text) or 2 * plain_words(text) >= sum(any(map(str.isalpha, word)) for word in text.split()))
    )


def _is_field(text: str) -> bool:
    """Whether it is a field of a title block with its label: a name of a firm beside sentences."""
    wording = title_labels.read(text)
    return wording is not None and wording.key in _OWNERS and wording.colon and bool(wording.value)


def with_whole_notices(drafts: Iterable[Draft]) -> list[Draft]:
    """`drafts` with the paragraphs of a property notice that one cell holds as one note."""
    whole: list[Draft] = []
    for draft in drafts:
        last = whole[-1] if whole else None
        if last is not None and _goes_on_as_notice(last, draft):
            last.parts.extend(draft.lines)
        else:
            whole.append(draft)
    return whole


def _goes_on_as_notice(last: Draft, draft: Draft) -> bool:
    """Whether a paragraph of one cell goes on with a notice; what is lettered smaller or larger says something of its own."""
    h = max(draft.first.height, 1e-9)
    is_one_cell = last.first.cell == draft.first.cell > OPEN_SPACE
    is_below = 0 < last.last.level - draft.first.level < PARAGRAPH * h
    is_alike = 1 / _OTHER_LETTERING < last.last.height / h < _OTHER_LETTERING
    return is_one_cell and is_below and is_alike and is_notice(last.text) and is_notice(draft.text)


def _with_wrapped_lines(run: Sequence[Line]) -> Iterator[Draft]:
    """The notes of a list at equal steps: a line goes on that begins with a small letter where most begin with capitals, or
    that follows one which ends with a hyphen or a word that nothing ends with."""
    own: Draft | None = None
    has_capitals = 2 * sum(begins_anew(line) for line in run) > len(run)
    for line in run:
        if own is not None and ((has_capitals and line.text[:1].islower()) or OPEN_END.search(own.last.text.rstrip())):
            own.parts.append(line)
        else:
            if own is not None:
                yield own
            own = Draft(line, None, SURE_PARAGRAPH)
    if own is not None:
        yield own


def turned_notes(left: Sequence[Line]) -> Iterator[Draft]:
    """What reads in another direction than most of a sheet: property notices, and prose in a margin."""
    for paragraph in paragraphs(left):
        text = paragraph.text
        is_prose = (
            paragraph.first.cell < 0
            and word_count(text) >= PROSE_WORDS
            and plain_words(text) >= LETTERED * len(text.split())
            and not is_advertisement(text)
            and not says_nothing(text)
        )
        is_stated = is_note(text) and (paragraph.first.cell < 0 or is_notice(text))
        if (is_prose or is_stated) and not has_placeholder(text):
            yield paragraph


def _ending(paragraph: Draft) -> tuple[str, ...]:
    """The last words of a paragraph: those of several name parts."""
    return tuple(paragraph.text.casefold().split()[-_SAME_ENDING:])


def _is_statement(text: str) -> bool:
    """Whether `text` is the method of projection and nothing else, which a form states."""
    return _PROJECTION.fullmatch(text.strip(" .:")) is not None


def _is_aside(last: Line, line: Line) -> bool:
    """Whether a few words follow a full stop, such as the name of a view."""
    return last.text.rstrip().endswith(".") and word_count(line.text) < SPOKEN_WORDS
