"""Division of a bulk run into chunks (one task run each) and of a chunk into portions (files that are claimed together).

Glossary
  chunk      some hundred files that one task run settles. It commits several times, so a kill loses less than a chunk.
  portion    files of a chunk that are read and claimed together, while the converter extracts the previous portion.
  left       a file that this run does not settle: it was deleted, it changed while it was read, another run reads it, or a part of the
             service was unavailable for too long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from spatial.contract.formats import EXTENSIONS, extension_of
from spatial.contract.target import TargetContract
from storage.objects.file_filter import SourceFile
from storage.objects.sources import file_name_of

PORTION_FILES: Final = 100
PORTION_BYTES: Final = 16 * 2**20
"""Maximum number of files per portion, and their total size in bytes; a larger file is a separate portion."""


@dataclass(frozen=True)
class Chunk:
    """The files that one task run settles."""

    run_id: str
    number: int
    first: int
    """Position of its first file in the run, from 1."""
    total: int
    """Number of files of the run."""
    source: str | None
    """Common prefix of all files; None if there is none."""
    files: tuple[SourceFile, ...]
    parallel: int
    """Maximum number of files in the converter at a time."""
    tries: int
    """Number of attempts for a file that times out or kills its process, before it is quarantined."""
    target: TargetContract = TargetContract.structured
    edges: bool = False
    again: bool = False
    """Also extract files that the current version has extracted, and files in quarantine."""

    @property
    def name(self) -> str:
        """Name of the task run in the Prefect UI."""
        return f"files {self.first:,}-{self.first + len(self.files) - 1:,} of {self.total:,}"


@dataclass
class Report:
    """Outcome of a chunk."""

    done: int = 0
    failed: int = 0
    unchanged: int = 0
    """Files whose bytes were settled before."""
    quarantined: int = 0
    """How many of the unchanged files are in quarantine."""
    left: int = 0
    failures: list[tuple[str, str, str]] = field(default_factory=list)
    """URI, type and message of the first failures."""
    notes: list[str] = field(default_factory=list)
    """Why files were left without an error: they were deleted, or another run extracts them."""
    trouble: list[str] = field(default_factory=list)
    """Messages of the errors of dependencies that were unavailable for too long."""


class Incomplete(Exception):
    """A chunk left files because something was unavailable; the next run settles them."""

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return f"{self.report.left:,} files were left: {'; '.join(dict.fromkeys(self.report.trouble))}"


def plan_chunks(
    files: Sequence[SourceFile],
    *,
    run_id: str,
    source: str | None,
    chunk_files: int,
    parallel: int,
    tries: int,
    target: TargetContract,
    edges: bool,
    again: bool,
) -> list[Chunk]:
    """The files in their order, `chunk_files` per chunk; the other arguments are those of `Chunk`."""
    return [
        Chunk(
            run_id=run_id,
            number=number,
            first=start + 1,
            total=len(files),
            source=source,
            files=tuple(files[start : start + chunk_files]),
            parallel=parallel,
            tries=tries,
            target=target,
            edges=edges,
            again=again,
        )
        for number, start in enumerate(range(0, len(files), chunk_files), start=1)
    ]


def portions(files: Sequence[SourceFile]) -> Iterator[Sequence[SourceFile]]:
    """The files in order, divided into portions; without files there is one empty portion."""
    portion: list[SourceFile] = []
    for found in files:
        full = len(portion) >= PORTION_FILES or sum(one.size for one in portion) + found.size > PORTION_BYTES
        if portion and full:
            yield portion
            portion = []
        portion.append(found)
    yield portion


def format_of(found: SourceFile) -> str:
    """The row of FORMATS that the extension selects; `sources` lists no other files."""
    return EXTENSIONS[extension_of(file_name_of(found.uri))].name
