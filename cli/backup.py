"""`spatial backup` and `spatial restore`: one archive of the database and the lake, out of a home and into an empty one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from cli import database, stack
from cli.terminal import failed, progress, sentences
from storage.archive import backup as backups
from storage.archive import restore as restores
from storage.archive.backup import Report
from storage.archive.file import Manifest
from storage.objects import bucket
from storage.objects.lake import Lake
from storage.settings import Settings


def backup(output: Path, home: Path | None) -> None:
    """Write the archive and print its name."""
    with sentences():
        if str(output) == "-":
            raise failed("an archive is not written to stdout: it is there whole or not at all; name a new file")
        if not output.parent.is_dir():
            raise failed(f"there is no folder {output.parent}")
        settings = stack.settings(home)
        if settings.database_url is None and not (settings.home / "postgres").is_dir():
            raise failed(f"there is no stack's data in {settings.home}")
        manifest = asyncio.run(_saved(settings, output.absolute()))
        progress(f"{_counted(manifest)}; {output.stat().st_size:,} bytes, schema {manifest.revision}")
        progress(
            "it holds what callers sent, what they were answered, and digests of their keys: only you can read it, keep it so"
        )
        typer.echo(str(output))


def restore(file: Path, home: Path | None) -> None:
    """Lay an archive down in an empty home."""
    with sentences():
        settings = stack.settings(home)
        if stack.addresses(settings.home):
            raise failed(f"a stack runs in {settings.home}; stop it, or choose an empty home with --home")
        progress(f"checking {file}")
        manifest = restores.verify(file)
        asyncio.run(_restored(settings, file, manifest))
        progress(f"restored {_counted(manifest)}, as of {manifest.created_at}")


async def _saved(settings: Settings, output: Path) -> Manifest:
    lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
    try:
        with database.address(settings) as url, _bar("backing up") as told:
            return await backups.save(url, lake, output, told)
    finally:
        await lake.close()


async def _restored(settings: Settings, file: Path, manifest: Manifest) -> None:
    await bucket.ensure_bucket(settings)
    lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
    try:
        with database.address(settings) as url, _bar("restoring") as told:
            await restores.restore(url, lake, file, manifest, told)
    finally:
        await lake.close()


@contextmanager
def _bar(label: str) -> Iterator[Report]:
    """A bar on stderr, where that is a terminal."""
    with typer.progressbar(length=1, label=label, file=typer.get_text_stream("stderr")) as bar:

        def told(done: int, most: int) -> None:
            bar.length = max(most, 1)
            bar.update(done - bar.pos)

        yield told


def _counted(manifest: Manifest) -> str:
    rows = sum(table.rows for table in manifest.tables.values())
    return f"{rows:,} rows of {len(manifest.tables)} tables and {len(manifest.objects):,} objects"
