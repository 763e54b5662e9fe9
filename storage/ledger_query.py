"""Asking the usage ledger: DuckDB over the Parquet objects that the newest manifest names.

DuckDB has one writer process a file, so there is no file: each question gets a database in memory that reads through fsspec.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from storage.lake import Lake, LakeUnavailable, ObjectMissing
from storage.ledger import MANIFESTS, naive_utc, schema

if TYPE_CHECKING:
    import duckdb

ATTEMPTS: Final = 3
"""How often a question is asked anew because compaction swept away what the manifest had named."""


@dataclass(frozen=True)
class Total:
    """What one account was charged on one day (UTC)."""

    account_id: str
    day: date
    items: int
    input_tokens: int
    output_tokens: int
    estimated_cost_usd: Decimal


async def totals(
    lake: Lake, account_id: str | None = None, since: datetime | None = None, until: datetime | None = None
) -> list[Total]:
    """Sums by account and day, from `since` up to but without `until`; in order of account and day.

    Raises: LakeUnavailable.
    """
    asked = {"account": account_id, "since": naive_utc(since), "until": naive_utc(until)}
    return [Total(**row) for row in await query(lake, TOTALS, asked)]


TOTALS: Final = """
    SELECT account_id, CAST(created_at AS DATE) AS day, count(*) AS items,
           CAST(sum(input_tokens) AS BIGINT) AS input_tokens, CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
           sum(estimated_cost_usd) AS estimated_cost_usd
    FROM usage
    WHERE ($account IS NULL OR account_id = $account)
      AND ($since IS NULL OR created_at >= CAST($since AS TIMESTAMP))
      AND ($until IS NULL OR created_at < CAST($until AS TIMESTAMP))
    GROUP BY ALL ORDER BY ALL
"""
"""One row an account and a day."""


async def query(lake: Lake, sql: str, parameters: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Ask the ledger with DuckDB; its rows are the table `usage`, moments in UTC. For operators: the SQL is not restrained.

    Raises: LakeUnavailable; duckdb.Error for SQL that is wrong.
    """
    import duckdb

    for _ in range(ATTEMPTS):
        try:
            return await asyncio.to_thread(_asked, lake, await _live_keys(lake), sql, parameters)
        except (duckdb.IOException, FileNotFoundError, ObjectMissing) as error:
            failure = error
    raise LakeUnavailable("the usage ledger cannot be read now; try again shortly") from failure


async def _live_keys(lake: Lake) -> list[str]:
    """What the newest manifest names; nothing where none was published yet."""
    versions = await lake.list(MANIFESTS)
    return list(json.loads(await lake.get(versions[-1]))["objects"]) if versions else []


def _asked(lake: Lake, keys: list[str], sql: str, parameters: dict[str, Any] | None) -> list[dict[str, Any]]:
    with _opened(lake, keys) as connection:
        answer = connection.execute(sql, parameters)
        names = [column[0] for column in answer.description or ()]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def _opened(lake: Lake, keys: list[str]) -> duckdb.DuckDBPyConnection:
    """An in-memory DuckDB with the view `usage`. Extensions would be downloads; none is needed."""
    import duckdb

    connection = duckdb.connect(config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"})
    if not keys:
        connection.register("usage", schema().empty_table())
        return connection
    connection.register_filesystem(lake.filesystem)
    scheme = lake.filesystem.protocol[0]
    objects = connection.read_parquet([f"{scheme}://{lake.path(key)}" for key in keys])
    objects.create_view("usage")
    return connection
