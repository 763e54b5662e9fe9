"""Ruled cells."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.models.sheet.drawing import Fill, Sheet, Strokes, Text
from spatial.understanding.sheet.cells.border import find_frame, zone_texts
from spatial.understanding.sheet.cells.cut import cut_text
from spatial.understanding.sheet.cells.grid import Cell, Grid, find_grids
from spatial.understanding.sheet.cells.rule_lines import find_rule_lines
from tests.spatial.drawn_tables import Paper, framed, table

LONGEST_SECONDS = 3.0
"""Of CPU time, which a busy machine does not lengthen, for a pathological sheet; it takes a tenth of this."""

BLOCK = [["Drawn", "A. Smith", "2024-01-02"], ["Checked", "B. Jones", "2024-01-03"], ["Approved", "C. Brown", ""]]
WIDTHS = [30, 40, 35]


def only(sheet: Sheet) -> Grid:
    (grid,) = find_grids(sheet)
    return grid


def cell(grid: Grid, said: str) -> Cell:
    return next(each for each in grid.cells if each.text == said)


@pytest.mark.requirement("drawing.cells")
@pytest.mark.parametrize("rules", ["all", "bars", "sloppy"])
def test_cells_hold_their_texts_however_rules_are_drawn(rules: str) -> None:
    paper = Paper()
    table(paper, BLOCK, 200, 100, WIDTHS, rules=rules)
    grid = only(paper.sheet())
    said = {(each.rows[0], each.columns[0]): each.text for each in grid.cells}
    assert said == {(row, column): text for row, line in enumerate(BLOCK) for column, text in enumerate(line)}


def _rounded(bar: Fill) -> Fill:
    """A filled bar with round ends, as what a round pen draws is filled."""
    (x1, y1), (x2, y2) = bar.points.min(axis=0).tolist(), bar.points.max(axis=0).tolist()
    reach = min(x2 - x1, y2 - y1) / 2
    turn = np.linspace(-np.pi / 2, np.pi / 2, 11)
    end = reach * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if x2 - x1 < y2 - y1:
        end = np.stack([-end[:, 1], end[:, 0]], axis=1)
    return Fill(np.vstack([np.array([x2 - reach, y2 - reach]) + end, np.array([x1 + reach, y1 + reach]) - end]))


@pytest.mark.requirement("drawing.cells")
def test_filled_bars_with_round_ends_are_rules() -> None:
    paper = Paper()
    table(paper, BLOCK, 200, 100, WIDTHS, rules="bars")
    paper.fills = [_rounded(bar) for bar in paper.fills]
    assert [each.text for each in only(paper.sheet()).cells] == [text for line in BLOCK for text in line]


@pytest.mark.requirement("drawing.cells")
def test_a_thick_rule_drawn_as_two_lines_is_one() -> None:
    paper = Paper()
    table(paper, BLOCK, 200, 100, WIDTHS)
    paper.strokes += [(x1, y1 + 0.3, x2, y2 + 0.3) for x1, y1, x2, y2 in paper.strokes]
    assert len(only(paper.sheet()).cells) == 9


@pytest.mark.requirement("drawing.cells")
def test_a_rule_in_pieces_is_whole_and_a_loose_line_parts_nothing() -> None:
    paper = Paper()
    paper.write("VALUE", 12, 15)
    for start in (0, 25, 50, 75):
        paper.line(start, 10, start + 24.8, 10)
        paper.line(start, 20, start + 24.8, 20)
    paper.line(0, 10, 0, 20)
    paper.line(99.8, 10, 99.8, 20)
    paper.line(40, 10, 40, 16)
    assert [each.text for each in only(paper.sheet()).cells] == ["VALUE"]


@pytest.mark.requirement("drawing.cells-turned")
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_turned_block_has_the_same_cells(angle: int) -> None:
    paper = Paper()
    table(paper, [["Title", "Motor\nbracket"], ["Scale", "1:2"]], 200, 100, [30, 60])
    grid = only(paper.sheet(angle))
    assert grid.angle == angle
    assert [(each.rows[0], each.columns[0], each.text) for each in grid.cells] == [
        (0, 0, "Title"),
        (0, 1, "Motor\nbracket"),
        (1, 0, "Scale"),
        (1, 1, "1:2"),
    ]


@pytest.mark.requirement("drawing.cells-neighbours")
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_neighbours_are_told_as_the_block_reads(angle: int) -> None:
    paper = Paper()
    table(paper, BLOCK, 200, 100, WIDTHS)
    grid = only(paper.sheet(angle))
    middle = cell(grid, "B. Jones")
    assert [each.text for each in grid.left_of(middle)] == ["Checked"]
    assert [each.text for each in grid.right_of(middle)] == ["2024-01-03"]
    assert [each.text for each in grid.above(middle)] == ["A. Smith"]
    assert [each.text for each in grid.below(middle)] == ["C. Brown"]


@pytest.mark.requirement("drawing.cells-glued")
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_a_text_over_two_cells_is_cut_between_its_letters(angle: int) -> None:
    paper = Paper()
    table(paper, [["", "", "DATE"], ["x", "y", "z"]], 0, 100, [30, 30, 30])
    glued = paper.write("CHANGEREV BY", 5, 97)
    steps = np.linspace(0.0, 18.0, 13, dtype=np.float64)
    steps[6:] += 33.0 - steps[6]
    glued.advances, glued.width, glued.box = (
        steps,
        float(steps[-1]),
        (5.0, glued.box[1], 5.0 + float(steps[-1]), glued.box[3]),
    )
    assert [each.text for each in only(paper.sheet(angle)).cells][:3] == ["CHANGE", "REV BY", "DATE"]


@pytest.mark.requirement("drawing.cells-glued")
def test_a_rule_right_before_a_wide_first_letter_cuts_nothing() -> None:
    paper = Paper()
    table(paper, [["SCALE", ""]], 0, 100, [30, 30])
    text = paper.write("WEIGHT: 3.4#", 30.1, 97)
    steps = np.cumsum([0.0, 3.2, *[1.5] * 11])
    text.advances, text.width, text.box = steps, float(steps[-1]), (30.1, text.box[1], 30.1 + steps[-1], text.box[3])
    assert [each.text for each in only(paper.sheet()).cells] == ["SCALE", "WEIGHT: 3.4#"]


@pytest.mark.requirement("drawing.cells-glued")
def test_a_rule_behind_a_letter_that_is_wide_by_itself_cuts_no_word() -> None:
    steps = np.array([2.1 if sign == "m" else 1.2 for sign in "Chomoly plate"]).cumsum()
    width = float(steps[-1])
    advances = np.array([0.0, *steps])
    text = Text("annotation-1", "Chomoly plate", 1, (0, 0), 0, 2, width, (0, 0, width, 2), advances=advances)
    rule = float(steps[3]) - 0.3
    assert cut_text(text, np.array([[rule, -5.0, rule, 5.0]])) == [text]


@pytest.mark.requirement("drawing.cells-glued")
def test_a_text_that_runs_out_of_its_cell_stays_whole() -> None:
    paper = Paper()
    table(paper, [["", ""]], 0, 100, [20, 60])
    paper.write("GEHAEUSEDECKELSCHRAUBE", 1, 97)
    assert [each.text for each in only(paper.sheet()).cells] == ["GEHAEUSEDECKELSCHRAUBE", ""]


@pytest.mark.requirement("drawing.cells-capped")
def test_a_plate_of_a_hundred_thousand_strokes_is_read_in_seconds() -> None:
    random = np.random.default_rng(3)
    start = random.uniform(0, 400, (50_000, 2))
    length = random.uniform(1, 200, 50_000)
    level = np.column_stack([start, start[:, 0] + length, start[:, 1]])
    plumb = np.column_stack([start, start[:, 0], start[:, 1] + length])
    flags = np.zeros(100_000, bool)
    strokes = Strokes(np.vstack([level, plumb]), np.zeros(100_000), np.full(100_000, -1), flags, flags.copy())
    paper = Paper()
    paper.write("A", 100, 100)
    sheet = paper.sheet()
    sheet.strokes = strokes
    began = time.process_time()
    find_grids(sheet)
    find_frame(sheet)
    assert time.process_time() - began < LONGEST_SECONDS


@pytest.mark.requirement("drawing.frame")
@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_the_frame_is_the_inner_border_and_zones_are_outside_it(angle: int) -> None:
    paper = Paper()
    framed(paper)
    paper.write("A", 100, 100)
    table(paper, BLOCK, 300, 33, WIDTHS)
    sheet = paper.sheet(angle)
    border = find_frame(sheet)
    assert border is not None
    assert sorted({round(abs(side)) for side in border}) == [15, 282, 405]
    zones = {text.text for text in sheet.texts if text.id in zone_texts(sheet)}
    assert zones == {"A", "B", "C", "1", "2", "3", "4", "5"}
    assert sum(text.id in zone_texts(sheet) for text in sheet.texts) == 16


@pytest.mark.requirement("drawing.frame")
def test_a_sheet_without_a_border_has_no_frame_and_no_zones() -> None:
    paper = Paper()
    table(paper, BLOCK, 300, 33, WIDTHS)
    assert find_frame(paper.sheet()) is None
    assert zone_texts(paper.sheet()) == set()


ANYWHERE = st.one_of(st.floats(-500, 900), st.sampled_from([0.0, 10.0, 20.0, 1e15, -1e300, float("nan"), float("inf")]))


@pytest.mark.requirement("tables.hostile")
@given(
    ends=st.lists(st.tuples(ANYWHERE, ANYWHERE, ANYWHERE, ANYWHERE), max_size=40),
    fills=st.lists(st.lists(st.tuples(ANYWHERE, ANYWHERE), max_size=6), max_size=5),
    height=st.sampled_from([0.0, 1e-9, 2.5, 1e9, float("nan")]),
)
@settings(max_examples=150, deadline=None)
def test_rules_at_any_place_are_read(
    ends: list[tuple[float, ...]], fills: list[list[tuple[float, float]]], height: float
) -> None:
    paper = Paper()
    paper.write("ITEM", 10, 10).height = height
    paper.write("QTY", float("nan"), 10)
    sheet = paper.sheet()
    flags = np.zeros(len(ends), bool)
    sheet.strokes = Strokes(
        np.array(ends, float).reshape(-1, 4), np.zeros(len(ends)), np.full(len(ends), -1), flags, flags.copy()
    )
    sheet.fills = [Fill(np.array(points, float).reshape(-1, 2)) for points in fills]
    for grid in find_grids(sheet):
        assert all(each.box[0] < each.box[2] and each.box[1] < each.box[3] for each in grid.cells)
    find_frame(sheet)


@pytest.mark.requirement("drawing.cells-glued")
def test_a_rule_behind_a_letter_that_others_are_as_wide_as_cuts_no_word() -> None:
    steps = np.array([1.9 if sign in "oadg" else 1.0 for sign in "rover drafting"]).cumsum()
    width = float(steps[-1])
    advances = np.array([0.0, *steps])
    text = Text("annotation-1", "rover drafting", 1, (0, 0), 0, 2, width, (0, 0, width, 2), advances=advances)
    rule = float(steps[1]) - 0.3
    assert cut_text(text, np.array([[rule, -5.0, rule, 5.0]])) == [text]


@pytest.mark.requirement("drawing.cells")
@pytest.mark.parametrize(
    ("second", "gap", "said"),
    [("-1042", 0.2, "C-1042"), ("-1042", 1.5, "C -1042"), ("1042", 0.2, "C 1042"), ("- 1042", 0.2, "C - 1042")],
)
@pytest.mark.parametrize("angle", [0, 90])
def test_a_number_that_goes_on_with_a_dash_right_behind_a_letter_is_one(
    second: str, gap: float, said: str, angle: int
) -> None:
    paper = Paper()
    paper.rectangle(30, 90, 90, 110)
    first = paper.write("C", 35, 100, height=5.0)
    paper.write(second, first.box[2] + gap, 100)
    (grid,) = find_grids(paper.sheet(angle))
    assert [cell.text for cell in grid.cells if cell.texts] == [said]


@pytest.mark.requirement("drawing.cells")
def test_strokes_of_letters_are_no_rule_lines_wherever_texts_of_any_height_stand() -> None:
    chance = np.random.default_rng(3)
    texts, strokes = [], []
    for number, height in enumerate(np.append(chance.uniform(0.5, 40.0, 80), 2_000.0).tolist()):
        x, y = 5_000.0 * (number % 9) - 20_000.0, 4_000.0 * (number // 9) - 20_000.0
        box = x, y, x + 2.0 * height, y + height
        texts.append(Text(f"annotation-{number + 1}", "OK", 1, (x, y), 0.0, height, 2.0 * height, box))
        strokes += [
            (x, y + height / 2, x + 0.6 * height, y + height / 2),
            (x, y - height, x + 0.6 * height, y - height),
        ]
    paper = Paper()
    sheet = paper.sheet()
    sheet.texts = texts
    none = np.zeros(len(strokes), bool)
    sheet.strokes = Strokes(np.array(strokes), np.zeros(len(none)), np.full(len(none), -1), none, none.copy())
    level, upright = find_rule_lines(sheet, 0.05)
    assert not len(upright)
    assert sorted(level[:, 0].tolist()) == pytest.approx(sorted(y for _, y, _, _ in strokes[1::2]))
