"""Chinese and Japanese lettering that is drawn as outlines, and drawings without any."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

import numpy as np
import pymupdf as _pymupdf
import pytest

from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Drawing
from spatial.understanding.sheet.outlined import east_asian
from spatial.understanding.sheet.outlined.east_asian import find_ideographs
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.ink import find_ink
from tests.accuracy.outlined import as_outlines
from tests.sheets.generate import sheet as generated

pymupdf: Any = _pymupdf
LINES: Final = (
    "技术要求",
    "未注倒角均为C1，锐边倒钝。",
    "内六角圆柱头螺钉 M8X70",
    "表面処理：黒色アルマイト",
    "材料 铝合金6061",
    "热处理(调质)硬度220",
)
SIZE: Final = 12.0


def page(lines: tuple[str, ...], turn: int = 0, rules: bool = False) -> bytes:
    """A sheet with these lines, drawn as outlines."""
    made = pymupdf.open().new_page(width=595, height=595)
    font, writer = pymupdf.Font("china-s"), pymupdf.TextWriter(made.rect)
    for number, line in enumerate(lines):
        writer.append((60, 80 + 2.2 * SIZE * number), line, font, SIZE)
    middle = pymupdf.Point(297.5, 297.5)
    writer.write_text(made, morph=(middle, pymupdf.Matrix(turn)))
    if rules:
        made.draw_rect(pymupdf.Rect(40, 40, 560, 560))
    return as_outlines(made.parent.tobytes())


def drawing_of(data: bytes) -> Drawing:
    return with_drawn_lettering(reader.read(data, "sheet.pdf"))


def read(data: bytes) -> list[str]:
    return [text.text for sheet in drawing_of(data).sheets for text in sheet.texts]


@pytest.mark.requirement("ideographs.read")
def test_lines_with_ideographs_are_read_with_the_numbers_and_letters_in_them() -> None:
    found = [text.replace(" ", "").replace(",", "，") for text in read(page(LINES, rules=True))]
    assert found == [line.replace(" ", "") for line in LINES]


def plain(line: str) -> str:
    """A line without blanks, its signs in their usual width, its two commas as one."""
    return unicodedata.normalize("NFKC", line).replace(" ", "").replace("、", ",")


@pytest.mark.requirement("ideographs.read")
def test_the_numbers_of_a_list_and_the_signs_of_its_lines_are_read() -> None:
    notes = (
        "1)去除毛刺，锐角倒圆R0.5",
        "2)涂漆颜色：灰（RAL7035）",
        "3)焊缝高度:4mm、两侧连续",
        "4)螺纹有效长度/深度见表",
    )
    assert [plain(text) for text in read(page(notes))] == [plain(line) for line in notes]


@pytest.mark.requirement("ideographs.read")
def test_a_line_that_runs_upwards_is_read() -> None:
    (sheet,) = drawing_of(page(("技术要求", "未注倒角均为"), turn=90)).sheets
    assert {text.text for text in sheet.texts} == {"技术要求", "未注倒角均为"}
    assert {text.angle for text in sheet.texts} == {90.0}


@pytest.mark.requirement("ideographs.read")
def test_lines_that_run_downwards_are_read_on_a_page_whose_latin_lettering_does() -> None:
    lines = ("技术要求", "未注倒角均为", "材料为STEEL", "MATERIAL STEEL", "FINISH BLACK OXIDE")
    (sheet,) = drawing_of(page(lines, turn=270)).sheets
    assert {text.text for text in sheet.texts} == set(lines)
    assert {text.angle for text in sheet.texts} == {270.0}


def table(ruled: bool, height: float = SIZE) -> bytes:
    """Two parts with their materials, the names spread over their cells, and a letter of this height of each."""
    made = pymupdf.open().new_page(width=595, height=595)
    font, writer = pymupdf.Font("china-s"), pymupdf.TextWriter(made.rect)
    for number, (name, material) in enumerate((("主轴", "不锈钢合金"), ("盖子", "进口增强尼龙"))):
        y = 100 + 24 * number
        for place, sign in enumerate(name):
            writer.append((70 + 50 * place, y), sign, font, SIZE)
        writer.append((170, y), material, font, SIZE)
        writer.append((280, y), "AB"[number], pymupdf.Font("helv"), height)
    writer.append((60, 40), "SECTION KEPT CLEAN", pymupdf.Font("helv"), SIZE)
    writer.write_text(made)
    for y in (84, 108, 132) if ruled else ():
        made.draw_line((60, y), (300, y))
    for x in (60, 150, 265, 300) if ruled else ():
        made.draw_line((x, 84), (x, 132))
    return as_outlines(made.parent.tobytes())


@pytest.mark.requirement("ideographs.cells")
def test_ideographs_that_are_spread_over_a_cell_are_read_where_another_cell_of_the_row_has_some() -> None:
    others = {"不锈钢合金", "进口增强尼龙", "SECTION KEPT CLEAN", "A", "B"}
    assert set(read(table(ruled=True))) == others | set("主轴盖子")
    assert not set(read(table(ruled=False))) & set("主轴盖子")


@pytest.mark.requirement("ideographs.cells")
def test_what_is_no_character_in_a_cell_beside_ideographs_takes_nothing_from_the_sheet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    beside = np.array([0])
    monkeypatch.setattr(east_asian, "pieces_by_cell", lambda ink, free, known, quarter: [beside])
    monkeypatch.setattr(east_asian, "_lines_read", _nothing_in(beside, east_asian._lines_read))
    assert {"不锈钢合金", "进口增强尼龙"} <= set(read(table(ruled=True)))


def _nothing_in(pieces: Any, lines_read: Any) -> Any:
    """The reading of lines that sees no character in these pieces."""

    def lines(ink: Any, rows: Any, quarter: int) -> Any:
        if len(rows) == 1 and rows[0].tolist() == pieces.tolist():
            return [east_asian._Line(quarter, rows[0], [], 0.0, 1.0)]
        return lines_read(ink, rows, quarter)

    return lines


@pytest.mark.requirement("ideographs.cells")
def test_a_letter_of_another_height_is_read_in_a_cell_of_a_row_that_has_ideographs() -> None:
    assert {"A", "B"} <= set(read(table(ruled=True, height=0.8 * SIZE)))
    assert not {"A", "B"} & set(read(table(ruled=False, height=0.8 * SIZE)))


@pytest.mark.requirement("ideographs.read")
def test_their_shapes_are_no_geometry_and_the_texts_say_where_they_come_from() -> None:
    before = reader.read(page(("技术要求", "未注倒角均为")), "sheet.pdf").sheets[0]
    after = drawing_of(page(("技术要求", "未注倒角均为"))).sheets[0]
    assert len(before.fills) > 10 and not after.fills
    assert all("read from outlines" in text.repairs for text in after.texts)
    for text in after.texts:
        assert text.advances is not None and len(text.advances) == len(text.text) + 1
        assert (np.diff(text.advances) > 0).all() and text.advances[-1] == pytest.approx(text.width)
        assert 0.5 * SIZE < text.height < SIZE


@pytest.mark.requirement("ideographs.unread")
def test_a_crossed_out_ideograph_is_left_open() -> None:
    made = pymupdf.open(stream=page(("热处理调质硬度",)), filetype="pdf")
    x = 60 + 3.5 * SIZE
    for y in range(68, 84, 2):
        made[0].draw_line((x - 0.4 * SIZE, y), (x + 0.4 * SIZE, y + 1), width=1.2)
    (text,) = read(made.tobytes())
    assert text == "热处理�质硬度"


@pytest.mark.requirement("ideographs.geometry")
def test_a_sheet_without_ideographs_has_none() -> None:
    for seed in (11, 23):
        (sheet, *_) = reader.read(as_outlines(generated(seed, format="pdf").data, pages=1), "sheet.pdf").sheets
        ink = find_ink(sheet, np.ones(len(sheet.fills), bool), np.ones(len(sheet.strokes.ends), bool))
        assert find_ideographs(ink) == []
