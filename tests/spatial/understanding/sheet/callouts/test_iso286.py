"""ISO 286-1:2010 and 286-2:2010 as they are printed."""

from __future__ import annotations

import pytest

from spatial.knowledge import iso286 as iso286_tables
from spatial.understanding.sheet.callouts import iso286

PRINTED = [
    (25, "H7", 21, 0), (30, "h7", 0, -21), (25, "js6", 6.5, -6.5), (10, "H7", 15, 0), (8, "H9", 36, 0), (4, "H12", 120, 0), (50,
    "g6", -9, -25),
    (20, "k6", 15, 2), (40, "P7", -17, -42), (18, "f7", -16, -34), (10, "D10", 98, 40), (25, "E9", 92, 40), (100, "c11", -170, -390),
    (101, "C11", 400, 180), (63, "d9", -100, -174), (16, "n6", 23, 12), (16, "p6", 29, 18), (60, "r6", 60, 41), (60, "s6", 72,
    53), (25, "t6", 54, 41),
    (50, "u6", 86, 70), (12, "N9", 0, -43), (2, "N9", -4, -29), (12, "N7", -5, -23), (25, "M7", 0, -21), (25, "K7", 6, -15), (25,
    "J7", 12, -9),
    (25, "S7", -27, -48), (25, "R7", -20, -41), (50, "JS9", 31, -31), (280, "M6", -9, -41), (1.5, "K6", 0, -6), (3, "M7", -2,
    -12), (5, "m6", 12, 4),
    (400, "h11", 0, -360), (600, "H7", 70, 0), (600, "p7", 148, 78), (3000, "h9", 0, -540), (20, "a11", -300, -430), (6, "z7", 47, 35),
    (30, "x7", 85, 64), (8, "j6", 7, -2), (8, "j5", 4, -2), (120, "j7", 20, -15), (80, "U7", -91, -121), (18, "G6", 17, 6), (18,
    "F8", 43, 16),
    (500, "H01", 4, 0), (120, "B11", 460, 240), (40, "H18", 3900, 0), (9, "zc8", 119, 97), (14, "v6", None, None), (0.8, "a9",
    None, None),
    (4000, "H7", None, None), (1000, "c11", None, None),
]  # fmt: skip


@pytest.mark.requirement("callouts.iso-286")
@pytest.mark.parametrize(("nominal", "name", "upper", "lower"), PRINTED)
def test_limits_are_the_printed_ones(nominal: float, name: str, upper: float | None, lower: float | None) -> None:
    letter = name.rstrip("0123456789")
    found = iso286.limits(nominal, letter, name[len(letter) :])
    if upper is None or lower is None:
        assert found is None
        return
    assert found is not None
    assert (found.upper * 1000, found.lower * 1000) == pytest.approx((upper, lower))


@pytest.mark.requirement("callouts.iso-286")
def test_grades_follow_the_formula_of_the_standard() -> None:
    """ISO 286-1 annex: i = 0.45 D^(1/3) + 0.001 D, IT6 = 10 i, then five grades a decade; I = 0.004 D + 2.1 over 500 mm."""
    steps = (3, *iso286_tables.MAIN_STEPS[1:])
    for place in range(1, len(steps)):
        mean = (steps[place - 1] * steps[place]) ** 0.5
        unit = 0.45 * mean ** (1 / 3) + 0.001 * mean if steps[place] <= 500 else 0.004 * mean + 2.1
        for grade, factor in zip(
            range(6, 19), (10, 16, 25, 40, 64, 100, 160, 250, 400, 640, 1000, 1600, 2500), strict=True
        ):
            printed = iso286_tables.GRADES[str(grade)][place]
            assert printed == pytest.approx(factor * unit, rel=0.1)


@pytest.mark.requirement("callouts.iso-286")
def test_every_row_grows_with_the_size() -> None:
    tables = (
        iso286_tables.GRADES,
        iso286_tables.UPPER_MAIN,
        iso286_tables.UPPER_FINE,
        iso286_tables.LOWER_MAIN,
        iso286_tables.LOWER_FINE,
    )
    for row in (row for table in tables for row in table.values()):
        values = [value for value in row if value is not None]
        assert values == sorted(values)
