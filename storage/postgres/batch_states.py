"""States of batches and of their items, one record per state; the table's constraint and every list of states derive from here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, get_args

State = Literal["staging", "queued", "running", "done", "failed", "expired"]
ItemState = Literal["queued", "running", "done", "failed"]


@dataclass(frozen=True)
class BatchState:
    """One state, and what it implies."""

    name: State
    counts_as_in_flight: bool
    """Whether the batch counts against its key's ceiling."""
    is_unfinished: bool
    """Whether a flow run has work to do."""
    is_visible: bool = True
    """Whether callers can see the batch."""
    has_files: bool = True
    """Whether its files may still be in the lake."""


STATES: Final = (
    BatchState("staging", counts_as_in_flight=True, is_unfinished=False, is_visible=False),
    BatchState("queued", counts_as_in_flight=True, is_unfinished=True),
    BatchState("running", counts_as_in_flight=True, is_unfinished=True),
    BatchState("done", counts_as_in_flight=False, is_unfinished=False),
    BatchState("failed", counts_as_in_flight=False, is_unfinished=False),
    BatchState("expired", counts_as_in_flight=False, is_unfinished=False, has_files=False),
)


def _names(chosen: Callable[[BatchState], bool]) -> tuple[State, ...]:
    return tuple(state.name for state in STATES if chosen(state))


IN_FLIGHT: Final = _names(lambda state: state.counts_as_in_flight)
UNFINISHED: Final = _names(lambda state: state.is_unfinished)
"""States of a batch or an item that has not ended."""
EXPIRABLE: Final = _names(lambda state: state.is_visible and state.has_files)
"""States of a batch whose files are deleted when it expires."""

if [state.name for state in STATES] != list(get_args(State)):
    raise TypeError(
        "STATES and State of storage/postgres/batch_states.py differ; add the state that is missing to the other"
    )


def in_states(names: tuple[str, ...]) -> str:
    """SQL: the column `state` has one of these values."""
    listed = ", ".join(f"'{name}'" for name in names)
    return f"state IN ({listed})"
