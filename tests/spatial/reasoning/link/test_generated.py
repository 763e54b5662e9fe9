"""Generated pairs: no contradiction where none was made, and each that was made is found, with both values."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from spatial.contract.extraction import CadExtraction
from spatial.reasoning.link.link import Link, link
from spatial.reasoning.link.report import data_of
from spatial.reasoning.link.size import Size
from tests.spatial.reasoning.diff.revisions import document, step
from tests.spatial.reasoning.link.plates import Group, Plate, Style, changed, drawing, dxf, model, random_plate

PLATE = Plate(
    columns=5,
    rows=3,
    height=15.0,
    groups=(
        Group(6.6, 4),
        Group(4.5, 2, 8.0),
        Group(5.5, 3, None, "counterbore", 10.0, 5.0),
        Group(8.4, 2, None, "countersink", 16.8, angle=90.0),
        Group(10.2, 2, thread="M12"),
    ),
    slots=((6.0, 20.0),),
    radius=5.0,
    chamfer=1.0,
)

STYLES = (
    Style(),
    Style(scale=0.5),
    Style(scale=2.0),
    Style(inch=True),
    Style(inch=True, scale=0.25),
    Style(with_quantities=False),
)


@cache
def solid() -> CadExtraction:
    return model(PLATE, random.Random(1))


def said(found: Link) -> list[str]:
    return list(data_of(found, "cad_scene")["statements"])


@pytest.mark.requirement("link.no-contradiction")
@pytest.mark.parametrize("seed", range(12))
def test_a_plate_and_its_drawing_never_contradict_each_other(seed: int) -> None:
    rng = random.Random(seed)
    plate = random_plate(rng)
    body = model(plate, rng, is_turned=seed % 3 == 1)
    for style in (STYLES[seed % len(STYLES)], STYLES[(seed + 1) % len(STYLES)]):
        found = link(drawing(plate, style), body)
        assert found.verdict == "agrees", (plate, style, said(found), found.reason)
        assert not found.findings.undrawn
        bound = {name for each in found.findings.bound for name in each.features}
        assert {hole["id"] for hole in _features(body, "hole")} <= bound


@pytest.mark.requirement("link.bound")
@pytest.mark.parametrize("style", STYLES, ids=str)
def test_every_callout_is_bound_in_any_unit_and_scale(style: Style) -> None:
    found = link(drawing(PLATE, style), solid())
    assert found.verdict == "agrees", said(found)
    kinds = {each.asked.kind for each in found.findings.bound}
    assert kinds == {"hole", "thread", "slot", "radius", "chamfer", "overall"}
    assert all(each.score > 0.9 for each in found.findings.bound)
    counts = sorted(len(each.features) for each in found.findings.bound if each.asked.kind in ("hole", "thread"))
    assert counts == [2, 2, 2, 3, 4]


PLANTS: dict[str, tuple[Callable[[Plate], Plate], str, str]] = {
    "a diameter": (lambda plate: changed(plate, 0, diameter=7.0), "diameter", "asks a diameter of Ø7 mm, but .* have Ø6.6 mm, 0.4 mm less"),
    "a depth": (lambda plate: changed(plate, 1, depth=10.0), "depth", "asks a depth of 10 mm, but .* have 8 mm, 2 mm less"),
    "through, not blind": (lambda plate: changed(plate, 1, depth=None), "through", "asks a hole that goes through, but .* have 8 mm deep"),
    "blind, not through": (lambda plate: changed(plate, 0, depth=9.0), "depth", "asks a depth of 9 mm, but .* have through"),
    "more holes": (lambda plate: changed(plate, 0, count=5), "quantity", "asks a quantity of 5, but the model has 4"),
    "fewer holes": (lambda plate: changed(plate, 0, count=3), "quantity", "asks a quantity of 3, but the model has 4"),
    "a counterbore": (lambda plate: changed(plate, 2, wide=11.0), "counterbore diameter", "of Ø11 mm, but .* have Ø10 mm, 1 mm less"),
    "its depth": (lambda plate: changed(plate, 2, deep=6.0), "counterbore depth", "depth of 6 mm, but .* have 5 mm, 1 mm less"),
    "a counterbore that is not there": (
        lambda plate: changed(plate, 0, widening="counterbore", wide=11.0, deep=4.0), "counterbore", "of Ø11 mm, but .* have none"
    ),
    "a countersink": (lambda plate: changed(plate, 3, wide=15.0), "countersink diameter", "Ø15 mm, but .* have Ø16.8 mm"),
    "its angle": (lambda plate: changed(plate, 3, angle=82.0), "countersink angle", "angle of 82°, but .* have 90°, 8° more"),
    "a thread": (lambda plate: changed(plate, 4, thread="M10"), "thread", "asks a thread M10, but .* have Ø10.2 mm"),
    "a radius": (lambda plate: replace(plate, radius=6.0), "radius", "asks a radius of 6 mm, but .* 5 mm, 1 mm less"),
    "a chamfer": (lambda plate: replace(plate, chamfer=1.2), "chamfer", "asks a chamfer of 1.2 mm, but .* 1 mm, 0.2 mm less"),
    "a length": (lambda plate: replace(plate, length=155.0), "overall size", "of 155 mm, but the model has 150 mm, 5 mm less"),
    "a slot": (lambda plate: replace(plate, slots=((7.0, 20.0),)), "width", "asks a width of 7 mm, but .* has 6 mm"),
    "the length of a slot": (lambda plate: replace(plate, slots=((6.0, 23.0),)), "length", "asks a length of 23 mm, but .* has 20 mm"),
}  # fmt: skip


@pytest.mark.requirement("link.contradiction")
@pytest.mark.parametrize("plant", PLANTS)
def test_a_contradiction_is_found_alone_with_both_values(plant: str) -> None:
    change, what, sentence = PLANTS[plant]
    found = link(drawing(change(PLATE)), solid())
    assert found.verdict == "contradicts"
    differences = [row for each in found.findings.bound for row in each.differences]
    assert [row.what for row in differences] == [what], said(found)
    assert not found.findings.missing
    (line,) = said(found)
    assert pytest.importorskip("re").search(sentence, line), line


@pytest.mark.requirement("link.missing")
def test_a_hole_that_the_model_lacks_is_missing() -> None:
    plate = replace(PLATE, groups=(*PLATE.groups, Group(20.0, 1)))
    found = link(drawing(plate), solid())
    assert found.verdict == "contradicts"
    assert [each.asked.text for each in found.findings.missing] == ["Ø20 THRU"]


@pytest.mark.requirement("link.undrawn")
def test_a_hole_that_the_drawing_does_not_say_is_undrawn() -> None:
    found = link(drawing(replace(PLATE, groups=PLATE.groups[1:])), solid())
    assert found.verdict == "incomplete"
    assert [each.measured["diameter"] for each in found.findings.undrawn] == [pytest.approx(6.6)] * 4
    (line,) = said(found)
    assert line.startswith("the drawing does not say the hole of Ø6.6 mm of feature-")


@pytest.mark.requirement("link.undrawn")
def test_where_a_note_says_that_the_model_governs_undrawn_holes_are_no_fault() -> None:
    style = Style(notes=("NOMINAL GEOMETRY TO BE TAKEN FROM THE BINDING 3D SOLID MODEL.",))
    found = link(drawing(replace(PLATE, groups=PLATE.groups[1:]), style), solid())
    assert found.verdict == "agrees" and len(found.findings.undrawn) == 4
    assert data_of(found, "cad_scene")["model_governs"] is True


@pytest.mark.requirement("link.nothing")
def test_a_drawing_without_callouts_binds_nothing_and_says_so() -> None:
    from tests.spatial.reasoning.diff.revisions import drawing as sketch

    found = link(sketch(lambda space, file: None), solid())
    assert found.verdict == "unknown"
    assert found.reason is not None and "nothing to bind" in found.reason


@pytest.mark.requirement("link.other-part")
def test_the_drawing_of_another_part_is_unknown() -> None:
    other = Plate(4, 3, 20.0, (Group(3.0, 4), Group(16.0, 2), Group(13.0, 3)), length=118.0, width=91.0)
    found = link(drawing(other), solid())
    assert found.verdict == "unknown"
    assert found.reason is not None and "send the model that the drawing shows" in found.reason


@pytest.mark.requirement("link.tolerance")
@pytest.mark.parametrize(
    ("tolerance", "verdict"),
    [
        ("", "contradicts"),
        (" H13", "agrees"),
        (" +0.2/+0.05", "agrees"),
        (" %%p0.15", "agrees"),
        (" %%p0.02", "contradicts"),
    ],
)
def test_a_size_within_its_tolerance_is_a_match(tolerance: str, verdict: str) -> None:
    # The model has 6.6; the drawing asks 6.5 with a tolerance.
    found = link(drawing(changed(PLATE, 0, diameter=6.5, tolerance=tolerance)), solid())
    assert found.verdict == verdict, said(found)


@pytest.mark.requirement("link.tolerance")
def test_a_general_tolerance_holds_for_sizes_without_one() -> None:
    plate = changed(PLATE, 0, diameter=6.5)
    found = link(drawing(plate, Style(notes=("GENERAL TOLERANCES ISO 2768-mK.",))), solid())
    assert found.verdict == "agrees", said(found)
    (bound,) = [each for each in found.findings.bound if each.asked.quantity == 4 and each.asked.kind == "hole"]
    assert bound.deviation == pytest.approx(0.1)
    assert bound.score < 1.0


@pytest.mark.requirement("link.general-note")
def test_a_note_for_all_edges_explains_radii_without_a_callout() -> None:
    style = Style(notes=("ALL FILLETS R5 UNLESS OTHERWISE SPECIFIED.",))
    found = link(drawing(replace(PLATE, radius=0.0), style), solid())
    assert found.verdict == "agrees", said(found)
    (bound,) = [each for each in found.findings.bound if each.asked.kind == "radius"]
    assert bound.asked.is_general and len(bound.features) == 4


@pytest.mark.requirement("link.clearance")
def test_a_clearance_hole_where_a_thread_is_asked_is_named() -> None:
    plate = Plate(4, 3, 15.0, (Group(9.0, 2), Group(5.5, 4)))
    body = model(plate, random.Random(3))
    found = link(drawing(changed(plate, 0, thread="M8")), body)
    (line,) = said(found)
    assert "asks a thread M8" in line and "which is a clearance hole of M8 (ISO 273)" in line


@pytest.mark.requirement("link.assembly")
def test_a_drawing_of_one_part_of_several_is_linked_to_that_part() -> None:
    import cadquery as cq

    from tests.spatial.reasoning.diff.revisions import document, step
    from tests.spatial.reasoning.link.plates import solid as shape

    assembly = cq.Assembly(name="all")
    assembly.add(shape(PLATE, random.Random(1)), name="plate")
    for place in range(3):
        pin = cq.Workplane().circle(20.0).circle(3.3).extrude(40)
        assembly.add(pin, name=f"bush {place}", loc=cq.Location(cq.Vector(200.0 * (place + 1), 0, 0)))
    found = link(drawing(PLATE), document(step(assembly), "all.step"))
    assert found.verdict == "agrees", said(found)
    assert found.part is not None and len(found.part.solids) == 1


def _features(body: CadExtraction, kind: str) -> list[dict[str, Any]]:
    assert body.structure is not None
    return [each.model_dump() for each in body.structure.features or () if each.type == kind]


@pytest.mark.requirement("link.bound")
@pytest.mark.parametrize(("asked", "verdict"), [(90.0, "agrees"), (45.0, "agrees"), (82.0, "contradicts")])
def test_an_angle_that_no_countersink_has_is_that_of_its_side(asked: float, verdict: str) -> None:
    sunk = Group(6.6, 4, widening="countersink", wide=13.2)
    plates = [Plate(4, 3, 15.0, (replace(sunk, angle=angle), Group(4.5, 3))) for angle in (asked, 90.0)]
    found = link(drawing(plates[0]), model(plates[1], random.Random(3)))
    assert found.verdict == verdict, said(found)


@pytest.mark.requirement("link.bound")
@pytest.mark.parametrize(
    ("deep", "verdict"), [(4.0, "agrees"), (6.0, "agrees"), (5.0, "contradicts"), (2.0, "contradicts")]
)
def test_of_two_depths_the_model_may_have_either(deep: float, verdict: str) -> None:
    plates = [Plate(4, 3, 15.0, (Group(2.5, 2, depth, thread="M3"), Group(5.5, 4))) for depth in (6.0, deep)]
    text = dxf(plates[0]).replace(b"6 DEEP", rb"\U+21A76-4")
    assert rb"\U+21A76-4" in text
    found = link(document(text, "plate.dxf"), model(plates[1], random.Random(3)))
    assert found.verdict == verdict, said(found)


@pytest.mark.requirement("link.tolerance")
def test_half_of_the_last_printed_step_is_rounding() -> None:
    printed = Size(1.38, 1.38, 1.38, "printed", 0.005)
    assert printed.is_exact(1.375)
    assert printed.accepts(1.375)
    assert not printed.is_exact(1.374)


@pytest.mark.requirement("link.bound")
def test_a_radius_at_a_hole_says_how_wide_it_is() -> None:
    plate = Plate(4, 3, 15.0, (Group(6.6, 4), Group(4.5, 3)))
    text = dxf(plate).replace(b"4X %%c6.6 THRU", b"R3.3")
    assert b"R3.3" in text
    found = link(document(text, "plate.dxf"), model(plate, random.Random(3)))
    assert found.verdict == "agrees", said(found)
    assert {each.measured.get("radius") for each in found.findings.bound} >= {3.3}


@pytest.mark.requirement("link.unit")
def test_the_words_of_a_form_that_nobody_changed_are_one_contradiction() -> None:
    """The sheet says inch, and all of its sizes are the model's in millimetres."""
    text = dxf(PLATE, Style(notes=("ALL DIMENSIONS ARE IN INCHES",))).replace(b"INSUNITS\n 70\n4", b"INSUNITS\n 70\n0")
    found = link(document(text, "plate.dxf"), solid())
    data = data_of(found, "cad_scene")
    assert data["verdict"] == "contradicts" and data["summary"]["contradictions"] == 1
    assert data["unit"] == {"name": "millimeter", "found": "bound", "stated": "inch"}
    assert said(found) == [
        "the drawing says that its unit is the inch, but its sizes are those of the model in millimeters"
    ]
    assert not found.findings.missing and len(found.findings.bound) > 5


