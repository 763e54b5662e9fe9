"""`spatial purge`: an account of a running stack, gone for good."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from flows.hosting import result_folder
from tests.support.stack import SAMPLE, RunningStack, eventually

EXTRACT = "/api/v1/cad/extract"
FILE = {"file": (SAMPLE.name, SAMPLE.read_bytes())}


def said(stack: RunningStack, *arguments: str | Path, typed: str = "") -> Result:
    """A command, in this process."""
    return CliRunner().invoke(app, [*map(str, arguments), "--home", str(stack.home)], input=typed)


def stage_results(stack: RunningStack) -> dict[str, frozenset[str]]:
    """Names of the stage results in the lake, by the id of their operation."""
    folders = (stack.home / "lake" / "prefect").glob("*")
    return {folder.name: frozenset(file.name for file in folder.iterdir()) for folder in folders if folder.is_dir()}


def extracted(stack: RunningStack, client: httpx.Client, key: str) -> tuple[httpx.Response, str]:
    """The answer to a request, and the id of its operation, with the result of a stage as a run that fails leaves it."""
    answer = client.post(EXTRACT, files=FILE, headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code == 200, answer.text
    tagged = {"flow_runs": {"tags": {"any_": [answer.headers["x-request-id"]]}}}
    with stack.prefect() as prefect:
        (run,) = eventually(lambda: prefect.post("flow_runs/filter", json=tagged).json(), what="its flow run")
    owner = result_folder(run["parameters"])
    folder = stack.home / "lake" / "prefect" / owner
    folder.mkdir(parents=True)
    (folder / "stage").write_bytes(b'"what was read"')
    return answer, owner


@pytest.mark.requirement("cli.purge", "purge.others-stay", "purge.account")
def test_an_account_of_a_running_stack_is_purged(stack: RunningStack) -> None:
    key = said(stack, "keys", "issue", "--account", "to be purged").stdout.strip()
    key_of_other = said(stack, "keys", "issue", "--account", "not to be purged").stdout.strip()
    other = said(stack, "usage", "--account", "demo").stdout
    with httpx.Client(base_url=stack.url, trust_env=False, timeout=60) as client:
        answer, first = extracted(stack, client, key)
        _, stays = extracted(stack, client, key_of_other)
        refused = said(stack, "purge", "--account", "to be purged", typed="something else\n")
        assert refused.exit_code == 1 and "nothing was deleted" in refused.stderr
        _, second = extracted(stack, client, key)
        kept = stage_results(stack)[stays]
        purged = said(stack, "purge", "--account", "to be purged", typed="to be purged\n")
        assert purged.exit_code == 0, purged.stderr
        assert "2 flow runs are deleted in Prefect" in purged.stderr and "usage" in purged.stdout
        left = stage_results(stack)
        assert first not in left and second not in left and left[stays] == kept
        assert client.post(EXTRACT, files=FILE, headers={"Authorization": f"Bearer {key}"}).status_code == 401
    with stack.prefect() as prefect:
        worn = {"flow_runs": {"tags": {"any_": [answer.headers["x-request-id"]]}}}
        assert prefect.post("flow_runs/filter", json=worn).json() == []
    assert "no account named" in said(stack, "purge", "--account", "to be purged", "--yes").stderr
    assert said(stack, "usage", "--account", "demo").stdout == other
