"""Bodies of the reasoning routes, from bytes to validated content. Pure: large bodies are parsed in another process (api.parser_process).

    {"model", "input": {...}, "request_id"} -> ParsedRequest: the input as JSON for the solver, and what the API itself needs of it

Glossary
  content      the validated `input` as JSON, without its references.
  reference    a scene that was sent ahead, named where the scene itself could stand (SceneReference).
  free-form    the members of `input` that are no scene; their values are counted, because no model checks them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import to_json

from spatial.contract import limits, validation
from spatial.contract.extraction import CadExtraction
from spatial.contract.json_values import (
    has_null,
    inner,
    is_not_finite,
    may_be_not_finite,
    not_finite,
    require_finite,
    require_no_null,
)
from spatial.contract.responses import (
    MODEL,
    REQUEST_ID,
    ResponsesBatchEnvelope,
    ResponsesRequest,
    SceneReference,
    TaskType,
)
from spatial.contract.validation import MOST_TOKENS_WITH_POINTS, json_value_with_numbers
from spatial.errors import InvalidRequest, SpatialError

SCENES: Final = ("cad_scene", "previous_cad_scene")
"""Members of `input` in whose place a reference may stand."""

SCENE_IDS: Final = {"scene_id": "cad_scene", "previous_scene_id": "previous_cad_scene"}
"""Members of `input` that name a scene of the service, with the member that the scene fills."""

CHECKED: Final = frozenset({*SCENES, "point_cloud_scene", "previous_point_cloud_scene"})
"""Members of `input` that a model checks value by value."""

REFERENCE_KINDS: Final = frozenset(SceneReference.model_fields)


@dataclass(frozen=True)
class Reference:
    """One scene that was sent ahead."""

    member: str
    """Member of `input` that the scene fills."""
    path: str
    """Path of the id in the request."""
    kind: str
    """Member of SceneReference."""
    id: str


@dataclass(frozen=True)
class ParsedRequest:
    """One valid request."""

    task: TaskType
    content: bytes
    references: tuple[Reference, ...]
    request_id: str | None
    """The caller's own."""
    size: int
    """Bytes that are metered: of the body, or of the item as compact JSON."""


@dataclass(frozen=True)
class RefusedRequest:
    """One request that is not valid."""

    error: SpatialError
    request_id: str | None
    """The caller's own, where that is valid."""


Parsed = ParsedRequest | RefusedRequest


@dataclass(frozen=True)
class ParsedBody:
    """The requests of a body: one, or those of a batch in their order."""

    requests: list[Parsed]
    fingerprint: str | None
    """SHA-256 over the requests, whatever the order of their members; None where the caller sent no Idempotency-Key. A caller's
    request_id is not part of it, as it is never a key of anything (INTERPRETATION 1)."""


def parse_request(body: bytes, is_idempotent: bool) -> ParsedBody:
    """The request in the body of POST /api/v1/responses. is_idempotent: whether its fingerprint is needed."""
    try:
        value = json_value_with_numbers(body, MOST_TOKENS_WITH_POINTS)
    except SpatialError as error:
        return ParsedBody([RefusedRequest(error, None)], None)
    return ParsedBody([_parse(value, len(body))], _fingerprint([value]) if is_idempotent else None)


def parse_batch(body: bytes, is_idempotent: bool) -> ParsedBody:
    """The requests in the body of POST /api/v1/responses/batch.

    Raises: InvalidRequest for a body that is not JSON, or whose envelope is not valid.
    """
    value, is_suspect = json_value_with_numbers(body, MOST_TOKENS_WITH_POINTS, allow_null=True), has_null(body)
    items = validation.check(ResponsesBatchEnvelope, value).requests
    parsed = [_of_item(_parse(item, _compact_size(item), is_suspect), index) for index, item in enumerate(items)]
    return ParsedBody(parsed, _fingerprint(items) if is_idempotent else None)


def parse_document(data: bytes, path: str) -> bytes:
    """A cad.extraction.v1 document that was sent ahead, as JSON for the solver. path: where the request named it.

    Raises: InvalidRequest, InputRejected; the paths in details begin with `path`.
    """
    try:
        return _dump(validation.check(CadExtraction, json_value_with_numbers(data, len(data))))
    except SpatialError as error:
        raise prefixed(error, path, f"{path}: the document that was sent ahead") from None


def prefixed(error: SpatialError, path: str, subject: str | None = None) -> SpatialError:
    """The error with its paths below `path`. subject: what its message begins with, by default the path."""

    def below(inner: str) -> str:
        return path if inner == "body" else f"{path}.{inner}"

    details = dict(error.details or {})
    details["field"] = below(str(details.get("field", "body")))
    if "errors" in details:
        details["errors"] = [{**one, "path": below(one["path"])} for one in details["errors"]]
    return type(error)(f"{subject or path}: {error.message}", details=details, retry_after=error.retry_after)


