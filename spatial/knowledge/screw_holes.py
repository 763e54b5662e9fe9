"""What holes for screws measure: bores of threads, and clearance holes (ISO 273:1979)."""

from __future__ import annotations

from typing import Final

CLEARANCE: Final = {
    1.6: (1.7, 1.8, 2.0), 2.0: (2.2, 2.4, 2.6), 2.5: (2.7, 2.9, 3.1), 3.0: (3.2, 3.4, 3.6), 4.0: (4.3, 4.5, 4.8), 5.0: (5.3, 5.5, 5.8),
    6.0: (6.4, 6.6, 7.0), 8.0: (8.4, 9.0, 10.0), 10.0: (10.5, 11.0, 12.0), 12.0: (13.0, 13.5, 14.5), 14.0: (15.0, 15.5, 16.5),
    16.0: (17.0, 17.5, 18.5), 20.0: (21.0, 22.0, 24.0), 24.0: (25.0, 26.0, 28.0), 30.0: (31.0, 33.0, 35.0),
}  # fmt: skip
"""Nominal diameter to the fine, medium and coarse clearance hole; millimetres."""

DEEPEST: Final = 1.3
"""Pitches below the nominal diameter of the narrowest bore that models have: the core of an external thread is 1.23 below (ISO 68-1)."""

SHALLOWEST: Final = 0.4
"""The same of the widest: a thread that is formed and not cut is drilled 0.45 to 0.5 below (DIN 13-50)."""

UNKNOWN_PITCH: Final = 0.2
"""Pitch as a part of the diameter where none is known: the coarsest of ISO 261, M1.6 and smaller, has 0.22."""

AS_NOMINAL: Final = 0.01
"""Part of the diameter within which a bore is modelled as wide as the thread is called, as where the thread is only a texture."""


INSERT_BORES: Final = (1.0, 1.7)
"""Bore of a threaded insert, as a part of its thread's diameter: 1.03 to 1.1 of one of wire (DIN 8140-1); of one that is pressed or melted
in, by what makers publish, 1.2 (M8) to 1.6 (M1.4 to M2)."""


def is_insert_bore(bore: float, diameter: float) -> bool:
    """Whether a hole may be that of a threaded insert."""
    return INSERT_BORES[0] * diameter <= bore <= INSERT_BORES[1] * diameter


def thread_bores(diameter: float, pitch: float | None) -> tuple[float, float]:
    """The narrowest and the widest bore that a model has for a thread: core, tap drill or formed; in the units of the diameter."""
    step = pitch or UNKNOWN_PITCH * diameter
    return diameter - DEEPEST * step, diameter - SHALLOWEST * step


def is_thread_bore(bore: float, diameter: float, pitch: float | None) -> bool:
    """Whether a hole may be that of a thread: its bore, or a hole as wide as the thread."""
    least, most = thread_bores(diameter, pitch)
    return least <= bore <= most or abs(bore - diameter) <= AS_NOMINAL * diameter


def is_clearance(bore: float, diameter: float) -> bool:
    """Whether ISO 273 has the hole as a clearance hole for a screw of this nominal diameter; millimetres."""
    return any(abs(bore - each) <= 1e-3 * each for each in CLEARANCE.get(round(diameter, 3), ()))
