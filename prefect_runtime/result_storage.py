"""Storage of the results of flow runs: a saved Prefect block for the lake's folder `prefect/`.

The results of a run lie in a folder of their own below it, so that those of one account can be found and deleted
(storage/archive/purge.py). With an explicitly saved block, a run does not need a client to look up the default block (31 ms per run).
"""

from __future__ import annotations

from typing import Final, TypeAlias

from prefect.exceptions import ObjectNotFound
from prefect.filesystems import LocalFileSystem, RemoteFileSystem

from storage.objects import s3
from storage.settings import Settings

BLOCK: Final = "spatial-results"

SERIALIZER: Final = "json"
"""Prefect's default is pickle, which can execute any code that is written into the bucket."""


ResultStorage: TypeAlias = LocalFileSystem | RemoteFileSystem


def _block(settings: Settings) -> ResultStorage:
    """The block of the settings; each process takes the credentials from its environment."""
    address = settings.storage_url.rstrip("/")
    if address.startswith("file://"):
        return LocalFileSystem(basepath=address.removeprefix("file://") + "/prefect")
    return RemoteFileSystem(basepath=f"{address}/prefect", settings=s3.options(settings.s3_endpoint))


async def save(settings: Settings) -> None:
    """Register the block, or update the registered one."""
    await _block(settings).asave(BLOCK, overwrite=True)


async def load(settings: Settings) -> ResultStorage:
    """Load the registered block; registers it first if the Prefect server has none."""
    kind = type(_block(settings))
    try:
        return await kind.aload(BLOCK)
    except (ValueError, ObjectNotFound):
        await save(settings)
        return await kind.aload(BLOCK)


def below(storage: ResultStorage, folder: str) -> ResultStorage:
    """The same block for one folder. Prefect's server knows the block without it, so only runs with that folder find the results."""
    return storage.model_copy(update={"basepath": f"{storage.basepath}/{folder}"})
