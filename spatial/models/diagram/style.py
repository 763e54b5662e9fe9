"""The style of a cell, parsed once per distinct text: a page of thousands of cells has a few dozen styles.

Source: draw.io's wiki, "Styles".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

LOOKS: Final = frozenset(
    {
        "fillColor", "strokeColor", "fontColor", "fontSize", "fontStyle", "align", "verticalAlign", "labelPosition",
        "verticalLabelPosition", "rounded", "horizontal", "startSize", "whiteSpace", "spacingLeft", "direction",
    }
)  # fmt: skip
"""Entries of a style that say how a shape looks; the document lists them."""

MAX_LOOK_LENGTH: Final = 40
"""Longest entry of a style that the document lists, in characters; colours, sizes and words are shorter, embedded pictures longer."""

CONTAINERS: Final = frozenset({"swimlane", "group"})
"""Shapes that hold others by their nature, even while they are empty."""

CONNECTORS: Final = {
    "orthogonalEdgeStyle": "orthogonal",
    "elbowEdgeStyle": "elbow",
    "segmentEdgeStyle": "segment",
    "entityRelationEdgeStyle": "entity_relation",
    "isometricEdgeStyle": "isometric",
    "loopEdgeStyle": "loop",
    "wireEdgeStyle": "wire",
}


@dataclass(frozen=True, slots=True)
class Style:
    """A parsed style."""

    entries: Mapping[str, str]
    """Every entry; a word without `=` names a shape or a style sheet entry, the first of them is `@name`."""
    looks: Mapping[str, str]
    """Entries about the look of the shape, in draw.io's words."""
    html: bool
    shape: str
    """The shape that it names or that its first word implies; a rectangle where it names none."""
    container: bool
    rotation: float
    """Degrees clockwise; 0 where it is absent or no number."""
    start_arrow: str
    end_arrow: str
    connector: str
    dashed: bool
    ports: bool
    """Whether it says where on a shape an edge begins or ends."""


@lru_cache(maxsize=4096)
def style_of(text: str) -> Style:
    """The style that a text such as `ellipse;html=1;rounded=0` describes."""
    entries = _entries(text)
    get = entries.get
    shape = _shape(entries)
    return Style(
        entries=MappingProxyType(entries),
        looks=MappingProxyType(
            {key: value for key, value in entries.items() if key in LOOKS and len(value) <= MAX_LOOK_LENGTH}
        ),
        html=get("html") == "1",
        shape=shape,
        container=shape in CONTAINERS or get("container") == "1",
        rotation=_rotation(get("rotation")),
        start_arrow=get("startArrow") or "none",
        end_arrow=get("endArrow") or "classic",
        connector=_connector(entries),
        dashed=get("dashed") == "1",
        ports="exitX" in entries or "entryX" in entries,
    )


def _entries(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(";"):
        key, equals, value = part.partition("=")
        if equals:
            found[key.strip()] = value.strip()
        elif part.strip():
            found.setdefault("@name", part.strip())
    return found


def _shape(entries: Mapping[str, str]) -> str:
    shape = entries.get("shape")
    if shape:
        return "stencil" if shape.startswith("stencil(") else shape
    return entries.get("@name") or "rectangle"


def _rotation(text: str | None) -> float:
    if not text:
        return 0.0
    try:
        turn = float(text)
    except ValueError:
        return 0.0
    return turn % 360.0 if math.isfinite(turn) else 0.0


def _connector(entries: Mapping[str, str]) -> str:
    if entries.get("curved") == "1":
        return "curved"
    return CONNECTORS.get(entries.get("edgeStyle") or entries.get("@name") or "", "straight")


NO_STYLE: Final = style_of("")
"""Style of cells without a style."""
