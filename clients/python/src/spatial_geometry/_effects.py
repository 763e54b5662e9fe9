"""What an operation asks of its driver.

An operation is a generator that yields effects and is sent their results: it does no input or output itself, so the client with
threads and the client with asyncio run the same one (`_drivers`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from spatial_geometry._files import Content

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """One HTTP request; its repr has neither the key nor the body."""

    method: str
    path: str
    """Below the base address; or a complete URL, which is never sent the key."""
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    content: bytes | Content | None = field(default=None, repr=False)
    """The body; a file is sent in pieces."""

    @property
    def is_foreign(self) -> bool:
        """Whether it goes to another server than the service."""
        return not self.path.startswith("/")


@dataclass(frozen=True)
class Answer:
    """A complete HTTP response."""

    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class NoAnswer:
    """The connection failed before the response was complete."""

    cause: Exception
    is_final: bool = False
    """Whether another attempt cannot succeed."""


@dataclass(frozen=True)
class Send:
    """Send the request once; the result is an Answer or a NoAnswer."""

    request: Request


@dataclass(frozen=True)
class Pause:
    """Wait."""

    seconds: float


@dataclass(frozen=True)
class Call:
    """Call a function that reads files; the result is what it returns."""

    function: Callable[[], Any]


@dataclass(frozen=True)
class Deliver:
    """Hand a value to the caller, who iterates over them."""

    value: Any


Effect: TypeAlias = Send | Pause | Call | Deliver

Steps: TypeAlias = Generator[Effect, Any, T]
"""An operation that returns a T."""


@dataclass(frozen=True)
class Clock:
    """The time in seconds, of which only differences matter."""

    now: Callable[[], float] = time.monotonic
