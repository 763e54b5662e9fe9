"""Route of the Prefect server that tells a client whether this server works on a request of it (`lost_connections`)."""

from __future__ import annotations

import functools
import secrets
from typing import Any, Final

from prefect.server.api import server
from prefect.server.utilities.server import PrefectRouter

from converter.calls import CallsMiddleware, CallStatus
from prefect_runtime.lost_connections import ROUTE

NAME: Final = secrets.token_hex(8)
"""Of this process."""

UNDER_WAY: Final = set[str]()
"""Names of the requests that it works on."""

router: Final = PrefectRouter(prefix=f"/{ROUTE}", tags=["Admin"])


@router.get("/{id}")
async def ask(id: str) -> CallStatus:
    """Whether this server works on the request with this name."""
    return CallStatus(under_way=id in UNDER_WAY)


def watch() -> None:
    """Have every application that Prefect makes in this process keep the names of its requests."""
    create_app = server.create_app

    @functools.wraps(create_app)
    def watched(*args: Any, **kwargs: Any) -> Any:
        app = create_app(*args, **kwargs)
        app.add_middleware(CallsMiddleware, under_way=UNDER_WAY, server=NAME)
        return app

    server.create_app = watched
