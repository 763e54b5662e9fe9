"""What holds whatever happens to the service: processes that are killed, hostile files, connections that break, full disks."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "security: sieges",
        {
            "siege.kills": "After kills of every process under calls, batches, reasoning and ingest every item is done or failed, every staged file belongs to a request, and the tables are those of the same files read from scratch.",
            "siege.recovery": "A siege finds every process that it is to kill, also the Postgres that a killed supervisor left to the next one.",
            "siege.hostile": "Every hostile file and file name is answered within its deadline by no 5xx, no child outgrows its ceiling, and the next file is read.",
            "siege.described": "Requests that the interface's description allows, and requests that it forbids, are answered by no 5xx but 503, with a described status and a body of the described form.",
            "siege.found": "Files that sieges found are read, and files that are changed at random meet no error that their reader did not expect.",
            "siege.growth": "The work that is done for a file grows with its elements, not with their pairs, where they stand on one spot or on one line.",
            "siege.starved": "The bounds of sieges are longer where others have the processors, and what hangs is found there too.",
            "siege.guided": "Fuzzing that is guided by coverage sees the branches of the reader that it feeds.",
            "siege.faults": "Behind connections that are slow, cut, half-open or refused, and with a server that is busy, answers short or only reads, calls end with the right result or an error that says what is unavailable, and all is right again afterwards.",
            "security.constant-time": "What a caller may guess is compared in constant time, or looked up by its digest.",
            "security.no-pickle": "Nothing is unpickled that another process could have written; results of flows are JSON.",
            "security.prefect-apart": "No caller reaches the Prefect server through the service, and without its password it answers nobody.",
            "security.audit": "An audit of the locked packages fails where a list of vulnerabilities did not answer for every one of them, and vouches for one lock, for a limited time.",
            "security.sbom": "The committed bill of materials lists exactly the packages of the lock.",
        },
    ),
    *rows(
        "security: sieges",
        {"siege.namespace": "A siege reaches its own loopback and nothing else."},
        needs="network namespaces",
    ),
    *rows(
        "security: sieges",
        {"siege.clock": "The siege of the clock moves the clock of Postgres by a day, and back."},
        needs="libfaketime",
    ),
    *rows(
        "scale",
        {"scale.page": "The tables of the page about scale are those that the load model gives for its figures."},
    ),
    *rows(
        "spec: Idempotency-Key, Limits; docs/uploads.md",
        {
            "api.state-machine": "Any sequence of uploads, extractions, batches and Idempotency-Keys of two accounts is answered as a model of them says, and charged as it was answered.",
        },
    ),
)
