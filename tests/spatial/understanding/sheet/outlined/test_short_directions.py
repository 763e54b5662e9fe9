"""Sizes of two digits on pages that are turned on their paper: two glyphs do not say from where they are read, the other lines do."""

from __future__ import annotations

import pytest

from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import lettered, page

LINES = (
    "MATERIAL OF THE HOUSING",
    "SURFACE TREATMENT OF CONTACTS",
    "GENERAL TOLERANCES",
    "DRAWING NUMBER",
    "FOURTH REVISION",
)
"""Lines that say from where the sheet is read; without the last one they are too few."""
SIZES = ("50", "60", "39", "21")


def sizes(turn: int, *lines: str) -> list[str]:
    """The numbers among the texts of a page printed in one direction."""
    texts = [text.text for text in lettered(as_outlines(page((*lines, *SIZES), turn=turn))).sheets[0].texts]
    return sorted(text for text in texts if text.isdecimal())


@pytest.mark.requirement("outlined.short-directions")
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_two_digits_are_read_from_where_the_long_lines_of_their_sheet_are(turn: int) -> None:
    assert sizes(turn, *LINES) == sorted(SIZES)


@pytest.mark.requirement("outlined.short-directions")
def test_fewer_lines_do_not_say_from_where_a_sheet_is_read() -> None:
    assert sizes(270, *LINES[:4]) != sorted(SIZES)
