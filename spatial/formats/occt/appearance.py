"""Colours and layers of an XCAF document.

The kernel keeps colours linear; files state sRGB, and so do documents (`ColorToHex` converts back).
"""

from __future__ import annotations

from typing import Final

from OCP.Quantity import Quantity_Color
from OCP.TDF import TDF_Label, TDF_LabelSequence
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.XCAFDoc import XCAFDoc_ColorTool, XCAFDoc_ColorType, XCAFDoc_LayerTool, XCAFDoc_ShapeTool

from spatial.models.brep.product import Appearance

_COLORS: Final = (XCAFDoc_ColorType.XCAFDoc_ColorSurf, XCAFDoc_ColorType.XCAFDoc_ColorGen)
"""Of surfaces first: the other one may be that of curves."""


def appearance(label: TDF_Label, layers: XCAFDoc_LayerTool) -> Appearance:
    """How the shape of a label is shown."""
    # The binding calls a sequence true where it is empty.
    names = layers.GetLayers(label)
    return Appearance(
        color=_color(label),
        layers=tuple(names.Value(i).ToExtString() for i in range(1, names.Length() + 1)) if names is not None else (),
        hidden=not XCAFDoc_ColorTool.IsVisible_s(label),
        faces=tuple(_faces(label)),
    )


def _faces(label: TDF_Label) -> list[tuple[object, str]]:
    parts = TDF_LabelSequence()
    XCAFDoc_ShapeTool.GetSubShapes_s(label, parts)
    found = []
    for part in (parts.Value(i) for i in range(1, parts.Length() + 1)):
        shape, color = XCAFDoc_ShapeTool.GetShape_s(part), _color(part)
        if color and shape.ShapeType() == TopAbs_ShapeEnum.TopAbs_FACE:
            found.append((shape, color))
    return found


def _color(label: TDF_Label) -> str | None:
    found = Quantity_Color()
    for kind in _COLORS:
        if XCAFDoc_ColorTool.GetColor_s(label, kind, found):
            return str(Quantity_Color.ColorToHex_s(found).ToCString()).lower()
    return None
