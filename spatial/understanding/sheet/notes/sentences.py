"""Whether a text is a note by what it says: about the whole part, a sentence, a property notice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from spatial.knowledge import title_labels
from spatial.knowledge.fields import is_distinctive
from spatial.knowledge.patterns import alternatives, fragments
from spatial.knowledge.phrases import is_advertisement, is_figure_caption, is_form_sentence, is_notice, is_reservation
from spatial.knowledge.value_forms import COLONS, UNIT_STATEMENT
from spatial.knowledge.wordings import Wordings
from spatial.understanding.sheet.notes.draft import SPOKEN_WORDS, Draft, is_about_whole_part
from spatial.understanding.sheet.notes.line import (
    OPEN_SPACE,
    plain_words,
    sign_count,
    single_count,
    statement_count,
    word_count,
)
from spatial.understanding.sheet.notes.wrapping import ENDS, WEB, is_full, width

PROSE_WORDS: Final = 12
"""Words of a text in open space that can be nothing but prose, wherever it stands and however it reads."""
_SENTENCE_WORDS, _FULL_SENTENCE_WORDS, _SMALL_SENTENCE_WORDS, _NOTICE_WORDS = 9, 6, 5, 5
"""Words of a text with a full stop, of one with a capital letter and a full stop, and of a property notice, that is a note by itself."""
_LONGEST_UNIT: Final = 2
"""Small letters of a unit, which stands among words of capitals too."""
_COPYRIGHT: Final = re.compile(
    r"(?:copyright\b|©|\(c\)).*\d{4}|\bcopyright\b\W*(?:©|\(c\))|\bCC[ -]BY\b|\bISO ?16016\b|\bDIN ?34\b", re.IGNORECASE
)
"""A notice that is no more than a sign, a year and a name (Universal Copyright Convention, article III), the word with its sign and a name,
the code of a licence, or the standard of protection notices (ISO 16016, DIN 34 before it)."""
_VIEW_END: Final = re.compile(rf"{alternatives('view_name')}$", re.IGNORECASE)
"""How the name of a view ends in a script without blanks: `法兰与盘管对接接头焊接详图`."""
_BAR: Final = re.compile(r"\S\s+\|\s+(?=\S)")
_FEWEST_BARS: Final = 2
"""Bars between the entries of a row."""
_EXPLAINED: Final = re.compile(
    r"(?<=\S)\s?(?:[(\uff08][^()\uff08\uff09]*[)\uff09]|[<\u2329\u3008][^<>\u2329\u232a\u3008\u3009]*[>\u232a\u3009])"
)
"""What stands in brackets behind a name and explains it: `PCB LAYOUT (VIEWED FROM THE TOP SIDE)`."""
_LONGEST_IMPRINT: Final = 100
"""Characters of the name of a firm with its telephone and its address on the web."""
_NOTICE_TEXT_WORDS: Final = 30
"""Words of a text that says only in the course of it that it is a property notice."""
_NOTICE_BEGINNING: Final = 100
"""Characters in which a property notice says that it is one."""
_SPOKEN_SENTENCE: Final = 8
"""Words of an upright text in open space that says something: names of parts, views and sizes have fewer."""
_SPOKEN_SIGNS: Final = 12
"""The same in signs of Chinese, Japanese and Korean, of which one or two are a word, where no full stop ends it."""
_SIGN_ENDS: Final = ("\u3002", "\uff1b", "\uff01", ".", ";")
_PREDICATED_SENTENCE: Final = 5
"""The same with a verb that says what something is or must be."""
_PREDICATE: Final = re.compile(rf"\w\W+{alternatives('predicate')}\W+\w", re.IGNORECASE)
_TOLERANCED: Final = re.compile(r"[±Ø⌀°]")
"""A size that a callout may hold, which a sentence says what of."""
_PICTURED: Final = re.compile(rf"\b{alternatives('pictured')}\b", re.IGNORECASE)
_BOXED_SENTENCE: Final = 6
"""The same in a box around nothing else, on several lines."""
_FEWEST_NAMES, _NAME_WORDS = 4, 2.5
"""Lines that may be names of a legend, and words of a line, on average, which a sentence has at least."""
_FEWEST_DESIGNATED: Final = 2
_DESIGNATED: Final = re.compile(r"(?:[A-Z]{2,8} )?(?=\S*\d)[A-Z][\w./-]+")
"""A line that is the number of a product, with the name of its type before it, and how many of them make an entry of what is over them."""
_LARGER: Final = 1.15
"""Ratio of the letter heights of a name and of what explains it under it."""
_SUBJECTS: Final = re.compile(r"(?:^|\s)[^\W\d_][^\W\d_]+\s?:\s+(?=\S)")
"""The last word of a subject, with its colon."""
_OPENS: Final = "/ ([{<\u300a\"'\u201c\u201e\u00ab"
"""What may stand before the first word of a sentence that is set in brackets or quoted, or that a sign for parallel begins."""
_SMALL: Final = 0.4
"""Part of the words of a sentence that begin with a small letter, at least; in German about half do."""
_SCALED: Final = re.compile(r"\d ?: ?\d+\W*$|[(\uff08]\d+ ?: ?\d+[)\uff09]")
"""How the name of a view states its scale: at its end, or in brackets."""
LETTERED: Final = 0.7
"""Part of such a text that is written as words are; rows of sizes and of names of nets have less."""
SENTENCE_LINE: Final = re.compile(r"[^\W_a-zß-ÿ].{8,}[^\W_].?[.!]", re.DOTALL)
"""A sentence, from its capital letter to its full stop."""
_ABBREVIATED: Final = re.compile(r"\.\s*\w+\.$")
"""How a name ends that is abbreviated: one word between two full stops."""
_IN_BRACKETS: Final = re.compile(r"\((?P<said>[^()]+\.)\)")
_LEGAL_END: Final = re.compile(r"(?:^|[\s,])[^\W\d_]{2,4}\.$")
"""How the name of a firm ends with its legal form: `Co., Ltd.`."""
_STATED: Final = re.compile(
    r"(?=[^(=]*[^\W\d_]{3})[^(=]*=\s*[Ø±]?\s*\d[\d.,]*\s*(?:mm\b|in(?:ch(?:es)?)?\b|°|\"|[μµ]m\b)"
)
"""A value that words state: "Redondeos no acotados R = 3 mm"; in brackets it belongs to a name."""
_DEVIATION: Final = re.compile(
    r"(?:±|\+ ?/ ?-) ?\d*[.,]?\d+ ?(?:mm|in|inch|\"|°)?(?: ?[\[(][\d.,]+[\])])?\.?$", re.IGNORECASE
)
"""At the end of a text, with a second unit in brackets or without one."""
_COMPLIANCE: Final = re.compile(
    r"RoHS\s?\d?(?=.{4})(?:[ -]complian(?:t|ce))?(?:[ -](?:EU )?(?:directive )?(?:\(EU\) )?\d{2,4}/\d{1,4}(?:/E[CU])?)?",
    re.IGNORECASE,
)
"""The statement that a product has none of the substances that a directive restricts (EU 2011/65, 2002/95), in a box of its own."""
_LABEL_WORDS: Final = 4
"""Words of a label of tolerances, with its unit."""
_EXCEPTION: Final = re.compile(rf"{alternatives('unless')}(?: [^\W\d_]+){{1,4}}\W*", re.IGNORECASE)
"""What stands over sizes or tolerances and says nothing by itself: "UNLESS OTHERWISE SPECIFIED:"."""
_UNLESS: Final = Wordings(fragments("unless"))


def is_note(text: str) -> bool:
    """Whether `text` is a note by itself: about the whole part, a sentence, or a property notice in open space."""
    if is_exception(text) or is_figure_caption(text) or _is_row_of_entries(text):
        return False
    if states_tolerance(text) or states_unit(text) or _COMPLIANCE.fullmatch(text.strip(" .")) is not None:
        return True
    if statement_count(text) < SPOKEN_WORDS:
        return False
    if is_notice(text[:_NOTICE_BEGINNING]):
        fewest = SPOKEN_WORDS if _COPYRIGHT.search(text) else _NOTICE_WORDS
        return word_count(text) >= fewest and not is_advertisement(text)
    if is_notice(text):
        return word_count(text) >= _NOTICE_TEXT_WORDS and _is_prose(text) and not is_advertisement(text)
    return (
        is_about_whole_part(text)
        or is_reservation(text)
        or (word_count(text) >= SPOKEN_WORDS and _STATED.match(text) is not None and text.count("=") == 1)
        or (word_count(text) >= _SENTENCE_WORDS and text.rstrip().endswith("."))
        or (word_count(text) >= _least_words(text) and _is_full_sentence(text.strip()))
        or is_bracketed_sentence(text)
    )


def is_bracketed_sentence(text: str) -> bool:
    """Whether it is a sentence in brackets, its full stop within them: `(Refer to section 10 for more information.)`."""
    found = _IN_BRACKETS.fullmatch(text.strip())
    return found is not None and word_count(text) >= _least_words(text) and _is_full_sentence(found["said"])


def is_exception(text: str) -> bool:
    """Whether it heads tolerances: what they do not hold for, alone or behind their label (`TOLERANCE: UNLESS OTHERWISE SPECIFIED`)."""
    said = text.strip()
    found = _EXCEPTION.search(said) if _UNLESS.stand_in(said) else None
    if found is None or found.end() < len(said):
        return False
    wording = title_labels.read(said[: found.start()].rstrip(" :"))
    return not found.start() or (wording is not None and wording.key == "tolerances" and not wording.value)


def _is_imprint(text: str) -> bool:
    """Whether it names a firm and its address on the web, and says nothing: `Muster GmbH tel. 0123 www.muster.example`."""
    is_short = len(text) <= _LONGEST_IMPRINT and not text.rstrip().endswith(".")
    return is_short and WEB.search(text) is not None and is_distinctive("company", WEB.sub("", text).strip())


def _is_name(text: str) -> bool:
    """Whether it is the name of a firm in signs that each count as a word."""
    return single_count(text) > len(text.split()) and len(text.split()) == 1 and is_distinctive("company", text)


def _least_words(text: str) -> int:
    """Of a sentence from its capital to its full stop: fewer where words of small letters tell its capital from others."""
    has_small = any(word.islower() and len(word) > _LONGEST_UNIT for word in text.split())
    return _SMALL_SENTENCE_WORDS if has_small else _FULL_SENTENCE_WORDS


def _is_prose(text: str) -> bool:
    """Whether most of a text is words, most of them small or all in capitals, and it ends as a sentence does."""
    words = text.split()
    small = sum(word[:1].islower() for word in words)
    is_running = 2 * small > len(words) or text.isupper()
    return text.rstrip().endswith(".") and plain_words(text) >= LETTERED * len(words) and is_running


def states_tolerance(text: str) -> bool:
    """Whether a label of tolerances, in any language, has one deviation behind it: "TOLERANCE=±0.10"."""
    found = _DEVIATION.search(text)
    if found is None or word_count(text) > _LABEL_WORDS:
        return False
    wording = title_labels.read(text[: found.start()].rstrip(" :="))
    return wording is not None and wording.key == "tolerances" and not wording.value


def states_unit(text: str) -> bool:
    """Whether it is a sentence that states the unit of the sizes and nothing else: `Maße in mm`; `Unit: mm` is a field."""
    found = UNIT_STATEMENT.fullmatch(text.strip(" ."))
    return found is not None and not any(colon in text for colon in COLONS)


def _is_full_sentence(text: str) -> bool:
    """Whether it runs from a capital to a full stop, and is no name: of a part, or of a firm (`Muster Works Co., Ltd.`)."""
    if SENTENCE_LINE.fullmatch(text) is None or _ABBREVIATED.search(text) is not None:
        return False
    is_firm = _LEGAL_END.search(text) is not None and _PREDICATE.search(text) is None
    return not (is_firm and is_distinctive("company", text))


def is_spoken(paragraph: Draft) -> bool:
    """Whether a paragraph in open space is a sentence in any language, for the place that it stands at."""
    if paragraph.first.cell >= 0:
        return False
    text = paragraph.text
    words = single_count(_EXPLAINED.sub("", text))
    return (
        words >= _PREDICATED_SENTENCE  # the fewest of all, which most lettering does not have
        and words >= _fewest_words(paragraph)
        and plain_words(text) >= LETTERED * len(text.split())
        and text.lstrip(_OPENS)[:1].isalpha()
        and not text.rstrip().endswith(COLONS)
        and not _are_labels(paragraph)
        and not _are_names(paragraph)
        and not _states_values(text)
        and not _is_captioned(paragraph)
        and not _is_in_capitals(WEB.sub("", text).split())
        and _SCALED.search(text) is None
        and not is_advertisement(text)
        and not is_figure_caption(text)
        and not (sign_count(text) and _VIEW_END.search(text))
        and not says_nothing(text)
    )


def is_stated_in_cell(text: str) -> bool:
    """Whether it is a sentence with a verb that says what something is, and none that forms print: the unit, what tolerances hold for.

    It stands in a cell of its own: `Parts cut to length are not returnable`.
    """
    return (
        word_count(text) >= _PREDICATED_SENTENCE
        and _PREDICATE.search(text) is not None
        and _TOLERANCED.search(text) is None
        and plain_words(text) >= LETTERED * len(text.split())
        and text.lstrip(_OPENS)[:1].isalpha()
        and not text.rstrip().endswith(COLONS)
        and UNIT_STATEMENT.search(text) is None
        and not is_form_sentence(text)
        and not is_advertisement(text)
        and not says_nothing(text)
    )


def _are_labels(paragraph: Draft) -> bool:
    """Whether half of its lines are labels with a colon and nothing behind it: their values could not be read."""
    lines = paragraph.lines
    labels = [
        line for line in lines if line.text.rstrip().endswith(COLONS) and word_count(line.text) < _SPOKEN_SENTENCE
    ]
    return len(lines) > 1 and 2 * len(labels) >= len(lines)


def _are_names(paragraph: Draft) -> bool:
    """Whether its lines are names, as of the kinds of lines in a legend: short ones, one stands twice, or all but the first are numbers.

    A sentence that is set in so many lines fills them, and ends or has a verb; most names leave space for the next word.
    """
    lines = paragraph.lines
    if len(lines) > _FEWEST_DESIGNATED and all(_DESIGNATED.fullmatch(line.text.strip()) for line in paragraph.parts):
        return True
    if len(lines) < _FEWEST_NAMES or lines[-1].text.rstrip().endswith(ENDS) or _PREDICATE.search(paragraph.text):
        return False
    stands_twice = len({line.text for line in lines}) < len(lines)
    if stands_twice or word_count(paragraph.text) < _NAME_WORDS * len(lines):
        return True
    widest = width(lines)
    joints = list(pairwise(lines))
    return 2 * sum(is_full(last, line, widest) for last, line in joints) <= len(joints)


def _states_values(text: str) -> bool:
    """Whether it is two subjects or more, each with what is stated of it: `CONTACT AREA: GOLD  POST AREA: TIN` at a leader."""
    return len(_SUBJECTS.findall(text)) > 1 and not text.rstrip().endswith(_SIGN_ENDS)


def _is_captioned(paragraph: Draft) -> bool:
    """Whether its first line is a name in larger lettering, under which smaller lettering explains it: an entry of an ordering code."""
    first, rest = paragraph.first, paragraph.parts
    is_name = word_count(first.text) < SPOKEN_WORDS and _PREDICATE.search(first.text) is None
    return bool(rest) and is_name and all(line.height * _LARGER < first.height for line in rest)


def says_nothing(text: str) -> bool:
    """Whether it is the name of a firm, with its address on the web or alone, or a row of entries: the head of a page."""
    return _is_imprint(text) or _is_name(text) or _is_row_of_entries(text)


def _is_row_of_entries(text: str) -> bool:
    """Whether bars part it, as they do the links and data in the head of a page: `Product page | 3D model | Footprint`."""
    return len(_BAR.findall(text)) >= _FEWEST_BARS


def _fewest_words(paragraph: Draft) -> int:
    """Words from which on a paragraph says something."""
    text = paragraph.text
    if _TOLERANCED.search(text) is None and _PREDICATE.search(text) is not None and _PICTURED.search(text) is None:
        return _PREDICATED_SENTENCE
    is_boxed = paragraph.first.cell < OPEN_SPACE and len(paragraph.lines) > 1
    if is_boxed:
        return _BOXED_SENTENCE
    is_name = sign_count(text) > _SPOKEN_SENTENCE / 2 and not text.endswith(_SIGN_ENDS)
    return _SPOKEN_SIGNS if is_name else _SPOKEN_SENTENCE


def _is_in_capitals(words: Sequence[str]) -> bool:
    """Whether most words begin with a capital in lettering that has small letters: names, an address."""
    small = sum(word[:1].islower() for word in words)
    named = sum(word[:1].isupper() and word[1:].islower() for word in words)
    # Where most words are capitals throughout, a first word in small letters makes no name of the sentence.
    capitals = sum(word.isupper() and len(word) > 1 for word in words)
    return named + small > 0 and named >= capitals and small < _SMALL * len(words)
