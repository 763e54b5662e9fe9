"""What a page of a PDF stands for: its content and that of its parts, counted as often as they are drawn, before any is interpreted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pymupdf
import pytest

from siege.hostile_files import pdf_bombs
from siege.hostile_files.writers import page, pdf, stream
from spatial.errors import ParseError
from spatial.formats.pdf import content_parts, workload
from spatial.formats.pdf.workload import PageWork, Workload
from spatial.pipeline.read import read_file

MOST = 10**9
FORM = pdf_bombs.FORM
GROUP = FORM + b"/Group<</S/Transparency/CS/DeviceGray>>"
TILE = b"/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>"
DRAWN = b"0 0 m 9 9 l S\n"
PART = len(DRAWN) + workload.SET_UP
FORMS = b"/Resources<</XObject<</X 5 0 R/Y 6 0 R>>>>"
MASKED = b"/Resources<</ExtGState<</G<</SMask<</S/Luminosity/G 5 0 R>>>>/N<</SMask/None>>>>>>"
TILED = b"/Resources<</Pattern<</P 5 0 R>>>>"
TYPE3 = (
    b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/CharProcs<</a 6 0 R>>"
    b"/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[9]>>"
)


def work(data: bytes, most: int = MOST) -> PageWork:
    document: Any = pymupdf.open(stream=data, filetype="pdf")
    return Workload().of(document[0], most)


def parts(content: bytes, entries: bytes, *more: bytes) -> int:
    """Bytes of the parts of a page beside its own content."""
    found = work(page(content, entries, *more))
    assert found.own == len(content)
    return found.whole - found.own


@pytest.fixture
def exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bound may be too high."""
    monkeypatch.setattr(workload, "ROUGH", 0)


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize(
    ("content", "times"),
    [
        (b"/X Do", 1),
        (b"/X Do\n" * 7, 7),
        (b"q 1 0 0 1 5 5 cm /X Do Q " * 7, 7),
        (b"/#58 Do", 1),
        (b"/X 5 Do", 1),
        (b"/X (a \\) b) Do", 1),
        (b"/Z Do", 0),
        (b"BT (words) Tj ET", 0),
        (b"/X DoX", 0),
    ],
)
def test_a_form_is_counted_as_often_as_it_is_drawn(content: bytes, times: int) -> None:
    assert parts(content, FORMS, stream(DRAWN, FORM)) == times * PART


@pytest.mark.requirement("drawing.workload")
def test_forms_within_forms_multiply() -> None:
    outer = stream(b"/Y Do\n" * 10, FORM + FORMS)
    inner = stream(DRAWN, FORM)
    assert parts(b"/X Do\n" * 10, FORMS, outer, inner) == 10 * (60 + workload.SET_UP + 10 * PART)


@pytest.mark.requirement("drawing.workload")
def test_a_form_without_resources_draws_what_its_holder_names() -> None:
    outer = stream(b"/Y Do\n" * 10, FORM)
    assert parts(b"/X Do", FORMS, outer, stream(DRAWN, FORM)) == 60 + workload.SET_UP + 10 * PART


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize("words", [b"BT (Do not scale \\() Tj ET", b"BT (( Do ) /X ( Do )) Tj ET", b"% Do\n"])
def test_words_draw_nothing(words: bytes, exact: None) -> None:
    assert parts(words + b" /X Do", FORMS, stream(DRAWN, FORM)) == PART


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize(
    ("content", "times"),
    [
        (b"/G gs " + DRAWN * 4, 4),
        (b"q /G gs Q " + DRAWN * 4, 0),
        (b"/G gs " + DRAWN + b"/N gs " + DRAWN * 3, 1),
        (b"/G gs ID x EI " + DRAWN, 1),
        (DRAWN * 4, 0),
    ],
)
def test_a_mask_is_counted_for_each_operator_that_paints_through_it(content: bytes, times: int, exact: None) -> None:
    assert parts(content, MASKED, stream(DRAWN, GROUP)) == times * PART


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize(
    ("content", "times"),
    [
        (b"/Pattern cs /P scn " + b"0 0 9 9 re f\n" * 4, 4),
        (b"/Pattern cs /P scn 0 0 9 9 re f 0 g " + b"0 0 9 9 re f\n" * 4, 1),
        (b"/Pattern CS /P SCN " + b"0 0 9 9 re f\n" * 4, 0),
        (b"/Pattern cs /P scn /Pattern CS /P SCN 0 0 9 9 re B", 2),
        (b"/Pattern cs 1 0 0 /P scn 0 0 9 9 re f", 1),
    ],
)
def test_a_tile_is_counted_for_each_operator_that_paints_with_it(content: bytes, times: int, exact: None) -> None:
    assert parts(content, TILED, stream(DRAWN, TILE)) == times * PART


