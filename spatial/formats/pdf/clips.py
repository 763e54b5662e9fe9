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

    def is_shown(self, path: dict[str, Any]) -> bool:
        """Whether what MuPDF reports next is a path that no clipping path cuts away whole; clipping paths are taken note of."""
        if path["type"] in ("clip", "group"):
            self._leave(path["level"])
            if path["type"] == "clip":
                self._boxes.append((path["level"], path["scissor"]))
            return False
        if not self._boxes:
            return True
        self._leave(path["level"])
        left, top, right, bottom = path["rect"]
        edge = EDGE + (path.get("width") or 0.0)
        return not any(
            right < box[0] - edge or left > box[2] + edge or bottom < box[1] - edge or top > box[3] + edge
            for _, box in self._boxes
        )

    def _leave(self, level: int) -> None:
        while self._boxes and self._boxes[-1][0] >= level:
            self._boxes.pop()
