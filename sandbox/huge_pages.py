"""The memory that a fork server has loaded, brought into pages of 2 MB, of which a fork copies one entry each instead of 512.

A child that writes into one of them gets the 4 KB that it writes to, as from any other page.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterator
from typing import Final

HUGE_BYTES: Final = 2 * 1024 * 1024
"""Size of a huge page."""

_MADV_COLLAPSE: Final = 25
"""madvise(2), since Linux 6.1; an older kernel refuses it."""

_ANONYMOUS: Final = ("", "[heap]")
"""Names of mappings without a file, in /proc/PID/maps."""


def regions() -> frozenset[int]:
    """The addresses of the whole huge pages that fit into the memory without a file that this process may write to."""
    return frozenset(_regions())


def collapse(without: Collection[int] = frozenset()) -> int:
    """Bring memory into huge pages; returns how many.

    without: regions that stay as they are, because another process shares them: they would be copied.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    libc.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return sum(libc.madvise(start, HUGE_BYTES, _MADV_COLLAPSE) == 0 for start in regions().difference(without))


def _regions() -> Iterator[int]:
    with open("/proc/self/maps") as lines:
        for line in lines:
            span, rights, *_, name = [*line.split(maxsplit=5), ""][:6]
            if rights.startswith("rw") and rights.endswith("p") and name.strip() in _ANONYMOUS:
                start, end = (int(address, 16) for address in span.split("-"))
                yield from range(-(-start // HUGE_BYTES) * HUGE_BYTES, end // HUGE_BYTES * HUGE_BYTES, HUGE_BYTES)
