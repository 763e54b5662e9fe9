"""Usage: the spatial tokens that a request consumed (spec: Usage)."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field

from spatial.contract import examples
from spatial.contract.model import Model

Tokens = Annotated[int, Field(ge=0)]
Dollars = Annotated[float, Field(ge=0)]


class Usage(Model):
    """Reported on every response, charged only on 2xx."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.USAGE]})

    input_tokens: Tokens | None = None
    """For an extraction: ceil(bytes of the file / 4)."""
    output_tokens: Tokens | None = None
    """For an extraction: ceil(bytes of the response body without its `usage` member / 4)."""
    estimated_input_cost_usd: Dollars | None = None
    """US dollars."""
    estimated_output_cost_usd: Dollars | None = None
    """US dollars."""
    estimated_cost_usd: Dollars | None = None
    """US dollars; the sum of both."""

    def attached_to(self, document: bytes) -> bytes:
        """Add this as the last member, `usage`, of a JSON object; the existing members are neither changed nor parsed."""
        member = self.model_dump_json(exclude_none=True).encode()
        separator = b"" if document == b"{}" else b","
        # Joined, and not added, because each sum would copy the document.
        return b"".join((memoryview(document)[:-1], separator, b'"usage":', member, b"}"))
