"""Text layers that say other characters than their fonts draw: what is drawn is the truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pymupdf as _pymupdf
import pytest

from spatial.formats.pdf import reader
from spatial.pipeline.sheet import DrawingSteps
from spatial.understanding.sheet.text_layer.check import with_true_text
from tests.sheets import text_layers
from tests.sheets.text_layers import Lie, misread, mixed, page, private, shifted

pymupdf: Any = _pymupdf

RUSSIAN = (
    "Вал первичный",
    "Материал Сталь 45 ГОСТ 1050-2013",
    "Разраб. Иванов",
    "Неуказанные предельные отклонения размеров",
    "Масштаб 1:2",
    "Ø25h6 ±0,1",
    "Чертеж",
)
ENGLISH = (
    "SCALE 1:2",
    "Material: Steel S235JR",
    "M10x1.5 - 6H",
    "Drawn by K. Smith 2019-03-14",
    "UNLESS OTHERWISE SPECIFIED",
    "0.05 A B 16.25",
    "Title Bearing housing",
    "QWZKVX",
)
LETTERS = "".join(sorted(set("".join(ENGLISH)) - {" "}))
KOMPAS = dict(zip("Ø°", "ÇÅ", strict=True))
"""Codes of KOMPAS's font Symbol type A in Latin-1."""


def texts_of(data: bytes) -> list[str]:
    return [text.text for text in with_true_text(reader.read(data, "sheet.pdf")).sheets[0].texts]


def is_part(read: str, printed: str) -> bool:
    """Whether a text is read as printed but for characters that are left open; the two signs of a diameter are drawn the same."""
    return len(read) == len(printed) and all(
        one in ("\ufffd", other) or {one, other} <= set("Ø⌀") for one, other in zip(read, printed, strict=True)
    )


@pytest.mark.requirement("layer.codes")
@pytest.mark.parametrize(
    ("lines", "lie"),
    [
        (RUSSIAN, misread("cp1251", "cp1252")),
        (RUSSIAN, misread("koi8_r", "latin_1")),
        (RUSSIAN, misread("iso8859_5", "latin_1")),
        (RUSSIAN, shifted(0x200)),
        (ENGLISH, shifted(1)),
        (ENGLISH, shifted(29)),
        (ENGLISH, shifted(0x3000)),
    ],
    ids=["cp1251", "koi8", "iso8859_5", "cyrillic+512", "+1", "+29", "cjk"],
)
def test_one_map_of_codes_repairs_a_font(lines: tuple[str, ...], lie: Lie) -> None:
    assert texts_of(page(lines, lie)) == list(lines)


@pytest.mark.requirement("layer.codes")
@pytest.mark.parametrize("lines", [RUSSIAN, ENGLISH], ids=["russian", "english"])
def test_what_the_font_says_of_private_codes_is_read(lines: tuple[str, ...]) -> None:
    assert texts_of(page(lines, private)) == list(lines)


@pytest.mark.requirement("layer.outlines")
@pytest.mark.parametrize("seed", range(4))
def test_codes_without_order_are_read_from_the_outlines(seed: int) -> None:
    assert all(map(is_part, texts_of(page(ENGLISH, mixed(seed, LETTERS))), ENGLISH))


@pytest.mark.requirement("layer.outlines")
@pytest.mark.parametrize("lines", [RUSSIAN, ENGLISH], ids=["russian", "english"])
def test_a_font_without_any_map_is_read_from_its_outlines(lines: tuple[str, ...]) -> None:
    read = texts_of(page(lines, None))
    assert all(map(is_part, read, lines))
    assert sum(text.count("\ufffd") for text in read) <= 2


@pytest.mark.requirement("layer.outlines")
def test_one_glyph_is_one_character_wherever_it_stands() -> None:
    """The 0 of M10x1.5 stands between a digit and a letter; elsewhere it stands among digits."""
    assert texts_of(page(ENGLISH, None))[2] == "M10x1.5 - 6H"
    assert "\ufffd" in texts_of(page(ENGLISH[2:3], None))[0]


@pytest.mark.requirement("layer.signs")
@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("codes", [KOMPAS, {"Ø": "`"}], ids=["letters", "marks"])
def test_signs_that_claim_to_be_letters_or_marks_are_signs(count: int, codes: dict[str, str]) -> None:
    lines = ["Ø30h6", "Ø25 H7", "2x45°"][:count]
    data = page([*lines, "Scale 1:2", "Material"], lambda sign: codes.get(sign, sign))
    assert texts_of(data)[: len(lines)] == lines


