"""PDF: text that the page does not show."""

from __future__ import annotations

from typing import Any

import pytest

from tests.spatial.formats.pdf.test_reader import drawing, page

WHITE = (1.0, 1.0, 1.0)
GREY = (0.5, 0.5, 0.5)


def _seen(document: Any) -> dict[str, bool]:
    return {text.text: text.visible for text in drawing(document).sheets[0].texts}


def _box(sheet: Any, colour: tuple[float, float, float], opacity: float = 1.0) -> None:
    sheet.draw_rect((90, 85, 300, 110), color=None, fill=colour, fill_opacity=opacity)


@pytest.mark.requirement("pdf.unseen")
def test_text_under_a_white_fill_is_listed_as_invisible_and_named_in_a_warning() -> None:
    document, sheet = page()
    sheet.insert_text((100, 100), "TARNOW INSTRUMENTS")
    _box(sheet, WHITE)
    sheet.insert_text((100, 200), "BEARING COVER")
    read = drawing(document)
    assert {text.text: text.visible for text in read.sheets[0].texts} == {
        "TARNOW INSTRUMENTS": False,
        "BEARING COVER": True,
    }
    assert [warning for warning in read.warnings if "painted over" in warning] == [
        "page 1: 1 text is painted over, cut away or white on white, and not visible: 'TARNOW INSTRUMENTS'"
    ]


@pytest.mark.requirement("pdf.unseen", "pdf.hidden-layers")
def test_text_painted_over_is_listed_once_where_a_layer_is_off_too() -> None:
    document, sheet = page()
    off = document.add_ocg("CONSTRUCTION", on=False)
    sheet.insert_text((100, 200), "ON NO LAYER", oc=off)
    sheet.insert_text((100, 100), "TARNOW INSTRUMENTS")
    _box(sheet, WHITE)
    read = drawing(document)
    listed = sorted((text.text, text.visible) for text in read.sheets[0].texts)
    assert listed == [("ON NO LAYER", False), ("TARNOW INSTRUMENTS", False)]
    assert any("1 text lies on layers" in warning for warning in read.warnings)


@pytest.mark.requirement("pdf.unseen")
@pytest.mark.parametrize("how", ["painted before", "half transparent", "clipped away", "outlined by a hole"])
def test_text_that_a_white_fill_leaves_is_seen(how: str) -> None:
    document, sheet = page()
    if how == "painted before":
        _box(sheet, WHITE)
    sheet.insert_text((100, 100), "TARNOW INSTRUMENTS")
    if how == "half transparent":
        _box(sheet, WHITE, 0.4)
    elif how == "clipped away":
        _content(document, sheet, b"q 400 400 50 50 re W n 1 1 1 rg 0 0 842 595 re f Q")
    elif how == "outlined by a hole":
        shape: Any = sheet.new_shape()
        shape.draw_rect((20, 20, 400, 200))
        shape.draw_rect((80, 80, 320, 120))
        shape.finish(color=None, fill=WHITE, even_odd=True)
        shape.commit()
    assert _seen(document) == {"TARNOW INSTRUMENTS": True}


@pytest.mark.requirement("pdf.unseen")
@pytest.mark.parametrize("on_grey", [True, False])
def test_white_text_is_seen_on_a_ground_that_is_not_white_alone(on_grey: bool) -> None:
    document, sheet = page()
    if on_grey:
        _box(sheet, GREY)
    sheet.insert_text((100, 100), "TARNOW INSTRUMENTS", color=WHITE)
    sheet.insert_text((100, 200), "BEARING COVER")
    assert _seen(document) == {"TARNOW INSTRUMENTS": on_grey, "BEARING COVER": True}


@pytest.mark.requirement("pdf.unseen")
@pytest.mark.parametrize("rotation", [0, 90, 270])
def test_what_a_clipping_path_cuts_away_is_not_seen_on_turned_pages_too(rotation: int) -> None:
    document, sheet = page()
    sheet.insert_text((100, 100), "CUT AWAY")
    sheet.clean_contents()
    (xref,) = sheet.get_contents()
    shown = document.xref_stream(xref)
    document.update_stream(xref, b"q 400 100 300 300 re W n " + shown + b" Q")
    sheet.insert_text((500, 300), "KEPT")
    sheet.set_rotation(rotation)
    assert _seen(document) == {"CUT AWAY": False, "KEPT": True}


