"""Which step lost a fact, on written documents."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from benchmarks.losses import step, table, texts_of
from tests.accuracy.board import Known
from tests.accuracy.kinds_of_lettering import lettering

pytestmark = pytest.mark.requirement("drawing-accuracy.losses")


def document(*texts: str, drawn: int = 0, **members: Any) -> dict[str, Any]:
    """A structure with texts, the first `drawn` of which were read from outlines."""
    mended = [{"mended": ["read from outlines"]} if place < drawn else {} for place in range(len(texts))]
    return {"annotations": [{"text": text} | more for text, more in zip(texts, mended, strict=True)], **members}


@pytest.mark.parametrize(
    ("printed", "texts", "lost"),
    [
        ("Ø12 H7", ["%%c12 H7"], "understanding"),
        ("BRACKET", ["TITLE\nBRACKET"], "understanding"),
        ("Ø12 H7", ["2X Ø12 H7 THRU"], "within a text"),
        ("REMOVE ALL BURRS", ["REMOVE ALL", "BURRS"], "in pieces"),
        ("M8x1.25", ["M8", "x1.25"], "in pieces"),
        ("STEEL 1.0038", ["STEE1 1.OO38"], "misread"),
        ("STEEL 1.0038", ["BRACKET", "7"], "not read"),
        ("A", ["B"], "not read"),
    ],
)
def test_a_fact_is_lost_at_the_last_step_that_had_it(printed: str, texts: list[str], lost: str) -> None:
    assert step(printed, texts_of(document(*texts))) == lost


def test_the_text_of_a_dimension_counts_as_read() -> None:
    assert step("25 ±0.1", texts_of(document(dimensions=[{"text": "25±0,1"}]))) == "understanding"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (document("A", "B"), "text"),
        (document("A", "B", drawn=1), "text and drawn"),
        (document("A", "B", drawn=2), "drawn"),
        (document("Made with a student version", native_counts={"image": 2, "fill": 4}), "picture"),
        (document("A", native_counts={"image": 1, "line": 200}), "text"),
        (document(native_counts={"line": 1}), "drawn"),
    ],
)
def test_sheets_are_told_by_their_lettering(said: dict[str, Any], kind: str) -> None:
    assert lettering(said) == kind


def test_what_stands_in_a_picture_is_counted_apart() -> None:
    """The same hole, lost on two sheets: one is the picture of a page, the other says something else in text."""
    hole = {"callouts": [{"type": "hole", "text": "Ø12 THRU"}]}
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_text((72, 72), "MADE OF STEEL", fontsize=12)
        lettered = pdf.tobytes()
        pixels = page.get_pixmap(dpi=50).tobytes("png")
    with pymupdf.open() as pdf:
        page = pdf.new_page()
        page.insert_image(page.rect, stream=pixels)
        scanned = pdf.tobytes()

    lost = table([Known("lettered.pdf", lettered, hole), Known("scanned.pdf", scanned, hole)])

    row = dict(zip(lost.headings, next(row for row in lost.rows if row[0] == "callouts"), strict=True))
    assert (row["text sheets"], row["picture sheets"], row["without pictures"], row["% of its facts"]) == (
        "1",
        "1",
        "1",
        "100.00",
    )


def test_elements_that_a_label_does_not_speak_of_are_not_lost() -> None:
    hole = {"callouts": [{"type": "hole", "text": "Ø12 THRU"}], "notes": [{"text": "PAINT ALL SIDES"}]}
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((72, 72), "MADE OF STEEL", fontsize=12)
        lettered = pdf.tobytes()
    for labelled, names in (({}, {"callouts", "notes"}), ({"labelled": ["notes"]}, {"notes"})):
        lost = table([Known("lettered.pdf", lettered, hole | labelled)])
        assert {row[0] for row in lost.rows} == names
