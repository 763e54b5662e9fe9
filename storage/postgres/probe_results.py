"""Results of the health probes, one per probe and minute, for the history that the console shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract.health import Check
from storage.postgres.schema import probe_results

KEPT: Final = timedelta(days=7)
"""How long results are kept."""


@dataclass(frozen=True)
class ProbeResult:
    """What one probe found in one minute."""

    minute: datetime
    probe: str
    status: str
    latency_ms: float | None
    detail: str


async def record(connection: AsyncConnection, moment: datetime, checks: Mapping[str, Check]) -> None:
    """Record the results of a round of probes, unless another process has recorded those of this minute."""
    minute = moment.replace(second=0, microsecond=0)
    rows = [
        {
            "minute": minute,
            "probe": name,
            "status": check.status,
            "latency_ms": check.latency_ms,
            "detail": check.detail or "",
        }
        for name, check in checks.items()
    ]
    if rows:
        await connection.execute(insert(probe_results).on_conflict_do_nothing(), rows)


async def read_since(connection: AsyncConnection, since: datetime) -> list[ProbeResult]:
    """Results from a moment on, oldest first."""
    query = sa.select(probe_results).where(probe_results.c.minute >= since)
    ordered = query.order_by(probe_results.c.minute, probe_results.c.probe)
    return [ProbeResult(**row) for row in (await connection.execute(ordered)).mappings()]


async def delete_old(connection: AsyncConnection) -> int:
    """Delete results past KEPT; returns how many."""
    old = probe_results.c.minute < sa.func.clock_timestamp() - KEPT
    return (await connection.execute(sa.delete(probe_results).where(old))).rowcount
