"""A reader that does what its file says, harm included: {"read": [action, argument, …], "interpret": …, "sample": …}.

`read_without` is done instead of `read` where the file is read without its optional parts.

What an action finds out comes back as the `warnings` of the Reading or the Meaning.
"""

from __future__ import annotations

import ctypes
import errno
import faulthandler
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sandbox import frames
from spatial.contract.extraction import Structure
from spatial.contract.points import PointCloud, PointCloudScene
from spatial.errors import ParseError, UnsupportedFileType
from spatial.models import delegation
from spatial.models.brep import delegated
from spatial.models.reading import Meaning, Reading, Units
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.read import KINDS

CHANNEL = 3


class Trial:
    """A file that was read."""

    def __init__(self, script: dict[str, Any], file_name: str, without: Sequence[str] = ()) -> None:
        self._script = script
        self.reading = Reading(
            source_format="trial",
            units=Units(name="millimeter", found="assumed"),
            structure=Structure(kind="brep"),
            entity_counts={"characters": len(file_name)},
            warnings=_act(script.get("read_without", []) if without else script.get("read", [])),
        )

    def interpret(self) -> Meaning:
        return Meaning(warnings=_act(self._script.get("interpret", [])))

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        _act(self._script.get("sample", []))
        rows = [[float(plan.seed), 0.5, 0.25]] * plan.points_per_object
        return PointCloudScene(point_clouds=[PointCloud.of("solid-1", rows)])


def steps_of_trial(trial: Trial) -> Trial:
    """A trial is its own steps."""
    return trial


KINDS[f"{__name__}.Trial"] = f"{__name__}.steps_of_trial"


def read(data: bytes, file_name: str, without: Sequence[str] = ()) -> Trial:
    """Read a script."""
    return Trial(json.loads(data), file_name, without)


def _act(action: Sequence[Any]) -> list[str]:
    if not action:
        return []
    return ACTIONS[action[0]](*action[1:])


def _segfault() -> list[str]:
    ctypes.string_at(1)
    return []


def _abort() -> list[str]:
    os.abort()


def _hang() -> list[str]:
    while True:
        time.sleep(3600)


def _spend(seconds: float) -> list[str]:
    time.sleep(seconds)
    return []


def _compute(seconds: float) -> list[str]:
    """Until so many seconds have passed by the clock."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return []


def _hang_deaf() -> list[str]:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass


def _pid_for_signal() -> list[str]:
    """Where `await signal` of a later call can be ended."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    return [str(os.getpid())]


def _await_signal() -> list[str]:
    return [signal.Signals(signal.sigwait({signal.SIGUSR1})).name]


def _balloon() -> list[str]:
    held = []
    while True:
        held.append(b"\1" * 1_048_576)
        time.sleep(0.0005)


def _allocate(size: int) -> list[str]:
    return [str(len(bytearray(size)))]


def _hold(size: int) -> list[str]:
    HELD.append(b"\1" * size)
    return []


def _crash_out_of_memory() -> list[str]:
    """As native code does that does not check what malloc returns."""
    with suppress(MemoryError):
        while True:
            HELD.append(b"\1" * 1_048_576)
    faulthandler.disable()
    ctypes.string_at(1)
    return []


def _out_of_memory_score() -> list[str]:
    return [Path("/proc/self/oom_score_adj").read_text().strip()]


def _raise(kind: str) -> list[str]:
    if kind == "typed":
        raise ParseError("line 3 is no line", details={"line": 3})
    if kind == "no room":
        try:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise RuntimeError("what a library makes of it") from error
    if kind == "refusal":
        raise UnsupportedFileType("carries no trial")
    if kind == "nested":
        try:
            bytearray(1 << 60)
        except MemoryError as error:
            raise RuntimeError("swallowed") from error
    if kind == "exit":
        sys.exit("leaving")
    raise RuntimeError("an internal matter of /secret/path")


