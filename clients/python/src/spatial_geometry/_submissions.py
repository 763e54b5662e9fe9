"""What a batch handle submits: up to 32 files, or the failed items of an earlier batch.

A refusal that names an item (an unreadable extension, a file that is too large) fails that item alone: it becomes an outcome, and the
other files are submitted without it. A refusal never uses up the Idempotency-Key.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

from spatial_geometry import _requests as requests
from spatial_geometry._answers import parse
from spatial_geometry._effects import Call, Request, Steps
from spatial_geometry._files import INLINE_BYTES, Content, FileSource, open_content
from spatial_geometry._operations import BATCH_ITEMS
from spatial_geometry._requests import one_of
from spatial_geometry._retries import RetryPolicy, send
from spatial_geometry._uploads import discard, upload
from spatial_geometry.error_types import InvalidRequest, RequestTooLarge, UnsupportedFileType
from spatial_geometry.errors import SpatialError
from spatial_geometry.models import CadExtractBatch, CadExtraction, Upload

BODY_BYTES: Final = 6_000_000
"""Bytes of inline files, in base64, that go into one request; the service reads 6,291,456 with all that is around them."""

ITEM_REFUSALS: Final = (InvalidRequest, RequestTooLarge, UnsupportedFileType)
"""Errors that a single item of a batch may be refused with before it runs."""

NamedFile: TypeAlias = "FileSource | tuple[str, bytes]"
"""A file of a batch: a path, an open file, or its name and its content."""


@dataclass(frozen=True)
class BatchOutcome:
    """One file of a batch: its document or its error."""

    index: int
    """Place of the file in the submission, from 0."""
    file_name: str
    batch_id: str | None = None
    """The batch that has it; None where the file was refused before it ran."""
    document: CadExtraction | None = None
    error: SpatialError | None = None

    def result(self) -> CadExtraction:
        """The document. Raises: SpatialError, where the extraction failed."""
        if self.document is None:
            raise self.error or SpatialError(f"{self.file_name} has neither a document nor an error; extract it again")
        return self.document


@dataclass
class Accepted:
    """A batch that the service has, and which of its items are handed out."""

    id: str
    places: dict[int, int] = field(default_factory=dict)
    """Index of an item in this batch to its index in the handle."""
    request_id: str | None = None
    """Of its submission; with it each document is read alone. None where the batch is resumed by its id."""
    state: CadExtractBatch | None = None
    delivered: set[int] = field(default_factory=set)
    """Indices in this batch."""
    documents: dict[int, CadExtraction] = field(default_factory=dict)
    """By index in this batch: read, and not handed out yet."""

    @property
    def has_ended(self) -> bool:
        """Whether all its items have ended."""
        return self.state is not None and self.state.status in ("done", "failed", "expired")


@dataclass
class FileSubmission:
    """Up to 32 files that are not submitted yet."""

    files: dict[int, Content]
    """By index in the handle."""
    options: requests.Options
    key: str = field(repr=False)
    refused: list[BatchOutcome] = field(default_factory=list)
    """What was refused so far."""
    uploads: dict[int, Upload] = field(default_factory=dict)

    @property
    def names(self) -> dict[int, str]:
        """Name of each file by its index in the handle."""
        return {index: content.name for index, content in self.files.items()}

    def submit(self, policy: RetryPolicy) -> Steps[Accepted | None]:
        """The batch of the files; None where each of them was refused. Raises: SpatialError, OSError."""
        while self.files:
            body = yield from self._body(policy)
            indices = list(self.files)
            if not indices:
                break
            request = Request("POST", requests.BATCH, headers=requests.json_headers(self.key), content=body)
            try:
                answer = yield from send(request, policy)
            except ITEM_REFUSALS as error:
                self._refuse(_refused_index(error, indices), error)
                continue
            yield from self._discard_uploads(policy)
            state = parse(CadExtractBatch, answer)
            return Accepted(state.id, dict(enumerate(indices)), state.request_id, state)
        yield from self._discard_uploads(policy)
        return None

    def _body(self, policy: RetryPolicy) -> Steps[bytes]:
        """The body of the request; a file that is too large for it is uploaded."""
        room, items = BODY_BYTES, []
        for index, content in list(self.files.items()):
            size = -(-content.size // 3) * 4
            if index not in self.uploads and content.size <= INLINE_BYTES and size <= room:
                room -= size
                items.append((yield Call(partial(requests.inline_item, content, self.options))))
            elif (yield from self._upload(index, content, policy)):
                sent = {"upload_id": self.uploads[index].id, **self.options}
                items.append({"file_name": content.name, **sent})
        return requests.encode({"items": items})

    def _upload(self, index: int, content: Content, policy: RetryPolicy) -> Steps[bool]:
        """Upload a file once; False where it is refused."""
        if index not in self.uploads:
            try:
                self.uploads[index] = yield from upload(content, policy)
            except ITEM_REFUSALS as error:
                self._refuse(index, error)
                return False
        return True

    def _refuse(self, index: int, error: SpatialError) -> None:
        self.refused.append(BatchOutcome(index, self.files.pop(index).name, error=error))

    def _discard_uploads(self, policy: RetryPolicy) -> Steps[None]:
        """The service has its own copy of the files of an accepted batch."""
        while self.uploads:
            _, made = self.uploads.popitem()
            yield from discard(made, policy)


@dataclass
class RerunSubmission:
    """The failed items of a batch, to be extracted again."""

    batch_id: str
    names: dict[int, str]
    """Name of each failed file by its index in the handle, in the order of the items."""
    key: str = field(repr=False)

    def submit(self, policy: RetryPolicy) -> Steps[Accepted | None]:
        """The new batch. Raises: SpatialError."""
        path = f"{one_of(requests.BATCH, self.batch_id)}/rerun"
        answer = yield from send(Request("POST", path, headers={"Idempotency-Key": self.key}), policy)
        state = parse(CadExtractBatch, answer)
        return Accepted(state.id, dict(enumerate(self.names)), state.request_id, state)


Submission: TypeAlias = FileSubmission | RerunSubmission


def plan(files: Iterable[NamedFile], options: requests.Options, key: str | None) -> deque[Submission]:
    """Submissions of 32 files each, in their order.

    key: Idempotency-Key of the first; the others have it with a number. Raises: ValueError, TypeError, OSError.
    """
    contents = [open_content(file[1], file[0]) if isinstance(file, tuple) else open_content(file) for file in files]
    if not contents:
        raise ValueError("there are no files; pass at least one")
    return deque(
        FileSubmission(dict(list(enumerate(contents))[first : first + BATCH_ITEMS]), options, part_key(key, number))
        for number, first in enumerate(range(0, len(contents), BATCH_ITEMS))
    )


def part_key(key: str | None, number: int) -> str:
    """The Idempotency-Key of one of several submissions."""
    return requests.new_key() if key is None else key if number == 0 else f"{key}.{number}"


def _refused_index(error: SpatialError, indices: Sequence[int]) -> int:
    """Index in the handle of the item that a refusal names. Raises: the refusal, where it names none."""
    place: Any = (error.details or {}).get("index")
    if not isinstance(place, int) or not 0 <= place < len(indices):
        raise error
    return indices[place]
