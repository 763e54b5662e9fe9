"""Every format of the contract through the API, as its callers meet it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from spatial.contract.formats import FORMATS
from tests.support.stack import ROOT, RunningStack

SPECIMENS = ROOT / "converter" / "specimens"
DIAGRAM = b"""<mxfile><diagram id="p" name="Page"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="a" value="A" vertex="1" parent="1"><mxGeometry width="80" height="40" as="geometry"/></mxCell>
</root></mxGraphModel></diagram></mxfile>"""


def extracted(stack: RunningStack, name: str, data: bytes) -> tuple[int, dict[str, Any]]:
    with stack.client() as client:
        answer = client.post("/api/v1/cad/extract", files={"file": (name, data)}, data={"target_contract": "both"})
    return answer.status_code, answer.json()


@pytest.mark.requirement("formats.through-the-service")
@pytest.mark.parametrize("row", FORMATS, ids=lambda row: str(row.name))
def test_a_file_of_every_format_comes_back_as_a_document(stack: RunningStack, row: Any) -> None:
    specimens = sorted(SPECIMENS.glob(f"{row.name}.*")) or [Path("diagram.xml")]
    data = specimens[0].read_bytes() if specimens[0].exists() else DIAGRAM
    status, document = extracted(stack, f"file.{row.extensions[-1]}", data)
    assert status == 200, document
    assert document["schema"] == "cad.extraction.v1"
    assert document["structure"]["kind"] in ("brep", "drawing2d", "diagram2d")
    assert document["statistics"]["total_points"] > 0
    assert document["usage"]["input_tokens"] == -(-len(data) // 4)


@pytest.mark.requirement("formats.through-the-service")
@pytest.mark.parametrize(
    ("name", "data", "status", "kind"),
    [
        ("notes.xml", b"<?xml version='1.0'?><notes/>", 415, "unsupported_file_type"),
        ("cut.drawio", DIAGRAM[:120], 422, "parse_error"),
        ("cut.png", b"\x89PNG\r\n\x1a\n\x00\x00", 422, "parse_error"),
        ("part.pdf", b"ISO-10303-21;\nHEADER;", 422, "parse_error"),
        ("cut.dxf", b"AutoCAD Binary DXF\r\n\x1a\x00\x01", 422, "parse_error"),
        ("page.svg", DIAGRAM, 422, "parse_error"),
    ],
)
def test_what_is_no_file_of_its_format_is_a_typed_error(
    stack: RunningStack, name: str, data: bytes, status: int, kind: str
) -> None:
    found, body = extracted(stack, name, data)
    assert (found, body["error"]["type"]) == (status, kind), body
    assert name in body["error"]["message"]
