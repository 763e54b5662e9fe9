"""Feature trees of CAD partners to documents: the converter builds the solids, and what it could not build keeps its stated bounds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from pydantic import ValidationError

from converter.documents import parsed
from pipelines.conversion import ExtractionSpec, extract_document
from pipelines.resources import Resources
from spatial.contract.extraction import BoundingBox, CadExtraction, Solid, Statistics
from spatial.contract.feature_tree import FeatureNode, FeatureTreeImport
from spatial.contract.formats import FEATURE_TREE
from spatial.contract.target import TargetContract
from spatial.document.assemble import result_bytes

FILE_NAME: Final = "feature-tree.json"


async def import_tree(
    resources: Resources, tree: FeatureTreeImport, data: bytes, *, request_id: str, account_id: str
) -> bytes:
    """The scene of a tree: cad.extraction.v1 as JSON, with solids under the ids of their features, and points.

    data: the body that the tree was read from.
    Raises: ConversionTimeout, ConverterUnavailable. A tree without a single solid is a scene of bounds and warnings.
    """
    spec = ExtractionSpec(
        file_name=FILE_NAME,
        format=FEATURE_TREE.name,
        sha256=hashlib.sha256(data).hexdigest(),
        target=TargetContract.both,
        request_id=request_id,
        account_id=account_id,
    )
    document = parsed(await extract_document(resources, spec, data), FILE_NAME)
    return result_bytes(with_stated_facts(document, tree))


def with_stated_facts(document: CadExtraction, tree: FeatureTreeImport) -> CadExtraction:
    """The document with what the partner states: names and materials, and the bounds of features that became no solid."""
    return _with_stated_bounds(_with_stated_words(document, tree), tree)


def _with_stated_words(document: CadExtraction, tree: FeatureTreeImport) -> CadExtraction:
    """The solids with `name` and `material` of their features. A body of several solids has ids as "plate" and "plate/2"."""
    structure = document.structure
    assert structure is not None  # the target has structure
    stated = {feature.id: _words(feature) for feature in tree.feature_tree}
    solids = [
        solid.model_copy(update=stated.get(solid.id) or stated.get(solid.id.rpartition("/")[0]) or {})
        for solid in structure.solids or ()
    ]
    return document.model_copy(update={"structure": structure.model_copy(update={"solids": solids})})


def _words(feature: FeatureNode) -> dict[str, str]:
    extra: dict[str, Any] = feature.model_extra or {}
    return {word: value for word in ("name", "material") if isinstance(value := extra.get(word), str) and value}


def _with_stated_bounds(document: CadExtraction, tree: FeatureTreeImport) -> CadExtraction:
    structure = document.structure
    assert structure is not None  # the target has structure
    built = {solid.id for solid in structure.solids or ()}
    stated = [solid for solid in _stated(tree.feature_tree) if solid.id not in built]
    if not stated:
        return document
    warnings = [
        f"{solid.id} has the bounds that the partner states, because it has no solid; nothing else is known of it"
        for solid in stated
    ]
    solids = [*(structure.solids or ()), *stated]
    statistics = document.statistics.model_copy(update={"bbox": _around(document.statistics, stated)})
    return document.model_copy(
        update={
            "structure": structure.model_copy(update={"solids": solids}),
            "statistics": statistics,
            "warnings": [*document.warnings, *warnings],
        }
    )


def _stated(features: list[FeatureNode]) -> Iterator[Solid]:
    for feature in features:
        extra: dict[str, Any] = feature.model_extra or {}
        try:
            bounds = BoundingBox.model_validate(extra.get("bounds"))
        except ValidationError:
            continue
        if len(bounds.min) == 3:
            yield Solid.model_validate({"id": feature.id, "bbox": bounds, **_words(feature)})


def _around(statistics: Statistics, solids: list[Solid]) -> BoundingBox:
    boxes = [solid.bbox for solid in solids if solid.bbox is not None]
    boxes += [statistics.bbox] if statistics.bbox is not None else []
    low = tuple(min(box.min[axis] for box in boxes) for axis in range(3))
    high = tuple(max(box.max[axis] for box in boxes) for axis in range(3))
    return BoundingBox(min=low, max=high)
