"""What refused requests are told holds: who comes when it was told to is served, however many others come meanwhile."""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from prometheus_client import CollectorRegistry

from api.gates.capacity import Capacity
from api.gates.promises import KEPT_SECONDS, TOGETHER_SECONDS, Promises
from spatial.errors import ConverterUnavailable
from tests.support import virtual_time

PLACES, WAITING = 16, 64


async def here() -> bool:
    """A caller who waits."""
    return False


@dataclass
class Crowd:
    """Callers who obey Retry-After, and what they met."""

    capacity: Capacity
    seconds: Callable[[], float]
    """What a file takes."""
    tries: Counter[str] = field(default_factory=Counter)
    served_at: dict[str, float] = field(default_factory=dict)
    others: list[Capacity] = field(default_factory=list)
    """Of further processes: a request with a key comes to the same one each time, as the proxy of the fleet has it."""

    def at(self, name: str) -> Capacity:
        """The process that a request comes to."""
        return random.Random(name).choice([self.capacity, *self.others])

    async def call(self, account_id: str, name: str, *, has_key: bool) -> None:
        """One request, sent until it is served."""
        while name not in self.served_at:
            self.tries[name] += 1
            try:
                async with self.at(name).place(account_id, here, name if has_key else None, "one file"):
                    await asyncio.sleep(self.seconds())
                self.served_at[name] = asyncio.get_running_loop().time()
            except ConverterUnavailable as error:
                await asyncio.sleep(error.retry_after or 0)

    async def call_on(self, caller: str, files: int) -> None:
        """One file after another, each with a key of its own."""
        for number in range(files):
            await self.call("acct", f"{caller}-{number}", has_key=True)

    @property
    def broken(self) -> list[str]:
        """Requests that were refused again after they had obeyed."""
        return [name for name, tries in self.tries.items() if tries > 2]


def crowd(least: float, most: float, *, still: Callable[[], float] = lambda: 0.0) -> Crowd:
    chance = random.Random(18)
    capacity = Capacity(PLACES, WAITING, CollectorRegistry(), still=still)
    return Crowd(capacity, lambda: chance.uniform(least, most))


@pytest.mark.requirement("capacity.retry-after-holds")
@pytest.mark.parametrize("has_key", [True, False])
@pytest.mark.parametrize("seconds", [0.2, 2.0, 6.0])
def test_two_hundred_calls_at_once_are_all_served_and_none_is_refused_twice(seconds: float, has_key: bool) -> None:
    async def siege() -> Crowd:
        found = crowd(0.5 * seconds, 1.5 * seconds)
        await asyncio.gather(*(found.call("acct", str(number), has_key=has_key) for number in range(40)))
        found.tries.clear()  # the pace is known from here on
        await asyncio.gather(*(found.call("acct", f"call-{number}", has_key=has_key) for number in range(200)))
        return found

    found = virtual_time.run(siege())
    assert len(found.tries) == 200
    assert sum(tries == 2 for tries in found.tries.values()) > 50, "some are refused"
    assert found.broken == []


@pytest.mark.requirement("capacity.retry-after-holds")
def test_new_calls_of_the_same_account_take_no_place_that_was_kept() -> None:
    async def siege() -> Crowd:
        found = crowd(2.0, 6.0)
        await asyncio.gather(*(found.call_on(str(caller), 6) for caller in range(120)))
        return found

    found = virtual_time.run(siege())
    assert sum(tries == 2 for tries in found.tries.values()) > 50, "some are refused"
    assert len(found.broken) <= 0.01 * len(found.tries), found.broken


@pytest.mark.requirement("capacity.retry-after-holds", "fleet.same-process")
@pytest.mark.parametrize("processes", [2, 4])
def test_places_are_kept_over_several_processes_where_a_key_leads_to_the_same_one(processes: int) -> None:
    async def siege() -> Crowd:
        found = crowd(2.0, 6.0)
        found.others += [Capacity(PLACES, WAITING, CollectorRegistry()) for _ in range(processes - 1)]
        await asyncio.gather(*(found.call_on(str(caller), 6) for caller in range(120 * processes)))
        return found

    found = virtual_time.run(siege())
    assert sum(tries == 2 for tries in found.tries.values()) > 50 * processes, "some are refused"
    assert len(found.broken) <= 0.01 * len(found.tries), found.broken


@pytest.mark.requirement("capacity.retry-after-holds")
def test_promises_hold_over_a_start_of_the_converter_that_takes_a_third_longer() -> None:
    told, takes = 45.0, 60.0

    async def siege() -> Crowd:
        loop = asyncio.get_running_loop()
        found = crowd(1.0, 3.0, still=lambda: max(0.0, told - loop.time()) if loop.time() < takes else 0.0)
        usual = found.seconds
        found.seconds = lambda: usual() + max(0.0, takes - loop.time())
        found.capacity._pace.rate = 8.0
        await asyncio.gather(*(found.call("acct", str(number), has_key=True) for number in range(100)))
        return found

    found = virtual_time.run(siege())
    assert sum(tries == 2 for tries in found.tries.values()) > 50, "those beyond the places are refused"
    assert found.broken == []


