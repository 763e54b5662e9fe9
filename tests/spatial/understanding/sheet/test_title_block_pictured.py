"""Fields that a picture in the title block may show: they are absent, with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.contract.drawing import TitleBlock
from spatial.understanding.sheet.title_block.pictured import REASON, with_pictured
from tests.spatial.forms import Form


def _absent(
    points: list[list[float]], *, company: str | None = None, page: int = 1, kind: str = "image", key: str = "points"
) -> dict[str, Any] | None:
    form = Form()
    ids = frozenset(form.text(x, y, text) for x, y, text in ((300, 12, "SCALE 1:2"), (400, 60, "REV A")))
    form.text(20, 280, "another text")
    fields = {"scale": "1:2"} | ({"company": company} if company else {})
    block = TitleBlock(fields=fields, confidence=0.9, sources={}, page=1)
    picture = {"id": "entity-7", "type": kind, "page": page, key: points}
    seen = with_pictured(block, ids, [form.sheet()], [{"id": "entity-1", "type": "line"}, picture])
    return (seen.model_extra or {}).get("absent")


LOGO = [[320.0, 50.0], [350.0, 50.0], [350.0, 30.0], [320.0, 30.0]]


@pytest.mark.requirement("title.pictured")
def test_a_company_that_no_text_states_is_absent_where_a_picture_stands_in_the_block() -> None:
    assert _absent(LOGO) == {"company": {"reason": REASON, "entities": ["entity-7"]}} == _absent(LOGO, key="outline")


@pytest.mark.requirement("title.pictured")
@pytest.mark.parametrize(
    "further",
    [
        {"points": LOGO, "company": "ACME"},
        {"points": LOGO, "page": 2},
        {"points": LOGO, "kind": "fill"},
        {"points": [[20.0, 250.0], [50.0, 250.0], [50.0, 230.0], [20.0, 230.0]]},
        {"points": [[0.0, 0.0], [420.0, 0.0], [420.0, 297.0], [0.0, 297.0]]},
    ],
    ids=["the company is stated", "another sheet", "no picture", "outside the block", "the whole sheet is a picture"],
)
def test_nothing_is_called_absent_otherwise(further: dict[str, Any]) -> None:
    assert _absent(**further) is None
