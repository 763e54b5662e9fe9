"""What notifications promise; they are an addition to the spec."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = rows(
    "docs/notifications.md",
    {
        "notifications.off": "Without an endpoint nothing is written, and without SPATIAL_NOTIFICATIONS nothing is sent.",
        "notifications.outbox": "A message is written in the transaction that ends its batch or run: rolled back, there is none; committed, there is one per endpoint.",
        "notifications.batch-ended": "batch.ended carries the batch's id, status, counts, times and path, whether it ended by itself, was cancelled, given up or expired, and no content of files.",
        "notifications.ingest-ended": "ingest.ended goes to the operator's endpoints alone, once per end of a run, with its source and counts.",
        "notifications.signed": "A message is signed as Standard Webhooks says: the library of receivers accepts it with its secret, and with no other.",
        "notifications.rotation": "While a secret is rotated both are valid, with one signature each; a second rotation, or the end of the time, ends the old one.",
        "notifications.retries": "Ten attempts with the delays of Standard Webhooks and a jitter of at most a tenth; then the delivery has failed.",
        "notifications.retry-after": "A Retry-After, as seconds or a date, lengthens the delay to the next attempt, up to a day.",
        "notifications.gone": "410 disables the endpoint and fails what waits for it.",
        "notifications.redirects": "A redirect is a failed attempt and is not followed.",
        "notifications.addresses": "A name with an address that is not public is refused at each attempt before any connection is made, and so is a URL without TLS, unless its host:port is allowed.",
        "notifications.answer": "The answer's body is not used, however long or slow it is; only the status counts.",
        "notifications.at-least-once": "A message whose process was killed in transit is sent again with the same webhook-id.",
        "notifications.once": "Runs at the same time send a message once, and to an endpoint one message at a time.",
        "notifications.independent": "An endpoint that hangs delays no other endpoint.",
        "notifications.prompt": "A worker that Postgres notifies creates one run, however many workers there are; the schedule exists where the setting is on.",
        "notifications.cli": "spatial notifications adds, lists, tests, rotates and removes endpoints, shows a secret once, and shows deliveries.",
        "notifications.kept": "Endpoints and deliveries are in backups, go with their account, and deliveries end after 30 days.",
        "notifications.metrics": "The metrics count the deliveries that wait and that failed, and how late the next attempt is.",
    },
)
