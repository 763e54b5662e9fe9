"""Deviations in brackets behind their size, as Spanish and German sheets write them, and threads named in words."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.extract import extract_callouts
from spatial.understanding.sheet.label import Label


@pytest.mark.requirement("callouts.types")
@pytest.mark.parametrize(
    ("text", "kind", "meaning"),
    [
        ("18 (±0,1)", "tolerance", {"upper_deviation": 0.1, "lower_deviation": -0.1}),
        ("Ø16,8 ( ±0,1 )", "tolerance", {"nominal": 16.8, "upper_deviation": 0.1}),
        ("28 (0,0 -0,1)", "tolerance", {"upper_deviation": 0.0, "lower_deviation": -0.1}),
        ("Ø8 H10 (+0,058 0,000)", "fit", {"upper_deviation": 0.058}),
        ("Roscado TR20x4 - DIN 103\ncalidad media 7H/7e", "thread", {"size": "Tr20", "pitch": 4.0}),
        ("rosca\nM17x1", "thread", {"size": "M17", "pitch": 1.0}),
        ("M3*", "thread", {"mark": "*"}),
        (".20 [5.0] x 45°", "chamfer", {"leg": 0.2, "angle": 45.0}),
    ],
)
def test_brackets_and_words_round_a_size_are_read(text: str, kind: str, meaning: dict[str, Any]) -> None:
    label = Label(
        tuple(text.split("\n")), 1, (3.0, 4.0), (0.0, 0.0, 6.0, 8.0), 0.0, 2.5, ("annotation-7",), "dimension"
    )
    (found, *_) = extract_callouts(label, Context(marks={"*": "reference"}))
    assert found.type == kind
    document = found.model_dump(exclude_none=True)
    assert {name: document.get(name) for name in meaning} == pytest.approx(meaning)


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize(("unit", "types"), [("millimeter", []), ("inch", ["limit"])])
def test_limits_without_a_zero_are_no_millimetres(unit: Any, types: list[str]) -> None:
    label = Label((".180", ".160"), 1, (3.0, 4.0), (0.0, 0.0, 6.0, 8.0), 0.0, 2.5, ("annotation-7",))
    assert [each.type for each in extract_callouts(label, Context(unit=unit))] == types
