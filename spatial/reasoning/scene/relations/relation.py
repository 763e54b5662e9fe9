"""One relation, with what proves it.

contains       the object of a container, an assembly or a page; or a flat shape that another one encloses.
inside         a body within the convex hull of another one.
on             a body that touches another one from above.
adjacent       bodies that touch, or flat shapes that share a piece of their sides.
overlaps       flat shapes, or boxes, whose interiors meet.
connected_to   an edge of a diagram; its `direction` is directed, bidirectional or undirected.
left_of, right_of, above, below, in_front_of, behind   the nearest neighbour in that direction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from spatial.reasoning.scene.items.item import Source

RelationKind = Literal[
    "contains",
    "inside",
    "on",
    "adjacent",
    "overlaps",
    "connected_to",
    "left_of",
    "above",
    "below",
    "in_front_of",
]


@dataclass(frozen=True)
class SceneRelation:
    """`subject` is `type` object: "a is left of b".

    rule: what makes it one. measured: the numbers, in the scene's units. details: further members in the answer.
    """

    type: RelationKind
    subject: str
    object: str
    source: Source
    rule: str
    measured: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
