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
from spatial.knowledge.value_forms import COLONS, UNIT
from spatial.understanding.sheet.notes.draft import BEGINS, PARAGRAPH, SPOKEN_WORDS, Draft, is_about_whole_part
from spatial.understanding.sheet.notes.feature_lists import heads_features, is_sized_feature
from spatial.understanding.sheet.notes.instructions import is_instruction
from spatial.understanding.sheet.notes.line import NOTE_WORDS, OPEN_SPACE, Line, statement_count, word_count
from spatial.understanding.sheet.notes.paragraphs import SURE_PARAGRAPH, aligned_lists, paragraphs
from spatial.understanding.sheet.notes.sentences import (
    LETTERED,
    PROSE_WORDS,
    is_exception,
    is_note,
    is_spoken,
    plain_words,
    says_nothing,
    states_tolerance,
)
from spatial.understanding.sheet.notes.splitting import is_end, is_running_text, split_paragraph
from spatial.understanding.sheet.notes.titled import states_subject
from spatial.understanding.sheet.notes.wrapping import WEB, begins_anew, width

_OWNERS: Final = frozenset({"company", *ROLES})
"""Fields that name who made or owns a part."""
_SAME_ENDING: Final = 3
"""Last words that a sentence has in common with no other lettering of the sheet."""
_FEWEST_STACKED, _STACKED_WORDS = 3, 2
"""Lines of a sentence in a narrow cell, and words of one of them."""
_CENTRED: Final = 0.5
"""Letter heights between the middles of the lines of a caption, and by which their left ends differ."""
_FLUSH: Final = 0.3
"""Letter heights between the left ends of the lines of such a sentence in open space."""
_OTHER_LETTERING: Final = 1.12
"""Ratio of the letter heights of two texts that are lettered apart."""
_SURE_INLINE: Final = 0.84
"""Confidence of a sentence after `NOTE:`."""
_INLINE: Final = re.compile(rf"{alternatives('note_inline')}(?:\s*:\s*[-–]?|\s[-–]\s)\s*(?=\S+\s)", re.IGNORECASE)
_COLONS: Final = f" {''.join(COLONS)}"
"""What may stand behind the words of a caption."""
_FIGURES: Final = re.compile(r"[\d.,\s]*")
"""What most lettering of a drawing is, and no note: a size."""
_CLASS: Final = re.compile(r"\.?[X0]*(?:[.,][X0]*)?\s*[:=]?\s*(?:±|\+ ?/ ?-)\s?\d", re.IGNORECASE)
"""The tolerance of sizes with so many decimals: `X.X ±0.3`, `0.00: ±0.1`."""
_PROJECTION: Final = re.compile(alternatives("stated_projection"), re.IGNORECASE)


def inline_notes(left: Sequence[Line]) -> Iterator[Draft]:
    """Each note that says of itself that it is one, with its further lines: "NOTE: weld all round"."""
    if not any(_INLINE.match(line.text) for line in left):
        return
    for paragraph in paragraphs(left):
        own: Draft | None = None
        widest = width(paragraph.lines)
        for line in paragraph.lines:
            if (begun := _inline_note(line)) is not None:
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
    return Draft(line, None, _SURE_INLINE)


def free_notes(left: Sequence[Line]) -> Iterator[Draft]:
    """Paragraphs outside all lists that are about the whole part, and the lines that stand in one list with them."""
    listed = [draft for run in aligned_lists(left) for draft in _with_wrapped_lines(run)]
    yield from (draft for draft in listed if _is_beside_note(draft.text) and not has_placeholder(draft.text))
    taken = {id(line) for draft in listed for line in draft.lines}
    found = paragraphs([line for line in left if id(line) not in taken])
    endings: Counter[tuple[str, ...]] = Counter()
    for paragraph in found:
        if _is_no_note(paragraph):
            continue
        drafts = list(split_paragraph(_without_address(paragraph)))
        if is_running_text(drafts):
            drafts = [paragraph]
        noted = [draft for draft in drafts if is_note(draft.text) or _is_unit_alone(paragraph)]
        if noted and (_names_one_of_several(paragraph, found) or _is_centred_caption(drafts)):
            continue
        if noted and all(states_tolerance(draft.text) for draft in noted):
            yield from noted if len(noted) == len(drafts) else ()  # under the caption of a view it is said of that view
        elif noted:
            yield from (draft for draft in _without_caption(drafts) if _is_beside_note(draft.text))
        elif instructions := _instructions(paragraph, drafts):
            yield from instructions
        elif is_spoken(paragraph):
            endings = endings or Counter(map(_ending, found))
            if endings[_ending(paragraph)] == 1:
                paragraph.is_local = True
                yield paragraph


def _without_address(paragraph: Draft) -> Draft:
    """`paragraph` without the address on the web that stands over a notice and nothing else on its line."""
    if not paragraph.parts or WEB.fullmatch(paragraph.first.text.strip()) is None:
        return paragraph
    return replace(paragraph, first=paragraph.parts[0], parts=paragraph.parts[1:])


