"""Hostile files over HTTP: each is answered within its deadline, by no 5xx, and no child outgrows its ceiling.

    python -m siege hostile --seconds 900

The files are those of siege/hostile_files at their full size, then their names. An ordinary file is sent after each: what a hostile one
leaves behind must not reach the next.
"""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import psutil

from benchmarks import stack as stacks
from benchmarks.report import Table
from benchmarks.stack import Stack
from benchmarks.starvation import MOST, Starvation
from sandbox.isolation import MEMORY_SLACK
from siege.hostile_files.table import FILES, NAMES, PDF_BOMBS
from spatial.contract import limits
from spatial.contract.routes import EXTRACT_ROUTE

EXAMPLES: Final = Path(__file__).resolve().parents[1] / "examples"
FILE: Final = EXAMPLES / "plate.dxf"
PART: Final = EXAMPLES / "bracket.step"

ANSWER_SECONDS: Final = limits.CONVERT_SECONDS + 30
"""Longest answer to a caller who is alone: the converter's deadline of a file, and the transport of file and answer beside it. On a machine
that is busy with other things it is so many times as long as the stack was kept waiting (benchmarks/starvation.py)."""

LOOK_SECONDS: Final = 0.1
"""How often the converter's children are looked at."""

UNEXPECTED: Final = "failed unexpectedly"
"""In log lines of the converter: an error of our own code that its reader did not expect."""

CEILING: Final = int(limits.CONVERT_MEMORY_BYTES * MEMORY_SLACK)
"""Bytes that the kernel gives a child beside what all children share."""

EMPTY_BYTES: Final = 32 * 1024**2
"""What a child has of its own before it reads."""

SECRET: Final = b"root:x:0:"
"""In a file of the machine that some hostile files ask for."""

CHILD: Final = "sandbox.forkserver"
"""In the command lines of the fork server and of the children of files."""


@dataclass
class Answered:
    """What came of one file."""

    name: str
    size: int
    status: int
    type: str
    seconds: float
    peak: int
    """Most memory that a child had in the meantime beside what all share, bytes."""


@dataclass
class Assault:
    """What was sent, and what must not be."""

    answers: list[Answered] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    starved: list[str] = field(default_factory=list)
    """Files that were given up because others had the processors: nothing is known of what they take."""


def besiege(seconds: float) -> Iterator[Table]:
    """All files at full size, as far as the time allows, and all names. Raises: RuntimeError where something does not hold."""
    with stacks.running() as stack:
        assault = attack(stack, 1.0, until=time.monotonic() + seconds, files={**FILES, **PDF_BOMBS})
    yield _table(assault)


def attack(
    stack: Stack,
    scale: float,
    *,
    until: float = float("inf"),
    ordinary_each: int = 1,
    files: Mapping[str, Any] = FILES,
    names: Sequence[str] = NAMES,
) -> Assault:
    """Send every file at that scale, and every name.

    until: moment of the monotonic clock after which no further one is sent. ordinary_each: hostile files for one ordinary file.
    """
    assault = Assault()
    said = {"Authorization": f"Bearer {stack.key}"}
    with (
        httpx.Client(base_url=stack.url, headers=said, timeout=MOST * ANSWER_SECONDS, trust_env=False) as client,
        Peaks(stack.pid) as peaks,
    ):
        for number, (name, (extension, make)) in enumerate(files.items(), start=1):
            if time.monotonic() > until:
                assault.faults.append(f"the time was over before {name}")
                break
            data = make(scale)
            _send(assault, peaks, name, len(data), partial(_file, client, extension, data))
            if number % ordinary_each == 0:
                _ordinary(assault, client, name)
        for name in names:
            body = _named(name)
            _send(assault, peaks, f"name {name!r}", len(body), partial(_body, client, body))
    log = (stack.home / "logs" / "converter.log").read_text()
    assault.faults += [line[:2_000] for line in log.splitlines() if UNEXPECTED in line]
    return assault


def _send(assault: Assault, peaks: Peaks, name: str, size: int, send: Callable[[], httpx.Response]) -> None:
    peaks.reset()
    began, busy = time.monotonic(), Starvation()
    answer = send()
    seconds = time.monotonic() - began
    kind = "" if answer.is_success else str(answer.json()["error"]["type"])
    found = Answered(name, size, answer.status_code, kind, seconds, peaks.highest)
    assault.answers.append(found)
    if is_starved(answer):
        assault.starved.append(name)
    elif found.status >= 500:
        assault.faults.append(f"{name}: {found.status} {answer.text[:300]}")
    if SECRET in answer.content:
        assault.faults.append(f"{name}: the answer holds a file of the machine")
    if found.seconds > ANSWER_SECONDS * busy.factor():
        assault.faults.append(f"{name}: answered after {found.seconds:.0f} s")
    if found.peak > CEILING:
        assault.faults.append(f"{name}: its child had {found.peak:,} bytes")


