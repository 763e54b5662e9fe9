"""What is no part of a note though it stands beside or under it: captions in larger lettering, numbers of products."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, note_texts


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize("heading", ["NOTE:", "NOTES:"])
def test_a_caption_in_larger_lettering_beside_a_heading_or_a_note_is_no_part_of_it(heading: str) -> None:
    form = Form()
    form.text(30, 100, heading, 2.5)
    form.text(56, 100, "(RAISED ZONE)", 3.2)
    form.text(30, 95, "1. CTF MARKS WHAT MUST BE MEASURED", 2.5)
    form.text(108, 95, "(RAISED ZONE)", 3.2)
    form.text(30, 90, "2. HANDLE THE PART WITH CARE", 2.5)
    assert note_texts(form) == ["CTF MARKS WHAT MUST BE MEASURED", "HANDLE THE PART WITH CARE"]


@pytest.mark.requirement("notes.headings")
def test_a_sentence_in_one_lettering_behind_its_heading_is_a_note() -> None:
    form = Form()
    form.text(30, 100, "NOTE:", 2.5)
    form.text(52, 100, "WELD ALL ROUND THE FLANGE", 2.5)
    assert note_texts(form) == ["WELD ALL ROUND THE FLANGE"]


@pytest.mark.requirement("notes.names")
@pytest.mark.parametrize(
    ("under", "is_read"),
    [(["APLMK SZH002-05", "APLSC SZH003-05"], False), (["for the wires of", "this row"], True)],
    ids=["numbers", "words"],
)
def test_numbers_of_products_under_a_name_make_no_sentence_of_it(under: list[str], is_read: bool) -> None:
    form = Form()
    form.lines(30, 100, ["Crimp applicator with its dies and guide", *under], 2.5, 1.6)
    assert bool(note_texts(form)) is is_read


_OWNED = [
    "THIS SHEET IS SOLELY THE PROPERTY OF TARN WORKS INTERNATIONAL AND OF ITS BRANCHES IN THE NORTH",
    "WHAT IT CONTAINS IS NOT TO BE DISCLOSED, REPRODUCED OR COPIED IN WHOLE",
    "OR PART WITHOUT WRITTEN APPROVAL FROM THE WORKS.",
]
_LATE = [
    "THE DRAWING AND ALL THAT IT SHOWS WAS MADE BY THE OFFICE OF TARN WORKS FOR ITS OWN CUSTOMERS IN ITS OWN PLANTS",
    "AND FOR NOBODY ELSE, AND NO COPY OF IT MAY BE LEFT TO OTHERS WITHOUT",
    "PERMISSION OF THE WORKS WHILE THE CONTRACT HOLDS.",
]


@pytest.mark.requirement("notes.notices")
@pytest.mark.parametrize(
    "lines", [_OWNED, _LATE, ["Copyright \u00a9 by Tarnsoft, GmbH"]], ids=["owned", "late", "no year"]
)
def test_a_notice_in_capitals_and_a_copyright_without_a_year_are_notes_in_a_cell(lines: list[str]) -> None:
    form = Form()
    form.box((28, 80, 330, 112))
    form.box((330, 80, 400, 112))
    form.lines(30, 105, lines, 2.5, 1.6)
    assert note_texts(form) == [" ".join(lines)]
