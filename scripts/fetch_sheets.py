"""Fetch labelled sheets that are not in the repository from their public origins: python scripts/fetch_sheets.py.

Each label in tests/sheets names repository, path, commit and SHA-256 of its sheet. A file with another checksum is refused. Where a
label is of one page of a longer file, the checksum is that of the whole file, and the page is cut out of it.
What is fetched stays under the licence that the label names, and in tests/sheets/fetched, which git ignores.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import pymupdf as _pymupdf

pymupdf: Any = _pymupdf
SHEETS: Final = Path(__file__).resolve().parents[1] / "tests" / "sheets"
FETCHED: Final = "fetched"
HOST: Final = "https://raw.githubusercontent.com"
TIMEOUT_SECONDS: Final = 60
MOST_BYTES: Final = 20_000_000
"""No labelled sheet is larger."""


@dataclass(frozen=True)
class Origin:
    """Where one labelled sheet comes from."""

    file: str
    url_path: str
    sha256: str
    """Of the whole file."""
    licence: str
    page: int | None
    """Of the whole file, from 1; None where all of it is labelled."""


def missing(sheets: Path) -> Iterator[Origin]:
    """Sheets under `sheets` that have a label and are neither beside it nor in the folder of fetched ones."""
    for label in sorted(sheets.rglob("*.truth.json")):
        truth = json.loads(label.read_text("utf-8"))
        file, origin = truth["file"], truth["origin"]
        if not (label.parent / file).exists() and not (sheets / FETCHED / file).exists():
            repository = origin["repository"].removeprefix("github.com/")
            path = f"{repository}/{origin['commit']}/{quote(origin['path'])}"
            whole = origin.get("sha256_of_whole_file", origin["sha256"])
            yield Origin(file, path, whole, origin["licence"], origin.get("page"))


def fetch(origin: Origin, folder: Path, host: str) -> str:
    """Fetch one sheet into `folder`; what is wrong, or nothing."""
    try:
        with urllib.request.urlopen(f"{host}/{origin.url_path}", timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310 - the host is the caller's choice
            data = answer.read(MOST_BYTES + 1)
    except (urllib.error.URLError, OSError) as error:
        return f"{host}/{origin.url_path} does not answer: {error}; try again, or download the file by hand"
    got = hashlib.sha256(data).hexdigest()
    if got != origin.sha256:
        return f"its checksum is {got[:12]}…, not {origin.sha256[:12]}…; the file at its origin is not the labelled one"
    if origin.page is not None:
        data = page_of(data, origin.page)
    folder.mkdir(exist_ok=True)
    part = folder / f"{origin.file}.part"
    part.write_bytes(data)
    part.replace(folder / origin.file)
    return ""


def page_of(data: bytes, page: int) -> bytes:
    """One page of a PDF, from 1, as a PDF."""
    with pymupdf.open(stream=data, filetype="pdf") as document:
        document.select([page - 1])
        cut: bytes = document.tobytes(garbage=3, deflate=True)
        return cut


def main(argv: list[str] | None = None) -> int:
    """Fetch all that is missing; 1 where a sheet could not be fetched."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--host", default=HOST, help=f"Where files of repositories are served (default {HOST}).")
    parser.add_argument("--sheets", type=Path, default=SHEETS, help="Folder of the labels.")
    chosen = parser.parse_args(argv)
    failed = 0
    for origin in missing(chosen.sheets):
        wrong = fetch(origin, chosen.sheets / FETCHED, chosen.host)
        failed += bool(wrong)
        print(f"{origin.file}: {wrong or f'fetched; licence: {origin.licence}'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
