"""Limits of size in brackets behind the nominal size: `Ø20 (19.98-20.02)`, `Ø20 H7 (20,021/20,000)`. ISO 129-1 §9, DIN 406-12."""

from __future__ import annotations

import re
from typing import Final

from spatial.understanding.sheet.callouts.feature import DIGITS, Place, Size
from spatial.understanding.sheet.callouts.scanner import Number, Scanner

CLOSE: Final = 1.2
"""Greatest ratio of a limit to its nominal size, either way; beyond it the brackets hold another size, or two years."""

_OPEN: Final = re.compile(r"\(")
_CLOSE: Final = re.compile(r"\)")
_SIGN: Final = re.compile(r"Ø|R")
_JOINT: Final = re.compile(r"-|/|\.{2,3}|÷|~|(?i:to|bis|à|a)(?=\s)")


def read_bracketed_limits(place: Place, size: Size) -> None:
    """Read limits in brackets into the deviations of the size that they belong to."""
    with place.scan.trial() as trial:
        limits = _limits(place.scan)
        if limits is None:
            return
        low, high = sorted(limits, key=lambda number: number.value)
        nominal = size.number.value
        if not nominal / CLOSE <= low.value < high.value <= nominal * CLOSE or low.unit not in (None, size.number.unit):
            return
        trial.kept = True
        size.upper, size.lower = round(high.value - nominal, DIGITS) + 0.0, round(low.value - nominal, DIGITS) + 0.0
        size.decimals = max(low.decimals, high.decimals)


def _limits(scan: Scanner) -> tuple[Number, Number] | None:
    """Both numbers between brackets, one of which at least has decimals; both as many where they stand one over the other."""
    if not scan.take(_OPEN):
        return None
    scan.take(_SIGN)
    one = scan.number()
    joint = scan.take(_JOINT)
    scan.take(_SIGN)
    two = scan.number()
    if one is None or two is None or not scan.take(_CLOSE) or not (one.decimals or two.decimals):
        return None
    is_stacked = joint is None and one.decimals == two.decimals
    return (one, two) if joint or is_stacked else None
