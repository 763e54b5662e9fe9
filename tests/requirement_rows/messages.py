"""What users read."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = rows(
    "CONTRIBUTING: messages",
    {
        "messages.rules": "Errors and warnings begin in lower case and end without a full stop, errors say what to do, help texts are sentences.",
        "messages.listed": "make messages lists what is passed to a sink through helper functions, variables and yielded texts.",
        "messages.counts": "A count of one stands with the singular.",
        "messages.pydantic": "What is wrong with a field follows its path in lower case and says what to do, in our words and not in those of pydantic.",
    },
)
