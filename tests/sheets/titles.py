"""Title blocks as offices lay them out, each with what it says.

Glossary
  cell    a ruled field with a small label at its upper left and a value below it.
  matrix  rows of DRAWN, CHECKED, … with columns NAME and DATE (ASME Y14.1).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.sheets import words
from tests.sheets.canvas import Group, Lettering
from tests.sheets.style import Style

Wide = Callable[[str, float], float]


@dataclass
class Block:
    """A title block whose lower right corner is at (0, 0)."""

    width: float
    height: float
    group: Group = field(default_factory=lambda: Group("title"))
    truth: dict[str, str] = field(default_factory=dict)


def values(rng: random.Random, style: Style) -> dict[str, str]:
    """A value for each key; a few are left empty."""
    number = rng.choice(["{:04d}-{:03d}", "HR-{:04d}-{:02d}", "{:03d}.{:03d}.00", "D{:05d}_{:d}", "NW {:04d} {:03d}"])
    date = rng.choice(["2024-03-{:02d}", "{:02d}.11.2023", "{:02d}/06/2022", "Jun-{:02d}-23", "{:02d}-FEB-2025"])
    if style.asme:
        date = rng.choice(["11/{:02d}/2023", "6/{:02d}/22", "{:02d}-FEB-2025"])
    made = {
        "title": rng.choice(words.TITLES[style.language]),
        "drawing_number": number.format(rng.randrange(1, 1000), rng.randrange(1, 90)),
        "part_number": f"{rng.randrange(10**6, 10**7)}",
        "revision": rng.choice(["A", "B", "C", "01", "00", "2", "-"]),
        "material": rng.choice(words.MATERIALS),
        "finish": rng.choice(words.FINISHES),
        "scale": style.scale,
        "sheet": "",
        "size": style.paper,
        "drawn_by": rng.choice(words.NAMES),
        "checked_by": rng.choice(words.NAMES),
        "approved_by": rng.choice(words.NAMES),
        "date": date.format(rng.randrange(13, 29)),
        "weight": f"{style.number(rng.randrange(5, 900) / 100, 2)} {'lb' if style.inch else 'kg'}",
        "tolerances": rng.choice(words.TOLERANCES),
        "units": rng.choice(["INCH", "IN"] if style.inch else ["mm", "MM", "Millimeter"]),
        "project": rng.choice(words.PROJECTS),
        "customer": rng.choice(words.CUSTOMERS),
        "company": rng.choice(words.COMPANIES),
        "cage_code": f"{rng.randrange(1, 9)}{rng.choice('ABCDFGH')}{rng.randrange(100, 999)}",
    }
    if rng.random() < 0.2:
        made["title"] += "\n" + rng.choice(words.SECOND_TITLES)
    for key in made:
        if key not in {"title", "drawing_number", "scale", "sheet", "company"} and rng.random() < 0.2:
            made[key] = ""
    return made


class Maker:
    """Puts cells into a block."""

    def __init__(self, rng: random.Random, style: Style, said: dict[str, str], wide: Wide, block: Block) -> None:
        self.rng, self.style, self.said, self.wide, self.block = rng, style, said, wide, block
        self.colon = rng.random() < 0.3
        self.capital = rng.choice([1.6, 1.8, 2.0])

    def label(self, key: str) -> str:
        own = self.rng.choice(words.LABELS[self.style.language].get(key) or words.LABELS["en"][key])
        other = words.LABELS[self.style.mixed].get(key) if self.style.mixed else None
        text = f"{own} / {other[0]}" if other and other[0] != own else own
        return text + ":" if self.colon and not text.endswith(".") else text

    def cell(self, box: Sequence[float], key: str, label: str | None = None, height: float = 2.5) -> None:
        """A cell with its label above its value; box: left, bottom, width, height."""
        left, bottom, width, tall = box
        group = self.block.group
        group.box(left, bottom, left + width, bottom + tall)
        label = self.label(key) if label is None else label
        if label:
            small = self.fit(label, self.capital, width - 2)
            group.letterings.append(Lettering((left + 1, bottom + tall - small - 0.9), label, small))
        room = tall - (self.capital + 1.5 if label else 0)
        self.value(key, (left + 1.5, bottom), width - 3, room, height)

    def value(self, key: str, at: tuple[float, float], width: float, room: float, height: float = 2.5) -> None:
        """The lines of a value in the lower part of a cell."""
        lines = [line for line in self.said.get(key, "").split("\n") if line]
        if not lines:
            return
        height = min(height, room / (1.5 * len(lines)), *(self.fit(line, height, width) for line in lines))
        base = at[1] + (room - height * (1.5 * len(lines) - 0.5)) / 2
        for place, line in enumerate(reversed(lines)):
            tag = key.upper() if len(lines) == 1 else f"{key.upper()}{len(lines) - place}"
            self.block.group.letterings.append(Lettering((at[0], base + place * 1.5 * height), line, height, tag=tag))
        self.block.truth[key] = " ".join(lines)

    def words(self, at: tuple[float, float], text: str, height: float, width: float = 999) -> None:
        self.block.group.letterings.append(Lettering(at, text, self.fit(text, height, width)))

    def fit(self, text: str, height: float, width: float) -> float:
        wide = self.wide(text, height)
        return height if wide <= width else height * width / wide


def iso(maker: Maker) -> None:
    """ISO 7200, table 1: 180 mm wide, identifying fields at the lower right."""
    x, rows = -180.0, (30.0, 20.0, 10.0, 0.0)
    top = [("drawn_by", 45), ("checked_by", 45), ("approved_by", 45), ("material", 45)]
    for key, width in top:
        maker.cell((x, rows[0], width, 10), key)
        x += width
    maker.cell((-180, rows[2], 60, 20), "company", height=3.5)
    maker.cell((-120, rows[1], 70, 10), "title", height=3.5)
    maker.cell((-120, rows[2], 70, 10), "finish")
    maker.cell((-50, rows[2], 50, 20), "drawing_number", height=4)
    x = -180.0
    for key, width in (
        ("tolerances", 60),
        ("scale", 25),
        ("size", 15),
        ("weight", 20),
        ("revision", 15),
        ("date", 27),
        ("sheet", 18),
    ):
        maker.cell((x, 0, width, 10), key)
        x += width


def asme(maker: Maker) -> None:
    """ASME Y14.1 with approvals at the left of the title."""
    matrix(maker, -160, 0, ("DRAWN", "CHECKED", "APPROVED"), head=("APPROVALS", "NAME" if maker.colon else "", "DATE"))
    tolerances(maker, -160, 22, 62, 33)
    maker.cell((-98, 43, 98, 12), "company", label="", height=4)
    maker.cell((-98, 27, 98, 16), "title", height=3.5)
    maker.cell((-98, 12, 14, 15), "size", height=4)
    maker.cell((-84, 12, 20, 15), "cage_code", "CAGE CODE", height=3)
    maker.cell((-64, 12, 50, 15), "drawing_number", height=4)
    maker.cell((-14, 12, 14, 15), "revision", height=4)
    maker.cell((-98, 0, 30, 12), "scale")
    maker.cell((-68, 0, 38, 12), "weight")
    maker.cell((-30, 0, 30, 12), "sheet")


def solidworks(maker: Maker) -> None:
    """The block that SolidWorks puts on a new sheet: labels and values in one line at the bottom."""
    matrix(maker, -140, 16, ("DRAWN", "CHECKED", "ENG APPR.", "MFG APPR.", "Q.A."), head=("", "NAME", "DATE"))
    tolerances(maker, -202, 16, 62, 38.5)
    group = maker.block.group
    maker.cell((-202, 8, 62, 8), "material", "MATERIAL")
    maker.cell((-202, 0, 62, 8), "finish", "FINISH")
    group.box(-140, 0, -78, 16)
    maker.words((-139, 13), "COMMENTS:", 1.8)
    maker.words((-139, 2), "DO NOT SCALE DRAWING", 2)
    maker.cell((-78, 40, 78, 14.5), "company", label="", height=3.5)
    maker.cell((-78, 24, 78, 16), "title", "TITLE:", height=4)
    maker.cell((-78, 9, 14, 15), "size", "SIZE", height=4)
    maker.cell((-64, 9, 48, 15), "drawing_number", "DWG.  NO.", height=4)
    maker.cell((-16, 9, 16, 15), "revision", "REV", height=4)
    group.box(-78, 0, 0, 9)
    together(
        maker, (("scale", "SCALE: {}", -77, 24), ("weight", "WEIGHT: {}", -52, 30), ("sheet", "SHEET {}", -21, 20))
    )


def together(maker: Maker, fields: Sequence[tuple[str, str, float, float]]) -> None:
    """Label and value as one text."""
    for key, form, x, width in fields:
        said = maker.said.get(key, "")
        maker.words((x, 3.2), form.format(said).strip(), 2.2, width)
        if said:
            maker.block.truth[key] = said


def matrix(maker: Maker, left: float, bottom: float, rows: Sequence[str], head: Sequence[str]) -> None:
    """Name and date by role."""
    columns, tall = (22.0, 24.0, 16.0), 5.5 if len(rows) < 4 else 6.4
    group, keys = maker.block.group, dict(zip(rows, ("drawn_by", "checked_by", "approved_by"), strict=False))
    top = bottom + tall * (len(rows) + 1)
    date = maker.said["date"] if maker.said["drawn_by"] else ""
    for place, row in enumerate(("", *rows)):
        y, x, name = top - tall * (place + 1), left, maker.said.get(keys.get(row, ""), "")
        texts = (
            head if not row else (row, name, (date if row == rows[0] else maker.rng.choice(["", date])) if name else "")
        )
        for column, (text, width) in enumerate(zip(texts, columns, strict=True)):
            group.box(x, y, x + width, y + tall)
            if text:
                tag = (
                    f"{row}_{('', 'NAME', 'DATE')[column]}".replace(" ", "").replace(".", "")
                    if row and column
                    else None
                )
                height = maker.fit(text, 1.8, width - 2)
                group.letterings.append(Lettering((x + 1, y + (tall - height) / 2), text, height, tag=tag))
            x += width
        if name:
            maker.block.truth[keys[row]] = name
    if maker.said["drawn_by"] and date:
        maker.block.truth["date"] = date


def tolerances(maker: Maker, left: float, bottom: float, width: float, tall: float) -> None:
    """The box of default tolerances."""
    inch = maker.style.inch
    unit = "INCHES" if inch else "MILLIMETERS"
    lines = [
        "ANGULAR: ±0.5°",
        f"TWO PLACE DECIMAL {'±.01' if inch else '±0.1'}",
        f"THREE PLACE DECIMAL {'±.005' if inch else '±0.05'}",
    ]
    if inch and maker.rng.random() < 0.5:
        lines.insert(0, "FRACTIONAL ±1/32")
    empty = maker.rng.random() < 0.15
    printed = [line.split("±")[0] + "±" for line in lines] if empty else lines
    maker.block.group.box(left, bottom, left + width, bottom + tall)
    for place, line in enumerate(["UNLESS OTHERWISE SPECIFIED:", f"DIMENSIONS ARE IN {unit}", "TOLERANCES:", *printed]):
        maker.words((left + 1.5, bottom + tall - 4 - place * 4), line, 1.8, width - 3)
    maker.block.truth["units"] = unit
    if not empty:
        maker.block.truth["tolerances"] = " ".join(lines)


def columns(maker: Maker) -> None:
    """A label at the left, its value at the right, row by row."""
    block = maker.block
    keys = [key for key in maker.said if key not in {"sheet", "title"} and maker.rng.random() < 0.65]
    keys = ["title", *keys[:11], "sheet"]
    block.width, block.height = 120, 7 * len(keys)
    for place, key in enumerate(reversed(keys)):
        y = 7.0 * place
        block.group.box(-120, y, -75, y + 7)
        block.group.box(-75, y, 0, y + 7)
        maker.words((-119, y + 2.4), maker.label(key), 2.2, 43)
        maker.value(key, (-73.5, y), 72, 7, 2.5)


def grid(maker: Maker) -> None:
    """Cells of all widths with labels above their values, in any order."""
    block, rng = maker.block, maker.rng
    keys = [key for key in maker.said if key not in {"title", "drawing_number"} and rng.random() < 0.75]
    rng.shuffle(keys)
    rows = [keys[start : start + 4] for start in range(0, len(keys), 4)]
    width, y = 170.0, 0.0
    for row in rows:
        for place, key in enumerate(row):
            maker.cell((-width + place * width / len(row), y, width / len(row), 9), key)
        y += 9
    maker.cell((-width, y, 100, 13), "title", height=4)
    maker.cell((-width + 100, y, width - 100, 13), "drawing_number", height=4)
    block.width, block.height = width, y + 13


def minimal(maker: Maker) -> None:
    """No labels: readers who know such blocks recognise each value."""
    maker.cell((-120, 14, 40, 16), "company", "", 3)
    maker.cell((-80, 14, 80, 16), "title", "", 5)
    maker.cell((-120, 0, 50, 14), "drawing_number", "", 4)
    maker.cell((-70, 0, 20, 14), "scale", "", 3)
    maker.cell((-50, 0, 20, 14), "size", "", 3)
    maker.cell((-30, 0, 30, 14), "date", "", 3)


LAYOUTS: dict[str, tuple[Callable[[Maker], None], float, float]] = {
    "iso": (iso, 180, 40),
    "asme": (asme, 160, 55),
    "solidworks": (solidworks, 202, 54.5),
    "columns": (columns, 120, 0),
    "grid": (grid, 170, 0),
    "minimal": (minimal, 120, 30),
}


def layout(rng: random.Random, style: Style) -> str:
    """One that is customary where the sheet comes from and that fits its paper."""
    if style.asme:
        return rng.choice(["asme", "solidworks"] if style.width > 230 else ["asme"])
    return rng.choice(["iso", "columns", "grid", "iso", "columns", "grid", "minimal"])


def title_block(rng: random.Random, style: Style, name: str, said: dict[str, str], wide: Wide) -> Block:
    """A block of one of LAYOUTS."""
    make, width, height = LAYOUTS[name]
    block = Block(width, height)
    make(Maker(rng, style, said, wide, block))
    block.group.box(-block.width, 0, 0, block.height, 0.7)
    return block
