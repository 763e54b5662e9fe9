"""Sizes in two units, holes before their counterbore, and what only looks like a size."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.understanding.sheet.lettering import words
from tests.spatial.understanding.sheet.callouts.test_callouts import callouts, says


@pytest.mark.requirement("callouts.spelling")
@pytest.mark.parametrize(
    ("text", "type_", "meaning"),
    [
        ("8.70 [.343] REF", "reference_dimension", {"nominal": 8.7}),
        ("15.87 +0.25 -0.13\n[.625 +.010 -.005]", "tolerance", {"nominal": 15.87, "upper_deviation": 0.25}),
        ("2.54±0.05\n[.100±.002]\nTYP", "tolerance", {"lower_deviation": -0.05, "typical": True}),
        ("Ø0.89±0.08\n[Ø.035±.003]\n8 PLC", "tolerance", {"diameter": 0.89, "quantity": 8}),
        ("[0.38]\nR0.015 TYP.", "radius", {"radius": 0.015, "typical": True}),
        ("12.7mm MAX 0.50in. MAX", "limit", {"max": 12.7}),
        ("3.05±0.05\n.120±.002]", "tolerance", {"nominal": 3.05}),
    ],
)
def test_a_size_in_two_units_is_one_callout(text: str, type_: str, meaning: dict[str, Any]) -> None:
    (found,) = callouts(text, "dimension")
    says(found, {"type": type_, **meaning})


@pytest.mark.requirement("callouts.negative")
def test_half_of_a_size_in_two_units_is_no_callout() -> None:
    assert callouts(".100±.002]") == []
    assert callouts("[.450±.002]") == []
    assert callouts("[0]") == []


@pytest.mark.requirement("lettering.stack")
def test_a_size_in_the_other_unit_goes_on_with_the_line_over_it() -> None:
    assert words.continues("3.05±0.05", ".120±.002]")
    assert words.continues("[0.38]", "R0.015 TYP.")
    assert words.continues("Ø1.58±0.08 [Ø.062±.003]", "2 PLC")
    assert not words.continues("3.05±0.05", "7.120±.002]")
    assert not words.continues("2.545", "[63.88]")


@pytest.mark.requirement("callouts.stack")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8 x Ø3.4, 6.5 ⌴ ↧3.0", [("hole", 3.4, None), ("counterbore", 6.5, 3.0)]),
        ("M3 x 6 / Ø2.6 x 9", [("thread", 3.0, 6.0), ("hole", 2.6, 9.0)]),
    ],
)
def test_each_feature_of_a_stack_has_its_own_size_and_depth(
    text: str, expected: list[tuple[str, float, float | None]]
) -> None:
    found = [callout.model_dump() for callout in callouts(text)]
    assert [(each["type"], each["diameter"], each["depth"]) for each in found] == expected


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("(20 Pockets)", "dimension"),
        ("(0.95mm stake shown)", "dimension"),
        ("(12.5 see note)", "free"),
        ("2025-7-1", "free"),
        ("5.625° /64", "free"),
        ("MAX31865", "free"),
        ("21.5-25", "dimension"),
        ("2- 2.5", "dimension"),
    ],
)
def test_words_dates_and_ranges_are_no_sizes(text: str, role: str) -> None:
    assert callouts(text, role) == []


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize("text", ["(12.00 Measure point)", "(1.5) (outline)", "(10 TYP)"])
def test_a_size_in_brackets_may_have_a_remark(text: str) -> None:
    assert [each.type for each in callouts(text, "dimension")] == ["reference_dimension"]


@pytest.mark.requirement("callouts.negative")
def test_a_screw_in_brackets_is_no_class_of_its_clearance_hole() -> None:
    assert [each.type for each in callouts("Ø6.5 (M6) THRU")] == ["hole"]
    assert [each.type for each in callouts("Ø6.5 (H7)")] == ["fit"]


@pytest.mark.requirement("callouts.types")
def test_a_unit_of_another_quantity_counts_behind_a_number_only() -> None:
    (found,) = callouts("212.28±0.5 (Outline W/PCB)", "free")
    says(found, {"type": "tolerance", "upper_deviation": 0.5})
    assert callouts("Ø8 at 5 W", "free") == []


@pytest.mark.requirement("callouts.spelling")
def test_a_chinese_word_is_found_behind_others() -> None:
    (found,) = callouts("8 × Φ3.2 内圈通孔, PCD Φ155", "free")
    says(found, {"type": "hole", "quantity": 8, "through": True, "bolt_circle_diameter": 155.0})


@pytest.mark.requirement("callouts.fit")
@pytest.mark.parametrize(
    ("text", "classes", "grade"), [("⌀35L0/k6", "L0/k6", "IT6"), ("⌀72 H7/l0", "H7/l0", "IT7"), ("⌀35 k6", "k6", "IT6")]
)
def test_a_bearing_has_a_class_of_its_own_beside_that_of_shaft_or_housing(text: str, classes: str, grade: str) -> None:
    (found,) = callouts(text)
    says(found, {"type": "fit", "class": classes, "grade": grade})
    assert [each.type for each in callouts("⌀35 L0")] == ["hole"]


@pytest.mark.requirement("callouts.stack")
def test_the_drill_of_a_thread_is_a_hole_with_its_size() -> None:
    thread, hole = callouts("10-24 UNC - 2B TAP ↧0.359\n#25 DRILL ( 0.150 ) THRU -( 3 ) HOLES")
    says(thread, {"type": "thread", "quantity": 3, "depth": 0.359})
    says(hole, {"type": "hole", "quantity": 3, "diameter": 0.15, "drill": "#25", "through": True})


@pytest.mark.requirement("callouts.negative")
def test_a_number_of_holes_in_brackets_is_no_size() -> None:
    assert callouts("(4 HOLES)", "dimension") == []
