"""What an ingest finds: a folder of files, and a bucket of a real S3 server."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from spatial.errors import InvalidRequest, NotFound, RequestTooLarge
from storage.objects.file_filter import FileFilter
from storage.objects.s3 import Bucket
from storage.objects.sources import Source, SourceForbidden, SourceUnavailable, file_name_of, normalize_url

ODD = "größe 1&2%41 #?.pdf"

FILES = {
    "a.dxf": b"one",
    "B.DXF": b"twenty",
    "notes.txt": b"not ours",
    "deep/er/c.step": b"three",
    "deep/er/d.stp": b"four",
    f"deep/{ODD}": b"odd",
    "deep/.hidden.dxf": b"leftover",
    ".git/e.dxf": b"leftover",
    "empty.svg": b"",
}
ALL = ["B.DXF", "a.dxf", "c.step", "d.stp", "empty.svg", ODD]

_numbers = count()


@pytest.fixture(params=["folder", "bucket"])
async def source(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Source]:
    """FILES below a prefix, and a neighbour of nearly the same name."""
    if request.param == "folder":
        for name, content in (FILES | {"../drawings-old/x.dxf": b"beside"}).items():
            path = tmp_path / "drawings" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        opened = Source(f"file://{tmp_path}/drawings/")
    else:
        endpoint: str = request.getfixturevalue("s3_server")
        name = f"source-{next(_numbers)}"
        bucket = Bucket(f"s3://{name}", endpoint)
        await bucket._run(bucket.filesystem._call_s3("create_bucket", Bucket=name))
        for key, content in FILES.items():
            await bucket._run(
                bucket.filesystem._call_s3("put_object", Bucket=name, Key=f"drawings/{key}", Body=content)
            )
        await bucket._run(
            bucket.filesystem._call_s3("put_object", Bucket=name, Key="drawings-old/x.dxf", Body=b"beside")
        )
        await bucket.close()
        opened = Source(f"s3://{name}/drawings/", endpoint)
    yield opened
    await opened.close()


async def names(source: Source, choice: FileFilter | None = None) -> list[str]:
    """File names of what is found."""
    return sorted(file_name_of(found.uri) for found in await source.find(choice or FileFilter()))


@pytest.mark.requirement("ingest.source")
async def test_every_file_of_a_known_format_is_found_and_nothing_beside_the_prefix(source: Source) -> None:
    found = await source.find(FileFilter())
    assert sorted(file_name_of(one.uri) for one in found) == ALL
    assert [one.uri for one in found] == sorted(one.uri for one in found)
    assert all(one.uri.startswith(f"{source.url}/") for one in found)
    assert {file_name_of(one.uri): one.size for one in found}["B.DXF"] == len(b"twenty")
    assert all(datetime.now(UTC) - one.modified_at < timedelta(hours=1) for one in found)


@pytest.mark.requirement("ingest.source")
async def test_what_was_found_can_be_read_whatever_its_name(source: Source) -> None:
    read = {file_name_of(one.uri): await source.read(one.uri) for one in await source.find(FileFilter())}
    assert read == {name: content for path, content in FILES.items() if (name := path.rsplit("/", 1)[-1]) in ALL}


@pytest.mark.requirement("ingest.source")
async def test_the_lake_is_nobodys_source(source: Source, s3_server: str) -> None:
    async def found(prefix: str, lake: str) -> list[str]:
        beside = Source(prefix, s3_server, lake=lake)
        try:
            return await names(beside)
        finally:
            await beside.close()

    assert await found(source.url, f"{source.url}/deep") == ["B.DXF", "a.dxf", "empty.svg"]
    assert await found(source.url, f"{source.url}/dee") == ALL
    for inside in (source.url, f"{source.url}/deep"):
        with pytest.raises(InvalidRequest, match="own lake"):
            await found(inside, source.url)


@pytest.mark.requirement("ingest.choice")
async def test_a_choice_narrows_it_down(source: Source) -> None:
    assert await names(source, FileFilter(pattern="*.dxf")) == ["a.dxf"]
    assert await names(source, FileFilter(pattern="*.[dD][xX][fF]")) == ["B.DXF", "a.dxf"]
    assert await names(source, FileFilter(pattern="deep/**")) == ["c.step", "d.stp", ODD]
    assert await names(source, FileFilter(pattern="deep/*")) == [ODD]
    assert await names(source, FileFilter(pattern="**/er/*")) == ["c.step", "d.stp"]
    assert await names(source, FileFilter(formats=("step", "pdf"))) == ["c.step", "d.stp", ODD]
    assert await names(source, FileFilter(min_bytes=4, max_bytes=5)) == ["c.step", "d.stp"]
    assert await names(source, FileFilter(formats=("svg",))) == ["empty.svg"]
    assert await names(source, FileFilter(min_bytes=1, formats=("svg",))) == []
    assert await names(source, FileFilter(changed_since=datetime.now(UTC) + timedelta(hours=1))) == []
    assert await names(source, FileFilter(changed_since=datetime(2020, 1, 1))) == ALL  # noqa: DTZ001  # without a zone: UTC


@pytest.mark.requirement("ingest.source")
async def test_one_file_is_a_source_too(source: Source) -> None:
    (wanted,) = await source.find(FileFilter(pattern="c.step"))
    one = Source(wanted.uri) if wanted.uri.startswith("file:") else None
    if one is not None:
        assert [found.uri for found in await one.find(FileFilter())] == [wanted.uri]
        assert await one.read(wanted.uri) == b"three"


@pytest.mark.requirement("ingest.source")
async def test_what_is_too_large_gone_or_outside_is_not_read(source: Source) -> None:
    with pytest.raises(RequestTooLarge):
        await source.read(f"{source.url}/B.DXF", limit=5)
    with pytest.raises(NotFound):
        await source.read(f"{source.url}/gone.dxf")
    with pytest.raises(InvalidRequest):
        await source.read(f"{source.url}-old/x.dxf")


@pytest.mark.requirement("ingest.source")
async def test_a_source_that_is_not_there_is_told(tmp_path: Path, s3_server: str) -> None:
    for source in (Source(f"file://{tmp_path}/nowhere"), Source("s3://no-such-bucket/x", s3_server)):
        with pytest.raises(NotFound, match="there is no such file, folder or bucket"):
            await source.find(FileFilter())
        await source.close()


@pytest.mark.requirement("ingest.source")
async def test_a_store_out_of_reach_is_not_an_empty_one(s3_server: str) -> None:
    source = Source("s3://bucket/x", "http://127.0.0.1:9")
    with pytest.raises(SourceUnavailable):
        await source.find(FileFilter())
    await source.close()


@pytest.mark.requirement("ingest.source")
async def test_where_there_are_no_credentials_they_are_asked_for(
    s3_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "BOTO_CONFIG"):
        monkeypatch.setenv(name, str(tmp_path / "nothing"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    source = Source("s3://bucket/x", s3_server)
    with pytest.raises(SourceUnavailable, match="set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY") as told:
        await source.find(FileFilter())
    assert "try again" not in told.value.message
    await source.close()


@pytest.mark.requirement("ingest.links")
async def test_links_are_left_out_and_not_read(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    for folder in (root, outside):
        folder.mkdir()
        (folder / "a.dxf").write_bytes(b"x")
    (root / "link.dxf").symlink_to(outside / "a.dxf")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.dxf")
    source = Source(root.as_uri())
    assert await names(source) == ["a.dxf"]
    for name in ("link.dxf", "folder/a.dxf", "pipe.dxf"):
        with pytest.raises((NotFound, SourceUnavailable)):
            await source.read(f"{source.url}/{name}")


@pytest.mark.requirement("ingest.source")
async def test_names_that_are_not_utf8_survive(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"gr\xf6\xdfe\n.dxf")
    path.write_bytes(b"latin")
    source = Source(tmp_path.as_uri())
    (found,) = await source.find(FileFilter())
    assert found.uri.endswith("/gr%F6%DFe%0A.dxf") and file_name_of(found.uri) == "gr\ufffd\ufffde\n.dxf"
    assert await source.read(found.uri) == b"latin"


@pytest.mark.requirement("ingest.source")
@pytest.mark.parametrize(
    "url", ["drawings", "http://example.com/x", "s3://X/y", "s3://", "file://host/share", "file:///a\0b"]
)
def test_what_is_no_prefix_is_refused(url: str) -> None:
    with pytest.raises(InvalidRequest, match="neither s3://bucket/prefix nor file:///absolute/path"):
        normalize_url(url)


@pytest.mark.requirement("ingest.choice")
def test_a_choice_that_means_nothing_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="at least 2,000 and at most 10 bytes"):
        FileFilter(min_bytes=2_000, max_bytes=10)
    with pytest.raises(InvalidRequest, match="there is no format dwg; choose from step"):
        FileFilter(formats=("dwg",))
    with pytest.raises(InvalidRequest, match="is not a glob"):
        FileFilter(pattern="a**b")


@pytest.mark.requirement("ingest.source")
@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_a_file_that_may_not_be_read_is_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "a.dxf"
    path.write_bytes(b"x")
    path.chmod(0)
    with pytest.raises(SourceForbidden):
        await Source(tmp_path.as_uri()).read(path.as_uri())
