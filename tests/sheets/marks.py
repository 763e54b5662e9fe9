"""Random instructions as an engineer writes them, each with what it means.

Glossary
  mark   what is written at one place: its lines, its deviations, and the truth about it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from tests.sheets.style import Style
from tests.sheets.words import MOST, THROUGH


@dataclass(frozen=True)
class Mark:
    """What is written at one dimension or leader."""

    type: str
    lines: tuple[str, ...]
    """From the top, signs as Unicode."""
    upper: str | None = None
    lower: str | None = None
    """Stacked behind the last line, smaller."""
    value: float | None = None
    """What it measures, in the unit of the sheet."""
    nominal: str | None = None
    """The part of the line that the measured value is."""
    boxed: bool = False
    quantity: int = 1
    through: bool | None = None
    depth: str | None = None
    parts: tuple[dict[str, Any], ...] = ()
    cells: tuple[str, ...] = ()
    """Of a feature control frame."""
    further: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """As a person reads it."""
        if self.cells:
            return " ".join(self.cells)
        deviations = [text for text in (self.upper, self.lower) if text]
        text = " ".join([*self.lines, *deviations])
        return f"[{text}]" if self.boxed else text

    def truth(self) -> dict[str, Any]:
        """The entry of the truth file."""
        entry: dict[str, Any] = {
            "type": self.type,
            "text": self.text,
            "quantity": self.quantity,
            "through": self.through,
            "depth": self.depth,
        }
        if self.parts:
            entry["parts"] = list(self.parts)
        if self.boxed:
            entry["text_layer"] = " ".join(self.lines)
        return entry


def size(rng: random.Random, style: Style, least: float = 8, most: float = 120) -> float:
    """A length that one would choose, in the unit of the sheet."""
    if style.inch:
        return rng.randrange(max(1, round(least / 25.4 * 8)), round(most / 25.4 * 8) + 2) / 8
    return rng.randrange(round(least * 2), round(most * 2)) / 2


def linear(rng: random.Random, style: Style, value: float) -> Mark:
    """What may stand on a linear dimension of this length."""
    nominal = style.number(value)
    small = 0.005 if style.inch else rng.choice([0.05, 0.1, 0.2, 0.5])
    kind = rng.choice(
        ["plain"] * 5 + ["equal", "equal", "two", "two", "limits", "reference", "ref", "basic", "fit", "most"]
    )
    if kind == "equal":
        return Mark(
            "tolerance", (nominal + rng.choice([" ±", "±"]) + style.number(small),), value=value, nominal=nominal
        )
    if kind == "two":
        upper, lower = deviations(rng, style, small)
        return Mark("tolerance", (nominal,), upper, lower, value=value, nominal=nominal)
    if kind == "limits":
        places = 3 if style.inch else 2
        lines = (style.number(value + small, places), style.number(value - small, places))
        return Mark("limit", lines, value=value, further={"limits": small})
    if kind == "reference":
        return Mark("reference_dimension", (f"({nominal})",), value=value, nominal=nominal)
    if kind == "ref" and style.asme:
        return Mark("reference_dimension", (f"{nominal} REF",), value=value, nominal=nominal)
    if kind == "basic":
        return Mark("basic", (nominal,), value=value, nominal=nominal, boxed=True)
    if kind == "fit" and not style.inch:
        fit = rng.choice(["h7", "js6", "H8", "f7", "h11", "k6", "H7/g6"])
        sign = rng.choice(["Ø", "Ø", ""])
        return Mark("fit", (f"{sign}{nominal} {fit}",), value=value, nominal=nominal)
    if kind == "most":
        return Mark("limit", (f"{nominal} {MOST[style.language]}",), value=value, nominal=nominal)
    count = rng.choice([1, 1, 1, 2])
    return Mark("dimension", (style.times(count) + nominal,), value=value, nominal=nominal, quantity=count)


def deviations(rng: random.Random, style: Style, small: float) -> tuple[str, str]:
    """Two deviations, one of them often zero."""
    places = 3 if style.inch else 2
    upper = "+" + style.number(small, places)
    lower = "-" + style.number(small / 2, places)
    return rng.choice([(upper, lower), (upper, style.zero), (style.zero, lower)])


def at_leader(rng: random.Random, style: Style) -> Mark:
    """What may stand on a leader to a hole."""
    makers = [hole, hole, hole, thread, thread, counterbore, countersink, spotface, hole_fit, hole_tolerance]
    return rng.choice(makers)(rng, style)


def at_edge(rng: random.Random, style: Style) -> Mark:
    """What may stand on a leader to an edge or a face."""
    return rng.choice([radius, radius, chamfer, chamfer, surface, frame])(rng, style)


def hole(rng: random.Random, style: Style) -> Mark:
    count, value, depth = _count(rng), size(rng, style, 3, 20), size(rng, style, 5, 25)
    nominal = style.number(value)
    first = f"{style.times(count)}Ø{nominal}"
    how = rng.choice(["plain", "through", "through", "depth"])
    if how == "through":
        word = THROUGH[style.language]
        word = rng.choice([word, f"{word} ALL"]) if style.language == "en" else word
        return Mark("hole", (f"{first} {word}",), value=value, nominal=nominal, quantity=count, through=True)
    if how == "depth":
        deep = style.number(depth)
        return Mark(
            "hole",
            (f"{first} ↧{rng.choice(['', ' '])}{deep}",),
            value=value,
            nominal=nominal,
            quantity=count,
            through=False,
            depth=deep,
        )
    return Mark("hole", (first,), value=value, nominal=nominal, quantity=count)


def thread(rng: random.Random, style: Style) -> Mark:
    count = _count(rng)
    if style.inch:
        name = rng.choice(
            ["1/4-20 UNC-2B", "3/8-16 UNC-2B", "10-32 UNF-2B", "#8-32 UNC", "1/2-13 UNC-2A", "1/4-18 NPT"]
        )
    else:
        name = rng.choice(
            [
                "M8",
                "M6",
                "M8x1",
                "M6x1-6H",
                "M10x1.5 - 6H",
                "M12x1.25-6g",
                "M5 x 0.8",
                "G1/2",
                "Tr20x4",
                "M20x1.5-LH",
                "M4-6H",
            ]
        )
        name = name.replace(".", ",") if style.comma else name
    if rng.random() < 0.4:
        deep = style.number(size(rng, style, 6, 25))
        return Mark("thread", (f"{style.times(count)}{name} ↧{deep}",), quantity=count, depth=deep)
    if rng.random() < 0.3 and not style.inch:
        word = THROUGH[style.language]
        return Mark("thread", (f"{style.times(count)}{name} {word}",), quantity=count, through=True)
    return Mark("thread", (style.times(count) + name,), quantity=count)


def counterbore(rng: random.Random, style: Style) -> Mark:
    count, value, first = _stack(rng, style)
    wide, deep = style.number(value * 1.75 if style.inch else round(value * 1.75)), style.number(size(rng, style, 3, 9))
    space = rng.choice(["", " "])
    return _stacked("counterbore", count, first, f"⌴{space}Ø{wide} ↧{space}{deep}", value)


def countersink(rng: random.Random, style: Style) -> Mark:
    count, value, first = _stack(rng, style)
    wide = style.number(value * 2)
    return _stacked(
        "countersink", count, first, f"⌵ Ø{wide} {'X' if style.asme else 'x'} {rng.choice([82, 90, 100])}°", value
    )


def spotface(rng: random.Random, style: Style) -> Mark:
    count, value, first = _stack(rng, style)
    wide = style.number(value * 2)
    return _stacked("spotface", count, first, f"{rng.choice(['SF', 'SPOTFACE'])} Ø{wide}", value)


def _stack(rng: random.Random, style: Style) -> tuple[int, float, str]:
    count, value = _count(rng), size(rng, style, 4, 12)
    return count, value, f"{style.times(count)}Ø{style.number(value)} {THROUGH[style.language]}"


def _stacked(type: str, count: int, first: str, second: str, value: float) -> Mark:
    parts = ({"type": "hole", "text": first, "quantity": count, "through": True}, {"type": type, "text": second})
    return Mark(type, (first, second), quantity=count, value=value, parts=parts)


def hole_fit(rng: random.Random, style: Style) -> Mark:
    count, value = _count(rng), float(rng.choice([4, 5, 6, 8, 10, 12, 16]))
    if style.inch:
        return hole(rng, style)
    fit = rng.choice(["H7", "H8", "F7", "G6", "H7/k6", "JS7"])
    return Mark(
        "fit", (f"{style.times(count)}Ø{style.number(value)}{rng.choice(['', ' '])}{fit}",), value=value, quantity=count
    )


def hole_tolerance(rng: random.Random, style: Style) -> Mark:
    count, value = _count(rng), size(rng, style, 4, 20)
    nominal, small = style.number(value), 0.002 if style.inch else 0.05
    first = f"{style.times(count)}Ø{nominal}"
    if rng.random() < 0.5:
        return Mark("tolerance", (f"{first} ±{style.number(small)}",), value=value, nominal=nominal, quantity=count)
    upper, lower = deviations(rng, style, small)
    return Mark("tolerance", (first,), upper, lower, value=value, nominal=nominal, quantity=count)


def radius(rng: random.Random, style: Style) -> Mark:
    count, value = _count(rng), size(rng, style, 2, 12)
    nominal = style.number(value)
    word = rng.choice(["", "", "", " TYP" if style.language == "en" else ""])
    return Mark("radius", (f"{style.times(count)}R{nominal}{word}",), value=value, nominal=nominal, quantity=count)


def chamfer(rng: random.Random, style: Style) -> Mark:
    count, leg = _count(rng), style.number(rng.choice([0.03, 0.06]) if style.inch else rng.choice([0.5, 1, 1.5, 2]))
    sign = "X" if style.asme else "x"
    forms = [f"{leg}{sign}45°", f"{leg} {sign} 45°", f"45° {sign} {leg}"]
    forms += [f"CHAMFER {leg}"] if style.language == "en" else []
    return Mark("chamfer", (style.times(count) + rng.choice(forms),), quantity=count)


def surface(rng: random.Random, style: Style) -> Mark:
    value = rng.choice([32, 63, 125]) if style.inch else rng.choice([0.8, 1.6, 3.2, 6.3, 12.5])
    name = "Ra" if rng.random() < 0.7 else "Rz"
    return Mark("surface_finish", (f"{name} {str(value) if style.inch else style.number(value)}",))


FRAMES = {
    "⌖": True,
    "⏥": False,
    "⌭": False,
    "⊥": True,
    "∥": True,
    "◎": True,
    "⌓": True,
    "↗": True,
    "○": False,
    "⏤": False,
}
"""Sign of a characteristic to whether it refers to datums (ASME Y14.5, ISO 1101)."""


def frame(rng: random.Random, style: Style) -> Mark:
    sign = rng.choice(list(FRAMES))
    small = style.number(0.005 if style.inch else rng.choice([0.02, 0.05, 0.1, 0.2]))
    zone = ("Ø" if sign in "⌖◎" else "") + small
    datums = ("A", "B", "C")[: rng.randint(1, 3)] if FRAMES[sign] else ()
    return Mark("gdt", (), cells=(sign, zone, *datums))


def _count(rng: random.Random) -> int:
    return rng.choice([1, 1, 2, 3, 4, 6, 8])
