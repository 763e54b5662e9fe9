"""The client for programs with threads; `AsyncClient` has the same methods for asyncio."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from types import TracebackType
from typing import Any

import httpx

from spatial_geometry import _operations as operations
from spatial_geometry._batch_run import BatchRun, Progress
from spatial_geometry._connection import Connection
from spatial_geometry._drivers import Driver
from spatial_geometry._files import FileSource
from spatial_geometry._operations import ResponseOutcome
from spatial_geometry._requests import options_of
from spatial_geometry._submissions import NamedFile
from spatial_geometry.batch import Batch
from spatial_geometry.models import (
    CadExtraction,
    Detail,
    FeatureTreeImported,
    Health,
    ModelList,
    PointCloudScene,
    ResponsesResponse,
    SceneReference,
    StoredExtractions,
    TargetContract,
    TaskType,
    Upload,
    UsageReport,
)

TIMEOUT_SECONDS = 200.0
"""How long the service may be silent before a request counts as failed, by default."""

RETRY_SECONDS = 120.0
"""How long a request is sent again, by default."""


class Client:
    """A client of one service, with one key; use it as a context manager, or call close().

        with Client() as client:
            document = client.extract("bracket.step", target="both")

    api_key: by default SPATIAL_API_KEY. Without one, only models() and health() are answered.
    base_url: by default SPATIAL_BASE_URL, else http://127.0.0.1:8000.
    timeout: seconds without a byte after which an attempt has failed.
    retry_seconds: an attempt is repeated until so many seconds after the first began; 0 for none.
    http_client: an httpx.Client with your own settings of timeouts, TLS and proxies; you close it.

    Several threads may share a client. Raises: ValueError for an address or a key that cannot be used.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = TIMEOUT_SECONDS,
        retry_seconds: float = RETRY_SECONDS,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._connection = Connection.of(api_key, base_url, timeout, retry_seconds)
        self._policy = self._connection.policy
        self._owns_http = http_client is None
        self._http = http_client or httpx.Client(timeout=self._connection.timeout)
        self._driver = Driver(self._connection, self._http)

    def __repr__(self) -> str:
        return f"Client(base_url={self._connection.base_url!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        if self._owns_http:
            self._http.close()

    def extract(
        self,
        file: FileSource | Upload,
        *,
        file_name: str | None = None,
        target: TargetContract = "structured",
        edges: bool = False,
        idempotency_key: str | None = None,
    ) -> CadExtraction:
        """Extract one file.

        file: a path; the content as bytes, with file_name; a file that is open in binary mode; or an upload of `upload()`. A file over
            4 MiB is uploaded first, in pieces, and the upload is deleted afterwards.
        target: `structured`, `point_cloud_scene` or `both`; take `both` where the document is for `respond`.
        edges: whether `structure.edges` of a model lists how its faces meet, which makes its document larger.
        idempotency_key: name of this extraction, 1 to 255 visible ASCII characters. Within 24 hours the same file under the same name
            is extracted and charged once. With a file over 4 MiB, `upload()` it first: the name belongs to the upload.

        Raises: SpatialError, of the class that says why; OSError; ValueError where the name is missing.
        """
        return self._driver.run(
            operations.extract(file, file_name, options_of(target, edges=edges), idempotency_key, self._policy)
        )

    def extract_url(
        self,
        url: str,
        *,
        file_name: str | None = None,
        target: TargetContract = "structured",
        edges: bool = False,
        idempotency_key: str | None = None,
    ) -> CadExtraction:
        """Extract a file that the service downloads from a public address; file_name is by default the last part of its path.

        Raises: SpatialError.
        """
        return self._driver.run(
            operations.extract_url(url, file_name, options_of(target, edges=edges), idempotency_key, self._policy)
        )

    def upload(self, file: FileSource, *, file_name: str | None = None) -> Upload:
        """Send a file ahead, for several extractions or under your own Idempotency-Key; it is kept for 24 hours.

        Raises: SpatialError, OSError, ValueError.
        """
        return self._driver.run(operations.upload_file(file, file_name, self._policy))

    def delete_upload(self, upload: Upload | str) -> None:
        """Delete an upload, or that of an id, before it expires. Raises: SpatialError."""
        self._driver.run(operations.delete_upload(upload if isinstance(upload, str) else upload.id, self._policy))

    def extraction(self, id: str) -> CadExtraction:
        """Read a document of the last 24 hours again, free of charge; its id is its `request_id`. Raises: SpatialError."""
        return self._driver.run(operations.extraction(id, self._policy))

    def extractions(self, *, limit: int = 50, skip: int = 0) -> StoredExtractions:
        """One page of the extractions of the last 24 hours, latest first. Raises: SpatialError."""
        return self._driver.run(operations.extractions(limit, skip, self._policy))

    def batch(
        self,
        files: Iterable[NamedFile] | str,
        *,
        target: TargetContract = "structured",
        edges: bool = False,
        idempotency_key: str | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Batch:
        """Extract many files in the background, or resume a batch by its id.

        files: paths, open files or pairs of a name and bytes, of which every 32 are one batch of the service; or the id of a batch, or
            a list of ids, that an earlier program has submitted.
        idempotency_key: name of this submission; the same files under the same name are submitted once in 24 hours.
        on_progress: is called with the numbers of files whenever they have changed.

        A file that the service refuses fails alone. Raises: SpatialError, OSError, ValueError.
        """
        run = BatchRun(self._policy, on_progress)
        self._driver.run(run.begin(files, options_of(target, edges=edges), idempotency_key))
        return Batch(run, self._driver)

    def respond(
        self,
        task: TaskType | str,
        *,
        cad_scene: CadExtraction | SceneReference | Mapping[str, Any] | None = None,
        previous_cad_scene: CadExtraction | SceneReference | Mapping[str, Any] | None = None,
        point_cloud_scene: PointCloudScene | Mapping[str, Any] | None = None,
        previous_point_cloud_scene: PointCloudScene | Mapping[str, Any] | None = None,
        object_id: str | None = None,
        secondary_id: str | None = None,
        goal: Mapping[str, Any] | None = None,
        detail: Detail | None = None,
        request_id: str | None = None,
        idempotency_key: str | None = None,
        **members: Any,
    ) -> ResponsesResponse:
        """Answer one task over a document or over point clouds.

        cad_scene: a document of `extract`, or SceneReference(extraction_id=document.request_id), which spares sending it again.
        members: further members of the input, such as image, sensor_readings or scene_id.
        request_id: your own id of the request; it comes back in the answer.

        Raises: SpatialError; DesktopInferenceUnavailable where no worker takes the task.
        """
        members |= {
            "cad_scene": cad_scene,
            "previous_cad_scene": previous_cad_scene,
            "point_cloud_scene": point_cloud_scene,
            "previous_point_cloud_scene": previous_point_cloud_scene,
            "object_id": object_id,
            "secondary_id": secondary_id,
            "goal": goal,
            "detail": detail,
        }
        return self._driver.run(operations.respond(task, members, request_id, idempotency_key, self._policy))

    def respond_batch(
        self, inputs: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> list[ResponseOutcome]:
        """Answer many tasks; 32 run at a time. One outcome per input, in their order, with its response or its error.

        inputs: the input of each task: `{"task_type": "stability", "cad_scene": document}`. Items that are refused because a ceiling is
            reached or no worker is free are sent again.

        Raises: SpatialError, where the whole request fails.
        """
        return self._driver.run(operations.respond_batch(inputs, idempotency_key, self._policy))

    def import_feature_tree(
        self,
        partner: str,
        document_id: str,
        feature_tree: Sequence[Mapping[str, Any]],
        *,
        idempotency_key: str | None = None,
    ) -> FeatureTreeImported:
        """Make a scene of the feature tree of a CAD program; `respond(..., scene_id=…)` works on it.

        feature_tree: each feature with its id, its feature_type and its parameters. Raises: SpatialError.
        """
        return self._driver.run(
            operations.import_feature_tree(partner, document_id, feature_tree, idempotency_key, self._policy)
        )

    def models(self) -> ModelList:
        """The reasoning models with their prices, and whether one can take a request now. Raises: SpatialError."""
        return self._driver.run(operations.models(self._policy))

    def health(self) -> Health:
        """The state of the service and its parts, also where it is down; it is asked once. Raises: SpatialError."""
        return self._driver.run(operations.health(self._policy))

    def usage(self, since: date | str | None = None, until: date | str | None = None) -> UsageReport:
        """What the account was charged, by day, key and operation.

        since, until: days in UTC, both included; by default the last 30 days. Raises: SpatialError.
        """
        return self._driver.run(operations.usage(since, until, self._policy))
