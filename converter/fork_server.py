"""The converter's fork server, whose children run `converter.child`.

It has two layers, as a fork costs what was loaded: children that read drawings and diagrams are forked without the geometry kernel
([decision 64]).

[decision 64]: docs/decisions/0064-layers-of-the-fork-server.md
"""

from __future__ import annotations

from collections.abc import Sequence

from converter.format_table import FORMATS, formats
from sandbox import isolation
from sandbox.forkserver_client import ForkServerClient
from spatial.errors import ConverterUnavailable


class ReaderForkServer(ForkServerClient):
    """A fork server with the readers of a formats table."""

    def __init__(self, *, table: str, only: Sequence[str] | None, memory_bytes: int, measures: Sequence[str]) -> None:
        """table: module of the formats table; only: formats whose readers are loaded, unused until then; None for all, warmed up."""
        rows = [row for row in formats(table).values() if only is None or row.name in only]
        solids, others = ([row.name for row in rows if (row.kind == "brep") is kernel] for kernel in (True, False))
        layers = [names for names in (others, solids) if names]
        self._layer = {name: index for index, names in enumerate(layers) for name in names}
        super().__init__(
            program="converter.child",
            layers=[{"table": table, "only": names, "warm": only is None} for names in layers],
            memory_bytes=memory_bytes,
            unavailable=_unavailable,
            measures=measures,
            huge_pages=only is None,
        )

    def layer_of(self, format_name: str) -> int:
        """The layer whose children read a format."""
        return self._layer[format_name]

    def fork_all_ahead(self) -> None:
        """A spare child of each layer."""
        for layer in sorted(set(self._layer.values())):
            self.fork_ahead(layer)


def create_fork_server(
    *,
    memory_bytes: int,
    table: str = FORMATS,
    only: Sequence[str] | None = None,
    measures: Sequence[str] = isolation.MEASURES,
) -> ReaderForkServer:
    """A fork server, not yet started."""
    return ReaderForkServer(table=table, only=only, memory_bytes=memory_bytes, measures=measures)


def _unavailable(why: str, seconds: int) -> ConverterUnavailable:
    return ConverterUnavailable(f"the converter cannot take the file now ({why}); try again", retry_after=seconds)
