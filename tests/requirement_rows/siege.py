"""What holds whatever happens to the service: processes that are killed, hostile files, connections that break, full disks."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "security: sieges",
        {
            "siege.kills": "After kills of every process under calls, batches, reasoning and ingest every item is done or failed, every staged file belongs to a request, and the tables are those of the same files read from scratch.",
            "siege.hostile": "Every hostile file and file name is answered within its deadline by no 5xx, no child outgrows its ceiling, and the next file is read.",
        },
    ),
    *rows(
        "spec: Idempotency-Key, Limits; docs/uploads.md",
        {
            "api.state-machine": "Any sequence of uploads, extractions, batches and Idempotency-Keys of two accounts is answered as a model of them says, and charged as it was answered.",
        },
    ),
)
