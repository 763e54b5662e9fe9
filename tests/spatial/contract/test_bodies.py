"""The small bodies: batches, models, feature trees, JSON-RPC, health, errors, usage."""

from __future__ import annotations

import json
from typing import Any

import pytest

from spatial import errors
from spatial.contract import examples
from spatial.contract.batch import CadExtractBatch, CadExtractBatchRequest
from spatial.contract.error import ErrorBody, Fault
from spatial.contract.feature_tree import FeatureTreeImport, FeatureTreeImported
from spatial.contract.health import Check, Health
from spatial.contract.jsonrpc import JsonRpcError, JsonRpcRequest, JsonRpcResponse
from spatial.contract.model import Model
from spatial.contract.models import ModelCard, ModelList, reasoner_card
from spatial.contract.responses import TASK_TYPES
from spatial.contract.usage import Usage
from spatial.contract.validation import check
from spatial.errors import InvalidRequest

ITEM = {"file_name": "part.step", "content_base64": "SVNP"}


def written(document: Model) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(document.model_dump_json(exclude_none=True))
    return read


def wrong_path(model: Any, value: Any) -> str:
    with pytest.raises(InvalidRequest) as caught:
        check(model, value)
    assert caught.value.details is not None
    return str(caught.value.details["field"])


@pytest.mark.requirement("extract-batch.shape")
def test_an_extract_batch_has_the_members_of_the_spec() -> None:
    schema = CadExtractBatch.model_json_schema()
    assert set(schema["properties"]) == {
        *("object", "id", "status", "status_url", "counts", "items", "usage", "expires_at"),
        *("created_at", "started_at", "ended_at", "cancelled_at", "request_id"),  # additions of ours
    }
    assert schema["properties"]["object"]["const"] == "cad_extract_batch"
    assert schema["properties"]["expires_at"] | {"description": ""} == {
        "type": "string",
        "format": "date-time",
        "title": "Expires At",
        "description": "",
    }
    assert written(check(CadExtractBatch, examples.EXTRACT_BATCH)) == examples.EXTRACT_BATCH


@pytest.mark.requirement("extract-batch.id", "extract-batch.status")
def test_an_extract_batch_id_and_its_states() -> None:
    for status in ("queued", "running", "done", "failed", "expired"):
        assert check(CadExtractBatch, {**examples.EXTRACT_BATCH, "status": status}).status == status
    assert wrong_path(CadExtractBatch, {**examples.EXTRACT_BATCH, "status": "paused"}) == "status"
    assert wrong_path(CadExtractBatch, {**examples.EXTRACT_BATCH, "id": "b_1"}) == "id"


@pytest.mark.requirement("extract-batch.shape")
@pytest.mark.parametrize("moment", ["2026-02-01T12:00:00", "2026-02-01", "tomorrow", "12:00:00Z"])
def test_a_moment_without_its_offset_is_refused(moment: str) -> None:
    assert wrong_path(CadExtractBatch, {**examples.EXTRACT_BATCH, "expires_at": moment}) == "expires_at"


@pytest.mark.requirement("extract-batch-request.1-32", "limit.batch-items")
def test_an_extract_batch_has_1_to_32_items_and_names_the_bad_one() -> None:
    assert len(check(CadExtractBatchRequest, {"items": [ITEM] * 32}).items) == 32
    assert wrong_path(CadExtractBatchRequest, {"items": [ITEM] * 33}) == "items"
    assert wrong_path(CadExtractBatchRequest, {"items": []}) == "items"
    assert wrong_path(CadExtractBatchRequest, {"items": [ITEM, {**ITEM, "file_name": ""}]}) == "items.1.file_name"


@pytest.mark.requirement("model-card.shape")
@pytest.mark.parametrize("name", ["id", "display_name", "description", "io", "pricing"])
def test_a_model_card_has_five_members_and_may_have_more(name: str) -> None:
    card = {**written(reasoner_card({"currency": "USD"}, {})), "released": "2026"}
    assert written(check(ModelCard, card)) == card
    assert wrong_path(ModelCard, {key: value for key, value in card.items() if key != name}) == name


