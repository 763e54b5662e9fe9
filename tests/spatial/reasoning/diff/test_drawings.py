"""Revisions of drawings, drawn with ezdxf: what is written on them, their tables and their lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from ezdxf.document import Drawing
from ezdxf.layouts.layout import Modelspace

from spatial.contract.extraction import CadExtraction
from spatial.reasoning.diff.drawing.general import GeneralTolerance
from spatial.reasoning.diff.drawing.written import decimals_of
from tests.sheets.generate import sheet
from tests.spatial.reasoning.diff.revisions import Record, compared, difference, document, drawing, shuffled

TEXTS = (
    ((60, 200), "10 H7"),
    ((120, 200), "Ø6.6"),
    ((180, 200), "M8x1.25-6H"),
    ((60, 120), "SECTION A-A"),
    ((60, 40), "NOTES:"),
    ((60, 34), "1. DEBURR ALL EDGES."),
    ((60, 28), "2. GENERAL TOLERANCE ISO 2768-m."),
)
CIRCLES = ((100.0, 150.0, 10.0), (160.0, 150.0, 6.0), (220.0, 150.0, 6.0))


@dataclass(frozen=True)
class Sketch:
    """A drawing of texts, circles and linear dimensions."""

    texts: Sequence[tuple[tuple[float, float], str]] = TEXTS
    circles: Sequence[tuple[float, float, float]] = CIRCLES
    lengths: Sequence[tuple[float, str]] = ((40.0, "40.0"),)
    shift: float = 0.0
    color: int = 7

    def __call__(self, space: Modelspace, file: Drawing) -> None:
        for (x, y), text in self.texts:
            space.add_text(text, height=3.5).set_placement((x + self.shift, y))
        for x, y, radius in self.circles:
            space.add_circle((x + self.shift, y), radius, dxfattribs={"color": self.color})
        for place, (length, text) in enumerate(self.lengths):
            x, y = 60 + self.shift, 80 + 15 * place
            dimension = space.add_linear_dim(base=(x, y + 8), p1=(x, y), p2=(x + length, y), text=text)
            dimension.render()

    def document(self) -> CadExtraction:
        return drawing(self)


def replaced(old: str, new: str, at: tuple[float, float] | None = None) -> Sketch:
    """The sketch with another text."""
    return Sketch(tuple((at if text == old and at else place, new if text == old else text) for place, text in TEXTS))


def edited(sketch: Sketch) -> Record:
    return difference(Sketch().document(), sketch.document())


@pytest.mark.requirement("compare.callouts")
def test_another_fit_class_is_one_changed_callout() -> None:
    diff = edited(replaced("10 H7", "10 H8"))
    assert diff["summary"] == {"changed": 1}
    (row,) = diff["callouts"]["changed"]
    assert row["fields"]["text"] == {"previous": "10 H7", "current": "10 H8"}
    assert row["fields"]["class"] == {"previous": "H7", "current": "H8"}
    assert row["fields"]["upper_deviation"] == {"previous": 0.015, "current": 0.022}


@pytest.mark.requirement("compare.callouts")
def test_a_callout_elsewhere_on_the_sheet_is_moved() -> None:
    diff = edited(replaced("M8x1.25-6H", "M8x1.25-6H", at=(300, 100)))
    assert diff["summary"] == {"moved": 1}
    assert diff["callouts"]["moved"][0]["by"] == pytest.approx([120, -100])


@pytest.mark.requirement("compare.callouts")
def test_callouts_that_one_drawing_has_are_added_or_removed() -> None:
    more = Sketch((*TEXTS, ((240.0, 200.0), "R2.5")))
    assert edited(more)["callouts"]["added"][0]["text"] == "R2.5"
    back = difference(more.document(), Sketch().document())
    assert back["callouts"]["removed"][0]["text"] == "R2.5"
    assert back["summary"] == {"removed": 1}


@pytest.mark.requirement("compare.decimals")
def test_more_decimals_at_the_same_nominal_are_a_change_with_its_reason() -> None:
    diff = edited(Sketch(lengths=((40.0, "40.00"),)))
    assert diff["summary"] == {"changed": 1}
    (row,) = diff["dimensions"]["changed"]
    assert row["decimals"] == {"previous": 1, "current": 2}
    assert row["tolerance"] == "same"
    assert row["reason"] == "the general tolerance ISO 2768-m goes by the nominal size, so the tolerance stays the same"


@pytest.mark.requirement("compare.decimals")
def test_more_decimals_are_tighter_where_the_general_tolerance_goes_by_decimals() -> None:
    texts = (*TEXTS[:-1], ((60.0, 28.0), "2. UNLESS OTHERWISE SPECIFIED .X ±.1 .XX ±.02"))
    before, after = Sketch(texts), Sketch(texts, lengths=((40.0, "40.00"),))
    (row,) = difference(before.document(), after.document())["dimensions"]["changed"]
    assert row["tolerance"] == "tighter"
    assert "±.02 instead of ±.1" in row["reason"]


@pytest.mark.requirement("compare.decimals")
def test_without_a_general_tolerance_the_effect_of_decimals_is_unknown() -> None:
    assert GeneralTolerance().effect(1, 2) == "unknown"
    assert "where one goes by decimals, the tolerance is tighter" in GeneralTolerance().reason(1, 2)
    assert decimals_of("10.0", "10.00") == (1, 2)
    assert decimals_of("10,00 H7", "10,0 H7") == (2, 1)
    assert decimals_of("10.0", "10.5") is None
    assert decimals_of("10.0", "10.0") is None


@pytest.mark.requirement("compare.tables")
def test_a_note_that_changed_is_named() -> None:
    diff = edited(replaced("1. DEBURR ALL EDGES.", "1. BREAK ALL EDGES 0.3."))
    (row,) = diff["notes"]["changed"]
    assert row["fields"]["text"] == {"previous": "DEBURR ALL EDGES.", "current": "BREAK ALL EDGES 0.3."}


@pytest.mark.requirement("compare.tables")
def test_rows_and_fields_that_changed_are_named() -> None:
    made = sheet(9, format="dxf")
    before = document(made.data, made.file_name)
    data = before.model_dump(by_alias=True, exclude_none=True)
    metadata = data["structure"]["drawing_metadata"]
    fields, bom, revisions = metadata["title_block"]["fields"], metadata["bom"], metadata["revisions"]
    field, column = min(fields), bom["columns"][-1]
    fields[field] += " NEW"
    bom["rows"][0][column] = "CHANGED"
    lost = bom["rows"].pop()
    revisions["rows"].append({name: f"new {place}" for place, name in enumerate(revisions["columns"])})
    diff = difference(before, CadExtraction.model_validate(data))
    assert diff["title_block"]["changed"][0]["field"] == field
    assert diff["bom"]["changed"][0]["fields"][column]["current"] == "CHANGED"
    assert diff["bom"]["removed"][0]["row"] == {name: text for name, text in lost.items() if text}
    assert diff["revisions"]["added"][0]["row"][revisions["columns"][0]] == "new 0"
    assert diff["summary"] == {"added": 1, "removed": 1, "changed": 2}


@pytest.mark.requirement("compare.entities")
def test_entities_are_added_moved_resized_and_restyled() -> None:
    wider = edited(Sketch(circles=((100.0, 150.0, 11.0), *CIRCLES[1:])))
    assert wider["summary"] == {"changed": 1}
    assert wider["entities"]["changed"][0]["fields"] == {"radius": {"previous": 10, "current": 11}}
    moved = edited(Sketch(circles=((100.0, 153.0, 10.0), *CIRCLES[1:])))
    assert moved["summary"] == {"moved": 1}
    assert moved["entities"]["moved"][0]["by"] == pytest.approx([0, 3])
    assert edited(Sketch(circles=(*CIRCLES, (300.0, 150.0, 6.0))))["summary"] == {"added": 1}
    assert edited(Sketch(color=1))["summary"] == {"restyled": 3}


@pytest.mark.requirement("compare.sheet-moved")
def test_a_drawing_that_is_moved_on_its_sheet_is_aligned() -> None:
    """Only the frame stays, and so it is what moved relative to the drawing."""
    diff = edited(Sketch(shift=25.0))
    assert diff["alignment"]["kind"] == "translation"
    assert diff["alignment"]["translation"][:2] == pytest.approx([25, 0])
    assert "callouts" in diff and "moved" not in diff["callouts"]
    assert "moved" not in diff["dimensions"]


@pytest.mark.requirement("compare.nothing")
@pytest.mark.parametrize("format", ["dxf", "pdf"])
@pytest.mark.parametrize("seed", [3, 7])
def test_a_generated_sheet_compared_with_itself_in_any_order_has_no_change(format: str, seed: int) -> None:
    made = sheet(seed, format=format)  # type: ignore[arg-type]  # parametrize knows no Literal
    found = document(made.data, made.file_name)
    answer = compared(found, shuffled(found, seed))
    assert answer["verdict"] == "same"
    assert answer["data"]["cad_scene_diff"]["summary"] == {}


@pytest.mark.requirement("compare.kinds-differ")
def test_sheets_of_two_formats_are_compared_without_their_places() -> None:
    pair = [sheet(7, format=format) for format in ("dxf", "pdf")]
    found = compared(*(document(made.data, made.file_name) for made in pair))
    assert "entities" not in found["data"]["cad_scene_diff"]
    assert any("were not compared" in warning for warning in found["warnings"])
