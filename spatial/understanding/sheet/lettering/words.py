"""What pieces of dimension lettering look like, and which of them go together.

Glossary
  deviation   a signed limit of a size: +0.02; a plain 0 counts beside a signed one.
  class       a tolerance class of ISO 286: H7, js6.
  reach       how far apart two pieces on one baseline may stand and still be read as one, in letter heights.
"""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.callout_words import words as callout_words
from spatial.knowledge.quantities import AT_ANGLE, COUNT, IN_PLACES, PLACES
from spatial.understanding.sheet.lettering.printed_size import NUMBER, is_second_unit, printed_size

RUNNING: Final = 0.8
"""Reach between words of running text."""
REACH_DEVIATION: Final = 2.0
REACH_LONE_DEVIATION: Final = 0.6
"""Of a deviation behind a text without a digit."""
MOST_OF_SIZE: Final = 0.5
"""That a ± beyond a line may be of its size."""
REACH_BEND: Final = 1.5
"""Of the radius behind `UP 90°`, a bend note."""
REACH_OPENING: Final = 2.0
"""Behind a sign, a prefix or a quantity, which ask for what follows."""
REACH_SIZES: Final = 0.6
"""Between a bare number with an open bracket or sign and the number that it belongs to."""
REACH_CLOSING: Final = 1.8
REACH_SUFFIX: Final = 1.6
"""Of a tolerance class or a word such as THRU."""
REACH_UNIT: Final = 2.2
"""Of a unit or a word such as REF alone, which is of the number before it; what draws letters as strokes writes their texts narrower than
they look."""
REACH_BRACKET: Final = 1.4
REACH_ITEM: Final = 1.5
"""Behind the number of a note."""
BLANK: Final = 0.12
"""Letter heights of a gap that is a blank."""
LIMITS_APART: Final = 0.12
"""Greatest difference of two limits as a part of the greater one; more is two sizes."""
LEAST_LIMITS_APART: Final = 0.02
"""The same at least, in the unit of the sheet: of tiny sizes."""
NATIVE_LIMITS: Final = 2.0
"""Greatest ratio of limits that a native dimension writes as one, or that stand over and under the shoulder of a leader."""
FEWEST_OF_CHAIN: Final = 3
"""Numbers in one text that are sizes of a chain: two may be limits, or one that is set apart."""
SIGNS: Final = frozenset("Ø⌀∅φΦ□▢⌴⌵↧⌖⏥⌭○⏤⌒⌓⊥∥∠⌯◎↗⌰＝°±√()[]◯Ⓜ⌲▷")
CHARACTERISTICS: Final = frozenset("⌖⏥⌭○⏤⌒⌓⊥∥∠⌯◎↗⌰⫽＝")
DIAMETERS: Final = frozenset("Ø⌀")
OPENING: Final = frozenset("(Ø⌀∅□⌴⌵↧±[⌲")
CLOSING: Final = frozenset(")°]")

