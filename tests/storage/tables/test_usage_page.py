"""docs/usage.md is true: each of its questions has the answer that its words promise."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from storage import ids
from storage.objects.lake import Lake
from storage.postgres import accounts, keys, operations
from storage.postgres.database import Database
from storage.postgres.schema import usage
from storage.postgres.usage import UsageRow, record_usage
from storage.tables import ledger, ledger_query

PAGE = (Path(__file__).parents[3] / "docs" / "usage.md").read_text()
QUESTIONS = dict(re.findall(r"^(\S[^\n]*):\n\n```sql\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL))

EXTRACT, BATCH, RESPOND = "/api/v1/cad/extract", "/api/v1/cad/extract/batch", "/api/v1/responses"
CHARGES: list[tuple[str, str, str, str | None, str | None, int, str, str]] = [
    ("demo", "a", EXTRACT, "step", "part.step", 100, "0.10", "2026-11-02 09:00"),
    ("demo", "a", EXTRACT, "step", "part.step", 100, "0.12", "2026-11-03 09:30"),
    ("demo", "b", BATCH, "pdf", "sheet.pdf", 40, "0.04", "2026-11-03 23:59"),
    ("demo", "b", RESPOND, None, None, 7, "0.01", "2026-11-30 23:59"),
    ("demo", "b", EXTRACT, "step", "large.step", 900, "0.90", "2026-12-01 00:00"),
    ("other", "c", EXTRACT, "dxf", "plan.dxf", 50, "0.05", "2026-11-02 09:45"),
]
"""Account, key, route, format, file, tokens of each kind, dollars, when."""

ANSWERS: dict[str, list[dict[str, Any]]] = {
    "What each account used, by month": [
        {"account": "demo", "month": "2026-11", "items": 4, "usd": Decimal("0.27")},
        {"account": "other", "month": "2026-11", "items": 1, "usd": Decimal("0.05")},
        {"account": "demo", "month": "2026-12", "items": 1, "usd": Decimal("0.90")},
    ],
    "The ten files that cost most": [
        {"file_name": "large.step", "source_format": "step", "tokens": 1800, "usd": Decimal("0.90")},
        {"file_name": "part.step", "source_format": "step", "tokens": 200, "usd": Decimal("0.12")},
        {"file_name": "part.step", "source_format": "step", "tokens": 200, "usd": Decimal("0.10")},
        {"file_name": "plan.dxf", "source_format": "dxf", "tokens": 100, "usd": Decimal("0.05")},
        {"file_name": "sheet.pdf", "source_format": "pdf", "tokens": 80, "usd": Decimal("0.04")},
    ],
    "What a format costs, by file": [
        {"source_format": "step", "files": 3, "usd_per_file": pytest.approx(1.12 / 3), "median_output_tokens": 100.0},
        {"source_format": "dxf", "files": 1, "usd_per_file": pytest.approx(0.05), "median_output_tokens": 50.0},
        {"source_format": "pdf", "files": 1, "usd_per_file": pytest.approx(0.04), "median_output_tokens": 40.0},
    ],
    "What each operation costs": [
        {"route": EXTRACT, "items": 4, "input_tokens": 1150, "output_tokens": 1150, "usd": Decimal("1.17")},
        {"route": BATCH, "items": 1, "input_tokens": 40, "output_tokens": 40, "usd": Decimal("0.04")},
        {"route": RESPOND, "items": 1, "input_tokens": 7, "output_tokens": 7, "usd": Decimal("0.01")},
    ],
    "The busiest hours of the day, in UTC": [{"hour": 9, "items": 3}, {"hour": 23, "items": 2}, {"hour": 0, "items": 1}],
    "The days on which an account used more than twice its daily average": [
        {"account": "demo", "day": datetime(2026, 12, 1, tzinfo=UTC).date(), "usd": Decimal("0.90")}
    ],
    "Files that were extracted more than once, which an Idempotency-Key would have made free": [
        {"account": "demo", "file_name": "part.step", "input_tokens": 100, "times": 2, "usd_too_much": Decimal("0.12")}
    ],
    "The share of batches in all extractions": [{"percent_in_batches": 20.0}],
}  # fmt: skip


async def charge_all(database: Database) -> dict[str, str]:
    """Write the charges; returns the prefix of each key."""
    prefixes: dict[str, str] = {}
    payers: dict[str, str] = {}
    secrets: dict[str, tuple[str, str]] = {}
    async with database.transaction() as connection:
        for account, key, route, source_format, file_name, tokens, usd, when in CHARGES:
            if key not in secrets:
                if account not in payers:
                    payers[account] = (await accounts.create(connection, account)).id
                issued = await keys.issue(connection, payers[account], f"label of {key}")
                secrets[key] = (payers[account], issued.key_id)
                prefixes[key] = issued.secret[: keys.PREFIX_CHARACTERS]
            account_id, key_id = secrets[key]
            operation_id = operations.new_id()
            who = {
                "operation_id": operation_id,
                "account_id": account_id,
                "key_id": key_id,
                "request_id": ids.new("req"),
                "route": route,
            }
            await operations.open(connection, **who, lease_seconds=60.0)
            half = str(Decimal(usd) / 2)
            row = UsageRow.model_validate(
                {
                    **who, "source_format": source_format, "file_name": file_name, "input_tokens": tokens, "output_tokens": tokens,
                    "estimated_input_cost_usd": half, "estimated_output_cost_usd": half, "estimated_cost_usd": usd,
                }
            )  # fmt: skip
            await record_usage(connection, row)
            moment = datetime.fromisoformat(when).replace(tzinfo=UTC)
            await connection.execute(
                sa.update(usage).where(usage.c.operation_id == operation_id).values(created_at=moment)
            )
    return prefixes


@pytest.mark.requirement("usage.questions")
async def test_every_question_has_the_answer_that_its_words_promise(fresh_postgres_url: str, lake: Lake) -> None:
    database = Database(fresh_postgres_url)
    try:
        prefixes = await charge_all(database)
        await ledger.export(database, lake)
    finally:
        await database.close()
    found = {question: await ledger_query.query(lake, sql) for question, sql in QUESTIONS.items()}
    assert len(found) == 10
    by_key = found.pop("Which keys were used, and when last")
    assert [(row["key_prefix"], row["key_label"], row["items"]) for row in by_key] == [
        (prefixes["b"], "label of b", 3), (prefixes["a"], "label of a", 2), (prefixes["c"], "label of c", 1),
    ]  # fmt: skip
    bill = found.pop("The bill of one account for one month, by key and operation")
    assert [(row["key_prefix"], row["route"], row["items"], row["usd"]) for row in bill] == [
        (prefixes["a"], EXTRACT, 2, Decimal("0.22")),
        (prefixes["b"], BATCH, 1, Decimal("0.04")),
        (prefixes["b"], RESPOND, 1, Decimal("0.01")),
    ]
    assert found == ANSWERS
