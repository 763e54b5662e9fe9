"""Documents for agents: cut to a length, with the addresses of the rest, and read page by page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.mcp import resources
from api.mcp.outline import outline
from api.mcp.pages import page
from api.mcp.shorten import shorten, size
from api.mcp.tools import TOOLS
from api.mcp.tools.tool import DETAILS, RESULT_BYTES, Detail, RestCall
from spatial.contract import examples
from spatial.contract.formats import FEATURE_TREE, format_of
from spatial.contract.target import TargetContract
from spatial.document.assemble import assemble, result_bytes
from spatial.document.summary import summarise
from spatial.errors import NotFound
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.read import read
from tests.api.house import House
from tests.api.mcp_calls import error, message, result, tool

SPECIMENS = Path(__file__).parents[2] / "converter" / "specimens"
ID = "req_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"


def document(faces: int) -> dict[str, Any]:
    """A part with so many faces."""
    listed = [
        {"id": f"face-{place}", "type": "plane", "area": place + 0.5, "normal": [0.0, 0.0, 1.0]}
        for place in range(faces)
    ]
    solid = {"id": "solid-1", "volume": 5.5, "faces": listed, "transform": [1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0, 1.0, 0]}
    statistics = {"entity_counts": {"faces": faces}, "total_points": 0, "bbox": {"min": [0, 0, 0], "max": [1, 1, 1]}}
    return {
        "schema": "cad.extraction.v1", "source_format": "step", "units": "millimeter", "statistics": statistics,
        "warnings": [f"warning {number}" for number in range(50)], "structure": {"kind": "brep", "solids": [solid]},
        "file_name": "plate.step", "request_id": ID,
    }  # fmt: skip


@pytest.mark.requirement("mcp.detail", "mcp.schemas")
@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("faces", [1, 100, 20_000])
def test_a_result_is_cut_to_its_detail_and_fits_its_schema(detail: Detail, faces: int) -> None:
    whole = document(faces)
    found = json.loads(TOOLS["extract_cad"].present(json.dumps(whole).encode(), RestCall("POST", "/", detail=detail)))
    shown = found["structuredContent"]
    jsonschema.validate(shown, TOOLS["extract_cad"].output_schema)
    omitted = {row["member"]: row for row in shown.pop("omitted", [])}
    assert size(shown) <= RESULT_BYTES[detail]
    assert shown["structure"]["solids"][0]["transform"] == whole["structure"]["solids"][0]["transform"]
    assert shown == whole or omitted
    if "structure.solids.0.faces" in omitted:
        row = omitted["structure.solids.0.faces"]
        assert row["total"] == faces and row["shown"] == len(shown["structure"]["solids"][0]["faces"])
        assert row["uri"].startswith(f"spatial://extractions/{ID}/structure.solids.0.faces")
        assert row["uri"] in found["content"][0]["text"] or "for the rest" in found["content"][0]["text"]


@pytest.mark.requirement("mcp.detail")
def test_real_examples_fit_as_they_are() -> None:
    answer = json.dumps({**examples.EXTRACTION, "request_id": ID}).encode()
    shown = json.loads(TOOLS["extract_cad"].present(answer, RestCall("POST", "/", detail="standard")))[
        "structuredContent"
    ]
    assert "omitted" not in shown


@pytest.mark.requirement("mcp.detail")
@pytest.mark.parametrize("target", TargetContract)
@pytest.mark.parametrize("file", sorted(SPECIMENS.glob("*.*")), ids=lambda path: str(path.name))
def test_the_summary_is_that_of_the_whole_document_and_a_short_form_fits_the_schema(
    file: Path, target: TargetContract
) -> None:
    row = format_of(file.name) if file.suffix != ".json" else FEATURE_TREE
    steps = read(row, file.read_bytes(), file.name)
    plan = SamplingPlan(points_per_object=10)
    points = steps.sample(plan) if target.has_points else None
    whole = assemble(steps.reading, steps.interpret(), points, file_name=file.name, target=target, request_id=ID)
    found = json.loads(result_bytes(whole))
    assert outline(found) == summarise(whole)
    for most_bytes in (500, 2_000, 8_000):
        shown, _ = shorten(found, most_bytes, ID)
        jsonschema.validate(shown, TOOLS["extract_cad"].output_schema)


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=30) | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=4)
    ),
    max_leaves=80,
)


@pytest.mark.requirement("mcp.detail")
@given(TREES, st.integers(0, 400))
def test_what_is_shown_is_the_beginning_of_what_there_is(value: Any, most_bytes: int) -> None:
    shown, omitted = shorten({"a": value}, most_bytes, "u")
    assert (shown == {"a": value}) == (not omitted)
    _begins({"a": value}, shown)


def _begins(whole: Any, shown: Any) -> None:
    assert type(whole) is type(shown)
    if isinstance(whole, dict):
        assert set(whole) == set(shown)
        for name, value in shown.items():
            _begins(whole[name], value)
    elif isinstance(whole, list):
        assert len(shown) <= len(whole)
        for one, other in zip(whole, shown, strict=False):
            _begins(one, other)
    else:
        assert whole == shown


@pytest.mark.requirement("mcp.pages")
@pytest.mark.parametrize("faces", [1, 7, 1_000])
def test_the_pages_together_are_the_list(faces: int) -> None:
    whole = document(faces)
    data = json.dumps(whole).encode()
    items: list[Any] = []
    uri: str | None = "?offset=0"
    while uri is not None:
        read = json.loads(page(data, ID, "structure.solids.0.faces", int(uri.rpartition("=")[2])))
        assert read["total"] == faces and read["items"] and read["offset"] == len(items)
        items += read["items"]
        uri = read.get("next")
    assert items == whole["structure"]["solids"][0]["faces"]


@pytest.mark.requirement("mcp.pages")
def test_every_omission_names_the_page_that_goes_on() -> None:
    whole = document(500)
    data = json.dumps(whole).encode()
    overview = json.loads(page(data, ID, "", 0))
    assert overview["summary"][0].startswith("plate.step: STEP")
    shown = overview["document"]["structure"]["solids"][0]["faces"]
    [row] = [row for row in overview["omitted"] if row["member"] == "structure.solids.0.faces"]
    assert row["uri"].endswith(f"structure.solids.0.faces?offset={len(shown)}") and row["shown"] == len(shown)
    following = json.loads(page(data, ID, "structure.solids.0.faces", len(shown)))
    assert following["items"][0]["id"] == f"face-{len(shown)}"
    single = json.loads(page(data, ID, "structure.solids.0.volume", 0))
    assert single["value"] == 5.5
    assert json.loads(page(data, ID, "structure.solids.0.faces", 10_000))["items"] == []
    for wrong in ("nothing", "structure.solids.5", "structure.solids.-1", "warnings.0.x", "structure..solids"):
        with pytest.raises(NotFound, match="has no member"):
            page(data, ID, wrong, 0)


@pytest.mark.requirement("mcp.resources", "extractions.account-scoped")
async def test_an_accounts_extractions_are_read_with_its_key_alone(house: House, key: str) -> None:
    extracted = await result(house, tool("extract_cad", file_name="a.step", content_base64="QUJD"), key)
    uri = extracted["content"][1]["uri"]
    listed = (await result(house, message("resources/list"), key))["resources"]
    assert uri in [one["uri"] for one in listed]
    assert uri not in [one["uri"] for one in (await result(house, message("resources/list")))["resources"]]
    [content] = (await result(house, message("resources/read", {"uri": uri}), key))["contents"]
    assert content["uri"] == uri and json.loads(content["text"])["document"]["file_name"] == "a.step"
    every = (await result(house, message("resources/read", {"uri": "spatial://extractions"}), key))["contents"]
    assert [one["uri"] for one in json.loads(every[0]["text"])["extractions"]] == [uri]
    for private in (uri, "spatial://extractions", f"{uri}/warnings"):
        read = await error(house, message("resources/read", {"uri": private}), 401, 401)
        assert read["error"]["data"]["error"]["type"] == "authentication_error"
    await error(house, message("resources/read", {"uri": uri}), 200, -32602, await house.key())
    await error(house, message("resources/list"), 401, 401, "sk_unknown")


@pytest.mark.requirement("mcp.resources")
async def test_the_list_of_extractions_is_followed_to_its_end(
    house: House, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resources, "LISTED", 2)
    for _ in range(5):
        await house.extract(key)
    uri, seen = "spatial://extractions", []
    while uri:
        [content] = (await result(house, message("resources/read", {"uri": uri}), key))["contents"]
        page = json.loads(content["text"])
        seen += [one["id"] for one in page["extractions"]]
        assert page["has_more"] == ("next" in page)
        uri = page.get("next", "")
    assert len(seen) == len(set(seen)) == 5


@pytest.mark.requirement("mcp.resources")
@pytest.mark.parametrize("name", ["formats", "errors", "callouts", "schemas/cad.extraction.v1"])
async def test_the_tables_are_public(house: House, name: str) -> None:
    uri = f"spatial://{name}"
    [content] = (await result(house, message("resources/read", {"uri": uri})))["contents"]
    assert content["mimeType"] == "application/json" and json.loads(content["text"])
    errors = json.loads(
        (await result(house, message("resources/read", {"uri": "spatial://errors"})))["contents"][0]["text"]
    )
    assert {"status": 409, "type": "idempotency_conflict"} in [
        {"status": row["status"], "type": row["type"]} for row in errors
    ]
