"""`spatial extract`: extract one file in a child process, without server, key or metering."""

from __future__ import annotations

import hashlib
import logging
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cli.terminal import progress, report_errors
from converter import local
from spatial.contract import limits
from spatial.contract.target import TargetContract
from spatial.counting import count_of
from spatial.document.lines import with_warnings
from storage import environment

if TYPE_CHECKING:
    from converter.documents import Document
    from spatial.models.sampling_plan import SamplingPlan

STDOUT = "-"


@dataclass(frozen=True)
class ExtractionSettings:
    """The settings that one extraction needs, with their defaults (`storage.settings.Settings`)."""

    points_per_object: int = limits.POINTS_PER_OBJECT
    points_total: int = limits.POINTS_TOTAL
    convert_seconds: float = limits.CONVERT_SECONDS
    convert_memory_bytes: int = limits.CONVERT_MEMORY_BYTES


def run(file: Path, target: str, output: str | None, home: Path | None, *, edges: bool = False) -> None:
    """Extract and print: JSON to a pipe, a summary on a terminal."""
    # The error message already contains what the converter logs about a failed file.
    logging.getLogger("converter").addHandler(logging.NullHandler())
    with report_errors():
        document = extract_document(file, TargetContract(target), home, edges=edges)
        body = document.body + b"\n"
        if output == STDOUT or (output is None and not sys.stdout.isatty()):
            _print(body)
            return
        if output is not None:
            Path(output).write_bytes(body)
            progress(f"{output}: {count_of(len(body), 'byte')}")
        typer.echo("\n".join(with_warnings(document.facts.outline, document.warnings)))


def _print(body: bytes) -> None:
    """Write every byte to stdout: with PYTHONUNBUFFERED set, one write may be partial."""
    remaining = memoryview(body)
    while remaining:
        remaining = remaining[sys.stdout.buffer.write(remaining) :]
    sys.stdout.buffer.flush()


def extract_document(file: Path, target: TargetContract, home: Path | None, *, edges: bool = False) -> Document:
    """The document, without usage. Raises: SpatialError, OSError."""
    settings, data, started = extraction_settings(home), file.read_bytes(), time.monotonic()
    plan = _sampling(data, settings) if target.has_points else None
    progress(f"reading {file.name} ({count_of(len(data), 'byte')})")
    document = local.convert(
        data,
        file.name,
        target,
        plan,
        deadline=settings.convert_seconds,
        memory=settings.convert_memory_bytes,
        edges=edges,
    )
    progress(f"read in {time.monotonic() - started:.1f} s")
    return document


def _sampling(data: bytes, settings: ExtractionSettings) -> SamplingPlan:
    from spatial.models.sampling_plan import SamplingPlan

    return SamplingPlan.of_file(
        hashlib.sha256(data).hexdigest(),
        points_per_object=settings.points_per_object,
        points_total=settings.points_total,
    )


def extraction_settings(home: Path | None) -> ExtractionSettings:
    """The settings of one extraction. Raises: SettingsError.

    Those of a deployment are not loaded where none is set: they take a fifth of the time in which a diagram is read.
    """
    if home is None and not environment.names():
        return ExtractionSettings()
    from cli import stack

    found = stack.settings(home)
    return ExtractionSettings(
        found.points_per_object, found.points_total, found.convert_seconds, found.convert_memory_bytes
    )
