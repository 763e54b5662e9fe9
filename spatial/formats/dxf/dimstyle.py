"""A measured value as its dimension style writes it.

Glossary
  variable    DIMDEC, DIMPOST, …: a setting of the style, its override in the dimension's extended data, or the default.
  deviation   what is added above and below by DIMTOL; with DIMLIM two limits stand for the value.

Source: AutoCAD DXF reference, DIMSTYLE; defaults are those of the imperial template, which AutoCAD leaves out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Final, TypeAlias

from spatial.formats.dxf.mtext import plain_mtext
from spatial.formats.dxf.pairs import Value
from spatial.formats.dxf.tags import Record
from spatial.formats.dxf.text_codes import decoded

_VARIABLES: Final[dict[str, tuple[int, float]]] = {
    "DIMSCALE": (40, 1), "DIMRND": (45, 0), "DIMTP": (47, 0), "DIMTM": (48, 0), "DIMTOL": (71, 0), "DIMLIM": (72, 0),
    "DIMZIN": (78, 0), "DIMAZIN": (79, 0), "DIMTXT": (140, 0.18), "DIMALTF": (143, 25.4), "DIMLFAC": (144, 1),
    "DIMGAP": (147, 0.09), "DIMALT": (170, 0), "DIMALTD": (171, 2), "DIMADEC": (179, 0), "DIMDEC": (271, 4),
    "DIMTDEC": (272, 4), "DIMALTU": (273, 2), "DIMAUNIT": (275, 0), "DIMFRAC": (276, 0), "DIMLUNIT": (277, 2),
    "DIMDSEP": (278, 46), "DIMTZIN": (284, 0), "DIMALTZ": (285, 0),
}  # fmt: skip
"""Name to group code and default."""

_NUMBER: Final = re.compile(r"\d++(?:[.,]\d++)?|[.,]\d++")
_TWO_NUMBERS: Final = re.compile(rf"({_NUMBER.pattern})\s+({_NUMBER.pattern})")
_ROUNDED: Final = 5e-4
"""Largest difference of a tolerance that is shown with three decimals, and the one of the style."""
Writer: TypeAlias = Callable[[float], str]
MOST_DECIMALS: Final = 8
_SCIENTIFIC, _DECIMAL, _ENGINEERING, _ARCHITECTURAL, _FRACTIONAL = 1, 2, 3, 4, 5


class Variables:
    """The variables of one dimension."""

    def __init__(self, style: Record | None, overrides: dict[int, Value]) -> None:
        self.style = style
        self.overrides = overrides

    def number(self, name: str) -> float:
        code, default = _VARIABLES[name]
        value = self.overrides.get(code)
        try:
            number = float(value) if value is not None else self.style.number(code, default) if self.style else default
        except ValueError:
            return default
        return number if abs(number) < 1e15 else default

    def whole(self, name: str) -> int:
        return int(self.number(name))

    def given(self, name: str) -> bool:
        """Whether style or dimension set it."""
        code = _VARIABLES[name][0]
        return code in self.overrides or (self.style is not None and self.style.has(code))

    def text(self, code: int) -> str:
        value = self.overrides.get(code)
        return decoded(str(value) if value is not None else self.style.text(code) if self.style else "")

    def decimals(self, name: str) -> int:
        return min(max(self.whole(name), 0), MOST_DECIMALS)


def overrides(record: Record) -> dict[int, Value]:
    """Group code to value, from the DSTYLE list in the extended data of ACAD."""
    texts = [
        str(value).strip() if code == 1000 else "" for code, value in zip(record.codes, record.values, strict=True)
    ]
    if "DSTYLE" not in texts:
        return {}
    at = texts.index("DSTYLE") + 2
    found: dict[int, Value] = {}
    while at + 1 < len(record.codes) and record.codes[at] == 1070:
        try:
            found.setdefault(int(record.values[at]), record.values[at + 1])
        except ValueError:
            break
        at += 2
    return found


def length_text(value: float, variables: Variables, sign: str = "") -> str:
    """A length with prefix, suffix, tolerance and alternate units; `sign` is Ø or R."""
    before, after = _affixes(variables)
    rounding = variables.number("DIMRND")
    rounded = math.floor(value / rounding + 0.5) * rounding if rounding > 0 and value / rounding < 1e15 else value
    unit, decimals = variables.whole("DIMLUNIT"), variables.decimals("DIMDEC")
    zeros, separator = variables.whole("DIMZIN"), _separator(variables)
    body = _toleranced(
        rounded,
        variables,
        lambda number: written(number, unit, decimals, zeros, separator),
        lambda number: written(number, unit, variables.decimals("DIMTDEC"), variables.whole("DIMTZIN"), separator),
    )
    text = f"{before or sign}{body}{after}"
    return f"{text} [{_alternate(value, variables, separator)}]" if variables.whole("DIMALT") else text


def completed(shown: str, variables: Variables) -> str:
    """A text that lacks the tolerance which its style has: ezdxf draws none in R12."""
    limits = bool(variables.whole("DIMLIM"))
    upper, lower = variables.number("DIMTP"), variables.number("DIMTM")
    numbers = _NUMBER.findall(shown)
    if not (limits or variables.whole("DIMTOL")) or not (upper or lower) or len(numbers) != 1 or "±" in shown:
        return shown
    separator = "," if "," in numbers[0] else "."
    nominal = float(numbers[0].replace(",", "."))

    def writer(number: float) -> str:
        # R12 has no number of decimals for tolerances.
        zeros = variables.whole("DIMTZIN") if variables.given("DIMTDEC") else 8
        return decimal(number, variables.decimals("DIMTDEC"), zeros, separator)

    if limits:
        return shown.replace(numbers[0], f"{writer(nominal + upper)}/{writer(nominal - lower)}")
    return shown.replace(numbers[0], _with_deviations(numbers[0], upper, lower, writer))


def with_symmetric_tolerance(shown: str, variables: Variables) -> str:
    """A size and its tolerance as two numbers, with the ± that the style has between them: some exporters draw it as strokes."""
    upper, lower = variables.number("DIMTP"), variables.number("DIMTM")
    found = _TWO_NUMBERS.fullmatch(shown.strip()) if variables.whole("DIMTOL") and upper == lower > 0 else None
    if found is None or not math.isclose(float(found[2].replace(",", ".")), upper, rel_tol=0.0, abs_tol=_ROUNDED):
        return shown
    return f"{found[1]}±{found[2]}"


def _affixes(variables: Variables) -> tuple[str, str]:
    """DIMPOST is a suffix, or `prefix<>suffix`."""
    post = variables.text(3)
    before, mark, after = post.partition("<>")
    if not mark:
        before, after = "", post
    return plain_mtext(before), plain_mtext(after)


def _separator(variables: Variables) -> str:
    code = variables.whole("DIMDSEP")
    return chr(code) if 32 <= code < 127 else "."


def _toleranced(value: float, variables: Variables, nominal: Writer, tolerance: Writer) -> str:
    upper, lower = variables.number("DIMTP"), variables.number("DIMTM")
    if variables.whole("DIMLIM"):
        return f"{nominal(value + upper)}/{nominal(value - lower)}"
    if not variables.whole("DIMTOL"):
        return str(nominal(value))
    return _with_deviations(nominal(value), upper, lower, tolerance)


def _with_deviations(nominal: str, upper: float, lower: float, tolerance: Writer) -> str:
    if upper == lower:
        return f"{nominal}±{tolerance(upper)}" if upper else nominal
    return f"{nominal} {_signed(upper, tolerance)}/{_signed(-lower, tolerance)}"


def _signed(value: float, tolerance: Writer) -> str:
    return f"{'-' if value < 0 else '+' if value > 0 else ' '}{tolerance(abs(value))}".strip()


def _alternate(value: float, variables: Variables, separator: str) -> str:
    number = value * variables.number("DIMALTF")
    text = written(
        number, variables.whole("DIMALTU"), variables.decimals("DIMALTD"), variables.whole("DIMALTZ"), separator
    )
    before, mark, after = variables.text(4).partition("[]")
    return plain_mtext(f"{before}{text}{after}" if mark else f"{text}{before}")


def written(value: float, unit: int, decimals: int, zeros: int, separator: str = ".") -> str:
    """A length by DIMLUNIT, DIMDEC, DIMZIN and DIMDSEP."""
    if unit == _SCIENTIFIC:
        return f"{value:.{decimals}E}"
    if unit in (_ENGINEERING, _ARCHITECTURAL):
        return _feet(value, unit, decimals, zeros)
    if unit == _FRACTIONAL:
        return _fraction(value, decimals)
    return decimal(value, decimals, zeros, separator)


def decimal(value: float, decimals: int, zeros: int, separator: str = ".") -> str:
    """Bit 4 of `zeros` leaves out a leading zero, bit 8 trailing ones."""
    quantum = Decimal(1).scaleb(-decimals)
    exact = Decimal(repr(round(value, 11)))
    text = f"{exact.quantize(quantum, ROUND_HALF_UP):f}" if abs(value) < 1e15 else f"{value:g}"
    if zeros & 8 and "." in text:
        text = text.rstrip("0").rstrip(".")
    if zeros & 4 and text.lstrip("-").startswith("0."):
        text = text.replace("0.", ".", 1)
    if text.strip("-0.") == "":
        text = text.lstrip("-")
    return text.replace(".", separator)


def _fraction(value: float, decimals: int) -> str:
    """A whole number and a fraction in halves, quarters, … of an inch."""
    parts = 2**decimals
    whole, part = divmod(math.floor(abs(value) * parts + 0.5), parts)
    sign = "-" if value < 0 and (whole or part) else ""
    if not part:
        return f"{sign}{whole}"
    divisor = math.gcd(part, parts)
    fraction = f"{part // divisor}/{parts // divisor}"
    return f"{sign}{whole} {fraction}" if whole else f"{sign}{fraction}"


def _feet(value: float, unit: int, decimals: int, zeros: int) -> str:
    """Feet and inches; the two lowest bits of DIMZIN say which zeros are written."""
    parts = 2**decimals if unit == _ARCHITECTURAL else 10**decimals
    feet, rest = divmod(math.floor(abs(value) * parts + 0.5), 12 * parts)
    inches = rest / parts
    text = _fraction(inches, decimals) if unit == _ARCHITECTURAL else decimal(inches, decimals, zeros)
    with_feet = feet or zeros & 3 in (1, 2)
    with_inches = rest or zeros & 3 in (1, 3) or not with_feet
    sign = "-" if value < 0 and (feet or rest) else ""
    if not with_feet:
        return f'{sign}{text}"'
    return f"{sign}{feet}'" + (f'-{text}"' if with_inches else "")


def angle_text(degrees: float, variables: Variables) -> str:
    """An angle by DIMAUNIT and DIMADEC."""
    before, after = _affixes(variables)
    decimals = variables.whole("DIMADEC")
    decimals = variables.decimals("DIMDEC") if decimals < 0 else min(decimals, MOST_DECIMALS)
    zeros = variables.whole("DIMAZIN")
    zeros = (4 if zeros & 1 else 0) | (8 if zeros & 2 else 0)
    unit, separator = variables.whole("DIMAUNIT"), _separator(variables)

    def nominal(value: float) -> str:
        if unit == 1:
            return sexagesimal(value, decimals)
        if unit == 2:
            return f"{decimal(value / 0.9, decimals, zeros, separator)}g"
        if unit == 3:
            return f"{decimal(math.radians(value), decimals, zeros, separator)}r"
        return f"{decimal(value, decimals, zeros, separator)}°"

    return f"{before}{_toleranced(degrees, variables, nominal, nominal)}{after}"


def sexagesimal(degrees: float, decimals: int) -> str:
    """Degrees; with 1 or 2 decimals minutes, with more seconds, too."""
    if decimals == 0:
        return f"{math.floor(degrees + 0.5)}°"
    if decimals <= 2:
        whole, minutes = divmod(math.floor(degrees * 60 + 0.5), 60)
        return f"{whole}°{minutes}'"
    minutes, seconds = divmod(math.floor(degrees * 3600 + 0.5), 60)
    return f"{minutes // 60}°{minutes % 60}'{seconds}\""
