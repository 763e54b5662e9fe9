"""How drawings write how often something applies: numbers in words, and the words behind a number.

ASME Y14.5-2018 §4.6.10 prefers `4X`; older sheets write `4 HOLES`, `FOUR PLACES`, `4 No.` (BS 8888), GOST 2.307 `4 отв.`.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from spatial.knowledge.callout_words import words

NUMBERS_BY_LANGUAGE: Final = {
    "en": ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", "ELEVEN", "TWELVE"),
    "de": ("ZWEI", "DREI", "VIER", "FÜNF", "SECHS", "SIEBEN", "ACHT", "NEUN", "ZEHN", "ELF", "ZWÖLF"),
    "fr": ("DEUX", "TROIS", "QUATRE", "CINQ", "SIX", "SEPT", "HUIT", "NEUF", "DIX", "ONZE", "DOUZE"),
    "it": ("DUE", "TRE", "QUATTRO", "CINQUE", "SEI", "SETTE", "OTTO", "NOVE", "DIECI", "UNDICI", "DODICI"),
    "es": ("DOS", "TRES", "CUATRO", "CINCO", "SEIS", "SIETE", "OCHO", "NUEVE", "DIEZ", "ONCE", "DOCE"),
}
"""The numbers from two to twelve."""

NUMBER_WORDS: Final = MappingProxyType(
    {word: number for words in NUMBERS_BY_LANGUAGE.values() for number, word in enumerate(words, start=2)}
)
"""Number in words to its value; no word means different numbers in two languages."""

IN_WORDS: Final = rf"(?i:{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})(?=\s)"
"""A quantity in words."""

COUNT: Final = rf"(?:\d{{1,3}}|{IN_WORDS})"
"""A quantity in figures or in words."""

HOLES: Final = words("hole")
"""Words behind a quantity that name holes, whose diameter follows."""

PLACES: Final = rf"(?:{HOLES}|{words('place')})"
"""Words behind a quantity."""

IN_PLACES: Final = r"(?:(?i:IN|AT|AN|EN|В)\s)"
"""What stands between a feature and how often it is there: `R0.2 IN 4 POS.`, `an 4 Stellen`, `в 4 местах`."""

AT_ANGLE: Final = r"@\s?\d{1,3}(?:[.,]\d{1,2})?(?:\s?°(?!\s?[CF](?![A-Za-z]))|\s(?=\)))"
"""How far apart the places are: `6 HOLES @ 60°`; °C is a temperature. Exporters draw ° as a ring and leave its place blank: `(2 @ 90 )`."""

JIS_PROCESSES: Final = MappingProxyType(
    {"キリ": "drill", "リーマ": "ream", "打ヌキ": "punch", "打抜き": "punch", "イヌキ": "cast", "鋳抜き": "cast"}
)
"""How a hole is made, which JIS B 0001 writes behind its diameter: `10キリ`."""

MADE: Final = r"(?i:TAPPED|THREADED|DRILLED|REAMED|BORED|COUNTERSUNK|COUNTERBORED|SPOTFACED)"
"""What is done to holes, between their number and their name: `4 TAPPED HOLES M5`."""


def count_value(written: str) -> int:
    """The value of a COUNT."""
    return int(written) if written.isdigit() else NUMBER_WORDS[written.upper()]
