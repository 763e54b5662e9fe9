"""Parts made at random with known features: a block divided into cells, one feature in each, holes that cross them, in any pose.

Lengths are millimetres in the frame of the block, whose upper face is at z = 0; `Made.pose` takes them to the part's own frame.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import cos, pi, radians, sin, tan
from typing import Final

import cadquery as cq
from OCP.ShapeUpgrade import ShapeUpgrade_ShapeDivideAngle

from tests.spatial import parts

CELL: Final = 40.0
"""Millimetres between the middles of two cells."""

ROOM: Final = 17.0
"""Greatest distance of a feature's outline from the middle of its cell."""


@dataclass(frozen=True)
class Truth:
    """One feature that a part was made with."""

    kind: str
    """A type of the contract's Feature, or what stands at a hole's entry."""
    sizes: dict[str, float]
    """Names of the contract's members, `counterbore.depth` for a member of a member."""
    at: tuple[float, float, float] | None = None
    """A point that its axis goes through."""


@dataclass
class Made:
    """A part, and what is known of it."""

    shape: cq.Shape
    truth: list[Truth]
    written: str
    """How its faces are written: as they are, in halves, or as splines."""


@dataclass
class _Work:
    """A part in the making."""

    chance: random.Random
    height: float
    body: cq.Workplane
    truth: list[Truth] = field(default_factory=list)
    crossed: float = -1e9
    """Level below which holes from the side may pass."""

    def cut(self, tool: cq.Workplane) -> None:
        self.body = self.body.cut(tool)

    def size(self, low: float, high: float) -> float:
        return round(self.chance.uniform(low, high), 2)

    def is_through(self) -> bool:
        return self.chance.random() < 0.4

    def depth(self) -> float:
        """Of what does not go through: above the holes from the side."""
        return self.size(0.15 * self.height, 0.55 * self.height)


Cell = Callable[[_Work, float, float], None]
"""Makes one feature: in a cell about x and y, or a channel on a level of a length."""


def made(seed: int) -> Made:
    """One part of a seed."""
    return _made(seed, KINDS, CHANNELS)


def made_further(seed: int) -> Made:
    """One of the features that were added to the first ones: the parts of `made` stay what they are."""
    return _made(seed, [*FURTHER, *KINDS[:3]], [_crossing, _crossing, *CHANNELS])


def _made(seed: int, kinds: list[Cell], channels: list[Cell]) -> Made:
    chance = random.Random(seed)
    columns, rows = chance.randint(2, 4), chance.randint(1, 3)
    height = round(chance.uniform(18.0, 40.0), 2)
    size = columns * CELL, rows * CELL
    body = cq.Workplane("XY", origin=(0, 0, -height / 2)).box(size[0], size[1], height)
    work = _Work(chance, height, body)
    _edges(work, size[1])
    middles = [
        (
            (column + 0.5) * CELL - size[0] / 2 + chance.uniform(-2, 2),
            (row + 0.5) * CELL - size[1] / 2 + chance.uniform(-2, 2),
        )
        for column in range(columns)
        for row in range(rows)
    ]
    if rows > 1 and chance.random() < 0.5:
        level = (chance.randrange(rows) + 0.5) * CELL - size[1] / 2
        middles = [(x, y) for x, y in middles if abs(y - level) > CELL / 2]
        chance.choice(channels)(work, level, size[0])
    for x, y in middles:
        if chance.random() < 0.9:
            chance.choice(kinds)(work, x, y)
    if chance.random() < 0.5:
        _cross_hole(work, size)
    return _posed(work)


