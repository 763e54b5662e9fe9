"""The dimension of a board that has one, and what its tests have in common."""

from __future__ import annotations

from spatial.models.sheet.drawing import Dimensioning
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from tests.spatial.lettered import Board

LENGTH = 6.0
"""Of an arrowhead."""
TIPS = 1e-6
"""Relative error of what is measured between tips."""


def only(board: Board) -> Dimensioning:
    """The one dimension that is found on a board."""
    (found,) = find_dimensions(board.sheet())
    return found
