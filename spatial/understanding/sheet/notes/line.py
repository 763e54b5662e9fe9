"""One line of lettering of a sheet, as notes are made of.

Glossary
  line     what stands on one baseline and reads as one: a number and its text are often two pieces.
  mark     "1.", "1.2", "2)", "(3)", "①", "4、", "NOTE 4:", "b.", "-": what numbers or sets off a note.
  series   "M" of the marks "M1.", "M2.": letters before numbers that count up, each series for itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from spatial.models.sheet.drawing import Box


@dataclass(slots=True, eq=False)
class Line:
    """One line of lettering in upright axes."""

    text: str
    """Without its mark."""
    box: Box
    height: float
    sources: tuple[str, ...]
    page: int
    cell: int
    number: int | None = None
    letter: str | None = None
    """Of a part of a note: "a" of "5a", ".2" of "1.2"."""
    within: int | None = None
    """The note that its mark says it is a part of: 1 of "1.2"."""
    series: str = ""
    loose: bool = False
    """Whether its number has no point or bracket: it may be a balloon or a row."""
    begin: float = 0.0
    """Where its text begins, after the mark."""
    bullet: bool = False
    after_blank: bool = False
    """Whether an empty line of its text stands before it."""

    @property
    def level(self) -> float:
        """Height of its middle."""
        return (self.box[1] + self.box[3]) / 2

    @property
    def marked(self) -> bool:
        """Whether a number or a letter stands before it."""
        return self.number is not None or self.letter is not None
