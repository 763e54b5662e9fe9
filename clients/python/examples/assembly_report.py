"""Report a STEP assembly as Markdown: its parts with counts, sizes and masses, and whether it stands.

    export SPATIAL_API_KEY=sk_...                   # and SPATIAL_BASE_URL, unless it is http://127.0.0.1:8000
    python assembly_report.py gearbox.step --density 7850 --output gearbox.md

Volumes are those of the exact solids. A STEP file usually states no density, so masses are given only for a --density that you state,
in kilograms per cubic metre (steel about 7850, aluminium 2700), taken for every part. What cannot be told is written as `unknown`.

The checks are tasks of the service: `stability` says whether the assembly stands on the ground as it is modelled, with gravity along -z;
`understand` says which parts stand on which.
"""

from __future__ import annotations

import argparse
import logging
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from spatial_geometry import CadExtraction, Client, ResponseOutcome, SceneReference, SpatialError
from spatial_geometry.models import BoundingBox, Solid

METRES: Final = {"millimeter": 1e-3, "centimeter": 1e-2, "meter": 1.0, "inch": 0.0254, "foot": 0.3048}
"""Length of a unit of the document."""

UNKNOWN: Final = "unknown"


@dataclass(frozen=True)
class Part:
    """A part and its placements."""

    name: str
    solids: list[Solid]

    @property
    def volume(self) -> float | None:
        """Volume of one piece, in cubic units of the document."""
        return self.solids[0].volume


def main() -> int:
    """Extract, check and write; the exit status."""
    arguments = _arguments()
    with Client() as client:
        print(f"extracting {arguments.file.name}", file=sys.stderr)
        document = client.extract(arguments.file, target="both")
        if document.structure is None or document.structure.kind != "brep":
            print(f"{arguments.file.name} is no model of solids; give a STEP or IGES file", file=sys.stderr)
            return 1
        print("checking", file=sys.stderr)
        scene = SceneReference(extraction_id=document.request_id)
        tasks = [{"task_type": task, "cad_scene": scene} for task in ("stability", "understand")]
        stability, understanding = client.respond_batch(tasks)
    report = "\n".join(report_lines(document, stability, understanding, arguments.density)) + "\n"
    if arguments.output is None:
        sys.stdout.write(report)
    else:
        arguments.output.write_text(report, encoding="utf-8")
    return 0


def _arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="STEP or IGES file")
    parser.add_argument(
        "--density", type=_density, help="kilograms per cubic metre, of every part; without it no mass is given"
    )
    parser.add_argument("-o", "--output", type=Path, help="file to write; without it, the report goes to stdout")
    return parser.parse_args()


def _density(text: str) -> float:
    """A density that a material can have. Raises: ArgumentTypeError."""
    value = float(text)
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text} is no density; give kilograms per cubic metre, as 7850")
    return value


def report_lines(
    document: CadExtraction, stability: ResponseOutcome, understanding: ResponseOutcome, density: float | None
) -> Iterator[str]:
    """The report, line by line."""
    parts = parts_of(document)
    yield f"# {document.file_name or 'Assembly'}"
    yield ""
    yield f"{_count(len(parts), 'part')} in {_count(sum(len(part.solids) for part in parts), 'placement')}; overall size "
    yield f"{_size(document.statistics.bbox)}; lengths in {document.units}."
    yield ""
    yield "| part | count | size of the first | volume of one | mass of one (kg) | mass of all (kg) |"
    yield "|---|---|---|---|---|---|"
    for part in parts:
        mass = _mass(part.volume, document.units, density)
        total = None if mass is None else mass * len(part.solids)
        size = _size(part.solids[0].bbox)
        yield f"| {part.name} | {len(part.solids)} | {size} | {_number(part.volume)} | {_number(mass)} | {_number(total)} |"
    yield ""
    yield from _mass_lines(parts, document.units, density)
    yield from ("", "## Checks", "")
    yield from _stability_lines(stability)
    yield from _contact_lines(understanding)
    for warning in document.warnings:
        yield f"- Warning of the extraction: {warning}."


def parts_of(document: CadExtraction) -> list[Part]:
    """The parts in the order of the file; placements of one definition are one part."""
    found: dict[str, Part] = {}
    solids = (document.structure.solids if document.structure is not None else None) or []
    for solid in solids:
        part = found.setdefault(solid.instance_of or solid.id, Part(_escaped(solid.name or solid.id), []))
        part.solids.append(solid)
    return list(found.values())


def _mass_lines(parts: list[Part], units: str, density: float | None) -> Iterator[str]:
    masses = [(_mass(part.volume, units, density), len(part.solids)) for part in parts]
    if density is None:
        yield "Masses are unknown: the file states no density; state one with --density."
    elif any(mass is None for mass, _ in masses):
        yield "The total mass is unknown: a part has no closed volume, or the unit of the file is not known."
    else:
        total = sum(mass * count for mass, count in masses if mass is not None)
        yield f"Total mass at {density:g} kg/m³: {_number(total)} kg."


def _mass(volume: float | None, units: str, density: float | None) -> float | None:
    """Kilograms of one part; None where anything for it is not known."""
    if volume is None or density is None or units not in METRES:
        return None
    return volume * METRES[units] ** 3 * density


def _stability_lines(outcome: ResponseOutcome) -> Iterator[str]:
    if outcome.response is None:
        yield f"- Stability: not checked: {outcome.error}."
        return
    output = outcome.response.output[0]
    data: dict[str, Any] = output.get("data", {})
    yield f"- Stability: **{output['verdict']}**{_because(output)}."
    for name, title in (
        ("margin", "margin to the edge of the support"),
        ("tilt_to_topple_degrees", "tilt to topple, in degrees"),
    ):
        if name in data:
            yield f"  - {title}: {_number(data[name])}"


def _contact_lines(outcome: ResponseOutcome) -> Iterator[str]:
    if outcome.response is None:
        yield f"- What stands on what: not checked: {outcome.error}."
        return
    scene = outcome.response.output[0]["data"]["cad_scene"]
    names = {item["id"]: item.get("name") or item["id"] for item in scene["objects"]}
    standing = [relation for relation in scene["relations"] if relation["type"] == "on"]
    for relation in standing:
        yield f"- {_escaped(names[relation['subject']])} stands on {_escaped(names[relation['object']])}."
    if not standing:
        yield "- No part is known to stand on another one."


def _because(output: dict[str, Any]) -> str:
    return f" ({output['reason']})" if output.get("reason") else ""


def _size(box: BoundingBox | None) -> str:
    if box is None:
        return UNKNOWN
    return " × ".join(f"{high - low:.6g}" for low, high in zip(box.min, box.max, strict=True))


def _number(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.6g}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    logging.getLogger("spatial_geometry").setLevel(logging.INFO)  # says when the service is asked again
    try:
        sys.exit(main())
    except (SpatialError, OSError) as error:
        sys.exit(f"assembly_report: {error}")
