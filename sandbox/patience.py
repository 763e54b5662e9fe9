"""How long processes that start may take: a limit by the clock, the time aside in which they wanted a processor or a disk and had none.

On a busy machine a start takes many times as long by the clock as it takes of a processor. The kernel counts how long a process was ready
to run and did not, and shows which one waits for a disk, as all do that are short of memory. So one that is starved is waited for, and
one that hangs is given up after the limit. Where the kernel does not count, the clock alone decides. A file's deadline is counted in a
similar way (converter/deadline.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

CLOCK_FACTOR: Final = 15.0
"""Most that a start may take by the clock, of its limit: something must end the wait for a process that never gets a processor."""

LOOK_SECONDS: Final = 0.25
"""Interval of looks at processes that are waited for."""

T = TypeVar("T")


class Schedule(NamedTuple):
    """What the first thread of a process had of the processors since it began, in seconds (proc_pid_schedstat)."""

    used: float
    waited: float
    """Ready to run, while others had the processors."""


class Patience:
    """The patience with processes that start, from now on."""

    def __init__(self, seconds: float, processes: Callable[[], Iterable[int]]) -> None:
        """seconds: the limit; processes: ids of those that are waited for now, whose descendants count too."""
        self._seconds = seconds
        self._processes = processes
        self._began = time.monotonic()
        self._looked = self._began
        self._on_disk = 0.0
        """Seconds between looks at the end of which one of the processes waited for a disk."""
        self._before = self._look()
        self._seen = dict(self._before)

    @property
    def seconds(self) -> float:
        """How long the wait has taken by the clock."""
        return time.monotonic() - self._began

    def is_over(self) -> bool:
        """Whether the processes have had their time, or the clock has had enough."""
        waited = self.schedule().waited + self._on_disk
        return self.seconds > min(self._seconds + waited, CLOCK_FACTOR * self._seconds)

    def schedule(self) -> Schedule:
        """What the processes had of the processors together, from the beginning until now; those that have ended count as last seen."""
        self._seen |= self._look()
        nothing = Schedule(0.0, 0.0)
        since = [(now, self._before.get(process, nothing)) for process, now in self._seen.items()]
        return Schedule(
            sum(max(0.0, now.used - before.used) for now, before in since),
            sum(max(0.0, now.waited - before.waited) for now, before in since),
        )

    def describe(self) -> str:
        """The clock, and the processors beside it where the kernel counts them, as the end of a sentence about these processes."""
        had = self.schedule()
        beside = f" and had {had.used:.1f} s of a processor" if had != (0.0, 0.0) else ""
        return f"have taken {self.seconds:.0f} s{beside}"

    def _look(self) -> dict[int, Schedule]:
        processes, before = self._tree(), self._looked
        self._looked = time.monotonic()
        if any(_waits_for_disk(process) for process in processes):
            self._on_disk += self._looked - before
        return {process: found for process in processes if (found := _schedule_of(process)) is not None}

    def _tree(self) -> set[int]:
        found: set[int] = set()
        to_visit = list(self._processes())
        while to_visit:
            process = to_visit.pop()
            if process not in found:
                found.add(process)
                to_visit += _children(process)
        return found


async def result_within(future: asyncio.Future[T], patience: Patience) -> T:
    """What a future becomes; it is not cancelled. Raises: TimeoutError where the patience ends first; what the future raises."""
    while not future.done():
        if patience.is_over():
            raise TimeoutError
        await asyncio.wait({future}, timeout=LOOK_SECONDS)
    return future.result()


def _schedule_of(process: int) -> Schedule | None:
    """None where it has ended, or the kernel does not count."""
    with contextlib.suppress(OSError):
        used, waited, _ = Path(f"/proc/{process}/schedstat").read_text().split()
        return Schedule(int(used) / 1e9, int(waited) / 1e9)
    return None


def _waits_for_disk(process: int) -> bool:
    """Whether its first thread is in a sleep that no signal ends (proc_pid_stat, field 3)."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "D"
    return False


def _children(process: int) -> Iterator[int]:
    """Its child processes, of any of its threads (proc_pid_task_children); none of one that ends while they are looked for."""
    for thread in _threads(process):
        with contextlib.suppress(OSError):
            yield from map(int, (thread / "children").read_text().split())


def _threads(process: int) -> list[Path]:
    with contextlib.suppress(OSError):
        return list(Path(f"/proc/{process}/task").iterdir())
    return []