@pytest.mark.requirement("model-card.content", "version.model")
def test_the_card_of_the_reasoner_says_tasks_modalities_and_price() -> None:
    card = reasoner_card({"input_usd_per_million_tokens": 1.5}, {"active": {"per_minute": 600}})
    assert card.id == "reasoner-1.0"
    assert card.io["tasks"] == list(TASK_TYPES)
    assert {"cad_scene", "point_cloud_scene", "image"} <= set(card.io["input_modalities"])
    assert card.pricing == {"input_usd_per_million_tokens": 1.5}


@pytest.mark.requirement("models.io")
def test_the_card_says_which_inputs_each_task_takes() -> None:
    io = reasoner_card({}, {"active": {"per_minute": 600}}).io
    inputs = io["task_inputs"]
    assert list(inputs) == list(TASK_TYPES)
    assert {task for task in TASK_TYPES if "image" in inputs[task]} == {"fit", "stability", "placement", "embed"}
    assert {task for task in TASK_TYPES if "sensor_readings" in inputs[task]} == {"predict", "act"}
    assert {task for task in TASK_TYPES if "previous_cad_scene" in inputs[task]} == {"compare", "predict"}
    assert all({"cad_scene", "point_cloud_scene"} <= set(inputs[task]) for task in TASK_TYPES)
    assert io["limits"]["requests"] == {"active": {"per_minute": 600}}
    assert (io["limits"]["wait_seconds"], io["limits"]["batch_items"]) == (18, 32)
    assert "learned" not in io["runtimes"]


@pytest.mark.requirement("model-list.shape")
def test_a_model_list_has_the_members_of_the_spec() -> None:
    schema = ModelList.model_json_schema()
    assert set(schema["properties"]) == {
        *("object", "data", "runtime_configured", "runtime_available", "runtime_status", "upstream_status")
    }
    assert schema["properties"]["object"]["const"] == "list"
    assert written(check(ModelList, examples.MODEL_LIST)) == examples.MODEL_LIST
    assert wrong_path(ModelList, {**examples.MODEL_LIST, "runtime_available": "no"}) == "runtime_available"


@pytest.mark.requirement("feature-tree.required")
@pytest.mark.parametrize("name", ["partner", "document_id", "feature_tree"])
def test_a_feature_tree_import_requires_three_members(name: str) -> None:
    whole = examples.FEATURE_TREE
    assert wrong_path(FeatureTreeImport, {key: value for key, value in whole.items() if key != name}) == name


@pytest.mark.requirement("feature-tree.node")
def test_a_feature_has_an_id_and_a_type_and_may_have_more() -> None:
    assert written(check(FeatureTreeImport, examples.FEATURE_TREE)) == examples.FEATURE_TREE
    bad = {**examples.FEATURE_TREE, "feature_tree": [{"id": "f1", "feature_type": "hole"}, {"id": "f2"}]}
    assert wrong_path(FeatureTreeImport, bad) == "feature_tree.1.feature_type"


@pytest.mark.requirement("feature-tree.result")
def test_an_imported_tree_has_a_scene_id_and_a_request_id() -> None:
    result = {"scene_id": "s1", "request_id": "r1", "features": 2}
    assert written(check(FeatureTreeImported, result)) == result
    assert wrong_path(FeatureTreeImported, {"request_id": "r1"}) == "scene_id"


@pytest.mark.requirement("jsonrpc.request")
@pytest.mark.parametrize("call_id", ["a", 7, None, 0, ""])
def test_a_call_id_is_a_string_an_integer_or_null(call_id: Any) -> None:
    request = check(JsonRpcRequest, {"jsonrpc": "2.0", "method": "ping", "id": call_id})
    assert request.id == call_id
    assert type(request.id) is type(call_id)


@pytest.mark.requirement("jsonrpc.request", "contract.strict")
@pytest.mark.parametrize(
    ("name", "value"),
    [("jsonrpc", "1.0"), ("jsonrpc", 2.0), ("method", 1), ("params", [1]), ("id", True), ("id", 1.5), ("id", {})],
)
def test_what_a_call_refuses(name: str, value: Any) -> None:
    call = {"jsonrpc": "2.0", "method": "ping", "id": 1, "params": {}}
    assert wrong_path(JsonRpcRequest, {**call, name: value}).split(".")[0] == name


@pytest.mark.requirement("jsonrpc.notification")
def test_only_a_call_without_an_id_is_a_notification() -> None:
    call = {"jsonrpc": "2.0", "method": "ping"}
    assert check(JsonRpcRequest, call).is_notification
    assert not check(JsonRpcRequest, {**call, "id": None}).is_notification
    assert JsonRpcRequest.model_json_schema()["properties"]["id"]["type"] == ["string", "integer", "null"]


