"""Flow runs of the running stack that commands start and follow."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import httpx

from cli.stack import describe_running
from prefect_runtime import client
from prefect_runtime.client import NotRegistered, PrefectApi
from spatial.errors import ConverterUnavailable, InvalidRequest
from storage.settings import Settings

LOOK_SECONDS: Final = 0.5
"""Pause between looks at the state of a run that a command follows."""


class NothingRuns(ConverterUnavailable):
    """There is no Prefect server, or it is unreachable."""


def require_server(settings: Settings) -> str:
    """The URL of the Prefect server's API. Raises: NothingRuns."""
    if settings.prefect_api_url is None:
        raise NothingRuns(
            f"no stack runs in {settings.home}{describe_running()}: start one with `spatial run`, name its folder with --home, "
            "or set SPATIAL_PREFECT_API_URL and SPATIAL_DATABASE_URL"
        )
    return settings.prefect_api_url


@asynccontextmanager
async def prefect_api(settings: Settings) -> AsyncIterator[PrefectApi]:
    """A client of the Prefect server of the settings or of the stack that runs in this home. Raises: NothingRuns."""
    url = require_server(settings)
    auth = settings.prefect_auth.get_secret_value() if settings.prefect_auth else None
    with _explain_errors(url):
        async with client.connected(url, auth) as api:
            yield api


async def start(api: PrefectApi, flow: str, name: str, parameters: dict[str, Any]) -> str:
    """Create a run of the deployment of that flow; returns its id. Raises: InvalidRequest."""
    try:
        run = await api.create_run(f"{flow}/{flow}", name=name, parameters=parameters)
    except NotRegistered as error:
        raise InvalidRequest(str(error)) from error
    except httpx.HTTPStatusError as error:
        if error.response.status_code not in (httpx.codes.CONFLICT, httpx.codes.UNPROCESSABLE_ENTITY):
            raise
        raise InvalidRequest(f"these parameters are not accepted: {_detail(error.response)}; correct them") from error
    return str(run["id"])


def page(settings: Settings, flow_run_id: str) -> str:
    """URL of the run in the Prefect UI. Raises: NothingRuns."""
    return f"{require_server(settings).removesuffix('/api')}/runs/flow-run/{flow_run_id}"


@contextmanager
def _explain_errors(url: str) -> Iterator[None]:
    try:
        yield
    except httpx.HTTPStatusError as error:
        raise NothingRuns(
            f"the Prefect server at {url} answers {error.response.status_code}; see its log in HOME/logs"
        ) from error
    except (httpx.HTTPError, TimeoutError) as error:
        raise NothingRuns(
            f"the Prefect server at {url} is unreachable: {str(error) or type(error).__name__}; check SPATIAL_PREFECT_API_URL"
        ) from error


def _detail(answer: httpx.Response) -> str:
    try:
        body = answer.json()
    except ValueError:
        return answer.text
    return str(body.get("detail", body)) if isinstance(body, dict) else str(body)
