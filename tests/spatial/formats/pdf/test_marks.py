"""PDF: what lies on a page besides its content, and how lettering is shown."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pymupdf
import pytest

from spatial.models.sheet.drawing import Text
from tests.spatial.formats.pdf.test_reader import drawing, page, texts


def by_words(found: list[Text]) -> dict[str, Text]:
    return {text.text: text for text in found}


def commented(sheet: Any, words: str, box: tuple[float, float, float, float]) -> None:
    """A comment as AutoCAD writes it."""
    comment = sheet.add_rect_annot(box)
    comment.set_info(title="AutoCAD SHX Text", content=words)
    comment.update()


@pytest.mark.requirement("pdf.marks")
@pytest.mark.parametrize("rotation", [0, 90])
def test_annotations_and_form_fields_are_text_of_their_own_layer(rotation: int) -> None:
    document, sheet = page()
    sheet.insert_text((100, 300), "PAGE")
    sheet.set_rotation(rotation)
    sheet.add_freetext_annot((50, 50, 200, 80), "SEE NOTE 3")
    sheet.add_stamp_annot((300, 50, 400, 100), stamp=0)
    field: Any = pymupdf.Widget()
    field.field_type, field.field_name = 7, "checked"  # a text field: PDF_WIDGET_TYPE_TEXT
    field.field_value, field.rect = "J. DOE", pymupdf.Rect(50, 150, 200, 170)
    sheet.add_widget(field)
    found = by_words(texts(document))
    assert {words: text.layer for words, text in found.items()} == {
        "PAGE": None, "SEE NOTE 3": "annotation", "APPROVED": "annotation", "J. DOE": "annotation",
    }  # fmt: skip


@pytest.mark.requirement("pdf.marks")
def test_what_autocad_says_of_its_strokes_is_text_and_its_boxes_are_not_drawn() -> None:
    document, sheet = page()
    commented(sheet, "12.5 TYP", (100, 100, 160, 110))
    commented(sheet, "R8", (300, 100, 310, 130))
    result = drawing(document)
    found = by_words(result.sheets[0].texts)
    assert {words: (text.angle, text.repairs) for words, text in found.items()} == {
        "12.5 TYP": (0.0, ("drawn as strokes",)), "R8": (90.0, ("drawn as strokes",)),
    }  # fmt: skip
    assert found["12.5 TYP"].origin == pytest.approx((100, 595 - 110), abs=1.5)
    assert result.entities == []


@pytest.mark.requirement("pdf.marks")
def test_annotations_written_out_in_the_list_of_their_page_are_read_and_what_is_none_costs_nothing() -> None:
    document, sheet = page()
    sheet.insert_text((100, 300), "PAGE")
    form = "<</Type/Annot/Subtype/Square/Rect[{} 480 {} 490]/T(CAXA SHX Text)/Contents({})>>"
    listed = (form.format(100, 160, "12.5 TYP"), "null", "7", "[]", form.format(300, 390, r"30\\S\\H0.7x;+0.1^-0.2;"))
    document.xref_set_key(sheet.xref, "Annots", f"[{' '.join(listed)}]")
    result = drawing(document)
    assert sorted(text.text for text in result.sheets[0].texts) == ["12.5 TYP", "30 +0.1/-0.2", "PAGE"]
    assert (result.entities, result.warnings) == ([], [])


@pytest.mark.requirement("pdf.marks", "pdf.hostile")
def test_many_annotations_and_fields_are_gone_through_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyMuPDF looks for an annotation by its number from the first on: 1,600 of them took 12 s."""
    document, sheet = page()
    many = 100
    for place in range(many):
        sheet.add_rect_annot((10, 5 * place, 20, 5 * place + 4))
        field: Any = pymupdf.Widget()
        field.field_type, field.field_name, field.field_value = 7, f"field {place}", "J. DOE"
        field.rect = pymupdf.Rect(50, 5 * place, 200, 5 * place + 4)
        sheet.add_widget(field)
    steps: Counter[str] = Counter()

    def count(name: str) -> None:
        following = getattr(pymupdf.mupdf, name)

        def counted(annotation: Any) -> Any:
            steps[name] += 1
            return following(annotation)

        monkeypatch.setattr(pymupdf.mupdf, name, counted)

    for name in ("pdf_next_annot", "pdf_next_widget"):
        count(name)
    assert sum(text.text == "J. DOE" for text in texts(document)) == many
    for name in ("pdf_next_annot", "pdf_next_widget"):
        assert 0 < steps[name] <= 8 * many, name


