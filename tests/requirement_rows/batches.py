"""What batches promise beyond the spec's own sentences: their store, their routes, and what we added to them."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "architecture: our store is the truth",
        {
            "batch.ceilings-exact": "The ceilings of a key hold exactly, however many submit at once in however many processes.",
            "batch.item-ends-once": "An item ends once: of completing, failing, cancelling and expiring one wins, and only completing bills.",
            "batch.begun-once": "Of any number of flow runs one carries a batch, until its lease has lapsed.",
            "batch.version": "Whatever a caller can see change of a batch counts its version up, and nothing else does.",
            "batch.clock": "A batch expires by the database's clock, whatever its state says and whoever is at work on it.",
            "batch.outbox": "A queued batch without a flow run is found by the relay; one that has a run is not.",
        },
    ),
    *rows(
        "docs: batches",
        {
            "batch.staged-whole": "A submission that fails while its files are laid down leaves nothing behind: no batch, no file, a free key.",
            "batch.replay": "The replay of a 202 is the stored body, byte for byte.",
            "batch.item-shape": "An item has index, file_name, status, HTTP status and moments; ended, its document or its typed error.",
            "batch.counts": "counts names all four statuses of items and always sums to them.",
            "batch.usage-sum": "The usage of a batch is the sum over its succeeded items.",
            "batch.wait": "GET with wait answers as soon as the batch changes, at once where it has ended, and after the wait at the latest.",
            "batch.wait-one-watcher": "However many wait, a process asks the database in one statement at a time.",
            "batch.results-false": "GET with results=false leaves the documents out.",
            "batch.no-holes": "A result that cannot be read is 503, never a hole.",
            "batch.submission-survives-engine": "A batch is accepted while the flow engine is away; its row waits for the relay.",
            "upload.batch-item": "An upload_id stands for the file of a batch item, which is staged like another.",
            "batch.rerun-route": "POST {id}/rerun extracts the failed items of an ended batch again, in a new batch, once per Idempotency-Key.",
            "batch.fuzz": "No body, query or id of a batch makes a 500, or an error of another shape.",
        },
    ),
)
