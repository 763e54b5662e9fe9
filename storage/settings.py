"""The settings of a deployment: every setting, its default and its purpose. No other module reads the environment.

Each field is one environment variable, `SPATIAL_` and the field's name in capitals; where the command line has a flag of the same
name, the flag wins. Credentials of object storage are not among them: those are the usual AWS variables, files and roles.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit, urlunsplit

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from spatial.contract import limits
from spatial.contract.field_errors import sentence
from spatial.errors import SpatialError
from storage import environment
from storage.environment import PREFIX

POSTGRES_SCHEMES: Final = ("postgresql+asyncpg", "postgresql", "postgres")
"""Ways to spell the scheme of a Postgres URL; all are read as the first."""

POSTGRES_EXAMPLE: Final = "postgresql://user:password@host:5432/database"
"""What a Postgres URL looks like."""


class SettingsError(SpatialError):
    """A setting that cannot be used; the message names the variable, the value and a valid form."""


def _postgres_url(value: Any) -> Any:
    """One spelling for every Postgres URL."""
    if not isinstance(value, str):
        return value
    parts = urlsplit(value.strip())
    if parts.scheme not in POSTGRES_SCHEMES:
        raise ValueError(f"is not a Postgres URL; write {POSTGRES_EXAMPLE}")
    if not parts.netloc or not parts.path.strip("/"):
        raise ValueError(f"names no host or no database; write {POSTGRES_EXAMPLE}")
    return urlunsplit(parts._replace(scheme=POSTGRES_SCHEMES[0]))


def _storage_url(value: Any) -> Any:
    if isinstance(value, str) and not re.fullmatch(r"file:///.+|s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/.*)?", value):
        raise ValueError("must be file:///absolute/directory or s3://bucket/prefix")
    return value


def _http_url(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    if not re.fullmatch(r"https?://[^\s/?#@]+(/[^\s?#]*)?", value.strip()):
        raise ValueError("must be http://host:port or https://host:port")
    return value.strip().rstrip("/")


def _converter_url(value: Any) -> Any:
    if isinstance(value, str) and not re.fullmatch(r"unix:///.+|http://[^\s/?#@]+:\d+/?", value):
        raise ValueError("must be unix:///path/converter.sock or http://host:port")
    return value


def _host_ports(value: Any) -> Any:
    """A comma list of host:port; the host of an IPv6 address stands in brackets."""
    parts = value.split(",") if isinstance(value, str) else value
    entries = tuple(str(part).strip().lower() for part in parts if str(part).strip())
    for entry in entries:
        if not re.fullmatch(r"(\[[0-9a-f:.]+\]|[^\s:/@\[\]]+):\d{1,5}", entry):
            raise ValueError(f"must be host:port, several with commas between them; {entry!r} is not host:port")
    return entries


def _origins(value: Any) -> Any:
    """A comma list of origins (RFC 6454): scheme, host and port, without a path."""
    parts = value.split(",") if isinstance(value, str) else value
    entries = tuple(str(part).strip().lower().rstrip("/") for part in parts if str(part).strip())
    for entry in entries:
        if not re.fullmatch(r"https?://[^\s/?#@]+", entry):
            raise ValueError(
                f"must be https://host or https://host:port, several with commas between them; {entry!r} is not"
            )
    return entries


def _networks(value: Any) -> Any:
    """A comma list of IP addresses and networks in CIDR notation (RFC 4632)."""
    parts = value.split(",") if isinstance(value, str) else value
    entries = [str(part).strip() for part in parts if str(part).strip()]
    try:
        return tuple(str(ipaddress.ip_network(entry)) for entry in entries)
    except ValueError as error:
        raise ValueError(
            f"must be addresses or networks such as 10.0.0.0/8, several with commas between them; {error}"
        ) from None


def _home(value: Any) -> Any:
    """Make the path absolute at once: processes with another working directory must find the same directory."""
    return Path(value).expanduser().absolute() if isinstance(value, str | Path) and str(value).strip() else value


def _cron(value: Any) -> Any:
    if isinstance(value, str) and not re.fullmatch(r"\S+( +\S+){4}", value.strip()):
        raise ValueError("must be five fields of cron, for example 0 2 * * *")
    return value


Home = Annotated[Path, BeforeValidator(_home)]
PostgresUrl = Annotated[str | None, BeforeValidator(_postgres_url)]
StorageUrl = Annotated[str, BeforeValidator(_storage_url)]
Source = Annotated[str | None, BeforeValidator(_storage_url)]
Cron = Annotated[str | None, BeforeValidator(_cron)]
HttpUrl = Annotated[str | None, BeforeValidator(_http_url)]
ConverterUrl = Annotated[str, BeforeValidator(_converter_url)]
Origins = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_origins)]
Networks = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_networks)]
HostPorts = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_host_ports)]
Port = Annotated[int, Field(ge=1, le=65535)]
Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0)]
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Settings(BaseSettings):
    """Every setting of a deployment."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True, use_attribute_docstrings=True
    )

    home: Home = Field(default_factory=lambda: Path(".spatial").absolute())
    """Directory of the embedded stack's data: Postgres, lake, sockets, logs."""

    api_host: str = "127.0.0.1"
    """Address the API listens on."""

    api_port: Port = 8000
    """Port the API listens on."""

    console: bool = True
    """Whether the API serves the console at /console; without an operator nobody can sign in to it."""

    trusted_proxies: Networks = ()
    """Addresses or networks of proxies whose X-Forwarded-For says where a sign-in to the console came from, such as 10.0.0.0/8."""

    database_url: PostgresUrl = Field(default=None, repr=False)
    """Postgres to use, postgresql://user:password@host:5432/database; without one the embedded stack runs its own under home."""

    storage_url: StorageUrl = Field(default_factory=lambda fields: f"file://{fields['home']}/lake")
    """Object storage: file:///directory or s3://bucket/prefix. By default the directory `lake` under home."""

    s3_endpoint: HttpUrl = None
    """Address of an S3-compatible store other than AWS, for example http://minio:9000."""

    s3_public_endpoint: HttpUrl = None
    """Address under which callers reach that store: with one, uploads go to the bucket by presigned URL, past the API."""

    prefect_api_url: HttpUrl = None
    """Prefect server to use, http://host:4200/api; without one the embedded stack runs its own."""

    prefect_auth: SecretStr | None = None
    """Auth string (user:password) of that Prefect server."""

    prefect_ui_url: HttpUrl = None
    """Address under which operators open the Prefect UI, for the console's links; by default that of the Prefect server's API."""

    converter_url: ConverterUrl = Field(default_factory=lambda fields: f"unix://{fields['home']}/run/converter.sock")
    """Address of the converter: unix:///path or http://host:port. By default `run/converter.sock` under home."""

    content_url_allow: HostPorts = ()
    """host:port list that content_url may name although the address is not public; for tests and closed networks only."""

    notifications: bool = False
    """Whether ended batches and ingest runs are announced to the endpoints that `spatial notifications` lists."""

    notifications_allow: HostPorts = ()
    """host:port list that endpoints may name although the address is not public, or without TLS; for tests and closed networks only."""

    mcp_origins: Origins = ()
    """Origins, as https://agents.example.com, whose pages a browser may let speak to /api/mcp; pages of this machine always may."""

    webhook_secret: SecretStr | None = None
    """Secret that partners without one of their own sign their events with; unset: their events are refused."""

    desktop_token: SecretStr | None = None
    """Token with which desktop workers take part in reasoning; without one the API refuses them. The embedded stack makes one."""

    desktop_url: HttpUrl = None
    """Address of the service that a desktop worker dials, https://host; the worker's only setting besides the token."""

    local_fallback: bool = False
    """Whether the API's own machine answers reasoning tasks from geometry while no desktop worker is available; `router` says so."""

    webhook_account: str | None = None
    """Account to which the events of partners without secrets of their own belong; by default an account `partners`, made on first use."""

    body_limit_bytes: Positive = limits.REQUEST_BODY_BYTES
    """Largest request body on any route but uploads; it bounds inline files."""

    file_limit_bytes: Positive = limits.FILE_BYTES
    """Largest file of an upload or behind content_url."""

    uploads_open: Positive = limits.UPLOADS_OPEN
    """Uploads that an account may hold open; each is open until it is deleted or expires."""

    upload_bytes_open: Positive = limits.UPLOAD_BYTES_OPEN
    """Bytes that an account may hold in open uploads."""

    responses_per_minute: Positive = 600
    """Reasoning requests that an account with an active subscription may send per minute, over all its keys; items of batches count."""

    responses_per_period: Positive = 1_000_000
    """The same per billing period, which is a calendar month in UTC."""

    trial_responses_per_minute: Positive = 60
    """Reasoning requests that an account with a trialing subscription may send per minute."""

    trial_responses_per_period: Positive = 5_000
    """The same per billing period."""

    points_per_object: Positive = limits.POINTS_PER_OBJECT
    """Sampled points per object."""

    points_total: Positive = limits.POINTS_TOTAL
    """Sampled points per document, over all objects."""

    convert_seconds: Seconds = limits.CONVERT_SECONDS
    """Deadline of one file in the converter, the wait for a free child and for a processor aside; twice this by the clock."""

    convert_memory_bytes: Positive = limits.CONVERT_MEMORY_BYTES
    """Memory limit of one converter child."""

    converter_queue: Positive = limits.CONVERTER_QUEUE
    """Converter calls that may wait for a free child; one more is refused at once."""

    extract_parallel: Positive = 16
    """Extractions that one API process runs at a time; the others wait, 20 s at most, and are then 503 with Retry-After."""

    extract_waiting: Positive = 64
    """Extractions that may wait for that in one API process; one more is refused at once."""

    lease_seconds: Seconds = 20.0
    """Lease of a request's claim: this long after the last renewal, its Idempotency-Key may be taken over."""

    batch_parallel: Positive = Field(default_factory=lambda: 2 * (os.cpu_count() or 1))
    """Items of one batch that are extracted at a time. By default twice the machine's CPUs."""

    batch_stages: Literal["all", "failed"] = "all"
    """Stages of batch items that are task runs in Prefect: all, or for throughput those of failed items only."""

    batch_deployment: str = Field(default="extract-batch/extract-batch", pattern=r"^extract-batch/[^/]+$")
    """Deployment that runs batches: that of the warm workers, or another one such as extract-batch/extract-batch-docker."""

    worker_limit: Positive = 8
    """Flow runs that one warm worker runs at a time; housekeeping runs have a separate limit."""

    worker_drain_seconds: Seconds = 15.0
    """How long active runs may take to end after a worker received SIGTERM; runs that are left are requeued for another worker."""

    reconcile_seconds: Seconds = 60.0
    """Interval of the search for lost, crashed and never submitted runs."""

    prefect_retention_days: Positive = 30
    """How long ended flow runs stay in Prefect, with their logs and artifacts."""

    ingest_source: Source = None
    """Prefix that the deployment `ingest` walks on its schedule: s3://bucket/prefix or file:///directory."""

    ingest_cron: Cron = None
    """Cron expression of that schedule, in UTC: 0 2 * * *. Without both settings, ingest has only the schedules added in the Prefect UI."""

    ingest_runner: Literal["local", "dask", "ray"] = "local"
    """Where chunks of a bulk ingest run: local, in the worker; dask or ray, on a cluster (extras of that name)."""

    ingest_cluster: str | None = None
    """Address of the Dask scheduler or Ray head; without one each run starts a temporary cluster on the worker's machine."""

    price_input_usd_per_million: Price = 0.50
    """US dollars per million input tokens, for the estimates in `usage`."""

    price_output_usd_per_million: Price = 1.50
    """US dollars per million output tokens, for the estimates in `usage`."""

    stripe_key: SecretStr | None = None
    """Secret key of Stripe (sk_ or, restricted, rk_); with one, accounts that are linked to a customer pay by Stripe."""

    stripe_input_meter: str | None = Field(default=None, min_length=1, max_length=100, validate_default=True)
    """Event name of the Stripe meter that sums input tokens; set it together with the key."""

    stripe_output_meter: str | None = Field(default=None, min_length=1, max_length=100, validate_default=True)
    """Event name of the Stripe meter that sums output tokens; set it together with the key."""

    stripe_webhook_secret: SecretStr | None = None
    """Signing secret of Stripe's webhook endpoint (whsec_); without one, changes of a subscription count within a minute."""

    stripe_api_url: HttpUrl = None
    """Address of Stripe's API other than https://api.stripe.com; for tests and closed networks only."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Log level: debug, info, warning or error."""

    log_format: Literal["json", "text"] = "json"
    """Log format: json, one object per line, or text, for a terminal."""

    metrics_token: SecretStr | None = None
    """Bearer token that /metrics requires; without one only callers on the same machine and without a proxy are answered."""

    worker_metrics_port: Port | None = None
    """Port on which a worker serves /metrics of its own; without one it serves none."""

    @field_validator("ingest_cron")
    @classmethod
    def _require_source(cls, cron: str | None, known: ValidationInfo) -> str | None:
        """A schedule without a source would start runs that fail."""
        if cron is not None and known.data.get("ingest_source") is None:
            raise ValueError(f"needs {PREFIX}INGEST_SOURCE, the prefix that the schedule reads")
        return cron

    @field_validator("stripe_webhook_secret", "stripe_api_url", "stripe_input_meter", "stripe_output_meter")
    @classmethod
    def _require_stripe_key(cls, value: Any, known: ValidationInfo) -> Any:
        """What belongs to Stripe would have no effect without a key; a key without meters would charge usage to nobody."""
        has_key = known.data.get("stripe_key") is not None
        if value is not None and not has_key:
            raise ValueError(f"needs {PREFIX}STRIPE_KEY, the secret key of Stripe; set it too, or unset this one")
        if has_key and value is None and (known.field_name or "").endswith("_meter"):
            raise ValueError(
                f"is not set, but {PREFIX}STRIPE_KEY is; set it to the event name of the Stripe meter, or unset the key"
            )
        if (
            known.field_name == "stripe_output_meter"
            and value is not None
            and value == known.data.get("stripe_input_meter")
        ):
            raise ValueError(f"is that of {PREFIX}STRIPE_INPUT_METER; make a meter for each, and name both")
        return value

    @field_validator("stripe_key")
    @classmethod
    def _is_stripe_key(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("sk_", "rk_")):
            raise ValueError("is no secret or restricted key of Stripe, which begins with sk_ or rk_; copy it again")
        return value

    def need_database_url(self) -> str:
        """The database URL, where the embedded stack or the deployment must have set one.

        Raises: SettingsError where it did not.
        """
        if self.database_url is None:
            raise SettingsError(f"{PREFIX}DATABASE_URL is not set; set it, or start everything with `spatial run`")
        return self.database_url


