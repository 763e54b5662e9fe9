"""What ingest and reprocess have in common: a run over many files, in chunks, with its progress and its account at the end."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from prefect import Flow, runtime
from prefect.artifacts import acreate_markdown_artifact, acreate_progress_artifact
from prefect.client.schemas.actions import ArtifactUpdate
from prefect.client.schemas.objects import FlowRun, State
from prefect.client.utilities import get_or_create_client
from prefect.states import Completed
from pydantic import BaseModel, ConfigDict, Field

from flows import runners
from flows.runners import Ended, Runner
from spatial.contract.extraction import TargetContract
from spatial.errors import SpatialError, Unavailable
from storage.objects.sources import SourceFile
from storage.postgres.advisory_lock import advisory_lock
from storage.tables import ingest
from storage.tables.ingest import IngestRun
from tasks import resources
from tasks.ingest import Chunk, Incomplete, Report
from tasks.resources import Resources

LOOK_SECONDS: Final = 2.0
"""How often a run says in our own record that it lives, and in Prefect how far it is."""

LISTED: Final = 50
"""Most failures, and most files of a dry run, that an artifact lists."""

PER_WORKER: Final = 3
"""Files at a time for each place of the converter, where nobody chose: one in it, and others on their way there and back."""


FormatName = Literal["step", "iges", "dxf", "pdf", "drawio", "svg", "xml", "png"]
"""Names of the rows of FORMATS, as a choice in the Prefect UI; a test keeps them alike."""

ChunkFiles = Annotated[int, Field(ge=1, le=5_000)]
Parallel = Annotated[int, Field(ge=1, le=256)]
Tries = Annotated[int, Field(ge=1, le=10)]


class RunFailed(SpatialError):
    """A run left files for a reason that is not theirs; the next one does them."""


class Options(BaseModel):
    """How a run goes about its files, whatever chose them."""

    model_config = ConfigDict(frozen=True)

    chunk_files: ChunkFiles = 500
    parallel: Parallel | None = None
    tries: Tries = 3
    target_contract: TargetContract = TargetContract.structured
    runner: Runner | None = None


class Account(BaseModel):
    """What became of a run; the flow's result."""

    run_id: str | None = None
    """None of a dry run."""
    found: int = 0
    """Files that were chosen."""
    skipped: int = 0
    """Settled already, and unchanged."""
    quarantined: int = 0
    """Of the skipped: in the table `failures` since an earlier run."""
    done: int = 0
    failed: int = 0
    """In the table `failures` now."""
    left: int = 0
    """For the next run: gone, changed meanwhile, read by another run, or something was out of reach."""
    failures: list[tuple[str, str, str]] = []
    """URI, error type and message of the first."""
    notes: list[str] = []
    dry_run: bool = False
    would: dict[str, int] = {}
    """Of a dry run: files by format that would be read."""
    examples: list[str] = []
    """Of a dry run: the first of them."""

    def sentence(self) -> str:
        """In one line."""
        parts = [f"{self.done:,} done", f"{self.failed:,} failed"]
        parts += [f"{self.left:,} left"] if self.left else []
        parts += [f"{self.skipped:,} unchanged"]
        parts += [f"{self.quarantined:,} of them in quarantine: see failures"] if self.quarantined else []
        return f"{self.found:,} files: " + ", ".join(parts)