def _content(document: Any, sheet: Any, operators: bytes) -> None:
    """Append operators to the content of a page."""
    sheet.clean_contents()
    (xref,) = sheet.get_contents()
    document.update_stream(xref, document.xref_stream(xref) + b"\n" + operators)


@pytest.mark.requirement("pdf.unseen")
@pytest.mark.parametrize("proven", [True, False])
def test_what_a_clipping_path_cuts_away_is_not_seen_where_other_lettering_stands_in_its_place(proven: bool) -> None:
    document, sheet = page()
    sheet.insert_text((100, 100), "CUT AWAY")
    for row in range(3 if proven else 0):
        sheet.insert_text((100, 140 + 20 * row), f"CUT {row}")
    sheet.clean_contents()
    (xref,) = sheet.get_contents()
    shown = document.xref_stream(xref)
    document.update_stream(xref, b"q 400 100 300 300 re W n " + shown + b" Q")
    sheet.insert_text((100, 101), "STANDS OVER IT")
    assert _seen(document)["STANDS OVER IT"]
    assert _seen(document)["CUT AWAY"] != proven


@pytest.mark.requirement("pdf.unseen")
@pytest.mark.parametrize(
    ("how", "left"),
    [("whole", 0), ("before", 3), ("in part", 1), ("half transparent", 3), ("clipped away", 3)],
)
def test_what_is_drawn_wholly_under_a_white_fill_is_an_entity_but_neither_a_stroke_nor_a_fill(
    how: str, left: int
) -> None:
    document, sheet = page()
    if how == "before":
        _box(sheet, WHITE)
    sheet.draw_line((100, 95), (320 if how == "in part" else 200, 95))
    sheet.draw_circle((220, 97), 5)
    sheet.draw_rect((240, 92, 250, 102), color=None, fill=(0.0, 0.0, 0.0))
    if how == "clipped away":
        _content(document, sheet, b"q 400 400 50 50 re W n 1 1 1 rg 0 0 842 595 re f Q")
    elif how != "before":
        _box(sheet, WHITE, 0.4 if how == "half transparent" else 1.0)
    read = drawing(document)
    shown = read.sheets[0]
    assert len(shown.strokes.ends) + len(shown.arcs.circles) + len(shown.fills) == left
    assert len(read.entities) == 4


@pytest.mark.requirement("pdf.unseen")
def test_a_line_along_the_edge_of_a_white_fill_is_seen() -> None:
    document, sheet = page()
    sheet.draw_line((100, 110), (200, 110), width=0.5)
    _box(sheet, WHITE)
    assert len(drawing(document).sheets[0].strokes.ends) == 1


@pytest.mark.requirement("pdf.unseen")
def test_what_is_drawn_on_a_white_fill_is_seen_and_what_is_under_it_there_is_not_told() -> None:
    document, sheet = page()
    sheet.draw_line((100, 95), (200, 95))
    _box(sheet, WHITE)
    sheet.draw_line((150, 90), (150, 105))
    assert len(drawing(document).sheets[0].strokes.ends) == 2


@pytest.mark.requirement("pdf.unseen")
@pytest.mark.parametrize("on_grey", [False, True])
def test_white_lines_are_geometry_where_they_are_seen_on_something_dark_alone(on_grey: bool) -> None:
    document, sheet = page()
    if on_grey:
        sheet.draw_rect((90, 85, 300, 185), color=None, fill=GREY)
    sheet.draw_rect((100, 100, 280, 140), color=WHITE, width=2)
    sheet.draw_line((100, 160), (280, 160), color=WHITE, width=0.4)
    sheet.draw_line((150, 90), (150, 180), color=(0.0, 0.0, 0.0), width=0.7)
    read = drawing(document)
    black = [ends for ends in read.sheets[0].strokes.ends.tolist() if ends[0] == ends[2] == 150]
    assert len(black) == 1 and len(read.sheets[0].strokes.ends) == (6 if on_grey else 1)
    assert read.entity_counts["line"] == 2 and read.entity_counts["rectangle"] == 1
