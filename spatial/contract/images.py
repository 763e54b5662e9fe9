"""Entries of `image` and `images` in a reasoning request: depth maps with the camera's intrinsics, and colour frames.

    {"data_base64": "iVBOR…", "kind": "depth", "intrinsics": {"fx": 525, "fy": 525, "cx": 319.5, "cy": 239.5}, "depth_scale": 0.001}

The specification leaves the members open (spec: ResponsesRequest, `image`: free-form); these are the ones that the service reads.
Camera frame: x right, y down, z away from the camera, as in OpenCV and COLMAP; a depth is the coordinate z, not the length of the ray.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from spatial.contract.content import ContentBase64, decoded
from spatial.contract.model import Model, Numbers, OpenModel
from spatial.contract.points import PointCloudKind

IMAGE_PIXELS: Final = 16_000_000
"""Maximum number of pixels of one image or mask: above any depth camera (4,096 x 3,072), and 128 MB as float64."""

IMAGE_OBJECTS: Final = 100
"""Maximum number of objects that one image may name."""

MediaType = Literal["image/png", "image/jpeg", "application/x-npy"]

Positive = Annotated[float, Field(gt=0, le=1e12)]
Pixel = Annotated[int, Field(ge=0, le=IMAGE_PIXELS)]


class Intrinsics(OpenModel):
    """The pinhole camera, in pixels; the centre of the first pixel is (0, 0)."""

    fx: Positive
    """Focal length along the image's rows."""
    fy: Positive
    """Focal length along the image's columns."""
    cx: Annotated[float, Field(ge=-1e12, le=1e12)]
    """Principal point, columns from the left."""
    cy: Annotated[float, Field(ge=-1e12, le=1e12)]
    """Principal point, rows from the top."""


class PixelBox(Model):
    """A rectangle of pixels."""

    x: Pixel
    """First column."""
    y: Pixel
    """First row."""
    width: Annotated[int, Field(ge=1, le=IMAGE_PIXELS)]
    height: Annotated[int, Field(ge=1, le=IMAGE_PIXELS)]


class ImageObject(OpenModel):
    """Which pixels show one object: those in the box, and of these the ones in the mask."""

    object_id: str
    kind: PointCloudKind = "unknown"
    box: PixelBox | None = None
    mask_base64: ContentBase64 | None = None
    """PNG of the image's size with one channel; pixels other than 0 belong to the object."""

    def mask(self) -> bytes | None:
        """The mask's file, decoded on every call."""
        return None if self.mask_base64 is None else decoded(self.mask_base64)


Row = Annotated[Numbers, Field(min_length=4, max_length=4)]


class Image(OpenModel):
    """One depth map or colour frame."""

    data_base64: ContentBase64
    """PNG, JPEG or NPY file, as standard base64."""
    media_type: MediaType | None = None
    """What the data is; the data itself tells where this is absent."""
    kind: Literal["depth", "rgb"] | None = None
    """By default depth where `intrinsics` is there, otherwise rgb."""
    intrinsics: Intrinsics | None = None
    depth_scale: Positive | None = None
    """Units per count, for example 0.001 for millimetres that are read as metres. Required where the depths are whole numbers;
    1 by default where they are not."""
    units: str | None = None
    """Unit of the scaled depths; by default that of the scene."""
    pose: Annotated[list[Row] | None, Field(min_length=3, max_length=4)] = None
    """Camera to scene, 3 x 4 or 4 x 4 row by row, in the same units as the scaled depths: a rotation and a translation."""
    mask_base64: ContentBase64 | None = None
    """PNG of the image's size with one channel; where it is 0, nothing is used."""
    objects: Annotated[list[ImageObject] | None, Field(max_length=IMAGE_OBJECTS)] = None
    """The objects in the image; without them everything that was measured is one object."""
    object_id: str | None = None
    """Id of the one object of an image without `objects`; by default image, images-0, images-1, …"""
    remove_support_plane: bool = False
    """Whether the points of the largest plane are left out, for example those of a table."""

    @property
    def is_depth(self) -> bool:
        """Whether the pixels are depths."""
        return self.kind == "depth" or (self.kind is None and self.intrinsics is not None)

    def content(self) -> bytes:
        """The image's file, decoded on every call."""
        return decoded(self.data_base64)

    def mask(self) -> bytes | None:
        """The mask's file, decoded on every call."""
        return None if self.mask_base64 is None else decoded(self.mask_base64)
