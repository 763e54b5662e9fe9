"""Fonts that say little: codes only in the font program, no widths, glyphs on a grid; and witness lines through a size."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial.formats.pdf import fonts as pdffonts
from spatial.formats.pdf import glyphs, lettering, reader
from spatial.formats.pdf.cmap import full_name, symbol_codes


def program(pairs: dict[int, int], platform: tuple[int, int] = (3, 0)) -> bytes:
    """A TrueType program of nothing but a table of characters, format 4, a segment a code."""
    codes = [*sorted(pairs), 0xFFFF]
    deltas = [(pairs.get(code, 0) - code) & 0xFFFF for code in codes]
    count = len(codes)
    body = struct.pack(f">{count}H", *codes) + b"\0\0" + struct.pack(f">{count}H", *codes)
    body += struct.pack(f">{count}H", *deltas) + bytes(2 * count)
    table = struct.pack(">HHHHHHH", 4, 14 + len(body), 0, 2 * count, 0, 0, 0) + body
    cmap = struct.pack(">HHHHI", 0, 1, *platform, 12) + table
    return struct.pack(">IHHHH", 0x10000, 1, 0, 0, 0) + struct.pack(">4sIII", b"cmap", 0, 28, len(cmap)) + cmap


def texts(document: Any) -> list[str]:
    return [text.text for text in reader.read(document.tobytes(), "sheet.pdf").sheets[0].texts]


@pytest.mark.requirement("pdf.mended")
def test_the_program_of_a_symbol_font_says_its_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = {0xF06E: 80, 0xF060: 66, 0xF06A: 76, 0xF0A2: 106}
    assert symbol_codes(program(codes)) == {80: 0xF06E, 66: 0xF060, 76: 0xF06A, 106: 0xF0A2}
    assert symbol_codes(program(codes, platform=(1, 0))) == {}
    monkeypatch.setattr(pdffonts.Fonts, "_buffer", lambda self, name: program(codes))
    fonts = pdffonts.Fonts(pymupdf.open())
    assert [fonts.sign("AIGDT", pdffonts.UNKNOWN, glyph)[0] for glyph in (80, 66, 76, 106)] == ["⌀", "±", "⌖", "↗"]
    assert fonts.sign("AIGDT", pdffonts.UNKNOWN, 12)[0] == "\ufffd"


@pytest.mark.requirement("pdf.damaged")
@given(st.integers(0, 90), st.binary(max_size=60))
def test_a_damaged_program_says_what_it_can(kept: int, damage: bytes) -> None:
    whole = program({0xF06E: 80, 0xF060: 66})
    assert isinstance(symbol_codes(whole[:kept] + damage + whole[kept + len(damage) :]), dict)


@pytest.mark.requirement("pdf.lines")
def test_a_font_without_widths_has_those_of_its_pitch() -> None:
    origin = np.array([[0.0, 0.0], [6.0, 0.0], [12.0, 0.0], [24.0, 0.0], [30.0, 0.0]])
    fonts = np.array(["Mono"] * 5)
    direction, size = np.tile([1.0, 0.0], (5, 1)), np.full(5, 10.0)
    assert glyphs._widths(np.zeros(5), origin, direction, size, fonts).tolist() == [6.0] * 5
    known = np.array([5.0, 0.0, 5.0, 5.0, 5.0])
    assert glyphs._widths(known.copy(), origin, direction, size, fonts).tolist() == known.tolist()


@pytest.mark.requirement("pdf.lines")
def test_glyphs_on_a_grid_are_apart_only_where_a_step_is_left_out() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    for place, sign in enumerate("M20x1,5-LH"):
        sheet.insert_text((100 + 7.4 * place, 100), sign, fontsize=10)
    assert texts(document) == ["M20x1,5-LH"]
    assert lettering._step([0.0, 5.0, 10.0, 17.5]) == 0.0


@pytest.mark.requirement("pdf.lines")
def test_a_witness_line_through_a_size_does_not_part_it() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    sheet.insert_text((100, 100), "116.5", fontsize=10)
    x = 100 + pymupdf.get_text_length("116.", fontsize=10)
    sheet.draw_line((x, 50), (x, 200))
    assert texts(document) == ["116.5"]


def naming(name: str) -> bytes:
    """A TrueType program of nothing but its name."""
    written = name.encode("utf-16-be")
    table = struct.pack(">HHH6H", 0, 1, 18, 3, 1, 1033, 4, len(written), 0) + written
    return struct.pack(">IHHHH", 0x10000, 1, 0, 0, 0) + struct.pack(">4sIII", b"name", 0, 28, len(table)) + table


@pytest.mark.requirement("pdf.lines")
def test_signs_of_a_font_that_the_file_does_not_hold_are_as_wide_as_the_file_says() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 100), "SPLICED CONDUCTIVE RING CACAO", fontsize=10)
    [font] = [xref for xref, extension, *_ in page.get_fonts() if extension == "n/a"]
    widths = [round(1000 * pymupdf.get_text_length(chr(code), fontsize=1)) for code in range(32, 127)]
    widths[ord("C") - 32] += 250
    document.xref_set_key(font, "FirstChar", "32")
    document.xref_set_key(font, "LastChar", "126")
    document.xref_set_key(font, "Widths", f"[{' '.join(map(str, widths))}]")
    assert texts(document) == ["SPLICED CONDUCTIVE RING CACAO"]


@pytest.mark.requirement("pdf.mended")
def test_a_renamed_symbol_font_is_known_by_its_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdffonts.Fonts, "_buffer", lambda self, name: naming("AIGDT"))
    fonts = pdffonts.Fonts(pymupdf.open())
    assert [fonts.sign("CIDFont+F2", ord(sign), 3)[0] for sign in "nvx"] == ["⌀", "⌴", "↧"]
    assert fonts.sign("Arial", ord("n"), 3) == ("n", None)


@pytest.mark.requirement("pdf.damaged")
@pytest.mark.parametrize("kept", range(0, 60, 7))
def test_a_program_cut_short_has_the_beginning_of_its_name_or_none(kept: int) -> None:
    assert "AIGDT".startswith(full_name(naming("AIGDT")[:kept]).rstrip("\ufffd"))


@pytest.mark.requirement("siege.found")
def test_half_of_a_surrogate_pair_is_no_letter() -> None:
    fonts = pdffonts.Fonts(pymupdf.open())
    assert fonts.sign("Arial", 0xDE00, 3) == ("\ufffd", "unknown characters")


@pytest.mark.requirement("pdf.mended")
@pytest.mark.parametrize(
    ("written", "read"),
    [("14\x01#\x020.05", "14 ± 0.05"), ("45\x01$\x02", "45 °"), ("\x01n\x028", "⌀ 8"), ("14#0", "14#0")],
)
def test_codes_between_those_that_switch_to_special_symbols_are_signs(written: str, read: str) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 50), written, fontname="cour", render_mode=3)
    for x in range(45, 120, 3):
        page.draw_line((x, 44), (x + 1, 50))
    assert texts(document) == [read]


@pytest.mark.requirement("pdf.mended")
@pytest.mark.parametrize("filled", [True, False])
def test_invisible_lettering_over_filled_letters_is_seen(filled: bool) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 50), "TITLE", fontsize=10, render_mode=3)
    page.insert_text((50, 200), "A line of visible lettering on the page", fontsize=10)
    if filled:
        page.draw_rect((51, 43, 53, 50), color=None, fill=(0, 0, 0))
    (hidden,) = (text for text in reader.read(document.tobytes(), "sheet.pdf").sheets[0].texts if text.text == "TITLE")
    assert hidden.visible == filled


@pytest.mark.requirement("pdf.mended")
@pytest.mark.parametrize("drawn", [True, False])
def test_invisible_lettering_over_letters_of_arcs_alone_is_seen(drawn: bool) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((50, 50), "OO", fontsize=10, render_mode=3)
    page.insert_text((50, 200), "A line of visible lettering on the page", fontsize=10)
    for x in (54, 62) if drawn else ():
        page.draw_circle((x, 46.5), 3.5)
    (hidden,) = (text for text in reader.read(document.tobytes(), "sheet.pdf").sheets[0].texts if text.text == "OO")
    assert hidden.visible == drawn
