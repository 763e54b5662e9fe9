"""The views of a sheet and how large they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.models.sheet.drawing import Dimensioning, Sheet
from spatial.understanding.sheet.dimensions.find_dimensions import find_dimensions
from spatial.understanding.sheet.views.find_views import find_views
from spatial.understanding.sheet.views.outside_diameters import hatched_diameters, outside_diameters
from spatial.understanding.sheet.views.pitch_circles import pitch_circles
from spatial.understanding.sheet.views.round_outsides import round_outsides
from spatial.understanding.sheet.views.viewports import views_of_viewports
from tests.spatial.lettered import Board

WIDE, NARROW = 0.7, 0.35


@dataclass
class Plan(Board):
    """A sheet whose outlines are wider than its dimension lines."""

    outline: float = WIDE
    outlines: int = 0

    def rectangle(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Draw outlines; before the dimensions."""
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        for one, other in pairwise(corners):
            self.line(*one, *other)
        self.outlines = len(self.lines)

    def across(self, x0: float, x1: float, y: float, text: str) -> None:
        """A dimension of a width."""
        self.inside(x0, x1, y)
        self.text(text, (x0 + x1) / 2, y + 1)

    def sheet(self) -> Sheet:
        made = super().sheet()
        made.strokes.width[:] = np.where(np.arange(len(self.lines)) < self.outlines, self.outline, NARROW)
        return made


def views(board: Board) -> list[dict[str, Any]]:
    sheet = board.sheet()
    return find_views(sheet, find_dimensions(sheet))[0]


@pytest.mark.requirement("views.outlines")
def test_a_view_is_as_large_as_its_dimensions_say_and_its_outlines_measure() -> None:
    plan = Plan()
    plan.rectangle(100, 300, 300, 420)
    plan.rectangle(150, 320, 180, 350)
    plan.across(100, 300, 450, "400")
    (view,) = views(plan)
    assert view["bbox"] == [100, 300, 300, 420]
    assert view["size"] == [400, 240]
    assert (view["dimensions"], view["confidence"]) == (["dimension-1"], 0.8)


@pytest.mark.requirement("views.outlines")
def test_views_beside_each_other_have_scales_of_their_own() -> None:
    plan = Plan()
    plan.rectangle(100, 300, 300, 420)
    plan.rectangle(500, 300, 600, 360)
    plan.across(100, 300, 450, "400")
    plan.across(500, 600, 400, "20")
    assert [view["size"] for view in views(plan)] == [[400, 240], [20, 12]]


def frame(plan: Plan) -> None:
    plan.rectangle(10, 10, 990, 990)
    plan.rectangle(100, 300, 300, 420)
    plan.across(120, 280, 450, "40")


def one_width(plan: Plan) -> None:
    plan.outline = NARROW
    plan.rectangle(100, 300, 300, 420)
    plan.across(100, 300, 450, "400")


def views_that_overlap(plan: Plan) -> None:
    plan.rectangle(100, 300, 300, 420)
    plan.rectangle(290, 400, 500, 500)
    plan.across(100, 300, 550, "400")


def two_scales(plan: Plan) -> None:
    plan.rectangle(100, 300, 300, 420)
    plan.across(100, 300, 450, "400")
    plan.across(100, 300, 480, "300")


def too_many_lines(plan: Plan) -> None:
    for y in range(8000):
        plan.line(100, 300 + y / 100, 900, 300 + y / 100)
    plan.rectangle(100, 300, 900, 340)
    plan.across(100, 900, 450, "400")


@pytest.mark.requirement("views.none")
@pytest.mark.parametrize("draw", [frame, one_width, views_that_overlap, two_scales, too_many_lines])
def test_what_no_dimension_confirms_is_no_view(draw: Callable[[Plan], None]) -> None:
    plan = Plan()
    draw(plan)
    assert views(plan) == []


def native(id: str, value: float, first: tuple[float, float], second: tuple[float, float]) -> Dimensioning:
    return Dimensioning(
        id, "linear", 1, f"{value:g}", value, None, further={"points": {"first": first, "second": second}}
    )


