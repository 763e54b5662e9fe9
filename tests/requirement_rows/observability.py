"""What operators see: metrics and log lines."""

from tests.requirement_rows._row import Row, rows

METRICS = "operations: metrics"
LOGS = "operations: logs"

ROWS: tuple[Row, ...] = (
    *rows(
        METRICS,
        {
            "metrics.exposition": "GET /metrics answers in Prometheus' text format, with X-Request-ID, and is not part of the described interface",
            "metrics.requests": "Requests are counted by route template, method and status, with a histogram of their duration",
            "metrics.cardinality": "Unknown paths and methods share one label each, so that no caller can make series",
            "metrics.asked-at-scrape": "Queues, ledger lag, ingest runs and heartbeats are asked at the scrape",
            "metrics.documented": "Every metric of the backlog has its row on the page about operations",
            "metrics.part-away": "A part that is away is spatial_up 0 within seconds, never an error, and its metrics are left out",
            "metrics.access-token": "With a metrics token only who sends it as Bearer is answered",
            "metrics.access-loopback": "Without a token only callers on this machine that no proxy forwarded are answered",
            "metrics.stages": "Each stage's duration is counted where it runs, by whether it ended ok, refused or failed",
            "metrics.heartbeats": "Seconds since the last heartbeat of each worker of the pools are told",
            "metrics.runs": "Flow runs are counted by flow and the state they ended in",
            "metrics.worker": "A worker serves the metrics of its own process on a port of its own, where one is set",
        },
    ),
    *rows(
        LOGS,
        {
            "logs.one-line": "A record is one JSON object on one line, whatever is in it: time, level, logger, message, exception",
            "logs.names": "Request id and flow-run id are in the lines of API, worker and converter that belong to them",
            "logs.no-secrets": "No key, credential, signed address, password or content reaches a line, nor Prefect's copy of it",
            "logs.text": "The same lines can be had as text for people",
            "logs.all-loggers": "Lines of Prefect and uvicorn, and exceptions that end a process, go through the same formatter",
            "logs.refusal": "A refused file is one line of a log without a traceback; what has no exception shows none.",
            "logs.in-prefect": "What a flow or task logs with get_run_logger is kept with its run in Prefect, and not repeated in the log of its process.",
        },
    ),
)
