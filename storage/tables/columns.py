"""How a member of a document becomes columns of a row: the schema of a table and its rows derive from the same rules.

A rule takes a member's value. What does not fit its columns (a word where a number is expected, a number that no column holds) it
refuses; what no rule takes is kept as JSON text in the table's last column, so that nothing of the document is lost.
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
"""Column to value; a column that is not there is NULL."""

TEXT: Final = pa.string()
TEXTS: Final = pa.list_(pa.string())
WHOLE: Final = pa.int64()
NUMBER: Final = pa.float64()
NUMBERS: Final = pa.list_(pa.float64())
FLAG: Final = pa.bool_()
MOMENT: Final = pa.timestamp("us")
"""UTC without saying so: see ledger.naive_utc."""

_WHOLE_LIMIT: Final = 2**63

_EXACT: Final = 2**53
"""Up to here every whole number is a float of 64 bits."""


@dataclass(frozen=True)
class Rule:
    """Where a member goes."""

    columns: Mapping[str, pa.DataType]
    put: Callable[[Row, Any], bool]
    """Sets the columns; False, and nothing is set, when the value does not fit."""


@dataclass(frozen=True)
class Shape:
    """Columns of one kind of item."""

    before: Mapping[str, pa.DataType]
    """Columns that identify the document; they come first."""
    rules: Mapping[str, Rule]
    """Rule per member of the item."""
    rest: str | None
    """Column of the members that no rule takes, as a JSON object; None where a thing has no such members."""
    left_out: frozenset[str] = frozenset()
    """Members that have a table of their own, or say again what other rows say."""
    after: Mapping[str, pa.DataType] = field(default_factory=dict)
    """Columns that no member fills; they come last but for the rest."""

    @property
    def columns(self) -> dict[str, pa.DataType]:
        """Every column with its type, in order."""
        ruled = chain.from_iterable(rule.columns.items() for rule in self.rules.values())
        return {**self.before, **dict(ruled), **self.after, **({self.rest: TEXT} if self.rest else {})}

    def row(self, before: Row, thing: BaseModel) -> Row:
        """The row of one item."""
        row, rest, rules = before.copy(), {}, self.rules
        members = thing.__dict__ if not thing.__pydantic_extra__ else {**thing.__dict__, **thing.__pydantic_extra__}
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
    """JSON, with letters of every language as they are."""
    return to_json(value, inf_nan_mode="null").decode()


def text(column: str) -> Rule:
    """A string."""
    return _scalar(column, TEXT, lambda value: isinstance(value, str))


def flag(column: str) -> Rule:
    """True or false."""
    return _scalar(column, FLAG, lambda value: isinstance(value, bool))


def whole(column: str) -> Rule:
    """A whole number of 64 bits."""
    return _scalar(column, WHOLE, is_whole)


def number(column: str) -> Rule:
    """A finite number."""
    return _scalar(column, NUMBER, is_number)


def texts(column: str) -> Rule:
    """A list of strings."""
    return _scalar(column, TEXTS, lambda value: _all(value, lambda item: isinstance(item, str)))


def numbers(column: str) -> Rule:
    """A list of finite numbers."""
    return _scalar(column, NUMBERS, lambda value: _all(value, is_number))


def json(column: str) -> Rule:
    """Anything, as JSON text; what is empty is NULL."""

    def put(row: Row, value: Any) -> bool:
        if value or value == 0:
            row[column] = json_text(value)
        return True

    return Rule({column: TEXT}, put)


def vector(*columns: str) -> Rule:
    """Coordinates: two at least, and no more than there are columns."""

    def put(row: Row, value: Any) -> bool:
        if not _all(value, is_number) or not 2 <= len(value) <= len(columns):
            return False
        row.update(zip(columns, value, strict=False))
        return True

    return Rule(dict.fromkeys(columns, NUMBER), put)


def inner(members: Mapping[str, Rule]) -> Rule:
    """A model within: every member of it by a rule."""

    def put(row: Row, value: Any) -> bool:
        if not isinstance(value, BaseModel):
            return False
        return all(members[name].put(row, inside) for name, inside in value)

    return Rule(dict(chain.from_iterable(rule.columns.items() for rule in members.values())), put)


def is_number(value: Any) -> bool:
    """Whether a column of numbers holds it."""
    if type(value) is float:
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _EXACT


def is_whole(value: Any) -> bool:
    """Whether a column of whole numbers holds it."""
    return isinstance(value, int) and not isinstance(value, bool) and -_WHOLE_LIMIT <= value < _WHOLE_LIMIT


def _scalar(column: str, kind: pa.DataType, fits: Callable[[Any], bool]) -> Rule:
    def put(row: Row, value: Any) -> bool:
        if not fits(value):
            return False
        row[column] = value
        return True

    return Rule({column: kind}, put)


def _all(values: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(values, list | tuple) and all(map(fits, values))
