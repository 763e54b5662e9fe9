"""What clipping paths cut away whole: a page does not show it.

Altium plots the name of a layer at its place on the board and cuts the board's view out of the sheet: the name is on no sheet.
"""

from __future__ import annotations

from typing import Any, Final

EDGE: Final = 1.0
"""Points beyond the box of a clipping path from which nothing of a path is seen."""


class Clips:
    """The clipping paths that are in force while MuPDF reports what a page paints, clipping paths and groups included."""

    def __init__(self) -> None:
        self.held: list[tuple[int, tuple[float, float, float, float]]] = []
        """Level and box of each, the outermost first."""

    def is_shown(self, path: dict[str, Any]) -> bool:
        """Whether it is a path of which something is shown; takes note of a clipping path or group."""
        kind = path["type"]
        if kind == "clip" or kind == "group":
            self._leave(path["level"])
            if kind == "clip":
                self.held.append((path["level"], path["scissor"]))
            return False
        return not self.held or not self._is_cut_away(path)

    def _is_cut_away(self, path: dict[str, Any]) -> bool:
        self._leave(path["level"])
        left, top, right, bottom = path["rect"]
        edge = EDGE + (path.get("width") or 0.0)
        return any(
            right < box[0] - edge or left > box[2] + edge or bottom < box[1] - edge or top > box[3] + edge
            for _, box in self.held
        )

    def _leave(self, level: int) -> None:
        """Forget the clipping paths that a path or a clipping path of a level does not stand under."""
        while self.held and self.held[-1][0] >= level:
            self.held.pop()
