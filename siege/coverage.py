"""Coverage-guided fuzzing (libFuzzer by atheris) of the readers that are Python: what reaches new lines is kept and changed again.

    python -m siege coverage --seconds 3600

Each reader has processes of its own, nothing else in them, for its share of the time; one goes on with the inputs that the one before it
kept. Readers are imported when a file needs them, so every seed is read once while modules are instrumented as they are imported. Native
parsers have no coverage to guide by: siege/fuzz.py changes their files by structure.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Final

from benchmarks.report import Table
from siege.fuzz import FOUND, place_of
from siege.seeds import SPECIMENS, seeds

READERS: Final = ("svg", "drawio", "dxf", "pdf", "feature_tree", "part21")
"""What is fuzzed: formats, the trees of partners, and the light reading of STEP text. Of a PDF all but what MuPDF does."""

HEADINGS: Final = ("inputs", "places reached", "inputs kept", "processor, s")

INSTRUMENTED: Final = [
    "spatial.formats",
    "spatial.understanding",
    "spatial.models",
    "spatial.geometry",
    "spatial.pipeline",
]
"""Packages whose branches guide."""

FEWEST_PLACES: Final = 100
"""Of the branches of any reader that its seeds alone reach: fewer mean that it is not instrumented, and that nothing is guided."""

SLICE_SECONDS: Final = 600
"""How long one process reads at most: what a reader leaves in memory ends with it, as with the converter's children."""

COLLECTED_EACH: Final = 500
"""Inputs after which cycles are collected, which the readers leave to the end of their process."""

BEGAN: Final = "began after "
"""Before the processor time that a process had taken when its first changed input came."""

ENDED: Final = "SUMMARY: libFuzzer: "
"""Before `timeout after 61 seconds` or `out-of-memory`, with which libFuzzer ends a process and keeps the input."""

PROCESSOR_SECONDS: Final = 20.0
"""That one input may take: another one's load makes a process wait, and is no finding."""

NATIVE_SECONDS: Final = 600
"""Of wall time, after which libFuzzer ends a process that no longer comes back to Python."""

MOST_BYTES: Final = 4_096
"""Of an input: short ones are tried more often."""

MOST_SEED_BYTES: Final = 4 * MOST_BYTES


@dataclass
class Counts:
    """What came of one reader."""

    inputs: int = 0
    places: int = 0
    """Branches that were reached."""
    kept: int = 0
    processor: float = 0.0
    """Seconds of a processor, without those of importing and of the seeds."""
    found: list[str] = field(default_factory=list)


def besiege(seconds: float) -> Iterator[Table]:
    """Every reader for its share of the time. Raises: RuntimeError with every finding."""
    told = []
    for reader in READERS:
        counts = hunt(reader, seconds / len(READERS))
        told += counts.found
        cells = tuple(f"{count:,}" for count in (counts.inputs, counts.places, counts.kept, round(counts.processor)))
        yield Table(f"Coverage-guided fuzzing of {reader}", HEADINGS, [cells])
    if told:
        raise RuntimeError("\n".join(dict.fromkeys(told)))


def hunt(reader: str, seconds: float) -> Counts:
    """One reader for so many seconds; an input that takes too long or too much memory is a finding.

    Raises: RuntimeError where it ends by itself, or is not guided by its own branches.
    """
    counts, ends = Counts(), time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="spatial-fuzz-") as folder:
        while (left := ends - time.monotonic()) > 1:
            command = [sys.executable, "-m", "siege.coverage", reader, folder, str(int(min(left, SLICE_SECONDS)))]
            before = _children_seconds()
            done = subprocess.run(command, capture_output=True, text=True)
            counts.processor += _children_seconds() - before - _began(done.stdout)
            counts.found += [line for line in done.stdout.splitlines() if line.startswith("found ")]
            ended = next((line for line in done.stderr.splitlines() if line.startswith(ENDED)), "")
            if ended:
                counts.found.append(f"found {reader} {ended.removeprefix(ENDED)}, kept in {FOUND}")
            elif done.returncode:
                raise RuntimeError(f"{reader}: {done.stderr[-2000:]}")
            inputs, counts.places, counts.kept = _counts(done.stderr.splitlines())
            counts.inputs += inputs
            if counts.places < FEWEST_PLACES:
                raise RuntimeError(f"{reader} reaches {counts.places} places: it is not instrumented")
    return counts


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _began(said: str) -> float:
    """Processor time that a process had when its first changed input came."""
    lines = said.splitlines()
    return next((float(line.removeprefix(BEGAN)) for line in lines if line.startswith(BEGAN)), 0.0)


