"""Stages that fail alone: an error in one stage costs its own part of the document and no other."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

import numpy as np

T = TypeVar("T")
log = logging.getLogger("spatial.drawing")


def attempt(what: str, stage: Callable[[], T], otherwise: T, warnings: list[str]) -> T:
    """The result of a stage; if it fails, `otherwise`, with a warning that names `what` and a traceback in the log."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return stage()
    except Exception:
        # Hostile geometry finds what no test did; the rest of the sheet is worth more than a refusal.
        log.exception("the %s could not be read", what)
        warnings.append(f"the {what} could not be read: an internal error, which the converter's log has")
        return otherwise
