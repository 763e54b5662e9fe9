"""What a benchmark hands in, and how it is printed."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from os import cpu_count


@dataclass(frozen=True)
class Table:
    """One table of figures, with units in its headings."""

    title: str
    headings: tuple[str, ...]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    note: str = ""
    """What was compared with what, and what we aim for."""

    def text(self) -> str:
        """The table as Markdown, aligned, so that it can be pasted into a note."""
        lines = [self.headings, *self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.headings))]
        laid = [
            "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
            for line in lines
        ]
        rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
        return "\n".join([f"### {self.title}", "", laid[0], rule, *laid[1:], *(["", self.note] if self.note else [])])


def machine() -> str:
    """What the figures were taken on: figures of two machines are not to be compared, ratios may be."""
    return f"{cpu_count()} cores, {platform.system()} {platform.machine()}, Python {platform.python_version()}"
