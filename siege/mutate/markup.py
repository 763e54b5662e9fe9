"""SVG files and draw.io diagrams with elements and attributes that are changed, dropped, repeated, moved or refer to others."""

from __future__ import annotations

import random
from typing import Any, Final

from lxml import etree

from siege.mutate.values import NUMBERS, TEXTS, edits, flip_bytes, some

ATTRIBUTES: Final = (
    *(
        "d",
        "x",
        "y",
        "width",
        "height",
        "transform",
        "viewBox",
        "style",
        "class",
        "id",
        "href",
        "points",
        "r",
        "rx",
        "font-size",
    ),
    *(
        "parent",
        "source",
        "target",
        "value",
        "vertex",
        "edge",
        "relative",
        "as",
        "fill",
        "stroke",
        "stroke-width",
        "display",
        "cx",
    ),
)
VALUES: Final = (
    *(
        "scale(0)",
        "matrix(1 0 0 1 1e300 1)",
        "rotate(1e999)",
        "skewX(90)",
        "M0 0",
        "M0 0a1 1e300 0 1 1 1 1",
        "M0 0C1 1e999 0 0",
        "50%",
        "1em",
    ),
    *(
        "calc(1px)",
        "url(#x)",
        "#x",
        "0 0 0 0",
        "1e308 1e308 1 1",
        "none",
        "var(--x)",
        "x:1;x",
        "{",
        "/*",
        "html=1;x",
        "1,2 3",
        "inherit",
    ),
)


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The file with some elements changed; one that is no XML has some bytes changed."""
    try:
        root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))
    except etree.XMLSyntaxError:
        return flip_bytes(data, chance)
    for _ in edits(chance):
        _edit(root, chance)
    written: bytes = etree.tostring(root)
    return written


def _edit(root: Any, chance: random.Random) -> None:
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    one, other = elements[chance.randrange(len(elements))], elements[chance.randrange(len(elements))]
    kind = chance.random()
    if kind < 0.6:
        _set(one, other, chance)
    elif kind < 0.7:
        one.text = some(chance, TEXTS)
    elif one is root or one in other.iterancestors() or one is other:
        one.attrib.clear()
    elif kind < 0.8:
        one.getparent().remove(one)
    elif kind < 0.95:
        other.append(one)
    else:
        one.tag = other.tag


def _set(one: Any, other: Any, chance: random.Random) -> None:
    """One attribute: a wild value, that of another element, or a part of it."""
    names = list(one.attrib) or list(ATTRIBUTES)
    name = some(chance, tuple(names)) if chance.random() < 0.8 else some(chance, ATTRIBUTES)
    kind = chance.random()
    if kind < 0.3:
        value = some(chance, NUMBERS)
    elif kind < 0.6:
        value = some(chance, VALUES)
    elif kind < 0.75:
        value = some(chance, tuple(other.attrib.values())) if other.attrib else ""
    elif kind < 0.9:
        value = _numbers_changed(one.get(name, ""), chance)
    else:
        value = some(chance, TEXTS)
    one.set(name, value)


def _numbers_changed(value: str, chance: random.Random) -> str:
    words = value.replace(",", " ").split(" ")
    words[chance.randrange(len(words))] = some(chance, NUMBERS)
    return " ".join(words)
