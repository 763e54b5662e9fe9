"""Spatial reasoning: request and response (spec: ResponsesRequest, ResponsesResponse, ResponseBatch)."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self, get_args

from pydantic import ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from spatial.contract import examples, limits
from spatial.contract.content import UploadId
from spatial.contract.error import Fault
from spatial.contract.extraction import CadExtraction
from spatial.contract.model import JsonObject, Model, OpenModel
from spatial.contract.points import PointCloudScene
from spatial.contract.stored import ExtractionId
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

REQUEST_ID: Final = rf"^[\x21-\x7e]{{1,{limits.REQUEST_ID_CHARACTERS}}}$"

RequestId = Annotated[str, Field(pattern=REQUEST_ID)]
"""A caller's own id: 1 to 128 visible ASCII characters (INTERPRETATION 1)."""


SceneId = Annotated[
    str, Field(min_length=1, max_length=limits.SCENE_ID_CHARACTERS, examples=["scene_0198c1f0a4b37c0d"])
]
"""Id of a scene that the service keeps."""


class SceneReference(Model):
    """Stands for a scene that was sent ahead; exactly one of its members is given (an addition to the spec)."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"upload_id": "up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"}],
            "oneOf": [{"required": [name]} for name in ("upload_id", "scene_id", "extraction_id")],
        }
    )

    upload_id: UploadId | None = None
    """An upload whose file is a `cad.extraction.v1` document."""
    scene_id: SceneId | None = None
    """The scene of an imported feature tree."""
    extraction_id: ExtractionId | None = None
    """An extraction of the last 24 hours."""

    @model_validator(mode="after")
    def _one_target(self) -> Self:
        if sum(one is not None for one in (self.upload_id, self.scene_id, self.extraction_id)) != 1:
            raise PydanticCustomError("one_reference", "give exactly one of upload_id, scene_id and extraction_id")
        return self


class _OrReference:
    """Describes a member that may also be a SceneReference. The server resolves references before it validates the member."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        described = handler(schema)
        described["anyOf"].append(SceneReference.model_json_schema())
        return described


CadScene = Annotated[CadExtraction | None, _OrReference()]


class ResponsesInput(OpenModel):
    """Input of the task; additional properties are passed on."""

    task_type: TaskType
    cad_scene: CadScene = None
    """An extraction, or a reference to one; target_contract `both` is recommended so that it carries a point_cloud_scene."""
    previous_cad_scene: CadScene = None
    """The earlier state, for compare and predict."""
    scene_id: SceneId | None = None
    """The scene of an imported feature tree, in place of cad_scene (an addition to the spec)."""
    previous_scene_id: SceneId | None = None
    """The same for the earlier state."""
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

    model_config = ConfigDict(json_schema_extra={"examples": [examples.RESPONSES_REQUEST]})

    model: Literal["reasoner-1.0"] = MODEL
    input: ResponsesInput
    request_id: RequestId | None = None
    """The caller's own id: echoed in the body and in X-Request-ID, never used as a key."""


class ResponsesResponse(Model):
    """Typed spatial output of one task."""

    # A worker's free-form output is sent on as it is, and has to stay JSON.
    model_config = ConfigDict(json_schema_extra={"examples": [examples.RESPONSES_RESPONSE]}, ser_json_inf_nan="null")

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
    """One entry: its HTTP status, and its response or its error."""

    model_config = ConfigDict(ser_json_inf_nan="null")  # as of ResponsesResponse

    status: Annotated[int, Field(ge=100, le=599)]
    """200, 400, 402, 422, 429 or 503."""
    index: Annotated[int, Field(ge=0)] | None = None
    """Place of the request in the batch, from 0."""
    response: ResponsesResponse | None = None
    """Where the status is 200."""
    error: Fault | None = None
    """Where it is not."""
    request_id: str | None = None
    """With an error: the item's own request_id, else that of the batch; a response has it inside."""
    retry_after: Annotated[int, Field(ge=1)] | None = None
    """Seconds after which it makes sense to send the item again, where the status is 429 or 503."""


class ResponseBatch(Model):
    """Entries in request order: HTTP 200 if all succeeded, otherwise 207."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.RESPONSE_BATCH]})

    object: Literal["response_batch"] = "response_batch"
    request_id: str
    data: list[ResponseBatchItem]
