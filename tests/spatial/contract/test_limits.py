"""Every number of the spec, against what the spec says."""

from __future__ import annotations

import pytest

from spatial.contract import limits


@pytest.mark.requirement("limit.body", "limit.file")
def test_sizes() -> None:
    assert limits.REQUEST_BODY_BYTES == 6 * 1024 * 1024 == 6_291_456
    assert limits.FILE_BYTES == 25 * 1024 * 1024 == 26_214_400


@pytest.mark.requirement("limit.inline-4mb")
def test_four_megabytes_fit_inline_as_base64_and_as_multipart() -> None:
    envelope = 1024
    assert limits.INLINE_FILE_BYTES >= 4_000_000
    assert -(-limits.INLINE_FILE_BYTES // 3) * 4 + envelope < limits.REQUEST_BODY_BYTES
    assert limits.INLINE_FILE_BYTES + envelope < limits.REQUEST_BODY_BYTES


@pytest.mark.requirement("limit.content-url-seconds", "limit.desktop-wait")
def test_waits() -> None:
    assert limits.CONTENT_URL_SECONDS == 20
    assert limits.DESKTOP_WAIT_SECONDS == 18


@pytest.mark.requirement("limit.file-name", "limit.idempotency-key")
def test_lengths() -> None:
    assert limits.FILE_NAME_CHARACTERS == 255
    assert limits.IDEMPOTENCY_KEY_CHARACTERS == 255
    assert limits.REQUEST_ID_CHARACTERS == 128


@pytest.mark.requirement("limit.idempotency-retention", "limit.retention")
def test_retention() -> None:
    assert limits.IDEMPOTENCY_RETENTION_HOURS == 24
    assert limits.RETENTION_HOURS == 24
    assert limits.EXPIRED_BATCH_DAYS == 7


@pytest.mark.requirement("limit.batch-items", "limit.batches-in-flight", "limit.batches-per-minute")
def test_batches() -> None:
    assert limits.BATCH_ITEMS == 32
    assert limits.BATCHES_IN_FLIGHT == 5
    assert limits.BATCHES_PER_MINUTE == 10


@pytest.mark.requirement("limit.tokens", "version.interface")
def test_metering_and_version() -> None:
    assert limits.BYTES_PER_TOKEN == 4
    assert limits.INTERFACE_VERSION == "1.4.0"