_SIGN = re.compile(r"[+\-−–±]")
_AGAIN: Final = rf"\s?\[\s?(?:[+\-−–±]|S?[Ø⌀]|S?R)?\s?{NUMBER}\s?\]"
"""The same in the other unit (ASME Y14.5-2018 §4.2)."""
_DEVIATION = re.compile(rf"[+\-−–±]\s?{NUMBER}\s?(?:°(?:\s?\d{{1,2}}['′])?|['′])?(?:{_AGAIN})?")
_BEND = re.compile(r"(?:up|down)\b.{0,12}$", re.IGNORECASE)
_SIGN_BLANK = re.compile(r"(?<=^[+\-−–±])\s+")
_UNSIGNED = re.compile(r"0?[.,]\d{1,4}")
_DEVIATION_END = re.compile(rf"\d\s?[+\-−–±]\s?{NUMBER}(?:\s[+\-−–]?\s?{NUMBER})?$")
_LAST_PART = re.compile(
    rf".{{0,20}}?\d\S{{0,6}}\s{{0,3}}\(?(?P<last>[+\-−–]\s?{NUMBER}°?|(?<=\s)(?:[A-Z]|JS|[a-z]|js)\d{{1,2}})(?:\s+(?:[^\W\d_]|[↧⌴⌵]).*)?"
)
_FIRST_PART = re.compile(rf"(?P<last>[+\-−–]\s?{NUMBER}°?|0(?:[.,]0{{1,6}})?°?)\s+[^\W\d_].*")
_SIGN_OR_BLANK = re.compile(r"[+\-−–\s]")
"""Without either no text has such a part."""
_ZERO = re.compile(r"0(?:[.,]0{1,6})?°?")
_CLASS = re.compile(r"(?:[A-Z]|ZA|ZB|ZC|JS|CD|EF|FG|[a-z]|js|cd|ef|fg|za|zb|zc)\d{1,2}")
_USUAL_CLASS = re.compile(r"(?:JS|js|[E-HJKNPc-hjkmnprs])(?:[5-9]|1[0-3])")
"""Of IT5 to IT13, which ISO 286-1 gives for fits, with the letters of parts that go into one another; `M6`, `R8` and `C5` may also be a
thread, a radius and a chamfer."""
_QUANTITY = re.compile(r"\(?\d{1,4}\s?[xX×]|\(?\d{1,4}\s?[-–](?=$)")
_BRACKETED_QUANTITY = re.compile(r"\(\d{1,3}\s?[xX×]\)")
_COUNTED_SIZE = re.compile(rf"S?[ØR⌀]?\s?{NUMBER}\s?(?:(?i:max|min|ref|typ)\.?)?\s?\(\d{{1,3}}\s?[xX×]\)")
_TREATMENT_FIRST = re.compile(
    r"[Ø⌀]\s?\d.{0,30}?\s(?:c'?['’]?\s?bored?|counter\s?bored?|csk|counter\s?sink|countersunk|spot\s?face)\b",
    re.IGNORECASE,
)
_QUANTITY_FIRST = re.compile(r"\(?\d{1,4}\s?[xX×](?:\s|[ØRM⌀])|\d{1,4}\s?(?:PLCS|PLACES|HOLES)\b")
_PLAIN = re.compile(rf"[(\[]?(?:[Ⓐ-ⓩ]|SR|S?[Øøφ]|⌀|R|□)?\s?{NUMBER}\s?(?:°|mm|\"|″)?[)\]]?\*{{0,3}}")
_PREFIX = re.compile(r"(?:SØ|SR|[RMCØ⌀□S])")
_SUFFIX = re.compile(
    r"(?:mm,?|cm,?|in\.?,?|µm|um|\"|″|m[aá]x[a-z]{0,4}\.?|m[ií]n[a-z]{0,4}\.?|thru(?:\s+all)?|through|durch(?:gehend)?|typ\.?|ref\.?|deep|tief|bsc|basic"
    r"|plcs\.?|places|pl|nom\.?|\*{1,3}|b\.?c\.?|pcd|ea\.?|equi?\.?|eq\.?\s?sp\.?.{0,30}"
    r"|\(\d{1,3}\)|\((?:typ|ref)\.?\)|sq\.?|x\s?\d{1,3}°|unc?|unf|all|near side|far side|both sides"
    rf"|{callout_words('thread')}|{callout_words('around')})",
    re.IGNORECASE,
)
_UNIT = re.compile(r"(?:mm|cm|in\.?|µm|um),?", re.IGNORECASE)
_UNIT_END = re.compile(rf"{NUMBER}\s?(?:mm|cm|in),$", re.IGNORECASE)
"""A size whose clause goes on: `6.60 mm, 4 PL`."""
_OF_SIZE = re.compile(r"\(?(?:ref|typ|bsc|basic)\.?\)?", re.IGNORECASE)
"""What says how a size is meant and stands with nothing else; MAX and MIN also stand in the cells of frames."""
_ITEM = re.compile(r"(?!\(\d{1,2}\)\s?[ØRM.⌴⌵□⌀\d])\(?\d{1,2}[.)](?:\s|$)|\(?[A-Za-z][.)]\s")
_WORD = re.compile(r"[^\W\d_]{3,}")
_TREATED = "|".join(map(callout_words, ("counterbore", "countersink", "spotface")))
_CONTINUES = re.compile(
    rf"[⌴⌵↧]|\[.*\]$|(?:{_TREATED}|{callout_words('through')}|{callout_words('spaced')}|{callout_words('around')}|{callout_words('depth')}|{callout_words('count')}\s?[:=]?\s?\d"
    rf"|s\.?f\.?\s|thru|eq\.?\s|eq\.?-|equally|equi|on\s.{{0,12}}(?:ø|⌀|\d)|plcs|places|{callout_words('typical')}|\(?both|near|far\s|from\s|full\s|x\s?\d{{1,3}}°|senk"
    r"|as shown|m[aá]x[a-z]{0,4}\.?$|m[ií]n[a-z]{0,4}\.?$|ref\.?(?:\s?\(?typ\.?\)?)?$|this\s|\(\d{1,2}\s?(?:x|places|plcs)|on\s"
    rf"|\d{{1,4}}(?:[.,]\d{{1,3}})?\s?(?:mm\s?)?{callout_words('depth')}|\d{{1,3}}\s?{PLACES}\)?$)",
    re.IGNORECASE,
)
_CHAMFER_END = re.compile(rf"{NUMBER}(?:\s?\[\s?{NUMBER}\s?\])?\s?[xX×]\s?\d{{1,2}}\s?°$")
_CONTINUES_CHAMFER = re.compile(rf"{callout_words('chamfer')}(?![^\W\d_])")
"""Behind a leg and its angle: `.032 [0.81] x 45°` over `CHAMFER (2) PLS`."""
_CONTINUES_THREAD = re.compile(callout_words("thread"))
"""Behind a thread: `7*M3` over `THREADED SPACER`."""
_THREAD_END = re.compile(rf"(?:\bM\s?{NUMBER}(?:\s?[xX×]\s?{NUMBER})?|UN[CFS])$")
_NAMED_BELOW: Final = ((_THREAD_END, _CONTINUES_THREAD), (_CHAMFER_END, _CONTINUES_CHAMFER))
_HOLE = re.compile(r"[Ø⌀⌴⌵↧]|\bM\d|\bTHRU|\bUN[CFJ]|\bDEEP|\bTHROUGH|\bDURCH", re.IGNORECASE)
_HOLE_FIRST = re.compile(
    r"(?:M\d|G\d|\d{1,2}[-–/]\d|#\d|\d/\d).*(?:↧|THRU|DEEP|THROUGH|TIEF|DURCH|UN[CFJ]|\d[hHgG]\b)", re.IGNORECASE
)
_ASKS_FOR_MORE = re.compile(r"(?:\b(?:DRILL|REAM|TAP|BORE|THRU\s(?:AND|&))|[\d)]\s?[xX×,&+])\s*$", re.IGNORECASE)
"""The end of a line of a hole that goes on below: `#25 DRILL` over `(0.150) THRU`."""
_IN_SQUARE_BRACKETS = re.compile(r"\[[^\]xX×]*\d[^\]xX×]*\]")
_PLUS_MINUS = re.compile(rf"±\s?{NUMBER}(?:\s?mm)?(?:\s?\[\s?±\s?{NUMBER}\s?\])?")
_ONE_SIZE = re.compile(
    rf"(?:\d{{1,3}}\s?(?:[xX×]\s?|[-–*](?=\s?S?[Ø⌀øφR]))|\d{{1,3}}\s?[xX×*]\s?{NUMBER}\s?=)?\s?(?:S?[Ø⌀øφ]|S?R)?\s?{NUMBER}(?:\s?mm)?(?:\s?\[\s?(?:S?[Ø⌀]|S?R)?\s?{NUMBER}\s?\])?"
)
"""A size, and perhaps again in the other unit, over its deviations in the same units: `.653 [16.59]` over `±.015 [±0.38]`; `2-Ø2.7` and the
sum of equal pitches, `2x10=20`, are sizes too."""
_WHOLE_SIZE = re.compile(
    rf"(?:S?[Ø⌀øφ]|S?R)?\s?{NUMBER}(?:\s?(?:mm|in))?(?:\s?\[\s?(?:S?[Ø⌀]|S?R)?\s?{NUMBER}(?:\s?(?:mm|in))?\s?\])?"
    rf"|\[\s?(?:S?[Ø⌀]|S?R)?\s?{NUMBER}(?:\s?(?:mm|in))?\s?\]"
)
"""A size with its unit, and perhaps again in the other unit, or the latter alone: another of them is of another dimension."""
_COUNTED = re.compile(rf"{IN_PLACES}?\(?{COUNT}\)?\s?{PLACES}\.?\)?(?:\s?\(?(?:\d{{1,2}}\s?)?{AT_ANGLE}\)?)?")
"""`4 holes` over the thread that they have; `IN 4 POS.`, `4 PLACES (2 @ 90°)`."""
_CIRCLE = re.compile(rf"[Ø⌀]?\s?{NUMBER}\s?(?:mm\s?)?(?:P\.?C\.?D|B\.?C(?:\.?D)?)\.?")
"""The circle that the holes of the line over it are on: `Ø197 PCD`."""
_NAME_OF_HOLE = re.compile(r"(?:[^\W\d_]{2,12}\s){1,2}(?i:HOLES?)\.?|\(\s?(?:[^\W\d_]{2,20}\s){1,4}(?i:HOLES?)\s?\)")
"""What a hole is for, under its diameter: `BOLT HOLE`, `(THERMAL FUSE HOLES)`."""
_BARE = re.compile(r"\d+(?:[.,]\d+)?|[.,]\d+")
_BETWEEN_BLANKS = re.compile(r"\S+")
_GROUP = re.compile(r"\d{3}(?![^.,])")
_STARS = re.compile(r"\*{1,3}")
_CAPTION = re.compile(
    r"(?:section|detail|view|schnitt|ansicht|einzelheit|coupe|vue|d[ée]tail|secci[óo]n|vista|detalle|sezione|corte)\s"
    r"+[A-Z]{1,2}(?:\s?[-–]\s?[A-Z]{1,2})?\b",
    re.IGNORECASE,
)
_INCH_THREAD = re.compile(r"(?:#\d{1,2}|\d{1,2}/\d{1,2})\s?-\s?\d{1,3}\b")
_THREAD_WORD = re.compile(r"(?:rosca|roscado|gewinde|thread|tap|filetage|taraud[ée]|filettatura)", re.IGNORECASE)
_SIZE_FIRST = re.compile(r"(?:S?[Ø⌀□]|S?R|M)\s?\d")
_TOLERANCED_FIRST = re.compile(rf"{NUMBER}\s?(?:mm\s?)?(?:±\s?{NUMBER}|[+\-−–]\s?\d?[.,]\d)")
_DECIMAL = re.compile(r"(?:\d{1,3}\s?[xX]\s)?(?:SØ|[ØRS⌀])?\s?(\d{0,9}[.,](\d{1,9}))\s?(°?)")
_STACKED = re.compile(rf"\s*(?P<upper>[+\-−±]?{NUMBER}°?)/(?P<lower>[+\-−]?{NUMBER}°?)(?![\d/])")
_LIMITS = re.compile(r"(?P<before>.*?)(?P<upper>\d{0,9}[.,]\d{1,9})/(?P<lower>\d{0,9}[.,]\d{1,9})\s?°?")
_RADIUS = re.compile(r"\(?(?:\d{1,3}\s?[xX×-]\s?)?S?R\s?[\d.,]")
_DIAMETER = re.compile(r"\(?(?:\d{1,3}\s?[xX×-]\s?)?S?[Øø⌀∅φ]\s?[\d.,]")
_ROUGHNESS = re.compile(r"(?:R(?:a|z|t|q|p|v|y|max|zmax)|Rz\s?max)\.?\s?(?:max\.?)?\s?\d", re.IGNORECASE)
_ZONE = re.compile(rf"(?:S?[Ø⌀]|[TТR](?:/2)?)?\s?{NUMBER}")
_DATUM = re.compile(r"[A-ZА-Я]{1,2}\d?")


