"""Repairs of boundaries: left out at first, made where the kernel's check finds a fault, and never for faces with hundreds of holes."""

from __future__ import annotations

import math
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import cadquery as cq
import pytest
from OCP.IGESControl import IGESControl_Writer
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer

from spatial.formats.iges.text import IgesText
from spatial.formats.occt import kernel
from spatial.formats.step.part21 import Part21
from spatial.models.reading import Reading
from spatial.pipeline.read import read_file
from tests.spatial import parts as plates
from tests.spatial.formats.test_iges_losses import retyped
from tests.spatial.models.test_brep_units import SOLIDS, iges_bytes
from tests.support.stack import ROOT

BRACKET = (ROOT / "examples" / "bracket.step").read_text("latin-1")
VOLUME = 149178.91644125


def read_with_repairs(monkeypatch: pytest.MonkeyPatch, data: bytes, name: str) -> tuple[Reading, list[tuple[str, ...]]]:
    """A file, and what each translation of it was made without."""
    seen: list[tuple[str, ...]] = []
    transfer: Callable[..., None] = kernel.transfer

    def noted(reader: object, document: object, file_name: str, without: tuple[str, ...] = ()) -> None:
        seen.append(tuple(without))
        transfer(reader, document, file_name, without)

    monkeypatch.setattr(kernel, "transfer", noted)
    return read_file(data, name).reading, seen


def plate(holes: int) -> tuple[cq.Shape, float]:
    """A plate of 3 mm with so many holes of 1 mm, and its volume."""
    side = math.ceil(math.sqrt(holes))
    places = [(2.0 * (n % side), 2.0 * (n // side)) for n in range(holes)]
    outline = cq.Wire.makePolygon(
        [cq.Vector(*at) for at in ((-1, -1), (2 * side, -1), (2 * side, 2 * side), (-1, 2 * side))], close=True
    )
    circles = [cq.Wire.makeCircle(0.5, cq.Vector(*at, 0), cq.Vector(0, 0, 1)) for at in places]
    made = cq.Solid.extrudeLinear(outline, circles, cq.Vector(0, 0, 3))
    return made, 3.0 * ((2 * side + 1) ** 2 - holes * math.pi * 0.25)


def written(shape: cq.Shape, suffix: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"plate{suffix}"
        if suffix == ".step":
            writer = STEPControl_Writer()
            writer.Transfer(shape.wrapped, STEPControl_AsIs)
            writer.Write(str(path))
        else:
            iges = IGESControl_Writer("MM", 0)
            iges.AddShape(shape.wrapped)
            iges.ComputeModel()
            iges.Write(str(path))
        return path.read_bytes()


@pytest.mark.requirement("brep.repairs")
def test_a_sound_file_is_translated_once_and_without_repairs_of_boundaries(monkeypatch: pytest.MonkeyPatch) -> None:
    _, seen = read_with_repairs(monkeypatch, BRACKET.encode("latin-1"), "bracket.step")
    assert seen == [kernel.BOUNDARIES]


@pytest.mark.requirement("brep.repairs")
def test_a_hole_whose_boundary_runs_the_wrong_way_is_repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    found = next(re.finditer(r"FACE_BOUND\('',#\d+,\.([TF])\.\);", BRACKET))
    other = "F" if found[1] == "T" else "T"
    data = (BRACKET[: found.start(1)] + other + BRACKET[found.end(1) :]).encode("latin-1")
    reading, seen = read_with_repairs(monkeypatch, data, "bracket.step")
    (solid,) = reading.structure.solids or []
    assert solid.volume == pytest.approx(VOLUME, rel=1e-9)
    assert seen == [kernel.BOUNDARIES, ()]


@pytest.mark.requirement("brep.repairs")
@pytest.mark.parametrize("suffix", [".step", ".igs"])
def test_a_face_with_hundreds_of_holes_is_measured_without_a_search_for_crossings(
    suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shape, volume = plate(kernel.CROWDED + 20)
    reading, seen = read_with_repairs(monkeypatch, written(shape, suffix), f"plate{suffix}")
    found = [solid.volume for solid in reading.structure.solids or []]
    found += [shell.model_dump()["enclosed_volume"] for shell in reading.structure.shells or []]
    assert found == [pytest.approx(volume, rel=1e-7)]  # IGES has circles to eight digits
    assert seen == [kernel.CROSSINGS]


@pytest.mark.requirement("brep.repairs")
def test_bounds_are_counted_face_by_face() -> None:
    text = Part21(
        b"DATA;#1=ADVANCED_FACE('a(b',(#2,#3),#4,.T.);#5=FACE_SURFACE('',(#6),#7,.F.);#8=X_ADVANCED_FACE('',(#9,#9,#9),#4,.T.);"
    )
    assert sorted(text.bounds) == [1, 2]
    assert IgesText(b"").most_boundaries == 0


@pytest.mark.requirement("brep.repairs")
def test_the_repairs_that_a_file_was_read_without_are_made_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = retyped(iges_bytes(plates.block(), mode=SOLIDS), 190, 2)
    _, seen = read_with_repairs(monkeypatch, written(plate(kernel.CROWDED + 1)[0], ".igs"), "crowded.igs")
    assert seen == [kernel.CROSSINGS]
    [loss] = [warning for warning in read_file(damaged, "block.igs").reading.warnings if "could not be read" in warning]
    assert loss.startswith("2 of 6 faces could not be read")
