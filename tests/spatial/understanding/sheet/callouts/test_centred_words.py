"""A line that is centred under a size: what it is of, or how deep its hole is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spatial.models.sheet.drawing import Text
from spatial.understanding.sheet.callouts.centred_words import with_centred_words_joined
from spatial.understanding.sheet.label import Label, Role
from tests.spatial.understanding.sheet.callouts.test_callouts import callouts

H = 3.0
STEP = 0.6 * H


def label(text: str, middle: float, baseline: float, role: Role = "free", height: float = H) -> Label:
    """A level label of one line, its middle at a place."""
    half = len(text) * STEP / 2
    box = (middle - half, baseline, middle + half, baseline + height)
    return Label((text,), 1, (middle, baseline + height / 2), box, 0.0, height, (text,), role)


def read(*labels: Label, texts: tuple[Text, ...] = ()) -> list[str]:
    return [each.text for each in with_centred_words_joined(labels, texts)]


@pytest.mark.requirement("callouts.centred-words")
@pytest.mark.parametrize(
    ("size", "under", "drop"),
    [
        ("1000±20", "twisted", 1.6),
        ("2.4 0 -0.25", "(NUT)", 1.5),
        ("2.5 BSC", "(PITCH)", 2.3),
        ("Ø.187", "DIA. DIMPLE", 1.4),
        ("4-M3", "3 MIN DEEP", 1.6),
        ("6X Ø4", "tief 12", 1.6),
    ],
)
def test_a_line_centred_under_a_size_in_its_letters_is_of_it(size: str, under: str, drop: float) -> None:
    assert read(label(size, 100.0, 100.0, "dimension"), label(under, 100.2, 100.0 - drop * H)) == [f"{size} {under}"]


@pytest.mark.requirement("callouts.centred-words")
def test_a_depth_under_a_thread_is_its_depth() -> None:
    [whole] = with_centred_words_joined(
        [label("4-M3", 100.0, 100.0), label("3 MIN DEEP", 100.0, 95.0, "dimension")], ()
    )
    [thread] = callouts(whole.text, "leader")
    assert (thread.type, thread.quantity, thread.depth) == ("thread", 4, 3.0)


@pytest.mark.requirement("callouts.centred-words")
def test_a_depth_behind_a_hole_on_its_line_is_its_depth_in_two_languages() -> None:
    hole, depth = label("Ø100 H7", 100.0, 100.0, "dimension"), label("8,5 tief", 119.5, 100.0)
    left, low, right, high = depth.box
    both = replace(depth, lines=("8,5 tief", "8,5 deep"), box=(left, low - 2 * H, right, high))
    assert read(hole, both) == ["Ø100 H7 8,5 tief 8,5 deep"]
    assert len(read(hole, label("8,5 tief", 130.0, 100.0))) == 2


@pytest.mark.requirement("callouts.centred-words")
def test_words_centred_under_the_number_of_a_size_are_of_it() -> None:
    size, words = label("2.5 BSC", 106.3, 100.0, "dimension"), label("(PITCH)", 102.7, 94.0)
    number = Text("2.5 BSC", "2.5", 1, (100.0, 100.0), 0.0, H, 5.4, (100.0, 100.0, 105.4, 103.0))
    assert len(read(size, words)) == 2
    assert read(size, words, texts=(number,)) == ["2.5 BSC (PITCH)"]


@pytest.mark.requirement("callouts.centred-words")
@pytest.mark.parametrize(
    ("size", "under"),
    [
        ("406", label("reach", 100.0, 95.0)),
        ("406±1", label("reach", 101.0, 95.0)),
        ("406±1", label("DETAIL A", 100.0, 93.0)),
        ("406±1", label("reach", 100.0, 95.0, "dimension")),
        ("406±1", label("reach", 100.0, 95.0, height=2.4)),
        ("406±1", label("12 DEEP", 100.0, 95.0)),
        ("406±1", replace(label("reach", 100.0, 95.0), angle=90.0)),
        ("406±1", replace(label("reach", 100.0, 95.0), page=2)),
        ("406±1", label("reach of the front wheel over the ground here", 100.0, 95.0)),
    ],
)
def test_other_lines_under_a_size_are_not_of_it(size: str, under: Label) -> None:
    assert read(label(size, 100.0, 100.0, "dimension"), under) == [size, under.text]


@pytest.mark.requirement("callouts.centred-words")
def test_words_in_a_column_of_texts_are_of_none() -> None:
    column = [
        label(text, 100.0, 100.0 - 5.0 * row) for row, text in enumerate(("5±0.1", "reach", "6±0.1", "stack", "7±0.1"))
    ]
    assert read(*column) == [each.text for each in column]
