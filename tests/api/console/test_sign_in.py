"""Sign-in to the console: sessions, refusals, throttling, forged requests, headers."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from api.console.rendering import NAVIGATION
from api.console.routers import ROUTERS
from storage.postgres import console_sessions, operators, sign_in_failures
from tests.api.console.desk import SIGN_IN, Desk, open_desk
from tests.api.house import House, assert_fault, open_house


@pytest.mark.requirement("console.sign-in")
async def test_a_session_opens_with_the_password_and_ends_with_the_sign_out(house: House) -> None:
    async with open_desk(house, signed_in=False) as desk:
        away = await desk.client.get("/console/usage?account=x")
        assert (away.status_code, away.headers["location"]) == (303, f"{SIGN_IN}?next=/console/usage%3Faccount%3Dx")
        opened = await desk.sign_in(next="/console/usage?account=x")
        assert (opened.status_code, opened.headers["location"]) == (303, "/console/usage?account=x")
        cookie = opened.headers["set-cookie"].lower()
        assert (
            "httponly" in cookie and "samesite=lax" in cookie and "path=/console" in cookie and "secure" not in cookie
        )
        value = desk.client.cookies["spatial_console"]
        kept = await house.query("SELECT encode(digest, 'escape') FROM console_sessions")
        assert value not in {row[0] for row in kept}
        assert "Overview" in await desk.get("/console")
        assert (await desk.post("/console/sign-out")).status_code == 303
        desk.client.cookies.set("spatial_console", value, path="/console")
        assert (await desk.client.get("/console")).status_code == 303


@pytest.mark.requirement("console.sign-in")
async def test_over_tls_the_cookie_is_secure(house: House) -> None:
    async with open_desk(house, signed_in=False) as desk:
        desk.client.headers["x-forwarded-proto"] = "https"
        assert "secure" in (await desk.sign_in()).headers["set-cookie"].lower()


@pytest.mark.requirement("console.sign-in")
@pytest.mark.parametrize("path", ["https://evil.example", "//evil.example", "/docs", "/console\\evil", "/consolex"])
async def test_the_sign_in_leads_nowhere_but_to_the_console(house: House, path: str) -> None:
    async with open_desk(house, signed_in=False) as desk:
        assert (await desk.sign_in(next=path)).headers["location"] == "/console"


@pytest.mark.requirement("console.password-hash")
@pytest.mark.parametrize("hasher", [operators._HASHER], ids=["own"])
async def test_passwords_are_kept_as_argon2id(desk: Desk) -> None:
    rows = await desk.house.query(f"SELECT password_hash FROM operators WHERE name = '{desk.operator.name}'")
    assert rows and all(row[0].startswith("$argon2id$v=19$m=65536,t=3,p=4$") for row in rows)


@pytest.mark.requirement("console.password-hash")
async def test_a_new_password_ends_every_other_session(house: House, desk: Desk) -> None:
    async with house.dispatch.database.transaction() as connection:
        (row,) = [one for one in await operators.list_operators(connection) if one.name == desk.operator.name]
        other = await console_sessions.open(connection, row.id)
    new = "a much better password"
    short = await desk.post("/console/password", password=desk.operator.password, new="short", again="short")
    assert short.status_code == 400 and "too few" in short.text
    wrong = await desk.post("/console/password", password="wrong", new=new, again=new)
    assert wrong.status_code == 400 and "present password is wrong" in wrong.text
    changed = await desk.post("/console/password", password=desk.operator.password, new=new, again=new)
    assert changed.status_code == 303
    assert "Overview" in await desk.get("/console")
    async with house.dispatch.database.transaction() as connection:
        assert await console_sessions.find(connection, other) is None
    assert (await desk.sign_in()).status_code == 401
    assert (await desk.sign_in(new)).status_code == 303


@pytest.mark.requirement("console.throttled")
async def test_failures_of_a_name_from_an_address_are_limited_whether_it_exists_or_not(house: House) -> None:
    async with open_desk(house, signed_in=False) as desk:
        for name in (desk.operator.name, f"nobody {desk.operator.name}"):
            answers = [await desk.sign_in("wrong", name=name) for _ in range(sign_in_failures.FAILURES)]
            assert {answer.status_code for answer in answers} == {401}
            refused = await desk.sign_in(name=name)
            assert refused.status_code == 429 and "set-cookie" not in refused.headers
        async with house.dispatch.database.transaction() as connection:
            renewed = await operators.reset(connection, desk.operator.name)
        assert (await desk.sign_in(renewed.password)).status_code == 303


@pytest.mark.requirement("console.throttled")
async def test_a_stranger_does_not_lock_an_operator_out(house: House) -> None:
    async with open_desk(house, signed_in=False) as desk:
        async with desk.elsewhere("198.51.100.7") as stranger:
            for _ in range(sign_in_failures.FAILURES):
                assert (await stranger.sign_in("wrong")).status_code == 401
            assert (await stranger.sign_in()).status_code == 429, "even the right password"
        assert (await desk.sign_in("mistyped")).status_code == 401
        assert (await desk.sign_in()).status_code == 303
        async with desk.elsewhere("198.51.100.7") as stranger:
            assert (await stranger.sign_in()).status_code == 429, "the operator's success does not free the stranger"


@pytest.mark.requirement("console.throttled")
async def test_a_name_that_many_addresses_guess_gives_each_of_them_one_attempt(house: House) -> None:
    async with open_desk(house, signed_in=False) as desk:
        async with house.dispatch.database.transaction() as connection:
            for place in range(sign_in_failures.FAILURES_ANYWHERE):
                await sign_in_failures.record(connection, desk.operator.name, f"198.51.100.{place}")
        async with desk.elsewhere("203.0.113.9") as stranger:
            assert (await stranger.sign_in("wrong")).status_code == 401
            assert (await stranger.sign_in("wrong")).status_code == 429
        assert (await desk.sign_in()).status_code == 303, "who knows the password and has not failed gets in"


@pytest.mark.requirement("console.throttled")
async def test_one_address_does_not_keep_others_waiting(house: House) -> None:
    async with open_desk(house, signed_in=False) as desk:
        async with desk.elsewhere("198.51.100.7") as stranger:
            flood = [asyncio.create_task(stranger.sign_in("wrong")) for _ in range(operators.WAITING)]
            assert (await desk.sign_in()).status_code == 303
            statuses = Counter(answer.status_code for answer in await asyncio.gather(*flood))
        assert statuses[429] >= operators.WAITING - operators.WAITING_OF_ORIGIN - sign_in_failures.FAILURES


@pytest.mark.requirement("console.throttled")
async def test_behind_a_trusted_proxy_the_address_is_the_browsers(postgres_url: str, tmp_path: Path) -> None:
    async with (
        open_house(postgres_url, tmp_path, trusted_proxies="10.0.0.0/8") as house,
        open_desk(house, signed_in=False, address="10.1.2.3") as desk,
    ):
        stranger = {"X-Forwarded-For": "203.0.113.1, 198.51.100.7, 10.9.9.9"}
        desk.client.headers.update(stranger)
        for _ in range(sign_in_failures.FAILURES):
            assert (await desk.sign_in("wrong")).status_code == 401
        desk.client.headers["X-Forwarded-For"] = "192.0.2.200, 198.51.100.7"
        assert (await desk.sign_in()).status_code == 429, "what the stranger writes before its address is not believed"
        desk.client.headers["X-Forwarded-For"] = "203.0.113.1"
        assert (await desk.sign_in()).status_code == 303


@pytest.mark.requirement("console.throttled")
async def test_without_a_trusted_proxy_no_header_names_the_address(house: House) -> None:
    async with open_desk(house, signed_in=False) as desk:
        for place in range(sign_in_failures.FAILURES):
            desk.client.headers["X-Forwarded-For"] = f"203.0.113.{place}"
            assert (await desk.sign_in("wrong")).status_code == 401
        assert (await desk.sign_in()).status_code == 429


@pytest.mark.requirement("console.throttled")
@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_an_origin_is_an_address_or_the_network_of_a_subscriber(address: str, origin: str) -> None:
    assert sign_in_failures.origin_of(address) == origin


@pytest.mark.requirement("console.forged")
async def test_a_form_without_the_sessions_token_or_from_another_site_changes_nothing(desk: Desk) -> None:
    path, name = "/console/accounts", "forged account"
    token = await desk.token()
    forged = [
        await desk.client.post(path, data={"name": name}),
        await desk.client.post(path, data={"name": name, "token": "0" * 64}),
        await desk.client.post(path, data={"name": name, "token": token}, headers={"Sec-Fetch-Site": "cross-site"}),
        await desk.client.post(path, data={"name": name, "token": token}, headers={"Origin": "https://evil.example"}),
    ]
    assert [answer.status_code for answer in forged] == [400] * 4
    assert name not in await desk.get(path)


@pytest.mark.requirement("console.forged")
async def test_a_form_that_is_too_large_or_not_text_is_refused(desk: Desk) -> None:
    large = await desk.client.post("/console/accounts", data={"name": "x" * 70_000})
    assert large.status_code == 413 and "text/html" in large.headers["content-type"]
    broken = await desk.client.post("/console/accounts", content=b"name=\xff\xfe")
    assert broken.status_code == 400


@pytest.mark.requirement("console.headers")
async def test_every_page_forbids_what_is_not_a_file_of_this_service(desk: Desk) -> None:
    for path, _ in NAVIGATION:
        answer = await desk.client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert answer.headers["cache-control"] == "no-store" and answer.headers["x-content-type-options"] == "nosniff"
        assert " style=" not in answer.text and "<style" not in answer.text and "onclick" not in answer.text


@pytest.mark.requirement("console.signed-in-only")
async def test_no_page_but_the_sign_in_is_shown_to_a_stranger(house: House) -> None:
    async with open_desk(house, signed_in=False) as desk:
        routes = [route for router in ROUTERS for route in router.routes]
        for route in routes:
            path, methods = route.path, route.methods  # type: ignore[attr-defined]  # every route here is an APIRoute
            if path in (SIGN_IN, "/console/assets/{name}", "/console/{path:path}"):
                continue
            (method,) = methods
            answer = await desk.client.request(method, path)
            assert answer.status_code in (303, 401), f"{method} {path} answers {answer.status_code}"
            assert answer.status_code == 401 or answer.headers["location"].startswith(SIGN_IN)


@pytest.mark.requirement("console.errors")
async def test_an_error_is_a_page_with_the_request_id(desk: Desk) -> None:
    for path in ("/console/nothing", "/console/batches/cb_0", "/console/accounts/acct_0", "/console/ingest/ir_0"):
        answer = await desk.client.get(path)
        assert answer.status_code == 404 and "text/html" in answer.headers["content-type"]
        assert answer.headers["x-request-id"] in answer.text
    assert "choose one from the overview" in (await desk.client.get("/console/nothing")).text
    assert (await desk.client.get("/console/")).headers["location"] == "/console"
    assert (await desk.client.get("/console/assets/nothing.js")).status_code == 404


@pytest.mark.requirement("console.setting")
async def test_no_console_is_served_where_the_setting_says_so(postgres_url: str, tmp_path: Path) -> None:
    async with open_house(postgres_url, tmp_path, console=False) as house:
        for path in ("/console", SIGN_IN, "/console/assets/console.css"):
            assert_fault(await house.client.get(path), 404, "not_found")
        assert (await house.client.get("/api/health")).status_code == 200
