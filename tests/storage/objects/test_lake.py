"""The lake as a directory and as a bucket: the same promises from both; no way out; out of reach within seconds."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from spatial.errors import ConverterUnavailable, InternalError
from storage.objects import bucket
from storage.objects import lake as lakes
from storage.objects.lake import Lake, LakeUnavailable, ObjectMissing
from storage.settings import Settings

pytestmark = pytest.mark.requirement("storage.objects.lake")


async def test_what_was_put_is_there_until_it_is_deleted(lake: Lake) -> None:
    await lake.ping()
    await lake.put("staged/op_1/part.step", b"first")
    await lake.put("staged/op_1/part.step", b"second")
    assert await lake.get("staged/op_1/part.step") == b"second"
    assert await lake.exists("staged/op_1/part.step")
    assert not await lake.exists("staged/op_1")
    assert not await lake.exists("staged/op_2/part.step")
    await lake.delete("staged/op_1/part.step")
    assert not await lake.exists("staged/op_1/part.step")
    await lake.delete("staged/op_1/part.step")


async def test_what_is_not_there_is_missing(lake: Lake) -> None:
    with pytest.raises(ObjectMissing) as refusal:
        await lake.get("results/op_1.json")
    assert isinstance(refusal.value, ConverterUnavailable)


async def test_a_listing_shows_what_was_just_put_below_whole_segments(lake: Lake) -> None:
    assert await lake.list("usage/rows") == []
    for key in ("usage/rows/b.parquet", "usage/rows/a.parquet", "usage/rows-old/c.parquet", "usage/manifest/1.json"):
        await lake.put(key, b"x")
    assert await lake.list("usage/rows") == ["usage/rows/a.parquet", "usage/rows/b.parquet"]
    await lake.put("usage/rows/c.parquet", b"x")
    assert await lake.list("usage/rows") == [f"usage/rows/{name}.parquet" for name in "abc"]
    assert len(await lake.list("usage")) == 5


async def test_large_and_empty_objects_come_back_whole(lake: Lake) -> None:
    large = os.urandom(26_214_400)
    await lake.put("staged/op_1/large.step", large)
    await lake.put("staged/op_1/empty.step", b"")
    assert await lake.get("staged/op_1/large.step") == large
    assert await lake.get("staged/op_1/empty.step") == b""


async def pieces(*parts: bytes, then: Exception | None = None) -> AsyncIterator[bytes]:
    """What comes bit by bit, and ends well or not."""
    for part in parts:
        yield part
    if then is not None:
        raise then


@pytest.mark.requirement("lake.put-stream")
async def test_what_comes_in_pieces_is_there_whole(lake: Lake) -> None:
    large = os.urandom(20_000_000)
    bits = [large[start : start + 700_001] for start in range(0, len(large), 700_001)]
    await lake.put_stream("staged/up_1/large.step", pieces(*bits))
    await lake.put_stream("staged/up_1/small.step", pieces(b"a", b"", b"b"))
    assert await lake.get("staged/up_1/large.step") == large
    assert await lake.get("staged/up_1/small.step") == b"ab"
    assert await lake.size("staged/up_1/large.step") == len(large)
    await lake.put_stream("staged/up_1/large.step", pieces(b"smaller"))
    assert await lake.get("staged/up_1/large.step") == b"smaller"


@pytest.mark.requirement("lake.put-stream")
async def test_what_breaks_off_leaves_what_was_there(lake: Lake) -> None:
    part = bytes(9_000_000)
    await lake.put("staged/up_1/old.step", b"old")
    for key in ("staged/up_1/old.step", "staged/up_2/new.step"):
        for parts in ((), (b"x",), (part, part)):
            with pytest.raises(ZeroDivisionError):
                await lake.put_stream(key, pieces(*parts, then=ZeroDivisionError()))
    assert await lake.keys() == ["staged/up_1/old.step"]
    assert await lake.get("staged/up_1/old.step") == b"old"
    if lake.url.startswith("file://"):
        assert _tree(Path(lake.root)) == ["old.step", "staged", "up_1"]
    else:
        bucket = lake.root.split("/")[0]
        left = await asyncio.to_thread(lake.filesystem.call_s3, "list_multipart_uploads", Bucket=bucket)
        assert not left.get("Uploads")


@pytest.mark.requirement("lake.put-stream")
async def test_a_stream_that_is_cancelled_leaves_nothing(lake: Lake) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield bytes(9_000_000)
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(lake.put_stream("staged/up_1/x", endless()), 0.5)
    assert await lake.keys() == []


@pytest.mark.requirement("lake.put-stream")
async def test_parts_of_a_writer_that_died_expire(s3_settings: Settings) -> None:
    await bucket.ensure_bucket(s3_settings)
    lake = Lake(s3_settings.storage_url, s3_settings.s3_endpoint)
    place = dict(zip(("Bucket", "Key"), lake.path("staged/up_1/x").split("/", 1), strict=True))
    await asyncio.to_thread(lake.filesystem.call_s3, "create_multipart_upload", **place)
    # The server of the tests says that every upload began in 2010.
    for age, left in ((timedelta(days=20_000), 1), (timedelta(hours=24), 0)):
        assert await lake.expire("staged", age) == 0
        found = await asyncio.to_thread(lake.filesystem.call_s3, "list_multipart_uploads", Bucket=place["Bucket"])
        assert len(found.get("Uploads", [])) == left
    await lake.close()


@pytest.mark.requirement("lake.copy")
async def test_a_copy_stays_when_its_original_goes_and_is_young(lake: Lake) -> None:
    await lake.put("staged/up_1/a.step", b"bytes")
    await lake.copy("staged/up_1/a.step", "staged/op_1/0/b.step")
    await lake.put("staged/up_1/a.step", b"other")
    await lake.delete("staged/up_1/a.step")
    assert await lake.get("staged/op_1/0/b.step") == b"bytes"
    assert await lake.size("staged/up_1/a.step") is None
    with pytest.raises(ObjectMissing):
        await lake.copy("staged/up_1/a.step", "staged/op_1/1/b.step")
    if lake.url.startswith("file://"):
        original = Path(lake.path("staged/op_1/0/b.step"))
        os.utime(original, (1, 1))
        await lake.copy("staged/op_1/0/b.step", "staged/op_2/b.step")
        assert await lake.expire("staged/op_2", timedelta(hours=1)) == 0
        assert stat.S_IMODE(original.with_name("b.step").stat().st_mode) == 0o600


async def test_neighbours_come_and_go_at_once(lake: Lake) -> None:
    """A directory is removed with its last object, while another is being put into it."""

    async def coming_and_going(n: int) -> None:
        for _ in range(20):
            await lake.put(f"staged/op_1/{n}", b"x")
            await lake.delete(f"staged/op_1/{n}")

    await asyncio.gather(*(coming_and_going(n) for n in range(4)))
    assert await lake.list("staged") == []


async def test_what_is_old_expires_and_what_is_young_stays(lake: Lake) -> None:
    await lake.put("staged/op_1/part.step", b"x")
    await lake.put("usage/rows/a.parquet", b"x")
    assert await lake.expire("staged", timedelta(hours=24)) == 0
    assert await lake.expire("staged", timedelta(seconds=-10)) == 1
    assert await lake.list("staged") == []
    assert await lake.list("usage") == ["usage/rows/a.parquet"]


async def test_the_filesystem_reads_what_the_lake_holds(lake: Lake) -> None:
    await lake.put("usage/rows/a.parquet", b"x")
    assert await asyncio.to_thread(lake.filesystem.cat_file, lake.path("usage/rows/a.parquet")) == b"x"
    assert lake.path("usage/rows/a.parquet").startswith(lake.root)
    assert lake.uri("usage/rows/a.parquet") == f"{lake.url}/usage/rows/a.parquet"


async def test_the_lake_serves_several_event_loops(lake: Lake) -> None:
    await lake.put("results/op_1.json", b"{}")
    assert await asyncio.to_thread(lambda: asyncio.run(lake.get("results/op_1.json"))) == b"{}"


async def test_cancelling_leaves_the_lake_usable(lake: Lake) -> None:
    cut = 0
    for n in range(20):
        try:
            await asyncio.wait_for(lake.put(f"staged/op_{n}/part", bytes(5_000_000)), 0.0005 * n)
        except TimeoutError:
            cut += 1
    assert cut, "no put was slow enough to be cut off"
    await lake.put("staged/op_x/part", b"whole")
    assert await lake.get("staged/op_x/part") == b"whole"


def _tree(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.rglob("*"))


OUTSIDE = [
    "", "/", ".", "..", "../x", "a/../b", "a/..", "/etc/passwd", "a//b", "a/", "a\\b", "a\0b", "a b", ".hidden", "a/.x",
    "ünder", "a/" * 20 + "b", "x" * 300, "%2e%2e/x", "~root", "file:///x", "a\n",
]  # fmt: skip


@pytest.mark.parametrize("key", OUTSIDE)
async def test_a_key_that_is_none_is_refused_by_every_method(tmp_path: Path, key: str) -> None:
    lake = Lake(f"file://{tmp_path}/lake")
    for call in (lake.put(key, b"x"), lake.get(key), lake.exists(key), lake.delete(key), lake.list(key)):
        with pytest.raises(InternalError):
            await call
    with pytest.raises(InternalError):
        lake.uri(key)
    assert _tree(tmp_path) == []


async def test_a_link_inside_does_not_lead_out(tmp_path: Path) -> None:
    lake = Lake(f"file://{tmp_path}/lake")
    await lake.put("staged/inside", b"x")
    (tmp_path / "outside").mkdir()
    (tmp_path / "lake" / "staged" / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(LakeUnavailable):
        await lake.put("staged/link/file", b"x")
    assert list((tmp_path / "outside").iterdir()) == []


@pytest.mark.parametrize(
    ("file_name", "segment"),
    [
        ("part.step", "part.step"),
        ("../../etc/passwd", "passwd"),
        ("C:\\parts\\Teil ß (2).STEP", "Teil_2_.STEP"),
        ("..", "file"),
        ("", "file"),
        ("日本.stp", "_.stp"),
        ("x" * 300 + ".iges", "x" * 115 + ".iges"),
        ("-rf.step", "rf.step"),
        ("a\0\n.step", "a_.step"),
    ],
)
async def test_any_file_name_makes_a_safe_segment(tmp_path: Path, file_name: str, segment: str) -> None:
    assert lakes.safe_name(file_name) == segment
    key = lakes.staged_key("op_1", file_name)
    lake = Lake(f"file://{tmp_path}/lake")
    await lake.put(key, b"x")
    assert await lake.list("staged") == [key]


async def test_files_are_the_owners_alone(tmp_path: Path) -> None:
    lake = Lake(f"file://{tmp_path}/home/lake")
    await lake.put("results/op_1.json", b"{}")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "home").rglob("*")}
    assert modes == {"lake": 0o700, "results": 0o700, "op_1.json": 0o600}


async def test_a_reader_never_sees_half_an_object(tmp_path: Path) -> None:
    lake = Lake(f"file://{tmp_path}/lake")
    bodies = {letter * 3_000_000 for letter in (b"a", b"b")}
    await lake.put("results/op_1.json", b"a" * 3_000_000)
    done = asyncio.Event()

    async def writing() -> None:
        for _ in range(10):
            for body in bodies:
                await lake.put("results/op_1.json", body)
        done.set()

    async def reading() -> None:
        while not done.is_set():
            assert await lake.get("results/op_1.json") in bodies

    await asyncio.gather(writing(), reading(), reading())


async def test_a_put_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = Lake(f"file://{tmp_path}/lake")
    await lake.put("results/op_1.json", b"old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(LakeUnavailable, match="No space left on device") as refusal:
        await lake.put("results/op_1.json", b"new")
    assert str(tmp_path) not in refusal.value.message
    with pytest.raises(LakeUnavailable):
        await lake.ping()
    monkeypatch.undo()
    assert [path.name for path in (tmp_path / "lake").rglob("*") if path.is_file()] == ["op_1.json"]
    assert await lake.get("results/op_1.json") == b"old"


async def test_an_interrupted_put_is_not_an_object_and_expires(tmp_path: Path) -> None:
    lake = Lake(f"file://{tmp_path}/lake")
    await lake.put("staged/op_1/part.step", b"x")
    (tmp_path / "lake/staged/op_1/.0123.new").write_bytes(b"ha")
    assert await lake.list("staged") == ["staged/op_1/part.step"]
    assert await lake.expire("staged", timedelta(seconds=-10)) == 1
    assert not (tmp_path / "lake/staged/op_1").exists()


async def test_a_directory_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    lake = Lake(f"file://{tmp_path}/file/lake")
    with pytest.raises(LakeUnavailable):
        await lake.ping()
    with pytest.raises(LakeUnavailable):
        await lake.put("staged/x", b"x")


@pytest.fixture
def silent_server() -> Iterator[str]:
    """Takes connections and never answers, like a host that is frozen."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        kept: list[socket.socket] = []

        def accept() -> None:
            try:
                while True:
                    kept.append(listener.accept()[0])
            except OSError:
                return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
        for connection in kept:
            connection.close()


