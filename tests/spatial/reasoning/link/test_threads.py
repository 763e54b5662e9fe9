"""Threads that the model says, modelled or named, against those of the drawing."""

from __future__ import annotations

import random
import re

import cadquery as cq
import pytest

from spatial.contract.extraction import CadExtraction
from spatial.reasoning.link.link import Link, link
from spatial.reasoning.link.report import data_of
from tests.spatial.reasoning.diff.revisions import document, step
from tests.spatial.reasoning.link.plates import Group, Plate, drawing, solid
from tests.spatial.threaded import rod

PLATE = Plate(4, 3, 15.0, (Group(10.6, 3, thread="M12"), Group(5.5, 4)))
"""Its bores fit M12 and M12x1.25: only the thread itself tells."""


def named(name: str) -> CadExtraction:
    """The plate, whose program wrote a name on every bore of 10.6 mm."""
    text = step(solid(PLATE, random.Random(5))).decode("latin-1")
    bores = re.findall(r"#(\d+) = CYLINDRICAL_SURFACE\('',#\d+,5\.3\d*\)", text)
    assert len(bores) >= 3
    faces = "|".join(bores)
    return document(
        re.sub(rf"ADVANCED_FACE\(''(?=,\([^)]*\),#(?:{faces}),)", f"ADVANCED_FACE('{name}'", text).encode("latin-1"),
        "plate.step",
    )


def said(found: Link) -> list[str]:
    return list(data_of(found, "cad_scene")["statements"])


@pytest.mark.requirement("link.threads")
def test_the_thread_that_is_asked_is_the_one_that_the_model_names() -> None:
    found = link(drawing(PLATE), named("M12x1.75"))
    assert found.verdict == "agrees", said(found)
    (bound,) = [each for each in found.findings.bound if each.asked.kind == "thread"]
    assert bound.measured["thread"] == "M12x1.75"


@pytest.mark.requirement("link.threads")
def test_another_pitch_is_a_contradiction() -> None:
    found = link(drawing(PLATE), named("M12x1.25"))
    assert found.verdict == "contradicts"
    (line,) = said(found)
    assert re.search("asks a thread M12, but .* have M12x1.25", line), line


def tapped(pitch: float) -> CadExtraction:
    """The plate with one more hole, tapped as geometry."""
    plate = Plate(4, 3, 15.0, (Group(5.5, 4),))
    body = solid(plate, random.Random(5))
    thread = rod(12, 12 - 1.0825 * pitch, pitch, 20).translate(cq.Vector(0, 0, -2))
    return document(step(body.cut(cq.Workplane(obj=thread))), "plate.step")


@pytest.mark.requirement("link.threads")
@pytest.mark.parametrize(("pitch", "verdict"), [(1.75, "agrees"), (1.25, "contradicts")])
def test_a_modelled_thread_is_compared_by_its_pitch(pitch: float, verdict: str) -> None:
    plate = Plate(4, 3, 15.0, (Group(5.5, 4), Group(10.2, 1, thread="M12")))
    found = link(drawing(plate), tapped(pitch))
    assert found.verdict == verdict, said(found)


@pytest.mark.requirement("link.threads")
@pytest.mark.parametrize(("pitch", "differs"), [(1.75, False), (1.5, True)])
def test_the_thread_of_a_shaft_is_compared_by_its_pitch(pitch: float, differs: bool) -> None:
    plate = Plate(2, 2, 10.0, (Group(5.5, 1),))
    stud = rod(12, 12 - 1.0825 * pitch, pitch, 20).translate(cq.Vector(0, 0, 10))
    body = solid(plate, random.Random(2)).union(cq.Workplane(obj=stud))
    sheet = drawing(Plate(2, 2, 10.0, (Group(5.5, 1), Group(10.2, 1, thread="M12"))))
    callouts = sheet.structure.callouts if sheet.structure else None
    assert callouts is not None
    callouts[:] = [
        each.model_copy(update={"through": None, "text": "M12"}) if each.type == "thread" else each for each in callouts
    ]
    found = link(sheet, document(step(body), "stud.step"))
    (bound,) = [each for each in found.findings.bound if each.asked.thread is not None]
    assert bound.word == "thread"
    assert [each.what for each in bound.differences] == (["thread"] if differs else [])
