"""The converter's fork server, whose children run `converter.child`."""

from __future__ import annotations

from collections.abc import Sequence

from converter.format_table import FORMATS
from sandbox import isolation
from sandbox.forkserver_client import ForkServerClient
from spatial.errors import ConverterUnavailable


def create_fork_server(
    *,
    memory_bytes: int,
    table: str = FORMATS,
    only: Sequence[str] | None = None,
    measures: Sequence[str] = isolation.MEASURES,
) -> ForkServerClient:
    """A fork server, not yet started. table: module of the formats table; only: formats whose readers are loaded, None for all."""
    return ForkServerClient(
        program="converter.child",
        options={"table": table, "only": None if only is None else list(only)},
        memory_bytes=memory_bytes,
        unavailable=_unavailable,
        measures=measures,
    )


def _unavailable(why: str) -> ConverterUnavailable:
    return ConverterUnavailable(f"the converter cannot take the file now ({why}); try again", retry_after=2)
