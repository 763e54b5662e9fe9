"""What clipping paths cut away whole: a page does not show it.

Altium plots the name of a layer at its place on the board and cuts the board's view out of the sheet: the name is on no sheet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

EDGE: Final = 1.0
"""Points beyond the box of a clipping path from which nothing of a path is seen."""


class ShownPaths:
    """Takes what MuPDF reports of a page, clipping paths and groups included, and passes the paths on of which something is shown."""

    def __init__(self, take: Callable[[dict[str, Any]], None]) -> None:
        self._take = take
        self._clips: list[tuple[int, tuple[float, float, float, float]]] = []
        """Level and box of each clipping path that is in force, the outermost first."""

    def __call__(self, path: dict[str, Any]) -> None:
        """Pass a path on, or take note of a clipping path."""
        kind = path["type"]
        if kind == "clip" or kind == "group":
            self._leave(path["level"])
            if kind == "clip":
                self._clips.append((path["level"], path["scissor"]))
        elif not self._clips or not self._is_cut_away(path):
            self._take(path)

    def _is_cut_away(self, path: dict[str, Any]) -> bool:
        self._leave(path["level"])
        left, top, right, bottom = path["rect"]
        edge = EDGE + (path.get("width") or 0.0)
        return any(
            right < box[0] - edge or left > box[2] + edge or bottom < box[1] - edge or top > box[3] + edge
            for _, box in self._clips
        )

    def _leave(self, level: int) -> None:
        """Forget the clipping paths that a path or a clipping path of a level does not stand under."""
        while self._clips and self._clips[-1][0] >= level:
            self._clips.pop()