def is_starved(answer: httpx.Response) -> bool:
    """Whether a file was given up because others had the processors: it had one for less than its deadline, and waited for the rest."""
    if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
        return False
    details: dict[str, Any] = answer.json()["error"].get("details") or {}
    if not {"processor_seconds", "waited_seconds", "deadline_seconds"} <= details.keys():
        return False
    had = float(details["processor_seconds"])
    return had < float(details["deadline_seconds"]) and float(details["waited_seconds"]) > had


def _ordinary(assault: Assault, client: httpx.Client, name: str) -> None:
    answer = client.post(EXTRACT_ROUTE, files={"file": (FILE.name, FILE.read_bytes())})
    if answer.status_code != 200 and not is_starved(answer):
        assault.faults.append(f"after {name} an ordinary file was answered {answer.status_code} {answer.text[:300]}")


def _file(client: httpx.Client, extension: str, data: bytes) -> httpx.Response:
    """The file as a form; one that no body holds is uploaded before."""
    name = f"hostile.{extension}"
    if len(data) <= limits.INLINE_FILE_BYTES:
        return client.post(EXTRACT_ROUTE, files={"file": (name, data)})
    upload = client.post("/api/v1/uploads", json={"file_name": name, "size": len(data)})
    if not upload.is_success:
        return upload
    id = upload.json()["id"]
    try:
        put = client.put(f"/api/v1/uploads/{id}", content=data)
        return client.post(EXTRACT_ROUTE, json={"file_name": name, "upload_id": id}) if put.is_success else put
    finally:
        client.delete(f"/api/v1/uploads/{id}")


def _named(name: str) -> bytes:
    """A body of JSON in ASCII, which has room for lone surrogates."""
    return json.dumps({"file_name": name, "content_base64": base64.b64encode(PART.read_bytes()).decode()}).encode()


def _body(client: httpx.Client, body: bytes) -> httpx.Response:
    return client.post(EXTRACT_ROUTE, content=body, headers={"Content-Type": "application/json"})


class Peaks:
    """The most memory that the child of one file has had beside what all children share, for the length of a block."""

    def __init__(self, supervisor: int) -> None:
        self.highest = 0
        self._supervisor = psutil.Process(supervisor)
        self._earlier: set[int] = set()
        """Children that keep an earlier file."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def reset(self) -> None:
        """Forget what was; a child that has read nothing yet may read the next file."""
        self._earlier = {child.pid for child, own in self._children() if own > EMPTY_BYTES}
        self.highest = 0

    def __enter__(self) -> Peaks:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            seen = [own for child, own in self._children() if child.pid not in self._earlier]
            self.highest = max([self.highest, *seen])

    def _children(self) -> list[tuple[psutil.Process, int]]:
        """Of fork servers, each of which reads one file, with what it has beside its server."""
        try:
            below = self._supervisor.children(recursive=True)
            servers = {process.pid: _memory(process.pid) for process in below if _is_forked(process)}
            return [
                (process, servers[process.pid] - servers[process.ppid()])
                for process in below
                if process.pid in servers and process.ppid() in servers
            ]
        except psutil.NoSuchProcess:
            return []


def _is_forked(process: psutil.Process) -> bool:
    """Whether it is a fork server or a child of one, which has the same command line."""
    try:
        return CHILD in " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return False


def _memory(pid: int) -> int:
    """VmData: what RLIMIT_DATA counts (proc_pid_status(5)), in bytes; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData")), 0)


def _table(assault: Assault) -> Table:
    if assault.faults:
        raise RuntimeError("\n".join([*assault.faults, _laid(assault).text()]))
    return _laid(assault)


def _laid(assault: Assault) -> Table:
    rows: list[tuple[str, ...]] = [
        (one.name[:60], f"{one.size:,}", f"{one.status} {one.type}", f"{one.seconds:.1f}", f"{one.peak / 1024**2:.0f}")
        for one in assault.answers
    ]
    ceiling = CEILING // 1024**2
    note = (
        f"Aim: no 5xx, no answer after {ANSWER_SECONDS:.0f} s on an idle machine, no child above {ceiling} MiB beside what children "
        f"share. Given up because others had the processors, so that nothing is known of them: {', '.join(assault.starved) or 'none'}."
    )
    return Table("Hostile files", ("file", "bytes", "answer", "s", "MiB of its child"), rows, note)
