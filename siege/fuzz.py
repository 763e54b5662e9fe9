"""Structure-aware fuzzing: files whose parts are changed at random are read by the converter's child, as any file is.

    python -m siege fuzz --seconds 3600

A finding is an error of our own code that no reader expected, a deadline that passes or a ceiling that is reached; what makes a native
parser crash or go on for ever is counted, because children and their deadline are there for it. Each finding is told once, by where it
happened; its file is made smaller and kept in FOUND. A file that is fixed goes to tests/data/hostile, whose files the
suite reads.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from benchmarks.report import Table
from converter.fork_server import create_fork_server
from converter.format_table import FORMATS
from converter.pool import Pool, PoolSettings
from converter.wire import DocumentPlan, InputFile
from siege.mutate import dxf, markup, part21, pdf
from siege.mutate.values import flip_bytes
from siege.seeds import seeds
from spatial.contract.formats import format_of
from spatial.contract.target import TargetContract
from spatial.errors import SpatialError
from spatial.models.sampling_plan import SamplingPlan

Mutate = Callable[[bytes, random.Random], bytes]

MUTATORS: Final[Mapping[str, Mutate]] = MappingProxyType(
    {
        "step": part21.mutate,
        "dxf": dxf.mutate,
        "pdf": pdf.mutate,
        "svg": markup.mutate,
        "drawio": markup.mutate,
        "iges": flip_bytes,
    }
)
"""By format."""

FOUND: Final = Path(tempfile.gettempdir()) / "spatial-findings"

PLAN: Final = DocumentPlan(
    target=TargetContract.both, request_id="req_fuzz", sampling=SamplingPlan(points_per_object=16)
)
"""Everything that a document can hold."""

DEADLINE_SECONDS: Final = 20.0
"""Of each phase: a small file that takes longer is a finding."""

MEMORY: Final = 1024**3

TRIES: Final = 60
"""Reads that making a file smaller may take."""

LATE: Final = "took longer than"
"""In its log line for a file that passed the deadline."""

NATIVE: Final = ("step", "iges")
"""Formats that a native kernel reads, transfers and meshes: it goes on for ever with some damaged files."""

SIGNS: Final = ("failed unexpectedly", LATE, "needs more than", "was aborted", "gave an answer of more")
"""In log lines of the converter: what a caller is only told as a parse error."""

DIED: Final = "the parser died"
"""In its log line for a native parser that crashed: that is what children are for, and it is counted."""


@dataclass
class Hunt:
    """What was read, and what was found."""

    reads: dict[str, int] = field(default_factory=dict)
    """By format."""
    refused: dict[str, int] = field(default_factory=dict)
    """Of which with a typed error."""
    died: dict[str, int] = field(default_factory=dict)
    """Of which because a native parser crashed."""
    late: dict[str, int] = field(default_factory=dict)
    """Of which because the deadline passed."""
    findings: dict[str, Path] = field(default_factory=dict)
    """By the place: the smallest file that shows it."""


def besiege(seconds: float) -> Iterator[Table]:
    """Reads until the time is over. Raises: RuntimeError with every finding."""
    hunt = asyncio.run(fuzz(seconds, random.Random(time.time_ns())))
    rows: list[tuple[str, ...]] = [
        (name, str(count), str(hunt.refused[name]), str(hunt.died[name]), str(hunt.late[name]))
        for name, count in hunt.reads.items()
    ]
    table = Table(
        "Files changed at random",
        ("format", "read", "refused", "of which the parser died", "the deadline passed"),
        rows,
    )
    if hunt.findings:
        told = "\n".join(f"{place}: {path}" for place, path in hunt.findings.items())
        raise RuntimeError(f"{told}\n{table.text()}")
    yield table


async def fuzz(seconds: float, chance: random.Random, formats: Mapping[str, Mutate] = MUTATORS) -> Hunt:
    """Change and read seeds of each format in turn until the time is over."""
    hunt, ends = Hunt(), time.monotonic() + seconds
    files = {name: [(path.name, path.read_bytes()) for path in seeds(name)] for name in formats}
    async with Reader.opened() as reader:
        while time.monotonic() < ends:
            for name, mutate in formats.items():
                file_name, data = files[name][chance.randrange(len(files[name]))]
                changed = mutate(data, chance) if chance.random() < 0.9 else flip_bytes(data, chance)
                place = await reader.place(file_name, changed)
                _note(hunt, name, reader)
                if place is not None and place not in hunt.findings:
                    hunt.findings[place] = await _kept(reader, place, file_name, changed)
    return hunt


def _note(hunt: Hunt, name: str, reader: Reader) -> None:
    seen = ((hunt.refused, reader.was_refused), (hunt.died, reader.has_died), (hunt.late, reader.is_late))
    for counts, one in ((hunt.reads, True), *seen):
        counts[name] = counts.get(name, 0) + one


async def _kept(reader: Reader, place: str, file_name: str, data: bytes) -> Path:
    """The file, as small as it still shows the finding; one that passes the deadline as it is, because each try takes so long."""
    smaller = data if reader.is_late else await _smaller(reader, place, file_name, data)
    FOUND.mkdir(exist_ok=True)
    path = FOUND / f"{sha256(place.encode()).hexdigest()[:10]}-{file_name}"
    path.write_bytes(smaller)
    path.with_suffix(path.suffix + ".txt").write_text(reader.report)
    return path


async def _smaller(reader: Reader, place: str, file_name: str, data: bytes) -> bytes:
    """Without the lines that the finding does not need (Zeller, ddmin 2002: halves, quarters, …)."""
    cut = b"\n" if data.count(b"\n") > 20 else b">"
    lines, size, tries = data.split(cut), len(data.split(cut)) // 2, 0
    while size and tries < TRIES:
        at = 0
        while at < len(lines) and tries < TRIES:
            rest = lines[:at] + lines[at + size :]
            tries += 1
            if await reader.place(file_name, cut.join(rest)) == place:
                lines = rest
            else:
                at += size
        size //= 2
    await reader.place(file_name, cut.join(lines))
    return cut.join(lines)


class Reader(logging.Handler):
    """Reads files in children, and hears what the converter logs of them."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(logging.WARNING)
        self.was_refused = False
        self.report = ""
        """What was logged of the last file."""
        self._pool = pool

    @property
    def has_died(self) -> bool:
        """Whether a native parser crashed on the last file."""
        return DIED in self.report

    @property
    def is_late(self) -> bool:
        """Whether the last file passed the deadline."""
        return LATE in self.report

    @staticmethod
    def opened() -> _Opened:
        """A reader for the length of a block."""
        return _Opened()

    def emit(self, record: logging.LogRecord) -> None:
        self.report += record.getMessage()

    async def place(self, file_name: str, data: bytes) -> str | None:
        """Where the finding of a file is: a name that is the same for the same defect; None where there is none."""
        self.report, self.was_refused = "", False
        source = InputFile(file_name=file_name, format=format_of(file_name).name, edges=True)
        with tempfile.TemporaryFile(buffering=0) as file:
            file.write(data)
            try:
                await self._pool.extract(source, file, PLAN)
            except SpatialError:
                self.was_refused = True
        if self.is_late and source.format in NATIVE:
            return None
        return place_of(source.format, self.report) if any(sign in self.report for sign in SIGNS) else None


class _Opened:
    async def __aenter__(self) -> Reader:
        server = create_fork_server(memory_bytes=MEMORY, table=FORMATS)
        self._pool = Pool(PoolSettings(deadline=DEADLINE_SECONDS, memory=MEMORY, workers=1), server)
        await self._pool.start()
        self._reader = Reader(self._pool)
        self._log = logging.getLogger("converter")
        self._log.addHandler(self._reader)
        return self._reader

    async def __aexit__(self, *_: object) -> None:
        self._log.removeHandler(self._reader)
        await self._pool.close()


def place_of(format_name: str, report: str) -> str:
    """The innermost line of our own code and the error; for native parsers the signal, and where Python was."""
    ours = re.findall(r'File "[^"]*?/((?:spatial|converter)/[^"]+)", line (\d+)', report)
    last = report.strip().splitlines()[-1][:60] if "Traceback" in report else _said(report)
    where = ":".join(ours[-1]) if ours else "native code"
    return f"{format_name} {where} {re.sub(r'[0-9.]+', 'N', last)}"


def _said(report: str) -> str:
    """Without the name of the file."""
    return re.sub(rf"^[^:]*: |^.*(?={LATE})", "", report.strip().splitlines()[0])[:80]
