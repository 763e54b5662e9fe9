"""The forms of the values of a title block: what a scale, a date, a mass, a paper format looks like."""

# ruff: noqa: E501 - a form is one line

from __future__ import annotations

import re
from typing import Final, Literal

from spatial.knowledge.patterns import alternatives

DASHES: Final = frozenset("-–—")
"""The revision of a first issue (ASME Y14.35 §5.2)."""

UNREAD: Final = "\ufffd"
"""Stands for a letter that could not be told: a value that has one is left out."""

LOOKALIKE: Final = str.maketrans("АВСЕ", "ABCE")
"""KOMPAS writes the A of A3 in Cyrillic."""


_DECIMAL: Final = re.compile(r"\d+[.,]\d{1,3}")


def form(pattern: str) -> re.Pattern[str]:
    """`pattern` in any case of letters."""
    return re.compile(pattern, re.IGNORECASE)


_COUNT_OF: Final = rf"(?:{alternatives('count_of')}|[/|-])"
_SHEETS: Final = alternatives("sheets")
_MONTH: Final = rf"{alternatives('month')}[a-zéûô]{{0,7}}\.?"

SIZE: Final = form(
    r"(ISO[ -]?|DIN[ -]?|ANSI[ -]?|ARCH[ -]?)?(A[0-5]|A[0-5]\+?(x\d)?|[A-FJKR]|B[1-5])"
    rf"((\s*[-/(]?\s*({alternatives('paper_orientation')}|[HVPLQ]|\d+(\.\d+)?\s*[x×X]\s*\d+(\.\d+)?\s*(mm|in|\")?|sheet|size|[A-E])\)?)?)"
)
SIZE_NAME: Final = form(
    r"(ANSI|ISO|ARCH) (full )?[A-E]\d?\b.{0,24}|letter|legal|ledger|tabloid|US[ -]letter|\d{2,4}\s*[x×X]\s*\d{2,4}( ?mm)?|roll"
)
PAPER_FORMAT: Final = form(r"(ISO |DIN )?A[0-4]")
RATIO: Final = form(r"\(?(?:\d+([.,]\d+)?|[.,]\d+)\s*[:\uff1a/]\s*\d+([.,]\d+)?\)?")
SCALE: Final = form(
    r"\(?(?:\d+([.,]\d+)?|[.,]\d+)\s*[:\uff1a/]\s*\d+([.,]\d+)?\)?(\s*[,;/&]?\s*\(?\d+([.,]\d+)?\s*[:\uff1a]\s*\d+([.,]\d+)?\)?){0,6}(\s*(?:@|[^\W\d_]{1,4})\s*A[0-4])?|\d+([.,]\d+)?(\s*[x×X%])?|\d+\s*[x×X](\s*,\s*\d+\s*[x×X]){1,3}|"
    rf"{alternatives('no_scale')}|-?/-?|"
    r"[\d/ .-]+(\"|''|in\.?)\s*=\s*[\d/'\" .-]+(\"|'|ft)?|\d+([.,]\d+)?\s*=\s*\d+([.,]\d+)?"
)
NO_SCALE: Final = form(alternatives("no_scale"))
"""A drawing that is not to scale says so, where a template would hold nothing: NONE, N/A."""
NOT_APPLICABLE: Final = form(alternatives("not_applicable"))
"""What a drafter writes in a field that does not apply to the part: N/A."""
NO_FINISH: Final = form(rf"{alternatives('not_applicable')}|{alternatives('no_finish')}")
"""The same of a part that is left as it was made: NONE."""
STANDS_ELSEWHERE: Final = form(rf"{alternatives('stands_elsewhere')}(?: [\w./-]+){{1,3}}")
"""What a drafter writes in a field whose values stand elsewhere: SEE NOTES, REFER TO TABLE."""
STANDS_IN_TABLE: Final = form(
    rf"{alternatives('stands_elsewhere')} (?:[^\W\d_]+ )?{alternatives('in_table')}(?: \d{{1,2}})?\.?"
)
"""The number of a drawing of several parts, each of which has its own in a table (ASME Y14.24, tabulated drawings): it names none."""
SHEET_OF_SEVERAL: Final = form(
    rf"\d{{1,4}}\s*{_COUNT_OF}\s*\d{{1,4}}(\s*{_SHEETS}\.?)?|\d{{1,4}}\s*\(\s*\d{{1,4}}\s*\)"
)
SHEET_RATIO: Final = form(r"\d{1,3} ?[:\uff1a] ?\d{1,3}")
"""A sheet and how many there are, written as a ratio: only a label tells it from a scale."""
SHEET_NUMBER: Final = form(r"\d{1,4}[A-Z]?|[A-Z]{1,3}[-.]?\d{1,4}([.-]\d{1,3})?")
SHEET_COUNT: Final = form(rf"\d{{1,4}}(\s*({_SHEETS}|{alternatives('total_sheets')})\.?)?")
_WORD: Final = r"[^\W\d_]{3,12}\.?"
_WORDED_DATE: Final = rf"\d{{1,2}}\.?[ -]{_WORD}[ ,-]+\d{{4}}|\d{{1,2}}-{_WORD}-\d{{2}}|{_WORD}-\d{{1,2}}-\d{{2,4}}|{_WORD} \d{{1,2}},? \d{{4}}|\d{{4}}\.? {_WORD} \d{{1,2}}\.?"
"""A date with the month as a word of any language: only where a label says that it is a date."""
_YEAR_SIGN: Final = "(?:['’](?=[./]))?"
"""The apostrophe that stands for the century, before or behind the year: '88, 21'."""
_SHORT_DATE: Final = r"\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
"""Year, month and day of two figures each (ISO 8601:1988, 5.2.1.3): 140212."""
_MONTH_WITH_SIGNS: Final = r"(?:19|20)\d\d\s?[\u5e74\ub144]\s?\d{1,2}\s?[\u6708\uc6d4]"
"""Year and month with the signs for both (JIS X 0301, GB/T 7408), in ideographs or hangul: 2022\u5e749\u6708."""
_DAY_WITH_SIGN: Final = r"\s?\d{1,2}\s?[\u65e5\uc77c]"
DATE: Final = form(
    rf"{_MONTH_WITH_SIGNS}(?:{_DAY_WITH_SIGN})?|(\w{{3,9}},?\s+)?(\d{{1,4}}{_YEAR_SIGN}\s*[./-]\s*\d{{1,2}}\s*[./-]\s*['’]?\d{{1,4}}\.?|\d{{8}}|{_SHORT_DATE}|\d{{1,2}}(st|nd|rd|th)?[ ./-]*{_MONTH}[ ,./-]*\d{{2,4}}|"
    rf"{_MONTH}[ .-]*\d{{1,2}}(st|nd|rd|th)?[ ,.'’-]*\d{{2,4}}|\d{{4}}[ ./-]*{_MONTH}[ ./-]*\d{{1,2}}|{_MONTH}[ ,.-]*\d{{4}}|\d{{1,2}}\s*[./]\s*\d{{4}}|\d{{2}}\s*[./]\s*\d{{2}}\.?|{_WORDED_DATE}|(19|20)\d\d)"
    r"(\s*г\.?)?([ T,]+\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?)?"
)
_YEAR: Final = r"(?:19|20|25)\d\d"
"""Of the Gregorian calendar, and of the Thai one; 8810.33.01 is the number of a drawing."""
FULL_DATE: Final = form(
    rf"{_MONTH_WITH_SIGNS}{_DAY_WITH_SIGN}|\d{{1,2}}{_YEAR_SIGN}\s?[./-]\s?\d{{1,2}}\s?[./-]\s?(\d{{4}}|['’]?\d{{2}})|{_YEAR}\s?[./-]\s?\d{{1,2}}\s?[./-]\s?\d{{1,2}}|{_YEAR}[ ./-]*{_MONTH}[ ./-]*\d{{1,2}}(?!\d)|(?<!\d)\d{{1,2}}(?:st|nd|rd|th)?[ ./-]*{_MONTH}[ ,./-]*\d{{2,4}}|(?<![^\W\d_]){_MONTH}[ .-]*\d{{1,2}}(?:st|nd|rd|th)?[ ,.'’-]+\d{{2,4}}"
)
_DEVIATES: Final = re.compile(r"\u00b1 ?\d")
"""A plus and minus with its value."""
_BETWEEN_SERVICES: Final = re.compile(r"\s[-\u2013\u2014|\u2022\u00b7/]\s")
_SERVICES: Final = 2
_COMPACT_DATE: Final = re.compile(r"(?<!\S)(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$")
_MILLIMETRE: Final = "mil+[ií]m[eèéê]?t[a-zæœøé]{0,6}|милл?[иі]метр\\w{0,3}"
"""The unit of drawings in the spelling of most languages: the SI Brochure's millimetre."""
MILLIMETRE: Final = form(_MILLIMETRE)
UNIT: Final = form(
    rf"\[?\(?(all )?(dimensions? )?(are )?(in )?(?:{alternatives('unit')}|{_MILLIMETRE})( ?[(\[]{alternatives('unit')}[)\]])?\)?\]?\.?"
)
UNIT_STATEMENT: Final = form(
    rf"\b{alternatives('dimensions')}(?:\s+{alternatives('are')})?\s*(?:expressed\s+)?(?:{alternatives('unit_follows')}\b)?\s*:?\s*"
    rf"((?:decimal\s+)?(?:{alternatives('length_unit')}|{_MILLIMETRE})(?:['\u2019]s)?\b(?:\s+(?:and\s+)?\[[\w .]{{2,12}}\])?)"
)
"""The sentence that states the unit, its first group: DIMENSIONS ARE IN MILLIMETERS."""
_UNIT_BEGINNINGS: Final[dict[str, Literal["millimeter", "inch"]]] = {
    "mm": "millimeter", "mil": "millimeter", "in": "inch", "zoll": "inch", "pou": "inch", "pol": "inch", "pul": "inch",
}  # fmt: skip
"""How the words for the units of a sheet begin, to the unit."""
_NUMBER: Final = r"(\d+|(?=[.,]\d))([.,]\d+)*\s*(e[-+]?\d+)?"
_QUALIFIER: Final = r"\(?(max|min|nom|ref|approx|est|calc|ca)\.?\)?"
"""Abbreviations of ASME Y14.38 that stand with a measure."""
_ONE_MASS: Final = rf"{_NUMBER}\s*[\[(]?{alternatives('mass_unit')}\.?[\])]?"
MASS: Final = form(
    rf"[~≈]?\s*{_NUMBER}\s*[\[(]?{alternatives('mass_unit')}?\.?[\])]?"
    rf"|({_QUALIFIER}\s*)?{_ONE_MASS}(\s*[/,;]?\s*[\[(]?{_ONE_MASS}[\])]?)?(\s*{_QUALIFIER})?"
)
"""A mass, in two units too, or with what it is: 100 KG MAX."""
_MASS_UNIT: Final = rf"[\[(]?{alternatives('mass_unit')}\b[\])]?"
STATED_MASS: Final = form(rf"(?<![\w.,])\d[\d.,]*\s*{_MASS_UNIT}|^\s*{_MASS_UNIT}\s*[:=]?\s*\d[\d.,]*")
"""A number with a unit of mass within a text; KG is the legal form of a German company as well."""
_UNIT_IN_BRACKETS: Final = form(rf"[\[(]\s*{alternatives('mass_unit')}\.?\s*[\])]")
CAGE_CODE: Final = form(r"[0-9][0-9A-HJ-NP-Z]{3}[0-9]")
NCAGE: Final = form(r"[0-9A-Z][0-9A-HJ-NP-Z]{3}[0-9]|[0-9][0-9A-HJ-NP-Z]{3}[A-Z]")
"""Codes of all nations (NATO ACodP-1): outside the United States a letter of the nation stands first or last."""
REVISION: Final = form(
    r"[A-Z0-9][A-Z0-9._-]{0,7}|[-–—]|(rev\.?|r|v|ver\.?|index|issue)\s?[A-Z0-9.]{1,6}|[A-Z0-9]{1,4} ?\([A-Z0-9. ]{1,8}\)"
)
VERSION: Final = form(r"v(er(sion)?)?\.? ?\d{1,3}(\.\d{1,3}){0,2}|rev(ision)?\.? ?([A-Z]|\d{1,3})")
"""A version that says that it is one: V1.0, Rev A."""
DOCUMENT_CODE: Final = re.compile(r"(?<=\d)\s(СБ|ВО|ГЧ|МЧ|МЭ|УЧ|ТЧ|СП|ВС|ВП|ПЗ|ТУ|ПМ|РР|РЭ|ПЭ\d?|[ЭГПКСЛ]\d)$")
"""Code of the kind of document after a designation (GOST 2.102, 2.701): СБ is an assembly drawing."""
MAIL: Final = re.compile(r"\S+@([\w.-]+\.[a-z]{2,})", re.IGNORECASE)
FILE_NAME: Final = form(
    r".*\.(dwg|dxf|dwf|dft|par|psm|ipt|iam|idw|ipn|sldprt|sldasm|slddrw|prt|asm|drw|catpart|catproduct|catdrawing|f3d|fcstd|cdw|frw|m3d|a3d|stp|step|igs|iges|stl|3dm|skp|pdf|pcbdwf|pcbdoc|schdoc|prjpcb|kicad_pcb|kicad_sch)"
)
"""The name of a file of a program for drawings."""
COLONS: Final = (":", "\uff1a")
"""What stands between a label and its value; the second one is East Asian."""
LETTER: Final = re.compile(r"[^\W\d_]")
_IDEOGRAPH: Final = re.compile(r"[\u3400-\u9fff]")
""""轴" (shaft): one sign is a word."""
TOLERANCE: Final = form(
    r"\b(ISO|DIN|EN|JIS|GB|UNI|NF|BS|ГОСТ|GOST)\b.{0,20}\d{3,5}|[±+-]\s?\.?\d|\bIT ?\d|\d\s?°|h1[0-4]|\b\d{4}\s?-\s?[fmcvFMCV][HKLhkl]?\b"
)
STANDARD: Final = form(
    rf"({alternatives('according_to')}\s*)?(ISO|(?:(?:DIN|UNE|UNI|NF|BS)[ -])?EN|DIN|IRAM|UNE|UNI|NF|BS|JIS|ANSI|ASME|ГОСТ)"
)
"""A standard that general tolerances follow, named without its number: S/DIN, UNI EN."""
_ADOPTED: Final = (
    r"(?:GB ?/? ?T ?1804|JIS ?B ?0405|(?:ГОСТ|GOST) ?30893(?:\.1)?)(?:[ -]{1,3}(?:20|19)\d\d)?(?:[ -]{0,3}[fmcv](?![A-Z\d]))?"
    r"|(?:[A-Z]{2,3}[ -])?EN ?22768(?:-[12](?: ?/ ?(?:22768-)?2)?)?(?:[ -]{0,3}[fmcv][HKL]?\b)?"
)
"""Standards that adopt ISO 2768 under numbers of their own: GB/T 1804, JIS B 0405, GOST 30893.1, EN 22768-1 and -2."""
GENERAL_TOLERANCE: Final = form(
    rf"{_ADOPTED}|"
    r"((?-i:[A-Z]{2,5})[ -])?(DIN[ -]?)?(EN[ -]?)?ISO[ -]?(2768|22081|8062|13920)([ -]*(T?\d|[fmcv][HKL]?|medium|fine|coarse)|[-: ][\w-]{1,8}){0,4}"
)
"""A standard for general tolerances, before it the code of the national body that adopted it (ISO/IEC Guide 21-1): NEN ISO 2768-mK."""
UNSPECIFIED: Final = form(alternatives("unspecified"))
MATERIAL: Final = form(rf"\b{alternatives('material')}\b|{alternatives('material_anywhere')}")
INDICATION: Final = form(r"((DIN|EN|ISO|UNI|NF|BS)[ -]*)+(1302|21920(-1)?|13715)(\s*:?\s*\d{4})?")
"""Standards that say how surfaces and edges are indicated, not what they are."""
AREA: Final = form(r"\d+(?:[.,]\d+)?\s*(?:[dcmk]?m\s*[²2]|sq\.?\s*(?:in|ft|mm)\b\.?)")
"""A measured area: `superficie`, `surface` and `Fläche` name one as well as what is done to a surface."""
COMPANY: Final = form(rf"\b{alternatives('company')}\b\.?|{alternatives('company_anywhere')}")

