"""402 without a paid subscription (spec: Authentication 4)."""

from __future__ import annotations

from api.dispatcher import Dispatcher
from spatial.errors import PaymentRequired
from storage.postgres.subscriptions import PAYING, Status


async def require_subscription(dispatcher: Dispatcher, account_id: str) -> Status:
    """The plan of an account with an active subscription: `active` or `trialing`.

    Raises: PaymentRequired; BillingUnavailable where subscriptions cannot be read.
    """
    status = await dispatcher.billing.subscription(account_id)
    if status not in PAYING:
        raise PaymentRequired(
            f"the account has no active or trialing subscription (its state is {status}); "
            "activate one in the dashboard, because billed operations need it",
            details={"subscription": status},
        )
    return status
