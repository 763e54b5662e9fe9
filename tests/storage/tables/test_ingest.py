"""The tables of bulk ingest: what readers see equals a plain model, whoever runs at once and whoever dies when."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from deployments.postgres import EmbeddedPostgres
from storage import ids
from storage.objects.file_filter import SourceFile
from storage.objects.lake import Lake, LakeUnavailable
from storage.postgres.database import Database
from storage.tables import ingest, table_store
from storage.tables.ingest import (
    Action,
    Candidate,
    DocumentClaim,
    Failed,
    Failure,
    Linked,
    Refused,
    Selection,
    compaction,
)
from storage.tables.query import query
from tests.storage.actors import execute, fetch_column
from tests.storage.fate import survived
from tests.storage.ingest_actors import (
    BORN,
    LEASE_SECONDS,
    Extractor,
    Files,
    Model,
    assert_consistent,
    digest,
    everything,
    lapse,
    read,
    run,
)

SEEDS = 3
"""Histories that the suite looks at."""

NAMES, CONTENTS = "abcde", ("a", "b", "c0", "bad", "new", "old", "new0")


@pytest.fixture
async def database(fresh_postgres_url: str) -> AsyncIterator[Database]:
    """A database of the test's own: the tables are one for all runs."""
    opened = Database(fresh_postgres_url)
    yield opened
    await opened.close()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody follows an old manifest: what is retired is swept at once."""
    monkeypatch.setattr(compaction, "GRACE", timedelta(0))


async def _run_of(database: Database) -> str:
    return (await ingest.open_run(database, "ingest", parameters={})).id


async def _claimed(database: Database, run_id: str, *candidates: Candidate, again: bool = False) -> list[DocumentClaim]:
    return await ingest.claim(database, run_id, candidates, 1, lease_seconds=LEASE_SECONDS, again=again)


# Against the model --------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("ingest-store.tables", "ingest-store.crash")
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_after_any_history_with_deaths_the_tables_are_the_model(
    database: Database, here: Lake, impatient: None, seed: int
) -> None:
    chance, files, model = random.Random(seed), Files(), Model()
    extractor = Extractor(files)
    for _ in range(5):
        for name in chance.sample(NAMES, chance.randrange(4)):
            files.write(name, chance.choice(CONTENTS))
        if chance.random() < 0.2 and len(files.files) > 2:
            files.remove(chance.choice([name for name in NAMES if f"file:///drawings/{name}.dxf" in files.files]))
        extractor.version = max(extractor.version, chance.choice((1, 1, 1, 2)))
        settled = sorted(uri for uri in model.sources if uri in files.files)
        again = chance.sample(settled, min(len(settled), 3)) if chance.random() < 0.3 else []
        work = partial(
            run, extractor=extractor, again=again, of_chunk=chance.choice((1, 2, 4)), flow_run_id=ids.new("flow")
        )
        for moment in (chance.randrange(60), chance.randrange(60), 10_000):
            if await survived(work, moment, database, here):
                break
            assert_consistent(await read(here))
            await lapse(database)
        model.run(files, extractor.version, again)
        assert await read(here) == model.tables()
        if chance.random() < 0.5:
            await survived(ingest.compact_tables, chance.randrange(60), database, here, at_least=2)
            assert await read(here) == model.tables()
    await ingest.compact_tables(database, here, at_least=2)
    await _assert_nothing_left(database, here, model)


async def _assert_nothing_left(database: Database, lake: Lake, model: Model) -> None:
    """In the lake is what readers follow, and nothing else; and no row is superseded any more."""
    seen = model.tables()
    assert await read(lake) == seen
    documents = {row["result_key"] for row in await query(lake, "SELECT result_key FROM documents")}
    tables = {named["key"] for named in await table_store.read_manifest(lake, ingest.STORE)}
    [manifest] = await lake.list("ingest/manifest") if tables else [""]
    assert set(await lake.list("ingest")) - {manifest} == documents | tables
    assert not any("/superseded/" in key for key in tables)
    assert await fetch_column(database, "SELECT count(*) FROM ingest_superseded") == [0]


@pytest.mark.requirement("ingest-store.crash", "ingest-store.twice")
async def test_killed_at_any_moment_and_run_again_gives_the_same_rows(
    database: Database, here: Lake, postgres_server: EmbeddedPostgres, tmp_path: Path
) -> None:
    name = f"twin_{ids.new('t')}"
    postgres_server.create_database(name, template="migrated")
    twin, elsewhere = Database(postgres_server.url(name)), Lake(f"file://{tmp_path}/twin")
    files = Files()
    try:
        moment, ended = 0, False
        while not ended:
            for place, uri in enumerate("abc"):
                files.write(uri, f"{CONTENTS[(moment + place) % 5]}{moment}")
            ended = await survived(partial(run, extractor=Extractor(files)), moment, database, here)
            assert_consistent(await read(here))
            await lapse(database)
            await run(database, here, Extractor(files))
            await run(twin, elsewhere, Extractor(files))
            moment += 9
        assert moment > 50
        assert await everything(here) == await everything(elsewhere)
    finally:
        await twin.close()
        postgres_server.drop_database(name)


@pytest.mark.requirement("ingest-store.twice")
async def test_a_second_run_reads_nothing_and_changes_nothing(database: Database, lake: Lake) -> None:
    files = Files()
    for name, content in zip("abcdef", ("a", "a", "b", "bad", "c0", "new"), strict=True):
        files.write(name, content)
    extractor = Extractor(files)
    first = await run(database, lake, extractor)
    assert (first.total, first.done, first.failed, first.skipped) == (6, 4, 2, 0)
    assert sorted(extractor.read) == ["a", "b", "bad", "c0", "new"]
    keys, seen = await lake.list("ingest"), await everything(lake)
    second = await run(database, lake, extractor)
    assert (second.total, second.done, second.failed, second.skipped) == (6, 0, 0, 6)
    assert len(extractor.read) == 5
    assert await lake.list("ingest") == keys
    assert await everything(lake) == seen


# At once ------------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("ingest-store.concurrent")
async def test_runs_over_the_same_files_read_each_document_once(database: Database, lake: Lake) -> None:
    files, model, running = Files(), Model(), True
    for number in range(8):
        files.write(f"f{number}", ("a", "b", "bad", "c0", "d")[number % 5])
    extractor, known = Extractor(files), set[str]()

    async def look() -> None:
        while running:
            seen = await read(lake)
            assert_consistent(seen)
            uris = {row[0] for row in seen["documents"]}
            assert known <= uris
            known.update(uris)

    async def compact() -> None:
        while running:
            await ingest.compact_tables(database, lake, at_least=2)

    keepers = [asyncio.create_task(work()) for work in (look, compact, compact)]
    await asyncio.gather(*(run(database, lake, extractor, of_chunk=size) for size in (1, 2, 5)))
    await run(database, lake, replace(extractor, version=2), of_chunk=3)
    running = False
    await asyncio.gather(*keepers)
    model.run(files, 1)
    model.run(files, 2)
    assert sorted(extractor.read) == sorted(2 * ["a", "b", "bad", "c0", "d"])
    assert await read(lake) == model.tables()


@pytest.mark.requirement("ingest-store.claims")
async def test_who_was_too_slow_changes_nothing(database: Database, here: Lake) -> None:
    files = Files()
    files.write("a", "a")
    extractor, [uri] = Extractor(files), files.files
    slow, quick = await _run_of(database), await _run_of(database)
    [late] = await _claimed(database, slow, files.candidate(uri))
    outcome = extractor.outcome(late)
    assert outcome is not None
    [waiting] = await _claimed(database, quick, files.candidate(uri))
    assert waiting.action is Action.HELD
    await lapse(database)
    assert await ingest.renew(database, [late], LEASE_SECONDS) == 1
    [waiting] = await _claimed(database, quick, files.candidate(uri))
    assert waiting.action is Action.HELD
    await lapse(database)
    [taken] = await _claimed(database, quick, files.candidate(uri))
    assert taken.action is Action.EXTRACT and taken.extraction_id == late.extraction_id
    assert await ingest.commit(database, here, slow, [outcome]) == ingest.CommitCounts(fenced=(uri,))
    assert (await read(here))["documents"] == []
    await ingest.release(database, [late, taken])
    [again] = await _claimed(database, slow, files.candidate(uri))
    assert again.action is Action.EXTRACT
    done = extractor.outcome(again)
    assert done is not None
    assert await ingest.commit(database, here, slow, [done]) == ingest.CommitCounts(done=1)
    assert await ingest.commit(database, here, slow, [done]) == ingest.CommitCounts(done=1)
    opened = await ingest.find_run(database, slow)
    assert opened is not None and opened.done == 1


@pytest.mark.requirement("ingest-store.claims")
async def test_a_chunk_that_is_run_again_takes_its_claims_back(database: Database) -> None:
    files = Files()
    files.write("a", "a")
    candidate = files.candidate(*files.files)
    mine = await _run_of(database)
    [first] = await ingest.claim(database, mine, [candidate], 1, lease_seconds=LEASE_SECONDS, chunk=7)
    [other] = await ingest.claim(database, mine, [candidate], 1, lease_seconds=LEASE_SECONDS, chunk=8)
    [again] = await ingest.claim(database, mine, [candidate], 1, lease_seconds=LEASE_SECONDS, chunk=7)
    assert [first.action, other.action, again.action] == [Action.EXTRACT, Action.HELD, Action.EXTRACT]
    assert await ingest.renew(database, [first], LEASE_SECONDS) == 0


@pytest.mark.requirement("ingest-store.claims")
async def test_a_file_that_others_settled_meanwhile_is_left_to_the_next_run(database: Database, here: Lake) -> None:
    files, model = Files(), Model()
    files.write("a", "a")
    extractor, mine = Extractor(files), await _run_of(database)
    [old] = await _claimed(database, mine, files.candidate(*files.files))
    outcome = extractor.outcome(old)
    assert outcome is not None
    files.write("a", "b")
    await run(database, here, extractor)
    model.run(files, 1)
    assert (await ingest.commit(database, here, mine, [outcome])).fenced == tuple(files.files)
    assert await read(here) == model.tables()
    assert await fetch_column(database, "SELECT count(*) FROM ingest_documents WHERE claim_token IS NOT NULL") == [0]


@pytest.mark.requirement("ingest-store.concurrent")
async def test_a_commit_that_another_overtakes_is_planned_anew(
    database: Database, here: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two files change at once from the same content: whoever commits last has left nobody with it."""
    files, model = Files(), Model()
    for name in "ab":
        files.write(name, "c")
    extractor = Extractor(files)
    await run(database, here, extractor)
    model.run(files, 1)
    for name in "ab":
        files.write(name, name)
    mine = await _run_of(database)
    claims = await _claimed(database, mine, *map(files.candidate, files.files))
    outcomes = [outcome for outcome in map(extractor.outcome, claims) if outcome is not None]
    put, both, planned = Lake.put, asyncio.Barrier(2), list[str]()

    async def together(lake: Lake, key: str, data: bytes) -> None:
        """Both have planned before either takes effect."""
        await put(lake, key, data)
        if "/documents/" in key and key.endswith(".json"):
            planned.append(key)
            if len(planned) <= 2:
                await both.wait()

    monkeypatch.setattr(Lake, "put", together)
    await asyncio.gather(*(ingest.commit(database, here, mine, [one]) for one in outcomes))
    assert len(planned) == 3
    model.run(files, 1)
    assert await read(here) == model.tables()


