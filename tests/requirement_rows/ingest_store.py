"""What the tables of bulk ingest promise."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/decisions/0028-ingest-tables.md",
        {
            "ingest-store.tables": "After any history of files, runs and compactions, what readers see equals a plain model.",
            "ingest-store.crash": "Who dies at any moment of a run, commit or compaction leaves tables that hold together, and the next run the same ones as without the death.",
            "ingest-store.twice": "Running an ingest twice reads nothing again and changes nothing.",
            "ingest-store.concurrent": "Runs over the same files read each document once; commits and compactions that overlap lose and double nothing.",
            "ingest-store.claims": "A claim is one owner's until its lease has lapsed; who comes too late changes nothing.",
            "ingest-store.readers": "Readers who follow a manifest see each row once while tables are compacted, for an hour.",
            "ingest-store.unchanged": "A file with the same size and ETag, or size and time, is not read again by the same extractor.",
            "ingest-store.quarantine": "A file that fails is in failures with its reason, and quarantined after so many tries until it changes or is asked for.",
            "ingest-store.formats": "The same bytes under two formats are two documents.",
            "ingest-store.runs": "A run's progress is told; a flow run that is run again goes on with it; one that fell silent is lost.",
            "ingest-store.select": "What is reprocessed is selected by version, status, error, format, date, document, extraction or URI.",
            "ingest-store.superseding": "An old result stays until the new one is committed, and if the same bytes cannot be read any more.",
        },
    ),
)
