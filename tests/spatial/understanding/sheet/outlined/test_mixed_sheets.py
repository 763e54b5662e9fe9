"""Drawn lettering beside text, beside rule lines, along slanted lines, and cut into pieces."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely
from shapely.ops import split

from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Drawing, Fill, Strokes, Text
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.strings import lettering_strokes
from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen, page, pymupdf

WORDS = ("MATTE 47 HEFT", "ZEHN FETTE KATZEN", "74 NAHTE KNETEN", "HEMMEN 77 KETTEN")


def written(text_layer: str, commented: bool = False) -> Drawing:
    """Four lines of strokes on a sheet that has one line of text, which the last of them may be."""
    pen = Pen([])
    for number, word in enumerate(WORDS):
        pen.write(word, 100, 400 - 30 * number)
    drawing = pen.drawing(text_layer)
    box = (95.0, 305.0, 400.0, 325.0) if commented else (600.0, 40.0, 660.0, 50.0)
    repairs = ("drawn as strokes",) if commented else ()
    shown = Text("annotation-1", WORDS[3], 1, box[:2], 0.0, 10.0, box[2] - box[0], box, repairs=repairs)
    drawing.sheets[0].texts = [shown]
    return drawing


def shown(drawing: Drawing) -> list[str]:
    return sorted(text.text for text in with_drawn_lettering(drawing).sheets[0].texts)


@pytest.mark.requirement("outlined.beside-text")
def test_strokes_drawn_letter_by_letter_are_read_on_a_sheet_that_has_texts_too() -> None:
    assert shown(written("vector")) == sorted([*WORDS, WORDS[3]])


@pytest.mark.requirement("outlined.beside-text")
def test_strokes_that_a_comment_of_the_file_spells_out_are_not_read_again() -> None:
    assert shown(written("vector", commented=True)) == sorted(WORDS)


@pytest.mark.requirement("outlined.beside-text")
def test_parts_of_views_beside_texts_are_not_taken_for_strings_of_letters() -> None:
    hatching = [(100.0 + 3 * n, 200.0, 108.0 + 3 * n, 208.0) for n in range(90)]
    corners = np.cumsum(np.tile([(4.0, 5.0), (4.0, -5.0)], (40, 1)), axis=0) + np.array([100, 300])
    thread = np.concatenate([corners[:-1], corners[1:]], axis=1)
    angles = np.linspace(0.0, 2 * np.pi, 25)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 5
    holes = [np.concatenate([ring[:-1], ring[1:]], axis=1) + np.tile((100.0 + 16 * n, 400.0), 2) for n in range(20)]
    drawing = Pen([*hatching, *map(tuple, thread), *map(tuple, np.concatenate(holes))]).drawing("vector")
    assert not lettering_strokes(drawing.sheets[0]).any()


SIZES = ("R74.7", "R4.74", "R47.4", "R7.47", "R74.4")


def sized(shuffled: bool, arrowheads: int = 0, sizes: tuple[str, ...] = SIZES) -> Drawing:
    """A sheet with one text, and sizes as strokes, none with four letters beside one another.

    shuffled: drawn in an order of no lines; arrowheads: how many have an extension line and a dimension line.
    """
    pen = Pen([])
    for number, size in enumerate(sizes):
        left = 100.0
        for part in size.split("."):
            pen.write(part, left, 400.0 - 40 * number)
            end = max(
                line[place]
                for line in pen.lines
                if 399 - 40 * number <= line[1] <= 411 - 40 * number
                for place in (0, 2)
            )
            foot = 400.0 - 40 * number
            if left == 100.0:
                corners = [
                    (end + 2.5, foot),
                    (end + 3.5, foot),
                    (end + 3.5, foot + 1),
                    (end + 2.5, foot + 1),
                    (end + 2.5, foot),
                ]
                pen.lines += [(*one, *two) for one, two in pairwise(corners)]
            left = end + 6.0
    if shuffled:
        pen.lines = pen.lines[::2] + pen.lines[1::2]
    for y in [30.0 * number for number in range(1, arrowheads + 1)]:
        pen.lines += [(50.0, y - 14, 50.0, y + 14), (62.0, y, 90.0, y)]
    drawing = pen.drawing("vector")
    drawing.sheets[0].texts = [Text("annotation-1", "CAP", 1, (600, 40), 0.0, 10.0, 30.0, (600, 40, 630, 50))]
    return drawing


def heads(count: int) -> list[Fill]:
    return [
        Fill(np.array([(50.0, 30.0 * n), (62.0, 30.0 * n + 2), (62.0, 30.0 * n - 2), (50.0, 30.0 * n)]))
        for n in range(1, count + 1)
    ]


@pytest.mark.requirement("outlined.sizes-beside-text")
def test_numbers_of_few_digits_on_either_side_of_a_point_are_strings_of_letters() -> None:
    assert shown(sized(shuffled=False)) == sorted(["CAP", *SIZES])


@pytest.mark.requirement("outlined.sizes-beside-text")
def test_sizes_in_no_order_of_drawing_are_read_where_arrowheads_have_no_sizes_among_the_texts() -> None:
    drawing = sized(shuffled=True, arrowheads=12)
    assert not lettering_strokes(drawing.sheets[0]).any()
    drawing.sheets[0].fills = [*heads(12), *(Fill(fill.points / 2 + 300) for fill in heads(30))]
    assert shown(drawing) == sorted(["CAP", *SIZES])


@pytest.mark.requirement("outlined.sizes-beside-text")
def test_general_tolerances_are_no_sizes_of_views_and_three_decimal_numbers_are_lettering() -> None:
    sizes, texts = ("7.4", "4.7", "4.4"), ["CAP", ">50 ±0.3", "≤ 500", "±0.5°"]
    drawing = sized(shuffled=True, arrowheads=12, sizes=sizes)
    drawing.sheets[0].fills = heads(12)
    drawing.sheets[0].texts = [replace(drawing.sheets[0].texts[0], text=text) for text in texts]
    assert shown(drawing) == sorted([*texts, *sizes])


@pytest.mark.requirement("outlined.sizes-beside-text")
@pytest.mark.parametrize(
    ("count", "at_lines", "texts"), [(4, 4, ["CAP"]), (12, 4, ["CAP"]), (12, 12, ["4X 12.5", "R30", "71"])]
)
def test_a_sheet_without_dimensions_or_with_their_sizes_as_text_has_no_drawn_sizes(
    count: int, at_lines: int, texts: list[str]
) -> None:
    drawing = sized(shuffled=True, arrowheads=at_lines)
    drawing.sheets[0].fills = [*heads(count), *(Fill(fill.points / 2 + 300) for fill in heads(count))]
    drawing.sheets[0].texts = [replace(drawing.sheets[0].texts[0], text=text) for text in texts]
    assert shown(drawing) == sorted(texts)


def few(words: tuple[str, ...]) -> Drawing:
    """Lines of strokes on a sheet that has its other lettering as text."""
    pen = Pen([])
    for number, word in enumerate(words):
        pen.write(word, 100, 400 - 30 * number)
    drawing = pen.drawing("vector")
    drawing.sheets[0].texts = [Text("annotation-1", "CAP", 1, (600, 40), 0.0, 10.0, 30.0, (600, 40, 630, 50))]
    return drawing


@pytest.mark.requirement("outlined.unread-strokes")
def test_three_words_of_strokes_on_a_page_of_text_are_read() -> None:
    words = ("HEFT 47", "ZEHN 74", "MATTE 7")
    assert shown(few(words)) == sorted(["CAP", *words])


@pytest.mark.requirement("outlined.unread-strokes")
def test_lines_of_strokes_that_are_too_few_to_be_read_are_a_warning_with_their_boxes() -> None:
    drawing = few(WORDS[:2])
    assert shown(drawing) == ["CAP"]
    [warning] = drawing.warnings
    assert warning.startswith("page 1: 2 pieces of drawn lettering were not read, in the boxes 100 ")


@pytest.mark.requirement("outlined.unread-strokes")
def test_a_word_of_strokes_is_a_warning_on_each_sheet_that_has_one() -> None:
    drawing, other = few(WORDS[:2]), few(("KATZEN",))
    drawing.sheets.append(replace(other.sheets[0], page=2))
    with_drawn_lettering(drawing)
    assert [warning.split(" not read")[0] for warning in drawing.warnings] == [
        "page 1: 2 pieces of drawn lettering were",
        "page 2: 1 piece of drawn lettering was",
    ]


@pytest.mark.requirement("outlined.unread-strokes")
def test_a_row_of_pins_that_stand_as_letters_do_is_no_warning() -> None:
    pins: list[tuple[float, ...]] = []
    for place in range(24):
        left, right = 100.0 + 16 * place, 105.0 + 16 * place + place % 3
        corners = [(left, 200.0), (left, 214.0), (right, 214.0), (right, 200.0), (left, 200.0)]
        pins += [(*one, *two) for one, two in pairwise(corners)]
    drawing = Pen(pins).drawing("vector")
    assert lettering_strokes(drawing.sheets[0]).any()
    with_drawn_lettering(drawing)
    assert not drawing.warnings


@pytest.mark.requirement("outlined.bars")
def test_straight_letters_of_a_fill_are_read_where_rule_lines_are_as_wide_as_they_are() -> None:
    lines = ("Milk built hall", "Hills blame pupil", "MINIMUM WILL DELIMIT")
    drawing = reader.read(as_outlines(page(lines)), "sheet.pdf")
    strokes = drawing.sheets[0].strokes
    assert strokes.filled is not None and strokes.filled.sum() > 5
    pens = np.unique(np.round(strokes.width, 3))
    frame = np.array([(20.0, 20.0 + n, 580.0, 20.0 + n) for n in range(len(pens))])
    none = np.zeros(len(pens), bool)
    drawing.sheets[0].strokes = Strokes(
        np.concatenate([strokes.ends, frame]), np.concatenate([strokes.width, pens]),
        np.concatenate([strokes.entity, np.full(len(pens), -1)]), np.concatenate([strokes.dashed, none]),
        np.concatenate([strokes.curved, none]), np.concatenate([strokes.filled, none]),
    )  # fmt: skip
    assert shown(drawing) == sorted(lines)


def halved(fill: Fill) -> list[Fill]:
    """An outline as the pieces over and under a level line through its middle."""
    shape = shapely.Polygon(fill.points).buffer(0)
    left, bottom, right, top = shape.bounds
    level = shapely.LineString([(left - 1, (bottom + top) / 2), (right + 1, (bottom + top) / 2)])
    pieces = split(shape, level).geoms if shape.geom_type == "Polygon" and len(fill.points) > 8 else [shape]
    return [replace(fill, points=np.asarray(piece.exterior.coords)) for piece in pieces if piece.geom_type == "Polygon"]


@pytest.mark.requirement("outlined.triangles")
def test_letters_that_are_cut_into_pieces_with_a_common_edge_are_read() -> None:
    lines = ("Sussex 2735 mm", "SCHMUCK 573 GEHT", "must run 7 sums")
    drawing = reader.read(as_outlines(page(lines)), "sheet.pdf")
    sheet = drawing.sheets[0]
    whole = len(sheet.fills)
    sheet.fills = [part for fill in sheet.fills for part in halved(fill)]
    assert len(sheet.fills) > 1.5 * whole
    assert shown(drawing) == sorted(lines)


@pytest.mark.requirement("outlined.cells")
def test_letters_in_narrow_cells_are_read_between_the_rule_lines() -> None:
    pen = Pen([])
    pen.write("ZEHN FETTE KATZEN", 100, 400)
    pen.lines += [(80.0, y, 700.0, y) for y in (296.0, 314.0, 332.0)]
    pen.lines += [(x, low, x, low + 18.0) for x in (90.0, 130.0, 172.0, 214.0) for low in (296.0, 314.0)]
    for number, word in enumerate(("NAT", "ZEH", "KEM")):
        pen.write(word, 95.0 + 41.5 * number, 300)
    assert shown(pen.drawing()) == sorted(["ZEHN FETTE KATZEN", "NAT", "ZEH", "KEM"])


def slanted(word: str, angle: float, *beside: tuple[float, ...]) -> tuple[Pen, np.ndarray]:
    """Four level lines, and a word over a slanted line with other strokes beside it; the matrix that turns it."""
    level, leaning = Pen([]), Pen([])
    for number, line in enumerate(WORDS):
        level.write(line, 100, 500 - 30 * number)
    leaning.write(word, 10, 3)
    leaning.lines += [(0.0, 0.0, 90.0, 0.0), *beside]
    turn = np.radians(angle)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    turned = np.array(leaning.lines).reshape(-1, 2) @ matrix + (450.0, 250.0)
    level.lines += [tuple(line) for line in turned.reshape(-1, 4).tolist()]
    return level, matrix


@pytest.mark.requirement("outlined.oblique")
@pytest.mark.parametrize("angle", [22.0, 57.0, -38.0, -71.0])
def test_lettering_along_a_slanted_line_is_read_in_its_direction(angle: float) -> None:
    pen, matrix = slanted("4MH747", angle)
    [text] = [text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts if text.angle % 90.0]
    assert text.text == "4MH747"
    assert text.angle == pytest.approx(angle % 360.0, abs=1.0)
    assert np.allclose(text.origin, np.array([10.0, 3.0]) @ matrix + (450.0, 250.0), atol=1.5)


@pytest.mark.requirement("outlined.oblique")
@pytest.mark.parametrize("angle", [12.0, 57.0, -38.0])
def test_the_landing_of_a_leader_before_slanted_lettering_is_no_letter_of_it(angle: float) -> None:
    pen, _ = slanted("4MH747", angle, (-6.0, 8.0, 4.0, 8.0), (-9.0, 6.5, -6.0, 8.0), (-9.0, 9.5, -6.0, 8.0))
    texts = [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts if text.angle % 90.0]
    assert texts == ["4MH747"]


@pytest.mark.requirement("outlined.oblique")
def test_a_filled_letter_that_a_short_leader_touches_is_read_at_an_angle() -> None:
    made = pymupdf.open()
    sheet = made.new_page(width=600, height=600)
    for number, line in enumerate(("SECTION KEPT CLEAN", "REMOVE ALL BURRS")):
        sheet.insert_text((60, 60 + 30 * number), line, fontsize=9)
    foot = pymupdf.Point(300, 300)
    sheet.insert_text(foot, "R250", fontsize=9, morph=(foot, pymupdf.Matrix(40)))
    turn = np.radians(-40.0)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    begin, end = (np.array([300.0, 300.0]) + at * along + 0.3 * across for at in (19.0, 45.0))
    sheet.draw_line(pymupdf.Point(*begin.tolist()), pymupdf.Point(*end.tolist()), width=0.7)
    texts = with_drawn_lettering(reader.read(as_outlines(made.tobytes()), "sheet.pdf")).sheets[0].texts
    assert "R250" in [text.text for text in texts]


@pytest.mark.requirement("outlined.oblique")
@pytest.mark.parametrize("angle", [22.0, 57.0, -38.0])
def test_a_radius_of_one_digit_along_a_slanted_line_is_read_and_two_other_letters_are_not(angle: float) -> None:
    found = [
        [
            text.text
            for text in with_drawn_lettering(slanted(word, angle)[0].drawing()).sheets[0].texts
            if text.angle % 90.0
        ]
        for word in ("R4", "KE")
    ]
    assert found == [["R4"], []]
