"""What stands before and behind a feature changes how often, how deep and where it applies, never what it is.

Each feature of the standards is read alone, then with every count, depth and remark before and behind it.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from spatial.understanding.sheet.callouts.context import context_of
from spatial.understanding.sheet.callouts.extract import extract_callouts
from tests.spatial.understanding.sheet.callouts.test_callouts import label

HOLES: Final = (
    ("Ø8", "hole"), ("Ø8.5 H7", "fit"), ("Ø8 ±0.1", "tolerance"), ("Ø8 +0.1/-0.2", "tolerance"), ("Ø8 +0.1 0", "tolerance"),
    ("Ø8 0/-0.1", "tolerance"), ("Ø.315 [8.0]", "hole"), ("Ø8\n[.315]", "hole"), ("M8", "thread"), ("M8x1.25", "thread"),
    ("M8x1-6H", "thread"), ("1/4-20 UNC", "thread"), ("1/4-20 UNC-2B", "thread"), ("#10-32 UNF", "thread"), ("G 1/4", "thread"),
)  # fmt: skip
"""Features that may go through or be so deep."""
OTHERS: Final = (
    ("Ø8.1-8.3", "limit"), ("1/8-27 NPT", "thread"), ("R5", "radius"), ("R.25", "radius"), ("R5 ±0.2", "tolerance"), ("SR5", "radius"),
    ("R.25 [6.35]", "radius"), ("R5 MAX", "radius"), ("C2", "chamfer"), ("2x45°", "chamfer"), ("0.5 X 45°", "chamfer"),
    ("45° X 2", "chamfer"), (".06 [1.5] X 45°", "chamfer"), ("⌴ Ø14 ↧6", "counterbore"), ("⌵ Ø14 X 90°", "countersink"),
    ("CBORE Ø14 X 6 DEEP", "counterbore"), ("CSK Ø14 X 90°", "countersink"), ("SF Ø14", "spotface"),
)  # fmt: skip
SIZES: Final = (
    ("12 ±0.1", "tolerance"), ("12.5 +0.2 -0.1", "tolerance"), ("12.5 +0.2/0", "tolerance"), (".500 ±.005 [12.7±0.13]", "tolerance"),
    ("30° ±1°", "tolerance"), ("(12)", "reference_dimension"), ("(Ø12.5)", "reference_dimension"),
    ("(.500) [12.7]", "reference_dimension"), ("12 REF", "reference_dimension"), ("12.5 MAX", "limit"),
)  # fmt: skip
"""Of a dimension line."""
FEATURES: Final = [
    *((text, kind, "leader") for text, kind in (*HOLES, *OTHERS)),
    *((text, kind, "dimension") for text, kind in SIZES),
]
MEASURES: Final = (
    "nominal", "diameter", "radius", "leg", "angle", "upper_deviation", "lower_deviation", "min", "max", "pitch", "tpi", "size", "class",
)  # fmt: skip
FOUR: Final = (
    "4X {}", "4x {}", "4 x {}", "4× {}", "4X\n{}", "(4X) {}", "4 PLCS {}", "{} (4x)", "{} (x4)", "{} 4X", "{} 4 PLCS", "{} (4 PLCS)",
    "{}\n4 PLACES", "{}, 4 PLACES", "{}, 4X", "{} TYP 4 PLCS", "{} (TYP 4 PLCS)", "{} 4X TYP", "{} IN 4 PLACES",
)  # fmt: skip
TYPICAL: Final = ("{} TYP", "{} TYP.", "{} (TYP)", "{}\nTYP", "{} TYP (4X)")
REMARKS: Final = ("{} BOTH SIDES", "{} NEAR SIDE", "{} (SEE NOTE 3)")
THROUGH: Final = (
    "{} THRU",
    "{} THRU ALL",
    "{} (THRU)",
    "{}\nTHRU",
    "{} - THRU",
    "{}, THRU",
    "{} THRU (4X)",
    "{} THRU TYP",
)
DEEP: Final = (
    "{} ↧12", "{} X 12 DEEP", "{} 12 DEEP", "{}, 12 DEEP", "{} DEPTH 12", "{} - 12 DEEP", "{} ↧12 MIN", "{} ↧12 [.47]",
    "{} 12 DEEP 4 PLACES",
)  # fmt: skip


def _read(text: str, role: str) -> tuple[str, dict[str, Any]]:
    found = extract_callouts(label(text, role), context_of([]))
    assert found, text
    return found[0].type, found[0].model_dump(exclude_none=True)


def _says_the_same(text: str, kind: str, role: str, writings: tuple[str, ...], member: str, value: Any) -> None:
    alone = _read(text, role)[1]
    for writing in writings:
        written = writing.format(text)
        type_, document = _read(written, role)
        assert type_ == kind, written
        assert member == "" or document.get(member) == value, written
        assert [document.get(name) for name in MEASURES] == [alone.get(name) for name in MEASURES], written


@pytest.mark.requirement("callouts.forms")
@pytest.mark.parametrize(("text", "kind", "role"), FEATURES)
def test_a_count_or_a_remark_leaves_a_feature_what_it_is(text: str, kind: str, role: str) -> None:
    _says_the_same(text, kind, role, FOUR, "quantity", 4)
    _says_the_same(text, kind, role, TYPICAL, "typical", True)
    _says_the_same(text, kind, role, REMARKS, "", None)


@pytest.mark.requirement("callouts.forms")
@pytest.mark.parametrize(("text", "kind"), HOLES)
def test_a_hole_or_a_thread_goes_through_or_is_so_deep(text: str, kind: str) -> None:
    _says_the_same(text, kind, "leader", THROUGH, "through", True)
    for writing in DEEP:
        callouts = extract_callouts(label(writing.format(text), "leader"), context_of([]))
        assert callouts[0].type == kind, writing
        assert any(each.model_dump().get("depth") == 12.0 for each in callouts), writing.format(text)


@pytest.mark.requirement("callouts.forms")
def test_a_count_before_a_size_of_a_further_line_is_of_that_size_alone() -> None:
    found = extract_callouts(label("Ø8 THRU\n4X Ø6", "leader"), context_of([]))
    assert [(each.type, each.model_dump().get("quantity")) for each in found] == [("hole", None), ("hole", 4)]
    stack = extract_callouts(label("Ø6.6 THRU\n2X ⌴Ø11 ↧6", "leader"), context_of([]))
    assert [(each.type, each.model_dump().get("quantity")) for each in stack] == [("hole", 2), ("counterbore", 2)]


@pytest.mark.requirement("callouts.forms")
def test_diameters_of_which_nothing_is_said_are_each_for_themselves_on_one_line() -> None:
    found = extract_callouts(label("Ø2 Ø7 Ø12", "leader"), context_of([]))
    assert [(each.type, each.text) for each in found] == [("hole", "Ø2"), ("hole", "Ø7"), ("hole", "Ø12")]
    stack = extract_callouts(label("Ø2 THRU Ø7", "leader"), context_of([]))
    assert [each.text for each in stack] == ["Ø2 THRU Ø7", "Ø7"]
