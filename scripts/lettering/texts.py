"""What lines of sheets say: sizes, callouts, fields, notes and numbers of parts, in many languages, and characters in any order."""

from __future__ import annotations

import random as random_
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

Random = random_.Random
DICTIONARIES: Final = (
    "american-english", "french", "ngerman", "polish", "spanish", "italian", "portuguese", "swedish", "danish", "bokmaal", "dutch",
    "catalan",     "ukrainian",
)  # fmt: skip
"""Debian packages wamerican, wfrench, wngerman, wpolish, wspanish, witalian, wportuguese, wswedish, wdanish, wnorwegian, wdutch,
wcatalan, wukrainian."""
SHORT: Final = (
    "THRU", "THRU ALL", "TYP", "TYP.", "MAX", "MAX.", "MIN", "REF", "REF.", "PLCS", "PL", "EQ SP", "EQS", "DEEP", "DP", "BOTH SIDES",
    "FAR SIDE", "NEAR SIDE", "SCALE", "SHEET", "SIZE", "DWG NO.", "REV", "REV.", "DATE", "TITLE", "DRAWN", "CHECKED", "APPROVED",
    "MATERIAL", "FINISH", "WEIGHT", "SECTION A-A", "DETAIL B", "VIEW C", "ISO", "DIN", "UNF", "UNC", "H7", "h6", "g6", "N9", "js6",
    "mm", "kg", "in", "deg", "SR", "SØ", "PCD", "BCD", "CBORE", "CSK", "C'BORE", "TAP", "DRILL", "REAM", "KNURL", "A3", "A4", "1:1",
    "UNLESS OTHERWISE SPECIFIED", "ALL DIMENSIONS IN MM", "DO NOT SCALE DRAWING", "REMOVE ALL BURRS", "BREAK SHARP EDGES",
)  # fmt: skip


@dataclass(frozen=True)
class Words:
    """Words of each language."""

    languages: tuple[tuple[str, ...], ...]


