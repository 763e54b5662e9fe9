"""Text that is set closer than its glyphs are wide, as AutoCAD lays it over drawn letters."""

from __future__ import annotations

from typing import Any

import pymupdf as _pymupdf
import pytest

from spatial.formats.pdf import reader

pymupdf: Any = _pymupdf
SIZE = 12.0
EQUAL = ("11", "222", "1100")


def set_closer(lines: tuple[str, ...], by: float, mode: int, scale: int = 100) -> bytes:
    """A page with lines in Helvetica in a text render mode, each glyph `by` points closer to the one before (ISO 32000-2 §9.3.2).

    scale: horizontally, in percent.
    """
    with pymupdf.open() as document:
        sheet = document.new_page()
        sheet.insert_text((50, 40), "DRAWN", fontname="helv", fontsize=SIZE)
        shown = [f"1 0 0 1 50 {700 - 30 * number} Tm ({line}) Tj" for number, line in enumerate(lines)]
        stream = f"BT /helv {SIZE} Tf {mode} Tr {scale} Tz {-by} Tc {' '.join(shown)} ET"
        document.update_stream(sheet.get_contents()[0], sheet.read_contents() + stream.encode())
        data: bytes = document.tobytes()
    return data


def texts(data: bytes) -> set[str]:
    return {text.text for text in reader.read(data, "sheet.pdf").sheets[0].texts}


@pytest.mark.requirement("pdf.lines")
@pytest.mark.parametrize("mode", [0, 3])
def test_a_blank_between_glyphs_that_overlap_is_kept(mode: int) -> None:
    lines = ("SPACER 14", "BUSH M3 x 20")
    assert texts(set_closer(lines, 0.2 * SIZE, mode)) == {"DRAWN", *lines}


@pytest.mark.requirement("pdf.mended")
def test_equal_digits_that_are_not_painted_are_no_bold_digit() -> None:
    assert texts(set_closer(EQUAL, 0.32 * SIZE, 3, 60)) == {"DRAWN", *EQUAL}


@pytest.mark.requirement("pdf.mended")
def test_a_sign_that_is_not_painted_and_shown_again_beside_its_place_is_one() -> None:
    with pymupdf.open() as document:
        sheet = document.new_page()
        sheet.insert_text((50, 40), "DRAWN", fontname="helv", fontsize=SIZE)
        for aside in (0.0, 0.1 * SIZE):
            sheet.insert_text((50 + aside, 90), "%", fontname="helv", fontsize=SIZE, render_mode=3)
        assert texts(document.tobytes()) == {"DRAWN", "%"}
        assert len(reader.read(document.tobytes(), "sheet.pdf").sheets[0].texts) == 2
