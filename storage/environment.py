"""Which variables of the environment are settings; `storage.settings` reads them, which takes 0.1 s to load."""

from __future__ import annotations

import os
from typing import Final

PREFIX: Final = "SPATIAL_"
"""Prefix of every environment variable of the service."""

CLIENT_VARIABLES: Final = frozenset({"SPATIAL_API_KEY", "SPATIAL_BASE_URL"})
"""What the Python client reads from its environment, which may be that of the service."""


def names() -> list[str]:
    """The variables that begin as settings do, and are not the client's."""
    return [name for name in os.environ if name.upper().startswith(PREFIX) and name.upper() not in CLIENT_VARIABLES]
