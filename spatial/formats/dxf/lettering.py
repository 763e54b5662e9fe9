"""TEXT, MTEXT, ATTRIB and ATTDEF as lettering in the plane: what it says, and where it stands.

Widths are estimated from the height and the kind of letters, since fonts are not at hand; what an MTEXT says of its own
width is taken.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

import numpy as np

from spatial.formats.dxf.curves import plane_of
from spatial.formats.dxf.mtext import plain_mtext
from spatial.formats.dxf.plane import IDENTITY, MAX_COORDINATE, Affine, are_sane, transform_point, transform_points
from spatial.formats.dxf.style import Styles
from spatial.formats.dxf.tags import Record
from spatial.formats.dxf.text_codes import decoded, plain_line
from spatial.models.sheet.drawing import Array, Box, TextKind

NARROW: Final = frozenset("iIl.,:;'|!()[]{}/\\ j1ft\t°")
WIDE: Final = frozenset("mMW@%Ø±")
_ALIGN: Final[dict[int, Literal["left", "center", "right"]]] = {1: "left", 2: "center", 0: "right"}
LINE_PITCH: Final = 5 / 3
"""From baseline to baseline, times the height of capitals, times the spacing factor."""

_HEIGHT: Final = re.compile(r"\A(?:\{|\\[A-GI-OQ-Z][^;\\{}]{0,80};)*+\\H(\d*\.?\d+)(x?);")


@dataclass(slots=True)
class Lettering:
    """One text in the plane."""

    text: str
    kind: TextKind
    origin: tuple[float, float]
    """Where the first baseline begins."""
    along: tuple[float, float]
    """Direction of reading, of length 1."""
    height: float
    width: float
    corners: Array
    """(4, 2) around all of it."""
    layer: str = "0"
    style: str | None = None
    tag: str | None = None
    prompt: str | None = None
    hidden: bool = False
    """By a flag of its own."""
    handle: str = ""
    constant: bool = False
    align: Literal["left", "center", "right"] = "left"

    def moved(self, m: Affine) -> Lettering:
        """Where an affine puts it."""
        if m is IDENTITY:
            return self
        x, y = transform_point((*m[:4], 0.0, 0.0), *self.along)
        stretch = math.hypot(x, y) or 1.0
        tall = abs(m[0] * m[3] - m[1] * m[2]) / stretch or stretch
        return replace(
            self,
            origin=transform_point(m, *self.origin),
            along=(x / stretch, y / stretch),
            height=self.height * tall,
            width=self.width * stretch,
            corners=transform_points(m, self.corners),
        )

    @property
    def angle(self) -> float:
        """In [0, 360)."""
        return math.degrees(math.atan2(self.along[1], self.along[0])) % 360

    @property
    def box(self) -> Box:
        """Upright box around it."""
        xs, ys = self.corners.T.tolist()
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def middle(self) -> tuple[float, float]:
        """Of its corners."""
        x, y = self.corners.mean(axis=0).tolist()
        return x, y


def estimated_width(line: str, height: float, factor: float = 1.0) -> float:
    """Estimated length of a line."""
    return sum(map(_letter_width, line)) * height * factor


@lru_cache(maxsize=4_096)
def _letter_width(letter: str) -> float:
    """Of a letter, in heights."""
    return 0.45 if letter in NARROW else 1.15 if letter in WIDE else 0.75 if letter.islower() else 0.9


class StandsNowhereError(Exception):
    """A text whose coordinates or height are missing, damaged or out of range."""


def lettering_of(record: Record, styles: Styles) -> Lettering | None:
    """The lettering of a record; None where it says nothing. Raises: StandsNowhereError."""
    try:
        found = _mtext(record, styles) if record.type == "MTEXT" else _line(record, styles)
    except (KeyError, ValueError, OverflowError, ArithmeticError) as error:
        raise StandsNowhereError from error
    if found is not None and not (are_sane(found.corners) and 0 < found.height < MAX_COORDINATE):
        raise StandsNowhereError
    return found


_KINDS: Final[dict[str, TextKind]] = {"TEXT": "text", "ATTRIB": "attrib", "ATTDEF": "attdef"}


def _line(record: Record, styles: Styles) -> Lettering | None:
    style = decoded(record.name(7, "Standard"))
    font = styles.fonts.get(style.lower(), "")
    text = plain_line(_attribute_text(record) or record.text(1), font)
    text = text.strip("\n")
    tag = decoded(record.name(2)) if record.type != "TEXT" else None
    if not text.strip() and not tag:
        return None
    height = record.number(40) or 1.0
    angle, factor = math.radians(record.number(50)), record.number(41, 1.0) or 1.0
    width = estimated_width(text, height, abs(factor))
    across, up = record.whole(72), record.whole(74 if record.type != "TEXT" else 73)
    x, y, width, angle = _placed(record, across, width, angle, aligned=bool(across or up) and record.has(11))
    down = {1: 0.0, 2: height / 2, 3: height}.get(up, height / 2 if across == 4 else 0.0)
    x, y = x + down * math.sin(angle), y - down * math.cos(angle)
    flags = record.whole(70)
    found = _positioned(text, _KINDS[record.type], (x, y), angle, height, width, (0.0, height))
    found = found.moved(plane_of(record))
    found.layer = decoded(record.name(8, "0"))
    found.style = font or style
    found.hidden = bool(record.whole(60))
    found.handle = record.name(5)
    if record.type != "TEXT":
        found.tag = tag
        found.hidden = found.hidden or bool(flags & 1)
    if record.type == "ATTDEF":
        found.prompt = decoded(record.text(3)).strip() or None
        found.constant = bool(flags & 2)
    return found


def _attribute_text(record: Record) -> str:
    """Of an attribute of several lines (R2018): the embedded MTEXT after group 101."""
    if not record.has(101):
        return ""
    start = record.codes.index(101)
    codes, values = record.codes[start:], record.values[start:]
    pieces = [str(value) for code, value in zip(codes, values, strict=True) if code in (1, 3)]
    return plain_mtext("".join(pieces)) if pieces else ""


def _placed(
    record: Record, across: int, width: float, angle: float, *, aligned: bool
) -> tuple[float, float, float, float]:
    """Left end of the baseline or of the line it hangs from, width and angle."""
    x, y = float(record.value(10)), float(record.value(20))
    if not aligned:
        return x, y, width, angle
    to_x, to_y = record.number(11), record.number(21)
    if across in (3, 5):
        length = math.hypot(to_x - x, to_y - y)
        return (x, y, length, math.atan2(to_y - y, to_x - x)) if length else (x, y, width, angle)
    back = {1: width / 2, 2: width, 4: width / 2}.get(across, 0.0)
    return to_x - back * math.cos(angle), to_y - back * math.sin(angle), width, angle


def _positioned(
    text: str,
    kind: TextKind,
    origin: tuple[float, float],
    angle: float,
    height: float,
    width: float,
    reach: tuple[float, float],
) -> Lettering:
    """`reach`: how far below and above the first baseline its corners are."""
    u, v = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    corners = [
        (origin[0] + u[0] * a + v[0] * b, origin[1] + u[1] * a + v[1] * b)
        for a, b in ((0.0, reach[0]), (width, reach[0]), (width, reach[1]), (0.0, reach[1]))
    ]
    return Lettering(text, kind, origin, u, height, width, np.array(corners))


def _mtext(record: Record, styles: Styles) -> Lettering | None:
    raw = "".join(str(value) for _, value in record.all(1, 3)) if record.has(3) else record.text(1)
    style = decoded(record.name(7, "Standard"))
    size = mtext_height(raw, record.number(40) or 1.0)
    at = (float(record.value(10)), float(record.value(20)))
    frame = _tilted(record, at)
    direction = (record.number(11), record.number(21)) if record.has(11) else None
    angle = math.atan2(direction[1], direction[0]) if direction else math.radians(record.number(50))
    found = mtext_lettering(
        raw,
        styles.fonts.get(style.lower(), ""),
        (0.0, 0.0) if frame else at,
        0.0 if frame else angle,
        size,
        attachment=record.whole(71, 1),
        wrap=record.number(41),
        known_width=record.number(42),
        spacing=record.number(44, 1.0),
    )
    if found is None:
        return None
    return replace(
        found.moved(frame) if frame else found,
        layer=decoded(record.name(8, "0")),
        style=styles.fonts.get(style.lower()) or style,
        hidden=bool(record.whole(60)),
        handle=record.name(5),
    )


def _tilted(record: Record, at: tuple[float, float]) -> Affine | None:
    """The frame of an MTEXT that is not seen from above; its point and direction are of the world, its rotation is not."""
    turn = plane_of(record)
    if turn is IDENTITY:
        return None
    normal = np.array((record.number(210), record.number(220), record.number(230, 1.0)))
    normal /= np.linalg.norm(normal)
    angle = math.radians(record.number(50))
    x, y = transform_point((*turn[:4], 0.0, 0.0), math.cos(angle), math.sin(angle))
    along = np.array(record.point(11) if record.has(11) else (x, y, 0.0))
    if not np.linalg.norm(along) > 0:
        return None
    along = along / np.linalg.norm(along)
    up = np.cross(normal, along)
    return float(along[0]), float(along[1]), float(up[0]), float(up[1]), *at


def mtext_height(raw: str, height: float) -> float:
    """The height that the MTEXT begins with."""
    found = _HEIGHT.match(raw)
    if not found:
        return height
    size = float(found[1])
    return (height * size if found[2] else size) or height


def mtext_lettering(
    raw: str,
    font: str,
    at: tuple[float, float],
    angle: float,
    height: float,
    *,
    attachment: int = 1,
    wrap: float = 0.0,
    known_width: float = 0.0,
    spacing: float = 1.0,
) -> Lettering | None:
    """An MTEXT hung up at one of nine points: 1 to 3 its top, 7 to 9 its bottom, from the left."""
    text = "\n".join(line.rstrip() for line in plain_mtext(raw, font).split("\n")).strip("\n")
    if not text.strip():
        return None
    factor = _width_factor(raw)
    widths = [estimated_width(line, height, factor) for line in text.split("\n")]
    rows = sum(max(1, math.ceil(width / wrap - 0.15)) if wrap > height else 1 for width in widths[:10_000])
    widest = max(widths)
    width = known_width if known_width > 0 else min(widest, wrap) if wrap > height else widest
    pitch = height * LINE_PITCH * (spacing or 1.0)
    total = height + pitch * (rows - 1)
    back = {1: 0.0, 2: width / 2, 0: width}[attachment % 3]
    row = (attachment - 1) // 3
    above = -height if row <= 0 else total / 2 - height if row == 1 else total - height
    cos, sin = math.cos(angle), math.sin(angle)
    origin = (at[0] - back * cos - above * sin, at[1] - back * sin + above * cos)
    found = _positioned(text, "mtext", origin, angle, height, width, (height - total, height))
    return replace(found, align=_ALIGN[attachment % 3])


_FACTOR: Final = re.compile(r"\A(?:\{|\\[A-VX-Z][^;\\{}]{0,80};)*+\\W(\d*\.?\d+);")


def _width_factor(raw: str) -> float:
    found = _FACTOR.match(raw)
    factor = float(found[1]) if found else 1.0
    return factor if 0.1 < factor < 10 else 1.0
