"""Letters, figures and dashes that stand alone in ruled cells of drawn lettering."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pymupdf as _pymupdf
import pytest

from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import lettered

pymupdf: Any = _pymupdf

COLUMNS = (60.0, 110.0, 400.0, 480.0)
ROW = 20.0
HEADER = ("REV", "DESCRIPTION OF THE CHANGE", "DATE")


def table(
    rows: Sequence[Sequence[str]], *, ruled: bool = True, turn: int = 0, font: str = "helv", parted: bool = True
) -> bytes:
    """A page with a ruled table; without its upright rules where it is not `ruled`, and those between its rows where it is not `parted`."""
    made = pymupdf.open()
    page = made.new_page(width=600, height=600)
    height = ROW * (len(rows) + 1)
    for number in range(len(rows) + 2) if parted else (0, len(rows) + 1):
        page.draw_line((COLUMNS[0], 300 + ROW * number), (COLUMNS[-1], 300 + ROW * number))
    for place in COLUMNS if ruled else ():
        page.draw_line((place, 300), (place, 300 + height))
    for number, row in enumerate((HEADER, *rows)):
        for place, text in zip(COLUMNS, row, strict=False):
            page.insert_text((place + 15, 300 + ROW * (number + 1) - 6), text, fontname=font, fontsize=10)
    page.set_rotation(turn)
    data: bytes = made.tobytes()
    return data


def read(data: bytes) -> list[str]:
    return [text.text for text in lettered(as_outlines(data)).sheets[0].texts]


CHANGES = (("C", "Holes moved to the left side", "2021-05-07"), ("D", "Material of housing", "2022-09-14"))


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize("turn", [0, 90, 270])
def test_a_letter_alone_in_a_ruled_cell_is_read_where_its_row_has_lettering(turn: int) -> None:
    assert {"C", "D"} <= set(read(table(CHANGES, turn=turn)))


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize(("ruled", "is_read"), [(True, True), (False, False)])
def test_a_letter_under_its_heading_is_read_on_the_line_of_the_next_column_where_no_rules_part_the_rows(
    ruled: bool, is_read: bool
) -> None:
    changes = [CHANGES[0], *[("",)] * 5]
    assert ("C" in read(table(changes, parted=False, ruled=ruled))) is is_read


SHORT_FLAG = (
    (-0.16, 0),
    (0.16, 0),
    (0.16, 0.04),
    (0.06, 0.08),
    (0.06, 1),
    (0.03, 1),
    (-0.16, 0.87),
    (-0.16, 0.84),
    (-0.06, 0.88),
    (-0.06, 0.08),
    (-0.16, 0.04),
)
"""A 1 of a lettering with serifs, as the small l of another."""


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize("ruled", [True, False])
def test_a_one_that_a_small_l_is_like_is_read_where_it_stands_alone_in_a_ruled_cell(ruled: bool) -> None:
    made = pymupdf.open("pdf", table([("", *said) for _, *said in CHANGES], ruled=ruled, font="tiro"))
    for row in (1, 2):
        shape = made[0].new_shape()
        shape.draw_polyline([(80 + 7 * x, 294 + ROW * (row + 1) - 7 * y) for x, y in SHORT_FLAG])
        shape.finish(color=None, fill=(0, 0, 0), closePath=True)
        shape.commit()
    assert read(made.tobytes()).count("1") == (2 if ruled else 0)


@pytest.mark.requirement("outlined.read")
def test_a_letter_that_parts_of_views_look_like_is_not_read_without_a_cell_around_it() -> None:
    assert not {"C", "D"} & set(read(table(CHANGES, ruled=False)))


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize(("runs_on", "found"), [(14.0, {"C"}), (2.0, set())])
def test_a_letter_in_a_row_that_is_open_at_its_far_side_is_read_where_the_rules_of_its_columns_run_on(
    runs_on: float, found: set[str]
) -> None:
    rows = [(mark, *said) for mark, (_, *said) in zip("AB", CHANGES, strict=True)]
    made = pymupdf.open("pdf", table(rows))
    page, end = made[0], 300 + ROW * (len(rows) + 1)
    for place in COLUMNS:
        page.draw_line((place, 300), (place, end + runs_on))
    for place, text in zip(COLUMNS, ("C", "Slots made wider by a drill", "2023-04-19"), strict=False):
        page.insert_text((place + 15, end + ROW - 6), text, fontname="helv", fontsize=10)
    assert {"C"} & set(read(made.tobytes())) == found


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize(("half", "found"), [(9.0, {"C"}), (16.0, set())])
def test_a_letter_is_read_within_a_triangle_that_goes_closely_round_it(half: float, found: set[str]) -> None:
    made = pymupdf.open(
        "pdf", table([("A", *CHANGES[0][1:]), ("B", *CHANGES[1][1:]), ("", "Slots wider", "2023-04-19")])
    )
    page, low = made[0], 300 + ROW * 4 - 2
    page.insert_text((76, low - 4), "C", fontname="helv", fontsize=8)
    page.draw_polyline([(79 - half, low), (79 + half, low), (79, low - 16), (79 - half, low)])
    assert {"C"} & set(read(made.tobytes())) == found


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize(
    ("label", "size", "value", "is_read"), [("SIZE", 5, "B", True), ("REV", 5, "C", True), ("25.4", 10, "O", False)]
)
def test_a_letter_under_its_label_in_one_cell_is_read(label: str, size: float, value: str, is_read: bool) -> None:
    """ASME Y14.1: the label in a corner of the cell, its value under it, higher. A ring under a size is none."""
    made = pymupdf.open()
    page = made.new_page(width=600, height=600)
    for number in range(6):
        page.insert_text((60, 60 + 20 * number), "MATERIAL OF THE HOUSING AND CONTACTS", fontname="helv", fontsize=10)
    page.draw_rect((300, 400, 340, 430))
    page.insert_text((302, 409), label, fontname="helv", fontsize=size)
    page.insert_text((315, 427), value, fontname="helv", fontsize=12)
    assert (value in read(made.tobytes())) == is_read


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize("dashes", ["-", "---"])
def test_dashes_alone_in_a_ruled_cell_are_read_as_one_text(dashes: str) -> None:
    rows = [("A", "First issue of the sheet", "2020-03-18"), ("B", dashes, "2021-05-07")]
    assert dashes in read(table(rows))


@pytest.mark.requirement("outlined.read")
def test_a_ring_under_a_size_is_no_letter_although_lines_are_around_it() -> None:
    made = pymupdf.open()
    page = made.new_page(width=600, height=600)
    for number in range(6):
        page.insert_text((60, 60 + 20 * number), "MATERIAL OF THE HOUSING AND CONTACTS", fontname="helv", fontsize=10)
    page.insert_text((205, 292), "25.4", fontname="helv", fontsize=10)
    page.draw_rect((200, 300, 230, 320))
    page.draw_line((200, 270), (200, 300))
    page.draw_line((230, 270), (230, 300))
    page.draw_circle((215, 310), 3.6)
    page.draw_circle((215, 310), 2.9)
    texts = read(made.tobytes())
    assert "25.4" in texts
    assert not {"0", "O", "o"} & set(texts)
