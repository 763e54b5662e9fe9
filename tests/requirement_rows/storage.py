"""What storage promises beyond the spec's own sentences."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "architecture: storage",
        {
            "storage.datastore-unavailable": "A dead, frozen or missing Postgres is DatastoreUnavailable within seconds, and a returned one is used at once.",
            "storage.accounts": "One name is one account, however many processes make it at once.",
            "storage.subscriptions": "A subscription is active, trialing, past_due, canceled or none, asked of a billing provider.",
            "storage.keys": "What has not the shape of a key, or is none of ours, is not found.",
            "operation.completes-once": "An operation is completed once, together with its usage, by whoever tries first; a broken commit is settled by asking again.",
            "operation.lease": "An operation whose lease lapsed bills nothing, unless its owner was only slow and nobody took over.",
            "idempotency.one-claimant": "Of any number of claimants of a key in any number of processes, one executes.",
            "idempotency.owner-died": "A key whose owner died becomes usable again when its lease has lapsed, and the old owner is fenced off.",
            "storage.migrations": "Migrations make exactly the tables of the metadata, and any number of processes may run them at once.",
        },
    ),
)
