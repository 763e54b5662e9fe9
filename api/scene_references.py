"""Scenes that were sent ahead of the reasoning request that names them: one row of FINDERS per kind of reference.

{"cad_scene": {"upload_id": "up_..."}}    an upload whose file is a cad.extraction.v1 document
{"scene_id": "scene_..."}                 a scene that the service keeps
{"cad_scene": {"extraction_id": "req_…"}} an extraction of the last 24 hours
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from api import stored_extractions
from api.dispatcher import Dispatcher
from api.intake_responses import read_document
from api.reasoning_bodies import ParsedRequest, Reference, prefixed, splice
from spatial.contract.validation import invalid_field
from spatial.counting import count_of
from spatial.errors import InvalidRequest, NotFound, RequestTooLarge, SpatialError
from storage.objects.lake import ObjectMissing
from storage.postgres import scenes, upload_files


@dataclass(frozen=True)
class FoundScene:
    """A scene of the account, not yet read."""

    size: int
    """Bytes."""
    read: Callable[[], Awaitable[bytes]]
    """The document as JSON, which is validated afterwards. Raises: ObjectMissing, LakeUnavailable."""


Finder = Callable[[Dispatcher, str, str], Awaitable[FoundScene]]
"""Takes the dispatcher, the account's id and the id in the reference. Raises: SpatialError, with paths relative to the reference."""


class SceneAllowance:
    """Bytes of scenes that one request, or one batch, may still have read: all of them are in memory at the same time."""

    def __init__(self, n_bytes: int) -> None:
        self._whole = self._left = n_bytes

    def take(self, size: int) -> None:
        """Raises: RequestTooLarge."""
        if size > self._left:
            raise RequestTooLarge(
                f"the scenes that were sent ahead and are named here have more than {count_of(self._whole, 'byte')}; "
                "split them over several requests",
                details={"limit_bytes": self._whole},
            )
        self._left -= size


async def fill_in(dispatcher: Dispatcher, account_id: str, request: ParsedRequest, allowance: SceneAllowance) -> bytes:
    """The content of the request, with the scenes that it names.

    Raises: InvalidRequest, InputRejected, RequestTooLarge with paths below `input`; LakeUnavailable, DatastoreUnavailable.
    """
    scenes = {one.member: await resolve_scene(dispatcher, account_id, one, allowance) for one in request.references}
    return splice(request.content, scenes) if scenes else request.content


async def resolve_scene(
    dispatcher: Dispatcher, account_id: str, reference: Reference, allowance: SceneAllowance
) -> bytes:
    """The document that a reference names, validated, as JSON. Raises: as `fill_in`."""
    find = FINDERS.get(reference.kind)
    if find is None:
        raise unknown_scene(reference)
    parent = reference.path.rpartition(".")[0]
    try:
        found = await find(dispatcher, account_id, reference.id)
        allowance.take(found.size)
        data = await found.read()
    except ObjectMissing:
        raise unknown_scene(reference) from None
    except SpatialError as error:
        raise (prefixed(error, parent) if error.is_refusal else error) from None
    return await read_document(data, reference.path)


def unknown_scene(reference: Reference) -> InvalidRequest:
    """The refusal of an id that names no scene of the account."""
    message = (
        f"your account has no scene {reference.id}; use the id of one that was sent ahead, or send the scene itself"
    )
    return invalid_field(reference.path, message)


async def _find_upload(dispatcher: Dispatcher, account_id: str, upload_id: str) -> FoundScene:
    upload = await upload_files.resolve(
        dispatcher.database, dispatcher.lake, account_id=account_id, upload_id=upload_id
    )
    return FoundScene(upload.size, lambda: dispatcher.lake.get(upload.content_key))


async def _find_scene(dispatcher: Dispatcher, account_id: str, scene_id: str) -> FoundScene:
    async with dispatcher.database.transaction() as connection:
        size = await scenes.find_size(connection, account_id, scene_id)
    if size is None:
        raise ObjectMissing(f"there is no scene {scene_id}; use the id of another")

    async def read() -> bytes:
        async with dispatcher.database.transaction() as connection:
            document = await scenes.read(connection, account_id, scene_id)
        if document is None:
            raise ObjectMissing(f"there is no scene {scene_id}; use the id of another")
        return document

    return FoundScene(size, read)


async def _find_extraction(dispatcher: Dispatcher, account_id: str, extraction_id: str) -> FoundScene:
    try:
        stored = await stored_extractions.find_stored(dispatcher, account_id, extraction_id)
    except NotFound as error:
        raise ObjectMissing(error.message) from None
    size = await dispatcher.lake.size(stored.result_key)
    if size is None:
        raise ObjectMissing(f"the document of {extraction_id} has expired; extract the file again")
    return FoundScene(size, lambda: dispatcher.lake.get(stored.result_key))


FINDERS: Final[dict[str, Finder]] = {
    "upload_id": _find_upload,
    "scene_id": _find_scene,
    "extraction_id": _find_extraction,
}
"""One row per member of SceneReference."""