def _say_much() -> list[str]:
    sys.stdout.write("to Python's standard output")
    sys.stderr.write("to Python's standard error")
    for descriptor in (1, 2):
        with suppress(BlockingIOError):
            for _ in range(200):
                os.write(descriptor, b"to the native one " * 1000)
    return ["said"]


def _environment() -> list[str]:
    return [json.dumps(dict(os.environ)), Path("/proc/self/environ").read_bytes().decode()]


def _descriptors() -> list[str]:
    found = []
    for descriptor in range(4096):
        with suppress(OSError):
            found.append(f"{descriptor} {Path(f'/proc/self/fd/{descriptor}').readlink()}")
    return found


def _outcome(call: Callable[[], object]) -> str:
    try:
        call()
    except OSError as error:
        return type(error).__name__
    except subprocess.SubprocessError as error:
        return type(error).__name__
    return "allowed"


def _network(port: int, path: str) -> list[str]:
    def unix() -> None:
        socket.socket(socket.AF_UNIX).connect(path)

    return [
        _outcome(lambda: socket.create_connection(("127.0.0.1", port), timeout=5)),
        _outcome(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)),
        _outcome(unix),
        _outcome(socket.socketpair),
    ]


def _connect(port: int) -> list[str]:
    return [_outcome(lambda: socket.create_connection(("127.0.0.1", port), timeout=5))]


def _fork() -> list[str]:
    """A grandchild that leaves session and process group, so that only its parent's keeper can end it."""
    reading, writing = os.pipe()
    try:
        pid = os.fork()
    except OSError as error:
        return [type(error).__name__]
    if pid == 0:
        with suppress(OSError):
            os.setsid()
        os.write(writing, b"!")
        _hang()
    os.read(reading, 1)
    return [str(pid)]


def _programs() -> list[str]:
    return [
        _outcome(lambda: subprocess.run(["/bin/true"], check=True)),
        _outcome(lambda: os.execv("/bin/true", ["true"])),
    ]


def _thread() -> list[str]:
    thread = threading.Thread(target=lambda: HELD.append(b"ran"))
    thread.start()
    thread.join()
    return [str(HELD == [b"ran"])]


def _read_lines(texts: list[str]) -> list[str]:
    """What is read of pictures of these lines, and how many threads that leaves."""
    from spatial.understanding.sheet.outlined.line_reader import read_lines
    from tests.spatial.line_pictures import picture

    pictures = [picture(text)[0] for text in texts]
    before = _threads()
    lines = ["".join(character.sign for character in line) for line in read_lines(pictures)]
    return [*lines, f"{_threads() - before} more threads"]


def _threads() -> int:
    return len(list(Path("/proc/self/task").iterdir()))


def _signal(pid: int) -> list[str]:
    return [_outcome(lambda: os.kill(pid, 0)), _outcome(lambda: os.kill(os.getpid(), 0))]


def _ptrace(pid: int) -> list[str]:
    """PTRACE_ATTACH to another process, and a read of its memory (ptrace(2), process_vm_readv(2))."""
    libc = ctypes.CDLL(None, use_errno=True)
    attached = libc.ptrace(16, pid, 0, 0)
    buffer = ctypes.create_string_buffer(8)
    vector = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 8)
    copied = libc.process_vm_readv(pid, vector, 1, vector, 1, 0)
    return ["refused" if result < 0 else "allowed" for result in (attached, copied)]


def _open(path: str, mode: str) -> list[str]:
    return [_outcome(lambda: open(path, mode).close())]


def _temporary() -> list[str]:
    with tempfile.NamedTemporaryFile(suffix=".step") as file, tempfile.TemporaryDirectory() as folder:
        file.write(b"content")
        file.flush()
        Path(folder, "inner").write_bytes(Path(file.name).read_bytes())
    kept = Path(tempfile.gettempdir(), "left-behind")
    kept.mkdir()
    (kept / "file").write_bytes(b"content")
    return [str(kept), str(Path.cwd())]


def _fill(bytes_each: int) -> list[str]:
    number = 0
    while True:
        Path(f"file-{number}").write_bytes(b"\1" * bytes_each)
        number += 1


