"""The whole stack on one machine: Postgres, Prefect server, converter, warm worker and API, started and supervised by one command.

Run as `python -m deployments.embedded [--port N] [--home DIR] [--no-sample] [--no-desktop-worker]`, or `spatial run`.
Parts whose address is set (database, Prefect server, converter) are used at that address and not started.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from converter import libraries
from deployments.forkserver_client import ForkServerService
from deployments.home import Home, StackError, is_free
from deployments.one_off import run_to_end
from deployments.postgres import EmbeddedPostgres
from deployments.progress import describe_log, say, step, watched
from deployments.question import ask
from deployments.supervisor import ProcessService, Supervisor
from prefect_runtime import environment
from sandbox.patience import Patience
from spatial.errors import SpatialError
from storage import settings as settings_module
from storage import shutdown
from storage.environment import PREFIX
from storage.free_memory import give_back
from storage.postgres.address import database_of, sibling_url
from storage.settings import Settings, unknown_variables

READY_SECONDS = 120.0
"""How long a part may take after its start until it answers, as sandbox.patience counts."""

POLL_SECONDS = 0.1
"""Pause between questions to a part that is starting."""

ANSWER_SECONDS = 30.0
"""How long one answer may take: on a busy machine a part that is whole needs seconds for it."""

DATABASE, PREFECT_DATABASE = "spatial", "prefect"
"""Databases of the embedded stack: the service's and the Prefect server's, on the same Postgres server."""

OPTIONAL_CHECKS = {"reasoning_runtime", "rowe_availability"}
"""Checks of /api/health that are not required to be healthy."""


Condition = Callable[[], Awaitable[str]]
"""What is still missing, in words; empty where nothing is. May raise OSError, HTTPException or ValueError: then there is no answer yet."""


class PostgresService:
    """The embedded Postgres as a service of the supervisor."""

    name = "Postgres"

    def __init__(self, postgres: EmbeddedPostgres) -> None:
        self.postgres = postgres

    async def start(self) -> None:
        await asyncio.to_thread(self.postgres.restart)

    def alive(self) -> bool:
        return self.postgres.poll() is None

    async def stop(self) -> None:
        await asyncio.to_thread(self.postgres.stop)

    def create_databases(self) -> None:
        """Create the service's and Prefect's database if they do not exist."""
        for name in (DATABASE, PREFECT_DATABASE):
            self.postgres.create_database(name)


class Stack:
    """The parts of one embedded stack, started in the order of their dependencies."""

    def __init__(self, settings: Settings, home: Home, *, with_desktop_worker: bool = False) -> None:
        self.settings = settings
        self.home = home
        self.with_desktop_worker = with_desktop_worker
        if settings.desktop_token is None:
            self._set_addresses(desktop_token=home.secret("desktop"))
        self.supervisor = Supervisor(say)
        self._fork_server: ForkServerService | None = None
        self.addresses: dict[str, object] = {
            "pid": os.getpid(),
            "api": f"http://{_in_url(settings.api_host)}:{settings.api_port}",
        }

    async def start(self) -> None:
        """Start every part whose address the settings do not name; returns when all parts answer."""
        self._require_libraries()
        await self._start_fork_server()
        await self._start_converter()
        await self._start_postgres()
        await self._wait_for_imports()
        prefect = await self._start_prefect()
        port = self.settings.worker_metrics_port or self.home.port("worker-metrics")
        self.addresses["worker_metrics"] = f"http://127.0.0.1:{port}/metrics"
        settings = {row.variable: row.value for row in settings_module.describe(self.settings)}
        self.home.publish({**self.addresses, "settings": settings})
        flags = ("--register", "--metrics-port", str(port))
        patience = shutdown.worker_seconds(self.settings.worker_drain_seconds)
        await self.supervisor.start(self._service_of("worker", "deployments.worker", *flags, stop_seconds=patience))
        await self.supervisor.start(self._service_of("API", "deployments.serve", stop_seconds=shutdown.api_seconds()))
        await self.wait_until("Prefect", prefect)
        await self.wait_until("API", self._failed_checks)
        if self.with_desktop_worker:
            await self._start_desktop_worker()

    async def stop(self) -> None:
        """Stop the parts that this stack started. The data are kept."""
        await self.supervisor.stop()
        self.home.release()

    def _require_libraries(self) -> None:
        """Refuse to start a converter on a machine that lacks what its libraries need."""
        if "converter_url" in self.settings.model_fields_set:
            return
        if missing := libraries.find_missing():
            what, remedy = libraries.describe(missing)
            raise StackError(f"{what}; {remedy}")

    async def _start_fork_server(self) -> None:
        """Begin to import what the parts need, where parts can be forked: Python libraries of macOS do not bear a fork."""
        if sys.platform != "linux":
            return
        # With more than one thread, OpenBLAS starts them at import; a fork does not take them along.
        variables = {
            **_without_settings(),
            **environment.ahead(self.settings),
            "PYTHONUNBUFFERED": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        self._fork_server = ForkServerService(variables, self._log("fork server"))
        await self.supervisor.start(self._fork_server)

    async def _wait_for_imports(self) -> None:
        """Wait for the fork server, which the parts that follow are forked from."""
        if self._fork_server is not None:
            async with step(self._fork_server.name, log_file=self._fork_server.log_file):
                await asyncio.to_thread(self._fork_server.wait_for_imports)

    async def _start_converter(self) -> None:
        self.addresses["converter_url"] = self.settings.converter_url
        if "converter_url" in self.settings.model_fields_set:
            return
        settings, socket_path = self.settings, self.home.run / "converter.sock"
        command = [
            *(sys.executable, "-m", "converter.service", "--socket", str(socket_path)),
            *("--deadline", str(settings.convert_seconds), "--memory", str(settings.convert_memory_bytes)),
            *("--queue", str(settings.converter_queue), "--file-bytes", str(settings.file_limit_bytes)),
            *("--log-format", settings.log_format),
        ]
        bare = {name: os.environ[name] for name in ("PATH", "LANG", "TZ") if name in os.environ}
        patience = shutdown.converter_seconds(settings.convert_seconds)
        await self.supervisor.start(ProcessService("converter", command, bare, self._log("converter"), patience))

    async def _start_postgres(self) -> None:
        if self.settings.database_url is None:
            server = PostgresService(EmbeddedPostgres(self.home.path))
            async with step("Postgres", log_file=server.postgres.log_file):
                await self.supervisor.start(server)
                await asyncio.to_thread(server.create_databases)
            self._set_addresses(database_url=server.postgres.url(DATABASE))
            missing = []
        else:
            missing = [database_of(self.settings.database_url), PREFECT_DATABASE]
        async with step("database"):
            await run_to_end("deployments.schema", *missing, environment=self.environment())
        self.addresses["database_url"] = self.settings.need_database_url()

    async def _start_prefect(self) -> Condition:
        """Start the Prefect server; returns a check of whether it answers."""
        if self.settings.prefect_api_url is None:
            port, auth = self.home.port("prefect"), f"spatial:{self.home.secret('prefect')}"
            database_url = sibling_url(self.settings.need_database_url(), PREFECT_DATABASE)
            variables = environment.server(self.settings, database_url=database_url, auth=auth, port=port)
            service = self._service_of("Prefect", "prefect_runtime.server", stop_seconds=shutdown.PREFECT_SECONDS)
            service.environment = {**os.environ, **variables}
            self._set_addresses(prefect_api_url=f"http://127.0.0.1:{port}/api", prefect_auth=auth)
            await self.supervisor.start(service)
            self.addresses["prefect_ui"] = f"http://127.0.0.1:{port}"
        self.addresses["prefect_api_url"] = self.settings.prefect_api_url
        if self.settings.prefect_auth is not None:
            self.addresses["prefect_auth"] = self.settings.prefect_auth.get_secret_value()
        return self._prefect_answers

    async def _start_desktop_worker(self) -> None:
        """Start the worker with the settings that one on another machine has: the address of the API, and the token."""
        settings = settings_module.load(
            home=self.home.path / "desktop",
            desktop_url=str(self.addresses["api"]),
            desktop_token=self.settings.desktop_token,
            log_format=self.settings.log_format,
            log_level=self.settings.log_level,
        )
        service = self._service_of(
            "desktop worker", "deployments.desktop_worker", stop_seconds=shutdown.desktop_seconds()
        )
        service.environment = {
            **_without_settings(),
            **settings_module.to_environment(settings),
            "PYTHONUNBUFFERED": "1",
        }
        await self.supervisor.start(service)
        await self.wait_until("desktop worker", self._missing_runtime)

    async def _missing_runtime(self) -> str:
        answer = await ask(f"{self.addresses['api']}/api/v1/models", ANSWER_SECONDS)
        return "" if answer.json()["runtime_available"] else "its report to the API"

    def _service_of(self, name: str, module: str, *flags: str, stop_seconds: float) -> ProcessService:
        command = [sys.executable, "-m", module, *flags]
        return ProcessService(name, command, self.environment(), self._log(name), stop_seconds, self._fork_server)

    def _set_addresses(self, **addresses: str) -> None:
        """Add addresses to the settings; they apply to parts that are started afterwards."""
        self.settings = settings_module.load(**self.settings.model_dump(exclude_unset=True) | addresses)

    def environment(self) -> dict[str, str]:
        """Variables of the processes that use the settings."""
        return {
            **os.environ,
            **settings_module.to_environment(self.settings),
            **environment.client(self.settings),
            "PYTHONUNBUFFERED": "1",
        }

    def _log(self, name: str) -> Path:
        return self.home.logs / f"{name.lower().replace(' ', '-')}.log"

    async def wait_until(self, name: str, condition: Condition) -> None:
        """Poll until nothing is missing. Raises: StackError when READY_SECONDS are over, or when a part ends repeatedly."""
        missing, log_file = "an answer", self._log(name)
        patience = Patience(READY_SECONDS, lambda: [os.getpid()])
        async with step(name, lambda: missing, log_file):
            while True:
                with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                    missing = await condition()
                if not missing:
                    return
                self._require_running()
                if patience.is_over():
                    raise StackError(
                        f"{name} did not start: it waited for {missing}, and the processes of this stack "
                        f"{patience.describe()}; see {describe_log(log_file)}"
                    )
                await asyncio.sleep(POLL_SECONDS)

    def _require_running(self) -> None:
        """Raises: StackError when a part ends repeatedly."""
        for service in self.supervisor.failing():
            if isinstance(service, ProcessService):
                raise StackError(
                    f"the {service.name} ended repeatedly: {service.last_log_line()}; see {service.log_file}"
                )

    async def _prefect_answers(self) -> str:
        auth = self.settings.prefect_auth.get_secret_value() if self.settings.prefect_auth else ""
        status = (await ask(f"{self.settings.prefect_api_url}/health", ANSWER_SECONDS, auth)).status
        return "" if status == 200 else f"an answer that is not {status}"

    async def _failed_checks(self) -> str:
        """The checks of /api/health that are not healthy, except OPTIONAL_CHECKS."""
        answer = await ask(f"{self.addresses['api']}/api/health", ANSWER_SECONDS)
        checks = {name: check["status"] for name, check in answer.json().get("checks", {}).items()}
        failed = [name for name, status in checks.items() if name not in OPTIONAL_CHECKS and status != "healthy"]
        if failed or (answer.status == 200 and checks):
            return " and ".join(failed)
        return f"an answer that is not {answer.status}"


def _without_settings() -> dict[str, str]:
    """The environment of this process without settings, which may be secrets."""
    ours = (PREFIX, "PREFECT_", "AWS_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def _in_url(host: str) -> str:
    """The host part of a URL: IPv6 addresses are in brackets."""
    return f"[{host}]" if ":" in host else host


@asynccontextmanager
async def running(settings: Settings, *, with_desktop_worker: bool) -> AsyncIterator[Stack]:
    """A running stack for the length of a block; it is stopped at the end, also after an error."""
    for name in unknown_variables():
        print(
            f"  there is no setting {name}, so it has no effect; README.md lists the settings",
            file=sys.stderr,
            flush=True,
        )
    home = Home(settings.home)
    home.lock()
    if not is_free(settings.api_host, settings.api_port):
        home.release()
        raise StackError(f"port {settings.api_port} is in use; stop what listens there, or choose another with --port")
    stack = Stack(settings, home, with_desktop_worker=with_desktop_worker)
    try:
        await stack.start()
        yield stack
    except SpatialError as error:
        raise StackError(error.message) from error
    finally:
        await stack.stop()


async def serve(settings: Settings, *, sample: bool, with_desktop_worker: bool) -> None:
    """Start the stack, print the greeting, and run until SIGINT, SIGTERM or SIGHUP (closed terminal)."""
    stop_requested = asyncio.Event()
    main_task = asyncio.current_task()
    assert main_task is not None  # asyncio.run always has one

    def request_stop() -> None:
        """On the first signal, start an orderly shutdown, also during the start and the greeting."""
        if not stop_requested.is_set():
            stop_requested.set()
            if not is_ready:
                main_task.cancel()

    is_ready = False
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, request_stop)
    print("Spatial Geometry Service", file=sys.stderr)
    async with running(settings, with_desktop_worker=with_desktop_worker) as stack:
        await _greet(stack, sample=sample)
        is_ready = True
        print(f"ready {stack.addresses['api']}", flush=True)
        give_back()
        await stop_requested.wait()
        say("stopping; the data stay in " + str(stack.home.path))


async def _greet(stack: Stack, *, sample: bool) -> None:
    """Print the addresses; on a first run, create the demo account."""
    flags = ["--api", str(stack.addresses["api"]), "--prefect-ui", str(stack.addresses.get("prefect_ui", ""))]
    more = () if sample else ("--no-sample",)
    async with watched("first run"):
        await run_to_end("deployments.first_run", *flags, *more, environment=stack.environment())


def main(argv: list[str] | None = None) -> int:
    """Parse the flags and run the stack."""
    parser = argparse.ArgumentParser(prog="python -m deployments.embedded", description=__doc__)
    parser.add_argument("--port", type=int, help="Port of the API.")
    parser.add_argument("--home", type=Path, help="Folder of the stack's data.")
    parser.add_argument("--no-sample", action="store_true", help="Do not extract the bundled sample part.")
    parser.add_argument("--no-desktop-worker", action="store_true", help="Do not start a desktop inference worker.")
    arguments = parser.parse_args(argv)
    given = {"api_port": arguments.port, "home": arguments.home}
    try:
        settings = settings_module.load(**{name: value for name, value in given.items() if value is not None})
        worker = not arguments.no_desktop_worker
        asyncio.run(serve(settings, sample=not arguments.no_sample, with_desktop_worker=worker))
    except (StackError, settings_module.SettingsError) as error:
        print(f"spatial: {error}", file=sys.stderr)
        return 1
    except asyncio.CancelledError:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
