"""Coverage-guided fuzzing (libFuzzer by atheris) of the readers that are Python: what reaches new lines is kept and changed again.

    python -m siege coverage --seconds 3600
    python -m siege coverage --seconds 3600 --corpus FOLDER

The readers have their turns, those that had least of a processor first. Each turn is a process of its own, nothing else in it, which goes
on with the inputs that the one before it kept: in the given folder those of all runs, beside its findings and the record of what each
reader had (siege/hours.py), so that the hours add up. Readers are imported when a file needs them, so every seed is read once while
modules are instrumented as they are imported. Native parsers have no coverage to guide by: siege/fuzz.py changes their files by structure.
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
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from importlib import import_module
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Final

import psutil

from benchmarks.report import Table
from siege import hours
from siege.fuzz import place_of
from siege.hours import Spent
from siege.seeds import SPECIMENS, seeds

READERS: Final = ("svg", "drawio", "dxf", "pdf", "feature_tree", "part21")
"""What is fuzzed: formats, the trees of partners, and the light reading of STEP text. Of a PDF all but what MuPDF does."""

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

TURN_PROCESSOR: Final = 120.0
"""Seconds of a processor after which a reader's turn ends: many times what its imports take, and what it leaves in memory ends with it."""

TURN_SECONDS: Final = 1_200.0
"""Of the clock, after which a turn ends in any case: others must have theirs on a machine that is busy with other things."""

END_SECONDS: Final = 60.0
"""How much longer than it was given a turn may take: libFuzzer looks at the clock between inputs, and not before its imports are done. A
process that is starved of processors is ended then, and what it had counts."""

KILL_SECONDS: Final = 5.0
"""How long a process that is told to end may take."""

LOOK_SECONDS: Final = 0.5
"""Interval of looks at what a process has had of a processor."""

COLLECTED_EACH: Final = 500
"""Inputs after which cycles are collected, which the readers leave to the end of their process."""

BEGAN: Final = "began after "
"""Before the processor time that a process had taken when its first changed input came."""

ENDED: Final = "SUMMARY: libFuzzer: "
"""Before `timeout after 61 seconds` or `out-of-memory`, with which libFuzzer ends a process and keeps the input."""

EXECUTED: Final = "stat::number_of_executed_units:"
"""Before the count of inputs, in what libFuzzer prints at its end."""

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

    spent: Spent = field(default_factory=Spent)
    found: list[str] = field(default_factory=list)
    """A line for each defect."""


def besiege(seconds: float, corpus: Path | None = None) -> Iterator[Table]:
    """Every reader in turn. corpus: a folder that outlasts the run. Raises: RuntimeError with every finding."""
    told: list[str] = []
    kept = nullcontext(str(corpus)) if corpus else tempfile.TemporaryDirectory(prefix="spatial-fuzz-")
    with kept as folder:
        record = Path(folder) / hours.RECORD
        for counts in turns(seconds, Path(folder)):
            told += counts.found
        yield hours.table(hours.load(record))
    if told:
        raise RuntimeError("\n".join(dict.fromkeys(told)))


def turns(seconds: float, folder: Path) -> Iterator[Counts]:
    """Turns of all readers until the time is over, each as soon as it has ended and is recorded in the folder."""
    ends, record = time.monotonic() + seconds, folder / hours.RECORD
    run = f"{datetime.now(UTC):%Y-%m-%d %H:%M} {_commit()}"
    each = min(TURN_SECONDS, seconds / len(READERS))
    while ends - time.monotonic() > 1:
        had = hours.totals(hours.load(record))
        for reader in sorted(READERS, key=lambda name: had.get(name, Spent()).processor):
            if (left := ends - time.monotonic()) > 1:
                counts = hunt(reader, min(each, left), folder)
                hours.add(record, run, reader, counts.spent)
                yield counts


def _commit() -> str:
    """What is fuzzed, where the sources are a checkout."""
    said = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=hours.ROOT, capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def hunt(reader: str, seconds: float, folder: Path) -> Counts:
    """One turn of a reader; an input that takes too long or too much memory is a finding.

    Raises: RuntimeError where it ends by itself, or is not guided by its own branches.
    """
    kept, found = folder / reader, folder / "found"
    for place in (kept, found):
        place.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "siege.coverage", reader, str(kept), str(found), str(max(1, int(seconds)))]
    before = _children_seconds()
    code, said, errors = _run(command, seconds + END_SECONDS)
    counts = Counts(found=[line for line in said.splitlines() if line.startswith("found ")])
    began, lines = _began(said), errors.splitlines()
    ended = next((line for line in lines if line.startswith(ENDED)), "")
    if ended:
        counts.found.append(f"found {reader} {ended.removeprefix(ENDED)}, kept in {found}")
    elif code not in (0, None):
        raise RuntimeError(f"{reader}: {errors[-2000:]}")
    if began is None:
        return counts
    inputs, places, in_corpus = _counts(lines)
    if code == 0 and places < FEWEST_PLACES:
        raise RuntimeError(f"{reader} reaches {places} places: it is not instrumented")
    processor = _children_seconds() - before - began
    counts.spent = Spent(round(processor, 1), inputs, in_corpus, places, len(list(found.glob(f"*.{reader}"))))
    return counts


