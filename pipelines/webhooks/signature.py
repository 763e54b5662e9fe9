"""Signature of a message (Standard Webhooks, symmetric scheme `v1`)."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Sequence

from storage.postgres.webhook_endpoints import SECRET_PREFIX


def signed_headers(message_id: str, timestamp: int, body: str, secrets: Sequence[str]) -> dict[str, str]:
    """The headers that identify and authenticate a message.

    timestamp: seconds since 1970 of this attempt; secrets: `whsec_…`, one signature each, in this order.
    """
    content = f"{message_id}.{timestamp}.{body}".encode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(_sign(content, secret) for secret in secrets),
    }


def _sign(content: bytes, secret: str) -> str:
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    return "v1," + base64.b64encode(hmac.digest(key, content, "sha256")).decode()
