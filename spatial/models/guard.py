"""Stages that fail alone: an error in one stage, or over one body, costs its own part of the document and no other."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, TypeVar

import numpy as np

T = TypeVar("T")
log = logging.getLogger("spatial.reading")

OUT_OF_MEMORY: Final = ("MemoryError", "Standard_OutOfMemory")
"""Names of exceptions that end a file, whatever stage they are raised in; the second is OCCT's."""


def attempt(what: str, stage: Callable[[], T], otherwise: T, warnings: list[str]) -> T:
    """The result of a stage; if it fails, `otherwise`, with a warning that names `what` and a traceback in the log."""
    try:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return stage()
    except Exception as error:
        if type(error).__name__ in OUT_OF_MEMORY:
            raise
        # Hostile geometry finds what no test did; the rest of the file is worth more than a refusal.
        log.exception("the %s could not be read", what)
        warnings.append(f"the {what} could not be read: an internal error, which the converter's log has")
        return otherwise
