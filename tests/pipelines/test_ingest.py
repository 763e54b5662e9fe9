"""A chunk of a bulk ingest against a real Postgres, a real lake and real converters: poison, outages, files that go away."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
import sqlalchemy as sa
from prefect.utilities.callables import parameter_schema
from pydantic import TypeAdapter, ValidationError

from flows import bulk, progress
from flows.bulk import Account, FormatName
from flows.ingest import ingest as ingest_flow
from flows.progress import RunProgress
from flows.reprocess import reprocess as reprocess_flow
from pipelines.ingest import chunk, commit, plan
from pipelines.ingest.chunk import ingest_chunk
from pipelines.ingest.plan import Chunk, Incomplete, Report
from pipelines.resources import Resources, open_resources, use_resources
from spatial import errors
from spatial.contract.formats import FORMATS
from spatial.document.version import EXTRACTOR_VERSION
from storage import settings
from storage.objects.file_filter import FileFilter, SourceFile
from storage.objects.lake import Lake
from storage.objects.sources import Source
from storage.postgres.database import Database
from storage.tables import ingest
from storage.tables.ingest import CommitCounts, FailureType, Outcome, Selection
from storage.tables.query import query
from tasks.artifacts import Progress
from tests.support.resources import SVG, converter


@pytest.fixture(scope="module")
def sound(converter_socket: Path) -> Path:
    """A converter."""
    return converter_socket


@pytest.fixture(scope="module")
def hasty() -> Iterator[Path]:
    """A converter whose every call takes too long."""
    with converter("--deadline", "0.001") as socket:
        yield socket


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with three drawings, and room for a socket (whose path must be short)."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "files")
        files.mkdir()
        for number in range(3):
            (files / f"{number}.svg").write_bytes(SVG % number)
        yield Path(folder)


@asynccontextmanager
async def opened(place: Path, url: str, socket: Path) -> AsyncIterator[Resources]:
    """Resources on a lake of the test's own and the module's database."""
    chosen = settings.load(
        home=place, database_url=url, converter_url=f"unix://{socket}", storage_url=f"file://{place}/lake"
    )
    async with open_resources(chosen) as resources:
        with use_resources(resources):
            yield resources


async def settled(resources: Resources, place: Path, **options: Any) -> Report:
    """The report of one chunk over all files of the place."""
    found: list[SourceFile] = options.pop("found", None) or await Source(f"file://{place}/files").find(FileFilter())
    run = await ingest.open_run(resources.database, "ingest", parameters={}, total=len(found))
    one = Chunk(
        run.id, 1, 1, len(found), f"file://{place}/files", tuple(found), **{"parallel": 4, "tries": 2} | options
    )
    return await ingest_chunk(one)


@pytest.mark.requirement("ingest.outage")
async def test_a_converter_that_is_away_is_waited_for(place: Path, fresh_postgres_url: str, sound: Path) -> None:
    async with opened(place, fresh_postgres_url, place / "converter.sock") as resources:
        working = asyncio.create_task(settled(resources, place))
        await until(lambda: leases(resources.database))
        (place / "converter.sock").symlink_to(sound)
        report = await working
        assert (report.done, report.failed, report.left) == (3, 0, 0)
        assert await query(resources.lake, "SELECT count(*) AS n FROM documents") == [{"n": 3}]


@pytest.mark.requirement("ingest.outage")
async def test_a_converter_that_stays_away_leaves_the_files_to_the_next_run(
    place: Path, fresh_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk, "PATIENCE_SECONDS", 0.1)
    async with opened(place, fresh_postgres_url, place / "converter.sock") as resources:
        with pytest.raises(Incomplete, match=r"3 files were left: .*the converter is unreachable") as failed:
            await settled(resources, place)
        assert failed.value.report.left == 3
        assert await ingest.select_sources(resources.database, Selection()) == [], (
            "nothing is settled, nothing is quarantined"
        )
        assert not await leases(resources.database), "nobody has to wait for a lease"


@pytest.mark.requirement("ingest.tries")
async def test_what_times_out_is_tried_again_then_quarantined_until_somebody_asks(
    place: Path, fresh_postgres_url: str, hasty: Path, sound: Path
) -> None:
    (place / "files" / "broken.pdf").write_bytes(b"no pdf at all")
    async with opened(place, fresh_postgres_url, hasty) as resources:
        report = await settled(resources, place, tries=2)
        assert (report.done, report.failed) == (0, 4)
        recorded = {
            one.found.uri.rsplit("/")[-1]: one for one in await ingest.select_sources(resources.database, Selection())
        }
        failure = recorded["0.svg"].failure
        assert failure is not None and (failure.error_type, failure.tries) == ("timeout_error", 2)
        assert {one.state for one in recorded.values()} == {"quarantined"}
        assert (broken := recorded["broken.pdf"].failure) is not None, "its first bytes may have told"
    async with opened(place, fresh_postgres_url, sound) as resources:
        quarantined = await settled(resources, place)
        assert (quarantined.unchanged, quarantined.quarantined, quarantined.left) == (4, 4, 0)
        again = await settled(resources, place, again=True)
        assert (again.done, again.failed) == (3, 1)
        assert [(told[0].rsplit("/")[-1], told[1]) for told in again.failures] == [("broken.pdf", "parse_error")]
        assert await query(resources.lake, "SELECT error_type, tries FROM failures") == [
            {"error_type": "parse_error", "tries": broken.tries + 1}
        ]


@pytest.mark.requirement("ingest.chunk")
async def test_files_that_go_or_grow_on_the_way_hold_up_no_other(
    place: Path, fresh_postgres_url: str, sound: Path
) -> None:
    found = await Source(f"file://{place}/files").find(FileFilter())
    (place / "files" / "0.svg").unlink()
    with (place / "files" / "1.svg").open("ab") as file:
        file.truncate(30_000_000)
    async with opened(place, fresh_postgres_url, sound) as resources:
        report = await settled(resources, place, found=found)
        assert (report.done, report.failed, report.left) == (1, 1, 1)
        assert report.failures[0][1] == "request_too_large" and "0.svg" in report.notes[0]


@pytest.mark.requirement("ingest.twice")
async def test_a_file_that_was_touched_is_unchanged(place: Path, fresh_postgres_url: str, sound: Path) -> None:
    async with opened(place, fresh_postgres_url, sound) as resources:
        await settled(resources, place)
        os.utime(place / "files" / "0.svg", (1, 1))
        (place / "files" / "1.svg").write_bytes(SVG % 8)
        found = await Source(f"file://{place}/files").find(FileFilter())
        report = await settled(resources, place, found=found[:2])
        assert (report.done, report.failed, report.unchanged, report.quarantined, report.left) == (1, 0, 1, 0, 0)
        last = await ingest.find_run(resources.database, (await latest(resources.database)))
        assert last is not None and (last.done, last.failed, last.skipped) == (1, 0, 1)
        assert len(await ingest.find_unchanged(resources.database, found, EXTRACTOR_VERSION)) == 3


@pytest.mark.requirement("ingest.chunk")
async def test_slow_files_are_committed_as_they_come(
    place: Path, fresh_postgres_url: str, sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit, "COMMIT_PAUSES", (0.0,))
    sizes: list[int] = []
    committing = ingest.commit

    async def noted(database: Database, lake: Lake, run_id: str, outcomes: Sequence[Outcome]) -> CommitCounts:
        sizes.append(len(outcomes))
        return await committing(database, lake, run_id, outcomes)

    monkeypatch.setattr(ingest, "commit", noted)
    async with opened(place, fresh_postgres_url, sound) as resources:
        assert (await settled(resources, place, parallel=1)).done == 3
    assert sum(sizes) == 3 and len(sizes) > 1


@pytest.mark.requirement("ingest.chunk")
async def test_the_first_files_are_committed_before_the_last_are_even_read(
    place: Path, fresh_postgres_url: str, sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3, 6):
        (place / "files" / f"{number}.svg").write_bytes(SVG % number)
    monkeypatch.setattr(plan, "PORTION_FILES", 1)
    monkeypatch.setattr(commit, "COMMIT_PAUSES", (0.0,))
    happened: list[str] = []
    committing, read = ingest.commit, Source.read

    async def committed(database: Database, lake: Lake, run_id: str, outcomes: Sequence[Outcome]) -> CommitCounts:
        happened.append("commit")
        return await committing(database, lake, run_id, outcomes)

    async def was_read(self: Source, uri: str, limit: int) -> bytes:
        happened.append(uri.rsplit("/", maxsplit=1)[-1])
        return await read(self, uri, limit)

    monkeypatch.setattr(ingest, "commit", committed)
    monkeypatch.setattr(Source, "read", was_read)
    async with opened(place, fresh_postgres_url, sound) as resources:
        assert (await settled(resources, place, parallel=1)).done == 6
    assert happened.index("commit") < happened.index("5.svg")


@pytest.mark.requirement("ingest.twice")
async def test_copies_that_are_read_apart_are_one_document(
    place: Path, fresh_postgres_url: str, sound: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "PORTION_FILES", 1)
    (place / "files" / "copy.svg").write_bytes(SVG % 0)
    async with opened(place, fresh_postgres_url, sound) as resources:
        report = await settled(resources, place)
        assert (report.done, report.failed, report.left) == (4, 0, 0)
        documents = await query(
            resources.lake, "SELECT count(*) AS n, count(DISTINCT extraction_id) AS once FROM documents"
        )
        assert documents == [{"n": 4, "once": 3}]
        facts = "SELECT count(*) AS n FROM annotations WHERE text = 'M8x0'"
        assert await query(resources.lake, facts) == [{"n": 1}]


async def latest(database: Database) -> str:
    """The id of the run that was opened last."""
    async with database.transaction() as connection:
        asked = sa.text("SELECT id FROM ingest_runs ORDER BY started_at DESC LIMIT 1")
        return str((await connection.execute(asked)).scalar_one())


async def until(condition: Callable[[], Awaitable[Any]]) -> None:
    """Poll until the condition holds."""
    async with asyncio.timeout(120):
        while not await condition():
            await asyncio.sleep(0.02)


async def leases(database: Database) -> int:
    """Claims that nobody has settled or given back."""
    async with database.transaction() as connection:
        held = sa.text("SELECT count(*) FROM ingest_documents WHERE claim_token IS NOT NULL")
        return int((await connection.execute(held)).scalar_one())


@pytest.mark.requirement("ingest.choice")
def test_the_prefect_ui_offers_every_format() -> None:
    for flow in (ingest_flow, reprocess_flow):
        choice = parameter_schema(flow).properties["formats"]["items"]
        assert choice == {"type": "string", "enum": [row.name for row in FORMATS]}
    with pytest.raises(ValidationError, match="choose from step, "):
        TypeAdapter(FormatName).validate_python("dwg")


@pytest.mark.requirement("ingest.choice")
def test_the_prefect_ui_offers_error_types_that_there_are() -> None:
    assert set(get_args(FailureType)) < {kind.type for kind in errors._BY_NAME.values()}


@pytest.mark.requirement("ingest.tries")
def test_the_account_says_what_stands_in_quarantine() -> None:
    account = Account(found=90, skipped=85, quarantined=15, done=4, left=1)
    assert account.sentence() == (
        "90 files: 4 done, 0 failed, 1 left, 85 unchanged, 15 of them in quarantine: see failures"
    )
    assert Account(found=1, done=1).sentence() == "1 file: 1 done, 0 failed, 0 unchanged"


@pytest.mark.requirement("ingest.progress")
async def test_the_bar_moves_with_each_file_never_goes_back_and_estimates_the_rest(
    place: Path, fresh_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "FIRST_ESTIMATE_SECONDS", 0.0)
    async with opened(place, fresh_postgres_url, place / "converter.sock") as resources:
        run = await ingest.open_run(resources.database, "ingest", parameters={}, total=1_000)
        shown = RunProgress(resources, run)
        assert shown.of(run) == Progress(0.0, "0 done, 0 failed, 0 unchanged of 1,000 files")
        resources.uncommitted[run.id] = 250
        waiting = await shown.read()
        assert waiting.percent == 25.0 and re.search(
            r"0 done, .* of 1,000 files; about \d+ s left$", waiting.description
        )
        committed = replace(run, done=240)
        assert shown.of(committed).percent == 49.0, "a commit that is counted twice for a moment"
        resources.uncommitted[run.id] = 0
        assert shown.of(committed).percent == 49.0, "it does not go back"
        assert shown.of(replace(run, done=1_000, state="done")).percent == 100.0


@pytest.mark.requirement("ingest.progress")
@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "about 1 s"), (40, "about 40 s"), (200, "about 3 min"), (7_800, "about 2 h 10 min")]
)
def test_an_estimate_is_as_precise_as_it_is_worth(seconds: float, words: str) -> None:
    assert progress.in_words(seconds) == words


@pytest.mark.requirement("ingest.dry-run")
def test_a_list_that_is_cut_says_so() -> None:
    pages = [
        bulk.account_page(
            "ingest",
            Account(found=2_000, dry_run=True, would={"dxf": would}, examples=["file:///a.dxf", "file:///b.dxf"]),
            [],
        )
        for would in (2, 1_202)
    ]
    assert "more" not in pages[0] and pages[1].endswith("- and 1,200 more")
