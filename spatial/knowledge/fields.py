"""The fields of a title block: one record per key, in the order in which documents list them.

A new key is a record here and its labels in the files of `labels/`; a forgotten part fails at import with a sentence that says what to add.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from spatial.contract.drawing import TITLE_BLOCK_FIELDS
from spatial.knowledge import value_forms as forms
from spatial.knowledge.phrases import is_form_sentence, is_template_text
from spatial.knowledge.value_forms import (
    has_digit,
    has_letter,
    is_decimal,
    is_name,
    is_number,
    is_title,
    is_wording,
)

Check: TypeAlias = Callable[[str], bool]

LONGEST_VALUE: Final = 240
"""Characters of a value; only tolerance boxes hold more."""
_LONGEST_NAME: Final = 120
"""Characters of the name of a customer or a company."""
_LONGEST_SITE: Final = 200
"""Characters of a project, which in construction is the site with its address."""
_SHORTEST_NUMBER: Final = 4
"""Characters of a number that speaks for itself."""


@dataclass(frozen=True, slots=True)
class Field:
    """What is known of one key of a title block."""

    name: str
    can_be: Check
    """Whether a text, without the blanks around it, could be the value: nothing in its form speaks against it."""
    is_distinctive: Check | None = None
    """Whether a text looks like the value and like little else: 1:2 is a scale wherever it stands. None where values have no form."""
    is_documented: bool = True
    """Whether the contract names the key (TITLE_BLOCK_FIELDS), so that stored documents can be asked for it."""
    part_of: str = ""
    """The key whose value it completes; a document never lists it by itself."""
    is_role: bool = False
    """Whether the value is a person, whose date may stand in the same row."""
    is_formed: bool = False
    """Whether one line of several can be the value, since values have a form."""
    is_core: bool = False
    """Whether nearly every title block has it: such a label counts more."""
    needs_no_colon: bool = False
    """Whether the value may follow the label with a space alone ("SHEET 1 OF 2"), if it is distinctive."""
    has_lines: bool = False
    """Whether several attributes of an inserted block may hold the lines of one value (TITLE1, TITLE2)."""
    outside_rules: Literal["distinctive", "after a colon", ""] = ""
    """Which labelled values may stand outside the rules of a ruled block."""
    may_be_listed: bool = False
    """Whether a labelled line in open space may state it: "MATERIAL: ALUMINIUM"."""
    may_hold_paper_format: bool = False
    """Whether an A1 beside the label may be its value; of other keys it is the sheet's size."""
    may_be_sentence: bool = False
    """Whether a form's own sentence may be the value."""
    has_length_limit: bool = True
    """Whether LONGEST_VALUE holds."""
    none: re.Pattern[str] | None = None
    """The statements of none that are values: a drawing that is not to scale has the scale N/A, a bought part the finish N/A."""


_THOUSANDS: Final = re.compile(r"\d{4}")
"""Figures of a year or of a running number, as an order has them (05-1147, 2021-147): no drawing has so many sheets."""


def _whole(form: re.Pattern[str]) -> Check:
    return lambda text: form.fullmatch(text) is not None


def _one_number(text: str) -> bool:
    return has_digit(text) and len(text.split()) == 1 and len(text) >= _SHORTEST_NUMBER and is_number(text)


def _drawing_number(text: str) -> bool:
    """A number of one word, but for the code of the kind of document after it."""
    designation = forms.DOCUMENT_CODE.sub("", text)
    return (
        not is_decimal(text)
        and has_digit(text)
        and len(designation.split()) == 1
        and len(text) >= _SHORTEST_NUMBER
        and is_number(text)
    )


def _size(text: str) -> bool:
    return bool(forms.SIZE.fullmatch(text.translate(forms.LOOKALIKE)) or forms.SIZE_NAME.fullmatch(text))


def _part_number(text: str) -> bool:
    return is_number(text) and has_digit(text) and not forms.FILE_NAME.fullmatch(text)


def _project(text: str) -> bool:
    """Words, or figures as a number has them; neither the sheet's number nor the name of the file that a program filled in."""
    counts = forms.SHEET_OF_SEVERAL.fullmatch(text) and _THOUSANDS.search(text) is None
    other = counts or forms.FILE_NAME.fullmatch(text)
    return is_wording(text) and len(text) <= _LONGEST_SITE and not other


