"""How much of a PDF is read within the deadline, by an estimate from the lengths of its pages' contents.

It counts seconds of processor time by bytes, not by the clock, so that the same file gives the same document.
"""

from __future__ import annotations

from typing import Any, Final

from pymupdf import mupdf

from spatial.models.time_limit import time_limit

SECONDS_A_BYTE: Final = 0.2e-6
"""Of processor time for the geometry of a page, by the bytes of its unpacked content: 1.0 s for the 5.0 MB of 50,000 paths
(`python -m benchmarks readers --formats pdf`, size L). Content of forms is not counted."""
LETTERING_SECONDS_A_BYTE: Final = 0.02e-6
"""Of processor time to go through a page in search of lettering, by the bytes of its unpacked content: 2.1 s for 107 MB of lines."""

UNPACKED: Final = 0.025
"""Of what it takes to look through content, to unpack it: 0.06 s for 107 MB."""

SHARE: Final = 0.5
"""Of the deadline, for geometry; the rest is for lettering, meaning and the document."""
LETTERING_SHARE: Final = 0.1
"""Of the deadline, for the search of lettering."""


class ContentBudget:
    """Seconds that are left for further pages."""

    def __init__(self) -> None:
        self._limit = self._left = SHARE * time_limit()
        self._lettering_limit = self._lettering_left = LETTERING_SHARE * time_limit()

    def size(self, page: Any) -> int:
        """Bytes of the unpacked content of a page; they are counted and not kept, and no further than there is time for lettering."""
        found = mupdf.pdf_page_from_fz_page(page.this)
        content = mupdf.pdf_open_contents_stream(found.doc(), mupdf.pdf_dict_gets(found.obj(), "Contents"))
        return int(mupdf.fz_skip(content, int(self._lettering_left / LETTERING_SECONDS_A_BYTE) + 1))

    def lettering_refusal(self, size: int, number: int) -> str | None:
        """Why nothing is read of a page with so much content; None where its lettering is, which is then counted."""
        estimate, left = size * LETTERING_SECONDS_A_BYTE, self._lettering_left
        if estimate <= left:
            self._lettering_left = left - estimate
            return None
        self._lettering_left = max(left - UNPACKED * estimate, 0.0)
        return (
            f"page {number}: it was not read: to look for lettering in {size / 1e6:,.3g} MB of content or more takes longer than the "
            f"{left:.3g} s that are left of {self._lettering_limit:.3g} s; send the page alone, or print fewer layers"
        )

    def geometry_refusal(self, size: int, number: int) -> str | None:
        """Why the geometry of a page with so much content is not read; None where it is, which is then counted."""
        estimate = size * SECONDS_A_BYTE
        if estimate <= self._left:
            self._left -= estimate
            return None
        return (
            f"page {number}: its geometry was not read: {size / 1e6:,.3g} MB of content take about {estimate:,.3g} s, and "
            f"{self._left:.3g} s are left of the {self._limit:.3g} s that geometry may take; send the page alone, or print fewer layers"
        )