async def carry_out(
    kind: Literal["ingest", "reprocess"],
    files: Sequence[SourceFile],
    options: Options,
    *,
    source: str | None,
    found: int,
    quarantined: int = 0,
    parameters: dict[str, Any],
) -> State[Account]:
    """Take the files through the converter into the tables; a state Completed that holds the account.

    found: how many were chosen, with those that need nothing; quarantined: of these.
    Raises: RunFailed at the end, where files were left for no fault of theirs.
    """
    here = resources.current()
    runner = options.runner or here.settings.ingest_runner
    runners.checked(runner)
    parallel = options.parallel or PER_WORKER * (await _converter_places(here))
    run = await _opened(here, kind, parameters, found=found, skipped=found - len(files))
    chunks = _chunks(
        run, files, options, source, per_chunk=math.ceil(parallel / runners.LANES), again=kind == "reprocess"
    )
    async with _shown(here, run):
        ended = await runners.work_off(
            runner, chunks, cluster=here.settings.ingest_cluster, processes=max(1, parallel // PER_WORKER)
        )
    account = _account(run, found, quarantined, len(files), ended)
    trouble = [f"{type(one).__name__}: {one}" for one in ended if isinstance(one, BaseException)]
    trouble += [] if len(ended) == len(chunks) else [f"{len(chunks) - len(ended):,} chunks were not begun"]
    await report(kind, account, trouble)
    await ingest.close_run(here.database, here.lake, run.id, "failed" if trouble else "done")
    if trouble:
        raise RunFailed(f"{account.sentence()}; run it again to go on where it stopped. {'; '.join(trouble[:3])}")
    name = ingest.WITH_FAILURES if account.failed or account.quarantined else None
    return Completed(name=name, message=account.sentence(), data=account)


@asynccontextmanager
async def only_one(name: str) -> AsyncIterator[bool]:
    """Whether no other run of this name is under way, in any process; held for the length of a block."""
    over = False
    try:
        async with advisory_lock(resources.current().database, name) as only:
            yield only
            over = True
    except Unavailable:  # Postgres was away meanwhile, and has let go by itself
        if not over:
            raise


def unneeded(source: str) -> State[Account]:
    """What a run says that leaves the field to another."""
    message = f"another run walks {source} now; this one has done nothing"
    return Completed(name=ingest.UNNEEDED, message=message, data=Account())


async def rehearsed(kind: str, files: Sequence[SourceFile], found: int, would: dict[str, int]) -> State[Account]:
    """The account of a dry run, shown and returned."""
    account = Account(
        found=found, skipped=found - len(files), dry_run=True, would=would, examples=[one.uri for one in files[:LISTED]]
    )
    await report(kind, account, [])
    return Completed(message=f"dry run: {len(files):,} of {found:,} files would be read", data=account)


async def called_off(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """A hook: somebody cancelled the run in Prefect. What was committed stays."""
    del flow, state
    await _over(flow_run, "cancelled")


async def given_up(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """A hook: the run ended before it could say so itself."""
    del flow, state
    await _over(flow_run, "failed")


async def _over(flow_run: FlowRun, state: Literal["failed", "cancelled"]) -> None:
    async with resources.at_hand() as here:
        run = await ingest.find_run(here.database, str(flow_run.id))
        if run is not None and run.state == "running":
            await ingest.close_run(here.database, here.lake, run.id, state)


HOOKS: Final[dict[str, Any]] = {"on_cancellation": [called_off], "on_failure": [given_up]}
"""Of both flows: our own record ends when the flow run does."""


async def report(kind: str, account: Account, trouble: list[str]) -> None:
    """A page in the Prefect UI that says what came of the run."""
    lines = [f"## {kind}, dry run" if account.dry_run else f"## {kind}: {account.sentence()}"]
    if account.dry_run:
        lines += [f"{sum(account.would.values()):,} of {account.found:,} files would be read"]
        lines += ["\n".join(f"- {name}: {count:,}" for name, count in sorted(account.would.items()))]
    if account.examples:
        more = sum(account.would.values()) - len(account.examples)
        listed = [f"- `{uri}`" for uri in account.examples] + ([f"- and {more:,} more"] if more > 0 else [])
        lines += ["### The first" if more > 0 else "### Which", "\n".join(listed)]
    if trouble:
        lines += ["### Trouble", "\n".join(f"- {one}" for one in trouble[:LISTED])]
    if account.failures:
        told = (f"- `{uri}`: {kind_of}: {message}" for uri, kind_of, message in account.failures)
        lines += ["### Failures", "\n".join(told), "All of them: `SELECT * FROM failures`."]
    if account.notes:
        lines += ["### Left for the next run", "\n".join(f"- {note}" for note in account.notes)]
    await acreate_markdown_artifact(key=kind, markdown="\n\n".join(lines), description=account.sentence())


async def _opened(
    here: Resources, kind: Literal["ingest", "reprocess"], parameters: dict[str, Any], *, found: int, skipped: int
) -> IngestRun:
    """The run's record. A flow run that is run again, by another worker or by a person, goes on with its own: what it settled in its
    first life is among the unchanged now, and is not counted twice."""
    run = await ingest.open_run(here.database, kind, parameters=parameters, flow_run_id=str(runtime.flow_run.id))
    known = run.done + run.failed + run.skipped
    return await ingest.add_progress(here.database, run.id, total=found, skipped=max(0, skipped - known))


async def _converter_places(here: Resources) -> int:
    """How many calls the converter runs at once; it may be starting."""
    for pause in (0.5, 1.0, 2.0, 4.0, 8.0):
        with suppress(Unavailable):
            return (await here.converter.health()).workers
        await asyncio.sleep(pause)
    return 1


def _chunks(
    run: IngestRun, files: Sequence[SourceFile], options: Options, source: str | None, *, per_chunk: int, again: bool
) -> list[Chunk]:
    size = options.chunk_files
    return [
        Chunk(
            run_id=run.id,
            number=number,
            first=start + 1,
            total=len(files),
            source=source,
            files=tuple(files[start : start + size]),
            parallel=per_chunk,
            tries=options.tries,
            target=options.target_contract,
            again=again,
        )
        for number, start in enumerate(range(0, len(files), size), start=1)
    ]


def _account(run: IngestRun, found: int, quarantined: int, files: int, ended: Sequence[Ended]) -> Account:
    reports = [one if isinstance(one, Report) else one.report for one in ended if isinstance(one, Report | Incomplete)]
    done, failed = sum(one.done for one in reports), sum(one.failed for one in reports)
    unchanged = sum(one.unchanged for one in reports)
    return Account(
        run_id=run.id,
        found=found,
        skipped=found - files + unchanged,
        quarantined=quarantined + sum(one.quarantined for one in reports),
        done=done,
        failed=failed,
        left=files - done - failed - unchanged,
        failures=[told for one in reports for told in one.failures][:LISTED],
        notes=list(dict.fromkeys(note for one in reports for note in one.notes))[:LISTED],
    )


@asynccontextmanager
async def _shown(here: Resources, run: IngestRun) -> AsyncIterator[None]:
    """One progress artifact for the length of a block, brought up to date now and then from the run's own record."""
    artifact = await acreate_progress_artifact(_percent(run), key=f"{run.kind}-progress", description=_standing(run))
    shown = run

    async def show() -> None:
        nonlocal shown
        with suppress(Unavailable, *runners.OUT_OF_REACH):
            now = await ingest.add_progress(here.database, run.id)
            if _standing(now) != _standing(shown):
                await _show(artifact, now)
                shown = now

    async def keep_showing() -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await show()

    showing = asyncio.create_task(keep_showing())
    try:
        yield
    finally:
        showing.cancel()
    await show()


async def _show(artifact: UUID, run: IngestRun) -> None:
    """Bring the artifact up to date. Prefect's own helper adds an event to it, which is eight rows of its database for nobody."""
    client, _ = get_or_create_client()
    update = ArtifactUpdate(data=_percent(run), description=_standing(run))
    body = update.model_dump(mode="json", exclude_unset=True)
    await client.request("PATCH", "/artifacts/{id}", path_params={"id": artifact}, json=body)


def _percent(run: IngestRun) -> float:
    return min(100.0, 100.0 * (run.done + run.failed + run.skipped) / run.total) if run.total else 100.0


def _standing(run: IngestRun) -> str:
    return f"{run.done:,} done, {run.failed:,} failed, {run.skipped:,} unchanged of {run.total or 0:,} files"
