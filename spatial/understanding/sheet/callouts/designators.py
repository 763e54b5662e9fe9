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
CODES_OF_PARTS: Final = 3
"""Other codes, whatever their numbers, that make a sheet with so many resistors and capacitors one of circuits."""
CODES_OF_SIZES: Final = frozenset("RCMGSW") | {"SR", "CR"}
"""Letters that sizes have as well: radii, chamfers and threads may be 1, 2, 3 and 4."""

RESISTOR, CAPACITOR = "R", "C"
"""Contacts are counted with a C, too (ISO/IEC 7816-2): a part has radii, but no chamfers of more than LONGEST_SERIES whole sizes."""
SMALLEST_THREADS: Final = frozenset((0, 1))
"""M0 is no thread, and M1 is called out with its pitch: where one of them stands alone, an M with a number counts something."""
PIPE_CODE: Final = "G"
"""The thread that has G1 to G4 has no other whole sizes up to there (ISO 228-1), and no part has all four: gauges are counted so."""

_BOARD_FILE: Final = re.compile(r"\.(?:kicad_pcb|kicad_sch|pcbdoc|schdoc|brd|sch)\b", re.IGNORECASE)
"""Names of files of KiCad, Altium and EAGLE, which print them into their title blocks."""
_DESIGNATION: Final = re.compile(r"\b(\d{1,3}[A-Z]|[A-Z]{1,3}\s?)(\d{1,5})(?![\w.,/\"'])")
"""Code and number; the code of a pin may begin with its row: `20G3`."""
_IN_CIRCUIT: Final = re.compile(
    r"(?:□\s?){0,4}(?!M\s?\d)(?:[A-Z]{1,3}\s?\d{1,5}(?![.,/]?\d)|\d{1,3}[RkKM](?:\d{1,3})?(?![\w.,])|\d{1,2}\s[RC]\d{1,4}(?![\w.,]))"
)
"""A designation behind the outlines of its parts, or behind the end of another one, `2 R14`, with a pin or another part glued to it; or a
value."""
_RESISTANCE: Final = re.compile(r"\d{2,3}R|\d{1,3}[RkKM]\d{1,3}")
"""IEC 60062; a resistance below ten ohms may be a radius: `5R`."""
_COUNTED_MOTOR: Final = re.compile(r"M\s?\d{1,2}(?:-\d{1,2})?")
"""Motors, mounts and machines are counted with the letter of metric threads."""


def without_designators(
    callouts: Sequence[Callout], texts: Iterable[str], of_document: Iterable[str] = ()
) -> list[Callout]:
    """The callouts of a sheet without those that are designations, or values of a circuit.

    texts: all texts of the sheet; of_document: those of all sheets, which a circuit may go on over.
    """
    pool = list(texts)
    gauged = _are_gauges(pool)
    candidates = {each.id for each in callouts if _IN_CIRCUIT.match(each.text) or _DESIGNATION.match(each.text)}
    if not candidates:
        return list(callouts)
    whole = _whole_numbers(pool)
    loose = [each for each in callouts if _is_loose(each) or (gauged and _code(each.text) == PIPE_CODE)]
    counted = _counted([each.text for each in loose if each.id in candidates]) | ({PIPE_CODE} if gauged else set())
    is_circuit = gauged or _is_circuit(whole) or RESISTOR in counted or any(map(_BOARD_FILE.search, pool))
    names = {each.id for each in loose if each.id in candidates and _is_name(each.text, counted, is_circuit)}
    if whole["M"].keys() & SMALLEST_THREADS:
        names |= {each.id for each in loose if _COUNTED_MOTOR.fullmatch(each.text.strip())}
    if len(whole.get(CAPACITOR, ())) > LONGEST_SERIES:
        names |= {each.id for each in callouts if each.id in candidates and _is_of(CAPACITOR, each.text)}
    if _has_resistors(whole) or _has_resistors(_whole_numbers(of_document)):
        names |= {each.id for each in callouts if each.id in candidates and _is_part(each.text, whole)}
    return [each for each in callouts if each.id not in names]


def _is_loose(callout: Callout) -> bool:
    return getattr(callout, "role", None) == "free"


def _whole_numbers(texts: Iterable[str]) -> dict[str, Counter[int]]:
    """The numbers of each code, of texts that are nothing but a designation."""
    return _numbers(text for text in texts if _DESIGNATION.fullmatch(text.strip()))


def _has_resistors(whole: Mapping[str, Mapping[int, int]]) -> bool:
    """Whether sheets are a circuit with resistors: more than a part has radii, each once, beside several codes that count from 1, or
    beside more capacitors in a row than a part has chamfers."""
    once = [number for number, times in whole.get(RESISTOR, {}).items() if times == 1]
    codes = [code for code, found in whole.items() if code not in CODES_OF_SIZES and {1, 2} <= found.keys()]
    has_others = len(codes) >= FURTHER_CODES or _counts(CAPACITOR, whole.get(CAPACITOR, {}))
    return len(once) > LONGEST_SERIES and has_others


def _is_part(text: str, whole: Mapping[str, Mapping[int, int]]) -> bool:
    """Whether a text at a wire, which looks like a dimension line, is the value of a resistor, or the name of one or of a capacitor that
    no other text has."""
    found = _DESIGNATION.fullmatch(text.strip())
    if found is None:
        return _RESISTANCE.fullmatch(text.strip()) is not None
    code = found[1].rstrip()
    return code in (RESISTOR, CAPACITOR) and whole.get(code, {}).get(int(found[2])) == 1


def _is_of(code: str, text: str) -> bool:
    """Whether a text is nothing but a code with its number."""
    return _DESIGNATION.fullmatch(text.strip()) is not None and _code(text) == code


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


def _is_circuit(whole: Mapping[str, Mapping[int, int]]) -> bool:
    """Whether several codes have several numbers, or resistors and capacitors stand beside single parts of other kinds."""
    others = [found for code, found in whole.items() if code not in CODES_OF_SIZES]
    has_both = all(len(whole.get(code, {})) >= FEWEST for code in (RESISTOR, CAPACITOR))
    return sum(len(found) >= MEMBERS for found in others) >= FURTHER_CODES or (
        has_both and len(others) >= CODES_OF_PARTS
    )
