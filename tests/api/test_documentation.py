"""The interface description and its readers."""

from __future__ import annotations

import pkgutil
import re
from typing import Any, get_args

import pytest
from fastapi.routing import iter_route_contexts
from openapi_spec_validator import OpenAPIV31SpecValidator

from api import openapi, routes
from api.console import pages
from api.endpoint import Endpoint, PublicEndpoint, raises
from api.faults import SAMPLES
from api.routes.docs import ASSETS, EXTERNAL_ADDRESSES
from converter.wire import Phase
from spatial import errors
from spatial.contract.error import ErrorBody
from spatial.contract.extraction import CadExtractRequest
from spatial.contract.responses import ResponseBatch
from tests.api.house import EXTRACT, House
from tests.support.stack import ROOT

BUILT = {
    "/api/v1/models": {"get": {"200", "413", "500"}},
    "/api/v1/responses": {"post": {"200", "400", "401", "402", "409", "413", "422", "429", "500", "503"}},
    "/api/v1/responses/batch": {"post": {"200", "207", "400", "401", "409", "413", "500", "503"}},
    EXTRACT: {"post": {"200", "400", "401", "402", "409", "413", "415", "422", "500", "503"}},
    f"{EXTRACT}/batch": {"post": {"202", "400", "401", "402", "409", "413", "415", "429", "500", "503"}},
    f"{EXTRACT}/batch/{{id}}": {
        "get": {"200", "400", "401", "404", "413", "500", "503"},
        "delete": {"200", "400", "401", "404", "413", "500", "503"},
    },
    "/api/health": {"get": {"200", "413", "500", "503"}},
}
"""Path of the spec to its methods, each with its statuses."""


@pytest.fixture
async def described(house: House) -> dict[str, Any]:
    return dict((await house.client.get("/openapi.json")).json())


@pytest.mark.requirement("openapi.valid", "version.interface", "version.paths")
async def test_the_description_is_valid_openapi_and_says_1_4_0(described: dict[str, Any]) -> None:
    OpenAPIV31SpecValidator(described).validate()
    assert described["info"]["version"] == "1.4.0" and described["openapi"].startswith("3.1")


@pytest.mark.requirement("openapi.routes")
async def test_every_route_is_described_with_its_errors_examples_and_headers(described: dict[str, Any]) -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    for path in described["paths"]:
        assert f"{path}`" in page, f"docs/api.md lacks a row for {path}"
    for path, method in ((path, method) for path, methods in BUILT.items() for method in methods):
        operation = described["paths"][path][method]
        assert set(operation["responses"]) == BUILT[path][method]
        assert operation["summary"] and operation["description"] and operation["operationId"]
        for status, answer in operation["responses"].items():
            assert "X-Request-ID" in answer["headers"] and answer["description"]
            content = answer["content"]["application/json"]
            for example in content.get("examples", {}).values() if status >= "400" else ():
                assert ErrorBody.model_validate(example["value"]).error.type in answer["description"]
            assert status in ("200", "202", "207", "503") or content["examples"], (path, status)


@pytest.mark.requirement("openapi.routes", "openapi.valid")
async def test_extract_is_described_as_it_is(described: dict[str, Any]) -> None:
    operation = described["paths"][EXTRACT]["post"]
    body = operation["requestBody"]["content"]
    for example in body["application/json"]["examples"].values():
        CadExtractRequest.model_validate(example["value"])
    assert set(body["multipart/form-data"]["schema"]["properties"]) == {"file", "target_contract", "edges"}
    assert operation["security"] == [{"apiKey": []}]
    assert described["paths"]["/api/v1/models"]["get"]["security"] == []
    answers = operation["responses"]
    assert set(answers["409"]["content"]["application/json"]["examples"]) == {
        "idempotency_conflict",
        "idempotency_in_progress",
    }
    assert "Retry-After" in answers["503"]["headers"] and "Idempotency-Replayed" in answers["200"]["headers"]
    [parameter] = operation["parameters"]
    assert (parameter["name"], parameter["in"], parameter["required"]) == ("Idempotency-Key", "header", False)
    assert parameter["schema"]["type"] == "string" and parameter["schema"]["maxLength"] == 255


@pytest.mark.requirement("openapi.routes", "openapi.valid", "responses.sent-ahead")
async def test_the_reasoning_routes_are_described_as_they_are(described: dict[str, Any]) -> None:
    single, batch = (
        described["paths"]["/api/v1/responses"]["post"],
        described["paths"]["/api/v1/responses/batch"]["post"],
    )
    document, reference = described["components"]["schemas"]["ResponsesInput"]["properties"]["cad_scene"]["anyOf"]
    assert document["$ref"].endswith("/CadExtraction") and set(reference["properties"]) == {
        "upload_id",
        "scene_id",
        "extraction_id",
    }
    for operation in (single, batch):
        assert operation["security"] == [{"apiKey": []}] and list(operation["requestBody"]["content"]) == [
            "application/json"
        ]
    assert "Retry-After" in single["responses"]["429"]["headers"]
    shown = batch["responses"]["207"]["content"]["application/json"]["examples"]["mixed"]["value"]
    assert [entry.status for entry in ResponseBatch.model_validate(shown).data] == [200, 422]


