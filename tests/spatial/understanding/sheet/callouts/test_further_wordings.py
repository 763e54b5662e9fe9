"""Threads, chamfers and counts in the words of further offices, and letters of another alphabet in them."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from tests.spatial.understanding.sheet.callouts.test_size_ranges import read


def members(text: str, role: Literal["free", "dimension", "leader"] = "leader") -> dict[str, Any]:
    found = read([text], role)
    return found[0].model_dump(exclude_none=True) if found else {}


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize(
    ("text", "size", "pitch"),
    [("M4X0.7P", "M4", 0.7), ("M12xP1.25", "M12", 1.25), ("M16 x P=1.5", "M16", 1.5), ("CAP NUT, M6X1.0P", "M6", 1.0)],
)
def test_a_pitch_may_have_the_letter_p_on_either_side(text: str, size: str, pitch: float) -> None:
    found = members(text)
    assert (found["type"], found["size"], found["pitch"]) == ("thread", size, pitch)


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize("text", ["CAP NUT, M6", "see sheet 4, M6x1 screws", "M6x30P"])
def test_a_screw_by_its_size_alone_is_no_thread(text: str) -> None:
    assert members(text) == {}


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize(
    "text", ["Chamfer of 3x3", "Fase von 3 x 3", "Chaflán de 3 x 45°", "Smusso da 3x45°", "Chanfrein de 3 x 45°"]
)
def test_a_preposition_may_stand_between_the_word_for_a_chamfer_and_its_leg(text: str) -> None:
    found = members(text)
    assert (found["type"], found["leg"]) == ("chamfer", 3.0)


@pytest.mark.requirement("callouts.grammar")
def test_a_count_may_stand_behind_a_dash() -> None:
    found = members("R2.4 - 6X")
    assert (found["type"], found["quantity"], found["radius"]) == ("radius", 6, 2.4)
    assert members("Ø9 - 8X")["diameter"] == 9.0


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize(
    ("text", "standing"),
    [
        ("М14х1,5-Н6/g6", "M14x1,5-H6/g6"),
        ("М5", "M5"),
        ("3 отв. М6-7Н", "3 отв. M6-7H"),
        ("4 отв. М8 с двух сторон", "4 отв. M8 с двух сторон"),
    ],
)
def test_lone_cyrillic_letters_at_a_figure_are_the_latin_ones_of_the_standard_and_words_stay(
    text: str, standing: str
) -> None:
    found = members(text)
    assert (found["type"], found["text"]) == ("thread", standing)


@pytest.mark.requirement("callouts.grammar")
def test_a_class_may_be_written_js_and_stand_behind_half_a_bore() -> None:
    keyway, bore = members("14 Js9", "dimension"), members("R31,5 H8")
    assert (keyway["type"], keyway["class"]) == ("fit", "JS9")
    assert (bore["type"], bore["class"]) == ("fit", "H8")
    assert members("R2 A3", "free").get("type") != "fit"


@pytest.mark.requirement("callouts.grammar")
def test_a_size_at_a_leader_may_stand_under_what_it_is_of() -> None:
    found = members("BALL STUD\nSPHERE R7 ± 0.2")
    assert (found["type"], found["text"], found["nominal"]) == ("tolerance", "SPHERE R7 ± 0.2", 7.0)
    assert members("KEEP THIS SIDE CLEAR OF GREASE\nR7") == {}
