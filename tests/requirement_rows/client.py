"""What the Python client promises (clients/python)."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "clients/python/README.md",
        {
            "client.retries": "The client sends a request again after a lost connection, 429, 503, 409 in progress and a proxy's 502, within a bound, and no other.",
            "client.idempotency-key": "Every POST of the client that is sent again keeps its Idempotency-Key, which a caller may give.",
            "client.errors": "Every error type of the service is a class of the client; an unknown one has the class of its status, and so has an answer that is no JSON.",
            "client.key-secret": "The key is in no repr, error or log of the client, and goes to the service only.",
            "client.sources": "A file is given to the client as a path, as bytes or as an open file, also one that can be read only once.",
            "client.newer-service": "Members and names that a newer service adds are kept and break nothing.",
            "client.generated": "The models, the errors and the asyncio client are what the script makes of the contract and of the blocking client.",
            "client.same-methods": "The blocking and the asyncio client have the same methods with the same parameters.",
            "client.uploads": "A file over the inline limit goes by upload, in pieces, again after a broken connection unless it has arrived, and is deleted afterwards.",
            "client.extract": "The client extracts by value, by upload and by address, and reads and lists documents again.",
            "client.batches": "A batch of the client hands out each outcome as it is ready, each document read once; it can be resumed, repeated and cancelled.",
            "client.batch-limits": "Files beyond 32 are several batches behind one handle, 5 in flight and 10 a minute; a file that is refused fails alone.",
            "client.respond": "The client answers tasks alone and in batches, sends large scenes ahead, and imports feature trees.",
            "client.account": "The client lists models, reads health also where the service is down, and reports usage.",
            "client.package": "The client installs by itself, typed, with httpx and pydantic alone, and imports nothing of the service.",
            "client.examples": "The examples and the notebook of the client run against the service and report what they did not find.",
        },
    ),
)