_LICENCE: Final = form(r"\bCC[ -]BY(?:[ -](?:NC|SA|ND))*\b")
"""A licence of Creative Commons: SA is the legal form of a company as well."""


_TOWN: Final = re.compile(r",\s*[A-Z]{2}\.?\s+\d{5}(?:-\d{4})?\b")
"""State and ZIP code behind a town (USPS Publication 28): NV is Nevada there, and a legal form elsewhere."""


def names_company(text: str) -> bool:
    """Whether a legal form, or a word for a school or a society, stands in `text` and belongs neither to a mass nor to a bare number."""
    rest = _LICENCE.sub(" ", _UNIT_IN_BRACKETS.sub(" ", STATED_MASS.sub(" ", _TOWN.sub(" ", text))))
    found = COMPANY.search(rest)
    if found is None:
        return False
    others = rest[: found.start()] + rest[found.end() :]
    return has_letter(others) or not has_digit(others)


_TRADE: Final = form(rf"\b{alternatives('trade')}\b")


def lacks_own_name(company: str) -> bool:
    """Whether nothing but a legal form and words for what firms deal in stand in the name of one: the name itself is a logo before them."""
    return not has_letter(_TRADE.sub(" ", COMPANY.sub(" ", company)))


def stated_length_unit(text: str) -> Literal["millimeter", "inch"] | None:
    """The unit of a sentence that states it; None where there is no such sentence, or its unit is another."""
    found = UNIT_STATEMENT.search(text) if has_letter(text) else None
    if found is None:
        return None
    word = found.group(1).lower().removeprefix("decimal").strip()
    return next((unit for beginning, unit in _UNIT_BEGINNINGS.items() if word.startswith(beginning)), None)


