"""A document in a few lines that a person can read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from spatial.contract.drawing import Sheet
from spatial.contract.extraction import SURFACE_TYPES, BoundingBox, CadExtraction, Solid, Structure
from spatial.counting import count_of
from spatial.document.lines import OUTLINE_LINES, printable, with_warnings
from spatial.knowledge.unit_symbols import UNIT_SYMBOLS

SOLIDS_LISTED: Final = 12
"""Most solids that get a line of their own; instances of one definition share a line."""

SHEETS_LISTED: Final = 4
"""Most sheets whose paper and scale get a line of their own."""

_BY_TYPE: Final = frozenset(f"{kind}_faces" for kind in SURFACE_TYPES)

_PLURALS: Final = {"torus": "tori", "other": "others", "bspline": "B-splines", "bezier": "Béziers"}


def summarise(document: CadExtraction) -> list[str]:
    """The outline and the warnings; one line each."""
    return with_warnings(outline(document), document.warnings)


def outline(document: CadExtraction) -> list[str]:
    """Name, units, size, solids with their measures, faces by type, points and validity; one line each."""
    lines = [
        _title(document),
        *_contents(document),
        *_solids(document.structure, document.units),
        *_features(document.structure),
        *_sheets(document.structure),
        *_diagrams(document.structure),
        *_points(document),
        *_validity(document.structure),
    ]
    if len(lines) > OUTLINE_LINES:
        lines[OUTLINE_LINES - 1 :] = [f"and {count_of(len(lines) - OUTLINE_LINES + 1, 'more line')}"]
    return [printable(line) for line in lines]


def figure(value: float) -> str:
    """A measure as an engineer writes it: five digits that count, thousands apart, no trailing zeros."""
    if value != 0 and not 1e-3 <= abs(value) < 1e12:
        return f"{value:.5g}"
    decimals = max(0, 4 - math.floor(math.log10(abs(value)))) if value else 0
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def _title(document: CadExtraction) -> str:
    evidence = (document.model_extra or {}).get("units_evidence")
    found = f" ({evidence['found']})" if isinstance(evidence, dict) and "found" in evidence else ""
    name = f"{document.file_name}: " if document.file_name else ""
    return f"{name}{document.source_format.upper()}, units {document.units}{found}"


def _contents(document: CadExtraction) -> Iterator[str]:
    size = _size(document.statistics.bbox, document.units)
    if size:
        yield f"{'drawn extents' if _is_drawing(document.structure) else 'overall size'} {size}"
    # Faces by type are listed per solid.
    kinds = {kind: count for kind, count in document.statistics.entity_counts.items() if count and kind not in _BY_TYPE}
    if kinds:
        yield "entities: " + ", ".join(f"{kind.replace('_', ' ')} {count:,}" for kind, count in kinds.items())


def _solids(structure: Structure | None, units: str) -> Iterator[str]:
    """One line a definition: how often it is placed, its size, volume, area, and its faces by type."""
    groups: dict[str, list[Solid]] = {}
    for solid in (structure.solids or ()) if structure else ():
        groups.setdefault(solid.instance_of or solid.id, []).append(solid)
    for group in list(groups.values())[:SOLIDS_LISTED]:
        yield _solid(group, units)
    if len(groups) > SOLIDS_LISTED:
        yield f"and {count_of(len(groups) - SOLIDS_LISTED, 'more definition')}"


def _solid(group: list[Solid], units: str) -> str:
    solid = group[0]
    symbol = symbol_of(units)
    measures = [
        _size(solid.bbox, units),
        "" if solid.volume is None else f"volume {figure(solid.volume)} {symbol}³",
        "" if solid.surface_area is None else f"area {figure(solid.surface_area)} {symbol}²",
        _faces(face.type or "other" for face in solid.faces),
    ]
    named = f"{solid.id} {solid.name}" if solid.name else solid.id
    times = f"{len(group)} × " if len(group) > 1 else ""
    return ": ".join(filter(None, [f"{times}{named}", ", ".join(filter(None, measures))]))


def _features(structure: Structure | None) -> Iterator[str]:
    """Features by type, and what the designer wrote into the model by type."""
    if structure is None:
        return
    kinds = Counter(feature.type.replace("_", " ") for feature in structure.features or ())
    if kinds:
        yield f"{count_of(kinds.total(), 'feature')} ({', '.join(f'{count:,} {kind}' for kind, count in kinds.most_common())})"
    kinds = Counter(item.type.replace("_", " ") for item in structure.pmi or ())
    if kinds:
        yield f"{count_of(kinds.total(), 'PMI item')} ({', '.join(f'{count:,} {kind}' for kind, count in kinds.most_common())})"


def _faces(types: Iterable[str]) -> str:
    counts = Counter(types)
    listed = ", ".join(count_of(count, kind, _PLURALS.get(kind, "")) for kind, count in counts.most_common())
    return f"{count_of(counts.total(), 'face')} ({listed})" if listed else ""


def _size(bbox: BoundingBox | None, units: str) -> str:
    if bbox is None:
        return ""
    sides = (figure(high - low) for low, high in zip(bbox.min, bbox.max, strict=True))
    return f"{' × '.join(sides)} {symbol_of(units)}"


def symbol_of(units: str) -> str:
    """What stands behind a number. A unit that is called by its length stands in brackets: 60 (2.54 mm), 60 (2.54 mm)³."""
    return f"({units})" if units[:1].isdigit() else UNIT_SYMBOLS.get(units, units)


def _is_drawing(structure: Structure | None) -> bool:
    return structure is not None and structure.kind == "drawing2d"


def _sheets(structure: Structure | None) -> Iterator[str]:
    """What a drawing says: paper, unit and scale, its title block, callouts by type, tables and notes."""
    if structure is None:
        return
    yield from list(filter(None, map(_paper, structure.sheets or ())))[:SHEETS_LISTED]
    metadata = structure.drawing_metadata
    if metadata is not None and metadata.title_block is not None:
        yield "title block: " + "; ".join(
            f"{key.replace('_', ' ')} {text}" for key, text in metadata.title_block.fields.items()
        )
    if structure.callouts:
        kinds = Counter(callout.type.replace("_", " ") for callout in structure.callouts)
        yield f"{count_of(len(structure.callouts), 'callout')} ({', '.join(f'{count:,} {kind}' for kind, count in kinds.most_common())})"
    tables = [("parts list", metadata.bom), ("revisions", metadata.revisions)] if metadata is not None else []
    yield from (f"{name}: {count_of(len(table.rows), 'row')}" for name, table in tables if table is not None)
    if metadata is not None and metadata.notes is not None:
        yield count_of(len(metadata.notes.items), "note")


def _paper(sheet: Sheet) -> str:
    """Paper, unit of the dimensions and scale of a sheet; empty where none is known."""
    further = sheet.model_extra or {}
    paper, unit, scale = (further.get(name) for name in ("paper_mm", "dimension_unit", "scale"))
    size = f" ({further['size']})" if further.get("size") else ""
    facts = [
        f"paper {figure(paper[0])} × {figure(paper[1])} mm{size}" if paper else "",
        f"dimensions in {UNIT_SYMBOLS[unit['name']]}" if unit else "",
        f"scale {_ratio(scale['value'])}" if scale else "",
    ]
    return f"sheet {sheet.page}: {', '.join(filter(None, facts))}" if any(facts) else ""


def _ratio(scale: float) -> str:
    return f"1:{figure(round(1 / scale, 2))}" if scale < 1 else f"{figure(round(scale, 2))}:1"


def _diagrams(structure: Structure | None) -> Iterator[str]:
    """One line a page of a diagram."""
    for page in (structure.pages or ()) if structure is not None else ():
        graph = page.graph
        counts = (
            f"{count_of(graph.node_count, 'node')}, {count_of(graph.edge_count, 'edge')}" if graph is not None else ""
        )
        yield ": ".join(filter(None, [f"page {page.name or page.id}", counts]))


def _points(document: CadExtraction) -> Iterator[str]:
    scene = document.point_cloud_scene
    if scene is not None:
        kinds = Counter(cloud.kind for cloud in scene.point_clouds)
        listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
        clouds = count_of(len(scene.point_clouds), "cloud")
        yield f"{count_of(document.statistics.total_points, 'point')} in {clouds}" + (f" ({listed})" if listed else "")


def _validity(structure: Structure | None) -> Iterator[str]:
    verdict = ((structure.model_extra or {}) if structure else {}).get("validity")
    if not isinstance(verdict, dict) or "valid" not in verdict:
        return
    telling = "failed" if verdict["valid"] is False else "unknown"
    layers = [layer for layer in verdict.get("layers", ()) if layer.get("status") == telling]
    reasons = "; ".join(f"{layer['layer']}: {layer.get('detail', layer['status'])}" for layer in layers)
    word = {True: "valid", False: "not valid", None: "validity unknown"}[verdict["valid"]]
    yield f"{word} ({reasons})" if reasons else word
