"""What reading a drawing will take, told from its bytes before anything is read: a file that would pass the deadline is refused at once.

The costs are processor time from the bytes of the file to those of the document, measured with `python -m benchmarks readers` at size L.
Interpretation is not in them, because it causes no refusal: it has what reading left of the deadline, and what it leaves out is a warning
(`spatial.understanding.sheet.meaning`). On a slower or busier machine more passes than the deadline allows: there the converter's clock
holds.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Final, NamedTuple

from spatial.contract.formats import Format
from spatial.counting import count_of
from spatial.errors import ParseError
from spatial.models.time_limit import time_limit


class Cost(NamedTuple):
    """The cost of one unit of a format."""

    unit: str
    count: Callable[[bytes], int]
    seconds: float
    listed: float = inf
    """Units of which the document lists no more."""
    further: float = 0.0
    """Seconds of each unit beyond those, which is counted and not read."""

    def of(self, count: int) -> float:
        """Seconds of so many units."""
        listed = min(count, self.listed)
        return listed * self.seconds + (count - listed) * self.further


COSTS: Final = {
    "dxf": Cost("byte", len, 0.14e-6),
    "svg": Cost("element", lambda data: data.count(b"<") - data.count(b"</"), 28e-6, listed=200_000, further=2.5e-6),
    "drawio": Cost("cell", lambda data: data.count(b"<mxCell"), 14e-6),
}
"""Format to its cost. The pages of a PDF are estimated one by one where they are read (`spatial.formats.pdf.budget`). What is packed in a
diagram is not counted: it is bounded by what it may inflate to."""


def refuse_slow(row: Format, data: bytes, file_name: str) -> None:
    """Refuse a drawing that takes longer to read than the deadline.

    Raises: ParseError with the estimate.
    """
    cost = COSTS.get(row.name)
    if cost is None:
        return
    count, limit = cost.count(data), time_limit()
    estimate = cost.of(count)
    if estimate > limit:
        raise ParseError(
            f"{file_name}: {count_of(count, cost.unit)} take about {estimate:,.3g} s to read, and {limit:g} s is the most; "
            "split the drawing into several files",
            details={"phase": "read", "estimated_seconds": round(estimate, 3), "deadline_seconds": limit},
        )
