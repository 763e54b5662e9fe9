"""The viewer of the console in a browser: what holds up its page while a large document is loaded, and while a model is turned.

    python -m benchmarks console

Tasks of the page's main thread are taken from Chromium's trace, in processor time of
that thread: what else the machine does is not counted.
Aims: no task over 50 ms while loading, 4 ms of script and 50 draw calls per frame. Needs Debian's chromium and the package playwright.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cadquery as cq
import numpy as np

from benchmarks.generate import dxf, pdf
from benchmarks.report import Table
from benchmarks.stack import Stack
from tests.support.console import DESKTOP, FLAGS, PATIENCE, PROGRAM

CATEGORIES: Final = ["toplevel", "devtools.timeline"]
TASK: Final = "ThreadControllerImpl::RunTask"
FRAME_SCRIPT: Final = "FireAnimationFrame"
SETTLE_MS: Final = 1000
"""How long a page is watched after it has said that it is ready."""

MOVES: Final = 60
"""Frames in which a model is turned."""

VIEW: Final = "document.querySelector('.pane').view"

Event = dict[str, Any]


@dataclass(frozen=True)
class Thread:
    """What a page's main thread did, in milliseconds of its processor time, each list ascending."""

    tasks: list[float]
    scripts: list[float]
    """Per frame."""


def measure(stack: Stack) -> Iterator[Table]:
    """Load each document, then turn the models. A sheet without marks was refused, because its picture took too long."""
    loading = Table("Loading", ("document", "size in the page", "longest task, ms", "tasks over 50 ms"))
    headings = ("model", "triangles", "draw calls", "script per frame p50, ms", "p95, ms", "max, ms")
    turning = Table("Turning a model", headings)
    with tempfile.TemporaryDirectory() as folder, _page(stack) as page:
        for name, suffix, content in _documents():
            (file := Path(folder) / f"{name}.{suffix}").write_bytes(content())
            address = _extract(page, stack, file)
            thread = _traced(page, lambda address=address: _open(page, address))  # type: ignore[misc]
            is_model = suffix == "step"
            size = page.evaluate(f"{VIEW}.stats.triangles" if is_model else f"{VIEW}.marks ?? 0")
            over = sum(task > 50 for task in thread.tasks)
            loading.rows.append(
                (name, f"{size:,} {'triangles' if is_model else 'marks'}", _ms(thread.tasks), str(over))
            )
            for section in ("", "x") if is_model else ():
                page.get_by_label("Section across").select_option(section)
                page.wait_for_timeout(SETTLE_MS)
                scripts = _traced(page, lambda: _turn(page)).scripts
                drawn = page.evaluate(f"{VIEW}.stats")
                spread = (_ms(scripts, part) for part in (50, 95, 100))
                words = f"{name}, cut" if section else name
                turning.rows.append((words, f"{drawn['triangles']:,}", str(drawn["calls"]), *spread))
    yield loading
    yield turning


def _documents() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, kind and content of each."""
    yield "DXF of 30,000 entities", "dxf", lambda: dxf(30_000)
    yield "DXF of 100,000 entities", "dxf", lambda: dxf(100_000)
    yield "PDF of 50,000 paths", "pdf", lambda: pdf(50_000)
    yield "STEP of 120 bodies", "step", _tori
    yield "STEP of one body, 518 faces", "step", _grooves


def _tori() -> bytes:
    assembly = cq.Assembly(name="tori")
    for place in range(120):
        torus = cq.Workplane("XY").add(cq.Solid.makeTorus(20, 5 + 0.05 * place))
        assembly.add(torus, loc=cq.Location(cq.Vector(60 * (place % 12), 60 * (place // 12), 0)))
    return _step(assembly.export)


def _grooves() -> bytes:
    """A block with 256 ring grooves."""
    places = [cq.Vector(30 * (place % 16) - 225, 30 * (place // 16) - 225, 20) for place in range(256)]
    rings = cq.Compound.makeCompound([cq.Solid.makeTorus(9, 5, place) for place in places])
    block = cq.Workplane("XY").box(490, 490, 40).cut(cq.Workplane("XY").add(rings))
    return _step(lambda path: cq.exporters.export(block, path))


def _step(write: Callable[[str], object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        write(str(path := Path(folder) / "model.step"))
        return path.read_bytes()


@contextmanager
def _page(stack: Stack) -> Iterator[Any]:
    """A page of a browser in which the operator is signed in."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=PROGRAM, args=list(FLAGS))
        try:
            page = program.new_context(**DESKTOP).new_page()  # type: ignore[arg-type]  # the sizes of a window, which one dictionary holds
            page.set_default_timeout(PATIENCE)
            page.goto(f"{stack.url}/console")
            page.get_by_label("Name").fill("admin")
            page.get_by_label("Password").fill(stack.password)
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url("**/console")
            yield page
        finally:
            program.close()


def _extract(page: Any, stack: Stack, file: Path) -> str:
    """The address of the view of a file."""
    page.goto(f"{stack.url}/console/viewer")
    page.set_input_files("#file", str(file))
    page.wait_for_url("**/console/viewer/*/req_*")
    page.wait_for_selector("#viewer[data-ready]")
    return str(page.url)


def _open(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#viewer[data-ready]")
    page.wait_for_timeout(SETTLE_MS)


def _turn(page: Any) -> None:
    """Drag the model, a step per frame."""
    box = page.locator("canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(MOVES):
        page.mouse.move(x + 4 * step, y + step)
        page.evaluate("() => new Promise((resolve) => requestAnimationFrame(resolve))")
    page.mouse.up()


def _traced(page: Any, act: Callable[[], None]) -> Thread:
    """What the main thread of the page did meanwhile."""
    program = page.context.browser
    program.start_tracing(page=page, categories=CATEGORIES)
    try:
        act()
    finally:
        events = json.load(io.BytesIO(program.stop_tracing()))["traceEvents"]
    own = _busiest([event for event in events if event.get("ph") == "X"], events)
    spent = {
        name: sorted(event.get("tdur", 0) / 1000 for event in own if event["name"] == name)
        for name in (TASK, FRAME_SCRIPT)
    }
    return Thread(spent[TASK], spent[FRAME_SCRIPT])


def _busiest(spans: list[Event], events: list[Event]) -> list[Event]:
    """The spans of the main thread with most tasks: a browser has further, idle ones."""
    named = (
        event for event in events if event.get("name") == "thread_name" and event["args"]["name"] == "CrRendererMain"
    )
    mains = {(event["pid"], event["tid"]) for event in named}
    tasks = Counter(_thread(span) for span in spans if span["name"] == TASK and _thread(span) in mains)
    ((busiest, _),) = tasks.most_common(1)
    return [span for span in spans if _thread(span) == busiest]


def _thread(event: Event) -> tuple[int, int]:
    return event["pid"], event["tid"]


def _ms(values: list[float], part: float = 100) -> str:
    return f"{np.percentile(values, part):.1f}" if values else "–"