_DIGIT = re.compile(r"\d")
_FIGURES = re.compile(r"[\d.,()° ]*")
"""Figures alone name no places, no hole and nothing that is done to one."""


def is_sign(text: str) -> bool:
    """A lone + or -."""
    return bool(_SIGN.fullmatch(text))


def is_deviation(text: str) -> bool:
    """+0.02, but no plain 0."""
    return bool(_DEVIATION.fullmatch(text))


def is_zero(text: str) -> bool:
    """The other deviation of a pair where it is nothing."""
    return bool(_ZERO.fullmatch(text))


def is_class(text: str) -> bool:
    """A tolerance class of ISO 286-1."""
    return bool(_CLASS.fullmatch(text))


def is_usual_class(text: str) -> bool:
    """A tolerance class that fits have: neither `A1` nor `R8`, which may be anything."""
    return bool(_USUAL_CLASS.fullmatch(text))


def begins_with_class(text: str) -> bool:
    """A class alone, or with the bracket of its deviations: `H7 (`."""
    return is_class(text.removesuffix("(").rstrip())


def is_mark(text: str) -> bool:
    """Asterisks, which the notes explain: a reference size on GOST sheets."""
    return bool(_STARS.fullmatch(text))


def is_whole(text: str) -> bool:
    """A whole number of at most three digits: a part of a fraction."""
    return text.isdecimal() and len(text) <= 3


