"""`spatial reprocess`: read again what was ingested before, by the running stack."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from cli.following import submitted
from cli.ingest import How, address, moment
from cli.terminal import failed
from storage.tables.ingest import FailureType


@dataclass(frozen=True)
class Chosen:
    """Which settled files."""

    which: str | None
    sql: str | None
    source: str | None
    formats: list[str]
    extractor_versions: list[int]
    error_types: list[str]
    since: str | None
    until: str | None


def run(chosen: Chosen, how: How, home: Path | None, *, wait: bool) -> None:
    """Begin the run, follow it, say what came of it."""
    unknown = sorted(set(chosen.error_types) - set(get_args(FailureType)))
    if unknown:
        raise failed(f"no file fails with {', '.join(unknown)}; there are {', '.join(get_args(FailureType))}")
    parameters = {
        "which": chosen.which or ("all" if chosen.sql else None),
        "sql": chosen.sql,
        "source": address(chosen.source) if chosen.source else None,
        "formats": chosen.formats or None,
        "extractor_versions": chosen.extractor_versions or None,
        "error_types": chosen.error_types or None,
        "since": moment("--since", chosen.since),
        "until": moment("--until", chosen.until),
        **how.parameters(),
    }
    submitted("reprocess", parameters, home, wait=wait)
