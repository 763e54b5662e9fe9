"""The CSS properties that the reader uses: which there are, which values they take, and what those mean (CSS Color 4, SVG 2 chapter 13).

CSS ignores a declaration whose value is not valid, so that an earlier one or an inherited value holds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

import tinycss2
from tinycss2.color4 import parse_color

from spatial.formats.svg.frame import PIXELS, parse_length

Declarations: TypeAlias = dict[str, str]
"""Property to value, as text."""

INHERITED: Final = frozenset(
    {
        "stroke", "fill", "stroke-width", "stroke-dasharray", "stroke-opacity", "fill-opacity", "visibility", "font-size",
        "font-family", "text-anchor", "fill-rule", "color",
    }
)  # fmt: skip

OWN: Final = frozenset({"display", "opacity", "clip-path", "mask", "overflow", "transform"})
"""Properties that children do not inherit."""

READ: Final = INHERITED | OWN

WIDE_KEYWORDS: Final = frozenset({"inherit", "initial", "unset", "revert", "revert-layer"})
"""Values that every property takes."""

FONT_SIZE: Final = 16.0
"""Pixels of the initial font size, `medium` in browsers."""

FONT_SIZES: Final = {
    "xx-small": 0.6, "x-small": 0.75, "small": 8 / 9, "medium": 1.0, "large": 1.2, "x-large": 1.5, "xx-large": 2.0,
    "xxx-large": 3.0,
}  # fmt: skip
"""Keyword to factor of the initial font size (CSS Fonts 4 §2.5)."""

RELATIVE_SIZES: Final = {"smaller": 1 / 1.2, "larger": 1.2}
"""Keyword to factor of the parent's font size."""

_PAINTS: Final = frozenset({"none", "currentcolor", "context-fill", "context-stroke"})

_COLOUR_SPACES: Final = frozenset({"srgb", "hsl", "hwb"})
"""Colour spaces that convert to sRGB without a colour profile."""


def is_valid(name: str, value: str) -> bool:
    """Whether a property takes a value; of properties with many forms every value counts as one that they take."""
    lowered = value.lower()
    if not value or "var(" in lowered:
        return False
    if lowered in WIDE_KEYWORDS:
        return True
    if name in ("fill", "stroke"):
        return lowered in _PAINTS or lowered.startswith("url(") or _is_colour(value)
    if name == "color":
        return lowered != "currentcolor" and _is_colour(value)
    if name == "font-size":
        return lowered in FONT_SIZES or lowered in RELATIVE_SIZES or _is_length(value)
    return name != "stroke-width" or _is_length(value)


def _is_length(value: str) -> bool:
    return parse_length(value, 1.0, -1.0) >= 0.0


def _is_colour(value: str) -> bool:
    return _channels(value) is not None or value.lower() == "currentcolor"


@lru_cache(maxsize=4096)
def _channels(value: str) -> tuple[int, int, int, float] | None:
    """Red, green and blue from 0 to 255 and alpha from 0 to 1; None where the value is no colour that converts to sRGB."""
    found = parse_color(value)
    if found is None or isinstance(found, str) or found.space not in _COLOUR_SPACES:
        return None
    colour = found.to("srgb")
    red, green, blue = (min(255, max(0, round(255 * channel))) for channel in colour.coordinates)
    return red, green, blue, min(1.0, max(0.0, colour.alpha))


def hex_colour(value: str | None, current: str | None = None) -> str | None:
    """`#rrggbb`; None for none, for a gradient, for what is transparent, or for what is not understood.

    Args:
        value: of `fill` or `stroke`.
        current: the value of `color`, which `currentColor` stands for; black where there is none.
    """
    if value is not None and value.lower() == "currentcolor":
        value = current or "black"
    channels = _channels(value) if value else None
    return "#{:02x}{:02x}{:02x}".format(*channels[:3]) if channels and channels[3] else None


def has_paint(value: str | None, opacity: str | None) -> bool:
    """Whether `fill` or `stroke` with its opacity leaves something to see."""
    if value is None or value.lower() == "none" or not parse_opacity(opacity):
        return False
    channels = _channels(value)
    return channels is None or channels[3] > 0


def parse_opacity(value: str | None) -> float:
    """From 0 to 1; 1 where there is none."""
    return min(1.0, max(0.0, parse_length(value, 1.0, 1.0)))


def font_size(value: str, parent: float) -> float:
    """A font size in pixels; em, ex and percent are of the parent's."""
    lowered = value.strip().lower()
    if lowered in FONT_SIZES:
        return FONT_SIZES[lowered] * FONT_SIZE
    if lowered in RELATIVE_SIZES:
        return RELATIVE_SIZES[lowered] * parent
    if lowered.endswith(("em", "ex")) and not lowered.endswith("rem"):
        return parse_length(lowered, parent, parent) / PIXELS["em"] * parent
    return parse_length(lowered, parent, parent)


def expand_font(tokens: list[Any]) -> Declarations:
    """Size and family of the shorthand `font`, which stand last: `italic bold 12px/1.5 Arial, sans-serif`."""
    size = next((n for n, token in enumerate(tokens) if token.type in ("dimension", "percentage")), None)
    if size is None:
        return {}
    family = tinycss2.serialize(tokens[size + 1 :]).strip()
    if family.startswith("/"):
        family = family[1:].strip().partition(" ")[2].strip()
    return {"font-size": tokens[size].serialize(), **({"font-family": family} if family else {})}