def load(**overrides: Any) -> Settings:
    """The settings of this process: flags given here, then the environment, then defaults. A flag that is None is not given.

    Raises: SettingsError, one sentence that names the variable and the value.
    """
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        return Settings(**given)
    except ValidationError as error:
        raise SettingsError(_sentence(error)) from None


def to_environment(settings: Settings) -> dict[str, str]:
    """Variables with which another process loads the same settings; secrets in clear, so for a child's environment only."""
    return {variable(name): _written(getattr(settings, name)) for name in sorted(settings.model_fields_set)}


def _written(value: Any) -> str:
    if isinstance(value, SecretStr):
        return value.get_secret_value()
    return ",".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def _sentence(error: ValidationError) -> str:
    """The message about the first invalid value; it does not repeat secrets."""
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0]) if first["loc"] else ""
    reason = sentence(first)
    if name not in Settings.model_fields:
        return f"there is no setting {name}; choose from {', '.join(Settings.model_fields)}"
    shown = "" if _is_secret(name) or first["input"] is None else f"={first['input']!s}"
    return f"{variable(name)}{shown}: {reason}"


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name.upper()}"


def _is_secret(name: str) -> bool:
    return name == "database_url" or Settings.model_fields[name].annotation == (SecretStr | None)


@dataclass(frozen=True)
class Setting:
    """One setting as documentation and `spatial doctor` show it; secrets are masked."""

    variable: str
    value: str
    default: str
    description: str
    source: str
    """default, environment or flag."""


