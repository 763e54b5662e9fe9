"""Spatial reasoning: request, response, and their batches."""

from __future__ import annotations

from typing import Any

import pytest

from spatial.contract import examples, limits
from spatial.contract.responses import (
    MODEL,
    TASK_TYPES,
    ResponseBatch,
    ResponsesBatchEnvelope,
    ResponsesBatchRequest,
    ResponsesRequest,
    ResponsesResponse,
)
from spatial.contract.validation import check
from spatial.errors import InvalidRequest

LEAST: dict[str, Any] = {"input": {"task_type": "describe"}}


def wrong_path(model: Any, value: Any) -> str:
    with pytest.raises(InvalidRequest) as caught:
        check(model, value)
    assert caught.value.details is not None
    return str(caught.value.details["field"])


def with_input(**members: Any) -> dict[str, Any]:
    return {"input": {"task_type": "describe", **members}}


@pytest.mark.requirement("responses-request.model", "version.model")
def test_the_model_is_reasoner_1_0_by_default_and_only() -> None:
    assert MODEL == "reasoner-1.0"
    assert check(ResponsesRequest, LEAST).model == MODEL
    assert check(ResponsesRequest, {**LEAST, "model": "reasoner-1.0"}).model == MODEL
    assert wrong_path(ResponsesRequest, {**LEAST, "model": "reasoner-2.0"}) == "model"


@pytest.mark.requirement("responses-request.input-required")
def test_input_and_its_task_type_are_required() -> None:
    assert wrong_path(ResponsesRequest, {}) == "input"
    assert wrong_path(ResponsesRequest, {"input": []}) == "input"
    assert wrong_path(ResponsesRequest, {"input": {}}) == "input.task_type"


@pytest.mark.requirement("responses-request.task-types")
def test_the_twelve_task_types() -> None:
    assert (
        *("fit", "stability", "placement", "embed", "describe", "classify"),
        *("compare", "understand", "reconstruct", "predict", "act", "optimize"),
    ) == TASK_TYPES
    assert wrong_path(ResponsesRequest, {"input": {"task_type": "paint"}}) == "input.task_type"


@pytest.mark.requirement("responses-request.scenes")
def test_an_extraction_goes_into_a_request_as_it_came_out() -> None:
    scenes = {
        "cad_scene": examples.EXTRACTION,
        "previous_cad_scene": examples.EXTRACTION,
        "point_cloud_scene": examples.POINT_CLOUD_SCENE,
        "previous_point_cloud_scene": examples.POINT_CLOUD_SCENE,
    }
    document = check(ResponsesRequest, with_input(**scenes)).model_dump(mode="json", exclude_none=True)
    assert {name: document["input"][name] for name in scenes} == scenes
    assert wrong_path(ResponsesRequest, with_input(cad_scene={"schema": "v0"})) == "input.cad_scene.schema"


@pytest.mark.requirement("responses-request.free-form")
def test_images_goals_and_readings_are_free_form() -> None:
    free = {
        "image": {"data": "…", "depth": [[1.0, None]]},
        "goal": {"place": "left"},
        "images": [{"n": 1}],
        "sensor_readings": [{"t": 0.5}],
    }
    document = check(ResponsesRequest, with_input(**free)).model_dump(exclude_none=True)
    assert {name: document["input"][name] for name in free} == free
    assert wrong_path(ResponsesRequest, with_input(image="data:")) == "input.image"
    assert wrong_path(ResponsesRequest, with_input(images=[1])) == "input.images.0"


@pytest.mark.requirement("responses-request.ids", "responses-request.detail")
def test_ids_and_detail() -> None:
    read = check(ResponsesRequest, with_input(object_id="a", secondary_id="b"))
    assert (read.input.object_id, read.input.secondary_id, read.input.detail) == ("a", "b", "standard")
    for detail in ("compact", "standard", "debug"):
        assert check(ResponsesRequest, with_input(detail=detail)).input.detail == detail
    assert wrong_path(ResponsesRequest, with_input(detail="verbose")) == "input.detail"
    assert wrong_path(ResponsesRequest, with_input(object_id=1)) == "input.object_id"


@pytest.mark.requirement("responses-request.input-open")
def test_further_properties_of_input_are_kept_and_of_the_request_refused() -> None:
    document = check(ResponsesRequest, with_input(budget={"ms": 5})).model_dump(exclude_none=True)
    assert document["input"]["budget"] == {"ms": 5}
    assert wrong_path(ResponsesRequest, {**LEAST, "stream": True}) == "stream"


@pytest.mark.requirement("responses-request.request-id")
@pytest.mark.parametrize("request_id", ["a", "!", "~", "my-request:1/2", "x" * 128])
def test_a_callers_id_of_visible_ascii(request_id: str) -> None:
    assert check(ResponsesRequest, {**LEAST, "request_id": request_id}).request_id == request_id


@pytest.mark.requirement("responses-request.request-id")
@pytest.mark.parametrize("request_id", ["", " ", "a b", "a\n", "a\r\nX: y", "\x7f", "é", "x" * 129, 7])
def test_another_id_is_refused(request_id: Any) -> None:
    assert wrong_path(ResponsesRequest, {**LEAST, "request_id": request_id}) == "request_id"


@pytest.mark.requirement("responses-batch-request.1-32", "limit.batch-items")
def test_a_responses_batch_has_1_to_32_items() -> None:
    assert len(check(ResponsesBatchRequest, {"requests": [LEAST] * 32}).requests) == 32
    assert wrong_path(ResponsesBatchRequest, {"requests": [LEAST] * 33}) == "requests"
    assert wrong_path(ResponsesBatchRequest, {"requests": []}) == "requests"
    assert wrong_path(ResponsesBatchRequest, {}) == "requests"


@pytest.mark.requirement("responses-batch-request.envelope")
def test_the_envelope_does_not_judge_its_items() -> None:
    assert check(ResponsesBatchEnvelope, {"requests": [LEAST, {"input": 5}, "x", None]}).requests[1] == {"input": 5}
    assert wrong_path(ResponsesBatchEnvelope, {"requests": []}) == "requests"
    assert wrong_path(ResponsesBatchEnvelope, {"requests": {}}) == "requests"
    assert wrong_path(ResponsesBatchEnvelope, {"requests": [1] * (limits.BATCH_ITEMS + 1)}) == "requests"


@pytest.mark.requirement("responses-response.shape")
def test_a_response_has_the_members_of_the_spec() -> None:
    schema = ResponsesResponse.model_json_schema()
    assert set(schema["properties"]) == {"id", "object", "model", "output", "usage", "request_id", "router"}
    assert schema["properties"]["object"]["const"] == "response"
    document = check(ResponsesResponse, examples.RESPONSES_RESPONSE).model_dump(exclude_none=True)
    assert document == examples.RESPONSES_RESPONSE


@pytest.mark.requirement("response-batch.shape")
def test_a_response_batch_has_the_members_of_the_spec() -> None:
    schema = ResponseBatch.model_json_schema()
    assert set(schema["properties"]) == {"object", "request_id", "data"}
    assert schema["properties"]["object"]["const"] == "response_batch"


@pytest.mark.requirement("response-batch.item")
def test_an_entry_has_an_integer_status_and_what_else_it_likes() -> None:
    document = check(ResponseBatch, examples.RESPONSE_BATCH).model_dump(exclude_none=True)
    assert document == examples.RESPONSE_BATCH
    assert wrong_path(ResponseBatch, {"request_id": "r", "data": [{"status": "200"}]}) == "data.0.status"
    assert wrong_path(ResponseBatch, {"request_id": "r", "data": [{}]}) == "data.0.status"
