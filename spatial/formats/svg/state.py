"""What an SVG element inherits from the elements around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spatial.formats.svg.frame import Matrix, compose, parse_transform
from spatial.formats.svg.style import Declarations, inherited_style


@dataclass(frozen=True, slots=True)
class State:
    """Transform, style, viewport and layer that apply to an element."""

    matrix: Matrix
    style: Declarations
    port: tuple[float, float]
    """Width and height of the nearest viewport, in its own units: what percentages are of."""
    layer: str | None = None
    displayed: bool = True
    clipped: bool = False
    depth: int = 0

    @property
    def visible(self) -> bool:
        """What is not displayed stays so; visibility is inherited and may be taken back."""
        return self.displayed and self.style.get("visibility") not in ("hidden", "collapse")


def state_of(element: Any, applied: Declarations, around: State) -> State:
    """The state of an element inside `around`, with its own transform and style applied."""
    moved = element.get("transform") or applied.get("transform")
    return State(
        matrix=compose(around.matrix, parse_transform(moved)) if moved else around.matrix,
        style=inherited_style(applied),
        port=around.port,
        layer=around.layer,
        displayed=around.displayed and applied.get("display") != "none",
        clipped=around.clipped or applied.get("clip-path", "none") != "none" or applied.get("mask", "none") != "none",
        depth=around.depth,
    )