_VERB_BEHIND: Final = form(rf"(?<=[^\W\d_]{{2}}){alternatives('is_behind')}$")


def without_verb(unit: str) -> str:
    """The word for a unit without the verb that is written as one with it: "MİLİMETREDİR"."""
    return _VERB_BEHIND.sub("", unit)


def tidy(text: str) -> str:
    """`text` with single spaces, without what frames a value: colons, the closing bracket of one that opens before it."""
    plain = re.sub(r"\s+", " ", text).strip().strip(":=").strip()
    return plain.removesuffix(")").rstrip() if plain.endswith(")") and "(" not in plain else plain


def paper_format(text: str) -> str | None:
    """A3, where the text is a paper format and nothing else, in Latin letters."""
    plain = tidy(text).translate(LOOKALIKE)
    return plain if PAPER_FORMAT.fullmatch(plain) else None


def full_date(text: str) -> str | None:
    """The first full date in `text`."""
    found = FULL_DATE.search(text)
    return found.group() if found else None


def compact_date(text: str) -> str | None:
    """The date of the last century or this one that `text` ends with, written without separators (ISO 8601, basic format): 20131125."""
    found = _COMPACT_DATE.search(text)
    return found.group() if found else None


def lists_services(text: str) -> bool:
    """Whether marks part what a firm does: DESIGN - MOULDS - TOOLS; a name and its place have one mark between them."""
    return len(_BETWEEN_SERVICES.findall(text)) >= _SERVICES


