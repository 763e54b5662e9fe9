"""Revisions of models: edits made with CadQuery, reported one by one."""

from __future__ import annotations

import math
import re

import cadquery as cq
import pytest

from spatial.errors import InputRejected
from tests.spatial.reasoning.diff.revisions import Record, compared, difference, document, ids, part, shuffled, step


def plate(hole: float = 6.6, *, text: str = "", boss: float = 0.0, depth: float | None = None) -> cq.Workplane:
    """A plate of 100 x 60 x 10 with two holes of 8 and one that the revisions change."""
    made = cq.Workplane().box(100, 60, 10).faces(">Z").workplane().pushPoints([(-30, 20), (30, -20)]).hole(8)
    made = made.faces(">Z").workplane().pushPoints([(30, 20)]).hole(hole, depth)
    if boss:
        made = made.faces(">Z").workplane(origin=(-30, -20, 5)).circle(boss / 2).extrude(5)
    if text:
        made = made.faces(">Z").workplane(origin=(0, 0, 5)).text(text, 10, -1)
    return made


def bracket() -> cq.Workplane:
    """An L with a blind hole: it has no plane of symmetry."""
    outline = [(0, 0), (30, 0), (30, 10), (12, 10), (12, 40), (0, 40)]
    made = cq.Workplane().polyline(outline).close().extrude(8)
    return made.faces(">Z").workplane(origin=(6, 30, 8)).hole(4, 3)


def blocks(*places: tuple[float, float, float], names: tuple[str, ...] = ()) -> cq.Assembly:
    """A bracket and equal blocks at places."""
    made = cq.Assembly(name="unit").add(bracket(), name="bracket")
    for number, place in enumerate(places):
        name = names[number] if names else f"block-{number}"
        made = made.add(cq.Workplane().box(5, 6, 7), name=name, loc=cq.Location(place))
    return made


def named(diff: Record) -> list[str]:
    return [each["text"] for row in diff["objects"]["changed"] for each in row["features"]["named"]]


@pytest.mark.requirement("compare.header")
def test_a_step_file_whose_header_alone_changed_is_the_same() -> None:
    data = step(plate())
    other = re.sub(rb"FILE_NAME\([^;]*;", b"FILE_NAME('other','2031-01-01T00:00:00',('x'),('y'),'z','w','');", data)
    assert other != data
    found = compared(document(data, "a.step"), document(other, "b.step"))
    assert found["verdict"] == "same"
    assert found["data"]["cad_scene_diff"]["summary"] == {}
    assert found["data"]["cad_scene_diff"]["objects"] == {"unchanged": 1}


@pytest.mark.requirement("compare.hole")
def test_a_changed_hole_is_named_with_diameters_place_and_axis() -> None:
    diff = difference(part(plate(6.6)), part(plate(7)))
    assert diff["summary"] == {"changed": 1}
    assert named(diff) == ["hole Ø6.6 to Ø7 at (30, 20, 5) along z"]
    (row,) = diff["objects"]["changed"]
    assert row["volume"]["delta"] == pytest.approx(-math.pi * (3.5**2 - 3.3**2) * 10, rel=1e-6)


@pytest.mark.requirement("compare.letters")
def test_one_changed_hole_is_named_among_dozens_of_letter_faces() -> None:
    diff = difference(part(plate(6.6, text="REV A 12")), part(plate(7, text="REV B 13")))
    assert diff["statements"][0] == "hole Ø6.6 to Ø7 at (30, 20, 5) along z in solid-1"
    (row,) = diff["objects"]["changed"]
    assert [each["type"] for each in row["features"]["named"]] == ["cylinder"]
    lettering = sum(row["features"]["small_surfaces"].values()) + row["features"]["freeform"]["added"]
    assert lettering > 24


@pytest.mark.requirement("compare.roles")
@pytest.mark.parametrize(
    ("previous", "current", "expected"),
    [
        (plate(6.6, depth=6), plate(7, depth=6), "hole Ø6.6 to Ø7 at (30, 20, 5) along z"),
        (plate(boss=10), plate(boss=12), "boss Ø10 to Ø12 at (-30, -20, 5) along z"),
        (plate(), plate(boss=10), "boss Ø10 at (-30, -20, 5) along z was added"),
        (
            cq.Workplane().circle(15).extrude(60),
            cq.Workplane().circle(15).extrude(60).faces(">Z").workplane().hole(6),
            "hole Ø6 at (0, 0, 60) along z was added",
        ),
    ],
    ids=["blind hole", "boss", "added boss", "added bore"],
)
def test_a_changed_cylinder_is_a_hole_or_a_boss(previous: cq.Workplane, current: cq.Workplane, expected: str) -> None:
    assert expected in named(difference(part(previous), part(current)))


