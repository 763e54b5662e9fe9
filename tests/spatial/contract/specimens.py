"""One whole, valid specimen of every body of the contract: the examples of its JSON Schema, or written here."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any, Literal

from spatial.contract import (
    batch,
    diagram,
    drawing,
    error,
    extraction,
    feature_tree,
    health,
    jsonrpc,
    models,
    points,
    responses,
    usage,
)
from spatial.contract.model import Model, OpenModel

MODULES: tuple[ModuleType, ...] = (
    batch,
    diagram,
    drawing,
    error,
    extraction,
    feature_tree,
    health,
    jsonrpc,
    models,
    points,
    responses,
    usage,
)


def all_models() -> list[type[Model]]:
    """Every model that the contract defines."""
    found = {
        kind
        for module in MODULES
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, Model) and kind not in (Model, OpenModel)
    }
    return sorted(found, key=lambda kind: kind.__name__)


def schema_of(model: type[Model], mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    """The model's own JSON Schema; a model that holds itself is a reference at the top."""
    schema = model.model_json_schema(mode=mode)
    own: dict[str, Any] = schema["$defs"][model.__name__] if "$ref" in schema else schema
    return own


def specimens() -> list[tuple[type[Model], dict[str, Any]]]:
    """Every example of every model."""
    return [(kind, example) for kind in all_models() for example in kind.model_json_schema().get("examples", [])]
