"""One document from a reading, its meaning and its points; and the bytes of the document.

Numbers: JSON has no NaN and no infinity, so a document has none. Such a number is left out with the property that
holds it; in an array of numbers the whole array is left out, since a position without one coordinate is none. A warning
names each place.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import msgspec
from pydantic import ValidationError
from pydantic_core import to_json

from spatial.contract.extraction import CadExtraction, Statistics, Structure
from spatial.contract.points import PointCloudScene
from spatial.contract.target import TargetContract
from spatial.counting import count_of, listed
from spatial.errors import InternalError
from spatial.geometry.sampling import ANGULAR_DEFLECTION, LINEAR_DEFLECTION, is_capped
from spatial.models.reading import Meaning, Reading
from spatial.models.sampling_plan import SamplingPlan

MAX_NONFINITE_LISTED: Final = 20
"""Most numbers that are not finite for which a warning names the place."""


_FINENESS: Final = {
    "linear_deflection": LINEAR_DEFLECTION,
    "angular_deflection": ANGULAR_DEFLECTION,
}
"""Of the triangles that points of a B-rep come from: a part of the object's size, and radians."""


def assemble(
    reading: Reading,
    meaning: Meaning,
    clouds: PointCloudScene | None,
    *,
    file_name: str,
    target: TargetContract,
    request_id: str,
    plan: SamplingPlan | None = None,
) -> CadExtraction:
    """The document, without usage; warnings say what the sampling plan did to the point clouds.

    Further properties: `units_evidence` is how the units were found, `sampling` how the points were sampled.
    """
    scene = clouds if target.has_points else None
    sampling_warnings = list(_sampling_warnings(reading, scene, plan)) if scene is not None else []
    further: dict[str, Any] = {"units_evidence": reading.units.model_dump(exclude_none=True)}
    if scene is not None and plan is not None:
        further["sampling"] = plan.model_dump() | (_FINENESS if reading.structure.kind == "brep" else {})
    return CadExtraction(
        schema="cad.extraction.v1",
        source_format=reading.source_format,
        units=reading.units.name,
        structure=_structure(reading.structure, meaning) if target.has_structure else None,
        point_cloud_scene=scene,
        statistics=_statistics(reading, scene),
        warnings=list(dict.fromkeys([*reading.warnings, *meaning.warnings, *sampling_warnings])),
        partial=reading.partial or None,
        file_name=file_name,
        target_contract=target,
        request_id=request_id,
        **further,
    )


def _structure(read: Structure, meaning: Meaning) -> Structure:
    """What was read, with what it means merged into it."""
    meant = {"callouts": meaning.callouts, "drawing_metadata": meaning.drawing_metadata}
    known = {name: value for name, value in meaning.structure.items() if name in Structure.model_fields}
    # A member that the contract knows comes as plain data and has to become its model again.
    parsed = Structure.model_validate({"kind": read.kind, **known})
    update = {
        **{name: value for name, value in meaning.structure.items() if name not in known},
        **{name: getattr(parsed, name) for name in known},
        **{name: value for name, value in meant.items() if value is not None},
    }
    return read.model_copy(update=update)


def _statistics(reading: Reading, scene: PointCloudScene | None) -> Statistics:
    points = sum(len(cloud.points) for cloud in scene.point_clouds) if scene else 0
    return Statistics(entity_counts=reading.entity_counts, total_points=points, bbox=reading.bbox)


def _sampling_warnings(reading: Reading, scene: PointCloudScene, plan: SamplingPlan | None) -> Iterator[str]:
    """Warnings about points that objects share, and about objects without points."""
    objects = len(scene.point_clouds)
    if plan and is_capped(objects, plan.points_per_object, plan.points_total):
        least = min(len(cloud.points) for cloud in scene.point_clouds)
        yield (
            f"{count_of(objects, 'object shares', 'objects share')} {count_of(plan.points_total, 'point')}: "
            f"each has at least {least:,} and larger ones more, instead of {plan.points_per_object:,} each"
        )
    sampled = {cloud.object_id for cloud in scene.point_clouds}
    bare = [solid.id for solid in reading.structure.solids or () if solid.id not in sampled]
    if bare:
        yield f"there are no points on {listed(bare, 10)}: no face of it could be turned into triangles"


def result_bytes(document: CadExtraction) -> bytes:
    """The document as JSON, absent members left out, without `usage`.

    Raises: InternalError where a member that the contract requires is not a finite number.
    """
    body = document.model_dump_json(exclude={"usage"}, exclude_none=True).encode()
    try:
        msgspec.json.decode(body, type=msgspec.Raw)  # passes over the values without making them
    except msgspec.DecodeError:  # a number that is not finite is dumped as NaN or Infinity, which are no JSON
        return _finite_bytes(document)
    return body


def _finite_bytes(document: CadExtraction) -> bytes:
    """The document as JSON without its numbers that are not finite. Raises: InternalError."""
    lost: list[str] = []
    kept = _finite(document.model_dump(exclude={"usage"}, exclude_none=True), "", lost)
    kept["warnings"] = list(dict.fromkeys([*kept["warnings"], *_nonfinite_warnings(lost)]))
    try:
        CadExtraction.model_validate(kept)
    except ValidationError as error:
        raise InternalError("a number that the document must have is not finite; export the file again") from error
    return to_json(kept)


def _finite(value: Any, path: str, lost: list[str]) -> Any:
    """A value without numbers that are not finite; _LOST where nothing remains; appends the path of each number left out to `lost`."""
    if isinstance(value, float) and not math.isfinite(value):
        lost.append(path)
        return _LOST
    if isinstance(value, dict):
        members = {
            name: _finite(member, f"{path}.{name}" if path else str(name), lost) for name, member in value.items()
        }
        return {name: member for name, member in members.items() if member is not _LOST}
    if isinstance(value, (list, tuple)):
        if any(isinstance(item, float) and not math.isfinite(item) for item in value):
            lost.append(path)
            return _LOST
        items = [_finite(item, f"{path}[{place}]", lost) for place, item in enumerate(value)]
        return [item for item in items if item is not _LOST]
    return value


def _nonfinite_warnings(lost: list[str]) -> Iterator[str]:
    for path in lost[:MAX_NONFINITE_LISTED]:
        yield f"{path} is not a finite number and was left out"
    if len(lost) > MAX_NONFINITE_LISTED:
        one, many = "more number is not finite and was", "more numbers are not finite and were"
        yield f"{count_of(len(lost) - MAX_NONFINITE_LISTED, one, many)} left out"


_LOST: Final = object()
