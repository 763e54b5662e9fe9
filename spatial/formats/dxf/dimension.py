"""DIMENSION: what it measures, and what a person reads.

The text of the dimension's anonymous block is the authority, since it is what every viewer shows; without it the
measured value is formatted by the style, and `<>` in the user's text stands for it.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

from spatial.formats.dxf.curves import plane_of
from spatial.formats.dxf.dimstyle import (
    Variables,
    angle_text,
    completed,
    length_text,
    overrides,
    with_symmetric_tolerance,
)
from spatial.formats.dxf.mtext import plain_mtext
from spatial.formats.dxf.plane import MAX_COORDINATE, rounded, transform_point
from spatial.formats.dxf.style import Styles
from spatial.formats.dxf.tags import Record
from spatial.formats.dxf.text_codes import GAP, decoded

TYPES: Final = frozenset(("DIMENSION", "ARC_DIMENSION", "LARGE_RADIAL_DIMENSION"))

_KINDS: Final = {
    0: "linear", 1: "aligned", 2: "angular", 3: "diameter", 4: "radius", 5: "angular", 6: "ordinate", 8: "arc_length",
}  # fmt: skip
_SIGN_OF: Final = {"diameter": "Ø", "radius": "R", "arc_length": "⌒"}
_SIGNS: Final = frozenset(_SIGN_OF.values())
_LETTER_O: Final = re.compile(r"\AO(?= ?[\d.,])")
_AS_SHOWN: Final = {
    "<>": r"(?P<measured>[\d.,]+)", " ": r"\s*", **{sign: f"(?:{sign}|{GAP})" for sign in "Ø±°⌒□⌴⌵↧"}
}  # fmt: skip
"""Parts of a user's text as the block of the dimension shows them: a sign may be a gap there."""
_GAP_BEFORE_SIZE: Final = re.compile(rf"(?<![\d.,]){GAP}(?=[\d.,])", re.ASCII)
_X_ORDINATE: Final = 64
_POINTS: Final = ((10, "definition"), (13, "first"), (14, "second"), (15, "third"), (16, "fourth"))


def kind_of(record: Record) -> str:
    """The type in the document."""
    if record.type == "ARC_DIMENSION":
        return "arc_length"
    if record.type == "LARGE_RADIAL_DIMENSION":
        return "radius"
    return _KINDS.get(record.whole(70) & 15, _KINDS.get(record.whole(70) & 7, "linear"))


def variables_of(record: Record, styles: Styles) -> Variables:
    """Style and overrides."""
    style = styles.dimensions.get(decoded(record.name(3, "Standard")).lower())
    return Variables(style, overrides(record))


def value_of(record: Record, kind: str, variables: Variables, *, paper: bool) -> tuple[float | None, float | None]:
    """The value that is shown (with DIMLFAC), and the one that was measured; angles in degrees."""
    measured = _measured(record, kind)
    if measured is None or not abs(measured) < MAX_COORDINATE:
        return None, None
    if kind == "angular":
        return measured, measured
    factor = variables.number("DIMLFAC") or 1.0
    # A negative DIMLFAC counts in paper space alone.
    factor = factor if factor > 0 else -factor if paper else 1.0
    return measured * factor, measured


def _measured(record: Record, kind: str) -> float | None:
    if kind == "angular":
        angle = _angle(record)
        stored = math.degrees(record.number(42))
        return stored if record.has(42) and 0 < stored <= 360 else angle
    if record.has(42) and record.number(42) >= 0:
        stored = record.number(42)
        if stored > 0:
            return stored
    return _length(record, kind)


def _length(record: Record, kind: str) -> float | None:
    """From the definition points."""
    a, b = _point(record, 13), _point(record, 14)
    if kind in ("diameter", "radius"):
        a, b = _point(record, 10), _point(record, 15)
    if a is None or b is None:
        return None
    dx, dy = b[0] - a[0], b[1] - a[1]
    if kind == "linear":
        angle = math.radians(record.number(50))
        return abs(dx * math.cos(angle) + dy * math.sin(angle))
    if kind == "ordinate":
        origin = _point(record, 10) or (0.0, 0.0)
        return abs(a[0] - origin[0]) if record.whole(70) & _X_ORDINATE else abs(a[1] - origin[1])
    if kind == "arc_length":
        return _arc_length(a, b, _point(record, 15))
    return math.hypot(dx, dy)


def _arc_length(a: _Point2, b: _Point2, center: _Point2 | None) -> float | None:
    """Counter-clockwise from a to b."""
    if center is None:
        return None
    first, last = (math.atan2(p[1] - center[1], p[0] - center[0]) for p in (a, b))
    return math.dist(a, center) * ((last - first) % math.tau)


