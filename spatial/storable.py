"""Texts that a database can hold: PostgreSQL's text has no U+0000 and no half surrogate; both can stand in a JSON string."""

from __future__ import annotations

from typing import Any


def storable(said: Any) -> Any:
    """`said` (text, list, dictionary; anything else as it is) with U+FFFD for each character that PostgreSQL cannot hold."""
    if isinstance(said, str):
        return said.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(said, dict):
        return {storable(name): storable(value) for name, value in said.items()}
    return [storable(each) for each in said] if isinstance(said, list | tuple) else said
