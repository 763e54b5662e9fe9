"""A diagram as its reader makes it: pages of cells, whatever its container format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from spatial.models.diagram.cells import Cells


@dataclass(frozen=True, slots=True)
class Page:
    """One page."""

    id: str
    name: str
    cells: Cells


@dataclass(frozen=True, slots=True)
class Diagram:
    """All pages of one file, in file order."""

    pages: list[Page]
    variables: Mapping[str, str]
    """Placeholders that the file defines, name to value."""
    warnings: list[str] = field(default_factory=list)
    partial: bool = False
    """Whether only a part of the file was read, because it is cut off or damaged; a warning says so."""
