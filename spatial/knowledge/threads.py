"""Sizes of the standard threads: ISO 261/262, ASME B1.1, ISO 228-1/ISO 7-1, ASME B1.20.1, BS 84, DIN 40430."""

from __future__ import annotations

from typing import Final

METRIC_COARSE: Final = {
    1.0: 0.25, 1.1: 0.25, 1.2: 0.25, 1.4: 0.3, 1.6: 0.35, 1.8: 0.35, 2.0: 0.4, 2.2: 0.45, 2.3: 0.4, 2.5: 0.45, 2.6: 0.45,
    3.0: 0.5, 3.5: 0.6, 4.0: 0.7, 4.5: 0.75, 5.0: 0.8, 6.0: 1.0, 7.0: 1.0, 8.0: 1.25, 9.0: 1.25, 10.0: 1.5, 11.0: 1.5,
    12.0: 1.75, 14.0: 2.0, 16.0: 2.0, 18.0: 2.5, 20.0: 2.5, 22.0: 2.5, 24.0: 3.0, 27.0: 3.0, 30.0: 3.5, 33.0: 3.5,
    36.0: 4.0, 39.0: 4.0, 42.0: 4.5, 45.0: 4.5, 48.0: 5.0, 52.0: 5.0, 56.0: 5.5, 60.0: 5.5, 64.0: 6.0, 68.0: 6.0,
}  # fmt: skip
"""ISO 261: nominal diameter to coarse pitch in millimetres; M2.3 and M2.6 are older DIN and JIS sizes."""

_OLDER: Final = frozenset((2.3, 2.6))
"""Of METRIC_COARSE, those that ISO 261 does not have."""

METRIC_FINE_ONLY: Final = frozenset(
    (5.5, 13.0, 15.0, 17.0, 25.0, 26.0, 28.0, 32.0, 35.0, 38.0, 40.0, 50.0, 55.0, 58.0, 62.0, 63.0, 65.0, 70.0, 72.0, 75.0, 76.0,
    78.0, 80.0,
     82.0, 85.0, 90.0, 95.0, *(float(size) for size in range(100, 601, 5)))
)  # fmt: skip
"""Sizes that ISO 261 has with fine pitches alone."""

METRIC_FINE: Final[dict[float, tuple[float, ...]]] = {
    1.0: (0.2,), 1.1: (0.2,), 1.2: (0.2,), 1.4: (0.2,), 1.6: (0.2,), 1.8: (0.2,), 2.0: (0.25,), 2.2: (0.25,), 2.5: (0.35,), 3.0: (0.35,),
    3.5: (0.35,), 4.0: (0.5,), 4.5: (0.5,), 5.0: (0.5,), 5.5: (0.5,), 6.0: (0.75,), 7.0: (0.75,), 8.0: (0.75, 1.0), 9.0: (0.75, 1.0),
    10.0: (0.75, 1.0, 1.25), 11.0: (0.75, 1.0), 12.0: (1.0, 1.25, 1.5), 14.0: (1.0, 1.25, 1.5), 15.0: (1.0, 1.5), 16.0: (1.0, 1.5),
    17.0: (1.0, 1.5), 18.0: (1.0, 1.5, 2.0), 20.0: (1.0, 1.5, 2.0), 22.0: (1.0, 1.5, 2.0), 24.0: (1.0, 1.5, 2.0), 25.0: (1.0, 1.5, 2.0),
    26.0: (1.5,), 27.0: (1.0, 1.5, 2.0), 28.0: (1.0, 1.5, 2.0), 30.0: (1.0, 1.5, 2.0, 3.0), 32.0: (1.5, 2.0), 33.0: (1.5, 2.0, 3.0),
    35.0: (1.5,), 36.0: (1.5, 2.0, 3.0), 38.0: (1.5,), 39.0: (1.5, 2.0, 3.0), 40.0: (1.5, 2.0, 3.0), 42.0: (1.5, 2.0, 3.0, 4.0),
    45.0: (1.5, 2.0, 3.0, 4.0), 48.0: (1.5, 2.0, 3.0, 4.0), 50.0: (1.5, 2.0, 3.0), 52.0: (1.5, 2.0, 3.0, 4.0), 56.0: (1.5, 2.0, 3.0, 4.0),
    60.0: (1.5, 2.0, 3.0, 4.0), 64.0: (1.5, 2.0, 3.0, 4.0),
}  # fmt: skip
"""ISO 261: nominal diameter to its fine pitches in millimetres, up to M64; M11 to ISO 261:1973."""

METRIC_ANGLE: Final = 60.0
"""ISO 68-1: degrees between the flanks."""

_SAME_PITCH: Final = 5e-3
"""Part of the pitch within which a modelled one is that of the standard: neighbours differ by a tenth at least."""

_OVERSIZE: Final = 0.02
"""Pitches by which a modelled diameter may be beyond the nominal one on the side of the material: rounding."""

_SHARP: Final = 0.22
"""Pitches by which the root of a bore may be beyond the nominal diameter: a sharp one is a quarter of 0.866 beyond (ISO 68-1)."""

