"""Labels of drawn lettering with signs that could not be told."""

from __future__ import annotations

import pytest

from spatial.models.sheet.repairs import FROM_OUTLINES
from spatial.understanding.sheet.callouts.unread_signs import without_unread
from spatial.understanding.sheet.label import Label


def _said(text: str, repairs: tuple[str, ...] = (FROM_OUTLINES,)) -> list[str]:
    label = Label((text,), 1, (3.0, 4.0), (0.0, 0.0, 6.0, 8.0), 0.0, 2.5, ("annotation-7",), repairs=repairs)
    return [each.text for each in without_unread([label])]


@pytest.mark.requirement("outlined.unread-beside")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\ufffd\ufffd (3.35)", "(3.35)"),
        ("(3.45) \ufffd", "(3.45)"),
        ("- (2X 4°)", "(2X 4°)"),
        ("A BSC\ufffd", "A BSC."),
        ("2.5 REF\ufffd", "2.5 REF."),
        ("84.7±0.15(\ufffdUTLINE)", "84.7±0.15(\ufffdUTLINE)"),
    ],
)
def test_an_unread_sign_beside_a_whole_size_says_nothing_of_it(text: str, said: str) -> None:
    assert _said(text) == [said]


@pytest.mark.requirement("outlined.unread-beside")
@pytest.mark.parametrize(
    "text",
    [
        "\ufffd22.1±0.15",
        "\ufffd 28.5±0.2",
        "(3.\ufffd5)",
        "\ufffd(3.35)",
        "32h\ufffd",
        "12\ufffd(TYP)",
        "\ufffd2 REF\ufffd",
        "32 Ra\ufffd",
        "M8\ufffd",
    ],
)
def test_an_unread_sign_that_may_be_of_the_size_leaves_it_out(text: str) -> None:
    assert _said(text) == []
    assert _said(text, repairs=()) == [text]