@pytest.mark.requirement("compare.roles")
def test_a_wider_countersink_is_a_cone_that_moved_along_its_axis() -> None:
    """A cone of 82 degrees that is 1 wider at the top has its apex 0.5 / tan 41° deeper."""

    def countersunk(diameter: float) -> cq.Workplane:
        return cq.Workplane().box(60, 40, 10).faces(">Z").workplane().cskHole(6, diameter, 82)

    (row,) = difference(part(countersunk(11)), part(countersunk(12)))["objects"]["changed"]
    (cone,) = row["features"]["named"]
    assert (cone["type"], cone["role"], cone["action"]) == ("cone", "hole", "moved")
    assert cone["shift"] == pytest.approx([0, 0, -0.5 / math.tan(math.radians(41))], abs=1e-6)


@pytest.mark.requirement("compare.roles")
def test_four_holes_that_grew_are_all_holes() -> None:
    def flange(diameter: float) -> cq.Workplane:
        made = cq.Workplane().circle(40).extrude(8).faces(">Z").workplane()
        return made.polarArray(30, 0, 360, 4).hole(diameter)

    found = named(difference(part(flange(5)), part(flange(5.5))))
    assert len(found) == 4
    assert all(text.startswith("hole Ø5 to Ø5.5 at ") for text in found)


@pytest.mark.requirement("compare.alignment")
def test_a_part_that_is_moved_as_a_whole_is_aligned() -> None:
    moved = part(plate().rotate((0, 0, 0), (1, 2, 3), 33).translate((100, 20, 3)))
    found = compared(part(plate()), moved)
    diff = found["data"]["cad_scene_diff"]
    assert found["verdict"] == "same"
    assert diff["summary"] == {}
    assert diff["alignment"]["kind"] == "rigid"
    assert diff["alignment"]["angle_degrees"] == pytest.approx(33)
    assert diff["alignment"]["translation"] == pytest.approx([100, 20, 3], abs=1e-4)
    assert diff["alignment"]["residual"] < 1e-5


@pytest.mark.requirement("compare.fixed-frame")
def test_in_a_fixed_frame_the_same_part_is_moved() -> None:
    previous, current = part(plate()), part(plate().translate((0, 0, 12)))
    diff = difference(previous, current, goal={"alignment": "identity"})
    assert diff["summary"] == {"moved": 1}
    assert diff["objects"]["moved"][0]["by"] == pytest.approx([0, 0, 12], abs=1e-6)


@pytest.mark.requirement("compare.fixed-frame")
def test_an_alignment_that_is_unknown_is_rejected() -> None:
    with pytest.raises(InputRejected, match='alignment is "best"; use one of auto, identity'):
        difference(part(plate()), part(plate()), goal={"alignment": "best"})


@pytest.mark.requirement("compare.moved")
def test_of_equal_blocks_only_the_one_that_moved_is_moved() -> None:
    before, after = blocks((60, 0, 0), (80, 0, 0), (100, 0, 0)), blocks((60, 0, 0), (80, 5, 0), (100, 0, 0))
    diff = difference(part(before), part(after))
    assert diff["summary"] == {"moved": 1}
    (row,) = diff["objects"]["moved"]
    assert row["name"] == "block-1"
    assert row["by"] == pytest.approx([0, 5, 0], abs=1e-6)
    assert "angle_degrees" not in row


@pytest.mark.requirement("compare.moved")
def test_a_part_that_was_turned_and_changed_is_both() -> None:
    turned = plate(7).rotate((0, 0, 0), (1, 2, 3), 33).translate((100, 20, 3))
    diff = difference(part(plate()), part(turned))
    assert diff["summary"] == {"moved": 1, "changed": 1}
    assert diff["objects"]["moved"][0]["angle_degrees"] == pytest.approx(33)
    (text,) = named(diff)
    assert text.startswith("hole Ø6.6 to Ø7 at ")


@pytest.mark.requirement("compare.added-removed")
def test_a_body_that_one_model_has_is_added_or_removed() -> None:
    one, two = part(blocks((60, 0, 0))), part(blocks((60, 0, 0), (80, 0, 0)))
    assert difference(one, two)["objects"]["added"][0]["name"] == "block-1"
    assert difference(two, one)["objects"]["removed"][0]["name"] == "block-1"
    assert difference(one, two)["summary"] == {"added": 1}


