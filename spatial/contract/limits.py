"""Every number of the spec, named once. These are the defaults; settings may override some of them."""

from typing import Final

REQUEST_BODY_BYTES: Final = 6_291_456
"""Largest request body on any route (spec: Limits, about 6 MB; read as 6 MiB)."""

INLINE_FILE_BYTES: Final = 4_194_304
"""A file of this size fits an inline upload, as base64 (4/3 of it) and as multipart (spec: Limits, roughly 4 MB). It is
documented for callers, not enforced; REQUEST_BODY_BYTES is enforced."""

FILE_BYTES: Final = 26_214_400
"""Largest file, inline or behind content_url (spec: Errors, 413)."""

CONTENT_URL_SECONDS: Final = 20.0
"""Total time that a content_url download may take, redirects included (spec: Limits)."""

FILE_NAME_CHARACTERS: Final = 255
"""Longest file_name (spec: CadExtractRequest)."""

CONTENT_URL_CHARACTERS: Final = 4_096
"""Longest content_url, and longest URL of a redirect from it; presigned URLs have about 2,000."""

IDEMPOTENCY_KEY_CHARACTERS: Final = 255
"""Longest Idempotency-Key (spec: Limits)."""

IDEMPOTENCY_RETENTION_HOURS: Final = 24
"""How long a completed Idempotency-Key replays its response (spec: Idempotency-Key)."""

RETENTION_HOURS: Final = 24
"""How long batch results and staged files are kept after submission (spec: States and transitions)."""

EXPIRED_BATCH_DAYS: Final = 7
"""How long an expired batch still answers 200 with status `expired`, before it is 404 (INTERPRETATION 10)."""

BATCH_ITEMS: Final = 32
"""Maximum number of items in a responses batch or an extract batch; the minimum is 1 (spec: Limits)."""

BATCHES_IN_FLIGHT: Final = 5
"""Extract batches in flight per key (spec: Limits)."""

BATCHES_PER_MINUTE: Final = 10
"""Extract batches submitted per minute per key (spec: Limits)."""

BATCH_WAIT_SECONDS: Final = 30.0
"""How long GET of a batch with `wait` waits for a change at most (an addition to the spec)."""

DESKTOP_WAIT_SECONDS: Final = 18.0
"""How long POST /api/v1/responses waits for the desktop worker (spec: Limits)."""

SOLVE_SECONDS: Final = 17.0
"""Deadline of one solve: within DESKTOP_WAIT_SECONDS, of which the way to the worker and back takes a part."""

SOLVE_MEMORY_BYTES: Final = 1024**3
"""Memory limit of the child of one solve."""

REQUEST_ID_CHARACTERS: Final = 128
"""Longest caller request_id, visible ASCII (INTERPRETATION 1)."""

SCENE_ID_CHARACTERS: Final = 128
"""Longest scene_id of a request."""

EXTRACTIONS_LISTED: Final = 200
"""Maximum number of extractions on one page of their list (an addition to the spec)."""

EXTRACTIONS_SKIPPED: Final = 1_000_000
"""Largest number of extractions that a page leaves out (an addition to the spec)."""

USAGE_DAYS: Final = 366
"""Longest time of one usage report (an addition to the spec)."""

USAGE_ROWS: Final = 20_000
"""Maximum number of rows of one usage report (an addition to the spec)."""

MCP_BATCH: Final = 64
"""Maximum number of messages in a JSON-RPC batch."""

FREE_VALUES: Final = 100_000
"""Values in the members of a reasoning request's input that are no scene: image, goal, sensor_readings, additional properties."""

BYTES_PER_TOKEN: Final = 4
"""Metering: tokens = ceil(bytes / 4), for input and output (spec: Metering)."""

CONVERT_SECONDS: Final = 60.0
"""Deadline of one file in the converter: what all calls for it may take together, the wait for a free child and for a processor aside."""

EXTRACT_WAIT_SECONDS: Final = 60.0
"""Beyond CONVERT_SECONDS: how long an accepted extraction may wait at least for a free child and for everything else, before it is answered
503; longer where the converter may still answer (`flows.answering.answer_seconds`)."""

CONVERT_MEMORY_BYTES: Final = 2 * 1024**3
"""Memory limit of one converter child."""

READING_BYTES: Final = 134_217_728
"""Maximum size of what a converter child answers; the answer of a 26 MB file is a few times as large as the file."""

CONVERTER_DRAIN_SECONDS: Final = 5.0
"""Seconds beyond CONVERT_SECONDS that the converter takes for an orderly end."""

CONVERTER_QUEUE: Final = 128
"""Converter calls that may wait for a free child; one more is refused at once."""

POINTS_PER_OBJECT: Final = 2_048
"""Sampled points per object, by default."""

POINTS_TOTAL: Final = 65_536
"""Sampled points per document, over all objects, by default."""

UPLOADS_OPEN: Final = 128
"""Uploads that an account may hold open (an addition to the spec)."""

UPLOAD_BYTES_OPEN: Final = 2 * 1024**3
"""Bytes that an account may hold in open uploads."""

INTERFACE_VERSION: Final = "1.4.0"
"""Version of the interface description (spec: Versioning 4)."""
