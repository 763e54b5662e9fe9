"""What an SVG element inherits from the elements around it."""

from __future__ import annotations

from typing import NamedTuple

from spatial.formats.svg.frame import Matrix, compose, parse_transform
from spatial.formats.svg.style.cascade import Style
from spatial.models.sheet.drawing import Box


class State(NamedTuple):
    """Transform, style, viewport and layer that apply to an element."""

    matrix: Matrix
    style: Style
    """What its children inherit."""
    port: tuple[float, float]
    """Width and height of the nearest viewport, in its own units: what percentages are of."""
    layer: str | None = None
    displayed: bool = True
    clipped: bool = False
    clip: Box | None = None
    """What can be seen of it, in pixels; None where nothing limits it."""
    transparent: bool = False
    """Whether it or an element around it has no opacity."""
    within: tuple[int, ...] = ()
    """Places of the `use` that it stands in, outermost first: what is around one of them, used again, would be drawn within itself."""

    @property
    def visible(self) -> bool:
        """What is not displayed stays so; visibility is inherited and may be taken back."""
        return self.displayed and self.style.is_visible


def state_of(style: Style, transform: str | None, around: State) -> State:
    """The state of an element inside `around`, with its own transform and style applied."""
    if style is around.style and not transform and style.inherited is style:
        return around
    matrix, _, port, layer, displayed, clipped, clip, transparent, within = around
    return State(
        compose(matrix, parse_transform(transform)) if transform else matrix,
        style.inherited,
        port,
        layer,
        displayed and style.is_displayed,
        clipped or style.is_clipped,
        clip,
        transparent or style.is_transparent,
        within,
    )
