"""The bucket is made where it is missing, with rules on what is ephemeral, and left alone otherwise."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
import pytest
from minio.commonconfig import ENABLED, Filter
from minio.lifecycleconfig import Expiration, LifecycleConfig, Rule

from storage import settings
from storage.objects import bucket
from storage.objects.lake import Lake, LakeUnavailable
from storage.settings import Settings

pytestmark = pytest.mark.requirement("storage.objects.bucket")


def _rules(chosen: Settings) -> dict[str, int]:
    """Days by prefix."""
    known = bucket._client(chosen).get_bucket_lifecycle(bucket._place(chosen)[0])
    assert known is not None
    return {str(rule.rule_filter.prefix): int(rule.expiration.days) for rule in known.rules}  # type: ignore[union-attr, arg-type]


EPHEMERAL = {"some/prefix/staged/": 1, "some/prefix/results/": 1, "some/prefix/prefect/": 1}


@pytest.mark.requirement("retention.lifecycle")
async def test_the_bucket_is_made_once_with_rules_on_what_is_ephemeral_only(s3_settings: Settings) -> None:
    await asyncio.gather(*(bucket.ensure_bucket(s3_settings) for _ in range(3)))
    await bucket.ensure_bucket(s3_settings)
    assert _rules(s3_settings) == EPHEMERAL


async def test_the_rules_of_others_stay(s3_settings: Settings) -> None:
    await bucket.ensure_bucket(s3_settings)
    theirs = Rule(ENABLED, rule_filter=Filter(prefix="theirs/"), rule_id="theirs", expiration=Expiration(days=90))
    stale = Rule(ENABLED, rule_filter=Filter(prefix="usage/"), rule_id="spatial-old", expiration=Expiration(days=7))
    name = bucket._place(s3_settings)[0]
    bucket._client(s3_settings).set_bucket_lifecycle(name, LifecycleConfig([theirs, stale]))
    await bucket.ensure_bucket(s3_settings)
    assert _rules(s3_settings) == EPHEMERAL | {"theirs/": 90}


async def test_a_presigned_url_reads_the_object(s3_settings: Settings) -> None:
    await bucket.ensure_bucket(s3_settings)
    lake = Lake(s3_settings.storage_url, s3_settings.s3_endpoint)
    await lake.put("results/op_1.json", b"{}")
    async with httpx.AsyncClient(trust_env=False) as anybody:
        answer = await anybody.get(await bucket.presign_get(s3_settings, "results/op_1.json"))
    assert answer.content == b"{}"
    await lake.close()


async def test_a_directory_needs_no_bucket(tmp_path: Path) -> None:
    await bucket.ensure_bucket(settings.load(home=tmp_path))
    assert not (tmp_path / "lake").exists()


async def test_a_store_out_of_reach_is_unavailable(s3_server: str, tmp_path: Path) -> None:
    chosen = settings.load(home=tmp_path, storage_url="s3://bucket", s3_endpoint="http://127.0.0.1:9")
    with pytest.raises(LakeUnavailable):
        await bucket.ensure_bucket(chosen)


async def test_missing_credentials_are_named(s3_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    chosen = settings.load(home=tmp_path, storage_url="s3://bucket", s3_endpoint=s3_server)
    with pytest.raises(LakeUnavailable, match="AWS_ACCESS_KEY_ID"):
        await bucket.ensure_bucket(chosen)
