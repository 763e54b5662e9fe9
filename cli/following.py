"""Start a bulk run, follow it with a progress bar or lines, and print its result.

Exit status: 0 success; 3 the run is done and some files are in `failures`, from this run or an earlier one; 1 the run failed, was
cancelled, or did nothing because another run reads its source.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import typer

from cli import flow_runs, stack
from cli.terminal import failure, progress, report_errors
from prefect_runtime.client import PrefectApi, RunState
from spatial.errors import Unavailable
from storage.postgres.database import Database
from storage.settings import Settings
from storage.tables import ingest
from storage.tables.ingest import IngestRun

LINE_SECONDS: Final = 10.0
"""Interval between lines of progress if stderr is not a terminal."""

WAITING_SECONDS: Final = 10.0
"""How long a run may wait for a worker before the line asks whether one is running."""

DONE_WITH_FAILURES: Final = 3

BAR: Final = 30
"""Width of the bar in characters."""


def submit(flow: str, parameters: dict[str, Any], home: Path | None, *, wait: bool) -> None:
    """Start a run of the flow, follow it if `wait` is set, and exit with the status of its outcome."""
    with report_errors():
        settings = stack.settings(home)
        is_dry = bool(parameters.get("dry_run"))
        given = {key: value for key, value in parameters.items() if value is not None}
        run_id, name = asyncio.run(_start(settings, flow, given))
        page = flow_runs.page(settings, run_id)
        progress(f"{flow} {name}: {page}")
        if not wait:
            typer.echo(run_id)
            return
        try:
            ended = asyncio.run(_follow(settings, flow, run_id, is_dry=is_dry))
        except KeyboardInterrupt:
            progress(f"\nthe run continues; view or cancel it at {page}")
            raise typer.Exit(130) from None
        _sum_up(flow, page, ended, is_dry=is_dry)


@dataclass(frozen=True)
class Ended:
    """How a flow run ended, its record in the database, and the report of a dry run."""

    state: RunState
    run: IngestRun | None
    report: str


async def _start(settings: Settings, flow: str, parameters: dict[str, Any]) -> tuple[str, str]:
    async with flow_runs.prefect_api(settings) as api:
        return await flow_runs.start(api, flow, parameters)


async def _follow(settings: Settings, flow: str, run_id: str, *, is_dry: bool) -> Ended:
    """Show the run until it has ended. Raises: NothingRuns."""
    async with flow_runs.prefect_api(settings) as api:
        state, run = await _Following(settings, api, run_id, is_terminal=sys.stderr.isatty()).until_ended()
        return Ended(state, run, report=await api.read_artifact(run_id, flow) if is_dry else "")


def _sum_up(flow: str, page: str, ended: Ended, *, is_dry: bool) -> None:
    state, run = ended.state, ended.run
    if state.type != "COMPLETED":
        raise failure(f"{flow} {state.name.lower()}: {state.message or 'Prefect has no message'}; see {page}")
    if state.name == ingest.UNNEEDED:
        raise failure(f"{state.message}; try again when the other run has ended")
    typer.echo(ended.report if is_dry else state.message)
    if state.name == ingest.WITH_FAILURES or (run is not None and run.failed):
        progress('to list the failures: spatial query "SELECT source_uri, error_type, message FROM failures"')
        raise typer.Exit(DONE_WITH_FAILURES)


class _Following:
    """Follows one flow run."""

    def __init__(self, settings: Settings, api: PrefectApi, run_id: str, *, is_terminal: bool) -> None:
        self._settings = settings
        self._api = api
        self._run_id = run_id
        self._is_terminal = is_terminal
        self._began = time.monotonic()
        self._last_line = time.monotonic()

    async def until_ended(self) -> tuple[RunState, IngestRun | None]:
        """Wait for the end of the flow run; returns its state and its record."""
        async with self._database() as database:
            while True:
                state = await self._api.run_state(self._run_id)
                run = await self._record(database)
                self._show(state, run)
                if state.is_final:
                    return state, run
                await asyncio.sleep(flow_runs.LOOK_SECONDS)

    async def _record(self, database: Database | None) -> IngestRun | None:
        """The record of the run; None before the run has started, and while Postgres is unavailable."""
        try:
            return await ingest.find_run(database, self._run_id) if database is not None else None
        except Unavailable:
            return None

    def _show(self, state: RunState, run: IngestRun | None) -> None:
        waited = time.monotonic() - self._began
        line = (
            _line(run, waited)
            if run is not None
            else f"{state.name.lower()}"
            + ("; is a worker running?" if state.type in ("SCHEDULED", "PENDING") and waited > WAITING_SECONDS else "")
        )
        if self._is_terminal:
            print(f"\r\x1b[K{line}", end="\n" if state.is_final else "", file=sys.stderr, flush=True)
        elif time.monotonic() - self._last_line >= LINE_SECONDS or (state.is_final and run is not None):
            self._last_line = time.monotonic()
            progress(line)

    @asynccontextmanager
    async def _database(self) -> AsyncIterator[Database | None]:
        """The database; None if the stack runs elsewhere and its database is unknown: then no bar is shown."""
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
