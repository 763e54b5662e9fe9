"""Route of the Prefect server that tells a worker whether a run is due, and records its heartbeat, in one statement.

Prefect's own poll and heartbeat of a worker are four requests, of ten statements and two background tasks together, which take the
server thirty times as long. Nearly all find nothing. So a warm worker sends those only when a run is due, when it is not listed as
online, and when a queue or a deployment is to become ready; this poll keeps ready what is. It needs PostgreSQL.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import sqlalchemy as sa
from prefect.server.database import provide_database_interface
from prefect.server.utilities.server import PrefectRouter

from prefect_runtime.polls import ROUTE, Answer, Poll
from prefect_runtime.server_database import idle_connections

KEPT: Final = timedelta(seconds=20)
"""How old the record of a poll of a queue may become; Prefect shows a queue, and its deployments, as not ready from 60 s on."""

ASK: Final = sa.text(
    """
    WITH pool AS (SELECT id FROM work_pool WHERE name = :pool),
    queue AS (
        SELECT queue.id, queue.status, queue.last_polled FROM work_queue AS queue JOIN pool ON pool.id = queue.work_pool_id
        WHERE CASE WHEN cardinality(:queues) > 0 THEN queue.name = ANY(:queues) ELSE queue.name <> ALL(:other_queues) END
    ),
    beat AS (
        UPDATE worker SET last_heartbeat_time = :now FROM pool
        WHERE worker.work_pool_id = pool.id AND worker.name = :worker AND worker.status = 'ONLINE'
        RETURNING 1
    ),
    kept AS (
        UPDATE work_queue SET last_polled = :now FROM queue
        WHERE work_queue.id = queue.id AND queue.status = 'READY' AND queue.last_polled < :stale
    )
    SELECT EXISTS (
        SELECT 1 FROM flow_run AS run JOIN queue ON queue.id = run.work_queue_id
        WHERE run.state_type = 'SCHEDULED' AND run.next_scheduled_start_time <= :until
    ) AS due, EXISTS (SELECT 1 FROM beat) AS online,
    EXISTS (SELECT 1 FROM queue WHERE status = 'NOT_READY')
    OR EXISTS (SELECT 1 FROM deployment JOIN queue ON queue.id = deployment.work_queue_id WHERE deployment.status = 'NOT_READY')
    AS unready
    """
).bindparams(
    sa.bindparam("queues", type_=sa.ARRAY(sa.String)),
    sa.bindparam("other_queues", type_=sa.ARRAY(sa.String)),
    sa.bindparam("now", type_=sa.DateTime(timezone=True)),
    sa.bindparam("until", type_=sa.DateTime(timezone=True)),
    sa.bindparam("stale", type_=sa.DateTime(timezone=True)),
)

router: Final = PrefectRouter(prefix=f"/{ROUTE}", tags=["Work Pools"])


@router.post("/{pool}")
async def ask(pool: str, poll: Poll) -> Answer:
    """Whether a run is due for this worker, whose heartbeat this is; by the clock of the server, as Prefect's own heartbeats are."""
    now = datetime.now(UTC)
    values = {
        "pool": pool,
        "worker": poll.worker,
        "queues": poll.queues,
        "other_queues": poll.other_queues,
        "now": now,
        "stale": now - KEPT,
        "until": now + timedelta(seconds=poll.within_seconds),
    }
    engine = await provide_database_interface().engine()
    async with engine.connect() as pooled:
        # One statement is a transaction of its own: it needs no round trips for beginning and end.
        connection = await pooled.execution_options(isolation_level="AUTOCOMMIT")
        row = (await connection.execute(ASK, values)).one()
    await idle_connections(engine).close()
    return Answer(due=row.due, online=row.online, unready=row.unready)
