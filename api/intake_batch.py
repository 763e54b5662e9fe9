"""Reads a request's body into the files of a batch. Every error names the item by its index (from 0) and its file name.

JSON has `items`; a form repeats the part `files`, with one target_contract for all. Each item is validated like a single request.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from starlette.requests import Request

from api import intake
from api.dispatcher import Dispatcher
from api.intake import Submission
from api.multipart import Part
from api.parser_thread import run_in_parser
from api.request_bodies import JSON
from spatial.contract import formats, limits, validation
from spatial.contract.batch import CadExtractBatchRequest
from spatial.contract.formats import Format
from spatial.counting import count_of
from spatial.errors import InvalidRequest, SpatialError
from storage.postgres import upload_files
from storage.postgres.upload_files import Resolved
from storage.settings import Settings

FILES_PART: Final = "files"

ITEM_PATH: Final = re.compile(r"items\.(\d+)(?:\.|$)")
"""Path of a field in an item, as `spatial.contract.validation` writes it."""


async def read_submissions(request: Request, settings: Settings) -> list[Submission]:
    """The files in the request's body, in order.

    Raises: InvalidRequest, RequestTooLarge; details name the item, by index and file_name, and the field's path.
    """
    if intake.media_type_of(request) == JSON:
        made = await run_in_parser(_from_json, await intake.read_json(request), settings)
    else:
        made = _from_form(await intake.read_form(request, FILES_PART))
    for index, one in enumerate(made):
        with _name_item(index, one.file_name):
            intake.require_size(one, settings.file_limit_bytes)
    return made


def formats_of(made: list[Submission]) -> list[Format]:
    """The format of each file. Raises: UnsupportedFileType for the first item without a reader; the whole batch is then refused."""
    found = []
    for index, one in enumerate(made):
        with _name_item(index, one.file_name):
            found.append(formats.format_of(one.file_name))
    return found


async def resolve_uploads(dispatcher: Dispatcher, account_id: str, made: list[Submission]) -> list[Resolved | None]:
    """The upload of each upload_id; None for items without one.

    Raises: InvalidRequest, RequestTooLarge; details name the item.
    """
    found: list[Resolved | None] = []
    for index, one in enumerate(made):
        with _name_item(index, one.file_name, f"items.{index}."):
            found.append(await _resolve(dispatcher, account_id, one.upload_id) if one.upload_id is not None else None)
    return found


def fingerprint(made: list[Submission]) -> str:
    """SHA-256 over the contents in their order, independent of their encoding."""
    return hashlib.sha256("".join(one.fingerprint() for one in made).encode()).hexdigest()


async def _resolve(dispatcher: Dispatcher, account_id: str, upload_id: str) -> Resolved:
    return await upload_files.resolve(dispatcher.database, dispatcher.lake, account_id=account_id, upload_id=upload_id)


def _from_json(body: bytes, settings: Settings) -> list[Submission]:
    value = validation.json_value(body)
    try:
        checked = validation.check(CadExtractBatchRequest, value)
    except InvalidRequest as refused:
        raise _with_item(refused, value) from None
    made = []
    for index, item in enumerate(checked.items):
        with _name_item(index, item.file_name, f"items.{index}."):
            made.append(intake.from_json(item, settings.content_url_allow))
    return made


def _from_form(parts: list[Part]) -> list[Submission]:
    files = [part for part in parts if part.name == FILES_PART]
    if not 1 <= len(files) <= limits.BATCH_ITEMS:
        problem = (
            f"is given {count_of(len(files), 'time')}; send 1 to {limits.BATCH_ITEMS} parts of this name, one per file"
        )
        raise validation.invalid_field(FILES_PART, problem)
    target, edges = intake.target_of(parts), intake.edges_of(parts)
    made = []
    for index, part in enumerate(files):
        with _name_item(index, part.file_name or ""):
            made.append(intake.from_file_part(part, target, edges=edges))
    return made


@contextmanager
def _name_item(index: int, file_name: str, path: str = "") -> Iterator[None]:
    """Add the item to the details of an error in the block. path: prefix of the item's fields in the body."""
    try:
        yield
    except SpatialError as refused:
        if refused.status >= 500:
            raise
        raise _of_item(refused, index, file_name, path) from None


def _of_item(refused: SpatialError, index: int, file_name: str, path: str = "") -> SpatialError:
    details = {**(refused.details or {}), "index": index, "file_name": file_name[: limits.FILE_NAME_CHARACTERS]}
    if "field" in details:
        details["field"] = path + details["field"]
    if "errors" in details:
        details["errors"] = [{**one, "path": path + one["path"]} for one in details["errors"]]
    # The path of a field in the body begins with the item already.
    stated = refused.message.startswith(f"items.{index}")
    return type(refused)(refused.message if stated else f"item {index}: {refused.message}", details=details)


def _with_item(refused: InvalidRequest, value: Any) -> SpatialError:
    """The validation error with the item of its first field, if that field belongs to an item."""
    found = ITEM_PATH.match(str((refused.details or {}).get("field")))
    if found is None:
        return refused
    index = int(found[1])
    item = value["items"][index]
    name = item.get("file_name") if isinstance(item, dict) else None
    return _of_item(refused, index, name if isinstance(name, str) else "")
