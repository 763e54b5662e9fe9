"""multipart/form-data in the shapes that clients send it, and in those that nobody should."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.multipart import MAX_PARTS, Form, Part
from spatial.errors import InvalidRequest

pytestmark = pytest.mark.requirement("extract.multipart.200", "api.multipart-forms")

TYPE = "multipart/form-data; boundary=xx"


async def pieces(body: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(body), size):
        yield body[start : start + size]


async def read(body: bytes, *, size: int = 65_536, content_type: str = TYPE) -> list[Part]:
    return await Form(content_type, ("file", "target_contract")).read(pieces(body, size))


def form(*heads: bytes, content: bytes = b"ABC") -> bytes:
    parts = (b"--xx\r\nContent-Disposition: form-data; " + head + b"\r\n\r\n" + content + b"\r\n" for head in heads)
    return b"".join(parts) + b"--xx--\r\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 65_536])
async def test_parts_are_the_same_however_the_stream_is_cut(size: int) -> None:
    content = b"\r\n--x\r\n--xy --xx\r\n--x"
    [part] = await read(form(b'name="file"; filename="a.step"', content=content), size=size)
    assert (part.name, part.file_name, bytes(part.data)) == ("file", "a.step", content)


@pytest.mark.parametrize(
    ("disposition", "file_name"),
    [
        (b'name="file"; filename="a b;c.step"', "a b;c.step"),
        (b"name=file; filename=a.step", "a.step"),
        (rb'name="file"; filename="say \"a\".step"', 'say "a".step'),
        (b'name="file"; filename="say %22a%22.step"', 'say "a".step'),
        (b'name="file"; filename="100%25.step"', "100%25.step"),
        ('name="file"; filename="naïve 模型.step"'.encode(), "naïve 模型.step"),
        (b'name="file"; filename="na\xefve.step"', "naïve.step"),
        (b"name=\"file\"; filename*=UTF-8''na%C3%AFve%20%E6%A8%A1.step", "naïve 模.step"),
        (b'name="file"; filename="plain.step"; filename*=utf-8\'de\'sch%C3%B6n.step', "schön.step"),
        (b"name=\"file\"; filename*=iso-8859-1''na%EFve.step", "naïve.step"),
        (b"name=\"file\"; filename*=utf_7''+2AA-.step", "+2AA-.step"),
        (b'name="file"; filename=""', ""),
        (b'name="file"', None),
    ],
)
async def test_a_file_name_is_read_in_every_spelling(disposition: bytes, file_name: str | None) -> None:
    [part] = await read(form(disposition))
    assert part.file_name == file_name


async def test_the_content_of_unknown_parts_is_dropped_as_it_comes() -> None:
    [part] = await read(form(b'name="other"; filename="big.bin"', content=b"x" * 100_000))
    assert part.name == "other" and not part.data


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", TYPE),
        (b"--xx\r\n", TYPE),
        (form(b'name="file"; filename="a.step"')[:-6], TYPE),
        (b"hello", TYPE),
        (b"--xx\r\nno colon\r\n\r\n\r\n--xx--", TYPE),
        (form(b'filename="a.step"'), TYPE),
        (form(b'name="file"'), "multipart/form-data"),
        (form(b'name="file"'), "multipart/form-data; boundary="),
        (form(b'name="file"'), "multipart/form-data; boundary=" + "x" * 300),
        (form(b'name="file"\r\nContent-Transfer-Encoding: base64'), TYPE),
        (form(b'name="file"; filename="' + b"a" * 5_000 + b'"'), TYPE),
        (form(b'name="file"' + b"".join(b"\r\nX-%d: y" % n for n in range(20))), TYPE),
        (form(*[b'name="file"'] * (MAX_PARTS + 1)), TYPE),
    ],
)
async def test_a_broken_or_boundless_form_is_refused(body: bytes, content_type: str) -> None:
    with pytest.raises(InvalidRequest):
        await read(body, content_type=content_type)


@given(body=st.binary(max_size=200) | st.binary(max_size=60).map(lambda tail: form(b'name="file"') + tail))
async def test_no_bytes_make_the_reader_fail_in_any_other_way(body: bytes) -> None:
    with suppress(InvalidRequest):
        await read(body, size=16)
