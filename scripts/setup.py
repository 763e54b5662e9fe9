"""Creates `.venv` from the lock; if nothing has changed it only checks, in a fraction of a second. Run by `make setup`.

Uses only the standard library, because it runs before any package is installed. Errors are reported in one sentence.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import fcntl
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
TOOLS = ROOT / ".tools"
LOG = TOOLS / "setup.log"
STAMP = VENV / ".made-from"
LOCK = ROOT / "requirements" / "dev.lock"
CLIENT = ROOT / "clients" / "python"
UV_LOCK = ROOT / "requirements" / "tools.lock"

SYSTEM_LIBRARIES = {"libGL.so.1": "libgl1", "libX11.so.6": "libx11-6"}
"""Libraries that the OCP wheel loads and a minimal Debian lacks, with the Debian packages that contain them."""

DISK_BYTES = 4 * 1024**3
"""Disk space for a first setup: 3.2 GB of packages, which uv shares with its cache if possible, and temporary archives."""

OLDEST_UV = (0, 8)

WORTH_SHOWING = re.compile(r"(Downloading .*\(\d\d+\.\dMiB\)|Building|Prepared|Installed|Bytecode)")
"""Start of the lines of uv's output that show its progress; of downloads only the large ones."""

REPORT_SECONDS = 10.0
"""Interval of the lines that report a set-up that still runs; compiling the packages to bytecode takes about a minute."""

HINTS = {
    r"No space left|os error 28|Disk quota": ("the disk is full; a first setup needs about 4 GB"),
    r"[Hh]ash mismatch": (
        "a downloaded package does not match the lock: the package index serves another file than the one in the lock"
    ),
    r"error: command '\S*(cc|gcc|clang|g\+\+)\S*' failed|find a compatible compiler|No such file or directory: '\S*cc'": (
        "a package has no ready-made wheel for {platform} and building it needs a C compiler; "
        "on Debian: apt-get install build-essential python3-dev"
    ),
    r"no wheels with a matching|has no wheels|have a source distribution or wheel|with the current platform": (
        "a package of the lock has no wheel for {platform}; use Linux or macOS on x86_64 or arm64 with Python 3.11 to 3.13"
    ),
    r"error sending request|Failed to fetch|dns error|Could not connect|timed out|client error": (
        "the package index cannot be reached; check the network. uv reads UV_DEFAULT_INDEX and uv.toml, not pip's settings"
    ),
}
"""Patterns of uv's output, and their meaning for the user of `make`."""


class SetupError(Exception):
    """The setup cannot continue; the message is one sentence for the user."""


