"""The shared libraries that the readers load and that a minimal Linux lacks."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping
from typing import Final

SYSTEM_LIBRARIES: Final = {"libGL.so.1": "libgl1", "libX11.so.6": "libx11-6"}
"""Libraries that the OCP wheel loads, with the Debian packages that contain them."""


def find_missing(libraries: Mapping[str, str] = SYSTEM_LIBRARIES) -> dict[str, str]:
    """The libraries that cannot be loaded on Linux, with their packages; wheels for other systems contain theirs."""
    if not sys.platform.startswith("linux"):
        return {}
    return {name: package for name, package in libraries.items() if not _loads(name)}


def describe(missing: Mapping[str, str]) -> tuple[str, str]:
    """What is missing, and what to do about it."""
    return f"{' and '.join(missing)} cannot be loaded", f"on Debian, run apt-get install {' '.join(missing.values())}"


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
