"""The signature of a partner's event: HMAC-SHA256 (RFC 2104) of the raw body, in hex or base64 (INTERPRETATION 15)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Iterable
from typing import Final

HEADER: Final = "X-Service-Signature"

HEX: Final = re.compile(r"(?:sha256=)?([0-9a-f]{64})", re.IGNORECASE)
BASE64: Final = re.compile(r"[A-Za-z0-9+/]{43}=")


def digest_of(signature: str) -> bytes | None:
    """The digest that a header states; None if it is written in none of the accepted ways."""
    text = signature.strip()
    if (found := HEX.fullmatch(text)) is not None:
        return bytes.fromhex(found[1])
    if BASE64.fullmatch(text) is None:
        return None
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        return None


def signed_by(body: bytes, digest: bytes, secrets: Iterable[str]) -> list[str]:
    """Those of the secrets that make this digest of the body; every secret is tried, in constant time each."""
    return [
        secret
        for secret in secrets
        if hmac.compare_digest(hmac.new(secret.encode(), body, hashlib.sha256).digest(), digest)
    ]
