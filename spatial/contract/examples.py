"""Examples for the interface description: each is a complete, valid body (a test validates them)."""

from __future__ import annotations

from typing import Final

from pydantic.config import JsonDict, JsonValue

USAGE: Final[JsonDict] = {
    "input_tokens": 1963,
    "output_tokens": 412,
    "estimated_input_cost_usd": 0.001963,
    "estimated_output_cost_usd": 0.000824,
    "estimated_cost_usd": 0.002787,
}

EXTRACTION: Final[JsonDict] = {
    "schema": "cad.extraction.v1",
    "source_format": "step",
    "units": "millimeter",
    "structure": {
        "kind": "brep",
        "solids": [
            {
                "id": "solid-1",
                "name": "bushing",
                "bbox": {"min": [-10.0, -10.0, 0.0], "max": [10.0, 10.0, 15.0]},
                "volume": 3534.291735288517,
                "surface_area": 1884.9555921538758,
                "center_of_mass": [0.0, 0.0, 7.5],
                "representation": "exact",
                "is_closed": True,
                "faces": [
                    {
                        "id": "face-1",
                        "type": "cylinder",
                        "area": 942.4777960769379,
                        "origin": [0.0, 0.0, 0.0],
                        "axis": [0.0, 0.0, 1.0],
                        "radius": 10.0,
                    },
                    {
                        "id": "face-2",
                        "type": "plane",
                        "area": 235.61944901923448,
                        "origin": [0.0, 0.0, 15.0],
                        "normal": [0.0, 0.0, 1.0],
                    },
                ],
            }
        ],
    },
    "point_cloud_scene": {
        "point_clouds": [
            {"object_id": "solid-1", "kind": "unknown", "points": [{"x": 10.0, "y": 0.0, "z": 3.25}]},
        ]
    },
    "statistics": {
        "entity_counts": {"solids": 1, "shells": 1, "faces": 4},
        "total_points": 1,
        "bbox": {"min": [-10.0, -10.0, 0.0], "max": [10.0, 10.0, 15.0]},
    },
    "warnings": [],
    "file_name": "bushing.step",
    "target_contract": "both",
    "usage": USAGE,
    "request_id": "req_01981c6a8d3b7d1e9a52",
}

EXTRACT_REQUESTS: Final[list[JsonValue]] = [
    {"file_name": "bushing.step", "content_base64": "SVNPLTEwMzAzLTIxOw==", "target_contract": "both"},
    {"file_name": "bushing.step", "content_url": "https://files.example.com/bushing.step"},
    {"file_name": "bushing.step", "upload_id": "up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f"},
]

UPLOAD: Final[JsonDict] = {
    "id": "up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f",
    "object": "upload",
    "status": "waiting",
    "file_name": "housing.step",
    "upload_url": "/api/v1/uploads/up_0198c1f0a4b37c0d8e6f5a4b3c2d1e0f",
    "method": "PUT",
    "headers": {"Authorization": "Bearer <API_KEY>"},
    "max_bytes": 18_874_368,
    "expires_at": "2026-02-01T12:00:00Z",
    "request_id": "req_0198f2b4c6d07a3e8f1d2c3b4a596877",
}

EXTRACT_BATCH: Final[JsonDict] = {
    "object": "cad_extract_batch",
    "id": "cb_01981c6a8d3b7d1e9a52",
    "status": "running",
    "status_url": "/api/v1/cad/extract/batch/cb_01981c6a8d3b7d1e9a52",
    "counts": {"queued": 1, "running": 0, "done": 1, "failed": 1},
    "usage": USAGE,
    "created_at": "2026-01-31T12:00:00Z",
    "started_at": "2026-01-31T12:00:01Z",
    "expires_at": "2026-02-01T12:00:00Z",
    "request_id": "req_01981c6a8d3b7d1e9a52",
    "items": [
        {
            "index": 0,
            "file_name": "bushing.step",
            "status": "done",
            "http_status": 200,
            "started_at": "2026-01-31T12:00:01Z",
            "ended_at": "2026-01-31T12:00:02Z",
            "result": EXTRACTION,
        },
        {
            "index": 1,
            "file_name": "cover.pdf",
            "status": "failed",
            "http_status": 422,
            "started_at": "2026-01-31T12:00:01Z",
            "ended_at": "2026-01-31T12:00:02Z",
            "error": {
                "message": "cover.pdf: not a PDF: the content looks like SVG",
                "type": "parse_error",
                "details": {"phase": "read"},
            },
        },
        {"index": 2, "file_name": "housing.step", "status": "queued"},
    ],
}

CALLOUT: Final[JsonDict] = {
    "id": "callout-1",
    "type": "hole",
    "text": "4X Ø6.6 THRU",
    "source": "dimension-7",
    "quantity": 4,
    "through": True,
    "position": [120.5, 44.0],
    "diameter": 6.6,
}

PMI_ITEM: Final[JsonDict] = {
    "id": "pmi-3",
    "type": "gdt",
    "text": "⌖ Ø0.2Ⓜ A B",
    "source": "annotation-1",
    "characteristic": "position",
    "zone": "cylindrical",
    "tolerance": 0.2,
    "unit": "millimeter",
    "modifiers": ["maximum_material"],
    "datums": [{"datum": "A"}, {"datum": "B"}],
    "faces": [{"bodies": ["solid-1"], "faces": ["face-12", "face-13"]}],
    "features": ["feature-3"],
}

