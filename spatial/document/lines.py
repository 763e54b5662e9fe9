"""Lines that a person can read, of a document and of its warnings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from spatial.counting import count_of

WARNINGS_LISTED: Final = 8
"""Most warnings that are spelled out."""

LINE_CHARACTERS: Final = 400
"""Longest line."""

OUTLINE_LINES: Final = 200
"""Most lines of an outline."""


def with_warnings(lines: list[str], warnings: list[str]) -> list[str]:
    """An outline, and the warnings behind it."""
    return [*lines, *map(printable, _warnings(warnings))]


def printable(line: str) -> str:
    """A line that stays one: names come out of the file, and may hold line feeds and terminal escapes."""
    text = "".join(character if character.isprintable() else " " for character in line)
    return text if len(text) <= LINE_CHARACTERS else f"{text[: LINE_CHARACTERS - 1]}…"


def _warnings(warnings: list[str]) -> Iterator[str]:
    for warning in warnings[:WARNINGS_LISTED]:
        yield f"warning: {warning}"
    if len(warnings) > WARNINGS_LISTED:
        yield f"and {count_of(len(warnings) - WARNINGS_LISTED, 'more warning')}"
