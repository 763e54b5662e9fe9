"""Addresses of the Prefect UI, and whether it asks who comes."""

from __future__ import annotations

from storage.settings import Settings


def flow_run(settings: Settings, flow_run_id: str | None) -> str | None:
    """The page of a flow run; None where there is no run, or no Prefect server is set."""
    base = settings.prefect_ui_url or (settings.prefect_api_url or "").removesuffix("/api")
    return f"{base}/runs/flow-run/{flow_run_id}" if base and flow_run_id else None


def asks_for_auth(settings: Settings) -> bool:
    """Whether the UI asks a browser for the auth string of its server: a sign-in of Prefect's own, which the console cannot do for it."""
    return settings.prefect_auth is not None
