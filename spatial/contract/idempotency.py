"""The form of an Idempotency-Key (spec: Idempotency-Key)."""

from __future__ import annotations

import re
from typing import Any, Final

from spatial.contract import limits

KEY: Final = re.compile(rf"[\x21-\x7e]{{1,{limits.IDEMPOTENCY_KEY_CHARACTERS}}}")

KEY_SCHEMA: Final[dict[str, Any]] = {
    "type": "string",
    "minLength": 1,
    "maxLength": limits.IDEMPOTENCY_KEY_CHARACTERS,
    "pattern": "^[\\x21-\\x7e]+$",
    "examples": ["order-4711-bracket"],
}
