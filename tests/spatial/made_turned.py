"""Turned parts made at random with known steps and grooves of every section, a bore, and a V-groove along them."""

from __future__ import annotations

import random
from math import pi, radians, sqrt, tan

import cadquery as cq
from OCP.ShapeUpgrade import ShapeUpgrade_ShapeDivideAngle

from tests.spatial import parts
from tests.spatial.made_parts import Made, Truth


def made_turned(seed: int) -> Made:
    """One part of a seed, in any pose, with its faces as they are, in halves or as splines."""
    chance = random.Random(seed)
    points: list[tuple[float, float]] = [(0.0, 0.0)]
    truth: list[Truth] = []
    height, widest = 0.0, 0.0
    radii: list[float] = []
    cut: list[bool] = []
    for _ in range(chance.randint(2, 4)):
        radius = round(chance.uniform(10.0, 25.0), 2)
        while points and abs(points[-1][0] - radius) < 1.0:
            radius = round(chance.uniform(10.0, 25.0), 2)
        radii.append(radius)
        widest, length = max(widest, radius), round(chance.uniform(14.0, 30.0), 2)
        points.append((radius, height))
        cut.append(chance.random() < 0.7)
        if cut[-1]:
            floor = _groove(chance, points, radius, height + length / 2)
            truth.append(Truth("turned_groove", {"diameter": 2.0 * floor}))
        height += length
        points.append((radius, height))
    profile = cq.Workplane("XZ").polyline([*points, (0.0, height)]).close()
    body = profile.revolve(360, (0, 0, 0), (0, 1, 0))
    # A low step between higher ones is a groove too, unless it is in two by its own.
    truth += [
        Truth("turned_groove", {"diameter": 2.0 * radii[place]})
        for place in range(1, len(radii) - 1)
        if radii[place] < min(radii[place - 1], radii[place + 1]) and not cut[place]
    ]
    truth.append(Truth("turned", {"diameter": 2.0 * widest, "length": height}))
    if chance.random() < 0.6:
        bore = round(chance.uniform(3.0, 8.0), 2)
        body = body.cut(cq.Workplane("XY", origin=(0, 0, -1)).circle(bore / 2).extrude(height + 2))
        truth.append(Truth("hole", {"diameter": bore, "through": 1.0}))
    return _posed(chance, parts.solid(body), truth)


def _groove(chance: random.Random, points: list[tuple[float, float]], radius: float, middle: float) -> float:
    """A rectangular, trapezoid or pointed groove; the radius of its floor."""
    deep, half = round(chance.uniform(1.0, 4.0), 2), round(chance.uniform(1.0, 2.5), 2)
    floor, kind = round(radius - deep, 2), chance.choice(["rectangular", "trapezoid", "pointed"])
    out = {"rectangular": 0.0, "trapezoid": 1.0, "pointed": half}[kind]
    low = 0.0 if kind == "pointed" else half
    points += [(radius, middle - low - out), (floor, middle - low)]
    points += [] if kind == "pointed" else [(floor, middle + low)]
    points.append((radius, middle + low + out))
    return floor


def keyed(seed: int) -> Made:
    """A shaft with a V-groove along a part of it."""
    chance = random.Random(seed)
    radius, length = round(chance.uniform(8.0, 30.0), 2), round(chance.uniform(60.0, 120.0), 2)
    deep, angle = round(radius * chance.uniform(0.1, 0.5), 2), chance.choice([60.0, 90.0, 120.0])
    long, slope = round(length * chance.uniform(0.3, 0.6), 2), tan(radians(angle) / 2)
    root, wide = radius - deep, 2.0 * radius * slope
    cutter = cq.Workplane("YZ").polyline([(0, root), (wide, root + 2.0 * radius), (-wide, root + 2.0 * radius)]).close()
    body = cq.Workplane("YZ").circle(radius).extrude(length).cut(cutter.extrude(long).translate((length * 0.2, 0, 0)))
    a = 1.0 + slope**2
    up = (slope**2 * root + sqrt(slope**4 * root**2 - a * (slope**2 * root**2 - radius**2))) / a
    sizes = {"width": 2.0 * slope * (up - root), "length": long, "depth": deep, "angle": angle}
    truth = [Truth("slot", sizes), Truth("turned", {"diameter": 2.0 * radius, "length": length})]
    return _posed(chance, parts.solid(body), truth)


def _posed(chance: random.Random, shape: cq.Shape, truth: list[Truth]) -> Made:
    written = chance.choice(["as they are", "as they are", "in halves", "as splines"])
    if written == "in halves":
        divide = ShapeUpgrade_ShapeDivideAngle(pi, shape.wrapped)
        divide.Perform()
        shape = cq.Shape.cast(divide.Result())
    elif written == "as splines":
        shape = parts.as_splines(shape)
    axis = cq.Vector(*(chance.uniform(-1, 1) for _ in range(3))).normalized()
    shift = cq.Vector(*(chance.uniform(-300, 300) for _ in range(3)))
    return Made(shape.rotate(cq.Vector(), axis, chance.uniform(0, 180)).translate(shift), truth, written)
