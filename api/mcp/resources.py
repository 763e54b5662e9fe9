"""The resources: tables of the service, and the account's extractions of the last 24 hours."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from api import stored_extractions
from api.dispatcher import Dispatcher
from api.gates.keys import Caller
from api.mcp import presenting
from api.mcp.addresses import EXTRACTIONS, SCHEME, extraction_uri
from api.mcp.faults import INVALID_PARAMS, RpcFault
from api.mcp.tools.listings import formats_table
from api.request_bodies import JSON
from spatial.contract.callout_types import CALLOUT_TYPES
from spatial.contract.extraction import CadExtraction
from spatial.errors import SpatialError

LISTED: Final = 60
"""Extractions on a page of resources/list, and of the resource that lists them: about 13,000 bytes."""

ONE: Final = re.compile(
    rf"{re.escape(EXTRACTIONS)}/(?P<id>[A-Za-z0-9_.]{{1,128}})(/(?P<path>[^?#]{{1,512}}))?(\?offset=(?P<offset>\d{{1,9}}))?",
    re.ASCII,
)
LIST: Final = re.compile(rf"{re.escape(EXTRACTIONS)}(\?offset=(?P<offset>\d{{1,9}}))?", re.ASCII)
CURSOR: Final = re.compile(r"\d{1,9}", re.ASCII)

PUBLIC_MILLISECONDS: Final = 3_600_000
"""How long a client may keep what does not depend on the caller."""

PRIVATE_MILLISECONDS: Final = 0


class Reader(Protocol):
    """The request that reads, as far as resources need it."""

    dispatcher: Dispatcher

    @property
    def has_key(self) -> bool:
        """Whether it carries an Authorization header."""
        ...

    async def caller(self) -> Caller:
        """The account. Raises: AuthenticationFailed, BillingUnavailable."""
        ...


@dataclass(frozen=True)
class Table:
    """A resource that is the same for everybody."""

    uri: str
    name: str
    title: str
    description: str
    content: Callable[[], Any]

    def described(self) -> dict[str, Any]:
        """The row of resources/list."""
        return {
            "uri": self.uri, "name": self.name, "title": self.title, "description": self.description, "mimeType": JSON,
        }  # fmt: skip


def _errors() -> list[dict[str, Any]]:
    """Every error of the interface."""
    rows, waiting = [], [SpatialError]
    while waiting:
        kind = waiting.pop(0)
        kinds = kind.__subclasses__()
        waiting += kinds
        if "type" in vars(kind) and kind is not SpatialError:
            rows.append(
                {"status": kind.status, "type": kind.type, "condition": (kind.__doc__ or "").strip().splitlines()[0]}
            )
    return sorted(rows, key=lambda row: (row["status"], row["type"]))


def _callouts() -> list[dict[str, Any]]:
    """Every type of callout, with the notations that are recognised."""
    return [{"type": one.name, "notations": one.writings, "members": one.members} for one in CALLOUT_TYPES]


TABLES: Final = {
    table.uri: table
    for table in (
        Table(
            f"{SCHEME}formats", "formats", "File formats", "The formats that are read, and what to send instead of others.", formats_table,
        ),
        Table(
            f"{SCHEME}errors", "errors", "Errors", "Every error of the interface: status, type, and when it occurs.", _errors,
        ),
        Table(
            f"{SCHEME}callouts", "callouts", "Callout types", "The types of callouts, the notations that are recognised, their members.",
            _callouts,
        ),
        Table(
            f"{SCHEME}schemas/cad.extraction.v1", "cad.extraction.v1", "Schema of a document",
            "The JSON Schema of cad.extraction.v1, with a description of every member.",
            lambda: CadExtraction.model_json_schema(mode="serialization"),
        ),
    )
}  # fmt: skip
"""One row each."""

TEMPLATES: Final = (
    {
        "uriTemplate": f"{EXTRACTIONS}{{?offset}}",
        "name": "extractions-page",
        "title": "Your extractions of the last 24 hours, page by page",
        "description": "The latest first; `next` names the following page.",
        "mimeType": JSON,
    },
    {
        "uriTemplate": f"{EXTRACTIONS}/{{id}}",
        "name": "extraction",
        "title": "An extraction of the last 24 hours",
        "description": "Summary and document, with long lists cut; `omitted` names where the rest is.",
        "mimeType": JSON,
    },
    {
        "uriTemplate": f"{EXTRACTIONS}/{{id}}/{{path}}{{?offset}}",
        "name": "extraction-member",
        "title": "A member of an extraction, page by page",
        "description": "For instance structure.callouts or structure.solids.0.faces; `next` names the following page.",
        "mimeType": JSON,
    },
)


async def list_resources(reader: Reader, cursor: str | None) -> dict[str, Any]:
    """The result of resources/list: the tables and, with a key, the account's extractions. Raises: RpcFault, SpatialError."""
    skip = _skip(cursor)
    rows = [] if skip else [table.described() for table in TABLES.values()]
    if not reader.has_key:
        return {"resources": rows}
    caller = await reader.caller()
    found, has_more = await stored_extractions.list_stored(
        reader.dispatcher, caller.account_id, count=LISTED, skip=skip
    )
    if not skip:
        rows.append(
            {
                "uri": EXTRACTIONS,
                "name": "extractions",
                "title": "Your extractions of the last 24 hours",
                "mimeType": JSON,
            }
        )
    for one in found:
        moment = f"{one.created_at:%Y-%m-%d %H:%M} UTC"
        row = {
            "uri": extraction_uri(one.id),
            "name": one.file_name or one.id,
            "description": f"Extracted {moment}",
            "mimeType": JSON,
        }
        rows.append(row)
    return {"resources": rows, **({"nextCursor": str(skip + LISTED)} if has_more else {})}


