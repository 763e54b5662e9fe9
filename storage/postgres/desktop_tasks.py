"""Tasks of spatial reasoning on their way to the desktop worker and back.

The API writes a task with its input and waits for its end; the worker reads the input and writes the outcome, through the API, because it
holds no credentials of the database. A task can be read and ended until it expires, by the database's clock.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from storage import ids
from storage.postgres import notifications
from storage.postgres.schema import desktop_tasks

KEPT: Final = timedelta(minutes=5)
"""How long an expired task stays, for a process that is late."""


@dataclass(frozen=True)
class Outcome:
    """How a task ended.

    outcome: {"router": …} of a solved task, or {"error": …}, an error as plain data (spatial.errors).
    output: JSON of the response's `output`; None if it failed.
    queue_seconds: time until the worker read the input.
    """

    outcome: dict[str, Any]
    output: bytes | None
    queue_seconds: float


def new_id() -> str:
    """The id of a new task; it cannot be guessed."""
    return ids.new("dt")


async def create(
    connection: AsyncConnection,
    *,
    task_id: str,
    account_id: str,
    operation_id: str,
    task: str,
    content: bytes,
    seconds: float,
) -> None:
    """Write a task that can be answered for `seconds`."""
    row = {"id": task_id, "account_id": account_id, "operation_id": operation_id, "task": task, "input": content}
    expires = sa.func.clock_timestamp() + timedelta(seconds=seconds)
    await connection.execute(sa.insert(desktop_tasks).values(**row, expires_at=expires))


async def announce(connection: AsyncConnection, task_ids: Collection[str], flow_run_id: str) -> None:
    """The flow run of some tasks was created: note it, and notify the workers."""
    await connection.execute(
        sa.update(desktop_tasks).where(desktop_tasks.c.id.in_(sorted(task_ids))).values(flow_run_id=flow_run_id)
    )
    await notifications.send(connection, notifications.DESKTOP_TASKS)


async def take(connection: AsyncConnection, task_id: str) -> tuple[bytes, float] | None:
    """The input of a task, and the seconds that are left for it; None if it has ended or expired."""
    taken = sa.func.coalesce(desktop_tasks.c.taken_at, sa.func.clock_timestamp())
    left = sa.extract("epoch", desktop_tasks.c.expires_at - sa.func.clock_timestamp())
    update = sa.update(desktop_tasks).where(*_is_open(task_id)).values(taken_at=taken)
    found = (await connection.execute(update.returning(desktop_tasks.c.input, left))).first()
    return None if found is None else (bytes(found[0]), float(found[1]))


async def end(connection: AsyncConnection, task_id: str, outcome: dict[str, Any], output: bytes | None) -> bool:
    """Write the outcome of a task, and notify whoever waits; False, and nothing written, if it has ended or expired."""
    ended = {"outcome": outcome, "output": output, "ended_at": sa.func.clock_timestamp()}
    if (await connection.execute(sa.update(desktop_tasks).where(*_is_open(task_id)).values(**ended))).rowcount == 0:
        return False
    await notifications.send(connection, notifications.DESKTOP_RESULTS)
    return True


async def find_ended(connection: AsyncConnection, task_ids: Collection[str]) -> set[str]:
    """Those of the tasks that have ended."""
    query = sa.select(desktop_tasks.c.id).where(
        desktop_tasks.c.id.in_(sorted(task_ids)), desktop_tasks.c.ended_at.is_not(None)
    )
    return set((await connection.execute(query)).scalars())


async def remove(connection: AsyncConnection, task_id: str) -> Outcome | None:
    """Delete a task; returns its outcome, None if it has not ended."""
    queued = sa.extract("epoch", desktop_tasks.c.taken_at - desktop_tasks.c.created_at)
    deletion = sa.delete(desktop_tasks).where(desktop_tasks.c.id == task_id)
    found = (
        await connection.execute(deletion.returning(desktop_tasks.c.outcome, desktop_tasks.c.output, queued))
    ).first()
    if found is None or found[0] is None:
        return None
    return Outcome(found[0], None if found[1] is None else bytes(found[1]), float(found[2] or 0))


async def delete_expired(connection: AsyncConnection) -> int:
    """Delete the tasks of processes that died; returns how many."""
    late = desktop_tasks.c.expires_at < sa.func.clock_timestamp() - KEPT
    return (await connection.execute(sa.delete(desktop_tasks).where(late))).rowcount


def _is_open(task_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return (
        desktop_tasks.c.id == task_id,
        desktop_tasks.c.ended_at.is_(None),
        desktop_tasks.c.expires_at > sa.func.clock_timestamp(),
    )
