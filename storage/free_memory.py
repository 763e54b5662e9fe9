"""Memory that a process has freed and its allocator keeps, given back to the system.

glibc keeps what lies between blocks that are in use: 2 to 7 MB of an API process or a worker after a burst. To give it back takes some
milliseconds, and the next burst has its pages mapped again. So it is done once in an idle time; a setting of the allocator, which acts at
every call, cost more than it gave (decision 66).
"""

from __future__ import annotations

import ctypes
from contextlib import suppress


def give_back() -> None:
    """Give it back, where the C library has a call for it."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(0))