_FRACTIONS: Final = {
    "1/4": (20, 28, 32), "5/16": (18, 24, 32), "3/8": (16, 24, 32), "7/16": (14, 20, 28), "1/2": (13, 20, 28), "9/16": (12, 18, 24),
    "5/8": (11, 18, 24), "11/16": (None, None, 24), "3/4": (10, 16, 20), "13/16": (None, None, 20), "7/8": (9, 14, 20),
    "15/16": (None, None, 20), "1": (8, 12, 20), "1 1/16": (None, None, 18), "1 1/8": (7, 12, 18), "1 3/16": (None, None, 18),
    "1 1/4": (7, 12, 18), "1 5/16": (None, None, 18), "1 3/8": (6, 12, 18), "1 1/2": (6, 12, 18), "1 3/4": (5, None, None),
    "2": (4.5, None, None),
    "2 1/4": (4.5, None, None), "2 1/2": (4, None, None), "2 3/4": (4, None, None), "3": (4, None, None),
}  # fmt: skip
_NUMBERED: Final = {
    0: (None, 80, None), 1: (64, 72, None), 2: (56, 64, None), 3: (48, 56, None), 4: (40, 48, None), 5: (40, 44, None), 6: (32, 40, None),
    8: (32, 36, None), 10: (24, 32, None), 12: (24, 28, 32),
}  # fmt: skip

SERIES: Final = ("UNC", "UNF", "UNEF")


def metric_designation(diameter: float, pitch: float, *, inner: bool) -> str | None:
    """The one thread of ISO 261 with this pitch whose major diameter this is within tolerance, as `M8` or `M8x1`; else None.

    diameter, pitch: millimetres, as modelled. inner: whether it is the thread of a hole.
    """
    found = []
    for nominal in sorted({*METRIC_COARSE, *METRIC_FINE} - _OLDER):
        beyond = diameter - nominal if inner else nominal - diameter
        if not -_OVERSIZE * pitch <= beyond <= (_SHARP * pitch if inner else _least_of_6g(pitch)):
            continue
        coarse = METRIC_COARSE.get(nominal)
        if coarse is not None and abs(pitch - coarse) <= _SAME_PITCH * coarse:
            found.append(f"M{nominal:g}")
        fine = next((each for each in METRIC_FINE.get(nominal, ()) if abs(pitch - each) <= _SAME_PITCH * each), None)
        if fine is not None:
            found.append(f"M{nominal:g}x{fine:g}")
    return found[0] if len(found) == 1 else None


def _least_of_6g(pitch: float) -> float:
    """Millimetres by which a shaft of the common class 6g may be below its nominal diameter: allowance and tolerance (ISO 965-1)."""
    return float(15.0 + 11.0 * pitch + 180.0 * pitch ** (2.0 / 3.0) - 3.15 / pitch**0.5) / 1000.0


def numbered_diameter(number: int) -> float:
    """Inches of a numbered size: #10 is 0.190."""
    return round(0.06 + 0.013 * number, 3)


def _worth(size: str) -> float:
    whole = 0.0
    for part in size.split():
        above, _, below = part.partition("/")
        whole += int(above) / int(below or 1)
    return whole


UNIFIED: Final = {
    **{round(_worth(size), 4): pitches for size, pitches in _FRACTIONS.items()},
    **{numbered_diameter(number): pitches for number, pitches in _NUMBERED.items()},
}
"""ASME B1.1: diameter in inches to threads an inch in UNC, UNF, UNEF."""

CONSTANT_PITCH: Final = frozenset((4, 6, 8, 12, 16, 20, 28, 32))
"""ASME B1.1: the UN series."""

NUMBERED: Final = frozenset(_NUMBERED)

PIPE_PARALLEL: Final[dict[str, tuple[float, float]]] = {
    "1/16": (28, 7.723), "1/8": (28, 9.728), "1/4": (19, 13.157), "3/8": (19, 16.662), "1/2": (14, 20.955), "5/8": (14, 22.911),
    "3/4": (14, 26.441), "7/8": (14, 30.201), "1": (11, 33.249), "1 1/8": (11, 37.897), "1 1/4": (11, 41.910), "1 1/2": (11, 47.803),
    "1 3/4": (11, 53.746), "2": (11, 59.614), "2 1/4": (11, 65.710), "2 1/2": (11, 75.184), "2 3/4": (11, 81.534), "3": (11, 87.884),
    "3 1/2": (11, 100.330), "4": (11, 113.030), "5": (11, 138.430), "6": (11, 163.830),
}  # fmt: skip
"""ISO 228-1 and ISO 7-1: size to threads an inch and major diameter in millimetres."""

PIPE_AMERICAN: Final[dict[str, tuple[float, float]]] = {
    "1/16": (27, 0.3125), "1/8": (27, 0.405), "1/4": (18, 0.540), "3/8": (18, 0.675), "1/2": (14, 0.840), "3/4": (14, 1.050),
    "1": (11.5, 1.315),
    "1 1/4": (11.5, 1.660), "1 1/2": (11.5, 1.900), "2": (11.5, 2.375), "2 1/2": (8, 2.875), "3": (8, 3.5), "3 1/2": (8, 4.0),
    "4": (8, 4.5),
}  # fmt: skip
"""ASME B1.20.1: size to threads an inch and the pipe's outside diameter in inches."""

WHITWORTH: Final = {
    "1/8": 40, "3/16": 24, "1/4": 20, "5/16": 18, "3/8": 16, "7/16": 14, "1/2": 12, "9/16": 12, "5/8": 11, "3/4": 10, "7/8": 9, "1": 8,
    "1 1/8": 7, "1 1/4": 7, "1 1/2": 6, "1 3/4": 5, "2": 4.5,
}  # fmt: skip
"""BS 84: size to threads an inch of BSW."""

PANZER: Final = {7.0: 20, 9.0: 18, 11.0: 18, 13.5: 18, 16.0: 18, 21.0: 16, 29.0: 16, 36.0: 16, 42.0: 16, 48.0: 16}
"""DIN 40430: PG size to threads an inch."""
