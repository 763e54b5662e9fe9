"""The body of GET /api/v1/models (spec: ModelCard and ModelList)."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict

from spatial.contract import examples, limits
from spatial.contract.model import JsonObject, Model, OpenModel
from spatial.contract.responses import MODEL, TASK_TYPES, TaskType

DISPLAY_NAME: Final = "Reasoner 1.0"
DESCRIPTION: Final = (
    "Reasons over a cad_scene or a point_cloud_scene: says what is there, compares, finds out whether things fit, "
    "stand or can be placed, and answers with typed spatial output."
)
MODALITIES: Final = ("cad_scene", "point_cloud_scene", "image", "sensor_readings")
"""Kinds of content that a request's `input` may carry; `task_inputs` says which task uses which."""

DEPTH_TASKS: Final[tuple[TaskType, ...]] = ("fit", "stability", "placement", "embed")
"""Tasks that take their geometry from a depth map with intrinsics, where the request has one."""

READING_TASKS: Final[tuple[TaskType, ...]] = ("predict", "act")
"""Tasks that use `sensor_readings`."""

PREVIOUS_TASKS: Final[tuple[TaskType, ...]] = ("compare", "predict")
"""Tasks that use the previous scene."""

RUNTIMES: Final = ("geometric", "depth")
"""What an answer may rest on, as `router.runtime` says; no learned weights are part of this version."""


class ModelCard(OpenModel):
    """One model: description, inputs and outputs, prices."""

    id: str
    display_name: str
    description: str
    io: JsonObject
    """Free-form: supported tasks, input modalities, limits."""
    pricing: JsonObject
    """Free-form: US dollars per million spatial tokens."""


class ModelList(Model):
    """All models, and whether the runtime can take a request right now."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.MODEL_LIST]})

    object: Literal["list"] = "list"
    data: list[ModelCard]
    runtime_configured: bool
    runtime_available: bool
    """Whether a healthy desktop worker can take a request right now."""
    runtime_status: str
    upstream_status: str


def reasoner_card(pricing: JsonObject, plans: JsonObject) -> ModelCard:
    """The card of the only model. plans: ceilings of each plan, by its name."""
    io = {
        "tasks": list(TASK_TYPES),
        "input_modalities": list(MODALITIES),
        "task_inputs": {task: _inputs_of(task) for task in TASK_TYPES},
        "runtimes": list(RUNTIMES),
        "output": "typed spatial output",
        "limits": {
            "wait_seconds": limits.DESKTOP_WAIT_SECONDS,
            "batch_items": limits.BATCH_ITEMS,
            "free_values": limits.FREE_VALUES,
            "requests": plans,
        },
    }
    return ModelCard(id=MODEL, display_name=DISPLAY_NAME, description=DESCRIPTION, io=io, pricing=pricing)


def _inputs_of(task: TaskType) -> list[str]:
    """The members of `input` that the task uses, beside its scene, ids and goal."""
    previous = ["previous_cad_scene", "previous_point_cloud_scene"] if task in PREVIOUS_TASKS else []
    depth = ["image", "images"] if task in DEPTH_TASKS else []
    readings = ["sensor_readings"] if task in READING_TASKS else []
    return ["cad_scene", "point_cloud_scene", *previous, *depth, *readings]
