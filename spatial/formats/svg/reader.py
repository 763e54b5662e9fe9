"""SVG: a diagram where draw.io left one in its `content`, a drawing of its own otherwise.

A drawing's coordinates are CSS pixels after all transforms, the root's viewBox included; y is down as drawn. Entities:
line, polyline, circle, ellipse, and path for everything with curves or several parts; a path has `d`, which holds absolute
lines and cubic Béziers only, and is exact. `layer` is the Inkscape layer, else the nearest group that has a name.
"""

from __future__ import annotations

from spatial.contract.formats import EXTENSIONS
from spatial.errors import ParseError
from spatial.formats import content, markup
from spatial.formats.drawio import container
from spatial.formats.drawio.reader import diagram_of
from spatial.formats.svg.walk import DrawingWalk
from spatial.models.diagram.diagram import Diagram
from spatial.models.sheet.drawing import VectorImage


def read(data: bytes, file_name: str) -> Diagram | VectorImage:
    """Read one file.

    Raises: ParseError where it is no SVG.
    """
    root, warnings = markup.parse(content.require(EXTENSIONS["svg"], data, file_name), file_name)
    if markup.local(root) != "svg":
        raise ParseError(
            f"{file_name}: the file is no SVG; its root is <{markup.local(root)[:40]}>", details={"phase": "read"}
        )
    diagram = root.get("content") or ""
    if "mxfile" in diagram or "mxGraphModel" in diagram:
        return diagram_of(container.read_svg_content(diagram, file_name))
    walk = DrawingWalk(root, warnings)
    return VectorImage(walk.drawing(), walk.strokes)
