"""GET /metrics: what is counted, what is asked, and who may see it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.parser import text_string_to_metric_families as parsed

from api import metrics
from deployments import worker_metrics
from pipelines.stages import Stages
from spatial.errors import ConversionTimeout, ConverterUnavailable, InternalError, ParseError
from storage import ids
from storage.postgres import backlog
from storage.settings import Settings
from tests.api.house import EXTRACT, House, assert_fault, headers, open_house
from tests.storage.actors import execute
from tests.storage.linked import charged, grow_old, linked
from tests.support.stack import free_port

HERE = {"Host": "127.0.0.1:8000"}
"""How a caller on this machine names the service."""

Series = dict[tuple[str, frozenset[tuple[str, str]]], float]


def series(exposition: str) -> Series:
    """Every sample of an exposition by name and labels; no series may be there twice."""
    found: Series = {}
    for family in parsed(exposition):
        for sample in family.samples:
            key = (sample.name, frozenset(sample.labels.items()))
            assert key not in found, key
            found[key] = sample.value
    return found


def of(found: Series, name: str, **labels: str) -> float | None:
    """One sample's value."""
    return found.get((name, frozenset(labels.items())))


async def scrape(house: House) -> Series:
    answer = await house.client.get("/metrics", headers=HERE)
    assert answer.status_code == 200, answer.text
    return series(answer.text)


@pytest.mark.requirement("metrics.exposition")
async def test_it_is_prometheus_text_with_a_request_id_and_outside_of_the_interface(house: House) -> None:
    answer = await house.client.get("/metrics", headers=HERE)
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["x-request-id"].startswith("req_") and answer.headers["cache-control"] == "no-store"
    assert "_created" not in answer.text
    [build] = [labels for name, labels in series(answer.text) if name == "spatial_build_info"]
    assert dict(build)["interface"] == "1.4.0" and dict(build)["version"]
    assert "/metrics" not in (await house.client.get("/openapi.json")).json()["paths"]
    assert (await house.client.head("/metrics", headers=HERE)).content == b""


@pytest.mark.requirement("metrics.requests")
async def test_requests_are_counted_by_route_method_and_status(house: House, key: str) -> None:
    await house.extract(key)
    await house.extract(key)
    await house.extract(None)
    await house.client.get("/docs/assets/swagger-ui.css")
    found = await scrape(house)
    assert of(found, "spatial_http_requests_total", route=EXTRACT, method="POST", status="200") == 2
    assert of(found, "spatial_http_requests_total", route=EXTRACT, method="POST", status="401") == 1
    assert of(found, "spatial_http_request_seconds_count", route=EXTRACT, method="POST") == 3
    assert of(found, "spatial_http_request_seconds_bucket", route=EXTRACT, method="POST", le="+Inf") == 3
    assert (of(found, "spatial_http_request_seconds_sum", route=EXTRACT, method="POST") or 0) > 0
    assert of(found, "spatial_http_requests_total", route="/docs/assets/{name}", method="GET", status="200") == 1
    assert of(found, "spatial_http_requests_under_way") == 1  # the scrape itself


@pytest.mark.requirement("metrics.requests")
async def test_a_failure_and_a_client_that_left_are_counted_too(house: House, key: str) -> None:
    house.dispatch.failure = ZeroDivisionError()
    await house.extract(key)

    async def leaves() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def nobody_hears(message: object) -> None:
        raise AssertionError(message)

    said = {"method": "POST", "path": EXTRACT, "raw_path": EXTRACT.encode(), "query_string": b"", "client": None}
    sent = [(b"authorization", f"Bearer {key}".encode()), (b"content-type", b"application/json")]
    await house.app({"type": "http", "headers": sent, **said}, leaves, nobody_hears)
    found = await scrape(house)
    assert of(found, "spatial_http_requests_total", route=EXTRACT, method="POST", status="500") == 1
    assert of(found, "spatial_http_requests_total", route=EXTRACT, method="POST", status="499") == 1
    assert of(found, "spatial_http_requests_under_way") == 1


@pytest.mark.requirement("metrics.cardinality")
async def test_no_caller_can_make_series(house: House, key: str) -> None:
    async def provoke(paths: Iterable[str]) -> set[tuple[str, frozenset[tuple[str, str]]]]:
        for path in paths:
            for method in ("GET", "POST", "BREW", "X" + path[1:6]):
                await house.client.request(method, path, headers=headers(key))
        return {key for key in await scrape(house) if key[0].startswith("spatial_http")}

    assert len(await provoke(f"/{n}/wp-admin" for n in range(3))) > 20
    first = await provoke(f"/docs/assets/{n}.js" for n in range(3))
    again = await provoke([*(f"/docs/assets/{n}9.js" for n in range(9)), *(f"/{n}x/%00ø" for n in range(9))])
    assert first == again
    assert {dict(labels).get("route") for name, labels in again if name == "spatial_http_requests_total"} == {
        "unrouted",
        "/docs/assets/{name}",
        "/metrics",
    }
    assert {dict(labels)["method"] for _, labels in again if "method" in dict(labels)} == {"GET", "POST", "other"}


