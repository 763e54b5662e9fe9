"""The endpoint /metrics of a worker: its stages, runs and memory. The API's /metrics has the metrics of the other parts.

With SPATIAL_METRICS_TOKEN it listens on every address and requires the token; without one it listens on loopback only.
"""

from __future__ import annotations

import hmac
import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CollectorRegistry, ProcessCollector

from api import metrics
from storage.settings import Settings

log = logging.getLogger(__name__)


@contextmanager
def served(settings: Settings, port: int | None, registry: CollectorRegistry) -> Iterator[None]:
    """Serve the registry for the length of a block. If the port is in use, this is logged and the worker runs without metrics."""
    if port is None:
        yield
        return
    ProcessCollector(registry=registry)
    token = settings.metrics_token.get_secret_value() if settings.metrics_token is not None else None
    try:
        server = ThreadingHTTPServer(("127.0.0.1" if token is None else "", port), _handler(registry, token))
    except OSError as error:
        log.error("metrics cannot be served on port %d: %s", port, error.strerror)
        yield
        return
    server.daemon_threads = True
    serving = threading.Thread(target=server.serve_forever, args=(0.1,), name="metrics", daemon=True)
    serving.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        serving.join()


def _handler(registry: CollectorRegistry, token: str | None) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers GET /metrics."""

        timeout = 10

        def do_GET(self) -> None:
            if self.path.partition("?")[0] != "/metrics":
                self._answer(HTTPStatus.NOT_FOUND, b"the only path is /metrics\n")
            elif token is not None and not self._is_authorized(token):
                self._answer(HTTPStatus.UNAUTHORIZED, b"send Authorization: Bearer <token>\n")
            else:
                self._answer(HTTPStatus.OK, metrics.render([metrics.build_info()], registry))

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing: scrapes are frequent."""

        def _is_authorized(self, token: str) -> bool:
            scheme, _, sent = self.headers.get("Authorization", "").partition(" ")
            return scheme.lower() == "bearer" and hmac.compare_digest(sent.strip().encode("latin-1"), token.encode())

        def _answer(self, status: HTTPStatus, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", metrics.CONTENT_TYPE if status == HTTPStatus.OK else "text/plain")
            self.send_header("Content-Length", str(len(body)))
            if status == HTTPStatus.UNAUTHORIZED:
                self.send_header("WWW-Authenticate", 'Bearer realm="metrics"')
            self.end_headers()
            self.wfile.write(body)

    return Handler
