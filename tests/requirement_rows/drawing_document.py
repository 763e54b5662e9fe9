"""A drawing as a whole document, and every format through the service (docs/formats.md)."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/decisions/0022",
        {
            "drawing.stage-fails-alone": "A stage of interpretation that fails costs its own part of the document, with a warning.",
            "drawing.paper": "The paper of a sheet, the unit of its dimensions and its scale stand apart from what is drawn on it.",
            "drawing.patience": "A drawing that takes too long to interpret is told as far as it was read, with warnings.",
            "drawing.estimate": "A drawing that would pass the deadline is refused at once with an estimate, or a warning names the geometry that was not read.",
            "drawing.workload": "What a page of a PDF stands for is counted before it is drawn: forms, tiles, masks and glyphs as often as they are drawn.",
            "drawing.unlisted": "Entities beyond the most that are listed are counted by type and place, in the document and in a warning.",
            "drawing.drawn-signs": "A sign drawn into the gap of a text becomes a part of the text, which says that it was mended.",
            "drawing.straight-rules": "A rule that was drawn row by row is a straight line, and its table is found.",
            "formats.through-the-service": "Every format of the contract comes back as a document through the API on the whole stack.",
        },
    ),
)
