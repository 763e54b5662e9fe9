"""Reconstruct: primitives with parameters and residuals, a watertight mesh where possible, and the volume with an error bound.

An exact solid has its primitives in its analytic faces; points are searched for them. docs/reasoning/reconstruct.md has the output.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from spatial.counting import count_of
from spatial.reasoning.answer import UNKNOWN, Answer
from spatial.reasoning.inputs import require_points
from spatial.reasoning.log import log_step
from spatial.reasoning.primitives.bodies import Body, BodyFit, fit_bodies
from spatial.reasoning.primitives.cloud import LEAST_POINTS, Cloud, prepare
from spatial.reasoning.primitives.describe import body_record, mesh_record, surface_record
from spatial.reasoning.primitives.exact import ExactSurfaces, body_of, concave_surface, is_exact, surfaces_of
from spatial.reasoning.primitives.extract import Primitive, explained, extract, own_frame, tolerance_of
from spatial.reasoning.primitives.hull import HullFit, fit_hull
from spatial.reasoning.primitives.meshes import Mesh, mesh_of
from spatial.reasoning.primitives.surfaces import Surface
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import Array, SceneObject

ON_FACE: Final = 1e-4
"""Distance from an analytic face up to which a point is on it, as a part of the solid's size; points are rounded to a millionth."""

DOCUMENT_VOLUME: Final = 1e-6
"""Error of the volume that a document reports, as a part of it: documents are rounded to a millionth of the size."""


@dataclass(eq=False)
class Reconstruction:
    """What was found of one object. data, proof: members of the answer."""

    verdict: str
    data: dict[str, Any]
    proof: dict[str, Any]
    reason: str | None = None
    mesh: Mesh | None = None
    debug: dict[str, Any] = field(default_factory=dict)


def solve(question: Question) -> Answer:
    """Of the object of object_id, or of every object with points or faces. Raises: InputRejected."""
    if question.object_id is not None:
        chosen = [question.primary()]
        if not chosen[0].faces:
            require_points(chosen[0], LEAST_POINTS, question.task)
    else:
        chosen = [found for found in question.scene if is_exact(found) or len(found.points) >= LEAST_POINTS]
        if not chosen:
            require_points(max(question.scene, key=lambda found: len(found.points)), LEAST_POINTS, question.task)
    tolerance = question.goal.number_or_none("tolerance", above=0.0)
    results = {found.id: _reconstruct_one(found, tolerance, question.seed) for found in chosen}
    for name, each in results.items():
        log_step(
            f"{name}: {each.verdict} from {each.data['source']}, {count_of(len(each.data['primitives']), 'primitive')}"
        )
    with_mesh = question.detail != "compact"
    left_out = len(question.scene) - len(chosen) if question.object_id is None else 0
    return Answer(
        data={
            "units": question.scene.units,
            "objects": [_record(name, each, with_mesh) for name, each in results.items()],
        },
        proof={"objects": [{"object_id": name, **each.proof} for name, each in results.items()]},
        verdict=_overall(list(results.values())),
        reason=next((each.reason for each in results.values() if len(results) == 1), None) or _overall_reason(results),
        warnings=(f"{count_of(left_out, 'object has', 'objects have')} neither analytic faces nor enough points",)
        if left_out
        else (),
        debug={name: each.debug for name, each in results.items()},
    )


def _overall(results: list[Reconstruction]) -> str:
    verdicts = {each.verdict for each in results}
    return verdicts.pop() if len(verdicts) == 1 else UNKNOWN if UNKNOWN in verdicts else "mixed"


def _overall_reason(results: Mapping[str, Reconstruction]) -> str | None:
    open_ones = [name for name, each in results.items() if each.verdict == UNKNOWN]
    return (
        f"the objects {', '.join(open_ones[:20])} have no closed mesh; each has its own reason" if open_ones else None
    )


def _record(name: str, found: Reconstruction, with_mesh: bool) -> dict[str, Any]:
    record = {"object_id": name, "verdict": found.verdict, "reason": found.reason, **found.data}
    if found.mesh is not None:
        record["mesh"] = mesh_record(found.mesh, with_mesh)
    return record


