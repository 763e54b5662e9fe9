"""What callers of a part that starts again are told: when it is there, as far as its last start says."""

from __future__ import annotations

import pytest

from spatial import restarts
from spatial.restarts import LEAST_SECONDS, MOST_SECONDS, SLACK, Restarts


class Clock:
    """The clock that is asked, which a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(restarts, "time", clock)
    return clock


@pytest.mark.requirement("converter.retry-holds")
def test_all_that_come_while_a_part_starts_are_told_the_same_moment(clock: Clock) -> None:
    part = Restarts()
    part.note_start(20.0)
    part.begin()
    there = clock.now + SLACK * 20.0
    for _ in range(2):
        assert there <= clock.now + part.retry_seconds() < there + 1
        clock.now += 7.0
        part.begin()  # the next one that fails
    part.end()
    assert part.seconds_left == 0
    assert part.retry_seconds() == LEAST_SECONDS


@pytest.mark.requirement("converter.retry-holds")
def test_a_start_beside_other_processes_takes_longer_by_as_many_as_share_a_processor(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = Restarts(restarts.crowding)
    part.note_start(4.0)
    part.begin()
    monkeypatch.setattr("spatial.restarts.os.sched_getaffinity", lambda _: {0, 1})
    for load, times in ((0.3, 1.0), (2.0, 1.0), (12.0, 6.0)):
        monkeypatch.setattr("spatial.restarts.os.getloadavg", lambda load=load: (load, 50.0, 50.0))
        assert part.seconds_left == pytest.approx(SLACK * 4.0 * times)


@pytest.mark.requirement("converter.retry-holds")
def test_a_part_that_stays_away_is_awaited_longer_each_time(clock: Clock) -> None:
    part, told = Restarts(), list[int]()
    part.begin()
    for _ in range(12):
        told.append(part.retry_seconds())
        clock.now += told[-1]
    assert told == sorted(told) and told[0] == LEAST_SECONDS and told[-1] == MOST_SECONDS
