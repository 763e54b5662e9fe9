"""The table in which OCP keeps which Python object stands for which object of the kernel."""

from __future__ import annotations

from typing import Final

from OCP.gp import gp_Pnt

PLACES: Final = 20_000
"""Objects that a model of some hundred faces is taken out of the kernel with."""


def reserve() -> None:
    """Let the table grow to PLACES, which it keeps.

    A forked child whose table grows writes to every object of OCP, its thousands of enumeration values too: 900 copied pages.
    """
    _ = [gp_Pnt() for _ in range(PLACES)]
