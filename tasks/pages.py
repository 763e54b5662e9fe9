"""Pages that flow runs leave in the Prefect UI."""

from __future__ import annotations

import logging

import httpx
from prefect.artifacts import acreate_markdown_artifact
from prefect.exceptions import PrefectException

log = logging.getLogger(__name__)


async def leave(key: str, markdown: str, description: str) -> None:
    """Leave a page, where the Prefect server takes it: the work it tells of is done, and must not fail for it."""
    try:
        await acreate_markdown_artifact(key=key, markdown=markdown, description=description)
    except (httpx.HTTPError, PrefectException) as error:
        log.warning("the page %r cannot be left in Prefect now: %r", key, error)
