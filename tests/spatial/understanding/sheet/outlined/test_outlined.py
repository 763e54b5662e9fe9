"""Lettering that is drawn as outlines or strokes: what was printed is what is read, or is reported as unread."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf as _pymupdf
import pytest
import shapely

from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Drawing, Fill, Sheet, Strokes
from spatial.pipeline.read import read_file
from spatial.understanding.sheet.outlined import ink
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.network import MODEL
from tests.accuracy.outlined import Reading, as_outlines, compare, texts_of
from tests.sheets import text_layers
from tests.sheets.generate import sheet as generated

pymupdf: Any = _pymupdf
LINES = (
    "UNLESS OTHERWISE SPECIFIED, DIMENSIONS ARE IN MILLIMETERS", "Break all sharp edges 0.2 x 45 deg.", "2730-1500 KV; 10 A",
    "Ø12.5 ±0.05", "Drawn by: R. Kowalski", "Scale 1:2", "M16x1.5 - 6H", "123456789 0.25", "(4x) R3.5 MAX",
)  # fmt: skip


def page(lines: tuple[str, ...] = LINES, font: str = "helv", size: float = 9.0, turn: int = 0) -> bytes:
    """A page with these lines, printed in one direction."""
    made = pymupdf.open()
    drawn = made.new_page(width=600, height=600)
    for number, line in enumerate(lines):
        place = {
            0: (60, 60 + 30 * number),
            90: (60 + 30 * number, 560),
            180: (560, 540 - 30 * number),
            270: (540 - 30 * number, 60),
        }
        drawn.insert_text(place[turn], line, fontname=font, fontsize=size, rotate=turn)
    data: bytes = made.tobytes()
    return data


def lettered(data: bytes) -> Drawing:
    return with_drawn_lettering(reader.read(data, "sheet.pdf"))


def reading(data: bytes) -> Reading:
    """How the texts of a PDF are read when they are printed as outlines."""
    return compare(
        texts_of(data), [text for sheet in lettered(as_outlines(data)).sheets for text in sheet.texts], Reading()
    )


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize("font", ["helv", "hebo", "heit", "tiro", "cour"])
def test_lettering_printed_as_outlines_is_read_as_it_was_printed(font: str) -> None:
    found = reading(page(font=font))
    assert not found.wrong
    assert found.recall >= 0.85, found


RUSSIAN = (
    "Плату изготовить комбинированным методом", "Размеры для справок, покрытие выполнять по ГОСТ",
    "Контроль паяных соединений производить", "СБОРОЧНЫЙ ЧЕРТЕЖ", "Предельные отклонения размеров",
)  # fmt: skip


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize("file", ["DejaVuSans", "DejaVuSans-Oblique", "DejaVuSerif-Italic", "DejaVuSerif-BoldItalic"])
def test_letters_of_two_parts_and_slanted_ones_that_look_latin_are_cyrillic_in_cyrillic_words(file: str) -> None:
    made = pymupdf.open()
    drawn = made.new_page(width=600, height=600)
    for number, line in enumerate(RUSSIAN):
        fontfile = str(Path(text_layers.DEJAVU).with_name(f"{file}.ttf"))
        drawn.insert_text((60, 60 + 30 * number), line, fontname="own", fontfile=fontfile, fontsize=12)
    data = made.tobytes()
    found = reading(data)
    wrong = [each for each in found.wrong if each[0].casefold() != each[1].casefold()]
    assert not wrong
    assert found.recall >= 0.99, found


@pytest.mark.requirement("outlined.turned")
@pytest.mark.parametrize("turn", [90, 180, 270])
def test_lines_are_read_in_the_four_quarter_turns(turn: int) -> None:
    lines = ("SECTION KEPT CLEAN", "Ø25.4 HOLES, DEEP 365", "Made by Peter Smith")
    drawing = lettered(as_outlines(page(lines=lines, turn=turn) if turn else page(lines=lines)))
    texts = [text for sheet in drawing.sheets for text in sheet.texts]
    assert {round(text.angle) for text in texts} == {turn}
    found = compare(texts_of(page(lines=lines, turn=turn)), texts, Reading())
    assert not found.wrong
    assert found.recall >= 0.85


@pytest.mark.requirement("outlined.sheets")
def test_no_digit_of_a_generated_sheet_printed_as_outlines_is_read_wrong() -> None:
    found = Reading()
    for seed in (11, 12, 14):
        data = generated(seed, format="pdf").data
        drawing = lettered(as_outlines(data))
        compare(texts_of(data), [text for sheet in drawing.sheets for text in sheet.texts], found)
    assert found.printed > 1000
    assert found.digit_precision >= 0.995, found.wrong
    assert found.precision >= 0.99, found.wrong
    assert found.recall >= 0.75


def cut(fill: Fill) -> list[Fill]:
    """An outline as triangles."""
    shape = shapely.Polygon(fill.points)
    return [Fill(np.asarray(part.exterior.coords)[:4]) for part in shapely.constrained_delaunay_triangles(shape).geoms]


@pytest.mark.requirement("outlined.triangles")
def test_letters_that_are_cut_into_triangles_are_read() -> None:
    drawing = reader.read(as_outlines(page(("HEIL 17 EKMNWZ", "5735 LINKS 172"))), "sheet.pdf")
    sheet = drawing.sheets[0]
    sheet.fills = [part for fill in sheet.fills for part in cut(fill)]
    assert len(sheet.fills) > 100
    assert [text.text for text in with_drawn_lettering(drawing).sheets[0].texts] == ["HEIL 17 EKMNWZ", "5735 LINKS 172"]


def penned(fills: list[Fill], width: float) -> list[Fill]:
    """What a pen paints along outlines, as one path: Qt writes filled text with a pen so."""
    rings = []
    for fill in fills:
        line = shapely.LinearRing(fill.points).buffer(width / 2.0)
        rings += [line.exterior, *line.interiors]
    return [Fill(np.asarray(ring.coords), path=1) for ring in rings]


@pytest.mark.requirement("outlined.read")
@pytest.mark.parametrize("width", [0.05, 0.2, 0.4])
def test_letters_whose_outlines_are_painted_again_with_a_pen_keep_their_counters(width: float) -> None:
    lines = ("Part number: 666_1265", "Drawing Board 0689", "Date: 26.08.2019")
    drawing = reader.read(as_outlines(page(lines)), "sheet.pdf")
    sheet = drawing.sheets[0]
    painted = [replace(fill, path=0) for fill in sheet.fills]
    sheet.fills = painted + penned(painted, width)
    assert [text.text for text in with_drawn_lettering(drawing).sheets[0].texts] == list(lines)


STROKES: dict[str, list[list[tuple[float, float]]]] = {
    "A": [[(0, 0), (0.35, 1), (0.7, 0)], [(0.12, 0.35), (0.58, 0.35)]],
    "E": [[(0.6, 0), (0, 0), (0, 1), (0.6, 1)], [(0, 0.52), (0.5, 0.52)]],
    "F": [[(0, 0), (0, 1), (0.6, 1)], [(0, 0.52), (0.5, 0.52)]],
    "H": [[(0, 0), (0, 1)], [(0.65, 0), (0.65, 1)], [(0, 0.52), (0.65, 0.52)]],
    "K": [[(0, 0), (0, 1)], [(0.65, 1), (0, 0.38)], [(0.22, 0.58), (0.65, 0)]],
    "M": [[(0, 0), (0, 1), (0.4, 0.4), (0.8, 1), (0.8, 0)]],
    "N": [[(0, 0), (0, 1), (0.65, 0), (0.65, 1)]],
    "R": [
        [(0, 0), (0, 1), (0.4, 1), (0.55, 0.93), (0.6, 0.75), (0.55, 0.57), (0.4, 0.5), (0, 0.5)],
        [(0.32, 0.5), (0.6, 0)],
    ],
    "T": [[(0, 1), (0.7, 1)], [(0.35, 1), (0.35, 0)]],
    "Z": [[(0, 1), (0.65, 1), (0, 0), (0.65, 0)]],
    "4": [[(0.5, 0), (0.5, 1), (0, 0.3), (0.65, 0.3)]],
    "7": [[(0, 1), (0.65, 1), (0.25, 0)]],
}
"""Single-stroke letters after ISO 3098-1, type B: corners in capital heights."""


@dataclass
class Pen:
    """A sheet on which letters are drawn as strokes."""

    lines: list[tuple[float, ...]]

    def write(self, word: str, x: float, y: float, height: float = 10.0) -> None:
        for letter in word:
            if letter == " ":
                x += 0.8 * height
                continue
            for corners in STROKES[letter]:
                self.lines += [
                    (x + a * height, y + b * height, x + c * height, y + d * height)
                    for (a, b), (c, d) in itertools.pairwise(corners)
                ]
            x += (max(corner[0] for corners in STROKES[letter] for corner in corners) + 0.28) * height

    def drawing(self, text_layer: str = "outlined") -> Drawing:
        count = len(self.lines)
        sheet = Sheet(1, "page 1", "page", (0.0, 0.0, 842.0, 595.0), "point", text_layer=text_layer)  # type: ignore[arg-type]  # any of them
        sheet.strokes = Strokes(
            np.array(self.lines, float).reshape(-1, 4),
            np.full(count, 0.7),
            np.full(count, -1),
            np.zeros(count, bool),
            np.zeros(count, bool),
        )
        return Drawing("pdf", reader.read(page(("A",)), "a.pdf").units, [sheet])


@pytest.mark.requirement("outlined.strokes")
def test_a_minus_sign_before_the_first_digit_of_a_line_is_read() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 340)
    pen.lines.append((100.0, 304.3, 106.0, 304.3))
    pen.write("47 ZENT", 109.2, 300)
    [_, below] = with_drawn_lettering(pen.drawing()).sheets[0].texts
    assert below.text == "-47 ZENT"


@pytest.mark.requirement("outlined.strokes")
def test_a_cross_over_a_bar_is_one_sign_whatever_stands_over_and_under_it() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 380)
    for y in (300.0, 286.0, 272.0):
        pen.write("77", 100, y)
        pen.lines += [(119.0, y + 4.55, 126.5, y + 4.55), (122.75, y + 0.8, 122.75, y + 8.3), (119.0, y, 126.5, y)]
        pen.write("4", 129.7, y)
    texts = [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts]
    assert texts.count("77±4") == 3, texts


@pytest.mark.requirement("outlined.strokes")
def test_single_stroke_letters_are_read() -> None:
    pen = Pen([])
    pen.write("ATTEMPT".replace("P", "M"), 100, 300)
    pen.write("MATTE 47 HEFT", 100, 340)
    pen.write("ZENTNAHT 747", 100, 380)
    made = with_drawn_lettering(pen.drawing())
    assert {text.text for text in made.sheets[0].texts} == {"ATTEMMT", "MATTE 47 HEFT", "ZENTNAHT 747"}
    assert not len(made.sheets[0].strokes.ends)
    assert all(text.repairs == ("read from outlines",) for text in made.sheets[0].texts)
    assert any("3 lines of lettering were read from outlines or strokes" in warning for warning in made.warnings)


def hatching(pen: Pen) -> None:
    pen.lines += [(100 + 4 * n, 100, 130 + 4 * n, 130) for n in range(60)]


def thread(pen: Pen) -> None:
    for n in range(40):
        x = 100 + 3 * n
        pen.lines += [
            (x, 200, x + 1.5, 206),
            (x + 1.5, 206, x + 3, 200),
            (x, 226, x + 1.5, 220),
            (x + 1.5, 220, x + 3, 226),
        ]


def rectangles(pen: Pen) -> None:
    for n in range(25):
        x, y = 100 + 20 * (n % 5), 300 + 20 * (n // 5)
        corners = [(x, y), (x + 12, y), (x + 12, y + 14), (x, y + 14), (x, y)]
        pen.lines += [(*one, *two) for one, two in itertools.pairwise(corners)]


def circles(pen: Pen) -> None:
    angles = np.linspace(0, 2 * np.pi, 25)
    for n in range(12):
        x, y = 120 + 24 * (n % 6), 420 + 30 * (n // 6)
        points = np.stack([x + 6 * np.cos(angles), y + 6 * np.sin(angles)], axis=1)
        pen.lines += [(*one, *two) for one, two in zip(points.tolist(), points.tolist()[1:], strict=False)]
        pen.lines += [(x - 8, y, x + 8, y), (x, y - 8, x, y + 8)]


def dashes(pen: Pen) -> None:
    pen.lines += [(100 + 14 * n, 500, 110 + 14 * n, 500) for n in range(40)]
    pen.lines += [(100 + 14 * n, 520, 110 + 14 * n, 520) for n in range(40)]


@pytest.mark.requirement("outlined.geometry")
@pytest.mark.parametrize("draw", [hatching, thread, rectangles, circles, dashes])
@pytest.mark.parametrize("beside", ["", "MATTE 47 HEFT"])
def test_small_geometry_is_not_read_as_letters(draw: Callable[[Pen], None], beside: str) -> None:
    pen = Pen([])
    draw(pen)
    pen.write(beside, 500, 100)
    assert [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts] == ([beside] if beside else [])


@pytest.mark.requirement("outlined.unread")
def test_what_is_not_read_is_counted_with_its_place() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 300)
    # Letters with a line through them are no letters that a rule knows.
    pen.write("MAKE", 100, 200)
    pen.lines += [(90 + n, 204.9, 91 + n, 204.9) for n in range(60)]
    made = with_drawn_lettering(pen.drawing())
    assert [text.text for text in made.sheets[0].texts] == ["MATTE 47 HEFT"]


@pytest.mark.requirement("outlined.unread")
def test_a_sheet_with_too_much_ink_is_left_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ink, "MANY_PIECES", 20)
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 300)
    drawing = pen.drawing()
    assert not with_drawn_lettering(drawing).sheets[0].texts
    assert any("too many" in warning for warning in drawing.warnings)


@pytest.mark.requirement("outlined.document")
def test_a_document_lists_and_interprets_lettering_that_was_read_from_outlines() -> None:
    lines = (
        "DRAWN BY: P. MEIER",
        "4x Ø6.5 THRU",
        "M8x1.25 - 6H",
        "NOTES:",
        "1. BREAK ALL SHARP EDGES",
        "2. REMOVE ALL BURRS",
    )
    steps = read_file(as_outlines(page(lines * 4)), "sheet.pdf")
    annotations = steps.reading.structure.annotations or ()
    assert [each.id for each in annotations] == [f"annotation-{number + 1}" for number in range(len(annotations))]
    assert any("read from outlines" in ((each.model_extra or {}).get("mended") or ()) for each in annotations)
    assert [sheet.text_layer for sheet in steps.reading.structure.sheets or ()] == ["outlined"]
    assert any(callout.type == "thread" for callout in steps.interpret().callouts or ())


@pytest.mark.requirement("outlined.text-layer")
def test_a_sheet_with_its_lettering_as_text_is_not_touched() -> None:
    drawing = reader.read(generated(11, format="pdf").data, "sheet.pdf")
    assert with_drawn_lettering(drawing) is drawing


@pytest.mark.requirement("outlined.model")
def test_the_model_is_small_and_has_its_card() -> None:
    assert MODEL.stat().st_size < 2_000_000
    card = MODEL.with_suffix(".md").read_text("utf-8")
    assert all(word in card for word in ("Debian", "licence", "make train", "held-out"))
