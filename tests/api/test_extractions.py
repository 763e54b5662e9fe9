"""The extractions of the last 24 hours: listed, read again, and named as scenes."""

from __future__ import annotations

import pytest

from tests.api.house import EXTRACT, House, assert_fault, headers
from tests.api.reasoning_house import question, respond, small_solvers

LIST = "/api/v1/cad/extractions"


async def age(house: House, request_id: str, hours: float) -> None:
    """Make an extraction older."""
    async with house.dispatch.database.transaction() as connection:
        await connection.exec_driver_sql(
            f"UPDATE usage SET created_at = created_at - interval '{hours} hours' WHERE request_id = '{request_id}'"
        )


@pytest.mark.requirement("extractions.list")
async def test_extractions_are_listed_latest_first_and_page_by_page(house: House, key: str) -> None:
    made = [(await house.extract(key, file_name=f"part-{number}.step")).json()["request_id"] for number in range(5)]
    await house.extract(await house.key())
    read = (await house.client.get(LIST, headers=headers(key))).json()
    assert [one["id"] for one in read["data"]] == made[::-1] and read["has_more"] is False
    assert (read["data"][0]["file_name"], read["data"][0]["source_format"]) == ("part-4.step", "step")
    page = (await house.client.get(LIST, params={"limit": 2, "skip": 2}, headers=headers(key))).json()
    assert [one["id"] for one in page["data"]] == made[::-1][2:4] and page["has_more"] is True
    await age(house, made[0], 25)
    assert len((await house.client.get(LIST, headers=headers(key))).json()["data"]) == 4


@pytest.mark.requirement("extractions.read")
async def test_an_extraction_is_read_again_as_it_was_answered_without_charge(house: House, key: str) -> None:
    answer = await house.extract(key)
    again = await house.client.get(f"{LIST}/{answer.json()['request_id']}", headers=headers(key))
    assert (again.status_code, again.content) == (200, answer.content)
    assert again.headers["x-request-id"] == answer.headers["x-request-id"]
    assert len(await house.usage(key)) == 1


@pytest.mark.requirement("extractions.account-scoped")
async def test_what_is_not_the_accounts_is_404(house: House, key: str) -> None:
    mine = (await house.extract(key)).json()["request_id"]
    others = (await house.extract(await house.key())).json()["request_id"]
    gone = (await house.extract(key)).json()["request_id"]
    await house.dispatch.lake.delete(house.dispatch.jobs[-1].result_key)
    await age(house, mine, 24.1)
    for wrong in (mine, others, gone, "req_", "req_1.99", "%00", "a" * 300, f"{others}.0"):
        assert_fault(await house.client.get(f"{LIST}/{wrong}", headers=headers(key)), 404, "not_found")
    assert_fault(await house.client.get(LIST), 401, "authentication_error")


@pytest.mark.requirement("extractions.parameters")
@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "limit=x", "limit=1&limit=2", "skip=-1", "skip=1e3", "skip=99999999999999"]
)
async def test_wrong_parameters_are_400(house: House, key: str, query: str) -> None:
    details = assert_fault(
        await house.client.get(f"{LIST}?{query}", headers=headers(key)), 400, "invalid_request_error"
    )
    assert details["field"] == query.partition("=")[0]


@pytest.mark.requirement("extractions.scene", "responses.sent-ahead-refused")
async def test_a_reasoning_request_names_an_extraction(house: House, key: str) -> None:
    mine = (await house.extract(key)).json()["request_id"]
    others = (await house.extract(await house.key())).json()["request_id"]
    with small_solvers():
        found = await respond(house, key, question(cad_scene={"extraction_id": mine}, object_id="box"))
        assert found.status_code == 200, found.text
        refused = await respond(house, key, question(cad_scene={"extraction_id": others}, object_id="box"))
        twice = await respond(house, key, question(cad_scene={"extraction_id": mine, "scene_id": "a"}))
    [(_, asked, _)] = house.dispatch.asked
    assert asked.cad_scene is not None and asked.cad_scene.request_id == mine
    assert assert_fault(refused, 400, "invalid_request_error")["field"] == "input.cad_scene.extraction_id"
    assert_fault(twice, 400, "invalid_request_error")
    assert EXTRACT in {row.route for row in await house.usage(key)}
