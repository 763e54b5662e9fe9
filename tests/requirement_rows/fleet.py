"""What the fleet promises: its file, its images, and what holds when it runs."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "operations: as a fleet",
        {
            "fleet.accepted": "Compose accepts the file, alone and with each file that is meant to be laid over it.",
            "fleet.pinned": "Every image has a version that says which; none is `latest`.",
            "fleet.no-secrets": "The file has no secret and no default for one; without one of them nothing starts, and the example names each.",
            "fleet.locked-down": "Every container is without capabilities, with a read-only root, as a user that is not root, with bounded memory, CPU, processes and logs.",
            "fleet.health": "Every container that keeps running has a health check; one of a worker, and of Prefect's background services, says when they have gone silent.",
            "fleet.networks": "The proxy alone is published, on loopback; it reaches the API alone, and what holds data has no way out.",
            "fleet.connections": "A process opens no more connections to Postgres than the page about operations says.",
            "fleet.patience": "Every container, and every process of the embedded stack, is given at least the time to end that its process takes, and the proxy waits longer than any answer takes.",
            "fleet.images": "Images are built from the lock, copy what exists, and end as a user that is not root.",
            "fleet.starts": "The commands of the file start with the environment of the file, in its order, and its health checks pass.",
            "fleet.bootstrap-again": "Bootstrap may run again and changes nothing.",
            "fleet.replay-across": "A request that one API process answered is replayed by another under its Idempotency-Key, and billed once.",
            "fleet.redis-connection": "While the connections to Redis are slow or half-open extractions are answered or told when to come again, and afterwards extractions and batches end as before.",
            "fleet.redis-timeouts": "Every read of Prefect's servers from Redis ends by itself, so that a dead connection holds no transaction of Prefect's database open.",
            "fleet.redis-loss": "While Redis is gone extractions are answered or told when to come again, and once it is back extractions and batches end as before.",
            "fleet.batch-across": "A batch submitted at one API process is followed at another, and ends although the worker that runs it is killed.",
            "fleet.ceilings-across": "Ceilings are exact over all API processes together.",
            "fleet.ingest": "A deployment started in Prefect ingests a bucket; its tables answer SQL in any container.",
            "fleet.zombies": "The automation that bootstrap registers calls a run crashed whose heartbeats stopped, and none that ended.",
            "fleet.prefect": "Prefect's server refuses who is not signed in; its background services run apart from it.",
            "fleet.plain-store": "An S3 server without lifecycle rules serves as well; housekeeping deletes what is ephemeral.",
            "fleet.lake": "What is kept lies in the bucket; processes write nowhere else than where the file lets them.",
        },
    ),
    Row(
        "fleet.door",
        "Through the proxy the API is reached and nothing else; it goes on when an API process dies.",
        "operations: as a fleet",
        needs="Caddy",
    ),
    Row(
        "fleet.same-process",
        "A request that is sent again with its Idempotency-Key comes to the same API process, which keeps its place; others spread.",
        "decision 80",
        needs="Caddy",
    ),
)