@pytest.mark.requirement("link.bound")
def test_the_hole_of_a_threaded_insert_is_wider_than_its_thread() -> None:
    plates = [Plate(4, 3, 15.0, (Group(wide, 2, thread="M3"), Group(9.0, 4))) for wide in (4.0, 5.5)]
    text = dxf(plates[0]).replace(b"2X M3 THRU", b"2X M3 threaded brass insert")
    assert b"brass insert" in text
    assert link(document(text, "plate.dxf"), model(plates[0], random.Random(3))).verdict == "agrees"
    assert link(document(text, "plate.dxf"), model(plates[1], random.Random(3))).verdict == "contradicts"


@pytest.mark.requirement("link.no-contradiction")
def test_further_holes_of_a_size_without_what_is_asked_are_others() -> None:
    """Six countersunk holes are called out, and four plain ones of their diameter are not."""
    sunk = Group(4.5, 4, widening="countersink", wide=9.0)
    body = model(Plate(4, 3, 15.0, (sunk, Group(4.5, 3))), random.Random(3))
    found = link(drawing(Plate(4, 3, 15.0, (sunk,))), body)
    assert found.verdict == "agrees", said(found)
    (bound,) = [each for each in found.findings.bound if each.asked.kind == "hole"]
    assert len(bound.features) == 4