def is_plain(text: str) -> bool:
    """A bare size: 60, Ø12, (52)."""
    return bool(_PLAIN.fullmatch(text))


def is_size(text: str) -> bool:
    """A bare size, perhaps again in the other unit: `.105 [2.67]`."""
    return is_plain(text) or _ONE_SIZE.fullmatch(text) is not None


def is_datum(text: str) -> bool:
    """A letter that names a datum; Russian ones in GOST 2.308."""
    return bool(_DATUM.fullmatch(text))


def is_zone(text: str) -> bool:
    """The tolerance in a feature control frame: Ø0.02."""
    return bool(_ZONE.match(text))


def is_roughness(text: str) -> bool:
    """Ra 12,5 (ISO 1302)."""
    return bool(_ROUGHNESS.match(text))


def is_suffix(text: str) -> bool:
    """A word or sign that follows a size: MAX, THRU, TYP, mm."""
    return not text[:1].isdecimal() and _SUFFIX.fullmatch(text) is not None  # most texts are numbers


def has_digit(text: str) -> bool:
    """Whether any digit is in it."""
    return _DIGIT.search(text) is not None


def is_half(text: str) -> bool:
    """What may stand above or below a part of another text: a deviation, a 0, a class."""
    return is_deviation(text) or is_zero(text) or is_class(text)


