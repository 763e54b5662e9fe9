"""`spatial ingest`: every file under a prefix into documents and tables, by the running stack."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from cli.following import submitted
from cli.terminal import failed, sentences
from storage.objects.file_filter import FileFilter


@dataclass(frozen=True)
class How:
    """How a bulk run goes about its files; None leaves it to the flow."""

    chunk_files: int | None
    parallel: int | None
    tries: int | None
    target: str | None
    runner: str | None
    dry_run: bool

    def parameters(self) -> dict[str, Any]:
        """As the flows take them."""
        return {
            "chunk_files": self.chunk_files,
            "parallel": self.parallel,
            "tries": self.tries,
            "target_contract": self.target,
            "runner": self.runner,
            "dry_run": self.dry_run or None,
        }


@dataclass(frozen=True)
class Which:
    """Which files of the prefix."""

    pattern: str | None
    formats: list[str]
    min_bytes: int | None
    max_bytes: int | None
    changed_since: str | None


def run(prefix: str, which: Which, how: How, home: Path | None, *, wait: bool) -> None:
    """Begin the run, follow it, say what came of it."""
    since = moment("--changed-since", which.changed_since)
    with sentences():  # what no file can be is refused before anything is started
        FileFilter(which.pattern, tuple(which.formats), which.min_bytes or 0, which.max_bytes)
    parameters = {
        "source": address(prefix),
        "pattern": which.pattern,
        "formats": which.formats or None,
        "min_bytes": which.min_bytes,
        "max_bytes": which.max_bytes,
        "changed_since": since,
        **how.parameters(),
    }
    submitted("ingest", parameters, home, wait=wait)


def address(prefix: str) -> str:
    """A prefix as the flows take it; a path is one of this machine, on which the stack's worker has to be."""
    if re.match(r"[a-z0-9]+://", prefix):
        return prefix
    if not prefix.strip():
        raise failed("the source is empty; name a folder, a file, or an s3:// or file:// prefix")
    path = Path(prefix).expanduser().absolute()
    if not path.exists():
        raise failed(f"there is no {path}; name a folder, a file, or an s3:// or file:// prefix")
    return path.as_uri()


def moment(flag: str, text: str | None) -> str | None:
    """A moment as the flows take it."""
    try:
        return datetime.fromisoformat(text).isoformat() if text is not None else None
    except ValueError:
        raise failed(
            f"{flag} {text!r} is not a moment; write it as 2026-03-01 or 2026-03-01T08:30 (ISO 8601, UTC)"
        ) from None