def of_item(error: SpatialError, index: int) -> SpatialError:
    """The error of an item of a batch: details name its index and its field's path in the batch."""
    found = prefixed(error, f"requests.{index}", f"item {index}")
    found.details = {"index": index, **(found.details or {})}
    return found


def splice(content: bytes, scenes: dict[str, bytes]) -> bytes:
    """The content with these members, JSON each, at its end."""
    members = b"".join(b',"%s":%s' % (name.encode(), document) for name, document in scenes.items())
    return content[:-1] + members + b"}"


def _parse(value: Any, size: int, may_have_null: bool = False) -> Parsed:
    request_id = _valid_request_id(value)
    try:
        if may_have_null:
            require_no_null(value)
        return _checked(value, size, request_id)
    except SpatialError as error:
        return RefusedRequest(error, request_id)


def _checked(value: Any, size: int, request_id: str | None) -> ParsedRequest:
    references: tuple[Reference, ...] = ()
    if isinstance(value, dict) and isinstance(value.get("input"), dict):
        _require_few_free_values(value["input"])
        references = tuple(_references(value["input"]))
        taken = {reference.member for reference in references} | set(SCENE_IDS)
        value = {**value, "input": {name: member for name, member in value["input"].items() if name not in taken}}
    request = validation.check(ResponsesRequest, value)
    content = _dump(request.input, "input")
    return ParsedRequest(
        task=request.input.task_type,
        content=content,
        references=references,
        request_id=request.request_id,
        size=size,
    )


def _dump(model: BaseModel, path: str = "") -> bytes:
    """The model as JSON. path: its own.

    Raises: InputRejected for a number that is not finite in a member that the contract does not type.
    """
    dumped: bytes = model.model_dump_json(exclude_none=True).encode()
    if may_be_not_finite(dumped):
        require_finite(model.model_dump(exclude_none=True), path)
    return dumped


def _references(members: dict[str, Any]) -> Iterator[Reference]:
    """The references in an input. Raises: InvalidRequest for one that is not valid, or stands beside the scene that it names."""
    for name in SCENES:
        member = members.get(name)
        if isinstance(member, dict) and "schema" not in member and REFERENCE_KINDS & set(member):
            try:
                given = validation.check(SceneReference, member)
            except SpatialError as error:
                raise prefixed(error, f"input.{name}") from None
            [(kind, scene)] = given.model_dump(exclude_none=True).items()
            yield Reference(name, f"input.{name}.{kind}", kind, scene)
    for name, target in SCENE_IDS.items():
        if (scene_id := members.get(name)) is not None:
            yield Reference(target, f"input.{name}", "scene_id", _scene_id(members, name, target, scene_id))


def _scene_id(members: dict[str, Any], name: str, target: str, scene_id: Any) -> str:
    if target in members:
        raise validation.invalid_field(f"input.{name}", f"give one of {name} and {target}")
    try:
        return str(validation.check(SceneReference, {"scene_id": scene_id}).scene_id)
    except SpatialError as error:
        raise validation.invalid_field(f"input.{name}", (error.details or {})["errors"][0]["message"]) from None


def _require_few_free_values(members: dict[str, Any]) -> None:
    """Raises: InvalidRequest for too many values; InputRejected for a number that is not finite."""
    left, waiting = limits.FREE_VALUES, [(name, member) for name, member in members.items() if name not in CHECKED]
    left -= len(waiting)
    while waiting and left >= 0:
        path, value = waiting.pop()
        members_of_it = inner(path, value)
        left -= len(value) if isinstance(value, dict | list) else 0
        if left >= 0:
            waiting.extend(members_of_it)
        if is_not_finite(value):
            raise not_finite(f"input.{path}")
    if left < 0:
        raise InvalidRequest(
            f"input has more than {limits.FREE_VALUES} values outside of its scenes; send fewer, or points as a point_cloud_scene",
            details={"field": "input", "values_limit": limits.FREE_VALUES},
        )


def _of_item(parsed: Parsed, index: int) -> Parsed:
    if isinstance(parsed, RefusedRequest):
        return RefusedRequest(of_item(parsed.error, index), parsed.request_id)
    return parsed


def _valid_request_id(value: Any) -> str | None:
    request_id = value.get("request_id") if isinstance(value, dict) else None
    return request_id if isinstance(request_id, str) and re.fullmatch(REQUEST_ID, request_id) else None


def _fingerprint(requests: list[Any]) -> str:
    canonical = json.dumps([_payload(request) for request in requests], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _payload(request: Any) -> Any:
    if not isinstance(request, dict):
        return request
    return {"model": MODEL, **{name: member for name, member in request.items() if name != "request_id"}}


def _compact_size(item: Any) -> int:
    return len(to_json(item, inf_nan_mode="constants"))
