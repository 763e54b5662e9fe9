"""Where bulk ingest finds its files: all files under an s3:// or file:// prefix, or one file. Read, never written.

    source = Source("file:///drawings")                        or  Source("s3://bucket/drawings", s3_endpoint=…)
    found = await source.find(Choice(pattern="*.dxf"))
    data = await source.read(found[0].uri)

A prefix is made of whole segments: s3://bucket/drawings holds drawings/a.dxf, not drawings-old/a.dxf. URIs of files are percent-encoded
(RFC 8089), so that a name of any bytes survives; keys of S3 are UTF-8 and stand as they are, as the AWS tools write them.
Symbolic links are left out wherever they point, so a tree has no loops and no way out; so is what is hidden, because `.~lock.a.dxf`
and `._a.dxf` are leftovers of programs. Credentials are those of the AWS tools.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import unquote_to_bytes

from spatial.contract import limits
from spatial.errors import ConverterUnavailable, InvalidRequest, NotFound
from storage.objects.file_filter import FileFilter, Files, Matcher, SourceFile
from storage.objects.source_bucket import S3, open_bucket
from storage.objects.source_tree import FILE, Tree, path_of_uri, uri_of_path

NO_CREDENTIALS: Final = ("NoCredentialsError", "PartialCredentialsError")
"""What botocore, which a folder need not import, raises before it asks any store."""


class SourceUnavailable(ConverterUnavailable):
    """The store behind a source is unavailable, or denies access."""


class SourceForbidden(NotFound):
    """The store denies read access; until that changes, the file is treated as missing."""


class Source:
    """Files under one prefix; usable from any event loop."""

    def __init__(self, url: str, s3_endpoint: str | None = None, *, lake: str | None = None) -> None:
        """url: file:///absolute/path or s3://bucket/prefix; s3_endpoint: address of an S3-compatible store other than AWS;
        lake: the service's own lake, which may not be a source: what callers sent would be kept without a limit.

        Raises: InvalidRequest, also where the source lies in the lake.
        """
        self.url = normalize_url(url)
        self._lake = normalize_url(lake) if lake is not None else None
        if self._of_lake(self.url):
            raise InvalidRequest(
                f"{url} lies in the service's own lake, which cannot be a source; put the files elsewhere"
            )
        self._files: Files = open_bucket(self.url, s3_endpoint) if url.startswith(S3) else Tree(self.url)

    async def find(self, choice: FileFilter) -> list[SourceFile]:
        """What is there and meant, sorted by URI.

        Raises: NotFound where there is no such folder or bucket; SourceUnavailable.
        """
        with self._explained(self.url):
            found = await self._files.find(Matcher(choice))
        return sorted((one for one in found if not self._of_lake(one.uri)), key=lambda one: one.uri)

    def _of_lake(self, uri: str) -> bool:
        return self._lake is not None and (uri == self._lake or uri.startswith(f"{self._lake}/"))

    async def read(self, uri: str, limit: int = limits.FILE_BYTES) -> bytes:
        """The bytes of one file.

        Raises: NotFound where it is gone; RequestTooLarge over `limit` bytes; SourceUnavailable.
        """
        if uri != self.url and not uri.startswith(self.url.rstrip("/") + "/"):
            raise InvalidRequest(f"{uri} does not lie in {self.url}; choose a file that does")
        with self._explained(uri):
            return await self._files.read(uri, limit)

    async def close(self) -> None:
        """Close connections."""
        await self._files.close()

    @contextmanager
    def _explained(self, uri: str) -> Iterator[None]:
        try:
            yield
        except (FileNotFoundError, NotADirectoryError) as error:
            raise NotFound(f"{uri}: there is no such file, folder or bucket; check its name") from error
        except PermissionError as error:
            raise SourceForbidden(
                f"{uri} may not be read ({error.strerror or error}); grant the service read access"
            ) from error
        except OSError as error:
            if type(error.__cause__).__name__ in NO_CREDENTIALS:
                raise SourceUnavailable(
                    f"{uri} cannot be read without AWS credentials ({error}); set AWS_ACCESS_KEY_ID and "
                    "AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, where the stack's worker runs, and start it again"
                ) from error
            raise SourceUnavailable(f"{uri} cannot be read now ({error.strerror or error}); try again") from error


def normalize_url(url: str) -> str:
    """The prefix in its one spelling: no slash at its end, a file's path percent-encoded.

    Raises: InvalidRequest.
    """
    if re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/.*)?", url, re.DOTALL):
        return url.rstrip("/")
    if re.match(r"file:///", url) and "\0" not in url:
        return uri_of_path(os.path.normpath(path_of_uri(url)))
    raise InvalidRequest(
        f"source {url!r} is neither s3://bucket/prefix nor file:///absolute/path; write it as one of them"
    )


def file_name_of(uri: str) -> str:
    """The last segment as a person reads it; bytes that are not UTF-8 are shown as �."""
    last = uri.rsplit("/", 1)[-1]
    return unquote_to_bytes(last).decode(errors="replace") if uri.startswith(FILE) else last


# A tree of files ----------------------------------------------------------------------------------------------------------


# A bucket -----------------------------------------------------------------------------------------------------------------
