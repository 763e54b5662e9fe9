"""`spatial reprocess`: extract ingested files again, on the running stack."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from cli.following import submit
from cli.ingest import BulkOptions, parse_time, source_uri
from cli.terminal import failure
from storage.tables.ingest import FailureType


@dataclass(frozen=True)
class Selection:
    """Which settled files are extracted again."""

    which: str | None
    sql: str | None
    source: str | None
    formats: list[str]
    extractor_versions: list[int]
    error_types: list[str]
    since: str | None
    until: str | None


def run(selection: Selection, options: BulkOptions, home: Path | None, *, wait: bool) -> None:
    """Start the flow run, follow it, and report its result."""
    unknown = sorted(set(selection.error_types) - set(get_args(FailureType)))
    if unknown:
        raise failure(f"there is no failure type {', '.join(unknown)}; choose from {', '.join(get_args(FailureType))}")
    which = selection.which or ("all" if selection.sql else "outdated")
    parameters = {
        "which": which,
        "sql": selection.sql,
        "source": source_uri(selection.source) if selection.source else None,
        "formats": selection.formats or None,
        "extractor_versions": selection.extractor_versions or None,
        "error_types": selection.error_types or None,
        "since": parse_time("--since", selection.since),
        "until": parse_time("--until", selection.until),
        **options.parameters(),
    }
    submit("reprocess", which, parameters, home, wait=wait)
