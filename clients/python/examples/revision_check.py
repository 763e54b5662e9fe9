"""Say what changed between two revisions of a model, a drawing or a diagram, or where a drawing and its model contradict each other.

    export SPATIAL_API_KEY=sk_...                   # and SPATIAL_BASE_URL, unless it is http://127.0.0.1:8000
    python revision_check.py bracket_A.step bracket_B.step
    python revision_check.py plate.dxf plate.step

Each change or contradiction is one line. The exit status is 0 where the content is the same or agrees, 1 where it does not, and
2 where that is unknown or a file cannot be read, so that a script can act on it. --json prints the whole answer, with the proof, in
place of the lines.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path
from typing import Any, Final

from spatial_geometry import Client, SceneReference, SpatialError

STATUSES: Final = {"same": 0, "agrees": 0, "changed": 1, "contradicts": 1, "incomplete": 1}
"""Exit status by the verdict; 2 for any other one."""


def main() -> int:
    """Extract both files and compare them; the exit status."""
    arguments = _arguments()
    with Client() as client:
        documents = []
        for path in (arguments.previous, arguments.current):
            print(f"extracting {path.name}", file=sys.stderr)
            documents.append(client.extract(path))
        previous, current = (SceneReference(extraction_id=document.request_id) for document in documents)
        print("comparing", file=sys.stderr)
        answer = client.respond("compare", cad_scene=current, previous_cad_scene=previous)
    output = answer.output[0]
    if arguments.json:
        json.dump(output, sys.stdout, ensure_ascii=False, indent=2)
        print()
    else:
        _print(output)
    return STATUSES.get(output["verdict"], 2)


def _arguments() -> argparse.Namespace:
    assert __doc__ is not None
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("previous", type=Path, help="the earlier revision")
    parser.add_argument("current", type=Path, help="the later revision")
    parser.add_argument("--json", action="store_true", help="print the whole answer as JSON")
    return parser.parse_args()


def _print(output: dict[str, Any]) -> None:
    """The verdict, and one line per change or contradiction."""
    data = output.get("data", {})
    difference = data.get("cad_scene_diff") or data.get("link", {})
    reason = f": {output['reason']}" if output.get("reason") else ""
    print(f"{output['verdict']}{reason}")
    for statement in difference.get("statements", ()):
        print(f"- {statement}")
    if difference.get("statements_omitted"):
        print(f"- further changes that are not listed: {difference['statements_omitted']}; see --json")
    for warning in output.get("warnings", ()):
        print(f"warning: {warning}", file=sys.stderr)


if __name__ == "__main__":
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    logging.getLogger("spatial_geometry").setLevel(logging.INFO)  # says when the service is asked again
    try:
        sys.exit(main())
    except (SpatialError, OSError) as error:
        print(f"revision_check: {error}", file=sys.stderr)
        sys.exit(2)
