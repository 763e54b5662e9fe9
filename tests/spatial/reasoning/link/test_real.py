"""Real drawings and the models that were published beside them."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from spatial.contract.extraction import CadExtraction
from spatial.reasoning.link.finding import Binding
from spatial.reasoning.link.link import Link, link
from spatial.reasoning.link.report import statements
from tests.spatial.reasoning.diff.revisions import document

SHEETS = Path("tests/sheets/real")
MODELS = Path("tests/data/links")

BRACKET, SHAFT = "MMP.03.00.00.003_Motor_bracket", "MMP.03.00.00.004_Drive_shaft"
CENTRE, PLATE = "MMP.04.00.00.001_Center_bracket", "HEL-03-01010-00"


@cache
def model(name: str) -> CadExtraction:
    return document(gzip.decompress((MODELS / f"{name}.step.gz").read_bytes()), f"{name}.step")


@cache
def drawing(name: str) -> CadExtraction:
    return document((SHEETS / f"{name}.pdf").read_bytes(), f"{name}.pdf")


@cache
def linked(name: str) -> Link:
    return link(drawing(name), model(name))


def bound(name: str, text: str) -> Binding:
    return next(each for each in linked(name).findings.bound if each.asked.text == text)


@pytest.mark.requirement("link.real")
@pytest.mark.parametrize("name", [BRACKET, SHAFT, PLATE])
def test_a_drawing_and_its_model_agree(name: str) -> None:
    found = linked(name)
    assert found.verdict == "agrees", statements(found)
    assert len(found.findings.bound) >= 12
    assert all(each.score > 0.9 for each in found.findings.bound)


@pytest.mark.requirement("link.real")
@pytest.mark.parametrize(
    ("name", "text", "measured"),
    [
        (BRACKET, "4 x Ø7,1", {"diameter": 7.1, "quantity": 4}),
        (BRACKET, "2 x Ø10,5", {"diameter": 10.5, "quantity": 2}),
        (BRACKET, "R10", {"radius": 10.0}),
        (SHAFT, "Ø25 js6 +0,007 -0,007", {"diameter": 25.0}),
        (SHAFT, "Ø21", {"diameter": 21.0}),
        (SHAFT, "8 H9 +0,036", {"length": 8.0}),
        (SHAFT, "2 x 0,3x45°", {"leg": 0.3, "angle": 45.0}),
        (PLATE, "(Ø3.8)", {"diameter": 3.8}),
        (PLATE, "9 x M3x0.5", {"quantity": 9}),
    ],
)
def test_callouts_mean_the_features_that_an_engineer_would_name(name: str, text: str, measured: dict[str, Any]) -> None:
    found = bound(name, text)
    assert found.features
    for member, value in measured.items():
        assert found.measured[member] == pytest.approx(value, abs=1e-6)


@pytest.mark.requirement("link.real")
def test_a_wrong_quantity_in_a_published_drawing_is_found() -> None:
    found = linked(CENTRE)
    assert found.verdict == "contradicts"
    differences = [(each.asked.text, row.what) for each in found.findings.bound for row in each.differences]
    assert differences == [("12 x Ø7,1", "quantity")]
    assert not found.findings.missing
    assert "asks a quantity of 12, but the model has 8" in statements(found)[0]


@pytest.mark.requirement("link.other-part")
@pytest.mark.parametrize(("sheet", "solid"), [(BRACKET, SHAFT), (SHAFT, BRACKET), (PLATE, SHAFT), (SHAFT, PLATE)])
def test_a_drawing_never_agrees_with_another_part(sheet: str, solid: str) -> None:
    assert link(drawing(sheet), model(solid)).verdict in ("unknown", "contradicts")
