"""The blank of bent sheets, from the lengths that they were drawn with and the neutral fibre of DIN 6935."""

from __future__ import annotations

from math import cos, log10, pi, radians, sin

import cadquery as cq
import pytest

from spatial.contract.features import Feature
from tests.spatial import parts
from tests.spatial.understanding.brep.test_features import POSES, Pose, features_of, of_type

WITHIN = 1e-9
Point = tuple[float, float]


def fibre(inner: float, thickness: float) -> float:
    """DIN 6935: the part k/2 of the thickness."""
    return min(0.65 + 0.5 * log10(inner / thickness), 1.0) / 2


def bent(thickness: float, inner: float, steps: list[float], depth: float) -> cq.Workplane:
    """A sheet along a line of flanges and bends in turn: lengths, and angles in degrees, to the left where positive."""
    x, y, heading = 0.0, 0.0, 0.0
    sides: dict[float, list[tuple[Point | None, Point]]] = {side: [] for side in (1.0, -1.0)}

    def edge(side: float) -> Point:
        return x - side * sin(heading) * thickness / 2, y + side * cos(heading) * thickness / 2

    begins = {side: edge(side) for side in sides}
    for place, step in enumerate(steps):
        if place % 2 == 0:
            x, y = x + step * cos(heading), y + step * sin(heading)
            for side, line in sides.items():
                line.append((None, edge(side)))
            continue
        turn = 1.0 if step > 0 else -1.0
        radius = inner + thickness / 2
        centre = x - turn * sin(heading) * radius, y + turn * cos(heading) * radius
        arcs: dict[float, list[Point]] = {side: [] for side in sides}
        for _ in range(2):
            heading += radians(step) / 2
            x, y = centre[0] + turn * sin(heading) * radius, centre[1] - turn * cos(heading) * radius
            for side in sides:
                arcs[side].append(edge(side))
        for side, line in sides.items():
            line.append((arcs[side][0], arcs[side][1]))
    work = cq.Workplane().moveTo(*begins[1.0])
    for middle, end in sides[1.0]:
        work = work.lineTo(*end) if middle is None else work.threePointArc(middle, end)
    work = work.lineTo(*sides[-1.0][-1][1])
    ends = [begins[-1.0], *(end for _, end in sides[-1.0])]
    for place in range(len(sides[-1.0]) - 1, -1, -1):
        middle = sides[-1.0][place][0]
        work = work.lineTo(*ends[place]) if middle is None else work.threePointArc(middle, ends[place])
    return work.close().extrude(depth)


def developed(thickness: float, inner: float, steps: list[float]) -> float:
    lengths = sum(steps[::2])
    turns = sum(map(abs, steps[1::2]))
    return lengths + radians(turns) * (inner + fibre(inner, thickness) * thickness)


def sheet_of(shape: cq.Shape, scale: float = 1.0) -> Feature:
    (sheet,) = of_type(features_of(shape, scale), "sheet_metal")
    return sheet


@pytest.mark.requirement("features.flat-pattern")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize(
    ("thickness", "inner", "steps"),
    [
        (2.0, 3.0, [55.0, 90.0, 35.0]),
        (1.5, 1.5, [40.0, 90.0, 60.0, 90.0, 40.0]),
        (1.0, 2.0, [30.0, 90.0, 25.0, -90.0, 45.0]),
        (2.0, 14.0, [80.0, 35.0, 50.0]),
        (1.0, 1.0, [30.0, 90.0, 40.0, 90.0, 20.0, -60.0, 15.0, 45.0, 25.0]),
    ],
    ids=["L", "U", "Z", "wide", "five flanges"],
)
def test_the_blank_is_as_long_as_its_neutral_fibre(
    seed: int, thickness: float, inner: float, steps: list[float]
) -> None:
    sheet = sheet_of(Pose(seed).shape(bent(thickness, inner, steps, 70)))
    assert len(sheet.bends or []) == len(steps) // 2
    for bend in sheet.bends or []:
        assert bend.k_factor == pytest.approx(fibre(inner, thickness), rel=WITHIN)
    flat = sheet.flat_pattern
    assert flat is not None
    assert (flat.rule, flat.reason) == ("DIN 6935", None)
    whole = developed(thickness, inner, steps)
    assert [flat.width, flat.length] == pytest.approx(sorted([70.0, whole]), rel=1e-8)


