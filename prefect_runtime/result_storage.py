"""Storage of the results of flow runs: a saved Prefect block for the lake's folder `prefect/`.

With an explicitly saved block, a run does not need a client to look up the default block (31 ms per run).
"""

from __future__ import annotations

from typing import Final

from prefect.exceptions import ObjectNotFound
from prefect.filesystems import LocalFileSystem, RemoteFileSystem, WritableFileSystem

from storage.objects import s3
from storage.settings import Settings

BLOCK: Final = "spatial-results"

SERIALIZER: Final = "json"
"""Prefect's default is pickle, which can execute any code that is written into the bucket."""


def _block(settings: Settings) -> LocalFileSystem | RemoteFileSystem:
    """The block of the settings; each process takes the credentials from its environment."""
    address = settings.storage_url.rstrip("/")
    if address.startswith("file://"):
        return LocalFileSystem(basepath=address.removeprefix("file://") + "/prefect")
    return RemoteFileSystem(basepath=f"{address}/prefect", settings=s3.options(settings.s3_endpoint))


async def save(settings: Settings) -> None:
    """Register the block, or update the registered one."""
    await _block(settings).asave(BLOCK, overwrite=True)


async def load(settings: Settings) -> WritableFileSystem:
    """Load the registered block; registers it first if the Prefect server has none."""
    kind = type(_block(settings))
    try:
        return await kind.aload(BLOCK)
    except (ValueError, ObjectNotFound):
        await save(settings)
        return await kind.aload(BLOCK)
