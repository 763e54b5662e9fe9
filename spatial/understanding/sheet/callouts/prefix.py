"""What stands before a callout's first feature: flags of inspection, and how many times it applies.

ASME Y14.5-2018 §4.6.10 writes `4X`, ISO 129-1 `4×`, Asian sheets `4-Ø8`, older ones `(4) Ø8`, `4 HOLES Ø8`, GOST `4 отв. Ø8`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.knowledge.quantities import COUNT, HOLES, IN_WORDS, JIS_PROCESSES, MADE, PLACES, count_value
from spatial.understanding.sheet.callouts.production import Production, named, production
from spatial.understanding.sheet.callouts.scanner import Scanner

_FLAGS: Final = re.compile(
    r"(?:[□◇◆△▲○◯☆★⬡⎔⟨⟩<>Ⓐ-ⓏⒶⓅⒸ]|▽(?!▽)|⟨\s?\w{1,3}\s?⟩|<\s?[A-Z0-9]{1,3}\s?>|\*(?=\s?[\dØR])|\?(?=\s?Ø)|⌒(?=\s?[\d.,]{1,8}\s?[±+]))\s*"
)
_HOLE_SIZE: Final = r"(?=(?:\d{1,3}\s?[xX*-]\s?)?Ø\s?[\d.,])"
_NAMED: Final = re.compile(
    r"(?:\([A-Z][\dO]?\)\s?|(?![RMCGS])[A-Z]\s?=?\s?)?(?:\d{1,4}(?:[.,]\d{1,4})?\s?[xX*]\s?\(?\d{1,4}(?:[.,]\d{1,4}|-\d{1,4})?\)?\s?=\s?)?(?=\d{1,4}(?:[.,]\d{1,4})?\s?±\s?\d)"
)
"""The letter that a size is called by, and the spaces that it is the sum of: `W0.35±0.03`, `P0.5*(40-1)=19.5±0.05`, and of the
tapes of parts (EIA-481, IEC 60286-3) in brackets: `(B0)16.16 ±0.10`."""
_HOLE_NAME: Final = re.compile(
    rf"(?!{IN_WORDS}|{words('thread')}|{words('counterbore')}|{words('countersink')})(?:(?!(?i:ALL|ANY|EACH|EVERY|OTHER|NOT?|ALLE|TOUS|TUTTI|TODOS)\s)[^\W\d_]{{2,20}}[\s-]{{1,3}}){{1,3}}{HOLES}\s?[:=]?\s?{_HOLE_SIZE}"
    rf"|(?!{words('counterbore')}|{words('countersink')}){HOLES}(?:\s(?!{words('through')}|Ø)[^\W\d_]{{2,20}}){{1,3}}\s(?=(?:{words('through')}\s)?Ø\s?[\d.,])"
    rf"|(?!{words('counterbore')}|{words('countersink')})[\u3040-\u30ff\u3400-\u9fff]{{1,6}}?[孔穴]\s?[:=]?\s?{_HOLE_SIZE}"
    rf"|(?!(?:{words('counterbore')}|{words('countersink')}|{words('spotface')}|{words('diameter')}))[\u3400-\u9fff]{{1,6}}\s?(?=Ø\s?[\d.,]{{1,8}}\s*$)"
)
"""What a hole is for, before its size: `MOUNTING HOLE 4-Ø3.2`, `Foro centrale passante Ø6`, `安装孔 Ø3.2`, `净空Ø560`."""
_DEVIATION: Final = r"\d{0,3}(?:[.,]\d{1,4}|(?<=\d))"
_DEVIATED: Final = (
    r"\d{1,5}(?:[.,]\d{1,4})?\s?(?:mm|cm)?"
    rf"(?:\s?±\s?{_DEVIATION}|\s?\+\s?{_DEVIATION}\s?/?\s?(?:-\s?{_DEVIATION}|(?<=[\s/])0)|\s0\s?/?\s?-\s?{_DEVIATION})\s?(?:mm|cm)?"
)
_OFTEN: Final = rf"(?:,?\s?\(?\s?(?:{words('typical')}|\d{{1,2}}\s?[xX]|[xX]\s?\d{{1,2}}|{COUNT}\s?{PLACES})\s?\)?)?"
"""How often what is named applies, behind it."""
_NO_NAME: Final = rf"(?!{words('typical')}|{COUNT}\s?{PLACES})"
_SIZE_NAME: Final = re.compile(
    rf"{_NO_NAME}(?:[^\W\d_Ø]{{1,20}}[\s:=+]{{0,3}}){{1,4}}(?<!\bR)(?<!\bSR)(?<!\b[A-Z]x)(?=Ø?\s?{_DEVIATED}{_OFTEN}\s*$)"
)
"""What a size is of, before it: `Cable length 600±50mm`, `PLATE WIDTH 80 +0.2 -0.1`."""
_EXTENT_NAME: Final = re.compile(
    rf"(?:[^\W\d_Ø]{{1,20}}[\s:=+]{{1,3}}){{0,3}}(?:{words('extent')}|[Tt](?=\s?=))\s?[:=]?\s?(?=Ø?\s?{_DEVIATED}{_OFTEN}\s*$)"
)
"""The same that ends with what a size is, and says so of a text that nothing ties to the part: `THK 12 ±0.10`, `Sensor OD 63,8±0.2`."""
_OF_RADIUS: Final = rf"{_NO_NAME}(?:[^\W\d_Ø]{{2,20}}\.?\s){{1,3}}(?=S?R\s?\d{{1,4}}"
_RADIUS_NAME: Final = re.compile(rf"{_OF_RADIUS}(?:[.,]\d{{1,4}})?\s*$)")
_DECIMAL_RADIUS_NAME: Final = re.compile(
    rf"{_OF_RADIUS}[.,]\d{{1,4}}\s*$)"
    r"|(?i:INSIDE|OUTSIDE|INNER|OUTER|INT(?:ERNAL|\.)?|EXT(?:ERNAL|\.)?|CORNERS?|ALL|INNEN|AU(?:SS|ß)EN|INT[ÉE]RIEUR|EXT[ÉE]RIEUR|INTERNO|ESTERNO|INTERIOR|EXTERIOR)"
    r"\s?(?=S?R\s?\d{1,4}(?:[.,]\d{1,4})?\s*$)"
)
"""What a radius is of: `INNER R4.5`."""
_CHAMFER_NAME: Final = re.compile(
    rf"{_NO_NAME}(?!{words('chamfer')}|{words('all')})(?:[^\W\d_Ø]{{2,20}}\.?\s){{1,3}}(?=\d{{0,2}}(?:[.,]\d{{1,3}})?\s?(?:mm\s?)?[xX]\s?(?:30|45|60)\s?°{_OFTEN}\s*$)"
)
"""What is chamfered: `BREAK EDGE 0.2 X 45°`."""
_ALL: Final = words("all")
_DESIGNATION: Final = r"(?:MJ?\s?\d[\d.,xX\s-]{0,12}(?:\d[hHgG])?|(?:#?\d{1,2}|\d{1,2}/\d{1,2})\s?-\s?\d{1,2}(?:\sUN[CFS]?F?(?:-\d[AB])?)?)"
_THREAD_NAME: Final = re.compile(
    r"(?:(?!MJ?\s?\d)[^\W\d_]{2,20}[\s,:=]{1,3}|[^\W\d_]{2,20},){1,3}"
    r"(?=(?:MJ?\s?\d{1,3}(?:[.,]\d{1,2})?\s?[xX*]\s?P?\s?\d{0,2}[.,]\d{1,3}\s?P?|(?i:PG)\s?\d{1,2}(?:[.,]5)?|(?:G|R[cp])\s?(?:\d\s)?\d/\d{1,2}"
    r"|\d/\d{1,2}\s?-?\s?(?:\d{2}\s?)?NPTF?)\s*$)"
)
"""What has a thread, before its designation: `NUT, M4x0.7P`, `Anschluss Pg 11`, `INLET G 1/4`."""
_ALL_OF: Final = re.compile(
    rf"{_ALL}\s(?=MJ?\s?\d{{1,2}}(?:[.,]\d{{1,2}})?\s(?:{words('thread')})s?\s*$)"
    rf"|\*?\s?{_ALL}\s(?:[^\W\d_]{{2,20}}\s){{0,2}}?{HOLES}\s(?={_DESIGNATION}\s*$)"
)
"""All threads of a part, before what they are: `ALL M8 THREADS`, `All acrylic holes 1/4-20 UNC`."""
LISTED: Final = re.compile(rf"[A-Z]\s?[-–.)]\s?(?={COUNT}\s{HOLES}\s)")
"""The letter that a list of holes has before each: `A- 8 HOLES DRILL M3 THRU`."""
_COUNTED_HOLES: Final = re.compile(
    rf"(?:{LISTED.pattern})?{COUNT}\s{HOLES}\s(?:{words('hole_order')}|{words('countersink')}|{words('counterbore')})"
)
"""What is ordered for so many holes."""
_BEFORE_DEVIATED: Final = re.compile(
    rf"([2-9]|[1-9]\d)\s?[xX]\s?(?={_DEVIATED}|\d{{1,3}}(?:[.,]\d{{1,2}})?\s?(?:H|h|JS|js|P|N)\s?\d{{1,2}}(?![\d.,]))"
)
_SURE: Final = re.compile(r"\d{1,3}[xX]\s")
_MADE_BEHIND: Final = rf"\d{{1,3}}(?:[.,]\d{{1,3}})?\s?(?:{'|'.join(JIS_PROCESSES)})"
QUANTITIES: Final[tuple[Production[bool], ...]] = named((
    production(
        "times-by-times", "practice: so many in each of so many places",
        r"(\d{1,2})\s?[xX]\s?(\d{1,2})\s?[xX]\s?(?=(?:SØ|Ø|SR|R|MJ?)\s?\d)",
        True, ("2X 3X R5", "quantity", 6), ("2 x 2 x M4", "quantity", 4),
    ),
    production(
        "times-by-x", "ASME Y14.5-2018 §4.6.10, ISO 129-1",
        r"(?!1\s?[xX]\s?\d{1,2}\s?°)\(?(\d{1,3})\s?[xX](?![a-zA-Z]*\d)\)?(?=\s*[^\s\d.,]|\s+[\d.,])"
        r"|(?!1\s?[xX]\s?\d{1,2}\s?°)(\d{1,3})\s?[xX]\s?(?=\d{0,3}(?:[.,]\d{1,3})?\s?[xX]\s?\d{1,2}\s?°|\d{1,2}\s?°\s?[xX]\s?[\d.,])"
        r"|(\d{1,3})\s?[xX](?=(?:SR|[ØRMGC]|MJ|Tr|SØ)\s?[\d.,/])"
        rf"|(\d{{1,3}})\s?[xX]\s?(?={_MADE_BEHIND})",
        False, ("4X Ø8", "quantity", 4), ("4x45°x1.5", "quantity", 4), ("4xM5", "quantity", 4), ("4x10キリ", "quantity", 4),
    ),
    production(
        "times-by-dash", "practice of JIS and GB sheets",
        r"(\d{1,3})\s?[-*]\s?(?=Ø|SØ|⌴|⌵|(?:MJ?|SR|R|C|Tr|G|Rc|Rp|PT|NPT)\s?\d|S?R\s?[.,]\d|#\d|\d{1,2}\s?°\s?[xX]"
        rf"|\d{{0,3}}(?:[.,]\d{{1,3}})?\s?[xX]\s?\d{{1,2}}\s?°|{words('chamfer')}|{_MADE_BEHIND}|\d{{0,3}}[.,]\d{{1,3}}\s?±)",
        True, ("4-Ø8", "quantity", 4), ("6-1,5x45°", "quantity", 6), ("4*Ø5", "quantity", 4), ("2-倒角C1", "quantity", 2),
        ("2-0.80±0.05", "quantity", 2),
    ),
    production(
        "times-by-blank", "practice of steel structures",
        r"([2-9]|[1-9]\d)\s?(?=Ø\s?\d)",
        True, ("4 Ø 22", "quantity", 4),
    ),
    production(
        "times-in-brackets", "practice",
        r"\((\d{1,3})\s?[xX]?\)\s*(?=[ØRM.⌴⌵\d])",
        True, ("(4) Ø8", "quantity", 4), ("(4x) M5", "quantity", 4),
    ),
    production(
        "times-by-word", "GOST 2.307, BS 8888",
        rf"(?:[Nn]\s?[.°]\s?)?({COUNT})\s*{PLACES}\s*(?:(?i:OF|DE|VON|DI)\s(?=Ø|MJ?\s?\d))?|({IN_WORDS})\s+(?=S?[ØR]\s?[\d.]|MJ?\s?\d|[\d.,]{{1,6}}\s?(?:mm|\")?\s(?:{words('diameter')}\s)?{HOLES})"
        rf"|({COUNT})\s+(?={words('chamfer')}\s?[:=]?\s?[\d.,])",
        True, ("4 HOLES Ø8", "quantity", 4), ("4 отв. Ø8", "quantity", 4), ("FOUR HOLES Ø8", "quantity", 4),
        ("N. 4 fori Ø8", "quantity", 4), ("2 chanfreins 1x45°", "quantity", 2),
    ),
    production(
        "times-made", "practice",
        rf"({COUNT})\s+(?={MADE}\s+{PLACES}|{words('thread')}\s+MJ?\s?\d)",
        True, ("4 TAPPED HOLES M5", "quantity", 4), ("4 Diş M6", "quantity", 4),
    ),
))  # fmt: skip
"""How many times what follows applies; whether the writing can be nothing but a quantity."""

_THROUGH: Final = re.compile(rf"(?<![^\W\d_]){words('through')}")
_BEFORE_COUNT: Final = re.compile(
    rf"(?:(?P<through>{words('through')})\s?(?={COUNT}\s?[xX]\s?Ø)|{words('chamfer')}\s?[:=]?\s?(?=\d{{1,2}}\s?[xX]\s?[\d.,]{{1,6}}\s?[xX]))"
)
"""What stands before the quantity that it is said of: `THRU 3X Ø12`, `CHAM 3X 1 X 45°`."""
_ORDER: Final = re.compile(r"(?i:MAKE|CUT|MACHINE|RÉALISER|ESEGUIRE|REALIZAR|HACER)\s")
"""Verbs that order a feature in a sentence."""
_HOLES: Final = re.compile(rf"(?<![A-Za-z]){HOLES}\s*$")


@dataclass(frozen=True, slots=True)
class Multiplicity:
    """What is written before the first feature."""

    quantity: int | None = None
    is_sure: bool = False
    """Whether the number can be nothing but a quantity: `2X 45°` against `2x45°`."""


def names_holes(text: str) -> bool:
    """Whether a text ends with the word for the holes that it counts: the Ø behind `4 HOLES` is theirs."""
    return bool(_HOLES.search(text))


def skip_flags(scan: Scanner) -> None:
    """Move behind inspection flags, □, Ⓟ, ⟨1⟩, and the letter that a size is called by."""
    while scan.take(_FLAGS):
        pass
    scan.take(_NAMED)


def skip_name_of_hole(scan: Scanner) -> bool:
    """Move behind words that say what a hole is for; whether they say that it goes through."""
    found = scan.take(_HOLE_NAME)
    return found is not None and _THROUGH.search(found[0]) is not None


def skip_name_of_size(scan: Scanner, *, is_dimension: bool) -> None:
    """Move behind words that say what a radius, or a size with its deviations, is of, where nothing but that follows them.

    Something without decimals at a leader may be a resistor or a view: `VIEW R2`.
    """
    scan.take(_SIZE_NAME) or scan.take(_CHAMFER_NAME) or scan.take(
        _RADIUS_NAME if is_dimension else _DECIMAL_RADIUS_NAME
    )


def skip_name_of_extent(scan: Scanner) -> None:
    """Move behind words that say that a size with its deviations is a length, a width or a thickness, where nothing follows them."""
    scan.take(_EXTENT_NAME)


def skip_name_of_thread(scan: Scanner) -> None:
    """Move behind words that say what has a thread, where nothing but a designation with its pitch follows them."""
    scan.take(_THREAD_NAME)


def skip_all(scan: Scanner) -> None:
    """Move behind words that say that all threads or holes of a part are what follows, or behind the letter of a list of holes."""
    scan.take(_ALL_OF) or scan.take(LISTED)


def is_order(text: str) -> bool:
    """Whether a sentence begins with a verb that orders a feature, or orders one for all or so many holes."""
    begin = text.lstrip()
    return any(pattern.match(begin) for pattern in (_ORDER, _ALL_OF, _COUNTED_HOLES))


def read_order(scan: Scanner) -> bool:
    """Whether a verb stands here that orders what follows: `Make M6 threads (4x)`."""
    return bool(scan.take(_ORDER))


def read_before_quantity(scan: Scanner) -> bool:
    """Move behind a word before a quantity that says what is counted; whether it says that a hole goes through."""
    found = scan.take(_BEFORE_COUNT)
    return found is not None and bool(found["through"])


def read_quantity(scan: Scanner, *, is_dimension: bool = False) -> Multiplicity:
    """How many times what follows applies.

    A dimension line measures one size, so that a number before the × of its text counts it: `4x12±0.1`.
    """
    if is_dimension and (found := scan.take(_BEFORE_DEVIATED)):
        return Multiplicity(int(found[1]), True)
    is_sure = bool(scan.sees(_SURE))
    for each in QUANTITIES:
        with scan.trial() as trial:
            found = scan.take(each.pattern)
            if found:
                times = prod(count_value(part) for part in found.groups() if part)
                if times and not scan.done:
                    trial.kept = True
                    return Multiplicity(times, is_sure or each.meaning)
    return Multiplicity()
