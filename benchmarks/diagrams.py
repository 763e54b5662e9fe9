"""Diagrams: how long a large one takes to read, against lxml parsing it and against readers that do less.

    python -m benchmarks diagrams
    python -m benchmarks.diagrams [--nodes 5000 --edges 8000] [--profile]

Read in this process, best of TURNS in processor time (what else the machine does is not counted), from bytes to the JSON of
what was read: text plain, boxes absolute, relations, graph.
The floor is lxml's parse of the same bytes; the lean reader below stops at ids, raw labels, own geometry and ends.
"""

from __future__ import annotations

import argparse
import base64
import cProfile
import json
import pstats
import random
import time
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote, unquote

from lxml import etree

from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.collector import uncollected
from spatial.formats.drawio import cells, container
from spatial.models.reading import Reading
from spatial.pipeline.read import read_file
from spatial.understanding.diagram.page import page

TURNS = 5
NODES, EDGES = 5_000, 8_000
GROWTH = (1_000, 10_000)
"""Nodes of two diagrams whose times are compared."""

STYLES = ("rounded=0;whiteSpace=wrap;html=1;", "ellipse;whiteSpace=wrap;html=1;", "rhombus;whiteSpace=wrap;html=1;")


def measure(stack: Stack) -> list[Table]:
    """Times and ratios. The stack is not used: what is measured is the reader."""
    return tables(NODES, EDGES)


def tables(nodes: int, edges: int) -> list[Table]:
    """The reader against others, and against itself on a tenth."""
    return [_against_others(nodes, edges), _growth()]


def generated(nodes: int, edges: int) -> str:
    """A page: a hundred shapes a row, every tenth row in a container, edges to near neighbours."""
    chance = random.Random(0)
    rows = ['<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>']
    for place in range(nodes):
        row, column = divmod(place, 100)
        label = f"&lt;b&gt;Step {place}&lt;/b&gt;&lt;br&gt;of many" if place % 4 == 0 else f"Step {place}"
        rows.append(
            f'<mxCell id="n{place}" value="{label}" style="{STYLES[place % 3]}" vertex="1" parent="1">'
            f'<mxGeometry x="{column * 160}" y="{row * 100}" width="120" height="60" as="geometry"/></mxCell>'
        )
    for place in range(edges):
        source = chance.randrange(nodes)
        target = min(nodes - 1, max(0, source + chance.choice((-100, -1, 1, 99, 100, 101))))
        rows.append(
            f'<mxCell id="e{place}" value="{"yes" if place % 5 == 0 else ""}" style="edgeStyle=orthogonalEdgeStyle;html=1;" '
            f'edge="1" parent="1" source="n{source}" target="n{target}"><mxGeometry relative="1" as="geometry"/></mxCell>'
        )
    return "".join([*rows, "</root></mxGraphModel>"])


def wrapped(model: str, *, compressed: bool) -> bytes:
    """A file with one page."""
    body = model
    if compressed:
        engine = zlib.compressobj(9, zlib.DEFLATED, -15)
        body = base64.b64encode(engine.compress(quote(model, safe="~()*!.'").encode()) + engine.flush()).decode()
    return f'<mxfile><diagram id="d" name="Page-1">{body}</diagram></mxfile>'.encode()


def ours(data: bytes) -> bytes:
    """Bytes to the JSON of the reading."""
    return read(data).model_dump_json(exclude_none=True).encode()


def unvalidated(data: bytes) -> list[dict[str, Any]]:
    """Parse, boxes, relations and graph as plain data, before the contract's models are made of it."""
    found = container.read_xml(data, "bench.drawio")
    with uncollected():
        return [page(each.id, each.name, cells.read(each.model), {}, 1, 1)[0] for each in found.pages]


def read(data: bytes) -> Reading:
    """Bytes to the reading."""
    return read_file(data, "bench.drawio").reading


def lean(data: bytes) -> list[dict[str, Any]]:
    """What a short script would do: unpack, parse, ids, raw labels, own geometry, ends."""
    root = etree.fromstring(data)
    found = []
    for each in root:
        model = each[0] if len(each) else etree.fromstring(_unpacked(each.text or ""))
        for cell in model.iter("mxCell"):
            box = cell.find("mxGeometry")
            record = {"id": cell.get("id"), "label": cell.get("value"), "parent": cell.get("parent")}
            if cell.get("edge") == "1":
                record |= {"source": cell.get("source"), "target": cell.get("target"), "style": cell.get("style")}
            elif box is not None:
                record |= {key: float(box.get(key) or 0) for key in ("x", "y", "width", "height")}
                record["style"] = cell.get("style")
            found.append(record)
    return found


