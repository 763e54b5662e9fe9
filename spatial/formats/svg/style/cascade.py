"""What an SVG element looks like: presentation attributes, rules, `style` attribute and inheritance (CSS Cascading 4, SVG 2 chapter 6).

A presentation attribute weighs less than any rule; `style` weighs more than any; `!important` turns rules and `style` above all others.
"""

from __future__ import annotations

from typing import Any

from spatial.formats.svg.style.declarations import Block, parse_attribute
from spatial.formats.svg.style.properties import (
    FONT_SIZE,
    INHERITED,
    READ,
    WIDE_KEYWORDS,
    Declarations,
    font_size,
    is_valid,
)
from spatial.formats.svg.style.rules import StyleSheet


def applied_style(element: Any, inherited: Declarations, sheet: StyleSheet) -> Declarations:
    """Everything that applies to an element, inherited or its own; font sizes are in pixels."""
    own = {key: value.strip() for key, value in element.items() if key in READ and is_valid(key, value.strip())}
    blocks = sheet.declared(element) if sheet.has_rules else []
    if inline := element.get("style"):
        sheet.check_variables(inline)
        blocks.append(parse_attribute(inline))
    if not own and not blocks:
        return inherited
    return _computed(_cascaded(own, blocks), inherited)


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


def inherited_style(applied: Declarations) -> Declarations:
    """What an element's children inherit."""
    if applied.keys() <= INHERITED:
        return applied
    return {key: value for key, value in applied.items() if key in INHERITED}
