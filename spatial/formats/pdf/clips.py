"""What clipping paths cut away whole: a page does not show it.

Altium plots the name of a layer at its place on the board and cuts the board's view out of the sheet: the name is on no sheet.
"""

from __future__ import annotations

from typing import Any, Final

EDGE: Final = 1.0
"""Points beyond the box of a clipping path from which nothing of a path is seen."""


class Clips:
    """The clipping paths that are in force while a page is painted."""

    def __init__(self) -> None:
        self._boxes: list[tuple[int, tuple[float, float, float, float]]] = []
        """Level and box of each, the outermost first."""

    def take(self, clip: dict[str, Any]) -> None:
        """Take note of a clipping path, or of the begin of a group of transparency."""
        self._leave(clip["level"])
        if clip["type"] == "clip":
            self._boxes.append((clip["level"], clip["scissor"]))

    def is_cut_away(self, path: dict[str, Any]) -> bool:
        """Whether a path stands outside the box of one of those it is painted under."""
        if not self._boxes:
            return False
        self._leave(path["level"])
        left, top, right, bottom = path["rect"]
        edge = EDGE + (path.get("width") or 0.0)
        return any(
            right < box[0] - edge or left > box[2] + edge or bottom < box[1] - edge or top > box[3] + edge
            for _, box in self._boxes
        )

    def _leave(self, level: int) -> None:
        while self._boxes and self._boxes[-1][0] >= level:
            self._boxes.pop()
