"""The files that pages load: style sheet, scripts, icon. Their addresses carry a digest of the content, so that browsers may keep them."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("assets")

ROUTE: Final = "/console/assets"

MEDIA_TYPES: Final = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
}
"""Every kind of file that the folder may hold."""


def url(name: str) -> str:
    """The address of a file of this version."""
    return f"{ROUTE}/{name}?{hashlib.sha256(content(name)).hexdigest()[:12]}"


def names() -> frozenset[str]:
    """Names of the files that are served."""
    return frozenset(path.name for path in FOLDER.iterdir() if path.suffix in MEDIA_TYPES)


@lru_cache
def content(name: str) -> bytes:
    """The content of a file of the folder."""
    return (FOLDER / name).read_bytes()


def media_type(name: str) -> str:
    """Its media type."""
    return MEDIA_TYPES[Path(name).suffix]
