"""How much longer everything takes on a machine that is busy with other things: the bounds of sieges are those of one that is not.

    busy = Starvation()
    until = 180 * busy.factor()

The kernel counts what this process and all below it, which a siege's stack is, had of the processors, and how long they were ready to run
and had none (sandbox/patience.py). What hangs sleeps and waits for no processor, so it does not lengthen its own bound; on an idle machine
the factor is 1. It has a limit: a hang must be found on any machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Final

from sandbox.patience import Patience

MOST: Final = 6.0
"""The largest factor."""

LEAST_USED: Final = 0.05
"""Seconds of a processor: from less no share can be told."""


class Starvation:
    """What processes have had of the processors, from now on."""

    def __init__(self, processes: Callable[[], Iterable[int]] = lambda: (os.getpid(),)) -> None:
        """processes: whose descendants count too."""
        self._seen = Patience(0.0, processes)

    def factor(self) -> float:
        """How many times as long as on an idle machine something has taken since the beginning."""
        had = self._seen.schedule()
        return min(MOST, max(1.0, (had.used + had.waited) / max(had.used, LEAST_USED)))
