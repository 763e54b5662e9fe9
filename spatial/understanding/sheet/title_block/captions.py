"""Captions: labels in a cell of their own that has no room for a value, which stands in the cell over it."""

from __future__ import annotations

from typing import Final

from spatial.understanding.sheet.title_block.layout import Layout

_ROOM: Final = 2.5
"""Label heights of a cell that has room for a label alone."""
_AS_WIDE: Final = 0.006
"""Of the sheet's diagonal, between the sides of a caption's cell and of its value's."""


def has_caption(layout: Layout, cell: int) -> bool:
    """Whether the cell right under `cell`, as wide as it, is a caption's: what stands in `cell` is that field's value."""
    box, slack = layout.cells[cell], _AS_WIDE * layout.diagonal
    for under in layout.below(cell):
        items, own = layout.inside.get(under, []), layout.cells[under]
        as_wide = max(abs(box[0] - own[0]), abs(box[2] - own[2])) < slack
        if as_wide and len(items) == 1 and (word := items[0].wording) is not None and not word.value:
            return own[3] - own[1] < _ROOM * items[0].height
    return False
