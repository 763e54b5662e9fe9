"""Makes `plate.step` and `plate.dxf`: a mounting plate and its drawing, which contradict each other in one place, on purpose.

Run with `python -m examples.make_plate [FOLDER]`. Every run draws the same.

    plate         120 x 80 x 15 mm, upright corners R10, upper rim chamfered 1 x 45°
    screw holes   four of diameter 6.6 through, counterbored to diameter 11
    threads       two M8, modelled as their tap drill of diameter 6.8, 12 deep
    bore          diameter 20 H7 through
    slot          8 x 24

The drawing asks counterbores that are 6.8 deep; the model has 6.
"""

from __future__ import annotations

import re
import sys
from io import StringIO
from pathlib import Path
from typing import Final

import cadquery as cq
from ezdxf._options import options
from ezdxf.filemanagement import new
from ezdxf.layouts.layout import Modelspace

from examples.make_bracket import step_bytes

NAME: Final = "Mounting plate"
LENGTH, WIDTH, HEIGHT = 120.0, 80.0, 15.0
CORNER, CHAMFER = 10.0, 1.0
SCREWS: Final = [(x, y) for x in (-45.0, 45.0) for y in (-28.0, 28.0)]
SCREW, COUNTERBORE, ASKED_DEPTH, MODELLED_DEPTH = 6.6, 11.0, 6.8, 6.0
THREADS: Final = [(-30.0, 0.0), (30.0, 0.0)]
TAP, TAP_DEPTH = 6.8, 12.0
BORE: Final = 20.0
SLOT_LENGTH, SLOT_WIDTH, SLOT_PLACE = 24.0, 8.0, (0.0, -26.0)


def plate() -> cq.Workplane:
    """The part, in millimetres: centred on the origin, standing on z = 0."""
    body = cq.Workplane().box(LENGTH, WIDTH, HEIGHT, centered=(True, True, False)).edges("|Z").fillet(CORNER)
    body = body.faces(">Z").edges().chamfer(CHAMFER)

    def top() -> cq.Workplane:
        return body.faces(">Z").workplane(origin=(0.0, 0.0, HEIGHT))

    body = top().pushPoints(SCREWS).cboreHole(SCREW, COUNTERBORE, MODELLED_DEPTH)
    body = top().pushPoints(THREADS).hole(TAP, TAP_DEPTH)
    body = top().hole(BORE)
    return top().pushPoints([SLOT_PLACE]).slot2D(SLOT_LENGTH, SLOT_WIDTH).cutThruAll()


def sheet() -> bytes:
    """The drawing as DXF: the plate from above and from the right, at 1:1 on A3."""
    file = new("R2010", setup=True, units=4)
    space = file.modelspace()
    space.add_lwpolyline([(0, 0), (420, 0), (420, 297), (0, 297)], close=True, dxfattribs={"lineweight": 70})
    _top_view(space, (130.0, 160.0))
    _side_view(space, (280.0, 160.0))
    _title_block(space)
    text = StringIO()
    before, options.write_fixed_meta_data_for_testing = options.write_fixed_meta_data_for_testing, True
    file.write(text)
    options.write_fixed_meta_data_for_testing = before
    # The library notes when it wrote a file.
    return re.sub(r"(\d+\.\d+\.\d+) @ \d{4}-[0-9T:.+-]+", r"\1", text.getvalue()).encode()


