"""The body of GET /api/v1/models (spec: ModelCard and ModelList)."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict

from spatial.contract import _examples
from spatial.contract._model import JsonObject, Model, OpenModel
from spatial.contract.responses import MODEL, TASK_TYPES

DISPLAY_NAME: Final = "Reasoner 1.0"
DESCRIPTION: Final = (
    "Reasons over a cad_scene or a point_cloud_scene: says what is there, compares, finds out whether things fit, "
    "stand or can be placed, and answers with typed spatial output."
)
MODALITIES: Final = ("cad_scene", "point_cloud_scene", "image", "sensor_readings")
"""Kinds of content that a request's `input` may carry."""


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

    model_config = ConfigDict(json_schema_extra={"examples": [_examples.MODEL_LIST]})

    object: Literal["list"] = "list"
    data: list[ModelCard]
    runtime_configured: bool
    runtime_available: bool
    """Whether a healthy desktop worker can take a request right now."""
    runtime_status: str
    upstream_status: str


def reasoner_card(pricing: JsonObject) -> ModelCard:
    """The card of the only model."""
    io = {"tasks": list(TASK_TYPES), "input_modalities": list(MODALITIES), "output": "typed spatial output"}
    return ModelCard(id=MODEL, display_name=DISPLAY_NAME, description=DESCRIPTION, io=io, pricing=pricing)
