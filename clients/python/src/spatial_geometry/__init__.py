"""Client of the Spatial Geometry Service: CAD models, drawings and diagrams in, typed documents and answers out.

from spatial_geometry import Client

with Client() as client:
    document = client.extract("bracket.step")
"""

from spatial_geometry._batch_run import Progress
from spatial_geometry._operations import ResponseOutcome
from spatial_geometry._submissions import BatchOutcome
from spatial_geometry._version import __version__
from spatial_geometry.async_batch import AsyncBatch
from spatial_geometry.async_client import AsyncClient
from spatial_geometry.batch import Batch
from spatial_geometry.client import Client
from spatial_geometry.error_types import (
    AuthenticationFailed,
    BillingUnavailable,
    Cancelled,
    ConversionTimeout,
    ConverterUnavailable,
    DesktopInferenceUnavailable,
    IdempotencyConflict,
    IdempotencyInProgress,
    InputRejected,
    InternalError,
    InvalidRequest,
    MethodNotAllowed,
    NotFound,
    ParseError,
    PaymentRequired,
    RateLimitExceeded,
    RequestTooLarge,
    Unavailable,
    UnsupportedFileType,
    UsageFinalizationUnavailable,
)
from spatial_geometry.errors import (
    Conflict,
    ConnectionFailed,
    GatewayError,
    RequestRefused,
    ResultExpired,
    ServerError,
    SpatialError,
    UnexpectedAnswer,
    Unprocessable,
)
from spatial_geometry.models import (
    CadExtraction,
    PointCloud,
    PointCloudScene,
    ResponsesResponse,
    SceneReference,
    Upload,
)

__all__ = [
    "AsyncBatch",
    "AsyncClient",
    "AuthenticationFailed",
    "Batch",
    "BatchOutcome",
    "BillingUnavailable",
    "CadExtraction",
    "Cancelled",
    "Client",
    "Conflict",
    "ConnectionFailed",
    "ConversionTimeout",
    "ConverterUnavailable",
    "DesktopInferenceUnavailable",
    "GatewayError",
    "IdempotencyConflict",
    "IdempotencyInProgress",
    "InputRejected",
    "InternalError",
    "InvalidRequest",
    "MethodNotAllowed",
    "NotFound",
    "ParseError",
    "PaymentRequired",
    "PointCloud",
    "PointCloudScene",
    "Progress",
    "RateLimitExceeded",
    "RequestRefused",
    "RequestTooLarge",
    "ResponseOutcome",
    "ResponsesResponse",
    "ResultExpired",
    "SceneReference",
    "ServerError",
    "SpatialError",
    "Unavailable",
    "UnexpectedAnswer",
    "Unprocessable",
    "UnsupportedFileType",
    "Upload",
    "UsageFinalizationUnavailable",
    "__version__",
]
