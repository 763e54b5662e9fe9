"""Notes that no list holds: paragraphs in open space, and sentences after `NOTE:`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import ROLES
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import has_placeholder, is_advertisement, is_notice
from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import (
    BEGINS,
    OPEN_END,
    PARAGRAPH,
    SPOKEN_WORDS,
    Draft,
    is_about_whole_part,
)
from spatial.understanding.sheet.notes.line import NOTE_WORDS, OPEN_SPACE, Line, single_count, statement_count, word_count
from spatial.understanding.sheet.notes.paragraphs import SURE_PARAGRAPH, aligned_lists, paragraphs
from spatial.understanding.sheet.notes.wrapping import begins_anew, is_caseless, is_full, is_wrapped, width

_SENTENCE_WORDS, _FULL_SENTENCE_WORDS, _NOTICE_WORDS = 9, 6, 5
"""Words of a text with a full stop, of one with a capital letter and a full stop, and of a property notice, that is a note by itself."""
_COPYRIGHT: Final = re.compile(r"(?:copyright\b|©|\(c\)).*\d{4}", re.IGNORECASE)
"""A notice that is no more than a sign, a year and a name (Universal Copyright Convention, article III)."""
_NOTICE_BEGINNING: Final = 100
"""Characters in which a property notice says that it is one."""
_PROSE_WORDS: Final = 12
"""Words of a text in open space that can be nothing but prose, wherever it stands and however it reads."""
_OWNERS: Final = frozenset({"company", *ROLES})
"""Fields that name who made or owns a part."""
_SPOKEN_SENTENCE: Final = 8
"""Words of an upright text in open space that says something: names of parts, views and sizes have fewer."""
_PREDICATED_SENTENCE: Final = 5
"""The same with a verb that says what something is or must be."""
_PREDICATE: Final = re.compile(rf"\w\W+{alternatives('predicate')}\W+\w", re.IGNORECASE)
_TOLERANCED: Final = re.compile(r"[±Ø⌀°]")
"""A size that a callout may hold, which a sentence says what of."""
_PICTURED: Final = re.compile(rf"\b{alternatives('pictured')}\b", re.IGNORECASE)
_BOXED_SENTENCE: Final = 6
"""The same in a box around nothing else, on several lines."""
_SMALL: Final = 0.4
"""Part of the words of a sentence that begin with a small letter, at least; in German about half do."""
_SCALED: Final = re.compile(r"\d ?: ?\d+\W*$|[(\uff08]\d+ ?: ?\d+[)\uff09]")
"""How the name of a view states its scale: at its end, or in brackets."""
_SAME_ENDING: Final = 3
"""Last words that a sentence has in common with no other lettering of the sheet."""
_LETTERED: Final = 0.7
"""Part of such a text that is written as words are; rows of sizes and of names of nets have less."""
_PLAIN: Final = re.compile(r"\W*[^\W\d_]+(?:['’.-][^\W\d_]+)*\W*|.*[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af].*")
_FEWEST_STACKED, _STACKED_WORDS = 3, 2
"""Lines of a sentence in a narrow cell, and words of one of them."""
_FLUSH: Final = 0.3
"""Letter heights between the left ends of the lines of such a sentence in open space."""
_FEWEST_JOINTS: Final = 2
"""Places between lines that tell a list of lines from a wrapped text: nouns of a language may have capitals."""
_SURE_INLINE: Final = 0.84
"""Confidence of a sentence after `NOTE:`."""
_INLINE: Final = re.compile(rf"{alternatives('note_inline')}\s*:\s*(?=\S+\s)", re.IGNORECASE)
_PROJECTION: Final = re.compile(alternatives("stated_projection"), re.IGNORECASE)
_SENTENCE_LINE: Final = re.compile(r"[^\W_a-zß-ÿ].{8,}[^\W_].?[.!]", re.DOTALL)
"""A sentence, from its capital letter to its full stop."""
_ABBREVIATED: Final = re.compile(r"\.\s*\w+\.$")
"""How a name ends that is abbreviated: one word between two full stops."""
_STATED: Final = re.compile(r"[^(=]*[^\W\d_]{3}[^(=]*=\s*[Ø±]?\s*\d[\d.,]*\s*(?:mm\b|in\b|°|\"|[μµ]m\b)")
"""A value that words state: "Redondeos no acotados R = 3 mm"; in brackets it belongs to a name."""
_DEVIATION: Final = re.compile(r"(?:±|\+ ?/ ?-) ?\d*[.,]?\d+ ?(?:mm|in|inch|\"|°)?\.?", re.IGNORECASE)
_EXCEPTION: Final = re.compile(rf"{alternatives('unless')}(?: [^\W\d_]+){{1,4}}\W*", re.IGNORECASE)
"""What stands over sizes or tolerances and says nothing by itself: "UNLESS OTHERWISE SPECIFIED:"."""
_TITLED: Final = re.compile(r"[^\W\d_][\w/-]*(?: [\w/-]+)?:\s+\S")
"""A note whose subject stands before it: "SURFACE: black anodized"."""


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
            elif own is not None and not _is_end(own, line, widest) and not _is_aside(own.last, line):
                own.parts.append(line)
            elif own is not None:
                yield own
                own = None
        if own is not None:
            yield own


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
    endings = Counter(_ending(paragraph) for paragraph in found)
    for paragraph in found:
        if has_placeholder(paragraph.text) or _is_stack(paragraph) or _is_tolerance_box(paragraph):
            continue
        drafts = list(_split_paragraph(paragraph))
        if _is_running_text(drafts):
            drafts = [paragraph]
        if any(_is_note(draft.text) for draft in drafts):
            yield from (draft for draft in _without_caption(drafts) if _is_beside_note(draft.text))
        elif _is_spoken(paragraph) and endings[_ending(paragraph)] == 1:
            paragraph.is_local = True
            yield paragraph


def _without_caption(drafts: Sequence[Draft]) -> Sequence[Draft]:
    """`drafts` without a first line that names what the notes below it are about: no sentence, no figure."""
    first = drafts[0]
    is_caption = (
        len(drafts) > 1 and not first.parts and not _is_note(first.text)
        and first.text[-1:].isalpha() and not any(sign.isdigit() for sign in first.text)
    )
    return drafts[1:] if is_caption else drafts


def _is_beside_note(text: str) -> bool:
    """Whether a text of a paragraph that holds notes is one: names of nets and pins, and what a form states, are none."""
    return (
        word_count(text) >= NOTE_WORDS
        and not _is_statement(text)
        and not _is_field(text)
        and (_is_note(text) or 2 * _plain_words(text) >= sum(any(map(str.isalpha, word)) for word in text.split()))
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
    h = max(draft.first.height, 1e-9)
    is_one_cell = last.first.cell == draft.first.cell > OPEN_SPACE
    is_below = 0 < last.last.level - draft.first.level < PARAGRAPH * h
    return is_one_cell and is_below and is_notice(last.text) and is_notice(draft.text)


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

    In open space a sentence may be as narrow: its further lines begin with small letters, below each other.
    """
    lines = paragraph.lines
    is_sentence = (
        paragraph.first.cell < 0
        and begins_anew(lines[0])
        and all(
            line.text[:1].islower() and abs(line.box[0] - lines[0].box[0]) < _FLUSH * line.height for line in lines[1:]
        )
    )
    return (
        len(lines) >= _FEWEST_STACKED
        and not is_sentence
        and all(word_count(line.text) <= _STACKED_WORDS for line in lines)
    )


