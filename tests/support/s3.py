"""A real S3 server over loopback HTTP (moto's), for the tests of object storage."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer

from storage import settings
from storage.objects import bucket
from storage.objects.lake import Lake
from storage.settings import Settings

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": "/nonexistent",
    "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent",
}
"""What the server accepts; and nothing of the machine's own credentials is looked at."""

_numbers = count()


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The server's address."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in CREDENTIALS.items():
            patch.setenv(name, value)
        yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3_settings(s3_server: str, tmp_path: Path) -> Settings:
    """Settings of a deployment on a bucket of the test's own, which does not exist yet."""
    url = f"s3://lake-{next(_numbers)}/some/prefix"
    return settings.load(home=tmp_path, storage_url=url, s3_endpoint=s3_server)


@pytest.fixture(params=["directory", "bucket"])
async def lake(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Lake]:
    """An empty lake: once a directory, once a bucket."""
    if request.param == "directory":
        opened = Lake(f"file://{tmp_path}/lake")
    else:
        chosen: Settings = request.getfixturevalue("s3_settings")
        await bucket.ensure_bucket(chosen)
        opened = Lake(chosen.storage_url, chosen.s3_endpoint)
    yield opened
    await opened.close()
