"""The declaration of an endpoint, from which its description derives.

    router = APIRouter(route_class=Endpoint, tags=["extraction"])

    @router.post("/api/v1/things", operation_id="create_thing", summary="Create a thing", response_model=Thing)
    @reads(json_body(ThingRequest, examples))
    @raises(errors.PaymentRequired)
    async def create(request: Request, caller: CallerDep) -> Response:
        \"\"\"What a caller should know.\"\"\"

Parameters, headers and the API key stand in the signature. A dependency carries its own `@raises`, so an endpoint lists only
the errors that its body raises; the errors of the middlewares belong to every endpoint. Bodies are read by hand, after the
dependencies, so that a 401 precedes a 400; `@reads` describes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final, TypeVar

from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import get_dependant
from fastapi.routing import APIRoute
from fastapi.security.base import SecurityBase

from api import faults
from api.request_bodies import RequestBody
from spatial import errors
from spatial.errors import SpatialError

FROM_MIDDLEWARES: Final = (errors.RequestTooLarge, errors.InternalError)
"""Errors that any request can end with."""

DESCRIBED: Final = ("operation_id", "summary", "tags")
"""What the description of an endpoint needs beside its docstring."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

_raised: Final[dict[Callable[..., Any], tuple[type[SpatialError], ...]]] = {}
_bodies: Final[dict[Callable[..., Any], RequestBody]] = {}


def raises(*kinds: type[SpatialError]) -> Callable[[_Function], _Function]:
    """Declare the errors of an endpoint or of a dependency; without arguments: it has none of its own."""

    def declare(function: _Function) -> _Function:
        _raised[function] = kinds
        return function

    return declare


def reads(body: RequestBody) -> Callable[[_Function], _Function]:
    """Declare the request body that an endpoint reads by hand."""

    def declare(function: _Function) -> _Function:
        _bodies[function] = body
        return function

    return declare


class Endpoint(APIRoute):
    """A route for callers with a key. Raises TypeError at import where its declaration lacks a part."""

    is_public: ClassVar[bool] = False

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        responses: dict[int | str, dict[str, Any]] | None = None,
        openapi_extra: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        calls = list(_calls(get_dependant(path=path, call=endpoint)))
        _require_declaration(type(self), path, endpoint, calls, options)
        kinds = {kind: None for call in (*calls, endpoint) for kind in _raised.get(call, ())}
        self.request_body = _bodies.get(endpoint)
        extra = {"requestBody": self.request_body.description()} if self.request_body is not None else {}
        super().__init__(
            path,
            endpoint,
            responses={**faults.responses(*FROM_MIDDLEWARES, *kinds), **(responses or {})},
            openapi_extra={**({"security": []} if self.is_public else {}), **extra, **(openapi_extra or {})},
            **options,
        )


class PublicEndpoint(Endpoint):
    """A route for anyone: it takes no key."""

    is_public = True


def _calls(dependant: Dependant) -> Iterator[Callable[..., Any]]:
    """Every dependency, in the order in which the framework calls them."""
    for dependency in dependant.dependencies:
        yield from _calls(dependency)
        if dependency.call is not None:
            yield dependency.call


def _require_declaration(
    kind: type[Endpoint],
    path: str,
    endpoint: Callable[..., Any],
    calls: list[Callable[..., Any]],
    options: dict[str, Any],
) -> None:
    name = f"the endpoint {endpoint.__name__} of {path}"
    is_keyed = any(isinstance(call, SecurityBase) for call in calls)
    if endpoint not in _raised:
        raise TypeError(f"{name} does not declare its errors; add @raises(...) below its route decorator")
    if not is_keyed and not kind.is_public:
        raise TypeError(
            f"{name} has no authentication; add a parameter `caller: CallerDep`, or make its router's route_class PublicEndpoint"
        )
    if is_keyed and kind.is_public:
        raise TypeError(f"{name} needs a key; make its router's route_class Endpoint")
    if options.get("include_in_schema", True):
        missing = [part for part in DESCRIBED if not options.get(part)]
        if missing or not endpoint.__doc__:
            raise TypeError(f"{name} is not described; add {', '.join(missing) or 'a docstring'}")
