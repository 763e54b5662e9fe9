"""A sentence and its facts; numbers, units, lists and names as sentences have them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from spatial.counting import count_of
from spatial.knowledge.unit_symbols import UNIT_SYMBOLS
from spatial.reasoning.scene.items.item import Source

DIGITS: Final = 5
"""Digits that count of a measure of exact geometry: a file's own lengths have no more that matter."""

SAMPLED_DIGITS: Final = 3
"""Of a measure of sampled points."""

NAMED: Final = 6
"""Most things that a sentence names; of more, it names so many and counts the rest."""

NAME_CHARACTERS: Final = 60
"""Longest name in a sentence."""


@dataclass(frozen=True)
class Fact:
    """One fact behind a sentence. where: its place in `data.cad_scene`, or what it was measured on."""

    name: str
    value: Any
    source: Source
    where: str

    def listed(self) -> dict[str, Any]:
        """As the proof lists it."""
        return {"name": self.name, "value": self.value, "from": self.source, "where": self.where}


@dataclass(frozen=True)
class Sentence:
    """text: one sentence with its full stop."""

    text: str
    facts: tuple[Fact, ...]

    def listed(self) -> dict[str, Any]:
        """As the proof lists it."""
        return {"text": self.text, "facts": [fact.listed() for fact in self.facts]}


def sentence(text: str, *facts: Fact) -> Sentence:
    """A sentence with a capital and a full stop."""
    text = " ".join(text.split())
    return Sentence(f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}", facts)


def figure(value: float, digits: int = DIGITS) -> str:
    """A number with so many digits that count, thousands apart, without trailing zeros."""
    if value == 0:
        return "0"
    if not 1e-3 <= abs(value) < 1e12:
        return f"{value:.{digits}g}"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def measure(value: float, units: str, power: int = 1, digits: int = DIGITS) -> str:
    """A number with its unit: `12.5 mm`, `26,960 mm³`."""
    symbol = symbol_of(units)
    return figure(value, digits) + (f" {symbol}{('', '', '²', '³')[power]}" if symbol else "")


def size_of(size: Iterable[float], units: str, digits: int = DIGITS) -> str:
    """Lengths along the axes: `146 × 90 × 20 mm`."""
    symbol = symbol_of(units)
    return " × ".join(figure(value, digits) for value in size) + (f" {symbol}" if symbol else "")


def symbol_of(units: str) -> str:
    """The symbol of a unit, in brackets where it is called by its length, as in 60 (2.54 mm)³; nothing where it is unknown."""
    if units[:1].isdigit():
        return f"({units})"
    return "" if units == "unknown" else UNIT_SYMBOLS.get(units, units)


def quoted(name: str) -> str:
    """A name in quotation marks, on one line, cut where it is long."""
    text = " ".join(name.split())
    return f"“{text if len(text) <= NAME_CHARACTERS else text[: NAME_CHARACTERS - 1] + '…'}”"


def listing(parts: Sequence[str], one: str = "other") -> str:
    """`a`, `a and b`, `a, b and c`; the parts beyond NAMED as a count."""
    if len(parts) > NAMED:
        parts = [*parts[: NAMED - 1], count_of(len(parts) - NAMED + 1, one)]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def direction_of(axis: Sequence[float]) -> str:
    """`z`, or the components of a direction along no axis."""
    for name, value in zip("xyz", axis, strict=True):
        if abs(value) > 1 - 1e-9:
            return name
    return f"({', '.join(figure(value, SAMPLED_DIGITS) for value in axis)})"
