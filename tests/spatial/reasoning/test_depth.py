"""The depth route: what depth maps show, and what is refused."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image as Pillow

from spatial.contract.images import IMAGE_PIXELS
from spatial.contract.responses import ResponsesInput, TaskType
from spatial.errors import InputRejected
from spatial.reasoning.question import pose
from spatial.reasoning.route import Routed, route
from tests.spatial.reasoning import clouds
from tests.spatial.reasoning.clouds import Array, ask, base64, npy, picture

ROWS, COLUMNS = 120, 160
CAMERA = {"fx": 200.0, "fy": 200.0, "cx": 80.0, "cy": 60.0}
FLOOR, TOP, LOW = 2.0, 1.5, 1.8
"""Depths in metres: a floor seen from above, and the tops of two blocks."""

DOWN = [[1.0, 0, 0, 0], [0, -1.0, 0, 0], [0, 0, -1.0, FLOOR]]
"""Camera to scene of a camera FLOOR above the origin that looks down."""

DEPTH_TASKS: tuple[TaskType, ...] = ("fit", "stability", "placement", "embed")


def desk() -> Array:
    depths = np.full((ROWS, COLUMNS), FLOOR)
    depths[20:60, 20:60] = TOP
    depths[70:110, 90:140] = LOW
    depths[0, :] = 0
    return depths


BLOCKS = [
    {"object_id": "tall", "box": {"x": 20, "y": 20, "width": 40, "height": 40}},
    {"object_id": "flat", "box": {"x": 90, "y": 70, "width": 50, "height": 40}, "kind": "box"},
]


def image(**members: Any) -> dict[str, Any]:
    return {
        "data_base64": npy(desk()),
        "kind": "depth",
        "intrinsics": CAMERA,
        "units": "meter",
        "pose": DOWN,
        **members,
    }


def routed(task: TaskType = "embed", **members: Any) -> Routed:
    return route(pose(ResponsesInput.model_validate({"task_type": task, **members})))


@pytest.mark.requirement("depth.truth", "depth.objects")
def test_points_lie_where_the_camera_saw_them() -> None:
    found = routed(image=image(objects=BLOCKS))
    tall, flat = found.question.scene
    assert (found.runtime, found.question.scene.units, tall.origin, flat.kind) == ("depth", "meter", "depth_map", "box")
    assert tall.points[:, 2] == pytest.approx(FLOOR - TOP)
    assert flat.points[:, 2] == pytest.approx(FLOOR - LOW)
    assert tall.bounds is not None
    left, right = (20 - 80) * TOP / 200, (59 - 80) * TOP / 200
    assert tall.bounds[:, 0] == pytest.approx([left, right], abs=2 * TOP / 200)
    assert tall.bounds[:, 1] == pytest.approx([(60 - 59) * TOP / 200, (60 - 20) * TOP / 200], abs=2 * TOP / 200)


@pytest.mark.requirement("depth.truth")
def test_without_a_pose_the_camera_is_level_and_a_warning_says_so() -> None:
    found = routed(image=image(pose=None))
    (only,) = found.question.scene
    assert only.points[:, 1].min() == pytest.approx(TOP)
    assert any("taken as level" in warning for warning in found.warnings)
    top_of_picture = only.points[only.points[:, 2].argmax()]
    assert top_of_picture[2] == pytest.approx((60 - 1) * FLOOR / 200, abs=0.05)


@pytest.mark.requirement("depth.truth")
def test_units_of_the_image_become_those_of_the_scene() -> None:
    scene = _document("millimeter")
    found = routed(image=image(objects=BLOCKS[:1]), cad_scene=scene)
    assert found.question.scene.units == "millimeter"
    assert found.question.scene.find("tall").points[:, 2] == pytest.approx(1000 * (FLOOR - TOP))
    with pytest.raises(InputRejected, match=r"input.image.units is 'parsec'"):
        routed(image=image(units="parsec"), cad_scene=scene)


def _document(units: str) -> dict[str, Any]:
    return {
        "schema": "cad.extraction.v1", "source_format": "step", "units": units, "request_id": "r", "warnings": [],
        "statistics": {"entity_counts": {}, "total_points": 0},
    }  # fmt: skip


@pytest.mark.requirement("depth.formats")
@pytest.mark.parametrize(
    "data",
    [
        lambda mm: picture(mm.astype(np.uint16)),
        lambda mm: npy(mm.astype(np.uint16)),
        lambda mm: npy(mm.astype(np.int32)),
        lambda mm: npy(np.asfortranarray(mm.astype(np.uint32))),
    ],
)
def test_whole_numbers_need_a_scale(data: Any) -> None:
    counts = data(np.round(desk() * 1000))
    found = routed(image=image(data_base64=counts, depth_scale=0.001, objects=BLOCKS))
    assert found.question.scene.find("tall").points[:, 2] == pytest.approx(FLOOR - TOP)
    with pytest.raises(InputRejected, match=r"input.image.depth_scale is missing"):
        routed(image=image(data_base64=counts))


@pytest.mark.requirement("depth.formats")
def test_a_jpeg_is_read_with_a_warning() -> None:
    grey = picture((desk() * 100).astype(np.uint8), "JPEG")
    found = routed(image=image(data_base64=grey, depth_scale=0.01, media_type="image/jpeg", objects=BLOCKS))
    assert found.question.scene.find("tall").points[:, 2].mean() == pytest.approx(FLOOR - TOP, abs=0.02)
    assert any("JPEG" in warning for warning in found.warnings)


@pytest.mark.requirement("depth.objects")
def test_masks_select_pixels_and_places_without_measurement_are_left_out() -> None:
    mask = np.zeros((ROWS, COLUMNS), np.uint8)
    mask[30:50, 30:50] = 7
    depths = desk()
    depths[30:50, 30:40] = np.nan
    named = [{"object_id": "patch", "mask_base64": picture(mask)}]
    found = routed(image=image(data_base64=npy(depths.astype(np.float32)), objects=named))
    assert len(found.question.scene.find("patch").points) == 20 * 10
    whole = routed(image=image(mask_base64=picture(mask), object_id="all"))
    assert len(whole.question.scene.find("all").points) == 20 * 20


@pytest.mark.requirement("depth.objects")
def test_an_image_without_objects_is_one_object_of_at_most_2048_points() -> None:
    (only,) = routed(image=image()).question.scene
    assert only.id == "image"
    assert 1_000 < len(only.points) <= 2_048


@pytest.mark.requirement("depth.support")
def test_the_support_plane_is_left_out() -> None:
    found = routed(image=image(remove_support_plane=True, object_id="things"))
    heights = found.question.scene.find("things").points[:, 2]
    assert heights.min() == pytest.approx(FLOOR - LOW)
    fog = np.random.default_rng(0).uniform(1, 2, (ROWS, COLUMNS))
    with pytest.raises(InputRejected, match=r"input.image.remove_support_plane is set, and no plane"):
        routed(image=image(data_base64=npy(fog), remove_support_plane=True))


@pytest.mark.requirement("depth.views")
def test_several_views_with_poses_are_one_scene() -> None:
    aside = [[1.0, 0, 0, 0.25], [0, -1.0, 0, 0], [0, 0, -1.0, FLOOR]]
    found = routed(image=image(objects=BLOCKS[:1]), images=[image(objects=BLOCKS, pose=aside)])
    tall = found.question.scene.find("tall")
    assert tall.bounds is not None
    assert np.ptp(tall.bounds[:, 0]) == pytest.approx(39 * TOP / 200 + 0.25, abs=0.02)
    with pytest.raises(InputRejected, match=r"input.images.0.pose is missing"):
        routed(image=image(), images=[image(pose=None)])


@pytest.mark.requirement("reasoning.learned-route")
@pytest.mark.parametrize("task", DEPTH_TASKS)
def test_a_depth_map_is_taken_by_the_tasks_that_may(task: TaskType) -> None:
    assert routed(task, image=image()).runtime == "depth"
    assert routed(task, image=image(), point_cloud_scene=clouds.cloud_scene(a=clouds.sphere(1))).runtime == "depth"


@pytest.mark.requirement("reasoning.geometric-route", "depth.unused")
@pytest.mark.parametrize("task", DEPTH_TASKS)
def test_without_a_usable_image_the_geometry_of_the_scene_is_taken(task: TaskType) -> None:
    scene = clouds.cloud_scene(a=clouds.sphere(1))
    assert routed(task, point_cloud_scene=scene).runtime == "geometric"
    colour = {"data_base64": picture(np.zeros((4, 4, 3), np.uint8))}
    found = routed(task, point_cloud_scene=scene, image=colour)
    assert found.runtime == "geometric"
    assert any("not used: input.image" in warning for warning in found.warnings)


@pytest.mark.requirement("reasoning.neither-422")
@pytest.mark.parametrize("task", DEPTH_TASKS)
def test_neither_image_nor_geometry_is_refused_with_what_to_send(task: TaskType) -> None:
    with pytest.raises(InputRejected, match="or as image a depth map with intrinsics"):
        routed(task)
    colour = {"data_base64": picture(np.zeros((4, 4, 3), np.uint8)), "kind": "rgb"}
    with pytest.raises(InputRejected, match="send a depth map"):
        routed(task, image=colour)
    with pytest.raises(InputRejected, match="send a depth map"):
        routed(task, image={**image(), "intrinsics": None})


@pytest.mark.requirement("depth.unused")
def test_other_tasks_name_the_images_that_they_do_not_use() -> None:
    found = routed(
        "reconstruct",
        image={"anything": 1},
        images=[{}],
        point_cloud_scene=clouds.cloud_scene(a=clouds.sphere(1)),
    )
    assert found.warnings == ("2 images are not used by the task reconstruct",)


@pytest.mark.requirement("reasoning.learned-route")
def test_embed_answers_from_a_depth_map_and_the_runtime_says_so() -> None:
    solved = ask("embed", image=image(objects=BLOCKS))
    assert (solved.runtime, solved.solver) == ("depth", "embed-1")
    assert [each["object_id"] for each in solved.output[0]["data"]["objects"]] == ["tall", "flat"]


def _png_header(width: int, height: int) -> str:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0))
    return base64(b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b""))


def _npy_header(shape: str, descr: str = "'<f8'") -> str:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117).encode() + b"\n"
    return base64(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(64))


def _objects() -> str:
    file = io.BytesIO()
    np.save(file, np.array([[{}]], dtype=object), allow_pickle=True)
    return base64(file.getvalue())


def _palette() -> str:
    file = io.BytesIO()
    Pillow.new("P", (4, 4)).save(file, "PNG")
    return base64(file.getvalue())


SMALL: NDArray[np.float64] = np.ones((4, 4))

HOSTILE: dict[str, tuple[dict[str, Any], str]] = {
    "no file": ({"data_base64": base64(b"hello world!")}, "data_base64 is no PNG"),
    "not base64": ({"data_base64": "!!!!"}, "data_base64"),
    "cut base64": ({"data_base64": npy(SMALL)[:-1]}, "data_base64"),
    "number": ({"data_base64": 5}, "data_base64"),
    "cut PNG": ({"data_base64": picture(np.ones((64, 64), np.uint8))[:80]}, "cannot be decoded"),
    "PNG bomb": ({"data_base64": _png_header(60_000, 60_000)}, "pixels; send"),
    "larger PNG": ({"data_base64": _png_header(4_001, 4_000)}, f"send at most {IMAGE_PIXELS}"),
    "colour": ({"data_base64": picture(np.zeros((4, 4, 3), np.uint8))}, "mode RGB"),
    "palette": ({"data_base64": _palette()}, "mode P"),
    "NPY bomb": ({"data_base64": _npy_header("(1000000, 1000000)")}, "send at most"),
    "negative shape": ({"data_base64": _npy_header("(-4, -4)")}, "NPY"),
    "cut NPY": ({"data_base64": _npy_header("(400, 400)")}, "cut off"),
    "pickle": ({"data_base64": _objects()}, "type object"),
    "text": ({"data_base64": _npy_header("(4, 4)", "'<U8'")}, "type <U8"),
    "complex": ({"data_base64": npy(SMALL.astype(complex))}, "type complex128"),
    "bad header": ({"data_base64": _npy_header("(4, __import__('os'))")}, "no readable NPY"),
    "one row": ({"data_base64": npy(np.ones(4))}, "shape"),
    "empty": ({"data_base64": npy(np.ones((0, 4)))}, "shape"),
    "no depth": ({"data_base64": npy(np.zeros((4, 4)))}, "no measured depth"),
    "not finite": ({"data_base64": npy(np.full((4, 4), np.inf))}, "no measured depth"),
    "negative depth": ({"data_base64": npy(-SMALL)}, "negative"),
    "other type": ({"media_type": "image/png"}, "media_type is image/png, but the data is application/x-npy"),
    "unknown type": ({"media_type": "image/gif"}, "media_type"),
    "focal length": ({"intrinsics": {**CAMERA, "fx": 0}}, "intrinsics.fx"),
    "infinite": ({"intrinsics": {**CAMERA, "cy": float("inf")}}, "intrinsics.cy"),
    "no cx": ({"intrinsics": {"fx": 1, "fy": 1, "cy": 1}}, "intrinsics.cx"),
    "scale": ({"depth_scale": -1}, "depth_scale"),
    "short pose": ({"pose": [[1, 0, 0, 0]]}, "pose"),
    "flat row": ({"pose": [[1, 0, 0]] * 3}, "pose.0"),
    "scaling pose": ({"pose": [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0]]}, "pose is no rotation"),
    "mirror pose": ({"pose": [[-1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]}, "pose is no rotation"),
    "small mask": ({"mask_base64": picture(np.ones((4, 4), np.uint8))}, "send a mask of the image's size"),
    "no mask": ({"mask_base64": npy(SMALL)}, "send the mask as PNG"),
    "same id": ({"objects": [BLOCKS[0], BLOCKS[0]]}, "objects.1.object_id"),
    "empty box": (
        {"objects": [{"object_id": "a", "box": {"x": 500, "y": 0, "width": 1, "height": 1}}]},
        "objects.0 has no measured",
    ),
    "no box": ({"objects": [{"object_id": "a", "box": {"x": -1, "y": 0, "width": 1, "height": 1}}]}, "objects.0.box.x"),
    "many": ({"objects": [{"object_id": str(place)} for place in range(101)]}, "objects"),
    "kind": ({"objects": [{"object_id": "a", "kind": "ball"}]}, "objects.0.kind"),
}


@pytest.mark.requirement("depth.hostile")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_images_are_refused_with_the_path(name: str) -> None:
    members, words = HOSTILE[name]
    with pytest.raises(InputRejected) as caught:
        routed(image=image(**members))
    assert words in caught.value.message
    assert caught.value.details is not None
    assert caught.value.details["field"].startswith("input.image.")


@pytest.mark.requirement("depth.hostile")
def test_further_members_are_named_in_a_warning() -> None:
    found = routed(image=image(exposure=5))
    assert any("exposure" in warning for warning in found.warnings)


@pytest.mark.requirement("depth.hidden-sides")
@pytest.mark.parametrize("task", DEPTH_TASKS)
def test_an_object_that_one_view_shows_is_named_where_its_hidden_sides_matter(task: TaskType) -> None:
    completed = "one view shows tall, flat: the sides turned away from the camera are taken from the convex hull"
    once = routed(task, image=image(objects=BLOCKS))
    assert any(completed in warning for warning in once.warnings) == (task != "embed")
    twice = routed(task, images=[image(objects=BLOCKS), image(objects=BLOCKS)])
    assert not any("one view shows" in warning for warning in twice.warnings)
