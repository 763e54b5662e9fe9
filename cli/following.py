"""Start a bulk run, follow it with a progress bar or lines, and print its result.

Exit status: 0 success; 3 the run is done and some files are in `failures`, from this run or an earlier one; 1 the run failed, was
cancelled, or did nothing because another run reads its source.
"""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, TaskProgressColumn, TextColumn
from rich.progress import Progress as Bar

from cli import flow_runs, stack
from cli.terminal import failure, progress, report_errors, with_home
from prefect_runtime.client import PrefectApi, RunProgress, RunState
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

PERCENT: Final = 100.0
"""Total of the bar."""


def submit(flow: str, name: str, parameters: dict[str, Any], home: Path | None, *, wait: bool) -> None:
    """Start a run of the flow, follow it if `wait` is set, and exit with the status of its outcome.

    name: name of the run, the same that the flow gives itself: what the Prefect UI shows before it starts.
    """
    with report_errors():
        settings = stack.settings(home)
        is_dry = bool(parameters.get("dry_run"))
        given = {key: value for key, value in parameters.items() if value is not None}
        run_id = asyncio.run(_start(settings, flow, name, given))
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
        _sum_up(flow, page, ended, home, is_dry=is_dry)


@dataclass(frozen=True)
class Ended:
    """How a flow run ended, its record in the database, and the report of a dry run."""

    state: RunState
    run: IngestRun | None
    report: str


async def _start(settings: Settings, flow: str, name: str, parameters: dict[str, Any]) -> str:
    async with flow_runs.prefect_api(settings) as api:
        return await flow_runs.start(api, flow, name, parameters)


async def _follow(settings: Settings, flow: str, run_id: str, *, is_dry: bool) -> Ended:
    """Show the run until it has ended. Raises: NothingRuns."""
    async with flow_runs.prefect_api(settings) as api:
        state, run = await _Following(settings, api, flow, run_id, is_terminal=sys.stderr.isatty()).until_ended()
        return Ended(state, run, report=await api.read_artifact(run_id, flow) if is_dry else "")


def _sum_up(flow: str, page: str, ended: Ended, home: Path | None, *, is_dry: bool) -> None:
    state, run = ended.state, ended.run
    if state.type != "COMPLETED":
        raise failure(f"{flow} {state.name.lower()}: {state.message or 'Prefect has no message'}; see {page}")
    if state.name == ingest.UNNEEDED:
        raise failure(f"{state.message}; try again when the other run has ended")
    typer.echo(ended.report if is_dry else state.message)
    if state.name == ingest.WITH_FAILURES or (run is not None and run.failed):
        command = with_home('spatial query "SELECT source_uri, error_type, message FROM failures"', home)
        progress(f"to list the failures: {command}")
        raise typer.Exit(DONE_WITH_FAILURES)


class _Following:
    """Follows one flow run."""

    def __init__(self, settings: Settings, api: PrefectApi, flow: str, run_id: str, *, is_terminal: bool) -> None:
        self._settings = settings
        self._api = api
        self._progress_key = f"{flow}-progress"
        self._run_id = run_id
        self._began = self._last_line = time.monotonic()
        self._console = Console(stderr=True, force_terminal=is_terminal, highlight=False)
        self._is_terminal = is_terminal

    async def until_ended(self) -> tuple[RunState, IngestRun | None]:
        """Wait for the end of the flow run; returns its state and its record."""
        columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"))
        with Bar(*columns, console=self._console, disable=not self._is_terminal) as bar:
            line = bar.add_task("", total=PERCENT)
            while True:
                state = await self._api.run_state(self._run_id)
                now = await self._api.read_progress(self._run_id, self._progress_key)
                description = escape(now.description) if now is not None else self._waiting(state)
                bar.update(line, completed=now.percent if now is not None else 0, description=description)
                self._print_line(state, now)
                if state.is_final:
                    return state, await self._record()
                await asyncio.sleep(flow_runs.LOOK_SECONDS)

    async def _record(self) -> IngestRun | None:
        """The record of the run; None where the database is unknown, because the stack runs elsewhere, or is unavailable."""
        if self._settings.database_url is None:
            return None
        database = Database(self._settings.database_url)
        try:
            return await ingest.find_run(database, self._run_id)
        except Unavailable:
            return None
        finally:
            await database.close()

    def _waiting(self, state: RunState) -> str:
        """What a run does that has no progress yet."""
        is_late = time.monotonic() - self._began > WAITING_SECONDS and state.type in ("SCHEDULED", "PENDING")
        return state.name.lower() + ("; check that a worker is running" if is_late else "")

    def _print_line(self, state: RunState, now: RunProgress | None) -> None:
        """Print a line from time to time where no bar can be drawn."""
        is_due = time.monotonic() - self._last_line >= LINE_SECONDS
        if self._is_terminal or not (is_due or (state.is_final and now is not None)):
            return
        self._last_line = time.monotonic()
        progress(f"{now.percent:3.0f} %  {now.description}" if now is not None else self._waiting(state))
