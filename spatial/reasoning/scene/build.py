"""Build a scene from an extraction, a point cloud scene, or both.

Where both name the same object, the point cloud of the request replaces the sampled points of the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from spatial.contract.diagram import DiagramPage
from spatial.contract.extraction import BoundingBox, CadExtraction, Solid
from spatial.contract.points import PointCloud, PointCloudScene
from spatial.errors import InputRejected
from spatial.reasoning.scene.model import Array, Scene, SceneObject

UNKNOWN_UNITS: Final = "unknown"
"""Units of a scene of point clouds: the specification gives them none."""


def build_scene(document: CadExtraction | None, clouds: PointCloudScene | None) -> Scene:
    """The scene of a request's `cad_scene` and `point_cloud_scene`; empty if both are absent. Raises: InputRejected."""
    points = _points(document.point_cloud_scene if document else None, "input.cad_scene.point_cloud_scene")
    points |= _points(clouds, "input.point_cloud_scene")
    objects = {found.id: found for found in _of_document(document, points)} if document else {}
    for object_id, cloud in points.items():
        if object_id not in objects:
            objects[object_id] = _of_cloud(cloud)
    return Scene(document.units if document else UNKNOWN_UNITS, objects, document)


def _points(clouds: PointCloudScene | None, path: str) -> dict[str, PointCloud]:
    found: dict[str, PointCloud] = {}
    for place, cloud in enumerate(clouds.point_clouds if clouds else ()):
        if cloud.object_id in found:
            raise InputRejected(
                f"{path}.point_clouds.{place}.object_id: {cloud.object_id!r} is used twice; give every object one cloud",
                details={"field": f"{path}.point_clouds.{place}.object_id"},
            )
        found[cloud.object_id] = cloud
    return found


def _of_document(document: CadExtraction, clouds: dict[str, PointCloud]) -> Iterator[SceneObject]:
    structure = document.structure
    if structure is None:
        return
    for solid in structure.solids or ():
        yield _of_solid(solid, clouds.get(solid.id))
    for page in structure.pages or ():
        yield from _of_page(page, several=len(structure.pages or ()) > 1)


def _of_solid(solid: Solid, cloud: PointCloud | None) -> SceneObject:
    rows = _rows(cloud)
    return SceneObject(
        id=solid.id,
        origin="solid",
        name=solid.name,
        kind=cloud.kind if cloud else "unknown",
        bounds=corners(solid.bbox) if solid.bbox else _extent(rows),
        points=rows,
        faces=tuple(solid.faces) + tuple(face for shell in solid.shells or () for face in shell.faces),
        volume=solid.volume,
        surface_area=solid.surface_area,
        center_of_mass=_frozen(solid.center_of_mass) if solid.center_of_mass else None,
        is_closed=solid.is_closed,
    )


def _of_cloud(cloud: PointCloud) -> SceneObject:
    rows = _rows(cloud)
    return SceneObject(id=cloud.object_id, origin="point_cloud", kind=cloud.kind, bounds=_extent(rows), points=rows)


def _of_page(page: DiagramPage, several: bool) -> Iterator[SceneObject]:
    """The nodes of a diagram page; their ids begin with that of the page where there are several pages."""
    prefix = f"{page.id}/" if several else ""
    for node in page.nodes:
        box = node.bbox
        bounds = None if box is None else _frozen([[box.x, box.y, 0.0], [box.x + box.width, box.y + box.height, 0.0]])
        yield SceneObject(
            id=f"{prefix}{node.id}",
            origin="node",
            name=node.label or None,
            bounds=bounds,
            parent=None if node.parent is None else f"{prefix}{node.parent}",
            properties={
                "shape": node.shape,
                "is_container": node.is_container,
                "is_text": node.is_text,
                "page": page.id,
            },
        )


def _rows(cloud: PointCloud | None) -> Array:
    return _frozen(np.frombuffer(cloud.flat()).reshape(-1, 3) if cloud else np.empty((0, 3)))


def corners(box: BoundingBox) -> Array:
    """(2, 3); a flat box lies at z = 0."""
    return _frozen([(*box.min, 0.0)[:3], (*box.max, 0.0)[:3]])


def _extent(rows: Array) -> Array | None:
    return _frozen([rows.min(axis=0), rows.max(axis=0)]) if len(rows) else None


def _frozen(values: object) -> Array:
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
