"""Which step lost a fact, on written documents."""

from __future__ import annotations

import csv
import json
from itertools import chain
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from benchmarks.losses import CAUSES, ELEMENTS, Fact, by_cause, causes, of_sheet, step, tables, texts_of
from tests.accuracy.board import HELD_OUT, REAL, Known, labelled, structure
from tests.accuracy.kinds_of_lettering import PICTURE, lettering

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

    lost, _ = tables([Known("lettered.pdf", lettered, hole), Known("scanned.pdf", scanned, hole)])

    row = dict(zip(lost.headings, next(row for row in lost.rows if row[0] == "callouts"), strict=True))
    assert (row["text sheets"], row["picture sheets"], row["without pictures"], row["% of its facts"]) == (
        "1",
        "1",
        "1",
        "100.00",
    )


def test_what_is_lost_and_wrong_is_counted_by_cause(tmp_path: Path) -> None:
    """Two holes are lost, one of them looked at; a note is wrong."""
    file = tmp_path / "causes.csv"
    file.write_text("element,sheet,kind,fact,cause\ncallouts,a.pdf,lost,Ø12 THRU,a line crosses the sign\n", "utf-8")
    holes = {"file": "a.pdf", "callouts": [{"type": "hole", "text": text} for text in ("Ø12 THRU", "Ø5 THRU")]}
    said = document("MADE OF STEEL", drawing_metadata={"notes": {"items": [{"number": None, "text": "MADE OF STEEL"}]}})

    found = by_cause([of_sheet(Known("a.pdf", b"", holes), said)], causes(file))

    assert found.rows == [
        ("callouts", "a line crosses the sign", "1", "0", "50.00"),
        ("callouts", "not looked at", "1", "0", "50.00"),
        ("notes", "not looked at", "0", "1", "0.00"),
    ]


def test_each_cause_is_of_a_labelled_sheet_and_an_element() -> None:
    with CAUSES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    sheets = {
        json.loads(label.read_text("utf-8"))["file"]
        for folder in (REAL, HELD_OUT)
        for label in folder.glob("*.truth.json")
    }
    assert rows[0] == [*Fact._fields[:3], "fact", "cause"]
    assert not [row for row in rows[1:] if row[0] not in ELEMENTS or row[1] not in sheets]
    assert not [row for row in rows[1:] if row[2] not in {"lost", "wrong"} or not row[3].strip() or not row[4].strip()]
    assert len({tuple(row[:4]) for row in rows}) == len(rows) == len(causes()) + 1


def test_nothing_is_lost_without_a_cause_on_the_sheets_of_the_repository() -> None:
    """A fact that was read before and is lost now is to be mended, or looked at and given its cause."""
    known = causes()
    read = [
        of_sheet(sheet, structure(sheet.data, sheet.name))
        for sheet in chain(labelled(REAL, fetched=False), labelled(HELD_OUT))
    ]
    facts = [
        Fact(element, each.sheet, kind, text)
        for each in read
        if each.lettering != PICTURE
        for kind, found in (("lost", each.lost), ("wrong", each.wrong))
        for element, text in found
        if element in ELEMENTS
    ]
    assert [each for each in facts if each not in known] == []


def test_elements_that_a_label_does_not_speak_of_are_not_lost() -> None:
    hole = {"callouts": [{"type": "hole", "text": "Ø12 THRU"}], "notes": [{"text": "PAINT ALL SIDES"}]}
    with pymupdf.open() as pdf:
        pdf.new_page().insert_text((72, 72), "MADE OF STEEL", fontsize=12)
        lettered = pdf.tobytes()
    for only, names in (({}, {"callouts", "notes"}), ({"labelled": ["notes"]}, {"notes"})):
        lost, _ = tables([Known("lettered.pdf", lettered, hole | only)])
        assert {row[0] for row in lost.rows} == names
