"""402 without a paid subscription (spec: Authentication 4)."""

from __future__ import annotations

from api.dispatcher import Dispatcher
from spatial.errors import PaymentRequired
from storage.postgres.subscriptions import PAYING


async def require_subscription(dispatcher: Dispatcher, account_id: str) -> None:
    """Refuse an account without an active subscription.

    Raises: PaymentRequired; BillingUnavailable where subscriptions cannot be read.
    """
    status = await dispatcher.billing.subscription(account_id)
    if status not in PAYING:
        raise PaymentRequired(
            f"the account has no active or trialing subscription (its state is {status}); "
            "activate one in the dashboard, because billed operations need it",
            details={"subscription": status},
        )
