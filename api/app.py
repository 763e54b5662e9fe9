"""The API on one page: what every request passes, in order, and what it may reach."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from api import faults, openapi
from api.batch_watch import Watcher
from api.billed import Operations
from api.dispatching import DispatchFactory
from api.gates import body_size
from api.gates.body_size import BodySize
from api.gates.head import Head
from api.gates.request_id import RequestId
from api.metrics import Metrics
from api.probes import Prober
from api.routes import batches, docs, extract, health, metrics, models, uploads
from flows.dispatch import opened
from spatial.contract import limits
from spatial.errors import SpatialError
from storage.settings import Settings

ROUTERS: Final[tuple[APIRouter, ...]] = (
    models.router,
    extract.router,
    batches.router,
    health.router,
    docs.router,
    uploads.router,
    metrics.router,
)
"""In the spec's order; ours after it."""


def create_app(settings: Settings, dispatch_factory: DispatchFactory = opened) -> FastAPI:
    """The ASGI app. Its lifespan opens the dispatch, and lets running operations end before it closes it."""
    app = FastAPI(
        title=openapi.TITLE,
        version=limits.INTERFACE_VERSION,
        lifespan=_lifespan(settings, dispatch_factory),
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
    for router in ROUTERS:
        app.include_router(router)
    # The last one added is the first one passed.
    others = (uploads.allowance(settings),)
    app.add_middleware(BodySize, limit=settings.body_limit_bytes, seconds=body_size.BODY_SECONDS, others=others)
    app.add_middleware(Head)
    app.add_middleware(RequestId)
    return app


def _lifespan(
    settings: Settings, dispatch_factory: DispatchFactory
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with dispatch_factory(settings) as dispatch:
            app.state.dispatch = dispatch
            app.state.prober = Prober(dispatch)
            app.state.metrics = Metrics(dispatch)
            app.state.operations = Operations(dispatch)
            app.state.watcher = Watcher(dispatch)
            async with app.state.watcher.heeding():
                yield
            await app.state.operations.drain()

    return lifespan
