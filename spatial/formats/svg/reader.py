"""SVG: a diagram where draw.io left one in its `content`, a drawing of its own otherwise.

A drawing's coordinates are CSS pixels after all transforms, the root's viewBox included; y is down as drawn. Entities:
line, polyline, circle, ellipse, and path for everything with curves or several parts; a path has `d`, which holds absolute
lines and cubic Béziers only, and is exact. `layer` is the Inkscape layer, else the nearest group that has a name.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from spatial.contract.formats import EXTENSIONS
from spatial.errors import ParseError
from spatial.formats import content, markup
from spatial.formats.drawio import container
from spatial.formats.drawio.reader import diagram_of
from spatial.formats.svg.walk import DrawingWalk
from spatial.models.diagram.diagram import Diagram
from spatial.models.sheet.drawing import VectorImage

CONTAINERS: Final = frozenset({"svg", "g", "a", "switch", "defs", "symbol"})
"""Elements whose children mean something without those that are missing."""


def read(data: bytes, file_name: str) -> Diagram | VectorImage:
    """Read one file.

    Of a file that is cut off, what is before the cut. Raises: ParseError where it is no SVG, or nothing is.
    """
    content_bytes = content.require(EXTENSIONS["svg"], data, file_name)
    try:
        root, warnings = markup.parse(content_bytes, file_name)
    except ParseError:
        found = _before_the_cut(content_bytes, file_name)
        if found is None:
            raise
        return found
    return _read(root, warnings, file_name)


def _read(root: Any, warnings: list[str], file_name: str) -> Diagram | VectorImage:
    if markup.local(root) != "svg":
        raise ParseError(
            f"{file_name}: the file is not an SVG (its root is <{markup.local(root)[:40]}>); export it again",
            details={"phase": "read"},
        )
    diagram = root.get("content") or ""
    if "mxfile" in diagram or "mxGraphModel" in diagram:
        return diagram_of(container.read_svg_content(diagram, file_name))
    walk = DrawingWalk(root, warnings)
    return VectorImage(walk.drawing(), walk.strokes)


def _before_the_cut(data: bytes, file_name: str) -> Diagram | VectorImage | None:
    """What is whole in a file that is cut off: its diagram, or the elements before the cut; None where that is nothing."""
    cut = markup.parse_cut(data)
    if cut is None:
        return None
    root, unclosed = cut
    for outer, element in pairwise(unclosed):
        if markup.local(element) not in CONTAINERS:
            outer.remove(element)
            break
    warnings = ["the file is cut off; what follows is missing"]
    found = _read(root, warnings, file_name)
    if isinstance(found, Diagram):
        found.warnings.append("the file is cut off in its picture; its diagram is whole")
        return found
    if found.drawing.is_empty:
        return None
    found.drawing.partial = True
    return found
