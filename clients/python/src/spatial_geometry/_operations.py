"""The operations of the client but batches, as generators of effects. Each raises SpatialError."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from spatial_geometry import _requests as requests
from spatial_geometry._answers import make_error, parse
from spatial_geometry._effects import Call, Pause, Request, Steps
from spatial_geometry._files import INLINE_BYTES, Content, FileSource, open_content
from spatial_geometry._requests import get, one_of, post
from spatial_geometry._retries import RetryPolicy, send
from spatial_geometry._uploads import discard, upload
from spatial_geometry.errors import SpatialError
from spatial_geometry.models import (
    CadExtraction,
    FeatureTreeImported,
    Health,
    ModelList,
    ResponseBatch,
    ResponseBatchItem,
    ResponsesResponse,
    StoredExtractions,
    Upload,
    UsageReport,
)

BATCH_ITEMS: Final = 32
"""Most items of one batch."""

BODY_BYTES: Final = 6 * 1024 * 1024
"""Largest request body that the service reads."""

SCENES: Final = ("cad_scene", "previous_cad_scene")
"""Members of a reasoning request that may be sent ahead."""


@dataclass(frozen=True)
class ResponseOutcome:
    """One request of `respond_batch`: its response or its error."""

    index: int
    """Place of the request, from 0."""
    response: ResponsesResponse | None = None
    error: SpatialError | None = None

    def result(self) -> ResponsesResponse:
        """The response. Raises: SpatialError, where the request failed."""
        if self.response is None:
            raise self.error or SpatialError("the service gave neither a response nor an error; send the request again")
        return self.response


def extract(
    source: FileSource | Upload, file_name: str | None, options: requests.Options, key: str | None, policy: RetryPolicy
) -> Steps[CadExtraction]:
    """The document of a file; one over INLINE_BYTES is uploaded first, and the upload is deleted at the end."""
    if isinstance(source, Upload):
        return (yield from _extract_upload(source, file_name or source.file_name, options, key, policy))
    content: Content = yield Call(partial(open_content, source, file_name))
    if content.size <= INLINE_BYTES:
        body = yield Call(partial(_inline, content, options))
        request = Request(
            "POST", requests.EXTRACT, headers=requests.json_headers(key or requests.new_key()), content=body
        )
        return parse(CadExtraction, (yield from send(request, policy)))
    made = yield from upload(content, policy)
    try:
        document = yield from _extract_upload(made, content.name, options, key, policy)
    except SpatialError:
        yield from discard(made, policy)
        raise
    yield from discard(made, policy)
    return document


def _inline(content: Content, options: requests.Options) -> bytes:
    return requests.encode(requests.inline_item(content, options))


def _extract_upload(
    made: Upload, file_name: str, options: requests.Options, key: str | None, policy: RetryPolicy
) -> Steps[CadExtraction]:
    body = {"file_name": file_name, "upload_id": made.id, **options}
    return parse(CadExtraction, (yield from send(post(requests.EXTRACT, body, key), policy)))


def extract_url(
    url: str, file_name: str | None, options: requests.Options, key: str | None, policy: RetryPolicy
) -> Steps[CadExtraction]:
    """The document of a file that the service downloads."""
    name = file_name or unquote(urlsplit(url).path.rpartition("/")[2])
    body = {"file_name": name, "content_url": url, **options}
    return parse(CadExtraction, (yield from send(post(requests.EXTRACT, body, key), policy)))


def upload_file(source: FileSource, file_name: str | None, policy: RetryPolicy) -> Steps[Upload]:
    """The upload of a file."""
    content: Content = yield Call(partial(open_content, source, file_name))
    return (yield from upload(content, policy))


def delete_upload(upload_id: str, policy: RetryPolicy) -> Steps[None]:
    """Delete an upload and its file."""
    yield from send(Request("DELETE", one_of(requests.UPLOADS, upload_id)), policy)


def extraction(id: str, policy: RetryPolicy) -> Steps[CadExtraction]:
    """A document of the last 24 hours."""
    return parse(CadExtraction, (yield from send(get(one_of(requests.EXTRACTIONS, id)), policy)))


def extractions(limit: int, skip: int, policy: RetryPolicy) -> Steps[StoredExtractions]:
    """A page of the documents of the last 24 hours."""
    return parse(StoredExtractions, (yield from send(get(requests.EXTRACTIONS, limit=limit, skip=skip), policy)))


def respond(
    task: str, members: Mapping[str, Any], request_id: str | None, key: str | None, policy: RetryPolicy
) -> Steps[ResponsesResponse]:
    """The answer of one task; documents that do not fit into the body are sent ahead."""
    input = {"task_type": task, **{name: value for name, value in members.items() if value is not None}}
    sent, uploads = yield from _send_scenes_ahead(input, policy)
    body = {"input": sent} if request_id is None else {"input": sent, "request_id": request_id}
    try:
        answer = yield from send(post(requests.RESPONSES, body, key), policy)
    except SpatialError:
        yield from _discard_all(uploads, policy)
        raise
    yield from _discard_all(uploads, policy)
    return parse(ResponsesResponse, answer)


def _send_scenes_ahead(input: Mapping[str, Any], policy: RetryPolicy) -> Steps[tuple[dict[str, Any], list[Upload]]]:
    """The input with references in place of its documents, if it is too large for a body."""
    sent: dict[str, Any] = requests.plain(input)
    uploads: list[Upload] = []
    if len(requests.encode(sent)) <= BODY_BYTES - 1024:
        return sent, uploads
    for name in SCENES:
        document = sent.get(name)
        if isinstance(document, dict) and "schema" in document:
            content = open_content(requests.encode(document), f"{name}.json")
            made = yield from upload(content, policy)
            uploads.append(made)
            sent[name] = {"upload_id": made.id}
    return sent, uploads


def _discard_all(uploads: Sequence[Upload], policy: RetryPolicy) -> Steps[None]:
    for made in uploads:
        yield from discard(made, policy)


def respond_batch(
    inputs: Sequence[Mapping[str, Any]], key: str | None, policy: RetryPolicy
) -> Steps[list[ResponseOutcome]]:
    """One outcome per request, in their order; 32 are sent at a time."""
    outcomes: list[ResponseOutcome] = []
    for first in range(0, len(inputs), BATCH_ITEMS):
        part = key if key is None or first == 0 else f"{key}.{first // BATCH_ITEMS}"
        found = yield from _respond_to_part(inputs[first : first + BATCH_ITEMS], part, policy)
        outcomes += [replace(one, index=first + one.index) for one in found]
    return outcomes


def _respond_to_part(
    inputs: Sequence[Mapping[str, Any]], key: str | None, policy: RetryPolicy
) -> Steps[list[ResponseOutcome]]:
    """At most 32 requests. Items that are 429 or 503 are sent again, alone."""
    open_items = list(range(len(inputs)))
    outcomes: dict[int, ResponseOutcome] = {}
    began, attempt = policy.clock.now(), 0
    while open_items:
        body = {"requests": [{"input": inputs[index]} for index in open_items]}
        answer = yield from send(post(requests.RESPONSES_BATCH, body, key), policy)
        found = parse(ResponseBatch, answer).data
        outcomes |= {index: _outcome(index, item) for index, item in zip(open_items, found, strict=True)}
        waits = {index: _wait(outcomes[index], policy, attempt, began) for index in open_items}
        open_items = [index for index, wait in waits.items() if wait is not None]
        if open_items:
            yield Pause(max(wait for wait in waits.values() if wait is not None))
        attempt, key = attempt + 1, None
    return [outcomes[index] for index in sorted(outcomes)]


def _wait(outcome: ResponseOutcome, policy: RetryPolicy, attempt: int, began: float) -> float | None:
    return None if outcome.error is None else policy.wait_before(attempt, began, outcome.error)


def _outcome(index: int, item: ResponseBatchItem) -> ResponseOutcome:
    if item.error is None:
        return ResponseOutcome(index, item.response)
    error = make_error(item.status, item.error, request_id=item.request_id, retry_after=item.retry_after)
    return ResponseOutcome(index, error=error)


def import_feature_tree(
    partner: str, document_id: str, features: Sequence[Mapping[str, Any]], key: str | None, policy: RetryPolicy
) -> Steps[FeatureTreeImported]:
    """The scene of a feature tree."""
    body = {"partner": partner, "document_id": document_id, "feature_tree": list(features)}
    return parse(FeatureTreeImported, (yield from send(post(requests.IMPORT, body, key), policy)))


def models(policy: RetryPolicy) -> Steps[ModelList]:
    """The reasoning models."""
    return parse(ModelList, (yield from send(get(requests.MODELS), policy)))


def health(policy: RetryPolicy) -> Steps[Health]:
    """The state of the service; `down`, which is 503, is an answer and no error."""
    answer = yield from send(get(requests.HEALTH), replace(policy, seconds=0), accepted=(503,))
    return parse(Health, answer)


def usage(since: date | str | None, until: date | str | None, policy: RetryPolicy) -> Steps[UsageReport]:
    """What the account was charged."""
    return parse(UsageReport, (yield from send(get(requests.USAGE, since=since, until=until), policy)))
