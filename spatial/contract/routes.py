"""Routes of billed operations, and of the events of partners (spec: Operations)."""

from __future__ import annotations

from typing import Final

EXTRACT_ROUTE: Final = "/api/v1/cad/extract"
"""One extraction."""

IMPORT_ROUTE: Final = "/api/v1/cad/import-feature-tree"
"""The import of a feature tree."""

WEBHOOK_ROUTE: Final = "/api/v1/cad/partner-webhook"
"""Events of partners, which are not billed."""

STRIPE_ROUTE: Final = "/api/v1/billing/stripe-webhook"
"""Events of Stripe, which are not billed (not in the spec)."""

BATCH_ROUTE: Final = "/api/v1/cad/extract/batch"
"""A batch of extractions; each item is billed."""

RESPONSES_ROUTE: Final = "/api/v1/responses"
"""One reasoning request."""

RESPONSES_BATCH_ROUTE: Final = "/api/v1/responses/batch"
"""A batch of reasoning requests; each item is billed."""
