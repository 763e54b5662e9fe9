"""How one drawing office writes: language, unit, decimal sign, standard, and the ways of its exporter."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from tests.sheets.words import LABELS

PAPERS: dict[str, tuple[float, float]] = {
    "A4": (210, 297),
    "A3": (297, 420),
    "A2": (420, 594),
    "A1": (594, 841),
    "A": (215.9, 279.4),
    "B": (279.4, 431.8),
    "C": (431.8, 558.8),
    "D": (558.8, 863.6),
}
"""Short and long side in millimeters: ISO 216, ASME Y14.1."""


@dataclass(frozen=True)
class Style:
    """The habits of one sheet."""

    language: str
    mixed: str | None
    """The second language of `Drawn / Gezeichnet`."""
    inch: bool
    comma: bool
    asme: bool
    quantity: Literal["{}x ", "{}X ", "{} x ", "{}-", "({}) "]
    paper: str
    width: float
    height: float
    rotate: int
    """/Rotate of the PDF page."""
    lettering: float
    """Height of dimension text, mm."""
    upright: bool
    """Texts of vertical dimensions read from below (ASME unidirectional) instead of from the right."""
    scale: str
    zero: str = "0"
    """A deviation of nothing as it is printed."""

    def number(self, value: float, places: int | None = None) -> str:
        """As it is printed: `12,5`, `12.50`, `.500`."""
        if self.inch:
            text = f"{value:.{3 if places is None else places}f}"
            return text.replace("0.", ".", 1) if abs(value) < 1 and value else text
        text = f"{value:.{2 if places is None else places}f}"
        if places is None:
            text = text.rstrip("0").rstrip(".")
        return text.replace(".", ",") if self.comma else text

    def times(self, count: int) -> str:
        """The prefix that says how often; empty for once."""
        return self.quantity.format(count) if count > 1 else ""


def choose(rng: random.Random) -> Style:
    """A style whose parts go together: no decimal comma in inches, no ASME block in French."""
    language = rng.choice(["en", "en", "en", "de", "de", "fr", "es", "it"])
    asme = language == "en" and rng.random() < 0.6
    inch = asme and rng.random() < 0.5
    comma = not inch and (language != "en" and rng.random() < 0.7)
    paper = rng.choice(
        ["A", "B", "C", "D", "B", "C"] if asme and rng.random() < 0.7 else ["A4", "A3", "A2", "A1", "A3", "A2"]
    )
    short, long = PAPERS[paper]
    portrait = paper in {"A4", "A"} and rng.random() < 0.7
    others = sorted(set(LABELS) - {language})
    return Style(
        language=language,
        mixed=rng.choice(others) if rng.random() < 0.2 else None,
        inch=inch,
        comma=comma,
        asme=asme,
        quantity=rng.choice(["{}X ", "{}x "] if asme else ["{}x ", "{} x ", "{}X ", "{}-", "({}) "]),
        paper=paper,
        width=short if portrait else long,
        height=long if portrait else short,
        rotate=rng.choice([0, 0, 0, 90, 180, 270]),
        lettering=rng.choice([2.5, 3.0, 3.5] if paper in {"A4", "A3", "A", "B"} else [3.0, 3.5, 5.0]),
        upright=asme and rng.random() < 0.7,
        scale=rng.choice(["1:1", "1:2", "2:1", "1:5", "5:1"]),
    )
