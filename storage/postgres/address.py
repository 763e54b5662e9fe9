"""Addresses of databases; it imports no driver, so that the supervisor can use it."""

from __future__ import annotations

from urllib.parse import quote, unquote, urlsplit, urlunsplit


def sibling_url(url: str, database: str) -> str:
    """The URL of another database on the same server."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{quote(database, safe='')}"))


def database_of(url: str) -> str:
    """Name of the database that a URL names."""
    return unquote(urlsplit(url).path.removeprefix("/"))
