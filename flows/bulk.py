"""Shared code of the flows `ingest` and `reprocess`: a run over many files in chunks, its progress, and its account (final counts)."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final, Literal

from prefect import Flow, get_run_logger, runtime
from prefect.client.schemas.objects import FlowRun, State
from prefect.states import Completed
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema

from flows import runners
from flows.progress import RunProgress
from flows.runners import Outcome, Runner
from pipelines import markdown
from pipelines.ingest.plan import Incomplete, Report, plan_chunks
from pipelines.resources import Resources, current_resources, ensure_resources
from spatial.contract.formats import FORMAT_NAMES
from spatial.contract.target import TargetContract
from spatial.counting import count_of
from spatial.errors import SpatialError, Unavailable
from storage.objects.file_filter import SourceFile
from storage.postgres.advisory_lock import advisory_lock
from storage.retry import retry
from storage.tables import ingest
from storage.tables.ingest import IngestRun
from tasks.artifacts import publish_artifact, show_progress

LISTED: Final = 50
"""Maximum number of failures, and of files of a dry run, that an artifact lists."""

PER_WORKER: Final = 3
"""Default number of files at a time per converter worker: one is converted while the others are read or committed."""

CONVERTER_PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds between attempts to read the number of converter workers; the converter may still be starting."""


def _require_format(name: str) -> str:
    if name not in FORMAT_NAMES:
        raise ValueError(f"{name!r} is not a format; choose from {', '.join(FORMAT_NAMES)}")
    return name


FormatName = Annotated[
    str, AfterValidator(_require_format), WithJsonSchema({"type": "string", "enum": list(FORMAT_NAMES)})
]
"""Name of a row of FORMATS; a selection in the Prefect UI."""

ChunkFiles = Annotated[int, Field(ge=1, le=5_000)]
Parallel = Annotated[int, Field(ge=1, le=256)]
Tries = Annotated[int, Field(ge=1, le=10)]


class RunFailed(SpatialError):
    """A run left files because a part of the service was unavailable; the next run processes them."""


class Options(BaseModel):
    """Options of a run that do not depend on how its files were selected."""

    model_config = ConfigDict(frozen=True)

    chunk_files: ChunkFiles = 500
    parallel: Parallel | None = None
    tries: Tries = 3
    target_contract: TargetContract = TargetContract.structured
    edges: bool = False
    runner: Runner | None = None