def _posed(work: _Work) -> Made:
    chance = work.chance
    written = chance.choice(["as they are", "as they are", "in halves", "as splines"])
    shape: cq.Shape = parts.solid(work.body)
    if written == "in halves":
        divide = ShapeUpgrade_ShapeDivideAngle(pi, shape.wrapped)
        divide.Perform()
        shape = cq.Shape.cast(divide.Result())
    elif written == "as splines":
        shape = parts.as_splines(shape)
    axis = cq.Vector(*(chance.uniform(-1, 1) for _ in range(3))).normalized()
    angle, shift = chance.uniform(0, 180), cq.Vector(*(chance.uniform(-300, 300) for _ in range(3)))

    def place(point: tuple[float, float, float]) -> tuple[float, float, float]:
        turned = cq.Vertex.makeVertex(*point).rotate(cq.Vector(), axis, angle)
        return turned.translate(shift).toTuple()

    truth = [Truth(each.kind, each.sizes, None if each.at is None else place(each.at)) for each in work.truth]
    return Made(shape.rotate(cq.Vector(), axis, angle).translate(shift), truth, written)


def _edges(work: _Work, width: float) -> None:
    """The block's upright edges rounded, or two of its upper ones broken, or neither."""
    what = work.chance.random()
    if what < 0.35:
        radius = work.size(1.0, 2.5)
        work.body = work.body.edges("|Z").fillet(radius)
        work.truth += [Truth("fillet", {"radius": radius, "length": work.height})] * 4
    elif what < 0.65:
        leg = work.size(0.5, 2.0)
        work.body = work.body.edges(">Z and |Y").chamfer(leg)
        work.truth += [Truth("chamfer", {"legs.0": leg, "legs.1": leg, "length": width})] * 2


def _cylinder(x: float, y: float, top: float, depth: float, diameter: float) -> cq.Workplane:
    return cq.Workplane("XY", origin=(x, y, top - depth)).circle(diameter / 2).extrude(depth)


def _cone(x: float, y: float, top: float, diameter: float, angle: float) -> cq.Workplane:
    """A cone that ends in a point below `top`."""
    depth = diameter / 2 / tan(radians(angle) / 2)
    return cq.Workplane("XY", origin=(x, y, top)).add(
        cq.Solid.makeCone(diameter / 2, 0, depth, cq.Vector(x, y, top), cq.Vector(0, 0, -1))
    )


def _bore(work: _Work, x: float, y: float, diameter: float, top: float = 0.0, above: float = 0.0) -> dict[str, float]:
    """A hole from a level, through or blind with a drill's point or a flat floor. above: how far the tool begins over it."""
    if work.is_through():
        work.cut(_cylinder(x, y, top + above, top + above + work.height + 1, diameter))
        return {"diameter": diameter, "through": 1.0}
    depth = work.size(0.35 * work.height, 0.5 * work.height)
    work.cut(_cylinder(x, y, top + above, depth + above, diameter))
    if work.chance.random() < 0.5:
        work.cut(_cone(x, y, top - depth, diameter, 118.0))
        return {"diameter": diameter, "through": 0.0, "depth": depth, "bottom.angle": 118.0}
    return {"diameter": diameter, "through": 0.0, "depth": depth}


def _hole(work: _Work, x: float, y: float) -> None:
    sizes = _bore(work, x, y, work.size(3.0, 16.0))
    work.truth.append(Truth("hole", sizes, (x, y, 0.0)))


def _counterbore(work: _Work, x: float, y: float) -> None:
    diameter = work.size(4.0, 12.0)
    wide, depth = round(diameter * work.chance.uniform(1.5, 2.2), 2), work.size(0.1 * work.height, 0.3 * work.height)
    work.cut(_cylinder(x, y, 0.0, depth, wide))
    sizes = _bore(work, x, y, diameter)
    word = "spotface" if depth < 0.25 * diameter and depth <= 3.0 else "counterbore"
    work.truth.append(Truth("hole", sizes, (x, y, 0.0)))
    work.truth.append(Truth(word, {f"{word}.diameter": wide, f"{word}.depth": depth}, (x, y, 0.0)))


