"""What the HTTP face promises beyond the letter of the spec: how open places were settled, and what keeps it standing."""

from __future__ import annotations

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "api: intake",
        {
            "api.multipart-forms": "Forms are read in every spelling of file names that clients send; broken ones are 400.",
            "api.multipart-closed": "A form has its parts once each, and no others.",
            "api.null-and-not-finite": "A text with U+0000 in a body is 400 with its path in every route, before any work; a number that is not finite is 422 with its path where a route takes numbers.",
            "api.json-strict": "A JSON body is RFC 8259 and UTF-8: no NaN, no bottomless nesting, no lone surrogate.",
            "api.content-types": "A body is application/json or multipart/form-data, uncompressed; anything else is 400.",
            "api.file-name-bare": "A path in a file name is dropped: the name is what follows the last slash or backslash.",
            "api.file-name-visible": "A name with a control character or a mark of text direction is 400 on every route.",
            "api.body-bounded": "A JSON body's values are counted before they are built; its errors and their texts are bounded.",
            "api.body-off-the-loop": "Bodies are parsed and validated in a thread, while the event loop serves others.",
        },
    ),
    *rows(
        "api: HTTP",
        {
            "api.broken-http": "Bytes that are not HTTP get a 400 of the Error shape with X-Request-ID.",
            "api.one-length": "A request with Content-Length and Transfer-Encoding is 400, and its connection ends.",
            "api.slow-body": "A body that does not arrive in time is 400.",
            "api.slow-head": "A connection that sends no request's head in time is closed.",
            "api.head-like-get": "HEAD answers like GET, without a body.",
            "api.allow": "A 405 says in Allow which methods there are.",
            "api.no-slash-redirects": "A trailing slash is another route: 404, never a redirect.",
            "api.bearer-form": "The Bearer scheme is case-insensitive; a malformed Authorization is 401 with WWW-Authenticate.",
            "api.retry-after": "Every 429 and 503 carries Retry-After.",
            "api.log-lines": "Each request is one JSON log line with its id, route, status and time, never a key or a file.",
            "api.fuzz": "No body, header or path makes a 500, or an error of another shape.",
        },
    ),
    *rows(
        "decision: usage of failed operations",
        {
            "api.failed-usage": "An operation that was executed and failed reports its usage in error.details, at no cost."
        },
    ),
    *rows(
        "decision: replays",
        {
            "api.replay-request-id": "A replay carries the first answer's request id, in header and body.",
            "api.same-payload-any-encoding": "JSON and multipart of the same file, name and target are the same payload.",
            "api.disconnect-goes-on": "A caller who hangs up finds the answer under the same Idempotency-Key.",
            "api.lease-renewed": "A running operation keeps its key for as long as it runs.",
        },
    ),
    *rows(
        "api: health",
        {
            "health.all-checks": "Health also checks storage and the flow engine, and names every check in services.",
            "health.down-or-degraded": "Health is down without the datastore, degraded without any other part.",
            "health.bounded": "A probe that hangs has failed after its time; the others are not held up.",
        },
    ),
    *rows(
        "api: documentation",
        {
            "docs.offline": "Swagger UI and Redoc load nothing from outside the service.",
            "openapi.valid": "The interface description is valid OpenAPI 3.1.",
        },
    ),
    *rows(
        "issue: siege",
        {
            "tenants.apart": "No request tells an account whether an id of another account exists; lists, usage and retries are its own.",
        },
    ),
)