def has_letter(text: str) -> bool:
    """Whether a letter stands in `text`."""
    return LETTER.search(text) is not None


def has_digit(text: str) -> bool:
    """Whether a digit stands in `text`."""
    return any(sign.isdigit() for sign in text)


def is_title(text: str) -> bool:
    """Whether it has the form of a title: two letters or an ideograph at least, no mail address and no form of another field or of a file.

    What a plus and minus with its value stands in is said of a material or of a size: `Glass fabric ±45°`.
    """
    return (
        (len(LETTER.findall(text)) >= 2 or _IDEOGRAPH.fullmatch(text) is not None)
        and len(text) <= 160
        and MAIL.search(text) is None
        and _DEVIATES.search(text) is None
        and not any(other.fullmatch(text) for other in (SCALE, DATE, SHEET_OF_SEVERAL, UNIT, MASS, FILE_NAME))
    )


def is_number(text: str) -> bool:
    """Whether it has the form of the number of a drawing or a part."""
    if (
        len(text) > 64
        or len(text.split()) > 6
        or text.startswith("/")
        or RATIO.fullmatch(text)
        or FULL_DATE.fullmatch(text)
    ):
        return False
    if (SHEET_OF_SEVERAL.fullmatch(text) and has_letter(text)) or VERSION.fullmatch(text):
        return False
    return has_digit(text) or (len(text) >= 3 and len(text.split()) == 1)


def is_decimal(text: str) -> bool:
    """Whether it is a decimal number: only a label makes the number of a drawing of what may be a size of the part."""
    return _DECIMAL.fullmatch(text) is not None


def is_name(text: str) -> bool:
    """Whether it has the form of a person's name or initials; names in ideographs are a family's and a given one, two at least."""
    return (
        has_letter(text)
        and not _IDEOGRAPH.fullmatch(text)
        and len(text) <= 48
        and len(text.split()) <= 5
        and not DATE.fullmatch(text)
        and not RATIO.fullmatch(text)
        and not FILE_NAME.fullmatch(text)
        and not PAPER_FORMAT.fullmatch(text)
        and sum(sign.isdigit() for sign in text) <= 4
    )


def is_wording(text: str) -> bool:
    """Whether it is words or figures, but neither a ratio nor a date."""
    return (has_letter(text) or has_digit(text)) and not RATIO.fullmatch(text) and not FULL_DATE.fullmatch(text)
