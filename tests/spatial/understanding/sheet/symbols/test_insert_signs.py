"""Signs that were drawn into a line of text."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial.models.sheet.drawing import Sheet, Symbol, Text
from spatial.understanding.sheet.symbols.insert_signs import insert_signs

HEIGHT, PITCH = 3.0, 2.0


def turned(x: float, y: float, angle: float) -> tuple[float, float]:
    turn = math.radians(angle)
    return x * math.cos(turn) - y * math.sin(turn) + 100, x * math.sin(turn) + y * math.cos(turn) + 100


def line(words: str, gap: int, angle: float) -> Text:
    """Letters at a regular pitch, with room for one more before the letter at `gap`."""
    advances = np.array([PITCH * (at + (at >= gap)) for at in range(len(words) + 1)])
    width = float(advances[-1])
    corners = [turned(x, y, angle) for x in (0.0, width) for y in (0.0, HEIGHT)]
    xs, ys = zip(*corners, strict=True)
    box = (min(xs), min(ys), max(xs), max(ys))
    return Text("annotation-1", words, 1, turned(0, 0, angle), angle, HEIGHT, width, box, advances=advances)


def sign(text: str, x: float, y: float, angle: float) -> Symbol:
    middle = turned(x, y, angle)
    return Symbol(text, 1, (middle[0] - 0.5, middle[1] - 0.5, middle[0] + 0.5, middle[1] + 0.5), angle)


def read(text: Text, *signs: Symbol) -> str:
    sheet = Sheet(1, "page 1", "page", (0.0, 0.0, 300.0, 300.0), "point", texts=[text], symbols=list(signs))
    return insert_signs(sheet).texts[0].text


@pytest.mark.requirement("drawing.drawn-signs")
@given(st.sampled_from([0.0, 90.0, 180.0, 270.0, 37.0]), st.integers(1, 11), st.sampled_from("Ø±°↧"))
def test_a_sign_in_the_gap_of_a_text_is_read_there_at_any_angle(angle: float, gap: int, mark: str) -> None:
    words = "tolerance 0.5"
    found = read(line(words, gap, angle), sign(mark, (gap + 0.5) * PITCH, HEIGHT / 2, angle))
    assert found == words[:gap] + mark + words[gap:]


@pytest.mark.requirement("drawing.drawn-signs")
def test_a_sign_beside_or_above_a_text_is_no_part_of_it() -> None:
    text = line("12.5", 9, 0.0)
    for x, y in ((-2.0, 1.5), (12.0, 1.5), (4.0, 7.0), (4.0, -3.0)):
        assert read(text, sign("Ø", x, y, 0.0)) == "12.5"
    assert read(text, sign("⌖", 5.0, 1.5, 0.0)) == "12.5"


@pytest.mark.requirement("drawing.drawn-signs")
def test_a_mended_text_says_so_and_keeps_the_places_of_its_letters() -> None:
    text = line("ab", 1, 0.0)
    sheet = Sheet(1, "p", "page", (0.0, 0.0, 300.0, 300.0), "point", texts=[text], symbols=[sign("±", 3.0, 1.5, 0.0)])
    (found,) = insert_signs(sheet).texts
    assert found.repairs == ("drawn sign",)
    assert found.advances is not None and len(found.advances) == len(found.text) + 1
    assert sheet.texts[0].text == "ab"
