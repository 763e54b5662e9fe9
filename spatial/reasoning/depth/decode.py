"""Decode depth maps and masks: PNG and JPEG with Pillow, NPY with numpy; nothing is decoded before its size is known.

A depth that is 0, NaN or infinite is no measurement (ROS REP 117 and 118). NPY: numpy.lib.format, without pickles.
"""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from spatial.contract.images import IMAGE_PIXELS, MediaType
from spatial.errors import InputRejected

MAGIC: Final[dict[bytes, MediaType]] = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"\x93NUMPY": "application/x-npy",
}
"""How the files of each type begin."""

DEPTH_MODES: Final = ("L", "I", "I;16", "I;16B", "I;16L", "I;16N", "F")
"""Pillow's modes with one channel of numbers."""

MASK_MODES: Final = ("1", "P", *DEPTH_MODES)
"""Pillow's modes of masks; of a palette the index counts."""


@dataclass(frozen=True)
class Decoded:
    """A depth map as it is stored.

    depths: (rows, columns) floats in counts; 0 where nothing was measured.
    are_counts: whether the file has whole numbers, which need a scale.
    """

    depths: NDArray[Any]
    are_counts: bool
    media_type: MediaType


def decode_depth(data: bytes, media_type: MediaType | None, path: str) -> Decoded:
    """The depths of an image. Raises: InputRejected with the path of the field."""
    found = next((name for magic, name in MAGIC.items() if data.startswith(magic)), None)
    if found is None:
        raise rejected(f"{path}.data_base64", "is no PNG, JPEG or NPY file; send one of these")
    if media_type not in (None, found):
        raise rejected(f"{path}.media_type", f"is {media_type}, but the data is {found}; correct one of them")
    field = f"{path}.data_base64"
    array = _npy(data, field) if found == "application/x-npy" else _raster(data, field, DEPTH_MODES, "depth map")
    return Decoded(_measured(array, field), bool(np.issubdtype(array.dtype, np.integer)), found)


def decode_mask(data: bytes, shape: tuple[int, ...], path: str) -> NDArray[np.bool_]:
    """The pixels of a mask that are not 0. Raises: InputRejected if it is no PNG of that shape."""
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        raise rejected(path, "is no PNG file; send the mask as PNG")
    mask: NDArray[np.bool_] = np.asarray(_raster(data, path, MASK_MODES, "mask"), dtype=bool)
    if mask.shape != shape:
        raise rejected(
            path,
            f"is {mask.shape[1]} x {mask.shape[0]}, and the image {shape[1]} x {shape[0]}; send a mask of the image's size",
        )
    return mask


def rejected(path: str, problem: str, **details: object) -> InputRejected:
    """The refusal of one field of the request."""
    return InputRejected(f"{path} {problem}", details={"field": path, **details})


def _raster(data: bytes, path: str, modes: tuple[str, ...], what: str) -> NDArray[Any]:
    """The pixels of a PNG or JPEG with one channel."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            with Pillow.open(io.BytesIO(data), formats=("PNG", "JPEG")) as image:
                _check_size(image.width, image.height, path)
                if image.mode not in modes:
                    raise rejected(
                        path, f"has pixels of mode {image.mode}, which is no {what}; send one channel of 8 or 16 bits"
                    )
                return np.array(image)
    except InputRejected:
        raise
    except (Pillow.DecompressionBombWarning, Pillow.DecompressionBombError):
        raise rejected(path, f"has more than {IMAGE_PIXELS} pixels; send fewer") from None
    except Exception as problem:  # noqa: BLE001 - Pillow raises OSError, SyntaxError, ValueError, zlib.error and others on damaged files
        raise rejected(path, f"cannot be decoded ({type(problem).__name__}); send a whole PNG or JPEG file") from None


def _check_size(width: int, height: int, path: str) -> None:
    if width * height > IMAGE_PIXELS:
        raise rejected(path, f"is {width} x {height}; send at most {IMAGE_PIXELS} pixels")


def _npy(data: bytes, path: str) -> NDArray[Any]:
    """The array of an NPY file, whose header is checked before anything is allocated."""
    try:
        shape, dtype, begin = _npy_header(data)
    except (ValueError, EOFError, SyntaxError, TypeError) as problem:
        raise rejected(path, f"is no readable NPY file ({type(problem).__name__}); save it with numpy.save") from None
    if dtype.hasobject or dtype.kind not in "fiu":
        raise rejected(path, f"has values of type {dtype}; send whole numbers or floats")
    if len(shape) != 2 or 0 in shape:
        raise rejected(path, f"is an array of shape {shape}; send rows and columns of depths")
    _check_size(shape[1], shape[0], path)
    if len(data) - begin != shape[0] * shape[1] * dtype.itemsize:
        raise rejected(path, "is cut off or has further bytes; send the whole file alone")
    array: NDArray[Any] = np.load(io.BytesIO(data), allow_pickle=False)
    return array


def _npy_header(data: bytes) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape, type and the place where the values begin."""
    file = io.BytesIO(data)
    version = np.lib.format.read_magic(file)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    elif version == (2, 0):
        shape, _, dtype = np.lib.format.read_array_header_2_0(file)
    else:
        raise ValueError("a version of NPY that only structured types need")
    if any(isinstance(length, bool) or length < 0 for length in shape):
        raise ValueError("a length is not a whole number from 0")
    return shape, dtype, file.tell()


def _measured(array: NDArray[Any], path: str) -> NDArray[Any]:
    """Depths as floats, 0 where nothing was measured. Raises: InputRejected for a negative depth, or if nothing was measured."""
    depths: NDArray[np.floating[Any]] = array.astype(np.float64 if array.dtype.itemsize >= 4 else np.float32)
    depths[~np.isfinite(depths)] = 0
    if (depths < 0).any():
        raise rejected(path, "has negative depths; send 0 where nothing was measured")
    if not depths.any():
        raise rejected(path, "has no measured depth; send depths above 0")
    return depths
