"""The exceptions of the client. Those that have a type of their own in the service are in `error_types`.

    SpatialError
    ├── ConnectionFailed     no answer arrived
    ├── UnexpectedAnswer     a 2xx or 3xx that is not what the operation answers
    ├── ResultExpired        the results of a batch are deleted
    ├── RequestRefused       4xx: InvalidRequest, AuthenticationFailed, PaymentRequired, NotFound, …
    │   ├── Conflict         409: IdempotencyConflict, IdempotencyInProgress, Cancelled
    │   └── Unprocessable    422: InputRejected, ParseError, ConversionTimeout
    └── ServerError          5xx: InternalError, Unavailable (503) and its types
        └── GatewayError     502 or 504 of a proxy before the service

An error of a type that this version does not know has the class of its status.
"""

from __future__ import annotations

from typing import Any


class SpatialError(Exception):
    """A request that did not succeed: what was wrong, with what, and what to do about it."""

    status: int | None = None
    """HTTP status; None where no answer arrived."""
    type: str = "unknown"
    """Stable machine-readable type."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        type: str | None = None,
        details: dict[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = self.status if status is None else status
        self.type = self.type if type is None else type
        self.details = details
        """What the service says about the error, by name; for a bad item of a batch its `index` and `file_name`."""
        self.request_id = request_id
        """Name this id when you report a problem."""
        self.retry_after = retry_after
        """Seconds after which it makes sense to send the request again."""

    def __str__(self) -> str:
        return self.message if self.request_id is None else f"{self.message} (request {self.request_id})"


class ConnectionFailed(SpatialError):
    """No answer arrived: the address is wrong, the service is not running, the connection broke, or the time ran out."""

    type = "connection_failed"


class UnexpectedAnswer(SpatialError):
    """The answer is none of this interface: another program answers at this address, or the service is much newer."""

    type = "unexpected_answer"


class ResultExpired(SpatialError):
    """The batch expired 24 hours after its submission, and its results are deleted."""

    type = "expired"


class RequestRefused(SpatialError):
    """4xx: the request or its file is at fault, and will be refused again."""

    status = 400


class Conflict(RequestRefused):
    """409."""

    status = 409


class Unprocessable(RequestRefused):
    """422: the request is well formed, but cannot be worked with."""

    status = 422


class ServerError(SpatialError):
    """5xx: the service, or a program between, is at fault."""

    status = 500


class GatewayError(ServerError):
    """502 or 504: a proxy got no answer from the service."""

    status = 502
    type = "gateway_error"