@pytest.mark.requirement("drawing.workload")
def test_a_page_of_many_lines_with_one_tile_is_no_page_of_many_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"/Pattern cs /P scn 0 0 9 9 re f 0 g\n" + b"0 0 m 600 800 l S\n" * 1_000_000
    assert parts(content, TILED, stream(DRAWN, TILE)) == PART, "18 MB"
    monkeypatch.setattr(content_parts, "EXACT", 1 << 20)
    assert parts(content, TILED, stream(DRAWN, TILE)) == 1_000_001 * PART, (
        "a bound: as many as there are operators that paint"
    )


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"/\xff\xfe Do", b"/\xff\xfe"),
        (b"/#ff#FE Do", b"/\xff\xfe"),
        (b"/X#00 Do", b"/X#00"),
        (b"/" + b"X" * 300 + b" Do", b"/" + b"X" * 255),
        (b"Do", b"/"),
        (b"/X /N Do", b"/X"),
        (b"/X [/N] Do", b"/X"),
        (b"/X <</N (a)>> Do", b"/X"),
        (b"/X <</N /N /M <ab>>> Do", b"/X"),
        (b"/X [N] Do", b"/X"),
        (b"/X <ab<cd> Do", b"/X"),
        (b"/N ) /X Do", b"/X"),
        (b"/X D#6f", b"/X"),
        (b"BI /W 1 /H 1 /BPC 8 /CS /G ID xEI /X Do EI ", b"/X"),
        (b"/X " + b"/N " * 400_000 + b"Do", b"/X"),
    ],
)
def test_what_mupdf_draws_by_odd_names_and_operands_is_counted(content: bytes, named: bytes, exact: None) -> None:
    resources = b"/Resources<</XObject<<%b 5 0 R/N 6 0 R>>>>" % named
    data = page(content, resources, stream(DRAWN, FORM), stream(b"", FORM))
    assert _strokes(data) == 1
    found = work(data)
    assert found.whole - found.own >= PART


def _strokes(data: bytes) -> int:
    document: Any = pymupdf.open(stream=data, filetype="pdf")
    return len(document[0].get_drawings())


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize("operator", [b"scn", b"sc", b"SCN", b"SC"])
@pytest.mark.parametrize("named", [b"/P ", b"/P [1] ", b"/P [N] ", b"/P <ab> "])
def test_a_tile_is_counted_however_it_is_set(operator: bytes, named: bytes, exact: None) -> None:
    content = b"/Pattern cs /Pattern CS " + named + operator + b" 0 0 9 9 re B"
    assert parts(content, TILED, stream(DRAWN, TILE)) >= PART


@pytest.mark.requirement("drawing.workload")
def test_a_colour_of_numbers_beside_patterns_is_no_pattern() -> None:
    content = b"/C cs 1 0 0 scn 0 0 9 9 re f " * 2
    assert parts(content, TILED, stream(DRAWN, TILE)) == 0


@pytest.mark.requirement("drawing.workload")
def test_paints_that_may_be_data_of_an_image_are_counted(exact: None) -> None:
    content = b"/G gs BI /W 1 /H 1 /BPC 8 /CS /G ID xEI " + DRAWN * 4 + b" EI "
    assert parts(content, MASKED, stream(DRAWN, GROUP)) >= 4 * PART


@pytest.mark.requirement("drawing.workload")
def test_a_font_of_a_graphics_state_is_counted(exact: None) -> None:
    states = b"/Resources<</ExtGState<</S<</Font[5 0 R 9]>>/N<</LW 1>>>>>>"
    found = parts(b"BT /S gs (aaaa) Tj /N gs (aa) Tj ET", states, TYPE3, stream(DRAWN))
    assert 6 * PART <= found <= 8 * PART


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize("base", [b"", b"/BaseEncoding/WinAnsiEncoding"])
def test_a_font_of_more_glyphs_than_characters_is_counted_by_those_that_it_names(base: bytes, exact: None) -> None:
    glyphs = b"".join(b"/g%d 7 0 R" % number for number in range(400)) + b"/a 6 0 R"
    font = TYPE3.replace(b"/a 6 0 R", glyphs).replace(b"/Encoding<<", b"/Encoding<<" + base)
    shown = b"BT /F 9 Tf (a) Tj ET"
    found = parts(shown, b"/Resources<</Font<</F 5 0 R>>>>", font, stream(DRAWN), stream(b""))
    assert found >= PART


