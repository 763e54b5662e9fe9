"""What may follow any feature: how deep, through, how often, where, by which process.

One production per habit of writing in MODIFIERS, whose function puts what it means into the members.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from spatial.knowledge.callout_words import BASIC_WORD, spaced_words, words
from spatial.knowledge.quantities import AT_ANGLE, COUNT, HOLES, IN_PLACES, JIS_PROCESSES, PLACES, count_value
from spatial.understanding.sheet.callouts.feature import Members, Place, converted
from spatial.understanding.sheet.callouts.production import Production, named, production
from spatial.understanding.sheet.callouts.scanner import DECIMAL, FRACTION, number_value

Handler = Callable[[re.Match[str], Members, Place], None]

_NUMBER: Final = rf"(?P<n>{FRACTION}|{DECIMAL})\s?(?P<u>mm\b|\"|in(?:ch(?:es)?)?\.?(?![a-z]))?"
_DEEP: Final = rf"(?:{spaced_words('depth')}|(?i:LG\.?|LANG)(?![A-Za-z]))"
_DEPTH: Final = words("depth")
_POINT: Final = r"(?:(?<!(?i:dp))(?<!(?i:deep))(?<!(?i:depth))\.(?=\d))?"
"""Right behind a word for depth, a point before a figure ends an abbreviation, `prof.12`: only ASME writes no zero before the point."""
_BOUND: Final = r"(?P<b>(?i:M[IÍ]N|M[AÁ]X)\.?)?"
_EXTREME: Final = r"(?:(?i:M[AÁ]X(?:IMUM|IMAL|IMO|I)?|MASSIMO|M[IÍ]N(?:IMUM|IMAL|IMO|I|DESTENS)?|HÖCHSTENS)(?![A-Za-z\d])\.?|以[下上])"
"""Words for the greatest or the least size; in brackets, what it is of may follow: `1.2 (max, with coating)`."""
_CIRCLE: Final = r"(?i:B\.?\s?C\.?(?:D\.?)?|P\.?C\.?D\.?|BOLT\s?CIRCLE|TK\.?|LK\.?|LOCHKREIS|TEILKREIS|PITCH\s?CIRCLE)"


_NO_RANGE: Final = r"(?!\s[A-Z\d]{0,8}\d[A-WYZ]?\s*$)"
"""No number and nothing else stands behind: `12 THROUGH 15`, `1N5333B through 1N5388B` say from where to where."""


def _through(found: re.Match[str], members: Members, place: Place) -> None:
    members["through"] = True
    if found[1]:
        members.setdefault("quantity", int(found[1]))


def _depth(found: re.Match[str], members: Members, place: Place) -> None:
    written = found["n"]
    unit = {"mm": "millimeter", None: None}.get(found["u"], "inch")
    members.setdefault("depth", converted(number_value(written), unit, place.context.unit))
    members.setdefault("through", False)
    groups = found.groupdict()
    bound = groups.get("b") or groups.get("bound")
    if bound:
        members["depth_is"] = bound.lower().strip(".")
    if times := groups.get("times"):
        members.setdefault("quantity", int(times))


def _depth_behind_class(found: re.Match[str], members: Members, place: Place) -> None:
    members["depth"], members["through"] = number_value(found[1]), False


def _hole_depth(found: re.Match[str], members: Members, place: Place) -> None:
    """Behind the depth of a thread it is that of its drill."""
    unit = {"mm": "millimeter", None: None}.get(found["u"], "inch")
    members["hole_depth" if "depth" in members else "depth"] = converted(
        number_value(found["n"]), unit, place.context.unit
    )
    members.setdefault("through", False)


def _bound(found: re.Match[str], members: Members, place: Place) -> None:
    members["bound"] = (
        "max" if found[0].lstrip("( ").lower().startswith(("max", "máx", "mass", "höch", "以下")) else "min"
    )


def _basic(found: re.Match[str], members: Members, place: Place) -> None:
    members["boxed"] = True


def _reference(found: re.Match[str], members: Members, place: Place) -> None:
    members["reference"] = True


def _typical(found: re.Match[str], members: Members, place: Place) -> None:
    members["typical"] = True
    if times := found[1] or found[2]:
        members.setdefault("quantity", int(times))


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
    members.setdefault("process", JIS_PROCESSES.get(found[1], found[1].lower()))


def _hole(found: re.Match[str], members: Members, place: Place) -> None:
    members["called_hole"] = True


def _outside(found: re.Match[str], members: Members, place: Place) -> None:
    members["outside"] = True


def _sides(found: re.Match[str], members: Members, place: Place) -> None:
    members["sides"] = " ".join(found[0].lower().split())


def _around(found: re.Match[str], members: Members, place: Place) -> None:
    members["sides"] = "all around"


def _starts(found: re.Match[str], members: Members, place: Place) -> None:
    members["starts"] = {"double": 2, "triple": 3}.get(found[1].lower()) or int(found[1])


def _nothing(found: re.Match[str], members: Members, place: Place) -> None:
    """What has no meaning of its own: commas, envelope signs, `FULL THREAD`."""


MODIFIERS: Final[tuple[Production[Handler], ...]] = named((
    production(
        "through", "ASME Y14.5-2018 §4.6",
        rf"(?:↧\s?)?\(?{words('through')}{_NO_RANGE}\)?(?:\s?[xX]\s?(\d{{1,2}})(?=\s*$))?",
        _through, ("Ø8 THRU X 2", "quantity", 2),
        ("Ø8 THRU", "through", True), ("Ø8 À TRAVERS TOUT", "through", True), ("Ø8 貫通", "through", True),
    ),
    production(
        "depth-by-sign", "ASME Y14.5-2018 §4.6",
        rf"↧\s?(?:(?P<b>(?i:MIN|MAX)\.?)\s?)?{_NUMBER}(?:\s?±\s?{DECIMAL})?(?(b)|\s?(?P<bound>(?i:M[IÍ]N|M[AÁ]X)\.?)?)"
        r"(?:\s[xX]\s?(?P<times>\d{1,2})(?=\s*$))?(?![A-Za-z])",
        _depth, ("Ø8 ↧12", "depth", 12.0), ("Ø8 ↧12 MIN", "depth_is", "min"), ("M6 ↧7±0.05", "depth", 7.0),
        ("Ø8 ↧12 x 3", "quantity", 3),
    ),
    production(
        "hole-depth", "GB/T 4459.1",
        rf"(?:{HOLES}\s?↧|孔深)\s?{_NUMBER}(?![A-Za-z])",
        _hole_depth, ("M10-7H↧16 孔↧20", "hole_depth", 20.0), ("M8 深15 孔深20", "hole_depth", 20.0),
    ),
    production(
        "depth-behind", "practice",
        rf"(?:[xX,-]\s?)?{_NUMBER}\s?{_BOUND}\s?{_DEEP}(?!\s?[=:]?\s?[\d.,]*\d(?![\d.,]|\s?[xX]|\s?{PLACES}|\s?{_DEEP}))",
        _depth, ("Ø8 x 12 DEEP", "depth", 12.0), ("Ø8 12 TIEF", "depth", 12.0), ("M10 14 tief 14 deep", "depth", 14.0),
    ),
    production(
        "depth-before", "practice",
        rf"[xX-]?\s?{_DEPTH}{_POINT}\s?[:=]?\s?(?P<b>(?i:MIN|MAX)\.?)?\s?{_NUMBER}(?!\s?(?!{_DEPTH}){PLACES}(?![A-Za-z]))",
        _depth, ("Ø8 DEPTH 12", "depth", 12.0), ("M8 глуб. 12", "depth", 12.0), ("M8 prof.12", "depth", 12.0),
    ),
    production(
        "bound", "ASME Y14.5-2018 §5.3",
        rf"{_EXTREME}|\(\s?{_EXTREME}(?:\s?[,;:]\s?[^()\d]{{1,40}})?\s?\)",
        _bound, ("R5 MAX", "max", 5.0), ("17,5 MÍN.", "min", 17.5), ("R0.3以下", "max", 0.3), ("1.2 (max.)", "max", 1.2),
    ),
    production(
        "basic-by-word", "ASME Y14.5-2018 §3, JIS B 0021",
        rf"\(?\s?(?:{BASIC_WORD})\s?\)?",
        _basic, ("2.5 BSC", "type", "basic"), ("2X 1.27 BASIC", "type", "basic"),
    ),
    production(
        "reference", "ASME Y14.5-2018 §4.3, ISO 129-1 §9.8",
        r"\(?\s?(?i:REF(?:ERENCE|ERENZ)?|RÉF)(?![A-Za-z])\.?\s?\)?",
        _reference, ("12 REF", "type", "reference_dimension"),
    ),
    production(
        "typical", "practice",
        rf"\(?\s?{words('typical')}(?:\s?[xX]\s?(\d{{1,3}})(?=\s?\))|\.(\d{{1,2}})(?=\s?\)?\s*$))?\s?\)?",
        _typical, ("Ø8 TYP", "typical", True), ("Ø8 (TYP)", "typical", True), ("Ø8 (TYP. x 4)", "quantity", 4),
        ("Ø8 TYP.4", "quantity", 4),
    ),
    production(
        "equally-spaced", "ASME Y14.5-2018",
        words("spaced"),
        _spaced, ("4X Ø8 EQ SP", "equally_spaced", True), ("4X Ø8 EQS", "equally_spaced", True),
    ),
    production(
        "circle-diameter-first", "ASME Y14.5-2018 §4.6.10",
        rf"(?i:ON|AUF|SUR|SU)?\s?(?:A\s)?Ø\s?({FRACTION}|{DECIMAL})(?:\"|\s?mm)?\s?(?:±\s?{DECIMAL}\s?)?(?:DIA\.?\s?)?\(?{_CIRCLE}(?![A-Za-z]|\s?[=:]?\s?Ø?\s?{DECIMAL}(?!\s?(?:[xX-]|{PLACES})))\)?",
        _circle, ("4X Ø8 ON Ø60 B.C.", "bolt_circle_diameter", 60.0),
    ),
    production(
        "circle-word-first", "practice",
        rf"(?i:ON|AUF|SUR|SU)?\s?(?:A\s)?{_CIRCLE}\s?[=:]?\s?Ø?\s?({FRACTION}|{DECIMAL})\"?",
        _circle, ("4X Ø8 ON PCD 60", "bolt_circle_diameter", 60.0),
    ),
    production(
        "circle-number-first", "practice",
        rf"(?:(?i:ON|AUF|SUR|SU)\s)?(?:A\s)?({FRACTION}|{DECIMAL})\"?\s?(?:DIA\.?\s?)?{_CIRCLE}(?![A-Za-z])",
        _circle, ("4X Ø8 ON 60 B.C.", "bolt_circle_diameter", 60.0),
    ),
    production(
        "times-with-word", "ASME Y14.5-2018 §4.6.10, GOST 2.307",
        rf"(?:[xX-]\s?)?\(?\s?(?:[xX-]\s?)?{IN_PLACES}?({COUNT})\s?\)?\s?{PLACES}(?![A-Za-z])\.?\)?"
        rf"(?:\s?\((?:\d{{1,2}}\s)?{AT_ANGLE}\s?\))?",
        _times, ("Ø8 4 PLCS", "quantity", 4), ("Ø2 ↧2 4 PLACES (2 @ 90°)", "quantity", 4), ("Ø8 4 отв.", "quantity", 4),
        ("R0.2 IN 4 POS.", "quantity", 4),
        ("M5 THRU -( 3 ) HOLES", "quantity", 3),
    ),
    production(
        "times-before", "practice",
        rf"\(?{words('count')}\s?[:=]?\s?(\d{{1,3}})(?![\d.,]*\d)\)?",
        _times, ("M5 QTY 2", "quantity", 2), ("M5 Cant. 2 Prof. 14", "quantity", 2), ("Ø8 Anz. 4", "quantity", 4),
    ),
    production(
        "times-behind", "practice",
        r"\(\s?(\d{1,3})\s?[xX]?\s?\)|\(\s?[xX*]\s?(\d{1,3})\s?\)|(?:\(|-\s?)?\s?(\d{1,3})\s?[xX]\)?(?=\s*$|\s?\(?\s?(?i:TYP)(?![A-Za-z]))|[xX](\d{1,3})(?=\s*$)|(?<=[A-Za-z]\s)[xX]\s(\d{1,2})(?=\s*$)",
        _times, ("Ø8 (4x)", "quantity", 4), ("Ø8 - 4X", "quantity", 4), ("C0.5 (x4)", "quantity", 4), ("Ø8 THRU X 2", "quantity", 2),
    ),
    production(
        "hand", "ISO 6410-1, ASME B1.1",
        r"-?\s?(?i:LH|RH|L\.H\.|LEFT[\s-]?HAND|RIGHT[\s-]?HAND|"
        r"LINKS(?:GEWINDE)?|RECHTS(?:GEWINDE)?|SINISTR[OA]|GAUCHE|IZQ(?:UIERDA)?)(?![A-Za-z])",
        _hand, ("M8 LH", "hand", "left"), ("M8 links", "hand", "left"),
    ),
    production(
        "mark", "GOST 2.307",
        r"\*{1,4}",
        _mark, ("Ø8* THRU", "mark", "*"),
    ),
    production(
        "starts", "ISO 965-1, ASME B1.5",
        r"(?i:(\d|DOUBLE|TRIPLE)[\s-]?STARTS?)(?![A-Za-z])",
        _starts, ("M16xPh6P2 TRIPLE START", "starts", 3),
    ),
    production(
        "process", "practice",
        r"((?i:DRILL|REAM|BORE|PUNCH|DRILLED|REAMED|BORED|GEBOHRT|GERIEBEN|GEBOHRUNG|BOHREN|REIBEN|CAST|MILL|COUNTERDRILL)"
        rf"(?=\s?(?i:ED|AND|&)?(?![A-Za-z]))|{'|'.join(JIS_PROCESSES)})(?:\s?(?i:ED|AND|&)(?![A-Za-z]))?",
        _process, ("Ø8 REAM", "process", "ream"), ("Ø8 DRILL", "process", "drill"), ("4x10キリ", "process", "drill"),
    ),
    production(
        "hole-word", "practice",
        rf"{HOLES}(?!\s?/\s?[^\W\d_])|(?:[^\W\d_]{{2,12}}\s){{1,2}}{HOLES}(?=\s*$)|(?i:KERNLOCH|KERNBOHRUNG|PILOT|CLEARANCE\s?HOLES?|TAP\s?DRILL)(?![A-Za-z])",
        _hole, ("4 HOLES Ø8", "type", "hole"), ("Ø13.5 BOLT HOLE", "type", "hole"),
    ),
    production(
        "outside", "ASME Y14.38",
        r"(?:(?i:STANDOFF|SHAFT|BOSS|PIN)\s)?(?:O\.?D\.?|(?i:OUTSIDE\s?DIA(?:METER)?|AUSSEN))(?![A-Za-z\d])",
        _outside, ("Ø8 ±0.1 OD", "type", "tolerance"),
    ),
    production(
        "sides", "practice",
        r"(?i:BOTH\s?SIDES|NEAR\s?SIDE|FAR\s?SIDE|BOTH\s?ENDS|"
        r"OPP(?:OSITE)?\.?\s?SIDE|N\.S\.|F\.S\.|BEIDSEITIG|BEIDE\sSEITEN)(?![A-Za-z])\.?",
        _sides, ("R5 BOTH SIDES", "sides", "both sides"),
    ),
    production(
        "around", "ISO 1302, ISO 2553, ASME Y14.5-2018 by their circle; in words by practice",
        rf"\(?{words('around')}\)?",
        _around, ("R1 max ALL AROUND", "sides", "all around"), ("1,5±0,3 по контуру", "sides", "all around"),
    ),
    production(
        "square", "ASME Y14.38",
        r"(?:SQ|SQUARE)(?![A-Za-z])\.?(?!\s?(?i:MM|CM|IN|FT|M)(?![A-Za-z]))",
        _nothing, ("12.5 SQ REF", "type", "reference_dimension"),
    ),
    production(
        "second-unit", "ASME Y14.5-2018 §4.2",
        r"(?:\[|(?=[\d.,ØSR]))\s?(?:S?Ø|SR|R)?\s?[\d.,/ +±-]{1,32}(?:mm|\"|in\.?)?\s?(?i:MAX\.?|MIN\.?|REF\.?|TYP\.?)?\s?\]",
        _nothing, ("Ø8 [.315] THRU", "through", True), ("2.54±0.05 [.100±.002] TYP", "typical", True),
        ("8.7 [.343] REF", "type", "reference_dimension"),
    ),
    production(
        "full-thread", "practice",
        rf"(?i:FULL\s?(?:THREAD|DEPTH)S?|MM|INCH)(?![A-Za-z])|{words('thread')}(?!:?\s*(?:MJ?\s?\d|[#.]\d|\d{{1,2}}(?:/\d{{1,2}})?\s?-\s?\d))",
        _nothing, ("M8 FULL THREAD", "type", "thread"), ("4-M5タップ", "quantity", 4),
    ),
    production(
        "joint", "practice",
        r"[,;:ⒺⒻⓅⓁⓂ]|\.(?!\d)",
        _nothing, ("Ø8, THRU", "through", True),
    ),
))  # fmt: skip


BEHIND_CLASS: Final[tuple[Production[Handler], ...]] = named((
    production(
        "depth-behind-class", "GOST 2.318",
        rf"[xX]\s?(?!{COUNT}\s?{PLACES}(?![A-Za-z]))({DECIMAL})(?!\s?[°\w])",
        _depth_behind_class, ("Ø4H7x8", "depth", 8.0), ("M6-7Hx15", "depth", 15.0),
    ),
))  # fmt: skip
"""How deep a hole of a class, or its thread, is; behind a size without a class an x means other things."""


SHARED: Final = tuple(row for row in MODIFIERS if row.meaning in {_typical, _times, _spaced})
"""What holds for all features of a stack."""
COUNTS: Final = tuple(row for row in MODIFIERS if row.meaning is _times)
THROUGH: Final = tuple(row for row in MODIFIERS if row.meaning is _through)
DEPTHS: Final = tuple(row for row in MODIFIERS if row.meaning is _depth)
CIRCLES: Final = tuple(row for row in MODIFIERS if row.meaning is _circle)
"""What is no hole although it has a Ø: `Ø60 TK`, `Ø60 B.C.`."""
SECOND_UNIT: Final = tuple(row for row in MODIFIERS if row.name == "second-unit")
"""The same size in the other unit; an exporter may have lost the bracket that opens."""
TYPICAL: Final = tuple(row for row in MODIFIERS if row.meaning is _typical)
OF_REFERENCE: Final = tuple(
    row
    for row in MODIFIERS
    if row in SHARED or row.meaning in {_reference, _mark, _sides, _around} or row.name in {"second-unit", "joint"}
)
"""What may stand behind a size in round brackets, outside them."""
OWN: Final = tuple(row for row in MODIFIERS if row not in SHARED)
AFTERTHOUGHTS: Final = tuple(
    row for row in MODIFIERS if row.meaning in {_through, _typical, _times} or row.name == "depth-by-sign"
)
"""What still counts behind words that no rule knows: `Ø8 FOR DOWEL, 2 PLCS`, `Ø8 ON CENTER ↧12`."""


def take(place: Place, members: Members, *, rows: tuple[Production[Handler], ...] = MODIFIERS) -> bool:
    """Read everything that modifies the feature at this place into the members; whether there was any."""
    before = place.scan.at
    while not place.scan.done and any(_take_row(row, place, members) for row in rows):
        pass
    return place.scan.at > before


def take_depth_behind_class(place: Place, members: Members) -> bool:
    """Read the depth of a hole or a thread whose class was read; whether there was one."""
    return any(_take_row(row, place, members) for row in BEHIND_CLASS)


def is_here(place: Place) -> bool:
    """Whether something that modifies a feature stands at this place."""
    return any(place.scan.sees(row.pattern) for row in MODIFIERS)


def _take_row(row: Production[Handler], place: Place, members: Members) -> bool:
    found = place.scan.take(row.pattern)
    if found is None:
        return False
    row.meaning(found, members, place)
    return True
