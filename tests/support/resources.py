"""What pipelines and flows work on, without API, worker and Prefect server: a real Postgres, a real converter, and a lake in a folder."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path

import pytest

from pipelines.jobs import ExtractJob
from pipelines.resources import Resources, open_resources, use_resources
from spatial.contract.routes import EXTRACT_ROUTE
from storage import settings
from storage.objects.lake import staged_key
from storage.postgres import operations
from storage.retry import retry
from tests.storage.actors import customer

SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text x="1" y="5">M8x%d</text></svg>'


@contextmanager
def converter(*flags: str) -> Iterator[Path]:
    """The socket of a converter service that may not be up yet."""
    with tempfile.TemporaryDirectory() as folder:
        socket = Path(folder, "converter.sock")
        command = [sys.executable, "-m", "converter.service", "--socket", str(socket), *flags]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                yield socket
            finally:
                process.terminate()


@pytest.fixture(scope="session")
def converter_socket() -> Iterator[Path]:
    """The socket of the session's converter."""
    with converter() as path:
        yield path


@pytest.fixture
async def resources(tmp_path: Path, postgres_url: str, converter_socket: Path) -> AsyncIterator[Resources]:
    """The module's database, the session's converter and a lake of the test's own; they are the current resources."""
    chosen = settings.load(
        home=tmp_path,
        database_url=postgres_url,
        converter_url=f"unix://{converter_socket}",
        storage_url=f"file://{tmp_path}/lake",
    )
    async with open_resources(chosen) as opened:
        await retry(opened.converter.health, repeat(0.1, 3000))  # it is started, and not up yet
        with use_resources(opened):
            yield opened


async def new_job(resources: Resources, data: bytes | None = None) -> ExtractJob:
    """An extraction whose operation is open. data: the upload, which is then in the lake."""
    who, operation_id = await customer(resources.database), operations.new_id()
    identity = {"account_id": who.account_id, "key_id": who.key_id, "request_id": "req_1"}
    async with resources.database.transaction() as connection:
        await operations.open(connection, operation_id=operation_id, **identity, route=EXTRACT_ROUTE, lease_seconds=600)
    key = staged_key(operation_id, "part.svg")
    if data is not None:
        await resources.lake.put(key, data)
    return ExtractJob(operation_id=operation_id, **identity, file_name="part.svg", format="svg", content_key=key)
