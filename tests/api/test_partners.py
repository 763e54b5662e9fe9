"""Feature trees by import and by signed event."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from storage.postgres import accounts, partner_secrets
from tests.api.house import House, headers, open_house
from tests.api.reasoning_house import respond

IMPORT = "/api/v1/cad/import-feature-tree"
WEBHOOK = "/api/v1/cad/partner-webhook"
TREE: dict[str, Any] = {
    "partner": "acme-cad",
    "document_id": "doc-1",
    "feature_tree": [
        {"id": "plate", "feature_type": "box", "size": [100, 60, 10], "units": "mm"},
        {
            "id": "h",
            "feature_type": "hole",
            "parent": "plate",
            "position": [20, 20, 10],
            "diameter": 10,
            "through": True,
        },
        {"id": "row", "feature_type": "pattern", "of": "h", "direction": [1, 0, 0], "spacing": 30, "count": 3},
        {"id": "loft", "feature_type": "loft", "bounds": {"min": [0, 0, 20], "max": [5, 5, 30]}},
    ],
}
BODY = json.dumps(TREE).encode()
SHIFTED = [1, 0, 0, 0, 0, 1, 0, 80, 0, 0, 1, 0]


def sign(body: bytes, secret: str) -> bytes:
    return hmac.new(secret.encode(), body, hashlib.sha256).digest()


async def post(
    house: House, body: bytes = BODY, *, signature: str | None, kind: str = "application/json"
) -> httpx.Response:
    sent = {"Content-Type": kind} | ({"X-Service-Signature": signature} if signature is not None else {})
    return await house.client.post(WEBHOOK, content=body, headers=sent)


async def import_tree(house: House, key: str | None, tree: dict[str, Any] | None = None) -> httpx.Response:
    return await house.client.post(IMPORT, json=tree or TREE, headers=headers(key))


async def secret_of(house: House, partner: str = "acme-cad", account: str = "acme") -> str:
    async with house.dispatch.database.transaction() as connection:
        owner = await accounts.get_or_create(connection, account)
        return (await partner_secrets.add(connection, owner.id, partner)).secret


@pytest.fixture
async def partnered(postgres_url: str, tmp_path: Path) -> AsyncIterator[House]:
    """An API with a shared secret."""
    async with open_house(postgres_url, tmp_path, webhook_secret=SecretStr("shared secret")) as opened:
        yield opened


@pytest.mark.requirement("import.200", "import.becomes-scene", "partners.solids", "partners.honest", "partners.billed")
async def test_an_imported_tree_is_a_scene_of_exact_solids_and_stated_bounds(house: House, key: str) -> None:
    answer = await import_tree(house, key)
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert body["request_id"] == answer.headers["X-Request-ID"]
    assert body["objects"] == [{"id": "plate", "has_solid": True}, {"id": "loft", "has_solid": False}]
    assert any("loft" in warning and "not built" in warning for warning in body["warnings"])
    assert body["usage"]["input_tokens"] == math.ceil(len(answer.request.content) / 4)
    [row] = await house.usage(key)
    assert (row.route, row.input_tokens) == (IMPORT, body["usage"]["input_tokens"])
    scene = (await respond(house, key, {"input": {"task_type": "understand", "scene_id": body["scene_id"]}})).json()
    plate, loft = scene["output"][0]["data"]["cad_scene"]["objects"]
    assert plate["volume"] == pytest.approx(100 * 60 * 10 - 3 * math.pi * 25 * 10)
    assert loft["bounds"] == {"min": [0, 0, 20], "max": [5, 5, 30]} and "volume" not in loft


@pytest.mark.requirement("partners.honest", "import.becomes-scene")
async def test_names_and_materials_of_features_are_those_of_the_scene(house: House, key: str) -> None:
    plate = {"id": "plate", "feature_type": "box", "size": [100, 60, 10], "units": "mm", "name": "Base plate"}
    bounds = {"min": [0, 0, 200], "max": [40, 40, 208]}
    gear = {"id": "gear", "feature_type": "gear", "name": "Drive gear", "material": "brass", "bounds": bounds}
    spare = {"id": "spare", "feature_type": "instance", "of": "plate", "name": "Spare", "transform": SHIFTED}
    features = [{**plate, "material": "S235"}, gear, spare]
    tree = {"partner": "acme-cad", "document_id": "named", "feature_tree": features}
    scene_id = (await import_tree(house, key, tree)).json()["scene_id"]
    answer = await respond(house, key, {"input": {"task_type": "describe", "scene_id": scene_id}})
    data = answer.json()["output"][0]["data"]
    text = data["description"]
    assert "The model has 2 solids and 1 stated extent" in text and "2 × “Base plate”" in text
    assert "Spare" in [found.get("name") for found in data["cad_scene"]["objects"]]
    assert "“Base plate” is an exact solid of 100 × 60 × 10 mm, of the material “S235”" in text
    assert "“Drive gear” is an object known by its extent alone of 40 × 40 × 8 mm, of the material “brass”" in text


@pytest.mark.requirement("import.errors", "partners.replay")
async def test_an_import_answers_400_401_402_and_the_same_scene_twice(house: House, key: str) -> None:
    assert (await import_tree(house, None)).status_code == 401
    assert (await import_tree(house, await house.key(None))).status_code == 402
    for wrong in (
        {"partner": "a"},
        TREE | {"feature_tree": [{"id": "a"}]},
        TREE | {"feature_tree": TREE["feature_tree"][:1] * 2},
    ):
        refused = await import_tree(house, key, wrong)
        assert refused.status_code == 400 and refused.json()["error"]["details"]["field"]
    first, second = (await import_tree(house, key)).json(), (await import_tree(house, key)).json()
    assert first["scene_id"] == second["scene_id"] and (first["is_new"], second["is_new"]) == (True, False)


@pytest.mark.requirement("partners.account-scoped")
async def test_a_scene_of_another_account_is_unknown(house: House, key: str) -> None:
    scene_id = (await import_tree(house, key)).json()["scene_id"]
    refused = await respond(house, await house.key(), {"input": {"task_type": "understand", "scene_id": scene_id}})
    assert refused.status_code == 400 and refused.json()["error"]["details"]["field"] == "input.scene_id"


@pytest.mark.requirement("webhook.200", "webhook.hmac", "webhook.no-api-key", "webhook.encodings", "partners.billed")
async def test_a_signed_event_is_accepted_in_every_encoding_and_not_billed(house: House) -> None:
    digest = sign(BODY, await secret_of(house, "p-encodings", "acme-encodings"))
    body = json.dumps(TREE | {"partner": "p-encodings"}).encode()
    async with house.dispatch.database.transaction() as connection:
        [known] = await partner_secrets.of_partner(connection, "p-encodings")
    digest = sign(body, known.secret)
    written = [digest.hex(), digest.hex().upper(), f"sha256={digest.hex()}", f"SHA256={digest.hex().upper()}"]
    written.append(base64.b64encode(digest).decode())
    answers = [await post(house, body, signature=signature) for signature in written]
    assert [answer.status_code for answer in answers] == [200] * 5, answers[0].text
    assert [answer.json()["is_new"] for answer in answers] == [True, False, False, False, False]
    assert await house.query(f"SELECT * FROM usage WHERE account_id = '{known.account_id}'") == []


@pytest.mark.requirement("webhook.401", "partners.shared-secret")
async def test_what_is_not_signed_by_its_partner_is_401(partnered: House) -> None:
    secret = await secret_of(partnered, "p-own", "acme-own")
    own = json.dumps(TREE | {"partner": "p-own"}).encode()
    right, shared = sign(own, secret).hex(), sign(own, "shared secret").hex()
    assert (await post(partnered, own, signature=right)).status_code == 200
    for signature in (
        None,
        "",
        "no digest",
        right[:-2],
        "0" * 64,
        shared,
        base64.urlsafe_b64encode(sign(own, secret)).decode()[:-1],
    ):
        assert (await post(partnered, own, signature=signature)).status_code == 401, signature
    unknown = json.dumps(TREE | {"partner": "p-without"}).encode()
    assert (await post(partnered, unknown, signature=sign(unknown, "shared secret").hex())).status_code == 200
    assert (await post(partnered, unknown, signature=sign(unknown, secret).hex())).status_code == 401


@pytest.mark.requirement("webhook.401")
async def test_without_a_shared_secret_an_unknown_partner_is_401(house: House) -> None:
    body = json.dumps(TREE | {"partner": "p-nobody"}).encode()
    assert (await post(house, body, signature=sign(body, "").hex())).status_code == 401


@pytest.mark.requirement("partners.rotation")
async def test_two_secrets_sign_and_a_removed_one_does_not(house: House) -> None:
    old, new = await secret_of(house, "p-rotation", "acme-r"), await secret_of(house, "p-rotation", "acme-r")
    body = json.dumps(TREE | {"partner": "p-rotation"}).encode()
    for secret in (old, new):
        assert (await post(house, body, signature=sign(body, secret).hex())).status_code == 200
    async with house.dispatch.database.transaction() as connection:
        first, _ = await partner_secrets.of_partner(connection, "p-rotation")
        assert await partner_secrets.remove(connection, first.id)
    assert (await post(house, body, signature=sign(body, old).hex())).status_code == 401
    assert (await post(house, body, signature=sign(body, new).hex())).status_code == 200


@pytest.mark.requirement("partners.malformed")
@pytest.mark.parametrize(
    ("body", "kind"), [(b"{", "application/json"), (b'{"partner": "acme"}', "application/json"), (BODY, "text/plain")]
)
async def test_signed_but_malformed_is_400_and_unsigned_stays_401(partnered: House, body: bytes, kind: str) -> None:
    assert (await post(partnered, body, signature=sign(body, "shared secret").hex(), kind=kind)).status_code == 400
    assert (await post(partnered, body, signature="0" * 64, kind=kind)).status_code == 401
