"""Each principle of notes in a dozen wordings that no labelled sheet has: what is told by structure holds whatever is written."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.notes.find_notes import find_notes
from tests.spatial.forms import Form, note_texts

_PARALLEL = [
    ["ALL BENDS INSIDE R 1.5 MM", "ALL THREADS TO DEPTH 12 MM"],
    ["ALL FILLETS R 0.8", "ALL EDGES 0.2 X 45°"],
    ["ALL HOLES DEBURRED ON BOTH SIDES", "ALL WELDS GROUND FLUSH WITH SHEET"],
    ["ALL SURFACES BEAD BLASTED", "ALL BURRS TAKEN OFF", "ALL EDGES ROUNDED OVER"],
    ["UNSPECIFIED FILLETS 3 MM", "UNSPECIFIED CHAMFERS 1 MM"],
    ["GENERAL TOLERANCE ±0.3 MM", "GENERAL ROUGHNESS RA 3.2 UM"],
    ["ALL CORNERS R 2", "ALL ROUNDS R 0.5"],
    ["All bends 90 deg", "All radii 2 mm"],
    ["ALL MATERIAL 1.6 MM", "BREAK SHARP EDGES 0.4 MM"],
    ["ALL PARTS ZINC PLATED 8 UM", "ALL THREADS MASKED BEFORE PLATING"],
    ["TODOS LOS RADIOS 2 MM", "TODOS LOS CHAFLANES 1 MM"],
    ["ALL TOLERANCES ± 0.1 MM", "ALL CORNERS 90 °"],
]


@pytest.mark.requirement("notes.parallel")
@pytest.mark.parametrize("lines", _PARALLEL, ids=lambda lines: lines[0])
def test_lines_that_say_the_same_kind_of_thing_of_the_whole_part_are_notes_of_their_own(lines: list[str]) -> None:
    form = Form()
    form.lines(60, 150, lines, 2.5)
    assert note_texts(form) == lines


@pytest.mark.requirement("notes.parallel")
@pytest.mark.parametrize("heading", ["", "NOTES:", "LEAST DEMANDS:"])
def test_what_a_colon_announces_behind_signs_is_part_of_its_note_among_lines_without_signs(heading: str) -> None:
    form = Form()
    form.text(56, 154, heading, 2.5)
    lines = [
        "PLATE MUST HAVE A RADIUS AT ALL CORNERS",
        "PLATE MUST HAVE THREE HOLES:",
        "> 2 HOLES AT THE HEADER ARE MANDATORY",
    ]
    further = ["> ONE HOLE MUST BE IN ANOTHER CORNER OF THE PLATE", "PLATE MUST BE FREE OF ANY BURRS"]
    form.lines(60, 150, [*lines, *further], 2.5)
    assert note_texts(form) == [lines[0], " ".join([*lines[1:], further[0]]), further[1]]


_SAID_IN_NO_KNOWN_WORDS = [
    (["Kov lumet tenna bordin sarrake vil 3 mm", "Kov petted ranna bordin sarrake vil 1 mm"], 2),
    (["Kov lumet tenna bordin sarrake vil 3 mm", "Ett petted ranna bordin sarrake vil 1 mm"], 1),
    (["Kov lumet tenna bordin sarrake vil nokk", "Kov petted ranna bordin sarrake vil 1 mm"], 1),
    (["Kov lumet tenna bordin sarrake vil 3 mm", "kov petted ranna bordin sarrake vil 1 mm"], 1),
]


@pytest.mark.requirement("notes.parallel")
@pytest.mark.parametrize(("lines", "count"), _SAID_IN_NO_KNOWN_WORDS)
def test_lines_that_begin_with_one_word_and_end_with_a_value_each_are_two_notes(lines: list[str], count: int) -> None:
    form = Form()
    form.lines(60, 150, lines, 2.5)
    assert note_texts(form) == (lines if count == 2 else [" ".join(lines)])


@pytest.mark.requirement("notes.parallel")
def test_lines_of_capitals_that_begin_twice_as_a_note_does_are_notes_of_their_own_though_they_are_full() -> None:
    form = Form()
    form.lines(60, 150, ["ALL DIMENSIONS ARE IN MM"], 2.5)
    further = ["ALL DIMENSIONS ARE FOR", "GUIDANCE ONLY, WHOLLY", "REFER TO 3D CAD MODELS", "FOR ALL OTHER DETAIL"]
    form.lines(60, 144, further, 2.5)
    read = note_texts(form)
    assert read[0] == "ALL DIMENSIONS ARE IN MM"
    assert read[1].startswith("ALL DIMENSIONS ARE FOR GUIDANCE ONLY, WHOLLY")


_WRAPPED = [
    [
        "ALL DIMENSIONS OF THE PLATE APPLY BEFORE PLATING AND",
        "ALL DIMENSIONS OF THE TUBE AND OF ITS FLANGES APPLY",
        "AFTER IT",
    ],
    ["ALL HOLES AND SLOTS ARE TO BE FREE OF BURRS AND", "ALL OTHER DIRT BEFORE THE PART IS PACKED"],
    ["REMOVE ALL BURRS FROM THE HOLES OF THE PLATE, THE", "EDGES OF THE SLOTS AND THE INSIDE OF THE TUBE"],
    ["ALL DIMENSIONS APPLY AFTER PLATING UNLESS THE VIEW", "SAYS THAT THEY APPLY BEFORE IT"],
    ["ALL WELDS ARE TO BE MADE BY A WELDER WITH A VALID", "CERTIFICATE OF THE COUNTRY OF USE"],
]


@pytest.mark.requirement("notes.parallel")
@pytest.mark.parametrize("lines", _WRAPPED, ids=lambda lines: lines[0])
def test_a_wrapped_sentence_about_the_whole_part_stays_one_note(lines: list[str]) -> None:
    form = Form()
    form.lines(60, 150, lines, 2.5)
    assert note_texts(form) == [" ".join(lines)]


_MISCOUNTED = [
    (1, 2, 2),
    (1, 2, 3, 3),
    (1, 2, 4),
    (1, 2, 3, 5, 6),
    (1, 2, 2, 3),
    (3, 4, 4, 5),
    (1, 2, 5),
    (1, 2, 3, 4, 6),
    (1, 2, 4, 4),
    (1, 2, 3, 3, 4),
    (9, 10, 12),
    (1, 2, 4, 7),
]


@pytest.mark.requirement("notes.miscounted")
@pytest.mark.parametrize("numbers", _MISCOUNTED, ids=str)
def test_a_number_that_repeats_or_leaves_some_out_goes_on_with_its_list(numbers: tuple[int, ...]) -> None:
    texts = [f"Coat the {what} with wax" for what in ("lid", "rim", "base", "hinge", "latch")][: len(numbers)]
    form = Form()
    form.lines(60, 150, [f"{number}. {text}" for number, text in zip(numbers, texts, strict=True)], 2.5)
    sheet = form.sheet()
    found = find_notes([sheet], {}, frozenset())
    assert found is not None
    assert [(note.number, note.text) for note in found.notes.items] == list(zip(numbers, texts, strict=True))


@pytest.mark.requirement("notes.miscounted")
def test_a_second_list_that_begins_with_one_is_a_list_of_its_own() -> None:
    form = Form()
    form.lines(
        60, 150, ["1. Coat the lid with wax", "2. Coat the rim with wax", "1. Turn the part over", "2. Coat it"], 2.5
    )
    assert len(note_texts(form)) == 4


_LICENCES = [
    "SOLIDWORKS Student Edition. For Academic Use Only.",
    "DraftWerk Maker Version 2031",
    "PlanCAD Student Product. For Non Commercial Use Only.",
    "ModelPro Hobby Product. For Home Use Only.",
    "T-FLEX v17.0 Учебная версия © 2021 ЗАО",
    "КОМПАС-LTv12Учебнаяверсия",
    "ZeichenCADv9.2Studentenversion©2024Firma",
    "ВекторCADv3.1©2018ООО\"Вектор\".Всеправазащищены.",
    "BluePlan v4.10.2 (c)2026 BluePlan Oy, all rights reserved",
    "Nurpourlehre CAD 7 – Nur für Lehrzwecke",
    "Versiondel estudiante: versão do estudante de AlfaCAD",
    "Onlytrial CAD Trial Version for thirty days",
]  # fmt: skip


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize("text", _LICENCES)
def test_the_licence_mark_of_a_program_is_no_note_with_blanks_or_without(text: str) -> None:
    form = Form()
    form.text(30, 5, text, 2.5)
    assert note_texts(form) == []


_RIGHTS = [
    "© 2003, 2005 Derechos reservados -- TALLERES DEL NORTE S.A.",
    "1999 Direitos reservados -- METALÚRGICA DO VALE Ltda.",
    "2011 Droits réservés à la société Fonderie du Lac",
    "2015 Diritti riservati alla ditta Officine del Colle",
    "Rechte vorbehalten durch Werkhof Gerätebau seit 2008",
    "Alle rechten voorbehouden aan Molenaar Techniek",
    "2020 Wszelkie prawa zastrzeżone dla firmy Kuźnia Zachód",
    "Rights reserved by Harbour Tool and Die since 1988",
    "(For internal use) Copyright ©2017",
    "(Strictly between the parties) Copyright 1994",
    "Drawn for the customer (c) 2022 Birch Instruments",
    "For tender purposes - copyright 2009 Hillside Pumps",
]


@pytest.mark.requirement("notes.notices")
@pytest.mark.parametrize("text", _RIGHTS)
def test_a_line_that_reserves_rights_is_a_notice(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == [text]


_LOAN_WORDS = [
    "サーボモーターブラケット", "ステッピングモーター", "リミットスイッチ", "スライドガイドレール",
    "アルミフレーム用カバー", "ボールベアリング", "シリコンゴムパッキン", "コントロールパネル",
    "マイクロスイッチ用レバー", "ケーブルグランド", "フロントドアハンドル", "バッテリーホルダー",
]  # fmt: skip


@pytest.mark.requirement("notes.none")
@pytest.mark.parametrize("text", _LOAN_WORDS)
def test_a_name_in_katakana_is_a_word_or_two_and_no_sentence(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == []


@pytest.mark.requirement("notes.local")
@pytest.mark.parametrize("text", ["この面にはグリスを塗らないこと", "カバーは最後に取り付けてください"])
def test_a_sentence_with_katakana_is_one(text: str) -> None:
    form = Form()
    form.text(60, 150, text, 2.5)
    assert note_texts(form) == [text]
