"""Searches of a whole Part 21 text by its bytes at once, where a pattern would go through megabytes character by character."""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from spatial.geometry.quadrature import Index

_INSTANCE: Final = re.compile(rb"#\s*(\d+)\s*=")
_EXPONENT: Final = re.compile(rb"E\+?0*[3-9]\d\d", re.IGNORECASE)

_SPACES: Final = 8
"""White space on either side of a number that is stepped over byte by byte; a text with more goes through the pattern."""
_DIGITS: Final = 18
"""Digits of a number that 64 bits hold."""

_IS_SPACE: Final = np.isin(np.arange(256), list(b" \t\n\r\f\v"))
_IS_DIGIT: Final = np.isin(np.arange(256), list(b"0123456789"))
_BEGINS_EXPONENT: Final = np.isin(np.arange(256), list(b"+0123456789"))


def numbered(text: bytes) -> dict[int, int]:
    """The offset after the `=` of each instance, by its number; of several with one number, the last."""
    codes = np.frombuffer(text, np.uint8)
    equal = np.flatnonzero(codes == ord("="))
    place, is_exact = _back(codes, equal - 1, _IS_SPACE, _SPACES)
    number = np.zeros(len(equal), dtype=np.int64)
    last = place
    for power in range(_DIGITS):
        is_digit = _IS_DIGIT[codes[place]] & (place >= 0)
        if not is_digit.any():
            break
        number += np.where(is_digit, (codes[place].astype(np.int64) - ord("0")) * 10**power, 0)
        place = place - is_digit
    first, is_whole = _back(codes, place, _IS_SPACE, _SPACES)
    if not is_exact or not is_whole or bool((_IS_DIGIT[codes[place]] & (place >= 0)).any()):
        return {int(match.group(1)): match.end() for match in _INSTANCE.finditer(text)}
    is_instance = (place < last) & (first >= 0) & (codes[first] == ord("#"))
    return dict(zip(number[is_instance].tolist(), (equal[is_instance] + 1).tolist(), strict=True))


def _back(codes: NDArray[np.uint8], place: Index, what: NDArray[np.bool_], most: int) -> tuple[Index, bool]:
    """Places before those that hold bytes of a kind, and whether all of them end within so many steps."""
    for _ in range(most):
        is_such = what[codes[place]] & (place >= 0)
        if not is_such.any():
            return place, True
        place = place - is_such
    return place, not bool((what[codes[place]] & (place >= 0)).any())


def has_large_exponent(text: bytes) -> bool:
    """Whether an exponent of 300 or more may be written anywhere; in a name it is one, too."""
    codes = np.frombuffer(text, np.uint8)
    letters = np.flatnonzero((codes[:-1] | 0x20) == ord("e"))
    begins = letters[_BEGINS_EXPONENT[codes[letters + 1]]]
    return any(_EXPONENT.match(text, begin) for begin in begins.tolist())
