"""Drawn lettering in parts: sizes between two arrows, texts drawn at once, letters cut into facets with their edges, what is not seen."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pymupdf as _pymupdf
import pytest

from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Array, Drawing, Fill, Strokes, Text
from spatial.understanding.sheet.outlined import ink
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.leaders import find_landings
from spatial.understanding.sheet.outlined.rows import flags
from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen, cut, lettered, page

pymupdf: Any = _pymupdf
STYLE = "MATTE 47 HEFT"
"""A line that says how the sheet is lettered."""


def texts_of(pen: Pen, fills: tuple[Fill, ...] = ()) -> list[str]:
    drawing = pen.drawing()
    drawing.sheets[0].fills = list(fills)
    return [text.text for text in with_drawn_lettering(drawing).sheets[0].texts]


def arrow(x: float, y: float) -> Fill:
    """A filled arrowhead with the extension line that it touches, filled too, as one outline."""
    return Fill(np.array([(x, y - 10), (x + 1, y - 10), (x + 1, y + 4), (x + 3, y + 6), (x, y + 20), (x, y - 10)]))


@pytest.mark.requirement("outlined.strokes")
@pytest.mark.parametrize("size", ["47", "747"])
def test_a_size_between_two_arrows_is_no_part_of_them(size: str) -> None:
    pen = Pen([])
    pen.write(STYLE, 100, 300)
    pen.write(size, 320, 200, 6.0)
    pen.write("74 77", 100, 100, 6.0)
    assert texts_of(pen, (arrow(310, 200), arrow(345, 200))) == [STYLE, size, "74 77"]


def head(x: float, y: float) -> Fill:
    """A filled arrowhead that points down, its back in the middle of (x, y)."""
    return Fill(np.array([(x - 2.0, y), (x + 2.0, y), (x, y - 12.0), (x - 2.0, y)]))


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(
    "further",
    [[(97.0, 205.0, 97.0, 215.0)], [(88.0, 205.0, 80.0, 205.0)]],
    ids=["its end is of another line", "another line ends at its bend"],
)
def test_strokes_at_an_arrowhead_that_others_go_on_from_are_no_leader_with_its_landing(
    further: list[tuple[float, ...]],
) -> None:
    pen = Pen([(88.0, 195.0, 88.0, 205.0), (88.0, 205.0, 97.0, 205.0)])
    sheet = pen.drawing().sheets[0]
    sheet.fills = [head(88.0, 195.0)]
    assert find_landings(sheet, np.ones(2, bool), 0.01).tolist() == [True, True]
    sheet.fills = [head(88.0, 180.0)]
    assert not find_landings(sheet, np.ones(2, bool), 0.01).any(), "no arrowhead is there"
    pen.lines += further
    sheet = pen.drawing().sheets[0]
    sheet.fills = [head(88.0, 195.0)]
    assert not find_landings(sheet, np.ones(3, bool), 0.01).any()


@pytest.mark.requirement("outlined.lines")
def test_words_that_are_drawn_one_behind_the_other_are_one_text_although_a_wide_blank_is_between_them() -> None:
    pen = Pen([])
    pen.write("ZENTNAHT", 100, 300)
    pen.write("47774", 184.6, 300, 9.0)
    assert texts_of(pen) == ["ZENTNAHT 47774"]


@pytest.mark.requirement("outlined.lines")
def test_words_between_which_something_else_is_drawn_are_two_texts() -> None:
    pen = Pen([])
    pen.write("ZENTNAHT", 100, 300)
    pen.write(STYLE, 100, 200)
    pen.write("47774", 184.6, 300, 9.0)
    assert texts_of(pen) == ["ZENTNAHT", "47774", STYLE]


@pytest.mark.requirement("outlined.lines")
def test_a_dash_and_a_colon_with_wide_blanks_around_them_are_of_the_text_that_they_are_drawn_in() -> None:
    pen = Pen([])
    pen.write("ZENTNAHT", 100, 300)
    pen.lines.append((187.0, 304.5, 194.0, 304.5))
    pen.write("47774", 204.0, 300)
    pen.write("MATTE", 100, 200)
    pen.lines += [(160.0, 201.0, 160.0, 202.0), (160.0, 206.0, 160.0, 207.0)]
    pen.write("HEFT", 169.0, 200)
    assert texts_of(pen) == ["ZENTNAHT - 47774", "MATTE : HEFT"]


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(("apart", "read"), [(3.5, ["MATTE = 47", STYLE]), (9.5, [STYLE, "MATTE", "47"])])
def test_two_bars_over_each_other_between_words_are_an_equals_sign(apart: float, read: list[str]) -> None:
    pen = Pen([])
    pen.write(STYLE, 100, 300)
    pen.write("MATTE", 100, 200)
    low = 204.8 - apart / 2
    pen.lines += [(162.0, low, 169.0, low), (162.0, low + apart, 169.0, low + apart)]
    pen.write("47", 178.0, 200)
    assert sorted(texts_of(pen)) == sorted(read)


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(("blanks", "read"), [(1, ["NEEEN NEEEN", STYLE]), (2, [STYLE, "NEEEN", "NEEEN"])])
def test_a_blank_of_lettering_of_even_width_is_as_wide_as_a_letter(blanks: int, read: list[str]) -> None:
    pen = Pen([])
    pen.write(STYLE, 100, 300)
    for number, letter in enumerate("NEEEN"):
        pen.write(letter, 100 + 13 * number, 200)
    for number, letter in enumerate("NEEEN", start=5 + blanks):
        pen.write(letter, 100 + 13 * number, 200)
    assert sorted(texts_of(pen)) == sorted(read)


@pytest.mark.requirement("outlined.plus-minus")
@pytest.mark.parametrize(("before", "read"), [("747", ["747 +/- 47"]), ("HEFT", ["HEFT", "+/- 47"])])
def test_plus_slash_and_dash_between_two_numbers_are_of_their_text(before: str, read: list[str]) -> None:
    pen = Pen([])
    pen.write(STYLE, 100, 300)
    pen.write(before, 135 - 11 * len(before), 200)
    plus = [(143.0, 204.5, 148.0, 204.5), (145.5, 202.0, 145.5, 207.0)]
    pen.lines += [*plus, (150.5, 200.0, 154.5, 210.0), (157.0, 204.5, 162.0, 204.5)]
    pen.write("47", 170, 200)
    assert texts_of(pen) == [STYLE, *read]


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(
    "flag", [[(0.0, 0.0), (3.2, 0.0), (1.6, 2.8), (0.0, 0.0)],
             [(0.0, 0.7), (0.8, 0.0), (2.4, 0.0), (3.2, 0.7), (2.4, 1.8), (0.8, 1.8), (0.0, 0.7)]],
)  # fmt: skip
def test_a_number_in_a_flag_is_no_part_of_the_size_beside_it(flag: list[tuple[float, float]]) -> None:
    pen = Pen([])
    pen.write(STYLE, 100, 300)
    pen.write("747", 100, 200)
    corners = [(132 + 10 * x, 196 + 10 * y) for x, y in flag]
    pen.lines += [(*one, *two) for one, two in itertools.pairwise(corners)]
    pen.write("47", 141, 200, 9.0)
    assert texts_of(pen) == [STYLE, "747", "47"]


@pytest.mark.requirement("outlined.lines")
def test_a_figure_with_a_dot_among_its_strokes_is_no_flag_round_the_dot() -> None:
    two = np.array([(1, 9, 3, 10), (3, 10, 5, 9), (5, 9, 6, 7), (6, 7, 5, 5), (5, 5, 0, 0), (0, 0, 6, 0)], float)
    sign = np.array([(2.0, 4.0, 4.0, 4.0), (4.0, 4.0, 3.0, 6.0)])
    dot = np.array([(2.0, 7.0, 2.0, 7.2)])

    def flag_of(inner: Array) -> int:
        edges, of = np.concatenate([two, inner]), np.array([0] * len(two) + [1] * len(inner))
        boxes = np.array([(0.0, 0.0, 6.0, 10.0), (*inner[:, :2].min(axis=0), *inner[:, 2:].max(axis=0))])
        none = np.zeros(0, np.int64)
        ink = Ink(boxes, np.full(2, 0.7), np.zeros(2, bool), edges, of, np.zeros((0, 4)), 20.0, none, none, none)
        return int(flags(ink)[1])

    assert (flag_of(sign), flag_of(dot)) == (0, -1)


@pytest.mark.requirement("outlined.lines")
@pytest.mark.parametrize(
    ("before", "after", "read"),
    [
        ("47", "747", ["47 x 747"]),
        ("MATTE", "747", ["MATTE", "747"]),
        ("47", "MATTE", ["47", "MATTE"]),
    ],
)
def test_an_x_with_wide_blanks_around_it_is_read_between_two_numbers(before: str, after: str, read: list[str]) -> None:
    pen = Pen([])
    pen.write(STYLE, 100, 300)
    pen.write(before, 100, 200)
    end = max(max(line[0], line[2]) for line in pen.lines if line[1] < 220)
    pen.lines += [(end + 11.0, 200.0, end + 18.0, 207.6), (end + 11.0, 207.6, end + 18.0, 200.0)]
    pen.write(after, end + 29.0, 200)
    assert texts_of(pen) == [STYLE, *read]


@pytest.mark.requirement("outlined.unread")
def test_of_a_sheet_with_too_many_strokes_the_filled_letters_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ("SECTION KEPT CLEAN", "REMOVE ALL BURRS")
    drawing = reader.read(as_outlines(page(lines)), "sheet.pdf")
    strokes = np.array([(x, 300.0, x + 3.0, 303.0) for x in np.arange(100.0, 500.0, 0.5)])
    count = len(strokes)
    drawing.sheets[0].strokes = Strokes(
        strokes, np.full(count, 0.7), np.full(count, -1), np.zeros(count, bool), np.zeros(count, bool)
    )
    monkeypatch.setattr(ink, "MANY_PIECES", 200)
    assert [text.text for text in with_drawn_lettering(drawing).sheets[0].texts] == list(lines)
    assert any("too many" in warning for warning in drawing.warnings)


@pytest.mark.requirement("outlined.lines")
def test_words_with_a_rule_line_between_them_are_two_texts() -> None:
    pen = Pen([])
    pen.write("ZENTNAHT", 100, 300)
    pen.write("47774", 184.6, 300, 9.0)
    pen.lines.append((178.0, 280.0, 178.0, 330.0))
    assert texts_of(pen) == ["ZENTNAHT", "47774"]


def edged(drawing: Drawing) -> Drawing:
    """The drawing with a stroke of no width along each edge of each of its fills."""
    sheet = drawing.sheets[0]
    edges = np.array([
        (*one, *two) for fill in sheet.fills for one, two in itertools.pairwise(fill.points.tolist())
    ])  # fmt: skip
    none = np.zeros(len(edges), bool)
    sheet.strokes = Strokes(edges, np.zeros(len(edges)), np.full(len(edges), -1), none, none.copy())
    return drawing


@pytest.mark.requirement("outlined.triangles")
@pytest.mark.parametrize("text_layer", ["outlined", "vector"])
def test_letters_whose_facets_have_strokes_along_their_edges_are_read_and_their_strokes_taken_out(
    text_layer: Any,
) -> None:
    lines = ("HEIL 17 EKMNWZ", "5735 LINKS 172")
    drawing = reader.read(as_outlines(page(lines)), "sheet.pdf")
    sheet = drawing.sheets[0]
    sheet.fills = [part for fill in sheet.fills for part in cut(fill)]
    if text_layer == "vector":
        sheet.texts = [
            Text("annotation-1", "Created by", 1, (400.0, 40.0), 0.0, 10.0, 60.0, (400.0, 40.0, 460.0, 50.0))
        ]
    drawing = replace(edged(drawing), sheets=[replace(sheet, text_layer=text_layer)])
    made = with_drawn_lettering(drawing).sheets[0]
    assert [text.text for text in made.texts if text.text != "Created by"] == list(lines)
    assert not len(made.fills)
    assert not len(made.strokes.ends)


@pytest.mark.requirement("outlined.read")
def test_a_box_that_is_filled_with_an_opacity_of_nothing_hides_no_lettering() -> None:
    lines = ("Material of the housing", "Steel plate 37")
    document = pymupdf.open("pdf", as_outlines(page(lines)))
    for number in range(len(lines)):
        place = (58, 50 + 30 * number, 160, 64 + 30 * number)
        document[0].draw_rect(place, color=None, fill=(0, 0, 0), fill_opacity=0)
    drawing = with_drawn_lettering(reader.read(document.tobytes(), "sheet.pdf"))
    assert [text.text for text in drawing.sheets[0].texts] == list(lines)


@pytest.mark.requirement("outlined.strokes")
def test_a_deviation_without_its_sign_leaves_both_deviations_of_its_size_open() -> None:
    pen = Pen([])
    pen.write(STYLE, 100, 380)
    for y in (340.0, 260.0):
        pen.lines += [(100.0, y + 4, 107.0, y + 4), (103.5, y + 0.5, 103.5, y + 7.5)]
        pen.write("747", 110, y)
    pen.write("477", 110, 245)
    texts = texts_of(pen)
    assert "+747" in texts
    assert {"�+747", "�477"} <= set(texts)


@pytest.mark.requirement("outlined.lines")
def test_a_blank_behind_a_decimal_point_parts_no_number_and_parts_the_mark_of_an_item() -> None:
    lines = ("SECTION KEPT CLEAN", "DEPTH . 157", "2. 456", "2. 4 HOLES KEPT CLEAN")
    read = lettered(as_outlines(page(lines))).sheets[0].texts
    assert [text.text for text in read] == [lines[0], "DEPTH .157", "2.456", lines[3]]