def _countersink(work: _Work, x: float, y: float) -> None:
    diameter = work.size(3.0, 9.0)
    wide, angle = round(diameter * work.chance.uniform(1.7, 2.2), 2), work.chance.choice([82.0, 90.0, 100.0])
    work.cut(_cone(x, y, 0.0, wide, angle))
    sizes = _bore(work, x, y, diameter)
    work.truth.append(Truth("hole", sizes, (x, y, 0.0)))
    members = {"countersink.diameter": wide, "countersink.angle": angle}
    work.truth.append(Truth("countersink", members, (x, y, 0.0)))


def _turned(work: _Work, tool: cq.Workplane, x: float, y: float) -> cq.Workplane:
    """A tool about the middle of a cell, at a random angle."""
    return tool.rotate((0, 0, 0), (0, 0, 1), work.chance.uniform(0, 180)).translate((x, y, 0))


def _slot(work: _Work, x: float, y: float) -> None:
    width = work.size(4.0, 10.0)
    length, is_through = work.size(1.6 * width, 2 * ROOM), work.is_through()
    depth = work.height if is_through else work.depth()
    tool = cq.Workplane("XY", origin=(0, 0, -depth)).slot2D(length, width).extrude(depth)
    work.cut(_turned(work, tool, x, y))
    sizes = {"width": width, "length": length, "depth": depth, "through": float(is_through)}
    work.truth.append(Truth("slot", sizes, (x, y, 0.0)))


def _pocket(work: _Work, x: float, y: float) -> None:
    width, length = sorted((work.size(10.0, 22.0), work.size(10.0, 22.0)))
    is_through, radius = work.is_through(), work.size(1.0, 3.0)
    depth = work.height if is_through else work.depth()
    tool = cq.Workplane("XY", origin=(0, 0, -depth)).rect(length, width).extrude(depth).edges("|Z").fillet(radius)
    work.cut(_turned(work, tool, x, y))
    sizes = {"width": width, "length": length, "depth": depth, "radius": radius, "through": float(is_through)}
    work.truth.append(Truth("pocket", sizes, (x, y, 0.0)))
    work.truth += [Truth("fillet", {"radius": radius, "length": depth})] * 4
    if not is_through and work.chance.random() < 0.3:
        diameter = work.size(3.0, 6.0)
        work.cut(_cylinder(x, y, 0.0, work.height, diameter))
        work.truth.append(Truth("hole", {"diameter": diameter, "through": 1.0}, (x, y, -depth)))


def _boss(work: _Work, x: float, y: float) -> None:
    height = work.size(4.0, 20.0)
    if work.chance.random() < 0.6:
        diameter = work.size(12.0, 26.0)
        tool, sizes = cq.Workplane("XY").circle(diameter / 2).extrude(height), {"diameter": diameter}
    else:
        width, length = sorted((work.size(max(8.0, 0.6 * height), 20.0), work.size(max(8.0, 0.6 * height), 20.0)))
        tool, sizes = cq.Workplane("XY").rect(length, width).extrude(height), {"width": width, "length": length}
    work.body = work.body.union(_turned(work, tool, x, y))
    work.truth.append(Truth("boss", sizes | {"height": height}, (x, y, 0.0)))
    if work.chance.random() < 0.5:
        bore = _bore(work, x, y, work.size(2.5, 6.0), height, 0.1)
        work.truth.append(Truth("hole", bore, (x, y, height)))


def _rib(work: _Work, x: float, y: float) -> None:
    thickness, length = work.size(2.0, 4.0), work.size(16.0, 30.0)
    height = work.size(2.5 * thickness, 15.0)
    tool = cq.Workplane("XY").rect(length, thickness).extrude(height)
    work.body = work.body.union(_turned(work, tool, x, y))
    work.truth.append(Truth("rib", {"thickness": thickness, "length": length, "height": height}, (x, y, 0.0)))


