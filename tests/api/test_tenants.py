"""No account reaches what is another's: every place where a request names something by id, asked by a stranger.

To a stranger what exists and what does not exist look alike: the answer to another account's id is that to an id of nobody, byte for
byte but for the ids and the request's own. The places are compared with the interface's description, so that a new one has to be added.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

import httpx
import pytest

from tests.api.batch_house import BATCH, item, submitted
from tests.api.house import EXTRACT, House, headers
from tests.api.mcp_calls import message, post, tool
from tests.api.reasoning_house import question, respond, small_solvers
from tests.api.test_partners import import_tree
from tests.api.test_uploads import UPLOADS, announced, put

EXTRACTIONS: Final = "/api/v1/cad/extractions"
Ask = Callable[[House, str, str], Awaitable[httpx.Response]]
"""A request with a key that names an id."""


def route(method: str, path: str) -> Ask:
    """A request of a route whose path ends with an id."""

    async def ask(house: House, key: str, id: str) -> httpx.Response:
        content = b"solid" if method == "PUT" else None
        return await house.client.request(method, path.format(id=id), headers=headers(key), content=content)

    return ask


async def _extract_of_upload(house: House, key: str, id: str) -> httpx.Response:
    return await house.extract(key, content_base64=None, upload_id=id)


async def _batch_of_upload(house: House, key: str, id: str) -> httpx.Response:
    named = item(content_base64=None, upload_id=id)
    return await house.client.post(BATCH, json={"items": [named]}, headers=headers(key))


def _reasoning(**members: Any) -> Ask:
    """A reasoning request; ID stands for the id."""

    def placed(value: Any, id: str) -> Any:
        if isinstance(value, dict):
            return {name: placed(one, id) for name, one in value.items()}
        return id if value == "ID" else value

    async def ask(house: House, key: str, id: str) -> httpx.Response:
        with small_solvers():
            return await respond(house, key, question(**placed(members, id)))

    return ask


def _resource(uri: str) -> Ask:
    async def ask(house: House, key: str, id: str) -> httpx.Response:
        return await post(house, message("resources/read", {"uri": uri.format(id=id)}), key)

    return ask


async def _tool_of_upload(house: House, key: str, id: str) -> httpx.Response:
    return await post(house, tool("extract_cad", file_name="part.step", upload_id=id), key)


async def _tool_of_scene(house: House, key: str, id: str) -> httpx.Response:
    with small_solvers():
        return await post(house, tool("rowe_respond", input={"task_type": "classify", "scene_id": id}), key)


async def _extraction(house: House, key: str) -> str:
    return str((await house.extract(key)).json()["request_id"])


async def _batch(house: House, key: str) -> str:
    return await submitted(house, key)


async def _upload(house: House, key: str) -> str:
    upload = await announced(house, key)
    assert (await put(house, key, upload)).status_code == 200
    return str(upload["id"])


async def _scene(house: House, key: str) -> str:
    return str((await import_tree(house, key)).json()["scene_id"])


MADE: Final[dict[str, Callable[[House, str], Awaitable[str]]]] = {
    "extraction": _extraction,
    "batch": _batch,
    "upload": _upload,
    "scene": _scene,
}
"""How an account makes what another account must not reach."""

PLACES: Final[tuple[tuple[str, str, Ask], ...]] = (
    ("extraction", "GET /api/v1/cad/extractions/{id}", route("GET", f"{EXTRACTIONS}/{{id}}")),
    ("batch", "GET /api/v1/cad/extract/batch/{id}", route("GET", f"{BATCH}/{{id}}")),
    ("batch", "DELETE /api/v1/cad/extract/batch/{id}", route("DELETE", f"{BATCH}/{{id}}")),
    ("batch", "POST /api/v1/cad/extract/batch/{id}/rerun", route("POST", f"{BATCH}/{{id}}/rerun")),
    ("upload", "GET /api/v1/uploads/{upload_id}", route("GET", f"{UPLOADS}/{{id}}")),
    ("upload", "PUT /api/v1/uploads/{upload_id}", route("PUT", f"{UPLOADS}/{{id}}")),
    ("upload", "DELETE /api/v1/uploads/{upload_id}", route("DELETE", f"{UPLOADS}/{{id}}")),
    ("upload", "upload_id of extract", _extract_of_upload),
    ("upload", "upload_id of extract/batch", _batch_of_upload),
    ("upload", "upload_id of cad_scene", _reasoning(point_cloud_scene=None, cad_scene={"upload_id": "ID"})),
    ("extraction", "extraction_id of cad_scene", _reasoning(point_cloud_scene=None, cad_scene={"extraction_id": "ID"})),
    ("extraction", "extraction_id of previous_cad_scene", _reasoning(previous_cad_scene={"extraction_id": "ID"})),
    ("scene", "scene_id of cad_scene", _reasoning(point_cloud_scene=None, cad_scene={"scene_id": "ID"})),
    ("scene", "scene_id of input", _reasoning(point_cloud_scene=None, scene_id="ID")),
    ("scene", "previous_scene_id of input", _reasoning(previous_scene_id="ID")),
    ("extraction", "resource of MCP", _resource("spatial://extractions/{id}")),
    ("extraction", "part of a resource of MCP", _resource("spatial://extractions/{id}/structure.solids")),
    ("upload", "upload_id of a tool of MCP", _tool_of_upload),
    ("scene", "scene_id of a tool of MCP", _tool_of_scene),
)
"""What is named, where, and the request."""


@pytest.mark.requirement("tenants.apart")
@pytest.mark.parametrize(("kind", "place", "ask"), PLACES, ids=[place for _, place, _ in PLACES])
async def test_a_stranger_cannot_tell_what_is_anothers_from_what_is_nobodys(
    house: House, kind: str, place: str, ask: Ask
) -> None:
    owner, stranger = await house.key(), await house.key()
    theirs = await MADE[kind](house, owner)
    nobodys = theirs[:-4] + ("0000" if theirs[-4:] != "0000" else "1111")
    asked = await ask(house, stranger, theirs)
    missed = await ask(house, stranger, nobodys)
    assert asked.status_code == missed.status_code
    assert _normal(asked, theirs) == _normal(missed, nobodys)
    assert "error" in asked.json() or asked.json()["result"]["isError"], place
    assert await house.usage(stranger) == [], "what is refused costs nothing"
    found = await ask(house, owner, theirs)
    assert _normal(found, theirs) != _normal(asked, theirs), (
        "the owner is told something else: the request itself is sound"
    )


NAMED_IN_BODIES: Final = {
    "POST /api/v1/cad/extract": ("upload_id of extract",),
    "POST /api/v1/cad/extract/batch": ("upload_id of extract/batch",),
    "POST /api/v1/responses": ("upload_id of cad_scene", "extraction_id of cad_scene", "scene_id of input"),
    "POST /api/v1/responses/batch": ("upload_id of cad_scene", "extraction_id of cad_scene", "scene_id of input"),
    "POST /api/mcp": ("resource of MCP", "upload_id of a tool of MCP", "scene_id of a tool of MCP"),
}
"""Routes whose bodies name something, and the places in which they are asked; an item of a responses batch is read as a request is."""

NAMES_NOTHING: Final = {
    "GET /api/v1/models": "public, the same for everybody",
    "GET /api/health": "public, the same for everybody",
    "GET /api/v1/cad/extractions": "lists what is the account's own",
    "GET /api/v1/usage": "sums what is the account's own",
    "POST /api/v1/uploads": "makes something new",
    "POST /api/v1/cad/import-feature-tree": "makes something new; its document_id is the partner's",
    "POST /api/v1/cad/partner-webhook": "the account is that of the secret",
    "POST /api/v1/billing/stripe-webhook": "the account is that of a signed event",
}
"""Routes that take no id of the service's, and why."""


