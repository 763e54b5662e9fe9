"""Parameters of a Part 21 instance as Python values. Source: ISO 10303-21:2016, clauses 6.4 and 10.

A string is str, a number int or float, an omitted or derived parameter None, an aggregate a list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final

DEPTH: Final = 32
"""Aggregates within aggregates that are read; schemas nest three or four deep."""


class Malformed(ValueError):
    """An instance that does not follow the syntax."""


@dataclass(frozen=True, slots=True)
class Reference:
    """`#12`."""

    number: int


class Enumeration(str):
    """`.TRUE.`: what stands between the dots, in lower case."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Typed:
    """`LENGTH_MEASURE(3.)`: a value with its type; also one entity of a complex instance."""

    keyword: str
    """In lower case, as EXPRESS writes it."""
    values: list[Any]


_TOKEN: Final = re.compile(
    rb"\s*(?:([(),$*])|#\s*(\d{1,18})|([-+]?\d[\d.]*(?:[Ee][-+]?\d+)?)|('(?:[^']|'')*')|\.(\w+)\."
    rb"|(!?[A-Za-z_]\w*)|(\"[0-9A-Fa-f]*\"))\s*"
)
_MARK, _REFERENCE, _NUMBER, _STRING, _ENUMERATION, _KEYWORD, _BINARY = range(1, 8)
_LONGEST_NUMBER: Final = 64
"""Digits; no double has as many."""


def values_of(text: bytes, encoding: str) -> list[Any]:
    """The values of a text such as `(#1,'a',(1.,2.))`, or of the entities of a complex instance.

    encoding: Python's name for the encoding of strings beyond ASCII.
    Raises: Malformed where it is not one balanced list.
    """
    root: list[Any] = []
    stack: list[list[Any]] = [root]
    keyword: str | None = None
    position = 0
    for found in _TOKEN.finditer(text):
        if found.start() != position or not stack:
            break
        position = found.end()
        kind = found.lastindex or _MARK
        token = found[kind]
        if kind == _KEYWORD:
            keyword = token.decode("ascii", "replace").lower()
        elif token == b"(":
            stack.append(_opened(stack, keyword))
            keyword = None
        elif token == b")":
            stack.pop()
        elif token != b",":
            stack[-1].append(_value(kind, token, encoding))
    if position != len(text) or len(stack) != 1:
        raise Malformed("parentheses do not match, or a character stands where no value begins")
    return root


def _opened(stack: list[list[Any]], keyword: str | None) -> list[Any]:
    """A new aggregate, or the values of a type, in the innermost one."""
    if len(stack) > DEPTH:
        raise Malformed(f"aggregates are nested more than {DEPTH} deep")
    inner: list[Any] = []
    stack[-1].append(inner if keyword is None else Typed(keyword, inner))
    return inner


def _value(kind: int, token: bytes, encoding: str) -> Any:
    if kind == _REFERENCE:
        return Reference(int(token))
    if kind == _NUMBER:
        return _number(token)
    if kind == _STRING:
        return decoded(token[1:-1], encoding)
    return Enumeration(token.decode("ascii", "replace").lower()) if kind == _ENUMERATION else None


def _number(token: bytes) -> float | int | None:
    """None where it is no finite number."""
    if len(token) > _LONGEST_NUMBER:
        return None
    try:
        value = int(token) if token.lstrip(b"+-").isdigit() else float(token)
    except ValueError:
        return None
    return value if isfinite(value) else None


_ESCAPE: Final = re.compile(
    r"\\X2\\((?:[0-9A-Fa-f]{4})+)\\X0\\|\\X4\\((?:[0-9A-Fa-f]{8})+)\\X0\\|\\X\\([0-9A-Fa-f]{2})|\\S\\(.)|\\P([A-I])\\|(\\\\)|(\\N\\)|''",
    re.DOTALL,
)
_LARGEST: Final = 0x10FFFF


def decoded(text: bytes, encoding: str) -> str:
    r"""A string with its escapes resolved: `''`, `\\`, `\S\`, `\P\`, `\X\`, `\X2\`, `\X4\` and `\N\` (a new line). ISO 10303-21, 6.4.3."""
    plain = text.decode(encoding, "replace").replace("\r", "").replace("\n", "")
    if "\\" not in plain and "'" not in plain:
        return plain
    part = [1]
    """Of ISO 8859; `\\P\\` selects another."""

    def resolve(found: re.Match[str]) -> str:
        wide, wider, byte, shifted, page, backslash, line = found.groups()
        if wide:
            return bytes.fromhex(wide).decode("utf-16-be", "replace")
        if wider:
            codes = (int(wider[at : at + 8], 16) for at in range(0, len(wider), 8))
            return "".join(chr(code) if code <= _LARGEST else "\ufffd" for code in codes)
        if byte:
            return chr(int(byte, 16))
        if shifted:
            return bytes([(ord(shifted) + 128) & 0xFF]).decode(f"iso8859-{part[0]}", "replace")
        if page:
            part[0] = ord(page) - ord("A") + 1
            return ""
        return "\\" if backslash else "\n" if line else "'"

    return _ESCAPE.sub(resolve, plain)
