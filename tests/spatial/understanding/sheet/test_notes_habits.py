"""Blocks of notes as offices letter them: headings, marks, nesting, wrapping and spacing, in many languages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.spatial.forms import Form, note_texts

_NUMBERED = {
    "Turkish": ("NOTLAR:", "Tüm keskin kenarlar kırılacaktır.", "Yüzey siyaha boyanacaktır."),
    "Vietnamese": ("YÊU CẦU KỸ THUẬT", "Làm tù các cạnh sắc", "Sơn phủ màu đen hai lớp"),
    "Polish": ("UWAGI:", "Ostre krawędzie stępić.", "Nie wymiarowane promienie R3."),
    "Greek": ("ΣΗΜΕΙΩΣΕΙΣ:", "Όλες οι διαστάσεις σε mm", "Οι ακμές να στρογγυλευτούν"),
    "Ukrainian": ("", "Гострі кромки притупити.", "Покриття Хім.Окс.прм."),
    "Indonesian": ("Catatan:", "Semua ukuran dalam mm", "Hilangkan bagian tajam"),
    "Korean": ("주 기", "지시 없는 모따기는 C1", "열처리 HRC 50~55"),
    "Japanese": ("注記", "指示なき角部は面取りのこと。", "バリ、カエリなきこと。"),
    "Chinese": ("技术要求", "未注圆角R2", "热处理硬度HRC45-50"),
    "two languages": ("Hinweise / Notes:", "Scharfe Kanten brechen Break sharp edges", "Sandgestrahlt Sandblasted"),
    "a condition": ("UNLESS OTHERWISE SPECIFIED:", "ALL DIMENSIONS IN MM", "ALL RADII R0.5"),
}


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize("way", ["{}. {}", "{}) {}", "({}) {}"])
@pytest.mark.parametrize("block", _NUMBERED.values(), ids=_NUMBERED)
def test_numbered_notes_under_headings_of_many_languages(block: tuple[str, ...], way: str) -> None:
    heading, *notes = block
    form = Form()
    numbered = [way.format(number, text) for number, text in enumerate(notes, 1)]
    form.lines(30, 120, [heading, *numbered] if heading else numbered)
    assert note_texts(form) == notes


_UNMARKED = {
    "Hungarian sentences": ("MEGJEGYZÉSEK:", "Az éles éleket le kell törni.", "A felületet feketére kell festeni."),
    "Portuguese lines": ("OBSERVAÇÕES:", "Quebrar cantos vivos", "Medidas em milímetros"),
    "German lines": (
        "",
        "Allgemeintoleranzen nach ISO 2768-mK",
        "Nicht bemaßte Radien R2",
        "Nicht bemaßte Fasen 1x45°",
    ),
    "two words in capitals": ("NOTES:", "DEBURR EDGES", "ANODIZE BLACK", "NO BURRS"),
    "data of the part": ("", "MATERIAL: S355J2", "HEAT TREATMENT: NORMALIZED", "COATING: ZINC PRIMER 60 µm"),
    "short lines of signs": ("", "未注公差按GB/T1804-m级执行", "锐边倒钝，去毛刺", "表面不得有划伤等缺陷"),
    "lines that begin with the same signs": (
        "",
        "指示なき公差はJIS B 0405-mによる",
        "指示なき角はC0.3以下",
        "バリなきこと",
    ),
}


@pytest.mark.requirement("notes.unnumbered")
@pytest.mark.parametrize("block", _UNMARKED.values(), ids=_UNMARKED)
def test_unmarked_lines_are_notes_of_their_own(block: tuple[str, ...]) -> None:
    heading, *notes = block
    form = Form()
    form.lines(30, 120, [heading, *notes] if heading else notes)
    assert note_texts(form) == notes


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "lines",
    [
        ("TITLE: COVER", "MATERIAL: S355J2", "SCALE: 1:2", "DATE: 2024-05-01"),
        ("1. OVERVIEW", "2. PARTS"),
        ("SECTION A-A", "SCALE 2:1", "DETAIL B"),
    ],
    ids=["a block without rules", "chapters", "names of views"],
)
def test_forms_chapters_and_names_are_no_notes(lines: Sequence[str]) -> None:
    form = Form()
    form.lines(30, 120, lines)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.turned")
def test_a_list_is_one_in_any_direction_of_reading() -> None:
    form = Form()
    for place, name in enumerate(
        ("SECTION A-A", "DETAIL B", "ISOMETRIC VIEW", "VIEW FROM BEHIND", "DETAIL C", "SECTION D-D")
    ):
        form.text(80 + 40 * (place % 3), 150 - 40 * (place // 3), name, 5)
    for place, line in enumerate(("HINWEISE:", "1. Alle Kanten entgratet", "2. Schwarz eloxiert")):
        form.text(30 + 5 * place, 60, line, 3, angle=90)
    assert note_texts(form) == ["Alle Kanten entgratet", "Schwarz eloxiert"]


@pytest.mark.requirement("notes.items")
def test_numbered_words_over_parts_of_their_own_are_notes() -> None:
    form = Form()
    lines = ["1. PAINTING", "1.1 Primer epoxy 60 µm", "1.2 Top coat RAL 7016", "2. MARKING", "2.1 Part number by laser"]
    form.lines(30, 120, lines)
    assert note_texts(form) == [
        "PAINTING",
        "Primer epoxy 60 µm",
        "Top coat RAL 7016",
        "MARKING",
        "Part number by laser",
    ]


@pytest.mark.requirement("notes.bullets")
def test_one_word_behind_its_bullet_is_a_note_among_others_under_a_heading() -> None:
    form = Form()
    form.lines(30, 120, ["NOTES:", "- DEBURR", "- PASSIVATE PER ASTM A967", "- CLEAN AND BAG"])
    assert note_texts(form) == ["DEBURR", "PASSIVATE PER ASTM A967", "CLEAN AND BAG"]


@pytest.mark.requirement("notes.unnumbered")
def test_an_exception_on_the_next_line_belongs_to_the_sentence_over_it() -> None:
    form = Form()
    form.lines(30, 120, ["ALL DIMENSIONS ARE IN MILLIMETERS", "UNLESS OTHERWISE STATED"])
    assert note_texts(form) == ["ALL DIMENSIONS ARE IN MILLIMETERS UNLESS OTHERWISE STATED"]


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), (1, 2, 1, 2)])
def test_a_heading_between_two_notes_belongs_to_neither(numbers: tuple[int, ...]) -> None:
    texts = ("DIMENSIONS IN MM.", "DO NOT SCALE.", "POWDER COAT RAL 7035.", "MASK THREADS.")
    first, second, third, fourth = (f"{number}. {text}" for number, text in zip(numbers, texts, strict=True))
    form = Form()
    form.lines(30, 120, ["GENERAL", first, second, "", "FINISH", third, fourth])
    assert sorted(note_texts(form)) == sorted(texts)


@pytest.mark.requirement("notes.bullets")
def test_short_parts_under_a_sentence_with_a_colon_are_one_note_with_it() -> None:
    form = Form()
    lines = ["Sai lệch giới hạn của các kích thước không chỉ dẫn:", "- Bề mặt bao: H13", "- Bề mặt bị bao: h13"]
    form.lines(30, 120, lines)
    assert note_texts(form) == [
        "Sai lệch giới hạn của các kích thước không chỉ dẫn: Bề mặt bao: H13 Bề mặt bị bao: h13"
    ]


@pytest.mark.requirement("notes.numbered")
def test_a_figure_right_before_small_letters_behind_a_number_is_the_capital_of_a_word() -> None:
    form = Form()
    form.lines(
        30, 120, ["NOTES:", "1.Contact resistance: 50 mΩ", "2.1nsulation resistance: 100 MΩ", "3.0peration at -25 °C"]
    )
    assert note_texts(form) == ["Contact resistance: 50 mΩ", "Insulation resistance: 100 MΩ", "Operation at -25 °C"]
    units = Form()
    units.lines(30, 120, ["NOTES:", "1. 1metre of cable is left free", "2. 1minute at 80 °C", "3. 0degrees is upwards"])
    assert note_texts(units) == ["1metre of cable is left free", "1minute at 80 °C", "0degrees is upwards"]


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "lines",
    [
        ("Muster (China) Motor Industry Co., Ltd.",),
        ("RECOMMENDED LAYOUT OF THE BOARD", "GENERAL TOLERANCE ±0.05"),
        ("This drawing is the confidential property of Company Name.", "It must not be copied or disclosed."),
    ],
    ids=["a firm", "the tolerance of a view", "a notice of nobody"],
)
def test_firms_tolerances_of_a_view_and_notices_of_nobody_are_no_notes(lines: Sequence[str]) -> None:
    form = Form()
    form.lines(30, 120, lines)
    assert note_texts(form) == []


_LEFT_OUT = (
    ("1. ", "Das Teil ist vor dem Versand mit Öl zu schützen,"),
    ("", "das frei von Wasser ist."),
    ("   ", "Die Bohrungen sind zu entgraten."),
    ("   ", "Der Rand bleibt ohne Farbe."),
    ("4. ", "Die Nummer des Teils ist einzuschlagen."),
)


@pytest.mark.requirement("notes.unread_marks")
def test_texts_set_in_between_two_numbers_that_leave_out_as_many_have_these_numbers() -> None:
    form = Form()
    for place, (mark, text) in enumerate(_LEFT_OUT):
        level = 150 - 5 * place
        if mark.strip():
            form.text(30, level, mark.strip(), 2.5)
        form.text(36 if mark else 30, level, text, 2.5)
    assert note_texts(form) == [
        f"{_LEFT_OUT[0][1]} {_LEFT_OUT[1][1]}",
        *(text for _, text in _LEFT_OUT[2:]),
    ]


@pytest.mark.requirement("notes.unread_marks")
def test_lines_that_go_on_under_a_note_are_no_notes_where_a_number_is_left_out() -> None:
    form = Form()
    lines = (
        ("1.", "Die Bohrungen sind zu entgraten"),
        ("2.", "Das Teil ist mit Öl zu schützen"),
        ("", "und zu verpacken"),
        ("4.", "Der Rand bleibt ohne Farbe"),
    )
    for place, (mark, text) in enumerate(lines):
        if mark:
            form.text(30, 150 - 5 * place, mark, 2.5)
        form.text(36, 150 - 5 * place, text, 2.5)
    assert note_texts(form) == [lines[0][1], "Das Teil ist mit Öl zu schützen und zu verpacken", lines[3][1]]


@pytest.mark.requirement("notes.none")
def test_the_legend_of_an_ordering_code_is_no_list_of_notes() -> None:
    form = Form()
    form.lines(30, 200, ["NOTES:", "1. MEASURE AT BEND RADIUS.", "2. TUBE POSITIONS 03 THRU 50."], 3.0)
    legend = [
        "PLATING",
        "-T: MATTE TIN ON ENTIRE PIN.",
        "-G: SELECTIVE GOLD IN CONTACT AREA,",
        "MATTE TIN ON TAIL.",
        "-L: LEAD",
    ]
    form.lines(200, 150, legend, 3.2)
    assert note_texts(form) == ["MEASURE AT BEND RADIUS.", "TUBE POSITIONS 03 THRU 50."]


@pytest.mark.requirement("notes.columns")
def test_an_item_of_a_list_in_letters_of_another_height_behind_a_line_is_of_another_block() -> None:
    form = Form()
    form.lines(30, 200, ["NOTES:", "1. MATES ONLY WITH", "SSM AND ESQ CONNECTORS."], 3.0)
    form.text(90, 200 - 4.8, "- SELECTIVE GOLD IN CONTACT AREA", 3.3)
    assert note_texts(form)[0] == "MATES ONLY WITH SSM AND ESQ CONNECTORS."
