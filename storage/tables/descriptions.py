"""What every view and each of its columns holds, from `descriptions.toml`: for `spatial query --describe` and docs/tables.md."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("descriptions.toml")


def about(view: str) -> str:
    """What one row of a view is. Raises: KeyError."""
    return str(_load()["view"][view]["about"])


def grouped_columns(view: str) -> Mapping[tuple[str, ...], str]:
    """Columns that are described together, and their description; the shared ones too, whether the view has them or not."""
    own = _load()["view"][view]["columns"]
    return {tuple(names.split(", ")): str(text) for names, text in {**_load()["shared"], **own}.items()}


def columns(view: str) -> Mapping[str, str]:
    """Description per column, as `grouped_columns`."""
    return {name: text for names, text in grouped_columns(view).items() for name in names}


def own_columns() -> Mapping[str, frozenset[str]]:
    """The columns that have a description in the section of their view, by view."""
    return {
        view: frozenset(name for names in section["columns"] for name in names.split(", "))
        for view, section in _load()["view"].items()
    }


@cache
def _load() -> Mapping[str, Any]:
    return tomllib.loads(FILE.read_text("utf-8"))