@pytest.mark.requirement("metrics.asked-at-scrape", "metrics.heartbeats")
async def test_queues_lag_and_heartbeats_are_asked(house: House, key: str) -> None:
    await house.extract(key)
    house.dispatch.heartbeats = {"extraction": {"worker 1": 3.5, "worker 2": 61.0}}
    account, key_id = (
        await house.query(f"SELECT account_id, id FROM keys WHERE account_id = '{house.accounts[key]}'")
    )[0]
    operation, batch = ids.new("op"), ids.new("cb")
    owner = f"'{account}', '{key_id}', 'req_1'"
    items = ", ".join(
        f"('{batch}', {n}, 'a', 'step', 'structured', 'k', '{state}')"
        for n, state in enumerate(("queued", "queued", "running", "done"))
    )
    async with house.dispatch.database.transaction() as connection:
        for table, columns, values in (
            (
                "operations",
                "id, account_id, key_id, request_id, route, lease_until",
                f"('{operation}', {owner}, 'x', now())",
            ),
            (
                "batches",
                "id, operation_id, account_id, key_id, request_id, state, submitted_at, expires_at",
                f"('{batch}', '{operation}', {owner}, 'queued', now() - interval '90 s', now() + interval '1 day')",
            ),
            ("batch_items", "batch_id, item, file_name, format, target_contract, content_key, state", items),
            ("ingest_runs", "id, kind, parameters, total, done, failed", "('ir_1', 'ingest', '{}', 10, 4, 1)"),
        ):
            await connection.exec_driver_sql(f"INSERT INTO {table} ({columns}) VALUES {values}")
    found = await scrape(house)
    assert {of(found, "spatial_up", part=part) for part in metrics.PARTS} == {1.0}
    assert of(found, "spatial_batches", state="queued") == 1 and of(found, "spatial_batches", state="running") == 0
    assert (
        of(found, "spatial_batch_items", state="queued") == 2 and of(found, "spatial_batch_items", state="running") == 1
    )
    assert 90 <= (of(found, "spatial_batch_oldest_seconds") or 0) < 120
    assert (of(found, "spatial_ledger_unexported_rows") or 0) >= 1 and (
        of(found, "spatial_ledger_lag_seconds") or 0
    ) > 0
    assert of(found, "spatial_ingest_runs", kind="ingest") == 1
    assert of(found, "spatial_ingest_found_files", kind="ingest") == 10
    assert of(found, "spatial_ingest_ended_files", kind="ingest", ended="done") == 4
    assert (of(found, "spatial_ingest_last_seconds", kind="ingest", state="running") or 99) < 60
    assert of(found, "spatial_worker_heartbeat_seconds", pool="extraction", worker="worker 2") == 61
    assert of(found, "spatial_pool_heartbeat_seconds", pool="extraction") == 3.5
    assert of(found, "spatial_pool_workers", pool="extraction") == 2
    assert of(found, "spatial_pool_workers", pool="desktop-inference") == 0
    assert of(found, "spatial_converter_waiting") == 0


@pytest.mark.requirement("stripe.metrics")
async def test_meter_events_that_stripe_does_not_have_are_counted(house: House) -> None:
    database = house.dispatch.database
    who, _ = await linked(database)
    await charged(database, who)
    await grow_old(database, who, occurred_at="10 minutes")
    refused = "UPDATE meter_events SET state = 'rejected' WHERE meter = 'output' AND account_id = :id"
    await execute(database, refused, id=who.account_id)
    found = await scrape(house)
    numbers = {state: of(found, "spatial_meter_events", state=state) for state in backlog.METERED}
    assert numbers == {"pending": 1, "rejected": 1, "expired": 0, "uncertain": 0}
    assert (of(found, "spatial_meter_oldest_seconds") or 0) >= 600


@pytest.mark.requirement("metrics.documented")
def test_every_metric_of_the_backlog_is_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
    missing = [metric.name for metric in backlog.METRICS if f"`{metric.name}`" not in page]
    assert missing == [], "add a row for each to the table under Metrics in docs/operations.md"


@pytest.mark.requirement("metrics.part-away")
async def test_a_part_that_is_away_or_slow_or_wrong_is_zero_and_no_error(house: House) -> None:
    house.dispatch.unwell = {"converter": ConverterUnavailable("gone"), "prefect": ZeroDivisionError()}

    async def hangs() -> None:
        await asyncio.sleep(60)

    house.dispatch.lake.ping = hangs  # type: ignore[method-assign]  # a store that accepts and says nothing
    async with asyncio.timeout(30):  # far less than the store would take
        found = await scrape(house)
    up = {part: of(found, "spatial_up", part=part) for part in metrics.PARTS}
    assert up == {"converter": 0, "database": 1, "prefect": 0, "storage": 0}
    assert (
        of(found, "spatial_converter_waiting") is None and of(found, "spatial_pool_workers", pool="extraction") is None
    )
    assert of(found, "spatial_batches", state="queued") is not None


