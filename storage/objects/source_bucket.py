"""A source that is a prefix of an S3 bucket."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from storage.objects.file_filter import Files, Matcher, SourceFile, check_size

S3: Final = "s3://"


def open_bucket(url: str, endpoint: str | None) -> Files:
    """Objects below the prefix of an s3:// URL; endpoint: address of a store other than AWS."""
    from storage.objects.s3 import Bucket  # s3fs takes 1.4 s to import, which a folder need not pay

    return Keys(url, Bucket(url, endpoint))


class Keys:
    """Objects below a prefix of a bucket, or one object."""

    def __init__(self, url: str, bucket: Any) -> None:
        self._bucket = bucket
        self._name, _, self._prefix = url.removeprefix(S3).partition("/")

    async def find(self, wanted: Matcher) -> list[SourceFile]:
        found, after = [], None
        while True:
            page = await self._bucket.page(self._name, self._prefix, after)
            found += [one for entry in page.get("Contents", ()) for one in self._one(entry, wanted)]
            after = page.get("NextContinuationToken")
            if not after:
                return found

    async def read(self, uri: str, limit: int) -> bytes:
        name = uri.removeprefix(f"{S3}{self._name}/")
        return check_size(limit, await self._bucket.beginning(self._name, name, limit + 1), uri)

    async def close(self) -> None:
        await self._bucket.close()

    def _one(self, entry: dict[str, Any], wanted: Matcher) -> Iterator[SourceFile]:
        key: str = entry["Key"]
        below = self._below(key)
        if below is None or not wanted.named(below) or "\0" in key:  # Postgres holds no NUL
            return
        found = SourceFile(f"{S3}{self._name}/{key}", entry["Size"], entry["ETag"].strip('"'), entry["LastModified"])
        if wanted.fits(found):
            yield found

    def _below(self, key: str) -> str | None:
        """The key's path below the prefix, its name where it is the prefix itself; None where it lies beside it."""
        if not self._prefix or key == self._prefix:
            return key.rsplit("/", 1)[-1] if self._prefix else key
        return key.removeprefix(f"{self._prefix}/") if key.startswith(f"{self._prefix}/") else None
