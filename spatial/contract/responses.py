"""Spatial reasoning: request and response (spec: ResponsesRequest, ResponsesResponse, ResponseBatch)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, get_args

from pydantic import ConfigDict, Field

from spatial.contract import _examples, limits
from spatial.contract._model import JsonObject, Model, OpenModel
from spatial.contract.extraction import CadExtraction
from spatial.contract.points import PointCloudScene
from spatial.contract.usage import Usage

MODEL: Final = "reasoner-1.0"
"""The default and only model (spec: Versioning 3)."""

TaskType = Literal[
    "fit",
    "stability",
    "placement",
    "embed",
    "describe",
    "classify",
    "compare",
    "understand",
    "reconstruct",
    "predict",
    "act",
    "optimize",
]
TASK_TYPES: Final[tuple[TaskType, ...]] = get_args(TaskType)
"""Every task, in the spec's order."""

Detail = Literal["compact", "standard", "debug"]

RequestId = Annotated[str, Field(pattern=rf"^[\x21-\x7e]{{1,{limits.REQUEST_ID_CHARACTERS}}}$")]
"""A caller's own id: 1 to 128 visible ASCII characters (INTERPRETATION 1)."""


class ResponsesInput(OpenModel):
    """Input of the task; additional properties are passed on."""

    task_type: TaskType
    cad_scene: CadExtraction | None = None
    """An extraction; target_contract `both` is recommended so that it carries a point_cloud_scene."""
    previous_cad_scene: CadExtraction | None = None
    """The earlier state, for compare and predict."""
    point_cloud_scene: PointCloudScene | None = None
    previous_point_cloud_scene: PointCloudScene | None = None
    image: JsonObject | None = None
    """Raster frame or depth map; the learned fit, stability, placement and embed tasks need one."""
    images: list[JsonObject] | None = None
    sensor_readings: list[JsonObject] | None = None
    goal: JsonObject | None = None
    object_id: str | None = None
    """Primary object (fit, stability, placement, embed, act)."""
    secondary_id: str | None = None
    """Target or container (fit, placement)."""
    detail: Detail = "standard"


class ResponsesRequest(Model):
    """Body of POST /api/v1/responses."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.RESPONSES_REQUEST]})

    model: Literal["reasoner-1.0"] = MODEL
    input: ResponsesInput
    request_id: RequestId | None = None
    """The caller's own id: echoed in the body and in X-Request-ID, never used as a key."""


class ResponsesResponse(Model):
    """Typed spatial output of one task."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.RESPONSES_RESPONSE]})

    id: str
    object: Literal["response"] = "response"
    model: str
    output: list[JsonObject]
    usage: Usage | None = None
    request_id: str
    router: JsonObject
    """Provenance: which runtime answered."""


class ResponsesBatchRequest(Model):
    """Body of POST /api/v1/responses/batch, as documented. The server validates `ResponsesBatchEnvelope` first."""

    requests: Annotated[list[ResponsesRequest], Field(min_length=1, max_length=limits.BATCH_ITEMS)]


class ResponsesBatchEnvelope(Model):
    """The same body with items not yet validated: a malformed item is a 400 of that item inside a 207 (INTERPRETATION 11)."""

    requests: Annotated[list[Any], Field(min_length=1, max_length=limits.BATCH_ITEMS)]


class ResponseBatchItem(OpenModel):
    """One entry: its HTTP status, and the members of its response or error."""

    status: Annotated[int, Field(ge=100, le=599)]


class ResponseBatch(Model):
    """Entries in request order: HTTP 200 if all succeeded, otherwise 207."""

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.RESPONSE_BATCH]})

    object: Literal["response_batch"] = "response_batch"
    request_id: str
    data: list[ResponseBatchItem]