DRAWING_METADATA: Final[JsonDict] = {
    "title_block": {
        "fields": {"title": "BUSHING", "drawing_number": "D-1042", "revision": "B", "material": "CuSn8"},
        "confidence": 0.93,
        "sources": {"title": ["annotation-3"], "drawing_number": ["annotation-5"]},
    },
    "revisions": {
        "columns": ["REV", "DESCRIPTION"],
        "rows": [{"REV": "B", "DESCRIPTION": "RADIUS WAS 0.5"}],
        "confidence": 0.9,
    },
    "notes": {"items": [{"number": 1, "text": "DEBURR ALL EDGES"}], "confidence": 0.97},
}

DIAGRAM_PAGE: Final[JsonDict] = {
    "id": "page-1",
    "name": "Data flow",
    "nodes": [
        {
            "id": "n1",
            "label": "Browser",
            "shape": "rectangle",
            "bbox": {"x": 40.0, "y": 40.0, "width": 120.0, "height": 60.0},
            "center": [100.0, 70.0],
            "parent": None,
            "children": [],
            "is_container": False,
            "is_text": False,
            "attributes": {},
        },
        {
            "id": "n2",
            "label": "Server",
            "shape": "rectangle",
            "bbox": {"x": 280.0, "y": 40.0, "width": 120.0, "height": 60.0},
            "center": [340.0, 70.0],
            "parent": None,
            "children": [],
            "is_container": False,
            "is_text": False,
            "attributes": {"zone": "dmz"},
        },
    ],
    "edges": [
        {
            "id": "e1",
            "source": "n1",
            "target": "n2",
            "directed": True,
            "bidirectional": False,
            "label": "HTTPS",
            "connector": "orthogonal",
            "dashed": False,
            "waypoints": [],
        }
    ],
    "relations": [{"type": "left_of", "subject": "n1", "object": "n2"}],
    "graph": {
        "node_count": 2,
        "edge_count": 1,
        "components": 1,
        "roots": ["n1"],
        "sinks": ["n2"],
        "isolated": [],
        "has_cycle": False,
    },
}

POINT_CLOUD_SCENE: Final[JsonDict] = {
    "point_clouds": [{"object_id": "solid-1", "kind": "box", "points": [{"x": 0.0, "y": 0.0, "z": 1.5}]}],
    "scene_id": "scene-1",
}

RESPONSES_REQUEST: Final[JsonDict] = {
    "model": "reasoner-1.0",
    "input": {"task_type": "describe", "point_cloud_scene": POINT_CLOUD_SCENE, "detail": "standard"},
    "request_id": "my-request-1",
}

RESPONSES_RESPONSE: Final[JsonDict] = {
    "id": "resp_01981c6a8d3b7d1e9a52",
    "object": "response",
    "model": "reasoner-1.0",
    "output": [{"type": "describe", "data": {"objects": 1}, "proof": {}, "warnings": []}],
    "usage": USAGE,
    "request_id": "my-request-1",
    "router": {
        "runtime": "geometric",
        "solver": "describe-1",
        "version": 1,
        "worker": "desktop-1",
        "queue_ms": 41.7,
        "solve_ms": 12.9,
    },
}

RESPONSE_BATCH: Final[JsonDict] = {
    "object": "response_batch",
    "request_id": "req_01981c6a8d3b7d1e9a52",
    "data": [
        {"index": 0, "status": 200, "response": RESPONSES_RESPONSE},
        {
            "index": 1,
            "status": 422,
            "error": {
                "message": "input.object_id: the scene has no object 'lid'; use one of box, bin",
                "type": "invalid_request_error",
                "details": {"field": "input.object_id", "known_ids": ["box", "bin"]},
            },
            "request_id": "req_01981c6a8d3b7d1e9a52",
        },
    ],
}

FEATURE_TREE: Final[JsonDict] = {
    "partner": "acme-cad",
    "document_id": "doc-42",
    "feature_tree": [
        {"id": "f1", "feature_type": "extrude", "depth": 12.0},
        {"id": "f2", "feature_type": "hole", "parent": "f1", "diameter": 6.6},
    ],
}

MODEL_LIST: Final[JsonDict] = {
    "object": "list",
    "data": [
        {
            "id": "reasoner-1.0",
            "display_name": "Reasoner 1.0",
            "description": "Reasons over a cad_scene or a point_cloud_scene.",
            "io": {"tasks": ["describe", "compare"], "input_modalities": ["cad_scene", "point_cloud_scene"]},
            "pricing": {"input_usd_per_million_tokens": 1.0, "output_usd_per_million_tokens": 2.0},
        }
    ],
    "runtime_configured": True,
    "runtime_available": False,
    "runtime_status": "unavailable",
    "upstream_status": "no desktop worker has reported",
}

HEALTH: Final[JsonDict] = {
    "status": "degraded",
    "timestamp": "2026-01-31T12:00:00Z",
    "services": {"datastore": "healthy", "rowe_availability": "unavailable"},
    "checks": {
        "datastore": {"status": "healthy", "latencyMs": 1.4, "detail": "answers"},
        "rowe_availability": {"status": "unavailable", "latencyMs": None, "detail": "no desktop worker has reported"},
    },
}

ERROR: Final[JsonDict] = {
    "error": {
        "message": "content_base64: is not standard base64: its length is not a multiple of 4; add the padding with =",
        "type": "invalid_request_error",
        "details": {"field": "content_base64"},
    },
    "request_id": "req_01981c6a8d3b7d1e9a52",
}

JSONRPC_REQUEST: Final[JsonDict] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}

JSONRPC_RESPONSE: Final[JsonDict] = {
    "jsonrpc": "2.0",
    "id": 1,
    "error": {"code": -32601, "message": "Method not found: tools/lisst"},
}
