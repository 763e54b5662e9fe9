"""The files from which fuzzing starts: the examples, the specimens, the suite's own files, and the shared corpus where it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from spatial.contract.formats import EXTENSIONS, extension_of

ROOT: Final = Path(__file__).resolve().parents[1]

SPECIMENS: Final = ROOT / "converter" / "specimens"

FOLDERS: Final = (*(ROOT / "examples", SPECIMENS, ROOT / "tests" / "data", ROOT.parent / "shared" / "corpus"),)

MOST_BYTES: Final = 150_000
"""Of a seed: what is read quickly is changed often."""


def seeds(*formats: str) -> list[Path]:
    """Files of these formats, of all where none is named, in one order."""
    return sorted(path for path in _files() if not formats or _format(path) in formats)


def _files() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in folder.rglob("*") if folder.is_dir() else ():
            if path.is_file() and _format(path) is not None and path.stat().st_size <= MOST_BYTES:
                yield path


def _format(path: Path) -> str | None:
    row = EXTENSIONS.get(extension_of(path.name))
    return row.name if row else None
