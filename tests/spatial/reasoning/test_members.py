"""Free-form objects: what is of the wrong kind is refused, and what is not known is named."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.errors import InputRejected
from spatial.reasoning.members import NAMED, Members


def members(**values: Any) -> Members:
    return Members(values, "input.goal", tuple(values))


@pytest.mark.requirement("inputs.goal")
@pytest.mark.parametrize("value", ["1", True, None, [1], 1e400, float("nan")])
def test_a_number_is_finite_and_no_text(value: Any) -> None:
    if value is None:
        assert members(size=None).number("size", 7.0) == 7.0
        return
    with pytest.raises(InputRejected, match=r"input\.goal\.size is not a number; correct it"):
        members(size=value).number("size", 7.0)


@pytest.mark.requirement("inputs.goal")
def test_limits_of_numbers_are_named() -> None:
    assert members(size=2).number("size", 0.0, above=1.0, at_most=2.0) == 2.0
    with pytest.raises(InputRejected, match="is 3; use a number above 1 up to 2"):
        members(size=3).number("size", 0.0, above=1.0, at_most=2.0)
    with pytest.raises(InputRejected, match="is not a whole number from 1 to 20"):
        members(count=2.7).whole("count", 3, at_least=1, at_most=20)
    with pytest.raises(InputRejected, match="is not a whole number from 0;"):
        members(seed=-1).whole("seed", 3, at_least=0)
    assert members(count=20).whole("count", 3, at_least=1, at_most=20) == 20


@pytest.mark.requirement("inputs.goal")
def test_a_direction_is_a_list_or_an_object_and_has_length_one() -> None:
    for right in ([0, 3, 4], {"x": 0, "y": 3, "z": 4}):
        found = members(way=right).direction("way")
        assert found is not None and found.tolist() == [0.0, 0.6, 0.8]
    for wrong in ([0, 0, 0], [1, 2], {"x": 1}, "up", [1, None, 2]):
        with pytest.raises(InputRejected, match=r"input\.goal\.way "):
            members(way=wrong).direction("way")


@pytest.mark.requirement("inputs.goal")
def test_an_object_of_numbers_names_the_wrong_one() -> None:
    assert members(masses={"a": 1, "b": 2.5}).numbers("masses") == {"a": 1.0, "b": 2.5}
    with pytest.raises(InputRejected, match=r"input\.goal\.masses\.b is -1; use a number from 0"):
        members(masses={"a": 1, "b": -1}).numbers("masses", at_least=0.0)
    with pytest.raises(InputRejected, match=r"input\.goal\.masses is not an object"):
        members(masses=[1]).numbers("masses")


@pytest.mark.requirement("inputs.goal")
def test_a_flag_or_a_word() -> None:
    assert members(rotate=False).flag_or_choice("rotate", ("axes",), default=True) is False
    assert members(rotate="axes").flag_or_choice("rotate", ("axes",), default=True) == "axes"
    wrong: Any
    for wrong in ("any", 1, []):
        with pytest.raises(InputRejected, match=r"input\.goal\.rotate "):
            members(rotate=wrong).flag_or_choice("rotate", ("axes",), default=True)


@pytest.mark.requirement("inputs.unused")
def test_unknown_members_are_counted_and_the_first_are_named() -> None:
    goal = Members(
        {f"m{number:03}": 1 for number in range(100)} | {"known": 1, "absent": None}, "input.goal", ("known",)
    )
    (warning,) = goal.unused()
    assert warning.startswith("input.goal has 100 members that the task does not use: m000, m001")
    assert warning.count(",") == NAMED - 1
    inside = Members({"box": {"size": 1, "lid": 2}}, "input.goal", ("box",))
    assert list(inside.unused()) == []
    assert inside.group("box", ("size",)) is not None
    assert list(inside.unused()) == ["input.goal.box has 1 member that the task does not use: lid"]


@pytest.mark.requirement("inputs.unused")
def test_a_member_that_is_read_must_be_listed_as_known() -> None:
    with pytest.raises(AssertionError, match=r"input\.goal\.size is read, but is not listed"):
        Members({}, "input.goal", ()).number("size", 1.0)