def _is_no_note(paragraph: Draft) -> bool:
    """Whether it is a size and nothing else, a place of a template, or a form's: most paragraphs are."""
    if not paragraph.parts and _FIGURES.fullmatch(paragraph.first.text):
        return True
    if _is_bracketed(paragraph) or heads_features(paragraph.first.text) or is_sized_feature(paragraph.text):
        return True
    return has_placeholder(paragraph.text) or _is_stack(paragraph) or _is_tolerance_box(paragraph)


def _is_unit_alone(paragraph: Draft) -> bool:
    """Whether the unit stands in open space with its label and nothing else, where no block has taken it: `Unit: mm`."""
    text = paragraph.text.strip()
    label, colon, value = text.partition(next((sign for sign in COLONS if sign in text), ":"))
    wording = title_labels.read(label) if colon and paragraph.first.cell < 0 and not paragraph.parts else None
    is_unit = value.strip()[:1].isalpha() and UNIT.fullmatch(value.strip()) is not None
    return is_unit and wording is not None and wording.key == "units"


def _is_bracketed(paragraph: Draft) -> bool:
    """Whether a text in open space stands in brackets as a whole: it explains what stands over or beside it."""
    text = paragraph.text.strip()
    is_whole = text[:1] in "(\uff08" and text[-1:] in ")\uff09" and max(map(text.count, "(\uff08")) == 1
    return is_whole and paragraph.first.cell < 0 and not is_about_whole_part(text) and not is_notice(text)


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


def _without_caption(drafts: Sequence[Draft]) -> list[Draft]:
    """`drafts` from the first on that is a note, where the lines over it name what it is about: no sentence, no figure."""
    return list(dropwhile(_is_caption, drafts))


def _is_caption(draft: Draft) -> bool:
    text = draft.text
    has_figure = any(sign.isdigit() for sign in text)
    return not is_note(text) and text.rstrip(_COLONS)[-1:].isalpha() and not has_figure


def _is_centred_caption(drafts: Sequence[Draft]) -> bool:
    """Whether lines are centred under a name, as those of the caption of a view are: `PCB LAYOUT` over `GENERAL TOLERANCE ±0.05`.

    Sentences under one another begin below each other.
    """
    first, lines = drafts[0].first, [line for draft in drafts[1:] for line in draft.lines]
    h = max(first.height, 1e-9)
    return (
        first.cell < 0
        and bool(lines)
        and _is_caption(drafts[0])
        and not is_about_whole_part(drafts[0].text)
        and all(abs(sum(line.box[::2]) - sum(first.box[::2])) / 2 < _CENTRED * h for line in lines)
        and all(abs(line.box[0] - first.box[0]) > _CENTRED * h for line in lines)
    )


def _is_beside_note(text: str) -> bool:
    """Whether a text of a paragraph that holds notes is one: names of nets and pins, and what a form states, are none."""
    return (
        statement_count(text) >= NOTE_WORDS
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
    """The notes of a list at equal steps: a line that begins with a small letter goes on where most begin with capitals."""
    own: Draft | None = None
    has_capitals = 2 * sum(begins_anew(line) for line in run) > len(run)
    for line in run:
        if own is not None and has_capitals and line.text[:1].islower():
            own.parts.append(line)
        else:
            if own is not None:
                yield own
            own = Draft(line, None, SURE_PARAGRAPH)
    if own is not None:
        yield own


def _is_stack(paragraph: Draft) -> bool:
    """Whether it is one or two words over one another, as forms set a sentence into a narrow cell: "DEBURR AND / BREAK SHARP / EDGES".

    In open space a sentence may be as narrow: its further lines begin with small letters, below each other, or it orders something.
    """
    lines = paragraph.lines
    is_sentence = (
        paragraph.first.cell < 0
        and begins_anew(lines[0])
        and all(
            line.text[:1].islower() and abs(line.box[0] - lines[0].box[0]) < _FLUSH * line.height for line in lines[1:]
        )
    )
    is_sentence |= paragraph.first.cell < 0 and not paragraph.text.isupper() and is_instruction(paragraph.text)
    is_sentence |= paragraph.first.cell < 0 and BEGINS.match(paragraph.text) is not None
    return (
        len(lines) >= _FEWEST_STACKED
        and not is_sentence
        and all(word_count(line.text) <= _STACKED_WORDS for line in lines)
    )


def _is_tolerance_box(paragraph: Draft) -> bool:
    """Whether a ruled cell begins with a line that says what its tolerances do not hold for: "UNLESS OTHERWISE SPECIFIED".

    In open space a label stands over them, `TOLERANCES:` over `X.X ±0.3`, and most of the lines are such.
    """
    if paragraph.first.cell >= 0:
        return is_exception(paragraph.first.text)
    wording = title_labels.read(paragraph.first.text) if paragraph.first.text.endswith(COLONS) else None
    classes = sum(_CLASS.match(line.text) is not None for line in paragraph.parts)
    return (
        wording is not None and wording.key == "tolerances" and not wording.value and 2 * classes > len(paragraph.parts)
    )


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
