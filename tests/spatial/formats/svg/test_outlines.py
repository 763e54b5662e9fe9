"""All outlines of an SVG at once: coordinates as decimal arithmetic rounds them, and styles that are computed once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial.formats.svg.path import parse_path
from spatial.geometry.rounding import to_decimals
from tests.spatial.formats.svg.written import entities

ANY = st.floats(-1e12, 1e12)
HALVES = st.integers(-(10**9), 10**9).map(lambda whole: (whole + 0.5) / 1000)
"""Numbers beside the half of a thousandth, where a multiplication may reach what the number does not."""


@pytest.mark.requirement("svg.decimals")
@given(st.lists(st.one_of(ANY, HALVES, st.just(-0.0)), min_size=1))
def test_many_numbers_are_rounded_as_each_of_them_is(values: list[float]) -> None:
    found = to_decimals(np.array(values), 3).tolist()
    assert list(map(repr, found)) == [repr(round(value, 3)) for value in values]


@pytest.mark.requirement("svg.decimals")
def test_numbers_with_too_many_digits_for_the_short_form_are_written_whole() -> None:
    (path,) = entities('<g transform="scale(1e6)"><path d="M1234567.25 0C1 1 2 2 3.5 0"/></g>')
    assert path["d"] == "M1234567250000 0C1000000 1000000 2000000 2000000 3500000 0"


NUMBER = st.one_of(st.integers(-99, 99).map(str), st.sampled_from([".5", "-.25", "1e2", "+3.", "-0"]))
STEP = st.tuples(st.sampled_from("MmLlCcZzHhVvSsQqTt"), st.lists(NUMBER, max_size=13)).map(
    lambda step: f"{step[0]}{' '.join(step[1])}"
)


@pytest.mark.requirement("svg.shapes")
@given(st.lists(STEP, max_size=6).map("".join))
def test_path_data_are_drawn_the_same_where_something_that_is_not_drawn_follows(data: str) -> None:
    # A command without arguments is an error, at which drawing ends: such data take the way of those that are not plain.
    assert repr(parse_path(f"M1 2{data}")) == repr(parse_path(f"M1 2{data}H"))


@pytest.mark.requirement("svg.styles")
def test_one_style_on_elements_of_different_classes_and_places_is_told_apart() -> None:
    css = "<style>.a{stroke:red}g>.a{stroke:lime}#x{stroke:blue}</style>"
    line = '<line class="{}" id="{}" x2="9"/>'
    body = (
        css + line.format("a", "1") + f"<g>{line.format('a', '2')}{line.format('a', 'x')}</g>" + line.format("b", "3")
    )
    assert [each.get("color") for each in entities(body)] == ["#ff0000", "#00ff00", "#0000ff", None]
    alike = "<style>.a{stroke:red}line{stroke:lime}#x{stroke:blue}</style>"
    body = alike + line.format("a", "1") + line.format("b", "2") + line.format("a", "x") + line.format("a", "3")
    assert [each.get("color") for each in entities(body)] == ["#ff0000", "#00ff00", "#0000ff", "#ff0000"]


@pytest.mark.requirement("svg.styles")
def test_a_rule_that_takes_a_transform_away_wins_over_the_attribute() -> None:
    body = '<line class="n" x2="9" transform="scale(2)"/><line x2="9" transform="scale(2)"/>'
    first, second = entities(f"<style>.n{{transform:initial}}</style>{body}")
    assert (first["end"], second["end"]) == ([9.0, 0.0], [18.0, 0.0])


@pytest.mark.requirement("svg.styles")
def test_elements_that_differ_in_their_measures_alone_are_told_apart_by_their_place_where_a_rule_asks_for_it() -> None:
    lines = "".join(f'<line class="a" x2="{length}"/>' for length in (1, 2, 3))
    placed = entities(f"<style>line:nth-of-type(2){{stroke:red}}</style>{lines}")
    assert [each.get("color") for each in placed] == [None, "#ff0000", None]
    grouped = entities(f'<style>.a{{stroke:red}}</style>{lines}<g transform="scale(2)" visibility="hidden">{lines}</g>')
    assert [each["end"][0] for each in grouped] == [1.0, 2.0, 3.0, 2.0, 4.0, 6.0]
    assert [each.get("visible", True) for each in grouped] == [True] * 3 + [False] * 3