@pytest.mark.requirement("metrics.part-away")
async def test_without_a_database_the_rest_is_told(tmp_path: Path) -> None:
    nowhere = f"postgresql://x:y@127.0.0.1:{free_port()}/x"
    async with open_house(nowhere, tmp_path) as house:
        found = await scrape(house)
    assert of(found, "spatial_up", part="database") == 0 and of(found, "spatial_up", part="converter") == 1


@pytest.mark.requirement("metrics.access-token")
async def test_with_a_token_only_who_sends_it_is_answered(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, metrics_token="hunter 2 ø") as house:

        async def asked(authorization: str | None, host: str = HERE["Host"]) -> httpx.Response:
            sent = [(b"Host", host.encode()), (b"X-Forwarded-For", b"192.0.2.7")]
            if authorization is not None:
                sent.append((b"Authorization", authorization.encode()))
            return await house.client.get("/metrics", headers=sent)

        for wrong in (None, "Bearer hunter", "Basic hunter 2 ø", "hunter 2 ø", "Bearer "):
            assert_fault(await asked(wrong), 401, "authentication_error")
        for host in ("127.0.0.1:8000", "metrics.example"):
            assert (await asked("bearer hunter 2 ø", host)).status_code == 200


@pytest.mark.requirement("metrics.access-loopback")
async def test_without_a_token_a_proxy_is_not_taken_for_this_machine(house: House) -> None:
    async def asked(client: tuple[str, int] | None, **said: str) -> httpx.Response:
        transport = httpx.ASGITransport(house.app, client=client)  # type: ignore[arg-type]  # a Unix socket has none
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as caller:
            return await caller.get("/metrics", headers={name.replace("_", "-"): word for name, word in said.items()})

    for address in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"):
        assert (await asked((address, 1))).status_code == 200
    assert (await asked(("::1", 1), Host="[::1]:8000")).status_code == 200
    for refused in (
        await asked(("192.0.2.7", 1)),
        await asked(("::ffff:192.0.2.7", 1)),
        await asked(None),
        await asked(("127.0.0.1", 1), X_Forwarded_For="127.0.0.1"),
        await asked(("127.0.0.1", 1), Forwarded="for=127.0.0.1"),
        await asked(("127.0.0.1", 1), Via="1.1 proxy"),
        await asked(("127.0.0.1", 1), Host="attacker.example:8000"),
        await asked(("127.0.0.1", 1), Host="["),
        await asked(("127.0.0.1", 1), Host=""),
    ):
        assert_fault(refused, 401, "authentication_error")


@pytest.mark.requirement("metrics.stages")
async def test_a_stage_is_counted_by_how_it_ended() -> None:
    registry = CollectorRegistry()
    stages = Stages(registry)

    async def work(outcome: BaseException | None) -> int:
        if outcome is not None:
            raise outcome
        return 7

    assert await stages.measure("convert", work(None)) == 7
    for error in (ParseError("x"), ConversionTimeout("x"), InternalError("x"), ValueError(), asyncio.CancelledError()):
        with pytest.raises(type(error)):
            await stages.measure("convert", work(error))
    found = series(metrics.render([], registry).decode())
    ended = {
        end: of(found, "spatial_stage_seconds_count", stage="convert", ended=end) for end in ("ok", "refused", "failed")
    }
    assert ended == {"ok": 1, "refused": 2, "failed": 3}
    assert of(found, "spatial_stage_seconds_count", stage="sample", ended="ok") == 0


@pytest.mark.requirement("metrics.worker")
@pytest.mark.parametrize("token", [None, "hunter2"])
def test_a_worker_serves_its_own(token: str | None) -> None:
    registry, port = CollectorRegistry(), free_port()
    Counter("spatial_things", "Things", registry=registry).inc()

    def asked(path: str, address: str = "127.0.0.1", **said: str) -> tuple[int, str]:
        connection = HTTPConnection(address, port, timeout=5)
        connection.request("GET", path, headers=said)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    with worker_metrics.served(Settings(metrics_token=token), port, registry):
        known = {"Authorization": f"Bearer {token}"} if token else {}
        status, said = asked("/metrics", **known)
        assert status == 200 and of(series(said), "spatial_things_total") == 1 and "process_resident" in said
        assert asked("/", **known)[0] == 404
        if token is not None:
            assert asked("/metrics")[0] == asked("/metrics", Authorization="Bearer hunter")[0] == 401
    with pytest.raises(ConnectionRefusedError):
        asked("/metrics")


@pytest.mark.requirement("metrics.worker")
def test_a_taken_port_leaves_the_worker_to_its_work(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with worker_metrics.served(Settings(), port, CollectorRegistry()):
            pass
    assert f"cannot be served on port {port}" in caplog.text
    with worker_metrics.served(Settings(), None, CollectorRegistry()):
        pass
