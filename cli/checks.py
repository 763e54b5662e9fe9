"""The checks of `spatial doctor`: one function per part, each returning a finding and, if one exists, a remedy.

Glossary
  ok       works.
  idle     not running and not configured to run: the embedded stack starts it.
  broken   configured or needed, and does not work.
"""

from __future__ import annotations

import asyncio
import platform
import shutil
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import unquote, urlsplit

import httpx

from cli import stack
from converter import libraries, local
from converter.documents import parsed
from spatial.counting import count_of
from spatial.errors import SpatialError
from storage.objects.lake import Lake
from storage.postgres.database import Database
from storage.settings import Settings

LEAST_FREE_BYTES: Final = 512 * 1024**2
"""Disk space below which the embedded stack does not start."""

ANSWER_SECONDS: Final = 5.0
"""Timeout of a request to a part."""

SAMPLE: Final = Path(__file__).resolve().parents[1] / "examples" / "bracket.step"

START: Final = "`spatial run` (or make run) starts it"


@dataclass(frozen=True)
class Finding:
    """The result of the check of one part."""

    part: str
    verdict: Literal["ok", "idle", "broken"]
    detail: str
    remedy: str = ""


def of_machine() -> list[Finding]:
    """Check the interpreter and the system libraries, which every configuration needs."""
    return [_python(), _libraries()]


async def of_parts(settings: Settings, running: Mapping[str, Any]) -> list[Finding]:
    """Check every part that the settings name or that the running stack has."""
    probed = await asyncio.gather(
        _database(settings),
        _storage(settings),
        _converter(settings, running),
        _prefect(settings),
        _api(settings, running),
    )
    return [_stack(settings, running), _disk(settings.home), *probed, await asyncio.to_thread(_extraction)]


def _python() -> Finding:
    found = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    if (3, 11) <= sys.version_info[:2] < (3, 14):
        return Finding("python", "ok", found)
    return Finding("python", "broken", found, "install Python 3.11, 3.12 or 3.13 and run make setup again")


def _libraries() -> Finding:
    missing = libraries.find_missing()
    if missing:
        return Finding("system libraries", "broken", *libraries.describe(missing))
    return Finding("system libraries", "ok", ", ".join(libraries.SYSTEM_LIBRARIES))


def _stack(settings: Settings, running: Mapping[str, Any]) -> Finding:
    """Whether a stack runs in the home; if not, which homes have one that runs."""
    if running:
        return Finding("stack", "ok", f"process {running['pid']} runs in {settings.home}")
    if not stack.has_database(settings) and not stack.has_lake(settings):
        return Finding("stack", "idle", stack.describe_absence(settings.home))
    return Finding("stack", "idle", f"none runs in {settings.home}{stack.describe_running()}", START)


def _disk(home: Path) -> Finding:
    """Free disk space in the home, or in its nearest existing parent folder."""
    folder = next(path for path in (home, *home.parents) if path.exists())
    free = shutil.disk_usage(folder).free
    detail = f"{free / 1024**3:,.1f} GB free for {home}"
    if free < LEAST_FREE_BYTES:
        return Finding(
            "disk", "broken", detail, "free disk space, or choose another folder with --home or SPATIAL_HOME"
        )
    return Finding("disk", "ok", detail)


async def _database(settings: Settings) -> Finding:
    if settings.database_url is None:
        earlier = (
            " with data of an earlier run" if (settings.home / "postgres" / "data" / "PG_VERSION").exists() else ""
        )
        return Finding("database", "idle", f"embedded Postgres, not running{earlier}", START)
    database, started = Database(settings.database_url), time.monotonic()
    try:
        await database.ping()
    except SpatialError as error:
        return Finding("database", "broken", error.message, "check SPATIAL_DATABASE_URL and that Postgres runs there")
    finally:
        await database.close()
    return Finding("database", "ok", f"Postgres answers after {_since(started)}")


async def _storage(settings: Settings) -> Finding:
    url = settings.storage_url
    if not _may_exist(url):
        return Finding("storage", "idle", f"{url} does not exist yet; it is created when it is first used")
    lake, started = Lake(url, s3_endpoint=settings.s3_endpoint), time.monotonic()
    try:
        await lake.ping()
    except SpatialError as error:
        remedy = "check SPATIAL_STORAGE_URL, SPATIAL_S3_ENDPOINT and the AWS credentials of this shell"
        return Finding("storage", "broken", error.message, remedy)
    finally:
        await lake.close()
    return Finding("storage", "ok", f"{url} answers after {_since(started)}")


