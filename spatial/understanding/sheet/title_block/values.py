"""Values that no label names: texts whose form alone tells which field they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from spatial.knowledge import value_forms as forms
from spatial.knowledge.fields import can_be, is_distinctive
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_form_sentence

_LONGEST: Final = 80
"""Characters of a material or a company that stands alone."""
_SHORTEST_COMPANY: Final = 4
_LONG_WORD, _SMALL_WORDS = 4, 4
"""Letters of a word that a name has with a capital letter, and how many such words with small ones make a sentence."""
_LONGEST_MASS: Final = 24
"""Characters of a mass with its unit."""
_LONGEST_STATEMENT: Final = 90
"""Characters of a line about general tolerances."""
_UNFINISHED: Final = ("...", "…")
"""Ends of a form's line that nobody filled in."""
_FEWEST_DIGITS: Final = 3
_YEARS: Final = re.compile(r"((?:20)?(?:1[5-9]|[2-9]\d))\s*/\s*((?:20)?[1-9]\d)")
"""From 2015 on: sets of drawings hardly have so many sheets."""
_OF_GROUP: Final = re.compile(alternatives("of_group"), re.IGNORECASE)
_SCALE: Final = re.compile(rf"\s{alternatives('stated_scale')}$", re.IGNORECASE)
_MOST_WORDS: Final = 3
"""Of a document number."""


def is_general_tolerance(text: str) -> bool:
    """Whether `text` is the name of a standard for general tolerances and nothing else."""
    return forms.GENERAL_TOLERANCE.fullmatch(forms.tidy(text)) is not None


def is_tolerance_statement(text: str) -> bool:
    """Whether `text` states which standard untoleranced sizes follow: TOLERANCES NOT SPECIFIED ISO 2768-mK."""
    return (
        len(text) <= _LONGEST_STATEMENT
        and not text.rstrip().endswith(_UNFINISHED)
        and forms.UNSPECIFIED.search(text) is not None
        and forms.GENERAL_TOLERANCE.search(text) is not None
    )


def named_tolerance(text: str) -> str | None:
    """The standard for general tolerances that a line ends with, whatever it says before: "acc. to NEN ISO 2768-mK"."""
    if len(text) > _LONGEST_STATEMENT or text.rstrip().endswith(_UNFINISHED):
        return None
    found = forms.GENERAL_TOLERANCE.search(text)
    return found[0] if found and found.end() == len(text.rstrip(" .")) else None


def is_material(text: str) -> bool:
    """Whether `text` names a material."""
    return len(text) <= _LONGEST and is_distinctive("material", text)


def is_company(text: str) -> bool:
    """Whether `text` names a company, a school or a society; what begins with a small letter goes on from the line before."""
    return (
        not text[:1].islower()
        and _SHORTEST_COMPANY <= len(text) <= _LONGEST
        and forms.has_letter(text)
        and not is_form_sentence(text)
        and not is_of_group(text)
        and not forms.lists_services(text)
        and not _is_running_text(text)
        and is_distinctive("company", text)
    )


def is_of_group(text: str) -> bool:
    """Whether `text` says of a company named elsewhere whose it is: "A TARNOW COMPANY"."""
    return _OF_GROUP.match(text) is not None


def _is_running_text(text: str) -> bool:
    """Whether most long words of a text begin with small letters: a sentence that names a company, and no name."""
    long_words = [word for word in text.split() if len(word) >= _LONG_WORD and word[0].isalpha()]
    small = sum(word[0].islower() for word in long_words)
    return small >= _SMALL_WORDS and 2 * small >= len(long_words)


def is_ratio(text: str) -> bool:
    """Whether `text` is a scale and nothing else: 1:2, not 1/2."""
    return ":" in text and forms.RATIO.fullmatch(text) is not None


def is_sheet_of_several(text: str) -> bool:
    """Whether `text` is a sheet of several and nothing else: 1 of 2, 1/1."""
    return (
        not set(text) & set(":-")
        and forms.SHEET_OF_SEVERAL.fullmatch(text) is not None
        and not forms.FULL_DATE.fullmatch(text)
        and not is_school_year(text)
    )


def is_school_year(text: str) -> bool:
    """Whether `text` is a year of two figures or four and the next one: of "25/26" only a label says that it is a sheet."""
    parted = _YEARS.fullmatch(text)
    return parted is not None and int(parted[2]) == int(parted[1][-len(parted[2]) :]) + 1


def is_no_scale(text: str) -> bool:
    """Whether `text` says in words that the drawing has no scale: NOT TO SCALE; what else AS NOTED may be, only a label says."""
    return forms.NO_SCALE.fullmatch(text) is not None and _SCALE.search(text) is not None


def is_one_of_several(text: str) -> bool:
    """Whether `text` is a sheet of several that has no higher number than there are sheets."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return is_sheet_of_several(text) and len(numbers) == 2 and 0 < numbers[0] <= numbers[1]


def is_full_date(text: str) -> bool:
    """Whether `text` is a full date and nothing else."""
    return is_distinctive("date", text)


def is_mass(text: str) -> bool:
    """Whether `text` is a mass with its unit."""
    return len(text) <= _LONGEST_MASS and can_be("weight", text) and forms.has_letter(text)


def is_unit(text: str) -> bool:
    """Whether `text` is a unit of length and nothing else."""
    return forms.MILLIMETRE.fullmatch(text) is not None or (text.isascii() and is_distinctive("units", text))


FORMS: Final[tuple[tuple[str, Callable[[str], bool]], ...]] = (
    ("size", lambda text: forms.paper_format(text) is not None),
    ("scale", is_ratio),
    ("date", is_full_date),
    ("sheet", is_sheet_of_several),
    ("tolerances", is_general_tolerance),
    ("company", is_company),
    ("material", is_material),
    ("weight", is_mass),
)
"""Keys whose values have a form of their own, in the order in which they are tried."""
_STRICT: Final = frozenset({"size", "scale", "date", "sheet", "tolerances"})


def form_of(text: str) -> str | None:
    """The key that the form of `text` tells whatever stands around it; None where it tells none."""
    if is_unit(text):
        return "units"
    if is_mass(text) and forms.has_digit(text):
        return "weight"
    return next((key for key, has in FORMS if key in _STRICT and has(text)), None)


_ASSIGNED: Final = re.compile(r"(?=.*\d)[A-Z\d]{1,8}(?:[-._/][A-Z\d]{1,10}){1,5}|[A-Z]{1,5}\d{3,}[A-Z\d]*")


def is_assigned(text: str) -> bool:
    """Whether `text` is one word of capital letters, digits and separators: RCDD-03, A1045; a decimal number may be a size or a mass."""
    return _ASSIGNED.fullmatch(text) is not None and form_of(text) is None and not forms.is_decimal(text)


def is_document_number(text: str) -> bool:
    """Whether `text` is a number as companies assign them: 0764-043, NW 0925 057, HR-0021-3."""
    signs = [sign for sign in text if sign.isalnum()]
    digits = sum(sign.isdigit() for sign in signs)
    return (
        digits >= _FEWEST_DIGITS
        and 2 * digits >= len(signs)
        and len(text.split()) <= _MOST_WORDS
        and can_be("drawing_number", text)
        and not forms.is_decimal(text)
    )
