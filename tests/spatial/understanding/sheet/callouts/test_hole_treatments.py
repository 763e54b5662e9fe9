"""Which diameter is the hole's and which its counterbore's, countersink's or spotface's, in every spelling; the inverse costs a part."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.contract.drawing import Callout
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.extract import extract_callouts
from spatial.understanding.sheet.label import Label, Role

RECESSES = frozenset(("counterbore", "countersink", "spotface"))


def callouts(text: str, role: Role = "leader", context: Context | None = None) -> list[Callout]:
    label = Label(tuple(text.split("\n")), 1, (3.0, 4.0), (0.0, 0.0, 6.0, 8.0), 0.0, 2.5, ("annotation-7",), role)
    return extract_callouts(label, context or Context())


def meanings(text: str, role: Role = "leader", context: Context | None = None) -> list[dict[str, Any]]:
    return [callout.model_dump(exclude_none=True) for callout in callouts(text, role, context)]


def says(document: dict[str, Any], meaning: dict[str, Any]) -> None:
    assert {name: document.get(name) for name in meaning} == pytest.approx(meaning), document["text"]


STACKS: list[tuple[str, float, str, dict[str, Any]]] = [
    ("Ø6.6\n⌴Ø11 ↧6", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 ⌴Ø11 ↧6", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 ⌴ ⌀11 ↧6", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 ⌴ 11 ↧6", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 ⌴ ↧6 Ø11", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("4X Ø6.6\n⌴Ø11 ↧6", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0, "quantity": 4}),
    ("Ø6.6 THRU ⌴Ø11 ↧6", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø.386 ⌴Ø.625 ↧.375", 0.386, "counterbore", {"diameter": 0.625, "depth": 0.375}),
    ("Ø.386\nC'BORE Ø.625 X .375 DP", 0.386, "counterbore", {"diameter": 0.625, "depth": 0.375}),
    ("Ø6.6 CBORE Ø11 x 6 DEEP", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 CBORE\nØ11 x 6 DEEP", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 CBORE 11 x 6 DEEP", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("6.6 DIA CBORE 11 DIA x 6 DEEP", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6, Ø11 CBORE 6 DEEP", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 THRU, Ø11 x 6 DEEP CBORE", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 THRU, Ø11 6 DEEP CBORE", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø10.5 Ø11.0 CBORE", 10.5, "counterbore", {"diameter": 11.0}),
    ("Ø6,6 Zylindersenkung Ø11 TIEF 6", 6.6, "counterbore", {"diameter": 11.0, "depth": 6.0}),
    ("Ø6.6 DIN 974 - Ø11", 6.6, "counterbore", {"diameter": 11.0, "standard": "DIN 974"}),
    ("Ø10.5 SPOTFACE Ø20", 10.5, "spotface", {"diameter": 20.0}),
    ("Ø10.5 ⌴SF Ø20 ↧1", 10.5, "spotface", {"diameter": 20.0, "depth": 1.0}),
    ("Ø10.5\nSF Ø20", 10.5, "spotface", {"diameter": 20.0}),
    (".266 DRILL .438 CBORE .25 DEEP", 0.266, "counterbore", {"diameter": 0.438, "depth": 0.25}),
    (".266 DIA THRU, .438 DIA CBORE .25 DEEP", 0.266, "counterbore", {"diameter": 0.438, "depth": 0.25}),
    ("Ø.266. Ø.438 CBORE", 0.266, "counterbore", {"diameter": 0.438}),
    ("Ø1/4 CBORE Ø7/16 x 1/4 DEEP", 0.25, "counterbore", {"diameter": 0.4375, "depth": 0.25}),
    ("Ø5.5 深ザグリØ9.5深5.4", 5.5, "counterbore", {"diameter": 9.5, "depth": 5.4}),
    ("Ø.25 SF .5", 0.25, "spotface", {"diameter": 0.5}),
    ("Ø6.6 ⌵Ø12 X 90°", 6.6, "countersink", {"diameter": 12.0, "angle": 90.0}),
    ("Ø6.6\n⌵Ø12 X 90°", 6.6, "countersink", {"diameter": 12.0, "angle": 90.0}),
    ("Ø6.6 ⌵ 90° Ø12", 6.6, "countersink", {"diameter": 12.0, "angle": 90.0}),
    ("Ø6.6 CSK Ø12 X 90°", 6.6, "countersink", {"diameter": 12.0, "angle": 90.0}),
    ("Ø6.6 90°±0°30' CSK Ø12", 6.6, "countersink", {"diameter": 12.0, "angle": 90.0}),
    ("Ø.266 CSK .42 X 82°", 0.266, "countersink", {"diameter": 0.42, "angle": 82.0}),
    ("Ø.266 82° CSK TO Ø.42", 0.266, "countersink", {"diameter": 0.42, "angle": 82.0}),
    ("4 HOLES Ø5 COUNTERSUNK 90°", 5.0, "countersink", {"angle": 90.0, "quantity": 4}),
    ("2 Bohrungen Ø6,6 Senkung 90°", 6.6, "countersink", {"angle": 90.0, "quantity": 2}),
    ("Ø6.6 Senkung DIN 74-A6 Ø12", 6.6, "countersink", {"diameter": 12.0, "standard": "DIN 74-A6"}),
]


@pytest.mark.requirement("callouts.stack")
@pytest.mark.parametrize(("text", "hole", "type_", "meaning"), STACKS)
def test_a_sign_belongs_to_the_diameter_behind_it(text: str, hole: float, type_: str, meaning: dict[str, Any]) -> None:
    first, second = meanings(text)
    assert (first["type"], second["type"]) == ("hole", type_)
    says(first, {"diameter": hole})
    says(second, meaning)


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize(
    ("text", "type_", "meaning"),
    [
        ("Ø11 ⌴ ↧6", "counterbore", {"diameter": 11.0, "depth": 6.0}),
        ("Ø11 ⌴ x 6", "counterbore", {"diameter": 11.0, "depth": 6.0}),
        ("Ø11 CBORE x 6 DEEP", "counterbore", {"diameter": 11.0, "depth": 6.0}),
        ("Ø11 x 6 DEEP CBORE", "counterbore", {"diameter": 11.0, "depth": 6.0}),
        ("Ø9 SPOTFACE", "spotface", {"diameter": 9.0}),
        ("Ø9 SF", "spotface", {"diameter": 9.0}),
        ("Ø11 Senkung", "countersink", {"diameter": 11.0}),
        ("Ø12 x 90° CSK", "countersink", {"diameter": 12.0, "angle": 90.0}),
        ("Ø12 ⌵ 90°", "countersink", {"diameter": 12.0, "angle": 90.0}),
    ],
)
def test_without_a_diameter_behind_it_a_sign_belongs_to_the_one_before(
    text: str, type_: str, meaning: dict[str, Any]
) -> None:
    (found,) = meanings(text)
    assert found["type"] == type_
    says(found, meaning)


@pytest.mark.requirement("callouts.stack")
@pytest.mark.parametrize(
    "text",
    [
        "Ø11 ⌴ ↧6\nØ6.6 THRU",
        "Ø11 CBORE, Ø6.6 THRU",
        "Ø11 CBORE\nØ6.6 THRU",
        "⌴Ø11 ↧6\nØ6.6 THRU",
        "Ø11 6 DEEP CBORE\nØ6.6 THRU",
        "Ø11 CBORE 6 DEEP\nØ6.6 THRU",
    ],
)
def test_a_recess_said_first_keeps_its_diameter(text: str) -> None:
    first, second = meanings(text)
    assert (first["type"], first["diameter"], second["type"], second["diameter"]) == ("counterbore", 11.0, "hole", 6.6)


@pytest.mark.requirement("callouts.stack")
@pytest.mark.parametrize("text", ["Ø9 SPOTFACE\nØ20 THRU", "Ø9 SPOTFACE, Ø20 THRU", "Ø9 SPOTFACE ↧1\nØ20 THRU"])
def test_what_goes_through_on_the_next_line_is_the_next_hole(text: str) -> None:
    first, second = meanings(text)
    assert (first["type"], first["diameter"], second["type"], second["diameter"]) == ("spotface", 9.0, "hole", 20.0)


WORDS = {
    "counterbore": ["⌴", "CBORE ", "C'BORE ", "COUNTERBORE ", "Zylindersenkung ", "LAMAGE "],
    "countersink": ["⌵", "CSK ", "C'SINK ", "COUNTERSINK ", "Senkung "],
    "spotface": ["SF ", "⌴SF ", "SPOTFACE ", "S.F. "],
}
SIGNS = ["Ø", "⌀", "∅", "%%c", "Ø "]
JOINTS = ["\n", " ", ", "]


@pytest.mark.requirement("callouts.stack")
@settings(max_examples=500, deadline=None)
@given(st.data())
def test_random_stacks_in_random_spelling_keep_which_diameter_is_which(data: st.DataObject) -> None:
    type_ = data.draw(st.sampled_from(sorted(WORDS)))
    word, sign = data.draw(st.sampled_from(WORDS[type_])), data.draw(st.sampled_from(SIGNS))
    hole = data.draw(st.integers(5, 4000)) / 100
    wide = round(hole * data.draw(st.integers(130, 300)) / 100, 2)
    decimal = data.draw(st.sampled_from(".,"))
    inner, outer = (f"{value:.2f}".replace(".", decimal) for value in (hole, wide))
    if decimal == "." and data.draw(st.booleans()):
        inner, outer = inner.removeprefix("0"), outer.removeprefix("0")
    times = data.draw(st.sampled_from(["", "4X ", "4 x ", "4-"]))
    through = data.draw(st.sampled_from(["", "", " THRU", " DURCH"]))
    joint = data.draw(st.sampled_from(JOINTS))
    after = " X 90°" if type_ == "countersink" else data.draw(st.sampled_from(["", " ↧3", " x 3 DEEP", " TIEF 3"]))
    recess = f"{word}{sign}{outer}{after}"
    drilled = f"{sign}{inner}{through}"
    text = times + (f"{drilled}{joint}{recess}" if data.draw(st.booleans()) else f"{recess}{joint}{drilled}")
    diameters = {("recess" if one["type"] in RECESSES else "hole"): one["diameter"] for one in meanings(text)}
    assert diameters == pytest.approx({"hole": hole, "recess": wide}), text


@pytest.mark.requirement("callouts.evidence")
@pytest.mark.parametrize("text", ["Ø6.6 THRU\n⌴Ø11 ↧6", "Ø6.6\n⌵Ø12 X 90°", "Ø10.5 SPOTFACE Ø20"])
@pytest.mark.parametrize("unit", ["millimeter", "inch"])
def test_a_recess_has_the_unit_of_its_hole(text: str, unit: Any) -> None:
    assert [one.get("unit") for one in meanings(text, context=Context(unit=unit))] == [unit, unit]
    assert [one.get("unit") for one in meanings(text)] == [None, None]


@pytest.mark.requirement("callouts.evidence")
def test_a_unit_written_at_the_hole_holds_for_its_recess() -> None:
    assert [one.get("unit") for one in meanings("Ø6.6mm THRU\n⌴Ø11 ↧6")] == ["millimeter", "millimeter"]


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize(
    ("text", "nominal", "upper", "lower"),
    [
        ("45°±0°30'", 45.0, 0.5, -0.5),
        ("45° ± 0° 30'", 45.0, 0.5, -0.5),
        ("45°±30'", 45.0, 0.5, -0.5),
        ("45°30'±0°30'", 45.5, 0.5, -0.5),
        ("45±0°30'", 45.0, 0.5, -0.5),
        ("45°±1°30'", 45.0, 1.5, -1.5),
        ("45°±1°", 45.0, 1.0, -1.0),
        ("45°0'36\" ±0°0'36\"", 45.01, 0.01, -0.01),
        ('45° ±36"', 45.0, 0.01, -0.01),
        ("45° +0°30' -0°15'", 45.0, 0.5, -0.25),
        ("45°\n+0°30'\n-0°15'", 45.0, 0.5, -0.25),
        ("45° +1° -30'", 45.0, 1.0, -0.5),
        ("45° +0°30' 0", 45.0, 0.5, 0.0),
        ("45° 0 -0°30'", 45.0, 0.0, -0.5),
        ("45° +0°30'", 45.0, 0.5, 0.0),
        ("45° +30'", 45.0, 0.5, 0.0),
        ("45° +1°", 45.0, 1.0, 0.0),
    ],
)
def test_degrees_minutes_and_seconds_are_read(text: str, nominal: float, upper: float, lower: float) -> None:
    (found,) = meanings(text, "dimension")
    assert (found["type"], found["unit"]) == ("tolerance", "degree")
    says(
        found,
        {
            "nominal": nominal,
            "upper_deviation": upper,
            "lower_deviation": lower,
            "max": nominal + upper,
            "min": nominal + lower,
        },
    )


@pytest.mark.requirement("callouts.types")
@settings(max_examples=200, deadline=None)
@given(st.integers(1, 179), st.integers(0, 59), st.integers(0, 5), st.integers(0, 59), st.integers(0, 59))
def test_any_arc_has_its_worth(degrees: int, minutes: int, wide: int, more: int, seconds: int) -> None:
    (found,) = meanings(f"{degrees}°{minutes}' ±{wide}°{more}'{seconds}\"", "dimension")
    deviation = wide + more / 60 + seconds / 3600
    assert found["nominal"] == pytest.approx(degrees + minutes / 60)
    assert found["upper_deviation"] == pytest.approx(deviation, abs=1e-5)
    assert found["lower_deviation"] == pytest.approx(-deviation, abs=1e-5)


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize(
    "text",
    ["Ø60 TK", "Ø60 B.C.", "Ø60 PCD", "Ø60 ±0.1 PCD", "Ø2.375 BOLT CIRCLE", "Ø60 LK", "TK Ø60", "60 P.C.D.", "Ø60 Teilkreis", "Ø60 (PCD)"],
)  # fmt: skip
@pytest.mark.parametrize("role", ["free", "leader", "dimension"])
def test_a_pitch_circle_is_no_hole(text: str, role: Role) -> None:
    assert callouts(text, role) == []


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize("text", ["4X Ø8 THRU\nØ60 B.C.", "4X Ø8 ON Ø60 PCD", "4X Ø8 Ø60±0.1 PCD", "Ø60 TK\n4x Ø8"])
def test_a_pitch_circle_is_told_of_its_holes(text: str) -> None:
    (hole,) = meanings(text)
    says(hole, {"type": "hole", "quantity": 4, "diameter": 8.0, "bolt_circle_diameter": 60.0})


@pytest.mark.requirement("callouts.thread")
@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("6-M5 DP12", {"type": "thread", "quantity": 6, "size": "M5", "depth": 12.0}),
        ("6-M5x0.8 DP 12", {"type": "thread", "quantity": 6, "pitch": 0.8, "depth": 12.0}),
        ("6X M5 TIEF12", {"type": "thread", "quantity": 6, "depth": 12.0}),
        ("4-Ø5 DP10", {"type": "hole", "quantity": 4, "depth": 10.0}),
        ("Ø8 x 12 DEEP 4 PLCS", {"type": "hole", "quantity": 4, "depth": 12.0}),
        ("Ø8 12 DP 4X", {"type": "hole", "quantity": 4, "depth": 12.0}),
    ],
)
def test_a_depth_may_stand_behind_its_word(text: str, meaning: dict[str, Any]) -> None:
    (found,) = meanings(text)
    says(found, meaning)


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize(
    "text",
    [
        "2. UNLESS OTHERWISE SPECIFIED ⌓ 0.5 A B C",
        "ALL SURFACES ⌓ 0.5 A B C FOR MACHINED FACES",
        "PROFILE TO BE ⌓ 0.2 ALL OVER",
        "1200 SF",
    ],
)
def test_a_sign_in_a_note_stays_in_its_text(text: str) -> None:
    assert callouts(text, "free") == []


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize(
    "text",
    [
        "▽▽",
        "▽",
        "√",
        "⌴",
        "⌵",
        "CBORE",
        "COUNTERSINK",
        "SPOTFACE",
        "Senkung",
        "SF",
        "COUNTERBORES ARE CHAMFERED AT 45°",
    ],
)
@pytest.mark.parametrize("role", ["free", "leader", "dimension", "surface_texture"])
def test_a_bare_sign_or_word_without_a_size_says_nothing(text: str, role: Role) -> None:
    assert callouts(text, role) == []
