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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import httpx
import psutil

from benchmarks import stack as stacks
from benchmarks.report import Table
from benchmarks.stack import Stack
from siege.hostile_files.table import FILES, NAMES
from spatial.contract import limits
from spatial.contract.routes import EXTRACT_ROUTE

FILE: Final = Path(__file__).resolve().parents[1] / "examples" / "plate.dxf"

ANSWER_SECONDS: Final = 2 * limits.CONVERT_SECONDS + 15
"""Longest answer: reading and interpreting have a deadline each, and the platform needs some time beside them."""

LOOK_SECONDS: Final = 0.1
"""How often the converter's children are looked at."""

UNEXPECTED: Final = "failed unexpectedly"
"""In log lines of the converter: an error of our own code that its reader did not expect."""

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
    """Most private memory that a child had in the meantime, bytes."""


@dataclass
class Assault:
    """What was sent, and what must not be."""

    answers: list[Answered] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def besiege(seconds: float) -> Iterator[Table]:
    """All files at full size, as far as the time allows, and all names. Raises: RuntimeError where something does not hold."""
    with stacks.running() as stack:
        assault = attack(stack, 1.0, until=time.monotonic() + seconds)
    yield _table(assault)


def attack(
    stack: Stack, scale: float, *, until: float = float("inf"), files: Mapping[str, Any] = MappingProxyType(FILES)
) -> Assault:
    """Send every file at that scale, and every name; until: moment of the monotonic clock after which no further one is sent."""
    assault = Assault()
    said = {"Authorization": f"Bearer {stack.key}"}
    with (
        httpx.Client(base_url=stack.url, headers=said, timeout=2 * ANSWER_SECONDS, trust_env=False) as client,
        Peaks(stack.pid) as peaks,
    ):
        for name, (extension, make) in files.items():
            if time.monotonic() > until:
                assault.faults.append(f"the time was over before {name}")
                break
            data = make(scale)
            _send(assault, peaks, name, len(data), partial(_file, client, extension, data))
            _ordinary(assault, client, name)
        for name in NAMES:
            body = _named(name)
            _send(assault, peaks, f"name {name!r}", len(body), partial(_body, client, body))
    log = (stack.home / "logs" / "converter.log").read_text()
    assault.faults += [line[:2_000] for line in log.splitlines() if UNEXPECTED in line]
    return assault


def _send(assault: Assault, peaks: Peaks, name: str, size: int, send: Callable[[], httpx.Response]) -> None:
    peaks.reset()
    began = time.monotonic()
    answer = send()
    seconds = time.monotonic() - began
    kind = "" if answer.is_success else str(answer.json()["error"]["type"])
    found = Answered(name, size, answer.status_code, kind, seconds, peaks.highest)
    assault.answers.append(found)
    if found.status >= 500:
        assault.faults.append(f"{name}: {found.status} {answer.text[:300]}")
    if found.seconds > ANSWER_SECONDS:
        assault.faults.append(f"{name}: answered after {found.seconds:.0f} s")
    if found.peak > limits.CONVERT_MEMORY_BYTES:
        assault.faults.append(f"{name}: a child had {found.peak:,} bytes")


def _ordinary(assault: Assault, client: httpx.Client, name: str) -> None:
    answer = client.post(EXTRACT_ROUTE, files={"file": (FILE.name, FILE.read_bytes())})
    if answer.status_code != 200:
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
    return json.dumps({"file_name": name, "content_base64": base64.b64encode(FILE.read_bytes()).decode()}).encode()


def _body(client: httpx.Client, body: bytes) -> httpx.Response:
    return client.post(EXTRACT_ROUTE, content=body, headers={"Content-Type": "application/json"})


class Peaks:
    """The most memory that a child of the converter has had, for the length of a block."""

    def __init__(self, supervisor: int) -> None:
        self.highest = 0
        self._supervisor = psutil.Process(supervisor)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def reset(self) -> None:
        """Forget what was."""
        self.highest = 0

    def __enter__(self) -> Peaks:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self.highest = max([self.highest, *map(_memory, self._children())])

    def _children(self) -> list[psutil.Process]:
        """Of fork servers: each reads one file."""
        try:
            return [child for child in self._supervisor.children(recursive=True) if _is_child(child)]
        except psutil.NoSuchProcess:
            return []


def _is_child(process: psutil.Process) -> bool:
    try:
        return CHILD in " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return False


def _memory(process: psutil.Process) -> int:
    """VmData: what RLIMIT_DATA counts (proc_pid_status(5)), in bytes; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData")), 0)


def _table(assault: Assault) -> Table:
    if assault.faults:
        raise RuntimeError("\n".join([*assault.faults, _laid(assault).text()]))
    return _laid(assault)


def _laid(assault: Assault) -> Table:
    rows: list[tuple[str, ...]] = [
        (one.name, f"{one.size:,}", f"{one.status} {one.type}", f"{one.seconds:.1f}", f"{one.peak / 1024**2:.0f}")
        for one in assault.answers
    ]
    ceiling = limits.CONVERT_MEMORY_BYTES // 1024**2
    note = f"Aim: no 5xx, no answer after {ANSWER_SECONDS:.0f} s, no child above {ceiling} MiB of data."
    return Table("Hostile files", ("file", "bytes", "answer", "s", "MiB of a child"), rows, note)
