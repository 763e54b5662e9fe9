"""What a JSON value may not hold, whatever the route: a text with U+0000, which no store takes, and a number that is not finite."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from spatial.errors import InputRejected, InvalidRequest

PATH_CHARACTERS: Final = 200
"""Maximum number of characters of one step of a path in an error; a caller chooses the names of unknown members."""

NULL: Final = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""U+0000 in JSON, where it can only be escaped (RFC 8259 §7)."""

NULL_MESSAGE: Final = "the text has the character U+0000, which cannot be stored; send it without"

FINITE_MESSAGE: Final = "the number is not finite; send a finite one, or leave the member out"


def has_null(body: bytes) -> bool:
    """Whether a text of a JSON body has U+0000."""
    return rb"\u0000" in body and NULL.search(body) is not None


def may_be_not_finite(dumped: bytes) -> bool:
    """Whether JSON with constants for numbers that are not finite may hold one: a text may have the same letters."""
    return b"NaN" in dumped or b"Infinity" in dumped


def require_no_null(value: Any, path: str = "") -> None:
    """Raises: InvalidRequest with the path of the first text with U+0000, in a value or in the name of a member."""
    if (found := _first(value, path, _is_null)) is not None:
        place = found.replace("\0", "\ufffd") or "body"
        errors = [{"path": place, "message": NULL_MESSAGE}]
        raise InvalidRequest(f"{place}: {NULL_MESSAGE}", details={"field": place, "errors": errors})


def require_finite(value: Any, path: str = "") -> None:
    """Raises: InputRejected with the path of the first number that is not finite."""
    if (found := _first(value, path, is_not_finite)) is not None:
        raise not_finite(found)


def not_finite(path: str) -> InputRejected:
    """The error for a number that is not finite."""
    errors = [{"path": path, "message": FINITE_MESSAGE}]
    return InputRejected(f"{path}: {FINITE_MESSAGE}", details={"field": path, "errors": errors})


def is_not_finite(value: Any) -> bool:
    """Whether a value is a number that is not finite."""
    return isinstance(value, float) and not math.isfinite(value)


def inner(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The members of a JSON value, with their paths."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        step = str(name)[:PATH_CHARACTERS]
        yield f"{path}.{step}" if path else step, member


def _is_null(value: Any) -> bool:
    texts = [value] if isinstance(value, str) else value if isinstance(value, dict) else ()
    return any("\0" in text for text in texts)


def _first(value: Any, path: str, is_wrong: Callable[[Any], bool]) -> str | None:
    """Path of the first value that is wrong, in the order of the body."""
    waiting = [(path, value)]
    while waiting:
        path, one = waiting.pop()
        if is_wrong(one):
            return path
        waiting.extend(reversed(list(inner(path, one))))
    return None
