"""Writing binary glTF 2.0 (ISO/IEC 12113:2022): meshes from arrays, nodes that place them, nothing else."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

MAGIC: Final = b"glTF"
JSON_CHUNK: Final = b"JSON"
BINARY_CHUNK: Final = b"BIN\0"

TRIANGLES: Final = 4
LINES: Final = 1
"""Modes of primitives."""

_COMPONENTS: Final = {"float32": 5126, "uint32": 5125}
_KINDS: Final = {1: "SCALAR", 3: "VEC3"}


@dataclass
class Glb:
    """A scene under construction."""

    buffers: list[bytes] = field(default_factory=list)
    views: list[dict[str, Any]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)
    meshes: list[dict[str, Any]] = field(default_factory=list)
    nodes: list[dict[str, Any]] = field(default_factory=list)
    materials: list[dict[str, Any]] = field(default_factory=list)

    def material(self, color: tuple[float, float, float]) -> int:
        """A dull material of a linear colour, by which the colours of vertices are multiplied; its number."""
        surface = {"baseColorFactor": [*color, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.7}
        self.materials.append({"pbrMetallicRoughness": surface, "doubleSided": True})
        return len(self.materials) - 1

    def primitive(
        self,
        attributes: Mapping[str, NDArray[np.float32]],
        indices: NDArray[np.uint32],
        mode: int,
        material: int | None = None,
    ) -> dict[str, Any]:
        """A primitive of a mesh. attributes: name to (n,) or (n, 3); indices: (m,) places in them; material: its number."""
        primitive: dict[str, Any] = {
            "attributes": {name: self._accessor(values) for name, values in attributes.items()},
            "indices": self._accessor(indices),
            "mode": mode,
        }
        return primitive if material is None else {**primitive, "material": material}

    def mesh(self, primitives: list[dict[str, Any]]) -> int:
        """A mesh of primitives; its number."""
        self.meshes.append({"primitives": primitives})
        return len(self.meshes) - 1

    def node(self, name: str, mesh: int, matrix: list[float], extras: Mapping[str, Any]) -> None:
        """A placed mesh. matrix: 16 numbers, column by column."""
        self.nodes.append({"name": name, "mesh": mesh, "matrix": matrix, "extras": dict(extras)})

    def to_bytes(self, extras: Mapping[str, Any]) -> bytes:
        """The file. extras: facts about the scene."""
        document: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "spatial-geometry-service"},
            "scene": 0,
            "scenes": [{"nodes": list(range(len(self.nodes))), "extras": dict(extras)}]
            if self.nodes
            else [{"extras": dict(extras)}],
        }
        binary = b"".join(self.buffers)
        if self.nodes:
            document |= {"nodes": self.nodes, "meshes": self.meshes, "accessors": self.accessors}
            document |= {"materials": self.materials} if self.materials else {}
            document |= {"bufferViews": self.views, "buffers": [{"byteLength": len(binary)}]}
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        chunks = [_chunk(JSON_CHUNK, text, b" ")]
        if binary:
            chunks.append(_chunk(BINARY_CHUNK, binary, b"\0"))
        body = b"".join(chunks)
        return struct.pack("<4sII", MAGIC, 2, 12 + len(body)) + body

    def _accessor(self, values: NDArray[Any]) -> int:
        kind = _KINDS[1 if values.ndim == 1 else values.shape[1]]
        accessor: dict[str, Any] = {
            "bufferView": len(self.views),
            "componentType": _COMPONENTS[values.dtype.name],
            "count": len(values),
            "type": kind,
        }
        if kind == "VEC3" and len(values):
            accessor |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        data = np.ascontiguousarray(values).tobytes()
        offset = self.views[-1]["byteOffset"] + self.views[-1]["byteLength"] if self.views else 0
        self.views.append({"buffer": 0, "byteOffset": offset, "byteLength": len(data)})
        self.buffers.append(data)
        self.accessors.append(accessor)
        return len(self.accessors) - 1


def _chunk(kind: bytes, data: bytes, padding: bytes) -> bytes:
    padded = data + padding * (-len(data) % 4)
    return struct.pack("<I4s", len(padded), kind) + padded
