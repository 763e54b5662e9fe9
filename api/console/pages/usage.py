"""Usage from the ledger: charts and a table per day, operation and key, and its rows as CSV or Parquet."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final, Literal

from fastapi import APIRouter
from starlette.responses import Response

from api.console import charts, downloads, parameters, rendering
from api.console.endpoint import Page
from api.console.parameters import Period
from api.console.session import SignedInDep
from api.dispatcher import Dispatcher, DispatcherDep
from api.endpoint import raises
from spatial import errors
from storage.postgres import keys
from storage.tables import ledger, query, result_writers
from storage.tables.ledger import to_naive_utc
from storage.tables.ledger_query import Group, read_groups

SECTION: Final = "/console/usage"
router = APIRouter(route_class=Page, include_in_schema=False)


@dataclass(frozen=True)
class UsageRow:
    """Totals of one key, operation and day."""

    day: date
    account: str
    key: str
    operation: str
    items: int
    input_tokens: int
    output_tokens: int
    cost: Decimal

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens


@router.get(SECTION)
@raises(errors.InvalidRequest, errors.BillingUnavailable, errors.ConverterUnavailable)
async def read(
    signed_in: SignedInDep, dispatcher: DispatcherDep, account: str = "", since: str = "", until: str = ""
) -> Response:
    """What was charged in some days, as the ledger has it after an export of the newest rows."""
    days = parameters.period(since, until)
    await ledger.export(dispatcher.database, dispatcher.lake)
    groups = await read_groups(
        dispatcher.lake, ("day", "account", "key", "route"), account or None, days.since, days.until
    )
    rows = await _named(dispatcher, groups)
    return rendering.page(
        "usage.html",
        signed_in,
        section=SECTION,
        rows=sorted(rows, key=lambda row: (row.day, row.tokens), reverse=True),
        days=days,
        accounts=await parameters.list_accounts(dispatcher.database),
        account=account,
        total=_total(rows),
        by_day=_by_day(rows, days),
        by_key=charts.bars("Tokens per key", _sums(rows, lambda row: f"{row.account} {row.key}"), unit="tokens"),
        by_operation=charts.bars("Tokens per operation", _sums(rows, lambda row: row.operation), unit="tokens"),
    )


@router.get(f"{SECTION}.{{file_format}}")
@raises(errors.InvalidRequest, errors.NotFound, errors.BillingUnavailable, errors.ConverterUnavailable)
async def download(
    file_format: str,
    signed_in: SignedInDep,
    dispatcher: DispatcherDep,
    account: str = "",
    since: str = "",
    until: str = "",
) -> Response:
    """Every row of the ledger in some days, as CSV or Parquet."""
    if file_format not in ("csv", "parquet"):
        raise errors.NotFound(f"usage is not written as {file_format[:20]}; choose csv or parquet")
    days = parameters.period(since, until)
    await ledger.export(dispatcher.database, dispatcher.lake)
    chosen: Literal["csv", "parquet"] = "csv" if file_format == "csv" else "parquet"
    file = tempfile.TemporaryFile()  # noqa: SIM115  # closed when it is sent
    values = {"account": account or None, "since": to_naive_utc(days.since), "until": to_naive_utc(days.until)}
    try:
        await query.run(dispatcher.lake, ROWS, result_writers.write_to(file, chosen), values)
    except BaseException:
        file.close()
        raise
    return downloads.response(file, chosen, f"usage-{days.first}-{days.last}")


ROWS: Final = """
SELECT * FROM usage
WHERE ($account IS NULL OR account_id = $account)
  AND created_at >= CAST($since AS TIMESTAMP) AND created_at < CAST($until AS TIMESTAMP)
ORDER BY created_at, operation_id, item
"""


async def _named(dispatcher: Dispatcher, groups: list[Group]) -> list[UsageRow]:
    """The groups with the names of accounts and keys; an id where neither is known any more."""
    async with dispatcher.database.transaction() as connection:
        known = {row.id: row for row in await keys.list_keys(connection)}
    rows = []
    for group in groups:
        day, account_id, key_id, route = group.values
        key = known.get(key_id)
        rows.append(
            UsageRow(
                day,
                key.account if key else account_id,
                (key.label or f"{key.prefix}…") if key else key_id,
                route,
                group.items,
                group.input_tokens,
                group.output_tokens,
                group.estimated_cost_usd,
            )
        )
    return rows


def _sums(rows: list[UsageRow], name: Any) -> dict[str, int]:
    """Tokens by what `name` says of a row, the largest first."""
    sums: dict[str, int] = defaultdict(int)
    for row in rows:
        sums[name(row)] += row.tokens
    return dict(sorted(sums.items(), key=lambda pair: -pair[1]))


def _by_day(rows: list[UsageRow], days: Period) -> charts.Svg:
    """Tokens per day, one colour per operation."""
    series: dict[str, dict[str, int]] = {operation: {} for operation in _sums(rows, lambda row: row.operation)}
    for row in rows:
        of_day = series[row.operation]
        of_day[row.day.isoformat()] = of_day.get(row.day.isoformat(), 0) + row.tokens
    return charts.columns("Tokens per day and operation", [day.isoformat() for day in days.days], series, unit="tokens")


def _total(rows: list[UsageRow]) -> dict[str, Any]:
    return {
        "items": sum(row.items for row in rows),
        "input_tokens": sum(row.input_tokens for row in rows),
        "output_tokens": sum(row.output_tokens for row in rows),
        "cost": sum((row.cost for row in rows), Decimal(0)),
    }