def words(folder: Path = Path("/usr/share/dict"), most: int = 12_000) -> Words:
    """Words of the dictionaries that are installed, the same ones each time."""
    languages = []
    for name in DICTIONARIES:
        path = folder / name
        if path.exists():
            every = [
                word for word in path.read_text(encoding="utf-8", errors="ignore").split("\n") if 1 < len(word) <= 16
            ]
            step = max(len(every) // most, 1)
            languages.append(tuple(every[::step]))
    return Words(tuple(languages))


def text(random: Random, known: Words, signs: str) -> str:
    """One line. signs: characters that may be in it besides blanks."""
    kinds: tuple[tuple[float, Callable[[], str]], ...] = (
        (0.20, lambda: size(random)),
        (0.16, lambda: callout(random)),
        (0.16, lambda: phrase(random, known)),
        (0.10, lambda: field(random, known)),
        (0.08, lambda: code(random)),
        (0.05, lambda: _of(random, SHORT)),
        (0.08, lambda: note(random, known)),
        (0.06, lambda: frame(random)),
        (0.11, lambda: anything(random, signs)),
    )
    said = random.choices(kinds, [chance for chance, _ in kinds])[0][1]()
    return " ".join("".join(sign if sign in signs else " " for sign in said).split())


def _of(random: Random, options: Sequence[str]) -> str:
    return random.choice(options)


def _maybe(random: Random, chance: float, said: str) -> str:
    return said if random.random() < chance else ""


def number(random: Random) -> str:
    """A number as drawings have them: 12, 12.5, 12,50, .125, 1 200, 0.005."""
    whole = str(int(10 ** random.uniform(0, random.choice([1.5, 2.3, 3.4]))))
    if random.random() < 0.4:
        return whole
    point = "," if random.random() < 0.3 else "."
    places = random.choice([1, 1, 2, 2, 2, 3, 3, 4])
    part = _of_length(random, places)
    if random.random() < 0.12:
        return point + part
    return ("0" if random.random() < 0.2 else whole) + point + part


def _digits(random: Random, most: int) -> str:
    return _of_length(random, random.randint(1, most))


def _of_length(random: Random, count: int) -> str:
    return "".join(random.choice("0123456789") for _ in range(count))


def _capital(random: Random) -> str:
    return chr(65 + random.randrange(26))


def size(random: Random) -> str:
    """A size, alone or with what stands before and behind it."""
    kind = random.random()
    value = number(random)
    if kind < 0.3:
        return value
    if kind < 0.42:
        return (
            _of(random, ("R", "R ", "Ø", "Ø ", "⌀", "SR", "SØ", "D", "M", "C", "t", "t=", "□", "L=", "∅")).replace(
                "∅", "Ø"
            )
            + value
        )
    if kind < 0.52:
        return value + _of(
            random, ("°", "°", "mm", " mm", '"', "'", "º", "±0.1", "±0,2", " ±0.05", "±" + number(random))
        ).replace("º", "°")
    if kind < 0.60:
        return _of(random, (f"({value})", f"[{value}]", f"({value} REF)", f"[{value}mm]", f"({value})°"))
    if kind < 0.68:
        return f"{value} [{number(random)}]"
    if kind < 0.76:
        return _of(random, (f"+{value}", f"-{value}", f"±{value}", f"+ {value}", f"- {value}", "0"))
    if kind < 0.82:
        return f"{random.randrange(1, 60)}°{random.randrange(0, 60)}'" + _maybe(
            random, 0.3, f'{random.randrange(0, 60)}"'
        )
    if kind < 0.88:
        return (
            f"{_maybe(random, 0.5, str(random.randrange(1, 20)) + ' ')}{random.randrange(1, 16)}/{random.choice([2, 4, 8, 16, 32, 64])}"
            + _maybe(random, 0.4, '"')
        )
    if kind < 0.94:
        return f"{value} {_of(random, ('H7', 'h6', 'g6', 'H8/f7', 'js5', 'TYP', 'MAX', 'MIN', 'REF', 'N7', 'k6', 'p6', 'F8', 'H11'))}"
    return f"{number(random)} {_of(random, ('x', '×', 'X', '-', '–', '/')).replace('–', '-')} {number(random)}"


def callout(random: Random) -> str:
    """A callout of a hole, thread, radius, chamfer or surface."""
    times = _maybe(
        random, 0.5, f"{random.randrange(2, 40)}{_of(random, ('x', 'X', '×', '-', ' x ', 'X ', 'x ', ' × '))}"
    )
    value = number(random)
    tail = _of(
        random,
        (
            "",
            "",
            "",
            " THRU",
            " THRU ALL",
            f" ↧ {number(random)}",
            f" ↧{number(random)}",
            f" DEEP {number(random)}",
            f" X {number(random)} DEEP",
            " TYP",
            f" ⌴Ø{number(random)}",
            f" ⌵Ø{number(random)} X 90°",
            f" ⌴ Ø{number(random)} ↧ {number(random)}",
            " EQ SP",
            f" PCD {number(random)}",
            " tief",
            " prof.",
            " deep",
        ),
    )
    metric = _of(random, ("1.6", "2", "2.5", "3", "4", "5", "6", "8", "10", "12", "16", "20", "24", "1,6", "2,5"))
    pitch = _of(random, ("0.5", "0.7", "0.75", "0.8", "1", "1.25", "1.5", "2", "1,25", "0,5"))
    kind = random.random()
    if kind < 0.4:
        return (
            times
            + _of(random, ("Ø", "Ø ", "⌀", "⌀ ", "R", "SR", "DIA ", ""))
            + value
            + _maybe(random, 0.3, _of(random, ("H7", " H7", "±0.1", " ±0.05", "h9", "mm")))
            + tail
        )
    if kind < 0.7:
        pitched = _maybe(random, 0.5, _of(random, ("x", "X", "×", " x ", " X ")) + pitch)
        classed = _maybe(random, 0.4, _of(random, ("-6H", " - 6H", "-6g", " 6H", "-4H5H")))
        return f"{times}M{metric}{pitched}{classed}{tail}"
    if kind < 0.8:
        series = _of(random, ("UNC", "UNF", "UNEF", "NPT", "UN", "BSP"))
        base = _of(random, ("#4", "#6", "#10", "1/4", "5/16", "3/8", "1/2", "7/8", ".250", "1"))
        per_inch = random.choice([12, 14, 16, 18, 20, 24, 28, 32, 40, 80])
        return f"{times}{base}-{per_inch} {series}{_maybe(random, 0.5, _of(random, ('-2B', '-2A', ' - 3B')))}{tail}"
    if kind < 0.88:
        return times + _of(
            random,
            (
                f"C{value}",
                f"{value}x45°",
                f"{value} X 45°",
                f"{value} × 45°",
                f"{value}x{number(random)}",
                f"{value}×{random.randrange(15, 61)}°",
            ),
        )
    if kind < 0.94:
        return _of(random, ("Ra", "Rz", "Ra ", "Rz ", "RMS ", "N")) + _of(
            random, ("0.8", "1.6", "3.2", "6.3", "12.5", "0,8", "1,6", "3,2", "6,3", "63", "125")
        )
    return (
        times
        + _of(random, ("G", "Rp", "Rc", "Tr", "W", "ST", "S"))
        + _of(random, ("1/4", "1/8", "1/2", "20x4", "3/4"))
        + tail
    )


def frame(random: Random) -> str:
    """The letters and numbers of a tolerance frame, in order."""
    sign = _of(random, ("⌖", "⏥", "◎", "⌭", "⌒", "⌓", "⊥", "∥", "∠", "//", "-", "○", "")).replace("○", "O")
    datums = "".join(_capital(random) for _ in range(random.randrange(0, 4)))
    told = " ".join(datums) if random.random() < 0.5 else datums
    return f"{sign}{_maybe(random, 0.5, 'Ø')}{number(random)}{_maybe(random, 0.2, 'M')}{told}"


def _cased(random: Random, said: str) -> str:
    kind = random.random()
    return said.upper() if kind < 0.5 else said.capitalize() if kind < 0.7 else said.lower() if kind < 0.85 else said


def phrase(random: Random, known: Words) -> str:
    """Some words of one language."""
    language = known.languages[int(random.randrange(len(known.languages)))]
    return _cased(random, " ".join(_of(random, language) for _ in range(random.choice([1, 1, 1, 2, 2, 3, 4]))))


def field(random: Random, known: Words) -> str:
    """A label, or a label and its value."""
    label = phrase(random, known)
    value = _of(random, (number(random), code(random), phrase(random, known), date(random)))
    return _of(
        random,
        (f"{label}:", f"{label}.", f"{label}: {value}", f"{label} {value}", value, f"{label}/{phrase(random, known)}"),
    )


def date(random: Random) -> str:
    """A date in one of many forms."""
    day, month, year = random.randrange(1, 32), random.randrange(1, 13), random.randrange(1985, 2030)
    name = _of(random, ("JAN", "Feb", "MAR", "Apr", "May", "JUN", "Jul", "AUG", "Sept", "OCT", "Nov", "DEC"))
    return _of(random, (
        f"{year}-{month:02}-{day:02}", f"{day:02}.{month:02}.{year}", f"{day:02}/{month:02}/{year}", f"{month}/{day}/{year % 100:02}",
        f"{day} {name} {year}", f"{day:02}-{name}-{year % 100:02}", f"{year}/{month:02}/{day:02}", f"{year}.{month}.{day}",
        f"'{year % 100:02}.{month:02}.{day:02}",
    ))  # fmt: skip


def code(random: Random) -> str:
    """A number of a part, a material, a file, a standard, an address."""
    letters = "".join(_capital(random) for _ in range(random.randrange(1, 5)))
    kind = random.random()
    if kind < 0.5:
        joint = _of(random, ("-", "-", "_", ".", " ", "", "/"))
        return joint.join(
            _of(random, (letters, _digits(random, 6), _digits(random, 3), _capital(random) + _digits(random, 3)))
            for _ in range(random.randrange(1, 5))
        )
    if kind < 0.62:
        return (
            _of(random, ("ISO ", "DIN ", "EN ", "ASME ", "GB/T ", "JIS ", "ASTM ", "UL", "ANSI "))
            + _digits(random, 5)
            + _maybe(random, 0.4, f"-{_digits(random, 2)}")
        )
    if kind < 0.74:
        return _of(
            random,
            (
                "S235JR",
                "AISI 304",
                "6061-T6",
                "AlMg3",
                "PA6 GF30",
                "POM",
                "ABS",
                "1.4301",
                "C45",
                "St37",
                "FR-4",
                "SUS304",
                "EN AW-6082",
                "42CrMo4",
                "SPCC",
                "PC/ABS",
                "94V-0",
                "Q235",
                "Al 7075",
            ),
        )
    if kind < 0.84:
        return (
            f"{_of(random, ('1', '2', '3', '4', '5', '10'))}{_of(random, (':', '/', ' : '))}{random.randrange(1, 50)}"
        )
    name = letters.lower() + _digits(random, 3)
    return _of(
        random,
        (
            f"www.{name}.com",
            f"{name}@{letters.lower()}.org",
            f"{name}.dwg",
            f"{name}.SLDDRW",
            f"+{_digits(random, 3)} {_digits(random, 3)} {_digits(random, 4)}",
            f"{_digits(random, 2)}%",
            f"#{_digits(random, 3)}",
            f"{_digits(random, 3)} g",
            f"{number(random)} kg",
        ),
    )


def note(random: Random, known: Words) -> str:
    """A part of a note, with its number at times."""
    mark = _maybe(
        random,
        0.4,
        _of(
            random,
            (
                f"{random.randrange(1, 20)}. ",
                f"{random.randrange(1, 20)}) ",
                f"{random.randrange(1, 20)}.",
                f"({random.randrange(1, 9)}) ",
                "- ",
                "* ",
            ),
        ),
    )
    said = [
        _of(
            random,
            (phrase(random, known), phrase(random, known), number(random), code(random), size(random), callout(random)),
        )
        for _ in range(random.randrange(2, 5))
    ]
    joint = _of(random, (" ", " ", ", ", ". ", "; "))
    return (mark + joint.join(said) + _maybe(random, 0.3, "."))[:56]


def anything(random: Random, signs: str) -> str:
    """Characters in any order, digits more often: no language tells what comes next."""
    few = (
        signs
        if random.random() < 0.5
        else "0123456789" + _of(random, (".-/", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ØR°±x", "abcdefghijklmnopqrstuvwxyz"))
    )
    return "".join(_of(random, few) for _ in range(random.randrange(1, 13)))
