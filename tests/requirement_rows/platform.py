"""What the platform promises beyond the spec: flows, the embedded stack, and how parts may die."""

from tests.requirement_rows._row import Row

ROWS: tuple[Row, ...] = (
    Row(
        "flow.stages",
        "Every extraction is a flow run of the deployment extract/extract with one task run a stage",
        "architecture: flows",
    ),
    Row("flow.request-id-tag", "The flow run wears the request id as a tag", "architecture: flows"),
    Row("flow.artifact-optional", "A Prefect server that refuses artifacts fails no run", "architecture: flows"),
    Row(
        "flow.handoff",
        "What a request hands to its flow run is used once; a run without it does the same by itself",
        "architecture: flows",
    ),
    Row(
        "flow.retries",
        "A stage is retried where something is unavailable, never for a refused file or while a caller waits",
        "architecture: flows",
    ),
    Row(
        "flow.older-results",
        "A stage result that another version of the service kept is not found, instead of not readable",
        "architecture: flows",
    ),
    Row(
        "prefect-ui.browser",
        "A browser that opens the artifact of a file whose names hold HTML and Markdown fetches nothing from the address in them",
        "operations: security",
        needs="chromium",
    ),
    Row(
        "prefect-ui.command",
        "`spatial env` prints what the prefect command needs to reach the server of the stack",
        "operations: the embedded stack",
    ),
    Row(
        "flow.logs",
        "Every flow run that ends well logs what it did, with get_run_logger",
        "operations: on one machine",
    ),
    Row(
        "prefect-ui.escaped",
        "What a file or a caller names is shown as it is in Prefect's UI: it becomes no element, fetches nothing, turns no line around",
        "operations: security",
    ),
    Row("flow.artifact", "Result summary and warnings are a Prefect artifact of the run", "architecture: flows"),
    Row("flow.re-run", "A data engineer can re-run a run from Prefect; a warm worker takes it", "architecture: flows"),
    Row(
        "flow.retry-redoes-only-what-is-missing",
        "A retry after a failed stage redoes only what is missing",
        "architecture: flows",
    ),
    Row(
        "worker.own-flows-only",
        "The warm worker runs the service's own flows and refuses pull steps",
        "architecture: flows",
    ),
    Row(
        "points.only-when-asked",
        "Sampling is a stage of its own that structured does not pay for",
        "spec: TargetContract",
    ),
    Row(
        "usage.re-run-bills-nothing",
        "A re-run of an operation that ended bills nothing again",
        "architecture: usage is written once",
    ),
    Row(
        "resilience.only-spec-errors",
        "A part killed under requests yields only the spec's errors",
        "operations: when a part dies",
    ),
    Row(
        "resilience.resumes-by-itself",
        "Service resumes by itself when a killed part returns",
        "operations: when a part dies",
    ),
    Row("idempotency.survives-crash", "A key whose owner died becomes usable again", "spec: Idempotency-Key"),
    Row(
        "run.ready-line",
        "`ready URL` appears on stdout once health is 200 and all but the runtime checks pass",
        "operations: the embedded stack",
    ),
    Row(
        "run.demo-key-once",
        "The first run creates a demo account and prints its key once",
        "operations: the embedded stack",
    ),
    Row(
        "run.sample-summary",
        "The first run extracts the bundled part through the API and summarises it; later ones do not",
        "operations: the embedded stack",
    ),
    Row(
        "run.prefect-loopback-auth",
        "The embedded Prefect listens on loopback, wants auth, answers no foreign origin",
        "operations: the embedded stack",
    ),
    Row(
        "run.private-addresses",
        "The home, its addresses, secrets and logs are readable by its owner only",
        "operations: the embedded stack",
    ),
    Row("run.port-in-use", "A port in use gives one clear sentence", "operations: the embedded stack"),
    Row(
        "run.home-in-use", "A home in use gives one clear sentence naming the holder", "operations: the embedded stack"
    ),
    Row(
        "run.full-disk",
        "A full disk gives one clear sentence",
        "operations: the embedded stack",
        needs="root and mount",
    ),
    Row(
        "run.side-by-side",
        "Two stacks with different homes and ports run side by side",
        "operations: the embedded stack",
    ),
    Row(
        "run.busy-machine",
        "A start waits as long as its processes get on, says every ten seconds for what, and ends with that and the log where they do not",
        "operations: the embedded stack",
    ),
    Row("run.ctrl-c", "Ctrl-C stops everything the stack started", "operations: the embedded stack"),
    Row("run.data-stays", "Stopping a stack leaves its data", "operations: the embedded stack"),
    Row(
        "run.starts-again-what-died",
        "What the embedded stack started and died, it starts again",
        "operations: the embedded stack",
    ),
    Row(
        "run.lean-processes",
        "The supervisor and the converter's service import nothing that they have no use for",
        "operations: the embedded stack",
    ),
    Row(
        "run.parts-are-forked",
        "Parts of the embedded stack are forked from one process that has imported what they need; it holds no secret",
        "operations: the embedded stack",
    ),
    Row(
        "run.restarts-after-kill",
        "A home whose stack was killed starts again (stale lock, stale pid files)",
        "operations: the embedded stack",
    ),
    Row(
        "converter.no-secrets",
        "The converter and its children hold no setting and no secret",
        "architecture: the converter",
    ),
    Row("retention.expires-by-schedule", "What is past its 24 hours is deleted on a schedule", "INTERPRETATION 18"),
    Row("usage.exported-to-parquet", "Usage rows are exported to Parquet that DuckDB reads", "architecture: usage"),
    Row(
        "run.on-a-bucket",
        "With an s3:// lake the stack makes the bucket and keeps every object there",
        "operations: the embedded stack",
    ),
)
