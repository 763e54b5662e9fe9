"""Run operations: with the blocking client of httpx, or with its asyncio client."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from spatial_geometry._connection import Connection, answer_of, failure_of
from spatial_geometry._effects import Answer, Call, Deliver, Effect, NoAnswer, Pause, Request, Send, Steps
from spatial_geometry._files import Content

T = TypeVar("T")


@dataclass(frozen=True)
class Result:
    """What came of an effect: a value, or what it raised."""

    value: Any = None
    error: Exception | None = None


def resume(steps: Steps[Any], result: Result) -> Effect:
    """The next effect of an operation. Raises: StopIteration with the result of the operation, or what it raises."""
    return steps.send(result.value) if result.error is None else steps.throw(result.error)


class Driver:
    """Runs operations in the calling thread."""

    def __init__(self, connection: Connection, http: httpx.Client) -> None:
        self.connection, self.http = connection, http

    def run(self, steps: Steps[T]) -> T:
        """The result of an operation, which delivers nothing."""
        try:
            effect = next(steps)
            while True:
                effect = resume(steps, self._perform(effect))
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            steps.close()

    def iterate(self, steps: Steps[None]) -> Iterator[Any]:
        """What an operation delivers, as it does."""
        try:
            effect = next(steps)
            while True:
                if isinstance(effect, Deliver):
                    yield effect.value
                effect = resume(steps, self._perform(effect))
        except StopIteration:
            return
        finally:
            steps.close()

    def _perform(self, effect: Effect) -> Result:
        try:
            if isinstance(effect, Send):
                return Result(self._send(effect.request))
            if isinstance(effect, Call):
                return Result(effect.function())
            if isinstance(effect, Pause):
                time.sleep(effect.seconds)
        except Exception as error:  # noqa: BLE001  # the operation decides, and raises it again
            return Result(error=error)
        return Result()

    def _send(self, request: Request) -> Answer | NoAnswer:
        content = request.content.pieces() if isinstance(request.content, Content) else request.content
        headers = self.connection.headers_of(request)
        try:
            return answer_of(
                self.http.request(
                    request.method,
                    self.connection.url_of(request),
                    params=request.query or None,
                    headers=headers,
                    content=content,
                )
            )
        except httpx.RequestError as error:
            return failure_of(error)


class AsyncDriver:
    """Runs operations as part of an asyncio task; files are read in threads."""

    def __init__(self, connection: Connection, http: httpx.AsyncClient) -> None:
        self.connection, self.http = connection, http

    async def run(self, steps: Steps[T]) -> T:
        """The result of an operation, which delivers nothing."""
        try:
            effect = next(steps)
            while True:
                effect = resume(steps, await self._perform(effect))
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            steps.close()

    async def iterate(self, steps: Steps[None]) -> AsyncIterator[Any]:
        """What an operation delivers, as it does."""
        try:
            effect = next(steps)
            while True:
                if isinstance(effect, Deliver):
                    yield effect.value
                effect = resume(steps, await self._perform(effect))
        except StopIteration:
            return
        finally:
            steps.close()

    async def _perform(self, effect: Effect) -> Result:
        try:
            if isinstance(effect, Send):
                return Result(await self._send(effect.request))
            if isinstance(effect, Call):
                return Result(await asyncio.to_thread(effect.function))
            if isinstance(effect, Pause):
                await asyncio.sleep(effect.seconds)
        except Exception as error:  # noqa: BLE001  # the operation decides, and raises it again
            return Result(error=error)
        return Result()

    async def _send(self, request: Request) -> Answer | NoAnswer:
        content = _pieces(request.content) if isinstance(request.content, Content) else request.content
        headers = self.connection.headers_of(request)
        try:
            return answer_of(
                await self.http.request(
                    request.method,
                    self.connection.url_of(request),
                    params=request.query or None,
                    headers=headers,
                    content=content,
                )
            )
        except httpx.RequestError as error:
            return failure_of(error)


async def _pieces(content: Content) -> AsyncIterator[bytes]:
    pieces = content.pieces()
    while piece := await asyncio.to_thread(next, pieces, b""):
        yield piece
