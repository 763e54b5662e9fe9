"""POST /api/v1/cad/extract from the gate to the answer."""

from __future__ import annotations

import asyncio
import base64
import json
import math

import pytest

from spatial import errors
from spatial.contract.usage import Usage
from spatial.errors import SpatialError
from storage.postgres.database import DatastoreUnavailable
from tests.api.house import EXTRACT, NAME, STEP, House, assert_fault, headers


@pytest.mark.requirement(
    "extract.json.200",
    "service.request-id-header",
    "service.request-id-body",
    "usage.on-every-response",
    "extraction.usage",
)
async def test_a_json_extract_answers_the_document_with_its_usage(house: House, key: str) -> None:
    answer = await house.extract(key, target_contract="both")
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/json"
    document = answer.json()
    assert document["schema"] == "cad.extraction.v1" and document["target_contract"] == "both"
    assert document["request_id"] == answer.headers["x-request-id"]
    assert Usage.model_validate(document["usage"]).model_fields_set == set(Usage.model_fields)
    costs = [document["usage"][f"estimated_{part}cost_usd"] for part in ("input_", "output_", "")]
    assert costs[0] + costs[1] == pytest.approx(costs[2])
    assert "idempotency-replayed" not in answer.headers


@pytest.mark.requirement(
    "extract.input-tokens",
    "extract.output-tokens",
    "metering.input-is-the-file",
    "metering.output-without-usage",
    "service.metered-by-key",
)
async def test_tokens_count_the_file_and_the_document_without_its_usage(house: House, key: str) -> None:
    answer = await house.extract(key)
    usage = answer.json()["usage"]
    without = answer.content[: answer.content.rindex(b',"usage":')] + b"}"
    assert json.loads(without) == {name: value for name, value in answer.json().items() if name != "usage"}
    assert usage["input_tokens"] == math.ceil(len(STEP) / 4)
    assert usage["output_tokens"] == math.ceil(len(without) / 4)
    [row] = await house.usage(key)
    assert (row.input_tokens, row.output_tokens) == (usage["input_tokens"], usage["output_tokens"])
    assert row.request_id == answer.headers["x-request-id"] and row.key_id == house.dispatch.jobs[0].key_id
    assert row.route == EXTRACT


@pytest.mark.requirement("extract.multipart.200", "extract.multipart.target-contract")
async def test_a_form_extract_takes_a_file_and_a_target(house: House, key: str) -> None:
    for target, wants in ((None, "structured"), ("", "structured"), ("point_cloud_scene", "point_cloud_scene")):
        data = {} if target is None else {"target_contract": target}
        answer = await house.client.post(EXTRACT, files={"file": (NAME, STEP)}, data=data, headers=headers(key))
        assert answer.status_code == 200 and answer.json()["target_contract"] == wants
    staged = house.dispatch.jobs[0].content_key
    assert staged is not None and await house.dispatch.lake.get(staged) == STEP


@pytest.mark.requirement("extract.edges")
async def test_edges_are_listed_where_json_or_a_form_asks_for_them(house: House, key: str) -> None:
    assert (await house.extract(key)).status_code == 200
    for edges in (False, True):
        assert (await house.extract(key, edges=edges)).status_code == 200
    for data in ({}, {"edges": ""}, {"edges": "false"}, {"edges": "true"}):
        answer = await house.client.post(EXTRACT, files={"file": (NAME, STEP)}, data=data, headers=headers(key))
        assert answer.status_code == 200
    assert [job.edges for job in house.dispatch.jobs] == [False, False, True, False, False, False, True]


@pytest.mark.requirement("extract.edges")
async def test_edges_belong_to_the_payload_of_an_idempotency_key(house: House, key: str) -> None:
    assert (await house.extract(key, retry="edges", edges=True)).status_code == 200
    assert (await house.extract(key, retry="edges")).status_code == 409
    assert (await house.extract(key, retry="edges", edges=True)).status_code == 200


@pytest.mark.requirement("target.default", "extract-request.content-url")
async def test_a_content_url_is_handed_on_without_a_file(house: House, key: str) -> None:
    answer = await house.extract(key, content_base64=None, content_url="https://files.example.com/a.step")
    assert answer.status_code == 200
    [job] = house.dispatch.jobs
    assert job.content_url == "https://files.example.com/a.step" and job.content_key is None
    assert job.target_contract == "structured"


@pytest.mark.requirement("limit.inline-4mb")
async def test_a_file_of_four_megabytes_fits_inline(house: House, key: str) -> None:
    file = STEP + b" " * (4 * 1024 * 1024 - len(STEP))
    by_form = await house.client.post(EXTRACT, files={"file": (NAME, file)}, headers=headers(key))
    by_json = await house.extract(key, content_base64=base64.b64encode(file).decode())
    assert by_form.status_code == by_json.status_code == 200