def _garbage() -> list[str]:
    os.write(CHANNEL, b"\0\0\0\2\0\0\0\0\0\0\0\0[]")
    return _hang()


def _lie() -> list[str]:
    """Announces more than there can be."""
    os.write(CHANNEL, b"\0\0\0\2" + b"\0\0\xff\xff\xff\xff\xff\xff" + b"{}")
    return _hang()


def _pretend() -> list[str]:
    """Answers in its own words what no reader says."""
    os.write(CHANNEL, b'\0\0\0\x13\0\0\0\0\0\0\0\2{"outcome": "done"}[]')
    return _hang()


def _forge(*answers: tuple[str, str]) -> list[str]:
    """Answers this call and those after it in its own words: pairs of a header and a payload."""
    for header, payload in answers:
        os.write(CHANNEL, frames.LENGTHS.pack(len(header.encode()), len(payload.encode())))
        os.write(CHANNEL, (header + payload).encode())
    return _hang()


def _close_channel() -> list[str]:
    os.close(CHANNEL)
    return _hang()


def _kill_self(name: str) -> list[str]:
    os.kill(os.getpid(), signal.Signals[name])
    return _hang()


def _say_that(word: str) -> list[str]:
    return [word]


def _recurse() -> list[str]:
    return _recurse()


def _delegate(action: Sequence[Any]) -> list[str]:
    """What a further process finds out by an action."""
    if not delegation.tasks_left():
        return ["no task is allowed"]
    return _collect_result(_hand_over(action))


def _hand_over(action: Sequence[Any]) -> delegation.Result:
    return delegation.delegate("act", json.dumps(action).encode())


def _collect_result(result: delegation.Result) -> list[str]:
    found = result()
    return ["nothing was found"] if found is None else list(json.loads(found))


def _delegate_for_later(action: Sequence[Any]) -> list[str]:
    LATER.append(_hand_over(action))
    return []


def _delegate_too_often(action: Sequence[Any]) -> list[str]:
    """As a process that was taken over, which counts no tasks."""
    hand = delegation.delegate("act", b"[]").func.__self__.delegate  # type: ignore[attr-defined]  # the channel's own method
    for _ in range(3):
        hand("act", json.dumps(action).encode())
    return _hang()


def _perform(payload: bytes) -> bytes:
    return json.dumps(_act(json.loads(payload))).encode()


delegated.TASKS["act"] = _perform
HELD: list[bytes] = []
LATER: list[delegation.Result] = []

ACTIONS: dict[str, Callable[..., list[str]]] = {
    "abort": _abort,
    "allocate": _allocate,
    "await signal": _await_signal,
    "compute": _compute,
    "balloon": _balloon,
    "close channel": _close_channel,
    "connect": _connect,
    "crash out of memory": _crash_out_of_memory,
    "delegate": _delegate,
    "delegate and hold": lambda size, action: _hold(size) + _delegate(action),
    "delegate for later": _delegate_for_later,
    "delegate too often": _delegate_too_often,
    "delegate, then": lambda action, then: _delegate_for_later(action) + _act(then),
    "descriptors": _descriptors,
    "environment": _environment,
    "exit": os._exit,
    "fill": _fill,
    "forge": _forge,
    "fork": _fork,
    "garbage": _garbage,
    "hang": _hang,
    "hang deaf": _hang_deaf,
    "hold": _hold,
    "huge": lambda size: ["x" * size],
    "kill self": _kill_self,
    "later": lambda: _collect_result(LATER.pop()),
    "lie": _lie,
    "network": _network,
    "open": _open,
    "pretend": _pretend,
    "out of memory score": _out_of_memory_score,
    "pid for signal": _pid_for_signal,
    "pid": lambda: [str(os.getpid())],
    "programs": _programs,
    "raise": _raise,
    "read lines": _read_lines,
    "recurse": _recurse,
    "say": _say_that,
    "say much": _say_much,
    "segfault": _segfault,
    "spend": _spend,
    "signal": _signal,
    "ptrace": _ptrace,
    "temporary": _temporary,
    "thread": _thread,
}