def second_size(text: str) -> int | None:
    """Where the second of two bare sizes in one text begins: `Ø7,1 Ø10,5`; limits may be written so."""
    first, blank, second = text.rpartition(" ")
    if not blank or not is_plain(first) or not is_plain(second) or limits_pair(first, second):
        return None
    if second[0] in ".," and not re.search(r"[.,]", first):
        return None  # `R 4 .25` is R4.25 where points are set apart
    return None if {first[0], second[0]} & {"(", "["} or "/" in text else len(first) + 1


def sizes_of_chain(text: str) -> list[int]:
    """Where each of three or more bare numbers in one text begins, `2 2 2`, which an exporter writes so of the sizes of a chain.

    Groups of three figures are those of one number: `1 250 000`.
    """
    parts = list(_BETWEEN_BLANKS.finditer(text))
    if len(parts) < FEWEST_OF_CHAIN or not all(_BARE.fullmatch(part[0]) for part in parts):
        return []
    return [] if all(_GROUP.match(part[0]) for part in parts[1:]) else [part.start() for part in parts]


def last_part(text: str) -> tuple[int, int] | None:
    """Where in a text one deviation or class behind its size begins and ends; words may follow it: `10.2 -0.1 THRU`, `0.0 THRU`."""
    if _SIGN_OR_BLANK.search(text) is None:
        return None
    found = _LAST_PART.fullmatch(text) or _FIRST_PART.fullmatch(text)
    return found.span("last") if found else None


