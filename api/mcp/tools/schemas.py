"""JSON Schemas of tools, derived from the contract's models, without what a model does not need to read twice."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel

DROPPED: Final = frozenset({"title", "examples", "description", "default"})


def schema_of(
    model: type[BaseModel], mode: Literal["validation", "serialization"], *, terse: bool = False
) -> dict[str, Any]:
    """The schema of a model. terse: without descriptions, examples and defaults."""
    written = model.model_json_schema(mode=mode)
    schema: dict[str, Any] = _without(written, DROPPED if terse else frozenset({"title", "examples"}))
    return schema


def _without(schema: Any, names: frozenset[str], *, are_members: bool = False) -> Any:
    """The schema without these keywords. are_members: whether the keys are names of members, not keywords."""
    if isinstance(schema, list):
        return [_without(one, names) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _without(value, names, are_members=name in ("properties", "$defs") and not are_members)
        for name, value in schema.items()
        if are_members or name not in names
    }