def main() -> int:
    """Set up, or with --uv only find uv and print its path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uv", action="store_true", help="print the path of uv, installing it into .tools if need be")
    arguments = parser.parse_args()
    try:
        with alone():
            if arguments.uv:
                print(find_uv())
            else:
                set_up()
    except SetupError as error:
        return complain(str(error))
    except OSError as error:
        return complain(f"{error.filename or ROOT}: {error.strerror}")
    except KeyboardInterrupt:
        return 130
    return 0


def complain(sentence: str) -> int:
    """Print one error; returns the exit status."""
    print(f"setup: {sentence}", file=sys.stderr)
    return 1


def say(line: str) -> None:
    """Print a line of progress."""
    print(f"setup: {line}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Lock the setup against other runs of make; the kernel releases the lock when a process dies."""
    TOOLS.mkdir(exist_ok=True)
    with (TOOLS / "setup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another make is setting up; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def set_up() -> None:
    """Make `.venv` match the lock."""
    check_system_libraries()
    expected = fingerprint()
    if STAMP.exists() and STAMP.read_text() == expected:
        return
    check_disk()
    uv = find_uv()
    make_venv(uv)
    STAMP.unlink(missing_ok=True)
    LOG.unlink(missing_ok=True)
    say(
        "installing the locked packages into .venv; the first time this downloads about 0.7 GB, and compiles it for a minute"
    )
    run_uv([uv, "pip", "sync", "--require-hashes", "--compile-bytecode", str(LOCK.relative_to(ROOT))])
    projects = ["--editable", ".", "--editable", str(CLIENT.relative_to(ROOT))]
    run_uv([uv, "pip", "install", "--no-deps", "--no-build-isolation", "--offline", *projects])
    check_lock(uv)
    STAMP.write_text(expected)
    say("done; .venv is ready")


def check_system_libraries() -> None:
    """Check the system libraries. Raises: SetupError that names the Debian packages of missing ones."""
    if not sys.platform.startswith("linux"):
        return
    missing = {name: package for name, package in SYSTEM_LIBRARIES.items() if not loads(name)}
    if missing:
        raise SetupError(
            f"{' and '.join(missing)} cannot be loaded; on Debian: apt-get install {' '.join(missing.values())}"
        )


def loads(library: str) -> bool:
    """Whether the dynamic linker finds a library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def fingerprint() -> str:
    """The inputs of `.venv`: the lock, the metadata of project and client, this interpreter, and the path of the project."""
    digest = hashlib.sha256()
    for path in (LOCK, ROOT / "pyproject.toml", CLIENT / "pyproject.toml", Path(__file__)):
        digest.update(path.read_bytes())
    return f"{digest.hexdigest()} {platform.python_version()} {platform.machine()} {ROOT}\n"


def check_lock(uv: str) -> None:
    """Check the lock. Raises: SetupError if it does not satisfy pyproject.toml."""
    done = subprocess.run([uv, "pip", "check", "--python", str(VENV)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise SetupError(
            f"requirements/dev.lock is stale: {done.stderr.strip().splitlines()[-1]}; renew it with make lock"
        )


def check_disk() -> None:
    """Check the free disk space. Raises: SetupError if it is too small for a first setup."""
    free = shutil.disk_usage(ROOT).free
    if not VENV.exists() and free < DISK_BYTES:
        raise SetupError(
            f"only {free / 1024**3:.1f} GB are free on the disk of {ROOT} and a first setup needs about {DISK_BYTES // 1024**3} GB"
        )


def find_uv() -> str:
    """Path of a working uv: the one on PATH, the one in .tools, or one that is now installed there from its lock."""
    for candidate in (shutil.which("uv"), str(TOOLS / "uv" / "bin" / "uv")):
        if candidate and version_of(candidate) >= OLDEST_UV:
            return candidate
    say("installing uv into .tools")
    python = make_tools_venv()
    command = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--require-hashes",
        "-r",
        str(UV_LOCK),
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise SetupError(f"pip cannot install uv: {first_error(done.stderr)}; install uv yourself and run make again")
    return str(TOOLS / "uv" / "bin" / "uv")


def version_of(uv: str) -> tuple[int, ...]:
    """The version of a uv; (0,) if it does not run."""
    try:
        answer = subprocess.run([uv, "--version"], capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return (0,)
    found = re.match(r"uv (\d+)\.(\d+)", answer)
    return tuple(int(part) for part in found.groups()) if found else (0,)


def make_tools_venv() -> str:
    """Create the virtual environment `.tools/uv` with pip; returns the path of its Python."""
    try:
        venv.create(TOOLS / "uv", clear=True, with_pip=True)
    except (subprocess.CalledProcessError, ImportError) as error:
        shutil.rmtree(TOOLS / "uv", ignore_errors=True)
        raise SetupError(
            f"this Python ({sys.executable}) cannot make virtual environments with pip; on Debian: apt-get install python3-venv"
        ) from error
    return str(TOOLS / "uv" / "bin" / "python")


def make_venv(uv: str) -> None:
    """Create `.venv` with this interpreter; replaces one that is broken or from another interpreter."""
    python = VENV / "bin" / "python"
    if python.exists() and version_in(python) == platform.python_version():
        return
    if VENV.exists():
        say(".venv is from another Python; creating it again")
        shutil.rmtree(VENV)
    run_uv([uv, "venv", "--quiet", "--no-project", "--python", sys.executable, str(VENV)])


def version_in(python: Path) -> str:
    """The version of an interpreter; empty if it does not run."""
    try:
        code = "import platform; print(platform.python_version())"
        return subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def run_uv(command: list[str]) -> None:
    """Run uv on `.venv`, show its progress, and log its output. Raises: SetupError with the meaning of its failure."""
    environment = {**os.environ, "VIRTUAL_ENV": str(VENV), "UV_PYTHON_DOWNLOADS": "never", "UV_NO_PROGRESS": "1"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None  # stderr is a pipe
    with LOG.open("a") as log, waiting_shown():
        for line in process.stderr:
            log.write(line)
            if WORTH_SHOWING.match(line.strip()):
                print(f"  {line.strip()}", file=sys.stderr, flush=True)
    if process.wait():
        raise SetupError(f"{meaning(LOG.read_text())} ({LOG.relative_to(ROOT)} has the full output)")


@contextlib.contextmanager
def waiting_shown() -> Iterator[None]:
    """Print every REPORT_SECONDS that the block still runs: uv is silent while it unpacks and compiles."""
    ended = threading.Event()

    def report() -> None:
        began = time.monotonic()
        while not ended.wait(REPORT_SECONDS):
            print(f"  still working after {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)

    thread = threading.Thread(target=report, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def meaning(said: str) -> str:
    """The meaning of uv's failure, in one sentence."""
    current = f"{platform.system()} {platform.machine()} with Python {platform.python_version()}"
    for pattern, sentence in HINTS.items():
        if re.search(pattern, said):
            return sentence.format(platform=current)
    return f"uv failed: {first_error(said)}"


def first_error(said: str) -> str:
    """The first line with an error, else the last line that is not empty."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"(error|ERROR)\b|×", line)]
    return (errors or lines[-1:] or ["no reason given"])[0]


if __name__ == "__main__":
    sys.exit(main())
