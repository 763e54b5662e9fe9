"""`spatial purge`: an account of a running stack, gone for good."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from tests.support.stack import SAMPLE, RunningStack

EXTRACT = "/api/v1/cad/extract"
FILE = {"file": (SAMPLE.name, SAMPLE.read_bytes())}


def said(stack: RunningStack, *arguments: str | Path, typed: str = "") -> Result:
    """A command, in this process."""
    return CliRunner().invoke(app, [*map(str, arguments), "--home", str(stack.home)], input=typed)


@pytest.mark.requirement("cli.purge", "purge.others-stay")
def test_an_account_of_a_running_stack_is_purged(stack: RunningStack) -> None:
    key = said(stack, "keys", "issue", "--account", "to be purged").stdout.strip()
    other = said(stack, "usage", "--account", "demo").stdout
    with httpx.Client(
        base_url=stack.url, headers={"Authorization": f"Bearer {key}"}, trust_env=False, timeout=60
    ) as client:
        answer = client.post(EXTRACT, files=FILE)
        assert answer.status_code == 200, answer.text
        refused = said(stack, "purge", "--account", "to be purged", typed="something else\n")
        assert refused.exit_code == 1 and "nothing was deleted" in refused.stderr
        assert client.post(EXTRACT, files=FILE).status_code == 200
        purged = said(stack, "purge", "--account", "to be purged", typed="to be purged\n")
        assert purged.exit_code == 0, purged.stderr
        assert "2 flow runs are deleted in Prefect" in purged.stderr and "usage" in purged.stdout
        assert client.post(EXTRACT, files=FILE).status_code == 401
    with stack.prefect() as prefect:
        worn = {"flow_runs": {"tags": {"any_": [answer.headers["x-request-id"]]}}}
        assert prefect.post("flow_runs/filter", json=worn).json() == []
    assert "no account named" in said(stack, "purge", "--account", "to be purged", "--yes").stderr
    assert said(stack, "usage", "--account", "demo").stdout == other
