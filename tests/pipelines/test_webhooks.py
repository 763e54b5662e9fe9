"""Delivery of notifications: from the outbox in a real Postgres to a receiver on loopback that verifies them as receivers do."""

from __future__ import annotations

import asyncio
import base64
import sys
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from standardwebhooks.webhooks import WebhookVerificationError

from pipelines.webhooks.deliver import Sender, deliver_due
from pipelines.webhooks.schedule import DELAYS, JITTER, assess
from storage.net.post import Answer
from storage.postgres import webhook_deliveries, webhook_endpoints
from storage.postgres.database import Database
from tests.storage import webhook_actors
from tests.storage.actors import Customer, customer, execute
from tests.support.receiver import Receiver, answer, network_to, receiving
from tests.support.stack import ROOT

HOST = "hooks.example.com"


@pytest.fixture
async def database(fresh_postgres_url: str) -> AsyncIterator[Database]:
    """A database of the test's own: the outbox is one for all accounts."""
    opened = Database(fresh_postgres_url)
    yield opened
    await opened.close()


@pytest.fixture
async def who(database: Database) -> Customer:
    """A customer."""
    return await customer(database)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    """A receiver of the test's own."""
    async with receiving() as opened:
        yield opened


def sender(database: Database, receiver: Receiver, *, share: float = 0.5) -> Sender:
    """Sends to the receiver without TLS. share: the jitter's."""
    return Sender(database, (f"{HOST}:80",), network_to(receiver), share=lambda: share)


async def endpoint(database: Database, who: Customer, path: str = "/hook") -> tuple[str, str]:
    """An endpoint at a path of the receiver: its id and its secret."""
    return await webhook_actors.endpoint(database, who.account_id, f"http://{HOST}{path}")


@pytest.mark.requirement("notifications.signed")
async def test_a_message_is_accepted_with_its_secret_and_with_no_other(
    database: Database, who: Customer, receiver: Receiver
) -> None:
    endpoint_id, secret = await endpoint(database, who)
    _, other = await endpoint(database, who, "/other")
    message_id = await webhook_actors.announced(database, endpoint_id)
    assert await deliver_due(sender(database, receiver)) == Counter(delivered=1)
    [post] = receiver.posts
    assert post.message_id == message_id and post.headers["content-type"] == "application/json"
    message = post.verified(secret)
    assert message["type"] == "endpoint.test" and message["data"] == {"endpoint_id": endpoint_id}
    with pytest.raises(WebhookVerificationError):
        post.verified(other)
    assert 24 <= len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) <= 64
    found = await webhook_actors.delivery(database, message_id)
    assert (found.state, found.attempts, found.status, found.problem) == ("delivered", 1, 204, None)
    assert await deliver_due(sender(database, receiver)) == Counter()


@pytest.mark.requirement("notifications.rotation")
async def test_while_a_secret_is_rotated_both_are_valid(database: Database, who: Customer, receiver: Receiver) -> None:
    endpoint_id, first = await endpoint(database, who)
    sending = sender(database, receiver)

    async def sent_after(change: str) -> list[bool]:
        if change == "rotated":
            async with database.transaction() as connection:
                secrets.append(await webhook_endpoints.rotate(connection, endpoint_id))
        if change == "over":
            await execute(database, "UPDATE webhook_endpoints SET previous_until = clock_timestamp()")
        await webhook_actors.announced(database, endpoint_id)
        await deliver_due(sending)
        post = receiver.posts[-1]
        return [await asyncio.to_thread(_is_valid, post.verified, secret) for secret in secrets]

    secrets = [first]
    assert await sent_after("nothing") == [True]
    assert await sent_after("rotated") == [True, True]
    assert len(receiver.posts[-1].headers["webhook-signature"].split(" ")) == 2
    assert await sent_after("rotated") == [False, True, True]
    assert await sent_after("over") == [False, False, True]
    assert len(receiver.posts[-1].headers["webhook-signature"].split(" ")) == 1


def _is_valid(verify: object, secret: str) -> bool:
    try:
        verify(secret)  # type: ignore[operator]  # `Post.verified`
    except WebhookVerificationError:
        return False
    return True


