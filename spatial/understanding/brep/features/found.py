"""A feature before it has an id: its type, its faces by number, and its members in millimetres and degrees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

MOUTH: Final = "mouth"
"""How high along its axis a feature begins, among its members until its position is known."""


@dataclass
class Found:
    """What a rule found."""

    type: str
    faces: list[int]
    members: dict[str, Any] = field(default_factory=dict)
    """Names of the contract's Feature. Lengths are `Length`s or vectors; angles and words are as they are."""