def _long_name(text: str) -> bool:
    return has_letter(text) and len(text) <= _LONGEST_NAME and not forms.MASS.fullmatch(text)


def _name_of_company(text: str) -> bool:
    return _long_name(text) and not forms.lists_services(text)


_REVISION: Final = re.compile(r"[A-Z]{1,2}\d{0,2}|\d{1,3}([.]\d{1,3})?")
_SHEET: Final = re.compile(r"\d{1,3}")
_unit, _cage_code, _sheet_count = _whole(forms.UNIT), _whole(forms.CAGE_CODE), _whole(forms.SHEET_COUNT)

RECORDS: Final = (
    Field("title", is_title, is_core=True, has_lines=True),
    Field(
        "drawing_number",
        is_number,
        _drawing_number,
        is_core=True,
        needs_no_colon=True,
        outside_rules="distinctive",
    ),
    Field("part_number", _part_number, _one_number, needs_no_colon=True),
    Field(
        "revision",
        lambda text: forms.REVISION.fullmatch(text) is not None and forms.FULL_DATE.fullmatch(text) is None,
        _whole(_REVISION),
        is_formed=True,
        is_core=True,
        needs_no_colon=True,
        outside_rules="distinctive",
        may_hold_paper_format=True,
    ),
    Field(
        "material",
        is_wording,
        lambda text: forms.MATERIAL.search(text) is not None,
        is_core=True,
        has_lines=True,
        outside_rules="after a colon",
        may_be_listed=True,
        none=forms.NOT_APPLICABLE,
    ),
    Field(
        "finish",
        # A number alone is a roughness, which the sheet states as a callout.
        lambda text: (
            is_wording(text) and has_letter(text) and not (forms.INDICATION.fullmatch(text) or forms.AREA.fullmatch(text))
        ),
        has_lines=True,
        outside_rules="after a colon",
        may_be_listed=True,
        none=forms.NO_FINISH,
    ),
    Field(
        "scale",
        _whole(forms.SCALE),
        lambda text: bool(forms.RATIO.fullmatch(text) or (forms.SCALE.fullmatch(text) and has_letter(text))),
        is_formed=True,
        is_core=True,
        needs_no_colon=True,
        outside_rules="distinctive",
        may_be_listed=True,
        none=forms.NO_SCALE,
    ),
    Field(
        "sheet",
        lambda text: any(each.fullmatch(text) for each in (forms.SHEET_OF_SEVERAL, forms.SHEET_NUMBER, forms.SHEET_RATIO)),
        lambda text: bool(forms.SHEET_OF_SEVERAL.fullmatch(text) or _SHEET.fullmatch(text)),
        is_formed=True,
        is_core=True,
        needs_no_colon=True,
        outside_rules="distinctive",
    ),
    Field(
        "size",
        _size,
        _size,
        is_formed=True,
        is_core=True,
        needs_no_colon=True,
        outside_rules="distinctive",
        may_hold_paper_format=True,
    ),
    Field("drawn_by", is_name, is_name, is_role=True, is_core=True),
    Field("checked_by", is_name, is_name, is_role=True, is_core=True),
    Field("approved_by", is_name, is_name, is_role=True, is_core=True),
    Field(
        "date",
        _whole(forms.DATE),
        lambda text: forms.full_date(text) is not None and bool(forms.DATE.fullmatch(text)),
        is_formed=True,
        is_core=True,
        needs_no_colon=True,
        outside_rules="distinctive",
    ),
    Field(
        "weight",
        lambda text: forms.MASS.fullmatch(text) is not None or forms.NOT_APPLICABLE.fullmatch(text) is not None,
        lambda text: bool(forms.MASS.fullmatch(text) and has_digit(text)),
        is_formed=True,
        needs_no_colon=True,
        outside_rules="after a colon",
        may_be_listed=True,
        none=forms.NOT_APPLICABLE,
    ),
    Field(
        "tolerances",
        # Figures alone are the number of something: a deviation has a sign, a decimal or a unit.
        lambda text: (has_digit(text) and not text.isdecimal()) or bool(forms.STANDARD.fullmatch(text)),
        lambda text: forms.TOLERANCE.search(text) is not None,
        has_lines=True,
        may_be_sentence=True,
        has_length_limit=False,
    ),
    Field("units", _unit, _unit, is_formed=True, needs_no_colon=True, may_be_sentence=True),
    Field("project", _project, has_lines=True),
    Field("customer", _long_name, has_lines=True),
    Field("company", _name_of_company, forms.names_company, has_lines=True),
    Field("cage_code", _whole(forms.NCAGE), _cage_code, is_formed=True, needs_no_colon=True),
    Field(
        "sheet_count",
        _sheet_count,
        _sheet_count,
        is_documented=False,
        part_of="sheet",
        is_formed=True,
        needs_no_colon=True,
    ),
)  # fmt: skip


