"""Make a cut list of a folder of drawings and models: part, material, size and quantity, as CSV.

    export SPATIAL_API_KEY=sk_...                   # and SPATIAL_BASE_URL, unless it is http://127.0.0.1:8000
    python cut_list.py orders/4711 --output cut_list.csv

Where the numbers come from:

    drawing with a parts list   one line per row of the list
    drawing without one         one line with the title block's part and material
    model                       one line per part; its size is that of its bounding box along the axes of the file, its quantity the
                                number of its placements

Nothing is guessed: what a file does not state is left empty, and the column `not_found` names it. A file that cannot be read is reported
on stderr, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import csv
import logging
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TextIO

from spatial_geometry import CadExtraction, Client, SpatialError
from spatial_geometry.models import Solid

EXTENSIONS: Final = (".step", ".stp", ".iges", ".igs", ".dxf", ".pdf")

COLUMNS: Final = ("file", "part", "material", "size", "unit", "quantity", "source", "not_found")

NAMED: Final = ("part", "material", "size", "quantity")
"""Columns that `not_found` names where they are empty."""

SIZE_HEADINGS: Final = ("size", "dimensions", "dimension", "stock size", "length", "abmessung", "abmessungen", "länge")
"""Headings of parts lists under which a size stands. Add those of your drawings."""

Line = dict[str, str]


def main() -> int:
    """Read the folder and write the list; the exit status."""
    arguments = _arguments()
    files = sorted(path for path in arguments.folder.rglob("*") if path.suffix.lower() in EXTENSIONS)
    if not files:
        print(
            f"{arguments.folder} has no file with one of {', '.join(EXTENSIONS)}; name another folder", file=sys.stderr
        )
        return 1
    lines: list[Line] = []
    failed = 0
    with Client() as client:
        batch = client.batch(files)
        try:
            for number, outcome in enumerate(batch.as_completed(), start=1):
                path = files[outcome.index]
                print(f"{number} of {len(files)}: {path.name}", file=sys.stderr)
                if outcome.error is not None:
                    print(f"  not read: {outcome.error}", file=sys.stderr)
                    failed += 1
                    continue
                name = str(path.relative_to(arguments.folder))
                lines += [{"file": name, **line} for line in cut_lines(outcome.result())]
        except KeyboardInterrupt:
            going_on = f"the service goes on with {', '.join(batch.ids)}" if batch.ids else "nothing was submitted"
            print(f"interrupted; {going_on}, and what was read so far is written", file=sys.stderr)
            failed += 1
    lines.sort(key=lambda line: line["file"])
    if arguments.output is None:
        _write(sys.stdout, lines)
    else:
        with arguments.output.open("w", encoding="utf-8", newline="") as file:
            _write(file, lines)
    return 1 if failed else 0


def _arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of drawings and models; folders in it are read too")
    parser.add_argument("-o", "--output", type=Path, help="file to write; without it, the list goes to stdout")
    return parser.parse_args()


def cut_lines(document: CadExtraction) -> list[Line]:
    """The lines of one document, without the name of its file."""
    structure = document.structure
    if structure is None:
        return []
    if structure.kind == "brep":
        return [_line(**part) for part in _parts_of_model(document)]
    sheet = structure.drawing_metadata
    if sheet is not None and sheet.bom is not None and sheet.bom.rows:
        return [_line(source="parts list", **_by_meaning(row, sheet.bom.meanings or {})) for row in sheet.bom.rows]
    fields = sheet.title_block.fields if sheet is not None and sheet.title_block is not None else {}
    part = " ".join(fields[name] for name in ("part_number", "drawing_number", "title") if name in fields)
    return [_line(part=part, material=fields.get("material", ""), source="title block")]


def _line(**found: str) -> Line:
    """A line of the list, with the names of what is missing."""
    line = {name: found.get(name, "") for name in COLUMNS[1:]}
    line["not_found"] = "; ".join(name for name in NAMED if not line[name])
    return line


def _by_meaning(row: Mapping[str, str], meanings: Mapping[str, list[str]]) -> Line:
    """The cells of a row of a parts list by the column of the cut list. meanings: what the service knows of the headings."""

    def held(meaning: str) -> str:
        return next((text for heading, text in row.items() if meaning in meanings.get(heading, ()) and text), "")

    size = next((text for heading, text in row.items() if heading.strip().casefold() in SIZE_HEADINGS and text), "")
    part = " ".join(dict.fromkeys(filter(None, (held("part_number"), held("name")))))
    return {"part": part, "material": held("material"), "size": size, "quantity": held("quantity")}


def _parts_of_model(document: CadExtraction) -> Iterator[Line]:
    """One entry per part: placements of one definition are one part."""
    assert document.structure is not None
    parts: dict[str, list[Solid]] = {}
    for solid in document.structure.solids or ():
        parts.setdefault(solid.instance_of or solid.id, []).append(solid)
    for placed in parts.values():
        first = placed[0]
        material = getattr(first, "material", None)
        yield {
            "part": first.name or "",
            "material": material if isinstance(material, str) else "",
            "size": _size(first),
            "unit": document.units,
            "quantity": str(len(placed)),
            "source": "model",
        }


def _size(solid: Solid) -> str:
    """Length, width and height of the bounding box, the largest first."""
    if solid.bbox is None:
        return ""
    sides = sorted((high - low for low, high in zip(solid.bbox.min, solid.bbox.max, strict=True)), reverse=True)
    return " x ".join(f"{side:.6g}" for side in sides)


def _write(file: TextIO, lines: list[Line]) -> None:
    writer = csv.DictWriter(file, COLUMNS)
    writer.writeheader()
    writer.writerows(lines)


if __name__ == "__main__":
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    logging.getLogger("spatial_geometry").setLevel(logging.INFO)  # says when the service is asked again
    try:
        sys.exit(main())
    except SpatialError as error:
        sys.exit(f"cut_list: {error}")