# Readers ------------------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("ingest-store.readers")
async def test_readers_of_an_old_manifest_are_served_until_the_grace_is_over(database: Database, lake: Lake) -> None:
    files, model = Files(), Model()
    extractor = Extractor(files)
    for name in "abc":
        files.write(name, name)
        await run(database, lake, extractor)
    files.write("a", "d")
    await run(database, lake, extractor)
    old = await table_store.read_manifest(lake, ingest.STORE)
    assert await ingest.compact_tables(database, lake, at_least=2) == 12
    assert await asyncio.gather(*(lake.exists(named["key"]) for named in old)) == [True] * 13
    aged = "clock_timestamp() - interval '61 minutes'"
    await execute(database, f"UPDATE ingest_objects SET retired_at = {aged} WHERE state = 'retired'")
    await execute(database, f"UPDATE ingest_extractions SET retired_at = {aged} WHERE state = 'retired'")
    await execute(database, f"UPDATE ingest_manifests SET created_at = {aged}")
    await ingest.sweep(database, lake)
    model.run(files, 1)
    model.generations = {}
    assert await asyncio.gather(*(lake.exists(named["key"]) for named in old)) == [False] * 13
    assert await read(lake) == model.tables()
    assert len(await lake.list("ingest/manifest")) == 1
    assert [named["table"] for named in await table_store.read_manifest(lake, ingest.STORE)] == [
        "callouts",
        "documents",
        "solids",
    ]
    assert len(await lake.list("ingest/documents")) == 3


