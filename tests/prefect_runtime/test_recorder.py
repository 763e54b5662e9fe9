"""Events of runs: what is left out before they are sent."""

from __future__ import annotations

from uuid import uuid4

import pytest
from prefect.events.schemas.events import Event, Resource

from prefect_runtime.recorder import last_states


def states(*names: str) -> list[Event]:
    """The events of one task run, each after the one before it."""
    run, last, found = f"prefect.task-run.{uuid4()}", None, list[Event]()
    for name in names:
        event = Event(
            event=f"prefect.task-run.{name}", resource=Resource({"prefect.resource.id": run}), follows=last, id=uuid4()
        )
        last = event.id
        found.append(event)
    return found


def names(events: list[Event]) -> list[str]:
    return [event.event.rpartition(".")[2] for event in events]


@pytest.mark.requirement("host.events")
def test_of_a_task_run_that_has_ended_only_the_end_is_sent() -> None:
    first, second = states("Pending", "Running", "Completed"), states("Pending", "Running", "Failed")
    mixed = [event for pair in zip(first, second, strict=True) for event in pair]
    assert last_states(mixed) == [event.model_copy(update={"follows": None}) for event in (first[-1], second[-1])]


@pytest.mark.requirement("host.events")
def test_a_state_that_lasts_and_one_that_says_why_are_sent() -> None:
    assert names(last_states(states("Pending", "Running"))) == ["Running"]
    tries = states("Pending", "Running", "AwaitingRetry", "Retrying", "Running", "Completed")
    sent = last_states(tries)
    assert names(sent) == ["AwaitingRetry", "Retrying", "Completed"]
    assert [event.follows for event in sent] == [None, tries[2].id, tries[3].id]


@pytest.mark.requirement("host.events")
def test_what_was_sent_before_is_still_followed() -> None:
    sent, *rest = states("Running", "Completed")
    (last,) = last_states(rest)
    assert last.follows == sent.id


@pytest.mark.requirement("host.events")
def test_other_events_are_sent_as_they_are() -> None:
    beat = Event(event="prefect.flow-run.heartbeat", resource=Resource({"prefect.resource.id": "prefect.flow-run.1"}))
    assert last_states([beat, beat]) == [beat, beat]
