"""Temporary files of calls: what keeps one from being opened or written is told by its name, and what passes by itself is tried again."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable
from typing import Any, BinaryIO, cast

import httpx
import pytest

from converter import staging
from converter.pool import Pool
from converter.service import create_app
from spatial.errors import ConverterUnavailable
from tests.converter.conftest import TABLE, TRIAL, Trials, script

pytestmark = pytest.mark.asyncio(loop_scope="package")


def failing(number: int, times: int) -> Callable[..., Any]:
    """tempfile.TemporaryFile that fails so many times."""
    left, really = [None] * times, tempfile.TemporaryFile

    def open_file(*arguments: Any, **named: Any) -> Any:
        if left:
            left.pop()
            raise OSError(number, os.strerror(number))
        return really(*arguments, **named)

    return open_file


@pytest.mark.parametrize("number", staging.TRANSIENT)
@pytest.mark.requirement("converter.staging")
async def test_a_lack_that_ends_with_other_calls_is_waited_out(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", failing(number, 2))
    async with staging.staged() as file:
        staging.write(file, b"content")
        assert file.tell() == 7


@pytest.mark.parametrize(
    ("number", "said", "seconds"),
    [
        (errno.EMFILE, "too many open files", staging.RETRY_SECONDS),
        (errno.EACCES, "permission denied", staging.RETRY_SECONDS),
        (errno.ENOSPC, "no room", staging.ROOM_RETRY_SECONDS),
    ],
)
@pytest.mark.requirement("converter.staging")
async def test_what_lasts_is_told_by_its_name(
    number: int, said: str, seconds: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(staging, "PAUSES", (0.0,))
    monkeypatch.setattr(tempfile, "TemporaryFile", failing(number, 9))
    with pytest.raises(ConverterUnavailable, match=said) as caught:
        async with staging.staged():
            pass
    assert caught.value.retry_after == seconds
    assert os.strerror(number) in caplog.text


class Narrow:
    """A file on a disk that takes four bytes at a time, and so many in all."""

    def __init__(self, most: int) -> None:
        self.content = b""
        self._most = most

    def write(self, data: memoryview) -> int:
        part = bytes(data[: min(4, self._most - len(self.content))])
        if not part:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.content += part
        return len(part)


@pytest.mark.requirement("converter.staging")
async def test_a_file_is_written_whole_or_refused() -> None:
    taken = Narrow(100)
    staging.write(cast(BinaryIO, taken), b"0123456789")
    assert taken.content == b"0123456789"
    with pytest.raises(ConverterUnavailable, match="no room"):
        staging.write(cast(BinaryIO, Narrow(6)), b"0123456789")


@pytest.mark.requirement("converter.staging")
async def test_an_error_of_the_call_itself_is_not_told_as_one_of_its_file(make_trials: Callable[..., Trials]) -> None:
    class Broken(Pool):
        async def read(self, *_: Any) -> bytes:
            raise TimeoutError

    pool = make_trials().pool
    transport = httpx.ASGITransport(create_app(Broken(pool.settings, pool.server, TABLE)), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://converter") as http:
        params = {"handle": "handle-of-the-file", **TRIAL.model_dump()}
        answer = await http.post("/read", params=params, content=script())
    assert answer.status_code == 500 and "stage" not in answer.text
