"""Sizes with small deviations beside them, zeros among letters, and Ø, drawn as outlines."""

from __future__ import annotations

from typing import Any

import pymupdf as _pymupdf
import pytest

from spatial.formats.pdf import reader
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import page

pymupdf: Any = _pymupdf
FILLER = ("Hook room 2030 boot", "FOOT ZOOM 4050 BOOK", "Section view of shaft", "Heat treated 7080 JOB")


def with_deviations(nominal: str, upper: str, lower: str, turn: int, high: float = 5.0, up: float = 0.56) -> bytes:
    """A page with a size of 10 points and its deviations, in half its height or as high as given, behind it over and under each other.

    up: heights of the upper one between its feet and the middle of the size.
    """
    made = pymupdf.open()
    drawn = made.new_page(width=600, height=600)
    for number, line in enumerate(FILLER):
        drawn.insert_text((60, 60 + 30 * number), line, fontsize=10)
    wide = pymupdf.Font("helv").text_length(nominal, fontsize=10) + 2.0
    signed = pymupdf.Font("helv").text_length("-", fontsize=high)
    middle = 3.6 - 0.36 * high
    ups = (middle + up * high, middle - 0.56 * high)
    for text, along, lift, size in (
        (nominal, 0.0, 0.0, 10.0), (upper, wide + (0.0 if upper[0] in "+-" else signed), ups[0], high), (lower, wide, ups[1], high),
    ):  # fmt: skip
        place = (300 + along, 400 - lift) if turn == 0 else (300 - lift, 400 - along)
        drawn.insert_text(place, text, fontsize=size, rotate=turn)
    return as_outlines(made.tobytes())


def lettered(data: bytes) -> list[str]:
    return [text.text for text in with_drawn_lettering(reader.read(data, "sheet.pdf")).sheets[0].texts]


@pytest.mark.requirement("outlined.deviations")
@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize(
    ("nominal", "upper", "lower"), [("Ø34", "+0.021", "-0.013"), ("Ø27", "0", "-0.043"), ("46.5", "+.07", "-.03")]
)
def test_deviations_in_small_lettering_are_texts_of_their_own_with_their_signs(
    nominal: str, upper: str, lower: str, turn: int
) -> None:
    texts = lettered(with_deviations(nominal, upper, lower, turn))
    assert {nominal, upper, lower} <= set(texts), texts


@pytest.mark.requirement("outlined.deviations")
@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize("nominal", ["Ø22", "46.5"])
def test_the_zero_over_a_deviation_almost_as_high_as_its_size_is_no_digit_of_the_size(nominal: str, turn: int) -> None:
    texts = lettered(with_deviations(nominal, "0", "-0.052", turn, 7.2, 0.42))
    assert {nominal, "0", "-0.052"} <= set(texts), texts


@pytest.mark.requirement("outlined.same-shape")
def test_a_zero_among_letters_is_told_by_the_zeros_and_capital_o_of_the_sheet() -> None:
    assert {"UL 94V-0", "GRADE K0", "MIL-O-77"} <= set(
        lettered(as_outlines(page((*FILLER, "UL 94V-0", "GRADE K0", "MIL-O-77"))))
    )


@pytest.mark.requirement("outlined.deviations")
def test_a_bar_that_ends_a_number_is_not_reported_as_a_part_of_it() -> None:
    texts = lettered(as_outlines(page((*FILLER, "63.5_", "B_63"))))
    assert "63.5\ufffd" in texts and "B_63" in texts, texts


def on_the_baseline(nominal: str, upper: str, lower: str, size: float, turn: int, behind: str = "") -> bytes:
    """A page with a size, its lower deviation in smaller lettering on the same baseline behind it, and the upper one over that.

    behind: what stands behind the lower one, as high as the size.
    """
    made = pymupdf.open()
    drawn = made.new_page(width=600, height=600)
    for number, line in enumerate(FILLER):
        drawn.insert_text((60, 60 + 30 * number), line, fontsize=10)
    wide = pymupdf.Font("helv").text_length(nominal, fontsize=10) + 0.4
    end = wide + pymupdf.Font("helv").text_length(lower, fontsize=size) + 1.0
    placed = [
        (nominal, 0.0, 0.0, 10.0),
        (lower, wide, 0.0, size),
        (upper, wide, 1.1 * size, size),
        (behind, end, 0.0, 10.0),
    ]
    for text, along, up, high in placed if behind else placed[:-1]:
        place = (300 + along, 400 - up) if turn == 0 else (300 - up, 400 - along)
        drawn.insert_text(place, text, fontsize=high, rotate=turn)
    return as_outlines(made.tobytes())


@pytest.mark.requirement("outlined.deviations")
@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize("size", [5.5, 7.0])
@pytest.mark.parametrize(("nominal", "upper", "lower"), [("Ø26.7", "+0.052", "-0.045"), ("83", "+0.6", "-0.4")])
def test_a_smaller_deviation_on_the_baseline_of_its_size_is_a_text_of_its_own_as_is_the_one_over_it(
    nominal: str, upper: str, lower: str, size: float, turn: int
) -> None:
    texts = lettered(on_the_baseline(nominal, upper, lower, size, turn))
    assert {nominal, upper, lower} <= set(texts), texts


@pytest.mark.requirement("outlined.deviations")
def test_a_deviation_between_its_size_and_a_remark_as_high_as_that_is_a_text_of_its_own() -> None:
    texts = lettered(on_the_baseline("54.76", "+0.2", "-0.1", 7.0, 0, "(VA)"))
    assert {"54.76", "+0.2", "-0.1", "(VA)"} <= set(texts), texts


@pytest.mark.requirement("outlined.deviations")
def test_a_size_that_lost_the_point_it_begins_with_is_not_reported_as_another_size() -> None:
    texts = lettered(as_outlines(page((*FILLER, "030±.002", ".030±.002", "0.30±.002"))))
    assert texts[-3:] == ["\ufffd030±.002", ".030±.002", "0.30±.002"]


@pytest.mark.requirement("outlined.deviations")
def test_a_number_behind_a_dash_that_is_as_high_as_the_one_before_it_is_of_one_text() -> None:
    assert "26-45" in lettered(as_outlines(page((*FILLER, "26-45"))))
