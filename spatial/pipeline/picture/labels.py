"""Labels of features: their words, what they point at, and where they stand so that none covers another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from spatial.contract.features import Feature, FeatureThread, HoleStep, HoleTreatment
from spatial.geometry.quadrature import Array
from spatial.pipeline.picture.scene import SceneBody
from spatial.pipeline.picture.view import SAMPLES, Box, View

SIZE: Final = 18.0
"""Letter size, in pixels of the picture."""
LETTER: Final = 0.55
"""Width of a letter on average, in letter sizes."""
LINE: Final = 1.5
"""Distance between labels, in letter sizes."""
GAP: Final = 12.0
"""Pixels between a label and the border or its leader."""
SAME: Final = 1e-6
"""Part of a diameter up to which two are one."""
LEAST_SAMPLES: Final = 12
"""A feature of which less is seen is not labelled."""


@dataclass(frozen=True)
class Label:
    """Words beside the body, and the line from them to the feature."""

    text: str
    x: float
    """Where the text begins, or ends where it is on the left; pixels of the picture."""
    y: float
    """Its middle."""
    on_left: bool
    target: tuple[float, float]


def words(feature: Feature) -> str | None:
    """A feature as a callout has it; None of a type that has no callout."""
    writer = _WRITERS.get(feature.type)
    return writer(feature) if writer else None


def widest(features: Sequence[Feature]) -> float:
    """How much room the longest label of features needs beside a body, in pixels."""
    texts = (f"{len(those)}X {text}" for text, those in _merged([*features]))
    return max((LETTER * SIZE * len(text) + 2.0 * GAP for text in texts), default=0.0)


def labels(view: View, bodies: list[SceneBody], features: list[Feature], box: Box) -> tuple[list[Label], list[Feature]]:
    """Labels at the left and right border of a box of the view, and the features that are not seen in it.

    Of features that are written alike one is labelled, with their number. A box that is full drops the features seen least.
    """
    found: list[tuple[int, Array, str]] = []
    hidden: list[Feature] = []
    seen = Seen(view, bodies)
    for text, those in _merged(features):
        samples = max((seen.of(each) for each in those), key=len)
        if len(samples) < LEAST_SAMPLES:
            hidden += those
            continue
        found.append(
            (len(samples), samples[len(samples) // 2] / SAMPLES, text if len(those) == 1 else f"{len(those)}X {text}")
        )
    return _placed(found, box), hidden


def _merged(features: list[Feature]) -> list[tuple[str, list[Feature]]]:
    """Features of the same solids and words, under these; patterns are what their members are."""
    groups: dict[tuple[tuple[str, ...], str], list[Feature]] = {}
    for feature in features:
        text = words(feature)
        if text is not None:
            groups.setdefault((tuple(feature.solids), text), []).append(feature)
    return [(text, those) for (_, text), those in groups.items()]


class Seen:
    """Where each face is seen, in samples."""

    def __init__(self, view: View, bodies: list[SceneBody]) -> None:
        row, column = np.nonzero(view.face >= 0)
        self._faces = int(view.face.max(initial=0)) + 1
        face = view.body[row, column] * self._faces + view.face[row, column]
        order = np.argsort(face, kind="stable")
        self._face, self._place = face[order], np.stack([column, row], axis=1)[order].astype(np.float64) + 0.5
        self._bodies = {body.id: place for place, body in enumerate(bodies)}

    def of(self, feature: Feature) -> Array:
        """(n, 2) x and y of the samples in which a feature is seen, those of its face that is seen most, row by row."""
        wanted = [
            self._bodies[solid] * self._faces + int(name.removeprefix("face-")) - 1
            for solid in feature.solids
            if solid in self._bodies
            for name in feature.faces
        ]
        low, high = (np.searchsorted(self._face, wanted, side=side) for side in ("left", "right"))
        if not wanted:
            return np.empty((0, 2))
        most = int(np.argmax(high - low))
        return self._place[low[most] : high[most]]


def _placed(found: list[tuple[int, Array, str]], box: Box) -> list[Label]:
    left, top, right, bottom = box
    room = int((bottom - top) // (SIZE * LINE))
    found = sorted(found, key=lambda each: -each[0])[: 2 * room]
    by_x = sorted(found, key=lambda each: float(each[1][0]))
    cut = min(max(sum(each[1][0] < (left + right) / 2 for each in by_x), len(by_x) - room), room)
    placed: list[Label] = []
    for column, on_left in ((by_x[:cut], True), (by_x[cut:], False)):
        rows = sorted(column, key=lambda each: float(each[1][1]))
        heights = _spread([float(each[1][1]) for each in rows], top + SIZE, bottom - SIZE, SIZE * LINE)
        x = left + GAP if on_left else right - GAP
        placed += [
            Label(text, x, y, on_left, (float(at[0]), float(at[1])))
            for (_, at, text), y in zip(rows, heights, strict=True)
        ]
    return placed


def _spread(wanted: list[float], low: float, high: float, apart: float) -> list[float]:
    """Places as near to those wanted (ascending) as distances of `apart` allow, between low and high."""
    found: list[float] = []
    for place in wanted:
        found.append(max(place, found[-1] + apart if found else low))
    limit = high
    for at in range(len(found) - 1, -1, -1):
        found[at] = min(found[at], limit)
        limit = found[at] - apart
    return found


def _number(value: float | None) -> str:
    return "?" if value is None else f"{value:.4g}"


def _hole(feature: Feature) -> str:
    parts = [] if feature.thread is None else [_thread(feature.thread)]
    parts += [f"Ø{_number(feature.diameter)}{' THRU' if feature.through else _depth(feature.depth)}"]
    for name, treatment in (("CBORE", feature.counterbore), ("SF", feature.spotface), ("CSK", feature.countersink)):
        if treatment is not None:
            parts.append(f"{name} {_treatment(treatment)}")
    return ", ".join([*parts, *_further_steps(feature)])


def _further_steps(feature: Feature) -> Iterator[str]:
    """The wider cylinders of a bore that no other word has, each with its depth from the end on which it opens."""
    steps = [step for step in feature.steps or () if isinstance(step, HoleStep)]
    cylinders = [step for step in steps if step.shape == "cylinder"]
    if not cylinders:
        return
    core, end = min(cylinders, key=lambda step: step.diameter), steps[-1].end
    widened = next((each for each in (feature.counterbore, feature.spotface) if each is not None), None)
    for step in cylinders:
        across = f"Ø{_number(step.diameter)}"
        if step.diameter <= core.diameter * (1.0 + SAME) or (widened is not None and step is cylinders[0]):
            continue
        if step.begin < core.begin:
            yield f"{across}{_depth(step.end)}"
        elif feature.through:
            yield f"{across}{_depth(end - step.begin)} FAR SIDE"
        else:
            yield f"{across} FROM {_number(step.begin)} TO {_number(step.end)}"


def _thread(thread: FeatureThread) -> str:
    name = thread.designation or f"THREAD Ø{_number(thread.diameter)}"
    pitch = "" if thread.designation or thread.pitch is None else f" x {_number(thread.pitch)}"
    return name + pitch


def _shaft(feature: Feature) -> str:
    named = "THREAD" if feature.thread is None else _thread(feature.thread)
    return f"{named}{'' if feature.length is None else f' x {_number(feature.length)} LONG'}"


def _treatment(treatment: HoleTreatment) -> str:
    angle = f" x {_number(treatment.angle)}°" if treatment.angle is not None else ""
    return f"Ø{_number(treatment.diameter)}{angle or _depth(treatment.depth)}"


def _depth(depth: float | None) -> str:
    return "" if depth is None else f" x {_number(depth)} DEEP"


def _fillet(feature: Feature) -> str:
    return f"R{_number(feature.radius)}"


def _chamfer(feature: Feature) -> str:
    legs = [*(feature.legs or ())]
    if len(legs) == 2 and abs(legs[0] - legs[1]) > 1e-6 * max(legs):
        return f"{_number(legs[0])} x {_number(legs[1])}"
    return f"{_number(legs[0] if legs else None)} x {_number(feature.angle)}°"


def _area(feature: Feature) -> str:
    depth = " THRU" if feature.through else _depth(feature.depth)
    return f"{feature.type.upper()}{_plan(feature)}{depth}"


def _slot(feature: Feature) -> str:
    if feature.undercut is not None:
        name = "T-SLOT" if feature.undercut.angle is None else f"DOVETAIL {_number(feature.undercut.angle)}°"
        return f"{name}{_plan(feature)}/{_number(feature.undercut.width)}{_depth(feature.depth)}"
    if feature.angle is not None and feature.floor_width is None:
        return f"V-GROOVE {_number(feature.angle)}°{_plan(feature)}{_depth(feature.depth)}"
    return _area(feature)


def _plan(feature: Feature) -> str:
    """Its size seen from above; nothing where it has none, as an outline of several curves."""
    if feature.diameter is not None:
        return f" Ø{_number(feature.diameter)}"
    if feature.width is None or feature.length is None:
        return ""
    return f" {_number(feature.width)} x {_number(feature.length)}"


def _groove(feature: Feature) -> str:
    rims = [f"Ø{_number(each)}" for each in (feature.inner_diameter, feature.outer_diameter) if each is not None]
    width = [] if feature.width is None else [_number(feature.width)]
    across = "/".join(rims or width)
    return f"GROOVE{f' {across}' if across else ''}{_depth(feature.depth)}"


def _boss(feature: Feature) -> str:
    across = _plan(feature)
    return f"BOSS{across}{' x' if across else ''} {_number(feature.height)} HIGH"


def _rib(feature: Feature) -> str:
    return f"RIB {_number(feature.thickness)} x {_number(feature.height)} HIGH"


_WRITERS: Final[dict[str, Callable[[Any], str]]] = {
    "hole": _hole,
    "thread": _shaft,
    "groove": _groove,
    "fillet": _fillet,
    "chamfer": _chamfer,
    "slot": _slot,
    "pocket": _area,
    "boss": _boss,
    "rib": _rib,
}
"""Types of feature that have a callout; a pattern is written as its members, a part as a whole has none."""
