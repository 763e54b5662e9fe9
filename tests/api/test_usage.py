"""GET /api/v1/usage: the charges of an account, by day, key and operation."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest

from spatial.contract.usage import Usage
from tests.api.house import House, assert_fault, headers
from tests.api.mcp_calls import FILE, result, tool
from tests.api.reasoning_house import question, respond, small_solvers

USAGE = "/api/v1/usage"


@pytest.mark.requirement("usage.report")
async def test_the_report_is_the_sum_of_the_answers(house: House, key: str) -> None:
    charged = []
    with small_solvers():
        charged += [(await house.extract(key, retry="one")).json()["usage"] for _ in range(2)][:1]
        charged.append((await house.extract(key)).json()["usage"])
        charged.append((await respond(house, key, question(object_id="box"))).json()["usage"])
        charged.append((await result(house, tool("extract_cad", **FILE), key))["structuredContent"]["usage"])
    await house.extract(key, file_name="a.dwg")
    await house.extract(await house.key())
    report = (await house.client.get(USAGE, headers=headers(key))).json()
    today = datetime.now(UTC).date()
    assert (report["until"], report["since"]) == (str(today), str(today - timedelta(days=29)))
    rows = {row["operation"]: row for row in report["data"]}
    assert {operation: row["items"] for operation, row in rows.items()} == {
        "/api/v1/cad/extract": 3,
        "/api/v1/responses": 1,
    }
    assert {row["day"] for row in rows.values()} == {str(today)} and all(
        key.startswith(row["key_prefix"]) for row in rows.values()
    )
    for member in Usage.model_fields:
        expected = sum(one[member] for one in charged)
        assert report["total"][member] == pytest.approx(expected, rel=1e-12)
        assert sum(row[member] for row in rows.values()) == pytest.approx(expected, rel=1e-12)


ACCEPTED = [
    ("text/csv", True),
    ("text/csv, application/json", True),
    ("application/json, text/csv", False),
    ("*/*", False),
    ("text/csv;q=0.1, application/json", False),
    ("application/json;q=0.2, text/csv;q=0.9", True),
    ("text/csv;q=0", False),
    ("text/csv;q=high, application/json", False),
]
WRONG = [
    "since=today",
    "since=2026-02-30",
    "until=2026-1-1x",
    "since=2026-01-02&until=2026-01-01",
    "since=2025-01-01&until=2026-11-01",
    "since=2026-01-01&since=2026-01-02",
    "since=",
]


@pytest.mark.requirement("usage.csv")
@pytest.mark.parametrize(("accept", "is_csv"), ACCEPTED)
async def test_the_accept_header_chooses_csv(house: House, key: str, accept: str, is_csv: bool) -> None:
    await house.extract(key)
    answer = await house.client.get(USAGE, headers=headers(key) | {"Accept": accept})
    assert answer.headers["content-type"].startswith("text/csv" if is_csv else "application/json")
    assert answer.headers["vary"] == "Accept"
    if is_csv:
        [row] = csv.DictReader(io.StringIO(answer.text))
        assert (row["operation"], row["items"], row["key_label"]) == ("/api/v1/cad/extract", "1", "")
    else:
        assert len(answer.json()["data"]) == 1


@pytest.mark.requirement("usage.report")
async def test_days_are_those_of_utc_and_both_ends_count(house: House, key: str) -> None:
    for moment in ("2026-03-01 00:00:00+00", "2026-03-01 23:59:59.999999+00", "2026-03-02 00:00:00+00"):
        request_id = (await house.extract(key)).json()["request_id"]
        async with house.dispatch.database.transaction() as connection:
            await connection.exec_driver_sql(
                f"UPDATE usage SET created_at = '{moment}' WHERE request_id = '{request_id}'"
            )
    for since, until, items in (
        ("2026-03-01", "2026-03-01", [2]),
        ("2026-03-01", "2026-03-02", [2, 1]),
        ("2026-03-03", "2026-03-04", []),
    ):
        answer = await house.client.get(USAGE, params={"since": since, "until": until}, headers=headers(key))
        assert [row["items"] for row in answer.json()["data"]] == items
        assert answer.json()["total"]["input_tokens"] == 16 * sum(items)


@pytest.mark.requirement("usage.parameters")
@pytest.mark.parametrize("query", WRONG)
async def test_wrong_days_are_400(house: House, key: str, query: str) -> None:
    details = assert_fault(
        await house.client.get(f"{USAGE}?{query}", headers=headers(key)), 400, "invalid_request_error"
    )
    assert details["field"] in ("since", "until")
    assert_fault(await house.client.get(f"{USAGE}?{query}"), 401, "authentication_error")


@pytest.mark.requirement("usage.parameters")
@pytest.mark.parametrize("query", ["until=0001-01-01", "until=0001-01-29", "since=9999-12-31&until=9999-12-31"])
async def test_days_at_the_ends_of_the_calendar_have_no_usage(house: House, key: str, query: str) -> None:
    answer = await house.client.get(f"{USAGE}?{query}", headers=headers(key))
    assert answer.status_code == 200 and answer.json()["data"] == []
