"""Surface texture: `Ra 3,2`, `√ Ra 0.8`, `Rz max. 40`, N-grades, RMS. ISO 1302, ISO 21920-1, ASME Y14.36, DIN 3141 (triangles)."""

from __future__ import annotations

import re
from typing import Final

from spatial.knowledge.symbols import ROUGHNESS_GRADES, is_preferred_roughness
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.feature import STANDARD_WRITING, Feature, FeatureRule, Members, Place
from spatial.understanding.sheet.callouts.scanner import DECIMAL, Scanner, decimal_value
from spatial.understanding.sheet.callouts.spelling import spell
from spatial.understanding.sheet.label import Label

_SIGN: Final = re.compile(r"√|(?:MRR|NMR|APA)(?=\s|[URW])|▽{1,4}")
_PARAMETER: Final = re.compile(
    r"(?:(?P<side>[UL])\s)?(?:\d[\d.,]*-[\d.,]*\d/\s?|-[\d.,]{1,6}/\s?)?(?P<name>R\s?max\.?(?!\w)|Rz1max|Rz(?:JIS|jis)|Ra|Rz|Ry|Rt|Rq|Rpk|Rvk|Rp|Rv|Rsm|RSm|Rk|Wt|Wa|Wz|Pt|Pa|RA|RZ|R\s?[az])"
    r"(?:\s?(?P<count>\d(?=\s+[\d.]|\s?(?i:max))))?\s?(?P<max>(?i:max|min)\.?)?\s?[:=≤<]?\s?"
)
_RANGE: Final = re.compile(
    rf"(?P<one>{DECIMAL})(?:\s?(?:-|\.\.\.|/|÷)\s?(?P<two>{DECIMAL}))?\s?(?P<unit>µm|µin\.?|µ\"|um|microns?|RMS)?(?!\s?x|\w)"
)
_VALUE_FIRST: Final = re.compile(
    rf"(?P<one>{DECIMAL})(?P<two>)\s?(?P<unit>µm|µin\.?|µ\")?\s?(?P<name>Rmax|Ra|Rz|Rt|Rq|RA|RZ)(?![\w/])(?!\s?[:=≤<]?\s?[\d.,]*\d)"
)
"""The parameter behind its value: `3.2 Ra max`."""
_BARE: Final = re.compile(rf"(?P<one>{DECIMAL})(?:\s?/\s?(?P<two>{DECIMAL}))?\s?(?P<unit>µm|µin\.?|µ\")?(?![\w°])")
_NAMES: Final = {"RA": "Ra", "RZ": "Rz"}
"""Parameter in capitals to its spelling in ISO 21920-2."""
_OF_OTHER_THINGS: Final = frozenset(("Pt", "Pa"))
"""Parameters of the primary profile (ISO 21920-2) that need their sign: Pt 100 is a thermometer of IEC 60751, Pa the unit of pressure."""
_GRADE: Final = re.compile(r"(N1[0-2]|N[1-9])(?![\w.])(?:\s?[-/]\s?(N1[0-2]|N[1-9])(?!\w))?")
_RMS: Final = re.compile(rf"(?:RMS\s?({DECIMAL})|({DECIMAL})\s?(?:µin\.?\s?)?(?:RMS|AA|CLA))(?![A-Za-z])")
_BOUND: Final = re.compile(r"(?i:max|min)\.?(?![A-Za-z])")
_LEAST: Final = re.compile(r"(?i:min)(?![A-Za-z])")
"""Behind a bare number it is a least size near a texture sign: a surface is never called to be no smoother than that alone."""
_PROCESS: Final = re.compile(
    r"(?i:(GROUND|TURNED|MILLED|POLISHED|LAPPED|HONED|MACHINED|GESCHLIFFEN|GEDREHT|GEFRÄST|POLIERT|GELÄPPT|GEHONT|RECTIFIÉ|POLI|RETTIFICATO))(?![A-Za-z])"
)
_REST: Final = re.compile(r"\(\s?(?:√|[^)]{0,40}√[^)]{0,40})\s?\)|[,;]")
SYMBOL_ONLY: Final = 0.8
"""Confidence of triangles (DIN 3141) without a parameter."""
MOST_SYMBOLS: Final = 4
"""Signs before a value: ▽▽▽▽ is the finest of DIN 3141."""
MOST_VALUES: Final = 6
"""Requirements of one symbol: ISO 1302 stacks two or three."""


