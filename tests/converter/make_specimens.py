"""Makes the specimens that the fork server reads before it forks: `python -m tests.converter.make_specimens`.

A specimen is small and touches much: an assembly with names, colours and two instances, and faces of every common kind.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import cadquery
import ezdxf.filemanagement
import pymupdf
from OCP.IGESControl import IGESControl_Writer

from tests.spatial.diagrams import edge, model, mxfile, packed, png, points, vertex, wrapper

FOLDER = Path(__file__).parents[2] / "converter" / "specimens"
MADE = "2026-01-01T00:00:00"
"""Instead of the time of making, so that the files change only when the part does."""

DATES = re.compile(r"(\$TDU?(?:CREATE|UPDATE)\n\s*40\n)[\d.]+")
GUIDS = re.compile(r"(\$(?:FINGERPRINT|VERSION)GUID\n\s*2\n)\{[^}]*\}")


def plate() -> cadquery.Workplane:
    """Planes, cylinders and a torus: a plate with a rounded edge and a hole."""
    return (
        cadquery.Workplane().box(20, 10, 4).faces(">Z").edges("<Y").fillet(1).faces(">Z").workplane().cboreHole(2, 4, 1)
    )


def bodies() -> list[cadquery.Workplane]:
    """A cone and an extruded spline."""
    cone = cadquery.Workplane().add(cadquery.Solid.makeCone(3, 1, 4))
    wave = cadquery.Workplane().spline([(0, 0), (2, 1), (4, 0), (6, 1)]).lineTo(6, 4).lineTo(0, 4).close().extrude(2)
    return [cone, wave]


def step() -> None:
    """The assembly."""
    assembly, part = cadquery.Assembly(name="specimen"), plate()
    for number, place in enumerate((0, 30), start=1):
        assembly.add(part, name=f"plate {number}", loc=cadquery.Location((0, place, 0)), color=cadquery.Color("red"))
    for number, body in enumerate(bodies(), start=1):
        assembly.add(body, name=f"body {number}", loc=cadquery.Location((12 * number, 60, 0)))
    path = FOLDER / "step.step"
    assembly.export(str(path))
    text = re.sub(r"(FILE_NAME\([^,]*,')[^']*", rf"\g<1>{MADE}", path.read_text())
    path.write_text(text)


def iges() -> None:
    """The same bodies side by side, as boundary representations."""
    writer = IGESControl_Writer("MM", 1)
    for body in (plate(), *bodies()):
        writer.AddShape(body.findSolid().wrapped)
    writer.ComputeModel()
    path = FOLDER / "iges.iges"
    writer.Write(str(path))
    stamp = re.compile(r"15H\d{8}\.\d{6}")
    path.write_text(stamp.sub("15H20260101.000000", path.read_text()))


def dxf() -> None:
    """Blocks with attributes, curves, a hatch, texts with codes, a dimension, a layout; in R2000, which is short."""
    document = ezdxf.filemanagement.new("R2000", setup=["linetypes"], units=4)
    document.layers.add("outline", color=1, linetype="DASHED")
    block = document.blocks.new("title")
    block.add_attdef("DRAWN_BY", (0, 0), dxfattribs={"prompt": "Drawn by?"})
    space = document.modelspace()
    space.add_lwpolyline([(0, 0, 0), (80, 0, 0.4), (80, 50, 0), (0, 50, 0)], format="xyb", close=True)
    space.add_circle((20, 25), 3.3, dxfattribs={"layer": "outline"})
    space.add_spline_control_frame([(40, 10), (50, 30), (60, 10), (70, 30)])
    space.add_ellipse((50, 25), major_axis=(8, 0), ratio=0.5)
    space.add_hatch().paths.add_polyline_path([(30, 5), (35, 5), (35, 10)], is_closed=True)
    space.add_mtext(r"4X %%c6.6 THRU\P10{\H0.7x;\S+0.2^ -0.1;}", dxfattribs={"insert": (25, 40), "char_height": 3})
    space.add_linear_dim(base=(0, -12), p1=(0, 0), p2=(80, 0)).render()
    space.add_blockref("title", (90, 0)).add_attrib("DRAWN_BY", "J. Doe", (90, 0))
    document.layout("Layout1").add_text("SHEET 1 OF 1", height=3.5)
    text = io.StringIO()
    document.write(text)
    (FOLDER / "dxf.dxf").write_text(DATES.sub(r"\g<1>2461042.0", GUIDS.sub(r"\g<1>{0}", text.getvalue())))


def pdf() -> None:
    """A plate with a hole, a dimension, a callout and a title."""
    document: Any = pymupdf.open()
    page = document.new_page(width=842, height=595)
    page.draw_rect((200, 200, 400, 300))
    page.draw_circle((300, 250), 20)
    page.draw_line((200, 330), (400, 330))
    for place, text in (
        ((290, 325), "200"),
        ((330, 190), "4X Ø6.6 THRU"),
        ((600, 550), "SPECIMEN"),
        ((600, 570), "A4"),
    ):
        page.insert_text(place, text, fontsize=10)
    document.set_metadata({})
    document.save(FOLDER / "pdf.pdf", garbage=4, deflate=True, no_new_id=True)


def diagrams() -> None:
    """One diagram as draw.io writes it (compressed), and in a PNG; and a plain SVG with every kind of element."""
    page = model(
        vertex("pool", (0, 0, 400, 200), "Pool", "swimlane;html=1;startSize=20;"),
        vertex("a", (20, 40, 80, 40), "<b>Start</b><br>here", "ellipse;html=1;", parent="pool"),
        wrapper(vertex("b", (200, 40, 80, 40), parent="pool"), label="%who%", who="End", placeholders="1"),
        edge("e", "a", "b", "yes", "edgeStyle=orthogonalEdgeStyle;html=1;", parent="pool", inner=points((150, 60))),
    )
    (FOLDER / "drawio.drawio").write_text(mxfile(packed(page), page))
    (FOLDER / "png.png").write_bytes(png((b"tEXt", b"mxfile\0" + quote(mxfile(page)).encode())))
    (FOLDER / "svg.svg").write_text(PLAIN_SVG)


def feature_tree() -> None:
    """A plate with a hole: more types of feature make the start slower and no child faster."""
    tree = {"partner": "specimen", "document_id": "1", "feature_tree": FEATURES}
    (FOLDER / "feature_tree.json").write_text(json.dumps(tree, indent=1) + "\n")


FEATURES: list[dict[str, Any]] = [
    {"id": "plate", "feature_type": "box", "size": [20, 10, 4], "units": "mm"},
    {"id": "hole", "feature_type": "hole", "parent": "plate", "position": [3, 5, 4], "diameter": 2, "through": True},
]


PLAIN_SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="50mm" viewBox="0 0 100 50">
<style>.thin { stroke: #ff0000; stroke-width: 0.5 }</style>
<defs><symbol id="s" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></symbol></defs>
<g id="frame" class="thin" fill="none"><rect x="1" y="1" width="98" height="48" rx="3"/><path d="M5 5C9 1 20 9 30 5A5 5 0 0 1 40 5z"/></g>
<use href="#s" x="60" y="10" width="20" height="20" transform="rotate(10 70 20)"/>
<polyline points="5,40 10,30 15,40"/><ellipse cx="30" cy="35" rx="8" ry="4"/><line x1="50" y1="45" x2="90" y2="45"/>
<text x="5" y="20" font-size="4">one <tspan x="5" dy="5">two</tspan></text>
</svg>
"""


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    step()
    iges()
    dxf()
    pdf()
    diagrams()
    feature_tree()