@pytest.mark.requirement("storage.objects.lake-unavailable")
async def test_a_store_that_refuses_connections_is_unavailable(s3_server: str) -> None:
    lake = Lake("s3://bucket/prefix", "http://127.0.0.1:9")
    for call in (
        lake.ping(),
        lake.get("results/x"),
        lake.put("results/x", b"x"),
        lake.list("results"),
        lake.exists("x"),
    ):
        with pytest.raises(LakeUnavailable):
            await call
    await lake.close()


@pytest.mark.requirement("storage.objects.lake-unavailable")
async def test_a_silent_store_is_unavailable_and_blocks_nobody(silent_server: str, s3_server: str) -> None:
    lake = Lake("s3://bucket/prefix", silent_server, seconds=3)
    beats = 0

    async def heart() -> None:
        nonlocal beats
        while True:
            await asyncio.sleep(0.01)
            beats += 1

    beating = asyncio.create_task(heart())
    calls = [lake.ping(), *(lake.get("results/x") for _ in range(20)), lake.put("results/x", b"x")]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    beating.cancel()
    assert all(isinstance(outcome, LakeUnavailable) for outcome in outcomes), outcomes
    assert beats > 50
    await lake.close()


@pytest.mark.requirement("storage.objects.lake-unavailable")
async def test_a_bucket_that_does_not_exist_is_unavailable(s3_server: str) -> None:
    lake = Lake("s3://no-such-bucket/prefix", s3_server)
    with pytest.raises(LakeUnavailable):
        await lake.ping()
    with pytest.raises(LakeUnavailable):
        await lake.put("results/x", b"x")
    await lake.close()
