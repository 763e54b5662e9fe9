"""What the contract says of a drawing's document, on generated sheets of both formats."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import count
from typing import Any

import pymupdf
import pytest

from spatial.contract.extraction import CadExtraction
from spatial.contract.target import TargetContract
from spatial.document import assemble
from spatial.document.summary import summarise
from spatial.models.reading import Units
from spatial.models.sampling_plan import SamplingPlan
from spatial.models.sheet.drawing import Drawing, Sheet, Text
from spatial.pipeline.read import read_file
from spatial.pipeline.sheet import DrawingSteps
from spatial.understanding.sheet.units import scale_record, unit_by_scale
from tests.sheets.generate import Format, sheet
from tests.spatial.lettered import Board

SEEDS = (3, 7, 8)


def document(data: bytes, file_name: str) -> CadExtraction:
    source = read_file(data, file_name)
    clouds = source.sample(SamplingPlan(points_per_object=64, points_total=128))
    return assemble.assemble(
        source.reading,
        source.interpret(),
        clouds,
        file_name=file_name,
        target=TargetContract.both,
        request_id="req_1",
    )


@cache
def generated(format: Format, seed: int) -> CadExtraction:
    made = sheet(seed, format=format)
    return document(made.data, made.file_name)


def pictured(data: bytes) -> bytes:
    """The same page as a scanner sees it: pixels alone."""
    with pymupdf.open(stream=data) as drawn, pymupdf.open() as scanned:
        page = drawn[0]
        scanned.new_page(width=page.rect.width, height=page.rect.height).insert_image(
            page.rect, pixmap=page.get_pixmap(dpi=100)
        )
        return bytes(scanned.tobytes())


@pytest.mark.requirement("drawing.structure")
@pytest.mark.parametrize("format", ["dxf", "pdf"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_sheet_answers_drawing2d_with_everything_on_it(format: Format, seed: int) -> None:
    found = generated(format, seed)
    assert found.structure is not None and found.structure.kind == "drawing2d"
    assert found.source_format == format
    assert found.structure.layers is not None
    for members in (found.structure.sheets, found.structure.entities, found.structure.annotations):
        assert members
    assert found.structure.dimensions
    assert found.statistics.entity_counts["annotations"] == len(found.structure.annotations or ())
    assert found.statistics.total_points > 0


@pytest.mark.requirement("drawing.callouts-parsed")
@pytest.mark.parametrize("format", ["dxf", "pdf"])
@pytest.mark.parametrize("seed", SEEDS)
def test_callouts_name_the_text_that_they_are_read_from(format: Format, seed: int) -> None:
    structure = generated(format, seed).structure
    assert structure is not None and structure.callouts
    texts = {each.id for each in (*(structure.annotations or ()), *(structure.dimensions or ()))}
    assert {callout.source for callout in structure.callouts} <= texts
    assert len({callout.id for callout in structure.callouts}) == len(structure.callouts)


@pytest.mark.requirement("drawing.metadata-evidence")
@pytest.mark.parametrize("format", ["dxf", "pdf"])
@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_sheet_says_of_itself_names_its_texts_and_its_confidence(format: Format, seed: int) -> None:
    structure = generated(format, seed).structure
    assert structure is not None and structure.drawing_metadata is not None
    said, texts = structure.drawing_metadata, {note.id for note in structure.annotations or ()}
    if said.title_block is not None:
        assert set(said.title_block.sources) == set(said.title_block.fields)
        assert {name for names in said.title_block.sources.values() for name in names} <= texts
    tables = [table for table in (said.bom, said.revisions, *(said.tables or ())) if table is not None]
    notes = said.notes.items if said.notes is not None else []
    parts: list[Any] = [*tables, *notes]
    for part in parts:
        assert part.sources and set(part.sources) <= texts
    for part in (said.title_block, said.notes, *tables):
        assert part is None or 0 <= part.confidence <= 1


@pytest.mark.requirement("drawing.metadata-vector-text")
def test_a_picture_of_a_sheet_has_no_text_at_all() -> None:
    found = document(pictured(sheet(7, format="pdf").data), "scan.pdf")
    assert found.structure is not None and found.structure.sheets
    assert found.structure.sheets[0].text_layer == "raster"
    assert not found.structure.annotations
    assert found.structure.callouts is None and found.structure.drawing_metadata is None
    assert any("pixels" in warning for warning in found.warnings)


@pytest.mark.requirement("drawing.metadata-omitted")
def test_a_sheet_that_says_nothing_has_no_metadata() -> None:
    with pymupdf.open() as file:
        file.new_page(width=400, height=300).draw_circle((200, 150), 80)
        found = document(bytes(file.tobytes()), "circle.pdf")
    body = assemble.result_bytes(found)
    assert [entity["type"] for entity in json.loads(body)["structure"]["entities"]] == ["circle"]
    assert b"drawing_metadata" not in body


@pytest.mark.requirement("drawing.units-pdf")
def test_a_pdf_answers_in_points_and_says_what_its_dimensions_agree_on() -> None:
    found = generated("pdf", 7)
    evidence = (found.model_extra or {})["units_evidence"]
    assert found.units == evidence["name"] == "point"
    assert "1/72 inch" in evidence["source"]
    assert found.structure is not None and found.structure.sheets
    agreed = (found.structure.sheets[0].model_extra or {})["printed_per_unit"]
    assert agreed["dimensions"] >= 3 and agreed["value"] > 0


def _page(*texts: str) -> Sheet:
    lettered = [
        Text(f"annotation-{n}", text, 1, (10.0, 90.0 - 8 * n), 0.0, 3.0, 60.0, (10.0, 90.0 - 8 * n, 70.0, 93.0 - 8 * n))
        for n, text in enumerate(texts, start=1)
    ]
    return Sheet(1, "page 1", "page", (0.0, 0.0, 100.0, 100.0), "point", texts=lettered)


@pytest.mark.requirement("drawing.units-pdf")
@pytest.mark.parametrize(
    ("statement", "unit"),
    [
        ("BEMASSUNGEN SIND IN MILLIMETER", "millimeter"),
        ("DIMENSIONS ARE IN INCHES", "inch"),
        ("Cotes en millimètres", "millimeter"),
        ("PARTING LINE 0.05 MM MAXIMUM", None),
    ],
)
def test_a_unit_that_any_lettering_of_a_pdf_states_is_that_of_its_callouts(statement: str, unit: str | None) -> None:
    page = _page("M8x1.25-6H", "Ø8 THRU", statement)
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [page])).interpret()
    hole = next(callout for callout in meaning.callouts or () if callout.type == "hole")
    assert (hole.model_extra or {}).get("unit") == unit
    assert page.further.get("dimension_unit") == (unit and {"name": unit, "found": "stated"})


@pytest.mark.requirement("drawing.units-pdf")
@pytest.mark.parametrize(
    ("printed", "stated", "unit"),
    [
        (0.705563, "1:2", "millimeter"),
        (0.027778, "1:2", "inch"),
        (0.705563, "1:1", None),
        (0.705563, None, None),
        (0.705563, "NTS", None),
    ],
)
def test_a_unit_follows_from_dimensions_that_agree_with_the_stated_scale(
    printed: float, stated: str | None, unit: str | None
) -> None:
    found = unit_by_scale(printed, stated)
    assert (found and found.name) == unit
    if found:
        assert scale_record(found, printed)["scale"] == {"value": 0.5, "found": "dimensions"}


@pytest.mark.requirement("callouts.notes")
def test_a_note_that_is_a_surface_texture_alone_is_a_callout() -> None:
    page = _page(
        "NOTES:",
        "1. ALL DIMENSIONS IN MM",
        "2. Ra 1.6",
        "3. BREAK SHARP EDGES 0.2 MAX",
        "4. SURFACES Ra 3.2 UNLESS NOTED",
    )
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [page])).interpret()
    found = [(callout.type, callout.text, callout.source) for callout in meaning.callouts or ()]
    assert found == [("surface_finish", "Ra 1.6", "annotation-3")]


@pytest.mark.requirement("drawing.paper")
def test_the_summary_tells_the_paper_from_what_is_drawn() -> None:
    with pymupdf.open() as file:
        file.new_page(width=1190.55, height=841.89).draw_rect((200, 150, 300, 200))
        found = document(bytes(file.tobytes()), "rectangle.pdf")
    lines = summarise(found)
    assert "drawn extents 100 × 50 pt" in lines and "sheet 1: paper 420 × 297 mm (A3)" in lines


@pytest.mark.requirement("drawing.stage-fails-alone")
def test_a_stage_that_fails_costs_its_own_part_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise IndexError("nobody foresaw this")

    monkeypatch.setattr("spatial.understanding.sheet.meaning.find_notes", broken)
    text = Text("annotation-1", "M8x1.25-6H", 1, (10.0, 10.0), 0.0, 3.0, 30.0, (10.0, 10.0, 40.0, 13.0))
    page = Sheet(1, "page 1", "page", (0.0, 0.0, 100.0, 100.0), "point", texts=[text])
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [page])).interpret()
    assert meaning.callouts is not None and [callout.type for callout in meaning.callouts] == ["thread"]
    assert meaning.warnings == ["the notes could not be read: an internal error, which the converter's log has"]


@pytest.mark.requirement("drawing.stage-fails-alone")
def test_signs_that_cannot_be_searched_cost_neither_the_page_nor_its_lettering(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise AssertionError("an error of no particular type")

    monkeypatch.setattr("spatial.understanding.sheet.symbols.strokes.find", broken)
    text = Text("annotation-1", "M8x1.25-6H", 1, (10.0, 10.0), 0.0, 3.0, 30.0, (10.0, 10.0, 40.0, 13.0))
    page = Sheet(1, "page 1", "page", (0.0, 0.0, 100.0, 100.0), "point", texts=[text])
    drawing = Drawing("pdf", Units(name="point", found="declared"), [page], has_drawn_signs=True)
    reading = DrawingSteps(drawing).reading
    assert [note.text for note in reading.structure.annotations or ()] == ["M8x1.25-6H"]
    assert reading.warnings == [
        "the drawn signs of page 1 could not be read: an internal error, which the converter's log has"
    ]


@pytest.mark.requirement("drawing.patience")
def test_a_drawing_that_takes_too_long_is_told_as_far_as_it_was_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spatial.understanding.sheet.meaning.PATIENCE_SECONDS", -1.0)
    text = Text("annotation-1", "M8x1.25-6H", 1, (10.0, 10.0), 0.0, 3.0, 30.0, (10.0, 10.0, 40.0, 13.0))
    page = Sheet(1, "page 1", "page", (0.0, 0.0, 100.0, 100.0), "point", texts=[text])
    source = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [page]))
    meaning = source.interpret()
    assert meaning.callouts is None and meaning.drawing_metadata is None
    assert any(warning.startswith("the title block could not be read") for warning in meaning.warnings)
    assert [note.text for note in source.reading.structure.annotations or ()] == ["M8x1.25-6H"]


@pytest.mark.requirement("drawing.patience")
def test_a_busy_machine_takes_nothing_from_a_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    hours = count(0.0, 3600.0)
    monkeypatch.setattr("time.monotonic", lambda: next(hours))
    monkeypatch.setattr("time.perf_counter", lambda: next(hours))
    text = Text("annotation-1", "M8x1.25-6H", 1, (10.0, 10.0), 0.0, 3.0, 30.0, (10.0, 10.0, 40.0, 13.0))
    page = Sheet(1, "page 1", "page", (0.0, 0.0, 100.0, 100.0), "point", texts=[text])
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [page])).interpret()
    assert [callout.type for callout in meaning.callouts or ()] == ["thread"]
    assert meaning.warnings == []


def ordinate_plate(per_millimeter: float) -> bytes:
    """A plate of 120 by 80 with ordinates at its left and below it."""
    with pymupdf.open() as made:
        page = made.new_page(width=842, height=595)
        left, low = 200.0, 400.0
        page.draw_rect((left, low - 80 * per_millimeter, left + 120 * per_millimeter, low), width=1.4)
        for value, text in ((0, "0"), (15, "15"), (52.5, "52,5"), (80, "80")):
            y = low - value * per_millimeter
            page.draw_line((left - 40, y), (left - 3, y), width=0.5)
            page.insert_text((left - 43 - 5.6 * len(text), y + 3.6), text, fontsize=10)
        for value, text in ((0, "0"), (22, "22"), (75, "75"), (120, "120")):
            x = left + value * per_millimeter
            page.draw_line((x, low + 3), (x, low + 40), width=0.5)
            page.insert_text((x + 3.6, low + 43 + 5.6 * len(text)), text, fontsize=10, rotate=90)
        return bytes(made.tobytes())


@pytest.mark.requirement("dimensioning.ordinate")
@pytest.mark.requirement("views.outlines")
def test_ordinates_of_a_pdf_are_dimensions_and_say_how_large_the_view_is() -> None:
    structure = document(ordinate_plate(2.0), "plate.pdf").structure
    assert structure is not None and structure.dimensions and structure.sheets
    found = {(each.type, each.text) for each in structure.dimensions}
    assert found == {("ordinate", text) for text in ("0", "15", "52,5", "80", "22", "75", "120")}
    (view,) = (structure.sheets[0].model_extra or {})["views"]
    assert (view["size"], view["confidence"]) == ([120.0, 80.0], 0.95)


@pytest.mark.requirement("drawing.units-pdf")
@pytest.mark.parametrize(("statement", "unit"), [("MILLIMETERS", "millimeter"), ("INCHES", None)])
def test_a_unit_that_the_dimensions_contradict_by_the_scale_is_left_out(statement: str, unit: str | None) -> None:
    board = Board()
    for place, size in enumerate((43, 71, 96)):
        y, measured = 300.0 + 40 * place, size / (2 * 25.4 / 72)
        board.inside(100, 100 + measured, y)
        board.text(str(size), 100 + measured / 2, y + 1)
    board.text("Ø7 THRU", 100, 500)
    for place, text in enumerate(("SCALE: 1:2", "SHEET 1 OF 1", f"DIMENSIONS ARE IN {statement}")):
        board.text(text, 700, 40.0 + 10 * place)
    page = replace(board.sheet(), unit="point")
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [page])).interpret()
    hole = next(callout for callout in meaning.callouts or () if callout.type == "hole")
    assert (hole.model_extra or {}).get("unit") == unit
    assert ("dimension_unit" in page.further) == (unit is not None)
    assert any("states the unit inch" in warning for warning in meaning.warnings) == (unit is None)
