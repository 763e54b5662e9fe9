"""What the value of a title block field can look like, so that a neighbour's label or a form's sentence is not taken for one.

Glossary
  fitting   could be the field's value: nothing speaks against it.
  telling   looks like the field's value and like few other things: 1:2 is a scale wherever it stands.
"""

# ruff: noqa: E501 - a form is one line

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from spatial.knowledge import title_labels

LONGEST: Final = 240
"""Characters of a value; only tolerance boxes hold more."""

DASHES: Final = frozenset("-–—")
"""The revision of a first issue (ASME Y14.35 §5.2)."""

_LOOKALIKE: Final = str.maketrans("АВСЕ", "ABCE")
"""KOMPAS writes the A of A3 in Cyrillic."""

_SIZE = re.compile(
    r"(ISO[ -]?|DIN[ -]?|ANSI[ -]?|ARCH[ -]?)?(A[0-5]|A[0-5]\+?(x\d)?|[A-FJKR]|B[1-5])"
    r"((\s*[-/(]?\s*(landscape|portrait|hoch|quer|[HVPLQ]|\d+(\.\d+)?\s*[x×X]\s*\d+(\.\d+)?\s*(mm|in|\")?|sheet|size|[A-E])\)?)?)",
    re.IGNORECASE,
)
_SIZE_WORDS = re.compile(
    r"(ANSI|ISO|ARCH) (full )?[A-E]\d?\b.{0,24}|letter|legal|ledger|tabloid|US[ -]letter|\d{2,4}\s*[x×X]\s*\d{2,4}( ?mm)?|roll",
    re.IGNORECASE,
)
_FORMAT = re.compile(r"(ISO |DIN )?A[0-4]", re.IGNORECASE)
_RATIO = re.compile(r"\(?\d+([.,]\d+)?\s*[:/]\s*\d+([.,]\d+)?\)?")
_SCALE = re.compile(
    r"\(?\d+([.,]\d+)?\s*[:/]\s*\d+([.,]\d+)?\)?(\s*[,;/&]?\s*\(?\d+([.,]\d+)?\s*:\s*\d+([.,]\d+)?\)?){0,6}|\d+([.,]\d+)?(\s*[x×X%])?|"
    r"N\.? ?T\.? ?S\.?|not to scale|full( size| scale)?|half|as (noted|shown|indicated)|none|varies|auto|ohne|custom|keiner?|o\.?m\.?|sans|s/e|-?/-?|"
    r"[\d/ .-]+(\"|''|in\.?)\s*=\s*[\d/'\" .-]+(\"|'|ft)?|\d+([.,]\d+)?\s*=\s*\d+([.,]\d+)?",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\d{1,4}\s*(of|/|von|de|di|sur|из|z|av|van|-|\|)\s*\d{1,4}(\s*(sheets?|blatt|bl|fogli|pages?|hojas|feuilles|sh)\.?)?|\d{1,4}\s*\(\s*\d{1,4}\s*\)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\d{1,4}[A-Z]?|[A-Z]{1,3}[-.]?\d{1,4}([.-]\d{1,3})?", re.IGNORECASE)
_MONTH = r"(jan|feb|m[aä]r|apr|may|mai|jun|jul|aug|sep|sept|o[ck]t|nov|de[cz]|gen|mag|giu|lug|ago|set|ott|dic|ene|abr|fév|fev|avr|juin|juil|août|déc)[a-zéûô]{0,7}\.?"
_DATE = re.compile(
    rf"(\w{{3,9}},?\s+)?(\d{{1,4}}\s*[./-]\s*\d{{1,2}}\s*[./-]\s*\d{{1,4}}\.?|\d{{8}}|\d{{1,2}}(st|nd|rd|th)?[ .-]*{_MONTH}[ ,.-]*\d{{2,4}}|"
    rf"{_MONTH}[ .-]*\d{{1,2}}(st|nd|rd|th)?[ ,.-]*\d{{2,4}}|\d{{4}}[ .-]+{_MONTH}[ .-]+\d{{1,2}}|{_MONTH}[ ,.-]*\d{{4}}|\d{{1,2}}\s*[./]\s*\d{{4}}|\d{{2}}\s*[./]\s*\d{{2}}\.?)"
    r"(\s*г\.?)?([ T,]+\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?)?",
    re.IGNORECASE,
)
_FULL_DATE = re.compile(
    rf"\d{{1,2}}\s?[./-]\s?\d{{1,2}}\s?[./-]\s?(\d{{4}}|\d{{2}})|\d{{4}}\s?[./-]\s?\d{{1,2}}\s?[./-]\s?\d{{1,2}}|\d{{1,2}}[ .-]*{_MONTH}[ ,.-]*\d{{2,4}}|{_MONTH}[ .-]*\d{{1,2}}[ ,.-]+\d{{2,4}}",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\[?\(?(all )?(dimensions? )?(are )?(in )?(mm|cm|m|in|inch(es)?|inch(es)? \[?\(?mm\)?\]?|mm \[?\(?in(ch(es)?)?\)?\]?|milli?met(er|re|ro|ri|ros)s?|centimet(er|re)s?|met(er|re)s?|"
    r"metric|imperial|english|zoll|pouces?|pulgadas?|pollici|мм|ft|feet|mmgs|ips|mks|cgs|mm/in|in/mm|\"|mm,? ?kg|mm/kg(/s)?|mm[ ,/]+(deg|degrees|°)|inches? & degrees)\)?\]?\.?",
    re.IGNORECASE,
)
_MASS = re.compile(
    r"[~≈]?\s*(\d+|(?=[.,]\d))([.,]\d+)*\s*(e[-+]?\d+)?\s*[\[(]?(k?g|kgs?|grams?|gramm|kilograms?|lbs?m?\.?|pounds?|oz|t|to|кг|г|mg|slug|lbmass)?\.?[\])]?",
    re.IGNORECASE,
)
_CAGE = re.compile(r"[0-9][0-9A-HJ-NP-Z]{3}[0-9]", re.IGNORECASE)
_REVISION = re.compile(
    r"[A-Z0-9][A-Z0-9._-]{0,7}|[-–—]|(rev\.?|r|v|ver\.?|index|issue)\s?[A-Z0-9.]{1,6}|[A-Z0-9]{1,4} ?\([A-Z0-9. ]{1,8}\)",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(r"(?<=\d)\s(СБ|ВО|ГЧ|МЧ|МЭ|УЧ|ТЧ|СП|ВС|ВП|ПЗ|ТУ|ПМ|РР|РЭ|ПЭ\d?|[ЭГПКСЛ]\d)$")
"""Code of the kind of document after a designation (GOST 2.102, 2.701): СБ is an assembly drawing."""
_LETTERS = re.compile(r"[^\W\d_]")
_TOLERANCE = re.compile(
    r"\b(ISO|DIN|EN|JIS|GB|UNI|NF|BS|ГОСТ|GOST)\b.{0,20}\d{3,5}|[±+-]\s?\.?\d|\bIT ?\d|\d\s?°|h1[0-4]|\b\d{4}\s?-\s?[fmcvFMCV][HKLhkl]?\b",
    re.IGNORECASE,
)
_STANDARD = re.compile(
    r"((s/|s\.|según|nach|per|as per|acc\.? to|to|selon|secondo|по)\s*)?(ISO|DIN|EN|IRAM|UNE|UNI|NF|BS|JIS|ANSI|ASME|ГОСТ)",
    re.IGNORECASE,
)
"""A standard that general tolerances follow, named without its number: S/DIN."""
_GENERAL = re.compile(
    r"(DIN[ -]?)?(EN[ -]?)?ISO[ -]?(2768|22081|8062|13920)([ -]*(T?\d|[fmcv][HKL]?|medium|fine|coarse)|[-: ][\w-]{1,8}){0,4}",
    re.IGNORECASE,
)
_MATERIAL = re.compile(
    r"\b(steel|stainless|alumini?um|alu|brass|bronze|copper|titanium|cast iron|nylon|delrin|acetal|polycarbonate|acrylic|plywood|mdf|plexiglass?|peek|ptfe|teflon|hdpe|uhmw|abs|petg?|pla|pom(-[ch])?|pmma|pvc|ptfe|"
    r"stahl|edelstahl|aluminium|messing|kupfer|gusseisen|holz|acier|inox|laiton|acero|latón|acciaio|ottone|alluminio|сталь|алюминий|латунь|бронза|чугун|stal|mosiądz|"
    r"aisi|sae|astm|s[23]\d{2}j[r02]\w*|st ?\d{2}|en[- ]?aw|al ?6061|6061|7075(-t\d+)?|5052|2024-t\d|5083|316l?|304l?|17-4|1\.[0-9]{4}|3\.[0-9]{4}|[0-9]{2}cr[a-z]*[0-9]*|c45|ck45|42crmo4|16mncr5|alsi\w*|almg\w*|sus ?\d{3}|x\d+cr\w+)\b",
    re.IGNORECASE,
)
_INDICATION = re.compile(r"((DIN|EN|ISO|UNI|NF|BS)[ -]*)+(1302|21920(-1)?|13715)(\s*:?\s*\d{4})?", re.IGNORECASE)
"""Standards that say how surfaces and edges are indicated, not what they are."""
_COMPANY = re.compile(
    r"\b(inc|incorporated|llc|l\.l\.c|ltd|limited|gmbh|ag|kg|co\.? ?kg|corp|corporation|company|co|s\.?p\.?a|s\.?r\.?l|s\.\s?r\.\s?o|a\.s|s\.?a\.?s?|s\.?l\.?u?|b\.?v|n\.?v|oy|ab|a/s|plc|pty|sp\. z o\.o|ooo|ооо|зао|оао|"
    r"university|universit[äày]t?|universidad|université|universit[aà]|politecnico|polytechnic|hochschule|institute|institut[eo]?|laborator(y|ies|io)|college|école|school|initiative|foundation|technologies|industries|"
    r"facultad|facultat|fakultät|faculty|faculté|facoltà|escuela|istituto|университет|институт|академия|колледж|техникум|завод|предприятие|кафедра|[а-я]{1,4}[гт]ту|"
    r"society|association|verein|sociedad|société|società|robotics|engineering group|syst[eè]me?s|labs|foundry|machine works|maschinenbau|research)\b\.?"
    r"|有限公司|株式会社|有限会社|大学|研究所|주식회사",
    re.IGNORECASE,
)


def tidy(text: str) -> str:
    """`text` with single spaces, without what frames a value: colons, trailing commas."""
    return re.sub(r"\s+", " ", text).strip().strip(":=").strip()


def format_text(text: str) -> str | None:
    """A3, where the text is a paper format and nothing else, in Latin letters."""
    plain = tidy(text).translate(_LOOKALIKE)
    return plain if _FORMAT.fullmatch(plain) else None


def _lettered(text: str) -> bool:
    return _LETTERS.search(text) is not None


def _title(text: str) -> bool:
    return (
        len(_LETTERS.findall(text)) >= 2
        and len(text) <= 160
        and not any(form.fullmatch(text) for form in (_SCALE, _DATE, _COUNTED, _UNIT))
    )


def _number(text: str) -> bool:
    if len(text) > 64 or len(text.split()) > 6 or _RATIO.fullmatch(text) or _FULL_DATE.fullmatch(text):
        return False
    if _COUNTED.fullmatch(text) and _lettered(text):
        return False
    return any(sign.isdigit() for sign in text) or (len(text) >= 3 and len(text.split()) == 1)


def _name(text: str) -> bool:
    return (
        _lettered(text)
        and len(text) <= 48
        and len(text.split()) <= 5
        and not _DATE.fullmatch(text)
        and not _RATIO.fullmatch(text)
        and sum(s.isdigit() for s in text) <= 4
    )


def _wording(text: str) -> bool:
    return (
        (_lettered(text) or any(sign.isdigit() for sign in text))
        and not _RATIO.fullmatch(text)
        and not _FULL_DATE.fullmatch(text)
    )


def _whole(form: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: form.fullmatch(text) is not None


_FITTING: Final[Mapping[str, Callable[[str], bool]]] = MappingProxyType(
    {
        "title": _title,
        "drawing_number": _number,
        "part_number": lambda text: _number(text) and any(sign.isdigit() for sign in text),
        "revision": _whole(_REVISION),
        "material": _wording,
        "finish": lambda text: _wording(text) and not _INDICATION.fullmatch(text),
        "scale": _whole(_SCALE),
        "sheet": lambda text: bool(_COUNTED.fullmatch(text) or _NUMBERED.fullmatch(text)),
        title_labels.SHEET_COUNT: lambda text: (
            re.fullmatch(
                r"\d{1,4}(\s*(bl|blatt|blätter[n]?|sheets?|sh|pages?|fogli|hojas|feuilles)\.?)?", text, re.IGNORECASE
            )
            is not None
        ),
        "size": lambda text: bool(_SIZE.fullmatch(text.translate(_LOOKALIKE)) or _SIZE_WORDS.fullmatch(text)),
        "drawn_by": _name,
        "checked_by": _name,
        "approved_by": _name,
        "date": _whole(_DATE),
        "weight": _whole(_MASS),
        "tolerances": lambda text: any(sign.isdigit() for sign in text) or bool(_STANDARD.fullmatch(text)),
        "units": _whole(_UNIT),
        "project": lambda text: _wording(text) and len(text) <= 120,
        "customer": lambda text: _lettered(text) and len(text) <= 120,
        "company": lambda text: _lettered(text) and len(text) <= 120,
        "cage_code": _whole(_CAGE),
    }
)

_TELLING: Final[Mapping[str, Callable[[str], bool]]] = MappingProxyType(
    {
        "scale": lambda text: bool(_RATIO.fullmatch(text) or (_SCALE.fullmatch(text) and _lettered(text))),
        "sheet": lambda text: bool(_COUNTED.fullmatch(text) or re.fullmatch(r"\d{1,3}", text)),
        title_labels.SHEET_COUNT: _FITTING[title_labels.SHEET_COUNT],
        "size": _FITTING["size"],
        "revision": lambda text: re.fullmatch(r"[A-Z]{1,2}\d{0,2}|\d{1,3}([.]\d{1,3})?", text) is not None,
        "weight": lambda text: bool(_MASS.fullmatch(text) and any(sign.isdigit() for sign in text)),
        "date": lambda text: _FULL_DATE.search(text) is not None and bool(_DATE.fullmatch(text)),
        "drawing_number": lambda text: (
            any(sign.isdigit() for sign in text)
            and len(_DOCUMENT.sub("", text).split()) == 1
            and len(text) >= 4
            and bool(_number(text))
        ),
        "part_number": lambda text: (
            any(sign.isdigit() for sign in text) and len(text.split()) == 1 and len(text) >= 4 and bool(_number(text))
        ),
        "cage_code": _FITTING["cage_code"],
        "units": _FITTING["units"],
        "tolerances": lambda text: _TOLERANCE.search(text) is not None,
        "material": lambda text: _MATERIAL.search(text) is not None,
        "company": lambda text: _COMPANY.search(text) is not None,
        "drawn_by": _name,
        "checked_by": _name,
        "approved_by": _name,
    }
)


def fitting(key: str, text: str) -> bool:
    """Whether `text` could be the value of `key`."""
    text = tidy(text)
    if key == "revision" and text in DASHES:
        return True
    if not text or title_labels.unfilled(text) or (len(text) > LONGEST and key != "tolerances"):
        return False
    if key not in ("tolerances", "units") and title_labels.sentence(text):
        return False
    return _FITTING[key](text)


def telling(key: str, text: str) -> bool:
    """Whether `text` looks like a value of `key` and like little else; False of keys whose values have no form."""
    check = _TELLING.get(key)
    return check is not None and fitting(key, text) and check(tidy(text))


def general_tolerance(text: str) -> bool:
    """Whether `text` is the name of a standard for general tolerances and nothing else."""
    return _GENERAL.fullmatch(tidy(text)) is not None


def date_in(text: str) -> str | None:
    """The full date that `text` is, or ends with."""
    found = _FULL_DATE.search(text)
    return found.group() if found else None


def material_text(text: str) -> bool:
    """Whether `text` names a material."""
    return len(text) <= 80 and fitting("material", text) and telling("material", text)


def company_text(text: str) -> bool:
    """Whether `text` names a company, a school or a society."""
    return 4 <= len(text) <= 80 and _lettered(text) and not title_labels.sentence(text) and telling("company", text)


def ratio_text(text: str) -> bool:
    """Whether `text` is a scale and nothing else: 1:2, not 1/2."""
    return ":" in text and _RATIO.fullmatch(text) is not None


def counted_text(text: str) -> bool:
    """Whether `text` is a sheet of several and nothing else: 1 of 2, 1/1."""
    return not set(text) & set(":-") and _COUNTED.fullmatch(text) is not None and not _FULL_DATE.fullmatch(text)


def mass_text(text: str) -> bool:
    """Whether `text` is a mass with its unit."""
    return len(text) <= 24 and fitting("weight", text) and _lettered(text)


def numbered_text(text: str) -> bool:
    """Whether `text` is a number as offices give them: 0764-043, NW 0925 057, HR-0021-3."""
    signs = [sign for sign in text if sign.isalnum()]
    digits = sum(sign.isdigit() for sign in signs)
    return digits >= 3 and 2 * digits >= len(signs) and len(text.split()) <= 3 and fitting("drawing_number", text)


_UNSPECIFIED = re.compile(r"toler|allgemein|not specified|unspecified", re.IGNORECASE)


def tolerance_line(text: str) -> bool:
    """Whether `text` says which standard untoleranced sizes follow: TOLERANCES NOT SPECIFIED ISO 2768-mK."""
    return len(text) <= 90 and _UNSPECIFIED.search(text) is not None and _GENERAL.search(text) is not None