def describe(settings: Settings | None = None) -> list[Setting]:
    """Every setting in the order of this module; without `settings`, values are the defaults (what the documentation prints)."""
    return [_described(name, settings) for name in Settings.model_fields]


def unknown_variables() -> list[str]:
    """Environment variables with the service's prefix that are no setting: mostly typing mistakes."""
    known = {variable(name) for name in Settings.model_fields}
    return sorted(name for name in environment.names() if name.upper() not in known)


def _described(name: str, settings: Settings | None) -> Setting:
    field = Settings.model_fields[name]
    default = _DERIVED.get(name) or _shown(name, field.default)
    return Setting(
        variable=variable(name),
        value=default if settings is None else _shown(name, getattr(settings, name)),
        default=default,
        description=" ".join((field.description or "").split()),
        source="default" if settings is None else _source(name, settings),
    )


_DERIVED: Final = {
    "home": ".spatial",
    "storage_url": "file://<home>/lake",
    "converter_url": "unix://<home>/run/converter.sock",
    "batch_parallel": "<cpus x 2>",
}
"""Defaults that depend on where the process runs or on another setting."""


def _source(name: str, settings: Settings) -> str:
    if name not in settings.model_fields_set:
        return "default"
    found = next((key for key in os.environ if key.upper() == variable(name)), None)
    return "environment" if found and getattr(load(), name) == getattr(settings, name) else "flag"


def _shown(name: str, value: Any) -> str:
    if value is None or value == ():
        return ""
    if isinstance(value, SecretStr):
        return "***"
    if name == "database_url":
        return re.sub(r"(?<=:)[^:/@]*(?=@)", "***", value, count=1)
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value)
