"""`spatial backup` and `spatial restore`: write one archive of a home's database and lake, and restore it into an empty home."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from cli import database, stack
from cli.terminal import failure, progress, report_errors
from spatial.counting import count_of
from storage.archive import backup as backups
from storage.archive import restore as restores
from storage.archive.backup import Report
from storage.archive.file import Manifest
from storage.objects import bucket
from storage.objects.lake import Lake
from storage.settings import Settings


def backup(output: Path, home: Path | None) -> None:
    """Write the archive and print its path."""
    with report_errors():
        if str(output) == "-":
            raise failure(
                "an archive cannot be written to stdout, because it is written completely or not at all; name a new file"
            )
        if not output.parent.is_dir():
            raise failure(f"there is no folder {output.parent}; create it, or name another file")
        settings = stack.settings_with_database(home)
        manifest = asyncio.run(_save(settings, output.absolute()))
        progress(f"{_summary(manifest)}; {count_of(output.stat().st_size, 'byte')}, schema {manifest.revision}")
        progress(
            "the archive contains the files and responses of callers and digests of their keys; only you can read it; keep it private"
        )
        typer.echo(str(output))


def restore(file: Path, home: Path | None) -> None:
    """Restore an archive into an empty home."""
    with report_errors():
        settings = stack.settings(home)
        if stack.addresses(settings.home):
            raise failure(f"a stack is running in {settings.home}; stop it, or choose an empty home with --home")
        progress(f"checking {file}")
        manifest = restores.verify(file)
        asyncio.run(_restore(settings, file, manifest))
        progress(f"restored {_summary(manifest)}, as of {manifest.created_at}")


async def _save(settings: Settings, output: Path) -> Manifest:
    lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
    try:
        with database.address(settings) as url, _progress_bar("backing up") as report:
            return await backups.save(url, lake, output, report)
    finally:
        await lake.close()


async def _restore(settings: Settings, file: Path, manifest: Manifest) -> None:
    await bucket.ensure_bucket(settings)
    lake = Lake(settings.storage_url, s3_endpoint=settings.s3_endpoint)
    try:
        with database.address(settings) as url, _progress_bar("restoring") as report:
            await restores.restore(url, lake, file, manifest, report)
    finally:
        await lake.close()


@contextmanager
def _progress_bar(label: str) -> Iterator[Report]:
    """A progress bar on stderr, if that is a terminal."""
    with typer.progressbar(length=1, label=label, file=typer.get_text_stream("stderr")) as bar:

        def report(done: int, most: int) -> None:
            bar.length = max(most, 1)
            bar.update(done - bar.pos)

        yield report


def _summary(manifest: Manifest) -> str:
    rows = sum(table.rows for table in manifest.tables.values())
    return f"{count_of(rows, 'row')} of {count_of(len(manifest.tables), 'table')} and {count_of(len(manifest.objects), 'object')}"