def _is_tolerance_box(paragraph: Draft) -> bool:
    """Whether a ruled cell begins with a line that says what its tolerances do not hold for: "UNLESS OTHERWISE SPECIFIED"."""
    return paragraph.first.cell >= 0 and _EXCEPTION.fullmatch(paragraph.first.text.strip()) is not None


def turned_notes(left: Sequence[Line]) -> Iterator[Draft]:
    """What reads in another direction than most of a sheet: property notices, and prose in a margin."""
    for paragraph in paragraphs(left):
        text = paragraph.text
        is_prose = (
            paragraph.first.cell < 0
            and word_count(text) >= _PROSE_WORDS
            and _plain_words(text) >= _LETTERED * len(text.split())
            and not is_advertisement(text)
        )
        is_stated = _is_note(text) and (paragraph.first.cell < 0 or is_notice(text))
        if (is_prose or is_stated) and not has_placeholder(text):
            yield paragraph


def _is_note(text: str) -> bool:
    """Whether `text` is a note by itself: about the whole part, a sentence, or a property notice in open space."""
    if _EXCEPTION.fullmatch(text.strip()) is not None:
        return False
    if statement_count(text) < SPOKEN_WORDS:
        return _states_tolerance(text)
    if is_notice(text[:_NOTICE_BEGINNING]):
        fewest = SPOKEN_WORDS if _COPYRIGHT.match(text) else _NOTICE_WORDS
        return word_count(text) >= fewest and not is_advertisement(text)
    return not (len(text) > _NOTICE_BEGINNING and is_notice(text)) and (
        is_about_whole_part(text)
        or (word_count(text) >= SPOKEN_WORDS and _STATED.match(text) is not None and text.count("=") == 1)
        or (word_count(text) >= _SENTENCE_WORDS and text.rstrip().endswith("."))
        or (word_count(text) >= _FULL_SENTENCE_WORDS and _is_full_sentence(text.strip()))
    )


def _states_tolerance(text: str) -> bool:
    """Whether a label of tolerances, in any language, has one deviation behind it: "TOLERANCE=±0.10"."""
    wording = title_labels.read(text)
    return wording is not None and wording.key == "tolerances" and _DEVIATION.fullmatch(wording.value) is not None


def _is_full_sentence(text: str) -> bool:
    return _SENTENCE_LINE.fullmatch(text) is not None and _ABBREVIATED.search(text) is None


def _is_spoken(paragraph: Draft) -> bool:
    """Whether a paragraph in open space is a sentence in any language, for the place that it stands at."""
    text = paragraph.text
    words = single_count(text)
    return (
        paragraph.first.cell < 0
        and words >= _fewest_words(paragraph)
        and _plain_words(text) >= _LETTERED * len(text.split())
        and text[:1].isalpha()
        and not _is_in_capitals(text.split())
        and _SCALED.search(text) is None
        and not is_advertisement(text)
    )


