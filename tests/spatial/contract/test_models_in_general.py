"""What holds for every model: strictness, round trips, JSON Schema, examples."""

from __future__ import annotations

import json
import math
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from spatial.contract import examples
from spatial.contract.callout_types import SPEC_CALLOUT_NAMES
from spatial.contract.diagram import DiagramEdge, DiagramNode, DiagramPage
from spatial.contract.drawing import Callout
from spatial.contract.extraction import (
    SURFACE_TYPES,
    BoundingBox,
    CadExtraction,
    CadExtractRequest,
    Face,
    Solid,
    Statistics,
    Structure,
)
from spatial.contract.jsonrpc import JsonRpcError, JsonRpcRequest
from spatial.contract.model import Model, OpenModel
from spatial.contract.points import PointCloud, PointCloudScene
from spatial.contract.target import TargetContract
from spatial.contract.validation import json_value, read
from spatial.errors import SpatialError
from tests.spatial.contract.specimens import all_models, schema_of, specimens

SPECIMENS = specimens()

numbers = st.floats(allow_nan=False, allow_infinity=False)
vectors = st.tuples(numbers, numbers, numbers)
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
counts = st.integers(0, 10**6)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | numbers | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)

boxes = st.tuples(vectors, vectors).map(
    lambda pair: BoundingBox(min=tuple(map(min, zip(*pair, strict=True))), max=tuple(map(max, zip(*pair, strict=True))))
)


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


faces = st.builds(
    Face,
    id=names,
    type=maybe(st.sampled_from(SURFACE_TYPES)),
    area=maybe(numbers),
    origin=maybe(vectors),
    axis=maybe(vectors),
    radius=maybe(numbers),
)
solids = st.builds(
    Solid,
    id=names,
    name=maybe(names),
    bbox=maybe(boxes),
    volume=maybe(numbers),
    center_of_mass=maybe(vectors),
    transform=maybe(st.tuples(*[numbers] * 12)),
    representation=maybe(st.sampled_from(["exact", "tessellated"])),
    faces=st.lists(faces, max_size=3),
)
callouts = st.builds(
    Callout,
    id=names,
    type=st.sampled_from(SPEC_CALLOUT_NAMES),
    text=names,
    source=names,
    position=maybe(vectors),
)
pages = st.builds(
    DiagramPage,
    id=names,
    name=names,
    nodes=st.lists(st.builds(DiagramNode, id=names, parent=maybe(names), link=maybe(names)), max_size=3),
    edges=st.lists(st.builds(DiagramEdge, id=names, source=maybe(names), target=maybe(names)), max_size=3),
)
clouds = st.builds(PointCloud.of, object_id=names, rows=st.lists(vectors, max_size=4))
documents = st.builds(
    CadExtraction,
    schema=st.just("cad.extraction.v1"),
    source_format=names,
    units=names,
    structure=maybe(
        st.builds(
            Structure,
            kind=st.sampled_from(["brep", "drawing2d", "diagram2d"]),
            solids=maybe(st.lists(solids, max_size=3)),
            callouts=maybe(st.lists(callouts, max_size=2)),
            pages=maybe(st.lists(pages, max_size=2)),
        )
    ),
    point_cloud_scene=maybe(st.builds(PointCloudScene, point_clouds=st.lists(clouds, max_size=2))),
    statistics=st.builds(
        Statistics, entity_counts=st.dictionaries(names, counts, max_size=3), total_points=counts, bbox=maybe(boxes)
    ),
    warnings=st.lists(names, max_size=2),
    target_contract=maybe(st.sampled_from(list(TargetContract))),
    request_id=names,
)


def named(pair: tuple[type[Model], dict[str, Any]]) -> str:
    return pair[0].__name__


@pytest.mark.requirement("contract.round-trip", "extraction.absent-not-null")
@given(documents)
@settings(max_examples=60)
def test_any_document_is_read_back_equal(document: CadExtraction) -> None:
    body = document.model_dump_json(exclude_none=True)
    assert CadExtraction.model_validate_json(body) == document
    assert read(CadExtraction, body) == document
    assert CadExtraction.model_validate(document.model_dump()) == document
    assert document.model_dump_json(exclude_none=True) == body


@pytest.mark.requirement("contract.json-schema", "contract.round-trip")
@given(documents)
@settings(max_examples=40)
def test_any_document_fits_the_schema_that_callers_see(document: CadExtraction) -> None:
    written = json.loads(document.model_dump_json(exclude_none=True))
    _EXTRACTION_SCHEMA.validate(written)


_EXTRACTION_SCHEMA = jsonschema.Draft202012Validator(CadExtraction.model_json_schema(mode="serialization"))


@pytest.mark.requirement("contract.examples")
@pytest.mark.parametrize("specimen", SPECIMENS, ids=named)
def test_every_example_is_valid_and_comes_back_as_it_was(specimen: tuple[type[Model], dict[str, Any]]) -> None:
    model, example = specimen
    jsonschema.Draft202012Validator(model.model_json_schema()).validate(example)
    written = json.loads(read(model, json.dumps(example)).model_dump_json(exclude_none=True, exclude_unset=True))
    assert written == example


