"""Sampled points: PointCloud and PointCloudScene (spec: PointCloud and PointCloudScene).

A point is a plain dict, not a model. For the 65,536 points that a document may carry, dicts are validated from JSON in
45 ms (17 MB) and one model per point in 154 ms (37 MB); parsing alone takes 29 ms. Packed numbers would save the
memory, but take 40 instead of 23 ms to write. `PointCloud.of` takes half the time of the constructor.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from math import isfinite
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, with_config
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from spatial.contract import examples
from spatial.contract.model import ItemList, Model

KINDS = ("unknown", "box", "surface", "container")
"""Kinds of object that a point cloud may represent."""

INPUT_REJECTED = "input_rejected"
"""Error type of input that is well formed but that the reasoning worker rejects: 422, not 400 (spec: Errors, 422)."""


def _known_kind(kind: Any) -> Any:
    if isinstance(kind, str) and kind not in KINDS:
        raise PydanticCustomError(
            INPUT_REJECTED, "point cloud kind is unknown; give one of {kinds}", {"kinds": ", ".join(KINDS)}
        )
    return kind


PointCloudKind = Annotated[Literal["unknown", "box", "surface", "container"], BeforeValidator(_known_kind)]


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
class Point(TypedDict):
    """One point, in the document's units; all three coordinates are finite numbers."""

    x: float
    y: float
    z: float


class PointCloud(Model):
    """Points on the surface of one object."""

    object_id: str
    """Id of the object on which the points lie; in an extracted document the solid's id."""
    kind: PointCloudKind = "unknown"
    """Role of the object in a scene."""
    points: ItemList[Point]

    @classmethod
    def of(cls, object_id: str, rows: Sequence[Sequence[float]], kind: PointCloudKind = "unknown") -> Self:
        """Make a cloud of (n, 3) coordinates: `array.tolist()` of a float64 array.

        Raises: ValueError for a number that is not finite, or a row that is not three numbers.
        """
        if not all(map(isfinite, chain.from_iterable(rows))):
            raise ValueError(f"{object_id}: a coordinate is not a finite number")
        made = cls(object_id=object_id, kind=kind, points=[])
        # A copy of the model with its points took as long as making them: there may be 10,000 clouds of a few points.
        made.points.extend([{"x": x, "y": y, "z": z} for x, y, z in rows])
        return made

    def flat(self) -> array[float]:
        """x, y, z, x, y, z, … as float64: `numpy.frombuffer(cloud.flat()).reshape(-1, 3)`."""
        return array("d", [value for point in self.points for value in (point["x"], point["y"], point["z"])])


class PointCloudScene(Model):
    """All point clouds of a document or of a scene."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.POINT_CLOUD_SCENE]})

    point_clouds: ItemList[PointCloud]
    scene_id: Annotated[str | None, Field(examples=["scene-1"])] = None
    """The caller's name of the scene."""
