"""Rules that map a member of a document to columns of a row. The schema and the rows of a table derive from the same rules.

A rule rejects a value that does not fit its columns (text where a number is expected, a number out of range). Members that no rule
accepts are stored as JSON text in the last column of the table, so that nothing of the document is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite
from typing import Any, Final

import pyarrow as pa
from pydantic import BaseModel
from pydantic_core import to_json

Row = dict[str, Any]
"""Value per column; a missing column is NULL."""

TEXT: Final = pa.string()
TEXTS: Final = pa.list_(pa.string())
INTEGER: Final = pa.int64()
NUMBER: Final = pa.float64()
NUMBERS: Final = pa.list_(pa.float64())
FLAG: Final = pa.bool_()
TIMESTAMP: Final = pa.timestamp("us")
"""A UTC time without a time zone: see ledger.to_naive_utc."""

_INTEGER_LIMIT: Final = 2**63

_EXACT_FLOAT_LIMIT: Final = 2**53
"""Every integer up to this magnitude has an exact 64-bit float."""


@dataclass(frozen=True)
class Rule:
    """The columns of one member, and the function that sets them."""

    columns: Mapping[str, pa.DataType]
    put: Callable[[Row, Any], bool]
    """Sets the columns and returns True; returns False and sets nothing if the value does not fit."""


@dataclass(frozen=True)
class Shape:
    """The columns of one kind of item."""

    before: Mapping[str, pa.DataType]
    """The first columns, which identify the document."""
    rules: Mapping[str, Rule]
    """Rule per member of the item."""
    rest: str | None
    """Column for members that no rule accepts, as a JSON object; None if the table has no such column."""
    left_out: frozenset[str] = frozenset()
    """Members that are omitted, because a separate table or another row has them."""
    after: Mapping[str, pa.DataType] = field(default_factory=dict)
    """Columns that the rules do not set; they precede `rest`."""

    @property
    def columns(self) -> dict[str, pa.DataType]:
        """Type per column, in order."""
        from_rules = chain.from_iterable(rule.columns.items() for rule in self.rules.values())
        return {**self.before, **dict(from_rules), **self.after, **({self.rest: TEXT} if self.rest else {})}

    def row(self, before: Row, item: BaseModel) -> Row:
        """The row of one item. before: values of the columns `before`."""
        row, rest, rules = before.copy(), {}, self.rules
        members = item.__dict__ if not item.__pydantic_extra__ else {**item.__dict__, **item.__pydantic_extra__}
        for name, value in members.items():
            if value is None:
                continue
            rule = rules.get(name)
            if (rule is None or not rule.put(row, value)) and name not in self.left_out:
                rest[name] = value
        if rest and self.rest:
            row[self.rest] = json_text(rest)
        return row


def json_text(value: Any) -> str:
    """JSON text in UTF-8; non-ASCII characters are not escaped, and infinity and NaN become null."""
    return to_json(value, inf_nan_mode="null").decode()


def text(column: str) -> Rule:
    """Rule for a string."""
    return _scalar(column, TEXT, lambda value: isinstance(value, str))


def flag(column: str) -> Rule:
    """Rule for a boolean."""
    return _scalar(column, FLAG, lambda value: isinstance(value, bool))


def integer(column: str) -> Rule:
    """Rule for a 64-bit integer."""
    return _scalar(column, INTEGER, is_integer)


def number(column: str) -> Rule:
    """Rule for a finite number."""
    return _scalar(column, NUMBER, is_number)


def texts(column: str) -> Rule:
    """Rule for a list of strings."""
    return _scalar(column, TEXTS, lambda value: _all(value, lambda item: isinstance(item, str)))


def numbers(column: str) -> Rule:
    """Rule for a list of finite numbers."""
    return _scalar(column, NUMBERS, lambda value: _all(value, is_number))


def json(column: str) -> Rule:
    """Rule for any value, stored as JSON text; an empty value is NULL."""

    def put(row: Row, value: Any) -> bool:
        if value or value == 0:
            row[column] = json_text(value)
        return True

    return Rule({column: TEXT}, put)


def vector(*columns: str) -> Rule:
    """Rule for coordinates, one per column: at least two, at most as many as there are columns."""

    def put(row: Row, value: Any) -> bool:
        if not _all(value, is_number) or not 2 <= len(value) <= len(columns):
            return False
        row.update(zip(columns, value, strict=False))
        return True

    return Rule(dict.fromkeys(columns, NUMBER), put)


def nested(members: Mapping[str, Rule]) -> Rule:
    """Rule for a nested model: one rule per member."""

    def put(row: Row, value: Any) -> bool:
        if not isinstance(value, BaseModel):
            return False
        return all(members[name].put(row, member) for name, member in value)

    return Rule(dict(chain.from_iterable(rule.columns.items() for rule in members.values())), put)


def is_number(value: Any) -> bool:
    """Whether a float column can hold the value exactly."""
    if type(value) is float:
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _EXACT_FLOAT_LIMIT


def is_integer(value: Any) -> bool:
    """Whether an integer column can hold the value."""
    return isinstance(value, int) and not isinstance(value, bool) and -_INTEGER_LIMIT <= value < _INTEGER_LIMIT


def _scalar(column: str, kind: pa.DataType, fits: Callable[[Any], bool]) -> Rule:
    def put(row: Row, value: Any) -> bool:
        if not fits(value):
            return False
        row[column] = value
        return True

    return Rule({column: kind}, put)


def _all(values: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(values, list | tuple) and all(map(fits, values))
