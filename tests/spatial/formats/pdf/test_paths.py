"""Vector paths of PDF pages: what is drawn by PyMuPDF comes back as what it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pymupdf
import pytest

from spatial.formats.pdf import paths
from spatial.formats.pdf.images import PageImages
from spatial.formats.pdf.paths import PageGeometry, layers, read_geometry
from spatial.formats.pdf.pictures import Pictures
from spatial.geometry import arcs

PYMUPDF: Any = pymupdf
WIDE, TALL = 400.0, 300.0


def page(rotation: int = 0) -> Any:
    made: Any = PYMUPDF.open()
    sheet = made.new_page(width=WIDE, height=TALL)
    sheet.set_rotation(rotation)
    return sheet


def shown(sheet: Any, *, number: int = 1, first: int = 0) -> PageGeometry:
    """What is read after the page went through a file."""
    again: Any = PYMUPDF.open("pdf", sheet.parent.tobytes())
    return read_geometry(again[0], number, first, _pictures(again[0]))


def _pictures(sheet: Any) -> Pictures:
    return Pictures(sheet, PageImages(sheet))


def content(stream: str) -> PageGeometry:
    """What is read of a page with this content stream."""
    sheet = page()
    sheet.parent.update_stream(sheet.get_contents()[0] if sheet.get_contents() else _empty(sheet), stream.encode())
    return shown(sheet)


def _empty(sheet: Any) -> int:
    sheet.draw_line((0, 0), (1, 1))
    number: int = sheet.get_contents()[0]
    return number


def chords(count: int, radius: float, *, rounded: int = 9, sweep: float = 360.0) -> list[tuple[float, float]]:
    turn = np.radians(np.linspace(0.0, sweep, count + 1))
    return [(round(200 + radius * np.cos(t), rounded), round(150 + radius * np.sin(t), rounded)) for t in turn.tolist()]


def kinds(result: PageGeometry) -> list[str]:
    return [entity["type"] for entity in result.entities]


@pytest.mark.requirement("pdf-paths.frame")
@pytest.mark.parametrize(
    ("rotation", "expected"),
    [(0, (10, 280, 60, 280)), (90, (280, 390, 280, 340)), (180, (390, 20, 340, 20)), (270, (20, 10, 20, 60))],
)
def test_the_frame_is_that_of_the_page_as_displayed(rotation: int, expected: tuple[float, ...]) -> None:
    sheet = page()
    sheet.draw_line((10, 20), (60, 20))
    sheet.set_rotation(rotation)
    result = shown(sheet)
    assert result.strokes.ends == pytest.approx(np.array([expected], dtype=float), abs=1e-3)
    assert result.entities[0]["start"] == pytest.approx(expected[:2], abs=1e-3)


@pytest.mark.requirement("pdf-paths.circles")
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_circle_of_bezier_curves_is_a_circle(rotation: int) -> None:
    sheet = page()
    sheet.draw_circle((100, 100), 20)
    sheet.set_rotation(rotation)
    result = shown(sheet)
    centre = {0: (100, 200), 90: (200, 300), 180: (300, 100), 270: (100, 100)}[rotation]
    assert kinds(result) == ["circle"]
    assert result.arcs.circles[0] == pytest.approx((*centre, 20, 0, 360), abs=0.02)
    assert not len(result.strokes.ends)


@pytest.mark.requirement("pdf-paths.circles")
def test_a_circle_of_two_curves_is_a_circle() -> None:
    k = 4 / 3 * 20
    result = content(f"120 100 m 120 {100 + k} 80 {100 + k} 80 100 c 80 {100 - k} 120 {100 - k} 120 100 c S")
    assert kinds(result) == ["circle"]
    assert result.arcs.circles[0, 2] == pytest.approx(20, rel=0.03)


@pytest.mark.requirement("pdf-paths.circles")
def test_a_circle_of_two_arcs_drawn_either_way_is_a_circle() -> None:
    sheet = page()
    half = chords(16, 30, sweep=180)
    sheet.draw_polyline(half)
    sheet.draw_polyline([(x, 300 - y) for x, y in half])
    result = shown(sheet)
    assert kinds(result) == ["circle"]
    assert result.arcs.circles[0] == pytest.approx((200, 150, 30, 0, 360), abs=0.05)


@pytest.mark.requirement("pdf-paths.circles")
@pytest.mark.parametrize("count", [12, 16, 24, 36, 56, 64])
@pytest.mark.parametrize("radius", [3.0, 4.4, 12.0, 90.0])
def test_a_circle_of_rounded_chords_is_a_circle(count: int, radius: float) -> None:
    sheet = page()
    sheet.draw_polyline(chords(count, radius, rounded=1))
    result = shown(sheet)
    assert kinds(result) == ["circle"]
    assert result.arcs.circles[0] == pytest.approx((200, 150, radius, 0, 360), abs=0.12)


@pytest.mark.requirement("pdf-paths.circles")
def test_small_circles_may_have_eight_chords() -> None:
    sheet = page()
    sheet.draw_polyline(chords(8, 4.0))
    assert kinds(shown(sheet)) == ["circle"]


@pytest.mark.requirement("pdf-paths.polygons")
@pytest.mark.parametrize(("count", "radius"), [(3, 5), (4, 30), (5, 4), (6, 4), (6, 40), (8, 40)])
def test_polygons_stay_polygons(count: int, radius: float) -> None:
    sheet = page()
    sheet.draw_polyline(chords(count, radius))
    result = shown(sheet)
    assert not len(result.arcs.circles)
    assert len(result.strokes.ends) == count


@pytest.mark.requirement("pdf-paths.arcs")
def test_an_arc_keeps_its_angles() -> None:
    sheet = page()
    sheet.draw_polyline(chords(20, 50, sweep=90))
    result = shown(sheet)
    assert kinds(result) == ["arc"]
    assert result.arcs.circles[0] == pytest.approx((200, 150, 50, 270, 360), abs=0.3)


@pytest.mark.requirement("pdf-paths.arcs")
def test_a_slot_is_two_lines_and_two_arcs() -> None:
    right = [(150 + 10 * np.cos(t), 100 + 10 * np.sin(t)) for t in np.linspace(-np.pi / 2, np.pi / 2, 17).tolist()]
    left = [(90 - 10 * np.cos(t), 100 - 10 * np.sin(t)) for t in np.linspace(-np.pi / 2, np.pi / 2, 17).tolist()]
    sheet = page()
    sheet.draw_polyline([*right, *left, right[0]])
    result = shown(sheet)
    assert sorted(kinds(result)) == ["arc", "arc", "line", "line"]
    assert sorted(result.arcs.circles[:, 0].tolist()) == pytest.approx([90, 150], abs=0.05)


@pytest.mark.requirement("pdf-paths.arcs")
def test_single_curves_are_arcs() -> None:
    k = 0.5522847498 * 30
    result = content(f"130 100 m 130 {100 + k} {100 + k} 130 100 130 c S")
    assert kinds(result) == ["arc"]
    assert result.arcs.circles[0] == pytest.approx((100, 100, 30, 0, 90), abs=0.1)


@pytest.mark.requirement("pdf-paths.ellipses")
def test_an_ellipse_has_its_axes_and_a_free_curve_stays_one() -> None:
    sheet = page()
    sheet.draw_oval(PYMUPDF.Rect(100, 100, 180, 140))
    sheet.draw_bezier((10, 10), (60, 10), (10, 60), (90, 90))
    result = shown(sheet)
    assert sorted(kinds(result)) == ["bezier", "ellipse"]
    ellipse = next(entity for entity in result.entities if entity["type"] == "ellipse")
    assert ellipse["center"] == pytest.approx([140, 180], abs=0.05)
    assert ellipse["radii"] == pytest.approx([40, 20], abs=0.05)
    assert result.strokes.curved.all()


@pytest.mark.requirement("pdf-paths.entities")
def test_entities_are_listed_and_named_by_place() -> None:
    sheet = page()
    sheet.draw_rect(PYMUPDF.Rect(10, 10, 60, 40))
    sheet.draw_line((5, 5), (90, 90))
    sheet.draw_polyline([(100, 100), (120, 140), (160, 150)])
    sheet.draw_circle((250, 100), 9)
    result = shown(sheet, number=3, first=40)
    assert kinds(result) == ["rectangle", "line", "polyline", "circle"]
    assert [entity["id"] for entity in result.entities] == ["entity-41", "entity-42", "entity-43", "entity-44"]
    assert {entity["page"] for entity in result.entities} == {3}
    assert result.strokes.entity.tolist() == [40, 40, 40, 40, 41, 42, 42]
    assert result.arcs.entity.tolist() == [43]
    assert result.counts == {"rectangle": 1, "line": 1, "polyline": 1, "circle": 1}


@pytest.mark.requirement("pdf-paths.style")
def test_style_is_kept() -> None:
    sheet = page()
    group = sheet.parent.add_ocg("Dimensions", on=True)
    sheet.draw_line((10, 10), (90, 10), color=(1, 0, 0), width=1.5, dashes="[6 2] 0", oc=group)
    result = shown(sheet)
    entity = result.entities[0]
    assert entity["color"] == "#ff0000"
    assert entity["width"] == 1.5
    assert entity["dash"] == [6.0, 2.0]
    assert entity["layer"] == "Dimensions"
    assert result.strokes.dashed.tolist() == [True]
    assert result.strokes.width.tolist() == [1.5]
    assert layers(sheet.parent) == [{"name": "Dimensions", "visible": True}]


@pytest.mark.requirement("pdf-paths.fills")
def test_fills_bars_and_masks() -> None:
    sheet = page()
    sheet.draw_polyline([(10, 10), (20, 12), (20, 8)], color=None, fill=(0, 0, 0), closePath=True)
    sheet.draw_rect(PYMUPDF.Rect(50, 50, 150, 51), color=None, fill=(0, 0, 0))
    sheet.draw_rect(PYMUPDF.Rect(50, 80, 150, 120), color=None, fill=(1, 1, 1))
    result = shown(sheet)
    assert kinds(result) == ["fill", "line", "fill"]
    assert len(result.fills) == 1
    assert result.fills[0].entity == 0
    assert result.strokes.ends == pytest.approx(np.array([[50, 249.5, 150, 249.5]]), abs=1e-3)
    assert result.strokes.width.tolist() == pytest.approx([1.0])
    assert result.entities[2]["mask"] is True


@pytest.mark.requirement("pdf-paths.fills")
def test_a_white_outline_of_a_mask_is_no_stroke() -> None:
    sheet = page()
    sheet.draw_rect(PYMUPDF.Rect(50, 80, 150, 120), color=(1, 1, 1), fill=(1, 1, 1))
    sheet.draw_circle((40, 40), 10, color=(1, 1, 1), fill=(1, 1, 1))
    sheet.draw_rect(PYMUPDF.Rect(50, 150, 150, 190), color=(0, 0, 0), fill=(1, 1, 1))
    result = shown(sheet)
    assert kinds(result) == ["rectangle", "circle", "rectangle"]
    assert set(result.strokes.entity.tolist()) == {2}
    assert not len(result.arcs.circles)


def on_ground(ground: tuple[float, ...], white: Any) -> PageGeometry:
    """What is read of white fills on a page that is painted all over: a triangle, and a rectangle."""
    sheet = page()
    sheet.draw_rect(sheet.rect, color=None, fill=ground)
    sheet.draw_polyline([(10, 10), (20, 12), (20, 8)], color=None, fill=(1, 1, 1), closePath=True)
    sheet.draw_rect(white, color=None, fill=(1, 1, 1))
    return shown(sheet)


@pytest.mark.requirement("pdf-paths.dark-ground")
def test_white_fills_on_a_dark_ground_are_drawn() -> None:
    letter, paper = PYMUPDF.Rect(50, 50, 60, 70), PYMUPDF.Rect(50, 50, 350, 250)
    on_dark = on_ground((0, 0, 0.1), letter)
    assert [fill.entity for fill in on_dark.fills] == [0, 1, 2]
    assert not any("mask" in entity for entity in on_dark.entities)
    assert len(on_ground((0.9, 0.9, 0.9), letter).fills) == 1
    assert len(on_ground((0, 0, 0.1), paper).fills) == 1


@pytest.mark.requirement("pdf-paths.entities")
def test_a_line_that_goes_back_over_itself_is_one_stroke() -> None:
    sheet = page()
    sheet.draw_polyline([(50, 100), (150, 100), (50, 100)])
    sheet.draw_polyline([(50, 200), (150, 200), (150, 250)])
    result = shown(sheet)
    assert kinds(result) == ["line", "polyline"]
    assert result.strokes.entity.tolist() == [0, 1, 1]


@pytest.mark.requirement("pdf-paths.limits")
def test_entities_over_the_limit_are_left_out_with_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "ENTITIES", 2)
    sheet = page()
    for step in range(4):
        sheet.draw_line((10, 10 + 20 * step), (90, 15 + 20 * step))
    result = shown(sheet)
    assert len(result.entities) == 2
    assert result.counts == {"line": 4}
    assert result.strokes.entity.tolist() == [0, 1, -1, -1]
    assert result.warnings == [
        "page 1: only the first 2 of 4 entities are listed; those that are drawn after them (2 line) are counted in the sheet's unlisted"
    ]


@pytest.mark.requirement("pdf-paths.damage")
def test_damage_is_left_out_and_counted() -> None:
    result = content("10 10 m 50 50 l S 900 900 m 950 950 l S 1e30 5 m 20 20 l S 5 5 m S 7 7 m 7 7 l S")
    assert (10, 10, 50, 50) in [tuple(end) for end in np.round(result.strokes.ends, 3).tolist()]
    assert result.outside == 1
    assert np.abs(result.strokes.ends).max() < 1e6


@pytest.mark.requirement("pdf-paths.entities")
def test_a_path_that_a_clipping_path_cuts_away_is_not_on_the_sheet() -> None:
    result = content(
        "q 10 10 50 50 re W n 20 20 m 30 30 l S 200 20 m 210 30 l S "
        "q 0 0 300 300 re W n 220 20 m 230 30 l S Q 200 40 15 15 re f Q 240 20 m 250 30 l S"
    )
    shown = [tuple(end) for end in np.round(result.strokes.ends, 3).tolist()]
    assert shown == [(20, 20, 30, 30), (240, 20, 250, 30)]
    assert not result.fills


@pytest.mark.requirement("pdf-paths.entities")
def test_a_path_that_is_cut_in_part_is_whole() -> None:
    result = content("q 10 10 50 50 re W n 20 20 m 90 20 l S Q")
    assert [tuple(end) for end in np.round(result.strokes.ends, 3).tolist()] == [(20, 20, 90, 20)]


@pytest.mark.requirement("pdf-paths.damage")
@pytest.mark.parametrize(
    "stream", ["", "0 0 m", "h S", "1 2 3 4 re n", "0 0 0 0 re S", "10 10 m 10 10 10 10 10 10 c S f"]
)
def test_empty_paths_do_not_raise(stream: str) -> None:
    assert len(content(stream).entities) <= 1


@pytest.mark.requirement("pdf-paths.damage")
def test_an_unreadable_page_says_so() -> None:
    class Broken:
        def get_cdrawings(self, extended: bool, callback: object) -> Any:
            raise RuntimeError("syntax error in content stream")

    broken: Any = Broken()
    assert read_geometry(broken, 2, 0, _pictures(broken)).warnings == [
        "page 2: its paths could not be read (RuntimeError); it has no geometry"
    ]


@pytest.mark.requirement("drawing.straight-rules")
def test_collinear_pieces_are_straight_and_a_chain_that_turns_is_a_curve() -> None:
    rows = np.array([[10.0, 22.2 * n, 10.0, 22.2 * (n + 1)] for n in range(16)])
    turn = np.linspace(0.0, 1.5, 17)
    bow = np.stack([200 * np.cos(turn), 90 * np.sin(turn)], axis=1)
    chain = np.hstack([bow[:-1], bow[1:]])
    joined = np.ones(16, bool)
    joined[0] = False
    assert not arcs.bending(rows, joined).any()
    assert arcs.bending(chain, joined).all()
    assert not arcs.bending(np.zeros((0, 4)), np.zeros(0, bool)).any()
