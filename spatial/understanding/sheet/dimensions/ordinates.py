"""Ordinate dimensions: numbers in a row, each at its extension line, that count from a common zero (ISO 129-1, ASME Y14.5).

The proof is proportionality: the numbers of a row are to each other as the distances of their extension lines from that of
the zero. Numbers of a table or of the zones of a border are not. The axis of a graph and a ruler are, but in equal steps
and to a scale of their own: a row in equal steps is one of ordinates only where it has the scale of the sheet. A scale bar
has that scale, and is told by its filled parts.

Glossary
  row     texts whose extension lines begin on one line across them; it may hold several zeros.
  place   where an extension line stands along the axis that its row measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from spatial.models.sheet.drawing import Dimensioning, Fill
from spatial.understanding.sheet.dimensions.extension_lines import AcrossAxis, ExtensionLine
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.leaders.lines import Lines
from spatial.understanding.sheet.lettering import words
from spatial.understanding.sheet.lettering.printed_size import decimals, printed_size

MOST: Final = 1000
"""Numbers of a sheet that are looked at."""
MOST_OF_ROW: Final = 100
"""Extension lines of a row that are looked at."""
ZEROS: Final = 8
"""Of a row: views beside each other have a zero each."""
FEWEST: Final = 2
"""Numbers beside the zero: one alone is to some scale wherever it stands."""
SQUARE: Final = 1.0
"""Degrees by which a text may lean."""
SAME_ROW: Final = 0.5
"""Letter heights between the beginnings of neighbouring extension lines of one row."""
ROUNDED: Final = 0.005
"""Part of a number, at most, by which its last decimal may round it."""
MOST_WRONG: Final = 0.02
"""Part of the greatest number of a row that places may be wrong by: where it is more, agreement proves nothing."""
TO_SCALE: Final = 0.02
"""Relative difference between the scale of a row and that of the sheet."""
CONFIDENCE: Final = 0.95
FILLS: Final = 20_000
"""Filled areas of a sheet that are looked at."""
OFF_LINES: Final = 0.05
"""Steps of a scale bar by which the edges of its filled parts may be off its lines."""

_MINUS: Final = "-−–"


@dataclass(frozen=True, slots=True)
class Row:
    """A zero and what counts from it."""

    axis: int
    """0: distances along x, 1: along y."""
    zero: tuple[float, float]
    """Its place, and where its line ends across the axis."""
    lines: tuple[ExtensionLine, ...]
    """Of its texts."""
    printed_per_unit: float
    is_even: bool
    """Whether the numbers are in equal steps, as on a ruler."""

    @property
    def labels(self) -> frozenset[int]:
        """Places of its texts among the labels."""
        return frozenset(line.label for line in self.lines)

    def has_scale(self, printed_per_unit: float | None) -> bool:
        """Whether it is to the scale of the sheet."""
        return printed_per_unit is not None and abs(self.printed_per_unit / printed_per_unit - 1.0) <= TO_SCALE

    def is_scale_bar(self, fills: Sequence[Fill]) -> bool:
        """Whether an area is filled from one of its lines to the next, as of a scale bar, which is to the scale of the sheet too."""
        places = sorted(line.place for line in self.lines)
        low = min(min(line.begin, line.end) for line in self.lines)
        high = max(max(line.begin, line.end) for line in self.lines)
        steps = list(pairwise(places))
        for fill in fills[:FILLS]:
            begin, end = float(fill.points[:, self.axis].min()), float(fill.points[:, self.axis].max())
            across = fill.points[:, 1 - self.axis]
            for first, last in steps if places[0] < end and begin < places[-1] else ():
                slack = OFF_LINES * (last - first)
                is_between = abs(begin - first) <= slack and abs(end - last) <= slack
                if is_between and low - slack <= float(across.min()) and float(across.max()) <= high + slack:
                    return True
        return False

    def dimensions(self, labels: Sequence[Label]) -> Iterator[Dimensioning]:
        """Its texts as dimensions; their points are named as those of a DXF's ordinates."""
        place, end = self.zero
        for line in self.lines:
            label = labels[line.label]
            yield Dimensioning(
                id="dimension-0",
                type="ordinate",
                page=label.page,
                text=label.text,
                value=abs(line.place - place),
                position=label.position,
                sources=label.sources,
                further={
                    "printed": abs(ordinate(label) or 0.0),
                    "points": {
                        "definition": self._point(place, end),
                        "first": self._point(line.place, line.end),
                        "second": self._point(line.place, line.begin),
                    },
                    "confidence": CONFIDENCE,
                },
            )

    def _point(self, place: float, along: float) -> list[float]:
        return [place, along] if self.axis == 0 else [along, place]


def ordinate(label: Label) -> float | None:
    """What a text gives as an ordinate; None of a radius, a diameter, an angle, and of a text that leans."""
    text = label.text.lstrip(_MINUS)
    printed = printed_size(text) if (label.angle + SQUARE) % 90.0 <= 2 * SQUARE else None
    if printed is None or words.has_radius(text) or words.has_diameter(text) or "°" in text:
        return None
    return -printed if printed and text != label.text else printed


def has_zero(labels: Sequence[Label]) -> bool:
    """Whether any text can be the zero of a row."""
    return any(ordinate(label) == 0.0 for label in labels)


