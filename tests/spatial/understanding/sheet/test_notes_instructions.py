"""Short texts in open space that say how something is made, and the names and sizes beside them that do not."""

from __future__ import annotations

import pytest

from tests.spatial.forms import Form, note_texts


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize(
    "text",
    [
        "Figure 1. Dimensions of the base (for reference only)",
        "Fig. 2: Brackets, not to scale",
        "FIG 3 - LID AND SEAL (FOR INFORMATION ONLY)",
        "Bild 4: Deckel verschraubt",
        "Abb. 5. Kanten entgraten",
    ],
)
def test_the_caption_of_a_figure_is_no_note(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.instructions")
@pytest.mark.parametrize(
    "text",
    [
        "DRILL WITH THE COVER",
        "孔口不需倒角",
        "裝箱前須擦乾",
        "严禁敲击端面",
        "禁止敲击端面",
        "DO NOT SCALE",
        "Apply thread lock sparingly",
        "Tighten in a star pattern",
        "Countersink from below",
        "Drill before bending",
        "SYMMETRICAL ABOUT THE AXIS",
        "PRELIMINARY, NOT FOR PRODUCTION",
        "Left hand part shown",
        "Bolts supplied by others",
        "POLISHED ALL ROUND",
        "ISO 2768-fH",
        "Wymiary w mm",
        "Kanten verrundet",
        "Толщина листа 4 мм",
        "Solder all pins",
        "Bore to be honed",
        "Langlöcher ansenken",
        "KANTEN LEICHT BRECHEN",
        "Souder les équerres",
        "Soldar las orejas",
        "Forare dopo la piega",
        "Сверлить совместно с крышкой",
        "Nity szlifować",
        "Hrany srazit",
        "Gaten ruim afronden",
        "Rondelle à prévoir",
        "Avgrada hålen",
        "Hullerne afgrates",
        "Fjern alle grader",
        "Reunat pyöristetään",
        "Furatok sorjázandó",
        "Muchiile se teșesc",
        "Ukloniti srh",
        "Уклонити оштру ивицу",
        "Otvory odihliť",
        "No labels or ink near the lens",
        "Blechdicke ca. 2 bis 3 mm",
        "Sheet thickness ~ 4 mm",
        "Espesor de la placa: 2 mm",
        "Dovetail Slot Depth 0.3 X2",
        "Outer dimensions approximate",
        "Maße dürfen etwas abweichen",
        "Number Of Inside Teeth: 24",
        "Nombre de dents : 18",
        "Plåttjocklek ca 3 mm",
        "Hampaiden lukumäärä: 36",
        "Debljina 4 mm",
        "Fogak száma: 41",
        "Množstvo: 2 ks",
        "En trois exemplaires",
        "Изготовить 4 шт.",
        "MATCH DRILL WITH BASE PLATE",
        "Glue with epoxy resin",
        "Hand tighten the screws",
        "Laser cut from 3 mm ply",
        "Press fit into housing",
        "Part is symmetric",
        "OPPOSITE HAND PART",
    ],
)
def test_orders_and_statements_of_a_few_words_are_notes(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == [text]


@pytest.mark.requirement("notes.instructions")
@pytest.mark.parametrize(
    "text",
    [
        "Drill guide",
        "Clamp collar with lever",
        "M8 Tapped Hole",
        "TAP M4 THRU ALL",
        "Griff Kunststoff",
        "Bohren und Senken",
        "Plaque de montage",
        "Pieza para taladrar",
        "NO OF CONTACTS IN ROW ONE",
        "No connection",
        "Wall thickness",
        "Gear with 24 teeth",
        "TAPPED HOLE DEPTH 10",
        "SECTION THROUGH THE SLOT",
        "Cable length 600 mm",
        "Slip ring with two bores",
        "Mount with lever",
        "Dimensions: [mm]",
        "Units: inch",
        "[ UNIT : mm ]",
        "Print head",
        "Glue gun holder",
        "Torque wrench",
        "Reset button on top of the box",
        "Vista de su tapa superior izquierda",
        "支柱設置禁止",
    ],
)
def test_names_captions_and_callouts_of_a_few_words_are_none(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.instructions")
def test_an_order_over_narrow_lines_with_a_size_in_it_is_one_note() -> None:
    form = Form()
    for place, line in enumerate(["3 Bohrungen", "Ø 5 mm", "mittig", "ansenken"]):
        form.text(60, 150 - 5.9 * place, line, 2.5)
    assert note_texts(form) == ["3 Bohrungen Ø 5 mm mittig ansenken"]


@pytest.mark.requirement("notes.numbered")
def test_a_figure_after_a_colon_is_its_value_however_near_the_unit_behind_it_stands() -> None:
    form = Form()
    form.text(60, 160, "1. Housing: black nylon", 2.5)
    form.text(60, 155, "2. Contact resistance:", 2.5)
    form.text(99.5, 155, "30", 2.5)
    form.text(104, 155, "mΩ max.", 2.5)
    assert note_texts(form) == ["Housing: black nylon", "Contact resistance: 30 mΩ max."]
