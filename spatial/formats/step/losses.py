"""What a file states and the kernel's translator did not make: faces, solids, and instances that are missing.

The translator goes on where an entity cannot be made, and says so only in its list of checks. A shell that lost a face is open, and
a solid that lost its shell is absent, so the loss has to be told from what the text states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from OCP.Interface import Interface_CheckIterator
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.StepData import StepData_StepModel, StepData_UndefinedEntity

from spatial.formats.occt.losses import Losses, made_faces, made_solids
from spatial.formats.step.part21 import Part21
from spatial.models.brep.instances import FlattenedAssembly

_SHELLS: Final = ("CLOSED_SHELL", "OPEN_SHELL", "CONNECTED_FACE_SET")
_FACES: Final = rb"\s*\(\s*(?:'(?:[^']|'')*'\s*,)?\s*\(([#\d,\s]*)\)"
"""The numbers of a shell's faces; ISO 10303-42, 5.4."""
_SOLIDS: Final = ("MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS", "FACETED_BREP")
_REFERENCE: Final = re.compile(rb"#\s*(\d+)")
_UNRESOLVED: Final = re.compile(r"Unresolved Reference.*\(Id\.#(\d+)\)")
_KEYWORD: Final = re.compile(rb"#\s*(\d+)\s*=\s*(\w+)\s*\(")
_GEOMETRY: Final = ("StepShape_", "StepGeom_")
"""Beginnings of the kernel's classes of faces, edges, surfaces and curves."""


def find(reader: STEPCAFControl_Reader, text: Part21, flattened: FlattenedAssembly, missing: Iterable[int]) -> Losses:
    """Compare what the text states with what was made of it.

    missing: numbers of instances that others refer to and the file does not have.
    """
    shells = (match for keyword in _SHELLS for match in text.matches(keyword, _FACES))
    stated = {number for shell in shells for number in _REFERENCE.findall(shell[1])}
    solids = sum(1 for keyword in _SOLIDS for _ in text.matches(keyword, rb"\s*\(\s*'"))
    faces_lost = max(0, len(stated) - made_faces(flattened))
    solids_lost = max(0, solids - made_solids(flattened))
    model = reader.Reader().StepModel()
    causes = [f"#{number}, which is not in the file" for number in missing]
    causes += [text.shown(number) for number in dict.fromkeys(_failed(reader, text))]
    if not causes and (faces_lost or solids_lost):
        causes = [f"{text.shown(number)}, an entity that is not known" for number in _unknown(model, text)]
    return Losses(faces_lost, len(stated), solids_lost, solids, causes)


def unresolved(complaints: Iterable[str]) -> tuple[list[int], list[str]]:
    """The complaints of the translator's first check, parted: instances that are missing, and what else it says."""
    missing: list[int] = []
    others: list[str] = []
    for complaint in complaints:
        found = _UNRESOLVED.search(complaint)
        if found is None:
            others.append(complaint)
        elif int(found.group(1)) not in missing:
            missing.append(int(found.group(1)))
    return missing, others


def _failed(reader: STEPCAFControl_Reader, text: Part21) -> Iterator[int]:
    """Instances of geometry that the translator could not make, deepest first; the model numbers them in the order of the text."""
    checks: Interface_CheckIterator = reader.Reader().WS().TransferReader().TransientProcess().CheckList(True)
    numbers = None
    checks.Start()
    while checks.More():
        check: Any = checks.Value()
        if check.NbFails() and type(check.Entity()).__name__.startswith(_GEOMETRY):
            numbers = numbers or text.numbers
            if 0 < checks.Number() <= len(numbers):
                yield numbers[checks.Number() - 1]
        checks.Next()


def _unknown(model: StepData_StepModel, text: Part21) -> list[int]:
    """The first instance of each entity that the translator does not know."""
    places = {number: place for place, number in enumerate(text.numbers, start=1)}
    first: dict[bytes, int] = {}
    for match in _KEYWORD.finditer(text.text):
        first.setdefault(match.group(2), int(match.group(1)))
    known = model.NbEntities()  # of a damaged file the kernel may have fewer than the text
    return [
        number
        for number in first.values()
        if places[number] <= known and isinstance(model.Value(places[number]), StepData_UndefinedEntity)
    ]