def _bolt_circle(work: _Work, x: float, y: float) -> None:
    """Around a bore half of the time; four without one are a square."""
    count, diameter = work.chance.randint(3, 6), work.size(2.0, 4.5)
    across, begin = work.size(18.0, 28.0), work.chance.uniform(0, pi)
    turns = [begin + 2 * pi * place / count for place in range(count)]
    for turn in turns:
        at = x + across / 2 * cos(turn), y + across / 2 * sin(turn)
        work.cut(_cylinder(*at, 0.0, work.height, diameter))
        work.truth.append(Truth("hole", {"diameter": diameter, "through": 1.0}, (*at, 0.0)))
    has_bore = work.chance.random() < 0.5
    if has_bore:
        bore = work.size(5.0, 8.0)
        work.cut(_cylinder(x, y, 0.0, work.height, bore))
        work.truth.append(Truth("hole", {"diameter": bore, "through": 1.0}, (x, y, 0.0)))
    if count == 4 and not has_bore:
        pitch = across / 2**0.5
        work.truth.append(Truth("grid", {"pitches.0": pitch, "pitches.1": pitch, "count": 4.0}, (x, y, 0.0)))
        return
    sizes = {"diameter": across, "count": float(count), "step_angle": 360.0 / count}
    work.truth.append(Truth("circle", sizes, (x, y, 0.0)))


def _cut_hole(work: _Work, x: float, y: float) -> None:
    """A hole that a narrower slot crosses."""
    diameter = work.size(9.0, 16.0)
    width, length = round(diameter * work.chance.uniform(0.3, 0.7), 2), work.size(24.0, 2 * ROOM)
    depth = work.size(0.15 * work.height, 0.4 * work.height)
    work.cut(_cylinder(x, y, 0.0, work.height, diameter))
    tool = cq.Workplane("XY", origin=(0, 0, -depth)).slot2D(length, width).extrude(depth)
    work.cut(_turned(work, tool, x, y))
    work.truth.append(Truth("hole", {"diameter": diameter, "through": 1.0}, (x, y, 0.0)))
    work.truth.append(Truth("slot", {"width": width, "length": length, "depth": depth, "through": 0.0}, (x, y, 0.0)))


def _ring(work: _Work, x: float, y: float) -> None:
    inner, width, depth = work.size(8.0, 18.0), work.size(2.0, 5.0), work.size(1.0, 4.0)
    tool = cq.Workplane("XY", origin=(x, y, -depth)).circle(inner / 2 + width).circle(inner / 2).extrude(depth)
    work.cut(tool)
    sizes = {"inner_diameter": inner, "outer_diameter": inner + 2 * width, "depth": depth, "width": width}
    work.truth.append(Truth("groove", sizes, (x, y, 0.0)))


def _filled_pocket(work: _Work, x: float, y: float) -> None:
    """A pocket with a rounded floor, as of a cutter with a corner radius."""
    width, length = sorted((work.size(12.0, 22.0), work.size(12.0, 22.0)))
    radius, floor, depth = work.size(2.0, 3.5), work.size(0.5, 1.5), work.depth()
    tool = cq.Workplane("XY", origin=(0, 0, -depth)).rect(length, width).extrude(depth).edges("|Z").fillet(radius)
    work.cut(_turned(work, tool.faces("<Z").edges().fillet(floor), x, y))
    sizes = {"width": width, "length": length, "depth": depth, "radius": radius, "through": 0.0}
    work.truth.append(Truth("pocket", sizes, (x, y, 0.0)))
    work.truth += [Truth("fillet", {"radius": radius, "length": depth - floor})] * 4
    work.truth.append(Truth("fillet", {"radius": floor}))


