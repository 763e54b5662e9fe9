"""Sizes of one digit along upright dimension lines, which one glyph alone does not say the direction of."""

from __future__ import annotations

import pytest

from spatial.understanding.sheet.outlined.find_lettering import with_drawn_lettering
from tests.spatial.understanding.sheet.outlined.test_line_ends import HALF, HEAD
from tests.spatial.understanding.sheet.outlined.test_outlined import Pen
from tests.spatial.understanding.sheet.outlined.test_outlined_parts import STYLE

LINE = 500.0
"""Where the upright dimension line runs."""


def sized(*, has_arrowheads: bool, x: float = LINE - 2.0) -> list[tuple[str, float]]:
    """The digits, with their angles, of a sheet with a 4 that reads upwards, its foot at x, beside an upright line."""
    pen, digit = Pen([]), Pen([])
    pen.write(STYLE, 100, 300)
    pen.write("74 77", 100, 100)
    digit.write("4", 0, 0)
    pen.lines += [(x - b, 200 + a, x - d, 200 + c) for a, b, c, d in digit.lines]
    pen.lines.append((LINE, 160.0, LINE, 250.0))
    for tip, way in ((160.0, -1.0), (250.0, 1.0)):
        pen.lines.append((LINE - 20, tip, LINE + 20, tip))
        if has_arrowheads:
            pen.lines += [(LINE, tip, LINE + side, tip - way * HEAD) for side in (-HALF, HALF)]
    texts = with_drawn_lettering(pen.drawing()).sheets[0].texts
    return [(text.text, text.angle) for text in texts if text.text not in (STYLE, "74 77")]


@pytest.mark.requirement("outlined.lone-digits")
def test_a_digit_beside_an_upright_dimension_line_reads_along_it() -> None:
    assert sized(has_arrowheads=True) == [("4", 90.0)]


@pytest.mark.requirement("outlined.lone-digits")
def test_a_digit_beside_a_line_without_arrowheads_or_far_from_its_dimension_line_is_not_turned() -> None:
    assert ("4", 90.0) not in sized(has_arrowheads=False)
    assert ("4", 90.0) not in sized(has_arrowheads=True, x=LINE - 30.0)
