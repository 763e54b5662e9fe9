"""Files of a wanted size for measuring: the same seed gives the same file.

A maker takes a count of elements and returns the bytes of one file:

    dxf      lines, arcs, polylines, texts, dimensions, inserts of a block, in the share that drawings of parts have
    pdf      one page of paths and texts, as a CAD program prints a drawing
    svg      shapes, paths and texts with styles
    drawio   nodes in rows, and edges between near ones
    step     plates with holes: each has six planes and its cylinders
    iges     a hub with blades whose sides are B-spline surfaces
"""

from __future__ import annotations

import io
import math
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import ezdxf.filemanagement
import pymupdf as _pymupdf

from benchmarks.diagrams import generated, wrapped

pymupdf: Any = _pymupdf
SEED: Final = 20261
WIDTH: Final = 2_000.0
"""Of the field that elements are strewn over, in units of the file."""

DENSE: Final = {"dxf": 21_000, "pdf": 50_000}
"""Elements on the usual field; more of them have a larger one, so that they stand no nearer to one another."""


def dxf(count: int) -> bytes:
    """A drawing of so many entities; blocks and styles come with it."""
    chance = random.Random(SEED)
    document = ezdxf.filemanagement.new("R2010", setup=True, units=4)
    screw = document.blocks.new("SCREW")
    screw.add_circle((0, 0), 4.0)
    screw.add_line((-6, 0), (6, 0))
    screw.add_line((0, -6), (0, 6))
    for name in ("OUTLINE", "CENTER", "TEXT", "HATCHING"):
        document.layers.add(name)
    space = document.modelspace()
    width = WIDTH * _stretch("dxf", count)
    for number in range(count):
        x, y = chance.uniform(0, width), chance.uniform(0, width)
        kind = number % 20
        if kind < 11:
            space.add_line((x, y), (x + chance.uniform(-30, 30), y), {"layer": "OUTLINE"})
        elif kind < 14:
            start = chance.uniform(0, 360)
            space.add_arc((x, y), chance.uniform(1, 20), start, start + 90.0, dxfattribs={"layer": "OUTLINE"})
        elif kind < 16:
            points = [(x + chance.uniform(0, 40), y + chance.uniform(0, 40)) for _ in range(6)]
            space.add_lwpolyline(points, dxfattribs={"layer": "HATCHING"})
        elif kind < 18:
            space.add_text(f"{chance.randrange(10_000) / 10:g}", height=3.5, dxfattribs={"insert": (x, y)})
        elif kind == 18:
            space.add_blockref("SCREW", (x, y), {"layer": "CENTER"})
        else:
            space.add_circle((x, y), chance.uniform(1, 20), {"layer": "OUTLINE"})
    text = io.StringIO()
    document.write(text)
    return text.getvalue().encode()


def _stretch(format: str, count: int) -> float:
    """How many times as wide the field is for so many elements."""
    return max(1.0, math.sqrt(count / DENSE[format]))


def pdf(count: int) -> bytes:
    """A page with so many paths, and a text for every tenth of them."""
    chance = random.Random(SEED)
    document: Any = pymupdf.open()
    stretch = _stretch("pdf", count)
    page = document.new_page(width=1_191 * stretch, height=842 * stretch)
    shape = page.new_shape()
    texts = pymupdf.TextWriter(page.rect)
    for number in range(count):
        x, y = chance.uniform(20, 1_150 * stretch), chance.uniform(20, 800 * stretch)
        if number % 8 == 7:
            shape.draw_circle((x, y), chance.uniform(1, 8))
        elif number % 8 == 6:
            shape.draw_polyline([(x + chance.uniform(0, 20), y + chance.uniform(0, 20)) for _ in range(5)])
        else:
            shape.draw_line((x, y), (x + chance.uniform(-20, 20), y))
        shape.finish(width=0.5 if number % 3 else 0.25)
        if number % _PATHS_AT_ONCE == _PATHS_AT_ONCE - 1:
            shape.commit()
            texts.write_text(page)
            shape, texts = page.new_shape(), pymupdf.TextWriter(page.rect)
        if number % 10 == 0:
            texts.append((x, y), f"{chance.randrange(10_000) / 10:g}", fontsize=5)
    shape.commit()
    texts.write_text(page)
    return bytes(document.tobytes(deflate=True))


_PATHS_AT_ONCE: Final = 5_000
"""Of one stream of content: PyMuPDF copies the text of a shape with every path, and measures a text writer with every text."""


