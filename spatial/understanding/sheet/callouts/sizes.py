"""A dimension with its sign, its tolerance class or deviations, and its second limit.

ISO 129-1, ISO 406 (deviations), ASME Y14.5-2018 §5.3 (limit and plus-minus tolerancing), DIN 406-12.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from spatial.knowledge.callout_words import words
from spatial.knowledge.inches import MILLIMETERS_AN_INCH, is_in_inches
from spatial.knowledge.quantities import PLACES
from spatial.understanding.sheet.callouts import hole_treatment, iso286, modifiers
from spatial.understanding.sheet.callouts.bracketed_limits import read_bracketed_limits
from spatial.understanding.sheet.callouts.feature import (
    DIGITS,
    SIZE,
    Feature,
    FeatureRule,
    Members,
    Place,
    Size,
)
from spatial.understanding.sheet.callouts.grade import read_grade
from spatial.understanding.sheet.callouts.scanner import DECIMAL, FRACTION, Number, Scanner, decimal_value, number_value
from spatial.understanding.sheet.callouts.size_again import take_size_again

DIAMETER_SIGNS: Final = frozenset(("Ø", "SØ"))
RADIUS_SIGNS: Final = frozenset(("R", "SR", "CR"))
_SIGNS_OF: Final = {"diameter": "Ø", "radius": "R"}
"""What a dimension measures to the sign that its text has, or would have."""
MOST_SINGLE_DEVIATION: Final = 0.5
"""Of its size: a single number behind a size that is larger is another dimension."""
CLOSE_LIMITS: Final = 1.2
"""Greatest ratio of two limits that nothing but their order joins; a larger one is two dimensions."""
WIDE_LIMITS: Final = 2.0
"""Greatest ratio of two limits that a dash joins, or that stand one over the other at the part."""
COARSEST: Final = "16"
"""ISO 286-1: grades 17 and 18 are of sheet and raw stock."""

_SPHERE: Final = words("sphere")
_FILLET: Final = (
    r"(?:(?!(?i:ALL|ANY|EACH|EVERY|OTHER|NOT?|NICHT|TYP)\s)[^\W\d_]{3,12}\s)?"
    rf"{words('fillet')}"
)
"""One fillet, named by a word and perhaps one before it; several without their number are a note on all of them."""
_SIGN: Final = re.compile(
    r"(?:(?i:TRUE)\s(?=R))?"  # ASME Y14.5-2018 §4.4: a radius in a view that does not show its true shape; translated behind its letter
    rf"(?P<sphere>{_SPHERE}\s?)?"
    rf"(?P<fillet>{_FILLET}(?:\s?R)?\s?\(?)?"
    rf"(?:(?P<sign>S\s?Ø|Ø|SR|R(?=\s?(?i:TRUE|REALE?|VRAI)\s?\d)|CR(?!\d{{4}}(?![\d.,]))|R(?=\s?(?:MAX|MIN)\.?\s?[\d.,])|R|□)|(?P<diameter>{words('diameter')})|(?P<radius>{words('radius')}(?:\s?R(?=\s?\d))?)|(?(fillet)|(?!)))"
    rf"(?:\s?(?i:TRUE|REALE?|VRAI))?(?:\s?(?P<bound>(?:MAX|MIN)(?![A-Za-z]))\.?)?\s?[=:]?\s?(?=\d|[.,]\d)(?(sign)|(?!\d{{1,3}}\s?(?:[xX](?![\dA-Za-z])|[xX]?\s?\)|{PLACES})))"
)
"""CR and four digits are a lithium cell (IEC 60086-3), no controlled radius; behind a word, a count is none: `R3 FILLET 4X`."""
_CLOSED: Final = re.compile(r"\)")
_SPHERE_BEHIND: Final = re.compile(rf"(?P<open>\(\s?)?{_SPHERE}(?(open)\s?\))")
_BEHIND: Final = re.compile(
    rf"(?P<diameter>Ø(?!\s?[.,]?\d)|{words('diameter')})|(?P<radius>{words('radius')}|{words('fillet')}(?!\s?R)|(?i:R)(?![A-Za-z\d]))"
)
_TORN: Final = re.compile(r"\]")
"""Behind a size in the second unit whose bracket was lost: its size is written elsewhere."""
_CLASS: Final = re.compile(
    rf"(?P<open>\((?!\s?M))?\s?(?!M\d{{1,2}}\s{words('thread')})([A-Z]{{1,2}}|[a-z]{{1,2}}|Js)\s?(01|0|1[0-8]|[1-9])(?:(?=\s?[xX]\s?\d)|(?![\dA-Za-z]|[.,]\d))(?(open)\s?\))"
)
"""Also in brackets, where M6 is the screw of a clearance hole: `Ø6.5 (M6)`; before a word for a thread it is that: `Ø5 M6 TAPPED`."""
_NEXT_CODE: Final = re.compile(r"[A-Z]{1,2}\d{1,2}(?!\d)|[=Ω]")
"""Behind a class, where nothing ties the text to the part: a row of names, `17 G4 G5`, or a resistance, `35K7 = 14k2`; both classes of a
fit have a slash between them."""
_BEARING: Final = re.compile(r"\s?([Ll])\s?([024-6])(?![\d.,A-Za-z])")
"""GOST 3325: the class of a bearing's bore or outside diameter, beside that of the shaft or housing: `Ø35 L0/k6`, `Ø72 H7/l0`."""
_AND: Final = re.compile(r"\s?[/-]?\s?")
_ARC: Final = r"\d{1,3}\s?°\s?\d{1,2}(?:[.,]\d{1,3})?\s?'(?:\s?\d{1,2}(?:[.,]\d{1,3})?\s?\")?|\d{1,2}\s?'\s?\d{1,2}(?:[.,]\d{1,3})?\s?\""
"""Degrees, minutes and seconds of a deviation: `0°30'`, `0°0'30"`, `5'30"`."""
_ARC_PARTS: Final = re.compile(r"([+-]?)(?:([\d.]+)°)?(?:([\d.]+)')?(?:([\d.]+)\")?")
_PLUS_MINUS: Final = re.compile(rf"(?P<open>\(\s?)?±\s?({FRACTION}|{_ARC}|{DECIMAL})\s?(°|'|\"|mm)?(?(open)\s?\))")
_SIGNED: Final = rf"(?:[+-]\s?(?:{FRACTION}|{_ARC}|0?[.,]\d{{1,6}}|(?!0\d)\d{{1,5}}(?:[.,]\d{{1,6}})?)|0(?:[.,]0{{1,6}})?)(?!\d|[.,]\d)"
_DEGREES: Final = r"\s?(°|'|\"|mm)?"
_AGAIN: Final = r"(?:\s?\[\s?[+-]?\s?\d{0,3}(?:[.,]\d{1,4})?\s?\])?"
"""A deviation in the other unit behind it: `.105 [2.67] +.002 [+0.05] -.005 [-0.13]` (ASME Y14.5-2018 §4.2)."""
_PAIR: Final = re.compile(rf"(?:\(\s*)?({_SIGNED}){_DEGREES}{_AGAIN}\s*/?\s*({_SIGNED}){_DEGREES}{_AGAIN}(?:\s*\))?")
_DEEP: Final = words("depth")
"""Inventor's DIN styles write a depth behind a dash: `Ø6,00 -30,00 DEEP`."""
_TORN_DECIMALS: Final = re.compile(rf"([.,]\d{{1,4}})(?![\d.,]|\s?(?:mm\s?)?{_DEEP})")
"""Behind a whole number and a blank: `R 4 .25` is R4.25, or two sizes of a sheet in inches."""
_DEPTH: Final = re.compile(rf"(?:mm\s?)?{_DEEP}(?!\s?[=:]?\s?[\d.,])")
_GLUED: Final = r"(?!(?i:mm|cm|in|typ|ref|max|min|dia|deep|thru|pl|[oi]\.?d))[A-Za-z]"
"""A letter right behind a deviation makes it a factor: `20+0.1Cb`."""
_SINGLE: Final = re.compile(
    rf"(?:\+\s?|(?<=\s)-|[-_](?=0[.,]\d))({_ARC}|\d{{1,5}}[.,]\d{{1,6}}|\d{{1,5}}|[.,]\d{{1,6}})(?![\d:/x-]|[.,]\d|{_GLUED})(?:\s?([°'\"]))?(?!\s?(?:mm\s?)?{_DEEP})"
)
_BRACKETED: Final = re.compile(r"\(\s?([+-]\s?\d{0,2}[.,]\d{1,4})\s?(?:mm\s?)?\)")
"""The only deviation other than nothing, in brackets behind a class (ISO 129-1, GOST 2.307): `Ø40H7(+0,025)`."""
_OVER_ZERO: Final = re.compile(r"\+?(\d{0,3}[.,]\d{1,6})\s+0(?![\d.,])")
"""Stacked deviations of which the lower is nothing: `Ø8 0.050 0`."""
_LOWER: Final = re.compile(r"-\s?0?[.,]\d{1,4}(?![\d.,])")
_WITHOUT_PLUS: Final = re.compile(rf"(0?[.,]\d{{1,4}})\s+(?={_LOWER.pattern})")
"""Stacked deviations of which the upper lacks its sign: `Ø14 0.05 -0.10`."""
_PLUS_PLUS: Final = re.compile(r"(?:\(\s*)?\+\s?(0?[.,]\d{1,4})\s+(0?[.,]\d{1,4})(?![\d.,])(?:\s*\))?")
"""Two deviations over nothing of which the lower lacks its sign: `Ø60k6 (+0.021 0.002)`."""
_RANGE: Final = re.compile(r"(-|/|\.{2,3}|÷|~|(?i:to|bis|à)(?=\s))")
_BOTH_AGAIN: Final = re.compile(rf"\[\s?(?:S?Ø|R)?\s?({DECIMAL})[\s/]{{1,3}}(?:S?Ø|R)?\s?({DECIMAL})\s?\]")
"""Both limits in the other unit (ASME Y14.5-2018 §4.2): `1.60 1.20 [.063 .047]`."""
_PLACES: Final = re.compile(rf"{PLACES}(?![A-Za-z])|[xX]\s*$")
"""Behind a second number: `Ø8 - 4 HOLES` and `Ø8 - 4X` have no limits."""
_FOLLOWS: Final = re.compile(
    rf"(?:[xX-]\s?)?(?:\d{{1,3}}\s?(?:{PLACES}(?![A-Za-z])|[xX]\s*$)|{DECIMAL}\s?(?:mm\s?)?{_DEEP}|(?i:THRU)(?![A-Za-z]))"
)
"""How often, how deep: what may stand behind limits."""
_SMALLEST: Final = 1e-9
"""Stands for a size of nothing in ratios."""
_TIMES: Final = re.compile(r"[xX]\s?(\d{1,3})(?=\s*$)")
"""Behind a radius, of which nothing is a depth or a width: `R.030 × 8`."""
_PREFIXES: Final = frozenset("kmnp")
_LONE_LETTERS: Final = frozenset(
    ("D", "E", "F", "G", "H", "JS", "K", "N", "P", "d", "e", "f", "g", "h", "js", "k", "m", "n", "p", "r", "s")
)


