"""Text of files and callers, as the Prefect UI may show it.

The UI renders artifacts and their descriptions as Markdown that may hold HTML. A name that is not escaped becomes an element, whose
address the reader's browser fetches, or disappears because no element has that name. The UI shows run names, states and logs as
text, which may still turn the direction of writing or end the line.
"""

from __future__ import annotations

import re
from typing import Final

JOINERS: Final = "\u200c\u200d"
"""Format characters that spell words in several scripts; they neither hide nor reorder other characters."""

_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-`{-~]")
"""ASCII punctuation, which a backslash makes literal (CommonMark 0.31.2 §2.4)."""

_ENTITIES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
"""Characters of HTML, for renderers that read HTML before backslashes."""


def one_line(text: str) -> str:
    """The text on one line: white space as single spaces, characters that are not printable as their code, for example `\\u202e`."""
    return " ".join("".join(map(_visible, text)).split())


def escape(text: str) -> str:
    """Markdown that shows the text as it is, on one line, also in a table cell."""
    return _PUNCTUATION.sub(lambda found: _ENTITIES.get(found[0], f"\\{found[0]}"), one_line(text))


def code(text: str) -> str:
    """Markdown that shows the text as code, on one line; not for table cells, whose pipes need another escape."""
    shown = one_line(text)
    if not shown:
        return ""
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _visible(character: str) -> str:
    if character.isprintable() or character.isspace() or character in JOINERS:
        return character
    return character.encode("unicode_escape").decode()
