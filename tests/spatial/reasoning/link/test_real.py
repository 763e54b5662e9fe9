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
SLEEVE, FLANGE, SEVERAL = "sleeve", "Flange", "Hand_E_Flange_and_Pin"
PULLEY, PULLEY_MM, PULLEY_INCH = (
    "transmission_pulley_at3_t10_center",
    "odri_center_pulley_at3_t10",
    "center_pulley_at3_t10_inch",
)


@cache
def model(name: str) -> CadExtraction:
    return document(gzip.decompress((MODELS / f"{name}.step.gz").read_bytes()), f"{name}.step")


@cache
def drawing(name: str) -> CadExtraction:
    path = next(folder / f"{name}.pdf" for folder in (SHEETS, MODELS) if (folder / f"{name}.pdf").is_file())
    return document(path.read_bytes(), path.name)


@cache
def linked(name: str, solid: str | None = None) -> Link:
    return link(drawing(name), model(solid or name))


def bound(name: str, text: str) -> Binding:
    return next(each for each in linked(name).findings.bound if each.asked.text == text)


@pytest.mark.requirement("link.real")
@pytest.mark.parametrize(
    ("name", "solid", "pairs"),
    [(BRACKET, BRACKET, 12), (SHAFT, SHAFT, 17), (PLATE, PLATE, 12), (SLEEVE, SLEEVE, 7), (PULLEY_MM, PULLEY, 9)],
)
def test_a_drawing_and_its_model_agree(name: str, solid: str, pairs: int) -> None:
    found = linked(name, solid)
    assert found.verdict == "agrees", statements(found)
    assert len(found.findings.bound) == pairs
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


@pytest.mark.requirement("link.real")
def test_a_wrong_depth_in_the_inch_sheet_of_a_metric_part_is_found_and_rounded_sizes_are_not() -> None:
    found = linked(PULLEY_INCH, PULLEY)
    assert found.unit == "inch" and len(found.findings.bound) == 9
    (line,) = statements(found)
    assert "asks a depth of 0.08 in, but feature-1 at (0, 0, 0) has 0.0591 in, 0.0209 in less" in line


@pytest.mark.requirement("link.several-parts")
def test_what_a_sheet_of_several_parts_asks_of_the_others_is_no_contradiction() -> None:
    found = linked(SEVERAL, FLANGE)
    assert found.verdict == "agrees", statements(found)
    texts = {each.asked.text for each in found.findings.bound}
    assert {"Ø90.00", "R8.00"} <= texts
    others = {each.asked.text: each.reason for each in found.findings.not_compared}
    assert {"M6X1.0", "Ø12.00", "R16.00"} <= set(others)
    assert "the title names several parts" in others["M6X1.0"]


@pytest.mark.requirement("link.other-part")
@pytest.mark.parametrize(("sheet", "solid"), [(BRACKET, SHAFT), (SHAFT, BRACKET), (PLATE, SHAFT), (SHAFT, PLATE)])
def test_a_drawing_never_agrees_with_another_part(sheet: str, solid: str) -> None:
    assert link(drawing(sheet), model(solid)).verdict in ("unknown", "contradicts")
