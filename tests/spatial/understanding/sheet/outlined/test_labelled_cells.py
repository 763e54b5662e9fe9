"""Values in ruled cells whose label was read: the form that the label names chooses among what their shapes support."""

from __future__ import annotations

from typing import Any

import pymupdf as _pymupdf
import pytest

from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import lettered

pymupdf: Any = _pymupdf


def read_beside(label: str, value: str, *, font: str = "helv", is_below: bool = False) -> list[str]:
    """What is read of a sheet with a label in one cell and a value in the next one, or in the same one below it."""
    made = pymupdf.open()
    page = made.new_page(width=600, height=600)
    for number in range(6):
        page.insert_text((60, 60 + 20 * number), "MATERIAL OF THE HOUSING AND CONTACTS", fontname="helv", fontsize=10)
    page.draw_rect((300, 400, 360, 430))
    page.insert_text((304, 410), label, fontname="helv", fontsize=7)
    if is_below:
        page.insert_text((315, 426), value, fontname=font, fontsize=10)
    else:
        page.draw_rect((360, 400, 420, 430))
        page.insert_text((375, 418), value, fontname=font, fontsize=9)
    return [text.text for text in lettered(as_outlines(made.tobytes())).sheets[0].texts]


@pytest.mark.requirement("outlined.labelled-cells")
@pytest.mark.parametrize("is_below", [False, True])
@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("SHEET", "1 OF 1"), ("SHEET", "1 of 1"), ("SHEET", "1/1"), ("SCALE", "1:1"), ("UNIT", "mm"), ("UNIT", "MM"),
        ("REV", "A1"), ("SIZE", "A3"), ("REV", "V0"), ("DRAWN", "SONG"),
    ],
)  # fmt: skip
def test_a_value_in_a_labelled_cell_is_read_in_the_form_of_its_label(label: str, value: str, is_below: bool) -> None:
    texts = read_beside(label, value, is_below=is_below)
    assert value.replace(" ", "") in [text.replace(" ", "") for text in texts]


@pytest.mark.requirement("outlined.labelled-cells")
@pytest.mark.parametrize(("label", "value"), [("SHEET", "I"), ("SHEET", "SEE A"), ("SCALE", "AS"), ("UNIT", "kg")])
def test_no_value_is_made_that_its_shapes_do_not_support(label: str, value: str) -> None:
    texts = read_beside(label, value)
    assert not {"1", "5", "1:5", "mm", "MM", "1 OF 1"} & set(texts) - {"1" if value == "I" else ""}
