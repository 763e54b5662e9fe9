"""`spatial backup` and `spatial restore`: a running stack's data in an empty home, where it answers the same."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from cli.main import app
from deployments.postgres import EmbeddedPostgres
from storage.archive import backup
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.settings import Settings
from storage.tables import ledger_query
from tests.api.house import open_house
from tests.cli.conftest import Spatial
from tests.storage.archive.test_backup import distrusted, lived_in, objects_of, rows_of, silent
from tests.support.stack import SAMPLE, RunningStack, eventually

EXTRACT = "/api/v1/cad/extract"
FILE = {"file": (SAMPLE.name, SAMPLE.read_bytes())}
RETRY = {"Idempotency-Key": "backed-up"}


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


def said(*arguments: str | Path) -> Result:
    """A command, in this process."""
    return CliRunner().invoke(app, [*map(str, arguments)])


@pytest.mark.requirement("cli.backup")
def test_a_running_stack_s_data_answers_the_same_in_an_empty_home(
    spatial: Spatial, stack: RunningStack, client: httpx.Client, home: Path, tmp_path: Path
) -> None:
    file, running, restored = tmp_path / "backup.tar.gz", ("--home", stack.home), ("--home", home)
    first = client.post(EXTRACT, files=FILE, headers=RETRY)
    assert first.status_code == 200, first.text
    address = batch_done(client)
    batch = client.get(address).json()
    usage = said("usage", *running).stdout
    made = spatial("backup", "-o", file, *running)
    assert made.returncode == 0 and made.stdout.strip() == str(file), made.stderr
    assert "digests of their keys" in made.stderr and stat.S_IMODE(file.stat().st_mode) == 0o600
    laid = spatial("restore", file, *restored)
    assert laid.returncode == 0 and "restored" in laid.stderr, laid.stderr
    assert said("usage", *restored).stdout == usage
    asyncio.run(answers_the_same(home, stack.key, first, address, batch))
    assert said("backup", "-o", tmp_path / "at-rest.tar.gz", *restored).exit_code == 0
    assert "is not empty" in said("restore", file, *restored).stderr
    assert "a stack is running in" in said("restore", file, *running).stderr


async def answers_the_same(home: Path, key: str, first: httpx.Response, address: str, batch: dict[str, Any]) -> None:
    """Keys, stored answers and batches of the restored home."""
    server = EmbeddedPostgres(home)
    server.start()
    async with open_house(server.url("spatial"), home) as house:
        bearer = {"Authorization": f"Bearer {key}"}
        again = await house.client.post(EXTRACT, files=FILE, headers={**bearer, **RETRY})
        assert again.content == first.content and again.headers["idempotency-replayed"] == "true"
        found = (await house.client.get(address, headers=bearer)).json()
        assert {**found, "request_id": ""} == {**batch, "request_id": ""}
    server.stop()


@pytest.mark.requirement("cli.backup", "backup.round-trip")
async def test_a_directory_s_backup_is_restored_into_a_bucket_and_read_there(
    fresh_postgres_url: str,
    empty_postgres_url: str,
    s3_settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file, lake, database = tmp_path / "backup.tar.gz", Lake(f"file://{tmp_path}/lake"), Database(fresh_postgres_url)
    await lived_in(database, lake)
    await backup.save(fresh_postgres_url, lake, file, silent)
    monkeypatch.setenv("SPATIAL_DATABASE_URL", empty_postgres_url)
    monkeypatch.setenv("SPATIAL_STORAGE_URL", s3_settings.storage_url)
    monkeypatch.setenv("SPATIAL_S3_ENDPOINT", str(s3_settings.s3_endpoint))
    there = Lake(s3_settings.storage_url, s3_settings.s3_endpoint)
    laid = await asyncio.to_thread(said, "restore", file, "--home", tmp_path / "home")
    assert laid.exit_code == 0, laid.stderr
    assert distrusted(await rows_of(empty_postgres_url)) == distrusted(await rows_of(fresh_postgres_url))
    assert await objects_of(there) == await objects_of(lake)
    assert await ledger_query.read_totals(there) == await ledger_query.read_totals(lake) != []
    again = await asyncio.to_thread(said, "restore", file, "--home", tmp_path / "home")
    assert again.exit_code == 1 and "is not empty" in again.stderr
    await there.close()
    await database.close()


@pytest.mark.requirement("cli.backup", "restore.hostile")
def test_a_refusal_makes_no_home(home: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("dear diary")
    for command, words in (
        (("restore", tmp_path / "text"), "not a backup"),
        (("backup", "-o", tmp_path / "new"), "holds no data of a stack"),
        (("backup", "-o", tmp_path / "no" / "folder"), "no folder"),
        (("backup", "-o", "-"), "cannot be written to stdout"),
    ):
        refused = said(*command, "--home", home)
        assert refused.exit_code == 1 and words in refused.stderr, refused.stderr
    assert not home.exists() and not (tmp_path / "new").exists() and not Path("-").exists()