def _reconstruct_one(found: SceneObject, tolerance: float | None, seed: int) -> Reconstruction:
    cloud = prepare(found.points) if len(found.points) >= LEAST_POINTS else None
    exact = surfaces_of(found) if is_exact(found) else None
    if exact is not None:
        return _of_faces(found, exact, cloud, tolerance)
    if cloud is None:
        reason = (
            "the points lie on one line or repeat few places, so that they bound no surface; send points of the surface"
        )
        return Reconstruction(UNKNOWN, {"source": "points", "primitives": []}, {"points": len(found.points)}, reason)
    return _of_points(found, cloud, tolerance, seed)


def _of_faces(found: SceneObject, exact: ExactSurfaces, cloud: Cloud | None, tolerance: float | None) -> Reconstruction:
    body = body_of(found, exact)
    mesh = mesh_of(body) if body is not None else None
    reason = None
    if mesh is None:
        mesh, reason = _hull_of_solid(found, exact, cloud, tolerance)
    residuals, explained_share = _residuals([each.surface for each in exact.primitives], found.points)
    data: dict[str, Any] = {
        "source": "faces",
        "primitives": [
            {**surface_record(each.surface), "faces": each.faces, "area": each.area or None}
            for each in exact.primitives
        ],
        "other_faces": exact.others or None,
        "body": body_record(body) if body is not None else None,
        "volume": _document_volume(found, body),
        "explained": explained_share,
    }
    proof = {
        "points": len(found.points),
        "primitives": residuals,
        "closed_primitive_checked_by": "volume" if body is not None else None,
    }
    return Reconstruction("closed" if mesh is not None else UNKNOWN, data, proof, reason, mesh)


def _hull_of_solid(
    found: SceneObject, exact: ExactSurfaces, cloud: Cloud | None, tolerance: float | None
) -> tuple[Mesh | None, str | None]:
    """The hull of a solid's points, if the document's volume says that it is the solid; else why there is none."""
    needed = "the faces of a document have no trimming curves, so that a mesh is made of closed primitives and convex solids only"
    concave = concave_surface(exact, found)
    if concave is not None:
        return None, f"{needed}; points lie outside of the {concave} of a face, so that the solid is not convex"
    if cloud is None or found.volume is None:
        return None, f"{needed}; the solid is no closed primitive, and its volume or points are missing"
    hull = fit_hull(cloud, _scaled(cloud, tolerance))
    if hull is None or hull.problem is not None:
        return None, f"{needed}; {hull.problem if hull else 'the points are flat'}"
    if abs(hull.volume * cloud.scale**3 - found.volume) > hull.volume_error * cloud.scale**3:
        return None, f"{needed}; the volume of the convex hull is not that of the document"
    return _placed(hull.mesh, cloud), None


def _document_volume(found: SceneObject, body: Body | None) -> dict[str, Any] | None:
    if found.volume is None:
        return None
    difference = abs(body.volume - found.volume) if body is not None else 0.0
    return {"value": found.volume, "error": max(difference, DOCUMENT_VOLUME * abs(found.volume)), "source": "document"}


def _residuals(surfaces: list[Surface], points: Array) -> tuple[list[dict[str, Any]], float | None]:
    """Of each surface, the points on it that are nearer to it than to the others, and how far they are; and the part of all points that
    are on one."""
    if not len(points):
        return [{"inliers": 0} for _ in surfaces], None
    near = ON_FACE * float(np.linalg.norm(np.ptp(points, axis=0)))
    away = np.abs(np.array([surface.distances(points) for surface in surfaces]))
    owner = away.argmin(axis=0)
    owner[away.min(axis=0) > near] = -1
    rows = [_residual(away[place][owner == place]) for place in range(len(surfaces))]
    return rows, float((owner >= 0).mean())


def _residual(distances: Array) -> dict[str, Any]:
    if not len(distances):
        return {"inliers": 0}
    return {
        "inliers": len(distances),
        "residual_rms": float(np.sqrt((distances**2).mean())),
        "residual_max": float(np.abs(distances).max()),
    }


