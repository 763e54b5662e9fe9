"""The running stack of a home: HOME/run/stack.json has its addresses, which complete the settings."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from storage import settings as settings_module
from storage.settings import Settings


def settings(home: Path | None) -> Settings:
    """Settings from flags, environment and defaults; missing addresses are those of the stack that runs in this home.

    Raises: SettingsError.
    """
    configured = settings_module.load(home=home)
    running = {name: value for name, value in addresses(configured.home).items() if name in Settings.model_fields}
    return settings_module.load(**{**running, **configured.model_dump(exclude_unset=True)}) if running else configured


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
