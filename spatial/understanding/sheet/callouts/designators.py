"""Designations of parts, which look like sizes: the resistors R1 to R9 of an electrical sheet, the ports PT1 to PT4 of a harness.

A designation is a letter code with a number that counts up, and no dimension points with it (IEC 81346-2, IEEE 315, GOST 2.710). The values
of the parts of a circuit are written with a letter for the decimal sign (IEC 60062): `4k7`, `49R9`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from spatial.contract.drawing import Callout

FEWEST: Final = 4
"""Numbers from 1 on, without a gap, that make a code with them designations."""
LONGEST_SERIES: Final = 5
"""Whole sizes in a row that a sheet may have without a dimension line or leader at any of them, each once; more are a count."""
FURTHER_CODES, MEMBERS = 2, 2
"""Other codes with so many numbers each that make a sheet one of circuits."""
CODES_OF_SIZES: Final = frozenset("RCMGSW") | {"SR", "CR"}
"""Letters that sizes have as well: radii, chamfers and threads may be 1, 2, 3 and 4."""

PIPE_CODE: Final = "G"
"""The thread that has G1 to G4 has no other whole sizes up to there (ISO 228-1), and no part has all four: gauges are counted so."""

_DESIGNATION: Final = re.compile(r"\b(\d{1,3}[A-Z]|[A-Z]{1,3}\s?)(\d{1,5})(?![\w.,/\"'])")
"""Code and number; the code of a pin may begin with its row: `20G3`."""
_IN_CIRCUIT: Final = re.compile(
    r"(?:□\s?){0,4}(?!M\s?\d)(?:[A-Z]{1,3}\s?\d{1,5}(?![.,/]?\d)|\d{1,3}[RkKM](?:\d{1,3})?(?![\w.,]))"
)
"""A designation behind the outlines of its parts, with a pin or another part glued to it; or a value."""


def without_designators(callouts: Sequence[Callout], texts: Iterable[str]) -> list[Callout]:
    """The callouts of a sheet without those that are designations, or values of a circuit.

    texts: all texts of the sheet.
    """
    pool = list(texts)
    gauged = _are_gauges(pool)
    loose = [
        each for each in callouts if getattr(each, "role", None) == "free" or (gauged and _code(each.text) == PIPE_CODE)
    ]
    candidates = {each.id for each in loose if _IN_CIRCUIT.match(each.text) or _DESIGNATION.match(each.text)}
    if not candidates:
        return list(callouts)
    counted = _counted([each.text for each in loose if each.id in candidates]) | ({PIPE_CODE} if gauged else set())
    is_circuit = gauged or _is_circuit(pool)
    return [each for each in callouts if each.id not in candidates or not _is_name(each.text, counted, is_circuit)]


def _are_gauges(texts: Sequence[str]) -> bool:
    """Whether the code of pipe threads stands with all its whole numbers, each alone in a text: what leaders point at are no threads."""
    whole = (text for text in texts if _code(text) == PIPE_CODE and _DESIGNATION.fullmatch(text.strip()))
    return set(range(1, FEWEST + 1)) <= _numbers(whole).get(PIPE_CODE, Counter()).keys()


def _code(text: str) -> str:
    found = _DESIGNATION.match(text.strip())
    return found[1].rstrip() if found else ""


def _is_name(text: str, counted: frozenset[str], is_circuit: bool) -> bool:
    if is_circuit and _IN_CIRCUIT.match(text):
        return True
    found = _DESIGNATION.match(text)
    return found is not None and _code(text) in counted


def _counted(texts: Sequence[str]) -> frozenset[str]:
    """The codes whose numbers count up."""
    return frozenset(code for code, times in _numbers(texts).items() if _counts(code, times))


def _counts(code: str, times: Mapping[int, int]) -> bool:
    if code not in CODES_OF_SIZES or code == "M":
        return set(range(1, FEWEST + 1)) <= times.keys()
    series = (range(first, first + LONGEST_SERIES + 1) for first in times)
    return any(all(times.get(number) == 1 for number in each) for each in series)


def _numbers(texts: Iterable[str]) -> dict[str, Counter[int]]:
    """Code to how often each number stands behind it."""
    numbers: dict[str, Counter[int]] = defaultdict(Counter)
    for text in texts:
        for code, number in _DESIGNATION.findall(text):
            numbers[code.rstrip()][int(number)] += 1
    return numbers


def _is_circuit(texts: Iterable[str]) -> bool:
    whole = (text for text in texts if _DESIGNATION.fullmatch(text))
    further = {code: found for code, found in _numbers(whole).items() if code not in CODES_OF_SIZES}
    return sum(len(found) >= MEMBERS for found in further.values()) >= FURTHER_CODES
