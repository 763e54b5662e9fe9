"""What the notes say in place of an empty field of the title block."""

from __future__ import annotations

import re
from typing import Final

from spatial.contract.drawing import Notes
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.value_forms import UNIT_STATEMENT
from spatial.understanding.sheet.notes.draft import BEGINNING

_GENERAL: Final = (
    ("tolerances", re.compile(rf"({alternatives('general_tolerances')}\d.*|.*\bISO ?2768.*)", re.IGNORECASE)),
    (
        "finish",
        re.compile(
            rf"\b{alternatives('surface_treatment')}\b\s*[:=-]\s*(.+)|^({alternatives('treated')}.*)", re.IGNORECASE
        ),
    ),
    ("units", UNIT_STATEMENT),
)


def general_statements(notes: Notes | None) -> dict[str, dict[str, object]]:
    """What the notes say in place of an empty field of the title block: `tolerances`, `finish`, `units`, each with text and sources."""
    found: dict[str, dict[str, object]] = {}
    for note in notes.items if notes else ():
        for key, form in _GENERAL:
            match = form.search(note.text[:BEGINNING])
            if match and key not in found:
                found[key] = {
                    "text": next(group for group in match.groups() if group).strip(" .:;"),
                    "sources": note.sources or [],
                    "number": note.number,
                }
    return found
