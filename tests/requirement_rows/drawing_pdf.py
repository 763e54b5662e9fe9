"""What the PDF reader promises beyond the letter of the spec."""

from __future__ import annotations

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = rows(
    "issue 3: reading PDF",
    {
        "pdf.lines": "Lettering is joined into lines the way it reads, at any angle, and kept apart across gaps and ruled lines.",
        "pdf.frame": "Coordinates are points of the displayed page, origin lower left, y up.",
        "pdf.mended": "Doubled glyphs and symbol fonts are mended and marked; what no font says stays U+FFFD.",
        "pdf.text-layer": "Each page says how its lettering is there; invisible text over a scan is left out.",
        "pdf.refused": "An encrypted, empty or unreadable PDF is a parse error that says so.",
        "pdf.pages-said": "Pages that are not read are said.",
        "pdf.damaged": "Damaged bytes give a drawing with warnings or a parse error, and nothing else.",
    },
)