def read_size(place: Place) -> Feature | None:
    """The dimension at this place, its type still to be told."""
    start = place.scan.start
    size = _size(place)
    if size is None or place.scan.sees(_TORN):
        return None
    members: Members = {}
    if size.sign == "Ø" and size.classes:
        modifiers.take_depth_behind_class(place, members)
    is_bore = any(letter.isupper() for letter, _ in size.classes)
    members = members if is_bore else {}
    if size.bound:
        members["bound"] = size.bound
    if size.sign in RADIUS_SIGNS and (times := place.scan.take(_TIMES)):
        members["quantity"] = int(times[1])
    return Feature(SIZE, start, place.scan.at, members, size=size)


def _size(place: Place) -> Size | None:
    scan = place.scan
    found = scan.take(_SIGN)
    sign = _sign(found) if found else ""
    number = _number(place, sign)
    if number is None:
        return None
    if found and found["fillet"]:
        scan.take(_CLOSED)
    is_nothing = not sign and place.context.unit != "inch" and number.value == 0 and number.unit != "degree"
    if is_nothing and not place.is_origin:
        return None
    if not sign and number.unit != "degree" and (behind := scan.take(_BEHIND)):
        sign = "Ø" if behind["diameter"] else "R"
    if not sign and place.measured and number.unit != "degree":
        sign, place.measured = _SIGNS_OF[place.measured], None
    modifiers.take(place, {}, rows=modifiers.SECOND_UNIT)
    size = Size(sign, number, bound=(found["bound"] or "").lower() if found else "")
    size.classes = _classes(place, size)
    take_size_again(place, size)
    _deviations(place, size)
    take_size_again(place, size)
    if size.upper is None:
        read_bracketed_limits(place, size)
    if size.upper is None and not size.classes:
        size.other = _second_limit(place, size)
    if size.sign in ("R", "Ø") and scan.take(_SPHERE_BEHIND):
        size.sign = f"S{size.sign}"
    return size


