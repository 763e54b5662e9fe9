"""What a drawing says, in the order in which an engineer reads a sheet."""

from __future__ import annotations

from spatial.extraction.drawing.sheet import Drawing
from spatial.extraction.reading import Meaning


def interpret(drawing: Drawing) -> Meaning:
    """Nothing yet (the lead connects the stages when they are there)."""
    del drawing
    return Meaning()
