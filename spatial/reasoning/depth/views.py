"""Views: the depth maps of a request as objects of one scene.

Several views of one object are one object, if each view has a pose. Without a pose the camera is taken as level: the scene's x points
right, y away from the camera, and z up in the image.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from spatial.contract.images import Image, ImageObject, Intrinsics
from spatial.contract.validation import refusal
from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.depth.decode import Decoded, decode_depth, decode_mask, rejected
from spatial.reasoning.depth.project import back_project, thin
from spatial.reasoning.depth.support import SupportPlane, largest_plane
from spatial.reasoning.scene.model import Array, SceneObject

LEVEL: Final = np.array([[1.0, 0, 0, 0], [0, 0, 1.0, 0], [0, -1.0, 0, 0]])
"""Pose of a level camera that looks along y."""

RIGID_TOLERANCE: Final = 1e-3
"""Deviation of a pose's rotation from an orthonormal matrix: three decimals of a hand-written pose."""

METERS: Final = {
    "meter": 1.0, "centimeter": 1e-2, "millimeter": 1e-3, "micrometer": 1e-6, "inch": 0.0254, "foot": 0.3048,
}  # fmt: skip
"""Length units, by the names that documents use."""

TRUNCATED: Final = 20
"""Maximum number of names that a warning lists."""


@dataclass
class Views:
    """What the depth maps of a request show."""

    units: str
    objects: dict[str, SceneObject]
    warnings: list[str] = field(default_factory=list)
    seen_once: list[str] = field(default_factory=list)
    """Ids of objects that a single view shows: their far sides were not seen."""


@dataclass(frozen=True)
class _Part:
    """Points of one object in one view, in the scene's frame and units."""

    id: str
    kind: Any
    points: Array


def read_images(entries: Sequence[Mapping[str, Any]], paths: Sequence[str]) -> list[Image]:
    """The images of a request. Raises: InputRejected with the path of the first member that is wrong."""
    return [_read(entry, path) for entry, path in zip(entries, paths, strict=True)]


def _read(entry: Mapping[str, Any], path: str) -> Image:
    try:
        return Image.model_validate(entry)
    except ValidationError as problem:
        found = refusal(problem)
        details = found.details or {}
        errors = [{**error, "path": f"{path}.{error['path']}"} for error in details.get("errors", [])]
        raise InputRejected(
            f"{path}.{found.message}",
            details={**details, "field": f"{path}.{details.get('field', '')}", "errors": errors},
        ) from None


def objects_of(images: Sequence[tuple[str, Image]], units: str | None, seed: int) -> Views:
    """The objects of depth maps with intrinsics.

    Args:
        images: with the path of each in the request.
        units: the scene's; None if the request has no other geometry with units.
        seed: of the search for the support plane.

    Raises:
        InputRejected: an image cannot be decoded, or its frame or units cannot be related to the others.
    """
    if len(images) > 1:
        _require_poses(images)
    views = Views(units or next((image.units for _, image in images if image.units), "unknown"), {})
    parts = [part for path, image in images for part in _parts_of(image, path, views, seed)]
    for part in parts:
        same = [other for other in parts if other.id == part.id]
        if part is same[0]:
            views.objects[part.id] = _merged(same)
            if len(same) == 1:
                views.seen_once.append(part.id)
    return views


def _require_poses(images: Sequence[tuple[str, Image]]) -> None:
    for path, image in images:
        if image.pose is None:
            raise rejected(
                f"{path}.pose", "is missing, and several views need one each; give camera to scene as 3 x 4 numbers"
            )


def _parts_of(image: Image, path: str, views: Views, seed: int) -> Iterator[_Part]:
    """The objects of one view. Raises: InputRejected."""
    _warn_of_unused(image, path, views.warnings)
    decoded = decode_depth(image.content(), image.media_type, path)
    if decoded.media_type == "image/jpeg":
        views.warnings.append(f"{path} is a JPEG, whose compression alters the depths; PNG and NPY keep them")
    factor = _conversion(image.units, views.units, path, views.warnings)
    view = _View(
        path, decoded.depths, _visible(image, decoded, path), image.intrinsics, _scale(image, decoded, path),
        _frame(image, path, views.warnings),
    )  # fmt: skip
    support = view.support(seed) if image.remove_support_plane else None
    for found, field_path in _listed(image, path):
        points = view.points(_pixels(found, decoded.depths.shape, field_path))
        if support is not None:
            points = points[~support.holds(points)]
        if not len(points):
            raise rejected(field_path, "has no measured depth in its pixels; correct its box or mask")
        yield _Part(found.object_id, found.kind, thin(view.placed(points) * factor))


