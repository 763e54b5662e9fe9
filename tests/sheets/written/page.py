"""A written sheet while it is drawn: paper, frame, grid, and its truth."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.sheets.written.paper import Paper
from tests.sheets.written.views import View

PAPERS = {
    "A4": (210, 297), "A3": (420, 297), "A2": (594, 420), "A1": (841, 594), "A4L": (297, 210), "A": (279.4, 215.9),
    "AP": (215.9, 279.4), "B": (431.8, 279.4), "C": (558.8, 431.8), "D": (863.6, 558.8), "A3P": (297, 420),
}  # fmt: skip
KEYS = [
    "title", "drawing_number", "part_number", "revision", "material", "finish", "scale", "sheet", "size", "drawn_by", "checked_by",
    "approved_by", "date", "weight", "tolerances", "units", "project", "customer", "company", "cage_code",
]  # fmt: skip
MARKS = re.compile(r"^[(\[]|[\])）.:、-]+$")
"""What stands around the number of a note."""


@dataclass
class Grid:
    x: float
    y: float
    columns: list[float]
    rows: list[float]
    options: dict[str, str]

    def box(self, place: str) -> tuple[float, float, float, float]:
        """Left, top, width, height of `column,row` or `column,row:columnsxrows`, counted from 1."""
        first, _, span = place.partition(":")
        column, row = (int(n) - 1 for n in first.split(","))
        wide, high = (int(n) for n in (span or "1x1").split("x"))
        return (
            self.x + sum(self.columns[:column]),
            self.y + sum(self.rows[:row]),
            sum(self.columns[column : column + wide]),
            sum(self.rows[row : row + high]),
        )


@dataclass
class Sheet:
    """One sheet while it is drawn, and its truth."""

    paper: Paper
    extent: tuple[float, float]
    options: dict[str, str]
    inner: tuple[float, float, float, float]
    truth: dict[str, Any]
    grid: Grid | None = None
    cursor: dict[str, float] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    views: list[View] = field(default_factory=list)

    @property
    def font(self) -> str:
        return self.options.get("font", "arial")

    def at(self, x: str, y: str) -> tuple[float, float]:
        """Signed: from the right or lower edge of the frame (`+`: outside); plain: from its left or upper edge."""
        left, top, right, bottom = self.inner
        return (
            right + float(x) if x[0] in "-+" else left + float(x),
            bottom + float(y) if y[0] in "-+" else top + float(y),
        )

    def key(self, key: str, value: str) -> None:
        """`key`, or `key=what is true of it`; several values of one key are joined as printed."""
        name, _, given = key.partition("=")
        if name not in KEYS:
            raise ValueError(f"no key of a title block: {name}")
        if not value.startswith(given + "\\n"):  # a first line may stand for the whole, which the label keeps
            value = given or value
        old, value = self.truth["title_block"][name], value.replace("\\n", "\n").strip()
        joint = "; " if name == "tolerances" else " "
        self.truth["title_block"][name] = f"{old}{joint}{value}" if old else value


def parts(text: str, count: int) -> list[str]:
    found = [part.strip() for part in text.split("|")]
    return found + [""] * (count - len(found))


def options_of(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Plain words and `name=value` words."""
    plain = [word for word in words if "=" not in word]
    return plain, dict(word.split("=", 1) for word in words if "=" in word)


def lengths(text: str) -> list[float]:
    """`10,20x3` is 10, 20, 20, 20."""
    made: list[float] = []
    for part in text.split(","):
        size, _, times = part.partition("x")
        made += [float(size)] * int(times or 1)
    return made


def rule(sheet: Sheet, x: float, y: float, w: float, h: float, weight: float) -> None:
    for a, b, c, d in ((x, y, x + w, y), (x + w, y, x + w, y + h), (x + w, y + h, x, y + h), (x, y + h, x, y)):
        sheet.paper.line(a, b, c, d, weight)