def one_thing(upper: str, lower: str) -> bool:
    """Whether two texts above each other are deviations or classes of one size."""
    return deviations_pair(upper, lower) or classes_pair(upper, lower)


def deviations_pair(upper: str, lower: str) -> bool:
    """Whether two texts above each other are the deviations of one size; at least one is signed, and none is both (`±0.02`)."""
    if "±" in (upper[:1], lower[:1]):
        return False
    signed = is_deviation(upper) + is_deviation(lower)
    return signed == 2 or (signed == 1 and (is_zero(upper) or is_zero(lower))) or _lacks_sign(upper, lower)


def _lacks_sign(upper: str, lower: str) -> bool:
    """Whether one of two deviations of as many decimals lacks its +: FreeCAD's TechDraw leaves it out over a negative one."""
    if lower[:1] not in "-−–" and upper[:1] != "+":
        return False
    if len(re.split("[.,]", upper)[-1]) != len(re.split("[.,]", lower)[-1]):
        return False
    if _UNSIGNED.fullmatch(upper):
        return is_deviation(lower) and lower[0] in "-−–"
    is_lower = is_deviation(upper) and upper[0] == "+" and _UNSIGNED.fullmatch(lower)
    return bool(is_lower) and _number(upper) > _number(lower)


def _number(text: str) -> float:
    """The value of a deviation in figures; not of degrees."""
    return float(text.partition("[")[0].lstrip("+ ").replace(",", ".").rstrip("°' "))


def classes_pair(upper: str, lower: str) -> bool:
    """Whether two texts above each other are the classes of a hole and a shaft."""
    return is_class(upper) and is_class(lower) and upper[0].isupper() != lower[0].isupper()


def limits_pair(upper: str, lower: str) -> bool:
    """Whether two sizes above each other are the limits of one: as many decimals, the greater above, little apart (ISO 129-1)."""
    above, below = _DECIMAL.fullmatch(upper), _DECIMAL.fullmatch(lower)
    if above is None or below is None or len(above[2]) != len(below[2]) or above[3] != below[3]:
        return False
    greater, lesser = float(above[1].replace(",", ".")), float(below[1].replace(",", "."))
    return 0 < greater - lesser <= max(LIMITS_APART * greater, LEAST_LIMITS_APART)


def spread_limits_pair(upper: str, lower: str) -> bool:
    """Whether two sizes that something else vouches for are limits: as many decimals, in either order, further apart."""
    above, below = _DECIMAL.fullmatch(upper), _DECIMAL.fullmatch(lower)
    if above is None or below is None or len(above[2]) != len(below[2]) or above[3] != below[3]:
        return False
    lesser, greater = sorted(float(each[1].replace(",", ".")) for each in (above, below))
    return 0 < lesser < greater <= NATIVE_LIMITS * lesser


