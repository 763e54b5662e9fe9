"""Lines of a PDF: two alphabets that look alike, borders of columns in pieces, glyphs of several sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pymupdf
import pytest

from spatial.formats.pdf import lines, reader

ALL_ALPHABETS = "cjk"


def texts(document: Any) -> list[str]:
    return [text.text for text in reader.read(document.tobytes(), "sheet.pdf").sheets[0].texts]


def lettered(*lines: str) -> Any:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    writer, font = pymupdf.TextWriter(sheet.rect), pymupdf.Font(ALL_ALPHABETS)
    for place, line in enumerate(lines):
        writer.append((100, 100 + 30 * place), line, font=font, fontsize=10)
    writer.write_text(sheet)
    return document


@pytest.mark.requirement("pdf.mended")
def test_letters_that_look_latin_stay_cyrillic_among_cyrillic_words() -> None:
    assert texts(lettered("МТ5.161911", "Гайка низкая шестигранная")) == ["МТ5.161911", "Гайка низкая шестигранная"]
    assert texts(lettered("МТ5.161911", "Drawn by")) == ["MT5.161911", "Drawn by"]


@pytest.mark.requirement("pdf.lines")
def test_a_border_in_pieces_parts_a_line_at_its_blank() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    sheet.insert_text((100, 100), "17  MT5.16", fontsize=20)
    x = 100 + pymupdf.get_text_length("17 ", fontsize=20)
    for top in range(40, 160, 20):
        sheet.draw_line((x, top + 4), (x, top + 24))
    assert texts(document) == ["17", "MT5.16"]


@pytest.mark.requirement("pdf.lines")
def test_a_heading_that_fills_its_cell_ends_at_the_border() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    x = 100 + pymupdf.get_text_length("ANZ.", fontsize=14)
    sheet.insert_text((x + 0.3, 100), "BEMERKUNG", fontsize=14)
    sheet.insert_text((100, 100), "ANZ.", fontsize=14)
    sheet.draw_line((x, 84), (x, 105))
    assert sorted(texts(document)) == ["ANZ.", "BEMERKUNG"]


@pytest.mark.requirement("pdf.lines")
def test_large_lettering_low_in_its_cell_ends_at_the_border() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    x = 100 + pymupdf.get_text_length("Fargel", fontsize=24)
    sheet.insert_text((100, 100), "Fargel", fontsize=24)
    sheet.insert_text((x + 3.5, 100), "07", fontsize=24)
    sheet.draw_line((x + 3, 74), (x + 3, 103))
    assert sorted(texts(document)) == ["07", "Fargel"]


@pytest.mark.requirement("pdf.lines")
def test_a_number_that_is_shown_before_its_sign_stays_before_its_count() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    wide = pymupdf.get_text_length("Ø", fontsize=14), pymupdf.get_text_length("22", fontsize=14)
    sheet.insert_text((100 + wide[0], 100), "22", fontsize=14)
    sheet.insert_text((100, 100), "Ø", fontsize=14)
    sheet.insert_text((100 + sum(wide), 100), " 6 szt.", fontsize=14)
    assert texts(document) == ["Ø22 6 szt."]


@pytest.mark.requirement("pdf.lines")
def test_blanks_that_a_form_leaves_for_a_number_part_no_text() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    x = 100 + pymupdf.get_text_length("BLATT  ", fontsize=10)
    sheet.insert_text((x, 100), "3", fontsize=10)
    sheet.insert_text((100, 100), "BLATT      VON", fontsize=10)
    assert [text.split() for text in sorted(texts(document))] == [["3"], ["BLATT", "VON"]]


@pytest.mark.requirement("pdf.lines")
def test_strokes_that_leave_a_gap_are_no_border() -> None:
    whole, upper = [5.0, 0.0, 30.0], [5.0, 12.0, 30.0]
    assert lines._ruled(np.array([whole]), 1.0, 20.0, 4.0)
    assert lines._ruled(np.array([upper, [5.0, 0.0, 12.0]]), 1.0, 20.0, 4.0)
    assert not lines._ruled(np.array([upper, [5.0, 0.0, 9.0]]), 1.0, 20.0, 4.0)
    assert not lines._ruled(np.array([upper, [5.0, 9.0, 12.0], [5.0, 0.0, 9.0]]), 1.0, 20.0, 4.0)


@pytest.mark.requirement("pdf.mended")
def test_a_glyph_of_another_size_elsewhere_is_no_copy() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=600)
    sheet.insert_text((100, 500), "DE GRADO", fontsize=10)
    x = 100 + pymupdf.get_text_length("D", fontsize=10)
    sheet.insert_text((2 * x, 400), "E", fontsize=20)
    assert sorted(texts(document)) == ["DE GRADO", "E"]


@pytest.mark.requirement("pdf.lines")
@pytest.mark.parametrize("is_first", [True, False])
def test_a_text_painted_before_the_one_that_runs_into_it_is_another_text(is_first: bool) -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    pieces = [(109.0, "rover drafting"), (100.0, "A")]
    for x, text in pieces if is_first else pieces[::-1]:
        sheet.insert_text((x, 100), text, fontsize=20)
    read = texts(document)
    assert (sorted(read) == ["A", "rover drafting"]) is is_first


@pytest.mark.requirement("pdf.lines")
def test_a_size_whose_signs_are_painted_from_the_right_keeps_its_decimal_sign() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    for x, text in ((114.5, "6"), (109.5, "."), (100.0, "1")):
        sheet.insert_text((x, 100), text, fontsize=20)
    assert texts(document) == ["1.6"]


@pytest.mark.requirement("pdf.lines")
@pytest.mark.parametrize(
    ("first", "gap", "second", "read"),
    [
        ("30,0", 0.33, "8,2", ["30,0", "8,2"]),
        ("30,0", 0.02, "8.2", ["30,08.2"]),
        ("(30,0", 0.33, "8,2)", ["(30,0 8,2)"]),
        ("30", 0.33, "8,2", ["30 8,2"]),
    ],
)
def test_two_sizes_that_were_painted_apart_are_two_texts(first: str, gap: float, second: str, read: list[str]) -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    sheet.insert_text((100 + pymupdf.get_text_length(first, fontsize=20) + gap * 20, 100), second, fontsize=20)
    sheet.insert_text((100, 100), first, fontsize=20)
    assert texts(document) == read


LIGATURE_MAP = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Test def
1 begincodespacerange <00> <FF> endcodespacerange
3 beginbfchar <41> <00660069> <42> <006E> <43> <0073> endbfchar
endcmap end end"""


@pytest.mark.requirement("pdf.lines")
def test_a_glyph_that_stands_for_several_letters_says_them_where_it_stands() -> None:
    document: Any = pymupdf.open()
    sheet = document.new_page(width=842, height=595)
    sheet.insert_text((100, 100), "ABAC", fontname="cour", fontsize=20)
    font = sheet.get_fonts()[0][0]
    code = document.get_new_xref()
    document.update_object(code, "<<>>")
    document.update_stream(code, LIGATURE_MAP)
    document.xref_set_key(font, "ToUnicode", f"{code} 0 R")
    assert texts(document) == ["finfis"]
