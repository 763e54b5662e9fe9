"""Bulk ingest and reprocessing as a data team meets them: the command, Prefect, and the tables read back by DuckDB."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from prefect.client.orchestration import PrefectClient

from deployments import ingest_schedule
from flows import runners
from pipelines.ingest.plan import Chunk, Report
from spatial.contract.extraction import CadExtraction
from storage import settings
from storage.objects.file_filter import FileFilter
from storage.objects.lake import Lake
from storage.objects.sources import Source
from storage.postgres.database import Database
from storage.tables import ingest, row_mapping
from storage.tables.ingest import IngestRun
from storage.tables.query import query
from tests.deployments.test_worker import environment
from tests.support.stack import ROOT, SAMPLE, RunningStack, eventually

SPATIAL = Path(sys.executable).with_name("spatial")

Row = dict[str, Any]

FACTS = ("solids", "faces", "entities", "callouts", "nodes", "edges")


def dxf(text: str) -> bytes:
    """A drawing with one callout."""
    words = f"0\nTEXT\n8\n0\n10\n10\n20\n10\n40\n3.5\n1\n{text}\n"
    lines = "".join(f"0\nLINE\n8\n0\n10\n{x}\n20\n0\n11\n{x}\n21\n50\n" for x in (0, 50))
    return f"0\nSECTION\n2\nENTITIES\n{words}{lines}0\nENDSEC\n0\nEOF\n".encode()


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of several kinds in folders, two of them alike, two of them broken."""
    root = tmp_path_factory.mktemp("drawings")
    diagram = ROOT / "tests" / "data" / "diagrams" / "translation-task-flowchart.drawio"
    files = {
        "part.step": SAMPLE.read_bytes(),
        "sheets/thread.dxf": dxf("M8x1.25"),
        "sheets/größe #1.dxf": dxf("M10"),
        "sheets/copy of thread.dxf": dxf("M8x1.25"),
        "flow.drawio": diagram.read_bytes(),
        "poison/cut.step": SAMPLE.read_bytes()[:3_000],
        "poison/none.pdf": b"no pdf at all",
        "notes.txt": b"nothing of ours",
    }
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return root


