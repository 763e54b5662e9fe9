"""Sheets, lettering and dimensions as the document tells them."""

from __future__ import annotations

from typing import Any, Final

from spatial.extraction.drawing.sheet import Dimensioning, Sheet, Text
from spatial.geometry import rounding

DECIMALS: Final = 4
"""Coordinates of lettering are told to a ten-thousandth of a unit."""


def sheet_record(sheet: Sheet) -> dict[str, Any]:
    """A page or space."""
    return {
        "page": sheet.page,
        "name": sheet.name,
        "kind": sheet.kind,
        "bbox": rounded(sheet.box),
        "unit": sheet.unit,
        "text_layer": sheet.text_layer,
        **sheet.further,
    }


def annotation_record(text: Text) -> dict[str, Any]:
    """One piece of lettering."""
    record: dict[str, Any] = {
        "id": text.id,
        "type": text.kind,
        "text": text.text,
        "position": rounded(text.origin),
        "page": text.page,
        "angle": round(text.angle, 2) % 360.0,
        "height": rounding.significant(text.height),
        "width": rounding.significant(text.width),
        "bbox": rounded(text.box),
    }
    further = {
        "layer": text.layer,
        "style": text.style,
        "tag": text.tag,
        "owner": text.owner,
        "mended": list(text.mended) or None,
        "align": None if text.align == "left" else text.align,
        "visible": None if text.visible else False,
    }
    return record | {name: value for name, value in further.items() if value is not None}


def dimension_record(dimension: Dimensioning) -> dict[str, Any]:
    """A dimension as the document tells it."""
    record: dict[str, Any] = {"id": dimension.id, "type": dimension.type, "page": dimension.page}
    further = {
        "text": dimension.text,
        "value": None if dimension.value is None else rounding.significant(dimension.value),
        "position": dimension.position and rounded(dimension.position),
        "sources": list(dimension.sources) or None,
    }
    return record | {name: value for name, value in further.items() if value is not None} | dimension.further


def rounded(numbers: tuple[float, ...]) -> list[float]:
    """Coordinates to DECIMALS."""
    return [round(float(number), DECIMALS) for number in numbers]
