"""Random calls of every billed operation, good ones and refused ones, for the proof of the ledger."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from spatial.contract.routes import BATCH_ROUTE, EXTRACT_ROUTE, IMPORT_ROUTE, RESPONSES_BATCH_ROUTE, RESPONSES_ROUTE

MCP: Final = "/api/mcp"

PART: Final = (Path(__file__).resolve().parents[1] / "examples" / "bracket.step").read_bytes()


@dataclass(frozen=True)
class Call:
    """One call as its caller means it: what is sent, and which statuses it may end with."""

    kind: str
    route: str = ""
    body: Any = None
    file: tuple[str, bytes] | None = None
    """Name and bytes of a file that is sent as a form."""
    statuses: tuple[int, ...] = (200,)
    caller: str = "paying"
    """Whose key is sent: "paying", "unpaid" or "unknown"."""
    earlier: int | None = None
    """Index of an earlier call: a replay sends it again with its Idempotency-Key; other kinds say what they do with it."""


def make_calls(count: int, seed: int) -> list[Call]:
    """The same calls for the same seed, in KINDS' proportions."""
    chance = random.Random(seed)
    calls: list[Call] = []
    for place in range(count):
        [make] = chance.choices([kind for kind, _ in KINDS.values()], [weight for _, weight in KINDS.values()])
        call = make(chance)
        needed = EARLIER.get(call.kind)
        if needed is not None:
            fitting = [index for index, made in enumerate(calls) if made.kind in needed]
            # Without a fitting call before it, the first kind takes its place.
            call = _after(call, calls, chance.choice(fitting)) if fitting else extract(chance)
        calls.append(replace(call, body=_own(call, place)))
    return calls


def _after(call: Call, calls: list[Call], index: int) -> Call:
    """The call with what it takes over from an earlier one."""
    before = calls[index]
    if call.kind == "replay":
        return replace(before, kind="replay", earlier=index)
    if call.kind == "conflict":
        return replace(before, kind="conflict", earlier=index, body=_other(before), file=None, statuses=(409,))
    return replace(call, earlier=index)


def _own(call: Call, place: int) -> Any:
    """The body with a file name of its own, so that answers of different calls have different sizes."""
    if call.earlier is None and isinstance(call.body, dict) and "file_name" in call.body:
        return {**call.body, "file_name": f"{'x' * (place % 40)}{place}-{call.body['file_name']}"}
    return call.body


def _other(call: Call) -> dict[str, Any]:
    """Another valid body for the same route."""
    chance = random.Random(0)
    body: dict[str, Any] = {EXTRACT_ROUTE: extract, RESPONSES_ROUTE: respond}[call.route](chance).body
    return body


def extract(chance: random.Random) -> Call:
    """An extraction whose file stands in the body."""
    return Call("extract", EXTRACT_ROUTE, _file(chance))


def extract_form(chance: random.Random) -> Call:
    """An extraction whose file is sent as a form."""
    return Call(
        "extract_form", EXTRACT_ROUTE, file=(f"form{chance.randrange(10**6)}.svg", _drawing(chance.randrange(1, 60)))
    )


