"""Boxes of lettering and cells."""

from __future__ import annotations

from collections.abc import Collection

from spatial.models.sheet.drawing import Box


def box_around(boxes: Collection[Box]) -> Box:
    """The smallest box that holds all of `boxes`, of which at least one is given."""
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)