@pytest.mark.requirement("jsonrpc.response")
def test_an_answer_keeps_its_id_even_when_it_is_null() -> None:
    refusal = JsonRpcResponse(id=None, error=JsonRpcError(code=-32700, message="Parse error"))
    assert written(refusal) == {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
    assert written(JsonRpcResponse(id=1, result={"tools": []})) == {"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}
    assert wrong_path(JsonRpcResponse, {"jsonrpc": "2.0", "result": {}}).startswith("id")


@pytest.mark.requirement("health.shape")
def test_health_has_the_members_of_the_spec() -> None:
    assert set(Health.model_json_schema()["properties"]) == {"status", "timestamp", "services", "checks"}
    assert set(Check.model_json_schema()["properties"]) == {"status", "latencyMs", "detail"}
    assert Health.model_json_schema()["properties"]["timestamp"]["format"] == "date-time"
    assert written(check(Health, examples.HEALTH)) == examples.HEALTH


@pytest.mark.requirement("health.status")
def test_health_states() -> None:
    for status in ("healthy", "degraded", "down"):
        assert check(Health, {**examples.HEALTH, "status": status}).status == status
    assert wrong_path(Health, {**examples.HEALTH, "status": "ok"}) == "status"


@pytest.mark.requirement("health.latency")
def test_a_latency_that_was_not_measured_is_null() -> None:
    assert written(Check(status="unavailable", latencyMs=None, detail="not asked")) == {
        "status": "unavailable",
        "latencyMs": None,
        "detail": "not asked",
    }
    assert check(Check, {"status": "healthy", "latencyMs": 3, "detail": ""}).latency_ms == 3.0


@pytest.mark.requirement("model.error.required")
def test_an_error_requires_message_type_and_request_id() -> None:
    assert wrong_path(ErrorBody, {"error": {"message": "m", "type": "t"}}) == "request_id"
    assert wrong_path(ErrorBody, {"error": {"message": "m"}, "request_id": "r"}) == "error.type"
    assert wrong_path(ErrorBody, {"error": {"type": "t"}, "request_id": "r"}) == "error.message"
    assert wrong_path(ErrorBody, {"request_id": "r"}) == "error"


@pytest.mark.requirement("model.error.details")
def test_details_are_free_form_or_absent() -> None:
    plain = ErrorBody(error=Fault(message="m", type="t"), request_id="r")
    assert written(plain) == {"error": {"message": "m", "type": "t"}, "request_id": "r"}
    detailed = {"error": {"message": "m", "type": "t", "details": {"index": 2, "any": [None]}}, "request_id": "r"}
    assert written(check(ErrorBody, detailed)) == detailed


@pytest.mark.requirement("model.usage.fields")
def test_usage_has_five_optional_numbers() -> None:
    assert written(Usage()) == {}
    assert written(check(Usage, examples.USAGE)) == examples.USAGE
    assert set(Usage.model_json_schema()["properties"]) == set(examples.USAGE)
    assert wrong_path(Usage, {"input_tokens": 1.5}) == "input_tokens"
    assert wrong_path(Usage, {"output_tokens": -1}) == "output_tokens"


@pytest.mark.requirement("error.tree")
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (402, "payment_required"),
        (404, "not_found"),
        (405, "method_not_allowed"),
        (409, "idempotency_conflict"),
        (409, "idempotency_in_progress"),
        (413, "request_too_large"),
        (415, "unsupported_file_type"),
        (422, "invalid_request_error"),
        (422, "parse_error"),
        (422, "timeout_error"),
        (429, "rate_limit_exceeded"),
        (500, "internal_error"),
        (503, "desktop_inference_unavailable"),
        (503, "billing_unavailable"),
        (503, "usage_finalization_unavailable"),
        (503, "converter_unavailable"),
    ],
)
def test_every_row_of_the_error_table_has_a_class(status: int, kind: str) -> None:
    tree = [errors.SpatialError]
    for branch in tree:
        tree.extend(branch.__subclasses__())
    assert (status, kind) in {(leaf.status, leaf.type) for leaf in tree if leaf.__module__ == "spatial.errors"}