@pytest.mark.requirement("contract.json-schema", "contract.examples")
@pytest.mark.parametrize("model", all_models(), ids=lambda model: model.__name__)
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_every_schema_is_a_schema_and_says_what_is_open(model: type[Model], mode: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(model.model_json_schema(mode=mode))
    schema = schema_of(model, mode)
    assert schema["type"] == "object"
    assert schema["description"]
    assert schema["additionalProperties"] is issubclass(model, OpenModel)
    for name, member in schema["properties"].items():
        typed = set(member) & {"type", "$ref", "anyOf", "const", "enum", "oneOf"}
        assert typed or (model, name) == (JsonRpcError, "data")


@pytest.mark.requirement("contract.json-schema")
@pytest.mark.parametrize("model", all_models(), ids=lambda model: model.__name__)
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_only_members_that_the_spec_says_may_be_null(model: type[Model], mode: Any) -> None:
    properties = schema_of(model, mode)["properties"]
    may_be_null = {name for name, member in properties.items() if "null" in json.dumps(member)}
    assert may_be_null == model.nullable | ({"id"} if model is JsonRpcRequest else set())


@pytest.mark.requirement("contract.json-schema", "extract-request.content-url", "extract-request.exactly-one-content")
def test_the_schema_of_an_extract_request() -> None:
    schema = CadExtractRequest.model_json_schema()
    assert schema["required"] == ["file_name"]
    assert schema["oneOf"] == [{"required": [name]} for name in ("content_base64", "upload_id", "content_url")]
    properties = schema["properties"]
    assert (properties["file_name"]["minLength"], properties["file_name"]["maxLength"]) == (1, 255)
    assert (properties["content_url"]["type"], properties["content_url"]["format"]) == ("string", "uri")
    assert properties["content_base64"]["contentEncoding"] == "base64"
    assert properties["target_contract"]["default"] == "structured"
    assert schema["$defs"]["TargetContract"]["enum"] == ["structured", "point_cloud_scene", "both"]


@pytest.mark.requirement("contract.json-schema", "extraction.required")
def test_the_schema_of_an_extraction() -> None:
    schema = CadExtraction.model_json_schema(mode="serialization")
    assert set(schema["required"]) == {"schema", "source_format", "units", "statistics", "warnings", "request_id"}
    vector = schema["$defs"]["Solid"]["properties"]["center_of_mass"]
    assert {key: vector[key] for key in ("type", "items", "minItems", "maxItems")} == {
        "type": "array",
        "items": {"type": "number"},
        "minItems": 3,
        "maxItems": 3,
    }


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, member in inner for place in places(member, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with another one at a place."""
    if not path:
        return new
    if isinstance(value, dict):
        return {**value, path[0]: put(value[path[0]], path[1:], new)}
    return [*value[: path[0]], put(value[path[0]], path[1:], new), *value[path[0] + 1 :]]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[type[Model], Any]:
    """A specimen with any JSON value at any of its places."""
    model, example = draw(st.sampled_from(SPECIMENS))
    return model, put(example, draw(st.sampled_from(places(example))), draw(json_values))


@pytest.mark.requirement("contract.either-parser", "validation.400-with-path")
@given(damaged())
@settings(max_examples=300)
def test_a_damaged_body_is_read_or_refused_and_either_parser_agrees(case: tuple[type[Model], Any]) -> None:
    model, value = case
    body = json.dumps(value)
    from_values = verdict(model, body)
    if isinstance(from_values, SpatialError):
        assert from_values.status in (400, 422)
        assert from_values.details
        with pytest.raises(ValidationError):
            model.model_validate_json(body)
    else:
        assert model.model_validate_json(body) == from_values
        assert json_value(from_values.model_dump_json(exclude_none=True)) is not None


def verdict(model: type[Model], body: str) -> Model | SpatialError:
    """The model, or the refusal; anything else that is raised fails the test."""
    try:
        return read(model, body)
    except SpatialError as problem:
        return problem


@pytest.mark.requirement("contract.strict")
@pytest.mark.parametrize("model", all_models(), ids=lambda model: model.__name__)
def test_every_model_is_strict_frozen_and_finite(model: type[Model]) -> None:
    config = model.model_config
    assert config["strict"]
    assert config["frozen"]
    assert config["allow_inf_nan"] is False
    assert config["extra"] == ("allow" if issubclass(model, OpenModel) else "forbid")


@pytest.mark.requirement("contract.examples")
def test_the_example_part_is_true_to_geometry() -> None:
    """The bushing is a ring of radii 10 and 5 and height 15; an example that lies teaches errors."""
    solid = read(CadExtraction, json.dumps(examples.EXTRACTION)).structure.solids[0]  # type: ignore[union-attr,index]  # is there
    assert solid.volume == pytest.approx(math.pi * (100 - 25) * 15)
    assert solid.surface_area == pytest.approx(2 * math.pi * (10 + 5) * 15 + 2 * math.pi * (100 - 25))
    assert solid.faces[0].area == pytest.approx(2 * math.pi * 10 * 15)
    assert solid.faces[1].area == pytest.approx(math.pi * (100 - 25))