@pytest.mark.requirement("tenants.apart")
async def test_every_route_of_the_description_has_its_row_in_the_matrix(house: House) -> None:
    described = (await house.client.get("/openapi.json")).json()
    routes = {f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods}
    places = {place for _, place, _ in PLACES}
    rows = {place for place in places if "{" in place}, NAMED_IN_BODIES.keys(), NAMES_NOTHING.keys()
    assert routes == set().union(*rows), (
        "a route without a row: say what ids it takes, and ask for those of another account"
    )
    assert sum(map(len, rows)) == len(routes), "a route stands in one row"
    assert {place for named in NAMED_IN_BODIES.values() for place in named} <= places


def _normal(answer: httpx.Response, id: str) -> str:
    return re.sub(r"req_[0-9a-f]+", "REQUEST", answer.text.replace(id, "ID"))


@pytest.mark.requirement("tenants.apart")
async def test_every_place_of_the_description_that_takes_an_id_is_asked(house: House) -> None:
    described = (await house.client.get("/openapi.json")).json()
    routes = {
        f"{method.upper()} {path}"
        for path, methods in described["paths"].items()
        for method in methods
        if "{" in path and method in ("get", "put", "post", "delete", "patch")
    }
    places = {place for _, place, _ in PLACES}
    assert routes == {place for place in places if "{" in place}
    members = {
        name
        for model in described["components"]["schemas"].values()
        for name in model.get("properties", {})
        if re.fullmatch(r"(.*_)?(upload|extraction|scene|batch|request|key|account)_id", name)
    }
    own = {"request_id", "batch_id", "key_id"}  # of answers
    assert members - own <= {place.split(" ")[0] for place in places}, "a member that names something is asked nowhere"


@pytest.mark.requirement("tenants.apart")
async def test_lists_usage_and_retries_are_an_accounts_own(house: House) -> None:
    owner, stranger = await house.key(), await house.key()
    theirs = await _extraction(house, owner)
    first = await house.extract(owner, retry="same-retry-key")
    second = await house.extract(stranger, retry="same-retry-key", file_name="other.step")
    assert (first.status_code, second.status_code) == (200, 200), (
        "one account's Idempotency-Key says nothing of another's"
    )
    listed = (await house.client.get(EXTRACTIONS, headers=headers(stranger))).json()["data"]
    assert [one["id"] for one in listed] == [second.json()["request_id"]]
    used = (await house.client.get("/api/v1/usage", headers=headers(stranger))).text
    assert theirs not in used and len(await house.usage(owner)) == 2
    assert (await house.client.post(EXTRACT, headers=headers("sk-" + "0" * 40))).status_code == 401
