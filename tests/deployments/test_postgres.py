"""The embedded Postgres through its life: made, started, killed, orphaned, shared, refused."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from benchmarks.parts import find, kill
from benchmarks.stack import Stack
from deployments import postgres, postgres_files, postgres_programs
from deployments.postgres import EmbeddedPostgres, PostgresFailed
from storage.postgres.database import Database

pytestmark = pytest.mark.requirement("postgres.embedded")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def home() -> Iterator[Path]:
    """A home outside pytest's directories, whose parents a second run of pytest closes for other users."""
    path = Path(tempfile.mkdtemp(prefix="spatial-tests-"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def server(own_postgres: EmbeddedPostgres) -> EmbeddedPostgres:
    """A started server."""
    return own_postgres


async def _ask(url: str, statement: str) -> object:
    database = Database(url)
    try:
        async with database.transaction() as connection:
            answer = await connection.execute(sa.text(statement))
            return answer.scalar() if answer.returns_rows else None
    finally:
        await database.close()


def _eventually(probe: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not probe():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)


async def test_data_port_and_password_survive_a_restart(home: Path) -> None:
    first = EmbeddedPostgres(home)
    first.start()
    first.create_database("spatial")
    first.create_database("spatial")
    url = first.url("spatial")
    await _ask(url, "CREATE TABLE kept AS SELECT 42 AS n")
    first.stop()
    first.stop()
    assert first.poll() == -1 and first.pid is None
    with pytest.raises(PostgresFailed, match="not started"):
        first.url("spatial")
    second = EmbeddedPostgres(home)
    with closing(_stopping(second)):
        second.start()
        assert second.url("spatial") == url
        assert await _ask(url, "SELECT n FROM kept") == 42


class _stopping:  # noqa: N801  # reads as what it does
    def __init__(self, server: EmbeddedPostgres) -> None:
        self.close = server.stop


async def test_the_role_owns_its_databases_and_is_no_superuser(server: EmbeddedPostgres) -> None:
    server.create_database("prefect")
    url = server.url("prefect")
    await _ask(url, "CREATE EXTENSION pg_trgm")  # what Prefect's migrations need
    assert await _ask(url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user") is False
    with pytest.raises(DBAPIError):
        await _ask(url, "COPY (SELECT 1) TO PROGRAM 'true'")
    server.drop_database("prefect")
    server.drop_database("prefect")


def test_only_the_loopback_is_listened_on_and_nothing_is_readable_for_others(
    server: EmbeddedPostgres, own_postgres_home: Path
) -> None:
    assert server.pid is not None
    process = psutil.Process(server.pid)
    listening = {c.laddr.ip for c in process.net_connections() if c.status == psutil.CONN_LISTEN}
    assert listening == {"127.0.0.1"}
    assert server.port in postgres_files.PORTS
    for name in ("secrets", "port", "log", "owner", "data"):
        assert stat.S_IMODE((own_postgres_home / "postgres" / name).stat().st_mode) & 0o077 == 0, name
    secrets = json.loads((own_postgres_home / "postgres" / "secrets").read_text())
    said = [*process.cmdline(), *process.environ().values(), (own_postgres_home / "postgres" / "log").read_text()]
    assert not any(secret in text for secret in secrets.values() for text in said)
    access = (own_postgres_home / "postgres" / "data" / "pg_hba.conf").read_text().splitlines()
    assert {line.split()[-1] for line in access if line and not line.startswith("#")} == {"scram-sha-256"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to become somebody else")
def test_as_root_the_server_is_another_user_and_what_is_above_it_does_not_become_listable(home: Path) -> None:
    (home / "closed").mkdir(mode=0o700)
    nested = EmbeddedPostgres(home / "closed" / "home", durable=False)
    with closing(_stopping(nested)):
        nested.start()
        assert nested.pid is not None
        assert psutil.Process(nested.pid).username() == postgres_programs.SYSTEM_USER
        assert stat.S_IMODE((home / "closed").stat().st_mode) == 0o701


async def test_a_killed_server_is_noticed_and_starts_again_with_its_data_on_its_port(server: EmbeddedPostgres) -> None:
    server.create_database("spatial")
    url = server.url("spatial")
    await _ask(url, "CREATE TABLE kept AS SELECT 42 AS n")
    assert server.poll() is None and server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    _eventually(lambda: server.poll() == -signal.SIGKILL)
    server.restart()
    assert server.poll() is None
    assert server.url("spatial") == url
    assert await _ask(url, "SELECT n FROM kept") == 42


def test_a_stale_pid_file_that_names_a_stranger_does_not_keep_the_server_from_starting(own_postgres_home: Path) -> None:
    server = EmbeddedPostgres(own_postgres_home, durable=False)
    server.start()
    server.stop()
    (own_postgres_home / "postgres" / "data" / "postmaster.pid").write_text(
        f"{os.getpid()}\n{own_postgres_home}/postgres/data\n1\n5432\n"
    )
    with closing(_stopping(server)):
        server.start()
        assert server.poll() is None


def test_a_second_holder_attaches_and_stops_nothing(server: EmbeddedPostgres, own_postgres_home: Path) -> None:
    other = EmbeddedPostgres(own_postgres_home)
    other.start()
    assert (other.owned, other.pid, other.url("x")) == (False, server.pid, server.url("x"))
    other.create_database("made_by_the_other")
    other.stop()
    assert server.owned and server.poll() is None


STARTER = """
import sys, time
from pathlib import Path
from deployments.postgres import EmbeddedPostgres
server = EmbeddedPostgres(Path(sys.argv[1]), durable=False)
server.start()
server.create_database("spatial")
print(server.pid, server.owned, flush=True)
sys.stdin.read()
server.stop()
"""


def _starter(home: Path) -> subprocess.Popen[str]:
    """Another process that starts the home's server and stops it when its stdin ends."""
    command = [sys.executable, "-c", STARTER, str(home)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _said(starter: subprocess.Popen[str]) -> tuple[int, bool]:
    assert starter.stdout is not None
    pid, owned = starter.stdout.readline().split()
    return int(pid), owned == "True"


def test_a_server_whose_starter_was_killed_is_taken_over(own_postgres_home: Path) -> None:
    starter = _starter(own_postgres_home)
    pid, _ = _said(starter)
    starter.kill()
    starter.communicate()
    assert psutil.pid_exists(pid)
    heir = EmbeddedPostgres(own_postgres_home, durable=False)
    heir.start()
    assert (heir.pid, heir.owned, heir.poll()) == (pid, True, None)
    heir.stop()
    assert not psutil.pid_exists(pid)


@pytest.mark.requirement("siege.recovery")
def test_a_server_that_was_taken_over_is_found_killed_and_started_again(own_postgres_home: Path) -> None:
    starter = _starter(own_postgres_home)
    pid, _ = _said(starter)
    starter.kill()
    starter.communicate()
    heir = EmbeddedPostgres(own_postgres_home, durable=False)
    # A supervisor without processes: below this one runs the Postgres of all tests.
    supervisor = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    with supervisor, closing(_stopping(heir)):
        heir.start()
        stack = Stack("", "", own_postgres_home, supervisor.pid)
        assert kill(stack, "Postgres", "postgres", within=30) == pid
        _eventually(lambda: heir.poll() is not None)
        heir.restart()
        found = find(stack, "postgres")
        assert found is not None and found.pid == heir.pid != pid


def test_processes_that_start_at_once_share_one_server(home: Path) -> None:
    starters = [_starter(home) for _ in range(3)]
    said = [_said(starter) for starter in starters]
    assert len({pid for pid, _ in said}) == 1
    assert sorted(owned for _, owned in said) == [False, False, True]
    for starter in starters:
        starter.communicate()
    assert not psutil.pid_exists(said[0][0])


def test_a_taken_port_is_exchanged(own_postgres_home: Path) -> None:
    server = EmbeddedPostgres(own_postgres_home, durable=False)
    server.start()
    before = server.port
    server.stop()
    with socket.create_server(("127.0.0.1", before)), closing(_stopping(server)):
        server.start()
        assert server.port != before


def test_an_interrupted_initdb_leaves_nothing_that_is_taken_for_a_cluster(home: Path) -> None:
    half = home / "postgres" / "initdb-killed" / "data"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    server = EmbeddedPostgres(home, durable=False)
    with closing(_stopping(server)):
        server.start()
        assert not half.exists()
        assert server.poll() is None


def test_a_cluster_of_another_version_is_left_alone(own_postgres_home: Path) -> None:
    (own_postgres_home / "postgres" / "data" / "PG_VERSION").write_text("12\n")
    with pytest.raises(PostgresFailed, match=r"PostgreSQL 12 and the installed server is \d+"):
        EmbeddedPostgres(own_postgres_home).start()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a directory somebody else's")
def test_a_cluster_of_another_user_is_left_alone(home: Path) -> None:
    data = home / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("18\n")
    os.chown(data, 65534, 65534)
    with pytest.raises(PostgresFailed, match="belongs to user 65534"):
        EmbeddedPostgres(home).start()


def test_lost_passwords_are_named(own_postgres_home: Path) -> None:
    server = EmbeddedPostgres(own_postgres_home, durable=False)
    server.start()
    (own_postgres_home / "postgres" / "secrets").unlink()
    with closing(_stopping(server)), pytest.raises(PostgresFailed, match="secrets"):
        server.url("spatial")


def test_a_home_that_cannot_be_used_is_named(home: Path) -> None:
    (home / "postgres").write_text("not a directory")
    with pytest.raises(PostgresFailed, match=str(home)):
        EmbeddedPostgres(home).start()


def test_a_server_that_cannot_start_says_why(own_postgres_home: Path) -> None:
    server = EmbeddedPostgres(own_postgres_home, durable=False)
    server.start()
    server.stop()
    configuration = own_postgres_home / "postgres" / "data" / "postgresql.conf"
    configuration.write_text(configuration.read_text() + "\nshared_buffers = 'plenty'\n")
    with pytest.raises(PostgresFailed, match="configuration file") as refusal:
        server.start()
    assert "\n" not in refusal.value.message
    server.stop()


def test_a_large_log_is_put_aside(own_postgres_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "LOG_BYTES", 100)
    server = EmbeddedPostgres(own_postgres_home, durable=False)
    with closing(_stopping(server)):
        server.start()
        server.restart()
    assert (own_postgres_home / "postgres" / "log.1").stat().st_size > 100


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (
            "creating subdirectories ... ok\ninitdb: error: could not write to file: No space left on device\n",
            "no space left on the disk",
        ),
        (
            "2026-11-21 UTC [7] LOG:  starting\n2026-11-21 UTC [7] FATAL:  could not create lock file: Permission denied\n",
            "could not create lock file: Permission denied",
        ),
        ("initdb: error: directory exists\ninitdb: hint: remove it\n", "directory exists"),
        ("psql: error: connection refused", "connection refused"),
        ("Killed\n", "Killed"),
        ("", "it printed nothing"),
    ],
)
def test_the_line_that_says_why_is_found(said: str, why: str) -> None:
    assert postgres_programs.error_line(said) == why