def is_public(uri: str | None) -> bool:
    """Whether a resource is the same for everybody."""
    return uri in TABLES


async def read_resource(reader: Reader, uri: str | None) -> dict[str, Any]:
    """The result of resources/read. Raises: RpcFault for an unknown URI; SpatialError."""
    if uri is None:
        raise RpcFault(INVALID_PARAMS, "params.uri is missing; name a resource of resources/list")
    text = json.dumps(TABLES[uri].content(), ensure_ascii=False) if uri in TABLES else await _read_private(reader, uri)
    return {"contents": [{"uri": uri, "mimeType": JSON, "text": text}]}


async def _read_private(reader: Reader, uri: str) -> str:
    one, listed = ONE.fullmatch(uri), LIST.fullmatch(uri)
    if one is None and listed is None:
        raise RpcFault(
            INVALID_PARAMS, f"there is no resource {uri[:200]!r}; see resources/list and resources/templates/list"
        )
    caller = await reader.caller()
    if one is None:
        return await _list(reader.dispatcher, caller, int(listed["offset"] or 0) if listed else 0)
    stored = await stored_extractions.find_stored(reader.dispatcher, caller.account_id, one["id"])
    document = await stored_extractions.read_stored(reader.dispatcher, stored)
    return await presenting.paged(document, stored.id, one["path"] or "", int(one["offset"] or 0))


async def _list(dispatcher: Dispatcher, caller: Caller, offset: int) -> str:
    found, has_more = await stored_extractions.list_stored(dispatcher, caller.account_id, count=LISTED, skip=offset)
    rows = [
        {
            "id": one.id,
            "uri": extraction_uri(one.id),
            "file_name": one.file_name,
            "source_format": one.source_format,
            "created_at": one.created_at.isoformat(),
        }
        for one in found
    ]
    further = {"next": f"{EXTRACTIONS}?offset={offset + len(rows)}"} if has_more else {}
    return json.dumps({"extractions": rows, "offset": offset, "has_more": has_more, **further}, ensure_ascii=False)


def _skip(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not CURSOR.fullmatch(cursor):
        raise RpcFault(INVALID_PARAMS, "params.cursor is not one that was returned; begin without a cursor")
    return int(cursor)
