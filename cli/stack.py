"""The stack of a home: HOME/run/stack.json has the addresses of one that runs, which complete the settings.

A command that only reads calls `settings_with_database` or `settings_with_lake`: a home without the data of a stack is refused, because
a wrong --home would otherwise be an empty answer, and a new database.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from spatial.errors import NotFound
from storage import settings as settings_module
from storage.settings import Settings

SUPERVISOR: Final = b"deployments.embedded"
"""Module of the process that runs a stack and holds the lock of its home."""

LOCK: Final = ("run", "lock")
"""Path of the lock in a home."""


def settings(home: Path | None) -> Settings:
    """Settings from flags, environment and defaults; missing addresses are those of the stack that runs in this home.

    Raises: SettingsError.
    """
    configured = settings_module.load(home=home)
    running = {name: value for name, value in addresses(configured.home).items() if name in Settings.model_fields}
    return settings_module.load(**{**running, **configured.model_dump(exclude_unset=True)}) if running else configured


def settings_with_database(home: Path | None) -> Settings:
    """`settings`, which name a database, or whose home has one. Raises: SettingsError, NotFound."""
    found = settings(home)
    if not has_database(found):
        raise NotFound(describe_absence(found.home))
    return found


def settings_with_lake(home: Path | None) -> Settings:
    """`settings`, whose lake exists or is a bucket. Raises: SettingsError, NotFound."""
    found = settings(home)
    if not has_lake(found):
        raise NotFound(describe_absence(found.home))
    return found


def has_database(settings: Settings) -> bool:
    """Whether the settings name a database, or the home has one."""
    return settings.database_url is not None or (settings.home / "postgres" / "data" / "PG_VERSION").exists()


def has_lake(settings: Settings) -> bool:
    """Whether the lake is a bucket, or a folder that exists."""
    url = urlsplit(settings.storage_url)
    return url.scheme != "file" or Path(unquote(url.path)).is_dir()


def describe_absence(home: Path) -> str:
    """The sentence about a home without the data of a stack."""
    return (
        f"{home} holds no data of a stack{describe_running()}; "
        "name the folder of one with --home or SPATIAL_HOME, or start one with `spatial run`"
    )


def describe_running() -> str:
    """Where stacks run on this machine, to complete a sentence; empty where none is found."""
    homes = [str(home) for home in running_homes()]
    return f", and a stack runs in {' and in '.join(homes)}" if homes else ""


def running_homes() -> list[Path]:
    """The homes of the stacks that run on this machine as this user (Linux: /proc; elsewhere none is found)."""
    homes: set[Path] = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if SUPERVISOR in (process / "cmdline").read_bytes().split(b"\0"):
                files = [descriptor.readlink() for descriptor in (process / "fd").iterdir()]
                homes |= {file.parents[1] for file in files if file.parts[-2:] == LOCK}
        except OSError:  # it has ended, or belongs to another user
            continue
    return sorted(homes)


def addresses(home: Path) -> dict[str, Any]:
    """The addresses of the running stack of this home; empty if none runs."""
    try:
        state: dict[str, Any] = json.loads((home / "run" / "stack.json").read_text())
    except (OSError, ValueError):
        return {}
    return state if _is_running(state.get("pid")) else {}


def _is_running(pid: object) -> bool:
    """Whether a process of this id exists."""
    if not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