def _unpacked(text: str) -> bytes:
    return unquote(zlib.decompress(base64.b64decode(text), -15).decode()).encode()


def floor(data: bytes) -> None:
    """lxml's parse, of the packed page too."""
    root = etree.fromstring(data)
    for each in root:
        if not len(each):
            etree.fromstring(_unpacked(each.text or ""))


def _others() -> dict[str, Callable[[bytes], object] | None]:
    """Readers that people use, by name; None where one is not installed."""
    return {"N2G": _n2g(), "drawpyo": _drawpyo()}


def _n2g() -> Callable[[bytes], object] | None:
    try:
        diagram = import_module("N2G").drawio_diagram
    except ImportError:
        return None

    def load(data: bytes) -> object:
        made = diagram()
        made.from_xml(data.decode())
        return made

    return load


def _drawpyo() -> Callable[[bytes], object] | None:
    try:
        loader = import_module("drawpyo").load_diagram
    except (ImportError, AttributeError):
        return None

    def load(data: bytes) -> object:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "bench.drawio"
            path.write_bytes(data)
            return loader(str(path))

    return load


def _best(work: Callable[[bytes], object], data: bytes, turns: int = TURNS) -> float:
    best = float("inf")
    for _ in range(turns):
        started = time.process_time()
        work(data)
        best = min(best, time.process_time() - started)
    return best * 1000


def _against_others(nodes: int, edges: int) -> Table:
    table = Table(f"Diagram of {nodes:,} nodes and {edges:,} edges", ("page", "reader", "best ms", "to lean reader"))
    absent: list[str] = []
    for name, compressed in (("plain", False), ("compressed", True)):
        data = wrapped(generated(nodes, edges), compressed=compressed)
        base = _best(lean, data)
        timed: dict[str, float | str] = {
            "lxml parse (floor)": _best(floor, data),
            "lean lxml reader": base,
            "lean reader and its JSON": _best(lambda content: json.dumps(lean(content)), data),
            "ours, parse and relations": _best(unvalidated, data),
            "ours, and as the contract's models": _best(read, data),
            "ours, to JSON": _best(ours, data),
        }
        for other, load in _others().items():
            if load is None:
                absent.append(other)
            else:
                timed[other] = _try_load(load, data)
        table.rows.extend(
            (name, reader, f"{cost:.1f}", f"{cost / base:.2f}")
            if isinstance(cost, float)
            else (name, reader, cost, "-")
            for reader, cost in timed.items()
        )
    told = f" Not installed here: {', '.join(sorted(set(absent)))}." if absent else ""
    note = f"Aim for parse and relations: 1.5 lean readers plain, 2 compressed.{told}"
    return Table(table.title, table.headings, table.rows, note)


def _try_load(load: Callable[[bytes], object], data: bytes) -> float | str:
    """One turn, since others take long; in words what went wrong."""
    try:
        return _best(load, data, turns=1)
    except Exception as error:  # noqa: BLE001 - any failure of another reader is its result
        return f"fails: {type(error).__name__}"


def _growth() -> Table:
    table = Table(
        "Growth", ("nodes", "edges", "best ms", "us a node"), note="Aim: near-linear, so the last column level."
    )
    for nodes in GROWTH:
        cost = _best(ours, wrapped(generated(nodes, nodes * 8 // 5), compressed=False), turns=3)
        table.rows.append((f"{nodes:,}", f"{nodes * 8 // 5:,}", f"{cost:.1f}", f"{cost * 1000 / nodes:.0f}"))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diagrams", description=__doc__)
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--edges", type=int, default=EDGES)
    parser.add_argument("--profile", action="store_true", help="where our time is spent")
    asked = parser.parse_args()
    if asked.profile:
        data = wrapped(generated(asked.nodes, asked.edges), compressed=False)
        ours(data)
        with cProfile.Profile() as profile:
            ours(data)
        pstats.Stats(profile).sort_stats("tottime").print_stats(28)
        return
    for table in tables(asked.nodes, asked.edges):
        print(table.text(), end="\n\n")


if __name__ == "__main__":
    main()