def _run(command: list[str], seconds: float) -> tuple[int | None, str, str]:
    """A command's exit status and what it said; None where it was ended, after so many seconds or TURN_PROCESSOR of them of a processor."""
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=said, stderr=errors, text=True)
        ends, had = time.monotonic() + seconds, psutil.Process(process.pid)
        try:
            while (code := process.poll()) is None and time.monotonic() < ends and _seconds_of(had) < TURN_PROCESSOR:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK_SECONDS)
        finally:
            _end(process)
        said.seek(0)
        errors.seek(0)
        return code, said.read(), errors.read()


def _end(process: subprocess.Popen[str]) -> None:
    """End it where it runs: libFuzzer, told to, prints what it has done."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(KILL_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _seconds_of(process: psutil.Process) -> float:
    """What it has had of a processor; 0 where it has ended."""
    with suppress(psutil.NoSuchProcess):
        times = process.cpu_times()
        return float(times.user + times.system)
    return 0.0


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _began(said: str) -> float | None:
    """Processor time that a process had when its first changed input came; None where none came."""
    lines = said.splitlines()
    return next((float(line.removeprefix(BEGAN)) for line in lines if line.startswith(BEGAN)), None)


def _counts(lines: list[str]) -> tuple[int, int, int]:
    """Of libFuzzer's last line of progress: `#65536 REDUCE cov: 733 ft: 2010 corp: 301/44Kb …`, and its sum where it came to its end."""
    last = next((line for line in reversed(lines) if line.startswith("#") and "cov:" in line), "#0 cov: 0 corp: 0/")
    words = last.replace("\t", " ").split()
    executed = next((line.split()[-1] for line in lines if line.startswith(EXECUTED)), words[0][1:])
    kept = words[words.index("corp:") + 1].partition("/")[0]
    return int(executed), int(words[words.index("cov:") + 1]), int(kept)


def _main(reader: str, folder: str, found_in: str, seconds: str) -> None:
    """The process of one reader; it prints a line for each finding."""
    import atheris

    found = Findings(reader, Path(found_in))
    stop_long_inputs()
    corpus = Path(folder)
    with atheris.instrument_imports(include=INSTRUMENTED):
        read = _reader(reader)
        for path in _seeds(reader):
            data = path.read_bytes()
            if len(data) <= MOST_SEED_BYTES:
                read_once(read, data, found)
                (corpus / path.name).write_bytes(data)
    flags = [
        f"-max_total_time={seconds}",
        f"-max_len={MOST_BYTES}",
        "-rss_limit_mb=4096",
        f"-timeout={NATIVE_SECONDS}",
        "-print_final_stats=1",
        f"-artifact_prefix={found_in}/{reader}-",
    ]
    numbers = count()

    def take(data: bytes) -> None:
        read_once(read, bytes(data), found)
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


@dataclass
class Findings:
    """What a process has found so far."""

    reader: str
    folder: Path
    """Where the input of each is kept, with its report."""
    places: set[str] = field(default_factory=set)


def read_once(read: Callable[[bytes], Any], data: bytes, found: Findings) -> None:
    """Read an input; what happens for the first time is kept, and told in a line."""
    from spatial.errors import SpatialError

    signal.setitimer(signal.ITIMER_VIRTUAL, PROCESSOR_SECONDS)
    try:
        read(data)
    except SpatialError:
        return
    except (Exception, TooLong):  # noqa: BLE001  # every error that is not ours is a finding
        report = traceback.format_exc()
        place = place_of(found.reader, report)
        if place not in found.places:
            found.places.add(place)
            _keep(found, place, data, report)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _keep(found: Findings, place: str, data: bytes, report: str) -> None:
    path = found.folder / f"{sha256(place.encode()).hexdigest()[:10]}.{found.reader}"
    path.write_bytes(data)
    path.with_suffix(path.suffix + ".txt").write_text(report)
    os.write(1, f"found {place}: {path}\n".encode())


if __name__ == "__main__":
    _main(*sys.argv[1:])