@pytest.mark.requirement("openapi.valid", "validation.never-framework-422")
async def test_schema_names_are_ours_and_the_frameworks_422_is_nowhere(described: dict[str, Any]) -> None:
    names = set(described["components"]["schemas"])
    assert {"CadExtractRequest", "CadExtraction", "ErrorBody", "Health", "ModelList", "Usage"} <= names
    assert not {name for name in names if "Validation" in name or not re.fullmatch(r"[A-Za-z]+", name)}


@pytest.mark.requirement("openapi.routes")
def test_every_error_of_the_tree_has_its_example() -> None:
    tree = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.SpatialError)}
    assert {*SAMPLES} == tree - {errors.SpatialError, errors.Unavailable}


@pytest.mark.requirement("openapi.routes")
async def test_the_phases_in_examples_are_those_of_the_converter(house: House) -> None:
    shown = set(re.findall(r'"phase":\s*"(\w+)"', (await house.client.get("/openapi.json")).text))
    assert shown and shown <= set(get_args(Phase))


@pytest.mark.requirement("docs.offline")
@pytest.mark.parametrize("page", ["/docs", "/redoc"])
async def test_a_page_loads_from_this_service_only(house: House, page: str) -> None:
    answer = await house.client.get(page)
    assert answer.status_code == 200
    loaded = re.findall(r"""(?:src|href|spec-url|url:)\s*=?\s*["']([^"']+)""", answer.text)
    assert "/openapi.json" in loaded and len(loaded) >= 3
    for address in loaded:
        assert address.startswith("/") and not address.startswith("//")
        assert (await house.client.get(address)).status_code == 200
    assert "http://" not in answer.text and "https://" not in answer.text
    policy = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert not [source for sources in policy.values() for source in sources.split() if "." in source or "*" in source]


@pytest.mark.requirement("docs.offline")
async def test_no_file_that_a_page_loads_asks_another_host(house: House) -> None:
    for name, media_type in ASSETS.items():
        answer = await house.client.get(f"/docs/assets/{name}")
        assert answer.headers["content-type"].startswith(media_type) and len(answer.content) > 200
        for address in (*EXTERNAL_ADDRESSES, b"fonts.googleapis", b"fonts.gstatic", b"//cdn."):
            assert address not in answer.content, (name, address)
        if name.endswith(".css"):
            assert not re.search(rb"url\(\s*[\"']?(https?:)?//", answer.content) and b"@import" not in answer.content


async def _nothing() -> None:
    """An endpoint without a key."""


@pytest.mark.requirement("openapi.routes")
def test_an_endpoint_that_lacks_a_part_is_refused_with_a_sentence_that_says_what_to_add() -> None:
    declared: dict[str, Any] = {"operation_id": "nothing", "summary": "Nothing", "tags": ["models"]}
    with pytest.raises(TypeError, match=r"does not declare its errors; add @raises"):
        PublicEndpoint("/api/v1/nothing", _nothing, **declared)
    raises()(_nothing)
    with pytest.raises(TypeError, match=r"has no authentication; add a parameter `caller: CallerDep`"):
        Endpoint("/api/v1/nothing", _nothing, **declared)
    with pytest.raises(TypeError, match=r"is not described; add operation_id, summary"):
        PublicEndpoint("/api/v1/nothing", _nothing, tags=["models"])
    PublicEndpoint("/api/v1/nothing", _nothing, **declared)


@pytest.mark.requirement("openapi.routes")
async def test_every_module_of_routes_is_served_and_every_route_is_an_endpoint(house: House) -> None:
    others = [
        context.path
        for context in iter_route_contexts(house.app.routes)
        if context.original_route not in openapi.endpoints(house.app)
    ]
    assert not others, f"make Endpoint or PublicEndpoint the route_class of the routers of {others}"
    modules = {
        f"{package.__name__}.{module.name}"
        for package in (routes, pages)
        for module in pkgutil.iter_modules(package.__path__)
    }
    served = {endpoint.endpoint.__module__ for endpoint in openapi.endpoints(house.app)}
    assert modules == served, (
        f"add a row to ROUTERS in api/app.py, or in api/console/routers.py, for {sorted(modules - served)}"
    )
