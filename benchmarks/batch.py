"""Batch: 32 small mixed files from submission to done, and the same 32 as single calls, one after another.

    python -m benchmarks batch
    python -m benchmarks.batch --url http://127.0.0.1:8000 --key sk_…

The files are the examples and the converter's specimens, one of every format, again and again until there are 32. Batch and single calls
take turns, so that both see the same machine; the client waits for the batch with `wait`, as docs/batches.md advises.
"""

from __future__ import annotations

import argparse
import base64
import time
from datetime import datetime
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

import httpx

from benchmarks.report import Table
from benchmarks.stack import Stack, running
from spatial.contract import limits

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT / "converter" / "specimens", ROOT / "examples")
EXTENSIONS = (".step", ".iges", ".dxf", ".pdf", ".svg", ".drawio", ".png")
EXTRACT = "/api/v1/cad/extract"
BATCH = f"{EXTRACT}/batch"
TURNS = 3


def measure(stack: Stack) -> list[Table]:
    """One table per value of SPATIAL_BATCH_STAGES: the stack has the default, a second one shows the stages of failed items only."""
    shown = _table(stack.url, stack.key, "stages of all items shown")
    with running(SPATIAL_BATCH_STAGES="failed") as other:
        return [shown, _table(other.url, other.key, "stages of failed items shown")]


def files() -> list[Path]:
    """As many as a batch holds, mixed."""
    found = sorted(file for folder in FOLDERS for file in folder.iterdir() if file.suffix in EXTENSIONS)
    return list(islice(cycle(found), limits.BATCH_ITEMS))


def _table(url: str, key: str, title: str) -> Table:
    items = [
        {"file_name": file.name, "content_base64": base64.b64encode(file.read_bytes()).decode()} for file in files()
    ]
    headers = {"Authorization": f"Bearer {key}"}
    with httpx.Client(base_url=url, headers=headers, timeout=120, trust_env=False) as client:
        _one_by_one(client, items[:9])
        _whole(client, items[:9])
        turns = [(_one_by_one(client, items), *_whole(client, items)) for _ in range(TURNS)]
    single, whole, accepted, begun = (median(column) for column in zip(*turns, strict=True))
    rows: list[tuple[str, ...]] = [
        ("single calls, one after another, in sum", f"{single:.2f}"),
        ("batch, submission to done", f"{whole:.2f}"),
        ("of which until the 202", f"{accepted:.2f}"),
        ("of which from the 202's moment to running", f"{begun:.2f}"),
        ("times as fast", f"{single / whole:.1f}"),
    ]
    note = (
        f"{len(items)} files, {sum(file.stat().st_size for file in files()):,} bytes, median of {TURNS}. Aim: 4 times."
    )
    return Table(f"Batch of 32 small mixed files, {title}", ("", "s"), rows, note)


def _one_by_one(client: httpx.Client, items: list[dict[str, str]]) -> float:
    """Seconds."""
    began = time.perf_counter()
    for item in items:
        client.post(EXTRACT, json=item).raise_for_status()
    return time.perf_counter() - began


def _whole(client: httpx.Client, items: list[dict[str, str]]) -> tuple[float, float, float]:
    """Seconds until it is done and its results are here; until it is accepted; from its submission until a worker begins it."""
    began = time.perf_counter()
    answer = client.post(BATCH, json={"items": items})
    answer.raise_for_status()
    accepted = time.perf_counter() - began
    status_url = answer.json()["status_url"]
    while _ask(client, status_url, wait="30", results="false")["status"] in ("queued", "running"):
        pass
    batch = _ask(client, status_url)
    taken = time.perf_counter() - began
    if batch["counts"]["done"] != len(items):
        raise RuntimeError(f"not every item succeeded: {batch['counts']}")
    delay = datetime.fromisoformat(batch["started_at"]) - datetime.fromisoformat(batch["created_at"])
    return taken, accepted, delay.total_seconds()


def _ask(client: httpx.Client, status_url: str, **query: str) -> dict[str, Any]:
    answer = client.get(status_url, params=query)
    answer.raise_for_status()
    return dict(answer.json())


def main() -> None:
    """Measure a stack that runs already."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.batch", description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--key", required=True)
    chosen = parser.parse_args()
    print(_table(chosen.url, chosen.key, chosen.url).text())


if __name__ == "__main__":
    main()
