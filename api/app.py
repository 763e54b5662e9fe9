"""Assembles the API: its routes, its middlewares in order, and the state of the process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from api import faults, openapi
from api.batch_poller import BatchPoller
from api.billed_operations import BilledOperations
from api.console import routers as console
from api.console.pages import viewer
from api.dispatcher import DispatcherFactory
from api.gates import body_size
from api.gates.body_size import BodySize
from api.gates.framing import Framing
from api.gates.head import Head
from api.gates.request_id import RequestId
from api.metrics import Metrics
from api.probes import Prober
from api.routes import (
    batches,
    desktop,
    docs,
    extract,
    extractions,
    health,
    mcp,
    metrics,
    models,
    partners,
    responses,
    stripe_events,
    uploads,
    usage,
)
from flows.dispatch import open_dispatch
from spatial.contract import limits
from spatial.errors import SpatialError
from storage.settings import Settings

ROUTERS: Final[tuple[APIRouter, ...]] = (
    models.router,
    responses.router,
    extract.router,
    batches.router,
    health.router,
    docs.router,
    uploads.router,
    extractions.router,
    usage.router,
    mcp.router,
    metrics.router,
    partners.router,
    partners.webhook,
    stripe_events.router,
    desktop.router,
)
"""One row per module of `api.routes`, in the spec's order; routes that are not in the spec come last. The console has rows of its own."""


def create_app(settings: Settings, dispatcher_factory: DispatcherFactory = open_dispatch) -> FastAPI:
    """The ASGI app. Its lifespan opens the dispatcher, and waits for running operations before closing it."""
    app = FastAPI(
        title=openapi.TITLE,
        version=limits.INTERFACE_VERSION,
        lifespan=_lifespan(settings, dispatcher_factory),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={
            SpatialError: faults.on_spatial_error,
            HTTPException: faults.on_http_exception,
            RequestValidationError: faults.on_validation_error,
        },
    )
    for router in (*ROUTERS, *(console.ROUTERS if settings.console else ())):
        app.include_router(router)
    # The middleware that is added last runs first.
    others = (uploads.allowance(settings), viewer.allowance(settings), desktop.allowance(), stripe_events.allowance())
    app.add_middleware(BodySize, limit=settings.body_limit_bytes, seconds=body_size.BODY_SECONDS, others=others)
    app.add_middleware(Framing)
    app.add_middleware(Head)
    app.add_middleware(RequestId)
    return app


def _lifespan(
    settings: Settings, dispatcher_factory: DispatcherFactory
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with dispatcher_factory(settings) as dispatcher:
            app.state.dispatcher = dispatcher
            app.state.prober = Prober(dispatcher)
            app.state.metrics = Metrics(dispatcher)
            app.state.operations = BilledOperations(dispatcher)
            app.state.batch_poller = BatchPoller(dispatcher)
            async with app.state.batch_poller.listening(), console.serving(app, dispatcher, app.state.prober):
                yield
            await app.state.operations.drain()

    return lifespan