@pytest.mark.requirement("views.native")
def test_with_native_dimensions_one_width_is_enough_where_both_sides_are_dimensioned() -> None:
    plan = Plan()
    plan.outline = NARROW
    plan.rectangle(100, 300, 300, 420)
    width, height = native("d1", 200, (100, 300), (300, 310)), native("d2", 120, (100, 300), (90, 420))
    sheet = plan.sheet()
    sheet.dimensions = [width, height]
    (view,), _ = find_views(sheet, sheet.dimensions)
    assert (view["size"], view["dimensions"], view["confidence"]) == ([200, 120], ["d1", "d2"], 0.95)
    assert find_views(sheet, [width])[0] == []


@pytest.mark.requirement("views.viewports")
def test_the_views_of_a_layout_are_its_viewports() -> None:
    paper = {"type": "viewport", "id": "entity-1", "page": 2, "center": [5.0, 4.0], "size": [11.0, 9.0]}
    paper |= {"scale": 1.0, "view_center": [5.0, 4.0]}
    window = paper | {"id": "entity-2", "size": [8.0, 6.0], "scale": 0.5, "view_center": [60.0, 40.0]}
    assert views_of_viewports([paper, window, {"type": "line", "page": 2}]) == {
        2: [{"bbox": [1.0, 1.0, 9.0, 7.0], "scale": 0.5, "entity": "entity-2", "confidence": 1.0}]
    }


@pytest.mark.requirement("views.none")
@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(*[st.floats(allow_nan=True, allow_infinity=True)] * 4), max_size=20))
def test_any_lines_are_survived(lines: list[tuple[float, float, float, float]]) -> None:
    plan = Plan()
    plan.rectangle(100, 300, 300, 420)
    plan.across(100, 300, 450, "400")
    plan.lines = [*lines, *plan.lines]
    views(plan)


@pytest.mark.requirement("views.outlines")
def test_a_line_is_no_view_where_only_its_length_is_dimensioned() -> None:
    plan = Plan()
    plan.rectangle(100, 300, 300, 300.8)
    plan.across(100, 300, 450, "400")
    assert views(plan) == []


def turned_part(plan: Plan) -> None:
    """A shaft with a collar, seen from the side: 60 and 100 thick; a sleeve beside it with a bore of 40."""
    for x0, x1, radius in ((100, 180, 30), (180, 220, 50), (220, 300, 30)):
        plan.rectangle(x0, 300 - radius, x1, 300 + radius)
    plan.rectangle(500, 260, 560, 340)
    plan.line(500, 280, 560, 280)
    plan.line(500, 320, 560, 320)
    plan.outlines = len(plan.lines)


@pytest.mark.requirement("views.outside")
@pytest.mark.parametrize(
    ("x", "low", "high", "is_outside"),
    [
        (140, 270, 330, True),  # the shaft, its line within the view
        (80, 270, 330, True),  # the same, its line beside the view
        (200, 250, 350, True),  # the collar
        (600, 260, 340, True),  # the sleeve
        (530, 280, 320, False),  # its bore
        (140, 280, 320, False),  # no edge there
    ],
)
def test_a_diameter_is_of_the_outside_where_the_view_has_no_outline_beyond_it(
    x: float, low: float, high: float, *, is_outside: bool
) -> None:
    plan = Plan()
    turned_part(plan)
    sheet = plan.sheet()
    asked = Dimensioning(
        "dimension-7",
        "diameter",
        1,
        "",
        high - low,
        None,
        further={"arrow_tips": [[x, low], [x, high]], "printed": 1.0},
    )
    assert (outside_diameters(sheet.strokes.ends, sheet, [asked]) == {"dimension-7"}) == is_outside


