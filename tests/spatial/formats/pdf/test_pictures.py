"""PDF: what an opaque picture hides that is painted later."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from spatial.formats.pdf import images
from tests.spatial.formats.pdf.test_reader import drawing, page

STAMP = (90, 85, 300, 110)
SEEN = {"TARNOW INSTRUMENTS": True, "BEARING COVER": True}


def _pixels(opacities: bytes = b"") -> bytes:
    """opacities: of the 384 pixels; none of a picture without a mask."""
    picture: Any = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 48, 8), bool(opacities))
    picture.clear_with(255)
    if opacities:
        picture.set_alpha(opacities, premultiply=0)
    written: bytes = picture.tobytes("png")
    return written


def _stamped(sheet: Any, box: tuple[float, float, float, float] = STAMP, *, opacities: bytes = b"") -> None:
    sheet.insert_image(box, stream=_pixels(opacities), keep_proportion=False)


def _lettered(sheet: Any) -> None:
    """A text and a line where the stamp goes, and a text beside it."""
    sheet.insert_text((100, 100), "TARNOW INSTRUMENTS")
    sheet.draw_line((100, 105), (200, 105))
    sheet.insert_text((100, 200), "BEARING COVER")


def _texts(read: Any) -> dict[str, bool]:
    return {text.text: text.visible for text in read.sheets[0].texts}


def _said(read: Any) -> list[str]:
    return [warning for warning in read.warnings if "picture" in warning]


@pytest.mark.requirement("pdf.pictured")
@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_what_lies_under_a_picture_is_not_read_and_the_picture_is_named(turned: int) -> None:
    document, sheet = page()
    _lettered(sheet)
    _stamped(sheet)
    sheet.set_rotation(turned)
    read = drawing(document)
    assert _texts(read) == SEEN | {"TARNOW INSTRUMENTS": False}
    assert len(read.sheets[0].strokes.ends) == 0
    (picture,) = [entity["id"] for entity in read.entities if entity["type"] == "image"]
    hidden = "page 1: 1 picture covers what is drawn beneath, which is not visible"
    advice = "look at the page there and type what it says, or send a PDF without it"
    assert _said(read) == [f"{hidden}; its lettering is pixels and was not read: {picture}; {advice}"]


@pytest.mark.requirement("pdf.pictured")
@pytest.mark.parametrize(
    ("before", "after"), [("B", "C"), ("2026-11-26", "2026-11-28"), ("1:2", "1:5"), ("1:2", "1:2")]
)
def test_what_is_typed_anew_over_a_picture_is_read_in_place_of_what_it_hides(before: str, after: str) -> None:
    document, sheet = page()
    _field(sheet, before)
    _stamped(sheet)
    _field(sheet, after)
    read = drawing(document)
    found = sorted((text.text, text.visible) for text in read.sheets[0].texts)
    hidden = [(before, False)] if before != after else []
    assert found == sorted([("REVISION", True), (after, True), *hidden])
    assert sum("painted over" in warning for warning in read.warnings) == len(hidden)


def _field(sheet: Any, value: str) -> None:
    """A label and its value where the stamp goes."""
    sheet.insert_text((95, 94), "REVISION", fontsize=6)
    sheet.insert_text((95, 107), value)


@pytest.mark.requirement("pdf.unseen")
@pytest.mark.parametrize(
    "how", ["half transparent", "multiplied", "overprinting", "clipped", "round", "all of the page"]
)
def test_what_a_fill_does_not_hide_surely_is_read_with_what_is_typed_over_it(how: str) -> None:
    document, sheet = page()
    _field(sheet, "B")
    sheet.insert_text((100, 200), "BEARING COVER")
    box = b"0 0 842 595 re" if how == "all of the page" else b"90 485 210 25 re"
    before = {
        "half transparent": b"/Half gs ",
        "multiplied": b"/Multiplied gs ",
        "overprinting": b"/Over gs ",
        "clipped": b"90 485 m 300 485 300 510 195 510 c 90 510 l W n ",
        "round": b"",
        "all of the page": b"",
    }[how]
    if how == "round":
        box = b"90 470 m 390 470 390 530 195 530 c 90 530 l h"
    _states(document, sheet)
    _add_content(document, sheet, b"q " + before + b".9 .1 .1 rg " + box + b" f Q")
    _field(sheet, "C")
    texts = {text.text for text in drawing(document).sheets[0].texts if text.visible}
    assert {"REVISION", "B", "C"} <= texts


def _add_content(document: Any, sheet: Any, operators: bytes) -> None:
    added = document.get_new_xref()
    document.update_object(added, "<<>>")
    document.update_stream(added, operators)
    streams = " ".join(f"{number} 0 R" for number in [*sheet.get_contents(), added])
    document.xref_set_key(sheet.xref, "Contents", f"[{streams}]")


@pytest.mark.requirement("pdf.pictured")
@pytest.mark.parametrize("how", ["opaque mask", "tiles", "row of tiles", "on a background", "beside two views"])
def test_a_picture_hides_what_is_under_it_however_it_is_built(how: str) -> None:
    document, sheet = page()
    if how == "on a background":
        _stamped(sheet, (0, 0, 842, 595))
    for left in (300, 310) if how == "beside two views" else ():
        _stamped(sheet, (left, 120, left + 500, 520))
    _lettered(sheet)
    if "tiles" in how:
        tiles = (
            [(90, 85, 150, 110), (150, 85, 300, 110)]
            if how == "row of tiles"
            else [(90, 85, 300, 96), (90, 96, 300, 110)]
        )
        for tile in tiles:
            _stamped(sheet, tile)
    else:
        _stamped(sheet, opacities=bytes([254] + [255] * 383) if how == "opaque mask" else b"")
    read = drawing(document)
    assert _texts(read) == SEEN | {"TARNOW INSTRUMENTS": False}
    assert len(read.sheets[0].strokes.ends) == 0
    (warning,) = [said for said in _said(read) if "beneath" in said]
    assert ("2 pictures cover" if "tiles" in how else "1 picture covers") in warning


@pytest.mark.requirement("pdf.pictured", "pdf.images")
def test_a_stamp_that_is_an_annotation_hides_what_is_under_it_and_is_listed() -> None:
    document, sheet = page()
    _lettered(sheet)
    sheet.add_stamp_annot(pymupdf.Rect(90, 80, 300, 115), stamp=_pixels())
    read = drawing(document)
    assert _texts(read) == SEEN | {"TARNOW INSTRUMENTS": False}
    assert [entity["type"] for entity in read.entities] == ["line", "image"] and len(_said(read)) == 1


@pytest.mark.requirement("pdf.pictured")
@pytest.mark.parametrize(
    "how",
    [
        "painted before",
        "mask",
        "mask with a hole",
        "scan",
        "half of the text",
        "turned",
        "half transparent",
        "round clip",
        "multiplied",
    ],
)
def test_what_a_picture_leaves_is_read(how: str) -> None:
    document, sheet = page()
    if how == "painted before":
        _stamped(sheet)
    _lettered(sheet)
    if how == "mask":
        _stamped(sheet, opacities=bytes([128] * 384))
    elif how == "mask with a hole":
        _stamped(sheet, opacities=bytes([0] + [255] * 383))
    elif how == "scan":
        for strip in range(7):
            _stamped(sheet, (0, 85 * strip, 842, 85 * strip + 85))
    elif how == "half of the text":
        _stamped(sheet, (90, 85, 150, 110))
    elif how != "painted before":
        _stamped(sheet)
        _wrapped(document, sheet, how)
    read = drawing(document)
    assert _texts(read) == SEEN
    assert len(read.sheets[0].strokes.ends) == 1 and not _said(read)


def _wrapped(document: Any, sheet: Any, how: str) -> None:
    """Put an operator before the one that paints the image."""
    before = {
        "turned": b"1 .05 -.05 1 24.9 -9.75 cm ",
        "half transparent": b"/Half gs ",
        "multiplied": b"/Multiplied gs ",
        "round clip": b"90 485 m 300 485 300 510 195 510 c 90 510 l W n ",
    }[how]
    _states(document, sheet)
    content = sheet.get_contents()[-1]
    document.update_stream(content, document.xref_stream(content).replace(b"q\n", b"q " + before, 1))


def _states(document: Any, sheet: Any) -> None:
    """Name graphics states in the resources of a page."""
    resources = int(document.xref_get_key(sheet.xref, "Resources")[1].split()[0])
    states = "<</Half<</ca .6>>/Multiplied<</BM/Multiply>>/Over<</op true/OP true>>>>"
    document.xref_set_key(resources, "ExtGState", states)


@pytest.mark.requirement("pdf.pictured")
def test_a_clipping_rectangle_leaves_what_lies_beside_it() -> None:
    document, sheet = page()
    _lettered(sheet)
    sheet.draw_line((220, 90), (280, 90))
    _stamped(sheet)
    content = sheet.get_contents()[-1]
    clipped = document.xref_stream(content).replace(b"q\n", b"q 90 480 120 40 re W n ", 1)
    document.update_stream(content, clipped)
    read = drawing(document)
    assert len(read.sheets[0].strokes.ends) == 1


@pytest.mark.requirement("pdf.pictured")
def test_a_white_ground_under_a_picture_is_nothing_that_it_covers() -> None:
    document, sheet = page()
    sheet.draw_rect((100, 90, 200, 100), color=None, fill=(1.0, 1.0, 1.0))
    sheet.insert_text((100, 200), "BEARING COVER")
    _stamped(sheet)
    assert not _said(drawing(document))


@pytest.mark.requirement("pdf.pictured")
def test_images_are_looked_for_once_and_once_for_what_clipping_paths_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    document, sheet = page()
    sheet.insert_text((100, 200), "BEARING COVER")
    _stamped(sheet)
    runs: list[Any] = []
    run = images.run_unturned

    def counted(*given: Any) -> None:
        runs.append(given)
        run(*given)

    monkeypatch.setattr(images, "run_unturned", counted)
    drawing(document)
    assert len(runs) == 2
