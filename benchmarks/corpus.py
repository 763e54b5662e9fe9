"""Corpus: every file through the API, what came of it, how long it took, and how far its volume is from the reference.

    python -m benchmarks corpus
    python -m benchmarks.corpus --url http://127.0.0.1:8000 --key sk_… [--folder DIR]

The folder is `shared/corpus` beside the repository, else the bundled examples. Its `volumes.json` holds reference volumes,
integrated adaptively, in cubic millimeters; files it does not name have no reference. Times are client times, best of TURNS.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import httpx

from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.contract.formats import EXTENSIONS, extension_of

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
TURNS = 3

MILLIMETERS = {"micrometer": 1e-3, "millimeter": 1.0, "centimeter": 10.0, "meter": 1e3, "inch": 25.4, "foot": 304.8}
"""Of one unit; a volume in another unit is not compared."""

HEADINGS = ("file", "bytes", "best ms", "answer", "units", "solids", "faces", "volume", "off by", "warnings")


def measure(stack: Stack) -> list[Table]:
    """One row a file that this version reads."""
    return [_table(stack.url, stack.key, CORPUS if CORPUS.is_dir() else ROOT / "examples")]


def _table(url: str, key: str, folder: Path) -> Table:
    found = folder / "volumes.json"
    references: dict[str, Any] = json.loads(found.read_text()) if found.exists() else {}
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=120, trust_env=False) as client:
        rows = [_row(client, file, references.get(file.name)) for file in sorted(folder.rglob("*")) if _is_read(file)]
    answered = sum(row[3] == "200" for row in rows)
    note = (
        f"{answered} of {len(rows)} files came back as documents, the others as typed errors. Aim: off by at most 1e-6."
    )
    return Table("Corpus through the API, best of " + str(TURNS), HEADINGS, rows, note)


def _is_read(file: Path) -> bool:
    """Whether the file's extension is one of the service's."""
    return file.is_file() and extension_of(file.name) in EXTENSIONS


def _row(client: httpx.Client, file: Path, reference: dict[str, float] | None) -> tuple[str, ...]:
    data, best = file.read_bytes(), float("inf")
    for _ in range(TURNS):
        started = time.perf_counter()
        answer = client.post("/api/v1/cad/extract", files={"file": (file.name, data)})
        best = min(best, time.perf_counter() - started)
    measured = (file.name, f"{len(data):,}", f"{best * 1000:.0f}")
    if answer.status_code != 200:
        error = answer.json()["error"]
        return (*measured, f"{answer.status_code} {error['type']}: {error['message']}", *([""] * 6))
    return (*measured, "200", *_facts(answer.json(), reference))


def _facts(document: dict[str, Any], reference: dict[str, float] | None) -> tuple[str, ...]:
    solids = document["structure"].get("solids", [])
    faces = document["statistics"]["entity_counts"].get("faces", 0)
    volumes = [_signed(solid) for solid in solids if "volume" in solid]
    volume = f"{sum(volumes):,.3f}" if volumes else ""
    off = _off(sum(volumes), document["units"], reference)
    return document["units"], str(len(solids)), str(faces), volume, off, str(len(document["warnings"]))


def _signed(solid: dict[str, Any]) -> float:
    """The volume as the reference sums it: of a solid that the file turns inside out it is negative."""
    volume: float = solid["volume"]
    return -volume if solid.get("orientation") == "reversed" else volume


def _off(volume: float, units: str, reference: dict[str, float] | None) -> str:
    """Relative difference to the reference volume; empty where there is none."""
    if not reference or not reference["volume"] or units not in MILLIMETERS:
        return ""
    return f"{abs(volume * MILLIMETERS[units] ** 3 / reference['volume'] - 1):.0e}"


def main() -> None:
    """Send a folder's files to a stack that runs already."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--folder", type=Path, default=CORPUS)
    chosen = parser.parse_args()
    print(_table(chosen.url, chosen.key, chosen.folder).text())


if __name__ == "__main__":
    main()