@dataclass(frozen=True)
class _View:
    """One depth map. frame: (3, 4) camera to scene, in units of the image."""

    path: str
    depths: NDArray[Any]
    visible: NDArray[np.bool_]
    camera: Intrinsics | None
    scale: float
    frame: Array

    def points(self, pixels: NDArray[np.bool_]) -> Array:
        """(n, 3) in the camera's frame."""
        assert self.camera is not None
        return back_project(self.depths, self.visible & pixels, self.camera, self.scale)

    def placed(self, points: Array) -> Array:
        """The same in the scene's frame."""
        return points @ self.frame[:, :3].T + self.frame[:, 3]

    def support(self, seed: int) -> SupportPlane:
        """The largest plane of the whole view. Raises: InputRejected if there is none."""
        found = largest_plane(thin(self.points(np.ones_like(self.visible))), seed)
        if found is None:
            raise rejected(
                f"{self.path}.remove_support_plane",
                "is set, and no plane has a tenth of the points; unset it or show more of the support",
            )
        return found


def _visible(image: Image, decoded: Decoded, path: str) -> NDArray[np.bool_]:
    """The pixels that may be used."""
    mask = image.mask()
    shape = decoded.depths.shape
    return np.ones(shape, bool) if mask is None else decode_mask(mask, shape, f"{path}.mask_base64")


def _warn_of_unused(image: Image, path: str, warnings: list[str]) -> None:
    unknown = list(image.model_extra or {})[:TRUNCATED]
    if unknown:
        warnings.append(
            f"{path} has {count_of(len(unknown), 'member that is', 'members that are')} not used: {', '.join(unknown)}"
        )


def _scale(image: Image, decoded: Decoded, path: str) -> float:
    if image.depth_scale is None and decoded.are_counts:
        raise rejected(f"{path}.depth_scale", "is missing; give the units per count, for example 0.001")
    return 1.0 if image.depth_scale is None else image.depth_scale


def _conversion(own: str | None, scene: str, path: str, warnings: list[str]) -> float:
    """Scene units per unit of the image."""
    if own is None or own == scene:
        return 1.0
    if own in METERS and scene in METERS:
        return METERS[own] / METERS[scene]
    if scene == "unknown":
        warnings.append(f"{path} is in {own}, and the scene names no units; both are taken as the same")
        return 1.0
    raise rejected(f"{path}.units", f"is {own!r}, which cannot be converted to {scene}; use one of {', '.join(METERS)}")


def _frame(image: Image, path: str, warnings: list[str]) -> Array:
    """(3, 4) camera to scene. Raises: InputRejected for a pose that is no rotation and translation."""
    if image.pose is None:
        warnings.append(f"{path} has no pose: the camera is taken as level, with z up in the image")
        return LEVEL
    pose = np.array(image.pose[:3], dtype=np.float64)
    turn = pose[:, :3]
    is_rigid = np.allclose(turn @ turn.T, np.eye(3), atol=RIGID_TOLERANCE) and np.linalg.det(turn) > 0
    if not is_rigid or (len(image.pose) == 4 and tuple(image.pose[3]) != (0, 0, 0, 1)):
        raise rejected(
            f"{path}.pose", "is no rotation and translation; give camera to scene as 3 x 4 numbers, row by row"
        )
    left, _, right = np.linalg.svd(turn)
    return np.column_stack([left @ right, pose[:, 3]])


def _listed(image: Image, path: str) -> Iterator[tuple[ImageObject, str]]:
    """The objects that an image names, or the one that it shows. Raises: InputRejected for an id that is there twice."""
    if not image.objects:
        yield ImageObject(object_id=image.object_id or path.removeprefix("input.").replace(".", "-")), path
        return
    seen: set[str] = set()
    for place, found in enumerate(image.objects):
        if found.object_id in seen:
            raise rejected(
                f"{path}.objects.{place}.object_id", f"{found.object_id!r} is used twice; use one id per object"
            )
        seen.add(found.object_id)
        yield found, f"{path}.objects.{place}"


def _pixels(found: ImageObject, shape: tuple[int, ...], path: str) -> NDArray[np.bool_]:
    pixels = np.ones(shape, bool)
    if found.box is not None:
        box = found.box
        pixels[:] = False
        pixels[box.y : box.y + box.height, box.x : box.x + box.width] = True
    mask = found.mask()
    if mask is not None:
        pixels &= decode_mask(mask, shape, f"{path}.mask_base64")
    return pixels


def _merged(parts: Sequence[_Part]) -> SceneObject:
    points = thin(np.vstack([part.points for part in parts]))
    points.flags.writeable = False
    bounds = np.array([points.min(axis=0), points.max(axis=0)])
    bounds.flags.writeable = False
    return SceneObject(id=parts[0].id, origin="depth_map", kind=parts[0].kind, bounds=bounds, points=points)
