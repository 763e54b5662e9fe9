"""The bundled part is what its drawing says, and the service reads that out of it."""

from __future__ import annotations

import re
from collections import Counter
from math import pi
from pathlib import Path

import pytest

from examples import make_bracket as drawing
from spatial.contract.extraction import CadExtraction, Solid
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble
from spatial.document.summary import summarise
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.read import read_file

PART = Path(drawing.__file__).with_name("bracket.step")
NUMBER = re.compile(r"-?\d+\.\d*(?:E[+-]?\d+)?")
EXACT = 1e-9


@pytest.fixture(scope="module")
def document() -> CadExtraction:
    source = read_file(PART.read_bytes(), PART.name)
    plan = SamplingPlan()
    return assemble(
        source.reading,
        source.interpret(),
        source.sample(plan),
        file_name=PART.name,
        target=TargetContract.both,
        request_id="r",
        plan=plan,
    )


@pytest.fixture(scope="module")
def solid(document: CadExtraction) -> Solid:
    assert document.structure is not None and document.structure.solids is not None
    (only,) = document.structure.solids
    return only


@pytest.mark.requirement("sample-part.reproducible")
def test_the_file_is_what_its_script_makes() -> None:
    made, kept = drawing.step_bytes(drawing.bracket()).decode(), PART.read_text()
    assert NUMBER.sub("#", made) == NUMBER.sub("#", kept)
    numbers = [float(number) for number in NUMBER.findall(kept)]
    assert [float(number) for number in NUMBER.findall(made)] == pytest.approx(numbers, abs=EXACT)
    assert PART.stat().st_size < 200_000


@pytest.mark.requirement("sample-part.truth")
def test_its_volume_and_size_are_those_of_the_drawing(document: CadExtraction, solid: Solid) -> None:
    assert document.units == "millimeter"
    assert solid.name == drawing.NAME
    assert solid.volume == pytest.approx(drawing.true_volume(), rel=EXACT)
    assert solid.bbox is not None
    assert solid.bbox.min == pytest.approx((-55, -30, 0), abs=1e-6)
    assert solid.bbox.max == pytest.approx((55, 30, 94), abs=1e-6)


@pytest.mark.requirement("sample-part.truth")
def test_its_faces_are_those_of_the_drawing(solid: Solid) -> None:
    assert Counter(face.type for face in solid.faces) == {"plane": 22, "cylinder": 26, "cone": 6, "torus": 5}
    radii = Counter(round(face.radius, 9) for face in solid.faces if face.type == "cylinder" and face.radius)
    assert radii == {
        drawing.HOLE / 2: 4, drawing.COUNTERBORE / 2: 4, drawing.TAP / 2: 4, drawing.CORNER_RADIUS: 4,
        drawing.EDGE_RADIUS: 4, drawing.FOOT_RADIUS: 2, drawing.UPRIGHT_WIDTH / 2: 1, drawing.BOSS / 2: 1,
        drawing.BORE / 2: 1, drawing.SEAT / 2: 1,
    }  # fmt: skip
    drilled = [face for face in solid.faces if face.radius == pytest.approx(drawing.HOLE / 2)]
    for hole in drilled:
        assert hole.area == pytest.approx(pi * drawing.HOLE * (drawing.BASE_HEIGHT - drawing.COUNTERBORE_DEPTH))


@pytest.mark.requirement("sample-part.truth")
def test_it_is_valid_and_its_summary_fits_a_screen(document: CadExtraction) -> None:
    lines = summarise(document)
    assert lines[0] == "bracket.step: STEP, units millimeter (declared)"
    assert lines[1] == "overall size 110 × 60 × 94 mm"
    assert lines[3].startswith(
        "solid-1 Bearing bracket: 110 × 60 × 94 mm, volume 149,179 mm³, area 31,610 mm², 59 faces (26 cyl"
    )
    assert lines[4].startswith("25 features (9 hole, 9 fillet, 3 rib, ")
    assert lines[5:] == ["2,048 points in 1 cloud (1 unknown)", "valid"]
