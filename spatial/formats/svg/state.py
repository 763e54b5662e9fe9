"""What an SVG element inherits from the elements around it."""

from __future__ import annotations

from dataclasses import dataclass

from spatial.formats.svg.frame import Matrix, compose, parse_transform
from spatial.formats.svg.style.cascade import inherited_style
from spatial.formats.svg.style.properties import Declarations, parse_opacity
from spatial.models.sheet.drawing import Box


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
    clip: Box | None = None
    """What can be seen of it, in pixels; None where nothing limits it."""
    transparent: bool = False
    """Whether it or an element around it has no opacity."""
    depth: int = 0

    @property
    def visible(self) -> bool:
        """What is not displayed stays so; visibility is inherited and may be taken back."""
        return self.displayed and self.style.get("visibility") not in ("hidden", "collapse")


def state_of(applied: Declarations, around: State) -> State:
    """The state of an element inside `around`, with its own transform and style applied."""
    moved = applied.get("transform")
    return State(
        matrix=compose(around.matrix, parse_transform(moved)) if moved else around.matrix,
        style=inherited_style(applied),
        port=around.port,
        layer=around.layer,
        displayed=around.displayed and applied.get("display") != "none",
        clipped=around.clipped or applied.get("clip-path", "none") != "none" or applied.get("mask", "none") != "none",
        clip=around.clip,
        transparent=around.transparent or not parse_opacity(applied.get("opacity")),
        depth=around.depth,
    )
