"""PDF: files that were made to hurt. A drawing or a parse error comes of each, and nothing else."""

from __future__ import annotations

from typing import Final

import pytest

from converter.local import convert
from siege.hostile_files.writers import pdf, stream
from spatial.errors import ParseError
from spatial.formats.pdf import reader
from spatial.models.sheet.drawing import Drawing

WORDS: Final = b"BT /F 12 Tf 50 50 Td (HELLO WORLD) Tj ET "
A4: Final = b"/MediaBox[0 0 842 595]"
FORM: Final = b"/Type/XObject/Subtype/Form/BBox[0 0 900 900]/Resources<</XObject<</X %d 0 R>>>>"
MEBIBYTE: Final = 1024**2


def sheet(content: bytes, entries: bytes = A4, *more: bytes) -> bytes:
    """One page; further objects begin with 5, which is its form X."""
    fonts = b"/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    page = b"<</Type/Page/Parent 2 0 R%b/Contents 4 0 R/Resources<<%b/XObject<</X 5 0 R>>>>>>" % (entries, fonts)
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, stream(content), *more)


def paged(kids: bytes, count: int, *pages: bytes) -> bytes:
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, count), *pages)


def reading(data: bytes) -> Drawing:
    return reader.read(data, "sheet.pdf")


@pytest.mark.requirement("pdf.hostile")
def test_impossible_matrices_leave_the_rest_of_the_page() -> None:
    wild = b"q nan inf -inf 1e400 0 0 cm %b 0 0 m 9 9 l S Q q 1e38 0 0 1e38 0 0 cm 1e30 1e30 m 5 5 l S Q " % WORDS
    found = reading(sheet(wild + b"q 0 0 0 0 0 0 cm %b Q " % WORDS + WORDS)).sheets[0].texts
    assert [text.text for text in found][-1:] == ["HELLO WORLD"]


BOXES: Final = {
    "huge": b"/MediaBox[0 0 1e30 1e30]",
    "zero": b"/MediaBox[0 0 0 0]",
    "none": b"",
    "turned over": b"/MediaBox[595 842 0 0]",
    "askew": A4 + b"/Rotate 45",
    "huge unit": A4 + b"/UserUnit 1e20",
    "negative unit": A4 + b"/UserUnit -3/Rotate 90",
    "unit of words": A4 + b"/UserUnit (x)/Rotate 90",
}


@pytest.mark.requirement("pdf.hostile")
@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES.keys())
def test_impossible_pages_are_left_out_or_read(box: bytes) -> None:
    try:
        found = reading(sheet(WORDS, box))
    except ParseError:
        return
    assert [text.text for text in found.sheets[0].texts] == ["HELLO WORLD"]


TREES: Final = {
    "its own child": paged(b"2 0 R 2 0 R", 1_000_000),
    "far more pages than there are": paged(b"3 0 R", 2_000_000_000, b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"),
    "fewer than none": paged(b"3 0 R", -5, b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"),
    "deep": pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        *(b"<</Type/Pages/Kids[%d 0 R]/Count 1>>" % number for number in range(3, 5_003)),
        b"<</Type/Page/MediaBox[0 0 100 100]>>",
    ),
}


@pytest.mark.requirement("pdf.hostile")
@pytest.mark.parametrize("data", TREES.values(), ids=TREES.keys())
def test_impossible_page_trees_are_read_or_refused(data: bytes) -> None:
    try:
        assert reading(data).sheets
    except ParseError:
        return


@pytest.mark.requirement("pdf.hostile")
def test_flood_of_pages_is_cut_and_said() -> None:
    kids = b" ".join(b"%d 0 R" % number for number in range(3, 3_003))
    found = reading(paged(kids, 3_000, *[b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>"] * 3_000))
    assert len(found.sheets) < 3_000
    assert any("of 3,000 pages" in warning for warning in found.warnings)


@pytest.mark.requirement("pdf.hostile")
def test_form_that_draws_itself_ends() -> None:
    form = stream(b"/X Do /X Do 0 0 m 9 9 l S", FORM % 5)
    assert reading(sheet(b"/X Do " + WORDS, A4, form)).sheets[0].texts[-1].text == "HELLO WORLD"


@pytest.mark.requirement("pdf.hostile")
def test_flood_of_annotations_is_left_out_and_said() -> None:
    marks = b" ".join(b"%d 0 R" % number for number in range(6, 3_006))
    mark = b"<</Type/Annot/Subtype/FreeText/Rect[10 10 90 30]/Contents(NOTE)/DA(/Helv 9 Tf)>>"
    found = reading(sheet(WORDS, A4 + b"/Annots[%b]" % marks, b"null", *[mark] * 3_000))
    assert [text.text for text in found.sheets[0].texts] == ["HELLO WORLD"]
    assert "3,000 annotations" in found.warnings[0]


@pytest.mark.requirement("pdf.hostile")
def test_field_that_is_its_own_parent_is_survived() -> None:
    field = b"<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Parent 6 0 R/Kids[6 0 R]/Rect[0 0 9 nan]>>"
    found = reading(sheet(WORDS, A4 + b"/Annots[6 0 R 6 0 R 3 0 R null 99 0 R]", b"null", field))
    assert [text.text for text in found.sheets[0].texts] == ["HELLO WORLD"]


@pytest.mark.requirement("pdf.hostile", "converter.memory")
def test_stream_that_swells_is_ended_by_the_ceiling() -> None:
    """Kilobytes of file, forty million letters."""
    shown = b"BT /F 9 Tf 1 0 0 1 50 50 Tm (%b) Tj ET\n" % (b"A" * 10_000)
    data = sheet(shown * 4_000)
    assert len(data) < MEBIBYTE
    with pytest.raises(ParseError) as failure:
        convert(data, "sheet.pdf", memory=192 * MEBIBYTE)
    assert (failure.value.details or {})["phase"] == "read"
