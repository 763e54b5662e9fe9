"""Callouts as the standards and the workshops write them."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.contract.drawing import Callout
from spatial.understanding.sheet.callouts.context import Context, context_of
from spatial.understanding.sheet.callouts.extract import extract_callouts
from spatial.understanding.sheet.callouts.outside_diameters import without_outside_diameters
from spatial.understanding.sheet.label import Label


def label(text: str, role: Any = "leader", **fields: Any) -> Label:
    return Label(
        lines=tuple(text.split("\n")), page=2, position=(3.0, 4.0), box=(0.0, 0.0, 6.0, 8.0), angle=0.0, height=2.5,
        sources=("annotation-7", "annotation-8"), role=role, **fields,
    )  # fmt: skip


def callouts(text: str, role: Any = "leader", context: Context | None = None, **fields: Any) -> list[Callout]:
    return extract_callouts(label(text, role, **fields), context or Context())


def says(callout: Callout, meaning: dict[str, Any]) -> None:
    document = callout.model_dump(exclude_none=True)
    for name, value in meaning.items():
        assert document.get(name) == (pytest.approx(value) if isinstance(value, float) else value), (callout.text, name)


EXAMPLES: list[tuple[str, str, dict[str, Any]]] = [
    ("M8", "thread", {"standard": "ISO metric", "size": "M8", "pitch": 1.25, "pitch_is": "coarse"}),
    ("2XM5", "thread", {"quantity": 2, "size": "M5"}),
    ("M9 0.5", "thread", {"size": "M9", "pitch": None, "pitch_is": None, "designation": None}),
    ("M9\ufffd0.5", "thread", {"size": "M9", "pitch": None, "designation": None}),
    ("M9 12.5 DEEP", "thread", {"pitch": 1.25, "depth": 12.5}),
    ("4X M2.5 MOUNTING HOLES DRILLED TO 2.75mm", "hole", {"quantity": 4, "diameter": 2.75, "clearance_for": "M2.5"}),
    ("M6 DRILLED 5.0", "thread", {"size": "M6"}),
    ("M6-7Hх15", "thread", {"class": "7H", "depth": 15.0, "through": False}),
    ("2x M5 CLEARANCE HOLE", "hole", {"quantity": 2, "clearance_for": "M5"}),
    ("10-24 UNC-2B CLEAR #9 DRILL (0.196) THRU", "hole", {"clearance_for": "#10-24 UNC", "through": True}),
    ("5/16 DRILL THRU", "hole", {"diameter": 0.3125, "through": True}),
    ("Ø30h6x20", "fit", {"class": "h6", "depth": None, "quantity": None}),
    ("4*Ø5.00 +0.05 0.00", "tolerance", {"quantity": 4, "diameter": 5.0}),
    ("TRUE R3.00", "radius", {"radius": 3.0}),
    ("tap 4 holes M5", "thread", {"quantity": 4, "size": "M5"}),
    ("4xM5x0.8 ↧ 10", "thread", {"quantity": 4, "pitch": 0.8, "depth": 10.0}),
    ("M3X0.5THRU", "thread", {"pitch": 0.5, "through": True}),
    ("2-45° x 1", "chamfer", {"quantity": 2, "leg": 1.0, "angle": 45.0}),
    ("6-1,5x45°", "chamfer", {"quantity": 6, "leg": 1.5}),
    ("2x1x45°", "chamfer", {"quantity": 2, "leg": 1.0}),
    ("4x45°x1.5", "chamfer", {"quantity": 4, "leg": 1.5}),
    ("C0.2 (x4)", "chamfer", {"quantity": 4, "leg": 0.2}),
    ("17 MÁX", "limit", {"max": 17.0}),
    ("17,5 MÍN.", "limit", {"min": 17.5}),
    ("DIN 974 - Ø10,50 X 6,50", "counterbore", {"diameter": 10.5, "depth": 6.5, "standard": "DIN 974"}),
    ("Ø6,00 -30,00 DEEP", "hole", {"diameter": 6.0, "depth": 30.0, "through": False}),
    ("Ø12,00 -5,00 DEEP", "hole", {"diameter": 12.0, "depth": 5.0}),
    ("Ø16,8 (±0,1)", "tolerance", {"nominal": 16.8, "upper_deviation": 0.1, "lower_deviation": -0.1}),
    ("Ø14 0.05 -0.10", "tolerance", {"nominal": 14.0, "upper_deviation": 0.05, "lower_deviation": -0.1}),
    ("Ø8 0.050 0", "tolerance", {"upper_deviation": 0.05, "lower_deviation": 0.0}),
    ("0,3 0 -0.1 X 45°", "chamfer", {"leg": 0.3, "angle": 45.0}),
    ("Roscado TR20x4 - DIN 103", "thread", {"size": "Tr20", "pitch": 4.0}),
    ("Ø10.5 x 6 mm counterbore", "counterbore", {"diameter": 10.5, "depth": 6.0}),
    ("M8x1.25-6H LH", "thread", {"designation": "M8x1.25", "class": "6H", "hand": "left"}),
    ("M8 links", "thread", {"hand": "left"}),
    ("M10x1", "thread", {"pitch": 1.0, "diameter": 10.0}),
    ("M8-6g", "thread", {"class": "6g"}),
    ("М8-6Н", "thread", {"class": "6H", "size": "M8"}),
    ("2X M3X0.5 - 6H ↧5", "thread", {"quantity": 2, "depth": 5.0, "through": False, "class": "6H"}),
    ("3.2 Ra max", "surface_finish", {"parameter": "Ra", "value": 3.2, "max": 3.2}),
    ("6,3 Rz", "surface_finish", {"parameter": "Rz", "value": 6.3}),
    ("3.2 µm Ra", "surface_finish", {"parameter": "Ra", "value": 3.2, "unit": "micrometer"}),
    ("4 No. Ø14 HOLES", "hole", {"quantity": 4, "diameter": 14.0}),
    ("4 NOS Ø14 HOLES", "hole", {"quantity": 4, "diameter": 14.0}),
    ("4 Nr. Ø14 Bohrungen", "hole", {"quantity": 4, "diameter": 14.0}),
    ("FOUR HOLES Ø14", "hole", {"quantity": 4, "diameter": 14.0}),
    ("FOUR Ø14 HOLES", "hole", {"quantity": 4, "diameter": 14.0}),
    ("vier Bohrungen Ø8", "hole", {"quantity": 4, "diameter": 8.0}),
    ("quatre trous Ø8", "hole", {"quantity": 4, "diameter": 8.0}),
    ("Ø14 x 4 HOLES", "hole", {"quantity": 4, "diameter": 14.0}),
    ("Ø14 × 4 OFF", "hole", {"quantity": 4, "diameter": 14.0}),
    ("Ø14 x 4 отв.", "hole", {"quantity": 4, "diameter": 14.0}),
    ("Ø8 - 4 trous", "hole", {"quantity": 4, "diameter": 8.0}),
    ("Ø14 TWO PLACES", "hole", {"quantity": 2, "diameter": 14.0}),
    ("Ø14 IN 2 PLACES", "hole", {"quantity": 2, "diameter": 14.0}),
    ("M6 x 4 HOLES", "thread", {"quantity": 4, "size": "M6", "depth": None}),
    ("TWO PLACES R5", "radius", {"quantity": 2, "radius": 5.0}),
    ("SPHERICAL R 10", "radius", {"radius": 10.0}),
    ("SPHERICAL RADIUS 10", "radius", {"radius": 10.0}),
    ("Kugel R10", "radius", {"radius": 10.0}),
    ("R10 SPHERICAL", "radius", {"radius": 10.0}),
    (
        "12 ±IT14/2",
        "tolerance",
        {"upper_deviation": 0.215, "lower_deviation": -0.215, "grade": "IT14", "deviations_from": "ISO 286-1:2010"},
    ),
    ("12 -IT12", "tolerance", {"upper_deviation": 0.0, "lower_deviation": -0.18, "grade": "IT12"}),
    ("Ø 20 (19.98-20.02)", "tolerance", {"nominal": 20.0, "min": 19.98, "max": 20.02, "upper_deviation": 0.02}),
    ("Ø20 (Ø19,98 - Ø20,02)", "tolerance", {"min": 19.98, "max": 20.02}),
    (
        "Ø20 H7 (20.021/20.000)",
        "fit",
        {"class": "H7", "upper_deviation": 0.021, "lower_deviation": 0.0, "deviations_from": "printed"},
    ),
    ("M16xPh3P1.5-6H", "thread", {"lead": 3.0, "pitch": 1.5, "starts": 2}),
    ("M8x20", "thread", {"size": "M8", "depth": 20.0}),
    ("M8 x 16 DEEP", "thread", {"depth": 16.0}),
    ("M6x1-6H TIEF 12", "thread", {"depth": 12.0}),
    ("4-M5", "thread", {"quantity": 4}),
    ("M6 Innengewinde 12 tief", "thread", {"depth": 12.0}),
    ("TAP M6 THRU", "thread", {"through": True}),
    ("1/4-20 UNC-2B", "thread", {"standard": "UNC", "tpi": 20, "class": "2B", "diameter": 0.25}),
    ("#10-32 UNF", "thread", {"standard": "UNF", "diameter": 0.19, "tpi": 32}),
    (".250-28", "thread", {"standard": "UNF", "tpi": 28}),
    (".375-24 UNJF-3B", "thread", {"standard": "UNJF", "class": "3B"}),
    ("1/4-32 UNEF-2A", "thread", {"standard": "UNEF"}),
    ("3/8 NPT", "thread", {"standard": "NPT", "tpi": 18}),
    ("1/4-18 NPTF", "thread", {"standard": "NPTF"}),
    ("G1/2", "thread", {"standard": "BSP G", "tpi": 14, "diameter": 20.955}),
    ("G1/2A", "thread", {"class": "A"}),
    ("Rp 1/2", "thread", {"standard": "BSP Rp"}),
    ("Rc1/4", "thread", {"standard": "BSP Rc"}),
    ("Tr20x4", "thread", {"standard": "Tr", "pitch": 4.0}),
    ("Tr40x14(P7)LH", "thread", {"lead": 14.0, "pitch": 7.0, "starts": 2, "hand": "left"}),
    ("1 1/4-5 ACME-2G", "thread", {"standard": "ACME", "tpi": 5.0, "class": "2G"}),
    ('W 3/8"', "thread", {"standard": "Whitworth", "tpi": 16}),
    ("PG13,5", "thread", {"standard": "PG", "tpi": 18}),
    ("4X Ø5.2 ↧THRU (4)", "hole", {"quantity": 4, "through": True, "diameter": 5.2}),
    ("2 x Ø10,5", "hole", {"quantity": 2, "diameter": 10.5}),
    ("2-Ø8", "hole", {"quantity": 2}),
    ("(2) Ø.25", "hole", {"quantity": 2, "diameter": 0.25}),
    ("Ø8 2 PLCS", "hole", {"quantity": 2}),
    ("4 HOLES Ø8 EQ SP ON Ø60 B.C.", "hole", {"quantity": 4, "equally_spaced": True, "bolt_circle_diameter": 60.0}),
    ("Ø1,20 ↧1,5mm", "hole", {"depth": 1.5, "through": False}),
    ("Ø8 durchgehend", "hole", {"through": True}),
    ("Ø8 passante", "hole", {"through": True}),
    ("Ø8 TIEF 12", "hole", {"depth": 12.0}),
    ("Ø.50 X 1.25 DEEP", "hole", {"depth": 1.25}),
    ("Ø1/2 THRU ALL", "hole", {"diameter": 0.5, "through": True}),
    ("4 отв. Ø8", "hole", {"quantity": 4}),
    ("⌴Ø11 ↧6", "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("CBORE Ø.50 x .25 DEEP", "counterbore", {"diameter": 0.5, "depth": 0.25}),
    ("Ø11 CBORE 6 DEEP", "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Lamage Ø20", "counterbore", {"diameter": 20.0}),
    ("⌵Ø10 X 90°", "countersink", {"diameter": 10.0, "angle": 90.0}),
    ("82° CSK TO Ø.42", "countersink", {"diameter": 0.42, "angle": 82.0}),
    ("Senkung DIN 74-A4", "countersink", {"standard": "DIN 74-A4"}),
    ("Fraisure Ø12 x 90°", "countersink", {"diameter": 12.0}),
    ("⌴SF Ø20 ↧1", "spotface", {"diameter": 20.0, "depth": 1.0}),
    ("S.F. Ø20", "spotface", {"diameter": 20.0}),
    (
        "⌀3.30±0.05",
        "tolerance",
        {"nominal": 3.3, "upper_deviation": 0.05, "lower_deviation": -0.05, "max": 3.35, "min": 3.25},
    ),
    ("Ø3.30 +0.20 -0.10", "tolerance", {"upper_deviation": 0.2, "lower_deviation": -0.1}),
    ("Ø3,99 0 -0,02", "tolerance", {"upper_deviation": 0.0, "lower_deviation": -0.02}),
    ("2-⌀1.30±0.05", "tolerance", {"quantity": 2}),
    ("□1.18±0.05(Axis center to hole)", "tolerance", {"nominal": 1.18}),
    ("180° +10°/-0°", "tolerance", {"unit": "degree", "upper_deviation": 10.0, "lower_deviation": 0.0}),
    ("45°30' ±30'", "tolerance", {"nominal": 45.5, "upper_deviation": 0.5}),
    (".500 +.001/-.000", "tolerance", {"max": 0.501, "min": 0.5}),
    ("25.4 [1.000] ±0.1", "tolerance", {"upper_deviation": 0.1}),
    ("10N9( 0 -0.036 )", "fit", {"class": "N9", "upper_deviation": 0.0, "lower_deviation": -0.036}),
    ("Ø10 H7", "fit", {"hole_class": "H7", "upper_deviation": 0.015, "lower_deviation": 0.0, "grade": "IT7"}),
    ("30h7", "fit", {"shaft_class": "h7", "lower_deviation": -0.021}),
    ("2x Ø6.00 H7/k6", "fit", {"quantity": 2, "hole_class": "H7", "shaft_class": "k6", "shaft_upper_deviation": 0.009}),
    ("R10", "radius", {"radius": 10.0}),
    ("SR5", "radius", {"radius": 5.0}),
    ("R0,16 max.**", "radius", {"max": 0.16, "mark": "**"}),
    ("4X R5 TYP", "radius", {"quantity": 4, "typical": True}),
    ("FULL R", "radius", {"full": True}),
    ("1x45°", "chamfer", {"leg": 1.0, "angle": 45.0}),
    ("2 x 0,3x45°", "chamfer", {"quantity": 2, "leg": 0.3, "angle": 45.0}),
    ("45° x 1", "chamfer", {"leg": 1.0}),
    ("1 x 45", "chamfer", {"leg": 1.0, "angle": 45.0}),
    ("C0.5", "chamfer", {"leg": 0.5, "angle": 45.0}),
    ("4 x CHAMFER 0,2", "chamfer", {"quantity": 4, "leg": 0.2}),
    ("Fase 1x45°", "chamfer", {"leg": 1.0}),
    ("Ra 12,5", "surface_finish", {"parameter": "Ra", "value": 12.5}),
    ("Rz max. 40", "surface_finish", {"parameter": "Rz", "max": 40.0}),
    ("√ 3.2", "surface_finish", {"value": 3.2}),
    ("√ N7", "surface_finish", {"value": 1.6, "grade": "N7"}),
    ("Ra1,6", "surface_finish", {"value": 1.6}),
    ("Rz1 3,3", "surface_finish", {"value": 3.3}),
    ("63 RMS", "surface_finish", {"value": 63.0, "unit": "microinch"}),
    ("(12)", "reference_dimension", {"nominal": 12.0}),
    ("12.5 REF", "reference_dimension", {"nominal": 12.5}),
    ("(24 x Ø 3.4)", "reference_dimension", {"quantity": 24, "diameter": 3.4}),
    ("10.2\n10.0", "limit", {"min": 10.0, "max": 10.2}),
    ("10.0 - 10.2", "limit", {"min": 10.0, "max": 10.2}),
    ("10 bis 12", "limit", {"min": 10.0, "max": 12.0}),
    ("0.70 max.", "limit", {"max": 0.7}),
    ("Ø6.00 min.", "limit", {"min": 6.0, "diameter": 6.0}),
    ("MAX DIMENSION OF GRIPPER OPENING 95.15", "limit", {"max": 95.15}),
]


@pytest.mark.requirement("callouts.types")
@pytest.mark.requirement("callouts.thread")
@pytest.mark.parametrize(("text", "type_", "meaning"), EXAMPLES)
def test_a_callout_is_read_with_what_it_means(text: str, type_: str, meaning: dict[str, Any]) -> None:
    found = callouts(text)
    assert [callout.type for callout in found] == [type_]
    assert found[0].text == text.replace("\n", " ").replace("М8-6Н", "M8-6H")
    says(found[0], meaning)


@pytest.mark.requirement("callouts.negative")
def test_a_number_whose_digits_stand_apart_in_drawn_lettering_is_left_out() -> None:
    assert callouts("Ø.1 57±.012", repairs=("read from outlines",)) == []
    assert [each.type for each in callouts("Ø.157±.012", repairs=("read from outlines",))] == ["tolerance"]
    assert callouts("12.5 10±0.1") != []


@pytest.mark.requirement("callouts.spelling")
@pytest.mark.parametrize(
    "text",
    [
        "4X Ø8 THRU",
        "4x ⌀8 THROUGH",
        "4 × ∅8 durch",
        "4-φ8 THRU",
        "(4) %%c8 THRU ALL",
        "8 DIA. THRU 4 PLCS",
        "4 HOLES DIA 8 THRU",
    ],
)
def test_many_spellings_are_one_meaning(text: str) -> None:
    (callout,) = callouts(text)
    says(callout, {"type": "hole", "quantity": 4, "diameter": 8.0, "through": True})


@pytest.mark.requirement("callouts.fit")
def test_printed_deviations_win_and_a_disagreement_is_said() -> None:
    (rounded,) = callouts("Ø30 h7 -0,02")
    says(rounded, {"lower_deviation": -0.02, "deviations_from": "printed", "disagrees_with": None})
    (wrong,) = callouts("150 h11 -0,22")
    says(wrong, {"lower_deviation": -0.22, "standard_lower_deviation": -0.25, "disagrees_with": "ISO 286-1:2010"})


@pytest.mark.requirement("callouts.stack")
@pytest.mark.requirement("callouts.quantity")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4X Ø6.6 THRU\n⌴Ø11 ↧6", [("hole", "4X Ø6.6 THRU ⌴Ø11 ↧6"), ("counterbore", "⌴Ø11 ↧6")]),
        ("Ø3.00\n⌴Ø5.00\n↧1.675 x 4", [("hole", "Ø3.00 ⌴Ø5.00 ↧1.675 x 4"), ("counterbore", "⌴Ø5.00 ↧1.675")]),
        ("4X Ø6.8 ↧20\nM8 - 6H ↧16", [("hole", "4X Ø6.8 ↧20 M8 - 6H ↧16"), ("thread", "M8 - 6H ↧16")]),
        (
            "4X Ø.190 THRU\n#10-32 UNF THRU\n⌵Ø.39 X 90°",
            [
                ("hole", "4X Ø.190 THRU #10-32 UNF THRU ⌵Ø.39 X 90°"),
                ("thread", "#10-32 UNF THRU"),
                ("countersink", "⌵Ø.39 X 90°"),
            ],
        ),
    ],
)
def test_a_stack_is_one_callout_a_feature(text: str, expected: list[tuple[str, str]]) -> None:
    found = callouts(text)
    assert [(callout.type, callout.text) for callout in found] == expected
    assert {callout.quantity for callout in found} == {4}


@pytest.mark.requirement("callouts.types")
def test_a_thread_behind_its_drilled_hole_is_no_class_of_it() -> None:
    assert [(each.type, each.text) for each in callouts("Ø5 M6 TAPPED")] == [
        ("hole", "Ø5 M6 TAPPED"),
        ("thread", "M6 TAPPED"),
    ]
    assert [each.type for each in callouts("Ø20 M6")] == ["fit"]


@pytest.mark.requirement("callouts.types")
def test_a_toleranced_hole_is_both() -> None:
    assert [callout.type for callout in callouts("Ø10 ±0.1 THRU")] == ["tolerance", "hole"]
    assert [callout.type for callout in callouts("Ø10 ±0.1")] == ["tolerance"]


@pytest.mark.requirement("callouts.context")
def test_notes_say_what_an_asterisk_means() -> None:
    context = context_of(
        ["* Reference dimensions.", "** Dimensions provided by the tool.", "All dimensions are in mm."],
        texts=["0,5", "1,2"],
    )
    assert (context.unit, context.decimal) == ("millimeter", ",")
    assert [callout.type for callout in callouts("2*", context=context)] == ["reference_dimension"]
    assert callouts("28**", context=context) == []
    assert callouts("2*") == []


@pytest.mark.requirement("callouts.evidence")
def test_a_callout_carries_its_evidence() -> None:
    (callout,) = callouts("R10", struck=True)
    says(
        callout,
        {
            "id": "callout-1",
            "source": "annotation-7",
            "sources": ["annotation-7", "annotation-8"],
            "page": 2,
            "position": (3.0, 4.0),
            "struck": True,
        },
    )
    assert 0 < callout.model_dump()["confidence"] <= 1


@pytest.mark.requirement("callouts.types")
def test_a_boxed_size_is_basic_and_a_boxed_letter_a_datum() -> None:
    assert [callout.type for callout in callouts("25", boxed=True)] == ["basic"]
    assert [callout.type for callout in callouts("0", "dimension", boxed=True)] == ["basic"]
    assert callouts("0", "free", boxed=True) == callouts("0", "dimension") == []
    assert [callout.type for callout in callouts("7", "dimension", boxed=True)] == ["basic"]
    (datum,) = callouts("A", "datum")
    says(datum, {"type": "datum", "datum": "A"})


@pytest.mark.requirement("callouts.types")
def test_a_size_in_square_brackets_is_in_the_second_unit_and_a_contact_in_a_box_is_no_size() -> None:
    assert callouts("[.118]", "dimension") == callouts("2X [Ø4.7]", "leader") == []
    assert callouts("7", "free", boxed=True) == []


@pytest.mark.requirement("callouts.frame")
@pytest.mark.parametrize(
    ("cells", "modifiers", "datums"),
    [
        (("◎", "Ø0.028 L", "A", "B"), ["least_material"], ["A", "B"]),
        (("⌖", "Ø0.2 M", "A"), ["maximum_material"], ["A"]),
        (("⌖", "Ø0.2", "M", "A"), None, ["M", "A"]),
        (("⌖", "Ø0.2 F", "G"), None, ["F", "G"]),
    ],
)
def test_a_letter_of_material_condition_in_the_compartment_of_the_tolerance_is_no_datum(
    cells: tuple[str, ...], modifiers: list[str] | None, datums: list[str]
) -> None:
    (frame,) = callouts(" ".join(cells), "frame", cells=cells)
    said = frame.model_dump(exclude_none=True)
    assert said.get("modifiers") == modifiers
    assert [each["datum"] for each in said["datums"]] == datums


@pytest.mark.requirement("callouts.frame")
@pytest.mark.parametrize(("inner", "size"), [("5/8-11 UNC - 3B ↧10", "5/8"), ("M8x1.25 THRU", "M8")])
def test_a_thread_in_the_place_of_a_tolerance_is_a_thread_and_no_tolerance(inner: str, size: str) -> None:
    (found,) = callouts(f"⌖ {inner}", "frame", cells=("⌖", inner))
    assert (found.type, found.text) == ("thread", inner)
    assert found.model_dump()["size"] == size


@pytest.mark.requirement("callouts.frame")
def test_a_frame_is_read_by_its_cells() -> None:
    (frame,) = callouts("⌖ Ø0.2Ⓜ A BⓂ C", "frame", cells=("⌖", "Ø0.2ⓂⓅ10", "A", "BⓂ", "C"))
    datums = [{"datum": "A"}, {"datum": "B", "modifiers": ["maximum_material"]}, {"datum": "C"}]
    says(
        frame,
        {
            "type": "gdt",
            "characteristic": "position",
            "zone": "cylindrical",
            "tolerance": 0.2,
            "projected_zone": 10.0,
            "datums": datums,
        },
    )
    (plain,) = callouts("// 0,2 A", "frame")
    says(plain, {"characteristic": "parallelism", "tolerance": 0.2, "zone": "parallel"})
    (composite,) = callouts("⌖ Ø0.5 A B\n⌖ Ø0.1 A", "frame")
    says(composite, {"composite": True})


@pytest.mark.requirement("callouts.frame")
@pytest.mark.parametrize("text", ["⌭ 0.02", "↗ 0.02 A", "⌰ 0,1 A-B", "⌓ 0.3 A", "○ 0.01"])
def test_a_zone_that_is_not_between_planes_has_no_shape_where_the_frame_says_none(text: str) -> None:
    (frame,) = callouts(text, "frame")
    assert "zone" not in frame.model_dump(exclude_none=True)


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize(
    ("text", "role", "is_chamfer"),
    [
        ("1 x 45", "dimension", True),
        ("4 x 45", "dimension", False),
        ("12 x 45", "leader", False),
        ("1 x 45", "free", False),
    ],
)
def test_a_whole_number_before_45_is_a_leg_where_it_counts_nothing(text: str, role: str, is_chamfer: bool) -> None:
    assert [callout.type for callout in callouts(text, role)] == ["chamfer"] * is_chamfer


@pytest.mark.requirement("callouts.types")
def test_a_bare_value_at_a_texture_sign_is_one_that_roughness_has() -> None:
    (found,) = callouts("3.2", "surface_texture")
    says(found, {"type": "surface_finish", "parameter": "Ra", "value": 3.2})
    assert callouts("3.7", "surface_texture") == [] and callouts("3.2", "dimension") == []


@pytest.mark.requirement("callouts.types")
def test_sizes_above_each_other_are_limits_where_a_dimension_has_them() -> None:
    (found,) = callouts("6.5\n9.5", "dimension")
    says(found, {"type": "limit", "min": 6.5, "max": 9.5})
    assert callouts("6.5\n9.5", "free") == []


@pytest.mark.requirement("callouts.negative")
def test_a_line_of_a_cell_that_goes_on_is_no_callout() -> None:
    assert callouts("Ø 8.5 to 28.0 ; M10X1.5 to", "free") == []


@pytest.mark.requirement("callouts.stack")
def test_what_holds_for_a_stack_is_in_no_text_of_its_own() -> None:
    assert [each.text for each in callouts("Ø3.4 THRU\n⌴ Ø6.5 ↧ 3.0\nTYP 4 PLCS")][1:] == ["⌴ Ø6.5 ↧ 3.0"]


@pytest.mark.requirement("callouts.context")
def test_a_marked_thread_is_a_thread_and_a_reference_where_the_notes_say_so() -> None:
    found = callouts("M3*", context=Context(marks={"*": "reference"}))
    assert [each.type for each in found] == ["thread", "reference_dimension"]


@pytest.mark.requirement("callouts.sentence")
@pytest.mark.parametrize(
    ("text", "kind", "quantity"),
    [
        ("Make M6 threads (4x) for the d=5mm holes.", "thread", 4),
        ("Make countersinks (16x) for the d=6.6mm holes.", "countersink", 16),
        ("drill 4 holes 5 mm, tap M6", "hole", 4),
        ("Smooth fillet (0.35mm)", "radius", None),
        ("4x Fillet R2", "radius", 4),
        ("Congé R 3", "radius", None),
    ],
)
def test_what_a_sentence_or_a_word_orders_is_a_callout(text: str, kind: str, quantity: int | None) -> None:
    found = callouts(text, "free")
    assert found[0].type == kind
    assert found[0].quantity == quantity


@pytest.mark.requirement("callouts.sentence")
@pytest.mark.parametrize(
    "text", ["ALL FILLETS R2", "Unless noted fillet R2", "Use M3 screws (4x)", "Make all fillets smooth"]
)
def test_a_note_on_all_fillets_and_what_is_bought_are_no_callouts(text: str) -> None:
    assert callouts(text, "free") == []


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize("text", ["SØ20", "SPHERICAL Ø20", "Ø20 SPHERICAL"])
def test_a_sphere_is_no_hole(text: str) -> None:
    assert callouts(text) == []


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize("text", ["12 (1985-1990)", "20 (2.5-3.5)", "Ø20 (3-4)"])
def test_brackets_behind_a_size_hold_limits_only_where_those_are_near_it(text: str) -> None:
    assert all("min" not in (callout.model_extra or {}) for callout in callouts(text))


@pytest.mark.requirement("callouts.frame")
@pytest.mark.parametrize("text", ["M3 ↧6\n⌖ Ø0,1 A B C", "⌖ Ø0,1 A B C\nM3 ↧6"])
def test_a_thread_written_over_or_under_a_frame_is_a_callout_too(text: str) -> None:
    thread, frame = callouts(text)
    says(thread, {"type": "thread", "size": "M3", "depth": 6.0, "text": "M3 ↧6"})
    says(frame, {"type": "gdt", "characteristic": "position", "tolerance": 0.1})


@pytest.mark.requirement("callouts.frame")
def test_words_over_a_frame_are_no_callout() -> None:
    (frame,) = callouts("ALL AROUND\n⌓ 0.5 A B")
    says(frame, {"type": "gdt", "characteristic": "profile_of_a_surface"})


@pytest.mark.requirement("views.outside")
@pytest.mark.parametrize(
    ("text", "role", "stays"), [("Ø44", "dimension", False), ("Ø44 THRU", "dimension", True), ("Ø44", "leader", True)]
)
def test_a_lone_diameter_of_the_outside_is_no_hole(text: str, role: str, *, stays: bool) -> None:
    found = callouts(text, role)
    assert bool(without_outside_diameters(found, {"annotation-7"})) == stays
    assert without_outside_diameters(found, {"annotation-1"}) == found