@pytest.mark.requirement("compare.renamed")
def test_a_body_with_another_name_is_renamed() -> None:
    before = blocks((60, 0, 0), (80, 0, 0), names=("left", "right"))
    after = blocks((60, 0, 0), (80, 0, 0), names=("left", "end stop"))
    diff = difference(part(before), part(after))
    assert [(row["previous"], row["current"]) for row in diff["objects"]["renamed"]] == [("right", "end stop")]


@pytest.mark.requirement("compare.renamed")
def test_a_name_that_the_exporter_made_up_is_none() -> None:
    """Open CASCADE numbers the products of one process: the same part has another name in the next export."""
    diff = difference(part(plate()), part(plate()))
    assert diff["summary"] == {}, diff["objects"]


@pytest.mark.requirement("compare.image")
def test_a_mirror_image_is_changed() -> None:
    diff = difference(part(bracket()), part(bracket().mirror("YZ")))
    assert diff["summary"] == {"changed": 1}
    assert diff["objects"]["changed"][0]["mirrored"] is True


@pytest.mark.requirement("compare.mass")
def test_volume_size_and_mass_have_their_differences() -> None:
    before, after = cq.Workplane().box(100, 50, 10), cq.Workplane().box(110, 50, 10)
    totals = difference(part(before), part(after), goal={"density": 7850})["totals"]
    assert totals["volume"]["delta"] == pytest.approx(5000)
    assert totals["volume"]["relative"] == pytest.approx(0.1)
    assert totals["size"] == {
        "previous": pytest.approx([100, 50, 10]),
        "current": pytest.approx([110, 50, 10]),
    }
    assert totals["mass"]["previous"] == pytest.approx(7850 * 50e-6)
    assert totals["mass"]["delta"] == pytest.approx(7850 * 5e-6)


@pytest.mark.requirement("compare.density")
@pytest.mark.parametrize("density", [0, -1, "steel", True, float("inf")])
def test_a_density_that_is_no_positive_number_is_rejected(density: object) -> None:
    with pytest.raises(InputRejected, match=r"input\.goal\.density is (not a number|-?\d+; use a number above 0)"):
        difference(part(plate()), part(plate()), goal={"density": density})


@pytest.mark.requirement("compare.deviation")
def test_deviations_of_faces_are_positive_where_material_was_added() -> None:
    thicker = compared(part(cq.Workplane().box(100, 60, 10)), part(cq.Workplane().box(100, 60, 10.4)))
    (deviation,) = thicker["proof"]["deviation"].values()
    assert deviation["max"] == pytest.approx(0.2)
    assert deviation["min"] == pytest.approx(0.0, abs=1e-9)
    wider = compared(part(plate(6.6)), part(plate(7)))
    (deviation,) = wider["proof"]["deviation"].values()
    assert deviation["min"] == pytest.approx(-0.2)
    assert deviation["max"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.requirement("compare.units")
def test_a_model_in_inches_is_the_same_as_in_millimetres() -> None:
    found = part(plate())
    inches = found.model_dump(by_alias=True, exclude_none=True) | {"units": "inch"}
    for solid in inches["structure"]["solids"]:
        solid["volume"] /= 25.4**3
        solid["surface_area"] /= 25.4**2
        solid["center_of_mass"] = [value / 25.4 for value in solid["center_of_mass"]]
        solid["bbox"] = {name: [value / 25.4 for value in corner] for name, corner in solid["bbox"].items()}
        for face in solid["faces"]:
            face["area"] /= 25.4**2
            face["origin"] = [value / 25.4 for value in face["origin"]]
            if "radius" in face:
                face["radius"] /= 25.4
    answer = compared(found, found.model_validate(inches))
    assert answer["verdict"] == "same"
    assert "lengths of the previous scene were converted from millimeter to inch" in answer["warnings"]


@pytest.mark.requirement("compare.nothing")
@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_bodies_never_matters(seed: int) -> None:
    found = part(blocks((60, 0, 0), (80, 0, 0), (100, 0, 0)))
    assert difference(found, shuffled(found, seed))["summary"] == {}


@pytest.mark.requirement("compare.mirrored")
def test_added_and_removed_are_exchanged_with_the_models() -> None:
    before = part(blocks((60, 0, 0), (80, 0, 0), names=("left", "right")))
    after = part(blocks((60, 0, 0), (90, 0, 0), (200, 0, 0), names=("left", "right", "new")))
    there, back = difference(before, after), difference(after, before)
    assert ids(there["objects"]["added"]) == ids(back["objects"]["removed"])
    assert there["summary"] == {"added": 1, "moved": 1}
    assert back["summary"] == {"removed": 1, "moved": 1}
