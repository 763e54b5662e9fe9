"""`text` elements of an SVG as lines of lettering (SVG 1.1 chapter 10)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from spatial.formats import markup
from spatial.formats.svg.frame import parse_length, transform_point
from spatial.formats.svg.state import State
from spatial.formats.svg.style.cascade import Cascade, Style
from spatial.formats.svg.style.properties import FONT_SIZE
from spatial.models.sheet.drawing import Box, Text

CAP: Final = 0.716
"""Height of a capital letter as a part of the font size."""


@dataclass(slots=True)
class TextLine:
    """A piece of text with a place of its own."""

    words: str
    x: float
    y: float
    style: Style


def text_lines(element: Any, applied: Style, cascade: Cascade, port: tuple[float, float]) -> Iterator[TextLine]:
    """The lines of a text: a tspan that says where it is begins one."""
    line = TextLine("", *_place(element, (0.0, 0.0), port), applied)
    waiting: list[tuple[Any, str | None, Style]] = [(element, None, applied)]
    while waiting:
        each, tail, style = waiting.pop()
        if tail is not None:
            line.words += tail
            continue
        if each is not element:
            style = cascade.style(each, style)
            if any(each.get(name) is not None for name in ("x", "y", "dy")) and _moves(each, line, port):
                yield line
                line = TextLine("", *_place(each, (line.x, line.y), port), style)
        line.words += each.text or ""
        for child in reversed(each):
            if child.tail:
                waiting.append((child, child.tail, style))
            if markup.local(child) in ("tspan", "textPath", "a"):
                waiting.append((child, None, style))
    yield line


def _moves(element: Any, line: TextLine, port: tuple[float, float]) -> bool:
    """Whether a tspan begins somewhere else than where the line is."""
    here = line.x, line.y
    return bool(line.words.strip()) or _place(element, here, port) != here


def _place(element: Any, around: tuple[float, float], port: tuple[float, float]) -> tuple[float, float]:
    """Where a text or tspan begins; lists of places count by their first."""
    own = _first(element.get("x"), port[0]), _first(element.get("y"), port[1])
    dx, dy = _first(element.get("dx"), port[0]) or 0.0, _first(element.get("dy"), port[1]) or 0.0
    return (around[0] if own[0] is None else own[0]) + dx, (around[1] if own[1] is None else own[1]) + dy


def _first(text: str | None, whole: float) -> float | None:
    if not text:
        return None
    words = text.replace(",", " ").split()
    return parse_length(words[0], whole) if words else None


def lettering(line: TextLine, words: str, number: int, state: State) -> Text:
    """The annotation of one line, with its size and box estimated from the font size."""
    a, b, c, d, *_ = state.matrix
    size = float(line.style.declared.get("font-size", FONT_SIZE))
    across, tall = math.hypot(a, b) * size, math.hypot(c, d) * size
    # Without the font there is no width; an average letter of a sans serif is half as wide as its size.
    width = 0.5 * across * len(words)
    back = {"middle": 0.5, "end": 1.0}.get(line.style.declared.get("text-anchor", ""), 0.0) * width
    x, y = transform_point(state.matrix, line.x, line.y)
    angle = math.degrees(math.atan2(-b, a)) % 360.0
    x, y = x - back * math.cos(math.radians(angle)), y + back * math.sin(math.radians(angle))
    return Text(
        f"annotation-{number}", words, 1, (x, y), angle, CAP * tall, width, _box((x, y), angle, width, CAP * tall),
        layer=state.layer, style=line.style.declared.get("font-family"), visible=state.visible,
    )  # fmt: skip


def _box(origin: tuple[float, float], angle: float, width: float, height: float) -> Box:
    """Around a line of capital letters that reads in the direction of `angle`; y is down."""
    turn = math.radians(angle)
    across = width * math.cos(turn), -width * math.sin(turn)
    up = -height * math.sin(turn), -height * math.cos(turn)
    xs = [origin[0] + a + b for a in (0.0, across[0]) for b in (0.0, up[0])]
    ys = [origin[1] + a + b for a in (0.0, across[1]) for b in (0.0, up[1])]
    return min(xs), min(ys), max(xs), max(ys)