@pytest.mark.requirement("pdf.marks")
def test_control_codes_of_autocads_lettering_are_the_signs_that_it_draws() -> None:
    document, sheet = page()
    commented(sheet, "%%C 25.0 X 135h", (100, 100, 160, 110))
    commented(sheet, "1.5%%P0.1", (100, 200, 160, 210))
    commented(sheet, "50%", (100, 300, 160, 310))
    assert set(by_words(texts(document))) == {"Ø 25.0 X 135h", "1.5±0.1", "50%"}


@pytest.mark.requirement("pdf.hidden-layers")
def test_text_of_a_layer_that_is_off_is_there_and_invisible() -> None:
    document, sheet = page()
    off, on = document.add_ocg("CONSTRUCTION", on=False), document.add_ocg("PART", on=True)
    sheet.insert_text((50, 50), "HIDDEN", oc=off)
    sheet.insert_text((50, 90), "SEEN", oc=on)
    sheet.draw_line((5, 5), (80, 8), oc=off)
    result = drawing(document)
    found = by_words(result.sheets[0].texts)
    assert {words: (text.layer, text.visible) for words, text in found.items()} == {
        "SEEN": ("PART", True), "HIDDEN": ("CONSTRUCTION", False),
    }  # fmt: skip
    assert result.entities == [] and "CONSTRUCTION" in result.warnings[0]


@pytest.mark.requirement("pdf.mended")
def test_lettering_that_is_filled_and_stroked_is_not_doubled() -> None:
    document, sheet = page()
    sheet.insert_text((50, 50), "BOLD", render_mode=2)
    assert [(text.text, text.repairs) for text in texts(document)] == [("BOLD", ())]


@pytest.mark.requirement("pdf.lines")
def test_vertical_writing_reads_downward() -> None:
    document, sheet = page()
    sheet.insert_text((100, 100), "ABC", fontname="japan", fontsize=20)
    for xref in range(1, document.xref_length()):
        encoding = document.xref_get_key(xref, "Encoding")[1]
        if encoding.endswith("-H"):
            document.xref_set_key(xref, "Encoding", f"{encoding[:-1]}V")
    (text,) = texts(document)
    assert (text.text, text.angle) == ("ABC", 270.0)
    assert text.origin == pytest.approx((90, 495), abs=0.5)


@pytest.mark.requirement("pdf.frame")
def test_unit_of_a_rotated_page_keeps_its_lettering_on_it() -> None:
    document, sheet = page(600, 400)
    sheet.insert_text((100, 100), "HELLO")
    sheet.set_rotation(90)
    document.xref_set_key(sheet.xref, "UserUnit", "2")
    result = drawing(document)
    assert result.sheets[0].texts[0].origin == pytest.approx((300, 500), abs=0.1)
    assert "units of 2 pt" in result.warnings[0]


@pytest.mark.requirement("pdf.frame")
def test_cropped_page_has_its_origin_in_its_own_corner() -> None:
    document, sheet = page(600, 400)
    sheet.insert_text((100, 100), "HELLO")
    sheet.set_cropbox(pymupdf.Rect(50, 60, 500, 300))
    assert texts(document)[0].origin == pytest.approx((50, 200), abs=0.1)


def pictured(*boxes: tuple[float, float, float, float]) -> Any:
    document, sheet = page(800, 400)
    image: Any = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 8, 4), False)
    image.clear_with(200)
    for box in boxes:
        sheet.insert_image(box, pixmap=image, keep_proportion=False)
    return document


@pytest.mark.requirement("pdf.images", "pdf.text-layer")
def test_images_over_each_other_cover_a_page_once() -> None:
    half = (0.0, 0.0, 300.0, 400.0)
    scan = drawing(pictured((0.0, 0.0, 600.0, 400.0)))
    stack = drawing(pictured(half, half, half))
    assert scan.entities[0]["points"] == [[0.0, 400.0], [600.0, 400.0], [600.0, 0.0], [0.0, 0.0]]
    assert scan.sheets[0].text_layer == "raster" and stack.entity_counts == {"image": 3}


@pytest.mark.requirement("pdf.text-layer")
def test_poster_of_a_3d_model_is_no_scan() -> None:
    document = pictured((0.0, 0.0, 800.0, 400.0))
    sheet = document[0]
    mark = sheet.add_rect_annot((0, 0, 800, 400))
    document.xref_set_key(mark.xref, "Subtype", "/3D")
    result = drawing(document)
    assert result.sheets[0].text_layer == "none"
    assert any("3D model" in warning for warning in result.warnings)
