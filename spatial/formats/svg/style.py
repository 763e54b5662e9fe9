"""What an SVG element looks like: presentation attributes, CSS rules and inline style, inherited (SVG 2 chapter 6).

Rules are applied by type, class and id; selectors of several steps apply by their last step alone where they are a chain
of descendants, and rules with pseudo-classes or attributes are left aside.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

INHERITED: Final = frozenset(
    {
        "stroke", "fill", "stroke-width", "stroke-dasharray", "visibility", "font-size", "font-family", "text-anchor",
        "fill-rule", "color",
    }
)  # fmt: skip

OWN: Final = frozenset({"display", "opacity", "clip-path", "mask"})

_READ: Final = INHERITED | OWN

RULES: Final = 10_000
"""Most rules of one file."""

_COMMENT: Final = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_RULE: Final = re.compile(r"([^{}@;]++)\{([^{}]*+)\}")
_SIMPLE: Final = re.compile(r"([a-zA-Z][\w-]*+|\*)?((?:[.#][\w-]++)*+)")
_NAMED: Final = {
    "black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000", "blue": "#0000ff", "yellow": "#ffff00",
    "cyan": "#00ffff", "aqua": "#00ffff", "magenta": "#ff00ff", "fuchsia": "#ff00ff", "gray": "#808080", "grey": "#808080",
    "silver": "#c0c0c0", "maroon": "#800000", "olive": "#808000", "lime": "#00ff00", "teal": "#008080", "navy": "#000080",
    "purple": "#800080", "orange": "#ffa500", "brown": "#a52a2a", "pink": "#ffc0cb", "gold": "#ffd700",
    "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3", "darkgray": "#a9a9a9", "darkgrey": "#a9a9a9", "dimgray": "#696969",
}  # fmt: skip

Declarations = dict[str, str]


@dataclass(slots=True)
class StyleSheet:
    """The rules of all `style` elements, by what they apply to."""

    by_key: dict[str, list[tuple[tuple[int, int], frozenset[str], Declarations]]] = field(default_factory=dict)
    """Last class, id or type of a selector, to weight and order, everything that has to be there, and declarations."""

    @classmethod
    def of(cls, texts: list[str]) -> StyleSheet:
        """Of the texts of `style` elements."""
        sheet, order = cls(), 0
        for selectors, body in _RULE.findall(_COMMENT.sub("", "\n".join(texts)))[:RULES]:
            declared = declarations(body)
            for selector in selectors.split(","):
                order += 1
                sheet._add(selector.split()[-1] if selector.split() else "", declared, order)
        return sheet

    def _add(self, selector: str, declared: Declarations, order: int) -> None:
        match = _SIMPLE.fullmatch(selector)
        if match is None or not selector:
            return
        kind, marks = match.group(1) or "*", re.findall(r"[.#][\w-]++", match.group(2))
        wanted = frozenset(marks) | (frozenset() if kind == "*" else {kind})
        weight = (
            100 * sum(mark[0] == "#" for mark in marks) + 10 * sum(mark[0] == "." for mark in marks) + (kind != "*")
        )
        self.by_key.setdefault(marks[-1] if marks else kind, []).append(((weight, order), wanted, declared))

    def declared(self, name: str, classes: str | None, identity: str | None) -> Declarations:
        """What the rules say of an element, the weightiest last."""
        if not self.by_key:
            return {}
        marks = [f".{each}" for each in classes.split()] if classes else []
        keys = [*marks, *([f"#{identity}"] if identity else []), name, "*"]
        have = {*keys}
        found = [rule for key in keys for rule in self.by_key.get(key, ()) if rule[1] <= have]
        result: Declarations = {}
        for _, _, declared in sorted(found, key=lambda rule: rule[0]):
            result.update(declared)
        return result


@lru_cache(maxsize=1024)
def declarations(text: str) -> Declarations:
    """`stroke: red; fill: none`, as names and values; what does not concern drawing is left out."""
    found: Declarations = {}
    for part in text.split(";"):
        name, colon, value = part.partition(":")
        name = name.strip().lower()
        if colon and (name in _READ or name == "transform"):
            found[name] = value.replace("!important", "").strip()
    return found


def applied_style(element: Any, name: str, inherited: Declarations, sheet: StyleSheet) -> Declarations:
    """Everything that applies to an element: inherited, its attributes, rules, its own `style`."""
    own = {key: value for key, value in element.items() if key in _READ}
    ruled = sheet.declared(name, element.get("class"), element.get("id")) if sheet.by_key else {}
    inline = element.get("style")
    if not own and not ruled and not inline:
        return inherited
    result = {**inherited, **own, **ruled, **(declarations(inline) if inline else {})}
    if "inherit" not in result.values():
        return result
    return {key: inherited.get(key, "") if value == "inherit" else value for key, value in result.items()}


def inherited_style(applied: Declarations) -> Declarations:
    """What an element's children inherit."""
    if applied.keys() <= INHERITED:
        return applied
    return {key: value for key, value in applied.items() if key in INHERITED}


@lru_cache(maxsize=1024)
def hex_colour(text: str | None) -> str | None:
    """`#rrggbb`; None for none, for a gradient, or for what is not understood."""
    if not text:
        return None
    text = text.strip().lower()
    if text.startswith("#") and len(text) in (4, 7, 9) and re.fullmatch(r"#[0-9a-f]+", text):
        return f"#{text[1] * 2}{text[2] * 2}{text[3] * 2}" if len(text) == 4 else text[:7]
    if text.startswith("rgb"):
        values = re.findall(r"[\d.]+%?", text)[:3]
        levels = [
            min(255, round(float(v.rstrip("%")) * (2.55 if v.endswith("%") else 1))) for v in values if v.strip(".%")
        ]
        return f"#{levels[0]:02x}{levels[1]:02x}{levels[2]:02x}" if len(levels) == 3 else None
    return _NAMED.get(text)
