"""What bulk ingest and reprocessing promise."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = rows(
    "docs/ingest.md",
    {
        "ingest.source": "A folder and a bucket are walked and read alike, whatever the names; what is not there or out of reach is told.",
        "ingest.choice": "Glob, formats, sizes and changed-since narrow down what is ingested.",
        "ingest.links": "Symbolic links are neither followed nor read.",
    },
)
