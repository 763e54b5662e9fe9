"""How much of a PDF is read within the deadline, by an estimate from the content that its pages stand for.

It counts seconds of processor time by bytes, not by the clock, so that the same file gives the same document.
"""

from __future__ import annotations

from typing import Any, Final

from spatial.formats.pdf.workload import PageWork, Workload
from spatial.models.time_limit import time_limit

SECONDS_A_BYTE: Final = 0.2e-6
"""Of processor time for the geometry of a page, by the bytes of its unpacked content: 1.0 s for the 5.0 MB of 50,000 paths
(`python -m benchmarks readers --formats pdf`, size L)."""
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
        self._workload = Workload()
        self.refusal: str | None = None
        """Why the first page was refused of which something was."""

    def work(self, page: Any) -> PageWork:
        """What a page comes to; it is counted and not interpreted, and no further than there is time for lettering."""
        return self._workload.of(page, int(self._lettering_left / LETTERING_SECONDS_A_BYTE))

    def lettering_refusal(self, work: PageWork, number: int) -> str | None:
        """Why nothing is read of a page with so much content; None where its lettering is, which is then counted."""
        estimate, left = work.whole * LETTERING_SECONDS_A_BYTE, self._lettering_left
        if estimate <= left:
            self._lettering_left = left - estimate
            return None
        self._lettering_left = max(left - UNPACKED * estimate, 0.0)
        if work.unclear:
            return self._refused(
                f"page {number}: it was not read: its forms and patterns {work.unclear}; "
                "export it with fewer forms within forms"
            )
        return self._refused(
            f"page {number}: it was not read: to look for lettering in {work.whole / 1e6:,.3g} MB of content or more{_drawn_again(work)} "
            f"takes longer than the {left:.3g} s that are left of {self._lettering_limit:.3g} s; {_remedy(work)}"
        )

    def geometry_refusal(self, work: PageWork, number: int) -> str | None:
        """Why the geometry of a page with so much content is not read; None where it is, which is then counted."""
        estimate = work.whole * SECONDS_A_BYTE
        if estimate <= self._left:
            self._left -= estimate
            return None
        return self._refused(
            f"page {number}: its geometry was not read: {work.whole / 1e6:,.3g} MB of content{_drawn_again(work)} take about "
            f"{estimate:,.3g} s, and {self._left:.3g} s are left of the {self._limit:.3g} s that geometry may take; {_remedy(work)}"
        )

    def _refused(self, reason: str) -> str:
        self.refusal = self.refusal or reason
        return reason


def _is_mostly_parts(work: PageWork) -> bool:
    return work.whole > 2 * work.own


def _drawn_again(work: PageWork) -> str:
    return ", forms and patterns counted as often as they are drawn," if _is_mostly_parts(work) else ""


def _remedy(work: PageWork) -> str:
    flat = ", or export it without forms and patterns that are drawn again and again" if _is_mostly_parts(work) else ""
    return f"send the page alone, or print fewer layers{flat}"
