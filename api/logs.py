"""One JSON object a log line: what happened, in which request, never a key or a file's content."""

from __future__ import annotations

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The request that the running code serves; set by the gate, carried into the tasks it starts."""

FIELDS: Final = "fields"
"""Name of the record attribute that holds a line's further members: `log.info("…", extra={FIELDS: {…}})`."""

QUIET: Final = ("httpx", "httpcore", "python_multipart", "asyncio", "uvicorn.access")
"""Loggers whose lower levels would repeat every request, or every chunk of one."""


IN_PREFECT: Final = ("prefect.flow_runs", "prefect.task_runs")
"""Loggers of what happens inside runs: Prefect keeps their lines with the run, and a customer's bad file is no news here."""


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: ts, level, logger, message, request_id, further fields, traceback."""
        line: dict[str, Any] = {
            "ts": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if (serving := request_id.get()) is not None:
            line["request_id"] = serving
        line.update(getattr(record, FIELDS, {}))
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace").decode()


def configure(level: str = "info") -> None:
    """Send every logger of this process to stderr as JSON lines; replaces what was configured before."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(lambda record: not record.name.startswith(IN_PREFECT))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in logging.root.manager.loggerDict:
        _speak_through_root(logging.getLogger(name))
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def _speak_through_root(logger: logging.Logger) -> None:
    """Prefect gives its loggers console handlers of its own; the handler that sends run logs to its server stays."""
    consoles = [handler for handler in logger.handlers if isinstance(handler, logging.StreamHandler)]
    for console in consoles:
        logger.removeHandler(console)
    logger.propagate = logger.propagate or bool(consoles)
