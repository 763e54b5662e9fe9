"""Flow runs of the running stack, through the HTTP API of its Prefect server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import quote

import httpx

from cli import stack
from spatial.errors import ConverterUnavailable, InvalidRequest
from storage.settings import Settings

ANSWER_SECONDS: Final = 30.0
"""How long the Prefect server may take to answer."""

AT_ONCE: Final = 50
"""How many runs the Prefect server deletes at a time."""

ENDED: Final = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")


class NothingRuns(ConverterUnavailable):
    """There is no Prefect server to ask."""


@dataclass(frozen=True)
class State:
    """How a flow run is."""

    type: str
    name: str
    message: str

    @property
    def ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.type in ENDED


class FlowRuns:
    """A client of the Prefect server that the settings, or the stack that runs in this home, name."""

    def __init__(self, settings: Settings) -> None:
        """Raises: NothingRuns."""
        if settings.prefect_api_url is None:
            raise NothingRuns(
                f"no stack runs in {settings.home}: start one with `spatial run`, name its folder with --home, "
                "or set SPATIAL_PREFECT_API_URL and SPATIAL_DATABASE_URL"
            )
        user, _, password = (settings.prefect_auth.get_secret_value() if settings.prefect_auth else "").partition(":")
        self.url = settings.prefect_api_url
        self._http = httpx.Client(
            base_url=f"{self.url}/", auth=(user, password) if user else None, timeout=ANSWER_SECONDS, trust_env=False
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def start(self, flow: str, parameters: dict[str, Any]) -> tuple[str, str]:
        """A new run of the deployment of that name; its id and name. Raises: InvalidRequest, NothingRuns."""
        with self._explained():
            found = self._http.get(f"deployments/name/{quote(flow)}/{quote(flow)}")
            if found.status_code == httpx.codes.NOT_FOUND:
                raise InvalidRequest(f"the Prefect server at {self.url} has no deployment {flow}/{flow}; is it ours?")
            made = self._http.post(
                f"deployments/{found.raise_for_status().json()['id']}/create_flow_run",
                json={"parameters": parameters},
            )
            if made.status_code in (httpx.codes.CONFLICT, httpx.codes.UNPROCESSABLE_ENTITY):
                raise InvalidRequest(f"these parameters are not accepted: {_detail(made)}")
            run = made.raise_for_status().json()
        return str(run["id"]), str(run["name"])

    def state(self, flow_run_id: str) -> State:
        """How a run is now. Raises: NothingRuns."""
        with self._explained():
            run = self._http.get(f"flow_runs/{flow_run_id}").raise_for_status().json()
        state = run["state"] or {}
        return State(str(state.get("type")), str(state.get("name")), str(state.get("message") or ""))

    def told(self, flow_run_id: str, key: str) -> str:
        """The page that a run has left under a key, as Markdown; empty where it left none. Raises: NothingRuns."""
        asked = {"artifacts": {"flow_run_id": {"any_": [flow_run_id]}, "key": {"any_": [key]}}}
        with self._explained():
            found = self._http.post("artifacts/filter", json=asked).raise_for_status().json()
        return str(found[0]["data"]) if found else ""

    def forget(self, tags: list[str]) -> int:
        """Delete the runs that wear one of these tags, with their artifacts, task runs and logs; how many. Raises: NothingRuns."""
        gone = 0
        with self._explained():
            for start in range(0, len(tags), AT_ONCE):
                worn = {"tags": {"any_": tags[start : start + AT_ONCE]}}
                while runs := self._asked("flow_runs/filter", flow_runs=worn, limit=AT_ONCE):
                    ids = [str(run["id"]) for run in runs]
                    for artifact in self._asked("artifacts/filter", artifacts={"flow_run_id": {"any_": ids}}):
                        self._http.delete(f"artifacts/{artifact['id']}").raise_for_status()
                    self._asked("flow_runs/bulk_delete", flow_runs={"id": {"any_": ids}}, limit=AT_ONCE)
                    gone += len(ids)
        return gone

    def _asked(self, path: str, **body: Any) -> Any:
        return self._http.post(path, json=body).raise_for_status().json()

    def page(self, flow_run_id: str) -> str:
        """Where a person looks at a run."""
        return f"{self.url.removesuffix('/api')}/runs/flow-run/{flow_run_id}"

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except httpx.HTTPStatusError as error:
            raise NothingRuns(f"the Prefect server at {self.url} answers {error.response.status_code}") from error
        except httpx.HTTPError as error:
            raise NothingRuns(f"the Prefect server at {self.url} is out of reach: {error}") from error


def of(home: Path | None) -> tuple[Settings, FlowRuns]:
    """The settings with the addresses of the stack that runs in this home, and its flow runs. Raises: NothingRuns."""
    settings = stack.settings(home)
    return settings, FlowRuns(settings)


def _detail(answer: httpx.Response) -> str:
    try:
        said = answer.json()
    except ValueError:
        return answer.text
    return str(said.get("detail", said)) if isinstance(said, dict) else str(said)