def reach(left: str, right: str) -> float:
    """How far right of `left` on its baseline `right` may begin, in letter heights; 0 where they are never one."""
    if _DEVIATION.match(right) or right[0] == "±":
        return REACH_DEVIATION if has_digit(left) else REACH_LONE_DEVIATION
    if _BEND.match(left) and right[0] == "R":
        return REACH_BEND
    if _are_of_two(left, right):
        return 0.0
    if _are_sizes(left, right):
        return _reach_of_sizes(left, right)
    if left[-1] in OPENING or _QUANTITY.fullmatch(left) or _PREFIX.fullmatch(left):
        return REACH_OPENING
    if right[0] in CLOSING or (right[0] in SIGNS and right[0] != "("):
        return REACH_CLOSING
    if (begins_with_class(right) and has_digit(left)) or is_suffix(right) or _UNIT_END.search(left):
        is_alone = _is_at_unit(left, right) or (is_size(left) and _OF_SIZE.fullmatch(right) is not None)
        return REACH_UNIT if is_alone else REACH_SUFFIX
    if right[0] == "(" and has_digit(left):
        return REACH_OPENING if _BRACKETED_QUANTITY.fullmatch(right) else REACH_BRACKET
    return REACH_ITEM if _ITEM.match(left) else RUNNING


def _are_of_two(left: str, right: str) -> bool:
    """Whether the left text is done, and the right one is of another size: behind deviations, a roughness, or the other unit's value."""
    if is_roughness(left) and (has_radius(right) or has_diameter(right)):
        return True
    return (left[-1] == "]" and right[0] == "[") or (is_plain(right) and _DEVIATION_END.search(left) is not None)


def _are_sizes(left: str, right: str) -> bool:
    """Whether both are sizes with nothing but their units, or the right one begins as the left does, with Ø."""
    if is_plain(left) and (is_plain(right) or (right in DIAMETERS and has_diameter(left))):
        return True
    return _WHOLE_SIZE.fullmatch(left) is not None and _WHOLE_SIZE.fullmatch(right) is not None


def _is_at_unit(left: str, right: str) -> bool:
    """Whether a unit alone stands behind a number, or something behind the comma of a unit."""
    return (left[-1].isdecimal() and _UNIT.fullmatch(right) is not None) or _UNIT_END.search(left) is not None


def _reach_of_sizes(left: str, right: str) -> float:
    """The same of two bare sizes, which are one where the second is the first in the other unit: `R1.38 [34.9]` (ASME Y14.5-2018 §4.2)."""
    if right[0] == "[" and is_second_unit(left, right):
        return REACH_BRACKET
    return REACH_SIZES if left[-1] in OPENING else 0.0


def close_up(deviation: str) -> str:
    """A deviation without the blank behind its sign: `- 0,1`."""
    return _SIGN_BLANK.sub("", deviation)


def joint(left: str, right: str, gap: float) -> str:
    """What to write between two pieces that stand `gap` letter heights apart."""
    if left[-1] in OPENING or right[0] in CLOSING or is_sign(left) or is_sign(right) or is_mark(right):
        return ""
    return " " if gap > BLANK or is_deviation(right) or begins_with_class(right) else ""


def continues(upper: str, lower: str) -> bool:
    """Whether a line goes on with the callout of the line above it, whatever is drawn between the two."""
    if is_roughness(upper) and is_roughness(lower):
        return True  # both limits of one texture sign (ISO 1302 §6.3)
    if is_quantity(lower) and has_digit(upper) and not _QUANTITY_FIRST.match(upper):
        is_second_line = upper.startswith("[")  # of a size in two units, each on a line of its own
        return is_second_line or not is_plain(upper) or _COUNTED.fullmatch(lower) is not None
    if (lower.endswith("]") or upper.startswith("[")) and is_second_unit(upper, lower):
        return True
    if _PLUS_MINUS.fullmatch(lower) and _ONE_SIZE.fullmatch(upper):
        return True
    is_other_size = is_plain(upper) and _IN_SQUARE_BRACKETS.fullmatch(lower)
    return not is_other_size and _goes_on(upper, lower)


def is_wide_deviation(size: str, deviation: str) -> bool:
    """Whether a ± is more than half of the size over it, as figures of two rows of a table may be."""
    if not _PLUS_MINUS.fullmatch(deviation):
        return False
    nominal, value = printed_size(size), printed_size(deviation.lstrip("± "))
    return nominal is not None and value is not None and value > MOST_OF_SIZE * nominal


