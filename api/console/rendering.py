"""HTML pages from the templates of this package. Every value is escaped; a value that a template misses is an error."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape
from starlette.responses import Response

from api.console import assets
from api.console.session import SignedIn
from spatial.counting import count_of

TEMPLATES: Final = Path(__file__).with_name("templates")

NAVIGATION: Final = (
    ("/console", "Overview"),
    ("/console/viewer", "Viewer"),
    ("/console/accounts", "Accounts"),
    ("/console/usage", "Usage"),
    ("/console/requests", "Requests"),
    ("/console/batches", "Batches"),
    ("/console/ingest", "Ingest"),
    ("/console/tables", "Tables"),
    ("/console/health", "Health"),
)
"""Path and name of every page of the menu."""


def page(template: str, signed_in: SignedIn | None, *, section: str = "", status: int = 200, **values: Any) -> Response:
    """A page. section: the path of the entry of the menu that it belongs to."""
    shared = {"signed_in": signed_in, "section": section, "navigation": NAVIGATION}
    body = _environment().get_template(template).render({**shared, **values})
    return Response(body, status_code=status, media_type="text/html", headers={"Cache-Control": "no-store"})


@lru_cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=select_autoescape(default=True, default_for_string=True),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "moment": moment,
        "number": number,
        "bytes": size,
        "seconds": duration,
        "money": money,
        "query": urlencode,
        "prose": prose,
    }
    environment.globals |= {"asset": assets.url, "count_of": count_of}
    return environment


LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")
CODE: Final = re.compile(r"`([^`]+)`")


def prose(text: str) -> Markup:
    """A sentence of the documentation, whose links to other pages of it become their words, and whose code is marked as such."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(LINK.sub(r"\1", text)))))  # noqa: S704  # escaped before


def moment(value: datetime | None) -> str:
    """A moment in UTC, to the second; a dash for none."""
    return "–" if value is None else value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def number(value: float | Decimal | None) -> str:
    """A number with separators; a dash for none."""
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def money(value: Decimal | float) -> str:
    """An amount in US dollars, to a hundredth of a cent."""
    return f"${value:,.4f}"


def size(value: int | None) -> str:
    """A number of bytes in binary units; a dash for none."""
    if value is None:
        return "–"
    amount, units = float(value), ["B", "KiB", "MiB", "GiB", "TiB"]
    while amount >= 1024 and len(units) > 1:
        amount, units = amount / 1024, units[1:]
    return f"{amount:,.0f} {units[0]}" if units[0] == "B" else f"{amount:,.1f} {units[0]}"


def duration(value: float | None) -> str:
    """Seconds as a person says them; a dash for none."""
    if value is None:
        return "–"
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 60:
        return f"{value:.1f} s"
    minutes, seconds = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s"
