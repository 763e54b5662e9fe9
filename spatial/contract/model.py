"""The two base classes of contract models: closed, and open where the spec allows additional properties.

Both are strict (no "1" for 1, no NaN, no Infinity) and frozen. An optional member that is None is absent: dump with
`exclude_none=True`. A member that the spec types "or null" is required in the JSON and is named in `nullable`.

A free-form member may hold a number that is not finite. It is dumped as NaN or Infinity, which are no JSON, and not as null: whoever
dumps it sees it, and leaves it out or refuses it.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, Strict, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from spatial.contract.descriptions import descriptions

JsonObject = dict[str, Any]
"""A free-form JSON object."""

Vector = Annotated[
    tuple[float, float, float],
    Strict(False),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}),
]
"""x, y, z: a position or length in the document's units, or a dimensionless unit direction."""

Numbers = Annotated[tuple[float, ...], Strict(False)]
"""Any number of numbers; a tuple in Python, an array in JSON."""

Position = Annotated[Numbers, Field(min_length=2, max_length=3)]
"""x, y or x, y, z in the document's units."""


class _StopsAtFirstError:
    """pydantic's FailFast, hashable, so that such a list may be optional."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        cast(dict[str, Any], schema)["fail_fast"] = True
        return schema


_Item = TypeVar("_Item")

ItemList = Annotated[list[_Item], _StopsAtFirstError()]
"""A list whose validation ends at its first invalid item: a hostile body may have millions of them, each with several errors."""


class _MayBeRecords:
    """Dumps a list whose items are plain data as it is."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        cast(dict[str, Any], schema)["serialization"] = core_schema.wrap_serializer_function_ser_schema(_dump_records)
        return schema


RecordList = Annotated[list[_Item], _StopsAtFirstError(), _MayBeRecords()]
"""An ItemList that may also hold the plain records that a reader of this service made, put there with `model_copy`: there may be a
million, and they are not validated again. They have the order of their model's members, and None only where it is null in JSON."""


def _dump_records(items: list[Any], handler: core_schema.SerializerFunctionWrapHandler) -> Any:
    return items if items and isinstance(items[0], dict) else handler(items)


class Model(BaseModel):
    """A closed model: a property that the spec does not list is refused."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        ser_json_inf_nan="constants",
        serialize_by_alias=True,
    )

    nullable: ClassVar[frozenset[str]] = frozenset()
    """JSON names of the members that stay in the document as null when they have no value."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        if cls.nullable:
            keep_nulls = core_schema.wrap_serializer_function_ser_schema(_keep_nulls)
            cast(dict[str, Any], schema)["serialization"] = keep_nulls
        return schema

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        described = handler(schema)
        meant = descriptions(cls)
        names = {field.serialization_alias or field.alias or name: name for name, field in cls.model_fields.items()}
        for name, member in handler.resolve_ref_schema(described).get("properties", {}).items():
            if names.get(name) in meant:
                member.setdefault("description", meant[names[name]])
            if name not in cls.nullable:
                _drop_null(member)
        return described


class OpenModel(Model):
    """An open model: additional properties are kept unchanged."""

    model_config = ConfigDict(extra="allow")


def _keep_nulls(model: Model, handler: core_schema.SerializerFunctionWrapHandler) -> Any:
    """`exclude_none` drops every None; restore those that the spec requires as null."""
    document = handler(model)
    absent = [name for name in sorted(type(model).nullable) if name not in document]
    for name in absent:
        document[name] = None
    return document


def _drop_null(member: dict[str, Any]) -> None:
    """In the contract an optional member is absent or has its type; None is only Python's way to express absence."""
    if member.get("default", ...) is None:
        del member["default"]
    choices = [choice for choice in member.pop("anyOf", []) if choice != {"type": "null"}]
    member.update(choices[0] if len(choices) == 1 else {"anyOf": choices} if choices else {})
