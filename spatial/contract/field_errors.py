"""What is wrong with one field, as a caller reads it after the field's path: `items.3.file_name: is missing; add it`.

Pydantic's own sentences speak of classes and parsing, and do not say what to do. Types of errors: https://docs.pydantic.dev, Errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

MESSAGES: Final = {
    "missing": "is missing; add it",
    "extra_forbidden": "is not known here; leave it out or correct its spelling",
    "model_type": "give a JSON object",
    "model_attributes_type": "give a JSON object",
    "dict_type": "give a JSON object",
    "list_type": "give an array",
    "tuple_type": "give an array",
    "string_type": "give a string",
    "string_too_short": "is too short; give {min_length} or more characters",
    "string_too_long": "is too long; give {max_length} or fewer characters",
    "string_pattern_mismatch": "does not follow its pattern; give a text that matches {pattern}",
    "too_short": "is too short; give at least {min_length}",
    "too_long": "is too long; give at most {max_length}",
    "int_type": "give a whole number",
    "int_parsing": "give a whole number",
    "int_parsing_size": "is too large; give a smaller number",
    "int_from_float": "give a whole number",
    "float_type": "give a number",
    "float_parsing": "give a number",
    "finite_number": "give a finite number",
    "bool_type": "give true or false",
    "bool_parsing": "give true or false",
    "greater_than": "give a number above {gt}",
    "greater_than_equal": "give a number of at least {ge}",
    "less_than": "give a number below {lt}",
    "less_than_equal": "give a number of at most {le}",
    "literal_error": "is not one of the known values; give {expected}",
    "enum": "is not one of the known values; give {expected}",
    "date_type": "give a date as YYYY-MM-DD",
    "date_parsing": "give a date as YYYY-MM-DD",
    "date_from_datetime_parsing": "give a date as YYYY-MM-DD",
    "datetime_type": "give a time as ISO 8601 writes it",
    "datetime_parsing": "give a time as ISO 8601 writes it",
    "none_required": "leave it out",
    "json_invalid": "is not JSON; correct it",
}
"""Pydantic's types of errors, each with the sentence that takes the place of its own."""


def sentence(error: Mapping[str, Any]) -> str:
    """What is wrong with a field, from one of pydantic's error details with its context; no capital, no full stop.

    Errors of our own models, and types that are not in MESSAGES, keep the sentence that they have.
    """
    if error["type"] in MESSAGES:
        return MESSAGES[error["type"]].format_map(error.get("ctx", {}))
    return begin_lower(str(error["msg"]).removeprefix("Value error, ").replace(" after validation", ""))


def begin_lower(text: str) -> str:
    """Begin a sentence of pydantic in lower case, unless with an acronym: it follows the name of a field and a colon."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]
