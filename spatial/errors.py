"""Every error that a caller can receive, in one tree; each class has its HTTP status and its stable machine-readable type.

    SpatialError
    ├── InvalidRequest                400 invalid_request_error
    ├── AuthenticationFailed          401 authentication_error
    ├── PaymentRequired               402 payment_required
    ├── NotFound                      404 not_found
    ├── MethodNotAllowed              405 method_not_allowed
    ├── IdempotencyConflict           409 idempotency_conflict
    ├── IdempotencyInProgress         409 idempotency_in_progress
    ├── Cancelled                     409 cancelled                     (an item of a batch that its caller cancelled; not in the spec)
    ├── RequestTooLarge               413 request_too_large
    ├── UnsupportedFileType           415 unsupported_file_type
    ├── InputRejected                 422 invalid_request_error         (the reasoning worker's refusal)
    ├── ParseError                    422 parse_error
    ├── ConversionTimeout             422 timeout_error
    ├── RateLimitExceeded             429 rate_limit_exceeded
    ├── InternalError                 500 internal_error
    └── Unavailable                   503 (always with Retry-After)
        ├── DesktopInferenceUnavailable   desktop_inference_unavailable
        ├── BillingUnavailable            billing_unavailable
        ├── UsageFinalizationUnavailable  usage_finalization_unavailable
        └── ConverterUnavailable          converter_unavailable

Source: spec, section Errors.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from spatial.storable import storable

SERVER_ERRORS: Final = 500
"""Lowest HTTP status of an error that the caller did not cause."""


SMALLER: Final = "simplify the model or split it into several files"
"""Advice about a file that is too large."""


class SpatialError(Exception):
    """A failure that a caller may see: what was wrong, with what, and what to do about it."""

    status: ClassVar[int] = 500
    type: ClassVar[str] = "internal_error"

    def __init__(self, message: str, *, details: dict[str, Any] | None = None, retry_after: int | None = None) -> None:
        self.message: str = storable(message)
        super().__init__(self.message)
        self.details: dict[str, Any] | None = storable(details)
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        return (_revived, (type(self), self.message, self.details, self.retry_after))

    @property
    def is_refusal(self) -> bool:
        """Whether the request or its file is at fault, and not the service."""
        return self.status < SERVER_ERRORS

    def to_wire(self) -> dict[str, Any]:
        """The error as plain data, for a process boundary; `from_wire` reverses it."""
        wire: dict[str, Any] = {"class": type(self).__name__, "message": self.message}
        if self.details is not None:
            wire["details"] = self.details
        if self.retry_after is not None:
            wire["retry_after"] = self.retry_after
        return wire


def from_wire(wire: dict[str, Any]) -> SpatialError:
    """The error that `to_wire` described; an unknown class comes back as InternalError."""
    kind = _BY_NAME.get(str(wire.get("class")), InternalError)
    return _revived(kind, str(wire.get("message", "")), wire.get("details"), wire.get("retry_after"))


def _revived(
    kind: type[SpatialError], message: str, details: dict[str, Any] | None, retry_after: int | None
) -> SpatialError:
    return kind(message, details=details, retry_after=retry_after)


class InvalidRequest(SpatialError):
    """Bad body, model or Idempotency-Key; bad base64; refused content_url; a bad batch item (details name it)."""

    status = 400
    type = "invalid_request_error"


class AuthenticationFailed(SpatialError):
    """Missing, revoked or invalid API key; bad or missing partner signature."""

    status = 401
    type = "authentication_error"


class PaymentRequired(SpatialError):
    """No active or trialing paid API subscription."""

    status = 402
    type = "payment_required"


class NotFound(SpatialError):
    """Unknown route, unknown batch id, or a batch owned by another account."""

    status = 404
    type = "not_found"


class MethodNotAllowed(SpatialError):
    """The route exists, the method does not."""

    status = 405
    type = "method_not_allowed"


class IdempotencyConflict(SpatialError):
    """Same Idempotency-Key, different payload."""

    status = 409
    type = "idempotency_conflict"


class IdempotencyInProgress(SpatialError):
    """Same Idempotency-Key, and the first request is still running."""

    status = 409
    type = "idempotency_in_progress"


class Cancelled(SpatialError):
    """The caller cancelled the batch before this item ended (INTERPRETATION 17)."""

    status = 409
    type = "cancelled"


class RequestTooLarge(SpatialError):
    """Body over the body limit, or file over the file limit."""

    status = 413
    type = "request_too_large"


class UnsupportedFileType(SpatialError):
    """An extension that no reader handles, a proprietary native CAD file, or an XML/PNG without a diagram."""

    status = 415
    type = "unsupported_file_type"


class InputRejected(SpatialError):
    """The reasoning worker refused the input."""

    status = 422
    type = "invalid_request_error"


class ParseError(SpatialError):
    """The file could not be read; details name the phase, and the signal if the parser died."""

    status = 422
    type = "parse_error"


class ConversionTimeout(SpatialError):
    """The file took longer than its deadline; details name the phase."""

    status = 422
    type = "timeout_error"


class RateLimitExceeded(SpatialError):
    """A ceiling was reached; retry_after is the number of seconds to wait."""

    status = 429
    type = "rate_limit_exceeded"


class InternalError(SpatialError):
    """A failure of the service itself; the message holds no internals."""

    status = 500
    type = "internal_error"


class Unavailable(SpatialError):
    """Something the request needs cannot be reached; always has retry_after, in seconds."""

    status = 503
    can_recover: ClassVar[bool] = True
    """Whether another attempt may succeed."""

    def __init__(self, message: str, *, details: dict[str, Any] | None = None, retry_after: int | None = None) -> None:
        super().__init__(message, details=details, retry_after=retry_after or 5)


class DesktopInferenceUnavailable(Unavailable):
    """The desktop inference worker is not available."""

    type = "desktop_inference_unavailable"


class BillingUnavailable(Unavailable):
    """Keys, subscriptions or idempotency records cannot be read."""

    type = "billing_unavailable"


class UsageFinalizationUnavailable(Unavailable):
    """The usage record cannot be written."""

    type = "usage_finalization_unavailable"


class ConverterUnavailable(Unavailable):
    """The converter, object storage or flow engine cannot be reached, or the converter's queue is full."""

    type = "converter_unavailable"


def _tree(root: type[SpatialError]) -> list[type[SpatialError]]:
    return [root, *(kind for child in root.__subclasses__() for kind in _tree(child))]


_BY_NAME = {kind.__name__: kind for kind in _tree(SpatialError)}