def _counts(lines: list[str]) -> tuple[int, int, int]:
    """Of libFuzzer's last line of progress: `#65536 REDUCE cov: 733 ft: 2010 corp: 301/44Kb …`."""
    last = next((line for line in reversed(lines) if line.startswith("#") and "cov:" in line), "#0 cov: 0 corp: 0/")
    words = last.replace("\t", " ").split()
    kept = words[words.index("corp:") + 1].partition("/")[0]
    return int(words[0][1:]), int(words[words.index("cov:") + 1]), int(kept)


def _main(reader: str, folder: str, seconds: str) -> None:
    """The process of one reader; it prints a line for each finding."""
    import atheris

    found: set[str] = set()
    stop_long_inputs()
    corpus = Path(folder)
    with atheris.instrument_imports(include=INSTRUMENTED):
        read = _reader(reader)
        for path in _seeds(reader):
            data = path.read_bytes()
            if len(data) <= MOST_SEED_BYTES:
                read_once(reader, read, data, found)
                (corpus / path.name).write_bytes(data)
    FOUND.mkdir(exist_ok=True)
    flags = [
        f"-max_total_time={seconds}",
        f"-max_len={MOST_BYTES}",
        "-rss_limit_mb=4096",
        f"-timeout={NATIVE_SECONDS}",
        f"-artifact_prefix={FOUND}/{reader}-",
    ]
    numbers = count()

    def take(data: bytes) -> None:
        read_once(reader, read, bytes(data), found)
        if next(numbers) % COLLECTED_EACH == 0:
            gc.collect()

    os.write(1, f"{BEGAN}{time.process_time()}\n".encode())
    atheris.Setup([sys.argv[0], *flags, folder], take)
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


class TooLong(BaseException):
    """An input has taken PROCESSOR_SECONDS; no reader catches it."""


def stop_long_inputs() -> Any:
    """Have `read_once` end what takes PROCESSOR_SECONDS; the handler that the signal had before."""
    return signal.signal(signal.SIGVTALRM, _give_up)


def _give_up(_number: int, _frame: FrameType | None) -> None:
    raise TooLong(f"took more than {PROCESSOR_SECONDS:.0f} s")


def read_once(reader: str, read: Callable[[bytes], Any], data: bytes, found: set[str]) -> None:
    """Read an input; what happens for the first time is kept, and told in a line. found: places of what was found so far."""
    from spatial.errors import SpatialError

    signal.setitimer(signal.ITIMER_VIRTUAL, PROCESSOR_SECONDS)
    try:
        read(data)
    except SpatialError:
        return
    except (Exception, TooLong):  # noqa: BLE001  # every error that is not ours is a finding
        report = traceback.format_exc()
        place = place_of(reader, report)
        if place not in found:
            found.add(place)
            FOUND.mkdir(exist_ok=True)
            path = FOUND / f"{sha256(place.encode()).hexdigest()[:10]}.{reader}"
            path.write_bytes(data)
            path.with_suffix(path.suffix + ".txt").write_text(report)
            os.write(1, f"found {place}: {path}\n".encode())
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


if __name__ == "__main__":
    _main(*sys.argv[1:])
