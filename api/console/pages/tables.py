"""Queries of the tables of bulk ingest and of the usage ledger: one SELECT, confined as `spatial query`, with bounds of its own."""

from __future__ import annotations

import asyncio
import tempfile
import tomllib
from collections.abc import Awaitable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from fastapi import APIRouter
from starlette.responses import Response

from api.console import charts, downloads, rendering
from api.console.endpoint import Page
from api.console.session import FormDep, SignedIn, SignedInDep
from api.dispatcher import DispatcherDep
from api.endpoint import raises
from spatial import errors
from spatial.errors import InvalidRequest, NotFound, RateLimitExceeded, SpatialError
from storage.tables import descriptions, query, result_writers
from storage.tables.query_engine import QueryLimits
from storage.tables.result_writers import FORMATS, FileFormat, Rows

SECTION: Final = "/console/tables"
SHOWN: Final = 500
"""Rows that a page shows."""

SECONDS: Final = 30.0
"""How long a query may take."""

LIMITS: Final = QueryLimits(memory_bytes=1024**3, scratch_bytes=4 * 1024**3, threads=2)

AT_A_TIME: Final = 2
"""Queries that one process runs at a time; another one is refused."""

SQL_CHARACTERS: Final = 20_000

EXPORTED: Final = 1_000_000
"""Rows that a file may have."""

T = TypeVar("T")

router = APIRouter(route_class=Page, include_in_schema=False)

_running: Final = asyncio.Semaphore(AT_A_TIME)


@dataclass(frozen=True)
class Question:
    """An example."""

    title: str
    sql: str


@lru_cache
def questions() -> tuple[Question, ...]:
    """The examples, in their order."""
    read = tomllib.loads((Path(__file__).parents[1] / "questions.toml").read_text())
    return tuple(Question(**row) for row in read["questions"])


@router.get(SECTION)
@raises(errors.ConverterUnavailable)
async def tables(signed_in: SignedInDep, question: str = "") -> Response:
    """The form, with an example where one is chosen."""
    known = questions()
    chosen = known[int(question)].sql if question.isdecimal() and int(question) < len(known) else ""
    return _page(signed_in, chosen)


@router.post(SECTION)
@raises(errors.InvalidRequest, errors.ConverterUnavailable)
async def ask(signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """The answer: the first rows, and a chart where they have a number per name."""
    sql = form.get("sql", "").replace("\r\n", "\n")  # forms send CRLF
    try:
        rows = await _within_bounds(
            query.run(dispatcher.lake, _check(sql), result_writers.read_first(SHOWN), None, LIMITS)
        )
    except (InvalidRequest, RateLimitExceeded) as error:
        return _page(signed_in, sql, problem=error)
    return _page(signed_in, sql, rows=rows)


@router.post(f"{SECTION}/export")
@raises(errors.InvalidRequest, errors.RateLimitExceeded, errors.ConverterUnavailable)
async def export(signed_in: SignedInDep, form: FormDep, dispatcher: DispatcherDep) -> Response:
    """The answer as a file."""
    chosen = _format(form.get("format", ""))
    file = tempfile.TemporaryFile()  # noqa: SIM115  # closed when it is sent
    try:
        take = result_writers.write_to(file, chosen, EXPORTED)
        await _within_bounds(query.run(dispatcher.lake, _check(form.get("sql", "")), take, None, LIMITS))
    except BaseException:
        file.close()
        raise
    return downloads.response(file, chosen, "answer")


@router.get(f"{SECTION}/{{name}}")
@raises(NotFound, errors.ConverterUnavailable)
async def describe(name: str, signed_in: SignedInDep, dispatcher: DispatcherDep) -> Response:
    """What a view and its columns hold."""
    if name not in query.view_names():
        raise NotFound(f"there is no table {name[:100]}; choose from {', '.join(query.view_names())}")
    view = await query.describe_view(dispatcher.lake, name)
    return rendering.page("view.html", signed_in, section=SECTION, view=view)


async def _within_bounds(running: Awaitable[T]) -> T:
    """Raises: RateLimitExceeded while others run; InvalidRequest where it takes too long."""
    if _running.locked():
        running.close()  # type: ignore[attr-defined]  # a coroutine that was not started
        raise RateLimitExceeded(f"{AT_A_TIME} queries are running; try again when one has ended", retry_after=5)
    async with _running:
        try:
            async with asyncio.timeout(SECONDS):
                return await running
        except TimeoutError:
            raise InvalidRequest(
                f"the query took longer than {SECONDS:g} s; select less, or run it with: spatial query"
            ) from None


def _check(sql: str) -> str:
    if not sql.strip() or len(sql) > SQL_CHARACTERS:
        raise InvalidRequest(f"the query is empty or longer than {SQL_CHARACTERS} characters; write one SELECT")
    return sql


def _format(wanted: str) -> FileFormat:
    for known in FORMATS:
        if wanted == known:
            return known
    raise InvalidRequest(f"an answer is not written as {wanted[:20]}; choose {', '.join(FORMATS)}")


def _page(signed_in: SignedIn, sql: str, *, rows: Rows | None = None, problem: SpatialError | None = None) -> Response:
    return rendering.page(
        "tables.html",
        signed_in,
        section=SECTION,
        status=200 if problem is None else problem.status,
        sql=sql,
        questions=questions(),
        views=[(name, descriptions.about(name)) for name in query.view_names()],
        rows=rows,
        cells=[[result_writers.to_text(value) for value in row] for row in rows.rows] if rows else [],
        numeric=_numeric(rows) if rows else [],
        chart=_chart(rows) if rows else "",
        formats=FORMATS,
        problem="" if problem is None else problem.message,
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _numeric(rows: Rows) -> list[bool]:
    """Of each column whether all of its values are numbers."""
    columns = zip(*rows.rows, strict=True) if rows.rows else iter([()] * len(rows.columns))
    return [
        any(map(_is_number, column)) and all(value is None or _is_number(value) for value in column)
        for column in columns
    ]


def _chart(rows: Rows) -> charts.Svg:
    """The first column of numbers over the first column of names; empty without either."""
    numeric = _numeric(rows)
    if True not in numeric or False not in numeric:
        return charts.Svg()
    names, values = numeric.index(False), numeric.index(True)
    sums: dict[str, float] = {}
    for row in rows.rows:
        name = result_writers.to_text(row[names]) or "–"
        sums[name] = sums.get(name, 0.0) + float(row[values] or 0)
    positive = {name: value for name, value in sums.items() if value > 0}
    return charts.bars(f"{rows.columns[values]} per {rows.columns[names]}", positive, unit=rows.columns[values])
