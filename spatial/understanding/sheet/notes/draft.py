"""A note while its lines are gathered, and what its words say."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from spatial.knowledge.patterns import alternatives
from spatial.knowledge.phrases import is_notice
from spatial.understanding.sheet.notes.line import Line, statement_count

WRAP: Final = 2.3
"""Letter heights from one line of a note to its next."""
PARAGRAPH: Final = 4.6
"""Letter heights from one note to the next."""
SPOKEN_WORDS: Final = 3
"""Words of the longest note of a list without a heading."""
_LONGEST_STATEMENT: Final = 1200
"""Characters of a note about the whole part; what is longer is a licence."""
BEGINNING: Final = 400
"""Characters at the beginning of a note that are looked at."""
OPEN_END: Final = re.compile(rf"(?:[,(/&-]|\b{alternatives('line_goes_on')})$", re.IGNORECASE)
"""How a line ends that goes on."""
BEGINS: Final = re.compile(alternatives("note_begins"), re.IGNORECASE)
"""How a note begins and no line goes on."""
_WHOLE_PART: Final = re.compile(alternatives("whole_part"), re.IGNORECASE)
"""What a sentence says that holds for the whole part."""


@dataclass(slots=True)
class Draft:
    """A note while its lines are gathered."""

    first: Line
    number: int | None
    sure: float
    letter: str | None = None
    parts: list[Line] = field(default_factory=list)
    is_local: bool = False
    """Whether it may be said of one place of the part, so that its lettering may hold a callout as well."""

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.first, *self.parts

    @property
    def last(self) -> Line:
        return self.parts[-1] if self.parts else self.first

    @property
    def text(self) -> str:
        if not self.parts:
            return self.first.text.strip()
        return " ".join(line.text for line in self.lines if line.text).strip()

    @property
    def sources(self) -> list[str]:
        return list(dict.fromkeys(source for line in self.lines for source in line.sources))


def is_about_whole_part(text: str) -> bool:
    """Whether `text` holds for the whole part: "ALL UNITS IN MM"."""
    return (
        len(text) <= _LONGEST_STATEMENT
        and statement_count(text) >= SPOKEN_WORDS
        and _WHOLE_PART.search(text[:BEGINNING]) is not None
        and not is_notice(text)
    )