@pytest.mark.requirement("auth.bearer", "error.401.missing", "error.401.invalid", "error.401.revoked", "auth.revocable")
async def test_without_a_valid_key_it_is_401(house: House, key: str) -> None:
    await house.revoke(revoked := await house.key())
    for secret in (None, "sk_" + "A" * 43, "nonsense", "x" * 400, revoked):
        answer = await house.extract(secret)
        assert_fault(answer, 401, "authentication_error")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    assert (await house.extract(key)).status_code == 200
    await house.revoke(key)
    assert_fault(await house.extract(key), 401, "authentication_error")


@pytest.mark.requirement("api.bearer-form")
async def test_the_bearer_scheme_is_read_as_http_says(house: House, key: str) -> None:
    for good in (f"bearer {key}", f"BEARER   {key}"):
        answer = await house.client.post(EXTRACT, content=b"", headers={"Authorization": good})
        assert_fault(answer, 400, "invalid_request_error")
    for bad in (key, f"Basic {key}", f"Bearer{key}", "Bearer", "Bearer ", f"Bearer {key} {key}", f"Bearer {key},"):
        answer = await house.client.post(EXTRACT, content=b"", headers={"Authorization": bad})
        assert_fault(answer, 401, "authentication_error")
        assert answer.headers["www-authenticate"].startswith("Bearer")
    twice = [("Authorization", f"Bearer {key}"), ("Authorization", f"Bearer {key}")]
    assert_fault(await house.client.post(EXTRACT, content=b"", headers=twice), 401, "authentication_error")


@pytest.mark.requirement("error.402.payment-required", "auth.active-or-trialing")
async def test_only_a_paying_account_runs(house: House) -> None:
    for status in ("active", "trialing"):
        assert (await house.extract(await house.key(status))).status_code == 200
    for other in ("past_due", "canceled", "none", None):
        details = assert_fault(await house.extract(await house.key(other)), 402, "payment_required")
        assert details == {"subscription": other or "none"}


@pytest.mark.requirement(
    "error.422.parse",
    "error.422.timeout",
    "error.503.converter",
    "error.503.lake",
    "error.503.prefect",
    "error.503.usage-finalization",
    "content-url.unfetchable-400",
    "content-url.too-large-413",
    "api.retry-after",
    "api.failed-usage",
    "usage.charged-only-2xx",
    "service.unbilled-non-2xx",
)
@pytest.mark.parametrize(
    "failure",
    [
        errors.ParseError("bracket.step: not a STEP file", details={"phase": "read", "signal": "SIGSEGV"}),
        errors.ConversionTimeout("bracket.step: too slow", details={"phase": "sample", "seconds": 60}),
        errors.InvalidRequest("content_url answered 404; check the URL", details={"field": "content_url"}),
        errors.RequestTooLarge("the file behind content_url is too large"),
        errors.ConverterUnavailable("the converter's queue is full", retry_after=2),
        errors.UsageFinalizationUnavailable("the usage record cannot be written now"),
        DatastoreUnavailable("Postgres went away"),
    ],
    ids=lambda failure: type(failure).__name__,
)
async def test_what_the_work_refuses_is_passed_on_and_costs_nothing(
    house: House, key: str, failure: SpatialError
) -> None:
    house.dispatch.failure = failure
    answer = await house.extract(key)
    details = assert_fault(answer, failure.status, failure.type)
    assert answer.json()["error"]["message"] == failure.message
    usage = details.pop("usage")
    assert details == (failure.details or {})
    assert usage["input_tokens"] == math.ceil(len(STEP) / 4) and usage["estimated_cost_usd"] == 0
    assert answer.headers.get("retry-after") == (str(failure.retry_after) if failure.retry_after else None)
    assert not await house.usage(key)


@pytest.mark.requirement("error.503.usage-finalization", "service.unbilled-non-2xx")
async def test_an_operation_that_lost_its_lease_is_not_answered_as_if_it_were_paid(house: House, key: str) -> None:
    house.dispatch.latch.clear()
    asking = asyncio.create_task(house.extract(key))
    await house.dispatch.began.wait()
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE operations SET state = 'failed'")
    house.dispatch.latch.set()
    assert_fault(await asking, 503, "usage_finalization_unavailable")


@pytest.mark.requirement("error.503.billing", "error.503.billing-store", "api.retry-after")
async def test_without_the_datastore_it_is_503(house: House, key: str) -> None:
    await house.dispatch.database.close()
    house.dispatch.database = type(house.dispatch.database)("postgresql+asyncpg://nobody@127.0.0.1:1/nothing")
    assert_fault(await house.extract(key), 503, "billing_unavailable")


@pytest.mark.requirement("error.503.billing")
async def test_a_billing_provider_out_of_reach_is_503(house: House, key: str) -> None:
    class Dark:
        async def subscription(self, account_id: str) -> str:
            raise errors.BillingUnavailable(f"the provider does not answer for {account_id}")

        async def close(self) -> None:
            """It has no connections."""

    house.dispatch.billing = Dark()  # type: ignore[assignment]  # it never returns a status
    assert_fault(await house.extract(key), 503, "billing_unavailable")
    assert not house.dispatch.jobs
