"""The box of an SVG drawing against figures worked out by hand."""

from __future__ import annotations

import pytest

from tests.spatial.formats.svg.written import extents, structure

LINE = '<line x1="10" y1="20" x2="60" y2="90" stroke="red"/>'


@pytest.mark.requirement("svg.extents")
@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (LINE, [10, 20, 60, 90]),
        (f'<g transform="translate(5 5) scale(2)">{LINE}</g>', [25, 45, 125, 185]),
        ('<circle cx="50" cy="60" r="20"/>', [30, 40, 70, 80]),
        ('<path d="M0 50C50 0 50 0 100 50"/>', [0, 12.5, 100, 50]),
        (f'{LINE}<rect width="300" height="200" fill="none"/>', [10, 20, 60, 90]),
        (f'{LINE}<rect width="300" height="200" display="none"/>', [10, 20, 60, 90]),
        (f'{LINE}<g opacity="0"><rect width="300" height="200"/></g>', [10, 20, 60, 90]),
        (f'{LINE}<rect width="300" height="200" fill-opacity="0"/>', [10, 20, 60, 90]),
        (f'{LINE}<g visibility="hidden"><rect width="300" height="200"/></g>', [10, 20, 60, 90]),
        (f'<style>.o rect{{display:none}}</style>{LINE}<g class="o"><rect width="300" height="200"/></g>', [10, 20, 60, 90]),
        (f'<clipPath id="c"><rect x="30" y="30" width="10" height="20"/></clipPath><g clip-path="url(#c)">{LINE}</g>', [30, 30, 40, 50]),
        (f'<clipPath id="c"/><g clip-path="url(#c)">{LINE}</g><circle cx="9" cy="9" r="2"/>', [7, 7, 11, 11]),
        (f'<svg width="40" height="50">{LINE}</svg>', [10, 20, 40, 50]),
        (f'<svg width="40" height="50" overflow="visible">{LINE}</svg>', [10, 20, 60, 90]),
        (f'<symbol id="s" viewBox="0 0 100 100">{LINE}</symbol><use href="#s" width="200" height="200"/>', [20, 40, 120, 180]),
        ('<image x="1" y="2" width="3" height="4" href="x.png"/>', [1, 2, 4, 6]),
        ('<line x1="300" y1="10" x2="500" y2="10" stroke="red"/>', [300, 10, 400, 10]),
        ("", None),
        ('<line x1="500" x2="600" stroke="red"/>', None),
    ],
)  # fmt: skip
def test_the_box_is_what_is_seen(body: str, wanted: list[float] | None) -> None:
    assert extents(body) == wanted


@pytest.mark.requirement("svg.extents")
def test_lettering_counts() -> None:
    left, top, right, bottom = extents('<text x="50" y="100" font-size="20">AAAA</text>') or []
    assert (left, bottom) == (50, 100) and 80 < top < 90 and 80 < right < 100
    left, top, right, bottom = (
        extents('<text transform="translate(50 100) rotate(-90)" font-size="20">AAAA</text>') or []
    )
    assert (right, bottom) == (50, 100) and 50 < top < 70 and 30 < left < 40


@pytest.mark.requirement("svg.extents")
def test_the_declared_size_stands_beside_what_is_drawn() -> None:
    (sheet,) = structure(LINE, 'width="200mm" height="100mm" viewBox="0 0 400 200"')["sheets"]
    assert sheet["declared_size"] == {
        "width": {"value": 200, "unit": "millimeter"}, "height": {"value": 100, "unit": "millimeter"},
    }  # fmt: skip
    assert sheet["view_box"] == [0, 0, 400, 200]
    assert sheet["bbox"] == pytest.approx([0, 0, 755.9055, 377.9528])
    assert sheet["drawn_bbox"] == pytest.approx([18.8976, 37.7953, 113.3858, 170.0787])


@pytest.mark.requirement("svg.extents")
def test_without_a_declared_size_nothing_is_cut_off() -> None:
    assert extents('<line x1="10" y1="10" x2="900" y2="700" stroke="red"/>', "") == [10, 10, 900, 700]
