"""The summary of a document in JSON, of which only what a summary says is validated: a large one has hundreds of thousands of faces."""

from __future__ import annotations

from typing import Any, Final

from spatial.contract.extraction import CadExtraction
from spatial.document.summary import summarise

UNTOLD: Final = frozenset({"entities", "annotations", "dimensions", "curves", "free_faces", "layers"})
"""Lists of a structure that a summary does not look at; their lengths are in `statistics`."""


def outline(document: dict[str, Any]) -> list[str]:
    """The lines of `spatial.document.summary.summarise`."""
    return summarise(CadExtraction.model_validate(_slim(document)))


def _slim(document: dict[str, Any]) -> dict[str, Any]:
    """The same document for a summary, with less to validate."""
    slim = dict(document)
    if isinstance(structure := slim.get("structure"), dict):
        slim["structure"] = {name: value for name, value in structure.items() if name not in UNTOLD}
        if isinstance(solids := structure.get("solids"), list):
            slim["structure"]["solids"] = [_slim_solid(solid) for solid in solids]
    if isinstance(scene := slim.get("point_cloud_scene"), dict):
        clouds = [{**cloud, "points": []} for cloud in scene.get("point_clouds", [])]
        slim["point_cloud_scene"] = {**scene, "point_clouds": clouds}
    return slim


def _slim_solid(solid: dict[str, Any]) -> dict[str, Any]:
    faces = [
        {"id": face["id"], **({"type": face["type"]} if "type" in face else {})} for face in solid.get("faces", [])
    ]
    return {**{name: value for name, value in solid.items() if name != "shells"}, "faces": faces}
