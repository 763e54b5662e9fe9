"""Lettering that the file itself keeps whole: native dimensions, tolerances and paragraphs."""

from __future__ import annotations

import pytest

from spatial.models.sheet.drawing import Sheet, Text, TextKind
from spatial.understanding.sheet.lettering.labels import find_labels
from tests.spatial.lettered import HEIGHT, Board, read


def native(text: str, kind: TextKind) -> Sheet:
    sheet = Board().sheet()
    sheet.texts.append(Text("dimension-3", text, 1, (10, 10), 0, HEIGHT, 40, (10, 10, 50, 30), kind=kind))
    return sheet


@pytest.mark.requirement("lettering.native")
@pytest.mark.parametrize(
    ("text", "kind", "lines"),
    [
        ("Ø12 +0.2/-0.1", "dimension", [("Ø12 +0.2 -0.1",)]),
        ("1/2", "dimension", [("1/2",)]),
        ("Ø6 H7/k6", "dimension", [("Ø6 H7/k6",)]),
        ("Ø10.2/10.0", "dimension", [("Ø10.2", "10.0")]),
        ("4X Ø6.6 THRU\n⌴Ø11 ↧6", "dimension", [("4X Ø6.6 THRU", "⌴Ø11 ↧6")]),
        ("ONE\nTWO\n\nTHREE", "mtext", [("ONE", "TWO"), ("THREE",)]),
        ("⌖|Ø0.1|A\n⊥|0.2", "tolerance", [("⌖ Ø0.1 A",), ("⊥ 0.2",)]),
    ],
)
def test_native_texts_have_the_same_form(text: str, kind: TextKind, lines: list[tuple[str, ...]]) -> None:
    assert read(native(text, kind)) == lines


@pytest.mark.requirement("lettering.native")
def test_a_native_tolerance_has_cells() -> None:
    (label,) = find_labels(native("⌖|Ø0.1Ⓜ|A||", "tolerance"), frozenset(), [])
    assert (label.role, label.cells) == ("frame", ("⌖", "Ø0.1Ⓜ", "A"))
