"""Plates with known features in random places, as solids, and their drawings with callouts, some with a contradiction on purpose."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import Any, Final

import cadquery as cq
from ezdxf.filemanagement import new
from ezdxf.layouts.layout import Modelspace

from spatial.contract.extraction import CadExtraction
from tests.spatial.reasoning.diff.revisions import document, step

PITCH: Final = 30.0
"""Millimetres between the places of features, none of which is wider."""

INCH: Final = 25.4


@dataclass(frozen=True)
class Group:
    """Equal holes; millimetres. widening: counterbore or countersink. thread: what the drawing calls them, in place of the diameter."""

    diameter: float
    count: int
    depth: float | None = None
    widening: str | None = None
    wide: float = 0.0
    deep: float = 0.0
    angle: float = 90.0
    thread: str | None = None
    tolerance: str = ""


@dataclass(frozen=True)
class Plate:
    """A plate with holes, slots, rounded upright edges and a chamfer along its upper rim; millimetres."""

    columns: int
    rows: int
    height: float
    groups: tuple[Group, ...]
    slots: tuple[tuple[float, float], ...] = ()
    radius: float = 0.0
    chamfer: float = 0.0
    length: float = 0.0
    width: float = 0.0

    @property
    def size(self) -> tuple[float, float]:
        return self.length or self.columns * PITCH, self.width or self.rows * PITCH


@dataclass(frozen=True)
class Style:
    """How a drawing is made. scale: drawn length per real length."""

    inch: bool = False
    scale: float = 1.0
    shift: tuple[float, float] = (100.0, 100.0)
    notes: Sequence[str] = field(default_factory=tuple)
    with_quantities: bool = True


TAPPED: Final = (
    ("M3", 2.5), ("M4", 3.3), ("M5", 4.2), ("M6", 5.0), ("M8", 6.8), ("M8", 6.647), ("M8", 6.6), ("M8", 7.0), ("M10", 8.5), ("M12", 10.2),
    ("M8", 8.0),
)  # fmt: skip
"""Threads and bores that models have for them: tap drills (DIN 336), the core of ISO 724, the nominal diameter."""


def random_plate(rng: random.Random) -> Plate:
    """A plate whose groups differ by at least 8 % in diameter, as those of a drawing do."""
    rows, columns = rng.randint(3, 4), rng.randint(4, 6)
    height = rng.choice([12.0, 15.0, 20.0])
    free = rows * columns - 2
    groups: list[Group] = []
    for _ in range(rng.randint(2, 5)):
        count = rng.randint(1, 4)
        group = _random_group(rng, count, height)
        if count <= free and all(abs(each.diameter / group.diameter - 1.0) > 0.08 for each in groups):
            groups.append(group)
            free -= count
    slots = tuple({(rng.choice([5.0, 6.0, 8.0]), rng.choice([16.0, 20.0, 24.0]))}) if rng.random() < 0.5 else ()
    return Plate(
        columns, rows, height, tuple(groups), slots, rng.choice([0.0, 3.0, 5.0, 8.0]), rng.choice([0.0, 0.0, 1.0, 1.5])
    )  # fmt: skip


def _random_group(rng: random.Random, count: int, height: float) -> Group:
    kind = rng.choice(["through", "blind", "counterbore", "countersink", "thread", "fit"])
    diameter = rng.choice([3.4, 4.5, 5.5, 6.6, 7.7, 9.0, 11.0])
    depth = rng.choice([6.0, 8.0, 9.0])
    if kind == "through":
        return Group(diameter, count)
    if kind == "blind":
        return Group(diameter, count, depth)
    if kind == "counterbore":
        return Group(diameter, count, None, kind, round(diameter * 1.7, 1), rng.choice([3.0, 4.5]))
    if kind == "countersink":
        return Group(diameter, count, None, kind, round(diameter * 2.0, 1), angle=rng.choice([82.0, 90.0]))
    if kind == "fit":
        return Group(rng.choice([4.0, 6.0, 8.0, 10.0]), count, tolerance=" H7")
    name, bore = rng.choice(TAPPED)
    return Group(bore, count, rng.choice([None, depth]), thread=name)


def solid(plate: Plate, rng: random.Random, *, is_turned: bool = False) -> cq.Workplane:
    """The plate with its features in random places of a grid. is_turned: standing on an edge, somewhere."""
    length, width = plate.size
    body = cq.Workplane().box(length, width, plate.height, centered=(True, True, False))
    if plate.radius:
        body = body.edges("|Z").fillet(plate.radius)
    if plate.chamfer:
        body = body.faces(">Z").edges().chamfer(plate.chamfer)
    places = [
        ((column + 0.5) * PITCH - length / 2, (row + 0.5) * PITCH - width / 2)
        for column in range(plate.columns)
        for row in range(plate.rows)
    ]
    rng.shuffle(places)
    for group in plate.groups:
        own, places = places[: group.count], places[group.count :]
        body = _drilled(body.faces(">Z").workplane(origin=(0, 0, plate.height)).pushPoints(own), group)
    for (wide, long), place in zip(plate.slots, places, strict=False):
        body = (
            body.faces(">Z").workplane(origin=(0, 0, plate.height)).pushPoints([place]).slot2D(long, wide).cutThruAll()
        )
    if is_turned:
        body = body.rotate((0, 0, 0), (1, 0, 0), 90).translate((17.0, -250.0, 33.0))
    return body


def _drilled(points: cq.Workplane, group: Group) -> cq.Workplane:
    if group.widening == "counterbore":
        return points.cboreHole(group.diameter, group.wide, group.deep)
    if group.widening == "countersink":
        return points.cskHole(group.diameter, group.wide, group.angle)
    return points.hole(group.diameter, group.depth)


def model(plate: Plate, rng: random.Random, *, is_turned: bool = False) -> CadExtraction:
    """The document of the solid, written as STEP and read back."""
    return document(step(solid(plate, rng, is_turned=is_turned)), "plate.step")


def drawing(plate: Plate, style: Style | None = None) -> CadExtraction:
    """The document of a DXF with the outline, overall dimensions and a callout per group."""
    return document(dxf(plate, style), "plate.dxf")


def dxf(plate: Plate, style: Style | None = None) -> bytes:
    """The same as a file."""
    style = style or Style()
    file = new("R2010", setup=True, units=1 if style.inch else 4)
    space = file.modelspace()
    _outline(space, plate, style)
    top = style.shift[1] + plate.size[1] * _drawn(style) + 40.0 * _unit(style)
    for place, line in enumerate(callouts(plate, style)):
        at = (style.shift[0], top + place * 14.0 * _unit(style))
        space.add_text(line, height=3.5 * _unit(style)).set_placement(at)
    notes = (
        ("NOTES:", *(f"{number}. {note}" for number, note in enumerate(style.notes, start=1))) if style.notes else ()
    )
    for place, line in enumerate(notes):
        at = (style.shift[0] - 90.0 * _unit(style), 60.0 - place * 6.0)
        space.add_text(line, height=3.5 * _unit(style)).set_placement(at)
    text = StringIO()
    file.write(text)
    return text.getvalue().encode()


def callouts(plate: Plate, style: Style) -> list[str]:
    """The lettering of the features."""
    found = [_callout(group, style) for group in plate.groups]
    found += [f"{_size(wide, style)} X {_size(long, style)} SLOT" for wide, long in plate.slots]
    if plate.radius:
        found.append(f"4X R{_size(plate.radius, style)}" if style.with_quantities else f"R{_size(plate.radius, style)}")
    if plate.chamfer:
        found.append(f"{_size(plate.chamfer, style)} X 45%%d")
    return found


def _callout(group: Group, style: Style) -> str:
    lead = f"{group.count}X " if style.with_quantities and group.count > 1 else ""
    end = "THRU" if group.depth is None else f"{_size(group.depth, style)} DEEP"
    name = group.thread or f"%%c{_size(group.diameter, style)}{group.tolerance}"
    text = f"{lead}{name} {end}"
    if group.widening == "counterbore":
        text += f" CBORE %%c{_size(group.wide, style)} X {_size(group.deep, style)} DEEP"
    if group.widening == "countersink":
        text += f" CSK %%c{_size(group.wide, style)} X {group.angle:g}%%d"
    return text


def _outline(space: Modelspace, plate: Plate, style: Style) -> None:
    """The plate from above and from the side, with their overall dimensions."""
    x, y = style.shift
    length, width = (each * _drawn(style) for each in plate.size)
    height = plate.height * _drawn(style)
    beside = x + length + 60.0 * _unit(style)
    _box(space, (x, y), (length, width))
    _box(space, (beside, y), (height, width))
    gap = 15.0 * _unit(style)
    for base, first, second, angle in (
        ((x, y - gap), (x, y), (x + length, y), 0.0),
        ((x - gap, y), (x, y), (x, y + width), 90.0),
        ((beside, y - gap), (beside, y), (beside + height, y), 0.0),
    ):
        override = {
            "dimlfac": 1.0 / style.scale,
            "dimtxt": 3.5 * _unit(style),
            "dimasz": 3.0 * _unit(style),
            "dimdec": 4,
            "dimzin": 8,
        }
        space.add_linear_dim(
            base=base,
            p1=first,
            p2=second,
            angle=angle,
            dimstyle="Standard",
            override=override,
            dxfattribs={"lineweight": 18},
        ).render()


def _box(space: Modelspace, corner: tuple[float, float], size: tuple[float, float]) -> None:
    (x, y), (wide, high) = corner, size
    points = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
    space.add_lwpolyline(points, close=True, dxfattribs={"lineweight": 50})


def _drawn(style: Style) -> float:
    """Drawing units per real millimetre."""
    return style.scale * _unit(style)


def _unit(style: Style) -> float:
    return 1.0 / INCH if style.inch else 1.0


def _size(value: float, style: Style) -> str:
    return f"{value / INCH:.4f}".rstrip("0").removesuffix(".") if style.inch else f"{value:g}"


def changed(plate: Plate, place: int, **members: Any) -> Plate:
    """The plate with another group at a place."""
    groups = list(plate.groups)
    groups[place] = replace(groups[place], **members)
    return replace(plate, groups=tuple(groups))
