"""Notes under a heading or under words with a colon: what is one of them, and what is none."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, notes_of

_UNMARKED = {
    "cs": ("Poznámky:", "Neoznačené hrany srazit 0,5x45°", "Všeobecné tolerance ISO 2768-mK"),
    "da": ("Bemærkninger", "Alle mål i mm", "Skarpe kanter brydes"),
    "el": ("ΣΗΜΕΙΩΣΕΙΣ", "Όλες οι διαστάσεις σε mm", "Γενικές ανοχές ISO 2768-m"),
    "fi": ("HUOMAUTUKSET", "Terävät särmät pyöristettävä", "Yleistoleranssit ISO 2768-mK"),
    "fr": ("REMARQUES", "Casser les angles vifs", "Tolérances générales ISO 2768-mK"),
    "hr": ("NAPOMENE", "Sve mjere u mm", "Opće tolerancije ISO 2768-m"),
    "hu": ("MEGJEGYZÉSEK", "Éles sarkok letörve 0,5x45°", "Általános tűrések ISO 2768-m"),
    "it": ("NOTE", "Tutti gli spigoli vivi smussati", "Tolleranze generali ISO 2768-m"),
    "ja": ("注記", "指示なき角部はC0.5のこと", "普通公差はJIS B 0405-mによる"),
    "ko": ("주서", "지시없는 모따기 C1", "날카로운 모서리 제거"),
    "nl": ("OPMERKINGEN", "Scherpe kanten breken 0,5", "Algemene toleranties ISO 2768-m"),
    "no": ("MERKNADER", "Alle mål i mm", "Skarpe kanter brytes"),
    "pl": ("UWAGI", "Ostre krawędzie stępić", "Tolerancje ogólne ISO 2768-m"),
    "pt": ("NOTAS", "Quebrar arestas vivas", "Tolerâncias gerais ISO 2768-m"),
    "ro": ("CONDIȚII TEHNICE", "Muchii neindicate teșite 0,5x45°", "Toleranțe generale ISO 2768-m"),
    "ru": ("ТЕХНИЧЕСКИЕ ТРЕБОВАНИЯ", "Острые кромки притупить R0,3", "Общие допуски по ГОСТ 30893.1-m"),
    "sk": ("POZNÁMKY", "Ostré hrany zraziť 0,5x45°", "Všeobecné tolerancie ISO 2768-m"),
    "sv": ("ANMÄRKNINGAR", "Alla mått i mm", "Skarpa kanter brytes"),
    "tr": ("NOTLAR", "Keskin kenarlar kırılacaktır", "Tüm ölçüler mm"),
    "uk": ("ТЕХНІЧНІ ВИМОГИ", "Гострі кромки притупити R0,3", "Незазначені граничні відхилення ±0,1"),
    "vi": ("GHI CHÚ", "Các kích thước tính bằng mm", "Dung sai chung ISO 2768-m"),
    "zh": ("技术要求", "未注圆角R2", "未注公差按GB/T1804-m"),
}

_ANNOUNCED = ["RÖGZÍTÉS:", "FURATOK HELYE A RAJZ SZERINT LEGYEN", "SZEGÉLY SZABADON MARADJON A LAP KÖRÜL"]

_ROWS = ("Rated input voltage of the jack", "Rated input current of the jack", "Contact resistance of the pins", "Life")

_VALUES = ("24", "5", "30", "5000")


def _read(form: Form) -> list[tuple[int, str]]:
    found = notes_of(form)
    return [(note.number, note.text) for note in found.notes.items] if found else []


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize("heading", ["ZWROCI NUWAG", "Ohjeita valmistajalle:", "NOTES (AS THE BUYER SPECIFIES):"])
def test_few_words_over_a_list_are_its_heading_in_any_language(heading: str) -> None:
    form = Form()
    form.lines(30, 120, [heading, "1) Paint the part black", "2) Stamp the number of the part"])
    found = notes_of(form)
    assert found is not None and found.claimed >= {"annotation-1-1"}
    assert _read(form) == [(1, "Paint the part black"), (2, "Stamp the number of the part")]


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize(("heading", "first", "second"), _UNMARKED.values(), ids=_UNMARKED)
def test_unmarked_lines_under_a_heading_and_alone_are_notes_in_each_language(
    heading: str, first: str, second: str
) -> None:
    headed = Form()
    headed.lines(30, 120, [heading, first, second])
    assert _read(headed) == [(1, first), (2, second)]
    alone = Form()
    alone.text(30, 120, first)
    alone.text(30, 60, second)
    assert _read(alone) == [(1, first), (2, second)]


@pytest.mark.requirement("notes.headings")
def test_a_heading_in_a_cell_of_its_own_is_that_of_the_cell_below_and_of_no_column() -> None:
    notes = ["Paint the part black", "Stamp the number of the part", "Pack it in paper"]
    form = Form()
    form.box((20, 100, 140, 130))
    form.box((20, 130, 140, 140))
    form.text(60, 133, "NOTES")
    form.lines(30, 124, notes)
    assert [text for _, text in _read(form)] == notes
    table = Form()
    table.row(20, 130, 10, [(60, "PART"), (120, "NOTES")])
    table.row(20, 120, 10, [(60, "Cover"), (120, "Paint the part black")])
    table.row(20, 110, 10, [(60, "Base"), (120, "Stamp the number")])
    assert _read(table) == []


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize("heading", ["Note: ", "NOTES: ", "Hinweise: ", "\u6ce8\uff1a"])
def test_a_heading_may_stand_before_the_first_note_on_its_line(heading: str) -> None:
    form = Form()
    form.text(30, 120, f"{heading}1. Plate all the pins", 2.5)
    form.text(30 + 1.5 * len(heading), 116, "2. Pack in a wooden box", 2.5)
    assert _read(form) == [(1, "Plate all the pins"), (2, "Pack in a wooden box")]


@pytest.mark.requirement("notes.headings")
def test_sentences_that_are_set_in_under_any_words_with_a_colon_are_notes() -> None:
    form = Form()
    form.text(30, 120, _ANNOUNCED[0], 2.5)
    form.text(34, 114, _ANNOUNCED[1], 2.5)
    form.text(34, 108, _ANNOUNCED[2], 2.5)
    assert [text for _, text in _read(form)] == _ANNOUNCED[1:]


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize(
    "lines",
    [
        ("CONNECTORS:", "J1 POWER INPUT", "J2 MOTOR OUTPUT"),
        ("TOLERANCES:", "ONE PLACE DECIMAL OF A SIZE", "TWO PLACE DECIMAL OF A SIZE"),
    ],
)
def test_names_and_tolerances_under_words_with_a_colon_are_no_notes(lines: tuple[str, ...]) -> None:
    form = Form()
    form.text(30, 120, lines[0], 2.5)
    for place, line in enumerate(lines[1:], 1):
        form.text(34, 120 - 6 * place, line, 2.5)
    assert _read(form) == []


@pytest.mark.requirement("notes.headings")
def test_a_sentence_that_ends_with_a_colon_goes_on_with_what_is_set_in_below_it() -> None:
    form = Form()
    form.text(30, 120, "NOTES:", 2.5)
    form.text(34, 115, "BOARD MUST HAVE A MINIMUM OF 3 HOLES:", 2.5)
    form.text(38, 110, "TWO HOLES BESIDE THE HEADER ARE MANDATORY", 2.5)
    form.text(38, 105, "ONE IN ANOTHER CORNER IS REQUIRED AS WELL", 2.5)
    form.text(34, 100, "BOARD MUST HAVE 3 mm RADIUS CORNERS", 2.5)
    assert [text for _, text in _read(form)] == [
        (
            "BOARD MUST HAVE A MINIMUM OF 3 HOLES: TWO HOLES BESIDE THE HEADER ARE MANDATORY "
            "ONE IN ANOTHER CORNER IS REQUIRED AS WELL"
        ),
        "BOARD MUST HAVE 3 mm RADIUS CORNERS",
    ]


@pytest.mark.requirement("notes.numbered")
def test_what_a_note_announces_with_a_colon_in_other_lettering_is_no_part_of_it() -> None:
    form = Form()
    form.lines(30, 150, ["1. Fillet welds shall be as per following scheme:"])
    form.text(40, 145, "t", 2.2)
    form.text(60, 144, "LEGEND OF WELDS", 3.0)
    form.lines(30, 130, ["2. Tolerances that are not given are:", "   0.1 mm for bores"])
    assert _read(form) == [
        (1, "Fillet welds shall be as per following scheme:"),
        (2, "Tolerances that are not given are: 0.1 mm for bores"),
    ]


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize("ruled", [False, True], ids=["values below each other", "values in cells of their own"])
def test_the_rows_of_a_table_under_a_heading_are_no_notes(ruled: bool) -> None:
    form = Form()
    form.text(30, 120, "SPECIFICATIONS:")
    for row, (name, value) in enumerate(zip(_ROWS, _VALUES, strict=True)):
        if ruled:
            form.row(29, 112 - 6 * row, 6, [(100, name), (30, value)])
        else:
            form.text(30, 114 - 6 * row, name)
            form.text(160, 114 - 6 * row, value)
    assert _read(form) == []


@pytest.mark.requirement("notes.unnumbered")
def test_sizes_beside_some_lines_make_no_table_of_them() -> None:
    form = Form()
    form.text(30, 120, "NOTES:")
    for row, name in enumerate(_ROWS[:3]):
        form.text(30, 114 - 6 * row, name)
    form.text(160, 114, "24")
    form.text(200, 108, "5.5")
    assert [text for _, text in _read(form)] == list(_ROWS[:3])


@pytest.mark.requirement("notes.unnumbered")
@pytest.mark.parametrize("spelled", [str, str.upper], ids=["small letters", "capitals"])
def test_a_line_under_a_heading_that_has_space_for_the_next_word_ends_its_note(spelled: type[str]) -> None:
    texts = [
        "Mount the cover with four countersunk screws and the inserts",
        "Fasten the board by its connector with the standard hex nut",
        "Clamp the wire of five millimetres with the standard tubing before the lid is closed",
    ]
    form = Form()
    form.lines(30, 120, ["NOTES:", *map(spelled, texts)])
    assert [text for _, text in _read(form)] == [spelled(text) for text in texts]


@pytest.mark.requirement("notes.numbered")
def test_parts_of_a_note_that_say_what_quantities_are() -> None:
    form = Form()
    form.lines(30, 120, ["1. Paint the part black", "2. Motor of the drive"], 4.0)
    for row, value in enumerate(("U = 5 V", "w0 = 5.7 rad/s"), 1):
        form.text(30, 120 - 6.4 * (row + 1), f"2.{row}", 2.83)
        form.text(37, 120 - 6.4 * (row + 1), value, 4.0)
    form.text(30, 120 - 6.4 * 4, "3. Stamp the number of the part", 4.0)
    assert [text for _, text in _read(form)] == [
        "Paint the part black",
        "Motor of the drive",
        "U = 5 V",
        "w0 = 5.7 rad/s",
        "Stamp the number of the part",
    ]
