"""What an extraction returns; by itself, so that a caller that passes documents on does not import their models."""

from __future__ import annotations

from enum import StrEnum


class TargetContract(StrEnum):
    """What an extraction returns."""

    structured = "structured"
    """Entities, dimensions, solids, or the diagram graph."""
    point_cloud_scene = "point_cloud_scene"
    """Sampled points only."""
    both = "both"
    """Structure and points; for a result that is the input of a reasoning operation."""

    @property
    def has_structure(self) -> bool:
        """Whether the document carries `structure`."""
        return self is not TargetContract.point_cloud_scene

    @property
    def has_points(self) -> bool:
        """Whether the document carries `point_cloud_scene`."""
        return self is not TargetContract.structured
