"""What the whole sheet says that a single callout leaves unsaid: the unit, the decimal sign, what an asterisk means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal

Unit = Literal["millimeter", "inch"]
DecimalSign = Literal[".", ","]

_MARK: Final = re.compile(r"\s{0,9}(?:\d{1,3}[.)]?\s{1,9})?(\*{1,4})\s{0,9}[-=:)]?\s{0,9}(\S.{0,200})", re.DOTALL)
_REFERENCE: Final = re.compile(
    r"(?i)\b(?:ref(?:\b|erence)|hilfsma[sß]|informat|r[eé]f[eé]rence|riferimento|referencia|справочн|для справок)"
)
_REFERENCES: Final = re.compile(r"(?i)\s{0,9}(?:\d{1,3}[.)]?\s{1,9})?размер(?:ы|\b)\s{1,9}для\s{1,9}справок\.?\s{0,9}")
"""GOST 2.307 §1.4 has an asterisk before this sentence, and behind each size that it is about; some sheets leave the first one out."""
_MILLIMETER: Final = re.compile(
    r"(?i)(?:dimension|unit|ma(?:ß|ss)e?|cotes?|quote|cotas|size|length|размер)\w{0,4}\b.{0,60}?\b(?:mm|millimet|millim)"
)
_INCH: Final = re.compile(r"(?i)(?:dimension|unit|size)\w{0,4}\b.{0,60}?\b(?:inch|zoll)")
_POINTS: Final = re.compile(r"(?<![\d.,/])\d{0,5}\.\d{1,5}(?![\d.,/])")
_COMMAS: Final = re.compile(r"(?<![\d.,/])\d{1,5},\d{1,5}(?![\d.,/])")
_ROUGHNESS: Final = re.compile(r"\bR[azt]\s{0,3}(?:max\.?\s{0,3})?\d{1,4}(?:[.,]\d{1,4})?")


def _counter() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"callout-{next(numbers)}"


@dataclass(frozen=True, slots=True)
class Context:
    """How this sheet's callouts are to be read."""

    unit: Unit | None = None
    """Of its dimensions; None where the sheet does not say."""
    decimal: DecimalSign | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    """Sign behind a size to what it means: `reference`, or the note's own words."""
    general_roughness: str | None = None
    number: Callable[[], str] = field(default_factory=_counter)
    """Gives the next callout its id."""


def context_of(
    notes: Sequence[str],
    *,
    unit: Unit | None = None,
    texts: Iterable[str] = (),
    number: Callable[[], str] | None = None,
) -> Context:
    """What the notes say; `texts` are the sheet's dimension texts, for its decimal sign."""
    return Context(
        unit=unit or _unit(notes),
        decimal=_decimal(texts),
        marks=_marks(notes),
        general_roughness=next((found[0] for note in notes if (found := _ROUGHNESS.search(note[:2000]))), None),
        number=number or _counter(),
    )


def _marks(notes: Sequence[str]) -> dict[str, str]:
    """Mark to meaning, of the lines `* Reference dimensions.`; the first note that explains a mark counts."""
    marks: dict[str, str] = {}
    for note in notes[:1000]:
        for line in note[:4000].splitlines():
            found = _MARK.match(line)
            if found:
                meaning = "reference" if _REFERENCE.search(found[2]) else found[2].strip()
                marks.setdefault(found[1], meaning)
    if any(_REFERENCES.fullmatch(note[:200]) for note in notes[:1000]):
        marks.setdefault("*", "reference")
    return marks


def _unit(notes: Sequence[str]) -> Unit | None:
    text = " \n ".join(note[:1000] for note in notes[:1000])
    metric, imperial = _MILLIMETER.search(text), _INCH.search(text)
    if bool(metric) == bool(imperial):
        return None
    return "millimeter" if metric else "inch"


def _decimal(texts: Iterable[str]) -> DecimalSign | None:
    points = commas = 0
    for text, _ in zip(texts, range(5000), strict=False):
        points += len(_POINTS.findall(text[:200]))
        commas += len(_COMMAS.findall(text[:200]))
    if points == commas:
        return None
    return "." if points > commas else ","
