"""Queries of the usage ledger: DuckDB over the Parquet objects that the newest manifest names (storage/tables/query_engine.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any, Final

from storage.objects.lake import Lake
from storage.tables import table_store
from storage.tables.ledger import STORE, schema, to_naive_utc
from storage.tables.query_engine import TableView, fetch_rows, run_query


@dataclass(frozen=True)
class Total:
    """Usage and cost of one account on one day (UTC)."""

    account_id: str
    day: date
    items: int
    input_tokens: int
    output_tokens: int
    estimated_cost_usd: Decimal


@dataclass(frozen=True)
class Group:
    """Usage and cost of the rows that agree in some dimensions."""

    values: tuple[Any, ...]
    """Value per dimension."""
    items: int
    input_tokens: int
    output_tokens: int
    estimated_cost_usd: Decimal


DIMENSIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "account": "account_id",
        "key": "key_id",
        "operation": "operation_id",
        "route": "route",
        "format": "source_format",
        "day": "CAST(created_at AS DATE)",
        "month": "strftime(created_at, '%Y-%m')",
    }
)
"""What usage can be grouped by, and its SQL; days and months are UTC."""


async def read_totals(
    lake: Lake, account_id: str | None = None, since: datetime | None = None, until: datetime | None = None
) -> list[Total]:
    """Totals per account and day, sorted by both. since: inclusive; until: exclusive.

    Raises: LakeUnavailable.
    """
    found = await read_groups(lake, ("account", "day"), account_id, since, until)
    return [_total(group) for group in found]


def _total(group: Group) -> Total:
    account_id, day = group.values
    return Total(account_id, day, group.items, group.input_tokens, group.output_tokens, group.estimated_cost_usd)


async def read_groups(
    lake: Lake,
    by: Sequence[str],
    account_id: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> list[Group]:
    """Totals per combination of some DIMENSIONS (at least one), sorted by them. since: inclusive; until: exclusive.

    Raises: LakeUnavailable.
    """
    parameters = {"account": account_id, "since": to_naive_utc(since), "until": to_naive_utc(until)}
    selected = "".join(f"{DIMENSIONS[name]} AS by_{name}, " for name in by)
    order = ", ".join(f"by_{name}" for name in by)
    rows = await query(lake, f"SELECT {selected}{_TOTALS} GROUP BY ALL ORDER BY {order}", parameters)
    return [Group(tuple(row.pop(f"by_{name}") for name in by), **row) for row in rows]


_TOTALS: Final = """
    count(*) AS items,
    CAST(sum(input_tokens) AS BIGINT) AS input_tokens, CAST(sum(output_tokens) AS BIGINT) AS output_tokens,
    sum(estimated_cost_usd) AS estimated_cost_usd
    FROM usage
    WHERE ($account IS NULL OR account_id = $account)
      AND ($since IS NULL OR created_at >= CAST($since AS TIMESTAMP))
      AND ($until IS NULL OR created_at < CAST($until AS TIMESTAMP))
"""


async def query(lake: Lake, sql: str, parameters: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """Run one DuckDB SELECT over the view `usage`; times are in UTC.

    Raises: InvalidRequest if the SQL is invalid or not a single SELECT; LakeUnavailable.
    """

    async def views() -> list[TableView]:
        return [await usage_view(lake)]

    return await run_query(lake, views, sql, parameters, fetch_rows)


async def usage_view(lake: Lake) -> TableView:
    """The view `usage`. Raises: LakeUnavailable."""
    return TableView("usage", schema(), await table_store.read_manifest(lake, STORE))
