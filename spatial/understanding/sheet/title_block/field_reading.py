"""Values of fields as they were found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Evidence = Literal["attrib", "cell label", "label left", "label above", "note", "combined line", "typical place"]


@dataclass(frozen=True, slots=True)
class FieldReading:
    """A value of a field, and why it is one."""

    key: str
    value: str
    sources: tuple[str, ...]
    evidence: Evidence
    weak: bool = False
    """Whether only a weak label names it."""
    order: int = 0
    """Among readings of equal strength the lowest counts."""
    shared: bool = False
    """Whether its texts stay to be read as something else: the holder of a notice is a company, and the notice a note."""
