"""extract_cad and extract_cad_from_url: POST /api/v1/cad/extract."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import unquote, urlsplit

from pydantic_core import from_json

from api.mcp import shorten
from api.mcp.addresses import extraction_uri
from api.mcp.outline import outline
from api.mcp.tools.schemas import schema_of
from api.mcp.tools.tool import (
    DETAIL_SCHEMA,
    KEY_SCHEMA,
    OMITTED_SCHEMA,
    RESULT_BYTES,
    RestCall,
    Tool,
    body_of,
    charge_line,
    result,
    take_options,
)
from spatial.contract import formats
from spatial.contract.extraction import CadExtraction, CadExtractRequest
from spatial.contract.routes import EXTRACT_ROUTE
from spatial.contract.validation import invalid_field

NAMELESS: Final = "file"
"""Name of a file whose address cannot be taken apart."""

_REQUEST: Final = schema_of(CadExtractRequest, "validation")
_MEMBERS: Final[dict[str, Any]] = _REQUEST["properties"]


def _input(*members: str, required: list[str], **more: Any) -> dict[str, Any]:
    properties = {name: _MEMBERS[name] for name in members}
    options = {"detail": DETAIL_SCHEMA, "idempotency_key": KEY_SCHEMA}
    definitions = {"$defs": _REQUEST["$defs"]} if "$defs" in _REQUEST else {}
    schema = {"type": "object", "properties": properties | options, "required": required, "additionalProperties": False}
    return {**schema, **more, **definitions}


def _output() -> dict[str, Any]:
    schema = schema_of(CadExtraction, "serialization", terse=True)
    return {**schema, "properties": {**schema["properties"], "omitted": OMITTED_SCHEMA}}


def prepare(arguments: dict[str, Any]) -> RestCall:
    """The extract request. Raises: InvalidRequest for `detail` or `idempotency_key`, and without a file; the route judges the rest."""
    detail, key = take_options(arguments)
    if not {"content_base64", "content_url", "upload_id"} & arguments.keys():
        raise invalid_field(
            "content_base64", "and upload_id are absent; send one of them (an address goes to extract_cad_from_url)"
        )
    return RestCall("POST", EXTRACT_ROUTE, body_of(arguments), key, detail)


def prepare_url(arguments: dict[str, Any]) -> RestCall:
    """The same for an address, whose last segment is the file's name where none is given."""
    url = arguments.get("content_url")
    if "file_name" not in arguments and isinstance(url, str):
        try:
            name = unquote(urlsplit(url).path.rpartition("/")[2])
        except ValueError:
            name = NAMELESS  # the route says what is wrong with the address
        if not name:
            raise invalid_field(
                "file_name", "is not given, and the address ends in no file name; give one, as part.step"
            )
        arguments["file_name"] = name
    return prepare(arguments)


def present(answer: bytes, call: RestCall | None) -> bytes:
    """The summary of a document, a link to the whole, and the document with long lists cut."""
    assert call is not None
    document = from_json(answer)
    request_id = str(document["request_id"])
    uri = extraction_uri(request_id)
    shown, omitted = shorten.shorten(document, RESULT_BYTES[call.detail], request_id)
    if omitted:
        shown = {**shown, "omitted": omitted}
    lines = outline(document)
    tokens = document.get("usage", {})
    if tokens:
        lines.append(charge_line(tokens, call))
    if omitted:
        lines.append(f"long lists are cut here; read {uri} for the rest, page by page and free of charge")
    link = {
        "type": "resource_link",
        "uri": uri,
        "name": str(document.get("file_name") or request_id),
        "description": "The extracted document, page by page, for 24 hours",
        "mimeType": "application/json",
        "size": len(answer),
    }
    return result("\n".join(lines), shown, link)


_OUTPUT: Final = _output()

_HOW: Final = (
    "Extracts a CAD model, drawing or diagram into one structured document (cad.extraction.v1): solids with exact volume, area and faces; "
    "drawing entities, dimensions, callouts with tolerances, title block, parts list, revisions, notes; diagram graphs. Values that could "
    f"not be read are absent, with a reason in `warnings`. Formats: {', '.join(formats.EXTENSIONS)}. "
    "Charged by the size of file and document."
)

EXTRACT: Final = Tool(
    name="extract_cad",
    title="Extract a CAD file",
    description=f"{_HOW} Give the file as base64, or as the upload_id of a file that was sent by POST /api/v1/uploads.",
    input_schema=_input("file_name", "content_base64", "upload_id", "target_contract", "edges", required=["file_name"]),
    output_schema=_OUTPUT,
    prepare=prepare,
    present=present,
    is_billed=True,
    annotations={"readOnlyHint": True, "openWorldHint": False},
)

EXTRACT_FROM_URL: Final = Tool(
    name="extract_cad_from_url",
    title="Extract a CAD file at an address",
    description=f"{_HOW} The service downloads the file; its address must be public.",
    input_schema=_input("content_url", "file_name", "target_contract", "edges", required=["content_url"]),
    output_schema=_OUTPUT,
    prepare=prepare_url,
    present=present,
    is_billed=True,
    annotations={"readOnlyHint": True, "openWorldHint": True},
)
