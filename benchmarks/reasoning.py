"""Reasoning: processor time of every task as scenes grow, answers over HTTP, rest poses against trimesh, packing against public results.

    python -m benchmarks reasoning
    python -m benchmarks.reasoning --curve [docs/pictures/reasoning.svg]

The solvers run in this process on one core. Trimesh gives rest poses of the same convex hulls.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import httpx
import numpy as np
import trimesh

from benchmarks.http import spread
from benchmarks.picture import picture
from benchmarks.report import Table
from benchmarks.stack import Stack
from spatial.contract.responses import TASK_TYPES, ResponsesInput, TaskType
from spatial.reasoning.contact.patches import Plane
from spatial.reasoning.contact.resting import rest_poses
from spatial.reasoning.packing.boxes import item_of
from spatial.reasoning.packing.container import pack
from spatial.reasoning.packing.strip import pack_strip
from spatial.reasoning.scene.model import Array
from spatial.reasoning.shape.body import body_of
from spatial.reasoning.solve import solve
from tests.spatial.reasoning.asked import point_scene
from tests.spatial.reasoning.packing_instances import LOADINGS, STRIPS, boxes_of
from tests.spatial.reasoning.shapes import cloud, on_box, on_cylinder, on_sphere

COUNTS: Final = (1, 10, 100)
"""Objects of a scene."""
POINTS: Final = 2048
PITCH: Final = 60.0
"""Distance of neighbours, in millimetres."""
REPEATS: Final = 3
CURVE: Final = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "reasoning.svg"
ANSWERS: Final = 40
"""Requests over HTTP for each task."""
RESPONSES: Final = "/api/v1/responses"
POLYTOPES: Final = (10, 30, 100, 300)
"""Points whose hulls come to rest."""


def measure(stack: Stack) -> Iterable[Table]:
    """All tables."""
    yield _growth(_times())
    yield _answers(stack)
    yield _poses()
    yield _packing()


def scene_of(count: int, shift: float = 0.0) -> dict[str, Array]:
    """Blocks, cylinders and balls that stand on a floor in rows, each 40 mm wide."""
    side = math.ceil(math.sqrt(count))
    objects: dict[str, Array] = {}
    for number in range(count):
        middle = np.array([number % side * PITCH + shift, number // side * PITCH, 0.0])
        kind = number % 3
        if kind == 0:
            points = on_box((-20, -20, 0), (20, 20, 30), POINTS, seed=number)
        elif kind == 1:
            points = on_cylinder(20, 40, POINTS, seed=number)
        else:
            points = on_sphere(20, POINTS, seed=number) + np.array([0, 0, 20])
        objects[f"part-{number}"] = points + middle
    return objects


def request_of(task: TaskType, count: int) -> dict[str, Any]:
    """What one task is asked about a scene of so many parts; most need a second object, or an earlier scene."""
    parts = scene_of(count)
    side = math.ceil(math.sqrt(count)) * PITCH
    floor = on_box((-PITCH, -PITCH, -20), (side + 2 * PITCH, side, 0), POINTS)
    box = on_box((side + 40, -40, 0), (side + 160, 80, 90), POINTS, open_at=5)
    content: dict[str, Any] = {"task_type": task, "detail": "standard", "goal": {}}
    kinds: dict[str, str] = {}
    if task in ("fit", "placement", "act", "stability", "predict"):
        parts, kinds = {**parts, "floor": floor}, {"floor": "surface"}
        content["object_id"] = "part-0" if task in ("fit", "placement", "act") else None
    if task in ("fit", "placement"):
        parts, kinds = {**parts, "bin": box}, {**kinds, "bin": "container"}
        content["secondary_id"] = "bin"
    if task in ("act", "predict"):
        content["goal"] = {"units": "millimeter"}
    if task in ("compare", "predict"):
        content["previous_point_cloud_scene"] = point_scene(scene_of(count, -1.0))
    if task == "optimize":
        content["goal"] = {"objective": "footprint"}
    return content | {"point_cloud_scene": point_scene(parts, kinds)}


def _times() -> dict[TaskType, list[float]]:
    """Milliseconds of processor time, the best of some runs, for each of COUNTS."""
    found: dict[TaskType, list[float]] = {}
    for task in TASK_TYPES:
        found[task] = []
        for count in COUNTS:
            content = ResponsesInput.model_validate(request_of(task, count))
            repeats = REPEATS if count < COUNTS[-1] else 1
            found[task].append(_best(partial(solve, content), repeats))
    return found


def _best(work: Callable[[], object], repeats: int) -> float:
    """Milliseconds of processor time of the fastest run."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(1000 * (time.process_time() - began))
    return min(times)


def _growth(times: dict[TaskType, list[float]]) -> Table:
    rows = [
        (task, *(f"{value:.0f}" for value in values), f"{math.log10(max(values[2], 1e-3) / max(values[1], 1e-3)):.2f}")
        for task, values in times.items()
    ]
    headings = ("task", *(f"{count} objects [ms]" for count in COUNTS), "growth")
    note = (
        f"Objects of {POINTS} points, processor time, scene building included. growth: exponent of the number of objects from 10 to 100. "
        "Aim: no task above 1,000 ms at 10 objects. classify looks at the first 50 objects."
    )
    return Table("Reasoning, time per task", headings, rows, note)