@pytest.mark.requirement("drawing.workload")
def test_a_glyph_of_content_is_counted_for_each_byte_that_is_shown(exact: None) -> None:
    shown = b"BT /F 9 Tf (aaaa) Tj <6161> Tj ET"
    found = parts(shown, b"/Resources<</Font<</F 5 0 R>>>>", TYPE3, stream(DRAWN))
    assert 6 * PART <= found <= 8 * PART


@pytest.mark.requirement("drawing.workload")
def test_appearances_of_annotations_are_counted() -> None:
    annotation = b"<</Type/Annot/Subtype/Stamp/Rect[0 0 99 99]/AP<</N 5 0 R>>>>"
    state = b"<</Type/Annot/Subtype/Widget/Rect[0 0 99 99]/AP<</N<</On 5 0 R>>>>/AS/On>>"
    assert parts(DRAWN, b"/Annots[%b%b%b]" % (annotation, annotation, state), stream(DRAWN, FORM)) == 3 * PART


@pytest.mark.requirement("drawing.workload")
def test_forms_that_draw_themselves_come_to_an_end() -> None:
    own = stream(b"/X Do /Y Do", FORM + FORMS)
    assert 0 < parts(b"/X Do", FORMS, own, own) < 10 * PART
    names = b"".join(b"/X%d %d 0 R" % (number, number) for number in range(5, 30))
    each = stream(b"".join(b"/X%d Do " % number for number in range(5, 30)), FORM)
    many = page(b"/X5 Do", b"/Resources<</XObject<<%b>>>>" % names, *[each] * 25)
    found = work(many)
    assert found[:2] == (6, MOST + 1) and f"more than {workload.VISITS:,} ways" in found.unclear


def nested(count: int) -> list[bytes]:
    """Forms, each of which draws the one before it."""
    chain = [stream(DRAWN, FORM)]
    return chain + [
        stream(b"/X Do", FORM + b"/Resources<</XObject<</X %d 0 R>>>>" % (number + 4)) for number in range(1, count)
    ]


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize("is_known", [False, True], ids=["first met in the chain", "drawn by itself before"])
@pytest.mark.parametrize("depth", [workload.DEEPEST, workload.DEEPEST + 1])
def test_forms_nested_deeper_than_can_be_drawn_are_refused_for_that(depth: int, is_known: bool) -> None:
    drawn = b"/Y Do /X Do 0 0 m 99 99 l S" if is_known else b"/X Do 0 0 m 99 99 l S"
    resources = b"/Resources<</XObject<</X %d 0 R/Y %d 0 R>>>>" % (depth + 4, depth // 2 + 4)
    data = page(drawn, resources, *nested(depth))
    if depth <= workload.DEEPEST:
        assert _strokes(data) == 2 + is_known
        assert not work(data).unclear
        read_file(data, "deep.pdf")
    else:
        with pytest.raises(
            ParseError, match=r"page 1: it was not read: .* more than 60 deep.*; export it with fewer forms"
        ):
            read_file(data, "deep.pdf")


@pytest.mark.requirement("drawing.workload")
def test_damaged_parts_are_nothing() -> None:
    assert parts(b"/X Do /Y Do", FORMS, b"<</Subtype/Form>>", b"null") == 0
    assert work(pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", b"<</Type/Page>>"))[
        :2
    ] == (0, 0)


@pytest.mark.requirement("drawing.workload")
@pytest.mark.parametrize("make", pdf_bombs.COUNTED, ids=lambda make: make.__name__)
def test_a_page_that_stands_for_more_than_can_be_read_is_refused_and_not_drawn(
    make: Callable[[float], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(*_: Any) -> None:
        raise AssertionError("MuPDF was to draw the page")

    data = make(1.0)
    monkeypatch.setattr(pymupdf.mupdf, "fz_run_page", draw)
    with pytest.raises(
        ParseError, match=r"bomb\.pdf: page 1: it was not read: .* counted as often as they are drawn, .* export it"
    ):
        read_file(data, "bomb.pdf")