@pytest.mark.requirement("views.outside")
@pytest.mark.parametrize(("begin", "is_outside"), [(None, True), (270.0, True), (250.0, False)])
def test_a_diameter_beyond_which_a_section_is_hatched_is_of_no_outside(
    begin: float | None, *, is_outside: bool
) -> None:
    plan = Plan()
    turned_part(plan)
    for place in range(104, 170, 12) if begin else ():
        for edge, way in ((270.0, 1.0), (330.0, -1.0)):
            other = edge + way * (begin or 0.0) - way * 260.0  # within the shaft, or beyond its edges
            plan.line(place, edge, place + 10, other)
    sheet = plan.sheet()
    further = {"arrow_tips": [[140.0, 270.0], [140.0, 330.0]], "printed": 1.0}
    asked = Dimensioning("dimension-7", "diameter", 1, "", 60.0, None, further=further)
    outlines = sheet.strokes.ends[: plan.outlines]
    assert (outside_diameters(outlines, sheet, [asked]) == {"dimension-7"}) == is_outside


def upright(x: float, low: float, high: float) -> Dimensioning:
    further = {"arrow_tips": [[x, low], [x, high]], "printed": 1.0}
    return Dimensioning("dimension-7", "diameter", 1, "", high - low, None, further=further)


@pytest.mark.requirement("views.outside-hatched")
@pytest.mark.parametrize(("inner", "is_outside"), [(40.0, True), (-40.0, False), (0.0, False)])
def test_a_diameter_between_whose_ends_a_section_is_hatched_is_of_the_outside(
    inner: float, *, is_outside: bool
) -> None:
    plan = Plan()
    plan.rectangle(100, 200, 180, 400)
    for place in range(104, 170, 12) if inner else ():
        plan.line(place, 250, place + 10, 250 + inner / 4)  # both edges of a boss, 100 thick, or of a bore
        plan.line(place, 350, place - 10, 350 - inner / 4)
    assert (hatched_diameters(plan.sheet(), [upright(140, 250, 350)]) == {"dimension-7"}) == is_outside


@pytest.mark.requirement("views.outside-hatched")
@pytest.mark.parametrize(("high", "is_outside"), [(256, False), (280, True)])
def test_between_arrows_that_point_inwards_hatching_says_nothing(high: float, *, is_outside: bool) -> None:
    plan = Plan()
    plan.rectangle(100, 200, 180, 400)
    for place in range(104, 170, 12):
        plan.line(place, 250, place + high - 250, high)
    assert (hatched_diameters(plan.sheet(), [upright(140, 250, high)]) == {"dimension-7"}) == is_outside


@pytest.mark.requirement("views.outside-hatched")
def test_the_slopes_of_a_groove_are_no_hatching_beyond_its_diameter() -> None:
    plan = Plan()
    for edge, way in ((270, -1), (330, 1)):
        plan.line(110, edge, 170, edge)
        plan.line(110, edge, 80, edge + 30 * way)
        plan.line(170, edge, 200, edge + 30 * way)
    for x, beyond in ((80, 10), (200, 270)):
        plan.line(x, 240, x, 360)
        plan.line(x, 240, beyond, 240)
        plan.line(x, 360, beyond, 360)
    plan.outlines = len(plan.lines)
    sheet = plan.sheet()
    assert outside_diameters(sheet.strokes.ends, sheet, [upright(140, 270, 330)]) == {"dimension-7"}


@pytest.mark.requirement("views.pitch-circle")
@pytest.mark.parametrize(
    ("count", "radius", "small", "is_pitch"),
    [(3, 80, 8, True), (6, 80, 8, True), (2, 80, 8, False), (4, 70, 8, False), (4, 80, 60, False)],
)
def test_a_diameter_is_of_a_circle_of_centres_where_circles_of_one_size_have_their_centres_on_it(
    count: int, radius: float, small: float, *, is_pitch: bool
) -> None:
    plan = Plan()
    for turn in 2 * np.pi * np.arange(count) / count:
        plan.arcs.append((300 + 80 * float(np.cos(turn)), 300 + 80 * float(np.sin(turn)), small, 0, 360))
    circles = plan.sheet().arcs.circles
    assert (pitch_circles(circles, 1000.0, [at(300, radius, turn=0.6)]) == {"dimension-7"}) == is_pitch


