"""The bucket of a lake on S3: made with the minio client, with lifecycle rules on what is ephemeral, and presigned URLs.

Credentials are those that s3fs finds: the same chain of variables, files and roles is asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

import urllib3
from botocore.exceptions import BotoCoreError  # type: ignore[import-untyped]  # ships no types
from botocore.session import get_session  # type: ignore[import-untyped]  # ships no types
from minio import Minio
from minio.commonconfig import ENABLED, Filter
from minio.credentials.credentials import Credentials
from minio.credentials.providers import Provider
from minio.error import MinioException, S3Error
from minio.lifecycleconfig import Expiration, LifecycleConfig, Rule

from storage.objects.lake import EPHEMERAL, LakeUnavailable
from storage.objects.s3 import CONNECT_SECONDS, READ_SECONDS
from storage.settings import Settings

EXPIRE_DAYS: Final = 1
"""Lifecycle of what is ephemeral; S3 counts in days, and deletes some time after."""

WITHOUT_LIFECYCLE: Final = frozenset({"NotImplemented", "MethodNotAllowed", "NotSupported"})
"""Error codes of stores without lifecycle rules."""

RULE_PREFIX: Final = "spatial-"
"""Prefix of the ids of the service's lifecycle rules; other rules on the same bucket stay."""


log = logging.getLogger(__name__)


class _BotoCredentials(Provider):
    """The AWS chain, for the minio client."""

    def retrieve(self) -> Credentials:
        found = get_session().get_credentials()
        if found is None:
            raise LakeUnavailable("there are no AWS credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
        frozen = found.get_frozen_credentials()
        return Credentials(frozen.access_key, frozen.secret_key, frozen.token)


async def ensure_bucket(settings: Settings) -> None:
    """Have the bucket, and its lifecycle rules on what is ephemeral; a directory needs neither. Any number of processes may do this.

    Raises: LakeUnavailable.
    """
    if settings.storage_url.startswith("s3://"):
        with _explained():
            await asyncio.to_thread(_ensure, settings)


async def presign_get(settings: Settings, key: str, expires: timedelta = timedelta(minutes=15)) -> str:
    """A URL with which any client may read the object for a limited time.

    Raises: LakeUnavailable.
    """
    bucket, prefix = _place(settings)
    with _explained():
        return await asyncio.to_thread(_client(settings).presigned_get_object, bucket, prefix + key, expires)


async def presign_put(settings: Settings, key: str, expires: timedelta) -> str:
    """A URL under the public endpoint with which any client may write the object for a limited time. It does not limit the size.

    Raises: LakeUnavailable.
    """
    bucket, prefix = _place(settings)
    client = _client(settings, settings.s3_public_endpoint)
    with _explained():
        return await asyncio.to_thread(client.presigned_put_object, bucket, prefix + key, expires)


def _ensure(settings: Settings) -> None:
    client, (bucket, prefix) = _client(settings), _place(settings)
    if not client.bucket_exists(bucket):
        _make(client, bucket)
    try:
        _expire(client, bucket, prefix)
    except S3Error as error:
        if error.code not in WITHOUT_LIFECYCLE:
            raise
        log.warning(
            "the object store knows no lifecycle rules (%s): the flow `expire` alone deletes what is ephemeral",
            error.code,
        )


def _expire(client: Minio, bucket: str, prefix: str) -> None:
    """The service's rules, together with the existing other rules."""
    known = client.get_bucket_lifecycle(bucket)
    others = [rule for rule in (known.rules if known else []) if not (rule.rule_id or "").startswith(RULE_PREFIX)]
    ours = [_rule(f"{prefix}{name}/") for name in EPHEMERAL]
    if known is None or {_essence(rule) for rule in known.rules} != {_essence(rule) for rule in [*others, *ours]}:
        client.set_bucket_lifecycle(bucket, LifecycleConfig([*others, *ours]))


def _make(client: Minio, bucket: str) -> None:
    """Create the bucket; another process may have created it meanwhile."""
    try:
        client.make_bucket(bucket)
    except MinioException:
        if not client.bucket_exists(bucket):
            raise


def _rule(prefix: str) -> Rule:
    name = f"{RULE_PREFIX}{prefix.strip('/').replace('/', '-')}"
    return Rule(ENABLED, rule_filter=Filter(prefix=prefix), rule_id=name, expiration=Expiration(days=EXPIRE_DAYS))


def _essence(rule: Rule) -> tuple[Any, ...]:
    prefix = rule.rule_filter.prefix if rule.rule_filter else None
    return rule.rule_id, rule.status, prefix, rule.expiration.days if rule.expiration else None


def _client(settings: Settings, endpoint: str | None = None) -> Minio:
    """endpoint: another address of the same store."""
    session = get_session()
    region = session.get_config_variable("region")
    address = urlsplit(endpoint or settings.s3_endpoint or f"https://s3.{region or 'us-east-1'}.amazonaws.com")
    pool = urllib3.PoolManager(timeout=urllib3.Timeout(CONNECT_SECONDS, READ_SECONDS), retries=urllib3.Retry(1))
    return Minio(
        address.netloc,
        secure=address.scheme == "https",
        region=region or "us-east-1",
        credentials=_BotoCredentials(),
        http_client=pool,
    )


def _place(settings: Settings) -> tuple[str, str]:
    """Bucket, and the prefix of all keys with its slash."""
    bucket, _, prefix = settings.storage_url.removeprefix("s3://").strip("/").partition("/")
    return bucket, f"{prefix}/" if prefix else ""


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (MinioException, BotoCoreError, urllib3.exceptions.HTTPError, OSError) as error:
        raise LakeUnavailable(
            f"the bucket cannot be prepared: {error}; check SPATIAL_STORAGE_URL, SPATIAL_S3_ENDPOINT and the AWS credentials"
        ) from error
