"""Files that are too large for a request: announced, sent in pieces, and sent again where the connection breaks.

The service takes a file whole or not at all. After a broken connection the client asks whether the file arrived; if it did not, it is
sent again from its start, under the same upload.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace

from spatial_geometry._answers import parse
from spatial_geometry._effects import Answer, Call, Request, Steps
from spatial_geometry._files import Content
from spatial_geometry._requests import UPLOADS, get, one_of, post
from spatial_geometry._retries import RetryPolicy, send
from spatial_geometry.error_types import NotFound
from spatial_geometry.errors import SpatialError, UnexpectedAnswer
from spatial_geometry.models import Upload

LOGGER = logging.getLogger("spatial_geometry")


def upload(content: Content, policy: RetryPolicy) -> Steps[Upload]:
    """Send a file ahead. Raises: SpatialError, OSError."""
    announced = yield from send(post(UPLOADS, {"file_name": content.name, "size": content.size}), policy)
    made = parse(Upload, announced)

    def find_arrived() -> Steps[Answer | None]:
        state = yield from send(get(one_of(UPLOADS, made.id)), policy)
        found = parse(Upload, state)
        is_complete = found.status != "waiting" and found.size == content.size
        return state if is_complete and found.sha256 == (yield Call(content.sha256)) else None

    answer = yield from send(_put(made, content), policy, before_retry=find_arrived)
    if _is_presigned(made):
        answer = yield from send(get(one_of(UPLOADS, made.id)), policy)
    return parse(Upload, answer)


def discard(found: Upload, policy: RetryPolicy) -> Steps[None]:
    """Delete an upload. What fails is logged: the upload then expires by itself, and the result it was for is not lost."""
    try:
        yield from send(Request("DELETE", one_of(UPLOADS, found.id)), replace(policy, seconds=0))
    except NotFound:
        return  # it has expired
    except SpatialError as error:
        LOGGER.warning("upload %s was not deleted and expires after 24 hours: %s", found.id, error)


def _put(made: Upload, content: Content) -> Request:
    if made.upload_url is None:
        raise UnexpectedAnswer(f"upload {made.id} has no upload_url; check that base_url is the address of the service")
    given: Mapping[str, str] = {} if made.headers is None else made.headers
    headers = {name: value for name, value in given.items() if name.lower() != "authorization"}
    headers |= {"Content-Length": str(content.size), "Content-Type": "application/octet-stream"}
    if _is_presigned(made):
        del headers["Content-Type"]  # is not part of the signature
    return Request("PUT", made.upload_url, headers=headers, content=content)


def _is_presigned(made: Upload) -> bool:
    return made.upload_url is not None and not made.upload_url.startswith("/")
