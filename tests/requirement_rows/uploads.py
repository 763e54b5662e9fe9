"""What uploads promise: an addition of ours for files that do not fit inline."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/uploads.md",
        {
            "lake.put-stream": "An object that comes in pieces is there whole or not at all, on a directory and on a bucket.",
            "lake.copy": "A lake lays an object down a second time without its bytes passing through.",
            "upload.create": "POST /api/v1/uploads answers 201 with a handle, where to PUT, and until when.",
            "upload.refusals": "Announcing wants a key, a subscription, an extension that is read and a size under the limit.",
            "upload.put": "The streaming PUT takes a file up to the file limit, past the body limit of other routes, and says its size and SHA-256.",
            "upload.whole-or-not": "A file that is too large, too short, empty or encoded is refused and leaves nothing.",
            "upload.replaced-until-used": "A second PUT replaces the first until a request named the upload; then its bytes stay.",
            "upload.extract": "upload_id stands in place of content_url, several times, and its bytes are billed.",
            "upload.unusable-400": "An upload_id that is unknown, another account's, expired or not received is 400 that says what to do.",
            "upload.account-scoped": "Another account's upload is 404.",
            "upload.idempotency": "An upload's id stands for its bytes in the payload, and a replay needs no upload.",
            "upload.ceilings": "An account holds so many uploads and bytes open, exactly, also under concurrent requests; 429 with Retry-After.",
            "upload.delete": "DELETE removes an upload and its file.",
            "upload.expires": "An upload expires 24 h after its creation by the database's clock, and housekeeping deletes its files.",
            "upload.presigned": "On a bucket with a public endpoint the file goes there by presigned URL and is checked when it is looked at.",
            "upload.openapi": "The upload routes are described with their errors.",
            "upload.stack": "A large file is announced, streamed and extracted through the whole stack.",
        },
    ),
)
