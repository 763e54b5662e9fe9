"""What backup, restore and purge promise."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/operations.md: Backup",
        {
            "backup.round-trip": "What is restored into an empty database and lake is what was backed up, row for row and object for object.",
            "backup.one-moment": "A backup of a database that is being written to is of one moment: the ledger has every row once.",
            "backup.private": "The archive is its owner's alone, and is there whole or not at all.",
            "backup.schema": "A backup of an older schema is restored and brought up to date; one of an unknown schema is refused.",
            "backup.earlier": "A backup made before the modules moved is restored: its keys authenticate, its results, usage and ingest tables answer.",
            "home.layout": "Keys of the lake and revisions of the schema are what they were before the modules moved, so an earlier home opens.",
            "restore.empty-only": "Restore refuses a database, a lake or a home that is not empty, and touches nothing.",
            "restore.hostile": "An archive that is cut short, altered, foreign or made to do harm is refused in a sentence before anything is touched.",
            "restore.nothing-half-done": "A restore that breaks off leaves no row and no object.",
            "backup.prefect": "Prefect's own database comes back by the lines of the page: deployments, schedules, pools, automations and blocks.",
            "cli.backup": "`spatial backup` takes a running stack's data and one at rest; `spatial restore` makes a home of it that answers the same.",
        },
    ),
    *rows(
        "docs/operations.md: Deleting an account",
        {
            "purge.account": "A purged account is unknown: no row, no key, no object and no line of the ledger is left of it.",
            "purge.others-stay": "A purge changes nothing of another account.",
            "purge.again": "A purge that broke off can be done again.",
            "purge.running": "An account with running operations is purged only when told to, after their end or a while.",
            "purge.concurrent": "Exporters, compactors and readers at work during a purge lose no row of others and keep none of the account.",
            "cli.purge": "`spatial purge --account` shows what will be deleted and wants the account's name typed, or --yes.",
        },
    ),
)
