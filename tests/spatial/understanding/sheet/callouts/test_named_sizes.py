"""Sizes behind a letter, a name or a sum, sizes that a table gives, and tubes and cells that look like threads and radii."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.extract import extract_callouts
from tests.spatial.understanding.sheet.callouts.test_callouts import label
from tests.spatial.understanding.sheet.callouts.test_size_ranges import read


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize(
    ("text", "nominal"), [("W0.35±0.03", 0.35), ("T=0.15±0.02", 0.15), ("P0.5*(40-1)=19.5±0.05", 19.5)]
)
def test_a_size_with_deviations_may_stand_behind_its_letter_or_the_spaces_that_it_sums(
    text: str, nominal: float
) -> None:
    (found,) = read([text])
    assert (found.type, found.nominal) == ("tolerance", nominal)  # type: ignore[attr-defined]  # a member of the type


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize("text", ["28.30(﹢0.3/﹣0.1)", "28.30（+0.3/-0.1）"])
def test_deviations_in_brackets_may_have_wide_or_small_signs(text: str) -> None:
    (found,) = read([text])
    assert (found.type, found.upper_deviation, found.lower_deviation) == ("tolerance", 0.3, -0.1)  # type: ignore[attr-defined]


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize("text", ["TR4X2X.125", "(CR1220)"])
def test_a_tube_and_a_lithium_cell_call_nothing(text: str) -> None:
    assert not read([text], "dimension")


@pytest.mark.requirement("callouts.grammar")
def test_depths_in_inches_and_in_spanish_are_read() -> None:
    inches, spanish = read(["8x Holes threaded 4-48, 0.3 inches deep", "Ø7,00 -5,00 Profundidad"], "dimension")
    assert inches.depth == pytest.approx(7.62)
    assert spanish.depth == 5.0


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("GROOVE WIDTH 42.0 +0.4 -0.1", "tolerance"),
        ("Spaltmaß 3,5 +0,2/-0", "tolerance"),
        ("Wanddicke PC+ABS t=2,4±0,15", "tolerance"),
        ("FLANGE Ø64±0.3", "tolerance"),
        ("NOM. R7.25", "radius"),
        ("Foro centrale passante Ø6", "hole"),
        ("Trou lamé débouchant Ø9", "hole"),
    ],
)
def test_words_before_a_size_at_the_part_say_what_it_is_of(text: str, kind: str) -> None:
    (found, *_) = read([text], "leader")
    assert (found.type, found.text) == (kind, text)


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize("text", ["SUPPLY UNIT 42.0 +0.4 -0.1", "NOM. R7.25", "Foro centrale passante Ø6"])
def test_such_words_away_from_the_part_are_prose(text: str) -> None:
    assert not read([text])


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize("text", ["PANEL R7", "RESISTOR R47", "BLICK R3"])
def test_a_letter_with_a_whole_number_behind_words_at_a_leader_may_be_a_part(text: str) -> None:
    assert not read([text], "leader")
    assert [found.type for found in read([text], "dimension")] == ["radius"]


@pytest.mark.requirement("callouts.grammar")
@pytest.mark.parametrize(
    ("text", "letter", "upper", "lower"), [("K±0.35", "K", 0.35, -0.35), ("F +0,3 / -0,1", "F", 0.3, -0.1)]
)
def test_a_size_that_a_table_gives_by_its_letter_has_the_deviations_that_stand_behind_it(
    text: str, letter: str, upper: float, lower: float
) -> None:
    (found,) = read([text])
    assert (found.type, found.model_dump()["of"]) == ("tolerance", letter)
    assert (found.upper_deviation, found.lower_deviation) == (upper, lower)  # type: ignore[attr-defined]  # members of the type
    assert "nominal" not in found.model_dump(exclude_none=True)


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize("text", ["X±0.4", "X.X ±0.4", "K±2", "(7/12)", "C0.236]"])
def test_figures_of_a_general_tolerance_numbers_of_forms_and_torn_brackets_call_nothing(text: str) -> None:
    assert not read([text])


@pytest.mark.requirement("callouts.grammar")
def test_limits_that_stand_again_in_the_other_unit_are_limits_however_far_apart() -> None:
    (found,) = read(["2.80\n1.90\n[.110 .075]"], "leader")
    assert (found.type, found.min, found.max) == ("limit", 1.9, 2.8)  # type: ignore[attr-defined]
    assert not read(["2.80\n1.90\n[.110 .085]"])


@pytest.mark.requirement("callouts.context")
def test_a_radius_with_the_mark_of_a_reference_is_both() -> None:
    found = extract_callouts(label("R2,5*"), Context(marks={"*": "reference"}))
    assert [each.type for each in found] == ["reference_dimension", "radius"]
