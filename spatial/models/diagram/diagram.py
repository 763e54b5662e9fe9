"""A diagram as its reader makes it: pages of cells, whatever file carried them."""

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
    is_empty: bool = False
    """Whether the file has no model for it."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """All pages of one file, in file order."""

    pages: list[Page]
    variables: Mapping[str, str]
    """The file's own placeholders."""
    warnings: list[str] = field(default_factory=list)