def find_rows(labels: Sequence[Label], lines: Lines) -> list[Row]:
    """Rows of numbers to scale along x and along y, no text in two; an even one is not proven yet."""
    if not has_zero(labels):
        return []
    numbers = [place for place, label in enumerate(labels) if ordinate(label) is not None][:MOST]
    found: list[Row] = []
    for axis in (0, 1):
        strokes = AcrossAxis(lines, axis)
        for side in (1, -1):
            ends = [line for place in numbers for line in strokes.of(place, labels[place], side)]
            for row in _in_rows(ends):
                found += _to_scale([Number.of(line, labels[line.label]) for line in row], axis, strokes.slack)
    return _each_text_once(found)


def _in_rows(lines: list[ExtensionLine]) -> Iterator[list[ExtensionLine]]:
    """Extension lines that begin on one line across them."""
    ordered = sorted(lines, key=lambda line: line.begin)
    breaks = [
        place
        for place, (one, other) in enumerate(pairwise(ordered), 1)
        if other.begin - one.begin > SAME_ROW * min(one.height, other.height)
    ]
    for first, last in pairwise([0, *breaks, len(ordered)]):
        if last - first > FEWEST:
            yield ordered[first : min(last, first + MOST_OF_ROW)]


@dataclass(frozen=True, slots=True)
class Number:
    """An ordinate and its extension line."""

    line: ExtensionLine
    value: float
    """As printed, below 0 behind a minus."""
    rounded: float
    """By how much its last decimal may round it."""
    boxed: bool
    """Whether it is theoretically exact (ISO 1101), as no number of a table, a ruler or the axis of a graph is."""

    @classmethod
    def of(cls, line: ExtensionLine, label: Label) -> Number:
        """Of the text that the line begins at."""
        value = ordinate(label) or 0.0
        last = 0.5 * 10.0 ** -decimals(label.text.lstrip(_MINUS))
        return cls(line, value, min(last, ROUNDED * abs(value)), label.boxed)


@dataclass(frozen=True, slots=True)
class _Scale:
    """What the distance of a number from a zero says of all numbers of the row."""

    zero: Number
    per_unit: float
    """Printed per unit of the sheet; below 0 where the negative numbers stand at greater places."""
    signed: bool
    """Whether numbers on one side of the zero are negative; without, both sides count up."""
    slack: float
    """Sheet units by which a place may be wrong."""

    def fits(self, number: Number) -> bool:
        off = (number.line.place - self.zero.line.place) * self.per_unit
        off = off if self.signed else abs(off)
        return abs(off - number.value) <= number.rounded + 2 * self.slack * abs(self.per_unit)

    def of_row(self, row: list[Number]) -> list[Number]:
        """The numbers that fit, each text once: as its line goes straight on, else after a jog."""
        fitting: dict[int, Number] = {}
        for number in row:
            if number.value and self.fits(number):
                fitting.setdefault(number.line.label, number)
        return list(fitting.values())


def _to_scale(row: list[Number], axis: int, slack: float) -> Iterator[Row]:
    """For each zero the numbers that agree on a scale."""
    signed = any(number.value < 0 for number in row)
    for zero in [number for number in row if number.value == 0.0][:ZEROS]:
        scales = [_scale(zero, number, signed, slack) for number in row if number.value]
        agreed = max(((scale, scale.of_row(row)) for scale in scales if scale), key=_support, default=None)
        if agreed and _is_proven(*agreed, row):
            scale, fitting = agreed
            ordered = sorted(fitting, key=lambda number: number.line.place)
            lines = zero.line, *(number.line for number in ordered)
            yield Row(
                axis,
                (zero.line.place, zero.line.end),
                lines,
                abs(scale.per_unit),
                is_even([zero, *ordered], slack) and not _are_boxed([zero, *ordered]),
            )


def _scale(zero: Number, number: Number, signed: bool, slack: float) -> _Scale | None:
    """The scale by one number; None where it is too near its zero to tell."""
    off = number.line.place - zero.line.place
    if MOST_WRONG * abs(off) < 2 * slack:
        return None
    return _Scale(zero, number.value / (off if signed else abs(off)), signed, slack)


def _support(agreed: tuple[_Scale, list[Number]]) -> tuple[int, float]:
    """How many numbers speak for a scale, and how far the farthest is."""
    scale, fitting = agreed
    return len(fitting), -abs(scale.per_unit)


def _is_proven(scale: _Scale, fitting: list[Number], row: list[Number]) -> bool:
    """Whether enough numbers fit, and half of those that stand among them; in boxes, one number on either side of the zero is enough."""
    places = [number.line.place for number in (scale.zero, *fitting)]
    among = {number.line.label for number in row if number.value and min(places) <= number.line.place <= max(places)}
    different = {abs(number.value) for number in fitting}
    is_enough = len(different) >= FEWEST or (len(fitting) >= FEWEST and _are_boxed([scale.zero, *fitting]))
    return is_enough and 2 * len(fitting) >= len(among)


def _are_boxed(numbers: Sequence[Number]) -> bool:
    """Whether all stand in boxes."""
    return all(number.boxed for number in numbers)


def is_even(numbers: Sequence[Number], slack: float) -> bool:
    """Whether numbers stand in equal steps."""
    places = sorted(number.line.place for number in numbers)
    steps = [other - one for one, other in pairwise(places)]
    return max(steps) - min(steps) <= 4 * slack


def _each_text_once(rows: list[Row]) -> list[Row]:
    """The longest rows first, and of others those that share no text with them."""
    used: set[int] = set()
    found = []
    for row in sorted(rows, key=lambda row: -len(row.lines)):
        if used.isdisjoint(row.labels):
            used |= row.labels
            found.append(row)
    return found
