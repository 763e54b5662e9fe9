"""Modelled threads: made with known sizes, in random poses, by twisting and by sweeping; and what is none."""

from __future__ import annotations

from functools import cache

import cadquery as cq
import pytest

from spatial.contract.features import Feature
from tests.spatial import parts
from tests.spatial.threaded import rod, swept_cutter
from tests.spatial.understanding.brep.test_features import POSES, Pose, features_of, of_type

WITHIN = 1e-4
"""Relative error of sizes: the splines of the test parts follow a helix to a hundred-thousandth."""

FORM = 1.0825318
"""ISO 68-1: pitches between major and minor diameter."""

SIZES = [
    (8.0, 1.25, "right", "M8"),
    (20.0, 2.5, "left", "M20-LH"),
    (12.0, 1.0, "right", "M12x1"),
    (6.0, 1.0, "right", "M6"),
]


def posed(shape: cq.Shape, seed: int) -> cq.Shape:
    (only,) = shape.Solids()
    return Pose(seed).shape(cq.Workplane(obj=only))


@cache
def iso_rod(major: float, pitch: float, length: float, hand: str = "right") -> cq.Solid:
    return rod(major, major - FORM * pitch, pitch, length, hand=hand)


def block(height: float) -> cq.Shape:
    return parts.solid(cq.Workplane().box(40, 40, height))


@cache
def tapped_block(major: float, pitch: float, hand: str) -> cq.Shape:
    return block(10).cut(iso_rod(major, pitch, 14, hand).translate(cq.Vector(3, 2, -7)))


@cache
def tapped_blind() -> cq.Shape:
    """A drilled hole that goes on below its thread."""
    drill = cq.Workplane("XY", origin=(0, 0, -6)).circle((8 - FORM * 1.25) / 2).extrude(14).val()
    assert isinstance(drill, cq.Shape)
    return block(40).cut(iso_rod(8, 1.25, 12.0).translate(cq.Vector(0, 0, 8))).cut(drill)


@cache
def bolt(major: float, pitch: float, hand: str) -> cq.Shape:
    head = cq.Workplane("XY", origin=(0, 0, -10)).polygon(6, 2 * major).extrude(10).val()
    assert isinstance(head, cq.Shape)
    return iso_rod(major, pitch, 25, hand).fuse(head)


@pytest.mark.requirement("features.threads")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize(("major", "pitch", "hand", "name"), SIZES)
def test_a_modelled_thread_is_that_of_its_hole(seed: int, major: float, pitch: float, hand: str, name: str) -> None:
    found = features_of(posed(tapped_block(major, pitch, hand), seed))
    assert [each.type for each in found] == ["hole"]
    (hole,) = found
    assert hole.through is True
    assert hole.diameter == pytest.approx(major - FORM * pitch, rel=WITHIN)
    assert abs(sum(a * b for a, b in zip(hole.axis or (), Pose(seed).direction(0, 0, 1), strict=True))) > 1 - 1e-6
    thread = hole.thread
    assert thread is not None
    assert (thread.designation, thread.hand, thread.source, thread.starts) == (name, hand, "modelled", None)
    assert [thread.diameter, thread.pitch, thread.length] == pytest.approx([major, pitch, 10], rel=WITHIN)
    assert thread.angle == pytest.approx(60, abs=0.2)


@pytest.mark.requirement("features.threads")
@pytest.mark.parametrize("seed", POSES)
def test_a_threaded_hole_goes_on_below_its_thread(seed: int) -> None:
    (hole,) = of_type(features_of(posed(tapped_blind(), seed)), "hole")
    assert hole.through is False
    assert hole.depth == pytest.approx(26, rel=WITHIN)
    assert hole.bottom is not None
    assert hole.bottom.shape == "flat"
    assert hole.thread is not None
    assert hole.thread.length == pytest.approx(12, rel=WITHIN)
    assert hole.position == pytest.approx(Pose(seed).point(0, 0, 20), abs=1e-2)