def _may_exist(url: str) -> bool:
    """False for a folder that does not exist."""
    return not url.startswith("file://") or Path(unquote(urlsplit(url).path)).exists()


async def _converter(settings: Settings, running: Mapping[str, Any]) -> Finding:
    url = urlsplit(settings.converter_url)
    is_socket = url.scheme == "unix"
    transport = httpx.AsyncHTTPTransport(uds=unquote(url.path)) if is_socket else None
    base = "http://converter" if is_socket else settings.converter_url
    started = time.monotonic()
    try:
        health = (await _get(f"{base}/health", transport=transport)).json()
    except (httpx.HTTPError, ValueError) as error:
        if is_socket and not running:
            return Finding("converter", "idle", "not running", START)
        return Finding(
            "converter",
            "broken",
            f"{settings.converter_url} does not answer: {_reason(error)}",
            "see HOME/logs/converter.log",
        )
    return Finding("converter", "ok", f"{health.get('status', 'answers')} after {_since(started)}")


async def _prefect(settings: Settings) -> Finding:
    url = settings.prefect_api_url
    if url is None:
        return Finding("prefect", "idle", "embedded server, not running", START)
    user, _, password = (
        settings.prefect_auth.get_secret_value().partition(":") if settings.prefect_auth else ("", "", "")
    )
    started = time.monotonic()
    try:
        answer = await _get(f"{url}/admin/version", auth=(user, password) if user else None)
    except httpx.HTTPError as error:
        return Finding("prefect", "broken", f"{url} does not answer: {_reason(error)}", "check SPATIAL_PREFECT_API_URL")
    if answer.status_code == 401:
        return Finding(
            "prefect", "broken", f"{url} refuses the auth string", "set SPATIAL_PREFECT_AUTH to user:password"
        )
    if answer.status_code != 200:
        return Finding(
            "prefect", "broken", f"{url} answers {answer.status_code}", "check SPATIAL_PREFECT_API_URL; it ends in /api"
        )
    return Finding("prefect", "ok", f"server {answer.text.strip().strip(chr(34))} answers after {_since(started)}")


async def _api(settings: Settings, running: Mapping[str, Any]) -> Finding:
    url = str(running.get("api") or f"http://{settings.api_host}:{settings.api_port}")
    try:
        answer = await _get(f"{url}/api/health")
        checks: dict[str, dict[str, Any]] = answer.json()["checks"]
    except httpx.ConnectError as error:
        if running:
            return Finding("api", "broken", f"{url} does not answer: {_reason(error)}", "see HOME/logs/api.log")
        return Finding("api", "idle", f"nothing listens on {url}", START)
    except (httpx.HTTPError, ValueError, KeyError, TypeError):
        other = "the API hangs" if running else "another program listens there"
        return Finding("api", "broken", f"{url} gives an unexpected answer: {other}", "choose another port with --port")
    unhealthy = [f"{name} {check['status']}" for name, check in checks.items() if check["status"] != "healthy"]
    detail = f"{url} is {answer.json()['status']}" + (f" ({', '.join(unhealthy)})" if unhealthy else "")
    if answer.status_code != 200:
        return Finding("api", "broken", detail, "repair the parts that it names; their logs are in HOME/logs")
    return Finding("api", "ok", detail)


def _extraction() -> Finding:
    """Extract the bundled part in a child process, as the converter does."""
    started = time.monotonic()
    try:
        document = parsed(local.convert(SAMPLE.read_bytes(), SAMPLE.name), SAMPLE.name)
    except (SpatialError, OSError) as error:
        return Finding("extraction", "broken", f"the bundled part cannot be read: {error}", "run make setup again")
    solids = len(document.structure.solids or ()) if document.structure is not None else 0
    return Finding("extraction", "ok", f"{SAMPLE.name}: {count_of(solids, 'solid')} read in {_since(started)}")


async def _get(
    url: str, *, auth: tuple[str, str] | None = None, transport: httpx.AsyncBaseTransport | None = None
) -> httpx.Response:
    async with httpx.AsyncClient(transport=transport, trust_env=False, timeout=ANSWER_SECONDS) as client:
        return await client.get(url, auth=auth)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def _since(started: float) -> str:
    seconds = time.monotonic() - started
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
