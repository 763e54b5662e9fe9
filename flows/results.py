"""Where flow runs keep their stage results: a saved Prefect block over the lake's `prefect/` folder.

An explicit, saved block spares every run a client of its own just to ask for the default (31 ms a run).
"""

from __future__ import annotations

from prefect.exceptions import ObjectNotFound
from prefect.filesystems import LocalFileSystem, RemoteFileSystem, WritableFileSystem

from storage.objects import s3
from storage.settings import Settings

BLOCK = "spatial-results"

SERIALIZER = "json"
"""Prefect's default is pickle, which would run whatever somebody laid into the bucket."""


def _described(settings: Settings) -> LocalFileSystem | RemoteFileSystem:
    """The block as the settings say it; credentials stay in the environment of who reads it."""
    address = settings.storage_url.rstrip("/")
    if address.startswith("file://"):
        return LocalFileSystem(basepath=address.removeprefix("file://") + "/prefect")
    return RemoteFileSystem(basepath=f"{address}/prefect", settings=s3.options(settings.s3_endpoint))


async def save(settings: Settings) -> None:
    """Register the block, or bring the registered one up to date."""
    await _described(settings).asave(BLOCK, overwrite=True)


async def load(settings: Settings) -> WritableFileSystem:
    """The registered block; registers it where a fresh Prefect server has none."""
    kind = type(_described(settings))
    try:
        return await kind.aload(BLOCK)
    except (ValueError, ObjectNotFound):
        await save(settings)
        return await kind.aload(BLOCK)