def _number(place: Place, sign: str) -> Number | None:
    """The number of a size; behind a sign, also one whose decimals an exporter has set apart, as no metric size begins with a point
    (ISO 129-1). None where it may be that or two sizes."""
    number = place.scan.number(fractions=bool(sign))
    if not sign or number is None or not number.is_whole or place.context.unit == "inch":
        return number
    decimals = place.scan.sees(_TORN_DECIMALS) if number.unit is None else None
    if decimals is None:
        return number
    if place.context.unit is None:
        return None
    place.scan.take(_TORN_DECIMALS)
    written = number.written + decimals[1]
    return replace(number, value=decimal_value(written), decimals=len(decimals[1]) - 1, written=written)


def _sign(found: re.Match[str]) -> str:
    """The sign that stands before a size, or that words before it say."""
    sign = (found["sign"] or ("Ø" if found["diameter"] else "R")).replace(" ", "")
    return f"S{sign}" if found["sphere"] and sign in ("R", "Ø") else sign


def _classes(place: Place, size: Size) -> tuple[tuple[str, str], ...]:
    if size.is_angular:
        return ()
    if size.sign in RADIUS_SIGNS:  # `R2 A3` may be anything; the classes of a hole and a shaft are no such thing
        with place.scan.trial() as trial:
            both = _both_classes(place, size)
            trial.kept = len(both) > 1 or _is_of_a_bore(both, place, size)
        return both if trial.kept else ()
    return _both_classes(place, size)


