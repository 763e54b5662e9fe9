"""Designations of parts, which look like sizes: the resistors R1 to R9 of an electrical sheet, the ports PT1 to PT4 of a harness.

A designation is a letter code with a number that counts up, and no dimension points with it (IEC 81346-2, IEEE 315, GOST 2.710).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from spatial.contract.drawing import Callout

FEWEST: Final = 4
"""Numbers from 1 on, without a gap, that make a code with them designations."""
FURTHER_CODES, MEMBERS = 2, 2
"""Other codes with so many numbers each that make a sheet one of circuits."""
CODES_OF_SIZES: Final = frozenset("RCMGSW") | {"SR", "CR"}
"""Letters that sizes have as well: radii, chamfers and threads may be 1, 2, 3 and 4."""

_DESIGNATION: Final = re.compile(r"\b([A-Z]{1,3})(\d{1,3})(?![\w.,/\"'])")


def without_designators(callouts: Sequence[Callout], texts: Iterable[str]) -> list[Callout]:
    """The callouts of a sheet without those that are designations.

    texts: all texts of the sheet.
    """
    candidates = {each.id: found for each in callouts if (found := _DESIGNATION.match(each.text)) and _is_free(each)}
    if not candidates:
        return list(callouts)
    numbers = _numbers(each.text for each in callouts if each.id in candidates)
    is_circuit = _is_circuit(texts)
    return [
        each
        for each in callouts
        if each.id not in candidates or not _counts(numbers, candidates[each.id][1], is_circuit=is_circuit)
    ]


def _is_free(callout: Callout) -> bool:
    return getattr(callout, "role", None) == "free"


def _numbers(texts: Iterable[str]) -> dict[str, set[int]]:
    numbers: dict[str, set[int]] = defaultdict(set)
    for text in texts:
        for code, number in _DESIGNATION.findall(text):
            numbers[code].add(int(number))
    return numbers


def _is_circuit(texts: Iterable[str]) -> bool:
    whole = (text for text in texts if _DESIGNATION.fullmatch(text))
    further = {code: found for code, found in _numbers(whole).items() if code not in CODES_OF_SIZES}
    return sum(len(found) >= MEMBERS for found in further.values()) >= FURTHER_CODES


def _counts(numbers: dict[str, set[int]], code: str, *, is_circuit: bool) -> bool:
    counted = set(range(1, FEWEST + 1)) <= numbers[code]
    return is_circuit if code in CODES_OF_SIZES - {"M"} else counted and code not in CODES_OF_SIZES
