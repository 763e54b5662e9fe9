"""A bulk run as who typed the command sees it: begun, followed with a bar or with lines, and summed up.

Exit status: 0 all is well; 3 the run is done and some files are in `failures`, by this run or an earlier one; 1 the run failed, was
cancelled, or did nothing because another one walks its source.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import typer

from cli import flow_runs
from cli.flow_runs import FlowRuns, State
from cli.terminal import failure, progress, report_errors
from spatial.errors import Unavailable
from storage.postgres.database import Database
from storage.settings import Settings
from storage.tables import ingest
from storage.tables.ingest import IngestRun

LOOK_SECONDS: Final = 0.5

LINE_SECONDS: Final = 10.0
"""How often a line says how far it is where there is no terminal for a bar."""

WAITING_SECONDS: Final = 10.0
"""After this a run that no worker has taken is remarked upon."""

DONE_WITH_FAILURES: Final = 3

BAR: Final = 30
"""Characters of the bar."""


def submitted(flow: str, parameters: dict[str, Any], home: Path | None, *, wait: bool) -> None:
    """Begin a run of the flow, follow it unless told otherwise, and end as it does."""
    with report_errors():
        settings, runs = flow_runs.of(home)
        with runs:
            run_id, name = runs.start(flow, {key: value for key, value in parameters.items() if value is not None})
            progress(f"{flow} {name}: {runs.page(run_id)}")
            if not wait:
                typer.echo(run_id)
                return
            try:
                state = asyncio.run(_Following(settings, runs, run_id, sys.stderr.isatty()).to_its_end())
            except KeyboardInterrupt:
                progress(f"\nthe run goes on; look at it, or cancel it, at {runs.page(run_id)}")
                raise typer.Exit(130) from None
            _summed_up(flow, runs, run_id, state, dry=bool(parameters.get("dry_run")))


def _summed_up(flow: str, runs: FlowRuns, run_id: str, ended: tuple[State, IngestRun | None], *, dry: bool) -> None:
    state, run = ended
    if state.type != "COMPLETED":
        raise failure(f"{flow} {state.name.lower()}: {state.message or 'no reason is known'}; see {runs.page(run_id)}")
    if state.name == ingest.UNNEEDED:
        raise failure(f"{state.message}; try again when that one has ended")
    typer.echo(runs.told(run_id, flow) if dry else state.message)
    if state.name == ingest.WITH_FAILURES or (run is not None and run.failed):
        progress('what failed, and why: spatial query "SELECT source_uri, error_type, message FROM failures"')
        raise typer.Exit(DONE_WITH_FAILURES)


class _Following:
    """One run, watched."""

    def __init__(self, settings: Settings, runs: FlowRuns, run_id: str, terminal: bool) -> None:
        self._settings = settings
        self._runs = runs
        self._run_id = run_id
        self._terminal = terminal
        self._began = time.monotonic()
        self._said = time.monotonic()

    async def to_its_end(self) -> tuple[State, IngestRun | None]:
        """How the flow run ended, and our record of it. Raises: NothingRuns."""
        async with self._database() as database:
            while True:
                state = await asyncio.to_thread(self._runs.state, self._run_id)
                run = await self._record(database)
                self._show(state, run)
                if state.ended:
                    return state, run
                await asyncio.sleep(LOOK_SECONDS)

    async def _record(self, database: Database | None) -> IngestRun | None:
        """None before the run has begun, and while Postgres is away: it goes on all the same."""
        try:
            return await ingest.find_run(database, self._run_id) if database is not None else None
        except Unavailable:
            return None

    def _show(self, state: State, run: IngestRun | None) -> None:
        waited = time.monotonic() - self._began
        line = (
            _line(run, waited)
            if run is not None
            else f"{state.name.lower()}"
            + ("; is a worker running?" if state.type in ("SCHEDULED", "PENDING") and waited > WAITING_SECONDS else "")
        )
        if self._terminal:
            print(f"\r\x1b[K{line}", end="\n" if state.ended else "", file=sys.stderr, flush=True)
        elif time.monotonic() - self._said >= LINE_SECONDS or (state.ended and run is not None):
            self._said = time.monotonic()
            progress(line)

    @asynccontextmanager
    async def _database(self) -> AsyncIterator[Database | None]:
        """None where the stack is somewhere else and its database is not told: then there is no bar."""
        if self._settings.database_url is None:
            yield None
            return
        database = Database(self._settings.database_url)
        try:
            yield database
        finally:
            await database.close()


def _line(run: IngestRun, seconds: float) -> str:
    """A bar, counts and speed."""
    settled, total = run.done + run.failed + run.skipped, run.total or 0
    part = min(1.0, settled / total) if total else float(run.state != "running")
    bar = "█" * round(BAR * part) + "░" * (BAR - round(BAR * part))
    counts = f"{settled:,} of {total:,} files" + (f", {run.failed:,} failed" if run.failed else "")
    return f"{bar} {100 * part:3.0f} %  {counts}, {(run.done + run.failed) / max(seconds, 0.1):.1f} files/s"
