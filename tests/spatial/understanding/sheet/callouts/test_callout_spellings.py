"""Sizes of callouts, whose every spelling means the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.spatial.understanding.sheet.callouts.test_callouts import callouts, says

QUANTITIES = st.sampled_from([("", 1), ("4X ", 4), ("4 x ", 4), ("12 × ", 12), ("(2) ", 2)])
DIAMETERS = st.sampled_from(["Ø", "⌀", "∅", "Φ", "%%c", "Ø "])
DEPTHS = st.sampled_from(
    [
        ("", None, None),
        (" THRU", True, None),
        (" DURCH", True, None),
        (" ↧{}", False, 7.5),
        (" x {} DEEP", False, 7.5),
        (" TIEF {}", False, 7.5),
    ]
)
VALUES = st.integers(1, 99999).map(lambda n: n / 100)


@pytest.mark.requirement("callouts.spelling")
@settings(max_examples=300, deadline=None)
@given(QUANTITIES, DIAMETERS, VALUES, DEPTHS, st.sampled_from(".,"))
def test_a_hole_in_any_spelling_means_the_same(
    times: tuple[str, int], sign: str, value: float, depth: tuple[str, bool | None, float | None], decimal: str
) -> None:
    written = f"{value:g}".replace(".", decimal)
    text = f"{times[0]}{sign}{written}{depth[0].format('7.5'.replace('.', decimal))}"
    (callout,) = callouts(text)
    assert (callout.type, callout.quantity or 1, callout.through, callout.depth) == (
        "hole",
        times[1],
        depth[1],
        depth[2],
    )
    says(callout, {"diameter": value})


@pytest.mark.requirement("callouts.spelling")
@settings(max_examples=300, deadline=None)
@given(
    QUANTITIES,
    st.sampled_from(["", "Ø", "R", "⌀"]),
    VALUES,
    st.integers(1, 999),
    st.integers(0, 999),
    st.sampled_from([" ", "/", "\n", " /"]),
)
def test_deviations_in_any_spelling_mean_the_same(
    times: tuple[str, int], sign: str, value: float, upper: int, lower: int, joint: str
) -> None:
    callout = callouts(f"{times[0]}{sign}{value:.2f} +{upper / 1000:.3f}{joint}-{lower / 1000:.3f}", "dimension")[0]
    assert (callout.type, callout.quantity or 1) == ("tolerance", times[1])
    says(callout, {"nominal": value, "upper_deviation": upper / 1000, "lower_deviation": -lower / 1000})


@pytest.mark.requirement("callouts.thread")
@settings(max_examples=200, deadline=None)
@given(
    QUANTITIES, st.sampled_from([(3, 0.5), (6, 1), (8, 1), (10, 1.25), (12, 1.5), (20, 2.5)]), st.sampled_from(["x", "X", " x ", "×"]),
    st.sampled_from(["", "6H", "6g", "7H", "4g6g"]), st.sampled_from([" - ", "-", " "]), st.booleans(), DEPTHS,
)  # fmt: skip
def test_a_metric_thread_in_any_spelling_means_the_same(
    times: tuple[str, int],
    size: tuple[float, float],
    by: str,
    class_: str,
    joint: str,
    left: bool,
    depth: tuple[str, bool | None, float | None],
) -> None:
    text = f"{times[0]}M{size[0]}{by}{size[1]}{joint + class_ if class_ else ''}{'-LH' if left else ''}{depth[0].format('7.5')}"
    (callout,) = callouts(text)
    assert (callout.quantity or 1, callout.through, callout.depth) == (times[1], depth[1], depth[2])
    says(
        callout,
        {
            "type": "thread",
            "diameter": float(size[0]),
            "pitch": float(size[1]),
            "class": class_ or None,
            "hand": "left" if left else None,
        },
    )