def is_value(label: Label) -> bool:
    """Whether a label is a bare number at a texture sign, and one that roughness is given in."""
    return label.role == "surface_texture" and is_preferred_roughness(label.text)


def is_whole(label: Label, context: Context) -> bool:
    """Whether a label is a requirement on surface texture with its parameter, and nothing else."""
    place = Place(Scanner(spell(label.text)), context, label.role, frozenset())
    feature = read_surface_finish(place)
    return feature is not None and "parameter" in feature.members and place.scan.done


def read_surface_finish(place: Place) -> Feature | None:
    """The surface texture at this place."""
    scan = place.scan
    start = scan.start
    signs = [found[0] for _ in range(MOST_SYMBOLS) if (found := scan.take(_SIGN))]
    process = scan.take(_PROCESS)
    values = _values(place, has_symbol=bool(signs) or place.role == "surface_texture")
    if not values or not all(value["value"] for value in values):
        return None
    members: Members = dict(values[0])
    if len(values) > 1:
        members["values"] = values
    process = process or scan.take(_PROCESS)
    if process:
        members["process"] = process[1].lower()
    if signs:
        members["symbol"] = "".join(signs)
    while scan.take(_REST):
        pass
    return Feature(
        "surface_finish", start, scan.at, members, STANDARD_WRITING if "parameter" in members else SYMBOL_ONLY
    )


def _values(place: Place, *, has_symbol: bool) -> list[Members]:
    values: list[Members] = []
    while len(values) < MOST_VALUES:
        with place.scan.trial() as trial:
            while place.scan.take(_REST):
                pass
            value = _value(place, has_symbol=has_symbol and not values)
            trial.kept = value is not None
        if value is None:
            break
        values.append(value)
    return values


def _value(place: Place, *, has_symbol: bool) -> Members | None:
    scan = place.scan
    with scan.trial() as trial:
        if (named := scan.take(_PARAMETER)) and (found := scan.take(_RANGE)):
            trial.kept = True
            bound = (
                (scan.take(_BOUND) or named)["max" if named["max"] else 0] if named["max"] else _text(scan.take(_BOUND))
            )
            written = named["name"].replace(" ", "").rstrip(".")
            name = _NAMES.get(written, written)
            if name in _OF_OTHER_THINGS and not has_symbol:
                return None
            return _measured(name, found, bound, {"U": "upper", "L": "lower"}.get(named["side"] or ""))
    if found := scan.take(_VALUE_FIRST):
        return _measured(_NAMES.get(found["name"], found["name"]), found, _text(scan.take(_BOUND)), None)
    if found := scan.take(_RMS):
        return {
            "parameter": "Rq",
            "value": decimal_value(found[1] or found[2]),
            "unit": "microinch",
            "written_as": "RMS",
        }
    if has_symbol and (found := scan.take(_GRADE)):
        return {"parameter": "Ra", "value": ROUGHNESS_GRADES[found[1]], "unit": "micrometer", "grade": found[1]}
    with scan.trial() as trial:
        found = scan.take(_BARE) if has_symbol else None
        trial.kept = found is not None and not scan.sees(_LEAST)
    return _measured("Ra", found, "", None) if found and trial.kept else None


def _measured(name: str, found: re.Match[str], bound: str, side: str | None) -> Members:
    values = sorted(decimal_value(part) for part in (found["one"], found["two"]) if part)
    unit = found["unit"] or ""
    members: Members = {"parameter": name, "value": values[-1]}
    if len(values) > 1:
        members["min"], members["max"] = values
    if bound:
        members[bound.lower().strip(".")] = values[-1]
    if side:
        members["limit"] = side
    if unit:
        members["unit"] = "micrometer" if unit in {"µm", "um"} or unit.startswith("micron") else "microinch"
    return members


def _text(found: re.Match[str] | None) -> str:
    return found[0] if found else ""


SURFACE_FINISH: Final = FeatureRule("surface_finish", read_surface_finish)
