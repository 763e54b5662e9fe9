"""How much of a PDF's geometry is read within the deadline, by an estimate from the lengths of its pages' contents.

It counts seconds of processor time by bytes, not by the clock, so that the same file gives the same document.
"""

from __future__ import annotations

from typing import Any, Final

from spatial.models.time_limit import time_limit

SECONDS_A_BYTE: Final = 0.2e-6
"""Of processor time for the geometry of a page, by the bytes of its unpacked content: 1.0 s for the 5.0 MB of 50,000 paths
(`python -m benchmarks readers --formats pdf`, size L). Content of forms is not counted."""

SHARE: Final = 0.5
"""Of the deadline, for geometry; the rest is for lettering, meaning and the document."""


class GeometryBudget:
    """Seconds that are left for the geometry of further pages."""

    def __init__(self) -> None:
        self._limit = self._left = SHARE * time_limit()

    def refusal(self, page: Any, number: int) -> str | None:
        """Why the geometry of a page is not read; None where it is, which is then counted."""
        size = len(page.read_contents())
        estimate = size * SECONDS_A_BYTE
        if estimate <= self._left:
            self._left -= estimate
            return None
        return (
            f"page {number}: its geometry was not read: {size / 1e6:,.3g} MB of content take about {estimate:,.3g} s, and "
            f"{self._left:.3g} s are left of the {self._limit:.3g} s that geometry may take; send the page alone, or print fewer layers"
        )
