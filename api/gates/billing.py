"""402 without a paid subscription (spec: Authentication 4)."""

from __future__ import annotations

from api.dispatching import Dispatching
from spatial.errors import PaymentRequired
from storage.postgres.subscriptions import PAYING


async def paying(dispatch: Dispatching, account_id: str) -> None:
    """Let an account with a subscription through.

    Raises: PaymentRequired; BillingUnavailable where subscriptions cannot be read.
    """
    status = await dispatch.billing.subscription(account_id)
    if status not in PAYING:
        raise PaymentRequired(
            f"the account has no active or trialing subscription (its state is {status}); billed operations need one",
            details={"subscription": status},
        )
