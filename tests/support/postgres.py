"""A real Postgres for the tests: one server a session, one fresh database a module or a test, copied from a migrated template."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from typing import Final

import pytest

from deployments.postgres import EmbeddedPostgres
from storage.postgres.database import ANSWER_SECONDS, CONNECT_SECONDS, Database, migrate

TEMPLATE = "migrated"
"""Database that every other one is a copy of."""

PATIENCE: Final = 60.0
"""Seconds that tests wait for a connection or the answer to a statement, where a caller waits a few: the machine may be busy."""

CONNECTING: Final = (
    "storage.archive.backup",
    "storage.archive.restore",
    "storage.postgres.database",
    "storage.postgres.server",
)
"""Modules with a limit of their own for that."""

DEFAULTS: Final = Database.__init__.__kwdefaults__ or {}
"""What a database is made with where nothing else is asked."""

_numbers = count()


@pytest.fixture(scope="session")
def unhurried() -> Iterator[None]:
    """From the first test on that uses Postgres, this process waits for it as long as PATIENCE says."""
    with pytest.MonkeyPatch.context() as patch:
        for module in CONNECTING:
            patch.setattr(f"{module}.CONNECT_SECONDS", PATIENCE)
        patch.setitem(DEFAULTS, "answer_seconds", PATIENCE)
        yield


@pytest.fixture
def usual_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that ask how long a caller waits for Postgres."""
    for module in CONNECTING:
        monkeypatch.setattr(f"{module}.CONNECT_SECONDS", CONNECT_SECONDS)
    monkeypatch.setitem(DEFAULTS, "answer_seconds", ANSWER_SECONDS)


@pytest.fixture(scope="session")
def postgres_server(unhurried: None) -> Iterator[EmbeddedPostgres]:
    """The session's server, without fsync. For everybody: do not kill or freeze it; `own_postgres` is for that."""
    home = Path(
        tempfile.mkdtemp(prefix="spatial-tests-")
    )  # not tmp_path: a second pytest run makes its parents 0700 again
    server = EmbeddedPostgres(home, durable=False)
    server.start()
    server.create_database(TEMPLATE)
    asyncio.run(migrate(server.url(TEMPLATE)))
    yield server
    server.stop()
    shutil.rmtree(home)


@pytest.fixture(scope="module")
def postgres_url(postgres_server: EmbeddedPostgres) -> Iterator[str]:
    """A migrated database of the module's own."""
    yield from _fresh(postgres_server)


@pytest.fixture
def fresh_postgres_url(postgres_server: EmbeddedPostgres) -> Iterator[str]:
    """A migrated database of the test's own."""
    yield from _fresh(postgres_server)


@pytest.fixture
def empty_postgres_url(postgres_server: EmbeddedPostgres) -> Iterator[str]:
    """A database of the test's own, without tables."""
    yield from _fresh(postgres_server, template=None)


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    """A pool on the module's database."""
    opened = Database(postgres_url)
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def stopped_postgres_home() -> Iterator[Path]:
    """A home whose server is stopped, with a migrated database `spatial`: to be copied, which is quicker than to be made."""
    home = Path(tempfile.mkdtemp(prefix="spatial-tests-"))
    server = EmbeddedPostgres(home, durable=False)
    server.start()
    server.create_database("spatial")
    asyncio.run(migrate(server.url("spatial")))
    server.stop()
    yield home
    shutil.rmtree(home)


@pytest.fixture
def own_postgres_home(stopped_postgres_home: Path) -> Iterator[Path]:
    """A copy of it, of the test's own."""
    home = Path(tempfile.mkdtemp(prefix="spatial-tests-"))
    subprocess.run(["cp", "-a", f"{stopped_postgres_home}/postgres", home], check=True)
    yield home
    shutil.rmtree(home)


@pytest.fixture
def own_postgres(own_postgres_home: Path) -> Iterator[EmbeddedPostgres]:
    """A server of the test's own with a migrated database `spatial`: to be killed, frozen and started again."""
    server = EmbeddedPostgres(own_postgres_home, durable=False)
    server.start()
    yield server
    server.stop()


def _fresh(server: EmbeddedPostgres, template: str | None = TEMPLATE) -> Iterator[str]:
    name = f"test_{next(_numbers)}"
    server.create_database(name, template=template)
    yield server.url(name)
    server.drop_database(name)