def _goes_on(upper: str, lower: str) -> bool:
    """The same of lines that are no sizes in two units and no quantities."""
    if (_QUANTITY_FIRST.match(lower) and not lower.endswith(")")) or _CAPTION.match(lower) or _CAPTION.match(upper):
        return False
    if _ASKS_FOR_MORE.search(upper) and _HOLE.search(upper) and has_digit(lower):
        return True
    if _QUANTITY.fullmatch(upper) and has_digit(lower):
        return True
    return _FIGURES.fullmatch(lower) is None and _goes_on_in_words(upper, lower)


def _goes_on_in_words(upper: str, lower: str) -> bool:
    """The same by words, signs and forms of the lower line."""
    if _THREAD_WORD.fullmatch(upper) and _SIZE_FIRST.match(lower):
        return True
    if _CONTINUES.match(lower) and has_digit(upper):
        return not _ITEM.match(upper)
    if any(end.search(upper) and word.match(lower) for end, word in _NAMED_BELOW):
        return True
    if _COUNTED.fullmatch(upper) and _SIZE_FIRST.match(lower):
        return True
    if has_diameter(upper) and (_NAME_OF_HOLE.fullmatch(lower) or (_CIRCLE.fullmatch(lower) and not is_plain(upper))):
        return True
    if _TREATMENT_FIRST.match(lower) and has_diameter(upper) and not is_plain(upper):
        return True
    return bool(_HOLE.search(upper) and _HOLE_FIRST.match(lower) and not is_plain(upper))


def is_quantity(text: str) -> bool:
    """Whether `text` is a number of places and nothing else: 2X, 8 PLC."""
    if _FIGURES.fullmatch(text):
        return False
    return _QUANTITY.fullmatch(text) is not None or _COUNTED.fullmatch(text) is not None


def flows(upper: str, lower: str) -> bool:
    """Whether both are lines of running words: a note of several lines."""
    if (
        any(
            first.match(lower)
            for first in (_ITEM, _QUANTITY_FIRST, _SIZE_FIRST, _TOLERANCED_FIRST, _INCH_THREAD, _CAPTION)
        )
        or is_plain(lower)
        or is_plain(upper)
        or _COUNTED_SIZE.fullmatch(upper)
    ):
        return False
    return bool(_WORD.search(upper)) and (bool(_WORD.search(lower)) or lower.count("-") > 0)


def written(line: str) -> str:
    """A line of a native dimension in the common form: stacked deviations as ` +0.2 -0.1`; over a 0 they need no sign."""

    def apart(match: re.Match[str]) -> str:
        upper, lower = match["upper"], match["lower"]
        stacked = deviations_pair(upper, lower) or (is_zero(lower) and not is_zero(upper))
        return f" {upper} {lower}" if stacked else match[0]

    return _STACKED.sub(apart, line).strip()


def limits(line: str) -> tuple[str, ...]:
    """`Ø10.2/10.0`, which is a size between limits, as two lines; any other line as it is.

    A dimension vouches for limits further apart than those that only stand above each other, and in either order.
    """
    match = _LIMITS.fullmatch(line)
    if match is None:
        return (line,)
    parts = [_DECIMAL.fullmatch(match[name]) for name in ("upper", "lower")]
    if None in parts or len({len(part[2]) for part in parts if part}) != 1:
        return (line,)
    lesser, greater = sorted(float(part[1].replace(",", ".")) for part in parts if part)
    if not 0 < lesser < greater <= NATIVE_LIMITS * lesser:
        return (line,)
    return (match["before"] + match["upper"], match["lower"])


def has_radius(text: str) -> bool:
    """Whether a size is a radius: R10, 4X R2."""
    return bool(_RADIUS.match(text))


def has_diameter(text: str) -> bool:
    """Whether a size is a diameter: Ø7,1, 2 x Ø6.00."""
    return bool(_DIAMETER.match(text))
