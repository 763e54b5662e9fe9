"""Python's cycle collector, switched off while a file is read, understood and sampled, or its picture drawn: what is made then is kept,
and has hardly any cycles.

frozen   what no collection visits (`gc.freeze`). A process that loads the readers and then forks freezes what it has loaded, so that
         its memory pages stay shared: a visit writes to them.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_frozen = False


def freeze(*, collected: bool = True) -> None:
    """Freeze every object of this process, permanently. collected: after a collection, which takes 60 ms where OCP is loaded."""
    global _frozen
    if collected:
        gc.collect()
    gc.freeze()
    _frozen = True


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch collections off, which double the time of a reading and of the points of a large diagram.

    They take a fifth of an interpretation, too, and a third of an import of OCP. What was frozen before stays frozen.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        # What was made counts as old, so that the next collection, which comes at once, does not go through all of it.
        # Asking gc whether anything is frozen would count it object by object, 9 ms beside the preloaded readers.
        gc.freeze()
        if not _frozen:
            gc.unfreeze()
        gc.enable()
