"""Storage of the results of flow runs: a saved Prefect block for the lake's folder `prefect/`.

The results of a run lie in a folder of their own below it, so that those of one account can be found and deleted
(storage/archive/purge.py). With an explicitly saved block, a run does not need a client to look up the default block (31 ms per run).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, Self, TypeAlias

from prefect._internal.compatibility import blocks
from prefect.exceptions import ObjectNotFound
from prefect.filesystems import LocalFileSystem, RemoteFileSystem, WritableFileSystem
from pydantic import PrivateAttr

from storage.settings import Settings

BLOCK: Final = "spatial-results"

SERIALIZER: Final = "json"
"""Prefect's default is pickle, which can execute any code that is written into the bucket."""


WRITE_AFTER_SECONDS: Final = 10.0
"""Length of a run after which its results are written at once."""

ResultStorage: TypeAlias = LocalFileSystem | RemoteFileSystem

log = logging.getLogger(__name__)


def _block(settings: Settings) -> ResultStorage:
    """The block of the settings; each process takes the credentials from its environment."""
    address = settings.storage_url.rstrip("/")
    if address.startswith("file://"):
        return LocalFileSystem(basepath=address.removeprefix("file://") + "/prefect")
    from storage.objects import s3  # s3fs takes 1.4 s to import, which a directory does not need

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


class HeldResults(WritableFileSystem):
    """The results of one flow run, in memory until they are needed: they are written where the run fails, stops or lasts.

    Only a retry of the run reads them, and a run that ends well is not retried. A process that is killed within WRITE_AFTER_SECONDS
    loses them, and a retry does those stages again.

    kept: where they are written. is_new: whether the run begins, so that there is nothing to find in `kept` yet.
    """

    _block_type_name = "Spatial results of one run"

    kept: Any
    is_new: bool
    _began: float = PrivateAttr(default_factory=time.monotonic)
    _held: dict[str, bytes] = PrivateAttr(default_factory=dict)
    _unmade: list[Callable[[], Awaitable[None]]] = PrivateAttr(default_factory=list)

    @classmethod
    def of(cls, kept: ResultStorage, *, is_new: bool) -> Self:
        """The results of a run, under the identity of the registered block."""
        found = cls(kept=kept, is_new=is_new)
        found._block_document_id = kept._block_document_id
        return found

    async def read_path(self, path: str) -> bytes:
        """A result. Raises: FileNotFoundError; what the storage raises."""
        if path in self._held:
            return self._held[path]
        if self.is_new:
            raise FileNotFoundError(path)
        content: bytes = await blocks.call_explicitly_async_block_method(self.kept, "read_path", (path,), {})
        return content

    async def write_path(self, path: str, content: bytes) -> None:
        """Hold a result; write all of them where the run has lasted."""
        self._held[path] = content
        if time.monotonic() - self._began > WRITE_AFTER_SECONDS:
            await self.write_held()

    async def hold(self, make: Callable[[], Awaitable[None]]) -> None:
        """Hold a result that is not serialised yet: `make` calls `write_path`. Where the run has lasted, write all; a retry does again what
        cannot be written."""
        self._unmade.append(make)
        if time.monotonic() - self._began > WRITE_AFTER_SECONDS:
            try:
                await self.write_held()
            except Exception as error:  # noqa: BLE001  # whatever a storage raises: the stage has ended well
                log.warning("results of stages cannot be kept for a retry now: %r", error)

    async def write_held(self) -> None:
        """Write what is held. Raises: what the storage raises."""
        while self._unmade:
            await self._unmade.pop(0)()
        while self._held:
            path, content = next(iter(self._held.items()))
            await blocks.call_explicitly_async_block_method(self.kept, "write_path", (path, content), {})
            self._held.pop(path, None)
            self.is_new = False


def below(storage: ResultStorage, folder: str) -> ResultStorage:
    """The same block for one folder. Prefect's server knows the block without it, so only runs with that folder find the results."""
    return storage.model_copy(update={"basepath": f"{storage.basepath}/{folder}"})
