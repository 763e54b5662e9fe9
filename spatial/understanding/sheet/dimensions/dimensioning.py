"""The record of a dimension that was found on a sheet."""

from __future__ import annotations

from typing import Any

from spatial.models.sheet.drawing import Dimensioning
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering.printed_size import printed_size


def dimensioning(label: Label, kind: str, value: float | None, further: dict[str, Any]) -> Dimensioning:
    """The record of a label's dimension; its number is given when all of the sheet are known."""
    printed = printed_size(label.text)
    return Dimensioning(
        id="dimension-0",
        type=kind,
        page=label.page,
        text=label.text,
        value=value,
        position=label.position,
        sources=label.sources,
        further={**({} if printed is None else {"printed": printed}), **further},
    )