def _top_view(space: Modelspace, middle: tuple[float, float]) -> None:
    x, y = middle
    left, right, low, high = x - LENGTH / 2, x + LENGTH / 2, y - WIDTH / 2, y + WIDTH / 2
    wide = {"lineweight": 50}
    turn = 0.41421356237309503
    corners = [
        (left + CORNER, low, 0), (right - CORNER, low, turn), (right, low + CORNER, 0), (right, high - CORNER, turn),
        (right - CORNER, high, 0), (left + CORNER, high, turn), (left, high - CORNER, 0), (left, low + CORNER, turn),
    ]  # fmt: skip
    space.add_lwpolyline(corners, format="xyb", close=True, dxfattribs=wide)
    for dx, dy in SCREWS:
        space.add_circle((x + dx, y + dy), SCREW / 2, dxfattribs=wide)
        space.add_circle((x + dx, y + dy), COUNTERBORE / 2, dxfattribs=wide)
    for dx, dy in THREADS:
        space.add_circle((x + dx, y + dy), TAP / 2, dxfattribs=wide)
        space.add_arc((x + dx, y + dy), 4.0, 100.0, 10.0, dxfattribs={"lineweight": 18})
    space.add_circle(middle, BORE / 2, dxfattribs=wide)
    half, radius = (SLOT_LENGTH - SLOT_WIDTH) / 2, SLOT_WIDTH / 2
    dx, dy = x + SLOT_PLACE[0], y + SLOT_PLACE[1]
    ends = [
        (dx - half, dy - radius, 0),
        (dx + half, dy - radius, 1),
        (dx + half, dy + radius, 0),
        (dx - half, dy + radius, 1),
    ]
    space.add_lwpolyline(ends, format="xyb", close=True, dxfattribs=wide)
    _linear(space, (x, low - 20.0), (left, low), (right, low))
    _linear(space, (left - 20.0, y), (left, low), (left, high), 90.0)
    _called(
        space,
        (x + SCREWS[3][0], y + SCREWS[3][1]),
        (right + 8.0, high + 36.0),
        "4X %%c6.6 THRU CBORE %%c11 X 6.8 DEEP",
        COUNTERBORE / 2,
    )
    _called(space, (x + THREADS[0][0], y), (left - 30.0, high + 20.0), "2X M8 X 12 DEEP", TAP / 2)
    _called(space, (x, y), (x - 20.0, high + 20.0), "%%c20 H7 THRU", BORE / 2)
    _called(space, (dx, dy), (x + 20.0, low - 35.0), "8 X 24 SLOT", radius)
    _called(space, (right - 2.93, low + 2.93), (right + 15.0, low - 18.0), "4X R10", 0.0)


def _side_view(space: Modelspace, corner: tuple[float, float]) -> None:
    x, y = corner[0], corner[1] - WIDTH / 2
    top = x + HEIGHT
    points = [
        (x, y),
        (top - CHAMFER, y),
        (top, y + CHAMFER),
        (top, y + WIDTH - CHAMFER),
        (top - CHAMFER, y + WIDTH),
        (x, y + WIDTH),
    ]
    space.add_lwpolyline(points, close=True, dxfattribs={"lineweight": 50})
    _linear(space, (x, y - 20.0), (x, y), (top, y))
    _called(space, (top - CHAMFER / 2, y + WIDTH - CHAMFER / 2), (top + 20.0, y + WIDTH + 15.0), "1 X 45%%d", 0.0)


def _linear(
    space: Modelspace,
    base: tuple[float, float],
    first: tuple[float, float],
    second: tuple[float, float],
    angle: float = 0.0,
) -> None:
    """A dimension of the distance of two points along an angle in degrees."""
    override = {"dimtxt": 3.5, "dimasz": 3.0, "dimdec": 2, "dimzin": 8}
    thin = {"lineweight": 18}
    space.add_linear_dim(
        base=base, p1=first, p2=second, angle=angle, dimstyle="Standard", override=override, dxfattribs=thin
    ).render()


def _called(
    space: Modelspace, middle: tuple[float, float], landing: tuple[float, float], text: str, radius: float
) -> None:
    """A text with a leader from its landing to a circle of a radius about a middle."""
    across, up = landing[0] - middle[0], landing[1] - middle[1]
    long = (across**2 + up**2) ** 0.5
    tip = (middle[0] + radius * across / long, middle[1] + radius * up / long)
    space.add_leader(
        [tip, landing, (landing[0] + 4.0, landing[1])], override={"dimasz": 3.0}, dxfattribs={"lineweight": 18}
    )
    space.add_text(text, height=3.5).set_placement((landing[0] + 5.0, landing[1] - 1.75))


def _title_block(space: Modelspace) -> None:
    left, rows = 250.0, (("TITLE", NAME.upper()), ("SCALE", "1:1"), ("UNITS", "MM"), ("TOLERANCES", "ISO 2768-f"))
    for place, (label, value) in enumerate(rows):
        low = 10.0 + 10.0 * place
        space.add_lwpolyline(
            [(left, low), (410, low), (410, low + 10), (left, low + 10)], close=True, dxfattribs={"lineweight": 35}
        )
        space.add_line((left + 40.0, low), (left + 40.0, low + 10.0), dxfattribs={"lineweight": 18})
        space.add_text(label, height=2.5).set_placement((left + 2.0, low + 3.5))
        space.add_text(value, height=3.5).set_placement((left + 43.0, low + 3.0))


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    (folder / "plate.step").write_bytes(step_bytes(plate(), NAME))
    (folder / "plate.dxf").write_bytes(sheet())
    print(f"{folder / 'plate.step'}, {folder / 'plate.dxf'}")
