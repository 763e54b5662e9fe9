"""What carries flows, and what keeps the house: the warm worker, batches as flow runs, reconciliation."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs: batches",
        {
            "batch.flow-run": "A batch is one flow run of extract-batch, named like it, with its request id as a tag, a task run per item and a page that lists them.",
            "batch.stages": "Every stage of every batch item is a task run under its item: fetch, convert, interpret, sample, assemble, meter.",
            "batch.stages-of-failed": "With SPATIAL_BATCH_STAGES=failed the stages of a failed item are task runs, those of an item that succeeds are not.",
            "batch.end-to-end": "A mixed batch goes from its submission over HTTP to documents, typed errors and usage.",
            "batch.re-run": "A batch that is run again from Prefect, by a copy or a retry, changes nothing and bills nothing.",
            "batch.content-url": "An item's content_url is fetched by the worker, and its failure is that item's error.",
            "batch.failed-stays-failed": "The flow run of a batch of which no item succeeded is Failed, and stays so when it is run again; its message names the items and why.",
            "batch.rerun": "One action, a command and a deployment, extracts every failed item of an ended batch again, each into a result of its own that is billed once; the batch stays as it is.",
            "batch.extract-item": "extract-item extracts a failed item of an ended batch again, into a result of its own; the batch stays as it is, and however often it runs, a success is billed once.",
            "batch.extract-item-refused": "extract-item refuses an unknown or expired batch, one that has not ended, an index beyond its items, an item that has not failed, and a staged file that is deleted.",
            "batch.cancelled-in-prefect": "A batch whose flow run is cancelled in Prefect ends: what is unfinished fails as cancelled.",
        },
    ),
    *rows(
        "operations: when a part dies",
        {
            "batch.survives-worker": "A worker killed in mid-batch: the batch ends, and nothing that was finished is done or billed again.",
            "batch.survives-api": "An API process killed in mid-batch: the batch ends.",
            "batch.survives-prefect": "The Prefect server killed in mid-batch: the batch ends.",
            "batch.survives-postgres": "Postgres killed in mid-batch: the batch ends, and nothing that was finished is done or billed again.",
            "reconcile.lost-extract": "A flow run whose API process was killed does not stay Running.",
            "reconcile.lost-bulk": "A bulk run of any kind whose process is gone ends in Prefect and in the tables, and its state says what is kept and how to continue; one that waits or may live is left.",
            "reconcile.at-once": "A run whose worker was killed, and a batch whose process died before it had a run, are seen by the next process without waiting for the schedule of reconcile.",
            "reconcile.only-where-needed": "A worker starts reconcile where a batch, a bulk run or a flow run has not ended, one run an interval in all workers, and none on an idle service.",
            "reconcile.all-runs": "reconcile reads every run and every worker, page by page.",
            "reconcile.given-up": "A batch whose run died five times is given up: what was not finished fails with a typed error.",
            "reconcile.forgotten-run": "A batch whose flow run Prefect no longer knows gets another one; one cancelled in Prefect ends.",
            "reconcile.stranded-files": "Files of a batch whose POST died are deleted, those of any other are not.",
            "reconcile.silent-worker": "A worker that fell silent is seen in the metrics, and its runs are ended.",
            "batch.relayed": "A batch submitted while the Prefect server is away gets one flow run when it is back, from the same process or the reconciler.",
        },
    ),
    *rows(
        "operations: which worker pool",
        {
            "runtime.private-names": "Private names of Prefect, s3fs and uvicorn that are used are listed next to the code, exist in the pinned version, and Prefect's are used in one package.",
            "runtime.lost-connection": "A request to the Prefect server whose connection died without a sign is sent again once the only server says that it does not know it; one that a server works on, or may work on, is waited for.",
            "worker.woken": "A worker takes a submitted run when the database tells it that there is one, and not at its next poll.",
            "worker.drain": "A worker that is told to leave takes nothing new and lets what runs end.",
            "worker.requeue": "A run that a worker cannot finish before it shuts down is requeued, and another worker starts it at once.",
            "worker.cancel": "A run that is cancelled in Prefect is really stopped.",
            "worker.crash-alone": "A flow that fails, or asks its process to end, leaves the worker and other runs alone.",
            "worker.housekeeping-queue": "A worker at its limit of other runs still takes housekeeping runs.",
            "worker.small-poll": "A worker asks in one small request whether a run is due, which is its heartbeat too, and takes a due run as before.",
            "worker.heartbeat": "A run under way has heartbeats in Prefect's events.",
            "bootstrap.operators-keep": "Registering again leaves what operators changed as they left it.",
            "bootstrap.follows-code": "Registering again brings entrypoints, queues and untouched schedules up to date.",
            "housekeeping.only-where-needed": "A worker starts housekeeping where there is something to do, one run an interval in all workers, and none on an idle service.",
            "housekeeping.runs-here": "Usage rows that have waited for half a minute are exported by the worker that sees them, and Prefect is told of the run when it has ended.",
            "housekeeping.alone": "Of a housekeeping flow one run is at work at a time, and a killed one blocks nobody.",
            "housekeeping.lock-pooler": "The lock of housekeeping and ingest is that of a transaction, so that a pooler in transaction mode keeps its connection and leaves no lock behind.",
            "retention.prefect": "Flow runs that ended long ago are deleted from Prefect, those that are younger are not.",
        },
    ),
)