def damaged(_: random.Random) -> Call:
    """A file that cannot be read."""
    body = {"file_name": "cut.step", "content_base64": _base64(PART[: len(PART) // 3])}
    return Call("damaged", EXTRACT_ROUTE, body, statuses=(200, 422))


def unsupported(_: random.Random) -> Call:
    """A format that is not read."""
    return Call(
        "unsupported",
        EXTRACT_ROUTE,
        {"file_name": "part.sldprt", "content_base64": _base64(b"native")},
        statuses=(415,),
    )


def malformed(_: random.Random) -> Call:
    """A body without a file."""
    return Call("malformed", EXTRACT_ROUTE, {"file_name": "part.step"}, statuses=(400,))


def unknown_key(chance: random.Random) -> Call:
    """A key that nobody has."""
    return Call("unknown_key", EXTRACT_ROUTE, _file(chance), statuses=(401,), caller="unknown")


def unpaid(chance: random.Random) -> Call:
    """An account without a subscription."""
    return Call("unpaid", EXTRACT_ROUTE, _file(chance), statuses=(402,), caller="unpaid")


def respond(chance: random.Random) -> Call:
    """A reasoning task."""
    return Call("respond", RESPONSES_ROUTE, {"input": _question(chance)})


def respond_refused(chance: random.Random) -> Call:
    """A reasoning task about an object that is not there."""
    question = {**_question(chance), "task_type": "stability", "object_id": "nothing"}
    return Call("respond_refused", RESPONSES_ROUTE, {"input": question}, statuses=(422,))


def respond_batch(chance: random.Random) -> Call:
    """One to four reasoning tasks, of which one may be refused."""
    items = [{"input": _question(chance)} for _ in range(chance.randrange(1, 5))]
    if chance.random() < 0.5:
        items[-1] = {"input": {**items[-1]["input"], "task_type": "stability", "object_id": "nothing"}}
    return Call("respond_batch", RESPONSES_BATCH_ROUTE, {"requests": items}, statuses=(200, 207))


def import_tree(chance: random.Random) -> Call:
    """A feature tree of some boxes."""
    nodes = [
        {"id": f"box-{place}", "feature_type": "box", "parameters": {"length": 10, "width": 5, "height": 1 + place}}
        for place in range(chance.randrange(1, 4))
    ]
    body = {"partner": "proof", "document_id": f"doc-{chance.randrange(10**6)}", "feature_tree": nodes}
    return Call("import_tree", IMPORT_ROUTE, body)


def batch(chance: random.Random) -> Call:
    """One to four files, of which one may be damaged."""
    items = [_file(chance) for _ in range(chance.randrange(1, 5))]
    if chance.random() < 0.5:
        items[-1] = {"file_name": "broken.dxf", "content_base64": _base64(b"no drawing")}
    return Call("batch", BATCH_ROUTE, {"items": items}, statuses=(202,))


def tool(chance: random.Random) -> Call:
    """An extraction by an agent."""
    return Call("tool", MCP, {"name": "extract_cad", "arguments": _file(chance)})


KINDS: Final[Mapping[str, tuple[Callable[[random.Random], Call], float]]] = MappingProxyType(
    {
        "extract": (extract, 30),
        "extract_form": (extract_form, 8),
        "damaged": (damaged, 4),
        "unsupported": (unsupported, 3),
        "malformed": (malformed, 3),
        "unknown_key": (unknown_key, 2),
        "unpaid": (unpaid, 2),
        "respond": (respond, 10),
        "respond_refused": (respond_refused, 3),
        "respond_batch": (respond_batch, 8),
        "import_tree": (import_tree, 4),
        "batch": (batch, 4),
        "tool": (tool, 5),
        "replay": (lambda _: Call("replay"), 10),
        "conflict": (lambda _: Call("conflict"), 3),
        "run_again": (lambda _: Call("run_again"), 4),
        "repeat_failed": (lambda _: Call("repeat_failed", statuses=(202, 400)), 1),
    }
)
"""How a call of each kind is made, and how often it occurs, in percent."""

EARLIER: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "replay": frozenset({"extract", "extract_form", "respond", "respond_batch", "batch"}),
        "conflict": frozenset({"extract", "respond"}),
        "run_again": frozenset({"extract", "extract_form", "damaged", "batch"}),
        "repeat_failed": frozenset({"batch"}),
    }
)
"""Kinds that need an earlier call, and of which kinds it may be. run_again: of its flow run; repeat_failed: of its failed items."""


def _file(chance: random.Random) -> dict[str, Any]:
    """A small file of one of three formats."""
    name, data = chance.choice(
        (
            ("bracket.step", PART),
            ("drawing.svg", _drawing(chance.randrange(1, 60))),
            ("flow.drawio", _diagram(chance.randrange(1, 12))),
        )
    )
    return {"file_name": name, "content_base64": _base64(data)}


def _drawing(lines: int) -> bytes:
    drawn = "".join(f'<line x1="0" y1="{y}" x2="{y + 9}" y2="{y}"/>' for y in range(lines))
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="90mm" height="90mm">{drawn}</svg>'.encode()


def _diagram(nodes: int) -> bytes:
    cells = "".join(
        f'<mxCell id="n{node}" value="Step {node}" vertex="1" parent="1">'
        f'<mxGeometry x="{node * 90}" y="0" width="60" height="30" as="geometry"/></mxCell>'
        for node in range(nodes)
    )
    return f'<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>{cells}</root></mxGraphModel>'.encode()


def _question(chance: random.Random) -> dict[str, Any]:
    width, depth, height = (chance.randrange(1, 9) for _ in range(3))
    corners = [{"x": x, "y": y, "z": z} for x in (0, width) for y in (0, depth) for z in (0, height)]
    cloud = {"object_id": f"crate-{chance.randrange(10**6)}", "kind": "box", "points": corners}
    return {"task_type": chance.choice(("understand", "describe")), "point_cloud_scene": {"point_clouds": [cloud]}}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
