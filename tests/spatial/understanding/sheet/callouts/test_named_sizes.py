"""Sizes behind a letter or a sum, tubes and cells that look like threads and radii, and quantities behind TYP."""

from __future__ import annotations

import pytest

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
