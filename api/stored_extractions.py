"""Documents of extractions that are still kept, for the account that paid for them."""

from __future__ import annotations

from typing import Final

from api import replay
from api.dispatcher import Dispatcher
from spatial.contract.routes import BATCH_ROUTE, EXTRACT_ROUTE
from spatial.errors import NotFound
from storage.objects import lake
from storage.objects.lake import ObjectMissing
from storage.postgres import extractions, usage
from storage.postgres.extractions import Routes, StoredExtraction

ROUTES: Final = Routes(single=EXTRACT_ROUTE, batch=BATCH_ROUTE)


async def list_stored(
    dispatcher: Dispatcher, account_id: str, *, count: int, skip: int = 0
) -> tuple[list[StoredExtraction], bool]:
    """Extractions of the account, latest first; and whether there are more. Raises: DatastoreUnavailable."""
    async with dispatcher.database.transaction() as connection:
        found = await extractions.list_stored(connection, account_id, ROUTES, count=count + 1, skip=skip)
    return found[:count], len(found) > count


async def find_stored(dispatcher: Dispatcher, account_id: str, extraction_id: str) -> StoredExtraction:
    """The extraction of this id. Raises: NotFound; DatastoreUnavailable."""
    async with dispatcher.database.transaction() as connection:
        found = await extractions.find_stored(connection, account_id, ROUTES, extraction_id)
    if found is None:
        raise _unknown()
    return found


async def read_stored(dispatcher: Dispatcher, stored: StoredExtraction) -> bytes:
    """The document as it was answered, with its usage. Raises: NotFound; LakeUnavailable, DatastoreUnavailable."""
    try:
        document = await replay.read_result(dispatcher, stored.result_key)
    except ObjectMissing:
        raise _unknown() from None
    async with dispatcher.database.transaction() as connection:
        charged = await usage.find_usage(connection, stored.operation_id, stored.item)
    return document if charged is None else charged.attached_to(document)


async def read_source(dispatcher: Dispatcher, stored: StoredExtraction) -> bytes:
    """The file that was extracted. Raises: NotFound where it is kept no longer; LakeUnavailable."""
    is_single = stored.id == stored.request_id
    staged = lake.staged_key(stored.operation_id, stored.file_name or "", None if is_single else stored.item)
    try:
        return await dispatcher.lake.get(staged)
    except ObjectMissing:
        pass
    try:
        uploaded = await dispatcher.lake.get(lake.source_key(stored.operation_id, stored.item))
        return await dispatcher.lake.get(uploaded.decode())
    except ObjectMissing:
        raise NotFound(
            "the file of this extraction is kept no longer: its upload was deleted, or has expired, which it does 24 hours after it was "
            "announced; extract the file again to see its surfaces"
        ) from None


def _unknown() -> NotFound:
    return NotFound("your account has no such extraction of the last 24 hours; check the id, or extract the file again")
