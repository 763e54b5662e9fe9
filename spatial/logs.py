"""Log lines: one record per line, with its request and run, never with a key or a file's content; the same in every process.

    logs.configure(settings.log_format, settings.log_level)
    with logs.about(request_id="req_…"):
        log.info("answered", extra={logs.FIELDS: {"status": 200}})

Standard library only, so that every layer may use it, the converter too. Other modules log through `logging` as usual.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from types import MappingProxyType, TracebackType
from typing import Final, Literal

from spatial import redaction
from spatial.errors import SpatialError

Form = Literal["json", "text"]

FIELDS: Final = "fields"
"""Name of the record attribute that holds a line's further members: `log.info("…", extra={FIELDS: {…}})`."""

QUIET: Final = ("httpx", "httpcore", "python_multipart", "asyncio", "stripe", "uvicorn.access")
"""Loggers whose lower levels would repeat every request, or every chunk of one."""

IN_PREFECT: Final = ("prefect.flow_runs", "prefect.task_runs")
"""Loggers of what happens inside runs: Prefect keeps their lines with the run, and a customer's bad file is not an event of the service."""

UNSEEN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that would end a line, move a terminal's cursor, or turn the direction of writing."""

ExceptionTriple = tuple[type[BaseException], BaseException, TracebackType | None]

_about: ContextVar[Mapping[str, str]] = ContextVar("about", default=MappingProxyType({}))


def names() -> Mapping[str, str]:
    """What the running code works on: request_id, flow_run_id, flow, batch_id, as far as they are known."""
    return _about.get()


def adopt(known: Mapping[str, str | None]) -> None:
    """Add names for the rest of this context: `context.run(logs.adopt, names)` takes them across threads."""
    _about.set(_with(known))


@contextmanager
def about(**known: str | None) -> Iterator[None]:
    """Add names for the length of a block, and for the tasks that it starts."""
    token = _about.set(_with(known))
    try:
        yield
    finally:
        _about.reset(token)


def _with(known: Mapping[str, str | None]) -> Mapping[str, str]:
    return MappingProxyType({**_about.get(), **{name: word for name, word in known.items() if word}})


class JsonLines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: time, level, logger, message, names, further fields, exception."""
        line = {
            "time": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": redaction.text(record.getMessage()),
            **redaction.value(names()),
            **redaction.value(getattr(record, FIELDS, {})),
        }
        if (trace := traceback_of(record)) is not None:
            line["exception"] = redaction.text(self.formatException(trace))
        written = json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()
        return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


class TextLines(logging.Formatter):
    """A record for people at a terminal; a traceback follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """The line: time, level, logger, message, names and fields."""
        fields = {**redaction.value(names()), **redaction.value(getattr(record, FIELDS, {}))}
        words = [
            f"{_moment(record)} {record.levelname:<7} {record.name}: {redaction.text(record.getMessage())}",
            *(f"{name}={word}" for name, word in fields.items()),
        ]
        line = _printable(" ".join(words))
        if (trace := traceback_of(record)) is not None:
            line += "\n" + _printable_lines(redaction.text(self.formatException(trace)))
        return line


class Redacting(logging.Filter):
    """For handlers of others, such as Prefect's, which send a record on in a form of their own."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true; afterwards the record holds no secret, no traceback of a refusal, and nothing that moves a cursor."""
        record.msg, record.args = _printable_lines(redaction.text(record.getMessage())), None
        record.exc_info, record.exc_text = traceback_of(record), None
        if record.exc_info is not None:
            record.exc_text = _printable_lines(redaction.text(logging.Formatter().formatException(record.exc_info)))
        return True


def traceback_of(record: logging.LogRecord) -> ExceptionTriple | None:
    """The exception that a record shows with its traceback; None where it has none, or a refusal, whose message says everything.

    A caller that asks for a traceback where no exception is handled, as Prefect does for a task that returned a failed state, has none.
    """
    trace = record.exc_info
    if trace is None or trace[0] is None or (isinstance(trace[1], SpatialError) and trace[1].is_refusal):
        return None
    return trace


def configure(form: Form = "json", level: str = "info") -> None:
    """Send every logger of this process to stderr, in one form; replaces what was configured before."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextLines() if form == "text" else JsonLines())
    handler.addFilter(lambda record: not record.name.startswith(IN_PREFECT))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in list(logging.root.manager.loggerDict):
        _remove_console_handlers(logging.getLogger(name))
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.raiseExceptions = (
        False  # a handler that fails, Prefect's to its server above all, prints lines in another form
    )
    sys.excepthook = _log_unhandled
    threading.excepthook = lambda args: _log_unhandled(args.exc_type, args.exc_value, args.exc_traceback)


def _remove_console_handlers(logger: logging.Logger) -> None:
    """Prefect gives its loggers console handlers of its own; the handler that sends run logs to its server stays."""
    consoles = [handler for handler in logger.handlers if isinstance(handler, logging.StreamHandler)]
    for console in consoles:
        logger.removeHandler(console)
    logger.propagate = logger.propagate or bool(consoles)
    for kept in logger.handlers:
        if not any(isinstance(known, Redacting) for known in kept.filters):
            kept.addFilter(Redacting())


def _log_unhandled(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """An exception that ends the process or a thread, as a line like any other."""
    if error is None or issubclass(kind, KeyboardInterrupt | SystemExit):
        return
    logging.getLogger("process").critical("unhandled exception", exc_info=(kind, error, trace))


def _moment(record: logging.LogRecord) -> str:
    """RFC 3339, UTC, milliseconds."""
    written = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    return written.replace("+00:00", "Z")


def _printable_lines(text: str) -> str:
    return "\n".join(map(_printable, text.split("\n")))


def _printable(line: str) -> str:
    shown = UNSEEN.sub(lambda found: repr(found[0])[1:-1], line)
    return shown.encode("utf-8", "backslashreplace").decode()