def _is_of_a_bore(classes: tuple[tuple[str, str], ...], place: Place, size: Size) -> bool:
    """Whether one class behind a radius ends its text: half a bore is drawn, `R42,50 H7`. Behind a whole number it is that of a bore,
    with no blank before it: `R113H7`."""
    if len(classes) != 1 or classes[0][0] not in _LONE_LETTERS or not place.scan.done:
        return False
    is_glued = classes[0][0] == "H" and f"{size.number.written}H" in place.scan.text
    return size.number.decimals > 0 or (is_glued and not place.is_free)


def _both_classes(place: Place, size: Size) -> tuple[tuple[str, str], ...]:
    scan = place.scan
    first = _class(place, size)
    with scan.trial() as trial:
        bearing = None if first else _bearing(scan)
        if first is None and bearing is None:
            return ()
        scan.take(_AND)
        second = _class(place, size) or (_bearing(scan) if first else None)
        one = first or bearing
        if one and second and second[0].isupper() != one[0].isupper():
            trial.kept = True
            return tuple(sorted((one, second), key=lambda pair: pair[0].islower()))
    return (first,) if first else ()


def _bearing(scan: Scanner) -> tuple[str, str] | None:
    found = scan.take(_BEARING)
    return (found[1], found[2]) if found else None


def _class(place: Place, size: Size) -> tuple[str, str] | None:
    with place.scan.trial() as trial:
        found = place.scan.take(_CLASS)
        letters = "JS" if found and found[2] == "Js" else found[2] if found else ""
        if not found or not iso286.usual(letters, found[3]):
            return None
        if not _is_believable(letters, place, size) or (place.is_free and place.scan.sees(_NEXT_CODE)):
            return None
        trial.kept = True
        return letters, found[3]


def _is_believable(letter: str, place: Place, size: Size) -> bool:
    """`10 A3`, `2 R5`, `10x5` and `4 M8` without Ø are no classes unless deviations follow."""
    followed = place.scan.sees(_PAIR) or place.scan.sees(_SINGLE)
    if letter in {"x", "X"}:
        return bool(followed)
    if size.sign in (*DIAMETER_SIGNS, *RADIUS_SIGNS) or followed:
        return True
    if (
        place.is_free
        and letter in _PREFIXES
        and place.scan.text[place.scan.at - 1 :: -1].lstrip("0123456789")[1:2].isdigit()
    ):
        return False  # `4k7` is a resistor's value: IEC 60062 puts the prefix where the decimal sign is
    return letter in _LONE_LETTERS and (letter not in {"D", "E", "N", "P", "d", "e", "m", "s"} or not place.is_free)


