"""A CAD partner's feature tree, and the response to its import (spec: FeatureTreeImport)."""

from __future__ import annotations

from pydantic import ConfigDict

from spatial.contract import examples
from spatial.contract.model import Model, OpenModel


class FeatureNode(OpenModel):
    """One feature of the tree; further members depend on the partner."""

    id: str
    feature_type: str


class FeatureTreeImport(Model):
    """Body of POST /api/v1/cad/import-feature-tree and of the signed partner webhook."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.FEATURE_TREE]})

    partner: str
    document_id: str
    """The partner's id of the document."""
    feature_tree: list[FeatureNode]


class FeatureTreeImported(OpenModel):
    """The scene that was created from the tree."""

    scene_id: str
    request_id: str
