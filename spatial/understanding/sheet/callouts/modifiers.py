"""What may follow any feature: how deep, through, how often, where, by which process.

One row per habit of writing in MODIFIERS; each row's function puts what it means into the members.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from spatial.knowledge.quantities import COUNT, PLACES, count_value
from spatial.understanding.sheet.callouts.feature import Members, Place, converted
from spatial.understanding.sheet.callouts.scanner import DECIMAL, FRACTION, number_value

Handler = Callable[[re.Match[str], Members, Place], None]

_NUMBER: Final = rf"(?P<n>{FRACTION}|{DECIMAL})\s?(?P<u>mm\b|\"|in\.?(?![a-z]))?"
_DEEP: Final = r"(?i:DEEP|DP\.?|TIEF|PROF(?:OND(?:E|EUR|O)?|UNDO|\.)?|DEPTH|LG\.?|LANG|глуб\w*\.?)"
_DEPTH: Final = (
    r"(?i:DEPTH|DEEP|DP(?!\.\d)\.?|TIEFE?|PROF(?:ONDEUR|ONDITÀ|UNDIDAD|\.)?|"
    r"THREAD\s?DEPTH|GEWINDETIEFE|BOHRTIEFE|на\s+глуб\w*|глуб\w*\.?|深さ?)"
)
_BOUND: Final = r"(?P<b>(?i:M[IÍ]N|M[AÁ]X)\.?)?"
_THROUGH: Final = (
    r"(?i:THRU(?:\s?-?ALL)?|THROUGH(?:\s?-?ALL)?|DURCH(?:GEHEND|GÄNGIG|BOHRT|GANG)?|PASSANTE?|TRAVERSANTE?|D[ÉE]BOUCHANTE?|PASANTE|"
    r"сквозн\w*|скв\.?)(?![A-Za-z])|通し|通孔|贯通|貫通|通"
)
_CIRCLE: Final = r"(?i:B\.?\s?C\.?(?:D\.?)?|P\.?C\.?D\.?|BOLT\s?CIRCLE|TK\.?|LK\.?|LOCHKREIS|TEILKREIS|PITCH\s?CIRCLE)"


def _through(found: re.Match[str], members: Members, place: Place) -> None:
    members["through"] = True


def _depth(found: re.Match[str], members: Members, place: Place) -> None:
    written = found["n"]
    unit = {"mm": "millimeter", None: None}.get(found["u"], "inch")
    members.setdefault("depth", converted(number_value(written), unit, place.context.unit))
    members.setdefault("through", False)
    bound = found.groupdict().get("b")
    if bound:
        members["depth_is"] = bound.lower().strip(".")


def _bound(found: re.Match[str], members: Members, place: Place) -> None:
    members["bound"] = "max" if found[0].lower().startswith(("max", "máx", "mass", "höch", "≤")) else "min"


def _reference(found: re.Match[str], members: Members, place: Place) -> None:
    members["reference"] = True


def _typical(found: re.Match[str], members: Members, place: Place) -> None:
    members["typical"] = True


def _spaced(found: re.Match[str], members: Members, place: Place) -> None:
    members["equally_spaced"] = True


def _circle(found: re.Match[str], members: Members, place: Place) -> None:
    written = next(part for part in found.groups() if part)
    members["bolt_circle_diameter"] = number_value(written)


def _times(found: re.Match[str], members: Members, place: Place) -> None:
    times = count_value(next(part for part in found.groups() if part))
    if times:
        members.setdefault("quantity", times)


def _hand(found: re.Match[str], members: Members, place: Place) -> None:
    members["hand"] = "right" if found[0].upper().startswith(("R", "D")) else "left"


def _mark(found: re.Match[str], members: Members, place: Place) -> None:
    members["mark"] = found[0]
    meaning = place.context.marks.get(found[0])
    if meaning == "reference":
        members["reference"] = True
    elif meaning:
        members["mark_meaning"] = meaning


def _process(found: re.Match[str], members: Members, place: Place) -> None:
    members.setdefault("process", found[1].lower())


def _hole(found: re.Match[str], members: Members, place: Place) -> None:
    members["called_hole"] = True


def _sides(found: re.Match[str], members: Members, place: Place) -> None:
    members["sides"] = " ".join(found[0].lower().split())


def _starts(found: re.Match[str], members: Members, place: Place) -> None:
    members["starts"] = {"double": 2, "triple": 3}.get(found[1].lower()) or int(found[1])


def _nothing(found: re.Match[str], members: Members, place: Place) -> None:
    """What has no meaning of its own: commas, envelope signs, `FULL THREAD`."""


def _row(pattern: str, handler: Handler) -> tuple[re.Pattern[str], Handler]:
    return re.compile(pattern), handler


MODIFIERS: Final[tuple[tuple[re.Pattern[str], Handler], ...]] = (
    _row(rf"(?:↧\s?)?\(?(?:{_THROUGH})\)?", _through),
    _row(rf"↧\s?{_NUMBER}\s?{_BOUND}(?![A-Za-z])", _depth),
    _row(rf"(?:[xX,-]\s?)?{_NUMBER}\s?{_BOUND}\s?{_DEEP}(?![A-Za-z])(?!\s?[=:]?\s?[\d.,]*\d(?![\d.,]|\s?[xX]|\s?{PLACES}))", _depth),
    _row(rf"[xX-]?\s?{_DEPTH}\s?[:=]?\s?(?P<b>(?i:MIN|MAX)\.?)?\s?{_NUMBER}(?!\s?{PLACES}(?![A-Za-z]))", _depth),
    _row(r"(?i:M[AÁ]X(?:IMUM|IMAL|IMO|I)?|MASSIMO|M[IÍ]N(?:IMUM|IMAL|IMO|I|DESTENS)?|HÖCHSTENS)(?![A-Za-z])\.?", _bound),
    _row(r"\(?\s?(?i:REF(?:ERENCE|ERENZ)?|RÉF)(?![A-Za-z])\.?\s?\)?", _reference),
    _row(r"\(?\s?(?i:TYP(?:ICAL|ISCH)?)(?![A-Za-z])\.?\s?\)?", _typical),
    _row(r"(?i:EQ(?:UALLY|UI|\.)?[\s-]?(?:SP(?:ACED|A|\.)?|L\.?\s?SP(?:ACED)?\.?)|EQS|"
        r"GLEICHM(?:ÄSSIG|\.)\w*(?:\sVERTEILT)?|均布)(?![A-Za-z])\.?", _spaced),
    _row(rf"(?i:ON|AUF|SUR|SU)?\s?(?:A\s)?Ø\s?({FRACTION}|{DECIMAL})(?:\"|\s?mm)?\s?(?:±\s?{DECIMAL}\s?)?(?:DIA\.?\s?)?\(?{_CIRCLE}(?![A-Za-z])\)?",
        _circle),
    _row(rf"(?i:ON|AUF|SUR|SU)?\s?(?:A\s)?{_CIRCLE}\s?[=:]?\s?Ø?\s?({FRACTION}|{DECIMAL})\"?", _circle),
    _row(rf"(?:(?i:ON|AUF|SUR|SU)\s)?(?:A\s)?({FRACTION}|{DECIMAL})\"?\s?(?:DIA\.?\s?)?{_CIRCLE}(?![A-Za-z])", _circle),
    _row(rf"\(?(?:[xX-]\s?)?(?i:IN\s|AT\s|AN\s)?({COUNT})\s?{PLACES}(?![A-Za-z])\.?\)?", _times),
    _row(r"\(\s?(\d{1,3})\s?[xX]?\s?\)|\(\s?[xX]\s?(\d{1,3})\s?\)|\(?\s?(\d{1,3})\s?[xX]\)?(?=\s*$)|[xX](\d{1,3})(?=\s*$)", _times),
    _row(r"-?\s?(?i:LH|RH|L\.H\.|LEFT[\s-]?HAND|RIGHT[\s-]?HAND|"
        r"LINKS(?:GEWINDE)?|RECHTS(?:GEWINDE)?|SINISTR[OA]|GAUCHE|IZQUIERDA)(?![A-Za-z])", _hand),
    _row(r"\*{1,4}", _mark),
    _row(r"(?i:(\d|DOUBLE|TRIPLE)[\s-]?STARTS?)(?![A-Za-z])", _starts),
    _row(
        r"(?i:(DRILL|REAM|BORE|PUNCH|DRILLED|REAMED|BORED|GEBOHRT|GERIEBEN|GEBOHRUNG|BOHREN|REIBEN|CAST|MILL|COUNTERDRILL))"
        r"(?:\s?(?i:ED|AND|&))?(?![A-Za-z])",
        _process,
    ),
    _row(r"(?i:HOLES?|BOHRUNG(?:EN)?|LÖCHER|TROUS?|FOR[IO]|AGUJEROS?|キリ|отв\w*|KERNLOCH|"
        r"KERNBOHRUNG|PILOT|CLEARANCE\s?HOLES?|TAP\s?DRILL)(?![A-Za-z])", _hole),
    _row(r"(?i:BOTH\s?SIDES|NEAR\s?SIDE|FAR\s?SIDE|BOTH\s?ENDS|"
        r"OPP(?:OSITE)?\.?\s?SIDE|N\.S\.|F\.S\.|BEIDSEITIG|BEIDE\sSEITEN)(?![A-Za-z])\.?", _sides),
    _row(r"\[\s?[\d.,/ -]{1,16}(?:mm|\"|in)?\s?\]|"
        r"(?i:FULL\s?(?:THREAD|DEPTH)S?|MM|INCH|(?:INNEN|AUSSEN)?GEWINDE(?!\s?M\s?\d))(?![A-Za-z])", _nothing),
    _row(r"[,;:ⒺⒻⓅⓁⓂ]|\.(?!\d)|(?i:THD|THDS|THREADS?|TAP(?:PED)?)(?![A-Za-z])(?!:?\s*(?:MJ?\s?\d|[#.\d]))", _nothing),
)  # fmt: skip


SHARED: Final = tuple(row for row in MODIFIERS if row[1] in {_typical, _times, _spaced})
"""What holds for all features of a stack."""
THROUGH: Final = tuple(row for row in MODIFIERS if row[1] is _through)
DEPTHS: Final = tuple(row for row in MODIFIERS if row[1] is _depth)
CIRCLES: Final = tuple(row for row in MODIFIERS if row[1] is _circle)
"""What is no hole although it has a Ø: `Ø60 TK`, `Ø60 B.C.`."""
OWN: Final = tuple(row for row in MODIFIERS if row not in SHARED)
AFTERTHOUGHTS: Final = tuple(row for row in MODIFIERS if row[1] in {_through, _typical, _times})
"""What still counts behind words that no rule knows: `Ø8 FOR DOWEL, 2 PLCS`."""


def take(place: Place, members: Members, *, rows: tuple[tuple[re.Pattern[str], Handler], ...] = MODIFIERS) -> bool:
    """Read everything that modifies the feature at this place into the members; whether there was any."""
    before = place.scan.at
    while not place.scan.done and any(_take_row(row, place, members) for row in rows):
        pass
    return place.scan.at > before


def _take_row(row: tuple[re.Pattern[str], Handler], place: Place, members: Members) -> bool:
    found = place.scan.take(row[0])
    if found is None:
        return False
    row[1](found, members, place)
    return True
