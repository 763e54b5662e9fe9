"""The API's side of desktop workers, where the flow engine is away."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings
from pydantic import SecretStr

from flows.dispatch import RespondJob, open_dispatch
from spatial.errors import DesktopInferenceUnavailable
from storage import settings

JOB = RespondJob(operation_id="op_1", request_id="req_1", account_id="a", key_id="k", task="understand")
CLOUD = {"object_id": "a", "points": [{"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 1, "z": 1}]}
QUESTION = json.dumps({"task_type": "understand", "point_cloud_scene": {"point_clouds": [CLOUD]}}).encode()


@pytest.mark.usefixtures("patient")
@pytest.mark.requirement("desktop.fallback")
async def test_with_the_setting_this_machine_answers_from_geometry_and_says_so(
    tmp_path: Path, fresh_postgres_url: str
) -> None:
    for local_fallback in (True, False):
        chosen = settings.load(
            home=tmp_path,
            database_url=fresh_postgres_url,
            desktop_token=SecretStr("token"),
            local_fallback=local_fallback,
        )
        with temporary_settings({PREFECT_API_URL: "http://127.0.0.1:1/api"}):
            async with open_dispatch(chosen) as dispatch:
                status = await dispatch.runtime_status()
                assert (status.configured, status.available) == (True, False)
                deadline = asyncio.get_running_loop().time() + 18
                if local_fallback:
                    solution = await dispatch.respond(JOB, QUESTION, deadline)
                    assert (solution.router["worker"], solution.router["fallback"]) == ("local", True)
                    assert solution.router["runtime"] == "geometric" and solution.output[0]["type"] == "understand"
                else:
                    with pytest.raises(DesktopInferenceUnavailable):
                        await dispatch.respond(JOB, QUESTION, deadline)
