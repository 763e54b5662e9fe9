"""Artifacts of flow runs in the Prefect UI. One that cannot be written never fails the run, whose work is committed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import httpx
from prefect.artifacts import acreate_markdown_artifact, acreate_progress_artifact
from prefect.client.schemas.actions import ArtifactUpdate
from prefect.client.utilities import get_or_create_client
from prefect.exceptions import PrefectException

from pipelines import markdown
from spatial.errors import Unavailable

UNWRITABLE: Final = (httpx.HTTPError, PrefectException, OSError, TimeoutError)
"""What Prefect's client raises where the server refuses an artifact or is unavailable."""

PUBLISH_SECONDS: Final = 10.0
"""How long a run waits for its page: Prefect's client tries again for most of a minute."""

PROGRESS_SECONDS: Final = 2.0
"""Pause between updates of a progress artifact."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Progress:
    """How far a run is."""

    percent: float
    """0 to 100."""
    description: str


async def publish_artifact(key: str, page: str, description: str) -> None:
    """Show a page with the flow run; where the Prefect server does not take it, log a warning.

    page: Markdown whose values are escaped (`pipelines.markdown`). description: plain text, which is escaped here.
    """
    with _optional(key):
        async with asyncio.timeout(PUBLISH_SECONDS):
            await acreate_markdown_artifact(key=key, markdown=page, description=markdown.escape(description))


@asynccontextmanager
async def show_progress(key: str, progress: Progress, ask: Callable[[], Awaitable[Progress]]) -> AsyncIterator[None]:
    """Show one progress artifact for the length of a block, and update it from what `ask` returns.

    ask: called every PROGRESS_SECONDS, with or without an artifact: it may keep a record alive. May raise Unavailable.
    """
    artifact = await _create(key, progress)
    shown = progress

    async def update() -> None:
        nonlocal shown
        with _optional(key):
            now = await ask()
            if artifact is not None and now != shown:
                await _update(artifact, now)
                shown = now

    async def keep_updating() -> None:
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            await update()

    updating = asyncio.create_task(keep_updating())
    try:
        yield
    finally:
        updating.cancel()
    await update()


@contextmanager
def _optional(key: str) -> Iterator[None]:
    try:
        yield
    except (*UNWRITABLE, Unavailable) as error:
        log.warning("the artifact %r cannot be written to Prefect now: %r", key, error)


async def _create(key: str, progress: Progress) -> UUID | None:
    created: list[UUID] = []
    with _optional(key):
        created.append(await acreate_progress_artifact(progress.percent, key=key, description=progress.description))
    return created[0] if created else None


async def _update(artifact: UUID, progress: Progress) -> None:
    """Update the artifact. Prefect's own helper adds an event to it, which is eight rows of its database without a reader."""
    client, _ = get_or_create_client()
    update = ArtifactUpdate(data=progress.percent, description=progress.description)
    body = update.model_dump(mode="json", exclude_unset=True)
    await client.request("PATCH", "/artifacts/{id}", path_params={"id": artifact}, json=body)