def svg(count: int) -> bytes:
    """A picture of so many shapes."""
    chance = random.Random(SEED)
    rows = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{WIDTH:g}">'
            "<style>.thin{stroke:#333;stroke-width:.5;fill:none}</style>"
        )
    ]
    for number in range(count):
        x, y = chance.uniform(0, WIDTH), chance.uniform(0, WIDTH)
        if number % 5 == 0:
            rows.append(f'<rect class="thin" x="{x:.2f}" y="{y:.2f}" width="20" height="12"/>')
        elif number % 5 == 1:
            rows.append(f'<circle class="thin" cx="{x:.2f}" cy="{y:.2f}" r="{chance.uniform(1, 20):.2f}"/>')
        elif number % 5 == 2:
            rows.append(f'<text x="{x:.2f}" y="{y:.2f}" font-size="8">{number}</text>')
        else:
            rows.append(f'<path class="thin" d="M{x:.2f} {y:.2f}l20 0c5 5 9 9 12 20z" transform="rotate(15)"/>')
    return "\n".join([*rows, "</svg>"]).encode()


def drawio(count: int) -> bytes:
    """A diagram of so many nodes, and half as many edges again."""
    return wrapped(generated(count, count + count // 2), compressed=False)


def step(count: int) -> bytes:
    """Plates in a grid with about so many faces together."""
    from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

    writer = STEPControl_Writer()
    writer.Transfer(_plates(count), STEPControl_AsIs)
    return _written(writer.Write, ".step")


def iges(count: int) -> bytes:
    """Wheels of a hub and twisted blades with about so many faces together."""
    from OCP.IGESControl import IGESControl_Writer

    writer = IGESControl_Writer("MM", 0)
    writer.AddShape(_wheels(count))
    writer.ComputeModel()
    return _written(writer.Write, ".igs")


MAKERS: Final[dict[str, Callable[[int], bytes]]] = {
    "dxf": dxf,
    "pdf": pdf,
    "svg": svg,
    "drawio": drawio,
    "step": step,
    "iges": iges,
}


def _written(write: Callable[[str], object], suffix: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"made{suffix}"
        write(str(path))
        return path.read_bytes()


_HOLES: Final = 20
"""Of one plate."""


def _plates(faces: int) -> Any:
    import cadquery as cq

    chance = random.Random(SEED)
    plates: list[Any] = []
    for number in range(max(1, round(faces / (_HOLES + 6)))):
        row, column = divmod(number, 40)
        work = cq.Workplane("XY").box(110, 90, chance.uniform(5, 15))
        places = [(20.0 * (hole % 5) - 40.0, 20.0 * (hole // 5) - 30.0) for hole in range(_HOLES)]
        plate: Any = work.faces(">Z").workplane().pushPoints(places).hole(chance.uniform(4, 12)).val()
        plates.append(plate.moved(cq.Location(cq.Vector(column * 150.0, row * 120.0, 0.0))))
    return cq.Compound.makeCompound(plates).wrapped


_BLADES: Final = 12


def _wheels(faces: int) -> Any:
    """Each blade is a loft through three turned profiles: two spline sides, two edges, two ends."""
    import cadquery as cq

    found: list[Any] = []
    for number in range(max(1, round(faces / (6 * _BLADES + 4)))):
        place = cq.Vector(number * 300.0, 0.0, 0.0)
        found.append(cq.Solid.makeCylinder(40.0, 30.0, place))
        for blade in range(_BLADES):
            wires = []
            for level in range(3):
                turn = math.radians(15.0 * level)
                points = [
                    cq.Vector(
                        45.0 + 30.0 * level,
                        9.0 * math.cos(turn) * math.cos(angle) - 1.2 * math.sin(turn) * math.sin(angle),
                        15.0 + 9.0 * math.sin(turn) * math.cos(angle) + 1.2 * math.cos(turn) * math.sin(angle),
                    )
                    for angle in [math.tau * step / 8 for step in range(8)]
                ]
                upper = cq.Edge.makeSpline(points[:5])
                lower = cq.Edge.makeSpline([*points[4:], points[0]])
                wires.append(cq.Wire.assembleEdges([upper, lower]))
            made = cq.Solid.makeLoft(wires)
            turned = made.rotate(cq.Vector(0, 0, 0), cq.Vector(0, 0, 1), 360.0 * blade / _BLADES)
            found.append(turned.moved(cq.Location(place)))
    return cq.Compound.makeCompound(found).wrapped
