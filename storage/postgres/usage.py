"""Usage: what each answer was charged, written once.

The row goes into Postgres in the transaction that completes the request, unique by operation and item, so that a crash bills nothing
that was not answered and a re-run bills nothing again. `storage.tables.ledger` copies
the rows to Parquet, where DuckDB queries them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cache
from typing import Annotated, Any

import sqlalchemy as sa
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from spatial.contract import limits
from spatial.contract.usage import Usage
from spatial.storable import storable
from storage.postgres import meter_events
from storage.postgres.compiled import CompiledStatement
from storage.postgres.schema import usage
from storage.settings import Settings


class UsageRow(BaseModel):
    """What one item of one operation is charged. The moment is the database's, when the row is written."""

    model_config = ConfigDict(frozen=True)

    operation_id: str
    item: int = Field(default=0, ge=0)
    """Index in a batch; 0 for a request of its own."""
    account_id: str
    key_id: str
    request_id: str
    route: str
    source_format: str | None = None
    file_name: Annotated[str | None, BeforeValidator(storable)] = None
    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    estimated_input_cost_usd: Decimal = Field(ge=0)
    estimated_output_cost_usd: Decimal = Field(ge=0)
    estimated_cost_usd: Decimal = Field(ge=0)


async def record_usage(connection: AsyncConnection, row: UsageRow) -> bool:
    """Write a row, in the caller's transaction; False where the operation's item has one already, which stays as it is.

    Where the account is linked to a payment provider, the same statement writes the row's meter events.
    """
    return bool((await _record().execute(connection, row.model_dump())).scalar_one())


@cache
def _record() -> CompiledStatement:
    charged, queued = charging(sa.select(*_charge()))
    return CompiledStatement(sa.select(sa.func.count()).select_from(charged).add_cte(queued))


def charging(rows: sa.Select[Any]) -> tuple[sa.CTE, sa.CTE]:
    """Parts of a statement that write rows of usage, and their meter events. rows: as `charge_where` has them."""
    once = (
        insert(usage)
        .from_select(list(UsageRow.model_fields), rows)
        .on_conflict_do_nothing(index_elements=[usage.c.operation_id, usage.c.item])
    )
    written = ("operation_id", "item", "account_id", "input_tokens", "output_tokens", "created_at")
    charged = once.returning(*(usage.c[name] for name in written)).cte("charged")
    return charged, meter_events.enqueue(charged)


def charge_where(gate: sa.CTE) -> sa.Select[Any]:
    """The row of the parameters, named as the fields of UsageRow, where `gate` has a row; else none."""
    return sa.select(*_charge()).select_from(gate)


def _charge() -> list[sa.ColumnElement[Any]]:
    columns = [usage.c[name] for name in UsageRow.model_fields]
    return [sa.cast(sa.bindparam(column.name, type_=column.type), column.type) for column in columns]


async def find_usage(connection: AsyncConnection, operation_id: str, item: int = 0) -> Usage | None:
    """The charge of the operation's item, as its response reported it; None if nothing was charged."""
    rows = sa.select(*_members()).where(usage.c.operation_id == operation_id, usage.c.item == item)
    found = (await connection.execute(rows)).mappings().first()
    return _to_usage(found) if found is not None else None


async def find_item_usage(connection: AsyncConnection, operation_id: str) -> dict[int, Usage]:
    """What the operation's items were charged, by item."""
    rows = sa.select(usage.c.item, *_members()).where(usage.c.operation_id == operation_id)
    return {row["item"]: _to_usage(row) for row in (await connection.execute(rows)).mappings()}


def sum_usage(charged: Iterable[Usage]) -> Usage:
    """The sum, exact to the tenth decimal; of nothing it is 0 in every member."""
    sums = dict.fromkeys(Usage.model_fields, Decimal())
    for one in charged:
        for name in sums:
            sums[name] += Decimal(str(getattr(one, name) or 0))
    whole = ("input_tokens", "output_tokens")
    return Usage.model_validate({name: int(sum_) if name in whole else float(sum_) for name, sum_ in sums.items()})


def count_tokens(n_bytes: int) -> int:
    """Spatial tokens of so many bytes: ceil(bytes / 4) (spec: Metering)."""
    return -(-n_bytes // limits.BYTES_PER_TOKEN)


def estimate(settings: Settings, input_tokens: int, output_tokens: int) -> Usage:
    """Usage as a response carries it, at the settings' prices; exact to the tenth decimal."""
    spent = _dollars(input_tokens, settings.price_input_usd_per_million)
    earned = _dollars(output_tokens, settings.price_output_usd_per_million)
    return Usage(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        estimated_input_cost_usd=float(spent),
        estimated_output_cost_usd=float(earned),
        estimated_cost_usd=float(spent + earned),
    )


def _members() -> list[sa.ColumnElement[Any]]:
    return [usage.c[name] for name in Usage.model_fields]


def _to_usage(row: Mapping[Any, Any]) -> Usage:
    """A row as reported in its response."""
    numbers = {name: row[name] for name in Usage.model_fields}
    said = {name: float(value) if isinstance(value, Decimal) else value for name, value in numbers.items()}
    return Usage.model_validate(said)


def _dollars(tokens: int, usd_per_million: float) -> Decimal:
    """A price is the decimal number that was written in the settings, not the binary fraction nearest to it."""
    return round(Decimal(tokens) * Decimal(str(usd_per_million)) / 1_000_000, 10)