def _of_points(found: SceneObject, cloud: Cloud, tolerance: float | None, seed: int) -> Reconstruction:
    near = _scaled(cloud, tolerance)
    primitives = extract(cloud, near, seed)
    widest = max([near, *(each.tolerance for each in primitives)])
    fit = fit_bodies(cloud, primitives, widest)
    hull = fit_hull(cloud, widest) if fit is None else None
    mesh, reason = _mesh_of(cloud, fit, hull, primitives)
    verdict = "closed" if mesh is not None else UNKNOWN
    if found.kind == "surface" or found.is_closed is False:
        verdict, mesh, reason = "open", None, None
    whole = fit if mesh is not None else None
    data: dict[str, Any] = {
        "source": "points",
        "primitives": [_own_record(each, cloud) for each in primitives],
        "body": _own_body(fit.body, cloud) if fit is not None else None,
        "volume": _document_volume(found, None) or (_volume(cloud, whole, hull) if mesh is not None else None),
        "explained": explained(cloud, primitives),
    }
    return Reconstruction(verdict, data, _proof(cloud, primitives, fit, near), reason, mesh, _debug(cloud, near))


def _scaled(cloud: Cloud, tolerance: float | None) -> float:
    return tolerance_of(cloud) if tolerance is None else tolerance / cloud.scale


def _mesh_of(
    cloud: Cloud, fit: BodyFit | None, hull: HullFit | None, primitives: list[Primitive]
) -> tuple[Mesh | None, str | None]:
    if fit is not None:
        if fit.problem is None:
            return _placed(mesh_of(fit.body), cloud), None
        return None, f"the points lie on a {fit.body.kind}, but {fit.problem}, so that it is not known to be closed"
    if hull is not None and hull.problem is None:
        return _placed(hull.mesh, cloud), None
    if hull is None:
        return None, "the points are flat, so that they bound no volume"
    if explained(cloud, primitives) == 0:
        return None, f"no primitive has enough points; {hull.problem}"
    return None, f"the primitives do not close to one body; {hull.problem}"


def _placed(mesh: Mesh, cloud: Cloud) -> Mesh:
    return Mesh(mesh.vertices * cloud.scale + cloud.centre, mesh.triangles, mesh.deflection * cloud.scale)


def _own_record(primitive: Primitive, cloud: Cloud) -> dict[str, Any]:
    point, axis, size = own_frame(primitive.surface, cloud)
    points = cloud.points[primitive.inliers] * cloud.scale + cloud.centre
    return surface_record(Surface(primitive.surface.kind, point, axis, size), points, cloud.centre)


def _own_body(body: Body, cloud: Cloud) -> dict[str, Any]:
    return body_record(Body(body.kind, body.origin * cloud.scale + cloud.centre, body.frame, body.sizes * cloud.scale))


def _volume(cloud: Cloud, fit: BodyFit | None, hull: HullFit | None) -> dict[str, Any] | None:
    cube = cloud.scale**3
    if fit is not None:
        return {"value": fit.body.volume * cube, "error": fit.volume_error * cube, "source": "body"}
    if hull is not None:
        return {"value": hull.volume * cube, "error": hull.volume_error * cube, "source": "convex_hull"}
    return None


def _proof(cloud: Cloud, primitives: list[Primitive], fit: BodyFit | None, tolerance: float) -> dict[str, Any]:
    rows = []
    for each in primitives:
        distances = each.surface.distances(cloud.points[each.inliers]) * cloud.scale
        rows.append({**_residual(distances), "tolerance": each.tolerance * cloud.scale})
    body = None
    if fit is not None:
        body = {"inliers": round(fit.explained * len(cloud)), "residual_rms": fit.residual * cloud.scale}
    return {
        "points": len(cloud),
        "noise": cloud.noise * cloud.scale,
        "tolerance": tolerance * cloud.scale,
        "primitives": rows,
        "body": body,
    }


def _debug(cloud: Cloud, tolerance: float) -> dict[str, Any]:
    return {
        "scale": cloud.scale,
        "centre": cloud.centre,
        "spacing": cloud.spacing * cloud.scale,
        "tolerance": tolerance * cloud.scale,
    }
