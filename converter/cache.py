"""Files that were read and are kept with their children, for the calls that follow; bounded in number, time and memory."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field

from converter.delegation import Delegation
from converter.semaphore import Place
from converter.wire import InputFile
from sandbox.children import Child


@dataclass(eq=False)
class CachedFile:
    """A file that was read, and the child that keeps it."""

    source: InputFile
    child: Child
    delegation: Delegation
    """Work that it hands over."""
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One call at a time: OCCT is not thread safe, and a child has one thread."""
    calls: int = 0
    """Calls that run or wait for their turn."""
    seconds: float = 0.0
    """How long calls have run for it by the clock: all phases of a file share one deadline."""
    memory: int = 0
    lent: Place | None = None
    """The worker that read it, which waits for the call that follows."""
    expiry: asyncio.TimerHandle | None = None

    def __post_init__(self) -> None:
        self._waited_before = self.child.waited()

    def waited(self) -> float:
        """Seconds that its children waited for a processor, further ones too: their file waits for them."""
        return max(0.0, self.child.waited() - self._waited_before) + self.delegation.waited()

    def begin(self) -> None:
        """Count a call; a file does not expire while a call uses it."""
        self.calls += 1
        self.cancel_expiry()

    def cancel_expiry(self) -> None:
        """Stop the timer, if it runs."""
        if self.expiry is not None:
            self.expiry.cancel()
            self.expiry = None


class FileCache:
    """The files that are kept, by handle, the one used last at the end."""

    def __init__(self, count: int, seconds: float, memory: int) -> None:
        """count: files; seconds: after the last call; memory: bytes that they hold together, the last one aside."""
        self._count = count
        self._seconds = seconds
        self._memory = memory
        self._files: OrderedDict[str, CachedFile] = OrderedDict()

    @property
    def idle_count(self) -> int:
        """Files that no call uses."""
        return sum(1 for cached in self._files.values() if not cached.calls)

    def get(self, handle: str) -> CachedFile | None:
        """The file kept under a handle."""
        return self._files.get(handle)

    def release_all(self) -> None:
        """End the child of every file."""
        for handle in list(self._files):
            self.release(handle)

    def keep(self, handle: str, cached: CachedFile) -> None:
        """Keep a file under a handle, and count the time from now where no call uses it."""
        if self._files.get(handle) is not cached:
            self.release(handle)
            cached.child.ended.add_done_callback(lambda _: self.forget(cached))
        self._files[handle] = cached
        self._files.move_to_end(handle)
        if not cached.calls:
            cached.memory = cached.child.memory()
            cached.expiry = asyncio.get_running_loop().call_later(self._seconds, self._expire, cached)
        self._evict()

    def _expire(self, cached: CachedFile) -> None:
        self.forget(cached)
        cached.child.kill()

    def _evict(self) -> None:
        """Release the oldest files that no call uses, until number and memory are within their bounds."""
        idle = [handle for handle, cached in self._files.items() if not cached.calls]
        memory = sum(self._files[handle].memory for handle in idle)
        for place, handle in enumerate(idle[:-1]):
            if len(idle) - place <= self._count and memory <= self._memory:
                return
            memory -= self._files[handle].memory
            self.release(handle)

    def release(self, handle: str) -> None:
        """End the child that keeps a file; one that a call uses ends with the call."""
        cached = self._files.pop(handle, None)
        if cached is None:
            return
        cached.cancel_expiry()
        if not cached.calls:
            cached.child.kill()

    def forget(self, cached: CachedFile) -> None:
        """Keep a file no longer, whatever becomes of its child."""
        for handle in [handle for handle, other in self._files.items() if other is cached]:
            del self._files[handle]
        cached.cancel_expiry()
