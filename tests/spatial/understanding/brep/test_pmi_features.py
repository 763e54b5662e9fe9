"""The features that the faces of PMI belong to, in a real file and in order."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.pipeline.read import read_file
from spatial.understanding.brep.pmi.of_features import with_features
from tests.spatial.pmi import real_text

FEATURES = [
    {"id": "feature-1", "type": "hole", "solids": ["solid-1", "solid-2"], "faces": ["face-1", "face-2"]},
    {"id": "feature-2", "type": "fillet", "solids": ["solid-1"], "faces": ["face-2"]},
    {"id": "feature-3", "type": "pattern", "solids": ["solid-1"], "faces": ["face-1", "face-2"]},
]


def reference(*faces: str, body: str = "solid-1") -> dict[str, list[str]]:
    return {"bodies": [body], "faces": list(faces)}


@pytest.mark.requirement("pmi.features")
def test_an_item_names_every_feature_of_its_faces_but_patterns() -> None:
    items: list[dict[str, Any]] = [
        {"id": "pmi-1", "faces": [reference("face-2")]},
        {"id": "pmi-2", "faces": [reference("face-1", body="solid-2")], "to_faces": [reference("face-2", "face-9")]},
        {"id": "pmi-3", "faces": [reference("face-9")]},
        {"id": "pmi-4"},
    ]
    found = with_features(items, FEATURES)
    assert [each.get("features") for each in found] == [["feature-1", "feature-2"], ["feature-1"], None, None]
    assert [each.get("to_features") for each in found] == [None, ["feature-1", "feature-2"], None, None]


@pytest.mark.requirement("pmi.features")
def test_diameters_of_a_published_model_name_holes_of_their_size() -> None:
    structure = read_file(real_text().encode("latin-1"), "ctc_01.stp").interpret().structure
    holes = {each["id"]: each for each in structure["features"] if each["type"] == "hole"}
    checked = 0
    for item in structure["pmi"]:
        named = [holes[name] for name in item.get("features", ()) if name in holes]
        if item.get("of") == "diameter" and "nominal" in item and named:
            checked += 1
            sizes = {round(step["diameter"], 3) for each in named for step in each.get("steps") or [each]}
            widths = {
                round(each[kind]["diameter"], 3)
                for each in named
                for kind in ("counterbore", "countersink")
                if each.get(kind)
            }
            assert round(item["nominal"], 3) in sizes | widths | {round(each["diameter"], 3) for each in named}
    assert checked >= 3
