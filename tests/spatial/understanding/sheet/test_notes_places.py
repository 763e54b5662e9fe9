"""Notes that their place tells: in a cell of the block, beside another list, below a gap; in a dozen wordings each."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.cells.grid import find_grids
from spatial.understanding.sheet.notes.find_notes import find_notes
from spatial.understanding.sheet.title_block.find_title_block import find_title_block
from tests.spatial.forms import Form, framed_form


def _read(form: Form) -> list[tuple[int, str]]:
    """The notes beside the title block."""
    sheet = form.sheet()
    grids = {sheet.page: find_grids(sheet)}
    block = find_title_block([sheet], grids, frozenset())
    found = find_notes([sheet], grids, block.claimed if block else frozenset())
    return [(note.number, note.text) for note in found.notes.items] if found else []


def _with_block() -> Form:
    """A framed sheet with a ruled block along its foot, whose left part is lower."""
    form = framed_form()
    for row, labels in enumerate([("DRAWN BY", "SCALE", "MATERIAL"), ("DATE", "SHEET", "FINISH")]):
        values = [("R. Toivola", "1:2", "Brass"), ("2031-04-05", "1 OF 1", "Polished")][row]
        for column, (label, value) in enumerate(zip(labels, values, strict=True)):
            form.cell((60 + 60 * column, 10 + 14 * row, 120 + 60 * column, 24 + 14 * row), label, value)
    form.cell((240, 10, 410, 38), "TITLE", "Pump lever")
    form.cell((240, 38, 410, 56), "DRAWING NO.", "KT-5501")
    return form


_HEADED = [
    ("TECHNICAL REQUIREMENTS", ("Remove the flash from the lid", "Pack the parts in paper")),
    ("Technical requirements:", ("No scratch on the upper face", "Do not bend the flange back")),
    ("NOTES", ("Weld the bracket to the tube", "Grind the seam of the tube flush")),
    ("Notes:", ("Fill the gap with resin", "Wipe the surface before packing")),
    ("HINWEISE", ("Kanten am Deckel brechen", "Deckel vor dem Lackieren abkleben")),
    ("Bemerkungen:", ("Naht am Rohr verschleifen", "Teile in Papier verpacken")),
    ("NOTE:", ("Saldare la staffa al tubo", "Pulire la superficie del tubo")),
    ("Remarques :", ("Souder la patte sur le tube", "Nettoyer la surface du tube")),
    ("Технические требования", ("Сварной шов трубы зачистить", "Детали упаковать в бумагу")),
    ("NOTAS", ("Soldar la placa al tubo", "Limpiar la superficie del tubo")),
    ("技术要求", ("管子焊缝应打磨平整", "零件用纸包装好")),
    ("注記", ("溶接部は研磨すること", "部品は紙で包むこと")),
]


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize(("heading", "texts"), _HEADED, ids=[heading for heading, _ in _HEADED])
def test_a_heading_in_a_cell_of_the_block_stands_over_notes_whose_numbers_have_no_point(
    heading: str, texts: tuple[str, ...]
) -> None:
    form = _with_block()
    form.box((10, 10, 60, 38))
    for row, line in enumerate([heading, *(f"{count} {text}" for count, text in enumerate(texts, 1))]):
        form.text(12, 32 - 6 * row, line, 1.6)
    assert _read(form) == list(enumerate(texts, 1))


_ONE_STATED = [
    ("NOTES :", "SURFACE AREA : 12 cm²", True),
    ("Notes:", "Volume of the core: 31 ml", True),
    ("HINWEISE:", "Weite der Spitzen: 240", True),
    ("NOTAS :", "Volumen del agujero: 31 ml", True),
    ("NOTES:", "FINISH:", False),
    ("NOTES:", "KT-9", False),
]


@pytest.mark.requirement("notes.headings")
@pytest.mark.parametrize(("heading", "stated", "is_note"), _ONE_STATED, ids=[stated for _, stated, _ in _ONE_STATED])
def test_one_statement_under_a_heading_with_a_colon_in_a_cell_of_the_block_is_a_note(
    heading: str, stated: str, is_note: bool
) -> None:
    form = _with_block()
    form.box((10, 10, 60, 38))
    form.text(12, 32, heading, 1.6)
    form.text(14, 26, stated, 1.6)
    assert _read(form) == ([(1, stated)] if is_note else [])


_PARTS = [
    ("CASING", "ZINC", "COVER", "NYLON"),
    ("BODY", "GREY IRON", "SEAT", "BRONZE"),
    ("FRAME", "BEECH", "PANEL", "BIRCH"),
    ("Rotor", "Ferrite core", "Stator", "Laminated steel"),
    ("Gehäuse", "Zinkguss", "Deckel", "Aluminium"),
    ("Boîtier", "Zamak moulé", "Couvercle", "Laiton poli"),
    ("Корпус", "серый чугун", "Крышка", "латунь"),
    ("Carcasa", "aluminio", "Tapa", "acero"),
    ("LENS", "CLEAR GLASS", "RING", "BLACK BRASS"),
    ("Blade", "spring steel", "Handle", "ash wood"),
    ("Kotelo", "alumiini", "Kansi", "teräs"),
    ("PIN", "TINNED COPPER", "HOUSING", "NATURAL NYLON"),
]


@pytest.mark.requirement("notes.items")
@pytest.mark.parametrize("words", _PARTS, ids=lambda words: words[0])
def test_a_number_of_two_parts_that_is_a_text_of_its_own_marks_a_part_of_the_note_over_it(
    words: tuple[str, ...],
) -> None:
    first, its, second, other = words
    form = Form()
    form.text(60, 150, "1. Materials of the parts:", 2.5)
    for row, (name, value) in enumerate([(first, its), (second, other)], 1):
        form.text(66, 150 - 5 * row, f"1.{row}", 2.5)
        form.text(74, 150 - 5 * row, f"{name}: {value}", 2.5)
    form.text(60, 135, "2. Wax the surface before packing", 2.5)
    texts = ["Materials of the parts:", f"{first}: {its}", f"{second}: {other}", "Wax the surface before packing"]
    assert _read(form) == list(zip((1, 1, 1, 2), texts, strict=True))


_ASIDE = [
    ("Free software of the workshop <https://workshop.example>.", "anyone may copy these plans and change them"),
    ("The arm turns by a quarter before it meets the stop.", "oil it once a month with a thin oil"),
    ("Parts of one batch are cut from one sheet of brass.", "mark them with the number of the sheet"),
    ("The lid opens to the left on machines for the bakery.", "it opens to the right on all other machines"),
    ("Le levier tourne avant de toucher la butée du bâti.", "graisser la butée une fois par mois"),
    ("Der Hebel liegt in Ruhe am Anschlag des Rahmens an.", "ab hier gilt die Anweisung des Werks"),
    ("La palanca toca el tope antes de girar del todo.", "lavar la pieza antes de pintarla"),
    ("La leva tocca il fermo prima di girare del tutto.", "lavare il pezzo prima di verniciarlo"),
    ("The name plate goes on the side of the motor housing.", "rivet it at its four corners"),
    ("Use the jig of the older press for the second bend.", "turn the part over before the third bend"),
    ("Spanten worden uit een plaat van berken gezaagd.", "zaag met de nerf mee tot aan de rand"),
    ("Ramen skal stå plant på gulvet før den sveises fast.", "mal den etter at den er sveiset"),
]


@pytest.mark.requirement("notes.running")
@pytest.mark.parametrize(("first", "second"), _ASIDE, ids=[first for first, _ in _ASIDE])
def test_a_sentence_over_a_gap_and_small_letters_below_it_are_two_texts(first: str, second: str) -> None:
    form = Form()
    form.text(60, 150, first, 2.5)
    form.lines(60, 142, [second + " until the shop", "has found another way of doing it for this part."], 2.5)
    texts = [text for _, text in _read(form)]
    assert texts[0] == first
    assert all(first not in text for text in texts[1:])


_BESIDE = [
    (-90, 14), (-90, 22), (-90, 30), (-110, 14), (-110, 26), (-130, 18), (110, 14), (110, 22), (110, 30), (130, 14), (130, 26),
    (150, 18),
]  # fmt: skip
"""Where the second list stands beside the first: to the left or right, and how far down it begins."""


@pytest.mark.requirement("notes.numbered")
@pytest.mark.parametrize(("right", "down"), _BESIDE)
def test_a_list_that_begins_beside_a_note_and_goes_on_below_it_is_a_list_of_its_own(right: int, down: int) -> None:
    form = Form()
    form.lines(160, 200, ["1. Clean the plate", "2. Coat the plate", "3. Dry the plate"], 2.5, step=9.0)
    form.lines(160 + right, 200 - down, ["1. Fit the pin", "2. Fit the cap", "3. Test the cap"], 2.5, step=9.0)
    notes = _read(form)
    lists = [notes[:3], notes[3:]]
    first = [(1, "Clean the plate"), (2, "Coat the plate"), (3, "Dry the plate")]
    second = [(1, "Fit the pin"), (2, "Fit the cap"), (3, "Test the cap")]
    assert sorted(lists) == sorted([first, second])


_CAPTIONS = [
    "AVANT-PROPOS :", "REMARQUE GÉNÉRALE:", "VORBEMERKUNG:", "AVVERTENZA:", "Poznámka předem:", "ANTES DE EMPEZAR:", "Aviso previo:",
    "READ THIS FIRST:", "BEFORE MACHINING:", "Shop hints:", "Önsöz:", "UWAGA WSTĘPNA:",
]  # fmt: skip


@pytest.mark.requirement("notes.short")
@pytest.mark.parametrize("caption", _CAPTIONS)
def test_words_with_a_colon_over_a_note_are_its_caption(caption: str) -> None:
    form = Form()
    form.lines(60, 150, [caption, "ALL DIMENSIONS ARE IN MM"], 2.5)
    assert _read(form) == [(1, "ALL DIMENSIONS ARE IN MM")]
