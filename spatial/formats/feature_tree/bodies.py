"""Bodies from features in their order: each feature begins a body, changes one, or places one again.

A body is measured only if every feature of it was built: one that is not leaves the body without a solid, and a reason.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from OCP.Bnd import Bnd_Box
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.gp import gp_Ax1, gp_Trsf
from OCP.TopAbs import TopAbs_ShapeEnum
from OCP.TopoDS import TopoDS, TopoDS_Shape

from spatial.formats.feature_tree import shapes
from spatial.formats.feature_tree.parameters import NotBuildable, Parameters, vector
from spatial.models.brep.topology import subshapes

Cut = Callable[[TopoDS_Shape, TopoDS_Shape], TopoDS_Shape]


def _fuse(first: TopoDS_Shape, second: TopoDS_Shape) -> TopoDS_Shape:
    return _checked(BRepAlgoAPI_Fuse(first, second))


def _cut(first: TopoDS_Shape, second: TopoDS_Shape) -> TopoDS_Shape:
    return _checked(BRepAlgoAPI_Cut(first, second))


def _common(first: TopoDS_Shape, second: TopoDS_Shape) -> TopoDS_Shape:
    return _checked(BRepAlgoAPI_Common(first, second))


OPERATIONS: Final[dict[str, Cut]] = {
    "join": _fuse,
    "union": _fuse,
    "cut": _cut,
    "subtract": _cut,
    "difference": _cut,
    "intersect": _common,
    "intersection": _common,
}


@dataclass
class Body:
    """A body under construction."""

    id: str
    shape: TopoDS_Shape | None
    reason: str | None = None
    """Why it has no shape."""


@dataclass
class Placement:
    """An instance of a body."""

    id: str
    body: Body
    transform: gp_Trsf


@dataclass
class _Tool:
    """What a feature did to its body, for patterns of it."""

    body: Body
    shape: TopoDS_Shape
    apply: Cut


@dataclass
class Bodies:
    """The bodies and instances of a tree, in the order of their first features."""

    bodies: dict[str, Body] = field(default_factory=dict)
    """By the id of every feature that belongs to the body."""
    placements: list[Placement] = field(default_factory=list)
    consumed: set[str] = field(default_factory=set)
    """Ids of the bodies that a boolean has used up."""
    _tools: dict[str, _Tool] = field(default_factory=dict)

    @property
    def finished(self) -> list[Body]:
        """The bodies that are left, each once."""
        once = {body.id: body for body in self.bodies.values()}
        return [body for name, body in once.items() if name not in self.consumed]

    def add(self, feature_id: str, kind: str, members: dict[str, Any]) -> None:
        """Add one feature."""
        given = Parameters(members)
        target = self._target(given)
        try:
            self._build(feature_id, kind, given, target)
        except NotBuildable as reason:
            self._fail(feature_id, kind, str(reason), target)
        except Exception:  # noqa: BLE001 - the kernel's exceptions have no common base in Python
            self._fail(feature_id, kind, "the kernel cannot build it", target)

    def _build(self, feature_id: str, kind: str, given: Parameters, target: Body | None) -> None:
        if kind in shapes.ADDED:
            self._add_solid(feature_id, shapes.ADDED[kind](given), given, target)
        elif kind == "instance":
            self.placements.append(
                Placement(feature_id, self._named(given, "of", "definition", "target"), given.transform())
            )
        elif kind == "boolean":
            self._combine(feature_id, given)
        elif kind == "hole":
            body = _require(target)
            self._apply(feature_id, _Tool(body, shapes.hole(given, _across(_solid(body))), _cut))
        elif kind == "pattern":
            self._repeat(feature_id, given)
        elif kind in ("fillet", "chamfer"):
            self._round(feature_id, kind, given, _require(target))
        else:
            raise NotBuildable(f"its type {kind!r} is not one that is built")

    def _add_solid(self, feature_id: str, shape: TopoDS_Shape, given: Parameters, target: Body | None) -> None:
        if given.has("transform"):
            shape = BRepBuilderAPI_Transform(shape, given.transform(), True).Shape()
        operation = given.text("operation") or "new"
        if operation == "new":
            self.bodies[feature_id] = Body(feature_id, shape)
            return
        if operation not in OPERATIONS:
            raise NotBuildable(f"its operation {operation!r} is unknown; use new, join, cut or intersect")
        self._apply(feature_id, _Tool(_require(target), shape, OPERATIONS[operation]))

    def _apply(self, feature_id: str, tool: _Tool) -> None:
        tool.body.shape = tool.apply(_solid(tool.body), tool.shape)
        self.bodies[feature_id] = tool.body
        self._tools[feature_id] = tool

    def _combine(self, feature_id: str, given: Parameters) -> None:
        operation = OPERATIONS.get(given.text("operation") or "")
        if operation is None:
            raise NotBuildable("its operation is not union, cut or intersect")
        body = self._named(given, "target", "parent")
        for other in (self._known(name) for name in given.texts("tools")):
            body.shape = operation(_solid(body), _solid(other))
            self.consumed.add(other.id)
        self.bodies[feature_id] = body

    def _repeat(self, feature_id: str, given: Parameters) -> None:
        name = given.text("of", "feature", "target") or ""
        tool = self._tools.get(name)
        if tool is None:
            raise NotBuildable("`of` does not name a feature that changed a body")
        for motion in _motions(given):
            copy = BRepBuilderAPI_Transform(tool.shape, motion, True).Shape()
            tool.body.shape = tool.apply(_solid(tool.body), copy)
        self.bodies[feature_id] = tool.body

    def _round(self, feature_id: str, kind: str, given: Parameters, body: Body) -> None:
        if given.member("edges") not in (None, "all"):
            raise NotBuildable("its edges are chosen by names that only the partner's program knows")
        shape = _solid(body)
        size = given.positive("radius") if kind == "fillet" else given.positive("distance", "size")
        maker = BRepFilletAPI_MakeFillet(shape) if kind == "fillet" else BRepFilletAPI_MakeChamfer(shape)
        for edge in subshapes(shape, TopAbs_ShapeEnum.TopAbs_EDGE):
            maker.Add(size, TopoDS.Edge_s(edge))
        maker.Build()
        if not maker.IsDone():
            raise NotBuildable(f"the kernel cannot apply a {kind} of {size:g} to its edges")
        body.shape = maker.Shape()
        self.bodies[feature_id] = body

    def _fail(self, feature_id: str, kind: str, reason: str, target: Body | None) -> None:
        body = target or Body(feature_id, None)
        body.shape = None
        body.reason = body.reason or f"the {kind} {feature_id} was not built: {reason}"
        self.bodies[feature_id] = body

    def _target(self, given: Parameters) -> Body | None:
        return next(
            (
                self.bodies[name]
                for key in ("target", "parent", "of", "feature")
                if (name := given.text(key)) in self.bodies
            ),
            None,
        )

    def _named(self, given: Parameters, *keys: str) -> Body:
        return self._known(given.text(*keys) or "")

    def _known(self, name: str) -> Body:
        if name not in self.bodies:
            raise NotBuildable(f"it refers to {name!r}, which is no body before it")
        return self.bodies[name]


def _motions(given: Parameters) -> list[gp_Trsf]:
    """The motions from the original to each copy of a pattern."""
    count, motions = given.count(), []
    circular = given.has("axis", "angle")
    for step in range(1, count):
        motion = gp_Trsf()
        if circular:
            axis = gp_Ax1(given.point("origin", (0, 0, 0)), given.direction("axis", (0, 0, 1)))
            motion.SetRotation(
                axis, math.radians(given.number("angle", shapes.FULL_TURN)) * step / _divisions(given, count)
            )
        else:
            motion.SetTranslation(vector(given.direction("direction", (1, 0, 0)), step * given.positive("spacing")))
        motions.append(motion)
    return motions


def _divisions(given: Parameters, count: int) -> int:
    """Steps in the angle of a circular pattern: a full turn comes back to the original, a part of it ends at its last copy."""
    return count if given.number("angle", shapes.FULL_TURN) == shapes.FULL_TURN else count - 1


def _require(target: Body | None) -> Body:
    if target is None:
        raise NotBuildable("its parent is missing, or is no body before it")
    return target


def _solid(body: Body) -> TopoDS_Shape:
    if body.shape is None:
        raise NotBuildable(body.reason or "its body has no shape")
    return body.shape


def _across(shape: TopoDS_Shape) -> float:
    """A length that is longer than the shape."""
    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    return 1.0 + 2.0 * math.sqrt(box.SquareExtent())


def _checked(operation: Any) -> TopoDS_Shape:
    if not operation.IsDone():
        raise NotBuildable("the kernel cannot combine the shapes")
    return operation.Shape()