def _answers(stack: Stack) -> Table:
    """Requests one after another over HTTP, to the stack's own desktop worker."""
    rows: list[tuple[str, ...]] = []
    said = {"Authorization": f"Bearer {stack.key}"}
    with httpx.Client(base_url=stack.url, headers=said, timeout=60, trust_env=False) as client:
        for task in ("stability", "describe", "compare", "embed"):
            body = {"model": "reasoner-1.0", "input": request_of(task, 1)}
            waits, solving = [], []
            for _ in range(ANSWERS):
                began = time.perf_counter()
                answer = client.post(RESPONSES, json=body)
                waits.append(time.perf_counter() - began)
                answer.raise_for_status()
                solving.append(float(answer.json()["router"]["solve_ms"]))
            rows.append((task, *spread(waits), f"{median(solving):.0f}"))
    note = f"{ANSWERS} requests in turn, one object of {POINTS} points each. Aim: p50 below 600 ms."
    return Table("Reasoning over HTTP", ("task", "p50 [ms]", "p95 [ms]", "solver p50 [ms]"), rows, note)


def _theirs(hull: Any) -> list[float]:
    """Probabilities of trimesh's rest poses."""
    _, found = trimesh.poses.compute_stable_poses(hull, sigma=0, n_samples=1, threshold=0)
    return list(found)


def _poses() -> Table:
    """Rest poses of convex hulls of random points, beside trimesh."""
    rows: list[tuple[str, ...]] = []
    plane = Plane.across(np.array([0.0, 0.0, -1.0]))
    for count in POLYTOPES:
        points = np.random.default_rng(count).normal(size=(count, 3))
        body = body_of(cloud("a", points))
        assert body is not None
        hull = trimesh.convex.convex_hull(points)
        ours = sorted((pose.probability for pose in rest_poses(body, plane, 1000)), reverse=True)
        theirs = _theirs(hull)
        length = max(len(ours), len(theirs))
        gap = np.abs(_padded(ours, length) - _padded(sorted(theirs, reverse=True), length)).max()
        times = [_best(partial(rest_poses, body, plane, 1000), REPEATS), _best(partial(_theirs, hull), REPEATS)]
        rows.append((str(count), str(len(ours)), f"{gap:.1e}", f"{times[0] / times[1]:.2f}"))
    headings = ("points", "rest poses", "largest difference of a probability", "time over trimesh's")
    return Table("Rest poses against trimesh", headings, rows, "Aim: probabilities equal to 1e-6.")


def _padded(values: Iterable[float], length: int) -> Array:
    found = np.zeros(length)
    rows = np.array(list(values))
    found[: len(rows)] = rows
    return found


def _packing() -> Table:
    """Public instances against their optimum, or the best result known."""
    rows: list[tuple[str, ...]] = []
    for strip in STRIPS:
        items = [item_of(str(i), np.array([w, 1.0, h]), "none") for i, (w, h) in enumerate(strip.sizes)]
        found = pack_strip(items, np.array([strip.width, 1.0]), 1e-6, seed=1, least=strip.optimum)
        height = math.inf if found is None else found.height
        rows.append(
            (f"strip {strip.name}, height", f"{height:g}", f"{strip.optimum:g}", f"{strip.optimum / height:.3f}")
        )
    for loading in LOADINGS:
        size = np.array(loading.container, dtype=np.float64)
        filled = pack(boxes_of(loading), size, 1e-6 * size.max(), seed=1).worth / size.prod()
        best = loading.best_known / size.prod()
        rows.append((f"container {loading.name}, filled", f"{filled:.4f}", f"{best:.4f}", f"{filled / best:.3f}"))
    note = "docs/reasoning/optimize.md has the same instances beside packingsolver, which needs another Python."
    return Table("Packing, public instances", ("instance", "found", "optimum or best known", "ratio"), rows, note)


def curve(times: dict[TaskType, list[float]], file: Path) -> None:
    """Time against the number of objects, both logarithmic, as a picture."""
    styles = ["-", "--", ":"]
    with picture(file, (6, 4.6)) as axes:
        for number, (task, values) in enumerate(times.items()):
            style = styles[number // 4]
            axes.loglog(COUNTS, values, marker="o", markersize=3, linewidth=1.2, label=task, linestyle=style)
        axes.axhline(1000, color="0.7", linewidth=1)
        axes.set(xlabel=f"objects of {POINTS} points", ylabel="processor time [ms]")
        axes.legend(frameon=False, fontsize=7, ncols=3)


def main() -> None:
    """Measure without a stack, and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--curve", type=Path, nargs="?", const=CURVE, help=f"draw time against objects (default place: {CURVE})"
    )
    chosen = parser.parse_args()
    times = _times()
    for table in (_growth(times), _poses(), _packing()):
        print(table.text(), end="\n\n")
    if chosen.curve:
        curve(times, chosen.curve)


if __name__ == "__main__":
    main()
