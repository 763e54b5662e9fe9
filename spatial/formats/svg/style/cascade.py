"""What an SVG element looks like: presentation attributes, rules, `style` attribute and inheritance (CSS Cascading 4, SVG 2 chapter 6).

A presentation attribute weighs less than any rule; `style` weighs more than any; `!important` turns rules and `style` above all others.
Elements of a drawing share few styles: each is computed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from spatial.formats.svg.style.declarations import Block, parse_attribute
from spatial.formats.svg.style.properties import (
    FONT_SIZE,
    INHERITED,
    READ,
    WIDE_KEYWORDS,
    Declarations,
    font_size,
    has_paint,
    hex_colour,
    is_valid,
    parse_opacity,
)
from spatial.formats.svg.style.rules import NONE, StyleSheet

STYLES: Final = 4096
"""Most styles that are kept, since a drawing may have as many as shapes."""

_ATTRIBUTES: Final = READ - {"transform"}
"""Presentation attributes of a style; a transform is nearly always an element's own."""


class Style:
    """What applies to an element, inherited or its own; font sizes are in pixels."""

    def __init__(self, declared: Declarations, *, has_transform: bool = False) -> None:
        """has_transform: whether a rule or a `style` attribute says something of the transform, so that the attribute does not count."""
        self.declared = declared
        self.has_transform = has_transform

    @cached_property
    def inherited(self) -> Style:
        """What an element's children inherit."""
        if not self.has_transform and self.declared.keys() <= INHERITED:
            return self
        return Style({key: value for key, value in self.declared.items() if key in INHERITED})

    @cached_property
    def is_displayed(self) -> bool:
        """Whether it and its children are rendered."""
        return self.declared.get("display") != "none"

    @cached_property
    def is_visible(self) -> bool:
        """Whether it is seen where it is rendered."""
        return self.declared.get("visibility") not in ("hidden", "collapse")

    @cached_property
    def is_clipped(self) -> bool:
        """Whether a clip path or a mask cuts it."""
        return self.declared.get("clip-path", "none") != "none" or self.declared.get("mask", "none") != "none"

    @cached_property
    def is_transparent(self) -> bool:
        """Whether its opacity is 0."""
        return not parse_opacity(self.declared.get("opacity"))

    @cached_property
    def is_painted(self) -> bool:
        """Whether a shape or a text has a stroke or a fill to see."""
        found = self.declared
        return has_paint(found.get("fill", "black"), found.get("fill-opacity")) or has_paint(
            found.get("stroke"), found.get("stroke-opacity")
        )

    @cached_property
    def has_stroke(self) -> bool:
        """Whether outlines are stroked."""
        return (self.declared.get("stroke") or "none").lower() != "none"

    @cached_property
    def colors(self) -> dict[str, str]:
        """`color` of the stroke and `fill`, as the document lists them."""
        current, filled = self.declared.get("color"), self.declared.get("fill", "black")
        stroke = hex_colour(self.declared.get("stroke"), current)
        fill = hex_colour(filled, current) or ("pattern" if filled.startswith("url(") else None)
        return {name: value for name, value in (("color", stroke), ("fill", fill)) if value is not None}

    @cached_property
    def dash(self) -> str | None:
        """The pattern of dashes, where there is one."""
        dash = self.declared.get("stroke-dasharray")
        return dash if dash != "none" else None


class Cascade:
    """The styles of a file's elements."""

    def __init__(self, sheet: StyleSheet) -> None:
        self._sheet = sheet
        self.is_ruled = sheet.has_rules
        """Whether rules count, which end where they take too many steps."""
        self._known: dict[tuple[Any, ...], Style] = {}

    @property
    def is_of_attributes(self) -> bool:
        """Whether an element's tag and attributes say its style, inside those that leave it the same."""
        return self._sheet.is_local or not self.is_ruled

    def style(self, element: Any, inherited: Style, attributes: Mapping[str, str] | None = None) -> Style:
        """The style of an element inside those that leave it `inherited`.

        attributes: the element's, where they are known.
        """
        if attributes is None:
            attributes = dict(element.items())
        own = tuple([pair for pair in attributes.items() if pair[0] in _ATTRIBUTES])
        matched = self._sheet.declared(element, attributes) if self.is_ruled else NONE
        self.is_ruled = self.is_ruled and self._sheet.has_rules
        inline = attributes.get("style")
        if not own and matched is NONE and not inline:
            return inherited
        key = (inherited, own, inline, matched)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= STYLES:
                self._known.clear()
            found = self._known[key] = self._computed(own, matched.blocks, inline, inherited)
        return found

    def _computed(
        self, own: tuple[tuple[str, str], ...], blocks: list[Block], inline: str | None, inherited: Style
    ) -> Style:
        attributes = {name: value.strip() for name, value in own if is_valid(name, value.strip())}
        if inline:
            self._sheet.check_variables(inline)
            blocks = [*blocks, parse_attribute(inline)]
        if not attributes and not blocks:
            return inherited
        has_transform = any("transform" in block.normal or "transform" in block.important for block in blocks)
        return Style(
            _computed(_cascaded(attributes, blocks), inherited.declared),
            has_transform=has_transform,
        )


def transform_of(attributes: Mapping[str, str], style: Style) -> str | None:
    """The transform of an element with this style, as text."""
    if style.has_transform:
        return style.declared.get("transform")
    text = attributes.get("transform")
    return None if text is None or "var(" in text.lower() else text


def _cascaded(attributes: Declarations, blocks: list[Block]) -> Declarations:
    """The declaration of each property that wins."""
    found = dict(attributes)
    for block in blocks:
        found.update(block.normal)
    for block in blocks:
        found.update(block.important)
    return found


def _computed(declared: Declarations, inherited: Declarations) -> Declarations:
    result = dict(inherited)
    for name, value in declared.items():
        if value.lower() in WIDE_KEYWORDS:
            # `revert` and `unset` inherit what is inherited; `initial` alone does not.
            if value.lower() == "initial" or name not in INHERITED:
                result.pop(name, None)
        else:
            result[name] = value
    if "font-size" in declared and "font-size" in result:
        parent = float(inherited.get("font-size", FONT_SIZE))
        size = declared["font-size"]
        result["font-size"] = repr(parent if size.lower() in WIDE_KEYWORDS else font_size(size, parent))
    return result
