"""Signs that stand over, beside and behind the letters of a drawn line, and glyphs that its neighbours tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Text
from spatial.models.sheet.repairs import PARTIAL
from spatial.understanding.sheet.outlined.classes import CLASSES, NO_LETTER
from spatial.understanding.sheet.outlined.features import GREY, Floats
from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from spatial.understanding.sheet.outlined.layer_texts import merge_layer
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rings import is_ring
from spatial.understanding.sheet.outlined.rows import Row
from spatial.understanding.sheet.outlined.spelling import spell
from tests.accuracy.outlined import as_outlines
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen, lettered, page


def row_of(chances: list[dict[str, float]], high: list[float] | None = None, told: str = "") -> ReadRow:
    """A row whose glyphs have these chances, side by side on one baseline."""
    count = len(chances)
    boxes = np.array([(place, 0.0, place + 0.6, (high or [1.0] * count)[place]) for place in range(count)])
    table = np.zeros((count, len(CLASSES)), np.float32)
    for place, of in enumerate(chances):
        for sign, chance in of.items():
            table[place, CLASSES.index(sign)] = chance
    signs = tuple(told) if told else ()
    return ReadRow(
        Row(0, [[place] for place in range(count)], 1.0), 0, boxes, table, table, 0.0, 1.0, False, None, signs
    )


def spelled(chances: list[dict[str, float]], high: list[float] | None = None, told: str = "") -> str:
    read = row_of(chances, high, told)
    return "".join(each.sign for each in spell(read, [list(range(len(chances)))], cyrillic=False))


def sure(text: str) -> list[dict[str, float]]:
    return [{sign: 0.99} for sign in text]


@pytest.mark.requirement("outlined.lines")
def test_the_two_strokes_of_an_inch_sign_within_a_line_are_of_it() -> None:
    pen = Pen([])
    pen.write("MATTE 47 HEFT", 100, 340)
    pen.write("74", 100, 300)
    pen.lines += [(116.2, 310.0, 116.2, 307.5), (118.4, 310.0, 118.4, 307.5)]
    pen.write("ZENT", 122, 300)
    texts = [text.text for text in with_drawn_lettering(pen.drawing()).sheets[0].texts]
    assert '74"ZENT' in texts, texts


@pytest.mark.requirement("outlined.lines")
def test_numbers_are_whole_where_all_that_begin_with_0_have_a_wide_gap_behind_their_point() -> None:
    lines = ("SIZE 104, 8±0. 10", "DEPTH 96, 14±0. 25", "SECTION KEPT CLEAN")
    assert [text.text for text in lettered(as_outlines(page(lines))).sheets[0].texts] == [
        "SIZE 104,8±0.10",
        "DEPTH 96,14±0.25",
        lines[2],
    ]


@pytest.mark.requirement("outlined.lines")
def test_sizes_with_their_unit_alone_in_lines_are_whole_numbers() -> None:
    lines = ("42. 86mm", "23. 98mm", "SECTION KEPT CLEAN")
    found = [text.text for text in lettered(as_outlines(page(lines))).sheets[0].texts]
    assert found == ["42.86mm", "23.98mm", lines[2]]


@pytest.mark.requirement("outlined.lines")
def test_a_list_of_sizes_keeps_its_marks() -> None:
    lines = ("2. 86mm", "3. 98mm", "SECTION KEPT CLEAN")
    assert [text.text for text in lettered(as_outlines(page(lines))).sheets[0].texts] == list(lines)


@pytest.mark.requirement("outlined.lines")
def test_items_keep_the_blank_behind_their_mark_where_numbers_have_none() -> None:
    lines = ("2. 4 HOLES KEPT CLEAN", "DEPTH 0.25 AND 0.10")
    assert [text.text for text in lettered(as_outlines(page(lines))).sheets[0].texts] == list(lines)


@pytest.mark.requirement("outlined.read")
def test_letters_that_are_drawn_twice_are_read_once() -> None:
    drawing = reader.read(as_outlines(page(("LINEAR EFFECT SENSOR",))), "sheet.pdf")
    sheet = drawing.sheets[0]
    again = []
    for fill in sheet.fills:
        middle = (fill.points.min(axis=0) + fill.points.max(axis=0)) / 2
        again.append(replace(fill, points=middle + (fill.points - middle) * 0.94))
    sheet.fills = sheet.fills + again
    assert [text.text for text in with_drawn_lettering(drawing).sheets[0].texts] == ["LINEAR EFFECT SENSOR"]


@pytest.mark.requirement("outlined.lines")
def test_the_zeros_of_a_deviation_are_figures_however_low_they_are() -> None:
    ring = {"o": 0.6, "0": 0.2, "O": 0.19}
    low = [0.7, 0.7, 0.2, 0.7, 0.7]
    read = row_of([{"±": 0.99}, ring, {".": 0.99}, ring, {"5": 0.99}], low, "±0.05")
    read.framed = True
    read.alike = read.chances.copy()
    read.alike[[1, 3], CLASSES.index("o")] = 0.99
    assert "".join(each.sign for each in spell(read, [[0, 1, 2, 3, 4]], cyrillic=False))[1:4] == "0.0"


@pytest.mark.requirement("outlined.lines")
def test_the_bracket_that_another_one_lacks_is_one_where_a_single_glyph_may_be_it() -> None:
    unsure = {"C": 0.6, "[": 0.38}
    assert spelled([unsure, *sure("7.24]")]) == "[7.24]"
    assert spelled([unsure, *sure("7.24")]).startswith("\ufffd")
    assert spelled([unsure, unsure, *sure("7.24]")]).startswith("\ufffd\ufffd")


@pytest.mark.requirement("outlined.lines")
def test_a_diameter_sign_or_no_letter_before_a_number_is_the_sign() -> None:
    assert spelled([{"Ø": 0.7, NO_LETTER: 0.29}, *sure("74")]) == "⌀74"
    assert spelled([{"Ø": 0.4, "6": 0.5}, *sure("74")]).startswith("\ufffd")


@pytest.mark.requirement("outlined.lines")
def test_the_last_figure_of_a_size_before_a_fit_is_a_zero() -> None:
    ring = {"O": 0.58, "0": 0.42}
    assert spelled([*sure("12"), ring, *sure("m6")]) == "120m6"
    assert spelled([*sure("12"), ring, *sure("mR")])[2] != "0"
    assert spelled([*sure("2"), ring, *sure("F3")])[1] != "0"


@pytest.mark.requirement("outlined.lines")
def test_a_letter_that_the_reader_of_lines_is_sure_of_is_believed_among_letters_that_are_sure() -> None:
    unsure = {"A": 0.6, "H": 0.39}
    assert spelled([*sure("RER"), unsure, *sure("R")], told="RERAR") == "RERAR"
    assert spelled([*sure("RER"), unsure, *sure("R")], told="RERRR")[3] == "\ufffd"
    assert spelled([unsure, *sure("R")], told="AR")[0] == "\ufffd"
    ring = {"O": 0.6, "D": 0.39}
    assert spelled([*sure("RER"), ring, *sure("R")], told="REROR") == "REROR"
    assert spelled([*sure("RERR"), ring], told="RERRO")[4] == "\ufffd"


@pytest.mark.requirement("outlined.lines")
def test_a_ring_with_corners_is_one_and_a_letter_open_at_one_side_is_none() -> None:
    octagon = np.zeros((GREY, GREY), np.float32)
    octagon[2, 5:11] = octagon[13, 5:11] = 1.0
    octagon[5:11, 2] = octagon[5:11, 13] = 1.0
    for step in range(4):
        for row, column in ((2 + step, 5 - step), (2 + step, 10 + step), (13 - step, 5 - step), (13 - step, 10 + step)):
            octagon[row, column] = 1.0
    assert is_ring(_thick(octagon))
    opened = octagon.copy()
    opened[4:12, 12:15] = 0.0
    assert not is_ring(_thick(opened))
    crossed = octagon.copy()
    crossed[7:9, 3:13] = 1.0
    assert not is_ring(_thick(crossed))


def _thick(picture: Floats) -> Floats:
    """A picture whose lines are closed over corners too."""
    thick = picture.copy()
    thick[1:] = np.maximum(thick[1:], picture[:-1] * 0.5)
    thick[:-1] = np.maximum(thick[:-1], picture[1:] * 0.5)
    return thick.reshape(-1)


@pytest.mark.requirement("outlined.lines")
def test_a_line_says_what_a_layer_says_a_part_of_though_nothing_stands_behind_its_last_abbreviation() -> None:
    def text(words: str, repairs: tuple[str, ...]) -> Text:
        return Text(
            id="", text=words, page=1, origin=(0.0, 0.0), angle=0.0, height=10.0, width=100.0, box=(0.0, 0.0, 100.0, 10.0),
            repairs=repairs,
        )  # fmt: skip

    merged = merge_layer([text("\ufffd:\ufffd1\ufffd.\ufffd", (PARTIAL,))], [text("COUNT: 1 pcs.", ())])
    assert [each.text for each in merged] == ["COUNT: 1 pcs."]
