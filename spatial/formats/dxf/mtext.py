"""MTEXT and TOLERANCE as a person reads them: lines, and the cells of a frame."""

from __future__ import annotations

import re

from spatial.formats.dxf.inline_codes import joined_tokens
from spatial.formats.dxf.text_codes import LETTERS, decoded, drawn_text, plain_text, with_signs
from spatial.knowledge.symbol_fonts import drawn_by


def plain_mtext(text: str, font: str = "") -> str:
    """An MTEXT: lines separated by newlines, columns and paragraphs alike."""
    text = decoded(text[:LETTERS])
    if "\\" not in text and "%%" not in text and "{" not in text and "^" not in text and drawn_by(font) is None:
        return plain_text(text)
    return plain_text(with_signs(joined_tokens(text, font)))


def frame_cells(text: str) -> list[list[str]]:
    """The lines of a TOLERANCE, each a list of its cells; the letters of {\\Fgdt;x} as signs."""
    lines = re.split(r"\^J|\n", decoded(text[:LETTERS]))
    return [[_cell(cell) for cell in re.split(r"%%[vV]", line)] for line in lines]


def _cell(cell: str) -> str:
    found = re.sub(r"\{\\[Ff]([^;|]*)[^;]*;([^}]*)\}", lambda m: drawn_text(m[2], m[1]), cell)
    return plain_mtext(found).strip()


def plain_tolerance(text: str) -> str:
    """A TOLERANCE: cells separated by `|`, lines by newlines."""
    lines = ["|".join(cell for cell in cells if cell) for cells in frame_cells(text)]
    return "\n".join(line for line in lines if line)