@pytest.mark.requirement("link.bound")
@pytest.mark.parametrize(("deep", "verdict"), [(8.0, "agrees"), (10.043, "agrees"), (11.0, "contradicts")])
def test_a_depth_may_be_that_of_the_tip(deep: float, verdict: str) -> None:
    """A drill of 6.8 mm and 118° that goes 8 mm deep has its tip 2.043 mm below."""
    import cadquery as cq

    plate = Plate(4, 3, 15.0, (Group(6.8, 1, deep),))
    body = cq.Workplane().box(120.0, 90.0, 15.0, centered=(True, True, False))
    body = body.cut(cq.Workplane(origin=(0, 0, 7.0)).circle(3.4).extrude(8.0))
    body = body.cut(cq.Workplane().add(cq.Solid.makeCone(3.4, 0, 2.043, cq.Vector(0, 0, 7.0), cq.Vector(0, 0, -1))))
    found = link(drawing(plate), document(step(body), "plate.step"))
    assert found.verdict == verdict, said(found)


@pytest.mark.requirement("link.assembly")
def test_what_another_part_of_an_assembly_has_is_not_missing() -> None:
    """A drawing of the whole that names no part: a wheel of Ø48 beside the plate that meets most."""
    import cadquery as cq

    from tests.spatial.reasoning.link.plates import solid as shape

    assembly = cq.Assembly(name="all")
    assembly.add(shape(PLATE, random.Random(1)), name="plate")
    assembly.add(cq.Workplane().circle(24.0).extrude(7.0), name="wheel", loc=cq.Location(cq.Vector(300.0, 0, 0)))
    text = dxf(replace(PLATE, groups=(*PLATE.groups, Group(48.0, 1)))).replace(b"%%c48 THRU", b"%%c48")
    found = link(document(text, "all.dxf"), document(step(assembly), "all.step"))
    assert found.verdict == "agrees", said(found)
    assert [each.asked.text for each in found.findings.not_compared] == ["Ø48"]
