"""Features against faces that others have labelled: parts of the data set MFCAD (tests/data/machining_features/README.md)."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from spatial.pipeline.read import read_file
from tests.support.stack import ROOT

FOLDER = ROOT / "tests" / "data" / "machining_features"
LABELS: dict[str, list[int]] = json.loads((FOLDER / "labels.json").read_text())

CLASSES = {"slot": {4, 5, 12}, "pocket": {1, 2, 3, 9, 10, 11}}
"""Numbers of the data set's classes: through slots, triangular and rectangular, and blind ones; passages and pockets of three, four and six
sides."""
OTHERS = {"hole", "fillet", "boss", "rib", "groove", "thread"}
"""Features that no part of the data set has: all of its faces are planes."""


def labels_of(name: str, data: bytes) -> dict[str, int]:
    """The class of each face of the document."""
    named = {face: int(number) for face, number in re.findall(rb"#(\d+)\s*=\s*ADVANCED_FACE\s*\(\s*'(\d+)'", data)}
    shell = re.search(rb"CLOSED_SHELL\s*\('[^']*',\(([^)]*)\)", data)
    assert shell
    order = re.findall(rb"#(\d+)", shell[1])
    return {f"face-{place}": LABELS[name][named[face]] for place, face in enumerate(order, start=1)}


@pytest.mark.requirement("features.labelled")
@pytest.mark.parametrize("name", sorted(LABELS))
def test_slots_and_pockets_have_the_faces_that_others_labelled(name: str) -> None:
    data = gzip.decompress((FOLDER / f"{name}.gz").read_bytes())
    found = read_file(data, name).interpret().structure.get("features", [])
    labels = labels_of(name, data)
    for kind, classes in CLASSES.items():
        faces = {face for each in found if each["type"] == kind for face in each["faces"]}
        assert faces == {face for face, label in labels.items() if label in classes}, kind
    assert not [each["type"] for each in found if each["type"] in OTHERS]
