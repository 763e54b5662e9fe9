"""Where this home's running stack is: settings are completed with the addresses that it wrote into HOME/run/stack.json."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from storage import settings as settings_module
from storage.settings import Settings


def settings(home: Path | None) -> Settings:
    """Flags, environment and defaults, and for what those leave open the addresses of the stack that runs in this home.

    Raises: SettingsError.
    """
    configured = settings_module.load(home=home)
    running = {name: value for name, value in addresses(configured.home).items() if name in Settings.model_fields}
    return settings_module.load(**{**running, **configured.model_dump(exclude_unset=True)}) if running else configured


def addresses(home: Path) -> dict[str, Any]:
    """What the running stack of this home says of itself; empty where none runs."""
    try:
        said: dict[str, Any] = json.loads((home / "run" / "stack.json").read_text())
    except (OSError, ValueError):
        return {}
    return said if _runs(said.get("pid")) else {}


def _runs(pid: object) -> bool:
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
