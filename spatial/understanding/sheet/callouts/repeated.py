"""One text that says the same twice: `Tapped M4 x 0.7 Tapped M4 x 0.7`, where a program has joined two labels of one height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from spatial.understanding.sheet.cells.orientation import quarter_turn, turned
from spatial.understanding.sheet.label import Label

LEAST_WORDS: Final = 2
"""Words of what is repeated: a number alone may be two sizes."""


def with_repeats_apart(labels: Sequence[Label]) -> list[Label]:
    """The labels, one that says the same twice as two."""
    return [part for label in labels for part in _halves(label)]


def _halves(label: Label) -> Iterator[Label]:
    words = label.lines[0].split() if len(label.lines) == 1 else []
    half = len(words) // 2
    if half < LEAST_WORDS or words[:half] != words[half:] or not any(sign.isdigit() for sign in label.text):
        yield label
        return
    quarter = quarter_turn(label.angle)
    left, bottom, right, top = turned(label.box, quarter)
    middle = (left + right) / 2
    for begin, end in ((left, middle), (middle, right)):
        box = turned((begin, bottom, end, top), -quarter % 360)
        yield replace(
            label,
            lines=(" ".join(words[:half]),),
            box=box,
            position=((box[0] + box[2]) / 2, (box[1] + box[3]) / 2),
        )
