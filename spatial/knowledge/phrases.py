"""What stands in a title block without being a value: what templates hold, a form's own sentences, property notices."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from spatial.knowledge.patterns import alternatives, fragments
from spatial.knowledge.wordings import Wordings

_FIRST: Final = 400
"""Characters at the beginning of a text that are looked at."""

_TEMPLATE: Final = re.compile(rf"{alternatives('template')}$|{alternatives('template_begins')}", re.IGNORECASE)
_PLACEHOLDER: Final = re.compile(
    r"(?!^<[^<>]*[a-z][^<>]*> +[^\W\d_a-z])<(?![a-z]+://)[^\W\d][^<>]{2,60}>|\{[^\W\d][^{}]{2,60}\}"
    r"|(?<!\w)\[(?![^\s\[\]]*\d[^\s\[\]]*\])[^\W\d][^\[\]]{2,60}\]"
)
"""A bracket right behind a word holds a second unit: `MILLIMETERS[INCHES]`; one around an address states it: `<https://example.org>`.

One over or before a sentence heads it, `<For reference> The colour is ...`, and one around a code with figures names it: `[IPC-2221]`.
"""
_PLACE_WORDS: Final = 8
"""Words of such a place, at most; what has more is a sentence that is set in brackets."""
_LETTERS_APART: Final = re.compile(r"(?<=\b[^\W\d_]) (?=[^\W\d_]\b)|(?<=\b[^\W\d_] [^\W\d_]) (?=[^\W\d_]{2})")
"""Blanks in a word that is set letter by letter: `S u b title`."""
_NOTICE: Final = Wordings(fragments("notice"))
_RESERVATION: Final = Wordings(fragments("reservation"))
_ADVERTISEMENT: Final = Wordings(fragment.replace(" ", " ?") for fragment in fragments("advertisement"))
"""Programs may print it without blanks."""
_PROGRAM: Final = re.compile(r"(?<!re)v ?\d+(?:\.\d+)+(?!\d).{0,60}(?:©|\(c\) ?\d{4})", re.IGNORECASE)
"""A version of a program and whose it is: `KOMPAS-3D v18.1 © 2019`; blanks may be missing, and `rev1.2` is of a drawing."""
_STATEMENT: Final = re.compile(rf"\w\s+{alternatives('are')}\s+\w", re.IGNORECASE)
_SENTENCE: Final = Wordings([*fragments("tolerance_box"), *fragments("notice"), *fragments("advertisement")])
_FIGURE_CAPTION: Final = re.compile(
    rf"{alternatives('figure')}\s*\d+(?:[.-]\d+)?[a-z]?\s*[.:\uff1a–-](?!\s?\d)", re.IGNORECASE
)
"""How the caption of a figure begins."""
_NAMED_PICTURE: Final = re.compile(r"[\u3400-\u9fff]{2,30}(?<![\u89c1\u5982\u6309\u770b\u7167])[\u56fe\u5716\u56f3]")
"""Chinese and Japanese words whose last sign is that for a drawing, where no verb refers to one."""


_OWNER: Final = re.compile(
    rf"(?:{'|'.join(map(alternatives, ('owned_by', 'permitted_by')))})\s+(?=(?P<owner>[^\W\d_]+ [^\W\d_]+))",
    re.IGNORECASE,
)
"""Two words that stand in a notice where the name of its owner does."""


def is_template_text(text: str) -> bool:
    """Whether it is what a template holds before anyone fills it in, or states that the field is empty."""
    plain = _LETTERS_APART.sub("", text.strip())
    return _TEMPLATE.match(plain) is not None or _PLACEHOLDER.fullmatch(plain) is not None


def has_placeholder(text: str) -> bool:
    """Whether it holds a place that a template leaves to be filled in, in pointed, curly or square brackets: `<COMPANY NAME>`.

    In a property notice it may stand without brackets: `the property of Company Name`.
    """
    if any(len(found.group().split()) <= _PLACE_WORDS for found in _PLACEHOLDER.finditer(text)):
        return True
    return any(is_template_text(found["owner"]) for found in _OWNER.finditer(text[:_FIRST]))


@lru_cache(maxsize=8192)  # several stages ask for that of every text of a block
def is_form_sentence(text: str) -> bool:
    """Whether it is a form's own sentence: a property notice, DO NOT SCALE, the head of a tolerance box."""
    return _SENTENCE.stand_in(text[:_FIRST])


def is_statement(text: str) -> bool:
    """Whether it is a sentence that says what something is: words before and behind the verb."""
    return _STATEMENT.search(text[:_FIRST]) is not None


def is_notice(text: str) -> bool:
    """Whether it is a property notice or a program's advertisement."""
    return _NOTICE.stand_in(text[:_FIRST]) or is_advertisement(text)


def is_reservation(text: str) -> bool:
    """Whether a maker says that what is drawn may change: `Specifications are subject to change without notice`."""
    return _RESERVATION.stand_in(text[:_FIRST])


def is_advertisement(text: str) -> bool:
    """Whether it is a program's advertisement."""
    return _ADVERTISEMENT.stand_in(text[:_FIRST]) or _PROGRAM.search(text[:_FIRST]) is not None


def is_figure_caption(text: str) -> bool:
    """Whether a text is the caption of a figure, which names what is drawn: `Figure 1. Dimensions (for reference only)`."""
    return _FIGURE_CAPTION.match(text.strip()) is not None or _NAMED_PICTURE.fullmatch(text.strip()) is not None
