"""Tables of Arrow as the bytes of Parquet files, and back."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def to_parquet(table: pa.Table) -> bytes:
    """The table as the bytes of a Parquet file."""
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def concatenate(parts: Sequence[bytes], schema: pa.Schema) -> pa.Table:
    """The rows of several Parquet files, in their order."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pa.concat_tables([pq.read_table(io.BytesIO(part), schema=schema) for part in parts])