@pytest.mark.requirement("notifications.retries")
@pytest.mark.parametrize("share", [0.0, 1.0])
async def test_a_delivery_fails_after_ten_attempts_with_the_delays_of_the_standard(
    database: Database, who: Customer, receiver: Receiver, share: float
) -> None:
    receiver.answers["/hook"] = answer(500)
    message_id = await webhook_actors.announced(database, (await endpoint(database, who))[0])
    standard = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600]
    for number, seconds in enumerate(standard, start=1):
        await _attempt_once(sender(database, receiver, share=share))
        found = await webhook_actors.delivery(database, message_id)
        assert (found.state, found.attempts, found.status) == ("pending", number, 500)
        delay = await webhook_actors.delay(database, message_id)
        assert delay == pytest.approx(seconds * (1 + JITTER * share), rel=1e-3)
        await webhook_actors.come_due(database)
    assert await deliver_due(sender(database, receiver)) == Counter(failed=1)
    found = await webhook_actors.delivery(database, message_id)
    assert (found.state, found.attempts, found.problem) == ("failed", 10, "the endpoint answered 500")
    await webhook_actors.come_due(database)
    assert await deliver_due(sender(database, receiver)) == Counter()
    assert len(receiver.posts) == 10 and {post.message_id for post in receiver.posts} == {message_id}


async def _attempt_once(sending: Sender) -> None:
    """One attempt, without the wait of a run for the next one that is due soon."""
    sending_once = asyncio.create_task(deliver_due(sending))
    async with asyncio.timeout(60):
        while True:
            async with sending.database.transaction() as connection:
                seconds = await webhook_deliveries.seconds_until_due(connection)
            if seconds is not None and seconds > 0:
                break
            await asyncio.sleep(0.01)
    sending_once.cancel()
    await asyncio.wait({sending_once})


@pytest.mark.requirement("notifications.retries")
async def test_a_run_waits_for_an_attempt_that_is_due_soon(
    database: Database, who: Customer, receiver: Receiver
) -> None:
    receiver.answers["/hook"] = answer(503)
    message_id = await webhook_actors.announced(database, (await endpoint(database, who))[0])
    running = asyncio.create_task(deliver_due(sender(database, receiver)))
    await receiver.until_arrived(1)
    receiver.answers["/hook"] = answer(200)
    assert await running == Counter(pending=1, delivered=1)
    assert (await webhook_actors.delivery(database, message_id)).attempts == 2


@pytest.mark.requirement("notifications.retry-after")
@pytest.mark.parametrize("status", [429, 503])
def test_a_retry_after_lengthens_a_delay_up_to_a_day(status: int) -> None:
    assert [assess(Answer(status, after), 0, 0.0).delay for after in (None, 0.0, 60.0, 1e9)] == [
        5.0,
        5.0,
        60.0,
        86_400.0,
    ]
    assert assess(Answer(status, 60.0), 1, 0.0).delay == DELAYS[1] == 300.0
    assert assess(Answer(status, 60.0), len(DELAYS), 0.0).state == "failed"


@pytest.mark.requirement("notifications.retry-after")
async def test_an_endpoint_that_asks_for_time_gets_it(database: Database, who: Customer, receiver: Receiver) -> None:
    receiver.answers["/hook"] = answer(429, "Retry-After: 3600")
    message_id = await webhook_actors.announced(database, (await endpoint(database, who))[0])
    assert await deliver_due(sender(database, receiver, share=0.0)) == Counter(pending=1)
    assert await webhook_actors.delay(database, message_id) == pytest.approx(3600, rel=1e-3)


@pytest.mark.requirement("notifications.gone")
async def test_410_disables_the_endpoint(database: Database, who: Customer, receiver: Receiver) -> None:
    receiver.answers["/hook"] = answer(410)
    endpoint_id, _ = await endpoint(database, who)
    for _ in range(3):
        await webhook_actors.announced(database, endpoint_id)
    assert await deliver_due(sender(database, receiver)) == Counter(failed=1)
    assert len(receiver.posts) == 1
    assert {(one.state, one.problem) for one in await webhook_actors.deliveries(database)} == {
        ("failed", "the endpoint answered 410 Gone")
    }
    async with database.transaction() as connection:
        [disabled] = await webhook_endpoints.read_all(connection)
        assert disabled.disabled_at is not None and disabled.disabled_reason == "the endpoint answered 410 Gone"
        assert await webhook_deliveries.announce_test(connection, endpoint_id) is None


