"""Prefect's database is dumped and restored by the very lines of operations.md, with the programs of the Postgres that the fleet has."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import subprocess
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.engine import make_url

from deployments.postgres_programs import binary
from storage.postgres.address import sibling_url
from tests.support.stack import ROOT, RunningStack

KEPT = ("deployment_schedule", "automation", "block_document", "configuration", "alembic_version")
"""Tables whose rows nobody changes meanwhile; schedules refer to deployments, and those to pools and queues."""

IN_THE_CONTAINER = "docker compose exec -T postgres "


def line(program: str) -> list[str]:
    """The words of the page's line with that program, without what the shell does."""
    page = (ROOT / "docs" / "operations.md").read_text()
    [found] = re.findall(rf"^{IN_THE_CONTAINER}({program} [^<>#\n]+)", page, flags=re.MULTILINE)
    return [binary(program), *shlex.split(found)[1:]]


def programs_reach(url: str) -> dict[str, str]:
    """What the programs find in the container by itself."""
    address = make_url(url)
    return {**os.environ, "PGHOST": str(address.host), "PGPORT": str(address.port), "PGPASSWORD": str(address.password)}


async def rows(url: str) -> dict[str, list[str]]:
    """Every row of the tables that stay as they are."""
    connection = await asyncpg.connect(url.replace("+asyncpg", "", 1))
    try:
        return {
            name: [str(tuple(row)) for row in await connection.fetch(f"SELECT * FROM {name} AS t ORDER BY t::text")]
            for name in KEPT
        }
    finally:
        await connection.close()


@pytest.mark.requirement("backup.prefect")
def test_prefects_database_comes_back_as_it_was(stack: RunningStack, empty_postgres_url: str, tmp_path: Path) -> None:
    there = sibling_url(stack.addresses["database_url"], "prefect")
    dump, fresh = tmp_path / "prefect.dump", str(make_url(empty_postgres_url).database)
    with dump.open("wb") as out:
        subprocess.run(line("pg_dump"), env=programs_reach(there), stdout=out, check=True)
    restoring = [word.replace("--dbname=prefect", f"--dbname={fresh}") for word in line("pg_restore")]
    with dump.open("rb") as archive:
        subprocess.run(restoring, env=programs_reach(empty_postgres_url), stdin=archive, check=True)
    assert asyncio.run(rows(empty_postgres_url)) == asyncio.run(rows(there))