@pytest.mark.requirement("features.flat-pattern")
@pytest.mark.parametrize("seed", POSES)
def test_the_blank_reaches_as_far_as_its_longest_tab(seed: int) -> None:
    """An L of which one end is cut back over half of its width, with a hole in it."""
    sheet = bent(2.0, 3.0, [55.0, 90.0, 45.0], 50)
    cutter = cq.Workplane("XY", origin=(0, 0, 0)).rect(60, 20).extrude(25)
    drill = cq.Workplane("XZ", origin=(40, -10, 25)).circle(4).extrude(-30)
    flat = sheet_of(Pose(seed).shape(sheet.cut(cutter).cut(drill))).flat_pattern
    assert flat is not None
    assert [flat.width, flat.length] == pytest.approx([50, developed(2.0, 3.0, [55.0, 90.0, 45.0])], rel=1e-8)


@pytest.mark.requirement("features.flat-pattern")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize("steps", [[50.0, 90.0, 35.0], [50.0, 60.0, 20.0, -40.0, 15.0]], ids=["one bend", "two bends"])
def test_flanges_on_two_sides_are_laid_out_on_both(seed: int, steps: list[float]) -> None:
    along = bent(2.0, 3.0, [55.0, 90.0, 35.0], 50)
    across = bent(2.0, 3.0, steps, 55).rotate((0, 0, 0), (0, 1, 0), -90).translate((55, 0, 0))
    sheet = sheet_of(Pose(seed).shape(along.union(across).clean()))
    assert len(sheet.bends or []) == 1 + len(steps) // 2
    flat = sheet.flat_pattern
    assert flat is not None
    sides = sorted([developed(2.0, 3.0, [55.0, 90.0, 35.0]), developed(2.0, 3.0, steps)])
    assert [flat.width, flat.length] == pytest.approx(sides, rel=1e-8)


@pytest.mark.requirement("features.flat-pattern")
@pytest.mark.parametrize("seed", POSES)
def test_a_bend_in_two_pieces_is_laid_out_once(seed: int) -> None:
    sheet = bent(2.0, 3.0, [55.0, 90.0, 45.0], 50)
    window = cq.Workplane("XY", origin=(55, 0, 20)).rect(16, 16).extrude(10)
    sheet_metal = sheet_of(Pose(seed).shape(sheet.cut(window)))
    assert len(sheet_metal.bends or []) == 2
    flat = sheet_metal.flat_pattern
    assert flat is not None
    assert [flat.width, flat.length] == pytest.approx([50, developed(2.0, 3.0, [55.0, 90.0, 45.0])], rel=1e-8)


@pytest.mark.requirement("features.flat-pattern")
def test_a_form_beside_flanges_and_bends_leaves_the_size_out() -> None:
    sheet = bent(2.0, 3.0, [55.0, 90.0, 45.0], 50)
    stud = cq.Workplane("XZ", origin=(30, 0, 25)).circle(6).extrude(20)
    sheet_metal = of_type(features_of(parts.solid(sheet.union(stud))), "sheet_metal")
    for each in sheet_metal:
        assert each.flat_pattern is not None
        assert each.flat_pattern.reason == "the sheet has forms beside flanges and bends"


@pytest.mark.requirement("features.flat-pattern")
def test_the_blank_is_in_the_units_of_the_document() -> None:
    steps = [55.0, 90.0, 35.0]
    flat = sheet_of(parts.solid(bent(2.0, 3.0, steps, 70)), 1 / 25.4).flat_pattern
    assert flat is not None
    assert [flat.width, flat.length] == pytest.approx([70 / 25.4, developed(2.0, 3.0, steps) / 25.4], rel=1e-8)
    assert developed(2.0, 3.0, steps) == pytest.approx(90 + pi / 2 * 3.738, abs=1e-3)
