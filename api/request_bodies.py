"""Descriptions of the request bodies that endpoints read by hand, from the contract's models that judge them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from spatial.contract.target import TargetContract

JSON: Final = "application/json"
MULTIPART: Final = "multipart/form-data"
OCTETS: Final = "application/octet-stream"

TARGET_PART: Final = "target_contract"
"""The form part that names the target contract."""

EDGES_PART: Final = "edges"
"""The form part that asks for edges."""

SCHEMA: Final = "#/components/schemas/{model}"


@dataclass(frozen=True)
class Media:
    """One media type of a request body."""

    name: str
    schema: dict[str, Any]
    examples: dict[str, Any]
    """OpenAPI example objects, by name."""
    models: tuple[type[BaseModel], ...] = ()
    """The models that the schema refers to."""


@dataclass(frozen=True)
class RequestBody:
    """The body of an endpoint, in any of its media types."""

    media: tuple[Media, ...]
    text: str | None = None

    def description(self) -> dict[str, Any]:
        """The OpenAPI request body object."""
        content = {one.name: {"schema": one.schema, "examples": one.examples} for one in self.media}
        described = {"description": self.text} if self.text is not None else {}
        return {"required": True, **described, "content": content}


def json_media(model: type[BaseModel], **examples: dict[str, Any]) -> Media:
    """A JSON body that the model judges."""
    return Media(JSON, {"$ref": SCHEMA.format(model=model.__name__)}, examples, (model,))


def form_media(part: str, schema: dict[str, Any], **examples: dict[str, Any]) -> Media:
    """A form with files and a target contract. part, schema: name of the file parts, and what they hold."""
    target = {"$ref": SCHEMA.format(model=TargetContract.__name__)}
    form = {
        "type": "object",
        "required": [part],
        "additionalProperties": False,
        "properties": {part: schema, TARGET_PART: target, EDGES_PART: {"type": "boolean", "default": False}},
    }
    return Media(MULTIPART, form, examples)


def file_media(**examples: dict[str, Any]) -> Media:
    """A file's bytes as they are."""
    return Media(OCTETS, {}, examples)


def file_schema(description: str | None = None) -> dict[str, Any]:
    """The schema of a file inside a form."""
    described = {"description": description} if description is not None else {}
    return {"type": "string", "contentMediaType": OCTETS, **described}


def schemas(bodies: list[RequestBody]) -> dict[str, Any]:
    """The component schemas that the bodies refer to."""
    models = [model for body in bodies for media in body.media for model in media.models]
    _, shared = models_json_schema([(model, "validation") for model in models], ref_template=SCHEMA)
    return dict(shared["$defs"])