def _fewest_words(paragraph: Draft) -> int:
    """Words from which on a paragraph says something."""
    text = paragraph.text
    if _TOLERANCED.search(text) is None and _PREDICATE.search(text) is not None and _PICTURED.search(text) is None:
        return _PREDICATED_SENTENCE
    is_boxed = paragraph.first.cell < OPEN_SPACE and len(paragraph.lines) > 1
    return _BOXED_SENTENCE if is_boxed else _SPOKEN_SENTENCE


def _plain_words(text: str) -> int:
    """Of what stands between blanks that which is written as words are: names of nets and pads have figures and joints."""
    return sum(_PLAIN.fullmatch(word) is not None for word in text.split())


def _is_in_capitals(words: Sequence[str]) -> bool:
    """Whether most words begin with a capital in lettering that has small letters: names, an address."""
    small = sum(word[:1].islower() for word in words)
    return any(word[1:].islower() for word in words) and small < _SMALL * len(words)


def _ending(paragraph: Draft) -> tuple[str, ...]:
    """The last words of a paragraph: those of several name parts."""
    return tuple(paragraph.text.casefold().split()[-_SAME_ENDING:])


def _is_statement(text: str) -> bool:
    """Whether `text` is the method of projection and nothing else, which a form states."""
    return _PROJECTION.fullmatch(text.strip(" .:")) is not None


def _split_paragraph(draft: Draft) -> Iterator[Draft]:
    """The notes of a paragraph: a line ends one if the next line's first word would have fitted behind it."""
    if not draft.parts or is_notice(draft.text) or (is_wrapped(draft.lines) and word_count(draft.text) >= _PROSE_WORDS):
        yield draft
        return
    widest = width(draft.lines)
    own = Draft(draft.first, None, draft.sure)
    is_list = _is_list_of_lines(draft.lines, widest)
    for line in draft.parts:
        if is_list or _is_end(own, line, widest):
            yield own
            own = Draft(line, None, draft.sure)
        else:
            own.parts.append(line)
    yield own


def _is_running_text(drafts: Sequence[Draft]) -> bool:
    """Whether these are the sentences of one text about one thing: some are wrapped, all end, and none is about the whole part."""
    return (
        len(drafts) > 1
        and any(draft.parts for draft in drafts)
        and all(draft.text.rstrip().endswith((".", "!")) for draft in drafts)
        and all(begins_anew(draft.first) and not is_about_whole_part(draft.text) for draft in drafts)
    )


def _is_list_of_lines(lines: Sequence[Line], widest: float) -> bool:
    """Whether every line begins as a text does, none ends open, and one has room for the first word of the next."""
    joints = list(pairwise(lines))
    return (
        len(joints) >= _FEWEST_JOINTS
        and all(begins_anew(line) and not _ends_open(last) for last, line in joints)
        and not all(is_full(last, line, widest) for last, line in joints)
    )


def _ends_open(line: Line) -> bool:
    text = line.text.rstrip()
    return text.endswith(COLONS) or OPEN_END.search(text) is not None


def _is_end(own: Draft, line: Line, widest: float) -> bool:
    last = own.last
    if title_labels.read(last.text) is not None or BEGINS.match(line.text) or _TITLED.match(line.text):
        return not OPEN_END.search(last.text.rstrip())
    begins_sentence = begins_anew(line) or _SENTENCE_LINE.fullmatch(line.text.strip()) is not None
    # A sentence that ends a line of several goes on with the next one: running text, and no list.
    if last.text.rstrip().endswith((".", "!")) and begins_sentence and (not own.parts or is_about_whole_part(line.text)):
        return True
    if _begins_alike(last, line) or (word_count(last.text) < SPOKEN_WORDS and is_about_whole_part(line.text)):
        return True
    if begins_anew(line) and (is_about_whole_part(last.text) or _ends_in_figure(last)) and _is_told_apart(line):
        return not _ends_open(last)
    begins = line.text[:1].isupper() or line.text[:1].isdigit() or is_caseless(line.text)
    return begins and not is_full(last, line, widest) and not _ends_open(last)


def _is_aside(last: Line, line: Line) -> bool:
    """Whether a few words follow a full stop, such as the name of a view."""
    return last.text.rstrip().endswith(".") and word_count(line.text) < SPOKEN_WORDS


def _is_told_apart(line: Line) -> bool:
    return is_about_whole_part(line.text) or _ends_in_figure(line)


def _ends_in_figure(line: Line) -> bool:
    """Whether a line of words ends with a value or the number of a standard: "Allgemeintoleranzen ISO 2768-mK"."""
    last = line.text.split()[-1:]
    return begins_anew(line) and any(sign.isdigit() for sign in "".join(last))


def _begins_alike(last: Line, line: Line) -> bool:
    """Whether two lines begin with the same two words, the first with a capital: statements of one list."""
    first, second = last.text.split()[:2], line.text.split()[:2]
    return len(first) == 2 and first == second and begins_anew(line)
