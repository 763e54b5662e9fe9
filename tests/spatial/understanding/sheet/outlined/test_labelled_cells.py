"""Values in ruled cells whose label was read: the form that the label names chooses among what their shapes support."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pymupdf as _pymupdf
import pytest

from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import lettered

pymupdf: Any = _pymupdf


def sheet() -> tuple[Any, Any]:
    """A file and its page, with some lettering."""
    made = pymupdf.open()
    page = made.new_page(width=600, height=600)
    for number in range(6):
        page.insert_text((60, 60 + 20 * number), "MATERIAL OF THE HOUSING AND CONTACTS", fontname="helv", fontsize=10)
    return made, page


def texts_of(made: Any) -> list[str]:
    return [text.text for text in lettered(as_outlines(made.tobytes())).sheets[0].texts]


def read_beside(label: str, value: str, *, font: str = "helv", is_below: bool = False) -> list[str]:
    """What is read of a sheet with a label in one cell and a value in the next one, or in the same one below it."""
    made, page = sheet()
    page.draw_rect((300, 400, 360, 430))
    page.insert_text((304, 410), label, fontname="helv", fontsize=7)
    if is_below:
        page.insert_text((315, 426), value, fontname=font, fontsize=10)
    else:
        page.draw_rect((360, 400, 420, 430))
        page.insert_text((375, 418), value, fontname=font, fontsize=9)
    return texts_of(made)


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
    assert value in texts


@pytest.mark.requirement("outlined.labelled-cells")
@pytest.mark.parametrize("size", [8, 9, 10])
@pytest.mark.parametrize("font", ["helv", "tiro"])
@pytest.mark.parametrize("gap", [0.0, 0.15, 0.6])
def test_a_number_of_sheets_has_its_blanks_however_narrow_they_are_drawn(size: int, font: str, gap: float) -> None:
    made, page = sheet()
    x = 375.0
    for word in ("1", "of", "1"):
        page.insert_text((x, 418), word, fontname=font, fontsize=size)
        x += pymupdf.get_text_length(word, fontname=font, fontsize=size) + gap * size
    page.draw_rect((300, 400, 360, 430))
    page.draw_rect((360, 400, 420, 430))
    page.insert_text((304, 410), "SHEET", fontname="helv", fontsize=7)
    assert "1 of 1" in texts_of(made)


@pytest.mark.requirement("outlined.labelled-cells")
@pytest.mark.parametrize("value", ["1 OF1", "1OF 1", "2of3"])
def test_a_number_of_sheets_behind_its_label_has_its_blanks(value: str) -> None:
    made, page = sheet()
    page.insert_text((375, 418), f"SHEET {value}", fontname="helv", fontsize=9)
    assert f"SHEET {value[0]} {value[1:-1].strip()} {value[-1]}" in texts_of(made)


@pytest.mark.requirement("outlined.labelled-cells")
@pytest.mark.parametrize("gap", [10.0, 14.0])
def test_bare_strokes_on_both_sides_of_an_of_under_its_label_are_ones(gap: float) -> None:
    made, page = sheet()
    page.draw_rect((300, 400, 420, 430))
    page.insert_text((304, 409), "SHEET", fontname="helv", fontsize=7)
    page.insert_text((340, 424), "OF", fontname="helv", fontsize=9)
    behind = 340 + pymupdf.get_text_length("OF", fontname="helv", fontsize=9)
    for x in (340 - gap, behind + gap):
        page.draw_rect((x - 0.4, 417.5, x + 0.4, 424), color=None, fill=(0, 0, 0))
    assert [text for text in texts_of(made) if len(text) < 3] == ["1", "OF", "1"]


@pytest.mark.requirement("outlined.labelled-cells")
@pytest.mark.parametrize(("label", "value"), [("SHEET", "I"), ("SHEET", "SEE A"), ("SCALE", "AS"), ("UNIT", "kg")])
def test_no_value_is_made_that_its_shapes_do_not_support(label: str, value: str) -> None:
    texts = read_beside(label, value)
    assert not {"1", "5", "1:5", "mm", "MM", "1 OF 1"} & (set(texts) - {"1" if value == "I" else ""})


def draw_filled(page: Any, box: tuple[float, float, float, float]) -> None:
    """A wide line as old plotters paint it: two triangles for each side of a box."""
    left, top, right, bottom = box
    for one, two in (
        ((left, top), (right, top)),
        ((left, bottom), (right, bottom)),
        ((left, top), (left, bottom)),
        ((right, top), (right, bottom)),
    ):
        far = (two[0] + 1.5, two[1] + 1.5)
        page.draw_polyline([one, two, far], color=None, fill=(0, 0, 0), closePath=True)
        page.draw_polyline([one, far, (one[0] + 1.5, one[1] + 1.5)], color=None, fill=(0, 0, 0), closePath=True)


def draw_in_pieces(page: Any, box: tuple[float, float, float, float]) -> None:
    """Rule lines in short strokes, end to end."""
    left, top, right, bottom = box
    wide, high = (right - left) / 6, (bottom - top) / 4
    for number in range(6):
        for level in (top, bottom):
            page.draw_line((left + number * wide, level), (left + (number + 1) * wide, level))
    for number in range(4):
        for side in (left, right):
            page.draw_line((side, top + number * high), (side, top + (number + 1) * high))


@pytest.mark.requirement("outlined.labelled-cells")
@pytest.mark.parametrize("draw", [draw_filled, draw_in_pieces])
def test_rule_lines_are_filled_or_drawn_in_pieces(
    draw: Callable[[Any, tuple[float, float, float, float]], None],
) -> None:
    made, page = sheet()
    draw(page, (300, 400, 360, 440))
    page.insert_text((304, 411), "UNIT", fontname="helv", fontsize=7)
    page.insert_text((322, 433), "mm", fontname="helv", fontsize=10)
    assert "mm" in texts_of(made)