def _crossed_pocket(work: _Work, x: float, y: float) -> None:
    """A pocket without rounded corners, crossed by a narrower slot that reaches out of it on both sides."""
    width, depth = work.size(12.0, 16.0), work.depth()
    across, deep = work.size(4.0, 7.0), round(depth * work.chance.uniform(0.3, 0.7), 2)
    pocket = cq.Workplane("XY", origin=(0, 0, -depth)).rect(width + 2.0, width).extrude(depth)
    slot = cq.Workplane("XY", origin=(0, 0, -deep)).slot2D(2 * ROOM, across).extrude(deep)
    work.cut(_turned(work, pocket.union(slot), x, y))
    sizes = {"width": width, "length": width + 2.0, "depth": depth, "through": 0.0}
    work.truth.append(Truth("pocket", sizes, (x, y, 0.0)))
    sizes = {"width": across, "length": 2 * ROOM, "depth": deep, "through": 0.0}
    work.truth.append(Truth("slot", sizes, (x, y, 0.0)))


def _filled_boss(work: _Work, x: float, y: float) -> None:
    """A boss with a fillet at its foot, and a chamfer or a rounding at its top."""
    height, diameter = work.size(6.0, 20.0), work.size(12.0, 24.0)
    foot, top = work.size(0.8, 2.0), work.size(0.5, 1.5)
    tool = cq.Workplane("XY").circle(diameter / 2).extrude(height)
    is_broken = work.chance.random() < 0.5
    tool = tool.faces(">Z").chamfer(top) if is_broken else tool.faces(">Z").fillet(top)
    work.body = work.body.union(tool.translate((x, y, 0)))
    ring = cq.selectors.BoxSelector((x - 15, y - 15, -0.1), (x + 15, y + 15, 0.1))  # type: ignore[no-untyped-call]  # cadquery declares no types
    work.body = work.body.edges(ring).edges("%CIRCLE").fillet(foot)
    work.truth.append(Truth("boss", {"diameter": diameter, "height": height}, (x, y, 0.0)))
    work.truth.append(Truth("fillet", {"radius": foot}))
    work.truth.append(
        Truth("chamfer", {"legs.0": top, "legs.1": top, "diameter": diameter})
        if is_broken
        else Truth("fillet", {"radius": top})
    )


def _dimple(work: _Work, x: float, y: float) -> None:
    """What a ball mill leaves that is set down."""
    radius = work.size(4.0, 14.0)
    depth = round(min(radius, 0.5 * work.height) * work.chance.uniform(0.3, 0.9), 2)
    work.cut(cq.Workplane("XY").sphere(radius).translate((x, y, radius - depth)))
    mouth = 2.0 * (radius**2 - (radius - depth) ** 2) ** 0.5
    work.truth.append(Truth("pocket", {"diameter": mouth, "depth": depth, "floor_radius": radius}, (x, y, 0.0)))


def _stepped_bore(work: _Work, x: float, y: float) -> None:
    """Three diameters, the smallest in the end."""
    first = work.size(3.0, 6.0)
    second, third = round(first * 1.4, 2), round(first * 1.9, 2)
    depths = work.size(0.1 * work.height, 0.2 * work.height), work.size(0.3 * work.height, 0.45 * work.height)
    work.cut(_cylinder(x, y, 0.0, depths[0], third))
    work.cut(_cylinder(x, y, 0.0, depths[1], second))
    work.cut(_cylinder(x, y, 0.0, work.height, first))
    steps = {"steps.0.diameter": third, "steps.1.diameter": second, "steps.1.end": depths[1], "steps.2.diameter": first}
    work.truth.append(Truth("hole", {"diameter": first, "through": 1.0, **steps}, (x, y, 0.0)))
    wide = {"counterbore.diameter": third, "counterbore.depth": depths[0]}
    work.truth.append(Truth("counterbore", wide, (x, y, 0.0)))


def _channel(work: _Work, outline: list[tuple[float, float]], level: float, length: float) -> None:
    """Cut an outline (across, up) along the whole block."""
    points = [(across + level, up) for across, up in outline]
    work.cut(cq.Workplane("YZ", origin=(-length / 2 - 1, 0, 0)).polyline(points).close().extrude(length + 2))


def _rectangle(width: float, low: float, high: float = 1.0) -> list[tuple[float, float]]:
    return [(-width / 2, high), (width / 2, high), (width / 2, low), (-width / 2, low)]


