"""Writing SVG: elements as text, numbers short, everything that came out of a file escaped."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final
from xml.sax.saxutils import escape, quoteattr

Attribute = str | float | None

_UNPRINTABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff]")
"""Control characters and halves of surrogate pairs, which XML 1.0 has no place for."""

_PLAIN: Final = re.compile(r"[\w #.,:()+-]*", re.ASCII)
"""A value that needs no escape: most of those of a sheet, whose lines are many."""


def number(value: float) -> str:
    """A coordinate in as few characters as it needs; 0 for what is not finite."""
    return f"{value:.3f}".rstrip("0").rstrip(".") if math.isfinite(value) else "0"


def element(name: str, content: str | None = None, **attributes: Attribute) -> str:
    """One element; attributes that are None are left out, `_` in their names is `-`, a trailing one is dropped.

    content: markup; None for an empty element.
    """
    written = "".join(f" {_name(key)}={_quoted(value)}" for key, value in attributes.items() if value is not None)
    return f"<{name}{written}/>" if content is None else f"<{name}{written}>{content}</{name}>"


@lru_cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _quoted(value: str | float) -> str:
    if not isinstance(value, str):
        return f'"{number(value)}"'
    return f'"{value}"' if _PLAIN.fullmatch(value) else quoteattr(printable(value))


def text(words: str) -> str:
    """Character data."""
    return escape(printable(words))


def printable(words: str) -> str:
    """Without the control characters that XML 1.0 has no place for."""
    return _UNPRINTABLE.sub("", words)


def path(points: Iterable[Sequence[float]], *, closed: bool = False) -> str:
    """Path data through points."""
    steps = " L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{steps}{' Z' if closed else ''}" if steps else ""


def document(body: Sequence[str], box: tuple[float, float, float, float], *, title: str, pixels: float) -> str:
    """A whole picture on white. box: x, y, width, height of the view; pixels: length of its longer side."""
    x, y, width, height = box
    scale = pixels / max(width, height)
    view = " ".join(number(value) for value in box)
    paper = element("rect", x=x, y=y, width=width, height=height, fill="white")
    return element(
        "svg",
        "\n".join([element("title", text(title)), paper, *body, ""]),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=view,
        width=width * scale,
        height=height * scale,
        font_family="Arial, Helvetica, 'DejaVu Sans', sans-serif",
    )
