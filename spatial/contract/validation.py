"""Read a request body into its model, and report errors by field path.

    content_url: Give one of content_base64 and content_url; neither is there
    details: {"field": "items.3.file_name", "errors": [{"path": "items.3.file_name", "message": "…"}]}

Source: INTERPRETATION 2 (400 with paths, never the framework's 422), spec: Errors, 422 (what the reasoning worker rejects).
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, from_json

from spatial.contract import json_values
from spatial.contract.field_errors import sentence
from spatial.contract.points import INPUT_REJECTED
from spatial.counting import count_of
from spatial.errors import InputRejected, InvalidRequest, SpatialError

MOST_LISTED: Final = 20
"""Maximum number of invalid fields in the details of one refusal."""

MOST_TOKENS: Final = 1_024
"""Maximum number of strings, commas and opening brackets of a JSON body. A batch of 32 items with every member has about 550 of them,
and a body may not have so many values that building them, or the errors about them, takes longer than a few milliseconds."""

TOKEN: Final = re.compile(rb'"[^"]*+"?|[,{\[]')
"""A string without escaped quotes, or a mark that another value follows; an unterminated string reaches to the end, so that no text is
read twice."""

MOST_TOKENS_WITH_POINTS: Final = 3 * 1024**2
"""The same for bodies that carry points: a body of 6 MiB holds at most 314,000 points of 7 tokens each (`{"x":1,"y":2,"z":3},`)."""

MOST_COUNTED: Final = 10_000
"""Number of invalid fields above which a refusal lists those at the beginning of the body: listing all takes several times as long as
finding them."""

REJECTED: Final = (INPUT_REJECTED, "finite_number")
"""Error types of input that is well formed, but that no solver can work with; only reasoning takes numbers that may be infinite."""

_Model = TypeVar("_Model", bound=BaseModel)


def json_value(body: bytes | str, most_tokens: int = MOST_TOKENS, *, allow_null: bool = False) -> Any:
    """The JSON value of a body.

    allow_null: whether texts may have U+0000, for a caller that looks for them in each item.
    Raises: InvalidRequest if it is not JSON in UTF-8, has more than `most_tokens`, or has a text with U+0000.
    """
    content = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    _require_few_tokens(content, most_tokens)
    try:
        value = from_json(body, allow_inf_nan=False)
    except ValueError as problem:
        raise InvalidRequest(f"the body is not JSON: {problem}; correct it", details={"field": "body"}) from None
    if not allow_null and json_values.has_null(content):
        json_values.require_no_null(value)
    return value


def json_value_with_numbers(body: bytes, most_tokens: int, *, allow_null: bool = False) -> Any:
    """The same of a body that holds numbers: NaN and Infinity, which some encoders write, are read here, to be refused by path later."""
    try:
        return json_value(body, most_tokens, allow_null=allow_null)
    except InvalidRequest as refused:
        if not json_values.may_be_not_finite(body):
            raise
        try:
            value = from_json(body, allow_inf_nan=True)
        except ValueError:
            raise refused from None
        _require_few_tokens(body, most_tokens)
        if not allow_null and json_values.has_null(body):
            json_values.require_no_null(value)
        return value


def read(model: type[_Model], body: bytes | str) -> _Model:
    """The model that a JSON body describes.

    Raises: InvalidRequest with the paths of the invalid fields; InputRejected for an unknown point cloud kind or a number that is not
    finite.
    """
    return check(model, json_value(body))


def check(model: type[_Model], value: Any) -> _Model:
    """The model that a parsed JSON value describes. Raises as `read`."""
    try:
        return model.model_validate(value)
    except ValidationError as problem:
        if (count := problem.error_count()) > MOST_COUNTED:
            raise _refusal_of_many(model, value, count) from None
        raise refusal(problem) from None


def refusal(problem: ValidationError) -> SpatialError:
    """The error for the caller: InvalidRequest, or InputRejected if that is the only kind of error."""
    found = _errors(problem)
    kind = InputRejected if all(error["type"] in REJECTED for error in found) else InvalidRequest
    details = _details(found)
    if len(found) > MOST_LISTED:
        details["further_errors"] = len(found) - MOST_LISTED
    return kind(f"{_path(found[0])}: {sentence(found[0])}", details=details)


def _refusal_of_many(model: type[BaseModel], value: Any, count: int) -> InvalidRequest:
    """The error of a body with very many invalid fields, with the first of them if they are near its beginning."""
    message = f"the body has {count_of(count, 'invalid field')}; correct them"
    try:
        model.model_validate(_beginning(value))
    except ValidationError as problem:
        # What is missing may be a member that the beginning lacks and the body has.
        found = [error for error in _errors(problem) if error["type"] != "missing"]
        if found:
            message = f"{message}, beginning with {_path(found[0])}: {sentence(found[0])}"
            return InvalidRequest(message, details=_details(found) | {"invalid_fields": count})
    return InvalidRequest(message, details={"field": "body", "invalid_fields": count})


def _beginning(value: Any) -> Any:
    """A JSON value with the first MOST_LISTED members of each of its objects and arrays."""
    if isinstance(value, dict):
        return {name: _beginning(member) for name, member in islice(value.items(), MOST_LISTED)}
    return [_beginning(member) for member in value[:MOST_LISTED]] if isinstance(value, list) else value


def _errors(problem: ValidationError) -> list[ErrorDetails]:
    return problem.errors(include_url=False, include_input=False)


def _details(found: list[ErrorDetails]) -> dict[str, Any]:
    errors = [{"path": _path(error), "message": sentence(error)} for error in found[:MOST_LISTED]]
    return {"field": errors[0]["path"], "errors": errors}


def _require_few_tokens(body: bytes, most_tokens: int) -> None:
    """Count before anything is built. Raises: InvalidRequest."""
    if sum(body.count(mark) for mark in (b'"', b",", b"{", b"[")) <= most_tokens:
        return  # an upper bound, because strings hold such marks too
    unescaped = body.replace(rb"\\", b"").replace(rb"\"", b"")
    if next(islice(TOKEN.finditer(unescaped), most_tokens, None), None) is not None:
        tokens = count_of(most_tokens, "string, comma or opening bracket", "strings, commas and opening brackets")
        raise InvalidRequest(
            f"the body has more than {tokens}, which no valid request needs; send fewer",
            details={"field": "body", "tokens_limit": most_tokens},
        )


def invalid_field(path: str, message: str) -> InvalidRequest:
    """The error for one invalid field."""
    return InvalidRequest(f"{path}: {message}", details={"field": path, "errors": [{"path": path, "message": message}]})


def _path(error: ErrorDetails) -> str:
    return ".".join(str(step)[: json_values.PATH_CHARACTERS] for step in error["loc"]) or "body"