def _groove(work: _Work, level: float, length: float) -> None:
    """A channel with upright walls, and holes through its floor."""
    width, depth = work.size(8.0, 20.0), work.size(0.15 * work.height, 0.45 * work.height)
    _channel(work, _rectangle(width, -depth), level, length)
    work.truth.append(
        Truth("slot", {"width": width, "length": length, "depth": depth, "through": 0.0}, (0.0, level, 0.0))
    )
    diameter = round(width * work.chance.uniform(0.3, 1.3), 2)
    for x in (-length / 4, length / 4):
        work.cut(_cylinder(x, level, 0.0, work.height, diameter))
        work.truth.append(Truth("hole", {"diameter": diameter, "through": 1.0}, (x, level, 0.0)))


def _v_groove(work: _Work, level: float, length: float) -> None:
    depth, angle = work.size(0.15 * work.height, 0.5 * work.height), work.chance.choice([60.0, 90.0, 120.0])
    half = min(depth * tan(radians(angle) / 2), ROOM)
    depth = half / tan(radians(angle) / 2)
    _channel(work, [(-half, 0.0), (-half, 1.0), (half, 1.0), (half, 0.0), (0.0, -depth)], level, length)
    sizes = {"width": 2 * half, "length": length, "depth": depth, "angle": angle}
    work.truth.append(Truth("slot", sizes, (0.0, level, 0.0)))


def _dovetail(work: _Work, level: float, length: float) -> None:
    depth, angle, width = (
        work.size(4.0, 0.4 * work.height),
        work.chance.choice([45.0, 55.0, 60.0]),
        work.size(8.0, 14.0),
    )
    floor = width + 2 * depth / tan(radians(angle))
    outline = [
        (-width / 2, 0.0),
        (-width / 2, 1.0),
        (width / 2, 1.0),
        (width / 2, 0.0),
        (floor / 2, -depth),
        (-floor / 2, -depth),
    ]
    _channel(work, outline, level, length)
    undercut = {"undercut.width": floor, "undercut.depth": depth, "undercut.angle": angle}
    work.truth.append(Truth("slot", {"width": width, "length": length, "depth": depth, **undercut}, (0.0, level, 0.0)))


def _t_slot(work: _Work, level: float, length: float) -> None:
    width, neck, depth = work.size(6.0, 10.0), work.size(3.0, 6.0), work.size(9.0, 0.6 * work.height)
    wide = round(width * work.chance.uniform(1.5, 2.2), 2)
    _channel(work, _rectangle(width, -neck), level, length)
    _channel(work, _rectangle(wide, -depth, -neck), level, length)
    undercut = {"undercut.width": wide, "undercut.depth": depth - neck}
    work.truth.append(Truth("slot", {"width": width, "length": length, "depth": depth, **undercut}, (0.0, level, 0.0)))


CHANNELS: Final[list[Cell]] = [_groove, _groove, _v_groove, _dovetail, _t_slot]


def _cross_hole(work: _Work, size: tuple[float, float]) -> None:
    """A hole from side to side, below what is blind."""
    diameter = work.size(2.0, 0.2 * work.height)
    y = work.chance.uniform(-0.35, 0.35) * size[1]
    level = -0.85 * work.height
    tool = cq.Workplane("YZ", origin=(-size[0] / 2 - 1, y, level)).circle(diameter / 2).extrude(size[0] + 2)
    work.cut(tool)
    work.truth.append(Truth("hole", {"diameter": diameter, "through": 1.0}, (0.0, y, level)))


KINDS: Final[list[Cell]] = [
    _hole, _hole, _counterbore, _countersink, _slot, _pocket, _boss, _rib, _bolt_circle, _cut_hole, _ring, _filled_pocket,
    _crossed_pocket, _filled_boss, _dimple, _stepped_bore,
]  # fmt: skip


