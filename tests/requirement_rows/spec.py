"""The spec (`service-spec.txt`) and the reading of its open places (INTERPRETATION), one row a stated fact."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

_SERVICE: Final = (
    *rows(
        "spec: What the service does",
        {
            "service.formats": "Accepted extensions are step, stp, iges, igs, dxf, pdf, svg, drawio, xml and png.",
            "service.schema": "Extraction results carry the schema identifier cad.extraction.v1.",
            "service.external-converter": "Extraction runs through an external converter, not in the API's process.",
            "service.metered-by-key": "Usage is metered in spatial tokens under the caller's API key.",
            "service.unbilled-non-2xx": "A response with a non-2xx status is never billed.",
            "service.request-id-header": "Every response carries the header X-Request-ID.",
            "service.request-id-body": "The body's request_id equals the X-Request-ID header.",
        },
    ),
    *rows(
        "spec: What the service does",
        {"service.diagram-carriers": "XML and PNG are accepted only when they carry a diagram."},
    ),
    *rows(
        "spec: What the service does",
        {"service.mcp-same-operations": "The same operations are offered as tools over a JSON-RPC 2.0 MCP endpoint."},
    ),
    *rows(
        "spec: What the service does",
        {"service.reasoning-on-desktop": "Reasoning runs on a desktop inference worker that may be unavailable."},
    ),
)

_ERROR_AND_USAGE: Final = (
    *rows(
        "spec: Error",
        {
            "model.error.required": "error.message, error.type and request_id are required strings.",
            "model.error.details": "error.details is a free-form object and optional: absent, not null.",
            "error.shape": "Every error body has {error: {message, type, details?}, request_id}.",
        },
    ),
    *rows(
        "spec: Usage",
        {
            "model.usage.fields": "Usage has input_tokens and output_tokens (integers) and three estimated costs (numbers), all optional.",
            "usage.on-every-response": "Usage is reported on every response of an operation that executed, 2xx or not (decision 0010).",
            "usage.charged-only-2xx": "A usage record is written only for a 2xx.",
        },
    ),
)

_EXTRACT_REQUEST: Final = (
    *rows(
        "spec: TargetContract",
        {
            "target.values": "TargetContract is structured, point_cloud_scene or both.",
            "target.default": "TargetContract defaults to structured.",
            "target.structured": "structured returns the structure and no points.",
            "target.point-cloud-scene": "point_cloud_scene returns sampled points only.",
            "target.both": "both returns the structure and the points.",
        },
    ),
    *rows(
        "spec: CadExtractRequest",
        {
            "extract-request.file-name-required": "file_name is a required string.",
            "extract-request.file-name-255": "file_name has at most 255 characters.",
            "extract-request.extension-selects-parser": "The extension of file_name selects the parser, in upper or lower case.",
            "extract-request.content-base64": "content_base64 is the standard base64 of the file bytes.",
            "extract-request.content-url": "content_url is a public http(s) URL, a string of format uri.",
            "extract-request.exactly-one-content": "Exactly one of content_base64 and content_url is given.",
            "extract-request.target-optional": "target_contract is optional.",
            "extract-request.closed": "A property that the request does not have is refused.",
        },
    ),
    *rows(
        "INTERPRETATION 4",
        {"extract-request.file-name-not-empty": "An empty file_name is 400."},
    ),
    *rows(
        "INTERPRETATION 7",
        {
            "base64.no-data-url": "A data URL is refused with 400 invalid_request_error.",
            "base64.no-url-safe": "The URL-safe alphabet is refused with 400 invalid_request_error.",
            "base64.padding": "Base64 without its padding is refused.",
        },
    ),
)

_EXTRACTION: Final = (
    *rows(
        "spec: CadExtraction",
        {
            "extraction.required": "schema, source_format, units, statistics, warnings and request_id are required.",
            "extraction.schema-constant": "schema is the constant cad.extraction.v1.",
            "extraction.source-format": "source_format is the detected format: step for .step and .stp, iges for .iges and .igs.",
            "extraction.units": "units names the unit of the document's numbers, for example millimeter or inch.",
            "extraction.structure-by-target": "structure is present when target_contract is structured or both.",
            "extraction.points-by-target": "point_cloud_scene is present when target_contract is point_cloud_scene or both.",
            "extraction.statistics": "statistics holds entity_counts (string to integer), total_points (integer) and bbox {min, max}.",
            "extraction.warnings": "warnings is a list of strings.",
            "extraction.file-name": "file_name of the result is the request's.",
            "extraction.target-contract": "target_contract of the result is the request's.",
            "extraction.usage": "usage of the result is a Usage.",
            "extraction.open": "Additional properties of an extraction are allowed and kept.",
            "structure.kind": "structure.kind is brep, drawing2d or diagram2d.",
            "structure.solids": "A brep lists per solid bbox, volume, surface_area, center_of_mass and faces.",
            "structure.members": "structure may hold solids, layers, entities, dimensions, annotations, pages, callouts, drawing_metadata.",
        },
    ),
    *rows(
        "spec: CadExtraction, Callout item",
        {
            "callout.required": "A callout requires id, type, text and source, all strings.",
            "callout.optional": "A callout may have quantity (integer), through (boolean), depth (number) and position (numbers).",
            "callout.open": "Extra properties of a callout are allowed.",
            "callout.types": (
                "Callout types are thread, hole, counterbore, countersink, spotface, tolerance, fit, radius, chamfer, "
                "surface_finish, reference_dimension and limit."
            ),
        },
    ),
    *rows(
        "spec: CadExtraction, drawing_metadata",
        {
            "drawing-metadata.title-block-shape": "title_block has fields (map), confidence (number) and sources (map of string lists).",
            "drawing-metadata.title-block-keys": "The twenty known keys of title_block.fields are named.",
            "drawing-metadata.table-shape": "bom and revisions have columns, rows (maps of strings) and confidence.",
            "drawing-metadata.notes-shape": "notes has items {number, text} and confidence.",
        },
    ),
    *rows(
        "spec: CadExtraction",
        {
            "drawing.structure": "A DXF or PDF answers structure.kind drawing2d with layers, entities, dimensions and annotations.",
            "drawing.callouts-parsed": "Callouts are parsed from dimension and note text of DXF and PDF.",
            "drawing.metadata-vector-text": "drawing_metadata is read from vector text, never OCR.",
            "drawing.metadata-evidence": "Each part of drawing_metadata carries source annotation ids and a confidence.",
            "drawing.metadata-omitted": "drawing_metadata is omitted when the sheet has none.",
        },
    ),
    *rows(
        "spec: DiagramPage",
        {
            "diagram-page.node": (
                "A node has id, label, shape, bbox {x, y, width, height}, center, children, is_container, is_text, link and "
                "attributes."
            ),
            "diagram-page.node-parent": "A node's parent is a string or null, and null is written.",
            "diagram-page.edge": "An edge has id, directed, bidirectional, label, connector, dashed and waypoints.",
            "diagram-page.edge-ends": "An edge's source and target are strings or null, and null is written.",
            "diagram-page.relations": "A relation's type is contains, left_of, right_of, above, below or overlaps.",
            "diagram-page.relation-members": "A relation has subject, object and via_edge, all strings.",
            "diagram-page.graph": "graph has node_count, edge_count, components, roots, sinks, isolated and has_cycle.",
        },
    ),
    *rows(
        "spec: DiagramPage",
        {
            "diagram.label-plain": "A node's label is plain text, HTML stripped.",
            "diagram.absolute-bbox": "Node boxes are in absolute page coordinates with container offsets applied.",
            "diagram.relations-found": "Containment and position relations of a page's nodes are reported.",
            "diagram.graph-computed": "graph says counts, components, roots, sinks, isolated nodes and cycles of the page.",
        },
    ),
    *rows(
        "spec: PointCloud and PointCloudScene",
        {
            "points.object-id": "A point cloud requires object_id; of a solid it is the solid's id.",
            "points.kind": "A point cloud's kind is unknown, box, surface or container; the default is unknown.",
            "points.xyz": "A point has x, y and z, all numbers and all required.",
            "points.scene": "A scene requires point_clouds; scene_id is optional.",
        },
    ),
    *rows(
        "INTERPRETATION 5",
        {
            "extraction.absent-not-null": "Absent optional fields are left out, not null.",
            "extraction.units-own": "Units are the file's own: an inch file answers inch, with its numbers in inches.",
        },
    ),
    *rows(
        "INTERPRETATION 5",
        {"drawing.units-pdf": "A PDF answers in points unless its scale and units are known, and says which."},
    ),
    *rows(
        "INTERPRETATION 5",
        {"diagram.units-pixel": "draw.io and SVG answer in pixels, y down as drawn."},
    ),
    *rows(
        "INTERPRETATION 6",
        {"diagram.source-format": "source_format of a draw.io diagram is drawio in any wrapping."},
    ),
)

_RESPONSES: Final = (
    *rows(
        "spec: ResponsesRequest",
        {
            "responses-request.model": "model is reasoner-1.0, by default and only.",
            "responses-request.input-required": "input is required, and its task_type is.",
            "responses-request.task-types": (
                "task_type is fit, stability, placement, embed, describe, classify, compare, understand, reconstruct, "
                "predict, act or optimize."
            ),
            "responses-request.scenes": "input takes cad_scene, previous_cad_scene, point_cloud_scene and previous_point_cloud_scene.",
            "responses-request.free-form": "image and goal are free-form objects; images and sensor_readings are lists of them.",
            "responses-request.ids": "object_id and secondary_id are optional strings.",
            "responses-request.detail": "detail is compact, standard or debug; the default is standard.",
            "responses-request.input-open": "Additional properties of input are allowed.",
        },
    ),
    *rows(
        "INTERPRETATION 1",
        {"responses-request.request-id": "A caller's request_id has 1 to 128 visible ASCII characters."},
    ),
    *rows(
        "spec: ResponsesResponse",
        {
            "responses-response.shape": "A response has id, object `response`, model, output, usage, request_id and router."
        },
    ),
    *rows(
        "spec: ResponseBatch",
        {
            "response-batch.shape": "A response batch has object `response_batch`, request_id and data.",
            "response-batch.item": "An entry of data has an integer status and may have further properties.",
        },
    ),
    *rows(
        "spec: ResponsesResponse",
        {
            "reasoning.cad-scene-output": "With a cad_scene, understand, describe and compare outputs include data.cad_scene.",
        },
    ),
    *rows("spec: ResponsesResponse", {"reasoning.router": "router says which runtime answered."}),
    *rows(
        "spec: ResponsesResponse",
        {"reasoning.compare-diff": "compare includes data.cad_scene_diff."},
    ),
    *rows(
        "spec: POST /api/v1/responses",
        {
            "responses.200": "POST /api/v1/responses answers 200 with a ResponsesResponse and X-Request-ID.",
            "responses.wait-18s": "The request waits up to 18 s for the desktop worker.",
            "responses.idempotency": "An Idempotency-Key applies to POST /api/v1/responses.",
            "error.422.reasoning-rejected": "What the reasoning worker rejects is 422 invalid_request_error.",
            "error.429.responses": "A per-minute or billing-period ceiling on responses is 429 rate_limit_exceeded with Retry-After.",
            "error.503.desktop": "Without the desktop worker the answer is 503 desktop_inference_unavailable.",
        },
    ),
    *rows(
        "spec: POST /api/v1/responses/batch",
        {
            "responses-batch.200": "A responses batch answers 200 when every item succeeded.",
            "responses-batch.207": "It answers 207 when at least one item failed, data in request order, each with its own status.",
            "responses-batch.413": "A responses batch over the body limit is 413.",
            "responses-batch.idempotency": "An Idempotency-Key applies to POST /api/v1/responses/batch.",
        },
    ),
    *rows(
        "spec: POST /api/v1/responses/batch",
        {"responses-batch-request.1-32": "requests is required and has 1 to 32 items."},
    ),
    *rows(
        "INTERPRETATION 1",
        {
            "request-id.caller-echo": "A caller's valid request_id is echoed in the body and is then the header as well.",
            "request-id.caller-never-a-key": "A caller's request_id is never a key of anything.",
        },
    ),
    *rows(
        "INTERPRETATION 8",
        {"idempotency.207-not-stored": "A 207 with a 429 or 5xx item is not stored."},
    ),
    *rows(
        "INTERPRETATION 11",
        {
            "responses-batch.item-400": "A malformed item is that item's 400 inside a 207.",
            "responses-batch.envelope-400": "A malformed envelope is 400.",
        },
    ),
    *rows(
        "INTERPRETATION 11",
        {"responses-batch-request.envelope": "The envelope of a responses batch is judged without judging its items."},
    ),
    *rows(
        "INTERPRETATION 12",
        {"reasoning.no-worker-503": "Without a live desktop worker every task is 503 at once, with Retry-After."},
    ),
    *rows(
        "INTERPRETATION 13",
        {
            "reasoning.learned-route": "fit, stability, placement and embed take the learned route when there is an image.",
            "reasoning.geometric-route": "Without an image they take the geometric route if the scene has the geometry.",
            "reasoning.neither-422": "With neither image nor geometry they are 422.",
        },
    ),
    *rows(
        "spec: Errors, 422",
        {
            "points.kind-rejected-422": "A point cloud kind outside the enum is what the worker rejects (422), not a malformed request."
        },
    ),
)

_EXTRACT_BATCH: Final = (
    *rows(
        "spec: CadExtractBatch",
        {
            "extract-batch.shape": "A batch has object `cad_extract_batch`, id, status, status_url, counts, items, usage and expires_at.",
            "extract-batch.id": "A batch id starts with cb_.",
            "extract-batch.status": "A batch status is queued, running, done, failed or expired.",
        },
    ),
    *rows(
        "spec: POST /api/v1/cad/extract/batch",
        {
            "extract-batch-request.1-32": "items is required and has 1 to 32 extract requests; the path names the bad one."
        },
    ),
    *rows(
        "spec: POST /api/v1/cad/extract/batch",
        {
            "batch.202": "A batch is accepted with 202, its id and its status_url.",
            "batch.multipart": "A batch may be sent as repeated `files` parts with an optional target_contract.",
            "batch.400-names-item": "A bad item is 400 and details name it.",
            "batch.415-whole": "One unsupported file refuses the whole batch with 415 before anything is staged.",
            "batch.billed-items": "Only items that succeed with 2xx are billed.",
            "batch.in-flight": "More than 5 extract batches in flight on one key is 429.",
            "batch.per-minute": "More than 10 extract batches a minute on one key is 429.",
            "batch.idempotency": "An Idempotency-Key applies to POST /api/v1/cad/extract/batch.",
        },
    ),
    *rows(
        "spec: GET /api/v1/cad/extract/batch/{id}",
        {
            "batch.get-200": "The status route answers 200 with status and per-item results.",
            "batch.get-401": "The status route without a valid key is 401.",
            "batch.get-404": "An unknown batch, or another account's, is 404 not_found.",
            "batch.id-pattern": "The path parameter matches ^cb_.",
        },
    ),
    *rows(
        "spec: States and transitions",
        {"batch.retention": "Batch results and staged files are deleted 24 hours after submission."},
    ),
    *rows(
        "INTERPRETATION 10",
        {
            "batch.unpaid-402": "A batch of an unpaid account is refused whole with 402.",
            "batch.done-if-any": "A mixed batch ends done when at least one item succeeded.",
            "batch.details-index": "details name the bad item as {index, file_name}, index from 0.",
            "batch.url-refused-400": "A refused content_url is 400 at submission; one that fails to download later is that item's error.",
            "batch.expires-at": "expires_at is submission + 24 h.",
            "batch.expired": "An expired batch answers 200 with status expired and no results for seven days, then 404.",
        },
    ),
    *rows(
        "docs/operations.md: when it is busy",
        {
            "capacity.waits": "Beyond its places an API process lets extractions wait for a limited time, and begins none whose caller has left.",
            "capacity.late": "An accepted extraction that would be answered after its deadline, because it waits for others, is ended, closed and answered 503; what is metered already is answered.",
            "capacity.refused": "One that gets no place is 503 with Retry-After before anything is claimed, begun or billed.",
            "capacity.turns": "Accounts take turns for a place, and in a full queue the last request of the longest burst makes room for another account.",
            "capacity.retry-after": "A request that would wait too long is refused at once; Retry-After says when its turn would come, each a later one; a converter that starts again is counted in both.",
            "capacity.retry-after-holds": "A request that comes again when it was told to is served, whatever came meanwhile: new requests are refused instead.",
            "host.events": "Of a task run that has ended, Prefect's server is sent the end, with start and tries; a state that lasts or tells why is sent.",
            "host.held-runs": "Runs of single calls are recorded when they have ended or lasted 2 s, many in one request, and none is lost while Prefect is away.",
            "host.held-stages": "Stages of such a run that end well are recorded with it; others are ended by Prefect, and one that lasts is seen running.",
            "host.held-results": "Results of stages are in memory, and are written where a run fails, stops or lasts, so that a retry finds them.",
            "host.left-calls": "Work whose caller was cancelled goes on, and its error is not logged as one that nobody retrieved.",
        },
    ),
    *rows(
        "INTERPRETATION 17",
        {
            "batch.delete": "DELETE of a batch fails unfinished items as `cancelled`; it is done if any item succeeded, else failed."
        },
    ),
)

_MODELS: Final = (
    *rows(
        "spec: ModelCard and ModelList",
        {
            "model-card.shape": "A model card has id, display_name, description, io and pricing, and may have more.",
            "model-card.content": "The card carries pricing, supported tasks and input modalities.",
            "model-list.shape": "A model list has object `list`, data and four members about the runtime.",
        },
    ),
    *rows(
        "spec: GET /api/v1/models",
        {
            "models.200": "GET /api/v1/models answers 200 with a ModelList and X-Request-ID.",
            "models.public": "GET /api/v1/models needs no key.",
            "models.unbilled": "GET /api/v1/models is never billed.",
            "models.runtime": "runtime_available says whether a healthy desktop worker can take a request right now.",
        },
    ),
)

_PARTNERS: Final = (
    *rows(
        "spec: FeatureTreeImport",
        {
            "feature-tree.required": "partner, document_id and feature_tree are required.",
            "feature-tree.node": "A feature has id and feature_type, both strings, and may have more.",
            "feature-tree.result": "The import result has scene_id and request_id, and may have more.",
        },
    ),
    *rows(
        "spec: POST /api/v1/cad/import-feature-tree",
        {
            "import.200": "An imported feature tree answers 200 with scene_id and request_id.",
            "import.becomes-scene": "The feature tree becomes a scene that the reasoning operation can use.",
            "import.errors": "The import answers 400, 401 and 402 as the spec lists them.",
        },
    ),
    *rows(
        "spec: POST /api/v1/cad/partner-webhook",
        {
            "webhook.200": "A signed partner event is accepted with 200.",
            "webhook.401": "A missing or invalid signature is 401.",
            "webhook.hmac": "X-Service-Signature is an HMAC-SHA256 of the raw body under the webhook secret.",
            "webhook.no-api-key": "The webhook is authenticated by its signature, not by an API key.",
        },
    ),
    *rows(
        "INTERPRETATION 15",
        {"webhook.encodings": "The signature is hex, with or without sha256=, or standard base64 of the digest."},
    ),
)

_MCP: Final = (
    *rows(
        "spec: JSON-RPC",
        {
            "jsonrpc.request": "A request has jsonrpc 2.0, method, id (string, integer or null) and params (object).",
            "jsonrpc.response": "A response has jsonrpc and id, null included, and result or error {code, message, data}.",
            "jsonrpc.notification": "A request without an id is a notification; one with a null id is not.",
        },
    ),
    *rows(
        "spec: POST /api/mcp",
        {
            "mcp.methods": "initialize, ping, tools/list, tools/call, prompts/list, prompts/get, resources/list and resources/read work.",
            "mcp.tools": "The tools are extract_cad, extract_cad_from_url, rowe_respond, list_models and list_supported_formats.",
            "mcp.extract-cad-arguments": "extract_cad takes file_name, content_base64 and target_contract.",
            "mcp.batch": "A JSON-RPC batch is allowed.",
            "mcp.forwards": "Billed tools forward to their REST routes under the same Authorization.",
            "mcp.202": "A notification is accepted with 202 and no body.",
            "mcp.401": "A billed tool without Authorization is HTTP 401 with a JSON-RPC error.",
        },
    ),
    *rows(
        "INTERPRETATION 14",
        {
            "mcp.protocol-errors": "Protocol errors answer HTTP 200 with the JSON-RPC error; -32700 and -32600 answer HTTP 400.",
            "mcp.401-in-batch": "Inside a batch the unauthorised entry carries the error; HTTP 401 only when every entry fails so.",
            "mcp.rest-refusal": "A refusal by the REST route is a tool result with isError and the error body.",
        },
    ),
    *rows(
        "INTERPRETATION 1",
        {"mcp.request-id": "X-Request-ID is on MCP notifications too."},
    ),
)

_HEALTH: Final = (
    *rows(
        "spec: Health",
        {
            "health.shape": "Health has status, timestamp, services (strings) and checks {status, latencyMs, detail}.",
            "health.status": "Health status is healthy, degraded or down.",
            "health.latency": "A check's latencyMs is a number or null, and null is written.",
        },
    ),
    *rows(
        "spec: GET /api/health",
        {
            "health.public": "GET /api/health needs no key.",
            "health.checks": "Health checks the datastore, the converter, the reasoning runtime and rowe_availability.",
            "health.200": "healthy and degraded answer 200.",
            "health.503": "down answers 503 with a Health body.",
        },
    ),
)

_IDEMPOTENCY: Final = (
    *rows(
        "spec: Idempotency-Key",
        {
            "idempotency.optional": "Idempotency-Key is optional: without it every request executes.",
            "idempotency.extract": "An Idempotency-Key applies to POST /api/v1/cad/extract.",
            "idempotency.255": "An Idempotency-Key has at most 255 characters; a bad one is 400.",
            "idempotency.retention-24h": "Keys are retained for 24 hours; after that the key is free again.",
            "idempotency.replay": "Same key, same payload: the stored response, byte for byte.",
            "idempotency.replay-header": "A replay carries Idempotency-Replayed: true.",
            "idempotency.conflict": "Same key, different payload: 409 idempotency_conflict.",
            "idempotency.in-progress": "Same key while the first request runs: 409 idempotency_in_progress.",
            "idempotency.replay-unbilled": "A replay bills nothing again.",
        },
    ),
    *rows(
        "INTERPRETATION 8",
        {
            "idempotency.replay-before-money": "The replay of an accepted request never fails for money or rate.",
            "idempotency.refused-keeps-key": "A refused request never consumes the key.",
            "idempotency.executed-is-stored": "Whatever a request that began to execute came to is stored, a 4xx too.",
            "idempotency.5xx-not-stored": "A 5xx is not stored, so a retry runs again.",
        },
    ),
    *rows(
        "INTERPRETATION 9",
        {
            "idempotency.scope-account": "The same key of another account is another key.",
            "idempotency.scope-route": "The same key on another route is another key.",
            "idempotency.multipart-content": "The same multipart parts under another boundary are the same payload.",
        },
    ),
)

_EXTRACT: Final = (
    *rows(
        "spec: POST /api/v1/cad/extract",
        {
            "extract.json.200": "A JSON extract answers 200 with a CadExtraction and X-Request-ID.",
            "extract.multipart.200": "A multipart extract takes the part `file`, whose name's extension selects the parser.",
            "extract.multipart.file-required": "Without the part `file` a multipart extract is 400.",
            "extract.multipart.target-contract": "A multipart extract takes target_contract as an optional field.",
            "extract.url.200": "An extract by content_url downloads the file and answers 200.",
            "extract.input-tokens": "Input tokens are ceil(bytes / 4).",
            "extract.output-tokens": "Output tokens are ceil(response JSON size / 4).",
            "openapi.routes": "The interface description documents every route that is built, with its errors and examples.",
        },
    ),
    *rows(
        "INTERPRETATION 3",
        {
            "metering.input-is-the-file": "Input tokens count the bytes of the file, not of the request.",
            "metering.output-without-usage": "Output tokens count the response body serialised without its usage member.",
        },
    ),
    *rows(
        "INTERPRETATION 4",
        {
            "content.fits-extension": "Content of another supported format is 422 parse_error that says what it looks like.",
            "content.empty-400": "An empty file is 400.",
            "extension.unknown-415": "An unknown extension is 415 unsupported_file_type.",
            "extension.missing-415": "A missing extension is 415 unsupported_file_type.",
            "extension.native-415": "A native CAD extension is 415 with the advice to export STEP.",
        },
    ),
    *rows(
        "INTERPRETATION 4",
        {
            "diagram.none-415": "XML or PNG that carries no diagram is 415.",
            "diagram.broken-422": "Broken XML or PNG is 422.",
        },
    ),
    *rows(
        "INTERPRETATION 2",
        {
            "validation.400-with-path": "A request that does not validate is 400 invalid_request_error with the field's path in details.",
            "validation.never-framework-422": "No request body gets the framework's own 422.",
        },
    ),
    *rows(
        "INTERPRETATION 8",
        {
            "order.size-before-auth": "The body's size is judged before the key.",
            "order.auth-before-idempotency-form": "The key is judged before the form of Idempotency-Key.",
            "order.idempotency-form-before-body": "The form of Idempotency-Key is judged before the body.",
            "order.body-before-extension": "The body and file_name are judged before the extension.",
            "order.extension-before-replay": "The extension (415) is judged before idempotency replay or 409.",
            "order.replay-before-subscription": "Idempotency replay or 409 comes before the subscription (402).",
            "order.subscription-before-claim": "The subscription is judged before the key is claimed.",
        },
    ),
    *rows(
        "INTERPRETATION 8",
        {
            "order.subscription-before-ceilings": "The subscription (402) is judged before the ceilings (429).",
        },
    ),
)

_AUTHENTICATION: Final = (
    *rows(
        "spec: Authentication",
        {
            "auth.bearer": "All endpoints but models, health and the partner webhook need Authorization: Bearer <API_KEY>.",
            "auth.stored-hashed": "API keys are stored hashed.",
            "auth.revocable": "A key can be revoked at any time and is then 401.",
            "auth.active-or-trialing": "Billed operations run for an active or a trialing subscription.",
            "auth.dashboard": "Keys are issued in a dashboard.",
        },
    ),
    *rows(
        "spec: Authentication",
        {"auth.mcp-optional": "POST /api/mcp takes a key optionally; a billed tool without one is 401."},
    ),
)

_ERRORS: Final = (
    *rows(
        "spec: Errors",
        {
            "error.400.body": "A bad body is 400 invalid_request_error.",
            "error.400.missing-file-name": "A missing file_name is 400 invalid_request_error.",
            "error.400.base64": "Bad base64 is 400 invalid_request_error.",
            "error.400.content-url-refused": "A refused content_url is 400 invalid_request_error.",
            "error.400.target-contract": "An invalid target_contract is 400 invalid_request_error.",
            "error.400.idempotency-key": "A bad Idempotency-Key is 400 invalid_request_error.",
            "error.401.missing": "A missing API key is 401 authentication_error.",
            "error.401.invalid": "An invalid API key is 401 authentication_error.",
            "error.401.revoked": "A revoked API key is 401 authentication_error.",
            "error.402.payment-required": "Without an active or trialing subscription a billed operation is 402 payment_required.",
            "error.409.conflict": "409 idempotency_conflict has the error shape.",
            "error.409.in-progress": "409 idempotency_in_progress has the error shape.",
            "error.413.body": "A body over the limit is 413 request_too_large.",
            "error.413.file": "A file over 26,214,400 bytes is 413 request_too_large.",
            "error.415.unsupported": "An unsupported file is 415 unsupported_file_type.",
            "error.422.parse": "parse_error of the converter is passed through as 422.",
            "error.422.timeout": "timeout_error of the converter is passed through as 422.",
            "error.503.billing": "When billing cannot be checked the answer is 503 billing_unavailable.",
            "error.503.usage-finalization": "When usage cannot be finalized the answer is 503 usage_finalization_unavailable.",
            "error.503.converter": "When the converter is down the answer is 503 converter_unavailable.",
            "error.tree": "Every status and type of the error table has a class in the error tree.",
        },
    ),
    *rows(
        "INTERPRETATION 17",
        {
            "error.503.billing-store": "Keys or subscriptions that cannot be read are 503 billing_unavailable.",
            "error.503.lake": "The lake out of reach during an extraction is 503 converter_unavailable.",
            "error.503.prefect": "Prefect out of reach during an extraction is 503 converter_unavailable.",
            "content-url.unfetchable-400": "A content_url that cannot be fetched (DNS, status, 20 s) is 400 invalid_request_error.",
            "content-url.too-large-413": "A content_url whose file is too large is 413.",
        },
    ),
    *rows(
        "INTERPRETATION 19",
        {
            "error.404.unknown-route": "An unknown route is 404 not_found in the error shape.",
            "error.405.method": "A wrong method is 405 method_not_allowed in the error shape.",
            "error.500.no-internals": "Our own failure is 500 internal_error in the error shape, with no internals in it.",
        },
    ),
    *rows(
        "INTERPRETATION 1",
        {
            "request-id.on-404": "X-Request-ID is on the 404 of an unknown route.",
            "request-id.on-405": "X-Request-ID is on a 405.",
            "request-id.on-413": "X-Request-ID is on a 413.",
            "request-id.on-static": "X-Request-ID is on redirects and static files.",
            "request-id.inbound-untrusted": "An inbound X-Request-ID is not taken as ours.",
        },
    ),
)

_LIMITS: Final = (
    *rows(
        "spec: Limits",
        {
            "limit.body": "The request body limit is 6 MiB (6,291,456 bytes) by default.",
            "limit.file": "The file limit is 26,214,400 bytes by default.",
            "limit.content-url-seconds": "A content_url download takes 20 s at most, redirects included.",
            "limit.content-url-hosts": "Private, loopback and link-local hosts of content_url are refused.",
            "limit.file-name": "file_name has at most 255 characters.",
            "limit.idempotency-key": "Idempotency-Key has at most 255 characters.",
            "limit.idempotency-retention": "Idempotency retention is 24 h.",
            "limit.batch-items": "A batch has 1 to 32 items.",
            "limit.batches-in-flight": "Extract batches in flight per key are at most 5.",
            "limit.batches-per-minute": "Extract batches submitted per minute per key are at most 10.",
            "limit.desktop-wait": "The wait for the desktop worker is 18 s at most.",
            "limit.retention": "Batch results and staged files are retained for 24 h.",
            "limit.tokens": "A token is four bytes, rounded up.",
            "limit.inline-4mb": "A file of 4 MB fits an inline upload, as base64 and as multipart.",
        },
    ),
    *rows(
        "INTERPRETATION 16",
        {
            "limit.settings": "The body limit and the file limit are settings.",
            "limit.every-route": "The body limit holds on every route.",
            "limit.on-the-stream": "413 is decided on the stream, without buffering the body first.",
        },
    ),
    *rows(
        "INTERPRETATION 18",
        {
            "retention.idempotent-responses": "A stored idempotent response expires at 24 h, judged by the clock when it is read.",
            "retention.lifecycle": "In the bucket staged/, results/ and prefect/ expire after a day, and nothing else does.",
        },
    ),
    *rows(
        "INTERPRETATION 18",
        {"retention.deletion": "Deletion of what expired follows within minutes."},
    ),
)

_VERSIONING: Final = rows(
    "spec: Versioning",
    {
        "version.paths": "REST paths carry /api/v1/; /api/health and /api/mcp carry no version.",
        "version.schema": "The extraction result declares its version as cad.extraction.v1.",
        "version.model": "The model identifier is reasoner-1.0.",
        "version.interface": "The interface description says version 1.4.0.",
    },
)

ROWS: Final[tuple[Row, ...]] = (
    *_SERVICE,
    *_ERROR_AND_USAGE,
    *_EXTRACT_REQUEST,
    *_EXTRACTION,
    *_RESPONSES,
    *_EXTRACT_BATCH,
    *_MODELS,
    *_PARTNERS,
    *_MCP,
    *_HEALTH,
    *_IDEMPOTENCY,
    *_EXTRACT,
    *_AUTHENTICATION,
    *_ERRORS,
    *_LIMITS,
    *_VERSIONING,
)
