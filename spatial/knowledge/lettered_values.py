"""What drawn lettering in a cell whose label was read can say: the form of the value chooses among the characters that its shapes support.

A stroke is 1, I or l by its shape, a ring 0 or O, and an M upside down a W. A cell that is labelled SHEET has a number of sheets in it,
and one that is labelled UNIT a unit. Forms are of characters without the blanks between them.

Glossary: see `title_labels`.
"""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from spatial.knowledge.patterns import alternatives

_REVISION: Final = "[A-HJ-NP-RT-WY]"
"""Letters of revisions: I, O, Q, S, X and Z are not used (ASME Y14.35); Q is by some offices."""
_COUNT: Final = r"[1-9]\d?"
_OF: Final = rf"(?!0){alternatives('count_of')}"
"""An `of` whose O is a letter."""

FORMS: Final = MappingProxyType(
    {
        "sheet": re.compile(rf"{_COUNT}(?:/|{_OF}){_COUNT}|{_COUNT}", re.IGNORECASE),
        "scale": re.compile(r"[1-9]\d{0,2}:[1-9]\d{0,2}|[1-9]/[1-9]\d?|N/A|N\.?T\.?S\.?|NONE"),
        "size": re.compile(r"A[0-4]|[A-E]"),
        "revision": re.compile(rf"{_REVISION}[0-9]?|\d{{1,2}}|N/A"),
        "units": re.compile(r"MM|mm|INCH(?:ES)?(?:\(MM\))?|inch(?:es)?"),
        "date": re.compile(r"(?:19|20)\d\d([./-])[01]?\d\1[0-3]?\d|[0-3]?\d([./-])[0-3]?\d\2(?:(?:19|20)?\d\d)"),
    }
)
"""The form of the value of each field whose value has one of few forms."""
NAMES: Final = re.compile(r"[A-Z]{2,12}|[A-Z]\.[A-Z][a-z]{2,11}")
"""The initials or the name of a person: no figure is in it."""
OF: Final = re.compile(_OF, re.IGNORECASE)
"""What stands between the two numbers of a number of sheets, and names the field of the total where it is a label."""
INITIAL: Final = re.compile(r"([A-Z]\.)([A-Z][a-z]+)")
WORDED_COUNT: Final = re.compile(rf"({_COUNT})({_OF})({_COUNT})", re.IGNORECASE)
"""The form of a number of sheets that is written with blanks: 1 OF 2."""