def lever(plan: Plan, *, bores: bool = True) -> None:
    """The end of a lever, 80 in diameter about (300, 300), with a bore of 40; a plate about (700, 300) with a counterbored hole."""
    plan.arcs.append((300, 300, 40, 0, 360))
    for y in (280, 320):
        plan.line(300 + (40**2 - 20**2) ** 0.5, y, 500, y)
    plan.line(500, 280, 500, 320)
    plan.rectangle(600, 200, 800, 400)
    plan.arcs.append((700, 300, 40, 0, 360))
    for x in (300, 700) if bores else ():
        plan.arcs.append((x, 300, 20, 0, 360))
    plan.outlines = len(plan.lines)


def at(x: float, radius: float, *, turn: float | None) -> Dimensioning:
    """A diameter about (x, 300), across at an angle or at a leader."""
    across = [
        [x + way * radius * np.cos(turn or 0.7), 300 + way * radius * np.sin(turn or 0.7)]
        for way in ((1,) if turn is None else (1, -1))
    ]
    return Dimensioning(
        "dimension-7", "diameter", 1, "", 2 * radius, None, further={"arrow_tips": across, "printed": 1.0}
    )


def outsides(plan: Plan, asked: Dimensioning, *, are_wide: bool) -> bool:
    sheet = plan.sheet()
    pieces = np.linspace(0, 2 * np.pi, 73)
    rings = [np.stack([x + r * np.cos(pieces), y + r * np.sin(pieces)], axis=1) for x, y, r, *_ in sheet.arcs.circles]
    ends = [sheet.strokes.ends, *(np.concatenate([ring[:-1], ring[1:]], axis=1) for ring in rings)]
    return round_outsides(np.concatenate(ends), sheet, [asked], are_wide=are_wide) == {"dimension-7"}


@pytest.mark.requirement("views.outside-round")
@pytest.mark.parametrize("are_wide", [True, False])
@pytest.mark.parametrize("turn", [None, 0.6, 0.0, np.pi / 2])
@pytest.mark.parametrize(
    ("x", "radius", "is_outside"), [(300, 40, True), (300, 20, False), (700, 40, False), (700, 20, False)]
)
def test_a_diameter_is_of_the_outside_where_nothing_of_the_part_lies_beyond_its_circle(
    x: float, radius: float, turn: float | None, *, are_wide: bool, is_outside: bool
) -> None:
    plan = Plan()
    lever(plan)
    assert outsides(plan, at(x, radius, turn=turn), are_wide=are_wide) == is_outside


@pytest.mark.requirement("views.outside-round")
@pytest.mark.parametrize("are_wide", [True, False])
def test_a_circle_with_nothing_inside_may_be_a_hole_of_a_layout(*, are_wide: bool) -> None:
    plan = Plan()
    lever(plan, bores=False)
    plan.line(295, 300, 305, 300)  # the mark of its centre
    plan.line(300, 295, 300, 305)
    assert not outsides(plan, at(300, 40, turn=0.6), are_wide=are_wide)


@pytest.mark.requirement("views.outside-round")
def test_a_circle_within_the_border_of_a_detail_bounds_no_part() -> None:
    plan = Plan()
    lever(plan)
    plan.arcs.append((310, 300, 60, 0, 360))
    assert not outsides(plan, at(300, 40, turn=0.6), are_wide=True)


@pytest.mark.requirement("views.outside-round")
@pytest.mark.parametrize(("count", "is_outside"), [(1, True), (2, True), (3, False)])
def test_circles_of_one_size_are_a_pattern_of_holes_of_which_a_layout_shows_no_outline(
    count: int, *, is_outside: bool
) -> None:
    plan = Plan()
    plan.arcs += [(300, 300, 40, 0, 360), (300, 300, 20, 0, 360)]
    plan.arcs += [(300, 300 + 100 * place, 40, 0, 360) for place in range(1, count)]
    plan.line(250, 200, 250, 560)  # the edge that makes them one view
    plan.line(250, 200, 350, 200)
    plan.outlines = len(plan.lines)
    assert outsides(plan, at(300, 40, turn=0.6), are_wide=True) == is_outside
