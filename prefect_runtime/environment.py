"""The environment variables of Prefect, for the processes of the service and for the embedded Prefect server."""

from __future__ import annotations

import logging
import os
from typing import Final

from prefect_runtime.names import DESKTOP_HEARTBEAT_SECONDS, DESKTOP_POLL_SECONDS
from storage.settings import Settings, SettingsError


def client(settings: Settings) -> dict[str, str]:
    """Variables of processes that run flows: the address of the server, retries, and log levels."""
    environment = _behaviour(settings)
    if settings.prefect_api_url:
        environment["PREFECT_API_URL"] = settings.prefect_api_url
    if settings.prefect_auth is not None:
        environment["PREFECT_API_AUTH_STRING"] = settings.prefect_auth.get_secret_value()
    return environment


def desktop_client(settings: Settings, api_url: str, token: str) -> dict[str, str]:
    """Variables of a desktop worker, which reaches the server through the service at `api_url`, with a token of its own."""
    return {
        **_behaviour(settings),
        "PREFECT_WORKER_QUERY_SECONDS": str(DESKTOP_POLL_SECONDS),
        "PREFECT_WORKER_HEARTBEAT_SECONDS": str(DESKTOP_HEARTBEAT_SECONDS),
        "PREFECT_CLIENT_CSRF_SUPPORT_ENABLED": "false",
        "PREFECT_API_URL": api_url,
        "PREFECT_API_KEY": token,
    }


def _behaviour(settings: Settings) -> dict[str, str]:
    return {
        "PREFECT_HOME": str((settings.home / "prefect").absolute()),
        "PREFECT_CLIENT_MAX_RETRIES": "2",
        "PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED": "false",
        "PREFECT_CLOUD_ENABLE_ORCHESTRATION_TELEMETRY": "false",
        "PREFECT_TELEMETRY_ENABLE_RESOURCE_METRICS": "false",
        "PREFECT_RESULTS_PERSIST_BY_DEFAULT": "false",
        "PREFECT_LOGGING_LEVEL": "WARNING",
        # Records of get_run_logger() go to the run in Prefect; spatial/logs.py excludes them from the log of the process.
        "PREFECT_LOGGING_LOGGERS_PREFECT_FLOW_RUNS_LEVEL": "INFO",
        "PREFECT_LOGGING_LOGGERS_PREFECT_TASK_RUNS_LEVEL": "INFO",
        "PREFECT_WORKER_QUERY_SECONDS": "5",  # batches notify the worker; a poll of Prefect's own takes the server 25 ms (polls.py)
        "PREFECT_WORKER_PREFETCH_SECONDS": "1",
        "PREFECT_WORKER_HEARTBEAT_SECONDS": "10",
        "PREFECT_SERVER_EPHEMERAL_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }


def server(settings: Settings, *, database_url: str, auth: str, port: int) -> dict[str, str]:
    """Variables of the embedded server: loopback only, a generated auth string, and no other CORS origins."""
    return {
        **client(settings),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_SERVER_API_HOST": "127.0.0.1",
        "PREFECT_SERVER_API_PORT": str(port),
        "PREFECT_SERVER_API_AUTH_STRING": auth,
        "PREFECT_API_AUTH_STRING": auth,
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": f"http://127.0.0.1:{port}",
        "PREFECT_SERVER_DATABASE_CONNECTION_URL": database_url,
        **ahead(settings),
    }


def ahead(settings: Settings) -> dict[str, str]:
    """Variables of the embedded server that Prefect reads when it is imported; none is an address or a secret.

    The trigger service is off, because it costs a quarter of the throughput and no flow needs automations. Task runs are written in
    batches, at most one second late, because single writes took a quarter of the server's CPU time. Prefect truncates the interval to
    whole seconds; 0 would be a busy loop. Runs are scheduled 5 minutes ahead instead of an hour: all of them are due at once
    after a machine has slept.
    """
    return {
        **_behaviour(settings),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        "PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED": "false",
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
        "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
        "PREFECT_SERVER_SERVICES_LATE_RUNS_LOOP_SECONDS": "30",
        "PREFECT_SERVER_SERVICES_PAUSE_EXPIRATIONS_LOOP_SECONDS": "60",
        "PREFECT_SERVER_SERVICES_CANCELLATION_CLEANUP_LOOP_SECONDS": "120",
        "PREFECT_SERVER_SERVICES_SCHEDULER_RECENT_DEPLOYMENTS_LOOP_SECONDS": "30",
        "PREFECT_SERVER_SERVICES_SCHEDULER_MIN_SCHEDULED_TIME": "PT5M",
        "PREFECT_SERVER_SERVICES_CLEANUP_RECONCILER_LOOP_SECONDS": "60",
        "PREFECT_SERVER_SERVICES_REPOSSESSOR_LOOP_SECONDS": "60",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD": f"P{settings.prefect_retention_days}D",
        "PREFECT_SERVER_EVENTS_RETENTION_PERIOD": "P7D",
    }


def enter(settings: Settings) -> None:
    """Make this process a client of the configured server, whether or not prefect has been imported already.

    Raises: SettingsError if no server is configured; Prefect would start a temporary server.
    """
    if settings.prefect_api_url is None:
        raise SettingsError("SPATIAL_PREFECT_API_URL is not set; set it, or start everything with `spatial run`")
    adopt(client(settings))


class _Completions(logging.Filter):
    """Leaves out the line of every task that completed, which the page of the run shows anyway.

    They were two thirds of the lines of an extraction, and sending and storing them took 8 % of its processor time.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """False for Prefect's own line about a completed task."""
        return record.msg != "Finished in state Completed()"


class _Beginnings(logging.Filter):
    """Leaves out the lines of a flow run that say that it begins and where it is seen: they are read there."""

    def filter(self, record: logging.LogRecord) -> bool:
        """False for these two lines of Prefect's own."""
        return not str(record.msg).startswith(("Beginning flow run ", "View at "))


LEFT_OUT: Final = {"prefect.task_runs": _Completions(), "prefect.flow_runs": _Beginnings()}
"""Lines that are not logged, by logger."""


def adopt(environment: dict[str, str]) -> None:
    """Make Prefect use these variables, whether or not it has been imported already."""
    os.environ.update(environment)
    # Imported here: a process that only passes the environment on must not import Prefect, which costs 2 s and 300 MB.
    from prefect.context import refresh_global_settings_context
    from prefect.logging.configuration import setup_logging

    from prefect_runtime import timezones

    timezones.remember()
    refresh_global_settings_context()
    setup_logging()  # an earlier import of prefect has set the levels of the previous environment
    for name, left_out in LEFT_OUT.items():
        logging.getLogger(name).addFilter(left_out)  # once, however often