def _curved_slot(work: _Work, x: float, y: float) -> None:
    """A slot along an arc, around a hole half of the time."""
    width, radius, angle = work.size(2.5, 4.5), work.size(10.0, 14.0), work.size(40.0, 300.0)
    is_through = work.is_through()
    depth = work.height if is_through else work.depth()
    begin = work.chance.uniform(0.0, 2.0 * pi)

    def at(away: float, turn: float) -> tuple[float, float]:
        return away * cos(begin + turn) + x, away * sin(begin + turn) + y

    whole, half = radians(angle), width / 2
    tool = cq.Workplane("XY", origin=(0, 0, -depth)).moveTo(*at(radius - half, 0.0))
    tool = tool.threePointArc(at(radius - half, whole / 2), at(radius - half, whole))
    for turn, way, away in ((whole, 1.0, radius + half), (0.0, -1.0, radius - half)):
        (a, b), tip = at(radius, turn), begin + turn + way * pi / 2
        if turn == 0.0:
            tool = tool.threePointArc(at(radius + half, whole / 2), at(radius + half, 0.0))
        tool = tool.threePointArc((a + half * cos(tip), b + half * sin(tip)), at(away, turn))
    work.cut(tool.close().extrude(depth))
    sizes = {"width": width, "length": radius * whole + width, "depth": depth, "through": float(is_through)}
    work.truth.append(Truth("slot", sizes | {"arc.radius": radius, "arc.angle": angle}))
    if work.chance.random() < 0.5 and radius > 12.0:
        _hole(work, x, y)


def _leaning_pocket(work: _Work, x: float, y: float) -> None:
    """A pocket whose walls lean by a draft or far more."""
    width, length = sorted((work.size(16.0, 22.0), work.size(16.0, 22.0)))
    lean, depth = work.size(3.0, 65.0), work.size(2.0, 3.5)
    off = 2.0 * depth * tan(radians(lean))
    tool = cq.Workplane("XY").rect(length, width).workplane(offset=-depth).rect(length - off, width - off).loft()
    work.cut(_turned(work, tool, x, y))
    sizes = {"width": width, "length": length, "depth": depth, "through": 0.0}
    work.truth.append(Truth("pocket", sizes, (x, y, 0.0)))


def _broken_floor(work: _Work, x: float, y: float) -> None:
    """A pocket with broken corners at its floor."""
    width, length = sorted((work.size(14.0, 22.0), work.size(14.0, 22.0)))
    depth, leg = max(work.depth(), 4.0), work.size(0.8, 2.0)
    tool = cq.Workplane("XY", origin=(0, 0, -depth)).rect(length, width).extrude(depth).faces("<Z").edges().chamfer(leg)
    work.cut(_turned(work, tool, x, y))
    work.truth.append(Truth("pocket", {"width": width, "length": length, "depth": depth, "through": 0.0}, (x, y, 0.0)))


def _crossing(work: _Work, level: float, length: float) -> None:
    """Two channels along the block, and one or two short ones across both of them, closed at their ends."""
    width, depth, across = work.size(3.0, 6.0), work.size(0.15 * work.height, 0.4 * work.height), work.size(4.0, 8.0)
    for shift in (-8.0, 8.0):
        _channel(work, _rectangle(width, -depth), level + shift, length)
        work.truth.append(Truth("slot", {"width": width, "length": length, "depth": depth}, (0.0, level + shift, 0.0)))
    reach = 2.0 * (8.0 + width / 2 + work.size(2.0, 5.0))
    for x in (-length / 4, length / 4)[: work.chance.randint(1, 2)]:
        work.cut(cq.Workplane("XY", origin=(x, level, -depth)).rect(across, reach).extrude(depth))
        work.truth.append(Truth("slot", {"width": across, "length": reach, "depth": depth}, (x, level, 0.0)))


FURTHER: Final[list[Cell]] = [_curved_slot, _leaning_pocket, _broken_floor]
