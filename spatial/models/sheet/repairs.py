"""What was repaired in a text (`Text.repairs`), as far as more than one stage asks for it."""

from __future__ import annotations

from typing import Final

FROM_OUTLINES: Final = "read from outlines"
"""Lettering that is drawn, or a character that only its outline says."""
UNKNOWN: Final = "unknown characters"
"""Characters that nothing says, which are U+FFFD."""
DRAWN: Final = "drawn as strokes"
"""Lettering that is drawn, and that a text which is not seen says."""
PARTIAL: Final = "part of what is drawn"
"""A text that says only some of the letters that are drawn for it."""
