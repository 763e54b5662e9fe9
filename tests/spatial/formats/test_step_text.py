"""The light reading of STEP text takes a time that grows with the text, whatever stands in it: each of these took for ever, or minutes."""

from __future__ import annotations

import pytest

from spatial.formats.step.part21 import Part21

MANY = 300_000


@pytest.mark.requirement("siege.found")
def test_strings_side_by_side_are_divided_in_one_way() -> None:
    assert Part21(b"FILE_SCHEMA((" + b"''" * MANY + b"x));").schemas == []
    assert Part21(b"FILE_SCHEMA(('AP214''S','CONFIG_CONTROL_DESIGN {1 0}'));").schemas == [
        "AP214''S",
        "CONFIG_CONTROL_DESIGN",
    ]


@pytest.mark.requirement("siege.found")
def test_sections_that_never_end_their_name_are_passed_once() -> None:
    assert not Part21(b"DATA(" * MANY).has_data
    assert Part21(b"DATA('part (1)',('AUTOMOTIVE_DESIGN'));").has_data
    assert Part21(b"DATA;").has_data


@pytest.mark.requirement("siege.found")
def test_comments_that_never_end_are_passed_once() -> None:
    assert Part21(b"/* " * MANY).text == b"/* " * MANY
    assert Part21(b"a/* x */b/* y").text == b"a b/* y"
