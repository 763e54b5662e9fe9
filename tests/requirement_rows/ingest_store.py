"""What the tables of bulk ingest promise."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/decisions/0026-ingest-tables.md",
        {
            "ingest.tables": "After any history of files, runs and compactions, what readers see equals a plain model.",
            "ingest.crash": "Who dies at any moment of a run, commit or compaction leaves tables that hold together, and the next run the same ones as without the death.",
            "ingest.twice": "Running an ingest twice reads nothing again and changes nothing.",
            "ingest.concurrent": "Runs over the same files read each document once; commits and compactions that overlap lose and double nothing.",
            "ingest.claims": "A claim is one owner's until its lease has lapsed; who comes too late changes nothing.",
            "ingest.readers": "Readers who follow a manifest see each row once while tables are compacted, for an hour.",
            "ingest.unchanged": "A file with the same size and ETag, or size and time, is not read again by the same extractor.",
            "ingest.quarantine": "A file that fails is in failures with its reason, and quarantined after so many tries until it changes or is asked for.",
            "ingest.formats": "The same bytes under two formats are two documents.",
            "ingest.runs": "A run's progress is told; a flow run that is run again goes on with it; one that fell silent is lost.",
            "ingest.select": "What is reprocessed is selected by version, status, error, format, date, document, extraction or URI.",
            "ingest.superseding": "An old result stays until the new one is committed, and if the same bytes cannot be read any more.",
        },
    ),
)
