"""`spatial ingest`: extract every file under a prefix into documents and tables, on the running stack."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from cli.following import submit
from cli.options import Runner, Target
from cli.terminal import failure, report_errors
from storage.objects.file_filter import FileFilter


@dataclass(frozen=True)
class BulkOptions:
    """How a bulk run processes its files; None leaves the choice to the flow."""

    chunk_files: int | None
    parallel: int | None
    tries: int | None
    target: Target | None
    edges: bool
    runner: Runner | None
    dry_run: bool

    def parameters(self) -> dict[str, Any]:
        """Parameters of the flows."""
        return {
            "chunk_files": self.chunk_files,
            "parallel": self.parallel,
            "tries": self.tries,
            "target_contract": self.target,
            "edges": self.edges or None,
            "runner": self.runner,
            "dry_run": self.dry_run or None,
        }


@dataclass(frozen=True)
class Selection:
    """Which files under the prefix are ingested."""

    pattern: str | None
    formats: list[str]
    min_bytes: int | None
    max_bytes: int | None
    changed_since: str | None


def run(prefix: str, selection: Selection, options: BulkOptions, home: Path | None, *, wait: bool) -> None:
    """Start the flow run, follow it, and report its result."""
    since = parse_time("--changed-since", selection.changed_since)
    with report_errors():  # a filter that is invalid is refused before the run is started
        FileFilter(selection.pattern, tuple(selection.formats), selection.min_bytes or 0, selection.max_bytes)
    source = source_uri(prefix)
    parameters = {
        "source": source,
        "pattern": selection.pattern,
        "formats": selection.formats or None,
        "min_bytes": selection.min_bytes,
        "max_bytes": selection.max_bytes,
        "changed_since": since,
        **options.parameters(),
    }
    submit("ingest", source, parameters, home, wait=wait)


def source_uri(prefix: str) -> str:
    """A prefix as a URI for the flows. A path names a folder of this machine, so the worker of the stack must run on this machine."""
    if re.match(r"[a-z0-9]+://", prefix):
        return prefix
    if not prefix.strip():
        raise failure("the source is empty; name a folder, a file, or an s3:// or file:// prefix")
    path = Path(prefix).expanduser().absolute()
    if not path.exists():
        raise failure(f"{path} does not exist; name a folder, a file, or an s3:// or file:// prefix")
    return path.as_uri()


def parse_time(flag: str, text: str | None) -> str | None:
    """A time in ISO 8601 for the flows."""
    try:
        return datetime.fromisoformat(text).isoformat() if text is not None else None
    except ValueError:
        raise failure(
            f"{flag} {text!r} is not a date or time; write it as 2026-03-01 or 2026-03-01T08:30 (ISO 8601, UTC)"
        ) from None
