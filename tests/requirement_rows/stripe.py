"""What billing by Stripe promises."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = rows(
    "docs/billing.md",
    {
        "stripe.default": "Without a Stripe key the local table decides, and the webhook route answers 404.",
        "stripe.settings": "A half-set configuration of Stripe is refused at the start in a sentence that names the setting.",
        "stripe.environment": "The library of Stripe takes nothing from the environment, sends no telemetry and does not describe the machine.",
        "stripe.linking": "An account has at most one Stripe customer, and a customer at most one account.",
        "stripe.cli": "spatial accounts links and unlinks accounts, and lists, resends and dismisses usage that Stripe does not have.",
        "stripe.unlinked": "An account without a customer keeps the state of the local table.",
        "stripe.statuses": "The best subscription of a customer counts; active and trialing pay, every other status does not.",
        "stripe.unknown-customer": "A customer that Stripe does not know does not pay.",
        "stripe.cache": "A paying state counts for 60 s and any other for 10 s, in all API processes, before Stripe is asked again.",
        "stripe.single-flight": "Requests of one account at the same time wait for one lookup.",
        "stripe.unavailable": "Where Stripe does not answer within seconds and nothing is known, a billed request is 503 billing_unavailable with Retry-After.",
        "stripe.stale": "While Stripe is away a paying state counts for an hour, unless an event says that it changed.",
        "stripe.gate": "A billed request is decided on the state that Stripe has: 402 unless it is active or trialing.",
        "stripe.signature": "An event counts only with a signature over its raw bytes that is right and at most 300 s old; any other body is 400.",
        "stripe.events": "A signed event makes every API process use the state that Stripe has now, in whatever order and how often events come.",
        "stripe.body-size": "A body of the webhook route over 262,144 bytes is 413.",
        "stripe.outbox": "A usage row of a linked account and its meter events are written together, or neither is.",
        "stripe.meters": "The tokens of each usage row of a linked account reach the meters of input and output tokens, at the time of the row.",
        "stripe.since-link": "Usage from before an account is linked is never sent; usage until it is unlinked is.",
        "stripe.exactly-once": "A run that is killed or cut off after Stripe accepted an event does not make it count twice or get lost.",
        "stripe.concurrent-runs": "Of two runs at the same time one does nothing, and even two that both run count nothing twice.",
        "stripe.rate-limit": "Limits and outages are waited for some times, then the run ends and the next one goes on.",
        "stripe.bad-row": "An event that Stripe refuses blocks no other, is shown with the reason, and can be sent again.",
        "stripe.too-old": "An event that is older than Stripe takes is reported and not sent.",
        "stripe.uncertain": "An event with an unknown outcome that Stripe may have forgotten is reported and not sent by itself.",
        "stripe.metrics": "Metrics show the meter events that Stripe does not have.",
        "stripe.backup": "Links and meter events are in backups; events that were pending in one are not trusted to be unsent.",
        "stripe.purge": "A purge deletes the link and the meter events of the account and says how many were not sent.",
    },
)
