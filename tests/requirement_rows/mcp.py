"""What the MCP endpoint promises beyond the spec, the two routes behind its resources, and the usage report."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/api.md",
        {
            "extractions.list": "The account's extractions of the last 24 hours are listed, latest first, page by page, batch items included.",
            "extractions.read": "One of them is read again as it was answered, under its request id, without charge.",
            "extractions.account-scoped": "Another account's extraction, an unknown one and an expired one are 404.",
            "extractions.parameters": "A wrong limit or skip is 400 with its path.",
            "extractions.scene": "A reasoning request names an extraction in place of the scene.",
        },
    ),
    *rows(
        "docs/mcp.md",
        {
            "mcp.codes": "Parse errors, invalid requests, unknown methods, wrong parameters and failures of ours have the codes of JSON-RPC.",
            "mcp.schemas": "Every result of a tool fits the output schema that tools/list gives, at every detail.",
            "mcp.detail": "A result is cut to the detail that was asked for, and names what is cut and where it is.",
            "mcp.pages": "Page by page, the resources of a document give exactly its content.",
            "mcp.resources": "Tables are public; an account's extractions need its key.",
            "mcp.prompts": "Prompts are filled in with their arguments; a missing or unknown one is -32602.",
            "mcp.idempotency": "A tool's idempotency_key is the Idempotency-Key of its route.",
            "mcp.modern": "Requests of revision 2026-07-28 are held to its headers and metadata, and their results carry its members.",
            "mcp.legacy": "initialize agrees on the revision that was asked for, or on the latest of its era.",
            "mcp.origin": "A page of a foreign origin is refused with 403; any Host is served.",
            "mcp.body-limit": "Bodies up to the limit of the service are read, larger ones are 413.",
            "mcp.client": "The official client lists, extracts, reads page by page and reasons, in both eras, over HTTP.",
            "mcp.terse": "What an agent is told of the tools stays short.",
        },
    ),
    *rows(
        "docs/usage.md",
        {
            "usage.report": "GET /api/v1/usage sums what the account was charged by day (UTC), key and operation.",
            "usage.csv": "It is CSV where the Accept header prefers that.",
            "usage.parameters": "Days that are no dates, or a time that is too long, are 400 with their path.",
            "usage.questions": "Every question of docs/usage.md is answered with the rows that its words promise.",
            "usage.ledger-proof": "After random calls with failures, replays, re-runs and killed processes, the ledger holds what the answers reported, by request id.",
        },
    ),
)