class Account(BaseModel):
    """Final counts of a run; the result of the flow."""

    run_id: str | None = None
    """None for a dry run."""
    found: int = 0
    """Number of selected files."""
    skipped: int = 0
    """Number of files that an earlier run settled and that have not changed since."""
    quarantined: int = 0
    """Number of skipped files that an earlier run wrote to the table `failures`."""
    done: int = 0
    failed: int = 0
    """Number of files that this run wrote to the table `failures`."""
    left: int = 0
    """Number of files left for the next run: deleted or changed, in use by another run, or a part of the service was unavailable."""
    failures: list[tuple[str, str, str]] = []
    """URI, error type and message of the first failures."""
    notes: list[str] = []
    dry_run: bool = False
    would: dict[str, int] = {}
    """Dry run: number of files that would be read, by format."""
    examples: list[str] = []
    """Dry run: URIs of the first of these files."""

    def sentence(self) -> str:
        """The account in one line."""
        parts = [f"{self.done:,} done", f"{self.failed:,} failed"]
        parts += [f"{self.left:,} left"] if self.left else []
        parts += [f"{self.skipped:,} unchanged"]
        parts += [f"{self.quarantined:,} of them in quarantine: see failures"] if self.quarantined else []
        return f"{count_of(self.found, 'file')}: " + ", ".join(parts)


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
    """Convert the files and write them to the tables; returns a Completed state with the account.

    found: number of selected files, including those that need no work; quarantined: how many of those are in quarantine.
    Raises: RunFailed at the end, if files were left because a part of the service was unavailable.
    """
    resources = current_resources()
    runner = options.runner or resources.settings.ingest_runner
    runners.check_installed(runner)
    parallel = options.parallel or PER_WORKER * (await _converter_workers(resources))
    run = await _open_run(resources, kind, parameters, found=found, skipped=found - len(files))
    chunks = plan_chunks(
        files,
        run_id=run.id,
        source=source,
        chunk_files=options.chunk_files,
        parallel=math.ceil(parallel / runners.LANES),
        tries=options.tries,
        target=options.target_contract,
        edges=options.edges,
        again=kind == "reprocess",
    )

    progress = RunProgress(resources, run)
    async with show_progress(f"{kind}-progress", progress.of(run), progress.read):
        outcomes = await runners.run_chunks(
            runner, chunks, cluster=resources.settings.ingest_cluster, processes=max(1, parallel // PER_WORKER)
        )
    progress.end()
    account = _account(run, found, quarantined, len(files), outcomes)
    problems = [f"{type(one).__name__}: {one}" for one in outcomes if isinstance(one, BaseException)]
    if unstarted := len(chunks) - len(outcomes):
        problems.append(f"{count_of(unstarted, 'chunk was', 'chunks were')} not started")
    await publish_account(kind, account, problems)
    await ingest.close_run(resources.database, resources.lake, run.id, "failed" if problems else "done")
    if problems:
        raise RunFailed(f"{account.sentence()}; {'; '.join(problems[:3])}; run it again to continue where it stopped")
    get_run_logger().info(account.sentence())
    name = ingest.WITH_FAILURES if account.failed or account.quarantined else None
    return Completed(name=name, message=account.sentence(), data=account)


@asynccontextmanager
async def only_one(name: str) -> AsyncIterator[bool]:
    """Try to hold the advisory lock of this name for the block; yields whether this run got it, that is, whether it is the only one."""
    has_ended = False
    try:
        async with advisory_lock(current_resources().database, name) as only:
            yield only
            has_ended = True
    except Unavailable:  # the connection to Postgres broke during the block, which released the lock
        if not has_ended:
            raise


def unneeded(source: str) -> State[Account]:
    """The final state of a run that did nothing, because another run reads the same source."""
    message = f"another run is reading {source}; this run did nothing"
    get_run_logger().info(message)
    return Completed(name=ingest.UNNEEDED, message=message, data=Account())


async def dry_run_account(kind: str, files: Sequence[SourceFile], found: int, would: dict[str, int]) -> State[Account]:
    """Publish and return the account of a dry run."""
    account = Account(
        found=found, skipped=found - len(files), dry_run=True, would=would, examples=[one.uri for one in files[:LISTED]]
    )
    await publish_account(kind, account, [])
    message = f"dry run: {len(files):,} of {count_of(found, 'file')} would be read"
    get_run_logger().info(message)
    return Completed(message=message, data=account)


async def record_cancellation(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Hook for a run that was cancelled in Prefect: close its record. Committed results are kept."""
    del flow, state
    await _end_record(flow_run, "cancelled")


async def record_failure(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Hook for a run that ended before it closed its record: close it."""
    del flow, state
    await _end_record(flow_run, "failed")


async def _end_record(flow_run: FlowRun, state: Literal["failed", "cancelled"]) -> None:
    async with ensure_resources() as resources:
        run = await ingest.find_run(resources.database, str(flow_run.id))
        if run is not None and run.state == "running":
            await ingest.close_run(resources.database, resources.lake, run.id, state)


HOOKS: Final[dict[str, Any]] = {
    "on_cancellation": [record_cancellation],
    "on_failure": [record_failure],
    "on_crashed": [record_failure],
}
"""Hooks of both flows: the run's record in Postgres ends when the flow run does; `reconcile` ends that of a process that was killed."""


async def publish_account(kind: str, account: Account, trouble: list[str]) -> None:
    """Show the outcome of the run in the Prefect UI."""
    await publish_artifact(kind, account_page(kind, account, trouble), account.sentence())


def account_page(kind: str, account: Account, trouble: list[str]) -> str:
    """The account as Markdown."""
    lines = [f"## {kind}, dry run" if account.dry_run else f"## {kind}: {account.sentence()}"]
    if account.dry_run:
        lines += [f"{sum(account.would.values()):,} of {count_of(account.found, 'file')} would be read"]
        lines += ["\n".join(f"- {name}: {count:,}" for name, count in sorted(account.would.items()))]
    if account.examples:
        more = sum(account.would.values()) - len(account.examples)
        listed = [f"- {markdown.code(uri)}" for uri in account.examples] + (
            [f"- and {more:,} more"] if more > 0 else []
        )
        lines += ["### The first" if more > 0 else "### Which", "\n".join(listed)]
    if trouble:
        lines += ["### Problems", "\n".join(f"- {markdown.escape(one)}" for one in trouble[:LISTED])]
    if account.failures:
        listed = [
            f"- {markdown.code(uri)}: {error_type}: {markdown.escape(message)}"
            for uri, error_type, message in account.failures
        ]
        lines += ["### Failures", "\n".join(listed), "All of them: `SELECT * FROM failures`."]
    if account.notes:
        lines += ["### Left for the next run", "\n".join(f"- {markdown.escape(note)}" for note in account.notes)]
    return "\n\n".join(lines)


async def _open_run(
    resources: Resources, kind: Literal["ingest", "reprocess"], parameters: dict[str, Any], *, found: int, skipped: int
) -> IngestRun:
    """Open or continue the record of a run.

    Files that an earlier attempt of the same flow run settled are now unchanged files; they are not counted twice.
    """
    run = await ingest.open_run(resources.database, kind, parameters=parameters, flow_run_id=str(runtime.flow_run.id))
    known = run.done + run.failed + run.skipped
    return await ingest.add_progress(resources.database, run.id, total=found, skipped=max(0, skipped - known))


async def _converter_workers(resources: Resources) -> int:
    """Number of concurrent calls of the converter; 1 if it does not answer."""
    try:
        return (await retry(resources.converter.health, CONVERTER_PAUSES)).workers
    except Unavailable:
        return 1


def _account(run: IngestRun, found: int, quarantined: int, files: int, outcomes: Sequence[Outcome]) -> Account:
    reports = [
        one if isinstance(one, Report) else one.report for one in outcomes if isinstance(one, Report | Incomplete)
    ]
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
        failures=[failure for one in reports for failure in one.failures][:LISTED],
        notes=list(dict.fromkeys(note for one in reports for note in one.notes))[:LISTED],
    )
