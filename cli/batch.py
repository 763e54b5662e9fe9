"""`spatial batch rerun`: extract the failed items of a batch again, on the running stack."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import typer

from cli import flow_runs, stack
from cli.terminal import failure, progress, report_errors
from prefect_runtime.client import RunState
from storage.settings import Settings

FLOW: Final = "rerun-batch"


def rerun(batch_id: str, home: Path | None, *, wait: bool) -> None:
    """Start the flow run, wait for its end if `wait` is set, and print the outcome of each item."""
    with report_errors():
        settings = stack.settings(home)
        run_id = asyncio.run(_start(settings, batch_id))
        page = flow_runs.page(settings, run_id)
        progress(f"{FLOW} {batch_id}: {page}")
        if not wait:
            typer.echo(run_id)
            return
        state, outcomes = asyncio.run(_until_ended(settings, run_id))
        if outcomes:
            typer.echo(outcomes)
        if state.type != "COMPLETED":
            raise failure(f"{state.message or state.name.lower()}; see {page}")
        progress(state.message)


async def _start(settings: Settings, batch_id: str) -> str:
    async with flow_runs.prefect_api(settings) as api:
        return await flow_runs.start(api, FLOW, f"{batch_id} failed items", {"batch_id": batch_id})


async def _until_ended(settings: Settings, run_id: str) -> tuple[RunState, str]:
    """The final state of the run, and its page."""
    async with flow_runs.prefect_api(settings) as api:
        while not (state := await api.run_state(run_id)).is_final:
            await asyncio.sleep(flow_runs.LOOK_SECONDS)
        return state, await api.read_artifact(run_id, FLOW)
