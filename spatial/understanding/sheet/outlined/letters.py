"""Letters that are drawn: how large they are, and what may be of them."""

from __future__ import annotations

from typing import Final, TypeAlias

from spatial.models.sheet.drawing import Flags

LARGEST: Final = 0.06
"""Part of the shorter side of the paper that a letter is at most high."""
TOUCHING: Final = 0.0004
"""Part of the largest letter within which pieces touch: exporters round."""
FACET: Final = 4
"""Corners up to which a filled outline may be a part of a letter that was cut into triangles."""

Candidates: TypeAlias = tuple[Flags, Flags]
"""Which fills and which strokes of a sheet may be of letters."""
