"""What a drawing asks of other parts: in views of which no request is met while those of others are, or by its title."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from spatial.contract.extraction import Structure
from spatial.reasoning.link.asked import Asked
from spatial.reasoning.link.finding import Binding, Findings, Unbound
from spatial.reasoning.link.offered import Part
from spatial.reasoning.link.scope import is_met

LEAST: Final = 3
"""Requests of a view, none of them met, from which it shows another part."""

_REASON: Final = "its view meets none of the model's sizes and may show another part; compare it with that part"

_SEVERAL: Final = "the title names several parts, and this may be asked of another one; compare it with that part"

_ELSEWHERE: Final = "another part of the model has this size, and the drawing names none of them"

View = tuple[int, int]


def set_aside(findings: Findings, structure: Structure) -> None:
    """Moves what such views ask to `not_compared`."""
    views = list(_views(structure))
    if len(views) < 2:
        return
    met: dict[View, int] = defaultdict(int)
    unmet: dict[View, list[Binding | Unbound]] = defaultdict(list)
    compared: list[Binding | Unbound] = [*findings.bound, *findings.missing]
    for each in compared:
        view = _nearest(each.asked, views)
        if view is None:
            continue
        if isinstance(each, Binding) and not each.differences:
            met[view] += 1
        else:
            unmet[view].append(each)
    for view, rows in unmet.items():
        if len(rows) >= LEAST and not met[view] and sum(met.values()) >= len(rows):
            findings.bound = [each for each in findings.bound if each not in rows]
            findings.missing = [each for each in findings.missing if each not in rows]
            findings.not_compared += [Unbound(each.asked, _REASON) for each in rows]


def leave_out(findings: Findings) -> None:
    """Moves all that the model does not meet to `not_compared`, where the sheet shows other parts, too."""
    unmet: list[Binding | Unbound] = [*(each for each in findings.bound if each.differences), *findings.missing]
    findings.bound = [each for each in findings.bound if not each.differences]
    findings.missing = []
    findings.not_compared += [Unbound(each.asked, _SEVERAL) for each in unmet]


def leave_to_others(findings: Findings, parts: Sequence[Part]) -> None:
    """Moves what another part of the model has to `not_compared`: a drawing that names no part may show all of them."""
    elsewhere = [lost for lost in findings.missing if any(is_met(lost.asked, each) for each in parts)]
    findings.missing = [lost for lost in findings.missing if not any(lost is each for each in elsewhere)]
    findings.not_compared += [Unbound(lost.asked, _ELSEWHERE) for lost in elsewhere]


def _views(structure: Structure) -> list[tuple[View, Sequence[float]]]:
    found = []
    for sheet in structure.sheets or ():
        listed: Any = (sheet.model_extra or {}).get("views")
        for place, view in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(view, dict) and len(view.get("bbox", ())) == 4:
                found.append(((sheet.page, place), view["bbox"]))
    return found


def _nearest(asked: Asked, views: Sequence[tuple[View, Sequence[float]]]) -> View | None:
    """The view of its page that a request stands next to."""
    position = asked.place.position
    if position is None:
        return None
    offered = [(view, box) for view, box in views if asked.place.page in (None, view[0])]
    return min(offered, key=lambda each: _off(position, each[1]))[0] if offered else None


def _off(point: Sequence[float], box: Sequence[float]) -> float:
    across = max(box[0] - point[0], 0.0, point[0] - box[2])
    up = max(box[1] - point[1], 0.0, point[1] - box[3])
    return float(across**2 + up**2)