def read_late_deviations(place: Place, size: Size) -> bool:
    """Read deviations that stand behind THRU, where the size has none: `Ø3 THRU +0.1/-0.0`; whether there were any."""
    is_open = size.upper is None and size.other is None and not size.classes
    if not is_open or not (place.scan.sees(_PLUS_MINUS) or place.scan.sees(_PAIR)):
        return False
    _deviations(place, size)
    return size.upper is not None


def _deviations(place: Place, size: Size) -> None:
    scan = place.scan
    if read_grade(place, size):
        return
    if found := scan.take(_PLUS_MINUS):
        _add_plus_minus(size, found[2], found[3])
    elif found := scan.sees(_PAIR):
        if any(written[0] in "+-" for written in (found[1], found[3])):
            scan.take(_PAIR)
            _add_pair(size, found[1], found[3], found[2] or found[4], found[4] or found[2])
    elif found := scan.take(_BRACKETED):
        _add_pair(size, found[1], "-0" if found[1].startswith("+") else "+0")
    elif (found := scan.sees(_PLUS_PLUS)) and _value(found[1]) > _value(found[2]) and _is_plausible(found, place, size):
        scan.take(_PLUS_PLUS)
        _add_pair(size, f"+{found[1]}", f"+{found[2]}")
    elif (found := scan.sees(_WITHOUT_PLUS)) and _is_plausible(found, place, size):
        scan.take(_WITHOUT_PLUS)
        lower = scan.take(_LOWER)
        _add_pair(size, f"+{found[1]}", lower[0] if lower else "0")
    elif (found := scan.sees(_OVER_ZERO)) and _is_plausible(found, place, size):
        scan.take(_OVER_ZERO)
        _add_pair(size, found[1], "0")
    elif (found := scan.sees(_SINGLE)) and _is_plausible(found, place, size):
        scan.take(_SINGLE)
        sign, zero = ("+", "-0") if found[0].startswith("+") else ("-", "+0")
        _add_pair(size, sign + found[1], zero, found[2])


def _add_plus_minus(size: Size, written: str, unit: str | None) -> None:
    _make_angular(size, written, unit)
    value = round(_value(written) / _parts_of_a_degree(size, unit), DIGITS)
    size.upper, size.lower, size.decimals = value, -value, _decimals(written)


def _parts_of_a_degree(size: Size, unit: str | None) -> int:
    """Minutes of arc are sixtieths of a degree, seconds sixtieths of minutes."""
    return {"'": 60, '"': 3600}.get(unit or "", 1) if size.is_angular else 1


def _make_angular(size: Size, written: str, unit: str | None) -> None:
    """A deviation in degrees says that its size, too, is an angle: `45 ±0°30'`."""
    if ("°" in written or unit == "°") and not size.sign and size.number.unit is None:
        size.number = replace(size.number, unit="degree")


def _add_pair(size: Size, first: str, second: str, unit: str | None = None, unit_of_second: str | None = None) -> None:
    _make_angular(size, first + second, unit)
    values = _value(first) / _parts_of_a_degree(size, unit), _value(second) / _parts_of_a_degree(size, unit_of_second)
    size.upper, size.lower = round(max(values), DIGITS) + 0.0, round(min(values), DIGITS) + 0.0
    size.decimals = max(_decimals(first), _decimals(second))


def _is_plausible(found: re.Match[str], place: Place, size: Size) -> bool:
    """A single deviation is small beside its size, and has a decimal sign unless a class or a dimension line vouches for it."""
    written = found[1]
    unit = found[2] if found.re.groups > 1 else None
    if found[0].startswith("_") and place.is_free:
        return False  # a low stroke is typed for the minus of a lower deviation; elsewhere it joins words
    small = abs(_value(written) / _parts_of_a_degree(size, unit)) < MOST_SINGLE_DEVIATION * max(
        size.number.value, _SMALLEST
    )
    return small and (bool(size.classes) or bool(unit) or bool(re.search("[.,°']", written)) or not place.is_free)


