"""Callouts whose signs or pieces stand elsewhere: in the dimension that has the text, in another direction, twice in one text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from spatial.models.sheet.drawing import Dimensioning
from spatial.understanding.sheet.callouts.context import Context, context_of
from spatial.understanding.sheet.callouts.extract import extract_callouts
from spatial.understanding.sheet.callouts.repeated import with_repeats_apart
from spatial.understanding.sheet.lettering.labels import find_labels
from tests.spatial.lettered import HEIGHT, Board
from tests.spatial.understanding.sheet.callouts.test_callouts import label

H = HEIGHT


def _read(text: str, measured: Literal["diameter", "radius"]) -> list[dict[str, Any]]:
    found = extract_callouts(replace(label(text, "dimension"), measured=measured), Context())
    return [each.model_dump(exclude_none=True) for each in found]


@pytest.mark.requirement("callouts.measured")
def test_a_native_diameter_or_radius_needs_no_sign() -> None:
    (hole,) = _read("26", "diameter")
    assert (hole["type"], hole["diameter"], hole["text"]) == ("hole", 26.0, "26")
    (radius,) = _read("4X 2,5", "radius")
    assert (radius["type"], radius["radius"], radius["quantity"]) == ("radius", 2.5, 4)
    (tolerance,) = _read("26 ±0.1", "diameter")
    assert (tolerance["type"], tolerance["diameter"]) == ("tolerance", 26.0)
    assert [each["type"] for each in _read("M8", "diameter")] == ["thread"]
    assert extract_callouts(label("26", "dimension"), Context()) == []


@pytest.mark.requirement("callouts.measured")
def test_a_label_of_a_sheet_has_what_its_native_dimension_measures() -> None:
    board = Board()
    board.text("26", 100, 100, kind="dimension")
    sheet = board.sheet()
    sheet.dimensions = [Dimensioning(sheet.texts[0].id, kind, 1, "26", 26.0, (100.0, 100.0)) for kind in ("diameter",)]
    (found,) = find_labels(sheet, frozenset(), [])
    assert found.measured == "diameter"
    sheet.dimensions = [replace(sheet.dimensions[0], type="linear")]
    (found,) = find_labels(sheet, frozenset(), [])
    assert found.measured is None


@pytest.mark.requirement("callouts.repeated")
def test_a_text_that_says_the_same_twice_is_two_labels_side_by_side() -> None:
    twice = label("Tapped M4 x 0.7 Tapped M4 x 0.7")
    left, right = with_repeats_apart([twice])
    assert left.text == right.text == "Tapped M4 x 0.7"
    assert left.box[2] == right.box[0] and left.position[0] < right.position[0]
    for text in ("12 12", "4X Ø8 4X R8", "Ø8 THRU"):
        assert with_repeats_apart([label(text)]) == [label(text)]


@pytest.mark.requirement("callouts.context")
def test_an_asterisk_that_is_read_from_left_to_right_marks_the_size_that_is_read_upwards() -> None:
    board = Board(90.0)
    end = board.text("45,2", 100, 100)
    x, y = board.at(end, 100 + 0.9 * H)
    board.angle = 0.0
    board.text("*", x - 0.3 * H, y - 0.3 * H, 0.8 * H)
    assert [each.text for each in find_labels(board.sheet(), frozenset(), [])] == ["45,2*"]
    (found,) = extract_callouts(label("45,2*", "dimension"), context_of(["* Размеры для справок."]))
    assert found.type == "reference_dimension"


@pytest.mark.requirement("callouts.context")
@pytest.mark.parametrize("note", ["1. Размеры для справок", "Размеры для справок.", "*Размеры для справок"])
def test_the_sentence_of_gost_2_307_says_what_an_asterisk_means_also_without_one(note: str) -> None:
    assert context_of([note]).marks == {"*": "reference"}
    assert context_of(["* Обеспечить инструментом", note]).marks["*"] == "Обеспечить инструментом"


@pytest.mark.requirement("callouts.context")
def test_an_asterisk_far_from_a_size_is_none_of_its() -> None:
    board = Board(90.0)
    end = board.text("45,2", 100, 100)
    x, y = board.at(end + 3 * H, 100 + 0.9 * H)
    board.angle = 0.0
    board.text("*", x, y, 0.8 * H)
    assert sorted(each.text for each in find_labels(board.sheet(), frozenset(), [])) == ["*", "45,2"]


@pytest.mark.requirement("lettering.apart")
def test_two_diameters_side_by_side_whose_signs_are_drawn_are_two_labels() -> None:
    board = Board()
    for x, text in ((100, "Ø"), (100 + H, "3.00"), (100 + 5 * H, "Ø"), (100 + 6 * H, "2.50")):
        board.text(text, x, 100)
    assert sorted(found.text for found in find_labels(board.sheet(), frozenset(), [])) == ["Ø2.50", "Ø3.00"]
