"""What leaves the process that reads a file: its reading and its meaning, and the plan of its sampling.

Glossary
  reading   the facts that were read, as data that can leave the process.
  meaning   the interpretation of those facts: callouts, title block, features, validity.
  evidence  the origin of a fact: declared in the file, or assumed for a stated reason.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from spatial.contract.drawing import Callout, DrawingMetadata
from spatial.contract.extraction import BoundingBox, Structure

NOTHING_FOUND: Final = "nothing drawn or written was found in the file; export it again where it should not be empty"
"""Warning of a drawing or a diagram that is whole and has empty sheets or pages only."""


class Units(BaseModel):
    """The unit that a document's numbers are in, and how it was found."""

    name: str
    """millimeter, inch, meter, point, pixel, …"""
    found: Literal["declared", "assumed"]
    source: str | None = None
    """Where the file says so, for example 'LENGTH_UNIT of the representation context' or 'IGES global parameter 14'."""


class Reading(BaseModel):
    """The facts one reader found in one file; lengths in `units`."""

    model_config = ConfigDict(frozen=True)

    source_format: str
    units: Units
    structure: Structure
    entity_counts: dict[str, int]
    bbox: BoundingBox | None = None
    warnings: list[str] = []
    partial: bool = False
    """Whether the file is cut off or damaged, and only a part of it was read; a warning says so."""


class Meaning(BaseModel):
    """What a reading says: merged into `structure` when the document is assembled."""

    callouts: list[Callout] | None = None
    drawing_metadata: DrawingMetadata | None = None
    structure: dict[str, Any] = {}
    """Further members of `structure`, for example `validity` of a B-rep."""
    warnings: list[str] = []
