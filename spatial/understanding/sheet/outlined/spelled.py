"""What one glyph of drawn lettering is read as."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SURE: Final = 0.9
"""Chance of a character and its look-alikes from which it is believed."""


@dataclass(slots=True)
class Spelled:
    """One glyph."""

    sign: str
    chance: float
    """Of the sign and its look-alikes; 0 of an unsure one."""
