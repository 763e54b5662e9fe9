"""The two public routes."""

from __future__ import annotations

import asyncio
from datetime import datetime

import pytest

from api import probes
from flows.dispatch import RuntimeStatus
from spatial.contract.health import Health
from spatial.contract.models import ModelList
from spatial.contract.responses import TASK_TYPES
from spatial.errors import ConverterUnavailable
from storage.postgres.database import Database
from tests.api.house import House

NOWHERE = "postgresql+asyncpg://nobody@127.0.0.1:1/nothing"
AWAY = {"reasoning_runtime", "rowe_availability"}
"""Checks that fail until there is a reasoning runtime."""


@pytest.mark.requirement("health.200", "health.public", "health.checks", "health.all-checks", "health.shape")
async def test_without_a_reasoning_runtime_health_is_degraded_and_everything_else_well(house: House) -> None:
    answer = await house.client.get("/api/health")
    verdict = Health.model_validate_json(answer.content)
    assert answer.status_code == 200 and verdict.status == "degraded"
    assert set(verdict.checks) == {"datastore", "converter", "storage", "prefect"} | AWAY == set(verdict.services)
    for name, check in verdict.checks.items():
        assert check.status == verdict.services[name] == ("unavailable" if name in AWAY else "healthy"), check
        assert check.latency_ms is not None and check.detail
    assert datetime.fromisoformat(answer.json()["timestamp"]).tzinfo is not None


@pytest.mark.requirement("health.status", "health.200")
async def test_with_everything_well_health_is_healthy(house: House) -> None:
    house.dispatch.runtime = RuntimeStatus(configured=True, available=True, status="ready", upstream_status="1 worker")
    answer = await house.client.get("/api/health")
    assert (answer.status_code, answer.json()["status"]) == (200, "healthy")


@pytest.mark.requirement("health.down-or-degraded", "health.200")
@pytest.mark.parametrize("part", ["converter", "prefect"])
async def test_one_part_away_is_degraded(house: House, part: str) -> None:
    house.dispatch.unwell[part] = ConverterUnavailable(f"no {part}")
    answer = await house.client.get("/api/health")
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert answer.json()["checks"][part]["status"] == "unavailable"
    assert answer.json()["checks"][part]["detail"] == f"no {part}"


@pytest.mark.requirement("health.503", "health.down-or-degraded")
async def test_without_the_datastore_health_is_down(house: House) -> None:
    await house.dispatch.database.close()
    house.dispatch.database = Database(NOWHERE)
    answer = await house.client.get("/api/health")
    assert answer.status_code == 503 and answer.headers["content-type"] == "application/json"
    assert Health.model_validate_json(answer.content).status == "down"


@pytest.mark.requirement("health.bounded", "health.latency")
async def test_a_probe_that_hangs_or_breaks_has_failed_and_holds_up_nobody(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang() -> dict[str, object]:
        await asyncio.Event().wait()
        return {}

    monkeypatch.setattr(probes, "PROBE_SECONDS", 0.05)
    monkeypatch.setattr(house.dispatch, "converter_health", hang)
    house.dispatch.unwell["prefect"] = RuntimeError("secret of ours")
    answer = await house.client.get("/api/health")
    checks = answer.json()["checks"]
    assert checks["converter"]["status"] == checks["prefect"]["status"] == "unavailable"
    assert checks["converter"]["latencyMs"] >= 50 and "secret" not in answer.text


@pytest.mark.requirement("health.bounded")
async def test_all_who_ask_at_once_share_one_round(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def count() -> dict[str, object]:
        asked.append("converter")
        return {}

    monkeypatch.setattr(house.dispatch, "converter_health", count)
    answers = await asyncio.gather(*(house.client.get("/api/health") for _ in range(20)))
    assert len(asked) == 1 and {answer.status_code for answer in answers} == {200}


@pytest.mark.requirement(
    "models.200", "models.public", "models.unbilled", "models.runtime", "model-card.content", "models.io"
)
async def test_the_model_list_is_public_and_needs_no_database(house: House) -> None:
    await house.dispatch.database.close()
    house.dispatch.database = Database(NOWHERE)
    answer = await house.client.get("/api/v1/models")
    listed = ModelList.model_validate_json(answer.content)
    assert answer.status_code == 200 and answer.headers["x-request-id"]
    [card] = listed.data
    assert card.id == "reasoner-1.0" and set(card.io["tasks"]) == set(TASK_TYPES) and card.io["input_modalities"]
    assert card.pricing["input_usd_per_million"] == house.dispatch.settings.price_input_usd_per_million
    assert card.io["limits"]["requests"]["active"] == {"per_minute": 600, "per_billing_period": 1_000_000}
    assert not listed.runtime_available and not listed.runtime_configured


@pytest.mark.requirement("models.runtime")
async def test_the_model_list_says_when_a_worker_can_take_a_request(house: House) -> None:
    house.dispatch.runtime = RuntimeStatus(configured=True, available=True, status="ready", upstream_status="1 worker")
    listed = (await house.client.get("/api/v1/models")).json()
    assert listed["runtime_available"] is True and listed["runtime_status"] == "ready"