@pytest.mark.requirement("ingest-store.readers")
async def test_rows_superseded_while_they_are_merged_stay_left_out(
    database: Database, here: Lake, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, model = Files(), Model()
    extractor = Extractor(files)
    for name in "abc":
        files.write(name, name)
        await run(database, here, extractor)
    files.write("a", "d")
    put = Lake.put

    async def changed_meanwhile(lake: Lake, key: str, data: bytes) -> None:
        monkeypatch.setattr(Lake, "put", put)
        await run(database, lake, extractor)
        await put(lake, key, data)

    monkeypatch.setattr(Lake, "put", changed_meanwhile)
    await ingest.compact_tables(database, here, at_least=3)
    model.run(files, 1)
    assert await read(here) == model.tables()
    await ingest.compact_tables(database, here)
    await _assert_nothing_left(database, here, model)


@pytest.mark.requirement("ingest-store.crash")
async def test_a_lake_out_of_reach_changes_nothing_and_the_same_outcomes_can_be_committed_later(
    database: Database, here: Lake, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    files, model = Files(), Model()
    files.write("a", "a")
    extractor, mine = Extractor(files), await _run_of(database)
    [claim] = await _claimed(database, mine, files.candidate(*files.files))
    outcome = extractor.outcome(claim)
    assert outcome is not None
    with monkeypatch.context() as patched:
        patched.setattr(Lake, "put", _unavailable)
        with pytest.raises(LakeUnavailable):
            await ingest.commit(database, here, mine, [outcome])
    assert await read(here) == model.tables()
    await ingest.commit(database, here, mine, [outcome])
    model.run(files, 1)
    assert await read(here) == model.tables()
    await ingest.sweep(database, here)
    await _assert_nothing_left(database, here, model)


async def _unavailable(lake: Lake, key: str, data: bytes) -> None:
    raise LakeUnavailable("out of reach")


# What is settled ----------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("ingest-store.unchanged")
async def test_size_and_etag_or_time_say_whether_a_file_is_as_it_was(database: Database, here: Lake) -> None:
    later = BORN + timedelta(seconds=1)
    tagged, plain = SourceFile("s3://b/tagged", 5, "e1", BORN), SourceFile("s3://b/plain", 5, None, BORN)
    mine = await _run_of(database)
    claims = await _claimed(database, mine, *(Candidate(one, digest(one.uri), "dxf") for one in (tagged, plain)))
    await ingest.commit(database, here, mine, [Failed(one, Failure("parse_error", "no")) for one in claims])

    async def same(found: SourceFile, version: int = 1) -> bool:
        return found.uri in await ingest.find_unchanged(database, [found], version)

    assert await same(tagged) and await same(plain) and await same(replace(tagged, modified_at=later))
    assert not await same(replace(tagged, etag="e2")) and not await same(replace(tagged, size=6))
    assert not await same(replace(plain, modified_at=later)) and not await same(replace(plain, size=6))
    assert not await same(tagged, version=2)
    assert not await same(replace(tagged, uri="s3://b/other"))
    assert await same(replace(plain, etag="e1"))
    assert await ingest.find_unchanged(database, [], 1) == {}


@pytest.mark.requirement("ingest-store.quarantine")
async def test_a_failure_is_tried_again_until_it_is_quarantined(database: Database, here: Lake) -> None:
    found = SourceFile("file:///drawings/slow.dxf", 5, None, BORN)
    candidate = Candidate(found, digest("slow"), "dxf")
    for tries in (1, 2, 3):
        assert await ingest.find_unchanged(database, [found], 1) == {}
        mine = await _run_of(database)
        [claim] = await _claimed(database, mine, candidate)
        assert claim.action is Action.EXTRACT
        assert (claim.failure.tries if claim.failure else 0) == tries - 1
        failure = Failure("timeout_error", "too slow\0", "reading", tries, quarantined=tries == 3)
        assert await ingest.commit(database, here, mine, [Failed(claim, failure)]) == ingest.CommitCounts(failed=1)
    assert await ingest.find_unchanged(database, [found], 1) == {found.uri: "quarantined"}
    other = replace(candidate, found=replace(found, uri="file:///drawings/copy.dxf"))
    [known] = await _claimed(database, mine, other)
    assert known.action is Action.QUARANTINED
    assert known.failure == Failure("timeout_error", "too slow\ufffd", "reading", 3, quarantined=True)
    await ingest.commit(database, here, mine, [Linked(known)])
    rows = await query(here, "SELECT * EXCLUDE (ingest_date, ingested_at, row_id) FROM failures ORDER BY source_uri")
    assert [row["source_uri"] for row in rows] == [other.found.uri, found.uri]
    assert rows[0] == {
        "document_id": digest("slow"), "source_uri": other.found.uri, "file_name": "copy.dxf", "format": "dxf",
        "extractor_version": 1, "error_type": "timeout_error", "message": "too slow\ufffd", "phase": "reading", "tries": 3,
        "quarantined": True,
    }  # fmt: skip
    next_run = await _run_of(database)
    [asked_for] = await _claimed(database, next_run, candidate, again=True)
    assert asked_for.action is Action.EXTRACT


@pytest.mark.requirement("ingest-store.quarantine")
async def test_a_file_that_is_not_even_read_is_a_failure_until_it_changes(database: Database, here: Lake) -> None:
    files = Files()
    files.write("a", "a")
    await run(database, here, Extractor(files))
    [uri] = files.files
    large = SourceFile(uri, 10**9, None, BORN)
    mine = await _run_of(database)
    refused = Refused(large, "dxf", 1, Failure("request_too_large", "too large", "reading"))
    for _ in range(2):
        assert await ingest.commit(database, here, mine, [refused]) == ingest.CommitCounts(failed=1)
        seen = await read(here)
        assert seen == {"documents": [], "failures": [(uri, None, "1", "too large")], "facts": []}
    assert await ingest.find_unchanged(database, [large], 1) == {uri: "quarantined"}
    await run(database, here, Extractor(files))
    seen = await read(here)
    names = await query(here, "SELECT extraction_id FROM documents")
    assert names == [{"extraction_id": f"{digest('a')[:32]}-dxf-1-2"}]
    assert seen["failures"] == []


@pytest.mark.requirement("ingest-store.formats")
async def test_the_same_bytes_under_two_formats_are_two_documents(database: Database, here: Lake) -> None:
    bytes_of = digest("a")
    two = [Candidate(SourceFile(f"file:///a.{name}", 1, None, BORN), bytes_of, name) for name in ("dxf", "pdf")]
    files = Files(contents={one.found.uri: "a" for one in two})
    mine = await _run_of(database)
    claims = await _claimed(database, mine, *two)
    assert [claim.extraction_id for claim in claims] == [f"{bytes_of[:32]}-{name}-1-1" for name in ("dxf", "pdf")]
    drawn = Extractor(files).outcome(claims[0])
    assert drawn is not None
    await ingest.commit(database, here, mine, [drawn, Failed(claims[1], Failure("parse_error", "no PDF"))])
    seen = await read(here)
    assert [row[0] for row in seen["documents"]] == ["file:///a.dxf"]
    assert [row[0] for row in seen["failures"]] == ["file:///a.pdf"]


# Runs and selections ------------------------------------------------------------------------------------------------------


@pytest.mark.requirement("ingest-store.runs")
async def test_a_flow_run_that_runs_again_goes_on_with_its_run(
    database: Database, here: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await ingest.open_run(database, "ingest", parameters={"source": "s3://b"}, flow_run_id="flow-1")
    await ingest.add_progress(database, opened.id, total=3, skipped=1)
    closed = await ingest.close_run(database, here, opened.id, "failed")
    assert (closed.state, closed.ended_at is not None) == ("failed", True)
    again = await ingest.open_run(database, "ingest", parameters={}, flow_run_id="flow-1")
    assert (again.id, again.state, again.total, again.skipped, again.ended_at) == (opened.id, "running", 3, 1, None)
    assert await ingest.find_run(database, "flow-1") == again == await ingest.find_run(database, opened.id)
    assert await ingest.find_run(database, "nobody's") is None
    await execute(database, "UPDATE ingest_runs SET updated_at = clock_timestamp() - interval '61 minutes'")
    await ingest.sweep(database, here)
    lost = await ingest.find_run(database, opened.id)
    assert lost is not None and lost.state == "lost" and lost.ended_at is not None


@pytest.mark.requirement("ingest-store.select")
async def test_what_is_to_be_reprocessed_is_selected_and_counted(database: Database, here: Lake) -> None:
    files = Files()
    for name, content in (("a", "a"), ("b", "old"), ("c", "bad"), ("d", "new")):
        files.write(name, content)
    await run(database, here, Extractor(files))
    files.write("e", "a")
    noon = (await fetch_column(database, "SELECT clock_timestamp()"))[0]
    await run(database, here, Extractor(files, version=2))
    files.remove("b")

    async def meant(**conditions: object) -> str:
        found = await ingest.select_sources(database, Selection(**conditions))  # type: ignore[arg-type]  # any of its fields
        return "".join(one.found.uri[-5] for one in found)

    assert await meant() == "abcde"
    assert await meant(status="failed") == "bc" and await meant(status="done") == "ade"
    assert await meant(extractor_versions=[1]) == "" and await meant(older_than_version=3) == "abcde"
    assert await meant(formats=["pdf"]) == "" and await meant(formats=["pdf", "dxf"], status="failed") == "bc"
    assert await meant(error_types=["timeout_error"]) == "" and await meant(error_types=["parse_error"]) == "bc"
    assert await meant(until=noon) == "" and await meant(since=noon) == "abcde"
    assert await meant(document_ids=[digest("a"), digest("new")]) == "ade"
    assert await meant(extraction_ids=[f"{digest('a')[:32]}-dxf-2-1"]) == "ae" and await meant(extraction_ids=[]) == ""
    assert await meant(uris=list(files.files)[:1]) == "a"
    assert await meant(prefix="file:///drawings/") == "abcde" and await meant(prefix="file:///drawing_/") == ""
    [first, *_] = await ingest.select_sources(database, Selection(), limit=1)
    assert first.found == files.files[first.found.uri] and first.state == "done"
    assert [
        one.found.uri[-5] for one in await ingest.select_sources(database, Selection(), after=first.found.uri, limit=2)
    ] == ["b", "c"]
    counted = await ingest.count_sources(database, Selection())
    assert [(one.format, one.extractor_version, one.state, one.sources) for one in counted] == [
        ("dxf", 2, "done", 3),
        ("dxf", 2, "quarantined", 2),
    ]
    assert datetime.now(UTC) - first.settled_at < timedelta(hours=1)


@pytest.mark.requirement("ingest-store.superseding")
async def test_the_old_result_stays_until_the_new_one_is_there_and_when_there_is_none(
    database: Database, here: Lake
) -> None:
    files = Files()
    files.write("a", "old")
    await run(database, here, Extractor(files))
    before = await read(here)
    mine = await _run_of(database)
    claims = await ingest.claim(
        database, mine, map(files.candidate, files.files), 2, lease_seconds=LEASE_SECONDS, again=True
    )
    assert await read(here) == before
    await ingest.commit(
        database, here, mine, [outcome for outcome in map(Extractor(files, 2).outcome, claims) if outcome]
    )
    after = await read(here)
    assert (after["documents"], after["facts"]) == (before["documents"], before["facts"])
    assert [row[3] for row in after["failures"]] == ["old cannot be read"]
    files.write("a", "bad")
    await run(database, here, Extractor(files, 2))
    after = await read(here)
    assert (after["documents"], after["facts"]) == ([], [])
    assert [row[3] for row in after["failures"]] == ["bad cannot be read"]