@pytest.mark.requirement("layer.true")
def test_a_layer_that_tells_the_truth_is_not_touched() -> None:
    drawing = reader.read(page(RUSSIAN + ENGLISH, lambda sign: sign), "sheet.pdf")
    assert with_true_text(drawing) is drawing
    assert not drawing.warnings


@pytest.mark.requirement("layer.true")
def test_a_font_that_draws_small_letters_as_capitals_tells_the_truth() -> None:
    drawing = reader.read(page(["ALL DESIGNS ARE PROPERTY", "BEHIND THE QUIET MARGIN"], str.lower), "sheet.pdf")
    assert with_true_text(drawing) is drawing
    assert [text.text for text in drawing.sheets[0].texts] == ["all designs are property", "behind the quiet margin"]


@pytest.mark.requirement("layer.true")
def test_fonts_of_the_labelled_sheets_tell_the_truth() -> None:
    folders = (Path(text_layers.__file__).parent / name for name in ("real", "held_out"))
    files = {file.name: file for folder in folders for file in sorted(folder.glob("*.pdf"))}
    assert len(files) > 10
    # Its font Symbol draws Ø where the code of Symbol has an O.
    symbol = files.pop("cuadra_sensor_support.pdf")
    for name, file in files.items():
        drawing = reader.read(file.read_bytes(), name)
        assert with_true_text(drawing) is drawing, name
    read = with_true_text(reader.read(symbol.read_bytes(), symbol.name))
    assert {"⌀ 2,5", "⌀ 6", "⌀ 10,5", "Redondeos no acotados R = 3 mm"} <= {text.text for text in read.sheets[0].texts}


@pytest.mark.requirement("layer.unread")
def test_letters_that_are_not_known_are_left_open_with_their_place(tmp_path: Path) -> None:
    """Japanese whose map says Latin letters: nothing of it is reported, and the text beside it is."""
    font = tmp_path / "cjk.ttf"
    font.write_bytes(pymupdf.Font("cjk").buffer)
    japanese = "図面材料尺度品名検承認"
    claims = dict(zip(japanese, "ABCDEFGHKMN", strict=True))
    data = page([japanese, "Scale 1:2"], lambda sign: claims.get(sign, sign), font=str(font))
    drawing = reader.read(data, "sheet.pdf")
    assert drawing.sheets[0].texts[0].text == "ABCDEFGHKMN"
    made = with_true_text(drawing)
    assert set(made.sheets[0].texts[0].text) == {"\ufffd"}
    assert any("U+FFFD, at 60 " in warning for warning in made.warnings)


@pytest.mark.requirement("layer.document")
def test_repaired_texts_are_interpreted_and_marked() -> None:
    steps = DrawingSteps(reader.read(page(["M10x1.5 - 6H", *ENGLISH], shifted(1)), "sheet.pdf"))
    annotations = steps.reading.structure.annotations or ()
    assert {repair for each in annotations for repair in getattr(each, "mended", ())} == {"wrong codes"}
    assert "M10x1.5 - 6H" in {callout.text for callout in steps.interpret().callouts or ()}
    assert any("in 9 texts the text layer says other characters" in warning for warning in steps.reading.warnings)


@pytest.mark.requirement("layer.subsets")
def test_each_page_has_a_subset_of_its_own(tmp_path: Path) -> None:
    pages = [
        ENGLISH,
        ["45.00° Section A - A", "Ream Ø5.00 mm", "2.75 mm"],
        ["Tap M7x0.75", "10.50 mm 12.50", "Rear View"],
    ]
    drawing = reader.read(text_layers.subsets(pages, tmp_path), "sheet.pdf")
    assert with_true_text(drawing) is drawing
    assert [[text.text for text in sheet.texts] for sheet in drawing.sheets] == [list(lines) for lines in pages]


@pytest.mark.requirement("layer.true")
def test_a_square_letter_among_letters_is_that_letter() -> None:
    drawing = reader.read(
        page(["18 FARGEL R\u25a1AD", "LARGE N\u25a1RTH", "Scale 1:2"], lambda sign: "O" if sign == "\u25a1" else sign),
        "sheet.pdf",
    )
    assert [text.text for text in with_true_text(drawing).sheets[0].texts] == [
        "18 FARGEL ROAD",
        "LARGE NORTH",
        "Scale 1:2",
    ]
