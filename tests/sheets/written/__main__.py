"""Draws the layouts: `python -m tests.sheets.written [NAME…]` writes NAME.pdf or .dxf and NAME.truth.json beside each NAME.txt."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.sheets.written.layout import read

HERE = Path(__file__).parent


def main(names: list[str]) -> None:
    for path in sorted(HERE.glob("*/*.txt")):
        if names and path.stem not in names:
            continue
        data, truth = read(path.read_text("utf-8"), path.stem)
        (path.parent / truth["file"]).write_bytes(data)
        path.with_suffix(".truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