def spatial(stack: RunningStack, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command, against the stack."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("SPATIAL_", "PREFECT_"))}
    command = [str(SPATIAL), *map(str, arguments), "--home", str(stack.home)]
    return subprocess.run(command, env=kept, capture_output=True, text=True, timeout=300)


def ask(stack: RunningStack, sql: str, **parameters: Any) -> list[Row]:
    """What DuckDB answers over the stack's lake."""
    return asyncio.run(query(Lake(f"file://{stack.home}/lake"), sql, parameters))


def tables(stack: RunningStack, source: Path) -> dict[str, list[Row]]:
    """Everything that the tables say of the files below a source, moments aside, in one order."""
    below = {"below": f"{source.as_uri()}/%"}
    said = {
        name: ask(stack, f"SELECT * FROM {name} WHERE source_uri LIKE $below", **below)
        for name in ("documents", "failures")
    }
    mine = "SELECT extraction_id FROM documents WHERE source_uri LIKE $below"
    said |= {name: ask(stack, f"SELECT * FROM {name} WHERE extraction_id IN ({mine})", **below) for name in FACTS}
    return {name: sorted((_lasting(row) for row in rows), key=str) for name, rows in said.items()}


def _lasting(row: Row) -> Row:
    return {name: value for name, value in row.items() if name not in ("ingest_date", "ingested_at", "failed_at")}


def expected(stack: RunningStack, source: Path) -> dict[str, int]:
    """How many rows each table of facts must have, from the documents themselves: each extraction once."""
    below = f"{source.as_uri()}/%"
    counts = dict.fromkeys(FACTS, 0)
    for row in ask(
        stack,
        "SELECT DISTINCT extraction_id, document_id, result_key FROM documents WHERE source_uri LIKE $below",
        below=below,
    ):
        document = CadExtraction.model_validate_json((stack.home / "lake" / row["result_key"]).read_bytes())
        rows = row_mapping.rows_of(document, document_id=row["document_id"], extraction_id=row["extraction_id"])
        for name in FACTS:
            counts[name] += len(rows.get(name, ()))
    return counts


@pytest.mark.requirement("ingest.run", "ingest.cli", "ingest.twice", "ingest.progress", "flow.logs")
def test_a_folder_becomes_tables_and_a_second_run_changes_nothing(stack: RunningStack, drawings: Path) -> None:
    first = spatial(stack, "ingest", drawings)
    assert first.returncode == 3, first.stderr
    assert first.stdout.strip() == "7 files: 5 done, 2 failed, 0 unchanged"
    after = tables(stack, drawings)
    assert len(after["documents"]) == 5 and len({row["extraction_id"] for row in after["documents"]}) == 4
    assert {name: len(after[name]) for name in FACTS} == expected(stack, drawings)
    assert {row["file_name"]: row["error_type"] for row in after["failures"]} == dict.fromkeys(
        ("cut.step", "none.pdf"), "parse_error"
    )
    threads = ask(
        stack,
        "SELECT DISTINCT source_uri FROM callouts JOIN documents USING (extraction_id) "
        "WHERE type = 'thread' AND text LIKE 'M8%' AND source_uri LIKE $below",
        below=f"{drawings.as_uri()}/%",
    )
    assert len(threads) == 2, "the copy of a file has the same facts, and they are there once"
    assert first.stderr.splitlines()[0].startswith(f"ingest {drawings.as_uri()}: http://"), "one name everywhere"
    _shown_in_prefect(stack, drawings)
    second = spatial(stack, "ingest", drawings)
    assert (second.returncode, second.stdout.strip()) == (
        3,
        "7 files: 0 done, 0 failed, 7 unchanged, 2 of them in quarantine: see failures",
    )
    assert tables(stack, drawings) == after


def _shown_in_prefect(stack: RunningStack, drawings: Path) -> None:
    """The run is named after its source and has one progress artifact, at 100 %, and a page with the failures."""
    with stack.prefect() as prefect:
        (run,) = prefect.post("flow_runs/filter", json={"flow_runs": {"name": {"any_": [drawings.as_uri()]}}}).json()
        body = {"artifacts": {"flow_run_id": {"any_": [run["id"]]}}}
        found = {artifact["type"]: artifact for artifact in prefect.post("artifacts/filter", json=body).json()}
        logged = {"logs": {"flow_run_id": {"any_": [run["id"]]}}}
        # Prefect sends log lines in batches, the last of them after the end of a run.
        eventually(
            lambda: (
                "7 files: 5 done, 2 failed, 0 unchanged"
                in [line["message"] for line in prefect.post("logs/filter", json=logged).json()]
            ),
            within=30,
            what="the summary in the log of the run",
        )
        updates = {"filter": {"event": {"name": ["prefect.artifact.updated"]}}}
        assert prefect.post("events/filter", json=updates).json()["events"] == [], "progress leaves no rows in Prefect"
    assert run["state_type"] == "COMPLETED" and run["work_queue_name"] == "bulk"
    assert float(found["progress"]["data"]) == 100.0
    assert "cut.step" in found["markdown"]["data"]


@pytest.mark.requirement("ingest.progress")
def test_a_terminal_shows_a_bar(stack: RunningStack, tmp_path: Path) -> None:
    (tmp_path / "one.dxf").write_bytes(dxf("M5x77"))
    ours, theirs = pty.openpty()
    command = [str(SPATIAL), "ingest", str(tmp_path), "--home", str(stack.home)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        while piece := _read(ours):
            shown += piece
        assert process.wait() == 0, shown.decode()
    assert "100%" in shown.decode() and "1 done, 0 failed, 0 unchanged of 1 file" in shown.decode()


def _read(terminal: int) -> bytes:
    """What the terminal was sent next; nothing once its other end is closed, which Linux reports as an error."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


@pytest.mark.requirement("ingest.dry-run", "ingest.reprocess")
def test_reprocessing_says_what_it_would_do_then_replaces_the_old_results(stack: RunningStack, drawings: Path) -> None:
    spatial(stack, "ingest", drawings)
    before = tables(stack, drawings)
    rehearsed = spatial(stack, "reprocess", "failed", "--source", drawings, "--dry-run")
    assert rehearsed.returncode == 0 and "2 of 2 files would be read" in rehearsed.stdout, rehearsed.stderr
    assert tables(stack, drawings) == before
    threads = "SELECT document_id FROM callouts JOIN documents USING (document_id) WHERE text LIKE 'M8%'"
    sql = f"{threads} AND source_uri LIKE '{drawings.as_uri()}/%'"
    again = spatial(stack, "reprocess", "--sql", sql)
    assert (again.returncode, again.stdout.strip()) == (0, "2 files: 2 done, 0 failed, 0 unchanged"), again.stderr
    after = tables(stack, drawings)
    assert {name: len(rows) for name, rows in after.items()} == {name: len(rows) for name, rows in before.items()}
    made = [{row["extraction_id"] for row in said["documents"]} for said in (before, after)]
    assert len(made[0] - made[1]) == len(made[1] - made[0]) == 1, (
        "one document was read again, and has taken the place of its old result"
    )


def run_of(stack: RunningStack, flow_run_id: str) -> IngestRun | None:
    """Our own record of a flow run."""

    async def find() -> IngestRun | None:
        database = Database(stack.addresses["database_url"])
        try:
            return await ingest.find_run(database, flow_run_id)
        finally:
            await database.close()

    return asyncio.run(find())


@pytest.mark.requirement("ingest.killed")
def test_an_ingest_that_was_killed_is_finished_by_the_next_one(stack: RunningStack, tmp_path: Path) -> None:
    count = 40  # enough chunks that a fast machine does not end them between two looks
    for number in range(count):
        (tmp_path / f"{number:02}.dxf").write_bytes(dxf(f"M{number + 3}x{100 + number}"))
    flags = ("--chunk-files", "1", "--parallel", "1")
    begun = spatial(stack, "ingest", tmp_path, *flags, "--no-wait").stdout.strip()
    eventually(lambda: (run := run_of(stack, begun)) and 2 <= run.done < count, what="a run in its middle")
    stack.child("deployments.worker").send_signal(signal.SIGKILL)
    finished = spatial(stack, "ingest", tmp_path, *flags)
    assert finished.returncode == 0, finished.stderr
    after = tables(stack, tmp_path)
    assert len(after["documents"]) == len({row["source_uri"] for row in after["documents"]}) == count
    assert {name: len(after[name]) for name in FACTS} == expected(stack, tmp_path)


@pytest.mark.requirement("ingest.dask")
def test_a_dask_cluster_works_on_the_chunks(stack: RunningStack, tmp_path: Path) -> None:
    """A scheduler and workers in a process of their own; the chunks find stack and database through its environment."""
    (tmp_path / "files").mkdir()
    for number in range(4):
        (tmp_path / "files" / f"{number}.dxf").write_bytes(dxf(f"M{number + 3}x{200 + number}"))
    with cluster(stack) as address:
        run = asyncio.run(_on_dask(stack, tmp_path / "files", address))
    assert (run.done, run.failed) == (4, 0)
    assert len(tables(stack, tmp_path / "files")["documents"]) == 4
    assert {name: len(rows) for name, rows in tables(stack, tmp_path / "files").items() if name in FACTS} == expected(
        stack, tmp_path / "files"
    )


@contextmanager
def cluster(stack: RunningStack) -> Iterator[str]:
    """The address of a Dask scheduler with one worker."""
    program = (
        "import sys; from distributed import LocalCluster\n"
        "with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address='127.0.0.1:0', protocol='tcp') as c:\n"
        "    print(c.scheduler_address, flush=True); sys.stdin.read()\n"
    )
    user_and_password = str(stack.addresses["prefect_auth"])
    prefect = {"PREFECT_API_URL": str(stack.addresses["prefect_api_url"]), "PREFECT_API_AUTH_STRING": user_and_password}
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=environment(stack, **prefect),
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


async def _on_dask(stack: RunningStack, files: Path, address: str) -> IngestRun:
    database, lake = Database(stack.addresses["database_url"]), Lake(f"file://{stack.home}/lake")
    found = await Source(files.as_uri()).find(FileFilter())
    run = await ingest.open_run(database, "ingest", parameters={}, total=len(found))
    chunks = [
        Chunk(run.id, number, number, len(found), files.as_uri(), (one,), parallel=1, tries=1)
        for number, one in enumerate(found, start=1)
    ]
    ended = await runners.run_chunks("dask", chunks, cluster=address, processes=1)
    assert [type(one) for one in ended] == [Report] * len(chunks), ended
    closed = await ingest.close_run(database, lake, run.id, "done")
    await database.close()
    return closed


@pytest.mark.requirement("ingest.dask")
def test_a_runner_that_is_not_installed_says_what_to_install(stack: RunningStack, drawings: Path) -> None:
    if find_spec("prefect_ray") is not None:
        pytest.skip("it is installed")
    refused = spatial(stack, "ingest", drawings, "--runner", "ray")
    assert refused.returncode == 1
    assert "pip install 'spatial-geometry-service[ray]'" in refused.stderr


@pytest.mark.requirement("ingest.schedule")
async def test_settings_give_ingest_a_schedule_and_take_it_away(stack: RunningStack) -> None:
    addresses = stack.addresses
    wanted = {"ingest_source": "s3://archive/drawings", "ingest_cron": "0 2 1 1 *"}

    async def registered(client: PrefectClient, **chosen: str) -> list[tuple[str, dict[str, Any]]]:
        await ingest_schedule.register(client, settings.load(home=stack.home, **chosen))
        schedules = (await client.read_deployment_by_name("ingest/ingest")).schedules
        return [(getattr(one.schedule, "cron", ""), one.parameters) for one in schedules]

    async with PrefectClient(addresses["prefect_api_url"], auth_string=addresses["prefect_auth"]) as client:
        assert await registered(client, **wanted) == [("0 2 1 1 *", {"source": "s3://archive/drawings"})]
        assert await registered(client, **wanted | {"ingest_cron": "0 3 1 1 *"}) == [
            ("0 3 1 1 *", {"source": "s3://archive/drawings"})
        ]
        assert await registered(client, ingest_source="s3://archive/drawings") == []
