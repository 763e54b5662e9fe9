"""Parts lists, revision tables, and tables that are neither."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.sheets import words
from tests.sheets.canvas import Group, Lettering, Rule
from tests.sheets.style import Style

Wide = Callable[[str, float], float]


@dataclass
class Table:
    """A table whose lower left corner is at (0, 0)."""

    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    title: str | None = None
    header_below: bool = False
    ruled: bool = True
    height: float = 2.2
    group: Group = field(default_factory=lambda: Group("table"))
    wide: float = 0
    tall: float = 0

    def truth(self) -> list[dict[str, Any]]:
        """As truth files have it; none of a table without rows."""
        rows = [[cell.replace("\n", " ") for cell in row] for row in self.rows]
        return [{"columns": list(self.columns), "rows": rows}] if rows else []


def bill(rng: random.Random, style: Style, wide: Wide) -> Table:
    """A parts list."""
    columns = rng.choice(words.BOM[style.language])
    parts = rng.sample(words.PARTS[style.language], rng.randint(2, 6))
    rows = [tuple(_part(rng, column, place + 1, part, style) for column in columns) for place, part in enumerate(parts)]
    title = words.BOM_TITLE[style.language] if rng.random() < 0.3 else None
    return laid(Table(columns, rows, title, rng.random() < 0.4, rng.random() < 0.85, rng.choice([2.0, 2.5])), wide)


def _part(rng: random.Random, column: str, item: int, part: str, style: Style) -> str:
    name = column.casefold()
    if name.startswith(("item", "pos", "rep")):
        return str(item)
    if name.startswith(("qty", "menge", "nb", "quan", "cant", "q.t", "stück")):
        return str(rng.choice([1, 1, 2, 4, 8]))
    if name.startswith(("desc", "ben", "dés", "den")):
        return f"{part}\n{rng.choice(words.SECOND_PARTS)}" if rng.random() < 0.15 else part
    if name.startswith(("mat", "werk")):
        return rng.choice(words.MATERIALS)
    if name.startswith(("rem", "bem")):
        return rng.choice(["", "", "BLACK", "SPARE"])
    return f"{rng.choice(['HR', 'NW', 'P'])}-{rng.randrange(1000, 9999)}"


def revisions(rng: random.Random, style: Style, wide: Wide) -> Table:
    """A revision table; sometimes only its header is there."""
    columns = rng.choice(words.REVISIONS[style.language])
    changes = rng.sample(words.CHANGES[style.language], rng.choice([0, 1, 1, 2, 3]))
    rows = [tuple(_change(rng, column, place, change) for column in columns) for place, change in enumerate(changes)]
    title = words.REVISIONS_TITLE[style.language] if style.asme or rng.random() < 0.3 else None
    return laid(Table(columns, rows, title, rng.random() < 0.2, True, rng.choice([2.0, 2.5])), wide)


def _change(rng: random.Random, column: str, place: int, change: str) -> str:
    name = column.casefold()
    if name.startswith(("rev", "ind")):
        return "ABCDEFG"[place]
    if name.startswith(("dat", "fec")):
        return f"2024-0{place + 1}-{rng.randrange(10, 29)}"
    if name.startswith(("desc", "änd", "besch", "mod", "cha")):
        return change
    if name.startswith("zone"):
        return rng.choice(["", "B3", "C2"])
    return rng.choice(words.NAMES)


def other(rng: random.Random, style: Style, wide: Wide) -> Table:
    """A table of tolerances, holes or gear data."""
    columns: tuple[str, ...] = ("RANGE", "0.5-6", "6-30", "30-120")
    rows: list[tuple[str, ...]] = [("LINEAR", "±0.1", "±0.2", "±0.3"), ("ANGULAR", "±1°", "±0.5°", "±0.3°")]
    kind = rng.choice(["tolerances", "holes", "gear"])
    if kind == "holes":
        columns = ("TAG", "X LOC", "Y LOC", "SIZE")
        rows = [
            (f"A{n}", *(style.number(rng.randrange(2, 200) / 2) for _ in "xyz")) for n in range(1, rng.randint(3, 6))
        ]
    elif kind == "gear":
        columns = ("GEAR DATA", "VALUE")
        rows = [("MODULE", "2"), ("NUMBER OF TEETH", "24"), ("PRESSURE ANGLE", "20°")]
    return laid(Table(columns, rows), wide)


def laid(table: Table, wide: Wide) -> Table:
    """With its lines and texts; the widest text of each column makes its width."""
    height, pad = table.height, 1.5
    lines = [table.columns, *table.rows]
    widths = [
        max(wide(part, height) for line in lines for part in line[c].split("\n")) + 2 * pad
        for c in range(len(table.columns))
    ]
    if not table.ruled:
        widths = [width + 4 for width in widths]
    order = [*reversed(table.rows), table.columns] if not table.header_below else [table.columns, *table.rows]
    table.wide, y = sum(widths), 0.0
    for row in order:
        y += _row(table, row, widths, y, pad)
    if table.title:
        table.group.letterings.append(Lettering((table.wide / 2, y + height), table.title, height * 1.2, "center"))
        table.group.box(0, y, table.wide, y + height * 3.2)
        y += height * 3.2
    table.tall = y
    return table


def _row(table: Table, row: tuple[str, ...], widths: list[float], y: float, pad: float) -> float:
    """One row upward from y; returns how tall it is."""
    height, lines = table.height, max(cell.count("\n") + 1 for cell in row)
    tall, x = height * (1.6 * lines + 0.8), 0.0
    for cell, width in zip(row, widths, strict=True):
        if table.ruled:
            table.group.box(x, y, x + width, y + tall)
        parts = cell.split("\n")
        for place, part in enumerate(parts):
            base = y + tall - height * (1.5 + 1.6 * place)
            if part:
                table.group.letterings.append(Lettering((x + pad, base), part, height))
        x += width
    if not table.ruled and row is table.columns:
        line = y if not table.header_below else y + tall
        table.group.rules.append(Rule((0, line), (sum(widths), line)))
    return tall


def notes(rng: random.Random, style: Style, wide: Wide, room: float) -> tuple[list[str], list[dict[str, Any]]]:
    """Lines of a numbered list with its heading, and the truth."""
    chosen = rng.sample(words.NOTES[style.language], rng.randint(2, 4))
    form, hang = rng.choice([("{}. ", "   "), ("{}) ", "   "), ("{}.  ", "    ")])
    lines, truth = [rng.choice(words.NOTES_TITLE[style.language])], []
    for number, note in enumerate(chosen, 1):
        broken = _broken(form.format(number) + note, room, hang, wide)
        lines += broken
        subs = [f"{letter}) {text}" for letter, text in zip("abc", rng.sample(words.SUB_NOTES, 2), strict=False)]
        sub = style.language == "en" and rng.random() < 0.12
        lines += [hang + text for text in subs] if sub else []
        truth.append({"number": str(number), "text": note})
        if sub:
            truth += [{"number": f"{number}{text[0]}", "text": text[3:]} for text in subs]
    return lines, truth


def _broken(text: str, room: float, hang: str, wide: Wide) -> list[str]:
    """Broken into lines that fit; continuation lines are indented."""
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if wide(longer, 2.5) > room and line.strip():
            lines.append(line)
            longer = hang + word
        line = longer
    return [*lines, line]
