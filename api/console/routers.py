"""The routers of the console, and what they need of the process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI

from api.console.pages import (
    accounts,
    batches,
    extractions,
    fallback,
    health,
    ingest,
    overview,
    requests,
    sign_in,
    tables,
    usage,
    viewer,
)
from api.console.probe_history import recording
from api.dispatcher import Dispatcher
from api.probes import Prober
from storage.postgres.operators import SignIn

ROUTERS: Final[tuple[APIRouter, ...]] = (
    sign_in.public,
    sign_in.router,
    overview.router,
    accounts.router,
    usage.router,
    requests.router,
    batches.router,
    ingest.router,
    tables.router,
    health.router,
    viewer.router,
    viewer.calls,
    extractions.router,
    fallback.router,
)
"""One row per router of `api.console.pages`; `fallback` is last, because it takes every address that no other has."""


@asynccontextmanager
async def serving(app: FastAPI, dispatcher: Dispatcher, prober: Prober) -> AsyncIterator[None]:
    """Set what the pages need, and record results of the probes, for the length of a block."""
    app.state.sign_in = SignIn(dispatcher.database)
    async with recording(dispatcher.database, prober):
        yield
