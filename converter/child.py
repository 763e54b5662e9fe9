"""A child process: reads one file, interprets and samples it on request, and ends. Only this module imports the parsers.

Before a child receives its file it has no environment, no network, no descriptor except its channel, a private folder, and
resource limits (converter.isolation). The pool treats the answers of a child as untrusted, like the file.
"""

from __future__ import annotations

import faulthandler
import fcntl
import importlib
import os
import pkgutil
import socket
import sys
import tempfile
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from converter import frames
from converter.format_table import formats
from spatial.contract.formats import Format
from spatial.errors import SpatialError
from spatial.models.guard import OUT_OF_MEMORY
from spatial.models.reading import SamplingPlan
from spatial.pipeline import collector
from spatial.pipeline.read import Steps, read

PACKAGES: Final = ("spatial.models", "spatial.formats", "spatial.understanding", "spatial.pipeline")
"""Packages that the fork server imports before it forks, so that children inherit them."""

SPECIMENS: Final = Path(__file__).parent / "specimens"
"""Folder with one small file per format, whose name is that of the row (made by tests/converter/make_specimens.py)."""

TRACEBACK_CHARACTERS: Final = 16_384
"""Maximum length of the traceback of an unexpected error in the log."""

CHANNEL: Final = 3
"""Number of the only descriptor of a child besides the standard three."""


def preload(table: str, names: Iterable[str] | None = None) -> list[str]:
    """Import the readers of the named formats (all if None, and warm them up); returns the names of their modules.

    Raises: the error of a reader that cannot be imported or cannot read its specimen.
    """
    rows = [row for row in formats(table).values() if names is None or row.name in names]
    readers = [importlib.import_module(row.reader) for row in rows]
    ours = [row for row, reader in zip(rows, readers, strict=True) if reader.__name__.startswith(PACKAGES)]
    if names is None and ours:
        for package in PACKAGES:
            for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
                importlib.import_module(module.name)
        for row in ours:
            _warm_up(row)
    collector.freeze()  # otherwise the garbage collector writes to pages that the children share
    return [reader.__name__ for reader in readers]


def _warm_up(row: Format) -> None:
    """Run every call on the specimen of the format, so that children inherit what is initialised at first use.

    This saves a quarter of the time that a child needs for a small part.
    """
    for file in SPECIMENS.glob(f"{row.name}.*"):
        steps = read(row, file.read_bytes(), file.name)
        for answer in (steps.reading, steps.interpret(), steps.sample(SamplingPlan(points_per_object=16))):
            _json(answer)


def redirect_descriptors(channel: int, log: int, folder: str) -> None:
    """Keep only these descriptors, and use `folder` as working directory and for temporary files."""
    nothing = os.open(os.devnull, os.O_RDWR)
    # Duplicated to higher numbers first, because dup2 below could overwrite a descriptor that is still needed.
    kept = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, CHANNEL + 1) for descriptor in (nothing, nothing, log, channel)]
    for place, descriptor in enumerate(kept):
        os.dup2(descriptor, place, inheritable=False)
    os.closerange(CHANNEL + 1, os.sysconf("SC_OPEN_MAX"))
    # Native libraries print to the log pipe, which is bounded; a Python print would raise when the pipe is full.
    sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - open until the process ends
    faulthandler.enable(2)
    os.umask(0o077)
    os.chdir(folder)
    tempfile.tempdir = folder


def run(table: str) -> None:
    """Answer calls until the channel closes."""
    channel = socket.socket(fileno=CHANNEL)
    session = Session(table)
    while (frame := frames.receive(channel)) is not None:
        frames.send(channel, *session.outcome(frame.header, frame.payload))


class Session:
    """The state of one file between calls."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._steps: Steps | None = None

    def outcome(self, call: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        """Header and payload of the frame that answers a call."""
        try:
            return {"outcome": "done"}, self.answer(call, data)
        except SpatialError as error:
            return {"outcome": "error", "error": error.to_wire()}, b""
        except BaseException as error:  # noqa: BLE001 - any error of a reader, also SystemExit, is reported
            if _is_out_of_memory(error):
                return {"outcome": "memory"}, b""
            return {"outcome": "failed", "traceback": traceback.format_exc()[-TRACEBACK_CHARACTERS:]}, b""

    def answer(self, call: dict[str, Any], data: bytes) -> bytes:
        """The JSON result of a call. Raises: any error of the reader."""
        if call["phase"] == "read":
            return self._read(data, call["file_name"], call["format"], call["without"])
        assert self._steps is not None, "the pool reads first"
        if call["phase"] == "interpret":
            return _json(self._steps.interpret())
        return _json(self._steps.sample(SamplingPlan.model_validate(call["plan"])))

    def _read(self, data: bytes, file_name: str, format_name: str, without: list[str]) -> bytes:
        self._steps = read(formats(self._table)[format_name], data, file_name, without)
        return _json(self._steps.reading)


def _json(model: Any) -> bytes:
    text: str = model.model_dump_json(by_alias=True)
    return text.encode()


def _is_out_of_memory(error: BaseException | None) -> bool:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if type(error).__name__ in OUT_OF_MEMORY:
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