@pytest.mark.requirement("capacity.retry-after-holds")
def test_an_account_whose_calls_do_not_come_again_delays_another_one_by_one_call_at_most() -> None:
    async def siege() -> float:
        found = crowd(2.0, 2.0)
        found.capacity._pace.rate = 8.0
        burst = [asyncio.create_task(found.call("burst", str(number), has_key=True)) for number in range(300)]
        await asyncio.sleep(1)
        began = asyncio.get_running_loop().time()
        await found.call("other", "alone", has_key=True)
        took = asyncio.get_running_loop().time() - began
        for task in burst:
            task.cancel()
        await asyncio.gather(*burst, return_exceptions=True)
        assert found.tries["alone"] == 1
        return took

    assert virtual_time.run(siege()) <= 5.0


@pytest.mark.requirement("capacity.retry-after-holds")
def test_a_place_is_kept_for_its_request_until_some_seconds_after_its_time() -> None:
    async def follow() -> None:
        promises = Promises(most=512)
        promises.make("acct", "key", 10)
        promises.make("acct", None, 10)
        assert not promises.is_due("acct", "key") and not promises.is_due("acct", None)
        await asyncio.sleep(10)
        assert promises.is_due("acct", "key") and promises.is_due("acct", None)
        assert not promises.is_due("acct", "another key") and not promises.is_due("another", None)
        assert promises.keep("acct", "key") and not promises.keep("acct", "key")
        assert promises.outstanding() == {"acct": 1}
        await asyncio.sleep(KEPT_SECONDS + 1)
        assert not promises.keep("acct", None)
        assert promises.outstanding() == {}

    virtual_time.run(follow())


@pytest.mark.requirement("capacity.retry-after-holds")
@pytest.mark.parametrize("pause", [0.1, 1.0, 3.0])
def test_a_caller_without_a_key_who_comes_too_early_again_and_again_is_told_no_later_time(pause: float) -> None:
    async def answered() -> tuple[list[int], int]:
        found = crowd(1000.0, 1000.0)
        found.capacity._pace.rate = 2.0
        busy = [asyncio.create_task(found.call("busy", str(number), has_key=True)) for number in range(PLACES)]
        busy += [asyncio.create_task(found.call("acct", f"{number}", has_key=True)) for number in range(PLACES, 80)]
        await asyncio.sleep(0.5)
        answers = []
        for _ in range(40):
            with pytest.raises(ConverterUnavailable) as refused:
                found.capacity.require_place("acct", "one caller")
            answers.append(refused.value.retry_after or 0)
            await asyncio.sleep(pause)
        outstanding = len(found.capacity._promises._made["acct", False])
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
        return answers, outstanding

    answers, outstanding = virtual_time.run(answered())
    together = 1 + math.ceil(TOGETHER_SECONDS / pause)
    assert outstanding <= together
    assert max(answers) <= answers[0] + math.ceil(together / 2.0)


@pytest.mark.requirement("capacity.retry-after-holds")
def test_callers_without_keys_who_send_different_files_do_not_take_over_what_was_kept_for_each_other() -> None:
    async def follow() -> dict[str, int]:
        promises = Promises(most=512)
        for number in range(40):
            promises.make("acct", None, 60, f"file {number}")
            await asyncio.sleep(1)
        return promises.outstanding()

    assert virtual_time.run(follow()) == {"acct": 40}


@pytest.mark.requirement("capacity.retry-after-holds")
@pytest.mark.parametrize("has_key", [True, False])
def test_places_are_kept_for_so_many_requests_of_an_account_and_those_of_others_stay(has_key: bool) -> None:
    async def follow() -> dict[str, int]:
        promises = Promises(most=8)
        promises.make("other", "key", 30)
        for number in range(100):
            promises.make("acct", f"{number}" if has_key else None, 30 + number)
        assert promises.is_due("acct", None) is False
        return promises.outstanding()

    assert virtual_time.run(follow()) == {"other": 1, "acct": 8}


@pytest.mark.requirement("capacity.retry-after-holds")
def test_a_refused_request_without_a_key_takes_the_place_of_no_other_one() -> None:
    async def follow() -> dict[str, int]:
        promises = Promises(most=8)
        promises.make("acct", None, 1)
        promises.make("acct", None, 1)
        await asyncio.sleep(2)
        assert promises.keep("acct", None), "the first is here, and has its place"
        promises.make("acct", None, 10)
        return promises.outstanding()

    assert virtual_time.run(follow()) == {"acct": 2}


@pytest.mark.requirement("capacity.retry-after-holds")
@pytest.mark.parametrize("has_key", [True, False])
def test_a_request_that_waited_in_vain_gets_a_new_time_and_the_others_keep_their_places(has_key: bool) -> None:
    """Two places are kept; one of the two requests comes and its time in the queue passes."""

    async def follow() -> dict[str, int]:
        capacity = Capacity(1, 4, CollectorRegistry(), seconds=1.0)
        promises = capacity._promises
        for key in ("first", "second"):
            promises.make("acct", key if has_key else None, 1)
        await asyncio.sleep(2)
        async with capacity.place("other", here):
            with pytest.raises(ConverterUnavailable):
                async with capacity.place("acct", here, "first" if has_key else None):
                    pytest.fail("the only place is taken")
        return promises.outstanding()

    assert virtual_time.run(follow()) == {"acct": 2}
