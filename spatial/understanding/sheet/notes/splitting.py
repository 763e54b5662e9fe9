"""Where the notes of one paragraph end: at a line that has room for the next word, or before a line that begins a note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_notice, is_reservation
from spatial.knowledge.value_forms import COLONS
from spatial.understanding.sheet.notes.draft import BEGINS, OPEN_END, SPOKEN_WORDS, Draft, is_about_whole_part
from spatial.understanding.sheet.notes.line import Line, plain_words, word_count
from spatial.understanding.sheet.notes.sentences import PROSE_WORDS, SENTENCE_LINE, is_exception, states_tolerance
from spatial.understanding.sheet.notes.wrapping import (
    begins_anew,
    ends_open,
    first_word,
    first_words_alike,
    is_caseless,
    is_full,
    is_wrapped,
    width,
)

_DISCLAIMER_WORDS: Final = 30
"""Words of a text that says beside other things that what is drawn may change."""
_FEWEST_JOINTS: Final = 2
"""Places between lines that tell a list of lines from a wrapped text: nouns of a language may have capitals."""
_SAME_SIGNS: Final = 4
"""Signs that two lines of Chinese, Japanese or Korean begin with."""
_SHORT_SIGNS: Final = 20
"""Signs of a line of Chinese, Japanese or Korean that is hardly ever wrapped."""
_VALUE_ENDS: Final = re.compile(rf"\d\s?(?:{alternatives('length_unit')}|\"|°|%)?\W*$", re.IGNORECASE)
"""How a line ends with a value: with its figures, or their unit."""
_COPYRIGHT_LINE: Final = re.compile(
    r"(?:(?:copyright|©|\(c\))\s*)+(?:\d{4}\b.*[^\W\d_]{2}|.*[^\W\d_]{2}.*\b\d{4}\b)", re.IGNORECASE
)
"""A copyright line: the sign, a year and an owner (Universal Copyright Convention, article III)."""
_PARTED: Final = (">", "\u203a", "\u00bb", "\u25b8", "\u25ba")
"""Signs before the parts of a note."""
_TITLED: Final = re.compile(r"[^\W\d_][\w/-]*(?: [\w/-]+)?:\s+\S")
"""A note whose subject stands before it: "SURFACE: black anodized"."""


def split_paragraph(draft: Draft) -> Iterator[Draft]:
    """The notes of a paragraph: a line ends one if the next line's first word would have fitted behind it.

    What a colon announces in it, each line behind a sign, is part of the note: `Three holes:` over `> two at the header`.
    """
    return with_announced_parts(_split(draft))


def with_announced_parts(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """Notes one under the other, each with the lines behind a sign that its colon announces."""
    whole: Draft | None = None
    for said in drafts:
        if whole is not None and said.text.startswith(_PARTED) and _announces(whole):
            whole.parts.extend(said.lines)
            continue
        if whole is not None:
            yield whole
        whole = said
    if whole is not None:
        yield whole


def _announces(draft: Draft) -> bool:
    """Whether a line of a note without a sign ends with a colon, and what stands under it has signs."""
    lines = draft.lines
    plain = sum(not line.text.startswith(_PARTED) for line in lines)
    return lines[plain - 1].text.rstrip().endswith(COLONS) and not lines[0].text.startswith(_PARTED)


def _split(draft: Draft) -> Iterator[Draft]:
    if _is_copyright_over_name(draft):
        yield Draft(draft.first, None, draft.sure)
        yield from split_paragraph(Draft(draft.parts[0], None, draft.sure, parts=draft.parts[1:]))
        return
    if not draft.parts or _is_disclaimer(draft.text) or (_is_one_text(draft) and not first_words_alike(draft.lines)):
        yield draft
        return
    widest = width(draft.lines)
    own = Draft(draft.first, None, draft.sure)
    is_list = any(
        is_so(draft.lines, widest) for is_so in (_is_list_of_lines, _is_list_of_signs, _is_list_of_statements)
    )
    alike = first_words_alike(draft.lines)
    for line in draft.parts:
        if is_list or (first_word(line) in alike and not ends_open(own.last)) or is_end(own, line, widest):
            yield own
            own = Draft(line, None, draft.sure)
        else:
            own.parts.append(line)
    yield own


def _is_copyright_over_name(draft: Draft) -> bool:
    """Whether the first line is a copyright line, sign, year and owner, and what stands under it the name or number of a document.

    What the owner reserves is part of the notice.
    """
    if not draft.parts or _COPYRIGHT_LINE.match(draft.first.text) is None or ends_open(draft.first):
        return False
    line = draft.parts[0].text
    is_number = any(map(str.isdigit, line)) and plain_words(line) <= SPOKEN_WORDS and not line.rstrip().endswith(".")
    return is_number and not is_notice(line)


def _is_disclaimer(text: str) -> bool:
    """Whether it is a property notice, or a long text in the course of which a maker says that what is drawn may change."""
    return is_notice(text) or (word_count(text) >= _DISCLAIMER_WORDS and is_reservation(text))


def _is_one_text(draft: Draft) -> bool:
    """Whether the lines are one text that was wrapped; one that begins twice as a note does is two: `ALL DIMENSIONS ...`."""
    if not is_wrapped(draft.lines) or word_count(draft.text) < PROSE_WORDS:
        return False
    return BEGINS.match(draft.first.text) is None or not any(
        BEGINS.match(line.text) and not ends_open(last) for last, line in pairwise(draft.lines)
    )


def are_parallel_statements(drafts: Sequence[Draft]) -> bool:
    """Whether texts are statements of one list in any language: they begin with one word, and each ends with a value."""
    return len(drafts) > 1 and all(_are_parallel(last.last, draft.first) for last, draft in pairwise(drafts))


def is_running_text(drafts: Sequence[Draft]) -> bool:
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
        and all(begins_anew(line) and not ends_open(last) for last, line in joints)
        and not all(is_full(last, line, widest) for last, line in joints)
    )


def _is_list_of_signs(lines: Sequence[Line], widest: float) -> bool:
    """Whether lines of a script without capitals are texts of their own: short ones, of which the widest alone is full.

    A text that is wrapped fills its lines but the last, and short lines are seldom wrapped.
    """
    return (
        len(lines) > _FEWEST_JOINTS
        and max(len(line.text) for line in lines) <= _SHORT_SIGNS
        and all(is_caseless(line.text) and not ends_open(line) for line in lines)
        and sum(widest - (line.box[2] - line.box[0]) < 2 * line.height for line in lines) == 1
    )


def _is_list_of_statements(lines: Sequence[Line], widest: float) -> bool:
    """Whether lines of capitals are texts of their own: full ones begin alike, so that they were not ended by the width of a text.

    No more full lines than those may be followed by another beginning, and one has room for the first word of the next.
    """
    joints = list(pairwise(lines))
    full = [_begins_alike(last, line) for last, line in joints if is_full(last, line, widest)]
    return (
        len(full) < len(joints)
        and 2 * sum(full) >= max(len(full), 1)
        and all(line.text[:1].isupper() and not ends_open(last) for last, line in joints)
    )


def is_end(own: Draft, line: Line, widest: float) -> bool:
    """Whether a note of a paragraph as wide as `widest` ends before `line`."""
    last = own.last
    if is_exception(line.text) and not line.text.rstrip().endswith(COLONS):
        return False
    if states_tolerance(line.text):
        return not ends_open(last)
    is_label = not last.text[:1].islower() and title_labels.read(last.text) is not None
    if is_label or BEGINS.match(line.text) or _TITLED.match(line.text):
        return not OPEN_END.search(last.text.rstrip())
    begins_sentence = begins_anew(line) or SENTENCE_LINE.fullmatch(line.text.strip()) is not None
    # A sentence that ends a line of several goes on with the next one: running text, and no list.
    if (
        last.text.rstrip().endswith((".", "!"))
        and begins_sentence
        and (not own.parts or is_about_whole_part(line.text))
    ):
        return True
    if _begins_alike(last, line) or (word_count(last.text) < SPOKEN_WORDS and is_about_whole_part(line.text)):
        return True
    if begins_anew(line) and (is_about_whole_part(last.text) or _ends_in_figure(last)) and _is_told_apart(line):
        return not ends_open(last)
    if _are_parallel(last, line):
        return not ends_open(last)
    begins = line.text[:1].isupper() or line.text[:1].isdigit() or is_caseless(line.text)
    return begins and not is_full(last, line, widest) and not ends_open(last)


def _is_told_apart(line: Line) -> bool:
    return is_about_whole_part(line.text) or _ends_in_figure(line)


def _ends_in_figure(line: Line) -> bool:
    """Whether a line of words ends with a value or the number of a standard: "Allgemeintoleranzen ISO 2768-mK"."""
    last = line.text.split()[-1:]
    return begins_anew(line) and any(sign.isdigit() for sign in "".join(last))


def _are_parallel(last: Line, line: Line) -> bool:
    """Whether two lines say the same kind of thing, in lettering of capitals too: `ALL BORES H7`, `ALL SLOTS H9`.

    They begin with one word and each ends with a value; of two lines about the whole part one of both is enough, as a wrapped sentence
    about it says so once.
    """
    is_alike = last.text.split()[0].casefold() == line.text.split()[0].casefold()
    have_values = _VALUE_ENDS.search(last.text) is not None and _VALUE_ENDS.search(line.text) is not None
    if is_about_whole_part(last.text) and is_about_whole_part(line.text):
        return is_alike or have_values
    return (
        is_alike
        and have_values
        and begins_anew(line)
        and min(plain_words(last.text), plain_words(line.text)) >= SPOKEN_WORDS
    )


def _begins_alike(last: Line, line: Line) -> bool:
    """Whether two lines begin with the same two words, the first with a capital, or the same signs: statements of one list."""
    if is_caseless(line.text) and last.text[:_SAME_SIGNS] == line.text[:_SAME_SIGNS]:
        return True
    first, second = last.text.split()[:2], line.text.split()[:2]
    return len(first) == 2 and first == second and line.text[:1].isupper() and not ends_open(last)
