"""PDF: lines of lettering, their frame, what is repaired, and what is refused."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.errors import ParseError
from spatial.formats.pdf import fonts as pdffonts
from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Drawing, Text

AES_256 = 5
"""pymupdf.PDF_ENCRYPT_AES_256, which mypy does not see."""


def page(width: float = 842, height: float = 595) -> tuple[Any, Any]:
    """A new document and its page."""
    document: Any = pymupdf.open()
    return document, document.new_page(width=width, height=height)


def drawing(document: Any) -> Drawing:
    """What is read of a document."""
    return reader.read(document.tobytes(), "sheet.pdf")


def texts(document: Any) -> list[Text]:
    """Of its first page."""
    return drawing(document).sheets[0].texts


def sample() -> bytes:
    """A sheet with lines and lettering."""
    document, sheet = page()
    for number in range(20):
        sheet.insert_text((50, 50 + 20 * number), f"4X Ø{number} THRU")
        sheet.draw_line((50, 60 + 20 * number), (400, 60 + 20 * number))
    return bytes(document.tobytes())


@pytest.mark.requirement("pdf.lines")
def test_words_shown_one_by_one_are_one_line_and_far_ones_are_not() -> None:
    document, sheet = page()
    x = 100.0
    for word in ("GENERAL", "TOLERANCE", "0.1"):
        sheet.insert_text((x, 100), word, fontsize=10)
        x += pymupdf.get_text_length(word, fontsize=10) + 2.8
    sheet.insert_text((500, 100), "25", fontsize=10)
    assert [text.text for text in texts(document)] == ["GENERAL TOLERANCE 0.1", "25"]


@pytest.mark.requirement("pdf.lines")
def test_ruled_line_between_cells_keeps_them_apart() -> None:
    document, sheet = page()
    sheet.insert_text((100, 100), "REV", fontsize=10)
    edge = 100 + pymupdf.get_text_length("REV", fontsize=10) + 1.5
    sheet.draw_line((edge, 80), (edge, 110))
    sheet.insert_text((edge + 1.5, 100), "DATE", fontsize=10)
    assert [text.text for text in texts(document)] == ["REV", "DATE"]


@pytest.mark.requirement("pdf.frame")
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_rotated_page_is_read_as_displayed(rotation: int) -> None:
    document, sheet = page()
    sheet.insert_text((100, 200), "M8", fontsize=10)
    sheet.set_rotation(rotation)
    (text,) = texts(document)
    expected = {0: (100, 395), 90: (642, 395 + 347), 180: (742, 200), 270: (200, 100)}
    if rotation == 90:  # displayed 595 wide, 842 high: the old top is at the right
        expected[90] = (595 - 200, 842 - 100)
    assert text.origin == pytest.approx(expected[rotation], abs=0.1)
    assert text.angle == pytest.approx((-rotation) % 360)


@pytest.mark.requirement("pdf.lines")
@pytest.mark.parametrize("angle", [90, 180, 270])
def test_turned_lettering_reads_along_its_own_direction(angle: int) -> None:
    document, sheet = page()
    sheet.insert_text((400, 300), "12 ±0.1", fontsize=10, rotate=angle)
    (text,) = texts(document)
    assert (text.text, round(text.angle)) == ("12 ±0.1", angle)


@pytest.mark.requirement("pdf.mended")
def test_glyphs_painted_twice_are_read_once() -> None:
    document, sheet = page()
    for _ in range(2):
        sheet.insert_text((100, 100), "TITLE", fontsize=10)
    (text,) = texts(document)
    assert (text.text, text.repairs) == ("TITLE", ("doubled glyphs",))


@pytest.mark.requirement("pdf.mended")
def test_symbol_fonts_say_their_signs_and_unknown_ones_nothing() -> None:
    fonts = pdffonts.Fonts(page()[0])
    fonts.learn(
        [("AIGDT", "n"), ("AIGDT", "jw"), ("CAD GDT Symbols", "Redondeos no acotados"), ("CAD GDT Symbols", "Hoja 1")]
    )
    assert fonts.sign("AIGDT", ord("n"), 1)[0] == "⌀"
    assert fonts.sign("CAD GDT Symbols", ord("n"), 1) == ("n", None), "a font that writes words is one of letters"
    assert fonts.sign("AMGDT", 0xF000 + ord("x"), 1)[0] == "↧"
    assert fonts.sign("Symbol", 0xF0B1, 1)[0] == "±"
    assert fonts.sign("SymbolMT", 0xF0C6, 1)[0] == fonts.sign("Symbol,Bold", ord("Æ"), 1)[0] == "∅"
    assert fonts.sign("Symbol", ord("×"), 1) == ("×", None)
    assert [fonts.sign("Symbol_A,Italic", 0xF0C7, 1)[0], fonts.sign("Symbol type B", 0xF0C5, 1)[0]] == ["⌀", "°"]
    assert fonts.sign("SymboltypeA", ord("Ç"), 1)[0] == "⌀" and fonts.sign("Symbol_A", 0xF0E0, 1)[0] == "Ⓜ"
    assert fonts.sign("Symbol_A", 0xF0D8, 1) == ("\ufffd", "unknown characters"), "its codes are not those of Symbol"
    assert fonts.sign("Arial", ord("Æ"), 1) == ("Æ", None)
    assert fonts.sign("Strange", 0xE123, 1) == ("\ufffd", "unknown characters")


@pytest.mark.requirement("pdf.mended")
def test_codes_of_a_symbol_font_of_letters_are_bytes_of_the_code_page_of_western_europe() -> None:
    fonts = pdffonts.Fonts(page()[0])
    assert [fonts.sign("Technic", code, 1) for code in (0xF041, 0xF0A3, 0xF0B0, 0xF0D8)] == [
        (sign, "symbol font") for sign in "A£°Ø"
    ]
    unknown = ("\ufffd", "unknown characters")
    assert [fonts.sign("Technic", code, 1) for code in (0xF081, 0xF0A0, 0xF0AD)] == [unknown] * 3, "nothing is printed"
    assert fonts.sign("Wingdings", 0xF0A3, 1) == fonts.sign("AIGDT", 0xF0C1, 1) == unknown


def _cover(sheet: Any) -> None:
    """An image over all of a sheet."""
    image: Any = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 80, 60), False)
    image.clear_with(200)
    sheet.insert_image(sheet.rect, pixmap=image, keep_proportion=False)


@pytest.mark.requirement("pdf.text-layer")
def test_invisible_text_over_a_scan_is_left_out() -> None:
    document, sheet = page()
    _cover(sheet)
    sheet.insert_text((100, 100), "WORDS THAT A MACHINE SAW IN THE IMAGE", render_mode=3)
    result = drawing(document)
    assert (result.sheets[0].text_layer, result.sheets[0].texts) == ("raster", [])
    assert "image" in result.warnings[0]


@pytest.mark.requirement("pdf.refused")
def test_encrypted_file_is_refused_by_name() -> None:
    document, _ = page()
    data = document.tobytes(encryption=AES_256, user_pw="a", owner_pw="b")
    with pytest.raises(ParseError, match=r"sheet\.pdf.*encrypted.*password"):
        reader.read(data, "sheet.pdf")


@pytest.mark.requirement("pdf.refused")
def test_owner_password_alone_does_not_lock() -> None:
    document, sheet = page()
    sheet.insert_text((100, 100), "OPEN")
    data = document.tobytes(encryption=AES_256, user_pw="", owner_pw="b")
    assert [text.text for text in reader.read(data, "sheet.pdf").sheets[0].texts] == ["OPEN"]


@pytest.mark.requirement("pdf.damaged")
@pytest.mark.parametrize("tenth", range(10))
def test_truncated_file_is_a_drawing_or_a_parse_error(tenth: int) -> None:
    data = sample()
    try:
        result = reader.read(data[: len(data) * tenth // 10], "sheet.pdf")
    except ParseError:
        return
    assert result.warnings


@pytest.mark.requirement("pdf.damaged")
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=20))
def test_flipped_bytes_are_a_drawing_or_a_parse_error(flips: list[tuple[int, int]]) -> None:
    data = bytearray(sample())
    for place, value in flips:
        data[place % len(data)] = value
    try:
        result = reader.read(bytes(data), "sheet.pdf")
    except ParseError:
        return
    assert result.sheets


@pytest.mark.requirement("pdf.pages-said")
def test_pages_beyond_the_most_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spatial.formats.pdf.reader.PAGES", 3)
    document: Any = pymupdf.open()
    for number in range(5):
        document.new_page(width=200, height=100).insert_text((20, 50), f"sheet {number}")
    found = reader.read(document.tobytes(), "set.pdf")
    assert len(found.sheets) == 3
    assert "only the first 3 of 5 pages could be read within the limits" in found.warnings


@pytest.mark.requirement("pdf.pages-said")
def test_many_pages_without_text_are_said_once_and_counted() -> None:
    document: Any = pymupdf.open()
    for number in range(14):
        made = document.new_page(width=200, height=100)
        if number == 4:
            made.insert_text((20, 50), "the only words of the whole document")
    found = reader.read(document.tobytes(), "empty.pdf")
    assert "13 pages have no text: 1 to 4, 6 to 14" in found.warnings
    assert not any(warning.endswith("has no text") for warning in found.warnings)


@pytest.mark.requirement("pdf.pages-said")
def test_a_few_pages_without_text_are_said_one_by_one() -> None:
    document: Any = pymupdf.open()
    for _ in range(2):
        document.new_page(width=200, height=100)
    assert reader.read(document.tobytes(), "empty.pdf").warnings[:2] == ["page 1 has no text", "page 2 has no text"]