@pytest.mark.requirement("notifications.redirects", "notifications.addresses")
async def test_a_redirect_and_an_address_that_is_not_public_are_failed_attempts(
    database: Database, who: Customer, receiver: Receiver
) -> None:
    receiver.answers["/hook"] = answer(302, f"Location: http://{HOST}/other", "Retry-After: 3600")
    redirected = await webhook_actors.announced(database, (await endpoint(database, who))[0])
    inside, _ = await webhook_actors.endpoint(database, who.account_id, "https://inside.example.com/")
    refused = await webhook_actors.announced(database, inside)
    moved = network_to(receiver, {"inside.example.com": ["10.0.0.5"]})  # a name that was public when it was added
    sending = Sender(database, (f"{HOST}:80",), moved)
    running = asyncio.create_task(deliver_due(sending))
    async with asyncio.timeout(60):
        while not all([(await webhook_actors.delivery(database, one)).attempts for one in (redirected, refused)]):
            await asyncio.sleep(0.01)
    running.cancel()
    assert (await webhook_actors.delivery(database, redirected)).problem == "the endpoint answered 302"
    problem = (await webhook_actors.delivery(database, refused)).problem
    assert problem == "the URL resolves to 10.0.0.5, a private address"
    assert [post.path for post in receiver.posts] == ["/hook"]


@pytest.mark.requirement("notifications.independent")
async def test_an_endpoint_that_hangs_delays_no_other(database: Database, who: Customer, receiver: Receiver) -> None:
    receiver.hanging.add("/hangs")
    stuck, _ = await endpoint(database, who, "/hangs")
    good, _ = await endpoint(database, await customer(database), "/good")
    for _ in range(3):
        await webhook_actors.announced(database, stuck)
    for _ in range(3):
        await webhook_actors.announced(database, good)
    running = asyncio.create_task(deliver_due(sender(database, receiver)))
    await receiver.until_arrived(4)
    late = await webhook_actors.announced(database, good)  # while the run is waiting for the other endpoint
    await receiver.until_arrived(5)
    assert len(receiver.at("/hangs")) == 1 and receiver.posts[-1].message_id == late
    assert not running.done()
    receiver.released.set()
    assert await running == Counter(delivered=7)


@pytest.mark.requirement("notifications.once")
async def test_two_runs_at_once_send_each_message_once(
    fresh_postgres_url: str, database: Database, who: Customer, receiver: Receiver
) -> None:
    second = Database(fresh_postgres_url)
    for path in ("/a", "/b"):
        endpoint_id, _ = await endpoint(database, who, path)
        for _ in range(5):
            await webhook_actors.announced(database, endpoint_id)
    done = await asyncio.gather(*(deliver_due(sender(each, receiver)) for each in (database, second)))
    await second.close()
    assert sum(done, Counter()) == Counter(delivered=10)
    assert len({post.message_id for post in receiver.posts}) == len(receiver.posts) == 10


@pytest.mark.requirement("notifications.at-least-once")
async def test_a_message_whose_process_was_killed_in_transit_is_sent_again_under_its_id(
    fresh_postgres_url: str, database: Database, who: Customer, receiver: Receiver
) -> None:
    address = f"127.0.0.1:{receiver.port}"
    endpoint_id, secret = await webhook_actors.endpoint(database, who.account_id, f"http://{address}/hook")
    message_id = await webhook_actors.announced(database, endpoint_id)
    receiver.hanging.add("/hook")
    command = [sys.executable, "-m", "tests.pipelines.webhook_sender", fresh_postgres_url, address]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT)
    await receiver.until_arrived(1)
    process.kill()
    await process.wait()
    receiver.hanging.clear()
    assert await deliver_due(Sender(database, (address,))) == Counter()  # the lease of the killed process holds
    await webhook_actors.lapse(database)
    assert await deliver_due(Sender(database, (address,))) == Counter(delivered=1)
    assert [post.message_id for post in receiver.posts] == [message_id, message_id]
    assert [post.verified(secret)["data"]["endpoint_id"] for post in receiver.posts] == [endpoint_id] * 2
    assert receiver.posts[0].body == receiver.posts[1].body
