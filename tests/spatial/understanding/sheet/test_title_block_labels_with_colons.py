"""Title blocks whose labels stand in a column, each with a colon and its value in the cell behind it."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, fields_of, framed_form


def _column_of_labels(word: str) -> Form:
    """Three labels over each other, `word` the last one, over a row of a free cell, the title and another free cell."""
    form = framed_form()
    for row, (label, value) in enumerate((("DRAWN:", "D. Tarnow"), ("CHECKED:", "C. Blum"), (word, "KRF8-1.12"))):
        form.row(260, 60 - row * 6, 6, ((25, label), (65, value), (60, "14/06/2026" if row < 2 else "")))
    form.box((260, 30, 285, 48))
    form.text(264, 38, "2:1", 2.0)
    form.box((285, 30, 380, 48))
    form.text(318, 37, "Base Plate", 4.0)
    form.box((380, 30, 410, 48))
    form.text(386, 36, "1/1", 7.0)
    return form


@pytest.mark.requirement("title.typical")
def test_a_number_behind_a_label_of_an_unknown_word_is_the_value_of_that_label() -> None:
    fields = fields_of(_column_of_labels("KOHORT:"))
    assert (fields.get("title"), fields.get("scale"), fields.get("sheet")) == ("Base Plate", "2:1", "1/1")
    assert "drawing_number" not in fields


@pytest.mark.requirement("title.typical")
def test_a_number_with_no_label_before_it_is_the_drawings() -> None:
    assert fields_of(_column_of_labels("")).get("drawing_number") == "KRF8-1.12"