def _angle(record: Record) -> float | None:
    """Degrees: three points (vertex 15), or two lines 13-14 and 15-10, on the side of the arc's point."""
    three = record.whole(70) & 7 == 5
    ends = [_point(record, code) for code in ((15, 13, 15, 14) if three else (13, 14, 15, 10))]
    on = _point(record, 10 if three else 16)
    if None in ends or on is None:
        return None
    a, b, c, d = (end for end in ends if end is not None)
    vertex = a if three else _crossing(a, b, c, d)
    if vertex is None:
        return None
    if three:
        first, last, middle = (math.atan2(p[1] - vertex[1], p[0] - vertex[0]) for p in (b, d, on))
        sweep, to_arc = (last - first) % math.tau, (middle - first) % math.tau
        return math.degrees(sweep if to_arc <= sweep else math.tau - sweep)
    first, last = (math.atan2(q[1] - p[1], q[0] - p[0]) % math.pi for p, q in ((a, b), (c, d)))
    middle = math.atan2(on[1] - vertex[1], on[0] - vertex[0]) % math.pi
    low, high = sorted((first, last))
    return math.degrees(high - low if low <= middle <= high else math.pi - (high - low))


_Point2 = tuple[float, float]


def _crossing(a: _Point2, b: _Point2, c: _Point2, d: _Point2) -> _Point2 | None:
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]
    cross = ux * vy - uy * vx
    if cross == 0:
        return None
    t = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / cross
    return a[0] + t * ux, a[1] + t * uy


def _point(record: Record, code: int) -> _Point2 | None:
    if not record.has(code) or not record.has(code + 10):
        return None
    x, y = record.number(code, math.nan), record.number(code + 10, math.nan)
    return (x, y) if abs(x) < MAX_COORDINATE and abs(y) < MAX_COORDINATE else None


def text_of(record: Record, kind: str, value: float | None, variables: Variables, shown: str | None) -> str | None:
    """What stands on the sheet; `shown` is the lettering of its block, None where it has no block."""
    written = plain_mtext(record.text(1))
    if shown is not None:
        # Fonts without Ø made exporters write the letter O.
        shown = _LETTER_O.sub("Ø", shown) if kind == "diameter" else shown
        shown = with_symmetric_tolerance(_with_signs(shown, written, kind), variables)
        return (completed(shown, variables) if written in ("", "<>") else shown) or None
    if written and not written.strip():
        # A single blank is how a user takes the text away.
        return None
    measured = _formatted(kind, value, variables)
    if not written:
        return measured
    return _filled(written, measured or "") if "<>" in written else written.strip()


def _with_signs(shown: str, written: str, kind: str) -> str:
    """The block's text with the signs of its gaps, where the user's text or the kind of dimension has them."""
    if GAP not in shown:
        return shown
    if "<>" in written:
        pattern = "".join(_AS_SHOWN.get(part, re.escape(part)) for part in re.findall(r"<>|\s+|.", written))
        found = re.fullmatch(pattern, shown.strip())
        if found is not None:
            return written.replace("<>", found["measured"])
    return _GAP_BEFORE_SIZE.sub(_SIGN_OF["diameter"], shown) if kind == "diameter" and not written else shown


def _filled(written: str, measured: str) -> str:
    """The user's text with the measured value in it; QCAD's users write R<> where the value has its R already."""
    sign = measured[:1]
    if sign in _SIGNS:
        written = written.replace(f"{sign}<>", "<>")
    return written.replace("<>", measured).strip()


def _formatted(kind: str, value: float | None, variables: Variables) -> str | None:
    if value is None:
        return None
    if kind == "angular":
        return angle_text(value, variables)
    return length_text(value, variables, _SIGN_OF.get(kind, ""))


def middle_of(record: Record) -> _Point2 | None:
    """The middle of its text, in the world; None where it is none, or its plane lies beyond every coordinate."""
    point = _point(record, 11)
    if point is None or (point == (0.0, 0.0) and not record.name(2)):
        point = _point(record, 10)
    placed = transform_point(plane_of(record), *point) if point else None
    return placed if placed and all(abs(number) < MAX_COORDINATE for number in placed) else None


def further_of(record: Record, variables: Variables) -> dict[str, Any]:
    """Definition points, style and tolerances for the document."""
    found: dict[str, Any] = {"layer": decoded(record.name(8, "0")), "style": decoded(record.name(3, "Standard"))}
    points = {name: [rounded(n) for n in point] for code, name in _POINTS if (point := _point(record, code))}
    found["points"] = points
    if record.text(1):
        found["text_override"] = decoded(record.text(1))
    if variables.whole("DIMTOL") or variables.whole("DIMLIM"):
        found["tolerance"] = {"upper": variables.number("DIMTP"), "lower": -variables.number("DIMTM")}
        found["limits"] = bool(variables.whole("DIMLIM"))
    if variables.number("DIMGAP") < 0:
        # AutoCAD keeps "box around the text" as a negative gap.
        found["basic"] = True
    return found
