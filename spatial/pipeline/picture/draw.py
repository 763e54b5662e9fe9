"""A picture of a model of solids: one view or a sheet of four, shaded, with visible edges, cuts and labels."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.contract.features import Feature
from spatial.counting import count_of
from spatial.errors import InvalidRequest, ParseError
from spatial.models.brep.model import BrepModel
from spatial.models.picture import Picture, PicturePlan, Section, ViewName
from spatial.pipeline.picture import scene
from spatial.pipeline.picture.explosion import exploded
from spatial.pipeline.picture.labels import Label, labels, widest
from spatial.pipeline.picture.scene import SceneBody
from spatial.pipeline.picture.view import AXES, Box, View, camera_of, render
from spatial.pipeline.picture.write import WRITERS

MARGIN: Final = 0.04
"""Of the shorter side of a view that stays free."""
LABEL_MARGINS: Final = (0.1, 0.3)
"""Of the width of a view that labels have on each side: as much as the longest needs, within these."""

CELLS: Final[dict[ViewName, tuple[int, int]]] = {"top": (0, 0), "iso": (1, 0), "front": (0, 1), "right": (1, 1)}
"""Column and row of each view on a sheet: third-angle projection, the top above the front, the right beside it."""


@dataclass(frozen=True)
class Cell:
    """A view and its place in the picture."""

    name: ViewName
    box: Box

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, in pixels."""
        left, top, right, bottom = self.box
        return round(right - left), round(bottom - top)


def draw(model: BrepModel, features: Sequence[Feature], plan: PicturePlan, title: str) -> Picture:
    """Draw a model. features: what `plan.features` labels.

    Raises: ParseError where nothing can be drawn; InvalidRequest for a section outside of everything.
    """
    notes: list[str] = []
    found = scene.bodies(model, notes)
    if not found:
        raise ParseError("the file has no surface that can be drawn; export solids or surfaces")
    if plan.exploded:
        found = exploded(found)
    section = _placed(plan.section, found)
    if section is not None and section.offset is not None:
        # The side that the isometric view sees: every other view sees the cut from there too, or edge on.
        found = scene.cut(found, section.number, section.offset, float(np.sign(AXES["iso"][2, section.number])))
    cells = _cells(plan)
    scale = _shared_scale(found, cells, plan, features)
    views: list[View] = []
    written: list[Label] = []
    left = [*features] if plan.features else []
    for cell in cells:
        shared = scale if cell.name != "iso" else None
        view = render(found, camera_of(found, cell.name, _inner(cell, plan, features), shared), cell.size, section)
        view.left, view.top = round(cell.box[0]), round(cell.box[1])
        placed, left = labels(view, found, left, (0.0, 0.0, float(cell.size[0]), float(cell.size[1])))
        written += [_shifted(label, view) for label in placed]
        views.append(view)
    if left:
        notes.append(
            f"{count_of(len(left), 'feature')} cannot be seen from here; choose another --view, --views or --section"
        )
    content = WRITERS[plan.format](views, written, plan, title)
    return Picture(content=base64.b64encode(content), notes=notes)


def _placed(section: Section | None, found: list[SceneBody]) -> Section | None:
    """A section with its offset."""
    if section is None:
        return None
    boxes = np.array([body.mesh.box[:, section.number] for body in found])
    low, high = float(boxes[:, 0].min()), float(boxes[:, 1].max())
    offset = (low + high) / 2.0 if section.offset is None else section.offset
    if low == high:
        raise InvalidRequest(f"the model is flat across {section.axis} and has no section there; choose another axis")
    if not low < offset < high:
        raise InvalidRequest(
            f"the section {section.axis}={offset:g} lies beside everything; choose an offset between {low:.6g} and {high:.6g}"
        )
    return section.model_copy(update={"offset": offset})


def _cells(plan: PicturePlan) -> list[Cell]:
    if len(plan.views) == 1:
        return [Cell(plan.views[0], (0.0, 0.0, float(plan.width), float(plan.height)))]
    wide, high = plan.width // 2, plan.height // 2
    places = [(name, CELLS[name]) for name in plan.views]
    return [Cell(name, (x * wide, y * high, (x + 1) * wide, (y + 1) * high)) for name, (x, y) in places]


def _inner(cell: Cell, plan: PicturePlan, features: Sequence[Feature]) -> Box:
    """Where the bodies are drawn, in pixels of the view; labels of the features stand beside it."""
    width, height = cell.size
    margin = MARGIN * min(width, height)
    least, most = LABEL_MARGINS
    beside = min(max(widest(features), least * width), most * width) if plan.features else margin
    return beside, margin, width - beside, height - margin


def _shared_scale(found: list[SceneBody], cells: list[Cell], plan: PicturePlan, features: Sequence[Feature]) -> float:
    """The scale at which all views but the isometric one fit, so that they line up."""
    return min(camera_of(found, cell.name, _inner(cell, plan, features)).scale for cell in cells)


def _shifted(label: Label, view: View) -> Label:
    x, y = label.target
    return replace(label, x=label.x + view.left, y=label.y + view.top, target=(x + view.left, y + view.top))
