"""Letters of a DXF in another code page than its header says, or says none: the bytes say which."""

from __future__ import annotations

import pytest
from ezdxf.tools.codepage import codepage_to_encoding, toencoding
from hypothesis import given
from hypothesis import strategies as st

from spatial.formats.dxf.code_pages import codec_of, true_encoding
from spatial.formats.dxf.reader import read

LINES = {
    "cp1251": ["Вал первичный", "Масштаб 1:2", "Материал", "Сталь 45 ГОСТ 1050-2013", "Разраб.", "Лист"],
    "koi8_r": ["Вал первичный", "Масштаб 1:2", "Материал", "Сталь 45 ГОСТ 1050-2013"],
    "cp866": ["ВАЛ ПЕРВИЧНЫЙ", "МАСШТАБ 1:2", "Материал", "Сталь 45"],
    "cp932": ["図面", "尺度 1:2", "材質 SS400", "シャフト", "承認", "軸受ハウジング"],
    "gbk": ["比例 1:2", "材料 45钢", "图号", "设计", "审核", "技术要求", "未注倒角C1"],
    "big5": ["比例 1:2", "材質", "圖號", "設計", "審核", "軸承座"],
    "cp949": ["척도 1:2", "재질", "도면번호", "품명", "승인", "축 하우징"],
    "utf-8": ["Вал первичный", "Maßstab 1:2", "図面", "Ø25"],
}
GERMAN = ["Maßstab 1:2", "Werkstoff", "Ø25 ±0,1 45°", "Größe", "Prüfung für Änderung", "pièce référencée", "Ångström"]


def drawing(lines: list[str], encoding: str, version: str, page: str | None) -> bytes:
    header = f"9\n$ACADVER\n1\n{version}\n" + (f"9\n$DWGCODEPAGE\n3\n{page}\n" if page else "")
    texts = "".join(f"0\nTEXT\n8\n0\n10\n0\n20\n{5 * row}\n40\n2.5\n1\n{line}\n" for row, line in enumerate(lines))
    text = f"0\nSECTION\n2\nHEADER\n{header}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n{texts}0\nENDSEC\n0\nEOF\n"
    return text.encode(encoding)


@pytest.mark.requirement("dxf.code-page")
@pytest.mark.parametrize(("version", "page"), [("AC1009", None), ("AC1015", "ANSI_1252"), ("AC1024", None)])
@pytest.mark.parametrize("encoding", LINES)
def test_letters_are_read_in_the_code_page_that_they_are_in(encoding: str, version: str, page: str | None) -> None:
    found = read(drawing(LINES[encoding], encoding, version, page), "sheet.dxf")
    assert {text.text for text in found.sheets[0].texts} == set(LINES[encoding])
    right = encoding == "utf-8" and version == "AC1024"
    assert any(f"in code page {encoding}, not" in warning for warning in found.warnings) != right


@pytest.mark.requirement("dxf.code-page")
@pytest.mark.parametrize("page", [*(f"ANSI_{number}" for number in codepage_to_encoding), "ansi_1361", "DOS850", "x"])
def test_the_header_names_the_codecs_that_ezdxf_takes(page: str) -> None:
    assert codec_of(page) == toencoding(page)


@pytest.mark.requirement("dxf.code-page")
@pytest.mark.parametrize("version", ["AC1009", "AC1015"])
def test_latin_letters_stay(version: str) -> None:
    found = read(drawing(GERMAN, "cp1252", version, "ANSI_1252"), "sheet.dxf")
    assert {text.text for text in found.sheets[0].texts} == set(GERMAN)
    assert not found.warnings or not any("code page" in warning for warning in found.warnings)


@pytest.mark.requirement("dxf.code-page")
def test_a_damaged_letter_does_not_change_the_code_page() -> None:
    lines = [line.encode() for line in LINES["utf-8"]]
    data = drawing(LINES["utf-8"], "utf-8", "AC1024", None).replace(lines[3], b"\xd825")
    texts = {text.text for text in read(data, "sheet.dxf").sheets[0].texts}
    assert {*LINES["utf-8"][:3], "\ufffd25"} == texts


@pytest.mark.requirement("dxf.code-page")
def test_letters_that_are_plausible_in_no_code_page_are_warned_of() -> None:
    found = read(drawing(["\xc1\x8d\x9d\xff\xc2", "\x90\xe1\x81\xfe\xff"], "latin-1", "AC1009", None), "sheet.dxf")
    assert any("do not look like words" in warning for warning in found.warnings)


@pytest.mark.requirement("dxf.code-page")
@given(st.binary(max_size=400), st.sampled_from(["cp1252", "utf-8", "cp1251", "gbk"]))
def test_any_bytes_have_an_encoding(data: bytes, declared: str) -> None:
    data.decode(true_encoding(data, declared)[0], "replace")
