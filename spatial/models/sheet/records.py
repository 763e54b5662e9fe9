"""Sheets, lettering and dimensions as the document tells them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from spatial.geometry.rounding import to_decimals
from spatial.models.sheet.drawing import Dimensioning, Sheet, Text

DECIMALS: Final = 4
"""Coordinates of lettering are told to a ten-thousandth of a unit."""

VALUE_DECIMALS: Final = 6
"""What was measured or computed is told to a millionth: inch sheets have four decimals that count."""


def sheet_record(sheet: Sheet) -> dict[str, Any]:
    """A page or space."""
    return {
        "page": sheet.page,
        "name": sheet.name,
        "kind": sheet.kind,
        "bbox": rounded(sheet.box),
        **({"drawn_bbox": rounded(sheet.drawn)} if sheet.drawn else {}),
        "unit": sheet.unit,
        "text_layer": sheet.text_layer,
        **{name: _short(value) for name, value in sheet.further.items()},
    }


def annotation_records(texts: Sequence[Text]) -> list[dict[str, Any]]:
    """Pieces of lettering; there may be thousands, whose numbers are rounded together."""
    measures = [(*text.origin, text.height, text.width, *text.box) for text in texts]
    numbers = to_decimals(np.array(measures, dtype=np.float64).reshape(-1, 8), DECIMALS).tolist()
    return [_annotation_record(text, own) for text, own in zip(texts, numbers, strict=True)]


def _annotation_record(text: Text, numbers: list[float]) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": text.id,
        "type": text.kind,
        "text": text.text,
        "position": numbers[:2],
        "page": text.page,
        "angle": round(text.angle, 2) % 360.0,
        "height": numbers[2],
        "width": numbers[3],
        "bbox": numbers[4:],
    }
    # Most have none of these, of which a dictionary to be sifted takes as long as the record.
    if text.layer is not None:
        record["layer"] = text.layer
    if text.style is not None:
        record["style"] = text.style
    if text.tag is not None:
        record["tag"] = text.tag
    if text.owner is not None:
        record["owner"] = text.owner
    if text.repairs:
        record["mended"] = list(text.repairs)
    if text.align != "left":
        record["align"] = text.align
    if not text.visible:
        record["visible"] = False
    return record


def dimension_record(dimension: Dimensioning) -> dict[str, Any]:
    """A dimension as the document tells it."""
    record: dict[str, Any] = {"id": dimension.id, "type": dimension.type, "page": dimension.page}
    further = {
        "text": dimension.text,
        "value": None if dimension.value is None else round(dimension.value, VALUE_DECIMALS),
        "position": dimension.position and rounded(dimension.position),
        "sources": list(dimension.sources) or None,
    }
    more = {name: _short(value) for name, value in dimension.further.items()}
    return record | {name: value for name, value in further.items() if value is not None} | more


def _short(value: Any) -> Any:
    """Numbers of a record to as many decimals as they are worth, lists and objects throughout."""
    if isinstance(value, float):
        return round(value, VALUE_DECIMALS)
    if isinstance(value, (list, tuple)):
        return [_short(each) for each in value]
    return {name: _short(each) for name, each in value.items()} if isinstance(value, dict) else value


def rounded(numbers: tuple[float, ...]) -> list[float]:
    """Coordinates to DECIMALS."""
    return [round(float(number), DECIMALS) for number in numbers]
