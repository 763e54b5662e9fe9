"""Primitives, bodies and meshes as members of an answer, in the scene's units and frame; angles in degrees."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial.reasoning.primitives.bodies import Body
from spatial.reasoning.primitives.meshes import Mesh
from spatial.reasoning.primitives.surfaces import Surface
from spatial.reasoning.scene.model import Array


def surface_record(surface: Surface, points: Array | None = None, centre: Array | None = None) -> dict[str, Any]:
    """One surface.

    Args:
        points: (n, 3) its inliers, which tell the middle of a plane and the extent of a cylinder or cone.
        centre: of the object; the normal of a plane is turned away from it.
    """
    if surface.kind == "plane":
        return {"type": "plane", **_plane(surface, points, centre)}
    if surface.kind == "sphere":
        return {"type": "sphere", "center": surface.point, "radius": surface.size}
    if surface.kind == "cylinder":
        return {"type": "cylinder", **_cylinder(surface, points)}
    record: dict[str, Any] = {
        "type": "cone",
        "apex": surface.point,
        "axis": surface.axis,
        "half_angle": np.degrees(surface.size),
    }
    if points is not None:
        along = (points - surface.point) @ surface.axis
        record["extent"] = [along.min(), along.max()]
    return record


def body_record(body: Body) -> dict[str, Any]:
    """One closed primitive."""
    record: dict[str, Any] = {"type": body.kind, "center": body.origin}
    if body.kind == "box":
        return {**record, "size": body.sizes, "axes": body.frame.T}
    if body.kind == "sphere":
        return {**record, "radius": body.sizes[0]}
    record |= {"axis": body.frame[:, 2], "radius": body.sizes[0], "height": body.sizes[-1]}
    if body.kind == "frustum":
        record["top_radius"] = body.sizes[1]
    return record


def mesh_record(mesh: Mesh, with_vertices: bool) -> dict[str, Any]:
    """A mesh; without its vertices and triangles only their numbers."""
    record: dict[str, Any] = {
        "is_watertight": True,
        "vertex_count": len(mesh.vertices),
        "triangle_count": len(mesh.triangles),
        "volume": mesh.volume,
        "deflection": mesh.deflection,
    }
    return record | ({"vertices": mesh.vertices, "triangles": mesh.triangles} if with_vertices else {})


def _plane(surface: Surface, points: Array | None, centre: Array | None) -> dict[str, Any]:
    origin = surface.point if points is None else points.mean(axis=0)
    normal = surface.axis
    if centre is not None:
        outward = float((origin - centre) @ normal)
        normal = normal if outward > 0 else -normal
    return {"origin": origin, "normal": normal}


def _cylinder(surface: Surface, points: Array | None) -> dict[str, Any]:
    axis = surface.axis * (1 if surface.axis[np.argmax(np.abs(surface.axis))] > 0 else -1)
    record: dict[str, Any] = {"origin": surface.point, "axis": axis, "radius": surface.size}
    if points is not None:
        along = (points - surface.point) @ axis
        record["origin"] = surface.point + axis * (along.min() + along.max()) / 2
        record["height"] = along.max() - along.min()
    return record
