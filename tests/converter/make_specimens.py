"""Makes the specimens that the fork server reads before it forks: `python -m tests.converter.make_specimens`.

A specimen is small and touches much: an assembly with names, colours and two instances, and faces of every common kind.
"""

from __future__ import annotations

import re
from pathlib import Path

import cadquery
from OCP.IGESControl import IGESControl_Writer

FOLDER = Path(__file__).parents[2] / "converter" / "specimens"
MADE = "2026-01-01T00:00:00"
"""Instead of the time of making, so that the files change only when the part does."""


def plate() -> cadquery.Workplane:
    """Planes, cylinders and a torus: a plate with a rounded edge and a hole."""
    return (
        cadquery.Workplane().box(20, 10, 4).faces(">Z").edges("<Y").fillet(1).faces(">Z").workplane().cboreHole(2, 4, 1)
    )


def bodies() -> list[cadquery.Workplane]:
    """A cone and an extruded spline."""
    cone = cadquery.Workplane().add(cadquery.Solid.makeCone(3, 1, 4))
    wave = cadquery.Workplane().spline([(0, 0), (2, 1), (4, 0), (6, 1)]).lineTo(6, 4).lineTo(0, 4).close().extrude(2)
    return [cone, wave]


def step() -> None:
    """The assembly."""
    assembly, part = cadquery.Assembly(name="specimen"), plate()
    for number, place in enumerate((0, 30), start=1):
        assembly.add(part, name=f"plate {number}", loc=cadquery.Location((0, place, 0)), color=cadquery.Color("red"))
    for number, body in enumerate(bodies(), start=1):
        assembly.add(body, name=f"body {number}", loc=cadquery.Location((12 * number, 60, 0)))
    path = FOLDER / "step.step"
    assembly.export(str(path))
    text = re.sub(r"(FILE_NAME\([^,]*,')[^']*", rf"\g<1>{MADE}", path.read_text())
    path.write_text(text)


def iges() -> None:
    """The same bodies side by side, as boundary representations."""
    writer = IGESControl_Writer("MM", 1)
    for body in (plate(), *bodies()):
        writer.AddShape(body.findSolid().wrapped)
    writer.ComputeModel()
    path = FOLDER / "iges.iges"
    writer.Write(str(path))
    stamp = re.compile(r"15H\d{8}\.\d{6}")
    path.write_text(stamp.sub("15H20260101.000000", path.read_text()))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    step()
    iges()
