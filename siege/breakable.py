"""A stack each of whose connections leads through a proxy: to Postgres, to the S3 server, to the converter, to Prefect's server."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import httpx
from moto.server import ThreadedMotoServer

from benchmarks import stack as stacks
from benchmarks.stack import Stack
from deployments.postgres import EmbeddedPostgres
from prefect_runtime import environment
from siege.proxy import Proxy, proxied
from storage import settings

AUTH: Final = "spatial:of-the-siege"

CREDENTIALS: Final = {
    "AWS_ACCESS_KEY_ID": "siege",
    "AWS_SECRET_ACCESS_KEY": "siege",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_EC2_METADATA_DISABLED": "true",
}
"""What the S3 server accepts."""

START_SECONDS: Final = 120.0


@dataclass(frozen=True)
class Breakable:
    """The stack, its Postgres, and the proxies by the name of what is behind each."""

    stack: Stack
    postgres: EmbeddedPostgres
    proxies: dict[str, Proxy]


@contextmanager
def running(folder: Path) -> Iterator[Breakable]:
    """The whole of it for the length of a block; folder: for its data."""
    with ExitStack() as ends:
        postgres = EmbeddedPostgres(folder / "postgres-home")
        ends.callback(postgres.stop)
        postgres.start()
        for name in ("spatial", "prefect"):
            postgres.create_database(name)
        ports = {
            "Postgres": postgres.port,
            "S3": ends.enter_context(_s3()),
            "converter": ends.enter_context(converter(folder, {})),
            "Prefect": ends.enter_context(_prefect(folder, postgres)),
        }
        proxies = {
            name: ends.enter_context(proxied(stacks.free_port(), ("127.0.0.1", port))) for name, port in ports.items()
        }
        direct = {
            "database_url": postgres.url("spatial"),
            "prefect_api_url": f"http://127.0.0.1:{ports['Prefect']}/api",
            "s3_endpoint": f"http://127.0.0.1:{ports['S3']}",
        }
        stack = replace(ends.enter_context(_stack(folder, postgres, proxies)), direct=direct)
        yield Breakable(stack, postgres, proxies)
        for proxy in proxies.values():
            proxy.fault = "none"


@contextmanager
def _stack(folder: Path, postgres: EmbeddedPostgres, proxies: dict[str, Proxy]) -> Iterator[Stack]:
    database = urlsplit(postgres.url("spatial"))
    through = database.netloc.rpartition(":")[0] + f":{proxies['Postgres'].port}"
    chosen = {
        "SPATIAL_DATABASE_URL": urlunsplit(database._replace(netloc=through)),
        "SPATIAL_STORAGE_URL": "s3://siege/lake",
        "SPATIAL_S3_ENDPOINT": f"http://127.0.0.1:{proxies['S3'].port}",
        "SPATIAL_CONVERTER_URL": f"http://127.0.0.1:{proxies['converter'].port}",
        "SPATIAL_PREFECT_API_URL": f"http://127.0.0.1:{proxies['Prefect'].port}/api",
        "SPATIAL_PREFECT_AUTH": AUTH,
    }
    home, port, errors = folder / "home", stacks.free_port(), folder / "stderr"
    process = stacks.launch(home, port, errors, **CREDENTIALS, **chosen)
    try:
        key, _ = stacks.secrets(stacks.until_ready(process, errors))
        yield Stack(f"http://127.0.0.1:{port}", key, home, process.pid)
    finally:
        stacks.stop(process)


@contextmanager
def _s3() -> Iterator[int]:
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    before = dict(os.environ)
    os.environ.update(CREDENTIALS)  # the siege itself reads the lake too
    try:
        yield server.get_host_and_port()[1]
    finally:
        os.environ.clear()
        os.environ.update(before)
        server.stop()


@contextmanager
def converter(folder: Path, variables: dict[str, str]) -> Iterator[int]:
    """The port of a converter of its own, with these variables in its environment."""
    port = stacks.free_port()
    command = [sys.executable, "-m", "converter.service", "--port", str(port)]
    own = {"PATH": os.environ["PATH"], **variables}
    with _program(command, folder / "converter.log", own, f"http://127.0.0.1:{port}/health"):
        yield port


@contextmanager
def _prefect(folder: Path, postgres: EmbeddedPostgres) -> Iterator[int]:
    port = stacks.free_port()
    chosen = settings.load(home=folder / "prefect-home", database_url=postgres.url("spatial"))
    variables = environment.server(chosen, database_url=postgres.url("prefect"), auth=AUTH, port=port)
    command = [sys.executable, "-m", "prefect_runtime.server"]
    health = f"http://{AUTH}@127.0.0.1:{port}/api/health"
    with _program(command, folder / "prefect.log", {**os.environ, **variables}, health):
        yield port


@contextmanager
def _program(command: list[str], log: Path, variables: dict[str, str], health: str) -> Iterator[None]:
    """A process of ours, once it answers. Raises: TimeoutError with the end of its log."""
    with log.open("wb") as written:
        process = subprocess.Popen(command, env=variables, stdout=written, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(health):
            if process.poll() is not None or time.monotonic() > deadline:
                raise TimeoutError(f"{' '.join(command)} did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait(timeout=stacks.STOP_SECONDS)


def _answers(health: str) -> bool:
    try:
        return httpx.get(health, trust_env=False, timeout=5).is_success
    except httpx.HTTPError:
        return False
