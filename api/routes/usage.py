"""GET /api/v1/usage (not in the spec): what the caller's account was charged, by day, key and operation; JSON or CSV."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query
from pydantic import WithJsonSchema
from starlette.requests import Request
from starlette.responses import Response

from api import faults
from api.dispatcher import DispatcherDep
from api.endpoint import Endpoint, raises
from api.gates.keys import CallerDep
from api.repeated import none_sent
from spatial import errors
from spatial.contract import limits
from spatial.contract.usage import Usage
from spatial.contract.usage_report import UsageReport, UsageRow
from spatial.contract.validation import invalid_field
from storage.postgres import usage_totals
from storage.postgres.usage import sum_usage
from storage.postgres.usage_totals import UsageTotal

ROUTE: Final = "/api/v1/usage"

DAYS: Final = 30
"""Length of the time before `until`, where the caller names no `since`."""

CSV: Final = "text/csv"

JSON: Final = "application/json"

WEIGHT: Final = re.compile(r"[01](\.\d{0,3})?")

router = APIRouter(route_class=Endpoint, tags=["usage"])

DAY: Final = WithJsonSchema({"type": "string", "format": "date"})

SinceQuery = Annotated[
    list[str],
    Query(description=f"First day, in UTC; {DAYS - 1} days before `until` without it.", default_factory=none_sent),
    DAY,
]
UntilQuery = Annotated[
    list[str], Query(description="Last day, in UTC; today without it.", default_factory=none_sent), DAY
]


@raises(errors.InvalidRequest)
async def period(since: SinceQuery, until: UntilQuery) -> tuple[date, date]:
    """First and last day. Raises: InvalidRequest."""
    last = _day("until", until) or datetime.now(UTC).date()
    earliest = date.fromordinal(max(last.toordinal() - (DAYS - 1), 1))
    first = _day("since", since) or earliest
    if not 0 <= (last - first).days < limits.USAGE_DAYS:
        raise invalid_field(
            "since", f"is after `until`, or more than {limits.USAGE_DAYS} days before it; name a shorter time"
        )
    return first, last


def _day(name: str, sent: list[str]) -> date | None:
    if not sent:
        return None
    try:
        [only] = sent
        return datetime.strptime(only, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        raise invalid_field(name, "is not a date, or is given twice; write it once, as 2026-11-30") from None


@router.get(
    ROUTE,
    summary="What your account was charged",
    response_description="Totals by day, key and operation",
    operation_id="read_usage",
    response_model=UsageReport,
    responses={200: {"content": {CSV: {"schema": {"type": "string"}}}}},
)
@raises(errors.InvalidRequest)
async def read_usage(
    request: Request, caller: CallerDep, days: Annotated[tuple[date, date], Depends(period)], dispatcher: DispatcherDep
) -> Response:
    """Every answer that was charged, summed by day, key and operation; with `Accept: text/csv` as a table. Not part of the spec.

    The sums are those of the `usage` members of the answers; replays are not charged again and do not count.
    """
    async with dispatcher.database.transaction() as connection:
        found = await usage_totals.read_totals(connection, caller.account_id, *days, count=limits.USAGE_ROWS + 1)
    if len(found) > limits.USAGE_ROWS:
        raise invalid_field("since", f"names a time with more than {limits.USAGE_ROWS} rows; name a shorter one")
    rows = [_row(one) for one in found]
    headers = {"Cache-Control": "no-store", "Vary": "Accept"}
    if _prefers_csv(request):
        return Response(_table(rows), media_type=CSV, headers=headers)
    total = sum_usage(Usage.model_validate(row.model_dump(include=set(Usage.model_fields))) for row in rows)
    report = UsageReport(since=days[0], until=days[1], data=rows, total=total, request_id=faults.id_of(request.scope))
    return Response(report.model_dump_json(exclude_none=True), media_type=JSON, headers=headers)


def _row(total: UsageTotal) -> UsageRow:
    members = {name: float(value) if isinstance(value, Decimal) else value for name, value in vars(total).items()}
    return UsageRow.model_validate({"operation": members.pop("route"), **members})


def _prefers_csv(request: Request) -> bool:
    """Whether the Accept header prefers CSV to JSON; of equal weights the first (RFC 9110 section 12.5.1)."""
    weights: dict[str, float] = {}
    for kind in request.headers.get("accept", "").split(","):
        name, *parameters = (part.strip().lower() for part in kind.split(";"))
        weight = next((part[2:] for part in parameters if part.startswith("q=")), "1")
        if name in (CSV, JSON):
            weights.setdefault(name, float(weight) if WEIGHT.fullmatch(weight) else 0.0)
    return bool(weights) and max(weights, key=lambda name: weights[name]) == CSV and weights[CSV] > 0


def _table(rows: list[UsageRow]) -> bytes:
    """The rows as CSV (RFC 4180), in UTF-8."""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(UsageRow.model_fields))
    writer.writeheader()
    writer.writerows(row.model_dump(mode="json") for row in rows)
    return text.getvalue().encode()
