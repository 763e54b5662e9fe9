"""Title blocks of the usual makes, read from ruled cells, attributes, plain lines and open space."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract.drawing import TITLE_BLOCK_FIELDS, TitleBlock
from spatial.knowledge import title_labels, vocabulary
from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.title_block import find_title_block as title_block
from spatial.understanding.sheet.title_block.unread_signs import unread_signs
from tests.spatial.forms import Form


def _block(*forms: Form) -> TitleBlock | None:
    sheets = [form.sheet() for form in forms]
    found = title_block.find_title_block(sheets, {sheet.page: find_grids(sheet) for sheet in sheets}, frozenset())
    return found.block if found else None


def _fields(*forms: Form) -> dict[str, str]:
    block = _block(*forms)
    return block.fields if block else {}


def _solidworks(form: Form) -> None:
    """The ANSI sheet format that SolidWorks comes with."""
    form.box((10, 10, 410, 287))
    form.cell((230, 60, 270, 100))
    box = [
        "UNLESS OTHERWISE SPECIFIED:",
        "DIMENSIONS ARE IN INCHES",
        "TOLERANCES:",
        "FRACTIONAL ± 1/64",
        "TWO PLACE DECIMAL    ±.01",
    ]
    form.lines(231, 97, box, 1.8)
    form.cell((230, 30, 270, 45), "MATERIAL", "6061-T6", size=2.5)
    form.cell((230, 15, 270, 30), "FINISH")
    form.row(230, 10, 5, [(40, "DO NOT SCALE DRAWING")], 1.8)
    matrix = [
        ("", "NAME", "DATE"),
        ("DRAWN", "J. SMITH", "3/14/21"),
        ("CHECKED", "", ""),
        ("ENG APPR.", "", ""),
        ("MFG APPR.", "", ""),
        ("Q.A.", "", ""),
    ]
    for row, (role, name, date) in enumerate(matrix):
        form.row(270, 95 - row * 5, 5, [(20, role), (25, name), (15, date)], 1.8)
    form.cell((270, 10, 330, 70), "COMMENTS:")
    form.cell((330, 70, 410, 100))
    form.text(340, 85, "ACME WIDGETS, INC.", 4)
    form.cell((330, 40, 410, 70), "TITLE:", "BRACKET, MOUNTING\nLEFT HAND", size=4.5)
    form.cell((330, 20, 345, 40), "SIZE", "B", size=5)
    form.cell((345, 20, 395, 40), "DWG.  NO.", "100-2345-01", size=5)
    form.cell((395, 20, 410, 40), "REV", "C", size=5)
    form.row(330, 10, 10, [(25, "SCALE: 1:2"), (25, "WEIGHT:"), (30, "SHEET 1 OF 3")], 1.8)


@pytest.mark.requirement("title.cells")
@pytest.mark.requirement("title.tolerances")
def test_ansi_block_of_solidworks_is_read_whole() -> None:
    form = Form()
    _solidworks(form)
    assert _fields(form) == {
        "title": "BRACKET, MOUNTING LEFT HAND",
        "drawing_number": "100-2345-01",
        "revision": "C",
        "material": "6061-T6",
        "scale": "1:2",
        "sheet": "1 OF 3",
        "size": "B",
        "drawn_by": "J. SMITH",
        "date": "3/14/21",
        "tolerances": "FRACTIONAL ±1/64; TWO PLACE DECIMAL ±.01",
        "units": "INCHES",
        "company": "ACME WIDGETS, INC.",
    }


@pytest.mark.requirement("title.roles")
@pytest.mark.requirement("title.languages")
def test_german_block_with_date_before_name_is_read() -> None:
    form = Form()
    for row, (role, date, name) in enumerate(
        [
            ("", "Datum", "Name"),
            ("Bearb.", "12.03.2019", "Müller"),
            ("Gepr.", "14.03.2019", "Schmidt"),
            ("Norm", "", ""),
        ]
    ):
        form.row(225, 46 - row * 5, 5, [(15, role), (20, date), (25, name)], 1.8)
    form.cell((285, 31, 410, 51), "Benennung", "Lagerbock", size=5)
    form.cell((285, 15, 380, 31), "Zeichnungsnummer", "4711-0815-01", size=5)
    form.cell((380, 15, 410, 31), "Blatt", "1", size=3)
    form.row(380, 10, 5, [(30, "von 2 Bl.")], 1.8)
    form.cell((225, 51, 285, 61), "Allgemeintoleranzen", "ISO 2768-mK", size=2.5)
    form.cell((285, 51, 330, 61), "Maßstab", "1:5", size=3)
    form.cell((330, 51, 370, 61), "Gewicht", "2,35 kg", size=2.5)
    form.cell((370, 51, 410, 61), "Oberfläche")
    form.cell((285, 61, 410, 71), "Werkstoff / Halbzeug", "S235JR Rd 50", size=3)
    assert _fields(form) == {
        "title": "Lagerbock",
        "drawing_number": "4711-0815-01",
        "material": "S235JR Rd 50",
        "scale": "1:5",
        "sheet": "1 of 2",
        "drawn_by": "Müller",
        "checked_by": "Schmidt",
        "date": "12.03.2019",
        "weight": "2,35 kg",
        "tolerances": "ISO 2768-mK",
    }


@pytest.mark.requirement("title.typical")
@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("number", "material"), [("АБВГ.301712.001", "Сталь 45 ГОСТ 1050-2013"), ("Вал", "Пластик и фанера")]
)
def test_gost_block_with_unlabelled_cells_and_a_turned_number_is_read(number: str, material: str) -> None:
    form = Form()
    form.box((20, 5, 415, 292))
    form.row(230, 35, 5, [(7, "Изм."), (10, "Лист"), (23, "№ докум."), (15, "Подп."), (10, "Дата")], 1.8)
    for row, (role, name, date) in enumerate(
        [
            ("Разраб.", "Иванов", "01.02.20"),
            ("Пров.", "Петров", ""),
            ("Т.контр.", "", ""),
            ("", "", ""),
            ("Н.контр.", "", ""),
            ("Утв.", "Сидоров", ""),
        ]
    ):
        form.row(230, 30 - row * 5, 5, [(17, role), (23, name), (15, ""), (10, date)], 1.8)
    form.cell((295, 45, 415, 60))
    form.text(310, 50, number, 6)
    form.cell((295, 20, 365, 45))
    form.text(310, 30, "Вал ведущий", 6)
    form.cell((295, 5, 365, 20))
    form.text(300, 10, material, 3.5)
    form.row(365, 40, 5, [(15, "Лит."), (17, "Масса"), (18, "Масштаб")], 1.8)
    form.row(365, 25, 15, [(15, ""), (17, "1,25"), (18, "1:2")], 4)
    form.row(365, 20, 5, [(20, "Лист"), (30, "Листов     1")], 1.8)
    form.text(350, 1, "Формат А3", 2)
    form.cell((20, 280, 90, 292))
    form.text(80, 288, number, 5, angle=180)
    assert _fields(form) == {
        "title": "Вал ведущий",
        "drawing_number": number,
        "material": material,
        "scale": "1:2",
        "sheet": "1",
        "size": "A3",
        "drawn_by": "Иванов",
        "checked_by": "Петров",
        "approved_by": "Сидоров",
        "date": "01.02.20",
        "weight": "1,25",
    }


@pytest.mark.requirement("title.cells")
@pytest.mark.requirement("title.empty")
def test_labels_with_values_in_the_next_cell_are_read_and_empty_ones_are_left_out() -> None:
    form = Form()
    form.row(300, 50, 8, [(25, "Échelle :"), (25, "1:10"), (30, "Matière :"), (30, "Acier C45")])
    form.row(300, 42, 8, [(25, "Dessiné par"), (25, "Dupont"), (30, "Date"), (30, "05/11/2018")])
    form.row(300, 34, 8, [(25, "Vérifié par"), (25, ""), (30, "Format"), (30, "A3")])
    form.row(300, 26, 8, [(25, "Désignation"), (85, "Support moteur")])
    form.row(300, 18, 8, [(25, "N° de plan"), (55, "PL-2018-044"), (15, "Indice"), (15, "B")])
    form.row(300, 10, 8, [(25, "Client"), (85, "<client>")])
    assert _fields(form) == {
        "title": "Support moteur",
        "drawing_number": "PL-2018-044",
        "revision": "B",
        "material": "Acier C45",
        "scale": "1:10",
        "size": "A3",
        "drawn_by": "Dupont",
        "date": "05/11/2018",
    }


@pytest.mark.requirement("title.cells")
def test_labels_of_two_cells_that_were_written_as_one_text_are_parted() -> None:
    form = Form()
    form.cell((300, 10, 330, 22), "", "1:4")
    form.cell((330, 10, 360, 22), "", "mm")
    form.text(322.5, 19, "SCALEUNIT", 2.0)
    form.cell((300, 22, 360, 34), "TITLE", "Yoke")
    assert _fields(form) == {"title": "Yoke", "scale": "1:4", "units": "mm"}


@pytest.mark.requirement("title.open")
def test_unruled_labels_are_read_when_they_name_a_drawing() -> None:
    form = Form()
    for row, (label, value) in enumerate(
        [
            ("TITLE:", "Clamp Plate"),
            ("PART NO:", "CP-0042"),
            ("SCALE:", "2:1"),
            ("DRAWN BY:", "K. Ito"),
            ("FINISH:", ""),
        ]
    ):
        form.text(320, 50 - row * 5, label, 2.5)
        if value:
            form.text(345, 50 - row * 5, value, 2.5)
    assert _fields(form) == {"title": "Clamp Plate", "part_number": "CP-0042", "scale": "2:1", "drawn_by": "K. Ito"}


@pytest.mark.requirement("title.open")
def test_page_of_a_book_has_no_title_block() -> None:
    form = Form()
    form.lines(
        40,
        280,
        [
            "Title: The art of drawing",
            "Author: Jane Doe",
            "Date: 2001-01-01",
            *["A long line of prose about drawing, with many words in it."] * 30,
        ],
    )
    assert _block(form) is None


@pytest.mark.requirement("title.attribs")
def test_attributes_of_the_title_block_are_read_and_those_of_a_section_mark_are_not() -> None:
    form = Form()
    form.text(100, 140, "A", kind="attrib", tag="SECTION", owner="e1")
    form.text(100, 150, "1:5", kind="attrib", tag="SCALE", owner="e1")
    given = [
        ("DWG_NO", "", "D-100"),
        ("TITLE1", "Title", "PUMP"),
        ("TITLE2", "", "HOUSING"),
        ("GEZ_NAME", "", "Weber"),
        ("GEZ_DATUM", "", "1.2.2003"),
        ("REV", "", "XXX"),
        ("X7", "Enter scale:", "2:1"),
    ]
    for row, (tag, prompt, value) in enumerate(given):
        form.text(300, 30 - row * 3, value, kind="attrib", tag=tag, prompt=prompt, owner="e9")
    block = _block(form)
    assert block is not None
    assert block.fields == {
        "title": "PUMP HOUSING",
        "drawing_number": "D-100",
        "scale": "2:1",
        "drawn_by": "Weber",
        "date": "1.2.2003",
    }
    assert set(block.model_dump()["evidence"].values()) == {"attrib"}


@pytest.mark.requirement("title.plain")
def test_plain_lines_at_the_foot_are_a_title_block() -> None:
    form = Form()
    lines = [
        "Winch Drum - 3.5.2021",
        "Aluminium 6082",
        "A4 Drawing - Scale 2:1",
        "Dimensions in millimeters",
        "General tolerances ±0.1mm",
        "Free Winch Initiative",
    ]
    form.lines(150, 60, lines, 4)
    assert _fields(form) == {
        "title": "Winch Drum",
        "material": "Aluminium 6082",
        "scale": "2:1",
        "size": "A4",
        "date": "3.5.2021",
        "tolerances": "±0.1mm",
        "units": "millimeters",
        "company": "Free Winch Initiative",
    }


@pytest.mark.requirement("title.sheets")
def test_the_first_full_block_counts_and_other_sheets_are_listed() -> None:
    first, second = Form(1), Form(2)
    for form, number in ((first, "1"), (second, "2")):
        form.row(300, 10, 8, [(30, f"SHEET {number} OF 2"), (30, "SCALE 1:1"), (40, "DWG NO: K-77")], 2)
        form.cell((300, 18, 400, 30), "TITLE", "Cover")
    block = _block(first, second)
    assert block is not None
    assert block.fields["sheet"] == "1 OF 2"
    assert [each["sheet"] for each in block.model_dump()["sheets"]] == ["1 OF 2", "2 OF 2"]


@pytest.mark.requirement("title.confidence")
def test_every_field_has_evidence_confidence_and_sources() -> None:
    form = Form()
    _solidworks(form)
    block = _block(form)
    assert block is not None
    further = block.model_dump()
    ids = {text.id for text in form.texts}
    assert set(block.fields) == set(block.sources) == set(further["confidences"]) == set(further["evidence"])
    assert all(sources and set(sources) <= ids for sources in block.sources.values())
    assert further["confidences"]["scale"] > further["confidences"]["company"]


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize(
    "text",
    [
        "DO NOT SCALE DRAWING",
        "<MATERIAL>",
        "$PRPSHEET:{Material}",
        "XXX",
        "-",
        "PROPRIETARY AND CONFIDENTIAL",
        "DATE",
        "SIGNATURE",
    ],
)
def test_what_templates_hold_is_no_value(text: str) -> None:
    form = Form()
    form.cell((300, 10, 350, 25), "MATERIAL", text)
    form.cell((350, 10, 400, 25), "TITLE", "Lever")
    form.cell((300, 25, 400, 40), "DWG NO", "L-1001")
    assert _fields(form) == {"title": "Lever", "drawing_number": "L-1001"}


_VALUES = {
    "title": "Clamp Plate",
    "drawing_number": "QX-40.17",
    "part_number": "90-771",
    "revision": "B",
    "material": "S355J2",
    "finish": "Ni 8",
    "scale": "1:5",
    "sheet": "2/4",
    "size": "A2",
    "date": "2022-03-04",
    "weight": "1.4 kg",
    "tolerances": "ISO 2768-m",
    "units": "mm",
    "project": "Crane 7",
    "customer": "Port of Oslo",
    "company": "Hoist Works",
    "drawn_by": "A. Berg",
    "checked_by": "T. Moe",
    "approved_by": "S. Lie",
}
_LANGUAGES = ("en", "de", "fr", "es", "it", "ru", "pl")


def _words(key: str, language: str) -> list[str]:
    """Labels that say `key` and, alone, nothing else: "Firma" is a company in German and a signature in Spanish."""
    phrases = vocabulary.LANGUAGES[language]["title_block"].get(key, ())
    return [phrase for phrase in phrases if (found := title_labels.read(phrase)) is not None and found.key == key]


@st.composite
def _random_form(draw: st.DrawFn) -> tuple[Form, dict[str, str]]:
    language = draw(st.sampled_from(_LANGUAGES))
    second = draw(st.sampled_from(_LANGUAGES))
    keys = draw(st.lists(st.sampled_from(sorted(_VALUES)), min_size=4, max_size=12, unique=True))
    upper, both = draw(st.booleans()), draw(st.booleans())
    form, truth = Form(), dict[str, str]()
    for place, key in enumerate(keys):
        words = _words(key, language)
        if not words:
            continue
        label = draw(st.sampled_from(words))
        if both and (other := _words(key, second)):
            label = f"{label} / {draw(st.sampled_from(other))}"
        if len(label) > 40:
            continue
        label = label.upper() if upper and len(label.upper()) == len(label) else label.capitalize()
        value = _VALUES[key] if draw(st.integers(0, 4)) else ""
        left, low = 230 + 90 * (place % 2), 10 + 14 * (place // 2)
        form.cell((left, low, left + 90, low + 14), label + draw(st.sampled_from(["", ":"])), value)
        if value:
            truth[key] = value
    return form, truth


@pytest.mark.requirement("title.languages")
@settings(max_examples=60, deadline=None)
@given(made=_random_form())
def test_random_blocks_in_seven_languages_are_read_without_a_wrong_field(made: tuple[Form, dict[str, str]]) -> None:
    form, truth = made
    fields = _fields(form)
    assert fields.items() <= truth.items()
    assert fields == truth or len(truth) < 3


@pytest.mark.requirement("title.hostile")
@settings(max_examples=30, deadline=None)
@given(
    texts=st.lists(
        st.tuples(
            st.floats(allow_nan=True, allow_infinity=True),
            st.floats(-1e9, 1e9),
            st.sampled_from(
                [
                    "SCALE",
                    "TITLE:",
                    "DRAWN",
                    "NAME",
                    "DATE",
                    "1:2",
                    "SHEET 1 OF 2",
                    "\n",
                    "A3",
                    "x" * 5000,
                    "SCALE: " * 200,
                ]
            )
            | st.text(max_size=60),
            st.floats(0, 50),
        ),
        max_size=30,
    )
)
def test_any_lettering_gives_a_block_or_none(texts: Sequence[tuple[float, float, str, float]]) -> None:
    form = Form()
    for x, y, text, height in texts:
        form.text(x, y, text or " ", height)
    form.cell((300, 10, 400, 40), "TITLE")
    block = _block(form)
    assert block is None or set(block.fields) <= set(TITLE_BLOCK_FIELDS)


def _corner(form: Form) -> None:
    """A block whose readers know what is what."""
    form.box((10, 10, 410, 287))
    form.cell((290, 24, 330, 40))
    form.text(292, 30, "Officine Bianchi S.r.l.", 2)
    form.cell((330, 24, 410, 40))
    form.text(333, 30, "Supporto sinistro", 5)
    for x, width, text, height in (
        (290, 50, "0764-043", 4),
        (340, 20, "1:2", 3),
        (360, 20, "A4", 3),
        (380, 30, "16.11.2023", 3),
    ):
        form.cell((x, 10, x + width, 24))
        form.text(x + 2, 15, text, height)


@pytest.mark.requirement("title.typical")
def test_a_corner_block_without_labels_is_read_by_form_and_size() -> None:
    form = Form()
    _corner(form)
    assert _fields(form) == {
        "title": "Supporto sinistro",
        "drawing_number": "0764-043",
        "scale": "1:2",
        "size": "A4",
        "date": "16.11.2023",
        "company": "Officine Bianchi S.r.l.",
    }


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize("mass", ["12.4 kg", "0,35 KG"])
def test_a_mass_without_a_label_is_the_weight_and_no_company(mass: str) -> None:
    form = Form()
    _corner(form)
    form.texts[0].text = mass
    fields = _fields(form)
    assert fields["weight"] == mass and "company" not in fields


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Released 12.03.2024", None),
        ("Geprüft 12.03.2024", None),
        ("Dept.\n12.03.2024", None),
        ("A. Ryll 12.03.2024", "A. Ryll"),
    ],
)
def test_a_label_before_a_date_is_nobodys_name(written: str, name: str | None) -> None:
    form = Form()
    form.cell((300, 10, 350, 25), "DWG No.", "100-2345")
    form.cell((350, 10, 410, 25), "Title", "Slider crank")
    form.cell((300, 25, 350, 40), "Scale", "1:1")
    form.row(300, 40, 8, [(30, "Approved"), (50, written)])
    assert _fields(form).get("approved_by") == name


@pytest.mark.requirement("title.tolerances")
@pytest.mark.parametrize(("is_drawn", "count"), [(True, 1), (False, 0)])
def test_a_sign_drawn_as_strokes_in_the_tolerances_is_a_warning(is_drawn: bool, count: int) -> None:
    form = Form()
    _solidworks(form)
    form.text(231, 70, "300    X    150 : ±0.15", 1.8)
    if is_drawn:
        form.rules += [(237, 70.9, 238.2, 70.3), (238.2, 70.9, 237, 71.5), (237, 70, 238.2, 70)]
    block = _block(form)
    assert block is not None and "300 X 150" in block.fields["tolerances"].replace("    ", " ")
    found = unread_signs(block, [form.sheet()])
    assert len(found) == count and all("300 X 150" in warning for warning in found)


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize("word", ["PRODUKTION", "WERKSTATT"])
def test_a_row_label_below_the_roles_is_nobodys_name(word: str) -> None:
    form = Form()
    form.box((10, 10, 410, 287))
    form.cell((330, 40, 410, 70), "BENENNUNG", "Adapterplatte", size=4.5)
    form.cell((330, 20, 410, 40), "MASSSTAB", "1:2", size=5)
    form.cell((260, 20, 330, 70))
    for row, role in enumerate(("GEZEICHNET", "GEPRÜFT", "GENEHMIGT", word)):
        form.text(262, 60 - 10 * row, role, 2)
    assert "approved_by" not in _fields(form)


@pytest.mark.requirement("title.typical")
def test_ruled_cells_without_scale_or_paper_are_no_block() -> None:
    form = Form()
    for place, text in enumerate(("0764-043", "Welle", "Deckel", "12.03.2024", "8841-222")):
        form.cell((290 + 20 * place, 10, 310 + 20 * place, 20))
        form.text(291 + 20 * place, 13, text, 2)
    assert _fields(form) == {}


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(("others", "said"), [("", "-"), ("-", None)])
def test_a_dash_is_a_revision_unless_dashes_fill_empty_cells(others: str, said: str | None) -> None:
    form = Form()
    form.cell((300, 10, 350, 25), "TITLE", "Lever")
    form.cell((350, 10, 380, 25), "REV", "-")
    form.cell((380, 10, 410, 25), "FINISH", others)
    form.cell((300, 25, 380, 40), "DWG NO", "L-1001")
    form.cell((380, 25, 410, 40), "CAGE CODE", "0ZX17")
    assert _fields(form).get("revision") == said


@pytest.mark.requirement("title.roles")
def test_role_name_and_date_may_be_stacked_in_one_cell_beside_the_title() -> None:
    form = Form()
    form.box((300, 30, 340, 56))
    for row, (text, height) in enumerate((("Designed by", 1.8), ("A. Ryll", 2.5), ("Date", 1.8), ("07.01.2020", 2.5))):
        form.text(301, 52 - 6 * row, text, height)
    form.cell((340, 30, 410, 56))
    form.text(345, 42, "Lagerbock", 5)
    form.cell((300, 10, 340, 30), "Material", "EN AW 7075")
    form.cell((340, 10, 370, 30), "Scale", "1:1")
    form.cell((370, 10, 410, 30), "Part Number", "P-104")
    read = _fields(form)
    assert (read["drawn_by"], read["date"], read["title"]) == ("A. Ryll", "07.01.2020", "Lagerbock")


@pytest.mark.requirement("title.cells")
def test_a_word_of_labels_in_large_letters_under_a_label_is_its_value() -> None:
    form = Form()
    form.cell((300, 10, 350, 25), "DWG No.", "Assembly")
    form.cell((350, 10, 410, 25), "Title", "Slider crank")
    form.cell((300, 25, 350, 40), "Scale", "1:1")
    read = _fields(form)
    assert (read["drawing_number"], read["title"]) == ("Assembly", "Slider crank")


@pytest.mark.requirement("title.cells")
def test_a_label_may_take_two_lines() -> None:
    form = Form()
    form.box((300, 10, 330, 25))
    form.text(301, 22, "Units unless", 1.8)
    form.text(301, 19, "specified", 1.8)
    form.text(303, 13, "mm", 3)
    form.cell((330, 10, 410, 25), "Title", "Slider")
    form.cell((300, 25, 350, 40), "Drawing no.", "S-1100")
    assert _fields(form)["units"] == "mm"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize(
    ("label", "others", "key"),
    [
        ("Sachnummer", True, "part_number"),
        ("Sachnummer", False, "drawing_number"),
        ("Codice", True, "part_number"),
        ("Référence", True, "part_number"),
        ("Référence", False, "drawing_number"),
    ],
)
def test_the_number_of_the_thing_is_the_drawings_where_no_other_is(label: str, others: bool, key: str) -> None:
    form = Form()
    form.cell((300, 10, 350, 25), label, "3385874")
    form.cell((350, 10, 410, 25), "Titel", "Welle")
    form.cell((300, 25, 350, 40), "Zeichnungsnummer" if others else "Werkstoff", "0409-030" if others else "C45")
    assert _fields(form)[key] == "3385874"


@pytest.mark.requirement("title.open")
def test_labelled_lines_beside_the_block_feed_it_and_numbered_notes_do_not() -> None:
    form = Form()
    form.cell((300, 10, 350, 25), "DWG NO", "L-1001")
    form.cell((350, 10, 410, 25), "TITLE", "Lever")
    form.cell((300, 25, 410, 40), "SHEET", "1/1")
    form.lines(60, 40, ["MATERIAL: ALUMINIUM", "SCALE: 1:1", "SURFACE TREATMENT: NONE SO FAR"], 2)
    form.text(60, 80, "8", 2)
    form.text(64, 80, "Coating: enamel", 2)
    read = _fields(form)
    assert (read["material"], read["scale"], read["finish"]) == ("ALUMINIUM", "1:1", "NONE SO FAR")


@pytest.mark.requirement("title.open")
@pytest.mark.parametrize(("sign", "material"), [("•", None), ("▪", None), ("\uf0b7", None), ("", "ALUMINIUM")])
def test_what_stands_behind_a_bullet_is_said_by_a_list_and_by_no_form(sign: str, material: str | None) -> None:
    form = Form()
    form.cell((300, 10, 350, 25), "DWG NO", "L-1001")
    form.cell((350, 10, 410, 25), "TITLE", "Lever")
    form.cell((300, 25, 410, 40), "SHEET", "1/1")
    for row, text in enumerate(("PART IS PRINTED", "MATERIAL: ALUMINIUM", "DEBURR ALL EDGES")):
        form.text(60, 250 - 5 * row, sign, 2)
        form.text(66, 250 - 5 * row, text, 2)
    assert _fields(form).get("material") == material


@pytest.mark.requirement("title.attribs")
def test_lines_of_a_title_in_attributes_are_joined_from_the_top() -> None:
    form = Form()
    for tag, y, text in (("TITLE2", 20, "LEFT HAND"), ("TITLE1", 26, "COVER"), ("DWG_NO", 12, "L-9"), ("REV", 14, "B")):
        form.text(340, y, text, 2.5, kind="attrib", tag=tag, owner="insert-1")
    assert _fields(form)["title"] == "COVER LEFT HAND"


def _labelled(form: Form) -> None:
    """Two cells that make a block with whatever else stands there."""
    form.cell((350, 25, 410, 40), "TITLE", "Lever")
    form.cell((300, 25, 350, 40), "SCALE", "1:2")


@pytest.mark.requirement("title.empty")
def test_an_empty_number_does_not_take_the_paper_format_beside_it() -> None:
    form = Form()
    _labelled(form)
    form.cell((300, 10, 380, 25), "DWG NO.")
    form.row(380, 10, 15, [(30, "A1")], 3.5)
    read = _fields(form)
    assert "drawing_number" not in read
    assert read["size"] == "A1"


@pytest.mark.requirement("title.empty")
@pytest.mark.parametrize("stranger", ["ENG APPRV", "QC APPRV", "FOREMAN"])
def test_an_empty_cell_does_not_take_a_neighbour_that_has_its_own_label(stranger: str) -> None:
    form = Form()
    _labelled(form)
    form.cell((300, 10, 350, 25), "FINISH:")
    form.cell((350, 10, 410, 25), stranger, "BD")
    assert "finish" not in _fields(form)


@pytest.mark.requirement("title.empty")
def test_roughness_of_surfaces_does_not_fill_an_empty_finish() -> None:
    form = Form()
    _labelled(form)
    form.cell((300, 10, 350, 25), "FINISH:")
    form.cell((350, 10, 410, 25), "SURFACE FINISH:", "MACHINED 3.2")
    assert "finish" not in _fields(form)


@pytest.mark.requirement("title.roles")
def test_heads_of_columns_with_given_and_family_name_are_no_title() -> None:
    form = Form()
    form.row(300, 40, 5, [(20, ""), (20, "NAME"), (20, "FIRST NAME"), (20, "SIGNATURE"), (20, "DATE")], 1.8)
    form.row(300, 35, 5, [(20, "DRAWN"), (20, ""), (20, ""), (20, ""), (20, "")], 1.8)
    form.cell((300, 20, 360, 35), "DWG NAME", "Input Shaft", size=5)
    form.row(360, 20, 15, [(40, "SCALE 1:1")], 1.8)
    assert _fields(form)["title"] == "Input Shaft"


@pytest.mark.requirement("title.roles")
def test_rev_between_the_roles_is_who_reviewed_and_elsewhere_the_revision() -> None:
    form = Form()
    rows = [("DIB.", "01/08/25", "DVSR"), ("REV.", "20/10/25", "CEM"), ("APR.", "27/10/25", "RGM")]
    form.row(300, 45, 5, [(20, ""), (25, "FECHA"), (25, "NOMBRE"), (25, "FIRMA")], 1.8)
    for place, (role, date, name) in enumerate(rows):
        form.row(300, 40 - 5 * place, 5, [(20, role), (25, date), (25, name), (25, "")], 1.8)
    form.cell((300, 15, 360, 30), "Plano N°:", "MET-302", size=5)
    form.cell((360, 15, 395, 30), "Rev.", "01")
    read = _fields(form)
    assert (read["drawn_by"], read["checked_by"], read["approved_by"]) == ("DVSR", "CEM", "RGM")
    assert (read["revision"], read["date"]) == ("01", "01/08/25")


@pytest.mark.requirement("title.roles")
@pytest.mark.parametrize(
    ("roles", "checked"), [(("REVIEWED BY", "CHECKED BY"), "CEM"), (("REVIEWED BY", "MFG"), "DVSR")]
)
def test_who_reviewed_has_checked_only_where_no_label_says_who_did(roles: tuple[str, str], checked: str) -> None:
    form = Form()
    _labelled(form)
    form.row(300, 10, 15, [(50, f"{roles[0]}: DVSR"), (50, f"{roles[1]}: CEM")], 2.5)
    assert _fields(form)["checked_by"] == checked


@pytest.mark.requirement("title.cells")
def test_a_mass_in_brackets_and_a_standard_without_a_number_are_values() -> None:
    form = Form()
    _labelled(form)
    form.row(300, 10, 15, [(60, "Tolerancias: S/DIN"), (50, "Peso: 56 [g]")], 2.5)
    read = _fields(form)
    assert (read["tolerances"], read["weight"]) == ("S/DIN", "56 [g]")


@pytest.mark.requirement("title.cells")
def test_a_label_may_begin_with_a_label_of_its_own() -> None:
    form = Form()
    _labelled(form)
    form.box((300, 10, 330, 25))
    form.text(301, 20, "DIMENSIONS", 1.8)
    form.text(301, 17, "ARE IN:", 1.8)
    form.row(330, 10, 15, [(80, "INCH [MM]")], 2.5)
    assert _fields(form)["units"] == "INCH [MM]"


def _gost(form: Form) -> None:
    """The lower right part of form 1 of GOST 2.104."""
    form.row(240, 35, 5, [(20, "Разраб."), (30, "Исаева Ж."), (20, "")], 2.2)
    form.row(240, 30, 5, [(20, "Пров."), (30, "Артемов Б."), (20, "")], 2.2)
    form.row(240, 25, 5, [(20, "Утв."), (30, ""), (20, "")], 2.2)
    form.row(340, 35, 5, [(20, "Лит."), (25, "Масса"), (25, "Масштаб")], 2.2)
    form.row(340, 30, 5, [(20, ""), (25, ""), (25, "1:1")], 2.2)
    form.row(340, 25, 5, [(20, "Лист"), (50, "Листов 1")], 2.2)


@pytest.mark.requirement("title.typical")
def test_a_designation_with_the_code_of_its_document_is_the_number_and_the_school_the_company() -> None:
    form = Form()
    _gost(form)
    form.row(310, 40, 12, [(100, "АБВГ.301241.006 СБ")], 5)
    form.box((310, 10, 340, 40))
    form.text(311, 30, "Робот", 4)
    form.text(311, 24, "Сборочный чертеж", 2.4)
    form.box((340, 10, 410, 25))
    form.lines(350, 20, ["Университет ИТМО", "Кафедра ИУ4", "R3325"], 2.2)
    read = _fields(form)
    assert (read["drawing_number"], read["title"]) == ("АБВГ.301241.006 СБ", "Робот Сборочный чертеж")
    assert read["company"] == "Университет ИТМО Кафедра ИУ4 R3325"


@pytest.mark.requirement("title.typical")
def test_initials_over_a_school_are_its_name_and_the_largest_line_of_the_big_cell_is_the_title() -> None:
    form = Form()
    form.row(240, 35, 5, [(20, "Dibujó"), (40, "DVSR")], 1.8)
    form.row(240, 30, 5, [(20, "Aprobó"), (40, "CEM")], 1.8)
    form.box((300, 30, 410, 55))
    for y, text, height in ((48, "MORDAZA", 3.8), (41, "CONJUNTO", 3.2), (34, "MAQUINA DE ENSAYO", 3.2)):
        form.text(355 - len(text) * height * 0.35, y, text, height)
    form.box((240, 10, 300, 30))
    for y, text, height in ((22, "UTN", 6.0), (15, "FRCH", 5.0), (11, "FACULTAD REGIONAL", 1.4)):
        form.text(245, y, text, height)
    form.cell((300, 10, 370, 30), "Plano N°:", "MET-303", size=3.5)
    form.cell((370, 10, 410, 30), "Escala", "3:2", size=3.5)
    read = _fields(form)
    assert (read["title"], read["company"]) == ("MORDAZA", "UTN FRCH FACULTAD REGIONAL")


@pytest.mark.requirement("title.open")
def test_a_part_number_over_the_block_and_a_format_under_it_belong_to_it() -> None:
    form = Form()
    _labelled(form)
    form.row(300, 10, 15, [(30, "SHEET 1/1"), (30, "Утв."), (50, "DRG NO 77-12")], 2)
    form.cell((300, 40, 350, 50), "MATERIAL", "C45")
    form.text(380, 45, "P/N: 1466G1", 3)
    form.text(350, 5, "Формат", 2.5)
    form.text(366, 5, "A4", 2.5)
    read = _fields(form)
    assert (read["part_number"], read["size"]) == ("1466G1", "A4")


@pytest.mark.requirement("title.row-of-labels")
@pytest.mark.parametrize(("rest", "expected"), [("BRACKET", "BRACKET"), ("", None)])
def test_the_last_of_a_row_of_labels_is_a_label_though_its_word_is_unknown(rest: str, expected: str | None) -> None:
    form = Form()
    form.box((10, 10, 410, 287))
    form.row(290, 55, 10, [(40, "PART NUMBER"), (40, "DESCRIPTION"), (40, "ZORGNAAM")], 2)
    form.row(290, 45, 10, [(40, "4711-0815"), (40, rest), (40, "ROOD")], 4)
    form.row(290, 35, 10, [(40, "SCALE"), (40, "SHEET"), (40, "SIZE")], 2)
    form.row(290, 25, 10, [(40, "1:2"), (40, "1 of 2"), (40, "A3")], 4)
    fields = _fields(form)
    assert fields.get("title") == expected
    assert (fields["scale"], fields["sheet"], fields["size"]) == ("1:2", "1 of 2", "A3")


def _with_unknown_labels(form: Form, heights: tuple[float, float]) -> None:
    """A block of which three labels are known and four are words of no language."""
    small, large = heights
    form.box((10, 10, 410, 287))
    cells = [
        ("SCALE", "1:2"), ("SHEET", "1 of 2"), ("SIZE", "A3"), ("ZORGNAAM", "K. Vendel"), ("PLOTWERK", "QX-77"), ("MURDEK", "B 12"),
        ("ARVEL", ""),
    ]  # fmt: skip
    for place, (label, value) in enumerate(cells):
        x, y = 310 + 25 * (place % 4), 30 - 20 * (place // 4)
        form.cell((x, y, x + 25, y + 20))
        form.text(x + 1, y + 16, label, small)
        if value:
            form.text(x + 2, y + 5, value, large)


@pytest.mark.requirement("title.printed")
def test_a_field_whose_label_is_of_no_known_language_is_reported_under_it() -> None:
    form = Form()
    _with_unknown_labels(form, (1.8, 3.0))
    block = _block(form)
    assert block is not None
    assert block.fields == {
        "scale": "1:2", "sheet": "1 of 2", "size": "A3", "ZORGNAAM": "K. Vendel", "PLOTWERK": "QX-77", "MURDEK": "B 12",
    }  # fmt: skip
    assert set(block.sources) == set(block.fields)
    further = block.model_extra or {}
    assert further["evidence"]["PLOTWERK"] == "printed label" and further["confidences"]["PLOTWERK"] < 0.9


@pytest.mark.requirement("title.printed")
def test_lettering_of_one_height_tells_no_label_from_its_value() -> None:
    form = Form()
    _with_unknown_labels(form, (2.5, 2.5))
    block = _block(form)
    assert block is not None and set(block.fields) == {"scale", "sheet", "size"}


@pytest.mark.requirement("title.typical")
@pytest.mark.parametrize(("y", "expected"), [(28.0, "减速器轴"), (37.0, None)])
def test_in_a_block_of_one_lettering_the_title_stands_in_the_largest_cell(y: float, expected: str | None) -> None:
    form = Form()
    form.cell((290, 40, 350, 60))
    form.text(305, y + 20, "减速器轴", 2.5)
    form.row(350, 50, 10, [(15, "比例"), (20, "1：1")])
    form.row(350, 40, 10, [(15, "件数"), (20, "1")])
    form.row(290, 30, 10, [(15, "制图"), (45, "郝保臣"), (35, "")])
    form.row(290, 20, 10, [(15, "审核"), (80, "")])
    form.row(385, 40, 20, [(25, "45钢")])
    found = _fields(form)
    assert (found.get("title"), found["scale"], found["material"]) == (expected, "1：1", "45钢")


@pytest.mark.requirement("title.typical")
def test_a_cell_that_says_the_drafters_name_is_no_title() -> None:
    form = Form()
    form.cell((290, 40, 350, 60))
    form.text(305, 48, "减速器轴", 2.5)
    form.row(350, 50, 10, [(15, "比例"), (20, "1：1")])
    form.row(350, 40, 10, [(15, "件数"), (20, "1")])
    form.row(290, 30, 10, [(15, "制图"), (45, "郝保臣")])
    form.row(290, 20, 10, [(15, "审核"), (45, "")])
    form.cell((350, 20, 410, 40))
    form.text(360, 28, "郝保臣 120202103", 2.5)
    assert _fields(form).get("title") == "减速器轴"


@pytest.mark.requirement("title.cells")
@pytest.mark.parametrize("lines", [("100KG", "MAX"), ("0.54 kg", "[1.2 lb]"), ("2.5 kg", "APPROX.")])
def test_a_weight_of_two_lines_is_read_whole(lines: tuple[str, str]) -> None:
    form = Form()
    form.row(290, 40, 20, [(30, "SCALE: 1:2"), (30, "SIZE: A3"), (40, "SHEET: 1 OF 2")])
    form.cell((290, 20, 360, 40))
    form.text(291, 28, "WEIGHT:", 3.5)
    form.text(330, 30.2, lines[0], 2.0)
    form.text(330, 26.0, lines[1], 2.0)
    assert _fields(form).get("weight") == " ".join(lines)


@pytest.mark.requirement("title.attribs")
@pytest.mark.parametrize(("label", "title"), [("DWG NO: ", "Hand frame"), ("", None)])
def test_attributes_that_an_office_exchanged_are_told_by_the_label_in_the_value(label: str, title: str | None) -> None:
    form = Form()
    values = {"TITLE": f"{label}RT-8-2", "PART_NO": "Hand frame", "SCALE": "1:1", "DATE": "2018-04-25", "SIZE": "A4"}
    for row, (tag, value) in enumerate(values.items()):
        form.text(300, 60 - 5 * row, value, kind="attrib", tag=tag, owner="insert-1")
    fields = _fields(form)
    assert fields["scale"] == "1:1"
    assert fields.get("title") == (title or "RT-8-2")
    assert "part_number" not in fields
