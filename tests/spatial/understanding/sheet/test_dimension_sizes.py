"""Sizes that texts give."""

from __future__ import annotations

import math

import numpy as np
import pytest

from spatial.understanding.sheet.lettering.printed_size import printed_size

HOLLOW_BACK = [
    (0.0, 0.0),
    *((4 - 1.2 * math.cos(turn), math.sin(turn)) for turn in np.linspace(-math.pi / 2, math.pi / 2, 17)),
]


@pytest.mark.requirement("dimensioning.whole")
@pytest.mark.parametrize(
    "text", ["2. 12", "2\ufffd2", "4\ufffd \ufffd7\ufffd", "570\ufffd", "5.\ufffd8 REF", "1 1.43±0.05", "1 11/2"]
)
def test_a_number_with_an_unread_sign_or_a_blank_in_it_is_no_size(text: str) -> None:
    assert printed_size(text) is None


@pytest.mark.requirement("dimensioning.whole")
@pytest.mark.parametrize(
    "text",
    [
        "(4x)",
        "3X",
        "6x Slots for M3",
        "7/21",
        "30.2(GLASS) 28.9(VIEW)",
        "4 PL R5",
        "4-M3",
        "50-37 -5153",
        "7261 -15 -14",
        "SCALE = 1:2",
        "K = L",
    ],
)
def test_a_quantity_alone_numbers_of_parts_and_sizes_of_several_dimensions_are_no_size(text: str) -> None:
    assert printed_size(text) is None


@pytest.mark.requirement("dimensioning.whole")
@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("12.5 \ufffd0.05", 12.5),
        ("2 X 12.5", 12.5),
        ("10.5 12.5", 10.5),
        ("Ø5 2 places", 5.0),
        ("8 - Ø6.5", 6.5),
        ("3-2.40", 2.4),
        ("4-R1", 1.0),
        ("2R3", 3.0),
        ("4 R1.5", 1.5),
        ("4-Φ2.3", 2.3),
        ("2-SR5", 5.0),
        ("4-C0.5", 0.5),
        ("4-□5", 5.0),
        ("50 -1 -2", 50.0),
        ("7x1.27=8.89", 8.89),
        ('9/16"', 0.5625),
        ("2 X Ø1 3/8", 1.375),
        (".315/.310", 0.315),
        ("(2) 19", 19.0),
        ("(4x) Ø6", 6.0),
        ("(51) 2.01", 51.0),
        ("80 0.00 -0.25", 80.0),
        ("K=0.45", 0.45),
        ("DEPTH = 820", 820.0),
        ("BCD=Ø86", 86.0),
        ("H1 = 3.2mm", 3.2),
        ("*1215", 1215.0),
        ("3'-6 1/2\"", 42.5),
        ("7'-0\"", 84.0),
        ('1⁄2" PIN', 0.5),
    ],
)
def test_a_whole_number_is_a_size_whatever_follows_it(text: str, size: float) -> None:
    assert printed_size(text) == size
