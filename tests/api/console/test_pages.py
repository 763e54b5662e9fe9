"""What the pages show and do: accounts, keys, usage, requests, batches, ingest, health."""

from __future__ import annotations

import csv
import html
import io
import re

import pyarrow.parquet as pq
import pytest
from pydantic import SecretStr

from api.console import probe_history
from spatial.errors import ConverterUnavailable
from storage.tables import ingest
from tests.api.batch_house import begin, complete, fail, finish, start, submitted
from tests.api.console.desk import Desk
from tests.api.house import House


async def account_page(desk: Desk, name: str) -> str:
    """The path of a new account's page."""
    made = await desk.post("/console/accounts", name=name, status="active")
    assert made.status_code == 303, made.text
    return str(made.headers["location"])


def secret_of(page: str) -> str | None:
    """The key that a page shows."""
    found = re.search(r"sk_[A-Za-z0-9_-]{43}", page)
    return found[0] if found else None


@pytest.mark.requirement("console.keys", "auth.dashboard")
async def test_a_key_is_shown_once_used_and_revoked_at_once(desk: Desk) -> None:
    path = await account_page(desk, f"keys of {desk.operator.name}")
    issued = (await desk.post(f"{path}/keys", label="estimating")).text
    secret = secret_of(issued)
    assert secret is not None and "estimating" in issued
    page = await desk.get(path)
    assert secret_of(page) is None and f"{secret[:11]}…" in page
    assert (await desk.house.extract(secret)).status_code == 200
    row = re.search(r"<td>estimating</td>.*?</tr>", await desk.get(path), flags=re.DOTALL)
    assert row is not None and len(re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", row[0])) == 2
    revoke = re.search(rf"{path}/keys/key_\w+/revoke", row[0])
    assert revoke is not None
    assert (await desk.post(revoke[0])).status_code == 303
    assert (await desk.house.extract(secret)).status_code == 401
    assert "revoked" in await desk.get(path)


@pytest.mark.requirement("console.keys")
async def test_a_key_is_revoked_under_its_own_account_only(desk: Desk) -> None:
    one, other = (
        await account_page(desk, f"one {desk.operator.name}"),
        await account_page(desk, f"two {desk.operator.name}"),
    )
    page = (await desk.post(f"{one}/keys", label="mine")).text
    key = re.search(r"key_\w+", page)
    assert key is not None
    assert (await desk.post(f"{other}/keys/{key[0]}/revoke")).status_code == 404
    assert (await desk.house.extract(secret_of(page))).status_code == 200


@pytest.mark.requirement("console.accounts")
async def test_a_subscription_is_set_and_decides_on_requests(desk: Desk) -> None:
    name = f"<b>Ångström & Söhne</b> {desk.operator.name}"
    path = await account_page(desk, name)
    assert html.escape(name) in await desk.get("/console/accounts")
    secret = secret_of((await desk.post(f"{path}/keys")).text)
    assert (await desk.post(f"{path}/subscription", status="canceled")).status_code == 303
    assert (await desk.house.extract(secret)).status_code == 402
    assert (await desk.post(f"{path}/subscription", status="nonsense")).status_code == 400
    assert (await desk.post(f"{path}/subscription", status="trialing")).status_code == 303
    assert (await desk.house.extract(secret)).status_code == 200
    page = await desk.get(path)
    assert "0 of 60" in page and "0 of 5,000" in page and "0 of 128" in page
    taken = await desk.post("/console/accounts", name=name, status="active")
    assert taken.status_code == 400 and "already exists" in taken.text


@pytest.mark.requirement("console.usage")
async def test_usage_is_charted_and_downloaded(house: House, desk: Desk, key: str) -> None:
    answer = (await house.extract(key)).json()
    account = house.accounts[key]
    page = await desk.get(f"/console/usage?account={account}")
    tokens = answer["usage"]["input_tokens"] + answer["usage"]["output_tokens"]
    assert f"1 operation charged, {tokens:,} tokens" in page and f"/api/v1/cad/extract: {tokens:,} tokens" in page
    table = (await desk.client.get(f"/console/usage.csv?account={account}")).text
    (row,) = csv.DictReader(io.StringIO(table))
    assert (row["request_id"], int(row["input_tokens"])) == (answer["request_id"], answer["usage"]["input_tokens"])
    parquet = await desk.client.get(f"/console/usage.parquet?account={account}")
    assert pq.read_table(io.BytesIO(parquet.content)).column("request_id").to_pylist() == [answer["request_id"]]
    assert "Nothing was charged" in await desk.get(
        f"/console/usage?account={account}&since=2020-01-01&until=2020-01-31"
    )
    for wrong in ("since=yesterday", "since=2020-01-01&until=2022-01-01", "since=2026-02-01&until=2026-01-01"):
        assert (await desk.client.get(f"/console/usage?{wrong}")).status_code == 400
    assert (await desk.client.get("/console/usage.xlsx")).status_code == 404


@pytest.mark.requirement("console.requests")
async def test_a_request_is_found_by_its_id_and_leads_to_its_flow_run(house: House, desk: Desk, key: str) -> None:
    answer = await house.extract(key)
    request_id = answer.headers["x-request-id"]
    page = await desk.get(f"/console/requests?request_id={request_id}")
    assert page.count(f"<code>{request_id}</code>") == 1 and ">200<" in page
    assert request_id in await desk.get("/console/requests") and request_id in await desk.get("/console")
    assert request_id not in await desk.get("/console/requests?failed=1")
    assert (await desk.client.get(f"/console/requests/{request_id}/flow-run")).status_code == 404
    house.dispatch.flow_runs[request_id] = "0b5c"
    missing = await desk.client.get(f"/console/requests/{request_id}/flow-run")
    assert missing.status_code == 404 and "SPATIAL_PREFECT_UI_URL" in missing.text
    house.dispatch.settings = house.dispatch.settings.model_copy(update={"prefect_api_url": "http://prefect.test/api"})
    there = await desk.client.get(f"/console/requests/{request_id}/flow-run")
    assert there.headers["location"] == "http://prefect.test/runs/flow-run/0b5c"


@pytest.mark.requirement("console.requests")
async def test_who_follows_a_link_to_prefect_is_told_how_to_sign_in_there_where_it_asks(
    house: House, desk: Desk, key: str
) -> None:
    await house.extract(key)
    run = await ingest.open_run(house.dispatch.database, "ingest", parameters={}, flow_run_id="0b5c")
    batch = await submitted(house, key)
    pages = ("/console/requests", f"/console/ingest/{run.id}", f"/console/batches/{batch}")
    assert not any(["PREFECT_API_AUTH_STRING" in await desk.get(page) for page in pages])
    server = {"prefect_api_url": "http://prefect.test/api", "prefect_auth": SecretStr("admin:secret")}
    house.dispatch.settings = house.dispatch.settings.model_copy(update=server)
    told = [await desk.get(page) for page in pages[:2]]
    assert all("spatial env" in page and "PREFECT_API_AUTH_STRING" in page for page in told)
    assert "admin:secret" not in "".join(told)


@pytest.mark.requirement("console.batches")
async def test_a_batch_is_watched_cancelled_and_retried(house: House, desk: Desk, key: str) -> None:
    batch_id = await submitted(house, key)
    path = f"/console/batches/{batch_id}"
    page = await desk.get(path)
    assert "0 of 2 done" in page and 'data-refresh="1"' in page
    assert batch_id in await desk.get("/console/batches")
    await begin(house, batch_id)
    for index in (0, 1):
        await start(house, batch_id, index)
    await complete(house, batch_id, 0)
    await fail(house, batch_id, 1)
    await finish(house, batch_id)
    page = await desk.get(path)
    assert "1 of 2 done" in page and "parse_error" in page and "data-refresh" not in page
    document = re.search(r"/console/extractions/\w+/[\w.]+", page)
    assert document is not None
    assert (await desk.client.get(document[0])).json()["file_name"] == "bracket.step"
    again = await desk.post(f"{path}/retry")
    assert again.status_code == 303 and again.headers["location"] != path
    assert house.dispatch.submitted[-1] == again.headers["location"].rsplit("/", 1)[1]
    assert (await desk.post(f"{again.headers['location']}/cancel")).status_code == 303
    assert "cancelled" in await desk.get(again.headers["location"])
    nothing = await desk.post(f"{again.headers['location']}/retry")
    assert nothing.status_code == 400 and "cancelled" in nothing.text


@pytest.mark.requirement("console.ingest")
async def test_an_ingest_run_is_started_watched_cancelled_and_retried(house: House, desk: Desk) -> None:
    database = house.dispatch.database
    refused = await desk.post("/console/ingest", source="/some/folder")
    assert refused.status_code == 400 and "file:///folder" in refused.text and "/some/folder" in refused.text
    source = "file:///parts"
    assert (await desk.post("/console/ingest", source=source, pattern="*.dxf")).status_code == 303
    assert house.dispatch.started == [("ingest", source, {"source": source, "pattern": "*.dxf"})]
    flow_run_id = f"flow of {desk.operator.name}"
    run = await ingest.open_run(
        database, "ingest", parameters={"source": source, "pattern": "*.dxf"}, flow_run_id=flow_run_id
    )
    await ingest.add_progress(database, run.id, total=4, done=2, failed=1)
    page = await desk.get(f"/console/ingest/{run.id}")
    assert "3 of 4 files" in page and 'data-refresh="2"' in page and source in page
    assert (await desk.post(f"/console/ingest/{run.id}/cancel")).status_code == 303
    assert house.dispatch.cancelled == [flow_run_id]
    await ingest.close_run(database, house.dispatch.lake, run.id, "cancelled")
    assert (await desk.post(f"/console/ingest/{run.id}/cancel")).status_code == 400
    assert "data-refresh" not in await desk.get(f"/console/ingest/{run.id}")
    assert (await desk.post(f"/console/ingest/{run.id}/repeat")).status_code == 303
    assert house.dispatch.started[-1] == ("ingest", source, {"source": source, "pattern": "*.dxf"})
    assert (await desk.post(f"/console/ingest/{run.id}/retry")).status_code == 303
    flow, _, parameters = house.dispatch.started[-1]
    assert (flow, parameters["which"], parameters["source"]) == ("reprocess", "failed", source)


@pytest.mark.requirement("console.health")
async def test_health_shows_probes_with_history_workers_and_what_waits(house: House, desk: Desk) -> None:
    house.dispatch.heartbeats = {"extraction": {"worker <one>": 3.2, "worker two": 300.0}}
    await probe_history.record(house.dispatch.database, house.app.state.prober)
    await probe_history.record(house.dispatch.database, house.app.state.prober)
    page = await desk.get("/console/health")
    assert (page.count(">online<"), page.count(">offline<")) == (1, 1)
    assert "worker &lt;one&gt;" in page and "3.2 s ago" in page and "Batches to be done" in page
    assert page.count('class="probe-well"') + page.count('class="probe-unwell"') == 6
    rows = await house.query("SELECT probe, count(*) FROM probe_results GROUP BY probe HAVING count(*) > 2")
    assert rows == []


@pytest.mark.requirement("console.health")
async def test_health_is_shown_while_the_flow_engine_is_away(house: House, desk: Desk) -> None:
    away = ConverterUnavailable("the flow engine cannot be reached now; try again in a few seconds")
    house.dispatch.unwell = {"prefect": away, "converter": away}
    assert "the flow engine cannot be reached now" in await desk.get("/console/health")