class FieldError(Exception):
    """A record of a title-block key is incomplete; the message says what to add."""


def registered(records: tuple[Field, ...], documented: tuple[str, ...]) -> MappingProxyType[str, Field]:
    """`records` by name.

    Raises:
        FieldError: a key is registered twice, or the records and the contract name different keys, or in different order.
    """
    names = [record.name for record in records]
    for name in names:
        if names.count(name) > 1:
            raise FieldError(f"spatial/knowledge/fields.py registers {name!r} twice; remove one record")
    for name in documented:
        if name not in names:
            raise FieldError(
                f"TITLE_BLOCK_FIELDS names {name!r}; add its record to RECORDS in spatial/knowledge/fields.py"
            )
    for record in records:
        if record.is_documented and record.name not in documented:
            raise FieldError(
                f"{record.name!r} is not documented; add it to TITLE_BLOCK_FIELDS in spatial/contract/drawing.py, "
                "or set is_documented=False on its record"
            )
        if record.part_of and record.part_of not in names:
            raise FieldError(f"{record.name!r} is part of {record.part_of!r}, which has no record; correct part_of")
    if tuple(name for name in names if name in documented) != documented:
        raise FieldError(
            "RECORDS and TITLE_BLOCK_FIELDS name the same keys in a different order; write both in the same"
        )
    return MappingProxyType({record.name: record for record in records})


FIELDS: Final = registered(RECORDS, TITLE_BLOCK_FIELDS)
"""Key to its record."""

_SIGN_FOR_LETTER: Final = re.compile(r"(?<!\S)[□◯○△▽](?=[^\W\d_]{2})(?![^\W\d_]*\s?\d)")
"""A sign of drawings that begins a word: a letter, often of a logo, that was not read."""

_CUT_OFF: Final = re.compile(r"-(?=[^\W\d_]{2})(?!.{0,200}-$)")
"""A hyphen right before a word begins nothing: what stood before it was not read. Words between two hyphens are set off by them."""

ROLES: Final = frozenset(name for name, field in FIELDS.items() if field.is_role)


def is_empty_statement(key: str, text: str) -> bool:
    """Whether `text` is what a template holds in an empty field of `key`; a scale that is none is a scale."""
    return is_template_text(text) and not states_none(key, text)


def states_none(key: str, text: str) -> bool:
    """Whether `text` says of `key` that there is none, where that is a value."""
    none = FIELDS[key].none
    return none is not None and none.fullmatch(text.strip()) is not None


def is_cut_off(text: str) -> bool:
    """Whether what `text` begins with was not read: the rest of `cc-by-nc-sa`."""
    return _CUT_OFF.match(text.strip()) is not None


def can_be(key: str, text: str) -> bool:
    """Whether `text` could be the value of `key`."""
    field, text = FIELDS[key], forms.tidy(text)
    if key == "revision" and text in forms.DASHES:
        return True
    if (
        not text
        or forms.UNREAD in text
        or _SIGN_FOR_LETTER.search(text)
        or is_cut_off(text)
        or is_empty_statement(key, text)
        or (len(text) > LONGEST_VALUE and field.has_length_limit)
    ):
        return False
    if not field.may_be_sentence and is_form_sentence(text):
        return False
    return field.can_be(text)


def is_distinctive(key: str, text: str) -> bool:
    """Whether `text` looks like a value of `key` and like little else; False of keys whose values have no form."""
    check = FIELDS[key].is_distinctive if key in FIELDS else None
    return check is not None and can_be(key, text) and check(forms.tidy(text))
