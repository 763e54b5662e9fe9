"""Invisible text that says only a part of the lettering it lies over: AutoCAD leaves out letters of other scripts and drawn signs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pymupdf as _pymupdf
import pytest

from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Array, Drawing, Text
from spatial.models.sheet.repairs import DRAWN, PARTIAL
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.layer_texts import merge_layer, unsaid
from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import cut, page

pymupdf: Any = _pymupdf
LINES = tuple(f"{number}7 GEARS M{number}" for number in range(1, 10))
PLACE, STEP = 60.0, 30.0


def with_layer(lines: tuple[str, ...], layer: tuple[str, ...], width: float = 1.0) -> bytes:
    """Lines printed as outlines, and what the invisible text over each of them says, set in a part of their width."""
    document = pymupdf.open("pdf", as_outlines(page(lines)))
    for number, words in enumerate(layer):
        place = pymupdf.Point(PLACE, PLACE + STEP * number)
        morph = (place, pymupdf.Matrix(width, 1.0))
        document[0].insert_text(place, words, fontname="helv", fontsize=9.0, render_mode=3, morph=morph)
    data: bytes = document.tobytes()
    return data


def texts(drawing: Drawing) -> list[str]:
    return sorted(text.text for text in drawing.sheets[0].texts)


@pytest.mark.requirement("pdf.partial-layer")
def test_text_of_a_layer_that_says_a_part_of_its_line_is_marked_where_the_rest_is_drawn() -> None:
    drawing = reader.read(with_layer(LINES, tuple(line[:2] for line in LINES)), "sheet.pdf")
    assert texts(drawing) == [f"{line[:2]}\ufffd" for line in LINES]
    assert all(PARTIAL in text.repairs for text in drawing.sheets[0].texts)


@pytest.mark.requirement("pdf.partial-layer")
def test_drawn_letters_under_the_blanks_of_a_text_are_unknown_characters_of_it() -> None:
    layer = tuple(f"{line[:2]}{' ' * 12}{line[-2:]}" for line in LINES)
    drawing = reader.read(with_layer(LINES, layer), "sheet.pdf")
    for text in texts(drawing):
        assert "\ufffd" in text[2:] and " " not in text.strip()


@pytest.mark.requirement("pdf.partial-layer")
def test_text_of_a_layer_that_says_all_that_is_drawn_stays_and_is_not_read_again() -> None:
    drawing = reader.read(with_layer(LINES, LINES), "sheet.pdf")
    assert texts(drawing) == texts(with_drawn_lettering(drawing)) == sorted(LINES)


@pytest.mark.requirement("pdf.partial-layer")
@pytest.mark.parametrize("width", [0.5, 0.75])
def test_text_of_a_layer_that_is_set_narrower_than_as_many_drawn_letters_says_all_of_them(width: float) -> None:
    lines = ("SPACERS", "Mica", "GEARS", "M16x35", "N.X.Quang", "HOUSING", "Screw")
    drawn = {text.text: text.width for text in reader.read(page(lines), "sheet.pdf").sheets[0].texts}
    drawing = reader.read(with_layer(lines, lines, width), "sheet.pdf")
    assert texts(drawing) == texts(with_drawn_lettering(drawing)) == sorted(lines)
    for text in drawing.sheets[0].texts:
        assert text.width == pytest.approx(drawn[text.text], rel=0.1)
        assert text.box[2] - text.box[0] == pytest.approx(text.width, rel=0.05)


@pytest.mark.requirement("pdf.partial-layer")
def test_narrow_text_of_a_layer_that_leaves_out_a_letter_is_marked() -> None:
    drawing = reader.read(with_layer(LINES, tuple(line[:-1] for line in LINES), 0.5), "sheet.pdf")
    assert all(PARTIAL in text.repairs and text.text.endswith("\ufffd") for text in drawing.sheets[0].texts)
    assert texts(with_drawn_lettering(drawing)) == sorted(LINES)


@pytest.mark.requirement("pdf.partial-layer")
def test_letters_of_few_corners_count_among_those_that_a_narrow_text_leaves_out() -> None:
    lines = tuple(f"GAS{letter}{number}" for number, letter in enumerate("ILTILTILT", 1))
    drawing = reader.read(with_layer(lines, tuple(line[:-1] for line in lines), 0.5), "sheet.pdf")
    assert all(text.text.endswith("\ufffd") for text in drawing.sheets[0].texts), texts(drawing)


@pytest.mark.requirement("outlined.partial-layer")
def test_lines_of_which_a_layer_says_a_part_are_read_from_what_is_drawn() -> None:
    drawing = reader.read(with_layer(LINES, tuple(line[:2] for line in LINES)), "sheet.pdf")
    assert texts(with_drawn_lettering(drawing)) == sorted(LINES)


def line(text: str, *repairs: str) -> Text:
    width = 6.0 * len(text)
    advances: Array = np.arange(len(text) + 1, dtype=np.float64) * 6.0
    box = (100.0, 100.0, 100.0 + width, 110.0)
    return Text("", text, 1, box[:2], 0.0, 10.0, width, box, advances=advances, repairs=repairs)


@pytest.mark.requirement("outlined.partial-layer")
@pytest.mark.parametrize(
    ("layer", "read", "merged"),
    [
        ("65\ufffd", "65±0,2", ["65±0,2"]),
        ("65\ufffd", "\ufffd5±0,2", ["65±0,2"]),
        ("\ufffd0,2", "65±O,2", ["65±0,2"]),
        ("65\ufffd", "66±0,2", ["65\ufffd"]),
        ("65\ufffd", "65", ["65\ufffd"]),
        ("\ufffd16\ufffd", "Д16Т или аналог", ["Д16Т или аналог"]),
    ],
)
def test_what_a_layer_says_is_certain_and_what_it_leaves_out_must_be_read(
    layer: str, read: str, merged: list[str]
) -> None:
    assert [text.text for text in merge_layer([line(layer, PARTIAL)], [line(read)])] == merged


@pytest.mark.requirement("pdf.facets")
def test_letters_of_triangles_that_are_filled_and_stroked_are_outlines_again() -> None:
    words = (
        "HEIL 17 EKMNWZ",
        "5735 LINKS 172",
        "ZWEIHUNDERT 55",
        "KNIE UND FUSS",
        "SINTERN 17",
        "GUMMIRINGE SIND WEICH",
    )
    whole = reader.read(as_outlines(page(words)), "sheet.pdf").sheets[0]
    document = pymupdf.open()
    sheet = document.new_page(width=600, height=600)
    shape = sheet.new_shape()
    for triangle in (part for _ in range(2) for fill in whole.fills if len(fill.points) > 3 for part in cut(fill)):
        shape.draw_polyline([(x, 600 - y) for x, y in triangle.points[:3].tolist()])
        shape.finish(fill=(0, 0, 0), color=(0, 0, 0), width=0.0003, closePath=True)
    shape.commit()
    sheet.insert_text((PLACE, PLACE), "17", render_mode=3)
    joined = reader.read(document.tobytes(), "sheet.pdf").sheets[0]
    assert len(joined.fills) == sum(len(fill.points) > 3 for fill in whole.fills)
    assert not len(joined.strokes.ends)


@pytest.mark.requirement("outlined.stroked-signs")
def test_a_sign_that_is_drawn_as_strokes_among_filled_digits_is_of_their_line() -> None:
    document = pymupdf.open("pdf", as_outlines(page(("65   0,2", "172 LINKS", "HEIL EKMNWZ 7"), size=14.0)))
    width = float(pymupdf.get_text_length("65", fontsize=14.0))
    left, top, base = PLACE + width + 1.0, PLACE - 10.0, PLACE
    middle = left + 5
    for y in (base, base - 5.5):
        document[0].draw_line((left, y), (left + 10, y), width=0.85)
    document[0].draw_line((middle, top), (middle, base - 1), width=0.85)
    read = with_drawn_lettering(reader.read(document.tobytes(), "sheet.pdf"))
    assert "65±0,2" in texts(read)


def placed(text: str, left: float, right: float, low: float, *repairs: str) -> Text:
    return Text(
        "annotation-1", text, 1, (left, low), 0.0, 3.0, right - left, (left, low, right, low + 3.6), repairs=repairs
    )


@pytest.mark.requirement("pdf.partial-layer")
def test_ends_of_drawn_letters_beyond_the_box_of_the_text_that_says_them_are_not_read_again() -> None:
    said = [placed("via screw terminal.", 0.0, 50.0, 10.0, DRAWN), placed("is used", 0.0, 20.0, 20.0)]
    ends = [placed("°nal.", 55.0, 62.0, 10.2), placed("⌒ °nal.", 52.0, 62.0, 10.2)]
    others = [
        placed("R12", 55.0, 62.0, 10.2),
        placed("°nal.", 80.0, 87.0, 10.2),
        placed("°nal.", 55.0, 62.0, 16.0),
        placed("used", 22.0, 30.0, 20.0),
    ]
    assert unsaid(said, ends + others) == others


@pytest.mark.requirement("pdf.partial-layer")
def test_pieces_of_the_letters_of_a_text_are_no_lines_within_its_box() -> None:
    said = [replace(placed("ООО", 0.0, 50.0, 10.0, DRAWN), height=17.0, box=(0.0, 10.0, 50.0, 27.0))]
    pieces = [placed("r r r", 2.0, 16.0, 20.0), placed("J J J", 2.0, 16.0, 12.0)]
    others = [placed("r r r", 2.0, 16.0, 25.0), placed("R12", 48.0, 60.0, 14.0)]
    assert unsaid(said, pieces + others) == others
    assert unsaid([placed("ООО", 0.0, 50.0, 10.0, DRAWN)], pieces[1:]) == pieces[1:], "as high as the text"
