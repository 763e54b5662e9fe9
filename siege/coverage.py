"""Coverage-guided fuzzing (libFuzzer by atheris) of the readers that are Python: what reaches new lines is kept and changed again.

    python -m siege coverage --seconds 3600

Each reader has a process of its own, nothing else in it, for its share of the time. Native parsers have no coverage to guide by:
siege/fuzz.py changes their files by structure.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Table
from siege.fuzz import FOUND, place_of
from siege.seeds import SPECIMENS, seeds

READERS: Final = ("svg", "drawio", "dxf", "feature_tree", "part21")
"""What is fuzzed: formats, the trees of partners, and the light reading of STEP text."""

HEADINGS: Final = ("inputs", "places reached", "inputs kept")

MOST_BYTES: Final = 4_096
"""Of an input: short ones are tried more often."""


def besiege(seconds: float) -> Iterator[Table]:
    """Every reader for its share of the time. Raises: RuntimeError with every finding."""
    told = []
    for reader in READERS:
        with tempfile.TemporaryDirectory(prefix="spatial-fuzz-") as folder:
            command = [sys.executable, "-m", "siege.coverage", reader, folder, str(int(seconds / len(READERS)))]
            done = subprocess.run(command, capture_output=True, text=True)
        told += [line for line in done.stdout.splitlines() if line.startswith("found ")]
        if done.returncode:
            raise RuntimeError(f"{reader}: {done.stderr[-2000:]}")
        yield Table(f"Coverage-guided fuzzing of {reader}", HEADINGS, [_counts(done.stderr.splitlines())])
    if told:
        raise RuntimeError("\n".join(told))


def _counts(lines: list[str]) -> tuple[str, str, str]:
    """Of libFuzzer's last line of progress: `#65536 REDUCE cov: 733 ft: 2010 corp: 301/44Kb …`."""
    last = next((line for line in reversed(lines) if line.startswith("#") and "cov:" in line), "#0 cov: 0 corp: 0/")
    words = last.replace("\t", " ").split()
    return words[0][1:], words[words.index("cov:") + 1], words[words.index("corp:") + 1].partition("/")[0]


def _main(reader: str, folder: str, seconds: str) -> None:
    """The process of one reader; it prints a line for each finding."""
    import atheris

    with atheris.instrument_imports(include=["spatial.formats"]):
        read = _reader(reader)
    corpus = Path(folder)
    for path in _seeds(reader):
        data = path.read_bytes()
        if len(data) <= MOST_BYTES * 4:
            (corpus / path.name).write_bytes(data[: MOST_BYTES * 4])
    flags = [
        f"-max_total_time={seconds}",
        f"-max_len={MOST_BYTES}",
        "-rss_limit_mb=4096",
        "-timeout=60",
        "-close_fd_mask=0",
    ]
    found: set[str] = set()
    atheris.Setup([sys.argv[0], *flags, folder], lambda data: _once(reader, read, bytes(data), found))
    atheris.Fuzz()


def _seeds(reader: str) -> list[Path]:
    if reader == "feature_tree":
        return [SPECIMENS / "feature_tree.json"]
    return seeds("step" if reader == "part21" else reader)


def _reader(name: str) -> Callable[[bytes], Any]:
    """A function that reads bytes as the converter's child does."""
    if name == "part21":
        return _part21()
    pipeline = import_module("spatial.pipeline.read")
    if name == "feature_tree":
        tree = import_module("spatial.formats.feature_tree.reader")
        return lambda data: pipeline.steps_of(tree.read(data, "tree.json")).interpret()
    return lambda data: pipeline.read_file(data, f"fuzzed.{name}").interpret()


def _part21() -> Callable[[bytes], Any]:
    """All that is read of the text of a STEP file beside the kernel."""
    part21, instances, usage = (
        import_module(f"spatial.formats.step.{name}") for name in ("part21", "instances", "usage")
    )

    def read(data: bytes) -> None:
        text = part21.Part21(data)
        part21.first_error(data)
        for name in ("schemas", "has_data", "has_end", "ends_after_section", "instance_count", "statements", "bounds"):
            getattr(text, name)
        usage.require_bounded(text, "fuzzed.step")
        graph = instances.Instances(text)
        for number in text.numbers[:50]:
            graph.get(number)
            text.shown(number)

    return read


def _once(reader: str, read: Callable[[bytes], Any], data: bytes, found: set[str]) -> None:
    from spatial.errors import SpatialError

    try:
        read(data)
    except SpatialError:
        return
    except Exception:  # noqa: BLE001  # every error that is not ours is a finding
        report = traceback.format_exc()
        place = place_of(reader, report)
        if place not in found:
            found.add(place)
            FOUND.mkdir(exist_ok=True)
            path = FOUND / f"{sha256(place.encode()).hexdigest()[:10]}.{reader}"
            path.write_bytes(data)
            path.with_suffix(path.suffix + ".txt").write_text(report)
            os.write(1, f"found {place}: {path}\n".encode())


if __name__ == "__main__":
    _main(*sys.argv[1:])