@pytest.mark.requirement("features.threads")
def test_a_thread_that_was_swept_along_a_helix() -> None:
    core = 6.646875
    drilled = parts.solid(cq.Workplane().box(30, 30, 12).faces(">Z").workplane().hole(core))
    cutter = swept_cutter(core, 8, 1.25, 14, hand="left").translate(cq.Vector(0, 0, -7))
    (tapped,) = drilled.cut(cutter).Solids()
    assert tapped.Volume() < drilled.Volume() - 50, "the kernel cut nothing: not every diameter works"
    (hole,) = features_of(tapped)
    assert hole.type == "hole"
    assert hole.diameter == pytest.approx(core, rel=WITHIN)
    assert hole.thread is not None
    assert hole.thread.designation == "M8-LH"


@pytest.mark.requirement("features.threads")
@pytest.mark.parametrize("seed", POSES)
@pytest.mark.parametrize(("major", "pitch", "hand", "name"), SIZES)
def test_the_thread_of_a_bolt_is_a_feature(seed: int, major: float, pitch: float, hand: str, name: str) -> None:
    found = features_of(posed(bolt(major, pitch, hand), seed))
    (thread,) = of_type(found, "thread")
    assert thread.diameter == pytest.approx(major, rel=WITHIN)
    assert thread.length == pytest.approx(25, rel=WITHIN)
    assert thread.thread is not None
    assert (thread.thread.designation, thread.thread.hand) == (name, hand)
    assert thread.thread.minor_diameter == pytest.approx(major - FORM * pitch, rel=WITHIN)
    (stud,) = of_type(found, "boss")
    assert stud.diameter == thread.diameter
    assert not of_type(found, "hole")


@pytest.mark.requirement("features.threads")
@pytest.mark.parametrize("seed", POSES)
def test_a_trapezoidal_thread_of_two_starts_has_its_pitch_and_no_metric_name(seed: int) -> None:
    found = features_of(posed(rod(16, 12, 4, 40, starts=2, angle=30), seed))
    (thread,) = of_type(found, "thread")
    assert thread.thread is not None
    assert (thread.thread.starts, thread.thread.designation) == (2, None)
    assert thread.thread.pitch == pytest.approx(4, rel=WITHIN)
    assert thread.thread.angle == pytest.approx(30, abs=0.5)
    (turned,) = of_type(found, "turned")
    assert [turned.diameter, turned.length] == pytest.approx([16, 40], rel=WITHIN)


@pytest.mark.requirement("features.threads")
def test_a_size_that_the_standard_does_not_have_is_not_named() -> None:
    (thread,) = of_type(features_of(iso_rod(8.7, 1.25, 20)), "thread")
    assert thread.thread is not None
    assert thread.thread.designation is None
    assert thread.thread.diameter == pytest.approx(8.7, rel=WITHIN)


@pytest.mark.requirement("features.threads")
@pytest.mark.parametrize("scale", [1.0, 1 / 25.4])
def test_a_thread_has_the_units_of_the_document(scale: float) -> None:
    (thread,) = of_type(features_of(iso_rod(10, 1.5, 20), scale), "thread")
    assert thread.thread is not None
    assert thread.thread.pitch == pytest.approx(1.5 * scale, rel=WITHIN)
    assert thread.thread.designation == "M10"


def spring() -> cq.Shape:
    helix = cq.Wire.makeHelix(6, 30, 10)
    wire = cq.Workplane("XZ", origin=(10, 0, 0)).circle(1.5).sweep(helix, isFrenet=True).val()
    assert isinstance(wire, cq.Shape)
    return wire


def twisted_bar() -> cq.Shape:
    """A square bar that turns once over ten times its width, as the flutes of a drill or the teeth of a helical gear do."""
    square = cq.Workplane().rect(10, 10).wires().val()
    assert isinstance(square, cq.Wire)
    return cq.Solid.extrudeLinearWithRotation(square, [], cq.Vector(), cq.Vector(0, 0, 150), 540)


@pytest.mark.requirement("features.threads")
@pytest.mark.parametrize("made", [spring, twisted_bar, lambda: iso_rod(10, 1.5, 1.2)], ids=["spring", "bar", "short"])
def test_what_winds_and_is_no_thread(made: object) -> None:
    assert callable(made)
    (only,) = made().Solids()
    found: list[Feature] = features_of(only)
    assert not [each for each in found if each.thread is not None]
