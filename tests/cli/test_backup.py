"""`spatial backup` and `spatial restore`: a running stack's data in an empty home, where it answers the same."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from deployments.postgres import EmbeddedPostgres
from tests.api.house import open_house
from tests.cli.conftest import Spatial, one_sentence
from tests.support.stack import SAMPLE, RunningStack, eventually

EXTRACT = "/api/v1/cad/extract"
SAID = {"file_name": "kept.step"}


@pytest.fixture(scope="module")
def client(stack: RunningStack) -> Iterator[httpx.Client]:
    """A caller of the running stack."""
    with stack.client() as opened:
        yield opened


def batch_done(client: httpx.Client) -> str:
    """Address of a batch that has ended."""
    answer = client.post(f"{EXTRACT}/batch", files=[("files", (SAMPLE.name, SAMPLE.read_bytes()))])
    assert answer.status_code == 202, answer.text
    address = str(answer.json()["status_url"])
    eventually(lambda: client.get(address).json()["status"] == "done", what="the batch's end")
    return address


@pytest.mark.requirement("cli.backup")
async def test_a_running_stack_s_data_answers_the_same_in_an_empty_home(
    spatial: Spatial, stack: RunningStack, client: httpx.Client, home: Path, tmp_path: Path
) -> None:
    file, running, restored = tmp_path / "backup.tar.gz", ("--home", stack.home), ("--home", home)
    retry = {"Idempotency-Key": "backed-up"}
    first = client.post(EXTRACT, files={"file": (SAMPLE.name, SAMPLE.read_bytes())}, headers=retry)
    assert first.status_code == 200, first.text
    address = batch_done(client)
    batch = client.get(address).json()
    usage = spatial("usage", *running).stdout
    made = spatial("backup", "-o", file, *running)
    assert made.returncode == 0 and made.stdout.strip() == str(file), made.stderr
    assert "digests of their keys" in made.stderr and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "a stack runs in" in one_sentence(spatial("restore", file, *running))
    laid = spatial("restore", file, *restored)
    assert laid.returncode == 0 and "restored" in laid.stderr, laid.stderr
    assert "is not empty" in one_sentence(spatial("restore", file, *restored))
    assert spatial("keys", "list", *restored).stdout == spatial("keys", "list", *running).stdout
    assert spatial("usage", *restored).stdout == usage
    server = EmbeddedPostgres(home)
    server.start()
    async with open_house(server.url("spatial"), home) as house:
        bearer = {"Authorization": f"Bearer {stack.key}"}
        again = await house.client.post(
            EXTRACT, files={"file": (SAMPLE.name, SAMPLE.read_bytes())}, headers={**bearer, **retry}
        )
        assert again.content == first.content and again.headers["idempotency-replayed"] == "true"
        found = (await house.client.get(address, headers=bearer)).json()
        assert {**found, "request_id": ""} == {**batch, "request_id": ""}
    server.stop()
    at_rest = spatial("backup", "-o", tmp_path / "at-rest.tar.gz", *restored)
    assert at_rest.returncode == 0, at_rest.stderr


@pytest.mark.requirement("cli.backup", "restore.hostile")
def test_a_refusal_makes_no_home(spatial: Spatial, home: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("dear diary")
    for command in (("restore", tmp_path / "text"), ("backup", "-o", tmp_path / "new"), ("backup", "-o", "no/folder")):
        assert one_sentence(spatial(*command, "--home", home))
    assert not home.exists() and not (tmp_path / "new").exists()