def _second_limit(place: Place, size: Size) -> Number | None:
    scan = place.scan
    with scan.trial() as trial:
        spaced = scan.start in place.breaks or scan.start > scan.at
        joint = scan.take(_RANGE)
        scan.take(_SIGN)
        other = scan.number()
        if (
            other is None
            or not (joint or spaced)
            or scan.sees(_DEPTH)
            or (other.is_whole and scan.sees(_PLACES))
            or not _are_limits(place, size, other, joint)
        ):
            return None
        trial.kept = True
        return other


def _are_limits(place: Place, size: Size, other: Number, joint: re.Match[str] | None) -> bool:
    """`10.2` over `10.0` are limits; `12-13` may be a page, `100 12` two dimensions."""
    low, high = sorted((size.number.value, other.value))
    if joint and size.number.unit == other.unit == "degree" and not place.is_free:
        return low < high  # `0°-8°` of a lead
    if (
        low <= 0
        or low == high
        or {size.number.unit, other.unit} not in ({None}, {size.number.unit}, {None, other.unit})
    ):
        return False
    close = high <= CLOSE_LIMITS * low
    if place.is_free and not close and size.number.value > other.value:
        return False  # `4.5 - 2.5` goes from one to the other
    exact = bool(size.number.decimals or other.decimals)
    if joint is None:
        if any(place.scan.sees(word) for word in hole_treatment.WORDS):
            return False
        if _are_written_again(place.scan, size.number, other):
            return True
        is_last_line = bool(place.breaks) and place.scan.at >= max(place.breaks)
        stacked = not place.is_free and high <= WIDE_LIMITS * low and is_last_line
        return (
            (close or stacked)
            and exact
            and size.number.decimals == other.decimals
            and _is_toleranced(place, size, low, high)
            and _is_at_end(place.scan)
        )
    if joint[1] in {"-", "/"}:
        return size.number.decimals == other.decimals and (
            (exact or (not place.is_free and joint[1] == "-"))
            and high <= WIDE_LIMITS * low
            and (close or joint[1] == "-")
        )
    return not place.is_free or exact


def _are_written_again(scan: Scanner, one: Number, other: Number) -> bool:
    """Whether two numbers stand again in brackets behind them, in the other unit: they are limits, however far apart."""
    found = scan.sees(_BOTH_AGAIN)
    if found is None or not (one.decimals and other.decimals):
        return False
    return all(_is_converted(number, written) for number, written in ((one, found[1]), (other, found[2])))


def _is_converted(number: Number, written: str) -> bool:
    """Whether a number in brackets is one before them in the other unit."""
    before, within = (number.value, number.decimals), (_value(written), _decimals(written))
    return is_in_inches(*before, *within) or is_in_inches(*within, *before)


def _is_toleranced(place: Place, size: Size, low: float, high: float) -> bool:
    """Whether two lengths differ by no more than the coarsest grade that parts are made to; what differs more is two dimensions.

    One dimension line with both at its middle says by itself that they are limits.
    """
    if place.role == "dimension":
        return True
    millimetres = MILLIMETERS_AN_INCH if (size.number.unit or place.context.unit) == "inch" else 1.0
    width = None if size.is_angular else iso286.tolerance(high * millimetres, COARSEST)
    return width is None or (high - low) * millimetres <= width / 1000


def _is_at_end(scan: Scanner) -> bool:
    """Whether no further size follows; a count or a depth may."""
    rest = scan.text[scan.at :].strip()
    return not rest or bool(_FOLLOWS.match(rest)) or (rest[0] not in "±+-x°" and not rest[0].isdigit())


def _value(written: str) -> float:
    """A deviation; of degrees, minutes and seconds, in degrees."""
    if "/" in written:
        return number_value(written.lstrip("+- ")) * (-1 if written.startswith("-") else 1)
    plain = written.replace(",", ".").replace(" ", "")
    arc = _ARC_PARTS.fullmatch(plain)
    if arc is None or plain[-1] not in "'\"°":
        return float(plain)
    degrees, minutes, seconds = (float(part or 0) for part in arc.groups()[1:])
    return round(degrees + minutes / 60 + seconds / 3600, DIGITS) * (-1 if arc[1] == "-" else 1)


def _decimals(written: str) -> int:
    parts = re.split("[.,]", written)
    return len(parts[1]) if len(parts) > 1 else 0


SIZES: Final = FeatureRule(SIZE, read_size)
