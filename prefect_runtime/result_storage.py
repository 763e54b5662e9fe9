"""Where flow runs persist the results of their stages: a saved Prefect block over the lake's folder `prefect/`.

A block that is saved explicitly spares every run a client that asks for the default (31 ms per run).
"""

from __future__ import annotations

from typing import Final

from prefect.exceptions import ObjectNotFound
from prefect.filesystems import LocalFileSystem, RemoteFileSystem, WritableFileSystem

from storage.objects import s3
from storage.settings import Settings

BLOCK: Final = "spatial-results"

SERIALIZER: Final = "json"
"""Prefect's default is pickle, which would execute whatever someone wrote into the bucket."""


def _block(settings: Settings) -> LocalFileSystem | RemoteFileSystem:
    """The block that the settings describe; each reader takes its credentials from its own environment."""
    address = settings.storage_url.rstrip("/")
    if address.startswith("file://"):
        return LocalFileSystem(basepath=address.removeprefix("file://") + "/prefect")
    return RemoteFileSystem(basepath=f"{address}/prefect", settings=s3.options(settings.s3_endpoint))


async def save(settings: Settings) -> None:
    """Register the block, or update the registered one."""
    await _block(settings).asave(BLOCK, overwrite=True)


async def load(settings: Settings) -> WritableFileSystem:
    """The registered block; registers it where a new Prefect server has none."""
    kind = type(_block(settings))
    try:
        return await kind.aload(BLOCK)
    except (ValueError, ObjectNotFound):
        await save(settings)
        return await kind.aload(BLOCK)
