"""Threads that a file names at faces, in notes and at shape aspects; the sample bracket has four bores of 3.3 mm and a boss of 44 mm."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.spatial.pmi import BRACKET, faces_of, meaning, with_pmi

FACE = re.compile(r"#(\d+) = ADVANCED_FACE\('',\([^)]*\),#(\d+),")


def faces_round(radius: str, text: str = BRACKET) -> list[int]:
    """The file's faces on cylinders of a radius."""
    surfaces = set(re.findall(rf"#(\d+) = CYLINDRICAL_SURFACE\('',#\d+,{re.escape(radius)}\)", text))
    return [int(face) for face, surface in FACE.findall(text) if surface in surfaces]


def with_name(face: int, name: str) -> str:
    return BRACKET.replace(f"#{face} = ADVANCED_FACE('',", f"#{face} = ADVANCED_FACE('{name}',")


def with_note(note: str, *faces: int) -> str:
    return with_pmi(
        f"{faces_of(9100, *faces)}#9510=PROPERTY_DEFINITION('semantic text','',#9100);\n"
        "#9511=PROPERTY_DEFINITION_REPRESENTATION(#9510,#9512);\n#9512=REPRESENTATION('',(#9513),#1678);\n"
        f"#9513=DESCRIPTIVE_REPRESENTATION_ITEM('','{note}');\n"
    )


def threads(text: str) -> list[dict[str, Any]]:
    return [each for each in meaning(text)[0]["features"] if "thread" in each]


@pytest.mark.requirement("features.threads-written")
def test_the_name_of_a_face_threads_its_hole() -> None:
    bore = faces_round("1.65")[0]
    (hole,) = threads(with_name(bore, "M4x0.7 - 6H"))
    assert hole["type"] == "hole"
    assert hole["diameter"] == pytest.approx(3.3)
    assert hole["thread"] == {"designation": "M4x0.7", "diameter": 4.0, "pitch": 0.7, "source": "named"}


@pytest.mark.requirement("features.threads-written")
def test_a_note_threads_every_hole_that_it_is_about() -> None:
    bores = faces_round("1.65")
    found = threads(with_note("4X M4 \\X2\\21A7\\X0\\8", *bores))
    assert len(bores) >= 4
    assert [each["type"] for each in found] == ["hole"] * 4
    for hole in found:
        assert hole["thread"] == {"designation": "M4", "diameter": 4.0, "pitch": 0.7, "length": 8.0, "source": "pmi"}


@pytest.mark.requirement("features.threads-written")
def test_a_named_shape_aspect_threads_the_holes_of_its_faces() -> None:
    aspect = faces_of(9100, *faces_round("1.65")[:1]).replace("SHAPE_ASPECT(''", "SHAPE_ASPECT('M4 Tapped Hole1'")
    (hole,) = threads(with_pmi(aspect))
    assert (hole["thread"]["designation"], hole["thread"]["source"]) == ("M4", "named")


@pytest.mark.requirement("features.threads-written")
def test_a_named_shaft_is_a_feature_of_its_own() -> None:
    (shaft,) = threads(with_name(faces_round("22.")[0], "M45x1.5-LH"))
    assert (shaft["type"], shaft["diameter"], shaft["solids"]) == ("thread", 45.0, ["solid-1"])
    assert (shaft["thread"]["pitch"], shaft["thread"]["hand"]) == (1.5, "left")


@pytest.mark.requirement("features.threads-written")
@pytest.mark.parametrize("name", ["M12x1.75", "1/4-20 UNC"])
def test_a_thread_that_does_not_go_into_its_hole_is_left_out_and_reported(name: str) -> None:
    text = with_name(faces_round("1.65")[0], name)
    assert threads(text) == []
    (warning,) = (each for each in meaning(text)[1] if "threads" in each)
    assert f'"{name}"' in warning


@pytest.mark.requirement("features.threads-written")
@pytest.mark.parametrize("name", ["NONE", "PartBody", "no 4", "FACE-M4", "M4 NUT"])
def test_a_name_that_is_no_thread_says_nothing(name: str) -> None:
    text = with_name(faces_round("1.65")[0], name)
    assert threads(text) == []
    assert not [each for each in meaning(text)[1] if "threads" in each]
